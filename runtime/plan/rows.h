// Steps that go over some rows at a time.
//
// A row is what lies behind the first dimensions of a tensor. Softmax, norms and reductions over the last
// dimensions give each row a result of its own, as loops do. Steps that follow each other and mix no rows are
// therefore run together: all of them on a few rows, then on the next ones. What they give one another stays
// in the caches, and what nobody else reads has no memory but that of these few rows.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/interpreter/kernel.h"
#include "runtime/plan/regions.h"

namespace descry::runtime {

struct RowLimits {
  bool join = true;
  int64_t elements = 32768;          ///< of the largest tensor: less is not worth the trouble
  int64_t bytes = int64_t{1} << 18;  ///< of all tensors at a time
  size_t steps = 64;                 ///< that run together
};

/// A step of a plan, as far as rows are concerned.
struct RowStep {
  const GroupLoop* loop = nullptr;  ///< with its code
  const LoopCode* code = nullptr;
  const PlannedOp* kernel = nullptr;
  bool joins() const { return loop || kernel; }
};

/// The steps from `first` to `last`.
struct RowRange {
  size_t first = 0, last = 0;
  Dims rows;       ///< the dimensions that no step mixes
  size_t cut = 0;  ///< of these, the one of which `take` are taken at a time: earlier ones one by one, later
                   ///< ones whole
  int64_t take = 1, blocks = 0;
};

/// Ranges of at least two steps, one of which is a reduction or norm, that read one another's results.
std::vector<RowRange> findRows(std::span<const RowStep> steps, const RowLimits& limits);

/// Whether a result of step `at` may be written, row on row, where `from` lies, whose values are not needed
/// after the range.
bool takesRowsOf(const RowRange& range, std::span<const RowStep> steps, const Storage& from, const Tensor& to,
                 size_t at);

/// Runs a range. Tensors lie where their storages say at the time of a run, but for those of `inside`, which
/// have memory of their own.
class RowRunner {
 public:
  /// The steps outlive this.
  RowRunner(const RowRange& range, std::span<const RowStep> steps, std::vector<const Storage*> inside,
            Machine& machine);
  ~RowRunner();

  /// `failed` is told the step, and throws. `shares`: when given, what part of the time each step takes.
  void run(const std::function<void(size_t, const EvalError&)>& failed,
           std::vector<double>* shares = nullptr);

 private:
  struct Operand;
  struct Block;
  std::unique_ptr<Block> makeBlock(int64_t take) const;
  void makeBlocks();
  void runBlock(int64_t index, std::vector<double>* seconds);
  std::unique_ptr<Block> borrow(int64_t take);

  RowRange range_;
  std::vector<RowStep> steps_;
  std::vector<const Storage*> inside_;
  Machine& machine_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> free_;
};

}  // namespace descry::runtime
