// A run as the inspector looks at it: what every node of the graph that was asked for did, where several
// nodes were run for one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/annotations/heat.h"
#include "session/graph_run.h"
#include "session/query.h"
#include "session/run_profile.h"

namespace descry::session {

struct ComparedValue;
struct RunComparison;

using Spread = Quartiles;
/// `1.93 ms`, `12.4 µs`.
std::string secondsText(double seconds);
/// `1.93 ms (1.90-2.01, 9 runs)`.
std::string spreadText(const Spread& s);

/// What was run for one node of the graph.
struct NodeView {
  ir::NodeId node;              ///< of Run::graph
  std::vector<uint32_t> parts;  ///< of Run::nodes; empty of inputs
  /// Which of `parts` gives the node's own value: the last one of the forward. The others are steps on the
  /// way, and gradients.
  std::optional<uint32_t> own;
  bool input = false;
  Spread time;                       ///< of all parts together; no runs where times were not taken
  double forward = 0, backward = 0;  ///< seconds, of the medians of the parts
  int64_t bytes = 0;                 ///< of its own value
  std::string type;                  ///< of its own value
  std::optional<runtime::ValueStatistics> statistics;  ///< of its own value
  int64_t bad = 0;                                     ///< NaN and infinities in all parts
  int64_t flops = 0, moved = 0;  ///< operations, and bytes read and written, as far as they are known
  std::string step;  ///< of the compiled executor: what makes it, or in the step of which node it is
};

/// `2.05 kFLOP, 1.1 KiB moved: 1.3 GFLOP/s, 700 MB/s`; empty where nothing is known.
std::string workText(const NodeView& node);

struct RunView {
  RunPtr run;
  std::vector<NodeView> nodes;  ///< inputs, then in order of execution
  std::vector<int32_t> of;      ///< by node id of the graph: index into `nodes`, or -1
  Spread whole, sum;            ///< of the whole run, and of its nodes added up
  double elsewhere = 0;         ///< seconds of what was run for no node: sums of gradients, ...
  std::vector<ir::NodeId> bad;  ///< nodes with NaN or infinities, in order of execution
  ir::NodeId firstBad;          ///< the first that has them and reads none; invalid when there is none
  ir::NodeId failed;            ///< where the run failed, when that is a node of the graph

  const NodeView* find(ir::NodeId node) const {
    return node.index < of.size() && of[node.index] >= 0 ? &nodes[static_cast<size_t>(of[node.index])]
                                                         : nullptr;
  }
  bool timed() const { return sum.runs > 0; }
};
/// The first `warmUp` of the times do not count.
RunView viewOf(const RunPtr& run, size_t warmUp = 0);

/// The node of the run's graph that a node of Run::module was made for; invalid when there is none.
ir::NodeId originOf(const Run& run, ir::NodeId ran);
/// From the cause of NaN or infinities to `node` of the graph, both included. Empty when it has none.
std::vector<ir::NodeId> causePath(const RunView& view, ir::NodeId node);

/// One node in two runs of graphs with the same names.
struct NodeDifference {
  ir::NodeId node;                       ///< of A's graph
  const ComparedValue* value = nullptr;  ///< the worst of its own value's tensors; null: not compared
  std::string verdict;                   ///< "bit-equal", "within", ..., "not run"
  double size = -1;  ///< 0: one step of the dtype, 1: nothing in common; -1: bit-equal or not known
  bool differs = false;
};
/// By node of A's graph, of those that ran in A. `comparison` has A's values first and outlives the result.
std::vector<NodeDifference> nodeDifferences(const RunView& a, const RunComparison& comparison);

/// For the fields time, nan and err of queries. `differences`: empty without a second run.
QueryRunFacts queryFacts(const RunView& view, const std::vector<NodeDifference>& differences);

/// Two runs of one node beside each other, by their quartiles.
struct TimeDelta {
  ir::NodeId node;  ///< of A's graph
  Spread a, b;
  double seconds = 0;   ///< of A less those of B
  bool shown = false;   ///< the quartiles do not overlap
  std::string verdict;  ///< `1.4x slower`, `no difference shown`, `only in A`
};
TimeDelta timeDelta(const Spread& a, const Spread& b);
/// Nodes of both by name, in A's order.
std::vector<TimeDelta> timeDeltas(const RunView& a, const RunView& b);

/// Times added up along a tree: modules, or op families.
struct TimeTree {
  struct Item {
    std::string name, path;
    int32_t parent = -1;
    double seconds = 0;             ///< with all below
    std::vector<ir::NodeId> nodes;  ///< of the graph, without those below
  };
  std::vector<Item> items;  ///< parents first, brothers by time
};
/// With a level for each node below its module.
TimeTree timesByModule(const RunView& view);
TimeTree timesByOp(const RunView& view);

struct HeatOptions {
  bool log = true;
  bool clip = true;  ///< to the percentiles 1 and 99
};
ir::Heat timeHeat(const RunView& view, const HeatOptions& options);
ir::Heat numericHeat(const RunView& view);
/// Of the nodes of A's graph.
ir::Heat errorHeat(const RunView& a, const std::vector<NodeDifference>& differences);

}  // namespace descry::session
