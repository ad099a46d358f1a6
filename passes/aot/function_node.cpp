// A user's function on the tape: one node whose backward is code, with PyTorch's rules for outputs that are
// views, inputs, or marked.
#include <algorithm>

#include "ir/ops/eval/promotion.h"
#include "passes/aot/hop.h"

namespace descry::passes {

namespace {

struct FunctionNode : AutogradNode, CustomFunctionMark {
  std::string label;
  std::function<Values(Tracer&, const Values&)> backward;
  std::vector<std::optional<Meta>> outputs;  ///< absent for what is no tensor
  std::vector<size_t> argumentOf;            ///< by edge
  size_t arguments = 0;
  bool zeros = true;

  std::string name() const override { return label; }
  void release() override {
    next.clear();
    backward = {};
  }

  Values apply(Tracer& tracer, Values grads, const std::vector<bool>&) override {
    // Missing gradients are made up before the user's code runs, in the dtype of the output whatever that is.
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (i >= grads.size()) grads.emplace_back();
      if (!zeros || !grads[i].isNone() || !outputs[i]) continue;
      const Meta& m = *outputs[i];
      grads[i] = tracer.op("zeros", {Value(m.sizes)},
                           {{"dtype", Value::dtype(m.dtype)},
                            {"layout", Value::layout(ir::eval::Layout::Strided)},
                            {"device", Value::device(m.device)}});
    }
    grads.resize(outputs.size());
    // The code may leave grad mode as it likes.
    struct Restore {
      bool& mode;
      bool was;
      ~Restore() { mode = was; }
    } restore{tracer.gradMode, tracer.gradMode};
    Values found = backward(tracer, grads);
    while (found.size() > arguments && found.back().isNone()) found.pop_back();
    if (found.size() != arguments)
      throw EvalError("gradient-count",
                      "function " + label + "Backward returned an incorrect number of gradients (expected " +
                          std::to_string(arguments) + ", got " + std::to_string(found.size()) + ")");
    for (size_t i = 0; i < found.size(); ++i)
      if (!found[i].isNone() && std::find(argumentOf.begin(), argumentOf.end(), i) == argumentOf.end())
        throw EvalError(
            "gradient-for-non-tensor",
            "function " + label + "Backward returned a gradient different from None at position " +
                std::to_string(i + 1) + ", but the corresponding forward input was not a Variable");
    Values out;
    for (size_t a : argumentOf) out.push_back(found[a]);
    return out;
  }
};

bool contains(const std::vector<size_t>& list, size_t i) {
  return std::find(list.begin(), list.end(), i) != list.end();
}

}  // namespace

Values applyFunction(Tracer& tracer, const Values& args, TapeFunction f) {
  Ref<FunctionNode> node;
  if (tracer.gradMode && anyRequiresGrad(tracer, args)) {
    node = make<FunctionNode>();
    node->label = f.name;
    node->arguments = args.size();
    node->zeros = f.zeros;
    tracer.record(node);
    for (size_t i = 0; i < args.size(); ++i)
      if (Tensor* t = tensorIn(args[i])) {
        node->argumentOf.push_back(i);
        node->next.push_back(tracer.gradientEdge(TensorRef(t)));
      }
  }
  Values outputs;
  {
    struct Restore {
      bool& mode;
      bool was;
      ~Restore() { mode = was; }
    } restore{tracer.gradMode, tracer.gradMode};
    tracer.gradMode = false;
    outputs = f.forward(tracer, args);
  }
  const auto isInput = [&](const Tensor* t) {
    return std::any_of(args.begin(), args.end(), [&](const Value& v) { return tensorIn(v) == t; });
  };
  size_t tensors = 0, carrying = 0;
  for (const Value& v : outputs) tensors += tensorIn(v) != nullptr;
  for (size_t i = 0; i < outputs.size(); ++i) {
    Tensor* t = tensorIn(outputs[i]);
    if (node) {
      node->inputs.push_back(t ? Tracer::gradMeta(t->meta) : GradMeta{});
      if (t)
        node->outputs.emplace_back(t->meta);
      else
        node->outputs.emplace_back();
    }
    if (!t) continue;
    const bool input = isInput(t), dirty = contains(f.dirty, i);
    const bool carries = node && !contains(f.nonDifferentiable, i) && differentiable(t->meta.dtype);
    const auto asView = [&] {
      const bool was = std::exchange(tracer.gradMode, false);
      outputs[i] = tracer.op("view_as", {outputs[i], outputs[i]});
      tracer.gradMode = was;
      t = tensorIn(outputs[i]);
    };
    if (!carries) {
      if (!tracer.requiresGrad(*t)) {
        if (input && !dirty) asView();
      } else if (input) {
        outputs[i] = tracer.op("detach", {outputs[i]});
        t = tensorIn(outputs[i]);
      } else if (!t->isView()) {
        t->gradFn = {};
        t->requiresGrad = false;
      }
    } else if (dirty) {
      if (tracer.requiresGrad(*t) && tracer.isLeaf(*t))
        throw EvalError("leaf-mutation",
                        "a leaf Variable that requires grad has been used in an in-place operation.");
      if (t->isView() && tensors > 1)
        throw EvalError("dirty-view",
                        "If your Function modifies inplace an input that is a view of another Tensor, your "
                        "Function cannot return more than one Tensor.");
      tracer.rebaseHistory(TensorRef(t), node);
    } else {
      if (input) asView();
      tracer.setGradientEdge(*t, {node, static_cast<uint32_t>(i)});
    }
    carrying += carries;
    if (!(input && dirty) && t->isView()) t->view.own().origin = ViewOrigin::InCustomFunction;
  }
  if (carrying > 1)
    for (const Value& v : outputs)
      if (Tensor* t = tensorIn(v); t && t->isView()) t->view.own().origin = ViewOrigin::MultiOutput;
  if (node && f.keep) f.keep(tracer, outputs);
  if (node) node->backward = std::move(f.backward);
  return outputs;
}

void Kept::keep(Tracer& tracer, const Values& values, bool outputs) {
  for (const Value& v : values) values_.push_back(tracer.save(v, outputs));
}

Values Kept::give(Tracer& tracer, std::string_view name) const {
  Values out;
  for (const Tracer::Saved& s : values_) out.push_back(tracer.unpack(s, name));
  return out;
}

std::vector<bool> requiringGrad(const Tracer& tracer, const Values& values) {
  std::vector<bool> out;
  for (const Value& v : values) {
    const Tensor* t = tensorIn(v);
    out.push_back(t && tracer.requiresGrad(*t));
  }
  return out;
}

bool anyRequiresGrad(const Tracer& tracer, const Values& values) {
  return std::any_of(values.begin(), values.end(), [&](const Value& v) {
    const Tensor* t = tensorIn(v);
    return t && tracer.requiresGrad(*t);
  });
}

}  // namespace descry::passes
