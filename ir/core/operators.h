// Python operators that FX prints in infix form, and the pseudo targets of statements that are no calls.
#pragma once

#include <cstdint>
#include <string_view>

namespace descry::ir {

struct OperatorForm {
  std::string_view name;    ///< "add": the target is `operator.add`
  std::string_view symbol;  ///< "+"
  uint8_t arity;
  bool inPlace = false;  ///< printed as a statement of its own: `x += y;  iadd = x`
};

/// Null for operators that FX prints as a call (`_operator_not_`).
const OperatorForm* findOperator(std::string_view name);

/// `y = 5` or `y = [a, b]`: the result is the only argument.
inline constexpr std::string_view kLiteralTarget = "<literal>";
/// A statement that could not be read: its text is the first argument, the values it mentions are the others.
inline constexpr std::string_view kUnparsedTarget = "<unparsed>";

}  // namespace descry::ir
