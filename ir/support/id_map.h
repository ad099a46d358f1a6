// A hash map from small numbers (ids of texts, nodes, types) to values that are cheap to copy: open
// addressing in one block of memory, so that a lookup touches one line of the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace descry::ir {

template <class T>
class IdMap {
 public:
  /// The value of an id (not UINT32_MAX), made with T{} when it is new. Valid until the next call.
  T& operator[](uint32_t id) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    Slot& s = slots_[find(id)];
    if (s.id == kFree) {
      s.id = id;
      ++count_;
    }
    return s.value;
  }
  size_t size() const { return count_; }
  /// f(id, value) for each, in no order that means anything.
  template <class F>
  void forEach(F&& f) const {
    for (const Slot& s : slots_)
      if (s.id != kFree) f(s.id, s.value);
  }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;
  struct Slot {
    uint32_t id = kFree;
    T value{};
  };

  size_t find(uint32_t id) const {
    const size_t mask = slots_.size() - 1;
    // Ids come in runs: a multiply spreads them, its high bits best.
    size_t at = static_cast<size_t>((id * 0x9E3779B97F4A7C15ull) >> 32) & mask;
    while (slots_[at].id != kFree && slots_[at].id != id) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    for (Slot& s : old)
      if (s.id != kFree) slots_[find(s.id)] = std::move(s);
  }

  std::vector<Slot> slots_;
  size_t count_ = 0;
};

}  // namespace descry::ir
