#include "gui/panels/text/text_view.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

#include "gui/models/fx_syntax.h"

namespace descry::gui {
namespace {

constexpr int kPadding = 8;
constexpr int kMarkWidth = 3;
// A line longer than this is coloured and drawn only in the part around the visible columns.
constexpr size_t kLongLine = 4000;
constexpr qint64 kMostCopied = 32 << 20;

QColor spanColour(const Theme& theme, SpanKind kind) {
  switch (kind) {
    case SpanKind::Plain:
      return theme.text;
    case SpanKind::Comment:
      return theme.syntaxComment;
    case SpanKind::Keyword:
      return theme.syntaxKeyword;
    case SpanKind::String:
      return theme.syntaxString;
    case SpanKind::Number:
      return theme.syntaxNumber;
    case SpanKind::Name:
      return theme.syntaxName;
    case SpanKind::Type:
      return theme.syntaxType;
  }
  return theme.text;
}

QColor faded(QColor colour, float alpha) {
  colour.setAlphaF(alpha);
  return colour;
}

}  // namespace

TextView::TextView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setCursor(Qt::IBeamCursor);
  setFont(codeFont());
  updateMetrics();
}

void TextView::updateMetrics() {
  const QFontMetricsF metrics(font());
  charWidth_ = metrics.horizontalAdvance(QLatin1Char('0'));
  lineHeight_ = static_cast<int>(std::ceil(metrics.height())) + 3;
  ascent_ = static_cast<int>(std::ceil(metrics.ascent())) + 1;
  updateBars();
}

void TextView::setLines(std::shared_ptr<const TextLines> lines) {
  lines_ = std::move(lines);
  caret_ = anchor_ = -1;
  verticalScrollBar()->setValue(0);
  horizontalScrollBar()->setValue(0);
  updateBars();
  viewport()->update();
}

void TextView::setTheme(const Theme& theme) {
  theme_ = theme;
  viewport()->update();
}

void TextView::setPlaceholder(const QString& text) {
  placeholder_ = text;
  viewport()->update();
}

void TextView::setMarks(std::function<bool(ir::NodeId)> selected, std::function<bool(ir::NodeId)> hit) {
  selected_ = std::move(selected);
  hit_ = std::move(hit);
  viewport()->update();
}

int TextView::visibleLines() const {
  return std::max(1, viewport()->height() / lineHeight_);
}

int64_t TextView::firstVisibleLine() const {
  return verticalScrollBar()->value();
}

int TextView::gutterWidth() const {
  const int digits = static_cast<int>(std::to_string(std::max<int64_t>(lineCount(), 99)).size());
  return static_cast<int>(charWidth_ * digits) + 2 * kPadding + kMarkWidth;
}

void TextView::updateBars() {
  const int page = visibleLines();
  verticalScrollBar()->setPageStep(page);
  verticalScrollBar()->setRange(0, static_cast<int>(std::max<int64_t>(0, lineCount() - page)));
  const int width = lines_ ? static_cast<int>(std::min(charWidth_ * (lines_->widest() + 2), 1.0e9)) : 0;
  const int space = viewport()->width() - gutterWidth();
  horizontalScrollBar()->setPageStep(std::max(1, space));
  horizontalScrollBar()->setSingleStep(static_cast<int>(charWidth_ * 4));
  horizontalScrollBar()->setRange(0, std::max(0, width - space));
}

void TextView::showLine(int64_t line) {
  if (line < 0 || line >= lineCount()) {
    caret_ = anchor_ = -1;
    viewport()->update();
    return;
  }
  caret_ = anchor_ = line;
  const int64_t first = firstVisibleLine();
  if (line < first || line >= first + visibleLines())
    verticalScrollBar()->setValue(static_cast<int>(std::max<int64_t>(0, line - visibleLines() / 3)));
  viewport()->update();
}

int TextView::lineAt(int y) const {
  const int64_t line = firstVisibleLine() + y / lineHeight_;
  return static_cast<int>(std::clamp<int64_t>(line, 0, std::max<int64_t>(0, lineCount() - 1)));
}

void TextView::moveCaret(int64_t line, bool extend) {
  if (!lineCount()) return;
  line = std::clamp<int64_t>(line, 0, lineCount() - 1);
  const int64_t anchor = extend && anchor_ >= 0 ? anchor_ : line;
  showLine(line);
  anchor_ = anchor;
  emit linesChosen(std::min(anchor_, caret_), std::max(anchor_, caret_));
}

QString TextView::selectedText() const {
  QString text;
  if (!lines_ || caret_ < 0) return text;
  for (int64_t l = std::min(anchor_, caret_); l <= std::max(anchor_, caret_) && text.size() < kMostCopied;
       ++l) {
    const std::string_view line = lines_->line(static_cast<uint32_t>(l));
    text += QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size())) + QLatin1Char('\n');
  }
  return text;
}

void TextView::drawLine(QPainter& painter, uint32_t line, qreal y, qreal left) const {
  std::string_view text = lines_->line(line);
  qreal x = left - horizontalScrollBar()->value();
  if (text.size() > kLongLine) {
    // Columns are bytes here: such lines are almost always ASCII, and a shift of some letters hurts nobody.
    const auto skip = static_cast<size_t>(std::max(0.0, horizontalScrollBar()->value() / charWidth_ - 200));
    const size_t from = std::min(skip, text.size());
    text = text.substr(from, kLongLine);
    while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0) == 0x80) text.remove_prefix(1);
    x += charWidth_ * static_cast<qreal>(from);
  }
  const qreal right = viewport()->width();
  for (const TextSpan& span : fxSpans(text)) {
    const QString piece = QString::fromUtf8(text.data() + span.begin, span.length);
    const qreal width = charWidth_ * static_cast<qreal>(piece.size());
    if (x + width > left - charWidth_ && x < right) {
      painter.setPen(spanColour(theme_, span.kind));
      painter.drawText(QPointF(x, y + ascent_), piece);
    }
    x += width;
    if (x > right) break;
  }
}

void TextView::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  painter.fillRect(event->rect(), theme_.base);
  painter.setFont(font());
  if (!lines_) {
    painter.setFont(interfaceFont());
    painter.setPen(theme_.mutedText);
    painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap, placeholder_);
    return;
  }
  const int gutter = gutterWidth();
  const int width = viewport()->width();
  const int64_t first = firstVisibleLine();
  const int64_t last = std::min<int64_t>(lineCount(), first + viewport()->height() / lineHeight_ + 2);
  const int64_t from = std::min(anchor_, caret_), to = std::max(anchor_, caret_);
  for (int64_t l = first; l < last; ++l) {
    const auto line = static_cast<uint32_t>(l);
    const int y = static_cast<int>(l - first) * lineHeight_;
    const ir::NodeId node = lines_->nodeAt(line);
    const bool selected = node && selected_ && selected_(node);
    if (selected)
      painter.fillRect(gutter, y, width - gutter, lineHeight_, faded(theme_.accent, 0.16f));
    else if (l >= from && l <= to && from >= 0)
      painter.fillRect(gutter, y, width - gutter, lineHeight_, faded(theme_.mutedText, 0.10f));
    painter.save();
    painter.setClipRect(gutter, y, width - gutter, lineHeight_);
    drawLine(painter, line, y, gutter);
    painter.restore();
    if (selected)
      painter.fillRect(0, y, kMarkWidth, lineHeight_, theme_.accent);
    else if (node && hit_ && hit_(node))
      painter.fillRect(0, y, kMarkWidth, lineHeight_, theme_.warning);
    painter.setPen(l == caret_ || selected ? theme_.text : theme_.mutedText);
    painter.drawText(QRect(0, y, gutter - kPadding, lineHeight_), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(l + 1));
  }
}

void TextView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  updateBars();
}

void TextView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !lines_) return QAbstractScrollArea::mousePressEvent(event);
  moveCaret(lineAt(static_cast<int>(event->position().y())), event->modifiers() & Qt::ShiftModifier);
}

void TextView::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton) || !lines_) return;
  const int64_t line =
      firstVisibleLine() + static_cast<int64_t>(std::floor(event->position().y() / lineHeight_));
  if (line != caret_) moveCaret(line, true);
}

bool TextView::event(QEvent* event) {
  // Copy belongs to this view while it has the focus, not to the window's "copy name".
  if (event->type() == QEvent::ShortcutOverride) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key == QKeySequence::Copy || key == QKeySequence::SelectAll) {
      event->accept();
      return true;
    }
  }
  return QAbstractScrollArea::event(event);
}

void TextView::keyPressEvent(QKeyEvent* event) {
  const bool extend = event->modifiers() & Qt::ShiftModifier;
  if (event == QKeySequence::Copy) {
    QApplication::clipboard()->setText(selectedText());
    return;
  }
  if (event == QKeySequence::SelectAll) {
    anchor_ = 0;
    moveCaret(lineCount() - 1, true);
    return;
  }
  switch (event->key()) {
    case Qt::Key_Up:
      return moveCaret(caret_ - 1, extend);
    case Qt::Key_Down:
      return moveCaret(caret_ + 1, extend);
    case Qt::Key_PageUp:
      return moveCaret(caret_ - visibleLines(), extend);
    case Qt::Key_PageDown:
      return moveCaret(caret_ + visibleLines(), extend);
    case Qt::Key_Home:
      return moveCaret(0, extend);
    case Qt::Key_End:
      return moveCaret(lineCount() - 1, extend);
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

void TextView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) updateMetrics();
  QAbstractScrollArea::changeEvent(event);
}

}  // namespace descry::gui
