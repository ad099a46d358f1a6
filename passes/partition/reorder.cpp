#include "passes/partition/reorder.h"

#include <algorithm>

#include "passes/partition/op_facts.h"

namespace descry::passes::partition {

using ir::Graph;
using ir::NodeId;
using ir::OpKind;

void reorderLikeAutograd(Graph& g, const std::vector<NodeId>& tangents) {
  std::vector<uint32_t> position(g.idBound(), NodeId::kNone);
  std::vector<NodeId> old;
  for (NodeId id : g.nodes()) {
    position[id.index] = static_cast<uint32_t>(old.size());
    old.push_back(id);
  }
  uint32_t first = NodeId::kNone;
  for (NodeId t : tangents)
    for (NodeId user : g.users(t)) first = std::min(first, position[user.index]);
  if (first == NodeId::kNone) return;

  std::vector<bool> placed(g.idBound(), false);
  std::vector<NodeId> order;
  for (NodeId id : old)
    if (g.node(id).op == OpKind::Placeholder) {
      placed[id.index] = true;
      order.push_back(id);
    }
  std::vector<NodeId> stack, wanted;
  const auto insert = [&](NodeId node) {
    wanted.clear();
    stack.assign(1, node);
    while (!stack.empty()) {
      const NodeId id = stack.back();
      stack.pop_back();
      if (placed[id.index]) continue;
      placed[id.index] = true;
      wanted.push_back(id);
      g.forEachInput(id, [&](NodeId in) {
        if (!placed[in.index]) stack.push_back(in);
      });
    }
    std::sort(wanted.begin(), wanted.end(),
              [&](NodeId a, NodeId b) { return position[a.index] < position[b.index]; });
    order.insert(order.end(), wanted.begin(), wanted.end());
  };
  for (uint32_t k = 0; k < first; ++k)
    if (g.node(old[k]).op == OpKind::CallFunction && g.target(old[k]) == "torch.ops.aten.copy_.default")
      insert(old[k]);
  for (uint32_t k = first; k < old.size(); ++k) insert(old[k]);

  std::vector<bool> dead(g.idBound(), false);
  for (NodeId id : old) dead[id.index] = !placed[id.index];
  if (order.size() != old.size()) g.eraseMarked(dead);
  for (NodeId id : order) g.moveBefore(id, {});
}

void raiseGetitems(Graph& g) {
  std::vector<NodeId> items;
  for (NodeId id : g.nodes())
    if (g.node(id).op == OpKind::CallFunction && g.target(id) == "operator.getitem") items.push_back(id);
  for (size_t k = items.size(); k-- > 0;) {
    const std::vector<NodeId> in = g.inputs(items[k]);
    if (in.size() != 1) continue;
    const NodeId next = g.next(in[0]);
    if (next != items[k]) g.moveBefore(items[k], next);
  }
}

void dropDeadCollectives(Graph& g) {
  OpFactTable table(g);
  std::vector<bool> dead(g.idBound(), false);
  std::vector<uint32_t> readers(g.idBound(), 0);
  bool any = false;
  for (NodeId id : g.nodes()) readers[id.index] = g.useCount(id);
  for (NodeId id = g.last(); id; id = g.prev(id)) {
    if (readers[id.index] || !table.of(id).has(kCollective)) continue;
    dead[id.index] = any = true;
    g.forEachInput(id, [&](NodeId in) { --readers[in.index]; });
  }
  if (any) g.eraseMarked(dead);
}

}  // namespace descry::passes::partition
