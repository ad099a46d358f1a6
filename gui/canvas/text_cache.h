// Shapes each string once per size: laying out text anew in every frame is what makes plain QPainter graphs
// slow.
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QStaticText>
#include <QString>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace descry::gui {

/// As much as fits into `width`. Of `addmm_12`, the number is what tells it from its like: it stays.
QString shortened(const QString& text, const QFontMetricsF& metrics, double width);

class TextCache {
 public:
  explicit TextCache(const QFont& font);

  /// Strings are named by number from here on; equal strings share one. The text must outlive the cache.
  uint32_t intern(std::string_view text);
  std::string_view text(uint32_t id) const { return strings_[id]; }

  enum Weight : uint8_t { Normal, Strong };
  /// Width in pixels, unshortened.
  double width(uint32_t id, int pixelSize, Weight weight);
  static double lineHeight(int pixelSize) { return pixelSize * 1.2; }
  /// Draws within `maxWidth` (shortened with an ellipsis), top left at `at`; returns the width used. The
  /// painter's pen counts.
  double draw(QPainter& painter, QPointF at, uint32_t id, int pixelSize, Weight weight, double maxWidth);
  const QFont& font(int pixelSize, Weight weight);

 private:
  struct Shaped {
    QStaticText text;
    float width = 0;
    bool blank = false;  ///< nothing fits
  };
  Shaped& shaped(uint32_t id, int pixelSize, Weight weight, int maxWidth);

  QFont base_;
  std::vector<std::string_view> strings_;
  std::unordered_map<std::string_view, uint32_t> ids_;
  std::unordered_map<uint64_t, Shaped> shaped_;
  std::unordered_map<int, QFont> fonts_;
};

}  // namespace descry::gui
