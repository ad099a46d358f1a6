#include "gui/canvas/minimap.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/canvas/scene_painter.h"

namespace descry::gui {

namespace {

constexpr double kPad = 5;
constexpr double kLongest = 190, kShortest = 64;

}  // namespace

MinimapWidget::MinimapWidget(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("canvasMinimap"));
  setFocusPolicy(Qt::NoFocus);
  setAccessibleName(tr("Minimap"));
  setAccessibleDescription(tr("Whole graph; drag to move the view, wheel to zoom"));
  setCursor(Qt::ArrowCursor);
}

void MinimapWidget::setScene(ScenePainter* painter, const QRectF& bounds) {
  painter_ = painter;
  bounds_ = bounds;
  refresh();
}

void MinimapWidget::setTheme(const Theme& theme) {
  theme_ = theme;
  refresh();
}

void MinimapWidget::setView(const QRectF& visible) {
  if (view_ == visible) return;
  view_ = visible;
  update();
}

void MinimapWidget::setPips(std::vector<QPointF> pips) {
  pips_ = std::move(pips);
  update();
}

QSize MinimapWidget::sizeFor(QSize room) const {
  if (bounds_.isEmpty()) return {};
  // Very long graphs are squeezed rather than shown as a hair: the map tells where, not how far.
  const double aspect =
      std::clamp(bounds_.width() / bounds_.height(), kShortest / kLongest, kLongest / kShortest);
  QSizeF size = aspect >= 1 ? QSizeF(kLongest, kLongest / aspect) : QSizeF(kLongest * aspect, kLongest);
  const double shrink =
      std::min({1.0, room.width() * 0.3 / size.width(), room.height() * 0.45 / size.height()});
  size *= shrink;
  return QSize(int(size.width() + 2 * kPad), int(size.height() + 2 * kPad));
}

QRectF MinimapWidget::content() const {
  return QRectF(rect()).adjusted(kPad, kPad, -kPad, -kPad);
}

QPointF MinimapWidget::toScene(QPointF p) const {
  const QRectF c = content();
  return {bounds_.left() + (p.x() - c.left()) / c.width() * bounds_.width(),
          bounds_.top() + (p.y() - c.top()) / c.height() * bounds_.height()};
}

QPointF MinimapWidget::fromScene(QPointF p) const {
  const QRectF c = content();
  return {c.left() + (p.x() - bounds_.left()) / bounds_.width() * c.width(),
          c.top() + (p.y() - bounds_.top()) / bounds_.height() * c.height()};
}

QRectF MinimapWidget::viewRectangle() const {
  if (bounds_.isEmpty()) return {};
  QRectF r = QRectF(fromScene(view_.topLeft()), fromScene(view_.bottomRight())).intersected(content());
  // Stays visible and large enough to grab.
  const QPointF middle(std::clamp(fromScene(view_.center()).x(), content().left(), content().right()),
                       std::clamp(fromScene(view_.center()).y(), content().top(), content().bottom()));
  if (r.width() < 6) r = QRectF(middle.x() - 3, r.top(), 6, r.height());
  if (r.height() < 6) r = QRectF(r.left(), middle.y() - 3, r.width(), 6);
  return r;
}

void MinimapWidget::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing, true);
  p.setPen(QPen(theme_.overlayBorder, 1));
  p.setBrush(theme_.canvas);
  p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  if (!painter_ || bounds_.isEmpty()) return;
  const QSize wanted = (content().size() * devicePixelRatioF()).toSize();
  if (stale_ || picture_.size() != wanted) {
    picture_ = QImage(wanted, QImage::Format_RGB32);
    painter_->paintMap(picture_, bounds_);
    stale_ = false;
  }
  p.drawImage(content(), picture_);
  p.setPen(Qt::NoPen);
  p.setBrush(theme_.hit);
  for (const QPointF& pip : pips_) p.drawEllipse(fromScene(pip), 1.8, 1.8);
  const QRectF view = viewRectangle();
  QColor wash = theme_.viewRectangle;
  wash.setAlphaF(0.14f);
  p.setBrush(wash);
  p.setPen(QPen(theme_.viewRectangle, 1.5));
  p.drawRoundedRect(view.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
}

void MinimapWidget::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || bounds_.isEmpty()) return;
  dragging_ = true;
  const QPointF at = toScene(event->position());
  const bool inside = viewRectangle().contains(event->position());
  grab_ = inside ? at - view_.center() : QPointF();
  if (!inside) emit centreRequested(at);
  event->accept();
}

void MinimapWidget::mouseMoveEvent(QMouseEvent* event) {
  if (dragging_) emit centreRequested(toScene(event->position()) - grab_);
  event->accept();
}

void MinimapWidget::mouseReleaseEvent(QMouseEvent* event) {
  dragging_ = false;
  event->accept();
}

void MinimapWidget::wheelEvent(QWheelEvent* event) {
  emit zoomRequested(std::pow(1.15, event->angleDelta().y() / 120.0));
  event->accept();
}

}  // namespace descry::gui
