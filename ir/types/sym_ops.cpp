// Operations on whole symbolic expressions: operators, relations, multiplying out, substitution.
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
