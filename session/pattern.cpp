#include "session/pattern.h"

#include <algorithm>
#include <bitset>
#include <cctype>

namespace descry::session {

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

bool wildcardMatch(std::string_view pattern, std::string_view text, bool ignoreCase) {
  size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    const char c = ignoreCase ? lower(text[t]) : text[t];
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == c)) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

using CharSet = std::bitset<256>;

/// Thompson's construction: each step follows all alternatives at once, so no text makes it slow.
struct Pattern::Program {
  enum class Op : uint8_t { Set, Split, Jump, Begin, End, Accept };
  struct Step {
    Op op;
    uint32_t a = 0, b = 0;  // Set: index of the set; Split, Jump: targets
  };
  std::vector<Step> steps;
  std::vector<CharSet> sets;
};

class RegexCompiler {
 public:
  RegexCompiler(std::string_view text, bool ignoreCase) : text_(text), ignoreCase_(ignoreCase) {}

  ir::Result<Pattern> run() {
    const int root = alternatives(0);
    if (error_.empty() && at_ < text_.size()) fail("')' without '('");
    if (error_.empty()) emit(root, 0);
    if (!error_.empty()) {
      ir::Diagnostic d = ir::failure("regex-syntax", error_);
      d.loc.column = static_cast<uint32_t>(errorAt_ + 1);
      return d;
    }
    program_->steps.push_back({Op::Accept});
    Pattern out;
    out.kind_ = Pattern::Kind::Regex;
    out.program_ = program_;
    return out;
  }

 private:
  using Op = Pattern::Program::Op;
  static constexpr int kMaxDepth = 50;
  static constexpr size_t kMaxSteps = 5000;
  enum class Kind : uint8_t { Empty, Set, Begin, End, Concat, Alternate, Repeat };
  struct Node {
    Kind kind = Kind::Empty;
    uint32_t set = 0;
    int min = 0, max = 0;  // Repeat; max -1: no limit
    std::vector<int> children;
  };

  int fail(std::string message) {
    if (error_.empty()) {
      error_ = std::move(message);
      errorAt_ = at_;
    }
    return add({});
  }
  int add(Node node) {
    nodes_.push_back(std::move(node));
    return static_cast<int>(nodes_.size()) - 1;
  }
  int addSet(CharSet set) {
    if (ignoreCase_) {
      for (int c = 'a'; c <= 'z'; ++c) {
        if (set[static_cast<size_t>(c)] || set[static_cast<size_t>(c - 32)])
          set[static_cast<size_t>(c)] = set[static_cast<size_t>(c - 32)] = true;
      }
    }
    Node n;
    n.kind = Kind::Set;
    n.set = static_cast<uint32_t>(program_->sets.size());
    program_->sets.push_back(set);
    return add(std::move(n));
  }
  bool more() const { return at_ < text_.size(); }

  int alternatives(int depth) {
    if (depth > kMaxDepth) return fail("nested too deep");
    Node n;
    n.kind = Kind::Alternate;
    n.children.push_back(sequence(depth));
    while (error_.empty() && more() && text_[at_] == '|') {
      ++at_;
      n.children.push_back(sequence(depth));
    }
    return n.children.size() == 1 ? n.children[0] : add(std::move(n));
  }

  int sequence(int depth) {
    Node n;
    n.kind = Kind::Concat;
    while (error_.empty() && more() && text_[at_] != '|' && text_[at_] != ')')
      n.children.push_back(repeat(depth));
    return add(std::move(n));
  }

  int repeat(int depth) {
    int item = atom(depth);
    for (int times = 0; error_.empty() && more(); ++times) {
      Node n;
      n.kind = Kind::Repeat;
      const char c = text_[at_];
      if (c == '*')
        n.min = 0, n.max = -1;
      else if (c == '+')
        n.min = 1, n.max = -1;
      else if (c == '?')
        n.min = 0, n.max = 1;
      else if (c == '{' && at_ + 1 < text_.size() && isdigit(static_cast<unsigned char>(text_[at_ + 1]))) {
        ++at_;
        n.min = n.max = number();
        if (more() && text_[at_] == ',') {
          ++at_;
          n.max = more() && text_[at_] == '}' ? -1 : number();
        }
        if (!more() || text_[at_] != '}') return fail("'{' without '}'");
        if (n.min > 200 || n.max > 200 || (n.max >= 0 && n.max < n.min)) return fail("bad repeat count");
      } else {
        break;
      }
      if (times >= 4) return fail("too many repeats of repeats");
      ++at_;
      n.children.push_back(item);
      item = add(std::move(n));
    }
    return item;
  }

  int number() {
    int n = 0;
    while (more() && isdigit(static_cast<unsigned char>(text_[at_])))
      n = std::min(n * 10 + (text_[at_++] - '0'), 10000);
    return n;
  }

  static CharSet classOf(char c) {
    CharSet s;
    for (int i = 0; i < 256; ++i) {
      const bool digit = i >= '0' && i <= '9';
      const bool word = digit || (i >= 'a' && i <= 'z') || (i >= 'A' && i <= 'Z') || i == '_';
      const bool space = i == ' ' || (i >= 9 && i <= 13);
      const bool in = lower(c) == 'd' ? digit : lower(c) == 'w' ? word : space;
      s[static_cast<size_t>(i)] = in != (c == 'D' || c == 'W' || c == 'S');
    }
    return s;
  }
  static bool isClass(char c) { return std::string_view("dwsDWS").find(c) != std::string_view::npos; }
  static char escaped(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : c; }

  int atom(int depth) {
    const char c = text_[at_++];
    CharSet s;
    switch (c) {
      case '(': {
        if (at_ + 1 < text_.size() && text_[at_] == '?' && text_[at_ + 1] == ':') at_ += 2;
        const int inner = alternatives(depth + 1);
        if (!more()) return fail("'(' without ')'");
        ++at_;
        return inner;
      }
      case '[':
        return bracket();
      case '.':
        s.set();
        return addSet(s);
      case '^': {
        Node n;
        n.kind = Kind::Begin;
        return add(n);
      }
      case '$': {
        Node n;
        n.kind = Kind::End;
        return add(n);
      }
      case '*':
      case '+':
      case '?':
        --at_;
        return fail("nothing to repeat");
      case '\\':
        if (!more()) return fail("'\\' at the end");
        if (isClass(text_[at_])) return addSet(classOf(text_[at_++]));
        s.set(static_cast<unsigned char>(escaped(text_[at_++])));
        return addSet(s);
      default:
        s.set(static_cast<unsigned char>(c));
        return addSet(s);
    }
  }

  int bracket() {
    CharSet s;
    const bool invert = more() && text_[at_] == '^';
    if (invert) ++at_;
    bool first = true;
    while (more() && (text_[at_] != ']' || first)) {
      first = false;
      char lo = text_[at_++];
      if (lo == '\\' && more()) {
        if (isClass(text_[at_])) {
          s |= classOf(text_[at_++]);
          continue;
        }
        lo = escaped(text_[at_++]);
      }
      char hi = lo;
      if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
        ++at_;
        hi = text_[at_++];
        if (hi == '\\' && more()) hi = escaped(text_[at_++]);
      }
      for (int i = static_cast<unsigned char>(lo); i <= static_cast<unsigned char>(hi); ++i)
        s.set(static_cast<size_t>(i));
    }
    if (!more()) return fail("'[' without ']'");
    ++at_;
    if (invert) s.flip();
    return addSet(s);
  }

  void emit(int index, int depth) {
    auto& steps = program_->steps;
    if (steps.size() > kMaxSteps) {
      fail("pattern too large");
      return;
    }
    const Node n = nodes_[static_cast<size_t>(index)];
    auto here = [&] { return static_cast<uint32_t>(steps.size()); };
    switch (n.kind) {
      case Kind::Empty:
        break;
      case Kind::Set:
        steps.push_back({Op::Set, n.set});
        break;
      case Kind::Begin:
        steps.push_back({Op::Begin});
        break;
      case Kind::End:
        steps.push_back({Op::End});
        break;
      case Kind::Concat:
        for (int c : n.children) emit(c, depth + 1);
        break;
      case Kind::Alternate: {
        std::vector<uint32_t> ends;
        for (size_t i = 0; i < n.children.size(); ++i) {
          if (i + 1 == n.children.size()) {
            emit(n.children[i], depth + 1);
            break;
          }
          const uint32_t split = here();
          steps.push_back({Op::Split, split + 1, 0});
          emit(n.children[i], depth + 1);
          ends.push_back(here());
          steps.push_back({Op::Jump});
          steps[split].b = here();
        }
        for (uint32_t e : ends) steps[e].a = here();
        break;
      }
      case Kind::Repeat: {
        for (int i = 0; i < n.min && error_.empty(); ++i) emit(n.children[0], depth + 1);
        if (n.max < 0) {
          const uint32_t split = here();
          steps.push_back({Op::Split, split + 1, 0});
          emit(n.children[0], depth + 1);
          steps.push_back({Op::Jump, split});
          steps[split].b = here();
        } else {
          std::vector<uint32_t> splits;
          for (int i = n.min; i < n.max && error_.empty(); ++i) {
            splits.push_back(here());
            steps.push_back({Op::Split, here() + 1, 0});
            emit(n.children[0], depth + 1);
          }
          for (uint32_t s : splits) steps[s].b = here();
        }
        break;
      }
    }
  }

  std::string_view text_;
  bool ignoreCase_;
  size_t at_ = 0, errorAt_ = 0;
  std::string error_;
  std::vector<Node> nodes_;
  std::shared_ptr<Pattern::Program> program_ = std::make_shared<Pattern::Program>();
};

Pattern Pattern::wildcard(std::string_view text, bool ignoreCase) {
  Pattern p;
  p.kind_ = Kind::Wildcard;
  p.ignoreCase_ = ignoreCase;
  p.text_ = ignoreCase ? lowered(text) : std::string(text);
  return p;
}

Pattern Pattern::contains(std::string_view text, bool ignoreCase) {
  Pattern p;
  p.kind_ = Kind::Contains;
  p.ignoreCase_ = ignoreCase;
  p.text_ = ignoreCase ? lowered(text) : std::string(text);
  return p;
}

ir::Result<Pattern> Pattern::regex(std::string_view text, bool ignoreCase) {
  return RegexCompiler(text, ignoreCase).run();
}

bool Pattern::matches(std::string_view text) const {
  if (kind_ == Kind::Wildcard) return wildcardMatch(text_, text, ignoreCase_);
  if (kind_ == Kind::Contains) {
    if (text_.empty()) return true;
    if (!ignoreCase_) return text.find(text_) != std::string_view::npos;
    if (text.size() < text_.size()) return false;
    for (size_t i = 0; i + text_.size() <= text.size(); ++i) {
      size_t k = 0;
      while (k < text_.size() && lower(text[i + k]) == text_[k]) ++k;
      if (k == text_.size()) return true;
    }
    return false;
  }
  const Program& program = *program_;
  std::vector<uint32_t> mark(program.steps.size(), 0), now, next, stack;
  uint32_t round = 0;
  auto follow = [&](std::vector<uint32_t>& list, uint32_t start, size_t position) {
    stack.push_back(start);
    bool accepted = false;
    while (!stack.empty()) {
      const uint32_t at = stack.back();
      stack.pop_back();
      if (mark[at] == round) continue;
      mark[at] = round;
      const Program::Step& s = program.steps[at];
      switch (s.op) {
        case Program::Op::Jump:
          stack.push_back(s.a);
          break;
        case Program::Op::Split:
          stack.push_back(s.b);
          stack.push_back(s.a);
          break;
        case Program::Op::Begin:
          if (position == 0) stack.push_back(at + 1);
          break;
        case Program::Op::End:
          if (position == text.size()) stack.push_back(at + 1);
          break;
        case Program::Op::Accept:
          accepted = true;
          break;
        case Program::Op::Set:
          list.push_back(at);
          break;
      }
    }
    return accepted;
  };
  for (size_t i = 0; i <= text.size(); ++i) {
    ++round;
    bool accepted = follow(next, 0, i);  // a match may start anywhere
    for (uint32_t at : now) {
      if (i == 0) break;
      if (program.sets[program.steps[at].a][static_cast<unsigned char>(text[i - 1])])
        accepted = follow(next, at + 1, i) || accepted;
    }
    if (accepted) return true;
    now.swap(next);
    next.clear();
  }
  return false;
}

}  // namespace descry::session
