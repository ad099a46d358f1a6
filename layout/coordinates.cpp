#include "layout/coordinates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace descry::layout {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A thousand boxes whose wires leave a little beside where they enter would wander off sideways as one
// slanted line: beyond this, wires bend and the boxes stay below one another.
constexpr double kMostShift = 32;

// Vocabulary: a segment between two dummies is "inner". Nodes stacked on one vertical line are a "block",
// named by its first aligned node, the "root"; `shift` is a node's distance from its root when their ports,
// not their centres, are on one line.
struct Blocks {
  std::vector<int32_t> root;
  std::vector<double> shift;
};

// Edges that the eye follows: each end is the nearest item that the other is tied to on that side. They are
// drawn straight before all others. Were long edges first, each one would push the chain that it skips a step
// aside, and a thousand of them very far.
struct Chains {
  std::vector<int32_t> above, below;  // per node: its neighbour on a chain, or -1
};

Chains findChains(const LayeredGraph& graph) {
  int32_t n = graph.nodeCount();
  Chains chains{std::vector<int32_t>(n, -1), std::vector<int32_t>(n, -1)};
  // Edges of one source share dummies, which so branch away from it: to the top in the right half of a joint
  // drawing.
  bool up = false;
  for (int32_t d = graph.realCount; d < n && !up; ++d) up = graph.above(d).size() > 1;
  auto towardsSource = [&](int32_t v) { return up ? graph.below(v) : graph.above(v); };
  auto layerAt = [&](int32_t step) { return graph.nodesOf(up ? graph.layerCount() - 1 - step : step); };

  std::vector<int32_t> source(n, -1), length(n, 0);  // of dummies: item at the trunk's end, and steps to it
  struct Nearest {
    int32_t item = -1, via = -1, steps = std::numeric_limits<int32_t>::max();
    void offer(int32_t otherItem, int32_t otherVia, int32_t otherSteps) {
      if (otherSteps > steps) return;
      // Two equally near: neither is the one to follow.
      item = otherSteps < steps || item == otherItem ? otherItem : -1;
      via = otherVia;
      steps = otherSteps;
    }
  };
  std::vector<Nearest> feeds(n), reads(n);
  for (int32_t step = 1; step < graph.layerCount(); ++step)
    for (int32_t v : layerAt(step)) {
      for (const Neighbour& u : towardsSource(v)) {
        int32_t from = graph.isDummy(u.node) ? source[u.node] : u.node;
        int32_t steps = graph.isDummy(u.node) ? length[u.node] + 1 : 1;
        if (from < 0) continue;
        if (graph.isDummy(v)) {
          source[v] = from;
          length[v] = steps;
        } else {
          feeds[v].offer(from, u.node, steps);
          reads[from].offer(v, u.node, steps);
        }
      }
    }
  auto join = [&](int32_t near, int32_t far) {
    (up ? chains.below : chains.above)[far] = near;
    (up ? chains.above : chains.below)[near] = far;
  };
  for (int32_t v = 0; v < graph.realCount; ++v) {
    if (feeds[v].item < 0 || reads[feeds[v].item].item != v) continue;
    int32_t far = v, near = feeds[v].via;
    for (; graph.isDummy(near); far = near, near = towardsSource(near)[0].node) join(near, far);
    join(near, far);
  }
  return chains;
}

// Marks segments that cross one of a higher rank: they may not be straightened at its cost. First come
// chains, then segments between two dummies (inner ones; type 1 conflicts), then all others.
std::vector<uint8_t> markConflicts(const LayeredGraph& graph, const Chains& chains) {
  std::vector<uint8_t> conflict(graph.segments.size(), 0);
  // `enters`: where the segment of this rank that enters a node comes from, or -1.
  auto sweep = [&](auto enters, int32_t firstLayer) {
    for (int32_t l = firstLayer; l < graph.layerCount(); ++l) {
      auto nodes = graph.nodesOf(l);
      int32_t leftEnd = 0;
      size_t scanned = 0;
      for (size_t i = 0; i < nodes.size(); ++i) {
        int32_t from = enters(nodes[i]);
        // Two of one rank that cross: the first one stands.
        if (from >= 0 && graph.position[from] < leftEnd) from = -1;
        bool last = i + 1 == nodes.size();
        if (from < 0 && !last) continue;
        int32_t rightEnd = from >= 0 ? graph.position[from] : std::numeric_limits<int32_t>::max();
        for (; scanned <= i; ++scanned)
          for (const Neighbour& n : graph.above(nodes[scanned])) {
            int32_t p = graph.position[n.node];
            if (p < leftEnd || p > rightEnd) conflict[n.segment] = 1;
          }
        leftEnd = rightEnd;
      }
    }
  };
  sweep([&](int32_t v) { return chains.above[v]; }, 1);
  std::vector<uint8_t> byChains = conflict;
  sweep(
      [&](int32_t v) {
        int32_t from = graph.isDummy(v) ? graph.chainUp[v] : -1;
        if (from < 0) return from;
        for (const Neighbour& n : graph.above(v))
          if (n.node == from && byChains[n.segment]) return -1;
        return from;
      },
      2);
  // Chains stand above what the second sweep marked.
  for (int32_t v = 0; v < graph.nodeCount(); ++v)
    if (chains.above[v] >= 0)
      for (const Neighbour& n : graph.above(v))
        if (n.node == chains.above[v]) conflict[n.segment] = byChains[n.segment];
  return conflict;
}

Blocks align(const LayeredGraph& graph, const Chains& chains, const std::vector<uint8_t>& conflict,
             bool fromTop, bool fromLeft, const Control& control) {
  int32_t n = graph.nodeCount();
  Blocks blocks{std::vector<int32_t>(n), std::vector<double>(n, 0)};
  std::vector<uint8_t> continued(n, 0);  // has a node aligned to it on the far side already
  for (int32_t v = 0; v < n; ++v) blocks.root[v] = v;
  int32_t layers = graph.layerCount();
  for (int32_t step = 1; step < layers; ++step) {
    if ((step & 255) == 0) control.poll();
    auto nodes = graph.nodesOf(fromTop ? step : layers - 1 - step);
    int32_t limit = fromLeft ? -1 : std::numeric_limits<int32_t>::max();
    for (size_t k = 0; k < nodes.size(); ++k) {
      int32_t v = nodes[fromLeft ? k : nodes.size() - 1 - k];
      auto near = fromTop ? graph.above(v) : graph.below(v);
      if (near.empty()) continue;
      size_t first = (near.size() - 1) / 2, second = near.size() / 2;
      // A chain goes on straight, and so does a trunk of dummies, whatever else branches off here.
      int32_t straight = fromTop ? chains.above[v] : chains.below[v];
      if (straight < 0 && graph.isDummy(v)) straight = fromTop ? graph.chainUp[v] : graph.chainDown[v];
      for (size_t i = 0; straight >= 0 && i < near.size(); ++i)
        if (near[i].node == straight) first = second = i;
      if (!fromLeft) std::swap(first, second);
      for (size_t m : {first, second}) {
        const Neighbour& u = near[m];
        int32_t p = graph.position[u.node];
        int32_t promised = fromTop ? chains.below[u.node] : chains.above[u.node];
        if (promised >= 0 && promised != v) continue;
        if (conflict[u.segment] || continued[u.node] || (fromLeft ? p <= limit : p >= limit)) continue;
        continued[u.node] = 1;
        blocks.root[v] = blocks.root[u.node];
        blocks.shift[v] =
            std::clamp<double>(blocks.shift[u.node] + u.otherOffset - u.ownOffset, -kMostShift, kMostShift);
        limit = p;
        break;
      }
    }
  }
  return blocks;
}

// Places blocks as far left as they go (as far right when !fromLeft), then pulls each one back to its nearest
// neighbour on the other side, so that gaps open at the rim and not in the middle.
std::vector<double> compact(const LayeredGraph& graph, const Blocks& blocks, bool fromLeft,
                            const Spacing& spacing, const Control& control) {
  int32_t n = graph.nodeCount();
  struct Constraint {
    int32_t to;
    double distance;
  };
  std::vector<int32_t> start(n + 1, 0), waiting(n, 0);
  auto eachPair = [&](auto visit) {
    for (int32_t l = 0; l < graph.layerCount(); ++l) {
      auto nodes = graph.nodesOf(l);
      for (size_t i = 0; i + 1 < nodes.size(); ++i)
        fromLeft ? visit(nodes[i], nodes[i + 1], nodes[i], nodes[i + 1])
                 : visit(nodes[i + 1], nodes[i], nodes[i], nodes[i + 1]);
    }
  };
  eachPair([&](int32_t first, int32_t, int32_t, int32_t) { ++start[blocks.root[first] + 1]; });
  for (int32_t v = 0; v < n; ++v) start[v + 1] += start[v];
  std::vector<Constraint> constraints(start[n]);
  std::vector<int32_t> next(start.begin(), start.end() - 1);
  eachPair([&](int32_t first, int32_t second, int32_t left, int32_t right) {
    double distance = separation(graph, left, right, spacing) + blocks.shift[left] - blocks.shift[right];
    int32_t a = blocks.root[first], b = blocks.root[second];
    constraints[next[a]++] = {b, distance};
    ++waiting[b];
  });
  control.poll();

  // Mirrored for !fromLeft: x grows to the left there, and is turned round at the end.
  std::vector<double> x(n, 0);
  std::vector<int32_t> queue;
  queue.reserve(n);
  for (int32_t v = 0; v < n; ++v)
    if (blocks.root[v] == v && waiting[v] == 0) queue.push_back(v);
  for (size_t i = 0; i < queue.size(); ++i) {
    int32_t v = queue[i];
    for (int32_t k = start[v]; k < start[v + 1]; ++k) {
      x[constraints[k].to] = std::max(x[constraints[k].to], x[v] + constraints[k].distance);
      if (--waiting[constraints[k].to] == 0) queue.push_back(constraints[k].to);
    }
  }
  for (size_t i = queue.size(); i-- > 0;) {
    int32_t v = queue[i];
    double room = kInfinity;
    for (int32_t k = start[v]; k < start[v + 1]; ++k)
      room = std::min(room, x[constraints[k].to] - constraints[k].distance);
    if (room < kInfinity) x[v] = std::max(x[v], room);
  }
  std::vector<double> result(n);
  for (int32_t v = 0; v < n; ++v) {
    double rootX = x[blocks.root[v]];
    result[v] = (fromLeft ? rootX : -rootX) + blocks.shift[v];
  }
  return result;
}

struct Extent {
  double low = kInfinity, high = -kInfinity;
};

Extent extentOf(const LayeredGraph& graph, const std::vector<double>& x) {
  Extent e;
  for (int32_t v = 0; v < graph.nodeCount(); ++v) {
    e.low = std::min(e.low, x[v] - graph.width[v] / 2);
    e.high = std::max(e.high, x[v] + graph.width[v] / 2);
  }
  return e;
}

// Moves `x` towards the old positions. A node without one is moved by the mean move of its neighbours; this
// spreads down, then up.
void moveToSeed(const LayeredGraph& graph, const Spacing& spacing, std::vector<double>& x) {
  int32_t n = graph.nodeCount();
  std::vector<double> move(n, std::nan(""));
  std::vector<double> moves;
  for (int32_t v = 0; v < graph.realCount; ++v)
    if (!std::isnan(graph.seedX[v])) moves.push_back(move[v] = graph.seedX[v] - x[v]);
  if (moves.empty()) return;
  std::nth_element(moves.begin(), moves.begin() + static_cast<int64_t>(moves.size() / 2), moves.end());
  double common = moves[moves.size() / 2];
  auto known = [&](int32_t v) { return v < graph.realCount && !std::isnan(graph.seedX[v]); };
  for (int pass = 0; pass < 4; ++pass)
    for (size_t i = 0; i < graph.order.size(); ++i) {
      int32_t v = graph.order[pass % 2 ? graph.order.size() - 1 - i : i];
      if (known(v)) continue;
      double sum = 0;
      int count = 0;
      for (auto near : {graph.above(v), graph.below(v)})
        for (const Neighbour& m : near)
          if (!std::isnan(move[m.node])) sum += move[m.node], ++count;
      if (count) move[v] = sum / count;
    }

  // Pool adjacent violators on x minus the least distance to the layer's first node: there "no overlap" reads
  // "not descending".
  struct Pool {
    double sum, weight;
    size_t count;
  };
  std::vector<Pool> pools;
  std::vector<double> base;
  for (int32_t l = 0; l < graph.layerCount(); ++l) {
    auto nodes = graph.nodesOf(l);
    pools.clear();
    base.assign(nodes.size(), 0);
    for (size_t i = 0; i < nodes.size(); ++i) {
      int32_t v = nodes[i];
      if (i) base[i] = base[i - 1] + separation(graph, nodes[i - 1], v, spacing);
      double weight = known(v) ? 100 : 1;
      double wish = x[v] + (std::isnan(move[v]) ? common : move[v]) - base[i];
      pools.push_back({wish * weight, weight, 1});
      while (pools.size() > 1) {
        Pool& a = pools[pools.size() - 2];
        const Pool& b = pools.back();
        if (a.sum * b.weight <= b.sum * a.weight) break;
        a = {a.sum + b.sum, a.weight + b.weight, a.count + b.count};
        pools.pop_back();
      }
    }
    size_t i = 0;
    for (const Pool& pool : pools)
      for (size_t k = 0; k < pool.count; ++k, ++i) x[nodes[i]] = pool.sum / pool.weight + base[i];
  }
}

bool isSeeded(const LayeredGraph& graph) {
  int64_t known = 0;
  for (int32_t v = 0; v < graph.realCount && !graph.seedX.empty(); ++v) known += !std::isnan(graph.seedX[v]);
  return known * 2 > graph.realCount;
}

}  // namespace

double separation(const LayeredGraph& graph, int32_t a, int32_t b, const Spacing& spacing) {
  int dummies = graph.isDummy(a) + graph.isDummy(b);
  double gap = dummies == 0 ? spacing.nodes : dummies == 1 ? spacing.mixed : spacing.dummies;
  return (graph.width[a] + graph.width[b]) / 2 + gap;
}

std::vector<double> assignX(const LayeredGraph& graph, const Spacing& spacing, const Control& control) {
  int32_t n = graph.nodeCount();
  std::vector<double> x(n, 0);
  if (n == 0) return x;
  Chains chains = findChains(graph);
  std::vector<uint8_t> conflict = markConflicts(graph, chains);
  std::array<std::vector<double>, 4> candidate;
  std::array<Extent, 4> extent;
  size_t narrowest = 0;
  for (size_t c = 0; c < 4; ++c) {
    bool fromTop = c < 2, fromLeft = c % 2 == 0;
    candidate[c] = compact(graph, align(graph, chains, conflict, fromTop, fromLeft, control), fromLeft,
                           spacing, control);
    extent[c] = extentOf(graph, candidate[c]);
    if (extent[c].high - extent[c].low < extent[narrowest].high - extent[narrowest].low) narrowest = c;
    control.poll();
  }
  std::array<double, 4> move{};
  for (size_t c = 0; c < 4; ++c)
    move[c] = c % 2 == 0 ? extent[narrowest].low - extent[c].low : extent[narrowest].high - extent[c].high;
  for (int32_t v = 0; v < n; ++v) {
    std::array<double, 4> at;
    for (size_t c = 0; c < 4; ++c) at[c] = candidate[c][v] + move[c];
    std::sort(at.begin(), at.end());
    x[v] = (at[1] + at[2]) / 2;
  }
  if (isSeeded(graph)) moveToSeed(graph, spacing, x);

  // Rounding is the only thing left that could bring two nodes a hair too close.
  for (int32_t l = 0; l < graph.layerCount(); ++l) {
    auto nodes = graph.nodesOf(l);
    for (size_t i = 1; i < nodes.size(); ++i)
      x[nodes[i]] =
          std::max(x[nodes[i]], x[nodes[i - 1]] + separation(graph, nodes[i - 1], nodes[i], spacing));
  }
  return x;
}

}  // namespace descry::layout
