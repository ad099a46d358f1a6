#include "gui/canvas/graph_canvas.h"

#include <QAccessible>
#include <QPainter>
#include <QResizeEvent>
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "gui/canvas/back_buffer.h"
#include "gui/canvas/canvas_parts.h"
#include "gui/canvas/hover_card.h"
#include "gui/canvas/legend.h"
#include "gui/canvas/minimap.h"
#include "gui/canvas/prepared_scene.h"
#include "gui/canvas/scene_index.h"
#include "gui/canvas/scene_painter.h"
#include "gui/canvas/scene_topology.h"

namespace descry::gui {

namespace {

constexpr double kFitMargin = 24;
constexpr double kSpeckHeight = 3;  // pixels: a whole graph with smaller boxes shows nothing
constexpr double kReadableZoom = 0.8;
constexpr int kRoomForLegend = 1000;  // pixels: a narrower canvas begins with a folded legend
constexpr int kRoomForScale = 560;
constexpr double kKeepInView = 48;  // pixels of the scene that panning cannot push out

QRectF toQt(const ir::SceneRect& r) {
  return {r.x, r.y, r.w, r.h};
}

}  // namespace

GraphCanvas::GraphCanvas(QWidget* parent)
    : QWidget(parent),
      theme_(Theme::light()),
      buffer_(std::make_unique<BackBuffer>()),
      selection_(std::make_unique<CanvasSelection>()),
      hover_(std::make_unique<CanvasHover>()),
      drag_(std::make_unique<Drag>()),
      motion_(std::make_unique<Motion>()) {
  setObjectName(QStringLiteral("graphCanvas"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Graph"));
  reducedMotion_ = style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0;

  minimap_ = new MinimapWidget(this);
  legend_ = new LegendWidget(this);
  card_ = new HoverCardWidget(this);
  minimap_->hide();
  legend_->hide();
  connect(minimap_, &MinimapWidget::centreRequested, this,
          [this](QPointF at) { moveCamera(camera_.centredOn(at, size()), false); });
  connect(minimap_, &MinimapWidget::zoomRequested, this,
          [this](double factor) { zoomAt(QRectF(rect()).center(), factor, false); });

  hover_->timer.setSingleShot(true);
  hover_->timer.setInterval(kHoverDelayMs);
  connect(&hover_->timer, &QTimer::timeout, this, &GraphCanvas::showHoverCard);
  motion_->timer.setInterval(8);
  connect(&motion_->timer, &QTimer::timeout, this, [this] {
    const double t = double(motion_->clock.elapsed()) / std::max(motion_->duration, 1);
    if (t >= 1) motion_->timer.stop();
    const double eased = 1 - std::pow(1 - std::min(t, 1.0), 3);
    applyCamera(Camera::between(motion_->from, motion_->to, eased, size()));
  });
  setTheme(theme_);
}

GraphCanvas::~GraphCanvas() = default;

void GraphCanvas::setScene(std::shared_ptr<const ir::Scene> scene, ViewPolicy policy) {
  setScene(scene ? std::make_shared<PreparedScene>(std::move(scene), interfaceFont()) : nullptr, policy);
}

void GraphCanvas::setScene(std::shared_ptr<PreparedScene> scene, ViewPolicy policy) {
  stopMotion();
  endHover();
  hover_->timer.stop();
  // What survives by name.
  const std::vector<ir::NodeId> nodes = selectedNodes();
  const ir::NodeId current = currentNode();
  const int slot = currentOutputSlot();
  const bool groupSelected = selection_->current < 0 && selection_->group >= 0;
  const QString group = groupSelected ? currentGroup() : QString();
  const bool hadScene = scene_ && !scene_->nodes.empty();
  QPointF keepFrom;  // on the screen
  bool keepBox = false, keepGroup = false;
  if (hadScene) {
    if (selection_->current >= 0) {
      keepBox = true;
      keepFrom = camera_.toScreen(boxRect(selection_->current).center());
    } else if (groupSelected) {
      keepGroup = true;
      keepFrom = camera_.toScreen(toQt(scene_->groups[size_t(selection_->group)].rect).topLeft());
    }
    keepBox = keepBox && QRectF(rect()).contains(keepFrom);
  }
  const QPointF oldMiddle = camera_.toScene(QRectF(rect()).center());
  ir::NodeId middleNode;
  if (hadScene && !keepBox && !keepGroup) {
    const int at = index_->boxAt(oldMiddle);
    if (at >= 0) {
      middleNode = scene_->nodes[size_t(at)].node;
      keepFrom = camera_.toScreen(boxRect(at).center());
    }
  }

  minimap_->setScene(nullptr, {});
  prepared_ = std::move(scene);
  scene_ = prepared_ ? prepared_->scene : nullptr;
  topology_ = prepared_ ? &prepared_->topology : nullptr;
  index_ = prepared_ ? &prepared_->index : nullptr;
  painter_ = prepared_ ? &prepared_->painter : nullptr;
  *selection_ = CanvasSelection{};
  if (scene_) {
    restyle();
    minimap_->setScene(painter_, index_->bounds());
    for (ir::NodeId id : nodes) {
      const int box = topology_->boxOf(id);
      if (box >= 0) selection_->boxes.push_back(uint32_t(box));
    }
    selection_->current = current.valid() ? topology_->boxOf(current) : topology_->boxOfOutput(slot);
    if (!current.valid() && selection_->current >= 0)
      selection_->boxes.push_back(uint32_t(selection_->current));
    std::sort(selection_->boxes.begin(), selection_->boxes.end());
    if (groupSelected) selection_->group = topology_->groupOf(group.toStdString());
    setHits(hitsActive_ ? hits_ : std::vector<ir::NodeId>());
  }
  invalidate();
  if (!hadScene || policy == ViewPolicy::Fit) {
    fitAll();
    stopMotion();
    if (scene_) {
      applyCamera(openingView());
      refit_ = Refit::Opening;
    }
  } else if (scene_) {
    QPointF keepTo;
    bool found = false;
    if (keepBox && selection_->current >= 0) {
      keepTo = boxRect(selection_->current).center();
      found = true;
    } else if (keepGroup && selection_->group >= 0) {
      keepTo = toQt(scene_->groups[size_t(selection_->group)].rect).topLeft();
      found = true;
    } else if (const int box = topology_->boxOf(middleNode); box >= 0) {
      keepTo = boxRect(box).center();
      found = true;
    }
    if (found) applyCamera(camera_.panned(keepFrom - camera_.toScreen(keepTo)));
    applyCamera(camera_.keptNear(index_->bounds(), size(), kKeepInView));
  }
  placeOverlays();
  announceCurrent();
  if (nodes != selectedNodes()) emit selectionChanged();
  if (current != currentNode()) emit currentNodeChanged(currentNode());
}

void GraphCanvas::setTheme(const Theme& theme) {
  theme_ = theme;
  if (painter_) restyle();
  minimap_->setTheme(theme_);
  card_->setTheme(theme_);
  invalidate();
  placeOverlays();
}

void GraphCanvas::setColourMode(ColourMode mode) {
  if (mode == colourMode_) return;
  colourMode_ = mode;
  setTheme(theme_);
}

void GraphCanvas::setShowSymbolicEdges(bool on) {
  if (on == showSymbolic_) return;
  showSymbolic_ = on;
  setTheme(theme_);
}

void GraphCanvas::setEmptyText(const QString& text) {
  emptyText_ = text;
  update();
}

void GraphCanvas::setProgress(const QString& text, double fraction) {
  progressText_ = text;
  progressFraction_ = fraction;
  update();
}

void GraphCanvas::setHits(const std::vector<ir::NodeId>& hits) {
  hits_ = hits;
  hitsActive_ = !hits.empty();
  if (!painter_) return;
  std::vector<uint8_t> flags;
  std::vector<QPointF> pips;
  if (hitsActive_) {
    flags.assign(scene_->nodes.size(), 0);
    for (ir::NodeId id : hits) {
      const int box = topology_->boxOf(id);
      if (box < 0) continue;
      flags[size_t(box)] = 1;
      if (pips.size() < 500) pips.push_back(boxRect(box).center());
    }
  }
  painter_->setHits(std::move(flags));
  minimap_->setPips(std::move(pips));
  buffer_->invalidate();  // the map shows hits as pips and need not be drawn anew
  update();
}

void GraphCanvas::clearHits() {
  if (hitsActive_) setHits({});
}

// --- camera ---

void GraphCanvas::applyCamera(const Camera& camera) {
  if (camera == camera_) return;
  camera_ = camera;
  placeOverlays();
  updateVisibleGroup();
  update();
  emit cameraChanged();
}

void GraphCanvas::moveCamera(const Camera& wanted, bool animated) {
  if (!scene_) return;
  refit_ = Refit::None;
  endHover();
  Camera to = wanted;
  const double zoom = std::max(to.zoom, minimumZoom());
  if (zoom != to.zoom) to = to.zoomedAt(QRectF(rect()).center(), zoom);
  to = to.keptNear(index_->bounds(), size(), kKeepInView);
  if (!animated || reducedMotion_ || !isVisible()) {
    stopMotion();
    applyCamera(to);
    return;
  }
  motion_->from = camera_;
  motion_->to = to;
  motion_->duration = std::abs(to.zoom / camera_.zoom - 1) < 0.4 ? kZoomMs : kMoveMs;
  motion_->clock.restart();
  motion_->timer.start();
}

void GraphCanvas::stopMotion() {
  motion_->timer.stop();
}

double GraphCanvas::minimumZoom() const {
  if (!index_) return Camera::kSmallestZoom;
  return std::min(Camera::fitting(index_->bounds(), size(), kFitMargin).zoom * 0.5, 0.1);
}

void GraphCanvas::zoomAt(QPointF position, double factor, bool animated) {
  const Camera base = motion_->running() ? motion_->to : camera_;
  const double zoom = std::clamp(base.zoom * factor, minimumZoom(), 4.0);
  // Steps of an ongoing zoom add up, around the point now under the pointer.
  const QPointF fixed = camera_.toScene(position);
  Camera to{zoom, {}};
  const QPointF offset = position - fixed * zoom;
  to.offset = QPointF(std::round(offset.x()), std::round(offset.y()));
  moveCamera(to, animated);
}

// Zooming by key goes to what is selected, as long as that is in view.
QPointF GraphCanvas::zoomAnchor() const {
  const QRectF view(rect());
  const QPointF at =
      selection_->current >= 0 ? camera_.toScreen(boxRect(selection_->current).center()) : view.center();
  return view.contains(at) ? at : view.center();
}

void GraphCanvas::setZoom(double zoom) {
  moveCamera(camera_.zoomedAt(zoomAnchor(), zoom), true);
}
void GraphCanvas::setCamera(const Camera& camera, bool animated) {
  moveCamera(camera, animated);
}
void GraphCanvas::lookAt(QPointF scenePoint, double zoom) {
  moveCamera(Camera{zoom, {}}.centredOn(scenePoint, size()), false);
  refitPoint_ = scenePoint;
  refit_ = Refit::Point;
}
QRectF GraphCanvas::visibleArea() const {
  return camera_.visible(size());
}
void GraphCanvas::zoomIn() {
  zoomAt(zoomAnchor(), kZoomStep * kZoomStep, true);
}
void GraphCanvas::zoomOut() {
  zoomAt(zoomAnchor(), 1 / (kZoomStep * kZoomStep), true);
}

namespace {

/// What is left of the width beside a legend and a drawing; negative: they do not fit beside each other.
double roomBeside(const QRectF& legend, const QRectF& drawn, double width) {
  return width - (legend.right() + kFitMargin / 2) - kFitMargin - drawn.width();
}

/// The whole drawing beside an open legend, where the room that it does not need is enough for that.
Camera besideLegend(const Camera& whole, const QRectF& bounds, QSizeF screen, const LegendWidget& legend) {
  const QRectF drawn = whole.toScreen(bounds);
  const QRectF over(legend.geometry());
  if (!legend.isVisible() || legend.isFolded() || !drawn.intersects(over)) return whole;
  const double rest = roomBeside(over, drawn, screen.width());
  return rest < 0 ? whole : whole.panned({over.right() + kFitMargin / 2 + rest / 2 - drawn.left(), 0});
}

}  // namespace

/// Begins folded where it would lie over the drawing seen whole, and there is no room beside that.
void GraphCanvas::suggestLegend() {
  if (!scene_) return;
  const QSize open = legend_->openSize();
  const QRectF over(QPointF(12, height() - open.height() - 12), QSizeF(open));
  const Camera whole = Camera::fitting(index_->bounds(), size(), kFitMargin);
  bool covers = false;
  if (roomBeside(over, whole.toScreen(index_->bounds()), width()) < 0) {
    std::vector<uint32_t> below;
    index_->boxesIn(whole.toScene(over), below);
    covers = !below.empty();
  }
  // A scale says nothing without its numbers.
  const bool scale = painter_ && painter_->heat();
  legend_->suggestFolded(scale ? width() < kRoomForScale : width() < kRoomForLegend || covers);
}

void GraphCanvas::fitAll() {
  if (!scene_ || index_->bounds().isEmpty()) return;
  const Camera whole = Camera::fitting(index_->bounds(), size(), kFitMargin);
  moveCamera(besideLegend(whole, index_->bounds(), size(), *legend_), true);
  refit_ = Refit::Whole;
}

Camera GraphCanvas::openingView() const {
  const Camera whole = Camera::fitting(index_->bounds(), size(), kFitMargin);
  if (index_->typicalHeight() * whole.zoom >= kSpeckHeight) return whole;
  // Seen whole, a large graph is a smear: begin at the first call that is drawn, with its inputs above it.
  for (const ir::SceneNode& n : scene_->nodes) {
    if (n.rect.w <= 0 || n.outputSlot >= 0) continue;
    if (n.role == ir::NodeRole::Compute || n.role == ir::NodeRole::View) {
      const QPointF at = toQt(n.rect).center();
      return Camera{kReadableZoom, {}}.centredOn(at + QPointF(0, height() * 0.25 / kReadableZoom), size());
    }
  }
  return whole;
}

void GraphCanvas::fitSelection() {
  const QRectF area = selectionBounds(false);
  if (!area.isEmpty())
    moveCamera(Camera::fitting(area, size(), 80, std::max(1.0, std::min(camera_.zoom, 1.5))), true);
}

void GraphCanvas::fitNeighbourhood() {
  const QRectF area = selectionBounds(true);
  if (area.isEmpty()) return;
  // Beside the minimap, not below it.
  const int taken = minimapWanted_ ? minimap_->sizeFor(size()).width() : 0;
  moveCamera(Camera::fitting(area, QSizeF(std::max(width() - taken, width() / 2), height()), 48), true);
}

void GraphCanvas::centreOn(ir::NodeId node) {
  const int box = topology_ ? topology_->boxOf(node) : -1;
  if (box >= 0) moveCamera(camera_.centredOn(boxRect(box).center(), size()), true);
}

void GraphCanvas::revealRect(const QRectF& area) {
  if (area.isEmpty()) return;
  const double onScreen = index_->typicalHeight() * camera_.zoom;
  const QRectF inner = QRectF(rect()).adjusted(40, 40, -40, -40);
  if (detailFor(onScreen) < Detail::Names) {
    // Too small to be read: come closer.
    moveCamera(Camera{kReadableZoom, {}}.centredOn(area.center(), size()), true);
  } else if (!inner.contains(camera_.toScreen(area)) || underOverlay(camera_.toScreen(area))) {
    moveCamera(camera_.centredOn(area.center(), size()), true);
  }
}

bool GraphCanvas::underOverlay(const QRectF& onScreen) const {
  return (minimap_->isVisible() && onScreen.intersects(minimap_->geometry())) ||
         (legend_->isVisible() && onScreen.intersects(legend_->geometry()));
}

QRectF GraphCanvas::selectionBounds(bool neighbours) const {
  QRectF area;
  if (!scene_) return area;
  if (selection_->boxes.empty() && selection_->group >= 0)
    return toQt(scene_->groups[size_t(selection_->group)].rect);
  for (uint32_t box : selection_->boxes) {
    area |= boxRect(int(box));
    if (!neighbours) continue;
    for (uint32_t e : topology_->inputEdges(box)) area |= boxRect(int(scene_->edges[e].from));
    for (uint32_t e : topology_->outputEdges(box)) area |= boxRect(int(scene_->edges[e].to));
  }
  return area;
}

QRectF GraphCanvas::boxRect(int box) const {
  if (!scene_ || box < 0 || size_t(box) >= scene_->nodes.size()) return {};
  const int folded = topology_->foldedAround(uint32_t(box));
  return toQt(folded >= 0 ? scene_->groups[size_t(folded)].rect : scene_->nodes[size_t(box)].rect);
}

// --- selection ---

std::vector<ir::NodeId> GraphCanvas::selectedNodes() const {
  std::vector<ir::NodeId> nodes;
  if (!scene_) return nodes;
  for (uint32_t box : selection_->boxes) {
    if (scene_->nodes[box].node.valid() && scene_->nodes[box].outputSlot < 0)
      nodes.push_back(scene_->nodes[box].node);
  }
  return nodes;
}

ir::NodeId GraphCanvas::currentNode() const {
  if (!scene_ || selection_->current < 0) return {};
  const ir::SceneNode& n = scene_->nodes[size_t(selection_->current)];
  return n.outputSlot >= 0 ? ir::NodeId{} : n.node;
}

int GraphCanvas::currentOutputSlot() const {
  return scene_ && selection_->current >= 0 ? scene_->nodes[size_t(selection_->current)].outputSlot : -1;
}

QString GraphCanvas::currentGroup() const {
  if (!scene_) return {};
  int group = selection_->group;
  if (selection_->current >= 0) {
    group = topology_->foldedAround(uint32_t(selection_->current));
    if (group < 0) group = scene_->nodes[size_t(selection_->current)].group;
  }
  if (group < 0 || size_t(group) >= scene_->groups.size()) return {};
  return QString::fromStdString(scene_->groups[size_t(group)].path);
}

void GraphCanvas::selectNodes(const std::vector<ir::NodeId>& nodes, bool reveal) {
  if (!scene_) return;
  std::vector<uint32_t> boxes;
  for (ir::NodeId id : nodes) {
    const int box = topology_->boxOf(id);
    if (box >= 0) boxes.push_back(uint32_t(box));
  }
  const int current = boxes.empty() ? -1 : int(boxes.front());
  setSelection(std::move(boxes), current);
  if (reveal && current >= 0) revealRect(boxRect(current));
}

void GraphCanvas::selectOutputSlot(int slot, bool reveal) {
  const int box = topology_ ? topology_->boxOfOutput(slot) : -1;
  if (box < 0) return;
  setSelection({uint32_t(box)}, box);
  if (reveal) revealRect(boxRect(box));
}

void GraphCanvas::selectGroup(const QString& path, bool reveal) {
  const int group = topology_ ? topology_->groupOf(path.toStdString()) : -1;
  if (group < 0) return;
  setCurrentGroup(group);
  if (reveal) revealRect(toQt(scene_->groups[size_t(group)].rect));
}

void GraphCanvas::clearSelection() {
  setSelection({}, -1);
}

// --- preferences ---

void GraphCanvas::setMinimapVisible(bool visible) {
  if (visible == minimapWanted_) return;
  minimapWanted_ = visible;
  placeOverlays();
  emit minimapVisibilityChanged(visible);
}

void GraphCanvas::setLegendVisible(bool visible) {
  legendWanted_ = visible;
  placeOverlays();
}

void GraphCanvas::setHoverCardProvider(std::function<HoverCard(ir::NodeId)> provider) {
  cardProvider_ = std::move(provider);
}

void GraphCanvas::invalidate() {
  buffer_->invalidate();
  minimap_->refresh();
  update();
}

void GraphCanvas::placeOverlays() {
  const bool any = scene_ && !index_->bounds().isEmpty();
  const QRectF visible = visibleArea();
  const bool allInView = any && visible.adjusted(-1, -1, 1, 1).contains(index_->bounds());
  minimap_->setVisible(any && minimapWanted_ && !allInView);
  if (any) {
    minimap_->setView(visible);
    const QSize wanted = minimap_->sizeFor(size());
    minimap_->setGeometry(width() - wanted.width() - 12, height() - wanted.height() - 12, wanted.width(),
                          wanted.height());
  }
  const bool room = legend_->isFolded() || legend_->height() < height() * 2 / 3;
  legend_->setVisible(any && legendWanted_ && room && legend_->width() > 0);
  legend_->move(12, height() - legend_->height() - 12);
}

void GraphCanvas::updateVisibleGroup() {
  QString path;
  if (scene_ && !scene_->groups.empty()) {
    const QRectF view = visibleArea();
    int group = index_->groupAround(view.center());
    for (; group >= 0; group = scene_->groups[size_t(group)].parent) {
      const QRectF shared = toQt(scene_->groups[size_t(group)].rect).intersected(view);
      if (shared.width() * shared.height() >= 0.6 * view.width() * view.height()) break;
      if (scene_->groups[size_t(group)].parent >= group) group = -1;
      if (group < 0) break;
    }
    if (group >= 0) path = QString::fromStdString(scene_->groups[size_t(group)].path);
  }
  if (path == visibleGroup_) return;
  visibleGroup_ = path;
  emit visibleGroupChanged(path);
}

void GraphCanvas::resizeEvent(QResizeEvent*) {
  const double ratio = devicePixelRatioF();
  buffer_->resize((QSizeF(size()) * ratio).toSize(), ratio);
  suggestLegend();
  if (scene_) {
    if (refit_ == Refit::Opening) applyCamera(openingView());
    if (refit_ == Refit::Whole)
      applyCamera(besideLegend(Camera::fitting(index_->bounds(), size(), kFitMargin), index_->bounds(),
                               size(), *legend_));
    if (refit_ == Refit::Point) applyCamera(camera_.centredOn(refitPoint_, size()));
  }
  placeOverlays();
}

void GraphCanvas::changeEvent(QEvent* event) {
  if (event->type() == QEvent::StyleChange) {
    reducedMotion_ = style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0;
  }
  QWidget::changeEvent(event);
}

void GraphCanvas::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  announceCurrent();
  update();
}

void GraphCanvas::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

void GraphCanvas::announceCurrent() {
  markLegend();
  QString text;
  if (scene_ && selection_->current >= 0) {
    const uint32_t box = uint32_t(selection_->current);
    const ir::SceneNode& n = scene_->nodes[box];
    text = QString::fromStdString(n.label) + QStringLiteral(", ") + roleName(n.role);
    if (!n.op.empty() && n.outputSlot < 0) text += QStringLiteral(", ") + QString::fromStdString(n.op);
    if (!n.type.empty()) text += QStringLiteral(", ") + QString::fromStdString(n.type);
    if (n.phase != ir::Phase::None) text += QStringLiteral(", ") + phaseName(n.phase);
    if (n.outputSlot < 0 && heat_ && !heat_->textOf(n.node).empty())
      text += QStringLiteral(", ") + QString::fromStdString(heat_->textOf(n.node));
    text += tr(", %1 inputs, %2 readers").arg(topology_->inputCount(box)).arg(topology_->readerCount(box));
    if (selection_->boxes.size() > 1) text += tr(", %1 selected").arg(selection_->boxes.size());
  } else if (scene_ && selection_->group >= 0) {
    const ir::SceneGroup& g = scene_->groups[size_t(selection_->group)];
    text = tr("group %1, %2 nodes, %3")
               .arg(QString::fromStdString(g.path))
               .arg(g.nodeCount)
               .arg(g.folded ? tr("folded") : tr("open"));
  } else if (scene_) {
    text = tr("%1 nodes, nothing selected").arg(scene_->nodes.size());
  } else {
    text = emptyText_;
  }
  setAccessibleDescription(text);  // tells screen readers by itself
}

}  // namespace descry::gui
