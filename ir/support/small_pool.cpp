#include "ir/support/small_pool.h"

#include <algorithm>
#include <mutex>

namespace descry::ir {

thread_local SmallPool::Lists SmallPool::lists_;

namespace {
/// What threads that ended left behind, by size. Never destroyed: threads may end after everything else.
struct Left {
  std::mutex mutex;
  void* free[SmallPool::kLargest / SmallPool::kStep + 1] = {};
};
Left& left() {
  static Left& l = *new Left;
  return l;
}
}  // namespace

SmallPool::Lists::~Lists() {
  const std::lock_guard lock(left().mutex);
  for (size_t c = 0; c < kClasses; ++c) {
    if (!free[c]) continue;
    Block* last = free[c];
    while (last->next) last = last->next;
    last->next = static_cast<Block*>(left().free[c]);
    left().free[c] = free[c];
    free[c] = nullptr;
  }
}

void* SmallPool::refill(size_t sizeClass) {
  const size_t bytes = std::max<size_t>(sizeClass, 1) * kStep;
  {
    const std::lock_guard lock(left().mutex);
    if (void*& found = left().free[sizeClass]; found) {
      auto* b = static_cast<Block*>(found);
      found = nullptr;
      lists_.free[sizeClass] = b->next;
      return b;
    }
  }
  // Chunks of 16 KiB: a few hundred neighbours, and little waste in a program that needs few.
  const size_t count = std::max<size_t>(size_t{16 * 1024} / bytes, 8);
  auto* chunk = static_cast<std::byte*>(::operator new(count* bytes));
  for (size_t i = 1; i + 1 < count; ++i)
    reinterpret_cast<Block*>(chunk + i * bytes)->next = reinterpret_cast<Block*>(chunk + (i + 1) * bytes);
  reinterpret_cast<Block*>(chunk + (count - 1) * bytes)->next = nullptr;
  lists_.free[sizeClass] = reinterpret_cast<Block*>(chunk + bytes);
  return chunk;
}

}  // namespace descry::ir
