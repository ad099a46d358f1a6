#include "layout/layering.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace descry::layout {
namespace {

// Compressed adjacency: targets of item v are at[start[v] .. start[v + 1]).
struct Adjacency {
  std::vector<int32_t> start, at;

  template <typename Key>
  Adjacency(int32_t itemCount, std::span<const Arc> arcs, Key key)
      : start(itemCount + 1, 0), at(arcs.size()) {
    for (const Arc& arc : arcs) ++start[key(arc) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<int32_t> next(start.begin(), start.end() - 1);
    for (size_t i = 0; i < arcs.size(); ++i) at[next[key(arcs[i])]++] = static_cast<int32_t>(i);
  }
};

}  // namespace

Ranking rankItems(int32_t itemCount, std::span<const Arc> arcs, const Control& control) {
  Ranking result;
  result.reversed.assign(arcs.size(), 0);
  result.order.resize(itemCount);
  bool inOrder = std::all_of(arcs.begin(), arcs.end(), [](const Arc& a) { return a.from < a.to; });
  if (inOrder) {
    std::iota(result.order.begin(), result.order.end(), 0);
    return result;
  }

  Adjacency out(itemCount, arcs, [](const Arc& a) { return a.from; });
  std::vector<int32_t> waiting(itemCount, 0);
  for (const Arc& arc : arcs)
    if (arc.from != arc.to) ++waiting[arc.to];
  std::priority_queue<int32_t, std::vector<int32_t>, std::greater<>> ready;
  for (int32_t v = 0; v < itemCount; ++v)
    if (waiting[v] == 0) ready.push(v);

  std::vector<int32_t> place(itemCount, -1);
  int32_t placed = 0, firstLeft = 0;
  while (placed < itemCount) {
    if ((placed & 1023) == 0) control.poll();
    int32_t v;
    if (!ready.empty()) {
      v = ready.top();
      ready.pop();
      if (place[v] >= 0) continue;  // was taken early, to break a cycle
    } else {
      while (place[firstLeft] >= 0) ++firstLeft;
      v = firstLeft;
    }
    place[v] = placed;
    result.order[placed++] = v;
    for (int32_t k = out.start[v]; k < out.start[v + 1]; ++k) {
      int32_t w = arcs[out.at[k]].to;
      if (w != v && --waiting[w] == 0 && place[w] < 0) ready.push(w);
    }
  }
  for (size_t i = 0; i < arcs.size(); ++i) result.reversed[i] = place[arcs[i].from] >= place[arcs[i].to];
  return result;
}

std::vector<int32_t> assignLayers(int32_t itemCount, std::span<const Arc> arcs,
                                  std::span<const int32_t> order, std::span<const int32_t> pullUp,
                                  std::span<const int32_t> pullDown) {
  Adjacency out(itemCount, arcs, [](const Arc& a) { return a.from; });
  std::vector<int32_t> layer(itemCount, 0), inDegree(itemCount, 0);
  for (const Arc& arc : arcs)
    if (!arc.weak) ++inDegree[arc.to];
  if (!pullUp.empty())
    for (int32_t v = 0; v < itemCount; ++v) inDegree[v] += pullUp[v];

  for (int32_t v : order)
    for (int32_t k = out.start[v]; k < out.start[v + 1]; ++k) {
      int32_t& below = layer[arcs[out.at[k]].to];
      below = std::max(below, layer[v] + 1);
    }

  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    int32_t v = *it, nearest = INT32_MAX, outDegree = pullDown.empty() ? 0 : pullDown[v];
    for (int32_t k = out.start[v]; k < out.start[v + 1]; ++k) {
      const Arc& arc = arcs[out.at[k]];
      nearest = std::min(nearest, layer[arc.to]);
      outDegree += !arc.weak;
    }
    // A tie moves down too: it costs nothing here, and lets what feeds this item follow.
    if (nearest != INT32_MAX && outDegree >= inDegree[v]) layer[v] = nearest - 1;
  }

  // Tightening may have emptied the first layers.
  if (itemCount > 0) {
    int32_t first = *std::min_element(layer.begin(), layer.end());
    for (int32_t& l : layer) l -= first;
  }
  return layer;
}

}  // namespace descry::layout
