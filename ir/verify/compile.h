// Rules between the graphs of one compile: how the forward and the backward graph follow from the joint.
#pragma once

#include <optional>
#include <string>

#include "ir/core/graph.h"
#include "ir/ops/registry.h"
#include "ir/support/diagnostic.h"

namespace descry::ir {

/// One graph of a compile; the root of `module`. Absent when that is null.
struct CompileGraph {
  const Module* module = nullptr;
  std::string name;  ///< what diagnostics call the graph
  std::string file;  ///< that it was read from, for diagnostics

  const Graph* graph() const { return module && !module->graphs.empty() ? &module->root() : nullptr; }
};

/// The graphs of one compile, as far as they are there.
struct CompileGraphs {
  CompileGraph joint, forward, backward, inference;
  /// How many outputs of the joint belong to the forward graph, where that is known; else it is found by
  /// descriptor, and then by what the backward graph returns.
  std::optional<size_t> forwardOutputs;
};

/// How many outputs of a joint graph come before its gradients, by descriptor. Nothing where those do not
/// tell.
std::optional<size_t> forwardOutputsOf(const Graph& joint);

/// Reports every fault between the graphs, each with the graph and the node where it shows. Rules whose
/// graphs are missing or were read in part are skipped. Codes are those of verifyRules. Cost: linear.
void verifyCompile(const CompileGraphs& graphs, const OpRegistry& ops, DiagnosticSink& sink);

/// A fault of a rule in `graph`, at `node` when that is valid.
Diagnostic ruleBroken(const char* code, const CompileGraph& graph, NodeId node, std::string message);

}  // namespace descry::ir
