// The whole scene in a corner of the canvas, with the part in view marked.
#pragma once

#include <QImage>
#include <QRectF>
#include <QWidget>
#include <vector>

#include "gui/theme/theme.h"

namespace descry::gui {

class ScenePainter;

class MinimapWidget : public QWidget {
  Q_OBJECT

 public:
  explicit MinimapWidget(QWidget* parent);
  /// `painter` may be null; the picture is drawn anew when next shown.
  void setScene(ScenePainter* painter, const QRectF& bounds);
  void setTheme(const Theme& theme);
  void setView(const QRectF& visible);
  /// Centres of hits, in scene units.
  void setPips(std::vector<QPointF> pips);
  void refresh() {
    stale_ = true;
    update();
  }
  /// Size that suits the shape of the scene within `room`.
  QSize sizeFor(QSize room) const;
  QRectF viewRectangle() const;  ///< in widget pixels

 signals:
  void centreRequested(QPointF scenePoint);
  void zoomRequested(double factor);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  QRectF content() const;
  QPointF toScene(QPointF widget) const;
  QPointF fromScene(QPointF scene) const;

  ScenePainter* painter_ = nullptr;
  Theme theme_;
  QRectF bounds_, view_;
  QImage picture_;
  std::vector<QPointF> pips_;
  QPointF grab_;  ///< from the centre of the view rectangle, scene units
  bool stale_ = true, dragging_ = false;
};

}  // namespace descry::gui
