#include "ir/analysis/phases.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ir/analysis/boundary.h"
#include "ir/ops/registry.h"

namespace descry::ir {

std::string_view phaseName(Phase phase) {
  switch (phase) {
    case Phase::None:
      return "none";
    case Phase::Forward:
      return "forward";
    case Phase::Backward:
      return "backward";
    case Phase::Either:
      return "either";
  }
  return "none";
}

std::string_view roleName(NodeRole role) {
  switch (role) {
    case NodeRole::Input:
      return "input";
    case NodeRole::Parameter:
      return "parameter";
    case NodeRole::Buffer:
      return "buffer";
    case NodeRole::Tangent:
      return "tangent";
    case NodeRole::Output:
      return "output";
    case NodeRole::GradOutput:
      return "gradient";
    case NodeRole::Compute:
      return "compute";
    case NodeRole::View:
      return "view";
    case NodeRole::Mutation:
      return "mutation";
    case NodeRole::Constant:
      return "constant";
    case NodeRole::Control:
      return "control";
    case NodeRole::Random:
      return "random";
  }
  return "compute";
}

PhaseMap computePhases(const Graph& graph, bool* inferred) {
  PhaseMap map;
  map.of.assign(graph.idBound(), Phase::None);
  const Boundary b = findBoundary(graph);
  if (inferred) *inferred = b.inferredShape;
  if (b.shape == GraphShape::Backward) {
    for (NodeId id : graph.nodes()) {
      map.of[id.index] = Phase::Backward;
      ++map.backward;
    }
    return map;
  }
  if (b.shape != GraphShape::Joint) return map;
  map.joint = true;

  // Forward sweep: what a tangent reaches. Program order is not trusted to be topological (damaged texts),
  // but a use before its definition only costs precision there.
  for (NodeId id : graph.nodes()) {
    bool hit = b.isTangent(id);
    if (!hit) {
      graph.forEachInput(id, [&](NodeId in) { hit = hit || map.of[in.index] == Phase::Backward; });
    }
    // The output node reads both halves and belongs to neither.
    if (hit && graph.node(id).op != OpKind::Output) map.of[id.index] = Phase::Backward;
  }

  // Backward sweep: what a forward output or an effect needs.
  std::vector<bool> needed(graph.idBound(), false);
  for (const BoundaryOutput& o : b.outputs)
    if (o.node && o.kind != BoundaryKind::Gradient) needed[o.node.index] = true;
  std::unordered_map<uint32_t, bool> effects;
  for (NodeId id = graph.last(); id; id = graph.prev(id)) {
    const Node& n = graph.node(id);
    if (n.op == OpKind::Output || map.of[id.index] == Phase::Backward) continue;
    if (!needed[id.index] && !graph.hasUsers(id) && n.op != OpKind::Placeholder) {
      const auto [it, fresh] = effects.emplace(n.target.index, false);
      if (fresh) it->second = hasEffect(allOps(), graph.target(id));
      if (it->second) needed[id.index] = true;
    }
    if (n.op == OpKind::Placeholder) needed[id.index] = true;
    if (!needed[id.index]) continue;
    map.of[id.index] = Phase::Forward;
    graph.forEachInput(id, [&](NodeId in) { needed[in.index] = true; });
  }
  for (NodeId id : graph.nodes()) {
    Phase& p = map.of[id.index];
    if (graph.node(id).op == OpKind::Output) continue;
    if (p == Phase::None) p = Phase::Either;
    map.forward += p == Phase::Forward;
    map.backward += p == Phase::Backward;
    map.either += p == Phase::Either;
  }
  return map;
}

namespace {

bool isControl(std::string_view target) {
  static constexpr std::string_view kNames[] = {"torch.ops.higher_order.",        "torch.ops.prim.",
                                                "torch._C._set_grad_enabled",     "torch.set_grad_enabled",
                                                "torch.ops.aten._assert",         "torch._check",
                                                "torch.ops._c10d_functional.wait"};
  for (std::string_view n : kNames)
    if (target.substr(0, n.size()) == n) return true;
  return false;
}

NodeRole roleOfTarget(const OpRegistry& ops, std::string_view target, OpKind kind) {
  uint32_t traits = 0;
  if (const OpDef* def = ops.find(target)) {
    traits = def->traits;
  } else {
    const std::string spelling = kind == OpKind::CallMethod ? "." + std::string(target) : std::string(target);
    const std::vector<const OpDef*> found = ops.findSpelling(spelling);
    traits = found.empty() ? 0 : ~0u;
    for (const OpDef* d : found) traits &= d->traits;  // only what all candidates share
  }
  if (traits & kOpMutates) return NodeRole::Mutation;
  if (traits & kOpRandom) return NodeRole::Random;
  if ((traits & kOpSideEffect) || isControl(target)) return NodeRole::Control;
  if (traits & kOpView) return NodeRole::View;
  return NodeRole::Compute;
}

NodeRole inputRole(BoundaryKind kind) {
  switch (kind) {
    case BoundaryKind::Parameter:
      return NodeRole::Parameter;
    case BoundaryKind::Buffer:
      return NodeRole::Buffer;
    case BoundaryKind::Tangent:
      return NodeRole::Tangent;
    default:
      return NodeRole::Input;
  }
}

}  // namespace

std::vector<NodeRole> nodeRoles(const Graph& graph) {
  std::vector<NodeRole> out(graph.idBound(), NodeRole::Compute);
  const Boundary b = findBoundary(graph);
  const OpRegistry& ops = allOps();
  std::unordered_map<uint32_t, NodeRole> cache;  // target and kind -> role
  std::unordered_set<uint32_t> graphs;           // attributes that are graphs of their own
  for (const Graph::Child& child : graph.children) graphs.insert(child.attribute.index);
  for (NodeId id : graph.nodes()) {
    const Node& n = graph.node(id);
    NodeRole& role = out[id.index];
    switch (n.op) {
      case OpKind::Placeholder:
        role = b.input(id) ? inputRole(b.input(id)->kind) : NodeRole::Input;
        break;
      case OpKind::GetAttr:
        role = NodeRole::Constant;
        break;
      case OpKind::CallModule:  // of a graph that is there, or of a layer that computes (`self.fc1(x)`)
        role = graphs.count(n.target.index) ? NodeRole::Control : NodeRole::Compute;
        break;
      case OpKind::Output:
        role = NodeRole::Output;
        break;
      default: {
        const auto [it, fresh] =
            cache.emplace(n.target.index * 2 + (n.op == OpKind::CallMethod), NodeRole::Compute);
        if (fresh) it->second = roleOfTarget(ops, graph.target(id), n.op);
        role = it->second;
      }
    }
  }
  return out;
}

NodeRole nodeRole(const Graph& graph, NodeId id) {
  const Node& n = graph.node(id);
  switch (n.op) {
    case OpKind::GetAttr:
      return NodeRole::Constant;
    case OpKind::CallModule:
      return std::any_of(graph.children.begin(), graph.children.end(),
                         [&](const Graph::Child& child) { return child.attribute == n.target; })
                 ? NodeRole::Control
                 : NodeRole::Compute;
    case OpKind::Output:
      return NodeRole::Output;
    case OpKind::Placeholder: {
      const Descriptor* d = graph.descriptor(id);
      if (d)
        return d->isTangent()  ? NodeRole::Tangent
               : d->isParam()  ? NodeRole::Parameter
               : d->isBuffer() ? NodeRole::Buffer
                               : NodeRole::Input;
      const std::string_view name = graph.nodeName(id);
      if (name.substr(0, 9) == "tangents_") return NodeRole::Tangent;
      return inputRole(readInputName(name).kind);
    }
    default:
      return roleOfTarget(allOps(), graph.target(id), n.op);
  }
}

}  // namespace descry::ir
