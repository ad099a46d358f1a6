// Opening what a command line names, with the diagnostics and exit codes that all commands share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/support/console.h"
#include "session/scene_builder.h"
#include "session/session.h"

namespace descry::cli {

struct Opened {
  session::DocumentPtr document;
  session::LoadedGraphPtr graph;
  session::Address address;
  ir::NodeId node;   ///< for FILE::GRAPH#NODE
  int code = kFine;  ///< kPartlyRead when text was lost; when document or graph is missing, why
  bool ok() const { return graph != nullptr; }
};

/// Opens the file of an address. On failure the document is null, `code` says why, and it was reported.
Opened openFile(const std::string& word, Console& console);
/// The same and the graph that it names, with the graph's own diagnostics reported.
Opened openGraph(const std::string& word, Console& console);

/// kPartlyRead when some text of the graph was lost, else kFine.
int readState(const std::vector<ir::Diagnostic>& diagnostics, const ir::Module* module);

/// --group --fold --left-to-right --joint-u --hide-views --hide-sizes, for all commands that draw.
std::vector<OptionDef> drawingOptions();
session::SceneOptions readDrawingOptions(const Arguments& arguments);

/// Writes to the file of -o, or to standard output without one or for `-`.
int writeOutput(const std::string& path, const std::string& text, Console& console);

}  // namespace descry::cli
