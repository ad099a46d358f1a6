// What a plan keeps ready between runs. For the files of this folder only.
#pragma once

#include <deque>

#include "runtime/plan/epilogue.h"
#include "runtime/plan/plan.h"

namespace descry::runtime {

struct Plan::Prepared {
  struct LoopStep {
    std::unique_ptr<LoopCode> code;
    GroupLoop loop;
    std::optional<BoundLoop> bound;
    std::vector<std::pair<size_t, size_t>> inputs, outputs;  ///< operand, buffer: those whose memory changes
  };
  std::vector<LoopStep> loops;              ///< by step
  std::deque<std::optional<Call>> kernels;  ///< by step
  std::vector<RowStep> rowSteps;            ///< by step
  std::vector<std::unique_ptr<RowRunner>> rows;
  std::vector<std::optional<Epilogue>> epilogues;  ///< by step of a product: the loop that runs on its blocks
  std::vector<size_t> productOf;  ///< by step of such a loop; else as many as there are steps
  std::vector<bool> followed;     ///< by step of a product: its loop has run
  bool bound = false;
};

}  // namespace descry::runtime
