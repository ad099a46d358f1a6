#include "passes/partition/verify_partition.h"

#include "ir/ops/registry.h"

namespace descry::passes {

namespace {

/// The call of `joint` that stands in a part, under its name; invalid where there is none.
ir::NodeId callIn(const ir::Graph& part, const ir::Graph& joint, ir::NodeId node) {
  const ir::NodeId at = part.find(joint.nodeName(node));
  return at && part.node(at).op == ir::OpKind::CallFunction ? at : ir::NodeId{};
}

}  // namespace

void verifyPartition(const PartitionInput& input, const Partition& cut, ir::DiagnosticSink& sink) {
  ir::CompileGraphs graphs;
  const ir::Graph& joint = cut.stitched ? cut.stitched->root() : *input.joint;
  const ir::Module* whole = cut.stitched ? cut.stitched.get() : input.module;
  // A graph without a module around it is the root of none.
  if (whole && &whole->root() == &joint) graphs.joint = {whole, "joint", ""};
  graphs.forward = {&cut.forward, "forward", ""};
  graphs.backward = {&cut.backward, "backward", ""};
  graphs.forwardOutputs = input.forwardOutputs;
  ir::verifyCompile(graphs, input.ops ? *input.ops : ir::allOps(), sink);

  const ir::Graph &forward = cut.forward.root(), &backward = cut.backward.root();
  std::vector<bool> returned(joint.idBound());
  const std::vector<ir::ArgView> outputs = joint.outputs();
  for (size_t i = 0; i < input.forwardOutputs && i < outputs.size(); ++i)
    if (outputs[i].kind() == ir::ValueKind::NodeRef) returned[outputs[i].node().index] = true;
  for (const ValueDecision& d : cut.decisions) {
    const std::string name = "'" + std::string(joint.nodeName(d.node)) + "'";
    if (d.ban == BanRule::MustSave)
      if (const ir::NodeId again = callIn(backward, joint, d.node))
        sink.add(ir::ruleBroken("must-save", graphs.backward, again,
                                name + " has to be saved, and is computed again"));
    // An input is there whatever is asked of it, and so is what the program returns.
    if (d.mustRecompute && d.fate == ValueFate::Saved && joint.node(d.node).op == ir::OpKind::CallFunction &&
        !returned[d.node.index])
      sink.add(ir::ruleBroken("must-recompute", graphs.forward, callIn(forward, joint, d.node),
                              name + " has to be computed again, and is saved"));
  }
  for (const ir::NodeId id : joint.nodes()) {
    if (id.index >= input.roles.size()) continue;
    const PartitionTag tag = input.roles[id.index].tag;
    if (tag != PartitionTag::MustBeInForward && tag != PartitionTag::MustBeInBackward) continue;
    const bool inForward = tag == PartitionTag::MustBeInForward;
    const ir::NodeId wrong = callIn(inForward ? backward : forward, joint, id);
    if (wrong)
      sink.add(ir::ruleBroken("wrong-side", inForward ? graphs.backward : graphs.forward, wrong,
                              "'" + std::string(joint.nodeName(id)) + "' has to be in the " +
                                  (inForward ? "forward" : "backward")));
  }
}

void verifyPolicies(const ir::CompileGraphs& graphs, const std::vector<NodeRole>& roles,
                    ir::DiagnosticSink& sink) {
  const ir::Graph *joint = graphs.joint.graph(), *backward = graphs.backward.graph();
  if (!joint || !backward) return;
  for (const ir::NodeId id : joint->nodes()) {
    if (id.index >= roles.size() || roles[id.index].recompute != RecomputePolicy::MustSave ||
        roles[id.index].tag != PartitionTag::Forward)
      continue;
    if (const ir::NodeId again = callIn(*backward, *joint, id))
      sink.add(ir::ruleBroken(
          "must-save", graphs.backward, again,
          "'" + std::string(joint->nodeName(id)) + "' has to be saved, and is computed again"));
  }
}

}  // namespace descry::passes
