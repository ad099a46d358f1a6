// Which options make the graphs that a log holds.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/aot_run.h"
#include "session/pass_run.h"

namespace descry::session {

/// Graphs of a result by kind: joint, forward, backward or inference; `parts` may be null.
std::vector<std::pair<std::string, std::shared_ptr<const ir::Module>>> graphsOf(
    const passes::AotResult& result, const std::shared_ptr<const passes::Partition>& parts);
/// The same as graphs of the file, to be compared with its own.
std::vector<std::pair<std::string, LoadedGraphPtr>> loadedGraphsOf(
    const LoadedGraph& captured, const passes::AotResult& result,
    const std::shared_ptr<const passes::Partition>& parts);

struct RecordedOptions {
  std::string decompositions;  ///< none, core, inductor
  std::string partition;       ///< min-cut, default; of an inference graph empty
  friend bool operator==(const RecordedOptions&, const RecordedOptions&) = default;
};

/// A log does not say which decompositions and which partitioner it was made with: the first of those whose
/// graphs are all as the log has them, `tried` left out. `facts` are those of capturedFacts. Costs a trace
/// per set of decompositions. Nothing where none does, or the log has no such graph.
std::optional<RecordedOptions> optionsOfTheLog(const Document& document, const LoadedGraph& captured,
                                               const passes::CapturedFacts& facts, AotRequest request,
                                               const RecordedOptions& tried);

}  // namespace descry::session
