#include "passes/partition/knapsack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace descry::passes::partition {

KnapsackResult dynamicKnapsack(const std::vector<double>& memory, const std::vector<double>& runtime,
                               double capacity) {
  constexpr double kSteps = 10000;
  const size_t n = memory.size();
  const auto columns = static_cast<size_t>(std::nearbyint(std::max(capacity, 0.0) * kSteps)) + 1;
  std::vector<float> best(columns, 0), before;
  std::vector<std::vector<bool>> better(n);  // by item and column: taking the item changes the best time
  std::vector<size_t> size(n);
  for (size_t i = 0; i < n; ++i) {
    const double steps = std::nearbyint(memory[i] * kSteps);
    size[i] = steps >= static_cast<double>(columns) ? columns : static_cast<size_t>(steps);
    before = best;
    better[i].assign(columns, false);
    const auto time = static_cast<float>(runtime[i]);
    for (size_t j = size[i]; j < columns; ++j) {
      const float with = before[j - size[i]] + time;
      best[j] = size[i] == 0 ? with : std::max(before[j], with);
      better[i][j] = best[j] != before[j];
    }
  }
  KnapsackResult out;
  size_t j = columns - 1;
  for (size_t i = n; i-- > 0;) {
    if (better[i][j]) {
      out.saved.push_back(static_cast<uint32_t>(i));
      j -= size[i];
    } else {
      out.recomputable.push_back(static_cast<uint32_t>(i));
    }
  }
  std::reverse(out.saved.begin(), out.saved.end());
  return out;
}

KnapsackResult greedyKnapsack(const std::vector<double>& memory, const std::vector<double>& runtime,
                              double capacity) {
  std::vector<uint32_t> items(memory.size());
  std::iota(items.begin(), items.end(), 0u);
  const auto gain = [&](uint32_t i) {
    return memory[i] > 0 ? runtime[i] / memory[i] : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(items.begin(), items.end(), [&](uint32_t a, uint32_t b) { return gain(a) > gain(b); });
  KnapsackResult out;
  double used = 0;
  for (uint32_t i : items) {
    if (used + memory[i] <= capacity) {
      used += memory[i];
      out.saved.push_back(i);
    } else {
      out.recomputable.push_back(i);
    }
  }
  return out;
}

}  // namespace descry::passes::partition
