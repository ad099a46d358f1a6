// Writing a graph to a file in any export format; always atomic (temporary file, then rename).
#pragma once

#include <string>
#include <vector>

#include "ir/annotations/colours.h"
#include "session/scene_builder.h"

namespace descry::session {

struct ExportRequest {
  std::string format;           ///< dot json svg html csv fx; png and pdf are drawn by the inspector program
  std::string path;             ///< empty: only return the text
  std::string theme = "light";  ///< light dark contrast print
  std::string colours = "phase";  ///< phase cut role op dtype plain
  SceneOptions scene;
};
/// The exported text. Errors: `format-unknown`, `format-missing` (built without its library), `cannot-write`,
/// `output-is-input`, `colours-unknown`, `no-cut` (colours by a partition that is not known). `unknownFolds`
/// gets the folded paths that are no group of the drawing.
ir::Result<std::string> exportGraph(const LoadedGraph& graph, const ExportRequest& request,
                                    std::vector<std::string>* unknownFolds = nullptr);
/// Error `output-is-input` when writing to `path` would overwrite the file that the graph was read from.
ir::Status checkTarget(const LoadedGraph& graph, const std::string& path);
/// Error `no-cut` when boxes are to be coloured by a partition and none is known.
ir::Status checkColours(const LoadedGraph& graph, ir::ColourMode colours);
/// The folded paths of `options` that are no group of `scene`.
std::vector<std::string> unknownFolds(const ir::Scene& scene, const SceneOptions& options);

struct ExportFormat {
  std::string name, extension, summary;
  bool available = true;
  bool drawn =
      false;  ///< theme and options of a drawing (groups, direction, what is hidden) change the output
};
std::vector<ExportFormat> exportFormats();

/// The command line that does the same as an export in the window.
std::string exportCommandLine(const LoadedGraph& graph, const ExportRequest& request);

/// "0.1.0".
const char* versionText();

}  // namespace descry::session
