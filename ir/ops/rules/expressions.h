// Expressions of the rule language: the part of the parser below statements.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/ops/rules/lexer.h"
#include "ir/ops/rules/rule.h"

namespace descry::ir::rules {

/// Reads tokens from `at_` on. Throws SyntaxError.
class ExpressionParser {
 public:
  ExpressionParser(std::vector<Token> tokens, Function& function)
      : tokens_(std::move(tokens)), function_(function) {
    for (const Parameter& p : function.params) slotOf(p.name, true);
  }
  /// One or more with commas between: then a tuple.
  ExprPtr expressionList();
  ExprPtr expression();

 protected:
  [[noreturn]] void fail(const std::string& message) const {
    throw SyntaxError{line(), peek().column, message};
  }
  const Token& peek(size_t n = 0) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }
  Tok kind() const { return peek().kind; }
  uint32_t line() const { return peek().line; }
  bool is(std::string_view op) const { return kind() == Tok::Op && peek().text == op; }
  bool isWord(std::string_view word) const { return kind() == Tok::Name && peek().text == word; }
  bool accept(std::string_view op) { return is(op) && (++at_, true); }
  bool acceptWord(std::string_view word) { return isWord(word) && (++at_, true); }
  void expect(std::string_view op) {
    if (!accept(op)) fail("expected '" + std::string(op) + "', found '" + peek().text + "'");
  }
  std::string name() {
    if (kind() != Tok::Name) fail("expected a name, found '" + peek().text + "'");
    return tokens_[at_++].text;
  }
  /// Of a local by name; -1 when there is none and none is to be made.
  int32_t slotOf(const std::string& name, bool make) {
    const auto found = slots_.find(name);
    if (found != slots_.end()) return found->second;
    if (!make) return -1;
    const int32_t slot = static_cast<int32_t>(function_.locals.size());
    function_.locals.push_back(name);
    slots_.emplace(name, slot);
    return slot;
  }
  ExprPtr make(ExprKind kind) const {
    auto e = std::make_unique<Expr>();
    e->kind = kind;
    e->line = line();
    e->column = peek().column;
    return e;
  }
  /// Takes `kid` into `e`. Who goes through a tree does so by recursion: it stays low, also where it grows to
  /// the left as `a + b + c` and `x.f().g()` do.
  void adopt(Expr& e, ExprPtr kid) const {
    if (kid->height >= kHighest) fail("nested too deeply");
    e.height = std::max(e.height, static_cast<uint16_t>(kid->height + 1));
    e.kids.push_back(std::move(kid));
  }
  /// Counts what nests while it is read.
  struct Nested {
    explicit Nested(ExpressionParser& p) : parser(p) {
      if (++parser.depth_ > kDeepest) parser.fail("nested too deeply");
    }
    ~Nested() { --parser.depth_; }
    Nested(const Nested&) = delete;
    ExpressionParser& parser;
  };
  static constexpr int kDeepest = 200;
  static constexpr uint16_t kHighest = 1000;

  std::vector<Token> tokens_;
  Function& function_;
  size_t at_ = 0;
  int depth_ = 0;
  std::unordered_map<std::string, int32_t> slots_;

 private:
  ExprPtr starOr();
  ExprPtr ternary();
  ExprPtr orTest();
  ExprPtr andTest();
  ExprPtr notTest();
  bool compareOp(CompareOp& op);
  ExprPtr comparison();
  ExprPtr binary(int level);
  ExprPtr unary();
  ExprPtr postfix();
  void callArguments(Expr& call);
  ExprPtr subscript();
  ExprPtr comprehension(ExprPtr element);
  ExprPtr atom();
  ExprPtr word();
  /// f"got {x.dim()} and {y}": text parts and expressions in turn.
  ExprPtr formatted(const std::string& text);
};

}  // namespace descry::ir::rules
