// Passes on the graph of a tab: runs them, steps through the states between them, tries out other cuts, and
// compares a state with the graph that PyTorch recorded.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gui/document/jobs.h"
#include "session/pass_run.h"

namespace descry::gui {

class GraphTab;

/// A pipeline that can be chosen, with what it does.
struct PipelineChoice {
  QString text, summary;
};

/// One line of the list of steps; line n is position n. A pass that failed has the last line.
struct PassStepRow {
  QString pass;  ///< as it was asked for: `partition(method=default)`; empty for the start
  QString graphs;
  uint32_t nodes = 0;
  QString summary;  ///< what it did, or why it failed
  bool changed = true;
  bool failed = false;
  QString node = {};  ///< of the file's graph: where it failed; empty when that is not known
};

/// A graph that passes left, where it is another one than before.
struct PassStateRow {
  size_t position = 0;
  QString name;  ///< joint, forward, ...
  QString pass;
  friend bool operator==(const PassStateRow&, const PassStateRow&) = default;
};

struct ComparisonRow {
  QString state;  ///< "changed", "only here", "only in PyTorch's", ...
  QString node, field, recorded, here;
  ir::NodeId id;  ///< in the shown graph; invalid when it is not there
};
/// The shown state beside PyTorch's own graph.
struct Comparison {
  QString kind;        ///< joint, forward, backward, inference
  QString recordedId;  ///< empty: the file has none
  bool equal = false;
  QString headline;
  std::vector<ComparisonRow> rows;
  size_t more = 0;  ///< rows that were left out
};

class PassStepper final : public QObject {
  Q_OBJECT
 public:
  enum class Wish : uint8_t { Save, Recompute };
  using Wishes = std::map<QString, Wish>;
  /// A state among those of all runs, for Back and Forward. Run 0 is the file's own graph.
  struct State {
    int run = 0;
    size_t position = 0, which = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  PassStepper(GraphTab& tab, session::LoadedGraphPtr fileGraph);
  ~PassStepper() override;

  // ---- running
  std::vector<PipelineChoice> choices() const;
  /// What makes sense for this graph.
  QString defaultPipeline() const;
  /// What run() would run next when nothing else is named: what was chosen, else what was run, else the
  /// default.
  QString chosen() const;
  void choose(const QString& pipeline);
  /// Options of the chosen passes; empty with `error` when the text is no pipeline.
  std::vector<session::PipelineOption> options(QString* error = nullptr) const;
  /// Sets an option of the chosen passes. When they were run, they run again, and the position stays. Returns
  /// why it cannot be; empty when it can.
  QString setOption(const QString& option, const QString& value);
  /// Runs passes on the file's own graph and shows the last state. What was run before is dropped when it
  /// ends.
  void run(const QString& pipeline);
  /// Runs passes as in an earlier session and shows the state that was shown there.
  void resume(const QString& pipeline, size_t position, const QString& graph);
  /// What resume() needs to make the same states again.
  QString rerunText() const;
  /// Whether later runs check every state and stop at the first fault.
  bool verifiesEach() const { return verifiesEach_; }
  void setVerifiesEach(bool on);
  /// Stops a run or a comparison; what was there before stays.
  void cancel();
  bool running() const { return runJob_ != nullptr; }
  /// Running because of a wish.
  bool wishing() const { return running() && wishing_; }
  const session::PassRunPtr& passRun() const { return run_; }
  /// As it was asked for; empty before the first run.
  const QString& pipeline() const { return pipeline_; }
  /// The passes up to `position` with their options.
  QString pipelineTo(size_t position) const;
  const std::vector<PassStepRow>& steps() const { return steps_; }
  /// Of the step that led to the current position: what the pass found out, and faults of its graphs.
  std::vector<std::pair<QString, QString>> findings() const;

  // ---- stepping
  /// The graphs of the run behind the first, each once.
  std::vector<PassStateRow> states() const;
  /// Which of them is shown; -1: the file's own.
  int shownState() const;
  size_t position() const { return position_; }
  size_t lastPosition() const { return run_ ? run_->positions() - 1 : 0; }
  QStringList graphNames() const;
  size_t which() const { return which_; }
  QString graphName() const;
  State state() const;
  /// Shows a state; `graph` (forward, backward, ...) is kept for later steps where it exists.
  void goTo(size_t position, const QString& graph = {});
  /// A number, the name of a pass, `start` or `last`; nothing when it is none.
  std::optional<size_t> positionFrom(const QString& text) const;
  /// Shows an earlier state again, with a node selected. False when its run is gone.
  bool restore(const State& state, ir::NodeId node);
  /// ` @6 joint`; empty for the file's own graph.
  QString stateText() const;
  /// The file was read again: runs the same passes on the new graph.
  void fileReplaced(session::LoadedGraphPtr graph);

  // ---- the cut
  /// Null when no partition was run.
  const session::CutReport* cut() const { return cut_ ? &*cut_ : nullptr; }
  /// The same without wishes.
  const session::CutReport* cutBefore() const { return cutBefore_ ? &*cutBefore_ : nullptr; }
  const Wishes& wishes() const { return wishes_; }
  /// Runs again with these values saved or recomputed. When that cannot be, nothing changes and `failed` says
  /// why.
  void wish(const QStringList& nodes, Wish wish);
  void clearWishes();
  QStringList savedNames() const;
  QString cutHeadline() const;
  /// What the cut rests on and the file does not say.
  QStringList assumed() const;
  /// The command line that prints this cut with other wishes.
  QString cutCommandLine(const Wishes& wishes) const;

  // ---- PyTorch's own
  /// joint, forward, backward or inference when the shown graph is one that PyTorch records too, else empty.
  QString recordedKind() const;
  /// Why there is nothing to compare with; empty when there may be.
  QString compareUnavailable() const;
  void compare();
  bool comparing() const { return compareJob_ != nullptr; }
  /// Of the shown state; null before it was compared.
  const Comparison* comparison() const;

 signals:
  void changed();
  /// Another state is shown. `visit`: a place for Back.
  void stateShown(bool visit);
  void message(const QString& text);
  void failed(const QString& text);

 private:
  struct Made;
  /// Fresh: shows the last state. Wish, Options: the same passes otherwise; the position stays, and when it
  /// fails nothing changes.
  enum class Kind : uint8_t { Fresh, Wish, Options };
  void start(const QString& pipeline, Kind kind, std::optional<State> resume = {}, const QString& asked = {});
  void take(const Made& made, Kind kind, const std::optional<State>& resume);
  void makeSteps();
  void show(bool visit, ir::NodeId node = {});
  void dropRun();
  void notice();

  GraphTab& tab_;
  session::LoadedGraphPtr fileGraph_;
  session::PassRunPtr run_;
  int serial_ = 0;
  QString pipeline_, base_, chosen_;  ///< base_: all steps without wishes
  std::vector<PassStepRow> steps_;
  size_t position_ = 0, which_ = 0;
  QString wanted_;
  std::optional<session::CutReport> cut_, cutBefore_;
  Wishes wishes_;
  bool wishing_ = false, verifiesEach_ = false;
  std::map<std::pair<size_t, size_t>, std::shared_ptr<const Comparison>> comparisons_;
  JobControlPtr runJob_, showJob_, compareJob_;
};

}  // namespace descry::gui
