// The clean-up passes.
#pragma once

#include "passes/core/pass.h"

namespace descry::passes {

/// Removes nodes that nobody reads and that have no effect, last first.
///
///   b = torch.ops.aten.mul.Tensor(a, 2)      (no reader)      =>      gone
///
/// Keeps placeholders, the output, and every op with an effect (ir::hasEffect). Cost: O(nodes + arguments).
extern const PassDef kDce;

/// Merges nodes that compute the same from the same.
///
///   b = torch.ops.aten.mul.Tensor(a, 2)
///   c = torch.ops.aten.mul.Tensor(a, 2)      =>      every reader of c reads b
///
/// Leaves alone: ops with an effect, random ops, ops that are not known, and everything in a graph where an
/// op writes one of its arguments (the same call may then see another value). Cost: O(nodes + arguments),
/// expected.
extern const PassDef kCse;

}  // namespace descry::passes
