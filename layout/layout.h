// Entry point of the layered layout, so that canvas, exporters and command line place graphs in exactly the
// same way.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace descry::layout {

// All lengths are in one abstract unit (the canvas takes it as one pixel at zoom 1); y grows downwards.
// Coordinates are double: a chain of a million nodes is 1e8 units long, where a float resolves only 8 units.
struct Size {
  double w = 0, h = 0;
  bool operator==(const Size&) const = default;
};

struct Point {
  double x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

struct Rect {
  double x = 0, y = 0, w = 0, h = 0;
  double right() const { return x + w; }
  double bottom() const { return y + h; }
  Point center() const { return {x + w / 2, y + h / 2}; }
  // True for a rectangle that is not drawn (member of a folded group, group without members).
  bool empty() const { return !(w > 0) || !(h > 0); }
  bool contains(Point p) const { return p.x >= x && p.x <= x + w && p.y >= y && p.y <= y + h; }
  // Touching borders do not count as intersecting.
  bool intersects(const Rect& o) const {
    return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom();
  }
  bool operator==(const Rect&) const = default;
};

enum class Phase : uint8_t { None, Forward, Backward, Either };
enum class Direction : uint8_t { TopToBottom, LeftToRight };
enum class EdgeStyle : uint8_t { RightAngle, Straight };

struct InputNode {
  Size size{80, 28};
  int32_t group = -1;         // index into Input::groups, or -1
  Phase phase = Phase::None;  // joint U: None and Forward go left; Backward and Either go right
  int32_t twin = -1;  // joint U: node of the other side to share a row with; one of the two may name it
  bool hasPrevious = false;  // `previous` holds the centre of this node in the picture shown before
  Point previous;
};

struct InputEdge {
  uint32_t from = 0, to = 0;  // node indices, from the producer to the reader
  bool weak = false;          // does not pull its ends together (saved value, control)
};

struct InputGroup {
  int32_t parent = -1;  // index into Input::groups, or -1
  bool folded = false;  // drawn as one box of `foldedSize`; everything inside is not drawn
  Size foldedSize{160, 44};
};

// Node order is program order: it decides ties and which edge of a cycle points backwards. Program order need
// not be topological. Indices out of range, parent cycles, self loops, duplicate edges and sizes that are not
// finite are tolerated.
struct Input {
  std::vector<InputNode> nodes;
  std::vector<InputEdge> edges;
  std::vector<InputGroup> groups;
};

struct Options {
  Direction direction = Direction::TopToBottom;
  EdgeStyle edgeStyle = EdgeStyle::RightAngle;
  double nodeGap = 24;       // between neighbours of one layer
  double layerGap = 36;      // least distance between layers; grows with the number of edges bending there
  double groupPadding = 14;  // between a group's border and its members
  double groupHeader = 20;   // extra room for a group's title, above the members
  int sweeps = 8;            // most crossing reduction sweeps
  // Sweeps stop here; 0: no limit. When it strikes, the picture depends on the machine.
  double timeBudgetSeconds = 0;
  bool jointU = false;  // forward down on the left, backward up on the right, saved values across a gutter
  double gutterWidth = 160;  // joint U: least width of the gutter
  int longEdgeLimit = 16;    // edges over more layers (weak ones: a quarter) run through side lanes
  const std::atomic<bool>* cancel = nullptr;     // set it from any thread; looked at every few milliseconds
  std::function<void(float fraction)> progress;  // called from the calling thread with rising values up to 1
};

struct EdgeRoute {
  uint32_t firstPoint = 0;  // into Output::points
  // 0: not drawn (invalid, or inside a folded group); else at least 2, from producer to reader.
  uint32_t pointCount = 0;
  bool lane = false;    // runs through a side lane somewhere: a candidate for drawing as stubs
  bool back = false;    // points against the flow somewhere (the input had a cycle there)
  bool gutter = false;  // joint U: crosses the gutter
};

struct Stats {
  int layers = 0;            // of the outermost level
  int levels = 0;            // groups laid out, plus the outermost level
  int64_t dummies = 0;       // bend points inserted where edges pass layers
  int64_t crossings = 0;     // between neighbouring layers, after ordering, summed over levels
  int64_t laneEdges = 0;     // edges routed through side lanes
  int64_t backEdges = 0;     // edges drawn against the flow
  int64_t twinsAligned = 0;  // joint U: twin pairs that share a row
  double groupsMs = 0, layeringMs = 0, orderingMs = 0, coordinatesMs = 0, routingMs = 0, totalMs = 0;
};

struct Output {
  // Per input node; empty() inside folded groups (and positioned at the folded box's centre).
  std::vector<Rect> nodes;
  std::vector<EdgeRoute> edges;  // per input edge
  std::vector<Point> points;     // polylines of all edges, one after the other
  // Per input group, with padding and header; empty() when without members or hidden in a fold.
  std::vector<Rect> groups;
  // Joint U: the right-hand part of a group that has members on both sides; else empty().
  std::vector<Rect> groupsBackward;
  std::vector<int32_t> layer;  // per node: its layer within its group; -1 inside folded groups
  Rect bounds;                 // of everything drawn; starts at (0, 0) unless previous positions were given
  Rect gutter;                 // joint U: the strip between the two sides; else empty()
  Stats stats;
  bool cancelled = false;  // all vectors are empty then
};

// Groups nested deeper than this are merged into their ancestor at this depth, and get an empty rectangle.
inline constexpr int kMaxGroupDepth = 64;

// Places nodes in layers and routes edges (after Sugiyama, Tagawa, Toda 1981). Each group is laid out on its
// own, innermost first, and is one box in its parent, so group rectangles hold their members and nothing
// else, and no two nodes overlap. Never fails and never throws on bad input (only std::bad_alloc when memory
// runs out); bad indices are ignored. Safe to call from several threads at once. Same input, same output.
// Time: O((n + e) log n) for bounded sweeps, with each edge counted once per group border that it crosses and
// once per layer that it passes, up to longEdgeLimit.
Output layoutGraph(const Input& input, const Options& options = {});

}  // namespace descry::layout
