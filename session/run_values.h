// Values of nodes and results of a run, by name: in memory, or in a file that another process wrote. Runs are
// compared (run_compare.h) and searched (bisect.h) through this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/graph_run.h"

namespace descry::session {

/// A tensor that a node gave, or that came out of the run.
struct KeptTensor {
  std::string name;    ///< node `add`; element of a list `split.1`; result `out.0`
  std::string origin;  ///< node of the graph that was asked for; empty where there is none
  std::string op;      ///< `aten.add.Tensor`; empty of inputs and results
  ir::NodeId node;     ///< of RunValues::graph; invalid of results, and where there is no graph
  std::string type;    ///< f32[2, 3]
  /// How many elements are summed for each element: of this node or of one that it comes from.
  int64_t length = 1;
  bool input = false;
  /// At least one of these, but for tensors that were not asked for.
  runtime::TensorRef tensor;
  std::optional<runtime::ValueStatistics> statistics;
  std::optional<uint64_t> hash;
};

struct RunValues {
  std::string title;                ///< `trace.log::0/0:joint, compiled`
  LoadedGraphPtr graph;             ///< that ran: of aten ops. Null where a file does not tell
  std::vector<KeptTensor> values;   ///< inputs, then nodes in order of execution
  std::vector<KeptTensor> results;  ///< of the whole run
  bool ended = true;                ///< false: the run ended before its last node
};

/// What is there depends on RunRequest::keepValues, statistics and hashes.
RunValues valuesOf(const Run& run);

/// Safetensors: `node.NAME`, results under their names, and in the metadata entry `descry.values` all that is
/// not a tensor, with the text of the graph.
std::string valueFileBytes(const RunValues& values);
/// A file of valueFileBytes; any other safetensors file gives its tensors as values of nodes (`node.NAME`, or
/// just the name) and as results (`out.J`, `grad.N`, ...). Errors: those of readTensors, `bad-values`.
ir::Result<RunValues> readRunValues(const std::string& path);

/// How many elements the op sums for each element of its result: columns of a matrix product, elements of a
/// reduction, taps of a convolution; 1 for others. From the types of the graph; 1 where these are not known.
int64_t summedLength(const ir::Graph& graph, ir::NodeId node);

}  // namespace descry::session
