#include "ir/core/graph.h"

#include <algorithm>

namespace descry::ir {

std::string_view opKindName(OpKind kind) {
  switch (kind) {
    case OpKind::Placeholder:
      return "placeholder";
    case OpKind::GetAttr:
      return "get_attr";
    case OpKind::CallFunction:
      return "call_function";
    case OpKind::CallMethod:
      return "call_method";
    case OpKind::CallModule:
      return "call_module";
    case OpKind::Output:
      return "output";
  }
  return "call_function";
}

Argument Argument::boolean(bool v) {
  Argument a;
  a.kind = ValueKind::Bool;
  a.i = v;
  return a;
}

Argument Argument::texted(ValueKind kind, std::string text) {
  Argument a;
  a.kind = kind;
  a.text = std::move(text);
  return a;
}

Argument Argument::of(ValueKind kind, std::vector<Argument> items) {
  Argument a;
  a.kind = kind;
  a.items = std::move(items);
  return a;
}

Argument Argument::ints(const std::vector<int64_t>& values) {
  std::vector<Argument> items;
  items.reserve(values.size());
  for (int64_t v : values) items.emplace_back(v);
  return list(std::move(items));
}

Graph::Graph(ContextPtr context, std::string graphName)
    : name(std::move(graphName)), context_(std::move(context)) {}

std::string_view Graph::kwargKey(NodeId id, uint32_t i) const {
  const Node& n = node(id);
  return str({cells_[n.args + n.argCount + 2 * i].a});
}

std::optional<ArgView> Graph::kwargIf(NodeId id, std::string_view key) const {
  for (uint32_t i = 0; i < kwargCount(id); ++i)
    if (kwargKey(id, i) == key) return kwarg(id, i);
  return std::nullopt;
}

Argument Graph::toArgument(ArgView view) const {
  Argument a;
  a.kind = view.kind();
  switch (a.kind) {
    case ValueKind::None:
    case ValueKind::Ellipsis:
      break;
    case ValueKind::NodeRef:
      a.node = view.node();
      break;
    case ValueKind::Int:
    case ValueKind::Bool:
      a.i = view.integer();
      break;
    case ValueKind::Float:
      a.d = view.real();
      break;
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
    case ValueKind::Slice:
      a.items.reserve(view.size());
      for (uint32_t i = 0; i < view.size(); ++i) a.items.push_back(toArgument(view[i]));
      break;
    default:
      a.text = std::string(view.text());
  }
  return a;
}

std::vector<NodeId> Graph::inputs(NodeId id) const {
  std::vector<NodeId> out;
  forEachInput(id, [&](NodeId in) {
    if (std::find(out.begin(), out.end(), in) == out.end()) out.push_back(in);
  });
  return out;
}

std::vector<NodeId> Graph::users(NodeId id) const {
  std::vector<NodeId> out;
  for (uint32_t c = node(id).firstUse; c != NodeId::kNone; c = cells_[c].u.b) {
    const NodeId user{cells_[c].u.c};
    // Cells of one user that were linked together are neighbours in the list.
    if (out.empty() || out.back() != user) out.push_back(user);
  }
  std::reverse(out.begin(), out.end());
  std::vector<NodeId> sorted = out;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return sorted;
  }
  return out;
}

uint32_t Graph::useCount(NodeId id) const {
  uint32_t n = 0;
  for (uint32_t c = node(id).firstUse; c != NodeId::kNone; c = cells_[c].u.b) ++n;
  return n;
}

NodeId Graph::find(std::string_view wanted) const {
  if (!byName_) {
    auto index = std::make_shared<std::unordered_map<uint32_t, uint32_t>>();
    index->reserve(live_);
    for (NodeId id : nodes()) (*index)[node(id).name.index] = id.index;
    byName_ = std::move(index);
  }
  StrId id;
  if (!context_->strings.find(wanted, id)) return {};
  const auto it = byName_->find(id.index);
  return it == byName_->end() ? NodeId{} : NodeId{it->second};
}

std::vector<NodeId> Graph::placeholders() const {
  std::vector<NodeId> out;
  for (NodeId id : nodes())
    if (node(id).op == OpKind::Placeholder) out.push_back(id);
  return out;
}

std::vector<ArgView> Graph::outputs() const {
  std::vector<ArgView> out;
  if (output_ == NodeId::kNone || nodes_[output_].argCount == 0) return out;
  const ArgView value = arg({output_}, 0);
  if (value.kind() == ValueKind::Tuple || value.kind() == ValueKind::List) {
    for (uint32_t i = 0; i < value.size(); ++i) out.push_back(value[i]);
  } else {
    out.push_back(value);
  }
  return out;
}

void Graph::link(uint32_t index, uint32_t before) {
  Node& n = nodes_.edit(index);
  n.next = before;
  n.prev = before == NodeId::kNone ? tail_ : nodes_[before].prev;
  (n.prev == NodeId::kNone ? head_ : nodes_.edit(n.prev).next) = index;
  (before == NodeId::kNone ? tail_ : nodes_.edit(before).prev) = index;
}

void Graph::unlink(uint32_t index) {
  const Node n = nodes_[index];
  (n.prev == NodeId::kNone ? head_ : nodes_.edit(n.prev).next) = n.next;
  (n.next == NodeId::kNone ? tail_ : nodes_.edit(n.next).prev) = n.prev;
}

NodeId Graph::append(const Node& proto) {
  const uint32_t index = nodes_.push(proto);
  link(index, NodeId::kNone);
  if (proto.op == OpKind::Output) output_ = index;
  ++live_;
  byName_.reset();
  return {index};
}

void Graph::linkUses(NodeId id) {
  const Node n = nodes_[id.index];
  forEachRefCell(n.args, n.argCount + 2 * n.kwargCount, [&](uint32_t c) {
    Cell& cell = cells_.edit(c);
    Node& def = nodes_.edit(cell.a);
    cell.u.b = def.firstUse;
    cell.u.c = id.index;
    def.firstUse = c;
  });
}

void Graph::unlinkUses(NodeId id) {
  const Node n = nodes_[id.index];
  forEachRefCell(n.args, n.argCount + 2 * n.kwargCount, [&](uint32_t c) {
    const uint32_t def = cells_[c].a;
    const uint32_t after = cells_[c].u.b;
    uint32_t at = nodes_[def].firstUse;
    if (at == c) {
      nodes_.edit(def).firstUse = after;
      return;
    }
    while (cells_[at].u.b != c) at = cells_[at].u.b;
    cells_.edit(at).u.b = after;
  });
}

Cell Graph::build(const Argument& a) {
  switch (a.kind) {
    case ValueKind::None:
      return Cell::none();
    case ValueKind::Ellipsis:
      return Cell::ellipsis();
    case ValueKind::NodeRef:
      return Cell::ref(a.node);
    case ValueKind::Int:
      return Cell::integer(a.i);
    case ValueKind::Bool:
      return Cell::boolean(a.i != 0);
    case ValueKind::Float:
      return Cell::real(a.d);
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
    case ValueKind::Slice: {
      std::vector<Cell> items;
      items.reserve(a.items.size());
      for (const Argument& item : a.items) items.push_back(build(item));
      const uint32_t first = cells_.pushRun(items.data(), static_cast<uint32_t>(items.size()));
      return Cell::container(a.kind, static_cast<uint32_t>(items.size()), first);
    }
    default:
      return Cell::text(a.kind, context_->intern(a.text));
  }
}

uint32_t Graph::build(const std::vector<Argument>& args,
                      const std::vector<std::pair<std::string, Argument>>& kwargs) {
  std::vector<Cell> cells;
  cells.reserve(args.size() + 2 * kwargs.size());
  for (const Argument& a : args) cells.push_back(build(a));
  for (const auto& [key, value] : kwargs) {
    cells.push_back(Cell::text(ValueKind::Str, context_->intern(key)));
    cells.push_back(build(value));
  }
  return cells_.pushRun(cells.data(), static_cast<uint32_t>(cells.size()));
}

/// PyTorch's rule: a taken name gets `_1`, `_2`, ... behind its base without a number.
StrId Graph::freeName(std::string_view wanted) {
  if (!find(wanted).valid()) return context_->intern(wanted);
  std::string base(wanted);
  const size_t underscore = base.rfind('_');
  uint32_t n = 1;
  if (underscore != std::string::npos && underscore + 1 < base.size() && base.size() - underscore < 10 &&
      std::all_of(base.begin() + static_cast<ptrdiff_t>(underscore) + 1, base.end(),
                  [](char c) { return c >= '0' && c <= '9'; })) {
    n = static_cast<uint32_t>(std::stoul(base.substr(underscore + 1))) + 1;
    base.resize(underscore);
  }
  if (!nextNumber_) nextNumber_ = std::make_shared<std::unordered_map<uint32_t, uint32_t>>();
  if (nextNumber_.use_count() > 1)
    nextNumber_ = std::make_shared<std::unordered_map<uint32_t, uint32_t>>(*nextNumber_);
  uint32_t& next = (*nextNumber_)[context_->intern(base).index];
  n = std::max(n, next);
  while (find(base + "_" + std::to_string(n)).valid()) ++n;
  next = n + 1;
  return context_->intern(base + "_" + std::to_string(n));
}

/// torch.ops.aten.add.Tensor -> add; operator.mul -> mul; view -> view.
static std::string_view nameFromTarget(std::string_view target) {
  if (target.starts_with("torch.ops.")) {
    target.remove_prefix(10);
    const size_t ns = target.find('.');
    if (ns != std::string_view::npos) target.remove_prefix(ns + 1);
    if (const size_t overload = target.find('.'); overload != std::string_view::npos)
      target = target.substr(0, overload);
    return target;
  }
  const size_t dot = target.rfind('.');
  return dot == std::string_view::npos ? target : target.substr(dot + 1);
}

NodeId Graph::add(const NodeSpec& spec, NodeId before) {
  Node n;
  n.op = spec.op;
  std::string_view wanted = spec.name.empty() ? nameFromTarget(spec.target) : spec.name;
  if (spec.op == OpKind::Output) wanted = "output";
  n.name = freeName(wanted.empty() ? "value" : wanted);
  n.target =
      context_->intern(spec.op == OpKind::Placeholder && spec.target.empty() ? str(n.name) : spec.target);
  n.type = spec.type;
  n.desc = spec.desc;
  n.source = spec.source;
  n.args = build(spec.args, spec.kwargs);
  n.argCount = static_cast<uint32_t>(spec.args.size());
  n.kwargCount = static_cast<uint32_t>(spec.kwargs.size());
  const uint32_t index = nodes_.push(n);
  if (!before.valid() && output_ != NodeId::kNone && spec.op != OpKind::Output) before = {output_};
  link(index, before.index);
  ++live_;
  if (spec.op == OpKind::Output) output_ = index;
  if (byName_) {
    if (byName_.use_count() > 1) byName_ = std::make_shared<std::unordered_map<uint32_t, uint32_t>>(*byName_);
    (*byName_)[n.name.index] = index;
  }
  linkUses({index});
  return {index};
}

NodeId Graph::addPlaceholder(std::string_view wanted, TypeId type, DescId desc) {
  NodeSpec spec;
  spec.op = OpKind::Placeholder;
  spec.name = wanted;
  spec.type = type;
  spec.desc = desc;
  // Behind the last one: those of a graph that is being built are not walked through again.
  const bool known = lastPlaceholder_ != NodeId::kNone &&
                     node({lastPlaceholder_}).op == OpKind::Placeholder &&
                     !(node({lastPlaceholder_}).flags & kNodeErased);
  NodeId before = known ? NodeId{lastPlaceholder_} : first();
  while (before.valid() && node(before).op == OpKind::Placeholder) before = next(before);
  const NodeId made = add(spec, before);
  lastPlaceholder_ = made.index;
  return made;
}

NodeId Graph::setOutput(const Argument& value, std::vector<DescId> descs) {
  outputDescs = std::move(descs);
  if (output_ != NodeId::kNone) {
    setArgs({output_}, {value});
    return {output_};
  }
  NodeSpec spec;
  spec.op = OpKind::Output;
  spec.target = "output";
  spec.args = {value};
  return add(spec);
}

void Graph::setArgs(NodeId id, const std::vector<Argument>& args,
                    const std::vector<std::pair<std::string, Argument>>& kwargs) {
  unlinkUses(id);
  const uint32_t first = build(args, kwargs);
  Node& n = nodes_.edit(id.index);
  n.args = first;
  n.argCount = static_cast<uint32_t>(args.size());
  n.kwargCount = static_cast<uint32_t>(kwargs.size());
  linkUses(id);
}

void Graph::rename(NodeId id, std::string_view wanted) {
  if (nodeName(id) == wanted) return;
  const StrId name = freeName(wanted);
  forgetName(id);
  nodes_.edit(id.index).name = name;
  if (byName_) (*byName_)[name.index] = id.index;
}

/// Keeps the index of names right while single nodes come and go; one that another graph shares is made anew.
void Graph::forgetName(NodeId id) {
  if (!byName_) return;
  if (byName_.use_count() > 1) {
    byName_.reset();
    return;
  }
  const auto it = byName_->find(node(id).name.index);
  if (it != byName_->end() && it->second == id.index) byName_->erase(it);
}

void Graph::setSource(NodeId id, SourceId source, bool starts) {
  Node& n = nodes_.edit(id.index);
  n.source = source;
  n.flags = static_cast<uint16_t>(starts ? n.flags | kNodeStartsSource : n.flags & ~kNodeStartsSource);
}

void Graph::setTarget(NodeId id, std::string_view target) {
  nodes_.edit(id.index).target = context_->intern(target);
}

void Graph::moveBefore(NodeId id, NodeId before) {
  if (id == before) return;
  unlink(id.index);
  link(id.index, before.index);
}

void Graph::replaceAllUses(NodeId from, NodeId to) {
  if (from == to || node(from).firstUse == NodeId::kNone) return;
  uint32_t last = NodeId::kNone;
  for (uint32_t c = node(from).firstUse; c != NodeId::kNone; c = cells_[c].u.b) {
    cells_.edit(c).a = to.index;
    last = c;
  }
  cells_.edit(last).u.b = node(to).firstUse;
  nodes_.edit(to.index).firstUse = node(from).firstUse;
  nodes_.edit(from.index).firstUse = NodeId::kNone;
}

void Graph::erase(NodeId id) {
  forgetName(id);
  unlinkUses(id);
  unlink(id.index);
  nodes_.edit(id.index).flags |= kNodeErased;
  if (output_ == id.index) output_ = NodeId::kNone;
  --live_;
}

void Graph::eraseMarked(const std::vector<bool>& dead) {
  // Later nodes first: their cells head the use lists, so that each unlinking is usually one step.
  for (uint32_t at = tail_; at != NodeId::kNone;) {
    const uint32_t before = nodes_[at].prev;
    if (at < dead.size() && dead[at]) {
      unlinkUses({at});
      unlink(at);
      nodes_.edit(at).flags |= kNodeErased;
      if (output_ == at) output_ = NodeId::kNone;
      --live_;
    }
    at = before;
  }
  byName_.reset();
}

uint32_t Graph::eliminateDeadCode(const std::function<bool(NodeId)>& keep) {
  const uint32_t before = live_;
  for (uint32_t at = tail_; at != NodeId::kNone;) {
    const Node& n = nodes_[at];
    const uint32_t earlier = n.prev;
    const bool needed = n.firstUse != NodeId::kNone || n.op == OpKind::Placeholder || n.op == OpKind::Output;
    if (!needed && !keep({at})) {
      unlinkUses({at});
      unlink(at);
      nodes_.edit(at).flags |= kNodeErased;
      --live_;
    }
    at = earlier;
  }
  if (live_ != before) byName_.reset();
  return before - live_;
}

void Graph::setMeta(NodeId id, std::vector<NodeMetaEntry> entries) {
  if (!nodeMeta_) nodeMeta_ = std::make_shared<std::vector<std::vector<NodeMetaEntry>>>();
  if (nodeMeta_.use_count() > 1)
    nodeMeta_ = std::make_shared<std::vector<std::vector<NodeMetaEntry>>>(*nodeMeta_);
  nodeMeta_->push_back(std::move(entries));
  nodes_.edit(id.index).meta = static_cast<uint32_t>(nodeMeta_->size());
}

uint32_t Module::addGraph(std::string graphName) {
  graphs.emplace_back(context_, std::move(graphName));
  return static_cast<uint32_t>(graphs.size() - 1);
}

const Graph* Module::child(const Graph& graph, std::string_view attribute) const {
  for (const Graph::Child& c : graph.children)
    if (context_->str(c.attribute) == attribute) return &graphs[c.graph];
  return nullptr;
}

}  // namespace descry::ir
