// autograd_function_apply: a user's torch.autograd.Function as two subgraphs.
#include <algorithm>

#include "passes/aot/hop.h"

namespace descry::passes {

namespace {

std::vector<size_t> indices(const Value& list) {
  std::vector<size_t> out;
  if (list.isList())
    for (const Value& v : list.items()) out.push_back(static_cast<size_t>(v.toInt().known()));
  return out;
}

}  // namespace

Value runAutogradFunction(const HopCall& call) {
  for (const auto& [key, v] : call.keywords)
    if (key != "non_differentiable_idx" && key != "saved_for_backward_idx" && key != "dirty_idx")
      throw EvalError("old-form", "autograd_function_apply with the keyword " + std::string(key) +
                                      " is of an older PyTorch: its subgraphs have another form");
  const FlatFunction forward = call.body(call.at(0, "fwd")), backward = call.body(call.at(1, "bwd"));
  const std::vector<size_t> checked = indices(call.at(SIZE_MAX, "saved_for_backward_idx"));
  const auto saved = std::make_shared<Values>();

  TapeFunction f;
  f.name = "ApplyTemplate";
  f.nonDifferentiable = indices(call.at(SIZE_MAX, "non_differentiable_idx"));
  f.dirty = indices(call.at(SIZE_MAX, "dirty_idx"));
  f.forward = [forward, saved, checked](Tracer& t, const Values& in) {
    const Values out = forward(t, in);
    if (out.size() != 2 || !out[0].isList() || !out[1].isList())
      throw EvalError("old-form",
                      "the forward of autograd_function_apply has to return ((outputs), (saved values)): "
                      "this one is of an older PyTorch");
    // Held as they are: the backward reads the very tensors, whatever is written to them in between.
    *saved = out[1].items();
    if (t.recording)
      for (size_t i = 0; i < saved->size(); ++i) {
        if (std::find(checked.begin(), checked.end(), i) != checked.end()) continue;
        const Value& v = (*saved)[i];
        ir::NodeId node;
        if (Tensor* x = tensorIn(v))
          node = t.innerOf(TensorRef(x))->node;
        else if (v.symbolic())
          node = t.nodeOfNumber(v);
        if (node.valid() && node.index < t.facts.size()) t.facts[node.index].noVersionCheck = true;
      }
    return out[0].items();
  };
  f.backward = [backward, saved](Tracer& t, const Values& grads) {
    Values in = grads;
    in.insert(in.end(), saved->begin(), saved->end());
    return backward(t, in);
  };
  return Value::tuple(applyFunction(call.tracer, call.rest(2), std::move(f)));
}

}  // namespace descry::passes
