// Loops that run on blocks of a product as soon as each is whole: activations, sums with what was there
// before, conversions. The block is still in the cache, and the threads of the product do it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/plan/rows.h"

namespace descry::runtime {

struct GemmBlock;

/// Step `loop` runs within step `product`, which comes before it.
struct EpilogueJoin {
  size_t product = 0, loop = 0;
};

/// Views of one loop's operands as matrices like those of the product.
class Epilogue {
 public:
  /// Nothing where the loop does not read the result of the product element on element, or where an operand
  /// does not lie as a matrix. What is given outlives this.
  static std::optional<Epilogue> of(const PlannedOp& product, const GroupLoop& loop, const LoopCode& code);

  /// Runs the loop on a block. On several threads at once, for blocks that do not meet.
  void run(const GemmBlock& block) const;
  /// Where the product lies in this run.
  const std::byte* target() const;
  int64_t elements() const { return batch_ * rows_ * columns_; }

 private:
  struct Operand {
    const Tensor* tensor = nullptr;
    int64_t batch = 0, row = 0, column = 0;  ///< strides
  };
  View viewOf(const Operand& o, const GemmBlock& block) const;
  std::optional<Operand> operandOf(const Tensor& t, const Dims& space, size_t batchDims,
                                   size_t rowDims) const;

  const Tensor* result_ = nullptr;
  const GroupLoop* loop_ = nullptr;
  const LoopCode* code_ = nullptr;
  int64_t batch_ = 1, rows_ = 0, columns_ = 0;
  std::vector<Operand> inputs_, outputs_;
};

/// Each loop at most once, each product at most once. A loop may come long after its product when all else
/// that it reads is there by then. `firstWritten`: by storage, the step that makes what lies in it; absent
/// where it is there from the start. Steps for which `taken` says so are left alone.
std::vector<EpilogueJoin> findEpilogues(std::span<const RowStep> steps, const std::vector<bool>& taken,
                                        const std::unordered_map<const Storage*, size_t>& firstWritten);

}  // namespace descry::runtime
