// A run beside the same run in float64: where a result is off, was it rounding, or is something wrong?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "session/graph_run.h"
#include "session/run_compare.h"

namespace descry::session {

class RunSetup;

enum class ErrorKind : uint8_t {
  Exact,         ///< the reference, rounded once
  Rounding,      ///< the node itself rounds as its dtype must, and the error so far is within the tolerance
  Cancellation,  ///< the node subtracts large numbers: rounding explains an error that is large beside the
                 ///< result
  Carried,       ///< the node itself is fine: errors of what it reads have grown
  Fault,         ///< rounding does not explain what the node gives for the values that it read
  NotRaised      ///< has no reference of its own: it goes on from what the run gave
};
/// "exact", "rounding", "cancellation", "carried", "fault", "not raised".
std::string_view errorKindName(ErrorKind kind);

/// A tensor of a node beside its reference.
struct ReferenceRow {
  ir::NodeId node;   ///< of Run::module
  std::string name;  ///< `add`, `split.1`
  std::string op, type;
  ErrorKind kind = ErrorKind::Exact;
  /// All that went wrong so far: the run beside the reference. ULPs are those of the run's dtype.
  runtime::Comparison error;
  /// Of the node alone: what it gave beside float64 of the values that it read. Its verdict is `NotRun` where
  /// that is not known (what it read was written since).
  runtime::Comparison own;
  runtime::Tolerance tolerance;
  std::string why;  ///< of NotRaised
};

struct ReferenceRun {
  RunPtr run;                          ///< in the graph's own dtypes, with the values of all nodes
  std::vector<ReferenceRow> nodes;     ///< in order of execution; none of the compiled executor
  std::vector<ReferenceRow> results;   ///< of the run; `node` is invalid
  std::vector<std::string> notRaised;  ///< `rand: random numbers are those of the run`, by node
  size_t count(ErrorKind kind) const;  ///< of `nodes`, or of `results` when there are none
  /// Index of the first row of this kind in `nodes`; nothing when there is none.
  std::optional<size_t> first(ErrorKind kind) const;
};

/// Runs the graph as `request` says, then again with floats as float64 and complex numbers as complex128:
/// inputs, constants and dtype arguments. Random numbers, bit patterns and quantized numbers are those of the
/// first run. Errors: those of runGraph. When the run itself fails, Run::failure says so and there are no
/// rows.
ir::Result<ReferenceRun> runReference(const Document& document, const LoadedGraphPtr& graph,
                                      const RunRequest& request, const Tolerances& tolerances = {});

/// The second half of it: the reference of a run that kept the values of its nodes. `run` was made of
/// `setup`.
ReferenceRun referenceOf(const RunSetup& setup, const RunPtr& run, const RunRequest& request,
                         const Tolerances& tolerances = {});

}  // namespace descry::session
