// Random graphs of aten ops on small tensors, without writes: made op by op with the machine itself, so that
// every one of them runs.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "runtime/interpreter/machine.h"

namespace descry::test {

struct RandomGraph {
  std::string text;  ///< as PyTorch prints graphs
  runtime::Values inputs;
};

class GraphGenerator {
 public:
  explicit GraphGenerator(uint64_t seed) : random_(seed) {}
  RandomGraph next();
  /// Other contents of the same layouts.
  runtime::Values otherInputs(const runtime::Values& inputs);

 private:
  struct Named {
    std::string name;
    runtime::TensorRef tensor;
  };
  size_t below(size_t n) { return static_cast<size_t>(random_() % n); }
  bool chance(int percent) { return static_cast<int>(below(100)) < percent; }
  template <class T>
  const T& oneOf(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  const Named& any() { return chance(60) ? values_.back() : values_[below(values_.size())]; }
  runtime::TensorRef contents(const runtime::Dims& sizes, ir::DType dtype);
  /// Takes an op into the graph when it runs; whether it did.
  bool add(const std::string& target, std::vector<std::pair<std::string, runtime::Value>> args,
           std::vector<std::pair<std::string, std::pair<std::string, runtime::Value>>> keywords = {});
  bool pointwise();
  bool view();
  bool reduction();
  bool product();
  bool other();

  std::mt19937_64 random_;
  runtime::Machine machine_;
  std::vector<Named> values_;
  std::string body_;
  int count_ = 0;
};

}  // namespace descry::test
