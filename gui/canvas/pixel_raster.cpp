#include "gui/canvas/pixel_raster.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace descry::gui {

namespace {

// Two channels at a time; alpha 0..256; the result is opaque.
inline QRgb blended(QRgb below, QRgb above, uint32_t alpha) {
  const uint32_t rb = (((above & 0xFF00FF) * alpha + (below & 0xFF00FF) * (256 - alpha)) >> 8) & 0xFF00FF;
  const uint32_t g = (((above & 0x00FF00) * alpha + (below & 0x00FF00) * (256 - alpha)) >> 8) & 0x00FF00;
  return 0xFF000000u | rb | g;
}

constexpr uint32_t kMarkedUnit = 1u << 18;
constexpr uint32_t kDensest = 64;  // more lines than that on one pixel look the same

}  // namespace

PixelRaster::PixelRaster(QImage& image, const QRect& clip)
    : clip_(clip.intersected(image.rect())),
      bits_(image.bits()),
      stride_(image.bytesPerLine()),
      width_(image.width()),
      height_(image.height()) {}

void PixelRaster::fill(const QRect& rect, QRgb colour) {
  const QRect r = rect.intersected(clip_);
  for (int y = r.top(); y <= r.bottom(); ++y) {
    QRgb* line = reinterpret_cast<QRgb*>(bits_ + y * stride_);
    std::fill(line + r.left(), line + r.right() + 1, colour | 0xFF000000u);
  }
}

void PixelRaster::blend(const QRect& rect, QRgb colour, uint32_t alpha) {
  if (alpha >= 256) return fill(rect, colour);
  const QRect r = rect.intersected(clip_);
  for (int y = r.top(); y <= r.bottom(); ++y) {
    QRgb* line = reinterpret_cast<QRgb*>(bits_ + y * stride_);
    for (int x = r.left(); x <= r.right(); ++x) line[x] = blended(line[x], colour, alpha);
  }
}

void PixelRaster::cover(const QRectF& rect, QRgb colour, double least) {
  const int x0 = int(std::floor(rect.left())), x1 = int(std::ceil(rect.right()));
  const int y0 = int(std::floor(rect.top())), y1 = int(std::ceil(rect.bottom()));
  for (int y = std::max(y0, clip_.top()); y < std::min(y1, clip_.bottom() + 1); ++y) {
    const double partY = std::min(y + 1.0, rect.bottom()) - std::max(double(y), rect.top());
    QRgb* line = reinterpret_cast<QRgb*>(bits_ + y * stride_);
    for (int x = std::max(x0, clip_.left()); x < std::min(x1, clip_.right() + 1); ++x) {
      const double partX = std::min(x + 1.0, rect.right()) - std::max(double(x), rect.left());
      line[x] = blended(line[x], colour, uint32_t(std::clamp(partX * partY, least, 1.0) * 256));
    }
  }
}

void PixelRaster::frame(const QRect& rect, QRgb colour) {
  if (rect.width() < 2 || rect.height() < 2) return fill(rect, colour);
  fill({rect.left(), rect.top(), rect.width(), 1}, colour);
  fill({rect.left(), rect.bottom(), rect.width(), 1}, colour);
  fill({rect.left(), rect.top(), 1, rect.height()}, colour);
  fill({rect.right(), rect.top(), 1, rect.height()}, colour);
}

void LineField::reset(const QRect& clip) {
  clip_ = clip;
  w_ = std::max(clip.width(), 0);
  h_ = std::max(clip.height(), 0);
  empty_ = true;
  down_.assign(size_t(w_) * size_t(h_ + 1), 0);
  across_.assign(size_t(w_ + 1) * size_t(h_), 0);
}

void LineField::add(double x0, double y0, double x1, double y1, Class which) {
  const uint32_t unit = which == Marked ? kMarkedUnit : 1;
  x0 -= clip_.left(), x1 -= clip_.left(), y0 -= clip_.top(), y1 -= clip_.top();
  const double dx = std::abs(x1 - x0), dy = std::abs(y1 - y0);
  if (!std::isfinite(dx) || !std::isfinite(dy)) return;
  if (dx < 0.5) {
    if (x0 < 0 || x0 >= w_) return;
    addVertical(int(x0), int(std::floor(std::clamp(std::min(y0, y1), -1.0, double(h_)))),
                int(std::floor(std::clamp(std::max(y0, y1), -1.0, double(h_)))), unit);
    return;
  }
  if (dy < 0.5) {
    if (y0 < 0 || y0 >= h_) return;
    addHorizontal(int(y0), int(std::floor(std::clamp(std::min(x0, x1), -1.0, double(w_)))),
                  int(std::floor(std::clamp(std::max(x0, x1), -1.0, double(w_)))), unit);
    return;
  }
  // Slanted: one pixel per step along the longer side, over the visible part only.
  double t0 = 0, t1 = 1;
  auto clipTo = [&](double from, double to, double size) {
    const double d = to - from;
    double a = (0 - from) / d, b = (size - from) / d;
    if (a > b) std::swap(a, b);
    t0 = std::max(t0, a);
    t1 = std::min(t1, b);
  };
  clipTo(x0, x1, w_);
  clipTo(y0, y1, h_);
  if (t0 >= t1) return;
  const int steps = int(std::ceil(std::max(dx, dy) * (t1 - t0)));
  for (int i = 0; i <= steps; ++i) {
    const double t = t0 + (t1 - t0) * i / std::max(steps, 1);
    const int x = int(x0 + (x1 - x0) * t), y = int(y0 + (y1 - y0) * t);
    if (x >= 0 && x < w_ && y >= 0 && y < h_) addVertical(x, y, y, unit);
  }
}

void LineField::addVertical(int x, int y0, int y1, uint32_t unit) {
  y0 = std::max(y0, 0);
  y1 = std::min(y1, h_ - 1);
  if (y0 > y1) return;
  empty_ = false;
  down_[size_t(y0) * size_t(w_) + size_t(x)] += unit;
  down_[size_t(y1 + 1) * size_t(w_) + size_t(x)] -= unit;
}

void LineField::addHorizontal(int y, int x0, int x1, uint32_t unit) {
  x0 = std::max(x0, 0);
  x1 = std::min(x1, w_ - 1);
  if (x0 > x1) return;
  empty_ = false;
  across_[size_t(y) * size_t(w_ + 1) + size_t(x0)] += unit;
  across_[size_t(y) * size_t(w_ + 1) + size_t(x1) + 1] -= unit;
}

void LineField::paint(QImage& image, QRgb plain, QRgb marked, double opacity) const {
  if (empty_) return;
  std::array<uint16_t, kDensest + 1> alpha{};
  for (uint32_t n = 1; n <= kDensest; ++n) {
    // Denser bundles grow towards, but never reach, a solid block: structure stays visible.
    const double a = 1 - std::pow(1 - opacity, std::sqrt(double(n)));
    alpha[size_t(n)] = uint16_t(std::clamp(a, 0.0, 0.92) * 256);
  }
  std::vector<uint32_t> column(size_t(w_), 0);
  uchar* bits = image.bits();
  for (int y = 0; y < h_; ++y) {
    QRgb* line = reinterpret_cast<QRgb*>(bits + (clip_.top() + y) * image.bytesPerLine()) + clip_.left();
    const uint32_t* down = down_.data() + size_t(y) * size_t(w_);
    const uint32_t* across = across_.data() + size_t(y) * size_t(w_ + 1);
    uint32_t run = 0;
    for (int x = 0; x < w_; ++x) {
      column[size_t(x)] += down[x];
      run += across[x];
      const uint32_t count = column[size_t(x)] + run;
      if (count == 0) continue;
      const uint32_t plainLines = count & (kMarkedUnit - 1), markedLines = count / kMarkedUnit;
      if (plainLines) line[x] = blended(line[x], plain, alpha[std::min(plainLines, kDensest)]);
      if (markedLines) line[x] = blended(line[x], marked, alpha[std::min(markedLines, kDensest)]);
    }
  }
}

}  // namespace descry::gui
