#include "session/exports.h"

#include <set>

#include "exporters/common/exporter.h"
#include "session/atomic_file.h"

namespace descry::session {

namespace {

/// As a shell word: quoted only where needed.
std::string shellWord(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_./:-+@%,") == std::string::npos;
  if (plain) return text;
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

bool isDrawn(const exporters::ExporterDef& exporter) {
  return exporter.needsScene || std::string_view(exporter.name) == "dot";
}

}  // namespace

std::vector<ExportFormat> exportFormats() {
  std::vector<ExportFormat> out;
  for (const exporters::ExporterDef& e : exporters::allExporters())
    out.push_back(
        {e.name, e.extensions.empty() ? "" : e.extensions.front(), e.summary, e.available, isDrawn(e)});
  return out;
}

std::string exportCommandLine(const LoadedGraph& graph, const ExportRequest& request) {
  const std::string address =
      shellWord((graph.documentPath.empty() ? "-" : graph.documentPath) + "::" + graph.entry.id);
  const bool picture = request.format == "png" || request.format == "pdf";
  std::string out =
      picture ? "descry render " + address : "descry export " + address + " --format " + request.format;
  const std::string target = " -o " + shellWord(request.path.empty() ? "-" : request.path);
  // Of the formats without a drawing, `descry export` refuses what they would ignore.
  const exporters::ExporterDef* exporter = exporters::findExporter(request.format);
  if (!picture && exporter && !isDrawn(*exporter)) return out + target;
  if (request.theme != "light") out += " --theme " + request.theme;
  if (request.colours != "phase") out += " --colours " + request.colours;
  switch (request.scene.groupBy) {
    case GroupBy::None:
      out += " --group none";
      break;
    case GroupBy::Module:
      break;
    case GroupBy::Phase:
      out += " --group phase";
      break;
    case GroupBy::SourceLine:
      out += " --group source";
      break;
  }
  if (request.scene.leftToRight) out += " --left-to-right";
  if (request.scene.jointU) out += " --joint-u";
  if (request.scene.hideViews) out += " --hide-views";
  if (request.scene.hideSymbolicSizes) out += " --hide-sizes";
  for (const std::string& path : request.scene.folded) out += " --fold " + shellWord(path);
  return out + target;
}

ir::Status checkTarget(const LoadedGraph& graph, const std::string& path) {
  if (path.empty() || !sameFile(path, graph.documentPath)) return {};
  return ir::failure("output-is-input",
                     "the graph was read from this file, which would be lost; give another name", path);
}

ir::Status checkColours(const LoadedGraph& graph, ir::ColourMode colours) {
  if (ir::isHeatMode(colours))
    return ir::failure("no-run", "the colours " + std::string(ir::colourModeName(colours)) +
                                     " show a run of the graph: the inspector has them once it was run");
  if (colours != ir::ColourMode::Cut || graph.cut) return {};
  return ir::failure("no-cut",
                     "no partition of this graph is known: passes that end with one make it, as in --passes "
                     "aot for a captured graph or --passes partition for a joint one");
}

std::vector<std::string> unknownFolds(const ir::Scene& scene, const SceneOptions& options) {
  std::set<std::string_view> groups;
  for (const ir::SceneGroup& g : scene.groups) groups.insert(g.path);
  std::vector<std::string> out;
  for (const std::string& path : options.folded)
    if (!groups.count(path)) out.push_back(path);
  return out;
}

ir::Result<std::string> exportGraph(const LoadedGraph& graph, const ExportRequest& request,
                                    std::vector<std::string>* unknown) {
  if (const ir::Status free = checkTarget(graph, request.path); !free) return free.error();
  const exporters::ExporterDef* exporter = exporters::findExporter(request.format);
  if (!exporter) {
    std::string known;
    for (const exporters::ExporterDef& e : exporters::allExporters())
      known += (known.empty() ? "" : ", ") + std::string(e.name);
    return ir::failure("format-unknown", "no export format '" + request.format + "'; there are " + known);
  }
  if (!exporter->available)
    return ir::failure("format-missing",
                       "this build cannot write " + request.format + ": " + exporter->summary);
  exporters::ExportOptions options;
  const std::optional<ir::Theme> theme = ir::themeFromName(request.theme);
  if (!theme)
    return ir::failure("theme-unknown",
                       "no theme '" + request.theme + "'; there are light, dark, contrast, print");
  options.theme = *theme;
  const std::optional<ir::ColourMode> colours = ir::colourModeFromName(request.colours);
  if (!colours)
    return ir::failure("colours-unknown",
                       "no colours '" + request.colours + "'; there are phase, cut, role, op, dtype, plain");
  if (const ir::Status known = checkColours(graph, *colours); !known) return known.error();
  options.colours = *colours;
  ir::Scene scene;
  exporters::ExportInput input;
  input.module = graph.module.get();
  input.graph = graph.graph;
  input.phases = &graph.phases;
  if (isDrawn(*exporter)) {
    scene = buildScene(graph, request.scene);
    if (request.scene.cancel && request.scene.cancel->load())
      return ir::failure("cancelled", "export cancelled");
    input.scene = &scene;
    if (unknown) *unknown = unknownFolds(scene, request.scene);
  }
  input.title = graph.entry.title.empty() ? graph.entry.id : graph.entry.title;
  input.kind = graph.entry.kind;
  input.compileId = graph.entry.compileId;
  input.command = exportCommandLine(graph, request);
  input.version = versionText();
  ir::Result<std::string> text = exporter->run(input, options);
  if (!text || request.path.empty()) return text;
  if (const ir::Status written = writeFileAtomically(request.path, *text); !written) return written.error();
  return text;
}

const char* versionText() {
  return DESCRY_VERSION;
}

}  // namespace descry::session
