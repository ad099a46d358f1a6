// What ops do on tensors of wrapper subclasses.
#include "passes/autodiff/subclass.h"

#include <algorithm>

#include "ir/ops/eval/strides.h"
#include "passes/autodiff/tracer.h"

namespace descry::passes {

using ir::NodeId;

namespace {

/// What stands for a value in the call on the k-th inner tensors.
Value pieceOf(const Value& v, const Tensor& like, size_t k) {
  if (Tensor* t = tensorIn(v); t && t->isWrapper()) {
    if (t->extras->subclass != like.extras->subclass ||
        t->extras->pieces.size() != like.extras->pieces.size())
      throw EvalError("subclass-unsupported", "tensors of the subclasses " + like.extras->subclass + " and " +
                                                  t->extras->subclass + " in one call are not supported");
    return Value(t->extras->pieces[k].second);
  }
  if (v.isList() && !v.items().empty()) {
    Values items;
    items.reserve(v.items().size());
    for (const Value& i : v.items()) items.push_back(pieceOf(i, like, k));
    return Value(std::move(items), v.kind());
  }
  return v;
}

/// The argument whose inner tensors the call gave back, such as the one that it writes.
Value returnedArgument(const Values& args, const Tensor& like, const Values& results) {
  for (const Value& v : args) {
    if (v.isList()) {
      if (const Value inside = returnedArgument(v.items(), like, results); !inside.isNone()) return inside;
      continue;
    }
    if (!tensorIn(v)) continue;
    bool same = true;
    for (size_t k = 0; k < results.size() && same; ++k)
      same = tensorIn(pieceOf(v, like, k)) == tensorIn(results[k]);
    if (same) return v;
  }
  return {};
}

}  // namespace

namespace {
const std::vector<SubclassClass>& knownClasses() {
  static const std::vector<SubclassClass> kClasses = {{"TwoTensor", {"a", "b"}}};
  return kClasses;
}
}  // namespace

const SubclassClass* findSubclass(std::string_view className) {
  className = className.substr(className.rfind('.') + 1);
  for (const SubclassClass& c : knownClasses())
    if (c.name == className) return &c;
  return nullptr;
}

bool isSubclassAttribute(std::string_view name) {
  for (const SubclassClass& c : knownClasses())
    if (std::find(c.attrs.begin(), c.attrs.end(), name) != c.attrs.end()) return true;
  return false;
}

SubclassLayout layoutOf(const Tensor& t) {
  SubclassLayout out;
  out.name = t.extras->subclass;
  for (const auto& [attr, piece] : t.extras->pieces)
    out.inner.push_back({attr, piece->meta, layoutOf(*piece)});
  return out;
}

Tensor* wrapperAmong(const Values& args) {
  for (const Value& v : args) {
    if (Tensor* t = tensorIn(v); t && t->isWrapper()) return t;
    if (v.isList())
      if (Tensor* t = wrapperAmong(v.items())) return t;
  }
  return nullptr;
}

TensorRef Tracer::wrapPieces(std::string_view subclass,
                             std::vector<std::pair<std::string, TensorRef>> pieces) {
  auto t = make<Tensor>();
  t->meta = pieces.front().second->meta;
  t->extras.own().subclass = subclass;
  t->extras.own().pieces = std::move(pieces);
  t->storage = make<FunctionalStorage>();
  t->group = ++memories_;
  return t;
}

/// Making a wrapper computes the bytes of its storage, and compares what it holds, with whatever the sizes
/// are in the graph.
void Tracer::touchSizes(const Tensor& wrapper) {
  if (!recording || lazyNumbers) return;
  const Meta& m = wrapper.meta;
  const auto symbolic = [](const Ints& ints) {
    return std::any_of(ints.begin(), ints.end(), [](const Int& i) { return i.symbolic(); });
  };
  if (!symbolic(m.sizes) && !symbolic(m.strides)) return;
  for (const auto& [attr, piece] : wrapper.extras->pieces) {
    for (const Ints* list : {&piece->meta.sizes, &piece->meta.strides})
      for (const Int& i : *list)
        if (i.symbolic()) nodeOf(i);
  }
  nameStorageBytes(m);
}

/// A view computes some of its sizes, by merging and splitting dimensions from the left, and takes others
/// over from the tensor or from the call. Those that it computes are numbers of their own.
void Tracer::computedViewSizes(const OpDef& op, const Values& args, Value& result) {
  if (op.ns() != "aten" || (op.name() != "view" && op.name() != "_unsafe_view") || op.overload() == "dtype" ||
      args.size() < 2 || !result.isTensor() || !args[0].isTensor())
    return;
  const Ints to = result.meta().sizes;
  const auto copy = [](const Int& i) {
    return i.symbolic() ? ir::eval::symbolicInt(i.expr(), i.value, i.sym->hasHint) : i;
  };
  Ints now = args[0].meta().sizes, out(to.size());
  const auto same = [](const Int& a, const Int& b) { return a.value == b.value; };
  if (now.empty() || to.empty() || args[0].meta().numel() == Int(0)) return;
  const bool contiguous = ir::eval::isContiguous(args[0].meta());
  const bool toMatrix = contiguous && now.size() == 1 && to.size() == 2;
  if (toMatrix) {
    out = to;
  } else if (contiguous && now.size() > 1 && to.size() == 1) {
    out[0] = copy(to[0]);
  } else if (now.size() == to.size() && std::equal(now.begin(), now.end(), to.begin(), same)) {
    out = now;
  } else {
    for (size_t d = 0; d < to.size(); ++d) {
      if (d >= now.size()) {
        out[d] = to[d];
        continue;
      }
      if (same(to[d], now[d])) {
        out[d] = now[d];
        continue;
      }
      Int merged = now[d];
      size_t end = d;
      while (to[d].value != 0 && merged.value % to[d].value != 0 && end + 1 < now.size())
        merged = merged * now[++end];
      now.erase(now.begin() + static_cast<std::ptrdiff_t>(d) + 1,
                now.begin() + static_cast<std::ptrdiff_t>(end) + 1);
      now[d] = merged;
      if (same(merged, to[d])) {
        out[d] = copy(to[d]);
        continue;
      }
      const Int rest = to[d].value ? ir::eval::floorDiv(merged, to[d]) : merged;
      now[d] = out[d] = to[d];
      now.insert(now.begin() + static_cast<std::ptrdiff_t>(d) + 1, rest);
    }
  }
  auto t = make<Tensor>();
  t->meta = result.meta();
  for (size_t d = 0; d < to.size(); ++d)
    t->meta.sizes[d] =
        !to[d].symbolic() || !out[d].symbolic() || !(out[d].str() == to[d].str()) ? copy(to[d]) : out[d];
  for (Int& i : t->meta.strides) i = copy(i);
  if (toMatrix) t->meta.strides[0] = t->meta.sizes[1];
  result = Value(t);
}

Value Tracer::dispatchToPieces(const OpDef& op, const Values& args, const Tensor& like) {
  Values made;
  for (size_t k = 0; k < like.extras->pieces.size(); ++k) {
    Values inner;
    inner.reserve(args.size());
    for (const Value& v : args) inner.push_back(pieceOf(v, like, k));
    made.push_back(functionalize(op, std::move(inner)));
  }
  Tensor* self = args.empty() ? nullptr : tensorIn(args[0]);
  if (op.has(ir::kOpInplaceView) && self && self->isWrapper()) {
    self->meta.sizes = self->extras->pieces.front().second->meta.sizes;
    self->meta.strides = self->extras->pieces.front().second->meta.strides;
    self->meta.offset = self->extras->pieces.front().second->meta.offset;
  }
  const std::function<Value(const Values&)> joined = [&](const Values& results) -> Value {
    const Value& first = results.front();
    if (first.isList()) {
      Values items;
      for (size_t i = 0; i < first.items().size(); ++i) {
        Values parts;
        for (const Value& r : results) parts.push_back(r.items().at(i));
        items.push_back(joined(parts));
      }
      return Value(std::move(items), first.kind());
    }
    // Of ops that return no tensors the inner tensors are taken to return the same.
    if (!tensorIn(first)) return first;
    std::vector<std::pair<std::string, TensorRef>> pieces;
    for (size_t k = 0; k < results.size(); ++k)
      pieces.emplace_back(like.extras->pieces[k].first, TensorRef(tensorIn(results[k])));
    TensorRef t = wrapPieces(like.extras->subclass, std::move(pieces));
    touchSizes(*t);
    if (const Value argument = returnedArgument(args, like, results); !argument.isNone()) return argument;
    if (op.has(ir::kOpView) && self) {
      t->storage = self->storage;
      t->group = self->group;
    }
    return Value(t);
  };
  return joined(made);
}

Value Tracer::constructSubclass(const SubclassClass& c, std::string_view target, const Values& args,
                                const ir::eval::Keywords& keywords) {
  std::vector<std::pair<std::string, TensorRef>> pieces;
  for (size_t i = 0; i < c.attrs.size(); ++i) {
    Tensor* t = i < args.size() ? tensorIn(args[i]) : nullptr;
    if (!t)
      throw EvalError("type-error", std::string(c.name) + "() needs a tensor for " + std::string(c.attrs[i]));
    pieces.emplace_back(std::string(c.attrs[i]), TensorRef(t));
  }
  bool grad = requiresGrad(*pieces.front().second);
  bool given = args.size() > c.attrs.size();
  for (const auto& [key, v] : keywords) {
    if (key == "requires_grad")
      grad = grad || (!v.isNone() && v.truthy());
    else
      given = given || !v.isNone();
  }
  if (given)
    throw EvalError("subclass-unsupported",
                    std::string(c.name) + "() with sizes and strides of its own is not supported");
  const Meta& first = pieces.front().second->meta;
  for (const auto& [attr, t] : pieces) {
    const Meta& m = t->meta;
    if (m.device != first.device || m.dtype != first.dtype ||
        (!gradModeFixed && requiresGrad(*t) != requiresGrad(*pieces.front().second)))
      throw EvalError("type-error", "Expected a and b to have same device, layout, requires_grad, and dtype");
    if (!(m.sizes == first.sizes) || !(m.strides == first.strides) || !(m.offset == first.offset))
      throw EvalError("shape-mismatch", "Expected " + std::string(c.attrs[0]) + " and " + attr +
                                            " to have the same sizes, strides and storage offset");
  }
  if (wholeSubclasses) {
    Values inside;
    for (const auto& [attr, piece] : pieces) inside.emplace_back(innerOf(piece));
    return Value(wrap(inner(emit(target, inside, {}, typeOf(first)), first)));
  }
  TensorRef t = wrapPieces(c.name, std::move(pieces));
  touchSizes(*t);
  t->requiresGrad = grad;
  return Value(t);
}

}  // namespace descry::passes
