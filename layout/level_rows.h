// Chooses the row of every item of a level: the step before wires become segments.
#pragma once

#include "layout/control.h"
#include "layout/level.h"

#include <cstdint>
#include <vector>

namespace descry::layout {

struct LevelRows {
  std::vector<int32_t> row;  // per item
  int32_t count = 0;
  bool topPorts = false, bottomPorts = false;  // the first or last row holds the ports, and nothing else
};

// Rows that wires follow down in half 0 and up in half 1, except where they close a cycle. Boxes without any
// wire get rows of their own at the bottom, as one row of them would be endless. O((n + w) log n).
LevelRows assignRows(const LevelInput& input, Stats& stats, const Control& control);

}  // namespace descry::layout
