#include "gui/app/graph_page.h"

#include <QEvent>
#include <QJsonObject>
#include <QVBoxLayout>

#include <algorithm>

#include "gui/canvas/prepared_scene.h"

namespace descry::gui {

namespace {
constexpr size_t kSmallScene = 2000;  // boxes: prepared in a few milliseconds, so that nothing flickers
}

GraphPage::GraphPage(GraphTab* tab, const Theme& theme, QWidget* parent) : QWidget(parent), tab_(tab) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  canvas_ = new GraphCanvas(this);
  canvas_->setTheme(theme);
  canvas_->setAccessibleName(tr("Graph"));
  column->addWidget(canvas_);
  setFocusProxy(canvas_);

  connect(tab, &GraphTab::sceneChanged, this, &GraphPage::showScene);
  connect(tab, &GraphTab::selectionChanged, this, &GraphPage::showSelection);
  connect(tab, &GraphTab::selectedAll, this, [this] {
    if (tab_->sceneIsCurrent()) canvas_->fitSelection();
  });
  connect(tab, &GraphTab::hitsChanged, this, &GraphPage::showHits);
  connect(tab, &GraphTab::layoutStateChanged, this, &GraphPage::showProgress);
  connect(canvas_, &GraphCanvas::cameraChanged, this, [this] {
    if (first_) return;
    const QPointF middle = canvas_->camera().toScene(QRectF(canvas_->rect()).center());
    tab_->setViewPoint({canvas_->camera().zoom, middle.x(), middle.y()});
  });
  connect(canvas_, &GraphCanvas::selectionChanged, this, &GraphPage::takeSelection);
  connect(canvas_, &GraphCanvas::currentNodeChanged, this, &GraphPage::takeSelection);
  connect(canvas_, &GraphCanvas::outputSlotSelected, this, [this](int slot) {
    const auto outputs = tab_->graph()->graph->outputs();
    if (slot < 0 || slot >= static_cast<int>(outputs.size())) return;
    const ir::ArgView value = outputs[static_cast<size_t>(slot)];
    taking_ = true;
    if (value.kind() == ir::ValueKind::NodeRef)
      tab_->select(value.node());
    else
      emit message(tr("Output %1 is a constant.").arg(slot));
    taking_ = false;
  });
  connect(canvas_, &GraphCanvas::partnerRequested, this,
          [this] { emit actionRequested(QStringLiteral("partner"), {}); });
  const auto fold = [this](const QString& path, bool deep, bool folded) {
    const char* id = folded ? (deep ? "collapse-below" : "collapse") : (deep ? "expand-below" : "expand");
    emit actionRequested(QString::fromLatin1(id), QJsonObject{{"group", path}});
  };
  connect(canvas_, &GraphCanvas::expandRequested, this,
          [fold](const QString& p, bool deep) { fold(p, deep, false); });
  connect(canvas_, &GraphCanvas::collapseRequested, this,
          [fold](const QString& p, bool deep) { fold(p, deep, true); });
  connect(canvas_, &GraphCanvas::groupToggleRequested, this, [this, fold](const QString& path) {
    fold(path, false, !tab_->state().folded.count(path.toStdString()));
  });
  connect(canvas_, &GraphCanvas::isolateRequested, this, [this] {
    emit message(tr("Isolating nodes is not available; fold groups or use a query instead."));
  });
  connect(canvas_, &GraphCanvas::hideRequested, this,
          [this] { emit message(tr("Hiding nodes is not available; fold groups or use a query instead.")); });
  connect(canvas_, &GraphCanvas::escapePressed, this, [this] {
    if (!tab_->state().query.isEmpty()) emit actionRequested(QStringLiteral("clear-query"), {});
  });
  connect(&tab->runs(), &GraphRuns::marksChanged, this, &GraphPage::showRun);
  canvas_->setHoverRows([tab](ir::NodeId node) { return tab->runs().hoverRows(node); });
  progress_.setInterval(100);
  connect(&progress_, &QTimer::timeout, this, &GraphPage::showProgress);
  showProgress();
  if (tab->scene()) showScene();
}

bool GraphPage::settled() const {
  return !tab_->layoutRunning() && canvas_->scene() == tab_->scene() && !canvas_->isRefining();
}

void GraphPage::keepStill() {
  still_ = true;
  canvas_->setReducedMotion(true);
  canvas_->installEventFilter(this);
}

bool GraphPage::eventFilter(QObject* object, QEvent* event) {
  // With a new style the canvas asks the style again whether to move.
  if (object == canvas_ && still_ && event->type() == QEvent::StyleChange)
    QMetaObject::invokeMethod(
        canvas_, [canvas = canvas_] { canvas->setReducedMotion(true); }, Qt::QueuedConnection);
  return QWidget::eventFilter(object, event);
}

void GraphPage::setColours(ColourMode mode) {
  if (tab_->sceneIsCurrent()) canvas_->setRun(tab_->runs().heat(mode), tab_->runs().marks());
  canvas_->setColourMode(mode);
}

void GraphPage::showRun() {
  // The picture may still be that of another graph, whose nodes have other numbers.
  if (tab_->sceneIsCurrent())
    canvas_->setRun(tab_->runs().heat(canvas_->colourMode()), tab_->runs().marks());
  else
    canvas_->setRun(nullptr, nullptr);
}

void GraphPage::showScene() {
  if (preparing_) preparing_->cancelled = true;
  preparing_ = nullptr;
  const std::shared_ptr<const ir::Scene>& scene = tab_->scene();
  if (!scene || scene->nodes.size() < kSmallScene) {
    takeScene(scene ? std::make_shared<PreparedScene>(scene, interfaceFont()) : nullptr);
    return;
  }
  preparing_ = tab_->jobs().start(
      tr("Drawing"), this,
      [scene, font = interfaceFont()](JobControl&) { return std::make_shared<PreparedScene>(scene, font); },
      [this](std::shared_ptr<PreparedScene> made) {
        preparing_ = nullptr;
        takeScene(std::move(made));
      },
      true);
}

void GraphPage::takeScene(std::shared_ptr<PreparedScene> scene) {
  taking_ = true;  // nodes that a fold hides stay selected for all other views
  // Another arrangement puts everything elsewhere; a fold or a reload does not.
  const ViewState& now = tab_->state();
  const bool rearranged =
      now.groupBy != drawn_.groupBy || now.leftToRight != drawn_.leftToRight || now.jointU != drawn_.jointU;
  // Nor does a step to another pass, unless the whole graph was in view.
  const bool stepped = tab_->passes().state() != drawnState_ && canvas_->showsWhole();
  std::shared_ptr<const ir::Scene> before = canvas_->scene();
  canvas_->setScene(std::move(scene), first_ || rearranged || stepped ? ViewPolicy::Fit : ViewPolicy::Keep);
  tab_->jobs().dispose(std::move(before));
  drawn_ = now;
  drawnState_ = tab_->passes().state();
  taking_ = false;
  showRun();
  // A workspace says where its tabs looked.
  const ViewPoint at = tab_->viewPoint();
  if (first_ && at.zoom > 0) canvas_->lookAt({at.x, at.y}, at.zoom);
  first_ = false;
  showSelection();
  showHits();
}

void GraphPage::showSelection() {
  if (taking_ || !tab_->sceneIsCurrent()) return;
  taking_ = true;
  std::vector<ir::NodeId> nodes = tab_->selection();
  std::reverse(nodes.begin(), nodes.end());  // the canvas has the current node first
  if (nodes.empty())
    canvas_->clearSelection();
  else
    canvas_->selectNodes(nodes);
  taking_ = false;
}

void GraphPage::takeSelection() {
  // A picture that is still that of the graph before names other nodes.
  if (taking_ || !tab_->sceneIsCurrent()) return;
  if (canvas_->currentOutputSlot() >= 0) return;
  std::vector<ir::NodeId> nodes = canvas_->selectedNodes();
  const ir::NodeId current = canvas_->currentNode();
  if (current && std::find(nodes.begin(), nodes.end(), current) != nodes.end()) nodes.push_back(current);
  taking_ = true;
  tab_->select(std::move(nodes));
  taking_ = false;
}

void GraphPage::showHits() {
  if (!tab_->hits() || tab_->hits()->error)
    canvas_->clearHits();
  else
    canvas_->setHits(tab_->hits()->nodes);
}

void GraphPage::showProgress() {
  if (!tab_->layoutRunning()) {
    progress_.stop();
    canvas_->setProgress({}, -1);
    return;
  }
  if (!progress_.isActive()) progress_.start();
  for (const JobInfo& job : tab_->jobs().running()) {
    if (job.control != tab_->layoutControl() || job.elapsed.elapsed() < 150) continue;
    const int permille = job.control->permille;
    canvas_->setProgress(tr("Laying out"), permille < 0 ? -1 : permille / 1000.0);
  }
}

}  // namespace descry::gui
