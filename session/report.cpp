#include "session/report.h"

#include <algorithm>

#include "exporters/common/escape.h"
#include "session/exports.h"
#include "session/node_text.h"
#include "session/views.h"

namespace descry::session {

namespace {

using exporters::xmlText;

constexpr size_t kMostText = 4u << 20;  // bytes of one graph's text in the page
constexpr size_t kMostProblems = 500, kMostRows = 20000;

constexpr const char* kStyle =
    "body{font:14px system-ui,sans-serif;margin:24px;color:#1b1f24;background:#fafafa;max-width:1500px}"
    "table{border-collapse:collapse;margin:8px 0}td,th{padding:3px 10px;border-bottom:1px solid "
    "#dde3ea;text-align:left;"
    "vertical-align:top}td{font:12px "
    "ui-monospace,monospace}th{font-weight:600}.inferred{font-style:italic;color:#57606a}"
    "pre{background:#f0f2f5;padding:10px;overflow:auto;font:12px ui-monospace,monospace}"
    ".picture{overflow:auto;max-height:80vh;border:1px solid "
    "#dde3ea;background:#fff}summary{cursor:pointer;padding:4px 0}"
    ".error{color:#c62828}.warning{color:#a86400}h2{margin-top:32px;border-top:1px solid "
    "#dde3ea;padding-top:16px}";

void ioTable(std::string& out, const LoadedGraph& graph) {
  const std::vector<IoRow> rows = ioRows(graph);
  out += "<table><tr><th><th>name<th>kind<th>meaning<th>type<th>partner<th>path or source</tr>\n";
  size_t n = 0;
  for (const IoRow& r : rows) {
    if (++n > kMostRows) break;
    out += "<tr><td>" + std::string(r.input ? "in " : "out ") + std::to_string(r.position) + "<td>" +
           xmlText(r.name) + "<td>" + xmlText(r.kind) + "<td" +
           (r.origin == Origin::Inferred
                ? " class=inferred title=\"inferred: " + exporters::xmlAttribute(r.originRule) + "\""
                : "") +
           ">" + xmlText(r.words) + "<td>" + xmlText(r.type) + "<td>" + xmlText(r.gradOrTangent) + "<td>" +
           xmlText(!r.path.empty() ? r.path : r.source) + "</tr>\n";
  }
  out += "</table>\n";
  if (rows.size() > kMostRows) out += "<p>and " + std::to_string(rows.size() - kMostRows) + " more</p>\n";
}

void problems(std::string& out, const std::vector<ir::Diagnostic>& list) {
  if (list.empty()) return;
  out += "<table><tr><th><th>place<th>message<th>code</tr>\n";
  for (size_t i = 0; i < list.size() && i < kMostProblems; ++i) {
    const ir::Diagnostic& d = list[i];
    const std::string severity(ir::severityName(d.severity));
    out += "<tr class=" + severity + "><td>" + severity + "<td>" +
           (d.loc.line ? "line " + std::to_string(d.loc.line) : "") + "<td>" + xmlText(d.message) + "<td>" +
           xmlText(d.code) + "</tr>\n";
  }
  out += "</table>\n";
  if (list.size() > kMostProblems)
    out += "<p>and " + std::to_string(list.size() - kMostProblems) + " more</p>\n";
}

void oneGraph(std::string& out, const LoadedGraph& graph, size_t number, const ReportOptions& options) {
  out += "<h2 id=g" + std::to_string(number) + ">" + xmlText(graph.entry.id) + "</h2>\n<p>" +
         xmlText(graph.entry.kind) + ", " + counted(graph.graph->size(), "node");
  if (graph.phases.joint)
    out += ": " + std::to_string(graph.phases.forward) + " forward, " +
           std::to_string(graph.phases.backward) + " backward, " + std::to_string(graph.phases.either) +
           " either side";
  out += "</p>\n";
  problems(out, graph.diagnostics);
  ioTable(out, graph);
  if (graph.graph->size() <= options.mostDrawn) {
    ExportRequest request;
    request.format = "svg";
    request.theme = options.theme;
    const ir::Result<std::string> svg = exportGraph(graph, request);
    if (svg) {
      std::string_view body = *svg;
      // An XML prologue may not stand inside HTML.
      if (const size_t at = body.find("<svg"); at != std::string_view::npos) body.remove_prefix(at);
      out += "<details open><summary>Drawing</summary><div class=picture>" + std::string(body) +
             "</div></details>\n";
    } else {
      out += "<p>No drawing: " + xmlText(svg.error().message) + "</p>\n";
    }
  } else {
    out += "<p>No drawing of " + counted(graph.graph->size(), "node") +
           "; <code>descry render</code> makes one.</p>\n";
  }
  const std::string text = textView(graph).text;
  if (text.size() <= kMostText)
    out += "<details><summary>Text</summary><pre>" + xmlText(text) + "</pre></details>\n";
  else
    out += "<p>The text has " + formatBytes(static_cast<int64_t>(text.size())) +
           "; <code>descry show</code> prints it.</p>\n";
}

}  // namespace

std::string reportHtml(const Document& document, const ReportOptions& options) {
  const importers::Input& input = document.input();
  std::string out = "<!doctype html>\n<html lang=en><head><meta charset=utf-8><title>" +
                    xmlText(document.path()) + "</title><style>" + kStyle + "</style></head><body>\n<h1>" +
                    xmlText(document.path()) + "</h1>\n<p>" + xmlText(input.format()) + ", " +
                    counted(input.graphs().size(), "graph") + ", " +
                    counted(input.records().size(), "record") + ". Written by Descry " + versionText();
  if (!options.command.empty()) out += " with <code>" + xmlText(options.command) + "</code>";
  out += ".</p>\n";
  problems(out, input.diagnostics().all());
  out += "<table><tr><th>graph<th>kind<th>compile id<th>bytes of text</tr>\n";
  for (size_t i = 0; i < input.graphs().size(); ++i) {
    const importers::GraphEntry& g = input.graphs()[i];
    out += "<tr><td><a href=\"#g" + std::to_string(i) + "\">" + xmlText(g.id) + "</a><td>" + xmlText(g.kind) +
           "<td>" + xmlText(g.shownCompileId) + "<td>" + std::to_string(g.bytes) + "</tr>\n";
  }
  out += "</table>\n";
  for (size_t i = 0; i < input.graphs().size(); ++i) {
    const ir::Result<LoadedGraphPtr> graph = document.graphAt(i);
    if (graph)
      oneGraph(out, **graph, i, options);
    else
      out += "<h2 id=g" + std::to_string(i) + ">" + xmlText(input.graphs()[i].id) + "</h2><p class=error>" +
             xmlText(graph.error().message) + "</p>\n";
  }
  return out + "</body></html>\n";
}

}  // namespace descry::session
