// Snapshots of one graph that views show, made in a worker and never changed afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "session/views.h"

namespace descry::gui {

/// Parts are made when a view first asks for them.
enum class Part : uint8_t { Names, Io, Outline, Table, Text, Problems, Count };

/// Node by name, for "go to" and scripts.
class NameIndex {
 public:
  explicit NameIndex(session::LoadedGraphPtr graph);
  /// Invalid when there is no such node.
  ir::NodeId find(std::string_view name) const;
  /// The k-th node in program order, from 0.
  ir::NodeId at(size_t order) const { return order < order_.size() ? order_[order] : ir::NodeId{}; }
  size_t size() const { return order_.size(); }
  /// Position in program order, -1 for a node that is not in the graph.
  int64_t orderOf(ir::NodeId node) const;
  /// Up to `limit` nodes whose name starts with (first) or holds `text`.
  std::vector<ir::NodeId> match(std::string_view text, size_t limit) const;
  const std::vector<ir::NodeId>& inOrder() const { return order_; }

 private:
  session::LoadedGraphPtr keep_;
  const ir::Graph* graph_;
  std::vector<ir::NodeId> byName_;  // sorted by name
  std::vector<ir::NodeId> order_;
  std::vector<uint32_t> position_;  // by node id
};

/// Printed text cut into lines.
class TextLines {
 public:
  explicit TextLines(session::TextView view);
  uint32_t size() const { return static_cast<uint32_t>(starts_.size()) - 1; }
  /// Without the line end.
  std::string_view line(uint32_t index) const;
  /// Longest line in bytes.
  uint32_t widest() const { return widest_; }
  /// The node that is defined on this line, invalid when there is none.
  ir::NodeId nodeAt(uint32_t line) const;
  /// -1 when the node has no line.
  int64_t lineOf(ir::NodeId node) const;
  const std::string& text() const { return view_.text; }

 private:
  session::TextView view_;
  std::vector<uint64_t> starts_;
  std::vector<uint32_t> lineOfNode_;  // by node id, + 1; 0 for none
  uint32_t widest_ = 0;
};

/// Outline items with child lists, so that a tree model can walk it.
struct OutlineTree {
  explicit OutlineTree(std::vector<session::OutlineItem> rows);
  std::vector<session::OutlineItem> items;
  std::vector<uint32_t> childStart,
      children;  ///< CSR; slot 0 holds the top level, slot i + 1 those of item i
  std::vector<uint32_t> rowInParent;
  std::vector<int32_t> itemOfNode;  ///< by node id, -1 for none
  uint32_t childCount(int item) const { return childStart[item + 2] - childStart[item + 1]; }
  int child(int item, uint32_t row) const { return static_cast<int>(children[childStart[item + 1] + row]); }
};

/// All facts of the selected node.
struct NodeDetails {
  ir::NodeId node;
  std::vector<session::FactRow> facts;
  std::vector<std::string> crumbs;
  session::Partner partner;
  std::string name, partnerName;
};

struct ProblemRow {
  ir::Diagnostic diagnostic;
  ir::NodeId node;  ///< where a click leads, when the fault names a node of the graph
};

}  // namespace descry::gui
