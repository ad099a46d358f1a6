// Random programs on small tensors: the captured graph as text, and the same program run statement by
// statement.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/evaluator.h"

namespace descry::test {

/// Memory that inputs lie in.
struct ProgramStorage {
  Sizes sizes;  ///< of the tensor that it was made for; contiguous
  bool requiresGrad = false;
  bool tracked = false;  ///< its inputs are views of that tensor for autograd
  std::vector<double> values;
};

struct ProgramInput {
  size_t storage = 0;
  Sizes sizes, strides;
  int64_t offset = 0;
  bool isView = false;  ///< not the tensor that the storage was made for
  std::optional<size_t> sameAs;
};

/// `v5 = v1.mul_(v2)`. Values are numbered: inputs first, then one a statement.
struct Statement {
  std::string text;  ///< with {0}, {1} for the operands
  bool assigns =
      false;  ///< the text is a statement of its own, such as `{0}[1] = {1}`; the value is operand 0
  std::vector<size_t> operands;
  std::function<Item(const std::vector<Item>&)> run;
};

struct Program {
  std::vector<ProgramStorage> storages;
  std::vector<ProgramInput> inputs;
  std::vector<Statement> statements;
  std::vector<size_t> outputs;  ///< values

  /// As TORCH_TRACE prints captured graphs.
  std::string text() const;
  /// Tensors on copies of the storages, which are returned too.
  std::vector<Item> makeInputs(std::vector<std::shared_ptr<std::vector<double>>>& storages) const;
  /// Values of all statements, in order.
  std::vector<Item> run(std::vector<Item> inputs) const;
  /// Without statement `at` and all that read it, and without outputs that are gone with it.
  Program without(size_t at) const;
};

class ProgramGenerator {
 public:
  explicit ProgramGenerator(uint64_t seed) : random_(seed) {}
  Program next();

 private:
  friend class ProgramWriter;
  std::mt19937_64 random_;
};

}  // namespace descry::test
