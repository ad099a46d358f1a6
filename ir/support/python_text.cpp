#include "ir/support/python_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "ir/support/unicode.h"

namespace descry::ir {

void appendPythonFloat(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "nan";
    return;
  }
  if (std::isinf(value)) {
    out += value < 0 ? "-inf" : "inf";
    return;
  }
  char buffer[40];
  const auto sci = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  // The exponent decides the form: Python uses fixed notation for -4 <= exponent < 16.
  const char* e = static_cast<const char*>(std::memchr(buffer, 'e', static_cast<size_t>(sci.ptr - buffer)));
  int exponent = 0;
  std::from_chars(e[1] == '+' ? e + 2 : e + 1, sci.ptr, exponent);
  if (exponent < -4 || exponent >= 16) {
    out.append(buffer, static_cast<size_t>(sci.ptr - buffer));
    return;
  }
  char fixed[64];
  const auto fix = std::to_chars(fixed, fixed + sizeof fixed, value, std::chars_format::fixed);
  const std::string_view text(fixed, static_cast<size_t>(fix.ptr - fixed));
  out += text;
  if (text.find('.') == std::string_view::npos) out += ".0";
}

std::string pythonFloat(double value) {
  std::string out;
  appendPythonFloat(out, value);
  return out;
}

/// Length of the UTF-8 sequence at `at`, 0 when the bytes there are not UTF-8.
static size_t utf8Length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char c = byte(at);
  if (c < 0x80) return 1;
  const size_t n = c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
  if (n == 0 || at + n > text.size()) return 0;
  for (size_t i = 1; i < n; ++i)
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  if (c == 0xE0 && byte(at + 1) < 0xA0) return 0;
  if (c == 0xED && byte(at + 1) > 0x9F) return 0;  // surrogates
  if (c == 0xF0 && byte(at + 1) < 0x90) return 0;
  if (c == 0xF4 && byte(at + 1) > 0x8F) return 0;
  return n;
}

static void appendHex(std::string& out, unsigned value, int digits) {
  static const char kHex[] = "0123456789abcdef";
  for (int i = digits - 1; i >= 0; --i) out += kHex[value >> (4 * i) & 15];
}

void appendPythonString(std::string& out, std::string_view text) {
  const bool single = text.find('\'') != std::string_view::npos;
  const char quote = single && text.find('"') == std::string_view::npos ? '"' : '\'';
  out += quote;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    const unsigned char u = static_cast<unsigned char>(c);
    if (u >= 0x80) {
      const size_t n = utf8Length(text, i);
      if (n == 0) {
        out += "\\x";
        appendHex(out, u, 2);
        ++i;
      } else {
        out.append(text.substr(i, n));
        i += n;
      }
      continue;
    }
    ++i;
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (u < 0x20 || u == 0x7F) {
      out += "\\x";
      appendHex(out, u, 2);
    } else {
      out += c;
    }
  }
  out += quote;
}

std::string pythonString(std::string_view text) {
  std::string out;
  appendPythonString(out, text);
  return out;
}

std::string unescapePython(std::string_view body) {
  std::string out;
  out.reserve(body.size());
  for (size_t i = 0; i < body.size(); ++i) {
    // Escapes are rare: what stands before the next one is copied whole.
    const size_t escape = std::min(body.find('\\', i), body.size());
    out += body.substr(i, escape - i);
    i = escape;
    if (i + 1 >= body.size()) {
      out += body.substr(i);
      break;
    }
    const char c = body[++i];
    uint32_t code = 0;
    switch (c) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'r':
        out += '\r';
        break;
      case 'a':
        out += '\a';
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'v':
        out += '\v';
        break;
      case '\\':
      case '\'':
      case '"':
        out += c;
        break;
      case '\n':
        break;
      case 'x':
      case 'u':
      case 'U': {
        const int digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;
        if (readHex(body, i + 1, digits, code) && code <= 0x10FFFF && !(code >= 0xD800 && code < 0xE000)) {
          appendUtf8(out, code);
          i += static_cast<size_t>(digits);
        } else {
          out += '\\';
          out += c;
        }
        break;
      }
      default:
        if (c >= '0' && c <= '7') {
          size_t n = 0;
          while (n < 3 && i + n < body.size() && body[i + n] >= '0' && body[i + n] <= '7')
            code = code * 8 + static_cast<uint32_t>(body[i + n++] - '0');
          appendUtf8(out, code);
          i += n - 1;
        } else {
          out += '\\';
          out += c;
        }
    }
  }
  return out;
}

template <size_t N>
static bool isIn(const std::array<std::string_view, N>& sorted, std::string_view text) {
  return std::binary_search(sorted.begin(), sorted.end(), text);
}

bool isPythonKeyword(std::string_view text) {
  // keyword.kwlist of Python 3.11.
  static constexpr std::array<std::string_view, 35> kWords = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return isIn(kWords, text);
}

bool isPythonBuiltin(std::string_view text) {
  static constexpr std::array<std::string_view, 62> kNames = {
      "Ellipsis",   "abs",        "all",      "any",     "bin",     "bool",    "breakpoint", "bytearray",
      "bytes",      "callable",   "chr",      "complex", "delattr", "dict",    "dir",        "divmod",
      "enumerate",  "eval",       "exec",     "filter",  "float",   "format",  "frozenset",  "getattr",
      "globals",    "hasattr",    "hash",     "help",    "hex",     "id",      "input",      "int",
      "isinstance", "issubclass", "iter",     "len",     "list",    "locals",  "map",        "max",
      "min",        "next",       "object",   "oct",     "open",    "ord",     "pow",        "print",
      "range",      "repr",       "reversed", "round",   "set",     "setattr", "slice",      "sorted",
      "str",        "sum",        "super",    "tuple",   "type",    "zip"};
  return isIn(kNames, text);
}

bool isIdentifier(std::string_view text) {
  if (text.empty()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    if (!letter && !(i > 0 && c >= '0' && c <= '9')) return false;
  }
  return true;
}

std::string cleanUtf8(std::string_view text, size_t& bad) {
  std::string out;
  size_t from = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t n = utf8Length(text, i);
    if (n == 0) {
      out.append(text.substr(from, i - from));
      out += "\xEF\xBF\xBD";
      ++bad;
      from = ++i;
    } else {
      i += n;
    }
  }
  if (from == 0) return std::string(text);
  out.append(text.substr(from));
  return out;
}

}  // namespace descry::ir
