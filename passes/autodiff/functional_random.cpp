#include "passes/autodiff/functional_random.h"

namespace descry::passes {

using ir::rules::BinaryOp;

namespace {
/// Python's operators, of tensors below functionalization.
Value apply(Tracer& tracer, const Value& a, BinaryOp op, const Value& b) {
  return tracer.rules().binary(op, a, b, true);
}
}  // namespace

Value FunctionalRandom::rand(Tracer& tracer, const Value& size, const Value& dtype, const Value& device) {
  if (which_ == FunctionalizeRng::Cuda && !device.isNone()) {
    const std::string name = ir::eval::deviceText(device.asDevice());
    const std::string kind = name.substr(0, name.find(':'));
    if (kind != "cuda")
      throw EvalError("rng-device",
                      "You are trying to functionalize a " + kind + " RNG operator but " + kind +
                          " does not use Philox/counter-based RNG. Therefore, functionalizing a " + kind +
                          " RNG operator is not supported (--functionalize-rng any-device takes every "
                          "device for CUDA, as PyTorch's tests do)");
  }
  if (&tracer != root)
    throw EvalError("rng-subgraph",
                    "a random op in a subgraph of a higher-order op: its seed and offset are inputs of the "
                    "outer graph, and "
                    "PyTorch's tracing fails here with an unexpected fake buffer");
  State& state = *running_;
  const Value offset = apply(tracer, Value(state.baseOffset), BinaryOp::Add, state.consumed);
  const Value drawn =
      tracer.exact("rngprims.philox_rand.default", {size, Value(state.seed), offset, Value(), device, dtype});
  state.consumed = apply(tracer, state.consumed, BinaryOp::Add, drawn.items().at(1));
  state.used = true;
  return drawn.items().at(0);
}

TensorRef FunctionalRandom::updatedOffset(Tracer& tracer, const State& state) {
  if (!state.used) return state.baseOffset;
  return tracer.below([&] {
    Value offset = apply(tracer, Value(state.baseOffset), BinaryOp::Add, state.consumed);
    offset = apply(tracer, offset, BinaryOp::Add, Value(3));
    offset = apply(tracer, offset, BinaryOp::FloorDiv, Value(4));
    return TensorRef(tensorIn(apply(tracer, offset, BinaryOp::Mul, Value(4))));
  });
}

}  // namespace descry::passes
