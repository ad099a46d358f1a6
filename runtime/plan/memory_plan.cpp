#include "runtime/plan/memory_plan.h"

#include <algorithm>
#include <numeric>

namespace descry::runtime {

namespace {
/// Placing by size compares each buffer with all others.
constexpr size_t kMostBySize = 4096;
}  // namespace

MemoryPlan planMemory(const std::vector<Lifetime>& buffers) {
  constexpr size_t kAlignment = MemoryPlan::kAlignment;
  const auto aligned = [](size_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; };
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // Very many are placed in the order in which they are made: only those that still live have to be looked
  // at.
  const bool inOrder = buffers.size() > kMostBySize;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return inOrder ? buffers[a].first < buffers[b].first : buffers[a].bytes > buffers[b].bytes;
  });
  MemoryPlan plan;
  plan.offsets.assign(buffers.size(), 0);
  std::vector<size_t> placed;  // by offset
  for (const size_t k : order) {
    const size_t need = aligned(buffers[k].bytes);
    if (need == 0) continue;
    if (inOrder) std::erase_if(placed, [&](size_t other) { return buffers[other].last < buffers[k].first; });
    // Behind what has been passed so far; gaps only count between buffers that live at the same time.
    size_t end = 0, best = 0, bestGap = 0;
    bool found = false;
    for (const size_t other : placed) {
      if (!buffers[other].meets(buffers[k])) continue;
      const size_t begin = plan.offsets[other];
      if (begin >= end + need && (!found || begin - end < bestGap)) {
        found = true;
        best = end;
        bestGap = begin - end;
      }
      end = std::max(end, begin + aligned(buffers[other].bytes));
    }
    plan.offsets[k] = found ? best : end;
    plan.bytes = std::max(plan.bytes, plan.offsets[k] + need);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), k,
                                   [&](size_t a, size_t b) { return plan.offsets[a] < plan.offsets[b]; }),
                  k);
  }
  return plan;
}

}  // namespace descry::runtime
