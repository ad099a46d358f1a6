// Tokens of the rule language.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace descry::ir::rules {

enum class Tok : uint8_t { End, Newline, Indent, Dedent, Name, Int, Float, Imaginary, Str, FStr, Op };

struct Token {
  Tok kind = Tok::End;
  std::string text;
  uint32_t line = 0;
  uint32_t column = 0;  ///< from 1
};

struct SyntaxError {
  uint32_t line, column;
  std::string message;
};

/// Cuts a text whose first character stands at `line` and `column` into tokens, with the indentation as
/// tokens of its own; the last one is End. Throws SyntaxError.
std::vector<Token> tokenize(std::string_view text, uint32_t line, uint32_t column = 1);

}  // namespace descry::ir::rules
