// Minimum cuts, compared with trying every cut.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "passes/partition/max_flow.h"

namespace {

using descry::passes::partition::FlowNetwork;

struct Edge {
  uint32_t from, to;
  int64_t capacity;
};

constexpr int64_t kInfinite = FlowNetwork::kInfinite;

/// What cutting between `sinkSide` (bits) and the rest costs; kInfinite when an infinite edge is cut.
int64_t costOf(const std::vector<Edge>& edges, uint32_t sinkSide) {
  int64_t cost = 0;
  for (const Edge& e : edges) {
    if ((sinkSide >> e.from & 1) || !(sinkSide >> e.to & 1) || e.from == e.to) continue;
    if (e.capacity == kInfinite) return kInfinite;
    cost += e.capacity;
  }
  return cost;
}

std::vector<Edge> randomEdges(std::mt19937& random, uint32_t vertices) {
  std::vector<Edge> edges(random() % (3 * vertices) + 1);
  for (Edge& e : edges) {
    e.from = random() % vertices;
    e.to = random() % vertices;
    e.capacity = random() % 4 == 0 ? kInfinite : static_cast<int64_t>(random() % 8);
  }
  return edges;
}

TEST(MaxFlow, FindsTheLeastCutNearestToTheSink) {
  constexpr uint32_t kSeed = 20250, kSource = 0, kSink = 1;
  std::mt19937 random(kSeed);
  int unbounded = 0, tied = 0;
  for (int round = 0; round < 10000; ++round) {
    const uint32_t vertices = 2 + random() % 7;
    const std::vector<Edge> edges = randomEdges(random, vertices);
    FlowNetwork network(vertices);
    for (const Edge& e : edges) network.addEdge(e.from, e.to, e.capacity);
    const FlowNetwork::Cut cut = network.minimumCut(kSource, kSink);

    int64_t least = kInfinite;
    uint32_t nearest = ~0u;  // least sink sides are closed under intersection
    int count = 0;
    for (uint32_t side = 0; side < 1u << vertices; ++side) {
      if ((side >> kSource & 1) || !(side >> kSink & 1)) continue;
      const int64_t cost = costOf(edges, side);
      if (cost > least) continue;
      if (cost < least) count = 0, nearest = ~0u;
      least = cost;
      if (cost != kInfinite) nearest &= side, ++count;
    }
    if (least == kInfinite) {
      ++unbounded;
      ASSERT_GE(cut.infinitePath.size(), 2u) << "round " << round;
      EXPECT_EQ(cut.infinitePath.front(), kSource);
      EXPECT_EQ(cut.infinitePath.back(), kSink);
      continue;
    }
    tied += count > 1;
    ASSERT_EQ(cut.value, least) << "round " << round;
    uint32_t side = 0;
    for (uint32_t v = 0; v < vertices; ++v) side |= static_cast<uint32_t>(cut.sinkSide[v]) << v;
    ASSERT_EQ(side, nearest) << "round " << round;
  }
  EXPECT_GT(unbounded, 500);
  EXPECT_GT(tied, 500);
}

TEST(MaxFlow, NamesAShortestInfinitePath) {
  FlowNetwork network(6);
  network.addEdge(0, 2, kInfinite);
  network.addEdge(2, 3, kInfinite);
  network.addEdge(3, 4, kInfinite);
  network.addEdge(4, 1, kInfinite);
  network.addEdge(2, 5, kInfinite);
  network.addEdge(5, 1, kInfinite);
  EXPECT_EQ(network.minimumCut(0, 1).infinitePath, (std::vector<uint32_t>{0, 2, 5, 1}));
}

TEST(MaxFlow, StaysWithin64Bits) {
  FlowNetwork network(3);
  for (int i = 0; i < 100; ++i) {
    network.addEdge(0, 2, int64_t{1} << 60);
    network.addEdge(2, 1, int64_t{1} << 59);
  }
  const FlowNetwork::Cut cut = network.minimumCut(0, 1);
  EXPECT_GT(cut.value, 0);
  EXPECT_FALSE(cut.sinkSide[0]);
}

}  // namespace
