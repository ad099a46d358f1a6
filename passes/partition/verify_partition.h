// What has to hold between a joint graph and the graphs that it was cut into.
#pragma once

#include "ir/support/diagnostic.h"
#include "ir/verify/compile.h"
#include "passes/partition/partition.h"

namespace descry::passes {

/// Reports every fault of a cut of `input.joint`: those of verifyCompile, values that were to be saved or
/// computed again and were not, and writes on the wrong side. Rules are listed in docs/verifier.md. Cost:
/// linear.
void verifyPartition(const PartitionInput& input, const Partition& cut, ir::DiagnosticSink& sink);

/// Whether values that a checkpoint policy wants saved are computed once. `roles` are those of the joint.
void verifyPolicies(const ir::CompileGraphs& graphs, const std::vector<NodeRole>& roles,
                    ir::DiagnosticSink& sink);

}  // namespace descry::passes
