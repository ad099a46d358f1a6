#include "layout/joint_u.h"

#include <algorithm>

namespace descry::layout {
namespace {

// The longest subset of `pairs` that increases strictly in both members.
std::vector<TwinPair> longestMonotone(std::vector<TwinPair> pairs, std::span<const int32_t> place) {
  std::sort(pairs.begin(), pairs.end(), [&](const TwinPair& a, const TwinPair& b) {
    if (a.left != b.left) return place[a.left] < place[b.left];
    return place[a.right] > place[b.right];  // descending: at most one pair per left item can increase
  });
  std::vector<int32_t> tail, before(pairs.size(), -1);  // tail[k]: pair that ends the best run of k + 1 pairs
  for (size_t i = 0; i < pairs.size(); ++i) {
    auto at = std::lower_bound(tail.begin(), tail.end(), place[pairs[i].right],
                               [&](int32_t t, int32_t p) { return place[pairs[t].right] < p; });
    if (at != tail.begin()) before[i] = *(at - 1);
    if (at == tail.end())
      tail.push_back(static_cast<int32_t>(i));
    else
      *at = static_cast<int32_t>(i);
  }
  std::vector<TwinPair> chosen;
  for (int32_t i = tail.empty() ? -1 : tail.back(); i >= 0; i = before[i]) chosen.push_back(pairs[i]);
  std::reverse(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

JointRows assignJointRows(std::span<const uint8_t> side, std::span<const Arc> arcs,
                          std::span<const int32_t> order, std::span<const TwinPair> twins,
                          std::span<const int32_t> pullUp, std::span<const int32_t> pullDown) {
  auto itemCount = static_cast<int32_t>(side.size());
  std::vector<int32_t> place(itemCount);
  std::vector<int32_t> bySide[2];
  for (int32_t v : order) {
    place[v] = static_cast<int32_t>(bySide[side[v]].size());
    bySide[side[v]].push_back(v);
  }
  std::vector<TwinPair> anchors = longestMonotone({twins.begin(), twins.end()}, place);

  // Merge: everything before an anchor on either side, then the anchor pair as one class.
  std::vector<int32_t> classOf(itemCount, -1);
  int32_t classes = 0;
  size_t next[2] = {0, 0};
  auto advance = [&](int s, size_t end) {
    while (next[s] < end) classOf[bySide[s][next[s]++]] = classes++;
  };
  for (const TwinPair& pair : anchors) {
    advance(0, place[pair.left]);
    advance(1, place[pair.right]);
    classOf[pair.left] = classOf[pair.right] = classes++;
    ++next[0];
    ++next[1];
  }
  advance(0, bySide[0].size());
  advance(1, bySide[1].size());

  std::vector<Arc> classArcs;
  classArcs.reserve(arcs.size());
  for (const Arc& arc : arcs) classArcs.push_back({classOf[arc.from], classOf[arc.to], arc.weak});
  std::vector<int32_t> classOrder(classes), up(pullUp.empty() ? 0 : classes, 0), down(up);
  for (int32_t c = 0; c < classes; ++c) classOrder[c] = c;
  for (int32_t v = 0; v < itemCount && !pullUp.empty(); ++v) {
    up[classOf[v]] += pullUp[v];
    down[classOf[v]] += pullDown[v];
  }
  std::vector<int32_t> classRow = assignLayers(classes, classArcs, classOrder, up, down);

  JointRows result;
  result.twinsAligned = static_cast<int64_t>(anchors.size());
  result.row.resize(itemCount);
  for (int32_t v = 0; v < itemCount; ++v) result.row[v] = classRow[classOf[v]];
  return result;
}

}  // namespace descry::layout
