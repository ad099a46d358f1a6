// What must hold of every layout, whatever the graph.
#pragma once

#include "layout/grid_index.h"
#include "layout/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace descry::layout::checks {

inline bool near(double a, double b) {
  return std::abs(a - b) < 1e-3;
}

inline bool onBorder(const Rect& r, Point p) {
  bool inX = p.x > r.x - 1e-3 && p.x<r.right() + 1e-3, inY = p.y> r.y - 1e-3 && p.y < r.bottom() + 1e-3;
  bool atX = near(p.x, r.x) || near(p.x, r.right()), atY = near(p.y, r.y) || near(p.y, r.bottom());
  return inX && inY && (atX || atY);
}

inline bool holds(const Rect& outer, const Rect& inner) {
  return inner.x > outer.x - 1e-3 && inner.y > outer.y - 1e-3 && inner.right() < outer.right() + 1e-3 &&
         inner.bottom() < outer.bottom() + 1e-3;
}

// Rounding may make neighbours touch; only a real overlap counts.
inline Rect shrunk(const Rect& r) {
  return {r.x + 1e-3, r.y + 1e-3, r.w - 2e-3, r.h - 2e-3};
}

inline int64_t countOverlaps(const std::vector<Rect>& rects) {
  GridIndex index(rects);
  int64_t overlaps = 0;
  for (uint32_t i = 0; i < rects.size(); ++i) {
    if (rects[i].empty()) continue;
    for (uint32_t j : index.query(rects[i]))
      overlaps += j > i && shrunk(rects[i]).intersects(shrunk(rects[j]));
  }
  return overlaps;
}

// The chain of valid groups around a node, innermost first; stops at repeats, so parent cycles do no harm.
inline std::vector<int32_t> groupsAround(const Input& input, int32_t group) {
  std::vector<int32_t> chain;
  auto n = static_cast<int32_t>(input.groups.size());
  for (int32_t g = group; g >= 0 && g < n && static_cast<int32_t>(chain.size()) <= n;
       g = input.groups[g].parent)
    chain.push_back(g);
  return chain;
}

// The one box that stands for node v: itself, or the outermost folded group around it.
inline Rect boxOf(const Input& input, const Output& out, bool backward, uint32_t v) {
  Rect box = out.nodes[v];
  for (int32_t g : groupsAround(input, input.nodes[v].group)) {
    if (!input.groups[g].folded) continue;
    box = backward && !out.groupsBackward[g].empty() ? out.groupsBackward[g] : out.groups[g];
  }
  return box;
}

// Finite, sized as asked, no overlaps, groups hold their members and nothing else, edges end on borders and
// are not slanted. Group parents must be sound.
inline void expectSound(const Input& input, const Options& options, const Output& out) {
  ASSERT_FALSE(out.cancelled);
  ASSERT_EQ(out.nodes.size(), input.nodes.size());
  ASSERT_EQ(out.edges.size(), input.edges.size());
  ASSERT_EQ(out.groups.size(), input.groups.size());
  ASSERT_EQ(out.groupsBackward.size(), input.groups.size());
  for (size_t v = 0; v < input.nodes.size(); ++v) {
    const Rect& r = out.nodes[v];
    ASSERT_TRUE(std::isfinite(r.x) && std::isfinite(r.y)) << "node " << v;
    if (r.empty()) continue;
    EXPECT_TRUE(near(r.w, input.nodes[v].size.w) && near(r.h, input.nodes[v].size.h)) << "node " << v;
    EXPECT_TRUE(holds(out.bounds, r)) << "node " << v;
  }

  // Nodes and folded groups are the boxes.
  std::vector<Rect> boxes = out.nodes;
  for (size_t g = 0; g < input.groups.size(); ++g)
    if (input.groups[g].folded)
      for (const auto* halves : {&out.groups, &out.groupsBackward}) {
        bool hidden = false;
        for (int32_t a : groupsAround(input, input.groups[g].parent)) hidden |= input.groups[a].folded;
        if (!hidden) boxes.push_back((*halves)[g]);
      }
  EXPECT_EQ(countOverlaps(boxes), 0);

  auto isBackward = [&](size_t v) {
    return options.jointU &&
           (input.nodes[v].phase == Phase::Backward || input.nodes[v].phase == Phase::Either);
  };
  // Each half of a group holds its members, and meets only them, its ancestors and its descendants.
  GridIndex nodeIndex(out.nodes);
  for (size_t g = 0; g < input.groups.size(); ++g)
    for (const auto* halves : {&out.groups, &out.groupsBackward}) {
      const Rect& r = (*halves)[g];
      if (r.empty() || input.groups[g].folded) continue;
      for (uint32_t v : nodeIndex.query(shrunk(r))) {
        bool member = false;
        for (int32_t a : groupsAround(input, input.nodes[v].group)) member |= a == static_cast<int32_t>(g);
        EXPECT_TRUE(member && holds(r, out.nodes[v])) << "group " << g << " meets node " << v;
      }
    }
  for (size_t v = 0; v < input.nodes.size(); ++v) {
    if (out.nodes[v].empty()) continue;
    for (int32_t g : groupsAround(input, input.nodes[v].group)) {
      bool inside = holds(out.groups[g], out.nodes[v]) ||
                    (!out.groupsBackward[g].empty() && holds(out.groupsBackward[g], out.nodes[v]));
      EXPECT_TRUE(inside) << "node " << v << " outside group " << g;
    }
  }
  for (size_t a = 0; a < input.groups.size(); ++a)
    for (size_t b = a + 1; b < input.groups.size(); ++b)
      for (const auto* as : {&out.groups, &out.groupsBackward})
        for (const auto* bs : {&out.groups, &out.groupsBackward}) {
          const Rect &p = (*as)[a], &q = (*bs)[b];
          if (p.empty() || q.empty() || !shrunk(p).intersects(shrunk(q))) continue;
          EXPECT_TRUE(holds(p, q) || holds(q, p)) << "groups " << a << " and " << b << " overlap in part";
        }

  for (size_t i = 0; i < input.edges.size(); ++i) {
    const InputEdge& e = input.edges[i];
    const EdgeRoute& route = out.edges[i];
    if (route.pointCount == 0) continue;
    ASSERT_GE(route.pointCount, 2u);
    ASSERT_LE(route.firstPoint + route.pointCount, out.points.size());
    const Point* p = &out.points[route.firstPoint];
    EXPECT_TRUE(onBorder(boxOf(input, out, isBackward(e.from), e.from), p[0])) << "edge " << i << " start";
    EXPECT_TRUE(onBorder(boxOf(input, out, isBackward(e.to), e.to), p[route.pointCount - 1]))
        << "edge " << i << " end";
    for (uint32_t k = 0; k < route.pointCount; ++k) {
      ASSERT_TRUE(std::isfinite(p[k].x) && std::isfinite(p[k].y));
      EXPECT_TRUE(holds(out.bounds, {p[k].x, p[k].y, 0, 0})) << "edge " << i;
      // A straight piece may lean by the tolerance below which no bend is made.
      if (k > 0 && options.edgeStyle == EdgeStyle::RightAngle) {
        bool straight = std::abs(p[k].x - p[k - 1].x) < 0.02 || std::abs(p[k].y - p[k - 1].y) < 0.02;
        EXPECT_TRUE(straight) << "edge " << i << " leans";
      }
    }
  }
}

// Pieces of edges that run through nodes they do not belong to.
inline int64_t countEdgesThroughNodes(const Input& input, const Output& out) {
  GridIndex index(out.nodes);
  int64_t found = 0;
  for (size_t i = 0; i < input.edges.size(); ++i)
    for (uint32_t k = 1; k < out.edges[i].pointCount; ++k) {
      Point a = out.points[out.edges[i].firstPoint + k - 1], b = out.points[out.edges[i].firstPoint + k];
      Rect piece{std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x), std::abs(a.y - b.y)};
      for (uint32_t v : index.query(piece)) {
        Rect r = out.nodes[v];
        bool through = piece.right() > r.x + 0.1 && piece.x < r.right() - 0.1 && piece.bottom() > r.y + 0.1 &&
                       piece.y < r.bottom() - 0.1;
        found += through && v != input.edges[i].from && v != input.edges[i].to;
      }
    }
  return found;
}

}  // namespace descry::layout::checks
