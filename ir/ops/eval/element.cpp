#include "ir/ops/eval/element.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/ops/eval/special_functions.h"
#include "ir/ops/registry.h"
#include "ir/ops/rules/op_rules.h"
#include "ir/ops/variants.h"

namespace descry::ir::eval {

namespace {

using rules::BinaryOp;
using rules::CompareOp;
using rules::Expr;
using rules::ExprKind;
using rules::Stmt;
using rules::StmtKind;

[[noreturn]] void fail(const std::string& what) {
  throw EvalError("rule-error", "scalar expression: " + what);
}

bool whole(const Value& v) {
  return v.kind() == VKind::Int || v.kind() == VKind::Bool;
}
int64_t intOf(const Value& v) {
  if (!whole(v)) fail("expected an integer, got " + v.describe());
  return v.raw();
}
double realOf(const Value& v) {
  if (whole(v)) return static_cast<double>(v.raw());
  if (v.kind() != VKind::Float) fail("expected a number, got " + v.describe());
  return v.rawReal();
}
/// Conversion of a number that need not fit, as CPUs do it: what is out of range becomes the lowest integer.
int64_t truncated(double d) {
  if (!(d >= -0x1p63 && d < 0x1p63)) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(d);
}

// Integers wrap.
int64_t wrap(uint64_t v) {
  return static_cast<int64_t>(v);
}
uint64_t bits(int64_t v) {
  return static_cast<uint64_t>(v);
}

int64_t floorDiv(int64_t a, int64_t b) {
  if (b == 0) throw EvalError("zero-division", "ZeroDivisionError");
  if (b == -1) return wrap(0 - bits(a));
  const int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}
int64_t modulo(int64_t a, int64_t b) {
  if (b == 0) throw EvalError("zero-division", "ZeroDivisionError");
  if (b == -1) return 0;
  const int64_t m = a % b;
  return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}
/// c10::div_floor_floating: exact where the quotient would be rounded up to the next integer.
double floorDiv(double a, double b) {
  if (b == 0) return a / b;
  const double mod = std::fmod(a, b);
  double div = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0)) div -= 1;
  if (div == 0) return std::copysign(0.0, a / b);
  const double low = std::floor(div);
  return div - low > 0.5 ? low + 1 : low;
}
double modulo(double a, double b) {
  const double mod = std::fmod(a, b);
  return mod != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
}
int64_t power(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  uint64_t out = 1, square = bits(base);
  for (uint64_t e = bits(exponent); e; e >>= 1) {
    if (e & 1) out *= square;
    square *= square;
  }
  return wrap(out);
}
int64_t shiftLeft(int64_t a, int64_t b) {
  return b < 0 || b >= 64 ? 0 : wrap(bits(a) << b);
}
int64_t shiftRight(int64_t a, int64_t b) {
  return a >> (b < 0 || b >= 64 ? 63 : b);
}

Value binary(BinaryOp op, const Value& a, const Value& b) {
  const bool ints = whole(a) && whole(b);
  const bool bools = a.kind() == VKind::Bool && b.kind() == VKind::Bool;
  const auto logic = [&](int64_t v) { return bools ? Value::boolean(v != 0) : Value(v); };
  switch (op) {
    case BinaryOp::Add:
      return ints ? Value(wrap(bits(intOf(a)) + bits(intOf(b)))) : Value::real(realOf(a) + realOf(b));
    case BinaryOp::Sub:
      return ints ? Value(wrap(bits(intOf(a)) - bits(intOf(b)))) : Value::real(realOf(a) - realOf(b));
    case BinaryOp::Mul:
      return ints ? Value(wrap(bits(intOf(a)) * bits(intOf(b)))) : Value::real(realOf(a) * realOf(b));
    case BinaryOp::Div:
      return Value::real(realOf(a) / realOf(b));
    case BinaryOp::FloorDiv:
      return ints ? Value(floorDiv(intOf(a), intOf(b))) : Value::real(floorDiv(realOf(a), realOf(b)));
    case BinaryOp::Mod:
      return ints ? Value(modulo(intOf(a), intOf(b))) : Value::real(modulo(realOf(a), realOf(b)));
    case BinaryOp::Pow:
      return ints ? Value(power(intOf(a), intOf(b))) : Value::real(std::pow(realOf(a), realOf(b)));
    case BinaryOp::And:
      return logic(intOf(a) & intOf(b));
    case BinaryOp::Or:
      return logic(intOf(a) | intOf(b));
    case BinaryOp::Xor:
      return logic(intOf(a) ^ intOf(b));
    case BinaryOp::Shl:
      return shiftLeft(intOf(a), intOf(b));
    case BinaryOp::Shr:
      return shiftRight(intOf(a), intOf(b));
    case BinaryOp::MatMul:
      break;
  }
  fail("no such operator for numbers");
}

bool compare(CompareOp op, const Value& a, const Value& b) {
  if (op == CompareOp::Is || op == CompareOp::IsNot)
    return (a.isNone() && b.isNone()) == (op == CompareOp::Is);
  if (a.kind() == VKind::Str && b.kind() == VKind::Str) {
    if (op == CompareOp::Eq) return a.text() == b.text();
    if (op == CompareOp::Ne) return a.text() != b.text();
    fail("texts have no order");
  }
  const auto with = [op](auto x, auto y) {
    switch (op) {
      case CompareOp::Eq:
        return x == y;
      case CompareOp::Ne:
        return x != y;
      case CompareOp::Lt:
        return x < y;
      case CompareOp::Le:
        return x <= y;
      case CompareOp::Gt:
        return x > y;
      case CompareOp::Ge:
        return x >= y;
      default:
        fail("no such comparison");
    }
  };
  return whole(a) && whole(b) ? with(intOf(a), intOf(b)) : with(realOf(a), realOf(b));
}

// Functions. A NaN among the arguments of min and max is the result, as in PyTorch.
Value extreme(const Values& v, bool greatest) {
  if (whole(v[0]) && whole(v[1])) {
    const bool first = greatest ? intOf(v[0]) >= intOf(v[1]) : intOf(v[0]) <= intOf(v[1]);
    return first ? v[0] : v[1];
  }
  const double a = realOf(v[0]), b = realOf(v[1]);
  if (std::isnan(a) || std::isnan(b)) return Value::real(std::isnan(a) ? a : b);
  return Value::real(greatest ? (a > b ? a : b) : (a < b ? a : b));
}

template <double (*F)(double)>
Value real1(const Values& v) {
  return Value::real(F(realOf(v[0])));
}
template <double (*F)(double, double)>
Value real2(const Values& v) {
  return Value::real(F(realOf(v[0]), realOf(v[1])));
}
template <double (*F)(int, double), int Order>
Value ofOrder(const Values& v) {
  return Value::real(F(Order, realOf(v[0])));
}
int64_t gcd(int64_t a, int64_t b) {
  uint64_t x = a < 0 ? 0 - bits(a) : bits(a), y = b < 0 ? 0 - bits(b) : bits(b);
  while (y) {
    const uint64_t r = x % y;
    x = y;
    y = r;
  }
  return wrap(x);
}

struct Named {
  std::string_view name;
  size_t arity;
  Value (*call)(const Values&);
};
#define DESCRY_REAL1(NAME)                                                         \
  Named {                                                                          \
#NAME, 1, [](const Values& v) { return Value::real(std::NAME(realOf(v[0]))); } \
  }
#define DESCRY_REAL2(NAME)                                                                       \
  Named {                                                                                        \
#NAME, 2, [](const Values& v) { return Value::real(std::NAME(realOf(v[0]), realOf(v[1]))); } \
  }
constexpr Named kFunctions[] = {
    {"abs", 1,
     [](const Values& v) {
       if (v[0].kind() == VKind::Bool) return v[0];
       if (whole(v[0])) return Value(v[0].raw() < 0 ? wrap(0 - bits(v[0].raw())) : v[0].raw());
       return Value::real(std::fabs(realOf(v[0])));
     }},
    DESCRY_REAL1(acos),
    DESCRY_REAL1(acosh),
    {"airy_ai", 1, real1<airyAi>},
    DESCRY_REAL1(asin),
    DESCRY_REAL1(asinh),
    DESCRY_REAL1(atan),
    DESCRY_REAL2(atan2),
    DESCRY_REAL1(atanh),
    {"bessel_i0e", 1, ofOrder<besselIScaled, 0>},
    {"bessel_i1e", 1, ofOrder<besselIScaled, 1>},
    {"bessel_j0", 1, ofOrder<besselJ, 0>},
    {"bessel_j1", 1, ofOrder<besselJ, 1>},
    {"bessel_k0e", 1, ofOrder<besselKScaled, 0>},
    {"bessel_k1e", 1, ofOrder<besselKScaled, 1>},
    {"bessel_y0", 1, ofOrder<besselY, 0>},
    {"bessel_y1", 1, ofOrder<besselY, 1>},
    // Whole numbers stay as they are.
    {"ceil", 1, [](const Values& v) { return whole(v[0]) ? v[0] : Value::real(std::ceil(realOf(v[0]))); }},
    DESCRY_REAL2(copysign),
    DESCRY_REAL1(cos),
    DESCRY_REAL1(cosh),
    {"digamma", 1, real1<digamma>},
    DESCRY_REAL1(erf),
    DESCRY_REAL1(erfc),
    {"erfcinv", 1, real1<erfcInverse>},
    {"erfcx", 1, real1<erfcScaled>},
    {"erfinv", 1, real1<erfInverse>},
    DESCRY_REAL1(exp),
    DESCRY_REAL1(exp2),
    DESCRY_REAL1(expm1),
    {"float", 1, [](const Values& v) { return Value::real(realOf(v[0])); }},
    {"floor", 1, [](const Values& v) { return whole(v[0]) ? v[0] : Value::real(std::floor(realOf(v[0]))); }},
    {"fma", 3,
     [](const Values& v) { return Value::real(std::fma(realOf(v[0]), realOf(v[1]), realOf(v[2]))); }},
    {"fmod", 2,
     [](const Values& v) {
       if (!whole(v[0]) || !whole(v[1])) return Value::real(std::fmod(realOf(v[0]), realOf(v[1])));
       if (intOf(v[1]) == 0) throw EvalError("zero-division", "ZeroDivisionError");
       return Value(intOf(v[1]) == -1 ? 0 : intOf(v[0]) % intOf(v[1]));
     }},
    {"frexp_exponent", 1,
     [](const Values& v) {
       int e = 0;
       std::frexp(realOf(v[0]), &e);
       return Value(std::isfinite(realOf(v[0])) ? e : 0);
     }},
    {"frexp_mantissa", 1,
     [](const Values& v) {
       int e = 0;
       return Value::real(std::frexp(realOf(v[0]), &e));
     }},
    {"gamma_lower", 2, real2<gammaLower>},
    {"gamma_upper", 2, real2<gammaUpper>},
    {"gcd", 2, [](const Values& v) { return Value(gcd(intOf(v[0]), intOf(v[1]))); }},
    DESCRY_REAL2(hypot),
    {"int", 1,
     [](const Values& v) { return whole(v[0]) ? Value(v[0].raw()) : Value(truncated(realOf(v[0]))); }},
    {"is_whole", 1, [](const Values& v) { return Value::boolean(whole(v[0])); }},
    {"isnan", 1, [](const Values& v) { return Value::boolean(std::isnan(realOf(v[0]))); }},
    {"largest", 0, [](const Values&) { return Value::real(std::numeric_limits<double>::max()); }},
    DESCRY_REAL1(lgamma),
    DESCRY_REAL1(log),
    DESCRY_REAL1(log10),
    DESCRY_REAL1(log1p),
    DESCRY_REAL1(log2),
    {"max", 2, [](const Values& v) { return extreme(v, true); }},
    {"min", 2, [](const Values& v) { return extreme(v, false); }},
    DESCRY_REAL2(nextafter),
    {"pow", 2, [](const Values& v) { return binary(BinaryOp::Pow, v[0], v[1]); }},
    {"round", 1,
     [](const Values& v) { return whole(v[0]) ? v[0] : Value::real(std::nearbyint(realOf(v[0]))); }},
    {"signbit", 1,
     [](const Values& v) {
       return Value::boolean(whole(v[0]) ? v[0].raw() < 0 : std::signbit(realOf(v[0])));
     }},
    DESCRY_REAL1(sin),
    DESCRY_REAL1(sinh),
    DESCRY_REAL1(sqrt),
    DESCRY_REAL1(tan),
    DESCRY_REAL1(tanh),
    {"trunc", 1, [](const Values& v) { return whole(v[0]) ? v[0] : Value::real(std::trunc(realOf(v[0]))); }},
    {"trunc_divide", 2,
     [](const Values& v) {
       if (!whole(v[0]) || !whole(v[1])) return Value::real(std::trunc(realOf(v[0]) / realOf(v[1])));
       if (intOf(v[1]) == 0) throw EvalError("zero-division", "ZeroDivisionError");
       return Value(intOf(v[1]) == -1 ? wrap(0 - bits(intOf(v[0]))) : intOf(v[0]) / intOf(v[1]));
     }},
    {"zeta", 2, real2<zeta>},
};
#undef DESCRY_REAL1
#undef DESCRY_REAL2

class Element {
 public:
  explicit Element(const OpRegistry& ops) : ops_(ops) {}

  Value run(const rules::Function& f, Values args) {
    if (++depth_ > 50) fail("functions call one another without an end");
    Values locals = std::move(args);
    locals.resize(std::max(f.locals.size(), f.params.size()));
    Value out;
    if (!exec(f.body, locals, out)) fail("nothing is returned");
    --depth_;
    return out;
  }

 private:
  /// Whether `out` was returned.
  bool exec(const std::vector<Stmt>& body, Values& locals, Value& out) {
    for (const Stmt& s : body) switch (s.kind) {
        case StmtKind::Return:
          out = eval(*s.value, locals);
          return true;
        case StmtKind::Assign:
          assign(*s.target, locals, eval(*s.value, locals));
          break;
        case StmtKind::AugAssign:
          assign(*s.target, locals, binary(s.op, eval(*s.target, locals), eval(*s.value, locals)));
          break;
        case StmtKind::If:
          if (exec(truth(*s.value, locals) ? s.body : s.orElse, locals, out)) return true;
          break;
        case StmtKind::While:
          // Recurrences run as often as an argument says.
          for (int64_t n = 0; truth(*s.value, locals); ++n) {
            if (n > 1'000'000) fail("a loop does not end");
            if (exec(s.body, locals, out)) return true;
          }
          break;
        default:
          fail("no such statement");
      }
    return false;
  }

  static void assign(const Expr& target, Values& locals, Value v) {
    if (target.kind != ExprKind::Local) fail("only names are assigned to");
    locals[static_cast<size_t>(target.slot)] = std::move(v);
  }

  bool truth(const Expr& e, Values& locals) {
    const Value v = eval(e, locals);
    if (v.isNone()) return false;
    return whole(v) ? v.raw() != 0 : realOf(v) != 0;
  }

  Value eval(const Expr& e, Values& locals) {
    const auto kid = [&](size_t i) { return eval(*e.kids[i], locals); };
    switch (e.kind) {
      case ExprKind::None:
        return {};
      case ExprKind::True:
      case ExprKind::False:
        return Value::boolean(e.kind == ExprKind::True);
      case ExprKind::Int:
        return Value(e.integer);
      case ExprKind::Float:
        return Value::real(e.real);
      case ExprKind::Str:
        return Value::str(e.text);
      case ExprKind::Local:
        return locals[static_cast<size_t>(e.slot)];
      case ExprKind::Global:
        if (e.text == "inf") return Value::real(HUGE_VAL);
        if (e.text == "nan") return Value::real(std::numeric_limits<double>::quiet_NaN());
        if (e.text == "pi") return Value::real(M_PI);
        fail("unknown name `" + e.text + "`");
      case ExprKind::Unary:
        return unary(static_cast<char>(e.op), e, locals);
      case ExprKind::Binary:
        return binary(static_cast<BinaryOp>(e.op), kid(0), kid(1));
      case ExprKind::And:
      case ExprKind::Or: {
        const bool isAnd = e.kind == ExprKind::And;
        for (const rules::ExprPtr& k : e.kids)
          if (truth(*k, locals) != isAnd) return Value::boolean(!isAnd);
        return Value::boolean(isAnd);
      }
      case ExprKind::Compare: {
        Value left = kid(0);
        for (size_t i = 1; i < e.kids.size(); ++i) {
          Value right = kid(i);
          const CompareOp op = e.compares.empty() ? static_cast<CompareOp>(e.op) : e.compares[i - 1];
          if (!compare(op, left, right)) return Value::boolean(false);
          left = std::move(right);
        }
        return Value::boolean(true);
      }
      case ExprKind::IfElse:
        return truth(*e.kids[0], locals) ? kid(1) : kid(2);
      case ExprKind::Call:
        return call(e, locals);
      default:
        fail("no such expression");
    }
  }

  Value unary(char op, const Expr& e, Values& locals) {
    if (op == '!') return Value::boolean(!truth(*e.kids[0], locals));
    const Value v = eval(*e.kids[0], locals);
    if (op == '+') return v;
    if (op == '~') return v.kind() == VKind::Bool ? Value::boolean(v.raw() == 0) : Value(~intOf(v));
    return whole(v) ? Value(wrap(0 - bits(v.raw()))) : Value::real(-realOf(v));
  }

  Value call(const Expr& e, Values& locals) {
    const Expr& callee = *e.kids[0];
    if (callee.kind != ExprKind::Global || !e.keys.empty()) fail("only functions are called, by position");
    Values args;
    for (size_t i = 1; i < e.kids.size(); ++i) args.push_back(eval(*e.kids[i], locals));
    const auto found = std::lower_bound(std::begin(kFunctions), std::end(kFunctions), callee.text,
                                        [](const Named& n, std::string_view t) { return n.name < t; });
    if (found != std::end(kFunctions) && found->name == callee.text) {
      if (args.size() != found->arity) fail(callee.text + "() takes " + std::to_string(found->arity));
      return found->call(args);
    }
    const rules::Function* helper = ops_.function(callee.text);
    if (!helper) fail("unknown function `" + callee.text + "`");
    if (args.size() != helper->params.size()) fail(callee.text + "() takes another number of arguments");
    return run(*helper, std::move(args));
  }

  const OpRegistry& ops_;
  int depth_ = 0;
};

}  // namespace

const OpDef* elementRule(const OpDef& op) {
  if (op.rules().scalar) return &op;
  if (!op.has(kOpMutates)) return nullptr;
  const OpDef* pure = functionalVariant(op);
  return pure && pure->rules().scalar ? pure : nullptr;
}

Value elementOf(const OpDef& op, Values args) {
  const OpDef* told = elementRule(op);
  if (!told) throw EvalError("no-scalar", "no scalar expression is known for " + op.target());
  const rules::OpRules& rules = told->rules();
  for (size_t i = args.size(); i < rules.defaults.size(); ++i)
    args.push_back(rules.defaults[i].value_or(Value()));
  args.resize(rules.defaults.size());
  return Element(told->registry()).run(*rules.scalar, std::move(args));
}

std::vector<std::string_view> elementFunctions() {
  std::vector<std::string_view> out;
  for (const Named& n : kFunctions) out.push_back(n.name);
  return out;
}

}  // namespace descry::ir::eval
