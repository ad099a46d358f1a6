#include "ir/ops/eval/special_functions.h"

#include <cmath>
#include <limits>

namespace descry::ir::eval {

namespace {
constexpr double kPi = 3.14159265358979323846;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Bernoulli numbers B(2), B(4), ... B(24).
constexpr double kBernoulli[] = {1.0 / 6,       -1.0 / 30,       1.0 / 42,       -1.0 / 30,
                                 5.0 / 66,      -691.0 / 2730,   7.0 / 6,        -3617.0 / 510,
                                 43867.0 / 798, -174611.0 / 330, 854513.0 / 138, -236364091.0 / 2730};

/// Improves a root of erf(x) = 1 - tail by Halley's rule; `x` is positive.
double improved(double x, double tail) {
  for (int i = 0; i < 4; ++i) {
    const double e = (std::erfc(x) - tail) / (-2 / std::sqrt(kPi) * std::exp(-x * x));
    if (!std::isfinite(e)) break;
    x -= e / (1 + x * e);
  }
  return x;
}
}  // namespace

double digamma(double x) {
  if (x == 0) return std::copysign(kInf, -x);
  if (std::isnan(x) || x == -kInf) return kNan;
  if (x == kInf) return kInf;
  double out = 0;
  if (x < 0) {
    const double fraction = x - std::trunc(x);
    if (fraction == 0) return kNan;
    out = -kPi / std::tan(kPi * fraction);
    x = 1 - x;
  }
  for (; x < 12; x += 1) out -= 1 / x;
  // The asymptotic series: ln x - 1 / 2x - sum B(2k) / 2k x^2k.
  double power = 1, sum = 0;
  for (int k = 1; k <= 10; ++k) {
    power /= x * x;
    sum += kBernoulli[k - 1] / (2 * k) * power;
  }
  return out + std::log(x) - 0.5 / x - sum;
}

double erfcInverse(double y) {
  if (!(y >= 0 && y <= 2)) return kNan;
  if (y == 0) return kInf;
  if (y == 2) return -kInf;
  if (y > 1) return -erfcInverse(2 - y);
  if (y == 1) return 0;
  // Winitzki's approximation, then Halley's rule.
  const double a = 0.147, l = std::log(y * (2 - y)), t = 2 / (kPi * a) + l / 2;
  return improved(std::sqrt(std::sqrt(t * t - l / a) - t), y);
}

double erfInverse(double y) {
  if (!(y >= -1 && y <= 1)) return kNan;
  if (y < 0) return -erfInverse(-y);
  if (y > 0.5) return erfcInverse(1 - y);
  double x = y * std::sqrt(kPi) / 2;
  for (int i = 0; i < 6; ++i) {
    const double e = (std::erf(x) - y) / (2 / std::sqrt(kPi) * std::exp(-x * x));
    x -= e / (1 + x * e);
  }
  return x;
}

double erfcScaled(double x) {
  if (x < 10) return std::exp(x * x) * std::erfc(x);
  // The continued fraction x + (1/2) / (x + (2/2) / (x + (3/2) / ...)).
  double below = x;
  for (int k = 40; k > 0; --k) below = x + k / 2.0 / below;
  return 1 / (std::sqrt(kPi) * below);
}

double zeta(double x, double q) {
  if (x == 1) return kInf;
  if (!(x > 1) || !std::isfinite(q)) return kNan;
  if (q <= 0) {
    if (q == std::floor(q)) return kInf;
    if (x != std::floor(x)) return kNan;
  }
  // Euler and Maclaurin: the first terms, then an integral with corrections.
  double sum = 0, a = q;
  for (int i = 0; i < 10 || a <= 9; ++i, a += 1) {
    const double term = std::pow(a, -x);
    sum += term;
    if (a > 0 && term < kEps * sum * 1e-3) return sum;
  }
  sum += std::pow(a, 1 - x) / (x - 1) + 0.5 * std::pow(a, -x);
  double rising = x, factorial = 2, power = std::pow(a, -x - 1);
  for (int k = 1; k <= 12; ++k) {
    const double term = kBernoulli[k - 1] / factorial * rising * power;
    sum += term;
    if (std::abs(term) < kEps * std::abs(sum)) break;
    rising *= (x + 2 * k - 1) * (x + 2 * k);
    factorial *= (2.0 * k + 1) * (2.0 * k + 2);
    power /= a * a;
  }
  return sum;
}

namespace {
/// exp(-x) x^a / gamma(a + 1), without overflow or cancellation.
double gammaFactor(double a, double x) {
  if (a < 10) return std::exp(a * std::log(x) - x - std::lgamma(a + 1));
  // Stirling's series of the gamma function; near x = a the exponent is small.
  const double mu = (x - a) / a;
  const double exponent = std::abs(mu) < 0.5 ? mu - std::log1p(mu) : mu - std::log(x / a);
  double correction = 0, power = a;
  for (int k = 1; k <= 8; ++k) {
    correction += kBernoulli[k - 1] / (2.0 * k * (2.0 * k - 1)) / power;
    power *= a * a;
  }
  return std::exp(-a * exponent - correction) / std::sqrt(2 * kPi * a);
}
/// Both functions at their edges; false inside.
bool gammaEdge(double a, double x, double& lower) {
  if (std::isnan(a) || std::isnan(x) || x < 0 || a < 0)
    lower = kNan;
  else if (a == 0)
    lower = x > 0 ? 1 : kNan;
  else if (x == 0)
    lower = 0;
  else if (std::isinf(a))
    lower = std::isinf(x) ? kNan : 0;
  else if (std::isinf(x))
    lower = 1;
  else
    return false;
  return true;
}
double lowerSeries(double a, double x) {
  double term = 1, sum = 1;
  for (int n = 1; n < 5'000'000 && term > sum * kEps / 8; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return gammaFactor(a, x) * sum;
}
double upperFraction(double a, double x) {
  // Lentz.
  const double tiny = 1e-300;
  double b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
  for (int i = 1; i < 5'000'000; ++i) {
    const double an = -1.0 * i * (i - a);
    b += 2;
    d = an * d + b;
    if (std::abs(d) < tiny) d = tiny;
    c = b + an / c;
    if (std::abs(c) < tiny) c = tiny;
    d = 1 / d;
    const double step = d * c;
    h *= step;
    if (std::abs(step - 1) < kEps) break;
  }
  return gammaFactor(a, x) * a * h;
}
}  // namespace

double gammaLower(double a, double x) {
  double edge = 0;
  if (gammaEdge(a, x, edge)) return edge;
  return x < a + 1 ? lowerSeries(a, x) : 1 - upperFraction(a, x);
}

double gammaUpper(double a, double x) {
  double edge = 0;
  if (gammaEdge(a, x, edge)) return 1 - edge;
  return x < a + 1 ? 1 - lowerSeries(a, x) : upperFraction(a, x);
}

double besselJ(int order, double x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x)) return 0;
  const double v = std::cyl_bessel_j(order, std::abs(x));
  return order == 1 && x < 0 ? -v : v;
}

double besselY(int order, double x) {
  if (std::isnan(x) || x < 0) return kNan;
  if (x == 0) return -kInf;
  if (std::isinf(x)) return 0;
  return std::cyl_neumann(order, x);
}

double besselIScaled(int order, double x) {
  if (std::isnan(x)) return x;
  const double at = std::abs(x);
  double v = 0;
  if (std::isinf(at)) {
    v = 0;
  } else if (at < 50) {
    v = std::cyl_bessel_i(order, at) * std::exp(-at);
  } else {
    // Hankel's asymptotic series.
    const double mu = 4.0 * order * order;
    double term = 1, sum = 1;
    for (int k = 1; k < 40 && std::abs(term) > kEps; ++k) {
      term *= -(mu - (2.0 * k - 1) * (2.0 * k - 1)) / (k * 8 * at);
      sum += term;
    }
    v = sum / std::sqrt(2 * kPi * at);
  }
  return order == 1 && x < 0 ? -v : v;
}

double besselKScaled(int order, double x) {
  if (std::isnan(x) || x < 0) return kNan;
  if (x == 0) return kInf;
  if (std::isinf(x)) return 0;
  if (x < 50) return std::cyl_bessel_k(order, x) * std::exp(x);
  const double mu = 4.0 * order * order;
  double term = 1, sum = 1;
  for (int k = 1; k < 40 && std::abs(term) > kEps; ++k) {
    term *= (mu - (2.0 * k - 1) * (2.0 * k - 1)) / (k * 8 * x);
    sum += term;
  }
  return sum * std::sqrt(kPi / (2 * x));
}

double airyAi(double x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x)) return x > 0 ? 0 : kNan;
  if (x == 0) return 0.355028053887817239;
  const double third = 1.0 / 3, at = 2 * third * std::pow(std::abs(x), 1.5);
  if (x > 0) return std::sqrt(x / 3) / kPi * std::cyl_bessel_k(third, at);
  // J of a negative order, by those of a positive one.
  const double j = std::cyl_bessel_j(third, at), y = std::cyl_neumann(third, at);
  return std::sqrt(-x) / 3 * (j + std::cos(third * kPi) * j - std::sin(third * kPi) * y);
}

}  // namespace descry::ir::eval
