// Signatures: parameters, types, descriptors.
#include <algorithm>
#include <cstring>

#include "importers/fx_text/parser.h"
#include "ir/core/operators.h"

namespace descry::importers::fx {

ir::TypeId Parser::annotation() {
  while (peek() == ' ') ++p_;
  if (peek() == '"' || peek() == '\'') {
    const char quote = *p_;
    const char* from = p_ + 1;
    const void* close = std::memchr(from, quote, static_cast<size_t>(end_ - from));
    const char* to = close ? static_cast<const char*>(close) : end_;
    const void* nl = std::memchr(from, '\n', static_cast<size_t>(to - from));
    if (!close || nl) {
      fail("type annotation without closing quote", "unterminated-string");
      return {};
    }
    p_ = to + 1;
    std::string_view text(from, static_cast<size_t>(to - from));
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return typeOf(text);
  }
  const char* from = p_;
  int open = 0;
  while (p_ < end_) {
    const char c = *p_;
    if (c == '[' || c == '(') ++open;
    if (c == ']' || c == ')') {
      if (open == 0) break;
      --open;
    }
    if (c == '\n' || (open == 0 && (c == ',' || c == ';' || c == '=' || c == '#' || c == ':'))) {
      // `cuda:0` holds a colon of its own.
      if (!(c == ':' && p_ + 1 < end_ && p_[1] >= '0' && p_[1] <= '9')) break;
    }
    ++p_;
  }
  const char* to = p_;
  while (to > from && (to[-1] == ' ' || to[-1] == '\t')) --to;
  const ir::TypeId id = typeOf({from, static_cast<size_t>(to - from)});
  if (id) {
    const ir::TypeKind kind = ctx_.types.at(id).kind;
    if (kind == ir::TypeKind::Unknown) {
      failAt_ = from;
      fail("not a type annotation", "annotation-syntax");
      return {};
    }
    if (kind == ir::TypeKind::Tensor || kind == ir::TypeKind::Sym) g_->style.quotedTypes = false;
  }
  return id;
}

/// `# text` up to the end of the line, without the mark; empty when none stands here.
std::string_view Parser::trailingComment() {
  while (peek() == ' ') ++p_;
  if (peek() != '#') return {};
  std::string_view text = restOfLine();
  p_ += text.size();
  while (!text.empty() && (text.front() == '#' || text.front() == ' ')) text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

void Parser::parameter(bool expandedForm) {
  Parameter out;
  out.at = p_;
  const char* from = p_;
  while (peek() == '*') ++p_;
  identifier();
  out.name = {from, static_cast<size_t>(p_ - from)};
  if (out.name.empty()) {
    fail("expected a parameter name");
    return;
  }
  skip();
  if (peek() == ':') {
    ++p_;
    out.type = annotation();
    skip();
  }
  if (!failed_ && peek() == '=') {
    ++p_;
    Pending value = expression();
    if (failed_) return;
    out.defaultValue = asCell(value);
    out.hasDefault = true;
    skip();
  }
  if (!failed_ && peek() == ',') ++p_;
  if (expandedForm && !failed_)
    if (const std::string_view desc = trailingComment(); !desc.empty()) out.desc = ctx_.descriptor(desc);
  const std::string_view bare = out.name;
  if (bare == "self" && parameters_.empty() && !out.type) return;
  if (bare == "*" || bare == "/") return;
  parameters_.push_back(out);
}

void Parser::signature() {
  // p_ stands behind `def `.
  g_->style.functionName = std::string(identifier());
  if (g_->style.functionName.empty() && peek() == '<') {  // def <lambda>(
    const char* from = p_;
    while (!atEnd() && *p_ != '(' && *p_ != '\n') ++p_;
    g_->style.functionName = std::string(from, p_);
  }
  while (peek() == ' ') ++p_;
  if (peek() != '(') {
    fail("expected '(' after the function name");
    return;
  }
  ++p_;
  ++depth_;
  const uint32_t firstLine = line_;
  while (!failed_) {
    skip();
    if (peek() == ')' || atEnd()) break;
    parameter(line_ != firstLine || peek(-1) == '\n');
    skip();
  }
  --depth_;
  if (failed_) return;
  if (atEnd()) {
    fail("text ends inside the signature", "truncated");
    return;
  }
  const bool expanded = line_ != firstLine;
  g_->style.signature = expanded ? ir::SignatureForm::Expanded : ir::SignatureForm::OneLine;
  ++p_;
  while (peek() == ' ') ++p_;
  if (startsWith("->")) {
    p_ += 2;
    while (peek() == ' ') ++p_;
    std::string_view rest = restOfLine();
    size_t colon = rest.rfind(':');
    if (colon == std::string_view::npos) colon = rest.size();
    g_->style.returnAnnotation = std::string(rest.substr(0, colon));
    p_ += colon;
  }
  if (peek() == ':') ++p_;
  parametersPending_ = true;
}

}  // namespace descry::importers::fx
