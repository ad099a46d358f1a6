// Calls that compute the same, as PyTorch's partitioner merges them before it looks for the minimum cut.
#include <bit>
#include <unordered_set>

#include "passes/partition/joint.h"

namespace descry::passes::partition {

namespace {

using ir::ArgView;
using ir::Cell;
using ir::Graph;
using ir::Node;
using ir::NodeId;
using ir::OpKind;
using ir::ValueKind;

uint64_t mix(uint64_t h, uint64_t v) {
  const __uint128_t m = static_cast<__uint128_t>(h ^ v) * 0xA0761D6478BD642Full;
  return static_cast<uint64_t>(m) ^ static_cast<uint64_t>(m >> 64);
}

/// Compares calls after merging of their arguments.
class Keys {
 public:
  /// `nodeKey`: by node id, a number that merged nodes share.
  Keys(const Graph& graph, const std::vector<uint32_t>& nodeKey) : g_(graph), nodeKey_(nodeKey) {}

  /// Of the values without the containers around them. PyTorch looks equal calls up by a hash that leaves the
  /// containers out and takes -1 for -2, and only the first call of a hash can be found again.
  uint64_t looseHash(const Node& n) const {
    uint64_t h = n.target.index;
    for (uint32_t i = 0; i < n.argCount; ++i) h = looseHash(ArgView(&g_, n.args + i), h);
    h = mix(h, 0x9E3779B97F4A7C15ull);
    for (uint32_t i = 0; i < n.kwargCount; ++i) h = looseHash(kwarg(n, i), h);
    return h;
  }

  bool looselyEqual(const Node& a, const Node& b) const {
    std::vector<Leaf> x, y;
    for (const auto& [n, out] : {std::pair{&a, &x}, std::pair{&b, &y}}) {
      for (uint32_t i = 0; i < n->argCount; ++i) leaves(ArgView(&g_, n->args + i), *out);
      out->push_back({~uint64_t{0}, 0});
      for (uint32_t i = 0; i < n->kwargCount; ++i) leaves(kwarg(*n, i), *out);
    }
    return x == y;
  }

  bool equal(const Node& a, const Node& b) const {
    if (a.argCount != b.argCount || a.kwargCount != b.kwargCount) return false;
    for (uint32_t i = 0; i < a.argCount; ++i)
      if (!equal(ArgView(&g_, a.args + i), ArgView(&g_, b.args + i))) return false;
    for (uint32_t i = 0; i < a.kwargCount; ++i)
      if (g_.cell(a.args + a.argCount + 2 * i).a != g_.cell(b.args + b.argCount + 2 * i).a ||
          !equal(kwarg(a, i), kwarg(b, i)))
        return false;
    return true;
  }

 private:
  struct Leaf {
    uint64_t kind, payload;
    friend bool operator==(const Leaf&, const Leaf&) = default;
  };

  ArgView kwarg(const Node& n, uint32_t i) const { return {&g_, n.args + n.argCount + 2 * i + 1}; }

  uint64_t payload(const ArgView& v, bool loose) const {
    const Cell& c = v.cell();
    switch (v.kind()) {
      case ValueKind::NodeRef:
        return nodeKey_[c.a];
      case ValueKind::Int:
        return static_cast<uint64_t>(loose && c.i == -1 ? -2 : c.i);
      case ValueKind::Bool:
        return static_cast<uint64_t>(c.i);
      case ValueKind::Float:
        return std::bit_cast<uint64_t>(c.d);
      default:
        return c.a;  // text, or number of children
    }
  }

  /// Of a dict only the values are leaves; a slice is one leaf and its parts stand for it.
  template <class F>
  void forEachLeaf(const ArgView& v, F&& f) const {
    const bool dict = v.kind() == ValueKind::Dict;
    if (v.kind() == ValueKind::Tuple || v.kind() == ValueKind::List || dict) {
      for (uint32_t i = dict ? 1 : 0; i < v.size(); i += dict ? 2 : 1) forEachLeaf(v[i], f);
      return;
    }
    f(v);
    if (v.kind() == ValueKind::Slice)
      for (uint32_t i = 0; i < v.size(); ++i) forEachLeaf(v[i], f);
  }

  uint64_t looseHash(const ArgView& v, uint64_t h) const {
    forEachLeaf(v, [&](const ArgView& leaf) {
      h = mix(h, static_cast<uint64_t>(leaf.kind()) << 56 ^ payload(leaf, true));
    });
    return h;
  }

  void leaves(const ArgView& v, std::vector<Leaf>& out) const {
    forEachLeaf(v, [&](const ArgView& leaf) {
      out.push_back({static_cast<uint64_t>(leaf.kind()), payload(leaf, true)});
    });
  }

  bool equal(const ArgView& a, const ArgView& b) const {
    if (a.kind() != b.kind() || payload(a, false) != payload(b, false)) return false;
    for (uint32_t i = 0; i < a.size(); ++i)
      if (!equal(a[i], b[i])) return false;
    return true;
  }

  const Graph& g_;
  const std::vector<uint32_t>& nodeKey_;
};

/// Nodes that the gradients depend on, by node id.
std::vector<bool> backwardDependencies(const Joint& joint, const std::vector<NodeId>& order) {
  const Graph& g = joint.graph;
  std::vector<bool> needed(g.idBound(), false);
  const std::vector<ArgView> outputs = g.outputs();
  for (size_t i = joint.input.forwardOutputs; i < outputs.size(); ++i)
    if (outputs[i].kind() == ValueKind::NodeRef) needed[outputs[i].node().index] = true;
  for (size_t k = order.size(); k-- > 0;)
    if (needed[order[k].index] && g.node(order[k]).op != OpKind::Output)
      g.forEachInput(order[k], [&](NodeId in) { needed[in.index] = true; });
  return needed;
}

/// Values that a functional wrapper writes into: each stands for memory of its own.
void addMutationBases(const Graph& g, NodeId id, const OpFacts& facts, std::vector<bool>& out) {
  const auto add = [&](const ArgView& v) {
    if (v.kind() == ValueKind::NodeRef) out[v.node().index] = true;
    if (v.kind() == ValueKind::List || v.kind() == ValueKind::Tuple)
      for (uint32_t i = 0; i < v.size(); ++i)
        if (v[i].kind() == ValueKind::NodeRef) out[v[i].node().index] = true;
  };
  if (facts.name == OpName::AutoFunctionalizedV2) {
    if (const auto bases = g.kwargIf(id, "_all_bases")) add(*bases);
  } else if (facts.name == OpName::AutoFunctionalized) {
    forEachMutableArgument(g, id, add);
  } else if (facts.name == OpName::TritonFunctional) {
    forEachClonedTensor(g, id, add);
  }
}

}  // namespace

void forEachMutableArgument(const Graph& g, NodeId id, const std::function<void(const ArgView&)>& f) {
  if (g.argCount(id) == 0 || g.arg(id, 0).kind() != ValueKind::OpRef) return;
  const ir::OpDef* def = ir::allOps().find(g.arg(id, 0).text());
  if (!def) return;
  for (const ir::SchemaArgument& a : def->schema().arguments)
    if (a.type.writes())
      if (const auto v = g.kwargIf(id, a.name)) f(*v);
}

void forEachClonedTensor(const Graph& g, NodeId id, const std::function<void(const ArgView&)>& f) {
  const auto names = g.kwargIf(id, "tensors_to_clone");
  const auto kwargs = g.kwargIf(id, "kwargs");
  if (!names || !kwargs || kwargs->kind() != ValueKind::Dict) return;
  for (uint32_t i = 0; i < names->size(); ++i)
    for (uint32_t k = 0; k + 1 < kwargs->size(); k += 2)
      if ((*names)[i].kind() == ValueKind::Str && (*kwargs)[k].kind() == ValueKind::Str &&
          (*kwargs)[k].text() == (*names)[i].text())
        f((*kwargs)[k + 1]);
}

std::vector<uint32_t> findStorages(const Joint& joint, const std::vector<NodeId>& order, OpFactTable& table) {
  const Graph& g = joint.graph;
  std::vector<uint32_t> storage(g.idBound(), kNoItem);
  std::vector<uint32_t> named;  // by NodeRole::storage: the number first given to it
  for (NodeId id : order) {
    uint32_t& own = storage[id.index];
    own = id.index;
    if (id.index < joint.input.roles.size() && joint.input.roles[id.index].storage >= 0) {
      const auto s = static_cast<size_t>(joint.input.roles[id.index].storage);
      if (s >= named.size()) named.resize(s + 1, kNoItem);
      if (named[s] == kNoItem) named[s] = id.index;
      own = named[s];
      continue;
    }
    const OpFacts& f = table.of(id);
    const int16_t at = f.name == OpName::Getitem ? 0 : f.aliasArgument;
    if (at < 0 || static_cast<uint32_t>(at) >= g.argCount(id)) continue;
    const ArgView source = g.arg(id, static_cast<uint32_t>(at));
    if (source.kind() != ValueKind::NodeRef || storage[source.node().index] == kNoItem) continue;
    // Elements of a tuple share its memory only if it is a list of views.
    if (f.name == OpName::Getitem && table.of(source.node()).aliasArgument < 0) continue;
    own = storage[source.node().index];
  }
  return storage;
}

std::vector<uint32_t> findEqual(const Joint& joint, const std::vector<NodeId>& order, OpFactTable& table) {
  const Graph& g = joint.graph;
  const std::vector<bool> forBackward = backwardDependencies(joint, order);
  const std::vector<uint32_t> storage = findStorages(joint, order, table);
  const auto isTensor = [&](NodeId id) {
    const ir::TypeKind k = g.type(id).kind;
    return k == ir::TypeKind::Tensor || k == ir::TypeKind::Wrapped;
  };
  // Values in memory that is returned are memory of their own, even when they are equal.
  std::vector<bool> returned(g.idBound(), false), base(g.idBound(), false);
  if (g.output())
    g.forEachInput(g.output(), [&](NodeId id) {
      if (isTensor(id)) returned[storage[id.index]] = true;
    });
  for (NodeId id : order) addMutationBases(g, id, table.of(id), base);

  std::vector<uint32_t> nodeKey(g.idBound(), kNoItem), equal(order.size());
  const Keys keys(g, nodeKey);
  std::vector<uint32_t> position(std::bit_ceil(order.size() * 2 + 16), kNoItem);
  std::vector<uint64_t> hashes(order.size(), 0);
  std::vector<uint32_t> regions(order.size(), 0);
  const size_t mask = position.size() - 1;
  uint32_t region = 0;
  for (uint32_t k = 0; k < order.size(); ++k) {
    const NodeId id = order[k];
    const Node& n = g.node(id);
    const OpFacts& f = table.of(id);
    if (f.has(kMutationMark)) ++region;
    equal[k] = k;
    nodeKey[id.index] = id.index;
    if (n.op != OpKind::CallFunction || f.has(kImpure | kSeeded | kNeverMerged) || base[id.index] ||
        (isTensor(id) && returned[storage[id.index]]))
      continue;
    regions[k] = region;
    const NodeRole role = id.index < joint.input.roles.size() ? joint.input.roles[id.index] : NodeRole{};
    const uint64_t h = mix(keys.looseHash(n), forBackward[id.index] ? 1 : 2);
    hashes[k] = h;
    for (size_t at = h & mask;; at = (at + 1) & mask) {
      const uint32_t seen = position[at];
      if (seen == kNoItem) {
        position[at] = k;
        break;
      }
      const Node& m = g.node(order[seen]);
      if (hashes[seen] != h || m.target != n.target ||
          forBackward[order[seen].index] != forBackward[id.index] || !keys.looselyEqual(m, n))
        continue;
      const NodeRole other =
          order[seen].index < joint.input.roles.size() ? joint.input.roles[order[seen].index] : NodeRole{};
      if (!keys.equal(m, n) || role.context != other.context) break;
      if (regions[seen] == region) {
        equal[k] = seen;
        nodeKey[id.index] = order[seen].index;
      } else {
        position[at] = k;  // later calls can only equal this one
      }
      break;
    }
  }
  return equal;
}

}  // namespace descry::passes::partition
