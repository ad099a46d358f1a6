// Decides where nodes stand within their layers: straight edges first, never an overlap.
#pragma once

#include "layout/control.h"
#include "layout/layered_graph.h"

#include <span>
#include <vector>

namespace descry::layout {

struct Spacing {
  double nodes = 24;    // between two items
  double mixed = 12;    // between an item and a passing edge
  double dummies = 10;  // between two passing edges
};

// Least distance between the centres of neighbours a and b of one layer.
double separation(const LayeredGraph& graph, int32_t a, int32_t b, const Spacing& spacing);

// X of the centre of each node, keeping the order within layers (Brandes, Koepf 2001, "Fast and Simple
// Horizontal Coordinate Assignment"), with ports as by Ruegg, Schulze, Carstens, von Hanxleden 2015. The
// paper's compaction by class shifts is faulty (Brandes, Walter, Zink 2020, "Erratum"); instead the blocks of
// each of the four alignments are compacted by two longest-path sweeps over their constraint graph, which
// satisfies every constraint by construction; so does the mean of the two medians, as order statistics are
// monotone. Where seedX holds old positions for most items, each layer is then moved to them by isotonic
// regression (pool adjacent violators), again keeping every distance. Neighbour lists must be sorted. O(n +
// s).
std::vector<double> assignX(const LayeredGraph& graph, const Spacing& spacing, const Control& control);

}  // namespace descry::layout
