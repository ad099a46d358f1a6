#include "layout/ordering.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace descry::layout {
namespace {

constexpr size_t kExchangeSegments =
    60000;  // neighbour exchange is for graphs whose crossings a person can still see
constexpr int kExchangeRounds = 4;

// Reused between layers so that many small layers cost no allocations.
struct Scratch {
  std::vector<std::pair<double, int32_t>> keyed;
  std::vector<int32_t> slots, ends, tree;
};

double portFraction(const LayeredGraph& graph, const Neighbour& n) {
  double w = graph.width[n.node];
  return w > 0 ? n.otherOffset / (w + 1) : 0;
}

// Sorts one layer by the mean position of its neighbours on one side. Nodes without any keep their slots.
void sortByBarycentre(LayeredGraph& graph, int32_t l, bool useAbove, bool tiesReversed, Scratch& s) {
  auto nodes = graph.nodesOf(l);
  s.keyed.clear();
  s.slots.clear();
  for (size_t i = 0; i < nodes.size(); ++i) {
    int32_t v = nodes[i];
    auto near = useAbove ? graph.above(v) : graph.below(v);
    if (near.empty()) continue;
    double sum = 0;
    for (const Neighbour& n : near)
      sum += graph.position[n.node] + portFraction(graph, n) - n.ownOffset * 1e-6;
    s.keyed.emplace_back(sum / static_cast<double>(near.size()), v);
    s.slots.push_back(static_cast<int32_t>(i));
  }
  if (tiesReversed) std::reverse(s.keyed.begin(), s.keyed.end());
  std::stable_sort(s.keyed.begin(), s.keyed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t k = 0; k < s.slots.size(); ++k) nodes[s.slots[k]] = s.keyed[k].second;
  graph.renumber(l);
}

int64_t crossingsBelow(const LayeredGraph& graph, int32_t l, Scratch& s) {
  s.ends.clear();
  for (int32_t v : graph.nodesOf(l)) {
    auto first = static_cast<int64_t>(s.ends.size());
    for (const Neighbour& n : graph.below(v)) s.ends.push_back(graph.position[n.node]);
    std::sort(s.ends.begin() + first, s.ends.end());
  }
  auto size = static_cast<int32_t>(graph.nodesOf(l + 1).size());
  s.tree.assign(size + 1, 0);
  int64_t crossings = 0, seen = 0;
  for (int32_t end : s.ends) {
    int64_t notRight = 0;
    for (int32_t i = end + 1; i > 0; i -= i & -i) notRight += s.tree[i];
    crossings += seen++ - notRight;
    for (int32_t i = end + 1; i <= size; i += i & -i) ++s.tree[i];
  }
  return crossings;
}

int64_t countAll(const LayeredGraph& graph, const Control& control, Scratch& s) {
  int64_t sum = 0;
  for (int32_t l = 0; l + 1 < graph.layerCount(); ++l) {
    if ((l & 63) == 0) control.poll();
    sum += crossingsBelow(graph, l, s);
  }
  return sum;
}

// Crossings among the segments of a and b on one side, when a is left of b; lists sorted by position.
int64_t pairCrossings(const LayeredGraph& graph, std::span<const Neighbour> a, std::span<const Neighbour> b) {
  int64_t crossings = 0;
  size_t j = 0;
  for (const Neighbour& n : a) {
    while (j < b.size() && graph.position[b[j].node] < graph.position[n.node]) ++j;
    crossings += static_cast<int64_t>(j);
  }
  return crossings;
}

void sortNear(const LayeredGraph& graph, std::span<Neighbour> near) {
  std::sort(near.begin(), near.end(), [&](const Neighbour& a, const Neighbour& b) {
    if (a.node != b.node) return graph.position[a.node] < graph.position[b.node];
    return a.segment < b.segment;
  });
}

// Exchanges neighbours in a layer while that removes crossings; returns the crossings removed. With
// `keepOld`, two nodes that were in the previous picture are never exchanged.
int64_t exchangeNeighbours(LayeredGraph& graph, bool keepOld, const Control& control) {
  auto isOld = [&](int32_t v) { return keepOld && v < graph.realCount && !std::isnan(graph.seedX[v]); };
  int64_t gained = 0;
  for (int round = 0; round < kExchangeRounds; ++round) {
    int64_t gainedNow = 0;
    for (int32_t l = 0; l < graph.layerCount(); ++l) {
      if ((l & 63) == 0) control.poll();
      auto nodes = graph.nodesOf(l);
      for (int32_t v : nodes) {
        sortNear(graph, graph.above(v));
        sortNear(graph, graph.below(v));
      }
      for (size_t i = 0; i + 1 < nodes.size(); ++i) {
        int32_t a = nodes[i], b = nodes[i + 1];
        if (isOld(a) && isOld(b)) continue;
        int64_t now = pairCrossings(graph, graph.above(a), graph.above(b)) +
                      pairCrossings(graph, graph.below(a), graph.below(b));
        if (now == 0) continue;
        int64_t then = pairCrossings(graph, graph.above(b), graph.above(a)) +
                       pairCrossings(graph, graph.below(b), graph.below(a));
        if (then >= now) continue;
        std::swap(nodes[i], nodes[i + 1]);
        gainedNow += now - then;
      }
      graph.renumber(l);
    }
    gained += gainedNow;
    if (gainedNow == 0 || control.overBudget()) break;
  }
  return gained;
}

bool isSeeded(const LayeredGraph& graph) {
  if (graph.seedX.empty()) return false;
  int64_t known = 0;
  for (int32_t v = 0; v < graph.realCount; ++v) known += !std::isnan(graph.seedX[v]);
  return known * 2 > graph.realCount;
}

// Old nodes sort by their old x. The others settle at the mean x of their neighbours, over a few sweeps.
void orderBySeed(LayeredGraph& graph, const Control& control, Scratch& s) {
  int32_t n = graph.nodeCount();
  std::vector<double> x(graph.seedX.begin(), graph.seedX.end());
  x.resize(n, std::nan(""));
  auto settle = [&](int32_t l) {
    for (int32_t v : graph.nodesOf(l)) {
      if (v < static_cast<int32_t>(graph.seedX.size()) && !std::isnan(graph.seedX[v])) continue;
      double sum = 0;
      int count = 0;
      for (auto near : {graph.above(v), graph.below(v)})
        for (const Neighbour& m : near)
          if (!std::isnan(x[m.node])) sum += x[m.node] + m.otherOffset - m.ownOffset, ++count;
      if (count) x[v] = sum / count;
    }
  };
  for (int sweep = 0; sweep < 4; ++sweep) {
    control.poll();
    for (int32_t i = 0; i < graph.layerCount(); ++i) settle(sweep % 2 ? graph.layerCount() - 1 - i : i);
  }
  for (int32_t l = 0; l < graph.layerCount(); ++l) {
    auto nodes = graph.nodesOf(l);
    s.keyed.clear();
    double last = 0;
    for (int32_t v : nodes) {
      if (!std::isnan(x[v])) last = x[v];
      s.keyed.emplace_back(last,
                           v);  // a node with no known neighbour stays beside its neighbour in program order
    }
    std::stable_sort(s.keyed.begin(), s.keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < nodes.size(); ++i) nodes[i] = s.keyed[i].second;
    graph.renumber(l);
  }
}

}  // namespace

int64_t countCrossings(const LayeredGraph& graph, const Control& control) {
  Scratch scratch;
  return countAll(graph, control, scratch);
}

int64_t orderLayers(LayeredGraph& graph, int sweeps, const Control& control) {
  Scratch scratch;
  bool mayExchange = sweeps > 0 && graph.segments.size() <= kExchangeSegments;
  if (graph.layerCount() < 2 || graph.segments.empty()) {
    if (isSeeded(graph)) orderBySeed(graph, control, scratch);
    return 0;
  }
  if (isSeeded(graph)) {
    orderBySeed(graph, control, scratch);
    int64_t crossings = countAll(graph, control, scratch);
    return crossings > 0 && mayExchange ? crossings - exchangeNeighbours(graph, true, control) : crossings;
  }

  int64_t best = countAll(graph, control, scratch);
  std::vector<int32_t> bestOrder = graph.order;
  int withoutGain = 0;
  for (int sweep = 0; sweep < sweeps && best > 0 && withoutGain < 3 && !control.overBudget(); ++sweep) {
    bool down = sweep % 2 == 0, tiesReversed = sweep % 4 >= 2;
    for (int32_t i = 1; i < graph.layerCount(); ++i) {
      if ((i & 63) == 0) control.poll();
      sortByBarycentre(graph, down ? i : graph.layerCount() - 1 - i, down, tiesReversed, scratch);
    }
    int64_t crossings = countAll(graph, control, scratch);
    if (crossings < best) {
      best = crossings;
      bestOrder = graph.order;
      withoutGain = 0;
    } else {
      ++withoutGain;
    }
  }
  graph.order = std::move(bestOrder);
  for (int32_t l = 0; l < graph.layerCount(); ++l) graph.renumber(l);
  return best > 0 && mayExchange && !control.overBudget() ? best - exchangeNeighbours(graph, false, control)
                                                          : best;
}

}  // namespace descry::layout
