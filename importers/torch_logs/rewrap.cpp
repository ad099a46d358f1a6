#include "importers/torch_logs/rewrap.h"

#include <string>
#include <unordered_set>

namespace descry::importers {

namespace {

bool wordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view withoutEnd(std::string_view s) {
  const size_t last = s.find_last_not_of(" \t\r");
  return s.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// What cannot be the rest of a broken line.
bool startsSomething(std::string_view s) {
  for (const std::string_view start :
       {"class ", "def ", "return ", "return(", "#", "@", "```", "~~~", "===", "---", "<", "ExportedProgram",
        "Graph signature:", "Range constraints:", "Traceback"})
    if (s.starts_with(start)) return true;
  return s == "return";
}

/// Reads the lines of one function and knows where the last statement stands.
class Statement {
 public:
  /// The line begins a new statement, or goes on with the last one.
  void add(std::string_view line, bool goesOn) {
    if (!goesOn && depth_ == 0) {
      quote_ = 0;
      comment_ = false;
    }
    if (!goesOn && comment_) comment_ = false;
    for (size_t i = 0; i < line.size() && !comment_; ++i) {
      const char c = line[i];
      if (quote_) {
        if (c == '\\')
          ++i;
        else if (c == quote_)
          quote_ = 0;
      } else if (c == '\'' || c == '"') {
        quote_ = c;
      } else if (c == '#') {
        comment_ = true;
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth_;
      } else if ((c == ')' || c == ']' || c == '}') && depth_ > 0) {
        --depth_;
      }
    }
    const std::string_view s = withoutEnd(line);
    last_ = s.empty() ? '\0' : s.back();
  }
  void reset() { *this = {}; }

  bool inString() const { return quote_ != 0; }
  bool inComment() const { return comment_; }
  /// `next` may be the rest of it.
  bool unfinished(std::string_view next) const {
    if (comment_ || quote_ || depth_ > 0) return true;
    static constexpr std::string_view kOpen = ",=+-*/%@&|^~<;.\\";
    if (last_ && kOpen.find(last_) != std::string_view::npos) return true;
    return next.starts_with("= ") || next.starts_with("; ") || next.starts_with(")");
  }

 private:
  int depth_ = 0;
  char quote_ = 0, last_ = 0;
  bool comment_ = false;
};

}  // namespace

std::vector<LineJoin> findBrokenLines(const std::vector<std::string_view>& lines) {
  std::vector<LineJoin> out;
  std::unordered_set<std::string_view> known;  // names seen so far, to tell `addit` + `ion_of` from two words
  const auto learn = [&](std::string_view line) {
    for (size_t i = 0; i < line.size();) {
      size_t end = i;
      while (end < line.size() && wordChar(line[end])) ++end;
      // A word at the end of a line may be half a word.
      if (end > i && end < line.size()) known.insert(line.substr(i, end - i));
      i = std::max(end, i + 1);
    }
  };
  Statement statement;
  bool inside = false;  // a function that is indented
  for (size_t k = 0; k < lines.size(); ++k) {
    const std::string_view line = lines[k];
    const size_t indent = line.find_first_not_of(" \t");
    if (indent == std::string_view::npos || line[indent] == '\r') {
      if (inside && !statement.inComment()) statement.add(line, false);
      continue;
    }
    const std::string_view text = line.substr(indent);
    if (indent > 0) {
      if (text.starts_with("def ")) {
        inside = true;
        statement.reset();
      }
      if (inside) {
        statement.add(line, false);
        learn(line);
      }
      continue;
    }
    if (!inside) continue;
    const std::string_view before = k ? lines[k - 1] : std::string_view();
    const bool follows = before.find_first_not_of(" \t\r") != std::string_view::npos;
    if (!follows || startsSomething(text) || !statement.unfinished(text)) {
      inside = false;
      continue;
    }
    LineJoin join = LineJoin::Direct;
    if (statement.inComment()) {
      join = LineJoin::Blank;
    } else if (statement.inString()) {
      // Programs break strings at a blank, which goes lost, or anywhere when there is none.
      if (withoutEnd(before).ends_with(',')) join = LineJoin::Blank;
    } else if (wordChar(before.back()) && wordChar(text[0])) {
      size_t a = before.size();
      while (a > 0 && wordChar(before[a - 1])) --a;
      size_t b = 0;
      while (b < text.size() && wordChar(text[b])) ++b;
      const std::string whole = std::string(before.substr(a)) + std::string(text.substr(0, b));
      if (!known.contains(whole)) join = LineJoin::Blank;
    }
    if (out.empty()) out.assign(lines.size(), LineJoin::No);
    out[k] = join;
    statement.add(line, true);
    learn(line);
  }
  return out;
}

}  // namespace descry::importers
