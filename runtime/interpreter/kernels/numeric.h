// Small things that the numeric kernels share.
#pragma once

#include "runtime/core/gemm.h"
#include "runtime/interpreter/machine.h"

namespace descry::runtime {

inline bool isComplexType(DType dtype) {
  return ir::dtypeInfo(dtype).complex;
}
inline bool isFloatType(DType dtype) {
  return ir::dtypeInfo(dtype).floating;
}
inline bool isIntegralType(DType dtype) {
  return !isComplexType(dtype) && !isFloatType(dtype);
}
/// What kernels compute in: half precision in float.
inline DType computeType(DType dtype) {
  return isFloatType(dtype) && itemBytes(dtype) < 4 ? DType::F32 : dtype;
}

/// Calls f with float or double, whichever `dtype` is computed in. Throws `unsupported-dtype`: `what` not
/// implemented for the others.
template <class F>
void visitComputed(DType dtype, std::string_view what, F&& f) {
  switch (computeType(dtype)) {
    case DType::F64:
      return f(TypeTag<double>{});
    case DType::F32:
      return f(TypeTag<float>{});
    default:
      unsupportedDType(dtype, what);
  }
}

/// The product of the sizes of the dimensions [from, to).
inline int64_t extentOf(const Dims& sizes, size_t from, size_t to) {
  int64_t n = 1;
  for (size_t d = from; d < to; ++d) n *= sizes[d];
  return n;
}

/// How many steps of `cost` operations are worth a thread of their own.
inline int64_t grainOf(int64_t cost) {
  return std::max<int64_t>(1, 32768 / std::max<int64_t>(cost, 1));
}

}  // namespace descry::runtime
