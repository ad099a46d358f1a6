// The return statement, with a descriptor behind each item.
#include <algorithm>

#include "importers/fx_text/parser.h"
#include "ir/core/operators.h"

namespace descry::importers::fx {

using ir::Cell;
using ir::OpKind;
using ir::ValueKind;

void Parser::returnStatement() {
  flushParameters();
  unfinishedAug();
  if (sawReturn_) {
    fail("a second return", "duplicate-return");
    return;
  }
  const char* start = statementStart_;
  while (peek() == ' ') ++p_;
  Pending out = callOf(OpKind::Output, "output", {});
  bool tree = false;
  if (startsWith("pytree.tree_unflatten(")) {
    tree = true;
    p_ += 22;
    ++depth_;
    skip();
    if (startsWith("self._out_shuffle_graph(") && g_->style.signature == ir::SignatureForm::Shuffle) {
      // The outer leaves are passed along; what follows them is returned.
      p_ += 24;
      if (startsWith(g_->style.shuffleLeaves)) p_ += g_->style.shuffleLeaves.size();
      skip();
      if (peek() == ',') ++p_;
      Pending items;
      const uint32_t mark = static_cast<uint32_t>(scratch_.size());
      ++depth_;
      while (!failed_) {
        skip();
        if (peek() == ')') break;
        Pending item = expression();
        if (failed_) break;
        push(asCell(item));
        skip();
        if (peek() == ',')
          ++p_;
        else if (peek() != ')')
          fail("expected ',' or ')'");
      }
      --depth_;
      if (failed_) return;
      ++p_;
      const uint32_t count = static_cast<uint32_t>(scratch_.size()) - mark;
      const uint32_t first = g_->pushCells(scratch_.data() + mark, count);
      scratch_.resize(mark);
      push(Cell::container(ValueKind::Tuple, count, first));
      out.argCount = 1;
    }
  }
  if (out.argCount == 0 && (peek() == '(' || peek() == '[')) {
    // Read item by item, since descriptors stand in comments behind them.
    const char close = peek() == '(' ? ')' : ']';
    const Place open = place();
    const uint32_t firstLine = line_;
    ++p_;
    ++depth_;
    const uint32_t mark = static_cast<uint32_t>(scratch_.size());
    bool comma = false;
    std::vector<ir::DescId> descs;
    bool anyDesc = false;
    bool multiline = false;
    while (!failed_) {
      skip();
      if (line_ != firstLine) multiline = true;
      if (peek() == close) break;
      Pending item = expression();
      if (failed_) break;
      push(asCell(item));
      skip();
      if (peek() == ',') {
        comma = true;
        ++p_;
      } else if (peek() != close) {
        fail(atEnd() ? "text ends inside the return" : "expected ',' or the closing bracket");
        break;
      }
      const std::string_view desc = trailingComment();
      descs.push_back(desc.empty() ? ir::DescId{} : ctx_.descriptor(desc));
      anyDesc |= !desc.empty();
    }
    if (failed_) return;
    ++p_;
    --depth_;
    const uint32_t count = static_cast<uint32_t>(scratch_.size()) - mark;
    skip();
    if (!tree && peek() != '\n' && peek() != ';' && !atEnd() && peek() != '#') {
      restore(open);  // (a + b) * c
      scratch_.resize(mark);
      Pending value = expression();
      if (failed_) return;
      push(asCell(value));
    } else if (close == ')' && count == 1 && !comma) {
      // return (a) is a
    } else {
      const uint32_t first = g_->pushCells(scratch_.data() + mark, count);
      scratch_.resize(mark);
      push(Cell::container(close == ')' ? ValueKind::Tuple : ValueKind::List, count, first));
      if (anyDesc) g_->outputDescs = std::move(descs);
      if (multiline && (anyDesc || count == 0)) g_->style.returnForm = ir::ReturnForm::OnePerLine;
    }
    out.argCount = 1;
  } else if (out.argCount == 0 && !(peek() == '\n' || peek() == ';' || atEnd())) {
    Pending value = expression();
    if (failed_) return;
    const uint32_t mark = static_cast<uint32_t>(scratch_.size());
    const Cell cell = asCell(value);
    scratch_.resize(std::min<size_t>(scratch_.size(), mark));
    push(cell);
    out.argCount = 1;
    skip();
    if (peek() == ',') {  // return a, b
      ++p_;
      while (!failed_) {
        while (peek() == ' ') ++p_;
        if (peek() == '\n' || atEnd() || peek() == ';') break;
        Pending item = expression();
        if (failed_) return;
        push(asCell(item));
        skip();
        if (peek() == ',')
          ++p_;
        else
          break;
      }
      const uint32_t count = static_cast<uint32_t>(scratch_.size()) - out.mark;
      const uint32_t first = g_->pushCells(scratch_.data() + out.mark, count);
      scratch_.resize(out.mark);
      push(Cell::container(ValueKind::Tuple, count, first));
    }
  }
  if (tree) {
    skip();
    if (peek() == ',') ++p_;
    skip();
    const char* from = p_;
    while (!atEnd() && *p_ != ')' && *p_ != '\n') ++p_;
    g_->style.outSpec = std::string(from, p_);
    if (g_->style.outSpec.empty()) g_->style.outSpec = "self._out_spec";
    if (peek() == ')') ++p_;
    --depth_;
  }
  if (!statementEnds()) {
    g_->outputDescs.clear();
    g_->style.outSpec.clear();
    g_->style.returnForm = ir::ReturnForm::Inline;
    return;
  }
  // The arguments are on top of the stack.
  out.mark = static_cast<uint32_t>(scratch_.size()) - out.argCount;
  const std::vector<std::string_view> keep = std::move(comment_);
  comment_.clear();
  const ir::SourceId source = source_;
  source_ = {};
  sourceStarts_ = false;
  emit(out, intern("output"), {}, 0, start);
  source_ = source;
  g_->style.beforeReturn.assign(keep.begin(), keep.end());
  sawReturn_ = true;
  sawStatement_ = true;
}

}  // namespace descry::importers::fx
