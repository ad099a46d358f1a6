// Minimum cut of a directed graph with capacities.
#pragma once

#include <cstdint>
#include <vector>

namespace descry::passes::partition {

class FlowNetwork {
 public:
  /// A capacity that is never cut.
  static constexpr int64_t kInfinite = INT64_MAX;

  struct Cut {
    int64_t value = 0;
    /// By vertex: can still reach the sink when the flow is greatest. Of all minimum cuts this is the one
    /// nearest to the sink, whatever the flow.
    std::vector<bool> sinkSide;
    /// A shortest path of infinite edges from source to sink; then there is no cut and the rest is empty.
    std::vector<uint32_t> infinitePath;
  };

  explicit FlowNetwork(uint32_t vertices) : vertices_(vertices) {}
  /// Edges without capacity and loops change nothing. When the finite capacities add up to more than 2^61,
  /// the greatest ones count as less.
  void addEdge(uint32_t from, uint32_t to, int64_t capacity);

  /// Merges what infinite edges tie to the source and to the sink, and solves each connected rest by itself
  /// with Dinic's algorithm. Cost: linear but for the rests, O(v * v * e) each at worst.
  Cut minimumCut(uint32_t source, uint32_t sink) const;

 private:
  struct Edge {
    uint32_t from, to;
    int64_t capacity;
  };
  uint32_t vertices_;
  std::vector<Edge> edges_;
};

}  // namespace descry::passes::partition
