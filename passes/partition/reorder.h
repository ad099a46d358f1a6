// Order of nodes in the two graphs.
#pragma once

#include <functional>
#include <vector>

#include "ir/core/graph.h"

namespace descry::passes::partition {

/// Moves recomputed nodes right before the first backward node that needs them, as the autograd engine would
/// run them, and drops those that none needs. `tangents` are inputs of `backward`; without a reader of one of
/// them nothing changes. Writes to inputs (`copy_`) that stood before the first backward node come first.
///
///   sin = x.sin();  cos = y.cos();  a = t * sin;  b = a * cos
///                                =>      sin = x.sin();  a = t * sin;  cos = y.cos();  b = a * cos
void reorderLikeAutograd(ir::Graph& backward, const std::vector<ir::NodeId>& tangents);

/// Moves every getitem right behind its tuple; their order stays.
void raiseGetitems(ir::Graph& graph);

/// Drops collectives that nobody reads; nothing else.
void dropDeadCollectives(ir::Graph& graph);

}  // namespace descry::passes::partition
