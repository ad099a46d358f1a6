#include "runtime/loops/expression.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace descry::runtime {

namespace {

using ir::rules::BinaryOp;
using ir::rules::CompareOp;
using ir::rules::Expr;
using ir::rules::ExprKind;
using ir::rules::Function;
using ir::rules::Stmt;
using ir::rules::StmtKind;

[[noreturn]] void fail(const std::string& what) {
  throw EvalError("rule-error", "scalar expression: " + what);
}

/// Functions that are one instruction.
struct Named {
  std::string_view name;
  size_t arity;
  LoopOp op;
};
constexpr Named kFunctions[] = {
#define DESCRY_X(NAME, TEXT) {#TEXT, 1, LoopOp::NAME},
    DESCRY_LOOP_VECTOR_MATH(DESCRY_X) DESCRY_LOOP_SPECIAL(DESCRY_X)
#undef DESCRY_X
        {"sqrt", 1, LoopOp::Sqrt},
    {"abs", 1, LoopOp::Abs},
    {"isnan", 1, LoopOp::IsNan},
    {"signbit", 1, LoopOp::Signbit},
    {"frexp_mantissa", 1, LoopOp::FrexpMantissa},
    {"frexp_exponent", 1, LoopOp::FrexpExponent},
    {"atan2", 2, LoopOp::Atan2},
    {"hypot", 2, LoopOp::Hypot},
    {"copysign", 2, LoopOp::Copysign},
    {"gcd", 2, LoopOp::Gcd},
    {"zeta", 2, LoopOp::Zeta},
    {"gamma_lower", 2, LoopOp::GammaLower},
    {"gamma_upper", 2, LoopOp::GammaUpper},
    {"min", 2, LoopOp::Min},
    {"max", 2, LoopOp::Max},
    {"fmod", 2, LoopOp::Fmod},
    {"pow", 2, LoopOp::Pow},
    {"trunc_divide", 2, LoopOp::TruncDiv},
    {"fma", 3, LoopOp::Fma},
};
/// These leave integers alone.
constexpr Named kRounding[] = {{"floor", 1, LoopOp::Floor},
                               {"ceil", 1, LoopOp::Ceil},
                               {"trunc", 1, LoopOp::Trunc},
                               {"round", 1, LoopOp::Round}};

bool isCostly(std::string_view function) {
  constexpr std::string_view costly[] = {"zeta",  "gamma_lower", "gamma_upper", "digamma",   "airy_ai",
                                         "erfcx", "bessel_j0",   "bessel_j1",   "bessel_y0", "bessel_y1"};
  return std::find(std::begin(costly), std::end(costly), function) != std::end(costly);
}

class Writer {
 public:
  Writer(LoopBuilder& b, const ir::OpRegistry& helpers, DType computed)
      : b_(b), helpers_(helpers), computed_(computed) {}

  LoopOperand run(const Function& f, std::vector<LoopOperand> locals) {
    if (++depth_ > 50) fail("functions call one another without an end");
    locals.resize(std::max(f.locals.size(), f.params.size()));
    std::vector<const std::vector<Stmt>*> lists = {&f.body};
    std::vector<size_t> at = {0};
    LoopOperand out;
    if (!block(lists, at, locals, out)) fail("nothing is returned");
    --depth_;
    return out;
  }

 private:
  using Locals = std::vector<LoopOperand>;

  LoopRegister number(const LoopOperand& o) {
    if (o.value == kNoRegister) fail("expected a number");
    return o.value;
  }
  LoopOperand made(LoopRegister r) { return {r, {}}; }

  /// Carries out what stands at the end of `lists` (blocks in blocks, outermost first), each from its place
  /// in `at` on. Whether `out` was returned.
  bool block(std::vector<const std::vector<Stmt>*> lists, std::vector<size_t> at, Locals& locals,
             LoopOperand& out) {
    while (!lists.empty()) {
      if (at.back() == lists.back()->size()) {
        lists.pop_back();
        at.pop_back();
        continue;
      }
      const Stmt& s = (*lists.back())[at.back()++];
      switch (s.kind) {
        case StmtKind::Return:
          out = eval(*s.value, locals);
          return true;
        case StmtKind::Assign:
          assign(*s.target, locals, eval(*s.value, locals));
          break;
        case StmtKind::AugAssign:
          assign(*s.target, locals,
                 made(binary(s.op, number(eval(*s.target, locals)), number(eval(*s.value, locals)))));
          break;
        case StmtKind::If: {
          const LoopRegister c = condition(*s.value, locals);
          if (const LoopNumber* n = b_.known(c)) {
            lists.push_back(n->as<bool>() ? &s.body : &s.orElse);
            at.push_back(0);
            break;
          }
          return choice(s, c, std::move(lists), std::move(at), locals, out);
        }
        case StmtKind::While:
          loop(s, locals);
          break;
        default:
          fail("no such statement");
      }
    }
    return false;
  }

  static bool returns(const std::vector<Stmt>& body) {
    return std::any_of(body.begin(), body.end(), [](const Stmt& s) {
      return s.kind == StmtKind::Return || (s.kind == StmtKind::If && (returns(s.body) || returns(s.orElse)));
    });
  }

  /// An `if` that elements decide differently. Where a side returns, what follows is written for each side.
  bool choice(const Stmt& s, LoopRegister c, std::vector<const std::vector<Stmt>*> lists,
              std::vector<size_t> at, Locals& locals, LoopOperand& out) {
    const bool ends = returns(s.body) || returns(s.orElse);
    Locals other = locals;
    LoopOperand outs[2];
    bool returned[2] = {false, false};
    for (const bool holds : {true, false}) {
      std::vector<const std::vector<Stmt>*> rest;
      std::vector<size_t> from;
      if (ends) rest = lists, from = at;
      rest.push_back(holds ? &s.body : &s.orElse);
      from.push_back(0);
      b_.push(c, holds);
      returned[holds ? 0 : 1] =
          block(std::move(rest), std::move(from), holds ? locals : other, outs[holds ? 0 : 1]);
      b_.pop();
    }
    if (ends) {
      if (!returned[0] || !returned[1]) fail("nothing is returned");
      out = merged(c, outs[0], outs[1]);
      return true;
    }
    for (size_t i = 0; i < locals.size(); ++i)
      if (locals[i].value != other[i].value && locals[i].value != kNoRegister &&
          other[i].value != kNoRegister)
        locals[i] = merged(c, locals[i], other[i]);
    return block(std::move(lists), std::move(at), locals, out);
  }

  LoopOperand merged(LoopRegister c, const LoopOperand& yes, const LoopOperand& no) {
    return made(b_.select(c, number(yes), number(no)));
  }

  static void assign(const Expr& target, Locals& locals, LoopOperand v) {
    if (target.kind != ExprKind::Local) fail("only names are assigned to");
    locals[static_cast<size_t>(target.slot)] = v;
  }

  static void assigned(const std::vector<Stmt>& body, std::set<size_t>& slots) {
    for (const Stmt& s : body) {
      if (s.kind == StmtKind::Assign || s.kind == StmtKind::AugAssign)
        slots.insert(static_cast<size_t>(s.target->slot));
      assigned(s.body, slots);
      assigned(s.orElse, slots);
    }
  }

  void loop(const Stmt& s, Locals& locals) {
    if (returns(s.body)) fail("a loop does not return");
    LoopOperand none;
    // A loop whose turns are known is written out.
    for (int turn = 0; turn < 32; ++turn) {
      const LoopNumber* n = b_.known(condition(*s.value, locals));
      if (!n) break;
      if (!n->as<bool>()) return;
      block({&s.body}, {0}, locals, none);
    }
    std::set<size_t> slots;
    assigned(s.body, slots);
    std::vector<std::pair<size_t, LoopType>> carried;
    for (const size_t slot : slots)
      if (locals[slot].value != kNoRegister) carried.emplace_back(slot, b_.type(locals[slot].value));
    // What the body makes of a type may be wider than what it begins with: then it is carried as that.
    while (true) {
      const LoopBuilder before = b_;
      Locals inside = locals;
      const LoopRegister entered = b_.mask();
      std::vector<LoopRegister> variables;
      for (const auto& [slot, type] : carried) {
        variables.push_back(b_.variable(locals[slot].value, type));
        inside[slot] = made(variables.back());
      }
      // Elements go on until their condition fails.
      const LoopRegister going =
          b_.variable(entered == kNoRegister ? b_.constant(true) : entered, LoopType::Bool);
      const size_t begin = b_.beginLoop();
      b_.push(going, true);
      const LoopRegister goesOn = b_.emit(LoopOp::And, going, condition(*s.value, inside));
      b_.pop();
      b_.assign(going, going, goesOn);
      const size_t leave = b_.leaveUnless(going);
      b_.push(going, true);
      block({&s.body}, {0}, inside, none);
      b_.pop();
      bool fits = true;
      for (size_t k = 0; k < carried.size(); ++k) {
        const LoopType now = b_.type(inside[carried[k].first].value);
        if (now > carried[k].second) {
          carried[k].second = now;
          fits = false;
        }
      }
      if (!fits) {
        b_ = before;
        continue;
      }
      // All new values are there before the first is stored.
      std::vector<LoopRegister> values;
      for (const auto& [slot, type] : carried) {
        const LoopRegister v = inside[slot].value;
        const bool isVariable = std::find(variables.begin(), variables.end(), v) != variables.end();
        values.push_back(isVariable ? b_.variable(v, type) : v);
      }
      for (size_t k = 0; k < carried.size(); ++k) b_.assign(variables[k], going, values[k]);
      b_.endLoop(begin, leave);
      for (size_t k = 0; k < carried.size(); ++k) locals[carried[k].first] = made(variables[k]);
      return;
    }
  }

  LoopRegister condition(const Expr& e, Locals& locals) {
    const LoopOperand v = eval(e, locals);
    if (v.isNone()) return b_.constant(false);
    return b_.truth(number(v));
  }

  static bool costs(const Expr& e) {
    if (e.kind == ExprKind::Call && e.kids[0]->kind == ExprKind::Global && isCostly(e.kids[0]->text))
      return true;
    return std::any_of(e.kids.begin(), e.kids.end(), [](const auto& k) { return k && costs(*k); });
  }

  LoopOperand eval(const Expr& e, Locals& locals) {
    const auto kid = [&](size_t i) { return eval(*e.kids[i], locals); };
    switch (e.kind) {
      case ExprKind::None:
        return {};
      case ExprKind::True:
      case ExprKind::False:
        return made(b_.constant(e.kind == ExprKind::True));
      case ExprKind::Int:
        return made(b_.constant(e.integer));
      case ExprKind::Float:
        return made(b_.constant(e.real));
      case ExprKind::Str:
        return {kNoRegister, e.text};
      case ExprKind::Local:
        return locals[static_cast<size_t>(e.slot)];
      case ExprKind::Global:
        if (e.text == "inf") return made(b_.constant(HUGE_VAL));
        if (e.text == "nan") return made(b_.constant(std::numeric_limits<double>::quiet_NaN()));
        if (e.text == "pi") return made(b_.constant(M_PI));
        fail("unknown name `" + e.text + "`");
      case ExprKind::Unary:
        return made(unary(static_cast<char>(e.op), e, locals));
      case ExprKind::Binary: {
        const LoopRegister a = number(kid(0));
        return made(binary(static_cast<BinaryOp>(e.op), a, number(kid(1))));
      }
      case ExprKind::And:
      case ExprKind::Or:
        return made(joined(e, locals));
      case ExprKind::Compare:
        return made(compared(e, locals));
      case ExprKind::IfElse: {
        const LoopRegister c = condition(*e.kids[0], locals);
        if (const LoopNumber* n = b_.known(c)) return kid(n->as<bool>() ? 1 : 2);
        const LoopOperand yes = side(*e.kids[1], c, true, locals);
        return merged(c, yes, side(*e.kids[2], c, false, locals));
      }
      case ExprKind::Call:
        return call(e, locals);
      default:
        fail("no such expression");
    }
  }

  /// One side of a choice; skipped when it costs much and no element takes it.
  LoopOperand side(const Expr& e, LoopRegister c, bool holds, Locals& locals) {
    b_.push(c, holds);
    const bool skips = costs(e);
    const size_t at = skips ? b_.skipUnless(b_.mask()) : 0;
    const LoopOperand v = eval(e, locals);
    if (skips) b_.endSkip(at);
    b_.pop();
    return v;
  }

  LoopRegister joined(const Expr& e, Locals& locals) {
    const bool isAnd = e.kind == ExprKind::And;
    LoopRegister all = kNoRegister;
    size_t pushed = 0;
    for (const auto& k : e.kids) {
      const LoopRegister c = condition(*k, locals);
      if (const LoopNumber* n = b_.known(c)) {
        if (n->as<bool>() == isAnd) continue;
        all = c;
        break;
      }
      all = all == kNoRegister ? c : b_.emit(isAnd ? LoopOp::And : LoopOp::Or, all, c);
      b_.push(c, isAnd);
      ++pushed;
    }
    while (pushed--) b_.pop();
    return all == kNoRegister ? b_.constant(isAnd) : all;
  }

  LoopRegister compared(const Expr& e, Locals& locals) {
    LoopOperand left = eval(*e.kids[0], locals);
    LoopRegister all = kNoRegister;
    for (size_t i = 1; i < e.kids.size(); ++i) {
      const LoopOperand right = eval(*e.kids[i], locals);
      const LoopRegister c =
          comparison(e.compares.empty() ? static_cast<CompareOp>(e.op) : e.compares[i - 1], left, right);
      all = all == kNoRegister ? c : b_.emit(LoopOp::And, all, c);
      left = right;
    }
    return all;
  }

  LoopRegister comparison(CompareOp op, const LoopOperand& a, const LoopOperand& b) {
    if (op == CompareOp::Is || op == CompareOp::IsNot)
      return b_.constant((a.isNone() && b.isNone()) == (op == CompareOp::Is));
    if (a.value == kNoRegister && b.value == kNoRegister) {
      if (op == CompareOp::Eq) return b_.constant(a.text == b.text);
      if (op == CompareOp::Ne) return b_.constant(a.text != b.text);
      fail("texts have no order");
    }
    const auto with = [&](LoopOp o) { return b_.emit(o, number(a), number(b)); };
    switch (op) {
      case CompareOp::Eq:
        return with(LoopOp::Eq);
      case CompareOp::Ne:
        return with(LoopOp::Ne);
      case CompareOp::Lt:
        return with(LoopOp::Lt);
      case CompareOp::Le:
        return with(LoopOp::Le);
      case CompareOp::Gt:
        return with(LoopOp::Gt);
      case CompareOp::Ge:
        return with(LoopOp::Ge);
      default:
        fail("no such comparison");
    }
  }

  LoopRegister binary(BinaryOp op, LoopRegister a, LoopRegister b) {
    switch (op) {
      case BinaryOp::Add:
        return b_.emit(LoopOp::Add, a, b);
      case BinaryOp::Sub:
        return b_.emit(LoopOp::Sub, a, b);
      case BinaryOp::Mul:
        return b_.emit(LoopOp::Mul, a, b);
      case BinaryOp::Div:
        return b_.emit(LoopOp::Div, a, b);
      case BinaryOp::FloorDiv:
        return b_.emit(LoopOp::FloorDiv, a, b);
      case BinaryOp::Mod:
        return b_.emit(LoopOp::Mod, a, b);
      case BinaryOp::Pow:
        return b_.emit(LoopOp::Pow, a, b);
      case BinaryOp::And:
        return b_.emit(LoopOp::And, a, b);
      case BinaryOp::Or:
        return b_.emit(LoopOp::Or, a, b);
      case BinaryOp::Xor:
        return b_.emit(LoopOp::Xor, a, b);
      case BinaryOp::Shl:
        return b_.emit(LoopOp::Shl, a, b);
      case BinaryOp::Shr:
        return b_.emit(LoopOp::Shr, a, b);
      case BinaryOp::MatMul:
        break;
    }
    fail("no such operator for numbers");
  }

  LoopRegister unary(char op, const Expr& e, Locals& locals) {
    if (op == '!') return b_.emit(LoopOp::Not, condition(*e.kids[0], locals));
    const LoopRegister v = number(eval(*e.kids[0], locals));
    if (op == '+') return v;
    return b_.emit(op == '~' ? LoopOp::Not : LoopOp::Neg, v);
  }

  bool isWhole(LoopRegister r) const { return b_.type(r) <= LoopType::Int; }

  LoopOperand call(const Expr& e, Locals& locals) {
    const Expr& callee = *e.kids[0];
    if (callee.kind != ExprKind::Global || !e.keys.empty()) fail("only functions are called, by position");
    std::vector<LoopOperand> args;
    for (size_t i = 1; i < e.kids.size(); ++i) args.push_back(eval(*e.kids[i], locals));
    const std::string& name = callee.text;
    const auto takes = [&](size_t n) {
      if (args.size() != n) fail(name + "() takes " + std::to_string(n));
    };
    for (const Named& n : kFunctions)
      if (n.name == name) {
        takes(n.arity);
        const auto at = [&](size_t i) { return i < args.size() ? number(args[i]) : kNoRegister; };
        return made(b_.emit(n.op, at(0), at(1), at(2)));
      }
    for (const Named& n : kRounding)
      if (n.name == name) {
        takes(1);
        return isWhole(number(args[0])) ? args[0] : made(b_.emit(n.op, args[0].value));
      }
    if (name == "int") {
      takes(1);
      return made(b_.convert(number(args[0]), LoopType::Int));
    }
    if (name == "float") {
      takes(1);
      return made(isWhole(number(args[0])) ? b_.convert(args[0].value, b_.real()) : args[0].value);
    }
    if (name == "is_whole") {
      takes(1);
      return made(b_.constant(isWhole(number(args[0]))));
    }
    if (name == "nextafter") {
      takes(2);
      const LoopOp op = computed_ == DType::F16    ? LoopOp::NextafterHalf
                        : computed_ == DType::BF16 ? LoopOp::NextafterBFloat16
                                                   : LoopOp::Nextafter;
      return made(b_.emit(op, number(args[0]), number(args[1])));
    }
    if (name == "largest") {
      takes(0);
      return made(b_.constant(computed_ == DType::F16    ? 65504.0
                              : computed_ == DType::BF16 ? 0x1.FEp127
                              : b_.real() == LoopType::Double
                                  ? std::numeric_limits<double>::max()
                                  : static_cast<double>(std::numeric_limits<float>::max())));
    }
    const Function* helper = helpers_.function(name);
    if (!helper) fail("unknown function `" + name + "`");
    if (args.size() != helper->params.size()) fail(name + "() takes another number of arguments");
    return run(*helper, std::move(args));
  }

  LoopBuilder& b_;
  const ir::OpRegistry& helpers_;
  DType computed_;
  int depth_ = 0;
};

}  // namespace

LoopRegister writeExpression(LoopBuilder& builder, const Function& function,
                             std::vector<LoopOperand> arguments, const ir::OpRegistry& helpers,
                             DType computed) {
  const LoopOperand out = Writer(builder, helpers, computed).run(function, std::move(arguments));
  if (out.value == kNoRegister) fail("the result is not a number");
  return out.value;
}

}  // namespace descry::runtime
