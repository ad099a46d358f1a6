// Where the view is: pure arithmetic between scene units and screen pixels, apart from widgets so that it can
// be tested.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace descry::gui {

/// screen = scene * zoom + offset. The offset is kept on whole pixels, so that panning moves a drawn picture
/// exactly.
struct Camera {
  static constexpr double kSmallestZoom = 1e-6, kLargestZoom = 8;

  double zoom = 1;
  QPointF offset;

  QPointF toScreen(QPointF scene) const { return scene * zoom + offset; }
  QPointF toScene(QPointF screen) const { return (screen - offset) / zoom; }
  QRectF toScreen(const QRectF& scene) const;
  QRectF toScene(const QRectF& screen) const;
  QRectF visible(QSizeF screen) const { return toScene(QRectF(QPointF(), screen)); }

  Camera panned(QPointF screenDelta) const;
  /// The scene point under `anchor` stays there, to half a pixel.
  Camera zoomedAt(QPointF anchor, double newZoom) const;
  /// `area` in the middle of the screen, `margin` pixels free around it, zoom not above `largest`.
  static Camera fitting(const QRectF& area, QSizeF screen, double margin, double largest = 1);
  Camera centredOn(QPointF scene, QSizeF screen) const;
  /// Between `from` (0) and `to` (1): zoom geometrically, centre such that the motion looks straight on the
  /// screen.
  static Camera between(const Camera& from, const Camera& to, double t, QSizeF screen);
  /// Pulls a view that shows nothing of `area` back until at least `keep` pixels of it are on the screen.
  Camera keptNear(const QRectF& area, QSizeF screen, double keep) const;

  bool operator==(const Camera&) const = default;
};

}  // namespace descry::gui
