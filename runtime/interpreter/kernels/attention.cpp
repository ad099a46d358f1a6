// Scaled dot product attention in its fused forms, and layers made of it.
#include <array>
#include <limits>

#include "runtime/core/rows.h"
#include "runtime/interpreter/kernels/checks.h"
#include "runtime/interpreter/kernels/numeric.h"
#include "runtime/loops/instructions.h"

namespace descry::runtime {

namespace {

/// Attention of one sequence: [heads, rows, size], with fewer heads of keys and values when groups share
/// them.
struct Sequence {
  View q, k, v, out;
  View lse;   ///< [heads, rows]; no elements when nobody asks for it
  View bias;  ///< [heads, rows, keys], added to the scores; no dimensions when there is none
  View gradOut, gradQ, gradK, gradV, gradBias;
};

struct Rules {
  double scale = 1;
  /// Row i sees the keys from i + shift - left to i + shift + right.
  int64_t left = std::numeric_limits<int64_t>::max() / 4, right = std::numeric_limits<int64_t>::max() / 4,
          shift = 0;

  int64_t first(int64_t row, int64_t keys) const { return std::clamp<int64_t>(row + shift - left, 0, keys); }
  int64_t end(int64_t row, int64_t keys) const {
    return std::clamp<int64_t>(row + shift + right + 1, 0, keys);
  }
};

/// Rows in one step.
constexpr int64_t kRows = 64;

template <class T>
MatrixOf<T> matrixOf(const View& v) {
  return {v.as<T>(), v.stride(0), v.stride(1)};
}

/// exp(x - shift) of numbers in one piece, and what they sum up to.
template <class T>
double exponentials(T* x, T shift, int64_t n) {
  constexpr LoopType type = std::is_same_v<T, double> ? LoopType::Double : LoopType::Float;
  const LoopKernel exponential = loopKernels().instruction(LoopOp::Exp, type, type);
  const RowMath<T>& math = rowMath<T>();
  std::array<T, 512> shifted;
  double sum = 0;
  for (int64_t i = 0; i < n; i += 512) {
    const int64_t count = std::min<int64_t>(512, n - i);
    math.subtract(x + i, shift, shifted.data(), count);
    exponential(x + i, shifted.data(), nullptr, nullptr, count);
    sum += math.sum(x + i, count);
  }
  return sum;
}

/// The attention weights of the rows [from, to) of one head: [to - from, keys], of which the columns from
/// `seen` on are not written, since no row sees them. Rows that see nothing are zero.
template <class T>
void weightsOf(const Rules& rules, const View& q, const View& k, const View* bias, int64_t from, int64_t to,
               int64_t seen, T* scores, const View* lse) {
  const int64_t keys = k.size(0);
  constexpr T kNone = -std::numeric_limits<T>::infinity();
  const RowMath<T>& math = rowMath<T>();
  multiply(to - from, seen, q.size(1),
           MatrixOf<const T>{q.as<T>() + from * q.stride(0), q.stride(0), q.stride(1)},
           MatrixOf<const T>{k.as<T>(), k.stride(1), k.stride(0)}, MatrixOf<T>{scores, keys, 1}, rules.scale);
  for (int64_t i = from; i < to; ++i) {
    T* row = scores + (i - from) * keys;
    const int64_t first = rules.first(i, keys), end = std::max(first, rules.end(i, keys));
    std::fill(row, row + std::min(first, seen), T(0));
    std::fill(row + std::min(end, seen), row + seen, T(0));
    if (bias) {
      const T* shift = bias->as<T>() + i * bias->stride(0);
      const int64_t step = bias->stride(1);
      for (int64_t j = first; j < end; ++j) row[j] += shift[j * step];
    }
    const T most = end > first ? math.greatest(row + first, end - first) : kNone;
    T sum = 0;
    if (most == kNone) {
      std::fill(row + first, row + end, T(0));
    } else {
      sum = static_cast<T>(exponentials(row + first, most, end - first));
      math.multiply(row + first, T(1) / sum, row + first, end - first);
    }
    if (lse) lse->as<T>()[i * lse->stride(0)] = most == kNone ? T(0) : most + std::log(sum);
  }
}

/// Keys that some of the rows up to `to` see.
int64_t seenBy(const Rules& rules, int64_t to, int64_t keys) {
  return std::max<int64_t>(rules.end(to - 1, keys), std::min<int64_t>(keys, 1));
}

/// How many heads share keys and values.
int64_t headsInGroup(const Sequence& s) {
  const int64_t heads = s.q.size(0), groups = s.k.size(0);
  if (s.v.size(0) != groups || groups == 0 || heads % groups)
    throw EvalError("shape-mismatch", "attention: the numbers of heads do not fit");
  if (s.k.size(2) != s.q.size(2) || s.v.size(1) != s.k.size(1))
    throw EvalError("shape-mismatch", "attention: the sizes of query, key and value do not fit");
  // What is written and what comes in beside them is walked by their sizes.
  const int64_t rows = s.q.size(1), keys = s.k.size(1);
  const auto need = [](const View& v, const Dims& sizes, std::string_view name) {
    if (v.dim()) needSizes(v, sizes, name);
  };
  need(s.out, {heads, rows, s.v.size(2)}, "out");
  need(s.lse, {heads, rows}, "logsumexp");
  need(s.bias, {heads, rows, keys}, "attn_bias");
  need(s.gradOut, {heads, rows, s.v.size(2)}, "grad_out");
  need(s.gradQ, s.q.sizes, "grad_q");
  need(s.gradK, s.k.sizes, "grad_k");
  need(s.gradV, s.v.sizes, "grad_v");
  need(s.gradBias, {heads, rows, keys}, "grad_bias");
  return heads / groups;
}

template <class T>
void attend(const Rules& rules, const Sequence& s) {
  const int64_t heads = s.q.size(0), rows = s.q.size(1), keys = s.k.size(1);
  if (heads == 0 || rows == 0) return;
  const int64_t group = headsInGroup(s), blocks = (rows + kRows - 1) / kRows;
  parallelFor(0, heads * blocks, 1, [&](int64_t begin, int64_t end) {
    const TensorRef memory = allocate(Dims{std::min(rows, kRows), keys}, kDTypeOf<T>);
    T* scores = viewOf(*memory).as<T>();
    for (int64_t task = begin; task < end; ++task) {
      const int64_t head = task / blocks, from = task % blocks * kRows, to = std::min(rows, from + kRows);
      const View q = s.q.select(0, head), k = s.k.select(0, head / group), v = s.v.select(0, head / group);
      const View out = s.out.select(0, head);
      View bias, lse;
      if (s.bias.dim()) bias = s.bias.select(0, head);
      if (s.lse.dim()) lse = s.lse.select(0, head);
      const int64_t seen = seenBy(rules, to, keys);
      weightsOf<T>(rules, q, k, s.bias.dim() ? &bias : nullptr, from, to, seen, scores,
                   s.lse.dim() ? &lse : nullptr);
      multiply(to - from, v.size(1), seen, MatrixOf<const T>{scores, keys, 1}, matrixOf<const T>(v),
               MatrixOf<T>{out.as<T>() + from * out.stride(0), out.stride(0), out.stride(1)});
    }
  });
}

/// The gradients; gradQ, gradK and gradV are set.
template <class T>
void attendBackward(const Rules& rules, const Sequence& s) {
  const int64_t heads = s.q.size(0), rows = s.q.size(1), keys = s.k.size(1);
  zeroElements(s.gradK);
  zeroElements(s.gradV);
  if (heads == 0 || rows == 0) return;
  const int64_t group = headsInGroup(s);
  parallelFor(0, heads / group, 1, [&](int64_t begin, int64_t end) {
    const TensorRef memory = allocate(Dims{2, std::min(rows, kRows), keys}, kDTypeOf<T>);
    T* weights = viewOf(*memory).as<T>();
    T* change = weights + std::min(rows, kRows) * keys;
    for (int64_t head = begin * group; head < end * group; ++head) {
      const View q = s.q.select(0, head), k = s.k.select(0, head / group), v = s.v.select(0, head / group);
      const View grad = s.gradOut.select(0, head), gradQ = s.gradQ.select(0, head);
      const View gradK = s.gradK.select(0, head / group), gradV = s.gradV.select(0, head / group);
      View bias;
      if (s.bias.dim()) bias = s.bias.select(0, head);
      for (int64_t from = 0; from < rows; from += kRows) {
        const int64_t to = std::min(rows, from + kRows), n = to - from, seen = seenBy(rules, to, keys);
        weightsOf<T>(rules, q, k, s.bias.dim() ? &bias : nullptr, from, to, seen, weights, nullptr);
        const MatrixOf<const T> d{grad.as<T>() + from * grad.stride(0), grad.stride(0), grad.stride(1)};
        multiply(seen, v.size(1), n, MatrixOf<const T>{weights, 1, keys}, d, matrixOf<T>(gradV), 1.0, 1.0);
        multiply(n, seen, v.size(1), d, MatrixOf<const T>{v.as<T>(), v.stride(1), v.stride(0)},
                 MatrixOf<T>{change, keys, 1});
        for (int64_t i = 0; i < n; ++i) {
          T *w = weights + i * keys, *c = change + i * keys;
          const T mean = dotProduct(seen, w, c);
          rowMath<T>().softmaxBackward(c, w, mean, c, seen);
        }
        if (s.gradBias.dim()) {
          const View gradBias = s.gradBias.select(0, head);
          for (int64_t i = 0; i < n; ++i)
            for (int64_t j = 0; j < keys; ++j)
              gradBias.as<T>()[(from + i) * gradBias.stride(0) + j * gradBias.stride(1)] =
                  j < seen ? change[i * keys + j] : T(0);
        }
        multiply(n, q.size(1), seen, MatrixOf<const T>{change, keys, 1}, matrixOf<const T>(k),
                 MatrixOf<T>{gradQ.as<T>() + from * gradQ.stride(0), gradQ.stride(0), gradQ.stride(1)},
                 rules.scale);
        multiply(seen, q.size(1), n, MatrixOf<const T>{change, 1, keys},
                 MatrixOf<const T>{q.as<T>() + from * q.stride(0), q.stride(0), q.stride(1)},
                 matrixOf<T>(gradK), rules.scale, 1.0);
      }
    }
  });
}

// ---- calls

DType attendedIn(DType dtype) {
  const DType compute = computeType(dtype);
  if (compute != DType::F32 && compute != DType::F64) unsupportedDType(dtype, "attention");
  return compute;
}
template <class F>
void visitAttended(DType compute, F&& f) {
  if (compute == DType::F64)
    f(TypeTag<double>{});
  else
    f(TypeTag<float>{});
}

/// The elements in the dtype that is computed in, where they lie if they have it.
View computed(Call& c, std::string_view name, DType compute) {
  const TensorRef t = c.tensor(name);
  return c.hold(t->meta.dtype == compute ? t : copyOf(viewOf(*t), compute));
}

Rules rulesOf(const Call& c, const View& q) {
  Rules r;
  r.scale = c.real("scale", 1 / std::sqrt(static_cast<double>(std::max<int64_t>(q.size(-1), 1))));
  if (c.knows("is_causal") && c.flag("is_causal")) r.right = 0;
  if (c.knows("window_size_left")) {
    if (const int64_t n = c.integer("window_size_left", -1); n >= 0) r.left = std::min(r.left, n);
    if (const int64_t n = c.integer("window_size_right", -1); n >= 0) r.right = std::min(r.right, n);
  }
  return r;
}

void refuseDropout(const Call& c) {
  if (c.real("dropout_p") > 0)
    throw EvalError("unsupported-op",
                    "scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0");
}

/// Scores of a mask: what it adds, or minus infinity where a bool mask is false.
View biasOf(Call& c, std::string_view name, const Dims& sizes, DType compute) {
  if (name.empty() || !c.knows(name) || !c.given(name)) return {};
  const View mask = c.view(name).expanded(sizes);
  if (mask.dtype == compute) return mask;
  const View made = c.scratch(sizes, compute);
  if (mask.dtype != DType::B8) {
    copyElements(made, mask);
    return made;
  }
  visitAttended(compute, [&]<class T>(TypeTag<T>) {
    forEach<T, const bool>([](T& x, const bool& m) { x = m ? T(0) : -std::numeric_limits<T>::infinity(); },
                           made, mask);
  });
  return made;
}

/// Where a result is computed: itself when it has the dtype, else memory that is copied to it by `store`.
struct Target {
  View made, result;
  void store() const {
    if (made.data != result.data) copyElements(result, made);
  }
};
Target targetOf(Call& c, size_t result, DType compute) {
  const View out = c.out(result);
  return {out.dtype == compute ? out : c.scratch(out.sizes, compute), out};
}

View fourDims(const View& v) {
  if (v.dim() == 3) return v.unsqueezed(0);
  if (v.dim() != 4) throw EvalError("shape-mismatch", "attention needs query, key and value of 4 dimensions");
  return v;
}

/// Other results (seeds, debug masks) are zero.
void zeroResults(Call& c, size_t first) {
  for (size_t i = first; i < c.results(); ++i)
    if (c.has(i)) zeroElements(c.out(i));
}

/// [batch, heads, rows, size], and a mask under the name `Mask`.
void attendBatch(Call& c, std::string_view mask) {
  refuseDropout(c);
  const DType dtype = c.out().dtype, compute = attendedIn(dtype);
  const View q = fourDims(computed(c, "query", compute)), k = fourDims(computed(c, "key", compute));
  const View v = fourDims(computed(c, "value", compute));
  const Target out = targetOf(c, 0, compute);
  const View made = fourDims(out.made);
  if (k.size(0) != q.size(0) || v.size(0) != q.size(0))
    throw EvalError("shape-mismatch", "attention: batches of query, key and value differ");
  const View bias = biasOf(c, mask, {q.size(0), q.size(1), q.size(2), k.size(2)}, compute);
  View lse = c.out(1);
  // Some kernels round the number of rows up, or keep a last dimension.
  if (lse.dim() == 4) lse = lse.select(3, 0);
  const bool wanted = lse.size(2) >= q.size(2) && lse.numel() > 0;
  View sums;
  if (wanted) {
    if (lse.size(2) > q.size(2)) fillElements(lse, Value::real(std::numeric_limits<double>::infinity()));
    lse = lse.narrow(2, 0, q.size(2));
    sums = lse.dtype == compute ? lse : c.scratch(lse.sizes, compute);
  }
  const Rules rules = rulesOf(c, q);
  visitAttended(compute, [&]<class T>(TypeTag<T>) {
    for (int64_t b = 0; b < q.size(0); ++b) {
      Sequence s{
          q.select(0, b), k.select(0, b), v.select(0, b), made.select(0, b), {}, {}, {}, {}, {}, {}, {}};
      if (wanted) s.lse = sums.select(0, b);
      if (bias.dim()) s.bias = bias.select(0, b);
      attend<T>(rules, s);
    }
  });
  out.store();
  if (wanted && sums.data != lse.data) copyElements(lse, sums);
  zeroResults(c, 2);
}

void attendBatchBackward(Call& c, std::string_view gradName, std::string_view mask) {
  refuseDropout(c);
  const DType dtype = c.tensor("query")->meta.dtype, compute = attendedIn(dtype);
  const View q = fourDims(computed(c, "query", compute)), k = fourDims(computed(c, "key", compute));
  const View v = fourDims(computed(c, "value", compute)), grad = fourDims(computed(c, gradName, compute));
  if (k.size(0) != q.size(0) || v.size(0) != q.size(0))
    throw EvalError("shape-mismatch", "attention: batches of query, key and value differ");
  const View bias = biasOf(c, mask, {q.size(0), q.size(1), q.size(2), k.size(2)}, compute);
  std::array<Target, 3> to;
  for (size_t i = 0; i < 3; ++i) to[i] = targetOf(c, i, compute);
  const bool wantsBias = bias.dim() && c.has(3);
  View gradBias;
  if (wantsBias) gradBias = c.scratchZeros(bias.sizes, compute);
  const View gradQ = fourDims(to[0].made), gradK = fourDims(to[1].made), gradV = fourDims(to[2].made);
  const Rules rules = rulesOf(c, q);
  visitAttended(compute, [&]<class T>(TypeTag<T>) {
    for (int64_t b = 0; b < q.size(0); ++b) {
      Sequence s{q.select(0, b),     k.select(0, b),     v.select(0, b),     {}, {}, {}, grad.select(0, b),
                 gradQ.select(0, b), gradK.select(0, b), gradV.select(0, b), {}};
      if (bias.dim()) s.bias = bias.select(0, b);
      if (wantsBias) s.gradBias = gradBias.select(0, b);
      attendBackward<T>(rules, s);
    }
    if (wantsBias) {
      // Dimensions along which the mask was broadcast are summed.
      const View out = c.out(3);
      const View sums = c.scratchZeros(out.sizes, compute);
      View into = sums.expanded(bias.sizes);
      Dims index(into.dim(), 0);
      const T* from = gradBias.as<T>();
      for (int64_t i = 0; i < gradBias.numel(); ++i) {
        int64_t offset = 0, rest = i;
        for (size_t d = into.dim(); d-- > 0;) {
          offset += rest % into.sizes[d] * into.strides[d];
          rest /= into.sizes[d];
        }
        into.as<T>()[offset] += from[i];
      }
      copyElements(out, sums);
    }
  });
  for (const Target& t : to) t.store();
}

void flashForCpu(Call& c) {
  attendBatch(c, "attn_mask");
}
void flashForCpuBackward(Call& c) {
  attendBatchBackward(c, "grad_out", "attn_mask");
}
void attendPlain(Call& c) {
  attendBatch(c, {});
}
void attendPlainBackward(Call& c) {
  attendBatchBackward(c, "grad_out", {});
}
void attendBiased(Call& c) {
  attendBatch(c, "attn_bias");
}
void attendBiasedBackward(Call& c) {
  attendBatchBackward(c, c.knows("grad_out_") ? "grad_out_" : "grad_out", "attn_bias");
}

/// Where sequences begin and end that lie one after the other.
std::vector<int64_t> bounds(Call& c, const char* name, int64_t total) {
  const View v = c.dense(name, DType::I64);
  std::vector<int64_t> at(v.as<int64_t>(), v.as<int64_t>() + v.numel());
  for (size_t i = 0; i < at.size(); ++i)
    if (at[i] < (i ? at[i - 1] : 0) || at[i] > total)
      throw EvalError("index-error",
                      std::string(name) + ": the bound " + std::to_string(at[i]) + " is out of range");
  return at;
}

/// [batch, rows, heads, size], or sequences of several lengths in one: [rows, heads, size].
void attendSequences(Call& c, bool backward) {
  refuseDropout(c);
  for (const char* name : {"alibi_slopes", "block_table", "seqused_k", "seqlen_k", "window_size"})
    if (c.knows(name) && c.given(name))
      throw EvalError("unsupported-op", "attention with `" + std::string(name) + "` needs a GPU");
  const bool efficient = c.knows("custom_mask_type");
  const char* const boundsQ = efficient ? "cu_seqlens_q" : "cum_seq_q";
  const char* const boundsK = efficient ? "cu_seqlens_k" : "cum_seq_k";
  const DType dtype = c.tensor("query")->meta.dtype, compute = attendedIn(dtype);
  const View q = fourDims(computed(c, "query", compute)), k = fourDims(computed(c, "key", compute));
  const View v = fourDims(computed(c, "value", compute));
  std::array<Target, 3> to;
  for (size_t i = 0; i < (backward ? 3u : 1u); ++i) to[i] = targetOf(c, i, compute);
  View grad, lse, sums;
  if (backward) grad = fourDims(computed(c, efficient ? "grad_out_" : "grad_out", compute));
  if (!backward && c.out(1).numel()) {
    lse = c.out(1);
    if (efficient) fillElements(lse, Value::real(std::numeric_limits<double>::infinity()));
    sums = lse.dtype == compute ? lse : c.scratch(lse.sizes, compute);
    if (sums.data != lse.data) copyElements(sums, lse);
  }
  struct Part {
    int64_t batch, from, rows, fromK, keys;
  };
  std::vector<Part> parts;
  const bool packed = c.given(boundsQ) && c.given(boundsK);
  if (packed) {
    const std::vector<int64_t> a = bounds(c, boundsQ, q.size(1)), b = bounds(c, boundsK, k.size(1));
    if (a.size() != b.size()) throw EvalError("shape-mismatch", "attention: numbers of sequences differ");
    for (size_t i = 0; i + 1 < a.size(); ++i)
      parts.push_back({0, a[i], a[i + 1] - a[i], b[i], b[i + 1] - b[i]});
  } else {
    for (int64_t b = 0; b < q.size(0); ++b) parts.push_back({b, 0, q.size(1), 0, k.size(1)});
  }
  View bias;
  if (efficient && c.given("bias")) {
    if (packed) throw EvalError("unsupported-op", "attention of packed sequences with a bias needs a GPU");
    bias = biasOf(c, "bias", {q.size(0), q.size(2), q.size(1), k.size(1)}, compute);
  }
  if (backward)
    for (const Target& t : to) zeroElements(t.made);
  else
    zeroElements(to[0].made);
  const bool wantsBias = backward && efficient && bias.dim() && c.has(3) && c.flag("bias_requires_grad");
  View gradBias;
  if (wantsBias) gradBias = c.scratchZeros(bias.sizes, compute);
  visitAttended(compute, [&]<class T>(TypeTag<T>) {
    for (size_t i = 0; i < parts.size(); ++i) {
      const Part& p = parts[i];
      const auto cut = [&](const View& x, int64_t from, int64_t rows) {
        return fourDims(x).select(0, p.batch).narrow(0, from, rows).transposed(0, 1);
      };
      Sequence s;
      s.q = cut(q, p.from, p.rows);
      s.k = cut(k, p.fromK, p.keys);
      s.v = cut(v, p.fromK, p.keys);
      if (bias.dim()) s.bias = bias.select(0, p.batch);
      Rules rules = rulesOf(c, q);
      if (efficient) {
        const int64_t type = c.integer("custom_mask_type");
        if (type == 1 || type == 2) rules.right = 0;
        if (type == 2) rules.shift = p.keys - p.rows;
      } else {
        rules.shift = p.keys - p.rows;  // the last row sees all keys
      }
      if (backward) {
        s.gradOut = cut(grad, p.from, p.rows);
        s.gradQ = cut(to[0].made, p.from, p.rows);
        s.gradK = cut(to[1].made, p.fromK, p.keys);
        s.gradV = cut(to[2].made, p.fromK, p.keys);
        if (wantsBias) s.gradBias = gradBias.select(0, p.batch);
        attendBackward<T>(rules, s);
      } else {
        s.out = cut(to[0].made, p.from, p.rows);
        if (lse.dim()) {
          if (sums.dim() == 2)
            s.lse = sums.narrow(1, p.from, p.rows);
          else
            s.lse = sums.select(0, packed ? static_cast<int64_t>(i) : p.batch).narrow(1, 0, p.rows);
        }
        attend<T>(rules, s);
      }
    }
  });
  for (size_t i = 0; i < (backward ? 3u : 1u); ++i) to[i].store();
  if (backward) {
    zeroResults(c, 3);
    if (wantsBias) {
      Value reduced(copyOf(gradBias, compute));
      const View out = c.out(3);
      Values dims;
      for (size_t d = 0; d < out.dim(); ++d)
        if (out.sizes[d] == 1 && gradBias.sizes[d] != 1) dims.push_back(Value(static_cast<int64_t>(d)));
      if (!dims.empty())
        reduced = c.call("aten.sum.dim_IntList", {reduced, Value(std::move(dims)), Value::boolean(true)});
      copyElements(out, viewOf(*tensorOf(reduced)));
    }
    return;
  }
  if (lse.dim() && sums.data != lse.data) copyElements(lse, sums);
  zeroResults(c, 2);
}
void attendSequencesForward(Call& c) {
  attendSequences(c, false);
}
void attendSequencesBackward(Call& c) {
  attendSequences(c, true);
}

// ---- layers

/// [batch, rows, 3 * heads * size] plus bias, taken apart; queries are scaled.
void splitQkv(Call& c) {
  const View qkv = c.view("qkv"), bias = c.view("qkv_bias");
  const DType dtype = c.out().dtype, compute = attendedIn(dtype);
  const int64_t heads = c.out().size(1), size = c.out().size(3), width = heads * size;
  if (qkv.dim() != 3 || qkv.size(2) != 3 * width || bias.numel() != 3 * width)
    throw EvalError("shape-mismatch",
                    "_transform_bias_rescale_qkv: the sizes do not fit the number of heads");
  const View in = c.hold(copyOf(qkv, compute)), shift = c.dense("qkv_bias", compute);
  const int64_t batch = qkv.size(0), rows = qkv.size(1);
  visitAttended(compute, [&]<class T>(TypeTag<T>) {
    const T scale = static_cast<T>(1 / std::sqrt(static_cast<double>(size)));
    for (size_t which = 0; which < 3; ++which) {
      T* out = c.denseOut(which, compute).as<T>();
      const int64_t start = static_cast<int64_t>(which) * width;
      parallelFor(0, batch * heads * rows, grainOf(size), [&](int64_t from, int64_t to) {
        for (int64_t i = from; i < to; ++i) {
          const int64_t row = i % rows, head = i / rows % heads, b = i / rows / heads;
          const T* x = in.as<T>() + (b * rows + row) * 3 * width + start + head * size;
          const T* s = shift.as<T>() + start + head * size;
          for (int64_t d = 0; d < size; ++d) out[i * size + d] = which ? x[d] + s[d] : (x[d] + s[d]) * scale;
        }
      });
    }
  });
}

Value linear(Call& c, const Value& x, const Value& weight, const Value& bias) {
  return c.call("aten.linear.default", {x, weight, bias});
}

/// The context [batch, rows, embed] and the weights [batch, heads, rows, keys].
std::pair<Value, Value> multiHead(Call& c, const Value& query, const Value& key, const Value& value,
                                  int64_t heads, const Value& weight, const Value& bias, const Value& mask,
                                  const Value& maskType) {
  const auto sizeOf = [](const Value& v, size_t d) { return v.meta().sizes.at(d).value; };
  const int64_t embed = sizeOf(query, 2);
  Values projected;
  const bool self = query.tensor() == key.tensor() && key.tensor() == value.tensor();
  const Value zero = c.call("aten.zeros_like.default", {bias});
  if (self) {
    projected.push_back(linear(c, query, weight, Value()));
  } else {
    // Each input has its own part of the weight.
    Values parts;
    const std::array<const Value*, 3> inputs = {&query, &key, &value};
    for (size_t i = 0; i < 3; ++i) {
      const Value w = c.call("aten.narrow.default",
                             {weight, Value(0), Value(static_cast<int64_t>(i) * embed), Value(embed)});
      const Value b = c.call("aten.narrow.default",
                             {bias, Value(0), Value(static_cast<int64_t>(i) * embed), Value(embed)});
      Value x = linear(c, *inputs[i], w, b);
      x = c.call(
          "aten.view.default",
          {x, Value(Values{Value(sizeOf(x, 0)), Value(sizeOf(x, 1)), Value(heads), Value(embed / heads)})});
      parts.push_back(c.call("aten.transpose.int", {x, Value(1), Value(2)}));
    }
    parts[0] =
        c.call("aten.div.Scalar", {parts[0], Value::real(std::sqrt(static_cast<double>(embed / heads)))});
    projected = std::move(parts);
  }
  if (self) {
    const Value split =
        c.call("aten._transform_bias_rescale_qkv.default", {projected[0], bias, Value(heads)});
    projected = split.items();
  }
  Value scores = c.call("aten.matmul.default",
                        {projected[0], c.call("aten.transpose.int", {projected[1], Value(-2), Value(-1)})});
  scores = mask.isNone() ? c.call("aten._softmax.default", {scores, Value(3), Value::boolean(false)})
                         : c.call("aten._masked_softmax.default", {scores, mask, Value(3), maskType});
  Value context = c.call("aten.matmul.default", {scores, projected[2]});
  context = c.call("aten.transpose.int", {context, Value(1), Value(2)});
  context = c.call("aten.reshape.default",
                   {context, Value(Values{Value(sizeOf(query, 0)), Value(sizeOf(query, 1)), Value(embed)})});
  return {context, scores};
}

void multiHeadAttention(Call& c) {
  const int64_t heads = c.integer("num_head"), embed = c.integer("embed_dim");
  const Value query = c.value("query");
  if (query.meta().sizes.size() != 3 || query.meta().sizes[2].value != embed || heads < 1 || embed % heads)
    throw EvalError("shape-mismatch",
                    "_native_multi_head_attention: the sizes do not fit embed_dim and num_head");
  const auto [context, weights] =
      multiHead(c, query, c.value("key"), c.value("value"), heads, c.value("qkv_weight"), c.value("qkv_bias"),
                c.value("mask"), c.value("mask_type"));
  copyElements(c.out(0), viewOf(*tensorOf(linear(c, context, c.value("proj_weight"), c.value("proj_bias")))));
  if (!c.flag("need_weights")) return;
  const Value shown =
      c.flag("average_attn_weights") ? c.call("aten.mean.dim", {weights, Value(Values{Value(1)})}) : weights;
  copyElements(c.out(1), viewOf(*resolved(tensorOf(shown))));
}

void encoderLayer(Call& c) {
  const int64_t embed = c.integer("embed_dim");
  Value x = c.value("src");
  const auto add = [&](const Value& a, const Value& b) { return c.call("aten.add.Tensor", {a, b}); };
  const auto norm = [&](const Value& v, const char* weight, const char* bias) {
    return c.call("aten.layer_norm.default",
                  {v, Value(Values{Value(embed)}), c.value(weight), c.value(bias), c.value("eps")});
  };
  const bool first = c.flag("norm_first");
  if (x.meta().sizes.size() != 3 || x.meta().sizes[2].value != embed)
    throw EvalError("shape-mismatch",
                    "_transformer_encoder_layer_fwd: expected a batch of rows of embed_dim numbers");
  const Value source = x;
  if (first) x = norm(x, "norm_weight_1", "norm_bias_1");
  const Value attended = multiHead(c, x, x, x, c.integer("num_heads"), c.value("qkv_weight"),
                                   c.value("qkv_bias"), c.value("mask"), c.value("mask_type"))
                             .first;
  x = add(linear(c, attended, c.value("proj_weight"), c.value("proj_bias")), source);
  if (!first) x = norm(x, "norm_weight_1", "norm_bias_1");
  const Value before = x;
  if (first) x = norm(x, "norm_weight_2", "norm_bias_2");
  x = linear(c, x, c.value("ffn_weight_1"), c.value("ffn_bias_1"));
  x = c.flag("use_gelu") ? c.call("aten.gelu.default", {x}) : c.call("aten.relu.default", {x});
  x = add(linear(c, x, c.value("ffn_weight_2"), c.value("ffn_bias_2")), before);
  if (!first) x = norm(x, "norm_weight_2", "norm_bias_2");
  copyElements(c.out(), viewOf(*tensorOf(x)));
}

}  // namespace

void addAttentionKernels(KernelTable& table) {
  table.fill("aten._scaled_dot_product_flash_attention_for_cpu.default", flashForCpu);
  table.fill("aten._scaled_dot_product_flash_attention_for_cpu_backward.default", flashForCpuBackward);
  table.fill("aten._scaled_dot_product_flash_attention.default", attendPlain);
  table.fill("aten._scaled_dot_product_flash_attention_backward.default", attendPlainBackward);
  table.fill(
      "aten._scaled_dot_product_efficient_attention.default aten._scaled_dot_product_cudnn_attention.default "
      "aten._scaled_dot_product_fused_attention_overrideable.default",
      attendBiased);
  table.fill(
      "aten._scaled_dot_product_efficient_attention_backward.default "
      "aten._scaled_dot_product_cudnn_attention_backward.default "
      "aten._scaled_dot_product_fused_attention_overrideable_backward.default",
      attendBiasedBackward);
  table.fill("aten._flash_attention_forward.default aten._efficient_attention_forward.default",
             attendSequencesForward);
  table.fill("aten._flash_attention_backward.default aten._efficient_attention_backward.default",
             attendSequencesBackward);
  table.fill("aten._transform_bias_rescale_qkv.default", splitQkv);
  table.fill("aten._native_multi_head_attention.default", multiHeadAttention);
  table.fill("aten._transformer_encoder_layer_fwd.default", encoderLayer);
}

}  // namespace descry::runtime
