// Function bodies: lines, comments, metadata blocks, recovery from damage.
#include <algorithm>
#include <cstring>

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

/// `"""` key: value lines `"""`: metadata of one node (FX_GRAPH_SHOW_META).
void Parser::metaBlock() {
  skipLine();
  std::vector<ir::NodeMetaEntry> entries;
  while (!atEnd()) {
    std::string_view text = restOfLine();
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
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
  depth_ = nesting_ = 0;
  scratch_.clear();
  statementStart_ = p_;
  g_->begin = loc(p_);
  signature();
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
    if (c == '"' && startsWith("\"\"\"")) {
      metaBlock();
      continue;
    }
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
  scratch_.clear();
  depth_ = nesting_ = 0;
  const std::string_view name = identifier();
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
  if (failed_) {
    recover(start, indent, target);
    return;
  }
  while (peek() == ' ') ++p_;
  if (!atEnd() && *p_ != '\n' && *p_ != ';' && *p_ != '#') {
    failAt_ = p_;
    fail(std::string("unexpected '") + *p_ + "' behind the statement");
    recover(start, indent, {});
  }
}

/// A statement that cannot be read becomes a node that keeps its text, so that later uses of its name
/// resolve.
void Parser::recover(const char* start, int indent, std::string_view name) {
  const ir::SourceLoc where = loc(failAt_);
  sink_.error(failCode_, where, failMessage_);
  const bool behind = name.empty() && failMessage_.ends_with("behind the statement");
  failed_ = false;
  failAt_ = nullptr;
  depth_ = nesting_ = 0;
  g_->partial = true;
  // Back to the start, then to the end of the logical line: where brackets are closed, or where a line says
  // that something new begins.
  const char* stop = start;
  int open = 0;
  uint32_t lines = 0;
  while (stop < end_) {
    const char c = *stop;
    if (c == '(' || c == '[' || c == '{') ++open;
    if ((c == ')' || c == ']' || c == '}') && open > 0) --open;
    if (c == '\n') {
      if (open == 0 || ++lines > kMaxStatementLines) break;
      const char* next = stop + 1;
      int column = 0;
      while (next < end_ && *next == ' ') ++next, ++column;
      const std::string_view rest(next, static_cast<size_t>(end_ - next));
      if (column <= indent &&
          (rest.starts_with("class ") || rest.starts_with("def ") || rest.starts_with("return")))
        break;
    }
    ++stop;
  }
  if (stop < p_) {  // the fault was found after the line already ended
    stop = p_;
    while (stop < end_ && *stop != '\n') ++stop;
  }
  std::string_view text(start, static_cast<size_t>(stop - start));
  moveTo(stop);
  scratch_.clear();
  if (behind) return;  // the statement itself was read; only what follows it is lost
  constexpr size_t kKeep = 4096;
  flushParameters();
  Pending p = callOf(OpKind::CallFunction, ir::kUnparsedTarget,
                     {Cell::text(ValueKind::Opaque, ctx_.intern(text.substr(0, kKeep)))});
  if (name.empty())
    emit(p, madeUpName("unparsed"), {}, ir::kNodeUnparsed, start);
  else
    emitAs(p, name, {}, ir::kNodeUnparsed, start);
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
  for (std::string_view c : comment_) trailing_.push_back(c);
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
