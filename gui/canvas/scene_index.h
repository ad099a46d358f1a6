// What is under the pointer and what is in view, in time that does not depend on the size of the scene.
#pragma once

#include <QPointF>
#include <QRectF>
#include <cstdint>
#include <functional>
#include <vector>

#include "ir/annotations/scene.h"
#include "layout/grid_index.h"

namespace descry::gui {

class SceneTopology;

/// Grids over drawn boxes, groups and edge segments. Immutable after building; refers to the scene, which
/// must outlive it.
class SceneIndex {
 public:
  SceneIndex(const ir::Scene& scene, const SceneTopology& topology);

  /// Boxes that touch `area`, ascending (drawing order).
  void boxesIn(const QRectF& area, std::vector<uint32_t>& out) const;
  /// Groups that touch `area`, parents first; members of folded groups are left out.
  void groupsIn(const QRectF& area, std::vector<uint32_t>& out) const;

  struct Segment {
    uint32_t edge;
    uint32_t point;  ///< from Scene::points[point] to [point + 1]
  };
  /// Segments whose bounding box touches `area`, ordered by edge, then along the edge.
  void segmentsIn(const QRectF& area, std::vector<Segment>& out) const;

  int boxAt(QPointF point) const;  ///< -1 for none
  /// Innermost group at `point`; only its header (`headerHeight` units) counts while it is open. -1 for none.
  int groupAt(QPointF point, double headerHeight) const;
  int groupAround(QPointF point) const;  ///< innermost group whose rectangle holds the point
  /// Edge within `slack` units of the point; the nearest. `visible` may rule edges out.
  int edgeAt(QPointF point, double slack, const std::function<bool(uint32_t)>& visible) const;

  double typicalHeight() const { return typicalHeight_; }  ///< median height of drawn boxes
  const QRectF& bounds() const { return bounds_; }         ///< of everything drawn

 private:
  const ir::Scene& scene_;
  // Long straight lines would fall into very many cells of a grid; each kind is kept sorted across its
  // direction instead.
  struct LongLine {
    float across, from,
        to;  ///< x of a vertical line and its extent in y; the other way round for a horizontal one
    uint32_t segment;
  };
  template <typename Visit>
  static void visitLong(const std::vector<LongLine>& lines, double across0, double across1, double from,
                        double to, Visit visit);
  template <typename Visit>
  void visitSegments(const QRectF& area, Visit visit) const;

  layout::GridIndex boxes_, groups_, segments_;
  std::vector<LongLine> verticals_, horizontals_;
  std::vector<uint32_t> gridSegments_;  ///< grid id -> place in segmentIds_
  std::vector<uint32_t> boxIds_, groupIds_;
  std::vector<Segment> segmentIds_;
  double typicalHeight_ = 28;
  QRectF bounds_;
};

}  // namespace descry::gui
