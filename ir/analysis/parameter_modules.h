// Guesses each node's module from the names of the parameters around it, for graphs that hold no module
// stacks.
#pragma once

#include "ir/analysis/module_paths.h"

namespace descry::ir {

/// Fills `map.of` (as long as graph.idBound()) and `map.paths`; false when fewer than two modules own
/// parameters.
/// - A parameter `a.b.weight` belongs to `a.b`, and so does what is computed from parameters alone, what
/// reads such a
///   value, an item taken from one of these, and what only leads to the gradient of such a parameter.
/// - Any other node lies between the module that fed it last and the one that reads it first: it belongs to
/// the
///   innermost module that holds both (`fc1`, then gelu, then `fc2`: gelu belongs to the parent of the two).
/// Forward and backward are told apart, and no way leads from one to the other. Cost: linear for paths of
/// bounded depth; parts beyond the 64th are cut off.
bool modulesFromParameters(const Graph& graph, ModuleMap& map);

}  // namespace descry::ir
