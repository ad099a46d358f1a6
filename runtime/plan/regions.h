// Which ops of a graph run as one: pointwise ops of one iteration space that feed one another become one
// loop, and what only they read never reaches memory.
#pragma once

#include <string>
#include <vector>

#include "runtime/loops/executor.h"
#include "runtime/plan/trace.h"

namespace descry::runtime {

struct FusionLimits {
  bool fuse = true;
  size_t ops = 256;    ///< of one loop
  size_t inputs = 40;  ///< tensors that one loop reads: each takes part of the first-level cache
};

/// Ops that run as one step, in order.
struct OpGroup {
  bool loop = false;
  std::vector<size_t> ops;      ///< of the planned graph
  std::string ends;             ///< of loops: why nothing more is in it
  ir::NodeId endedBy;           ///< node that did, if one did
  std::vector<size_t> mayFail;  ///< of `ops`: those that can fail on what elements hold
};

/// Whether an op can be part of a loop.
bool isFusible(const PlannedOp& op);
/// In an order in which they can run; random ops and effects keep theirs.
std::vector<OpGroup> groupOps(const PlannedGraph& graph, const ir::Graph& names, const FusionLimits& limits);

/// The loop of a group, and what it reads and writes.
struct GroupLoop {
  LoopProgram program;
  std::vector<TensorRef> inputs, outputs;
  std::vector<LoopNumber> numbers;
};
/// `stored`: by op of the group, whether its value is read elsewhere.
GroupLoop loopOf(const PlannedGraph& graph, const OpGroup& group, const std::vector<bool>& stored);

}  // namespace descry::runtime
