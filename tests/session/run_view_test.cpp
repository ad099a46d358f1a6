// A run as the inspector looks at it.
#include "session/run_view.h"

#include <gtest/gtest.h>

#include <cmath>

#include "session/run_compare.h"

namespace descry::session {
namespace {

RunPtr ran(const char* graph, RunRequest request) {
  const auto document =
      *Document::open(std::string(DESCRY_SOURCE_DIR) + "/samples/traces/transformer_block.log");
  const auto loaded = *document->graph(graph);
  request.statistics = true;
  const auto result = runGraph(*document, loaded, request);
  EXPECT_TRUE(result.ok());
  return *result;
}

TEST(RunView, SeveralStepsOfANodeAddUp) {
  RunRequest request;
  request.backward = true;
  request.time = true;
  request.runs = 4;
  const RunPtr run = ran("0/0:dynamo", request);
  const RunView view = viewOf(run, 1);
  EXPECT_EQ(view.sum.runs, 3u);
  EXPECT_EQ(view.whole.runs, 3u);
  // Every node that was run counts once: for its node, or elsewhere.
  std::vector<int> counted(run->nodes.size(), 0);
  for (const NodeView& n : view.nodes) {
    for (const uint32_t p : n.parts) ++counted[p];
    if (n.own) {
      EXPECT_NE(std::find(n.parts.begin(), n.parts.end(), *n.own), n.parts.end());
      EXPECT_EQ(n.type, run->nodes[*n.own].type);
    }
  }
  for (size_t i = 0; i < counted.size(); ++i)
    EXPECT_EQ(counted[i], originOf(*run, run->nodes[i].node).valid() ? 1 : 0) << i;
  // The value of a layer is that of its last step in the forward, not of its gradient.
  const NodeView* linear = view.find(run->graph->graph->find("linear"));
  ASSERT_NE(linear, nullptr);
  EXPECT_EQ(linear->type, "f32[1, 4, 24]");
  EXPECT_EQ(linear->bytes, 4 * 24 * 4);
  // Inputs are there without times.
  const NodeView* input = view.find(run->graph->graph->find("l_x_"));
  ASSERT_NE(input, nullptr);
  EXPECT_TRUE(input->input);
  EXPECT_EQ(input->time.runs, 0u);
  EXPECT_EQ(viewOf(run, 9).sum.runs, 0u) << "all of them warm up";
}

TEST(RunView, TreesHoldAllTheTime) {
  RunRequest request;
  request.time = true;
  request.runs = 2;
  const RunView view = viewOf(ran("0/0:dynamo", request), 1);
  double sum = 0;
  size_t nodes = 0;
  for (const NodeView& n : view.nodes) {
    sum += n.forward + n.backward;
    nodes += n.time.runs > 0;
  }
  for (const TimeTree& tree : {timesByModule(view), timesByOp(view)}) {
    EXPECT_DOUBLE_EQ(tree.items[0].seconds, sum);
    size_t held = 0;
    for (size_t i = 0; i < tree.items.size(); ++i) {
      held += tree.items[i].nodes.size();
      EXPECT_LT(tree.items[i].parent, static_cast<int32_t>(i));
    }
    EXPECT_EQ(held, nodes);
  }
}

TEST(RunInputs, RandomNumbersKeepToARange) {
  RunRequest request;
  request.inputs = "random:3:-2..-0.5";
  const RunPtr made = ran("0/0:dynamo", request);
  for (const NodeRun& input : made->inputs) {
    ASSERT_TRUE(input.statistics);
    EXPECT_GE(input.statistics->min, -2);
    EXPECT_LT(input.statistics->max, -0.5);
    if (input.statistics->count > 20) {
      EXPECT_GT(input.statistics->std, 0.2);
    }
  }
  const auto document = *Document::open(std::string(DESCRY_SOURCE_DIR) + "/samples/graphs/naive_loss.txt");
  const auto loaded = *document->graph("");
  request.statistics = true;
  request.inputs = "random:3:2..4";
  const auto run = runGraph(*document, loaded, request);
  ASSERT_TRUE(run.ok());
  const NodeRun& target = (*run)->inputs.back();
  EXPECT_EQ(target.type, "i64[8]");
  EXPECT_GE(target.statistics->min, 2);
  EXPECT_LE(target.statistics->max, 4);
  for (const char* wrong :
       {"random:3:", "random:3:1", "random:3:2..1", "random:3:a..b", "random:3:0..inf", "random:3:0..1x"}) {
    request.inputs = wrong;
    const auto refused = runGraph(*document, loaded, request);
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_EQ(refused.error().code, "bad-inputs");
  }
}

TEST(RunView, WordsForSeconds) {
  EXPECT_EQ(secondsText(1.5), "1.50 s");
  EXPECT_EQ(secondsText(0.01234), "12.3 ms");
  EXPECT_EQ(secondsText(1.234e-4), "123 \u00B5s");
  EXPECT_EQ(secondsText(5e-9), "5.00 ns");
  EXPECT_EQ(spreadText(quartilesOf({1, 2, 3})), "2.00 s (1.00 s to 3.00 s, 3 runs)");
  EXPECT_EQ(spreadText({}), "");
  EXPECT_EQ(quartilesOf({}).runs, 0u);
}

TEST(RunView, HeatIsOnItsScale) {
  RunRequest request;
  request.time = true;
  request.runs = 3;
  const RunView view = viewOf(ran("0/0:joint", request), 1);
  for (const HeatOptions options : {HeatOptions{true, true}, HeatOptions{false, false}}) {
    const ir::Heat heat = timeHeat(view, options);
    for (size_t i = 1; i < view.nodes.size(); ++i) {
      const NodeView &a = view.nodes[i - 1], &b = view.nodes[i];
      if (!a.time.runs || !b.time.runs) continue;
      // Slower is never darker.
      if (a.time.median < b.time.median) {
        EXPECT_LE(heat.placeOf(a.node), heat.placeOf(b.node));
      }
      if (a.time.median > b.time.median) {
        EXPECT_GE(heat.placeOf(a.node), heat.placeOf(b.node));
      }
    }
  }
  const ir::Heat numeric = numericHeat(view);
  for (const NodeView& n : view.nodes) {
    if (!n.statistics || !n.statistics->finite) continue;
    const ir::HeatStrip& strip = numeric.strips[n.node.index];
    EXPECT_LE(strip.low, strip.high);
    EXPECT_GE(strip.low, 0);
    EXPECT_LE(strip.high, 1);
    EXPECT_EQ(strip.low < numeric.stripZero, n.statistics->min < 0);
  }
}

TEST(RunView, DifferencesAreByNode) {
  RunRequest request;
  request.keepValues = true;
  const RunPtr a = ran("0/0:forward", request);
  request.inputs = "random:5";
  const RunPtr b = ran("0/0:forward", request);
  const RunView view = viewOf(a);
  const RunValues valuesA = valuesOf(*a), valuesB = valuesOf(*b);
  const RunComparison same = compareRuns(valuesA, valuesA), other = compareRuns(valuesA, valuesB);
  size_t compared = 0;
  for (const NodeDifference& d : nodeDifferences(view, same)) {
    if (!d.value) continue;
    ++compared;
    EXPECT_EQ(d.verdict, "bit-equal");
    EXPECT_FALSE(d.differs);
    EXPECT_LT(d.size, 0);
  }
  EXPECT_GT(compared, 20u);
  size_t differ = 0;
  for (const NodeDifference& d : nodeDifferences(view, other)) differ += d.differs;
  EXPECT_GT(differ, 20u);
}

}  // namespace
}  // namespace descry::session
