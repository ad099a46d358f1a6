#include "ir/ops/schema.h"

#include <charconv>

namespace descry::ir {

namespace {

constexpr int kMaxTypeDepth = 16;
constexpr size_t kMaxItems = 4096;

bool identStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool identChar(char c) {
  return identStart(c) || (c >= '0' && c <= '9');
}

void appendJoined(std::string& out, const std::vector<std::string>& parts, char between) {
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i) out += between;
    out += parts[i];
  }
}

class SchemaParser {
 public:
  explicit SchemaParser(std::string_view text) : text_(text) {}

  Result<Schema> run() {
    Schema s;
    if (!schema(s)) {
      Diagnostic d;
      d.code = "schema-syntax";
      d.message = "op schema: " + message_;
      d.loc.line = 1;
      d.loc.column = static_cast<uint32_t>(failedAt_ + 1);
      d.loc.byte = static_cast<int64_t>(failedAt_);
      return d;
    }
    return s;
  }

 private:
  bool fail(std::string message) {
    if (message_.empty()) {
      message_ = std::move(message);
      failedAt_ = at_;
    }
    return false;
  }
  bool failFound(const char* expected) {
    if (at_ >= text_.size()) return fail(std::string("expected ") + expected + ", found the end");
    return fail(std::string("expected ") + expected + ", found '" + text_[at_] + "'");
  }
  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  char peek() {
    skipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(std::string_view token) {
    skipSpace();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  bool expect(std::string_view token, const char* what) { return accept(token) || failFound(what); }

  bool identifier(std::string& out, bool dotted, const char* what) {
    skipSpace();
    const size_t begin = at_;
    if (at_ >= text_.size() || !identStart(text_[at_])) return failFound(what);
    while (at_ < text_.size() &&
           (identChar(text_[at_]) ||
            (dotted && text_[at_] == '.' && at_ + 1 < text_.size() && identStart(text_[at_ + 1]))))
      ++at_;
    out = text_.substr(begin, at_ - begin);
    return true;
  }

  bool schema(Schema& s) {
    if (!identifier(s.name, false, "an op name")) return false;
    s.ns = "aten";
    if (text_.substr(at_, 2) == "::") {
      at_ += 2;
      s.ns = s.name;
      if (!identifier(s.name, false, "an op name behind '::'")) return false;
    }
    s.overload = "default";
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      if (!identifier(s.overload, false, "an overload name behind '.'")) return false;
    }
    if (!expect("(", "'('") || !argumentList(s)) return false;
    if (!expect("->", "'->'")) return false;
    if (accept("...")) {
      s.varReturns = true;
    } else if (accept("(")) {
      if (!accept(")")) {
        do {
          if (accept("...")) {
            s.varReturns = true;
            break;
          }
          if (s.returns.size() >= kMaxItems) return fail("too many returns");
          if (!oneReturn(s.returns.emplace_back())) return false;
        } while (accept(","));
        if (!expect(")", "',' or ')'")) return false;
      }
    } else if (!oneReturn(s.returns.emplace_back())) {
      return false;
    }
    skipSpace();
    if (at_ != text_.size()) return failFound("the end");
    return true;
  }

  bool argumentList(Schema& s) {
    bool keywordOnly = false;
    if (accept(")")) return true;
    do {
      if (accept("...")) {
        s.varargs = true;
        break;
      }
      if (peek() == '*') {
        if (keywordOnly) return fail("a second '*'");
        ++at_;
        keywordOnly = true;
        continue;
      }
      if (s.arguments.size() >= kMaxItems) return fail("too many arguments");
      SchemaArgument& a = s.arguments.emplace_back();
      a.keywordOnly = keywordOnly;
      if (!type(a.type, 0) || !identifier(a.name, false, "an argument name")) return false;
      if (accept("=")) {
        a.defaultText.emplace();
        if (!defaultValue(*a.defaultText)) return false;
      }
    } while (accept(","));
    return expect(")", "',' or ')'");
  }

  bool oneReturn(SchemaArgument& r) {
    if (!type(r.type, 0)) return false;
    if (identStart(peek())) return identifier(r.name, false, "a return name");
    return true;
  }

  bool type(SchemaType& t, int depth) {
    if (depth > kMaxTypeDepth) return fail("type nested too deeply");
    if (peek() == '(') {  // a tuple
      ++at_;
      if (!typeParams(t, depth)) return false;
    } else {
      if (!identifier(t.base, true, "a type")) return false;
      if (t.base == "Dict" || t.base == "Future" || t.base == "Await" || t.base == "RRef" ||
          t.base == "Union" || t.base == "Tuple") {
        if (!expect("(", "'('") || !typeParams(t, depth)) return false;
      }
    }
    if (peek() == '(' && !aliasInfo(t.alias.emplace())) return false;
    while (true) {
      SchemaType::Wrap w;
      if (accept("[")) {
        w.list = true;
        skipSpace();
        if (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
          const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), w.size);
          if (error != std::errc()) return fail("list size out of range");
          at_ = static_cast<size_t>(end - text_.data());
        }
        if (!expect("]", "']'")) return false;
        if (peek() == '(' && !aliasInfo(w.alias.emplace())) return false;
      } else if (!accept("?")) {
        return true;
      }
      if (t.wraps.size() >= kMaxTypeDepth) return fail("type nested too deeply");
      t.wraps.insert(t.wraps.begin(), std::move(w));
    }
  }

  bool typeParams(SchemaType& t, int depth) {
    do {
      if (!type(t.params.emplace_back(), depth + 1)) return false;
    } while (accept(","));
    return expect(")", "',' or ')'");
  }

  bool aliasInfo(AliasInfo& a) {
    ++at_;  // '('
    if (!aliasSets(a.before)) return false;
    a.write = accept("!");
    if (accept("->") && !aliasSets(a.after)) return false;
    return expect(")", "')' behind an alias annotation");
  }
  bool aliasSets(std::vector<std::string>& sets) {
    do {
      if (sets.size() >= 64) return fail("too many alias sets");
      if (accept("*")) {
        sets.emplace_back("*");
      } else if (!identifier(sets.emplace_back(), false, "an alias set")) {
        return false;
      }
    } while (accept("|"));
    return true;
  }

  /// Balanced text up to `,` or `)` at depth 0.
  bool defaultValue(std::string& out) {
    skipSpace();
    const size_t begin = at_;
    int depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        const char quote = c;
        ++at_;
        while (at_ < text_.size() && text_[at_] != quote) at_ += text_[at_] == '\\' ? 2 : 1;
        if (at_ >= text_.size()) {
          at_ = text_.size();
          return fail("unterminated string");
        }
      } else if (c == '[' || c == '(' || c == '{') {
        ++depth;
      } else if (c == ']' || c == ')' || c == '}') {
        if (depth == 0) break;
        --depth;
      } else if (c == ',' && depth == 0) {
        break;
      }
      ++at_;
    }
    size_t end = at_;
    while (end > begin && text_[end - 1] == ' ') --end;
    if (end == begin) return failFound("a default value");
    if (depth) return fail("unbalanced brackets in a default value");
    out = text_.substr(begin, end - begin);
    return true;
  }

  std::string_view text_;
  size_t at_ = 0, failedAt_ = 0;
  std::string message_;
};

}  // namespace

Result<Schema> parseSchema(std::string_view text) {
  return SchemaParser(text).run();
}

std::string AliasInfo::str() const {
  std::string out = "(";
  appendJoined(out, before, '|');
  if (write) out += '!';
  if (!after.empty()) {
    out += " -> ";
    appendJoined(out, after, '|');
  }
  return out + ")";
}

std::string SchemaType::str() const {
  std::string out = base;
  if (!params.empty()) {
    out += '(';
    for (size_t i = 0; i < params.size(); ++i) {
      if (i) out += ", ";
      out += params[i].str();
    }
    out += ')';
  }
  if (alias) out += alias->str();
  for (size_t i = wraps.size(); i-- > 0;) {
    const Wrap& w = wraps[i];
    if (!w.list) {
      out += '?';
      continue;
    }
    out += '[';
    if (w.size >= 0) out += std::to_string(w.size);
    out += ']';
    if (w.alias) out += w.alias->str();
  }
  return out;
}

bool SchemaType::isList() const {
  return !wraps.empty() && (wraps[0].list || (wraps.size() > 1 && wraps[1].list));
}

bool SchemaType::writes() const {
  if (alias && alias->write) return true;
  for (const Wrap& w : wraps)
    if (w.alias && w.alias->write) return true;
  return false;
}

bool SchemaType::aliases() const {
  if (alias) return true;
  for (const Wrap& w : wraps)
    if (w.alias) return true;
  return false;
}

std::string SchemaArgument::str() const {
  std::string out = type.str();
  if (!name.empty()) out += " " + name;
  if (defaultText) out += "=" + *defaultText;
  return out;
}

std::string Schema::target() const {
  return "torch.ops." + ns + "." + name + "." + overload;
}

std::string Schema::str() const {
  std::string out = ns + "::" + name;
  if (overload != "default") out += "." + overload;
  out += '(';
  bool first = true, keywords = false;
  auto comma = [&] {
    if (!first) out += ", ";
    first = false;
  };
  for (const SchemaArgument& a : arguments) {
    comma();
    if (a.keywordOnly && !keywords) {
      keywords = true;
      out += "*, ";
    }
    out += a.str();
  }
  if (varargs) {
    comma();
    out += "...";
  }
  out += ") -> ";
  // A returned tuple type needs brackets of its own around it.
  const bool brackets = returns.size() != 1 || varReturns || returns[0].type.base.empty();
  if (returns.empty() && varReturns) return out + "...";
  if (brackets) out += '(';
  first = true;
  for (const SchemaArgument& r : returns) {
    comma();
    out += r.str();
  }
  if (varReturns) {
    comma();
    out += "...";
  }
  if (brackets) out += ')';
  return out;
}

bool Schema::isMutable() const {
  for (const SchemaArgument& a : arguments)
    if (a.type.writes()) return true;
  return false;
}

bool Schema::isView() const {
  for (const SchemaArgument& r : returns)
    if (r.type.aliases() && !r.type.writes()) return true;
  return false;
}

}  // namespace descry::ir
