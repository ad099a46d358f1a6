// Carries out loop programs: tile by tile, with registers in the first-level cache.
#pragma once

#include <memory>
#include <span>

#include "runtime/core/tensor.h"
#include "runtime/loops/instructions.h"

namespace descry::runtime {

/// A program made ready to run: which memory each register takes, and which loop each instruction runs. Used
/// by several threads at once.
class LoopCode {
 public:
  explicit LoopCode(LoopProgram program);

  const LoopProgram& program() const { return program_; }

  /// `inputs` are broadcast to the sizes of the outputs, which are all the same. Outputs may be inputs, but
  /// must not overlap them otherwise, nor one another. Throws `shape-mismatch`, and `zero-division` of
  /// integers.
  void run(std::span<const View> inputs, std::span<const LoopNumber> parameters,
           std::span<const View> outputs) const;

 private:
  friend class BoundLoop;
  static constexpr int64_t kTile = 512;
  struct Step {
    LoopKernel kernel = nullptr;
    int32_t result = -1;
    std::array<int32_t, 3> operands = {-1, -1, -1};
    int32_t target = -1;  ///< of control: where to go
    bool leaves = false, repeats = false;
  };
  struct Walk;
  class Ahead;
  void layOut(Walk& walk, std::span<const View> inputs, std::span<const View> outputs) const;
  void runAll(const Walk& walk, std::span<const LoopNumber> parameters) const;
  void runRange(const Walk& walk, std::span<const LoopNumber> parameters, int64_t from, int64_t to) const;

  LoopProgram program_;
  std::vector<int32_t> slotOf_;     ///< by register
  std::vector<size_t> slotBytes_;   ///< of one element, by slot
  std::vector<size_t> slotOffset_;  ///< in the memory of a tile
  size_t tileBytes_ = 0;
  std::vector<Step> uniform_, steps_;  ///< once; for each tile
  std::vector<bool> writtenByStep_;    ///< by register: by an instruction that runs for each tile
  int64_t cost_ = 1;                   ///< of an element, in additions
};

/// A program with the layouts of its operands worked out, for many runs. One thread at a time.
class BoundLoop {
 public:
  /// As LoopCode::run. The code outlives this.
  BoundLoop(const LoopCode& code, std::span<const View> inputs, std::vector<LoopNumber> parameters,
            std::span<const View> outputs);
  BoundLoop(BoundLoop&&) noexcept;
  BoundLoop& operator=(BoundLoop&&) noexcept;
  ~BoundLoop();

  /// Other memory, laid out alike. What lay in one piece of memory still does, what did not still does not.
  void setInput(size_t k, std::byte* data);
  void setOutput(size_t k, std::byte* data);
  void run() const;

 private:
  const LoopCode* code_;
  std::unique_ptr<LoopCode::Walk> walk_;
  std::vector<LoopNumber> parameters_;
};

}  // namespace descry::runtime
