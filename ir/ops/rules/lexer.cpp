#include "ir/ops/rules/lexer.h"

#include <cctype>

namespace descry::ir::rules {

namespace {

class Lexer {
 public:
  Lexer(std::string_view text, uint32_t line, uint32_t column) : text_(text), line_(line), column_(column) {}

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
        out.push_back({Tok::Indent, "", line_, column()});
      }
      while (indent < indents.back() && indents.size() > 1) {
        indents.pop_back();
        out.push_back({Tok::Dedent, "", line_, column()});
      }
      if (indent != indents.back())
        throw SyntaxError{line_, column() + static_cast<uint32_t>(indent), "indentation fits no line above"};
      at_ = first;
      logicalLine(out);
    }
    while (indents.size() > 1) {
      indents.pop_back();
      out.push_back({Tok::Dedent, "", line_, column()});
    }
    out.push_back({Tok::End, "", line_, column()});
    return out;
  }

 private:
  void skipLine() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    if (at_ < text_.size()) ++at_;
    newLine();
  }

  void newLine() {
    ++line_;
    lineBegin_ = at_;
    column_ = 1;
  }
  uint32_t column() const { return column_ + static_cast<uint32_t>(at_ - lineBegin_); }

  void logicalLine(std::vector<Token>& out) {
    int depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ') {
        ++at_;
      } else if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == '\n') {
        const Token end{Tok::Newline, "", line_, column()};
        ++at_;
        newLine();
        if (!depth) {
          out.push_back(end);
          return;
        }
      } else {
        const uint32_t column = this->column();
        out.push_back(token());
        out.back().column = column;
        if (out.back().kind == Tok::Op) {
          const char o = out.back().text[0];
          if (o == '(' || o == '[' || o == '{') ++depth;
          if (o == ')' || o == ']' || o == '}') --depth;
        }
      }
    }
    out.push_back({Tok::Newline, "", line_, column()});
  }

  Token token() {
    const size_t begin = at_;
    const char c = text_[at_];
    const auto name = [](char x) { return std::isalnum(static_cast<unsigned char>(x)) || x == '_'; };
    if ((c == 'f') && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\'')) {
      ++at_;
      return {Tok::FStr, quoted(), line_, 0};
    }
    if (c == '"' || c == '\'') return {Tok::Str, quoted(), line_, 0};
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
        return {Tok::Imaginary, text, line_, 0};
      }
      return {real ? Tok::Float : Tok::Int, text, line_, 0};
    }
    if (name(c)) {
      while (at_ < text_.size() && name(text_[at_])) ++at_;
      return {Tok::Name, std::string(text_.substr(begin, at_ - begin)), line_, 0};
    }
    static constexpr std::string_view kOps[] = {
        "**=", "//=", "...", "<<=", ">>=", "**", "//", "==", "!=", "<=", ">=", "+=",
        "-=",  "*=",  "/=",  "%=",  "|=",  "&=", "^=", "->", "<<", ">>", "@="};
    for (std::string_view op : kOps)
      if (text_.substr(at_, op.size()) == op) {
        at_ += op.size();
        return {Tok::Op, std::string(op), line_, 0};
      }
    if (std::string_view("()[]{},:.=+-*/%<>~&|^@").find(c) == std::string_view::npos)
      throw SyntaxError{line_, column(), std::string("unexpected character '") + c + "'"};
    ++at_;
    return {Tok::Op, std::string(1, c), line_, 0};
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
    if (at_ >= text_.size() || text_[at_] != quote) throw SyntaxError{line_, column(), "string has no end"};
    ++at_;
    return out;
  }

  std::string_view text_;
  size_t at_ = 0, lineBegin_ = 0;
  uint32_t line_, column_;  ///< of the line at hand, and of its first character
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, uint32_t line, uint32_t column) {
  return Lexer(text, line, column).run();
}

}  // namespace descry::ir::rules
