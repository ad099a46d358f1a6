#include "ir/annotations/heat.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace descry::ir {

namespace {

// Nunez, Anderton, Renslow: "Optimizing colormaps with consideration for color vision deficiency" (2018), at
// ten places.
constexpr std::array<Rgb, 10> kCividis = {0x00204D, 0x00336F, 0x39486B, 0x575C6D, 0x707173,
                                          0x8A8779, 0xA69D75, 0xC4B56C, 0xE4CF5B, 0xFFEA46};
constexpr std::array<Rgb, 5> kDiverging = {0x0072B2, 0x8FC1E3, 0xF4F4F4, 0xF0A868, 0xD55E00};

template <size_t N>
Rgb between(const std::array<Rgb, N>& colours, double at) {
  const double place = std::clamp(at, 0.0, 1.0) * (N - 1);
  const size_t i = std::min(static_cast<size_t>(place), N - 2);
  const double share = place - static_cast<double>(i);
  Rgb out = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    const double a = (colours[i] >> shift) & 0xFF, b = (colours[i + 1] >> shift) & 0xFF;
    out |= static_cast<Rgb>(std::lround(a + (b - a) * share)) << shift;
  }
  return out;
}

}  // namespace

int heatStep(float at) {
  return std::clamp(static_cast<int>(at * kHeatSteps), 0, kHeatSteps - 1);
}

Rgb heatColour(Heat::Scale scale, int step) {
  const double at = static_cast<double>(step) / (kHeatSteps - 1);
  return scale == Heat::Scale::Diverging ? between(kDiverging, at) : between(kCividis, at);
}

}  // namespace descry::ir
