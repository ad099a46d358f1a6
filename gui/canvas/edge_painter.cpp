#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "gui/canvas/scene_painter.h"

namespace descry::gui {

namespace {

constexpr double kMargin = 64;  // pixels beyond the view where a line may be cut
// More edges than this in one view are drawn plainly: nobody can follow them one by one, and styled strokes
// of thousands of long lines take seconds.
constexpr size_t kMostStyledEdges = 500;

// Part of a-b within `area`, by Liang and Barsky; false when there is none.
bool clipLine(QPointF& a, QPointF& b, const QRectF& area) {
  const QPointF d = b - a;
  double t0 = 0, t1 = 1;
  const double p[4] = {-d.x(), d.x(), -d.y(), d.y()};
  const double q[4] = {a.x() - area.left(), area.right() - a.x(), a.y() - area.top(), area.bottom() - a.y()};
  for (int i = 0; i < 4; ++i) {
    if (p[i] == 0) {
      if (q[i] < 0) return false;
      continue;
    }
    const double t = q[i] / p[i];
    if (p[i] < 0) {
      t0 = std::max(t0, t);
    } else {
      t1 = std::min(t1, t);
    }
  }
  if (t0 > t1) return false;
  const QPointF start = a;
  a = start + d * t0;
  b = start + d * t1;
  return true;
}

// Right angles with rounded corners.
QPainterPath roundedPath(const std::vector<QPointF>& points, double radius) {
  QPainterPath path(points.front());
  for (size_t i = 1; i + 1 < points.size(); ++i) {
    const QPointF &before = points[i - 1], &at = points[i], &after = points[i + 1];
    const QPointF in = at - before, out = after - at;
    const double inLength = std::hypot(in.x(), in.y()), outLength = std::hypot(out.x(), out.y());
    const double r = std::min({radius, inLength / 2, outLength / 2});
    if (r < 0.75) {
      path.lineTo(at);
      continue;
    }
    path.lineTo(at - in * (r / inLength));
    path.quadTo(at, at + out * (r / outLength));
  }
  path.lineTo(points.back());
  return path;
}

// The dashes of a line from `from` to `to` that lie between `a` and `b` on it, `travelled` pixels after the
// edge began. Qt's own dashes start where the clip does, so that they would not meet where two parts of a
// picture join.
void addDashes(std::vector<QLineF>& out, Qt::PenStyle style, double width, QPointF from, QPointF to,
               QPointF a, QPointF b, double travelled) {
  const double length = std::hypot(to.x() - from.x(), to.y() - from.y());
  if (length <= 0) return;
  const QPointF along = (to - from) / length;
  const double w = std::max(width, 1.0);
  std::array<std::pair<double, double>, 2> marks = {{{0, 4 * w}, {0, 0}}};  // start and end within the period
  double period = 7 * w;
  if (style == Qt::DotLine) {
    marks[0] = {0, 0.01};
    period = std::max(2.6 * w, 3.0);
  } else if (style == Qt::DashDotLine) {
    marks = {{{0, 5 * w}, {7 * w, 8.5 * w}}};
    period = 10.5 * w;
  }
  const double start = travelled + std::hypot(a.x() - from.x(), a.y() - from.y());
  const double end = start + std::hypot(b.x() - a.x(), b.y() - a.y());
  for (double base = std::floor(start / period) * period; base < end; base += period) {
    for (const auto& [on, off] : marks) {
      const double s = std::max(base + on, travelled), e = std::min(base + off, travelled + length);
      if (e > s) out.emplace_back(from + along * (s - travelled), from + along * (e - travelled));
    }
  }
}

// Joins lines of one row or column that touch or overlap: a thousand edges often share thirty rows.
void mergeLines(std::vector<QLineF>& lines) {
  std::vector<QLineF> out;
  for (const bool rows : {true, false}) {
    std::vector<std::array<double, 3>> spans;  // place across, start, end
    for (const QLineF& l : lines) {
      const bool row = l.y1() == l.y2();
      if (row != rows || (!row && l.x1() != l.x2())) continue;
      if (row)
        spans.push_back({l.y1(), std::min(l.x1(), l.x2()), std::max(l.x1(), l.x2())});
      else
        spans.push_back({l.x1(), std::min(l.y1(), l.y2()), std::max(l.y1(), l.y2())});
    }
    std::sort(spans.begin(), spans.end());
    for (size_t i = 0; i < spans.size();) {
      auto [across, from, to] = spans[i];
      for (++i; i < spans.size() && spans[i][0] == across && spans[i][1] <= to; ++i)
        to = std::max(to, spans[i][2]);
      if (rows)
        out.emplace_back(from, across, to, across);
      else
        out.emplace_back(across, from, across, to);
    }
  }
  for (const QLineF& l : lines)
    if (l.x1() != l.x2() && l.y1() != l.y2()) out.push_back(l);
  lines.swap(out);
}

// A row or column of dots as a texture that is tied to the picture, not to where a line begins: one fill
// instead of a stroke per dot, and parts of a picture meet.
QBrush dotBrush(const QColor& colour, double width, bool row) {
  const int dot = std::max(1, int(std::round(width))), period = std::max(3, int(std::round(2.6 * width)));
  QImage image(row ? period : 1, row ? 1 : period, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  for (int i = 0; i < dot; ++i) image.setPixelColor(row ? i : 0, row ? 0 : i, colour);
  return QBrush(image);
}

}  // namespace

struct ScenePainter::EdgeLook {
  QColor colour;
  double width = 1;
  Qt::PenStyle style = Qt::SolidLine;
  bool doubled = false;
};

bool ScenePainter::edgeShown(uint32_t edge) const {
  return edge < scene_.edges.size() && (symbolic_ || scene_.edges[edge].kind != ir::EdgeKind::SymbolicSize);
}

ScenePainter::EdgeLook ScenePainter::look(const ir::SceneEdge& e, double unit) const {
  EdgeLook look;
  look.colour = theme_.edgeColour(e.kind);
  constexpr std::array<double, 4> kWidths = {1.0, 1.3, 1.7, 2.2};
  look.width =
      kWidths[size_t(std::clamp<int>(e.width, 1, 4) - 1)] * std::clamp(unit, 0.7, 1.6) * theme_.lineScale;
  switch (e.kind) {
    case ir::EdgeKind::Saved:
      look.doubled = true;
      break;
    case ir::EdgeKind::Alias:
      look.style = Qt::DotLine;
      break;
    case ir::EdgeKind::Mutation:
      look.style = Qt::DashDotLine;
      break;
    case ir::EdgeKind::Control:
      look.style = Qt::DashLine;
      look.width = 0.9 * theme_.lineScale;
      break;
    case ir::EdgeKind::SymbolicSize:
      look.width = 0.6 * theme_.lineScale;
      break;
    case ir::EdgeKind::Data:
      break;
  }
  return look;
}

void ScenePainter::paintEdgesRaster(QImage& image, const QRect& clip, const View& view, Detail detail) {
  lines_.reset(clip);
  const Camera& camera = view.camera;
  const QRectF scene = camera.toScene(QRectF(clip).adjusted(-1, -1, 1, 1));
  index_.segmentsIn(scene, segmentsInView_);
  for (const SceneIndex::Segment& s : segmentsInView_) {
    const ir::SceneEdge& e = scene_.edges[s.edge];
    if (e.kind == ir::EdgeKind::SymbolicSize && !symbolic_) continue;
    const ir::ScenePoint &a = scene_.points[s.point], &b = scene_.points[s.point + 1];
    const double x0 = a.x * camera.zoom + camera.offset.x(), y0 = a.y * camera.zoom + camera.offset.y();
    const double x1 = b.x * camera.zoom + camera.offset.x(), y1 = b.y * camera.zoom + camera.offset.y();
    if (std::abs(x1 - x0) < 1 && std::abs(y1 - y0) < 1) continue;
    lines_.add(x0, y0, x1, y1, e.kind == ir::EdgeKind::Saved ? LineField::Marked : LineField::Plain);
  }
  double opacity = detail == Detail::Density ? 0.16 : detail == Detail::Boxes ? 0.26 : 0.45;
  if (!hits_.empty()) opacity *= theme_.dimmed;
  lines_.paint(image, theme_.edge.rgb(), theme_.edgeSaved.rgb(), opacity);
}

void ScenePainter::paintEdgesPlain(QPainter& painter, const View& view) {
  const QRectF scene = view.camera.toScene(view.visible.adjusted(-4, -4, 4, 4));
  index_.segmentsIn(scene, segmentsInView_);
  // One call per kind, width and brightness; saved edges last, over the rest.
  std::map<std::tuple<bool, int, int>, std::vector<QLineF>> batches;
  const QRectF limit = view.visible.adjusted(-kMargin, -kMargin, kMargin, kMargin);
  for (const SceneIndex::Segment& s : segmentsInView_) {
    const ir::SceneEdge& e = scene_.edges[s.edge];
    if (!edgeShown(s.edge)) continue;
    const ir::ScenePoint &p = scene_.points[s.point], &q = scene_.points[s.point + 1];
    QPointF a = view.camera.toScreen(QPointF(p.x, p.y)), b = view.camera.toScreen(QPointF(q.x, q.y));
    if (std::abs(a.x() - b.x()) < 0.5 && std::abs(a.y() - b.y()) < 0.5) continue;
    if (!clipLine(a, b, limit)) continue;
    const int width = std::max(1, int(std::round(look(e, view.camera.zoom).width * view.ratio)));
    // Whole pixels: lines of neighbouring clips must meet.
    batches[{!edgeDimmed(e), int(e.kind), width}].emplace_back(std::floor(a.x()), std::floor(a.y()),
                                                               std::floor(b.x()), std::floor(b.y()));
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (auto& [key, lines] : batches) {
    mergeLines(lines);
    const auto [bright, kind, width] = key;
    QColor colour = mixed(theme_.edgeColour(ir::EdgeKind(kind)), theme_.canvas, 0.25);
    if (!bright) colour = mixed(colour, theme_.canvas, 1 - theme_.dimmed);
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(lines.data(), int(lines.size()));
  }
}

bool ScenePainter::crowded(const View& view) {
  std::vector<SceneIndex::Segment> inImage;
  index_.segmentsIn(view.camera.toScene(view.whole), inImage);
  size_t edges = 0;
  for (size_t i = 0; i < inImage.size() && edges <= kMostStyledEdges; ++i)
    edges += i == 0 || inImage[i].edge != inImage[i - 1].edge;
  return edges > kMostStyledEdges;
}

void ScenePainter::paintEdgesStyled(QPainter& painter, const View& view) {
  const QRectF scene = view.camera.toScene(view.visible.adjusted(-16, -16, 16, 16));
  index_.segmentsIn(scene, segmentsInView_);
  if (quick_ && crowded(view)) {
    paintEdgesPlain(painter, view);
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing, true);
  for (bool saved : {false, true}) {
    uint32_t last = 0xFFFFFFFF;
    for (const SceneIndex::Segment& s : segmentsInView_) {
      const ir::SceneEdge& e = scene_.edges[s.edge];
      if (s.edge == last || (e.kind == ir::EdgeKind::Saved) != saved || !edgeShown(s.edge)) continue;
      last = s.edge;
      QColor colour = theme_.edgeColour(e.kind);
      if (edgeDimmed(e)) colour = mixed(colour, theme_.canvas, 1 - theme_.dimmed);
      strokeEdge(painter, view, e, colour, 0);
    }
  }
}

void ScenePainter::strokeEdge(QPainter& painter, const View& view, const ir::SceneEdge& e,
                              const QColor& colour, double wider) {
  if (e.pointCount < 2 || uint64_t(e.firstPoint) + e.pointCount > scene_.points.size()) return;
  const double unit = view.camera.zoom / view.ratio;
  EdgeLook l = look(e, unit);
  l.colour = colour;
  l.width = std::max((l.width + wider) * view.ratio, view.vector ? 0.5 : 1.0);
  const QRectF limit = view.visible.adjusted(-kMargin, -kMargin, kMargin, kMargin);
  // Odd widths lie on pixel centres, so that straight lines are not smeared over two rows.
  const double shift = !view.vector && int(std::round(l.width)) % 2 == 1 ? 0.5 : 0;
  auto place = [&](const ir::ScenePoint& p) {
    QPointF at = view.camera.toScreen(QPointF(p.x, p.y));
    return view.vector ? at : QPointF(std::floor(at.x()) + shift, std::floor(at.y()) + shift);
  };

  const double arrow = std::clamp(6.5 * unit, 4.0, 11.0) * view.ratio + wider;
  const ir::ScenePoint* points = scene_.points.data() + e.firstPoint;
  const QPointF tip = place(points[e.pointCount - 1]);
  std::vector<QPointF> run;
  std::vector<QLineF> dashes;
  double travelled = 0;
  const bool dashed = l.style != Qt::SolidLine;
  const QPen pen(l.colour, l.width, Qt::SolidLine, l.style == Qt::DotLine ? Qt::RoundCap : Qt::FlatCap,
                 Qt::RoundJoin);
  auto flush = [&] {
    if (run.size() >= 2) {
      const QPainterPath path = roundedPath(run, 7 * unit * view.ratio);
      if (l.doubled) {
        painter.strokePath(
            path, QPen(l.colour, l.width + 2.6 * view.ratio, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        painter.strokePath(path,
                           QPen(theme_.canvas, 1.2 * view.ratio, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
      } else {
        painter.strokePath(path, pen);
      }
    }
    run.clear();
  };
  for (uint32_t i = 0; i + 1 < e.pointCount; ++i) {
    QPointF a = place(points[i]), b = place(points[i + 1]);
    const QPointF from = a;
    QPointF to = b;
    const double length = std::hypot(b.x() - a.x(), b.y() - a.y());
    if (i + 2 == e.pointCount && length > arrow) to = b = b - (b - a) * (arrow * 0.7 / length);
    if (dashed) {
      const bool row = a.y() == b.y(), column = a.x() == b.x();
      if (!clipLine(a, b, limit)) {
        // nothing of it is in view
      } else if (l.style == Qt::DotLine && !view.vector && row != column) {
        const double half = std::floor(l.width / 2), w = std::max(1.0, std::round(l.width));
        const QPointF low(std::floor(std::min(a.x(), b.x())), std::floor(std::min(a.y(), b.y())));
        const double reach = std::ceil(std::abs(b.x() - a.x()) + std::abs(b.y() - a.y()));
        painter.setBrushOrigin(std::floor(view.camera.offset.x()), std::floor(view.camera.offset.y()));
        painter.fillRect(
            row ? QRectF(low.x(), low.y() - half, reach, w) : QRectF(low.x() - half, low.y(), w, reach),
            dotBrush(l.colour, l.width, row));
      } else {
        addDashes(dashes, l.style, l.width, from, to, a, b, travelled);
      }
    } else if (clipLine(a, b, limit)) {
      if (run.empty() || a != run.back()) {
        flush();
        run.push_back(a);
      }
      if (b != run.back()) run.push_back(b);
      if (b != to) flush();
    } else {
      flush();
    }
    travelled += length;
  }
  flush();
  if (!dashes.empty()) {
    painter.setPen(pen);
    painter.drawLines(dashes.data(), int(dashes.size()));
  }
  if (!limit.contains(tip)) return;
  // Direction of arrival: the last segment that is not just a point.
  QPointF back;
  for (uint32_t i = e.pointCount - 1; i-- > 0;) {
    back = tip - place(points[i]);
    if (std::hypot(back.x(), back.y()) > 0.5) break;
  }
  const double length = std::hypot(back.x(), back.y());
  if (length < arrow) return;
  const QPointF along = back / length, side(-along.y(), along.x());
  const double half = arrow * 0.42 + (l.doubled ? view.ratio : 0);
  painter.setPen(Qt::NoPen);
  painter.setBrush(l.colour);
  painter.drawPolygon(QPolygonF({tip, tip - along * arrow + side * half, tip - along * arrow - side * half}));
}

void ScenePainter::paintEdge(QPainter& painter, const View& view, uint32_t edge, const QColor& colour,
                             double wider) {
  if (!edgeShown(edge)) return;
  painter.setRenderHint(QPainter::Antialiasing, true);
  const ir::SceneEdge& e = scene_.edges[edge];
  strokeEdge(painter, view, e, colour.isValid() ? colour : theme_.edgeColour(e.kind), wider);
}

}  // namespace descry::gui
