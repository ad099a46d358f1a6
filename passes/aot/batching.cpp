// vmap: how each op is carried out for a whole batch at once.
#include <algorithm>
#include <unordered_map>

#include "passes/aot/batcher.h"

namespace descry::passes {

namespace {

using Rule = Value (*)(Batcher&, Values&);

/// Arguments that broadcast against one another.
Value pointwise(Batcher& b, Values& args) {
  std::vector<Lane> lanes;
  int64_t rank = 0;
  size_t tensors = 0;
  for (const Value& v : args) {
    lanes.push_back(tensorIn(v) ? b.lane(v) : Lane{});
    if (tensorIn(v)) {
      rank = std::max(rank, lanes.back().rank());
      ++tensors;
    }
  }
  const auto& schema = b.op.schema().arguments;
  const bool writes = !schema.empty() && schema[0].type.writes();
  if (writes && !lanes[0].batched())
    throw EvalError("vmap-inplace", "vmap: aten::" + std::string(b.op.name()) +
                                        "(self, *extra_args) is not possible because there exists a Tensor "
                                        "`other` in extra_args that has more elements than `self`.");
  Values lower = args;
  if (tensors == 1 && !writes) {
    for (size_t i = 0; i < args.size(); ++i)
      if (tensorIn(args[i])) {
        lower[i] = lanes[i].value;
        return b.out(b.below([&] { return b.t.call(b.op, lower); }), lanes[i].dim);
      }
  }
  return b.below([&] {
    for (size_t i = 0; i < args.size(); ++i)
      if (tensorIn(args[i])) lower[i] = b.front(lanes[i]);
    for (size_t i = 0; i < args.size(); ++i)
      if (tensorIn(args[i])) lower[i] = b.padded(lower[i], lanes[i].batched(), rank);
    const Value v = b.t.call(b.op, lower);
    return writes ? args[0] : b.out(v);
  });
}

/// One tensor whose batch dimension may be anywhere.
Value anywhere(Batcher& b, Values& args) {
  const Lane self = b.lane(args[0]);
  Values lower = args;
  lower[0] = self.value;
  return b.out(b.below([&] { return b.t.call(b.op, lower); }), self.dim);
}

/// One tensor, its batch dimension first; the rest of the arguments as they are.
Value leading(Batcher& b, Values& args) {
  const Lane self = b.lane(args[0]);
  return b.below([&] {
    Values lower = args;
    lower[0] = b.front(self);
    return b.out(b.t.call(b.op, lower));
  });
}

Value flattened(Batcher& b, const Value& v) {
  return b.t.op("flatten", {v});
}

Value reduction(Batcher& b, Values& args) {
  const int dimAt = b.argument("dim");
  if (dimAt < 0) {
    // Without a dimension: all of those that are seen here.
    const std::string_view name = b.op.name();
    if (name == "sum" || name == "mean" || name == "norm") {
      Values dims;
      for (int64_t d = 0; d < static_cast<int64_t>(args[0].meta().dim()); ++d) dims.emplace_back(d);
      if (name == "norm")
        return b.t.op("norm", {args[0], args.at(1), Value(std::move(dims)), Value::boolean(false)});
      return b.t.op(name, {args[0], Value(std::move(dims)), Value::boolean(false)}, {{"dtype", args.back()}});
    }
    const Value v = b.t.op(name, {flattened(b, args[0]), 0, Value::boolean(false)});
    return v.isList() ? v.items()[0] : v;
  }
  const Lane self = b.lane(args[0]);
  const int64_t rank = self.rank();
  const int keepAt = b.argument("keepdim");
  const auto at = static_cast<size_t>(dimAt);
  const bool list = b.op.schema().arguments[at].type.isList();
  return b.below([&] {
    Values lower = args;
    Value x = b.front(self);
    Values dims;
    if (args[at].isList())
      dims = args[at].items();
    else if (!args[at].isNone())
      dims = {args[at]};
    if (dims.empty()) {
      if (list) {
        for (int64_t d = 0; d < std::max<int64_t>(rank, 1); ++d) dims.emplace_back(d);
      } else {
        if (x.meta().dim() > 1) x = b.t.op("flatten", {x, 1});
        dims = {Value(0)};
      }
    }
    const bool scalar = rank == 0 && dims.size() == 1;
    Values physical;
    for (const Value& d : dims)
      physical.emplace_back(scalar ? int64_t{1} : Batcher::physical(d, std::max<int64_t>(rank, 1)));
    if (scalar) x = b.t.op("unsqueeze", {x, Value(-1)});
    lower[0] = x;
    lower[at] = list ? Value(physical) : physical[0];
    Value v = b.t.call(b.op, lower);
    const bool keeps = keepAt >= 0 ? args[static_cast<size_t>(keepAt)].truthy() : true;
    if (scalar && keeps) {
      if (tensorIn(v))
        v = b.t.op("squeeze", {v, Value(-1)});
      else
        for (Value& i : v.items()) i = b.t.op("squeeze", {i, Value(-1)});
    }
    return b.out(v);
  });
}

/// Views that name dimensions (`dim`, `dim0`, `dims`, ...): the names shift by the batch.
Value shifted(Batcher& b, Values& args) {
  const Lane self = b.lane(args[0]);
  const int64_t rank = self.rank();
  const std::string_view name = b.op.name();
  const int64_t more =
      name == "unsqueeze" || name == "diag_embed" || name == "select_backward" || name == "diagonal_backward"
          ? 1
          : 0;
  if ((name == "transpose" || name == "t") && rank == 0) return args[0];
  return b.below([&] {
    Values lower = args;
    lower[0] = b.front(self);
    for (size_t i = 1; i < args.size(); ++i) {
      const std::string& n = b.op.schema().arguments[i].name;
      if (n == "input_sizes") {
        Ints sizes = args[i].toInts();
        sizes.insert(sizes.begin(), lower[0].meta().sizes[0]);
        lower[i] = Value(sizes);
      } else if (n.starts_with("dim")) {
        if (args[i].isList()) {
          Values dims;
          if (name == "permute") dims.emplace_back(0);
          for (const Value& d : args[i].items()) dims.emplace_back(Batcher::physical(d, rank + more));
          lower[i] = Value(std::move(dims));
        } else if (args[i].isInt()) {
          lower[i] = Value(Batcher::physical(args[i], rank + more));
        }
      }
    }
    return b.out(b.t.call(b.op, lower));
  });
}

Value squeeze(Batcher& b, Values& args) {
  const Lane self = b.lane(args[0]);
  const Ints& sizes = self.value.meta().sizes;
  return b.below([&] {
    if (sizes.size() == 1) return b.out(b.t.op("alias", {self.value}), self.dim);
    int64_t dim = self.dim;
    if (b.argument("dim") < 0) {
      Ints kept;
      dim = 0;
      for (size_t i = 0; i < sizes.size(); ++i) {
        const bool batch = static_cast<int64_t>(i) == self.dim;
        if (!batch && sizes[i] == Int(1)) continue;
        if (batch) dim = static_cast<int64_t>(kept.size());
        kept.push_back(sizes[i]);
      }
      return b.out(b.t.op("view", {self.value, Value(kept)}), dim);
    }
    Values dims;
    for (const Value& d : args[1].isList() ? args[1].items() : Values{args[1]}) {
      const int64_t at = ir::eval::wrapDim(d.toInt(), self.rank());
      if (at < self.dim) {
        dims.emplace_back(at);
        if (sizes[static_cast<size_t>(at)] == Int(1)) --dim;
      } else {
        dims.emplace_back(at + 1);
      }
    }
    return b.out(b.t.exact("aten.squeeze.dims", {self.value, Value(std::move(dims))}), dim);
  });
}

/// The sizes that are given are those without the batch: view, new_zeros.
Value resized(Batcher& b, Values& args) {
  const Lane self = b.lane(args[0]);
  const bool fresh = b.op.name().starts_with("new_");
  return b.below([&] {
    Values lower = args;
    lower[0] = fresh ? self.value : b.front(self);
    Ints sizes = args[1].toInts();
    sizes.insert(sizes.begin(), self.value.meta().sizes[static_cast<size_t>(self.dim)]);
    lower[1] = Value(sizes);
    return b.out(b.t.call(b.op, lower));
  });
}

Value expand(Batcher& b, Values& args) {
  const Lane self = b.lane(args[0]);
  return b.below([&] {
    const Value x = b.front(self);
    const Ints from = x.meta().sizes;
    Ints sizes = args[1].toInts();
    const size_t extra = sizes.size() - (from.size() - 1);
    sizes.insert(sizes.begin(), from[0]);
    Ints shape(sizes.size(), Int(1));
    shape[0] = from[0];
    std::copy(from.begin() + 1, from.end(), shape.begin() + 1 + static_cast<std::ptrdiff_t>(extra));
    Values lower = args;
    lower[0] = b.t.op("view", {x, Value(shape)});
    lower[1] = Value(sizes);
    return b.out(b.t.call(b.op, lower));
  });
}

Value dot(Batcher& b, Values& args) {
  const Lane x = b.lane(args[0]), y = b.lane(args[1]);
  return b.below([&] {
    const Value p = b.front(x), q = b.front(y);
    if (!x.batched() || !y.batched()) return b.out(b.t.op("matmul", {p, b.t.op("t", {q})}));
    // As C++ may, the second operand first.
    const Value right = b.t.op("unsqueeze", {q, Value(-1)}), left = b.t.op("unsqueeze", {p, Value(-2)});
    const Value v = b.t.op("squeeze", {b.t.op("matmul", {left, right}), Value(-1)});
    return b.out(b.t.op("squeeze", {v, Value(-1)}));
  });
}

Value matrixVector(Batcher& b, Values& args) {
  const Lane x = b.lane(args[0]), y = b.lane(args[1]);
  return b.below([&] {
    if (x.batched() && y.batched()) {
      const Value left = b.t.op("movedim", {x.value, Value(x.dim), Value(-3)});
      const Value right = b.t.op("unsqueeze", {b.front(y), Value(-1)});
      const Value v = b.t.op("squeeze", {b.t.op("matmul", {left, right}), Value(-1)});
      return b.out(v, static_cast<int64_t>(v.meta().dim()) - 2);
    }
    if (x.batched()) return b.out(b.t.op("matmul", {b.front(x), y.value}));
    return b.out(b.t.op("matmul", {x.value, b.t.op("movedim", {y.value, Value(y.dim), Value(-1)})}), 1);
  });
}

Value matrices(Batcher& b, Values& args) {
  const Lane x = b.lane(args[0]), y = b.lane(args[1]);
  return b.below([&] {
    const Value p = b.front(x), q = b.front(y);
    return b.out(b.t.op("matmul", {p, q}));
  });
}

/// input, a, b, beta, alpha: taken apart at this level.
Value addProduct(Batcher& b, Values& args) {
  const auto scalar = [](const Value& v, double is) {
    return v.isNumber() && !v.symbolic() && v.toReal() == is;
  };
  const std::string_view name = b.op.name();
  if (name == "addmm") {
    const Value product = b.t.op("mm", {args[1], args[2]});
    const Value scaled = b.t.op("mul", {args[0], args[3]});
    return b.t.op("add", {scaled, product}, {{"alpha", args[4]}});
  }
  Value v = b.t.op(name == "addmv" ? "mv" : "bmm", {args[1], args[2]});
  if (name == "addbmm") v = b.t.op("sum", {v, 0});
  if (!scalar(args[4], 1)) v = b.t.op("mul", {v, args[4]});
  if (!scalar(args[3], 0)) v = b.t.op("add", {b.t.op("mul", {args[0], args[3]}), v});
  return v;
}

/// cat, stack: every tensor gets the batch.
Value joined(Batcher& b, Values& args) {
  std::vector<Lane> lanes;
  Int size = 0;
  int64_t rank = 0;
  for (const Value& v : args[0].items()) {
    lanes.push_back(b.lane(v));
    rank = std::max(rank, lanes.back().rank());
    if (lanes.back().batched()) size = lanes.back().value.meta().sizes[static_cast<size_t>(lanes.back().dim)];
  }
  return b.below([&] {
    Values items;
    for (const Lane& l : lanes) items.push_back(b.expanded(b.front(l), l.batched(), size));
    return b.out(b.t.call(
        b.op, {Value(std::move(items)), Value(Batcher::physical(args[1], rank + (b.op.name() == "stack")))}));
  });
}

/// gather, scatter and the gradients of softmax: all tensors get the batch, `dim` shifts.
Value aligned(Batcher& b, Values& args) {
  const int dimAt = b.argument("dim");
  std::vector<Lane> lanes;
  Int size = 0;
  for (const Value& v : args) {
    lanes.push_back(tensorIn(v) ? b.lane(v) : Lane{});
    if (lanes.back().batched()) size = lanes.back().value.meta().sizes[static_cast<size_t>(lanes.back().dim)];
  }
  const int64_t rank = lanes[0].rank();
  return b.below([&] {
    Values lower = args;
    for (size_t i = 0; i < args.size(); ++i)
      if (tensorIn(args[i])) {
        lower[i] = b.front(lanes[i]);
        if (rank == 0) lower[i] = b.t.op("unsqueeze", {lower[i], Value(-1)});
      }
    for (size_t i = 0; i < args.size(); ++i)
      if (tensorIn(args[i])) lower[i] = b.expanded(lower[i], lanes[i].batched(), size);
    if (dimAt >= 0)
      lower[static_cast<size_t>(dimAt)] =
          Value(rank == 0 ? int64_t{1} : Batcher::physical(args[static_cast<size_t>(dimAt)], rank));
    Value v = b.t.call(b.op, lower);
    if (rank == 0) v = b.t.op("squeeze", {v, Value(-1)});
    return b.out(v);
  });
}

/// Zeros laid out as another tensor, with the batch of the first in front.
Value zerosLikeOther(Batcher& b, Values& args) {
  const Lane self = b.lane(args[0]), other = b.lane(args[1]);
  if (!self.batched())
    throw EvalError("no-batching-rule", "vmap: a tangent that is not batched is set for a tensor that is");
  return b.below([&] {
    Values lower = args;
    lower[0] = b.front(self);
    lower[1] = b.front(other);
    if (!other.batched()) lower[2] = Value(args[2].toInt() + Int(1));
    return b.out(b.t.call(b.op, lower));
  });
}

/// Writes that need no other tensor: fill_, zero_.
Value written(Batcher& b, Values& args) {
  const Lane self = b.lane(args[0]);
  b.below([&] {
    Values lower = args;
    lower[0] = self.value;
    return b.t.call(b.op, lower);
  });
  return args[0];
}

const std::unordered_map<std::string_view, Rule>& rules() {
  static const std::unordered_map<std::string_view, Rule> kRules = {
      {"sum", reduction},
      {"mean", reduction},
      {"prod", reduction},
      {"amax", reduction},
      {"amin", reduction},
      {"var", reduction},
      {"std", reduction},
      {"any", reduction},
      {"all", reduction},
      {"argmax", reduction},
      {"argmin", reduction},
      {"max", reduction},
      {"min", reduction},
      {"logsumexp", reduction},
      {"linalg_vector_norm", reduction},
      {"norm", reduction},
      {"cumsum", reduction},
      {"cumprod", reduction},
      {"_softmax", reduction},
      {"_log_softmax", reduction},
      {"sort", reduction},
      {"topk", reduction},
      {"median", reduction},
      {"nansum", reduction},
      {"var_mean", reduction},
      {"std_mean", reduction},
      {"count_nonzero", reduction},
      {"mode", reduction},
      {"kthvalue", reduction},
      {"cummax", reduction},
      {"cummin", reduction},
      {"logcumsumexp", reduction},
      {"unsqueeze", shifted},
      {"permute", shifted},
      {"transpose", shifted},
      {"t", shifted},
      {"select", shifted},
      {"slice", shifted},
      {"diagonal", shifted},
      {"unfold", shifted},
      {"flip", shifted},
      {"split", shifted},
      {"split_with_sizes", shifted},
      {"unsafe_split", shifted},
      {"unbind", shifted},
      {"chunk", shifted},
      {"roll", shifted},
      {"diag_embed", shifted},
      {"select_backward", shifted},
      {"slice_backward", shifted},
      {"diagonal_backward", shifted},
      {"narrow_copy", shifted},
      {"squeeze", squeeze},
      {"view", resized},
      {"_unsafe_view", resized},
      {"new_zeros", resized},
      {"new_ones", resized},
      {"new_empty", resized},
      {"new_full", resized},
      {"expand", expand},
      {"dot", dot},
      {"mv", matrixVector},
      {"mm", matrices},
      {"bmm", matrices},
      {"addmm", addProduct},
      {"addmv", addProduct},
      {"addbmm", addProduct},
      {"baddbmm", addProduct},
      {"cat", joined},
      {"stack", joined},
      {"gather", aligned},
      {"scatter", aligned},
      {"scatter_add", aligned},
      {"_softmax_backward_data", aligned},
      {"_log_softmax_backward_data", aligned},
      {"clone", leading},
      {"tril", leading},
      {"triu", leading},
      {"detach", anywhere},
      {"alias", anywhere},
      {"_to_copy", anywhere},
      {"zeros_like", anywhere},
      {"ones_like", anywhere},
      {"full_like", anywhere},
      {"empty_like", anywhere},
      {"fill", anywhere},
      {"_new_zeros_with_same_feature_meta", zerosLikeOther},
      {"softplus_backward", pointwise},
      {"fill_", written},
      {"zero_", written},
      {"copy_", pointwise},
      {"copy", pointwise},
      {"index", indexBatched},
      {"index_put", indexBatched},
      {"index_put_", indexBatched}};
  return kRules;
}

}  // namespace

Value callBatched(LevelStack& levels, const Ref<Level>& level, const OpDef& op, Values args) {
  Batcher b(levels, level, op);
  if (op.ns() == "aten") {
    if (op.name() == "t" && args[0].meta().dim() == 2)
      return levels.tracer().op("transpose", {args[0], 0, 1});
    if (const auto rule = rules().find(op.name()); rule != rules().end()) return rule->second(b, args);
    if (op.has(ir::kOpPointwise)) return pointwise(b, args);
  }
  throw EvalError("no-batching-rule", "vmap: there is no batching rule for " + op.target() + " here");
}

}  // namespace descry::passes
