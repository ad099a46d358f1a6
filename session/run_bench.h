// Times a graph with the interpreter and the compiled executor, beside what the machine can do.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/machine_roof.h"
#include "session/run_profile.h"

namespace descry::session {

struct BenchRequest {
  RunRequest run;  ///< inputs, backward, ops, memory cap, cancelled
  std::vector<std::string> executors = {"interpret", "compiled"};
  unsigned runs = 0;    ///< of each; 0: as many as fit into `seconds`, at least 5
  double seconds = 1;   ///< of each executor
  unsigned warmUp = 2;  ///< runs that do not count
  std::function<void(const std::string& executor, unsigned run)> progress;
};

struct BenchRow {
  std::string executor;
  double first = 0;   ///< seconds of the first call; of the compiled executor with making the plan
  Quartiles whole;    ///< of runs in which nobody looked at the clock inside
  Quartiles clocked;  ///< of runs in which the clock was read at every node or step
  double sum = 0;     ///< of the medians of the nodes or steps in those
  size_t parts = 0;   ///< nodes or steps
  uint64_t peakBytes = 0;
  std::optional<int64_t> flops;  ///< absent when that of a node is not known; then `knownFlops` is a part
  int64_t knownFlops = 0;
  int64_t bytes = 0;              ///< moved by all nodes or steps
  double gflops = 0, gbytes = 0;  ///< a second, of `whole`
  double share = 0;               ///< of what the roof allows
  std::optional<ir::Diagnostic> failure;
  double between = 0;  ///< seconds of a clocked run beyond its parts
  /// The same for each of them.
  double launchGap() const { return parts ? between / static_cast<double>(parts) : 0; }
  /// What reading the clock and being asked between the parts costs in all.
  double measuring() const { return clocked.median - whole.median; }
};

struct Bench {
  LoadedGraphPtr graph;
  runtime::MachineRoof roof;
  std::vector<BenchRow> rows;
  std::vector<std::string> assumed;
};

/// Errors: those of runGraph; `cancelled`. What fails in one executor only is in its row.
ir::Result<Bench> benchGraph(const Document& document, const LoadedGraphPtr& graph,
                             const BenchRequest& request);

}  // namespace descry::session
