#include "importers/torch_trace/header_scan.h"

#include <charconv>
#include <cstring>

#include "importers/common/json_escape.h"

namespace descry::importers {
namespace {

bool digit(char c) {
  return c >= '0' && c <= '9';
}
bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void skipBlanks(std::string_view s, size_t& i) {
  while (i < s.size() && blank(s[i])) ++i;
}

/// `i` stands on the opening quote; after success behind the closing one.
bool skipString(std::string_view s, size_t& i) {
  size_t from = i + 1;
  while (true) {
    const void* hit = from < s.size() ? std::memchr(s.data() + from, '"', s.size() - from) : nullptr;
    if (!hit) {
      i = s.size();
      return false;
    }
    const size_t at = static_cast<const char*>(hit) - s.data();
    size_t slashes = 0;
    while (at - slashes > i + 1 && s[at - slashes - 1] == '\\') ++slashes;
    if (slashes % 2 == 0) {
      i = at + 1;
      return true;
    }
    from = at + 1;
  }
}

bool skipScalar(std::string_view s, size_t& i) {
  const size_t begin = i;
  while (i < s.size() && (digit(s[i]) || s[i] == '-' || s[i] == '+' || s[i] == '.' ||
                          (s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z')))
    ++i;
  const std::string_view word = s.substr(begin, i - begin);
  if (word.empty()) return false;
  // Python's json also writes NaN and Infinity.
  if (digit(word[0]) || word[0] == '-') return true;
  if (word == "true" || word == "false" || word == "null" || word == "NaN" || word == "Infinity") return true;
  i = begin;
  return false;
}

/// Behind one value of any kind. Nesting is counted, not recursed into.
bool skipValue(std::string_view s, size_t& i) {
  if (i >= s.size()) return false;
  if (s[i] == '"') return skipString(s, i);
  if (s[i] != '{' && s[i] != '[') return skipScalar(s, i);
  size_t curly = 0, square = 0;
  while (i < s.size()) {
    switch (s[i]) {
      case '"':
        if (!skipString(s, i)) return false;
        continue;
      case '{':
        ++curly;
        break;
      case '[':
        ++square;
        break;
      case '}':
        if (curly == 0) return false;
        --curly;
        break;
      case ']':
        if (square == 0) return false;
        --square;
        break;
      default:
        break;
    }
    ++i;
    if (curly == 0 && square == 0) return true;
  }
  return false;
}

/// Calls f(key, value) for the members of the object at the start of `s`; f returns false to stop early.
template <class F>
bool forEachMember(std::string_view s, size_t& i, F&& f) {
  skipBlanks(s, i);
  if (i >= s.size() || s[i] != '{') return false;
  ++i;
  skipBlanks(s, i);
  if (i < s.size() && s[i] == '}') {
    ++i;
    return true;
  }
  while (true) {
    skipBlanks(s, i);
    if (i >= s.size() || s[i] != '"') return false;
    const size_t keyAt = i;
    if (!skipString(s, i)) return false;
    const std::string_view key = s.substr(keyAt + 1, i - keyAt - 2);
    skipBlanks(s, i);
    if (i >= s.size() || s[i] != ':') return false;
    ++i;
    skipBlanks(s, i);
    const size_t valueAt = i;
    if (!skipValue(s, i)) return false;
    if (!f(key, s.substr(valueAt, i - valueAt))) return true;
    skipBlanks(s, i);
    if (i >= s.size()) return false;
    if (s[i] == '}') {
      ++i;
      return true;
    }
    if (s[i] != ',') return false;
    ++i;
  }
}

std::optional<int64_t> integer(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

bool scanHeaderPrefix(std::string_view s, size_t& jsonAt) {
  // Shortest: V0822 14:00:48.899000 1 a:1] {
  if (s.size() < 30 || !std::strchr("VIWEC", s[0]) || s[0] == '\0') return false;
  static constexpr std::string_view kShape = "x#### ##:##:##.###### ";
  for (size_t i = 1; i < kShape.size(); ++i)
    if (kShape[i] == '#' ? !digit(s[i]) : s[i] != kShape[i]) return false;
  size_t i = kShape.size();
  const size_t number = i;
  while (i < s.size() && digit(s[i])) ++i;
  if (i == number || i >= s.size() || s[i] != ' ') return false;
  const size_t path = ++i;
  while (true) {
    const size_t close = s.find("] {", i);
    if (close == std::string_view::npos) return false;
    size_t d = close;
    while (d > path && digit(s[d - 1])) --d;
    if (d != close && d > path + 1 && s[d - 1] == ':') {
      jsonAt = close + 2;
      return true;
    }
    i = close + 1;
  }
}

bool scanHeaderJson(std::string_view json, HeaderFields& out, size_t& errorAt) {
  size_t i = 0;
  const bool ok = forEachMember(json, i, [&](std::string_view key, std::string_view value) {
    const char first = key.empty() ? '\0' : key[0];
    switch (first) {
      case 'r':
        if (key == "rank") return out.rank = integer(value), true;
        break;
      case 'c':
        if (key == "compiled_autograd_id") return out.compiledAutograd = integer(value), true;
        break;
      case 'f':
        if (key == "frame_id") return out.frame = integer(value), true;
        if (key == "frame_compile_id") return out.frameCompile = integer(value), true;
        break;
      case 'a':
        if (key == "attempt") return out.attempt = integer(value), true;
        break;
      case 'h':
        if (key == "has_payload") {
          out.hasPayload = true;
          if (value.size() >= 2 && value[0] == '"') out.hash = value.substr(1, value.size() - 2);
          return true;
        }
        break;
      case 's':
        if (key == "stack" || key == "severity") return true;
        break;
      case 't':
        if (key == "timestamp" || key == "thread") return true;
        break;
      case 'p':
        if (key == "pathname" || key == "process") return true;
        break;
      case 'l':
        if (key == "lineno") return true;
        break;
      default:
        break;
    }
    if (out.kind.empty()) {
      out.kind = key;
      out.value = value;
    }
    return true;
  });
  errorAt = i;
  if (!ok) return false;
  skipBlanks(json, i);
  errorAt = i;
  return i == json.size();
}

std::optional<std::string> jsonStringField(std::string_view object, std::string_view wanted) {
  std::optional<std::string> found;
  size_t i = 0;
  forEachMember(object, i, [&](std::string_view key, std::string_view value) {
    if (key != wanted) return true;
    if (value.size() >= 2 && value[0] == '"') found = unescapeJson(value.substr(1, value.size() - 2));
    return false;
  });
  return found;
}

std::optional<int64_t> jsonIntField(std::string_view object, std::string_view wanted) {
  std::optional<int64_t> found;
  size_t i = 0;
  forEachMember(object, i, [&](std::string_view key, std::string_view value) {
    if (key != wanted) return true;
    found = integer(value);
    return false;
  });
  return found;
}

bool jsonDepthBelow(std::string_view text, int limit) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      if (!skipString(text, i)) return true;  // not closed: the parser will say so
      --i;
    } else if (c == '{' || c == '[') {
      if (++depth > limit) return false;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return true;
}

}  // namespace descry::importers
