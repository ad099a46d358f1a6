// AppendStore<T>: a list that only grows and never moves its elements, so that readers in other threads
// may use elements that were published to them while one writer appends.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

namespace descry::ir {

template <class T>
class AppendStore {
 public:
  AppendStore() = default;
  AppendStore(const AppendStore&) = delete;
  AppendStore& operator=(const AppendStore&) = delete;
  ~AppendStore() {
    for (auto& slot : blocks_) delete[] slot.load(std::memory_order_relaxed);
  }

  uint32_t size() const { return size_.load(std::memory_order_acquire); }

  const T& operator[](uint32_t index) const {
    const auto [block, offset] = place(index);
    return blocks_[block].load(std::memory_order_acquire)[offset];
  }

  /// One thread at a time. Returns the index of the new element.
  uint32_t append(T value) {
    const uint32_t index = size_.load(std::memory_order_relaxed);
    const auto [block, offset] = place(index);
    T* data = blocks_[block].load(std::memory_order_relaxed);
    if (!data) {
      data = new T[size_t{kFirst} << block];
      blocks_[block].store(data, std::memory_order_release);
    }
    data[offset] = std::move(value);
    size_.store(index + 1, std::memory_order_release);
    return index;
  }

 private:
  static constexpr uint32_t kFirst = 64;  // block b holds kFirst << b elements

  static std::pair<uint32_t, uint32_t> place(uint32_t index) {
    const uint64_t shifted = uint64_t{index} + kFirst;
    const uint32_t block = static_cast<uint32_t>(std::bit_width(shifted) - std::bit_width(uint64_t{kFirst}));
    return {block, static_cast<uint32_t>(shifted - (uint64_t{kFirst} << block))};
  }

  std::array<std::atomic<T*>, 27> blocks_{};
  std::atomic<uint32_t> size_{0};
};

}  // namespace descry::ir
