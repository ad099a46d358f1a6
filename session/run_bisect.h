// Finds where two computations part: after which pass, or at which node. Each look at a place is a probe; a
// search can be stopped and taken up again.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "session/pass_run.h"
#include "session/run_compare.h"

namespace descry::session {

/// One look: do both agree up to here?
struct Probe {
  enum Outcome : uint8_t { Agrees, Differs, Skipped } outcome = Agrees;
  size_t at = 0;       ///< position of PassRun; place of a node
  std::string what;    ///< `after cse`, `node mul_3`
  std::string detail;  ///< `out.0: max abs 0.25 (outside)`; why it was skipped
  double seconds = 0;
  bool resumed = false;  ///< an earlier search has looked
};
/// "agrees", "differs", "skipped".
std::string_view outcomeName(Probe::Outcome outcome);

struct BisectRequest {
  RunRequest run;  ///< inputs, backward, executor, ops, memory cap, cancelled
  Tolerances tolerances;
  /// The search is written there after each probe, and taken up from there. Empty: nowhere.
  std::string resume;
  std::function<void(const Probe&)> onProbe;
};

struct Bisection {
  std::vector<Probe> probes;  ///< in the order of looking
  size_t places = 0;          ///< that could be looked at
  /// The first place where both differ, and the last one before it where they agree. Without `bad` nothing
  /// differs; without `good` they differ from the start.
  std::optional<size_t> good, bad;
  std::string badName, goodName;  ///< `cse`, `mul_3`
  std::string detail;             ///< of the probe of `bad`
  bool cancelled = false;         ///< stopped before it was found: `good` and `bad` say how far it came
  std::vector<std::string> assumed;
};

/// After which pass of `pipeline` do results differ from those of the graph it starts from? The graphs of
/// every state are run on the inputs that the first one is given: joint graphs, and forward and backward
/// behind one another, by their descriptors. States that cannot be run so are skipped. Errors: those of
/// runPasses and runGraph; `pass-failed`; `bad-resume` (the file is of another search).
ir::Result<Bisection> bisectPasses(const Document& document, const LoadedGraphPtr& graph,
                                   const std::string& pipeline, const BisectRequest& request);

/// A side of a search over nodes: a graph that is run, or saved values.
struct BisectSide {
  std::shared_ptr<const Document> document;  ///< null: `values`
  LoadedGraphPtr graph;
  std::string executor = "interpret";
  bool functional = false;  ///< RunRequest::functional: on both sides when one of them is compiled
  std::optional<RunValues> values;
  std::string title;
};
/// Up to which node do both agree? Nodes are paired as compareRuns does, and looked at in the order of B. A
/// node is run up to and looked at alone: neither side has to keep all values. Errors: those of runGraph;
/// `nothing-to-compare`; `bad-resume`.
ir::Result<Bisection> bisectNodes(const BisectSide& a, const BisectSide& b, const BisectRequest& request);

}  // namespace descry::session
