// Advanced indexing under vmap.
#include <algorithm>
#include <optional>

#include "passes/aot/batcher.h"

namespace descry::passes {

namespace {

/// Indices as they are below the level, and what has to be known about them as they were.
struct Indices {
  std::vector<Lane> lanes;  ///< of None where a dimension is taken whole
  int64_t rank = 0;         ///< of the widest one, without the batch
  int64_t leading = 0;      ///< dimensions taken whole before the first index
  bool batched = false;
  bool adjacent = true;

  Indices(Batcher& b, const Values& items) {
    int runs = 0;
    bool inRun = false, any = false;
    for (const Value& v : items) {
      lanes.push_back(tensorIn(v) ? b.lane(v) : Lane{});
      const bool index = tensorIn(v) != nullptr;
      if (index && !inRun) ++runs;
      inRun = index;
      if (!index) {
        leading += !any;
        continue;
      }
      any = true;
      rank = std::max(rank, lanes.back().rank());
      batched = batched || lanes.back().batched();
      if (lanes.back().batched() && v.meta().dtype == ir::DType::B8)
        throw EvalError("vmap-dynamic-shape",
                        "vmap: We do not support batching operators that can support dynamic shape. "
                        "Attempting to batch over "
                        "indexing with a boolean mask.");
    }
    adjacent = runs <= 1;
  }

  /// With one more index for the batch of what is indexed.
  Values lower(Batcher& b, const std::optional<Int>& selfBatch) const {
    Values out;
    uint32_t device = 0;
    for (const Lane& l : lanes) {
      out.push_back(l.value.isNone() ? Value() : b.padded(b.front(l), l.batched(), rank));
      if (tensorIn(l.value)) device = l.value.meta().device;
    }
    if (!selfBatch) return out;
    if (!batched) {
      out.insert(out.begin(), Value());
      return out;
    }
    Value at = b.t.op("arange", {Value(*selfBatch)},
                      {{"dtype", Value::dtype(ir::DType::I64)},
                       {"layout", Value::layout(ir::eval::Layout::Strided)},
                       {"device", Value::device(device)}});
    for (int64_t d = 0; d < rank; ++d) at = b.t.op("unsqueeze", {at, Value(-1)});
    out.insert(out.begin(), at);
    return out;
  }
};

/// Dimensions [1, 1 + first) and the `second` ones behind them change places.
Value swapped(Batcher& b, const Value& v, int64_t first, int64_t second) {
  Values order;
  for (int64_t d = 0; d < static_cast<int64_t>(v.meta().dim()); ++d) order.emplace_back(d);
  std::rotate(order.begin() + 1, order.begin() + 1 + first, order.begin() + 1 + first + second);
  return b.t.op("permute", {v, Value(std::move(order))});
}

/// How many dimensions `self[indices]` has.
int64_t indexedRank(const Value& self, const Values& indices) {
  int64_t rank = static_cast<int64_t>(self.meta().dim()), widest = 0;
  for (const Value& v : indices) {
    if (v.isNone()) continue;
    const auto dim = static_cast<int64_t>(v.meta().dim());
    const bool mask = v.meta().dtype == ir::DType::B8;
    rank -= mask ? dim : 1;
    widest = std::max(widest, mask ? int64_t{1} : dim);
  }
  return rank + widest;
}

Value read(Batcher& b, const Lane& self, const Indices& indices) {
  return b.below([&] {
    const Value x = b.front(self);
    const std::optional<Int> batch = self.batched() ? std::optional(x.meta().sizes[0]) : std::nullopt;
    Value v = b.t.exact("aten.index.Tensor", {x, Value(indices.lower(b, batch))});
    if (!indices.batched) return b.out(v, indices.adjacent ? 0 : indices.rank);
    if (!self.batched()) return b.out(v, indices.adjacent ? indices.leading : 0);
    // The index of the batch stands apart from the others now: what they give came first.
    if (indices.adjacent && indices.leading > 0) v = swapped(b, v, indices.rank, indices.leading);
    return b.out(v);
  });
}

}  // namespace

Value indexBatched(Batcher& b, Values& args) {
  const Lane self = b.lane(args[0]);
  const Indices indices(b, args[1].items());
  if (b.op.name() == "index") return read(b, self, indices);
  const Lane values = b.lane(args[2]);
  const bool writes = b.op.name() == "index_put_";
  if (writes && !self.batched())
    throw EvalError("vmap-inplace",
                    "vmap: aten::index_put_(self, *extra_args) is not possible because there exists a Tensor "
                    "`other` in extra_args that "
                    "has more elements than `self`.");
  Int size = 0;
  for (const Lane* l : {&self, &values})
    if (l->batched()) size = l->value.meta().sizes[static_cast<size_t>(l->dim)];
  if (!self.batched() && !values.batched())
    for (const Lane& l : indices.lanes)
      if (l.batched()) size = l.value.meta().sizes[static_cast<size_t>(l.dim)];
  return b.below([&] {
    const Value x = b.expanded(b.front(self), self.batched(), size);
    Value v = b.expanded(b.front(values), values.batched(), size);
    const Values at = indices.lower(b, size);
    v = b.padded(v, true, indexedRank(x, at) - 1);
    if (!writes) {
      if (!indices.batched && !indices.adjacent)
        v = b.t.op("movedim", {v, 0, Value(indices.rank)});
      else if (indices.batched && indices.adjacent && indices.leading > 0)
        v = swapped(b, v, indices.leading, indices.rank);
    }
    Values lower = args;
    lower[0] = x;
    lower[1] = Value(at);
    lower[2] = v;
    const Value out = b.t.call(b.op, lower);
    return writes ? args[0] : b.out(out);
  });
}

}  // namespace descry::passes
