// Running a graph: forward or forward and backward, node by node, with a record of every node. Command line
// and inspector show the same object.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/core/graph.h"
#include "passes/aot/aot.h"
#include "runtime/compare/compare.h"
#include "runtime/compare/statistics.h"
#include "session/run_inputs.h"
#include "session/session.h"

namespace descry::session {

struct RunRequest {
  std::string inputs = "random:0";  ///< see runInputs
  /// Or "compiled": it has times of steps instead of nodes (RunPlan::timed). Values of nodes are there when
  /// they are asked for, but then each is a result, and what could be fused is not.
  std::string executor = "interpret";
  /// A captured graph becomes one without writes, as the compiled executor always has it: for comparing both.
  bool functional = false;
  bool backward = false;
  bool keepValues = false;             ///< every value of a node stays, as it was when the node had run
  std::vector<std::string> keepNodes;  ///< with keepValues: of these nodes alone
  /// With keepValues: bytes of kept values. Beyond it those go that were made or read longest ago; what
  /// statistics and hashes say of them stays. 0: no cap.
  uint64_t keepBytes = 0;
  bool hashes = false;  ///< NodeTensor::hash
  bool time = false;
  unsigned runs = 1;                          ///< with `time`: how often, for medians
  bool statistics = false;                    ///< of every value of a node
  uint64_t memoryCap = 0;                     ///< bytes; 0: what the system has to spare
  uint64_t seed = 0;                          ///< of random ops
  std::string upTo;                           ///< the run ends behind this node
  std::shared_ptr<const ir::OpRegistry> ops;  ///< null: the op table
  passes::UnknownOps unknownOps = passes::UnknownOps::Assume;
  std::function<bool()> cancelled;
  std::function<void(size_t done, size_t all)> progress;  ///< nodes, of all runs
};

/// A tensor or number that comes out of a run.
struct RunValue {
  std::string name;           ///< out.0, grad.1, grad_storage.0, after.2
  runtime::TensorRef tensor;  ///< null for numbers and None
  std::string text;           ///< of numbers: `3`; `None`
  std::string meaning;        ///< `gradient of weight`
};

/// One of the tensors that a node gave.
struct NodeTensor {
  std::string piece;          ///< empty; of several `.0`, `.1`, of lists in lists `.0.1`
  std::string type;           ///< f32[2, 3]
  runtime::TensorRef tensor;  ///< with RunRequest::keepValues, while it has a place
  std::optional<runtime::ValueStatistics> statistics;  ///< with RunRequest::statistics
  std::optional<uint64_t> hash;  ///< with RunRequest::hashes: of dtype, sizes and contents (contentHash)
};

/// What one node did.
struct NodeRun {
  ir::NodeId node;       ///< of Run::module
  runtime::Value value;  ///< with keepValues
  double seconds = 0;
  int64_t bytes = 0;          ///< of its results
  std::vector<double> times;  ///< of each run, with RunRequest::time; `seconds` is their median
  std::string type;           ///< of its result: `f32[2, 3]`; of several: `(f32[2], i64[2])`
  /// With RunRequest::statistics: of all tensors that it gave.
  std::optional<runtime::ValueStatistics> statistics;
  /// With keepValues, statistics or hashes: the tensors that it gave, in order.
  std::vector<NodeTensor> tensors;
};

/// How NaN or infinities came into a result.
struct BadPath {
  /// From the node (or input) that is bad while nothing that it reads is, to the value that is returned.
  std::vector<ir::NodeId> nodes;
  std::string result;      ///< out.0, grad.1
  bool fromInput = false;  ///< the first one is an input: it was given so
};

/// A step of the plan: with RunRequest::time.
struct PlanStepRun {
  std::string text;               ///< `loop over f32[4, 8]`, `kernel aten.mm.default`
  std::vector<ir::NodeId> nodes;  ///< of Run::module
  std::vector<double> times;      ///< of each run
  int64_t bytes = 0;              ///< of the buffers that it reads and writes
  std::optional<int64_t> flops;   ///< as of nodes (session/run_profile.h)
  bool wide = false;              ///< it computes in float64
};

/// What the compiled executor made of the graph.
struct RunPlan {
  size_t steps = 0, loops = 0, fallbacks = 0;
  uint64_t insideBytes = 0, bytesWithoutReuse = 0, resultBytes = 0;
  std::string text;
  double planning = 0;  ///< seconds that making the plan took
  std::vector<PlanStepRun> timed;
};

struct Run {
  LoadedGraphPtr graph;                      ///< that was asked for
  std::shared_ptr<const ir::Module> module;  ///< that was run; its root has the nodes
  /// By node of `module`: the node of `graph` that it was made for. Empty: it is the same graph.
  std::vector<ir::NodeId> origins;
  std::vector<bool> backward;  ///< by node of `module`
  std::vector<RunValue> results;
  std::vector<NodeRun> nodes;  ///< in order of execution
  /// Placeholders, as `nodes`: what they were given.
  std::vector<NodeRun> inputs;
  double seconds = 0;  ///< the median with several runs
  std::vector<double> times;
  uint64_t peakBytes = 0;
  bool ended = true;  ///< false: stopped at `upTo`
  std::vector<std::string> assumed, printed;
  std::optional<RunPlan> plan;  ///< of the compiled executor
  /// With RunRequest::statistics: the first node (in order of execution) whose result has a NaN or an
  /// infinity while nothing that it reads has one. Invalid when there is none.
  ir::NodeId firstBad;
  /// With RunRequest::statistics: one for each result that has NaN or infinities.
  std::vector<BadPath> badPaths;
  /// The node at which the run failed; `nodes` has what ran before.
  std::optional<ir::Diagnostic> failure;
};
using RunPtr = std::shared_ptr<const Run>;

/// The graph to run when none is named: the captured one, else the default one.
std::string graphToRun(const Document& document);

/// Errors: those of runInputs and makeRunnable, `no-executor` when there is none of this name, or it cannot
/// do what is asked. A failure of a node is in Run::failure: code, the node of the graph, what it was called
/// with and why.
ir::Result<RunPtr> runGraph(const Document& document, const LoadedGraphPtr& graph, const RunRequest& request);

/// Results as safetensors.
std::string resultBytes(const Run& run);

/// A result beside the tensor of the same name in a file.
struct ComparedResult {
  std::string name;
  std::string type;  ///< of the result; of the file's where there is no result
  runtime::Comparison comparison;
};
struct Tolerances;  // session/run_compare.h
/// Every tensor of the file whose name a run gives (out.J, grad.N, grad_storage.K, after.K), and every
/// result, by name. By dtype alone: how much was summed for a result is known of nodes only.
std::vector<ComparedResult> compareResults(const Run& run, const runtime::TensorFile& reference,
                                           const Tolerances& tolerances);

}  // namespace descry::session
