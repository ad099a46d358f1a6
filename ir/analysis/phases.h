// Which part of a joint graph each node belongs to.
#pragma once

#include <string_view>
#include <vector>

#include "ir/annotations/scene.h"
#include "ir/core/graph.h"

namespace descry::ir {

/// Backward: depends on a tangent. Forward: does not, and a forward output or an effect needs it.
/// Either: depends on no tangent and only the backward uses it. A graph without tangents has no phases
/// (all Phase::None), unless it is itself a backward graph.
struct PhaseMap {
  std::vector<Phase> of;  ///< by node id
  bool joint = false;     ///< has tangents and forward outputs
  uint32_t forward = 0, backward = 0, either = 0;
  Phase operator[](NodeId id) const { return id.index < of.size() ? of[id.index] : Phase::None; }
};

/// Roles come from descriptors; without them from PyTorch's placeholder names (`tangents_`), which `inferred`
/// reports.
PhaseMap computePhases(const Graph& graph, bool* inferred = nullptr);

/// Shape class of each node for drawing.
NodeRole nodeRole(const Graph& graph, NodeId id);
/// The same for all nodes at once, by node id: asks the op table once per target.
std::vector<NodeRole> nodeRoles(const Graph& graph);

/// "forward", "backward", "either", "none".
std::string_view phaseName(Phase phase);
/// "input", "parameter", "gradient", "view", ...
std::string_view roleName(NodeRole role);

}  // namespace descry::ir
