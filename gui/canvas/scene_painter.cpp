#include "gui/canvas/scene_painter.h"

#include <QLocale>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/canvas/scene_topology.h"

namespace descry::gui {

namespace {

QRectF toQt(const ir::SceneRect& r) {
  return {r.x, r.y, r.w, r.h};
}

QRect pixelRect(const QRectF& r) {
  // Far outside, integers would overflow; cut well beyond any image.
  constexpr double kFar = 1 << 24;
  const QRectF c = r.intersected(QRectF(-kFar, -kFar, 2 * kFar, 2 * kFar));
  auto whole = [](double v) { return int(std::floor(v + 0.5)); };  // the same on both sides of zero
  const int left = whole(c.left()), top = whole(c.top());
  return QRect(QPoint(left, top),
               QPoint(std::max(whole(c.right()) - 1, left), std::max(whole(c.bottom()) - 1, top)));
}

}  // namespace

Detail detailFor(double h) {
  return h < 2    ? Detail::Density
         : h < 6  ? Detail::Boxes
         : h < 12 ? Detail::Groups
         : h < 26 ? Detail::Names
                  : Detail::Full;
}

ScenePainter::ScenePainter(const ir::Scene& scene, const SceneIndex& index, const SceneTopology& topology,
                           const QFont& font)
    : scene_(scene), index_(index), topology_(topology), text_(font) {
  strings_.reserve(scene.nodes.size());
  for (const ir::SceneNode& n : scene.nodes) {
    strings_.push_back({text_.intern(n.label), text_.intern(n.op), text_.intern(n.type)});
  }
  for (const ir::SceneGroup& g : scene.groups) {
    groupLabels_.push_back(text_.intern(g.label));
    ownTexts_.push_back(QLocale::c().toString(g.nodeCount).toStdString() +
                        (g.nodeCount == 1 ? " node" : " nodes"));
    groupCounts_.push_back(text_.intern(ownTexts_.back()));
  }
  setStyle(Theme::light(), ColourMode::Phase, false);
}

void ScenePainter::setStyle(const Theme& theme, ColourMode mode, bool symbolicEdges,
                            std::shared_ptr<const ir::Heat> heat) {
  theme_ = theme;
  symbolic_ = symbolicEdges;
  heat_ = ir::isHeatMode(mode) ? std::move(heat) : nullptr;
  colours_ = makeBoxColours(scene_, theme, mode, heat_.get());
}

Detail ScenePainter::detail(const View& view) const {
  return view.vector ? Detail::Full : detailFor(index_.typicalHeight() * view.camera.zoom / view.ratio);
}

void ScenePainter::paint(QImage& image, const QRect& clip, const Camera& camera, double ratio) {
  const QRect area = clip.intersected(image.rect());
  if (area.isEmpty()) return;
  const View view{camera, ratio, QRectF(area), false, QRectF(image.rect())};
  const Detail level = detail(view);
  PixelRaster(image, area).fill(area, theme_.canvas.rgb());
  if (level < Detail::Names) {
    paintRaster(image, area, view, level);
    return;
  }
  QPainter painter(&image);
  painter.setClipRect(area);
  paintGroups(painter, view);
  if (level == Detail::Full) {
    paintEdgesStyled(painter, view);
  } else {
    paintEdgesPlain(painter, view);
  }
  // Badges stand out of their box by up to half their size.
  const double margin = 14 * ratio;
  index_.boxesIn(camera.toScene(QRectF(area).adjusted(-margin, -margin, margin, margin)), boxesInView_);
  for (uint32_t box : boxesInView_) paintNode(painter, view, level, box, colours_.colours(box, dimmed(box)));
  paintGroupLabels(painter, view);
}

void ScenePainter::paintVector(QPainter& painter, const View& given) {
  View view = given;
  view.vector = true;
  painter.fillRect(view.visible, theme_.canvas);
  paintGroups(painter, view);
  paintEdgesStyled(painter, view);
  index_.boxesIn(view.camera.toScene(view.visible), boxesInView_);
  for (uint32_t box : boxesInView_)
    paintNode(painter, view, Detail::Full, box, colours_.colours(box, dimmed(box)));
  paintGroupLabels(painter, view);
}

void ScenePainter::paintRaster(QImage& image, const QRect& clip, const View& view, Detail level) {
  PixelRaster raster(image, clip);
  paintGroupsRaster(raster, view);
  paintEdgesRaster(image, clip, view, level);
  index_.boxesIn(view.camera.toScene(QRectF(clip).adjusted(-2, -2, 2, 2)), boxesInView_);
  // From here to the level with outlines, boxes turn gradually from solid blocks to washed ones.
  const double height = index_.typicalHeight() * view.camera.zoom / view.ratio;
  const double washed = std::clamp((height - 6) / 6, 0.0, 1.0) * 0.85;
  std::vector<std::pair<QRgb, QRgb>> fills;  // fill and frame by entry and brightness
  for (const auto& e : colours_.entries) {
    for (const BoxColours* c : {&e.normal, &e.dimmed}) {
      fills.emplace_back(mixed(c->solid, c->fill, washed).rgb(), mixed(c->solid, c->outline, washed).rgb());
    }
  }
  for (uint32_t box : boxesInView_) {
    const QRectF exact = view.camera.toScreen(toQt(scene_.nodes[box].rect));
    const auto& [fill, frame] = fills[size_t(colours_.of[box]) * 2 + (dimmed(box) ? 1 : 0)];
    if (level == Detail::Density) {
      raster.cover(exact, fill, dimmed(box) ? 0.12 : 0.3);
      continue;
    }
    const QRect rect = pixelRect(exact);
    raster.fill(rect, fill);
    if (washed > 0) raster.frame(rect, frame);
  }
  if (scene_.groups.empty()) return;
  QPainter painter(&image);
  painter.setClipRect(clip);
  for (uint32_t g : groupsInView_) {
    const QRectF rect = view.camera.toScreen(toQt(scene_.groups[g].rect));
    if (scene_.groups[g].folded && rect.height() >= 6 * view.ratio)
      paintCard(painter, view, g, !hits_.empty());
  }
  paintGroupLabels(painter, view);
}

void ScenePainter::paintGroupsRaster(PixelRaster& raster, const View& view) {
  index_.groupsIn(view.camera.toScene(view.visible.adjusted(-8, -8, 8, 8)), groupsInView_);
  for (uint32_t g : groupsInView_) {
    const ir::SceneGroup& group = scene_.groups[g];
    const QRectF exact = view.camera.toScreen(toQt(group.rect));
    const QRect rect = pixelRect(exact);
    if (group.folded) {
      raster.fill(rect, theme_.card.solid.rgb());
      continue;
    }
    if (rect.width() < 3 || rect.height() < 3) continue;
    raster.fill(rect, theme_.groupFillAt(topology_.groupDepth(int(g))).rgb());
    if (rect.height() >= 8) raster.frame(rect, theme_.groupOutline.rgb());
  }
}

void ScenePainter::paintGroups(QPainter& painter, const View& view) {
  index_.groupsIn(view.camera.toScene(view.visible.adjusted(-12, -12, 12, 12)), groupsInView_);
  painter.setRenderHint(QPainter::Antialiasing, true);
  const double radius = std::clamp(8 * view.camera.zoom, 3.0, 14.0 * view.ratio);
  const QRectF limit = view.visible.adjusted(-32, -32, 32, 32);
  for (uint32_t g : groupsInView_) {
    const ir::SceneGroup& group = scene_.groups[g];
    if (group.folded) {
      paintCard(painter, view, g, !hits_.empty());
      continue;
    }
    // Only what is near the view: filling a path of a million pixels for a strip of ten costs as much as the
    // million.
    const QRectF rect =
        view.vector ? snapped(view, group.rect) : snapped(view, group.rect).intersected(limit);
    painter.setPen(QPen(theme_.groupOutline, std::max(1.0, std::floor(view.ratio * theme_.lineScale))));
    painter.setBrush(theme_.groupFillAt(topology_.groupDepth(int(g))));
    painter.drawRoundedRect(rect, radius, radius);
  }
}

void ScenePainter::paintCard(QPainter& painter, const View& view, uint32_t g, bool dim) {
  const ir::SceneGroup& group = scene_.groups[g];
  const QRectF rect = snapped(view, group.rect);
  const BoxColours colours = dim ? faded(theme_.card, theme_.canvas, theme_.dimmed) : theme_.card;
  const double unit = view.camera.zoom, radius = std::clamp(5 * unit, 2.0, 10.0 * view.ratio);
  const double step = rect.height() >= 16 ? std::max(2.0, std::round(3 * unit)) : 0;
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setPen(QPen(colours.outline, std::max(1.0, std::floor(view.ratio * theme_.lineScale))));
  // The stack lies within the group's rectangle, so that it never covers a neighbour.
  for (int layer = step > 0 ? 2 : 0; layer >= 0; --layer) {
    const QRectF sheet = rect.adjusted(layer * step, (2 - layer) * step, (layer - 2) * step, -layer * step);
    painter.setBrush(layer == 0 ? colours.fill : mixed(colours.fill, colours.outline, 0.10 * layer));
    painter.drawRoundedRect(step > 0 ? sheet : rect, radius, radius);
  }
  const QRectF front = step > 0 ? rect.adjusted(0, 2 * step, -2 * step, 0) : rect;
  const double pad = std::clamp(8 * unit, 2.0, 16.0);
  const QRectF room = front.adjusted(pad, 0, -pad, 0);
  const int nameSize = int(std::clamp(std::round(12 * unit), 9.0 * view.ratio, 30.0 * view.ratio));
  const int countSize = int(std::clamp(std::round(10 * unit), 8.0 * view.ratio, 25.0 * view.ratio));
  const double nameHeight = TextCache::lineHeight(nameSize), countHeight = TextCache::lineHeight(countSize);
  auto line = [&](uint32_t id, int size, TextCache::Weight weight, double top) {
    const double width = std::min(text_.width(id, size, weight), room.width());
    text_.draw(painter, {room.center().x() - width / 2, top}, id, size, weight, room.width());
  };
  painter.setPen(colours.ink);
  if (room.height() >= nameHeight + countHeight) {
    const double top = room.center().y() - (nameHeight + countHeight) / 2;
    line(groupLabels_[g], nameSize, TextCache::Strong, top);
    painter.setPen(colours.mutedInk);
    line(groupCounts_[g], countSize, TextCache::Normal, top + nameHeight);
  } else if (room.height() >= nameHeight * 0.9) {
    line(groupLabels_[g], nameSize, TextCache::Strong, room.center().y() - nameHeight / 2);
  }
}

void ScenePainter::paintGroupLabels(QPainter& painter, const View& view) {
  if (scene_.groups.empty()) return;
  const int size = int(std::clamp(std::round(11 * view.camera.zoom), 10.0 * view.ratio, 22.0 * view.ratio));
  const double lineHeight = TextCache::lineHeight(size);
  const double header = headerHeight() * view.camera.zoom;
  const double pad = std::clamp(8 * view.camera.zoom, 4.0 * view.ratio, 14.0 * view.ratio);
  // A label is left out where it would cover that of the group around it.
  std::vector<std::pair<uint32_t, double>>
      bottoms;  // group, where the label of it or of a group around it ends
  auto bottomAround = [&](int group) {
    for (; group >= 0 && uint32_t(group) < scene_.groups.size();
         group = scene_.groups[uint32_t(group)].parent) {
      const auto it = std::lower_bound(bottoms.begin(), bottoms.end(), std::pair(uint32_t(group), -1e300));
      if (it != bottoms.end() && it->first == uint32_t(group)) return it->second;
      if (scene_.groups[uint32_t(group)].parent >= group) break;
    }
    return -1e300;
  };
  painter.setRenderHint(QPainter::Antialiasing, true);
  // Labels may reach into this clip from groups whose header is outside it, and from frames below it.
  index_.groupsIn(view.camera.toScene(view.visible.adjusted(-8, -8, 8, lineHeight + 8)), groupsInView_);
  for (uint32_t g : groupsInView_) {
    const ir::SceneGroup& group = scene_.groups[g];
    const double above = bottomAround(group.parent);
    bottoms.emplace_back(g, above);
    if (group.folded) continue;
    const QRectF rect = view.camera.toScreen(toQt(group.rect));
    const double room = rect.width() - 2 * pad;
    const double top = rect.top() + std::max((header - lineHeight) / 2, 2.0 * view.ratio);
    if (rect.height() < 2.2 * lineHeight || room < 3 * size) continue;
    const double name = text_.width(groupLabels_[g], size, TextCache::Strong);
    QRectF at(rect.left() + pad, top, std::min(name, room), lineHeight);
    // Without header room of its own at this zoom, a label stands where no box is.
    if (header < lineHeight) at = freeLabelPlace(view, rect, at, 3.0 * size);
    if (at.isEmpty() || at.top() < above) continue;
    bottoms.back().second = at.bottom();
    if (at.top() > view.visible.bottom() + 2 || at.bottom() < view.visible.top() - 2) continue;
    if (header < lineHeight) {
      // A plate keeps it readable over the lines that pass there.
      QColor plate = at.top() < rect.top() ? theme_.canvas : theme_.groupFillAt(topology_.groupDepth(int(g)));
      plate.setAlphaF(0.85f);
      painter.setPen(Qt::NoPen);
      painter.setBrush(plate);
      painter.drawRoundedRect(at.adjusted(-3, 0, 3, 0), 3, 3);
    }
    painter.setPen(theme_.groupText);
    const double used =
        text_.draw(painter, at.topLeft(), groupLabels_[g], size, TextCache::Strong, at.width());
    if (header < lineHeight) continue;
    const double gap = size * 0.7, rest = room - used - gap;
    const double count = text_.width(groupCounts_[g], size, TextCache::Normal);
    if (count <= rest) {
      text_.draw(painter, {rect.left() + pad + used + gap, top}, groupCounts_[g], size, TextCache::Normal,
                 rest);
    }
  }
}

/// Where the label of an open group covers no box: `at` as it is, above the frame, or as much of its line as
/// is free at one end; empty when less than `least` is. The same for every part of a picture.
QRectF ScenePainter::freeLabelPlace(const View& view, const QRectF& frame, const QRectF& at,
                                    double least) const {
  const double gap = 3 * view.ratio;
  // Boxes and folded groups that an area touches.
  const auto coveredBy = [&](const QRectF& area) {
    std::vector<uint32_t> found;
    std::vector<QRectF> out;
    const QRectF wide = area.adjusted(-gap, -view.ratio, gap, view.ratio);  // boxes are on whole pixels
    const auto add = [&](const ir::SceneRect& r) {
      if (const QRectF shown = view.camera.toScreen(toQt(r)); shown.intersects(wide)) out.push_back(shown);
    };
    index_.boxesIn(view.camera.toScene(wide), found);
    for (const uint32_t box : found) add(scene_.nodes[box].rect);
    index_.groupsIn(view.camera.toScene(wide), found);
    for (const uint32_t g : found)
      if (scene_.groups[g].folded) add(scene_.groups[g].rect);
    return out;
  };
  if (coveredBy(at).empty()) return at;
  const QRectF over(frame.left(), frame.top() - at.height(), at.width(), at.height());
  std::vector<uint32_t> groups;
  index_.groupsIn(view.camera.toScene(over), groups);
  const bool alone = std::all_of(groups.begin(), groups.end(), [&](uint32_t g) {
    // A neighbour would seem to have the label; the groups around would not.
    const QRectF other = view.camera.toScreen(toQt(scene_.groups[g].rect));
    return !other.intersects(over) || other.contains(frame.adjusted(1, 1, -1, -1));
  });
  if (alone && coveredBy(over).empty()) return over;
  double left = frame.right(), right = frame.left();
  for (const QRectF& r : coveredBy(QRectF(frame.left(), at.top(), frame.width(), at.height()))) {
    left = std::min(left, r.left());
    right = std::max(right, r.right());
  }
  const double before = left - gap - at.left(), behind = frame.right() - gap - (right + gap);
  if (std::max(before, behind) < least) return {};
  const double width = std::min(at.width(), std::max(before, behind));
  return {before >= behind ? at.left() : right + gap, at.top(), width, at.height()};
}

void ScenePainter::paintMap(QImage& image, const QRectF& area) {
  const double sx = image.width() / std::max(area.width(), 1e-6),
               sy = image.height() / std::max(area.height(), 1e-6);
  PixelRaster raster(image, image.rect());
  raster.fill(image.rect(), theme_.canvas.rgb());
  auto place = [&](const ir::SceneRect& r) {
    return QRectF((r.x - area.left()) * sx, (r.y - area.top()) * sy, r.w * sx, r.h * sy);
  };
  index_.groupsIn(area, groupsInView_);
  for (uint32_t g : groupsInView_) {
    const QRect rect = pixelRect(place(scene_.groups[g].rect));
    if (scene_.groups[g].folded) {
      raster.fill(rect, theme_.card.solid.rgb());
    } else if (topology_.groupDepth(int(g)) < 2 && rect.height() > 2) {
      raster.fill(rect, theme_.groupFillAt(topology_.groupDepth(int(g)) + 1).rgb());
    }
  }
  lines_.reset(image.rect());
  for (uint32_t e = 0; e < scene_.edges.size(); ++e) {
    const ir::SceneEdge& edge = scene_.edges[e];
    if (!edgeShown(e) || edge.pointCount < 2 ||
        uint64_t(edge.firstPoint) + edge.pointCount > scene_.points.size())
      continue;
    for (uint32_t p = edge.firstPoint; p + 1 < edge.firstPoint + edge.pointCount; ++p) {
      const ir::ScenePoint &a = scene_.points[p], &b = scene_.points[p + 1];
      const double x0 = (a.x - area.left()) * sx, y0 = (a.y - area.top()) * sy;
      const double x1 = (b.x - area.left()) * sx, y1 = (b.y - area.top()) * sy;
      if (std::abs(x1 - x0) < 2 && std::abs(y1 - y0) < 2) continue;
      lines_.add(x0, y0, x1, y1, edge.kind == ir::EdgeKind::Saved ? LineField::Marked : LineField::Plain);
    }
  }
  lines_.paint(image, theme_.edge.rgb(), theme_.edgeSaved.rgb(), 0.14);
  index_.boxesIn(area, boxesInView_);
  for (uint32_t box : boxesInView_) {
    raster.cover(place(scene_.nodes[box].rect), colours_.colours(box, false).solid.rgb(), 0.35);
  }
}

}  // namespace descry::gui
