// Which values to keep when only so much memory may be used.
#pragma once

#include <cstdint>
#include <vector>

namespace descry::passes::partition {

/// Items by number: those worth keeping, the others may be recomputed.
struct KnapsackResult {
  std::vector<uint32_t> saved, recomputable;
};

/// Saves as much run time as fits. `memory` and `capacity` are fractions; the dynamic program counts in steps
/// of 1/10000 and its times are single precision, as PyTorch's. Cost: items * capacity * 10000.
KnapsackResult dynamicKnapsack(const std::vector<double>& memory, const std::vector<double>& runtime,
                               double capacity);
/// By run time saved a byte, greatest first.
KnapsackResult greedyKnapsack(const std::vector<double>& memory, const std::vector<double>& runtime,
                              double capacity);

}  // namespace descry::passes::partition
