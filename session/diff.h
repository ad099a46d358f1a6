// What changed from one graph to another, node by node and line by line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "session/session.h"

namespace descry::session {

enum class DiffState : uint8_t { Same, Changed, Moved, Renamed, Added, Removed };
/// "same", "changed", "moved", "renamed", "added", "removed".
std::string_view diffStateName(DiffState state);

struct FieldChange {
  std::string field;  ///< op, arguments, type, descriptor, output N
  std::string before, after;
};

struct NodeDiff {
  ir::NodeId before, after;  ///< invalid for added and removed nodes
  DiffState state = DiffState::Same;
  bool moved = false;  ///< stands at another place relative to the other matched nodes
  bool renamed = false;
  std::vector<FieldChange> changes;
  std::string reason;  ///< how the pair was found
};

/// Pairs are found in stages: equal name, op and arguments; equal structure from the inputs on; equal
/// structure from the outputs back; equal name and op; equal op with the same neighbours. No stage compares
/// all pairs.
struct GraphDiff {
  LoadedGraphPtr before, after;
  std::vector<NodeDiff> nodes;       ///< in the order of `after`; removed nodes stand where they were
  std::vector<FieldChange> outputs;  ///< returned values that differ
  uint32_t same = 0, changed = 0, moved = 0, renamed = 0, added = 0, removed = 0;
  bool identical() const { return !changed && !moved && !renamed && !added && !removed && outputs.empty(); }
};

/// Cost: near linear in nodes + edges.
GraphDiff diffGraphs(LoadedGraphPtr before, LoadedGraphPtr after);

struct LineDiff {
  enum class Kind : uint8_t { Same, Added, Removed } kind = Kind::Same;
  uint32_t before = 0, after = 0;  ///< line numbers from 1; 0 where the line is not there
  std::string_view text;           ///< points into the texts given
};
/// Anchors on lines that occur once on both sides, then compares what lies between. Near linear.
std::vector<LineDiff> diffLines(std::string_view before, std::string_view after);
/// In unified form with `context` lines around each change. Empty when nothing differs.
std::string unifiedDiff(const std::vector<LineDiff>& lines, std::string_view beforeName,
                        std::string_view afterName, uint32_t context = 3);

/// One line per change, with counts on top.
std::string diffText(const GraphDiff& diff);
/// Both states in one drawing: removed nodes stay as ghosts.
std::string diffSvg(const GraphDiff& diff);
/// One page: counts, the drawing (up to 3000 nodes), the changed nodes, both texts side by side. No scripts,
/// no network.
std::string diffHtml(const GraphDiff& diff);

/// State of each node of `after`, by node id: for the query field `state`.
std::vector<std::string> diffStates(const GraphDiff& diff);

}  // namespace descry::session
