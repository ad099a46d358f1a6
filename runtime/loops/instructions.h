// The loops that instructions of programs run: one over the elements of a tile each.
#pragma once

#include "runtime/loops/program.h"

namespace descry::runtime {

/// Operands that an instruction lacks are null.
using LoopKernel = void (*)(void* out, const void* a, const void* b, const void* c, int64_t n);
using LoopLoad = void (*)(void* out, const std::byte* from, int64_t step, int64_t n);  ///< step in bytes
using LoopStore = void (*)(std::byte* to, int64_t step, const void* a, int64_t n);

struct LoopKernels {
  /// Null when there is no form for the type.
  LoopKernel (*instruction)(LoopOp op, LoopType type, LoopType result);
  LoopLoad (*load)(DType from);  ///< to the type of loopTypeOf
  LoopStore (*store)(LoopType from, DType to);
};
/// Those for the processor that this runs on.
const LoopKernels& loopKernels();
const LoopKernels& loopKernelsBase();
#if defined(__x86_64__)
const LoopKernels& loopKernelsAvx2();
const LoopKernels& loopKernelsAvx512();
#endif

[[noreturn]] void loopZeroDivision();

}  // namespace descry::runtime
