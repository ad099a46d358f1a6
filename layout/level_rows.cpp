#include "layout/level_rows.h"

#include "layout/joint_u.h"
#include "layout/layering.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace descry::layout {
namespace {

bool isBox(const LevelInput& in, int32_t i) {
  return in.items[i].kind == LevelItem::Box;
}

// Boxes without any wire would make the first row endless; they get rows of their own, about as wide as the
// rest.
void wrapIsolated(const LevelInput& in, std::vector<int32_t>& row, int32_t& rows) {
  std::vector<uint8_t> wired(in.items.size(), 0);
  for (const FlowWire& w : in.wires)
    if (w.from != w.to) wired[w.from] = wired[w.to] = 1;
  for (const SideWire& w : in.sideWires) wired[w.item] = 1;
  std::vector<int32_t> alone;
  int32_t used = 0;
  for (int32_t v = 0; v < static_cast<int32_t>(row.size()); ++v) {
    if (!wired[v] && in.items[v].twin < 0)
      alone.push_back(v);
    else
      used = std::max(used, row[v] + 1);
  }
  if (alone.size() < 5) return;
  std::vector<int32_t> inRow(used, 0);
  for (int32_t v = 0; v < static_cast<int32_t>(row.size()); ++v)
    if (wired[v] || in.items[v].twin >= 0) ++inRow[row[v]];
  int32_t widest = inRow.empty() ? 0 : *std::max_element(inRow.begin(), inRow.end());
  auto square = static_cast<int32_t>(std::ceil(std::sqrt(static_cast<double>(alone.size()))));
  int32_t perRow = std::max({4, square, std::min(widest, 2 * square)});
  for (size_t i = 0; i < alone.size(); ++i) row[alone[i]] = used + static_cast<int32_t>(i) / perRow;
  rows = used + (static_cast<int32_t>(alone.size()) + perRow - 1) / perRow;
}

}  // namespace

LevelRows assignRows(const LevelInput& in, Stats& stats, const Control& control) {
  auto boxes = static_cast<int32_t>(std::count_if(
      in.items.begin(), in.items.end(), [](const LevelItem& i) { return i.kind == LevelItem::Box; }));
  std::vector<Arc> arcs;
  std::vector<int32_t> pullUp(boxes, 0), pullDown(boxes, 0);
  arcs.reserve(in.wires.size());
  for (const FlowWire& w : in.wires) {
    if (isBox(in, w.from) && isBox(in, w.to)) {
      if (w.from != w.to) arcs.push_back({w.from, w.to, w.weak});
    } else if (isBox(in, w.from) != isBox(in, w.to)) {
      int32_t box = isBox(in, w.from) ? w.from : w.to, port = isBox(in, w.from) ? w.to : w.from;
      ++(in.items[port].kind == LevelItem::TopPort ? pullUp : pullDown)[box];
    }
  }
  Ranking ranking = rankItems(boxes, arcs, control);

  std::vector<Arc> down;  // without those against the flow, and pointing down on both sides
  down.reserve(arcs.size());
  for (size_t i = 0; i < arcs.size(); ++i) {
    if (ranking.reversed[i]) continue;
    Arc arc = arcs[i];
    if (in.items[arc.from].side == 1) std::swap(arc.from, arc.to);
    down.push_back(arc);
  }
  std::vector<int32_t> row;
  if (in.twoSided) {
    std::vector<uint8_t> side(boxes);
    std::vector<int32_t> order;
    std::vector<TwinPair> twins;
    for (int32_t v = 0; v < boxes; ++v) {
      side[v] = in.items[v].side;
      int32_t t = in.items[v].twin;
      if (t >= 0 && t < boxes && in.items[t].side != side[v])
        twins.push_back(side[v] == 0 ? TwinPair{v, t} : TwinPair{t, v});
    }
    for (int32_t v : ranking.order)
      if (side[v] == 0) order.push_back(v);
    for (auto it = ranking.order.rbegin(); it != ranking.order.rend(); ++it)
      if (side[*it] == 1) order.push_back(*it);
    JointRows joint = assignJointRows(side, down, order, twins, pullUp, pullDown);
    row = std::move(joint.row);
    stats.twinsAligned += joint.twinsAligned;
  } else {
    row = assignLayers(boxes, down, ranking.order, pullUp, pullDown);
  }
  int32_t rows = row.empty() ? 0 : *std::max_element(row.begin(), row.end()) + 1;
  wrapIsolated(in, row, rows);

  LevelRows result;
  for (const LevelItem& item : in.items) {
    result.topPorts |= item.kind == LevelItem::TopPort;
    result.bottomPorts |= item.kind == LevelItem::BottomPort;
  }
  result.row.resize(in.items.size());
  result.count = rows + result.topPorts + result.bottomPorts;
  for (size_t i = 0; i < in.items.size(); ++i)
    result.row[i] = in.items[i].kind == LevelItem::TopPort      ? 0
                    : in.items[i].kind == LevelItem::BottomPort ? result.count - 1
                                                                : row[i] + result.topPorts;
  return result;
}

}  // namespace descry::layout
