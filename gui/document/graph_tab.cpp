#include "gui/document/graph_tab.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <tuple>

namespace descry::gui {
namespace {

constexpr size_t kUndoSteps = 500;

QString toQ(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::shared_ptr<const std::vector<ProblemRow>> makeProblems(const session::DocumentPtr& file,
                                                            const session::LoadedGraph& graph,
                                                            const NameIndex& names) {
  auto rows = std::make_shared<std::vector<ProblemRow>>();
  std::set<std::tuple<std::string, std::string, uint32_t, uint32_t, std::string>> seen;
  auto take = [&](const std::vector<ir::Diagnostic>& list) {
    for (const ir::Diagnostic& d : list) {
      if (!seen.emplace(d.code, d.message, d.loc.line, d.loc.column, d.node).second) continue;
      ProblemRow row{d, {}};
      if (!d.node.empty()) row.node = names.find(d.node);
      rows->push_back(std::move(row));
    }
  };
  take(file->diagnostics());
  take(graph.diagnostics);
  take(session::verifyGraph(graph));
  return rows;
}

}  // namespace

GraphTab::GraphTab(Jobs& jobs, session::DocumentPtr file, session::LoadedGraphPtr graph, QString graphId,
                   QObject* parent)
    : QObject(parent),
      jobs_(jobs),
      file_(std::move(file)),
      graph_(std::move(graph)),
      graphId_(std::move(graphId)),
      passes_(std::make_unique<PassStepper>(*this, graph_)),
      runs_(std::make_unique<GraphRuns>(*this)),
      value_(std::make_unique<ValueLook>(*this)) {
  // What a query asks of a run is asked again when there is another one.
  connect(runs_.get(), &GraphRuns::changed, this, [this] {
    static const QRegularExpression asks(QStringLiteral("\\b(time|nan|err)\\b"));
    if (!runs_->running() && state_.query.contains(asks)) runQueryJob();
  });
}

GraphTab::~GraphTab() {
  value_.reset();
  runs_.reset();
  passes_.reset();
  stopLayout();
  for (auto* job : {&queryJob_, &detailsJob_})
    if (*job) (*job)->cancelled = true;
  dropParts();
  jobs_.dispose(std::move(scene_));
  jobs_.dispose(std::move(graph_));
}

QString GraphTab::path() const {
  return QString::fromStdString(file_->path());
}

QString GraphTab::address() const {
  return path() + QStringLiteral("::") + graphId_;
}

QString GraphTab::title() const {
  const QString file = QFileInfo(path()).fileName();
  return file_->input().graphs().size() > 1 ? graphId_ : file;
}

QString GraphTab::noJointReason() const {
  if (graph_->phases.joint) return {};
  return graph_->phases.backward ? tr("This graph is the backward half alone: open the joint graph.")
                                 : tr("This graph has no backward part: it takes no tangents.");
}

void GraphTab::replaceGraph(session::DocumentPtr file, session::LoadedGraphPtr graph) {
  file_ = std::move(file);
  runs_->fileReplaced();
  swapGraph(graph);
  passes_->fileReplaced(std::move(graph));
}

void GraphTab::showGraph(session::LoadedGraphPtr graph) {
  if (graph != graph_) swapGraph(std::move(graph));
}

void GraphTab::swapGraph(session::LoadedGraphPtr graph) {
  const QStringList keep = selectedNames() + lost_;
  const bool checked = has(Part::Problems) || partJobs_[static_cast<size_t>(Part::Problems)];
  stopLayout();
  dropParts();
  if (detailsJob_) detailsJob_->cancelled = true;
  detailsJob_ = nullptr;
  jobs_.dispose(std::move(graph_));
  graph_ = std::move(graph);
  selection_.clear();
  selectedMap_.clear();
  details_ = nullptr;
  hits_ = nullptr;
  hitMap_.clear();
  hitIndex_ = -1;
  emit graphReplaced();
  emit selectionChanged(false);
  relayout();
  runQueryJob();
  if (checked) request(Part::Problems);
  if (keep.isEmpty()) return;
  const NameIndex names(graph_);
  std::vector<ir::NodeId> nodes;
  QStringList lost;
  for (const QString& name : keep) {
    if (const ir::NodeId id = names.find(name.toStdString()))
      nodes.push_back(id);
    else
      lost.push_back(name);
  }
  select(std::move(nodes), false);
  lost_ = lost;  // they come back with a state that has them
}

bool GraphTab::isSelected(ir::NodeId node) const {
  return node.index < selectedMap_.size() && selectedMap_[node.index];
}

void GraphTab::select(std::vector<ir::NodeId> nodes, bool visit) {
  std::vector<bool> map(graph_->graph->idBound(), false);
  std::vector<ir::NodeId> kept;
  kept.reserve(nodes.size());
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    if (!*it || !graph_->graph->contains(*it) || map[it->index]) continue;
    map[it->index] = true;
    kept.push_back(*it);
  }
  std::reverse(kept.begin(), kept.end());
  lost_.clear();
  if (kept == selection_) return;
  selection_ = std::move(kept);
  selectedMap_ = std::move(map);
  emit selectionChanged(visit);
  loadDetails();
}

void GraphTab::selectAll(std::vector<ir::NodeId> nodes) {
  select(std::move(nodes));
  if (selection_.size() > 1) emit selectedAll();
}

QString GraphTab::nameOf(ir::NodeId node) const {
  if (!node || !graph_->graph->contains(node)) return {};
  return toQ(graph_->graph->nodeName(node));
}

QStringList GraphTab::selectedNames() const {
  QStringList names;
  for (ir::NodeId id : selection_) names.push_back(nameOf(id));
  return names;
}

void GraphTab::loadDetails() {
  if (detailsJob_) detailsJob_->cancelled = true;
  detailsJob_ = nullptr;
  const ir::NodeId node = current();
  if (!node) {
    details_ = nullptr;
    emit detailsReady();
    return;
  }
  detailsJob_ = jobs_.start(
      tr("Facts"), this,
      [graph = graph_, node](JobControl&) {
        auto d = std::make_shared<NodeDetails>();
        d->node = node;
        d->name = std::string(graph->graph->nodeName(node));
        d->facts = session::nodeFacts(*graph, node);
        d->crumbs = session::breadcrumbs(*graph, node);
        d->partner = session::partnerOf(*graph, node);
        if (d->partner.node) d->partnerName = std::string(graph->graph->nodeName(d->partner.node));
        return d;
      },
      [this](std::shared_ptr<NodeDetails> d) {
        details_ = std::move(d);
        detailsJob_ = nullptr;
        emit detailsReady();
      },
      true);
}

void GraphTab::change(const QString& name, const ViewState& next) {
  if (next == state_) return;
  undo_.resize(undoAt_);
  undo_.push_back({name, state_, next});
  if (undo_.size() > kUndoSteps) undo_.erase(undo_.begin());
  undoAt_ = undo_.size();
  apply(next);
}

void GraphTab::setFolded(const std::string& path, bool folded) {
  ViewState next = state_;
  if (folded)
    next.folded.insert(path);
  else
    next.folded.erase(path);
  change(folded ? tr("Fold %1").arg(toQ(path)) : tr("Unfold %1").arg(toQ(path)), next);
}

QStringList GraphTab::undoNames() const {
  QStringList names;
  for (const Step& step : undo_) names.push_back(step.name);
  return names;
}

void GraphTab::undo() {
  if (!canUndo()) return;
  apply(undo_[--undoAt_].before);
}

void GraphTab::redo() {
  if (!canRedo()) return;
  apply(undo_[undoAt_++].after);
}

void GraphTab::apply(const ViewState& next) {
  ViewState pictureBefore = state_, pictureAfter = next;
  pictureBefore.query = pictureAfter.query;
  const bool picture = pictureBefore != pictureAfter;
  const bool query = state_.query != next.query;
  state_ = next;
  emit stateChanged();
  if (picture) relayout();
  if (query) runQueryJob();
}

session::SceneOptions GraphTab::sceneOptions() const {
  session::SceneOptions options;
  options.groupBy = state_.groupBy;
  options.leftToRight = state_.leftToRight;
  options.jointU = state_.jointU && graph_->phases.joint;
  options.hideViews = state_.hideViews;
  options.hideSymbolicSizes = state_.hideSymbolicSizes;
  options.folded = state_.folded;
  return options;
}

void GraphTab::relayout() {
  if (layoutJob_) layoutJob_->cancelled = true;
  struct Made {
    std::shared_ptr<ir::Scene> scene;
    session::LayoutStats stats;
  };
  layoutJob_ = jobs_.start(
      tr("Layout"), this,
      [graph = graph_, options = sceneOptions(), previous = scene_](JobControl& control) {
        Made made;
        session::SceneOptions with = options;
        with.previous = previous.get();
        with.cancel = &control.cancelled;
        with.progress = [&control](double f) { control.permille = static_cast<int>(f * 1000); };
        made.scene = std::make_shared<ir::Scene>(session::buildScene(*graph, with, &made.stats));
        return made;
      },
      [this, graph = graph_](Made made) {
        layoutJob_ = nullptr;
        jobs_.dispose(std::move(scene_));
        jobs_.dispose(std::exchange(sceneGraph_, graph));
        scene_ = std::move(made.scene);
        stats_ = made.stats;
        emit layoutStateChanged();
        emit sceneChanged();
      });
  emit layoutStateChanged();
}

void GraphTab::stopLayout() {
  if (!layoutJob_) return;
  layoutJob_->cancelled = true;
  layoutJob_ = nullptr;
  emit layoutStateChanged();
}

void GraphTab::setQuery(const QString& text) {
  ViewState next = state_;
  next.query = text;
  if (next == state_) return;
  // Typing is one step of undo, not one per letter.
  if (undoAt_ == undo_.size() && undoAt_ > 0 && undo_.back().name == tr("Query")) {
    undo_.back().after = next;
    apply(next);
  } else {
    change(tr("Query"), next);
  }
}

void GraphTab::runQueryJob() {
  if (queryJob_) queryJob_->cancelled = true;
  queryJob_ = nullptr;
  if (state_.query.trimmed().isEmpty()) {
    hits_ = nullptr;
    hitMap_.clear();
    hitIndex_ = -1;
    emit hitsChanged();
    return;
  }
  struct Found {
    std::shared_ptr<session::QueryResult> result;
    std::vector<bool> map;
  };
  queryJob_ = jobs_.start(
      tr("Query"), this,
      [graph = graph_, text = state_.query.toStdString(), selection = selection_, scene = scene_,
       facts = runs_->queryFacts()](JobControl&) {
        std::vector<ir::NodeId> drawn;
        if (scene && text.find("in:visible") != std::string::npos)
          for (const ir::SceneNode& box : scene->nodes)
            if (box.node) drawn.push_back(box.node);
        session::QueryScope scope;
        scope.selection = &selection;
        if (scene) scope.visible = &drawn;
        scope.run = facts.get();
        Found found{std::make_shared<session::QueryResult>(session::runQuery(*graph, text, scope)), {}};
        found.map.assign(graph->graph->idBound(), false);
        for (ir::NodeId id : found.result->nodes)
          if (id.index < found.map.size()) found.map[id.index] = true;
        return found;
      },
      [this](Found found) {
        queryJob_ = nullptr;
        hits_ = std::move(found.result);
        hitMap_ = std::move(found.map);
        hitIndex_ = -1;
        emit hitsChanged();
      },
      true);
}

bool GraphTab::stepHit(int direction) {
  if (!hits_ || hits_->nodes.empty()) return false;
  const int count = static_cast<int>(hits_->nodes.size());
  int at = hitIndex_;
  // After a click elsewhere the walk starts from the clicked hit.
  if (at < 0 || hits_->nodes[at] != current()) {
    auto it = std::find(hits_->nodes.begin(), hits_->nodes.end(), current());
    at = it == hits_->nodes.end() ? (direction > 0 ? -1 : 0) : static_cast<int>(it - hits_->nodes.begin());
  }
  hitIndex_ = ((at + direction) % count + count) % count;
  select(hits_->nodes[hitIndex_]);
  emit hitsChanged();
  return true;
}

void GraphTab::request(Part part) {
  const auto slot = static_cast<size_t>(part);
  if (parts_[slot] || partJobs_[slot]) return;
  QString title;
  switch (part) {
    case Part::Names:
      title = tr("Index of names");
      break;
    case Part::Io:
      title = tr("Inputs and outputs");
      break;
    case Part::Outline:
      title = tr("Outline");
      break;
    case Part::Table:
      title = tr("Table");
      break;
    case Part::Text:
      title = tr("Text");
      break;
    case Part::Problems:
      title = tr("Checks");
      break;
    case Part::Count:
      return;
  }
  partJobs_[slot] = jobs_.start(
      title, this,
      [file = file_, graph = graph_, part](JobControl&) -> std::shared_ptr<const void> {
        switch (part) {
          case Part::Names:
            return std::make_shared<NameIndex>(graph);
          case Part::Io:
            return std::make_shared<std::vector<session::IoRow>>(session::ioRows(*graph));
          case Part::Outline:
            return std::make_shared<OutlineTree>(session::outline(*graph));
          case Part::Table:
            return std::make_shared<std::vector<session::NodeRow>>(session::nodeRows(*graph));
          case Part::Text:
            return std::make_shared<TextLines>(session::textView(*graph));
          case Part::Problems:
            return makeProblems(file, *graph, NameIndex(graph));
          case Part::Count:
            break;
        }
        return nullptr;
      },
      [this, part, slot](std::shared_ptr<const void> value) {
        partJobs_[slot] = nullptr;
        parts_[slot] = std::move(value);
        emit partReady(part);
      },
      graph_->graph->size() < 20000);
}

void GraphTab::dropParts() {
  for (auto& job : partJobs_) {
    if (job) job->cancelled = true;
    job = nullptr;
  }
  for (auto& part : parts_) jobs_.dispose(std::exchange(part, nullptr));
}

}  // namespace descry::gui
