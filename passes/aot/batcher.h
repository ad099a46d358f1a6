// One op on the tensors of a vmap level. Private to passes/aot.
#pragma once

#include "ir/ops/eval/strides.h"
#include "passes/aot/levels.h"

namespace descry::passes {

/// A tensor argument as it is below the level.
struct Lane {
  Value value;
  int64_t dim = -1;  ///< of the batch

  bool batched() const { return dim >= 0; }
  int64_t rank() const { return static_cast<int64_t>(value.meta().dim()) - (batched() ? 1 : 0); }
};

class Batcher {
 public:
  Batcher(LevelStack& levels, const Ref<Level>& level, const OpDef& op)
      : levels(levels), t(levels.tracer()), level(level), op(op) {}

  Lane lane(const Value& v) const {
    Tensor* x = tensorIn(v);
    return x && x->extras->level == level ? Lane{Value(x->extras->lower), x->extras->batchDim} : Lane{v, -1};
  }
  /// The batch dimension first. To be called below the level, as everything that follows.
  Value front(const Lane& l) { return l.dim > 0 ? t.op("movedim", {l.value, Value(l.dim), 0}) : l.value; }
  /// Dimensions of size one behind the batch, so that the tensor broadcasts as it did without it.
  Value padded(const Value& v, bool batched, int64_t rank) {
    const Ints& sizes = v.meta().sizes;
    if (!batched || static_cast<int64_t>(sizes.size()) - 1 >= rank) return v;
    Ints shape = {sizes[0]};
    shape.insert(shape.end(), static_cast<size_t>(rank - (static_cast<int64_t>(sizes.size()) - 1)), Int(1));
    shape.insert(shape.end(), sizes.begin() + 1, sizes.end());
    return t.op("view", {v, Value(shape)});
  }
  Value expanded(const Value& v, bool batched, const Int& size) {
    if (batched) return v;
    Ints shape = v.meta().sizes;
    shape.insert(shape.begin(), size);
    return t.op("expand", {v, Value(shape)});
  }
  /// A result, or several, with the batch at `dim`.
  Value out(const Value& v, int64_t dim = 0) {
    if (tensorIn(v)) return atLevel(level, v, dim);
    if (!v.isList()) return v;
    Values items;
    for (const Value& i : v.items()) items.push_back(out(i, dim));
    return Value(std::move(items), v.kind());
  }
  static int64_t physical(const Value& dim, int64_t rank) { return ir::eval::wrapDim(dim.toInt(), rank) + 1; }
  int argument(std::string_view name) const {
    const auto& a = op.schema().arguments;
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i].name == name) return static_cast<int>(i);
    return -1;
  }
  template <class F>
  auto below(F&& f) {
    return levels.below(std::forward<F>(f));
  }

  LevelStack& levels;
  Tracer& t;
  const Ref<Level>& level;
  const OpDef& op;
};

/// index, index_put, index_put_ (batch_index.cpp).
Value indexBatched(Batcher& b, Values& args);

}  // namespace descry::passes
