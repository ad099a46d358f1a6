#include "runtime/core/rows.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace descry::runtime {

namespace {

namespace base {
#include "runtime/core/rows.inc"
}  // namespace base

#if defined(__x86_64__)
namespace avx2 {
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
#include "runtime/core/rows.inc"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
}  // namespace avx2

namespace avx512 {
#define DESCRY_ROWS_512
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,fma,prefer-vector-width=512")
#endif
#include "runtime/core/rows.inc"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
}  // namespace avx512

int kind() {
  static const int k = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? 2
                       : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")       ? 1
                                                                                               : 0;
  return k;
}
#endif

template <class T>
const RowMath<T>& chosen() {
#if defined(__x86_64__)
  if (kind() == 2) return avx512::kMath<T>;
  if (kind() == 1) return avx2::kMath<T>;
#endif
  return base::kMath<T>;
}

}  // namespace

template <>
const RowMath<float>& rowMath<float>() {
  return chosen<float>();
}
template <>
const RowMath<double>& rowMath<double>() {
  return chosen<double>();
}
template <>
const RowMath<float>& plainRowMath<float>() {
  return base::kMath<float>;
}
template <>
const RowMath<double>& plainRowMath<double>() {
  return base::kMath<double>;
}

}  // namespace descry::runtime
