// Outlines of boxes by role: the channel that tells what a node is without colour.
#pragma once

#include <QPainterPath>
#include <QRectF>

#include "ir/annotations/scene.h"

namespace descry::gui {

struct NodeShape {
  QPainterPath outline;
  QPainterPath marks;  ///< lines on top: double bar, tab
  QRectF dot;          ///< filled dot, empty for none
  QRectF text;         ///< room for text
};

/// `rect` in pixels, on whole or half pixels; `unit` is the number of pixels per scene unit, which sizes
/// corners and notches.
NodeShape nodeShape(const QRectF& rect, ir::NodeRole role, ir::Phase phase, double unit);

}  // namespace descry::gui
