#include "gui/canvas/camera.h"

#include <algorithm>
#include <cmath>

namespace descry::gui {

namespace {

QPointF wholePixels(QPointF p) {
  return {std::round(p.x()), std::round(p.y())};
}

double clampZoom(double zoom) {
  if (!(zoom > 0)) return Camera::kSmallestZoom;  // also catches NaN
  return std::clamp(zoom, Camera::kSmallestZoom, Camera::kLargestZoom);
}

}  // namespace

QRectF Camera::toScreen(const QRectF& scene) const {
  return {toScreen(scene.topLeft()), scene.size() * zoom};
}

QRectF Camera::toScene(const QRectF& screen) const {
  return {toScene(screen.topLeft()), screen.size() / zoom};
}

Camera Camera::panned(QPointF screenDelta) const {
  return {zoom, wholePixels(offset + screenDelta)};
}

Camera Camera::zoomedAt(QPointF anchor, double newZoom) const {
  newZoom = clampZoom(newZoom);
  return {newZoom, wholePixels(anchor - toScene(anchor) * newZoom)};
}

Camera Camera::fitting(const QRectF& area, QSizeF screen, double margin, double largest) {
  const double w = std::max(screen.width() - 2 * margin, 16.0),
               h = std::max(screen.height() - 2 * margin, 16.0);
  double zoom = largest;
  if (area.width() > 0) zoom = std::min(zoom, w / area.width());
  if (area.height() > 0) zoom = std::min(zoom, h / area.height());
  Camera camera{clampZoom(zoom), {}};
  return camera.centredOn(area.center(), screen);
}

Camera Camera::centredOn(QPointF scene, QSizeF screen) const {
  return {zoom, wholePixels(QPointF(screen.width() / 2, screen.height() / 2) - scene * zoom)};
}

Camera Camera::between(const Camera& from, const Camera& to, double t, QSizeF screen) {
  if (t <= 0) return from;
  if (t >= 1) return to;
  const QPointF middle(screen.width() / 2, screen.height() / 2);
  const QPointF a = from.toScene(middle), b = to.toScene(middle);
  const double ratio = to.zoom / from.zoom;
  const double zoom = from.zoom * std::pow(ratio, t);
  // The centre moves in proportion to 1/zoom: then a point that is fixed in both views stays fixed in
  // between.
  double along = t;
  if (std::abs(ratio - 1) > 1e-6) along = (1 / from.zoom - 1 / zoom) / (1 / from.zoom - 1 / to.zoom);
  return Camera{clampZoom(zoom), {}}.centredOn(a + (b - a) * along, screen);
}

Camera Camera::keptNear(const QRectF& area, QSizeF screen, double keep) const {
  if (area.isEmpty()) return *this;
  const QRectF shown = toScreen(area);
  const double keepX = std::min({keep, shown.width(), screen.width()});
  const double keepY = std::min({keep, shown.height(), screen.height()});
  QPointF shift;
  if (shown.right() < keepX) shift.setX(keepX - shown.right());
  if (shown.left() > screen.width() - keepX) shift.setX(screen.width() - keepX - shown.left());
  if (shown.bottom() < keepY) shift.setY(keepY - shown.bottom());
  if (shown.top() > screen.height() - keepY) shift.setY(screen.height() - keepY - shown.top());
  return shift.isNull() ? *this : panned(shift);
}

}  // namespace descry::gui
