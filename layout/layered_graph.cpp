#include "layout/layered_graph.h"

#include <numeric>

namespace descry::layout {

void LayeredGraph::finish(int32_t layers) {
  int32_t n = nodeCount();
  layerStart.assign(layers + 1, 0);
  for (int32_t l : layer) ++layerStart[l + 1];
  std::partial_sum(layerStart.begin(), layerStart.end(), layerStart.begin());
  order.resize(n);
  position.resize(n);
  std::vector<int32_t> next(layerStart.begin(), layerStart.end() - 1);
  for (int32_t v = 0; v < n; ++v) {
    position[v] = next[layer[v]] - layerStart[layer[v]];
    order[next[layer[v]]++] = v;
  }

  upStart_.assign(n + 1, 0);
  downStart_.assign(n + 1, 0);
  for (const Segment& s : segments) {
    ++upStart_[s.lower + 1];
    ++downStart_[s.upper + 1];
  }
  std::partial_sum(upStart_.begin(), upStart_.end(), upStart_.begin());
  std::partial_sum(downStart_.begin(), downStart_.end(), downStart_.begin());
  up_.resize(segments.size());
  down_.resize(segments.size());
  std::vector<int32_t> nextUp(upStart_.begin(), upStart_.end() - 1),
      nextDown(downStart_.begin(), downStart_.end() - 1);
  for (size_t i = 0; i < segments.size(); ++i) {
    const Segment& s = segments[i];
    auto id = static_cast<int32_t>(i);
    up_[nextUp[s.lower]++] = {s.upper, id, s.lowerOffset, s.upperOffset};
    down_[nextDown[s.upper]++] = {s.lower, id, s.upperOffset, s.lowerOffset};
  }
}

void LayeredGraph::sortNeighbours() {
  // Visiting the far ends from left to right appends to each list in sorted order: no comparison sort needed.
  std::vector<int32_t> nextUp(upStart_.begin(), upStart_.end() - 1),
      nextDown(downStart_.begin(), downStart_.end() - 1);
  std::vector<Neighbour> up(up_.size()), down(down_.size());
  for (int32_t v : order) {
    for (const Neighbour& n : below(v)) up[nextUp[n.node]++] = {v, n.segment, n.otherOffset, n.ownOffset};
    for (const Neighbour& n : above(v)) down[nextDown[n.node]++] = {v, n.segment, n.otherOffset, n.ownOffset};
  }
  up_ = std::move(up);
  down_ = std::move(down);
}

}  // namespace descry::layout
