// Style sheet, patterns and legend of SVG pictures: what the colours, shapes and lines mean.
#pragma once

#include <string>

#include "ir/annotations/colours.h"
#include "ir/annotations/palette.h"
#include "ir/annotations/scene.h"

namespace descry::exporters {

/// Bits of SceneNode::badges that have a mark, `#badge-<bit>`.
inline constexpr int kBadgeCount = 4;

/// CSS class of the boxes of a class.
std::string colourClassName(const ir::ColourClass& c);

void appendSvgStyle(std::string& out, ir::Theme theme, ir::ColourMode colours);
void appendSvgDefinitions(std::string& out, ir::Theme theme);

/// Only what the scene shows, in rows of at most `width`, from the upper left corner (x, y). Returns the
/// height.
double appendLegend(std::string& out, const ir::Scene& scene, ir::ColourMode colours,
                    const ir::ColourClasses& classes, double x, double y, double width);

}  // namespace descry::exporters
