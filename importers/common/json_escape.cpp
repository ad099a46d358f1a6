#include "importers/common/json_escape.h"

#include <algorithm>

#include "ir/support/unicode.h"

namespace descry::importers {

JsonEscape readJsonEscape(std::string_view text, size_t& at, std::string& out) {
  if (at + 1 >= text.size()) return JsonEscape::CutOff;
  static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const char letter = text[at + 1];
  if (const size_t k = kLetters.find(letter); k != std::string_view::npos) {
    out += kMeanings[k];
    at += 2;
    return JsonEscape::Read;
  }
  if (letter != 'u') return JsonEscape::Unknown;
  uint32_t c = 0, low = 0;
  if (!ir::readHex(text, at + 2, 4, c)) return JsonEscape::BadHex;
  at += 6;
  if (c >= 0xD800 && c < 0xDC00 && text.substr(at, 2) == "\\u" && ir::readHex(text, at + 2, 4, low) &&
      low >= 0xDC00 && low < 0xE000) {
    c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    at += 6;
  } else if (c >= 0xD800 && c < 0xE000) {
    c = 0xFFFD;
  }
  ir::appendUtf8(out, c);
  return JsonEscape::Read;
}

std::string unescapeJson(std::string_view body) {
  std::string out;
  out.reserve(body.size());
  for (size_t i = 0; i < body.size();) {
    const size_t escape = std::min(body.find('\\', i), body.size());
    out += body.substr(i, escape - i);
    i = escape;
    if (i < body.size() && readJsonEscape(body, i, out) != JsonEscape::Read) out += body[i++];
  }
  return out;
}

}  // namespace descry::importers
