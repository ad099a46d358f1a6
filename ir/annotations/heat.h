// Heat: a number for each node on a scale, and marks on boxes. What a run of the graph adds to its picture.
// Plain data: session makes it, the inspector's canvas draws it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/annotations/palette.h"
#include "ir/core/value.h"

namespace descry::ir {

/// The range of a value on an axis that all nodes share; 0 to 1.
struct HeatStrip {
  float low = 0, high = -1;  ///< high < low: there is nothing to draw
};

struct Heat {
  /// Sequential: cividis, dark is little. Diverging: blue, white, orange about the middle.
  enum class Scale : uint8_t { Sequential, Diverging };
  struct Tick {
    float at;  ///< 0 to 1
    std::string text;
  };
  Scale scale = Scale::Sequential;
  std::string title;  ///< `time: share of 1.93 ms`
  std::vector<Tick> ticks;
  std::string note;                ///< what the legend has to add; empty for nothing
  std::vector<float> at;           ///< by node id: its place on the scale, 0 to 1; negative: nothing is known
  std::vector<std::string> texts;  ///< by node id: its number in words
  std::vector<HeatStrip> strips;   ///< by node id; empty: none are drawn
  float stripZero = 0.5f;          ///< where 0 is on their axis

  /// Negative for nodes that nothing is known of.
  float placeOf(NodeId node) const { return node.index < at.size() ? at[node.index] : -1; }
  std::string textOf(NodeId node) const {
    return node.index < texts.size() ? texts[node.index] : std::string();
  }
};

/// How many colours a scale is drawn with.
inline constexpr int kHeatSteps = 64;
/// 0 to kHeatSteps - 1.
int heatStep(float at);
Rgb heatColour(Heat::Scale scale, int step);

/// Beside the bits of SceneBadge: two runs differ here.
inline constexpr uint16_t kBadgeMismatch = 16;

/// What a run found, drawn in every colour mode.
struct RunMarks {
  std::vector<uint16_t> badges;  ///< by node id: bits of SceneBadge, kBadgeMismatch
  std::vector<NodeId> path;      ///< how NaN or infinities came to a value, from their cause
  NodeId failed;                 ///< where the run ended with an error

  uint16_t badgesOf(NodeId node) const { return node.index < badges.size() ? badges[node.index] : 0; }
  friend bool operator==(const RunMarks&, const RunMarks&) = default;
};

}  // namespace descry::ir
