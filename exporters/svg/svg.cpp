#include "exporters/svg/svg.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "exporters/common/escape.h"
#include "exporters/svg/legend.h"
#include "exporters/svg/shapes.h"

namespace descry::exporters {

using namespace ir;

namespace {

constexpr double kMargin = 24, kTitleHeight = 34;
constexpr double kNameSize = 12, kTypeSize = 10;
constexpr double kNameAdvance = 6.8, kTypeAdvance = 6.05;  // mean width of a character at these sizes
constexpr size_t kRoundCornersBelow = 6000;  // edges; above, corners cost more bytes than they give

size_t characters(std::string_view text) {
  size_t n = 0;
  for (char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return n;
}

std::string_view edgeClass(EdgeKind kind) {
  constexpr std::string_view kNames[] = {"data", "saved", "alias", "mutation", "control", "symbolic"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view phaseClass(NodeRole role, Phase phase) {
  if (isInputRole(role)) return "in";
  if (isOutputRole(role)) return "out";
  constexpr std::string_view kNames[] = {"plain", "fw", "bw", "either"};
  return kNames[static_cast<size_t>(phase)];
}

class SvgWriter {
 public:
  SvgWriter(std::string& out, const Subject& subject, const Scene& scene, const SvgParts& parts)
      : out_(out),
        subject_(subject),
        scene_(scene),
        parts_(parts),
        colors_(palette(parts.theme)),
        classes_(classifyBoxes(scene, parts.colours, colors_.categories.size())) {}
  void write();
  std::vector<uint32_t> takeEdgeOrder() { return std::move(edgeOrder_); }

 private:
  void attribute(std::string_view name, double value) {
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    appendNumber(out_, value);
    out_ += '"';
  }
  void groups();
  void edges();
  void edge(const SceneEdge& edge);
  void nodes();
  void node(size_t index);
  void tooltip(const SceneNode& node, const NodeCut* cut);
  void label(const SceneNode& node, const ShapeText& room);
  void line(std::string_view text, std::string_view element, std::string_view cssClass, const ShapeText& room,
            double y, double size, double advance);
  void twoLines(std::string_view name, std::string_view type, const ShapeText& room, double middle,
                std::string_view cssClass);
  void badges(const SceneNode& node);

  std::string& out_;
  const Subject& subject_;
  const Scene& scene_;
  const SvgParts& parts_;
  const Palette& colors_;
  const ColourClasses classes_;
  std::vector<uint32_t> edgeOrder_;
};

void SvgWriter::write() {
  const double x = scene_.bounds.x - kMargin, top = scene_.bounds.y - kMargin;
  const double titleHeight = parts_.document ? kTitleHeight : 0;
  double width = scene_.bounds.w + 2 * kMargin, height = scene_.bounds.h + 2 * kMargin;
  std::string legend;
  if (parts_.legend) {
    width = std::max(width, 460.0);
    height += appendLegend(legend, scene_, parts_.colours, classes_, x + kMargin, top + height,
                           width - 2 * kMargin) +
              kMargin;
  }
  if (parts_.document) {
    width = std::max(
        width, 2 * kMargin + 9 * static_cast<double>(std::min<size_t>(characters(subject_.title()), 80)));
    out_ += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  }
  width = std::ceil(width);
  height = std::ceil(height);
  out_ += "<svg xmlns=\"http://www.w3.org/2000/svg\"";
  if (parts_.document) {
    attribute("width", width);
    attribute("height", height + titleHeight);
  } else {
    out_ += " id=\"graph\"";
  }
  out_ += " viewBox=\"";
  for (double v : {x, top - titleHeight, width, height + titleHeight}) {
    appendNumber(out_, v);
    out_ += ' ';
  }
  out_.back() = '"';
  out_ += " role=\"img\">\n<title>";
  appendXmlText(out_, visibleLine(subject_.title()));
  out_ += "</title>\n";
  appendSvgStyle(out_, parts_.theme, parts_.colours);
  appendSvgDefinitions(out_, parts_.theme);
  out_ += "<rect class=\"canvas\"";
  attribute("x", x);
  attribute("y", top - titleHeight);
  attribute("width", width);
  attribute("height", height + titleHeight);
  out_ += "/>\n";
  if (parts_.document) {
    out_ += "<text class=\"heading\"";
    attribute("x", x + kMargin);
    attribute("y", top - titleHeight + 36);
    out_ += '>';
    appendXmlText(out_, shortened(visibleLine(subject_.title()), 80));
    out_ += "</text>\n";
  }
  groups();
  edges();
  nodes();
  out_ += legend;
  out_ += "</svg>\n";
}

void SvgWriter::groups() {
  out_ += "<g class=\"groups\">\n";
  for (size_t i = 0; i < scene_.groups.size(); ++i) {
    const SceneGroup& group = scene_.groups[i];
    const SceneRect& r = group.rect;
    if (!(r.w > 0) || !(r.h > 0)) continue;
    out_ += "<g id=\"group-";
    out_ += std::to_string(i);
    out_ += group.folded ? "\" class=\"group folded\"><title>" : "\" class=\"group\"><title>";
    const std::string count = std::to_string(group.nodeCount) + (group.nodeCount == 1 ? " node" : " nodes");
    appendXmlText(out_, visibleLine(group.path) + ": " + count + (group.folded ? ", folded" : ""));
    out_ += "</title>";
    // A folded group is a stack of three cards.
    for (int card = group.folded ? 2 : 0; card >= 0; --card) {
      out_ += "<rect";
      attribute("x", r.x + card * 4);
      attribute("y", r.y - card * 4);
      attribute("width", r.w);
      attribute("height", r.h);
      out_ += " rx=\"6\"/>";
    }
    const double inner = r.w - 20;
    if (group.folded) {
      const ShapeText room{r.x + 8.0, std::max(0.0, r.w - 16.0), true};
      twoLines(group.label, count, room, r.y + r.h / 2.0, {});
    } else {
      const ShapeText room{r.x + 10.0, std::max(0.0, inner), false};
      line(group.label, "text", "label", room, r.y + 15.0, 11, 6.2);
      out_ += "</text>";
    }
    out_ += "</g>\n";
  }
  out_ += "</g>\n";
}

void SvgWriter::edge(const SceneEdge& e) {
  const size_t first = e.firstPoint, count = e.pointCount;
  if (count < 2 || first + count > scene_.points.size()) return;
  const ScenePoint* p = scene_.points.data() + first;
  edgeOrder_.push_back(static_cast<uint32_t>(&e - scene_.edges.data()));
  const bool round = scene_.edges.size() < kRoundCornersBelow;
  out_ += "<path d=\"M";
  appendNumber(out_, p[0].x);
  out_ += ' ';
  appendNumber(out_, p[0].y);
  // Relative steps between rounded places: short, and without drift.
  const auto tenth = [](float v) {
    return std::round(std::clamp(std::isfinite(v) ? v : 0.f, -1e7f, 1e7f) * 10.0) / 10;
  };
  const auto lineTo = [&](ScenePoint from, ScenePoint to) {
    const double dx = tenth(to.x) - tenth(from.x), dy = tenth(to.y) - tenth(from.y);
    if (dx == 0) {
      out_ += 'v';
      appendNumber(out_, dy);
    } else if (dy == 0) {
      out_ += 'h';
      appendNumber(out_, dx);
    } else {
      out_ += 'l';
      appendNumber(out_, dx);
      out_ += ' ';
      appendNumber(out_, dy);
    }
  };
  ScenePoint pen = p[0];
  for (size_t i = 1; i < count; ++i) {
    const ScenePoint at = p[i];
    if (i + 1 == count || !round) {
      lineTo(pen, at);
      pen = at;
      continue;
    }
    // Corners become curves of at most 6 units, or half of the shorter leg.
    const ScenePoint next = p[i + 1];
    const double a = std::hypot(at.x - p[i - 1].x, at.y - p[i - 1].y),
                 b = std::hypot(next.x - at.x, next.y - at.y);
    const double r = std::min({6.0, a / 2, b / 2});
    if (!(r > 0.5)) {
      lineTo(pen, at);
      pen = at;
      continue;
    }
    const auto towards = [&](ScenePoint to, double length) {
      const double f = r / length;
      return ScenePoint{static_cast<float>(at.x + (to.x - at.x) * f),
                        static_cast<float>(at.y + (to.y - at.y) * f)};
    };
    const ScenePoint in = towards(p[i - 1], a), after = towards(next, b);
    lineTo(pen, in);
    out_ += 'Q';
    for (float v : {at.x, at.y, after.x, after.y}) {
      appendNumber(out_, v);
      out_ += ' ';
    }
    out_.pop_back();
    pen = after;
  }
  out_ += parts_.document ? "\"/>\n" : "\"/>";
}

void SvgWriter::edges() {
  // One group per kind and width keeps each path free of attributes. Symbolic sizes lie below, saved values
  // on top.
  constexpr EdgeKind kOrder[] = {EdgeKind::SymbolicSize, EdgeKind::Data,     EdgeKind::Control,
                                 EdgeKind::Alias,        EdgeKind::Mutation, EdgeKind::Saved};
  std::array<std::vector<const SceneEdge*>, 24> buckets;
  for (const SceneEdge& e : scene_.edges) {
    const int width = std::clamp<int>(e.width, 1, 4);
    const size_t kind = std::min<size_t>(static_cast<size_t>(e.kind), 5);
    buckets[kind * 4 + static_cast<size_t>(width) - 1].push_back(&e);
  }
  out_ += "<g class=\"edges\">\n";
  for (EdgeKind kind : kOrder) {
    for (size_t w = 0; w < 4; ++w) {
      const auto& bucket = buckets[static_cast<size_t>(kind) * 4 + w];
      if (bucket.empty()) continue;
      const std::string width = std::to_string(w + 1);
      const bool saved = kind == EdgeKind::Saved;
      out_ += "<g class=\"edge ";
      out_ += edgeClass(kind);
      out_ += " w" + width + "\">\n";
      if (saved) out_ += "<g id=\"saved-" + width + "\">\n";
      for (const SceneEdge* e : bucket) edge(*e);
      if (saved) out_ += "</g>\n";
      out_ += "</g>\n";
      // A double line: the same paths again, thinner, in the colour of the canvas.
      if (saved) out_ += "<use href=\"#saved-" + width + "\" class=\"edge saved inner w" + width + "\"/>\n";
    }
  }
  out_ += "</g>\n";
}

void SvgWriter::tooltip(const SceneNode& n, const NodeCut* cut) {
  const Graph& g = subject_.graph();
  std::string text = n.label;
  const auto add = [&](std::string_view label, std::string_view value) {
    if (value.empty()) return;
    text += '\n';
    text += label;
    text += value;
  };
  if (g.contains(n.node)) {
    text = g.nodeName(n.node);
    const Node& node = g.node(n.node);
    add("", g.type(n.node).text);
    add("op: ", node.op == OpKind::Placeholder ? std::string_view() : g.str(node.target));
    if (node.desc) add("descriptor: ", g.str(g.context().descriptor(node.desc).text));
    if (const Descriptor* d = g.descriptor(n.node)) add("meaning: ", d->words());
    const Source& source = g.source(n.node);
    if (source.file) add("source: ", std::string(g.str(source.file)) + ":" + std::to_string(source.line));
    if (source.code) add("code: ", g.str(source.code));
  } else {
    add("value: ", n.op);
    add("", n.type);
    if (n.outputSlot >= 0 && static_cast<size_t>(n.outputSlot) < g.outputDescs.size()) {
      const DescId id = g.outputDescs[static_cast<size_t>(n.outputSlot)];
      if (id) add("descriptor: ", g.str(g.context().descriptor(id).text));
      if (const Descriptor* d = g.descriptor(id)) add("meaning: ", d->words());
    }
  }
  if (n.phase != Phase::None) add("phase: ", phaseName(n.phase));
  if (cut && cut->fate != CutFate::None) add(std::string(cutFateText(cut->fate)) + ": ", cut->reason);
  out_ += "<title>";
  appendXmlText(out_, text);
  out_ += "</title>";
}

/// One line of text: smaller when it does not fit, then with an ellipsis. The element is left open.
/// In a tspan `y` counts from the line before.
void SvgWriter::line(std::string_view text, std::string_view element, std::string_view cssClass,
                     const ShapeText& room, double y, double size, double advance) {
  const std::string clean = visibleLine(text.substr(0, 2000));
  const double needed = static_cast<double>(characters(clean)) * advance;
  const double scale = needed > room.w ? std::max(room.w / needed, 0.8) : 1;
  const auto fits = static_cast<size_t>(std::max(1.0, room.w / (advance * scale) + 1e-6));
  out_ += '<';
  out_ += element;
  if (!cssClass.empty() || !room.centered) {
    out_ += " class=\"";
    out_ += cssClass;
    if (!room.centered) out_ += cssClass.empty() ? "start" : " start";
    out_ += '"';
  }
  attribute("x", room.centered ? room.x + room.w / 2 : room.x);
  attribute(element == "tspan" ? "dy" : "y", y);
  if (scale < 1) {  // a style, because the class would win over an attribute
    out_ += " style=\"font-size:";
    appendNumber(out_, size * scale);
    out_ += "px\"";
  }
  out_ += '>';
  appendXmlText(out_, shortened(clean, fits));
}

void SvgWriter::twoLines(std::string_view name, std::string_view type, const ShapeText& room, double middle,
                         std::string_view cssClass) {
  line(name, "text", cssClass, room, type.empty() ? middle + 4 : middle - 3, kNameSize, kNameAdvance);
  if (!type.empty()) {
    line(type, "tspan", {}, room, 15, kTypeSize, kTypeAdvance);
    out_ += "</tspan>";
  }
  out_ += "</text>";
}

void SvgWriter::label(const SceneNode& n, const ShapeText& room) {
  const SceneRect& r = n.rect;
  const bool two = r.h >= 34 && !parts_.shortLabels;
  const std::string_view second =
      !two ? std::string_view() : std::string_view(n.type.empty() ? n.op : n.type);
  twoLines(n.label, second, room, r.y + r.h / 2.0, room.centered ? "" : "free");
}

void SvgWriter::badges(const SceneNode& n) {
  double x = n.rect.x + n.rect.w - 8.0;
  for (int bit = 0; bit < kBadgeCount; ++bit) {
    if (!(n.badges >> bit & 1)) continue;
    out_ += "<use href=\"#badge-";
    out_ += static_cast<char>('0' + bit);
    out_ += '"';
    attribute("x", x);
    attribute("y", n.rect.y);
    out_ += "/>";
    x -= 15;
  }
}

void SvgWriter::node(size_t index) {
  const SceneNode& n = scene_.nodes[index];
  if (!(n.rect.w > 0) || !(n.rect.h > 0)) return;
  out_ += "<g id=\"";
  if (!parts_.document) {
    out_ += 'n';
    out_ += std::to_string(index);
  } else if (n.node.valid()) {
    out_ += "node-";
    out_ += std::to_string(n.node.index);
  } else if (n.outputSlot >= 0) {
    out_ += "output-";
    out_ += std::to_string(n.outputSlot);
  } else {
    out_ += "box-";
    out_ += std::to_string(index);
  }
  out_ += "\" class=\"";
  out_ += parts_.colours == ColourMode::Phase ? std::string(phaseClass(n.role, n.phase))
                                              : colourClassName(classes_.classes[classes_.of[index]]);
  out_ += "\">";
  if (parts_.tooltips) tooltip(n, index < scene_.cuts.size() ? &scene_.cuts[index] : nullptr);
  out_ += "<path d=\"";
  std::string marks;
  const ShapeText room = appendShape(out_, marks, n.rect, n.role, n.phase);
  out_ += "\"/>";
  if (!marks.empty()) out_ += "<path class=\"mark\" d=\"" + marks + "\"/>";
  label(n, room);
  if (n.badges) badges(n);
  out_ += parts_.document ? "</g>\n" : "</g>";
}

void SvgWriter::nodes() {
  out_ += "<g class=\"nodes\">\n";
  for (size_t i = 0; i < scene_.nodes.size(); ++i) node(i);
  out_ += "</g>\n";
}

}  // namespace

std::vector<uint32_t> appendSvg(std::string& out, const Subject& subject, const Scene& scene,
                                const SvgParts& parts) {
  SvgWriter writer(out, subject, scene, parts);
  writer.write();
  return writer.takeEdgeOrder();
}

Result<std::string> exportSvg(const ExportInput& input, const ExportOptions& options) {
  if (!input.scene) return failure("scene-missing", "a picture needs a placed scene");
  const Subject subject(input);
  SvgParts parts;
  parts.legend = options.legend;
  parts.shortLabels = options.labels == Labels::Short;
  parts.theme = options.theme;
  parts.colours = options.colours;
  std::string out;
  out.reserve(input.scene->nodes.size() * 500 + input.scene->edges.size() * 80 + 8192);
  appendSvg(out, subject, *input.scene, parts);
  return out;
}

}  // namespace descry::exporters
