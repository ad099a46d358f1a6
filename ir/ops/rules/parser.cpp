#include <cctype>
#include <cstdlib>
#include <unordered_map>

#include "ir/ops/rules/rule.h"

namespace descry::ir::rules {

namespace {

enum class Tok : uint8_t { End, Newline, Indent, Dedent, Name, Int, Float, Imaginary, Str, FStr, Op };

struct Token {
  Tok kind = Tok::End;
  std::string text;
  uint32_t line = 0;
};

struct SyntaxError {
  uint32_t line;
  std::string message;
};

class Lexer {
 public:
  Lexer(std::string_view text, uint32_t line) : text_(text), line_(line) {}

  std::vector<Token> run() {
    std::vector<Token> out;
    std::vector<size_t> indents;
    while (at_ < text_.size()) {
      size_t indent = 0;
      while (at_ + indent < text_.size() && text_[at_ + indent] == ' ') ++indent;
      const size_t first = at_ + indent;
      if (first >= text_.size()) break;
      if (text_[first] == '\n' || text_[first] == '#') {
        skipLine();
        continue;
      }
      if (indents.empty()) indents.push_back(indent);
      if (indent > indents.back()) {
        indents.push_back(indent);
        out.push_back({Tok::Indent, "", line_});
      }
      while (indent < indents.back() && indents.size() > 1) {
        indents.pop_back();
        out.push_back({Tok::Dedent, "", line_});
      }
      if (indent != indents.back()) throw SyntaxError{line_, "indentation fits no line above"};
      at_ = first;
      logicalLine(out);
    }
    while (indents.size() > 1) {
      indents.pop_back();
      out.push_back({Tok::Dedent, "", line_});
    }
    out.push_back({Tok::End, "", line_});
    return out;
  }

 private:
  void skipLine() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    if (at_ < text_.size()) ++at_;
    ++line_;
  }

  void logicalLine(std::vector<Token>& out) {
    int depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ') {
        ++at_;
      } else if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == '\n') {
        ++at_;
        ++line_;
        if (!depth) {
          out.push_back({Tok::Newline, "", line_ - 1});
          return;
        }
      } else {
        out.push_back(token());
        if (out.back().kind == Tok::Op) {
          const char o = out.back().text[0];
          if (o == '(' || o == '[' || o == '{') ++depth;
          if (o == ')' || o == ']' || o == '}') --depth;
        }
      }
    }
    out.push_back({Tok::Newline, "", line_});
  }

  Token token() {
    const size_t begin = at_;
    const char c = text_[at_];
    const auto name = [](char x) { return std::isalnum(static_cast<unsigned char>(x)) || x == '_'; };
    if ((c == 'f') && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\'')) {
      ++at_;
      return {Tok::FStr, quoted(), line_};
    }
    if (c == '"' || c == '\'') return {Tok::Str, quoted(), line_};
    if (std::isdigit(static_cast<unsigned char>(c)) ||
        (c == '.' && at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1])))) {
      bool real = false;
      while (at_ < text_.size()) {
        const char x = text_[at_];
        const bool exponent = (x == 'e' || x == 'E') && at_ > begin;
        if (exponent && at_ + 1 < text_.size() && (text_[at_ + 1] == '-' || text_[at_ + 1] == '+')) ++at_;
        if (!std::isdigit(static_cast<unsigned char>(x)) && x != '.' && !exponent) break;
        real = real || x == '.' || exponent;
        ++at_;
      }
      std::string text(text_.substr(begin, at_ - begin));
      if (at_ < text_.size() && text_[at_] == 'j') {
        ++at_;
        return {Tok::Imaginary, text, line_};
      }
      return {real ? Tok::Float : Tok::Int, text, line_};
    }
    if (name(c)) {
      while (at_ < text_.size() && name(text_[at_])) ++at_;
      return {Tok::Name, std::string(text_.substr(begin, at_ - begin)), line_};
    }
    static constexpr std::string_view kOps[] = {
        "**=", "//=", "...", "<<=", ">>=", "**", "//", "==", "!=", "<=", ">=", "+=",
        "-=",  "*=",  "/=",  "%=",  "|=",  "&=", "^=", "->", "<<", ">>", "@="};
    for (std::string_view op : kOps)
      if (text_.substr(at_, op.size()) == op) {
        at_ += op.size();
        return {Tok::Op, std::string(op), line_};
      }
    if (std::string_view("()[]{},:.=+-*/%<>~&|^@").find(c) == std::string_view::npos)
      throw SyntaxError{line_, std::string("unexpected character '") + c + "'"};
    ++at_;
    return {Tok::Op, std::string(1, c), line_};
  }

  std::string quoted() {
    const char quote = text_[at_++];
    std::string out;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\n') break;
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        out += text_[at_] == 'n' ? '\n' : text_[at_];
      } else {
        out += text_[at_];
      }
      ++at_;
    }
    if (at_ >= text_.size() || text_[at_] != quote) throw SyntaxError{line_, "string has no end"};
    ++at_;
    return out;
  }

  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_;
};

class Parser {
 public:
  Parser(std::vector<Token> tokens, Function& function) : tokens_(std::move(tokens)), function_(function) {
    for (const Parameter& p : function.params) slotOf(p.name, true);
  }

  void parameters() {
    expect("(");
    bool keywordOnly = false;
    while (!is(")")) {
      Parameter p;
      p.keywordOnly = keywordOnly;
      if (accept("/")) {
        if (!accept(",")) break;
        continue;
      }
      if (accept("**")) {
        p.doubleStar = true;
      } else if (accept("*")) {
        keywordOnly = true;
        if (is(",") || is(")")) {
          accept(",");
          continue;
        }
        p.star = true;
      }
      p.name = name();
      if (accept(":")) expression();
      if (accept("=")) p.defaultValue = expression();
      slotOf(p.name, true);
      function_.params.push_back(std::move(p));
      if (!accept(",")) break;
    }
    expect(")");
  }

  void expressionBody() {
    Stmt s;
    s.kind = StmtKind::Return;
    s.line = line();
    s.value = expressionList();
    function_.body.push_back(std::move(s));
    while (kind() == Tok::Newline) ++at_;
    if (kind() != Tok::End) fail("expected the end of the expression, found '" + peek().text + "'");
  }

  void blockBody() {
    collectAssigned();
    while (kind() != Tok::End) statement(function_.body);
  }
  void collectForExpression() { collectAssigned(); }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw SyntaxError{line(), message}; }
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

  int32_t slotOf(const std::string& name, bool make) {
    const auto found = slots_.find(name);
    if (found != slots_.end()) return found->second;
    if (!make) return -1;
    const int32_t slot = static_cast<int32_t>(function_.locals.size());
    function_.locals.push_back(name);
    slots_.emplace(name, slot);
    return slot;
  }

  /// Names that are assigned anywhere are locals everywhere, as in Python. Comprehension and lambda variables
  /// share the function's slots.
  void collectAssigned() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const Token& t = tokens_[i];
      if (t.kind == Tok::Name && t.text == "for") {
        for (size_t j = i + 1;
             j < tokens_.size() && !(tokens_[j].kind == Tok::Name && tokens_[j].text == "in"); ++j)
          if (tokens_[j].kind == Tok::Name) slotOf(tokens_[j].text, true);
      } else if (t.kind == Tok::Name && t.text == "lambda") {
        for (size_t j = i + 1; j < tokens_.size() && !(tokens_[j].kind == Tok::Op && tokens_[j].text == ":");
             ++j)
          if (tokens_[j].kind == Tok::Name) slotOf(tokens_[j].text, true);
      }
    }
    // Statement starts: `a = `, `a, b = `, `(a, b) = `, `a += `.
    bool start = true;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (start && (tokens_[i].kind == Tok::Name || (tokens_[i].kind == Tok::Op && tokens_[i].text == "("))) {
        size_t j = i;
        bool simple = true;
        std::vector<std::string> names;
        // Names with commas between; a name right behind another, or a bracket right behind a name, starts a
        // call.
        bool afterName = false;
        for (; j < tokens_.size() && tokens_[j].kind != Tok::Newline; ++j) {
          const Token& t = tokens_[j];
          if (t.kind == Tok::Name && !afterName) {
            names.push_back(t.text);
            afterName = true;
          } else if (t.kind == Tok::Op &&
                     (t.text == "," || t.text == ")" || ((t.text == "(" || t.text == "*") && !afterName))) {
            if (t.text == ",") afterName = false;
          } else {
            break;
          }
        }
        simple = j < tokens_.size() && tokens_[j].kind == Tok::Op &&
                 (tokens_[j].text == "=" ||
                  (tokens_[j].text.size() > 1 && tokens_[j].text.back() == '=' &&
                   std::string_view("+-*/%|&^@<>").find(tokens_[j].text[0]) != std::string_view::npos &&
                   tokens_[j].text != "<=" && tokens_[j].text != ">="));
        if (simple)
          for (const std::string& n : names) slotOf(n, true);
        // chained `a = b = value`
        while (simple && j + 2 < tokens_.size() && tokens_[j].kind == Tok::Op && tokens_[j].text == "=" &&
               tokens_[j + 1].kind == Tok::Name && tokens_[j + 2].kind == Tok::Op &&
               tokens_[j + 2].text == "=") {
          slotOf(tokens_[j + 1].text, true);
          j += 2;
        }
      }
      start = tokens_[i].kind == Tok::Newline || tokens_[i].kind == Tok::Indent ||
              tokens_[i].kind == Tok::Dedent || (tokens_[i].kind == Tok::Op && tokens_[i].text == ":");
    }
  }

  ExprPtr make(ExprKind kind) const {
    auto e = std::make_unique<Expr>();
    e->kind = kind;
    e->line = static_cast<uint16_t>(line());
    return e;
  }

  void block(std::vector<Stmt>& into) {
    expect(":");
    if (kind() != Tok::Newline) {
      simpleStatement(into);
      return;
    }
    ++at_;
    if (kind() != Tok::Indent) fail("expected an indented block");
    ++at_;
    while (kind() != Tok::Dedent && kind() != Tok::End) statement(into);
    if (kind() == Tok::Dedent) ++at_;
  }

  void statement(std::vector<Stmt>& into) {
    if (++depth_ > 60) fail("nested too deeply");
    Stmt s;
    s.line = static_cast<uint16_t>(line());
    if (acceptWord("if")) {
      ifStatement(s);
      into.push_back(std::move(s));
    } else if (acceptWord("for")) {
      s.kind = StmtKind::For;
      s.target = targetList();
      if (!acceptWord("in")) fail("expected 'in'");
      s.value = expressionList();
      block(s.body);
      into.push_back(std::move(s));
    } else if (acceptWord("while")) {
      s.kind = StmtKind::While;
      s.value = expression();
      block(s.body);
      into.push_back(std::move(s));
    } else {
      simpleStatement(into);
    }
    --depth_;
  }

  void ifStatement(Stmt& s) {
    s.kind = StmtKind::If;
    s.value = expression();
    block(s.body);
    if (isWord("elif")) {
      Stmt inner;
      inner.line = static_cast<uint16_t>(line());
      ++at_;
      ifStatement(inner);
      s.orElse.push_back(std::move(inner));
    } else if (acceptWord("else")) {
      block(s.orElse);
    }
  }

  void simpleStatement(std::vector<Stmt>& into) {
    Stmt s;
    s.line = static_cast<uint16_t>(line());
    if (acceptWord("return")) {
      s.kind = StmtKind::Return;
      if (kind() != Tok::Newline && kind() != Tok::End) s.value = expressionList();
    } else if (acceptWord("pass")) {
      s.kind = StmtKind::Pass;
    } else if (acceptWord("break")) {
      s.kind = StmtKind::Break;
    } else if (acceptWord("continue")) {
      s.kind = StmtKind::Continue;
    } else if (acceptWord("assert")) {
      s.kind = StmtKind::Assert;
      s.value = expression();
      if (accept(",")) s.message = expression();
    } else if (acceptWord("raise")) {
      s.kind = StmtKind::Raise;
      s.value = expression();
    } else {
      ExprPtr first = expressionList();
      static const std::pair<std::string_view, BinaryOp> kAug[] = {
          {"+=", BinaryOp::Add},       {"-=", BinaryOp::Sub}, {"*=", BinaryOp::Mul},  {"/=", BinaryOp::Div},
          {"//=", BinaryOp::FloorDiv}, {"%=", BinaryOp::Mod}, {"**=", BinaryOp::Pow}, {"|=", BinaryOp::Or},
          {"&=", BinaryOp::And},       {"^=", BinaryOp::Xor}};
      bool done = false;
      for (const auto& [text, op] : kAug)
        if (accept(text)) {
          s.kind = StmtKind::AugAssign;
          s.op = op;
          s.target = std::move(first);
          s.value = expressionList();
          done = true;
          break;
        }
      if (!done && is("=")) {
        std::vector<ExprPtr> targets;
        targets.push_back(std::move(first));
        ExprPtr value;
        while (accept("=")) {
          value = expressionList();
          if (is("=")) targets.push_back(std::move(value));
        }
        // a = b = value: the value goes to the last target, which the others copy.
        if (targets.size() > 1) {
          ExprPtr source = cloneLocal(*targets.back());
          s.kind = StmtKind::Assign;
          s.target = std::move(targets.back());
          s.value = std::move(value);
          const uint16_t at = s.line;
          into.push_back(std::move(s));
          for (size_t i = 0; i + 1 < targets.size(); ++i) {
            Stmt copy;
            copy.line = at;
            copy.kind = StmtKind::Assign;
            copy.target = std::move(targets[i]);
            copy.value = cloneLocal(*source);
            into.push_back(std::move(copy));
          }
          endOfStatement();
          return;
        }
        s.kind = StmtKind::Assign;
        s.target = std::move(targets[0]);
        s.value = std::move(value);
      } else if (!done) {
        s.kind = StmtKind::Expr;
        s.value = std::move(first);
      }
      if (s.kind != StmtKind::Expr) checkTarget(*s.target);
    }
    into.push_back(std::move(s));
    endOfStatement();
  }

  void endOfStatement() {
    if (kind() == Tok::End) return;
    if (kind() != Tok::Newline) fail("expected the end of the line, found '" + peek().text + "'");
    ++at_;
  }

  ExprPtr cloneLocal(const Expr& e) const {
    if (e.kind != ExprKind::Local) fail("a chained assignment needs plain names");
    ExprPtr copy = make(ExprKind::Local);
    copy->slot = e.slot;
    copy->text = e.text;
    return copy;
  }

  void checkTarget(const Expr& e) const {
    if (e.kind == ExprKind::Local || e.kind == ExprKind::Index) return;
    if (e.kind == ExprKind::Tuple || e.kind == ExprKind::List) {
      for (const ExprPtr& k : e.kids) checkTarget(*k);
      return;
    }
    if (e.kind == ExprKind::Star) return checkTarget(*e.kids[0]);
    fail("cannot assign to this expression");
  }

  ExprPtr targetList() {
    const bool paren = accept("(");
    ExprPtr first = make(ExprKind::Local);
    first->text = name();
    first->slot = slotOf(first->text, true);
    if (!is(",")) {
      if (paren) expect(")");
      return first;
    }
    ExprPtr tuple = make(ExprKind::Tuple);
    tuple->kids.push_back(std::move(first));
    while (accept(",")) {
      if (is("(")) {
        tuple->kids.push_back(targetList());
        continue;
      }
      if (kind() != Tok::Name || isWord("in")) break;
      ExprPtr e = make(ExprKind::Local);
      e->text = name();
      e->slot = slotOf(e->text, true);
      tuple->kids.push_back(std::move(e));
    }
    if (paren) expect(")");
    return tuple;
  }

  ExprPtr expressionList() {
    ExprPtr first = starOr();
    if (!is(",")) return first;
    ExprPtr tuple = make(ExprKind::Tuple);
    tuple->kids.push_back(std::move(first));
    while (accept(",")) {
      if (kind() == Tok::Newline || kind() == Tok::End || is("=") || is(")")) break;
      tuple->kids.push_back(starOr());
    }
    return tuple;
  }

  ExprPtr starOr() {
    if (accept("*")) {
      ExprPtr e = make(ExprKind::Star);
      e->kids.push_back(expression());
      return e;
    }
    return expression();
  }

  ExprPtr expression() {
    if (++depth_ > 200) fail("nested too deeply");
    ExprPtr e = ternary();
    --depth_;
    return e;
  }

  ExprPtr ternary() {
    if (acceptWord("lambda")) {
      ExprPtr e = make(ExprKind::Lambda);
      while (!is(":")) {
        e->targets.push_back(slotOf(name(), true));
        if (!accept(",")) break;
      }
      expect(":");
      e->kids.push_back(expression());
      return e;
    }
    ExprPtr e = orTest();
    if (acceptWord("if")) {
      ExprPtr out = make(ExprKind::IfElse);
      out->kids.push_back(orTest());
      if (!acceptWord("else")) fail("expected 'else'");
      out->kids.push_back(std::move(e));
      out->kids.push_back(expression());
      return out;
    }
    return e;
  }

  ExprPtr orTest() {
    ExprPtr e = andTest();
    while (acceptWord("or")) {
      ExprPtr out = make(ExprKind::Or);
      out->kids.push_back(std::move(e));
      out->kids.push_back(andTest());
      e = std::move(out);
    }
    return e;
  }
  ExprPtr andTest() {
    ExprPtr e = notTest();
    while (acceptWord("and")) {
      ExprPtr out = make(ExprKind::And);
      out->kids.push_back(std::move(e));
      out->kids.push_back(notTest());
      e = std::move(out);
    }
    return e;
  }
  ExprPtr notTest() {
    if (acceptWord("not")) {
      ExprPtr out = make(ExprKind::Unary);
      out->op = '!';
      out->kids.push_back(notTest());
      return out;
    }
    return comparison();
  }

  bool compareOp(CompareOp& op) {
    static const std::pair<std::string_view, CompareOp> kOps[] = {
        {"==", CompareOp::Eq}, {"!=", CompareOp::Ne}, {"<=", CompareOp::Le},
        {">=", CompareOp::Ge}, {"<", CompareOp::Lt},  {">", CompareOp::Gt}};
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

  ExprPtr comparison() {
    ExprPtr e = binary(0);
    CompareOp op;
    if (!compareOp(op)) return e;
    ExprPtr out = make(ExprKind::Compare);
    out->kids.push_back(std::move(e));
    do {
      out->compares.push_back(op);
      out->kids.push_back(binary(0));
    } while (compareOp(op));
    return out;
  }

  ExprPtr binary(int level) {
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
      out->kids.push_back(std::move(e));
      out->kids.push_back(binary(level + 1));
      e = std::move(out);
    }
  }

  ExprPtr unary() {
    if (is("-") || is("+") || is("~")) {
      ExprPtr out = make(ExprKind::Unary);
      out->op = static_cast<uint8_t>(tokens_[at_++].text[0]);
      out->kids.push_back(unary());
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
      ExprPtr out = make(ExprKind::Binary);
      out->op = static_cast<uint8_t>(BinaryOp::Pow);
      out->kids.push_back(std::move(e));
      out->kids.push_back(unary());
      return out;
    }
    return e;
  }

  ExprPtr postfix() {
    ExprPtr e = atom();
    while (true) {
      if (accept(".")) {
        ExprPtr out = make(ExprKind::Attribute);
        out->text = name();
        out->kids.push_back(std::move(e));
        e = std::move(out);
      } else if (accept("(")) {
        ExprPtr out = make(ExprKind::Call);
        out->kids.push_back(std::move(e));
        callArguments(*out);
        e = std::move(out);
      } else if (accept("[")) {
        ExprPtr out = make(ExprKind::Index);
        out->kids.push_back(std::move(e));
        ExprPtr first = subscript();
        if (is(",")) {
          ExprPtr tuple = make(ExprKind::Tuple);
          tuple->kids.push_back(std::move(first));
          while (accept(",")) {
            if (is("]")) break;
            tuple->kids.push_back(subscript());
          }
          first = std::move(tuple);
        }
        out->kids.push_back(std::move(first));
        expect("]");
        e = std::move(out);
      } else {
        return e;
      }
    }
  }

  void callArguments(Expr& call) {
    while (!is(")")) {
      if (kind() == Tok::Name && peek(1).kind == Tok::Op && peek(1).text == "=") {
        call.keys.push_back(name());
        ++at_;
        call.kids.push_back(expression());
      } else {
        if (!call.keys.empty() && !is("*")) fail("a positional argument follows a keyword argument");
        ExprPtr e = starOr();
        if (isWord("for")) e = comprehension(std::move(e));
        call.kids.push_back(std::move(e));
      }
      if (!accept(",")) break;
    }
    expect(")");
  }

  ExprPtr subscript() {
    ExprPtr start;
    if (!is(":")) {
      start = expression();
      if (!is(":")) return start;
    }
    ExprPtr out = make(ExprKind::Slice);
    out->kids.resize(3);
    out->kids[0] = std::move(start);
    expect(":");
    if (!is(":") && !is("]") && !is(",")) out->kids[1] = expression();
    if (accept(":") && !is("]") && !is(",")) out->kids[2] = expression();
    for (ExprPtr& k : out->kids)
      if (!k) k = make(ExprKind::None);
    return out;
  }

  ExprPtr comprehension(ExprPtr element) {
    ExprPtr out = make(ExprKind::Comprehension);
    if (!acceptWord("for")) fail("expected 'for'");
    do {
      out->targets.push_back(slotOf(name(), true));
    } while (accept(","));
    if (!acceptWord("in")) fail("expected 'in'");
    out->kids.push_back(std::move(element));
    out->kids.push_back(orTest());
    if (acceptWord("if")) out->kids.push_back(orTest());
    return out;
  }

  ExprPtr atom() {
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
        tuple->kids.push_back(std::move(e));
        while (accept(",")) {
          if (is(")")) break;
          tuple->kids.push_back(starOr());
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
        list->kids.push_back(std::move(e));
        if (!accept(",")) break;
      }
      expect("]");
      return list;
    }
    if (accept("{")) {
      ExprPtr dict = make(ExprKind::Dict);
      while (!is("}")) {
        dict->kids.push_back(expression());
        expect(":");
        dict->kids.push_back(expression());
        if (!accept(",")) break;
      }
      expect("}");
      return dict;
    }
    fail("expected an expression, found '" + t.text + "'");
  }

  ExprPtr word() {
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

  /// f"got {x.dim()} and {y}": text parts and expressions in turn.
  ExprPtr formatted(const std::string& text) {
    ExprPtr out = make(ExprKind::FString);
    std::string part;
    const auto flush = [&] {
      if (part.empty()) return;
      ExprPtr e = make(ExprKind::Str);
      e->text = std::move(part);
      part.clear();
      out->kids.push_back(std::move(e));
    };
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '{' && i + 1 < text.size() && text[i + 1] != '{') {
        size_t close = i + 1;
        int depth = 1;
        while (close < text.size() && (depth += text[close] == '{' ? 1 : text[close] == '}' ? -1 : 0))
          ++close;
        flush();
        Lexer lexer(std::string_view(text).substr(i + 1, close - i - 1), line());
        std::vector<Token> inner = lexer.run();
        inner.swap(tokens_);
        const size_t keep = at_;
        at_ = 0;
        out->kids.push_back(expression());
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

  std::vector<Token> tokens_;
  Function& function_;
  size_t at_ = 0;
  int depth_ = 0;
  std::unordered_map<std::string, int32_t> slots_;
};

Diagnostic syntax(const SyntaxError& e, std::string_view file) {
  Diagnostic d = failure("rule-syntax", e.message, std::string(file));
  d.loc.line = e.line;
  return d;
}

bool singleLine(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return text.find('\n') == std::string_view::npos;
}

/// A single line that starts a statement (`return x`, `raise "..."`, `if a: return b`).
bool startsStatement(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  for (std::string_view word : {"return ", "return\n", "raise ", "if ", "for ", "pass", "assert "})
    if (text.starts_with(word)) return true;
  return text == "return";
}

bool visit(const Expr& e, std::string_view name, bool contentsOnly) {
  if (e.kind == ExprKind::Local || e.kind == ExprKind::Global) return e.text == name;
  if (contentsOnly && e.kind == ExprKind::Attribute && e.kids[0]->kind == ExprKind::Local &&
      e.kids[0]->text == name) {
    for (std::string_view meta : {"dtype",         "device",
                                  "layout",        "shape",
                                  "ndim",          "dim",
                                  "size",          "sizes",
                                  "stride",        "strides",
                                  "numel",         "storage_offset",
                                  "is_complex",    "is_floating_point",
                                  "requires_grad", "element_size",
                                  "options",       "is_cuda",
                                  "is_contiguous", "suggest_memory_format",
                                  "defined"})
      if (e.text == meta) return false;
    return true;
  }
  if (contentsOnly && e.kind == ExprKind::Compare && e.kids.size() == 2 &&
      (e.compares[0] == CompareOp::Is || e.compares[0] == CompareOp::IsNot) &&
      e.kids[1]->kind == ExprKind::None && e.kids[0]->kind == ExprKind::Local && e.kids[0]->text == name)
    return false;
  for (const ExprPtr& k : e.kids)
    if (k && visit(*k, name, contentsOnly)) return true;
  return false;
}

bool visit(const std::vector<Stmt>& body, std::string_view name, bool contentsOnly) {
  for (const Stmt& s : body) {
    if (s.target && visit(*s.target, name, contentsOnly)) return true;
    if (s.value && visit(*s.value, name, contentsOnly)) return true;
    if (visit(s.body, name, contentsOnly) || visit(s.orElse, name, contentsOnly)) return true;
  }
  return false;
}

}  // namespace

Result<std::shared_ptr<Function>> parseBody(std::string_view text, uint32_t firstLine,
                                            std::vector<std::string> names, std::string_view name,
                                            std::string_view file, bool python) {
  auto f = std::make_shared<Function>();
  f->name = name;
  f->file = file;
  f->python = python;
  for (std::string& n : names) {
    Parameter p;
    p.name = std::move(n);
    f->params.push_back(std::move(p));
  }
  try {
    Parser parser(Lexer(text, firstLine).run(), *f);
    if (singleLine(text) && !startsStatement(text)) {
      parser.collectForExpression();
      parser.expressionBody();
    } else {
      parser.blockBody();
      // One expression over several lines is the value, as on a single line.
      if (f->body.size() == 1 && f->body[0].kind == StmtKind::Expr) f->body[0].kind = StmtKind::Return;
    }
  } catch (const SyntaxError& e) {
    return syntax(e, file);
  }
  return f;
}

Result<std::shared_ptr<Function>> parseFunction(std::string_view signature, std::string_view body,
                                                uint32_t firstLine, std::string_view name,
                                                std::string_view file, bool python) {
  auto f = std::make_shared<Function>();
  f->name = name;
  f->file = file;
  f->python = python;
  try {
    Parser head(Lexer(signature, firstLine).run(), *f);
    head.parameters();
    f->locals.clear();
    Parser parser(Lexer(body, firstLine + 1).run(), *f);
    parser.blockBody();
  } catch (const SyntaxError& e) {
    return syntax(e, file);
  }
  return f;
}

bool readsContents(const Function& function, std::string_view name) {
  return visit(function.body, name, true);
}
bool mentions(const Function& function, std::string_view name) {
  return visit(function.body, name, false);
}

}  // namespace descry::ir::rules
