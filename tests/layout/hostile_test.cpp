// Bad input and extreme sizes: never a crash, a hang, or more than linear growth.

#include "tests/layout/checks.h"
#include "tests/layout/sample_graphs.h"

#include "layout/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <thread>
#include <vector>

namespace descry::layout {
namespace {

using Clock = std::chrono::steady_clock;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint32_t kSizeDivisor = 10;  // the same shapes, for a build that is ten times slower
#else
constexpr uint32_t kSizeDivisor = 1;
#endif

double secondsOf(const std::function<void()>& work) {
  auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

TEST(Hostile, IndicesOutOfRangeAreIgnored) {
  Input input;
  input.groups.resize(2);
  input.groups[0].parent = 77;
  input.groups[1].parent = -9;
  for (int32_t g : {0, 1, 99, -5}) samples::addNode(input, Phase::Backward, g);
  input.nodes[0].twin = 1000;
  input.nodes[1].twin = -7;
  input.nodes[2].twin = 2;
  samples::addEdge(input, 0, 4000000000u);
  samples::addEdge(input, 9, 1);
  samples::addEdge(input, 0, 1);
  for (bool joint : {false, true}) {
    Options options;
    options.jointU = joint;
    Output out = layoutGraph(input, options);
    EXPECT_EQ(out.edges[0].pointCount, 0u);
    EXPECT_EQ(out.edges[1].pointCount, 0u);
    EXPECT_GE(out.edges[2].pointCount, 2u);
    EXPECT_EQ(checks::countOverlaps(out.nodes), 0);
  }
}

TEST(Hostile, ParentCyclesAreTolerated) {
  Input input = samples::randomGraph(60, 90, 6, 1);
  for (int32_t g = 0; g < 6; ++g) input.groups[g].parent = (g + 1) % 6;
  for (bool joint : {false, true}) {
    Options options;
    options.jointU = joint;
    EXPECT_EQ(checks::countOverlaps(layoutGraph(input, options).nodes), 0);
  }
}

TEST(Hostile, SizesAndOptionsThatAreNotNumbers) {
  double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  Input input = samples::residualForward(20);
  input.nodes[3].size = {nan, -5};
  input.nodes[4].size = {inf, 1e300};
  input.nodes[5].hasPrevious = true;
  input.nodes[5].previous = {nan, inf};
  Options options;
  options.nodeGap = nan;
  options.layerGap = -inf;
  options.sweeps = -3;
  options.longEdgeLimit = -1;
  options.groupPadding = -1;
  Output out = layoutGraph(input, options);
  for (const Rect& r : out.nodes)
    EXPECT_TRUE(std::isfinite(r.x) && std::isfinite(r.y) && r.w >= 1 && r.h >= 1);
  EXPECT_EQ(checks::countOverlaps(out.nodes), 0);
}

TEST(Hostile, CyclesSelfLoopsAndDuplicates) {
  Input input;
  for (int i = 0; i < 6; ++i) samples::addNode(input);
  for (uint32_t i = 0; i < 6; ++i) {
    samples::addEdge(input, i, (i + 1) % 6);
    samples::addEdge(input, i, (i + 1) % 6);
    samples::addEdge(input, i, i);
  }
  Output out = layoutGraph(input);
  checks::expectSound(input, {}, out);
  EXPECT_EQ(out.stats.backEdges, 1);  // both copies of 5 -> 0, drawn as one
  for (size_t i = 0; i < input.edges.size(); ++i) {
    EXPECT_EQ(out.edges[i].back, input.edges[i].from == 5 && input.edges[i].to == 0);
    EXPECT_GE(out.edges[i].pointCount, 2u);
  }
}

TEST(Hostile, CompleteDirectedGraph) {
  Input input;
  for (int i = 0; i < 60; ++i) samples::addNode(input, i % 2 ? Phase::Backward : Phase::Forward);
  for (uint32_t a = 0; a < 60; ++a)
    for (uint32_t b = 0; b < 60; ++b) samples::addEdge(input, a, b);
  for (bool joint : {false, true}) {
    Options options;
    options.jointU = joint;
    checks::expectSound(input, options, layoutGraph(input, options));
  }
}

TEST(Extreme, DeepChain) {
  uint32_t n = 1000000 / kSizeDivisor;
  Input input;
  for (uint32_t i = 0; i < n; ++i) samples::addNode(input);
  for (uint32_t i = 0; i + 1 < n; ++i) samples::addEdge(input, i, i + 1);
  double seconds = secondsOf([&] {
    Output out = layoutGraph(input);
    EXPECT_EQ(out.stats.layers, static_cast<int>(n));
    EXPECT_EQ(checks::countOverlaps(out.nodes), 0);
    EXPECT_DOUBLE_EQ(out.nodes.front().x, out.nodes.back().x);
  });
  EXPECT_LT(seconds, 30);
}

TEST(Extreme, WideLayer) {
  uint32_t n = 100000 / kSizeDivisor;
  Input input;
  samples::addNode(input);
  for (uint32_t i = 1; i <= n; ++i) {
    samples::addNode(input);
    samples::addEdge(input, 0, i);
  }
  uint32_t sink = samples::addNode(input);
  for (uint32_t i = 1; i <= n; ++i) samples::addEdge(input, i, sink);
  double seconds = secondsOf([&] {
    Output out = layoutGraph(input);
    EXPECT_EQ(out.stats.layers, 3);
    EXPECT_EQ(out.stats.crossings, 0);
    EXPECT_EQ(checks::countOverlaps(out.nodes), 0);
  });
  EXPECT_LT(seconds, 20);
}

TEST(Extreme, ManySmallGroups) {
  uint32_t n = 100000 / kSizeDivisor;
  Input input;
  for (uint32_t i = 0; i < n; ++i) {
    input.groups.push_back({});
    samples::addNode(input, Phase::None, static_cast<int32_t>(i));
    if (i) samples::addEdge(input, i - 1, i);
  }
  double seconds = secondsOf([&] { EXPECT_EQ(checks::countOverlaps(layoutGraph(input).groups), 0); });
  EXPECT_LT(seconds, 20);
}

TEST(Extreme, TimeGrowsLinearly) {
  for (bool joint : {false, true}) {
    Options options;
    options.jointU = joint;
    auto best = [&](uint32_t n) {
      Input input = samples::residualJoint(n);
      double least = 1e9;
      for (int i = 0; i < 3; ++i) least = std::min(least, secondsOf([&] { layoutGraph(input, options); }));
      return least;
    };
    double small = best(4000), large = best(40000);
    EXPECT_LT(large, 30 * small) << "ten times the nodes; joint " << joint;
    EXPECT_LT(large, 5.0);
  }
}

TEST(Cancel, BeforeTheStart) {
  std::atomic<bool> cancel{true};
  Options options;
  options.cancel = &cancel;
  Output out = layoutGraph(samples::residualJoint(100), options);
  EXPECT_TRUE(out.cancelled);
  EXPECT_TRUE(out.nodes.empty() && out.edges.empty() && out.points.empty());
}

TEST(Cancel, IsHonouredQuickly) {
  for (bool wide : {false, true}) {
    Input input = wide ? Input{} : samples::residualJoint(400000 / kSizeDivisor);
    if (wide) {
      uint32_t n = 200000 / kSizeDivisor;
      for (uint32_t i = 0; i < 2 * n; ++i) samples::addNode(input);
      std::mt19937 random(1);
      for (uint32_t i = 0; i < 2 * n; ++i) samples::addEdge(input, random() % n, n + random() % n);
    }
    for (int delayMs : {5, 40, 150}) {
      std::atomic<bool> cancel{false};
      Options options;
      options.cancel = &cancel;
      Clock::time_point asked;
      std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(delayMs));
        asked = Clock::now();
        cancel = true;
      });
      Output out = layoutGraph(input, options);
      canceller.join();
      double ms = std::chrono::duration<double, std::milli>(Clock::now() - asked).count();
      // The goal is 100 ms; the slack is for loaded test machines.
      if (out.cancelled) {
        EXPECT_LT(ms, 400) << "wide " << wide << " delay " << delayMs;
      }
    }
  }
}

TEST(Progress, RisesToOne) {
  std::vector<float> seen;
  Options options;
  options.progress = [&](float f) { seen.push_back(f); };
  layoutGraph(samples::transformerJoint(8, true), options);
  ASSERT_FALSE(seen.empty());
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_FLOAT_EQ(seen.back(), 1);
}

TEST(TimeBudget, StopsSweepsOnly) {
  Input input = samples::randomGraph(3000, 6000, 0, 2);
  Options options;
  options.timeBudgetSeconds = 1e-9;
  checks::expectSound(input, options, layoutGraph(input, options));
}

}  // namespace
}  // namespace descry::layout
