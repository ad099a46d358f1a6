// Values and ranges of symbolic expressions.
#include <algorithm>
#include <cmath>

#include "ir/types/sym_build.h"

namespace descry::ir {

namespace {

constexpr int64_t kLow = INT64_MIN, kHigh = INT64_MAX;

/// An integer, or a real number inside of ToFloat, IntTrueDiv and their like.
struct Value {
  bool real = false;
  int64_t i = 0;
  double d = 0;
  static Value of(int64_t v) { return {false, v, 0}; }
  static Value ofReal(double v) { return {true, 0, v}; }
  double number() const { return real ? d : static_cast<double>(i); }
};

class Evaluator {
 public:
  explicit Evaluator(const SymExpr::Bindings& values) : values_(values) {}

  const char* code = nullptr;
  std::string message;

  bool fail(const char* why, std::string text) {
    if (!code) {
      code = why;
      message = std::move(text);
    }
    return false;
  }
  bool overflow() { return fail("sym-overflow", "the value does not fit 64 bits"); }

  bool eval(const SymExpr& e, Value& out) {
    const SymBuild::Node& n = SymBuild::node(e);
    switch (n.kind) {
      case SymKind::Undefined:
        return fail("sym-division", "the expression has no value");
      case SymKind::Infinity:
        out = Value::ofReal(n.clean ? -HUGE_VAL : HUGE_VAL);
        return true;
      case SymKind::Bool:
        out = Value::of(n.p);
        return true;
      case SymKind::Real:
        out = Value::ofReal(std::strtod(n.name.c_str(), nullptr));
        return true;
      case SymKind::Number:
        out = n.q == 1 ? Value::of(n.p) : Value::ofReal(static_cast<double>(n.p) / static_cast<double>(n.q));
        return true;
      case SymKind::Symbol: {
        const auto found = values_.find(n.name);
        if (found == values_.end()) return fail("sym-unbound", "the symbol '" + n.name + "' has no value");
        out = Value::of(found->second);
        return true;
      }
      case SymKind::Mul:
        if (n.args[0].kind() == SymKind::Number && n.args[0].denominator() != 1) return fractionOf(n, out);
        break;
      default:
        break;
    }
    if (n.kind == SymKind::Function && n.name == "Where" && n.args.size() == 3) {
      Value c;
      return eval(n.args[0], c) && eval(n.args[c.number() != 0 ? 1 : 2], out);
    }
    std::vector<Value> args(n.args.size());
    for (size_t i = 0; i < n.args.size(); ++i)
      if (!eval(n.args[i], args[i])) return false;
    switch (n.kind) {
      case SymKind::Add:
        return fold(args, out, true);
      case SymKind::Mul:
        return fold(args, out, false);
      case SymKind::Pow:
        return power(args[0], args[1], out);
      case SymKind::FloorDiv:
        return floorDivide(args[0], args[1], out);
      case SymKind::Relation: {
        const int c = compare(args[0], args[1]);
        static constexpr bool kTrue[6][3] = {{false, true, false}, {true, false, true},  {true, false, false},
                                             {true, true, false},  {false, false, true}, {false, true, true}};
        out = Value::of(kTrue[static_cast<size_t>(n.rel)][c + 1]);
        return true;
      }
      case SymKind::Logic: {
        bool all = true, any = false;
        for (const Value& v : args) {
          all &= v.number() != 0;
          any |= v.number() != 0;
        }
        out = Value::of(n.name == "&" ? all : n.name == "|" ? any : !all);
        return true;
      }
      default:
        return function(n.name, args, out);
    }
  }

 private:
  static int compare(const Value& a, const Value& b) {
    if (!a.real && !b.real) return a.i < b.i ? -1 : a.i > b.i;
    return a.number() < b.number() ? -1 : a.number() > b.number();
  }

  /// s0/2 is an integer when the division is exact.
  bool fractionOf(const SymBuild::Node& n, Value& out) {
    std::vector<Value> args(n.args.size());
    Value product = Value::of(n.args[0].integer());
    args[0] = product;
    for (size_t i = 1; i < n.args.size(); ++i)
      if (!eval(n.args[i], args[i])) return false;
    if (!fold(args, product, false)) return false;
    const int64_t q = n.args[0].denominator();
    if (!product.real && product.i % q == 0)
      out = Value::of(product.i / q);
    else
      out = Value::ofReal(product.number() / static_cast<double>(q));
    return true;
  }

  bool fold(const std::vector<Value>& args, Value& out, bool sum) {
    bool real = false;
    for (const Value& v : args) real |= v.real;
    if (real) {
      double d = sum ? 0 : 1;
      for (const Value& v : args) d = sum ? d + v.number() : d * v.number();
      out = Value::ofReal(d);
      return true;
    }
    int64_t r = sum ? 0 : 1;
    // The order of printing decides about overflow, so big intermediate values may be refused.
    for (const Value& v : args)
      if (sum ? __builtin_add_overflow(r, v.i, &r) : __builtin_mul_overflow(r, v.i, &r)) return overflow();
    out = Value::of(r);
    return true;
  }

  bool power(const Value& b, const Value& e, Value& out) {
    if (b.real || e.real || e.i < 0) {
      if (b.number() == 0 && e.number() < 0) return fail("sym-division", "a division by zero");
      out = Value::ofReal(std::pow(b.number(), e.number()));
      return true;
    }
    int64_t r = 1, base = b.i, k = e.i;
    while (k) {
      if (k & 1)
        if (__builtin_mul_overflow(r, base, &r)) return overflow();
      k >>= 1;
      if (k && __builtin_mul_overflow(base, base, &base)) {
        if (b.i == 0 || b.i == 1 || b.i == -1) break;
        return overflow();
      }
    }
    out = Value::of(r);
    return true;
  }

  bool floorDivide(const Value& a, const Value& b, Value& out) {
    if (b.number() == 0) return fail("sym-division", "a division by zero");
    if (a.real || b.real) return integral(std::floor(a.number() / b.number()), out);
    if (a.i == kLow && b.i == -1) return overflow();
    out = Value::of(symFloorDivide(a.i, b.i));
    return true;
  }

  bool modulo(const Value& a, const Value& b, Value& out) {
    if (a.real || b.real) return fail("sym-not-integer", "Mod of real numbers");
    if (b.i == 0) return fail("sym-division", "a division by zero");
    if (b.i == -1) {
      out = Value::of(0);
      return true;
    }
    const int64_t r = a.i % b.i;
    out = Value::of(r != 0 && (r < 0) != (b.i < 0) ? r + b.i : r);
    return true;
  }

  bool integral(double d, Value& out) {
    if (!(d >= -9.2e18 && d <= 9.2e18)) return overflow();
    out = Value::of(static_cast<int64_t>(d));
    return true;
  }

  bool function(const std::string& name, const std::vector<Value>& args, Value& out) {
    const size_t k = args.size();
    if ((name == "Max" || name == "Min") && k) {
      out = args[0];
      for (const Value& v : args)
        if (name == "Max" ? compare(v, out) > 0 : compare(v, out) < 0) out = v;
      return true;
    }
    if ((name == "Mod" || name == "PythonMod") && k == 2) return modulo(args[0], args[1], out);
    if (name == "ModularIndexing" && k == 3) {
      Value q;
      return floorDivide(args[0], args[1], q) && modulo(q, args[2], out);
    }
    if (name == "CeilDiv" && k == 2) {
      if (args[0].real || args[1].real || args[0].i == kLow)
        return fail("sym-not-integer", "CeilDiv of real numbers");
      Value q;
      if (!floorDivide(Value::of(-args[0].i), args[1], q)) return false;
      out = Value::of(-q.i);
      return true;
    }
    if ((name == "IntTrueDiv" || name == "FloatTrueDiv") && k == 2) {
      if (args[1].number() == 0) return fail("sym-division", "a division by zero");
      out = Value::ofReal(args[0].number() / args[1].number());
      return true;
    }
    if (name == "ToFloat" && k == 1) {
      out = Value::ofReal(args[0].number());
      return true;
    }
    if (k == 1) {
      const double d = args[0].number();
      if (!args[0].real && (name == "TruncToInt" || name == "CeilToInt" || name == "FloorToInt" ||
                            name == "RoundToInt" || name == "Identity")) {
        out = args[0];
        return true;
      }
      if (name == "TruncToInt") return integral(std::trunc(d), out);
      if (name == "CeilToInt") return integral(std::ceil(d), out);
      if (name == "FloorToInt") return integral(std::floor(d), out);
      if (name == "RoundToInt") return integral(std::nearbyint(d), out);
      if (name == "Identity") {
        out = args[0];
        return true;
      }
      if (name == "Abs" && !args[0].real && args[0].i != kLow) {
        out = Value::of(args[0].i < 0 ? -args[0].i : args[0].i);
        return true;
      }
    }
    if ((name == "PowByNatural" || name == "FloatPow") && k == 2) return power(args[0], args[1], out);
    if (name == "LShift" && k == 2 && !args[0].real && !args[1].real && args[1].i >= 0 && args[1].i < 63) {
      int64_t r;
      if (__builtin_mul_overflow(args[0].i, int64_t{1} << args[1].i, &r)) return overflow();
      out = Value::of(r);
      return true;
    }
    if (name == "RShift" && k == 2 && !args[0].real && !args[1].real && args[1].i >= 0 && args[1].i < 63) {
      out = Value::of(args[0].i >> args[1].i);
      return true;
    }
    return fail("sym-not-integer", "the function '" + name + "' has no known value");
  }

  const SymExpr::Bindings& values_;
};

// ---------------------------------------------------------------- ranges; the ends of int64 stand for
// infinity

int64_t clamp(__int128 v) {
  return v <= kLow ? kLow : v >= kHigh ? kHigh : static_cast<int64_t>(v);
}
bool infinite(int64_t v) {
  return v == kLow || v == kHigh;
}

int64_t addEnds(int64_t a, int64_t b) {
  if (infinite(a)) return a;
  if (infinite(b)) return b;
  return clamp(static_cast<__int128>(a) + b);
}
int64_t mulEnds(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (infinite(a) || infinite(b)) return (a < 0) == (b < 0) ? kHigh : kLow;
  return clamp(static_cast<__int128>(a) * b);
}
int64_t divEnds(int64_t a, int64_t b) {
  if (infinite(b))
    return infinite(a) ? ((a < 0) == (b < 0) ? kHigh : kLow) : ((a < 0) != (b < 0) && a != 0 ? -1 : 0);
  if (infinite(a)) return (a < 0) == (b < 0) ? kHigh : kLow;
  return symFloorDivide(a, b);
}
SymRange hull(std::initializer_list<int64_t> ends) {
  return {std::min(ends), std::max(ends)};
}
SymRange mulRanges(SymRange a, SymRange b) {
  return hull({mulEnds(a.lo, b.lo), mulEnds(a.lo, b.hi), mulEnds(a.hi, b.lo), mulEnds(a.hi, b.hi)});
}
constexpr SymRange kAll{};
constexpr SymRange kBoolean{0, 1};

SymRange divRanges(SymRange a, SymRange b) {
  if (b.lo <= 0 && b.hi >= 0) {  // the divisor is not zero: try both sides
    const bool below = b.lo<0, above = b.hi> 0;
    if (below && above) {
      const SymRange x = divRanges(a, {b.lo, -1}), y = divRanges(a, {1, b.hi});
      return {std::min(x.lo, y.lo), std::max(x.hi, y.hi)};
    }
    if (!below && !above) return kAll;
    b = below ? SymRange{b.lo, -1} : SymRange{1, b.hi};
  }
  SymRange r = hull({divEnds(a.lo, b.lo), divEnds(a.lo, b.hi), divEnds(a.hi, b.lo), divEnds(a.hi, b.hi)});
  // An unbounded side divided by an unbounded divisor may end anywhere in between.
  if (infinite(a.lo) || infinite(a.hi)) {
    r.lo = std::min(r.lo, a.lo < 0 && b.hi > 0 ? int64_t{-1} : int64_t{0});
    r.hi = std::max<int64_t>(r.hi, 0);
  }
  return r;
}

SymRange modRange(SymRange a, SymRange b) {
  if (b.lo > 0) {
    if (a.lo >= 0 && a.hi < b.lo) return a;
    return {0, infinite(b.hi) ? (a.lo >= 0 ? a.hi : kHigh) : b.hi - 1};
  }
  if (b.hi < 0) return {infinite(b.lo) ? kLow : b.lo + 1, 0};
  return kAll;
}

SymRange compareRanges(SymRel rel, SymRange a, SymRange b) {
  auto known = [](bool v) { return SymRange{v, v}; };
  switch (rel) {
    case SymRel::Lt:
      if (a.hi < b.lo) return known(true);
      if (a.lo >= b.hi && !infinite(a.lo) && !infinite(b.hi)) return known(false);
      return kBoolean;
    case SymRel::Le:
      if (a.hi <= b.lo && !infinite(a.hi) && !infinite(b.lo)) return known(true);
      if (a.lo > b.hi) return known(false);
      return kBoolean;
    case SymRel::Gt:
      return compareRanges(SymRel::Lt, b, a);
    case SymRel::Ge:
      return compareRanges(SymRel::Le, b, a);
    case SymRel::Eq:
    case SymRel::Ne: {
      const bool eq = rel == SymRel::Eq;
      if (a.hi < b.lo || b.hi < a.lo) return known(!eq);
      if (a.single() && b.single() && a == b && !infinite(a.lo)) return known(eq);
      return kBoolean;
    }
  }
  return kBoolean;
}

SymRange rangeOf(const SymExpr& e, const SymExpr::Ranges& ranges) {
  const SymBuild::Node& n = SymBuild::node(e);
  auto arg = [&](size_t i) { return rangeOf(n.args[i], ranges); };
  switch (n.kind) {
    case SymKind::Number:
      return {symFloorDivide(n.p, n.q), n.q == 1 ? n.p : symFloorDivide(n.p, n.q) + 1};
    case SymKind::Bool:
      return {n.p, n.p};
    case SymKind::Infinity:
      return n.clean ? SymRange{kLow, kLow} : SymRange{kHigh, kHigh};
    case SymKind::Real: {
      const double d = std::strtod(n.name.c_str(), nullptr);
      if (!(d > -9e18 && d < 9e18)) return kAll;
      return {static_cast<int64_t>(std::floor(d)), static_cast<int64_t>(std::ceil(d))};
    }
    case SymKind::Symbol: {
      const auto found = ranges.find(n.name);
      return found == ranges.end() ? kAll : found->second;
    }
    case SymKind::Add: {
      SymRange r{0, 0};
      for (size_t i = 0; i < n.args.size(); ++i) {
        const SymRange a = arg(i);
        r = {addEnds(r.lo, a.lo), addEnds(r.hi, a.hi)};
      }
      return r;
    }
    case SymKind::Mul: {
      SymRange r{1, 1};
      for (size_t i = 0; i < n.args.size(); ++i) r = mulRanges(r, arg(i));
      return r;
    }
    case SymKind::Pow: {
      const SymRange b = arg(0), k = arg(1);
      if (!k.single() || k.lo < 0 || k.lo > 64) return b.lo >= 0 && k.lo >= 0 ? SymRange{0, kHigh} : kAll;
      SymRange r{1, 1};
      const bool even = k.lo % 2 == 0;
      for (int64_t i = 0; i < k.lo; ++i) r = mulRanges(r, b);
      if (even) {
        const int64_t least = b.lo > 0 ? b.lo : b.hi < 0 ? b.hi : 0;
        int64_t low = 1;
        for (int64_t i = 0; i < k.lo; ++i) low = mulEnds(low, least);
        r.lo = std::max(r.lo, low);
      }
      return r;
    }
    case SymKind::FloorDiv:
      return divRanges(arg(0), arg(1));
    case SymKind::Relation:
      return compareRanges(n.rel, arg(0), arg(1));
    case SymKind::Logic: {
      SymRange r = n.name == "|" ? SymRange{0, 0} : SymRange{1, 1};
      for (size_t i = 0; i < n.args.size(); ++i) {
        const SymRange a = arg(i);
        r = n.name == "|" ? SymRange{std::max(r.lo, a.lo), std::max(r.hi, a.hi)}
                          : SymRange{std::min(r.lo, a.lo), std::min(r.hi, a.hi)};
      }
      if (n.name == "~") r = {1 - std::min<int64_t>(r.hi, 1), 1 - std::max<int64_t>(r.lo, 0)};
      return {std::max<int64_t>(r.lo, 0), std::min<int64_t>(r.hi, 1)};
    }
    case SymKind::Function: {
      const size_t k = n.args.size();
      if ((n.name == "Max" || n.name == "Min") && k) {
        SymRange r = arg(0);
        for (size_t i = 1; i < k; ++i) {
          const SymRange a = arg(i);
          r = n.name == "Max" ? SymRange{std::max(r.lo, a.lo), std::max(r.hi, a.hi)}
                              : SymRange{std::min(r.lo, a.lo), std::min(r.hi, a.hi)};
        }
        return r;
      }
      if ((n.name == "Mod" || n.name == "PythonMod") && k == 2) return modRange(arg(0), arg(1));
      if (n.name == "ModularIndexing" && k == 3) return modRange(divRanges(arg(0), arg(1)), arg(2));
      if (n.name == "Where" && k == 3) {
        const SymRange a = arg(1), b = arg(2);
        return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
      }
      if ((n.name == "ToFloat" || n.name == "Identity") && k == 1) return arg(0);
      return kAll;
    }
    case SymKind::Undefined:
      return kAll;
  }
  return kAll;
}

}  // namespace

Result<int64_t> SymExpr::evaluate(const Bindings& values) const {
  Evaluator evaluator(values);
  Value v;
  if (evaluator.eval(*this, v)) {
    if (!v.real) return v.i;
    if (std::isinf(v.d))
      evaluator.fail("sym-overflow", "the value is infinite");
    else
      evaluator.fail("sym-not-integer", "the value is a real number");
  }
  return failure(evaluator.code, "symbolic expression: " + evaluator.message);
}

SymRange SymExpr::range(const Ranges& ranges) const {
  return rangeOf(*this, ranges);
}

}  // namespace descry::ir
