// Carries out loop programs: tile by tile, with registers in the first-level cache.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>

#include "runtime/core/tensor.h"
#include "runtime/loops/generated.h"
#include "runtime/loops/instructions.h"

namespace descry::runtime {

/// A program made ready to run: which memory each register takes, and which loop each instruction runs. Where
/// the machine allows, what is used much gets code of its own (generated.h). Used by several threads at once.
class LoopCode {
 public:
  explicit LoopCode(LoopProgram program);

  const LoopProgram& program() const { return program_; }

  /// `inputs` are broadcast to the sizes of the outputs, which are all the same. Outputs may be inputs, but
  /// must not overlap them otherwise, nor one another. Throws `shape-mismatch`, and `zero-division` of
  /// integers.
  void run(std::span<const View> inputs, std::span<const LoopNumber> parameters,
           std::span<const View> outputs) const;

  enum class Generate : uint8_t { WhenItPays, Always, Never };
  /// For all programs, from now on. For tests and benches.
  static void setGenerate(Generate when);

 private:
  friend class BoundLoop;
  static constexpr int64_t kTile = 512;
  struct Step {
    LoopKernel kernel = nullptr;
    const GeneratedLoop* generated = nullptr;  ///< instead of a kernel
    std::vector<LoopRegister> writes;          ///< of generated: what goes out
    int32_t result = -1;
    std::array<int32_t, 3> operands = {-1, -1, -1};
    int32_t target = -1;  ///< of control: where to go
    bool leaves = false, repeats = false;
  };
  /// Steps with code made for this program.
  struct Generated {
    std::vector<std::unique_ptr<GeneratedLoop>> loops;
    std::vector<Step> steps;
    bool all = false;             ///< one loop does everything, and reads elements before it writes them
    std::vector<bool> mayStream;  ///< by register: written by one of the loops, read by nothing else
  };
  struct Walk;
  class Ahead;
  const Generated* generatedFor(int64_t elements) const;
  void generate(Generated& out) const;
  void setTargets(std::vector<Step>& steps, const std::vector<int32_t>& place) const;
  void layOut(Walk& walk, std::span<const View> inputs, std::span<const View> outputs) const;
  void runAll(const Walk& walk, std::span<const LoopNumber> parameters) const;
  void runRange(const Walk& walk, const Generated* generated, std::span<const LoopNumber> parameters,
                int64_t from, int64_t to) const;

  LoopProgram program_;
  std::vector<int32_t> slotOf_;     ///< by register
  std::vector<size_t> slotBytes_;   ///< of one element, by slot
  std::vector<size_t> slotOffset_;  ///< in the memory of a tile
  size_t tileBytes_ = 0;
  std::vector<Step> uniform_, steps_;     ///< once; for each tile
  std::vector<bool> writtenByStep_;       ///< by register: by an instruction that runs for each tile
  std::vector<bool> isUniform_;           ///< by register: the same for all elements
  std::vector<bool> once_;                ///< by instruction: carried out ahead of the tiles
  std::vector<bool> varies_;              ///< by register: written by several instructions
  std::vector<int32_t> stepOf_;           ///< by instruction
  int64_t cost_ = 1;                      ///< of an element, in additions
  mutable std::atomic<int64_t> done_{0};  ///< elements times instructions
  mutable std::once_flag generateOnce_;
  mutable std::unique_ptr<const Generated> generated_;
  mutable std::atomic<const Generated*> ready_{nullptr};
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
