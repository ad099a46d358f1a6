// Random numbers as functions of a state that comes in and goes out:
// torch._functorch.config.functionalize_rng_ops.
#pragma once

#include "passes/autodiff/tracer.h"

namespace descry::passes {

/// Where random numbers are made functions of a seed and an offset.
enum class FunctionalizeRng : uint8_t {
  Off,
  Cuda,      ///< as PyTorch does: an op on another device is refused
  AnyDevice  ///< as PyTorch's own tests do: all devices count as CUDA
};

/// The state of the generator while a graph is traced (PhiloxStateTracker). Forward and backward have one
/// each: a seed, an offset, and what was consumed since, which is a tensor from the first random op on.
class FunctionalRandom {
 public:
  explicit FunctionalRandom(FunctionalizeRng which) : which_(which) {}

  struct State {
    TensorRef seed, baseOffset;
    Value consumed = Value(Int(0));
    bool used = false;
  };
  State forward, backward;

  void beginBackward() { running_ = &backward; }
  /// Uniform samples by rngprims::philox_rand. Throws `rng-device`, and `rng-subgraph` in a graph other than
  /// that of the inputs: what is traced into a subgraph has no access to them.
  Value rand(Tracer& tracer, const Value& size, const Value& dtype, const Value& device);
  /// The offset after everything that was drawn: a multiple of four.
  static TensorRef updatedOffset(Tracer& tracer, const State& state);

  const Tracer* root = nullptr;  ///< whose graph has the inputs

 private:
  FunctionalizeRng which_;
  State* running_ = &forward;
};

}  // namespace descry::passes
