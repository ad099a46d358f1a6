#include "gui/panels/value/value_pictures.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "gui/models/value_grid_model.h"

namespace descry::gui {
namespace {

constexpr int kMostShown = 6;  // rows and columns of a layout

QString number(double v) {
  return QString::number(v, 'g', 3);
}

QColor between(const QColor& a, const QColor& b, double share) {
  const auto part = [share](float x, float y) { return x + (y - x) * static_cast<float>(share); };
  return QColor::fromRgbF(part(a.redF(), b.redF()), part(a.greenF(), b.greenF()), part(a.blueF(), b.blueF()));
}

}  // namespace

HistogramView::HistogramView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Histogram"));
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  setMinimumHeight(110);
}

void HistogramView::setTheme(const Theme& theme) {
  theme_ = theme;
  update();
}

void HistogramView::show(const session::ValueHistogram* histogram, const session::ValueHistogram* other,
                         const QString& text) {
  first_ = histogram ? std::optional(*histogram) : std::nullopt;
  second_ = other ? std::optional(*other) : std::nullopt;
  text_ = text;
  hovered_ = -1;
  setAccessibleDescription(first_ ? histogramWords(*first_, other) : text);
  update();
}

void HistogramView::setLogCounts(bool on) {
  logCounts_ = on;
  update();
}

QRectF HistogramView::plot() const {
  const double line = fontMetrics().height();
  return QRectF(10, line + 8, width() - 20, height() - 2 * line - 16);
}

double HistogramView::heightOf(int64_t count) const {
  const int64_t most = std::max({int64_t{1}, first_->largest(), second_ ? second_->largest() : 0});
  if (count <= 0) return 0;
  return logCounts_ ? std::log1p(static_cast<double>(count)) / std::log1p(static_cast<double>(most))
                    : static_cast<double>(count) / static_cast<double>(most);
}

void HistogramView::paintEvent(QPaintEvent*) {
  QPainter p(this);
  if (!first_) {
    p.setPen(theme_.mutedText);
    p.drawText(rect().adjusted(10, 6, -10, -6), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text_);
    return;
  }
  const QRectF area = plot();
  const auto bins = static_cast<double>(session::ValueHistogram::kBins);
  const QColor bar = theme_.forward.solid, other = theme_.backward.solid;
  p.setPen(Qt::NoPen);
  for (size_t i = 0; i < session::ValueHistogram::kBins; ++i) {
    const double left = std::round(area.left() + area.width() * static_cast<double>(i) / bins),
                 right = std::round(area.left() + area.width() * static_cast<double>(i + 1) / bins);
    double h = heightOf(first_->counts[i]) * area.height();
    if (first_->counts[i] > 0) h = std::max(h, 1.5);  // one element is not nothing
    p.setBrush(static_cast<int>(i) == hovered_ ? theme_.hover : bar);
    p.drawRect(QRectF(left, area.bottom() - h, std::max(right - left - 1, 1.0), h));
  }
  if (second_) {
    // A line over the bars: neither hides the other.
    QPolygonF line;
    for (size_t i = 0; i < session::ValueHistogram::kBins; ++i) {
      const double y = area.bottom() - heightOf(second_->counts[i]) * area.height();
      line << QPointF(area.left() + area.width() * static_cast<double>(i) / bins, y)
           << QPointF(area.left() + area.width() * static_cast<double>(i + 1) / bins, y);
    }
    p.setRenderHint(QPainter::Antialiasing, true);
    p.setPen(QPen(other, 1.6));
    p.setBrush(Qt::NoBrush);
    p.drawPolyline(line);
    p.setRenderHint(QPainter::Antialiasing, false);
  }
  p.setPen(QPen(theme_.border, 1));
  p.drawLine(area.bottomLeft(), area.bottomRight());
  // Where zero is.
  const double low = first_->edges.front(), high = first_->edges.back();
  if (!first_->logarithmic && low < 0 && high > 0) {
    const double x = std::round(area.left() + area.width() * (0 - low) / (high - low)) + 0.5;
    p.setPen(QPen(theme_.mutedText, 1, Qt::DotLine));
    p.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  }
  const QRectF below(area.left(), area.bottom() + 2, area.width(), fontMetrics().height());
  p.setPen(theme_.mutedText);
  const bool empty = first_->largest() == 0 && !second_;
  if (empty) {
    p.drawText(area, Qt::AlignCenter, first_->zeros ? tr("zeros only") : tr("no finite element"));
  } else {
    p.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, number(low));
    p.drawText(below, Qt::AlignRight | Qt::AlignVCenter, number(high));
  }
  if (first_->logarithmic) p.drawText(below, Qt::AlignHCenter | Qt::AlignVCenter, tr("absolute values, log"));
  // The hovered bin, else what is not in the bars.
  const QRectF above(area.left(), 2, area.width(), fontMetrics().height());
  p.setPen(theme_.text);
  if (hovered_ >= 0) {
    const auto i = static_cast<size_t>(hovered_);
    QString text =
        tr("%1 to %2: %3").arg(number(first_->edges[i]), number(first_->edges[i + 1])).arg(first_->counts[i]);
    if (second_) text += tr(", other run %1").arg(second_->counts[i]);
    p.drawText(above, Qt::AlignLeft | Qt::AlignVCenter, text);
    return;
  }
  QStringList parts;
  if (first_->below + first_->above) parts << tr("%1 outside").arg(first_->below + first_->above);
  if (first_->zeros) parts << tr("%1 zeros").arg(first_->zeros);
  if (first_->notFinite) parts << tr("%1 NaN or Inf").arg(first_->notFinite);
  p.setPen(first_->notFinite ? theme_.error : theme_.mutedText);
  p.drawText(above, Qt::AlignLeft | Qt::AlignVCenter, parts.join(QStringLiteral(", ")));
  p.setPen(theme_.mutedText);
  if (second_) {
    p.setPen(other);
    p.drawText(above, Qt::AlignRight | Qt::AlignVCenter, tr("line: run B"));
  } else if (!empty) {
    p.drawText(above, Qt::AlignRight | Qt::AlignVCenter, tr("fullest bin: %1").arg(first_->largest()));
  }
}

void HistogramView::mouseMoveEvent(QMouseEvent* event) {
  if (!first_) return;
  const QRectF area = plot();
  const double at = (event->position().x() - area.left()) / std::max(area.width(), 1.0);
  const int bin =
      at < 0 || at >= 1 ? -1 : static_cast<int>(at * static_cast<double>(session::ValueHistogram::kBins));
  if (bin == hovered_) return;
  hovered_ = bin;
  update();
}

void HistogramView::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

LayoutView::LayoutView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Layout in memory"));
}

void LayoutView::setTheme(const Theme& theme) {
  theme_ = theme;
  update();
}

void LayoutView::show(int64_t rows, int64_t columns, int64_t rowStep, int64_t columnStep) {
  rows_ = rows;
  columns_ = columns;
  rowStep_ = rowStep;
  columnStep_ = columnStep;
  setAccessibleDescription(tr("%1 rows, %2 elements apart; %3 columns, %4 apart")
                               .arg(rows)
                               .arg(rowStep)
                               .arg(columns)
                               .arg(columnStep));
  update();
}

void LayoutView::paintEvent(QPaintEvent*) {
  if (rows_ <= 0 || columns_ <= 0) return;
  QPainter p(this);
  const int rows = static_cast<int>(std::min<int64_t>(rows_, kMostShown)),
            columns = static_cast<int>(std::min<int64_t>(columns_, kMostShown));
  const double cell = std::min({(width() - 16.0) / columns, (height() - 8.0) / rows, 34.0});
  const double tall = std::min(cell, 20.0);
  const int64_t most =
      std::max<int64_t>(1, std::abs(rowStep_) * (rows - 1) + std::abs(columnStep_) * (columns - 1));
  QFont font = this->font();
  font.setPixelSize(10);
  p.setFont(font);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int64_t place = rowStep_ * r + columnStep_ * c;
      const double share = static_cast<double>(std::abs(place)) / static_cast<double>(most);
      const QRectF box(2 + cell * c, 2 + tall * r, cell - 1, tall - 1);
      const QColor fill = between(theme_.base, theme_.forward.solid, 0.08 + 0.55 * share);
      p.fillRect(box, fill);
      p.setPen(fill.lightnessF() > 0.5 ? QColor(0x10, 0x14, 0x1A) : QColor(Qt::white));
      if (cell >= 16) p.drawText(box, Qt::AlignCenter, QString::number(place));
    }
  p.setPen(theme_.mutedText);
  if (columns_ > columns)
    p.drawText(QRectF(2 + cell * columns, 2, 14, tall), Qt::AlignCenter, QStringLiteral("\u2026"));
  if (rows_ > rows)
    p.drawText(QRectF(2, 2 + tall * rows, cell, 12), Qt::AlignCenter, QStringLiteral("\u2026"));
}

}  // namespace descry::gui
