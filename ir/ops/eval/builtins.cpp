// Built-in functions on numbers, lists and dtypes.
#include "ir/ops/eval/builtins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"

namespace descry::ir::eval {

namespace {

using rules::BinaryOp;

Value extreme(Interpreter&, Values& args, Keywords&, bool greatest) {
  Values items = args.size() == 1 && args[0].isList() ? args[0].items() : args;
  if (items.empty()) throw EvalError("rule-error", "max() or min() of nothing");
  Value best = items[0];
  for (size_t i = 1; i < items.size(); ++i) {
    const Value& v = items[i];
    if (best.symbolic() || v.symbolic()) {
      // Python's min() and max() compare, and so decide by hints.
      const Int a = best.toInt(), b = v.toInt();
      if (greatest ? a < b : b < a) best = v;
    } else {
      const bool better = greatest ? best.toReal() < v.toReal() : v.toReal() < best.toReal();
      if (better) best = v;
    }
  }
  return best;
}

Value toFloat(Interpreter& in, const Value& v) {
  if (v.kind() == VKind::Str) {
    if (v.text() == "inf") return Value::real(HUGE_VAL);
    if (v.text() == "-inf") return Value::real(-HUGE_VAL);
    if (v.text() == "nan") return Value::real(std::nan(""));
  }
  if (v.symbolic() && v.isInt()) {
    auto s = make<Symbolic>();
    s->expr = SymExpr::function("ToFloat", {v.sym()->expr});
    s->isFloat = true;
    s->floatHint = v.toReal();
    s->hasHint = v.sym()->hasHint;
    Value out = Value::symFloat(s);
    in.noteSymbolic("sym_float", v, {}, out);
    return out;
  }
  return v.kind() == VKind::Float ? v : Value::real(v.toReal());
}

Value rounded(Interpreter& in, const Value& v, const char* name, double (*f)(double)) {
  if (v.kind() == VKind::Int || v.kind() == VKind::Bool) return v.toInt();
  // The value of a symbolic number is a stand-in.
  const double whole = f(v.toReal());
  const bool fits = whole >= -0x1p63 && whole < 0x1p63;
  const Value out(v.symbolic() && !fits ? 0 : integerOf(whole));
  if (v.symbolic()) {
    Value sym(symbolicInt(SymExpr::function(name[0] == 'c'   ? "CeilToInt"
                                            : name[0] == 'f' ? "FloorToInt"
                                                             : "TruncToInt",
                                            {v.sym()->expr}),
                          out.raw(), v.sym()->hasHint));
    in.noteSymbolic(name, v, {}, sym);
    return sym;
  }
  return out;
}

template <double (*F)(double)>
Value math(Interpreter&, Values& args, Keywords&) {
  return Value::real(F(argumentAt(args, 0).toReal()));
}
double mathLog(double x) {
  return std::log(x);
}
double mathExp(double x) {
  return std::exp(x);
}
double mathFloor(double x) {
  return std::floor(x);
}
double mathCeil(double x) {
  return std::ceil(x);
}
double mathTrunc(double x) {
  return std::trunc(x);
}
double mathSin(double x) {
  return std::sin(x);
}
double mathCos(double x) {
  return std::cos(x);
}
double mathTanh(double x) {
  return std::tanh(x);
}
double mathLgamma(double x) {
  return std::lgamma(x);
}
double mathLog2(double x) {
  return std::log2(x);
}
double mathLog1p(double x) {
  return std::log1p(x);
}

double finfoOf(DType t, std::string_view what) {
  struct Row {
    DType t;
    double max, eps, tiny;
  };
  static const Row kRows[] = {{DType::F64, std::numeric_limits<double>::max(),
                               std::numeric_limits<double>::epsilon(), std::numeric_limits<double>::min()},
                              {DType::F32, std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::epsilon(), std::numeric_limits<float>::min()},
                              {DType::F16, 65504.0, 0.0009765625, 6.103515625e-05},
                              {DType::BF16, 3.3895313892515355e+38, 0.0078125, 1.1754943508222875e-38},
                              {DType::F8E4M3FN, 448, 0.125, 0.015625},
                              {DType::F8E5M2, 57344, 0.25, 6.103515625e-05}};
  for (const Row& r : kRows)
    if (r.t == t || r.t == toReal(t)) {
      if (what == "max") return r.max;
      if (what == "min") return -r.max;
      if (what == "eps") return r.eps;
      return r.tiny;
    }
  throw EvalError("rule-error", "finfo() needs a floating point dtype");
}

struct InfoObject : ListObject {};

Value info(Interpreter&, Values& args, Keywords&, bool floating) {
  const DType t = argumentAt(args, 0).asDType();
  Values items;
  const auto put = [&](const char* name, Value v) {
    items.push_back(Value::str(name));
    items.push_back(std::move(v));
  };
  if (floating) {
    for (const char* what : {"max", "min", "eps", "tiny"}) put(what, Value::real(finfoOf(t, what)));
    put("smallest_normal", Value::real(finfoOf(t, "tiny")));
  } else {
    const int bits = dtypeInfo(t).bits;
    const bool sign = dtypeInfo(t).isSigned;
    const uint64_t top = bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
    put("max", static_cast<int64_t>(sign ? top >> 1 : std::min<uint64_t>(top, INT64_MAX)));
    put("min", sign ? -static_cast<int64_t>(top >> 1) - 1 : int64_t{0});
    put("bits", int64_t{bits});
  }
  return Value(std::move(items), VKind::Dict);
}

const Builtin kPlain[] = {
    {"len", [](Interpreter&, Values& a, Keywords&) -> Value {
       const Value& v = argumentAt(a, 0);
       if (v.kind() == VKind::Str) return static_cast<int64_t>(v.text().size());
       if (v.isTensor()) return v.meta().sizes.empty() ? Value(0) : Value(v.meta().sizes[0]);
       return static_cast<int64_t>(elementsOf(v).size());
     }},
    {"range", [](Interpreter&, Values& a, Keywords&) -> Value {
       const int64_t first = a.size() > 1 ? a[0].toInt().known() : 0, stop = (a.size() > 1 ? a[1] : argumentAt(a, 0)).toInt().known();
       const int64_t step = a.size() > 2 ? a[2].toInt().known() : 1;
       if (!step) throw EvalError("rule-error", "range() step is zero");
       Values out;
       for (int64_t i = first; step > 0 ? i < stop : i > stop;) {
         if (out.size() > 1000000) throw EvalError("rule-error", "range() is too long");
         out.emplace_back(i);
         if (__builtin_add_overflow(i, step, &i)) break;
       }
       return Value(std::move(out));
     }},
    {"abs", [](Interpreter& in, Values& a, Keywords&) -> Value {
       const Value& v = argumentAt(a, 0);
       if (v.isTensor()) return in.callOp(in.ops().findName("aten", "abs"), {v}, {}, in.pythonMeaning(), true);
       if (v.isInt()) return v.raw() < 0 ? Value(-v.toInt()) : v;
       if (v.kind() == VKind::Complex) return Value::real(std::hypot(v.rawReal(), v.imag()));
       return Value::real(std::fabs(v.toReal()));
     }},
    {"min", [](Interpreter& in, Values& a, Keywords& k) { return extreme(in, a, k, false); }},
    {"max", [](Interpreter& in, Values& a, Keywords& k) { return extreme(in, a, k, true); }},
    {"sum", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out = a.size() > 1 ? a[1] : Value(0);
       for (const Value& v : elementsOf(argumentAt(a, 0))) out = in.binary(BinaryOp::Add, out, v, in.pythonMeaning());
       return out;
     }},
    {"any", [](Interpreter&, Values& a, Keywords&) -> Value {
       for (const Value& v : elementsOf(argumentAt(a, 0)))
         if (v.truthy()) return Value::boolean(true);
       return Value::boolean(false);
     }},
    {"all", [](Interpreter&, Values& a, Keywords&) -> Value {
       for (const Value& v : elementsOf(argumentAt(a, 0)))
         if (!v.truthy()) return Value::boolean(false);
       return Value::boolean(true);
     }},
    {"zip", [](Interpreter&, Values& a, Keywords&) -> Value {
       std::vector<Values> lists;
       size_t n = SIZE_MAX;
       for (const Value& v : a) {
         lists.push_back(elementsOf(v));
         n = std::min(n, lists.back().size());
       }
       Values out;
       for (size_t i = 0; !lists.empty() && i < n; ++i) {
         Values row;
         for (const Values& l : lists) row.push_back(l[i]);
         out.push_back(Value::tuple(std::move(row)));
       }
       return Value(std::move(out));
     }},
    {"enumerate", [](Interpreter&, Values& a, Keywords&) -> Value {
       Values out;
       int64_t i = a.size() > 1 ? a[1].toInt().known() : 0;
       for (const Value& v : elementsOf(argumentAt(a, 0))) out.push_back(Value::tuple({Value(i++), v}));
       return Value(std::move(out));
     }},
    {"reversed", [](Interpreter&, Values& a, Keywords&) -> Value {
       Values items = elementsOf(argumentAt(a, 0));
       std::reverse(items.begin(), items.end());
       return Value(std::move(items));
     }},
    {"sorted", [](Interpreter& in, Values& a, Keywords& k) -> Value {
       Values items = elementsOf(argumentAt(a, 0));
       const Value key = argument(a, k, 1, "key"), reverse = argument(a, k, 2, "reverse");
       std::vector<std::pair<Value, Value>> keyed;
       for (const Value& v : items) keyed.emplace_back(key.isNone() ? v : in.callValue(key, {v}), v);
       std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& x, const auto& y) {
         return in.compare(rules::CompareOp::Lt, x.first, y.first, true).truthy();
       });
       Values out;
       for (auto& [x, v] : keyed) out.push_back(v);
       if (!reverse.isNone() && reverse.truthy()) std::reverse(out.begin(), out.end());
       return Value(std::move(out));
     }},
    {"list", [](Interpreter&, Values& a, Keywords&) -> Value { return Value(a.empty() ? Values{} : elementsOf(a[0])); }},
    {"tuple", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::tuple(a.empty() ? Values{} : elementsOf(a[0])); }},
    {"dict", [](Interpreter&, Values&, Keywords& k) -> Value {
       Values items;
       for (auto& [key, v] : k) {
         items.push_back(Value::str(key));
         items.push_back(v);
       }
       return Value(std::move(items), VKind::Dict);
     }},
    {"int", [](Interpreter& in, Values& a, Keywords&) -> Value { return rounded(in, argumentAt(a, 0), "trunc", mathTrunc); }},
    {"float", [](Interpreter& in, Values& a, Keywords&) -> Value { return toFloat(in, argumentAt(a, 0)); }},
    {"bool", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).truthy()); }},
    {"complex", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::complex(argumentAt(a, 0).toReal(), a.size() > 1 ? a[1].toReal() : 0); }},
    {"str", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::str(textOf(argumentAt(a, 0))); }},
    {"round", [](Interpreter&, Values& a, Keywords&) -> Value {
       return a.size() > 1 ? Value::real(std::nearbyint(a[0].toReal() * std::pow(10.0, a[1].toReal())) / std::pow(10.0, a[1].toReal()))
                           : Value(integerOf(std::nearbyint(argumentAt(a, 0).toReal())));
     }},
    {"divmod", [](Interpreter& in, Values& a, Keywords&) -> Value {
       return Value::tuple({in.binary(BinaryOp::FloorDiv, argumentAt(a, 0), argumentAt(a, 1), true), in.binary(BinaryOp::Mod, a[0], a[1], true)});
     }},
    {"is_tensor", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).isTensor()); }},
    {"is_int", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).isInt()); }},
    {"is_float", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).kind() == VKind::Float); }},
    {"is_bool", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).kind() == VKind::Bool); }},
    {"is_complex", [](Interpreter&, Values& a, Keywords&) -> Value {
       const Value& v = argumentAt(a, 0);
       return Value::boolean(v.kind() == VKind::Complex || (v.isTensor() && isComplex(v.meta().dtype)));
     }},
    {"is_number", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).isNumber()); }},
    {"is_str", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).kind() == VKind::Str); }},
    {"is_list", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).isList()); }},
    {"is_tuple", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).kind() == VKind::Tuple); }},
    {"is_dtype", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).kind() == VKind::DType); }},
    {"is_device", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).kind() == VKind::Device); }},
    {"is_slice", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).kind() == VKind::Slice); }},
    {"is_symbolic", [](Interpreter&, Values& a, Keywords&) -> Value {
       const Value& v = argumentAt(a, 0);
       if (v.isTensor()) return Value::boolean(std::any_of(v.meta().sizes.begin(), v.meta().sizes.end(), [](const Int& i) { return i.symbolic(); }));
       return Value::boolean(v.symbolic());
     }},
    {"callable", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(argumentAt(a, 0).kind() == VKind::Function); }},
    {"prod", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out(1);
       for (const Value& v : elementsOf(argumentAt(a, 0))) out = in.binary(BinaryOp::Mul, out, v, true);
       return out;
     }},
    {"ceil_div", [](Interpreter&, Values& a, Keywords&) -> Value {
       const Int x = argumentAt(a, 0).toInt(), y = argumentAt(a, 1).toInt();
       return floorDiv(x + y - Int(1), y);
     }},
    {"floor", [](Interpreter& in, Values& a, Keywords&) -> Value { return rounded(in, argumentAt(a, 0), "floor", mathFloor); }},
    {"ceil", [](Interpreter& in, Values& a, Keywords&) -> Value { return rounded(in, argumentAt(a, 0), "ceil", mathCeil); }},
    {"trunc", [](Interpreter& in, Values& a, Keywords&) -> Value { return rounded(in, argumentAt(a, 0), "trunc", mathTrunc); }},
    {"sqrt", [](Interpreter& in, Values& a, Keywords&) -> Value {
       const Value& v = argumentAt(a, 0);
       if (v.isTensor()) return in.callOp(in.ops().findName("aten", "sqrt"), {v}, {}, in.pythonMeaning(), true);
       Value out = Value::real(std::sqrt(v.toReal()));
       if (v.symbolic()) {
         auto s = make<Symbolic>();
         s->expr = SymExpr::function("OpaqueUnaryFn_sqrt", {v.sym()->expr});
         s->isFloat = true;
         s->floatHint = out.rawReal();
         s->hasHint = v.sym()->hasHint;
         out = Value::symFloat(s);
         in.noteSymbolic("sym_sqrt", v, {}, out);
       }
       return out;
     }},
    {"log", math<mathLog>},
    {"log2", math<mathLog2>},
    {"log1p", math<mathLog1p>},
    {"exp", math<mathExp>},
    {"sin", math<mathSin>},
    {"cos", math<mathCos>},
    {"tanh", math<mathTanh>},
    {"lgamma", math<mathLgamma>},
    {"pow", [](Interpreter&, Values& a, Keywords&) -> Value { return numberBinary(BinaryOp::Pow, argumentAt(a, 0), argumentAt(a, 1)); }},
    {"isinf", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(std::isinf(argumentAt(a, 0).toReal())); }},
    {"isnan", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::boolean(std::isnan(argumentAt(a, 0).toReal())); }},
    {"slice", [](Interpreter&, Values& a, Keywords&) -> Value {
       Values parts(3);
       if (a.size() == 1) parts[1] = a[0];
       for (size_t i = 0; a.size() > 1 && i < a.size() && i < 3; ++i) parts[i] = a[i];
       return Value(std::move(parts), VKind::Slice);
     }},
    {"promote", [](Interpreter&, Values& a, Keywords&) -> Value {
       DType t = argumentAt(a, 0).asDType();
       for (size_t i = 1; i < a.size(); ++i) t = promote(t, a[i].asDType());
       return Value::dtype(t);
     }},
    {"result_type", [](Interpreter&, Values& a, Keywords&) -> Value {
       ResultType r;
       for (const Value& v : a) {
         if (v.isList()) {
           for (const Value& x : v.items()) r.add(x);
         } else {
           r.add(v);
         }
       }
       return Value::dtype(r.get());
     }},
    {"to_real", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::dtype(toReal(argumentAt(a, 0).asDType())); }},
    {"to_complex", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::dtype(toComplex(argumentAt(a, 0).asDType())); }},
    {"dtype_of", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::dtype(argumentAt(a, 0).isTensor() ? a[0].meta().dtype : dtypeOfNumber(a[0])); }},
    {"finfo", [](Interpreter& in, Values& a, Keywords& k) { return info(in, a, k, true); }},
    {"iinfo", [](Interpreter& in, Values& a, Keywords& k) { return info(in, a, k, false); }},
    {"torch.finfo", [](Interpreter& in, Values& a, Keywords& k) { return info(in, a, k, true); }},
    {"torch.iinfo", [](Interpreter& in, Values& a, Keywords& k) { return info(in, a, k, false); }},
    {"default_dtype", [](Interpreter&, Values&, Keywords&) -> Value { return Value::dtype(DType::F32); }},
    {"torch.get_default_dtype", [](Interpreter&, Values&, Keywords&) -> Value { return Value::dtype(DType::F32); }},
    {"device", [](Interpreter&, Values& a, Keywords& k) -> Value {
       const Value v = argument(a, k, 0, "type"), index = argument(a, k, 1, "index");
       if (v.kind() == VKind::Device) return v;
       return Value::device(deviceId(v.text() + (index.isNone() ? "" : ":" + index.describe())));
     }},
    {"broadcast", [](Interpreter&, Values& a, Keywords&) -> Value {
       Ints out;
       for (const Value& v : a) {
         if (v.isList() && !v.items().empty() && v.items()[0].isList()) {
           for (const Value& x : v.items()) out = broadcastSizes(out, x.toInts());
         } else if (!v.isNone()) {
           out = broadcastSizes(out, v.isTensor() ? v.meta().sizes : v.toInts());
         }
       }
       return Value(out);
     }},
    {"wrap_dim", [](Interpreter&, Values& a, Keywords&) -> Value { return wrapDim(argumentAt(a, 0).toInt(), argumentAt(a, 1).toInt().known()); }},
    {"wrap_dims", [](Interpreter&, Values& a, Keywords&) -> Value {
       const int64_t n = argumentAt(a, 1).toInt().known();
       Values out;
       const Ints dims = argumentAt(a, 0).isNone() ? Ints{} : a[0].toInts();
       if (dims.empty())
         for (int64_t i = 0; i < n; ++i) out.emplace_back(i);
       for (const Int& d : dims) {
         Value v(wrapDim(d, n));
         for (const Value& seen : out)
           if (sameAs(seen, v)) throw EvalError("shape-error", "dim " + v.describe() + " appears multiple times in the list of dims");
         out.push_back(v);
       }
       return Value(std::move(out));
     }},
    {"contiguous_strides", [](Interpreter&, Values& a, Keywords&) -> Value { return Value(contiguousStrides(argumentAt(a, 0).toInts())); }},
    {"strides_for", [](Interpreter&, Values& a, Keywords&) -> Value {
       return Value(stridesFor(argumentAt(a, 0).toInts(), a.size() > 1 && a[1].kind() == VKind::MemoryFormat ? a[1].asMemoryFormat() : MemoryFormat::Contiguous));
     }},
    {"strides_like", [](Interpreter&, Values& a, Keywords&) -> Value { return Value(stridesLike(argumentAt(a, 0).toInts(), argumentAt(a, 1).toInts())); }},
    {"view_strides", [](Interpreter&, Values& a, Keywords&) -> Value {
       Ints out;
       if (!viewStrides(argumentAt(a, 0).toInts(), argumentAt(a, 1).toInts(), argumentAt(a, 2).toInts(), out)) return {};
       return Value(out);
     }},
    {"is_expandable_to", [](Interpreter&, Values& a, Keywords&) -> Value {
       const Ints from = argumentAt(a, 0).toInts(), to = argumentAt(a, 1).toInts();
       if (from.size() > to.size()) return Value::boolean(false);
       for (size_t i = 0; i < from.size(); ++i)
         if (!(from[from.size() - 1 - i] == Int(1)) && !(from[from.size() - 1 - i] == to[to.size() - 1 - i])) return Value::boolean(false);
       return Value::boolean(true);
     }},
    {"infer_size", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out(inferSize(argumentAt(a, 0).toInts(), argumentAt(a, 1).toInt()));
       // The size that is left is computed as part of the program.
       const Values& given = a[0].items();
       Value known(1);
       size_t open = given.size();
       for (size_t i = 0; i < given.size(); ++i)
         if (given[i].isInt() && !given[i].symbolic() && given[i].raw() == -1)
           open = i;
         else
           known = in.binary(BinaryOp::Mul, known, given[i], false);
       if (open < given.size() && out.items()[open].symbolic()) out.items()[open] = in.binary(BinaryOp::FloorDiv, a[1], known, false);
       return out;
     }},
    {"grad_mode", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out = Value::boolean(false);
       in.host().special("grad_mode", a, out);
       return out;
     }},
    {"needs", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out;
       if (!in.host().special("needs", a, out)) throw EvalError("rule-error", "needs() has a meaning in gradients only");
       return out;
     }},
    {"needs_list", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Values list;
       for (const Value& v : a) {
         Values one = {v};
         Value out;
         if (!in.host().special("needs", one, out)) throw EvalError("rule-error", "needs_list() has a meaning in gradients only");
         list.push_back(out);
       }
       return Value(std::move(list));
     }},
    {"zeros_like_result", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out;
       if (!in.host().special("zeros_like_result", a, out)) throw EvalError("rule-error", "zeros_like_result() has a meaning in gradients only");
       return out;
     }},
    // Whether a <= b; not where that depends on data.
    {"known_le", [](Interpreter&, Values& a, Keywords&) -> Value {
       const Int x = argumentAt(a, 0).toInt(), y = argumentAt(a, 1).toInt();
       if ((!x.sym || x.sym->hasHint) && (!y.sym || y.sym->hasHint)) return Value::boolean(x <= y);
       const Ref<NumberFacts> facts = x.sym && x.sym->facts ? x.sym->facts : y.sym ? y.sym->facts : Ref<NumberFacts>();
       return Value::boolean(facts && facts->decide(SymRel::Le, x.expr(), y.expr()).value_or(false));
     }},
    {"depends_on_data", [](Interpreter&, Values& a, Keywords&) -> Value {
       return Value::boolean(argumentAt(a, 0).symbolic() && !a[0].sym()->hasHint);
     }},
    {"tangent", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out;
       if (!in.host().special("tangent", a, out)) throw EvalError("rule-error", "tangent() has a meaning in forward mode only");
       return out;
     }},
    {"requires_grad", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out = Value::boolean(false);
       if (argumentAt(a, 0).isTensor()) in.host().attribute(a[0], "requires_grad", out);
       return out;
     }},
    {"sym_max", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out(maxOf(argumentAt(a, 0).toInt(), argumentAt(a, 1).toInt()));
       if (out.symbolic()) in.noteSymbolic("sym_max", a[0], a[1], out);
       return out;
     }},
    {"sym_min", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out(minOf(argumentAt(a, 0).toInt(), argumentAt(a, 1).toInt()));
       if (out.symbolic()) in.noteSymbolic("sym_min", a[0], a[1], out);
       return out;
     }},
    {"sym_sum", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Int total = 0;
       for (const Value& v : elementsOf(argumentAt(a, 0))) total = total + v.toInt();
       Value out(total);
       if (out.symbolic()) in.noteSymbolic("sym_sum", Value::tuple(elementsOf(a[0])), {}, out);
       return out;
     }},
    {"float32", [](Interpreter&, Values& a, Keywords&) -> Value { return Value::real(static_cast<double>(static_cast<float>(argumentAt(a, 0).toReal()))); }},
    {"no_grad", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out;
       if (!in.host().special("no_grad", a, out)) return in.callValue(argumentAt(a, 0), {});
       return out;
     }},
    {"philox_rand", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out;
       for (size_t i = 0; i < 3; ++i) argumentAt(a, i);
       if (!in.host().special("philox_rand", a, out)) throw EvalError("rule-error", "philox_rand() has a meaning in philox rules only");
       return out;
     }},
    {"compares", [](Interpreter& in, Values& a, Keywords&) -> Value {
       if (!argumentAt(a, 0).symbolic()) return Value::boolean(false);
       Value none;
       argumentAt(a, 1);
       in.host().special("compares", a, none);
       return Value::boolean(true);
     }},
    {"fresh_size", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out;
       if (!in.host().special("fresh_size", a, out)) throw EvalError("data-dependent", "the size of this result depends on data");
       return out;
     }},
    {"fresh_scalar", [](Interpreter& in, Values& a, Keywords&) -> Value {
       Value out;
       if (!in.host().special("fresh_scalar", a, out)) throw EvalError("data-dependent", "this number depends on data");
       return out;
     }},
    {"layout_order", [](Interpreter&, Values& a, Keywords&) -> Value {
       const Meta& m = argumentAt(a, 0).meta();
       std::vector<size_t> order = elementwiseOrder(m.sizes, {&m});
       std::reverse(order.begin(), order.end());
       Values out;
       for (size_t d : order) out.emplace_back(static_cast<int64_t>(d));
       return Value(std::move(out));
     }},
    {"isinstance", [](Interpreter&, Values&, Keywords&) -> Value { throw EvalError("rule-error", "use is_tensor(x), is_int(x) ... instead of isinstance"); }},
};

}  // namespace

const std::vector<Builtin>& plainBuiltins() {
  static const std::vector<Builtin> kAll(std::begin(kPlain), std::end(kPlain));
  return kAll;
}

int64_t findBuiltin(std::string_view name) {
  static const std::unordered_map<std::string_view, int64_t> kByName = [] {
    std::unordered_map<std::string_view, int64_t> m;
    int64_t i = 0;
    for (const Builtin& b : plainBuiltins()) m.emplace(b.name, i++);
    for (const Builtin& b : shapeBuiltins()) m.emplace(b.name, i++);
    return m;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? -1 : found->second;
}

const Builtin& builtinAt(int64_t id) {
  const size_t i = static_cast<size_t>(id);
  return i < plainBuiltins().size() ? plainBuiltins()[i] : shapeBuiltins()[i - plainBuiltins().size()];
}

Value argument(const Values& args, const Keywords& keywords, size_t at, std::string_view name) {
  if (at < args.size()) return args[at];
  for (const auto& [key, v] : keywords)
    if (key == name) return v;
  return {};
}

}  // namespace descry::ir::eval
