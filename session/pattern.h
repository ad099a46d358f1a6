// Text patterns of queries: wildcards and regular expressions, matched in linear time whatever the text or
// pattern.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/result.h"

namespace descry::session {

/// Compiled once, then only read.
class Pattern {
 public:
  /// `*` any text, `?` one character, everything else itself. Matches the whole text.
  static Pattern wildcard(std::string_view text, bool ignoreCase = false);
  /// `text` anywhere.
  static Pattern contains(std::string_view text, bool ignoreCase = true);
  /// Regular expression, found anywhere: . [] [^] * + ? {m,n} | () ^ $ \d \w \s \D \W \S and escaped
  /// characters. Works on bytes. Error: `regex-syntax`.
  static ir::Result<Pattern> regex(std::string_view text, bool ignoreCase = false);

  /// Cost: length of the text times size of the pattern.
  bool matches(std::string_view text) const;

 private:
  enum class Kind : uint8_t { Wildcard, Contains, Regex };
  struct Program;
  Kind kind_ = Kind::Contains;
  bool ignoreCase_ = false;
  std::string text_;
  std::shared_ptr<const Program> program_;
  friend class RegexCompiler;
};

}  // namespace descry::session
