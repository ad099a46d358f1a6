#include "gui/panels/icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

#include <cmath>

namespace descry::gui {
namespace {

void arrow(QPainter& p, bool left) {
  p.drawLine(QPointF(3, 8), QPointF(13, 8));
  const qreal x = left ? 3 : 13, d = left ? 4 : -4;
  p.drawPolyline(QPolygonF({QPointF(x + d, 4), QPointF(x, 8), QPointF(x + d, 12)}));
}

void turn(QPainter& p, bool left) {
  if (!left) {
    p.translate(16, 0);
    p.scale(-1, 1);
  }
  QPainterPath path(QPointF(3.5, 6));
  path.lineTo(9.5, 6);
  path.arcTo(QRectF(6, 6, 7, 7), 90, -180);
  path.lineTo(6, 13);
  p.drawPath(path);
  p.drawPolyline(QPolygonF({QPointF(6.5, 3), QPointF(3.5, 6), QPointF(6.5, 9)}));
}

void sheet(QPainter& p) {
  p.drawPolygon(
      QPolygonF({QPointF(3.5, 2), QPointF(9.5, 2), QPointF(12.5, 5), QPointF(12.5, 14), QPointF(3.5, 14)}));
  p.drawPolyline(QPolygonF({QPointF(9.5, 2), QPointF(9.5, 5), QPointF(12.5, 5)}));
}

void dots(QPainter& p, const QColor& colour, std::initializer_list<QPointF> at) {
  p.setBrush(colour);
  for (const QPointF& c : at) p.drawEllipse(c, 1.4, 1.4);
  p.setBrush(Qt::NoBrush);
}

void sign(QPainter& p, const char* text) {
  QFont font = p.font();
  font.setPixelSize(9);
  font.setBold(true);
  p.setFont(font);
  p.drawText(QRectF(0, 0, 16, 16), Qt::AlignCenter, QLatin1String(text));
}

void draw(QPainter& p, IconKind kind, const QColor& colour) {
  QPen pen(colour, 1.5);
  pen.setCapStyle(Qt::RoundCap);
  pen.setJoinStyle(Qt::RoundJoin);
  p.setPen(pen);
  p.setBrush(Qt::NoBrush);
  switch (kind) {
    case IconKind::App:
    case IconKind::Graph:
    case IconKind::Node:
      p.drawLine(QPointF(8, 3.5), QPointF(4, 12));
      p.drawLine(QPointF(8, 3.5), QPointF(12, 12));
      dots(p, colour, {{8, 3.5}, {4, 12}, {12, 12}});
      break;
    case IconKind::Joint:
      p.drawPolyline(QPolygonF({QPointF(4, 3), QPointF(4, 12), QPointF(12, 12), QPointF(12, 3)}));
      dots(p, colour, {{4, 3}, {4, 12}, {12, 12}, {12, 3}});
      break;
    case IconKind::Open:
    case IconKind::Folder:
      p.drawPolygon(QPolygonF({QPointF(2, 3.5), QPointF(6.5, 3.5), QPointF(8, 5.5), QPointF(14, 5.5),
                               QPointF(14, 13), QPointF(2, 13)}));
      break;
    case IconKind::Back:
      arrow(p, true);
      break;
    case IconKind::Forward:
      arrow(p, false);
      break;
    case IconKind::Search:
      p.drawEllipse(QPointF(7, 7), 4.3, 4.3);
      p.drawLine(QPointF(10.3, 10.3), QPointF(13.8, 13.8));
      break;
    case IconKind::Partner:
      p.drawEllipse(QPointF(4, 8), 2, 2);
      p.drawEllipse(QPointF(12, 8), 2, 2);
      p.drawLine(QPointF(6, 8), QPointF(10, 8));
      p.drawPolyline(QPolygonF({QPointF(8.3, 6), QPointF(10, 8), QPointF(8.3, 10)}));
      break;
    case IconKind::Fit:
      for (int i = 0; i < 4; ++i) {
        p.save();
        p.translate(8, 8);
        p.rotate(90 * i);
        p.drawPolyline(QPolygonF({QPointF(-5.5, -2.5), QPointF(-5.5, -5.5), QPointF(-2.5, -5.5)}));
        p.restore();
      }
      break;
    case IconKind::Export:
      p.drawPolyline(QPolygonF({QPointF(3, 9), QPointF(3, 13.5), QPointF(13, 13.5), QPointF(13, 9)}));
      p.drawLine(QPointF(8, 2.5), QPointF(8, 9.5));
      p.drawPolyline(QPolygonF({QPointF(5, 5.5), QPointF(8, 2.5), QPointF(11, 5.5)}));
      break;
    case IconKind::Drop:
      p.drawPolyline(QPolygonF({QPointF(3, 9), QPointF(3, 13.5), QPointF(13, 13.5), QPointF(13, 9)}));
      p.drawLine(QPointF(8, 2.5), QPointF(8, 9.5));
      p.drawPolyline(QPolygonF({QPointF(5, 6.5), QPointF(8, 9.5), QPointF(11, 6.5)}));
      break;
    case IconKind::Palette:
      p.drawPolyline(QPolygonF({QPointF(3, 4.5), QPointF(6.5, 8), QPointF(3, 11.5)}));
      p.drawLine(QPointF(8, 12), QPointF(13, 12));
      break;
    case IconKind::Close:
      p.drawLine(QPointF(4.5, 4.5), QPointF(11.5, 11.5));
      p.drawLine(QPointF(11.5, 4.5), QPointF(4.5, 11.5));
      break;
    case IconKind::File:
      sheet(p);
      break;
    case IconKind::Record:
      sheet(p);
      p.drawLine(QPointF(6, 8), QPointF(10, 8));
      p.drawLine(QPointF(6, 10.8), QPointF(10, 10.8));
      break;
    case IconKind::Table:
      p.drawRect(QRectF(2.5, 3, 11, 10));
      p.drawLine(QPointF(2.5, 6.5), QPointF(13.5, 6.5));
      p.drawLine(QPointF(6.5, 6.5), QPointF(6.5, 13));
      break;
    case IconKind::Error:
      p.drawEllipse(QPointF(8, 8), 5.7, 5.7);
      p.drawLine(QPointF(6, 6), QPointF(10, 10));
      p.drawLine(QPointF(10, 6), QPointF(6, 10));
      break;
    case IconKind::Warning:
      p.drawPolygon(QPolygonF({QPointF(8, 2.5), QPointF(14, 13), QPointF(2, 13)}));
      p.drawLine(QPointF(8, 6.5), QPointF(8, 9.3));
      p.drawPoint(QPointF(8, 11.2));
      break;
    case IconKind::Note:
      p.drawEllipse(QPointF(8, 8), 5.7, 5.7);
      p.drawLine(QPointF(8, 7.5), QPointF(8, 11));
      p.drawPoint(QPointF(8, 5));
      break;
    case IconKind::Input:
      p.drawPolygon(QPolygonF(
          {QPointF(2.5, 4), QPointF(9.5, 4), QPointF(13.5, 8), QPointF(9.5, 12), QPointF(2.5, 12)}));
      break;
    case IconKind::Output:
      p.drawPolygon(
          QPolygonF({QPointF(2.5, 4), QPointF(13.5, 4), QPointF(13.5, 12), QPointF(2.5, 12), QPointF(6, 8)}));
      break;
    case IconKind::Undo:
      turn(p, true);
      break;
    case IconKind::Redo:
      turn(p, false);
      break;
    case IconKind::Copy:
      p.drawRect(QRectF(5.5, 5.5, 8, 8));
      p.drawPolyline(QPolygonF(
          {QPointF(3, 10.5), QPointF(2.5, 10.5), QPointF(2.5, 2.5), QPointF(10.5, 2.5), QPointF(10.5, 3)}));
      break;
    case IconKind::Next:
      p.drawPolyline(QPolygonF({QPointF(4, 6), QPointF(8, 10), QPointF(12, 6)}));
      break;
    case IconKind::Previous:
      p.drawPolyline(QPolygonF({QPointF(4, 10), QPointF(8, 6), QPointF(12, 10)}));
      break;
    case IconKind::Recent:
      p.drawEllipse(QPointF(8, 8), 5.7, 5.7);
      p.drawPolyline(QPolygonF({QPointF(8, 4.7), QPointF(8, 8), QPointF(10.5, 9.5)}));
      break;
    case IconKind::Keys:
      p.drawRoundedRect(QRectF(3, 3, 10, 10), 2, 2);
      sign(p, "K");
      break;
    case IconKind::Colours:
      p.drawEllipse(QPointF(8, 5.7), 3.4, 3.4);
      p.drawEllipse(QPointF(5.5, 10.2), 3.4, 3.4);
      p.drawEllipse(QPointF(10.5, 10.2), 3.4, 3.4);
      break;
    case IconKind::Groups:
      p.drawRoundedRect(QRectF(2.5, 2.5, 11, 11), 1.5, 1.5);
      p.drawRect(QRectF(5.2, 5.2, 2.2, 5.6));
      p.drawRect(QRectF(9, 5.2, 1.8, 2.4));
      break;
    case IconKind::Drawing:
      p.drawRect(QRectF(6, 2.5, 4, 2.6));
      p.drawRect(QRectF(2, 10.9, 4, 2.6));
      p.drawRect(QRectF(10, 10.9, 4, 2.6));
      p.drawPolyline(QPolygonF({QPointF(4, 10.9), QPointF(4, 8), QPointF(12, 8), QPointF(12, 10.9)}));
      p.drawLine(QPointF(8, 5.1), QPointF(8, 8));
      break;
  }
}

class DrawnIcon final : public QIconEngine {
 public:
  DrawnIcon(IconKind kind, QColor colour) : kind_(kind), colour_(std::move(colour)) {}
  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const qreal side = std::min(rect.width(), rect.height());
    painter->translate(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2);
    painter->scale(side / 16, side / 16);
    QColor colour = colour_;
    if (mode == QIcon::Disabled) colour.setAlphaF(0.4f);
    draw(*painter, kind_, colour);
    painter->restore();
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap map(size);
    map.fill(Qt::transparent);
    QPainter painter(&map);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return map;
  }
  QIconEngine* clone() const override { return new DrawnIcon(kind_, colour_); }

 private:
  IconKind kind_;
  QColor colour_;
};

}  // namespace

QIcon makeIcon(IconKind kind, const QColor& colour) {
  return QIcon(new DrawnIcon(kind, colour));
}

QPixmap iconPixmap(IconKind kind, const QColor& colour, int size, qreal ratio) {
  QPixmap map(QSize(size, size) * ratio);
  map.fill(Qt::transparent);
  QPainter painter(&map);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(size * ratio / 16, size * ratio / 16);
  draw(painter, kind, colour);
  painter.end();
  map.setDevicePixelRatio(ratio);
  return map;
}

}  // namespace descry::gui
