#include "gui/app/render_command.h"

#include <cstdio>

#include <algorithm>

#include "gui/app/export_run.h"
#include "gui/app/style_sheet.h"
#include "gui/canvas/scene_render.h"
#include "gui/document/document_actions.h"
#include "gui/document/engine.h"

namespace descry::gui {
namespace {
constexpr int kDiffers = 1, kUsage = 2, kCannotRead = 3, kPartly = 4, kFailed = 5;

int say(const std::string& text, int code) {
  std::fprintf(stderr, "%s\n", session::terminalMessage(text).c_str());
  return code;
}
/// An error of the request has no place in a file.
std::string told(const ir::Diagnostic& d) {
  return d.file.empty() ? "descry-inspector: " + d.message + " [" + d.code + "]" : d.text();
}
}  // namespace

int renderCommand(const LaunchOptions& o) {
  const QString format = formatOfPath(o.output);
  if (format != QLatin1String("png") && format != QLatin1String("pdf") && format != QLatin1String("svg"))
    return say("descry-inspector: render writes .png, .pdf and .svg, not '" + o.output.toStdString() + "'",
               kUsage);
  session::ExportRequest request;
  request.format = format.toStdString();
  request.path = o.output.toStdString();
  request.theme = o.theme.isEmpty()                           ? "light"
                  : o.theme == QLatin1String("high-contrast") ? "contrast"
                                                              : o.theme.toStdString();
  if (!o.groupBy.isEmpty()) {
    bool ok = false;
    request.scene.groupBy = groupByFrom(o.groupBy, &ok);
    if (!ok) return say("descry-inspector: unknown grouping '" + o.groupBy.toStdString() + "'", kUsage);
  }
  request.scene.leftToRight = o.leftToRight;
  request.scene.jointU = o.jointU;
  request.scene.hideViews = o.hideViews;
  request.scene.hideSymbolicSizes = o.hideSizes;
  for (const QString& path : o.folded) request.scene.folded.insert(path.toStdString());

  const session::Address address = session::parseAddress(o.files.first().toStdString());
  const auto document = session::Document::open(address.file);
  if (!document) return say(document.error().text(), kCannotRead);
  const std::string passes = o.passes.toStdString();
  const std::string wanted =
      address.graph.empty() && !passes.empty() ? session::graphForPasses(**document, passes) : address.graph;
  ir::Result<session::LoadedGraphPtr> graph = (*document)->graph(wanted);
  if (!graph)
    return say(graph.error().text(),
               graph.error().code == "graph-not-found" || graph.error().code == "graph-ambiguous"
                   ? kUsage
                   : kCannotRead);
  if (!passes.empty()) {
    graph = session::graphAfter(**document, *graph, passes, o.state.toStdString());
    if (!graph) return say(told(graph.error()), graph.error().file.empty() ? kUsage : kDiffers);
  } else if (!o.state.isEmpty()) {
    return say("descry-inspector: --state goes with --passes", kUsage);
  }
  if (!o.colours.isEmpty()) request.colours = o.colours.toStdString();
  const auto colours = ir::colourModeFromName(request.colours);
  if (!colours) return say("descry-inspector: unknown colours '" + request.colours + "'", kUsage);
  if (const ir::Status known = session::checkColours(**graph, *colours); !known)
    return say(told(known.error()), kUsage);
  bool partly = false;
  for (const ir::Diagnostic& d : (*document)->diagnostics()) {
    if (d.severity != ir::Severity::Error) continue;
    partly = true;
    say(d.text(), kPartly);
  }
  if (const ir::Status free = session::checkTarget(**graph, request.path); !free)
    return say(told(free.error()), kUsage);
  JobControl control;
  double scale = o.scale;
  std::shared_ptr<const ir::Scene> scene;
  if (format != QLatin1String("svg")) {
    scene = std::make_shared<ir::Scene>(session::buildScene(**graph, request.scene));
    for (const std::string& path : session::unknownFolds(*scene, request.scene))
      say("descry-inspector: no group '" + path + "' to fold in this drawing", 0);
    if (o.sizeGiven) {
      const QSize whole = renderSize(*scene, {});
      scale = std::min(double(o.size.width()) / std::max(1, whole.width()),
                       double(o.size.height()) / std::max(1, whole.height()));
    }
  }
  const QString error = runExport(**graph, request, scene, scale, control);
  if (!error.isEmpty()) return say("descry-inspector: " + error.toStdString(), kFailed);
  return partly ? kPartly : 0;
}

}  // namespace descry::gui
