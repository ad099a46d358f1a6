// Facts about the placement of nodes and edges in flat and joint graphs.

#include "tests/layout/checks.h"
#include "tests/layout/sample_graphs.h"

#include "layout/layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>

namespace descry::layout {
namespace {

using checks::expectSound;

TEST(Layout, EmptyGraph) {
  Output out = layoutGraph({});
  EXPECT_TRUE(out.nodes.empty());
  EXPECT_TRUE(out.bounds.empty());
  EXPECT_FALSE(out.cancelled);
}

TEST(Layout, SingleNodeStartsAtOrigin) {
  Input input;
  samples::addNode(input);
  Output out = layoutGraph(input);
  EXPECT_EQ(out.nodes[0], (Rect{0, 0, 90, 28}));
  EXPECT_EQ(out.bounds, (Rect{0, 0, 90, 28}));
  EXPECT_EQ(out.layer[0], 0);
}

TEST(Layout, ChainIsOneStraightLine) {
  Input input;
  for (int i = 0; i < 50; ++i) samples::addNode(input, Phase::None, -1, 40 + 13 * (i % 7));
  for (uint32_t i = 0; i + 1 < 50; ++i) samples::addEdge(input, i, i + 1);
  Output out = layoutGraph(input);
  expectSound(input, {}, out);
  for (size_t i = 0; i < 50; ++i) EXPECT_DOUBLE_EQ(out.nodes[i].center().x, out.nodes[0].center().x);
  for (const EdgeRoute& e : out.edges) EXPECT_EQ(e.pointCount, 2u);
}

// Each node is read by the next one and by one some steps further: the drawing must not wander off sideways.
TEST(Layout, ChainsWithSkipsStayAsNarrowAsTheyAre) {
  for (uint32_t skip : {2u, 3u, 4u, 7u, 12u}) {
    double widthOfFew = 0;
    for (uint32_t n : {60u, 2000u}) {
      Input input;
      for (uint32_t i = 0; i < n; ++i) samples::addNode(input);
      for (uint32_t i = 1; i < n; ++i) samples::addEdge(input, i - 1, i);
      for (uint32_t i = skip; i < n; ++i) samples::addEdge(input, i - skip, i);
      Output out = layoutGraph(input);
      expectSound(input, {}, out);
      if (n == 60)
        widthOfFew = out.bounds.w;
      else
        EXPECT_LT(out.bounds.w, widthOfFew * 1.5 + 50) << "skip " << skip;
    }
  }
}

// Blocks whose wires leave beside where they enter: a straight wire would move each block a little to the
// side.
TEST(Layout, BlocksStayBelowOneAnother) {
  double widthOfFew = 0;
  for (uint32_t blocks : {10u, 400u}) {
    Input input;
    uint32_t last = 0;
    samples::addNode(input);
    for (uint32_t b = 0; b < blocks; ++b) {
      const auto group = static_cast<int32_t>(input.groups.size());
      input.groups.push_back({});
      auto add = [&](int32_t g) {
        samples::addNode(input, Phase::None, g);
        return static_cast<uint32_t>(input.nodes.size() - 1);
      };
      const uint32_t weight = add(group), view = add(group), call = add(group), sum = add(-1);
      samples::addEdge(input, weight, view);
      samples::addEdge(input, view, call);
      samples::addEdge(input, last, call);
      samples::addEdge(input, call, sum);
      samples::addEdge(input, last, sum);
      last = sum;
    }
    Output out = layoutGraph(input);
    expectSound(input, {}, out);
    if (blocks == 10)
      widthOfFew = out.bounds.w;
    else
      EXPECT_LT(out.bounds.w, widthOfFew * 1.5 + 50);
  }
}

TEST(Layout, DiamondHasNoCrossingAndIsSymmetric) {
  Input input;
  for (int i = 0; i < 4; ++i) samples::addNode(input);
  for (auto [a, b] : {std::pair{0u, 1u}, {0u, 2u}, {1u, 3u}, {2u, 3u}}) samples::addEdge(input, a, b);
  Output out = layoutGraph(input);
  expectSound(input, {}, out);
  EXPECT_EQ(out.stats.crossings, 0);
  EXPECT_DOUBLE_EQ(out.nodes[0].center().x, out.nodes[3].center().x);
  EXPECT_DOUBLE_EQ(out.nodes[1].center().x + out.nodes[2].center().x, 2 * out.nodes[0].center().x);
}

TEST(Layout, TwistedPairIsUntwisted) {
  Input input;
  for (int i = 0; i < 4; ++i) samples::addNode(input);
  samples::addEdge(input, 0, 3);
  samples::addEdge(input, 1, 2);
  EXPECT_EQ(layoutGraph(input).stats.crossings, 0);
}

TEST(Layout, SourceStandsNextToItsReader) {
  // A parameter read only at the end of a chain does not belong at the top.
  Input input;
  for (int i = 0; i < 11; ++i) samples::addNode(input);
  for (uint32_t i = 0; i + 1 < 10; ++i) samples::addEdge(input, i, i + 1);
  samples::addEdge(input, 10, 9);
  Output out = layoutGraph(input);
  EXPECT_EQ(out.layer[10], out.layer[9] - 1);
}

TEST(Layout, LayersFollowEdges) {
  Input input = samples::randomGraph(500, 900, 0, 7);
  Output out = layoutGraph(input);
  for (const InputEdge& e : input.edges) {
    EXPECT_LT(out.layer[e.from], out.layer[e.to]);
    EXPECT_LT(out.nodes[e.from].bottom(), out.nodes[e.to].y);
  }
  EXPECT_EQ(out.stats.backEdges, 0);
}

TEST(Layout, ProgramOrderNeedNotBeTopological) {
  Input input;
  for (int i = 0; i < 30; ++i) samples::addNode(input);
  for (uint32_t i = 29; i > 0; --i) samples::addEdge(input, i, i - 1);
  Output out = layoutGraph(input);
  expectSound(input, {}, out);
  EXPECT_EQ(out.stats.backEdges, 0);
  EXPECT_EQ(out.layer[29], 0);
}

class RandomGraphs : public testing::TestWithParam<uint32_t> {};

TEST_P(RandomGraphs, AreSound) {
  uint32_t seed = GetParam(), n = 20 + 37 * seed % 400;
  for (uint32_t groups : {0u, n / 12})
    for (bool joint : {false, true})
      for (bool hostile : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << "n " << n << " groups " << groups << " joint " << joint << " hostile " << hostile);
        Input input = samples::randomGraph(n, n * (1 + seed % 3), groups, seed, hostile);
        Options options;
        options.jointU = joint;
        options.direction = seed % 2 ? Direction::LeftToRight : Direction::TopToBottom;
        options.edgeStyle = seed % 3 ? EdgeStyle::RightAngle : EdgeStyle::Straight;
        expectSound(input, options, layoutGraph(input, options));
      }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraphs, testing::Range(1u, 41u));

TEST(Layout, EdgesKeepClearOfNodes) {
  for (Input input :
       {samples::residualForward(400), samples::residualJoint(400), samples::transformerJoint(3, true),
        samples::randomGraph(300, 450, 0, 5), samples::randomGraph(300, 450, 20, 6)})
    for (bool joint : {false, true}) {
      Options options;
      options.jointU = joint;
      Output out = layoutGraph(input, options);
      expectSound(input, options, out);
      EXPECT_EQ(checks::countEdgesThroughNodes(input, out), 0) << "joint " << joint;
    }
}

TEST(Layout, LongEdgesTakeALane) {
  Input input;
  for (int i = 0; i < 40; ++i) samples::addNode(input);
  for (uint32_t i = 0; i + 1 < 40; ++i) samples::addEdge(input, i, i + 1);
  samples::addEdge(input, 0, 39);
  Output out = layoutGraph(input);
  expectSound(input, {}, out);
  EXPECT_TRUE(out.edges.back().lane);
  EXPECT_EQ(out.stats.laneEdges, 1);
  EXPECT_EQ(out.stats.dummies, 0);
  Options patient;
  patient.longEdgeLimit = 100;
  EXPECT_EQ(layoutGraph(input, patient).stats.dummies, 38);
}

TEST(Layout, ReadersOfOneValueShareBendPoints) {
  Input input;
  for (int i = 0; i < 10; ++i) samples::addNode(input);
  for (uint32_t i = 0; i + 1 < 10; ++i) samples::addEdge(input, i, i + 1);
  for (uint32_t i = 2; i < 10; ++i) samples::addEdge(input, 0, i);
  EXPECT_EQ(layoutGraph(input).stats.dummies, 8);
}

TEST(Layout, LeftToRightIsTheSamePictureTurned) {
  Input input = samples::residualForward(60), turned = input;
  for (InputNode& n : turned.nodes) std::swap(n.size.w, n.size.h);
  Options across;
  across.direction = Direction::LeftToRight;
  Output a = layoutGraph(input), b = layoutGraph(turned, across);
  for (size_t v = 0; v < input.nodes.size(); ++v) {
    EXPECT_DOUBLE_EQ(a.nodes[v].x, b.nodes[v].y);
    EXPECT_DOUBLE_EQ(a.nodes[v].y, b.nodes[v].x);
  }
}

TEST(Layout, SameInputSameOutput) {
  for (bool joint : {false, true}) {
    Options options;
    options.jointU = joint;
    Input input = samples::randomGraph(600, 900, 40, 11, true);
    Output a = layoutGraph(input, options), b = layoutGraph(input, options);
    EXPECT_EQ(a.nodes, b.nodes);
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.groups, b.groups);
    EXPECT_EQ(a.layer, b.layer);
  }
}

TEST(Layout, IsolatedNodesFormABlock) {
  Input input;
  for (int i = 0; i < 100; ++i) samples::addNode(input);
  Output out = layoutGraph(input);
  expectSound(input, {}, out);
  EXPECT_LE(out.bounds.w, 100 * 90 / 5);
}

void addPrevious(Input& input, const Output& out) {
  for (size_t v = 0; v < out.nodes.size(); ++v) {
    input.nodes[v].hasPrevious = true;
    input.nodes[v].previous = out.nodes[v].center();
  }
}

// Old nodes keep their x; rows may move a little, as edges between them bend elsewhere.
TEST(Stability, UnchangedGraphStays) {
  for (bool grouped : {false, true})
    for (bool joint : {false, true}) {
      Options options;
      options.jointU = joint;
      Input input = samples::transformerJoint(3, grouped);
      Output before = layoutGraph(input, options);
      addPrevious(input, before);
      Output after = layoutGraph(input, options);
      checks::expectSound(input, options, after);
      double movedX = 0, movedY = 0;
      for (size_t v = 0; v < input.nodes.size(); ++v) {
        movedX += std::abs(after.nodes[v].x - before.nodes[v].x);
        movedY += std::abs(after.nodes[v].y - before.nodes[v].y);
      }
      auto n = static_cast<double>(input.nodes.size());
      EXPECT_LT(movedX / n, 15.0) << "grouped " << grouped << " joint " << joint;
      EXPECT_LT(movedY / n, 40.0) << "grouped " << grouped << " joint " << joint;
    }
}

TEST(Stability, FewNewNodesMoveOthersLittle) {
  Input input = samples::randomGraph(400, 500, 0, 3);
  Output before = layoutGraph(input);
  addPrevious(input, before);
  std::mt19937 random(5);
  for (int i = 0; i < 8; ++i) {
    uint32_t v = samples::addNode(input);
    samples::addEdge(input, random() % 400, v);
  }
  Output after = layoutGraph(input);
  expectSound(input, {}, after);
  double moved = 0;
  for (size_t v = 0; v < 400; ++v) moved += std::abs(after.nodes[v].center().x - before.nodes[v].center().x);
  EXPECT_LT(moved / 400, 60.0);  // less than one node width

  Input fresh = input;
  for (InputNode& n : fresh.nodes) n.hasPrevious = false;
  Output unseeded = layoutGraph(fresh);
  double drift = 0;
  for (size_t v = 0; v < 400; ++v)
    drift += std::abs(unseeded.nodes[v].center().x - before.nodes[v].center().x);
  EXPECT_LT(moved, drift);
}

}  // namespace
}  // namespace descry::layout
