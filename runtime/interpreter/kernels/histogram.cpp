// Distinct values, and counts of values.
#include <numeric>

#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

// ---- distinct values

template <class T>
bool sameValue(T a, T b) {
  if constexpr (kIsComplex<T>)
    return a == b;
  else
    return static_cast<Compute<T>>(a) == static_cast<Compute<T>>(b);
}

/// Runs of equal neighbours in a list of items: the first of each, the run of each item, and lengths.
struct Runs {
  std::vector<int64_t> firsts, lengths;
  TensorRef inverse;
};
template <class Same>
Runs runsOf(const std::vector<int64_t>& order, const Dims& inverseSizes, Same&& same) {
  Runs r;
  r.inverse = allocate(inverseSizes, DType::I64);
  int64_t* inverse = viewOf(*r.inverse).as<int64_t>();
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !same(order[i - 1], order[i])) {
      r.firsts.push_back(order[i]);
      r.lengths.push_back(0);
    }
    ++r.lengths.back();
    inverse[order[i]] = static_cast<int64_t>(r.firsts.size()) - 1;
  }
  return r;
}

TensorRef listOf(const std::vector<int64_t>& numbers) {
  const TensorRef t = allocate(Dims{static_cast<int64_t>(numbers.size())}, DType::I64);
  std::copy(numbers.begin(), numbers.end(), viewOf(*t).as<int64_t>());
  return t;
}
TensorRef absent() {
  return allocate(Dims{0}, DType::I64);
}

std::vector<int64_t> firstNumbers(int64_t n) {
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), int64_t{0});
  return order;
}

/// Of all elements.
Value uniqueElements(Call& c, bool sorts, bool inverse, bool counts, bool third) {
  const TensorRef t = c.tensor("self");
  const View self = c.hold(contiguousOf(t));
  std::vector<int64_t> order = firstNumbers(self.numel());
  TensorRef values;
  Runs runs;
  visitAny(self.dtype, [&]<class T>(TypeTag<T>) {
    const T* at = self.as<T>();
    if (sorts) {
      if constexpr (kIsComplex<T>)
        throw EvalError("unsupported-dtype",
                        "\"unique\" not implemented for '" + std::string(scalarTypeName(self.dtype)) + "'");
      else
        std::stable_sort(order.begin(), order.end(),
                         [at](int64_t i, int64_t j) { return lessThan(at[i], at[j]); });
    }
    runs = runsOf(order, self.sizes, [at](int64_t i, int64_t j) { return sameValue(at[i], at[j]); });
    values = allocate(Dims{static_cast<int64_t>(runs.firsts.size())}, self.dtype);
    T* to = viewOf(*values).as<T>();
    for (const int64_t i : runs.firsts) *to++ = at[i];
  });
  Values out{Value(values), Value(inverse ? runs.inverse : absent())};
  if (third) out.push_back(Value(counts ? listOf(runs.lengths) : absent()));
  return Value::tuple(std::move(out));
}
Value unique(Call& c) {
  return uniqueElements(c, true, c.flag("return_inverse"), false, false);
}
Value uniqueWithCounts(Call& c) {
  return uniqueElements(c, true, c.flag("return_inverse"), c.flag("return_counts"), true);
}

/// Of the slices along a dimension; PyTorch gives the places and the counts whether they are asked for or
/// not.
Value uniqueSlices(Call& c, bool sorts) {
  const TensorRef t = c.tensor("self");
  const View self = viewOf(*t);
  const int64_t dim = wrappedDim(c.integer("dim"), self.dim());
  const View moved = atLeastOneDim(self);
  int64_t zeros = 0;
  for (size_t d = 0; d < moved.dim(); ++d)
    if (moved.sizes[d] == 0 && static_cast<int64_t>(d) != dim) ++zeros;
  if (zeros || (moved.size(dim) == 0 && zeros))
    throw EvalError("value-error",
                    "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
  // The dimension first, and each slice in one piece.
  View front = moved;
  std::vector<int64_t> axes{dim};
  for (int64_t d = 0; d < static_cast<int64_t>(moved.dim()); ++d)
    if (d != dim) axes.push_back(d);
  front = moved.permuted(axes);
  const View slices = c.hold(copyOf(front, self.dtype));
  const int64_t n = slices.sizes[0], width = n ? slices.numel() / n : 0;
  std::vector<int64_t> order = firstNumbers(n);
  Runs runs;
  visitAny(self.dtype, [&]<class T>(TypeTag<T>) {
    const T* at = slices.as<T>();
    if (sorts) {
      if constexpr (kIsComplex<T>)
        throw EvalError("unsupported-dtype", "\"unique_dim\" not implemented for '" +
                                                 std::string(scalarTypeName(self.dtype)) + "'");
      else
        std::stable_sort(order.begin(), order.end(), [at, width](int64_t i, int64_t j) {
          const T *a = at + i * width, *b = at + j * width;
          for (int64_t k = 0; k < width; ++k) {
            if (lessThan(a[k], b[k])) return true;
            if (lessThan(b[k], a[k])) return false;
          }
          return false;
        });
    }
    runs = runsOf(order, Dims{n}, [at, width](int64_t i, int64_t j) {
      for (int64_t k = 0; k < width; ++k)
        if (!sameValue(at[i * width + k], at[j * width + k])) return false;
      return true;
    });
  });
  // The dimension is the outermost one in memory.
  Dims sizes = slices.sizes;
  sizes[0] = static_cast<int64_t>(runs.firsts.size());
  const TensorRef values = allocate(sizes, self.dtype);
  for (size_t i = 0; i < runs.firsts.size(); ++i)
    copyElements(viewOf(*values).select(0, static_cast<int64_t>(i)), slices.select(0, runs.firsts[i]));
  std::rotate(values->meta.sizes.begin(), values->meta.sizes.begin() + 1,
              values->meta.sizes.begin() + dim + 1);
  std::rotate(values->meta.strides.begin(), values->meta.strides.begin() + 1,
              values->meta.strides.begin() + dim + 1);
  return Value::tuple({Value(values), Value(runs.inverse), Value(listOf(runs.lengths))});
}
Value uniqueDim(Call& c) {
  return uniqueSlices(c, true);
}
Value uniqueDimConsecutive(Call& c) {
  return uniqueSlices(c, false);
}
Value uniqueConsecutive(Call& c) {
  if (c.given("dim")) return uniqueSlices(c, false);
  return uniqueElements(c, false, c.flag("return_inverse"), c.flag("return_counts"), true);
}

// ---- counts

Value bincount(Call& c) {
  const TensorRef t = c.tensor("self");
  const int64_t least = c.integer("minlength");
  if (least < 0) throw EvalError("value-error", "minlength should be >= 0");
  const DType dtype = t->meta.dtype;
  const bool bad = t->meta.dim() != 1 || ir::dtypeInfo(dtype).floating || ir::dtypeInfo(dtype).complex ||
                   dtype == DType::B8;
  const View self = bad ? View{} : c.hold(contiguousOf(t, DType::I64));
  const int64_t n = bad ? 0 : self.numel();
  int64_t most = -1;
  for (int64_t i = 0; i < n; ++i) {
    most = std::max(most, self.as<int64_t>()[i]);
    if (self.as<int64_t>()[i] < 0) most = std::numeric_limits<int64_t>::max();
    if (most == std::numeric_limits<int64_t>::max()) break;
  }
  if (bad || most == std::numeric_limits<int64_t>::max())
    throw EvalError("value-error", "bincount only supports 1-d non-negative integral inputs.");
  const int64_t bins = std::max(most + 1, least);
  if (!c.given("weights") || n == 0) {
    const TensorRef made = allocateZeros(Dims{bins}, DType::I64);
    for (int64_t i = 0; i < n; ++i) ++viewOf(*made).as<int64_t>()[self.as<int64_t>()[i]];
    return Value(made);
  }
  const TensorRef w = c.tensor("weights");
  if (w->meta.dim() != 1 || viewOf(*w).numel() != n)
    throw EvalError("shape-mismatch", "weights should be 1-d and have the same length as input");
  const auto count = [&]<class T>(TypeTag<T>, DType as) {
    const View weights = c.hold(contiguousOf(w, as));
    const TensorRef made = allocateZeros(Dims{bins}, as);
    for (int64_t i = 0; i < n; ++i) viewOf(*made).as<T>()[self.as<int64_t>()[i]] += weights.as<T>()[i];
    return Value(made);
  };
  return w->meta.dtype == DType::F32 ? count(TypeTag<float>{}, DType::F32)
                                     : count(TypeTag<double>{}, DType::F64);
}

/// One dimension of the bins of a histogram.
template <class T>
struct Axis {
  std::vector<T> edges;
  bool even = true;  ///< bins of equal width
  /// The bin of a value, or -1.
  int64_t binOf(T x, bool exact) const {
    const auto bins = static_cast<int64_t>(edges.size()) - 1;
    const T first = edges.front(), last = edges.back();
    if (bins < 1 || !(x >= first && x <= last)) return -1;
    int64_t at = 0;
    if (even) {
      at = static_cast<int64_t>((x - first) * static_cast<T>(bins) / (last - first));
      at = std::clamp<int64_t>(at, 0, bins);
      // Rounding may have put it beside its bin.
      if (exact) {
        const int64_t low = std::max<int64_t>(0, at - 1), high = std::min(at + 2, bins + 1);
        at = std::upper_bound(edges.begin() + low, edges.begin() + high, x) - edges.begin() - 1;
      }
    } else {
      at = std::upper_bound(edges.begin(), edges.end(), x) - edges.begin() - 1;
    }
    return at == bins ? bins - 1 : at;  // the last bin holds its end too
  }
};

/// n + 1 edges from low to high.
template <class T>
Axis<T> evenAxis(T low, T high, int64_t bins) {
  if (bins <= 0)
    throw EvalError("value-error", "bins must be > 0, but got " + std::to_string(bins) + " for dimension 0");
  if (!std::isfinite(low) || !std::isfinite(high))
    throw EvalError("value-error",
                    "range of [" + std::to_string(low) + ", " + std::to_string(high) + "] is not finite");
  if (low > high) throw EvalError("value-error", "max must be larger than min");
  if (low == high) {
    low -= 1;
    high += 1;
  }
  Axis<T> a;
  a.edges.resize(static_cast<size_t>(bins + 1));
  const T step = (high - low) / static_cast<T>(bins);
  for (int64_t i = 0; i <= bins; ++i)
    a.edges[static_cast<size_t>(i)] =
        i < (bins + 1) / 2 ? low + step * static_cast<T>(i) : high - step * static_cast<T>(bins - i);
  return a;
}

/// `rows` of points, one column for each axis.
template <class T>
void countInto(Call& c, const View& out, const View& points, const std::vector<Axis<T>>& axes, bool exact) {
  const auto columns = static_cast<int64_t>(axes.size());
  const int64_t rows = columns ? points.numel() / columns : 0;
  const bool weighted = c.knows("weight") && c.given("weight");
  const View weights = weighted ? c.hold(contiguousOf(c.tensor("weight"), out.dtype)) : View{};
  if (weighted && weights.numel() != rows)
    throw EvalError("shape-mismatch",
                    "histogramdd(): if weight tensor is provided it should have the same shape as the input "
                    "tensor excluding its innermost dimension");
  std::vector<double> sums(static_cast<size_t>(out.numel()), 0.0);
  for (int64_t i = 0; i < rows; ++i) {
    int64_t at = 0;
    for (int64_t d = 0; d < columns && at >= 0; ++d) {
      const int64_t bin = axes[static_cast<size_t>(d)].binOf(points.as<T>()[i * columns + d], exact);
      at = bin < 0 ? -1 : at * (static_cast<int64_t>(axes[static_cast<size_t>(d)].edges.size()) - 1) + bin;
    }
    if (at >= 0) sums[static_cast<size_t>(at)] += weighted ? static_cast<double>(weights.as<T>()[i]) : 1.0;
  }
  if (c.knows("density") && c.flag("density")) {
    double total = 0;
    for (const double s : sums) total += s;
    for (size_t i = 0; i < sums.size(); ++i) {
      double space = 1;
      size_t rest = i;
      for (size_t d = axes.size(); d-- > 0;) {
        const std::vector<T>& edges = axes[d].edges;
        space *= static_cast<double>(edges[rest % (edges.size() - 1) + 1] - edges[rest % (edges.size() - 1)]);
        rest /= edges.size() - 1;
      }
      sums[i] /= total * space;
    }
  }
  for (size_t i = 0; i < sums.size(); ++i) out.as<T>()[i] = static_cast<T>(sums[i]);
}

template <class F>
void visitHistogram(DType dtype, std::string_view name, F&& f) {
  if (dtype == DType::F32) return f(TypeTag<float>{});
  if (dtype == DType::F64) return f(TypeTag<double>{});
  unsupportedDType(dtype, name);
}

template <class T>
std::pair<T, T> spanOf(const View& points, int64_t column, int64_t columns) {
  T low = points.as<T>()[column], high = low;
  for (int64_t i = column; i < points.numel(); i += columns) {
    low = std::min(low, points.as<T>()[i]);
    high = std::max(high, points.as<T>()[i]);
    if (std::isnan(points.as<T>()[i])) return {points.as<T>()[i], points.as<T>()[i]};
  }
  return {low, high};
}

template <class T>
Axis<T> evenAxisOf(Call& c, const View& points, int64_t column, int64_t columns, int64_t bins) {
  if (c.given("range")) {
    const Values range = c.value("range").items();
    if (static_cast<int64_t>(range.size()) != 2 * columns)
      throw EvalError("value-error", "histogramdd(): for a " + std::to_string(columns) +
                                         "-dimensional histogram range should have " +
                                         std::to_string(2 * columns) + " elements, but got " +
                                         std::to_string(range.size()));
    const auto low = elementOf<T>(range[static_cast<size_t>(2 * column)]);
    const auto high = elementOf<T>(range[static_cast<size_t>(2 * column + 1)]);
    return evenAxis<T>(low, high, bins);
  }
  const auto span = points.numel() ? spanOf<T>(points, column, columns) : std::pair<T, T>(0, 1);
  return evenAxis<T>(span.first, span.second, bins);
}
template <class T>
Axis<T> givenAxis(Call& c, const TensorRef& edges, DType dtype) {
  if (edges->meta.dim() != 1)
    throw EvalError("shape-mismatch", "histogramdd(): bins tensor should have one dimension");
  if (edges->meta.dtype != dtype)
    throw EvalError("type-error",
                    "torch.histogramdd: input tensor and bins tensors should have the same dtype");
  const View v = c.hold(contiguousOf(edges));
  Axis<T> a;
  a.even = false;
  a.edges.assign(v.as<T>(), v.as<T>() + v.numel());
  if (a.edges.empty())
    throw EvalError("value-error", "histogramdd(): bins tensor should have at least one element");
  return a;
}

void histc(Call& c) {
  const View self = c.dense("self"), out = c.denseOut();
  const int64_t bins = c.integer("bins");
  visitHistogram(self.dtype, "histogram_cpu", [&]<class T>(TypeTag<T>) {
    T low = elementOf<T>(c.value("min")), high = elementOf<T>(c.value("max"));
    if (low == high && self.numel()) {
      const auto span = spanOf<T>(self, 0, 1);
      low = span.first;
      high = span.second;
    }
    countInto<T>(c, out, self, {evenAxis<T>(low, high, bins)}, false);
  });
}

void histogram(Call& c) {
  const View self = c.dense("self"), out = c.denseOut(0), edges = c.denseOut(1);
  visitHistogram(self.dtype, "histogram", [&]<class T>(TypeTag<T>) {
    const Axis<T> axis = c.op().overload() == "bin_ct" ? evenAxisOf<T>(c, self, 0, 1, c.integer("bins"))
                                                       : givenAxis<T>(c, c.tensor("bins"), self.dtype);
    std::copy(axis.edges.begin(), axis.edges.end(), edges.as<T>());
    countInto<T>(c, out, self, {axis}, true);
  });
}

int64_t columnsOf(const View& self, size_t axes) {
  if (self.dim() < 2)
    throw EvalError("shape-mismatch", "torch.histogramdd: input tensor should have at least 2 dimensions");
  if (self.sizes[self.dim() - 1] != static_cast<int64_t>(axes))
    throw EvalError("shape-mismatch",
                    "histogramdd(): The size of bins must be equal to the innermost dimension of the input.");
  return static_cast<int64_t>(axes);
}

void histogramddEdges(Call& c) {
  const View self = c.dense("self");
  const std::vector<int64_t> bins = c.integers("bins");
  const int64_t columns = columnsOf(self, bins.size());
  visitHistogram(self.dtype, "histogramdd", [&]<class T>(TypeTag<T>) {
    for (int64_t d = 0; d < columns; ++d) {
      const Axis<T> axis = evenAxisOf<T>(c, self, d, columns, bins[static_cast<size_t>(d)]);
      std::copy(axis.edges.begin(), axis.edges.end(), c.denseOut(static_cast<size_t>(d)).as<T>());
    }
  });
}

void histogramdd(Call& c) {
  const View self = c.dense("self"), out = c.denseOut();
  const bool even = c.op().name() == "_histogramdd_from_bin_cts";
  const std::vector<int64_t> bins = even ? c.integers("bins") : std::vector<int64_t>();
  const std::vector<TensorRef> edges = even ? std::vector<TensorRef>() : c.tensors("bins");
  const int64_t columns = columnsOf(self, even ? bins.size() : edges.size());
  visitHistogram(self.dtype, "histogramdd", [&]<class T>(TypeTag<T>) {
    std::vector<Axis<T>> axes;
    for (int64_t d = 0; d < columns; ++d)
      axes.push_back(even ? evenAxisOf<T>(c, self, d, columns, bins[static_cast<size_t>(d)])
                          : givenAxis<T>(c, edges[static_cast<size_t>(d)], self.dtype));
    countInto<T>(c, out, self, axes, true);
  });
}

}  // namespace

void addHistogramKernels(KernelTable& table) {
  table.make("aten._unique.default", unique);
  table.make("aten._unique2.default", uniqueWithCounts);
  table.make("aten.unique_dim.default", uniqueDim);
  table.make("aten.unique_dim_consecutive.default", uniqueDimConsecutive);
  table.make("aten.unique_consecutive.default", uniqueConsecutive);
  table.make("aten.bincount.default", bincount);
  table.fill("aten.histc.default", histc);
  table.fill("aten.histogram.bin_ct aten.histogram.bins_tensor", histogram);
  table.fill("aten._histogramdd_bin_edges.default", histogramddEdges);
  table.fill("aten._histogramdd_from_bin_cts.default aten._histogramdd_from_bin_tensors.default",
             histogramdd);
}

}  // namespace descry::runtime
