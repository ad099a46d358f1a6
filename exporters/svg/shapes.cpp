#include "exporters/svg/shapes.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace descry::exporters {

using ir::NodeRole;
using ir::Phase;
using ir::SceneRect;

void appendNumber(std::string& out, double value) {
  if (!std::isfinite(value)) value = 0;
  const auto tenths = static_cast<int64_t>(std::llround(std::clamp(value, -1e7, 1e7) * 10));
  char buffer[32];
  const int64_t size = tenths < 0 ? -tenths : tenths;
  if (tenths < 0) out += '-';
  const auto r = std::to_chars(buffer, buffer + sizeof buffer, size / 10);
  out.append(buffer, static_cast<size_t>(r.ptr - buffer));
  if (size % 10) {
    out += '.';
    out += static_cast<char>('0' + size % 10);
  }
}

namespace {

/// Builds path data with relative steps, which are short.
class Path {
 public:
  explicit Path(std::string& out) : out_(out) {}
  Path& move(double x, double y) {
    out_ += 'M';
    pair(x, y);
    return *this;
  }
  Path& h(double dx) { return one('h', dx); }
  Path& v(double dy) { return one('v', dy); }
  Path& line(double dx, double dy) {
    out_ += 'l';
    pair(dx, dy);
    return *this;
  }
  /// Quarter of a circle, clockwise. Small corners are parabolas: shorter, and the eye sees no difference.
  Path& arc(double r, double dx, double dy) {
    if (r <= 6) {
      out_ += 'q';
      // Clockwise, the corner lies ahead of a pen that moves right or left when dx and dy have equal signs.
      if ((dx > 0) == (dy > 0)) {
        pair(dx, 0);
      } else {
        pair(0, dy);
      }
      out_ += ' ';
      pair(dx, dy);
      return *this;
    }
    out_ += 'a';
    pair(r, r);
    out_ += " 0 0 1 ";
    pair(dx, dy);
    return *this;
  }
  Path& close() {
    out_ += 'z';
    return *this;
  }

 private:
  Path& one(char c, double d) {
    out_ += c;
    appendNumber(out_, d);
    return *this;
  }
  void pair(double a, double b) {
    appendNumber(out_, a);
    if (b >= 0 || std::lround(b * 10) == 0) out_ += ' ';
    appendNumber(out_, b);
  }
  std::string& out_;
};

/// Rounded box; `cut` > 0 cuts the lower left corner, `notch` > 0 notches the upper edge near its right end.
void box(Path& p, const SceneRect& r, double radius, double cut, double notch = 0) {
  p.move(r.x + radius, r.y);
  double top = r.w - 2 * radius;
  if (notch > 0) {
    const double before = std::max(top - 3 * notch, 0.0);
    p.h(before).line(notch, notch).line(notch, -notch);
    top -= before + 2 * notch;
  }
  p.h(top).arc(radius, radius, radius).v(r.h - 2 * radius).arc(radius, -radius, radius);
  if (cut > 0) {
    p.h(-(r.w - radius - cut)).line(-cut, -cut).v(-(r.h - cut - radius));
  } else {
    p.h(-(r.w - 2 * radius)).arc(radius, -radius, -radius).v(-(r.h - 2 * radius));
  }
  p.arc(radius, radius, -radius).close();
}

}  // namespace

ShapeText appendShape(std::string& outline, std::string& marks, const SceneRect& r, NodeRole role,
                      Phase phase) {
  const double small = std::max(0.f, std::min(r.w, r.h));
  const double radius = std::min(5.0, small / 2);
  const double point = std::min({9.0, r.h / 2.0, r.w / 3.0});
  const double cut = phase == Phase::Backward ? std::min({9.0, small / 2, r.w / 3.0}) : 0;
  const double mid = r.h / 2;
  constexpr double kPad = 6;
  ShapeText text{r.x + kPad, std::max(0.0, r.w - 2 * kPad), true};
  Path p(outline), m(marks);
  const auto dot = [&](double x) {
    m.move(x - 2.5, r.y + mid)
        .arc(2.5, 2.5, -2.5)
        .arc(2.5, 2.5, 2.5)
        .arc(2.5, -2.5, 2.5)
        .arc(2.5, -2.5, -2.5)
        .close();
  };
  switch (role) {
    case NodeRole::Input:
    case NodeRole::Parameter:
    case NodeRole::Buffer:
    case NodeRole::Tangent: {
      p.move(r.x + point, r.y)
          .h(r.w - point - radius)
          .arc(radius, radius, radius)
          .v(r.h - 2 * radius)
          .arc(radius, -radius, radius)
          .h(-(r.w - point - radius))
          .line(-point, -mid)
          .close();
      double left = point + 2, right = kPad;
      if (role == NodeRole::Parameter || role == NodeRole::Buffer) {
        m.move(r.x + r.w - 4, r.y).v(r.h);
        right += 4;
      }
      if (role == NodeRole::Parameter) {
        m.move(r.x + r.w - 8, r.y).v(r.h);
        right += 4;
      }
      if (role == NodeRole::Tangent) {
        dot(r.x + point);
        left += 6;
      }
      text = {r.x + left, std::max(0.0, r.w - left - right), true};
      break;
    }
    case NodeRole::Output:
    case NodeRole::GradOutput: {
      p.move(r.x + radius, r.y)
          .h(r.w - radius - point)
          .line(point, mid)
          .line(-point, mid)
          .h(-(r.w - radius - point))
          .arc(radius, -radius, -radius)
          .v(-(r.h - 2 * radius))
          .arc(radius, radius, -radius)
          .close();
      double right = point + 2;
      if (role == NodeRole::GradOutput) {
        dot(r.x + r.w - point);
        right += 6;
      }
      text.w = std::max(0.0, r.w - kPad - right);
      break;
    }
    case NodeRole::View: {
      const double end = small / 2;  // a pill; cut, its lower left quarter is straight
      box(p, r, end, cut > 0 ? end : 0);
      text.x += 3;
      text.w = std::max(0.0, text.w - 6);
      break;
    }
    case NodeRole::Mutation:
      box(p, r, radius, cut, std::min(6.0, r.w / 8.0));
      break;
    case NodeRole::Constant: {
      const double size = std::min(r.h * 0.5, static_cast<double>(r.w));
      const double q = size / 2;
      p.move(r.x, r.y + mid).arc(q, q, -q).arc(q, q, q).arc(q, -q, q).arc(q, -q, -q).close();
      text = {r.x + size + 5, std::max(0.0, r.w - size - 5), false};
      break;
    }
    case NodeRole::Control: {
      const double tab = std::min(5.0, r.h / 4.0), wide = std::min(40.0, r.w * 0.4);
      p.move(r.x, r.y + radius)
          .arc(radius, radius, -radius)
          .h(wide - radius)
          .v(tab)
          .h(r.w - wide - radius)
          .arc(radius, radius, radius)
          .v(r.h - tab - 2 * radius)
          .arc(radius, -radius, radius);
      if (cut > 0) {
        p.h(-(r.w - radius - cut)).line(-cut, -cut);
      } else {
        p.h(-(r.w - 2 * radius)).arc(radius, -radius, -radius);
      }
      p.close();
      break;
    }
    case NodeRole::Random: {
      const double c = std::min({7.0, small / 2, r.w / 3.0});
      p.move(r.x + c, r.y)
          .h(r.w - 2 * c)
          .line(c, c)
          .v(r.h - 2 * c)
          .line(-c, c)
          .h(-(r.w - 2 * c))
          .line(-c, -c)
          .v(-(r.h - 2 * c))
          .close();
      break;
    }
    case NodeRole::Compute:
      box(p, r, radius, cut);
      break;
  }
  return text;
}

}  // namespace descry::exporters
