#include "ir/ops/rules/expressions.h"

#include <cstdlib>

namespace descry::ir::rules {

ExprPtr ExpressionParser::expressionList() {
  ExprPtr first = starOr();
  if (!is(",")) return first;
  ExprPtr tuple = make(ExprKind::Tuple);
  adopt(*tuple, std::move(first));
  while (accept(",")) {
    if (kind() == Tok::Newline || kind() == Tok::End || is("=") || is(")")) break;
    adopt(*tuple, starOr());
  }
  return tuple;
}

ExprPtr ExpressionParser::starOr() {
  if (accept("*")) {
    ExprPtr e = make(ExprKind::Star);
    adopt(*e, expression());
    return e;
  }
  return expression();
}

ExprPtr ExpressionParser::expression() {
  const Nested nested(*this);
  return ternary();
}

ExprPtr ExpressionParser::ternary() {
  if (acceptWord("lambda")) {
    ExprPtr e = make(ExprKind::Lambda);
    while (!is(":")) {
      e->targets.push_back(slotOf(name(), true));
      if (!accept(",")) break;
    }
    expect(":");
    adopt(*e, expression());
    return e;
  }
  ExprPtr e = orTest();
  if (acceptWord("if")) {
    ExprPtr out = make(ExprKind::IfElse);
    adopt(*out, orTest());
    if (!acceptWord("else")) fail("expected 'else'");
    adopt(*out, std::move(e));
    adopt(*out, expression());
    return out;
  }
  return e;
}

ExprPtr ExpressionParser::orTest() {
  ExprPtr e = andTest();
  while (acceptWord("or")) {
    ExprPtr out = make(ExprKind::Or);
    adopt(*out, std::move(e));
    adopt(*out, andTest());
    e = std::move(out);
  }
  return e;
}

ExprPtr ExpressionParser::andTest() {
  ExprPtr e = notTest();
  while (acceptWord("and")) {
    ExprPtr out = make(ExprKind::And);
    adopt(*out, std::move(e));
    adopt(*out, notTest());
    e = std::move(out);
  }
  return e;
}

ExprPtr ExpressionParser::notTest() {
  if (acceptWord("not")) {
    const Nested nested(*this);
    ExprPtr out = make(ExprKind::Unary);
    out->op = '!';
    adopt(*out, notTest());
    return out;
  }
  return comparison();
}

bool ExpressionParser::compareOp(CompareOp& op) {
  static const std::pair<std::string_view, CompareOp> kOps[] = {{"==", CompareOp::Eq}, {"!=", CompareOp::Ne},
                                                                {"<=", CompareOp::Le}, {">=", CompareOp::Ge},
                                                                {"<", CompareOp::Lt},  {">", CompareOp::Gt}};
  for (const auto& [text, o] : kOps)
    if (accept(text)) return op = o, true;
  if (acceptWord("in")) return op = CompareOp::In, true;
  if (isWord("not") && peek(1).kind == Tok::Name && peek(1).text == "in") {
    at_ += 2;
    return op = CompareOp::NotIn, true;
  }
  if (acceptWord("is")) return op = acceptWord("not") ? CompareOp::IsNot : CompareOp::Is, true;
  return false;
}

ExprPtr ExpressionParser::comparison() {
  ExprPtr e = binary(0);
  CompareOp op;
  if (!compareOp(op)) return e;
  ExprPtr out = make(ExprKind::Compare);
  adopt(*out, std::move(e));
  do {
    out->compares.push_back(op);
    adopt(*out, binary(0));
  } while (compareOp(op));
  return out;
}

ExprPtr ExpressionParser::binary(int level) {
  struct Level {
    std::string_view text;
    BinaryOp op;
    int level;
  };
  static const Level kLevels[] = {
      {"|", BinaryOp::Or, 0},        {"^", BinaryOp::Xor, 1},  {"&", BinaryOp::And, 2},
      {"<<", BinaryOp::Shl, 3},      {">>", BinaryOp::Shr, 3}, {"+", BinaryOp::Add, 4},
      {"-", BinaryOp::Sub, 4},       {"*", BinaryOp::Mul, 5},  {"/", BinaryOp::Div, 5},
      {"//", BinaryOp::FloorDiv, 5}, {"%", BinaryOp::Mod, 5},  {"@", BinaryOp::MatMul, 5}};
  if (level > 5) return unary();
  ExprPtr e = binary(level + 1);
  while (true) {
    const Level* found = nullptr;
    if (kind() == Tok::Op)
      for (const Level& l : kLevels)
        if (l.level == level && peek().text == l.text) found = &l;
    if (!found) return e;
    ExprPtr out = make(ExprKind::Binary);
    ++at_;
    out->op = static_cast<uint8_t>(found->op);
    adopt(*out, std::move(e));
    adopt(*out, binary(level + 1));
    e = std::move(out);
  }
}

ExprPtr ExpressionParser::unary() {
  if (is("-") || is("+") || is("~")) {
    const Nested nested(*this);
    ExprPtr out = make(ExprKind::Unary);
    out->op = static_cast<uint8_t>(tokens_[at_++].text[0]);
    adopt(*out, unary());
    // A literal keeps its sign: -1 is a number, not an operation.
    Expr& kid = *out->kids[0];
    if (out->op == '-' && (kid.kind == ExprKind::Int || kid.kind == ExprKind::Float)) {
      kid.integer = -kid.integer;
      kid.real = -kid.real;
      return std::move(out->kids[0]);
    }
    return out;
  }
  ExprPtr e = postfix();
  if (accept("**")) {
    const Nested nested(*this);
    ExprPtr out = make(ExprKind::Binary);
    out->op = static_cast<uint8_t>(BinaryOp::Pow);
    adopt(*out, std::move(e));
    adopt(*out, unary());
    return out;
  }
  return e;
}

ExprPtr ExpressionParser::postfix() {
  ExprPtr e = atom();
  while (true) {
    if (accept(".")) {
      ExprPtr out = make(ExprKind::Attribute);
      out->text = name();
      adopt(*out, std::move(e));
      e = std::move(out);
    } else if (accept("(")) {
      ExprPtr out = make(ExprKind::Call);
      adopt(*out, std::move(e));
      callArguments(*out);
      e = std::move(out);
    } else if (accept("[")) {
      ExprPtr out = make(ExprKind::Index);
      adopt(*out, std::move(e));
      ExprPtr first = subscript();
      if (is(",")) {
        ExprPtr tuple = make(ExprKind::Tuple);
        adopt(*tuple, std::move(first));
        while (accept(",")) {
          if (is("]")) break;
          adopt(*tuple, subscript());
        }
        first = std::move(tuple);
      }
      adopt(*out, std::move(first));
      expect("]");
      e = std::move(out);
    } else {
      return e;
    }
  }
}

void ExpressionParser::callArguments(Expr& call) {
  while (!is(")")) {
    if (kind() == Tok::Name && peek(1).kind == Tok::Op && peek(1).text == "=") {
      call.keys.push_back(name());
      ++at_;
      adopt(call, expression());
    } else {
      if (!call.keys.empty() && !is("*")) fail("a positional argument follows a keyword argument");
      ExprPtr e = starOr();
      if (isWord("for")) e = comprehension(std::move(e));
      adopt(call, std::move(e));
    }
    if (!accept(",")) break;
  }
  expect(")");
}

ExprPtr ExpressionParser::subscript() {
  ExprPtr start;
  if (!is(":")) {
    start = expression();
    if (!is(":")) return start;
  }
  ExprPtr out = make(ExprKind::Slice);
  ExprPtr parts[3];
  parts[0] = std::move(start);
  expect(":");
  if (!is(":") && !is("]") && !is(",")) parts[1] = expression();
  if (accept(":") && !is("]") && !is(",")) parts[2] = expression();
  for (ExprPtr& k : parts) adopt(*out, k ? std::move(k) : make(ExprKind::None));
  return out;
}

ExprPtr ExpressionParser::comprehension(ExprPtr element) {
  ExprPtr out = make(ExprKind::Comprehension);
  if (!acceptWord("for")) fail("expected 'for'");
  do {
    out->targets.push_back(slotOf(name(), true));
  } while (accept(","));
  if (!acceptWord("in")) fail("expected 'in'");
  adopt(*out, std::move(element));
  adopt(*out, orTest());
  if (acceptWord("if")) adopt(*out, orTest());
  return out;
}

ExprPtr ExpressionParser::atom() {
  const Token& t = peek();
  switch (t.kind) {
    case Tok::Int: {
      ExprPtr e = make(ExprKind::Int);
      e->integer = std::strtoll(t.text.c_str(), nullptr, 10);
      ++at_;
      return e;
    }
    case Tok::Float:
    case Tok::Imaginary: {
      ExprPtr e = make(t.kind == Tok::Float ? ExprKind::Float : ExprKind::Imaginary);
      e->real = std::strtod(t.text.c_str(), nullptr);
      ++at_;
      return e;
    }
    case Tok::Str: {
      ExprPtr e = make(ExprKind::Str);
      e->text = t.text;
      ++at_;
      while (kind() == Tok::Str) e->text += tokens_[at_++].text;
      return e;
    }
    case Tok::FStr: {
      ExprPtr e = formatted(t.text);
      ++at_;
      return e;
    }
    case Tok::Name:
      return word();
    case Tok::Op:
      break;
    default:
      fail("expected an expression");
  }
  if (accept("...")) return make(ExprKind::Ellipsis);
  if (accept("(")) {
    if (accept(")")) return make(ExprKind::Tuple);
    ExprPtr e = starOr();
    if (isWord("for")) e = comprehension(std::move(e));
    if (is(",")) {
      ExprPtr tuple = make(ExprKind::Tuple);
      adopt(*tuple, std::move(e));
      while (accept(",")) {
        if (is(")")) break;
        adopt(*tuple, starOr());
      }
      e = std::move(tuple);
    }
    expect(")");
    return e;
  }
  if (accept("[")) {
    ExprPtr list = make(ExprKind::List);
    while (!is("]")) {
      ExprPtr e = starOr();
      if (isWord("for")) {
        e = comprehension(std::move(e));
        expect("]");
        return e;
      }
      adopt(*list, std::move(e));
      if (!accept(",")) break;
    }
    expect("]");
    return list;
  }
  if (accept("{")) {
    ExprPtr dict = make(ExprKind::Dict);
    while (!is("}")) {
      adopt(*dict, expression());
      expect(":");
      adopt(*dict, expression());
      if (!accept(",")) break;
    }
    expect("}");
    return dict;
  }
  fail("expected an expression, found '" + t.text + "'");
}

ExprPtr ExpressionParser::word() {
  const std::string text = peek().text;
  if (text == "None" || text == "True" || text == "False") {
    ExprPtr e = make(text == "None" ? ExprKind::None : text == "True" ? ExprKind::True : ExprKind::False);
    ++at_;
    return e;
  }
  static constexpr std::string_view kReserved[] = {"if",     "else", "elif", "for", "in",  "while",
                                                   "return", "and",  "or",   "is",  "not", "lambda"};
  for (std::string_view r : kReserved)
    if (text == r) fail("expected an expression, found '" + text + "'");
  const int32_t slot = slotOf(text, false);
  ExprPtr e = make(slot >= 0 ? ExprKind::Local : ExprKind::Global);
  e->slot = slot;
  e->text = text;
  ++at_;
  return e;
}

ExprPtr ExpressionParser::formatted(const std::string& text) {
  ExprPtr out = make(ExprKind::FString);
  std::string part;
  const auto flush = [&] {
    if (part.empty()) return;
    ExprPtr e = make(ExprKind::Str);
    e->text = std::move(part);
    part.clear();
    adopt(*out, std::move(e));
  };
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' && i + 1 < text.size() && text[i + 1] != '{') {
      size_t close = i + 1;
      int depth = 1;
      while (close < text.size() && (depth += text[close] == '{' ? 1 : text[close] == '}' ? -1 : 0)) ++close;
      flush();
      std::vector<Token> inner =
          tokenize(std::string_view(text).substr(i + 1, close - i - 1), line(), peek().column);
      inner.swap(tokens_);
      const size_t keep = at_;
      at_ = 0;
      adopt(*out, expression());
      inner.swap(tokens_);
      at_ = keep;
      i = close;
    } else {
      part += text[i];
      if ((text[i] == '{' || text[i] == '}') && i + 1 < text.size() && text[i + 1] == text[i]) ++i;
    }
  }
  flush();
  return out;
}

}  // namespace descry::ir::rules
