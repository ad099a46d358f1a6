// Carries out ops as if every float were float64 and every complex number complex128: what a graph would give
// with hardly any rounding.
#pragma once

#include "runtime/interpreter/machine.h"

namespace descry::runtime {

/// F64 of floats, C128 of complex dtypes, others as they are.
DType wideDType(DType dtype);
/// A copy in the wide dtype; the tensor itself where it has it already.
TensorRef widened(const TensorRef& t);
/// The same of all tensors in a value, and of dtypes.
Value widened(const Value& v);

/// Dtype arguments are raised too: `to(x, float16)` does not round. What ops make of integers, or of nothing,
/// in the default dtype is raised as well. Ops that look at the bits of floats cannot be raised: the caller
/// gives their values otherwise (readsBits).
class WideMachine : public Machine {
 public:
  using Machine::call;
  using Machine::Machine;
  Value call(const OpDef& op, Values args) override;
  bool special(std::string_view name, Values& args, Value& result) override;
};

/// Why the op cannot be computed in wider numbers: its result is made of the bits of its argument, or of
/// random ones; empty when it can.
std::string notRaised(const OpDef& op);

}  // namespace descry::runtime
