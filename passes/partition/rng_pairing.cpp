#include "passes/partition/rng_pairing.h"

#include <string>

#include "passes/partition/fx_names.h"

namespace descry::passes::partition {

using ir::Argument;
using ir::Graph;
using ir::NodeId;
using ir::OpKind;
using ir::ValueKind;

namespace {

using Keywords = std::vector<std::pair<std::string, Argument>>;

constexpr std::string_view kHigherOrder = "torch.ops.higher_order.";

/// Edits one of the two graphs; new nodes are named as torch.fx names them.
class Editor {
 public:
  Editor(Graph& graph, FxNames names) : g_(graph), names_(std::move(names)) {}

  Graph& graph() { return g_; }

  NodeId placeholder(std::string_view name, ir::TypeId type, NodeId before) {
    Graph::NodeSpec spec;
    spec.op = OpKind::Placeholder;
    const std::string own = names_.create(name);
    spec.name = own;
    spec.target = name;
    spec.type = type;
    return g_.add(spec, before);
  }

  /// `name(op, args..., kwargs...)`, with `front` before the op.
  NodeId wrapper(std::string_view name, NodeId op, const std::vector<Argument>& front, const Keywords& more,
                 NodeId before) {
    std::vector<Argument> args = front;
    args.push_back(Argument::texted(ValueKind::OpRef, std::string(g_.target(op))));
    for (uint32_t i = 0; i < g_.argCount(op); ++i) args.push_back(g_.toArgument(g_.arg(op, i)));
    Keywords kwargs;
    for (uint32_t i = 0; i < g_.kwargCount(op); ++i)
      kwargs.push_back({std::string(g_.kwargKey(op, i)), g_.toArgument(g_.kwarg(op, i))});
    kwargs.insert(kwargs.end(), more.begin(), more.end());
    return call(name, std::move(args), std::move(kwargs), noPlace(), before);
  }

  /// A call of a higher order op.
  NodeId call(std::string_view name, std::vector<Argument> args, Keywords kwargs, ir::SourceId source,
              NodeId before) {
    Graph::NodeSpec spec;
    const std::string own = names_.create(name);
    const std::string target = std::string(kHigherOrder) + std::string(name);
    spec.name = own;
    spec.target = target;
    spec.args = std::move(args);
    spec.kwargs = std::move(kwargs);
    spec.source = source;
    return g_.add(spec, before);
  }

  NodeId element(NodeId tuple, int index, ir::TypeId type, ir::SourceId source, NodeId before) {
    Graph::NodeSpec spec;
    const std::string own = names_.create("getitem");
    spec.name = own;
    spec.target = "operator.getitem";
    spec.args = {tuple, index};
    spec.type = type;
    spec.source = source ? source : noPlace();
    return g_.add(spec, before);
  }

  ir::SourceId noPlace() { return g_.context().source("# No stacktrace found for following nodes"); }

  void replace(NodeId old, NodeId by) {
    g_.replaceAllUses(old, by);
    g_.erase(old);
  }

 private:
  Graph& g_;
  FxNames names_;
};

/// "cuda:0" when some result lives on a CUDA device, else "cpu".
std::string deviceOf(const Joint& joint, uint32_t item) {
  const auto cuda = [&](uint32_t i) -> std::string {
    const std::string& d = joint.graph.type(joint.ids[i]).tensor.device;
    return d.starts_with("cuda") ? (d == "cuda" ? "cuda:0" : d) : std::string();
  };
  std::string device = cuda(item);
  if (device.empty() && joint.value[item] == ValueClass::None)
    for (uint32_t user : joint.users[item])
      if (device.empty() && joint.facts[user]->name == OpName::Getitem) device = cuda(user);
  return device.empty() ? "cpu" : device;
}

NodeId lastPlaceholder(const Graph& g) {
  NodeId last;
  for (NodeId id : g.nodes())
    if (g.node(id).op == OpKind::Placeholder) last = id;
  return last;
}

}  // namespace

ir::Result<RandomPairing> pairRandomOps(const Joint& joint, const Split& split, BuiltGraph& forward,
                                        BuiltGraph& backward) {
  std::vector<uint32_t> pairs;
  for (uint32_t i = 0; i < joint.size(); ++i)
    if (joint.mustRecompute(i) && joint.isRandom(i) && split.forward.computed[i] &&
        split.backward.computed[i])
      pairs.push_back(i);
  NodeId firstTangent;
  for (uint32_t i = 0; i < joint.size() && !firstTangent; ++i)
    if (joint.inputRole[i] == InputRole::Tangent && backward.nodeOf[i] != kNoItem)
      firstTangent = backward.node(i);
  if (!firstTangent)
    return ir::failure("partition-no-tangent",
                       "random ops are to be recomputed, but the backward graph takes no gradient");

  std::string cuda;
  bool oneCuda = true;
  for (uint32_t i : pairs) {
    const std::string device = deviceOf(joint, i);
    if (device == "cpu") continue;
    oneCuda = oneCuda && (cuda.empty() || cuda == device);
    cuda = device;
  }
  const bool graphsafe = joint.options.graphsafeRandom && !joint.options.fallbackRandom && oneCuda;

  RandomPairing out;
  Editor fw(forward.graph(), namesOf(joint, split.forward)),
      bw(backward.graph(), namesOf(joint, split.backward));
  std::vector<NodeId> states;
  NodeId lastForward = lastPlaceholder(fw.graph()), lastBackward = lastPlaceholder(bw.graph());
  uint32_t pair = 0;
  for (uint32_t i : pairs) {
    const NodeId f = forward.node(i), b = backward.node(i);
    const std::string number = std::to_string(pair++);
    const bool onCuda = deviceOf(joint, i) != "cpu";
    if (graphsafe && onCuda) {
      lastForward = fw.placeholder("fwd_rng_state_" + number, {},
                                   lastForward ? fw.graph().next(lastForward) : fw.graph().first());
      lastBackward = bw.placeholder("bwd_rng_state_" + number, {}, bw.graph().next(lastBackward));
      const NodeId fn =
          fw.wrapper("graphsafe_run_with_rng_state", f, {}, {{"rng_state", lastForward}}, fw.graph().next(f));
      fw.replace(f, fn);
      forward.nodeOf[i] = fn.index;
      const NodeId bn = bw.wrapper("graphsafe_run_with_rng_state", b, {}, {{"rng_state", lastBackward}}, b);
      bw.replace(b, bn);
      backward.nodeOf[i] = bn.index;
      ++out.generators;
      continue;
    }
    const ir::TypeId stateType = joint.graph.context().type("u8[" + joint.input.randomStateSize + "][1]cpu");
    const NodeId run = fw.wrapper("run_and_save_rng_state", f, {}, {}, f);
    const NodeId state = fw.element(run, 0, stateType, {}, f);
    const NodeId value = fw.element(run, 1, fw.graph().node(f).type, fw.graph().node(f).source, f);
    fw.replace(f, value);
    forward.nodeOf[i] = value.index;
    states.push_back(state);
    const NodeId taken =
        bw.placeholder("rng_state_output_" + std::to_string(out.states), stateType, firstTangent);
    const NodeId again = bw.wrapper("run_with_rng_state", b, {taken}, {}, b);
    bw.replace(b, again);
    backward.nodeOf[i] = again.index;
    ++out.states;
  }
  if (states.empty()) return out;

  // PyTorch makes a new output node, which has no descriptors and is printed on one line.
  Graph& g = fw.graph();
  std::vector<Argument> values;
  for (const ir::ArgView& v : g.outputs()) values.push_back(g.toArgument(v));
  const size_t at = values.size() - split.saved.symbols.size();
  values.insert(values.begin() + static_cast<ptrdiff_t>(at), states.begin(), states.end());
  std::vector<ir::DescId> descs;
  if (joint.options.describeRandomStates) {
    const size_t own = joint.forwardOutputs.size();
    descs.assign(g.outputDescs.begin(),
                 g.outputDescs.begin() + static_cast<ptrdiff_t>(std::min(at, g.outputDescs.size())));
    for (size_t k = at; k < values.size(); ++k)
      descs.push_back(
          g.context().descriptor(ir::Descriptor::savedForBackwards(static_cast<int64_t>(k - own))));
  }
  if (descs.empty()) g.style.returnForm = ir::ReturnForm::Inline;
  g.setOutput(Argument::tuple(std::move(values)), std::move(descs));
  return out;
}

uint32_t threadGenerators(ir::Module& module, Side side) {
  // A generator input has no descriptor, neither here nor in PyTorch: it is known by its name.
  const std::string prefix = side == Side::Forward ? "fwd_rng_state" : "bwd_rng_state";
  std::vector<NodeId> calls;
  for (NodeId id : module.root().nodes())
    if (module.root().target(id) == "torch.ops.higher_order.invoke_subgraph") calls.push_back(id);
  if (calls.empty()) return 0;
  Graph& g = module.root();
  FxNames names;
  for (NodeId id : g.nodes()) names.create(g.nodeName(id));
  Editor editor(g, std::move(names));
  NodeId last = lastPlaceholder(g);
  uint32_t count = 0;
  for (NodeId call : calls) {
    const ir::ArgView sub = g.arg(call, 0);
    const Graph* region = sub.kind() == ValueKind::NodeRef ? module.child(g, g.target(sub.node())) : nullptr;
    if (!region) continue;
    std::vector<Argument> args;
    for (uint32_t i = 0; i < g.argCount(call); ++i) args.push_back(g.toArgument(g.arg(call, i)));
    const size_t before = args.size();
    for (NodeId p : region->placeholders()) {
      if (region->nodeName(p).find(prefix) == std::string_view::npos) continue;
      last = editor.placeholder(prefix + "_" + std::to_string(count++), region->node(p).type,
                                last ? g.next(last) : g.first());
      args.push_back(last);
    }
    if (args.size() == before) continue;
    const NodeId now = editor.call("invoke_subgraph", std::move(args), {}, g.node(call).source, g.next(call));
    editor.replace(call, now);
  }
  return count;
}

}  // namespace descry::passes::partition
