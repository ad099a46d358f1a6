#include "gui/document/graph_rows.h"

#include <algorithm>

namespace descry::gui {

NameIndex::NameIndex(session::LoadedGraphPtr graph) : keep_(std::move(graph)), graph_(keep_->graph) {
  order_.reserve(graph_->size());
  position_.assign(graph_->idBound(), UINT32_MAX);
  for (ir::NodeId id : graph_->nodes()) {
    position_[id.index] = static_cast<uint32_t>(order_.size());
    order_.push_back(id);
  }
  byName_ = order_;
  std::stable_sort(byName_.begin(), byName_.end(),
                   [this](ir::NodeId a, ir::NodeId b) { return graph_->nodeName(a) < graph_->nodeName(b); });
}

ir::NodeId NameIndex::find(std::string_view name) const {
  auto it = std::lower_bound(byName_.begin(), byName_.end(), name,
                             [this](ir::NodeId a, std::string_view n) { return graph_->nodeName(a) < n; });
  if (it == byName_.end() || graph_->nodeName(*it) != name) return {};
  return *it;
}

int64_t NameIndex::orderOf(ir::NodeId node) const {
  if (!node || node.index >= position_.size() || position_[node.index] == UINT32_MAX) return -1;
  return position_[node.index];
}

std::vector<ir::NodeId> NameIndex::match(std::string_view text, size_t limit) const {
  std::vector<ir::NodeId> found;
  if (text.empty()) return found;
  auto it = std::lower_bound(byName_.begin(), byName_.end(), text,
                             [this](ir::NodeId a, std::string_view n) { return graph_->nodeName(a) < n; });
  for (; it != byName_.end() && found.size() < limit; ++it) {
    if (graph_->nodeName(*it).substr(0, text.size()) != text) break;
    found.push_back(*it);
  }
  return found;
}

TextLines::TextLines(session::TextView view) : view_(std::move(view)) {
  starts_.push_back(0);
  const std::string& t = view_.text;
  for (size_t at = 0; at < t.size();) {
    size_t end = t.find('\n', at);
    if (end == std::string::npos) end = t.size();
    widest_ = std::max<uint32_t>(widest_, static_cast<uint32_t>(std::min<size_t>(end - at, UINT32_MAX)));
    at = end + 1;
    starts_.push_back(at);
  }
  if (starts_.size() == 1) starts_.push_back(1);
  uint32_t bound = 0;
  for (const auto& [node, line] : view_.lines) bound = std::max(bound, node.index + 1);
  lineOfNode_.assign(bound, 0);
  for (const auto& [node, line] : view_.lines)
    if (!lineOfNode_[node.index]) lineOfNode_[node.index] = line + 1;
}

std::string_view TextLines::line(uint32_t index) const {
  const uint64_t begin = starts_[index];
  uint64_t end = starts_[index + 1] - 1;
  end = std::min<uint64_t>(end, view_.text.size());
  if (begin >= end) return {};
  return std::string_view(view_.text).substr(begin, end - begin);
}

ir::NodeId TextLines::nodeAt(uint32_t line) const {
  auto it = std::lower_bound(view_.lines.begin(), view_.lines.end(), line,
                             [](const auto& entry, uint32_t l) { return entry.second < l; });
  if (it == view_.lines.end() || it->second != line) return {};
  return it->first;
}

int64_t TextLines::lineOf(ir::NodeId node) const {
  if (!node || node.index >= lineOfNode_.size()) return -1;
  return static_cast<int64_t>(lineOfNode_[node.index]) - 1;
}

OutlineTree::OutlineTree(std::vector<session::OutlineItem> rows) : items(std::move(rows)) {
  const size_t n = items.size();
  // Children may stand before parents only in broken data; such items go to the top level.
  for (size_t i = 0; i < n; ++i)
    if (items[i].parent >= static_cast<int>(i)) items[i].parent = -1;
  childStart.assign(n + 2, 0);
  for (const auto& item : items) ++childStart[item.parent + 2];
  for (size_t i = 1; i < childStart.size(); ++i) childStart[i] += childStart[i - 1];
  children.resize(n);
  rowInParent.resize(n);
  std::vector<uint32_t> used(n + 1, 0);
  uint32_t bound = 0;
  for (size_t i = 0; i < n; ++i) {
    const int slot = items[i].parent + 1;
    rowInParent[i] = used[slot]++;
    children[childStart[slot] + rowInParent[i]] = static_cast<uint32_t>(i);
    if (items[i].node) bound = std::max(bound, items[i].node.index + 1);
  }
  itemOfNode.assign(bound, -1);
  for (size_t i = 0; i < n; ++i)
    if (items[i].node) itemOfNode[items[i].node.index] = static_cast<int32_t>(i);
}

}  // namespace descry::gui
