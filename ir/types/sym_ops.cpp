// Operations on whole symbolic expressions: operators, relations, multiplying out, substitution.
#include <algorithm>
#include <optional>
#include <set>

#include "ir/types/sym_build.h"

namespace descry::ir {

constexpr size_t kMaxExpandedTerms = 4096;

SymExpr operator+(const SymExpr& a, const SymExpr& b) {
  return SymBuild::add({a, b});
}
SymExpr operator*(const SymExpr& a, const SymExpr& b) {
  return SymBuild::mul({a, b});
}
SymExpr operator-(const SymExpr& a) {
  return SymBuild::mul({SymExpr(-1), a});
}
SymExpr operator-(const SymExpr& a, const SymExpr& b) {
  return SymBuild::add({a, -b});
}

SymExpr symFloorDiv(const SymExpr& a, const SymExpr& b) {
  return SymBuild::floorDiv(a, b, false);
}
SymExpr symTrueDiv(const SymExpr& a, const SymExpr& b) {
  return SymBuild::mul({a, SymBuild::pow(b, SymExpr(-1))});
}
SymExpr symMod(const SymExpr& a, const SymExpr& b) {
  return SymExpr::function("Mod", {a, b});
}
SymExpr symPythonMod(const SymExpr& a, const SymExpr& b) {
  return SymExpr::function("PythonMod", {a, b});
}
SymExpr symPow(const SymExpr& base, const SymExpr& exponent) {
  return SymBuild::pow(base, exponent);
}
SymExpr symMax(std::vector<SymExpr> args) {
  return SymExpr::function("Max", std::move(args));
}
SymExpr symMin(std::vector<SymExpr> args) {
  return SymExpr::function("Min", std::move(args));
}

SymExpr symRelation(SymRel rel, const SymExpr& a, const SymExpr& b) {
  if (!a.defined() || !b.defined()) return SymExpr::undefined();
  const bool numbers = a.kind() == SymKind::Number && b.kind() == SymKind::Number;
  if (numbers || a == b) {
    const __int128 d = numbers ? static_cast<__int128>(a.integer()) * b.denominator() -
                                     static_cast<__int128>(b.integer()) * a.denominator()
                               : 0;
    switch (rel) {
      case SymRel::Eq:
        return SymExpr::boolean(d == 0);
      case SymRel::Ne:
        return SymExpr::boolean(d != 0);
      case SymRel::Lt:
        return SymExpr::boolean(d < 0);
      case SymRel::Le:
        return SymExpr::boolean(d <= 0);
      case SymRel::Gt:
        return SymExpr::boolean(d > 0);
      case SymRel::Ge:
        return SymExpr::boolean(d >= 0);
    }
  }
  SymBuild::Node n;
  n.kind = SymKind::Relation;
  n.rel = rel;
  n.args = {a, b};
  return SymBuild::make(std::move(n));
}

namespace {
/// The least value that a product of a number and symbols of sizes can have; 0 where the term is anything
/// else.
int64_t leastOf(const SymExpr& term) {
  if (term.kind() == SymKind::Symbol) return term.name().starts_with('s') ? 1 : 0;
  if (term.kind() != SymKind::Mul) return 0;
  int64_t least = 1;
  for (const SymExpr& f : term.args()) {
    if (f.isInteger() && f.integer() > 0)
      least *= f.integer();
    else if (f.kind() != SymKind::Symbol || !f.name().starts_with('s'))
      return 0;
  }
  return least;
}

/// Of a sum of one term and a number: their sum where the term has its least value.
std::optional<int64_t> leastSum(const SymExpr& sum) {
  if (sum.args().size() != 2) return std::nullopt;
  const bool first = sum.args()[0].isInteger();
  const SymExpr &number = sum.args()[first ? 0 : 1], &term = sum.args()[first ? 1 : 0];
  if (!number.isInteger() || leastOf(term) == 0) return std::nullopt;
  return leastOf(term) + number.integer();
}
}  // namespace

bool symPositive(const SymExpr& e) {
  const auto all = [&](auto&& f) { return std::all_of(e.args().begin(), e.args().end(), f); };
  const auto any = [&](auto&& f) { return std::any_of(e.args().begin(), e.args().end(), f); };
  switch (e.kind()) {
    case SymKind::Number:
      return e.integer() > 0;
    case SymKind::Symbol:
      return e.name().starts_with('s');
    case SymKind::Add:
      return (all(symNotNegative) && any(symPositive)) || leastSum(e).value_or(0) > 0;
    case SymKind::Mul:
      return all(symPositive);
    case SymKind::Pow:
      return symPositive(e.args()[0]);
    case SymKind::Function:
      if (e.name() == "Max") return any(symPositive);
      return e.name() == "Min" && all(symPositive);
    default:
      return false;
  }
}

bool symNotNegative(const SymExpr& e) {
  const auto all = [&](auto&& f) { return std::all_of(e.args().begin(), e.args().end(), f); };
  const auto any = [&](auto&& f) { return std::any_of(e.args().begin(), e.args().end(), f); };
  switch (e.kind()) {
    case SymKind::Number:
      return e.integer() >= 0;
    case SymKind::Symbol:
      return e.name().starts_with('s');
    case SymKind::Add:
      return all(symNotNegative) || leastSum(e).value_or(-1) >= 0;
    case SymKind::Mul:
      return all(symNotNegative);
    case SymKind::Pow:
      return symNotNegative(e.args()[0]) || (e.args()[1].isInteger() && e.args()[1].integer() % 2 == 0);
    case SymKind::FloorDiv:
      return symNotNegative(e.args()[0]) && symPositive(e.args()[1]);
    case SymKind::Function:
      if (e.name() == "Mod") return true;
      if (e.name() == "Max") return any(symNotNegative);
      return e.name() == "Min" && all(symNotNegative);
    default:
      return false;
  }
}

std::vector<std::string> SymExpr::symbols() const {
  std::set<std::string> names;
  std::vector<const SymExpr*> work{this};
  while (!work.empty()) {
    const SymExpr* e = work.back();
    work.pop_back();
    if (e->kind() == SymKind::Symbol) names.insert(e->name());
    for (const SymExpr& a : e->args()) work.push_back(&a);
  }
  return {names.begin(), names.end()};
}

SymExpr SymExpr::expanded() const {
  if (args().empty()) return *this;
  std::vector<SymExpr> inner;
  inner.reserve(args().size());
  for (const SymExpr& a : args()) inner.push_back(a.expanded());
  auto product = [](const SymExpr& a, const SymExpr& b) {
    const std::vector<SymExpr> x = symTerms(a), y = symTerms(b);
    if (x.size() * y.size() > kMaxExpandedTerms) return undefined();
    std::vector<SymExpr> terms;
    terms.reserve(x.size() * y.size());
    for (const SymExpr& s : x)
      for (const SymExpr& t : y) terms.push_back(s * t);
    return SymBuild::add(std::move(terms));
  };
  if (kind() == SymKind::Mul) {
    SymExpr out(1);
    for (const SymExpr& f : inner) out = product(out, f);
    return out;
  }
  if (kind() == SymKind::Pow && inner[0].kind() == SymKind::Add && inner[1].isInteger() &&
      inner[1].integer() > 1) {
    if (inner[1].integer() > 64) return undefined();
    SymExpr out(1);
    for (int64_t i = 0; i < inner[1].integer(); ++i) out = product(out, inner[0]);
    return out;
  }
  return SymBuild::rebuild(*this, std::move(inner));
}

bool sameValue(const SymExpr& a, const SymExpr& b) {
  if (a == b) return a.defined();
  const SymExpr x = a.expanded(), y = b.expanded();
  return x.defined() && x == y;
}

SymExpr SymExpr::substitute(const std::function<const SymExpr*(std::string_view)>& f) const {
  if (kind() == SymKind::Symbol) {
    const SymExpr* to = f(name());
    return to ? *to : *this;
  }
  if (args().empty()) return *this;
  std::vector<SymExpr> inner;
  inner.reserve(args().size());
  bool changed = false;
  for (const SymExpr& a : args()) {
    inner.push_back(a.substitute(f));
    changed |= inner.back().node_ != a.node_;
  }
  return changed ? SymBuild::rebuild(*this, std::move(inner)) : *this;
}

SymExpr SymExpr::substitute(const std::unordered_map<std::string, SymExpr>& values) const {
  return substitute([&](std::string_view name) -> const SymExpr* {
    const auto found = values.find(std::string(name));
    return found == values.end() ? nullptr : &found->second;
  });
}

}  // namespace descry::ir
