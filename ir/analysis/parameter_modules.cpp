#include "ir/analysis/parameter_modules.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/analysis/boundary.h"
#include "ir/analysis/phases.h"

namespace descry::ir {

namespace {

constexpr uint32_t kNone = ModuleMap::kNone;
constexpr uint32_t kMixed = kNone - 1;  // leads to more than one module's gradients
constexpr size_t kMaxDepth = 64;

/// Module paths as a tree, so that the module around two others is found without looking at text.
class PathTree {
 public:
  /// Index of `path`; its parents get one too.
  uint32_t add(std::string_view path) {
    uint32_t parent = kNone;
    size_t depth = 0;
    for (size_t dot = 0; dot < path.size() && depth < kMaxDepth;) {
      dot = std::min(path.find('.', dot), path.size());
      const auto [it, fresh] =
          index_.emplace(std::string(path.substr(0, dot)), static_cast<uint32_t>(parent_.size()));
      if (fresh) {
        parent_.push_back(parent);
        depth_.push_back(static_cast<uint32_t>(depth));
        paths_.push_back(it->first);
      }
      parent = it->second;
      ++depth;
      ++dot;
    }
    return parent;
  }
  /// The innermost module that holds both, or kNone.
  uint32_t around(uint32_t a, uint32_t b) const {
    if (a == kNone || b == kNone) return kNone;
    while (a != b && a != kNone && b != kNone) {
      if (depth_[a] < depth_[b]) std::swap(a, b);
      a = parent_[a];
    }
    return a == b ? a : kNone;
  }
  const std::string& path(uint32_t module) const { return paths_[module]; }

 private:
  std::unordered_map<std::string, uint32_t> index_;
  std::vector<uint32_t> parent_, depth_;
  std::vector<std::string> paths_;
};

class Guess {
 public:
  explicit Guess(const Graph& g)
      : g_(g),
        boundary_(findBoundary(g)),
        phases_(computePhases(g)),
        own_(g.idBound(), kNone),
        from_(g.idBound(), kNone),
        to_(g.idBound(), kNone),
        place_(g.idBound(), 0) {
    for (NodeId id : g.nodes()) {
      place_[id.index] = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back(id);
    }
  }

  bool run(ModuleMap& map) {
    if (!parameters()) return false;
    readers();
    gradients();
    sources();
    targets();
    std::vector<uint32_t> shown;
    for (NodeId id : nodes_) {
      if (g_.node(id).op == OpKind::Output) continue;
      const uint32_t i = id.index;
      // Inputs that are no parameters stay outside: they belong to the caller.
      const bool input = g_.node(id).op == OpKind::Placeholder;
      const uint32_t module = own_[i] != kNone ? own_[i] : input ? kNone : tree_.around(from_[i], to_[i]);
      if (module == kNone) continue;
      if (shown.size() <= module) shown.resize(module + 1, kNone);
      if (shown[module] == kNone) {
        shown[module] = static_cast<uint32_t>(map.paths.size());
        map.paths.push_back(tree_.path(module));
      }
      map.of[i] = shown[module];
    }
    return true;
  }

 private:
  bool backward(NodeId id) const { return phases_[id] == Phase::Backward; }

  bool parameters() {
    uint32_t first = kNone;
    bool two = false;
    for (const BoundaryInput& in : boundary_.inputs) {
      const size_t dot = in.path.rfind('.');
      if ((in.kind != BoundaryKind::Parameter && in.kind != BoundaryKind::Buffer) || dot == std::string::npos)
        continue;
      const uint32_t module = tree_.add(std::string_view(in.path).substr(0, dot));
      own_[in.node.index] = module;
      two = two || (first != kNone && first != module);
      first = module;
    }
    return two;
  }

  void readers() {
    std::vector<bool> pure(g_.idBound(), false);  // a parameter, or computed from parameters alone
    for (const BoundaryInput& in : boundary_.inputs) pure[in.node.index] = own_[in.node.index] != kNone;
    for (NodeId id : nodes_) {
      const OpKind op = g_.node(id).op;
      if (op == OpKind::Placeholder || op == OpKind::Output) continue;
      const bool item = g_.target(id) == "operator.getitem";
      uint32_t found = kNone;
      bool all = true, any = false;
      g_.forEachInput(id, [&](NodeId in) {
        any = true;
        if (pure[in.index] || (item && backward(in) == backward(id))) {
          if (found == kNone) found = own_[in.index];
        }
        all = all && pure[in.index];
      });
      own_[id.index] = found;
      pure[id.index] = any && all && found != kNone;
    }
  }

  /// What only leads to gradients of one module's parameters is that module's.
  void gradients() {
    std::vector<uint32_t> leadsTo(g_.idBound(), kNone);
    auto merge = [&](NodeId id, uint32_t module) {
      uint32_t& at = leadsTo[id.index];
      at = at == kNone || at == module ? module : kMixed;
    };
    for (const BoundaryOutput& out : boundary_.outputs)
      if (out.node)
        merge(out.node, out.kind == BoundaryKind::Gradient && out.gradOf && own_[out.gradOf.index] != kNone
                            ? own_[out.gradOf.index]
                            : kMixed);
    for (size_t k = nodes_.size(); k-- > 0;) {
      const NodeId id = nodes_[k];
      if (!backward(id)) continue;
      const uint32_t module = leadsTo[id.index];
      if (own_[id.index] == kNone && module != kMixed) own_[id.index] = module;
      g_.forEachInput(id, [&](NodeId in) { merge(in, module == kNone ? kMixed : module); });
    }
  }

  /// The module that fed a node last, in its half of the graph. The backward's first nodes are fed by saved
  /// values.
  void sources() {
    for (NodeId id : nodes_) {
      uint32_t module[2] = {kNone, kNone}, place[2] = {0, 0};  // from its own half, from the other
      g_.forEachInput(id, [&](NodeId in) {
        const uint32_t m = own_[in.index] != kNone ? own_[in.index] : from_[in.index];
        const int half = backward(in) != backward(id);
        if (m == kNone || (module[half] != kNone && place_[in.index] < place[half])) return;
        module[half] = m;
        place[half] = place_[in.index];
      });
      from_[id.index] = module[0] != kNone ? module[0] : module[1];
    }
  }

  /// The module that reads a node first, in its half of the graph.
  void targets() {
    for (const BoundaryOutput& out : boundary_.outputs)
      if (out.node && out.kind == BoundaryKind::Gradient && out.gradOf)
        to_[out.node.index] = own_[out.gradOf.index];
    for (size_t k = nodes_.size(); k-- > 0;) {
      const NodeId id = nodes_[k];
      const uint32_t module = own_[id.index] != kNone ? own_[id.index] : to_[id.index];
      if (module == kNone) continue;
      g_.forEachInput(id, [&](NodeId in) {
        if (backward(in) == backward(id)) to_[in.index] = module;
      });
    }
  }

  const Graph& g_;
  const Boundary boundary_;
  const PhaseMap phases_;
  PathTree tree_;
  std::vector<uint32_t> own_;        // by node id: known from parameters
  std::vector<uint32_t> from_, to_;  // by node id: nearest known module before and behind
  std::vector<uint32_t> place_;      // by node id: position in nodes_
  std::vector<NodeId> nodes_;        // in program order
};

}  // namespace

bool modulesFromParameters(const Graph& graph, ModuleMap& map) {
  return Guess(graph).run(map);
}

}  // namespace descry::ir
