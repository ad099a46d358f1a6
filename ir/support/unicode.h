// UTF-8 written from code points, and the escapes of hexadecimal digits that texts name code points by.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace descry::ir {

/// Appends code point `c` (below 0x110000, no half of a surrogate pair).
inline void appendUtf8(std::string& out, uint32_t c) {
  const auto tail = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += tail(6);
    out += tail(0);
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += tail(12);
    out += tail(6);
    out += tail(0);
  }
}

inline int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Reads exactly `digits` hex digits (at most 8) at `at`; false when fewer are there.
inline bool readHex(std::string_view text, size_t at, int digits, uint32_t& value) {
  value = 0;
  for (int i = 0; i < digits; ++i) {
    const size_t k = at + static_cast<size_t>(i);
    const int d = k < text.size() ? hexDigit(text[k]) : -1;
    if (d < 0) return false;
    value = value << 4 | static_cast<uint32_t>(d);
  }
  return true;
}

}  // namespace descry::ir
