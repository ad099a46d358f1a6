// Which overload a call means, and its arguments in the order of the schema.
#include <algorithm>

#include "ir/ops/eval/interpreter.h"

namespace descry::ir::eval {

namespace {

/// Functions whose tensor parameters take Python numbers (torch's argument parser).
bool takesNumbersAsTensors(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "add",         "add_",         "sub",          "sub_",          "subtract", "subtract_", "mul",
      "mul_",        "multiply",     "multiply_",    "div",           "div_",     "divide",    "divide_",
      "true_divide", "true_divide_", "floor_divide", "floor_divide_", "_conj",    "copy",      "copy_",
      "_to_copy",    "to",           "fmod",         "fmod_"};
  // fmod and remainder have Scalar overloads that the parser prefers for numbers.
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) &&
         !name.starts_with("fmod");
}

/// NumPy's and old names of parameters.
std::string_view canonicalName(std::string_view key) {
  static constexpr std::pair<std::string_view, std::string_view> kSame[] = {
      {"input", "self"}, {"x", "self"},   {"x1", "self"},  {"tensor", "self"},
      {"x2", "other"},   {"axis", "dim"}, {"axes", "dim"}, {"keepdims", "keepdim"}};
  for (const auto& [alias, name] : kSame)
    if (key == alias) return name;
  return key;
}

bool isIntLike(const Value& v) {
  return v.kind() == VKind::Int || v.kind() == VKind::Bool;
}

/// `int[2]`: one number stands for both.
bool sizedList(const SchemaType& type) {
  return std::any_of(type.wraps.begin(), type.wraps.end(),
                     [](const SchemaType::Wrap& w) { return w.list && w.size > 0; });
}

class Binder {
 public:
  explicit Binder(bool python, bool numbersAsTensors) : python_(python), numbers_(numbersAsTensors) {}

  /// Converts `v` for a parameter whose type is `type` from wrap `at` on. False when it does not fit.
  bool convert(const SchemaType& type, size_t at, const Value& v, Value& out) const {
    if (at < type.wraps.size()) {
      const SchemaType::Wrap& w = type.wraps[at];
      if (!w.list) {
        if (v.isNone()) return out = v, true;
        return convert(type, at + 1, v, out);
      }
      if (!v.isList()) {
        // One number for a list of n; a list without size takes one only from C++ (IntArrayRef of one).
        const bool number = type.base != "Tensor" && (v.isNumber());
        if (!number || (w.size < 0 && python_)) return false;
        Value one;
        if (!convert(type, at + 1, v, one)) return false;
        out = Value(Values(static_cast<size_t>(std::max<int64_t>(w.size, 1)), one));
        return true;
      }
      Values items;
      items.reserve(v.items().size());
      for (const Value& i : v.items()) {
        Value c;
        if (!convert(type, at + 1, i, c)) return false;
        items.push_back(std::move(c));
      }
      out = Value(std::move(items));
      return true;
    }
    return scalar(type, v, out);
  }

 private:
  bool scalar(const SchemaType& type, const Value& v, Value& out) const {
    const std::string& base = type.base;
    out = v;
    const VKind k = v.kind();
    if (base == "Tensor") {
      // What is written is a tensor of the program.
      const bool number = numbers_ && v.isNumber() && !type.writes();
      if (number) out = wrapNumber(v);
      return v.isTensor() || number;
    }
    if (base == "Scalar") return v.isNumber();
    if (base == "int" || base == "SymInt") {
      // Enumerations are ints in schemas: dtype, layout, memory format have names of their own there.
      if (k == VKind::Bool && !python_) out = Value(v.raw());
      return k == VKind::Int || (k == VKind::Bool && !python_);
    }
    if (base == "float") {
      if (k == VKind::Int && v.symbolic()) return true;
      if (isIntLike(v)) out = Value::real(v.toReal());
      return isIntLike(v) || k == VKind::Float;
    }
    if (base == "bool" || base == "SymBool") return k == VKind::Bool;
    if (base == "ScalarType") return k == VKind::DType;
    if (base == "Layout") return k == VKind::Layout;
    if (base == "Device") {
      if (k == VKind::Str) out = Value::device(deviceId(v.text()));
      return k == VKind::Device || k == VKind::Str;
    }
    if (base == "MemoryFormat") return k == VKind::MemoryFormat;
    if (base == "str") return k == VKind::Str;
    if (base == "Dimname") return false;
    if (base == "Generator") return k == VKind::Object;
    if (base == "Storage") return false;
    return true;
  }

  bool python_, numbers_;
};

}  // namespace

bool bindTo(const OpDef& op, const Values& args, const Keywords& keywords, bool python, bool method,
            Values& bound, std::string* why, bool exact) {
  const Schema& schema = op.schema();
  const rules::OpRules& rules = op.rules();
  const Binder binder(python, exact || (python && takesNumbersAsTensors(op.name())));
  const size_t n = schema.arguments.size();
  bound.assign(n, {});
  std::vector<uint8_t> given(n, 0);
  const auto no = [&](std::string message) {
    if (why) *why = std::move(message);
    return false;
  };
  // The receiver of a method goes to the argument called self, wherever it stands.
  if (method && n && schema.arguments[0].name != "self" && !args.empty()) {
    for (size_t i = 1; i < n; ++i) {
      if (schema.arguments[i].name != "self" || schema.arguments[i].keywordOnly) continue;
      if (args.size() < i + 1) {
        // The arguments before it come by keyword.
        Keywords named = keywords;
        named.emplace_back("self", args[0]);
        return bindTo(op, Values(args.begin() + 1, args.end()), named, python, false, bound, why, exact);
      }
      Values moved(args.begin() + 1, args.end());
      moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(i), args[0]);
      return bindTo(op, moved, keywords, python, false, bound, why, exact);
    }
  }
  size_t positional = 0;
  while (positional < n && !schema.arguments[positional].keywordOnly) ++positional;
  Values joined;
  const Values* use = &args;
  if (args.size() > positional || (python && !args.empty())) {
    // `x.view(2, 3)`, `torch.zeros(2, 3)`: the ints of the only list parameter may be written one by one.
    const size_t skip = method ? 1 : 0;
    if (positional == skip + 1 && args.size() > skip && schema.arguments[skip].type.isList() &&
        schema.arguments[skip].type.base != "Tensor" &&
        !(args.size() == skip + 1 && sizedList(schema.arguments[skip].type)) &&
        std::all_of(args.begin() + static_cast<std::ptrdiff_t>(skip), args.end(), isIntLike)) {
      joined.assign(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(skip));
      joined.emplace_back(Values(args.begin() + static_cast<std::ptrdiff_t>(skip), args.end()));
      use = &joined;
    }
  }
  if (use->size() > positional)
    return no("takes at most " + std::to_string(positional) + " positional arguments, found " +
              std::to_string(use->size()));
  // C++ hands over undefined tensors, Python does not: kernels of attention have none where a schema of their
  // backward says `Tensor`. What an op is of is never undefined.
  const auto undefined = [&](size_t i, const Value& v) {
    return !python && i > 0 && v.isNone() && schema.arguments[i].type.base == "Tensor" &&
           !schema.arguments[i].type.isList();
  };
  for (size_t i = 0; i < use->size(); ++i) {
    if (undefined(i, (*use)[i]))
      bound[i] = {};
    else if (!binder.convert(schema.arguments[i].type, 0, (*use)[i], bound[i]))
      return no("argument '" + schema.arguments[i].name + "' must be " + schema.arguments[i].type.str() +
                ", found " + (*use)[i].describe());
    given[i] = 1;
  }
  for (const auto& [key, value] : keywords) {
    size_t at = n;
    for (size_t i = 0; i < n && at == n; ++i)
      if (schema.arguments[i].name == key) at = i;
    if (at == n && python) {
      const std::string_view other = canonicalName(key);
      for (size_t i = 0; i < n && at == n; ++i)
        if (canonicalName(schema.arguments[i].name) == other) at = i;
    }
    if (at == n) {
      // Keywords of Python's signatures that mean nothing to the op when they are off.
      if (python && value.isNone() && (key == "out" || key == "names" || key == "device" || key == "layout"))
        continue;
      if (python && (key == "requires_grad" || key == "pin_memory") && !value.truthy()) continue;
      // `out=(values, indices)`: the written arguments in order.
      const auto written = [&](size_t i) {
        return schema.arguments[i].keywordOnly && schema.arguments[i].type.writes();
      };
      size_t firstOut = n;
      while (firstOut > 0 && written(firstOut - 1)) --firstOut;
      if (python && key == "out" && value.isList() && n - firstOut > 1 &&
          value.items().size() == n - firstOut) {
        for (size_t i = firstOut; i < n; ++i) {
          if (!binder.convert(schema.arguments[i].type, 0, value.items()[i - firstOut], bound[i]))
            return no("argument 'out' must hold tensors");
          given[i] = 1;
        }
        continue;
      }
      return no("has no argument '" + std::string(key) + "'");
    }
    if (given[at]) return no("argument '" + std::string(key) + "' is given twice");
    if (undefined(at, value))
      bound[at] = {};
    else if (!binder.convert(schema.arguments[at].type, 0, value, bound[at]))
      return no("argument '" + schema.arguments[at].name + "' must be " + schema.arguments[at].type.str() +
                ", found " + value.describe());
    given[at] = 1;
  }
  for (size_t i = 0; i < n; ++i) {
    if (given[i]) continue;
    if (!rules.defaults[i]) {
      return no("argument '" + schema.arguments[i].name + "' is missing");
    }
    bound[i] = *rules.defaults[i];
  }
  return true;
}

const OpDef* Interpreter::resolve(const OpDef* head, Values& args, const Keywords& keywords, bool python,
                                  bool method) const {
  Values bound;
  std::string why, first;
  const bool hasOut = std::any_of(keywords.begin(), keywords.end(),
                                  [](const auto& k) { return k.first == "out" && !k.second.isNone(); });
  const OpDef* best = nullptr;
  // Python prefers Tensor to Scalar parameters where numbers may stand for tensors.
  const bool skipScalar = python && takesNumbersAsTensors(head->name());
  for (int round = 0; round < 2 && !best; ++round) {
    for (const OpDef* o = head; o; o = o->nextOverload()) {
      const std::string_view ov = o->overload();
      const bool scalar = ov == "Scalar" || ov == "Scalar_mode" || ov == "Scalar_out";
      if (skipScalar && scalar && round == 0) continue;
      // out= overloads name their out argument; `int` overloads of the scripting language take no tensor.
      const bool outOverload = ov == "out" || ov.ends_with("_out");
      if (outOverload && !hasOut) continue;
      if (bindTo(*o, args, keywords, python, method, bound, &why)) {
        best = o;
        break;
      }
      if (first.empty()) first = why;
    }
    if (!skipScalar) break;
  }
  if (!best) {
    std::string name = std::string(head->name());
    throw EvalError(
        "type-error",
        name + "(): " + (head->nextOverload() ? "no overload takes these arguments; the first one: " : "") +
            first);
  }
  args = std::move(bound);
  return best;
}

Value Interpreter::callOp(const OpDef* head, Values args, const Keywords& keywords, bool python,
                          bool method) {
  const OpDef* op = resolve(head, args, keywords, python, method);
  return host_->call(*op, std::move(args));
}

}  // namespace descry::ir::eval
