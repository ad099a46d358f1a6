// Values and calls that are values: numbers, containers, devices, slices, getattr paths.
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <unordered_set>

#include "importers/fx_text/parser.h"

namespace descry::importers::fx {

using ir::Cell;
using ir::OpKind;
using ir::StrId;
using ir::ValueKind;

namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view stripQuotes(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  if (s.size() >= 2 && (s.front() == '\'' || s.front() == '"') && s.back() == s.front())
    return s.substr(1, s.size() - 2);
  return s;
}

/// A repr on one line.
std::string flat(std::string_view s) {
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  std::string out;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] != '\n') {
      out += s[i];
      continue;
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    while (i + 1 < s.size() && (s[i + 1] == ' ' || s[i + 1] == '\n' || s[i + 1] == '\t')) ++i;
    out += ' ';
  }
  return out;
}

}  // namespace

Pending Parser::number(bool negative) {
  const char* from = p_;
  if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
    uint64_t v = 0;
    const auto [end, ec] = std::from_chars(p_ + 2, end_, v, 16);
    if (ec != std::errc() || v > static_cast<uint64_t>(INT64_MAX)) {
      fail("hexadecimal number out of range", "integer-range");
      return {};
    }
    p_ = end;
    return valueOf(Cell::integer(negative ? -static_cast<int64_t>(v) : static_cast<int64_t>(v)));
  }
  uint64_t value = 0;
  bool overflow = false, isFloat = false;
  while (p_ < end_ && (isDigit(*p_) || *p_ == '_')) {
    if (*p_ != '_') {
      overflow |= __builtin_mul_overflow(value, uint64_t{10}, &value);
      overflow |= __builtin_add_overflow(value, static_cast<uint64_t>(*p_ - '0'), &value);
    }
    ++p_;
  }
  if (peek() == '.') {
    isFloat = true;
    ++p_;
    while (p_ < end_ && (isDigit(*p_) || *p_ == '_')) ++p_;
  }
  if ((peek() == 'e' || peek() == 'E') &&
      (isDigit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && isDigit(peek(2))))) {
    isFloat = true;
    p_ += 2;
    while (p_ < end_ && isDigit(*p_)) ++p_;
  }
  if (peek() == 'j' || peek() == 'J') {
    ++p_;
    std::string text(from, p_);
    return textValue(ValueKind::Complex, negative ? "-" + text : text);
  }
  if (isFloat) {
    std::string digits(from, p_);
    std::erase(digits, '_');
    double d = 0;
    const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), d);
    if (r.ec == std::errc::result_out_of_range) d = std::strtod(digits.c_str(), nullptr);  // inf or 0
    return valueOf(Cell::real(negative ? -d : d));
  }
  const uint64_t limit = static_cast<uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  if (overflow || value > limit) {
    std::string digits(from, p_);
    std::erase(digits, '_');
    return textValue(ValueKind::BigInt, negative ? "-" + digits : digits);
  }
  return valueOf(Cell::integer(negative ? static_cast<int64_t>(0 - value) : static_cast<int64_t>(value)));
}

Pending Parser::container(char close, ValueKind kind) {
  ++p_;
  ++depth_;
  const uint32_t mark = static_cast<uint32_t>(scratch_.size());
  while (true) {
    skip();
    if (peek() == close) break;
    Pending item = expression();
    if (failed_) break;
    push(asCell(item));
    skip();
    if (peek() == ',') {
      ++p_;
    } else if (peek() != close) {
      fail(std::string("expected ',' or '") + close + "'");
      break;
    }
  }
  if (!failed_) ++p_;
  --depth_;
  const uint32_t count = static_cast<uint32_t>(scratch_.size()) - mark;
  const uint32_t first = g_->pushCells(scratch_.data() + mark, count);
  scratch_.resize(mark);
  return valueOf(Cell::container(kind, count, first));
}

Pending Parser::parenthesised() {
  const char* open = p_;
  ++p_;
  ++depth_;
  const uint32_t mark = static_cast<uint32_t>(scratch_.size());
  skip();
  if (peek() == ')') {
    ++p_;
    --depth_;
    return valueOf(Cell::container(ValueKind::Tuple, 0, 0));
  }
  Pending first = expression();
  skip();
  if (!failed_ && peek() == ')') {
    ++p_;
    --depth_;
    // (2+3j) prints as one value.
    if (first.isCall && first.op == OpKind::CallFunction && first.argCount == 2) {
      const Cell& b = scratch_[first.mark + 1];
      if (b.kind == ValueKind::Complex && scratch_[first.mark].kind != ValueKind::NodeRef) {
        scratch_.resize(first.mark);
        return textValue(ValueKind::Complex, {open, static_cast<size_t>(p_ - open)});
      }
    }
    return first;
  }
  if (!failed_) push(asCell(first));
  while (!failed_) {
    skip();
    if (peek() == ')') break;
    if (peek() != ',') {
      fail("expected ',' or ')'");
      break;
    }
    ++p_;
    skip();
    if (peek() == ')') break;
    Pending item = expression();
    if (failed_) break;
    push(asCell(item));
  }
  if (!failed_) ++p_;
  --depth_;
  const uint32_t count = static_cast<uint32_t>(scratch_.size()) - mark;
  const uint32_t at = g_->pushCells(scratch_.data() + mark, count);
  scratch_.resize(mark);
  return valueOf(Cell::container(ValueKind::Tuple, count, at));
}

Pending Parser::dict() {
  ++p_;
  ++depth_;
  const uint32_t mark = static_cast<uint32_t>(scratch_.size());
  while (!failed_) {
    skip();
    if (peek() == '}') break;
    Pending key = expression();
    if (failed_) break;
    push(asCell(key));
    skip();
    if (peek() != ':') {
      fail("expected ':' in a dict");
      break;
    }
    ++p_;
    Pending value = expression();
    if (failed_) break;
    push(asCell(value));
    skip();
    if (peek() == ',')
      ++p_;
    else if (peek() != '}')
      fail("expected ',' or '}'");
  }
  if (!failed_) ++p_;
  --depth_;
  const uint32_t count = static_cast<uint32_t>(scratch_.size()) - mark;
  const uint32_t at = g_->pushCells(scratch_.data() + mark, count);
  scratch_.resize(mark);
  return valueOf(Cell::container(ValueKind::Dict, count, at));
}

/// Calls that are values: device(...), slice(...), float('inf'), complex(...), tensor(...).
Pending Parser::literalCall(std::string_view head, const char* start, bool& isLiteral) {
  isLiteral = true;
  if (head == "slice") {
    Pending p = callOf(OpKind::CallFunction, head, {});
    arguments(p);
    if (failed_) return {};
    Cell parts[3] = {Cell::none(), Cell::none(), Cell::none()};
    if (p.kwargCount || p.argCount == 0 || p.argCount > 3) {
      fail("slice takes one to three values", "arity");
      return {};
    }
    if (p.argCount == 1)
      parts[1] = scratch_[p.mark];
    else
      for (uint32_t i = 0; i < p.argCount; ++i) parts[i] = scratch_[p.mark + i];
    scratch_.resize(p.mark);
    return valueOf(Cell::container(ValueKind::Slice, 3, g_->pushCells(parts, 3)));
  }
  if (head == "device" || head == "float" || head == "complex" || head == "tensor" || head == "Tensor") {
    const Place before = place();
    std::string_view inside;
    if (!rawBalanced(inside)) {
      fail("'(' without ')'", "unclosed-bracket");
      return {};
    }
    if (head == "device") {
      std::string type, index;
      int position = 0;
      for (size_t from = 0; from < inside.size();) {
        const size_t comma = std::min(inside.find(',', from), inside.size());
        std::string_view part = inside.substr(from, comma - from);
        from = comma + 1;
        while (!part.empty() && (part.front() == ' ' || part.front() == '\n')) part.remove_prefix(1);
        const size_t eq = part.find('=');
        std::string_view key = eq == std::string_view::npos ? "" : part.substr(0, eq);
        while (!key.empty() && key.back() == ' ') key.remove_suffix(1);
        const std::string_view v = stripQuotes(eq == std::string_view::npos ? part : part.substr(eq + 1));
        if (v.empty()) continue;
        if (key == "index" || (key.empty() && position == 1))
          index = v;
        else
          type = v;
        ++position;
      }
      return textValue(ValueKind::Device, index.empty() ? type : type + ":" + index);
    }
    if (head == "float") {
      std::string_view v = stripQuotes(inside);
      const bool minus = !v.empty() && v.front() == '-';
      if (minus) v.remove_prefix(1);
      if (v == "inf" || v == "infinity") return valueOf(Cell::real(minus ? -HUGE_VAL : HUGE_VAL));
      if (v == "nan") return valueOf(Cell::real(NAN));
      restore(before);  // float(x) of a value is a call
      isLiteral = false;
      return {};
    }
    if (head == "complex") return textValue(ValueKind::Complex, {start, static_cast<size_t>(p_ - start)});
    // tensor(1.), torch.Tensor(size=[2], dtype=float32): constants by their repr. The constructor itself is
    // called by a graph only on values or sizes.
    const bool repr = head == "tensor" || depth_ > 0 || inside.starts_with("size=");
    if (repr && !mentionsValue(inside))
      return textValue(ValueKind::Opaque, flat({start, static_cast<size_t>(p_ - start)}));
    restore(before);
    isLiteral = false;
    return {};
  }
  isLiteral = false;
  return {};
}

/// Values of this graph that a text names, each once, in order. Strings in it and names behind a dot or
/// before
/// `=` are none.
std::vector<ir::NodeId> Parser::mentionedValues(std::string_view text, size_t atMost) {
  flushParameters();
  std::vector<ir::NodeId> out;
  std::unordered_set<uint32_t> seen;
  for (size_t i = 0; i < text.size() && out.size() < atMost;) {
    const auto letter = [&](size_t k) {
      const char c = text[k];
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    if (text[i] == '\'' || text[i] == '"') {
      i = std::min(text.find(text[i], i + 1), text.size() - 1) + 1;
      continue;
    }
    if (!letter(i)) {
      // `1e5` and `a.b`: what hangs on a digit or a dot is no name of its own.
      const bool joined = isDigit(text[i]) || text[i] == '.';
      for (++i; joined && i < text.size() && (letter(i) || isDigit(text[i]));) ++i;
      continue;
    }
    const size_t from = i;
    while (i < text.size() && (letter(i) || isDigit(text[i]))) ++i;
    if (i < text.size() && text[i] == '=') continue;  // a keyword
    const StrId id = intern(text.substr(from, i - from));
    if (!bound(id) || slot(id).node == ir::NodeId::kNone || !seen.insert(slot(id).node).second) continue;
    out.push_back({slot(id).node});
  }
  return out;
}

bool Parser::mentionsValue(std::string_view text) {
  return !mentionedValues(text, 1).empty();
}

/// `Parameter containing: tensor([...], requires_grad=True)`, where a newline may follow the colon. p_ stands
/// behind `Parameter`.
Pending Parser::parameterConstant(const char* start) {
  p_ += std::string_view(" containing:").size();
  ++depth_;  // the repr goes on behind a newline
  skip();
  --depth_;
  dottedName();
  std::string_view inside;
  if (peek() == '(') {
    if (!rawBalanced(inside)) {
      fail("'(' without ')'", "unclosed-bracket");
      return {};
    }
  } else {
    while (!atEnd() && std::string_view(",;)]}\n#").find(*p_) == std::string_view::npos) ++p_;
  }
  return textValue(ValueKind::Opaque, flat({start, static_cast<size_t>(p_ - start)}));
}

/// getattr(self.a, "0"), getattr(x, 'y z'), nested.
Pending Parser::getattrCall() {
  ++p_;
  ++depth_;
  Pending base = expression();
  skip();
  if (!failed_ && peek() == ',')
    ++p_;
  else if (!failed_)
    fail("expected ',' in getattr");
  Pending name;
  if (!failed_) name = expression();
  skip();
  if (failed_) {
    --depth_;
    return {};
  }
  const bool ofSelf =
      !base.isCall && base.value.kind == ValueKind::Opaque && ctx_.str({base.value.a}) == "self";
  if (((base.isCall && base.op == OpKind::GetAttr && base.argCount == 0) || ofSelf) && !name.isCall &&
      name.value.kind == ValueKind::Str && peek() == ')') {
    ++p_;
    --depth_;
    std::string path(ctx_.str({name.value.a}));
    if (ofSelf)
      base = callOf(OpKind::GetAttr, path, {});
    else
      path.insert(0, std::string(ctx_.str(base.target)) + ".");
    while (peek() == '.') {
      ++p_;
      path += "." + std::string(dottedName());
    }
    base.target = intern(path);
    return base;
  }
  const Cell n = asCell(name);
  const Cell b = asCell(base);
  Pending p = callOf(OpKind::CallFunction, "builtins.getattr", {b, n});
  if (peek() == ',') {
    ++p_;
    Pending fallback = expression();
    const Cell f = asCell(fallback);
    push(f);
    ++p.argCount;
    skip();
  }
  if (!failed_ && peek() != ')') fail("expected ')' after getattr");
  if (!failed_) ++p_;
  --depth_;
  return p;
}

}  // namespace descry::importers::fx
