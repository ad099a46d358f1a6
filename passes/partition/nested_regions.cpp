#include "passes/partition/nested_regions.h"

#include <algorithm>
#include <map>

#include "passes/partition/fx_names.h"
#include "passes/partition/partitioners.h"

namespace descry::passes::partition {

namespace {

using ir::Argument;
using ir::Graph;
using ir::NodeId;
using ir::OpKind;
using ir::ValueKind;

constexpr std::string_view kInvoke = "torch.ops.higher_order.invoke_subgraph";

/// One region, cut.
struct CutRegion {
  uint32_t inputs = 0, outputs = 0;  ///< of its forward subgraph before
  uint32_t saved = 0, symbols = 0;
  std::vector<ir::TypeId> savedTypes;  ///< in the order in which the forward subgraph returns them
  std::string forward, backward;       ///< attributes of the new subgraphs
};

class Stitcher {
 public:
  Stitcher(const PartitionInput& input, const PartitionOptions& options, uint32_t index)
      : input_(input),
        options_(options),
        module_(std::make_shared<ir::Module>(*input.module)),
        roles_(input.roles),
        index_(index) {
    roles_.resize(joint().idBound());
    for (NodeId id : joint().nodes()) names_.create(joint().nodeName(id));
    for (const std::string& name : input.goneNames) names_.create(name);
  }

  ir::Status run();
  StitchedJoint take() { return {std::move(module_), index_, std::move(roles_)}; }

 private:
  Graph& joint() { return module_->graphs[index_]; }
  ir::Diagnostic fault(NodeId call, std::string message);
  /// The subgraph that a call names, or null.
  const Graph* subgraph(NodeId call);
  ir::Result<CutRegion> cut(NodeId forward, NodeId backward, const std::string& identifier);
  void adopt(const std::string& attribute, ir::Module&& part);
  NodeId after(NodeId where, OpKind op, std::string_view target, std::string_view name,
               std::vector<Argument> args, NodeId like);
  NodeId callAfter(NodeId old, const std::string& attribute, std::vector<Argument> operands);
  void replaceForward(NodeId old, const CutRegion& region, std::vector<NodeId>* saved);
  void replaceBackward(NodeId old, const CutRegion& region, const std::vector<NodeId>& saved);

  const PartitionInput& input_;
  const PartitionOptions& options_;
  std::shared_ptr<ir::Module> module_;
  std::vector<NodeRole> roles_;
  uint32_t index_ = 0;
  FxNames names_;
};

std::string_view identifierOf(const Graph& g, NodeId call) {
  return g.argCount(call) > 1 && g.arg(call, 1).kind() == ValueKind::Str ? g.arg(call, 1).text()
                                                                         : std::string_view();
}

ir::Diagnostic Stitcher::fault(NodeId call, std::string message) {
  ir::Diagnostic d;
  d.code = "partition-region";
  d.node = joint().nodeName(call);
  d.message = "'" + d.node + "' " + std::move(message);
  d.loc = {joint().node(call).line, joint().node(call).column};
  return d;
}

const Graph* Stitcher::subgraph(NodeId call) {
  const ir::ArgView sub = joint().arg(call, 0);
  if (sub.kind() == ValueKind::NodeRef) return module_->child(joint(), joint().target(sub.node()));
  return sub.kind() == ValueKind::GraphRef ? module_->child(joint(), sub.text()) : nullptr;
}

ir::Result<CutRegion> Stitcher::cut(NodeId forward, NodeId backward, const std::string& identifier) {
  const Graph* f = subgraph(forward);
  const Graph* b = subgraph(backward);
  if (!f || !b) return fault(f ? backward : forward, "calls a subgraph that is not there");
  CutRegion out;
  out.inputs = static_cast<uint32_t>(f->placeholders().size());
  out.outputs = static_cast<uint32_t>(f->outputs().size());
  // The backward subgraph takes (inputs, tangents) and returns (gradients, forward outputs).
  Graph region = *b;
  const std::vector<NodeId> placeholders = region.placeholders();
  std::vector<Argument> returned;
  for (const ir::ArgView& v : region.outputs()) returned.push_back(region.toArgument(v));
  if (placeholders.size() < out.inputs || returned.size() < out.outputs)
    return fault(backward, "takes or returns less than its forward half");
  for (uint32_t k = 0; k < placeholders.size(); ++k) {
    const bool primal = k < out.inputs;
    const uint32_t number = primal ? k : k - out.inputs;
    const std::string name = (primal ? "primals_" : "tangents_") + std::to_string(number);
    region.rename(placeholders[k], name);
    region.setTarget(placeholders[k], name);
    const std::string output = "PlainAOTOutput(idx=" + std::to_string(number) + ")";
    const std::string desc =
        primal ? "PlainAOTInput(idx=" + name.substr(8) + ")" : "TangentAOTInput(output=" + output + ")";
    region.setDesc(placeholders[k], region.context().descriptor(desc));
  }
  std::rotate(returned.begin(), returned.end() - out.outputs, returned.end());
  region.setOutput(Argument::tuple(std::move(returned)));

  PartitionInput inner = input_;
  inner.module = module_.get();
  inner.joint = &region;
  inner.forwardOutputs = out.outputs;
  inner.staticInputs.clear();
  inner.overrides.clear();
  inner.originalType = nullptr;
  inner.roles =
      input_.subgraphRoles ? input_.subgraphRoles(*b, out.outputs) : deriveRoles(region, out.outputs);
  inner.roles.resize(region.idBound());
  for (uint32_t k = 0; k < placeholders.size(); ++k) {
    inner.roles[placeholders[k].index].input = k < out.inputs ? InputRole::Primal : InputRole::Tangent;
    region.setDesc(placeholders[k], {});  // inputs of a region are described nowhere else either
  }
  auto done = cutOne(inner, options_);
  if (!done) return done.error();
  for (const SavedValue& s : done->saved) {
    ++(s.kind == SavedKind::Symbol ? out.symbols : out.saved);
    out.savedTypes.push_back(region.node(s.node).type);
  }
  // States of random ops that are computed again go the way of saved tensors, behind them.
  const ir::TypeId state = region.context().type("u8[" + input_.randomStateSize + "][1]cpu");
  out.savedTypes.insert(out.savedTypes.begin() + out.saved, done->randomStates, state);
  out.saved += static_cast<uint32_t>(done->randomStates);
  out.forward = "partitioned_fw" + identifier;
  out.backward = "partitioned_bw" + identifier;
  adopt(out.forward, std::move(done->forward));
  adopt(out.backward, std::move(done->backward));
  return out;
}

void Stitcher::adopt(const std::string& attribute, ir::Module&& part) {
  const auto base = static_cast<uint32_t>(module_->graphs.size());
  for (Graph& g : part.graphs) {
    g.style.signature = ir::SignatureForm::OneLine;
    g.style.returnForm = ir::ReturnForm::Inline;
    for (Graph::Child& child : g.children) child.graph += base;
    g.parent = g.parent ? *g.parent + base : index_;
    module_->graphs.push_back(std::move(g));
  }
  joint().children.push_back({joint().context().intern(attribute), base});
}

NodeId Stitcher::after(NodeId where, OpKind op, std::string_view target, std::string_view name,
                       std::vector<Argument> args, NodeId like) {
  Graph& g = joint();
  Graph::NodeSpec spec;
  const std::string own = names_.create(name);
  spec.op = op;
  spec.name = own;
  spec.target = target;
  spec.args = std::move(args);
  spec.source = g.node(like).source;
  const NodeId id = g.add(spec, g.next(where));
  roles_.resize(std::max<size_t>(roles_.size(), id.index + 1));
  roles_[id.index] = roles_[like.index];
  return id;
}

/// A new call behind `old`, with the subgraph `attribute`.
NodeId Stitcher::callAfter(NodeId old, const std::string& attribute, std::vector<Argument> operands) {
  const ir::ArgView sub = joint().arg(old, 0);
  const NodeId like = sub.kind() == ValueKind::NodeRef ? sub.node() : old;
  const NodeId get = after(old, OpKind::GetAttr, attribute, attribute, {}, like);
  operands.insert(operands.begin(), {get, Argument::str(attribute)});
  return after(get, OpKind::CallFunction, kInvoke, "invoke_subgraph", std::move(operands), old);
}

void Stitcher::replaceForward(NodeId old, const CutRegion& region, std::vector<NodeId>* saved) {
  std::vector<Argument> operands;
  for (uint32_t i = 2; i < joint().argCount(old); ++i)
    operands.push_back(joint().toArgument(joint().arg(old, i)));
  const NodeId call = callAfter(old, region.forward, std::move(operands));
  if (saved)
    for (uint32_t k = 0; k < region.saved + region.symbols; ++k) {
      const NodeId item = after(call, OpKind::CallFunction, "operator.getitem", "getitem",
                                {call, static_cast<int64_t>(region.outputs + k)}, call);
      joint().setType(item, region.savedTypes[k]);
      saved->push_back(item);
    }
  joint().replaceAllUses(old, call);
  joint().erase(old);
}

void Stitcher::replaceBackward(NodeId old, const CutRegion& region, const std::vector<NodeId>& saved) {
  const auto tensors = static_cast<ptrdiff_t>(region.saved);
  std::vector<Argument> operands(saved.begin() + tensors, saved.end());  // symbols first
  operands.insert(operands.end(), saved.begin(), saved.begin() + tensors);
  for (uint32_t i = 2 + region.inputs; i < joint().argCount(old); ++i)
    operands.push_back(joint().toArgument(joint().arg(old, i)));
  const NodeId call = callAfter(old, region.backward, std::move(operands));
  joint().replaceAllUses(old, call);
  joint().erase(old);
}

ir::Status Stitcher::run() {
  std::vector<NodeId> forward, backward;
  for (NodeId id : joint().nodes()) {
    if (joint().node(id).op != OpKind::CallFunction || joint().target(id) != kInvoke) continue;
    const std::string_view identifier = identifierOf(joint(), id);
    if (identifier.starts_with("fw")) forward.push_back(id);
    if (identifier.starts_with("bw")) backward.push_back(id);
  }
  std::map<int32_t, NodeId> byCall;
  for (NodeId f : forward)
    if (roles_[f.index].call >= 0 && !byCall.emplace(roles_[f.index].call, f).second)
      return fault(f, "has the call number of another forward call");
  std::vector<NodeId> partner;
  for (NodeId b : backward) {
    const auto it = byCall.find(roles_[b.index].call);
    if (it == byCall.end()) return fault(b, "is the backward half of no forward call");
    partner.push_back(it->second);
    byCall.erase(it);
  }
  std::map<std::string, CutRegion> regions;
  std::map<std::string, std::string> regionOfForward;  // identifier of a forward call -> key of its region
  for (size_t k = 0; k < backward.size(); ++k) {
    const std::string key(identifierOf(joint(), backward[k]).substr(2));
    regionOfForward.emplace(identifierOf(joint(), partner[k]), key);
    if (regions.contains(key)) continue;
    auto region = cut(partner[k], backward[k], key);
    if (!region) return region.error();
    regions.emplace(key, std::move(*region));
  }
  for (size_t k = backward.size(); k-- > 0;) {
    const CutRegion& region = regions.at(std::string(identifierOf(joint(), backward[k]).substr(2)));
    std::vector<NodeId> saved;
    replaceForward(partner[k], region, &saved);
    replaceBackward(backward[k], region, saved);
  }
  // Calls whose backward half autograd never ran return as much as the others.
  for (NodeId f : forward) {
    if (!joint().contains(f)) continue;
    const auto it = regionOfForward.find(std::string(identifierOf(joint(), f)));
    if (it != regionOfForward.end()) replaceForward(f, regions.at(it->second), nullptr);
  }
  OpFactTable table(joint());
  joint().eliminateDeadCode([&](NodeId id) { return table.of(id).has(kImpure); });
  return {};
}

}  // namespace

ir::Result<std::optional<StitchedJoint>> cutNestedRegions(const PartitionInput& input,
                                                          const PartitionOptions& options) {
  bool any = false;
  const Graph& g = *input.joint;
  if (input.module && !g.children.empty())
    for (NodeId id : g.nodes())
      any = any || (g.node(id).op == OpKind::CallFunction && g.target(id) == kInvoke &&
                    identifierOf(g, id).starts_with("bw"));
  if (!any) return std::optional<StitchedJoint>();
  const std::vector<Graph>& graphs = input.module->graphs;
  const auto at = std::find_if(graphs.begin(), graphs.end(), [&](const Graph& one) { return &one == &g; });
  if (at == graphs.end()) return std::optional<StitchedJoint>();
  Stitcher stitcher(input, options, static_cast<uint32_t>(at - graphs.begin()));
  if (ir::Status s = stitcher.run(); !s) return s.error();
  return std::optional<StitchedJoint>(stitcher.take());
}

}  // namespace descry::passes::partition
