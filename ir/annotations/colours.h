// What the fill of a box tells: the classes of a colour mode, decided once for the canvas, pictures and their
// legends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/annotations/heat.h"
#include "ir/annotations/palette.h"
#include "ir/annotations/scene.h"

namespace descry::ir {

enum class ColourMode : uint8_t {
  Phase,     ///< forward, backward, either side
  Cut,       ///< what a partition saves and recomputes; else as Phase
  Role,      ///< input, parameter, view, ...
  OpFamily,  ///< the most frequent ops
  Dtype,
  Plain,
  Time,     ///< of a run: share of the whole
  Numeric,  ///< of a run: range and sign of values
  Error,    ///< of two runs: how far they are apart
};
inline constexpr int kColourModeCount = 9;

/// "phase", "cut", "role", "op", "dtype", "plain", "time", "numeric", "error".
std::string_view colourModeName(ColourMode mode);
std::optional<ColourMode> colourModeFromName(std::string_view name);
/// Its colours are places on the scale of a Heat.
constexpr bool isHeatMode(ColourMode mode) {
  return mode == ColourMode::Time || mode == ColourMode::Numeric || mode == ColourMode::Error;
}

enum class ColourKind : uint8_t {
  Plain,
  Forward,
  Backward,
  Either,
  Input,
  Output,
  Constant,
  Saved,
  SavedInput,
  Recomputed,
  Category,
  Heat,  ///< `category` is the step of the scale
};
struct ColourClass {
  ColourKind kind = ColourKind::Plain;
  uint8_t category = 0;  ///< of kinds Category and Heat
  std::string name;      ///< for the legend
  uint32_t count = 0;    ///< boxes
  int64_t bytes = -1;    ///< of saved values; -1: not told
  Heat::Scale scale = Heat::Scale::Sequential;  ///< of kind Heat
};
struct ColourClasses {
  std::vector<ColourClass> classes;
  std::vector<uint8_t> of;  ///< box -> class
  std::string note;         ///< what the legend has to add; empty for nothing
};

/// Classes of the boxes in the order in which they first occur, of names by frequency. `categories`: how many
/// colours there are for classes by name; the rest are "other". Modes of a run are as Plain without `heat`.
ColourClasses classifyBoxes(const Scene& scene, ColourMode mode, size_t categories,
                            const Heat* heat = nullptr);

/// `saved: 18 values, 2.9 KiB`: name and what there is of it.
std::string classText(const ColourClass& c);

/// Fill and outline of boxes of a class in exported pictures.
Rgb classFill(const Palette& p, const ColourClass& c);
Rgb classLine(const Palette& p, const ColourClass& c);

/// "2.9 KiB".
std::string bytesWords(int64_t bytes);

/// The class of a node's role as the legend calls it: "gradient output".
std::string_view roleText(NodeRole role);
/// "saved", "recomputed", "not saved"; empty for None.
std::string_view cutFateText(CutFate fate);
/// "forward", "backward", "either side"; empty for None.
std::string_view phaseText(Phase phase);

}  // namespace descry::ir
