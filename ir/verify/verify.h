// The verifier: every rule a graph must keep, each fault named by node and rule.
#pragma once

#include <vector>

#include "ir/core/graph.h"
#include "ir/ops/registry.h"
#include "ir/support/diagnostic.h"

namespace descry::ir {

/// Checks all graphs of `module` and reports every fault, not just the first. Each diagnostic has the rule's
/// code and severity, the graph, the node, and the node's place in the original file. docs/verifier.md lists
/// the rules. Only errors are faults; warnings and notes tell what is unusual but legal. `ops` may be null:
/// then schema rules are skipped. Cost: linear.
void verifyModule(const Module& module, const OpRegistry* ops, DiagnosticSink& sink);

struct VerifyRule {
  const char* code;
  Severity severity;
  const char* meaning;
};
/// All rules, in the order they are checked.
const std::vector<VerifyRule>& verifyRules();

}  // namespace descry::ir
