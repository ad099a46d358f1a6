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
};

/// Reads values of the options of the pass; nodes that `save` and `recompute` name are looked up in
/// `input.joint`. Errors: `unknown-node`.
ir::Status readPartitionOptions(const PassOptionValues& values, PartitionInput& input, PartitionOptions& options);

}  // namespace descry::passes
