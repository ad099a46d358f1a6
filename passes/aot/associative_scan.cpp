// associative_scan: a subgraph that joins two rows, for all prefixes of the rows of the inputs.
#include <limits>

#include "ir/ops/eval/strides.h"
#include "passes/aot/higher_order.h"
#include "passes/aot/hop.h"

namespace descry::passes {

namespace {

/// The call below autograd. `kind`: of the container of xs.
Values emitScan(Tracer& tracer, const FlatFunction& f, const Values& xs, const Values& more, OutputForm form,
                VKind kind) {
  if (xs.empty()) throw EvalError("scan-empty", "associative_scan needs something to walk along");
  Values operands = rowsOf(xs);
  append(operands, rowsOf(xs));
  append(operands, more);
  SubgraphOptions options;
  options.output = form;
  const Subgraph sub = traceSubgraph(tracer, f, operands, options);
  refuseAliases(sub, "associative_scan");
  if (sub.outputs.size() != xs.size())
    throw EvalError("scan-output", "expected combine_fn to return " + std::to_string(xs.size()) +
                                       " results but got " + std::to_string(sub.outputs.size()));
  for (size_t i = 0; i < xs.size(); ++i) {
    const Meta& row = operands[i].meta();
    if (!tensorIn(sub.outputs[i]) || sub.outputs[i].meta().dtype != row.dtype ||
        knownToDiffer(sub.outputs[i].meta().sizes, row.sizes))
      throw EvalError("scan-output", "combine_fn of associative_scan has to return what it takes: result " +
                                         std::to_string(i) + " is " + sub.outputs[i].describe() +
                                         ", the rows are " + operands[i].describe());
  }
  const std::string name = freshSubgraphName(tracer, "associative_scan_combine_graph");
  installSubgraph(tracer, sub, name);
  Values outputs;
  for (const Value& v : xs) {
    Meta m = v.meta();
    m.strides = ir::eval::stridesLike(m.sizes, m.strides);
    m.offset = 0;
    outputs.push_back(metaValue(m));
  }
  return emitHigherOrder(tracer, "torch.ops.higher_order.associative_scan",
                         {subgraphReference(tracer, name), Value(innerValues(tracer, xs), kind),
                          Value::tuple(innerValues(tracer, more))},
                         {}, outputs);
}

/// Runs `f` on all rows at once, as torch.vmap does along the first dimension; `whole` are not walked along.
Values overRows(Tracer& tracer, const FlatFunction& f, const Values& rows, const std::vector<bool>& whole,
                size_t results) {
  const auto level = [&](std::string_view name, const Values& args) {
    Value out;
    runLevelCall(tracer, "torch._C._functorch." + std::string(name), args, {}, out);
    return out;
  };
  level("_vmap_increment_nesting", {});
  const Value number(static_cast<int64_t>(tracer.levels->depth()));
  Values in;
  for (size_t i = 0; i < rows.size(); ++i)
    in.push_back(whole[i] ? rows[i] : level("_add_batch_dim", {rows[i], Value(0), number}));
  Values out = f(tracer, in);
  out.resize(results);
  for (Value& v : out)
    v = level("_remove_batch_dim", {v, number, Value(rows[0].meta().sizes.at(0)), Value(0)});
  level("_vmap_decrement_nesting", {});
  return out;
}

Value onesLike(Tracer& tracer, const Value& v) {
  return tracer.op("ones_like", {v}, {{"pin_memory", Value::boolean(false)}});
}

Value slice(Tracer& tracer, const Value& v, const Value& from, const Value& to) {
  return tracer.exact("aten.slice.Tensor", {v, 0, from, to});
}

/// The gradient of one input. `ofPrevious` and `ofRow`: how each step's result changes with the result before
/// and with its row. The gradients of the results follow from the last to the first, which is a scan of its
/// own: g[t] = grad[t] + g[t + 1] * ofPrevious[t + 1].
Value gradientOf(Tracer& tracer, const Value& grad, const Value& ofPrevious, const Value& ofRow) {
  const Value rest(std::numeric_limits<int64_t>::max());  // as Python writes `v[1:]`
  const auto flip = [&](const Value& v) { return tracer.op("flip", {v, Value(Ints{Int(0)})}); };
  const auto cat = [&](const Value& a, const Value& b) { return tracer.op("cat", {Value(Values{a, b}), 0}); };
  // The first result is the first row.
  const Value first = onesLike(tracer, slice(tracer, ofRow, 0, 1));
  const Value rows = cat(first, slice(tracer, ofRow, 1, rest));
  const Value later = slice(tracer, ofPrevious, 1, rest);
  const Value next = cat(later, onesLike(tracer, slice(tracer, ofPrevious, 0, 1)));
  const FlatFunction join = [](Tracer& t, const Values& v) {
    const Value product = t.op("mul", {v[0], v[2]});
    return Values{product, t.op("addcmul", {v[3], v[2], v[1]})};
  };
  const Value backwards = flip(next);
  const Values found = emitScan(tracer, join, {backwards, flip(grad)}, {}, OutputForm::Tuple, VKind::List);
  return tracer.op("mul", {flip(found[1]), rows});
}

Values scanBackward(Tracer& tracer, const FlatFunction& f, const Values& kept, size_t walked, size_t others,
                    const Values& grads) {
  const auto at = kept.begin() + static_cast<std::ptrdiff_t>(walked);
  const Values xs(kept.begin(), at), more(at, at + static_cast<std::ptrdiff_t>(others)),
      results(at + static_cast<std::ptrdiff_t>(others), kept.end());
  Values out(walked + others);
  if (const Int& n = xs[0].meta().sizes.at(0); !n.symbolic() && n.value == 0) {
    for (size_t i = 0; i < walked; ++i)
      out[i] = tracer.op("zeros_like", {xs[i]}, {{"pin_memory", Value::boolean(false)}});
    return out;
  }
  Values operands = rowsOf(xs);
  append(operands, rowsOf(xs));
  append(operands, more);
  Values all = xs;
  append(all, xs);
  append(all, more);
  SubgraphOptions options;
  options.requiresGrad = requiringGrad(tracer, all);
  options.keepDead = true;
  const size_t primals = operands.size();
  append(operands, rowsOf(results));
  const Subgraph joint = traceSubgraph(tracer, jointFunction(f, primals), operands, options);
  if (!tracer.recording) return out;
  ir::Module step(tracer.graph().contextPtr());
  step.graphs.push_back(*joint.graph);
  Values rows;
  for (const Value& v : results)
    rows.push_back(tracer.op("roll", {v, Value(Ints{Int(1)}), Value(Ints{Int(0)})}));
  append(rows, xs);
  append(rows, more);
  for (const Value& v : grads) rows.push_back(onesLike(tracer, v));
  std::vector<bool> whole(rows.size(), false);
  for (size_t i = 0; i < others; ++i) whole[2 * walked + i] = true;
  const Values slopes = overRows(
      tracer, [&](Tracer& t, const Values& in) { return Program(step, step.root()).run(t, in); }, rows, whole,
      2 * walked);
  for (size_t i = 0; i < walked; ++i) out[i] = gradientOf(tracer, grads[i], slopes[i], slopes[walked + i]);
  return out;
}

}  // namespace

Value runAssociativeScan(const HopCall& call) {
  Tracer& tracer = call.tracer;
  const auto listed = [&](size_t position, std::string_view keyword) {
    const Value v = call.at(position, keyword);
    return v.isList() ? v.items() : Values();
  };
  const FlatFunction f = call.body(call.at(0, "combine_fn"));
  const Values xs = listed(1, "xs"), more = listed(2, "additional_inputs");
  Values all = xs;
  append(all, more);
  if (!tracer.gradMode || !anyRequiresGrad(tracer, all))
    return Value::tuple(emitScan(tracer, f, xs, more, OutputForm::List, VKind::List));
  if (anyRequiresGrad(tracer, more))
    throw EvalError("scan-lifted-gradient",
                    "Associative_scan does currently not support gradients for lifted parameters!");
  const auto kept = std::make_shared<Kept>();
  TapeFunction t;
  t.name = "AssociativeScanAutogradOp";
  t.forward = [&](Tracer& tr, const Values&) {
    return emitScan(tr, f, xs, more, OutputForm::List, VKind::Tuple);
  };
  t.keep = [kept, all](Tracer& tr, const Values& results) {
    kept->keep(tr, all, false);
    kept->keep(tr, results, true);
  };
  t.backward = [f, kept, walked = xs.size(), others = more.size()](Tracer& tr, const Values& grads) {
    return scanBackward(tr, f, kept->give(tr, "AssociativeScanAutogradOp"), walked, others, grads);
  };
  return Value::tuple(applyFunction(tracer, all, std::move(t)));
}

}  // namespace descry::passes
