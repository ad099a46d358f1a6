// Makes random ops that the backward graph repeats draw the same numbers again.
#pragma once

#include "ir/support/result.h"
#include "passes/partition/split.h"

namespace descry::passes::partition {

struct RandomPairing {
  uint32_t states = 0;      ///< state tensors that the forward graph now returns
  uint32_t generators = 0;  ///< generator inputs that both graphs got
};

/// Of every random op that must be recomputed and stands in both graphs: on the CPU the forward graph saves
/// the random state in front of the op, returns it in front of the saved symbols, and the backward graph
/// takes it in front of its tangents; on CUDA both graphs get a generator input instead
/// (options.graphsafeRandom). Errors: `partition-no-tangent`.
ir::Result<RandomPairing> pairRandomOps(const Joint& joint, const Split& split, BuiltGraph& forward,
                                        BuiltGraph& backward);

/// Passes the generator inputs of the regions that `module`'s root calls through inputs of the root itself,
/// one each. The regions have them when they were cut by themselves. Returns how many there are.
uint32_t threadGenerators(ir::Module& module, Side side);

}  // namespace descry::passes::partition
