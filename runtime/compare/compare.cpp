#include "runtime/compare/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace descry::runtime {

std::string_view verdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::BitEqual:
      return "bit-equal";
    case Verdict::Within:
      return "within";
    case Verdict::Outside:
      return "outside";
    case Verdict::DTypeDiffers:
      return "dtype differs";
    case Verdict::ShapeDiffers:
      return "shape differs";
    case Verdict::NoPartner:
      return "no partner";
    case Verdict::NotRun:
      return "not run";
  }
  return "";
}

Tolerance toleranceFor(DType dtype, int64_t length) {
  double unit = 0;
  switch (dtype) {
    case DType::F64:
    case DType::C128:
      unit = 1e-9;
      break;
    case DType::F32:
    case DType::C64:
      unit = 3e-5;
      break;
    case DType::F16:
      unit = 4e-3;
      break;
    case DType::BF16:
      unit = 3e-2;
      break;
    case DType::F8E4M3FN:
    case DType::F8E4M3FNUZ:
      unit = 0.13;
      break;
    case DType::F8E5M2:
    case DType::F8E5M2FNUZ:
      unit = 0.26;
      break;
    default:
      return {};
  }
  unit *= std::sqrt(static_cast<double>(std::max<int64_t>(length, 1)));
  return {unit, unit};
}

namespace {

/// Numbers of a float format in their order: neighbours differ by one.
int64_t ordered(double v) {
  const auto i = std::bit_cast<int64_t>(v);
  return i < 0 ? std::numeric_limits<int64_t>::min() - i : i;
}
int64_t ordered(float v) {
  const auto i = std::bit_cast<int32_t>(v);
  return i < 0 ? std::numeric_limits<int32_t>::min() - static_cast<int64_t>(i) : i;
}
int64_t ordered(uint16_t bits) {
  const auto i = static_cast<int16_t>(bits);
  return i < 0 ? std::numeric_limits<int16_t>::min() - static_cast<int64_t>(i) : i;
}

template <class T>
double ulps(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>)
    return std::fabs(static_cast<double>(ordered(a)) - static_cast<double>(ordered(b)));
  else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
    return std::fabs(static_cast<double>(ordered(a.bits)) - static_cast<double>(ordered(b.bits)));
  else
    return 0;
}

class Comparer {
 public:
  explicit Comparer(Comparison& out) : out_(out) {}

  template <class T>
  void run(const T* a, const T* b, int64_t n, const Tolerance& tolerance) {
    double largest = 0;
    for (int64_t i = 0; i < n; ++i)
      parts(b[i], [&](double y) {
        if (std::isfinite(y)) largest = std::max(largest, std::fabs(y));
      });
    const double limit = tolerance.absolute + tolerance.relative * largest;
    for (int64_t i = 0; i < n; ++i) {
      bool wrong = false;
      if constexpr (kIsComplex<T>) {
        wrong = element(a[i].real(), b[i].real(), limit);
        wrong = element(a[i].imag(), b[i].imag(), limit) || wrong;
      } else if constexpr (std::is_integral_v<T>) {
        wrong = element(a[i], b[i], limit);
      } else {
        wrong = element(static_cast<Compute<T>>(a[i]), static_cast<Compute<T>>(b[i]), limit);
        if (std::isfinite(static_cast<double>(static_cast<Compute<T>>(a[i]))) &&
            std::isfinite(static_cast<double>(static_cast<Compute<T>>(b[i]))))
          ulps_.push_back(ulps(a[i], b[i]));
      }
      if (wrong) {
        ++out_.outside;
        if (out_.firstOutside < 0) out_.firstOutside = i;
      }
    }
    if (!ulps_.empty()) {
      const auto middle = ulps_.begin() + static_cast<std::ptrdiff_t>(ulps_.size() / 2);
      out_.maxUlp = *std::max_element(ulps_.begin(), ulps_.end());
      std::nth_element(ulps_.begin(), middle, ulps_.end());
      out_.medianUlp = *middle;
    }
    const double lengths = std::sqrt(aa_) * std::sqrt(bb_);
    out_.cosine = lengths > 0 ? ab_ / lengths : (aa_ == bb_ ? 1 : 0);
    out_.snr = noise_ > 0 ? 10 * std::log10(bb_ / noise_) : std::numeric_limits<double>::infinity();
  }

 private:
  template <class T, class F>
  static void parts(const T& v, F&& f) {
    if constexpr (kIsComplex<T>) {
      f(static_cast<double>(v.real()));
      f(static_cast<double>(v.imag()));
    } else {
      f(static_cast<double>(static_cast<Compute<T>>(v)));
    }
  }

  template <class T>
  bool element(T a, T b, double limit) {
    // Integers are compared as they are: a double does not hold them all.
    if constexpr (std::is_integral_v<T>)
      if (a == b) {
        sums(static_cast<double>(a), static_cast<double>(b));
        return false;
      }
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    if (!std::isfinite(x) || !std::isfinite(y)) return !(x == y || (std::isnan(x) && std::isnan(y)));
    sums(x, y);
    const double d = std::fabs(x - y);
    out_.maxAbs = std::max(out_.maxAbs, d);
    if (y != 0) out_.maxRel = std::max(out_.maxRel, d / std::fabs(y));
    return !(d <= limit) || (std::is_integral_v<T> && a != b);
  }
  void sums(double x, double y) {
    aa_ += x * x;
    bb_ += y * y;
    ab_ += x * y;
    noise_ += (x - y) * (x - y);
  }

  Comparison& out_;
  std::vector<double> ulps_;
  double aa_ = 0, bb_ = 0, ab_ = 0, noise_ = 0;
};

}  // namespace

Comparison compareTensors(const Tensor& a, const Tensor& b, const Tolerance& tolerance) {
  Comparison out;
  const View x = viewOf(a), y = viewOf(b);
  out.count = y.numel();
  if (!(x.sizes == y.sizes)) {
    out.verdict = Verdict::ShapeDiffers;
    return out;
  }
  if (x.dtype != y.dtype) {
    out.verdict = Verdict::DTypeDiffers;
    return out;
  }
  const TensorRef p = copyOf(x, x.dtype), q = copyOf(y, y.dtype);
  const View u = viewOf(*p), v = viewOf(*q);
  visitAny(u.dtype,
           [&]<class T>(TypeTag<T>) { Comparer(out).run(u.as<T>(), v.as<T>(), out.count, tolerance); });
  const bool equal =
      out.count == 0 || std::memcmp(u.data, v.data, static_cast<size_t>(out.count * itemBytes(u.dtype))) == 0;
  out.verdict = equal ? Verdict::BitEqual : out.outside ? Verdict::Outside : Verdict::Within;
  return out;
}

double spacingAt(DType dtype, double x) {
  int digits = 0, least = 0;  // of the significand, and exponent of the smallest number
  switch (dtype) {
    case DType::F64:
    case DType::C128:
      digits = 53, least = -1074;
      break;
    case DType::F32:
    case DType::C64:
      digits = 24, least = -149;
      break;
    case DType::F16:
    case DType::C32:
      digits = 11, least = -24;
      break;
    case DType::BF16:
      digits = 8, least = -133;
      break;
    case DType::F8E4M3FN:
      digits = 4, least = -9;
      break;
    case DType::F8E4M3FNUZ:
      digits = 4, least = -10;
      break;
    case DType::F8E5M2:
      digits = 3, least = -16;
      break;
    case DType::F8E5M2FNUZ:
      digits = 3, least = -17;
      break;
    default:
      return 0;
  }
  if (!std::isfinite(x)) return 0;
  int exponent = least;
  if (x != 0) exponent = std::max(least, std::ilogb(x) - digits + 1);
  return std::ldexp(1.0, exponent);
}

Comparison compareWithReference(const Tensor& a, const Tensor& reference, const Tolerance& tolerance) {
  const DType own = a.meta.dtype, wide = reference.meta.dtype;
  const bool complex = ir::dtypeInfo(own).complex;
  if ((!ir::dtypeInfo(own).floating && !complex) || own == wide ||
      wide != (complex ? DType::C128 : DType::F64))
    return compareTensors(a, reference, tolerance);
  const TensorRef raised = copyOf(viewOf(a), wide);
  Comparison out = compareTensors(*raised, reference, tolerance);
  if (out.verdict > Verdict::Outside) return out;
  // ULPs of the narrow dtype, where the reference has its numbers.
  out.medianUlp = out.maxUlp = 0;
  const TensorRef dense = copyOf(viewOf(reference), wide);
  const auto *x = reinterpret_cast<const double*>(raised->storage->data()),
             *y = reinterpret_cast<const double*>(dense->storage->data());
  std::vector<double> ulps;
  for (int64_t i = 0; i < out.count * (complex ? 2 : 1); ++i)
    if (std::isfinite(x[i]) && std::isfinite(y[i]))
      ulps.push_back(std::fabs(x[i] - y[i]) / spacingAt(own, y[i]));
  if (ulps.empty()) return out;
  const auto middle = ulps.begin() + static_cast<std::ptrdiff_t>(ulps.size() / 2);
  out.maxUlp = *std::max_element(ulps.begin(), ulps.end());
  std::nth_element(ulps.begin(), middle, ulps.end());
  out.medianUlp = *middle;
  return out;
}

uint64_t contentHash(const Tensor& t) {
  constexpr uint64_t kPrime = 0x9E3779B97F4A7C15ull;
  uint64_t h = 0xCBF29CE484222325ull;
  const auto mix = [&](uint64_t v) {
    h = (h ^ v) * kPrime;
    h ^= h >> 32;
  };
  for (const char c : ir::dtypeInfo(t.meta.dtype).shortName) mix(static_cast<unsigned char>(c));
  const TensorRef dense = copyOf(viewOf(t), t.meta.dtype);
  const View v = viewOf(*dense);
  for (const int64_t size : v.sizes) mix(static_cast<uint64_t>(size));
  const auto n = static_cast<size_t>(v.numel() * itemBytes(v.dtype));
  for (size_t i = 0; i < n; i += 8) {
    uint64_t word = 0;
    for (size_t k = 0; k < std::min<size_t>(8, n - i); ++k)
      word |= static_cast<uint64_t>(std::to_integer<uint8_t>(v.data[i + k])) << (8 * k);
    mix(word);
  }
  return h;
}

}  // namespace descry::runtime
