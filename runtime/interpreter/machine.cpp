#include "runtime/interpreter/machine.h"

#include <algorithm>

#include "ir/ops/eval/element.h"
#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"
#include "ir/ops/rules/op_rules.h"
#include "ir/ops/variants.h"

namespace descry::runtime {

using ir::eval::Keywords;

namespace {

/// Rules that call themselves without end are cut off here.
constexpr int kDeepest = 400;

/// The op that `_foreach_x` applies to the elements of its lists: x.
const OpDef* elementOp(const OpDef& op) {
  constexpr std::string_view kPrefix = "_foreach_";
  if (op.ns() != "aten" || !op.name().starts_with(kPrefix)) return nullptr;
  return op.registry().findName("aten", op.name().substr(kPrefix.size()));
}

/// The name of the number that an op takes by keyword behind `positional` arguments; nothing when it takes
/// more of these, or no such number.
std::optional<std::string_view> keywordNumber(const OpDef& head, size_t positional) {
  std::optional<std::string_view> name;
  for (const OpDef* o = &head; o; o = o->nextOverload()) {
    if (o->has(ir::kOpMutates) != head.has(ir::kOpMutates)) continue;
    const std::vector<ir::SchemaArgument>& a = o->schema().arguments;
    const auto isKeyword = [](const ir::SchemaArgument& x) { return x.keywordOnly; };
    const auto first = static_cast<size_t>(std::find_if(a.begin(), a.end(), isKeyword) - a.begin());
    if (first > positional) return std::nullopt;
    if (first == positional && first < a.size() && a[first].type.base == "Scalar") name = a[first].name;
  }
  return name;
}

bool isNotImplemented(const Value& v) {
  return v.kind() == VKind::Object && v.text() == "NotImplemented";
}

/// The metas of an op's results, one after the other; null for absent ones.
std::vector<const Meta*> metasOf(const Value& shape) {
  if (!shape.isList()) return {shape.isTensor() ? &shape.meta() : nullptr};
  std::vector<const Meta*> out;
  for (const Value& v : shape.items()) out.push_back(v.isTensor() ? &v.meta() : nullptr);
  return out;
}

Value madeOf(const Value& shape, const std::vector<TensorRef>& tensors) {
  if (!shape.isList()) return Value(tensors.at(0));
  Values items;
  for (size_t i = 0; i < tensors.size(); ++i)
    items.push_back(tensors[i] ? Value(tensors[i]) : shape.items()[i]);
  return Value(std::move(items), shape.kind());
}

/// Ops that write the same everywhere or in an order of their own may write an element several times.
bool mayWriteTwice(const OpDef& op) {
  static constexpr std::string_view kNames[] = {"fill_",
                                                "zero_",
                                                "masked_fill_",
                                                "index_fill_",
                                                "index_put_",
                                                "_index_put_impl_",
                                                "_unsafe_index_put_",
                                                "tril_",
                                                "triu_",
                                                "fill_diagonal_",
                                                "threshold_",
                                                "set_data",
                                                "shallow_copy_data_",
                                                "resize_storage_bytes_"};
  return std::find(std::begin(kNames), std::end(kNames), op.name()) != std::end(kNames);
}

/// at::assert_no_internal_overlap of what an op writes.
void refuseExpanded(const OpDef& op, const Values& args) {
  if (!op.has(ir::kOpMutates) || op.has(ir::kOpInplaceView) || mayWriteTwice(op)) return;
  const auto& arguments = op.schema().arguments;
  for (size_t i = 0; i < arguments.size() && i < args.size(); ++i) {
    if (!arguments[i].type.writes() || !args[i].isTensor()) continue;
    const Meta& m = args[i].meta();
    for (size_t d = 0; d < m.sizes.size(); ++d)
      if (m.strides[d].value == 0 && m.sizes[d].value > 1)
        throw EvalError(
            "overlapping-write",
            "unsupported operation: more than one element of the written-to tensor refers to a single "
            "memory location. Please clone() the tensor before performing the operation.");
  }
}

/// copy_ between tensors that overlap in part. False when they do not.
bool copiedInPart(const OpDef& op, const Values& args);

}  // namespace

std::string_view wayName(Way way) {
  switch (way) {
    case Way::Kernel:
      return "kernel";
    case Way::Pointwise:
      return "scalar expression";
    case Way::View:
      return "view";
    case Way::ViewInPlace:
      return "view in place";
    case Way::ViewCopy:
      return "copy of a view";
    case Way::Write:
      return "op without writes";
    case Way::Lists:
      return "element by element";
    case Way::Decomposition:
      return "decomposition";
    case Way::Composite:
      return "composite";
    case Way::Unsupported:
      return "none";
  }
  return "none";
}

OpPlan planOf(const OpDef& op) {
  OpPlan plan;
  const ir::rules::OpRules& rules = op.rules();
  const auto found = [&](Way way) {
    plan.way = way;
    return plan;
  };
  plan.kernel = kernels().find(op);
  if (plan.kernel) return found(Way::Kernel);
  if (rules.run) {
    plan.body = rules.run.get();
    return found(Way::Composite);
  }
  if (op.has(ir::kOpInplaceView)) {
    plan.other = ir::functionalVariant(op);
    return found(plan.other ? Way::ViewInPlace : Way::Unsupported);
  }
  if (op.has(ir::kOpMutates)) {
    plan.other = ir::functionalVariant(op);
    if (!plan.other) {
      plan.other = elementOp(op);
      return found(plan.other ? Way::Lists : Way::Unsupported);
    }
    const Way way = planOf(*plan.other).way;
    plan.pointwise = way == Way::Pointwise;
    return found(way == Way::Unsupported ? Way::Unsupported : Way::Write);
  }
  if (rules.composite) {
    plan.body = rules.composite.get();
    return found(Way::Composite);
  }
  if (op.has(ir::kOpView) && rules.shape) return found(Way::View);
  if (rules.scalar && rules.shape) return found(Way::Pointwise);
  plan.other = ir::viewOfCopy(op);
  if (plan.other) return found(Way::ViewCopy);
  plan.body = rules.core ? rules.core.get() : rules.inductor.get();
  if (plan.body) return found(Way::Decomposition);
  plan.other = elementOp(op);
  if (plan.other) return found(Way::Lists);
  return plan;
}

TensorRef tensorOf(const Value& v) {
  if (!v.isTensor()) {
    if (!v.isNumber()) return {};
    TensorRef made = scalarTensor(v, ir::eval::dtypeOfNumber(v));
    made->meta.wrappedNumber = true;
    return made;
  }
  if (auto* t = dynamic_cast<Tensor*>(v.tensor())) return TensorRef(t);
  if (const auto* w = dynamic_cast<ir::eval::WrappedNumber*>(v.tensor())) {
    TensorRef made = scalarTensor(w->number, w->meta.dtype);
    made->meta.wrappedNumber = true;
    return made;
  }
  throw EvalError("internal", "a tensor without contents");
}

TensorRef resolved(const TensorRef& t) {
  if (!t->meta.conj && !t->meta.neg) return t;
  Meta m = t->meta;
  const bool conj = std::exchange(m.conj, false), neg = std::exchange(m.neg, false);
  m.strides = ir::eval::stridesLike(m.sizes, m.strides);
  const TensorRef made = allocate(m);
  const View out = viewOf(*made);
  copyElements(out, viewOf(*t));
  visitAny(m.dtype, [&]<class T>(TypeTag<T>) {
    forEachParallel<T>(
        [conj, neg](T& x) {
          (void)conj, (void)neg;  // some dtypes have neither
          if constexpr (kIsComplex<T>) {
            if (conj) x = std::conj(x);
          }
          if constexpr (!std::is_same_v<T, bool>) {
            if (neg) x = convertTo<T>(-static_cast<Compute<T>>(x));
          }
        },
        out);
  });
  return made;
}

Machine::Machine(const ir::OpRegistry& ops) : ops_(ops), rules_(ops, *this) {}

const OpPlan& Machine::plan(const OpDef& op) {
  const auto [at, fresh] = plans_.try_emplace(&op);
  if (fresh) at->second = planOf(op);
  return at->second;
}

Value Machine::call(const OpDef& op, Values args) {
  if (cancelled && cancelled()) throw EvalError("cancelled", "stopped");
  struct Depth {
    int& d;
    explicit Depth(int& depth) : d(depth) {
      if (++d > kDeepest) {
        --d;
        throw EvalError("rule-limit", "ops that call one another without end");
      }
    }
    ~Depth() { --d; }
  } depth(depth_);
  ++calls_;
  const OpPlan plan = this->plan(op);
  // Whatever a kernel did not foresee is an error of the call, never the end of the program.
  try {
    switch (plan.way) {
      case Way::Kernel:
        refuseExpanded(op, args);
        if (copiedInPart(op, args)) return args[0];
        return runKernel(op, *plan.kernel, args);
      case Way::Pointwise:
        return pointwise(op, args);
      case Way::View:
        return viewed(op, args);
      case Way::ViewInPlace:
        return viewInPlace(op, plan, args);
      case Way::ViewCopy:
        return viewCopy(op, plan, args);
      case Way::Write:
        refuseExpanded(op, args);
        return write(op, plan, args);
      case Way::Lists:
        return lists(op, plan, args);
      case Way::Decomposition:
      case Way::Composite:
        return decomposed(op, plan, args);
      case Way::Unsupported:
        break;
    }
  } catch (const std::bad_alloc&) {
    throw EvalError("out-of-memory", "the system has no more memory");
  } catch (const std::length_error&) {
    throw EvalError("out-of-memory", op.target() + " asks for more elements than any memory holds");
  } catch (const std::out_of_range&) {
    throw EvalError("bad-call", op.target() + " is called with arguments that do not fit one another");
  }
  throw EvalError("unsupported-op", "nothing here can run " + op.target());
}

Value Machine::call(std::string_view target, Values args) {
  const auto [at, fresh] = byTarget_.try_emplace(std::string(target));
  if (fresh) at->second = ops_.find(target);
  if (!at->second) throw EvalError("unknown-op", "no op is called " + std::string(target));
  const auto& defaults = at->second->rules().defaults;
  for (size_t i = args.size(); i < defaults.size(); ++i) args.push_back(defaults[i].value_or(Value()));
  return call(*at->second, std::move(args));
}

Value Machine::callByName(std::string_view name, Values args, const Keywords& keywords) {
  const OpDef* head = ops_.findName("aten", name);
  if (!head) throw EvalError("unknown-op", "no op is called " + std::string(name));
  return rules_.callOp(head, std::move(args), keywords, false);
}

Value Machine::shapeOf(const OpDef& op, const Values& args) {
  if (const Value* known = shapes_.find(op, args)) return *known;
  const uint64_t before = calls_;
  Value shape = rules_.shape(op, args);
  // A rule that has called ops may have looked at contents.
  if (calls_ == before && !op.has(ir::kOpDynamicShape) && !op.has(ir::kOpDataDependent))
    shapes_.put(op, args, shape);
  return shape;
}

Value Machine::runKernel(const OpDef& op, const Kernel& kernel, Values& args) {
  if (kernel.make) {
    Call c(*this, op, args, {});
    return kernel.make(c);
  }
  const Value shape = shapeOf(op, args);
  std::vector<TensorRef> results;
  for (const Meta* m : metasOf(shape)) {
    results.emplace_back();
    if (!m) continue;
    Meta own = *m;
    own.wrappedNumber = own.conj = own.neg = false;
    results.back() = allocate(std::move(own));
  }
  Call c(*this, op, args, results);
  kernel.fill(c);
  c.finish();
  return madeOf(shape, results);
}

Value Machine::pointwise(const OpDef& op, Values& args) {
  const Value shape = shapeOf(op, args);
  if (!shape.isTensor()) throw EvalError("internal", "a pointwise op of several results: " + op.target());
  Meta m = shape.meta();
  m.wrappedNumber = m.conj = m.neg = false;
  const TensorRef out = allocate(std::move(m));
  runPointwise(op, args, viewOf(*out));
  return Value(out);
}

Value Machine::viewed(const OpDef& op, Values& args) {
  const TensorRef base = tensorOf(args.at(0));
  if (!base) throw EvalError("type-error", op.target() + " needs a tensor");
  const Value shape = shapeOf(op, args);
  const auto made = [&](const Meta& m) {
    Meta own = m;
    own.wrappedNumber = false;
    // The rules of views know nothing of the memory: `as_strided` and the like may ask for more than there
    // is.
    if (const std::string fault = ir::eval::faultOf(own); !fault.empty())
      throw EvalError("value-error", fault);
    // (Looks at memory that is given back for a while are fine as long as nobody reads them.)
    if (endBytes(base->meta) <= base->storage->bytes()) checkInside(own, base->storage->bytes());
    return Value(viewInto(*base, std::move(own)));
  };
  if (!shape.isList()) return made(shape.meta());
  Values items;
  for (const Value& v : shape.items()) items.push_back(made(v.meta()));
  return Value(std::move(items), shape.kind());
}

Value Machine::viewInPlace(const OpDef& op, const OpPlan& plan, Values& args) {
  const TensorRef self = tensorOf(args.at(0));
  const Value result = call(*plan.other, args);
  const TensorRef now = tensorOf(result);
  if (!self || !now) throw EvalError("type-error", op.target() + " needs a tensor");
  self->meta = now->meta;
  self->storage = now->storage;
  ++self->version;
  return args[0];
}

Value Machine::viewCopy(const OpDef&, const OpPlan& plan, Values& args) {
  const auto copied = [&](const Value& v) {
    const TensorRef t = resolved(tensorOf(v));
    Meta m = t->meta;
    m.strides = ir::eval::contiguousStrides(m.sizes);
    const TensorRef made = allocate(std::move(m));
    copyElements(viewOf(*made), viewOf(*t));
    return Value(made);
  };
  const Value v = call(*plan.other, args);
  if (!v.isList()) return copied(v);
  Values items;
  for (const Value& i : v.items()) items.push_back(copied(i));
  return Value(std::move(items), v.kind());
}

namespace {

/// Replaces the contents of `to`; a result argument (`out=`) takes the sizes of what is written.
void writeTo(const TensorRef& to, const TensorRef& value, bool out) {
  if (out && !sameNumbers(to->meta.sizes, value->meta.sizes)) {
    Meta m = value->meta;
    m.dtype = to->meta.dtype;
    m.offset = to->meta.offset;
    const size_t needed = endBytes(m);
    if (to->storage->bytes() < needed) to->storage->resize(needed);
    to->meta = std::move(m);
  }
  if (to->meta.conj || to->meta.neg) {
    // Written through a conjugate or negative view: what is stored is changed the same way back.
    TensorRef turned = viewInto(*value, value->meta);
    turned->meta.conj = to->meta.conj != value->meta.conj;
    turned->meta.neg = to->meta.neg != value->meta.neg;
    copyElements(viewOf(*to), viewOf(*resolved(turned)));
  } else {
    copyElements(viewOf(*to), viewOf(*resolved(value)));
  }
  ++to->version;
}

}  // namespace

namespace {

enum class Overlap : uint8_t { None, Same, Partial };

/// Whether elements that are written lie where elements that are read do (at::get_overlap_status, which also
/// gives up on layouts with gaps).
Overlap overlapOf(const Tensor& written, const Tensor& read) {
  if (written.storage != read.storage) return Overlap::None;
  const Meta &a = written.meta, &b = read.meta;
  if (a.dtype == b.dtype && a.offset.value == b.offset.value && sameNumbers(a.sizes, b.sizes) &&
      sameNumbers(a.strides, b.strides))
    return Overlap::Same;
  const auto begin = [](const Meta& m) { return m.offset.value * itemBytes(m.dtype); };
  const auto end = [&](const Meta& m) { return begin(m) + static_cast<int64_t>(extentBytes(m)); };
  return begin(a) < end(b) && begin(b) < end(a) ? Overlap::Partial : Overlap::None;
}

/// at::assert_no_partial_overlap of tensors that overlap in part: those with holes it does not look at.
void refusePartialOverlap(const Tensor& written, const Tensor& read) {
  if (ir::eval::isNonOverlappingAndDense(written.meta) && ir::eval::isNonOverlappingAndDense(read.meta))
    throw EvalError(
        "overlapping-write",
        "unsupported operation: some elements of the input tensor and the written-to tensor refer "
        "to a single memory location. Please clone() the tensor before performing the operation.");
}

/// Element by element in the order of the written tensor: what was written is read by those behind it, as
/// eager kernels on layouts with gaps do.
void pointwiseInOrder(const OpDef& op, const Values& args, const View& out) {
  std::vector<size_t> tensors;
  std::vector<View> views;
  for (size_t i = 0; i < args.size(); ++i)
    if (args[i].isTensor() && dynamic_cast<Tensor*>(args[i].tensor())) {
      tensors.push_back(i);
      views.push_back(viewOf(*tensorOf(args[i])).expanded(out.sizes));
    }
  Values one = args;
  Dims index(out.dim(), 0);
  for (int64_t n = 0, all = out.numel(); n < all; ++n) {
    View to = out;
    to.sizes = to.strides = Dims{};
    for (size_t d = 0; d < out.dim(); ++d) to.data += index[d] * out.strides[d] * itemBytes(out.dtype);
    for (size_t k = 0; k < tensors.size(); ++k) {
      const TensorRef whole = tensorOf(args[tensors[k]]);
      Meta m = whole->meta;
      for (size_t d = 0; d < out.dim(); ++d) m.offset = m.offset + Int(index[d] * views[k].strides[d]);
      m.sizes.clear();
      m.strides.clear();
      one[tensors[k]] = Value(viewInto(*whole, std::move(m)));
    }
    runPointwise(op, one, to);
    for (size_t d = out.dim(); d-- > 0;) {
      if (++index[d] < out.sizes[d]) break;
      index[d] = 0;
    }
  }
}

/// Whether two equal layouts that lie `distance` apart have an element in common: the distance is one between
/// two of their elements. Strides are tried from the largest on, each with the counts that leave the least.
bool meets(int64_t distance, std::vector<std::pair<int64_t, int64_t>>& strideAndSize, size_t at) {
  if (at == strideAndSize.size()) return distance == 0;
  const auto [stride, size] = strideAndSize[at];
  const int64_t near = stride ? distance / stride : 0;
  for (const int64_t n : {near, near - 1, near + 1})
    if (std::abs(n) < size && meets(distance - n * stride, strideAndSize, at + 1)) return true;
  return false;
}

/// Halves of the same rows lie in between one another and share nothing.
bool lieApart(const Tensor& a, const Tensor& b) {
  if (a.meta.dtype != b.meta.dtype || !sameNumbers(a.meta.sizes, b.meta.sizes) ||
      !sameNumbers(a.meta.strides, b.meta.strides))
    return false;
  std::vector<std::pair<int64_t, int64_t>> dims;
  for (size_t d = 0; d < a.meta.sizes.size(); ++d)
    if (a.meta.sizes[d].value > 1) dims.emplace_back(a.meta.strides[d].value, a.meta.sizes[d].value);
  std::sort(dims.rbegin(), dims.rend());
  return dims.size() < 8 && !meets(b.meta.offset.value - a.meta.offset.value, dims, 0);
}

/// Dense tensors are refused, as at::assert_no_partial_overlap does. Others PyTorch does not look at: it
/// copies row by row in the order of the elements (and several at once in long rows, which is not followed
/// here).
bool copiedInPart(const OpDef& op, const Values& args) {
  if (op.name() != "copy_" || args.size() < 2 || !args[0].isTensor() || !args[1].isTensor()) return false;
  const TensorRef to = tensorOf(args[0]), from = tensorOf(args[1]);
  if (overlapOf(*to, *from) != Overlap::Partial || to->meta.conj || to->meta.neg || from->meta.conj ||
      from->meta.neg || lieApart(*to, *from))
    return false;
  refusePartialOverlap(*to, *from);
  const View out = viewOf(*to), in = viewOf(*from).expanded(out.sizes);
  Dims index(out.dim(), 0);
  View a = out, b = in;
  a.sizes = a.strides = b.sizes = b.strides = Dims{};
  for (int64_t n = 0, all = out.numel(); n < all; ++n) {
    a.data = out.data;
    b.data = in.data;
    for (size_t d = 0; d < out.dim(); ++d) {
      a.data += index[d] * out.strides[d] * itemBytes(out.dtype);
      b.data += index[d] * in.strides[d] * itemBytes(in.dtype);
    }
    copyElements(a, b);
    for (size_t d = out.dim(); d-- > 0;) {
      if (++index[d] < out.sizes[d]) break;
      index[d] = 0;
    }
  }
  ++to->version;
  return true;
}

}  // namespace

bool Machine::writePointwise(const OpDef& pure, const Values& args, const TensorRef& self) {
  if (self->meta.conj || self->meta.neg) return false;
  const Value shape = shapeOf(pure, args);
  if (!shape.isTensor() || shape.meta().dtype != self->meta.dtype ||
      !sameNumbers(shape.meta().sizes, self->meta.sizes))
    return false;
  bool partial = false;
  for (const Value& a : args)
    if (a.isTensor())
      if (const auto* t = dynamic_cast<const Tensor*>(a.tensor())) {
        if (t->meta.conj || t->meta.neg) return false;
        if (overlapOf(*self, *t) != Overlap::Partial) continue;
        refusePartialOverlap(*self, *t);
        partial = true;
      }
  if (partial)
    pointwiseInOrder(pure, args, viewOf(*self));
  else
    runPointwise(pure, args, viewOf(*self));
  ++self->version;
  return true;
}

Value Machine::write(const OpDef& op, const OpPlan& plan, Values& args) {
  const ir::Schema &schema = op.schema(), &pure = plan.other->schema();
  Values pureArgs(pure.arguments.size());
  for (size_t k = 0; k < pure.arguments.size(); ++k) {
    bool found = false;
    for (size_t i = 0; i < schema.arguments.size() && !found; ++i)
      if (schema.arguments[i].name == pure.arguments[k].name) {
        pureArgs[k] = args[i];
        found = true;
      }
    if (!found)
      if (const auto& d = plan.other->rules().defaults; k < d.size() && d[k]) pureArgs[k] = *d[k];
  }
  const bool inPlace =
      !schema.arguments.empty() && schema.arguments[0].type.writes() && !schema.arguments[0].keywordOnly;
  if (inPlace && plan.pointwise && args[0].isTensor() &&
      writePointwise(*plan.other, pureArgs, tensorOf(args[0])))
    return args[0];
  const Value result = call(*plan.other, std::move(pureArgs));
  // Results go to the written arguments in their order.
  Values written;
  Values values;
  const auto flatten = [](const Value& v, Values& into, auto&& self) -> void {
    if (v.isList())
      for (const Value& i : v.items()) self(i, into, self);
    else
      into.push_back(v);
  };
  bool keywordOut = false;
  for (size_t i = 0; i < schema.arguments.size(); ++i)
    if (schema.arguments[i].type.writes()) {
      keywordOut = keywordOut || schema.arguments[i].keywordOnly;
      flatten(args[i], written, flatten);
    }
  flatten(result, values, flatten);
  if (values.size() < written.size())
    throw EvalError("internal",
                    plan.other->target() + " gives fewer results than " + op.target() + " writes");
  // Functional forms of ops that return something of their own too give that first.
  const size_t skip =
      schema.returns.size() > 0 && values.size() > written.size() ? values.size() - written.size() : 0;
  for (size_t i = 0; i < written.size(); ++i) {
    const TensorRef to = tensorOf(written[i]), value = tensorOf(values[skip + i]);
    if (to && value) writeTo(to, value, keywordOut);
  }
  if (schema.returns.empty()) return {};
  if (skip) {
    Values own(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(skip));
    return own.size() == 1 ? own[0] : Value::tuple(std::move(own));
  }
  for (size_t i = 0; i < schema.arguments.size(); ++i)
    if (schema.arguments[i].type.writes() && args[i].isList() && schema.returns.size() == 1) return args[i];
  return written.size() == 1 ? written[0] : Value::tuple(std::move(written));
}

Value Machine::lists(const OpDef& op, const OpPlan& plan, Values& args) {
  const ir::Schema& schema = op.schema();
  size_t count = 0;
  for (size_t i = 0; i < args.size(); ++i)
    if (schema.arguments[i].type.isList() && schema.arguments[i].type.base == "Tensor" && args[i].isList())
      count = std::max(count, args[i].items().size());
  Values out;
  for (size_t n = 0; n < count; ++n) {
    Values one;
    Keywords keywords;
    for (size_t i = 0; i < args.size(); ++i) {
      const ir::SchemaArgument& a = schema.arguments[i];
      Value v = args[i];
      if (a.type.isList() && v.isList()) {
        if (v.items().size() != count)
          throw EvalError("shape-mismatch", "Tensor lists must have the same number of tensors, got " +
                                                std::to_string(count) + " and " +
                                                std::to_string(v.items().size()));
        v = v.items()[n];
      }
      if (a.name == "scalars" && v.isTensor()) {
        // One number for each list element, in a tensor.
        v = call("aten.select.int", {v, 0, static_cast<int64_t>(n)});
        v = numberAt(v.meta().dtype, viewOf(*tensorOf(v)).data);
      }
      if (i && v.isNone()) continue;
      if (a.keywordOnly || a.name == "dtype")
        keywords.emplace_back(a.name, v);
      else
        one.push_back(std::move(v));
    }
    const bool python = plan.other->name() != "pow";
    // `value`, `alpha` and the like come by keyword where the op wants them so.
    if (!one.empty() && one.back().isNumber() && keywordNumber(*plan.other, one.size() - 1)) {
      keywords.emplace_back(*keywordNumber(*plan.other, one.size() - 1), one.back());
      one.pop_back();
    }
    out.push_back(rules_.callOp(plan.other, std::move(one), keywords, python, false));
  }
  if (schema.returns.empty()) return {};
  return Value(std::move(out));
}

Value Machine::decomposed(const OpDef& op, const OpPlan& plan, Values& args) {
  Value result = rules_.run(*plan.body, args);
  if (isNotImplemented(result)) {
    // The first table keeps the op for these arguments; the other may take it apart.
    const ir::rules::OpRules& rules = op.rules();
    if (rules.inductor && rules.inductor.get() != plan.body) result = rules_.run(*rules.inductor, args);
    if (isNotImplemented(result))
      throw EvalError("unsupported-op", "nothing here can run " + op.target() + " with these arguments");
  }
  if (plan.way == Way::Composite || !op.rules().shape) return result;
  // Layouts are those of the op, not of what it was taken apart into.
  const Value shape = shapeOf(op, args);
  const auto laidOut = [&](const Value& v, const Value& as) -> Value {
    if (!v.isTensor() || !as.isTensor()) return v;
    const TensorRef t = tensorOf(v);
    Meta m = as.meta();
    m.wrappedNumber = m.conj = m.neg = false;
    bool same =
        t->meta.dtype == m.dtype && sameNumbers(t->meta.sizes, m.sizes) && !t->meta.conj && !t->meta.neg;
    for (size_t d = 0; same && d < m.sizes.size(); ++d)
      same = m.sizes[d].value < 2 || m.strides[d].value == t->meta.strides[d].value;
    // What came in is not given out again as a result of its own.
    for (const Value& a : args)
      if (a.isTensor() && dynamic_cast<Tensor*>(a.tensor()) &&
          static_cast<Tensor*>(a.tensor())->storage == t->storage)
        same = false;
    if (same) return v;
    const TensorRef made = allocate(std::move(m));
    copyElements(viewOf(*made), viewOf(*resolved(t)));
    return Value(made);
  };
  if (!result.isList() || !shape.isList()) return laidOut(result, shape);
  Values items;
  for (size_t i = 0; i < result.items().size(); ++i)
    items.push_back(i < shape.items().size() ? laidOut(result.items()[i], shape.items()[i])
                                             : result.items()[i]);
  return Value(std::move(items), result.kind());
}

// ---- what rules of the op table ask for

Value Machine::index(const Value& tensor, const Value& index, bool) {
  const Values parts = index.kind() == VKind::Tuple ? index.items() : Values{index};
  int64_t taken = 0;
  for (const Value& p : parts) {
    if (p.isNone() || p.kind() == VKind::Ellipsis || p.kind() == VKind::Bool) continue;
    const bool mask = p.isTensor() && (p.meta().dtype == DType::B8 || p.meta().dtype == DType::U8);
    taken += mask ? static_cast<int64_t>(p.meta().sizes.size()) : 1;
  }
  Value v = tensor;
  int64_t dim = 0;
  Values tensors;
  for (const Value& p : parts) {
    if (p.kind() == VKind::Ellipsis) {
      dim += static_cast<int64_t>(tensor.meta().sizes.size()) - taken;
    } else if (p.isNone()) {
      v = call("aten.unsqueeze.default", {v, dim++});
    } else if (p.kind() == VKind::Int) {
      v = call("aten.select.int", {v, dim, p});
    } else if (p.kind() == VKind::Slice) {
      const Values& s = p.items();
      const auto bound = [&](const Value& b) { return b.isTensor() ? call("aten.item.default", {b}) : b; };
      v = call("aten.slice.Tensor", {v, dim++, bound(s[0]), bound(s[1]), s[2].isNone() ? Value(1) : s[2]});
    } else if (p.isTensor()) {
      tensors.resize(static_cast<size_t>(dim));
      tensors.push_back(p);
      const bool mask = p.meta().dtype == DType::B8 || p.meta().dtype == DType::U8;
      dim += mask ? static_cast<int64_t>(p.meta().sizes.size()) : 1;
      if (mask) tensors.resize(static_cast<size_t>(dim));
    } else {
      throw EvalError("type-error", "a tensor cannot be indexed by " + p.describe());
    }
  }
  if (std::none_of(tensors.begin(), tensors.end(), [](const Value& t) { return t.isTensor(); })) return v;
  // A mask stands for several dimensions, but for one entry of the list.
  Values indices;
  for (size_t i = 0; i < tensors.size(); ++i) {
    indices.push_back(tensors[i]);
    if (tensors[i].isTensor() &&
        (tensors[i].meta().dtype == DType::B8 || tensors[i].meta().dtype == DType::U8))
      i += tensors[i].meta().sizes.size() - 1;
  }
  return call("aten.index.Tensor", {v, Value(std::move(indices))});
}

void Machine::setIndex(const Value& tensor, const Value& index, const Value& value) {
  const Values parts = index.kind() == VKind::Tuple ? index.items() : Values{index};
  const bool plain = std::none_of(parts.begin(), parts.end(), [](const Value& p) { return p.isTensor(); });
  if (!plain) {
    Values indices;
    for (const Value& p : parts) indices.push_back(p.isTensor() ? p : Value());
    call("aten.index_put_.default",
         {tensor, Value(std::move(indices)),
          value.isTensor() ? value : Value(scalarTensor(value, tensor.meta().dtype))});
    return;
  }
  const Value target =
      parts.size() == 1 && parts[0].kind() == VKind::Ellipsis ? tensor : this->index(tensor, index, true);
  if (value.isTensor())
    call("aten.copy_.default", {target, value});
  else
    call("aten.fill_.Scalar", {target, value});
}

bool Machine::special(std::string_view name, Values& args, Value& result) {
  if (name == "torch.tensor" || name == "torch.as_tensor" || name == "torch.asarray") {
    Values numbers;
    Dims sizes;
    const auto collect = [&](const Value& v, size_t depth, auto&& self) -> void {
      if (v.isList()) {
        if (sizes.size() == depth) sizes.push_back(static_cast<int64_t>(v.items().size()));
        for (const Value& i : v.items()) self(i, depth + 1, self);
      } else {
        numbers.push_back(v.isTensor() ? call("aten.item.default", {v}) : v);
      }
    };
    collect(args.at(0), 0, collect);
    DType dtype = DType::F32;
    if (!args.at(1).isNone()) {
      dtype = args[1].asDType();
    } else if (!numbers.empty()) {
      dtype = DType::B8;
      for (const Value& n : numbers) dtype = ir::eval::promote(dtype, ir::eval::dtypeOfNumber(n));
    }
    const TensorRef t = allocate(sizes, dtype);
    if (productOf(sizes) != static_cast<int64_t>(numbers.size()))
      throw EvalError("type-error", "the lists of a tensor have different lengths");
    for (size_t i = 0; i < numbers.size(); ++i)
      storeNumber(dtype, t->storage->data() + static_cast<int64_t>(i) * itemBytes(dtype), numbers[i]);
    result = Value(t);
    return true;
  }
  return false;
}

bool Machine::attribute(const Value&, std::string_view name, Value& result) {
  if (name == "requires_grad") {
    result = Value::boolean(false);
    return true;
  }
  return false;
}

}  // namespace descry::runtime
