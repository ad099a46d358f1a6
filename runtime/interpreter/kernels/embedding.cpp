// Embedding tables and bags of embeddings.
#include "runtime/interpreter/kernels/checks.h"
#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

void embedding(Call& c) {
  const View weight = c.view("weight"), index = indexView(c, c.tensor("indices"));
  View out = c.out();
  const Bounds bounds{weight.sizes[0], 0, false, "index out of range in self"};
  View offsets = c.scratch(index.sizes, DType::I64);
  const int64_t stride = weight.strides[0];
  forEachParallel<int64_t, int64_t>(
      [bounds, stride](int64_t& o, const int64_t& i) { o = bounds(i) * stride; }, offsets, index);
  if (out.numel() == 0) return;
  View rows = weight;
  rows.sizes = offsets.sizes = out.sizes;
  rows.strides = Dims(out.dim(), 0);
  rows.strides[out.dim() - 1] = weight.strides[1];
  offsets.strides.push_back(0);
  readAt(out, rows, offsets);
}

/// How often each row is used; indices outside of the table are left out.
std::vector<int64_t> rowCounts(const View& index, int64_t rows) {
  std::vector<int64_t> counts(static_cast<size_t>(std::max<int64_t>(rows, 0)));
  for (int64_t i = 0; i < index.numel(); ++i)
    if (const int64_t k = index.as<int64_t>()[i]; k >= 0 && k < rows) ++counts[static_cast<size_t>(k)];
  return counts;
}

/// table[row(i)] += scale(i) * grad[source(i)] for i in order; rows are of `width` elements and a negative
/// row is skipped. Threads take parts of the width.
template <class T, class Row, class Source, class Scale>
void addRows(const View& table, const View& grad, int64_t count, Row&& row, Source&& source, Scale&& scale) {
  const int64_t width = table.sizes[1];
  T* to = table.as<T>();
  const T* from = grad.as<T>();
  parallelFor(0, width, lineGrain(count), [&](int64_t begin, int64_t end) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t r = row(i);
      if (r < 0) continue;
      const auto s = scale(i);
      T* a = to + r * width;
      const T* b = from + source(i) * width;
      for (int64_t d = begin; d < end; ++d)
        a[d] = T(static_cast<Compute<T>>(a[d]) + static_cast<Compute<T>>(b[d]) * static_cast<Compute<T>>(s));
    }
  });
}

void embeddingBackward(Call& c) {
  const View table = c.denseOut(), grad = c.dense("grad_output");
  const View index = c.hold(contiguousOf(c.tensor("indices"), DType::I64));
  const int64_t padding = c.integer("padding_idx"), rows = table.sizes[0];
  const int64_t* at = index.as<int64_t>();
  needNumel(grad, index.numel() * table.size(-1), "grad_output");
  zeroElements(table);
  const bool byFrequency = c.flag("scale_grad_by_freq");
  const std::vector<int64_t> counts = byFrequency ? rowCounts(index, rows) : std::vector<int64_t>();
  const auto row = [&](int64_t i) { return at[i] == padding || at[i] < 0 || at[i] >= rows ? -1 : at[i]; };
  visitFloating(table.dtype, [&]<class T>(TypeTag<T>) {
    addRows<T>(
        table, grad, index.numel(), row, [](int64_t i) { return i; },
        [&](int64_t i) {
          return byFrequency ? Compute<T>(1) / static_cast<Compute<T>>(counts[static_cast<size_t>(at[i])])
                             : Compute<T>(1);
        });
  });
}

/// Rows that are used and longer than `max_norm` are scaled to it.
void renorm(Call& c, const View& self) {
  if (self.dim() != 2) throw EvalError("shape-mismatch", "'weight' must be 2-D");
  const View index = c.hold(contiguousOf(c.tensor("indices"), DType::I64));
  const double most = c.real("max_norm"), p = c.real("norm_type");
  std::vector<int64_t> rows(index.as<int64_t>(), index.as<int64_t>() + index.numel());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const Bounds bounds{self.sizes[0], 0};
  for (const int64_t r : rows) bounds(r);
  visitFloating(self.dtype, [&]<class T>(TypeTag<T>) {
    parallelFor(0, static_cast<int64_t>(rows.size()), lineGrain(self.sizes[1]),
                [&](int64_t from, int64_t to) {
                  for (int64_t i = from; i < to; ++i) {
                    const View row = self.select(0, rows[static_cast<size_t>(i)]);
                    const Line<T> line(row.data, row.strides[0]);
                    double norm = 0;
                    for (int64_t d = 0; d < row.sizes[0]; ++d) {
                      const double x = std::fabs(static_cast<double>(static_cast<Compute<T>>(line[d])));
                      norm = std::isinf(p) ? std::max(norm, x)
                                           : norm + (p == 2   ? x * x
                                                     : p == 1 ? x
                                                              : std::pow(x, p));
                    }
                    if (!std::isinf(p))
                      norm = p == 2 ? std::sqrt(norm) : p == 1 ? norm : std::pow(norm, 1 / p);
                    if (!(norm > most)) continue;
                    const auto scale = static_cast<Compute<T>>(most / (norm + 1e-7));
                    for (int64_t d = 0; d < row.sizes[0]; ++d)
                      line[d] = T(static_cast<Compute<T>>(line[d]) * scale);
                  }
                });
  });
}

// ---- bags

enum Mode : int64_t { kSum, kMean, kMax };

/// The bag of each index: offsets say where each starts.
std::vector<int64_t> bagsOf(int64_t count, const View& offsets) {
  std::vector<int64_t> bags(static_cast<size_t>(count), 0);
  const int64_t* start = offsets.as<int64_t>();
  const int64_t n = offsets.numel();
  int64_t bag = 0;
  for (int64_t i = 0; i < count; ++i) {
    while (bag + 1 < n && start[bag + 1] <= i) ++bag;
    bags[static_cast<size_t>(i)] = bag;
  }
  return bags;
}

void checkOffsets(const View& offsets, int64_t count, bool lastIncluded) {
  const int64_t* at = offsets.as<int64_t>();
  const int64_t n = offsets.numel();
  if (lastIncluded && n < 1)
    throw EvalError("value-error", "include_last_offset: number of offset should be at least 1");
  if (n == 0) return;
  if (at[0] != 0)
    throw EvalError(
        "value-error",
        "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. "
        "However, got " +
            std::to_string(at[0]));
  if (at[n - 1] > count)
    throw EvalError("value-error", "offsets[-1] can not be greater than input's length " +
                                       std::to_string(count) + " but got offsets[-1] of " +
                                       std::to_string(at[n - 1]));
  for (int64_t i = 1; i < n; ++i)
    if (at[i] < at[i - 1]) throw EvalError("value-error", "offsets of bags have to grow");
}

void embeddingBag(Call& c) {
  const View weight = c.view("weight"), index = c.hold(contiguousOf(c.tensor("indices"), DType::I64));
  const View offsets = c.hold(contiguousOf(c.tensor("offsets"), DType::I64));
  const int64_t mode = c.integer("mode"), padding = c.integer("padding_idx"), width = weight.sizes[1];
  const bool lastIncluded = c.flag("include_last_offset");
  const int64_t count = index.numel();
  if (index.dim() != 1) throw EvalError("shape-mismatch", "input has to be a 1D Tensor");
  if (offsets.dim() != 1) throw EvalError("shape-mismatch", "offsets has to be a 1D Tensor");
  checkOffsets(offsets, count, lastIncluded);
  const View out = c.denseOut(0);
  const int64_t bags = out.sizes[0];
  const int64_t *at = index.as<int64_t>(), *start = offsets.as<int64_t>();
  for (int64_t i = 0; i < count; ++i)
    if (at[i] < 0 || at[i] >= weight.sizes[0])
      throw EvalError("index-error",
                      "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be " +
                          std::to_string(at[i]));
  const bool weighted = c.given("per_sample_weights");
  if (weighted && mode != kSum)
    throw EvalError("value-error",
                    "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported "
                    "for mode='sum'");
  if (weighted && c.tensor("per_sample_weights")->meta.dtype != weight.dtype)
    throw EvalError("type-error", "expected per_sample_weights to have the dtype of weight");
  const View factors = weighted ? c.hold(contiguousOf(c.tensor("per_sample_weights"))) : View{};
  if (weighted && factors.numel() != count)
    throw EvalError("shape-mismatch", "expected per_sample_weights to be 1D and of the same length as input");
  // What the gradient needs; that of a sum needs no sizes, and PyTorch leaves them zero.
  const View bagOfIndex = c.denseOut(1, DType::I64), sizes = c.denseOut(2, DType::I64),
             largest = c.denseOut(3, DType::I64);
  if (bagOfIndex.numel() == count) {
    const std::vector<int64_t> found = bagsOf(count, offsets);
    std::copy(found.begin(), found.end(), bagOfIndex.as<int64_t>());
  }
  zeroElements(sizes);
  zeroElements(largest);
  zeroElements(out);
  const bool table = mode == kMax;
  visitFloating(weight.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    T* to = out.as<T>();
    parallelFor(0, bags, lineGrain(width * std::max<int64_t>(1, count / std::max<int64_t>(1, bags))),
                [&](int64_t from, int64_t end) {
                  std::vector<A> sum(static_cast<size_t>(width));
                  for (int64_t b = from; b < end; ++b) {
                    const int64_t stop = b + 1 < offsets.numel() ? start[b + 1] : count;
                    std::fill(sum.begin(), sum.end(), A(0));
                    int64_t used = 0;
                    for (int64_t i = start[b]; i < stop; ++i) {
                      if (at[i] == padding) continue;
                      const View row = weight.select(0, at[i]);
                      const Line<T> line(row.data, row.strides[0]);
                      const A factor = weighted ? static_cast<A>(factors.as<T>()[i]) : A(1);
                      for (int64_t d = 0; d < width; ++d) {
                        const A x = static_cast<A>(line[d]);
                        A& s = sum[static_cast<size_t>(d)];
                        if (!table) {
                          s += x * factor;
                        } else if (used == 0 || x > s) {
                          s = x;
                          largest.as<int64_t>()[b * width + d] = at[i];
                        }
                      }
                      ++used;
                    }
                    if (mode == kMean && used > 1)
                      for (A& s : sum) s /= static_cast<A>(used);
                    for (int64_t d = 0; d < width; ++d) to[b * width + d] = T(sum[static_cast<size_t>(d)]);
                    if (mode != kSum && b < sizes.numel()) sizes.as<int64_t>()[b] = used;
                  }
                });
  });
  // Other modes than the maximum give the sizes of the bags once more.
  if (!table && largest.numel() == sizes.numel()) copyElements(largest, sizes);
}

struct Bags {
  View index, of;
  int64_t count = 0;
};
/// The bag of each index, checked; made of the offsets where the forward op left it out.
Bags bagsOfCall(Call& c, int64_t bags) {
  Bags b;
  b.index = c.hold(contiguousOf(c.tensor("indices"), DType::I64));
  b.of = c.hold(contiguousOf(c.tensor("offset2bag"), DType::I64));
  b.count = b.index.numel();
  if (b.of.numel() != b.count && c.knows("offsets")) {
    const View offsets = c.hold(contiguousOf(c.tensor("offsets"), DType::I64));
    const std::vector<int64_t> found = bagsOf(b.count, offsets);
    b.of = c.scratch({b.count}, DType::I64);
    std::copy(found.begin(), found.end(), b.of.as<int64_t>());
  }
  if (b.of.numel() != b.count)
    throw EvalError("shape-mismatch", "offset2bag has another length than indices");
  const Bounds bounds{bags, 0};
  for (int64_t i = 0; i < b.count; ++i) bounds(b.of.as<int64_t>()[i]);
  return b;
}

void bagBackward(Call& c) {
  const View table = c.denseOut(), grad = c.dense("grad");
  const int64_t mode = c.integer("mode"), padding = c.integer("padding_idx"), rows = table.sizes[0],
                width = table.sizes[1];
  zeroElements(table);
  const View sizes = c.hold(contiguousOf(c.tensor("bag_size"), DType::I64));
  if (mode == kMax) {
    const View largest = c.hold(contiguousOf(c.tensor("maximum_indices"), DType::I64));
    const Bounds bounds{rows, 0};
    if (largest.numel() != grad.numel())
      throw EvalError("shape-mismatch", "maximum_indices do not fit the gradient");
    visitFloating(table.dtype, [&]<class T>(TypeTag<T>) {
      for (int64_t b = 0; b < grad.sizes[0]; ++b) {
        if (b < sizes.numel() && sizes.as<int64_t>()[b] == 0) continue;
        for (int64_t d = 0; d < width; ++d) {
          T& to = table.as<T>()[bounds(largest.as<int64_t>()[b * width + d]) * width + d];
          to = plus(to, grad.as<T>()[b * width + d]);
        }
      }
    });
    return;
  }
  const Bags bags = bagsOfCall(c, grad.sizes[0]);
  const int64_t *at = bags.index.as<int64_t>(), *of = bags.of.as<int64_t>();
  const bool byFrequency = c.flag("scale_grad_by_freq"), weighted = c.given("per_sample_weights");
  const std::vector<int64_t> counts = byFrequency ? rowCounts(bags.index, rows) : std::vector<int64_t>();
  const View factors = weighted ? c.hold(contiguousOf(c.tensor("per_sample_weights"), table.dtype)) : View{};
  if (weighted && factors.numel() != bags.count)
    throw EvalError("shape-mismatch", "per_sample_weights do not fit the indices");
  if (mode == kMean && sizes.numel() < grad.sizes[0])
    throw EvalError("shape-mismatch", "bag_size does not fit the gradient");
  const auto row = [&](int64_t i) { return at[i] == padding || at[i] < 0 || at[i] >= rows ? -1 : at[i]; };
  visitFloating(table.dtype, [&]<class T>(TypeTag<T>) {
    addRows<T>(
        table, grad, bags.count, row, [&](int64_t i) { return of[i]; },
        [&](int64_t i) {
          double scale = 1;
          if (byFrequency) scale /= static_cast<double>(counts[static_cast<size_t>(at[i])]);
          if (weighted) scale *= static_cast<double>(static_cast<Compute<T>>(factors.as<T>()[i]));
          if (mode == kMean) scale /= static_cast<double>(std::max<int64_t>(1, sizes.as<int64_t>()[of[i]]));
          return scale;
        });
  });
}

void bagWeightsBackward(Call& c) {
  const View out = c.denseOut(), grad = c.dense("grad"), weight = c.dense("weight");
  const int64_t padding = c.integer("padding_idx"), width = weight.sizes[1];
  if (c.integer("mode") != kSum)
    throw EvalError("value-error",
                    "embedding_bag_backward: per_sample_weights only supported for mode='sum'");
  if (grad.dim() != 2 || grad.sizes[1] != width)
    throw EvalError("shape-mismatch", "the gradient of bags does not fit their table");
  const Bags bags = bagsOfCall(c, grad.sizes[0]);
  needNumel(out, bags.count, "indices");
  const Bounds bounds{weight.sizes[0], 0};
  visitFloating(out.dtype, [&]<class T>(TypeTag<T>) {
    parallelFor(0, bags.count, lineGrain(width), [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        const int64_t k = bags.index.as<int64_t>()[i];
        Compute<T> sum = 0;
        if (k != padding) {
          const T *a = grad.as<T>() + bags.of.as<int64_t>()[i] * width,
                  *b = weight.as<T>() + bounds(k) * width;
          for (int64_t d = 0; d < width; ++d)
            sum += static_cast<Compute<T>>(a[d]) * static_cast<Compute<T>>(b[d]);
        }
        out.as<T>()[i] = T(sum);
      }
    });
  });
}

}  // namespace

void addEmbeddingKernels(KernelTable& table) {
  table.fill("aten.embedding.default", embedding);
  table.fill("aten.embedding_dense_backward.default", embeddingBackward);
  table.fill("aten.embedding_renorm.default", onCopy<renorm>);
  table.make("aten.embedding_renorm_.default", inPlace<renorm>);
  table.fill("aten._embedding_bag.default aten._embedding_bag_forward_only.default", embeddingBag);
  table.fill("aten._embedding_bag_backward.default aten._embedding_bag_dense_backward.default", bagBackward);
  table.fill("aten._embedding_bag_per_sample_weights_backward.default", bagWeightsBackward);
}

}  // namespace descry::runtime
