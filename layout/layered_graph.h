// The graph that ordering and coordinates work on: every segment joins neighbouring layers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace descry::layout {

// A piece of an edge between two neighbouring layers. Offsets are those of its ends from the centre of each
// node.
struct Segment {
  int32_t upper = 0, lower = 0;
  float upperOffset = 0, lowerOffset = 0;
};

struct Neighbour {
  int32_t node = 0;
  int32_t segment = 0;
  float ownOffset = 0, otherOffset = 0;
};

// Nodes [0, realCount) are items; later ones are dummies: bend points of edges that pass a layer.
class LayeredGraph {
 public:
  int32_t realCount = 0;
  std::vector<int32_t> layer;
  std::vector<double> width;
  std::vector<int32_t> chainUp, chainDown;  // for a dummy, the neighbouring dummy of the same edge; else -1
  std::vector<double> seedX;                // x of the centre in the previous picture, or NaN; may be empty
  std::vector<Segment> segments;

  std::vector<int32_t> layerStart,
      order;  // the nodes of layer l from left to right: order[layerStart[l] .. layerStart[l + 1])
  std::vector<int32_t> position;  // index of each node within its layer

  int32_t nodeCount() const { return static_cast<int32_t>(layer.size()); }
  int32_t layerCount() const { return static_cast<int32_t>(layerStart.size()) - 1; }
  bool isDummy(int32_t v) const { return v >= realCount; }
  std::span<int32_t> nodesOf(int32_t l) {
    return {order.data() + layerStart[l], static_cast<size_t>(layerStart[l + 1] - layerStart[l])};
  }
  std::span<const int32_t> nodesOf(int32_t l) const {
    return {order.data() + layerStart[l], static_cast<size_t>(layerStart[l + 1] - layerStart[l])};
  }
  std::span<Neighbour> above(int32_t v) { return {up_.data() + upStart_[v], up_.data() + upStart_[v + 1]}; }
  std::span<Neighbour> below(int32_t v) {
    return {down_.data() + downStart_[v], down_.data() + downStart_[v + 1]};
  }
  std::span<const Neighbour> above(int32_t v) const {
    return {up_.data() + upStart_[v], up_.data() + upStart_[v + 1]};
  }
  std::span<const Neighbour> below(int32_t v) const {
    return {down_.data() + downStart_[v], down_.data() + downStart_[v + 1]};
  }

  // Builds adjacency from `segments` and puts the nodes of each layer in id order. O(n + segments).
  void finish(int32_t layerCount);
  // Refreshes `position` of one layer after its order changed.
  void renumber(int32_t l) {
    auto nodes = nodesOf(l);
    for (size_t i = 0; i < nodes.size(); ++i) position[nodes[i]] = static_cast<int32_t>(i);
  }
  // Sorts all neighbour lists from left to right. O(segments) by walking layers in order.
  void sortNeighbours();

 private:
  std::vector<int32_t> upStart_, downStart_;
  std::vector<Neighbour> up_, down_;
};

}  // namespace descry::layout
