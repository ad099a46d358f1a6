#include "passes/autodiff/tape_nodes.h"

#include <algorithm>
#include <utility>

namespace descry::passes {

using ir::rules::GradRule;
using ir::rules::OpRules;

void OpNode::makeUpZeros(Tracer& tracer, Values& grads) const {
  for (size_t i = 0; i < grads.size() && i < inputs.size(); ++i) {
    const GradMeta& m = inputs[i];
    if (!grads[i].isNone() || !differentiable(m.dtype)) continue;
    if (i >= results.size() || results[i].value.isNone())
      throw EvalError(
          "no-shape",
          "nobody takes result " + std::to_string(i) + " of " + formulas->target() +
              ", so that nothing tells the shape of its gradient: add a shape rule to the declaration");
    grads[i] = tracer.op("zeros", {Value(m.sizes)},
                         {{"dtype", Value::dtype(m.dtype)},
                          {"layout", Value::layout(ir::eval::Layout::Strided)},
                          {"device", Value::device(m.device)}});
  }
}

Values OpNode::apply(Tracer& tracer, Values grads, const std::vector<bool>& needed) {
  Values out(next.size());
  const bool any = std::any_of(grads.begin(), grads.end(), [](const Value& g) { return !g.isNone(); });
  if (!any) return out;
  const OpRules& rules = formulas->rules();
  const ir::Schema& schema = formulas->schema();
  if (rules.undefinedGradient) return out;
  if (formulas->declared()) makeUpZeros(tracer, grads);
  if (rules.grads.empty())
    throw EvalError("not-differentiable", "derivative for " + std::string(formulas->ns()) +
                                              "::" + std::string(formulas->name()) + " is not implemented");
  // All saved tensors are unpacked first, in the order in which they were saved.
  Values base;
  for (const Tracer::Saved& s : args) base.push_back(tracer.unpack(s, name()));
  Values unpacked;
  unpacked.resize(results.size());
  for (uint32_t i : order) unpacked[i] = tracer.unpack(results[i], name());
  const bool listResult = schema.returns.size() == 1 && schema.returns[0].type.isList();
  if (listResult) {
    base.push_back(unpacked.empty() ? Value() : Value(unpacked));
    base.push_back(base.back());
  } else {
    for (size_t i = 0; i < schema.returns.size(); ++i) {
      const Value v = i < unpacked.size() ? unpacked[i] : Value();
      base.push_back(v);
      base.push_back(v);
    }
  }
  Values list = grads;
  Value first;
  for (size_t i = 0; i < grads.size(); ++i)
    if (rules.differentiable.empty() || (i < rules.differentiable.size() && rules.differentiable[i])) {
      first = grads[i];
      break;
    }
  base.push_back(listResult ? Value(unpacked) : unpacked.empty() ? Value() : unpacked[0]);
  base.push_back(first);
  base.emplace_back(std::move(list));

  OpNode* outer = std::exchange(tracer.running_, this);
  const std::vector<bool>* outerNeeds = std::exchange(tracer.runningNeeds_, &needed);
  struct Leave {
    Tracer& t;
    OpNode* node;
    const std::vector<bool>* needs;
    ~Leave() {
      t.running_ = node;
      t.runningNeeds_ = needs;
    }
  } leave{tracer, outer, outerNeeds};
  for (const GradRule& g : rules.grads) {
    if (std::none_of(g.inputs.begin(), g.inputs.end(), [&](uint32_t i) { return needs(i, needed); }))
      continue;
    Value v = tracer.rules().run(*g.body, base);
    const auto put = [&](uint32_t argument, const Value& grad) {
      for (const Span& s : spans) {
        if (s.argument != argument) continue;
        if (!s.list) {
          if (grad.isTensor()) out[s.first] = grad;
        } else if (grad.isList()) {
          for (uint32_t k = 0; k < s.count && k < grad.items().size(); ++k)
            if (grad.items()[k].isTensor()) out[s.first + k] = grad.items()[k];
        }
      }
    };
    if (g.inputs.size() == 1) {
      put(g.inputs[0], v);
    } else if (v.isList()) {
      for (size_t k = 0; k < g.inputs.size() && k < v.items().size(); ++k) put(g.inputs[k], v.items()[k]);
    }
  }
  return out;
}

Values CopySlicesNode::apply(Tracer& tracer, Values grads, const std::vector<bool>& needed) {
  Values out(next.size());
  if (grads[0].isNone()) return out;
  const Value grad = grads[0];
  const Value result = tracer.op("new_empty_strided", {grad, Value(base.sizes), Value(base.strides)});
  tracer.exact("aten.copy_.default", {result, grad});
  const Value slice = !chain ? tracer.op("as_strided", {result, Value(view.sizes), Value(view.strides),
                                                        Value(view.offset - base.offset)})
                             : tracer.replay(chain, TensorRef(tensorIn(result)));
  const Value copy = tracer.op("clone", {slice},
                               {{"memory_format", Value::memoryFormat(ir::eval::MemoryFormat::Contiguous)}});
  const Values res = inner->apply(tracer, {copy}, needed);
  for (size_t i = 0; i < res.size(); ++i) {
    if (!needed[i]) continue;
    if (res[i].isNone()) {
      if (i == 0) {
        tracer.exact("aten.zero_.default", {slice});
        out[0] = result;
      }
    } else if (i == 0) {
      tracer.exact("aten.copy_.default", {slice, res[0]});
      out[0] = result;
    } else {
      out[i] = res[i];
    }
  }
  return out;
}

Values CopyNode::apply(Tracer& tracer, Values grads, const std::vector<bool>& needed) {
  Values out(2);
  if (grads[0].isNone()) return out;
  Value grad = grads[0];
  if (needed[0])
    out[0] = tracer.op("zeros_like", {grad},
                       {{"memory_format", Value::memoryFormat(ir::eval::MemoryFormat::Contiguous)}});
  if (needed[1]) {
    if (!ir::eval::isComplex(source_.dtype) && ir::eval::isComplex(grad.meta().dtype))
      grad = tracer.op("real", {grad});
    if (grad.meta().dtype != source_.dtype || grad.meta().device != source_.device)
      grad = tracer.op("to", {grad},
                       {{"dtype", Value::dtype(source_.dtype)},
                        {"layout", Value::layout(ir::eval::Layout::Strided)},
                        {"device", Value::device(source_.device)}});
    out[1] = grad;
  }
  return out;
}

}  // namespace descry::passes
