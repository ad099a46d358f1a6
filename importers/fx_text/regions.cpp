// Finds modules inside a text that may hold anything around them.
#include <algorithm>
#include <set>

#include "importers/fx_text/cut_mark.h"
#include "importers/fx_text/fx_text.h"

namespace descry::importers {

namespace {

struct Line {
  size_t begin, end;  // without the newline
  int indent;
  std::string_view text;  // without indentation
};

Line lineAt(std::string_view text, size_t from) {
  Line l{from, std::min(text.find('\n', from), text.size()), 0, {}};
  size_t at = from;
  while (at < l.end && (text[at] == ' ' || text[at] == '\t')) {
    l.indent += text[at] == '\t' ? 4 : 1;
    ++at;
  }
  l.text = text.substr(at, l.end - at);
  while (!l.text.empty() && (l.text.back() == ' ' || l.text.back() == '\r')) l.text.remove_suffix(1);
  return l;
}

/// `class X(torch.nn.Module):`, also with an origin in front.
bool isModuleClass(std::string_view s, std::string& name) {
  if (s.empty() || s.back() != ':') return false;
  size_t at = 0;
  if (!s.starts_with("class ")) {
    at = s.find(" class ");
    if (at == std::string_view::npos) return false;
    const std::string_view origin = s.substr(0, at);
    if (!(origin.starts_with("<eval_with_key>") || origin.ends_with(".py"))) return false;
    ++at;
  }
  const size_t open = s.find('(', at);
  if (open == std::string_view::npos || s.find("Module)", open) == std::string_view::npos) return false;
  name = std::string(s.substr(at + 6, open - at - 6));
  return !name.empty();
}

bool isBareForward(std::string_view s) {
  return s.starts_with("def forward(self") || s.starts_with("def forward(args");
}

constexpr int kMaxStringLines = 400;

/// The end of the line at `l`, or of a later one when a string in triple quotes, or the repr of a parameter,
/// reaches over several lines: those may stand at any column. A line that begins with the quotes opens or
/// closes a metadata block and counts as itself.
size_t logicalLineEnd(std::string_view text, const Line& l) {
  size_t end = l.end;
  if (l.text.ends_with("Parameter containing:") && end < text.size())
    end = std::min(text.find('\n', end + 1), text.size());
  const std::string_view line = text.substr(l.begin, l.end - l.begin);
  if (line.find("\"\"\"") == std::string_view::npos && line.find("'''") == std::string_view::npos) return end;
  if (l.text.starts_with("\"\"\"")) return end;
  for (size_t i = l.begin; i < end;) {
    const char c = text[i];
    if (c == '#') break;
    if (c != '"' && c != '\'') {
      ++i;
      continue;
    }
    if (i + 2 < text.size() && text[i + 1] == c && text[i + 2] == c) {
      size_t close = i + 3;
      for (int lines = 0; close < text.size() && lines <= kMaxStringLines; ++close) {
        if (text[close] == '\\')
          ++close;
        else if (text[close] == c && text.substr(close, 3) == text.substr(i, 3))
          break;
        else if (text[close] == '\n')
          ++lines;
      }
      if (text.substr(close < text.size() ? close : text.size(), 3) != text.substr(i, 3)) break;
      i = close + 3;
      if (i > end) end = std::min(text.find('\n', i), text.size());
      continue;
    }
    for (++i; i < end && text[i] != c; ++i)
      if (text[i] == '\\') ++i;
    ++i;
  }
  return end;
}

/// The end of the run of comment lines at `from`, 0 when other text than a blank line follows it.
size_t commentsOnlyEnd(std::string_view text, size_t from) {
  size_t at = from;
  while (at < text.size()) {
    const Line l = lineAt(text, at);
    if (l.text.empty()) break;
    if (l.text[0] != '#') return 0;
    at = std::min(l.end + 1, text.size());
  }
  return at;
}

/// Collects `X` of each `self.X` in a line.
void collectAttributes(std::string_view s, std::set<std::string, std::less<>>& out) {
  for (size_t at = s.find("self."); at != std::string_view::npos; at = s.find("self.", at)) {
    at += 5;
    size_t end = at;
    while (end < s.size() && (isalnum(static_cast<unsigned char>(s[end])) || s[end] == '_')) ++end;
    out.emplace(s.substr(at, end - at));
  }
}

}  // namespace

std::vector<FxRegion> findFxRegions(std::string_view text) {
  std::vector<FxRegion> out;
  uint32_t lineNo = 0;
  std::string banner;
  for (size_t at = 0; at < text.size();) {
    const Line l = lineAt(text, at);
    std::string name;
    const bool isClass = !l.text.empty() && isModuleClass(l.text, name);
    const bool bare = !isClass && isBareForward(l.text);
    if (!isClass && !bare) {
      if (l.text.starts_with("====") && l.text.ends_with("====")) {
        std::string_view b = l.text;
        while (!b.empty() && (b.front() == '=' || b.front() == ' ')) b.remove_prefix(1);
        while (!b.empty() && (b.back() == '=' || b.back() == ' ')) b.remove_suffix(1);
        if (!b.empty()) banner = std::string(b);
      } else if (!l.text.empty() && l.indent == 0 && l.text != "TRACED GRAPH" && !l.text.starts_with("#")) {
        banner.clear();
      }
      at = l.end + 1;
      ++lineNo;
      continue;
    }
    FxRegion region;
    region.begin = at;
    region.line = lineNo;
    region.title = !banner.empty() ? banner : bare ? "forward" : name;
    banner.clear();
    // The region lasts while lines are deeper than its first line. A text that lost its indentation lasts
    // until its return is complete, or until the next class.
    const int base = l.indent;
    bool lost = false, sawDef = bare, returned = false, first = true;
    int open = 0;
    std::set<std::string, std::less<>> attributes;  // of a text without indentation: names of its subgraphs
    size_t end = l.end + 1, next = l.end + 1;
    uint32_t line = lineNo + 1;
    uint32_t endLine = line;
    while (next <= text.size() && next < text.size()) {
      const Line m = lineAt(text, next);
      if (!returned && isCutMark(m.text)) {  // whatever its column
        next = m.end + 1;
        ++line;
        continue;
      }
      const size_t logical = logicalLineEnd(text, m);
      const bool blank = m.text.empty();
      const bool comment = !blank && m.text[0] == '#';
      if (!blank && !comment) {
        const bool startsDef = m.text.starts_with("def ");
        if (first && m.indent <= base && (startsDef || bare)) lost = true;
        if (m.indent <= base && !lost && open <= 0) {
          // A signature over several lines closes at the indentation of its `def`.
          if (!(bare && m.text.starts_with(")"))) break;
        }
        std::string inner;
        if (lost) {
          if (isModuleClass(m.text, inner) && sawDef) {
            const auto child = attributes.find(inner);
            if (child == attributes.end()) break;
            attributes.erase(child);
            returned = false;
            open = 0;
          } else if (returned && open <= 0) {
            break;
          }
          collectAttributes(m.text, attributes);
        }
        sawDef |= startsDef;
        if (m.text.starts_with("return")) returned = true;
        first = false;
        // Rough bracket balance: only used to see where a multi-line return or signature ends.
        if (returned || open > 0 || startsDef || m.text.starts_with(")")) {
          bool quote = false;
          char q = 0;
          for (char c : m.text) {
            if (quote) {
              if (c == q) quote = false;
            } else if (c == '\'' || c == '"') {
              quote = true;
              q = c;
            } else if (c == '#') {
              break;
            } else if (c == '(' || c == '[') {
              ++open;
            } else if (c == ')' || c == ']') {
              --open;
            }
          }
          if (open < 0) open = 0;
        }
      }
      next = logical + 1;
      line += 1 + static_cast<uint32_t>(std::count(text.begin() + static_cast<ptrdiff_t>(m.end),
                                                   text.begin() + static_cast<ptrdiff_t>(logical), '\n'));
      const bool graphId = comment && m.text.starts_with("# graph id:");
      if (!blank && (!comment || m.indent > base || lost || graphId)) {
        end = std::min(next, text.size());
        endLine = line;
      }
      if (comment && m.indent <= base && !lost && !graphId) {
        // Comments of the graph itself, which Descry prints below it: nothing may stand around them.
        if (returned && endLine + 1 == line && m.indent == base)
          if (const size_t below = commentsOnlyEnd(text, m.begin); below) {
            endLine += static_cast<uint32_t>(std::count(text.begin() + static_cast<ptrdiff_t>(m.begin),
                                                        text.begin() + static_cast<ptrdiff_t>(below), '\n'));
            end = below;
          }
        break;
      }
    }
    region.end = std::min(end, text.size());
    if (sawDef) out.push_back(std::move(region));
    at = std::max(end, l.end + 1);
    lineNo = endLine;
  }
  return out;
}

}  // namespace descry::importers
