// Shows a printed graph of any length: only the visible lines are ever cut, coloured and drawn.
#pragma once

#include <QAbstractScrollArea>

#include <functional>
#include <memory>

#include "gui/document/graph_rows.h"
#include "gui/theme/theme.h"

namespace descry::gui {

class TextView final : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit TextView(QWidget* parent = nullptr);

  void setLines(std::shared_ptr<const TextLines> lines);
  const std::shared_ptr<const TextLines>& lines() const { return lines_; }
  void setTheme(const Theme& theme);
  /// Shown instead of lines while there are none.
  void setPlaceholder(const QString& text);
  /// Asked for each visible line that defines a node.
  void setMarks(std::function<bool(ir::NodeId)> selected, std::function<bool(ir::NodeId)> hit);
  /// Moves the caret without a signal and scrolls as little as needed.
  void showLine(int64_t line);

  int64_t caretLine() const { return caret_; }
  int64_t firstVisibleLine() const;
  int visibleLines() const;
  /// Text of the lines between anchor and caret.
  QString selectedText() const;
  int lineAt(int y) const;

 signals:
  /// The person moved the caret; both ends included.
  void linesChosen(qint64 first, qint64 last);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void updateBars();
  void updateMetrics();
  void moveCaret(int64_t line, bool extend);
  void drawLine(QPainter& painter, uint32_t line, qreal y, qreal left) const;
  int gutterWidth() const;
  int64_t lineCount() const { return lines_ ? lines_->size() : 0; }

  std::shared_ptr<const TextLines> lines_;
  Theme theme_ = Theme::light();
  QString placeholder_;
  std::function<bool(ir::NodeId)> selected_, hit_;
  qreal charWidth_ = 8;
  int lineHeight_ = 16, ascent_ = 12;
  int64_t caret_ = -1, anchor_ = -1;
};

}  // namespace descry::gui
