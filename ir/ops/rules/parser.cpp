#include "ir/ops/rules/expressions.h"

namespace descry::ir::rules {

namespace {

class Parser : public ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

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
    const Nested nested(*this);
    Stmt s;
    s.line = line();
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
  }

  void ifStatement(Stmt& s) {
    const Nested nested(*this);
    s.kind = StmtKind::If;
    s.value = expression();
    block(s.body);
    if (isWord("elif")) {
      Stmt inner;
      inner.line = line();
      ++at_;
      ifStatement(inner);
      s.orElse.push_back(std::move(inner));
    } else if (acceptWord("else")) {
      block(s.orElse);
    }
  }

  void simpleStatement(std::vector<Stmt>& into) {
    Stmt s;
    s.line = line();
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
          const uint32_t at = s.line;
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
    const Nested nested(*this);
    const bool paren = accept("(");
    ExprPtr first = make(ExprKind::Local);
    first->text = name();
    first->slot = slotOf(first->text, true);
    if (!is(",")) {
      if (paren) expect(")");
      return first;
    }
    ExprPtr tuple = make(ExprKind::Tuple);
    adopt(*tuple, std::move(first));
    while (accept(",")) {
      if (is("(")) {
        adopt(*tuple, targetList());
        continue;
      }
      if (kind() != Tok::Name || isWord("in")) break;
      ExprPtr e = make(ExprKind::Local);
      e->text = name();
      e->slot = slotOf(e->text, true);
      adopt(*tuple, std::move(e));
    }
    if (paren) expect(")");
    return tuple;
  }
};

Diagnostic syntax(const SyntaxError& e, std::string_view file) {
  Diagnostic d = failure("rule-syntax", e.message, std::string(file));
  d.loc.line = e.line;
  d.loc.column = e.column;
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

void place(Expr& e, const std::vector<Place>& places) {
  if (e.line >= 1 && e.line <= places.size()) {
    const Place& p = places[e.line - 1];
    e.line = p.line;
    e.column = static_cast<uint32_t>(std::max<int64_t>(1, int64_t{e.column} + p.shift));
  }
  for (const ExprPtr& k : e.kids)
    if (k) place(*k, places);
}

void place(std::vector<Stmt>& body, const std::vector<Place>& places) {
  for (Stmt& s : body) {
    if (s.line >= 1 && s.line <= places.size()) s.line = places[s.line - 1].line;
    for (const ExprPtr* e : {&s.target, &s.value, &s.message})
      if (*e) place(**e, places);
    place(s.body, places);
    place(s.orElse, places);
  }
}

}  // namespace

void place(Function& function, const std::vector<Place>& places) {
  place(function.body, places);
}

Result<std::shared_ptr<Function>> parseBody(std::string_view text, uint32_t firstLine,
                                            std::vector<std::string> names, std::string_view name,
                                            std::string_view file, bool python, uint32_t firstColumn) {
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
    Parser parser(tokenize(text, firstLine, firstColumn), *f);
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
    Parser head(tokenize(signature, firstLine), *f);
    head.parameters();
    f->locals.clear();
    Parser parser(tokenize(body, firstLine + 1), *f);
    parser.blockBody();
  } catch (const SyntaxError& e) {
    return syntax(e, file);
  }
  return f;
}

}  // namespace descry::ir::rules
