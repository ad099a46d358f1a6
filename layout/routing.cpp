#include "layout/routing.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>

namespace descry::layout {
namespace {

struct Net {
  double low, high;
  double drift = 0;  // to the right when positive
  int32_t firstBend = 0, bendCount = 0;
  int32_t track = 0;
};

struct Track {
  double low, high;
};

// First-fit over nets in the given order. `ascending`: nets come from left to right, else from right to left.
void packTracks(const std::vector<Net*>& nets, bool ascending, std::vector<Track>& tracks) {
  for (Net* net : nets) {
    size_t t = 0;
    while (t < tracks.size() &&
           (ascending ? tracks[t].high + kTrackGap > net->low : tracks[t].low - kTrackGap < net->high))
      ++t;
    if (t >= kMaxTracks) t = static_cast<size_t>(net->firstBend) % kMaxTracks;
    if (t == tracks.size()) tracks.push_back({net->low, net->high});
    tracks[t] = {std::min(tracks[t].low, net->low), std::max(tracks[t].high, net->high)};
    net->track = static_cast<int32_t>(t);
  }
}

int32_t assignChannel(std::vector<Net>& nets) {
  std::vector<Net*> right, left;
  for (Net& net : nets) (net.drift >= 0 ? right : left).push_back(&net);
  std::stable_sort(right.begin(), right.end(), [](const Net* a, const Net* b) { return a->low > b->low; });
  std::stable_sort(left.begin(), left.end(), [](const Net* a, const Net* b) { return a->high < b->high; });
  std::vector<Track> rightTracks, leftTracks;
  packTracks(right, false, rightTracks);
  packTracks(left, true, leftTracks);

  // Tracks of the two directions lie on one line where their spans are apart.
  std::vector<int32_t> leftTrackAt(leftTracks.size());
  size_t used = rightTracks.size();
  for (size_t i = 0; i < leftTracks.size(); ++i) {
    size_t t = 0;
    while (t < rightTracks.size() && rightTracks[t].low - kTrackGap < leftTracks[i].high &&
           leftTracks[i].low - kTrackGap < rightTracks[t].high)
      ++t;
    if (t < rightTracks.size())
      rightTracks[t] = {std::min(rightTracks[t].low, leftTracks[i].low),
                        std::max(rightTracks[t].high, leftTracks[i].high)};
    else
      t = used++;
    leftTrackAt[i] = static_cast<int32_t>(t);
  }
  for (Net* net : left) net->track = leftTrackAt[net->track];
  return static_cast<int32_t>(used);
}

}  // namespace

std::vector<int32_t> assignTracks(std::vector<Bend>& bends, int32_t channelCount, const Control& control) {
  std::vector<int32_t> trackCount(channelCount, 0), start(channelCount + 1, 0);
  for (const Bend& b : bends) ++start[b.channel + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int32_t> byChannel(bends.size()), next(start.begin(), start.end() - 1);
  for (size_t i = 0; i < bends.size(); ++i) byChannel[next[bends[i].channel]++] = static_cast<int32_t>(i);

  std::vector<Net> nets;
  for (int32_t c = 0; c < channelCount; ++c) {
    if ((c & 63) == 0) control.poll();
    auto first = byChannel.begin() + start[c], last = byChannel.begin() + start[c + 1];
    if (first == last) continue;
    std::sort(first, last, [&](int32_t a, int32_t b) {
      return bends[a].net != bends[b].net ? bends[a].net < bends[b].net : a < b;
    });
    nets.clear();
    for (auto it = first; it != last; ++it) {
      const Bend& b = bends[*it];
      if (it == first || bends[*(it - 1)].net != b.net) {
        double inf = std::numeric_limits<double>::infinity();
        nets.push_back({inf, -inf, 0, static_cast<int32_t>(it - byChannel.begin()), 0, 0});
      }
      Net& net = nets.back();
      net.low = std::min({net.low, b.topX, b.bottomX});
      net.high = std::max({net.high, b.topX, b.bottomX});
      net.drift += b.bottomX - b.topX;
      ++net.bendCount;
    }
    trackCount[c] = assignChannel(nets);
    for (const Net& net : nets)
      for (int32_t k = 0; k < net.bendCount; ++k) bends[byChannel[net.firstBend + k]].track = net.track;
  }
  return trackCount;
}

int32_t assignLanes(std::vector<LaneRun>& runs) {
  std::vector<int32_t> order(runs.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    if (runs[a].first != runs[b].first) return runs[a].first < runs[b].first;
    if (runs[a].last != runs[b].last) return runs[a].last > runs[b].last;
    return a < b;
  });
  using Ending = std::pair<double, int32_t>;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> busy;
  std::priority_queue<int32_t, std::vector<int32_t>, std::greater<>> idle;
  int32_t lanes = 0;
  for (int32_t i : order) {
    while (!busy.empty() && busy.top().first < runs[i].first) {
      idle.push(busy.top().second);
      busy.pop();
    }
    if (idle.empty()) idle.push(lanes++);
    runs[i].lane = idle.top();
    idle.pop();
    busy.push({runs[i].last, runs[i].lane});
  }
  return lanes;
}

void spread(std::vector<double>& wishes, double low, double high, double gap) {
  size_t n = wishes.size();
  if (n == 0) return;
  if (n > 1) gap = std::min(gap, (high - low) / static_cast<double>(n - 1));
  double least = low;
  for (double& w : wishes) {
    w = std::clamp(w, low, high);
    w = std::max(w, least);
    least = w + gap;
  }
  double most = high;
  for (size_t i = n; i-- > 0;) {
    wishes[i] = std::max(low, std::min(wishes[i], most));
    most = wishes[i] - gap;
  }
}

}  // namespace descry::layout
