#include "session/query_syntax.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "ir/analysis/boundary.h"
#include "ir/analysis/phases.h"

namespace descry::session {

namespace {

constexpr int kMaxDepth = 100;
constexpr size_t kMaxLength = 20000;
constexpr uint32_t kMaxDistance = 1000;

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t next = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = row[j];
      row[j] = next;
    }
  }
  return row[b.size()];
}

std::string nearestField(std::string_view name) {
  std::string best;
  size_t distance = std::min<size_t>(3, name.size());
  if (name.size() > 40) return best;
  for (const FieldInfo& f : fieldTable()) {
    const size_t d = editDistance(name, f.name);
    if (d < distance) {
      distance = d;
      best = f.name;
    }
  }
  return best;
}

/// Fields of the language that need facts which no graph text holds.
const char* laterField(std::string_view name) {
  struct Later {
    std::string_view name;
    const char* why;
  };
  static constexpr Later kLater[] = {
      {"flops", "needs a cost model"},     {"alias", "needs alias analysis"},
      {"fusion", "needs fusion planning"}, {"pass", "needs a pass history"},
      {"edits", "needs a pass history"},   {"badge", "is kept by the inspector"},
      {"note", "is kept by the inspector"}};
  for (const Later& l : kLater)
    if (l.name == name) return l.why;
  return nullptr;
}

/// All values of a field that has a closed set of them; empty for the others.
std::vector<std::string_view> knownValues(FieldId field) {
  if (field == FieldId::Phase) return {"forward", "backward", "either", "none"};
  if (field == FieldId::State) return {"added", "removed", "changed", "moved", "renamed", "same"};
  if (field != FieldId::Kind) return {};
  std::vector<std::string_view> out;
  for (int i = 0; i <= static_cast<int>(ir::NodeRole::Random); ++i)
    out.push_back(ir::roleName(static_cast<ir::NodeRole>(i)));
  for (int i = 0; i <= static_cast<int>(ir::OpKind::Output); ++i)
    out.push_back(ir::opKindName(static_cast<ir::OpKind>(i)));
  for (int i = 0; i <= static_cast<int>(ir::BoundaryKind::ConstantOutput); ++i)
    out.push_back(ir::boundaryKindName(static_cast<ir::BoundaryKind>(i)));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  ParsedQuery run() {
    if (text_.size() > kMaxLength) {
      fail(0, static_cast<uint32_t>(text_.size()), "query longer than 20000 characters");
      return std::move(out_);
    }
    skip();
    if (!more()) return std::move(out_);
    QueryNode root = orExpression(0);
    skip();
    if (!out_.error && more()) fail(at_, 1, text_[at_] == ')' ? "')' without '('" : "expected a term");
    out_.empty = root.kind == QueryNode::Kind::All;
    out_.root = std::move(root);
    return std::move(out_);
  }

 private:
  bool more() const { return at_ < text_.size(); }
  char peek(size_t k = 0) const { return at_ + k < text_.size() ? text_[at_ + k] : '\0'; }
  void skip() {
    while (more() && isSpace(text_[at_])) ++at_;
  }
  void fail(size_t column, size_t length, std::string message) {
    if (out_.error) return;
    out_.error = QueryError{static_cast<uint32_t>(column), static_cast<uint32_t>(std::max<size_t>(length, 1)),
                            std::move(message)};
  }
  bool bad() const { return out_.error.has_value(); }

  /// The word at the cursor without moving.
  std::string_view word(size_t from) const {
    size_t end = from;
    while (end < text_.size()) {
      const char c = text_[end];
      if (isSpace(c) || std::string_view("()\"{},<>=!~").find(c) != std::string_view::npos) break;
      if (c == '-' && end + 1 < text_.size() && text_[end + 1] == '>') break;
      ++end;
    }
    return text_.substr(from, end - from);
  }
  bool takeWord(std::string_view expected) {
    skip();
    if (word(at_) != expected) return false;
    at_ += expected.size();
    return true;
  }
  bool atArrow() {
    skip();
    return peek() == '-' && peek(1) == '>';
  }

  QueryNode orExpression(int depth) {
    QueryNode first = andExpression(depth);
    if (bad()) return first;
    QueryNode n;
    n.kind = QueryNode::Kind::Or;
    n.column = first.column;
    n.children.push_back(std::move(first));
    while (!bad() && takeWord("or")) n.children.push_back(andExpression(depth));
    if (n.children.size() == 1) return std::move(n.children[0]);
    return n;
  }

  QueryNode andExpression(int depth) {
    QueryNode n;
    n.kind = QueryNode::Kind::And;
    skip();
    n.column = static_cast<uint32_t>(at_);
    bool needed = true;
    while (!bad()) {
      skip();
      if (!more() || peek() == ')' || word(at_) == "or") break;
      if (takeWord("and")) {
        if (n.children.empty() && !directive_) fail(at_ - 3, 3, "'and' needs a term before it");
        needed = true;
        skip();
        if (!more() || peek() == ')') fail(at_, 1, "'and' needs a term behind it");
        continue;
      }
      if (directive(depth)) {
        directive_ = true;
        needed = false;
        continue;
      }
      n.children.push_back(notExpression(depth));
      needed = false;
    }
    if (needed && !bad()) fail(at_, 1, "expected a term");
    if (n.children.empty()) n.kind = QueryNode::Kind::All;
    if (n.children.size() == 1) return std::move(n.children[0]);
    return n;
  }

  /// sort:bytes- limit:20 in:selection
  bool directive(int depth) {
    const std::string_view w = word(at_);
    const size_t colon = w.find(':');
    if (colon == std::string_view::npos) return false;
    const std::string_view key = w.substr(0, colon);
    std::string_view value = w.substr(colon + 1);
    if (key != "sort" && key != "limit" && key != "in") return false;
    const size_t from = at_;
    at_ += w.size();
    if (depth > 0) {
      fail(from, w.size(), std::string(key) + ": belongs outside parentheses");
      return true;
    }
    if (key == "sort") {
      if (!value.empty() && (value.back() == '-' || value.back() == '+')) {
        out_.descending = value.back() == '-';
        value.remove_suffix(1);
      }
      if (const FieldInfo* f = findField(value))
        out_.sort = f->id;
      else
        fail(from + colon + 1, value.size(), "no field '" + std::string(value) + "' to sort by");
    } else if (key == "limit") {
      uint64_t n = 0;
      const auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), n);
      if (value.empty() || ec != std::errc() || end != value.data() + value.size())
        fail(from + colon + 1, value.size(), "limit: needs a whole number");
      out_.limit = n;
    } else if (value == "selection") {
      out_.scope = ParsedQuery::Scope::Selection;
    } else if (value == "visible") {
      out_.scope = ParsedQuery::Scope::Visible;
    } else if (value == "all") {
      out_.scope = ParsedQuery::Scope::All;
    } else if (value == "pass") {
      fail(from, w.size(), "in:pass(...) needs a pass history, which this version does not keep");
    } else {
      fail(from + colon + 1, value.size(), "in: knows selection, visible and all");
    }
    return true;
  }

  QueryNode notExpression(int depth) {
    bool inverted = false;
    skip();
    const size_t from = at_;
    while (takeWord("not")) inverted = !inverted;
    skip();
    if (!more() || peek() == ')') {
      fail(at_, 1, "'not' needs a term behind it");
      return {};
    }
    QueryNode n = path(depth);
    if (!inverted) return n;
    QueryNode out;
    out.kind = QueryNode::Kind::Not;
    out.column = static_cast<uint32_t>(from);
    out.length = static_cast<uint32_t>(at_ - from);
    out.children.push_back(std::move(n));
    return out;
  }

  QueryNode path(int depth) {
    const size_t from = at_;
    QueryNode first = primary(depth);
    if (bad() || !atArrow()) return first;
    QueryNode n;
    n.kind = QueryNode::Kind::Path;
    n.column = static_cast<uint32_t>(from);
    n.children.push_back(std::move(first));
    while (!bad() && atArrow()) {
      at_ += 2;
      QueryNode::Step step;
      if (peek() == '>') {
        ++at_;
        step.max = 0;
      } else if (peek() == '{' && isdigit(static_cast<unsigned char>(peek(1)))) {
        distance(step);
      }
      n.steps.push_back(step);
      skip();
      if (!more()) fail(at_, 1, "an arrow needs a term behind it");
      if (bad()) break;
      n.children.push_back(primary(depth));
    }
    n.length = static_cast<uint32_t>(at_ - from);
    return n;
  }

  /// {1,3} behind an arrow.
  void distance(QueryNode::Step& step) {
    const size_t from = at_;
    ++at_;
    auto number = [&](uint32_t& out) {
      skip();
      const auto [end, ec] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), out);
      if (ec != std::errc()) return false;
      at_ = static_cast<size_t>(end - text_.data());
      skip();
      return true;
    };
    bool ok = number(step.min);
    step.max = step.min;
    if (ok && peek() == ',') {
      ++at_;
      ok = number(step.max);
    }
    if (!ok || peek() != '}') return fail(from, at_ - from, "expected a distance such as {1,3}");
    ++at_;
    if (step.min < 1 || step.max < step.min || step.max > kMaxDistance)
      fail(from, at_ - from, "distances go from 1 to 1000, the smaller first");
  }

  QueryNode primary(int depth) {
    QueryNode n;
    if (depth > kMaxDepth) {
      fail(at_, 1, "nested too deep");
      return n;
    }
    skip();
    const size_t from = at_;
    n.column = static_cast<uint32_t>(from);
    auto finish = [&] { n.length = static_cast<uint32_t>(at_ - from); };
    const char c = peek();
    if (c == '(') {
      ++at_;
      QueryNode inner = orExpression(depth + 1);
      skip();
      if (!bad() && peek() != ')') fail(from, 1, "'(' without ')'");
      if (!bad()) ++at_;
      return inner;
    }
    if (c == '@') {
      n.kind = QueryNode::Kind::Saved;
      n.savedName = word(at_ + 1);
      at_ += 1 + n.savedName.size();
      if (n.savedName.empty()) fail(from, 1, "'@' needs the name of a saved query");
      finish();
      return n;
    }
    const std::string_view w = word(at_);
    if (c != '"' && c != '/' && c != '{' && !w.empty()) {
      const size_t behind = at_ + w.size();
      if (std::optional<QueryOp> op = operatorAt(behind)) {
        field(n, w, *op);
        finish();
        return n;
      }
      const FieldInfo* f = findField(w);
      if (f && f->type == FieldType::Flag) {
        at_ = behind;
        n.kind = QueryNode::Kind::Field;
        n.field = f->id;
        finish();
        return n;
      }
    }
    if (c == '=' || c == '<' || c == '>' || c == '~' || c == '!' || c == ',' || c == '}' || c == '-') {
      if (w.empty() || c != '-') {
        fail(at_, 1, std::string("a term cannot start with '") + c + "'");
        return n;
      }
    }
    n.kind = QueryNode::Kind::Word;
    values(n, true);
    finish();
    return n;
  }

  /// The operator behind a field; moves behind it only in `field`.
  std::optional<QueryOp> operatorAt(size_t at) {
    size_t p = at;
    while (p < text_.size() && isSpace(text_[p])) ++p;
    const std::string_view rest = text_.substr(p, 2);
    auto found = [&](QueryOp op, size_t length) {
      operatorEnd_ = p + length;
      return std::optional(op);
    };
    if (rest == "!=") return found(QueryOp::NotEqual, 2);
    if (rest == "!~") return found(QueryOp::NotLike, 2);
    if (rest == "<=") return found(QueryOp::LessEqual, 2);
    if (rest == ">=") return found(QueryOp::GreaterEqual, 2);
    if (rest == "==") return found(QueryOp::Equal, 2);
    if (!rest.empty() && rest[0] == '=') return found(QueryOp::Equal, 1);
    if (!rest.empty() && rest[0] == '~') return found(QueryOp::Like, 1);
    if (!rest.empty() && rest[0] == '<') return found(QueryOp::Less, 1);
    if (!rest.empty() && rest[0] == '>') return found(QueryOp::Greater, 1);
    // `in` and `has` are operators behind a field only; elsewhere they are words to search for.
    if (p > at && findField(text_.substr(at_, at - at_))) {
      if (word(p) == "in") return found(QueryOp::In, 2);
      if (word(p) == "has") return found(QueryOp::Has, 3);
    }
    return std::nullopt;
  }

  void field(QueryNode& n, std::string_view name, QueryOp op) {
    const FieldInfo* f = findField(name);
    if (!f) {
      const size_t from = at_;
      if (const char* why = laterField(name)) {
        fail(from, name.size(),
             "field '" + std::string(name) + "' " + why + ", which this version does not have");
        return;
      }
      const std::string near = nearestField(name);
      fail(from, name.size(),
           "no field '" + std::string(name) + "'" + (near.empty() ? "" : "; did you mean " + near + "?"));
      return;
    }
    n.kind = QueryNode::Kind::Field;
    n.field = f->id;
    n.op = op;
    const size_t opAt = operatorEnd_;
    at_ = operatorEnd_;
    skip();
    const size_t valueAt = at_;
    values(n, false);
    if (bad()) return;
    const bool ordered = op == QueryOp::Less || op == QueryOp::LessEqual || op == QueryOp::Greater ||
                         op == QueryOp::GreaterEqual;
    const bool like = op == QueryOp::Like || op == QueryOp::NotLike;
    if (ordered && f->type != FieldType::Number)
      return fail(opAt - 1, 1, std::string("'") + f->name + "' has no order; use = or ~");
    if (ordered && n.values.size() != 1) return fail(valueAt, at_ - valueAt, "one value is needed here");
    if (like && f->type == FieldType::Number)
      return fail(opAt - 1, 1, std::string("'") + f->name + "' is a number; use = or <");
    if (f->type == FieldType::Number) {
      for (const QueryValue& v : n.values)
        if (!v.number) return fail(valueAt, at_ - valueAt, "'" + v.text + "' is no number");
    }
    if (op == QueryOp::Equal || op == QueryOp::NotEqual || op == QueryOp::In) {
      const std::vector<std::string_view> known = knownValues(f->id);
      for (const QueryValue& v : n.values) {
        if (known.empty() || v.pattern || std::find(known.begin(), known.end(), v.text) != known.end())
          continue;
        std::string list;
        for (std::string_view k : known) list += (list.empty() ? "" : ", ") + std::string(k);
        return fail(valueAt, at_ - valueAt,
                    "no " + std::string(f->name) + " '" + v.text + "'; there is " + list);
      }
    }
    if (f->type == FieldType::Flag) {
      for (const QueryValue& v : n.values)
        if (v.text != "true" && v.text != "false" && v.text != "yes" && v.text != "no")
          return fail(valueAt, at_ - valueAt, std::string("'") + f->name + "' is true or false");
    }
  }

  /// One value, or a set in braces.
  void values(QueryNode& n, bool search) {
    if (peek() != '{') {
      value(n, search);
      return;
    }
    const size_t from = at_;
    ++at_;
    while (!bad()) {
      skip();
      if (!more()) return fail(from, 1, "'{' without '}'");
      if (peek() == '}' && !n.values.empty()) break;
      value(n, search);
      skip();
      if (peek() == ',')
        ++at_;
      else if (peek() != '}' && !bad())
        return fail(at_, 1, "expected ',' or '}'");
    }
    if (!bad()) ++at_;
  }

  void value(QueryNode& n, bool search) {
    QueryValue v;
    const size_t from = at_;
    const char c = peek();
    if (c == '"') {
      v.kind = QueryValue::Kind::Exact;
      ++at_;
      while (more() && peek() != '"') {
        if (peek() == '\\' && at_ + 1 < text_.size()) ++at_;
        v.text += text_[at_++];
      }
      if (!more()) return fail(from, 1, "quote without end");
      ++at_;
    } else if (c == '/' && regexEnd(at_) != std::string_view::npos) {
      const size_t end = regexEnd(at_);
      v.kind = QueryValue::Kind::Regex;
      v.text = text_.substr(at_ + 1, end - at_ - 1);
      ir::Result<Pattern> p = Pattern::regex(v.text, search);
      if (!p) return fail(from + p.error().loc.column, 1, "in the regular expression: " + p.error().message);
      v.pattern = std::move(*p);
      at_ = end + 1;
    } else if (c == '[' && !search) {
      shape(v);
      if (bad()) return;
    } else {
      v.text = search ? std::string(word(at_)) : std::string(valueWord(at_));
      at_ += v.text.size();
      if (v.text.empty()) return fail(from, 1, "expected a value");
      v.number = parseQuantity(v.text);
    }
    if (!v.pattern && v.kind == QueryValue::Kind::Word) {
      const bool wild = v.text.find_first_of("*?") != std::string::npos;
      const bool like = search || n.op == QueryOp::Like || n.op == QueryOp::NotLike || n.op == QueryOp::Has;
      if (like && !wild)
        v.pattern = Pattern::contains(v.text);
      else if (like && !search)
        v.pattern = Pattern::wildcard("*" + v.text + "*", true);
      else if (wild)
        v.pattern = Pattern::wildcard(v.text);
    } else if (v.kind == QueryValue::Kind::Exact &&
               (n.op == QueryOp::Like || n.op == QueryOp::NotLike || n.op == QueryOp::Has)) {
      v.pattern = Pattern::contains(v.text, false);
    }
    n.values.push_back(std::move(v));
  }

  /// Values hold more than names do: `model.py:12`, `cuda:0`, `aten::mm`, but end at a comma (sets) or
  /// parenthesis.
  std::string_view valueWord(size_t from) const {
    size_t end = from;
    while (end < text_.size() && !isSpace(text_[end]) &&
           std::string_view("(){},\"").find(text_[end]) == std::string_view::npos &&
           !(text_[end] == '-' && end + 1 < text_.size() && text_[end + 1] == '>'))
      ++end;
    return text_.substr(from, end - from);
  }

  size_t regexEnd(size_t from) const {
    for (size_t i = from + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\')
        ++i;
      else if (text_[i] == '/' && (i + 1 == text_.size() || isSpace(text_[i + 1]) ||
                                   std::string_view("),}").find(text_[i + 1]) != std::string_view::npos))
        return i > from + 1 ? i : std::string_view::npos;
    }
    return std::string_view::npos;
  }

  void shape(QueryValue& v) {
    const size_t from = at_;
    const size_t end = text_.find(']', at_);
    if (end == std::string_view::npos) return fail(from, 1, "'[' without ']'");
    v.kind = QueryValue::Kind::Shape;
    v.text = text_.substr(from, end + 1 - from);
    at_ = end + 1;
    std::string dim;
    auto push = [&] {
      while (!dim.empty() && isSpace(dim.back())) dim.pop_back();
      dim.erase(0, std::min(dim.find_first_not_of(" \t"), dim.size()));
      v.dims.push_back(dim);
      dim.clear();
    };
    const std::string_view inner = text_.substr(from + 1, end - from - 1);
    if (inner.find_first_not_of(" \t") == std::string_view::npos) return;
    for (const char ch : inner) {
      if (ch == ',')
        push();
      else
        dim += ch;
    }
    push();
    for (std::string& d : v.dims) {
      if (d.empty()) return fail(from, v.text.size(), "a size is missing in the shape");
      if (d == "...") d = "..";
    }
    if (std::count(v.dims.begin(), v.dims.end(), "..") > 1)
      fail(from, v.text.size(), "'..' may stand once in a shape");
  }

  std::string_view text_;
  size_t at_ = 0, operatorEnd_ = 0;
  bool directive_ = false;
  ParsedQuery out_;
};

}  // namespace

const std::vector<FieldInfo>& fieldTable() {
  static const std::vector<FieldInfo> kFields = {
      {FieldId::Name, FieldType::Text, "name", "name of the node: name=mul_1, name~attn"},
      {FieldId::Op, FieldType::Text, "op", "op without namespace: op=mm, op=add.Tensor, op~conv"},
      {FieldId::Target, FieldType::Text, "target", "full target: target=torch.ops.aten.mm.default"},
      {FieldId::Module, FieldType::Text, "module", "module path: module=layers.3.*"},
      {FieldId::File, FieldType::Text, "file", "source file: file=model.py"},
      {FieldId::Line, FieldType::Number, "line", "source line: line>=100"},
      {FieldId::Dtype, FieldType::Text, "dtype", "element type: dtype=f32, dtype in {bf16,f16}"},
      {FieldId::Shape, FieldType::Shape, "shape", "sizes: shape=[*,4096,..], shape has 4096"},
      {FieldId::Rank, FieldType::Number, "rank", "number of dimensions"},
      {FieldId::Bytes, FieldType::Number, "bytes", "size of the value: bytes>=4KiB"},
      {FieldId::Phase, FieldType::Text, "phase", "forward, backward, either, none"},
      {FieldId::Kind, FieldType::Text, "kind",
       "role: tangent, parameter, gradient, view, mutation, call_function, ..."},
      {FieldId::Desc, FieldType::Text, "desc", "descriptor: desc has \"layers.3\""},
      {FieldId::Saved, FieldType::Flag, "saved", "kept by the forward for the backward"},
      {FieldId::Recomputed, FieldType::Flag, "recomputed", "marked for recomputation in the log"},
      {FieldId::Users, FieldType::Number, "users", "how many times the value is read"},
      {FieldId::Inputs, FieldType::Number, "inputs", "how many values the node reads"},
      {FieldId::Order, FieldType::Number, "order", "place in program order, from 0"},
      {FieldId::State, FieldType::Text, "state", "in a diff: added, removed, changed, moved, renamed, same"},
      {FieldId::Time, FieldType::Number, "time", "of a run: time>1ms"},
      {FieldId::Nan, FieldType::Flag, "nan", "of a run: the value has NaN or infinities"},
      {FieldId::Err, FieldType::Number, "err", "of two runs: largest difference, err>1e-3"},
  };
  return kFields;
}

const FieldInfo* findField(std::string_view name) {
  for (const FieldInfo& f : fieldTable())
    if (name == f.name) return &f;
  return nullptr;
}

std::optional<double> parseQuantity(std::string_view text) {
  if (text.empty() || text.size() > 40 ||
      !(isdigit(static_cast<unsigned char>(text[0])) || text[0] == '.' || text[0] == '-'))
    return std::nullopt;
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end == copy.c_str()) return std::nullopt;
  std::string unit(end);
  struct Unit {
    std::string_view name;
    double factor;
  };
  static constexpr Unit kUnits[] = {{"", 1},
                                    {"B", 1},
                                    {"s", 1},
                                    {"ms", 1e-3},
                                    {"us", 1e-6},
                                    {"\u00B5s", 1e-6},
                                    {"ns", 1e-9},
                                    {"K", 1024.0},
                                    {"KB", 1024.0},
                                    {"KiB", 1024.0},
                                    {"M", 1048576.0},
                                    {"MB", 1048576.0},
                                    {"MiB", 1048576.0},
                                    {"G", 1073741824.0},
                                    {"GB", 1073741824.0},
                                    {"GiB", 1073741824.0},
                                    {"T", 1099511627776.0},
                                    {"TB", 1099511627776.0},
                                    {"TiB", 1099511627776.0}};
  for (const Unit& u : kUnits)
    if (u.name == unit) return value * u.factor;
  return std::nullopt;
}

ParsedQuery parseQuery(std::string_view text) {
  return Parser(text).run();
}

}  // namespace descry::session
