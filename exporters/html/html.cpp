#include "exporters/html/html.h"

#include <charconv>
#include <unordered_map>

#include "exporters/common/escape.h"
#include "exporters/common/facts.h"
#include "exporters/html/page.h"
#include "exporters/svg/svg.h"
#include "ir/text/printer.h"

namespace descry::exporters {

using namespace ir;

namespace {

/// Numbers entries by first use.
class Numbering {
 public:
  int of(uint32_t id) {
    const auto [it, fresh] = index_.try_emplace(id, static_cast<int>(order_.size()));
    if (fresh) order_.push_back(id);
    return it->second;
  }
  const std::vector<uint32_t>& order() const { return order_; }

 private:
  std::unordered_map<uint32_t, int> index_;
  std::vector<uint32_t> order_;
};

void number(std::string& out, int64_t value) {
  char buffer[24];
  const auto r = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, static_cast<size_t>(r.ptr - buffer));
}

class PageWriter {
 public:
  PageWriter(std::string& out, const Subject& subject, const ExportInput& input, const ExportOptions& options)
      : out_(out), subject_(subject), graph_(subject.graph()), input_(input), options_(options) {}
  void write();

 private:
  void head();
  void picture();
  void ioTable();
  void ioRow(std::string_view direction, size_t position, std::string_view name, int64_t node,
             const Type& type, std::string_view descriptor, const Descriptor* parsed);
  void data();
  void nodeRow(NodeId id);
  void footer();
  void cell(std::string_view text, bool mono = false) {
    out_ += mono ? "<td class=\"mono\">" : "<td>";
    appendXmlText(out_, text);
    out_ += "</td>";
  }

  std::string& out_;
  const Subject& subject_;
  const Graph& graph_;
  const ExportInput& input_;
  const ExportOptions& options_;
  std::vector<int64_t> order_;  // by node id: position in program order, -1 for the output node
  std::vector<uint32_t> edgeOrder_;
  Numbering targets_, types_, descriptors_, sources_;
};

void PageWriter::write() {
  order_.assign(graph_.idBound(), -1);
  int64_t next = 0;
  for (NodeId id : graph_.nodes())
    if (graph_.node(id).op != OpKind::Output) order_[id.index] = next++;
  head();
  out_ += "<main>\n";
  picture();
  out_ +=
      "<section id=\"view-nodes\" hidden><p "
      "id=\"more\"></p><table><thead><tr><th>#</th><th>name</th><th>op</th>"
      "<th>target</th><th>type</th><th>phase</th><th>descriptor</th><th>source</th><th>inputs</th><th>users</"
      "th>"
      "</tr></thead><tbody id=\"rows\"></tbody></table></section>\n";
  ioTable();
  out_ += "<section id=\"view-text\"><pre>";
  const bool root = &graph_ == &subject_.module().root();
  appendXmlText(out_, root ? printModule(subject_.module()) : printGraph(subject_.module(), graph_));
  out_ += "</pre></section>\n<aside id=\"facts\" hidden></aside>\n</main>\n";
  footer();
  data();
  out_ += "<script>";
  out_ += kPageScript;
  out_ += "</script>\n</body>\n</html>\n";
}

void PageWriter::head() {
  out_ +=
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-";
  out_ += kPageScriptHash;
  out_ +=
      "'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
  const std::string title = visibleLine(subject_.title());
  appendXmlText(out_, title);
  out_ += "</title>\n<style>\n";
  out_ += pageStyle(options_.theme);
  out_ += "</style>\n</head>\n<body>\n<header><h1>";
  appendXmlText(out_, title);
  out_ +=
      "</h1>\n"
      "<button data-tab=\"graph\" aria-selected=\"true\">Graph</button>"
      "<button data-tab=\"nodes\">Nodes</button>"
      "<button data-tab=\"io\">Inputs and outputs</button>"
      "<button data-tab=\"text\">Text</button>\n"
      "<input id=\"q\" type=\"search\" placeholder=\"Search ( / )\" aria-label=\"Search nodes\">"
      "<span id=\"count\" role=\"status\"></span></header>\n"
      "<noscript><p>Search, selection and zoom need scripts; everything is shown below.</p></noscript>\n";
}

void PageWriter::picture() {
  out_ += "<section id=\"view-graph\">\n";
  SvgParts parts;
  parts.document = false;
  parts.tooltips = false;  // the panel shows the facts
  parts.legend = options_.legend;
  parts.shortLabels = options_.labels == Labels::Short;
  parts.theme = options_.theme;
  parts.colours = options_.colours;
  edgeOrder_ = appendSvg(out_, subject_, *input_.scene, parts);
  out_ +=
      "<div id=\"zoom\"><button id=\"in\" aria-label=\"Zoom in\">+</button>"
      "<button id=\"out\" aria-label=\"Zoom out\">\xE2\x88\x92</button>"
      "<button id=\"fit\">Fit</button></div>\n</section>\n";
}

void PageWriter::ioRow(std::string_view direction, size_t position, std::string_view name, int64_t node,
                       const Type& type, std::string_view descriptor, const Descriptor* parsed) {
  out_ += "<tr>";
  cell(direction);
  cell(std::to_string(position));
  out_ += "<td>";
  if (node >= 0) {
    out_ += "<a data-node=\"";
    number(out_, node);
    out_ += "\">";
  }
  appendXmlText(out_, name);
  out_ += node >= 0 ? "</a></td>" : "</td>";
  cell(type.text, true);
  cell(parsed ? parsed->words() : std::string());
  cell(descriptor, true);
  out_ += "</tr>\n";
}

void PageWriter::ioTable() {
  out_ +=
      "<section "
      "id=\"view-io\"><table><thead><tr><th></th><th>#</th><th>name</th><th>type</th><th>meaning</th>"
      "<th>descriptor</th></tr></thead><tbody>\n";
  size_t position = 0;
  for (NodeId id : graph_.placeholders()) {
    const DescId desc = graph_.node(id).desc;
    ioRow("input", position++, graph_.nodeName(id), order_[id.index], graph_.type(id),
          desc ? graph_.str(graph_.context().descriptor(desc).text) : std::string_view(),
          graph_.descriptor(id));
  }
  position = 0;
  for (const OutputSlot& slot : outputSlots(graph_)) {
    const int64_t node = slot.node.index < order_.size() ? order_[slot.node.index] : -1;
    ioRow("output", position++, slot.value, node, slot.node ? graph_.type(slot.node) : Type(),
          slot.descriptor, slot.parsed);
  }
  out_ += "</tbody></table></section>\n";
}

void PageWriter::nodeRow(NodeId id) {
  const Node& n = graph_.node(id);
  out_ += '[';
  appendScriptJsonString(out_, graph_.str(n.name));
  const bool sameTarget = n.op == OpKind::Placeholder && n.target == n.name;
  for (int64_t v :
       {static_cast<int64_t>(n.op), int64_t{n.target && !sameTarget ? targets_.of(n.target.index) : -1},
        int64_t{n.type ? types_.of(n.type.index) : -1}, int64_t{n.desc ? descriptors_.of(n.desc.index) : -1},
        int64_t{n.source ? sources_.of(n.source.index) : -1}, static_cast<int64_t>(subject_.phases()[id])}) {
    out_ += ',';
    number(out_, v);
  }
  out_ += ",[";
  for (NodeId in : graph_.inputs(id)) {
    if (order_[in.index] < 0) continue;
    if (out_.back() != '[') out_ += ',';
    number(out_, order_[id.index] - order_[in.index]);
  }
  out_ += "]]";
}

void PageWriter::data() {
  const Context& context = graph_.context();
  out_ += "<script id=\"data\" type=\"application/json\">{\"nodes\":[";
  bool first = true;
  for (NodeId id : graph_.nodes()) {
    if (order_[id.index] < 0) continue;
    out_ += first ? "\n" : ",\n";
    first = false;
    nodeRow(id);
  }
  out_ += "],\n\"outputs\":[";
  size_t slotIndex = 0;
  for (const OutputSlot& slot : outputSlots(graph_)) {
    if (slotIndex) out_ += ',';
    out_ += '[';
    appendScriptJsonString(out_, slot.value);
    out_ += ',';
    number(out_, slot.node.index < order_.size() ? order_[slot.node.index] : -1);
    out_ += ',';
    const bool has = slotIndex < graph_.outputDescs.size() && graph_.outputDescs[slotIndex];
    number(out_, has ? descriptors_.of(graph_.outputDescs[slotIndex].index) : -1);
    out_ += ']';
    ++slotIndex;
  }
  // A box is a node (its position), output slot k (-2 - k), or neither (-1).
  out_ += "],\n\"boxes\":[";
  const Scene& scene = *input_.scene;
  for (size_t i = 0; i < scene.nodes.size(); ++i) {
    const SceneNode& n = scene.nodes[i];
    if (i) out_ += ',';
    int64_t value = -1;
    if (n.node.index < order_.size()) value = order_[n.node.index];
    if (!n.node.valid() && n.outputSlot >= 0) value = -2 - int64_t{n.outputSlot};
    number(out_, value);
  }
  out_ += "],\n\"edges\":[";
  int64_t reader = 0;
  for (size_t i = 0; i < edgeOrder_.size(); ++i) {
    const SceneEdge& e = scene.edges[edgeOrder_[i]];
    if (i) out_ += ',';
    number(out_, e.to - reader);
    out_ += ',';
    number(out_, int64_t{e.to} - e.from);
    reader = e.to;
  }
  out_ += "],\n\"targets\":[";
  first = true;
  const auto next = [&] {
    if (!first) out_ += ",\n";
    first = false;
  };
  for (uint32_t id : targets_.order()) {
    next();
    appendScriptJsonString(out_, context.str({id}));
  }
  out_ += "],\n\"types\":[";
  first = true;
  for (uint32_t id : types_.order()) {
    next();
    appendScriptJsonString(out_, context.types.at({id}).text);
  }
  out_ += "],\n\"descriptors\":[";
  first = true;
  for (uint32_t id : descriptors_.order()) {
    next();
    const DescEntry& entry = context.descriptor(DescId{id});
    out_ += '[';
    appendScriptJsonString(out_, context.str(entry.text));
    out_ += ',';
    appendScriptJsonString(out_, entry.descriptor ? entry.descriptor->words() : std::string());
    out_ += ']';
  }
  out_ += "],\n\"sources\":[";
  first = true;
  for (uint32_t id : sources_.order()) {
    next();
    const Source& source = context.source(SourceId{id});
    std::string place(context.str(source.file ? source.file : source.comment));
    if (source.file) {
      place += ':';
      number(place, source.line);
    }
    if (source.backward) place += " (backward of)";
    out_ += '[';
    appendScriptJsonString(out_, place);
    out_ += ',';
    appendScriptJsonString(out_, context.str(source.code));
    out_ += ']';
  }
  out_ += "]}</script>\n";
}

void PageWriter::footer() {
  out_ += "<footer>Descry";
  const auto part = [&](std::string_view label, std::string_view text) {
    if (text.empty()) return;
    out_ += label;
    appendXmlText(out_, visibleLine(text));
  };
  part(" ", input_.version);
  part(" \xC2\xB7 input ", input_.inputHash);
  part(" \xC2\xB7 made by: ", input_.command);
  out_ += "</footer>\n";
}

}  // namespace

std::string_view htmlScript() {
  return kPageScript;
}
std::string_view htmlScriptHash() {
  return kPageScriptHash;
}

Result<std::string> exportHtml(const ExportInput& input, const ExportOptions& options) {
  if (!input.scene) return failure("scene-missing", "a page needs a placed scene");
  const Subject subject(input);
  std::string out;
  out.reserve(subject.graph().size() * 700 + 65536);
  PageWriter(out, subject, input, options).write();
  return out;
}

}  // namespace descry::exporters
