#include <QKeyEvent>
#include <QNativeGestureEvent>
#include <algorithm>

#include "gui/canvas/canvas_parts.h"
#include "gui/canvas/graph_canvas.h"
#include "gui/canvas/scene_index.h"
#include "gui/canvas/scene_topology.h"

namespace descry::gui {

namespace {

constexpr int kDoubleKeyMs = 600;

bool isPrintable(const QKeyEvent* event) {
  return event->key() >= Qt::Key_Space && event->key() <= Qt::Key_AsciiTilde;
}

// Shift turns digits into other characters on most layouts, so the key's own code counts, not its text.
int digit(const QKeyEvent* event) {
  return event->key() >= Qt::Key_1 && event->key() <= Qt::Key_9 ? event->key() - Qt::Key_1 : -1;
}

}  // namespace

bool GraphCanvas::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (handlesKey(key)) {
      key->accept();
      return true;
    }
  } else if (event->type() == QEvent::NativeGesture) {
    auto* gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() == Qt::ZoomNativeGesture) {
      zoomAt(gesture->position(), 1 + gesture->value(), false);
      return true;
    }
  }
  return QWidget::event(event);
}

bool GraphCanvas::handlesKey(const QKeyEvent* event) const {
  if (!scene_) return false;
  const auto modifiers = event->modifiers() & ~(Qt::KeypadModifier | Qt::GroupSwitchModifier);
  if (modifiers == Qt::AltModifier) return digit(event) >= 0;
  if (modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
  if (isPrintable(event) && !singleKeys_) return false;
  const bool shift = modifiers & Qt::ShiftModifier;
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Home:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Escape:
      return !shift;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus:
    case Qt::Key_Underscore:
    case Qt::Key_E:
    case Qt::Key_C:
    case Qt::Key_H:
      return true;
    case Qt::Key_0:
    case Qt::Key_F:
    case Qt::Key_M:
    case Qt::Key_X:
    case Qt::Key_J:
    case Qt::Key_S:
    case Qt::Key_A:
    case Qt::Key_I:
    case Qt::Key_O:
    case Qt::Key_Comma:
    case Qt::Key_Period:
      return !shift;
    default:
      return !shift && digit(event) >= 0;
  }
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
  if (handlesKey(event) && handleKey(event)) {
    event->accept();
    return;
  }
  QWidget::keyPressEvent(event);
}

bool GraphCanvas::handleKey(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Home:
      fitAll();
      return true;
    case Qt::Key_F: {
      const bool again = motion_->lastFitKey.isValid() && motion_->lastFitKey.elapsed() < kDoubleKeyMs;
      motion_->lastFitKey.start();
      if (again) {
        motion_->lastFitKey.invalidate();
        fitNeighbourhood();
      } else if (selection_->boxes.empty() && selection_->group < 0) {
        fitAll();
      } else {
        fitSelection();
      }
      return true;
    }
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoomIn();
      return true;
    case Qt::Key_Minus:
    case Qt::Key_Underscore:
      zoomOut();
      return true;
    case Qt::Key_0:
      setZoom(1);
      return true;
    case Qt::Key_M:
      setMinimapVisible(!minimapWanted_);
      return true;
    case Qt::Key_Escape:
      if (drag_->kind != Drag::None) {
        *drag_ = Drag{};
        unsetCursor();
        update();
      } else if (hover_->active) {
        endHover();
      } else if (!selection_->boxes.empty() || selection_->group >= 0) {
        clearSelection();
      } else {
        emit escapePressed();
      }
      return true;
    default:
      return navigate(event) || requestByKey(event);
  }
}

bool GraphCanvas::navigate(QKeyEvent* event) {
  const int key = event->key(), n = digit(event);
  const bool walks = key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_Left ||
                     key == Qt::Key_Right || key == Qt::Key_Comma || key == Qt::Key_Period || n >= 0;
  if (!walks) return false;
  if (selection_->current < 0) {
    // Start where the user looks.
    int start = -1;
    std::vector<uint32_t> inView;
    index_->boxesIn(visibleArea(), inView);
    if (!inView.empty()) {
      start = int(inView.front());
    } else if (!scene_->nodes.empty()) {
      start = topology_->drawn(0) ? 0 : topology_->inProgramOrder(0, 1);
    }
    goTo(start);
    return true;
  }
  const uint32_t at = uint32_t(selection_->current);
  int to = -1;
  if (n >= 0) {
    to = event->modifiers() & Qt::AltModifier ? topology_->nthConsumer(at, n) : topology_->nthInput(at, n);
  } else {
    switch (key) {
      case Qt::Key_Up:
        to = topology_->nthInput(at, 0);
        break;
      case Qt::Key_Down:
        to = topology_->nthConsumer(at, 0);
        break;
      case Qt::Key_Left:
        to = topology_->layerNeighbour(at, -1);
        break;
      case Qt::Key_Right:
        to = topology_->layerNeighbour(at, 1);
        break;
      case Qt::Key_Comma:
        to = topology_->inProgramOrder(at, -1);
        break;
      case Qt::Key_Period:
        to = topology_->inProgramOrder(at, 1);
        break;
      default:
        break;
    }
  }
  goTo(to);
  return true;  // also at the end: the key must not start something else
}

void GraphCanvas::goTo(int box) {
  if (box < 0) return;
  setSelection({uint32_t(box)}, box);
  revealRect(boxRect(box));
}

bool GraphCanvas::requestByKey(QKeyEvent* event) {
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (selection_->current < 0 && selection_->group >= 0) {
        emit groupToggleRequested(currentGroup());
        return true;
      }
      if (const ir::NodeId node = currentNode(); node.valid()) {
        emit nodeActivated(node);
        return true;
      }
      return false;
    case Qt::Key_E:
      if (!currentGroup().isEmpty()) emit expandRequested(currentGroup(), shift);
      return true;
    case Qt::Key_C:
      if (!currentGroup().isEmpty()) emit collapseRequested(currentGroup(), shift);
      return true;
    case Qt::Key_X:
      emit isolateRequested(selectedNodes());
      return true;
    case Qt::Key_H:
      if (!selection_->boxes.empty()) emit hideRequested(selectedNodes(), shift);
      return true;
    case Qt::Key_J:
      if (const ir::NodeId node = currentNode(); node.valid()) emit partnerRequested(node);
      return true;
    case Qt::Key_S:
    case Qt::Key_A: {
      if (selection_->current < 0) return true;
      const ir::SceneNode& like = scene_->nodes[size_t(selection_->current)];
      std::vector<uint32_t> boxes;
      for (uint32_t b = 0; b < scene_->nodes.size(); ++b) {
        const ir::SceneNode& n = scene_->nodes[b];
        if (event->key() == Qt::Key_S ? n.op == like.op : n.group == like.group) boxes.push_back(b);
      }
      setSelection(std::move(boxes), selection_->current);
      return true;
    }
    case Qt::Key_I:
    case Qt::Key_O: {
      const bool inputs = event->key() == Qt::Key_I;
      std::vector<uint32_t> boxes = selection_->boxes;
      for (uint32_t box : selection_->boxes) {
        for (uint32_t e : inputs ? topology_->inputEdges(box) : topology_->outputEdges(box)) {
          boxes.push_back(inputs ? scene_->edges[e].from : scene_->edges[e].to);
        }
      }
      setSelection(std::move(boxes), selection_->current);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace descry::gui
