// The value of one element of a pointwise op, by the scalar expression of its entry in the op table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/ops/eval/value.h"

namespace descry::ir {
class OpDef;
}

namespace descry::ir::eval {

/// `args`: one number per tensor or number in the order of the schema, texts and None as they are; missing
/// ones have their defaults. They are of the dtype that the op computes in: it is for the caller to promote
/// them before, and to cast the result to the op's dtype. Integers are of 64 bits and wrap. Throws
/// `no-scalar` when the op has no expression, `rule-error` when the expression does not fit the arguments.
Value elementOf(const OpDef& op, Values args);

/// The op whose expression serves: itself, or the one without writes. Null when there is none.
const OpDef* elementRule(const OpDef& op);

/// The functions that scalar expressions may call, by name; for documentation and checks.
std::vector<std::string_view> elementFunctions();

}  // namespace descry::ir::eval
