// What is to be done with the blocks of a product that a kernel makes, asked for by who calls the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace descry::runtime {

struct GemmBlock;
struct Gemm;

/// While it lives, the first product of so many elements that this thread makes at `target` tells its blocks,
/// after what its own epilogue does with them. One at a time on a thread.
class GemmFollower {
 public:
  GemmFollower(const std::byte* target, int64_t elements, std::function<void(const GemmBlock&)> follow);
  ~GemmFollower();
  GemmFollower(const GemmFollower&) = delete;
  GemmFollower& operator=(const GemmFollower&) = delete;

  /// Whether there was such a product: then all of its blocks were told.
  bool taken() const { return taken_; }
  /// The one of this thread that waits for this product, and does no longer; null: none does.
  static GemmFollower* take(const Gemm& product);
  const std::function<void(const GemmBlock&)>& follow() const { return follow_; }

 private:
  const std::byte* target_;
  int64_t elements_;
  std::function<void(const GemmBlock&)> follow_;
  bool taken_ = false;
};

}  // namespace descry::runtime
