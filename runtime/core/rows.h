// Sums, extremes and normalization of rows of numbers that lie one after the other, with the vectors of the
// processor that this runs on.
//
// Sums are kept in double: of float, some hundred numbers are added in float lanes (no lane has more than
// 32 of them) before they go there. Which numbers meet in a lane depends on the length alone.
#pragma once

#include <cstdint>

namespace descry::runtime {

/// Results of so many bytes are written past the caches: a store there first reads what it overwrites.
constexpr int64_t kPastCaches = int64_t{16} << 20;

template <class T>
struct RowMath {
  /// A NaN wins; minus infinity of no elements.
  T (*greatest)(const T* x, int64_t n);
  double (*sum)(const T* x, int64_t n);
  /// Of (x - center)^2.
  double (*squares)(const T* x, T center, int64_t n);
  double (*dot)(const T* x, const T* y, int64_t n);
  void (*subtract)(const T* x, T number, T* out, int64_t n);
  void (*multiply)(const T* x, T number, T* out, int64_t n);
  /// Streamed: the same past the caches.
  void (*subtractStreamed)(const T* x, T number, T* out, int64_t n);
  void (*multiplyStreamed)(const T* x, T number, T* out, int64_t n);
  /// (x - center) scale weight + bias; no weight or bias: null.
  void (*normalize)(const T* x, T center, T scale, const T* weight, const T* bias, T* out, int64_t n);
  void (*normalizeStreamed)(const T* x, T center, T scale, const T* weight, const T* bias, T* out, int64_t n);
  /// For the gradient: the sums of d = grad weight, and of d times what normalize gives without weight.
  void (*normalizedSums)(const T* x, const T* grad, const T* weight, T center, T scale, int64_t n,
                         double* plain, double* along);
  /// scale (d - shift - (x - center) scale slope)
  void (*normalizeBackward)(const T* x, const T* grad, const T* weight, T center, T scale, T shift, T slope,
                            T* out, int64_t n);
  /// Adds grad times what normalize gives without weight, and grad; either may be null.
  void (*addNormalized)(const T* x, const T* grad, T center, T scale, T* along, T* plain, int64_t n);
  /// (grad - number) y
  void (*softmaxBackward)(const T* grad, const T* y, T number, T* out, int64_t n);
  void (*softmaxBackwardStreamed)(const T* grad, const T* y, T number, T* out, int64_t n);
  /// grad - exp(y) number, with exp(y) given.
  void (*logSoftmaxBackward)(const T* grad, const T* exponential, T number, T* out, int64_t n);
};

/// Those for this processor.
template <class T>
const RowMath<T>& rowMath();
template <>
const RowMath<float>& rowMath<float>();
template <>
const RowMath<double>& rowMath<double>();

/// Those that every processor has; for tests.
template <class T>
const RowMath<T>& plainRowMath();
template <>
const RowMath<float>& plainRowMath<float>();
template <>
const RowMath<double>& plainRowMath<double>();

}  // namespace descry::runtime
