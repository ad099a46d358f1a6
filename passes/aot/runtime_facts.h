// What PyTorch's runtime does around the compiled graphs of a traced function.
#pragma once

#include "passes/aot/aot.h"
#include "passes/core/pass.h"
#include "passes/partition/partition.h"

namespace descry::passes {

/// In the order in which it happens: before the call, to its results, and to the gradients that arrive for
/// its backward. What is done to every function (grad mode, number of results) is left out. `cut`: how the
/// joint was cut, for what depends on it (saved tensors, donated buffers); null where it was not. Source:
/// PyTorch's runtime_wrappers.py.
std::vector<PassFinding> runtimeFacts(const AotResult& result, const Partition* cut);

/// Tokens that order the effects of the backward.
size_t backwardTokens(const AotResult& result);

/// "TwoTensor of a, b".
std::string heldBy(const SubclassLayout& layout);

}  // namespace descry::passes
