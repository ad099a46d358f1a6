#include "exporters/svg/legend.h"

#include <array>
#include <string_view>
#include <vector>

#include "exporters/common/escape.h"
#include "exporters/svg/shapes.h"

namespace descry::exporters {

using namespace ir;

namespace {

constexpr char kBadgeGlyphs[] = "$@!?";  // by bit of SceneBadge
constexpr const char* kBadgeTexts[] = {"saved for backward", "recomputed", "has a problem",
                                       "inferred from its name"};

std::string css(Rgb color) {
  return hexColor(color);
}

void rule(std::string& out, std::string_view selector, const std::string& body) {
  out += selector;
  out += '{';
  out += body;
  out += "}\n";
}

struct Fill {
  std::string name;
  Rgb fill, line;
};

std::vector<Fill> fills(const Palette& p, ColourMode colours) {
  std::vector<ColourClass> classes = {{ColourKind::Forward, 0, {}}, {ColourKind::Backward, 0, {}},
                                      {ColourKind::Either, 0, {}},  {ColourKind::Plain, 0, {}},
                                      {ColourKind::Input, 0, {}},   {ColourKind::Output, 0, {}}};
  if (colours == ColourMode::Cut)
    for (const ColourKind k : {ColourKind::Saved, ColourKind::SavedInput, ColourKind::Recomputed})
      classes.push_back({k, 0, {}});
  if (colours == ColourMode::Role || colours == ColourMode::OpFamily || colours == ColourMode::Dtype)
    for (uint8_t i = 0; i < p.categories.size(); ++i) classes.push_back({ColourKind::Category, i, {}});
  std::vector<Fill> out;
  for (const ColourClass& c : classes) out.push_back({colourClassName(c), classFill(p, c), classLine(p, c)});
  return out;
}

/// A shade of `fill` that is seen next to it and leaves the text on it readable.
Rgb shade(Rgb fill) {
  const bool darken = inkOn(fill) == 0xFFFFFF;
  Rgb out = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    const auto channel = static_cast<int>(fill >> shift & 255);
    const int moved = darken ? channel * 86 / 100 : channel + (255 - channel) * 18 / 100;
    out |= static_cast<Rgb>(moved) << shift;
  }
  return out;
}

}  // namespace

std::string colourClassName(const ColourClass& c) {
  switch (c.kind) {
    case ColourKind::Plain:
    case ColourKind::Constant:
      return "plain";
    case ColourKind::Forward:
      return "fw";
    case ColourKind::Backward:
      return "bw";
    case ColourKind::Either:
      return "either";
    case ColourKind::Input:
      return "in";
    case ColourKind::Output:
      return "out";
    case ColourKind::Saved:
      return "kept";
    case ColourKind::SavedInput:
      return "kept-input";
    case ColourKind::Recomputed:
      return "again";
    case ColourKind::Heat:  // no picture of an exporter has them
    case ColourKind::Category:
      break;
  }
  return "c" + std::to_string(c.category);
}

void appendSvgStyle(std::string& out, Theme theme, ColourMode colours) {
  const Palette& p = palette(theme);
  out += "<style>\n";
  rule(out, "text",
       "font-family:Inter,'Segoe UI','Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif;"
       "text-anchor:middle;stroke:none;fill:" +
           css(p.ink));
  rule(out, ".canvas", "fill:" + css(p.canvas));
  rule(out, ".heading", "font-size:16px;font-weight:600;text-anchor:start");
  rule(out, ".nodes text,.folded text", "font-size:12px;font-weight:600");
  rule(out, "tspan",
       "font-size:10px;font-weight:400;font-family:'JetBrains Mono',Menlo,Consolas,'DejaVu Sans "
       "Mono','Liberation Mono',monospace");
  rule(out, ".group rect",
       "fill:" + css(p.groupFill) + ";stroke:" + css(p.groupLine) +
           (theme == Theme::Print ? ";stroke-dasharray:4 3" : ""));
  rule(out, ".folded rect", "stroke-dasharray:none");
  rule(out, ".label", "font-size:11px;text-anchor:start;fill:" + css(p.mutedInk));
  rule(out, ".edge", "fill:none;stroke:" + css(p.edge) + ";stroke-linejoin:round;marker-end:url(#arrow)");
  const char* const widths[] = {"1.1", "1.7", "2.4", "3.2"};
  for (int w = 0; w < 4; ++w)
    rule(out, ".w" + std::to_string(w + 1), std::string("stroke-width:") + widths[w]);
  rule(out, ".alias", "stroke-dasharray:1 4;stroke-linecap:round");
  rule(out, ".mutation", "stroke-dasharray:9 4 2 4");
  rule(out, ".control", "stroke-dasharray:5 4;stroke-width:1");
  rule(out, ".symbolic", "stroke-width:.5;marker-end:none");
  rule(out, ".saved", "stroke:" + css(p.saved) + ";marker-end:none");
  for (int w = 0; w < 4; ++w) {
    const double inner = 0.9 + 0.6 * w;
    std::string outer;
    appendNumber(outer, inner + 2.6);
    rule(out, ".saved.w" + std::to_string(w + 1), "stroke-width:" + outer);
    outer.clear();
    appendNumber(outer, inner);
    rule(out, ".saved.inner.w" + std::to_string(w + 1),
         "stroke:" + css(p.canvas) + ";marker-end:url(#arrow-saved);stroke-width:" + outer);
  }
  for (const Fill& f : fills(p, colours)) {
    const std::string name = "." + f.name;
    std::string fill = css(f.fill);
    if (f.name == "bw" || f.name == "either") fill = "url(#fill-" + f.name + ")";
    rule(out, name,
         "fill:" + fill + ";stroke:" + css(f.line) +
             ";stroke-width:" + (theme == Theme::Contrast ? "2" : "1.2"));
    rule(out, name + " text", "fill:" + css(inkOn(f.fill)));
    rule(out, name + " .mark", "fill:" + css(inkOn(f.fill)) + ";stroke:" + css(inkOn(f.fill)));
  }
  rule(out, ".start", "text-anchor:start");
  rule(out, "g .free", "fill:" + css(p.ink));
  rule(out, ".badge circle", "fill:" + css(p.warning) + ";stroke:" + css(p.canvas));
  rule(out, ".badge text", "font-size:9px;font-weight:700;text-anchor:middle;fill:" + css(inkOn(p.warning)));
  rule(out, ".legend text", "font-size:11px;text-anchor:start");
  rule(out, ".legend .note", "fill:" + css(p.mutedInk));
  out += "</style>\n";
}

void appendSvgDefinitions(std::string& out, Theme theme) {
  const Palette& p = palette(theme);
  const auto arrow = [&](const char* id, Rgb color) {
    out += "<marker id=\"";
    out += id;
    out +=
        "\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
        "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 .8 8 4 0 7.2z\" fill=\"" +
        css(color) + "\" stroke=\"none\"/></marker>\n";
  };
  out += "<defs>\n";
  arrow("arrow", p.edge);
  arrow("arrow-saved", p.saved);
  // Backward: hatched at 45 degrees. Either: two halves. Both survive greyscale print.
  out +=
      "<pattern id=\"fill-bw\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"" +
      css(p.backward) + "\"/><rect width=\"1.6\" height=\"6\" fill=\"" + css(shade(p.backward)) +
      "\"/></pattern>\n";
  out +=
      "<linearGradient id=\"fill-either\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"><stop offset=\".5\" "
      "stop-color=\"" +
      css(shade(p.either)) + "\"/><stop offset=\".5\" stop-color=\"" + css(p.either) +
      "\"/></linearGradient>\n";
  for (int bit = 0; bit < kBadgeCount; ++bit) {
    out += "<g id=\"badge-";
    out += static_cast<char>('0' + bit);
    out += "\" class=\"badge\"><circle r=\"6.5\"/><text y=\"3.2\">";
    out += kBadgeGlyphs[bit];
    out += "</text></g>\n";
  }
  out += "</defs>\n";
}

namespace {

class Legend {
 public:
  Legend(std::string& out, double x, double y, double width)
      : out_(out), left_(x), right_(x + width), x_(x), y_(y) {}

  void heading(std::string_view text) {
    if (x_ > left_) newRow();
    out_ += "<text class=\"note\"";
    place(left_, y_ + 14);
    out_ += '>';
    appendXmlText(out_, text);
    out_ += "</text>\n";
    x_ = left_ + kHeading;
  }
  /// Room for one sample of 34 units and its text; returns where the sample goes.
  SceneRect entry(std::string_view text) {
    const double width = 34 + 7 + 6.1 * static_cast<double>(text.size()) + 16;
    if (x_ + width > right_ && x_ > left_ + kHeading) {
      newRow();
      x_ = left_ + kHeading;
    }
    const SceneRect sample{static_cast<float>(x_), static_cast<float>(y_ + 1), 34, 18};
    out_ += "<text";
    place(x_ + 41, y_ + 14);
    out_ += '>';
    appendXmlText(out_, text);
    out_ += "</text>\n";
    x_ += width;
    return sample;
  }
  void note(std::string_view text) {
    if (x_ > left_) newRow();
    // About 5.9 units a character; breaks at spaces.
    const auto room = static_cast<size_t>((right_ - left_) / 5.9);
    while (!text.empty()) {
      size_t end = text.size();
      if (end > room) {
        end = text.rfind(' ', room);
        if (end == std::string_view::npos || end == 0) end = room;
      }
      out_ += "<text class=\"note\"";
      place(left_, y_ + 14);
      out_ += '>';
      appendXmlText(out_, text.substr(0, end));
      out_ += "</text>\n";
      text.remove_prefix(end);
      while (text.starts_with(' ')) text.remove_prefix(1);
      y_ += 18;
    }
  }
  void newRow() {
    y_ += 24;
    x_ = left_;
  }
  double bottom() const { return x_ > left_ ? y_ + 24 : y_; }

 private:
  static constexpr double kHeading = 64;
  void place(double x, double y) {
    out_ += " x=\"";
    appendNumber(out_, x);
    out_ += "\" y=\"";
    appendNumber(out_, y);
    out_ += '"';
  }
  std::string& out_;
  double left_, right_, x_, y_;
};

void sampleNode(std::string& out, const SceneRect& r, NodeRole role, Phase phase, std::string_view cssClass) {
  std::string marks;
  out += "<g class=\"sample ";
  out += cssClass;
  out += "\"><path d=\"";
  appendShape(out, marks, r, role, phase);
  out += "\"/>";
  if (!marks.empty()) out += "<path class=\"mark\" d=\"" + marks + "\"/>";
  out += "</g>\n";
}

void sampleEdge(std::string& out, const SceneRect& r, const char* cssClass, bool inner) {
  for (int pass = 0; pass < (inner ? 2 : 1); ++pass) {
    out += "<path class=\"edge ";
    out += cssClass;
    out += pass ? " inner w2\" d=\"M" : " w2\" d=\"M";
    appendNumber(out, r.x);
    out += ' ';
    appendNumber(out, r.y + 9);
    out += "h32\"/>\n";
  }
}

}  // namespace

double appendLegend(std::string& out, const Scene& scene, ColourMode colours, const ColourClasses& classes,
                    double x, double y, double width) {
  std::array<bool, 12> roles{};
  std::array<bool, 4> phases{};
  std::array<bool, 6> kinds{};
  uint16_t badges = 0;
  for (const SceneNode& n : scene.nodes) {
    roles[static_cast<size_t>(n.role)] = true;
    if (!isInputRole(n.role) && !isOutputRole(n.role)) phases[static_cast<size_t>(n.phase)] = true;
    badges |= n.badges;
  }
  for (const SceneEdge& e : scene.edges) kinds[static_cast<size_t>(e.kind)] = true;

  out += "<g class=\"legend\">\n";
  Legend legend(out, x, y, width);
  struct Item {
    NodeRole role;
    Phase phase;
    std::string cssClass;
    std::string text;
  };
  const auto has = [&](NodeRole role) { return roles[static_cast<size_t>(role)]; };
  std::vector<Item> fillItems;
  if (colours != ColourMode::Phase) {
    for (const ColourClass& c : classes.classes)
      if (c.count > 0)
        fillItems.push_back({c.kind == ColourKind::SavedInput || c.kind == ColourKind::Input ? NodeRole::Input
                             : c.kind == ColourKind::Output ? NodeRole::Output
                                                            : NodeRole::Compute,
                             c.kind == ColourKind::Backward ? Phase::Backward : Phase::None,
                             colourClassName(c), classText(c)});
    phases[0] = phases[1] = phases[3] = false;
  }
  const bool explain = phases[2];
  if (colours != ColourMode::Phase) phases[2] = false;
  if (phases[1]) fillItems.push_back({NodeRole::Compute, Phase::Forward, "fw", "forward"});
  if (phases[2]) fillItems.push_back({NodeRole::Compute, Phase::Backward, "bw", "backward"});
  if (phases[3]) fillItems.push_back({NodeRole::Compute, Phase::Either, "either", "either side"});
  if (phases[0]) fillItems.push_back({NodeRole::Compute, Phase::None, "plain", "operation"});
  if (!fillItems.empty()) legend.heading("Fill");
  for (const Item& item : fillItems)
    sampleNode(out, legend.entry(item.text), item.role, item.phase, item.cssClass);

  const Item kShapes[] = {{NodeRole::Input, Phase::None, "in", "input"},
                          {NodeRole::Parameter, Phase::None, "in", "parameter"},
                          {NodeRole::Buffer, Phase::None, "in", "buffer"},
                          {NodeRole::Tangent, Phase::None, "in", "tangent"},
                          {NodeRole::Output, Phase::None, "out", "output"},
                          {NodeRole::GradOutput, Phase::None, "out", "gradient"},
                          {NodeRole::View, Phase::None, "plain", "view"},
                          {NodeRole::Mutation, Phase::None, "plain", "in-place write"},
                          {NodeRole::Constant, Phase::None, "plain", "constant"},
                          {NodeRole::Control, Phase::None, "plain", "subgraph or control"},
                          {NodeRole::Random, Phase::None, "plain", "random"}};
  bool first = true;
  for (const Item& item : kShapes) {
    if (!has(item.role)) continue;
    if (first) legend.heading("Shape");
    first = false;
    sampleNode(out, legend.entry(item.text), item.role, item.phase, item.cssClass);
  }

  constexpr std::pair<const char*, const char*> kEdges[] = {
      {"data", "data"},           {"saved", "saved for backward"}, {"alias", "view of"},
      {"mutation", "written to"}, {"control", "order only"},       {"symbolic", "symbolic size"}};
  first = true;
  for (size_t k = 0; k < 6; ++k) {
    if (!kinds[k]) continue;
    if (first) legend.heading("Line");
    first = false;
    sampleEdge(out, legend.entry(kEdges[k].second), kEdges[k].first, k == 1);
  }

  first = true;
  for (int bit = 0; bit < kBadgeCount; ++bit) {
    if (!(badges >> bit & 1)) continue;
    if (first) legend.heading("Mark");
    first = false;
    const SceneRect r = legend.entry(kBadgeTexts[bit]);
    out += "<use href=\"#badge-";
    out += static_cast<char>('0' + bit);
    out += "\" x=\"";
    appendNumber(out, r.x + 24);
    out += "\" y=\"";
    appendNumber(out, r.y + 9);
    out += "\"/>\n";
  }
  std::string note;
  if (explain)
    note =
        "Backward: depends on a tangent. Forward: does not, and a forward output needs it. "
        "Either: neither, and only the backward uses it. ";
  if (!scene.edges.empty()) note += "Line width: bytes (4 KiB, 1 MiB, 64 MiB). ";
  if (!scene.groupSource.empty() && !scene.groups.empty()) note += "Groups: from " + scene.groupSource + ".";
  if (!classes.note.empty()) note += " Colours: " + classes.note + ".";
  if (!note.empty()) legend.note(note);
  out += "</g>\n";
  return legend.bottom() - y;
}

}  // namespace descry::exporters
