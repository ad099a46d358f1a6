#include <algorithm>
#include <cstdio>
#include <unordered_map>

#include "exporters/common/escape.h"
#include "ir/annotations/palette.h"
#include "ir/text/printer.h"
#include "layout/layout.h"
#include "session/diff.h"
#include "session/exports.h"
#include "session/node_text.h"
#include "session/views.h"

namespace descry::session {

namespace {

using exporters::appendXmlText;
using exporters::xmlText;

constexpr size_t kMostDrawn = 3000, kMostListed = 20000, kMostSideBySide = 60000;

char glyph(DiffState s) {
  switch (s) {
    case DiffState::Added:
      return '+';
    case DiffState::Removed:
      return '-';
    case DiffState::Changed:
      return '~';
    case DiffState::Moved:
      return '>';
    case DiffState::Renamed:
      return '=';
    case DiffState::Same:
      return ' ';
  }
  return ' ';
}

std::string nameOf(const GraphDiff& d, const NodeDiff& n) {
  const ir::Graph& a = *d.before->graph;
  const ir::Graph& b = *d.after->graph;
  if (!n.after) return std::string(a.nodeName(n.before));
  std::string name(b.nodeName(n.after));
  if (n.renamed) name = std::string(a.nodeName(n.before)) + " => " + name;
  return name;
}

std::string statement(const ir::Graph& g, ir::NodeId id) {
  const ir::Node& n = g.node(id);
  std::string out(g.nodeName(id));
  if (!g.type(id).text.empty()) out += ": \"" + g.type(id).text + "\"";
  if (n.op == ir::OpKind::Placeholder) {
    if (const std::string_view desc = g.str(g.context().descriptor(n.desc).text); !desc.empty())
      out += "  # " + std::string(desc);
    return out;
  }
  return out + " = " + ir::printExpression(g, id);
}

std::string counts(const GraphDiff& d) {
  std::string out;
  auto add = [&](uint32_t n, const char* what) {
    if (n) out += (out.empty() ? "" : ", ") + std::to_string(n) + " " + what;
  };
  add(d.added, "added");
  add(d.removed, "removed");
  add(d.changed, "changed");
  add(d.moved, "moved");
  add(d.renamed, "renamed");
  add(static_cast<uint32_t>(d.outputs.size()), d.outputs.size() == 1 ? "output differs" : "outputs differ");
  if (out.empty()) out = "no difference";
  return out + " (" + std::to_string(d.same) + " the same)";
}

std::string titleOf(const LoadedGraph& g) {
  return g.documentPath.empty() ? g.entry.id : g.documentPath + "::" + g.entry.id;
}

std::string text(const GraphDiff& d) {
  std::string out = "--- " + titleOf(*d.before) + "\n+++ " + titleOf(*d.after) + "\n" + counts(d) + "\n";
  for (const NodeDiff& n : d.nodes) {
    if (n.state == DiffState::Same) continue;
    out += glyph(n.state);
    out += ' ';
    if (n.state == DiffState::Added)
      out += statement(*d.after->graph, n.after);
    else if (n.state == DiffState::Removed)
      out += statement(*d.before->graph, n.before);
    else
      out += nameOf(d, n);
    if (n.moved) out += n.state == DiffState::Moved ? "  (moved)" : "  (moved too)";
    out += '\n';
    for (const FieldChange& c : n.changes)
      out += "    " + c.field + ": " + (c.before.empty() ? "none" : c.before) + " => " +
             (c.after.empty() ? "none" : c.after) + "\n";
  }
  for (const FieldChange& c : d.outputs)
    out += "~ " + c.field + ": " + (c.before.empty() ? "none" : c.before) + " => " +
           (c.after.empty() ? "none" : c.after) + "\n";
  return out;
}

/// Both graphs as one: a box per NodeDiff, then one per returned value that differs.
class UnionDrawing {
 public:
  explicit UnionDrawing(const GraphDiff& d) : d_(d), p_(ir::palette(ir::Theme::Light)) {}

  std::string svg() {
    build();
    const layout::Output placed = layout::layoutGraph(in_);
    const double w = placed.bounds.w + 40, h = placed.bounds.h + 90;
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + num(w) + "\" height=\"" + num(h) +
           "\" viewBox=\"" + num(placed.bounds.x - 20) + " " + num(placed.bounds.y - 70) + " " + num(w) +
           " " + num(h) +
           "\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"11\">\n<title>" +
           xmlText(titleOf(*d_.before) + " => " + titleOf(*d_.after)) + "</title>\n<rect x=\"" +
           num(placed.bounds.x - 20) + "\" y=\"" + num(placed.bounds.y - 70) + "\" width=\"" + num(w) +
           "\" height=\"" + num(h) + "\" fill=\"" + ir::hexColor(p_.canvas) + "\"/>\n";
    legend(placed.bounds.x - 8, placed.bounds.y - 52);
    for (size_t i = 0; i < in_.edges.size(); ++i) edge(placed, i);
    for (size_t i = 0; i < in_.nodes.size(); ++i) box(placed.nodes[i], i);
    return std::move(out_) + "</svg>\n";
  }

 private:
  static std::string num(double v) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.1f", v);
    std::string s = buffer;
    if (s.size() > 2 && s.compare(s.size() - 2, 2, ".0") == 0) s.resize(s.size() - 2);
    return s;
  }

  struct Box {
    std::string title, detail;
  };

  void build() {
    const ir::Graph &a = *d_.before->graph, &b = *d_.after->graph;
    std::vector<uint32_t> ofA(a.idBound(), 0), ofB(b.idBound(), 0);
    for (uint32_t i = 0; i < d_.nodes.size(); ++i) {
      if (d_.nodes[i].before) ofA[d_.nodes[i].before.index] = i;
      if (d_.nodes[i].after) ofB[d_.nodes[i].after.index] = i;
    }
    for (uint32_t i = 0; i < d_.nodes.size(); ++i) {
      const NodeDiff& n = d_.nodes[i];
      const ir::Graph& g = n.after ? b : a;
      const ir::NodeId id = n.after ? n.after : n.before;
      Box box{nameOf(d_, n), std::string(shortOp(g, id))};
      layout::InputNode node;
      node.size.w = std::clamp(30 + 6.8 * static_cast<double>(std::max(box.title.size(), box.detail.size())),
                               70.0, 320.0);
      node.size.h = 38;
      in_.nodes.push_back(node);
      boxes_.push_back(std::move(box));
      auto connect = [&](const ir::Graph& graph, ir::NodeId reader, const std::vector<uint32_t>& of,
                         bool old) {
        graph.forEachInput(reader, [&](ir::NodeId input) {
          const uint64_t key = (uint64_t{of[input.index]} << 32) | i;
          const auto [it, fresh] = seen_.emplace(key, static_cast<uint32_t>(in_.edges.size()));
          if (fresh) {
            in_.edges.push_back({of[input.index], i, false});
            edgeState_.push_back(old ? DiffState::Removed : DiffState::Added);
          } else if (!old && edgeState_[it->second] == DiffState::Removed) {
            edgeState_[it->second] = DiffState::Same;
          }
        });
      };
      if (n.before) connect(a, n.before, ofA, true);
      if (n.after) connect(b, n.after, ofB, false);
    }
  }

  ir::Rgb colour(DiffState s) const {
    switch (s) {
      case DiffState::Added:
        return p_.added;
      case DiffState::Removed:
        return p_.removed;
      case DiffState::Changed:
        return p_.changed;
      case DiffState::Moved:
        return p_.moved;
      default:
        return p_.groupLine;
    }
  }

  void legend(double x, double y) {
    text(x, y - 4, counts(d_), p_.ink, 12);
    for (DiffState s :
         {DiffState::Added, DiffState::Removed, DiffState::Changed, DiffState::Moved, DiffState::Renamed}) {
      const std::string label = std::string(1, glyph(s)) + " " + std::string(diffStateName(s));
      text(x, y + 14, label, colour(s), 11);
      x += 90;
    }
  }

  void text(double x, double y, std::string_view t, ir::Rgb ink, int size) {
    out_ += "<text x=\"" + num(x) + "\" y=\"" + num(y) + "\" font-size=\"" + std::to_string(size) +
            "\" fill=\"" + ir::hexColor(ink) + "\">";
    appendXmlText(out_, t);
    out_ += "</text>\n";
  }

  void edge(const layout::Output& placed, size_t i) {
    const layout::EdgeRoute& r = placed.edges[i];
    if (r.pointCount < 2) return;
    out_ += "<path d=\"M";
    for (uint32_t k = 0; k < r.pointCount; ++k) {
      const layout::Point& p = placed.points[r.firstPoint + k];
      out_ += (k ? " L" : "") + num(p.x) + " " + num(p.y);
    }
    const DiffState s = edgeState_[i];
    out_ += "\" fill=\"none\" stroke=\"" + ir::hexColor(s == DiffState::Same ? p_.edge : colour(s)) + "\"";
    if (s == DiffState::Removed) out_ += " stroke-dasharray=\"4 3\"";
    if (s == DiffState::Same) out_ += " stroke-opacity=\"0.6\"";
    out_ += "/>\n";
  }

  void box(const layout::Rect& r, size_t i) {
    const NodeDiff& n = d_.nodes[i];
    const bool quiet = n.state == DiffState::Same || n.state == DiffState::Renamed;
    out_ += "<g><title>" + xmlText(tooltip(n)) + "</title><rect x=\"" + num(r.x) + "\" y=\"" + num(r.y) +
            "\" width=\"" + num(r.w) + "\" height=\"" + num(r.h) + "\" rx=\"5\" fill=\"" +
            ir::hexColor(p_.plain) + "\" stroke=\"" + ir::hexColor(colour(n.state)) + "\" stroke-width=\"" +
            (quiet ? "1" : "3") + "\"";
    if (n.state == DiffState::Removed) out_ += " stroke-dasharray=\"5 3\" fill-opacity=\"0.5\"";
    if (n.state == DiffState::Moved) out_ += " stroke-dasharray=\"2 2\"";
    out_ += "/>";
    const size_t room = static_cast<size_t>(std::max(4.0, (r.w - 24) / 6.4));
    std::string title = exporters::shortened(boxes_[i].title, room);
    if (n.state != DiffState::Same) title = std::string(1, glyph(n.state)) + " " + title;
    const char* strike = n.state == DiffState::Removed ? " text-decoration=\"line-through\"" : "";
    out_ += "<text x=\"" + num(r.x + 10) + "\" y=\"" + num(r.y + 16) + "\" fill=\"" + ir::hexColor(p_.ink) +
            "\"" + strike + ">" + xmlText(title) + "</text><text x=\"" + num(r.x + 10) + "\" y=\"" +
            num(r.y + 30) + "\" fill=\"" + ir::hexColor(p_.mutedInk) + "\">" +
            xmlText(exporters::shortened(boxes_[i].detail, room)) + "</text></g>\n";
  }

  std::string tooltip(const NodeDiff& n) const {
    std::string out =
        std::string(diffStateName(n.state)) + ": " +
        (n.after ? statement(*d_.after->graph, n.after) : statement(*d_.before->graph, n.before));
    for (const FieldChange& c : n.changes) out += "\n" + c.field + ": " + c.before + " => " + c.after;
    if (!n.reason.empty()) out += "\npaired by " + n.reason;
    return out;
  }

  const GraphDiff& d_;
  const ir::Palette& p_;
  layout::Input in_;
  std::vector<Box> boxes_;
  std::vector<DiffState> edgeState_;
  std::unordered_map<uint64_t, uint32_t> seen_;
  std::string out_;
};

constexpr const char* kStyle =
    "body{font:14px system-ui,sans-serif;margin:24px;color:#1b1f24;background:#fafafa}"
    "table{border-collapse:collapse}td,th{padding:2px 8px;border-bottom:1px solid #dde3ea;text-align:left;"
    "vertical-align:top;font:12px ui-monospace,monospace}th{font:600 13px system-ui}"
    ".added{color:#00795a}.removed{color:#c62828}.changed{color:#a86400}.moved{color:#2b7cb3}.renamed{color:#"
    "57606a}"
    ".side td{white-space:pre;border:0;padding:0 6px}.side .no{color:#8a939e;text-align:right}"
    ".side .a{background:#ffe9e9}.side "
    ".b{background:#e3f6ee}.picture{overflow:auto;max-height:80vh;border:1px solid #dde3ea}";

void sideBySide(std::string& out, const GraphDiff& d) {
  const std::string a = textView(*d.before).text, b = textView(*d.after).text;
  const std::vector<LineDiff> lines = diffLines(a, b);
  if (lines.size() > kMostSideBySide) {
    out += "<p>The texts have " + std::to_string(lines.size()) +
           " lines; <code>descry diff --unified</code> prints them.</p>";
    return;
  }
  out += "<table class=side>\n";
  auto cell = [&](uint32_t number, std::string_view line, const char* css) {
    out += "<td class=no>" + (number ? std::to_string(number) : "") + "</td><td" +
           (number && *css ? std::string(" class=") + css : "") + ">";
    if (number) appendXmlText(out, line);
    out += "</td>";
  };
  for (size_t i = 0; i < lines.size();) {
    if (lines[i].kind == LineDiff::Kind::Same) {
      out += "<tr>";
      cell(lines[i].before, lines[i].text, "");
      cell(lines[i].after, lines[i].text, "");
      out += "</tr>\n";
      ++i;
      continue;
    }
    std::vector<const LineDiff*> left, right;
    for (; i < lines.size() && lines[i].kind != LineDiff::Kind::Same; ++i)
      (lines[i].kind == LineDiff::Kind::Removed ? left : right).push_back(&lines[i]);
    for (size_t k = 0; k < std::max(left.size(), right.size()); ++k) {
      out += "<tr>";
      cell(k < left.size() ? left[k]->before : 0, k < left.size() ? left[k]->text : "", "a");
      cell(k < right.size() ? right[k]->after : 0, k < right.size() ? right[k]->text : "", "b");
      out += "</tr>\n";
    }
  }
  out += "</table>\n";
}

}  // namespace

std::string diffText(const GraphDiff& diff) {
  return text(diff);
}

std::string diffSvg(const GraphDiff& diff) {
  return UnionDrawing(diff).svg();
}

std::string diffHtml(const GraphDiff& d) {
  std::string out = "<!doctype html>\n<html lang=en><head><meta charset=utf-8><title>" +
                    xmlText(titleOf(*d.before) + " => " + titleOf(*d.after)) + "</title><style>" + kStyle +
                    "</style></head><body>\n<h1>" + xmlText(counts(d)) + "</h1>\n<p>before: <code>" +
                    xmlText(titleOf(*d.before)) + "</code><br>after: <code>" + xmlText(titleOf(*d.after)) +
                    "</code><br>written by Descry " + versionText() + "</p>\n";
  if (d.nodes.size() <= kMostDrawn)
    out += "<h2>Drawing</h2><div class=picture>" + diffSvg(d) + "</div>\n";
  else
    out += "<p>No drawing: " + std::to_string(d.nodes.size()) +
           " nodes. <code>descry diff --format svg</code> makes one.</p>\n";
  out += "<h2>Changes</h2><table><tr><th>state<th>node<th>field<th>before<th>after</tr>\n";
  size_t listed = 0;
  for (const NodeDiff& n : d.nodes) {
    if (n.state == DiffState::Same) continue;
    if (++listed > kMostListed) continue;
    const std::string state(diffStateName(n.state));
    auto row = [&](const std::string& field, const std::string& before, const std::string& after) {
      out += "<tr class=" + state + "><td>" + state + "<td>" + xmlText(nameOf(d, n)) + "<td>" +
             xmlText(field) + "<td>" + xmlText(before) + "<td>" + xmlText(after) + "</tr>\n";
    };
    if (n.state == DiffState::Added)
      row("", "", statement(*d.after->graph, n.after));
    else if (n.state == DiffState::Removed)
      row("", statement(*d.before->graph, n.before), "");
    else if (n.changes.empty())
      row("", "", statement(*d.after->graph, n.after));
    for (const FieldChange& c : n.changes) row(c.field, c.before, c.after);
  }
  for (const FieldChange& c : d.outputs)
    out += "<tr class=changed><td>changed<td>return<td>" + xmlText(c.field) + "<td>" + xmlText(c.before) +
           "<td>" + xmlText(c.after) + "</tr>\n";
  out += "</table>\n";
  if (listed > kMostListed) out += "<p>and " + std::to_string(listed - kMostListed) + " more</p>\n";
  out += "<h2>Text</h2>\n";
  sideBySide(out, d);
  return out + "</body></html>\n";
}

}  // namespace descry::session
