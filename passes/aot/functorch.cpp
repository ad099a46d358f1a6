// torch.func: grad, vjp, jvp, vmap as levels. Each op call falls from the innermost level to the one below
// it.
#include <algorithm>

#include "passes/aot/higher_order.h"
#include "passes/aot/levels.h"
#include "passes/autodiff/call_arguments.h"

namespace descry::passes {

namespace {

template <class F>
Value mapTensors(const Value& v, F&& f) {
  if (Tensor* t = tensorIn(v)) return f(t, v);
  if (!v.isList() || v.items().empty()) return v;
  Values items;
  for (const Value& i : v.items()) items.push_back(mapTensors(i, f));
  return Value(std::move(items), v.kind());
}

template <class F>
void forTensors(const Value& v, F&& f) {
  if (Tensor* t = tensorIn(v)) return f(t);
  if (v.isList())
    for (const Value& i : v.items()) forTensors(i, f);
}

}  // namespace

Value atLevel(const Ref<Level>& level, const Value& lower, int64_t batchDim) {
  auto t = make<Tensor>();
  t->extras.own().level = level;
  t->extras.own().lower = TensorRef(tensorIn(lower));
  t->extras.own().batchDim = batchDim;
  t->meta = lower.meta();
  if (batchDim >= 0) {
    t->meta.sizes.erase(t->meta.sizes.begin() + batchDim);
    t->meta.strides.erase(t->meta.strides.begin() + batchDim);
  }
  return Value(TensorRef(t));
}

void LevelStack::open(bool vmap, bool forward) {
  auto level = make<Level>();
  level->vmap = vmap;
  level->forward = forward;
  level->number = static_cast<int64_t>(stack_.size()) + 1;
  level->outerGradMode = t_.gradMode;
  stack_.push_back(level);
  active_ = stack_.size();
  // Also where nothing outside is differentiated.
  if (!vmap) t_.gradMode = true;
}

void LevelStack::close(bool vmap) {
  if (stack_.empty()) throw EvalError("bad-call", "no level of torch.func is open that could be closed");
  if (stack_.back()->vmap != vmap)
    throw EvalError("bad-call", vmap ? "the innermost level of torch.func is not one of vmap"
                                     : "the innermost level of torch.func is one of vmap");
  stack_.back()->alive = false;
  if (!stack_.back()->vmap) t_.gradMode = stack_.back()->outerGradMode;
  stack_.pop_back();
  active_ = stack_.size();
}

Ref<Level> LevelStack::numbered(int64_t number) const {
  return number >= 1 && number <= static_cast<int64_t>(stack_.size())
             ? stack_[static_cast<size_t>(number) - 1]
             : Ref<Level>();
}

Value LevelStack::stripped(const Value& v) const {
  return mapTensors(v, [](Tensor* t, const Value& as) {
    Value out = as;
    while (t->extras->level && !t->extras->level->alive) {
      out = Value(t->extras->lower);
      t = t->extras->lower.get();
    }
    return out;
  });
}

Value LevelStack::atInnermost(const Value& v) const {
  const Value here = stripped(v);
  if (active_ == 0 || !stack_[active_ - 1]->forward)
    throw EvalError("forward-mode", "dual numbers are supported inside of torch.func.jvp and its kin only");
  const Ref<Level>& top = stack_[active_ - 1];
  return tensorIn(here)->extras->level == top ? here : atLevel(top, here, -1);
}

Value LevelStack::call(const OpDef& op, Values args) {
  for (Value& v : args) v = stripped(v);
  if (active_ == 0) return t_.callHere(op, std::move(args));
  const Ref<Level> top = stack_[active_ - 1];
  if (!top->vmap) {
    // What comes from further out is a constant here.
    for (Value& v : args)
      v = mapTensors(
          v, [&](Tensor* t, const Value& as) { return t->extras->level == top ? as : atLevel(top, as, -1); });
    return t_.callHere(op, std::move(args));
  }
  bool any = false;
  for (const Value& v : args) forTensors(v, [&](Tensor* t) { any = any || t->extras->level == top; });
  if (!any) return below([&] { return t_.call(op, std::move(args)); });
  if (op.rules().composite) {
    // PyTorch runs the C++ kernel of matmul here, whose last view is an unsafe one.
    const bool outer = std::exchange(inMatmul_, op.name() == "matmul");
    Value v = t_.rules().run(*op.rules().composite, args);
    inMatmul_ = outer;
    if (!(v.kind() == VKind::Object && v.text() == "NotImplemented")) return v;
  }
  if (inMatmul_ && op.name() == "view" && args[0].object() == product_)
    return callBatched(*this, top, *t_.ops().find("aten._unsafe_view.default"), std::move(args));
  Value v = callBatched(*this, top, op, std::move(args));
  if (op.name() == "bmm") product_ = v.object();
  return v;
}

Value LevelStack::descend(const OpDef& op, Values args) {
  const Ref<Level> top = stack_[active_ - 1];
  std::vector<std::pair<Tensor*, Value>> known;
  for (Value& v : args)
    v = mapTensors(v, [&](Tensor* t, const Value& as) {
      if (t->extras->level != top) return as;
      known.emplace_back(t->extras->lower.get(), as);
      return Value(t->extras->lower);
    });
  const Value result = below([&] { return t_.call(op, std::move(args)); });
  return mapTensors(result, [&](Tensor* t, const Value& as) {
    // A written tensor is returned as itself.
    const auto same = std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.first == t; });
    if (same == known.end()) return atLevel(top, as, -1);
    tensorIn(same->second)->meta = t->meta;
    return same->second;
  });
}

namespace {

Value keyword(const ir::eval::Keywords& keywords, std::string_view name) {
  for (const auto& [key, v] : keywords)
    if (key == name) return v;
  return {};
}

/// torch._functorch.eager_transforms._autograd_grad.
Value gradOf(Tracer& t, const CallArguments& call, const Values& args, const ir::eval::Keywords& keywords) {
  const Values outputs = call.list(0), inputs = call.list(1);
  for (const Value& v : inputs)
    if (!tensorIn(v)) call.refuse("argument 2 must hold tensors, found " + v.describe());
  const Value given = args.size() > 2 ? args[2] : keyword(keywords, "grad_outputs");
  const bool createGraph =
      keyword(keywords, "create_graph").isNone() || keyword(keywords, "create_graph").truthy();
  const auto zeros = [&](const Value& like) {
    return t.op("zeros_like", {like}, {{"pin_memory", Value::boolean(false)}});
  };
  std::vector<TensorRef> from, wanted;
  Values incoming;
  for (size_t i = 0; i < outputs.size(); ++i) {
    Tensor* o = tensorIn(outputs[i]);
    if (!o || !t.requiresGrad(*o)) continue;
    Value g = given.isList() && i < given.items().size() ? given.items()[i] : Value();
    if (g.isNone())
      g = t.op("ones_like", {outputs[i]},
               {{"pin_memory", Value::boolean(false)},
                {"memory_format", Value::memoryFormat(ir::eval::MemoryFormat::Preserve)}});
    from.emplace_back(o);
    incoming.push_back(g);
  }
  Values grads;
  if (!from.empty()) {
    for (const Value& v : inputs) wanted.emplace_back(tensorIn(v));
    struct Restore {
      bool& mode;
      bool was;
      ~Restore() { mode = was; }
    } restore{t.gradMode, t.gradMode};
    t.gradMode = createGraph;
    grads = t.backward(from, incoming, wanted);
  }
  grads.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (grads[i].isNone()) grads[i] = zeros(inputs[i]);
  return Value::tuple(std::move(grads));
}

Value moved(Tracer& t, const Value& v, int64_t from, int64_t to) {
  if (from == to || v.meta().dim() == 0) return v;
  Values order;
  for (size_t d = 0; d < v.meta().dim(); ++d)
    if (static_cast<int64_t>(d) != from) order.emplace_back(static_cast<int64_t>(d));
  order.insert(order.begin() + to, Value(from));
  return t.op("permute", {v, Value(std::move(order))});
}

}  // namespace

bool runLevelCall(Tracer& tracer, std::string_view target, const Values& args,
                  const ir::eval::Keywords& keywords, Value& out) {
  const CallArguments call(target, args);
  if (target == ".requires_grad_") {
    call.tensor(0).requiresGrad = args.size() < 2 || args[1].truthy();
    out = args[0];
    return true;
  }
  if (target == "torch._C._set_fwd_grad_enabled") {
    tracer.forwardGrad = call.flag(0);
    out = {};
    return true;
  }
  const bool functorch = target.starts_with("torch._functorch.") ||
                         target.starts_with("torch._C._functorch.") ||
                         target.starts_with("torch.autograd.forward_ad.") ||
                         target == "torch._VF._make_dual" || target == "torch._VF._unpack_dual";
  if (!functorch && !target.starts_with("torch._C._autograd._saved_tensors_hooks_")) return false;
  const std::string_view name = target.substr(target.rfind('.') + 1);
  out = {};
  if (name == "lazy_load_decompositions" || name == "set_inplace_requires_grad_allowed" ||
      name == "_saved_tensors_hooks_disable" || name == "_saved_tensors_hooks_enable" ||
      name == "_maybe_load_decompositions" || name == "_enter_dual_level" || name == "_exit_dual_level")
    return true;
  const auto stack = [&]() -> LevelStack& {
    if (!tracer.levels) tracer.levels = std::make_shared<LevelStack>(tracer);
    return static_cast<LevelStack&>(*tracer.levels);
  };
  if (name == "_vmap_increment_nesting" || name == "_grad_increment_nesting") {
    stack().open(name == "_vmap_increment_nesting");
    return true;
  }
  if (name == "_jvp_increment_nesting") {
    stack().open(false, true);
    return true;
  }
  if (name == "_make_dual" && tracer.levels) {
    call.tensor(0), call.tensor(1);
    const Value dual = stack().atInnermost(args[0]);
    if (tensorIn(dual)->extras->tangent)
      throw EvalError("forward-mode", "Attempting to make a dual of a tensor that has a tangent already");
    out = tracer.primalOf(dual);
    tracer.setTangent(*tensorIn(out), stack().atInnermost(args[1]));
    return true;
  }
  if (name == "_unpack_dual" && tracer.levels) {
    call.tensor(0);
    const Value dual = stack().atInnermost(args[0]);
    const TensorRef tangent = tensorIn(dual)->extras->tangent;
    out = Value::tuple({tracer.primalOf(dual), tangent ? Value(tangent) : Value()});
    return true;
  }
  if (name == "_vmap_decrement_nesting" || name == "_grad_decrement_nesting" ||
      name == "_jvp_decrement_nesting") {
    stack().close(name == "_vmap_decrement_nesting");
    return true;
  }
  if (name == "_set_tensor_requires_grad") {
    call.tensor(0).requiresGrad = true;
    out = args[0];
    return true;
  }
  if (name == "_wrap_for_grad") {
    const Ref<Level> level = stack().numbered(call.integer(1));
    if (!level) call.refuse("no level " + args[1].describe() + " of torch.func is open");
    out = tensorIn(args[0]) ? atLevel(level, stack().stripped(args[0]), -1) : args[0];
    return true;
  }
  if (name == "_unwrap_for_grad") {
    const Tensor* t = tensorIn(call.at(0));
    const int64_t number = call.integer(1);
    out = t && t->extras->level && !t->extras->level->vmap && t->extras->level->number == number
              ? Value(t->extras->lower)
              : args[0];
    return true;
  }
  if (name == "_add_batch_dim") {
    const Ref<Level> level = stack().numbered(call.integer(2));
    if (!level) call.refuse("no level " + args[2].describe() + " of torch.func is open");
    call.tensor(0);
    const Value v = stack().stripped(args[0]);
    out = atLevel(level, v, call.dimension(1, v.meta().dim()));
    return true;
  }
  if (name == "_remove_batch_dim") {
    call.tensor(0);
    const Value v = stack().stripped(args[0]);
    const int64_t number = call.integer(1);
    Tensor* t = tensorIn(v);
    const int64_t to = call.dimension(3, v.meta().dim() + 1);
    if (t->extras->level && t->extras->level->vmap && t->extras->level->number == number) {
      out = moved(tracer, Value(t->extras->lower), t->extras->batchDim, to);
    } else {
      Ints sizes = v.meta().sizes;
      sizes.insert(sizes.begin() + to, call.at(2).toInt());
      out = tracer.op("expand", {to == 0 ? v : tracer.op("unsqueeze", {v, Value(to)}), Value(sizes)});
    }
    return true;
  }
  if (name == "_autograd_grad") {
    out = gradOf(tracer, call, args, keywords);
    return true;
  }
  throw EvalError("unsupported-call", std::string(target) + " is not supported yet");
}

}  // namespace descry::passes
