// Built-in shape rules and the makers of metas.
#include <algorithm>

#include "ir/ops/eval/builtins.h"
#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"

namespace descry::ir::eval {

namespace {

Value made(Meta m) {
  m.conj = m.neg = false;
  m.wrappedNumber = false;
  auto t = make<TensorBase>();
  t->meta = std::move(m);
  return Value(t);
}

/// Device of an elementwise result: the first one that is not the CPU of a 0-d tensor.
uint32_t deviceOf(const std::vector<const Meta*>& operands) {
  uint32_t device = 0;
  bool any = false;
  for (const Meta* m : operands)
    if (!m->sizes.empty() || m->device) {
      if (!any || (device == 0 && m->device)) device = m->device;
      any = true;
    }
  return device;
}

DType promoted(const Values& operands) {
  ResultType r;
  for (const Value& v : operands) r.add(v);
  return r.get();
}

/// The dtype that PyTorch computes in: half precision is widened.
DType computedIn(DType t) {
  return t == DType::F16 || t == DType::BF16 ? DType::F32 : t == DType::C32 ? DType::C64 : t;
}

/// `computed`: operands of other dtypes are converted to it first, which closes the gaps of those that are
/// not dense.
Value elementwise(const Values& operands, DType dtype, const OpDef* op = nullptr,
                  DType computed = DType::Unknown) {
  std::vector<const Meta*> metas;
  Ints sizes;
  bool first = true;
  for (const Value& v : operands)
    if (v.isTensor()) {
      metas.push_back(&v.meta());
      if (first)
        sizes = v.meta().sizes;
      else if (!(v.meta().sizes.empty()))
        sizes = broadcastSizes(sizes, v.meta().sizes);
      first = false;
    }
  if (dtype == DType::Unknown) dtype = promoted(operands);
  Meta m;
  m.dtype = dtype;
  const bool basic =
      op && (op->name() == "add" || op->name() == "sub" || op->name() == "mul" || op->name() == "div") &&
      op->overload() == "Tensor";
  std::vector<Meta> converted;
  converted.reserve(metas.size());
  for (const Meta*& x : metas) {
    if (computed == DType::Unknown || x->dtype == computed || (x->sizes.empty() && x->device == 0)) continue;
    Meta dense = *x;
    dense.strides = stridesLike(x->sizes, x->strides);
    dense.dtype = computed;
    converted.push_back(std::move(dense));
    x = &converted.back();
  }
  m.strides = elementwiseStrides(sizes, metas, basic);
  m.sizes = std::move(sizes);
  m.device = deviceOf(metas);
  return made(std::move(m));
}

/// Tensor and Scalar arguments of the op, without the multipliers that do not promote (`alpha`, `value`).
Values operandsOf(const ShapeCall& call, bool scalars) {
  Values out;
  const Schema& schema = call.op->schema();
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    const SchemaArgument& a = schema.arguments[i];
    const Value& v = (*call.args)[i];
    if (a.type.base == "Tensor" && !a.type.isList() && a.name != "out")
      out.push_back(v);
    else if (scalars && a.type.base == "Scalar" && !a.keywordOnly && v.isNumber())
      out.push_back(v);
  }
  return out;
}

const Value& selfOf(const ShapeCall& call) {
  for (const Value& v : *call.args)
    if (v.isTensor()) return v;
  throw EvalError("rule-error", "the shape rule of " + call.op->target() + " needs a tensor argument");
}

DType named(const Values& a, const Keywords& k, const char* name, size_t at, DType absent) {
  const Value v = argument(a, k, at, name);
  return v.kind() == VKind::DType ? v.asDType() : absent;
}

constexpr size_t kNever = SIZE_MAX;

DType floatOf(DType t) {
  return isFloating(t) || isComplex(t) ? t : DType::F32;
}

Value reduce(Interpreter& in, Values& a, Keywords& k) {
  const Value& self = selfOf(in.shapeCall());
  const Meta& m = self.meta();
  const Value dims = argument(a, k, 0, "dim"), keep = argument(a, k, 1, "keepdim");
  const int64_t n = static_cast<int64_t>(m.sizes.size());
  std::vector<bool> reduced(static_cast<size_t>(std::max<int64_t>(n, 1)), false);
  const Ints given = dims.isNone() ? Ints{} : dims.toInts();
  if (given.empty()) reduced.assign(reduced.size(), true);
  for (const Int& d : given) {
    const size_t at = static_cast<size_t>(wrapDim(d, n));
    if (reduced[at])
      throw EvalError("shape-error",
                      "dim " + std::to_string(at) + " appears multiple times in the list of dims");
    reduced[at] = true;
  }
  Meta out;
  out.device = m.device;
  out.dtype = named(a, k, "dtype", 2, m.dtype);
  const bool keepdim = !keep.isNone() && keep.truthy();
  for (size_t i = 0; i < m.sizes.size(); ++i) {
    if (!reduced[i])
      out.sizes.push_back(m.sizes[i]);
    else if (keepdim)
      out.sizes.emplace_back(1);
  }
  out.strides = contiguousStrides(out.sizes);
  if (keepdim && std::any_of(out.sizes.begin(), out.sizes.end(), [](const Int& s) { return s == Int(0); })) {
    // The kept dimensions are put back into the strides of the result without them.
    Ints kept;
    for (size_t i = 0; i < m.sizes.size(); ++i)
      if (!reduced[i]) kept.push_back(m.sizes[i]);
    const Ints strides = contiguousStrides(kept);
    Int next = 1;
    for (size_t i = m.sizes.size(), k = kept.size(); i-- > 0;) {
      if (!reduced[i]) {
        --k;
        out.strides[i] = strides[k];
        next = strides[k] * kept[k];
      } else {
        out.strides[i] = next;
      }
    }
  }
  return made(std::move(out));
}

Value likeRule(Interpreter&, Values& a, Keywords& k) {
  const Value x = argument(a, k, 0, "x");
  if (!x.isTensor()) throw EvalError("rule-error", "like() needs a tensor, found " + x.describe());
  Meta m = x.meta();
  m.offset = 0;
  m.dtype = named(a, k, "dtype", kNever, m.dtype);
  const Value device = argument(a, k, kNever, "device"), format = argument(a, k, kNever, "memory_format"),
              layout = argument(a, k, kNever, "layout");
  if (device.kind() == VKind::Device) m.device = device.asDevice();
  if (layout.kind() == VKind::Layout) m.layout = layout.asLayout();
  const MemoryFormat f =
      format.kind() == VKind::MemoryFormat ? format.asMemoryFormat() : MemoryFormat::Preserve;
  m.strides = f == MemoryFormat::Preserve ? stridesLike(m.sizes, m.strides) : stridesFor(m.sizes, f);
  return made(std::move(m));
}

const Builtin kShapes[] = {
    {"unary",
     [](Interpreter& in, Values&, Keywords&) {
       return elementwise({selfOf(in.shapeCall())}, selfOf(in.shapeCall()).meta().dtype);
     }},
    {"unary_float",
     [](Interpreter& in, Values&, Keywords&) {
       const Value& s = selfOf(in.shapeCall());
       return elementwise({s}, floatOf(s.meta().dtype));
     }},
    {"unary_bool",
     [](Interpreter& in, Values&, Keywords&) { return elementwise({selfOf(in.shapeCall())}, DType::B8); }},
    {"unary_real",
     [](Interpreter& in, Values&, Keywords&) {
       const Value& s = selfOf(in.shapeCall());
       return elementwise({s}, toReal(s.meta().dtype));
     }},
    {"binary",
     [](Interpreter& in, Values&, Keywords&) {
       const Values v = operandsOf(in.shapeCall(), true);
       const DType result = promoted(v);
       return elementwise(v, result, in.shapeCall().op, computedIn(result));
     }},
    {"binary_float",
     [](Interpreter& in, Values&, Keywords&) {
       const Values v = operandsOf(in.shapeCall(), true);
       const DType result = floatOf(promoted(v));
       return elementwise(v, result, in.shapeCall().op, computedIn(result));
     }},
    {"compare",
     [](Interpreter& in, Values&, Keywords&) {
       const Values v = operandsOf(in.shapeCall(), true);
       return elementwise(v, DType::B8, nullptr, computedIn(promoted(v)));
     }},
    {"reduce", reduce},
    {"like", likeRule},
    {"same", likeRule},
    {"elementwise",
     [](Interpreter& in, Values& a, Keywords& k) {
       const Value list = argument(a, k, 0, "operands");
       return elementwise(list.isList() ? list.items() : Values{list},
                          named(a, k, "dtype", 1, DType::Unknown), in.shapeCall().op,
                          named(a, k, "computed", kNever, DType::Unknown));
     }},
    {"new",
     [](Interpreter& in, Values& a, Keywords& k) {
       const Value sizes = argument(a, k, 0, "sizes"), like = argument(a, k, kNever, "like"),
                   device = argument(a, k, kNever, "device");
       const Value offset = argument(a, k, kNever, "offset");
       const Value strides = argument(a, k, kNever, "strides"),
                   format = argument(a, k, kNever, "memory_format"),
                   layout = argument(a, k, kNever, "layout");
       Meta m;
       const Meta* from = like.isTensor() ? &like.meta() : nullptr;
       if (!from && in.shapeCall().args)
         for (const Value& v : *in.shapeCall().args)
           if (!from && v.isTensor()) from = &v.meta();
       if (from) {
         m.dtype = from->dtype;
         m.device = from->device;
       }
       m.dtype = named(a, k, "dtype", kNever, m.dtype);
       if (device.kind() == VKind::Device) m.device = device.asDevice();
       if (layout.kind() == VKind::Layout) m.layout = layout.asLayout();
       m.sizes = sizes.toInts();
       if (!offset.isNone()) m.offset = offset.toInt();
       for (const Int& s : m.sizes)
         if (!s.sym && s.value < 0)
           throw EvalError("shape-error", "Trying to create tensor with negative dimension " + s.str());
       if (!strides.isNone())
         m.strides = strides.toInts();
       else
         m.strides = stridesFor(m.sizes, format.kind() == VKind::MemoryFormat ? format.asMemoryFormat()
                                                                              : MemoryFormat::Contiguous);
       if (m.sizes.size() != m.strides.size()) throw EvalError("shape-error", faultOf(m));
       return made(std::move(m));
     }},
    {"viewed",
     [](Interpreter&, Values& a, Keywords& k) {
       const Value x = argument(a, k, 0, "x"), sizes = argument(a, k, 1, "sizes"),
                   strides = argument(a, k, 2, "strides"), offset = argument(a, k, 3, "offset");
       Meta m = x.meta();
       const bool conj = m.conj, neg = m.neg;
       m.sizes = sizes.toInts();
       m.strides = strides.toInts();
       // What follows in the rule walks both at once.
       if (m.sizes.size() != m.strides.size()) throw EvalError("shape-error", faultOf(m));
       if (!offset.isNone()) m.offset = offset.toInt();
       m.dtype = named(a, k, "dtype", kNever, m.dtype);
       auto t = make<TensorBase>();
       const Value c = argument(a, k, kNever, "conj"), n = argument(a, k, kNever, "neg");
       m.conj = c.isNone() ? conj : c.truthy();
       m.neg = n.isNone() ? neg : n.truthy();
       m.wrappedNumber = false;
       t->meta = std::move(m);
       return Value(t);
     }},
};

}  // namespace

const std::vector<Builtin>& shapeBuiltins() {
  static const std::vector<Builtin> kAll(std::begin(kShapes), std::end(kShapes));
  return kAll;
}

}  // namespace descry::ir::eval
