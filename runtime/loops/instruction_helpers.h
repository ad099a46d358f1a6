// What instructions.inc needs, included ahead of the choice of a processor.
#pragma once

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "ir/ops/eval/special_functions.h"
#include "runtime/loops/instructions.h"

// Vector forms of functions of the C library, for calls in loops. GCC knows how to use them.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__OPTIMIZE__) && \
    defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define DESCRY_X(NAME, CALL)                                                     \
  extern "C" __attribute__((simd("notinbranch"))) float CALL##f(float) noexcept; \
  extern "C" __attribute__((simd("notinbranch"))) double CALL(double) noexcept;
DESCRY_LOOP_VECTOR_MATH(DESCRY_X)
#undef DESCRY_X
#define DESCRY_X(CALL)                                                                  \
  extern "C" __attribute__((simd("notinbranch"))) float CALL##f(float, float) noexcept; \
  extern "C" __attribute__((simd("notinbranch"))) double CALL(double, double) noexcept;
DESCRY_X(pow)
DESCRY_X(atan2)
DESCRY_X(hypot)
#undef DESCRY_X
#endif
#endif

namespace descry::runtime {

/// Thread-safe: the sign that lgamma keeps aside is not.
double logGamma(double x);
/// The next number of a 16-bit float.
template <class T>
float nextOf(float from, float to);
extern template float nextOf<Half>(float, float);
extern template float nextOf<BFloat16>(float, float);
double mantissaOf(double x);
float mantissaOf(float x);
int64_t exponentOf(double x);  ///< of frexp; 0 for what is not finite

}  // namespace descry::runtime
