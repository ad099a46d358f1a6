// Products and convolutions by libraries, and by our own code where it is large, against sums in double.
#include "runtime/library/library.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <mutex>
#include <random>
#include <vector>

#include "runtime/core/gemm.h"
#include "runtime/core/threads.h"
#include "runtime/interpreter/machine.h"

namespace descry::runtime {
namespace {

std::vector<float> numbers(int64_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> in(-1, 1);
  std::vector<float> v(static_cast<size_t>(count));
  for (float& x : v) x = in(random);
  return v;
}

/// "none", and the libraries that this machine has: they are opened when first wanted.
std::vector<const char*> librariesHere() {
  std::vector<const char*> out = {"none"};
  for (const char* name : {"onednn", "openblas"})
    if (library::choose(name) && !library::inUse().empty()) out.push_back(name);
  library::choose("auto");
  return out;
}

/// Every test runs with each library that is there, and with none.
class Library : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ASSERT_TRUE(library::choose(GetParam())); }
  void TearDown() override {
    library::choose("auto");
    setThreadCount(before_);
  }
  int before_ = threadCount();
};

TEST_P(Library, MultipliesMatricesOfAnyLayout) {
  const int64_t sizes[][3] = {{64, 64, 64},  {97, 131, 77}, {4, 300, 200},
                              {300, 9, 260}, {1, 400, 500}, {257, 512, 33}};
  for (const int threads : {1, 2, 3}) {
    setThreadCount(threads);
    for (const auto& [m, n, k] : sizes)
      for (const bool ta : {false, true})
        for (const bool tb : {false, true})
          for (const bool tc : {false, true}) {
            const std::vector<float> a = numbers(m * k, 1), b = numbers(k * n, 2), old = numbers(m * n, 3);
            std::vector<float> c = old;
            const MatrixOf<const float> left =
                ta ? MatrixOf<const float>{a.data(), 1, m} : MatrixOf<const float>{a.data(), k, 1};
            const MatrixOf<const float> right =
                tb ? MatrixOf<const float>{b.data(), 1, k} : MatrixOf<const float>{b.data(), n, 1};
            const MatrixOf<float> out =
                tc ? MatrixOf<float>{c.data(), 1, m} : MatrixOf<float>{c.data(), n, 1};
            multiply(m, n, k, left, right, out, 0.5, 2.0);
            for (int64_t i = 0; i < m; ++i)
              for (int64_t j = 0; j < n; ++j) {
                double sum = 0;
                for (int64_t p = 0; p < k; ++p)
                  sum += double{left.data[i * left.rowStride + p * left.columnStride]} *
                         double{right.data[p * right.rowStride + j * right.columnStride]};
                const auto at = static_cast<size_t>(i * out.rowStride + j * out.columnStride);
                ASSERT_NEAR(c[at], 0.5 * sum + 2.0 * double{old[at]}, 2e-5 * std::sqrt(double(k)))
                    << m << "x" << n << "x" << k << " " << ta << tb << tc << " at " << i << ", " << j;
              }
          }
  }
}

TEST_P(Library, TellsWhichBlocksAreWhole) {
  setThreadCount(2);
  for (const std::array<int64_t, 4>& sizes : {std::array<int64_t, 4>{1, 200, 300, 100},
                                              {3, 60, 50, 100},
                                              {1, 1, 700, 300},
                                              {1, 7, 5, 0},
                                              {2, 1000, 40, 600}}) {
    const int64_t batch = sizes[0], m = sizes[1], n = sizes[2], k = sizes[3];
    const std::vector<float> a = numbers(batch * m * k, 1), b = numbers(batch * k * n, 2);
    std::vector<float> c(static_cast<size_t>(batch * m * n), 0.0f);
    std::vector<int> told(c.size(), 0);
    std::mutex mutex;
    Gemm g;
    g.batch = batch;
    g.m = m;
    g.n = n;
    g.k = k;
    const auto at = [](const std::vector<float>& v) {
      return reinterpret_cast<std::byte*>(const_cast<float*>(v.data()));
    };
    g.a = {at(a), k, 1, m * k};
    g.b = {at(b), n, 1, k * n};
    g.c = {at(c), n, 1, m * n};
    g.epilogue = [&](const GemmBlock& block) {
      const std::lock_guard lock(mutex);
      for (int64_t i = block.rowBegin; i < block.rowEnd; ++i)
        for (int64_t j = block.columnBegin; j < block.columnEnd; ++j) {
          const auto here = static_cast<size_t>((block.index * m + i) * n + j);
          ++told[here];
          c[here] += 1000.0f;
        }
    };
    gemm(g);
    for (size_t i = 0; i < told.size(); ++i) {
      ASSERT_EQ(told[i], 1) << i;
      // The product was whole before.
      ASSERT_GT(c[i], 500.0f);
      ASSERT_LT(c[i], 1500.0f);
    }
  }
}

struct Case {
  int64_t batch, groups, in, out, height, width, kernel, stride, padding, dilation;
};

/// convolution and convolution_backward of aten, and the sums that define them.
TEST_P(Library, Convolves) {
  const Case cases[] = {
      {2, 1, 16, 32, 17, 19, 3, 1, 1, 1},  {1, 1, 24, 40, 20, 20, 3, 1, 1, 1},
      {3, 1, 3, 33, 31, 30, 5, 2, 2, 1},   {1, 4, 32, 48, 18, 18, 3, 1, 1, 1},
      {2, 32, 32, 32, 30, 30, 3, 1, 1, 1}, {4, 1, 48, 32, 16, 16, 1, 1, 0, 1},
      {2, 1, 16, 16, 26, 26, 3, 2, 3, 2},  {5, 2, 20, 36, 15, 14, 3, 1, 0, 1},
  };
  Machine machine;
  for (const int threads : {1, 2})
    for (const Case& t : cases) {
      setThreadCount(threads);
      const int64_t reach = t.dilation * (t.kernel - 1) + 1;
      const int64_t h = (t.height + 2 * t.padding - reach) / t.stride + 1,
                    w = (t.width + 2 * t.padding - reach) / t.stride + 1;
      const int64_t in = t.in / t.groups, out = t.out / t.groups;
      const auto tensor = [](const std::vector<float>& v, Dims sizes) {
        const TensorRef made = allocate(sizes, DType::F32);
        std::memcpy(made->storage->data(), v.data(), v.size() * sizeof(float));
        return Value(made);
      };
      const std::vector<float> x = numbers(t.batch * t.in * t.height * t.width, 1),
                               wt = numbers(t.out * in * t.kernel * t.kernel, 2), bias = numbers(t.out, 3),
                               g = numbers(t.batch * t.out * h * w, 4);
      std::vector<double> y(g.size()), gx(x.size(), 0.0), gw(wt.size(), 0.0);
      for (int64_t b = 0; b < t.batch; ++b)
        for (int64_t o = 0; o < t.out; ++o)
          for (int64_t i = 0; i < h; ++i)
            for (int64_t j = 0; j < w; ++j) {
              const auto at = static_cast<size_t>(((b * t.out + o) * h + i) * w + j);
              y[at] = double{bias[static_cast<size_t>(o)]};
              for (int64_t c = 0; c < in; ++c)
                for (int64_t ky = 0; ky < t.kernel; ++ky)
                  for (int64_t kx = 0; kx < t.kernel; ++kx) {
                    const int64_t row = i * t.stride + ky * t.dilation - t.padding,
                                  column = j * t.stride + kx * t.dilation - t.padding;
                    if (row < 0 || row >= t.height || column < 0 || column >= t.width) continue;
                    const auto px = static_cast<size_t>(
                        ((b * t.in + o / out * in + c) * t.height + row) * t.width + column);
                    const auto pw = static_cast<size_t>(((o * in + c) * t.kernel + ky) * t.kernel + kx);
                    y[at] += double{x[px]} * double{wt[pw]};
                    gx[px] += double{g[at]} * double{wt[pw]};
                    gw[pw] += double{g[at]} * double{x[px]};
                  }
            }
      const Value input = tensor(x, {t.batch, t.in, t.height, t.width}),
                  weight = tensor(wt, {t.out, in, t.kernel, t.kernel}),
                  grad = tensor(g, {t.batch, t.out, h, w});
      const auto pair = [](int64_t v) { return Value(Values{Value(v), Value(v)}); };
      const auto compare = [&](const Value& made, const std::vector<double>& want, const char* what) {
        const View v = viewOf(*tensorOf(made));
        ASSERT_EQ(v.numel(), std::ssize(want));
        double scale = 1;
        for (const double d : want) scale = std::max(scale, std::abs(d));
        for (size_t i = 0; i < want.size(); ++i)
          ASSERT_NEAR(v.as<float>()[i], want[i], 2e-5 * scale)
              << what << " at " << i << ": " << t.in << " to " << t.out << " of " << t.height << "x"
              << t.width;
      };
      const Values geometry = {pair(t.stride),        pair(t.padding), pair(t.dilation),
                               Value::boolean(false), pair(0),         Value(t.groups)};
      Values forward = {input, weight, tensor(bias, {t.out})};
      forward.insert(forward.end(), geometry.begin(), geometry.end());
      compare(machine.call("aten.convolution.default", forward), y, "output");
      Values backward = {grad, input, weight, Value()};
      backward.insert(backward.end(), geometry.begin(), geometry.end());
      backward.push_back(Value(Values{Value::boolean(true), Value::boolean(true), Value::boolean(false)}));
      const Value gradients = machine.call("aten.convolution_backward.default", backward);
      compare(gradients.items()[0], gx, "gradient of the input");
      compare(gradients.items()[1], gw, "gradient of the weight");
    }
}

INSTANTIATE_TEST_SUITE_P(, Library, testing::ValuesIn(librariesHere()),
                         [](const auto& info) { return std::string(info.param); });

TEST(LibraryChoice, KnowsItsWords) {
  EXPECT_FALSE(library::choose("mkl"));
  EXPECT_TRUE(library::choose("none"));
  EXPECT_EQ(library::inUse(), "");
  EXPECT_FALSE(library::products().single);
  EXPECT_TRUE(library::choose("auto"));
}

}  // namespace
}  // namespace descry::runtime
