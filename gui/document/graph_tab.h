// One open graph: its selection, picture, query and the row snapshots that all views of it share.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "gui/document/graph_rows.h"
#include "gui/document/graph_runs.h"
#include "gui/document/jobs.h"
#include "gui/document/pass_stepper.h"
#include "gui/document/value_look.h"
#include "session/query.h"
#include "session/scene_builder.h"

namespace descry::gui {

/// What undo covers: everything that changes how the graph is shown.
struct ViewState {
  session::GroupBy groupBy = session::GroupBy::Module;
  bool leftToRight = false;
  bool jointU = false;
  bool hideViews = false;
  bool hideSymbolicSizes = false;
  std::set<std::string> folded;
  QString query;
  friend bool operator==(const ViewState&, const ViewState&) = default;
};

/// Where a canvas looks: the point of the drawing in its middle. Kept here for workspaces only.
struct ViewPoint {
  double zoom = 0;  ///< 0: none was chosen
  double x = 0, y = 0;
  friend bool operator==(const ViewPoint&, const ViewPoint&) = default;
};

class GraphTab : public QObject {
  Q_OBJECT
 public:
  GraphTab(Jobs& jobs, session::DocumentPtr file, session::LoadedGraphPtr graph, QString graphId,
           QObject* parent = nullptr);
  ~GraphTab() override;

  const session::DocumentPtr& file() const { return file_; }
  const session::LoadedGraphPtr& graph() const { return graph_; }
  QString path() const;
  /// Id inside the file, with the path of a subgraph: `0/0:joint`, `0/0:joint/true_graph_0`.
  const QString& graphId() const { return graphId_; }
  /// `FILE::GRAPH`, as the command line takes it.
  QString address() const;
  QString title() const;
  /// Why the joint drawing is not possible; empty when it is.
  QString noJointReason() const;
  /// After a reload. Keeps folds, query and, by name, the selection; passes run again.
  void replaceGraph(session::DocumentPtr file, session::LoadedGraphPtr graph);
  /// Shows another state of the graph, and keeps the same things.
  void showGraph(session::LoadedGraphPtr graph);
  PassStepper& passes() { return *passes_; }
  const PassStepper& passes() const { return *passes_; }
  GraphRuns& runs() { return *runs_; }
  const GraphRuns& runs() const { return *runs_; }
  ValueLook& value() { return *value_; }

  // ---- selection
  const std::vector<ir::NodeId>& selection() const { return selection_; }
  bool isSelected(ir::NodeId node) const;
  ir::NodeId current() const { return selection_.empty() ? ir::NodeId{} : selection_.back(); }
  /// The last node is the current one. Unknown and doubled ids are dropped. `visit`: a place for Back.
  void select(std::vector<ir::NodeId> nodes, bool visit = true);
  /// The same for what was looked for as a whole: a picture shows all of it.
  void selectAll(std::vector<ir::NodeId> nodes);
  void select(ir::NodeId node, bool visit = true) { select(std::vector<ir::NodeId>{node}, visit); }
  /// Facts of the current node; null until its job is done.
  const std::shared_ptr<const NodeDetails>& details() const { return details_; }
  QString nameOf(ir::NodeId node) const;
  /// Names of the selected nodes, in order of selection.
  QStringList selectedNames() const;

  // ---- how it is shown
  const ViewState& state() const { return state_; }
  /// Applies a new state and makes `name` a step of undo.
  void change(const QString& name, const ViewState& next);
  void setFolded(const std::string& path, bool folded);
  QStringList undoNames() const;
  bool canUndo() const { return undoAt_ > 0; }
  bool canRedo() const { return undoAt_ < undo_.size(); }
  void undo();
  void redo();

  const ViewPoint& viewPoint() const { return viewPoint_; }
  void setViewPoint(const ViewPoint& at) { viewPoint_ = at; }

  // ---- picture
  const std::shared_ptr<const ir::Scene>& scene() const { return scene_; }
  /// False while the scene is still that of the graph before.
  bool sceneIsCurrent() const { return sceneGraph_ == graph_; }
  const session::LayoutStats& layoutStats() const { return stats_; }
  bool layoutRunning() const { return layoutJob_ != nullptr; }
  const JobControlPtr& layoutControl() const { return layoutJob_; }
  void relayout();
  /// Stops the layout; the last picture stays.
  void stopLayout();
  session::SceneOptions sceneOptions() const;

  // ---- query
  /// Starts the query as a job. `hits` are of the last finished query.
  void setQuery(const QString& text);
  const std::shared_ptr<const session::QueryResult>& hits() const { return hits_; }
  bool isHit(ir::NodeId node) const { return node.index < hitMap_.size() && hitMap_[node.index]; }
  int hitIndex() const { return hitIndex_; }  ///< of the hit that was last gone to, -1 before
  /// Selects the next (+1) or previous (-1) hit, starting from the current node. False without hits.
  bool stepHit(int direction);

  // ---- row snapshots
  /// Makes the part in a job when it is not there; `partReady` tells. Cheap when it is.
  void request(Part part);
  bool has(Part part) const { return parts_[static_cast<size_t>(part)] != nullptr; }
  std::shared_ptr<const NameIndex> names() const { return get<NameIndex>(Part::Names); }
  std::shared_ptr<const std::vector<session::IoRow>> io() const {
    return get<std::vector<session::IoRow>>(Part::Io);
  }
  std::shared_ptr<const OutlineTree> outline() const { return get<OutlineTree>(Part::Outline); }
  std::shared_ptr<const std::vector<session::NodeRow>> table() const {
    return get<std::vector<session::NodeRow>>(Part::Table);
  }
  std::shared_ptr<const TextLines> text() const { return get<TextLines>(Part::Text); }
  std::shared_ptr<const std::vector<ProblemRow>> problems() const {
    return get<std::vector<ProblemRow>>(Part::Problems);
  }

  Jobs& jobs() { return jobs_; }

 signals:
  void selectionChanged(bool visit);
  void selectedAll();  ///< after `selectionChanged`
  void detailsReady();
  void stateChanged();
  void sceneChanged();
  void layoutStateChanged();
  void hitsChanged();
  void partReady(descry::gui::Part part);
  void graphReplaced();

 private:
  template <class T>
  std::shared_ptr<const T> get(Part part) const {
    return std::static_pointer_cast<const T>(parts_[static_cast<size_t>(part)]);
  }
  void apply(const ViewState& next);
  void loadDetails();
  void runQueryJob();
  void dropParts();
  void swapGraph(session::LoadedGraphPtr graph);

  Jobs& jobs_;
  session::DocumentPtr file_;
  session::LoadedGraphPtr graph_;
  QString graphId_;
  std::unique_ptr<PassStepper> passes_;
  std::unique_ptr<GraphRuns> runs_;
  std::unique_ptr<ValueLook> value_;

  std::vector<ir::NodeId> selection_;
  QStringList lost_;  ///< selected names that the shown graph does not have
  std::vector<bool> selectedMap_;
  std::shared_ptr<const NodeDetails> details_;
  JobControlPtr detailsJob_;

  ViewState state_;
  ViewPoint viewPoint_;
  struct Step {
    QString name;
    ViewState before, after;
  };
  std::vector<Step> undo_;
  size_t undoAt_ = 0;

  std::shared_ptr<const ir::Scene> scene_;
  session::LoadedGraphPtr sceneGraph_;
  session::LayoutStats stats_;
  JobControlPtr layoutJob_;

  std::shared_ptr<const session::QueryResult> hits_;
  std::vector<bool> hitMap_;
  int hitIndex_ = -1;
  JobControlPtr queryJob_;

  std::array<std::shared_ptr<const void>, static_cast<size_t>(Part::Count)> parts_;
  std::array<JobControlPtr, static_cast<size_t>(Part::Count)> partJobs_;
};

}  // namespace descry::gui
