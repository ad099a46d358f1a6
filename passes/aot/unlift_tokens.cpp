// Tokens of effects leave the signature of a finished graph: made at its start, sunk at its end.
#include <algorithm>

#include "passes/aot/aot.h"

namespace descry::passes {

namespace {

/// The tokens that a with_effects node gives and the graph returns.
void collectReturned(const ir::Graph& g, ir::NodeId effects, std::vector<ir::NodeId>& out) {
  for (const ir::NodeId item : g.users(effects)) {
    if (g.target(item) != "operator.getitem" || g.argCount(item) != 2) continue;
    const ir::ArgView index = g.arg(item, 1);
    if (index.kind() != ir::ValueKind::Int || index.integer() != 0) continue;
    const std::vector<ir::NodeId> users = g.users(item);
    if (std::find(users.begin(), users.end(), g.output()) != users.end()) out.push_back(item);
  }
}

void unlift(ir::Graph& g) {
  std::vector<ir::NodeId> order;
  for (const ir::NodeId id : g.nodes()) order.push_back(id);
  ir::NodeId body = g.first();
  while (body.valid() && g.node(body).op == ir::OpKind::Placeholder) body = g.next(body);
  const ir::SourceId nowhere = g.context().source("# No stacktrace found for following nodes");
  std::vector<ir::NodeId> returned;
  bool any = false;
  for (const ir::NodeId id : order) {
    if (g.node(id).op != ir::OpKind::CallFunction || g.target(id) != "torch.ops.higher_order.with_effects" ||
        g.argCount(id) == 0 || g.arg(id, 0).kind() != ir::ValueKind::NodeRef)
      continue;
    const ir::NodeId token = g.arg(id, 0).node();
    if (g.node(token).op == ir::OpKind::Placeholder) {
      ir::Graph::NodeSpec make;
      make.name = "_make_token_default";
      make.target = "torch.ops.prims._make_token.default";
      make.type = g.node(token).type;
      make.source = nowhere;
      g.replaceAllUses(token, g.add(make, body));
      g.erase(token);
      any = true;
    }
    collectReturned(g, id, returned);
  }
  if (!any && returned.empty()) return;
  std::vector<ir::Argument> sunk, kept;
  for (const ir::NodeId id : returned) sunk.emplace_back(id);
  for (const ir::ArgView& v : g.outputs())
    if (v.kind() != ir::ValueKind::NodeRef ||
        std::find(returned.begin(), returned.end(), v.node()) == returned.end())
      kept.push_back(g.toArgument(v));
  ir::Graph::NodeSpec sink;
  sink.name = "_sink_tokens_default";
  sink.target = "torch.ops.prims._sink_tokens.default";
  sink.source = nowhere;
  sink.args = {ir::Argument::list(std::move(sunk))};
  g.add(sink, g.output());
  // PyTorch leaves the descriptors as they are, so that each tells of the value behind its own.
  std::vector<ir::DescId> descs = g.outputDescs;
  descs.resize(std::min(descs.size(), kept.size()));
  g.setOutput(ir::Argument::tuple(std::move(kept)), std::move(descs));
}

}  // namespace

void unliftTokens(ir::Module& module) {
  for (ir::Graph& g : module.graphs) unlift(g);
}

}  // namespace descry::passes
