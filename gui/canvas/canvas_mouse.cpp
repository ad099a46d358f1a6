#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QStringList>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/canvas/canvas_parts.h"
#include "gui/canvas/graph_canvas.h"
#include "gui/canvas/hover_card.h"
#include "gui/canvas/scene_index.h"
#include "gui/canvas/scene_topology.h"

namespace descry::gui {

namespace {

constexpr double kEdgeSlack = 4;  // pixels
constexpr size_t kMostLifted = 2000;

QRectF toQt(const ir::SceneRect& r) {
  return {r.x, r.y, r.w, r.h};
}

QString groupPath(const ir::Scene& scene, int group) {
  return group >= 0 && size_t(group) < scene.groups.size()
             ? QString::fromStdString(scene.groups[size_t(group)].path)
             : QString();
}

}  // namespace

int GraphCanvas::nodeAt(QPointF position) const {
  return index_ ? index_->boxAt(camera_.toScene(position)) : -1;
}

int GraphCanvas::groupAt(QPointF position) const {
  if (!index_) return -1;
  // The label may be taller than the header at small zoom.
  const double header = std::max(painter_->headerHeight(), 16 / camera_.zoom);
  return index_->groupAt(camera_.toScene(position), header);
}

int GraphCanvas::edgeAt(QPointF position) const {
  if (!index_ || painter_->detail({camera_, 1, {}, false}) < Detail::Groups) return -1;
  return index_->edgeAt(camera_.toScene(position), kEdgeSlack / camera_.zoom,
                        [this](uint32_t e) { return painter_->edgeShown(e); });
}

QRectF GraphCanvas::nodeRectOnScreen(ir::NodeId node) const {
  const int box = topology_ ? topology_->boxOf(node) : -1;
  return box < 0 ? QRectF() : camera_.toScreen(boxRect(box));
}

// --- selection ---

void GraphCanvas::setSelection(std::vector<uint32_t> boxes, int current) {
  std::sort(boxes.begin(), boxes.end());
  boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
  const bool changed = boxes != selection_->boxes, moved = current != selection_->current;
  const bool hadGroup = selection_->group >= 0;
  if (!changed && !moved && !hadGroup) return;
  selection_->boxes = std::move(boxes);
  selection_->current = current;
  selection_->group = -1;
  announceCurrent();
  update();
  if (changed) emit selectionChanged();
  if (moved) {
    emit currentNodeChanged(currentNode());
    if (currentOutputSlot() >= 0) emit outputSlotSelected(currentOutputSlot());
  }
  if (hadGroup) emit groupSelected(QString());
}

void GraphCanvas::setCurrentGroup(int group) {
  if (group == selection_->group && selection_->current < 0) return;
  setSelection({}, -1);
  selection_->group = group;
  announceCurrent();
  update();
  emit groupSelected(groupPath(*scene_, group));
}

void GraphCanvas::selectPath(int from, int to) {
  std::vector<uint32_t> path = topology_->shortestPath(uint32_t(from), uint32_t(to));
  if (path.empty()) path = {uint32_t(from), uint32_t(to)};
  setSelection(std::move(path), to);
}

void GraphCanvas::clickAt(QPointF position, Qt::KeyboardModifiers modifiers) {
  const int box = nodeAt(position);
  if (box >= 0) {
    if (modifiers & Qt::ShiftModifier && selection_->current >= 0) {
      selectPath(selection_->current, box);
    } else if (modifiers & Qt::ControlModifier) {
      std::vector<uint32_t> boxes = selection_->boxes;
      const auto it = std::lower_bound(boxes.begin(), boxes.end(), uint32_t(box));
      if (it != boxes.end() && *it == uint32_t(box)) {
        boxes.erase(it);
        const int current = selection_->current != box ? selection_->current
                            : boxes.empty()            ? -1
                                                       : int(boxes.back());
        setSelection(std::move(boxes), current);
      } else {
        boxes.insert(it, uint32_t(box));
        setSelection(std::move(boxes), box);
      }
    } else {
      setSelection({uint32_t(box)}, box);
    }
    return;
  }
  const int group = groupAt(position);
  if (group >= 0) {
    setCurrentGroup(group);
    return;
  }
  const int edge = edgeAt(position);
  if (edge >= 0) {
    // A line stands for its value: the producer, and those who read it.
    const uint32_t from = scene_->edges[size_t(edge)].from;
    std::vector<uint32_t> boxes{from};
    for (uint32_t e : topology_->outputEdges(from)) boxes.push_back(scene_->edges[e].to);
    setSelection(std::move(boxes), int(from));
    return;
  }
  if (!(modifiers & (Qt::ControlModifier | Qt::ShiftModifier))) setSelection({}, -1);
}

void GraphCanvas::finishArea(Qt::KeyboardModifiers modifiers) {
  const bool lasso = drag_->kind == Drag::Lasso;
  const QRectF area = camera_.toScene(lasso ? drag_->lasso.boundingRect() : drag_->band());
  std::vector<uint32_t> found, boxes;
  index_->boxesIn(area, found);
  for (uint32_t box : found) {
    if (lasso && !drag_->lasso.containsPoint(camera_.toScreen(boxRect(int(box)).center()), Qt::OddEvenFill))
      continue;
    boxes.push_back(box);
  }
  if (modifiers & Qt::ControlModifier)
    boxes.insert(boxes.end(), selection_->boxes.begin(), selection_->boxes.end());
  const int current = boxes.empty() ? -1 : int(*std::min_element(boxes.begin(), boxes.end()));
  setSelection(std::move(boxes), current);
}

// --- events ---

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
  stopMotion();
  endHover();
  *drag_ = Drag{};
  if (!scene_) return;
  drag_->press = drag_->last = event->position();
  drag_->button = event->button();
  if (event->button() == Qt::MiddleButton) {
    drag_->kind = Drag::Pan;
  } else if (event->button() == Qt::LeftButton) {
    drag_->kind = event->modifiers() & Qt::ShiftModifier ? Drag::Band
                  : event->modifiers() & Qt::AltModifier ? Drag::Lasso
                                                         : Drag::Pan;
    drag_->lasso << event->position();
  }
  event->accept();
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (drag_->kind == Drag::None) {
    updateHover(at);
    return;
  }
  const QPointF delta = at - drag_->press;
  if (!drag_->moved && std::hypot(delta.x(), delta.y()) < kDragDistance) return;
  if (!drag_->moved && drag_->kind == Drag::Pan) setCursor(Qt::ClosedHandCursor);
  drag_->moved = true;
  if (drag_->kind == Drag::Pan) {
    moveCamera(camera_.panned(at - drag_->last), false);
  } else if (drag_->kind == Drag::Lasso) {
    drag_->lasso << at;
  }
  drag_->last = at;
  update();
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (!scene_ || event->button() != drag_->button) return;
  drag_->last = event->position();
  const Drag done = *drag_;
  unsetCursor();
  if (!done.moved) {
    if (done.button == Qt::LeftButton) clickAt(event->position(), event->modifiers());
    if (done.button == Qt::MiddleButton) {
      const int group = index_->groupAround(camera_.toScene(event->position()));
      if (group >= 0) moveCamera(Camera::fitting(toQt(scene_->groups[size_t(group)].rect), size(), 32), true);
    }
  } else if (done.kind == Drag::Band || done.kind == Drag::Lasso) {
    finishArea(event->modifiers());
  }
  *drag_ = Drag{};
  update();
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!scene_ || event->button() != Qt::LeftButton) return;
  *drag_ = Drag{};
  const int box = nodeAt(event->position());
  if (box >= 0) {
    if (const ir::NodeId node = currentNode(); node.valid()) emit nodeActivated(node);
    return;
  }
  const int group = groupAt(event->position());
  if (group >= 0) emit groupToggleRequested(groupPath(*scene_, group));
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event) {
  if (!scene_) return;
  endHover();
  ir::NodeId node = currentNode();
  int group = selection_->group;
  QPoint at = event->globalPos();
  if (event->reason() == QContextMenuEvent::Mouse) {
    const int box = nodeAt(event->pos());
    if (box >= 0 && !selection_->contains(uint32_t(box))) setSelection({uint32_t(box)}, box);
    node = box >= 0 && scene_->nodes[size_t(box)].outputSlot < 0 ? scene_->nodes[size_t(box)].node
                                                                 : ir::NodeId{};
    group = box >= 0 ? -1 : groupAt(event->pos());
    if (group >= 0) setCurrentGroup(group);
  } else if (selection_->current >= 0) {
    at = mapToGlobal(camera_.toScreen(boxRect(selection_->current)).center().toPoint());
  }
  emit contextMenuRequested(at, node, groupPath(*scene_, group));
  event->accept();
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
  if (!scene_) return;
  const bool zooms = bool(event->modifiers() & Qt::ControlModifier) != wheelZooms_;
  if (zooms) {
    const double notches = event->angleDelta().y() / 120.0;
    // Touchpads send many small steps; those are smooth enough by themselves.
    const bool coarse = std::abs(notches) >= 0.9 && event->pixelDelta().isNull();
    if (notches != 0) zoomAt(event->position(), std::pow(kZoomStep, notches), coarse);
  } else {
    stopMotion();
    QPointF delta = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 120.0 * 80
                                                 : QPointF(event->pixelDelta());
    if (event->modifiers() & Qt::ShiftModifier && delta.x() == 0) delta = QPointF(delta.y(), 0);
    moveCamera(camera_.panned(delta), false);
  }
  event->accept();
}

void GraphCanvas::leaveEvent(QEvent*) {
  hover_->timer.stop();
  const bool had = hover_->box >= 0;
  hover_->box = hover_->edge = hover_->group = -1;
  endHover();
  if (had) emit hovered({});
}

// --- hover ---

void GraphCanvas::updateHover(QPointF position) {
  if (!scene_) return;
  hover_->position = position;
  const int box = nodeAt(position);
  const int group = box < 0 ? groupAt(position) : -1;
  const int edge = box < 0 && group < 0 ? edgeAt(position) : -1;
  if (box == hover_->box && edge == hover_->edge && group == hover_->group) return;
  const bool boxChanged = box != hover_->box;
  endHover();
  hover_->box = box;
  hover_->edge = edge;
  hover_->group = group;
  if (box >= 0 || edge >= 0) {
    hover_->timer.start();
  } else {
    hover_->timer.stop();
  }
  setCursor(box >= 0 || group >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (boxChanged) emit hovered(box >= 0 ? scene_->nodes[size_t(box)].node : ir::NodeId{});
}

void GraphCanvas::endHover() {
  card_->hide();
  if (!hover_->active) return;
  hover_->active = false;
  hover_->boxes.clear();
  hover_->edges.clear();
  markLegend();
  update();
}

void GraphCanvas::showHoverCard() {
  if (!scene_ || drag_->kind != Drag::None) return;
  HoverCard card;
  auto label = [&](uint32_t box) { return QString::fromStdString(scene_->nodes[box].label); };
  hover_->boxes.clear();
  hover_->edges.clear();
  auto lift = [&](uint32_t edge) {
    if (hover_->edges.size() >= kMostLifted) return;
    hover_->edges.push_back(edge);
    hover_->boxes.push_back(scene_->edges[edge].from);
    hover_->boxes.push_back(scene_->edges[edge].to);
  };
  if (hover_->box >= 0) {
    const uint32_t box = uint32_t(hover_->box);
    const ir::SceneNode& n = scene_->nodes[box];
    hover_->boxes.push_back(box);
    for (uint32_t e : topology_->inputEdges(box)) lift(e);
    for (uint32_t e : topology_->outputEdges(box)) lift(e);
    if (cardProvider_ && n.node.valid() && n.outputSlot < 0) card = cardProvider_(n.node);
    if (card.title.isEmpty()) {
      card.title = label(box);
      card.subtitle = QString::fromStdString(n.op);
      if (!n.type.empty()) card.rows.emplace_back(tr("type"), QString::fromStdString(n.type));
      card.rows.emplace_back(tr("role"), roleName(n.role));
      if (n.phase != ir::Phase::None) card.rows.emplace_back(tr("phase"), phaseName(n.phase));
      if (n.group >= 0) card.rows.emplace_back(tr("group"), groupPath(*scene_, n.group));
      card.rows.emplace_back(tr("inputs"), QString::number(topology_->inputCount(box)));
      card.rows.emplace_back(tr("readers"), QString::number(topology_->readerCount(box)));
      QStringList facts;
      const ir::NodeCut* cut = box < scene_->cuts.size() ? &scene_->cuts[box] : nullptr;
      if (cut && cut->fate != ir::CutFate::None) {
        card.rows.emplace_back(tr("cut"), cutText(*cut));
        if (!cut->reason.empty()) card.rows.emplace_back(tr("because"), QString::fromStdString(cut->reason));
      } else {
        if (n.badges & ir::kBadgeSaved) facts << tr("saved for backward");
        if (n.badges & ir::kBadgeRecomputed) facts << tr("recomputed in backward");
      }
      if (n.badges & ir::kBadgeProblem) facts << tr("has a problem");
      if (n.badges & ir::kBadgeInferred) facts << tr("partly inferred");
      if (!facts.isEmpty()) card.rows.emplace_back(tr("note"), facts.join(QStringLiteral(", ")));
      if (cardRows_ && n.node.valid() && n.outputSlot < 0)
        for (auto& row : cardRows_(n.node)) card.rows.push_back(std::move(row));
    }
  } else if (hover_->edge >= 0) {
    // All readers of the value, in order, not just this one.
    const ir::SceneEdge& edge = scene_->edges[size_t(hover_->edge)];
    const auto readers = topology_->outputEdges(edge.from);
    for (uint32_t e : readers) lift(e);
    card.title = label(edge.from);
    card.subtitle = edgeKindName(edge.kind);
    if (!scene_->nodes[edge.from].type.empty()) {
      card.subtitle += QStringLiteral(" · ") + QString::fromStdString(scene_->nodes[edge.from].type);
    }
    if (edge.kind == ir::EdgeKind::Saved && edge.from < scene_->cuts.size())
      card.rows.emplace_back(tr("because"), QString::fromStdString(scene_->cuts[edge.from].reason));
    int number = 0;
    for (uint32_t e : readers) {
      card.rows.emplace_back(tr("reader %1").arg(++number), label(scene_->edges[e].to));
      if (number == 200) break;  // the card shows fewer still
    }
  } else {
    return;
  }
  std::sort(hover_->boxes.begin(), hover_->boxes.end());
  hover_->boxes.erase(std::unique(hover_->boxes.begin(), hover_->boxes.end()), hover_->boxes.end());
  hover_->active = true;
  markLegend();
  card_->showCard(card, hover_->position);
  update();
}

}  // namespace descry::gui
