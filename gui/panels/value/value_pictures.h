// Drawings of the Value panel: a histogram, and how a value lies in memory.
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

#include "gui/document/value_look.h"
#include "gui/theme/theme.h"

namespace descry::gui {

class HistogramView final : public QWidget {
  Q_OBJECT
 public:
  explicit HistogramView(QWidget* parent);
  void setTheme(const Theme& theme);
  /// Null: `text` stands in its place. `counts`: heights by the logarithm of the counts.
  void show(const session::ValueHistogram* histogram, const session::ValueHistogram* other,
            const QString& text);
  void setLogCounts(bool on);
  bool logCounts() const { return logCounts_; }
  QSize sizeHint() const override { return {300, 150}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QRectF plot() const;
  double heightOf(int64_t count) const;
  Theme theme_ = Theme::light();
  std::optional<session::ValueHistogram> first_, second_;
  QString text_;
  bool logCounts_ = false;
  int hovered_ = -1;
};

/// A corner of the shown grid: the place of each element in memory, light to dark.
class LayoutView final : public QWidget {
  Q_OBJECT
 public:
  explicit LayoutView(QWidget* parent);
  void setTheme(const Theme& theme);
  /// Steps from row to row and from column to column, in elements.
  void show(int64_t rows, int64_t columns, int64_t rowStep, int64_t columnStep);
  QSize sizeHint() const override { return {190, 110}; }
  QSize minimumSizeHint() const override { return {120, 80}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Theme theme_ = Theme::light();
  int64_t rows_ = 0, columns_ = 0, rowStep_ = 0, columnStep_ = 0;
};

}  // namespace descry::gui
