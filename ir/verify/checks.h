// What the verifier's rule groups share: the graph at hand and how a fault is reported. Private to ir/verify.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/verify/verify.h"

namespace descry::ir {

struct GraphCheck {
  const Module& module;
  const Graph& graph;
  const OpRegistry* ops;
  DiagnosticSink& sink;
  /// By node id: place in program order from 1, 0 for nodes that are not in the graph.
  std::vector<uint32_t> position;

  /// The rule's severity, or the one given. An invalid `node` puts the fault at the graph.
  void report(const char* code, NodeId node, std::string message,
              std::optional<Severity> severity = std::nullopt) const;
  /// As report, but once for each (code, key) of this sink.
  void reportOnce(const char* code, std::string_view key, NodeId node, std::string message);
  std::string quoted(NodeId node) const;
};

void checkStructure(GraphCheck& check);
void checkSubgraphs(GraphCheck& check);
void checkTypes(GraphCheck& check);
void checkDescriptors(GraphCheck& check);
void checkCalls(GraphCheck& check);
void checkAotGraph(GraphCheck& check);

/// Links between graphs: children and parents form a forest.
void checkForest(const Module& module, DiagnosticSink& sink);

}  // namespace descry::ir
