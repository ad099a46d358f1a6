#include "gui/canvas/text_cache.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace descry::gui {

namespace {

constexpr size_t kMostShaped = 20000;
constexpr size_t kMostBytes = 400;  // of one string: no box is wide enough for more

QString displayText(std::string_view s) {
  QString text = QString::fromUtf8(s.data(), qsizetype(std::min(s.size(), kMostBytes)));
  // Control characters would break the line or the box; they are shown as what they are.
  for (QChar& c : text) {
    if (c.category() == QChar::Other_Control) c = QChar(0x2423);
  }
  return text;
}

}  // namespace

QString shortened(const QString& text, const QFontMetricsF& metrics, double width) {
  qsizetype number = text.size();
  while (number > 0 && text[number - 1].isDigit()) --number;
  if (number == text.size() || number == 0 || text[number - 1] != QLatin1Char('_'))
    return metrics.elidedText(text, Qt::ElideRight, width);
  const double rest = width - metrics.horizontalAdvance(text.mid(number));
  const QString head = metrics.elidedText(text.left(number), Qt::ElideRight, rest);
  return head.isEmpty() ? metrics.elidedText(text, Qt::ElideRight, width) : head + text.mid(number);
}

TextCache::TextCache(const QFont& font) : base_(font) {}

uint32_t TextCache::intern(std::string_view text) {
  const auto [it, added] = ids_.try_emplace(text, uint32_t(strings_.size()));
  if (added) strings_.push_back(text);
  return it->second;
}

const QFont& TextCache::font(int pixelSize, Weight weight) {
  QFont& f = fonts_.try_emplace(pixelSize * 2 + weight, base_).first->second;
  if (f.pixelSize() != pixelSize) {
    f.setPixelSize(std::max(pixelSize, 1));
    f.setWeight(weight == Strong ? QFont::DemiBold : QFont::Normal);
    f.setHintingPreference(QFont::PreferNoHinting);  // same shape at every zoom
  }
  return f;
}

TextCache::Shaped& TextCache::shaped(uint32_t id, int pixelSize, Weight weight, int maxWidth) {
  const uint64_t key = uint64_t(id) << 32 | uint64_t(std::min(pixelSize, 255)) << 24 |
                       uint64_t(weight) << 20 | uint64_t(std::clamp(maxWidth, 0, 0xFFFFF));
  auto it = shaped_.find(key);
  if (it != shaped_.end()) return it->second;
  if (shaped_.size() >= kMostShaped) shaped_.clear();
  Shaped& s = shaped_[key];
  const QFontMetricsF metrics(font(pixelSize, weight));
  QString text = displayText(strings_[id]);
  if (maxWidth > 0 && metrics.horizontalAdvance(text) > maxWidth) text = shortened(text, metrics, maxWidth);
  s.text.setTextFormat(Qt::PlainText);
  s.text.setPerformanceHint(QStaticText::AggressiveCaching);
  s.text.setText(text);
  s.text.prepare(QTransform(), font(pixelSize, weight));
  s.width = float(metrics.horizontalAdvance(text));
  s.blank = text.isEmpty() || (maxWidth > 0 && text.size() < 2);  // a lone ellipsis says nothing
  return s;
}

double TextCache::width(uint32_t id, int pixelSize, Weight weight) {
  return shaped(id, pixelSize, weight, 0).width;
}

double TextCache::draw(QPainter& painter, QPointF at, uint32_t id, int pixelSize, Weight weight,
                       double maxWidth) {
  if (maxWidth < 1) return 0;
  Shaped* s = &shaped(id, pixelSize, weight, 0);
  if (s->width > maxWidth) s = &shaped(id, pixelSize, weight, int(maxWidth));
  if (s->blank) return 0;
  painter.setFont(font(pixelSize, weight));
  // Halves go up on both sides of zero, so that a text keeps its place when the picture is shifted.
  painter.drawStaticText(QPointF(std::floor(at.x() + 0.5), std::floor(at.y() + 0.5)), s->text);
  return s->width;
}

}  // namespace descry::gui
