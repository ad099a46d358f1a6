// What the fill of a box tells; shared by the canvas, pictures and the legend.
#pragma once

#include "ir/annotations/colours.h"

namespace descry::gui {

using ir::ColourMode;

}  // namespace descry::gui
