// Reads symbolic expressions.
#include <charconv>

#include "ir/types/sym_build.h"

namespace descry::ir {

namespace {

constexpr size_t kMaxText = 1 << 20;
constexpr int kMaxNesting = 150;

class SymParser {
 public:
  explicit SymParser(std::string_view text) : text_(text) {}

  Result<SymExpr> run() {
    SymExpr e;
    if (text_.size() > kMaxText) {
      fail("sym-too-large", "the expression is longer than a megabyte");
    } else if (logicOr(e)) {
      skip();
      if (at_ != text_.size()) {
        expected("an operator or the end");
      } else if (!e.defined()) {
        fail("sym-overflow", "the expression has no value: a division by zero, or numbers beyond 64 bits");
      }
    }
    if (code_) {
      Diagnostic d;
      d.code = code_;
      d.message = "symbolic expression: " + message_;
      d.loc.line = 1;
      d.loc.column = static_cast<uint32_t>(failedAt_ + 1);
      d.loc.byte = static_cast<int64_t>(failedAt_);
      return d;
    }
    return e;
  }

 private:
  bool fail(const char* code, std::string message) {
    if (!code_) {
      code_ = code;
      message_ = std::move(message);
      failedAt_ = at_;
    }
    return false;
  }
  bool expected(const char* what) {
    if (at_ >= text_.size()) return fail("sym-syntax", std::string("expected ") + what + ", found the end");
    return fail("sym-syntax", std::string("expected ") + what + ", found '" + text_[at_] + "'");
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool accept(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  static bool digit(char c) { return c >= '0' && c <= '9'; }
  bool word(std::string_view w) {
    skip();
    if (text_.substr(at_, w.size()) != w) return false;
    const size_t end = at_ + w.size();
    if (end < text_.size() && (letter(text_[end]) || digit(text_[end]))) return false;
    at_ = end;
    return true;
  }

  bool chainOf(SymExpr& out, const char* op, bool (SymParser::*inner)(SymExpr&), const char* text) {
    if (!(this->*inner)(out)) return false;
    std::vector<SymExpr> parts{out};
    while (true) {
      const size_t before = at_;
      if (!(text[0] > 'Z' && text[0] < '{' ? word(text) : accept(text))) break;
      SymExpr next;
      if (!(this->*inner)(next)) return false;
      if (at_ == before) break;
      parts.push_back(std::move(next));
    }
    if (parts.size() > 1) out = SymBuild::logic(op, std::move(parts));
    return true;
  }
  bool logicOr(SymExpr& e) { return chainOf(e, "|", &SymParser::logicAnd, "or"); }
  bool logicAnd(SymExpr& e) { return chainOf(e, "&", &SymParser::logicNot, "and"); }
  bool logicNot(SymExpr& e) {
    if (!word("not")) return comparison(e);
    if (++nesting_ > kMaxNesting) return fail("sym-too-large", "nested too deeply");
    SymExpr inner;
    if (!logicNot(inner)) return false;
    --nesting_;
    e = SymBuild::logic("~", {inner});
    return true;
  }
  bool comparison(SymExpr& e) {
    if (!bitOr(e)) return false;
    std::vector<SymExpr> relations;
    SymExpr left = e;
    while (true) {
      SymRel rel;
      if (accept("=="))
        rel = SymRel::Eq;
      else if (accept("!="))
        rel = SymRel::Ne;
      else if (accept("<="))
        rel = SymRel::Le;
      else if (accept(">="))
        rel = SymRel::Ge;
      else if (accept("<"))
        rel = SymRel::Lt;
      else if (accept(">"))
        rel = SymRel::Gt;
      else
        break;
      SymExpr right;
      if (!bitOr(right)) return false;
      relations.push_back(symRelation(rel, left, right));
      left = right;
    }
    if (relations.size() == 1) e = relations[0];
    if (relations.size() > 1) e = SymBuild::logic("&", std::move(relations));
    return true;
  }
  bool bitOr(SymExpr& e) { return chainOf(e, "|", &SymParser::bitAnd, "|"); }
  bool bitAnd(SymExpr& e) { return chainOf(e, "&", &SymParser::sum, "&"); }

  bool sum(SymExpr& e) {
    std::vector<SymExpr> terms(1);
    if (!product(terms[0])) return false;
    while (true) {
      skip();
      const char c = at_ < text_.size() ? text_[at_] : '\0';
      if (c != '+' && c != '-') break;
      ++at_;
      SymExpr next;
      if (!product(next)) return false;
      terms.push_back(c == '-' ? -next : next);
    }
    e = terms.size() == 1 ? terms[0] : SymBuild::add(std::move(terms));
    return true;
  }

  bool product(SymExpr& e) {
    // Runs of factors are multiplied at once: one by one would be quadratic.
    std::vector<SymExpr> factors;
    skip();
    // `-(a + b)*c` is minus the product: sympy prints it so, and -(a + b) alone would be multiplied out.
    while (at_ < text_.size() && text_[at_] == '-') {
      ++at_;
      if (factors.empty())
        factors.emplace_back(-1);
      else
        factors.clear();
      skip();
    }
    if (!unary(factors.emplace_back())) return false;
    auto flush = [&] {
      if (factors.size() == 1) return factors[0];
      return SymBuild::mul(std::move(factors));
    };
    while (true) {
      skip();
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//")) {
        at_ += 2;
        SymExpr next;
        if (!unary(next)) return false;
        factors = {SymBuild::floorDiv(flush(), next, false)};
      } else if (rest.starts_with("*") && !rest.starts_with("**")) {
        ++at_;
        if (!unary(factors.emplace_back())) return false;
      } else if (rest.starts_with("/")) {
        ++at_;
        SymExpr next;
        if (!unary(next)) return false;
        factors.push_back(SymBuild::pow(next, SymExpr(-1)));
      } else if (rest.starts_with("%")) {
        ++at_;
        SymExpr next;
        if (!unary(next)) return false;
        factors = {symMod(flush(), next)};
      } else {
        break;
      }
    }
    e = flush();
    return true;
  }

  bool unary(SymExpr& e) {
    skip();
    int minus = 0;
    bool invert = false;
    while (at_ < text_.size() &&
           (text_[at_] == '-' || text_[at_] == '+' || text_[at_] == '~' || text_[at_] == ' ')) {
      if (text_[at_] == '~') {
        if (invert || minus) return expected("a value");
        invert = true;
      }
      minus += text_[at_++] == '-';
    }
    if (!power(e)) return false;
    if (minus % 2) e = -e;
    if (invert) e = SymBuild::logic("~", {e});
    return true;
  }

  bool power(SymExpr& e) {
    if (!atom(e)) return false;
    if (!accept("**")) return true;
    if (++nesting_ > kMaxNesting) return fail("sym-too-large", "nested too deeply");
    SymExpr exponent;
    if (!unary(exponent)) return false;
    --nesting_;
    e = SymBuild::pow(e, exponent);
    return true;
  }

  bool atom(SymExpr& e) {
    skip();
    if (at_ >= text_.size()) return expected("a value");
    const char c = text_[at_];
    if (c == '(') {
      if (++nesting_ > kMaxNesting) return fail("sym-too-large", "nested too deeply");
      ++at_;
      if (!logicOr(e)) return false;
      --nesting_;
      // A pair, as in Piecewise((a, b > 0), (c, True)).
      skip();
      if (at_ < text_.size() && text_[at_] == ',') {
        std::vector<SymExpr> items{e};
        while (accept(",")) {
          skip();
          if (at_ < text_.size() && text_[at_] == ')') break;
          if (!logicOr(items.emplace_back())) return false;
        }
        if (items.size() == 1) return expected("a second value");
        e = SymExpr::function("", std::move(items));
      }
      return accept(")") || expected("')'");
    }
    if (digit(c) || c == '.') return numberAtom(e);
    if (!letter(c)) return expected("a value");
    const size_t begin = at_;
    while (at_ < text_.size() && (letter(text_[at_]) || digit(text_[at_]) || text_[at_] == '.')) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    skip();
    if (at_ < text_.size() && text_[at_] == '(') return call(e, name);
    if (name == "int_oo" || name == "oo")
      e = SymExpr::infinity();
    else if (name == "True" || name == "true")
      e = SymExpr::boolean(true);
    else if (name == "False" || name == "false")
      e = SymExpr::boolean(false);
    else if (name == "nan" || name == "zoo")
      e = SymExpr::undefined();
    else
      e = SymExpr::symbol(name);
    return true;
  }

  bool numberAtom(SymExpr& e) {
    const size_t begin = at_;
    bool real = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '.')
        real = true;
      else if ((c == 'e' || c == 'E') && at_ + 1 < text_.size() &&
               (digit(text_[at_ + 1]) || ((text_[at_ + 1] == '-' || text_[at_ + 1] == '+') &&
                                          at_ + 2 < text_.size() && digit(text_[at_ + 2])))) {
        real = true;
        ++at_;
      } else if (!digit(c))
        break;
      ++at_;
    }
    const std::string_view digits = text_.substr(begin, at_ - begin);
    if (real) {
      if (digits == ".") return fail("sym-syntax", "expected a number, found '.'");
      e = SymExpr::real(digits);
      return true;
    }
    int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      at_ = begin;
      return fail("sym-overflow",
                  "the number " + std::string(digits.substr(0, 40)) + " does not fit 64 bits");
    }
    e = SymExpr(value);
    return true;
  }

  bool call(SymExpr& e, std::string_view name) {
    if (++nesting_ > kMaxNesting) return fail("sym-too-large", "nested too deeply");
    ++at_;
    if (name == "Symbol" || name == "Dummy" || name == "Float" || name == "str") return quotedCall(e, name);
    std::vector<SymExpr> args;
    while (!accept(")")) {
      if (!args.empty() && !accept(",")) return expected("',' or ')'");
      if (accept(")")) break;
      if (!argument(args)) return false;
    }
    --nesting_;
    e = apply(name, std::move(args));
    return true;
  }

  /// One argument; `evaluate=False` and its like are left out.
  bool argument(std::vector<SymExpr>& args) {
    skip();
    size_t probe = at_;
    while (probe < text_.size() && (letter(text_[probe]) || digit(text_[probe]))) ++probe;
    if (probe > at_ && probe + 1 < text_.size() && text_[probe] == '=' && text_[probe + 1] != '=') {
      at_ = probe + 1;
      SymExpr ignored;
      return logicOr(ignored);
    }
    return logicOr(args.emplace_back());
  }

  /// Symbol('s77', positive=True, integer=True), Float('0.5', precision=53).
  bool quotedCall(SymExpr& e, std::string_view name) {
    skip();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return expected("a quoted text");
    const char quote = text_[at_++];
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != quote) ++at_;
    if (at_ >= text_.size()) return expected("a closing quote");
    const std::string_view inside = text_.substr(begin, at_ - begin);
    ++at_;
    if (inside.empty()) return fail("sym-syntax", "an empty name");
    e = name == "Float" ? SymExpr::real(inside) : SymExpr::symbol(inside);
    std::vector<SymExpr> rest;
    while (!accept(")")) {
      if (!accept(",")) return expected("',' or ')'");
      if (accept(")")) break;
      if (!argument(rest)) return false;
    }
    --nesting_;
    return true;
  }

  static SymExpr apply(std::string_view name, std::vector<SymExpr> args) {
    if (name == "Add") return SymBuild::add(std::move(args));
    if (name == "Mul") return SymBuild::mul(std::move(args));
    if (args.size() == 1 && name == "Integer") return args[0];
    if (args.size() == 1 && name == "Not") return SymBuild::logic("~", std::move(args));
    if (args.size() == 2) {
      if (name == "Pow") return SymBuild::pow(args[0], args[1]);
      if (name == "Rational") return symTrueDiv(args[0], args[1]);
      if (name == "Eq" || name == "Equality") return symRelation(SymRel::Eq, args[0], args[1]);
      if (name == "Ne" || name == "Unequality") return symRelation(SymRel::Ne, args[0], args[1]);
      if (name == "Lt" || name == "StrictLessThan") return symRelation(SymRel::Lt, args[0], args[1]);
      if (name == "Le" || name == "LessThan") return symRelation(SymRel::Le, args[0], args[1]);
      if (name == "Gt" || name == "StrictGreaterThan") return symRelation(SymRel::Gt, args[0], args[1]);
      if (name == "Ge" || name == "GreaterThan") return symRelation(SymRel::Ge, args[0], args[1]);
    }
    if (args.size() > 1 && name == "And") return SymBuild::logic("&", std::move(args));
    if (args.size() > 1 && name == "Or") return SymBuild::logic("|", std::move(args));
    return SymExpr::function(name, std::move(args));
  }

  std::string_view text_;
  size_t at_ = 0, failedAt_ = 0;
  int nesting_ = 0;
  const char* code_ = nullptr;
  std::string message_;
};

}  // namespace

Result<SymExpr> SymExpr::parse(std::string_view text) {
  return SymParser(text).run();
}

}  // namespace descry::ir
