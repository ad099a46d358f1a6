// The small card beside the pointer that says what a box or a line is.
#pragma once

#include <QWidget>

#include <vector>

#include "gui/canvas/graph_canvas.h"
#include "gui/theme/theme.h"

namespace descry::gui {

class HoverCardWidget : public QWidget {
  Q_OBJECT

 public:
  explicit HoverCardWidget(QWidget* parent);
  void setTheme(const Theme& theme);
  /// Beside `anchor` (parent coordinates), wholly inside the parent.
  void showCard(const HoverCard& card, QPointF anchor);
  const HoverCard& card() const { return card_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QFont titleFont() const;
  QFont textFont() const;

  Theme theme_;
  HoverCard card_;
  double labelWidth_ = 0;
  std::vector<int> lines_;  // by row of the card
};

}  // namespace descry::gui
