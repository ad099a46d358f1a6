#include "gui/canvas/camera.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace descry::gui {
namespace {

TEST(Camera, ScreenAndSceneAreInverse) {
  const Camera c{0.37, {120, -45}};
  for (QPointF p : {QPointF(0, 0), QPointF(1000.5, -3), QPointF(-1e6, 2e6)}) {
    const QPointF back = c.toScene(c.toScreen(p));
    EXPECT_NEAR(back.x(), p.x(), 1e-6);
    EXPECT_NEAR(back.y(), p.y(), 1e-6);
  }
}

TEST(Camera, ZoomKeepsThePointUnderThePointer) {
  Camera c{1, {13, 7}};
  const QPointF anchor(400, 300);
  for (double zoom : {0.5, 2.0, 0.01, 7.5}) {
    const QPointF fixed = c.toScene(anchor);
    const Camera to = c.zoomedAt(anchor, zoom);
    EXPECT_DOUBLE_EQ(to.zoom, zoom);
    const QPointF now = to.toScreen(fixed);
    EXPECT_LE(std::abs(now.x() - anchor.x()), 0.5 + 1e-9);
    EXPECT_LE(std::abs(now.y() - anchor.y()), 0.5 + 1e-9);
  }
}

TEST(Camera, OffsetsStayOnWholePixels) {
  const Camera c = Camera{1, {0, 0}}.panned({3.4, -2.6}).zoomedAt({10.3, 20.7}, 1.234);
  EXPECT_EQ(c.offset.x(), std::round(c.offset.x()));
  EXPECT_EQ(c.offset.y(), std::round(c.offset.y()));
}

TEST(Camera, FitShowsTheWholeAreaCentred) {
  const QRectF area(-100, 50, 4000, 1000);
  const QSizeF screen(800, 600);
  const Camera c = Camera::fitting(area, screen, 20);
  const QRectF shown = c.toScreen(area);
  EXPECT_GE(shown.left(), 19);
  EXPECT_LE(shown.right(), 781);
  EXPECT_NEAR(shown.center().x(), 400, 1);
  EXPECT_NEAR(shown.center().y(), 300, 1);
  EXPECT_DOUBLE_EQ(c.zoom, 760.0 / 4000);
  EXPECT_DOUBLE_EQ(Camera::fitting(QRectF(0, 0, 10, 10), screen, 20).zoom, 1)
      << "small things are not blown up";
}

TEST(Camera, ZoomIsBoundedWhateverIsAsked) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(Camera{}.zoomedAt({0, 0}, nan).zoom, Camera::kSmallestZoom);
  EXPECT_DOUBLE_EQ(Camera{}.zoomedAt({0, 0}, inf).zoom, Camera::kLargestZoom);
  EXPECT_DOUBLE_EQ(Camera{}.zoomedAt({0, 0}, -1).zoom, Camera::kSmallestZoom);
}

TEST(Camera, MotionKeepsTheFixedPointOfAZoom) {
  const QSizeF screen(800, 600);
  const Camera from{0.2, {40, 90}};
  const QPointF anchor(650, 120);
  const Camera to = from.zoomedAt(anchor, 1.6);
  const QPointF fixed = from.toScene(anchor);
  for (double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const QPointF at = Camera::between(from, to, t, screen).toScreen(fixed);
    EXPECT_NEAR(at.x(), anchor.x(), 1.6) << t;
    EXPECT_NEAR(at.y(), anchor.y(), 1.6) << t;
  }
  EXPECT_EQ(Camera::between(from, to, 0, screen), from);
  EXPECT_EQ(Camera::between(from, to, 1, screen), to);
}

TEST(Camera, PanningCannotLoseTheScene) {
  const QSizeF screen(800, 600);
  const QRectF area(0, 0, 1000, 1000);
  const Camera lost{1, {5000, -9000}};
  const QRectF shown = lost.keptNear(area, screen, 50).toScreen(area).intersected(QRectF(0, 0, 800, 600));
  EXPECT_NEAR(shown.width(), 50, 1);
  EXPECT_NEAR(shown.height(), 50, 1);
  const Camera fine{1, {10, 10}};
  EXPECT_EQ(fine.keptNear(area, screen, 50), fine);
}

}  // namespace
}  // namespace descry::gui
