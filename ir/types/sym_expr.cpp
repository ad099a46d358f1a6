#include "ir/types/sym_expr.h"

#include <algorithm>
#include <numeric>

#include "ir/support/string_table.h"
#include "ir/types/sym_build.h"

namespace descry::ir {

namespace {

constexpr uint32_t kMaxSize = 20000;
constexpr uint32_t kMaxDepth = 200;

size_t mix(size_t h, size_t v) {
  return (h ^ v) * 0x9E3779B97F4A7C15ull + (h >> 29);
}

SymExpr number(SymRational r) {
  return r.ok ? SymExpr::fraction(r.p, r.q) : SymExpr::undefined();
}

struct HashExpr {
  size_t operator()(const SymExpr& e) const { return e.hash(); }
};

/// sympy's Expr.as_ordered_terms: lexicographic in the exponents of all bases, the constant last.
void orderTerms(std::vector<SymExpr>& terms) {
  if (terms.size() == 2) {
    // 1 - s0 keeps the number in front when it is positive and the other coefficient negative.
    for (int k = 0; k < 2; ++k) {
      const SymExpr &c = terms[k], &t = terms[1 - k];
      if (c.kind() != SymKind::Number || c.integer() <= 0 || t.kind() != SymKind::Mul) continue;
      if (t.args().size() == 2 && t.args()[0].kind() == SymKind::Number && t.args()[0].integer() < 0) {
        if (k == 1) std::swap(terms[0], terms[1]);
        return;
      }
    }
  }
  struct Keyed {
    SymExpr term;
    std::vector<std::pair<uint32_t, int64_t>> powers;  // by generator
  };
  std::vector<SymExpr> bases;
  std::unordered_map<SymExpr, uint32_t, HashExpr> index;
  std::vector<Keyed> keyed;
  for (SymExpr& t : terms) {
    Keyed k;
    for (const SymExpr& f : symFactors(t)) {
      if (f.kind() == SymKind::Number || f.kind() == SymKind::Real) continue;
      const auto [base, exponent] = symPower(f);
      const auto [at, fresh] = index.emplace(base, static_cast<uint32_t>(bases.size()));
      if (fresh) bases.push_back(base);
      k.powers.emplace_back(at->second, exponent);
    }
    k.term = std::move(t);
    keyed.push_back(std::move(k));
  }
  std::vector<uint32_t> order(bases.size()), rank(bases.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return symCompare(bases[a], bases[b]) < 0; });
  for (uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  for (Keyed& k : keyed) {
    for (auto& [base, exponent] : k.powers) base = rank[base];
    std::sort(k.powers.begin(), k.powers.end());
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
    size_t i = 0, j = 0;
    while (i < a.powers.size() || j < b.powers.size()) {
      const uint32_t ga = i < a.powers.size() ? a.powers[i].first : UINT32_MAX;
      const uint32_t gb = j < b.powers.size() ? b.powers[j].first : UINT32_MAX;
      const uint32_t g = std::min(ga, gb);
      const int64_t ea = ga == g ? a.powers[i].second : 0, eb = gb == g ? b.powers[j].second : 0;
      if (ea != eb) return ea > eb;
      i += ga == g;
      j += gb == g;
    }
    return false;
  });
  for (size_t i = 0; i < keyed.size(); ++i) terms[i] = std::move(keyed[i].term);
}

/// coefficient * rest for a rest without coefficient.
SymExpr scaled(SymRational coefficient, const SymExpr& rest) {
  if (!coefficient.ok) return SymExpr::undefined();
  if (coefficient.isOne()) return rest;
  if (coefficient.isZero()) return SymExpr(0);
  SymBuild::Node n;
  n.kind = SymKind::Mul;
  n.args.push_back(number(coefficient));
  for (SymExpr& f : symFactors(rest)) n.args.push_back(std::move(f));
  return SymBuild::make(std::move(n));
}

}  // namespace

SymRational SymRational::of(__int128 p, __int128 q) {
  SymRational r;
  if (q == 0) {
    r.ok = false;
    return r;
  }
  if (q < 0) {
    p = -p;
    q = -q;
  }
  __int128 a = p < 0 ? -p : p, b = q;
  while (b) {
    const __int128 t = a % b;
    a = b;
    b = t;
  }
  if (a > 1) {
    p /= a;
    q /= a;
  }
  if (p > INT64_MAX || p < -INT64_MAX || q > INT64_MAX) {
    r.ok = false;
    return r;
  }
  r.p = static_cast<int64_t>(p);
  r.q = static_cast<int64_t>(q);
  return r;
}

bool symIsOne(const SymExpr& e) {
  return e.isInteger() && e.integer() == 1;
}

std::vector<SymExpr> symFactors(const SymExpr& e) {
  if (e.kind() == SymKind::Mul) return e.args();
  return {e};
}
std::vector<SymExpr> symTerms(const SymExpr& e) {
  if (e.kind() == SymKind::Add) return e.args();
  return {e};
}

std::pair<SymExpr, int64_t> symPower(const SymExpr& factor) {
  if (factor.kind() == SymKind::Pow && factor.args()[1].isInteger())
    return {factor.args()[0], factor.args()[1].integer()};
  return {factor, 1};
}

int64_t symFloorDivide(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

SymRational symCoefficient(const SymExpr& e, SymExpr& rest) {
  if (e.kind() == SymKind::Number) {
    rest = SymExpr(1);
    return {e.integer(), e.denominator(), true};
  }
  if (e.kind() == SymKind::Mul && e.args()[0].kind() == SymKind::Number) {
    const SymExpr& c = e.args()[0];
    if (e.args().size() == 2) {
      rest = e.args()[1];
    } else {
      SymBuild::Node n;
      n.kind = SymKind::Mul;
      n.args.assign(e.args().begin() + 1, e.args().end());
      rest = SymBuild::make(std::move(n));
    }
    return {c.integer(), c.denominator(), true};
  }
  rest = e;
  return {1, 1, true};
}

SymExpr SymBuild::make(Node node) {
  uint64_t size = 1;
  uint32_t depth = 0;
  size_t h = mix(static_cast<size_t>(node.kind) * 31 + static_cast<size_t>(node.rel), node.clean);
  h = mix(mix(h, static_cast<size_t>(node.p)), static_cast<size_t>(node.q));
  if (!node.name.empty()) h = mix(h, hashText(node.name));
  for (const SymExpr& a : node.args) {
    if (!a.defined()) return SymExpr::undefined();
    size += a.size();
    depth = std::max(depth, a.depth());
    h = mix(h, a.hash());
  }
  if (size > kMaxSize || depth >= kMaxDepth) return SymExpr::undefined();
  node.size = static_cast<uint32_t>(size);
  node.depth = depth + 1;
  node.hash = h;
  return SymExpr(std::make_shared<const Node>(std::move(node)));
}

SymExpr::SymExpr(int64_t value) {
  Node n;
  n.p = value;
  *this = SymBuild::make(std::move(n));
}

SymExpr SymExpr::fraction(int64_t numerator, int64_t denominator) {
  const SymRational r = SymRational::of(numerator, denominator);
  if (!r.ok && denominator == 1) return SymExpr(numerator);  // INT64_MIN
  if (!r.ok) return undefined();
  Node n;
  n.p = r.p;
  n.q = r.q;
  return SymBuild::make(std::move(n));
}

SymExpr SymExpr::symbol(std::string_view name) {
  Node n;
  n.kind = SymKind::Symbol;
  n.name = name;
  return SymBuild::make(std::move(n));
}

SymExpr SymExpr::infinity(bool negative) {
  Node n;
  n.kind = SymKind::Infinity;
  n.clean = negative;
  return SymBuild::make(std::move(n));
}

SymExpr SymExpr::boolean(bool value) {
  Node n;
  n.kind = SymKind::Bool;
  n.p = value;
  return SymBuild::make(std::move(n));
}

SymExpr SymExpr::real(std::string_view text) {
  Node n;
  n.kind = SymKind::Real;
  n.name = text;
  return SymBuild::make(std::move(n));
}

SymExpr SymExpr::undefined() {
  static const SymExpr kUndefined = [] {
    Node n;
    n.kind = SymKind::Undefined;
    return SymBuild::make(std::move(n));
  }();
  return kUndefined;
}

SymExpr SymExpr::function(std::string_view name, std::vector<SymExpr> args) {
  for (const SymExpr& a : args)
    if (!a.defined()) return undefined();
  if (args.size() >= 1 && (name == "Max" || name == "Min"))
    return SymBuild::minMax(name == "Max", std::move(args));
  if (args.size() == 2) {
    if (name == "FloorDiv" || name == "CleanDiv")
      return SymBuild::floorDiv(args[0], args[1], name == "CleanDiv");
    if (name == "Mod" || name == "PythonMod") {
      const SymExpr &p = args[0], &q = args[1];
      if (q.isInteger() && q.integer() == 0) return undefined();
      if ((p.isInteger() && p.integer() == 0) || p == q || p == -q || symIsOne(q)) return SymExpr(0);
      if (p.isInteger() && q.isInteger() && q.integer() != -1 &&
          (name == "PythonMod" || (p.integer() >= 0 && q.integer() > 0)))
        return SymExpr(p.integer() - symFloorDivide(p.integer(), q.integer()) * q.integer());
      if (q.isInteger()) {  // a multiple of q
        SymExpr rest;
        const SymRational c = symCoefficient(p, rest);
        if (c.q == 1 && c.p % q.integer() == 0 && p.kind() != SymKind::Add) return SymExpr(0);
      }
    }
  }
  if (args.size() == 3 && name == "ModularIndexing") {
    const SymExpr &b = args[0], &d = args[1], &m = args[2];
    if ((b.isInteger() && b.integer() == 0) || symIsOne(m)) return SymExpr(0);
    if (b.isInteger() && d.isInteger() && m.isInteger() && d.integer() > 0 && m.integer() > 0) {
      const int64_t v = symFloorDivide(b.integer(), d.integer());
      return SymExpr(v - symFloorDivide(v, m.integer()) * m.integer());
    }
  }
  if (args.size() == 3 && name == "Where" && args[0].kind() == SymKind::Bool)
    return SymBuild::node(args[0]).p ? args[1] : args[2];
  Node n;
  n.kind = SymKind::Function;
  n.name = name;
  n.args = std::move(args);
  return SymBuild::make(std::move(n));
}

SymKind SymExpr::kind() const {
  return node_->kind;
}
bool SymExpr::isInteger() const {
  return node_->kind == SymKind::Number && node_->q == 1;
}
int64_t SymExpr::integer() const {
  return node_->p;
}
int64_t SymExpr::denominator() const {
  return node_->q;
}
const std::string& SymExpr::name() const {
  return node_->name;
}
const std::vector<SymExpr>& SymExpr::args() const {
  return node_->args;
}
SymRel SymExpr::relation() const {
  return node_->rel;
}
uint32_t SymExpr::size() const {
  return node_->size;
}
uint32_t SymExpr::depth() const {
  return node_->depth;
}
size_t SymExpr::hash() const {
  return node_->hash;
}

bool operator==(const SymExpr& a, const SymExpr& b) {
  if (a.node_ == b.node_) return true;
  const SymExpr::Node &x = *a.node_, &y = *b.node_;
  return x.hash == y.hash && x.kind == y.kind && x.rel == y.rel && x.clean == y.clean && x.p == y.p &&
         x.q == y.q && x.size == y.size && x.name == y.name && x.args == y.args;
}

SymExpr SymBuild::add(std::vector<SymExpr> terms) {
  SymRational constant;
  std::vector<SymExpr> rests;
  std::vector<SymRational> coefficients;
  std::unordered_map<SymExpr, size_t, HashExpr> seen;
  bool infinite[2] = {false, false};
  auto take = [&](const SymExpr& t) {
    if (t.kind() == SymKind::Infinity) {
      infinite[node(t).clean] = true;
      return;
    }
    SymExpr rest;
    const SymRational c = symCoefficient(t, rest);
    if (t.kind() == SymKind::Number) {
      constant = constant + c;
      return;
    }
    const auto [at, fresh] = seen.emplace(rest, rests.size());
    if (fresh) {
      rests.push_back(rest);
      coefficients.push_back(c);
    } else {
      coefficients[at->second] = coefficients[at->second] + c;
    }
  };
  for (const SymExpr& t : terms) {
    if (!t.defined()) return SymExpr::undefined();
    if (t.kind() == SymKind::Add)
      for (const SymExpr& inner : t.args()) take(inner);
    else
      take(t);
  }
  if (!constant.ok || (infinite[0] && infinite[1])) return SymExpr::undefined();
  std::vector<SymExpr> out;
  for (size_t i = 0; i < rests.size(); ++i) {
    if (!coefficients[i].ok) return SymExpr::undefined();
    if (!coefficients[i].isZero()) out.push_back(scaled(coefficients[i], rests[i]));
  }
  if (infinite[0] || infinite[1])
    out.push_back(SymExpr::infinity(infinite[1]));
  else if (!constant.isZero())
    out.push_back(number(constant));
  if (out.empty()) return SymExpr(0);
  if (out.size() == 1) return out[0];
  orderTerms(out);
  Node n;
  n.kind = SymKind::Add;
  n.args = std::move(out);
  return make(std::move(n));
}

SymExpr SymBuild::mul(std::vector<SymExpr> factors) {
  SymRational coefficient{1, 1, true};
  std::vector<SymExpr> bases, others;
  std::vector<std::vector<SymExpr>> exponents;
  std::unordered_map<SymExpr, size_t, HashExpr> seen;
  bool infinite = false, negative = false;
  auto take = [&](const SymExpr& f) {
    if (f.kind() == SymKind::Number) {
      coefficient = coefficient * SymRational{f.integer(), f.denominator(), true};
      return;
    }
    if (f.kind() == SymKind::Infinity) {
      infinite = true;
      negative ^= node(f).clean;
      return;
    }
    if (f.kind() == SymKind::Real) {
      others.push_back(f);
      return;
    }
    const bool power = f.kind() == SymKind::Pow;
    const SymExpr base = power ? f.args()[0] : f;
    const SymExpr exponent = power ? f.args()[1] : SymExpr(1);
    const auto [at, fresh] = seen.emplace(base, bases.size());
    if (fresh) {
      bases.push_back(base);
      exponents.push_back({exponent});
    } else {
      exponents[at->second].push_back(exponent);
    }
  };
  for (const SymExpr& f : factors) {
    if (!f.defined()) return SymExpr::undefined();
    if (f.kind() == SymKind::Mul)
      for (const SymExpr& inner : f.args()) take(inner);
    else
      take(f);
  }
  if (!coefficient.ok) return SymExpr::undefined();
  if (infinite) {
    if (coefficient.isZero()) return SymExpr::undefined();
    if (bases.empty() && others.empty()) return SymExpr::infinity(negative != (coefficient.p < 0));
    others.push_back(SymExpr::infinity(negative));
  }
  if (coefficient.isZero()) return SymExpr(0);
  std::vector<SymExpr> out = std::move(others);
  for (size_t i = 0; i < bases.size(); ++i) {
    SymExpr p = pow(bases[i], exponents[i].size() == 1 ? exponents[i][0] : add(exponents[i]));
    if (!p.defined()) return p;
    if (p.kind() == SymKind::Number)
      coefficient = coefficient * SymRational{p.integer(), p.denominator(), true};
    else
      out.push_back(std::move(p));
  }
  if (!coefficient.ok) return SymExpr::undefined();
  if (out.empty()) return number(coefficient);
  if (out.size() == 1) {
    if (coefficient.isOne()) return out[0];
    if (out[0].kind() == SymKind::Add) {  // 2*(s0 + 1) is 2*s0 + 2
      std::vector<SymExpr> terms;
      for (const SymExpr& t : out[0].args()) {
        SymExpr rest;
        const SymRational c = symCoefficient(t, rest) * coefficient;
        if (!c.ok) return SymExpr::undefined();
        terms.push_back(t.kind() == SymKind::Number ? number(c) : scaled(c, rest));
      }
      return add(std::move(terms));
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const SymExpr& a, const SymExpr& b) { return symCompare(a, b) < 0; });
  Node n;
  n.kind = SymKind::Mul;
  if (!coefficient.isOne()) n.args.push_back(number(coefficient));
  for (SymExpr& f : out) n.args.push_back(std::move(f));
  return make(std::move(n));
}

SymExpr SymBuild::pow(const SymExpr& base, const SymExpr& exponent) {
  if (!base.defined() || !exponent.defined()) return SymExpr::undefined();
  if (exponent.isInteger()) {
    const int64_t e = exponent.integer();
    if (e == 0) return SymExpr(1);
    if (e == 1) return base;
    if (base.kind() == SymKind::Number) {
      if (base.integer() == 0) return e > 0 ? SymExpr(0) : SymExpr::undefined();
      if (symIsOne(base)) return base;
      if (base.isInteger() && base.integer() == -1) return SymExpr(e % 2 ? -1 : 1);
      if (e > 64 || e < -64) return SymExpr::undefined();
      SymRational r{1, 1, true};
      const SymRational b = e > 0 ? SymRational{base.integer(), base.denominator(), true}
                                  : SymRational::of(base.denominator(), base.integer());
      for (int64_t i = 0; i < (e > 0 ? e : -e) && r.ok; ++i) r = r * b;
      return number(r);
    }
    if (base.kind() == SymKind::Mul) {
      std::vector<SymExpr> factors;
      for (const SymExpr& f : base.args()) factors.push_back(pow(f, exponent));
      return mul(std::move(factors));
    }
    if (base.kind() == SymKind::Pow) return pow(base.args()[0], mul({base.args()[1], exponent}));
  }
  if (symIsOne(base)) return base;
  Node n;
  n.kind = SymKind::Pow;
  n.args = {base, exponent};
  return make(std::move(n));
}

SymExpr SymBuild::minMax(bool max, std::vector<SymExpr> args) {
  std::vector<SymExpr> out;
  bool hasNumber = false;
  SymRational best;
  const std::string name = max ? "Max" : "Min";
  auto take = [&](const SymExpr& a) {
    if (a.kind() == SymKind::Number) {
      const SymRational r{a.integer(), a.denominator(), true};
      const bool less = static_cast<__int128>(r.p) * best.q < static_cast<__int128>(best.p) * r.q;
      if (!hasNumber || (max ? !less : less)) best = r;
      hasNumber = true;
    } else if (std::find(out.begin(), out.end(), a) == out.end()) {
      out.push_back(a);
    }
  };
  for (const SymExpr& a : args) {
    if (!a.defined()) return SymExpr::undefined();
    if (a.kind() == SymKind::Function && a.name() == name)
      for (const SymExpr& inner : a.args()) take(inner);
    else
      take(a);
    if (out.size() > 512) return SymExpr::undefined();  // the search for equal ones is quadratic
  }
  if (hasNumber) {
    // An infinite bound swallows the number or everything else.
    const bool infinite =
        std::any_of(out.begin(), out.end(), [](const SymExpr& e) { return e.kind() == SymKind::Infinity; });
    if (!infinite) out.push_back(number(best));
  }
  // Of two that differ by a number only one counts: Max(s0, s0 + 1).
  if (out.size() <= 32) {
    std::vector<SymExpr> kept;
    for (size_t i = 0; i < out.size(); ++i) {
      bool drop = false;
      for (size_t j = 0; j < out.size() && !drop; ++j) {
        if (i == j) continue;
        const SymExpr d = out[j] - out[i];
        if (d.kind() == SymKind::Number) drop = max ? d.integer() > 0 : d.integer() < 0;
      }
      if (!drop) kept.push_back(out[i]);
    }
    out = std::move(kept);
  }
  if (out.size() == 1) return out[0];
  std::stable_sort(out.begin(), out.end(),
                   [](const SymExpr& a, const SymExpr& b) { return symCompare(a, b) < 0; });
  Node n;
  n.kind = SymKind::Function;
  n.name = name;
  n.args = std::move(out);
  return make(std::move(n));
}

SymExpr SymBuild::logic(const char* op, std::vector<SymExpr> args) {
  Node n;
  n.kind = SymKind::Logic;
  n.name = op;
  n.args = std::move(args);
  return make(std::move(n));
}

SymExpr SymBuild::rebuild(const SymExpr& e, std::vector<SymExpr> args) {
  switch (e.kind()) {
    case SymKind::Add:
      return add(std::move(args));
    case SymKind::Mul:
      return mul(std::move(args));
    case SymKind::Pow:
      return pow(args[0], args[1]);
    case SymKind::FloorDiv:
      return floorDiv(args[0], args[1], node(e).clean);
    case SymKind::Function:
      return SymExpr::function(e.name(), std::move(args));
    case SymKind::Relation:
      return symRelation(e.relation(), args[0], args[1]);
    case SymKind::Logic:
      return logic(e.name().c_str(), std::move(args));
    default:
      return e;
  }
}

}  // namespace descry::ir
