#include "importers/common/clean_line.h"

namespace descry::importers {

namespace {

struct Replacement {
  std::string_view from, to;
};

constexpr Replacement kBlanks[] = {{"\xC2\xA0", " "},      // no-break space
                                   {"\xE2\x80\xAF", " "},  // narrow no-break space
                                   {"\xE2\x80\x87", " "},  // figure space
                                   {"\xE2\x80\x8B", ""},   // zero width space
                                   {"\xE2\x81\xA0", ""}};  // word joiner
constexpr Replacement kDoubleQuotes[] = {
    {"\xE2\x80\x9C", "\""}, {"\xE2\x80\x9D", "\""}, {"\xE2\x80\x9E", "\""}, {"\xE2\x80\x9F", "\""}};
constexpr Replacement kSingleQuotes[] = {
    {"\xE2\x80\x98", "'"}, {"\xE2\x80\x99", "'"}, {"\xE2\x80\x9A", "'"}, {"\xE2\x80\x9B", "'"}};
constexpr Replacement kHtml[] = {{"&lt;", "<"},   {"&gt;", ">"},   {"&quot;", "\""}, {"&#34;", "\""},
                                 {"&#39;", "'"},  {"&#x27;", "'"}, {"&apos;", "'"},  {"&nbsp;", " "},
                                 {"&#160;", " "}, {"&amp;", "&"}};

/// `[31mf32[0m`: colours that lost their escape byte when they were copied. Only the codes that PyTorch
/// prints, and only in lines that hold `[0m`, which no list of Python is.
constexpr std::string_view kBareColours[] = {"[0m",  "[2m",  "[30m", "[31m", "[32m",
                                             "[33m", "[34m", "[35m", "[36m", "[37m"};

/// Length of `\x1b[31m` and the like at the start of `s`, 0 when there is none.
size_t escapeLength(std::string_view s) {
  if (!s.starts_with("\x1b[")) return 0;
  size_t i = 2;
  while (i < s.size() && ((s[i] >= '0' && s[i] <= '9') || s[i] == ';')) ++i;
  const bool letter = i < s.size() && ((s[i] >= 'A' && s[i] <= 'Z') || (s[i] >= 'a' && s[i] <= 'z'));
  return letter ? i + 1 : 0;
}

/// What a line needs; worked out once, so that each character costs a look at its first byte.
struct Needs {
  bool bare = false, wide = false, doubles = false, singles = false, html = false;

  /// Sets `length` and `to` when something that is left out or replaced starts `s`.
  bool at(std::string_view s, size_t& length, std::string_view& to) const {
    const auto among = [&](const auto& table) {
      for (const Replacement& r : table)
        if (s.starts_with(r.from)) {
          length = r.from.size();
          to = r.to;
          return true;
        }
      return false;
    };
    switch (s[0]) {
      case '\x1b':
        to = {};
        return (length = escapeLength(s)) != 0;
      case '[':
        if (!bare) return false;
        for (const std::string_view code : kBareColours)
          if (s.starts_with(code)) {
            length = code.size();
            to = {};
            return true;
          }
        return false;
      case '&':
        return html && among(kHtml);
      case '\xC2':
      case '\xE2':
        return wide &&
               (among(kBlanks) || (doubles && among(kDoubleQuotes)) || (singles && among(kSingleQuotes)));
      default:
        return false;
    }
  }
};

}  // namespace

void appendCleanLine(std::string& out, std::string_view raw, bool html, std::vector<LineShift>* shifts) {
  while (raw.ends_with('\r')) raw.remove_suffix(1);
  const bool escape = raw.find('\x1b') != std::string_view::npos;
  Needs needs;
  needs.bare = raw.find("[0m") != std::string_view::npos;
  needs.wide = raw.find_first_of("\xC2\xE2") != std::string_view::npos;
  needs.html = html && raw.find('&') != std::string_view::npos;
  if (!escape && !needs.bare && !needs.wide && !needs.html) {
    out += raw;
    return;
  }
  needs.doubles = raw.find('"') == std::string_view::npos;
  needs.singles = raw.find('\'') == std::string_view::npos;
  const size_t begin = out.size();
  for (size_t i = 0; i < raw.size();) {
    size_t length = 0;
    std::string_view to;
    if (!needs.at(raw.substr(i), length, to)) {
      out += raw[i++];
      continue;
    }
    out += to;
    i += length;
    if (!shifts) continue;
    // Two cuts in a row: the later one says where the text goes on.
    const LineShift shift{static_cast<uint32_t>(out.size() - begin), static_cast<uint32_t>(i)};
    if (!shifts->empty() && shifts->back().clean == shift.clean)
      shifts->back() = shift;
    else
      shifts->push_back(shift);
  }
}

bool pastedFromPage(std::string_view head) {
  for (const std::string_view blank : {std::string_view("\xC2\xA0"), std::string_view("\xE2\x80\xAF")})
    for (const std::string_view word : {"class", "def", "return"})
      for (size_t at = head.find(word); at != std::string_view::npos; at = head.find(word, at + 1)) {
        if (head.substr(at + word.size()).starts_with(blank)) return true;
        if (at >= blank.size() && head.substr(at - blank.size()).starts_with(blank)) return true;
      }
  // “f32[2, 3]”, “Sym(s0)”
  static constexpr std::string_view kQuote = "\xE2\x80\x9C";
  for (size_t at = head.find(kQuote); at != std::string_view::npos; at = head.find(kQuote, at + 1)) {
    std::string_view rest = head.substr(at + kQuote.size());
    if (rest.starts_with("Sym(")) return true;
    size_t n = 0;
    while (n < rest.size() && ((rest[n] >= 'a' && rest[n] <= 'z') || (rest[n] >= '0' && rest[n] <= '9'))) ++n;
    if (n >= 2 && n < rest.size() && rest[n] == '[') return true;
  }
  return false;
}

}  // namespace descry::importers
