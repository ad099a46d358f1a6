// Function bodies: lines, comments, metadata blocks, recovery from damage.
#include <algorithm>
#include <cstring>

#include "importers/fx_text/cut_mark.h"
#include "importers/fx_text/parser.h"
#include "ir/core/operators.h"

namespace descry::importers::fx {

using ir::Cell;
using ir::NodeId;
using ir::OpKind;
using ir::StrId;
using ir::ValueKind;

void Parser::addComment(const char* from, const char* to) {
  while (to > from && (to[-1] == ' ' || to[-1] == '\t')) --to;
  comment_.push_back({from, static_cast<size_t>(to - from)});
}

/// `"""` key: value lines `"""`: metadata of one node (FX_GRAPH_SHOW_META). False, and nothing read, when the
/// quotes begin something else: a docstring, or the end of a string around the graph.
bool Parser::metaBlock() {
  const auto trimmed = [&] {
    std::string_view text = restOfLine();
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
  };
  if (metaUnclosed_ || trimmed() != "\"\"\"") return false;
  const Place before = place();
  skipLine();
  std::vector<ir::NodeMetaEntry> entries;
  while (true) {
    if (atEnd()) {
      metaUnclosed_ = true;
      restore(before);
      return false;
    }
    const std::string_view text = trimmed();
    skipLine();
    if (text == "\"\"\"") break;
    const size_t colon = text.find(": ");
    const bool key = colon != std::string_view::npos && colon > 0 &&
                     text.substr(0, colon).find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_") == std::string_view::npos;
    if (key || entries.empty()) {
      entries.push_back(
          {std::string(key ? text.substr(0, colon) : ""), std::string(key ? text.substr(colon + 2) : text)});
    } else {
      entries.back().value += '\n';
      entries.back().value += text;
    }
  }
  metaBlocks_.push_back(std::move(entries));
  return true;
}

void Parser::function(uint32_t graph, int indent) {
  g_ = &module_.graphs[graph];
  ++epoch_;
  counters_.clear();
  parameters_.clear();
  annotated_.clear();
  externals_.clear();
  comment_.clear();
  metaBlocks_.clear();
  trailing_.clear();
  boxedList_.clear();
  boxedIter_.clear();
  source_ = {};
  aug_ = {};
  annotationLines_ = annotationCount_ = 0;
  sawReturn_ = sawDeletion_ = sawStatement_ = sourceStarts_ = false;
  cut_ = metaUnclosed_ = false;
  undefined_.clear();
  misused_.clear();
  misused_.clear();
  depth_ = nesting_ = 0;
  scratch_.clear();
  statementStart_ = p_;
  statementFirst_ = 0;
  statementExternals_ = 0;
  g_->begin = loc(p_);
  signature();
  reportNames();
  if (failed_) {
    sink_.error(failCode_, loc(failAt_), failMessage_ + " in the signature of " + g_->style.functionName);
    failed_ = false;
    failAt_ = nullptr;
    depth_ = 0;
    g_->partial = true;
    parametersPending_ = true;
  }
  skipLine();
  body(indent);
  finishFunction();
}

static bool startsStructure(std::string_view line) {
  return line.starts_with("class ") || line.starts_with("def ") || line.starts_with("@") ||
         line.starts_with("wrap(\"");
}

void Parser::body(int defIndent) {
  bool lostIndent = false, any = false;
  while (!atEnd()) {
    const char* start = p_;
    int indent = 0;
    while (p_ < end_ && (*p_ == ' ' || *p_ == '\t')) {
      indent += *p_ == '\t' ? 4 : 1;
      ++p_;
    }
    if (atEnd()) break;
    const char c = *p_;
    if (c == '\n') {
      newline();
      continue;
    }
    if (c == '#') {
      if (sawReturn_ && indent <= defIndent && !lostIndent) {
        p_ = start;
        return;
      }
      const std::string_view text = restOfLine();
      addComment(p_, p_ + text.size());
      skipLine();
      continue;
    }
    if (!sawReturn_ && isCutMark(restOfLine())) {
      sink_.note("text-left-out", loc(p_),
                 "lines were left out of the text here; reading goes on behind them");
      cut_ = g_->partial = true;
      skipLine();
      continue;
    }
    const bool outside = indent <= defIndent && !lostIndent;
    if (c == 'c' || c == 'd' || c == '@' || c == 'w' || outside) {
      const std::string_view text = restOfLine();
      const bool classWithOrigin = outside && text.find(" class ") != std::string_view::npos &&
                                   text.find("):") != std::string_view::npos;
      if (startsStructure(text) || classWithOrigin) {
        p_ = start;
        return;
      }
    }
    if (sawReturn_ && (outside || lostIndent)) {
      p_ = start;
      return;
    }
    if (outside) {
      if (any) {  // the text goes on with something that is not this function
        p_ = start;
        return;
      }
      lostIndent = true;
    }
    any = true;
    if (c == '"' && startsWith("\"\"\"") && metaBlock()) continue;
    line(indent);
  }
}

/// One physical line with its statements (a statement may reach over several lines).
void Parser::line(int indent) {
  while (true) {
    while (peek() == ' ' || peek() == '\t') ++p_;
    if (atEnd() || *p_ == '\n') break;
    if (*p_ == ';') {
      ++p_;
      continue;
    }
    if (*p_ ==
        '#') {  // behind a statement: nothing PyTorch writes here, apart from descriptors read elsewhere
      p_ += restOfLine().size();
      break;
    }
    statement(indent);
    if (p_ < end_ && *p_ != '\n' && *p_ != ';' && *p_ != '#' && *p_ != ' ' && *p_ != '\t') break;
  }
  if (!atEnd() && *p_ == '\n') newline();
}

void Parser::statement(int indent) {
  const char* start = p_;
  const Place begin = place();
  statementStart_ = start;
  statementIndent_ = indent;
  statementFirst_ = g_->idBound();
  statementExternals_ = externals_.size();
  scratch_.clear();
  depth_ = nesting_ = 0;
  std::string_view name = identifier();
  if (name.empty() && peek() == '(') {  // (x) = ...
    name = parenthesisedName();
    skip();
    if (peek() != '=') name = {};
  }
  std::string_view target = name;
  const char c0 = peek();
  // `a: ...`, `a = ...`, `a, b = ...` are told apart by what follows the name.
  while (peek() == ' ') ++p_;
  const char c = peek();
  if (name.empty()) {
    target = {};
    restore(begin);
    expressionStatement(start);
  } else if (name == "return" && (c0 == ' ' || c0 == '\n' || c0 == '(' || c0 == ';')) {
    target = {};
    returnStatement();
  } else if (name == "pass" && (c == '\n' || c == ';')) {
    flushParameters();
    g_->style.pass = true;
  } else if (c == ':' && peek(1) != '=') {
    ++p_;
    const ir::TypeId type = annotation();
    while (peek() == ' ') ++p_;
    if (!failed_ && peek() == '=' && peek(1) != '=') {
      ++p_;
      assignment(name, type, start);
    } else if (!failed_) {
      annotationOnly(name, type);
    }
  } else if (c == '=' && peek(1) != '=') {
    ++p_;
    assignment(name, {}, start);
  } else if (c == ',') {
    tupleTarget(name, start);
  } else if (std::strchr("+-*/%@&|^<>", c) && c != '\0' &&
             (peek(1) == '=' ||
              ((c == '*' || c == '/' || c == '<' || c == '>') && peek(1) == c && peek(2) == '='))) {
    augmented(name);
  } else {
    target = {};
    restore(begin);
    expressionStatement(start);
  }
  if (!statementEnds()) {
    recover(begin, indent, target);
    return;
  }
  reportNames();
}

void Parser::reportNames() {
  for (const NameAt& u : undefined_) {
    const std::string quoted = "'" + std::string(u.name) + "'";
    if (cut_)
      sink_.note("undefined-name", u.loc,
                 quoted + " is defined in the part that was left out; kept as an external input");
    else
      sink_.warning("undefined-name", u.loc,
                    quoted + " is used but never defined before; kept as an external input");
  }
  undefined_.clear();
  for (const NameAt& m : misused_) {
    Slot& s = slot(intern(m.name));
    if (s.deletedLine)
      sink_.warning("deletion-mismatch", m.loc,
                    "'" + std::string(m.name) + "' is used after it was deleted on line " +
                        std::to_string(s.deletedLine));
    s.deletedLine = 0;
  }
  misused_.clear();
}

/// Where the statement at p_ ends: at the `;` or the newline where brackets and strings are closed, or where
/// the next line says that something new begins.
const char* Parser::logicalEnd(int indent) {
  const char* s = p_;
  int open = 0;
  uint32_t lines = 0;
  while (s < end_) {
    const char c = *s;
    if (c == '#' && s > p_ && s[-1] == ' ') {  // `[#users=1]` is no comment
      const void* nl = std::memchr(s, '\n', static_cast<size_t>(end_ - s));
      s = nl ? static_cast<const char*>(nl) : end_;
      continue;
    }
    if (c == '"' || c == '\'') {
      if (end_ - s >= 3 && s[1] == c && s[2] == c) {
        const char* close = tripleEnd(s);
        s = close ? close : s + 3;
        continue;
      }
      for (++s; s < end_ && *s != c && *s != '\n'; ++s)
        if (*s == '\\' && s + 1 < end_ && s[1] != '\n') ++s;
      if (s < end_ && *s == c) ++s;
      continue;
    }
    if (c == '\\' && s + 1 < end_ && s[1] == '\n' && ++lines <= kMaxStatementLines) {
      s += 2;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++open;
    if ((c == ')' || c == ']' || c == '}') && open > 0) --open;
    if (c == ';' && open == 0) break;
    if (c == '\n') {
      if (open == 0 || ++lines > kMaxStatementLines) break;
      const char* next = s + 1;
      int column = 0;
      for (; next < end_ && (*next == ' ' || *next == '\t'); ++next) column += *next == '\t' ? 4 : 1;
      const void* nl = std::memchr(next, '\n', static_cast<size_t>(end_ - next));
      const std::string_view rest(next,
                                  static_cast<size_t>((nl ? static_cast<const char*>(nl) : end_) - next));
      // What continues a statement stands deeper than it, apart from the brackets that close it.
      if (column <= indent && !rest.empty() && std::strchr(")]}", rest.front()) == nullptr) break;
      if (isCutMark(rest)) break;
    }
    ++s;
  }
  return s;
}

/// The text of a statement on one line, as it is printed: line ends become blanks, and comments inside it
/// move to its end.
static std::string oneLine(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t'))
    text.remove_suffix(1);
  if (text.find('\n') == std::string_view::npos) return std::string(text);
  std::string out, comments;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const bool triple = text.substr(i).starts_with(std::string(3, c));
      const std::string quote(triple ? 3 : 1, c);
      size_t k = i + quote.size();
      while (k < text.size() && !text.substr(k).starts_with(quote) && (triple || text[k] != '\n'))
        k += text[k] == '\\' && k + 1 < text.size() && text[k + 1] != '\n' ? 2 : 1;
      k = std::min(text.size(), text.substr(k).starts_with(quote) ? k + quote.size() : k);
      for (; i < k; ++i) {
        if (text[i] == '\n')
          out += "\\n";
        else
          out += text[i];
      }
      --i;
    } else if (c == '#' && i > 0 && text[i - 1] == ' ') {
      const size_t end = std::min(text.find('\n', i), text.size());
      comments += comments.empty() ? "  # " : " ";
      size_t from = i;
      while (from < end && (text[from] == '#' || text[from] == ' ')) ++from;
      comments += text.substr(from, end - from);
      i = end - 1;
      while (!out.empty() && out.back() == ' ') out.pop_back();
    } else if (c == '\n') {
      if (!out.empty() && out.back() == '\\') out.pop_back();
      while (!out.empty() && out.back() == ' ') out.pop_back();
      while (i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '\t' || text[i + 1] == '\n')) ++i;
      out += ' ';
    } else {
      out += c;
    }
  }
  return out + comments;
}

/// Removes what the failed statement has made so far: calls inside it, and inputs for names it uses.
void Parser::takeBack() {
  for (uint32_t i = g_->idBound(); i-- > statementFirst_;) {
    const ir::Node& n = g_->node({i});
    if ((n.flags & ir::kNodeErased) || g_->hasUsers({i})) continue;
    if (n.op == OpKind::Placeholder && !(n.flags & ir::kNodeExternal)) continue;
    if (n.flags & ir::kNodeStartsSource) sourceStarts_ = true;
    if (Slot& s = slot(n.name); s.epoch == epoch_ && s.node == i) s = Slot{};
    g_->erase({i});
  }
  externals_.resize(std::min(externals_.size(), statementExternals_));
  undefined_.clear();
  misused_.clear();
}

/// A statement that cannot be read becomes a node that keeps its text, so that later uses of its name
/// resolve.
void Parser::recover(const Place& begin, int indent, std::string_view name) {
  const ir::SourceLoc where = loc(failAt_);
  if (failCode_ == "nested-too-deep" ||
      failCode_ == "python-only") {  // well formed, just more than is followed
    sink_.warning(failCode_, where, failMessage_ + "; the statement is kept as text");
  } else {
    sink_.error(failCode_, where, failMessage_);
    g_->partial = true;
  }
  failed_ = false;
  failAt_ = nullptr;
  depth_ = nesting_ = 0;
  takeBack();
  restore(begin);
  const char* stop = logicalEnd(indent);
  const std::string text = oneLine({begin.p, static_cast<size_t>(stop - begin.p)});
  moveTo(stop);
  scratch_.clear();
  flushParameters();
  unfinishedAug();
  Pending p =
      callOf(OpKind::CallFunction, ir::kUnparsedTarget, {Cell::text(ValueKind::Opaque, intern(text))});
  // What the text mentions is read by it: without edges a deletion could move in front of the use.
  const std::string_view own = std::string_view(text).starts_with(name) ? name : std::string_view();
  for (const ir::NodeId read : mentionedValues(std::string_view(text).substr(own.size()))) {
    push(Cell::ref(read));
    ++p.argCount;
  }
  if (name.empty())
    emit(p, madeUpName("unparsed"), {}, ir::kNodeUnparsed, begin.p);
  else
    emitAs(p, name, {}, ir::kNodeUnparsed, begin.p);
  sawStatement_ = true;
}

void Parser::assignMeta() {
  if (metaBlocks_.empty()) return;
  // One block is printed per node, in order.
  size_t k = 0;
  for (NodeId id : g_->nodes()) {
    if (k == metaBlocks_.size()) break;
    if (!metaBlocks_[k].empty()) g_->setMeta(id, std::move(metaBlocks_[k]));
    ++k;
  }
}

void Parser::finishFunction() {
  flushParameters();
  unfinishedAug();
  if (!externals_.empty()) {  // made-up inputs go in front, in order of appearance
    const NodeId first = g_->first();
    for (uint32_t e : externals_)
      if (first.index != e) g_->moveBefore({e}, first);
  }
  assignMeta();
  g_->style.deletions = sawDeletion_;
  if (sawDeletion_)  // older versions leave results that nobody reads
    for (NodeId id : g_->nodes())
      if (!g_->hasUsers(id) && !slot(g_->node(id).name).deletedLine)
        g_->edit(id).flags |= ir::kNodeKeepsResult;
  if (!sawReturn_ && !g_->style.pass) {
    g_->truncated = true;
    g_->style.hasReturn = false;
    sink_.warning(
        "missing-return", loc(p_),
        "the function '" + g_->style.functionName + "' ends without a return; the graph may be cut off");
  }
  if (sawReturn_)
    trailing_.insert(trailing_.end(), comment_.begin(), comment_.end());
  else
    g_->style.beforeReturn.assign(comment_.begin(), comment_.end());
  comment_.clear();
  for (std::string_view c : trailing_) {
    constexpr std::string_view kId = "# graph id: ";
    if (c.starts_with(kId)) g_->graphId = std::string(c.substr(kId.size()));
    g_->style.trailing.emplace_back(c);
  }
  trailing_.clear();
  g_->end = loc(p_);
}

}  // namespace descry::importers::fx
