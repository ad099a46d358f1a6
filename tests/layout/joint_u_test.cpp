// Facts about the joint U picture.

#include "tests/layout/checks.h"
#include "tests/layout/sample_graphs.h"

#include "layout/joint_u.h"
#include "layout/layout.h"

#include <gtest/gtest.h>

namespace descry::layout {
namespace {

Options jointOptions() {
  Options options;
  options.jointU = true;
  return options;
}

TEST(JointU, ForwardRunsDownLeftAndBackwardUpRight) {
  for (Input input : {samples::residualJoint(300), samples::transformerJoint(2, false)}) {
    Output out = layoutGraph(input, jointOptions());
    checks::expectSound(input, jointOptions(), out);
    ASSERT_FALSE(out.gutter.empty());
    for (size_t v = 0; v < input.nodes.size(); ++v) {
      if (input.nodes[v].phase == Phase::Forward) {
        EXPECT_LE(out.nodes[v].right(), out.gutter.x + 1e-3);
      } else {
        EXPECT_GE(out.nodes[v].x, out.gutter.right() - 1e-3);
      }
    }
    for (size_t i = 0; i < input.edges.size(); ++i) {
      const InputEdge& e = input.edges[i];
      bool from = input.nodes[e.from].phase == Phase::Backward,
           to = input.nodes[e.to].phase == Phase::Backward;
      EXPECT_EQ(out.edges[i].gutter, from != to);
      if (!from && !to) {
        EXPECT_LT(out.nodes[e.from].bottom(), out.nodes[e.to].y);
      }
      if (from && to) {
        EXPECT_GT(out.nodes[e.from].y, out.nodes[e.to].bottom());
      }
    }
  }
}

TEST(JointU, TwinsOfAMirroredChainShareRows) {
  Input input;
  for (int i = 0; i < 20; ++i) samples::addNode(input, Phase::Forward);
  for (int i = 0; i < 20; ++i) {
    uint32_t b = samples::addNode(input, Phase::Backward);
    input.nodes[b].twin = 19 - i;
  }
  for (uint32_t i = 0; i + 1 < 20; ++i) {
    samples::addEdge(input, i, i + 1);
    samples::addEdge(input, 20 + i, 21 + i);
    samples::addEdge(input, i, 39 - i, true);
  }
  Output out = layoutGraph(input, jointOptions());
  EXPECT_EQ(out.stats.twinsAligned, 20);
  for (size_t i = 0; i < 20; ++i) EXPECT_DOUBLE_EQ(out.nodes[i].y, out.nodes[39 - i].y);
  // A saved value of a twin crosses the gutter on one level.
  for (size_t i = 0; i < input.edges.size(); ++i) {
    if (!out.edges[i].gutter) continue;
    EXPECT_EQ(out.edges[i].pointCount, 4u);
    EXPECT_DOUBLE_EQ(out.points[out.edges[i].firstPoint + 1].y, out.points[out.edges[i].firstPoint + 2].y);
  }
}

TEST(JointU, TwinsThatContradictEachOtherDoNotHarm) {
  // Backward in the same order as forward: only one pair can share a row.
  Input input;
  for (int i = 0; i < 10; ++i) samples::addNode(input, Phase::Forward);
  for (int i = 0; i < 10; ++i) {
    uint32_t b = samples::addNode(input, Phase::Backward);
    input.nodes[b].twin = i;
  }
  for (uint32_t i = 0; i + 1 < 10; ++i) {
    samples::addEdge(input, i, i + 1);
    samples::addEdge(input, 10 + i, 11 + i);
  }
  Output out = layoutGraph(input, jointOptions());
  checks::expectSound(input, jointOptions(), out);
  EXPECT_EQ(out.stats.twinsAligned, 1);
}

TEST(JointU, HalvesOfASharedGroupFaceEachOther) {
  Input input = samples::transformerJoint(2, true, true);
  Output out = layoutGraph(input, jointOptions());
  checks::expectSound(input, jointOptions(), out);
  for (size_t g = 0; g < input.groups.size(); ++g) {
    ASSERT_FALSE(out.groupsBackward[g].empty());
    EXPECT_DOUBLE_EQ(out.groups[g].y, out.groupsBackward[g].y);
    EXPECT_DOUBLE_EQ(out.groups[g].h, out.groupsBackward[g].h);
  }
}

TEST(JointU, GraphWithoutBackwardHasNoGutter) {
  Input input = samples::residualForward(50);
  Output out = layoutGraph(input, jointOptions());
  checks::expectSound(input, jointOptions(), out);
  EXPECT_TRUE(out.gutter.empty());
}

TEST(JointRows, KeepTheLongestMonotoneSetOfTwins) {
  // Left chain 0-1-2, right chain (pointing down) 3-4-5; pairs 0-4, 1-3, 2-5: two of them agree.
  std::vector<uint8_t> side{0, 0, 0, 1, 1, 1};
  std::vector<Arc> arcs{{0, 1}, {1, 2}, {3, 4}, {4, 5}};
  std::vector<int32_t> order{0, 1, 2, 3, 4, 5};
  std::vector<TwinPair> twins{{0, 4}, {1, 3}, {2, 5}};
  JointRows rows = assignJointRows(side, arcs, order, twins, {}, {});
  EXPECT_EQ(rows.twinsAligned, 2);
  EXPECT_EQ(rows.row[2], rows.row[5]);
  for (const Arc& a : arcs) EXPECT_LT(rows.row[a.from], rows.row[a.to]);
}

}  // namespace
}  // namespace descry::layout
