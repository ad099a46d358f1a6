#include "ir/ops/rules/op_rules.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace descry::ir::rules {

namespace {

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\n')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\n')) s.remove_suffix(1);
  return s;
}

std::vector<std::string> splitNames(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(", "), text.size());
    if (end) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

eval::Value literal(std::string_view text, const SchemaType& type) {
  using eval::Value;
  text = trimmed(text);
  if (text == "None") return {};
  if (text == "True" || text == "False") return Value::boolean(text == "True");
  if (text.starts_with('[') || text.starts_with('(')) {
    eval::Values items;
    for (const std::string& part : splitNames(text.substr(1, text.size() - 2))) {
      SchemaType inner = type;
      inner.wraps.clear();
      items.push_back(literal(part, inner));
    }
    return Value(std::move(items));
  }
  if (text.starts_with('"') || text.starts_with('\'')) return Value::str(text.substr(1, text.size() - 2));
  if (type.base == "MemoryFormat" && text.size() == 1 && text[0] >= '0' && text[0] <= '3')
    return Value::memoryFormat(static_cast<eval::MemoryFormat>(text[0] - '0'));
  if (type.base == "ScalarType" && text == "4") return Value::dtype(DType::I64);
  if (type.base == "ScalarType" && text == "6") return Value::dtype(DType::F32);
  if (text == "contiguous_format") return Value::memoryFormat(eval::MemoryFormat::Contiguous);
  if (text == "preserve_format") return Value::memoryFormat(eval::MemoryFormat::Preserve);
  if (text == "Mean") return 1;
  if (text == "None") return 0;
  if (text == "Sum") return 2;
  if (text == "long") return Value::dtype(DType::I64);
  if (text == "float") return Value::dtype(DType::F32);
  if (text == "inf") return Value::real(HUGE_VAL);
  char* end = nullptr;
  const std::string number(text);
  const bool real = number.find_first_of(".eE") != std::string::npos || type.base == "float";
  eval::Value v = real ? Value::real(std::strtod(number.c_str(), &end))
                       : Value(static_cast<int64_t>(std::strtoll(number.c_str(), &end, 10)));
  if (end == number.c_str()) return Value::str(text, eval::VKind::Object);
  // One number for a list of n.
  if (type.isList() && !type.wraps.empty()) {
    int64_t n = 1;
    for (const SchemaType::Wrap& w : type.wraps)
      if (w.list && w.size > 0) n = w.size;
    return Value(eval::Values(static_cast<size_t>(n), v));
  }
  return v;
}

constexpr std::pair<std::string_view, CastPolicy> kPolicies[] = {
    {"lower_precision_fp", CastPolicy::LowerPrecision},
    {"fp32", CastPolicy::Fp32},
    {"fp32_set_opt_dtype", CastPolicy::Fp32SetOptDtype},
    {"fp32_append_dtype", CastPolicy::Fp32AppendDtype},
    {"promote", CastPolicy::Promote},
    {"refused", CastPolicy::Refused}};

std::string policyNames() {
  std::string out;
  for (const auto& [name, policy] : kPolicies) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

/// `fp32`, `cpu fp32, cuda promote`.
bool readAutocast(std::string_view text, std::array<CastPolicy, 2>& out) {
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view item = trimmed(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    bool devices[2] = {true, true};
    for (size_t d = 0; d < 2; ++d)
      if (const std::string_view name = kCastDevices[d];
          item.starts_with(name) && item.size() > name.size() && item[name.size()] == ' ') {
        devices[1 - d] = false;
        item = trimmed(item.substr(name.size()));
        break;
      }
    const auto* found = std::find_if(std::begin(kPolicies), std::end(kPolicies),
                                     [&](const auto& p) { return p.first == item; });
    if (found == std::end(kPolicies)) return false;
    for (size_t d = 0; d < 2; ++d)
      if (devices[d]) out[d] = found->second;
  }
  return true;
}

}  // namespace

eval::Value defaultOf(const SchemaArgument& argument) {
  return literal(*argument.defaultText, argument.type);
}

OpRules parseRules(const OpDef& op) {
  OpRules out;
  const Schema& schema = op.schema();
  const OpRegistry* helpers = &op.registry();
  std::vector<std::string> args;
  for (const SchemaArgument& a : schema.arguments) {
    args.push_back(a.name);
    out.defaults.push_back(a.defaultText ? std::optional(defaultOf(a)) : std::nullopt);
  }
  const auto body = [&](const TableProperty& p, std::vector<std::string> names,
                        bool python) -> std::shared_ptr<Function> {
    Result<std::shared_ptr<Function>> f =
        parseBody(p.text, p.line, std::move(names), op.target() + " " + std::string(p.key), op.file(), python,
                  p.column);
    if (f) {
      if (op.declared()) {
        (*f)->declared = &op;
        (*f)->part = p.key == "shape"                                                 ? RulePart::Shape
                     : p.key == "grad"                                                ? RulePart::Grad
                     : p.key == "jvp"                                                 ? RulePart::Tangent
                     : p.key == "composite" || p.key == "core" || p.key == "inductor" ? RulePart::Results
                                                                                      : RulePart::Other;
      }
      return *f;
    }
    out.problems.push_back(f.error());
    return nullptr;
  };
  const auto fault = [&](const TableProperty& p, std::string message) {
    Diagnostic d = failure("table-syntax", std::move(message), std::string(op.file()));
    d.loc.line = p.line;
    out.problems.push_back(std::move(d));
  };
  struct Keyed {
    std::string key;
    GradRule rule;
  };
  std::vector<Keyed> grads;
  bool philoxAsInductor = false;
  for (auto at = op.properties().begin(); at != op.properties().end(); ++at) {
    const TableProperty& p = *at;
    // Of two the later one would win, and nobody would see it.
    if (std::any_of(op.properties().begin(), at,
                    [&](const TableProperty& q) { return q.key == p.key && q.name == p.name; })) {
      fault(p, "`" + std::string(p.key) + (p.name.empty() ? "" : " " + std::string(p.name)) +
                   "` is given twice");
      continue;
    }
    if (p.key == "shape") {
      const std::string_view text = trimmed(p.text);
      if (std::all_of(text.begin(), text.end(),
                      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }))
        out.shapeName = text;
      out.shape = body(p, args, false);
    } else if (p.key == "composite") {
      out.composite = body(p, args, op.declared());
    } else if (p.key == "core") {
      out.core = body(p, args, true);
    } else if (p.key == "inductor") {
      if (trimmed(p.text) == "keep")
        out.keepInInductor = true;
      else
        out.inductor = body(p, args, true);
    } else if (p.key == "philox") {
      if (trimmed(p.text) == "inductor")
        philoxAsInductor = true;
      else
        out.philox = body(p, args, true);
    } else if (p.key == "run") {
      out.run = body(p, args, true);
    } else if (p.key == "flops") {
      std::vector<std::string> names = args;
      names.emplace_back("result");
      out.flops = body(p, std::move(names), true);
    } else if (p.key == "inverse") {
      std::vector<std::string> names = args;
      for (const char* extra : {"base", "updated", "index"})
        if (std::find(names.begin(), names.end(), extra) == names.end()) names.emplace_back(extra);
      out.inverse = body(p, std::move(names), true);
    } else if (p.key == "scalar") {
      out.scalar = body(p, args, true);
    } else if (p.key == "autocast") {
      if (!readAutocast(p.text, out.autocast))
        fault(p, "expected 'POLICY' or 'cpu POLICY, cuda POLICY' with a policy among " + policyNames());
    } else if (p.key == "differentiable") {
      const std::vector<std::string> names = splitNames(trimmed(p.text));
      for (size_t i = 0; i < schema.returns.size(); ++i)
        out.differentiable.push_back(std::any_of(names.begin(), names.end(), [&](const std::string& n) {
          return n == schema.returns[i].name || n == "result" + std::to_string(i) ||
                 (n == "result" && i == 0);
        }));
    } else if (p.key == "grad") {
      if (p.name == "none" || trimmed(p.text) == "none") {
        out.notDifferentiable = true;
        continue;
      }
      if (p.name == "undefined") {
        out.undefinedGradient = true;
        continue;
      }
      Keyed k;
      const std::vector<std::string> inputs = splitNames(p.name);
      for (const std::string& i : inputs) {
        const auto found = std::find(args.begin(), args.end(), i);
        if (found == args.end()) {
          fault(p, "the op has no argument '" + i + "'");
          continue;
        }
        for (const Keyed& other : grads)
          if (const auto& known = other.rule.inputs;
              std::find(known.begin(), known.end(), static_cast<uint32_t>(found - args.begin())) !=
              known.end())
            fault(p, "the gradient of '" + i + "' is given twice");
        k.rule.inputs.push_back(static_cast<uint32_t>(found - args.begin()));
        k.key += (k.key.empty() ? "" : ", ") + i;
      }
      std::vector<std::string> names = args;
      std::vector<std::string> results;
      for (size_t i = 0; i < schema.returns.size(); ++i) {
        std::string name = schema.returns[i].name;
        const std::string numbered = "result" + std::to_string(i);
        if (name.empty() || name == "result" || std::find(names.begin(), names.end(), name) != names.end())
          name = "result" + std::to_string(i) + "_";
        names.push_back(name);
        names.push_back(numbered);
        results.push_back(name);
      }
      names.insert(names.end(), {"result", "grad", "grads"});
      // What a user registers is Python; PyTorch's own formulas are C++.
      k.rule.body = body(p, names, op.declared());
      if (!k.rule.body || k.rule.inputs.empty()) continue;
      k.rule.body->grads = k.rule.inputs.size();
      for (size_t i = 0; i < results.size(); ++i)
        k.rule.savesResult.push_back(readsContents(*k.rule.body, results[i]) ||
                                     readsContents(*k.rule.body, "result" + std::to_string(i)) ||
                                     ((results.size() == 1 || schema.returns[i].name == "result") &&
                                      readsContents(*k.rule.body, "result")));
      for (const std::string& a : args) {
        k.rule.savesInput.push_back(readsContents(*k.rule.body, a, helpers));
        k.rule.countsInput.push_back(readsAttribute(*k.rule.body, a, "numel"));
      }
      grads.push_back(std::move(k));
    } else if (p.key == "jvp") {
      JvpRule rule;
      const std::string_view text = trimmed(p.text);
      std::vector<std::string> names = args;
      for (const std::string& a : args) names.insert(names.end(), {a + "_t", a + "_p"});
      bool known = p.name.empty() || p.name == "result";
      for (size_t i = 0; i < schema.returns.size(); ++i) {
        std::string name = schema.returns[i].name;
        if (name.empty() || name == "result" || std::find(names.begin(), names.end(), name) != names.end())
          name = "result" + std::to_string(i) + "_";
        if (!p.name.empty() && (p.name == name || p.name == "result" + std::to_string(i))) {
          rule.output = static_cast<uint32_t>(i);
          known = true;
        }
        names.insert(names.end(), {name, "result" + std::to_string(i)});
      }
      if (!known) fault(p, "the op has no result '" + std::string(p.name) + "'");
      names.emplace_back("result");
      if (text == "linear" || text == "elementwise") {
        rule.kind = text == "linear" ? JvpRule::Linear : JvpRule::Elementwise;
      } else if (text != "core") {
        rule.body = body(p, names, false);
        if (!rule.body) continue;
        rule.result = mentions(*rule.body, "result");
        for (const std::string& a : args) {
          rule.tangents.push_back(mentions(*rule.body, a + "_t"));
          rule.primals.push_back(mentions(*rule.body, a + "_p"));
        }
        // A list of tensors is read by its name.
        for (size_t i = 0; i < args.size(); ++i)
          if (schema.arguments[i].type.isList() && schema.arguments[i].type.base == "Tensor" &&
              mentions(*rule.body, args[i]))
            rule.tangents[i] = true;
      }
      out.jvps.push_back(std::move(rule));
    } else {
      fault(p, "unknown property '" + std::string(p.key) + "'");
    }
  }
  // PyTorch's code generator goes through the formulas of an op sorted by their keys.
  std::stable_sort(grads.begin(), grads.end(), [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
  if (philoxAsInductor) out.philox = out.inductor;
  for (Keyed& k : grads) out.grads.push_back(std::move(k.rule));
  for (JvpRule& rule : out.jvps) {
    if (rule.kind == JvpRule::Formula) continue;
    rule.tangents.assign(args.size(), false);
    rule.primals.assign(args.size(), false);
    for (const GradRule& g : out.grads)
      for (uint32_t i : g.inputs) rule.tangents[i] = true;
    if (rule.kind == JvpRule::Linear) continue;
    const TableProperty& p = *std::find_if(op.properties().begin(), op.properties().end(),
                                           [](const auto& q) { return q.key == "jvp"; });
    if (out.grads.size() != 1 || out.grads[0].inputs.size() != 1) {
      fault(p, "elementwise forward mode needs one gradient of one argument");
      continue;
    }
    const GradRule& g = out.grads[0];
    rule.body = g.body;
    rule.primals[g.inputs[0]] = mentions(*g.body, args[g.inputs[0]]);
    rule.result = mentions(*g.body, "result");
  }
  // Formulas that name `grad` and never `grads` differentiate the first result only.
  if (out.differentiable.empty() && schema.returns.size() > 1 && !out.grads.empty() &&
      std::none_of(out.grads.begin(), out.grads.end(),
                   [](const GradRule& g) { return mentions(*g.body, "grads"); })) {
    out.differentiable.assign(schema.returns.size(), false);
    out.differentiable[0] = true;
  }
  return out;
}

}  // namespace descry::ir::rules
