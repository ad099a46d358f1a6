// Custom ops in captured graphs: those that nothing is known of, and calls that were made functional before.
#include <algorithm>

#include "passes/aot/hop.h"

namespace descry::passes {

namespace {

std::string typeName(const Value& v) {
  switch (v.kind()) {
    case VKind::Tensor:
      return "Tensor";
    case VKind::Bool:
      return "bool";
    case VKind::Int:
      return "SymInt";
    case VKind::Float:
      return "float";
    case VKind::Str:
      return "str";
    case VKind::DType:
      return "ScalarType";
    case VKind::Device:
      return "Device";
    case VKind::List:
    case VKind::Tuple:
      return (v.items().empty() ? "Tensor" : typeName(v.items()[0])) + "[]";
    default:
      return "Tensor?";
  }
}

/// `ns::name(Tensor x0, float x1) -> Tensor`: the declaration that would fit a call, as far as the call shows
/// it.
std::string likelySchema(std::string_view target, const Values& args, const ir::eval::Keywords& keywords,
                         const Value& results, size_t used) {
  std::string_view ns, name, overload;
  ir::splitTarget(target, ns, name, overload);
  std::string out = std::string(ns) + "::" + std::string(name);
  if (!overload.empty() && overload != "default") out += "." + std::string(overload);
  out += "(";
  for (size_t i = 0; i < args.size(); ++i)
    out += (i ? ", " : "") + typeName(args[i]) + " x" + std::to_string(i);
  for (size_t i = 0; i < keywords.size(); ++i)
    out += (i || !args.empty() ? ", " : "") + typeName(keywords[i].second) + " " +
           std::string(keywords[i].first);
  out += ") -> ";
  if (!results.isNone() && !results.isList()) return out + "Tensor";
  const size_t several = results.isNone() ? used : results.items().size();
  if (results.isNone() && several == 1) return out + "Tensor";
  out += "(";
  for (size_t i = 0; i < several; ++i) out += i ? ", Tensor" : "Tensor";
  return out + ")";
}

/// How many results the graph reads of a call without types: those that getitem takes, or it is one.
size_t resultsRead(const ir::Graph& graph, ir::NodeId call) {
  size_t last = 0;
  for (const ir::NodeId user : graph.users(call)) {
    const bool item = graph.target(user) == "operator.getitem" && graph.argCount(user) == 2 &&
                      graph.arg(user, 0).kind() == ir::ValueKind::NodeRef &&
                      graph.arg(user, 0).node() == call && graph.arg(user, 1).kind() == ir::ValueKind::Int;
    if (!item || graph.arg(user, 1).integer() < 0 || graph.arg(user, 1).integer() > 1000) return 1;
    last = std::max(last, static_cast<size_t>(graph.arg(user, 1).integer()) + 1);
  }
  return last;
}

}  // namespace

Value typedResults(const ir::Graph& graph, ir::NodeId call,
                   const std::unordered_map<std::string, int64_t>& hints) {
  if (const std::optional<Meta> m = checkedMeta(graph.type(call), hints)) return metaValue(*m);
  Values items;
  for (const ir::NodeId user : graph.users(call)) {
    if (graph.target(user) != "operator.getitem" || graph.argCount(user) < 2 ||
        graph.arg(user, 1).kind() != ir::ValueKind::Int)
      return {};
    const int64_t i = graph.arg(user, 1).integer();
    const std::optional<Meta> m = checkedMeta(graph.type(user), hints);
    if (!m || i < 0 || i > 1000) return {};
    if (items.size() <= static_cast<size_t>(i)) items.resize(static_cast<size_t>(i) + 1);
    items[static_cast<size_t>(i)] = metaValue(*m);
  }
  return items.empty() ? Value() : Value::tuple(std::move(items));
}

Value Program::opaque(Tracer& tracer, ir::NodeId id, std::string_view target, const Values& args,
                      const ir::eval::Keywords& keywords) const {
  HigherOrderState& state = *tracer.higherOrder;
  const Value results = typedResults(graph_, id, state.hints);
  const std::string declare = "; declare it with --op \"" +
                              likelySchema(target, args, keywords, results, resultsRead(graph_, id)) +
                              "\", with (a!) behind the type of what it writes and `; is: effect` or `; grad "
                              "x0: ...` behind the schema "
                              "where that holds";
  const auto refuse = [&](const std::string& why) {
    throw EvalError("unknown-op", "the op " + std::string(target) + " is in no op table, " + why + declare);
  };
  if (state.unknown == UnknownOps::Refuse) refuse("and may write its arguments or have an effect");
  if (results.isNone())
    refuse("and its results have no types in the graph: it may write its arguments or have an effect");
  // A pure op whose result is not used would do nothing.
  if (graph_.users(id).empty())
    refuse("and nothing reads its result: it may write its arguments or have an effect");
  std::string_view ns, name, overload;
  ir::splitTarget(target, ns, name, overload);
  if (name.ends_with("_") && !name.ends_with("__")) refuse("and its name says that it writes an argument");
  if (!keywords.empty()) refuse("so that the places of its keyword arguments are not known");
  Values all = args;
  for (const auto& [key, v] : keywords) all.push_back(v);
  if (tracer.gradMode && anyRequiresGrad(tracer, all)) refuse("and a gradient would have to pass it");
  for (const Value& v : all)
    if (v.isList() && tracer.gradMode && anyRequiresGrad(tracer, v.items()))
      refuse("and a gradient would have to pass it");
  state.assumed.emplace(std::string(target),
                        "nothing is known of " + std::string(target) +
                            ": it is taken to write nothing, to return new tensors and to have no effect" +
                            declare);
  const std::string full = std::string(target) + (overload.empty() ? ".default" : "");
  const Values inner = innerValues(tracer, args);
  const ir::NodeId node =
      tracer.emit(full, inner, {}, results.isTensor() ? tracer.typeOf(results.meta()) : ir::TypeId{});
  const Value made = tracer.track(node, results);
  if (made.isTensor()) return Value(tracer.wrap(TensorRef(tensorIn(made))));
  Values out;
  for (const Value& v : made.items())
    out.push_back(v.isTensor() ? Value(tracer.wrap(TensorRef(tensorIn(v)))) : Value());
  return Value::tuple(std::move(out));
}

/// Functional already: the call stays as it is.
Value runAutoFunctionalized(const HopCall& call) {
  const Value results = typedResults(call.program.graph(), call.node, call.tracer.higherOrder->hints);
  if (!results.isList())
    throw EvalError("missing-type", "the graph does not say what " + std::string(call.target) + " returns");
  std::vector<std::pair<std::string, Value>> keywords;
  for (const auto& [key, v] : call.keywords)
    keywords.emplace_back(std::string(key), innerValue(call.tracer, v));
  return Value::tuple(emitHigherOrder(call.tracer, call.target, innerValues(call.tracer, call.args), keywords,
                                      results.items()));
}

}  // namespace descry::passes
