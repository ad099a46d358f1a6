// Writes a graph in any format: text formats through the session, pictures through the canvas renderer.
#pragma once

#include <QString>

#include <memory>

#include "gui/document/document.h"
#include "gui/document/engine.h"
#include "gui/document/jobs.h"

namespace descry::gui {

/// Colours and marks of a run, which pictures of the canvas have and text formats have not.
struct RunPicture {
  ir::ColourMode mode = ir::ColourMode::Phase;
  std::shared_ptr<const ir::Heat> heat;  ///< null: the colours of the request count
  std::shared_ptr<const ir::RunMarks> marks;
};
/// Of the current graph, in the colours of the window.
RunPicture runPicture(const Document& document);

/// For a worker. Returns an error text, empty when the file was written. `scene` is built when it is null.
QString runExport(const session::LoadedGraph& graph, const session::ExportRequest& request,
                  std::shared_ptr<const ir::Scene> scene, double scale, JobControl& control,
                  const RunPicture& run = {});

/// `png` for `x.png`; empty when the ending is not a format.
QString formatOfPath(const QString& path);

}  // namespace descry::gui
