// Cuts the regions that a joint graph calls as subgraphs, before it is cut itself.
#pragma once

#include <memory>

#include "ir/support/result.h"
#include "passes/partition/partition.h"

namespace descry::passes::partition {

/// A joint graph with its regions cut.
struct StitchedJoint {
  std::shared_ptr<ir::Module> module;
  uint32_t joint = 0;  ///< index of the joint graph in the module
  std::vector<NodeRole> roles;
};

/// Every backward call of a region (identifier `bw...`) names the joint graph of that region. It is cut; the
/// forward call then returns what the region saves, and the backward call takes that instead of the region's
/// inputs. Regions inside of regions stay as they are. Nothing when the graph calls no region backwards.
/// Errors: those of partitionJoint, `partition-region`.
ir::Result<std::optional<StitchedJoint>> cutNestedRegions(const PartitionInput& input,
                                                          const PartitionOptions& options);

}  // namespace descry::passes::partition
