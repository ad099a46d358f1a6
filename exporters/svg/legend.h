// Style sheet, patterns and legend of SVG pictures: what the colours, shapes and lines mean.
#pragma once

#include <string>

#include "ir/annotations/palette.h"
#include "ir/annotations/scene.h"

namespace descry::exporters {

/// Bits of SceneNode::badges that have a mark, `#badge-<bit>`.
inline constexpr int kBadgeCount = 4;

void appendSvgStyle(std::string& out, ir::Theme theme);
void appendSvgDefinitions(std::string& out, ir::Theme theme);

/// Only what the scene shows, in rows of at most `width`, from the upper left corner (x, y). Returns the
/// height.
double appendLegend(std::string& out, const ir::Scene& scene, ir::Theme theme, double x, double y,
                    double width);

}  // namespace descry::exporters
