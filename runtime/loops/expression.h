// Scalar expressions of the op table (docs/op-table.md) as instructions of a loop program.
#pragma once

#include <variant>

#include "ir/ops/registry.h"
#include "ir/ops/rules/rule.h"
#include "runtime/loops/program.h"

namespace descry::runtime {

/// What a name of an expression stands for: a register, a text, or None.
struct LoopOperand {
  LoopRegister value = kNoRegister;
  std::string_view text;  ///< when there is no register: a text; None has no data
  bool isNone() const { return value == kNoRegister && text.data() == nullptr; }
};

/// Writes the value of `function` of `arguments` and returns its register. Choices by what is known while
/// building are made; others become selects, loops run under masks. `largest`: the greatest number of the
/// dtype that is computed in. Throws EvalError `rule-error` when the expression does not fit,
/// `unsupported-dtype` where its functions have no form for the types.
LoopRegister writeExpression(LoopBuilder& builder, const ir::rules::Function& function,
                             std::vector<LoopOperand> arguments, const ir::OpRegistry& helpers,
                             DType computed);

}  // namespace descry::runtime
