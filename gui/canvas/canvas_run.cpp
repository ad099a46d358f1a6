// What a run of the graph adds to the canvas: colours of a scale, its mark in the legend, the path from a
// cause.
#include <QPainter>
#include <QPainterPath>

#include "gui/canvas/canvas_parts.h"
#include "gui/canvas/graph_canvas.h"
#include "gui/canvas/legend.h"
#include "gui/canvas/prepared_scene.h"

namespace descry::gui {

void GraphCanvas::restyle() {
  painter_->setStyle(theme_, colourMode_, showSymbolic_, heat_);
  painter_->setMarks(marks_);
  legend_->setPicture(
      LegendPicture(*scene_, painter_->colours(), theme_, showSymbolic_, painter_->heat().get()), theme_);
  suggestLegend();
  markLegend();
}

/// The hovered node on the scale, else the current one.
void GraphCanvas::markLegend() {
  ir::NodeId node = currentNode();
  if (scene_ && hover_->active && hover_->box >= 0 && scene_->nodes[size_t(hover_->box)].outputSlot < 0)
    node = scene_->nodes[size_t(hover_->box)].node;
  const ir::Heat* heat = painter_ ? painter_->heat().get() : nullptr;
  if (heat && node.valid())
    legend_->setMark(heat->placeOf(node), QString::fromStdString(heat->textOf(node)));
  else
    legend_->setMark(-1, {});
}

void GraphCanvas::setRun(std::shared_ptr<const ir::Heat> heat, std::shared_ptr<const ir::RunMarks> marks) {
  if (heat == heat_ && marks == marks_) return;
  const bool restyled = heat != heat_;
  const bool badges = (marks_ ? marks_->badges : std::vector<uint16_t>()) !=
                      (marks ? marks->badges : std::vector<uint16_t>());
  heat_ = std::move(heat);
  marks_ = std::move(marks);
  if (restyled) {
    setTheme(theme_);
  } else if (badges && painter_) {
    painter_->setMarks(marks_);
    invalidate();
  }
  update();  // the path lies over the picture
}

void GraphCanvas::setHoverRows(std::function<std::vector<std::pair<QString, QString>>(ir::NodeId)> rows) {
  cardRows_ = std::move(rows);
}

/// The path from a cause, and the node that failed.
void GraphCanvas::paintMarks(QPainter& painter, const View& view) {
  if (!marks_) return;
  const double ratio = view.ratio;
  const auto boxOf = [this](ir::NodeId node) { return topology_->boxOf(node); };
  const auto ring = [&](int box, const QColor& colour, double width, Qt::PenStyle style) {
    if (box < 0 || !topology_->drawn(uint32_t(box))) return;
    const QRectF r = view.camera.toScreen(boxRect(box));
    if (!r.adjusted(-12, -12, 12, 12).intersects(view.visible)) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, width * ratio * theme_.lineScale, style, Qt::RoundCap, Qt::RoundJoin));
    if (painter_->detail(view) >= Detail::Names)
      painter.drawPath(painter_->boxOutline(view, uint32_t(box)));
    else
      painter.drawRect(r.adjusted(-ratio, -ratio, ratio, ratio));
  };
  const std::vector<ir::NodeId>& path = marks_->path;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    const int from = boxOf(path[i]), to = boxOf(path[i + 1]);
    if (from < 0 || to < 0) continue;
    for (const uint32_t e : topology_->outputEdges(uint32_t(from)))
      if (scene_->edges[e].to == uint32_t(to))
        painter_->paintEdge(painter, view, e, theme_.badgeProblem, 1.6);
  }
  // The cause has the thickest ring.
  for (size_t i = 0; i < path.size(); ++i)
    ring(boxOf(path[i]), theme_.badgeProblem, i == 0 ? 3.5 : 2, Qt::SolidLine);
  if (marks_->failed.valid()) ring(boxOf(marks_->failed), theme_.badgeProblem, 3.5, Qt::DashLine);
}

}  // namespace descry::gui
