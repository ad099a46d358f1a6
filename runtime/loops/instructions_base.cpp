// Loops of instructions for any processor, and which ones to use.
#include "runtime/loops/generated.h"
#include "runtime/loops/instruction_helpers.h"
#include "runtime/loops/instructions.inc"

namespace descry::runtime {

double logGamma(double x) {
#if defined(__GLIBC__)
  int sign = 0;
  return ::lgamma_r(x, &sign);
#else
  return std::lgamma(x);
#endif
}

template <class T>
float nextOf(float from, float to) {
  if (std::isnan(from) || std::isnan(to)) return std::numeric_limits<float>::quiet_NaN();
  if (from == to) return to;
  T next = from;
  if (from == 0) {
    next.bits = 1;
    if (std::signbit(to)) next.bits |= 0x8000;
  } else {
    // Away from zero the bits grow.
    next.bits = static_cast<uint16_t>(next.bits + ((from < to) == (from > 0) ? 1 : -1));
  }
  return next;
}
template float nextOf<Half>(float, float);
template float nextOf<BFloat16>(float, float);

double mantissaOf(double x) {
  int e = 0;
  return std::frexp(x, &e);
}
float mantissaOf(float x) {
  int e = 0;
  return std::frexp(x, &e);
}
int64_t exponentOf(double x) {
  int e = 0;
  std::frexp(x, &e);
  return std::isfinite(x) ? e : 0;
}

void loopZeroDivision() {
  throw EvalError("zero-division", "ZeroDivisionError");
}

const LoopKernels& loopKernelsBase() {
  static constexpr LoopKernels kernels = {instructionKernel, loadKernel, storeKernel};
  return kernels;
}

#if defined(__x86_64__)
namespace {

const LoopKernels& generatedOrAvx512() {
  static constexpr LoopKernels kernels = {
      [](LoopOp op, LoopType type, LoopType result) {
        const LoopKernel own = generatedKernel(op, type);
        return own ? own : loopKernelsAvx512().instruction(op, type, result);
      },
      [](DType from) { return loopKernelsAvx512().load(from); },
      [](LoopType from, DType to) { return loopKernelsAvx512().store(from, to); }};
  return kernels;
}

}  // namespace
#endif

const LoopKernels& loopKernels() {
#if defined(__x86_64__)
  // Conversions of half precision (F16C), which clang 14 cannot ask for, came before AVX2 in every processor.
  static const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  static const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                             __builtin_cpu_supports("avx512vl");
  if (avx512) return generatedOrAvx512();
  if (avx2) return loopKernelsAvx2();
#endif
  return loopKernelsBase();
}

}  // namespace descry::runtime
