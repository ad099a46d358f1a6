#include "gui/canvas/scene_index.h"

#include <algorithm>
#include <cmath>

#include "gui/canvas/scene_topology.h"

namespace descry::gui {

namespace {

// A segment is a line without area; the grid leaves out empty rectangles.
constexpr double kHalfLine = 0.5;

bool usable(const ir::SceneRect& r) {
  return r.w > 0 && r.h > 0 && std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.w) &&
         std::isfinite(r.h);
}

layout::Rect toGrid(const ir::SceneRect& r) {
  return {r.x, r.y, r.w, r.h};
}
layout::Rect toGrid(const QRectF& r) {
  return {r.x(), r.y(), r.width(), r.height()};
}
QRectF toQt(const ir::SceneRect& r) {
  return {r.x, r.y, r.w, r.h};
}

double distanceToSegment(QPointF p, const ir::ScenePoint& a, const ir::ScenePoint& b) {
  const double dx = double(b.x) - a.x, dy = double(b.y) - a.y;
  const double length2 = dx * dx + dy * dy;
  double t = length2 > 0 ? ((p.x() - a.x) * dx + (p.y() - a.y) * dy) / length2 : 0;
  t = std::clamp(t, 0.0, 1.0);
  return std::hypot(p.x() - (a.x + t * dx), p.y() - (a.y + t * dy));
}

}  // namespace

SceneIndex::SceneIndex(const ir::Scene& scene, const SceneTopology& topology) : scene_(scene) {
  std::vector<layout::Rect> rects;
  std::vector<float> heights;
  for (uint32_t b = 0; b < scene.nodes.size(); ++b) {
    const ir::SceneRect& r = scene.nodes[b].rect;
    if (!usable(r) || !topology.drawn(b)) continue;
    boxIds_.push_back(b);
    rects.push_back(toGrid(r));
    heights.push_back(r.h);
    bounds_ |= toQt(r);
  }
  boxes_ = layout::GridIndex(rects);
  if (!heights.empty()) {
    const auto middle = heights.begin() + std::ptrdiff_t(heights.size() / 2);
    std::nth_element(heights.begin(), middle, heights.end());
    typicalHeight_ = *middle;
  }

  rects.clear();
  std::vector<uint8_t> hidden(scene.groups.size(), 0);
  for (uint32_t g = 0; g < scene.groups.size(); ++g) {
    const ir::SceneGroup& group = scene.groups[g];
    const int parent = group.parent;
    if (parent >= 0 && uint32_t(parent) < g) {
      hidden[g] = hidden[uint32_t(parent)] || scene.groups[uint32_t(parent)].folded;
    }
    if (hidden[g] || !usable(group.rect)) continue;
    groupIds_.push_back(g);
    rects.push_back(toGrid(group.rect));
    bounds_ |= toQt(group.rect);
  }
  groups_ = layout::GridIndex(rects);

  rects.clear();
  const double longLine = 10 * typicalHeight_;
  for (uint32_t e = 0; e < scene.edges.size(); ++e) {
    const ir::SceneEdge& edge = scene.edges[e];
    const uint64_t end = uint64_t(edge.firstPoint) + edge.pointCount;
    if (edge.pointCount < 2 || end > scene.points.size() || edge.from >= scene.nodes.size() ||
        edge.to >= scene.nodes.size()) {
      continue;
    }
    for (uint32_t p = edge.firstPoint; p + 1 < end; ++p) {
      const ir::ScenePoint &a = scene.points[p], &b = scene.points[p + 1];
      if (!std::isfinite(a.x) || !std::isfinite(a.y) || !std::isfinite(b.x) || !std::isfinite(b.y)) continue;
      const double x = std::min(a.x, b.x), y = std::min(a.y, b.y);
      const double w = std::abs(double(a.x) - b.x), h = std::abs(double(a.y) - b.y);
      const uint32_t id = uint32_t(segmentIds_.size());
      segmentIds_.push_back({e, p});
      if (w < 0.5 && h > longLine) {
        verticals_.push_back({a.x, float(y), float(y + h), id});
      } else if (h < 0.5 && w > longLine) {
        horizontals_.push_back({a.y, float(x), float(x + w), id});
      } else {
        gridSegments_.push_back(id);
        rects.push_back({x - kHalfLine, y - kHalfLine, w + 2 * kHalfLine, h + 2 * kHalfLine});
      }
      bounds_ |= QRectF(x, y, std::max(w, 0.01), std::max(h, 0.01));
    }
  }
  segments_ = layout::GridIndex(rects);
  for (auto* lines : {&verticals_, &horizontals_}) {
    std::sort(lines->begin(), lines->end(), [](const LongLine& a, const LongLine& b) {
      return std::pair(a.across, a.segment) < std::pair(b.across, b.segment);
    });
  }
}

template <typename Visit>
void SceneIndex::visitLong(const std::vector<LongLine>& lines, double across0, double across1, double from,
                           double to, Visit visit) {
  auto it = std::lower_bound(lines.begin(), lines.end(), across0 - kHalfLine,
                             [](const LongLine& line, double value) { return line.across < value; });
  for (; it != lines.end() && it->across <= across1 + kHalfLine; ++it) {
    if (it->from - kHalfLine <= to && it->to + kHalfLine >= from) visit(it->segment);
  }
}

template <typename Visit>
void SceneIndex::visitSegments(const QRectF& area, Visit visit) const {
  segments_.query(toGrid(area), [&](uint32_t id) { visit(gridSegments_[id]); });
  visitLong(verticals_, area.left(), area.right(), area.top(), area.bottom(), visit);
  visitLong(horizontals_, area.top(), area.bottom(), area.left(), area.right(), visit);
}

void SceneIndex::boxesIn(const QRectF& area, std::vector<uint32_t>& out) const {
  out.clear();
  if (area.contains(bounds_)) {
    out = boxIds_;
    return;
  }
  boxes_.query(toGrid(area), [&](uint32_t id) { out.push_back(boxIds_[id]); });
}

void SceneIndex::groupsIn(const QRectF& area, std::vector<uint32_t>& out) const {
  out.clear();
  groups_.query(toGrid(area), [&](uint32_t id) { out.push_back(groupIds_[id]); });
}

void SceneIndex::segmentsIn(const QRectF& area, std::vector<Segment>& out) const {
  out.clear();
  if (area.contains(bounds_)) {  // all in view: no need to collect and sort them
    out = segmentIds_;
    return;
  }
  std::vector<uint32_t> ids;
  visitSegments(area, [&](uint32_t id) { ids.push_back(id); });
  std::sort(ids.begin(), ids.end());
  for (uint32_t id : ids) out.push_back(segmentIds_[id]);
}

int SceneIndex::boxAt(QPointF point) const {
  const int64_t id = boxes_.hit({point.x(), point.y()});
  return id < 0 ? -1 : int(boxIds_[size_t(id)]);
}

int SceneIndex::groupAround(QPointF point) const {
  const int64_t id = groups_.hit({point.x(), point.y()});
  return id < 0 ? -1 : int(groupIds_[size_t(id)]);
}

int SceneIndex::groupAt(QPointF point, double headerHeight) const {
  const int group = groupAround(point);
  if (group < 0) return -1;
  const ir::SceneGroup& g = scene_.groups[size_t(group)];
  return g.folded || point.y() <= g.rect.y + headerHeight ? group : -1;
}

int SceneIndex::edgeAt(QPointF point, double slack, const std::function<bool(uint32_t)>& visible) const {
  int best = -1;
  double bestDistance = slack;
  visitSegments(QRectF(point.x() - slack, point.y() - slack, 2 * slack, 2 * slack), [&](uint32_t id) {
    const Segment& s = segmentIds_[id];
    const double d = distanceToSegment(point, scene_.points[s.point], scene_.points[s.point + 1]);
    if (d <= bestDistance && visible(s.edge)) {
      bestDistance = d;
      best = int(s.edge);
    }
  });
  return best;
}

}  // namespace descry::gui
