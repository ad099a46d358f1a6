// Opening what a command line names, with the diagnostics and exit codes that all commands share.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/support/console.h"
#include "ir/ops/registry.h"
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

/// What the command does with `FILE::GRAPH#NODE`: a part that it would ignore is refused instead.
enum class Takes : uint8_t { File, Graph, Node };

/// Opens the file of an address. On failure the document is null, `code` says why, and it was reported.
Opened openFile(const std::string& word, Console& console, Takes takes = Takes::Graph);
/// The same and the graph that it names, with the graph's own diagnostics reported. A file alone means its
/// first graph of kind `preferred`, or the one whose id `choose` gives, or the best kind when there is none.
Opened openGraph(const std::string& word, Console& console, Takes takes = Takes::Graph,
                 std::string_view preferred = {},
                 const std::function<std::string(const session::Document&)>& choose = {});

/// --op and --ops, for all commands that run passes.
std::vector<OptionDef> opOptions();
/// What they and the standing declarations of the opened file declare. On failure null, and `code` says why,
/// and it was reported.
std::shared_ptr<const ir::OpRegistry> readOpOptions(const Arguments& arguments, const std::string& opened,
                                                    Console& console, int& code);

/// True, and said on standard error, when the file was read only in part: what is lost may have been a graph.
bool reportLosses(const Opened& in, Console& console);

/// kPartlyRead when some text of the graph was lost, else kFine.
int readState(const std::vector<ir::Diagnostic>& diagnostics, const ir::Module* module);

/// --passes and --state, for commands that show a graph as passes leave it.
std::vector<OptionDef> stateOptions();
/// openGraph, and then what --passes and --state say.
Opened openState(const Arguments& arguments, Console& console);

/// --colours, for commands that draw boxes.
OptionDef coloursOption();

/// --group --fold --left-to-right --joint-u --hide-views --hide-sizes, for all commands that draw.
std::vector<OptionDef> drawingOptions();
session::SceneOptions readDrawingOptions(const Arguments& arguments);

/// Warns of every --fold that names no group of the drawing.
void warnOfFolds(const std::vector<std::string>& unknown, const Opened& in, Console& console);
/// The first of these options that was given; empty when none was.
std::string firstGiven(const Arguments& arguments, const std::vector<OptionDef>& options);

/// True, and reported, when `path` is a file that `in` was read from, also by another name or through links.
bool outputIsInput(const std::string& path, const Opened& in, Console& console);
/// Writes to the file of -o, or to standard output without one or for `-`. Refused when it would overwrite
/// one of the inputs.
int writeOutput(const std::string& path, const std::string& text, std::initializer_list<const Opened*> inputs,
                Console& console);

}  // namespace descry::cli
