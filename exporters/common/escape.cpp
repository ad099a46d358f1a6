#include "exporters/common/escape.h"

#include <cstdint>

namespace descry::exporters {
namespace {

constexpr uint32_t kBad = 0xFFFD;

/// Reads one code point; bad bytes give kBad and take one byte. Follows Unicode's table 3-7 (no surrogates,
/// no overlong forms, nothing above U+10FFFF).
uint32_t decode(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) -> uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto tail = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const uint32_t b = byte(at);
  if (b < 0x80) {
    ++at;
    return b;
  }
  if (b >= 0xC2 && b <= 0xDF && tail(at + 1)) {
    const uint32_t c = (b & 0x1F) << 6 | (byte(at + 1) & 0x3F);
    at += 2;
    return c;
  }
  if ((b & 0xF0) == 0xE0 && tail(at + 1) && tail(at + 2)) {
    const uint32_t c = (b & 0x0F) << 12 | (byte(at + 1) & 0x3F) << 6 | (byte(at + 2) & 0x3F);
    if (c >= 0x800 && (c < 0xD800 || c > 0xDFFF)) {
      at += 3;
      return c;
    }
  }
  if (b >= 0xF0 && b <= 0xF4 && tail(at + 1) && tail(at + 2) && tail(at + 3)) {
    const uint32_t c =
        (b & 0x07) << 18 | (byte(at + 1) & 0x3F) << 12 | (byte(at + 2) & 0x3F) << 6 | (byte(at + 3) & 0x3F);
    if (c >= 0x10000 && c <= 0x10FFFF) {
      at += 4;
      return c;
    }
  }
  ++at;
  return kBad;
}

void encode(std::string& out, uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

/// What XML 1.0 and terminals can hold; \n and \t pass.
uint32_t visible(uint32_t c) {
  if (c < 0x20) return c == '\n' || c == '\t' ? c : 0x2400 + c;
  if (c == 0x7F) return 0x2421;
  if (c >= 0x80 && c < 0xA0) return kBad;       // C1 controls
  if ((c & 0xFFFE) == 0xFFFE) return kBad;      // non-characters at the end of each plane
  if (c >= 0xFDD0 && c <= 0xFDEF) return kBad;  // non-characters
  return c;
}

/// Calls plain(begin, end) for runs of ASCII without specials and other(code point) for the rest.
template <class IsPlain, class Other>
void scan(std::string& out, std::string_view text, IsPlain isPlain, Other other) {
  size_t at = 0;
  while (at < text.size()) {
    size_t end = at;
    while (end < text.size() && isPlain(static_cast<unsigned char>(text[end]))) ++end;
    out.append(text, at, end - at);
    at = end;
    if (at < text.size()) other(decode(text, at));
  }
}

bool plainText(unsigned char c) {
  return c >= 0x20 && c < 0x7F && c != '&' && c != '<' && c != '>' && c != '"' && c != '\'';
}

void appendXmlChar(std::string& out, uint32_t c) {
  switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      encode(out, visible(c));
  }
}

void appendHex4(std::string& out, uint32_t c) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[c >> shift & 15];
}

void appendJsonChar(std::string& out, uint32_t c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\r':
      out += "\\r";
      break;
    default:
      if (c < 0x20 || c == 0x7F) {
        appendHex4(out, c);
      } else {
        encode(out, c);
      }
  }
}

bool plainJson(unsigned char c) {
  return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

std::string escapedForDot(std::string_view text, bool label) {
  std::string out;
  out.reserve(text.size() + 8);
  scan(
      out, text, [](unsigned char c) { return c >= 0x20 && c < 0x7F && c != '\\'; },
      [&](uint32_t c) {
        if (c == '\\') {
          out += "\\\\";
        } else if (c == '\n' && label) {
          out += "\\n";
        } else {
          encode(out, visible(c));
        }
      });
  return out;
}

}  // namespace

std::string visibleUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  scan(
      out, text, [](unsigned char c) { return c >= 0x20 && c < 0x7F; },
      [&](uint32_t c) { encode(out, visible(c)); });
  return out;
}

std::string visibleLine(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  scan(
      out, text, [](unsigned char c) { return c >= 0x20 && c < 0x7F; },
      [&](uint32_t c) { encode(out, c == '\n' || c == '\t' ? 0x2400 + c : visible(c)); });
  return out;
}

void appendXmlText(std::string& out, std::string_view text) {
  scan(out, text, plainText, [&](uint32_t c) { appendXmlChar(out, c); });
}

void appendXmlAttribute(std::string& out, std::string_view text) {
  scan(out, text, plainText, [&](uint32_t c) {
    if (c == '\n') {
      out += "&#10;";
    } else if (c == '\t') {
      out += "&#9;";
    } else {
      appendXmlChar(out, c);
    }
  });
}

std::string xmlText(std::string_view text) {
  std::string out;
  appendXmlText(out, text);
  return out;
}

std::string xmlAttribute(std::string_view text) {
  std::string out;
  appendXmlAttribute(out, text);
  return out;
}

void appendJsonString(std::string& out, std::string_view text) {
  out += '"';
  scan(out, text, plainJson, [&](uint32_t c) { appendJsonChar(out, c); });
  out += '"';
}

void appendScriptJsonString(std::string& out, std::string_view text) {
  out += '"';
  scan(
      out, text, [](unsigned char c) { return plainJson(c) && c != '<' && c != '>' && c != '&'; },
      [&](uint32_t c) {
        if (c == '<' || c == '>' || c == '&' || c == 0x2028 || c == 0x2029) {
          appendHex4(out, c);
        } else {
          appendJsonChar(out, c);
        }
      });
  out += '"';
}

std::string dotValue(std::string_view text) {
  return escapedForDot(text, false);
}
std::string dotLabel(std::string_view text) {
  return escapedForDot(text, true);
}

/// -12, +1.5, -1e-05: what a spreadsheet reads as a number and nothing else.
static bool isSignedNumber(std::string_view text) {
  text.remove_prefix(1);
  bool digit = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c >= '0' && c <= '9') {
      digit = true;
    } else if (!(c == '.' || ((c == 'e' || c == 'E') && digit) ||
                 ((c == '-' || c == '+') && i > 0 && (text[i - 1] == 'e' || text[i - 1] == 'E')))) {
      return false;
    }
  }
  return digit;
}

static bool needsGuard(std::string_view text) {
  if (text.empty()) return false;
  switch (text.front()) {
    case '=':
    case '@':
    case '\t':
    case '\r':
    case '\'':
      return true;
    case '+':
    case '-':
      return !isSignedNumber(text);
    default:
      return false;
  }
}

void appendCsvField(std::string& out, std::string_view text) {
  const bool quote = text.find_first_of(",\"\n\r") != std::string_view::npos ||
                     (!text.empty() && (text.front() == ' ' || text.back() == ' '));
  if (quote) out += '"';
  if (needsGuard(text)) out += '\'';
  scan(
      out, text, [](unsigned char c) { return c >= 0x20 && c < 0x7F && c != '"'; },
      [&](uint32_t c) {
        if (c == '"') {
          out += "\"\"";
        } else {
          encode(out, visible(c));
        }
      });
  if (quote) out += '"';
}

std::string shortened(std::string_view text, size_t limit) {
  // Count code points by their first bytes, but only as far as needed.
  const auto isTail = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  size_t count = 0;
  for (size_t i = 0; i < text.size() && count <= limit; ++i) count += isTail(text[i]) ? 0 : 1;
  if (count <= limit) return std::string(text);
  if (limit < 2) return limit == 0 ? std::string() : std::string("\u2026");
  const size_t left = limit / 2, right = limit - 1 - left;
  size_t a = 0;
  for (size_t n = 0; a < text.size(); ++a)
    if (!isTail(text[a]) && n++ == left) break;
  size_t b = text.size();
  for (size_t n = 0; b > a && n < right;)
    if (!isTail(text[--b])) ++n;
  std::string out(text.substr(0, a));
  out += "\u2026";
  out += text.substr(b);
  return out;
}

}  // namespace descry::exporters
