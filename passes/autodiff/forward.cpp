// Forward mode: beside the result of an op its tangent, by the formula of the op table (`jvp:`).
//
// A tensor of a jvp level of torch.func carries its tangent, a tensor of the same level. The formulas call
// ops at that level again, so that what they compute has tangents of outer levels and history of its own.
#include <algorithm>

#include "ir/ops/eval/promotion.h"
#include "passes/autodiff/tracer.h"

namespace descry::passes {

using ir::rules::JvpRule;
using ir::rules::OpRules;

namespace {

Tensor* tangentOf(const Value& v) {
  Tensor* t = tensorIn(v);
  return t ? t->extras->tangent.get() : nullptr;
}

bool anyTangent(const Value& v) {
  if (v.isList()) return std::any_of(v.items().begin(), v.items().end(), anyTangent);
  return tangentOf(v) != nullptr;
}

/// Strides of dimensions of size one say nothing.
bool sameLayout(const Meta& a, const Meta& b) {
  if (a.sizes.size() != b.sizes.size() || !(a.offset == b.offset)) return false;
  for (size_t i = 0; i < a.sizes.size(); ++i)
    if (!(a.sizes[i] == b.sizes[i]) || (!(a.strides[i] == b.strides[i]) && !(a.sizes[i] == Int(1))))
      return false;
  return true;
}

/// How many elements the memory of a tensor has; nullopt where a batch hides it.
std::optional<Int> storageSize(const Tensor& t) {
  const Tensor* at = &t;
  while (at->extras->level) {
    if (at->extras->level->vmap) return std::nullopt;
    at = at->extras->lower.get();
  }
  const Meta& m = at->storage && at->storage->base ? at->storage->base->meta : at->meta;
  Int last = m.offset + Int(1);
  for (size_t i = 0; i < m.sizes.size(); ++i) {
    if (m.sizes[i] == Int(0)) return Int(0);
    last = last + (m.sizes[i] - Int(1)) * m.strides[i];
  }
  return last;
}

}  // namespace

bool Tracer::forwardMode(const Values& args) const {
  return levels && forwardGrad && (!tangentsOff_ || levels->innermost() != tangentsOff_) &&
         std::any_of(args.begin(), args.end(), anyTangent);
}

Value Tracer::primalOf(const Value& v) {
  if (!tensorIn(v)) return v;
  const Level* was = std::exchange(tangentsOff_, tensorIn(v)->extras->level.get());
  const Value p = op("alias", {v});
  tangentsOff_ = was;
  return p;
}

void Tracer::setTangent(Tensor& t, Value tangent) {
  Tensor* g = tensorIn(tangent);
  if (t.extras->tangent.get() == g) return;
  if (t.extras->tangent)
    throw EvalError("forward-mode", "a tensor that already has a tangent of this level is given another one");
  if (knownToDiffer(g->meta.sizes, t.meta.sizes))
    throw EvalError(
        "forward-mode",
        "Trying to set a forward gradient that has a different size than that of the original Tensor");
  const std::optional<Int> have = storageSize(*g), want = storageSize(t);
  if (!sameLayout(g->meta, t.meta) || (have && want && !(*have == *want))) {
    const Level* was = std::exchange(tangentsOff_, t.extras->level.get());
    const Value same = op("_new_zeros_with_same_feature_meta", {tangent, Value(TensorRef(&t))});
    exact("aten.copy_.default", {same, tangent});
    tangentsOff_ = was;
    tangent = same;
  }
  t.extras.own().tangent = TensorRef(tensorIn(tangent));
}

/// The tangent of an argument; a tensor that is known to be zero where it has none.
Value Tracer::tangentOrZero(const Value& v) {
  if (v.isList()) {
    Values items;
    for (const Value& i : v.items()) items.push_back(tangentOrZero(i));
    return Value(std::move(items), v.kind());
  }
  if (!v.isTensor()) return v;
  if (Tensor* g = tangentOf(v)) return Value(TensorRef(g));
  const Meta& m = v.meta();
  return op("_efficientzerotensor", {Value(m.wrappedNumber ? Ints() : m.sizes)},
            {{"dtype", Value::dtype(m.dtype)},
             {"layout", Value::layout(ir::eval::Layout::Strided)},
             {"device", Value::device(m.device)}});
}

/// `x.copy_(src)`.
void Tracer::copyTangent(const Value& self, const Value& source) {
  Tensor* t = tensorIn(self);
  if (!differentiable(t->meta.dtype)) return;
  Tensor* from = tangentOf(source);
  if (t->extras->tangent) {
    const Value mine(t->extras->tangent);
    if (from)
      exact("aten.copy_.default", {mine, Value(TensorRef(from))});
    else
      op("fill_", {mine, Value(0)});
    return;
  }
  refuseTangentOfView(*t);
  const Value g(TensorRef{from});
  setTangent(*t, knownToDiffer(from->meta.sizes, t->meta.sizes)
                     ? op("broadcast_to", {g, Value(t->meta.sizes)})
                     : op("clone", {g}));
}

void Tracer::refuseTangentOfView(const Tensor& t) const {
  if (t.isView())
    throw EvalError("forward-mode",
                    "a view of a tensor without a tangent is written with one: this is not supported yet");
}

void Tracer::forwardOf(const OpDef& op, const OpDef& variant, const Values& args, const Value& original,
                       const Value& result) {
  const OpDef& formulas = op.rules().jvps.empty() ? variant : op;
  const OpRules& rules = formulas.rules();
  const ir::Schema& schema = formulas.schema();
  const bool inplace = op.has(ir::kOpMutates);
  if (rules.notDifferentiable) return;
  const auto unsupported = [&] {
    return EvalError("forward-mode",
                     "Trying to use forward AD with " + std::string(op.name()) +
                         " that does not support it because it has not been implemented yet.");
  };
  if (rules.jvps.empty() || (rules.jvps[0].kind == JvpRule::Formula && !rules.jvps[0].body))
    throw unsupported();
  const Values results = result.isList() ? result.items() : Values{result};
  // The formulas of in-place ops read what was there before, and change the tangent in place.
  Values base = args;
  if (inplace && !original.isNone()) base[0] = original;
  // A writing op with a formula of its own changes the tangent by it.
  const bool exactInplace = inplace && &formulas == &op;
  const bool clones = inplace && !exactInplace && original.isNone();

  OpNode* const outer = std::exchange(running_, nullptr);
  const bool wasForward = std::exchange(inForward_, true);
  struct Leave {
    Tracer& t;
    OpNode* outer;
    bool was;
    ~Leave() {
      t.running_ = outer;
      t.inForward_ = was;
    }
  } leave{*this, outer, wasForward};

  std::vector<std::pair<uint32_t, Value>> found;
  for (const JvpRule& rule : rules.jvps) {
    bool any = false;
    for (uint32_t i = 0; i < args.size(); ++i) any = any || (rule.tangents[i] && anyTangent(args[i]));
    if (!any) continue;
    Values tangents(args.size()), primals(args.size());
    const auto take = [&](uint32_t i) {
      if (rule.tangents[i] && (rule.kind != JvpRule::Formula || !args[i].isList())) {
        tangents[i] = inplace && i == 0 && !tangentOf(args[0])
                          ? this->op("zeros", {Value(args[0].meta().sizes)},
                                     {{"dtype", Value::dtype(args[0].meta().dtype)},
                                      {"layout", Value::layout(ir::eval::Layout::Strided)},
                                      {"device", Value::device(args[0].meta().device)}})
                          : tangentOrZero(base[i]);
        if (clones && i == 0) tangents[0] = this->op("clone", {tangents[0]});
      }
      if (rule.primals[i]) primals[i] = args[i].isList() ? args[i] : primalOf(base[i]);
    };
    // The copy of what was written comes last.
    const bool kept = inplace && !original.isNone();
    const Value written = inplace && (rule.result || kept) ? primalOf(args[0]) : result;
    for (uint32_t i = kept ? 1 : 0; i < args.size(); ++i) take(i);
    if (kept) take(0);
    Value v;
    if (rule.kind == JvpRule::Linear) {
      Values again = args;
      for (uint32_t i = 0; i < args.size(); ++i)
        if (rule.tangents[i]) again[i] = tangents[i];
      v = call(formulas, std::move(again));
    } else {
      Values slots;
      const bool elementwise = rule.kind == JvpRule::Elementwise;
      for (uint32_t i = 0; i < args.size(); ++i)
        slots.push_back(elementwise && rule.tangents[i] ? primals[i] : args[i]);
      if (!elementwise)
        for (uint32_t i = 0; i < args.size(); ++i) {
          slots.push_back(tangents[i]);
          slots.push_back(primals[i]);
        }
      const Values named = inplace ? Values{written} : results;
      for (size_t i = 0; i < schema.returns.size(); ++i) {
        const Value r = i < named.size() ? named[i] : Value();
        slots.push_back(r);
        slots.push_back(r);
      }
      slots.push_back(inplace           ? written
                      : result.isList() ? (schema.returns.size() == 1 ? result : results[0])
                                        : result);
      if (elementwise) {
        const auto at = std::find(rule.tangents.begin(), rule.tangents.end(), true) - rule.tangents.begin();
        Value g = tangents[static_cast<size_t>(at)];
        const bool complex = ir::eval::isComplex(g.meta().dtype);
        if (complex) g = this->op("conj", {g});
        slots.push_back(g);
        slots.emplace_back(Values{g});
        v = rules_.run(*rule.body, std::move(slots));
        if (tensorIn(v) && ir::eval::isComplex(v.meta().dtype)) v = this->op("conj", {v});
      } else {
        v = rules_.run(*rule.body, std::move(slots));
      }
    }
    found.emplace_back(rule.output, v);
  }
  for (const auto& [output, v] : found) {
    if (inplace) {
      Tensor* self = tensorIn(args[0]);
      if (self->extras->tangent && exactInplace) continue;
      if (self->extras->tangent) {
        exact("aten.copy_.default", {Value(self->extras->tangent), v});
      } else {
        refuseTangentOfView(*self);
        setTangent(*self, v);
      }
    } else if (v.isList()) {
      for (size_t i = 0; i < v.items().size() && i < results.size(); ++i)
        if (tensorIn(v.items()[i]) && tensorIn(results[i])) setTangent(*tensorIn(results[i]), v.items()[i]);
    } else if (Tensor* r = output < results.size() ? tensorIn(results[output]) : nullptr; r && tensorIn(v)) {
      setTangent(*r, v);
    }
  }
}

// ---- tensors that are known to be zero

namespace {

bool isZero(const Value& v) {
  Tensor* t = tensorIn(v);
  return t && t->zero;
}

}  // namespace

/// A zero tensor that is needed as a tensor like any other.
Value Tracer::zerosFor(const Meta& m) {
  const Value one = op("zeros", {Value(Ints())},
                       {{"dtype", Value::dtype(m.dtype)},
                        {"layout", Value::layout(ir::eval::Layout::Strided)},
                        {"device", Value::device(m.device)}});
  return op("expand", {one, Value(m.sizes)});
}

bool Tracer::onZeros(const OpDef& op, Values& args, Value& out) {
  bool any = false;
  for (const Value& v : args)
    any = any || isZero(v) || (v.isList() && std::any_of(v.items().begin(), v.items().end(), isZero));
  if (!any || op.has(ir::kOpView)) return false;
  const std::string_view name = op.ns() == "aten" ? op.name() : std::string_view();
  if (name == "zeros_like" || name == "empty_like" || name == "empty_strided" || name == "copy_" ||
      (name == "mul" && op.overload() == "Scalar"))
    return false;
  if (name == "clone") {
    out = zerosFor(args[0].meta());
    return true;
  }
  const bool sum = (name == "add" || name == "sub") && op.overload() == "Tensor";
  if (sum || ((name == "mul" || name == "div") && op.overload() == "Tensor")) {
    // PyTorch carries the op out for tensors of the device "meta" to learn the type of the result. Nothing of
    // that is left in a graph but the names that it takes.
    const Meta m = rules_.shape(op, args).meta();
    const auto dead = [&](std::string_view taken) {
      if (recording) freshName(taken);
    };
    const bool inductor = decompositions == Decompositions::Inductor;
    for (size_t i = 0; i < 2; ++i) {
      if (isZero(args[i])) {
        dead(inductor ? "full" : "zeros");
        dead("expand");
      }
      if (args[i].isTensor()) dead(inductor ? "device_put" : "_to_copy");
    }
    for (size_t i = 0; i < 2; ++i)
      if (tensorIn(args[i]) && args[i].meta().dtype != m.dtype)
        dead(inductor ? "convert_element_type" : "_to_copy");
    for (size_t i = 0; i < 2; ++i)
      if (tensorIn(args[i]) && knownToDiffer(args[i].meta().sizes, m.sizes)) dead("expand");
    const Value alpha = sum ? args[2] : Value(1);
    const bool minus = op.name() == "sub";
    if (minus || alpha.symbolic() || alpha.toReal() != 1) dead("mul");
    dead(sum ? "add" : op.name());
    const auto zero = [&] {
      return this->op("_efficientzerotensor", {Value(m.sizes)},
                      {{"dtype", Value::dtype(m.dtype)},
                       {"layout", Value::layout(ir::eval::Layout::Strided)},
                       {"device", Value::device(m.device)}});
    };
    if (op.name() == "div" && isZero(args[1]))
      throw EvalError("forward-mode", "a division by a tensor that is zero everywhere");
    if (!sum || (isZero(args[0]) && isZero(args[1]))) {
      out = zero();
      return true;
    }
    const auto asResult = [&](const Value& v) {
      const Value wide = this->op("expand", {v, Value(m.sizes)});
      return exact(
          "aten._to_copy.default",
          {wide, Value::dtype(m.dtype), Value::layout(ir::eval::Layout::Strided), Value::device(m.device)});
    };
    if (isZero(args[1])) {
      out = asResult(args[0]);
      return true;
    }
    out = asResult(args[1]);
    if (minus)
      out = this->op("mul", {out, alpha.isInt() && !alpha.symbolic() ? Value(-alpha.raw())
                                                                     : rules_.unary('-', alpha, false)});
    else if (alpha.symbolic() || alpha.toReal() != 1)
      out = this->op("mul", {out, alpha});
    return true;
  }
  const auto full = [&](const Value& v) { return isZero(v) ? zerosFor(v.meta()) : v; };
  for (Value& v : args) {
    if (v.isList() && std::any_of(v.items().begin(), v.items().end(), isZero)) {
      Values items;
      for (const Value& i : v.items()) items.push_back(full(i));
      v = Value(std::move(items), v.kind());
    } else {
      v = full(v);
    }
  }
  return false;
}

}  // namespace descry::passes
