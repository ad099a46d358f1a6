// Convolutions of one to three dimensions.
//
// Every convolution relates a large image (channels of B in each group), a small one (channels of S) and a
// weight [groups * S, B, kernel]: `gather` gives the small image, `scatter` the large one, `weigh` the weight
// from both. A convolution gathers from its input; a transposed one scatters its input; gradients are the
// other two.
#include <array>
#include <mutex>

#include "runtime/interpreter/kernels/checks.h"
#include "runtime/interpreter/kernels/numeric.h"
#include "runtime/library/onednn.h"

namespace descry::runtime {

namespace {

using Triple = std::array<int64_t, 3>;

struct Geometry {
  int64_t batch = 0, groups = 1;
  int64_t large = 0, small = 0;  ///< channels of one group
  Triple largeSize{1, 1, 1}, smallSize{1, 1, 1}, kernel{1, 1, 1}, stride{1, 1, 1}, padding{0, 0, 0},
      dilation{1, 1, 1};

  int64_t largeArea() const { return largeSize[0] * largeSize[1] * largeSize[2]; }
  int64_t smallArea() const { return smallSize[0] * smallSize[1] * smallSize[2]; }
  int64_t kernelArea() const { return kernel[0] * kernel[1] * kernel[2]; }
  /// Positions of the small image that a row of the kernel reads inside of the large one: [first, end).
  void inside(size_t d, int64_t k, int64_t& first, int64_t& end) const {
    const int64_t shift = k * dilation[d] - padding[d];
    first = shift >= 0 ? 0 : (-shift + stride[d] - 1) / stride[d];
    end = shift >= largeSize[d] ? 0 : (largeSize[d] - 1 - shift) / stride[d] + 1;
    end = std::clamp<int64_t>(end, 0, smallSize[d]);
    first = std::min(first, end);
  }
  /// The kernel is one pixel that lies on every pixel: columns are the image itself.
  bool plain() const {
    return kernelArea() == 1 && largeSize == smallSize && stride == Triple{1, 1, 1} &&
           padding == Triple{0, 0, 0};
  }
};

/// Calls f(row of the large image in its plane, first position in the line, end, first pixel of the row read)
/// for a line (index of depth and height) of the small image.
struct LineReach {
  int64_t row = -1;  ///< -1: outside
  int64_t first = 0, end = 0, shift = 0;
};
LineReach reachOf(const Geometry& g, const Triple& k, int64_t line) {
  LineReach r;
  const int64_t z = line / g.smallSize[1] * g.stride[0] + k[0] * g.dilation[0] - g.padding[0];
  const int64_t y = line % g.smallSize[1] * g.stride[1] + k[1] * g.dilation[1] - g.padding[1];
  if (z < 0 || z >= g.largeSize[0] || y < 0 || y >= g.largeSize[1]) return r;
  r.row = z * g.largeSize[1] + y;
  r.shift = k[2] * g.dilation[2] - g.padding[2];
  g.inside(2, k[2], r.first, r.end);
  return r;
}

Triple kernelAt(const Geometry& g, int64_t k) {
  return {k / (g.kernel[1] * g.kernel[2]), k / g.kernel[2] % g.kernel[1], k % g.kernel[2]};
}

/// The columns of some channels for the lines [from, to) of the small image: a row for each channel and place
/// of the kernel.
template <class T>
void columnsOf(const Geometry& g, const T* large, int64_t channels, int64_t from, int64_t to, T* columns) {
  const int64_t width = g.smallSize[2], area = g.kernelArea(), length = (to - from) * width;
  parallelFor(0, channels * area, grainOf(length), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T* plane = large + i / area * g.largeArea();
      const Triple k = kernelAt(g, i % area);
      T* at = columns + i * length;
      for (int64_t line = from; line < to; ++line, at += width) {
        const LineReach r = reachOf(g, k, line);
        if (r.row < 0) {
          std::fill_n(at, width, T(0));
          continue;
        }
        const T* row = plane + r.row * g.largeSize[2] + r.shift;
        std::fill(at, at + r.first, T(0));
        if (g.stride[2] == 1)
          std::copy(row + r.first, row + r.end, at + r.first);
        else
          for (int64_t x = r.first; x < r.end; ++x) at[x] = row[x * g.stride[2]];
        std::fill(at + r.end, at + width, T(0));
      }
    }
  });
}

/// Adds columns to where they came from.
template <class T>
void addColumns(const Geometry& g, const T* columns, int64_t channels, int64_t from, int64_t to, T* large) {
  const int64_t width = g.smallSize[2], area = g.kernelArea(), length = (to - from) * width;
  parallelFor(0, channels, grainOf(length * area), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * area; i < end * area; ++i) {
      T* plane = large + i / area * g.largeArea();
      const Triple k = kernelAt(g, i % area);
      const T* at = columns + i * length;
      for (int64_t line = from; line < to; ++line, at += width) {
        const LineReach r = reachOf(g, k, line);
        if (r.row < 0) continue;
        T* row = plane + r.row * g.largeSize[2] + r.shift;
        for (int64_t x = r.first; x < r.end; ++x) row[x * g.stride[2]] += at[x];
      }
    }
  });
}

/// Numbers that one step may hold in columns.
constexpr int64_t kColumns = 1 << 19;

/// Lines of the small image in one step, so that columns fit and there is work for the threads.
int64_t linesInStep(const Geometry& g, int64_t rows, int64_t tasks) {
  const int64_t lines = g.smallSize[0] * g.smallSize[1], width = std::max<int64_t>(g.smallSize[2], 1);
  int64_t step = std::max<int64_t>(1, kColumns / std::max<int64_t>(1, rows * width));
  const int64_t wanted = int64_t{4} * threadCount();
  if (tasks < wanted)
    step = std::min(step, std::max((lines * tasks + wanted - 1) / wanted, (256 + width - 1) / width));
  return std::clamp<int64_t>(step, 1, std::max<int64_t>(lines, 1));
}

template <class F>
void forTasks(int64_t tasks, F&& f) {
  if (tasks >= threadCount()) {
    parallelFor(0, tasks, 1, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) f(i);
    });
  } else {
    for (int64_t i = 0; i < tasks; ++i) f(i);
  }
}

template <class T>
struct Memory {
  TensorRef tensor;
  explicit Memory(int64_t count) : tensor(allocate(Dims{count}, kDTypeOf<T>)) {}
  T* get() const { return reinterpret_cast<T*>(tensor->storage->data()); }
};

/// One channel in each group of the large image: rows are added with a factor each.
bool depthwise(const Geometry& g) {
  return g.large == 1 && g.small <= 4 && !g.plain();
}

/// Calls f(place of the kernel, first pixel of the small row, first of the large row, how many) for all rows.
template <class F>
void forEachRow(const Geometry& g, F&& f) {
  const int64_t lines = g.smallSize[0] * g.smallSize[1];
  for (int64_t k = 0; k < g.kernelArea(); ++k) {
    const Triple place = kernelAt(g, k);
    for (int64_t line = 0; line < lines; ++line) {
      const LineReach r = reachOf(g, place, line);
      if (r.row < 0 || r.first >= r.end) continue;
      f(k, line * g.smallSize[2] + r.first, r.row * g.largeSize[2] + r.shift + r.first * g.stride[2],
        r.end - r.first);
    }
  }
}

template <class T>
void gather(const Geometry& g, const T* large, const T* weight, const T* bias, T* small) {
  const int64_t area = g.kernelArea(), positions = g.smallArea(), rows = g.large * area;
  const auto begin = [&](int64_t channel, T* at, int64_t count) {
    std::fill_n(at, count, bias ? bias[channel] : T(0));
  };
  if (depthwise(g)) {
    parallelFor(0, g.batch * g.groups * g.small, grainOf(positions * area), [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        const int64_t channel = i % (g.groups * g.small);
        T* out = small + i * positions;
        begin(channel, out, positions);
        const T* in = large + i / g.small * g.largeArea();
        const T* w = weight + channel * area;
        const int64_t step = g.stride[2];
        forEachRow(g, [&](int64_t k, int64_t s, int64_t l, int64_t n) {
          if (step == 1) return addScaled(n, w[k], in + l, out + s);
          for (int64_t x = 0; x < n; ++x) out[s + x] += w[k] * in[l + x * step];
        });
      }
    });
    return;
  }
  const int64_t lines = g.smallSize[0] * g.smallSize[1], width = g.smallSize[2];
  const bool plain = g.plain();
  const int64_t step = linesInStep(g, rows, g.batch * g.groups);
  const int64_t steps = (lines + step - 1) / step;
  forTasks(g.batch * g.groups * steps, [&](int64_t task) {
    const int64_t image = task / steps, group = image % g.groups;
    const int64_t from = task % steps * step, to = std::min(lines, from + step), count = (to - from) * width;
    T* out = small + image * g.small * positions + from * width;
    for (int64_t c = 0; c < g.small; ++c) begin(group * g.small + c, out + c * positions, count);
    const T* in = large + image * g.large * g.largeArea();
    const MatrixOf<const T> w{weight + group * g.small * rows, rows, 1};
    if (plain) {
      multiply(g.small, count, rows, w, MatrixOf<const T>{in + from * width, positions, 1},
               MatrixOf<T>{out, positions, 1}, 1.0, 1.0);
    } else {
      const Memory<T> columns(rows * count);
      columnsOf(g, in, g.large, from, to, columns.get());
      multiply(g.small, count, rows, w, MatrixOf<const T>{columns.get(), count, 1},
               MatrixOf<T>{out, positions, 1}, 1.0, 1.0);
    }
  });
}

template <class T>
void scatter(const Geometry& g, const T* small, const T* weight, const T* bias, T* large) {
  const int64_t area = g.kernelArea(), positions = g.smallArea(), pixels = g.largeArea();
  const auto begin = [&](int64_t channel, T* at) { std::fill_n(at, pixels, bias ? bias[channel] : T(0)); };
  if (depthwise(g)) {
    parallelFor(0, g.batch * g.groups, grainOf(positions * area * g.small), [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        T* out = large + i * pixels;
        begin(i % g.groups, out);
        const int64_t step = g.stride[2];
        for (int64_t c = 0; c < g.small; ++c) {
          const T* in = small + (i * g.small + c) * positions;
          const T* w = weight + (i % g.groups * g.small + c) * area;
          forEachRow(g, [&](int64_t k, int64_t s, int64_t l, int64_t n) {
            if (step == 1) return addScaled(n, w[k], in + s, out + l);
            for (int64_t x = 0; x < n; ++x) out[l + x * step] += w[k] * in[s + x];
          });
        }
      }
    });
    return;
  }
  // Channels of the large image do not meet: some of them are a task.
  const int64_t images = g.batch * g.groups;
  const int64_t wanted = int64_t{2} * threadCount();
  const int64_t parts = std::clamp<int64_t>((wanted + images - 1) / std::max<int64_t>(images, 1), 1,
                                            std::max<int64_t>(g.large / 8, 1));
  const int64_t channels = (g.large + parts - 1) / std::max<int64_t>(parts, 1);
  const int64_t blocks = channels ? (g.large + channels - 1) / channels : 0;
  const int64_t lines = g.smallSize[0] * g.smallSize[1], width = g.smallSize[2];
  const bool plain = g.plain();
  forTasks(images * blocks, [&](int64_t task) {
    const int64_t image = task / blocks, group = image % g.groups, first = task % blocks * channels;
    const int64_t count = std::min(channels, g.large - first), rows = count * area;
    T* out = large + (image * g.large + first) * pixels;
    for (int64_t c = 0; c < count; ++c) begin(group * g.large + first + c, out + c * pixels);
    const T* in = small + image * g.small * positions;
    const MatrixOf<const T> w{weight + group * g.small * g.large * area + first * area, 1, g.large * area};
    if (plain)
      return multiply(rows, positions, g.small, w, MatrixOf<const T>{in, positions, 1},
                      MatrixOf<T>{out, positions, 1}, 1.0, 1.0);
    const int64_t step = std::clamp<int64_t>(kColumns * 2 / std::max<int64_t>(1, rows * width), 1,
                                             std::max<int64_t>(lines, 1));
    const Memory<T> columns(rows * step * width);
    for (int64_t from = 0; from < lines; from += step) {
      const int64_t to = std::min(lines, from + step), length = (to - from) * width;
      multiply(rows, length, g.small, w, MatrixOf<const T>{in + from * width, positions, 1},
               MatrixOf<T>{columns.get(), length, 1});
      addColumns(g, columns.get(), count, from, to, out);
    }
  });
}

template <class T>
void weigh(const Geometry& g, const T* small, const T* large, T* weight) {
  const int64_t area = g.kernelArea(), positions = g.smallArea();
  if (depthwise(g)) {
    parallelFor(0, g.groups * g.small, grainOf(positions * area * g.batch), [&](int64_t from, int64_t to) {
      for (int64_t channel = from; channel < to; ++channel) {
        T* w = weight + channel * area;
        std::fill_n(w, area, T(0));
        const int64_t step = g.stride[2];
        for (int64_t b = 0; b < g.batch; ++b) {
          const T* s = small + (b * g.groups * g.small + channel) * positions;
          const T* l = large + (b * g.groups + channel / g.small) * g.largeArea();
          forEachRow(g, [&](int64_t k, int64_t at, int64_t from, int64_t n) {
            if (step == 1) {
              w[k] += dotProduct(n, s + at, l + from);
              return;
            }
            for (int64_t x = 0; x < n; ++x) w[k] += s[at + x] * l[from + x * step];
          });
        }
      }
    });
    return;
  }
  const int64_t wanted = int64_t{2} * threadCount();
  const int64_t parts =
      std::clamp<int64_t>((wanted + g.groups - 1) / g.groups, 1, std::max<int64_t>(g.large, 1));
  const int64_t channels = std::max<int64_t>(1, (g.large + parts - 1) / parts),
                blocks = (g.large + channels - 1) / channels;
  const int64_t lines = g.smallSize[0] * g.smallSize[1], width = g.smallSize[2];
  const bool plain = g.plain();
  forTasks(g.groups * blocks, [&](int64_t task) {
    const int64_t group = task / blocks, first = task % blocks * channels,
                  count = std::min(channels, g.large - first);
    const int64_t rows = count * area, all = g.large * area;
    const MatrixOf<T> w{weight + group * g.small * all + first * area, all, 1};
    for (int64_t y = 0; y < g.small; ++y) std::fill_n(w.data + y * all, rows, T(0));
    const int64_t step =
        std::clamp<int64_t>(kColumns / std::max<int64_t>(1, rows * width), 1, std::max<int64_t>(lines, 1));
    for (int64_t b = 0; b < g.batch; ++b) {
      const int64_t image = b * g.groups + group;
      const T* s = small + image * g.small * positions;
      const T* l = large + (image * g.large + first) * g.largeArea();
      if (plain) {
        multiply(g.small, rows, positions, MatrixOf<const T>{s, positions, 1},
                 MatrixOf<const T>{l, 1, positions}, w, 1.0, 1.0);
        continue;
      }
      const Memory<T> columns(rows * step * width);
      for (int64_t from = 0; from < lines; from += step) {
        const int64_t to = std::min(lines, from + step), length = (to - from) * width;
        columnsOf(g, l, count, from, to, columns.get());
        multiply(g.small, rows, length, MatrixOf<const T>{s + from * width, positions, 1},
                 MatrixOf<const T>{columns.get(), 1, length}, w, 1.0, 1.0);
      }
    }
  });
}

/// The arguments of a convolution under their various names.
struct Arguments {
  std::vector<int64_t> stride, padding, dilation;
  bool transposed = false;
  int64_t groups = 1;
};

Arguments argumentsOf(const Call& c, size_t spatial) {
  Arguments a;
  const auto list = [&](const char* name, int64_t otherwise) {
    std::vector<int64_t> values(spatial, otherwise);
    if (c.knows(name)) values = c.integers(name, spatial, otherwise);
    if (values.size() != spatial)
      throw EvalError("value-error",
                      "expected " + std::string(name) + " to be a single integer value or a list of " +
                          std::to_string(spatial) + " values to match the convolution dimensions");
    return values;
  };
  a.stride = list("stride", 1);
  a.padding = list("padding", 0);
  a.dilation = list("dilation", 1);
  for (const int64_t s : a.stride)
    if (s < 1) throw EvalError("value-error", "non-positive stride is not supported");
  for (const int64_t d : a.dilation)
    if (d < 1) throw EvalError("value-error", "dilation should be greater than zero");
  if (c.knows("transposed")) a.transposed = c.flag("transposed");
  if (c.knows("groups")) a.groups = c.integer("groups");
  return a;
}

/// From the sizes [batch, channels, ...] of the input and the output and those of the weight.
Geometry geometryOf(const Arguments& a, const Dims& input, const Dims& output, const Dims& weight) {
  Geometry g;
  if (input.size() < 3 || input.size() > 5 || output.size() != input.size() || weight.size() != input.size())
    throw EvalError("shape-mismatch", "Expected an input of 3 to 5 dimensions and a weight of as many");
  const Dims &large = a.transposed ? output : input, &small = a.transposed ? input : output;
  g.batch = input[0];
  g.groups = a.groups;
  if (a.groups < 1) throw EvalError("value-error", "non-positive groups is not supported");
  g.large = weight[1];
  g.small = weight[0] / a.groups;
  if (g.large * a.groups != large[1] || g.small * a.groups != small[1] || output[0] != input[0])
    throw EvalError("shape-mismatch", "Given groups=" + std::to_string(a.groups) +
                                          ", the channels of the weight do not fit those of the input");
  const size_t spatial = input.size() - 2;
  for (size_t d = 0; d < spatial; ++d) {
    const size_t to = d + 3 - spatial;
    g.largeSize[to] = large[d + 2];
    g.smallSize[to] = small[d + 2];
    g.kernel[to] = weight[d + 2];
    g.stride[to] = a.stride[d];
    g.padding[to] = a.padding[d];
    g.dilation[to] = a.dilation[d];
    // Steps that lead out of any image are all the same; products of them stay numbers.
    constexpr int64_t kFar = int64_t{1} << 31;
    g.stride[to] = std::clamp<int64_t>(g.stride[to], -kFar, kFar);
    g.padding[to] = std::clamp<int64_t>(g.padding[to], -kFar, kFar);
    g.dilation[to] = std::clamp<int64_t>(g.dilation[to], -kFar, kFar);
    // Every position has to read what the padded image has.
    if (g.smallSize[to] > 0 && g.stride[to] * (g.smallSize[to] - 1) + g.dilation[to] * (g.kernel[to] - 1) >=
                                   g.largeSize[to] + 2 * std::max<int64_t>(g.padding[to], 0) + g.stride[to])
      throw EvalError("shape-mismatch", "the sizes of a convolution do not fit");
  }
  return g;
}

DType convolvedIn(DType dtype) {
  if (isIntegralType(dtype)) {
    if (dtype == DType::B8)
      throw EvalError("unsupported-dtype", "\"slow_conv2d_cpu\" not implemented for 'Bool'");
    return DType::I64;
  }
  return computeType(dtype);
}

template <class F>
void visitConvolved(DType dtype, F&& f) {
  if (dtype == DType::I64)
    f(TypeTag<uint64_t>{});  // wraps
  else
    visitFloatingOrComplex(dtype, [&]<class T>(TypeTag<T>) {
      if constexpr (!kIsSmallFloat<T>) f(TypeTag<T>{});
    });
}

library::Convolution libraryForm(const Geometry& g) {
  library::Convolution c;
  const size_t skipped = g.largeSize[0] == 1 && g.smallSize[0] == 1 && g.kernel[0] == 1 && g.padding[0] == 0;
  c.dims = skipped ? 2 : 3;
  c.batch = g.batch;
  c.groups = g.groups;
  c.in = g.large * g.groups;
  c.out = g.small * g.groups;
  for (size_t d = skipped; d < 3; ++d) {
    c.inSize[d - skipped] = g.largeSize[d];
    c.outSize[d - skipped] = g.smallSize[d];
    c.kernel[d - skipped] = g.kernel[d];
    c.stride[d - skipped] = g.stride[d];
    c.padding[d - skipped] = g.padding[d];
    c.dilation[d - skipped] = g.dilation[d];
  }
  return c;
}

/// By a library, if there is one that takes it.
bool convolvedByLibrary(const Geometry& g, bool transposed, const float* input, const float* weight,
                        const float* bias, float* out) {
  const library::Convolution c = libraryForm(g);
  if (!transposed) return library::convolveForward(c, input, weight, bias, out);
  if (!library::convolveInput(c, input, weight, out)) return false;
  if (!bias) return true;
  const int64_t channels = g.large * g.groups, area = g.largeArea();
  parallelFor(0, g.batch * channels, grainOf(area), [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i)
      for (int64_t x = 0; x < area; ++x) out[i * area + x] += bias[i % channels];
  });
  return true;
}

/// input * weight + bias into `out`, all contiguous and of one dtype that is computed in.
void convolve(const Geometry& g, bool transposed, const View& input, const View& weight, const View* bias,
              const View& out) {
  if (out.numel() == 0) return;
  visitConvolved(out.dtype, [&]<class T>(TypeTag<T>) {
    const T* shift = bias ? bias->as<T>() : nullptr;
    if constexpr (std::is_same_v<T, float>)
      if (convolvedByLibrary(g, transposed, input.as<T>(), weight.as<T>(), shift, out.as<T>())) return;
    if (transposed)
      scatter<T>(g, input.as<T>(), weight.as<T>(), shift, out.as<T>());
    else
      gather<T>(g, input.as<T>(), weight.as<T>(), shift, out.as<T>());
  });
}

View batched(const View& v, size_t dims) {
  return v.dim() + 1 == dims ? v.unsqueezed(0) : v;
}

/// Weights of PyTorch's older kernels may be matrices: [channels, channels * kernel].
View weightOf(Call& c, DType compute, const View& input) {
  const View weight = c.dense("weight", compute);
  if (weight.dim() == 2 && c.knows("kernel_size")) {
    const std::vector<int64_t> kernel = c.integers("kernel_size");
    Dims sizes{weight.size(0), weight.size(1)};
    for (const int64_t k : kernel) {
      if (k < 1 || sizes[1] % k) throw EvalError("shape-mismatch", "the weight does not fit kernel_size");
      sizes[1] /= k;
    }
    for (const int64_t k : kernel) sizes.push_back(k);
    return weight.reshaped(sizes);
  }
  if (weight.dim() < 3)
    throw EvalError("shape-mismatch", "Expected a weight of as many dimensions as the input (" +
                                          std::to_string(input.dim()) + ")");
  return weight;
}

template <bool Transposed, bool Depthwise>
void convolveAs(Call& c) {
  const DType dtype = c.out().dtype, compute = convolvedIn(dtype);
  View input = c.dense(size_t{0}, compute);
  const View weight = weightOf(c, compute, input);
  input = batched(input, weight.dim());
  Arguments a = argumentsOf(c, weight.dim() - 2);
  if (Transposed) a.transposed = true;
  if (Depthwise) a.groups = input.size(1);
  const View out = batched(c.denseOut(0, compute), weight.dim());
  const Geometry g = geometryOf(a, input.sizes, out.sizes, weight.sizes);
  View bias;
  const bool biased = c.knows("bias") && c.given("bias");
  if (biased) {
    bias = c.dense("bias", compute);
    if (bias.dim() != 1 || bias.size(0) != out.size(1))
      throw EvalError("shape-mismatch",
                      "expected bias to be 1-dimensional with " + std::to_string(out.size(1)) + " elements");
  }
  convolve(g, a.transposed, input, weight, biased ? &bias : nullptr, out);
}

/// relu(convolution + alpha z)
template <bool Add>
void convolveRelu(Call& c) {
  const DType compute = convolvedIn(c.out().dtype);
  convolveAs<false, false>(c);
  const View out = c.denseOut(0, compute);
  // The convolution stands in memory that is copied at the end; the sum is made of it here.
  c.finish();
  copyElements(out, c.out());
  const double alpha = Add ? c.real("alpha", 1.0) : 0.0;
  const View z = Add ? c.view("z").expanded(out.sizes) : out;
  const View added = Add ? c.hold(copyOf(z, compute)) : out;
  visitConvolved(compute, [&]<class T>(TypeTag<T>) {
    forEachParallel<T, T>(
        [&](T& x, const T& y) {
          if constexpr (!kIsComplex<T>) {
            if (Add) x += static_cast<T>(alpha) * y;
            if (x < T(0)) x = T(0);
          }
        },
        out, added);
  });
}

/// Sums over all but the channels.
void sumChannels(const View& grad, const View& out) {
  const int64_t batch = grad.size(0), channels = grad.size(1),
                area = batch && channels ? grad.numel() / (batch * channels) : 0;
  visitConvolved(grad.dtype, [&]<class T>(TypeTag<T>) {
    using S = std::conditional_t<std::is_same_v<T, float>, double, T>;
    parallelFor(0, channels, grainOf(batch * area), [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        S sum{};
        for (int64_t b = 0; b < batch; ++b) {
          const T* at = grad.as<T>() + (b * channels + i) * area;
          for (int64_t x = 0; x < area; ++x) sum += static_cast<S>(at[x]);
        }
        out.as<T>()[i] = static_cast<T>(sum);
      }
    });
  });
}

void convolveBackward(Call& c) {
  const DType compute = convolvedIn(c.tensor("grad_output")->meta.dtype);
  View grad = c.dense("grad_output", compute);
  View input = c.dense(c.knows("input") ? "input" : "self", compute);
  const View weight = weightOf(c, compute, input);
  grad = batched(grad, weight.dim());
  input = batched(input, weight.dim());
  const Arguments a = argumentsOf(c, weight.dim() - 2);
  const Geometry g = geometryOf(a, input.sizes, grad.sizes, weight.sizes);
  const View &large = a.transposed ? grad : input, &small = a.transposed ? input : grad;
  if (c.has(0)) {
    const View out = c.denseOut(0, compute);
    // No positions to come from: gradients are zero.
    convolve(g, !a.transposed, grad, weight, nullptr, out);
  }
  if (c.has(1)) {
    const View out = c.denseOut(1, compute);
    if (out.numel())
      visitConvolved(compute, [&]<class T>(TypeTag<T>) {
        if constexpr (std::is_same_v<T, float>)
          if (library::convolveWeight(libraryForm(g), large.as<T>(), small.as<T>(), out.as<T>())) return;
        weigh<T>(g, small.as<T>(), large.as<T>(), out.as<T>());
      });
  }
  if (c.has(2)) sumChannels(grad, needSizes(c.denseOut(2, compute), {grad.size(1)}, "grad_bias"));
}

/// The form of _slow_conv2d_backward that writes its three results.
Value convolveBackwardInto(Call& c) {
  Values args;
  const char* inputs[] = {"grad_output", "self", "weight", "kernel_size", "stride", "padding"};
  for (const char* name : inputs) args.push_back(c.value(name));
  Values mask, written;
  for (const char* name : {"grad_input", "grad_weight", "grad_bias"}) {
    mask.push_back(Value::boolean(c.given(name)));
    written.push_back(c.value(name));
  }
  args.push_back(Value(std::move(mask)));
  const Value made = c.call("aten._slow_conv2d_backward.output_mask", std::move(args));
  for (size_t i = 0; i < written.size(); ++i)
    if (const TensorRef to = tensorOf(written[i])) {
      copyElements(viewOf(*to), viewOf(*tensorOf(made.items()[i])));
      ++to->version;
    }
  return Value::tuple(std::move(written));
}

/// [time, batch, channels] and a weight [kernel, in, out].
void convolveTime(Call& c) {
  const DType compute = convolvedIn(c.out().dtype);
  const View input = c.hold(copyOf(c.view("self").permuted({1, 2, 0}), compute));
  const View weight = c.hold(copyOf(c.view("weight").permuted({2, 1, 0}), compute));
  const View out = c.out().permuted({1, 2, 0});
  const View bias = needSizes(c.dense("bias", compute), {out.size(1)}, "bias");
  const View made = c.scratch(out.sizes, compute);
  Arguments a;
  a.stride = a.dilation = {1};
  a.padding = {c.integer("pad")};
  const Geometry g = geometryOf(a, input.sizes, made.sizes, weight.sizes);
  convolve(g, false, input, weight, &bias, made);
  copyElements(out, made);
}

}  // namespace

void addConvolutionKernels(KernelTable& table) {
  table.fill(
      "aten.convolution.default aten._convolution.default aten.convolution_overrideable.default "
      "aten.cudnn_convolution.default aten._nnpack_spatial_convolution.default "
      "aten._slow_conv2d_forward.default "
      "aten.slow_conv3d_forward.default aten.slow_conv_dilated2d.default aten.slow_conv_dilated3d.default",
      convolveAs<false, false>);
  table.fill(
      "aten.cudnn_convolution_transpose.default aten.slow_conv_transpose2d.default "
      "aten.slow_conv_transpose3d.default",
      convolveAs<true, false>);
  table.fill("aten._conv_depthwise2d.default aten.conv_depthwise3d.default", convolveAs<false, true>);
  table.fill("aten.cudnn_convolution_relu.default", convolveRelu<false>);
  table.fill("aten.cudnn_convolution_add_relu.default", convolveRelu<true>);
  table.fill("aten.convolution_backward.default aten._slow_conv2d_backward.output_mask", convolveBackward);
  table.make("aten._slow_conv2d_backward.grad_input", convolveBackwardInto);
  table.fill("aten.conv_tbc.default", convolveTime);
}

}  // namespace descry::runtime
