// Turns nodes, edges and nested groups into one small layout problem per group, and remembers how an edge was
// cut into wires.
#pragma once

#include "layout/control.h"
#include "layout/layout.h"
#include "layout/level.h"

#include <cstdint>
#include <vector>

namespace descry::layout {

// Group tree after repairs: parents in range, no cycles, nothing deeper than kMaxGroupDepth.
struct GroupTree {
  std::vector<int32_t> parent;  // per group, -1 at the top
  std::vector<int32_t> depth;   // 1 at the top
  std::vector<int32_t>
      alias;  // the group that stands for this one: itself, or an ancestor when it is nested too deep
  std::vector<int32_t> foldedBy;  // outermost folded group around (or equal to) this one, or -1
  int32_t parentOf(int32_t group) const { return parent[group]; }
  int32_t depthOf(int32_t group) const { return group < 0 ? 0 : depth[group]; }
};

// O(groups).
GroupTree buildGroupTree(const std::vector<InputGroup>& groups);

// A box in some level: a visible node, or one half of a group.
struct ItemRef {
  int32_t level = -1, local = -1;
  bool valid() const { return level >= 0; }
};

// A piece of an edge within one level.
struct WireRef {
  int32_t level = 0, index = 0;
  uint8_t side = 0;
  bool sideWire = false;
};

// Where a wire crosses a group's border: the place inside decides the attachment outside.
struct BorderFix {
  int32_t innerLevel = 0;
  int32_t inner = 0;  // port item, or side wire when `sideWire`
  int32_t outerLevel = 0;
  int32_t outer = 0;  // flow wire, or side wire
  bool sideWire = false, atSource = false;
};

// Joint U: an edge's way across the gutter, between two side wires of the outermost level.
struct Crossing {
  int32_t exitWire = 0, entryWire = 0;
  int32_t net = 0;
};

// Level 0 is the outermost; level g + 1 holds the members of group g.
struct Hierarchy {
  GroupTree tree;
  std::vector<LevelInput> levels;
  std::vector<int32_t> bottomUp;      // levels that have items, inner ones first
  std::vector<uint8_t> nodeSide;      // 0 or 1
  std::vector<ItemRef> nodeItem;      // the node's own box, or the folded box that it is in
  std::vector<ItemRef> groupItem[2];  // per half and group; invalid when without members there
  std::vector<WireRef> wires;
  std::vector<int32_t> edgeWires;  // per edge: wire ids from producer to reader; -(c + 1) is crossing c
  std::vector<uint32_t> edgeWireStart, edgeWireCount;
  std::vector<uint8_t> selfLoop;   // per edge
  std::vector<BorderFix> fixes;    // sorted by innerLevel
  std::vector<uint32_t> fixStart;  // per level
  std::vector<Crossing> crossings;

  bool hidden(const std::vector<InputNode>& nodes, size_t v) const {
    int32_t g = nodes[v].group;
    return g >= 0 && g < static_cast<int32_t>(tree.foldedBy.size()) && tree.foldedBy[g] >= 0;
  }
};

// Sizes in `input` must be sane already. All edges that leave one item through one border share a wire there,
// and so do those that enter one group from one item. O(n + e * nesting depth).
Hierarchy buildHierarchy(const Input& input, const Options& options, const Control& control);

}  // namespace descry::layout
