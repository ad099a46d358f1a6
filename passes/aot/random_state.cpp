#include "passes/aot/random_state.h"

namespace descry::passes {

namespace {
/// A number of 64 bits in memory of the CPU, whatever the device of the random ops is.
Meta stateMeta() {
  Meta m;
  m.dtype = ir::DType::I64;
  return m;
}
}  // namespace

FunctionalizeRng functionalizeRngOf(std::string_view word) {
  return word == "cuda"         ? FunctionalizeRng::Cuda
         : word == "any-device" ? FunctionalizeRng::AnyDevice
                                : FunctionalizeRng::Off;
}

RandomState::RandomState(Tracer& tracer, const AotOptions& options, bool needsSubclasses) : tracer_(tracer) {
  if (options.functionalizeRng == FunctionalizeRng::Off) return;
  if (needsSubclasses)
    throw EvalError(
        "rng-subclass",
        "random ops are functionalized, and an input or output is a tensor of a wrapper subclass: PyTorch "
        "takes "
        "subclasses apart without the seeds and offsets, and fails (missing 4 required positional arguments: "
        "'fwd_seed', 'fwd_base_offset', 'bwd_seed', and 'bwd_base_offset')");
  state_ = std::make_shared<FunctionalRandom>(options.functionalizeRng);
  state_->root = &tracer;
  tracer.functionalRandom = state_;
}

void RandomState::place(ir::Graph& graph, TensorRef& seed, TensorRef& offset, const std::string& seedName,
                        const std::string& offsetName, ir::DescKind seedDesc, ir::DescKind offsetDesc) {
  const auto placeholder = [&](const std::string& name, ir::DescKind kind) {
    const ir::NodeId node =
        graph.addPlaceholder(graph.str(tracer_.freshName(name)), tracer_.typeOf(stateMeta()),
                             graph.context().descriptor(ir::Descriptor::make(kind)));
    if (tracer_.facts.size() <= node.index) tracer_.facts.resize(node.index + 1);
    return tracer_.inner(node, stateMeta());
  };
  seed = placeholder(seedName, seedDesc);
  offset = placeholder(offsetName, offsetDesc);
}

void RandomState::addForward(ir::Graph& graph, const std::string& seed, const std::string& offset) {
  if (state_)
    place(graph, state_->forward.seed, state_->forward.baseOffset, seed, offset,
          ir::DescKind::PhiloxForwardSeedInput, ir::DescKind::PhiloxForwardBaseOffsetInput);
}

void RandomState::addBackward(ir::Graph& graph) {
  if (state_)
    place(graph, state_->backward.seed, state_->backward.baseOffset, "bwd_seed_1", "bwd_base_offset_1",
          ir::DescKind::PhiloxBackwardSeedInput, ir::DescKind::PhiloxBackwardBaseOffsetInput);
}

void RandomState::finish() {
  if (!state_) return;
  forwardOffset_ = FunctionalRandom::updatedOffset(tracer_, state_->forward);
  if (state_->backward.seed) backwardOffset_ = FunctionalRandom::updatedOffset(tracer_, state_->backward);
}

void RandomState::add(Results& results, const TensorRef& offset, ir::DescKind desc) const {
  results.add(ir::Argument(offset->node), tracer_.graph().context().descriptor(ir::Descriptor::make(desc)));
}

void RandomState::addForwardOffset(Results& results) const {
  if (state_) add(results, forwardOffset_, ir::DescKind::PhiloxUpdatedForwardOffsetOutput);
}

void RandomState::addBackwardOffset(Results& results) const {
  if (state_) add(results, backwardOffset_, ir::DescKind::PhiloxUpdatedBackwardOffsetOutput);
}

}  // namespace descry::passes
