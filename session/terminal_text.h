// Text of files and command lines made safe to show on a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace descry::session {

enum class LineBreaks : uint8_t {
  Keep,  ///< line breaks and tabs stay
  Join,  ///< they become blanks: one line
};

/// `text` without anything that steers a terminal or hides what stands there: control characters, also those
/// of 8 bits, signs that turn the direction of writing, and bytes that are no UTF-8 become visible escapes:
/// `\x1b`, `\u009b`, `\u202e`. All else stays as it is.
std::string terminalText(std::string_view text, LineBreaks breaks = LineBreaks::Keep);

/// The same, where lines of more than `limit` characters lose their middle to `...`: names from hostile files
/// and command lines may be megabytes long.
std::string terminalMessage(std::string_view text, size_t limit = 2000);

/// Characters of UTF-8 text: bytes that begin one.
size_t characterCount(std::string_view text);
/// The first `count` characters of UTF-8 text; all when there are fewer.
std::string_view firstCharacters(std::string_view text, size_t count);

}  // namespace descry::session
