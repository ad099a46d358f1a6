#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/canvas/node_shapes.h"
#include "gui/canvas/scene_painter.h"
#include "gui/canvas/scene_topology.h"

namespace descry::gui {

QRectF ScenePainter::snapped(const View& view, const ir::SceneRect& r) const {
  const QRectF exact = view.camera.toScreen(QRectF(r.x, r.y, r.w, r.h));
  if (view.vector) return exact;
  // Outlines on pixel centres stay one crisp pixel; each edge is rounded alone, so neighbours keep their
  // distance. Halves go up on both sides of zero: a shifted picture must not change.
  auto whole = [](double v) { return std::floor(v + 0.5); };
  const double left = whole(exact.left()) + 0.5, top = whole(exact.top()) + 0.5;
  return QRectF(QPointF(left, top), QPointF(std::max(whole(exact.right()) - 0.5, left + 1),
                                            std::max(whole(exact.bottom()) - 0.5, top + 1)));
}

QPainterPath ScenePainter::boxOutline(const View& view, uint32_t box) const {
  const ir::SceneNode& n = scene_.nodes[box];
  return nodeShape(snapped(view, n.rect), n.role, n.phase, view.camera.zoom).outline;
}

void ScenePainter::paintNode(QPainter& painter, const View& view, Detail detail, uint32_t box,
                             const BoxColours& colours) {
  const ir::SceneNode& n = scene_.nodes[box];
  const QRectF rect = snapped(view, n.rect);
  const NodeShape shape = nodeShape(rect, n.role, n.phase, view.camera.zoom);
  const double line =
      std::max(1.0, std::round(1.1 * view.ratio * theme_.lineScale * (detail == Detail::Full ? 1.15 : 1)));
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.fill);
  painter.drawPath(shape.outline);
  if (detail == Detail::Full && n.role != ir::NodeRole::Constant) {
    if (n.phase == ir::Phase::Either) {
      // Split fill: needed by the backward, computed without a tangent.
      QPainterPath half;
      half.moveTo(rect.topRight());
      half.lineTo(rect.bottomRight());
      half.lineTo(rect.left() + rect.width() * 0.35, rect.bottom());
      half.lineTo(rect.left() + rect.width() * 0.65, rect.top());
      half.closeSubpath();
      painter.setBrush(mixed(colours.fill, colours.outline, 0.12));
      painter.drawPath(shape.outline.intersected(half));
    } else if (n.phase == ir::Phase::Backward && view.camera.zoom / view.ratio >= 1.25 && !view.vector) {
      QBrush hatch(mixed(colours.fill, colours.outline, 0.12), Qt::BDiagPattern);
      painter.setBrushOrigin(view.camera.offset);  // moves with the picture
      painter.setBrush(hatch);
      painter.drawPath(shape.outline);
    }
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colours.outline, line));
  painter.drawPath(shape.outline);
  if (!shape.marks.isEmpty()) {
    painter.setRenderHint(QPainter::Antialiasing, view.vector);
    painter.drawPath(shape.marks);
    painter.setRenderHint(QPainter::Antialiasing, true);
  }
  if (!shape.dot.isEmpty()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.outline);
    painter.drawEllipse(shape.dot);
  }
  paintNodeText(painter, view, detail, box, colours, shape.text);
  paintStrip(painter, view, box, colours, rect);
  const uint16_t badges = n.badges | (marks_ && n.outputSlot < 0 ? marks_->badgesOf(n.node) : uint16_t{0});
  if (badges) paintBadges(painter, view, detail, box, rect, badges);
}

/// The range of a value along the lower edge, on the axis that all boxes share, with a tick at zero.
void ScenePainter::paintStrip(QPainter& painter, const View& view, uint32_t box, const BoxColours& colours,
                              const QRectF& rect) {
  const ir::SceneNode& n = scene_.nodes[box];
  if (!heat_ || n.outputSlot >= 0 || n.node.index >= heat_->strips.size()) return;
  const ir::HeatStrip& strip = heat_->strips[n.node.index];
  if (strip.high < strip.low || rect.height() < 14 * view.ratio || rect.width() < 30 * view.ratio) return;
  const double height = std::clamp(rect.height() * 0.1, 2.0 * view.ratio, 5.0 * view.ratio);
  const QRectF axis(rect.left() + 5 * view.ratio, rect.bottom() - height - 2 * view.ratio,
                    rect.width() - 10 * view.ratio, height);
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setPen(Qt::NoPen);
  painter.setBrush(mixed(colours.fill, colours.ink, 0.2));
  painter.drawRect(axis);
  const double left = axis.left() + axis.width() * double(strip.low);
  const double wide = std::max(axis.width() * double(strip.high - strip.low), 1.5 * view.ratio);
  painter.setBrush(colours.ink);
  painter.drawRect(QRectF(left, axis.top(), wide, axis.height()));
  const double zero = axis.left() + axis.width() * double(heat_->stripZero);
  painter.setPen(QPen(mixed(colours.fill, colours.ink, 0.6), std::max(1.0, view.ratio)));
  painter.drawLine(QPointF(zero, axis.top() - 1.5 * view.ratio),
                   QPointF(zero, axis.bottom() + 1 * view.ratio));
}

void ScenePainter::paintNodeText(QPainter& painter, const View& view, Detail detail, uint32_t box,
                                 const BoxColours& colours, QRectF room) {
  const ir::SceneNode& n = scene_.nodes[box];
  const Strings& s = strings_[box];
  const bool onCanvas = n.role == ir::NodeRole::Constant;
  const QColor ink = onCanvas && !dimmed(box) ? theme_.text : colours.ink;
  auto centred = [&](uint32_t id, int size, TextCache::Weight weight, double top) {
    const double width = std::min(text_.width(id, size, weight), room.width());
    const double left = onCanvas ? room.left() : room.center().x() - width / 2;
    text_.draw(painter, {left, top}, id, size, weight, room.width());
  };
  const double height = room.height();
  painter.setPen(ink);
  if (detail != Detail::Full) {
    const uint32_t text = n.op.empty() ? s.label : s.op;
    int size = int(std::clamp(std::floor(height * 0.62), 8.0 * view.ratio, 13.0 * view.ratio));
    // A smaller name says more than the first letters of it.
    const double wide = text_.width(text, size, TextCache::Normal) / room.width();
    if (wide > 1) size = int(std::max(std::floor(size / wide), 8.0 * view.ratio));
    centred(text, size, TextCache::Normal, room.center().y() - TextCache::lineHeight(size) / 2);
    return;
  }
  int nameSize = int(std::clamp(std::round(12 * view.camera.zoom), 9.0 * view.ratio, 30.0 * view.ratio));
  if (const double wide = text_.width(s.label, nameSize, TextCache::Strong) / room.width(); wide > 1)
    nameSize = int(std::max(std::floor(nameSize / wide), std::min(8.0 * view.ratio, double(nameSize))));
  const int typeSize =
      int(std::clamp(std::round(10 * view.camera.zoom), 8.0 * view.ratio, 25.0 * view.ratio));
  const double nameHeight = TextCache::lineHeight(nameSize), typeHeight = TextCache::lineHeight(typeSize);
  if (n.type.empty()) {
    centred(s.label, nameSize, TextCache::Strong, room.center().y() - nameHeight / 2);
  } else if (height >= nameHeight + typeHeight) {
    const double top = room.center().y() - (nameHeight + typeHeight) / 2;
    centred(s.label, nameSize, TextCache::Strong, top);
    painter.setPen(onCanvas && !dimmed(box) ? theme_.mutedText : colours.mutedInk);
    centred(s.type, typeSize, TextCache::Normal, top + nameHeight);
  } else {
    // One line: the type only where it fits beside the whole name.
    const double name = text_.width(s.label, nameSize, TextCache::Strong);
    const double type = text_.width(s.type, typeSize, TextCache::Normal), gap = nameSize * 0.6;
    const double top = room.center().y() - nameHeight / 2;
    if (name + gap + type > room.width()) {
      centred(s.label, nameSize, TextCache::Strong, top);
      return;
    }
    const double left = room.center().x() - (name + gap + type) / 2;
    text_.draw(painter, {left, top}, s.label, nameSize, TextCache::Strong, room.width());
    painter.setPen(onCanvas && !dimmed(box) ? theme_.mutedText : colours.mutedInk);
    text_.draw(painter, {left + name + gap, top + (nameHeight - typeHeight) * 0.7}, s.type, typeSize,
               TextCache::Normal, room.width());
  }
}

void ScenePainter::paintBadges(QPainter& painter, const View& view, Detail detail, uint32_t box,
                               const QRectF& rect, uint16_t set) {
  struct Badge {
    uint16_t bit;
    const char* glyph;
    QColor colour;
  };
  const Badge badges[] = {{ir::kBadgeProblem, "!", theme_.badgeProblem},
                          {ir::kBadgeMismatch, "~", theme_.warning},
                          {ir::kBadgeSaved, "$", theme_.badgeSaved},
                          {ir::kBadgeRecomputed, "@", theme_.badgeRecomputed},
                          {ir::kBadgeInferred, "?", theme_.badgeInferred}};
  const bool glyphs = detail == Detail::Full;
  const double size =
      glyphs ? std::clamp(12 * view.camera.zoom, 11.0 * view.ratio, 22.0 * view.ratio) : 5 * view.ratio;
  if (!glyphs && rect.height() < 16 * view.ratio) return;
  // On the corner: within the box it would lie over the end of the name.
  double right = rect.right() + size / 2;
  for (const Badge& b : badges) {
    if (!(set & b.bit)) continue;
    const QRectF chip(right - size, rect.top() - size / 2, size, size);
    right -= size * 1.12;
    if (chip.left() < rect.left()) break;
    const QColor colour = dimmed(box) ? mixed(b.colour, theme_.canvas, 1 - theme_.dimmed) : b.colour;
    painter.setPen(QPen(theme_.canvas, 1.5 * view.ratio));
    painter.setBrush(colour);
    painter.drawEllipse(chip);
    if (!glyphs) continue;
    painter.setPen(colour.lightnessF() < 0.6 ? QColor(Qt::white) : QColor(Qt::black));
    painter.setFont(text_.font(std::max(int(size * 0.72), 7), TextCache::Strong));
    painter.drawText(chip, Qt::AlignCenter, QLatin1String(b.glyph));
  }
}

void ScenePainter::paintBox(QPainter& painter, const View& view, uint32_t box) {
  if (!topology_.drawn(box)) return;
  const Detail level = detail(view);
  const BoxColours& colours = colours_.colours(box, false);
  if (level >= Detail::Names) {
    paintNode(painter, view, level, box, colours);
    return;
  }
  const ir::SceneRect& r = scene_.nodes[box].rect;
  QRectF rect = view.camera.toScreen(QRectF(r.x, r.y, r.w, r.h));
  const double least = 2 * view.ratio;  // a lifted box must be seen at any zoom
  if (rect.width() < least) rect.adjust(-(least - rect.width()) / 2, 0, (least - rect.width()) / 2, 0);
  if (rect.height() < least) rect.adjust(0, -(least - rect.height()) / 2, 0, (least - rect.height()) / 2);
  painter.fillRect(rect, colours.solid);
}

}  // namespace descry::gui
