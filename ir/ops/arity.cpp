#include "ir/ops/arity.h"

#include <algorithm>

namespace descry::ir {

namespace {

/// Names that PyTorch's argument parser takes for another one: NumPy's, and `input` for `self`.
std::string_view canonical(std::string_view key) {
  static constexpr std::pair<std::string_view, std::string_view> kSame[] = {
      {"input", "self"},  {"x", "self"},   {"x1", "self"},  {"a", "self"},
      {"tensor", "self"}, {"x2", "other"}, {"axis", "dim"}, {"keepdims", "keepdim"}};
  for (const auto& [alias, name] : kSame)
    if (key == alias) return name;
  return key;
}

/// Keywords that the Python layer adds to ops whose schema does not name them: with these, every keyword that
/// PyTorch's .pyi files declare is accounted for.
bool addedByPython(std::string_view key) {
  static constexpr std::string_view kAdded[] = {
      "out",         "dtype",    "layout",           "device",         "names",
      "generator",   "inplace",  "requires_grad",    "pin_memory",     "memory_format",
      "_stacklevel", "as_tuple", "check_invariants", "_random_samples"};
  return std::find(std::begin(kAdded), std::end(kAdded), key) != std::end(kAdded);
}

CallShape shapeOfSchema(const Schema& schema, bool torchLevel) {
  CallShape shape;
  shape.anyPositional = schema.varargs;
  shape.anyKeyword = schema.varargs;
  for (const SchemaArgument& a : schema.arguments) {
    CallShape::Parameter p{a.name, !a.defaultText, a.keywordOnly};
    if (torchLevel) {
      p.name = canonical(a.name);
      // Old argument orders (`torch.add(x, alpha, y)`) give by position what is keyword-only now.
      p.keywordOnly = false;
    }
    // A list may be written as separate values.
    shape.anyPositional = shape.anyPositional || (a.type.isList() && !a.keywordOnly);
    shape.parameters.push_back(std::move(p));
  }
  return shape;
}

/// Ends of the parts of `(a, b=(1, 2), c='x,y')` that stand between commas.
std::vector<std::string_view> splitSignature(std::string_view body) {
  std::vector<std::string_view> out;
  size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i <= body.size(); ++i) {
    const char c = i < body.size() ? body[i] : ',';
    if (quote) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '\'' || c == '"') quote = c;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c != ',' || (depth && i < body.size())) continue;
    std::string_view part = body.substr(begin, i - begin);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) out.push_back(part);
    begin = i + 1;
  }
  return out;
}

std::string plural(size_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::vector<BindProblem> misfit(const CallShape& shape, const Graph& graph, NodeId node, bool torchLevel) {
  std::vector<BindProblem> out;
  const size_t given = graph.argCount(node);
  const size_t positional = static_cast<size_t>(std::count_if(
      shape.parameters.begin(), shape.parameters.end(), [](const auto& p) { return !p.keywordOnly; }));
  if (given > positional && !shape.anyPositional)
    out.push_back({"arity", "takes at most " + plural(positional, "positional argument") + ", found " +
                                std::to_string(given)});
  std::vector<bool> bound(shape.parameters.size(), false);
  for (size_t i = 0, at = 0; i < shape.parameters.size() && at < given; ++i)
    if (!shape.parameters[i].keywordOnly) bound[i] = true, ++at;
  for (uint32_t k = 0; k < graph.kwargCount(node); ++k) {
    const std::string_view key = graph.kwargKey(node, k);
    const auto named = [&](std::string_view name) {
      return std::find_if(shape.parameters.begin(), shape.parameters.end(),
                          [&](const auto& p) { return p.name == name; });
    };
    auto found = named(key);
    if (found == shape.parameters.end() && torchLevel) found = named(canonical(key));
    if (found == shape.parameters.end()) {
      if (!shape.anyKeyword && !(torchLevel && addedByPython(key)))
        out.push_back({"unknown-keyword", "takes no argument '" + std::string(key) + "'"});
      continue;
    }
    auto&& taken = bound[static_cast<size_t>(found - shape.parameters.begin())];
    if (taken && !shape.anyPositional)
      out.push_back({"duplicate-argument", "argument '" + std::string(key) + "' is given twice"});
    taken = true;
  }
  for (size_t i = 0; i < shape.parameters.size(); ++i)
    if (shape.parameters[i].required && !bound[i])
      out.push_back({"missing-argument", "argument '" + shape.parameters[i].name + "' is missing"});
  return out;
}

}  // namespace

CallShape shapeOfSignature(std::string_view signature) {
  CallShape shape;
  if (signature.size() < 2 || signature.front() != '(' || signature.back() != ')') {
    shape.anyPositional = shape.anyKeyword = true;
    return shape;
  }
  bool keywordOnly = false;
  for (std::string_view part : splitSignature(signature.substr(1, signature.size() - 2))) {
    if (part == "/") continue;
    if (part.starts_with("**")) {
      shape.anyKeyword = true;
    } else if (part.starts_with('*')) {
      shape.anyPositional = shape.anyPositional || part.size() > 1;
      keywordOnly = true;
    } else {
      const size_t equals = part.find('=');
      std::string_view name = part.substr(0, std::min(part.find(':'), equals));
      while (name.ends_with(' ')) name.remove_suffix(1);
      shape.parameters.push_back({std::string(name), equals == std::string_view::npos, keywordOnly});
    }
  }
  return shape;
}

std::vector<CallShape> callShapes(const OpRegistry& ops, std::string_view target) {
  std::vector<CallShape> out;
  std::string_view ns, name, overload;
  if (target.starts_with("torch.ops.")) {
    if (!splitTarget(target, ns, name, overload) || !overload.empty()) return out;
    for (const OpDef* o = ops.findName(ns, name); o; o = o->nextOverload())
      out.push_back(shapeOfSchema(o->schema(), false));
    return out;
  }
  // What Python code takes is written in its own signature; the op it ends in may take more or less.
  if (const PythonFunction* f = ops.findPython(target)) {
    out.push_back(shapeOfSignature(f->signature));
    return out;
  }
  // `x.__add__(...)` answers NotImplemented to what it does not take.
  if (target.starts_with(".__")) return out;
  for (const OpDef* o : ops.findSpelling(target)) out.push_back(shapeOfSchema(o->schema(), true));
  return out;
}

std::vector<BindProblem> arityProblems(const std::vector<CallShape>& shapes, const Graph& graph,
                                       NodeId node) {
  for (uint32_t i = 0; i < graph.argCount(node); ++i)
    if (graph.arg(node, i).kind() == ValueKind::Opaque) return {};
  const bool torchLevel = !graph.target(node).starts_with("torch.ops.");
  std::vector<BindProblem> best;
  for (const CallShape& shape : shapes) {
    std::vector<BindProblem> problems = misfit(shape, graph, node, torchLevel);
    if (problems.empty()) return {};
    if (best.empty() || problems.size() < best.size()) best = std::move(problems);
  }
  return best;
}

}  // namespace descry::ir
