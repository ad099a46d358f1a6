// Operators, subscripts, attributes and methods of values: of tensors they are ops, of all else what Python
// does.
#include <algorithm>
#include <cmath>

#include "ir/ops/eval/builtins.h"
#include "ir/ops/eval/interpreter.h"
#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"

namespace descry::ir::eval {

using rules::BinaryOp;
using rules::CompareOp;

namespace {
std::string_view operatorName(BinaryOp op) {
  static constexpr std::string_view kNames[] = {"add", "sub",    "mul",    "truediv", "floordiv",
                                                "mod", "pow",    "matmul", "and_",    "or_",
                                                "xor", "lshift", "rshift"};
  return kNames[static_cast<size_t>(op)];
}
}  // namespace

Value Interpreter::subscript(const Value& object, const Value& index, bool python) {
  if (object.isTensor()) return host_->index(object, index, python);
  if (object.kind() == VKind::Dict) {
    for (size_t i = 0; i < object.items().size(); i += 2)
      if (sameAs(object.items()[i], index)) return object.items()[i + 1];
    throw EvalError("rule-error", "the dict has no key " + index.describe());
  }
  if (object.kind() == VKind::Str) {
    int64_t i = index.toInt().known();
    if (i < 0) i += static_cast<int64_t>(object.text().size());
    if (i < 0 || i >= static_cast<int64_t>(object.text().size()))
      throw EvalError("index-error", "string index out of range");
    return Value::str(object.text().substr(static_cast<size_t>(i), 1));
  }
  if (!object.isList()) throw EvalError("rule-error", "cannot index " + object.describe());
  const Values& items = object.items();
  const int64_t n = static_cast<int64_t>(items.size());
  if (index.kind() == VKind::Slice) {
    const auto part = [&](size_t k, int64_t absent) {
      const Value& v = index.items()[k];
      return v.isNone() ? absent : v.toInt().known();
    };
    const int64_t step = part(2, 1);
    if (!step) throw EvalError("rule-error", "slice step cannot be zero");
    const auto clamp = [&](int64_t v, int64_t lo, int64_t hi) {
      if (v < 0) v += n;
      return std::clamp(v, lo, hi);
    };
    Values out;
    if (step > 0) {
      const int64_t stop = clamp(part(1, n), 0, n);
      for (int64_t i = clamp(part(0, 0), 0, n); i < stop; i += std::min(step, n))
        out.push_back(items[static_cast<size_t>(i)]);
    } else {
      const bool noStop = index.items()[1].isNone();
      const int64_t stop = noStop ? -1 : clamp(part(1, 0), -1, n - 1);
      const int64_t start = index.items()[0].isNone() ? n - 1 : clamp(part(0, 0), -1, n - 1);
      for (int64_t i = start; i > stop; i += std::max(step, -n - 1))
        out.push_back(items[static_cast<size_t>(i)]);
    }
    return Value(std::move(out), object.kind());
  }
  int64_t i = index.toInt().known();
  if (i < 0) i += n;
  if (i < 0 || i >= n) throw EvalError("index-error", "list index out of range");
  return items[static_cast<size_t>(i)];
}

Value Interpreter::unary(char op, const Value& a, bool python) {
  if (a.isTensor()) {
    const char* name = op == '-' ? "neg" : op == '~' ? "bitwise_not" : "positive";
    return callOp(ops_.findName("aten", name), {a}, {}, python, true);
  }
  switch (a.kind()) {
    case VKind::Int:
    case VKind::Bool: {
      if (op == '+') return a;
      if (op == '~') return -a.toInt() - Int(1);
      Value v = -a.toInt();
      if (a.symbolic()) noteSymbolic("neg", a, {}, v);
      return v;
    }
    case VKind::Float: {
      if (op != '-') return a;
      Value v = Value::real(-a.rawReal());
      if (a.symbolic()) noteSymbolic("neg", a, {}, v);
      return v;
    }
    case VKind::Complex:
      return op == '-' ? Value::complex(-a.rawReal(), -a.imag()) : a;
    default:
      throw EvalError("rule-error", std::string("cannot apply unary ") + op + " to " + a.describe());
  }
}

Value Interpreter::binary(BinaryOp op, const Value& a, const Value& b, bool python) {
  if (a.isTensor() || b.isTensor()) return tensorBinary(*this, op, a, b, python);
  if (a.isNumber() && b.isNumber()) {
    if (!a.symbolic() && !b.symbolic()) return numberBinary(op, a, b);
    // An integer meets a float: it becomes one first.
    const bool floats = a.kind() == VKind::Float || b.kind() == VKind::Float;
    const auto asFloat = [&](const Value& v) {
      if (!floats || !v.isInt()) return v;
      if (!v.symbolic()) return Value::real(v.toReal());
      Keywords none;
      Values args = {v};
      return builtinAt(findBuiltin("float")).call(*this, args, none);
    };
    const Value x = asFloat(a), y = asFloat(b);
    // Nor is anything left of a zero among floats.
    const auto zero = [&](const Value& v) {
      return v.kind() == VKind::Float && !v.symbolic() && v.toReal() == 0;
    };
    if (zero(y) && (op == BinaryOp::Add || op == BinaryOp::Sub)) return x;
    if (zero(x) && op == BinaryOp::Add) return y;
    Value out = numberBinary(op, x, y);
    // Nothing is computed where a factor is 1; everything else makes a number of its own.
    const bool same = out.symbolic() && (out.object() == x.object() || out.object() == y.object());
    if (same && op == BinaryOp::Mul) return out;
    if (same && out.isInt())
      out = Value(symbolicInt(out.sym()->expr, out.raw(), out.sym()->hasHint, out.sym()->facts));
    noteSymbolic(operatorName(op), x, y, out);
    return out;
  }
  if (a.isList() && b.isList() && op == BinaryOp::Add) {
    Values items = a.items();
    items.insert(items.end(), b.items().begin(), b.items().end());
    return Value(std::move(items), a.kind());
  }
  if (op == BinaryOp::Mul && (a.isList() || b.isList())) {
    const Value& list = a.isList() ? a : b;
    const int64_t n = (a.isList() ? b : a).toInt().known();
    int64_t length = 0;
    if (n > 0 &&
        (__builtin_mul_overflow(n, static_cast<int64_t>(list.items().size()), &length) || length > 1000000))
      throw EvalError("rule-error", "a list grew too long");
    Values items;
    for (int64_t i = 0; i < n; ++i) items.insert(items.end(), list.items().begin(), list.items().end());
    return Value(std::move(items), list.kind());
  }
  if (a.kind() == VKind::Str && b.kind() == VKind::Str && op == BinaryOp::Add)
    return Value::str(a.text() + b.text());
  throw EvalError("rule-error", "no operator " + std::string(operatorName(op)) + " for " + a.describe() +
                                    " and " + b.describe());
}

Value Interpreter::compare(CompareOp op, const Value& a, const Value& b, bool python) {
  switch (op) {
    case CompareOp::Is:
    case CompareOp::IsNot: {
      const bool same =
          a.kind() == b.kind() && (a.isTensor() || a.isList() ? a.object() == b.object() : sameAs(a, b));
      return Value::boolean(same == (op == CompareOp::Is));
    }
    case CompareOp::In:
    case CompareOp::NotIn: {
      bool found = false;
      if (b.kind() == VKind::Str) {
        found = a.kind() == VKind::Str && b.text().find(a.text()) != std::string::npos;
      } else {
        for (const Value& v : elementsOf(b)) found = found || sameAs(v, a);
      }
      return Value::boolean(found == (op == CompareOp::In));
    }
    default:
      break;
  }
  if ((a.isTensor() || b.isTensor()) && !a.isNone() && !b.isNone()) {
    static constexpr const char* kNames[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    static constexpr const char* kSwapped[] = {"eq", "ne", "gt", "ge", "lt", "le"};
    const size_t at = static_cast<size_t>(op);
    if (a.isTensor()) return callOp(ops_.findName("aten", kNames[at]), {a, b}, {}, python, true);
    return callOp(ops_.findName("aten", kSwapped[at]), {b, a}, {}, python, true);
  }
  if (op == CompareOp::Eq) return Value::boolean(sameAs(a, b));
  if (op == CompareOp::Ne) return Value::boolean(!sameAs(a, b));
  bool less = false, equal = false;
  if (a.isNumber() && b.isNumber()) {
    if (a.kind() != VKind::Float && b.kind() != VKind::Float && a.kind() != VKind::Complex &&
        b.kind() != VKind::Complex) {
      // Only what is asked for: more may depend on data.
      const Int x = a.toInt(), y = b.toInt();
      switch (op) {
        case CompareOp::Lt:
          return Value::boolean(x < y);
        case CompareOp::Le:
          return Value::boolean(!(y < x));
        case CompareOp::Gt:
          return Value::boolean(y < x);
        default:
          return Value::boolean(!(x < y));
      }
    } else {
      const double x = a.toReal(), y = b.toReal();
      if (std::isnan(x) || std::isnan(y)) return Value::boolean(false);
      less = x < y;
      equal = x == y;
    }
  } else if (a.kind() == VKind::Str && b.kind() == VKind::Str) {
    less = a.text() < b.text();
    equal = a.text() == b.text();
  } else {
    throw EvalError("rule-error", "cannot compare " + a.describe() + " and " + b.describe());
  }
  switch (op) {
    case CompareOp::Lt:
      return Value::boolean(less);
    case CompareOp::Le:
      return Value::boolean(less || equal);
    case CompareOp::Gt:
      return Value::boolean(!less && !equal);
    default:
      return Value::boolean(!less);
  }
}

Value Interpreter::method(const Value& object, std::string_view name, Values args, const Keywords& keywords,
                          bool& known) {
  known = true;
  if (object.isTensor()) {
    Value out;
    // A shape rule that says `sym_numel` means the number itself that the tensor is asked for.
    if (name == (inShape_ ? "sym_numel" : "numel")) return host_->numel(object);
    if (name == "is_contiguous" && !inShape_ && args.empty()) {
      Values asked = {object};
      Value none;
      host_->special("contiguity", asked, none);
    }
    if (tensorMethod(object, name, args, keywords, out)) return out;
    args.insert(args.begin(), object);
    if (python_) {
      const std::string spelling = "." + std::string(name);
      if (ops_.pythonBody(spelling)) return callSpelling(spelling, std::move(args), keywords);
    }
    if (const OpDef* op = ops_.findName("aten", name))
      return callOp(op, std::move(args), keywords, python_, true);
    const std::string spelling = "." + std::string(name);
    if (ops_.findPython(spelling) || !ops_.findSpelling(spelling).empty())
      return callSpelling(spelling, std::move(args), keywords);
    known = false;
    return {};
  }
  return plainMethod(*this, object, name, args, known);
}

Value Interpreter::attributeOf(const Value& object, std::string_view name) {
  Value out;
  if (object.isTensor()) {
    if (tensorAttribute(*this, object, name, out)) return out;
    if (host_->attribute(object, name, out)) return out;
    const std::string spelling = "." + std::string(name);
    // Properties that are views: x.T, x.mT, x.H, x.real.
    static constexpr std::pair<std::string_view, std::string_view> kProperties[] = {
        {"T", "numpy_T"}, {"mT", "mT"},     {"H", "matrix_H"}, {"mH", "mH"},
        {"real", "real"}, {"imag", "imag"}, {"data", "detach"}};
    for (const auto& [property, op] : kProperties)
      if (property == name)
        if (const OpDef* def = ops_.findName("aten", op)) return callOp(def, {object}, {}, true, true);
    throw EvalError("unsupported-call", "Descry has no rule for the attribute " + spelling + " of a tensor");
  }
  if (plainAttribute(object, name, out)) return out;
  throw EvalError("rule-error", object.describe() + " has no attribute '" + std::string(name) + "'");
}

}  // namespace descry::ir::eval
