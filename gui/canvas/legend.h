// The legend: what fills, shapes and lines of the scene at hand mean. Drawn alike in the window and in
// exported pictures.
#pragma once

#include <QPainter>
#include <QSize>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "gui/canvas/box_colours.h"
#include "gui/theme/theme.h"
#include "ir/annotations/scene.h"

namespace descry::gui {

class LegendPicture {
 public:
  /// Only what occurs in the scene is listed.
  /// `heat`: the scale of a mode that shows a run; not kept.
  LegendPicture(const ir::Scene& scene, const BoxColourTable& colours, const Theme& theme, bool symbolicEdges,
                const ir::Heat* heat = nullptr);
  QSize size() const { return size_; }  ///< device-independent pixels
  void paint(QPainter& painter, QPointF topLeft) const;
  QString description() const;  ///< the same in words
  /// Where the scale is drawn; empty without one.
  QRectF scaleRect() const;
  /// Points at a place on the scale, with its number.
  void paintMark(QPainter& painter, float at, const QString& text) const;

 private:
  struct Row {
    enum Kind : uint8_t { Fill, Shape, Line, Note } kind;
    int value;  ///< entry, role or edge kind
    QString text;
    ir::NodeRole shape = ir::NodeRole::Compute;  ///< of a fill sample
  };
  using Column = std::vector<Row>;
  void paintSample(QPainter& painter, const QRectF& at, const Row& row) const;
  void paintScale(QPainter& painter, QPointF topLeft) const;

  std::vector<Column> columns_;
  std::vector<double> widths_;
  std::vector<BoxColours> fills_;
  Theme theme_;
  QFont font_;
  QSize size_;
  struct Scale {
    ir::Heat::Scale kind;
    QString title;
    std::vector<std::pair<double, QString>> ticks;
  };
  std::optional<Scale> scale_;
  double scaleWidth_ = 0;
};

/// The legend as an overlay of the canvas; a click folds it to its title.
class LegendWidget : public QWidget {
  Q_OBJECT

 public:
  explicit LegendWidget(QWidget* parent);
  void setPicture(const LegendPicture& picture, const Theme& theme);
  /// Where a node is on the scale; negative for none.
  void setMark(float at, const QString& text);
  float mark() const { return mark_; }
  bool isFolded() const { return folded_; }
  QSize openSize() const { return picture_ ? picture_->size() : QSize(); }
  void setFolded(bool folded);
  /// What suits the room there is; the user's own choice stands above it.
  void suggestFolded(bool folded);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  void fit();
  std::unique_ptr<LegendPicture> picture_;
  QPixmap drawn_;  ///< the open legend; it lies above the canvas, which moves below it in every frame
  Theme theme_;
  bool folded_ = false, chosen_ = false;
  float mark_ = -1;
  QString markText_;
};

}  // namespace descry::gui
