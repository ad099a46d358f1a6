// Writes a graph in any format: text formats through the session, pictures through the canvas renderer.
#pragma once

#include <QString>

#include <memory>

#include "gui/document/engine.h"
#include "gui/document/jobs.h"

namespace descry::gui {

/// For a worker. Returns an error text, empty when the file was written. `scene` is built when it is null.
QString runExport(const session::LoadedGraph& graph, const session::ExportRequest& request,
                  std::shared_ptr<const ir::Scene> scene, double scale, JobControl& control);

/// `png` for `x.png`; empty when the ending is not a format.
QString formatOfPath(const QString& path);

}  // namespace descry::gui
