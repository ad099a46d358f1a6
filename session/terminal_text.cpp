#include "session/terminal_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace descry::session {

namespace {

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Length of the character that `text` begins with and its number; 0 when the bytes are no UTF-8.
size_t decode(std::string_view text, uint32_t& number) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t length = lead < 0x80   ? 1
                        : lead < 0xC2 ? 0
                        : lead < 0xE0 ? 2
                        : lead < 0xF0 ? 3
                        : lead < 0xF5 ? 4
                                      : 0;
  if (length == 0 || length > text.size()) return 0;
  number = length == 1 ? lead : lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if (!continues(text[i])) return 0;
    number = number << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = number >= 0xD800 && number < 0xE000;
  return number < kLeast[length] || surrogate || number > 0x10FFFF ? 0 : length;
}

/// Unicode's property Bidi_Control.
bool turnsDirection(uint32_t number) {
  return number == 0x061C || number == 0x200E || number == 0x200F || (number >= 0x202A && number <= 0x202E) ||
         (number >= 0x2066 && number <= 0x2069);
}

void escape(std::string& out, const char* form, uint32_t number) {
  char buffer[12];
  std::snprintf(buffer, sizeof buffer, form, static_cast<unsigned>(number));
  out += buffer;
}

}  // namespace

std::string terminalText(std::string_view text, LineBreaks breaks) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char c = text[0];
    uint32_t number = 0;
    const size_t length = decode(text, number);
    if (length == 0) {
      escape(out, "\\x%02x", static_cast<unsigned char>(c));
    } else if (c == '\n' || c == '\t') {
      out += breaks == LineBreaks::Keep ? c : ' ';
    } else if (number < 0x20 || number == 0x7F) {
      escape(out, "\\x%02x", number);
    } else if ((number >= 0x80 && number < 0xA0) || turnsDirection(number)) {
      escape(out, "\\u%04x", number);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length ? length : 1);
  }
  return out;
}

std::string terminalMessage(std::string_view text, size_t limit) {
  const std::string safe = terminalText(text);
  std::string out;
  for (size_t at = 0; at <= safe.size();) {
    const size_t end = std::min(safe.find('\n', at), safe.size());
    const std::string_view line = std::string_view(safe).substr(at, end - at);
    const size_t count = line.size() > limit ? characterCount(line) : 0;
    if (count > limit) {
      out += firstCharacters(line, limit / 2);
      out += "...";
      out += line.substr(firstCharacters(line, count - limit / 2).size());
    } else {
      out += line;
    }
    if (end < safe.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

size_t characterCount(std::string_view text) {
  size_t n = 0;
  for (const char c : text) n += !continues(c);
  return n;
}

std::string_view firstCharacters(std::string_view text, size_t count) {
  size_t at = 0;
  for (; at < text.size() && count > 0; --count) {
    ++at;
    while (at < text.size() && continues(text[at])) ++at;
  }
  return text.substr(0, at);
}

}  // namespace descry::session
