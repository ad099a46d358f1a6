// Interpolation between the sizes of images and volumes, one dimension after the other.
#include <cmath>
#include <numbers>

#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

/// Of one dimension: which elements an element of the result is made of, and their weights.
struct Taps {
  int64_t in = 0, out = 0, most = 1;
  std::vector<int64_t> index;  ///< `most` for each element of the result; unused ones have the weight 0
  std::vector<double> weight;
};

enum class Kind { Nearest, NearestExact, Linear, Cubic, LinearAntialias, CubicAntialias, LanczosAntialias };

Kind kindOf(std::string_view name) {
  const bool antialias = name.find("_aa") != name.npos;
  if (name.find("nearest_exact") != name.npos) return Kind::NearestExact;
  if (name.find("nearest") != name.npos) return Kind::Nearest;
  if (name.find("bicubic") != name.npos) return antialias ? Kind::CubicAntialias : Kind::Cubic;
  if (name.find("lanczos") != name.npos) return Kind::LanczosAntialias;
  return antialias ? Kind::LinearAntialias : Kind::Linear;
}

double cubicNear(double x, double a) {
  return ((a + 2) * x - (a + 3)) * x * x + 1;
}
double cubicFar(double x, double a) {
  return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
}
double filter(Kind kind, double x) {
  x = std::fabs(x);
  if (kind == Kind::LinearAntialias) return x < 1 ? 1 - x : 0;
  if (kind == Kind::CubicAntialias) return x < 1 ? cubicNear(x, -0.5) : x < 2 ? cubicFar(x, -0.5) : 0;
  if (x >= 3) return 0;
  const double t = std::numbers::pi * x;
  return x == 0 ? 1 : std::sin(t) / t * std::sin(t / 3) / (t / 3);
}

/// Steps are of the float type F that PyTorch computes them in: which element is the nearest depends on it.
template <class F>
Taps tapsOf(Kind kind, int64_t in, int64_t out, bool corners, double factor) {
  Taps t;
  t.in = in;
  t.out = out;
  if (kind == Kind::Nearest || kind == Kind::NearestExact) {
    const float scale =
        factor > 0 ? static_cast<float>(1.0 / factor) : static_cast<float>(in) / static_cast<float>(out);
    t.weight.assign(static_cast<size_t>(out), 1.0);
    for (int64_t i = 0; i < out; ++i) {
      const float x =
          kind == Kind::Nearest ? static_cast<float>(i) : static_cast<float>(static_cast<double>(i) + 0.5);
      t.index.push_back(std::clamp<int64_t>(static_cast<int64_t>(std::floor(x * scale)), 0, in - 1));
    }
    return t;
  }
  F scale = 0;
  if (corners)
    scale = out > 1 ? static_cast<F>(in - 1) / static_cast<F>(out - 1) : F(0);
  else
    scale = factor > 0 ? static_cast<F>(1.0 / factor) : static_cast<F>(in) / static_cast<F>(out);
  const auto source = [&](int64_t i) {
    return corners ? scale * static_cast<F>(i) : scale * (static_cast<F>(i) + F(0.5)) - F(0.5);
  };
  if (kind == Kind::Linear) {
    t.most = 2;
    for (int64_t i = 0; i < out; ++i) {
      const F x = in == out ? static_cast<F>(i) : std::max(source(i), F(0));
      const int64_t at = std::min(static_cast<int64_t>(x), in - 1);
      const F part = std::clamp(x - static_cast<F>(at), F(0), F(1));
      t.index.insert(t.index.end(), {at, std::min(at + 1, in - 1)});
      t.weight.insert(t.weight.end(), {static_cast<double>(F(1) - part), static_cast<double>(part)});
    }
    return t;
  }
  if (kind == Kind::Cubic) {
    t.most = 4;
    for (int64_t i = 0; i < out; ++i) {
      const F x = source(i);
      const auto at = static_cast<int64_t>(std::min(std::floor(x), static_cast<F>(in - 1)));
      const double part = std::clamp(x - static_cast<F>(at), F(0), F(1)), a = -0.75;
      for (int64_t k = -1; k < 3; ++k) t.index.push_back(std::clamp<int64_t>(at + k, 0, in - 1));
      t.weight.insert(t.weight.end(), {cubicFar(part + 1, a), cubicNear(part, a), cubicNear(1 - part, a),
                                       cubicFar(2 - part, a)});
    }
    return t;
  }
  // The filter is as wide as an element of the result where that is larger than one of the input.
  const F radius = kind == Kind::LinearAntialias ? F(1) : kind == Kind::CubicAntialias ? F(2) : F(3);
  const F support = scale >= 1 ? radius * scale : radius, inverse = scale >= 1 ? 1 / scale : F(1);
  if (!(support < static_cast<F>(int64_t{1} << 40)))
    throw EvalError("value-error", "a scale of an interpolation is out of range");
  t.most = std::min(in, static_cast<int64_t>(std::ceil(support)) * 2 + 1);
  for (int64_t i = 0; i < out; ++i) {
    const F center = scale * (static_cast<F>(i) + F(0.5));
    const int64_t first = std::max<int64_t>(static_cast<int64_t>(center - support + F(0.5)), 0);
    const int64_t size =
        std::clamp<int64_t>(std::min(static_cast<int64_t>(center + support + F(0.5)), in) - first, 0, t.most);
    double total = 0;
    const size_t start = t.weight.size();
    for (int64_t k = 0; k < t.most; ++k) {
      const double w =
          k < size
              ? filter(kind, static_cast<double>((static_cast<F>(k + first) - center + F(0.5)) * inverse))
              : 0.0;
      t.index.push_back(std::clamp<int64_t>(first + k, 0, in - 1));
      t.weight.push_back(w);
      total += w;
    }
    if (total != 0)
      for (size_t k = start; k < t.weight.size(); ++k) t.weight[k] /= total;
  }
  return t;
}

/// Lines of a block: `outer` times `length` times `inner` elements.
struct Block {
  int64_t outer, inner;
};

/// to[o, i, x] = sum of weight * from[o, index, x].
template <class A, class To, class From>
void interpolate(const Taps& t, const Block& b, const From* from, To* to) {
  parallelFor(0, b.outer * t.out, lineGrain(b.inner * t.most), [&](int64_t begin, int64_t end) {
    std::vector<A> sum(static_cast<size_t>(b.inner));
    for (int64_t k = begin; k < end; ++k) {
      const int64_t o = k / t.out, i = k % t.out;
      std::fill(sum.begin(), sum.end(), A(0));
      for (int64_t m = 0; m < t.most; ++m) {
        const auto w = static_cast<A>(t.weight[static_cast<size_t>(i * t.most + m)]);
        if (w == 0 && t.most > 1 && m > 0) continue;
        const From* line = from + (o * t.in + t.index[static_cast<size_t>(i * t.most + m)]) * b.inner;
        for (int64_t x = 0; x < b.inner; ++x) sum[static_cast<size_t>(x)] += w * static_cast<A>(line[x]);
      }
      for (int64_t x = 0; x < b.inner; ++x)
        to[(o * t.out + i) * b.inner + x] = To(sum[static_cast<size_t>(x)]);
    }
  });
}

/// The other way: to[o, index, x] += weight * from[o, i, x].
template <class A>
void distribute(const Taps& t, const Block& b, const A* from, A* to) {
  parallelFor(0, b.outer, lineGrain(b.inner * t.most * t.out), [&](int64_t begin, int64_t end) {
    for (int64_t o = begin; o < end; ++o)
      for (int64_t i = 0; i < t.out; ++i)
        for (int64_t m = 0; m < t.most; ++m) {
          const auto w = static_cast<A>(t.weight[static_cast<size_t>(i * t.most + m)]);
          if (w == 0) continue;
          A* line = to + (o * t.in + t.index[static_cast<size_t>(i * t.most + m)]) * b.inner;
          const A* source = from + (o * t.out + i) * b.inner;
          for (int64_t x = 0; x < b.inner; ++x) line[x] += w * source[x];
        }
  });
}

/// Images of bytes: weights of 16 bits, as precise as the largest allows.
void interpolateBytes(const Taps& t, const Block& b, const uint8_t* from, uint8_t* to) {
  double most = 0;
  for (const double w : t.weight) most = std::max(most, w);
  int precision = 0;
  while (precision < 22 &&
         static_cast<int64_t>(0.5 + most * static_cast<double>(int64_t{1} << (precision + 1))) < (1 << 15))
    ++precision;
  std::vector<int32_t> weight;
  for (const double w : t.weight)
    weight.push_back(static_cast<int32_t>(w * static_cast<double>(1 << precision) + (w < 0 ? -0.5 : 0.5)));
  for (int64_t k = 0; k < b.outer * t.out; ++k)
    for (int64_t x = 0; x < b.inner; ++x) {
      const int64_t o = k / t.out, i = k % t.out;
      int64_t sum = precision ? int64_t{1} << (precision - 1) : 0;
      for (int64_t m = 0; m < t.most; ++m)
        sum += int64_t{weight[static_cast<size_t>(i * t.most + m)]} *
               from[(o * t.in + t.index[static_cast<size_t>(i * t.most + m)]) * b.inner + x];
      to[k * b.inner + x] = static_cast<uint8_t>(std::clamp<int64_t>(sum >> precision, 0, 255));
    }
}

/// Scales are named scales, scales_d, scales_h, scales_w.
std::vector<Taps> tapsOfCall(Call& c, const Dims& in, const Dims& out, size_t dims, bool wide) {
  const Kind kind = kindOf(c.op().name());
  const bool corners = c.knows("align_corners") && c.flag("align_corners");
  static constexpr std::array<std::string_view, 3> names{"scales_d", "scales_h", "scales_w"};
  std::vector<Taps> taps;
  for (size_t d = 0; d < dims; ++d) {
    const std::string_view name = dims == 1 ? "scales" : names[3 - dims + d];
    const double factor = c.knows(name) && c.given(name) ? c.real(name) : 0;
    const int64_t a = in[in.size() - dims + d], b = out[out.size() - dims + d];
    if (a <= 0 || b <= 0)
      throw EvalError("shape-mismatch", "Input and output sizes should be greater than 0, but got input " +
                                            sizesText(in) + " and output " + sizesText(out));
    taps.push_back(wide ? tapsOf<double>(kind, a, b, corners, factor)
                        : tapsOf<float>(kind, a, b, corners, factor));
  }
  return taps;
}
size_t interpolatedDims(const Call& c) {
  for (const char d : c.op().name())
    if (d >= '1' && d <= '3') return static_cast<size_t>(d - '0');
  throw EvalError("internal", "an interpolation of no dimension");
}

void upsampleInto(Call& c, const View& self, const View& out) {
  if (out.numel() == 0) return;
  const size_t dims = interpolatedDims(c);
  const std::vector<Taps> taps = tapsOfCall(c, self.sizes, out.sizes, dims, self.dtype == DType::F64);
  // The last dimension first.
  const auto blocks = [&](auto&& step) {
    Dims sizes = self.sizes;
    for (size_t d = dims; d-- > 0;) {
      const size_t at = sizes.size() - dims + d;
      Block b{1, 1};
      for (size_t k = 0; k < sizes.size(); ++k)
        if (k != at) (k < at ? b.outer : b.inner) *= sizes[k];
      sizes[at] = taps[d].out;
      step(taps[d], b, productOf(sizes), d == 0);
    }
  };
  const Kind kind = kindOf(c.op().name());
  if (kind == Kind::Nearest || kind == Kind::NearestExact) {
    visitBytes(self.dtype, [&]<class T>(TypeTag<T>) {
      std::vector<T> now(self.as<T>(), self.as<T>() + self.numel());
      blocks([&](const Taps& t, const Block& b, int64_t size, bool) {
        std::vector<T> next(static_cast<size_t>(size));
        for (int64_t o = 0; o < b.outer; ++o)
          for (int64_t i = 0; i < t.out; ++i)
            std::copy_n(now.data() + (o * t.in + t.index[static_cast<size_t>(i)]) * b.inner, b.inner,
                        next.data() + (o * t.out + i) * b.inner);
        now = std::move(next);
      });
      std::copy(now.begin(), now.end(), out.as<T>());
    });
    return;
  }
  if (self.dtype == DType::U8) {
    std::vector<uint8_t> now(self.as<uint8_t>(), self.as<uint8_t>() + self.numel());
    blocks([&](const Taps& t, const Block& b, int64_t size, bool) {
      std::vector<uint8_t> next(static_cast<size_t>(size));
      interpolateBytes(t, b, now.data(), next.data());
      now = std::move(next);
    });
    std::copy(now.begin(), now.end(), out.as<uint8_t>());
    return;
  }
  visitFloating(self.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    std::vector<A> now;
    blocks([&](const Taps& t, const Block& b, int64_t size, bool last) {
      std::vector<A> next(last ? 0 : static_cast<size_t>(size));
      if (now.empty() && last)
        interpolate<A>(t, b, self.as<T>(), out.as<T>());
      else if (last)
        interpolate<A>(t, b, now.data(), out.as<T>());
      else if (now.empty())
        interpolate<A>(t, b, self.as<T>(), next.data());
      else
        interpolate<A>(t, b, now.data(), next.data());
      now = std::move(next);
    });
  });
}

void upsample(Call& c) {
  upsampleInto(c, c.dense(0), c.denseOut());
}

/// The op table takes these apart and has no shape rule for them: images keep channels_last.
Value upsampleFresh(Call& c) {
  const TensorRef self = c.tensor(0);
  const size_t dims = interpolatedDims(c);
  const std::vector<int64_t> size = c.integers("output_size");
  if (self->meta.dim() != dims + 2 || size.size() != dims)
    throw EvalError("shape-mismatch", "It is expected input_size equals to " + std::to_string(dims + 2) +
                                          ", but got size " + std::to_string(self->meta.dim()));
  Meta m = self->meta;
  m.wrappedNumber = m.conj = m.neg = false;
  for (size_t d = 0; d < dims; ++d) m.sizes[2 + d] = size[d];
  m.strides = ir::eval::stridesFor(m.sizes, ir::eval::suggestFormat(self->meta));
  const View dense = c.scratch(Dims(m.sizes), m.dtype);
  upsampleInto(c, c.dense(0), dense);
  const TensorRef made = allocate(std::move(m));
  copyElements(viewOf(*made), dense);
  return Value(made);
}

void upsampleBackward(Call& c) {
  const View grad = c.dense("grad_output"), out = c.denseOut();
  zeroElements(out);
  if (out.numel() == 0 || grad.numel() == 0) return;
  const size_t dims = interpolatedDims(c);
  if (grad.dim() != out.dim())
    throw EvalError("shape-mismatch", "the gradient of an interpolation does not fit its input");
  const std::vector<int64_t> given = c.integers("output_size");
  for (size_t d = 0; d < grad.dim(); ++d) {
    const int64_t wanted = d < grad.dim() - dims ? out.sizes[d] : given.at(d + dims - grad.dim());
    if (grad.sizes[d] != wanted)
      throw EvalError("shape-mismatch",
                      "Expected grad_output to have the same shape as output; output.size(" +
                          std::to_string(d) + ") = " + std::to_string(wanted) + " but got grad_output.size(" +
                          std::to_string(d) + ") = " + std::to_string(grad.sizes[d]));
  }
  const std::vector<Taps> taps = tapsOfCall(c, out.sizes, grad.sizes, dims, out.dtype == DType::F64);
  visitFloating(out.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    std::vector<A> now(static_cast<size_t>(grad.numel()));
    for (int64_t i = 0; i < grad.numel(); ++i) now[static_cast<size_t>(i)] = static_cast<A>(grad.as<T>()[i]);
    Dims sizes = grad.sizes;
    for (size_t d = 0; d < dims; ++d) {
      const size_t at = sizes.size() - dims + d;
      Block b{1, 1};
      for (size_t k = 0; k < sizes.size(); ++k)
        if (k != at) (k < at ? b.outer : b.inner) *= sizes[k];
      sizes[at] = taps[d].in;
      std::vector<A> next(static_cast<size_t>(productOf(sizes)), A(0));
      distribute<A>(taps[d], b, now.data(), next.data());
      now = std::move(next);
    }
    for (int64_t i = 0; i < out.numel(); ++i) out.as<T>()[i] = T(now[static_cast<size_t>(i)]);
  });
}

// ---- patches

/// Calls f(column, place) for each element of the columns: place is that in the padded-off image, or -1.
template <class F>
void forEachPatch(const std::array<int64_t, 2>& image, const std::vector<int64_t>& kernel,
                  const std::vector<int64_t>& dilation, const std::vector<int64_t>& padding,
                  const std::vector<int64_t>& stride, F&& f) {
  std::array<int64_t, 2> count;
  for (size_t d = 0; d < 2; ++d) {
    if (kernel[d] <= 0 || dilation[d] <= 0 || stride[d] <= 0 || padding[d] < 0)
      throw EvalError("value-error", "kernel size, dilation and stride should be greater than zero");
    count[d] = (image[d] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1) / stride[d] + 1;
  }
  int64_t column = 0;
  for (int64_t ky = 0; ky < kernel[0]; ++ky)
    for (int64_t kx = 0; kx < kernel[1]; ++kx)
      for (int64_t y = 0; y < count[0]; ++y) {
        const int64_t row = y * stride[0] - padding[0] + ky * dilation[0];
        for (int64_t x = 0; x < count[1]; ++x, ++column) {
          const int64_t at = x * stride[1] - padding[1] + kx * dilation[1];
          f(column, row >= 0 && row < image[0] && at >= 0 && at < image[1] ? row * image[1] + at : -1);
        }
      }
}

template <bool back>
void patches(Call& c) {
  const View self = c.dense("self"), out = c.denseOut();
  const auto two = [&](std::string_view name, int64_t otherwise) { return c.integers(name, 2, otherwise); };
  const std::vector<int64_t> kernel = two("kernel_size", 1), dilation = two("dilation", 1),
                             padding = two("padding", 0), stride = two("stride", 1);
  const View &image = back ? out : self, &columns = back ? self : out;
  if (image.numel() == 0) return;
  const std::array<int64_t, 2> sizes{image.size(-2), image.size(-1)};
  const int64_t area = sizes[0] * sizes[1], planes = image.numel() / area, width = columns.numel() / planes;
  int64_t wanted = 0;
  forEachPatch(sizes, kernel, dilation, padding, stride, [&](int64_t, int64_t) { ++wanted; });
  if (wanted != width || columns.numel() != planes * width)
    throw EvalError("shape-mismatch", "the columns of patches do not fit their image");
  visitCommon(image.dtype, [&]<class T>(TypeTag<T>) {
    if (back) zeroElements(out);
    parallelFor(0, planes, lineGrain(width), [&](int64_t from, int64_t to) {
      for (int64_t p = from; p < to; ++p) {
        T* pixel = image.as<T>() + p * area;
        T* column = columns.as<T>() + p * width;
        forEachPatch(sizes, kernel, dilation, padding, stride, [&](int64_t k, int64_t at) {
          if (!back)
            column[k] = at < 0 ? T(0) : pixel[at];
          else if (at >= 0)
            pixel[at] = plus(pixel[at], column[k]);
        });
      }
    });
  });
}

// ---- pixels and channels

/// Channels become a finer image: [c * r * r, h, w] to [c, h * r, w * r], or back.
template <bool finer>
void pixelShuffle(Call& c) {
  const View self = c.dense("self"), out = c.denseOut();
  const int64_t r = c.integer(1);
  if (self.dim() < 3)
    throw EvalError("shape-mismatch",
                    "pixel_shuffle expects input to have at least 3 dimensions, but got input with " +
                        std::to_string(self.dim()) + " dimension(s)");
  if (r <= 0)
    throw EvalError("value-error",
                    "pixel_shuffle expects a positive upscale_factor, but got " + std::to_string(r));
  if (self.numel() == 0) return;
  const View &fine = finer ? out : self, &coarse = finer ? self : out;
  const int64_t channels = fine.size(-3), height = coarse.size(-2), width = coarse.size(-1);
  const int64_t batch = fine.numel() / (channels * height * width * r * r);
  const View a = fine.reshaped({batch * channels, height, r, width, r});
  const View b = coarse.reshaped({batch * channels, r, r, height, width}).permuted({0, 3, 1, 4, 2});
  copyElements(finer ? a : b, finer ? b : a);
}

}  // namespace

void addResamplingKernels(KernelTable& table) {
  table.make(
      "aten.upsample_nearest1d.default aten.upsample_nearest2d.default aten.upsample_nearest3d.default "
      "aten._upsample_nearest_exact1d.default aten._upsample_nearest_exact2d.default "
      "aten._upsample_nearest_exact3d.default aten.upsample_bilinear2d.default "
      "aten.upsample_bicubic2d.default",
      upsampleFresh);
  table.fill(
      "aten.upsample_linear1d.default aten.upsample_trilinear3d.default aten._upsample_bilinear2d_aa.default "
      "aten._upsample_bicubic2d_aa.default aten._upsample_lanczos2d_aa.default",
      upsample);
  table.fill(
      "aten.upsample_nearest1d_backward.default aten.upsample_nearest2d_backward.default "
      "aten.upsample_nearest3d_backward.default aten._upsample_nearest_exact1d_backward.default "
      "aten._upsample_nearest_exact2d_backward.default aten._upsample_nearest_exact3d_backward.default "
      "aten.upsample_linear1d_backward.default aten.upsample_bilinear2d_backward.default "
      "aten.upsample_trilinear3d_backward.default aten.upsample_bicubic2d_backward.default "
      "aten._upsample_bilinear2d_aa_backward.default aten._upsample_bicubic2d_aa_backward.default "
      "aten._upsample_lanczos2d_aa_backward.default",
      upsampleBackward);
  table.fill("aten.im2col.default", patches<false>);
  table.fill("aten.col2im.default", patches<true>);
  table.fill("aten.pixel_shuffle.default", pixelShuffle<true>);
  table.fill("aten.pixel_unshuffle.default", pixelShuffle<false>);
}

}  // namespace descry::runtime
