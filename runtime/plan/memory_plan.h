// Where buffers lie in one piece of memory: those that live at the same time lie apart.
#pragma once

#include <cstddef>
#include <vector>

namespace descry::runtime {

/// A buffer is written by step `first` and read last by step `last`.
struct Lifetime {
  size_t bytes = 0, first = 0, last = 0;

  bool meets(const Lifetime& o) const { return first <= o.last && o.first <= last; }
};

struct MemoryPlan {
  std::vector<size_t> offsets;  ///< multiples of kAlignment
  size_t bytes = 0;             ///< of the whole
  static constexpr size_t kAlignment = 64;
};

/// Large buffers are placed first (unless there are thousands), each into the smallest gap that holds it.
/// Never takes more than all of them one after the other.
MemoryPlan planMemory(const std::vector<Lifetime>& buffers);

}  // namespace descry::runtime
