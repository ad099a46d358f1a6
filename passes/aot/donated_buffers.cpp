#include "passes/aot/donated_buffers.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "ir/descriptors/pieces.h"
#include "ir/ops/registry.h"

namespace descry::passes {

namespace {

using ir::Graph;
using ir::NodeId;

/// Whose memory each value has: a node of the joint, by name.
class Memory {
 public:
  Memory(const ir::Module& joint, const ir::OpRegistry& ops)
      : module_(joint), joint_(joint.root()), ops_(ops), rootOf_(joint_.idBound()) {
    for (const NodeId id : joint_.nodes())
      if (isRegion(id)) lastCall_[regionOf(id)] = id;
    std::vector<NodeId> path;
    for (const NodeId id : joint_.nodes()) {
      path.clear();
      NodeId at = id;
      // A region may hand its own result back to itself: what is on the way already has memory of its own.
      while (!rootOf_[at.index]) {
        rootOf_[at.index] = at;
        path.push_back(at);
        const NodeId of = sharedWith(at);
        if (!of) break;
        at = of;
      }
      for (const NodeId p : path) rootOf_[p.index] = rootOf_[at.index];
    }
  }

  /// Nodes of the parts are those of the joint, by name; others have memory of their own.
  std::string_view of(const Graph& part, NodeId id) const {
    const NodeId twin = joint_.find(part.nodeName(id));
    return twin ? joint_.nodeName(rootOf_[twin.index]) : part.nodeName(id);
  }

 private:
  NodeId argument(const Graph& g, NodeId id, uint32_t i) const {
    return i < g.argCount(id) && g.arg(id, i).kind() == ir::ValueKind::NodeRef ? g.arg(id, i).node()
                                                                               : NodeId{};
  }

  /// invoke_subgraph(graph, identifier, operands...)
  bool isRegion(NodeId id) const {
    return joint_.target(id) == "torch.ops.higher_order.invoke_subgraph" && joint_.argCount(id) > 1 &&
           joint_.arg(id, 1).kind() == ir::ValueKind::Str;
  }
  std::string_view regionOf(NodeId call) const { return joint_.arg(call, 1).text(); }

  /// The argument that the result of a call is, or is a view of.
  NodeId sharedArgument(const Graph& g, NodeId id) const {
    const ir::OpDef* op = g.node(id).op == ir::OpKind::CallFunction ? ops_.find(g.target(id)) : nullptr;
    // Of a view whose schema does not say it (_unsafe_view) the table has the inverse all the same.
    const bool shares = op && (op->has(ir::kOpView | ir::kOpMutates) || op->hasProperty("inverse"));
    return shares ? argument(g, id, 0) : NodeId{};
  }

  /// The operand that result k of a nested region is, or is a view of. PyTorch cuts a region once, for the
  /// call whose backward comes first, and the fake tensors of that call stand for the results of all.
  NodeId operandOf(NodeId call, int64_t k) const {
    const NodeId body = argument(joint_, call, 0);
    const Graph* region = body ? module_.child(joint_, joint_.target(body)) : nullptr;
    if (!region) return {};
    const std::vector<ir::ArgView> results = region->outputs();
    if (k < 0 || static_cast<size_t>(k) >= results.size() ||
        results[static_cast<size_t>(k)].kind() != ir::ValueKind::NodeRef)
      return {};
    NodeId at = results[static_cast<size_t>(k)].node();
    for (NodeId of = sharedArgument(*region, at); of; of = sharedArgument(*region, at)) at = of;
    uint32_t operand = 2;
    for (const NodeId input : region->placeholders()) {
      if (input == at) return argument(joint_, lastCall_.at(regionOf(call)), operand);
      ++operand;
    }
    return {};
  }

  NodeId sharedWith(NodeId id) const {
    if (joint_.target(id) != "operator.getitem") return sharedArgument(joint_, id);
    const NodeId from = argument(joint_, id, 0);
    if (!from) return {};
    if (isRegion(from))
      return joint_.argCount(id) == 2 && joint_.arg(id, 1).kind() == ir::ValueKind::Int
                 ? operandOf(from, joint_.arg(id, 1).integer())
                 : NodeId{};
    return sharedArgument(joint_, from);  // one of several results of a view
  }

  const ir::Module& module_;
  const Graph& joint_;
  const ir::OpRegistry& ops_;
  std::vector<NodeId> rootOf_;
  std::unordered_map<std::string_view, NodeId> lastCall_;  ///< of each region, by identifier
};

bool reshapesInPlace(const Graph& g, const ir::OpRegistry& ops) {
  for (const NodeId id : g.nodes())
    if (g.node(id).op == ir::OpKind::CallFunction)
      if (const ir::OpDef* op = ops.find(g.target(id)); op && op->has(ir::kOpInplaceView)) return true;
  return false;
}

/// Where PyTorch takes the saved tensors to begin among the outputs of the forward. It does not count tokens,
/// nor the pieces of a written wrapper when writes may stay in a graph: taken by themselves they require no
/// gradient.
size_t takenForBegin(const AotResult& result, const Graph& forward) {
  size_t begin = result.numForward - result.meta.tokens.size();
  if (!result.meta.keepInputMutations) return begin;
  for (const ir::DescId id : forward.outputDescs)
    if (const ir::Descriptor* d = forward.descriptor(id);
        d && ir::isPieceKind(d->kind()) && ir::withoutPieces(*d).kind() == ir::DescKind::InputMutationOutput)
      --begin;
  return begin;
}

}  // namespace

std::vector<int64_t> donatedBuffers(const AotResult& result, const Partition& cut) {
  const ir::OpRegistry& ops = result.ops ? *result.ops : ir::allOps();
  const Graph &forward = cut.forward.root(), &backward = cut.backward.root();
  if (reshapesInPlace(forward, ops) || reshapesInPlace(backward, ops)) return {};
  const Memory memory(cut.stitched ? *cut.stitched : *result.joint, ops);
  std::unordered_set<std::string_view> taken;
  const std::vector<ir::ArgView> outputs = forward.outputs();
  const auto take = [&](const Graph& g, const ir::ArgView& v) {
    if (v.kind() == ir::ValueKind::NodeRef) taken.insert(memory.of(g, v.node()));
  };
  const auto count = [&](SavedKind kind) {
    return static_cast<size_t>(std::count_if(cut.saved.begin(), cut.saved.end(),
                                             [&](const SavedValue& v) { return v.kind == kind; }));
  };
  const size_t symbols = count(SavedKind::Symbol), others = symbols + count(SavedKind::Opaque);
  const size_t begin = takenForBegin(result, forward),
               end = outputs.size() - std::min(others, outputs.size());
  for (const NodeId id : forward.placeholders()) taken.insert(memory.of(forward, id));
  for (size_t i = 0; i < begin && i < outputs.size(); ++i) take(forward, outputs[i]);
  for (const ir::ArgView& v : backward.outputs()) take(backward, v);
  std::vector<int64_t> out;
  for (size_t i = begin; i < end; ++i)
    if (outputs[i].kind() == ir::ValueKind::NodeRef && !taken.count(memory.of(forward, outputs[i].node())))
      out.push_back(static_cast<int64_t>(symbols + i - begin));
  return out;
}

}  // namespace descry::passes
