#include <charconv>
#include <cmath>
#include <cstdlib>

#include "importers/fx_text/parser.h"
#include "ir/core/operators.h"
#include "ir/support/python_text.h"

namespace descry::importers::fx {

using ir::Cell;
using ir::OpKind;
using ir::StrId;
using ir::ValueKind;

namespace {

struct BinaryOp {
  std::string_view symbol;
  std::string_view target;  // empty: Python has it, graphs have not
  int precedence;
};

constexpr int kComparison = 4;

/// The binary operator at `s`, longest first.
const BinaryOp* binaryAt(std::string_view s) {
  static constexpr BinaryOp kOps[] = {
      {"**", "operator.pow", 12},   {"//", "operator.floordiv", 10}, {"<<", "operator.lshift", 8},
      {">>", "operator.rshift", 8}, {"==", "operator.eq", 4},        {"!=", "operator.ne", 4},
      {"<=", "operator.le", 4},     {">=", "operator.ge", 4},        {"+", "operator.add", 9},
      {"-", "operator.sub", 9},     {"*", "operator.mul", 10},       {"/", "operator.truediv", 10},
      {"%", "operator.mod", 10},    {"@", "operator.matmul", 10},    {"&", "operator.and_", 7},
      {"^", "operator.xor", 6},     {"|", "operator.or_", 5},        {"<", "operator.lt", 4},
      {">", "operator.gt", 4}};
  for (const BinaryOp& op : kOps)
    if (s.starts_with(op.symbol)) return &op;
  return nullptr;
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

Pending Parser::opaque(const char* from, const char* to) {
  return textValue(ValueKind::Opaque, {from, static_cast<size_t>(to - from)});
}

Cell Parser::asCell(Pending& p) {
  if (!p.isCall) return p.value;
  if (p.op == OpKind::CallFunction) {
    const std::string_view target = ctx_.str(p.target);
    // A size is a list of its content wherever it is an argument.
    if ((target == "torch.Size" || target == "immutable_list") && p.argCount == 1 && p.kwargCount == 0) {
      const Cell inner = scratch_.back();
      scratch_.resize(p.mark);
      return inner;
    }
  }
  const ir::NodeId id = emit(p, madeUpName(ctx_.str(p.target)), {}, ir::kNodeNameMadeUp,
                             statementStart_ ? statementStart_ : p_);
  return Cell::ref(id);
}

Pending Parser::callOf(OpKind op, std::string_view target, std::initializer_list<Cell> args) {
  Pending p;
  p.isCall = true;
  p.op = op;
  p.target = intern(target);
  p.mark = static_cast<uint32_t>(scratch_.size());
  for (const Cell& c : args) push(c);
  p.argCount = static_cast<uint32_t>(args.size());
  return p;
}

Cell Parser::reference(std::string_view name, StrId id) {
  Slot& s = slot(id);
  if (s.epoch == epoch_ && s.node != ir::NodeId::kNone) {
    if (s.deletedLine) misused_.push_back({name, here()});
    return Cell::ref({s.node});
  }
  flushParameters();
  if (bound(id) && slot(id).node != ir::NodeId::kNone) return Cell::ref({slot(id).node});
  const ir::NodeId made = addPlaceholder(name, name, {}, {}, ir::kNodeExternal, p_);
  Slot& fresh = slot(id);
  fresh = Slot{};
  fresh.epoch = epoch_;
  fresh.node = made.index;
  fresh.external = true;
  externals_.push_back(made.index);
  undefined_.push_back({name, here()});
  return Cell::ref(made);
}

Pending Parser::expression(int minPrecedence) {
  if (++nesting_ > kMaxExpressionDepth) {
    fail("expression nested deeper than " + std::to_string(kMaxExpressionDepth), "nested-too-deep");
    --nesting_;
    return {};
  }
  Pending left = unary();
  bool compared = false;
  while (!failed_) {
    skip();
    const char c = peek();
    // The usual end of an operand, before anything is searched.
    if (c == ',' || c == ')' || c == ']' || c == '\n' || c == ';' || c == '=' || c == ':' || c == '}') {
      if (c == '=' && peek(1) == '=') {
      } else {
        break;
      }
    }
    const BinaryOp* op = binaryAt({p_, static_cast<size_t>(end_ - p_)});
    if (!op) break;
    // `x += y` is a statement, not an operand followed by an operator.
    if (op->precedence > 4 && p_ + op->symbol.size() < end_ && p_[op->symbol.size()] == '=') break;
    if (op->precedence < minPrecedence) break;
    const bool comparison = op->precedence == kComparison;
    if (comparison && compared) {
      fail("a chain of comparisons is Python that graphs do not hold", "python-only");
      break;
    }
    compared = comparison;
    p_ += op->symbol.size();
    skip();
    const Cell a = asCell(left);
    // ** binds to the right; all others to the left.
    const bool rightward = op->precedence == 12;
    Pending right = expression(rightward ? op->precedence : op->precedence + 1);
    if (failed_) break;
    const Cell b = asCell(right);
    left = callOf(OpKind::CallFunction, op->target, {a, b});
  }
  --nesting_;
  return left;
}

Pending Parser::unary() {
  skip();
  const char c = peek();
  if (c == '-' || c == '+') {
    ++p_;
    skip();
    if (isDigit(peek()) || (peek() == '.' && isDigit(peek(1)))) {
      Pending n = number(c == '-');
      skip();
      // FX prints pow(-2, x) as `-2 ** x`, which Python would read as -(2 ** x); the graph's meaning counts.
      if (startsWith("**") && peek(2) != '=') {
        const Cell base = n.value;
        p_ += 2;
        Pending e = expression(11);
        const Cell b = asCell(e);
        return callOf(OpKind::CallFunction, "operator.pow", {base, b});
      }
      return n;
    }
    if (++nesting_ > kMaxExpressionDepth) {
      fail("expression nested deeper than " + std::to_string(kMaxExpressionDepth), "nested-too-deep");
      --nesting_;
      return {};
    }
    Pending operand = expression(11);
    --nesting_;
    if (failed_) return operand;
    if (!operand.isCall && operand.value.kind == ValueKind::Float) {
      if (c == '-') operand.value.d = -operand.value.d;
      return operand;
    }
    if (!operand.isCall && operand.value.kind == ValueKind::Int && c == '-' && operand.value.i != INT64_MIN) {
      operand.value.i = -operand.value.i;
      return operand;
    }
    const Cell a = asCell(operand);
    return callOf(OpKind::CallFunction, c == '-' ? "operator.neg" : "operator.pos", {a});
  }
  if (c == '~') {
    ++p_;
    Pending operand = expression(11);
    const Cell a = asCell(operand);
    return callOf(OpKind::CallFunction, "operator.invert", {a});
  }
  if (c == 'n' && startsWith("not ")) {
    p_ += 4;
    Pending operand = expression(4);
    const Cell a = asCell(operand);
    return callOf(OpKind::CallFunction, "operator.not_", {a});
  }
  return postfix();
}

Pending Parser::postfix() {
  Pending head = atom();
  while (!failed_) {
    // No blank before '(' or '[' in printed graphs, but formatters may break lines inside brackets.
    const char c = peek();
    if (c == '[') {
      subscript(head);
    } else if (c == '.' && (head.isCall || !head.plainName)) {
      ++p_;
      const std::string_view attr = identifier();
      if (attr.empty()) {
        fail("expected a name after '.'");
        break;
      }
      const Cell base = asCell(head);
      if (peek() == '(') {
        head = callOf(OpKind::CallMethod, attr, {base});
        arguments(head);
      } else {
        const Cell name = Cell::text(ValueKind::Str, intern(attr));
        head = callOf(OpKind::CallFunction, "builtins.getattr", {base, name});
      }
    } else if (c == '(' && head.isCall && head.op == OpKind::GetAttr) {
      head.op = OpKind::CallModule;  // getattr(self.a, "0")(x)
      head.argCount = 0;
      arguments(head);
    } else {
      break;
    }
  }
  return head;
}

Pending Parser::atom() {
  skip();
  const char c = peek();
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80)
    return nameAtom();
  if (isDigit(c) || (c == '.' && isDigit(peek(1)))) return number(false);
  if (c == '[') return container(']', ValueKind::List);
  if (c == '(') return parenthesised();
  if (c == '{') return dict();
  if (c == '\'' || c == '"') {
    std::string text;
    bool raw = false;
    if (!stringLiteral(text, raw)) return {};
    for (skip(); peek() == '\'' || peek() == '"'; skip())  // adjacent literals are one
      if (!stringLiteral(text, raw)) return {};
    return textValue(ValueKind::Str, text);
  }
  if (startsWith("...[total_len=")) {  // the rest of a list that its printer cut off
    const char* from = p_;
    const size_t close = restOfLine().find(']');
    if (close != std::string_view::npos) {
      p_ += close + 1;
      return opaque(from, p_);
    }
  }
  if (startsWith("...")) {
    p_ += 3;
    return valueOf(Cell::ellipsis());
  }
  if (c == '<') {  // <function f at 0x7f..>: a repr, kept as text
    const char* from = p_;
    int open = 0;
    while (p_ < end_ && *p_ != '\n') {
      if (*p_ == '<') ++open;
      if (*p_ == '>' && --open == 0) {
        ++p_;
        if (startsWith("()")) p_ += 2;
        return opaque(from, p_);
      }
      ++p_;
    }
    p_ = from;
    fail("'<' without '>'");
    return {};
  }
  fail(atEnd()     ? "text ends inside a statement"
       : c == '\n' ? "line ends inside a statement"
                   : std::string("unexpected '") + c + "'");
  return {};
}

Pending Parser::nameAtom() {
  const char* start = p_;
  const std::string_view name = dottedName();
  if (failed_) return {};

  // String prefixes: r'..', b'..'.
  if ((peek() == '\'' || peek() == '"') && name.size() <= 2 &&
      name.find_first_not_of("rRbBuUfF") == std::string_view::npos) {
    bool raw = name.find_first_of("rR") != std::string_view::npos;
    std::string text;
    if (!stringLiteral(text, raw)) return {};
    if (name.find_first_of("bBfF") != std::string_view::npos) return opaque(start, p_);
    return textValue(ValueKind::Str, text);
  }

  const bool isCall = peek() == '(';
  if (name == "Parameter" && startsWith(" containing:")) return parameterConstant(start);
  if (name.starts_with("torch.")) {
    if (!isCall) {
      const std::string_view rest = name.substr(6);
      if (rest.starts_with("ops.")) return textValue(ValueKind::OpRef, name);
      if (rest.find('.') == std::string_view::npos) {
        if (ir::dtypeFromTorchName(rest) != ir::DType::Unknown) return textValue(ValueKind::Dtype, name);
        if (rest == "strided" || rest.starts_with("sparse_") || rest == "jagged" || rest == "_mkldnn")
          return textValue(ValueKind::Layout, name);
        if (rest == "contiguous_format" || rest == "preserve_format" || rest.starts_with("channels_last"))
          return textValue(ValueKind::MemoryFormat, name);
        if (rest == "inf") return valueOf(Cell::real(HUGE_VAL));
      }
      return textValue(ValueKind::Opaque, name);
    }
    if (name == "torch.device" || name == "torch.Tensor") {
      bool literal = false;
      Pending p = literalCall(name.substr(6), start, literal);
      if (literal || failed_) return p;
    }
    Pending p = callOf(OpKind::CallFunction, name, {});
    arguments(p);
    return p;
  }

  const size_t dot = name.find('.');
  const std::string_view head = name.substr(0, dot);
  if (head == "self") {
    if (dot == std::string_view::npos) {
      Pending p = opaque(start, p_);
      return p;
    }
    if (isCall) {
      Pending p = callOf(OpKind::CallModule, name.substr(5), {});
      arguments(p);
      return p;
    }
    return callOf(OpKind::GetAttr, name.substr(5), {});
  }

  const StrId id = intern(head);
  const bool isValue = bound(id) && slot(id).node != ir::NodeId::kNone;
  if (dot == std::string_view::npos && !isCall) {
    if (!isValue) {
      switch (name.size()) {
        case 3:
          if (name == "inf") return valueOf(Cell::real(HUGE_VAL));
          if (name == "nan") return valueOf(Cell::real(NAN));
          break;
        case 4:
          if (name == "None") return valueOf(Cell::none());
          if (name == "True") return valueOf(Cell::boolean(true));
          break;
        case 5:
          if (name == "False") return valueOf(Cell::boolean(false));
          break;
        case 8:
          if (name == "Ellipsis") return valueOf(Cell::ellipsis());
          if (name == "NoneType") return opaque(start, p_);
          break;
        default:
          break;
      }
      if (name == "and" || name == "or" || name == "if" || name == "else" || name == "lambda" ||
          name == "for" || name == "in" || name == "is" || name == "await" || name == "yield") {
        p_ = start;
        fail("'" + std::string(name) + "' is Python that graphs do not hold");
        return {};
      }
    }
    Pending p = valueOf(reference(name, id));
    p.plainName = true;
    p.name = id;
    return p;
  }

  if (isValue || (dot != std::string_view::npos && parametersPending_ && [&] {
        flushParameters();
        return bound(id) && slot(id).node != ir::NodeId::kNone;
      }())) {
    const Cell base = reference(head, id);
    if (isCall && dot != std::string_view::npos) {
      Pending p = callOf(OpKind::CallMethod, name.substr(dot + 1), {base});
      arguments(p);
      return p;
    }
    if (isCall) {  // a value called: `fn(x)`; keep the edge to it
      Pending p = callOf(OpKind::CallMethod, "__call__", {base});
      arguments(p);
      return p;
    }
    const Cell attr = Cell::text(ValueKind::Str, intern(name.substr(dot + 1)));
    return callOf(OpKind::CallFunction, "builtins.getattr", {base, attr});
  }

  if (isCall) {
    if (name == "getattr") return getattrCall();
    bool literal = false;
    Pending value = literalCall(name, start, literal);
    if (literal || failed_) return value;
    std::string target(name);
    // Generated globals have '_' for '.'.
    if (name.starts_with("_operator_"))
      target = "operator." + std::string(name.substr(10));
    else if (name.starts_with("math_"))
      target = "math." + std::string(name.substr(5));
    Pending p = callOf(OpKind::CallFunction, target, {});
    arguments(p);
    if (failed_ || depth_ == 0) return p;
    // An unknown constructor among arguments (`Name(1, 2)`) is a value unless it uses nodes.
    bool usesNodes = name.find('.') != std::string_view::npos &&
                     (name.starts_with("operator.") || name.starts_with("math."));
    const uint32_t cells = p.argCount + 2 * p.kwargCount;
    for (uint32_t i = 0; i < cells && !usesNodes; ++i) {
      const Cell& c = scratch_[p.mark + i];
      usesNodes = c.kind == ValueKind::NodeRef || c.isContainer();
    }
    if (!usesNodes) {
      scratch_.resize(p.mark);
      return opaque(start, p_);
    }
    return p;
  }
  if (name == "math.inf") return valueOf(Cell::real(HUGE_VAL));
  if (name == "math.nan") return valueOf(Cell::real(NAN));
  if (dot != std::string_view::npos) return opaque(start, p_);  // Name.MEMBER
  return valueOf(reference(name, id));
}

/// `(a, b, key = c)` behind a head whose first arguments may be on the stack already.
void Parser::arguments(Pending& into) {
  ++p_;
  ++depth_;
  while (!failed_) {
    skip();
    const char c = peek();
    if (c == ')') break;
    if (c == '*') {
      fail("arguments unpacked by '*' are Python that graphs do not hold", "python-only");
      break;
    }
    {
      const Place from = place();
      const std::string_view key = identifier();
      bool keyword = false;
      if (!key.empty()) {
        skip();
        keyword = peek() == '=' && peek(1) != '=';
      }
      if (keyword) {
        ++p_;
        push(Cell::text(ValueKind::Str, intern(key)));
        Pending p = expression();
        if (failed_) break;
        push(asCell(p));
        ++into.kwargCount;
      } else if (StrId id; !into.kwargCount && (peek() == ',' || peek() == ')') && valueNamed(key, id)) {
        push(reference(key, id));  // nearly every argument
        ++into.argCount;
      } else {
        restore(from);
        if (into.kwargCount) {
          fail("positional argument behind a keyword argument", "argument-order");
          break;
        }
        Pending p = expression();
        if (failed_) break;
        push(asCell(p));
        ++into.argCount;
      }
    }
    skip();
    if (peek() == ',')
      ++p_;
    else if (peek() != ')')
      fail(atEnd() ? "text ends inside the arguments" : "expected ',' or ')'");
  }
  if (!failed_) ++p_;
  --depth_;
}

Cell Parser::subscriptItem() {
  skip();
  Cell parts[3] = {Cell::none(), Cell::none(), Cell::none()};
  int at = 0;
  bool colon = false;
  while (!failed_) {
    skip();
    const char c = peek();
    if (c == ':') {
      colon = true;
      ++p_;
      if (++at > 2) fail("too many ':' in a subscript");
    } else if (c == ']' || c == ',') {
      break;
    } else {
      Pending p = expression();
      if (failed_) break;
      parts[at] = asCell(p);
    }
  }
  if (!colon) return parts[0];
  return Cell::container(ValueKind::Slice, 3, g_->pushCells(parts, 3));
}

void Parser::subscript(Pending& base) {
  const Cell b = asCell(base);
  ++p_;
  ++depth_;
  const uint32_t mark = static_cast<uint32_t>(scratch_.size());
  bool tuple = false;
  while (!failed_) {
    skip();
    if (peek() == ']') break;
    push(subscriptItem());
    skip();
    if (peek() == ',') {
      tuple = true;
      ++p_;
    } else if (peek() != ']') {
      fail("expected ',' or ']'");
    }
  }
  const uint32_t count = static_cast<uint32_t>(scratch_.size()) - mark;
  if (!failed_ && count == 0) fail("empty subscript");
  if (failed_) {
    --depth_;
    scratch_.resize(mark);
    return;
  }
  ++p_;
  --depth_;
  Cell index = scratch_[mark];
  if (tuple || count > 1)
    index = Cell::container(ValueKind::Tuple, count, g_->pushCells(scratch_.data() + mark, count));
  scratch_.resize(mark);
  base = callOf(OpKind::CallFunction, "operator.getitem", {b, index});
}

}  // namespace descry::importers::fx
