// Makes forward and backward share rows in the joint U picture.
#pragma once

#include "layout/layering.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace descry::layout {

// Rows shared by two sides: the left flows down, the right flows up.
struct JointRows {
  std::vector<int32_t> row;
  int64_t twinsAligned = 0;
};

struct TwinPair {
  int32_t left = 0, right = 0;  // items
};

// Gives each item a row. `side` is 0 (left) or 1 (right) per item. `arcs` join items of one side and are
// acyclic; they point down on both sides (the caller has turned those of the right side round). `order` is
// topological for them. Twins share a row when that contradicts no other shared row: the largest set of pairs
// that appear in the same order on both sides is kept (longest increasing subsequence, Fredman 1975). Merged
// along those pairs both orders become one total order, so merging them makes no cycle. O((n + e) + t log t)
// for t pairs.
JointRows assignJointRows(std::span<const uint8_t> side, std::span<const Arc> arcs,
                          std::span<const int32_t> order, std::span<const TwinPair> twins,
                          std::span<const int32_t> pullUp, std::span<const int32_t> pullDown);

}  // namespace descry::layout
