#include <algorithm>
#include <unordered_map>

#include "ir/analysis/module_paths.h"
#include "ir/ops/registry.h"
#include "ir/text/printer.h"
#include "ir/verify/verify.h"
#include "session/node_text.h"
#include "session/views.h"

namespace descry::session {

namespace {

/// Outputs keep their descriptors on the return; a node shows those of all slots it fills.
std::unordered_map<uint32_t, std::string> outputDescriptors(const ir::Graph& g) {
  std::unordered_map<uint32_t, std::string> out;
  const std::vector<ir::ArgView> values = g.outputs();
  for (size_t i = 0; i < values.size() && i < g.outputDescs.size(); ++i) {
    if (values[i].kind() != ir::ValueKind::NodeRef || !g.outputDescs[i]) continue;
    std::string& text = out[values[i].node().index];
    text += (text.empty() ? "" : "; ") + std::string(g.str(g.context().descriptor(g.outputDescs[i]).text));
  }
  return out;
}

}  // namespace

std::vector<NodeRow> nodeRows(const LoadedGraph& lg) {
  const ir::Graph& g = *lg.graph;
  const ir::ModuleMap modules = ir::findModules(g);
  const auto outputs = outputDescriptors(g);
  std::vector<NodeRow> rows;
  rows.reserve(g.size());
  uint32_t order = 0;
  for (ir::NodeId id : g.nodes()) {
    const ir::Node& n = g.node(id);
    NodeRow row;
    row.node = id;
    row.order = order++;
    row.name = g.nodeName(id);
    row.op = shortOp(g, id);
    row.target = g.target(id);
    const ir::Type& type = g.type(id);
    row.type = type.text;
    row.dtype = dtypeText(type);
    row.shape = shapeText(type);
    row.bytes = bytesOf(type);
    if (lg.phases[id] != ir::Phase::None) row.phase = ir::phaseName(lg.phases[id]);
    row.descriptor = g.str(g.context().descriptor(n.desc).text);
    if (const auto it = outputs.find(id.index); it != outputs.end())
      row.descriptor += (row.descriptor.empty() ? "" : "; ") + it->second;
    row.module = modules.path(id);
    const ir::Source& s = g.source(id);
    row.file = g.str(s.file);
    row.line = s.line;
    uint32_t inputs = 0;
    g.forEachInput(id, [&](ir::NodeId) { ++inputs; });
    row.inputs = inputs;
    row.users = g.useCount(id);
    rows.push_back(std::move(row));
  }
  return rows;
}

const std::vector<std::string>& nodeRowColumns() {
  static const std::vector<std::string> kColumns = {"order",      "name",   "op",    "type",  "dtype",
                                                    "shape",      "bytes",  "phase", "users", "inputs",
                                                    "descriptor", "module", "file",  "line",  "target"};
  return kColumns;
}

std::string nodeRowCell(const NodeRow& row, size_t column) {
  switch (column) {
    case 0:
      return std::to_string(row.order);
    case 1:
      return row.name;
    case 2:
      return row.op;
    case 3:
      return row.type;
    case 4:
      return row.dtype;
    case 5:
      return row.shape;
    case 6:
      return row.bytes ? std::to_string(*row.bytes) : "";
    case 7:
      return row.phase;
    case 8:
      return std::to_string(row.users);
    case 9:
      return std::to_string(row.inputs);
    case 10:
      return row.descriptor;
    case 11:
      return row.module;
    case 12:
      return row.file;
    case 13:
      return row.line ? std::to_string(row.line) : "";
    case 14:
      return row.target;
    default:
      return {};
  }
}

std::vector<OutlineItem> outline(const LoadedGraph& lg) {
  const ir::Graph& g = *lg.graph;
  const ir::ModuleMap modules = ir::findModules(g);
  std::vector<OutlineItem> items;
  std::unordered_map<std::string, int> groups;
  // Parents stand before children; kept short of kMaxDepth levels, so that hostile paths stay shallow.
  constexpr int kMaxDepth = 64;
  auto groupOf = [&](std::string_view path) {
    int parent = -1;
    size_t from = 0;
    for (int depth = 0; depth < kMaxDepth && from <= path.size(); ++depth) {
      const size_t dot = depth + 1 == kMaxDepth ? std::string_view::npos : path.find('.', from);
      const size_t end = dot == std::string_view::npos ? path.size() : dot;
      const std::string key(path.substr(0, end));
      const auto [it, fresh] = groups.emplace(key, static_cast<int>(items.size()));
      if (fresh) {
        OutlineItem item;
        item.label = path.substr(from, end - from);
        item.parent = parent;
        items.push_back(std::move(item));
      }
      parent = it->second;
      from = end + 1;
    }
    return parent;
  };
  auto fixed = [&](const char* label) {
    const auto [it, fresh] = groups.emplace(std::string("\n") + label, static_cast<int>(items.size()));
    if (fresh) {
      OutlineItem item;
      item.label = label;
      items.push_back(std::move(item));
    }
    return it->second;
  };
  for (ir::NodeId id : g.nodes()) {
    const ir::Node& n = g.node(id);
    if (n.op == ir::OpKind::Output) continue;
    const std::string_view path = modules.path(id);
    OutlineItem item;
    item.parent = !path.empty()                     ? groupOf(path)
                  : n.op == ir::OpKind::Placeholder ? fixed("inputs")
                  : modules.paths.empty()           ? -1
                                                    : fixed("elsewhere");
    item.node = id;
    item.label = std::string(g.nodeName(id));
    if (n.op != ir::OpKind::Placeholder) item.label += "  " + std::string(shortOp(g, id));
    item.nodes = 1;
    item.bytes = bytesOf(g.type(id));
    items.push_back(std::move(item));
  }
  // A child's index is always above its parent's.
  for (size_t i = items.size(); i-- > 0;) {
    const OutlineItem& item = items[i];
    if (item.parent < 0) continue;
    OutlineItem& parent = items[static_cast<size_t>(item.parent)];
    parent.nodes += item.nodes;
    if (item.bytes) {
      int64_t sum = 0;
      if (!__builtin_add_overflow(parent.bytes.value_or(0), *item.bytes, &sum)) parent.bytes = sum;
    }
  }
  return items;
}

TextView textView(const LoadedGraph& lg) {
  TextView view;
  std::vector<ir::PrintedLine> lines;
  view.text = lg.subgraph == 0 ? ir::printModule(*lg.module, {}, &lines)
                               : ir::printGraph(*lg.module, *lg.graph, {}, &lines);
  view.lines.reserve(lines.size());
  for (const ir::PrintedLine& l : lines) view.lines.emplace_back(l.node, l.line);
  std::stable_sort(view.lines.begin(), view.lines.end(),
                   [](auto& a, auto& b) { return a.second < b.second; });
  return view;
}

std::vector<std::string> breadcrumbs(const LoadedGraph& lg, ir::NodeId node) {
  std::vector<std::string> out;
  const std::string& path = lg.documentPath;
  const size_t slash = path.find_last_of('/');
  out.push_back(path.empty()                                             ? "text"
                : path == "-"                                            ? "standard input"
                : slash == std::string::npos || slash + 1 == path.size() ? path
                                                                         : path.substr(slash + 1));
  if (lg.entry.rank) out.push_back("rank " + std::to_string(*lg.entry.rank));
  if (!lg.entry.shownCompileId.empty()) out.push_back("[" + lg.entry.shownCompileId + "]");
  out.push_back(lg.entry.id);
  if (node && lg.graph->contains(node)) {
    const ir::ModuleMap modules = ir::findModules(*lg.graph);
    if (const std::string_view module = modules.path(node); !module.empty()) out.emplace_back(module);
    out.emplace_back(lg.graph->nodeName(node));
  }
  return out;
}

std::vector<ir::Diagnostic> verifyGraph(const LoadedGraph& lg) {
  ir::DiagnosticSink sink;
  sink.setFile(lg.entry.file.empty() ? lg.documentPath : lg.entry.file);
  ir::verifyModule(*lg.module, &ir::allOps(), sink);
  std::vector<ir::Diagnostic> out = sink.take();
  for (ir::Diagnostic& d : out)
    if (d.graph.empty()) d.graph = lg.entry.id;
  return out;
}

}  // namespace descry::session
