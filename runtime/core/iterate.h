// Walks several layouts of equal sizes at once, in as few and as long runs as they allow.
#pragma once

#include <array>
#include <functional>
#include <span>

#include "runtime/core/tensor.h"
#include "runtime/core/threads.h"

namespace descry::runtime {

/// Operands of up to kMost layouts that are broadcast to the sizes of the first. Dimensions are ordered by
/// the strides of the first and joined where all operands allow it.
class Iteration {
 public:
  static constexpr size_t kMost = 12;
  /// Throws `shape-mismatch` when an operand cannot be broadcast.
  explicit Iteration(std::span<const View> operands);
  Iteration(std::initializer_list<View> operands)
      : Iteration(std::span<const View>(operands.begin(), operands.size())) {}

  int64_t numel() const { return numel_; }
  /// Length of the innermost runs, and the strides of the operands in them (bytes).
  int64_t innerSize() const { return sizes_.empty() ? 1 : sizes_[0]; }
  int64_t innerStride(size_t operand) const { return sizes_.empty() ? 0 : strides_[operand][0]; }

  /// Calls f(pointers, strides, n): n elements of each operand, `strides` in bytes. On this thread.
  template <class F>
  void forEachRun(F&& f) const {
    run(0, numel_, f);
  }
  /// The same on several threads; runs of different threads do not meet.
  template <class F>
  void forEachRunParallel(F&& f, int64_t grain = 16384) const {
    parallelFor(0, numel_, grain, [&](int64_t from, int64_t to) { run(from, to, f); });
  }

 private:
  template <class F>
  void run(int64_t from, int64_t to, F&& f) const {
    if (from >= to) return;
    const int64_t inner = innerSize();
    std::array<std::byte*, kMost> at{};
    std::array<int64_t, kMost> step{};
    for (size_t k = 0; k < count_; ++k) step[k] = innerStride(k);
    Dims index(sizes_.size(), 0);
    int64_t rest = from;
    for (size_t d = 0; d < sizes_.size(); ++d) {
      index[d] = rest % sizes_[d];
      rest /= sizes_[d];
    }
    for (int64_t done = from; done < to;) {
      for (size_t k = 0; k < count_; ++k) {
        int64_t offset = 0;
        for (size_t d = 0; d < sizes_.size(); ++d) offset += index[d] * strides_[k][d];
        at[k] = data_[k] + offset;
      }
      const int64_t first = sizes_.empty() ? 0 : index[0];
      const int64_t n = std::min(inner - first, to - done);
      f(at.data(), step.data(), n);
      done += n;
      if (sizes_.empty()) break;
      index[0] = 0;
      for (size_t d = 1; d < sizes_.size(); ++d) {
        if (++index[d] < sizes_[d]) break;
        index[d] = 0;
      }
    }
  }

  size_t count_ = 0;
  int64_t numel_ = 0;
  Dims sizes_;  ///< fastest first
  std::array<Dims, kMost> strides_;
  std::array<std::byte*, kMost> data_{};
};

/// f(T& a) or f(T& a, const U& b) ... for each element: `forEach<float, int64_t>(f, out, index)`.
template <class... T, class F, class... V>
void forEach(F&& f, const V&... views) {
  static_assert(sizeof...(T) == sizeof...(V));
  ((holdsElementsOf<T>(views.dtype) ? void() : refuseElements(views.dtype)), ...);
  const Iteration it{views...};
  it.forEachRun([&](std::byte* const* at, const int64_t* step, int64_t n) {
    [&]<size_t... I>(std::index_sequence<I...>) {
      for (int64_t i = 0; i < n; ++i) f(*reinterpret_cast<T*>(at[I] + i * step[I])...);
    }
    (std::index_sequence_for<T...>{});
  });
}
template <class... T, class F, class... V>
void forEachParallel(F&& f, const V&... views) {
  static_assert(sizeof...(T) == sizeof...(V));
  ((holdsElementsOf<T>(views.dtype) ? void() : refuseElements(views.dtype)), ...);
  const Iteration it{views...};
  it.forEachRunParallel([&](std::byte* const* at, const int64_t* step, int64_t n) {
    [&]<size_t... I>(std::index_sequence<I...>) {
      for (int64_t i = 0; i < n; ++i) f(*reinterpret_cast<T*>(at[I] + i * step[I])...);
    }
    (std::index_sequence_for<T...>{});
  });
}

}  // namespace descry::runtime
