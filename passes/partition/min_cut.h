// The flow network of a joint graph, and the values that its minimum cut saves.
#pragma once

#include <string>
#include <vector>

#include "ir/support/result.h"
#include "passes/partition/bans.h"

namespace descry::passes::partition {

struct SavedChoice {
  std::vector<uint32_t> saved;   ///< items on the cut, in program order
  std::vector<uint32_t> banned;  ///< in the order in which they were banned
  std::vector<BanRule> ban;      ///< by item
  std::vector<int64_t> weight;   ///< by item; -1: cannot be saved, or cannot be on the cut
  int64_t value = 0;
  std::vector<bool> overBudget;  ///< by item: would be saved if memory were not limited; may be empty
};

/// Why an item cannot be saved, in words; empty when it can.
std::string_view unsaveable(const Joint& joint, uint32_t item);

/// Each item X is an edge X.in -> X.out whose capacity is what saving X costs; dependences are infinite
/// edges. What must not be recomputed hangs on the source, what must be computed in the backward graph on the
/// sink. `released`: see Bans. Errors: `partition-infinite-path`.
ir::Result<SavedChoice> solveMinCut(const Joint& joint, const NodeSets& sets,
                                    const std::vector<int32_t>& distance, const BanRules& rules,
                                    const std::vector<bool>* released = nullptr);

/// What saving an item costs: its bytes, more when it is far from its readers in the backward graph, and
/// twice as much when it need not stand in memory otherwise. -1: it cannot be saved.
int64_t weightOf(const Joint& joint, const NodeSets& sets, const std::vector<int32_t>& distance,
                 uint32_t item);

/// Chooses the values to save under the memory budget. Errors: those of solveMinCut, `partition-budget`.
ir::Result<SavedChoice> chooseSaved(const Joint& joint, const NodeSets& sets,
                                    const std::vector<int32_t>& distance);

}  // namespace descry::passes::partition
