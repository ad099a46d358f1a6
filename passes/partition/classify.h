// Which part of a joint graph each value belongs to.
#pragma once

#include <vector>

#include "ir/support/result.h"
#include "passes/partition/joint.h"

namespace descry::passes::partition {

struct NodeSets {
  std::vector<bool> forward;           ///< by item: the forward outputs need it
  std::vector<bool> backward;          ///< by item: must be, or must be available, in the backward graph
  std::vector<bool> tangentClosure;    ///< by item: only the backward graph can compute it
  std::vector<uint32_t> forwardOrder;  ///< by item: position among the forward ones, kNoItem for others
  std::vector<uint32_t> primals, forwardSeeds, tangents, backwardSeeds, backwardStates;
  std::vector<bool> isStatic;  ///< by item: a parameter
  bool anyBackward = false;

  /// Primals, then seeds: what the forward graph takes.
  std::vector<uint32_t> forwardInputs() const;
};

/// Errors: those of extract.
ir::Result<NodeSets> classify(const Joint& joint);

/// Ops to the nearest value that the backward graph reads, by item: 0 for what is not forward.
inline constexpr int32_t kNeverInBackward = 1'000'000'000;
std::vector<int32_t> distancesFromBackward(const Joint& joint, const NodeSets& sets);

}  // namespace descry::passes::partition
