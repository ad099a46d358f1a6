#include "gui/canvas/node_shapes.h"

#include <algorithm>
#include <cmath>

namespace descry::gui {

namespace {

// Rounded box, its lower left corner cut when `cut` > 0.
QPainterPath box(const QRectF& r, double radius, double cut) {
  QPainterPath path;
  if (cut <= 0) {
    path.addRoundedRect(r, radius, radius);
    return path;
  }
  const double d = 2 * radius;
  path.moveTo(r.left() + radius, r.top());
  path.lineTo(r.right() - radius, r.top());
  path.arcTo(r.right() - d, r.top(), d, d, 90, -90);
  path.lineTo(r.right(), r.bottom() - radius);
  path.arcTo(r.right() - d, r.bottom() - d, d, d, 0, -90);
  path.lineTo(r.left() + cut, r.bottom());
  path.lineTo(r.left(), r.bottom() - cut);
  path.lineTo(r.left(), r.top() + radius);
  path.arcTo(r.left(), r.top(), d, d, 180, -90);
  path.closeSubpath();
  return path;
}

// A tag with a point at the left or right end.
QPainterPath flag(const QRectF& r, double point, double radius, bool pointsRight) {
  QPainterPath path;
  const double d = 2 * radius, mid = r.center().y();
  if (pointsRight) {
    path.moveTo(r.left() + radius, r.top());
    path.lineTo(r.right() - point, r.top());
    path.lineTo(r.right(), mid);
    path.lineTo(r.right() - point, r.bottom());
    path.lineTo(r.left() + radius, r.bottom());
    path.arcTo(r.left(), r.bottom() - d, d, d, 270, -90);
    path.lineTo(r.left(), r.top() + radius);
    path.arcTo(r.left(), r.top(), d, d, 180, -90);
  } else {
    path.moveTo(r.left() + point, r.top());
    path.lineTo(r.right() - radius, r.top());
    path.arcTo(r.right() - d, r.top(), d, d, 90, -90);
    path.lineTo(r.right(), r.bottom() - radius);
    path.arcTo(r.right() - d, r.bottom() - d, d, d, 0, -90);
    path.lineTo(r.left() + point, r.bottom());
    path.lineTo(r.left(), mid);
  }
  path.closeSubpath();
  return path;
}

}  // namespace

NodeShape nodeShape(const QRectF& r, ir::NodeRole role, ir::Phase phase, double unit) {
  NodeShape s;
  const double small = std::min(r.width(), r.height());
  const double radius = std::clamp(5 * unit, 2.0, std::max(small / 2, 0.0));
  const double point = std::min(std::clamp(9 * unit, 4.0, r.height() / 2), r.width() / 3);
  const double cut =
      phase == ir::Phase::Backward ? std::min(std::clamp(8 * unit, 4.0, small / 2), r.width() / 3) : 0;
  const double pad = std::clamp(7 * unit, 2.0, 12.0);
  s.text = r.adjusted(pad, 0, -pad, 0);
  auto dotAt = [&](double x) {
    const double size = std::clamp(5 * unit, 3.0, small / 3);
    s.dot = QRectF(x - size / 2, r.center().y() - size / 2, size, size);
  };
  auto bar = [&](double x) {
    s.marks.moveTo(x, r.top());
    s.marks.lineTo(x, r.bottom());
  };
  switch (role) {
    case ir::NodeRole::Input:
    case ir::NodeRole::Parameter:
    case ir::NodeRole::Buffer:
    case ir::NodeRole::Tangent: {
      s.outline = flag(r, point, radius, false);
      s.text = r.adjusted(point + pad / 2, 0, -pad, 0);
      const double step = std::max(3.0, std::round(3 * unit));
      if (role == ir::NodeRole::Parameter) {
        bar(r.right() - step);
        bar(r.right() - 2 * step);
        s.text.setRight(r.right() - 2 * step - pad / 2);
      } else if (role == ir::NodeRole::Buffer) {
        bar(r.right() - step);
        s.text.setRight(r.right() - step - pad / 2);
      } else if (role == ir::NodeRole::Tangent) {
        dotAt(r.left() + point);
        s.text.setLeft(s.dot.right() + pad / 2);
      }
      break;
    }
    case ir::NodeRole::Output:
    case ir::NodeRole::GradOutput:
      s.outline = flag(r, point, radius, true);
      s.text = r.adjusted(pad, 0, -point - pad / 2, 0);
      if (role == ir::NodeRole::GradOutput) {
        dotAt(r.right() - point);
        s.text.setRight(s.dot.left() - pad / 2);
      }
      break;
    case ir::NodeRole::View: {
      const double round = r.height() / 2;
      s.outline.addRoundedRect(r, round, round);
      s.text = r.adjusted(round / 1.6, 0, -round / 1.6, 0);
      break;
    }
    case ir::NodeRole::Mutation: {
      // A notch in the upper edge, near the right end.
      const double depth = std::clamp(5 * unit, 3.0, small / 3), at = r.right() - pad - depth;
      QPainterPath notch;
      notch.moveTo(at - depth, r.top() - 1);
      notch.lineTo(at, r.top() + depth);
      notch.lineTo(at + depth, r.top() - 1);
      notch.closeSubpath();
      s.outline = box(r, radius, cut).subtracted(notch);
      break;
    }
    case ir::NodeRole::Constant: {
      const double size = std::min(r.height() * 0.62, r.width());
      const QRectF circle(r.left(), r.center().y() - size / 2, size, size);
      s.outline.addEllipse(circle);
      s.text = QRectF(circle.right() + 4, r.top(), std::max(r.right() - circle.right() - 4, 0.0), r.height());
      break;
    }
    case ir::NodeRole::Control: {
      const double tabHeight = std::clamp(4 * unit, 2.0, r.height() / 4);
      const QRectF body = r.adjusted(0, tabHeight, 0, 0);
      QPainterPath tab;
      tab.addRoundedRect(
          QRectF(r.left(), r.top(), std::min(r.width() * 0.4, 44 * unit), tabHeight + 2 * radius), radius / 2,
          radius / 2);
      s.outline = box(body, radius, cut).united(tab);
      s.text = body.adjusted(pad, 0, -pad, 0);
      break;
    }
    case ir::NodeRole::Random: {
      const double c = std::min(std::clamp(6 * unit, 3.0, small / 2), r.width() / 3);
      s.outline.addPolygon(QPolygonF({{r.left() + c, r.top()},
                                      {r.right() - c, r.top()},
                                      {r.right(), r.top() + c},
                                      {r.right(), r.bottom() - c},
                                      {r.right() - c, r.bottom()},
                                      {r.left() + c, r.bottom()},
                                      {r.left(), r.bottom() - c},
                                      {r.left(), r.top() + c}}));
      s.outline.closeSubpath();
      break;
    }
    case ir::NodeRole::Compute:
      s.outline = box(r, radius, cut);
      break;
  }
  return s;
}

}  // namespace descry::gui
