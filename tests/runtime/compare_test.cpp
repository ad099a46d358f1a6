// Statistics of a value and the distance between two.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "runtime/compare/compare.h"
#include "runtime/compare/statistics.h"

namespace descry::runtime {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TensorRef made(DType dtype, std::vector<double> v) {
  const TensorRef t = allocate(Dims{static_cast<int64_t>(v.size())}, dtype);
  for (size_t i = 0; i < v.size(); ++i)
    storeNumber(dtype, viewOf(*t).data + static_cast<int64_t>(i) * itemBytes(dtype), Value::real(v[i]));
  return t;
}

TEST(Statistics, CountsWhatIsThere) {
  const ValueStatistics s = statisticsOf(*made(DType::F32, {1, -3, 0, 1e-40, NAN, kInf, -kInf, 5}));
  EXPECT_EQ(s.count, 8);
  EXPECT_EQ(s.finite, 5);
  EXPECT_EQ(s.nan, 1);
  EXPECT_EQ(s.plusInf, 1);
  EXPECT_EQ(s.minusInf, 1);
  EXPECT_EQ(s.zeros, 1);
  EXPECT_EQ(s.denormals, 1);
  EXPECT_EQ(s.min, -3);
  EXPECT_EQ(s.max, 5);
  EXPECT_EQ(s.absMax, 5);
  EXPECT_NEAR(s.mean, 0.6, 1e-12);
  EXPECT_NEAR(s.std, std::sqrt((0.16 + 12.96 + 0.36 + 0.36 + 19.36) / 5), 1e-12);
  EXPECT_EQ(s.firstBad, 4);
}

TEST(Statistics, OfTwoAreThoseOfBoth) {
  const ValueStatistics a = statisticsOf(*made(DType::F64, {1, 2, NAN})),
                        b = statisticsOf(*made(DType::F64, {-4, 0.5, 7}));
  const ValueStatistics both = joined(a, b), whole = statisticsOf(*made(DType::F64, {1, 2, NAN, -4, 0.5, 7}));
  EXPECT_EQ(both.count, whole.count);
  EXPECT_EQ(both.nan, whole.nan);
  EXPECT_EQ(both.min, whole.min);
  EXPECT_EQ(both.max, whole.max);
  EXPECT_NEAR(both.mean, whole.mean, 1e-12);
  EXPECT_NEAR(both.std, whole.std, 1e-12);
}

TEST(Statistics, HistogramHoldsEveryFiniteElement) {
  const TensorRef t = made(DType::F32, {0, 0.1, 0.5, 1, NAN, kInf});
  const Histogram h = histogramOf(*t, statisticsOf(*t));
  EXPECT_EQ(h.counts.front(), 1);
  EXPECT_EQ(h.counts[32], 1);
  EXPECT_EQ(h.counts.back(), 1);
  int64_t all = 0;
  for (const int64_t c : h.counts) all += c;
  EXPECT_EQ(all, 4);
}

TEST(Compare, TellsHowFarApart) {
  const auto compare = [](std::vector<double> a, std::vector<double> b, DType dtype = DType::F32) {
    return compareTensors(*made(dtype, std::move(a)), *made(dtype, std::move(b)), toleranceFor(dtype));
  };
  EXPECT_EQ(compare({1, NAN, kInf}, {1, NAN, kInf}).verdict, Verdict::BitEqual);
  const Comparison next = compare({1.0000001192092896, 2}, {1, 2});  // the number behind 1
  EXPECT_EQ(next.verdict, Verdict::Within);
  EXPECT_EQ(next.maxUlp, 1);
  EXPECT_NEAR(next.maxAbs, 1.1920929e-7, 1e-13);
  const Comparison across = compare({-0.0, 1}, {0.0, 1});
  EXPECT_EQ(across.verdict, Verdict::Within);
  EXPECT_EQ(across.maxUlp, 0);
  const Comparison far = compare({3, 0, 4}, {0, 5, 0});
  EXPECT_EQ(far.verdict, Verdict::Outside);
  EXPECT_EQ(far.outside, 3);
  EXPECT_EQ(far.firstOutside, 0);
  EXPECT_EQ(far.cosine, 0);
  EXPECT_EQ(far.maxAbs, 5);
  EXPECT_EQ(compare({NAN}, {1}).verdict, Verdict::Outside);
  EXPECT_EQ(compare({kInf}, {-kInf}).verdict, Verdict::Outside);
  EXPECT_EQ(compare({1, 2}, {1}).verdict, Verdict::ShapeDiffers);
  EXPECT_EQ(compareTensors(*made(DType::F32, {1}), *made(DType::F64, {1}), {}).verdict,
            Verdict::DTypeDiffers);
  const Comparison noisy = compare({10.1}, {10}, DType::F64);
  EXPECT_NEAR(noisy.snr, 40, 1e-6);
}

TEST(Compare, IntegersAreEqualOrNot) {
  const auto whole = [](int64_t v) {
    const TensorRef t = allocate(Dims{1}, DType::I64);
    storeNumber(DType::I64, viewOf(*t).data, Value(v));
    return t;
  };
  // Apart by one, where doubles lie two apart.
  EXPECT_EQ(compareTensors(*whole(9007199254740993), *whole(9007199254740992), {1, 1}).verdict,
            Verdict::Outside);
  EXPECT_EQ(compareTensors(*whole(7), *whole(7), {}).verdict, Verdict::BitEqual);
}

}  // namespace
}  // namespace descry::runtime
