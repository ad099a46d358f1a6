// Runs of the graph of a tab: starts and stops them, keeps what they found, and says what of it the views
// show.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gui/document/graph_rows.h"
#include "gui/document/jobs.h"
#include "gui/document/run_engine.h"
#include "ir/annotations/colours.h"

namespace descry::gui {

class GraphTab;

/// What a run does. Kept by workspaces.
struct RunSettings {
  enum class Keep : uint8_t {
    All,
    Selected,
    Statistics,
    None  ///< of the compiled executor what is fused: a value that is looked at is not
  };
  QString inputs = QStringLiteral("random:0");  ///< as `descry run --inputs` takes it
  bool compiled = false;
  bool backward = false;
  int runs = 9;  ///< timed ones, after one that warms up; 0: no times
  Keep keep = Keep::All;
  qint64 cap = qint64{1} << 30;  ///< bytes of kept values, of all runs of the tab
  quint64 seed = 0;              ///< of random ops
  /// What two runs may differ by, as `descry compare --tolerance` takes it; empty: by dtype.
  QString tolerance;
  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

/// One run and what came of it.
struct KeptRun {
  enum class End : uint8_t {
    Finished,
    Stopped,  ///< behind the node that was asked for
    Cancelled,
    Failed,  ///< at a node
    Refused  ///< before the first node
  };
  int number = 0;  ///< from 1, in the order of their start
  RunSettings settings;
  QString upTo;
  session::LoadedGraphPtr graph;
  QString graphText;  ///< of a state between passes: `@9 joint`
  QString commandLine;
  End end = End::Finished;
  ir::Diagnostic why;                             ///< of Failed and Refused
  double elapsed = 0;                             ///< seconds, with all that is around the run
  std::shared_ptr<const session::RunView> view;   ///< null when refused
  std::vector<runtime::ValueStatistics> results;  ///< of each of Run::results; of numbers all 0
  quint64 looked = 0;                             ///< when it was looked at last

  const session::Run* run() const { return view ? view->run.get() : nullptr; }
  /// `run 3: compiled, random:0`.
  QString title() const;
  QString endText() const;
  QString whyText() const;
};
using KeptRunPtr = std::shared_ptr<const KeptRun>;

/// Two runs beside each other. B is what A is held against.
struct ComparedRuns {
  KeptRunPtr a, b;
  session::RunValues valuesA, valuesB;
  session::RunComparison comparison;
  std::vector<session::NodeDifference> nodes;  ///< of A's graph
  std::vector<session::TimeDelta> times;
  std::vector<int32_t> nodeOf, timeOf;  ///< by node id of A's graph: index, or -1
  const session::NodeDifference* find(ir::NodeId node) const;
  const session::TimeDelta* time(ir::NodeId node) const;
};

class GraphRuns final : public QObject {
  Q_OBJECT
 public:
  explicit GraphRuns(GraphTab& tab);
  ~GraphRuns() override;

  // ---- settings
  const RunSettings& settings() const { return settings_; }
  void setSettings(const RunSettings& settings);
  /// inputs, executor, backward, runs, keep, memory, seed. Returns why it cannot be; empty when it can.
  QString set(const QString& option, const QString& value);
  static QString set(RunSettings& settings, const QString& option, const QString& value);
  /// In the words that set() takes.
  static QString valueOf(const RunSettings& settings, const QString& option);
  static QStringList optionNames();
  /// The command line that does the same.
  QString commandLine(const QString& upTo = {}) const;

  // ---- running
  void start(const QString& upTo = {});
  /// Why no gradients can be asked for; empty when they can.
  QString backwardUnavailable() const;
  /// Ends the run; what it has found so far stays.
  void stop();
  bool running() const { return job_ != nullptr; }
  bool stopping() const { return running() && stop_ && stop_->load(); }
  struct Progress {
    QString what;              ///< `making the graph ready`, `values`, `times`
    size_t done = 0, all = 0;  ///< nodes; all is 0 where it is not known
    double seconds = 0;
  };
  Progress progress() const;
  QString progressText() const;
  /// The file was read again: its runs are those of another graph.
  void fileReplaced();

  // ---- what is kept
  const std::vector<KeptRunPtr>& runs() const { return runs_; }
  KeptRunPtr byNumber(int number) const;
  /// The run that all views show: of the shown graph. Null when there is none.
  KeptRunPtr shown() const;
  const session::RunView* view() const;
  /// Why there is nothing to show; empty when there is.
  QString nothingYet() const;
  /// Shows a run; false when it is not one of the shown graph.
  bool show(int number);
  void drop(int number);
  qint64 keptBytes() const;

  // ---- two runs
  /// Holds the shown run against another one; 0 ends it. False when there is no such run.
  bool compareWith(int number);
  int comparedWith() const { return against_; }
  bool comparing() const { return compareJob_ != nullptr; }
  /// Null while it is not known.
  const ComparedRuns* compared() const;

  // ---- what the canvas shows
  const session::HeatOptions& heatOptions() const { return heatOptions_; }
  void setHeatOptions(const session::HeatOptions& options);
  /// Null for modes that show no run, and where nothing is known.
  std::shared_ptr<const ir::Heat> heat(ir::ColourMode mode) const;
  /// Null when there is nothing to mark.
  std::shared_ptr<const ir::RunMarks> marks() const;
  /// Lines of the hover card.
  std::vector<std::pair<QString, QString>> hoverRows(ir::NodeId node) const;

  // ---- NaN, infinities, mismatches
  /// Nodes that are bad or differ, in order of execution.
  std::vector<ir::NodeId> suspects() const;
  /// Selects the next one, behind or before the selected node. False when there is none.
  bool stepSuspect(int direction);
  std::vector<ProblemRow> problems() const;
  /// For the fields time, nan and err; null without a run.
  std::shared_ptr<const session::QueryRunFacts> queryFacts() const;

 signals:
  void changed();     ///< runs, or which are shown
  void progressed();  ///< of the run that is on its way
  void marksChanged();
  void settingsChanged();
  void message(const QString& text);
  void failed(const QString& text);

 private:
  struct Made;
  struct Counter {
    std::atomic<size_t> done{0}, all{0};
    std::atomic<bool> running{false};  ///< nodes are being run
  };
  void take(Made made);
  void makeRoom();
  void follow();
  void compare();
  void forgetPictures();
  void notice();

  GraphTab& tab_;
  RunSettings settings_;
  std::vector<KeptRunPtr> runs_;
  int next_ = 1, shown_ = 0, against_ = 0;
  quint64 tick_ = 0;
  JobControlPtr job_, compareJob_;
  std::shared_ptr<std::atomic<bool>> stop_;
  std::shared_ptr<Counter> counter_;
  QElapsedTimer clock_;
  QTimer timer_;
  std::shared_ptr<const ComparedRuns> compared_;
  session::HeatOptions heatOptions_;
  mutable std::array<std::shared_ptr<const ir::Heat>, ir::kColourModeCount> heats_;
  mutable std::shared_ptr<const ir::RunMarks> marks_;
};

}  // namespace descry::gui
