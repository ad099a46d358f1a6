// AOT autograd stage by stage, with its invariants checked behind each.
#pragma once

#include <string>

#include "passes/aot/invariants.h"
#include "passes/aot/partition_input.h"
#include "passes/partition/verify_partition.h"

namespace descry::passes {

inline std::string told(const ir::DiagnosticSink& sink, const std::string& when) {
  std::string out;
  for (const ir::Diagnostic& d : sink.all())
    out += when + ": " + d.graph + ": " + d.node + ": " + d.message + " [" + d.code + "]\n";
  return out;
}

/// runAot; what does not hold behind a stage is added to `faults`.
inline ir::Result<AotResult> runStaged(const ir::Module& captured, const CapturedFacts& facts,
                                       const AotOptions& options, std::string& faults) {
  AotStages stages(captured, facts, options);
  const auto hold = [&](Stage stage) {
    ir::DiagnosticSink sink;
    verifyStage(stages.result(), stage, sink);
    faults += told(sink, std::string(stageName(stage)));
  };
  if (const ir::Status s = stages.readInputs(); !s) return s.error();
  if (const ir::Status s = stages.collectMetadata(); !s) return s.error();
  hold(Stage::Described);
  if (const ir::Result<bool> r = stages.mergeDuplicates(); !r) return r.error();
  hold(Stage::Deduplicated);
  if (const ir::Result<bool> r = stages.mergeOverlapping(); !r) return r.error();
  hold(Stage::Unaliased);
  if (stages.result().duplicates || stages.result().overlaps)
    if (const ir::Result<ViewAndMutationMeta> again = stages.recollected()) {
      ir::DiagnosticSink sink;
      verifySameMetadata(stages.result().meta, *again, sink);
      faults += told(sink, "collected again");
    }
  if (const ir::Status s = stages.trace(); !s) return s.error();
  hold(Stage::Traced);
  return stages.take();
}

/// What does not hold between a joint graph and the graphs that it was cut into.
inline std::string faultsOfCut(const PartitionInput& input, const Partition& cut) {
  ir::DiagnosticSink sink;
  verifyPartition(input, cut, sink);
  return told(sink, "cut");
}

}  // namespace descry::passes
