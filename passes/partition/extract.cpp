#include "passes/partition/extract.h"

#include <algorithm>
#include <unordered_map>

namespace descry::passes::partition {

using ir::ArgView;
using ir::NodeId;
using ir::OpKind;
using ir::ValueKind;

namespace {

enum class State : uint8_t { Unseen, Valid, Invalid, Input };

/// The value that a user kernel's result `key` stands for: `kernel(kwargs={'x': a})['x']` is a.
uint32_t originalInput(const Joint& joint, uint32_t item) {
  if (joint.facts[item]->name != OpName::Getitem) return kNoItem;
  const uint32_t kernel = joint.argumentItem(item, 0);
  if (kernel == kNoItem || !joint.isCall(kernel) || joint.graph.argCount(joint.ids[item]) < 2) return kNoItem;
  const ArgView key = joint.graph.arg(joint.ids[item], 1);
  const auto kwargs = joint.graph.kwargIf(joint.ids[kernel], "kwargs");
  if (!kwargs || kwargs->kind() != ValueKind::Dict || key.kind() != ValueKind::Str) return kNoItem;
  for (uint32_t k = 0; k + 1 < kwargs->size(); k += 2)
    if ((*kwargs)[k].kind() == ValueKind::Str && (*kwargs)[k].text() == key.text())
      return joint.itemOfCell((*kwargs)[k + 1]);
  return kNoItem;
}

/// What an output is instead when the forward graph may not compute it.
uint32_t replacementFor(const Joint& joint, uint32_t item, const std::vector<State>& state) {
  const auto usable = [&](uint32_t i) {
    return i != kNoItem && (state[i] == State::Valid || state[i] == State::Input);
  };
  if (joint.facts[item]->name == OpName::Copy && joint.mustBeInBackward(item)) {
    const uint32_t written = joint.argumentItem(item, 0);
    if (usable(written)) return written;
  }
  uint32_t value = item;
  if (joint.facts[item]->name == OpName::ViewOrReshape) value = joint.argumentItem(item, 0);
  if (value == kNoItem) return kNoItem;
  const uint32_t original = originalInput(joint, value);
  return usable(original) ? original : kNoItem;
}

ir::Diagnostic invalidOutput(const Joint& joint, uint32_t item, Side side) {
  ir::Diagnostic d;
  d.code = "partition-invalid-output";
  d.message = "'" + std::string(joint.name(item)) + "' is an output of the " +
              (side == Side::Forward ? "forward" : "backward") +
              " graph, but depends on what that graph may not compute";
  d.node = joint.name(item);
  const ir::Node& n = joint.graph.node(joint.ids[item]);
  d.loc = {n.line, n.column};
  return d;
}

}  // namespace

ir::Result<Extract> extract(const Joint& joint, std::span<const uint32_t> inputs,
                            std::span<const JointOutput> outputs, Side side) {
  const uint32_t n = joint.size();
  Extract out;
  out.inputs.assign(inputs.begin(), inputs.end());
  std::vector<State> state(n, State::Unseen);
  for (uint32_t i : inputs) state[i] = State::Input;
  for (uint32_t i = 0; i < n; ++i) {
    if (state[i] == State::Input) continue;
    bool valid = joint.kind[i] != OpKind::Placeholder && joint.kind[i] != OpKind::Output;
    if (side != Side::Backward && joint.mustBeInBackward(i)) valid = false;
    if (side != Side::Forward && joint.mustBeInForward(i)) valid = false;
    if (valid && joint.kind[i] != OpKind::GetAttr)
      for (uint32_t in : joint.inputs[i])
        if (state[in] != State::Valid && state[in] != State::Input) {
          valid = false;
          break;
        }
    state[i] = valid ? State::Valid : State::Invalid;
  }

  out.readers.assign(n, 0);
  out.computed.assign(n, false);
  out.computable.assign(n, false);
  for (uint32_t i = 0; i < n; ++i) out.computable[i] = state[i] == State::Valid;
  out.outputs.assign(outputs.begin(), outputs.end());
  std::vector<bool> returned(n, false);
  for (JointOutput& o : out.outputs) {
    if (o.item == kNoItem) continue;
    if (state[o.item] == State::Invalid) {
      const uint32_t other = replacementFor(joint, o.item, state);
      if (other == kNoItem) return invalidOutput(joint, o.item, side);
      o.item = other;
    }
    if (!returned[o.item]) ++out.readers[o.item];
    returned[o.item] = true;
  }
  for (uint32_t i = n; i-- > 0;) {
    if (state[i] != State::Valid || (out.readers[i] == 0 && !joint.isImpure(i))) continue;
    out.computed[i] = true;
    out.body.push_back(i);
    for (uint32_t in : joint.inputs[i]) ++out.readers[in];
  }
  std::reverse(out.body.begin(), out.body.end());
  return out;
}

namespace {

constexpr std::string_view kBackwardMark = "Backward of forward node: ";

/// Copies argument cells from one graph to another of the same context.
class CellCopier {
 public:
  CellCopier(const ir::Graph& from, ir::Graph& to, const std::vector<uint32_t>& nodeOf, const Joint& joint)
      : from_(from), to_(to), nodeOf_(nodeOf), joint_(joint) {}

  uint32_t run(uint32_t first, uint32_t count) {
    std::vector<ir::Cell> cells;
    cells.reserve(count);
    for (uint32_t i = 0; i < count; ++i) cells.push_back(copied(from_.cell(first + i)));
    return to_.pushCells(cells.data(), count);
  }
  ir::Cell copied(const ir::Cell& c) {
    if (c.kind == ValueKind::NodeRef) {
      const uint32_t item = joint_.itemOf[c.a];
      const uint32_t node = item == kNoItem ? kNoItem : nodeOf_[item];
      return node == kNoItem ? ir::Cell::none() : ir::Cell::ref({node});  // none: inside a returned tuple
    }
    if (c.isContainer()) return ir::Cell::container(c.kind, c.a, run(c.u.b, c.a));
    return c;
  }

 private:
  const ir::Graph& from_;
  ir::Graph& to_;
  const std::vector<uint32_t>& nodeOf_;
  const Joint& joint_;
};

/// Sources rewritten once each.
class SourceMap {
 public:
  SourceMap(const Joint& joint, bool backward) : joint_(joint), backward_(backward) {}
  ir::SourceId of(uint32_t item) {
    const ir::SourceId source = joint_.graph.node(joint_.ids[item]).source;
    const NodeRole& role = joint_.role[item];
    const NodeId id = joint_.ids[item];
    const RecomputePolicy before =
        id.index < joint_.input.roles.size() ? joint_.input.roles[id.index].recompute : RecomputePolicy::None;
    if (role.recompute != before) return rewrittenSource(joint_.graph.context(), source, role, backward_);
    if (!backward_ || !source) return source;
    if (source.index >= marked_.size()) marked_.resize(source.index + 64, 0);
    uint32_t& known = marked_[source.index];
    if (!known) known = rewrittenSource(joint_.graph.context(), source, role, true).index;
    return {known};
  }

 private:
  const Joint& joint_;
  bool backward_;
  std::vector<uint32_t> marked_;  // by SourceId
};

}  // namespace

ir::SourceId rewrittenSource(ir::Context& context, ir::SourceId source, const NodeRole& role, bool backward) {
  // `#`, annotations, ` ac_graph_id: 4 - MUST_SAVE` or ` recompute: MUST_SAVE`, the place.
  std::string text(source ? context.str(context.source(source).comment) : "#");
  const bool noPlace = !source || context.source(source).noStackTrace;
  constexpr std::string_view kNoPlace = "No stacktrace found for following nodes";
  size_t place = std::string::npos;
  for (std::string_view mark : {kBackwardMark, std::string_view("File: "), kNoPlace}) {
    const size_t at = text.find(mark);
    place = std::min(place, at);
  }
  if (place == std::string::npos) place = text.size();
  std::string head = text.substr(0, place), tail = text.substr(place);
  for (std::string_view mark : {" ac_graph_id: ", " recompute: "})
    if (const size_t at = head.rfind(mark); at != std::string::npos) head.resize(at);
  while (!head.empty() && head.back() == ' ') head.pop_back();
  if (role.recompute != RecomputePolicy::None && role.region >= 0)
    head += " ac_graph_id: " + std::to_string(role.region) + " - " +
            std::string(recomputePolicyName(role.recompute));
  else if (role.recompute != RecomputePolicy::None)
    head += " recompute: " + std::string(recomputePolicyName(role.recompute));
  else if (role.region >= 0)
    head += " ac_graph_id: " + std::to_string(role.region);
  head += ' ';
  if (tail.empty()) tail = kNoPlace;
  if (backward && !noPlace && !tail.starts_with(kBackwardMark)) tail.insert(0, kBackwardMark);
  return context.source(head + tail);
}

BuiltGraph build(const Joint& joint, const Extract& extract, Side side) {
  const ir::Graph& from = joint.graph;
  BuiltGraph out(from.contextPtr());
  out.module.addGraph(side == Side::Forward ? "forward" : "backward");
  ir::Graph& g = out.graph();
  g.style.signature = ir::SignatureForm::Expanded;
  g.style.returnForm = ir::ReturnForm::OnePerLine;
  out.nodeOf.assign(joint.size(), kNoItem);
  SourceMap sources(joint, side == Side::Backward);
  CellCopier cells(from, g, out.nodeOf, joint);

  for (uint32_t i : extract.inputs) {
    const ir::Node& old = from.node(joint.ids[i]);
    ir::Node n;
    n.op = OpKind::Placeholder;
    n.name = n.target = old.name;
    n.type = old.type;
    n.desc = old.desc;
    n.line = old.line, n.column = old.column;
    out.nodeOf[i] = g.append(n).index;
  }
  for (uint32_t i : extract.body) {
    const ir::Node& old = from.node(joint.ids[i]);
    ir::Node n = old;
    n.flags =
        static_cast<uint16_t>(old.flags & (ir::kNodeUnparsed | ir::kNodeNameMadeUp | ir::kNodeBareCall));
    n.source = sources.of(i);
    n.meta = 0;
    n.firstUse = NodeId::kNone;
    n.args = cells.run(old.args, old.argCount + 2 * old.kwargCount);
    const NodeId id = g.append(n);
    out.nodeOf[i] = id.index;
    g.linkUses(id);
  }

  std::vector<ir::Cell> values;
  for (const JointOutput& o : extract.outputs) {
    values.push_back(o.item == kNoItem ? cells.copied(from.cell(o.cell)) : ir::Cell::ref(out.node(o.item)));
    g.outputDescs.push_back(o.desc);
  }
  const uint32_t first = g.pushCells(values.data(), static_cast<uint32_t>(values.size()));
  const ir::Cell tuple = ir::Cell::container(ValueKind::Tuple, static_cast<uint32_t>(values.size()), first);
  ir::Node n;
  n.op = OpKind::Output;
  n.name = n.target = from.context().intern("output");
  n.argCount = 1;
  n.args = g.pushCells(&tuple, 1);
  g.linkUses(g.append(n));
  return out;
}

FxNames namesOf(const Joint& joint, const Extract& extract) {
  FxNames names;
  for (uint32_t i : extract.inputs) names.create(joint.name(i));
  for (uint32_t i = 0; i < joint.size(); ++i)
    if (extract.computable[i]) names.create(joint.name(i));
  return names;
}

namespace {

void adopt(ir::Module& module, uint32_t into, const ir::Module& from, const ir::Graph::Child& child,
           int depth) {
  const uint32_t index = static_cast<uint32_t>(module.graphs.size());
  module.graphs.push_back(from.graphs[child.graph]);
  module.graphs[index].parent = into;
  module.graphs[index].children.clear();
  module.graphs[into].children.push_back({child.attribute, index});
  if (depth == 0) return;
  for (const ir::Graph::Child& inner : from.graphs[child.graph].children)
    adopt(module, index, from, inner, depth - 1);
}

}  // namespace

void adoptSubgraphs(ir::Module& module, const ir::Module& from, const ir::Graph& parent) {
  if (parent.children.empty()) return;
  std::unordered_map<uint32_t, const ir::Graph::Child*> byAttribute;
  for (const ir::Graph::Child& child : parent.children) byAttribute.emplace(child.attribute.index, &child);
  const ir::Graph root = module.root();  // adopting moves the graphs of the module
  for (NodeId id : root.nodes()) {
    const ir::Node& n = root.node(id);
    if (n.op != OpKind::GetAttr && n.op != OpKind::CallModule) continue;
    const auto it = byAttribute.find(n.target.index);
    if (it == byAttribute.end() || !it->second) continue;
    adopt(module, 0, from, *it->second, 50);
    it->second = nullptr;
  }
}

}  // namespace descry::passes::partition
