#include "runtime/core/memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

#include "ir/ops/eval/value.h"

namespace descry::runtime {

namespace {

constexpr size_t kAlignment = 64;
/// From here on blocks are mapped by themselves, in huge pages where the system has them: the first touch of
/// a small page costs more than what is computed on it.
constexpr size_t kLarge = size_t{2} << 20;
constexpr size_t kHugePage = size_t{2} << 20, kLargeStep = size_t{256} << 10;

/// Blocks come in sizes with at most an eighth to spare, so that a block fits again.
size_t rounded(size_t bytes) {
  if (bytes <= kAlignment) return kAlignment;
  // (What is left of the last huge page comes in small ones.)
  if (bytes >= kLarge) return (bytes + kLargeStep - 1) / kLargeStep * kLargeStep;
  size_t step = kAlignment;
  while (step * 16 <= bytes) step *= 2;
  return (bytes + step - 1) / step * step;
}

struct FreeList {
  size_t capacity;
  std::vector<std::byte*> blocks;
};

struct Allocator {
  std::mutex mutex;
  std::vector<FreeList> lists;  // by capacity
  MemoryCounts counts;
  uint64_t cap = 0;

  FreeList& list(size_t capacity) {
    auto at = std::lower_bound(lists.begin(), lists.end(), capacity,
                               [](const FreeList& l, size_t c) { return l.capacity < c; });
    if (at == lists.end() || at->capacity != capacity) at = lists.insert(at, {capacity, {}});
    return *at;
  }
};

// Never destroyed: storages of static objects may outlive every other one.
Allocator& allocator() {
  static Allocator& a = *new Allocator;
  return a;
}

std::byte* fromSystem(size_t capacity) {
  if (capacity < kLarge) return static_cast<std::byte*>(std::aligned_alloc(kAlignment, capacity));
  // Mapped with a huge page to spare, so that the block can begin at one.
  const size_t mapped = capacity + kHugePage;
  void* p = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<uintptr_t>(p);
  const uintptr_t aligned = (begin + kHugePage - 1) / kHugePage * kHugePage;
  if (aligned > begin) munmap(p, aligned - begin);
  const uintptr_t end = begin + mapped;
  if (end > aligned + capacity) munmap(reinterpret_cast<void*>(aligned + capacity), end - aligned - capacity);
#ifdef MADV_HUGEPAGE
  madvise(reinterpret_cast<void*>(aligned), capacity, MADV_HUGEPAGE);
#endif
  return reinterpret_cast<std::byte*>(aligned);
}

void toSystem(std::byte* block, size_t capacity) {
  if (capacity < kLarge)
    std::free(block);
  else
    munmap(block, capacity);
}

void trim(Allocator& a) {
  for (FreeList& l : a.lists) {
    for (std::byte* b : l.blocks) toSystem(b, l.capacity);
    l.blocks.clear();
  }
  a.counts.cached = 0;
}

}  // namespace

std::byte* allocateBytes(size_t bytes, size_t& capacity) {
  if (bytes > (size_t{1} << 47))
    throw ir::eval::EvalError("out-of-memory",
                              "a tensor of " + std::to_string(bytes) + " bytes is asked for");
  capacity = rounded(bytes);
  Allocator& a = allocator();
  const std::lock_guard lock(a.mutex);
  if (a.cap && a.counts.inUse + capacity > a.cap)
    throw ir::eval::EvalError("out-of-memory", "the memory cap of " + std::to_string(a.cap) +
                                                   " bytes is reached: " + std::to_string(a.counts.inUse) +
                                                   " are in use, " + std::to_string(capacity) +
                                                   " more are asked for");
  std::byte* block = nullptr;
  ++a.counts.allocations;
  if (FreeList& l = a.list(capacity); !l.blocks.empty()) {
    block = l.blocks.back();
    l.blocks.pop_back();
    a.counts.cached -= capacity;
    ++a.counts.reused;
  } else {
    block = fromSystem(capacity);
    if (!block) {
      trim(a);
      block = fromSystem(capacity);
    }
    if (!block)
      throw ir::eval::EvalError("out-of-memory",
                                "the system has no " + std::to_string(capacity) + " bytes more");
  }
  a.counts.inUse += capacity;
  a.counts.peak = std::max(a.counts.peak, a.counts.inUse);
  return block;
}

void releaseBytes(std::byte* block, size_t capacity) {
  if (!block) return;
  Allocator& a = allocator();
  const std::lock_guard lock(a.mutex);
  a.counts.inUse -= capacity;
  // Kept is at most as much as was in use at once.
  if (a.counts.cached + a.counts.inUse + capacity > a.counts.peak + kLarge) {
    toSystem(block, capacity);
    return;
  }
  a.counts.cached += capacity;
  a.list(capacity).blocks.push_back(block);
}

void setMemoryCap(uint64_t bytes) {
  Allocator& a = allocator();
  const std::lock_guard lock(a.mutex);
  a.cap = bytes;
}

uint64_t availableMemory() {
  std::ifstream in("/proc/meminfo");
  std::string key;
  for (uint64_t kilobytes = 0; in >> key;) {
    if (key == "MemAvailable:" && in >> kilobytes) {
      const MemoryCounts counts = memoryCounts();
      return kilobytes * 1024 + counts.inUse + counts.cached;
    }
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

MemoryCounts memoryCounts() {
  Allocator& a = allocator();
  const std::lock_guard lock(a.mutex);
  return a.counts;
}

void resetPeak() {
  Allocator& a = allocator();
  const std::lock_guard lock(a.mutex);
  a.counts.peak = a.counts.inUse;
}

void trimMemory() {
  Allocator& a = allocator();
  const std::lock_guard lock(a.mutex);
  trim(a);
}

}  // namespace descry::runtime
