// The rule language of the op table (docs/op-table.md): syntax trees and their parser.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/support/result.h"

namespace descry::ir {
class OpDef;
class OpRegistry;
}  // namespace descry::ir

namespace descry::ir::rules {

enum class ExprKind : uint8_t {
  None,
  True,
  False,
  Int,
  Float,
  Imaginary,
  Str,
  FString,  ///< kids: parts, to be joined as text
  Ellipsis,
  Local,   ///< slot
  Global,  ///< text: a helper, a built-in, a constant, or a namespace (aten, prims, torch)
  Attribute,
  Call,   ///< kids[0] is the callee; then positional, then keyword arguments (names in `keys`)
  Index,  ///< kids: object, index
  Slice,  ///< kids: start, stop, step
  Unary,  ///< op: - + ~ !
  Binary,
  And,
  Or,
  Compare,  ///< kids[0] ops[0] kids[1] ops[1] ...
  IfElse,   ///< kids: condition, then, else
  List,
  Tuple,
  Dict,           ///< kids: key, value, ...
  Comprehension,  ///< kids: element, iterable, condition (may be absent); targets: slots
  Lambda,         ///< kids[0]: body; targets: slots of the parameters
  Star,           ///< `*xs` among arguments or list items
};

enum class BinaryOp : uint8_t { Add, Sub, Mul, Div, FloorDiv, Mod, Pow, MatMul, And, Or, Xor, Shl, Shr };
enum class CompareOp : uint8_t { Eq, Ne, Lt, Le, Gt, Ge, In, NotIn, Is, IsNot };

/// Where a Call leads, found once (see the interpreter).
struct CallTarget {
  const OpDef* op = nullptr;
  const void* function = nullptr;
  uint8_t known = 0;
};

struct Expr {
  ExprKind kind = ExprKind::None;
  uint8_t op = 0;       ///< BinaryOp, CompareOp of a single comparison, or the character of Unary
  uint16_t height = 1;  ///< of the tree below
  uint32_t line = 0, column = 0;
  int32_t slot = -1;
  int64_t integer = 0;
  double real = 0;
  std::string text;
  std::vector<std::unique_ptr<Expr>> kids;
  std::vector<std::string> keys;    ///< Call: names of the last keys.size() kids
  std::vector<CompareOp> compares;  ///< Compare
  std::vector<int32_t> targets;     ///< Comprehension, Lambda
  mutable CallTarget call;  ///< cache of the interpreter; written once per table, before threads share it
};
using ExprPtr = std::unique_ptr<Expr>;

enum class StmtKind : uint8_t {
  Expr,
  Assign,
  AugAssign,
  If,
  For,
  While,
  Return,
  Break,
  Continue,
  Pass,
  Assert,
  Raise
};

struct Stmt {
  StmtKind kind = StmtKind::Pass;
  BinaryOp op = BinaryOp::Add;  ///< AugAssign
  uint32_t line = 0;
  ExprPtr target;  ///< Assign, AugAssign, For: Local, Tuple of targets, Index
  ExprPtr
      value;  ///< Expr, Assign, AugAssign, If and While (condition), For (iterable), Return, Assert, Raise
  ExprPtr message;
  std::vector<Stmt> body, orElse;
};

struct Parameter {
  std::string name;
  ExprPtr defaultValue;  ///< null: required
  bool star = false;     ///< *args
  bool doubleStar = false;
  bool keywordOnly = false;
};

/// What a rule returns: for checks.
enum class RulePart : uint8_t { Other, Shape, Results, Grad, Tangent };

/// A body with its parameters. Slots: parameters first, then other locals in order of appearance.
struct Function {
  std::string name;
  std::string file;  ///< of the table, for messages
  std::vector<Parameter> params;
  std::vector<Stmt> body;
  std::vector<std::string> locals;  ///< names by slot
  bool python = false;              ///< python meaning of arithmetic and calls, else native
  /// Of a rule that a user declares: of which op, and what part. Null in the op table, whose rules are
  /// tested.
  const OpDef* declared = nullptr;
  RulePart part = RulePart::Other;
  size_t grads = 0;  ///< of a gradient: how many arguments it is of
};

/// How a user's file and the text that was made of it for the reader of the table correspond.
struct Place {
  uint32_t line = 0;
  int32_t shift = 0;  ///< what is to be added to a column
};
/// Moves all places of `function` to those of the user's file; `places` by line.
void place(Function& function, const std::vector<Place>& places);

/// Parses a body whose lines are indented by at least `indent` blanks, or a single expression on one line
/// (`return` is implied then). `names` are the parameters in slot order. Error: `rule-syntax`, with the line
/// in `loc`.
Result<std::shared_ptr<Function>> parseBody(std::string_view text, uint32_t firstLine,
                                            std::vector<std::string> names, std::string_view name,
                                            std::string_view file, bool python, uint32_t firstColumn = 1);
/// Parses `(a, b=1, *args, **kwargs)` and a body.
Result<std::shared_ptr<Function>> parseFunction(std::string_view signature, std::string_view body,
                                                uint32_t firstLine, std::string_view name,
                                                std::string_view file, bool python);

/// True when `name` is read as a value (not only through attributes such as `.dtype` or `.size(i)` that need
/// no contents, also where `helpers` get it whole): then a gradient must save it.
bool readsContents(const Function& function, std::string_view name, const OpRegistry* helpers = nullptr);
/// True when `name.attribute` is read.
bool readsAttribute(const Function& function, std::string_view name, std::string_view attribute);
/// True when `name` occurs at all.
bool mentions(const Function& function, std::string_view name);

}  // namespace descry::ir::rules
