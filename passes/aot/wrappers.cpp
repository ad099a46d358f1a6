// Higher-order ops that run their subgraph in place: checkpoints, wrappers that only switch something.
#include <algorithm>

#include "passes/aot/hop.h"
#include "passes/autodiff/call_arguments.h"

namespace descry::passes {

namespace {

/// CheckpointPolicy, plus one: 0 means that a node is in no region.
constexpr uint8_t kPreferRecompute = 4;

Values run(const HopCall& call, const Value& body, const Values& inputs) {
  return call.body(body)(call.tracer, inputs);
}

}  // namespace

Value runCheckpoint(const HopCall& call) {
  Tracer& t = call.tracer;
  struct Restore {
    Tracer& t;
    uint8_t recompute;
    uint32_t region;
    ~Restore() {
      t.recompute = recompute;
      t.region = region;
    }
  } restore{t, t.recompute, t.region};
  ++t.regions;
  // A region in a region belongs to the outer one. Without gradients a checkpoint does nothing. Where random
  // ops are functionalized a checkpoint is captured as wrap_activation_checkpoint, which marks nothing for
  // the partitioner, and what it keeps aside at run time is not traced.
  if (!t.region && t.gradMode && !call.target.ends_with("wrap_activation_checkpoint")) {
    t.region = t.regions;
    t.recompute = kPreferRecompute;
  }
  return Value::tuple(run(call, call.at(0, "function"), call.rest(1)));
}

Value runWrapper(const HopCall& call) {
  const std::string_view name = call.target.substr(call.target.rfind('.') + 1);
  const CallArguments given(call.target, call.args);
  if (name == "wrap_with_set_grad_enabled") {
    Tracer& t = call.tracer;
    const bool was = t.gradMode;
    if (!t.gradModeFixed) t.gradMode = given.flag(0);
    Values out = run(call, given.at(1), call.rest(2));
    t.gradMode = was;
    return Value::tuple(std::move(out));
  }
  if (name == "wrap_with_autocast") {
    Tracer& t = call.tracer;
    const Value dtype = given.at(1);
    const size_t region = t.autocast.enter(
        given.text(0), dtype.isNone() ? std::nullopt : std::optional(dtype.asDType()), given.flag(2));
    Values out = run(call, given.at(4), call.rest(5));
    t.autocast.exit(region);
    return Value::tuple(std::move(out));
  }
  return Value::tuple(run(call, call.at(0, "func"), call.rest(1)));
}

namespace {
/// What PyTorch returns of an op that has no gradient (autograd_not_implemented with a deferred error): a
/// leaf that requires one, behind a function that fails when a gradient is asked to pass it. None of the
/// inputs is behind it, so their gradients are undefined, and nothing fails.
Value withoutHistory(Tracer& t, const Value& result, std::string_view op) {
  if (!tensorIn(result) || !differentiable(result.meta().dtype)) return result;
  const Value leaf = t.op("detach", {result});
  tensorIn(leaf)->requiresGrad = true;
  TapeFunction f;
  f.name = "DelayedError";
  // DelayedError::apply takes the data of its input, and make_variable those of the result.
  f.forward = [](Tracer& tracer, const Values& in) {
    return Values{tracer.op("detach", {tracer.op("detach", {in[0]})})};
  };
  f.backward = [op = std::string(op)](Tracer&, const Values&) -> Values {
    throw EvalError("not-differentiable", "Autograd not implemented for " + op);
  };
  return applyFunction(t, {leaf}, std::move(f))[0];
}
}  // namespace

Value runHintsWrapper(const HopCall& call) {
  Tracer& t = call.tracer;
  const Value operands = call.at(1, "args"), hints = call.at(3, "hints");
  const Values in = operands.isList() ? operands.items() : Values{};
  const Subgraph sub = traceSubgraph(t, call.body(call.at(0, "body_fn")), in);
  const std::string name = freshSubgraphName(t, "hints_wrapper_body_graph");
  installSubgraph(t, sub, name);
  Values out = emitHigherOrder(
      t, call.target,
      {subgraphReference(t, name), Value::tuple(innerValues(t, in)), Value(Values{}, VKind::Dict)},
      {{"hints", hints}}, sub.outputs);
  if (t.gradMode && anyRequiresGrad(t, in))
    for (Value& v : out) v = withoutHistory(t, v, "hints_wrapper");
  return Value::tuple(std::move(out));
}

Value runStrictMode(const HopCall& call) {
  Tracer& t = call.tracer;
  const Value operands = call.at(1, "operands");
  const Values in = operands.isList() ? operands.items() : Values{};
  const Subgraph sub = traceSubgraph(t, call.body(call.at(0, "callable")), in);
  const std::string name = freshQualifiedName(t, "strict_graph_");
  installSubgraph(t, sub, name);
  Values out = emitHigherOrder(t, call.target,
                               {subgraphReference(t, name), Value(innerValues(t, in), operands.kind())}, {},
                               sub.outputs);
  if (t.gradMode && anyRequiresGrad(t, in))
    for (Value& v : out) v = withoutHistory(t, v, "strict_mode");
  return Value::tuple(std::move(out));
}

/// An op that computes in another dtype than that of its arguments. The node stays whole.
Value runOutDtype(const HopCall& call) {
  Tracer& t = call.tracer;
  const Value op = call.at(0, "op"), dtype = call.at(1, "output_dtype");
  const std::string name = op.kind() == VKind::Object ? op.text() : op.describe();
  constexpr std::string_view kAllowed[] = {
      "aten.linear.default", "aten.mm.default", "aten.conv2d.default", "aten.convolution.default",
      "aten.mul.Tensor",     "aten.mul.Scalar", "aten.div.Tensor",     "aten.div.Scalar"};
  const auto allowed = std::find_if(std::begin(kAllowed), std::end(kAllowed), [&](std::string_view a) {
    return name == a || name == "torch.ops." + std::string(a);
  });
  if (allowed == std::end(kAllowed)) throw EvalError("bad-call", "out_dtype does not allow " + name);
  const Values in = call.rest(2);
  SubgraphOptions look;
  look.record = false;
  const FlatFunction run = [target = std::string(*allowed)](Tracer& sub, const Values& args) {
    return Values{sub.exact(target, args)};
  };
  Meta m = traceSubgraph(t, run, in, look).outputs.at(0).meta();
  m.dtype = dtype.asDType();
  Values args = {op, dtype};
  for (const Value& v : in) args.push_back(innerValue(t, v));
  const ir::NodeId node = t.emit(call.target, args, {}, t.typeOf(m));
  Value out = Value(t.wrap(t.inner(node, m)));
  if (t.gradMode && anyRequiresGrad(t, in)) out = withoutHistory(t, out, "out_dtype");
  return out;
}

Value runRegisterHook(const HopCall& call) {
  Tracer& t = call.tracer;
  const Value x = call.at(0, "tensor");
  const FlatFunction body = call.body(call.at(1, "hook_body"));
  if (!tensorIn(x) || !t.requiresGrad(*tensorIn(x)))
    throw EvalError("no-grad-fn", "cannot register a hook on a tensor that doesn't require gradient");
  const Edge edge = t.gradientEdge(TensorRef(tensorIn(x)));
  edge.node->hooks.emplace_back(edge.input, [body, more = call.rest(2)](Tracer& tr, const Value& grad) {
    Values in = {grad};
    in.insert(in.end(), more.begin(), more.end());
    const Values out = body(tr, in);
    return out.empty() || out[0].isNone() ? grad : out[0];
  });
  return x;
}

}  // namespace descry::passes
