// The scalar expressions of ops as parts of loop programs, for fusing several.
#pragma once

#include <functional>

#include "ir/ops/registry.h"
#include "runtime/core/tensor.h"
#include "runtime/loops/program.h"

namespace descry::runtime {

/// Where the operands of an op come from, by the position of the argument.
struct PointwiseOperands {
  std::function<LoopRegister(size_t)> tensor;  ///< elements as a tensor of its dtype holds them
  /// A number, converted to a dtype first (pointwiseNumber).
  std::function<LoopRegister(size_t, LoopType, DType)> number;
};

/// Writes the value of a pointwise op into a program. `out`: dtype of its result; the register may still be
/// of another type. Tensors must not be conjugate or negative views.
LoopRegister writePointwise(LoopBuilder& builder, const OpDef& op, const Values& args, DType out,
                            const PointwiseOperands& from);
/// A value as it is once it was stored in a tensor of this dtype. No 8-bit floats and unsigned integers of
/// more than 8 bits.
LoopRegister asStored(LoopBuilder& builder, LoopRegister r, DType dtype);
LoopNumber pointwiseNumber(LoopType type, DType through, const Value& number);

/// The program of the op alone; null where its value is one of its arguments. Only metas of tensors are
/// looked at. Throws EvalError where the op has no form for these arguments.
const LoopProgram* pointwiseProgram(const OpDef& op, const Values& args, DType out);

}  // namespace descry::runtime
