// Outlines of nodes by role, as SVG path data. They say what a node is without colour.
#pragma once

#include <string>

#include "ir/annotations/scene.h"

namespace descry::exporters {

/// Numbers with at most one decimal; what is not finite, or beyond 1e7, becomes a number that SVG can hold.
void appendNumber(std::string& out, double value);

struct ShapeText {
  double x = 0, w = 0;  ///< room for text
  bool centered = true;
};

/// Appends the outline as path data (closed) and, to `marks`, the lines on top of it as path data (may stay
/// empty). A backward box has its lower left corner cut.
ShapeText appendShape(std::string& outline, std::string& marks, const ir::SceneRect& rect, ir::NodeRole role,
                      ir::Phase phase);

}  // namespace descry::exporters
