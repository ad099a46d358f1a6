// Takes effect tokens out of the signatures of a partition.
#include <algorithm>

#include "passes/partition/fx_names.h"
#include "passes/partition/partition.h"

namespace descry::passes {

namespace {

using ir::Argument;
using ir::Graph;
using ir::NodeId;
using ir::OpKind;

constexpr std::string_view kWithEffects = "torch.ops.higher_order.with_effects";

/// Tokens come from `_make_token` and go to `_sink_tokens` instead of through inputs and outputs.
void unlift(Graph& g, std::string_view comment) {
  std::vector<NodeId> inputs, outputs;
  const NodeId out = g.output();
  for (NodeId id : g.nodes()) {
    if (g.node(id).op != OpKind::CallFunction || g.target(id) != kWithEffects || g.argCount(id) == 0)
      continue;
    const ir::ArgView token = g.arg(id, 0);
    if (token.kind() == ir::ValueKind::NodeRef && g.node(token.node()).op == OpKind::Placeholder)
      inputs.push_back(token.node());
    for (NodeId user : g.users(id)) {
      if (g.target(user) != "operator.getitem" || g.argCount(user) < 2 ||
          g.arg(user, 1).kind() != ir::ValueKind::Int || g.arg(user, 1).integer() != 0)
        continue;
      const std::vector<NodeId> readers = g.users(user);
      if (std::find(readers.begin(), readers.end(), out) != readers.end()) outputs.push_back(user);
    }
  }
  if (inputs.empty() && outputs.empty()) return;
  partition::FxNames names;
  for (NodeId id : g.nodes()) names.create(g.nodeName(id));
  const ir::SourceId source = g.context().source(comment);
  NodeId body = g.first();
  while (body && g.node(body).op == OpKind::Placeholder) body = g.next(body);
  for (NodeId token : inputs) {
    Graph::NodeSpec spec;
    const std::string name = names.create("_make_token_default");
    spec.name = name;
    spec.target = "torch.ops.prims._make_token.default";
    spec.type = g.context().type("f32[0][1]cpu");
    spec.source = source;
    const NodeId made = g.add(spec, body);
    g.replaceAllUses(token, made);
    g.erase(token);
  }
  Graph::NodeSpec spec;
  const std::string name = names.create("_sink_tokens_default");
  spec.name = name;
  spec.target = "torch.ops.prims._sink_tokens.default";
  spec.args = {Argument::list({outputs.begin(), outputs.end()})};
  spec.source = source;
  g.add(spec, out);
  std::vector<Argument> values;
  for (const ir::ArgView& v : g.outputs())
    if (v.kind() != ir::ValueKind::NodeRef ||
        std::find(outputs.begin(), outputs.end(), v.node()) == outputs.end())
      values.push_back(g.toArgument(v));
  // PyTorch leaves the descriptors where they are, so that they name the outputs before.
  std::vector<ir::DescId> descs = g.outputDescs;
  descs.resize(std::min(descs.size(), values.size()));
  g.setOutput(Argument::tuple(std::move(values)), std::move(descs));
}

bool hasToken(const Graph& g, ir::DescKind kind) {
  for (NodeId id : g.placeholders())
    if (const ir::Descriptor* d = g.descriptor(id); d && d->kind() == kind) return true;
  return false;
}

}  // namespace

void unliftTokens(Partition& partition) {
  constexpr std::string_view kComment = "# No stacktrace found for following nodes";
  if (hasToken(partition.forward.root(), ir::DescKind::ForwardTokenInput))
    for (Graph& g : partition.forward.graphs) unlift(g, kComment);
  if (hasToken(partition.backward.root(), ir::DescKind::BackwardTokenInput))
    for (Graph& g : partition.backward.graphs) unlift(g, kComment);
}

}  // namespace descry::passes
