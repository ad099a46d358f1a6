#include "passes/aot/higher_order.h"

#include <algorithm>
#include <unordered_map>

#include "passes/aot/hop.h"

namespace descry::passes {

Value HopCall::at(size_t position, std::string_view keyword) const {
  if (position < args.size()) return args[position];
  for (const auto& [key, v] : keywords)
    if (key == keyword) return v;
  return {};
}

FlatFunction HopCall::body(const Value& argument) const {
  const std::string name = argument.kind() == VKind::Object ? argument.text() : argument.describe();
  const ir::Graph* graph =
      name.starts_with("self.") ? program.subgraph(std::string_view(name).substr(5)) : nullptr;
  if (!graph)
    throw EvalError("missing-subgraph",
                    std::string(target) + " calls " + name + ", which is not in the file");
  const auto& children = program.graph().children;
  const auto same = [&](const ir::Graph::Child& c) {
    return program.graph().str(c.attribute) == std::string_view(name).substr(5);
  };
  if (std::count_if(children.begin(), children.end(), same) > 1)
    throw EvalError("ambiguous-subgraph", std::string(target) + " calls " + name +
                                              ", but the file holds several graphs of this name");
  const ir::Module* module = &program.module();
  return [module, graph](Tracer& t, const Values& in) { return Program(*module, *graph).run(t, in); };
}

namespace {
struct Handler {
  Value (*run)(const HopCall&);
  HigherOrderFacts facts;
  /// A checkpoint watches the ops in it by a dispatch mode, for which few of these have a rule.
  bool inCheckpoint = true;
};

const std::unordered_map<std::string_view, Handler>& handlers() {
  constexpr HigherOrderFacts kBody{"of its body, which is traced", "traced from its body"};
  constexpr HigherOrderFacts kCheckpoint{"of its body, which is traced",
                                         "traced from its body, which the backward graph computes again"};
  constexpr HigherOrderFacts kUndefined{"of its body, which is traced",
                                        "none: undefined, as PyTorch registers nothing"};
  constexpr bool kNotInCheckpoint = false;
  constexpr HigherOrderFacts kTyped{"as the graph types its results", "not differentiable"};
  static const std::unordered_map<std::string_view, Handler> kAll = {
      {"autograd_function_apply",
       {runAutogradFunction, {"of its forward, which is traced", "its own backward, which is traced"}}},
      {"tag_activation_checkpoint", {runCheckpoint, kCheckpoint}},
      {"checkpoint", {runCheckpoint, kCheckpoint}},
      {"wrap_activation_checkpoint", {runCheckpoint, kCheckpoint}},
      {"wrap", {runWrapper, kBody}},
      {"wrap_with_set_grad_enabled", {runWrapper, kBody}},
      {"wrap_with_autocast", {runWrapper, kBody}},
      {"hints_wrapper", {runHintsWrapper, kUndefined, kNotInCheckpoint}},
      {"strict_mode", {runStrictMode, kUndefined, kNotInCheckpoint}},
      {"out_dtype",
       {runOutDtype,
        {"of the op that it calls, in the dtype asked for", kUndefined.gradient},
        kNotInCheckpoint}},
      {"register_hook", {runRegisterHook, {"of its argument", "that of its argument, through the hook"}}},
      {"cond",
       {runCond, {"of its branches, which are traced", "traced from its branches"}, kNotInCheckpoint}},
      {"switch",
       {runSwitch, {"of its branches, which are traced", "traced from its branches"}, kNotInCheckpoint}},
      {"invoke_subgraph", {runInvokeSubgraph, kBody}},
      {"foreach_map", {runForeachMap, kBody, kNotInCheckpoint}},
      {"while_loop", {runWhileLoop, kBody, kNotInCheckpoint}},
      {"scan", {runScan, kBody, kNotInCheckpoint}},
      {"associative_scan", {runAssociativeScan, kBody, kNotInCheckpoint}},
      {"map_impl", {runMap, kBody, kNotInCheckpoint}},
      {"print", {runPrint, {"returns nothing", "returns no tensor"}, kNotInCheckpoint}},
      {"auto_functionalized", {runAutoFunctionalized, kTyped}},
      {"auto_functionalized_v2", {runAutoFunctionalized, kTyped}},
      {"flex_attention",
       {runFlexAttention,
        {"of its arguments", "flex_attention_backward, with the gradient of score_mod traced"}}},
  };
  return kAll;
}
}  // namespace

HigherOrderFacts higherOrderFacts(std::string_view name) {
  const auto found = handlers().find(name);
  return found == handlers().end() ? HigherOrderFacts{} : found->second.facts;
}

Value runHigherOrder(const Program& program, Tracer& tracer, ir::NodeId node, std::string_view target,
                     const Values& args, const ir::eval::Keywords& keywords) {
  // Each has one overload, which may be named.
  constexpr std::string_view kOnly = ".default";
  if (target.ends_with(kOnly)) target.remove_suffix(kOnly.size());
  const auto op = handlers().find(target.substr(target.rfind('.') + 1));
  if (op == handlers().end())
    throw EvalError("unsupported-call", std::string(target) + " is not supported yet");
  if (tracer.region && !op->second.inCheckpoint)
    throw EvalError("unsupported-call", "There was no rule registered for HigherOrderOperator " +
                                            std::string(op->first) +
                                            " and mode <torch.utils.checkpoint._CachingTorchDispatchMode>: "
                                            "PyTorch refuses it inside a checkpoint");
  return op->second.run(HopCall{program, tracer, node, target, args, keywords});
}

}  // namespace descry::passes
