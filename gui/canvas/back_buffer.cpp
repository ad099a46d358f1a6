#include "gui/canvas/back_buffer.h"

#include <QElapsedTimer>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "gui/canvas/scene_painter.h"

namespace descry::gui {

namespace {

constexpr int kSmallestBand = 32;  // rows; below that the cost per call outweighs the pixels

}  // namespace

void BackBuffer::resize(QSize size, double ratio) {
  if (image_.size() == size && ratio_ == ratio) return;
  image_ = QImage(size, QImage::Format_RGB32);
  spare_ = QImage(size, QImage::Format_RGB32);
  image_.setDevicePixelRatio(1);
  ratio_ = ratio;
  valid_ = false;
}

bool BackBuffer::update(ScenePainter& painter, const Camera& camera, double budgetMs) {
  if (image_.isNull()) return true;
  QElapsedTimer clock;
  clock.start();
  auto spent = [&] { return double(clock.nsecsElapsed()) / 1e6; };
  const Camera before = camera_;
  camera_ = camera;
  const double msPerPixel = cost(painter), fullMs = msPerPixel * image_.width() * image_.height();
  camera_ = before;
  if (!valid_) {
    dirty_ = image_.rect();
    if (fullMs > budgetMs) image_.fill(painter.theme().canvas);
    valid_ = true;
  } else if (camera.zoom == camera_.zoom) {
    const QPointF delta = camera.offset - camera_.offset;
    camera_ = camera;
    if (std::abs(delta.x()) < image_.width() && std::abs(delta.y()) < image_.height()) {
      if (!delta.isNull()) shift(delta.toPoint(), painter);
    } else {
      dirty_ = image_.rect();
      if (fullMs > budgetMs) image_.fill(painter.theme().canvas);
    }
  } else {
    if (fullMs > budgetMs) preview(camera, painter.theme().canvas.rgb());
    dirty_ = image_.rect();
  }
  camera_ = camera;

  for (bool first = true; !dirty_.isEmpty() && (first || spent() < budgetMs); first = false) {
    QRect next = *dirty_.begin();
    const double left = std::max(budgetMs - spent(), budgetMs / 4);
    const double now = cost(painter);
    if (now * next.width() * next.height() > left) {
      const int rows = int(left / std::max(now * next.width(), 1e-9));
      next.setHeight(std::min(std::max(rows, kSmallestBand), next.height()));
    }
    draw(painter, next);
  }
  return dirty_.isEmpty();
}

double& BackBuffer::cost(const ScenePainter& painter) {
  return msPerPixel_[size_t(painter.detail({camera_, ratio_, {}, false}))];
}

void BackBuffer::draw(ScenePainter& painter, const QRect& rect) {
  QElapsedTimer clock;
  clock.start();
  painter.paint(image_, rect, camera_, ratio_);
  const double pixels = double(rect.width()) * rect.height();
  // Thin strips say little about the cost of a full picture.
  if (pixels > 20000) {
    const double now = double(clock.nsecsElapsed()) / 1e6 / pixels;
    double& known = cost(painter);
    known = std::max(now, known * 0.8);
  }
  dirty_ -= rect;
}

void BackBuffer::shift(QPoint delta, ScenePainter& painter) {
  const int w = image_.width(), h = image_.height(), dx = delta.x(), dy = delta.y();
  const qsizetype stride = image_.bytesPerLine();
  uchar* bits = image_.bits();
  const int columns = w - std::abs(dx), rows = h - std::abs(dy);
  const int fromX = std::max(-dx, 0), toX = std::max(dx, 0), fromY = std::max(-dy, 0), toY = std::max(dy, 0);
  for (int i = 0; i < rows; ++i) {
    const int row = dy > 0 ? rows - 1 - i : i;  // not over rows that are still to be read
    std::memmove(bits + (toY + row) * stride + qsizetype(toX) * 4,
                 bits + (fromY + row) * stride + qsizetype(fromX) * 4, size_t(columns) * 4);
  }
  dirty_.translate(delta);
  dirty_ &= image_.rect();
  // What came into view is drawn at once, whatever it costs: a gap would be worse than a slow frame.
  const QRegion fresh = QRegion(image_.rect()) - QRect(toX, toY, columns, rows);
  for (const QRect& rect : fresh) draw(painter, rect);
}

void BackBuffer::preview(const Camera& to, QRgb background) {
  const double scale = to.zoom / camera_.zoom;
  const QRectF target(camera_.toScene(QPointF(0, 0)) * to.zoom + to.offset, QSizeF(image_.size()) * scale);
  spare_.fill(background);
  // Only the part that will be seen: a picture blown up a hundred times must not be walked through as a
  // whole.
  const QRectF seen = target.intersected(QRectF(spare_.rect()));
  if (!seen.isEmpty()) {
    const QRectF source((seen.topLeft() - target.topLeft()) / scale, seen.size() / scale);
    QPainter p(&spare_);
    p.drawImage(seen, image_, source);
  }
  image_.swap(spare_);
}

}  // namespace descry::gui
