// The greatest common divisor of two sums, as sympy.gcd finds it: polynomials in all that is no sum, product
// or power of a whole number.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "ir/types/sym_build.h"

namespace descry::ir {

namespace {

/// PyTorch does not look into wider sums either.
constexpr size_t kWidest = 20;
constexpr size_t kMostTerms = 200;
constexpr int64_t kMostPower = 16;

struct TooLarge {};

using Powers = std::vector<int64_t>;  ///< by generator
/// Coefficients by powers, the leading term first; none is zero.
using Poly = std::map<Powers, int64_t, std::greater<>>;

int64_t times(int64_t a, int64_t b) {
  int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) throw TooLarge();
  return out;
}

void addTo(Poly& to, const Powers& powers, int64_t c) {
  const auto [at, fresh] = to.emplace(powers, c);
  if (!fresh && __builtin_add_overflow(at->second, c, &at->second)) throw TooLarge();
  if (at->second == 0) to.erase(at);
  if (to.size() > kMostTerms) throw TooLarge();
}

/// to - c * x^powers * p
void subtract(Poly& to, const Poly& p, const Powers& powers, int64_t c) {
  for (const auto& [q, d] : p) {
    Powers sum = q;
    for (size_t i = 0; i < sum.size(); ++i)
      if ((sum[i] += powers[i]) > kMostPower) throw TooLarge();
    addTo(to, sum, -times(c, d));
  }
}

Poly product(const Poly& a, const Poly& b) {
  Poly out;
  for (const auto& [powers, c] : a) subtract(out, b, powers, -c);
  return out;
}

/// a / b where b divides a.
std::optional<Poly> quotient(Poly a, const Poly& b) {
  Poly out;
  while (!a.empty()) {
    const auto& [top, c] = *a.begin();
    const auto& [by, d] = *b.begin();
    if (c % d != 0) return std::nullopt;
    Powers powers = top;
    for (size_t i = 0; i < powers.size(); ++i)
      if ((powers[i] -= by[i]) < 0) return std::nullopt;
    const int64_t factor = c / d;
    addTo(out, powers, factor);
    subtract(a, b, powers, factor);
  }
  return out;
}

/// Coefficients of the powers of generator `k`, the highest first.
std::map<int64_t, Poly, std::greater<>> inPowersOf(const Poly& p, size_t k) {
  std::map<int64_t, Poly, std::greater<>> out;
  for (const auto& [all, c] : p) {
    Powers powers = all;
    const int64_t n = std::exchange(powers[k], 0);
    out[n].emplace(std::move(powers), c);
  }
  return out;
}

int64_t degree(const Poly& p, size_t k) {
  int64_t n = 0;
  for (const auto& [powers, c] : p) n = std::max(n, powers[k]);
  return n;
}

Poly gcdOf(Poly a, Poly b, size_t k);

/// What divides all coefficients of the powers of generator `k`.
Poly content(const Poly& p, size_t k) {
  Poly out;
  for (const auto& [n, c] : inPowersOf(p, k)) out = gcdOf(out, c, k + 1);
  return out;
}

/// Both are polynomials in the generators from `k` on.
Poly gcdOf(Poly a, Poly b, size_t k) {
  if (a.empty() || b.empty()) {
    Poly out = a.empty() ? std::move(b) : std::move(a);
    if (!out.empty() && out.begin()->second < 0)
      for (auto& [powers, c] : out) c = -c;
    return out;
  }
  const size_t generators = a.begin()->first.size();
  if (k == generators) return {{Powers(generators), std::gcd(a.begin()->second, b.begin()->second)}};
  if (degree(a, k) == 0 && degree(b, k) == 0) return gcdOf(std::move(a), std::move(b), k + 1);
  const Poly ofA = content(a, k), ofB = content(b, k), common = gcdOf(ofA, ofB, k + 1);
  a = *quotient(std::move(a), ofA);
  b = *quotient(std::move(b), ofB);
  if (degree(a, k) < degree(b, k)) std::swap(a, b);
  while (degree(b, k) > 0) {
    // The remainder of a multiple of a, so that no fractions come up.
    const auto lead = inPowersOf(b, k).begin()->second;
    const int64_t down = degree(b, k);
    while (!a.empty() && degree(a, k) >= down) {
      const auto top = *inPowersOf(a, k).begin();
      Poly next = product(a, lead);
      Powers shift(generators);
      shift[k] = top.first - down;
      const Poly by = product(top.second, b);
      subtract(next, by, shift, 1);
      a = std::move(next);
    }
    if (a.empty()) return product(common, b);
    a = *quotient(a, content(a, k));
    std::swap(a, b);
  }
  return common;
}

struct Reader {
  std::vector<SymExpr> generators;

  void collect(const SymExpr& e) {
    switch (e.kind()) {
      case SymKind::Number:
        return;
      case SymKind::Add:
      case SymKind::Mul:
        for (const SymExpr& a : e.args()) collect(a);
        return;
      default: {
        const auto [base, exponent] = symPower(e);
        if (base.kind() == SymKind::Add || base.kind() == SymKind::Mul) return collect(base);
        if (std::find(generators.begin(), generators.end(), base) == generators.end())
          generators.push_back(base);
      }
    }
  }
  Poly poly(const SymExpr& e) const {
    Poly out;
    if (e.kind() == SymKind::Number) {
      if (e.denominator() != 1) throw TooLarge();
      if (e.integer()) out.emplace(Powers(generators.size()), e.integer());
      return out;
    }
    if (e.kind() == SymKind::Add) {
      for (const SymExpr& a : e.args())
        for (const auto& [powers, c] : poly(a)) addTo(out, powers, c);
      return out;
    }
    if (e.kind() == SymKind::Mul) {
      out = one();
      for (const SymExpr& a : e.args()) out = product(out, poly(a));
      return out;
    }
    const auto [base, exponent] = symPower(e);
    if (exponent < 0 || exponent > kMostPower) throw TooLarge();
    if (base.kind() == SymKind::Add || base.kind() == SymKind::Mul) {
      out = one();
      const Poly inner = poly(base);
      for (int64_t i = 0; i < exponent; ++i) out = product(out, inner);
      return out;
    }
    Powers powers(generators.size());
    powers[static_cast<size_t>(std::find(generators.begin(), generators.end(), base) - generators.begin())] =
        exponent;
    out.emplace(std::move(powers), 1);
    return out;
  }
  Poly one() const { return {{Powers(generators.size()), 1}}; }
  SymExpr expr(const Poly& p) const {
    std::vector<SymExpr> sum;
    for (const auto& [powers, c] : p) {
      std::vector<SymExpr> factors = {SymExpr(c)};
      for (size_t i = 0; i < powers.size(); ++i)
        if (powers[i]) factors.push_back(SymBuild::pow(generators[i], SymExpr(powers[i])));
      sum.push_back(SymBuild::mul(std::move(factors)));
    }
    return SymBuild::add(std::move(sum));
  }
};

}  // namespace

bool symCancel(SymExpr& a, SymExpr& b) {
  for (const SymExpr* side : {&a, &b})
    if (side->kind() == SymKind::Add && side->args().size() > kWidest) return false;
  Reader reader;
  reader.collect(a);
  reader.collect(b);
  try {
    const Poly p = reader.poly(a), q = reader.poly(b);
    if (p.size() < 2 || q.size() < 2) return false;
    const Poly g = gcdOf(p, q, 0);
    if (g.size() < 2) return false;
    const auto overA = quotient(p, g), overB = quotient(q, g);
    if (!overA || !overB) return false;
    a = reader.expr(*overA);
    b = reader.expr(*overB);
  } catch (const TooLarge&) {
    return false;
  }
  return true;
}

}  // namespace descry::ir
