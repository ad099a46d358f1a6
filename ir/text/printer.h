// Prints graphs as FX readable text, the form PyTorch's `print_readable` uses.
#pragma once

#include <string>

#include "ir/core/graph.h"

namespace descry::ir {

struct PrintOptions {
  bool types = true;
  bool descriptors = true;
  bool comments = true;
  bool deletions = true;  ///< `;  x = None`, unless the graph's style says it has none
};

/// Line of a node inside printed text, to link text and graph. Lines count from 0.
struct PrintedLine {
  NodeId node;
  uint32_t line = 0;
};

/// The whole module: the root class with its nested classes. Canonical: print(parse(print(m))) == print(m).
/// Cost: linear in the text.
std::string printModule(const Module& module, const PrintOptions& options = {},
                        std::vector<PrintedLine>* lines = nullptr);
/// One graph of the module with the subgraphs below it.
std::string printGraph(const Module& module, const Graph& graph, const PrintOptions& options = {},
                       std::vector<PrintedLine>* lines = nullptr);

/// The right side of a node's statement: `torch.ops.aten.add.Tensor(x, 1)`.
std::string printExpression(const Graph& graph, NodeId id);
/// One value as FX prints it.
std::string printValue(ArgView value);
void appendValue(std::string& out, ArgView value);

}  // namespace descry::ir
