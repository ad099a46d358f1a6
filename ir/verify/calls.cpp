// Rules about calls: arguments against schemas, results that getitem takes, writes.
#include <unordered_map>

#include "ir/ops/arity.h"
#include "ir/ops/bind.h"
#include "ir/verify/checks.h"

namespace descry::ir {

namespace {

struct Target {
  const OpDef* op = nullptr;  ///< the one overload that the target names
  bool isOp = false;          ///< `torch.ops...`
  bool copies = false;        ///< aten.copy_
  /// Without one overload: all ways to call it. None when nothing certain is known.
  std::vector<CallShape> shapes;
};

Target resolve(const OpRegistry& ops, std::string_view text) {
  Target t;
  t.isOp = text.starts_with("torch.ops.");
  if (!t.isOp) {
    t.shapes = callShapes(ops, text);
    return t;
  }
  std::string_view ns, name, overload;
  if (!splitTarget(text, ns, name, overload)) return t;
  t.op = ops.find(text);
  // Without an overload PyTorch chooses by argument types; only a single candidate is certain.
  if (t.op && overload.empty() && ops.findName(ns, name)->nextOverload()) {
    t.op = nullptr;
    t.shapes = callShapes(ops, text);
  }
  t.copies = ns == "aten" && name == "copy_";
  return t;
}

}  // namespace

void checkCalls(GraphCheck& check) {
  const Graph& g = check.graph;
  std::unordered_map<uint32_t, Target> targets;
  auto targetOf = [&](NodeId id) -> const Target& {
    const StrId text = g.node(id).target;
    auto [found, fresh] = targets.try_emplace(text.index);
    if (fresh) found->second = resolve(*check.ops, g.str(text));
    return found->second;
  };
  std::unordered_map<uint32_t, std::vector<CallShape>> methods;  // by name: `view` is the method `.view`
  auto checkArity = [&](NodeId id, const std::vector<CallShape>& shapes) {
    for (const BindProblem& p : arityProblems(shapes, g, id))
      check.report(p.code, id,
                   check.quoted(id) + ": " + std::string(g.target(id)) + " " + p.message +
                       (shapes.size() > 1 ? " (of its overloads, none takes these arguments)" : ""));
  };
  bool aot = !g.outputDescs.empty();
  for (NodeId id : g.nodes()) {
    const Node& n = g.node(id);
    if (n.op == OpKind::Placeholder && n.desc) aot = true;
    if (n.op == OpKind::CallMethod) {
      auto [found, fresh] = methods.try_emplace(n.target.index);
      if (fresh) found->second = callShapes(*check.ops, "." + std::string(g.target(id)));
      checkArity(id, found->second);
      continue;
    }
    if (n.op != OpKind::CallFunction || (n.flags & kNodeUnparsed)) continue;

    if (g.target(id) == "operator.getitem" && n.argCount == 2) {
      const ArgView from = g.arg(id, 0), index = g.arg(id, 1);
      if (from.kind() != ValueKind::NodeRef || index.kind() != ValueKind::Int) continue;
      if (from.node().index >= check.position.size() || !check.position[from.node().index]) continue;
      if (g.node(from.node()).op != OpKind::CallFunction) continue;
      const Target& source = targetOf(from.node());
      if (!source.op) continue;
      const Schema& schema = source.op->schema();
      const int64_t count = static_cast<int64_t>(schema.returns.size());
      // One return may be a tensor or a list of unknown length.
      if (count < 2 || schema.varReturns) continue;
      if (index.integer() >= count || index.integer() < -count)
        check.report("output-arity", id,
                     check.quoted(id) + " takes result " + std::to_string(index.integer()) + " of " +
                         check.quoted(from.node()) + ", which has " + std::to_string(count));
      continue;
    }

    const Target& target = targetOf(id);
    if (!target.op) checkArity(id, target.shapes);
    if (!target.isOp) continue;
    if (!target.op) {
      if (!check.ops->knows(g.target(id)))
        check.reportOnce(
            "unknown-op", g.target(id), id,
            "the op " + std::string(g.target(id)) + " is not in the op table; it is kept as it is");
      continue;
    }
    const BoundCall call = bindArguments(target.op->schema(), g, id);
    for (const BindProblem& p : call.problems)
      check.report(p.code, id, check.quoted(id) + ": " + std::string(g.target(id)) + " " + p.message);

    if (target.copies && aot && n.argCount && g.arg(id, 0).kind() == ValueKind::NodeRef) {
      const NodeId written = g.arg(id, 0).node();
      if (written.index < check.position.size() && check.position[written.index] &&
          g.node(written).op != OpKind::Placeholder)
        check.report("mutation-target", id,
                     check.quoted(id) + " writes " + check.quoted(written) + ", which is no input");
    }
  }
}

}  // namespace descry::ir
