// Ops that the user declares: what their calls return, and which of them PyTorch can make functional.
#include <algorithm>

#include "passes/autodiff/tracer.h"

namespace descry::passes {

Value Tracer::callTyped(const OpDef& op, Values args, Value results) {
  struct Leave {
    TypedCall& now;
    TypedCall was;
    ~Leave() { now = std::move(was); }
  } leave{typed_, typed_};
  typed_ = {op.head(), std::move(results)};
  return call(op, std::move(args));
}

Value Tracer::resultsOf(const OpDef& op, const Values& args) {
  if (!op.declared() || op.rules().shape || op.rules().shapeName.size()) return rules_.shape(op, args);
  const ir::Schema& schema = op.schema();
  if (schema.returns.empty()) return {};
  Value results = typed_.head == op.head() ? typed_.results : Value();
  const bool several = schema.returns.size() > 1 || schema.returns[0].type.isList();
  if (results.isNone() || results.isList() != several)
    throw EvalError(
        "no-shape",
        "what " + op.target() +
            " returns here is typed nowhere: add a rule to its declaration, such as `shape: same(" +
            (schema.arguments.empty() ? "x" : schema.arguments[0].name) + ")`");
  if (schema.returns.size() > 1) {
    // Results that nobody takes have no type.
    results = Value(Values(results.items()), VKind::Tuple);
    results.items().resize(schema.returns.size());
  }
  return results;
}

void Tracer::checkDeclared(const OpDef& op) const {
  const ir::Schema& schema = op.schema();
  const bool aliases = std::any_of(schema.returns.begin(), schema.returns.end(),
                                   [](const auto& r) { return r.type.aliases(); });
  if (op.has(ir::kOpMutates)) {
    // auto_functionalized_v2 takes writes to tensors, and results that are tensors of their own.
    for (const ir::SchemaArgument& a : schema.arguments)
      if (a.type.writes() && !a.type.isTensorLike())
        throw EvalError("unsupported-mutation", op.target() + " writes `" + a.name + "`, which is no tensor");
    const bool plain = std::all_of(schema.returns.begin(), schema.returns.end(), [](const auto& r) {
      return !r.type.aliases() && r.type.isTensorLike() && r.type.wraps.empty();
    });
    if (!plain)
      throw EvalError(
          "unsupported-mutation",
          "Found a custom (non-ATen) operator whose output has alias annotations, or is no tensor: " +
              schema.str() +
              ". An op that writes its arguments can be made functional when all it returns is new tensors");
    return;
  }
  if (aliases)
    throw EvalError("unsupported-view",
                    "Found a custom (non-ATen) operator whose output has alias annotations: " + schema.str() +
                        ". We only support functionalizing operators whose outputs do not have alias "
                        "annotations. An op that is composite can be declared with `composite: ...`");
}

}  // namespace descry::passes
