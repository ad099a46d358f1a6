// Passes on a loaded graph: a pipeline, the states between its passes as graphs that every view can show, and
// what the partitioner decided. Command line and inspector step through the same object.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "passes/core/manager.h"
#include "passes/partition/partition.h"
#include "session/diff.h"
#include "session/session.h"

namespace descry::session {

/// All passes, sorted by name, and the pipelines made of them.
const std::vector<const passes::PassDef*>& passList();
const std::vector<passes::PipelineDef>& pipelineList();

/// The steps of a pipeline's text (errors: those of passes::parsePipeline), and back.
ir::Result<std::vector<passes::PipelineStep>> readPipeline(std::string_view text);
std::string pipelineText(const std::vector<passes::PipelineStep>& steps);

/// An option of a step of a pipeline, and what it is set to.
struct PipelineOption {
  std::string pass, name;
  std::string values;  ///< alternatives, separated by |; or what is expected: N, NAMES
  std::string value, byDefault, summary;
  std::string useless;  ///< why it changes nothing beside the others; empty when it does
};
/// All options of the steps of a pipeline, those of each pass once. Errors: those of readPipeline.
ir::Result<std::vector<PipelineOption>> pipelineOptions(std::string_view text);
/// passes::withOption with all passes and pipelines.
ir::Result<std::string> withOption(std::string_view text, std::string_view option, std::string_view value);

struct PassRunOptions {
  bool verifyEach = false;
  std::function<bool()> cancelled;
  std::shared_ptr<const ir::OpRegistry> ops;  ///< of readOpDeclarations; null: the op table
};

class PassRun;
/// The method by which the recorded forward and backward graphs are cut when that is the other one than in
/// `run`: `default` or `min-cut`. Empty when they are cut as here, or otherwise. Runs the passes again.
std::string otherCutOfRecorded(const Document& document, const PassRun& run,
                               std::function<bool()> cancelled = {});

/// A value of the forward and what became of it, in program order.
struct DecisionRow {
  std::string node;
  std::string fate;    ///< saved, recomputed, pruned, size saved, bound for size, forward only
  std::string reason;  ///< one sentence, without the fate
  std::string type;
  int64_t bytes = 0;
  int64_t weight = -1;  ///< what cutting here costs; -1: it cannot be cut, or no cut was made
  int32_t savedIndex = -1;
};
struct CutReport {
  std::string method;                 ///< default, min-cut
  std::optional<int64_t> plainBytes;  ///< what is saved without wishes, where there were some
  int64_t cutValue = 0, savedBytes = 0;
  uint32_t saved = 0, recomputed = 0;
  std::vector<DecisionRow> rows;
};
/// `min-cut: 3 values saved, 640 bytes: 256 fewer than the plain cut (896); 2 recomputed; the cut costs 704`.
std::string cutHeadline(const CutReport& cut);
/// What passes took for granted because the file does not say it, each thing once.
std::vector<std::string> assumptions(const passes::Recording& recording);
/// `joint` is the graph that was cut.
CutReport cutReport(const passes::Partition& partition, const ir::Graph& joint);

/// A finished run. Position 0 is the graph it started from, position n what the n-th pass left.
class PassRun {
 public:
  PassRun(LoadedGraphPtr start, passes::Recording recording);

  const passes::Recording& recording() const { return recording_; }
  const LoadedGraphPtr& start() const { return start_; }
  size_t positions() const { return recording_.passes.size() + 1; }
  /// Graphs of a position; `name` is captured, joint, forward, ... Made on first use; thread safe.
  size_t graphCount(size_t position) const { return recording_.at(position).size(); }
  const std::string& graphName(size_t position, size_t which) const {
    return recording_.at(position)[which].name;
  }
  LoadedGraphPtr graph(size_t position, size_t which) const;
  /// The node of the first state that `node` was made for; invalid when there is none.
  ir::NodeId origin(size_t position, size_t which, ir::NodeId node) const;
  /// Position of `pass` (its name); 0 when it was not run.
  size_t positionOf(std::string_view pass) const;
  /// What the last partition decided; nothing without one.
  const std::optional<CutReport>& cut() const { return cut_; }

 private:
  std::shared_ptr<const std::vector<ir::NodeCut>> cutOf(size_t position, const std::string& name,
                                                        const ir::Graph& graph) const;

  LoadedGraphPtr start_;
  passes::Recording recording_;
  std::optional<CutReport> cut_;
  size_t cutAt_ = 0;  ///< position of the partition
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<LoadedGraphPtr>> made_;
};
using PassRunPtr = std::shared_ptr<const PassRun>;

/// The graph of a file to run `pipeline` on when none is named: the default one when the first pass takes it,
/// else the first that it takes, the captured one before others. Empty: the default one.
std::string graphForPasses(const Document& document, std::string_view pipeline);

/// Runs `pipeline` (`aot`, `cse,dce`, `partition(method=default)`). Errors: those of parsePipeline. A pass
/// that fails does not make this fail: the recording holds what was done until then, and `failure`, placed in
/// the file.
ir::Result<PassRunPtr> runPasses(const Document& document, const LoadedGraphPtr& graph,
                                 std::string_view pipeline, const PassRunOptions& options = {});

/// `joint`, `forward`, `backward` or `inference` for graphs that AOT autograd made; empty for captured ones.
std::string aotGraphKind(const LoadedGraph& graph);

/// PyTorch's own graph beside one of ours: same compile, kind `joint`, `forward`, `backward` or `inference`.
/// Null when the file has none.
LoadedGraphPtr recordedGraph(const Document& document, const LoadedGraph& captured, std::string_view kind);
/// What differs between a graph of the log and ours, in all that the log wrote: prints without descriptors,
/// strides or devices are compared without. Node ids of `after` are those of `ours`.
GraphDiff compareWithRecorded(const LoadedGraphPtr& recorded, const LoadedGraphPtr& ours);

/// Of a run with a partition.
std::optional<CutReport> cutReport(const PassRun& run);

/// The graph `name` (joint, forward, ...) behind the last pass that left one of that name; empty: the first
/// graph of the last state. Ops are those of the table and of the standing declarations. Errors: those of
/// runPasses and of the pass that failed, `state-unknown`, which names what there is.
ir::Result<LoadedGraphPtr> graphAfter(const Document& document, const LoadedGraphPtr& graph,
                                      std::string_view pipeline, std::string_view name,
                                      std::function<bool()> cancelled = {});

}  // namespace descry::session
