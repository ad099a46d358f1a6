// Values that are no tensors: named constants, texts, arithmetic of numbers, attributes and methods.
#include <algorithm>
#include <cmath>

#include "ir/ops/eval/builtins.h"
#include "ir/ops/eval/promotion.h"

namespace descry::ir::eval {

using rules::BinaryOp;

const Value& argumentAt(const Values& args, size_t i) {
  if (i >= args.size()) throw EvalError("rule-error", "a built-in misses an argument");
  return args[i];
}

Values elementsOf(const Value& v) {
  if (v.isList()) return v.items();
  if (v.kind() != VKind::Dict) throw EvalError("rule-error", "cannot go through " + v.describe());
  Values keys;
  for (size_t i = 0; i < v.items().size(); i += 2) keys.push_back(v.items()[i]);
  return keys;
}

namespace {
std::string pythonFloat(double d) {
  if (std::isinf(d)) return d < 0 ? "-inf" : "inf";
  if (std::isnan(d)) return "nan";
  char buffer[40];
  for (int digits = 1; digits <= 17; ++digits) {
    snprintf(buffer, sizeof buffer, "%.*g", digits, d);
    if (std::strtod(buffer, nullptr) == d) break;
  }
  std::string s = buffer;
  if (s.find_first_of(".en") == std::string::npos) s += ".0";
  return s;
}
}  // namespace

bool constantNamed(std::string_view name, Value& out) {
  if (name.starts_with("math.")) name.remove_prefix(5);
  if (name == "inf" || name == "torch.inf") return out = Value::real(HUGE_VAL), true;
  if (name == "nan" || name == "torch.nan") return out = Value::real(std::nan("")), true;
  if (name == "pi" || name == "torch.pi") return out = Value::real(M_PI), true;
  if (name == "e" || name == "torch.e") return out = Value::real(M_E), true;
  if (name == "sys.maxsize") return out = Value(INT64_MAX), true;
  if (name == "NotImplemented") return out = Value::str("NotImplemented", VKind::Object), true;
  if (!name.starts_with("torch.")) return false;
  if (const DType t = dtypeFromTorchName(name); t != DType::Unknown) return out = Value::dtype(t), true;
  name.remove_prefix(6);
  static constexpr std::pair<std::string_view, MemoryFormat> kFormats[] = {
      {"contiguous_format", MemoryFormat::Contiguous},
      {"preserve_format", MemoryFormat::Preserve},
      {"channels_last", MemoryFormat::ChannelsLast},
      {"channels_last_3d", MemoryFormat::ChannelsLast3d}};
  for (const auto& [text, f] : kFormats)
    if (text == name) return out = Value::memoryFormat(f), true;
  if (name == "strided") return out = Value::layout(Layout::Strided), true;
  if (name.starts_with("sparse_") || name == "jagged") return out = Value::layout(Layout::Sparse), true;
  return false;
}

std::string textOf(const Value& v) {
  if (v.kind() == VKind::Str) return v.text();
  if (v.kind() == VKind::Float && !v.symbolic()) return pythonFloat(v.rawReal());
  if (v.kind() == VKind::Device) return deviceText(v.asDevice());
  return v.describe();
}

namespace {
/// A power of plain floats as Python has it; of symbolic ones the values are stand-ins.
double floatPower(double x, double y, bool symbolic) {
  if (symbolic) return std::pow(x, y);
  if (x == 0 && y < 0) throw EvalError("zero-division", "0.0 cannot be raised to a negative power");
  const double r = std::pow(x, y);
  if (std::isinf(r) && std::isfinite(x) && std::isfinite(y))
    throw EvalError("value-error", "(34, 'Numerical result out of range')");
  return r;
}
}  // namespace

Value numberBinary(BinaryOp op, const Value& a, const Value& b) {
  const bool cplx = a.kind() == VKind::Complex || b.kind() == VKind::Complex;
  if (cplx) {
    const double ar = a.toReal(), ai = a.imag(), br = b.toReal(), bi = b.imag();
    switch (op) {
      case BinaryOp::Add:
        return Value::complex(ar + br, ai + bi);
      case BinaryOp::Sub:
        return Value::complex(ar - br, ai - bi);
      case BinaryOp::Mul:
        return Value::complex(ar * br - ai * bi, ar * bi + ai * br);
      case BinaryOp::Div: {
        const double d = br * br + bi * bi;
        if (d == 0) throw EvalError("zero-division", "complex division by zero");
        return Value::complex((ar * br + ai * bi) / d, (ai * br - ar * bi) / d);
      }
      default:
        throw EvalError("rule-error", "no such operator for complex numbers");
    }
  }
  const bool floats = a.kind() == VKind::Float || b.kind() == VKind::Float;
  const bool symbolic = a.symbolic() || b.symbolic();
  const auto exprOf = [](const Value& v) {
    if (v.sym()) return v.sym()->expr;
    if (v.kind() == VKind::Float) return SymExpr::real(pythonFloat(v.rawReal()));
    return SymExpr(v.raw());
  };
  const auto symFloat = [&](SymExpr e, double hint) {
    auto s = make<Symbolic>();
    s->expr = std::move(e);
    s->isFloat = true;
    s->floatHint = hint;
    s->hasHint = (!a.sym() || a.sym()->hasHint) && (!b.sym() || b.sym()->hasHint);
    return Value::symFloat(s);
  };
  if (op == BinaryOp::Div) {
    const double y = b.toReal();
    if (y == 0) throw EvalError("zero-division", "division by zero");
    const double q = a.toReal() / y;
    return symbolic
               ? symFloat(SymExpr::function(floats ? "FloatTrueDiv" : "IntTrueDiv", {exprOf(a), exprOf(b)}),
                          q)
               : Value::real(q);
  }
  if (floats) {
    const double x = a.toReal(), y = b.toReal();
    double r = 0;
    SymExpr e;
    switch (op) {
      case BinaryOp::Add:
        r = x + y;
        if (symbolic) e = exprOf(a) + exprOf(b);
        break;
      case BinaryOp::Sub:
        r = x - y;
        if (symbolic) e = exprOf(a) - exprOf(b);
        break;
      case BinaryOp::Mul:
        r = x * y;
        if (symbolic) e = exprOf(a) * exprOf(b);
        break;
      case BinaryOp::FloorDiv:
        if (y == 0) throw EvalError("zero-division", "float floor division by zero");
        r = std::floor(x / y);
        break;
      case BinaryOp::Mod:
        if (y == 0) throw EvalError("zero-division", "float modulo by zero");
        r = x - std::floor(x / y) * y;
        break;
      case BinaryOp::Pow:
        r = floatPower(x, y, symbolic);
        if (symbolic) e = SymExpr::function("FloatPow", {exprOf(a), exprOf(b)});
        break;
      default:
        throw EvalError("rule-error", "no such operator for floats");
    }
    return symbolic ? symFloat(std::move(e), r) : Value::real(r);
  }
  const Int x = a.toInt(), y = b.toInt();
  switch (op) {
    case BinaryOp::Add:
      return x + y;
    case BinaryOp::Sub:
      return x - y;
    case BinaryOp::Mul:
      return x * y;
    case BinaryOp::FloorDiv:
      return floorDiv(x, y);
    case BinaryOp::Mod:
      return floorMod(x, y);
    case BinaryOp::Pow: {
      if (y.value < 0)
        return Value::real(floatPower(static_cast<double>(x.value), static_cast<double>(y.value), symbolic));
      if (!symbolic) return Value(integerPower(x.value, y.value));
      const double hint = std::pow(x.value, y.value);
      return Value(symbolicInt(symPow(x.expr(), y.expr()),
                               hint < 0x1p63 && hint >= -0x1p63 ? static_cast<int64_t>(hint) : INT64_MAX));
    }
    case BinaryOp::And:
      return a.kind() == VKind::Bool && b.kind() == VKind::Bool ? Value::boolean(a.asBool() && b.asBool())
                                                                : Value(x.known() & y.known());
    case BinaryOp::Or:
      return a.kind() == VKind::Bool && b.kind() == VKind::Bool ? Value::boolean(a.asBool() || b.asBool())
                                                                : Value(x.known() | y.known());
    case BinaryOp::Xor:
      return a.kind() == VKind::Bool && b.kind() == VKind::Bool ? Value::boolean(a.asBool() != b.asBool())
                                                                : Value(x.known() ^ y.known());
    case BinaryOp::Shl:
    case BinaryOp::Shr: {
      const int64_t by = y.known();
      if (by < 0) throw EvalError("value-error", "negative shift count");
      if (op == BinaryOp::Shr) return Value(x.known() >> std::min<int64_t>(by, 63));
      if (x.known() == 0) return Value(0);
      if (by > 62) integerOverflow(x.str() + " << " + y.str());
      return Value(x * Int(int64_t{1} << by));
    }
    default:
      throw EvalError("rule-error", "no such operator for numbers");
  }
}

bool plainAttribute(const Value& object, std::string_view name, Value& out) {
  switch (object.kind()) {
    case VKind::DType: {
      const DType t = object.asDType();
      if (name == "is_floating_point") return out = Value::boolean(isFloating(t)), true;
      if (name == "is_complex") return out = Value::boolean(isComplex(t)), true;
      if (name == "is_signed") return out = Value::boolean(dtypeInfo(t).isSigned), true;
      if (name == "itemsize") return out = Value(itemSize(t)), true;
      return false;
    }
    case VKind::Device: {
      const std::string text = deviceText(object.asDevice());
      const size_t colon = text.find(':');
      if (name == "type") return out = Value::str(text.substr(0, colon)), true;
      if (name == "index")
        return out = colon == std::string::npos
                         ? Value()
                         : Value(int64_t{std::strtoll(text.c_str() + colon + 1, nullptr, 10)}),
               true;
      return false;
    }
    case VKind::Dict:
      for (size_t i = 0; i < object.items().size(); i += 2)
        if (object.items()[i].kind() == VKind::Str && object.items()[i].text() == name)
          return out = object.items()[i + 1], true;
      return false;
    case VKind::Slice:
      for (size_t i = 0; i < 3; ++i)
        if (name == (i == 0 ? "start" : i == 1 ? "stop" : "step")) return out = object.items()[i], true;
      return false;
    case VKind::Float:
    case VKind::Int:
    case VKind::Complex:
      if (name == "real") return out = Value::real(object.toReal()), true;
      if (name == "imag") return out = Value::real(object.imag()), true;
      return false;
    default:
      return false;
  }
}

namespace {
/// Rules make names and messages, no megabytes.
void limitText(const std::string& text) {
  if (text.size() > (size_t{1} << 26)) throw EvalError("rule-limit", "a text grew too long");
}
}  // namespace

Value plainMethod(Interpreter& in, const Value& object, std::string_view name, Values& args, bool& known) {
  known = true;
  if (object.isList()) {
    Values& items = object.items();
    if (name == "append") return items.push_back(argumentAt(args, 0)), Value();
    if (name == "extend") {
      for (const Value& v : elementsOf(argumentAt(args, 0))) items.push_back(v);
      return {};
    }
    if (name == "pop") {
      if (items.empty()) throw EvalError("rule-error", "pop from an empty list");
      int64_t i = args.empty() ? -1 : args[0].toInt().known();
      if (i < 0) i += static_cast<int64_t>(items.size());
      if (i < 0 || i >= static_cast<int64_t>(items.size()))
        throw EvalError("index-error", "pop index out of range");
      Value v = items[static_cast<size_t>(i)];
      items.erase(items.begin() + i);
      return v;
    }
    if (name == "insert") {
      int64_t i = argumentAt(args, 0).toInt().known();
      if (i < 0) i = std::max<int64_t>(0, i + static_cast<int64_t>(items.size()));
      items.insert(items.begin() + std::min<int64_t>(i, static_cast<int64_t>(items.size())),
                   argumentAt(args, 1));
      return {};
    }
    if (name == "reverse") return std::reverse(items.begin(), items.end()), Value();
    if (name == "copy") return Value(items);
    if (name == "index" || name == "count") {
      int64_t n = 0;
      for (size_t i = 0; i < items.size(); ++i)
        if (sameAs(items[i], argumentAt(args, 0))) {
          if (name == "index") return static_cast<int64_t>(i);
          ++n;
        }
      if (name == "index") throw EvalError("rule-error", "the list does not hold the value");
      return n;
    }
    if (name == "numel") {
      Value out(1);
      for (const Value& v : items) out = in.binary(BinaryOp::Mul, out, v, true);
      return out;
    }
  }
  if (object.kind() == VKind::Dict) {
    const Values& items = object.items();
    Values out;
    if (name == "get") {
      for (size_t i = 0; i < items.size(); i += 2)
        if (sameAs(items[i], argumentAt(args, 0))) return items[i + 1];
      return args.size() > 1 ? args[1] : Value();
    }
    for (size_t i = 0; i < items.size(); i += 2) {
      if (name == "keys") out.push_back(items[i]);
      if (name == "values") out.push_back(items[i + 1]);
      if (name == "items") out.push_back(Value::tuple({items[i], items[i + 1]}));
    }
    if (name == "keys" || name == "values" || name == "items") return Value(std::move(out));
  }
  if (object.kind() == VKind::Str) {
    const std::string& s = object.text();
    if (name == "startswith") return Value::boolean(s.starts_with(argumentAt(args, 0).text()));
    if (name == "endswith") return Value::boolean(s.ends_with(argumentAt(args, 0).text()));
    if (name == "replace") {
      const std::string &from = argumentAt(args, 0).text(), &to = argumentAt(args, 1).text();
      if (from.empty()) return object;
      std::string out;
      size_t at = 0;
      for (size_t found = s.find(from); found != std::string::npos; found = s.find(from, at)) {
        out.append(s, at, found - at).append(to);
        at = found + from.size();
        limitText(out);
      }
      out.append(s, at);
      return Value::str(out);
    }
    if (name == "split") {
      const std::string sep = args.empty() ? " " : args[0].text();
      if (sep.empty()) throw EvalError("rule-error", "empty separator");
      Values out;
      size_t at = 0;
      while (true) {
        const size_t end = s.find(sep, at);
        out.push_back(Value::str(s.substr(at, end - at)));
        if (end == std::string::npos) break;
        at = end + sep.size();
      }
      return Value(std::move(out));
    }
    if (name == "strip" || name == "lower" || name == "find" || name == "index" || name == "count" ||
        name == "isalpha" || name == "join") {
      if (name == "find" || name == "index") {
        const size_t at = s.find(argumentAt(args, 0).text());
        return at == std::string::npos ? Value(-1) : Value(static_cast<int64_t>(at));
      }
      if (name == "count") {
        int64_t n = 0;
        for (size_t at = s.find(argumentAt(args, 0).text()); at != std::string::npos;
             at = s.find(args[0].text(), at + 1))
          ++n;
        return n;
      }
      if (name == "isalpha")
        return Value::boolean(
            !s.empty() && std::all_of(s.begin(), s.end(), [](unsigned char c) { return std::isalpha(c); }));
      if (name == "join") {
        std::string out;
        for (const Value& v : elementsOf(argumentAt(args, 0))) {
          out += (out.empty() ? "" : s) + textOf(v);
          limitText(out);
        }
        return Value::str(out);
      }
      std::string out = s;
      if (name == "lower") {
        for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      } else {
        while (!out.empty() && out.front() == ' ') out.erase(0, 1);
        while (!out.empty() && out.back() == ' ') out.pop_back();
      }
      return Value::str(out);
    }
  }
  if (object.isNumber()) {
    if (name == "is_integer") return Value::boolean(object.toReal() == std::floor(object.toReal()));
    if (name == "conjugate" || name == "conj")
      return object.kind() == VKind::Complex ? Value::complex(object.rawReal(), -object.imag()) : object;
    if (name == "item" || name == "__index__" || name == "__int__") return object;
  }
  known = false;
  return {};
}

}  // namespace descry::ir::eval
