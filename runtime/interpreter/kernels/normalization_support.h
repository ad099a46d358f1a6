// What the kernels of normalization share.
#pragma once

#include "runtime/interpreter/kernels/numeric.h"

namespace descry::runtime::normalizing {

/// Several sums at once hide the time of one addition. Kept in double, so that long rows lose nothing.
template <class F>
double sumOf(int64_t n, F&& f) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += f(i);
    s1 += f(i + 1);
    s2 += f(i + 2);
    s3 += f(i + 3);
  }
  for (; i < n; ++i) s0 += f(i);
  return (s0 + s1) + (s2 + s3);
}

struct Moments {
  double mean = 0, squares = 0;  ///< squares: the sum of squared distances from the mean
};
template <class T>
Moments momentsOf(const T* x, int64_t n) {
  Moments m;
  m.mean = sumOf(n, [&](int64_t i) { return static_cast<double>(x[i]); }) / static_cast<double>(n);
  m.squares = sumOf(n, [&](int64_t i) {
    const double d = static_cast<double>(x[i]) - m.mean;
    return d * d;
  });
  return m;
}

/// An argument's elements, or null when it is not given.
template <class T>
const T* optional(Call& c, std::string_view name, DType dtype, int64_t count) {
  if (!c.knows(name) || !c.given(name)) return nullptr;
  const View v = c.dense(name, dtype);
  if (v.numel() != count)
    throw EvalError("shape-mismatch", "Expected " + std::string(name) + " to have " + std::to_string(count) +
                                          " elements, but got " + std::to_string(v.numel()));
  return v.as<T>();
}

/// Writes numbers of double to a result of any dtype; an empty result takes nothing.
inline void storeResult(Call& c, size_t result, const std::vector<double>& values) {
  if (!c.has(result)) return;
  const View out = c.out(result);
  if (out.numel() != static_cast<int64_t>(values.size())) return;
  const TensorRef fresh = allocate(out.sizes, DType::F64);
  std::copy(values.begin(), values.end(), viewOf(*fresh).as<double>());
  copyElements(out, viewOf(*fresh));
}

}  // namespace descry::runtime::normalizing

namespace descry::runtime {
void addBatchNormKernels(KernelTable& table);
}
