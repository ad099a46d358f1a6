#include "runtime/compare/statistics.h"

#include <cmath>
#include <limits>

#include "runtime/core/iterate.h"

namespace descry::runtime {

namespace {

/// Calls f with each element as a double, in row-major order; complex ones by their absolute value.
template <class F>
void eachAsReal(const Tensor& t, F&& f) {
  const TensorRef dense = contiguousOf(TensorRef(const_cast<Tensor*>(&t)));
  const View v = viewOf(*dense);
  const int64_t n = v.numel();
  visitAny(v.dtype, [&]<class T>(TypeTag<T>) {
    const T* at = v.as<T>();
    for (int64_t i = 0; i < n; ++i) {
      if constexpr (kIsComplex<T>)
        f(static_cast<double>(std::abs(at[i])), i);
      else
        f(static_cast<double>(static_cast<Compute<T>>(at[i])), i);
    }
  });
}

double smallestNormal(DType dtype) {
  switch (dtype) {
    case DType::F64:
    case DType::C128:
      return std::numeric_limits<double>::min();
    case DType::F16:
      return 0x1p-14;
    case DType::F32:
    case DType::BF16:
    case DType::C64:
      return static_cast<double>(std::numeric_limits<float>::min());
    default:
      return 0;
  }
}

}  // namespace

ValueStatistics statisticsOf(const Tensor& t) {
  ValueStatistics s;
  const double normal = smallestNormal(t.meta.dtype);
  double mean = 0, squares = 0;
  s.min = std::numeric_limits<double>::infinity();
  s.max = -s.min;
  eachAsReal(t, [&](double x, int64_t i) {
    ++s.count;
    if (!std::isfinite(x)) {
      if (std::isnan(x))
        ++s.nan;
      else
        ++(x > 0 ? s.plusInf : s.minusInf);
      if (s.firstBad < 0) s.firstBad = i;
      return;
    }
    ++s.finite;
    s.min = std::min(s.min, x);
    s.max = std::max(s.max, x);
    if (x == 0)
      ++s.zeros;
    else if (std::fabs(x) < normal)
      ++s.denormals;
    // Welford: no sum of squares that loses what it is asked for.
    const double delta = x - mean;
    mean += delta / static_cast<double>(s.finite);
    squares += delta * (x - mean);
  });
  if (!s.finite) {
    s.min = s.max = 0;
    return s;
  }
  s.mean = mean;
  s.std = std::sqrt(std::max(0.0, squares / static_cast<double>(s.finite)));
  s.absMax = std::max(std::fabs(s.min), std::fabs(s.max));
  return s;
}

ValueStatistics joined(const ValueStatistics& a, const ValueStatistics& b) {
  ValueStatistics s = a;
  s.count += b.count;
  s.nan += b.nan;
  s.plusInf += b.plusInf;
  s.minusInf += b.minusInf;
  s.zeros += b.zeros;
  s.denormals += b.denormals;
  if (s.firstBad < 0) s.firstBad = b.firstBad;
  if (!b.finite) return s;
  if (!a.finite) {
    s.min = b.min, s.max = b.max, s.mean = b.mean, s.std = b.std, s.absMax = b.absMax;
    s.finite = b.finite;
    return s;
  }
  const auto n = static_cast<double>(a.finite), m = static_cast<double>(b.finite);
  const double delta = b.mean - a.mean;
  s.finite = a.finite + b.finite;
  s.mean = a.mean + delta * m / (n + m);
  s.std = std::sqrt((a.std * a.std * n + b.std * b.std * m + delta * delta * n * m / (n + m)) / (n + m));
  s.min = std::min(a.min, b.min);
  s.max = std::max(a.max, b.max);
  s.absMax = std::max(a.absMax, b.absMax);
  return s;
}

Histogram histogramOf(const Tensor& t, double low, double high) {
  Histogram h;
  h.low = low;
  h.high = high;
  const double width = high - low;
  eachAsReal(t, [&](double x, int64_t) {
    if (!std::isfinite(x) || x < low || x > high) return;
    const double at = width > 0 ? (x - low) / width * Histogram::kBins : 0;
    ++h.counts[std::min(static_cast<size_t>(at), Histogram::kBins - 1)];
  });
  return h;
}

Histogram histogramOf(const Tensor& t, const ValueStatistics& s) {
  return histogramOf(t, s.min, s.max);
}

}  // namespace descry::runtime
