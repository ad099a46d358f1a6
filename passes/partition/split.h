// Turns a choice of saved values into a forward and a backward graph.
#pragma once

#include <string>
#include <vector>

#include "passes/partition/classify.h"
#include "passes/partition/extract.h"

namespace descry::passes::partition {

/// Items that the forward graph hands to the backward graph, each list in joint order at first.
struct SavedLists {
  std::vector<uint32_t> tensors, symbols, opaque;
};

struct Split {
  Extract forward, backward;
  SavedLists saved;                    ///< what is left, in the order in which it crosses
  uint32_t checkedTensors = 0;         ///< the first ones of saved.tensors: with version check
  std::vector<uint32_t> pruned;        ///< chosen, but not read
  std::vector<uint32_t> boundForSize;  ///< symbols added because types mention them
};

/// Drops what the backward graph does not read, adds the size symbols that types there mention, and puts
/// tensors without version check last. Errors: those of extract.
ir::Result<Split> split(const Joint& joint, const NodeSets& sets, SavedLists chosen);

}  // namespace descry::passes::partition
