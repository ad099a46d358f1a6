#include "importers/fx_text/cut_mark.h"

#include <algorithm>
#include <array>
#include <string>

namespace descry::importers {

namespace {

constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
constexpr std::string_view kAround = " \t\r.[](){}<>-*";

/// `1234 more lines`, `lines omitted`, `output truncated`: words of this kind only, and one that says so.
bool saysCut(std::string_view text) {
  static constexpr std::array<std::string_view, 11> kCut{"truncated", "snip",    "snipped", "cut",
                                                         "omitted",   "skipped", "elided",  "hidden",
                                                         "more",      "removed", "clipped"};
  static constexpr std::array<std::string_view, 8> kOther{"line",  "lines", "output", "text",
                                                          "nodes", "here",  "rows",   "and"};
  bool cut = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    std::string word(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (word.empty() || word.find_first_not_of("0123456789,") == std::string::npos) continue;
    if (std::find(kCut.begin(), kCut.end(), word) != kCut.end())
      cut = true;
    else if (std::find(kOther.begin(), kOther.end(), word) == kOther.end())
      return false;
  }
  return cut;
}

}  // namespace

bool isCutMark(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  if (line.empty() || line.size() > 120) return false;
  // What begins like this is no statement that FX prints.
  if (line.front() != '.' && line.front() != '[' && line.front() != '<' && line.front() != '(' &&
      line.front() != '-' && !line.starts_with(kEllipsis))
    return false;
  std::string text(line);
  bool dots = text.find("...") != std::string::npos;
  for (size_t at; (at = text.find(kEllipsis)) != std::string::npos; dots = true) text.replace(at, 3, " ");
  const size_t from = text.find_first_not_of(kAround);
  if (from == std::string::npos) return dots;
  return saysCut(std::string_view(text).substr(from, text.find_last_not_of(kAround) - from + 1));
}

}  // namespace descry::importers
