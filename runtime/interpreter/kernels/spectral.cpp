// Fourier transforms: mixed radix for lengths of small primes, Bluestein's algorithm for the others.
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>

#include "runtime/interpreter/kernels/numeric.h"

namespace descry::runtime {

namespace {

/// Primes up to here are transformed by their definition.
constexpr int64_t kLargestRadix = 31;

/// A transform of one length and direction, without a factor.
template <class R>
class Fourier {
 public:
  using C = std::complex<R>;

  Fourier(int64_t n, bool forward) : n_(n) {
    int64_t rest = n;
    for (const int64_t radix : {4, 2, 3, 5})
      for (; rest % radix == 0; rest /= radix) factors_.push_back(radix);
    for (int64_t p = 7; p <= kLargestRadix; p += 2)
      for (; rest % p == 0; rest /= p) factors_.push_back(p);
    if (rest == 1) {
      roots_ = rootsOf(n, n, forward);
      return;
    }
    // Bluestein: a convolution with a chirp, of a length that is a power of two.
    factors_.clear();
    int64_t m = 1;
    while (m < 2 * n - 1) m *= 2;
    chirp_.resize(static_cast<size_t>(n));
    const double sign = forward ? -1 : 1;
    for (int64_t k = 0; k < n; ++k) {
      const auto square = static_cast<double>(static_cast<uint64_t>(k) * static_cast<uint64_t>(k) %
                                              static_cast<uint64_t>(2 * n));
      const double angle = sign * std::numbers::pi * square / static_cast<double>(n);
      chirp_[static_cast<size_t>(k)] = C(static_cast<R>(std::cos(angle)), static_cast<R>(std::sin(angle)));
    }
    there_ = std::make_unique<Fourier>(m, true);
    back_ = std::make_unique<Fourier>(m, false);
    filter_.assign(static_cast<size_t>(m), C(0));
    for (int64_t k = 0; k < n; ++k) {
      const C value = std::conj(chirp_[static_cast<size_t>(k)]);
      filter_[static_cast<size_t>(k)] = value;
      if (k) filter_[static_cast<size_t>(m - k)] = value;
    }
    std::vector<C> work(static_cast<size_t>(there_->workSize()));
    there_->run(filter_.data(), work.data());
  }

  /// Numbers that `run` needs besides the line.
  int64_t workSize() const { return there_ ? there_->n_ + there_->workSize() : n_; }

  /// In place.
  void run(C* line, C* work) const {
    if (n_ <= 1) return;
    if (there_) return convolve(line, work);
    // Each stage leaves its results in order, in the other memory.
    C *x = line, *y = work;
    int64_t m = n_, s = 1;
    for (const int64_t radix : factors_) {
      m /= radix;
      for (int64_t p = 0; p < m; ++p) {
        switch (radix) {
          case 2:
            stage<2>(x, y, m, s, p);
            break;
          case 3:
            stage<3>(x, y, m, s, p);
            break;
          case 4:
            stage<4>(x, y, m, s, p);
            break;
          case 5:
            stage<5>(x, y, m, s, p);
            break;
          default:
            stageOfPrime(radix, x, y, m, s, p);
        }
      }
      s *= radix;
      std::swap(x, y);
    }
    if (x != line) std::copy_n(x, n_, line);
  }

 private:
  static C times(C a, C b) {
    return C(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  }
  static std::vector<C> rootsOf(int64_t n, int64_t count, bool forward) {
    std::vector<C> roots(static_cast<size_t>(count));
    for (int64_t k = 0; k < count; ++k) {
      const double angle =
          (forward ? -2 : 2) * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
      roots[static_cast<size_t>(k)] = C(static_cast<R>(std::cos(angle)), static_cast<R>(std::sin(angle)));
    }
    return roots;
  }
  const C& root(int64_t k) const { return roots_[static_cast<size_t>(k % n_)]; }

  /// The butterflies p of a stage: m groups are left, s results of the stages before lie side by side.
  template <int Radix>
  void stage(const C* x, C* y, int64_t m, int64_t s, int64_t p) const {
    std::array<C, Radix> twiddle, unit;
    for (int j = 0; j < Radix; ++j) {
      twiddle[static_cast<size_t>(j)] = root(s * p * j);
      unit[static_cast<size_t>(j)] = root(n_ / Radix * j);
    }
    for (int64_t q = 0; q < s; ++q) {
      std::array<C, Radix> a, b;
      for (int k = 0; k < Radix; ++k) a[static_cast<size_t>(k)] = x[q + s * (p + m * k)];
      if constexpr (Radix == 2) {
        b = {a[0] + a[1], a[0] - a[1]};
      } else if constexpr (Radix == 4) {
        const C even = a[0] + a[2], odd = a[0] - a[2], sum = a[1] + a[3],
                difference = times(a[1] - a[3], unit[1]);
        b = {even + sum, odd + difference, even - sum, odd - difference};
      } else {
        for (int j = 0; j < Radix; ++j) {
          C total = a[0];
          for (int k = 1; k < Radix; ++k)
            total += times(a[static_cast<size_t>(k)], unit[static_cast<size_t>(j * k % Radix)]);
          b[static_cast<size_t>(j)] = total;
        }
      }
      C* to = y + q + s * Radix * p;
      to[0] = b[0];
      for (int j = 1; j < Radix; ++j)
        to[s * j] = times(b[static_cast<size_t>(j)], twiddle[static_cast<size_t>(j)]);
    }
  }
  void stageOfPrime(int64_t radix, const C* x, C* y, int64_t m, int64_t s, int64_t p) const {
    for (int64_t q = 0; q < s; ++q)
      for (int64_t j = 0; j < radix; ++j) {
        C total(0);
        for (int64_t k = 0; k < radix; ++k)
          total += times(x[q + s * (p + m * k)], root(n_ / radix * (j * k % radix)));
        y[q + s * (radix * p + j)] = times(total, root(s * p * j));
      }
  }
  void convolve(C* line, C* work) const {
    const int64_t m = there_->n_;
    for (int64_t k = 0; k < n_; ++k) work[k] = times(line[k], chirp_[static_cast<size_t>(k)]);
    std::fill(work + n_, work + m, C(0));
    there_->run(work, work + m);
    for (int64_t k = 0; k < m; ++k) work[k] = times(work[k], filter_[static_cast<size_t>(k)]);
    back_->run(work, work + m);
    const R scale = R(1) / static_cast<R>(m);
    for (int64_t k = 0; k < n_; ++k) line[k] = times(work[k] * scale, chirp_[static_cast<size_t>(k)]);
  }

  int64_t n_;
  std::vector<int64_t> factors_;
  std::vector<C> roots_, chirp_, filter_;
  std::unique_ptr<Fourier> there_, back_;
};

/// [outer, length, inner] of a dimension.
struct Lines {
  int64_t outer, length, inner;
  Lines(const Dims& sizes, size_t dim)
      : outer(extentOf(sizes, 0, dim)), length(sizes[dim]), inner(extentOf(sizes, dim + 1, sizes.size())) {}
};

/// Calls f(line number, plan, memory for a line, memory for the plan) for the lines of a dimension, on
/// several threads.
template <class R, class F>
void forLines(int64_t count, int64_t length, bool forward, F&& f) {
  const Fourier<R> plan(length, forward);
  parallelFor(0, count, grainOf(length * 16), [&](int64_t from, int64_t to) {
    std::vector<std::complex<R>> line(static_cast<size_t>(length)),
        work(static_cast<size_t>(plan.workSize()));
    for (int64_t i = from; i < to; ++i) f(i, plan, line.data(), work.data());
  });
}

/// A dimension of contiguous memory, in place.
template <class R>
void transform(std::complex<R>* data, const Dims& sizes, size_t dim, bool forward) {
  const Lines l(sizes, dim);
  if (l.length < 1) return;
  forLines<R>(l.outer * l.inner, l.length, forward,
              [&](int64_t i, const Fourier<R>& plan, std::complex<R>* line, std::complex<R>* work) {
                std::complex<R>* at = data + i / l.inner * l.length * l.inner + i % l.inner;
                if (l.inner == 1) return plan.run(at, work);
                for (int64_t k = 0; k < l.length; ++k) line[k] = at[k * l.inner];
                plan.run(line, work);
                for (int64_t k = 0; k < l.length; ++k) at[k * l.inner] = line[k];
              });
}

std::vector<size_t> transformedDims(const Call& c, size_t dims) {
  std::vector<size_t> out;
  const int64_t n = static_cast<int64_t>(dims);
  for (const int64_t d : c.integers("dim")) {
    if (d < -n || d >= n)
      throw EvalError("index-error", "Dimension out of range (expected to be in range of [" +
                                         std::to_string(-n) + ", " + std::to_string(n - 1) + "], but got " +
                                         std::to_string(d) + ")");
    out.push_back(static_cast<size_t>(d < 0 ? d + n : d));
  }
  return out;
}

/// 0: none, 1: by the square root of the number of elements, 2: by their number.
double factorOf(const Call& c, const Dims& sizes, const std::vector<size_t>& dims) {
  if (!c.knows("normalization")) return 1;
  double n = 1;
  for (const size_t d : dims) n *= static_cast<double>(sizes[d]);
  switch (c.integer("normalization")) {
    case 0:
      return 1;
    case 1:
      return 1 / std::sqrt(n);
    case 2:
      return 1 / n;
    default:
      throw EvalError("value-error", "Unsupported normalization of a Fourier transform");
  }
}

template <class F>
void visitSpectral(DType dtype, F&& f) {
  switch (dtype) {
    case DType::F64:
    case DType::C128:
      return f(TypeTag<double>{});
    case DType::F32:
    case DType::C64:
      return f(TypeTag<float>{});
    default:
      unsupportedDType(dtype, "Fourier transform");
  }
}

template <class R>
void scale(std::complex<R>* data, int64_t n, double factor) {
  if (factor == 1) return;
  for (int64_t i = 0; i < n; ++i) data[i] *= static_cast<R>(factor);
}

void complexToComplex(Call& c) {
  const View self = c.view("self"), out = c.out();
  const std::vector<size_t> dims = transformedDims(c, self.dim());
  if (out.numel() == 0) return;
  visitSpectral(self.dtype, [&]<class R>(TypeTag<R>) {
    const View work = c.hold(copyOf(self, kDTypeOf<std::complex<R>>));
    const auto data = work.as<std::complex<R>>();
    for (const size_t d : dims) transform<R>(data, work.sizes, d, c.flag("forward"));
    scale(data, work.numel(), factorOf(c, work.sizes, dims));
    copyElements(out, work);
  });
}

/// A real tensor; of the last dimension a half is enough.
void realToComplex(Call& c) {
  const View self = c.view("self"), out = c.out();
  const std::vector<size_t> dims = transformedDims(c, self.dim());
  if (dims.empty()) throw EvalError("value-error", "_fft_r2c needs a dimension");
  if (out.numel() == 0) return;
  if (self.numel() == 0) throw EvalError("value-error", "Invalid number of data points (0) specified");
  visitSpectral(self.dtype, [&]<class R>(TypeTag<R>) {
    using C = std::complex<R>;
    const View in = c.dense("self", kDTypeOf<R>), work = c.scratch(out.sizes, kDTypeOf<C>);
    const Lines from(in.sizes, dims.back()), to(work.sizes, dims.back());
    forLines<R>(from.outer * from.inner, from.length, true,
                [&](int64_t i, const Fourier<R>& plan, C* line, C* memory) {
                  const R* x = in.as<R>() + i / from.inner * from.length * from.inner + i % from.inner;
                  for (int64_t k = 0; k < from.length; ++k) line[k] = C(x[k * from.inner], 0);
                  plan.run(line, memory);
                  C* y = work.as<C>() + i / to.inner * to.length * to.inner + i % to.inner;
                  for (int64_t k = 0; k < to.length; ++k) y[k * to.inner] = line[k];
                });
    for (size_t d = 0; d + 1 < dims.size(); ++d) transform<R>(work.as<C>(), work.sizes, dims[d], true);
    scale(work.as<C>(), work.numel(), factorOf(c, self.sizes, dims));
    copyElements(out, work);
  });
}

/// The inverse: the other half of the last dimension is the conjugate of what is given.
void complexToReal(Call& c) {
  const View self = c.view("self"), out = c.out();
  const std::vector<size_t> dims = transformedDims(c, self.dim());
  if (dims.empty()) throw EvalError("value-error", "_fft_c2r needs a dimension");
  const int64_t n = c.integer("last_dim_size");
  if (n < 1)
    throw EvalError("value-error", "Invalid number of data points (" + std::to_string(n) + ") specified");
  if (out.numel() == 0) return;
  if (self.sizes[dims.back()] < n / 2 + 1)
    throw EvalError("shape-mismatch",
                    "_fft_c2r: the last dimension has too few elements for " + std::to_string(n));
  visitSpectral(self.dtype, [&]<class R>(TypeTag<R>) {
    using C = std::complex<R>;
    const View work = c.hold(copyOf(self, kDTypeOf<C>)), made = c.denseOut(0, kDTypeOf<R>);
    for (size_t d = 0; d + 1 < dims.size(); ++d) transform<R>(work.as<C>(), work.sizes, dims[d], false);
    const Lines from(work.sizes, dims.back()), to(made.sizes, dims.back());
    const R factor = static_cast<R>(factorOf(c, made.sizes, dims));
    forLines<R>(to.outer * to.inner, n, false, [&](int64_t i, const Fourier<R>& plan, C* line, C* memory) {
      const C* x = work.as<C>() + i / from.inner * from.length * from.inner + i % from.inner;
      // What has to be real for the result to be real is taken as real.
      line[0] = C(x[0].real(), 0);
      for (int64_t k = 1; k <= n / 2; ++k) {
        const C value = x[k * from.inner];
        line[k] = 2 * k == n ? C(value.real(), 0) : value;
        line[n - k] = std::conj(line[k]);
      }
      plan.run(line, memory);
      R* y = made.as<R>() + i / to.inner * to.length * to.inner + i % to.inner;
      for (int64_t k = 0; k < n; ++k) y[k * to.inner] = line[k].real() * factor;
    });
  });
}

/// There is no cache of plans.
Value nothing(Call&) {
  return {};
}
Value noPlans(Call&) {
  return Value(int64_t{0});
}

}  // namespace

void addSpectralKernels(KernelTable& table) {
  table.fill("aten._fft_c2c.default prims.fft_c2c.default", complexToComplex);
  table.fill("aten._fft_r2c.default prims.fft_r2c.default", realToComplex);
  table.fill("aten._fft_c2r.default prims.fft_c2r.default", complexToReal);
  table.make("aten._cufft_clear_plan_cache.default aten._cufft_set_plan_cache_max_size.default", nothing);
  table.make("aten._cufft_get_plan_cache_size.default aten._cufft_get_plan_cache_max_size.default", noPlans);
}

}  // namespace descry::runtime
