// The grid index answers what a search through all rectangles would.

#include "layout/grid_index.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace descry::layout {
namespace {

bool touches(const Rect& a, const Rect& b) {
  return !a.empty() && a.x <= b.right() && b.x <= a.right() && a.y <= b.bottom() && b.y <= a.bottom();
}

std::vector<Rect> randomRects(uint32_t seed, size_t count) {
  std::mt19937 random(seed);
  auto upTo = [&](double most) { return std::uniform_real_distribution<double>(0, most)(random); };
  std::vector<Rect> rects;
  for (size_t i = 0; i < count; ++i) {
    double side = i % 17 == 0 ? 4000 : 80;  // some large ones, like groups
    rects.push_back({upTo(5000) - 2500, upTo(20000), i % 11 == 0 ? 0 : upTo(side), upTo(side)});
  }
  return rects;
}

TEST(GridIndex, AgreesWithBruteForce) {
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    std::vector<Rect> rects = randomRects(seed, 40 * seed * seed);
    GridIndex index(rects);
    std::mt19937 random(seed + 100);
    auto upTo = [&](double most) { return std::uniform_real_distribution<double>(0, most)(random); };
    for (int i = 0; i < 200; ++i) {
      Rect area{upTo(6000) - 3000, upTo(22000) - 1000, upTo(900), upTo(900)};
      std::vector<uint32_t> expected, visited;
      for (uint32_t id = 0; id < rects.size(); ++id)
        if (touches(rects[id], area)) expected.push_back(id);
      index.query(area, [&](uint32_t id) { visited.push_back(id); });
      EXPECT_EQ(visited, expected);

      Point p{area.x, area.y};
      int64_t best = -1;
      for (uint32_t id = 0; id < rects.size(); ++id)
        if (!rects[id].empty() && rects[id].contains(p) &&
            (best < 0 || rects[id].w * rects[id].h <= rects[best].w * rects[best].h))
          best = id;
      EXPECT_EQ(index.hit(p), best);
    }
  }
}

TEST(GridIndex, SlackFindsTheNearest) {
  std::vector<Rect> rects{{0, 0, 10, 10}, {30, 0, 10, 10}};
  GridIndex index(rects);
  EXPECT_EQ(index.hit({14, 5}), -1);
  EXPECT_EQ(index.hit({14, 5}, 3), -1);
  EXPECT_EQ(index.hit({14, 5}, 5), 0);
  EXPECT_EQ(index.hit({24, 5}, 30), 1);
  EXPECT_EQ(index.hit({-4, 5}, 5), 0);
}

TEST(GridIndex, EmptyAndOddInput) {
  EXPECT_EQ(GridIndex().hit({0, 0}), -1);
  EXPECT_TRUE(GridIndex().query({0, 0, 1, 1}).empty());
  double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  std::vector<Rect> rects{{nan, 0, 1, 1}, {0, 0, inf, 1}, {0, 0, 0, 0}, {5, 5, 1, 1}};
  GridIndex index(rects);
  EXPECT_EQ(index.query({-100, -100, 1000, 1000}), std::vector<uint32_t>{3});
  EXPECT_TRUE(index.query({nan, 0, 10, 10}).empty());
  EXPECT_TRUE(index.query({0, 0, -10, 10}).empty());
  EXPECT_EQ(index.hit({nan, nan}), -1);
  EXPECT_EQ(index.query({-inf, -inf, inf, inf}).size(), 0u);  // -inf + inf is not a number
}

TEST(GridIndex, LongChain) {
  std::vector<Rect> rects;
  for (int i = 0; i < 100000; ++i) rects.push_back({0, i * 64.0, 90, 28});
  GridIndex index(rects);
  EXPECT_EQ(index.hit({45, 64.0 * 77777 + 3}), 77777);
  EXPECT_EQ(index.query({0, 6400, 90, 640}).size(), 11u);
}

}  // namespace
}  // namespace descry::layout
