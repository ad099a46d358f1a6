#include <bit>
#include <vector>

#include "passes/cleanup/cleanup.h"

namespace descry::passes {

namespace {

using ir::Cell;
using ir::Graph;
using ir::Node;
using ir::NodeId;
using ir::ValueKind;

uint64_t mix(uint64_t h, uint64_t v) {
  const __uint128_t m = static_cast<__uint128_t>(h ^ v) * 0xA0761D6478BD642Full;
  return static_cast<uint64_t>(m) ^ static_cast<uint64_t>(m >> 64);
}

/// What a cell says, links left out.
uint64_t payload(const Cell& c) {
  switch (c.kind) {
    case ValueKind::Int:
    case ValueKind::Bool:
      return static_cast<uint64_t>(c.i);
    case ValueKind::Float:
      return std::bit_cast<uint64_t>(c.d);
    default:
      return c.a;  // node, text, or number of children
  }
}

// Argument trees are shallow (importers cap them at 200 levels).
uint64_t hashCells(const Graph& g, uint32_t first, uint32_t count, uint64_t h) {
  for (uint32_t i = first; i < first + count; ++i) {
    const Cell& c = g.cell(i);
    h = mix(h, static_cast<uint64_t>(c.kind) << 56 ^ payload(c));
    if (c.isContainer()) h = hashCells(g, c.u.b, c.a, h);
  }
  return h;
}

bool sameCells(const Graph& g, uint32_t a, uint32_t b, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const Cell& x = g.cell(a + i);
    const Cell& y = g.cell(b + i);
    if (x.kind != y.kind || payload(x) != payload(y)) return false;
    if (x.isContainer() && !sameCells(g, x.u.b, y.u.b, x.a)) return false;
  }
  return true;
}

/// May two equal calls be merged? 1 no, 2 yes, 3 writes an argument.
uint8_t classify(const ir::OpRegistry& ops, std::string_view target) {
  if (target.starts_with("operator.")) {
    const std::string_view name = target.substr(9);
    if (name == "setitem" ||
        (name[0] == 'i' && name != "invert" && name != "is_" && name != "is_not" && name != "index"))
      return 3;
    return 2;
  }
  const ir::OpDef* op = ops.find(target);
  if (!op) return 1;
  if (op->traits & ir::kOpMutates) return 3;
  return (op->traits & (ir::kOpRandom | ir::kOpSideEffect | ir::kOpCommunicates)) ? 1 : 2;
}

PassResult cse(Graph& graph, const PassContext& context) {
  std::vector<uint8_t> classes;
  const auto classOf = [&](const Node& n) -> uint8_t {
    if (n.op == ir::OpKind::GetAttr) return 2;
    if (n.op != ir::OpKind::CallFunction) return 1;
    if (n.target.index >= classes.size()) classes.resize(n.target.index + 64, 0);
    uint8_t& c = classes[n.target.index];
    if (!c) c = classify(*context.ops, graph.str(n.target));
    return c;
  };
  for (NodeId id : graph.nodes())
    if (classOf(graph.node(id)) == 3) return {};

  std::vector<uint32_t> table(std::bit_ceil(size_t{graph.size()} * 2 + 16), NodeId::kNone);
  std::vector<uint64_t> hashes(graph.idBound(), 0);
  const size_t mask = table.size() - 1;
  std::vector<bool> dead(graph.idBound(), false);
  uint32_t removed = 0;
  for (NodeId id : graph.nodes()) {
    const Node n = graph.node(id);
    if (classOf(n) != 2) continue;
    const uint32_t cells = n.argCount + 2 * n.kwargCount;
    uint64_t h =
        mix(static_cast<uint64_t>(n.op) << 40 ^ n.argCount, uint64_t{n.target.index} << 32 ^ n.kwargCount);
    h = hashCells(graph, n.args, cells, h);
    hashes[id.index] = h;
    for (size_t at = h & mask;; at = (at + 1) & mask) {
      const uint32_t seen = table[at];
      if (seen == NodeId::kNone) {
        table[at] = id.index;
        break;
      }
      const Node& m = graph.node({seen});
      if (hashes[seen] == h && m.op == n.op && m.target == n.target && m.argCount == n.argCount &&
          m.kwargCount == n.kwargCount && sameCells(graph, m.args, n.args, cells)) {
        graph.replaceAllUses(id, {seen});
        dead[id.index] = true;
        ++removed;
        break;
      }
    }
  }
  if (removed) graph.eraseMarked(dead);
  return {removed};
}

}  // namespace

const PassDef kCse = {"cse", "merge nodes that compute the same", cse};

}  // namespace descry::passes
