#include "layout/grid_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace descry::layout {
namespace {

constexpr int64_t kMostCells = 64;  // of one rectangle; larger ones (groups) are few and tested one by one

bool isUsable(const Rect& r) {
  return !r.empty() && std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.w) && std::isfinite(r.h);
}

bool touches(const Rect& a, const Rect& b) {
  return a.x <= b.right() && b.x <= a.right() && a.y <= b.bottom() && b.y <= a.bottom();
}

double distanceTo(const Rect& r, Point p) {
  double dx = std::max({r.x - p.x, 0.0, p.x - r.right()}), dy = std::max({r.y - p.y, 0.0, p.y - r.bottom()});
  return std::hypot(dx, dy);
}

}  // namespace

GridIndex::GridIndex(std::span<const Rect> rects) : rects_(rects.begin(), rects.end()) {
  size_t usable = 0;
  double right = 0, bottom = 0;
  for (const Rect& r : rects_) {
    if (!isUsable(r)) continue;
    if (usable++ == 0) {
      bounds_ = r;
      right = r.right();
      bottom = r.bottom();
    }
    bounds_.x = std::min(bounds_.x, r.x);
    bounds_.y = std::min(bounds_.y, r.y);
    right = std::max(right, r.right());
    bottom = std::max(bottom, r.bottom());
  }
  if (usable == 0) return;
  bounds_.w = right - bounds_.x;
  bounds_.h = bottom - bounds_.y;

  // About one cell per rectangle, cells near square; a long chain becomes one column.
  double side = std::sqrt(bounds_.w / static_cast<double>(usable) * bounds_.h);
  columns_ = static_cast<int>(std::clamp(std::ceil(bounds_.w / side), 1.0, static_cast<double>(usable)));
  rows_ = static_cast<int>(
      std::clamp(std::ceil(static_cast<double>(usable) / columns_), 1.0, static_cast<double>(usable)));
  cellW_ = bounds_.w / columns_;
  cellH_ = bounds_.h / rows_;

  cellStart_.assign(static_cast<size_t>(columns_) * rows_ + 1, 0);
  auto eachCell = [&](const Rect& r, auto visit) {
    int left = column(r.x), last = column(r.right());
    for (int y = row(r.y), end = row(r.bottom()); y <= end; ++y)
      for (int x = left; x <= last; ++x) visit(static_cast<size_t>(y) * columns_ + x);
  };
  auto cellCount = [&](const Rect& r) {
    return static_cast<int64_t>(column(r.right()) - column(r.x) + 1) * (row(r.bottom()) - row(r.y) + 1);
  };
  for (const Rect& r : rects_)
    if (isUsable(r) && cellCount(r) <= kMostCells) eachCell(r, [&](size_t c) { ++cellStart_[c + 1]; });
  std::partial_sum(cellStart_.begin(), cellStart_.end(), cellStart_.begin());
  cellIds_.resize(cellStart_.back());
  std::vector<uint32_t> next(cellStart_.begin(), cellStart_.end() - 1);
  for (uint32_t id = 0; id < rects_.size(); ++id) {
    if (!isUsable(rects_[id])) continue;
    if (cellCount(rects_[id]) <= kMostCells)
      eachCell(rects_[id], [&](size_t c) { cellIds_[next[c]++] = id; });
    else
      large_.push_back(id);
  }
}

int GridIndex::column(double x) const {
  return static_cast<int>(std::clamp(std::floor((x - bounds_.x) / cellW_), 0.0, columns_ - 1.0));
}

int GridIndex::row(double y) const {
  return static_cast<int>(std::clamp(std::floor((y - bounds_.y) / cellH_), 0.0, rows_ - 1.0));
}

// May visit an id more than once.
template <typename Visit>
void GridIndex::forCandidates(const Rect& area, Visit visit) const {
  // The comparison is false for NaN too.
  if (columns_ == 0 || !(area.w >= 0) || !(area.h >= 0) || !touches(bounds_, area)) return;
  for (uint32_t id : large_)
    if (touches(rects_[id], area)) visit(id);
  int left = column(area.x), last = column(area.right());
  for (int y = row(area.y), end = row(area.bottom()); y <= end; ++y)
    for (size_t c = static_cast<size_t>(y) * columns_ + left, stop = c + (last - left); c <= stop; ++c)
      for (uint32_t k = cellStart_[c]; k < cellStart_[c + 1]; ++k)
        if (touches(rects_[cellIds_[k]], area)) visit(cellIds_[k]);
}

std::vector<uint32_t> GridIndex::query(const Rect& area) const {
  std::vector<uint32_t> found;
  forCandidates(area, [&](uint32_t id) { found.push_back(id); });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void GridIndex::query(const Rect& area, const std::function<void(uint32_t)>& visit) const {
  for (uint32_t id : query(area)) visit(id);
}

int64_t GridIndex::hit(Point point) const {
  return hit(point, 0);
}

int64_t GridIndex::hit(Point point, double slack) const {
  int64_t best = -1;
  double bestDistance = 0, bestArea = 0;
  forCandidates({point.x - slack, point.y - slack, 2 * slack, 2 * slack}, [&](uint32_t id) {
    const Rect& r = rects_[id];
    double distance = distanceTo(r, point), area = r.w * r.h;
    if (distance > slack) return;
    bool better = best < 0 || distance < bestDistance ||
                  (distance == bestDistance && (area < bestArea || (area == bestArea && id > best)));
    if (!better) return;
    best = id;
    bestDistance = distance;
    bestArea = area;
  });
  return best;
}

}  // namespace descry::layout
