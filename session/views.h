// Rows that views show: descriptors, node facts, outline, table, explorer, problems. Every row knows where it
// leads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session.h"

namespace descry::session {

/// Where a shown fact comes from. Inferred facts are marked, absent ones say how to get them.
enum class Origin : uint8_t { Recorded, Inferred, Absent };

/// One input or output in call order.
struct IoRow {
  bool input = true;
  int position = 0;  ///< among inputs or among outputs, from 0
  ir::NodeId node;   ///< placeholder, or the node that is returned; invalid for constants and None
  std::string name;  ///< "primals_3", "None", "13.5"
  std::string kind;  ///< parameter, buffer, argument, tangent, gradient, saved value, input mutation, ...
  std::string descriptor;          ///< as written; empty when none
  std::string words;               ///< meaning in words
  Origin origin = Origin::Absent;  ///< of `kind` and `words`
  std::string originRule;          ///< for inferred: the rule used
  std::string type;                ///< f32[2, 3][3, 1]cpu
  std::string path;                ///< outer path of parameters and buffers: layers.3.weight
  std::string source;              ///< L['x'] from the log
  std::string facts;               ///< "requires grad, leaf, view of primals_1"
  /// Input: the value that is its gradient. Output: the tangent. Empty when there is none.
  std::string gradOrTangent;
  ir::NodeId partner;      ///< where `J` jumps: grad of an input, tangent of an output, and back
  int partnerOutput = -1;  ///< >= 0: the partner is the k-th output
  std::optional<int64_t> bytes;
  bool differentiable =
      true;  ///< false: its descriptor is of a class that has no gradient (tokens, seeds, pieces)
};
/// Inputs first, then outputs. Pairs are found by descriptor equality, as PyTorch's queries do.
/// Nested tuples, lists and dicts that are returned give a row for each value in them.
std::vector<IoRow> ioRows(const LoadedGraph& graph);
/// How many output rows there are.
size_t outputCount(const ir::Graph& graph);

/// One line of the Node panel.
struct FactRow {
  std::string section;  ///< "facts", "inputs", "outputs", "source", "descriptor", "log"
  std::string label, value;
  Origin origin = Origin::Recorded;
  ir::NodeId link;   ///< node that a click selects
  std::string hint;  ///< for absent and inferred facts: how to get it, or the rule
};
std::vector<FactRow> nodeFacts(const LoadedGraph& graph, ir::NodeId node);

/// Virtual tree module > op.
struct OutlineItem {
  std::string label;
  int parent = -1;     ///< index into the vector
  ir::NodeId node;     ///< leaves only
  uint32_t nodes = 0;  ///< inside, deep
  std::optional<int64_t> bytes;
};
std::vector<OutlineItem> outline(const LoadedGraph& graph);

/// One row per node.
struct NodeRow {
  ir::NodeId node;
  uint32_t order = 0;  ///< program order, from 0
  std::string name, op, target, type, dtype, shape, phase, descriptor, module, file;
  uint32_t line = 0;
  uint32_t inputs = 0, users = 0;
  std::optional<int64_t> bytes;
};
std::vector<NodeRow> nodeRows(const LoadedGraph& graph);
/// Column titles of the table, and a cell as text.
const std::vector<std::string>& nodeRowColumns();
std::string nodeRowCell(const NodeRow& row, size_t column);

/// Explorer: rank > compile id > graph.
struct ExplorerItem {
  enum class Kind : uint8_t { File, Rank, Compile, Graph, Subgraph, Records, Record, Table, State };
  Kind kind = Kind::Graph;
  std::string label, detail;
  int parent = -1;
  int graph = -1;        ///< index into input().graphs()
  std::string subgraph;  ///< path below it
  int record = -1, table = -1;
};
std::vector<ExplorerItem> explorer(const Document& document);

/// The node that belongs to `node`: gradient of an input, tangent of an output, forward twin of a backward
/// node (same source line) and back. Invalid when there is none; `why` then says so in words.
struct Partner {
  ir::NodeId node;
  int output = -1;
  std::string why;
};
Partner partnerOf(const LoadedGraph& graph, ir::NodeId node);

/// Printed text with the line of each node.
struct TextView {
  std::string text;
  std::vector<std::pair<ir::NodeId, uint32_t>> lines;  ///< node, line from 0, in line order
};
TextView textView(const LoadedGraph& graph);

/// Breadcrumbs: file > rank > compile id > graph > module path > node.
std::vector<std::string> breadcrumbs(const LoadedGraph& graph, ir::NodeId node);

/// Checks one graph with ir::verifyModule and the op table.
std::vector<ir::Diagnostic> verifyGraph(const LoadedGraph& graph);

}  // namespace descry::session
