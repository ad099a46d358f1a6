// Ops along dims: reductions, softmax, running sums, products of matrices.
#include <algorithm>
#include <cmath>

#include "tests/support/evaluator_ops.h"

namespace descry::test {

namespace {

/// The dims to reduce: all of them when none are named.
std::vector<bool> reducedDims(const Sizes& dims, size_t rank) {
  std::vector<bool> out(rank, dims.empty());
  if (rank == 0) return out;
  for (const int64_t d : dims) out[static_cast<size_t>(wrapDim(d, rank))] = true;
  return out;
}

using Fold = double (*)(const std::vector<double>&);

TensorPtr reduce(const TensorPtr& t, const Sizes& dims, bool keep,
                 const std::function<double(const std::vector<double>&)>& f) {
  const std::vector<bool> gone = reducedDims(dims, t->sizes.size());
  Sizes outer, inner, kept;
  for (size_t d = 0; d < t->sizes.size(); ++d) {
    outer.push_back(gone[d] ? 1 : t->sizes[d]);
    inner.push_back(gone[d] ? t->sizes[d] : 1);
    if (!gone[d] || keep) kept.push_back(outer.back());
  }
  const TensorPtr whole = newTensor(outer);
  forEachIndex(outer, [&](const Sizes& o) {
    std::vector<double> values;
    forEachIndex(inner, [&](const Sizes& i) {
      Sizes index = o;
      for (size_t d = 0; d < index.size(); ++d) index[d] += i[d];
      values.push_back(at(*t, index));
    });
    at(*whole, o) = f(values);
  });
  return viewOf(whole, kept, contiguousStrides(kept), 0);
}

double sum(const std::vector<double>& v) {
  double s = 0;
  for (const double x : v) s += x;
  return s;
}

double variance(const std::vector<double>& v, double correction) {
  const double mean = sum(v) / static_cast<double>(v.size());
  double s = 0;
  for (const double x : v) s += (x - mean) * (x - mean);
  return s / std::max(static_cast<double>(v.size()) - correction, 0.0);
}

double logSumExp(const std::vector<double>& v) {
  const double top = *std::max_element(v.begin(), v.end());
  double s = 0;
  for (const double x : v) s += std::exp(x - top);
  return top + std::log(s);
}

/// Applies `f` to every row along `dim`: row in, row out.
TensorPtr alongDim(const std::vector<TensorPtr>& in, int64_t dim,
                   const std::function<std::vector<double>(const std::vector<std::vector<double>>&)>& f) {
  const TensorPtr out = copyOf(*in[0]);
  if (out->sizes.empty()) {
    std::vector<std::vector<double>> rows;
    for (const TensorPtr& t : in) rows.push_back(t->values());
    out->at(0) = f(rows)[0];
    return out;
  }
  const size_t d = static_cast<size_t>(wrapDim(dim, out->sizes.size()));
  Sizes outer = out->sizes;
  const int64_t n = outer[d];
  outer[d] = 1;
  forEachIndex(outer, [&](const Sizes& o) {
    Sizes index = o;
    std::vector<std::vector<double>> rows(in.size());
    for (size_t k = 0; k < in.size(); ++k)
      for (index[d] = 0; index[d] < n; ++index[d]) rows[k].push_back(at(*in[k], index));
    const std::vector<double> row = f(rows);
    for (index[d] = 0; index[d] < n; ++index[d]) at(*out, index) = row[static_cast<size_t>(index[d])];
  });
  return out;
}

using Rows = const std::vector<std::vector<double>>&;

std::vector<double> softmax(Rows r, bool log) {
  const double all = logSumExp(r[0]);
  std::vector<double> out;
  for (const double x : r[0]) out.push_back(log ? x - all : std::exp(x - all));
  return out;
}

/// Of rows (gradient, result).
std::vector<double> softmaxBackward(Rows r, bool log) {
  double s = 0;
  for (size_t i = 0; i < r[0].size(); ++i) s += log ? r[0][i] : r[0][i] * r[1][i];
  std::vector<double> out;
  for (size_t i = 0; i < r[0].size(); ++i)
    out.push_back(log ? r[0][i] - std::exp(r[1][i]) * s : r[1][i] * (r[0][i] - s));
  return out;
}

std::vector<double> runningSum(Rows r) {
  std::vector<double> out = r[0];
  for (size_t i = 1; i < out.size(); ++i) out[i] += out[i - 1];
  return out;
}

/// [b, n, k] x [b, k, m].
TensorPtr bmm(const TensorPtr& a, const TensorPtr& b) {
  if (a->sizes.size() != 3 || b->sizes.size() != 3 || a->sizes[2] != b->sizes[1] ||
      a->sizes[0] != b->sizes[0])
    throw EvaluationError("matrices do not fit together");
  const TensorPtr out = newTensor({a->sizes[0], a->sizes[1], b->sizes[2]});
  forEachIndex(out->sizes, [&](const Sizes& i) {
    double s = 0;
    for (int64_t k = 0; k < a->sizes[2]; ++k) s += at(*a, {i[0], i[1], k}) * at(*b, {i[0], k, i[2]});
    at(*out, i) = s;
  });
  return out;
}

TensorPtr lifted(const TensorPtr& t, int64_t dim) {
  return call("unsqueeze.default", {t, dim}).tensor;
}

TensorPtr lowered(const TensorPtr& t, int64_t dim) {
  return call("squeeze.dim", {t, dim}).tensor;
}

std::optional<TensorPtr> product(const Call& c) {
  const auto two = [&](size_t first) {
    return std::pair(c.tensor(first, first ? "mat1" : "self"), c.tensor(first + 1, "mat2"));
  };
  const auto scaled = [&](const TensorPtr& p) {
    const double alpha = c.number(9, "alpha", 1), beta = c.number(9, "beta", 1);
    const TensorPtr a = call("mul.Tensor", {p, alpha}).tensor,
                    b = call("mul.Tensor", {c.tensor(0, "self"), beta}).tensor;
    return call("add.Tensor", {b, a}).tensor;
  };
  const bool adds = c.op == "addmm" || c.op == "baddbmm";
  if (c.op == "bmm" || c.op == "baddbmm") {
    const auto [a, b] = two(adds);
    return adds ? scaled(bmm(a, b)) : bmm(a, b);
  }
  if (c.op == "mm" || c.op == "addmm") {
    const auto [a, b] = two(adds);
    const TensorPtr p = lowered(bmm(lifted(a, 0), lifted(b, 0)), 0);
    return adds ? scaled(p) : p;
  }
  if (c.op == "mv") {
    const auto [a, b] = std::pair(c.tensor(0, "self"), c.tensor(1, "vec"));
    return lowered(lowered(bmm(lifted(a, 0), lifted(lifted(b, 0), -1)), 0), -1);
  }
  if (c.op == "dot") {
    const auto [a, b] = std::pair(c.tensor(0, "self"), c.tensor(1, "tensor"));
    return call("sum.default", {call("mul.Tensor", {a, b})}).tensor;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Item> callReduction(const Call& c) {
  if (const std::optional<TensorPtr> p = product(c)) return *p;
  const std::string& op = c.op;
  if (op == "_softmax" || op == "_log_softmax")
    return alongDim({c.tensor(0, "self")}, c.integer(1, "dim", 0),
                    [&](Rows r) { return softmax(r, op == "_log_softmax"); });
  if (op == "_softmax_backward_data" || op == "_log_softmax_backward_data")
    return alongDim({c.tensor(0, "grad_output"), c.tensor(1, "output")}, c.integer(2, "dim", 0),
                    [&](Rows r) { return softmaxBackward(r, op == "_log_softmax_backward_data"); });
  if (op == "cumsum") return alongDim({c.tensor(0, "self")}, c.integer(1, "dim", 0), runningSum);
  const bool whole = c.overload == "default" && (op == "sum" || op == "mean" || op == "prod");
  const auto over = [&](const std::function<double(const std::vector<double>&)>& f) -> Item {
    return reduce(c.tensor(0, "self"), whole ? Sizes() : c.ints(1, "dim"),
                  !whole && c.boolean(2, "keepdim", false), f);
  };
  if (op == "sum") return over(sum);
  if (op == "mean")
    return over([](const std::vector<double>& v) { return sum(v) / static_cast<double>(v.size()); });
  if (op == "amax")
    return over([](const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); });
  if (op == "amin")
    return over([](const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); });
  if (op == "logsumexp") return over(logSumExp);
  if (op == "prod" && whole)
    return over([](const std::vector<double>& v) {
      double p = 1;
      for (const double x : v) p *= x;
      return p;
    });
  if ((op == "var" || op == "std") && c.overload == "correction") {
    const double correction = c.number(9, "correction", 1);
    const bool root = op == "std";
    return reduce(c.tensor(0, "self"), c.ints(1, "dim"), c.boolean(9, "keepdim", false),
                  [=](const std::vector<double>& v) {
                    return root ? std::sqrt(variance(v, correction)) : variance(v, correction);
                  });
  }
  return std::nullopt;
}

}  // namespace descry::test
