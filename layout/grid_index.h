// Finds the rectangles under a point or in a viewport fast enough for every mouse move and frame.
#pragma once

#include "layout/layout.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace descry::layout {

// A uniform grid over a fixed set of rectangles; an id is the index in the span given to the constructor.
// Immutable after building, hence safe to query from several threads. Rectangles are copied. Empty and
// non-finite rectangles are never reported.
class GridIndex {
 public:
  GridIndex() = default;
  // O(n) time and memory: about one cell per rectangle; those covering very many cells are kept in a list of
  // their own.
  explicit GridIndex(std::span<const Rect> rects);

  // Calls `visit(id)` once for each rectangle that shares a point with `area` (touching borders count), in
  // ascending id order. O(cells covered + k log k) for k found.
  void query(const Rect& area, const std::function<void(uint32_t id)>& visit) const;
  std::vector<uint32_t> query(const Rect& area) const;

  // The rectangle that holds `point`: the smallest in area, and of equals the highest id (drawn last); -1
  // when none. O(1) expected.
  int64_t hit(Point point) const;
  // As hit(), but a rectangle within `slack` units also counts when none holds the point; the nearest wins.
  int64_t hit(Point point, double slack) const;

  size_t size() const { return rects_.size(); }
  const Rect& bounds() const { return bounds_; }

 private:
  int column(double x) const;
  int row(double y) const;
  template <typename Visit>
  void forCandidates(const Rect& area, Visit visit) const;

  std::vector<Rect> rects_;
  Rect bounds_;
  double cellW_ = 1, cellH_ = 1;
  int columns_ = 0, rows_ = 0;
  std::vector<uint32_t>
      cellStart_;  // CSR: the ids in cell c are cellIds_[cellStart_[c] .. cellStart_[c + 1])
  std::vector<uint32_t> cellIds_;
  std::vector<uint32_t> large_;
};

}  // namespace descry::layout
