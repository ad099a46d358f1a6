#include "gui/app/export_run.h"

#include <QFileInfo>

#include "gui/app/style_sheet.h"
#include "gui/canvas/scene_render.h"

namespace descry::gui {

QString formatOfPath(const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  if (suffix == QLatin1String("png") || suffix == QLatin1String("pdf")) return suffix;
  if (suffix == QLatin1String("gv")) return QStringLiteral("dot");
  for (const session::ExportFormat& format : session::exportFormats()) {
    QString extension = QString::fromStdString(format.extension);
    if (extension.startsWith(QLatin1Char('.'))) extension.remove(0, 1);
    if (suffix == extension || suffix == QString::fromStdString(format.name))
      return QString::fromStdString(format.name);
  }
  return {};
}

RunPicture runPicture(const Document& document) {
  const GraphTab* tab = document.current();
  if (!tab) return {};
  return {document.colours(), tab->runs().heat(document.colours()), tab->runs().marks()};
}

/// A failure that is about no place in a file is told without one.
static QString said(const ir::Diagnostic& d) {
  return QString::fromStdString(d.file.empty() ? d.message : d.text());
}

QString runExport(const session::LoadedGraph& graph, const session::ExportRequest& request,
                  std::shared_ptr<const ir::Scene> scene, double scale, JobControl& control,
                  const RunPicture& run) {
  if (request.format != "png" && request.format != "pdf") {
    session::ExportRequest with = request;
    with.scene.cancel = &control.cancelled;
    const auto written = session::exportGraph(graph, with);
    return written ? QString() : said(written.error());
  }
  if (const ir::Status free = session::checkTarget(graph, request.path); !free) return said(free.error());
  const auto colours = ir::colourModeFromName(request.colours);
  if (!colours) return QStringLiteral("no colours '%1'").arg(QString::fromStdString(request.colours));
  if (const ir::Status known = session::checkColours(graph, *colours); !known) return said(known.error());
  if (!scene) {
    session::SceneOptions options = request.scene;
    options.cancel = &control.cancelled;
    options.progress = [&control](double f) { control.permille = static_cast<int>(f * 500); };
    scene = std::make_shared<ir::Scene>(session::buildScene(graph, options));
  }
  if (control.cancelled) return QStringLiteral("cancelled");
  RenderOptions options;
  options.theme = themeFromPreference(QString::fromStdString(request.theme));
  options.colourMode = *colours;
  options.legend = *colours != ir::ColourMode::Phase;  // phases are told by shape too, other colours are not
  if (run.heat) {
    options.colourMode = run.mode;
    options.heat = run.heat;
    options.legend = true;
  }
  options.marks = run.marks;
  options.scale = scale;
  options.progress = [&control](double f) {
    control.permille = 500 + static_cast<int>(f * 500);
    return !control.cancelled;
  };
  QString error;
  const QString path = QString::fromStdString(request.path);
  const bool ok = request.format == "png" ? renderPng(*scene, path, options, &error)
                                          : renderPdf(*scene, path, options, &error);
  if (!ok && error.isEmpty()) error = QStringLiteral("%1 could not be written").arg(path);
  return ok ? QString() : error;
}

}  // namespace descry::gui
