// What the rule language brings along: built-in functions, attributes and methods of plain values, number
// arithmetic.
#pragma once

#include <string>
#include <string_view>

#include "ir/ops/eval/interpreter.h"

namespace descry::ir::eval {

struct Builtin {
  std::string_view name;
  Value (*call)(Interpreter&, Values& args, Keywords& keywords);
};
/// -1 when there is none.
int64_t findBuiltin(std::string_view name);
const Builtin& builtinAt(int64_t id);
/// Shape rules (shape_rules.cpp, tensor_rules.cpp) and plain functions (builtins.cpp).
const std::vector<Builtin>& plainBuiltins();
const std::vector<Builtin>& shapeBuiltins();

/// `torch.float32`, `inf`, `torch.channels_last`, `math.pi`.
bool constantNamed(std::string_view name, Value& out);
/// As Python's str().
std::string textOf(const Value& v);

Value numberBinary(rules::BinaryOp op, const Value& a, const Value& b);
Value tensorBinary(Interpreter& in, rules::BinaryOp op, const Value& a, const Value& b, bool python);

bool tensorAttribute(Interpreter& in, const Value& tensor, std::string_view name, Value& out);
bool tensorMethod(const Value& tensor, std::string_view name, Values& args, const Keywords& keywords,
                  Value& out);
bool plainAttribute(const Value& object, std::string_view name, Value& out);
Value plainMethod(Interpreter& in, const Value& object, std::string_view name, Values& args, bool& known);

/// The argument of a built-in; throws `rule-error` when it is missing.
const Value& argumentAt(const Values& args, size_t i);
/// What a loop over a list, a tuple or the keys of a dict goes through; throws `rule-error` for all else.
Values elementsOf(const Value& v);
/// The argument at `at` or by keyword, or None.
Value argument(const Values& args, const Keywords& keywords, size_t at, std::string_view name);

}  // namespace descry::ir::eval
