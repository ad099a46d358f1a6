#include "layout/layout.h"

#include "layout/control.h"
#include "layout/hierarchy.h"
#include "layout/level.h"
#include "layout/routing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace descry::layout {
namespace {

constexpr double kMostSize = 1e6;
constexpr double kGutterMargin = 24;
constexpr double kGutterLaneGap = 7;
constexpr double kMostGutterWidth = 3000;  // beyond, lanes lie closer

double saneLength(double length, double fallback) {
  return std::isfinite(length) && length >= 0 ? std::min(length, kMostSize) : fallback;
}

Size saneSize(Size size) {
  return {std::max(1.0, saneLength(size.w, 1)), std::max(1.0, saneLength(size.h, 1))};
}

// Everything inside works from top to bottom; left to right is that with x and y exchanged.
Size turned(Size size) {
  return {size.h, size.w};
}
Point turned(Point p) {
  return {p.y, p.x};
}
Rect turned(const Rect& r) {
  return {r.y, r.x, r.h, r.w};
}

Input saneInput(const Input& input, bool turn) {
  Input sane = input;
  for (InputNode& node : sane.nodes) {
    node.size = saneSize(node.size);
    node.hasPrevious = node.hasPrevious && std::isfinite(node.previous.x) && std::isfinite(node.previous.y);
    if (turn) node.size = turned(node.size), node.previous = turned(node.previous);
  }
  for (InputGroup& group : sane.groups) {
    group.foldedSize = saneSize(group.foldedSize);
    if (turn) group.foldedSize = turned(group.foldedSize);
  }
  return sane;
}

Options saneOptions(const Options& options) {
  Options sane = options;
  Options usual;
  sane.nodeGap = saneLength(options.nodeGap, usual.nodeGap);
  sane.layerGap = saneLength(options.layerGap, usual.layerGap);
  sane.groupPadding = saneLength(options.groupPadding, usual.groupPadding);
  sane.groupHeader = saneLength(options.groupHeader, usual.groupHeader);
  sane.gutterWidth = saneLength(options.gutterWidth, usual.gutterWidth);
  sane.sweeps = std::clamp(options.sweeps, 0, 1000);
  sane.longEdgeLimit = std::clamp(options.longEdgeLimit, 1, 1000);
  return sane;
}

class Composer {
 public:
  Composer(const Input& input, const Options& options, Control& control)
      : input_(input), options_(options), control_(control) {}

  Output run();

 private:
  void layOutLevels();
  static void seedBox(const LevelInput& level, const LevelResult& result, int side, LevelItem& box);
  void placeGutter();
  void placeRects();
  void joinEdges();
  void addWire(int32_t id, EdgeRoute& route);
  void addCrossing(const Crossing& crossing);
  void addSelfLoop(const Rect& node);
  void moveHome();
  void push(Point p);
  Point origin(int32_t level, int side) const { return origin_[side][level]; }
  Rect rectOf(ItemRef item, int side, Size size) const {
    Point p = results_[item.level].position[item.local], o = origin(item.level, side);
    return {o.x + p.x, o.y + p.y, size.w, size.h};
  }
  Size sizeOf(ItemRef item) const { return h_.levels[item.level].items[item.local].size; }

  const Input& input_;
  const Options& options_;
  Control& control_;
  Hierarchy h_;
  std::vector<LevelResult> results_;
  std::vector<Point> origin_[2];  // of each level's halves
  std::vector<double> crossingX_;
  Output out_;
  size_t routeStart_ = 0;
};

void Composer::layOutLevels() {
  results_.resize(h_.levels.size());
  double total = 0, done = 0;
  for (int32_t l : h_.bottomUp) total += static_cast<double>(h_.levels[l].items.size());
  for (int32_t l : h_.bottomUp) {
    control_.poll();
    LevelInput& level = h_.levels[l];
    results_[l] = layOutLevel(level, options_, out_.stats, control_);
    const LevelResult& result = results_[l];
    ++out_.stats.levels;
    for (uint32_t k = h_.fixStart[l]; k < h_.fixStart[l + 1]; ++k) {
      const BorderFix& fix = h_.fixes[k];
      LevelInput& outer = h_.levels[fix.outerLevel];
      if (fix.sideWire)
        outer.sideWires[fix.outer].itemY = result.sideY[fix.inner];
      else
        (fix.atSource ? outer.wires[fix.outer].fromX : outer.wires[fix.outer].toX) =
            result.position[fix.inner].x;
    }
    for (int s = 0; s < 2 && l > 0; ++s) {
      ItemRef box = h_.groupItem[s][l - 1];
      if (!box.valid()) continue;
      LevelItem& item = h_.levels[box.level].items[box.local];
      item.size = {result.width[s], result.height};
      seedBox(level, result, s, item);
    }
    done += static_cast<double>(level.items.size());
    control_.progress(0.05 + 0.85 * done / total);
  }
}

// A group belongs where, on average, its members would stand where they stood before.
void Composer::seedBox(const LevelInput& level, const LevelResult& result, int side, LevelItem& box) {
  double sum = 0;
  int32_t weight = 0;
  for (size_t i = 0; i < level.items.size(); ++i) {
    const LevelItem& item = level.items[i];
    if (item.side != side || item.seedWeight == 0) continue;
    sum += item.seedWeight * (item.seedX - result.position[i].x - item.size.w / 2);
    weight += item.seedWeight;
  }
  if (weight == 0) return;
  box.seedX = sum / weight + box.size.w / 2;
  box.seedWeight = weight;
}

void Composer::placeGutter() {
  const LevelResult& root = results_[0];
  double left = root.width[0], width = 0;
  crossingX_.assign(h_.crossings.size(), 0);
  if (options_.jointU && root.width[0] > 0 && root.width[1] > 0) {
    auto y = [&](int32_t wire) { return root.sideY[h_.wires[wire].index]; };
    std::vector<LaneRun> runs;
    std::vector<int32_t> runOf(h_.crossings.size(), -1);
    for (size_t c = 0; c < h_.crossings.size(); ++c) {
      const Crossing& crossing = h_.crossings[c];
      double a = y(crossing.exitWire), b = y(crossing.entryWire);
      if (a == b) continue;
      // Crossings of one net follow one another and share a vertical run.
      bool shared = c > 0 && h_.crossings[c - 1].net == crossing.net && runOf[c - 1] >= 0;
      if (!shared) runs.push_back({a, a, 0});
      runOf[c] = static_cast<int32_t>(runs.size()) - 1;
      LaneRun& run = runs.back();
      run.first = std::min({run.first, a, b});
      run.last = std::max({run.last, a, b});
    }
    int32_t lanes = assignLanes(runs);
    double gap = std::min(kGutterLaneGap, kMostGutterWidth / std::max(1, lanes));
    width = std::max(options_.gutterWidth, 2 * kGutterMargin + lanes * gap);
    double first = left + (width - (lanes - 1) * gap) / 2;
    for (size_t c = 0; c < h_.crossings.size(); ++c)
      if (runOf[c] >= 0) crossingX_[c] = first + runs[runOf[c]].lane * gap;
    out_.gutter = {left, 0, width, root.height};
  }
  for (auto& o : origin_) o.assign(h_.levels.size(), {});
  origin_[1][0] = {left + width, 0};
  for (auto it = h_.bottomUp.rbegin(); it != h_.bottomUp.rend(); ++it) {
    if (*it == 0) continue;
    for (int s = 0; s < 2; ++s) {
      ItemRef box = h_.groupItem[s][*it - 1];
      if (!box.valid()) continue;
      Point p = results_[box.level].position[box.local], o = origin(box.level, s);
      origin_[s][*it] = {o.x + p.x, o.y + p.y};
    }
  }
}

void Composer::placeRects() {
  out_.nodes.resize(input_.nodes.size());
  out_.layer.resize(input_.nodes.size());
  for (size_t v = 0; v < input_.nodes.size(); ++v) {
    ItemRef item = h_.nodeItem[v];
    Rect r = rectOf(item, h_.nodeSide[v], sizeOf(item));
    if (h_.hidden(input_.nodes, v)) {
      out_.nodes[v] = {r.center().x, r.center().y, 0, 0};
      out_.layer[v] = -1;
    } else {
      out_.nodes[v] = r;
      out_.layer[v] = results_[item.level].layer[item.local];
    }
  }
  out_.groups.resize(input_.groups.size());
  out_.groupsBackward.resize(input_.groups.size());
  for (size_t g = 0; g < input_.groups.size(); ++g) {
    bool first = true;
    for (int s = 0; s < 2; ++s) {
      ItemRef item = h_.groupItem[s][g];
      if (!item.valid()) continue;
      (first ? out_.groups : out_.groupsBackward)[g] = rectOf(item, s, sizeOf(item));
      first = false;
    }
  }
}

// Drops repeated points and points in the middle of a straight line.
void Composer::push(Point p) {
  auto& points = out_.points;
  size_t n = points.size();
  auto near = [](double a, double b) { return std::abs(a - b) < 1e-6; };
  if (n > routeStart_ && near(points[n - 1].x, p.x) && near(points[n - 1].y, p.y)) return;
  if (n > routeStart_ + 1) {
    const Point &a = points[n - 2], &b = points[n - 1];
    bool vertical = near(a.x, b.x) && near(b.x, p.x) && (b.y - a.y) * (p.y - b.y) > 0;
    bool horizontal = near(a.y, b.y) && near(b.y, p.y) && (b.x - a.x) * (p.x - b.x) > 0;
    if (vertical || horizontal) {
      points[n - 1] = p;
      return;
    }
  }
  points.push_back(p);
}

void Composer::addWire(int32_t id, EdgeRoute& route) {
  const WireRef& wire = h_.wires[id];
  const LevelResult& result = results_[wire.level];
  const auto& start = wire.sideWire ? result.sideStart : result.wireStart;
  Point o = origin(wire.level, wire.side);
  for (uint32_t k = start[wire.index]; k < start[wire.index + 1]; ++k)
    push({o.x + result.points[k].x, o.y + result.points[k].y});
  if (wire.sideWire) return;
  route.lane |= result.wireLane[wire.index] != 0;
  route.back |= result.wireBack[wire.index] != 0;
}

void Composer::addCrossing(const Crossing& crossing) {
  auto index = static_cast<size_t>(&crossing - h_.crossings.data());
  double fromY = results_[0].sideY[h_.wires[crossing.exitWire].index];
  double toY = results_[0].sideY[h_.wires[crossing.entryWire].index];
  if (fromY == toY) return;
  push({crossingX_[index], fromY});
  push({crossingX_[index], toY});
}

void Composer::addSelfLoop(const Rect& node) {
  double out = node.right() + std::min(options_.nodeGap / 3, 8.0), dy = node.h / 4;
  for (Point p : {Point{node.right(), node.center().y + dy}, Point{out, node.center().y + dy},
                  Point{out, node.center().y - dy}, Point{node.right(), node.center().y - dy}})
    out_.points.push_back(p);
}

void Composer::joinEdges() {
  out_.edges.resize(input_.edges.size());
  for (size_t i = 0; i < input_.edges.size(); ++i) {
    if ((i & 1023) == 0) control_.poll();
    EdgeRoute& route = out_.edges[i];
    routeStart_ = out_.points.size();
    route.firstPoint = static_cast<uint32_t>(routeStart_);
    if (h_.selfLoop[i]) addSelfLoop(out_.nodes[input_.edges[i].from]);
    for (uint32_t k = 0; k < h_.edgeWireCount[i]; ++k) {
      int32_t wire = h_.edgeWires[h_.edgeWireStart[i] + k];
      if (wire >= 0) {
        addWire(wire, route);
      } else {
        addCrossing(h_.crossings[-(wire + 1)]);
        route.gutter = true;
      }
    }
    route.pointCount = static_cast<uint32_t>(out_.points.size() - routeStart_);
  }
}

double median(std::vector<double>& values) {
  auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Moves the whole picture to (0, 0), or to where most old nodes were before.
void Composer::moveHome() {
  double inf = std::numeric_limits<double>::infinity();
  double lowX = inf, lowY = inf, highX = -inf, highY = -inf;
  auto cover = [&](double x, double y) {
    lowX = std::min(lowX, x);
    lowY = std::min(lowY, y);
    highX = std::max(highX, x);
    highY = std::max(highY, y);
  };
  for (const auto* rects : {&out_.nodes, &out_.groups, &out_.groupsBackward})
    for (const Rect& r : *rects)
      if (!r.empty()) cover(r.x, r.y), cover(r.right(), r.bottom());
  for (Point p : out_.points) cover(p.x, p.y);
  if (lowX > highX) return;
  Point move{-lowX, -lowY};

  std::vector<double> moveX, moveY;
  for (size_t v = 0; v < input_.nodes.size(); ++v) {
    if (!input_.nodes[v].hasPrevious || out_.layer[v] < 0) continue;
    moveX.push_back(input_.nodes[v].previous.x - out_.nodes[v].center().x);
    moveY.push_back(input_.nodes[v].previous.y - out_.nodes[v].center().y);
  }
  if (!moveX.empty()) move = {median(moveX), median(moveY)};

  for (auto* rects : {&out_.nodes, &out_.groups, &out_.groupsBackward})
    for (Rect& r : *rects)
      if (!r.empty() || rects == &out_.nodes) r.x += move.x, r.y += move.y;
  for (Point& p : out_.points) p.x += move.x, p.y += move.y;
  if (!out_.gutter.empty()) out_.gutter.x += move.x, out_.gutter.y += move.y;
  out_.bounds = {lowX + move.x, lowY + move.y, highX - lowX, highY - lowY};
}

Output Composer::run() {
  LapTimer timer;
  h_ = buildHierarchy(input_, options_, control_);
  timer.lap(out_.stats.groupsMs);
  control_.progress(0.05);
  if (!h_.bottomUp.empty()) {
    layOutLevels();
    LapTimer joining;
    placeGutter();
    placeRects();
    joinEdges();
    moveHome();
    joining.lap(out_.stats.routingMs);
    out_.stats.layers = 0;
    for (int32_t layer : results_[0].layer) out_.stats.layers = std::max(out_.stats.layers, layer + 1);
  } else {
    out_.edges.resize(input_.edges.size());
    out_.groups.resize(input_.groups.size());
    out_.groupsBackward.resize(input_.groups.size());
  }
  return std::move(out_);
}

void turn(Output& out) {
  for (auto* rects : {&out.nodes, &out.groups, &out.groupsBackward})
    for (Rect& r : *rects) r = turned(r);
  for (Point& p : out.points) p = turned(p);
  out.bounds = turned(out.bounds);
  out.gutter = turned(out.gutter);
}

}  // namespace

Output layoutGraph(const Input& input, const Options& options) {
  Control control(options.cancel, options.timeBudgetSeconds, options.progress);
  bool turnRound = options.direction == Direction::LeftToRight;
  try {
    control.poll();
    Input sane = saneInput(input, turnRound);
    Options saneOpts = saneOptions(options);
    Output out = Composer(sane, saneOpts, control).run();
    if (turnRound) turn(out);
    out.stats.totalMs = control.elapsedMs();
    control.progress(1);
    return out;
  } catch (const Cancelled&) {
    Output out;
    out.cancelled = true;
    out.stats.totalMs = control.elapsedMs();
    return out;
  }
}

}  // namespace descry::layout
