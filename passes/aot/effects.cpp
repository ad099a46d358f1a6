// Effects that have to stay in order: a token without contents runs through the calls.
#include <algorithm>

#include "passes/aot/hop.h"

namespace descry::passes {

namespace {

constexpr uint8_t kMustSave = 1;

/// Calls `op` with the token; the results of the op, as inner tensors.
Values withToken(Tracer& tracer, const std::string& op, const Values& args,
                 const std::vector<std::pair<std::string, Value>>& keywords, const Values& outputs) {
  HigherOrderState& state = *tracer.higherOrder;
  // PyTorch runs the chain of tokens through such a graph without making it an input: the effect is lost.
  if (tracer.ofSubgraph)
    throw EvalError(
        "effect-in-subgraph",
        "the effect of " + op + " inside the graph of a higher-order op: PyTorch does not keep it there");
  if (!state.token) {
    if (!state.firstToken) throw EvalError("effect-token", "no token for the effect of " + op);
    state.token = state.firstToken();
  }
  Values all = {Value(state.token), Value::str(op, VKind::Object)};
  all.insert(all.end(), args.begin(), args.end());
  Values results = {metaValue(tokenMeta())};
  results.insert(results.end(), outputs.begin(), outputs.end());
  const ir::NodeId node = tracer.emit("torch.ops.higher_order.with_effects", all, keywords, {});
  const size_t before = tracer.facts.size();
  const Value tracked = tracer.track(node, Value::tuple(std::move(results)));
  // What came with an effect cannot be computed again.
  if (tracer.phase == Phase::Forward)
    for (size_t i = before; i < tracer.facts.size(); ++i) tracer.facts[i].recompute = kMustSave;
  state.token = TensorRef(tensorIn(tracked.items()[0]));
  return Values(tracked.items().begin() + 1, tracked.items().end());
}

/// PyTorch keeps no order of ops that write or alias their arguments, whatever was registered for them.
bool aliases(const ir::Schema& schema) {
  const auto any = [](const std::vector<ir::SchemaArgument>& list) {
    return std::any_of(list.begin(), list.end(),
                       [](const ir::SchemaArgument& a) { return a.type.aliases(); });
  };
  return any(schema.arguments) || any(schema.returns);
}

}  // namespace

Meta tokenMeta() {
  Meta m;
  m.sizes = {0};
  m.strides = {1};
  return m;
}

void startHigherOrder(Tracer& tracer, std::function<TensorRef()> firstToken, bool keepsWrites,
                      const CapturedFacts& facts, UnknownOps unknown) {
  tracer.higherOrder = std::make_shared<HigherOrderState>();
  tracer.higherOrder->keepsWrites = keepsWrites;
  tracer.higherOrder->firstToken = std::move(firstToken);
  tracer.higherOrder->hints = facts.hints;
  tracer.numberFacts->ranges.insert(facts.ranges.begin(), facts.ranges.end());
  tracer.higherOrder->unknown = unknown;
  orderEffects(tracer);
}

void orderEffects(Tracer& tracer) {
  tracer.effects = [&tracer](const OpDef& op, const Values& args, Value& out) {
    const ir::Schema& schema = op.schema();
    if (aliases(schema)) return false;
    Values inner = innerValues(tracer, args), positional;
    std::vector<std::pair<std::string, Value>> keywords;
    tracer.splitArguments(op, inner, positional, keywords);
    const Value metas = schema.returns.empty() ? Value() : tracer.resultsOf(op, inner);
    const Values made = withToken(tracer, op.target(), positional, keywords,
                                  schema.returns.size() > 1 ? metas.items() : Values{metas});
    const std::function<Value(const Value&)> wrapped = [&](const Value& v) {
      if (Tensor* t = tensorIn(v)) return Value(tracer.wrap(TensorRef(t)));
      if (!v.isList()) return v;
      Values items;
      for (const Value& i : v.items()) items.push_back(wrapped(i));
      return Value(std::move(items), v.kind());
    };
    out = schema.returns.size() > 1 ? wrapped(Value::tuple(made)) : wrapped(made.at(0));
    return true;
  };
}

Value runPrint(const HopCall& call) {
  std::vector<std::pair<std::string, Value>> keywords;
  for (const auto& [key, v] : call.keywords)
    keywords.emplace_back(std::string(key), innerValue(call.tracer, v));
  withToken(call.tracer, std::string(call.target), innerValues(call.tracer, call.args), keywords, {Value()});
  return {};
}

}  // namespace descry::passes
