// Seeds and offsets among the inputs and outputs of traced graphs (create_functionalized_rng_ops_wrapper).
// Private to passes/aot.
#pragma once

#include "passes/aot/boundary.h"
#include "passes/autodiff/functional_random.h"

namespace descry::passes {

/// The random state of one trace. Does nothing where the option is off.
class RandomState {
 public:
  RandomState(Tracer& tracer, const AotOptions& options, bool needsSubclasses);

  bool on() const { return static_cast<bool>(state_); }
  /// Seed and base offset as placeholders behind all others; `names` by their order in the graph.
  void addForward(ir::Graph& graph, const std::string& seed, const std::string& offset);
  void addBackward(ir::Graph& graph);
  /// From here on random ops draw from the state of the backward.
  void beginBackward() {
    if (state_) state_->beginBackward();
  }
  /// Writes down the offsets that the graph returns, after everything else.
  void finish();
  /// After the results of the forward and of the backward.
  void addForwardOffset(Results& results) const;
  void addBackwardOffset(Results& results) const;

 private:
  void place(ir::Graph& graph, TensorRef& seed, TensorRef& offset, const std::string& seedName,
             const std::string& offsetName, ir::DescKind seedDesc, ir::DescKind offsetDesc);
  void add(Results& results, const TensorRef& offset, ir::DescKind desc) const;

  Tracer& tracer_;
  std::shared_ptr<FunctionalRandom> state_;
  TensorRef forwardOffset_, backwardOffset_;
};

}  // namespace descry::passes
