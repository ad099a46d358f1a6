// flex_attention and its gradient, by the formula that PyTorch's eager implementation follows: all scores at
// once, in float32 (double for double), changed by score_mod and masked by mask_mod.
//
// Both functions are written for one score and four indices. Here they run once, on all scores and on indices
// that are broadcast against them; that is the same for pointwise ops and indexing, which is what such
// functions are made of.
#include <cmath>

#include "runtime/interpreter/graph_runner.h"

namespace descry::runtime {

namespace {

class Flex {
 public:
  explicit Flex(const HigherOrderCall& call) : runner_(call.runner), m_(call.runner.machine()) {}

  Value op(std::string_view target, Values args) { return m_.call(target, std::move(args)); }
  Value cast(const Value& x, DType dtype) {
    return x.meta().dtype == dtype ? x : Value(contiguousOf(resolved(tensorOf(x)), dtype));
  }
  static DType working(const Value& query) {
    return query.meta().dtype == DType::F64 ? DType::F64 : DType::F32;
  }
  Value matmul(const Value& a, const Value& b) { return m_.callByName("matmul", {a, b}); }
  Value swapped(const Value& x) { return op("aten.transpose.int", {x, -2, -1}); }
  Value number(double x, DType dtype) { return Value(scalarTensor(Value::real(x), dtype)); }
  Value unsqueezed(const Value& x) { return op("aten.unsqueeze.default", {x, -1}); }

  /// The head of a key or value for each head of the queries.
  Value forHeads(const Value& x, const Value& query) {
    const Ints &q = query.meta().sizes, &k = x.meta().sizes;
    if (q.size() != 4 || k.size() != 4)
      throw EvalError("shape-mismatch", "flex_attention takes tensors of 4 dimensions");
    if (k[1].value == 0 || q[1].value % k[1].value != 0)
      throw EvalError("shape-mismatch", "the heads of the queries are no multiple of those of the keys");
    if (q[0].value != k[0].value && k[0].value != 1)
      throw EvalError("shape-mismatch",
                      "Bq and Bkv must broadcast. Got Bq=" + q[0].str() + " and Bkv=" + k[0].str());
    Value out = x;
    if (const int64_t groups = q[1].value / k[1].value; groups > 1)
      out = m_.callByName("repeat_interleave", {out, groups, 1});
    Ints sizes = out.meta().sizes;
    sizes[0] = q[0];
    return op("aten.expand.default", {out, Value(sizes)});
  }

  /// Batch, head, query and key indices, each in its dimension of the scores.
  Values indices(const Value& scores) {
    Values out;
    for (size_t d = 0; d < 4; ++d) {
      const int64_t n = scores.meta().sizes[d].value;
      const TensorRef t = allocate(Dims{n}, DType::I32);
      for (int64_t i = 0; i < n; ++i) viewOf(*t).as<int32_t>()[i] = static_cast<int32_t>(i);
      Meta m = t->meta;
      m.sizes.assign(4, 1);
      m.strides.assign(4, 1);
      m.sizes[d] = n;
      out.emplace_back(viewInto(*t, std::move(m)));
    }
    return out;
  }

  Value called(const Value& graph, Values in, const Value& others, size_t result = 0) {
    for (const Value& v : others.isList() ? others.items() : Values{}) in.push_back(v);
    const Values out = runner_.callSubgraph(graph, in);
    if (result >= out.size())
      throw EvalError("bad-call", "a function of flex_attention returns too few values");
    return out[result];
  }

  /// The scores before and after both functions.
  std::pair<Value, Value> scores(const Value& query, const Value& key, const Value& scoreMod,
                                 const Value& blockMask, const Value& scale, const Value& scoreOthers,
                                 const Value& maskOthers) {
    const DType dtype = working(query);
    Value s = matmul(cast(query, dtype), swapped(cast(key, dtype)));
    s = op("aten.mul.Scalar", {s, scale});
    const Values at = indices(s);
    Values in = {s};
    in.insert(in.end(), at.begin(), at.end());
    const Value changed = called(scoreMod, in, scoreOthers);
    return {s, op("aten.where.self", {mask(blockMask, at, maskOthers), changed, number(-INFINITY, dtype)})};
  }
  Value mask(const Value& blockMask, const Values& at, const Value& maskOthers) {
    if (!blockMask.isList() || blockMask.items().empty())
      throw EvalError("bad-call", "flex_attention without a mask");
    return called(blockMask.items().back(), at, maskOthers);
  }

 private:
  GraphRunner& runner_;
  Machine& m_;
};

/// As a result of this dtype laid out in the order of dimensions of `like`.
Value laidOut(const Value& x, const Value& like, DType dtype) {
  const TensorRef t = resolved(tensorOf(x));
  Meta m = t->meta;
  m.dtype = dtype;
  // Strides in the order of those of `like`.
  std::vector<size_t> order(m.sizes.size());
  for (size_t d = 0; d < order.size(); ++d) order[d] = d;
  const Ints& strides = like.meta().strides;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return strides[a].value < strides[b].value; });
  int64_t step = 1;
  for (const size_t d : order) {
    m.strides[d] = step;
    step *= std::max<int64_t>(m.sizes[d].value, 1);
  }
  const TensorRef made = allocate(std::move(m));
  copyElements(viewOf(*made), viewOf(*t));
  return Value(made);
}

const Value& argument(const HigherOrderCall& c, size_t i) {
  static const Value kNone{};
  return i < c.args.size() ? c.args[i] : kNone;
}

}  // namespace

Value runFlexAttention(const HigherOrderCall& c) {
  if (c.args.size() < 6) throw EvalError("bad-call", "flex_attention is called with too few arguments");
  Flex f(c);
  const Value& query = c.args[0];
  const Value key = f.forHeads(c.args[1], query), value = f.forHeads(c.args[2], query);
  const auto [before, after] =
      f.scores(query, key, c.args[3], c.args[4], c.args[5], argument(c, 7), argument(c, 8));
  (void)before;
  const DType dtype = Flex::working(query);
  const Value minus = Value::real(-INFINITY);
  const Value hidden =
      f.op("aten.all.dim", {f.op("aten.eq.Scalar", {after, minus}), -1, Value::boolean(false)});
  Value lse = f.op("aten.logsumexp.default", {after, Value(Values{Value(-1)}), Value::boolean(false)});
  lse = f.op("aten.where.self", {hidden, f.number(-INFINITY, dtype), lse});
  const Value largest = f.op("aten.amax.default", {after, Value(Values{Value(-1)}), Value::boolean(false)});
  const Value weights = f.op("aten._safe_softmax.default", {after, -1});
  const DType given = query.meta().dtype;
  const Value out = f.matmul(f.cast(weights, given), f.cast(value, given));
  // Logarithms are handed on to base 2.
  return Value::tuple({laidOut(out, query, given), f.op("aten.div.Scalar", {lse, Value::real(M_LN2)}),
                       f.op("aten.div.Scalar", {largest, Value::real(M_LN2)})});
}

Value runFlexAttentionBackward(const HigherOrderCall& c) {
  if (c.args.size() < 11)
    throw EvalError("bad-call", "flex_attention_backward is called with too few arguments");
  Flex f(c);
  const Value &query = c.args[0], &out = c.args[3];
  const Value key = f.forHeads(c.args[1], query), value = f.forHeads(c.args[2], query);
  const DType dtype = Flex::working(query), given = query.meta().dtype;
  const Value gradOut = c.args[5].isNone() ? f.op("aten.zeros_like.default", {out}) : c.args[5];
  const Value lse = f.op("aten.mul.Scalar", {c.args[4], Value::real(M_LN2)});
  const Value gradLse = c.args[6].isNone() ? f.op("aten.zeros_like.default", {lse})
                                           : f.op("aten.div.Scalar", {c.args[6], Value::real(M_LN2)});
  const Value &forward = c.args[7], &joint = c.args[8], &blockMask = c.args[9], &scale = c.args[10];
  const Value &scoreOthers = argument(c, 12), &maskOthers = argument(c, 13);
  const auto [before, after] = f.scores(query, key, forward, blockMask, scale, scoreOthers, maskOthers);
  const Value hidden = f.op("aten.eq.Scalar", {lse, Value::real(-INFINITY)});
  Value weights = f.op("aten.exp.default", {f.op("aten.sub.Tensor", {after, f.unsqueezed(lse), 1})});
  weights = f.op("aten.where.self", {f.unsqueezed(hidden), f.number(0, dtype), weights});
  Value gradValue = f.matmul(f.swapped(f.cast(weights, given)), gradOut);
  const Value gradWeights = f.matmul(f.cast(gradOut, dtype), f.swapped(f.cast(value, dtype)));
  const Value sums =
      f.op("aten.sum.dim_IntList", {f.op("aten.mul.Tensor", {f.cast(out, dtype), f.cast(gradOut, dtype)}),
                                    Value(Values{Value(-1)}), Value::boolean(true), Value()});
  const Value inner =
      f.op("aten.add.Tensor", {f.op("aten.sub.Tensor", {gradWeights, sums, 1}), f.unsqueezed(gradLse), 1});
  const Value gradChanged = f.op("aten.mul.Tensor", {weights, inner});
  const Values at = f.indices(before);
  Values in = {before};
  in.insert(in.end(), at.begin(), at.end());
  in.push_back(gradChanged);
  for (const Value& v : scoreOthers.isList() ? scoreOthers.items() : Values{}) in.push_back(v);
  const Values grads = c.runner.callSubgraph(joint, in);
  if (grads.empty()) throw EvalError("bad-call", "the gradient of score_mod returns nothing");
  Value gradScores = f.cast(f.op("aten.mul.Scalar", {grads[0], scale}), given);
  gradScores = f.op("aten.where.self", {f.mask(blockMask, at, maskOthers), gradScores, f.number(0, given)});
  const Value gradQuery = f.matmul(gradScores, key);
  Value gradKey = f.matmul(f.swapped(gradScores), query);
  const auto reduced = [&](Value g, const Value& of) {
    const Ints &now = g.meta().sizes, &wanted = of.meta().sizes;
    if (const int64_t heads = wanted[1].value, groups = heads ? now[1].value / heads : 1; groups > 1) {
      g = f.op("aten.reshape.default", {g, Value(Ints{now[0], wanted[1], groups, now[2], now[3]})});
      g = f.op("aten.sum.dim_IntList", {g, Value(Values{Value(2)}), Value::boolean(false), Value()});
    }
    if (wanted[0].value == 1 && g.meta().sizes[0].value != 1)
      g = f.op("aten.sum.dim_IntList", {g, Value(Values{Value(0)}), Value::boolean(true), Value()});
    return laidOut(g, of, of.meta().dtype);
  };
  Values captured;
  const size_t others = scoreOthers.isList() ? scoreOthers.items().size() : 0;
  for (size_t i = 0; i < others; ++i) captured.push_back(5 + i < grads.size() ? grads[5 + i] : Value());
  return Value::tuple({laidOut(gradQuery, query, given), reduced(gradKey, c.args[1]),
                       reduced(gradValue, c.args[2]), Value::tuple(std::move(captured))});
}

/// flex_lib::zeros_and_scatter: the gradient of indexing in score_mod. Values of all scores are added at the
/// places that the indices name.
Value zerosAndScatter(Call& c) {
  const std::vector<int64_t> sizes = c.integers("shape");
  const TensorRef vals = c.tensor("vals");
  Values list = c.value("indices").items();
  if (list.empty()) return c.call("aten.sum.default", {Value(vals)});
  Ints wide = vals->meta.sizes;
  for (const Value& i : list) {
    const Ints& s = i.meta().sizes;
    if (s.size() > wide.size()) wide.insert(wide.begin(), s.size() - wide.size(), 1);
    for (size_t d = 0; d < s.size(); ++d) {
      Int& w = wide[wide.size() - s.size() + d];
      if (w.value == 1) w = s[d];
    }
  }
  for (Value& i : list) i = c.call("aten.expand.default", {i, Value(wide)});
  const Value spread = c.call("aten.expand.default", {Value(vals), Value(wide)});
  const TensorRef zeros = allocateZeros(Dims(sizes), vals->meta.dtype);
  return c.call("aten.index_put.default",
                {Value(zeros), Value(std::move(list)), spread, Value::boolean(true)});
}

void addFlexAttentionKernels(KernelTable& table) {
  table.make("flex_lib.zeros_and_scatter.default", zerosAndScatter);
}

}  // namespace descry::runtime
