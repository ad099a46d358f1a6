// `x[...]` and `x[...] = v` as PyTorch's Python binding takes them apart.
#include <algorithm>

#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"
#include "passes/autodiff/tracer.h"

namespace descry::passes {

namespace {

constexpr int64_t kMax = INT64_MAX;

bool isIntegral(const Value& v) {
  return v.kind() == VKind::Int;
}

struct Indexed {
  Value sliced;
  /// One entry for each dimension, a mask for as many as it has: None where a dimension is not indexed by a
  /// tensor. Empty when there are none.
  Values tensors;
};

class Indexer {
 public:
  explicit Indexer(Tracer& tracer) : t_(tracer) {}

  Value slice(const Value& x, int64_t dim, const Value& index, bool always) {
    const Value &start = index.items()[0], &stop = index.items()[1], &step = index.items()[2];
    const Int by = step.isNone() ? Int(1) : step.toInt();
    if (!by.sym && by.value <= 0) throw EvalError("index-error", "slice step must be positive");
    const Int from = start.isNone() ? Int(0) : start.toInt();
    const Int to = stop.isNone() ? Int(kMax) : stop.toInt();
    if (!always && !from.sym && from.value == 0 && !by.sym && by.value == 1) {
      if (x.meta().sizes.empty())
        throw EvalError("index-error", "slice() cannot be applied to a 0-dim tensor.");
      const Int& size = x.meta().sizes.at(static_cast<size_t>(dim));
      // PyTorch compares the two, whatever is known of them.
      if (size.sym || to.sym) t_.freshName("le");
      // A size that may grow without end may be greater than any stop.
      const bool whole = !to.sym && to.value == kMax &&
                         (!size.sym || t_.numberFacts->decide(ir::SymRel::Le, size.expr(), kMax - 1) == true);
      if (to == size || whole || (!to.sym && !size.sym && to.value == size.value)) return x;
    }
    return t_.exact("aten.slice.Tensor",
                    {x, Value(dim), start.isNone() ? Value(0) : start, stop.isNone() ? Value(kMax) : stop,
                     step.isNone() ? Value(1) : step});
  }

  Indexed apply(const Value& self, const Values& index) {
    int64_t specified = 0;
    if (std::count_if(index.begin(), index.end(),
                      [](const Value& i) { return i.kind() == VKind::Ellipsis; }) > 1)
      throw EvalError("index-error", "an index can only have a single ellipsis ('...')");
    for (const Value& i : index) {
      if (Tensor* t = tensorIn(i)) {
        const bool mask = t->meta.dtype == ir::DType::B8 || t->meta.dtype == ir::DType::U8;
        specified += mask ? static_cast<int64_t>(t->meta.sizes.size()) : 1;
      } else if (!i.isNone() && i.kind() != VKind::Ellipsis && i.kind() != VKind::Bool) {
        ++specified;
      }
    }
    const int64_t rank = static_cast<int64_t>(self.meta().sizes.size());
    if (specified > rank)
      throw EvalError("index-error", "too many indices for tensor of dimension " + std::to_string(rank));
    Indexed out;
    out.sliced = self;
    int64_t dim = 0;
    const auto record = [&](const Value& tensor) {
      if (out.tensors.empty()) out.tensors.resize(static_cast<size_t>(dim));
      out.tensors.push_back(tensor);
      const ir::DType t = tensor.meta().dtype;
      const bool mask = t == ir::DType::B8 || t == ir::DType::U8;
      dim += mask ? static_cast<int64_t>(tensor.meta().sizes.size()) : 1;
    };
    const auto skip = [&](int64_t dims) {
      dim += dims;
      if (!out.tensors.empty()) out.tensors.resize(out.tensors.size() + static_cast<size_t>(dims));
    };
    for (const Value& i : index) {
      if (i.isNone()) {
        out.sliced = t_.op("unsqueeze", {out.sliced, Value(dim)});
        skip(1);
      } else if (i.kind() == VKind::Ellipsis) {
        skip(rank - specified);
      } else if (i.kind() == VKind::Bool) {
        out.sliced = t_.op("unsqueeze", {out.sliced, Value(dim)});
        const Value at = t_.op("empty", {Value(Ints{Int(i.asBool() ? 1 : 0)})},
                               {{"dtype", Value::dtype(ir::DType::I64)},
                                {"layout", Value::layout(ir::eval::Layout::Strided)},
                                {"device", Value::device(self.meta().device)}});
        record(i.asBool() ? t_.op("fill_", {at, Value::real(0)}) : at);
      } else if (isIntegral(i)) {
        out.sliced = select(out.sliced, dim, i);
      } else if (i.kind() == VKind::Slice) {
        out.sliced = slice(out.sliced, dim, i, false);
        skip(1);
      } else if (Tensor* t = tensorIn(i)) {
        if (t->meta.sizes.empty() && ir::eval::isIntegral(t->meta.dtype) && t->meta.dtype != ir::DType::U8) {
          out.sliced = select(out.sliced, dim, t_.op("item", {i}));
        } else if (t->meta.sizes.empty() &&
                   (t->meta.dtype == ir::DType::B8 || t->meta.dtype == ir::DType::U8)) {
          out.sliced = t_.op("unsqueeze", {out.sliced, Value(dim)});
          record(i);
        } else {
          record(i);
        }
      } else if (i.isList()) {
        record(t_.literalTensor(i, self.meta().device));
      } else {
        throw EvalError("index-error",
                        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
                        "valid indices (got " +
                            i.describe() + ")");
      }
    }
    while (!out.tensors.empty() && out.tensors.back().isNone()) out.tensors.pop_back();
    return out;
  }

  Value select(const Value& x, int64_t dim, const Value& index) {
    const Meta& m = x.meta();
    if (m.sizes.empty())
      throw EvalError("index-error",
                      "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` "
                      "in C++ to convert a 0-dim tensor to a number");
    const Int at = index.toInt();
    const Int& size = m.sizes.at(static_cast<size_t>(dim));
    if (!at.sym && !size.sym && (at.value < -size.value || at.value >= size.value))
      throw EvalError("index-error", "index " + at.str() + " is out of bounds for dimension " +
                                         std::to_string(dim) + " with size " + size.str());
    return t_.exact("aten.select.int", {x, Value(dim), index});
  }

 private:
  Tracer& t_;
};

/// A list of indices that stands for a tuple: old NumPy rules, as far as PyTorch keeps them.
Values tupleOf(const Value& index) {
  if (index.kind() == VKind::Tuple) return index.items();
  return {index};
}

}  // namespace

Value Tracer::index(const Value& tensor, const Value& index, bool) {
  Indexer indexer(*this);
  if (index.isNone()) return op("unsqueeze", {tensor, 0});
  if (index.kind() == VKind::Ellipsis) return op("alias", {tensor});
  if (index.kind() == VKind::Int) return indexer.select(tensor, 0, index);
  if (index.kind() == VKind::Slice) return indexer.slice(tensor, 0, index, true);
  const Indexed i = indexer.apply(tensor, tupleOf(index));
  if (i.tensors.empty()) return i.sliced.object() == tensor.object() ? op("alias", {tensor}) : i.sliced;
  return exact("aten.index.Tensor", {i.sliced, Value(i.tensors)});
}

void Tracer::setIndex(const Value& tensor, const Value& index, const Value& value) {
  Indexer indexer(*this);
  // Python's True and False are taken as the numbers that they are.
  const auto number = [](const Value& v) { return v.kind() == VKind::Bool ? Value(int64_t{v.asBool()}) : v; };
  const auto store = [&](const Value& target, const Value& v) {
    if (v.isNumber()) {
      exact("aten.fill_.Scalar", {target, number(v)});
      return;
    }
    const Ints &sizes = v.meta().sizes, &wanted = target.meta().sizes;
    const auto same = [](const Ints& a, const Ints& b) {
      return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
    };
    Value from = v;
    if (!same(sizes, wanted)) {
      if (sizes.empty() && v.meta().device == 0) {
        exact("aten.fill_.Tensor", {target, v});
        return;
      }
      // Leading dimensions of size 1 are dropped, then the value is spread over the target.
      size_t drop = 0;
      while (drop < sizes.size() && sizes[drop] == Int(1)) ++drop;
      from = op("view", {from, Value(Ints(sizes.begin() + static_cast<std::ptrdiff_t>(drop), sizes.end()))});
      if (!same(from.meta().sizes, wanted)) from = op("expand", {from, Value(wanted)});
    }
    exact("aten.copy_.default", {target, from});
  };
  if (index.kind() == VKind::Ellipsis) return store(tensor, value);
  if (index.isNone()) return store(op("unsqueeze", {tensor, 0}), value);
  if (index.kind() == VKind::Int) return store(indexer.select(tensor, 0, index), value);
  if (index.kind() == VKind::Slice) return store(indexer.slice(tensor, 0, index, false), value);
  const Indexed i = indexer.apply(tensor, tupleOf(index));
  if (i.tensors.empty()) return store(i.sliced, value);
  Value v = number(value);
  if (v.isNumber() && fillsAt(i.sliced, i.tensors, v)) return;
  if (v.isNumber())
    // A number becomes a tensor on the CPU that the graph holds.
    v = v.symbolic() ? scalarTensor(v, tensor.meta().dtype, tensor.meta().device)
                     : constant({}, tensor.meta().dtype, 0, v);
  else if (v.meta().dtype != tensor.meta().dtype)
    v = op("to", {v}, {{"dtype", Value::dtype(tensor.meta().dtype)}});
  if (!v.meta().sizes.empty() && v.meta().sizes[0] == Int(1)) {
    // Leading dimensions of size 1 are dropped here as well.
    size_t drop = 0;
    while (drop < v.meta().sizes.size() && v.meta().sizes[drop] == Int(1)) ++drop;
    v = op(
        "view",
        {v, Value(Ints(v.meta().sizes.begin() + static_cast<std::ptrdiff_t>(drop), v.meta().sizes.end()))});
  }
  exact("aten.index_put_.default", {i.sliced, Value(i.tensors), v});
}

bool Tracer::fillsAt(const Value& sliced, const Values& indices, const Value& number) {
  const Value* only = nullptr;
  size_t dim = 0;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (indices[d].isNone()) continue;
    if (only) return false;
    only = &indices[d];
    dim = d;
  }
  if (!only || !only->isTensor()) return false;
  const Meta &target = sliced.meta(), &index = only->meta();
  if (index.device != target.device) return false;
  if (index.dtype == ir::DType::B8 || index.dtype == ir::DType::U8) {
    Value mask = *only;
    for (size_t d = dim + index.sizes.size(); d < target.sizes.size(); ++d)
      mask = op("unsqueeze", {mask, -1});
    exact("aten.masked_fill_.Scalar", {sliced, mask, number});
    return true;
  }
  const bool flat = index.sizes.size() <= 1;
  const bool float8 = target.dtype >= ir::DType::F8E4M3FN && target.dtype <= ir::DType::F8E8M0FNU;
  if (float8 || index.dtype != ir::DType::I64 || (!flat && !ir::eval::isContiguous(index))) return false;
  exact("aten.index_fill_.int_Scalar", {sliced, Value(static_cast<int64_t>(dim)),
                                        flat ? *only : op("view", {*only, Value(Ints{Int(-1)})}), number});
  return true;
}

Value Tracer::scalarTensor(const Value& number, ir::DType dtype, uint32_t device) {
  return op("scalar_tensor", {number}, {{"dtype", Value::dtype(dtype)}, {"device", Value::device(device)}});
}

Value Tracer::literalTensor(const Value& list, uint32_t device) {
  Ints sizes;
  bool floats = false, bools = false;
  const Value* at = &list;
  while (at->isList()) {
    sizes.emplace_back(static_cast<int64_t>(at->items().size()));
    if (at->items().empty()) break;
    at = &at->items()[0];
  }
  floats = at->kind() == VKind::Float;
  bools = at->kind() == VKind::Bool;
  return constant(sizes, floats ? ir::DType::F32 : bools ? ir::DType::B8 : ir::DType::I64, device, list);
}

Value Tracer::literal(const Value& data, const Value& dtype, const Value& device) {
  Ints sizes;
  const Value* at = &data;
  bool symbolic = false;
  while (at->isList()) {
    sizes.emplace_back(static_cast<int64_t>(at->items().size()));
    if (at->items().empty()) break;
    at = &at->items()[0];
  }
  ir::DType t = ir::DType::F32;
  const std::function<void(const Value&, int&)> widest = [&](const Value& v, int& rank) {
    if (v.isList()) {
      for (const Value& i : v.items()) widest(i, rank);
      return;
    }
    symbolic = symbolic || v.symbolic() || v.isTensor();
    const int r = v.kind() == VKind::Bool ? 0 : v.kind() == VKind::Int ? 1 : v.kind() == VKind::Float ? 2 : 3;
    rank = std::max(rank, r);
  };
  int rank = -1;
  widest(data, rank);
  if (rank >= 0)
    t = rank == 0 ? ir::DType::B8 : rank == 1 ? ir::DType::I64 : rank == 2 ? ir::DType::F32 : ir::DType::C64;
  if (dtype.kind() == VKind::DType) t = dtype.asDType();
  const uint32_t on = device.kind() == VKind::Device ? device.asDevice() : 0;
  if (symbolic) {
    const Value v = data.isList() ? Value() : data;
    if (v.isNone())
      throw EvalError("unsupported-call", "torch.tensor of a list with symbolic numbers is not supported");
    return op("scalar_tensor", {v}, {{"dtype", Value::dtype(t)}, {"device", Value::device(on)}});
  }
  const Value made = constant(sizes, t, on, data);
  return belowAutograd ? op("detach", {made}) : made;
}

Value Tracer::constant(const Ints& sizes, ir::DType dtype, uint32_t device, const Value& data) {
  // PyTorch lifts literals to attributes of the graph: `_tensor_constant0`, then lift_fresh_copy.
  Meta m;
  m.dtype = dtype;
  m.sizes = sizes;
  m.strides.resize(sizes.size());
  Int stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    m.strides[i] = stride;
    stride = stride * (sizes[i] == Int(0) ? Int(1) : sizes[i]);
  }
  m.device = device;
  const std::string attribute = "_tensor_constant" + std::to_string(constants_++);
  literals.emplace(attribute, data);
  return op("lift_fresh_copy", {attributeTensor(attribute, m)});
}

Value Tracer::attributeTensor(std::string_view attribute, const Meta& m) {
  const TensorRef made = inner(emitAttribute(attribute, typeOf(m)), m);
  return Value(below_ ? made : wrap(made));
}

}  // namespace descry::passes
