#include "passes/aot/higher_order.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

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

Value runHigherOrder(const Program& program, Tracer& tracer, ir::NodeId node, std::string_view target,
                     const Values& args, const ir::eval::Keywords& keywords) {
  // Each has one overload, which may be named.
  constexpr std::string_view kOnly = ".default";
  if (target.ends_with(kOnly)) target.remove_suffix(kOnly.size());
  static const std::unordered_map<std::string_view, Value (*)(const HopCall&)> kOps = {
      {"autograd_function_apply", runAutogradFunction},
      {"tag_activation_checkpoint", runCheckpoint},
      {"checkpoint", runCheckpoint},
      {"wrap_activation_checkpoint", runCheckpoint},
      {"wrap", runWrapper},
      {"wrap_with_set_grad_enabled", runWrapper},
      {"wrap_with_autocast", runWrapper},
      {"hints_wrapper", runHintsWrapper},
      {"register_hook", runRegisterHook},
      {"cond", runCond},
      {"invoke_subgraph", runInvokeSubgraph},
      {"foreach_map", runForeachMap},
      {"while_loop", runWhileLoop},
      {"scan", runScan},
      {"map_impl", runMap},
      {"print", runPrint},
      {"auto_functionalized", runAutoFunctionalized},
      {"auto_functionalized_v2", runAutoFunctionalized},
      {"flex_attention", runFlexAttention},
  };
  const auto op = kOps.find(target.substr(target.rfind('.') + 1));
  if (op == kOps.end()) throw EvalError("unsupported-call", std::string(target) + " is not supported yet");
  // A checkpoint watches the ops in it by a dispatch mode, for which few of these have a rule.
  static const std::unordered_set<std::string_view> kNotInCheckpoint = {
      "hints_wrapper", "cond", "foreach_map", "while_loop", "scan", "map_impl", "print"};
  if (tracer.region && kNotInCheckpoint.count(op->first))
    throw EvalError("unsupported-call", "There was no rule registered for HigherOrderOperator " +
                                            std::string(op->first) +
                                            " and mode <torch.utils.checkpoint._CachingTorchDispatchMode>: "
                                            "PyTorch refuses it inside a checkpoint");
  return op->second(HopCall{program, tracer, node, target, args, keywords});
}

}  // namespace descry::passes
