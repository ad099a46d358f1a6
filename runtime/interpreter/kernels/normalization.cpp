// Normalization by mean and variance: of rows (layer norm, RMS norm) and of groups of channels; weight norm.
#include <limits>

#include "runtime/core/rows.h"
#include "runtime/interpreter/kernels/checks.h"
#include "runtime/interpreter/kernels/normalization_support.h"

namespace descry::runtime {

namespace {

using namespace normalizing;

/// Rows of `width` elements: the last dimensions, as many as `normalized_shape` has.
struct Rows {
  int64_t count = 0, width = 1;
  Rows(Call& c, const Dims& sizes) {
    const std::vector<int64_t> shape = c.integers("normalized_shape");
    if (shape.size() > sizes.size())
      throw EvalError("shape-mismatch", "normalized_shape has too many dimensions");
    const size_t first = sizes.size() - shape.size();
    for (size_t d = 0; d < shape.size(); ++d)
      if (shape[d] != sizes[first + d])
        throw EvalError("shape-mismatch", "normalized_shape does not fit the last dimensions of the input");
    count = extentOf(sizes, 0, first);
    width = extentOf(sizes, first, sizes.size());
  }
};

/// With a mean (layer norm) or around zero (RMS norm).
template <bool Centered>
void normalizeRows(Call& c) {
  const View self = c.view("input");
  const DType compute = computeType(self.dtype);
  const Rows rows(c, self.sizes);
  const View in = c.dense("input", compute), out = c.denseOut(0, compute);
  const View mean = Centered ? c.denseOut(1, compute) : out, scale = c.denseOut(Centered ? 2 : 1, compute);
  double eps = 0;
  if (c.given("eps"))
    eps = c.real("eps");
  else
    eps = compute == DType::F64 ? std::numeric_limits<double>::epsilon()
                                : std::numeric_limits<float>::epsilon();
  visitComputed(compute, "normalization", [&]<class T>(TypeTag<T>) {
    const T* weight = optional<T>(c, "weight", compute, rows.width);
    const T* bias = optional<T>(c, "bias", compute, rows.width);
    const RowMath<T>& math = rowMath<T>();
    const T* first = in.as<T>();
    T* result = out.as<T>();
    const bool streamed =
        rows.count * rows.width * static_cast<int64_t>(sizeof(T)) >= kPastCaches && first != result;
    const double width = static_cast<double>(rows.width);
    parallelFor(0, rows.count, grainOf(rows.width), [&](int64_t from, int64_t to) {
      for (int64_t r = from; r < to; ++r) {
        const T* x = first + r * rows.width;
        const double middle = Centered ? math.sum(x, rows.width) / width : 0;
        const T center = static_cast<T>(middle);
        // Around the rounded mean, which the distance between the two corrects.
        const double off = middle - static_cast<double>(center);
        const double squares = math.squares(x, center, rows.width) - width * off * off;
        const T rstd = static_cast<T>(1 / std::sqrt(std::max(squares, 0.0) / width + eps));
        if (Centered) mean.as<T>()[r] = center;
        scale.as<T>()[r] = rstd;
        (streamed ? math.normalizeStreamed : math.normalize)(x, center, rstd, weight, bias,
                                                             result + r * rows.width, rows.width);
      }
    });
  });
}

template <bool Centered>
void normalizeRowsBackward(Call& c) {
  const View self = c.view("input");
  const DType compute = computeType(self.dtype);
  const Rows rows(c, self.sizes);
  const int64_t width = rows.width;
  const View in = c.dense("input", compute), grad = c.dense("grad_out", compute);
  if (grad.numel() != in.numel())
    throw EvalError("shape-mismatch", "the gradient has other sizes than the input");
  visitComputed(compute, "normalization", [&]<class T>(TypeTag<T>) {
    const T* weight = optional<T>(c, "weight", compute, width);
    const T* mean = Centered ? optional<T>(c, "mean", compute, rows.count) : nullptr;
    const T* rstd = optional<T>(c, "rstd", compute, rows.count);
    const T *x = in.as<T>(), *dy = grad.as<T>();
    const RowMath<T>& math = rowMath<T>();
    if (c.has(0)) {
      T* dx = c.denseOut(0, compute).as<T>();
      parallelFor(0, rows.count, grainOf(width * 2), [&](int64_t from, int64_t to) {
        for (int64_t r = from; r < to; ++r) {
          const T *row = x + r * width, *g = dy + r * width;
          const T center = mean ? mean[r] : T(0);
          double plain = 0, along = 0;
          math.normalizedSums(row, g, weight, center, rstd[r], width, &plain, &along);
          if (!Centered) plain = 0;
          math.normalizeBackward(row, g, weight, center, rstd[r],
                                 static_cast<T>(plain / static_cast<double>(width)),
                                 static_cast<T>(along / static_cast<double>(width)), dx + r * width, width);
        }
      });
    }
    const bool wantsWeight = c.has(1), wantsBias = Centered && c.has(2);
    if (!wantsWeight && !wantsBias) return;
    T* dw = wantsWeight ? c.denseOut(1, compute).as<T>() : nullptr;
    T* db = wantsBias ? c.denseOut(2, compute).as<T>() : nullptr;
    // Parts of the rows have sums of their own: as many as their number says, whatever the threads are.
    const int64_t parts =
        std::clamp<int64_t>(rows.count * width / 65536, 1, std::min<int64_t>(rows.count, 16));
    std::vector<double> sums(static_cast<size_t>(parts * 2 * width), 0);
    parallelFor(0, parts, 1, [&](int64_t from, int64_t to) {
      std::vector<T> some(static_cast<size_t>(2 * width));
      T *w = some.data(), *b = some.data() + width;
      for (int64_t k = from; k < to; ++k) {
        double* into = sums.data() + k * 2 * width;
        const int64_t end = rows.count * (k + 1) / parts;
        for (int64_t r = rows.count * k / parts; r < end;) {
          std::fill(some.begin(), some.end(), T(0));
          // No more rows than float adds up without loss.
          for (const int64_t stop = std::min(end, r + 32); r < stop; ++r)
            math.addNormalized(x + r * width, dy + r * width, mean ? mean[r] : T(0), rstd[r],
                               dw ? w : nullptr, db ? b : nullptr, width);
          for (int64_t i = 0; i < 2 * width; ++i)
            into[i] += static_cast<double>(some[static_cast<size_t>(i)]);
        }
      }
    });
    for (int64_t i = 0; i < width; ++i) {
      double w = 0, b = 0;
      for (int64_t k = 0; k < parts; ++k) {
        w += sums[static_cast<size_t>(k * 2 * width + i)];
        b += sums[static_cast<size_t>((k * 2 + 1) * width + i)];
      }
      if (dw) dw[i] = static_cast<T>(w);
      if (db) db[i] = static_cast<T>(b);
    }
  });
}

// ---- groups of channels

struct Groups {
  int64_t batch, channels, area, groups, inGroup;
  explicit Groups(Call& c)
      : batch(c.integer("N")), channels(c.integer("C")), area(c.integer("HxW")), groups(c.integer("group")) {
    if (batch < 0 || channels < 0 || area < 0)
      throw EvalError("value-error", "N, C and HxW are sizes, which are not negative");
    if (groups < 1 || channels % groups)
      throw EvalError("value-error",
                      "Expected number of channels in input to be divisible by num_groups, but got input of "
                      "shape with " +
                          std::to_string(channels) + " channels and num_groups=" + std::to_string(groups));
    inGroup = channels / groups;
    if (c.view("input").numel() != productOf({batch, channels, area}))
      throw EvalError("shape-mismatch", "the sizes of the input are not N, C and HxW");
  }
};

void normalizeGroups(Call& c) {
  const Groups g(c);
  const DType compute = computeType(c.view("input").dtype);
  const View in = c.dense("input", compute), out = c.denseOut(0, compute);
  const View mean = c.denseOut(1, compute), scale = c.denseOut(2, compute);
  const double eps = c.real("eps");
  visitComputed(compute, "normalization", [&]<class T>(TypeTag<T>) {
    const T* weight = optional<T>(c, "weight", compute, g.channels);
    const T* bias = optional<T>(c, "bias", compute, g.channels);
    const int64_t width = g.inGroup * g.area;
    parallelFor(0, g.batch * g.groups, grainOf(width * 4), [&](int64_t from, int64_t to) {
      for (int64_t r = from; r < to; ++r) {
        const T* x = in.as<T>() + r * width;
        const Moments m = momentsOf(x, width);
        const T center = static_cast<T>(m.mean);
        const T rstd = static_cast<T>(1 / std::sqrt(m.squares / static_cast<double>(width) + eps));
        mean.as<T>()[r] = center;
        scale.as<T>()[r] = rstd;
        for (int64_t k = 0; k < g.inGroup; ++k) {
          const int64_t channel = r % g.groups * g.inGroup + k;
          const T w = weight ? rstd * weight[channel] : rstd;
          const T b = (bias ? bias[channel] : T(0)) - center * w;
          T* y = out.as<T>() + r * width + k * g.area;
          for (int64_t i = 0; i < g.area; ++i) y[i] = x[k * g.area + i] * w + b;
        }
      }
    });
  });
}

void normalizeGroupsBackward(Call& c) {
  const Groups g(c);
  const DType compute = computeType(c.view("input").dtype);
  const View in = c.dense("input", compute), grad = c.dense("grad_out", compute);
  if (grad.numel() != in.numel())
    throw EvalError("shape-mismatch", "the gradient has other sizes than the input");
  visitComputed(compute, "normalization", [&]<class T>(TypeTag<T>) {
    const T* weight = optional<T>(c, "weight", compute, g.channels);
    const T* mean = optional<T>(c, "mean", compute, g.batch * g.groups);
    const T* rstd = optional<T>(c, "rstd", compute, g.batch * g.groups);
    const T *x = in.as<T>(), *dy = grad.as<T>();
    // For each image and channel: the sums of dy and of dy times the normalized input.
    std::vector<double> plain(static_cast<size_t>(g.batch * g.channels)), along(plain.size());
    parallelFor(0, g.batch * g.channels, grainOf(g.area * 2), [&](int64_t from, int64_t to) {
      for (int64_t r = from; r < to; ++r) {
        const int64_t group = r / g.inGroup;
        const T *row = x + r * g.area, *d = dy + r * g.area;
        const size_t at = static_cast<size_t>(r);
        plain[at] = sumOf(g.area, [&](int64_t i) { return static_cast<double>(d[i]); });
        along[at] = sumOf(g.area, [&](int64_t i) {
          return static_cast<double>(d[i]) * static_cast<double>((row[i] - mean[group]) * rstd[group]);
        });
      }
    });
    if (c.has(0)) {
      T* dx = c.denseOut(0, compute).as<T>();
      const double count = static_cast<double>(g.inGroup * g.area);
      parallelFor(0, g.batch * g.groups, grainOf(g.inGroup * g.area * 2), [&](int64_t from, int64_t to) {
        for (int64_t r = from; r < to; ++r) {
          double a = 0, b = 0;
          for (int64_t k = 0; k < g.inGroup; ++k) {
            const double w = weight ? static_cast<double>(weight[r % g.groups * g.inGroup + k]) : 1.0;
            a += w * along[static_cast<size_t>(r * g.inGroup + k)];
            b += w * plain[static_cast<size_t>(r * g.inGroup + k)];
          }
          const T slope = static_cast<T>(a / count), shift = static_cast<T>(b / count);
          for (int64_t k = 0; k < g.inGroup; ++k) {
            const T w = weight ? weight[r % g.groups * g.inGroup + k] : T(1);
            const int64_t start = (r * g.inGroup + k) * g.area;
            for (int64_t i = start; i < start + g.area; ++i)
              dx[i] = rstd[r] * (dy[i] * w - shift - (x[i] - mean[r]) * rstd[r] * slope);
          }
        }
      });
    }
    const auto sumBatch = [&](size_t result, const std::vector<double>& sums) {
      if (!c.has(result)) return;
      T* to = c.denseOut(result, compute).as<T>();
      for (int64_t k = 0; k < g.channels; ++k) {
        double sum = 0;
        for (int64_t n = 0; n < g.batch; ++n) sum += sums[static_cast<size_t>(n * g.channels + k)];
        to[k] = static_cast<T>(sum);
      }
    };
    sumBatch(1, along);
    sumBatch(2, plain);
  });
}

// ---- weight norm

/// The elements by their index in `dim`: [size of dim, all others].
View slicesAlong(Call& c, const View& v, int64_t dim, DType dtype) {
  std::vector<int64_t> order{dim};
  for (int64_t d = 0; d < static_cast<int64_t>(v.dim()); ++d)
    if (d != dim) order.push_back(d);
  const View dense = c.hold(copyOf(v.permuted(order), dtype));
  return dense.reshaped({v.size(dim), extentOf(dense.sizes, 1, dense.dim())});
}
void storeSlices(Call& c, size_t result, int64_t dim, const View& slices) {
  const View out = c.out(result);
  std::vector<int64_t> order{dim};
  for (int64_t d = 0; d < static_cast<int64_t>(out.dim()); ++d)
    if (d != dim) order.push_back(d);
  const View moved = out.permuted(order);
  copyElements(moved, slices.reshaped(moved.sizes));
}
int64_t weightDim(const Call& c, const View& v) {
  const int64_t dim = c.integer("dim");
  if (dim != 0 && dim != static_cast<int64_t>(v.dim()) - 1)
    throw EvalError("value-error", "fused kernels can only be applied for first or last dim");
  return dim;
}

/// v g / |v|, and |v|.
void weightNorm(Call& c) {
  const View v = c.view("v");
  const int64_t dim = weightDim(c, v);
  const DType compute = computeType(v.dtype);
  const View slices = slicesAlong(c, v, dim, compute);
  visitComputed(compute, "normalization", [&]<class T>(TypeTag<T>) {
    const int64_t rows = slices.size(0), width = slices.size(1);
    const T* g = optional<T>(c, "g", compute, rows);
    std::vector<double> norms(static_cast<size_t>(rows));
    parallelFor(0, rows, grainOf(width * 2), [&](int64_t from, int64_t to) {
      for (int64_t r = from; r < to; ++r) {
        T* x = slices.as<T>() + r * width;
        const double norm =
            std::sqrt(sumOf(width, [&](int64_t i) { return static_cast<double>(x[i]) * x[i]; }));
        norms[static_cast<size_t>(r)] = norm;
        const T factor = static_cast<T>(static_cast<double>(g[r]) / norm);
        for (int64_t i = 0; i < width; ++i) x[i] *= factor;
      }
    });
    storeResult(c, 1, norms);
  });
  storeSlices(c, 0, dim, slices);
}

void weightNormBackward(Call& c) {
  const View v = c.view("saved_v");
  const int64_t dim = weightDim(c, v);
  const DType compute = computeType(v.dtype);
  const View slices = slicesAlong(c, v, dim, compute),
             grad = slicesAlong(c, needSizes(c.view("grad_w"), v.sizes, "grad_w"), dim, compute);
  visitComputed(compute, "normalization", [&]<class T>(TypeTag<T>) {
    const int64_t rows = slices.size(0), width = slices.size(1);
    const T* g = optional<T>(c, "saved_g", compute, rows);
    const T* norms = optional<T>(c, "saved_norms", compute, rows);
    std::vector<double> gradients(static_cast<size_t>(rows));
    parallelFor(0, rows, grainOf(width * 2), [&](int64_t from, int64_t to) {
      for (int64_t r = from; r < to; ++r) {
        T* x = slices.as<T>() + r * width;
        const T* d = grad.as<T>() + r * width;
        const double norm = static_cast<double>(norms[r]);
        const double along =
            sumOf(width, [&](int64_t i) { return static_cast<double>(d[i]) * static_cast<double>(x[i]); });
        gradients[static_cast<size_t>(r)] = along / norm;
        const double factor = static_cast<double>(g[r]) / norm, shift = along / (norm * norm);
        for (int64_t i = 0; i < width; ++i)
          x[i] = static_cast<T>(factor * (static_cast<double>(d[i]) - static_cast<double>(x[i]) * shift));
      }
    });
    storeResult(c, 1, gradients);
  });
  storeSlices(c, 0, dim, slices);
}

}  // namespace

void addNormalizationKernels(KernelTable& table) {
  addBatchNormKernels(table);
  table.fill("aten.native_layer_norm.default", normalizeRows<true>, kRowWise);
  table.fill("aten.native_layer_norm_backward.default", normalizeRowsBackward<true>, kRowWise);
  table.fill("aten._fused_rms_norm.default", normalizeRows<false>, kRowWise);
  table.fill("aten._fused_rms_norm_backward.default", normalizeRowsBackward<false>, kRowWise);
  table.fill("aten.native_group_norm.default", normalizeGroups);
  table.fill("aten.native_group_norm_backward.default", normalizeGroupsBackward);
  table.fill("aten._weight_norm_interface.default", weightNorm);
  table.fill("aten._weight_norm_interface_backward.default", weightNormBackward);
}

}  // namespace descry::runtime
