// Draws tens of thousands of tiny boxes and thin lines straight into an image: at that size QPainter's set-up
// per call costs far more than the pixels.
#pragma once

#include <QColor>
#include <QImage>
#include <QRect>
#include <QRectF>
#include <cstdint>
#include <vector>

namespace descry::gui {

/// Works on Format_ARGB32_Premultiplied or RGB32 images that are opaque; everything is clipped to `clip`.
class PixelRaster {
 public:
  PixelRaster(QImage& image, const QRect& clip);

  void fill(const QRect& rect, QRgb colour);                   ///< replaces
  void blend(const QRect& rect, QRgb colour, uint32_t alpha);  ///< alpha 0..256
  /// Blends with an opacity in proportion to the part of each pixel covered, at least `least`; for boxes
  /// below a pixel.
  void cover(const QRectF& rect, QRgb colour, double least);
  void frame(const QRect& rect, QRgb colour);  ///< one pixel wide

 private:
  QRect clip_;
  uchar* bits_;
  qsizetype stride_;
  int width_, height_;
};

/// Sums up any number of one-pixel lines and paints them at once; where many lie on one another the picture
/// gets denser, and the cost stays with the number of segments plus the number of pixels, however long the
/// lines are.
class LineField {
 public:
  enum Class : uint8_t { Plain, Marked };  ///< two colours; Marked wins where both meet

  /// Starts anew. Memory is kept from one picture to the next: touching fresh pages costs more than all the
  /// lines.
  void reset(const QRect& clip);
  /// From (x0, y0) to (x1, y1) in pixels. Axis-aligned lines take constant time.
  void add(double x0, double y0, double x1, double y1, Class which);
  bool empty() const { return empty_; }
  /// `opacity`: of a single line, 0..1.
  void paint(QImage& image, QRgb plain, QRgb marked, double opacity) const;

 private:
  void addVertical(int x, int y0, int y1, uint32_t unit);
  void addHorizontal(int y, int x0, int x1, uint32_t unit);

  QRect clip_;
  int w_ = 0, h_ = 0;
  bool empty_ = true;
  // Differences along a column and along a row; a running sum gives the number of lines at a pixel. Plain
  // lines count in the lower 18 bits, marked ones above; unsigned, so that too many wrap around instead of
  // being undefined.
  std::vector<uint32_t> down_, across_;
};

}  // namespace descry::gui
