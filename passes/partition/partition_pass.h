// The partitioners as a pass.
#pragma once

#include "passes/core/pass.h"
#include "passes/partition/partition.h"

namespace descry::passes {

/// Cuts a joint graph into forward and backward. Works on joint graphs that were traced here, and on those
/// read from a file (what belongs where is then derived, see deriveRoles).
///
///   partition(method=default, save=mul+mm, recompute=relu)
extern const PassDef kPartition;

/// `PassOutcome::result` of the pass.
struct PartitionOutcome : PassData {
  std::shared_ptr<const Partition> partition;
  std::shared_ptr<const ir::Module> joint;  ///< that was cut
  std::vector<NodeRole> roles;              ///< of its nodes, as they were given
  uint32_t forwardOutputs = 0;
  const ir::OpRegistry* ops = nullptr;

  void verify(Stage stage, ir::DiagnosticSink& sink) const override;
};

/// Reads values of the options of the pass; nodes that `save` and `recompute` name are looked up in
/// `input.joint`. Errors: `unknown-node`.
ir::Status readPartitionOptions(const PassOptionValues& values, PartitionInput& input,
                                PartitionOptions& options);

}  // namespace descry::passes
