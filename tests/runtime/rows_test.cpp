// Functions of rows, for every kind of processor, against sums in double.
#include "runtime/core/rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace descry::runtime {
namespace {

template <class T>
class Rows : public testing::Test {
 protected:
  static constexpr double kUnit = std::numeric_limits<T>::epsilon();
  static std::vector<T> numbers(int64_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0.25, 1);
    std::vector<T> out(static_cast<size_t>(n));
    for (T& v : out) v = static_cast<T>(normal(random));
    return out;
  }
  template <class F>
  static void forEach(F&& f) {
    for (const RowMath<T>* math : {&rowMath<T>(), &plainRowMath<T>()})
      for (const int64_t n : {0, 1, 7, 15, 16, 63, 64, 65, 127, 300, 2047, 2048, 2049, 5000}) f(*math, n);
  }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Rows, Types);

TYPED_TEST(Rows, Sums) {
  using T = TypeParam;
  this->forEach([](const RowMath<T>& math, int64_t n) {
    const std::vector<T> x = Rows<T>::numbers(n, 1), y = Rows<T>::numbers(n, 2);
    long double sum = 0, squares = 0, dot = 0, size = 0;
    const T center = static_cast<T>(0.5);
    for (size_t i = 0; i < x.size(); ++i) {
      sum += x[i];
      size += std::abs(x[i]) + std::abs(x[i] * y[i]) + (x[i] - center) * (x[i] - center);
      squares += static_cast<long double>(x[i] - center) * (x[i] - center);
      dot += static_cast<long double>(x[i]) * y[i];
    }
    // No lane adds more than 32 numbers before they go to a double.
    const double most = 32 * Rows<T>::kUnit * static_cast<double>(size);
    EXPECT_NEAR(math.sum(x.data(), n), static_cast<double>(sum), most) << n;
    EXPECT_NEAR(math.squares(x.data(), center, n), static_cast<double>(squares), most) << n;
    EXPECT_NEAR(math.dot(x.data(), y.data(), n), static_cast<double>(dot), most) << n;
  });
}

TYPED_TEST(Rows, TheGreatestIsANaNWhereThereIsOne) {
  using T = TypeParam;
  this->forEach([](const RowMath<T>& math, int64_t n) {
    std::vector<T> x = Rows<T>::numbers(n, 3);
    const T none = -std::numeric_limits<T>::infinity();
    EXPECT_EQ(math.greatest(x.data(), n), n ? *std::max_element(x.begin(), x.end()) : none) << n;
    for (const int64_t at : {int64_t{0}, n / 2, n - 1}) {
      if (n == 0) break;
      std::vector<T> bad = x;
      bad[static_cast<size_t>(at)] = std::numeric_limits<T>::quiet_NaN();
      EXPECT_TRUE(std::isnan(math.greatest(bad.data(), n))) << n << " at " << at;
    }
  });
}

TYPED_TEST(Rows, ElementByElement) {
  using T = TypeParam;
  this->forEach([](const RowMath<T>& math, int64_t n) {
    const std::vector<T> x = Rows<T>::numbers(n, 4), g = Rows<T>::numbers(n, 5), w = Rows<T>::numbers(n, 6),
                         b = Rows<T>::numbers(n, 7);
    const T center = static_cast<T>(0.25), scale = static_cast<T>(1.5), shift = static_cast<T>(0.125),
            slope = static_cast<T>(-0.75);
    std::vector<T> out(x.size() + 1), again(x.size() + 1);
    const auto check = [&](const char* what, const std::vector<T>& have, auto&& want) {
      for (size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(have[i], want(i), 16 * Rows<T>::kUnit) << what << ", element " << i << " of " << n;
    };
    math.subtract(x.data(), center, out.data(), n);
    check("subtract", out, [&](size_t i) { return x[i] - center; });
    // Past the caches, from an address that no vector begins at.
    math.subtractStreamed(x.data(), center, again.data() + 1, n);
    EXPECT_TRUE(
        std::equal(x.begin(), x.end(), again.begin() + 1, [&](T from, T to) { return to == from - center; }));
    math.multiply(x.data(), scale, out.data(), n);
    check("multiply", out, [&](size_t i) { return x[i] * scale; });
    math.normalize(x.data(), center, scale, w.data(), b.data(), out.data(), n);
    math.normalizeStreamed(x.data(), center, scale, w.data(), b.data(), again.data() + 1, n);
    check("normalize", out, [&](size_t i) { return (x[i] - center) * scale * w[i] + b[i]; });
    EXPECT_TRUE(std::equal(x.begin(), x.end(), out.begin()) == (n == 0));
    EXPECT_TRUE(std::equal(out.begin(), out.begin() + n, again.begin() + 1));
    math.normalize(x.data(), center, scale, nullptr, nullptr, out.data(), n);
    check("normalize alone", out, [&](size_t i) { return (x[i] - center) * scale; });
    math.normalizeBackward(x.data(), g.data(), w.data(), center, scale, shift, slope, out.data(), n);
    check("normalizeBackward", out,
          [&](size_t i) { return scale * (g[i] * w[i] - shift - (x[i] - center) * scale * slope); });
    math.softmaxBackward(g.data(), x.data(), shift, out.data(), n);
    check("softmaxBackward", out, [&](size_t i) { return (g[i] - shift) * x[i]; });
    math.logSoftmaxBackward(g.data(), x.data(), shift, out.data(), n);
    check("logSoftmaxBackward", out, [&](size_t i) { return g[i] - x[i] * shift; });
    std::vector<T> along = w, plain = b;
    math.addNormalized(x.data(), g.data(), center, scale, along.data(), plain.data(), n);
    check("along", along, [&](size_t i) { return w[i] + g[i] * ((x[i] - center) * scale); });
    check("plain", plain, [&](size_t i) { return b[i] + g[i]; });
    double sum = 0, sumAlong = 0, wantSum = 0, wantAlong = 0;
    math.normalizedSums(x.data(), g.data(), w.data(), center, scale, n, &sum, &sumAlong);
    for (size_t i = 0; i < x.size(); ++i) {
      wantSum += static_cast<double>(g[i]) * w[i];
      wantAlong += static_cast<double>(g[i]) * w[i] * (x[i] - center) * scale;
    }
    EXPECT_NEAR(sum, wantSum, 64 * Rows<T>::kUnit * static_cast<double>(n + 1));
    EXPECT_NEAR(sumAlong, wantAlong, 64 * Rows<T>::kUnit * static_cast<double>(n + 1));
  });
}

}  // namespace
}  // namespace descry::runtime
