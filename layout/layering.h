// Decides the layer of every item, so that edges point one way and are short.
#pragma once

#include "layout/control.h"

#include <cstdint>
#include <span>
#include <vector>

namespace descry::layout {

struct Arc {
  int32_t from = 0, to = 0;
  bool weak = false;  // orders its ends, but does not pull them together
};

struct Ranking {
  std::vector<int32_t> order;     // all items, so that every arc not in `reversed` points to the right
  std::vector<uint8_t> reversed;  // per arc: points backwards in a cycle (self loops too)
};

// Topological order that stays near item order. Where the graph has a cycle, the first item in item order
// goes first, which makes its arcs from later items reversed ones. O(n + e) when item order is topological,
// else O((n + e) log n).
Ranking rankItems(int32_t itemCount, std::span<const Arc> arcs, const Control& control);

// Longest-path layering over an acyclic graph in topological `order`, then one tightening sweep in reverse
// order that moves an item down to its nearest reader when that lengthens no more arcs than it shortens.
// `pullUp` and `pullDown` count further arcs of each item to the top and the bottom border (either may be
// empty). Layers start at 0. O(n + e).
std::vector<int32_t> assignLayers(int32_t itemCount, std::span<const Arc> arcs,
                                  std::span<const int32_t> order, std::span<const int32_t> pullUp,
                                  std::span<const int32_t> pullDown);

}  // namespace descry::layout
