// Facts about module groups.

#include "tests/layout/checks.h"
#include "tests/layout/sample_graphs.h"

#include "layout/hierarchy.h"
#include "layout/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace descry::layout {
namespace {

TEST(Groups, HoldTheirMembersWithPaddingAndHeader) {
  Input input;
  input.groups.push_back({});
  for (int i = 0; i < 3; ++i) samples::addNode(input, Phase::None, i == 1 ? 0 : -1);
  samples::addEdge(input, 0, 1);
  samples::addEdge(input, 1, 2);
  Options options;
  Output out = layoutGraph(input, options);
  checks::expectSound(input, options, out);
  EXPECT_GE(out.nodes[1].y - out.groups[0].y, options.groupHeader + options.groupPadding);
  EXPECT_GE(out.groups[0].bottom() - out.nodes[1].bottom(), options.groupPadding);
  EXPECT_GE(out.nodes[1].x - out.groups[0].x, options.groupPadding);
  // The wire runs straight through both borders.
  EXPECT_EQ(out.edges[0].pointCount, 2u);
  EXPECT_EQ(out.edges[1].pointCount, 2u);
}

// The title stands above the members on the screen, whichever way the values flow.
TEST(Groups, TitleHasRoomAboveWhenValuesFlowToTheRight) {
  for (const bool joint : {false, true}) {
    Options options;
    options.direction = Direction::LeftToRight;
    options.jointU = joint;
    const Input input = samples::transformerJoint(2, true);
    const Output out = layoutGraph(input, options);
    checks::expectSound(input, options, out);
    for (size_t v = 0; v < input.nodes.size(); ++v) {
      const int32_t group = input.nodes[v].group;
      if (group < 0) continue;
      for (const auto* groups : {&out.groups, &out.groupsBackward}) {
        const auto g = static_cast<size_t>(group);
        if (g >= groups->size() || !(*groups)[g].contains(out.nodes[v].center())) continue;
        EXPECT_GE(out.nodes[v].y - (*groups)[g].y, options.groupHeader + options.groupPadding - 0.01)
            << "node " << v << " joint " << joint;
      }
    }
  }
}

TEST(Groups, FoldedGroupIsOneBox) {
  Input input = samples::transformerJoint(2, true);
  input.groups[0].folded = true;
  Output out = layoutGraph(input);
  checks::expectSound(input, {}, out);
  EXPECT_DOUBLE_EQ(out.groups[0].w, input.groups[0].foldedSize.w);
  EXPECT_DOUBLE_EQ(out.groups[0].h, input.groups[0].foldedSize.h);
  for (size_t g = 0; g < input.groups.size(); ++g)
    if (input.groups[g].parent == 0) {
      EXPECT_TRUE(out.groups[g].empty());
    }
  for (size_t v = 0; v < input.nodes.size(); ++v) {
    auto around = checks::groupsAround(input, input.nodes[v].group);
    bool inside = std::find(around.begin(), around.end(), 0) != around.end();
    EXPECT_EQ(out.nodes[v].empty(), inside);
    EXPECT_EQ(out.layer[v] < 0, inside);
    if (inside) {
      EXPECT_TRUE(out.groups[0].contains({out.nodes[v].x, out.nodes[v].y}));
    }
  }
  for (size_t i = 0; i < input.edges.size(); ++i) {
    bool both = out.nodes[input.edges[i].from].empty() && out.nodes[input.edges[i].to].empty();
    EXPECT_EQ(out.edges[i].pointCount == 0, both);
  }
}

TEST(Groups, WithoutMembersAreNotDrawn) {
  Input input;
  input.groups.resize(3);
  input.groups[1].parent = 0;
  samples::addNode(input, Phase::None, 2);
  Output out = layoutGraph(input);
  EXPECT_TRUE(out.groups[0].empty());
  EXPECT_TRUE(out.groups[1].empty());
  EXPECT_FALSE(out.groups[2].empty());
}

TEST(Groups, ThatFormACycleAreLaidOutAnyway) {
  // Group 0 feeds group 1 and reads from it: no order of the two boxes suits both edges.
  Input input;
  input.groups.resize(2);
  for (int32_t g : {0, 1, 0}) samples::addNode(input, Phase::None, g);
  samples::addEdge(input, 0, 1);
  samples::addEdge(input, 1, 2);
  Output out = layoutGraph(input);
  checks::expectSound(input, {}, out);
  EXPECT_EQ(out.stats.backEdges, 1);
  EXPECT_TRUE(out.edges[1].back);
  EXPECT_FALSE(out.edges[0].back);
}

TEST(Groups, DeepNestingIsMergedNotFatal) {
  Input input;
  for (int32_t g = 0; g < 100000; ++g) input.groups.push_back({g - 1, false, {}});
  for (int32_t g : {5, 50, 70, 99999}) samples::addNode(input, Phase::None, g);
  for (uint32_t i = 0; i + 1 < 4; ++i) samples::addEdge(input, i, i + 1);
  Output out = layoutGraph(input);
  EXPECT_FALSE(out.groups[kMaxGroupDepth - 1].empty());
  EXPECT_TRUE(out.groups[kMaxGroupDepth].empty());
  EXPECT_EQ(checks::countOverlaps(out.nodes), 0);
}

TEST(GroupTree, CyclesAreCut) {
  std::vector<InputGroup> groups(4);
  groups[0].parent = 1;
  groups[1].parent = 2;
  groups[2].parent = 0;
  groups[3].parent = 3;
  GroupTree tree = buildGroupTree(groups);
  EXPECT_EQ(tree.parent, (std::vector<int32_t>{1, 2, -1, -1}));
  EXPECT_EQ(tree.depth, (std::vector<int32_t>{3, 2, 1, 1}));
}

}  // namespace
}  // namespace descry::layout
