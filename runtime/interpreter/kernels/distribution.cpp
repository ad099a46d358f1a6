// Samples of distributions whose parameters are tensors, as PyTorch's CPU kernels draw them, and how samples
// change with the parameters: the gradient of a sample x with distribution function F and density p is
// -(dF/da)/p.
#include <cmath>
#include <limits>
#include <numeric>

#include "ir/ops/eval/special_functions.h"
#include "runtime/interpreter/machine.h"

namespace descry::runtime {

namespace {

// ---- samples

Generator& generatorOf(const Call& c) {
  return c.machine().generator;
}

void badProbabilities() {
  throw EvalError("value-error", "probability tensor contains either `inf`, `nan` or element < 0");
}

void multinomial(Call& c) {
  const View p = c.dense(0), out = c.denseOut(0, DType::I64);
  const int64_t samples = c.integer("num_samples"), n = p.dim() ? p.size(-1) : 1,
                rows = n ? p.numel() / n : 0;
  if (samples <= 0) throw EvalError("value-error", "cannot sample n_sample <= 0 samples");
  const bool replaced = c.flag("replacement");
  if (!replaced && samples > n)
    throw EvalError("value-error", "cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  Generator& g = generatorOf(c);
  int64_t* to = out.as<int64_t>();
  visitFloating(p.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    const T* chances = p.as<T>();
    for (int64_t i = 0; i < rows * n; ++i) {
      const A v = static_cast<A>(chances[i]);
      if (!(v >= 0) || std::isinf(v)) badProbabilities();
    }
    std::vector<A> each(static_cast<size_t>(n));
    std::vector<T> draws;
    if (!replaced)
      for (int64_t i = 0; i < rows * n; ++i) draws.push_back(convertTo<T>(-std::log1p(-g.uniformDouble())));
    for (int64_t r = 0; r < rows; ++r, chances += n, to += samples) {
      A total = 0;
      for (size_t j = 0; j < each.size(); ++j) each[j] = total += static_cast<A>(chances[j]);
      if (!(total > 0))
        throw EvalError("value-error", "invalid multinomial distribution (sum of probabilities <= 0)");
      if (replaced) {
        for (A& e : each) e /= total;
        each.back() = 1;
        for (int64_t s = 0; s < samples; ++s) {
          const double u = g.uniformDouble();
          to[s] = std::lower_bound(each.begin(), each.end(), u,
                                   [](A a, double b) { return static_cast<double>(a) < b; }) -
                  each.begin();
        }
        continue;
      }
      // The greatest of chances over exponential numbers.
      for (size_t j = 0; j < each.size(); ++j)
        each[j] = static_cast<A>(
            T(static_cast<A>(chances[j]) / static_cast<A>(draws[static_cast<size_t>(r * n) + j])));
      std::vector<int64_t> order(each.size());
      std::iota(order.begin(), order.end(), int64_t{0});
      std::partial_sort(order.begin(), order.begin() + samples, order.end(), [&](int64_t a, int64_t b) {
        const A x = each[static_cast<size_t>(a)], y = each[static_cast<size_t>(b)];
        return x != y ? x > y || (x != x && y == y) : a < b;
      });
      std::copy(order.begin(), order.begin() + samples, to);
    }
  });
}

double samplePoisson(Generator& g, double lambda) {
  if (!(lambda >= 0))
    throw EvalError("value-error", "invalid Poisson rate, expected rate to be non-negative");
  if (lambda == 0) return 0;
  if (lambda < 10) {
    const double limit = std::exp(-lambda);
    double product = 1;
    for (int64_t k = 0;; ++k) {
      product *= g.uniformDouble();
      if (product <= limit) return static_cast<double>(k);
    }
  }
  // Transformed rejection (Hoermann, 1993).
  const double root = std::sqrt(lambda), logLambda = std::log(lambda);
  const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double inverseAlpha = 1.1239 + 1.1328 / (b - 3.4), vr = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = g.uniformDouble() - 0.5, v = g.uniformDouble();
    const double us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + lambda + 0.43);
    if (us >= 0.07 && v <= vr) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v) + std::log(inverseAlpha) - std::log(a / (us * us) + b) <=
        -lambda + k * logLambda - std::lgamma(k + 1))
      return k;
  }
}

double stirlingTail(double k) {
  constexpr double small[] = {
      0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
      0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287};
  if (k <= 9) return small[static_cast<size_t>(k)];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}
/// BTRS (Hoermann, 1993), for count * p of 10 or more.
double binomialByRejection(Generator& g, double count, double p) {
  const double deviation = std::sqrt(count * p * (1 - p));
  const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p, c = count * p + 0.5;
  const double vr = 0.92 - 4.2 / b, r = p / (1 - p), alpha = (2.83 + 5.1 / b) * deviation;
  const double m = std::floor((count + 1) * p);
  while (true) {
    const double u = g.uniformDouble() - 0.5;
    double v = g.uniformDouble();
    const double us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + c);
    if (k < 0 || k > count) continue;
    if (us >= 0.07 && v <= vr) return k;
    v = std::log(v * alpha / (a / (us * us) + b));
    const double bound = (m + 0.5) * std::log((m + 1) / (r * (count - m + 1))) +
                         (count + 1) * std::log((count - m + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(r * (count - k + 1) / (k + 1)) + stirlingTail(m) +
                         stirlingTail(count - m) - stirlingTail(k) - stirlingTail(count - k);
    if (v <= bound) return k;
  }
}
double binomialByInversion(Generator& g, double count, double p) {
  double sum = 0, successes = 0;
  const double logP = std::log1p(-p);
  while (true) {
    sum += std::ceil(std::log(g.uniformDouble()) / logP);
    if (sum > count) return successes;
    ++successes;
  }
}
double sampleBinomial(Generator& g, double count, double p) {
  if (count <= 0 || p <= 0) return 0;
  if (p >= 1) return count;
  if (p != p) return NAN;
  const double q = p <= 0.5 ? p : 1 - p;
  const double k = count * q >= 10 ? binomialByRejection(g, count, q) : binomialByInversion(g, count, q);
  return p <= 0.5 ? k : count - k;
}

/// Marsaglia and Tsang (2000).
double sampleGamma(Generator& g, double alpha) {
  double scale = 1;
  if (alpha < 1) {
    if (alpha == 0) return 0;
    scale = std::pow(1 - g.uniformDouble(), 1 / alpha);
    alpha += 1;
  }
  // Constants in float, as PyTorch has them.
  const double d = alpha - 1.0f / 3.0f, c = 1 / std::sqrt(9 * d);
  while (true) {
    double x = 0, y = 0;
    do {
      x = g.normal(0, 1);
      y = 1 + c * x;
    } while (y <= 0);
    const double v = y * y * y, u = 1 - g.uniformDouble(), xx = x * x;
    if (u < 1 - 0.0331f * xx * xx) return scale * d * v;
    if (std::log(u) < 0.5 * xx + d * (1 - v + std::log(v))) return scale * d * v;
  }
}

template <class T>
constexpr int significantBits() {
  return std::is_same_v<T, double> ? 53 : std::is_same_v<T, Half> ? 11 : std::is_same_v<T, BFloat16> ? 8 : 24;
}
template <class T>
double smallestNormal() {
  if constexpr (std::is_same_v<T, Half>) return 0x1p-14;
  if constexpr (std::is_same_v<T, double>) return std::numeric_limits<double>::min();
  return 0x1p-126;
}

void poisson(Call& c) {
  visitFloating(c.out().dtype, [&]<class T>(TypeTag<T>) {
    forEach<T, T>(
        [&](T& y, const T& x) { y = convertTo<T>(samplePoisson(generatorOf(c), convertTo<double>(x))); },
        c.out(), c.view(0));
  });
}
void binomial(Call& c) {
  visitFloating(c.out().dtype, [&]<class T>(TypeTag<T>) {
    forEach<T, T, T>(
        [&](T& y, const T& count, const T& p) {
          y = convertTo<T>(sampleBinomial(generatorOf(c), convertTo<double>(count), convertTo<double>(p)));
        },
        c.out(), c.view(0), c.view(1));
  });
}
void standardGamma(Call& c) {
  visitFloating(c.out().dtype, [&]<class T>(TypeTag<T>) {
    forEach<T, T>(
        [&](T& y, const T& x) {
          y = convertTo<T>(std::max(smallestNormal<T>(), convertTo<double>(convertTo<T>(sampleGamma(
                                                             generatorOf(c), convertTo<double>(x))))));
        },
        c.out(), c.view(0));
  });
}
void dirichlet(Call& c) {
  const View alpha = c.dense(0), out = c.denseOut(0);
  const int64_t n = alpha.dim() ? alpha.size(-1) : 1, rows = n ? alpha.numel() / n : 0;
  visitFloating(out.dtype, [&]<class T>(TypeTag<T>) {
    std::vector<double> samples;
    for (int64_t i = 0; i < rows * n; ++i)
      samples.push_back(sampleGamma(generatorOf(c), convertTo<double>(alpha.as<T>()[i])));
    const double most = 1 - std::ldexp(1.0, -significantBits<T>());
    for (int64_t r = 0; r < rows; ++r) {
      const auto row = samples.begin() + r * n;
      const double total = std::accumulate(row, row + n, 0.0);
      for (int64_t j = 0; j < n; ++j)
        out.as<T>()[r * n + j] = convertTo<T>(std::min(most, std::max(smallestNormal<T>(), row[j] / total)));
    }
  });
}

// ---- gradients of samples

constexpr int kMostTerms = 200000;
constexpr double kTiny = 1e-300, kExact = 1e-17;

using ir::eval::digamma;

/// A number and its derivative.
struct Dual {
  double v = 0, d = 0;
};
Dual operator+(Dual a, Dual b) {
  return {a.v + b.v, a.d + b.d};
}
Dual operator*(Dual a, Dual b) {
  return {a.v * b.v, a.d * b.v + a.v * b.d};
}
Dual inverse(Dual a) {
  return {1 / a.v, -a.d / (a.v * a.v)};
}
Dual notZero(Dual a) {
  return std::fabs(a.v) < kTiny ? Dual{kTiny, a.d} : a;
}

/// Of a gamma variable of shape a and scale 1.
double gammaGradient(double a, double x) {
  if (!(a > 0) || !(x >= 0)) return NAN;
  if (x == 0) return 0;
  if (x < a + 1) {
    // F = x^a e^-x / Gamma(a + 1) * sum of x^n / ((a + 1) ... (a + n))
    double term = 1, slope = 0, sum = 1, change = 0;
    for (int n = 1; n < kMostTerms; ++n) {
      term *= x / (a + n);
      slope -= 1 / (a + n);
      sum += term;
      change += term * slope;
      if (term * (1 - slope) < kExact * sum) break;
    }
    return -x / a * ((std::log(x) - digamma(a + 1)) * sum + change);
  }
  // 1 - F = x^a e^-x / Gamma(a) * h, h a continued fraction (by Lentz's method).
  Dual b{x + 1 - a, -1}, c{1 / kTiny, 0}, d = inverse(notZero(b)), h = d;
  for (int n = 1; n < kMostTerms; ++n) {
    const Dual an{-n * (n - a), static_cast<double>(n)};
    b = b + Dual{2, 0};
    d = inverse(notZero(an * d + b));
    c = notZero(b + an * inverse(c));
    const Dual step = c * d;
    h = h * step;
    if (std::fabs(step.v - 1) < 1e-15 && std::fabs(step.d) < 1e-15) break;
  }
  return x * ((std::log(x) - digamma(a)) * h.v + h.d);
}

/// The sum over n of (a + b)_n / (a + 1)_n x^n, which F of a beta variable is a multiple of, and its
/// derivatives.
struct BetaSum {
  double value = 1, byFirst = 0, bySecond = 0;
  BetaSum(double a, double b, double x) {
    double term = 1, first = 0, second = 0;
    for (int n = 0; n < kMostTerms; ++n) {
      const double ratio = (a + b + n) / (a + 1 + n) * x;
      term *= ratio;
      second += 1 / (a + b + n);
      first += 1 / (a + b + n) - 1 / (a + 1 + n);
      value += term;
      byFirst += term * first;
      bySecond += term * second;
      if (ratio < 1 && term * (1 + second) < kExact * value) break;
    }
  }
};

/// Of component x of a Dirichlet variable with parameter a of this component and b of all others together.
double dirichletGradient(double x, double a, double total) {
  const double b = total - a;
  if (!(a > 0) || !(b > 0) || !(x >= 0 && x <= 1)) return NAN;
  if (x == 0 || x == 1) return 0;
  const double both = digamma(a + b) - digamma(a);
  if (x <= (a + 1) / (a + b + 2)) {
    const BetaSum s(a, b, x);
    return -x / a * ((std::log(x) - 1 / a + both) * s.value + s.byFirst);
  }
  // F of x is 1 - F of 1 - x with exchanged parameters.
  const BetaSum s(b, a, 1 - x);
  return x / b * ((std::log(x) + both) * s.value + s.bySecond);
}

void standardGammaGradient(Call& c) {
  visitFloating(c.out().dtype, [&]<class T>(TypeTag<T>) {
    forEachParallel<T, T, T>(
        [](T& g, const T& a, const T& x) {
          g = convertTo<T>(gammaGradient(convertTo<double>(a), convertTo<double>(x)));
        },
        c.out(), c.view("self"), c.view("output"));
  });
}
void dirichletGradients(Call& c) {
  visitFloating(c.out().dtype, [&]<class T>(TypeTag<T>) {
    forEachParallel<T, T, T, T>(
        [](T& g, const T& x, const T& a, const T& total) {
          g = convertTo<T>(
              dirichletGradient(convertTo<double>(x), convertTo<double>(a), convertTo<double>(total)));
        },
        c.out(), c.view("x"), c.view("alpha"), c.view("total"));
  });
}

}  // namespace

void addDistributionKernels(KernelTable& table) {
  table.fill("aten.multinomial.default", multinomial);
  table.fill("aten.poisson.default", poisson);
  table.fill("aten.binomial.default", binomial);
  table.fill("aten._standard_gamma.default", standardGamma);
  table.fill("aten._sample_dirichlet.default", dirichlet);
  table.fill("aten._standard_gamma_grad.default", standardGammaGradient);
  table.fill("aten._dirichlet_grad.default", dirichletGradients);
}

}  // namespace descry::runtime
