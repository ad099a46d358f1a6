// Hit tests, culling and walking against the plain definition, computed by looking at everything.
#include "gui/canvas/scene_index.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <queue>
#include <random>

#include "gui/canvas/scene_topology.h"
#include "tests/gui/canvas/sample_scenes.h"

namespace descry::gui {
namespace {

using descry::testing::gridScene;
using descry::testing::sampleScene;

QRectF toQt(const ir::SceneRect& r) {
  return {r.x, r.y, r.w, r.h};
}

ir::Scene randomScene(uint32_t boxes, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> place(0, 3000), size(5, 120);
  ir::Scene scene;
  for (uint32_t i = 0; i < boxes; ++i) {
    ir::SceneNode n;
    n.node = ir::NodeId{i};
    n.rect = {place(random), place(random), size(random), size(random)};
    scene.nodes.push_back(n);
    if (i == 0) continue;
    ir::SceneEdge e;
    e.from = random() % i;
    e.to = i;
    e.firstPoint = uint32_t(scene.points.size());
    e.pointCount = 3;
    for (int k = 0; k < 3; ++k) scene.points.push_back({place(random), place(random)});
    scene.edges.push_back(e);
  }
  return scene;
}

TEST(SceneIndex, HitEqualsBruteForce) {
  const ir::Scene scene = randomScene(800, 1);
  const SceneTopology topology(scene);
  const SceneIndex index(scene, topology);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> place(-50, 3100);
  int hits = 0;
  for (int i = 0; i < 5000; ++i) {
    const QPointF p(place(random), place(random));
    // The smallest box that holds the point; of equals the last.
    int expected = -1;
    double area = 0;
    for (size_t b = 0; b < scene.nodes.size(); ++b) {
      const ir::SceneRect& r = scene.nodes[b].rect;
      const bool inside =
          p.x() >= r.x && p.x() <= double(r.x) + r.w && p.y() >= r.y && p.y() <= double(r.y) + r.h;
      const double own = double(r.w) * r.h;
      if (inside && (expected < 0 || own <= area)) {
        expected = int(b);
        area = own;
      }
    }
    hits += expected >= 0;
    ASSERT_EQ(index.boxAt(p), expected) << p.x() << ", " << p.y();
  }
  EXPECT_GT(hits, 500);
}

TEST(SceneIndex, BoxesInViewEqualBruteForce) {
  const ir::Scene scene = randomScene(500, 3);
  const SceneTopology topology(scene);
  const SceneIndex index(scene, topology);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> place(-100, 3000), size(1, 1500);
  std::vector<uint32_t> found;
  for (int i = 0; i < 300; ++i) {
    const QRectF area(place(random), place(random), size(random), size(random));
    std::vector<uint32_t> expected;
    for (uint32_t b = 0; b < scene.nodes.size(); ++b) {
      if (toQt(scene.nodes[b].rect).intersects(area)) expected.push_back(b);
    }
    index.boxesIn(area, found);
    ASSERT_EQ(found, expected);
  }
  index.boxesIn(QRectF(-1e5, -1e5, 1e6, 1e6), found);
  EXPECT_EQ(found.size(), scene.nodes.size());
}

double distance(QPointF p, const ir::ScenePoint& a, const ir::ScenePoint& b) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i <= 2000; ++i) {
    const double t = i / 2000.0;
    best = std::min(best, std::hypot(p.x() - (a.x + t * (b.x - a.x)), p.y() - (a.y + t * (b.y - a.y))));
  }
  return best;
}

TEST(SceneIndex, NearestEdgeEqualsSampling) {
  const ir::Scene scene = randomScene(60, 5);
  const SceneTopology topology(scene);
  const SceneIndex index(scene, topology);
  std::mt19937 random(6);
  std::uniform_real_distribution<double> place(0, 3000);
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    const QPointF p(place(random), place(random));
    double nearest = 1e9;
    for (const ir::SceneEdge& e : scene.edges) {
      for (uint32_t k = 0; k + 1 < e.pointCount; ++k) {
        nearest = std::min(nearest,
                           distance(p, scene.points[e.firstPoint + k], scene.points[e.firstPoint + k + 1]));
      }
    }
    const int edge = index.edgeAt(p, 8, [](uint32_t) { return true; });
    if (nearest < 7) {
      ASSERT_GE(edge, 0);
      ++found;
    }
    if (nearest > 9) {
      ASSERT_EQ(edge, -1);
    }
  }
  EXPECT_GT(found, 20);
  EXPECT_EQ(index.edgeAt({scene.points[0].x, scene.points[0].y}, 8, [](uint32_t) { return false; }), -1);
}

TEST(SceneIndex, BrokenScenesAreTolerated) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  ir::Scene scene = gridScene(20, 5);
  scene.nodes[3].rect = {nan, 0, 10, 10};
  scene.nodes[4].rect = {0, 0, inf, 10};
  scene.nodes[5].rect = {0, 0, -5, 10};
  scene.nodes[6].group = 99;
  scene.nodes[7].node = ir::NodeId{0xFFFFFFF0};
  scene.edges[0].to = 1000;
  scene.edges[1].firstPoint = 0xFFFFFFFF;
  scene.edges[2].pointCount = 0xFFFFFFFF;
  scene.edges[3].pointCount = 0;
  scene.points[20] = {nan, inf};
  ir::SceneGroup g;
  g.parent = 7;
  g.rect = {0, 0, 50, 50};
  scene.groups = {g, g};
  scene.groups[1].parent = 1;
  const SceneTopology topology(scene);
  const SceneIndex index(scene, topology);
  EXPECT_EQ(topology.boxOf(ir::NodeId{0xFFFFFFF0}), 7);
  EXPECT_EQ(topology.boxOf(ir::NodeId{0xFFFFFFF1}), -1);
  EXPECT_FALSE(topology.drawn(5));
  EXPECT_TRUE(std::isfinite(index.bounds().width()));
  std::vector<SceneIndex::Segment> segments;
  index.segmentsIn(index.bounds(), segments);
  for (const auto& s : segments) EXPECT_LT(s.point + 1, scene.points.size());
}

TEST(SceneTopology, WalksInputsAndReadersInOrder) {
  const ir::Scene scene = gridScene(12, 4);
  const SceneTopology topology(scene);
  // Box 5 reads 1 (above) and 0 (left above); 0 is read by 4 and 5.
  EXPECT_EQ(topology.nthInput(5, 0), 1);
  EXPECT_EQ(topology.nthInput(5, 1), 0);
  EXPECT_EQ(topology.nthInput(5, 2), -1);
  EXPECT_EQ(topology.nthConsumer(0, 0), 4);
  EXPECT_EQ(topology.nthConsumer(0, 1), 5);
  EXPECT_EQ(topology.layerNeighbour(5, 1), 6);
  EXPECT_EQ(topology.layerNeighbour(5, -1), 4);
  EXPECT_EQ(topology.layerNeighbour(7, 1), -1) << "end of the layer";
  EXPECT_EQ(topology.inProgramOrder(7, 1), 8);
  EXPECT_EQ(topology.inProgramOrder(11, 1), -1);
}

TEST(SceneTopology, ShortestPathIsAsShortAsBreadthFirstSearch) {
  const ir::Scene scene = sampleScene({.layers = 3});
  const SceneTopology topology(scene);
  std::mt19937 random(7);
  for (int i = 0; i < 100; ++i) {
    const uint32_t a = random() % scene.nodes.size(), b = random() % scene.nodes.size();
    std::vector<int> depth(scene.nodes.size(), -1);
    std::queue<uint32_t> queue;
    depth[a] = 0;
    queue.push(a);
    while (!queue.empty()) {
      const uint32_t at = queue.front();
      queue.pop();
      for (const ir::SceneEdge& e : scene.edges) {
        if (e.from == at && depth[e.to] < 0) {
          depth[e.to] = depth[at] + 1;
          queue.push(e.to);
        }
      }
    }
    const auto path = topology.shortestPath(a, b);
    if (depth[b] >= 0) {
      ASSERT_EQ(int(path.size()), depth[b] + 1);
    }
    ASSERT_FALSE(path.empty());
    EXPECT_EQ(path.front(), a);
    EXPECT_EQ(path.back(), b);
    for (size_t k = 0; k + 1 < path.size(); ++k) {
      bool joined = false;
      for (const ir::SceneEdge& e : scene.edges) {
        joined = joined || (e.from == path[k] && e.to == path[k + 1]) ||
                 (e.to == path[k] && e.from == path[k + 1]);
      }
      EXPECT_TRUE(joined);
    }
  }
}

TEST(SceneTopology, FoldedGroupsHideTheirMembers) {
  const ir::Scene scene = sampleScene({.layers = 4, .foldEvery = 2});
  const SceneTopology topology(scene);
  int hidden = 0;
  for (uint32_t b = 0; b < scene.nodes.size(); ++b) {
    bool folded = false;
    for (int g = scene.nodes[b].group; g >= 0; g = scene.groups[size_t(g)].parent)
      folded = folded || scene.groups[size_t(g)].folded;
    EXPECT_EQ(topology.foldedAround(b) >= 0, folded);
    EXPECT_EQ(topology.drawn(b), !folded);
    hidden += folded;
  }
  EXPECT_GT(hidden, 20);
}

}  // namespace
}  // namespace descry::gui
