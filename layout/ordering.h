// Orders the nodes within each layer so that few edges cross.
#pragma once

#include "layout/control.h"
#include "layout/layered_graph.h"

#include <cstdint>

namespace descry::layout {

// Crossings between all neighbouring layers (Barth, Juenger, Mutzel 2002, with a Fenwick tree). O(s log n)
// for s segments.
int64_t countCrossings(const LayeredGraph& graph, const Control& control);

// Barycentre sweeps (Sugiyama, Tagawa, Toda 1981), alternating down and up, keeping the best order seen;
// stops after `sweeps`, two sweeps without gain, or at the time budget; then exchanges neighbours while that
// helps, on graphs small enough. Where seedX holds old positions for most nodes, those keep their order and
// only the others are placed between them. Returns the crossings left. O(sweeps * s log n).
int64_t orderLayers(LayeredGraph& graph, int sweeps, const Control& control);

}  // namespace descry::layout
