// Runs the graphs that passes leave on the inputs of the graph that they started from.
#pragma once

#include <string>
#include <vector>

#include "session/pass_run.h"
#include "session/run_setup.h"

namespace descry::session {

struct StateRun {
  std::vector<RunValue> results;  ///< under the names that a run of the first graph gives them
  std::string skipped;            ///< why this state cannot be run so; empty when it can
  std::optional<ir::Diagnostic> failure;
};

/// The graphs at `position`: one graph, or a forward and its backward. `setup` is the first graph, made ready
/// with the inputs. Inputs are found by the nodes they come from and by their descriptors, results by their
/// descriptors, or by position where there are none.
StateRun runState(const RunSetup& setup, const PassRun& passes, size_t position, const RunRequest& request);

}  // namespace descry::session
