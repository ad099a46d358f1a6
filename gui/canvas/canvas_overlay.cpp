// What lies over the drawn scene and changes with every pointer move: rings, lifted boxes, rubber band,
// messages.
#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/canvas/back_buffer.h"
#include "gui/canvas/canvas_parts.h"
#include "gui/canvas/graph_canvas.h"
#include "gui/canvas/scene_index.h"
#include "gui/canvas/scene_topology.h"

namespace descry::gui {

namespace {

constexpr double kFrameBudgetMs = 8;
constexpr size_t kMostRings = 3000, kMostLitEdges = 600, kMostHitMarks = 4000;

Camera deviceCamera(const Camera& c, double ratio) {
  return {c.zoom * ratio, QPointF(std::round(c.offset.x() * ratio), std::round(c.offset.y() * ratio))};
}

}  // namespace

void GraphCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!scene_ || index_->bounds().isEmpty()) {
    painter.fillRect(rect(), theme_.canvas);
    paintEmpty(painter);
    paintProgress(painter);
    return;
  }
  const double ratio = devicePixelRatioF();
  buffer_->resize((QSizeF(size()) * ratio).toSize(), ratio);
  const bool wasComplete = buffer_->complete();
  const bool complete = buffer_->update(*painter_, deviceCamera(camera_, ratio), kFrameBudgetMs);
  painter.save();
  painter.scale(1 / ratio, 1 / ratio);
  painter.drawImage(0, 0, buffer_->image());
  paintOverlay(painter);
  painter.restore();
  paintProgress(painter);
  if (hasFocus() && selection_->current < 0) {
    painter.setPen(QPen(theme_.focus, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
  if (!complete) {
    QTimer::singleShot(0, this, qOverload<>(&QWidget::update));
  } else if (!wasComplete) {
    QTimer::singleShot(0, this, &GraphCanvas::refined);
  }
}

bool GraphCanvas::isRefining() const {
  return !buffer_->complete();
}

void GraphCanvas::finishRefining() {
  if (!painter_) return;
  const double ratio = devicePixelRatioF();
  buffer_->resize((QSizeF(size()) * ratio).toSize(), ratio);
  buffer_->update(*painter_, deviceCamera(camera_, ratio), 1e9);
}

QImage GraphCanvas::grabView() {
  return grab().toImage();
}

void GraphCanvas::paintOverlay(QPainter& painter) {
  const double ratio = devicePixelRatioF();
  const View view{deviceCamera(camera_, ratio), ratio, QRectF(QPointF(), QSizeF(size()) * ratio), false};
  const Detail detail = painter_->detail(view);
  painter.setRenderHint(QPainter::Antialiasing, true);
  auto screenRect = [&](uint32_t box) { return view.camera.toScreen(boxRect(int(box))); };

  // Hits stay findable at any zoom.
  if (hitsActive_ && !hover_->active && hits_.size() <= kMostHitMarks) {
    for (ir::NodeId id : hits_) {
      const int box = topology_->boxOf(id);
      if (box < 0) continue;
      const QRectF r = screenRect(uint32_t(box));
      if (!r.intersects(view.visible)) continue;
      if (r.height() < 8 * ratio) {
        painter.setPen(QPen(theme_.canvas, ratio));
        painter.setBrush(theme_.hit);
        painter.drawEllipse(r.center(), 3 * ratio, 3 * ratio);
      } else if (topology_->drawn(uint32_t(box))) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_.hit, 2 * ratio));
        painter.drawPath(painter_->boxOutline(view, uint32_t(box)));
      }
    }
  }

  paintMarks(painter, view);
  if (hover_->active) {
    QColor wash = theme_.canvas;
    wash.setAlphaF(float(1 - theme_.dimmed));
    painter.fillRect(view.visible, wash);
    for (uint32_t e : hover_->edges) painter_->paintEdge(painter, view, e, theme_.edgeHighlight, 0.4);
    for (uint32_t box : hover_->boxes) {
      if (topology_->drawn(box)) {
        if (screenRect(box).intersects(view.visible)) painter_->paintBox(painter, view, box);
      } else if (const int folded = topology_->foldedAround(box); folded >= 0) {
        painter_->paintCard(painter, view, uint32_t(folded), false);
      }
    }
  } else if (detail >= Detail::Groups && selection_->boxes.size() <= 64) {
    size_t lit = 0;
    for (uint32_t box : selection_->boxes) {
      for (const auto& edges : {topology_->inputEdges(box), topology_->outputEdges(box)}) {
        for (uint32_t e : edges) {
          if (++lit <= kMostLitEdges) painter_->paintEdge(painter, view, e, theme_.edgeHighlight, 0.3);
        }
      }
    }
  }

  QColor halo = theme_.selection;
  halo.setAlphaF(0.22f);
  auto ring = [&](const QPainterPath& path, double width) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(halo, (width + 5) * ratio, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(path);
    painter.setPen(QPen(theme_.selection, width * ratio, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(path);
  };
  auto frame = [&](QRectF r, double least) {
    if (r.width() < least) r.adjust(-(least - r.width()) / 2, 0, (least - r.width()) / 2, 0);
    if (r.height() < least) r.adjust(0, -(least - r.height()) / 2, 0, (least - r.height()) / 2);
    QPainterPath path;
    path.addRoundedRect(r, 3 * ratio, 3 * ratio);
    return path;
  };
  if (selection_->boxes.size() <= kMostRings) {
    for (uint32_t box : selection_->boxes) {
      const QRectF r = screenRect(box);
      if (!r.adjusted(-12, -12, 12, 12).intersects(view.visible)) continue;
      if (!topology_->drawn(box)) {
        // Hidden in a folded group: a dot on its card.
        painter.setPen(QPen(theme_.canvas, 1.5 * ratio));
        painter.setBrush(theme_.selection);
        painter.drawEllipse(QPointF(r.left() + 7 * ratio, r.top() + 7 * ratio), 4.5 * ratio, 4.5 * ratio);
        continue;
      }
      const double width = int(box) == selection_->current ? 2.5 : 1.5;
      if (detail >= Detail::Names) {
        ring(painter_->boxOutline(view, box), width * theme_.lineScale);
      } else {
        ring(frame(r, 7 * ratio), 1.5);
      }
    }
  } else {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.selection);
    for (uint32_t box : selection_->boxes) {
      const QRectF r = screenRect(box);
      if (r.intersects(view.visible)) painter.fillRect(r.adjusted(-1, -1, 1, 1), halo);
    }
  }
  if (selection_->current < 0 && selection_->group >= 0) {
    const ir::SceneRect& r = scene_->groups[size_t(selection_->group)].rect;
    const QRectF shown = view.camera.toScreen(QRectF(r.x, r.y, r.w, r.h));
    ring(frame(shown.intersected(view.visible.adjusted(-40, -40, 40, 40)), 8 * ratio), 2);
  }

  if (drag_->moved && (drag_->kind == Drag::Band || drag_->kind == Drag::Lasso)) {
    QColor fill = theme_.selection;
    fill.setAlphaF(0.12f);
    painter.setPen(QPen(theme_.selection, ratio, Qt::DashLine));
    painter.setBrush(fill);
    if (drag_->kind == Drag::Band) {
      const QRectF b = drag_->band();
      painter.drawRect(QRectF(b.topLeft() * ratio, b.size() * ratio));
    } else {
      QPolygonF polygon;
      for (const QPointF& p : drag_->lasso) polygon << p * ratio;
      painter.drawPolygon(polygon);
    }
  }
}

void GraphCanvas::paintEmpty(QPainter& painter) {
  const QString text = scene_ && emptyText_.isEmpty() ? tr("This graph has no nodes") : emptyText_;
  if (text.isEmpty()) return;
  QFont font = interfaceFont();
  font.setPixelSize(14);
  painter.setFont(font);
  painter.setPen(theme_.mutedText);
  painter.drawText(QRectF(rect()).adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void GraphCanvas::paintProgress(QPainter& painter) {
  if (progressText_.isEmpty()) return;
  QFont font = interfaceFont();
  font.setPixelSize(12);
  const QFontMetricsF metrics(font);
  const double width =
      std::min(std::max(metrics.horizontalAdvance(progressText_) + 28, 180.0), this->width() - 24.0);
  const QRectF box((this->width() - width) / 2, 12, width, 34);
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setPen(QPen(theme_.overlayBorder, 1));
  painter.setBrush(theme_.overlay);
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setFont(font);
  painter.setPen(theme_.overlayText);
  painter.drawText(box.adjusted(12, 3, -12, -9), Qt::AlignCenter | Qt::TextSingleLine,
                   metrics.elidedText(progressText_, Qt::ElideRight, box.width() - 24));
  const QRectF bar(box.left() + 12, box.bottom() - 8, box.width() - 24, 3);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_.overlayBorder);
  painter.drawRoundedRect(bar, 1.5, 1.5);
  painter.setBrush(theme_.accent);
  if (progressFraction_ >= 0) {
    painter.drawRoundedRect(QRectF(bar.topLeft(), QSizeF(bar.width() * std::min(progressFraction_, 1.0), 3)),
                            1.5, 1.5);
  } else {
    painter.drawRoundedRect(QRectF(bar.left() + bar.width() * 0.35, bar.top(), bar.width() * 0.3, 3), 1.5,
                            1.5);
  }
}

}  // namespace descry::gui
