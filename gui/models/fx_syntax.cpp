#include "gui/models/fx_syntax.h"

#include <algorithm>
#include <array>

namespace descry::gui {
namespace {

constexpr std::array<std::string_view, 12> kKeywords = {"class",  "def",  "return", "None", "True", "False",
                                                        "import", "from", "pass",   "with", "for",  "in"};

bool wordStart(unsigned char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
}
bool digit(unsigned char c) {
  return c >= '0' && c <= '9';
}
bool wordPart(unsigned char c) {
  return wordStart(c) || digit(c);
}

}  // namespace

std::vector<TextSpan> fxSpans(std::string_view line) {
  std::vector<TextSpan> spans;
  auto add = [&](size_t begin, size_t end, SpanKind kind) {
    if (end <= begin) return;
    if (!spans.empty() && spans.back().kind == kind && kind == SpanKind::Plain) {
      spans.back().length += static_cast<uint32_t>(end - begin);
      return;
    }
    spans.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end - begin), kind});
  };
  const size_t n = line.size();
  const size_t indent = std::min(line.find_first_not_of(' '), n);
  // The name before the first '=' or ':' at the start of a statement or parameter line.
  size_t nameEnd = indent;
  while (nameEnd < n && wordPart(static_cast<unsigned char>(line[nameEnd]))) ++nameEnd;
  size_t after = nameEnd;
  while (after < n && line[after] == ' ') ++after;
  const bool defines = nameEnd > indent && after < n &&
                       (line[after] == ':' || line[after] == ',' ||
                        (line[after] == '=' && (after + 1 == n || line[after + 1] != '=')));
  bool annotation = false;
  size_t at = 0;
  while (at < n) {
    const char c = line[at];
    if (c == '#') {
      add(at, n, SpanKind::Comment);
      break;
    }
    if (c == '"' || c == '\'') {
      size_t end = at + 1;
      while (end < n && line[end] != c) end += line[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, n);
      add(at, end, annotation ? SpanKind::Type : SpanKind::String);
      annotation = false;
      at = end;
      continue;
    }
    if (wordStart(static_cast<unsigned char>(c))) {
      size_t end = at;
      while (end < n && wordPart(static_cast<unsigned char>(line[end]))) ++end;
      const std::string_view word = line.substr(at, end - at);
      const bool keyword = std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
      const bool dotted = at > 0 && line[at - 1] == '.';
      add(at, end,
          keyword && !dotted        ? SpanKind::Keyword
          : at == indent && defines ? SpanKind::Name
                                    : SpanKind::Plain);
      annotation = false;
      at = end;
      continue;
    }
    if (digit(static_cast<unsigned char>(c))) {
      size_t end = at;
      while (end < n && (wordPart(static_cast<unsigned char>(line[end])) || line[end] == '.')) ++end;
      add(at, end, SpanKind::Number);
      at = end;
      continue;
    }
    if (c == ':')
      annotation = true;
    else if (c != ' ')
      annotation = false;
    add(at, at + 1, SpanKind::Plain);
    ++at;
  }
  return spans;
}

}  // namespace descry::gui
