#include "gui/canvas/hover_card.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace descry::gui {

namespace {

constexpr double kPad = 10, kGap = 10, kWidest = 420, kShadow = 6;
constexpr size_t kMostRows = 14;
constexpr int kMostLines = 4;

double lineHeight(const QFont& font) {
  return std::ceil(QFontMetricsF(font).height() + 2);
}

}  // namespace

HoverCardWidget::HoverCardWidget(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("canvasHoverCard"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
}

void HoverCardWidget::setTheme(const Theme& theme) {
  theme_ = theme;
  update();
}

QFont HoverCardWidget::titleFont() const {
  QFont font = interfaceFont();
  font.setPixelSize(13);
  font.setWeight(QFont::DemiBold);
  return font;
}

QFont HoverCardWidget::textFont() const {
  QFont font = interfaceFont();
  font.setPixelSize(12);
  return font;
}

void HoverCardWidget::showCard(const HoverCard& card, QPointF anchor) {
  card_ = card;
  if (card_.rows.size() > kMostRows) {
    const size_t more = card_.rows.size() - kMostRows + 1;
    card_.rows.resize(kMostRows - 1);
    card_.rows.emplace_back(QString(), tr("and %1 more").arg(more));
  }
  const QFontMetricsF title(titleFont()), text(textFont());
  double width = std::max(title.horizontalAdvance(card_.title), text.horizontalAdvance(card_.subtitle));
  labelWidth_ = 0;
  for (const auto& row : card_.rows) labelWidth_ = std::max(labelWidth_, text.horizontalAdvance(row.first));
  for (const auto& row : card_.rows)
    width = std::max(width, labelWidth_ + kGap + text.horizontalAdvance(row.second));
  const QSize room = parentWidget()->size();
  const double most = std::min(kWidest, room.width() - 2 * kShadow - 8.0);
  width = std::min(width + 2 * kPad, std::max(most, 80.0));
  // Values that are sentences break into lines; the rest stays as short as it is.
  lines_.clear();
  const double value = width - 2 * kPad - (labelWidth_ > 0 ? labelWidth_ + kGap : 0);
  double height = lineHeight(titleFont());
  for (const auto& row : card_.rows) {
    const QRectF needed =
        text.boundingRect(QRectF(0, 0, std::max(value, 40.0), 1e5), Qt::TextWordWrap, row.second);
    lines_.push_back(std::clamp(int(std::lround(needed.height() / text.lineSpacing())), 1, kMostLines));
    height += lineHeight(textFont()) * lines_.back();
  }
  if (!card_.subtitle.isEmpty()) height += lineHeight(textFont());
  if (!card_.rows.empty()) height += 7;
  resize(int(std::ceil(width + 2 * kShadow)), int(std::ceil(height + 2 * kPad - 4 + 2 * kShadow)));
  QPoint at = (anchor + QPointF(14, 14)).toPoint();
  if (at.x() + this->width() > room.width()) at.setX(int(anchor.x()) - 10 - this->width());
  if (at.y() + this->height() > room.height()) at.setY(int(anchor.y()) - 10 - this->height());
  at.setX(std::max(at.x(), 0));
  at.setY(std::max(at.y(), 0));
  move(at);
  show();
  raise();
  update();
}

void HoverCardWidget::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing, true);
  const QRectF box = QRectF(rect()).adjusted(kShadow, kShadow - 2, -kShadow, -kShadow - 2);
  p.setPen(Qt::NoPen);
  for (int i = int(kShadow); i > 0; --i) {
    p.setBrush(QColor(0, 0, 0, theme_.isDark() ? 26 : 9));
    p.drawRoundedRect(box.adjusted(-i, -i + 2, i, i + 2), 6 + i, 6 + i);
  }
  QColor fill = theme_.overlay;
  fill.setAlpha(255);
  p.setPen(QPen(theme_.overlayBorder, 1));
  p.setBrush(fill);
  p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);

  const double left = box.left() + kPad, width = box.width() - 2 * kPad;
  double y = box.top() + kPad - 2;
  auto line = [&](const QString& text, const QFont& font, const QColor& colour, double x, double room) {
    p.setFont(font);
    p.setPen(colour);
    p.drawText(QRectF(x, y, room, lineHeight(font)), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
               QFontMetricsF(font).elidedText(text, Qt::ElideRight, room));
  };
  line(card_.title, titleFont(), theme_.overlayText, left, width);
  y += lineHeight(titleFont());
  if (!card_.subtitle.isEmpty()) {
    line(card_.subtitle, textFont(), theme_.overlayMuted, left, width);
    y += lineHeight(textFont());
  }
  if (card_.rows.empty()) return;
  p.setPen(QPen(theme_.overlayBorder, 1));
  p.drawLine(QPointF(left, std::round(y + 3) + 0.5), QPointF(left + width, std::round(y + 3) + 0.5));
  y += 7;
  for (size_t i = 0; i < card_.rows.size(); ++i) {
    const auto& [label, value] = card_.rows[i];
    line(label, textFont(), theme_.overlayMuted, left, labelWidth_ + 1);
    const double x = left + (labelWidth_ > 0 ? labelWidth_ + kGap : 0);
    if (lines_[i] == 1) {
      line(value, textFont(), theme_.overlayText, x, left + width - x);
    } else {
      p.setFont(textFont());
      p.setPen(theme_.overlayText);
      p.drawText(QRectF(x, y, left + width - x, lineHeight(textFont()) * lines_[i]),
                 Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, value);
    }
    y += lineHeight(textFont()) * lines_[i];
  }
}

}  // namespace descry::gui
