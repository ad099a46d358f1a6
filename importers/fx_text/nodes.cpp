// How names are bound and nodes are made.
#include <algorithm>

#include "importers/fx_text/parser.h"
#include "ir/core/operators.h"
#include "ir/support/python_text.h"

namespace descry::importers::fx {

using ir::Cell;
using ir::NodeId;
using ir::OpKind;
using ir::StrId;
using ir::ValueKind;

StrId Parser::madeUpName(std::string_view target) {
  const size_t cut = target.find_last_of('.');
  std::string base(target.starts_with("torch.ops.") && cut != std::string_view::npos
                       ? target.substr(0, cut).substr(target.substr(0, cut).rfind('.') + 1)
                       : target.substr(cut == std::string_view::npos ? 0 : cut + 1));
  std::erase_if(base, [](char c) { return !(isalnum(static_cast<unsigned char>(c)) || c == '_'); });
  if (base.empty() || (base[0] >= '0' && base[0] <= '9')) base = "value";
  uint32_t& n = counters_[base];
  // A name that is also what the text calls would take the calls below it for uses of the value.
  static constexpr std::string_view kCalled[] = {"device",   "inf",  "math",   "nan",
                                                 "operator", "self", "tensor", "torch"};
  if (n == 0 && (base == target || ir::isPythonKeyword(base) || ir::isPythonBuiltin(base) ||
                 std::find(std::begin(kCalled), std::end(kCalled), base) != std::end(kCalled)))
    n = 1;
  while (true) {
    const StrId id = intern(n == 0 ? base : base + "_" + std::to_string(n));
    ++n;
    if (!bound(id)) {
      slot(id) = Slot{};
      slot(id).epoch = epoch_;
      return id;
    }
  }
}

void Parser::bind(StrId name, NodeId node) {
  Slot& s = slot(name);
  s = Slot{};
  s.epoch = epoch_;
  s.node = node.index;
}

/// The name under which a new value is kept: `name`, or a fresh one when it is taken.
StrId Parser::define(std::string_view name, const char* at) {
  const StrId id = intern(name);
  const Slot s = slot(id);  // a copy: making a name may move the table
  if (s.epoch != epoch_ || s.node == NodeId::kNone) return id;
  if (s.external) return id;  // it was used before it was defined: emit() takes the uses over
  const StrId fresh = madeUpName(name);
  sink_.warning("duplicate-name", loc(at),
                "'" + std::string(name) + "' is defined again (first on line " +
                    std::to_string(g_->node({s.node}).line) + "); kept as '" + std::string(ctx_.str(fresh)) +
                    "', later uses mean the newest");
  return fresh;
}

NodeId Parser::emit(Pending& p, StrId name, ir::TypeId type, uint16_t flags, const char* at) {
  ir::Node n;
  n.op = p.op;
  n.flags = flags;
  n.name = name;
  n.target = p.target;
  n.type = type;
  if (!comment_.empty()) {
    std::string text;
    for (std::string_view l : comment_) {
      if (!text.empty()) text += '\n';
      text += l;
    }
    comment_.clear();
    source_ = ctx_.source(text);
    sourceStarts_ = true;
  }
  n.source = source_;
  if (sourceStarts_) {
    n.flags |= ir::kNodeStartsSource;
    sourceStarts_ = false;
  }
  n.argCount = p.argCount;
  n.kwargCount = p.kwargCount;
  const uint32_t cells = p.argCount + 2 * p.kwargCount;
  n.args = g_->pushCells(scratch_.data() + p.mark, cells);
  scratch_.resize(p.mark);
  const ir::SourceLoc where = loc(at);
  n.line = where.line;
  n.column = where.column;
  if (g_->idBound() >= kMaxNodes) {
    fail("more than 16 million nodes in one graph", "too-many-nodes");
    return {};
  }
  const NodeId id = g_->append(n);
  g_->linkUses(id);
  Slot& s = slot(name);
  if (s.epoch == epoch_ && s.external) {
    const uint32_t old = s.node;
    g_->replaceAllUses({old}, id);
    std::erase(externals_, old);
    g_->erase({old});
    sink_.error("use-before-definition", where,
                "'" + std::string(ctx_.str(name)) + "' is used above its definition here");
  }
  bind(name, id);
  return id;
}

/// Emits under `name`, or under a fresh name when that is taken; either way `name` means the new node from
/// here on.
NodeId Parser::emitAs(Pending& p, std::string_view name, ir::TypeId type, uint16_t flags, const char* at) {
  const StrId id = define(name, at);
  const NodeId node = emit(p, id, type, flags, at);
  if (const StrId wanted = intern(name); !(wanted == id)) bind(wanted, node);
  return node;
}

NodeId Parser::emitValue(Cell cell, std::string_view name, ir::TypeId type, const char* at) {
  Pending p = callOf(OpKind::CallFunction, ir::kLiteralTarget, {cell});
  return emitAs(p, name, type, 0, at);
}

NodeId Parser::addPlaceholder(std::string_view name, std::string_view target, ir::TypeId type,
                              ir::DescId desc, uint16_t flags, const char* at) {
  ir::Node n;
  n.op = OpKind::Placeholder;
  n.flags = flags;
  n.name = intern(name);
  n.target = intern(target);
  n.type = type;
  n.desc = desc;
  const ir::SourceLoc where = loc(at);
  n.line = where.line;
  n.column = where.column;
  return g_->append(n);
}

void Parser::flushParameters() {
  if (!parametersPending_) return;
  parametersPending_ = false;
  for (const Parameter& p : parameters_) {
    std::string_view bare = p.name;
    while (bare.starts_with('*')) bare.remove_prefix(1);
    const StrId id = intern(bare);
    if (bound(id)) {
      sink_.warning("duplicate-name", loc(p.at), "parameter '" + std::string(bare) + "' stands twice");
      continue;
    }
    const NodeId node = addPlaceholder(bare, p.name, p.type, p.desc, 0, p.at);
    if (p.hasDefault) {
      g_->edit(node).args = g_->pushCells(&p.defaultValue, 1);
      g_->edit(node).argCount = 1;
      g_->linkUses(node);
    }
    bind(id, node);
    slot(id).parameterOnly = true;
  }
}

}  // namespace descry::importers::fx
