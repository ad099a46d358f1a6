// Saved tensors whose memory the backward graph may overwrite.
#pragma once

#include <cstdint>
#include <vector>

#include "passes/aot/aot.h"
#include "passes/partition/partition.h"

namespace descry::passes {

/// bw_donated_idxs: positions among the inputs of the backward graph. A saved tensor is donated when it
/// shares memory with no input of the forward, nothing that is returned to the caller, and no gradient.
/// Source: collect_bw_donated_buffer_idxs, with what it counts wrongly where there are tokens or written
/// wrappers. Cost: linear.
std::vector<int64_t> donatedBuffers(const AotResult& result, const Partition& cut);

}  // namespace descry::passes
