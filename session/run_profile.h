// What each node (of the compiled executor: each step of the plan) costs and how near that is to what the
// machine can do.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/machine_roof.h"
#include "session/graph_run.h"

namespace descry::session {

/// What a node does for its time, from sizes alone.
struct NodeCost {
  std::optional<int64_t> flops;  ///< absent where the op table does not tell (ir/ops/eval/flops.h)
  int64_t bytes = 0;             ///< read and written, each tensor once; 0 of views
  bool wide = false;             ///< computes in float64
};
/// By index of Run::nodes.
std::vector<NodeCost> nodeCosts(const Run& run);

/// What the time of a node is spent on, as far as its cost and the roof tell.
enum class Bound : uint8_t {
  Unknown,
  Overhead,  ///< neither memory nor arithmetic explain a quarter of it
  Memory,
  Compute
};
/// "unknown", "overhead", "memory", "compute".
std::string_view boundName(Bound bound);

/// Seconds of several runs.
struct Quartiles {
  double median = 0, low = 0, high = 0;
  size_t runs = 0;
};
Quartiles quartilesOf(std::vector<double> times);

struct ProfileRow {
  std::string name;               ///< of the node; of a step what it does: `loop over f32[4, 8]`
  std::string op;                 ///< `aten.mm.default`; of a step its nodes
  std::vector<ir::NodeId> nodes;  ///< of Run::module
  std::string type;               ///< of the result; empty of steps
  Quartiles time;
  NodeCost cost;
  double gflops = 0, gbytes = 0;  ///< a second; 0 where the cost is not known
  double share = 0;               ///< of what the roof allows: 1 is as fast as the machine can
  Bound bound = Bound::Unknown;
};

struct RunProfile {
  std::vector<ProfileRow> rows;  ///< in order of execution
  Quartiles whole;               ///< of the run, with the clock read at every row
  double sum = 0;                ///< of the medians of the rows
  runtime::MachineRoof roof;
  /// What a run took beyond its rows, reading the clock and going from row to row: the median of the runs.
  /// (Medians of rows do not add up to that of the whole.)
  double between = 0;
  double overhead() const { return between; }
};

/// Of a run that was asked for with RunRequest::time.
RunProfile profileOf(const Run& run, const runtime::MachineRoof& roof);

}  // namespace descry::session
