// Keeps the drawn scene between frames: panning moves pixels and draws only what came into view; what cannot
// be drawn within a frame's time is shown scaled from the last picture and made sharp in the following
// frames.
#pragma once

#include <QImage>
#include <QRegion>
#include <QSize>
#include <array>

#include "gui/canvas/camera.h"

namespace descry::gui {

class ScenePainter;

class BackBuffer {
 public:
  BackBuffer() { msPerPixel_.fill(2e-5); }
  /// Size in device pixels; `ratio` of them make one device-independent pixel.
  void resize(QSize size, double ratio);
  void invalidate() { valid_ = false; }

  /// Brings the picture to `camera` (device pixels), drawing for about `budgetMs`. True when nothing is left
  /// to refine.
  bool update(ScenePainter& painter, const Camera& camera, double budgetMs);
  bool complete() const { return valid_ && dirty_.isEmpty(); }
  const QImage& image() const { return image_; }

 private:
  void shift(QPoint delta, ScenePainter& painter);
  void preview(const Camera& to, QRgb background);
  void draw(ScenePainter& painter, const QRect& rect);
  double& cost(const ScenePainter& painter);

  QImage image_, spare_;
  QRegion dirty_;
  Camera camera_;
  double ratio_ = 1;
  bool valid_ = false;
  // Cost of recent drawing by level of detail, to foresee what fits into a frame. Assumed dear until known.
  std::array<double, 5> msPerPixel_;
};

}  // namespace descry::gui
