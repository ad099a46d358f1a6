// How many operations of floating-point arithmetic an op does: for roofs and bounds of what was measured.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/ops/eval/interpreter.h"

namespace descry::ir::eval {

/// `args` in the order of the schema, `result` what the op gives; of tensors their metas count. By the rule
/// `flops:` of the op's entry (products, convolutions, attention: as PyTorch's flop counter has it); else one
/// for each operation of its scalar expression and element, one for each element that a reduction reads, none
/// for views and copies. Nothing where none of these is known.
std::optional<int64_t> flopsOf(Interpreter& rules, const OpDef& op, const Values& args, const Value& result);

}  // namespace descry::ir::eval
