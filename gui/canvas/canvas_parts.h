// State of the canvas that its source files share and nobody else sees.
#pragma once

#include <QElapsedTimer>
#include <QPointF>
#include <QPolygonF>
#include <QTimer>
#include <algorithm>
#include <cstdint>
#include <vector>

#include "gui/canvas/graph_canvas.h"
#include "gui/canvas/scene_painter.h"

namespace descry::gui {

class CanvasSelection {
 public:
  std::vector<uint32_t> boxes;  ///< ascending
  int current = -1;             ///< box with the keyboard
  int group = -1;               ///< selected group, when no box is current

  bool contains(uint32_t box) const { return std::binary_search(boxes.begin(), boxes.end(), box); }
};

class CanvasHover {
 public:
  int box = -1, edge = -1, group = -1;
  bool active = false;  ///< after the delay: card shown, all else dimmed
  QPointF position;
  std::vector<uint32_t> boxes, edges;  ///< lifted
  QTimer timer;
};

struct GraphCanvas::Drag {
  enum Kind : uint8_t { None, Pan, Band, Lasso } kind = None;
  bool moved = false;
  QPointF press, last;
  Qt::MouseButton button = Qt::NoButton;
  QPolygonF lasso;

  QRectF band() const { return QRectF(press, last).normalized(); }
};

struct GraphCanvas::Motion {
  Camera from, to;
  QElapsedTimer clock;
  int duration = 0;
  QTimer timer;
  QElapsedTimer lastFitKey;  ///< for F F

  bool running() const { return timer.isActive(); }
};

inline constexpr int kHoverDelayMs = 250;
inline constexpr int kZoomMs = 120, kMoveMs = 180;
inline constexpr double kZoomStep = 1.15;
/// Distance in device-independent pixels before a press becomes a drag.
inline constexpr double kDragDistance = 4;

}  // namespace descry::gui
