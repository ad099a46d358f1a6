// Floor division of symbolic expressions, simplified as PyTorch's FloorDiv.
#include <algorithm>
#include <numeric>

#include "ir/types/sym_build.h"

namespace descry::ir {

/// What divides both sides: a number, and powers that every term of both has. As PyTorch's
/// simple_floordiv_gcd.
static SymExpr commonDivisor(const SymExpr& a, const SymExpr& b) {
  int64_t g = 0;
  std::vector<std::pair<SymExpr, int64_t>> common;
  bool first = true;
  for (const SymExpr* side : {&a, &b}) {
    for (const SymExpr& t : symTerms(*side)) {
      SymExpr rest;
      const SymRational c = symCoefficient(t, rest);
      if (c.q != 1 || c.p == INT64_MIN) return SymExpr(1);
      g = std::gcd(g, c.p);
      std::vector<std::pair<SymExpr, int64_t>> powers;
      if (!symIsOne(rest))
        for (const SymExpr& f : symFactors(rest)) powers.push_back(symPower(f));
      if (first) {
        for (auto& p : powers)
          if (p.second > 0) common.push_back(p);
        first = false;
        continue;
      }
      std::erase_if(common, [&](std::pair<SymExpr, int64_t>& c2) {
        for (const auto& p : powers)
          if (p.first == c2.first && p.second > 0) {
            c2.second = std::min(c2.second, p.second);
            return false;
          }
        return true;
      });
    }
  }
  std::vector<SymExpr> factors;
  if (g > 1) factors.emplace_back(g);
  for (const auto& [base, e] : common) factors.push_back(SymBuild::pow(base, SymExpr(e)));
  return factors.empty() ? SymExpr(1) : SymBuild::mul(std::move(factors));
}

static SymExpr divideTerms(const SymExpr& e, const SymExpr& by) {
  const SymExpr inverse = SymBuild::pow(by, SymExpr(-1));
  std::vector<SymExpr> terms;
  for (const SymExpr& t : symTerms(e)) terms.push_back(SymBuild::mul({t, inverse}));
  return SymBuild::add(std::move(terms));
}

SymExpr SymBuild::floorDiv(const SymExpr& base, const SymExpr& divisor, bool clean) {
  if (!base.defined() || !divisor.defined()) return SymExpr::undefined();
  if (divisor.isInteger() && divisor.integer() == 0) return SymExpr::undefined();
  if (base.kind() == SymKind::Infinity && divisor.kind() == SymKind::Infinity) return SymExpr::undefined();
  if (base.isInteger() && base.integer() == 0) return SymExpr(0);
  if (symIsOne(divisor)) return base;
  if (divisor.isInteger() && divisor.integer() == -1) return -base;
  if (base == divisor) return SymExpr(1);
  if (base.isInteger() && divisor.isInteger())
    return SymExpr(symFloorDivide(base.integer(), divisor.integer()));
  if (base.kind() == SymKind::FloorDiv && !node(base).clean)
    return floorDiv(base.args()[0], mul({base.args()[1], divisor}), clean);
  if (divisor.isInteger()) {
    // (4*s0 + s1)//2 is 2*s0 + s1//2.
    std::vector<SymExpr> whole, left;
    for (const SymExpr& t : symTerms(base)) {
      SymExpr rest;
      const SymRational c = symCoefficient(t, rest);
      if (c.q == 1 && c.p % divisor.integer() == 0 && t.kind() != SymKind::Infinity &&
          t.kind() != SymKind::Real)
        whole.push_back(t.kind() == SymKind::Number ? SymExpr(c.p / divisor.integer())
                                                    : mul({SymExpr(c.p / divisor.integer()), rest}));
      else
        left.push_back(t);
    }
    if (!whole.empty()) {
      whole.push_back(floorDiv(add(std::move(left)), divisor, false));
      return add(std::move(whole));
    }
  }
  const SymExpr common = commonDivisor(base, divisor);
  if (common.defined() && !symIsOne(common))
    return floorDiv(divideTerms(base, common), divideTerms(divisor, common), false);
  if (divisor.kind() == SymKind::Add)
    if (SymExpr a = base, b = divisor; symCancel(a, b)) return floorDiv(a, b, false);
  Node n;
  n.kind = SymKind::FloorDiv;
  n.clean = clean;
  n.args = {base, divisor};
  return make(std::move(n));
}

}  // namespace descry::ir
