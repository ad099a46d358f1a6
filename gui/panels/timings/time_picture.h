// Time as areas: an icicle of modules, or a treemap of ops. A click selects the nodes of a box.
#pragma once

#include <QWidget>

#include <vector>

#include "gui/models/timings_model.h"
#include "gui/theme/theme.h"

namespace descry::gui {

class TimePicture final : public QWidget {
  Q_OBJECT
 public:
  enum class Kind : uint8_t { Icicle, Treemap };
  TimePicture(Kind kind, QWidget* parent);
  void setTheme(const Theme& theme);
  /// An empty tree: `text` stands in its place.
  void show(session::TimeTree tree, const QString& text);
  /// Boxes of the nodes are framed.
  void setSelected(const std::vector<ir::NodeId>& nodes);
  const std::vector<TimeBox>& boxes() const { return boxes_; }
  const session::TimeTree& tree() const { return tree_; }
  QSize sizeHint() const override { return {360, 200}; }

 signals:
  void chosen(const std::vector<descry::ir::NodeId>& nodes);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void arrange();
  int boxAt(QPointF position) const;
  QString words(const TimeBox& box) const;

  Kind kind_;
  Theme theme_ = Theme::light();
  session::TimeTree tree_;
  QString text_;
  std::vector<TimeBox> boxes_;
  std::vector<ir::NodeId> selected_;
  int hovered_ = -1, current_ = -1;
};

}  // namespace descry::gui
