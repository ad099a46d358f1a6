// Pooling over one to three dimensions.
#include "runtime/interpreter/kernels/checks.h"
#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

using Three = std::array<int64_t, 3>;  // depth, height, width; those that are not there have one element

/// The last `dims` sizes.
Three spatial(const View& v, size_t dims) {
  Three out{1, 1, 1};
  for (size_t d = 0; d < dims; ++d) out[3 - dims + d] = v.sizes[v.dim() - dims + d];
  return out;
}
/// Planes of one tensor go to those of the other: nothing but the last `dims` sizes may differ.
void needPlanes(const View& a, const View& b, size_t dims) {
  bool fits = a.dim() == b.dim() && a.dim() >= dims;
  for (size_t d = 0; fits && d + dims < a.dim(); ++d) fits = a.sizes[d] == b.sizes[d];
  if (!fits)
    throw EvalError("shape-mismatch", "pooling from " + sizesText(a.sizes) + " to " + sizesText(b.sizes) +
                                          ": the sizes do not fit");
}
int64_t volume(const Three& t) {
  return t[0] * t[1] * t[2];
}
Three spread(const std::vector<int64_t>& values, size_t dims, int64_t otherwise) {
  Three out{otherwise, otherwise, otherwise};
  if (values.size() != 1 && values.size() != dims)
    throw EvalError("value-error", "a pooling op needs one or " + std::to_string(dims) + " numbers, not " +
                                       std::to_string(values.size()));
  for (size_t d = 0; d < dims; ++d) out[3 - dims + d] = values[values.size() == 1 ? 0 : d];
  return out;
}
/// How many dimensions an op pools over, by its name: `avg_pool2d`, or by the length of its lists.
size_t pooledDims(const Call& c) {
  const size_t at = c.op().name().find("pool");
  for (size_t i = at; i < c.op().name().size(); ++i)
    if (const char d = c.op().name()[i]; d >= '1' && d <= '3') return static_cast<size_t>(d - '0');
  return c.integers("kernel_size").size();
}

struct Windows {
  size_t dims = 0;
  Three in{}, out{}, kernel{}, stride{}, padding{}, dilation{};
};
Windows windowsOf(Call& c, const View& self, const View& out) {
  Windows w;
  w.dims = pooledDims(c);
  if (self.dim() < w.dims || out.dim() < w.dims)
    throw EvalError("shape-mismatch", "a tensor of too few dimensions to be pooled");
  w.in = spatial(self, w.dims);
  w.out = spatial(out, w.dims);
  w.kernel = spread(c.integers("kernel_size"), w.dims, 1);
  w.stride = c.integers("stride").empty() ? w.kernel : spread(c.integers("stride"), w.dims, 1);
  w.padding = spread(c.integers("padding"), w.dims, 0);
  w.dilation = c.knows("dilation") ? spread(c.integers("dilation"), w.dims, 1) : Three{1, 1, 1};
  for (size_t d = 0; d < 3; ++d)
    if (w.kernel[d] <= 0 || w.stride[d] <= 0 || w.dilation[d] <= 0)
      throw EvalError("value-error", "kernel size, stride and dilation should be greater than zero");
  return w;
}

/// Calls f(o, linear) for all places of a block of these sizes.
template <class F>
void forEachPlace(const Three& sizes, F&& f) {
  int64_t linear = 0;
  Three o{};
  for (o[0] = 0; o[0] < sizes[0]; ++o[0])
    for (o[1] = 0; o[1] < sizes[1]; ++o[1])
      for (o[2] = 0; o[2] < sizes[2]; ++o[2]) f(o, linear++);
}

/// Calls f(plane) for the planes (and volumes) of a tensor; `work` is what one costs.
template <class F>
void forEachPlane(int64_t planes, int64_t work, F&& f) {
  parallelFor(0, planes, lineGrain(work), [&](int64_t from, int64_t to) {
    for (int64_t p = from; p < to; ++p) f(p);
  });
}

// ---- maxima

/// Of a block [from, to) with steps, the largest element (or the last NaN) and where it is.
template <class T>
void largestIn(const T* plane, const Three& sizes, const Three& from, const Three& to, const Three& step,
               T& value, int64_t& place) {
  place = (from[0] * sizes[1] + from[1]) * sizes[2] + from[2];
  bool first = true;
  for (int64_t z = from[0]; z < to[0]; z += step[0])
    for (int64_t y = from[1]; y < to[1]; y += step[1])
      for (int64_t x = from[2]; x < to[2]; x += step[2]) {
        const int64_t at = (z * sizes[1] + y) * sizes[2] + x;
        const T v = plane[at];
        // Minus infinity is not larger than what nothing has: the first place stays.
        if (first || static_cast<Compute<T>>(v) > static_cast<Compute<T>>(value) || isNanValue(v)) {
          value = v;
          place = at;
          first = false;
        }
      }
}

void maxPoolInto(const Windows& w, const View& self, const View& out, const View& indices) {
  const int64_t places = volume(w.out), size = volume(w.in);
  if (out.numel() == 0) return;
  visitReal(self.dtype, [&]<class T>(TypeTag<T>) {
    forEachPlane(out.numel() / places, places * volume(w.kernel), [&](int64_t p) {
      const T* plane = self.as<T>() + p * size;
      forEachPlace(w.out, [&](const Three& o, int64_t i) {
        Three from, to;
        for (size_t d = 0; d < 3; ++d) {
          from[d] = o[d] * w.stride[d] - w.padding[d];
          to[d] = std::min(from[d] + (w.kernel[d] - 1) * w.dilation[d] + 1, w.in[d]);
          while (from[d] < 0) from[d] += w.dilation[d];
        }
        T value = std::numeric_limits<T>::has_infinity || kIsSmallFloat<T> ? T(-INFINITY)
                                                                           : std::numeric_limits<T>::lowest();
        largestIn(plane, w.in, from, to, w.dilation, value, indices.as<int64_t>()[p * places + i]);
        out.as<T>()[p * places + i] = value;
      });
    });
  });
}

void maxPool(Call& c) {
  const View self = c.dense("self"), out = c.denseOut(0), indices = c.denseOut(1);
  maxPoolInto(windowsOf(c, self, out), self, out, indices);
}

/// The values, and of each the place in its window instead of that in the plane.
void maxPoolOffsets(Call& c) {
  const View self = c.dense("self"), out = c.denseOut(0), offsets = c.denseOut(1);
  const View indices = c.scratch(out.sizes, DType::I64);
  const Windows w = windowsOf(c, self, out);
  maxPoolInto(w, self, out, indices);
  const int64_t places = volume(w.out);
  if (out.numel() == 0) return;
  visitAny(offsets.dtype, [&]<class T>(TypeTag<T>) {
    for (int64_t p = 0; p < out.numel() / places; ++p)
      forEachPlace(w.out, [&](const Three& o, int64_t i) {
        int64_t at = indices.as<int64_t>()[p * places + i], in[3];
        for (size_t d = 3; d-- > 0; at /= w.in[d]) in[d] = at % w.in[d];
        int64_t offset = 0;
        for (size_t d = 0; d < 3; ++d)
          offset = offset * w.kernel[d] + (in[d] - o[d] * w.stride[d] + w.padding[d]) / w.dilation[d];
        offsets.as<T>()[p * places + i] = convertTo<T>(offset);
      });
  });
}

/// The other way round.
void offsetsToIndices(Call& c) {
  const View offsets = c.dense("self", DType::I64), out = c.denseOut();
  const size_t dims = c.integers("kernel_size").size();
  const Three kernel = spread(c.integers("kernel_size"), dims, 1),
              in = spread(c.integers("input_size"), dims, 1);
  const Three stride = spread(c.integers("stride"), dims, 1),
              padding = spread(c.integers("padding"), dims, 0);
  const Three dilation = spread(c.integers("dilation"), dims, 1), sizes = spatial(offsets, dims);
  const int64_t places = volume(sizes);
  for (size_t d = 0; d < 3; ++d)
    if (kernel[d] <= 0) throw EvalError("value-error", "kernel size should be greater than zero");
  if (out.numel() == 0) return;
  needSizes(out, offsets.sizes, "self");
  for (int64_t p = 0; p < out.numel() / places; ++p)
    forEachPlace(sizes, [&](const Three& o, int64_t i) {
      int64_t offset = offsets.as<int64_t>()[p * places + i], at[3];
      for (size_t d = 3; d-- > 0; offset /= kernel[d]) at[d] = offset % kernel[d];
      int64_t index = 0;
      for (size_t d = 0; d < 3; ++d)
        index = index * in[d] + o[d] * stride[d] - padding[d] + at[d] * dilation[d];
      out.as<int64_t>()[p * places + i] = index;
    });
}

/// out[place] = value, or += value, for the places of each plane.
template <bool adds>
void placeInto(const View& out, const View& values, const View& indices, size_t dims) {
  zeroElements(out);
  if (values.numel() == 0 || out.numel() == 0) return;
  if (!(values.sizes == indices.sizes))
    throw EvalError("shape-mismatch", "expected the values " + sizesText(values.sizes) +
                                          " and their indices " + sizesText(indices.sizes) +
                                          " to have the same sizes");
  const int64_t many = volume(spatial(values, dims)), size = volume(spatial(out, dims));
  const int64_t planes = values.numel() / many;
  if (planes * size != out.numel())
    throw EvalError("shape-mismatch", "the planes of a pooled tensor do not fit its input");
  visitReal(out.dtype, [&]<class T>(TypeTag<T>) {
    forEachPlane(planes, many, [&](int64_t p) {
      T* to = out.as<T>() + p * size;
      for (int64_t i = p * many; i < (p + 1) * many; ++i) {
        const int64_t at = indices.as<int64_t>()[i];
        if (at < 0 || at >= size)
          throw EvalError("index-error", "Found an invalid max index: " + std::to_string(at) +
                                             " (output volumes are of size " + std::to_string(size) + ")");
        to[at] = adds ? plus(to[at], values.as<T>()[i]) : values.as<T>()[i];
      }
    });
  });
}

void maxPoolBackward(Call& c) {
  placeInto<true>(c.denseOut(), c.dense("grad_output"), c.dense("indices", DType::I64), pooledDims(c));
}
void unpool(Call& c) {
  placeInto<false>(c.denseOut(), c.dense("self"), c.dense("indices", DType::I64), pooledDims(c));
}
/// Where the forward op gave no indices they are found again.
void maxPoolBackwardOfInput(Call& c) {
  const View self = c.dense("self"), grad = c.dense("grad_output");
  const View values = c.scratch(grad.sizes, self.dtype), indices = c.scratch(grad.sizes, DType::I64);
  maxPoolInto(windowsOf(c, self, grad), self, values, indices);
  placeInto<true>(c.denseOut(), grad, indices, 2);
}

// ---- means

/// A window as far as it lies inside of the input, and what its sum is divided by.
struct Mean {
  Three from, to;
  int64_t divisor = 1;
  bool empty = false;
};
Mean meanWindow(const Windows& w, const Three& o, bool countsPadding, int64_t divisor) {
  Mean m;
  int64_t whole = 1, inside = 1;
  for (size_t d = 0; d < 3; ++d) {
    int64_t from = o[d] * w.stride[d] - w.padding[d];
    int64_t to = std::min(from + w.kernel[d], w.in[d] + w.padding[d]);
    whole *= to - from;
    m.from[d] = std::max<int64_t>(from, 0);
    m.to[d] = std::min(to, w.in[d]);
    inside *= m.to[d] - m.from[d];
    m.empty = m.empty || m.from[d] >= m.to[d];
  }
  m.divisor = divisor ? divisor : countsPadding ? whole : inside;
  return m;
}

int64_t divisorOf(Call& c) {
  if (!c.given("divisor_override")) return 0;
  const int64_t divisor = c.integer("divisor_override");
  if (divisor == 0) throw EvalError("value-error", "divisor must be not zero");
  return divisor;
}

template <class F>
void forEachIn(const Three& sizes, const Three& from, const Three& to, F&& f) {
  for (int64_t z = from[0]; z < to[0]; ++z)
    for (int64_t y = from[1]; y < to[1]; ++y) {
      const int64_t row = (z * sizes[1] + y) * sizes[2];
      for (int64_t x = from[2]; x < to[2]; ++x) f(row + x);
    }
}

template <class F>
void visitMeans(DType dtype, F&& f) {
  if (dtype == DType::I64) return f(TypeTag<int64_t>{});
  visitFloating(dtype, f);
}

/// The mean over windowAt(o) for each place of the result.
template <class F>
void meansOver(const View& self, const View& out, size_t dims, F&& windowAt) {
  const Three in = spatial(self, dims), sizes = spatial(out, dims);
  const int64_t places = volume(sizes), size = volume(in);
  if (out.numel() == 0) return;
  visitMeans(self.dtype, [&]<class T>(TypeTag<T>) {
    forEachPlane(out.numel() / places, size, [&](int64_t p) {
      const T* plane = self.as<T>() + p * size;
      forEachPlace(sizes, [&](const Three& o, int64_t i) {
        const Mean m = windowAt(o);
        Sum<T> sum = 0;
        if (!m.empty) {
          forEachIn(in, m.from, m.to, [&](int64_t at) { sum += static_cast<Compute<T>>(plane[at]); });
          sum /= static_cast<Sum<T>>(m.divisor);
        }
        out.as<T>()[p * places + i] = T(sum);
      });
    });
  });
}
template <class F>
void meansBackward(const View& out, const View& grad, size_t dims, F&& windowAt) {
  const Three in = spatial(out, dims), sizes = spatial(grad, dims);
  const int64_t places = volume(sizes), size = volume(in);
  zeroElements(out);
  if (out.numel() == 0 || grad.numel() == 0) return;
  if (grad.numel() / places != out.numel() / size || grad.numel() % places)
    throw EvalError("shape-mismatch", "the gradient of a pooled tensor does not fit its input");
  visitMeans(out.dtype, [&]<class T>(TypeTag<T>) {
    forEachPlane(grad.numel() / places, size, [&](int64_t p) {
      std::vector<Sum<T>> sums(static_cast<size_t>(size), Sum<T>(0));
      forEachPlace(sizes, [&](const Three& o, int64_t i) {
        const Mean m = windowAt(o);
        if (m.empty) return;
        const Sum<T> part =
            static_cast<Compute<T>>(grad.as<T>()[p * places + i]) / static_cast<Sum<T>>(m.divisor);
        forEachIn(in, m.from, m.to, [&](int64_t at) { sums[static_cast<size_t>(at)] += part; });
      });
      for (int64_t i = 0; i < size; ++i) out.as<T>()[p * size + i] = T(sums[static_cast<size_t>(i)]);
    });
  });
}

void avgPool(Call& c) {
  const View self = c.dense("self"), out = c.denseOut();
  const Windows w = windowsOf(c, self, out);
  const bool counts = c.flag("count_include_pad");
  const int64_t divisor = divisorOf(c);
  meansOver(self, out, w.dims, [&](const Three& o) { return meanWindow(w, o, counts, divisor); });
}
void avgPoolBackward(Call& c) {
  const View grad = c.dense("grad_output"), out = c.denseOut();
  const Windows w = windowsOf(c, out, grad);
  const bool counts = c.flag("count_include_pad");
  const int64_t divisor = divisorOf(c);
  meansBackward(out, grad, w.dims, [&](const Three& o) { return meanWindow(w, o, counts, divisor); });
}

// ---- windows that adapt to the sizes

Mean adaptiveWindow(const Three& in, const Three& out, const Three& o) {
  Mean m;
  for (size_t d = 0; d < 3; ++d) {
    m.from[d] = o[d] / out[d] * in[d] + o[d] % out[d] * in[d] / out[d];
    m.to[d] = 1 + ((o[d] + 1) * in[d] - 1) / out[d];
    m.divisor *= m.to[d] - m.from[d];
    m.empty = m.empty || m.from[d] >= m.to[d];
  }
  return m;
}

void adaptiveAvg(Call& c) {
  const View self = c.dense("self"), out = c.denseOut();
  const size_t dims = pooledDims(c);
  needPlanes(self, out, dims);
  const Three in = spatial(self, dims), sizes = spatial(out, dims);
  if (out.numel() && self.numel() == 0)
    throw EvalError("shape-mismatch",
                    "adaptive_avg_pool: expected input to have non-zero size for non-batch dimensions, but "
                    "input has sizes " +
                        sizesText(self.sizes));
  meansOver(self, out, dims, [&](const Three& o) { return adaptiveWindow(in, sizes, o); });
}
void adaptiveAvgBackward(Call& c) {
  const View grad = c.dense("grad_output"), out = c.denseOut();
  const size_t dims = pooledDims(c);
  needPlanes(grad, out, dims);
  const Three in = spatial(out, dims), sizes = spatial(grad, dims);
  meansBackward(out, grad, dims, [&](const Three& o) { return adaptiveWindow(in, sizes, o); });
}

/// There is no form of this op without `grad_input`.
Value adaptiveAvgBackwardInto(Call& c) {
  c.call("aten.copy_.default", {c.value("grad_input"), c.call("aten._adaptive_avg_pool3d_backward.default",
                                                              {c.value("grad_output"), c.value("self")})});
  return c.value("grad_input");
}

void adaptiveMax(Call& c) {
  const View self = c.dense("self"), out = c.denseOut(0), indices = c.denseOut(1);
  const size_t dims = pooledDims(c);
  needPlanes(self, out, dims);
  const Three in = spatial(self, dims), sizes = spatial(out, dims);
  const int64_t places = volume(sizes), size = volume(in);
  if (out.numel() == 0) return;
  if (self.numel() == 0)
    throw EvalError("shape-mismatch",
                    "adaptive_max_pool: Expected input to have non-zero size for non-batch dimensions, but "
                    "input has sizes " +
                        sizesText(self.sizes));
  visitReal(self.dtype, [&]<class T>(TypeTag<T>) {
    forEachPlane(out.numel() / places, size, [&](int64_t p) {
      forEachPlace(sizes, [&](const Three& o, int64_t i) {
        const Mean m = adaptiveWindow(in, sizes, o);
        T value{};
        largestIn(self.as<T>() + p * size, in, m.from, m.to, Three{1, 1, 1}, value,
                  indices.as<int64_t>()[p * places + i]);
        out.as<T>()[p * places + i] = value;
      });
    });
  });
}

// ---- fractional windows

/// Where the windows of one dimension start, for a random sample in [0, 1).
template <class T>
std::vector<int64_t> starts(T sample, int64_t in, int64_t out, int64_t kernel) {
  std::vector<int64_t> at(static_cast<size_t>(out), in - kernel);
  if (out < 2) return at;
  const T alpha = static_cast<T>(in - kernel) / static_cast<T>(out - 1);
  for (int64_t i = 0; i + 1 < out; ++i)
    at[static_cast<size_t>(i)] = std::clamp<int64_t>(
        static_cast<int64_t>((static_cast<T>(i) + sample) * alpha) - static_cast<int64_t>(sample * alpha), 0,
        in - kernel);
  return at;
}

void fractionalMaxPool(Call& c) {
  const View self = c.dense("self"), out = c.denseOut(0), indices = c.denseOut(1);
  const View samples = c.dense("random_samples", self.dtype);
  const size_t dims = pooledDims(c);
  needPlanes(self, out, dims);
  const Three in = spatial(self, dims), sizes = spatial(out, dims),
              kernel = spread(c.integers("kernel_size"), dims, 1);
  const int64_t places = volume(sizes), size = volume(in);
  if (out.numel() == 0) return;
  const int64_t planes = out.numel() / places;
  if (samples.numel() < planes * static_cast<int64_t>(dims))
    throw EvalError("shape-mismatch",
                    "Expect _random_samples to have " + std::to_string(dims) + " numbers for each plane");
  for (size_t d = 0; d < 3; ++d)
    if (d >= 3 - dims &&
        (kernel[d] < 1 || kernel[d] > in[d] || sizes[d] + kernel[d] - (dims == 3 ? 0 : 1) > in[d]))
      throw EvalError("shape-mismatch", "fractional_max_pool: pool size " + std::to_string(kernel[d]) +
                                            " too large relative to input size " + std::to_string(in[d]));
  visitFloating(self.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    forEachPlane(planes, size, [&](int64_t p) {
      std::array<std::vector<int64_t>, 3> start;
      for (size_t d = 0; d < 3; ++d) {
        if (d < 3 - dims) {
          start[d] = {0};
          continue;
        }
        // In two dimensions the first sample is that of the width.
        const size_t k = dims == 2 ? 2 - d : d;
        start[d] = starts<A>(
            static_cast<A>(samples.as<T>()[p * static_cast<int64_t>(dims) + static_cast<int64_t>(k)]), in[d],
            sizes[d], kernel[d]);
      }
      forEachPlace(sizes, [&](const Three& o, int64_t i) {
        Three from, to;
        for (size_t d = 0; d < 3; ++d) {
          from[d] = start[d][static_cast<size_t>(o[d])];
          to[d] = from[d] + kernel[d];
        }
        T value{};
        largestIn(self.as<T>() + p * size, in, from, to, Three{1, 1, 1}, value,
                  indices.as<int64_t>()[p * places + i]);
        out.as<T>()[p * places + i] = value;
      });
    });
  });
}

}  // namespace

void addPoolingKernels(KernelTable& table) {
  table.fill("aten.max_pool2d_with_indices.default aten.max_pool3d_with_indices.default", maxPool);
  table.fill(
      "aten.max_pool2d_with_indices_backward.default aten.max_pool3d_with_indices_backward.default "
      "aten.adaptive_max_pool2d_backward.default aten.adaptive_max_pool3d_backward.default "
      "aten.fractional_max_pool2d_backward.default aten.fractional_max_pool3d_backward.default",
      maxPoolBackward);
  table.fill("aten.max_pool2d_backward.default", maxPoolBackwardOfInput);
  table.fill("prims._low_memory_max_pool_with_offsets.default", maxPoolOffsets);
  table.fill("prims._low_memory_max_pool_offsets_to_indices.default", offsetsToIndices);
  table.fill("aten.max_unpool2d.default aten.max_unpool3d.default", unpool);
  table.fill("aten.avg_pool2d.default aten.avg_pool3d.default", avgPool);
  table.fill("aten.avg_pool2d_backward.default aten.avg_pool3d_backward.default", avgPoolBackward);
  table.fill("aten._adaptive_avg_pool2d.default aten._adaptive_avg_pool3d.default", adaptiveAvg);
  table.fill("aten._adaptive_avg_pool2d_backward.default aten._adaptive_avg_pool3d_backward.default",
             adaptiveAvgBackward);
  table.make("aten.adaptive_avg_pool3d_backward.grad_input", adaptiveAvgBackwardInto);
  table.fill("aten.adaptive_max_pool2d.default aten.adaptive_max_pool3d.default", adaptiveMax);
  table.fill("aten.fractional_max_pool2d.default aten.fractional_max_pool3d.default", fractionalMaxPool);
}

}  // namespace descry::runtime
