// Functionalization: writes become new values, views are kept as chains that can be replayed and undone.
#include <algorithm>
#include <mutex>

#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"
#include "passes/autodiff/functional_random.h"
#include "passes/autodiff/tracer.h"

namespace descry::passes {

using ir::rules::OpRules;

TensorRef Tracer::wrap(const TensorRef& innerTensor) {
  auto t = make<Tensor>();
  t->meta = innerTensor->meta;
  t->value = innerTensor;
  t->storage = make<FunctionalStorage>();
  t->storage->base = innerTensor;
  t->group = ++memories_;
  return t;
}

TensorRef Tracer::input(ir::NodeId node, const Meta& meta, bool needsGrad) {
  TensorRef t = wrap(inner(node, meta));
  t->requiresGrad = needsGrad;
  return t;
}

Value Tracer::applyView(const ViewStep& step, const TensorRef& base) {
  Values args = step.args;
  args[0] = Value(base);
  if (step.index >= 0 && step.op->ns() == "aten") {
    // One result of several is taken by the view op that gives it alone.
    const std::string_view name = step.op->name();
    if (name == "unbind") return exact("aten.select.int", {args[0], args[1], Value(int64_t{step.index})});
    const bool sizes = name == "split_with_sizes" || (args.size() > 1 && args[1].isList());
    if (name == "split" || name == "split_with_sizes") {
      Int start = 0, length = 0;
      if (sizes) {
        const Ints list = args[1].toInts();
        for (size_t i = 0; i < static_cast<size_t>(step.index); ++i) start = start + list[i];
        length = list.at(static_cast<size_t>(step.index));
      } else {
        length = args[1].toInt();
        start = length * Int(step.index);
      }
      // The last piece may end beyond the base, as PyTorch writes it.
      return exact("aten.slice.Tensor", {args[0], args[2], Value(start), Value(start + length)});
    }
  }
  Value v = call(*step.op, std::move(args));
  return step.index >= 0 ? v.items().at(static_cast<size_t>(step.index)) : v;
}

std::vector<const ViewStep*> stepsOf(const ViewPathRef& way) {
  std::vector<const ViewStep*> steps;
  for (const ViewPath* p = way.get(); p; p = p->before.get()) steps.push_back(&p->step);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

Value Tracer::replay(const ViewPathRef& way, const TensorRef& base) {
  Value v(base);
  for (const ViewStep* s : stepsOf(way)) v = applyView(*s, TensorRef(tensorIn(v)));
  return v;
}

void Tracer::applyUpdates(FunctionalStorage& storage) {
  if (storage.updates.empty()) return;
  std::vector<FunctionalStorage::Update> updates;
  updates.swap(storage.updates);
  below([&] {
    for (const auto& u : updates) {
      if (!u.steps) {
        storage.base = u.value;
        continue;
      }
      // The tensors on the way, made anew from the base; then back from the written view to the base.
      const std::vector<const ViewStep*> steps = stepsOf(u.steps);
      std::vector<TensorRef> way = {storage.base};
      for (size_t i = 0; i + 1 < steps.size(); ++i)
        way.emplace_back(tensorIn(applyView(*steps[i], way.back())));
      TensorRef now = u.value;
      for (size_t i = steps.size(); i-- > 0;) {
        const ViewStep& step = *steps[i];
        const OpRules& rules = step.op->rules();
        if (!rules.inverse)
          throw EvalError("unsupported-mutation", "a write through " + step.op->target() +
                                                      " cannot be undone: the op table has no inverse");
        Values locals = step.args;
        locals[0] = Value(way[i]);
        // The parameters behind the op's own are base, updated and index, as far as their names are free.
        for (size_t p = locals.size(); p < rules.inverse->params.size(); ++p) locals.emplace_back();
        for (size_t p = 0; p < rules.inverse->params.size(); ++p) {
          const std::string& n = rules.inverse->params[p].name;
          if (n == "base") locals[p] = Value(way[i]);
          if (n == "updated") locals[p] = Value(now);
          if (n == "index" && p >= step.args.size()) locals[p] = Value(int64_t{step.index});
        }
        now = TensorRef(tensorIn(rules_.run(*rules.inverse, std::move(locals))));
        if (!now) throw EvalError("rule-error", "the inverse of " + step.op->target() + " gives no tensor");
      }
      storage.base = now;
    }
  });
}

void Tracer::regenerate(Tensor& outer) {
  below([&] { outer.value = TensorRef(tensorIn(replay(outer.steps, outer.storage->base))); });
  outer.generation = outer.storage->generation;
}

void Tracer::sync(Tensor& t) {
  for (const auto& [attr, piece] : t.extras->pieces) sync(*piece);
  if (!t.isOuter() || t.generation == t.storage->generation) return;
  applyUpdates(*t.storage);
  regenerate(t);
}

TensorRef Tracer::innerOf(const TensorRef& outer) {
  if (outer->isWrapper())
    throw EvalError("subclass-unsupported",
                    "a tensor of the wrapper subclass " + outer->extras->subclass +
                        " is passed to a call that is supported for plain tensors only");
  if (!outer->isOuter()) return outer;
  sync(*outer);
  return outer->value;
}

Value Tracer::unwrapped(const Value& v) {
  if (Tensor* t = tensorIn(v)) return Value(innerOf(TensorRef(t)));
  if (v.isList() && !v.items().empty()) {
    Values items;
    items.reserve(v.items().size());
    bool changed = false;
    for (const Value& i : v.items()) {
      items.push_back(unwrapped(i));
      changed = changed || items.back().object() != i.object();
    }
    return changed ? Value(std::move(items), v.kind()) : v;
  }
  return v;
}

Value Tracer::wrapped(const Value& v) {
  if (Tensor* t = tensorIn(v)) return Value(wrap(TensorRef(t)));
  if (v.isList()) {
    Values items;
    for (const Value& i : v.items()) items.push_back(wrapped(i));
    return Value(std::move(items), v.kind());
  }
  return v;
}

void Tracer::commit(Tensor& outer, TensorRef value) {
  FunctionalStorage& s = *outer.storage;
  if (s.frozen) throw EvalError("frozen-storage", "cannot mutate tensors with frozen storage");
  if (value->meta.dtype != outer.meta.dtype) {
    const Value cast = below([&] {
      return op(
          "_to_copy", {Value(value)},
          {{"dtype", Value::dtype(outer.meta.dtype)}, {"layout", Value::layout(ir::eval::Layout::Strided)}});
    });
    value = TensorRef(tensorIn(cast));
  }
  const std::vector<const ViewStep*> steps = stepsOf(outer.steps);
  for (size_t i = 1; i < steps.size(); ++i)
    if (steps[i]->op->ns() == "aten" && steps[i]->op->name() == "as_strided" && !steps[i]->inPlace)
      throw EvalError(
          "strided-view-mutation",
          "During torch.compile, encountered a mutation on a view chain of length " +
              std::to_string(steps.size()) + ", where view " + std::to_string(i) +
              " was an as_strided() call. as_strided() is non-compositional, and therefore is not possible "
              "to functionalize properly today, so this behavior is banned in compile.");
  outer.value = value;
  s.updates.push_back({value, outer.steps});
  ++s.generation;
  ++s.mutations;
  if (!gradMode || inferenceMode) ++s.mutationsNoGrad;
  sync(outer);
}

namespace {

/// Places of the elements in the memory; nothing when there are too many to list.
std::optional<std::vector<int64_t>> placesOf(const Meta& m) {
  constexpr size_t kMost = 1 << 16;
  std::vector<int64_t> out = {m.offset.value};
  for (size_t d = 0; d < m.sizes.size(); ++d) {
    const int64_t size = m.sizes[d].value;
    if (size <= 0) return std::vector<int64_t>{};
    if (out.size() > kMost / static_cast<size_t>(std::min<int64_t>(size, kMost + 1))) return std::nullopt;
    const size_t before = out.size();
    for (int64_t i = 1; i < size; ++i)
      for (size_t k = 0; k < before; ++k) out.push_back(out[k] + i * m.strides[d].value);
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool overlap(const Meta& a, const Meta& b) {
  const auto ends = [](const Meta& m) {
    std::pair<int64_t, int64_t> e{m.offset.value, m.offset.value};
    for (size_t d = 0; d < m.sizes.size(); ++d)
      (m.strides[d].value < 0 ? e.first : e.second) += (m.sizes[d].value - 1) * m.strides[d].value;
    return e;
  };
  if (a.numel().value == 0 || b.numel().value == 0) return false;
  const auto [a0, a1] = ends(a);
  const auto [b0, b1] = ends(b);
  if (a1 < b0 || b1 < a0) return false;
  const std::optional<std::vector<int64_t>> x = placesOf(a), y = placesOf(b);
  if (!x || !y) return true;
  for (size_t i = 0, k = 0; i < x->size() && k < y->size();)
    if ((*x)[i] == (*y)[k])
      return true;
    else
      ++((*x)[i] < (*y)[k] ? i : k);
  return false;
}

/// Whether another argument lies in part where the op writes. The very same elements are read before they are
/// written.
bool writesInPart(const OpDef& op, const Values& args) {
  const ir::Schema& schema = op.schema();
  for (size_t w = 0; w < args.size() && w < schema.arguments.size(); ++w) {
    const Tensor* to = schema.arguments[w].type.writes() ? tensorIn(args[w]) : nullptr;
    if (!to || !to->storage) continue;
    const auto other = [&](const Value& v) {
      const Tensor* t = tensorIn(v);
      return t && t != to && t->storage == to->storage &&
             !(t->meta.sizes == to->meta.sizes && t->meta.strides == to->meta.strides &&
               t->meta.offset == to->meta.offset) &&
             overlap(t->meta, to->meta);
    };
    for (size_t i = 0; i < args.size(); ++i) {
      if (i == w) continue;
      if (other(args[i])) return true;
      if (args[i].isList() && std::any_of(args[i].items().begin(), args[i].items().end(), other)) return true;
    }
  }
  return false;
}

}  // namespace

Value Tracer::functionalize(const OpDef& op, Values args) {
  if (levels && levels->descends()) return levels->descend(op, std::move(args));
  if (const Tensor* wrapper = wrapperAmong(args)) return dispatchToPieces(op, args, *wrapper);
  Value special;
  if (handleSpecially(op, args, special)) return special;
  if (effects && op.has(ir::kOpOrdered) && effects(op, args, special)) return special;
  if (op.ns() == "aten" && op.name() == "_efficientzerotensor") {
    const Value v = wrapped(below([&] { return callBelow(op, std::move(args)); }));
    tensorIn(v)->zero = true;
    return v;
  }
  if (onZeros(op, args, special)) return special;
  materialize(op, args);
  if (op.declared()) checkDeclared(op);
  if (op.has(ir::kOpMutates)) overlappingWrites = overlappingWrites || writesInPart(op, args);
  if (op.has(ir::kOpMutates))
    return keepWrites ? emitWrites(op, args) : functionalizeWrites(op, std::move(args));
  if (isFunctionalView(op) && !args.empty() && tensorIn(args[0])) {
    const bool zero = tensorIn(args[0])->zero;
    const Value v = functionalizeView(op, std::move(args));
    if (zero)
      for (const Value& i : v.isList() ? v.items() : Values{v})
        if (Tensor* t = tensorIn(i)) t->zero = true;
    return v;
  }
  for (Value& v : args) v = unwrapped(v);
  Value out = wrapped(below([&] { return callBelow(op, std::move(args)); }));
  // The conjugate of a plain number is a number again, not a lazy view.
  if (Tensor* t = tensorIn(out); t && op.has(ir::kOpView)) t->meta.conj = t->meta.neg = false;
  return out;
}

void Tracer::materialize(const OpDef& op, Values& args) {
  // Lazy conjugation and negation: few kernels take such tensors, all others get a clone.
  const auto lazy = [](const Value& v) { return v.isTensor() && (v.meta().conj || v.meta().neg); };
  bool any = false;
  for (const Value& v : args) {
    any = any || lazy(v);
    if (v.isList())
      for (const Value& i : v.items()) any = any || lazy(i);
  }
  if (!any || op.has(ir::kOpView) || op.has(ir::kOpInplaceView)) return;
  for (std::string_view takes : {"copy_",
                                 "clone",
                                 "resolve_conj",
                                 "resolve_neg",
                                 "dot",
                                 "vdot",
                                 "mm",
                                 "addmm",
                                 "addmm_",
                                 "bmm",
                                 "baddbmm",
                                 "baddbmm_",
                                 "linalg_svd",
                                 "empty_like",
                                 "full_like",
                                 "zeros_like",
                                 "ones_like",
                                 "rand_like",
                                 "randn_like",
                                 "randint_like",
                                 "new_empty",
                                 "new_full",
                                 "new_zeros",
                                 "new_ones",
                                 "new_empty_strided",
                                 "is_set_to",
                                 "conj_physical_"})
    if (op.name() == takes) return;
  const auto solid = [&](const Value& v) -> Value {
    if (!lazy(v)) return v;
    const bool grad = std::exchange(gradMode, false);
    const Value c = this->op("clone", {v});
    gradMode = grad;
    return c;
  };
  for (Value& v : args) {
    v = solid(v);
    if (v.isList()) {
      Values items;
      for (const Value& i : v.items()) items.push_back(solid(i));
      v = Value(std::move(items), v.kind());
    }
  }
}

namespace {
/// The copying twin of a view op; the op itself when there is none.
const OpDef& copyOf(const ir::OpRegistry& ops, const OpDef& op) {
  for (const OpDef* o = ops.findName(op.ns(), std::string(op.name()) + "_copy"); o; o = o->nextOverload())
    if (o->overload() == op.overload() && o->schema().arguments.size() == op.schema().arguments.size())
      return *o;
  return op;
}
}  // namespace

bool Tracer::isFunctionalView(const OpDef& op) {
  return op.has(ir::kOpView) || op.rules().inverse;
}

Value Tracer::functionalizeView(const OpDef& op, Values args) {
  const TensorRef self(tensorIn(args[0]));
  // While PyTorch writes a graph it brings every argument up to date before a call, also those whose values a
  // view does not read (FunctionalTensorMode._sync_view_replay_annotations); in its first look at the program
  // it does not.
  if (recording) sync(*self);
  ViewStep step{&op, args, -1};
  step.args[0] = {};
  Values innerArgs = args;
  innerArgs[0] = Value(self->value);
  for (size_t i = 1; i < innerArgs.size(); ++i) innerArgs[i] = unwrapped(innerArgs[i]);
  // Inductor's table makes detach nothing, so that there is no view left to copy.
  const bool nothing =
      copyViews && decompositions == Decompositions::Inductor && op.ns() == "aten" && op.name() == "detach";
  const Value made =
      nothing ? innerArgs[0]
              : below([&] { return callBelow(copyViews ? copyOf(ops_, op) : op, std::move(innerArgs)); });
  const auto view = [&](const TensorRef& value, int32_t index) -> Value {
    if (value == self->value) return Value(self);
    auto t = make<Tensor>();
    t->meta = value->meta;
    t->value = value;
    t->storage = self->storage;
    t->group = op.has(ir::kOpView) ? self->group : ++memories_;
    ++t->storage->views;
    // PyTorch counts a view of a written base as stale from the start: it is made again at its first use.
    t->generation = 0;
    t->steps = make<ViewPath>(step, self->steps);
    t->steps->step.index = index;
    t->multiOutputView = self->multiOutputView || index >= 0;
    t->storageChanged = self->storageChanged;
    // PyTorch sets the storage of the view, which asks whether its offset is negative: a number of its own
    // where that cannot be told.
    if (recording && !lazyNumbers && value->meta.offset.symbolic() &&
        !ir::symNotNegative(value->meta.offset.sym->expr))
      freshName("ge");
    return Value(t);
  };
  if (made.isList()) {
    Values out;
    for (size_t i = 0; i < made.items().size(); ++i)
      out.push_back(view(TensorRef(tensorIn(made.items()[i])), static_cast<int32_t>(i)));
    return Value(std::move(out), made.kind());
  }
  if (!op.has(ir::kOpView) && step.args.size() > 1 && step.args[1].isList()) {
    Ints shape;
    for (const Value& i : step.args[1].items()) shape.push_back(i.toInt());
    nameViewStrides(self, shape);
  }
  return view(TensorRef(tensorIn(made)), -1);
}

Value Tracer::inplaceView(const OpDef& viewOp, Values args) {
  const TensorRef self(tensorIn(args[0]));
  sync(*self);
  ViewStep step{&viewOp, args, -1, true};
  step.args[0] = {};
  Values innerArgs = args;
  innerArgs[0] = Value(self->value);
  const Value made = below([&] { return callBelow(viewOp, std::move(innerArgs)); });
  const TensorRef value(tensorIn(made));
  if (value != self->value) {
    self->steps = make<ViewPath>(step, self->steps);
    self->value = value;
    self->meta = value->meta;
  }
  self->metadataMutated = true;
  return Value(self);
}

/// `resize_`: within its memory a tensor becomes a window of what it was; beyond it, new memory.
Value Tracer::resized(Values args) {
  const TensorRef self(tensorIn(args[0]));
  sync(*self);
  const Ints sizes = args[1].toInts();
  const Meta& whole = self->storage->base->meta;
  const auto end = [](const Meta& m) {
    Int last = m.offset + Int(1);
    for (size_t d = 0; d < m.sizes.size(); ++d) last = last + (m.sizes[d] - Int(1)) * m.strides[d];
    return m.numel() == Int(0) ? Int(0) : last;
  };
  Meta now = self->meta;
  now.sizes = sizes;
  now.strides = ir::eval::contiguousStrides(sizes);
  if (!(end(whole) < end(now))) {
    const OpDef* window = ops_.find("aten.as_strided.default");
    return inplaceView(*window, {args[0], Value(now.sizes), Value(now.strides), Value()});
  }
  if (self->steps || self->storage->views > 0)
    throw EvalError(
        "resized-view",
        "Attempted to resize a view tensor to a larger size. This is not allowed in the functionalization "
        "pass");
  const Value made = below([&] { return op("resize", {Value(self->value), args[1]}); });
  self->value = TensorRef(tensorIn(made));
  self->storage = make<FunctionalStorage>();
  self->storage->base = self->value;
  self->generation = 0;
  self->meta = self->value->meta;
  self->metadataMutated = true;
  return Value(self);
}

void Tracer::checkInplaceResult(const OpDef& op, const Value& self, const Value& result) {
  if (!result.isTensor()) return;
  for (size_t d = 0; d < self.meta().sizes.size(); ++d)
    if (self.meta().strides[d] == Int(0) && Int(1) < self.meta().sizes[d])
      throw EvalError(
          "overlapping-write",
          "unsupported operation: more than one element of the written-to tensor refers to a single "
          "memory location. Please clone() the tensor before performing the operation.");
  const Meta &a = self.meta(), &r = result.meta();
  const auto list = [](const Ints& ints) {
    std::string s = "[";
    for (size_t i = 0; i < ints.size(); ++i) s += (i ? ", " : "") + ints[i].str();
    return s + "]";
  };
  if (a.sizes.size() != r.sizes.size() || !std::equal(a.sizes.begin(), a.sizes.end(), r.sizes.begin()))
    throw EvalError("shape-mismatch", "output with shape " + list(a.sizes) +
                                          " doesn't match the broadcast shape " + list(r.sizes));
  const auto category = [](ir::DType t) {
    return t == ir::DType::B8 ? 0 : ir::eval::isIntegral(t) ? 1 : ir::eval::isFloating(t) ? 2 : 3;
  };
  if (category(r.dtype) > category(a.dtype) && op.name() != "copy_" && op.name() != "fill_")
    throw EvalError("type-error", "result type " + std::string(ir::dtypeInfo(r.dtype).torchName) +
                                      " can't be cast to the desired output type " +
                                      std::string(ir::dtypeInfo(a.dtype).torchName));
}

/// Who reads a written tensor afterwards reads the result of the call, as torch.fx traces it.
Value Tracer::emitWrites(const OpDef& op, const Values& args) {
  const ir::Schema& schema = op.schema();
  const OpDef* variant = functionalVariant(op);
  if (op.has(ir::kOpInplaceView) && variant && variant->has(ir::kOpView)) {
    Values pure = args;
    for (Value& v : pure) v = unwrapped(v);
    const TensorRef self(tensorIn(args[0]));
    self->meta = rules_.shape(*variant, pure).meta();
    self->value = inner(emit(op.target(), pure, {}, typeOf(self->meta)), self->meta);
    self->metadataMutated = true;
    return Value(self);
  }
  Values given, written;
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    if (schema.arguments[i].type.writes()) written.push_back(args[i]);
    given.push_back(unwrapped(args[i]));
  }
  // New values beside the written ones have the types that the variant without writes gives them.
  Values fresh;
  if (variant && schema.returns.size() > written.size()) {
    Values pure;
    for (const ir::SchemaArgument& a : variant->schema().arguments) {
      const auto same = std::find_if(schema.arguments.begin(), schema.arguments.end(),
                                     [&](const auto& x) { return x.name == a.name; });
      pure.push_back(same == schema.arguments.end()
                         ? Value()
                         : unwrapped(args[static_cast<size_t>(same - schema.arguments.begin())]));
    }
    const Value metas = rules_.shape(*variant, pure);
    fresh = metas.isList() ? metas.items() : Values{metas};
  }
  Values metas;
  size_t nextFresh = 0, nextWritten = 0;
  for (const ir::SchemaArgument& r : schema.returns)
    metas.push_back(!r.type.writes()               ? (nextFresh < fresh.size() ? fresh[nextFresh++] : Value())
                    : nextWritten < written.size() ? unwrapped(written[nextWritten++])
                                                   : Value());
  if (metas.empty()) {
    emitCall(op, given, Value());
    return {};
  }
  const bool single = metas.size() == 1;
  const Value made = emitCall(op, given, single ? metas[0] : Value::tuple(metas));
  Values out;
  nextWritten = 0;
  for (size_t i = 0; i < schema.returns.size(); ++i) {
    const Value& result = single ? made : made.items().at(i);
    if (!schema.returns[i].type.writes() || nextWritten >= written.size()) {
      out.push_back(wrapped(result));
      continue;
    }
    const Value& target = written[nextWritten++];
    if (Tensor* t = tensorIn(target); t && tensorIn(result)) t->value = TensorRef(tensorIn(result));
    out.push_back(target);
  }
  return out.size() == 1 ? out[0] : Value::tuple(std::move(out));
}

Value Tracer::functionalizeWrites(const OpDef& op, Values args) {
  const ir::Schema& schema = op.schema();
  if (op.ns() == "aten" && op.name() == "resize_") return resized(std::move(args));
  const OpDef* variant = functionalVariant(op);
  if (op.has(ir::kOpInplaceView) && variant && variant->has(ir::kOpView))
    return inplaceView(*variant, std::move(args));
  // Writes are first tried on tensors without contents, which are made for it.
  if (variant && op.name().ends_with("_") && !schema.arguments.empty() && schema.arguments[0].type.writes())
    for (const Value& v : args)
      if (const Tensor* t = tensorIn(v)) nameStorageBytes(t->meta);
  if (!variant) {
    if (op.ns() != "aten" && op.ns() != "prims") return autoFunctionalized(op, args);
    throw EvalError("unsupported-mutation", "no functional variant of " + op.target() + " is known");
  }
  // Arguments of the variant by name: out arguments are its results, not its inputs.
  const ir::Schema& pure = variant->schema();
  Values innerArgs(pure.arguments.size());
  for (size_t i = 0; i < pure.arguments.size(); ++i) {
    const auto same = std::find_if(schema.arguments.begin(), schema.arguments.end(),
                                   [&](const auto& a) { return a.name == pure.arguments[i].name; });
    if (same != schema.arguments.end())
      innerArgs[i] = unwrapped(args[static_cast<size_t>(same - schema.arguments.begin())]);
    else if (variant->rules().defaults[i])
      innerArgs[i] = *variant->rules().defaults[i];
  }
  std::vector<size_t> written;
  for (size_t i = 0; i < schema.arguments.size(); ++i)
    if (schema.arguments[i].type.writes()) written.push_back(i);
  Value result = below([&] { return callBelow(*variant, std::move(innerArgs)); });
  // Results of the op that are none of the written arguments come first, then the new values of the written
  // ones.
  size_t plain = 0;
  for (const ir::SchemaArgument& r : schema.returns) plain += !r.type.writes();
  Values results = result.isList() && !(pure.returns.size() == 1 && pure.returns[0].type.isList())
                       ? result.items()
                       : Values{result};
  if (results.size() < plain + written.size())
    throw EvalError("unsupported-mutation",
                    op.target() + " and " + variant->target() + " do not return the same");
  for (size_t w = 0; w < written.size(); ++w) {
    const Value& target = args[written[w]];
    const Value& value = results[plain + w];
    if (target.isList()) {
      for (size_t k = 0; k < target.items().size(); ++k) {
        checkInplaceResult(op, target.items()[k], value.items().at(k));
        commit(*tensorIn(target.items()[k]), TensorRef(tensorIn(value.items()[k])));
      }
    } else if (Tensor* t = tensorIn(target)) {
      if (!value.isTensor()) continue;
      const Value innerSelf(t->value);
      const bool out = op.overload().ends_with("out");
      if (out && t->meta.numel() == Int(0) && !(value.meta().numel() == Int(0))) {
        t->meta.sizes = value.meta().sizes;
        t->meta.strides = value.meta().strides;
      } else if (out && !t->steps && knownToDiffer(t->meta.sizes, value.meta().sizes)) {
        // An out argument takes the sizes of the result. PyTorch forgets to tell the tensor that the program
        // sees.
      } else if (w == 0 && plain == 0) {
        checkInplaceResult(op, target, value);
      }
      commit(*t, TensorRef(tensorIn(value)));
    }
  }
  Values out;
  size_t nextPlain = 0, nextWritten = 0;
  for (const ir::SchemaArgument& r : schema.returns) {
    if (r.type.writes())
      out.push_back(args[written.at(nextWritten++)]);
    else
      out.push_back(wrapped(results[nextPlain++]));
  }
  if (out.empty()) return {};
  return out.size() == 1 ? out[0] : Value::tuple(std::move(out));
}

Value Tracer::decomposed(const ir::rules::Function& body, const Values& args, bool& used) {
  Value v = rules_.run(body, args);
  used = !(v.kind() == VKind::Object && v.text() == "NotImplemented");
  return v;
}

Value Tracer::callBelow(const OpDef& op, Values args) {
  const OpRules& rules = op.rules();
  if (!rules.problems.empty() && !rules.shape && !rules.composite)
    throw EvalError("rule-error", rules.problems.front().text());
  if (decompositions != Decompositions::None) {
    bool used = false;
    if (decompositions == Decompositions::Inductor && rules.inductor) {
      Value v = decomposed(*rules.inductor, args, used);
      if (used) return v;
    } else if (rules.core && !(decompositions == Decompositions::Inductor && rules.keepInInductor)) {
      Value v = decomposed(*rules.core, args, used);
      if (used) return v;
    }
  }
  if (functionalRandom && rules.philox) {
    bool used = false;
    Value v = decomposed(*rules.philox, args, used);
    if (used) return v;
  }
  if (rules.composite) {
    bool used = false;
    Value v = decomposed(*rules.composite, args, used);
    if (used) return v;
  }
  if (op.has(ir::kOpMutates)) {
    // Below functionalization nothing aliases: the written tensor takes the new value.
    const OpDef* variant = functionalVariant(op);
    if (!variant)
      throw EvalError("unsupported-mutation", "no functional variant of " + op.target() + " is known");
    const ir::Schema &schema = op.schema(), &pure = variant->schema();
    Values pureArgs(pure.arguments.size());
    Value self;
    for (size_t i = 0; i < schema.arguments.size(); ++i) {
      if (schema.arguments[i].type.writes() && !self.isTensor()) self = args[i];
      for (size_t k = 0; k < pure.arguments.size(); ++k)
        if (pure.arguments[k].name == schema.arguments[i].name) pureArgs[k] = args[i];
    }
    const Value v = callBelow(*variant, std::move(pureArgs));
    if (self.isTensor() && v.isTensor()) {
      Tensor* t = tensorIn(self);
      if (v.meta().dtype != t->meta.dtype) {
        const Value cast = this->op("_to_copy", {v}, {{"dtype", Value::dtype(t->meta.dtype)}});
        t->node = tensorIn(cast)->node;
      } else {
        t->node = tensorIn(v)->node;
      }
      return self;
    }
    return v;
  }
  return emitOp(op, args);
}

}  // namespace descry::passes
