// Keeps edges apart where they bend between layers and where they run beside the layers.
#pragma once

#include "layout/control.h"

#include <cstdint>
#include <vector>

namespace descry::layout {

inline constexpr double kTrackGap = 7;      // between parallel horizontal pieces
inline constexpr double kTrackMargin = 12;  // between the outermost of them and the layers above and below
// Per channel and direction; beyond, pieces share tracks and may overlap.
inline constexpr int kMaxTracks = 40;

// One horizontal piece in the channel between two layers. Pieces of one net in one channel share their track.
struct Bend {
  int32_t channel = 0;
  int64_t net = 0;
  double topX = 0, bottomX = 0;  // where the edge meets the layer above and the layer below
  int32_t track = 0;             // result: 0 is the topmost
};

// Assigns tracks so that pieces of different nets do not overlap, and edges going the same way do not cross
// twice: of edges going right, the rightmost bends first; of those going left, the leftmost. Returns the
// number of tracks per channel. O(b log b + b * kMaxTracks).
std::vector<int32_t> assignTracks(std::vector<Bend>& bends, int32_t channelCount, const Control& control);

// A vertical run beside the layers, from channel `first` to channel `last`.
struct LaneRun {
  double first = 0, last = 0;
  int32_t lane = 0;  // result: 0 is the outermost
};

// Gives overlapping runs different lanes, using as few as possible (left-edge algorithm, Hashimoto, Stevens
// 1971); a run that encloses others lies outside of them. Returns the number of lanes. O(r log r).
int32_t assignLanes(std::vector<LaneRun>& runs);

// Moves ascending `wishes` into [low, high] at least `gap` apart (closer if there are too many), changing
// little. O(n).
void spread(std::vector<double>& wishes, double low, double high, double gap);

}  // namespace descry::layout
