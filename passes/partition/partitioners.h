// The two ways to choose what is saved.
#pragma once

#include "ir/support/result.h"
#include "passes/partition/min_cut.h"
#include "passes/partition/split.h"

namespace descry::passes::partition {

/// A choice made, before the graphs are built.
struct Choice {
  Split split;
  SavedChoice cut;                  ///< of min-cut; what the default rule chose otherwise
  std::vector<int32_t> distance;    ///< by item; empty for the default rule
  std::vector<uint32_t> sizesOnly;  ///< items whose sizes are saved in their stead
  NodeSets sets;
  bool recomputes = false;  ///< some policy asks for it
  bool recomputesRandom = false;
};

/// Everything that the trace's forward part computes and its backward part reads is saved.
ir::Result<Choice> chooseByDefault(Joint& joint);
/// The minimum cut is saved. Needs a joint graph with a backward part: see `anyBackward`.
ir::Result<Choice> chooseByMinCut(Joint& joint, NodeSets sets);

/// A joint graph by one of the two ways, nested regions left as they are. Errors: those of partitionJoint.
ir::Result<Partition> cutOne(const PartitionInput& input, const PartitionOptions& options);

/// Does some op write anything but an input, in a way that only the end of a graph may? Says which.
std::optional<uint32_t> firstForeignWrite(const Joint& joint);

}  // namespace descry::passes::partition
