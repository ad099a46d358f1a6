// What the fill of a box tells; shared by the canvas, pictures and the legend.
#pragma once

#include <cstdint>

namespace descry::gui {

enum class ColourMode : uint8_t { Phase, Role, OpFamily, Dtype, Plain };
inline constexpr int kColourModeCount = 5;

}  // namespace descry::gui
