// Lays out the members of one group (or of the outermost level) as boxes in layers, and routes the wires
// between them.
#pragma once

#include "layout/control.h"
#include "layout/layout.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace descry::layout {

inline const double kFree = std::nan("");  // an attachment point for the level to choose

// An item is a node, a group that was laid out before, or a port: the place where a wire crosses this level's
// border. In a two-sided level (joint U) every item and wire belongs to one half; both halves have the same
// rows, and x counts from each half's left border. Wires of half 0 flow down, those of half 1 flow up.
struct LevelItem {
  enum Kind : uint8_t { Box, TopPort, BottomPort };
  Size size;
  Kind kind = Box;
  uint8_t side = 0;
  int32_t twin = -1;       // item of the other half to share a row with
  double seedX = kFree;    // old x of the centre, on any scale common to the level
  int32_t seedWeight = 0;  // old nodes inside
};

// From producer to reader, within one half. Offsets count from the item's left border; kFree for nodes.
struct FlowWire {
  int32_t from = 0, to = 0;
  double fromX = kFree, toX = kFree;
  bool weak = false;
};

// Between an item and the border that faces the other half. The result is the y at which it crosses that
// border.
struct SideWire {
  int32_t item = 0;
  // Where the wire crosses the facing border of the item, from its top; kFree for nodes.
  double itemY = kFree;
  bool exit = false;  // from the item to the border, else from the border to the item
  int32_t net = 0;    // wires of one net may share their way
};

struct LevelInput {
  std::vector<LevelItem> items;  // boxes in program order, then ports
  std::vector<FlowWire> wires;
  std::vector<SideWire> sideWires;
  bool twoSided = false;
  double topPad = 0, header = 0, pad = 0;  // topPad includes the header
  double sideHeader =
      0;  // room for the title on the side of low x, which is the top once the drawing is turned
};

struct LevelResult {
  std::vector<Point> position;  // top left corner per item
  std::vector<int32_t> layer;
  std::vector<Point> points;
  std::vector<uint32_t> wireStart;  // points of wire i: [wireStart[i], wireStart[i + 1])
  std::vector<uint32_t> sideStart;  // the same for side wires
  std::vector<double> sideY;
  std::vector<uint8_t> wireLane, wireBack;  // per flow wire
  double width[2] = {0, 0};
  double height = 0;
};

// O((n + w * longEdgeLimit) log n) for w wires.
LevelResult layOutLevel(const LevelInput& input, const Options& options, Stats& stats, Control& control);

}  // namespace descry::layout
