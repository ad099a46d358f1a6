// Loops of instructions for processors with AVX-512.
#include "runtime/loops/instruction_helpers.h"

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma,f16c"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,fma,f16c,prefer-vector-width=512")
#endif
#define DESCRY_LOOPS_F16C
#include "runtime/loops/instructions.inc"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace descry::runtime {

const LoopKernels& loopKernelsAvx512() {
  static constexpr LoopKernels kernels = {instructionKernel, loadKernel, storeKernel};
  return kernels;
}

}  // namespace descry::runtime
#endif
