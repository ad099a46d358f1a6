#include <algorithm>
#include <array>
#include <cstring>

#include "importers/fx_text/parser.h"
#include "ir/support/python_text.h"

namespace descry::importers::fx {

// Bit 0: may begin a name; bit 1: may stand in one. Bytes of letters beyond ASCII count as letters.
static constexpr std::array<uint8_t, 256> kNameBytes = [] {
  std::array<uint8_t, 256> out{};
  for (int c = 0; c < 256; ++c) {
    const bool start = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    out[static_cast<size_t>(c)] = static_cast<uint8_t>(start ? 3 : c >= '0' && c <= '9' ? 2 : 0);
  }
  return out;
}();
static bool identStart(char c) {
  return kNameBytes[static_cast<unsigned char>(c)] & 1;
}
static bool identChar(char c) {
  return kNameBytes[static_cast<unsigned char>(c)] & 2;
}

void Parser::skipSlow() {
  while (p_ < end_) {
    const char c = *p_;
    if (c == ' ' || c == '\t' || c == '\f') {
      ++p_;
    } else if (c == '\\' && p_ + 1 < end_ && p_[1] == '\n') {
      ++p_;
      newline();
    } else if (depth_ > 0 && c == '\n') {
      newline();
    } else if (depth_ > 0 && c == '#') {
      const void* nl = std::memchr(p_, '\n', static_cast<size_t>(end_ - p_));
      p_ = nl ? static_cast<const char*>(nl) : end_;
    } else {
      return;
    }
  }
}

std::string_view Parser::identifier() {
  const char* from = p_;
  if (p_ < end_ && identStart(*p_)) {
    ++p_;
    while (p_ < end_ && identChar(*p_)) ++p_;
  }
  return {from, static_cast<size_t>(p_ - from)};
}

std::string_view Parser::dottedName() {
  const char* from = p_;
  if (p_ < end_ && identStart(*p_)) {
    ++p_;
    while (p_ < end_ && (identChar(*p_) || (*p_ == '.' && p_ + 1 < end_ && identStart(p_[1])))) ++p_;
  }
  return {from, static_cast<size_t>(p_ - from)};
}

std::string_view Parser::restOfLine() const {
  const void* nl = std::memchr(p_, '\n', static_cast<size_t>(end_ - p_));
  return {p_, static_cast<size_t>((nl ? static_cast<const char*>(nl) : end_) - p_)};
}

void Parser::skipLine() {
  p_ += restOfLine().size();
  if (p_ < end_) newline();
}

void Parser::moveTo(const char* to) {
  while (p_ < to) {
    const void* nl = std::memchr(p_, '\n', static_cast<size_t>(to - p_));
    if (!nl) break;
    p_ = static_cast<const char*>(nl);
    newline();
  }
  p_ = to;
}

/// Behind the triple quote that closes the one at `quote`, or null when none does.
const char* Parser::tripleEnd(const char* quote) {
  const char*& none = noTriple_[*quote == '"'];
  if (none && quote >= none) return nullptr;  // searched before: a text full of open quotes stays linear
  for (const char* s = quote + 3; s < end_;) {
    s = static_cast<const char*>(std::memchr(s, *quote, static_cast<size_t>(end_ - s)));
    if (!s || end_ - s < 3) break;
    const char* back = s;
    while (back[-1] == '\\' && back > quote + 3) --back;
    if ((s - back) % 2 == 0 && s[1] == *quote && s[2] == *quote) return s + 3;
    ++s;
  }
  none = quote;
  return nullptr;
}

/// Steps over a string literal whose quote stands at p_. One without end is left at the end of its line.
void Parser::skipStringLiteral() {
  const char quote = *p_;
  if (peek(1) == quote && peek(2) == quote) {
    if (const char* end = tripleEnd(p_)) {
      moveTo(end);
      return;
    }
    p_ += restOfLine().size();
    return;
  }
  ++p_;
  while (p_ < end_) {
    if (*p_ == '\\' && p_ + 1 < end_) {
      ++p_;
      if (*p_ == '\n')
        newline();
      else
        ++p_;
    } else if (*p_ == quote) {
      ++p_;
      return;
    } else if (*p_ == '\n') {
      return;
    } else {
      ++p_;
    }
  }
}

bool Parser::rawBalanced(std::string_view& inside) {
  if (peek() != '(') return false;
  const char* from = p_ + 1;
  const uint32_t last = line_ + kMaxRawLines;
  int open = 0;
  while (p_ < end_ && line_ <= last) {
    const char c = *p_;
    if (c == '\'' || c == '"') {
      skipStringLiteral();
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++open;
    if (c == ')' || c == ']' || c == '}') {
      if (--open == 0) {
        inside = {from, static_cast<size_t>(p_ - from)};
        ++p_;
        return true;
      }
    }
    if (c == '\n') {
      newline();
      if (startsStatement()) return false;
    } else {
      ++p_;
    }
  }
  return false;
}

/// True when the line at p_ reads `name = ...`, `name: ...` or `return` and stands no deeper than the
/// statement that is being read: whatever bracket is open will not be closed.
bool Parser::startsStatement() const {
  const char* s = p_;
  int column = 0;
  for (; s < end_ && (*s == ' ' || *s == '\t'); ++s) column += *s == '\t' ? 4 : 1;
  if (column > statementIndent_ || s >= end_ || !identStart(*s)) return false;
  const char* from = s;
  while (s < end_ && identChar(*s)) ++s;
  const std::string_view name(from, static_cast<size_t>(s - from));
  const std::string_view rest(s, static_cast<size_t>(end_ - s));
  return rest.starts_with(" = ") || rest.starts_with(": ") || name == "return";
}

/// A string literal with the quote at p_ (prefix already read). Adjacent literals are joined by the caller.
bool Parser::stringLiteral(std::string& out, bool& raw) {
  const char quote = *p_;
  const bool triple = peek(1) == quote && peek(2) == quote;
  const char* from = p_ + (triple ? 3 : 1);
  const char* opened = p_;
  const bool open = triple && !tripleEnd(p_);
  skipStringLiteral();
  const size_t close = triple ? 3 : 1;
  const bool closed = !open && p_ >= from + close && p_[-1] == quote && p_ <= end_;
  if (!closed) {
    failAt_ = opened;
    fail("string without end", "unterminated-string");
    return false;
  }
  const std::string_view body(from, static_cast<size_t>(p_ - from) - close);
  out += raw || body.find('\\') == std::string_view::npos ? std::string(body) : ir::unescapePython(body);
  return true;
}

ir::SourceLoc Parser::loc(const char* at) const {
  // Faults are nearly always on the current line. The parameters of a function are placed when its body
  // begins, so earlier places are looked up: counting back from here would make a long signature quadratic.
  uint32_t line = line_;
  const char* start = lineStart_;
  if (at < start) {
    if (lineStarts_.empty()) {
      lineStarts_.push_back(text_.data());
      for (const char* s = text_.data(); s < end_; ++s) {
        s = static_cast<const char*>(std::memchr(s, '\n', static_cast<size_t>(end_ - s)));
        if (!s) break;
        lineStarts_.push_back(s + 1);
      }
    }
    line = static_cast<uint32_t>(std::upper_bound(lineStarts_.begin(), lineStarts_.end(), at) -
                                 lineStarts_.begin() - 1);
    start = lineStarts_[line];
  }
  const uint32_t column = static_cast<uint32_t>(at - start);
  if (map_.lines.empty())
    return {map_.first.line + line, map_.first.column + column,
            map_.first.byte < 0 ? -1
                                : map_.first.byte + (at - text_.data()) +
                                      static_cast<int64_t>(line) * (map_.first.column - 1)};
  const LineOrigin& o = map_.lines[std::min<size_t>(line, map_.lines.size() - 1)];
  return {o.line, o.column + column, o.byte < 0 ? -1 : o.byte + column};
}

void Parser::fail(std::string message, std::string code) {
  if (failed_) return;
  failed_ = true;
  failMessage_ = std::move(message);
  failCode_ = std::move(code);
  if (!failAt_) failAt_ = p_;
}

}  // namespace descry::importers::fx
