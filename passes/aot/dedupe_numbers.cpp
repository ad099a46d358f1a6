// Symbolic numbers that follow from the graph's symbolic inputs alone are computed once.
//
//   mul: "Sym(2*s77)" = primals_1 * 2
//   view = aten.view(x, [mul])
//   mul_1: "Sym(2*s77)" = primals_1 * 2        =>  every use of mul_1 becomes mul
//
// Numbers that are read from tensors (`sym_size`) stay apart: one from a tangent must not stand for one of the forward.
#include <unordered_map>

#include "passes/aot/stages.h"

namespace descry::passes {

void dedupeNumbers(ir::Graph& graph) {
  std::unordered_map<uint32_t, ir::NodeId> first;  // by type
  std::vector<bool> fromInputs(graph.idBound()), dead(graph.idBound());
  bool any = false;
  for (const ir::NodeId id : graph.nodes()) {
    if (graph.type(id).kind != ir::TypeKind::Sym) continue;
    const uint32_t type = graph.node(id).type.index;
    if (graph.node(id).op == ir::OpKind::Placeholder) {
      first[type] = id;
      fromInputs[id.index] = true;
      continue;
    }
    if (graph.node(id).op != ir::OpKind::CallFunction) continue;
    if (const auto known = first.find(type); known != first.end()) {
      graph.replaceAllUses(id, known->second);
      dead[id.index] = any = true;
      continue;
    }
    bool resolvable = true;
    for (const ir::NodeId input : graph.inputs(id)) resolvable = resolvable && fromInputs[input.index];
    if (!resolvable) continue;
    first.emplace(type, id);
    fromInputs[id.index] = true;
  }
  if (any) graph.eraseMarked(dead);
}

}  // namespace descry::passes
