#include "layout/hierarchy.h"

#include <algorithm>
#include <numeric>

namespace descry::layout {

GroupTree buildGroupTree(const std::vector<InputGroup>& groups) {
  auto n = static_cast<int32_t>(groups.size());
  GroupTree tree;
  tree.parent.resize(n);
  tree.depth.assign(n, 0);
  tree.alias.resize(n);
  tree.foldedBy.assign(n, -1);
  for (int32_t g = 0; g < n; ++g)
    tree.parent[g] = groups[g].parent >= 0 && groups[g].parent < n ? groups[g].parent : -1;

  // Climb from each group to the first one done, then settle the way back down.
  enum : uint8_t { New, OnPath, Done };
  std::vector<uint8_t> state(n, New);
  std::vector<int32_t> path;
  for (int32_t first = 0; first < n; ++first) {
    path.clear();
    for (int32_t g = first; g >= 0 && state[g] != Done; g = tree.parent[g]) {
      if (state[g] == OnPath) {  // a cycle: cut it where it closes
        tree.parent[path.back()] = -1;
        break;
      }
      state[g] = OnPath;
      path.push_back(g);
    }
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
      int32_t g = *it, up = tree.parent[g];
      state[g] = Done;
      tree.depth[g] = up < 0 ? 1 : tree.depth[up] + 1;
      if (tree.depth[g] > kMaxGroupDepth) {
        tree.alias[g] = tree.alias[up];
        tree.depth[g] = kMaxGroupDepth + 1;
        tree.foldedBy[g] = tree.foldedBy[up];
        continue;
      }
      tree.alias[g] = g;
      tree.foldedBy[g] = up >= 0 && tree.foldedBy[up] >= 0 ? tree.foldedBy[up] : groups[g].folded ? g : -1;
    }
  }
  return tree;
}

namespace {

class Builder {
 public:
  Builder(const Input& input, const Options& options, const Control& control)
      : input_(input), options_(options), control_(control) {}

  Hierarchy run() {
    h_.tree = buildGroupTree(input_.groups);
    placeItems();
    linkTwins();
    cutEdges();
    finish();
    return std::move(h_);
  }

 private:
  // Where a wire may start: an item of `level`, possibly through a port or side wire of the level inside it.
  struct End {
    int32_t level = 0, item = 0;
    int32_t innerLevel = -1, inner = -1;
  };

  ItemRef addItem(int32_t level, Size size, uint8_t side, LevelItem::Kind kind = LevelItem::Box) {
    auto& items = h_.levels[level].items;
    LevelItem item;
    item.size = size;
    item.side = side;
    item.kind = kind;
    items.push_back(item);
    return {level, static_cast<int32_t>(items.size()) - 1};
  }
  LevelItem& itemAt(ItemRef ref) { return h_.levels[ref.level].items[ref.local]; }
  int32_t itemId(ItemRef ref) const { return static_cast<int32_t>(itemBase_[ref.level]) + ref.local; }
  int32_t groupOf(size_t v) const {
    int32_t g = input_.nodes[v].group;
    return g >= 0 && g < static_cast<int32_t>(input_.groups.size()) ? h_.tree.alias[g] : -1;
  }

  void placeItems();
  void linkTwins();
  void cutEdges();
  void cutWithinHalf(uint8_t side, int32_t source, ItemRef from, ItemRef to, bool weak);
  void cutAcross(uint8_t side, int32_t source, ItemRef from, ItemRef to);
  int32_t addFlow(int32_t level, uint8_t side, const End& from, const End& to, bool weak);
  int32_t addSide(uint8_t side, const End& at, bool exit, int32_t net);
  void reuse(int32_t wire, bool weak) {
    FlowWire& w = h_.levels[h_.wires[wire].level].wires[h_.wires[wire].index];
    w.weak = w.weak && weak;
    h_.edgeWires.push_back(wire);
  }
  void finish();

  const Input& input_;
  const Options& options_;
  const Control& control_;
  Hierarchy h_;
  std::vector<size_t> itemBase_;  // id of the first box of each level

  // What the current source has made already, so that its edges share wires. Valid where the stamp is the
  // source.
  struct Made {
    int32_t stamp = -1, wire = -1, port = -1;
  };
  std::vector<Made> exits_, entries_, sideExits_;  // per level
  std::vector<Made> targets_;  // per item; for ways across, `wire` and `port` are a range of edgeWires
  std::vector<int32_t> way_;
};

// Levels get their items in the order of each item's first node.
void Builder::placeItems() {
  size_t groups = input_.groups.size();
  h_.levels.resize(groups + 1);
  for (auto& items : h_.groupItem) items.resize(groups);
  h_.nodeItem.resize(input_.nodes.size());
  h_.nodeSide.resize(input_.nodes.size());
  for (size_t v = 0; v < input_.nodes.size(); ++v) {
    const InputNode& node = input_.nodes[v];
    uint8_t side = options_.jointU && (node.phase == Phase::Backward || node.phase == Phase::Either);
    h_.nodeSide[v] = side;
    int32_t g = groupOf(v);
    int32_t fold = g >= 0 ? h_.tree.foldedBy[g] : -1;
    if (fold >= 0) {
      ItemRef& box = h_.groupItem[side][fold];
      if (!box.valid()) box = addItem(h_.tree.parent[fold] + 1, input_.groups[fold].foldedSize, side);
      h_.nodeItem[v] = box;
      g = h_.tree.parent[fold];
    } else {
      h_.nodeItem[v] = addItem(g + 1, node.size, side);
      if (node.hasPrevious)
        itemAt(h_.nodeItem[v]).seedX = node.previous.x, itemAt(h_.nodeItem[v]).seedWeight = 1;
    }
    for (; g >= 0 && !h_.groupItem[side][g].valid(); g = h_.tree.parent[g])
      h_.groupItem[side][g] = addItem(h_.tree.parent[g] + 1, {}, side);
  }
  itemBase_.resize(h_.levels.size() + 1, 0);
  for (size_t l = 0; l < h_.levels.size(); ++l) itemBase_[l + 1] = itemBase_[l] + h_.levels[l].items.size();
}

void Builder::linkTwins() {
  if (!options_.jointU) return;
  for (size_t v = 0; v < input_.nodes.size(); ++v) {
    int32_t t = input_.nodes[v].twin;
    if (t < 0 || t >= static_cast<int32_t>(input_.nodes.size()) || h_.nodeSide[t] == h_.nodeSide[v]) continue;
    ItemRef a = h_.nodeItem[v], b = h_.nodeItem[t];
    if (a.level != b.level) continue;
    itemAt(a).twin = b.local;
    if (itemAt(b).twin < 0) itemAt(b).twin = a.local;
  }
  for (size_t g = 0; g < input_.groups.size(); ++g) {
    ItemRef a = h_.groupItem[0][g], b = h_.groupItem[1][g];
    if (!a.valid() || !b.valid()) continue;
    itemAt(a).twin = b.local;
    itemAt(b).twin = a.local;
  }
}

int32_t Builder::addFlow(int32_t level, uint8_t side, const End& from, const End& to, bool weak) {
  auto& list = h_.levels[level].wires;
  auto index = static_cast<int32_t>(list.size());
  FlowWire wire;
  wire.from = from.item;
  wire.to = to.item;
  wire.weak = weak;
  list.push_back(wire);
  if (from.inner >= 0) h_.fixes.push_back({from.innerLevel, from.inner, level, index, false, true});
  if (to.inner >= 0) h_.fixes.push_back({to.innerLevel, to.inner, level, index, false, false});
  h_.wires.push_back({level, index, side, false});
  return static_cast<int32_t>(h_.wires.size()) - 1;
}

int32_t Builder::addSide(uint8_t side, const End& at, bool exit, int32_t net) {
  auto& list = h_.levels[at.level].sideWires;
  auto index = static_cast<int32_t>(list.size());
  SideWire wire;
  wire.item = at.item;
  wire.exit = exit;
  wire.net = net;
  list.push_back(wire);
  if (at.inner >= 0) h_.fixes.push_back({at.innerLevel, at.inner, at.level, index, true, exit});
  h_.wires.push_back({at.level, index, side, true});
  return static_cast<int32_t>(h_.wires.size()) - 1;
}

void Builder::cutWithinHalf(uint8_t side, int32_t source, ItemRef from, ItemRef to, bool weak) {
  const GroupTree& tree = h_.tree;
  int32_t a = from.level - 1, b = to.level - 1;
  while (a != b)
    (tree.depthOf(a) >= tree.depthOf(b) ? a : b) = tree.parent[tree.depthOf(a) >= tree.depthOf(b) ? a : b];
  int32_t common = a;

  End end{from.level, from.local, -1, -1};
  for (int32_t g = from.level - 1; g != common; g = tree.parent[g]) {
    Made& made = exits_[g + 1];
    if (made.stamp != source) {
      int32_t port = addItem(g + 1, {}, side, side == 0 ? LevelItem::BottomPort : LevelItem::TopPort).local;
      made = {source, addFlow(g + 1, side, end, {g + 1, port, -1, -1}, weak), port};
      h_.edgeWires.push_back(made.wire);
    } else {
      reuse(made.wire, weak);
    }
    end = {tree.parent[g] + 1, h_.groupItem[side][g].local, g + 1, made.port};
  }

  way_.clear();
  for (int32_t g = to.level - 1; g != common; g = tree.parent[g]) way_.push_back(g);
  for (auto it = way_.rbegin(); it != way_.rend(); ++it) {
    int32_t g = *it;
    Made& made = entries_[g + 1];
    if (made.stamp != source) {
      int32_t port = addItem(g + 1, {}, side, side == 0 ? LevelItem::TopPort : LevelItem::BottomPort).local;
      End target{end.level, h_.groupItem[side][g].local, g + 1, port};
      made = {source, addFlow(end.level, side, end, target, weak), port};
      h_.edgeWires.push_back(made.wire);
    } else {
      reuse(made.wire, weak);
    }
    end = {g + 1, made.port, -1, -1};
  }

  Made& made = targets_[itemId(to)];
  if (made.stamp != source) {
    made = {source, addFlow(to.level, side, end, {to.level, to.local, -1, -1}, weak), -1};
    h_.edgeWires.push_back(made.wire);
  } else {
    reuse(made.wire, weak);
  }
}

// From one half to the other: out through the facing border of each group around the source, over the gutter,
// and in likewise.
void Builder::cutAcross(uint8_t side, int32_t source, ItemRef from, ItemRef to) {
  Made& seen = targets_[itemId(to)];
  if (seen.stamp == source) {
    for (int32_t k = 0; k < seen.port; ++k) {
      int32_t wire = h_.edgeWires[seen.wire + k];
      h_.edgeWires.push_back(wire);
    }
    return;
  }
  auto first = static_cast<int32_t>(h_.edgeWires.size());
  const GroupTree& tree = h_.tree;
  auto walk = [&](uint8_t s, ItemRef item, bool exit) {
    End at{item.level, item.local, -1, -1};
    for (int32_t g = item.level - 1;; g = tree.parent[g]) {
      Made own;
      Made& made = exit ? sideExits_[g + 1] : own;
      if (made.stamp != source) made = {source, addSide(s, at, exit, source), -1};
      way_.push_back(made.wire);
      if (g < 0) return made.wire;
      at = {tree.parent[g] + 1, h_.groupItem[s][g].local, g + 1, h_.wires[made.wire].index};
    }
  };
  way_.clear();
  int32_t exitWire = walk(side, from, true);
  h_.edgeWires.insert(h_.edgeWires.end(), way_.begin(), way_.end());
  way_.clear();
  int32_t entryWire = walk(static_cast<uint8_t>(1 - side), to, false);
  h_.crossings.push_back({exitWire, entryWire, source});
  h_.edgeWires.push_back(-static_cast<int32_t>(h_.crossings.size()));
  h_.edgeWires.insert(h_.edgeWires.end(), way_.rbegin(), way_.rend());
  seen = {source, first, static_cast<int32_t>(h_.edgeWires.size()) - first};
}

void Builder::cutEdges() {
  size_t edges = input_.edges.size(), n = input_.nodes.size();
  h_.edgeWireStart.assign(edges, 0);
  h_.edgeWireCount.assign(edges, 0);
  h_.selfLoop.assign(edges, 0);
  exits_.resize(h_.levels.size());
  entries_.resize(h_.levels.size());
  sideExits_.resize(h_.levels.size());
  targets_.resize(itemBase_.back());

  // All edges of one source item in a row.
  std::vector<uint32_t> start(itemBase_.back() + 1, 0), bySource;
  auto valid = [&](const InputEdge& e) { return e.from < n && e.to < n; };
  for (const InputEdge& e : input_.edges)
    if (valid(e)) ++start[itemId(h_.nodeItem[e.from]) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  bySource.resize(start.back());
  std::vector<uint32_t> next(start.begin(), start.end() - 1);
  for (size_t i = 0; i < edges; ++i)
    if (valid(input_.edges[i]))
      bySource[next[itemId(h_.nodeItem[input_.edges[i].from])]++] = static_cast<uint32_t>(i);

  for (size_t k = 0; k < bySource.size(); ++k) {
    if ((k & 1023) == 0) control_.poll();
    uint32_t i = bySource[k];
    const InputEdge& e = input_.edges[i];
    ItemRef from = h_.nodeItem[e.from], to = h_.nodeItem[e.to];
    h_.edgeWireStart[i] = static_cast<uint32_t>(h_.edgeWires.size());
    int32_t source = itemId(from);
    if (from.level == to.level && from.local == to.local) {
      h_.selfLoop[i] = e.from == e.to && !h_.hidden(input_.nodes, e.from);
    } else if (h_.nodeSide[e.from] == h_.nodeSide[e.to]) {
      cutWithinHalf(h_.nodeSide[e.from], source, from, to, e.weak);
    } else {
      cutAcross(h_.nodeSide[e.from], source, from, to);
    }
    h_.edgeWireCount[i] = static_cast<uint32_t>(h_.edgeWires.size()) - h_.edgeWireStart[i];
  }
}

void Builder::finish() {
  h_.fixStart.assign(h_.levels.size() + 1, 0);
  for (const BorderFix& fix : h_.fixes) ++h_.fixStart[fix.innerLevel + 1];
  std::partial_sum(h_.fixStart.begin(), h_.fixStart.end(), h_.fixStart.begin());
  std::vector<uint32_t> next(h_.fixStart.begin(), h_.fixStart.end() - 1);
  std::vector<BorderFix> sorted(h_.fixes.size());
  for (const BorderFix& fix : h_.fixes) sorted[next[fix.innerLevel]++] = fix;
  h_.fixes = std::move(sorted);

  for (size_t l = 0; l < h_.levels.size(); ++l) {
    LevelInput& level = h_.levels[l];
    level.twoSided = options_.jointU;
    if (l > 0) {
      level.pad = options_.groupPadding;
      const bool turned = options_.direction == Direction::LeftToRight;
      level.header = turned ? 0 : options_.groupHeader;
      level.sideHeader = turned ? options_.groupHeader : 0;
      level.topPad = options_.groupPadding + level.header;
    }
    if (!level.items.empty()) h_.bottomUp.push_back(static_cast<int32_t>(l));
  }
  std::stable_sort(h_.bottomUp.begin(), h_.bottomUp.end(),
                   [&](int32_t a, int32_t b) { return h_.tree.depthOf(a - 1) > h_.tree.depthOf(b - 1); });
}

}  // namespace

Hierarchy buildHierarchy(const Input& input, const Options& options, const Control& control) {
  return Builder(input, options, control).run();
}

}  // namespace descry::layout
