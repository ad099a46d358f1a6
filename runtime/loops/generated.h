// Machine code for parts of loop programs, made while running.
//
// The loops of instructions.h carry out one instruction each, and values lie in the first-level cache between
// them. Here several instructions that follow each other become one loop, in which values stay in vector
// registers: what memory bounds then runs as fast as memory does. It gives the same numbers, bit by bit but
// for the payload of NaN. Used on x86 with AVX-512 and where Xbyak was found when this was built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/loops/instructions.h"

namespace descry::runtime {

class GeneratedLoop {
 public:
  virtual ~GeneratedLoop() = default;
  /// `slots`: where registers lie; n elements of each. `streams`: what goes out is written past the caches;
  /// its memory starts at a multiple of 64 bytes.
  void run(std::byte* const* slots, int64_t n, bool streams) const { function(slots, n, streams); }

 protected:
  using Function = void (*)(std::byte* const* slots, int64_t n, int64_t streams);
  Function function = nullptr;
};

/// What a program looks like to the code for a part of it.
struct LoopParts {
  const LoopProgram& program;
  std::span<const int32_t> slotOf;   ///< by register
  const std::vector<bool>& uniform;  ///< by register: the same number for all elements
  const std::vector<bool>& once;     ///< by instruction: carried out ahead of the tiles
  const std::vector<bool>& varies;   ///< by register: written by several instructions
};

/// Whether loops can be generated on this machine.
bool canGenerateLoops();

/// Whether there is code for an instruction.
bool hasCode(const LoopParts& parts, const LoopInstruction& instruction);

/// One loop for as many of the instructions [from, to) as fit, all of which have code; `to` becomes the end.
/// Registers that others read, or that go out, are written to their slots. `loadsFirst`: of some elements
/// everything is read before anything is written, so that results may lie where operands do. Null when that
/// takes too many registers, and when no memory can be made executable.
std::unique_ptr<GeneratedLoop> generateLoop(const LoopParts& parts, size_t from, size_t& to, bool loadsFirst);

/// The loop of one instruction that generated code has in a form of its own, so that a number has the same
/// result in both; null for others.
LoopKernel generatedKernel(LoopOp op, LoopType type);

}  // namespace descry::runtime
