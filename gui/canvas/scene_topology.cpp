#include "gui/canvas/scene_topology.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace descry::gui {

namespace {

constexpr uint32_t kNone = 0xFFFFFFFF;
// A node id far beyond the number of boxes would make the id table huge; such scenes are searched instead.
constexpr uint32_t kMaxIdTable = 1u << 26;

bool hasArea(const ir::SceneRect& r) {
  return r.w > 0 && r.h > 0;
}

}  // namespace

SceneTopology::SceneTopology(const ir::Scene& scene) : scene_(scene) {
  const uint32_t boxes = uint32_t(scene.nodes.size()), edges = uint32_t(scene.edges.size());
  auto valid = [&](const ir::SceneEdge& e) { return e.from < boxes && e.to < boxes; };
  inStart_.assign(boxes + 1, 0);
  outStart_.assign(boxes + 1, 0);
  for (const ir::SceneEdge& e : scene.edges) {
    if (!valid(e)) continue;
    ++inStart_[e.to + 1];
    ++outStart_[e.from + 1];
  }
  std::partial_sum(inStart_.begin(), inStart_.end(), inStart_.begin());
  std::partial_sum(outStart_.begin(), outStart_.end(), outStart_.begin());
  in_.resize(inStart_[boxes]);
  out_.resize(outStart_[boxes]);
  std::vector<uint32_t> inNext(inStart_.begin(), inStart_.end() - 1),
      outNext(outStart_.begin(), outStart_.end() - 1);
  double across = 0, along = 0;
  for (uint32_t i = 0; i < edges; ++i) {
    const ir::SceneEdge& e = scene.edges[i];
    if (!valid(e)) continue;
    in_[inNext[e.to]++] = i;
    out_[outNext[e.from]++] = i;
    const ir::SceneRect &a = scene.nodes[e.from].rect, &b = scene.nodes[e.to].rect;
    if (hasArea(a) && hasArea(b)) {
      // Sign of the flow only: long edges to the side must not outweigh many short ones.
      across += b.x > a.x + a.w ? 1 : 0;
      along += std::abs(b.y - a.y) > std::max(a.h, b.h) ? 1 : 0;
    }
  }
  flowsRight_ = across > along;
  for (uint32_t b = 0; b < boxes; ++b) {
    std::stable_sort(out_.begin() + outStart_[b], out_.begin() + outStart_[b + 1],
                     [&](uint32_t x, uint32_t y) { return scene.edges[x].to < scene.edges[y].to; });
  }

  uint32_t largest = 0;
  for (const ir::SceneNode& n : scene.nodes) {
    if (n.node.valid() && n.node.index < kMaxIdTable) largest = std::max(largest, n.node.index + 1);
  }
  boxOfNode_.assign(largest, kNone);
  for (uint32_t b = 0; b < boxes; ++b) {
    const ir::NodeId id = scene.nodes[b].node;
    if (id.index < largest && boxOfNode_[id.index] == kNone) boxOfNode_[id.index] = b;
  }

  groupDepth_.assign(scene.groups.size(), 0);
  groupFolded_.assign(scene.groups.size(), -1);
  for (size_t g = 0; g < scene.groups.size(); ++g) {
    const int parent = scene.groups[g].parent;
    const bool hasParent =
        parent >= 0 && size_t(parent) < g;  // parents come first; anything else would be a cycle
    if (hasParent) groupDepth_[g] = groupDepth_[size_t(parent)] + 1;
    groupFolded_[g] = hasParent && groupFolded_[size_t(parent)] >= 0 ? groupFolded_[size_t(parent)]
                      : scene.groups[g].folded                       ? int(g)
                                                                     : -1;
  }

  // Layers: boxes whose centres are within half a box of each other along the flow.
  layer_.assign(boxes, kNone);
  rankInLayer_.assign(boxes, kNone);
  auto flow = [&](uint32_t b) {
    const ir::SceneRect& r = scene.nodes[b].rect;
    return flowsRight_ ? r.x + r.w / 2 : r.y + r.h / 2;
  };
  auto side = [&](uint32_t b) {
    const ir::SceneRect& r = scene.nodes[b].rect;
    return flowsRight_ ? r.y + r.h / 2 : r.x + r.w / 2;
  };
  for (uint32_t b = 0; b < boxes; ++b) {
    const ir::SceneRect& r = scene.nodes[b].rect;
    if (drawn(b) && std::isfinite(r.x) && std::isfinite(r.y)) byLayer_.push_back(b);
  }
  std::sort(byLayer_.begin(), byLayer_.end(),
            [&](uint32_t x, uint32_t y) { return std::pair(flow(x), x) < std::pair(flow(y), y); });
  uint32_t layer = 0;
  for (size_t i = 0, start = 0; i < byLayer_.size(); ++i) {
    const ir::SceneRect& first = scene.nodes[byLayer_[start]].rect;
    const double extent = flowsRight_ ? first.w : first.h;
    if (flow(byLayer_[i]) - flow(byLayer_[start]) > extent / 2) {
      start = i;
      ++layer;
    }
    layer_[byLayer_[i]] = layer;
  }
  std::stable_sort(byLayer_.begin(), byLayer_.end(), [&](uint32_t x, uint32_t y) {
    return std::tuple(layer_[x], side(x), x) < std::tuple(layer_[y], side(y), y);
  });
  for (uint32_t i = 0; i < byLayer_.size(); ++i) rankInLayer_[byLayer_[i]] = i;
}

std::span<const uint32_t> SceneTopology::inputEdges(uint32_t box) const {
  if (box >= scene_.nodes.size()) return {};
  return {in_.data() + inStart_[box], inStart_[box + 1] - inStart_[box]};
}

std::span<const uint32_t> SceneTopology::outputEdges(uint32_t box) const {
  if (box >= scene_.nodes.size()) return {};
  return {out_.data() + outStart_[box], outStart_[box + 1] - outStart_[box]};
}

int SceneTopology::nthInput(uint32_t box, int n) const {
  const auto edges = inputEdges(box);
  return n >= 0 && size_t(n) < edges.size() ? int(scene_.edges[edges[size_t(n)]].from) : -1;
}

int SceneTopology::nthConsumer(uint32_t box, int n) const {
  const auto edges = outputEdges(box);
  return n >= 0 && size_t(n) < edges.size() ? int(scene_.edges[edges[size_t(n)]].to) : -1;
}

int SceneTopology::layerNeighbour(uint32_t box, int direction) const {
  if (box >= rankInLayer_.size() || rankInLayer_[box] == kNone) return -1;
  const int64_t at = int64_t(rankInLayer_[box]) + direction;
  if (at < 0 || at >= int64_t(byLayer_.size())) return -1;
  const uint32_t other = byLayer_[size_t(at)];
  return layer_[other] == layer_[box] ? int(other) : -1;
}

int SceneTopology::inProgramOrder(uint32_t box, int direction) const {
  for (int64_t b = int64_t(box) + direction; b >= 0 && b < int64_t(scene_.nodes.size()); b += direction) {
    if (drawn(uint32_t(b))) return int(b);
  }
  return -1;
}

std::vector<uint32_t> SceneTopology::shortestPath(uint32_t a, uint32_t b) const {
  if (a >= scene_.nodes.size() || b >= scene_.nodes.size()) return {};
  for (Way way : {Way::Forward, Way::Backward, Way::Any}) {
    auto path = search(a, b, way);
    if (!path.empty()) return path;
  }
  return {};
}

std::vector<uint32_t> SceneTopology::search(uint32_t a, uint32_t b, Way way) const {
  std::vector<uint32_t> cameFrom(scene_.nodes.size(), kNone), queue{a};
  cameFrom[a] = a;
  auto reach = [&](uint32_t next, uint32_t from) {
    if (cameFrom[next] != kNone) return;
    cameFrom[next] = from;
    queue.push_back(next);
  };
  for (size_t head = 0; head < queue.size() && cameFrom[b] == kNone; ++head) {
    const uint32_t at = queue[head];
    if (way != Way::Backward) {
      for (uint32_t e : outputEdges(at)) reach(scene_.edges[e].to, at);
    }
    if (way != Way::Forward) {
      for (uint32_t e : inputEdges(at)) reach(scene_.edges[e].from, at);
    }
  }
  std::vector<uint32_t> path;
  if (cameFrom[b] == kNone) return path;
  for (uint32_t at = b;; at = cameFrom[at]) {
    path.push_back(at);
    if (at == a) break;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

int SceneTopology::boxOf(ir::NodeId node) const {
  if (!node.valid()) return -1;
  if (node.index < boxOfNode_.size())
    return boxOfNode_[node.index] == kNone ? -1 : int(boxOfNode_[node.index]);
  if (node.index < kMaxIdTable) return -1;
  for (size_t b = 0; b < scene_.nodes.size(); ++b) {
    if (scene_.nodes[b].node == node) return int(b);
  }
  return -1;
}

int SceneTopology::boxOfOutput(int slot) const {
  if (slot < 0) return -1;
  for (size_t b = scene_.nodes.size(); b-- > 0;) {
    if (scene_.nodes[b].outputSlot == slot) return int(b);
  }
  return -1;
}

int SceneTopology::groupOf(const std::string& path) const {
  for (size_t g = 0; g < scene_.groups.size(); ++g) {
    if (scene_.groups[g].path == path) return int(g);
  }
  return -1;
}

int SceneTopology::foldedAround(uint32_t box) const {
  if (box >= scene_.nodes.size()) return -1;
  const int group = scene_.nodes[box].group;
  return group >= 0 && size_t(group) < groupFolded_.size() ? groupFolded_[size_t(group)] : -1;
}

bool SceneTopology::drawn(uint32_t box) const {
  return box < scene_.nodes.size() && hasArea(scene_.nodes[box].rect) && foldedAround(box) < 0;
}

int SceneTopology::groupDepth(int group) const {
  return group >= 0 && size_t(group) < groupDepth_.size() ? groupDepth_[size_t(group)] : 0;
}

}  // namespace descry::gui
