#include "layout/level.h"

#include "layout/coordinates.h"
#include "layout/layered_graph.h"
#include "layout/level_rows.h"
#include "layout/ordering.h"
#include "layout/routing.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace descry::layout {
namespace {

constexpr double kStraight = 0.01;       // an x difference that needs no bend
constexpr double kLaneGap = 7;           // between lanes
constexpr double kLaneMargin = 16;       // between the innermost lane and the layers
constexpr double kMostLaneWidth = 4000;  // beyond, lanes lie closer
constexpr double kPortGap = 10;          // between wires entering one node
constexpr int64_t kNetStride = 4096;     // more than the layers that an edge may pass through dummies
constexpr int64_t kSideNets = int64_t{1} << 60;

class Level {
 public:
  Level(const LevelInput& in, const Options& options, Stats& stats, Control& control)
      : in_(in),
        options_(options),
        stats_(stats),
        control_(control),
        limit_(std::clamp(options.longEdgeLimit, 1, static_cast<int>(kNetStride) - 2)),
        weakLimit_(std::max(1, limit_ / 4)),
        spacing_{options.nodeGap, std::max(8.0, options.nodeGap / 2), 10} {}

  LevelResult run();

 private:
  void buildNets();
  void buildGraph(int s);
  void placeSide(int s);
  void placeLanes(int s);
  void placePorts();
  void collectBends();
  void placeRows();
  void emitWires();
  void emitSideWires();

  bool isBox(int32_t i) const { return in_.items[i].kind == LevelItem::Box; }
  // Against the flow, or over so many layers that dummies would clutter them; weak wires give way sooner.
  bool viaLane(size_t wire) const {
    return span_[wire] <= 0 || span_[wire] > (in_.wires[wire].weak ? weakLimit_ : limit_);
  }
  int sideOf(const FlowWire& w) const { return in_.items[w.from].side; }
  double centre(int32_t i) const { return x_[in_.items[i].side][index_[i]]; }
  double left(int32_t i) const { return centre(i) - in_.items[i].size.w / 2; }
  // Channel c lies above row c; the wires of half 0 leave into the channel below their row, those of half 1
  // into the one above.
  int32_t outChannel(int32_t i) const { return row_[i] + (in_.items[i].side == 0 ? 1 : 0); }
  int32_t inChannel(int32_t i) const { return row_[i] + (in_.items[i].side == 0 ? 0 : 1); }
  double outX(const FlowWire& w) const {
    return std::isnan(w.fromX) ? centre(w.from) : left(w.from) + w.fromX;
  }
  // X of the k-th stop of a wire: its source, then its dummies, then its target.
  double stopX(size_t wire, int32_t k) const;
  void addBend(int32_t channel, int64_t net, double topX, double bottomX) {
    bends_.push_back({channel, net, topX, bottomX, 0});
  }
  double trackY(const Bend& b) const;
  void push(Point p);
  void pushBend(const Bend& bend, double fromX, double toX, bool down);
  bool isLastTowardsGutter(int32_t i) const;

  const LevelInput& in_;
  const Options& options_;
  Stats& stats_;
  Control& control_;
  int32_t limit_, weakLimit_;
  Spacing spacing_;

  int32_t rows_ = 0;
  bool topPorts_ = false, bottomPorts_ = false;
  std::vector<int32_t> row_;    // per item
  std::vector<int32_t> index_;  // per item: its node in the graph of its half
  LayeredGraph graph_[2];
  std::vector<int32_t> items_[2];  // per node of a half that is an item
  std::vector<double> x_[2];

  // Per wire. A net is all wires from one attachment point; they share dummies and a lane.
  std::vector<int32_t> net_, span_;  // see viaLane()
  std::vector<double> inX_, sideInX_;
  struct NetInfo {
    int32_t chain = -1;  // first dummy
    int32_t lane = -1;   // index into runs of its half
    double laneX = 0;
    bool laneLeft = true;
  };
  std::vector<NetInfo> nets_;
  std::vector<int32_t> byNet_;  // wires ordered by net, then by span
  double low_[2] = {0, 0}, high_[2] = {0, 0};

  std::vector<Bend> bends_;
  std::vector<int32_t> tracks_;
  std::vector<double> rowTop_, rowHeight_, channelTop_, channelHeight_, trackTop_;
  std::vector<double> boxY_;
  LevelResult out_;
  size_t routeStart_ = 0;
};

void Level::buildNets() {
  size_t wires = in_.wires.size();
  span_.resize(wires);
  net_.resize(wires);
  byNet_.resize(wires);
  std::vector<int32_t> start(in_.items.size() + 1, 0);
  for (size_t i = 0; i < wires; ++i) {
    const FlowWire& w = in_.wires[i];
    int32_t span = row_[w.to] - row_[w.from];
    span_[i] = sideOf(w) == 0 ? span : -span;
    ++start[w.from + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int32_t> next(start.begin(), start.end() - 1);
  for (size_t i = 0; i < wires; ++i) byNet_[next[in_.wires[i].from]++] = static_cast<int32_t>(i);
  auto attachment = [&](int32_t i) { return std::isnan(in_.wires[i].fromX) ? -1.0 : in_.wires[i].fromX; };
  for (size_t v = 0; v < in_.items.size(); ++v) {
    auto first = byNet_.begin() + start[v], last = byNet_.begin() + start[v + 1];
    std::sort(first, last, [&](int32_t a, int32_t b) {
      if (attachment(a) != attachment(b)) return attachment(a) < attachment(b);
      return span_[a] != span_[b] ? span_[a] < span_[b] : a < b;
    });
    for (auto it = first; it != last; ++it) {
      if (it == first || attachment(*(it - 1)) != attachment(*it)) nets_.push_back({});
      net_[*it] = static_cast<int32_t>(nets_.size()) - 1;
    }
  }
}

void Level::buildGraph(int s) {
  LayeredGraph& g = graph_[s];
  bool seeded = false;
  // Ports count as dummies: they are thin, and may stand close.
  for (int pass = 0; pass < 2; ++pass) {
    for (int32_t i = 0; i < static_cast<int32_t>(in_.items.size()); ++i) {
      if (in_.items[i].side != s || isBox(i) != (pass == 0)) continue;
      index_[i] = static_cast<int32_t>(items_[s].size());
      items_[s].push_back(i);
      g.layer.push_back(row_[i]);
      g.width.push_back(isBox(i) ? in_.items[i].size.w : 0);
      if (pass == 0) {
        g.seedX.push_back(in_.items[i].seedX);
        seeded |= !std::isnan(in_.items[i].seedX);
      }
    }
    if (pass == 0) g.realCount = static_cast<int32_t>(items_[s].size());
  }
  if (!seeded) g.seedX.clear();
  g.chainUp.assign(g.layer.size(), -1);
  g.chainDown.assign(g.layer.size(), -1);

  auto offsetOf = [&](int32_t item, double at) {
    return std::isnan(at) || !isBox(item) ? 0.0f : static_cast<float>(at - in_.items[item].size.w / 2);
  };
  auto addSegment = [&](int32_t nearSource, int32_t nearTarget, float sourceOffset, float targetOffset) {
    if (s == 0)
      g.segments.push_back({nearSource, nearTarget, sourceOffset, targetOffset});
    else
      g.segments.push_back({nearTarget, nearSource, targetOffset, sourceOffset});
  };
  int32_t step = s == 0 ? 1 : -1;
  for (size_t k = 0; k < byNet_.size(); ++k) {
    int32_t i = byNet_[k];
    const FlowWire& w = in_.wires[i];
    if (sideOf(w) != s || viaLane(i)) continue;
    NetInfo& net = nets_[net_[i]];
    float sourceOffset = offsetOf(w.from, w.fromX);
    if (net.chain < 0) {
      int32_t longest = span_[i];
      for (size_t j = k + 1; j < byNet_.size() && net_[byNet_[j]] == net_[i]; ++j)
        if (!viaLane(byNet_[j])) longest = span_[byNet_[j]];
      net.chain = g.nodeCount();
      for (int32_t d = 1; d < longest; ++d) {
        int32_t id = g.nodeCount();
        int32_t before = d == 1 ? -1 : id - 1, after = d + 1 < longest ? id + 1 : -1;
        g.layer.push_back(row_[w.from] + step * d);
        g.width.push_back(0);
        g.chainUp.push_back(s == 0 ? before : after);
        g.chainDown.push_back(s == 0 ? after : before);
        addSegment(d == 1 ? index_[w.from] : id - 1, id, d == 1 ? sourceOffset : 0, 0);
      }
    }
    bool direct = span_[i] == 1;
    addSegment(direct ? index_[w.from] : net.chain + span_[i] - 2, index_[w.to], direct ? sourceOffset : 0,
               offsetOf(w.to, w.toX));
  }
  stats_.dummies += g.nodeCount() - static_cast<int64_t>(items_[s].size());
}

void Level::placeSide(int s) {
  LayeredGraph& g = graph_[s];
  low_[s] = 0;
  high_[s] = 0;
  if (g.nodeCount() == 0) return;
  LapTimer timer;
  g.finish(rows_);
  stats_.crossings += orderLayers(g, options_.sweeps, control_);
  timer.lap(stats_.orderingMs);
  g.sortNeighbours();
  x_[s] = assignX(g, spacing_, control_);
  timer.lap(stats_.coordinatesMs);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int32_t v = 0; v < g.nodeCount(); ++v) {
    low = std::min(low, x_[s][v] - g.width[v] / 2);
    high = std::max(high, x_[s][v] + g.width[v] / 2);
  }
  low_[s] = low;
  high_[s] = high;
}

void Level::placeLanes(int s) {
  double middle = (low_[s] + high_[s]) / 2;
  std::vector<LaneRun> runs[2];  // left and right of the layers
  std::vector<int32_t> netOf[2];
  for (int32_t i : byNet_) {
    const FlowWire& w = in_.wires[i];
    if (w.from == w.to || sideOf(w) != s || !viaLane(i)) continue;
    NetInfo& net = nets_[net_[i]];
    double a = outChannel(w.from), b = inChannel(w.to);
    if (net.lane < 0) {
      net.laneLeft = in_.twoSided ? s == 0 : (centre(w.from) + centre(w.to)) / 2 <= middle;
      auto& list = runs[!net.laneLeft];
      net.lane = static_cast<int32_t>(list.size());
      list.push_back({std::min(a, b), std::max(a, b), 0});
      netOf[!net.laneLeft].push_back(net_[i]);
    }
    LaneRun& run = runs[!net.laneLeft][net.lane];
    run.first = std::min({run.first, a, b});
    run.last = std::max({run.last, a, b});
    ++stats_.laneEdges;
    stats_.backEdges += span_[i] <= 0;
    out_.wireLane[i] = 1;
    out_.wireBack[i] = span_[i] <= 0;
  }
  for (int r = 0; r < 2; ++r) {
    int32_t lanes = assignLanes(runs[r]);
    double gap = std::min(kLaneGap, kMostLaneWidth / std::max(1, lanes));
    double edge = r == 0 ? low_[s] : high_[s], outwards = r == 0 ? -1 : 1;
    for (size_t k = 0; k < runs[r].size(); ++k)
      nets_[netOf[r][k]].laneX = edge + outwards * (kLaneMargin + (lanes - 1 - runs[r][k].lane) * gap);
    if (lanes > 0) (r == 0 ? low_[s] : high_[s]) = edge + outwards * (kLaneMargin + (lanes - 1) * gap);
  }
}

double Level::stopX(size_t wire, int32_t k) const {
  const FlowWire& w = in_.wires[wire];
  if (k == 0) return outX(w);
  if (k == span_[wire]) return inX_[wire];
  return x_[sideOf(w)][nets_[net_[wire]].chain + k - 1];
}

// Chooses where wires enter nodes: straight below where they come from when possible, and never two at one
// place.
void Level::placePorts() {
  struct Entry {
    double wish;
    int32_t wire;  // side wires follow flow wires
  };
  size_t wires = in_.wires.size();
  inX_.assign(wires, 0);
  sideInX_.assign(in_.sideWires.size(), 0);
  std::vector<int32_t> start(in_.items.size() + 1, 0);
  auto eachFree = [&](auto visit) {
    for (size_t i = 0; i < wires; ++i) {
      const FlowWire& w = in_.wires[i];
      if (std::isnan(w.toX) && isBox(w.to)) visit(w.to, static_cast<int32_t>(i));
    }
    for (size_t i = 0; i < in_.sideWires.size(); ++i) {
      const SideWire& w = in_.sideWires[i];
      if (!w.exit && std::isnan(w.itemY)) visit(w.item, static_cast<int32_t>(wires + i));
    }
  };
  eachFree([&](int32_t item, int32_t) { ++start[item + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Entry> entries(start.back());
  std::vector<int32_t> next(start.begin(), start.end() - 1);
  eachFree([&](int32_t item, int32_t wire) {
    double wish;
    if (wire >= static_cast<int32_t>(wires))
      wish = in_.items[item].side == 0 ? 1e300 : -1e300;
    else if (viaLane(wire))
      wish = nets_[net_[wire]].laneX;
    else
      wish = stopX(wire, span_[wire] - 1);
    entries[next[item]++] = {wish, wire};
  });
  for (size_t i = 0; i < wires; ++i) {
    const FlowWire& w = in_.wires[i];
    inX_[i] = !isBox(w.to) ? centre(w.to) : left(w.to) + (std::isnan(w.toX) ? 0 : w.toX);
  }
  std::vector<double> wishes;
  for (int32_t v = 0; v < static_cast<int32_t>(in_.items.size()); ++v) {
    auto first = entries.begin() + start[v], last = entries.begin() + start[v + 1];
    if (first == last) continue;
    std::sort(first, last, [](const Entry& a, const Entry& b) {
      return a.wish != b.wish ? a.wish < b.wish : a.wire < b.wire;
    });
    double w = in_.items[v].size.w, inset = std::min(8.0, w / 4), low = left(v) + inset,
           high = left(v) + w - inset;
    wishes.clear();
    for (auto it = first; it != last; ++it) wishes.push_back(it->wish);
    if (wishes.size() == 1 && (wishes[0] < low || wishes[0] > high)) wishes[0] = centre(v);
    spread(wishes, low, high, kPortGap);
    for (auto it = first; it != last; ++it) {
      double x = wishes[static_cast<size_t>(it - first)];
      (it->wire < static_cast<int32_t>(wires) ? inX_[it->wire]
                                              : sideInX_[it->wire - static_cast<int32_t>(wires)]) = x;
    }
  }
}

// Emission walks the wires in the same order and takes the bends one by one.
void Level::collectBends() {
  for (size_t i = 0; i < in_.wires.size(); ++i) {
    if ((i & 1023) == 0) control_.poll();
    const FlowWire& w = in_.wires[i];
    if (w.from == w.to) continue;
    int s = sideOf(w);
    const NetInfo& net = nets_[net_[i]];
    int64_t key = net_[i] * kNetStride;
    if (viaLane(i)) {
      bool down = s == 0;
      addBend(outChannel(w.from), key, down ? outX(w) : net.laneX, down ? net.laneX : outX(w));
      addBend(inChannel(w.to), -net_[i] - 1, down ? net.laneX : inX_[i], down ? inX_[i] : net.laneX);
      continue;
    }
    double from = stopX(i, 0);
    for (int32_t k = 0; k < span_[i]; ++k) {
      double to = stopX(i, k + 1);
      if (std::abs(from - to) > kStraight)
        addBend(outChannel(w.from) + (s == 0 ? k : -k), key + k, s == 0 ? from : to, s == 0 ? to : from);
      from = to;
    }
  }
  // In side wires, x of the border stands for all of the way beyond it.
  for (size_t i = 0; i < in_.sideWires.size(); ++i) {
    const SideWire& w = in_.sideWires[i];
    int s = in_.items[w.item].side;
    double border = s == 0 ? high_[s] + in_.pad : low_[s] - in_.pad;
    double x = w.exit ? centre(w.item) : sideInX_[i];
    if (!std::isnan(w.itemY)) {
      if (isLastTowardsGutter(w.item)) continue;
      x = s == 0 ? left(w.item) + in_.items[w.item].size.w : left(w.item);
      addBend(row_[w.item] + 1, kSideNets + w.net, x, border);
    } else {
      addBend(w.exit ? outChannel(w.item) : inChannel(w.item), kSideNets + w.net, x, border);
    }
  }
}

bool Level::isLastTowardsGutter(int32_t i) const {
  int s = in_.items[i].side;
  const LayeredGraph& g = graph_[s];
  auto nodes = g.nodesOf(row_[i]);
  int32_t step = s == 0 ? 1 : -1;
  for (int32_t p = g.position[index_[i]] + step; p >= 0 && p < static_cast<int32_t>(nodes.size()); p += step)
    if (!g.isDummy(nodes[p])) return false;
  return true;
}

void Level::placeRows() {
  rowHeight_.assign(rows_, 0);
  std::vector<uint8_t> hasAbove(in_.items.size(), 0), hasBelow(in_.items.size(), 0);
  for (size_t i = 0; i < in_.items.size(); ++i)
    if (isBox(static_cast<int32_t>(i)))
      rowHeight_[row_[i]] = std::max(rowHeight_[row_[i]], in_.items[i].size.h);
  for (const FlowWire& w : in_.wires) {
    bool down = sideOf(w) == 0;
    (down ? hasBelow : hasAbove)[w.from] = 1;
    (down ? hasAbove : hasBelow)[w.to] = 1;
  }

  channelTop_.resize(rows_ + 1);
  channelHeight_.resize(rows_ + 1);
  trackTop_.resize(rows_ + 1);
  rowTop_.resize(rows_);
  double y = 0;
  for (int32_t c = 0; c <= rows_; ++c) {
    double reserved = 0, least = options_.layerGap;
    double tracks = tracks_[c] == 0 ? 0 : 2 * kTrackMargin + (tracks_[c] - 1) * kTrackGap;
    if (c == 0 || c == rows_) least = 0;
    bool first = c == (topPorts_ ? 1 : 0), last = c == rows_ - (bottomPorts_ ? 1 : 0);
    if (first) {
      reserved = in_.header;
      least = std::max(topPorts_ ? 0.0 : least, in_.topPad - in_.header);
    }
    if (last && !first) least = std::max(bottomPorts_ ? 0.0 : least, in_.pad);
    channelTop_[c] = y;
    channelHeight_[c] = reserved + std::max(least, tracks);
    trackTop_[c] = y + reserved + (channelHeight_[c] - reserved - (tracks_[c] - 1) * kTrackGap) / 2;
    y += channelHeight_[c];
    if (c < rows_) {
      rowTop_[c] = y;
      y += rowHeight_[c];
    }
  }
  out_.height = y;

  boxY_.resize(in_.items.size());
  for (size_t i = 0; i < in_.items.size(); ++i) {
    double slack = isBox(static_cast<int32_t>(i)) ? rowHeight_[row_[i]] - in_.items[i].size.h : 0;
    // Beside a tall group, a node stands next to what it is wired to.
    double share = hasAbove[i] == hasBelow[i] ? 0.5 : hasBelow[i] ? 1 : 0;
    boxY_[i] = rowTop_[row_[i]] + slack * share;
  }
}

double Level::trackY(const Bend& b) const {
  return trackTop_[b.channel] + b.track * kTrackGap;
}

void Level::push(Point p) {
  auto& points = out_.points;
  size_t n = points.size();
  if (n > routeStart_ && points[n - 1] == p) return;
  if (n > routeStart_ + 1) {
    const Point &a = points[n - 2], &b = points[n - 1];
    if ((a.x == b.x && b.x == p.x) || (a.y == b.y && b.y == p.y)) {
      points[n - 1] = p;
      return;
    }
  }
  points.push_back(p);
}

void Level::pushBend(const Bend& bend, double fromX, double toX, bool down) {
  if (options_.edgeStyle == EdgeStyle::RightAngle) {
    push({fromX, trackY(bend)});
    push({toX, trackY(bend)});
    return;
  }
  double top = channelTop_[bend.channel], bottom = top + channelHeight_[bend.channel];
  push({fromX, down ? top : bottom});
  push({toX, down ? bottom : top});
}

void Level::emitWires() {
  size_t nextBend = 0;
  for (size_t i = 0; i < in_.wires.size(); ++i) {
    if ((i & 1023) == 0) control_.poll();
    const FlowWire& w = in_.wires[i];
    routeStart_ = out_.points.size();
    out_.wireStart[i] = static_cast<uint32_t>(routeStart_);
    if (w.from == w.to) continue;
    bool down = sideOf(w) == 0;
    double dx = in_.pad - low_[down ? 0 : 1];
    auto height = [&](int32_t item) { return isBox(item) ? in_.items[item].size.h : 0; };
    push({outX(w) + dx, boxY_[w.from] + (down ? height(w.from) : 0)});
    if (viaLane(i)) {
      double lane = nets_[net_[i]].laneX + dx;
      pushBend(bends_[nextBend++], outX(w) + dx, lane, down);
      pushBend(bends_[nextBend++], lane, inX_[i] + dx, down);
    } else {
      double from = stopX(i, 0);
      for (int32_t k = 0; k < span_[i]; ++k) {
        double to = stopX(i, k + 1);
        if (std::abs(from - to) > kStraight) pushBend(bends_[nextBend++], from + dx, to + dx, down);
        from = to;
      }
    }
    push({inX_[i] + dx, boxY_[w.to] + (down ? 0 : height(w.to))});
  }
  out_.wireStart.back() = static_cast<uint32_t>(out_.points.size());
}

void Level::emitSideWires() {
  // Side wires took their bends after all flow wires, in order.
  size_t sideBends = 0;
  for (const SideWire& w : in_.sideWires) sideBends += std::isnan(w.itemY) || !isLastTowardsGutter(w.item);
  size_t nextBend = bends_.size() - sideBends;
  std::vector<Point> route;
  for (size_t i = 0; i < in_.sideWires.size(); ++i) {
    const SideWire& w = in_.sideWires[i];
    const LevelItem& item = in_.items[w.item];
    int s = item.side;
    double dx = in_.pad - low_[s], border = s == 0 ? out_.width[0] : 0;
    route.clear();  // from the item to the border
    if (std::isnan(w.itemY)) {
      double x = (w.exit ? centre(w.item) : sideInX_[i]) + dx, y = trackY(bends_[nextBend++]);
      bool below = (s == 0) == w.exit;
      route = {{x, boxY_[w.item] + (below ? item.size.h : 0)}, {x, y}, {border, y}};
    } else {
      double x = left(w.item) + dx + (s == 0 ? item.size.w : 0), y = boxY_[w.item] + w.itemY;
      if (isLastTowardsGutter(w.item)) {
        route = {{x, y}, {border, y}};
      } else {
        double turn =
            x + (s == 0 ? 1 : -1) * spacing_.mixed * (0.25 + 0.5 * static_cast<double>(w.net % 8) / 8);
        double trackAt = trackY(bends_[nextBend++]);
        route = {{x, y}, {turn, y}, {turn, trackAt}, {border, trackAt}};
      }
    }
    out_.sideY[i] = route.back().y;
    if (!w.exit) std::reverse(route.begin(), route.end());
    routeStart_ = out_.points.size();
    out_.sideStart[i] = static_cast<uint32_t>(routeStart_);
    for (Point p : route) push(p);
  }
  out_.sideStart.back() = static_cast<uint32_t>(out_.points.size());
}

LevelResult Level::run() {
  LapTimer timer;
  size_t wires = in_.wires.size();
  index_.assign(in_.items.size(), -1);
  out_.wireStart.assign(wires + 1, 0);
  out_.sideStart.assign(in_.sideWires.size() + 1, 0);
  out_.sideY.assign(in_.sideWires.size(), 0);
  out_.wireLane.assign(wires, 0);
  out_.wireBack.assign(wires, 0);
  LevelRows rows = assignRows(in_, stats_, control_);
  rows_ = rows.count;
  topPorts_ = rows.topPorts;
  bottomPorts_ = rows.bottomPorts;
  row_ = std::move(rows.row);
  buildNets();
  timer.lap(stats_.layeringMs);
  for (int s = 0; s < 2; ++s) buildGraph(s);
  timer.lap(stats_.layeringMs);
  for (int s = 0; s < 2; ++s) placeSide(s);

  double ignored = 0;
  timer.lap(ignored);
  for (int s = 0; s < 2; ++s) placeLanes(s);
  for (int s = 0; s < 2; ++s) {
    if (items_[s].empty()) continue;
    low_[s] -= in_.sideHeader;
    out_.width[s] = high_[s] - low_[s] + 2 * in_.pad;
  }
  placePorts();
  collectBends();
  tracks_ = assignTracks(bends_, rows_ + 1, control_);
  placeRows();
  emitWires();
  emitSideWires();
  out_.position.resize(in_.items.size());
  for (int32_t i = 0; i < static_cast<int32_t>(in_.items.size()); ++i) {
    int s = in_.items[i].side;
    double w = isBox(i) ? in_.items[i].size.w : 0;
    out_.position[i] = {centre(i) - w / 2 + in_.pad - low_[s], boxY_[i]};
  }
  out_.layer = std::move(row_);
  timer.lap(stats_.routingMs);
  return std::move(out_);
}

}  // namespace

LevelResult layOutLevel(const LevelInput& input, const Options& options, Stats& stats, Control& control) {
  return Level(input, options, stats, control).run();
}

}  // namespace descry::layout
