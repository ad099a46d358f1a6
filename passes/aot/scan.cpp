// scan and map: one subgraph for every row of the inputs, with or without a value that is handed on.
#include <algorithm>

#include "ir/ops/eval/strides.h"
#include "passes/aot/hop.h"
#include "passes/partition/partition.h"

namespace descry::passes {

namespace {

Values itemsOf(const Value& v) {
  return v.isList() ? v.items() : Values{};
}

/// The call below autograd. `kind`: of the containers of init and xs.
Values emitScan(Tracer& tracer, const FlatFunction& f, const Values& init, const Values& xs,
                const Values& more, OutputForm form, VKind kind) {
  if (xs.empty()) throw EvalError("scan-empty", "scan needs something to walk along");
  Values operands = init;
  append(operands, rowsOf(xs));
  append(operands, more);
  SubgraphOptions options;
  options.output = form;
  const Subgraph sub = traceSubgraph(tracer, f, operands, options);
  refuseAliases(sub, "scan");
  if (sub.outputs.size() < init.size())
    throw EvalError("scan-output", "the step of a scan returns " + std::to_string(sub.outputs.size()) +
                                       " values, and " + std::to_string(init.size()) + " are carried on");
  refuseOtherMeta(init, sub.outputs, "init", "carry", false);
  for (const Value& x : xs)
    if (x.meta().sizes.empty() || knownToDiffer({x.meta().sizes[0]}, {xs[0].meta().sizes[0]}))
      throw EvalError("scan-lengths", "scan: all xs have to have the same number of rows");
  const std::string name = freshSubgraphName(tracer, "scan_combine_graph");
  installSubgraph(tracer, sub, name);
  const Int rows = xs[0].meta().sizes.at(0);
  Values outputs;
  for (size_t i = 0; i < sub.outputs.size(); ++i)
    outputs.push_back(i < init.size() || !tensorIn(sub.outputs[i]) ? sub.outputs[i]
                                                                   : stacked(sub.outputs[i], rows));
  return emitHigherOrder(tracer, "torch.ops.higher_order.scan",
                         {subgraphReference(tracer, name), Value(innerValues(tracer, init), kind),
                          Value(innerValues(tracer, xs), kind), Value::tuple(innerValues(tracer, more))},
                         {}, outputs);
}

/// One step of a scan, cut by the min-cut partitioner: a step that also returns what its gradient needs, and
/// the step of the gradient.
struct CutStep {
  std::shared_ptr<const Partition> cut;
  size_t outputs = 0;
  std::vector<size_t> order;  ///< by saved value as the backward takes it: which one of the forward
  std::vector<int> operand;   ///< by the same: the operand that it is, or -1
};

CutStep cutStep(Tracer& tracer, const FlatFunction& f, const Values& operands,
                const std::vector<bool>& requires_) {
  SubgraphOptions look;
  look.record = false;
  look.gradMode = true;
  look.requiresGrad = requires_;
  const Subgraph seen = traceSubgraph(tracer, f, operands, look);
  refuseAliases(seen, "scan");
  Values all = operands;
  for (const Value& v : seen.outputs) {
    if (!tensorIn(v)) throw EvalError("scan-output", "the steps of a scan have to return tensors");
    Meta m = v.meta();
    m.strides = ir::eval::stridesLike(m.sizes, m.strides);
    all.push_back(metaValue(m));
  }
  const size_t n = operands.size(), outputs = seen.outputs.size();
  JointOptions joint;
  joint.withOutputs = true;
  const FlatFunction backward = [g = jointFunction(f, n, joint), n](Tracer& t, const Values& in) {
    Values out = g(t, in);
    std::rotate(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(n), out.end());
    return out;
  };
  // PyTorch differentiates the step with its views as they are, and makes copies of them in a second trace:
  // formulas that look at strides see those of the views. Functions of their own cannot be traced a second
  // time here.
  SubgraphOptions options, copies;
  options.requiresGrad = requires_;
  copies.copyViews = true;
  Subgraph both = traceSubgraph(tracer, backward, all, options);
  if (both.graph->children.empty()) {
    ir::Module views(tracer.graph().contextPtr());
    views.graphs.push_back(*both.graph);
    both = traceSubgraph(
        tracer, [&](Tracer& t, const Values& in) { return Program(views, views.root()).run(t, in); }, all,
        copies);
  } else {
    options.copyViews = true;
    both = traceSubgraph(tracer, backward, all, options);
  }
  ir::Module module(tracer.graph().contextPtr());
  module.graphs.push_back(*both.graph);
  PartitionInput input;
  input.module = &module;
  input.joint = &module.root();
  input.forwardOutputs = static_cast<uint32_t>(outputs);
  input.roles.resize(module.root().idBound());
  const std::vector<ir::NodeId> placeholders = module.root().placeholders();
  for (size_t i = 0; i < placeholders.size(); ++i)
    input.roles[placeholders[i].index].input = i < n ? InputRole::Primal : InputRole::Tangent;
  PartitionOptions how;
  how.method = PartitionOptions::Method::MinCut;
  ir::Result<Partition> cut = partitionJoint(input, how);
  if (!cut) throw EvalError(cut.error().code, cut.error().message);
  CutStep step;
  step.outputs = outputs;
  step.cut = std::make_shared<const Partition>(std::move(*cut));
  const ir::Graph &fw = step.cut->forward.root(), &bw = step.cut->backward.root();
  const std::vector<ir::ArgView> values = fw.outputs();
  const std::vector<ir::NodeId> inputs = fw.placeholders(), taken = bw.placeholders();
  for (size_t i = 0; i + outputs < taken.size(); ++i) {
    size_t at = outputs;
    while (at < values.size() && fw.nodeName(values[at].node()) != bw.nodeName(taken[i])) ++at;
    if (at == values.size()) throw EvalError("internal", "the halves of a scan step do not fit together");
    step.order.push_back(at);
    const auto is = std::find(inputs.begin(), inputs.end(), values[at].node());
    step.operand.push_back(is == inputs.end() ? -1 : static_cast<int>(is - inputs.begin()));
  }
  return step;
}

Values flippedRows(Tracer& tracer, const Values& values) {
  Values out;
  for (const Value& v : values) out.push_back(tracer.op("flip", {v, Value(Ints{Int(0)})}));
  return out;
}

Values scanWithGradients(Tracer& tracer, const FlatFunction& f, const Values& init, const Values& xs,
                         const Values& more) {
  Values operands = init, all = init;
  append(operands, rowsOf(xs));
  append(operands, more);
  append(all, xs);
  append(all, more);
  std::vector<bool> requires_ = requiringGrad(tracer, all);
  // A carry without gradient would cut the way through which those of later steps reach the other inputs.
  for (size_t i = 0; i < init.size(); ++i)
    requires_[i] = tensorIn(init[i]) && ir::dtypeInfo(init[i].meta().dtype).floating;
  const size_t carried = init.size(), walked = xs.size();
  const auto isKept = [=](int operand) { return operand < 0 || static_cast<size_t>(operand) < carried; };
  if (!tracer.recording) {
    // A look: only what comes out matters.
    TapeFunction t;
    t.name = "ScanAutogradOp";
    t.forward = [&](Tracer& tr, const Values&) {
      return emitScan(tr, f, init, xs, more, OutputForm::Tuple, VKind::Tuple);
    };
    t.backward = [n = all.size()](Tracer&, const Values&) { return Values(n); };
    return applyFunction(tracer, all, std::move(t));
  }
  const auto step = std::make_shared<const CutStep>(cutStep(tracer, f, operands, requires_));
  const auto savedXs = std::make_shared<Values>(), savedMore = std::make_shared<Values>(),
             stacks = std::make_shared<Values>();
  for (int o : step->operand) {
    if (isKept(o)) continue;
    if (static_cast<size_t>(o) < carried + walked)
      savedXs->push_back(all[static_cast<size_t>(o)]);
    else
      savedMore->push_back(all[static_cast<size_t>(o)]);
  }
  const FlatFunction forwardStep = [step, isKept](Tracer& t, const Values& in) {
    const Values v = Program(step->cut->forward, step->cut->forward.root()).run(t, in);
    Values out(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(step->outputs));
    for (size_t i = 0; i < step->order.size(); ++i) {
      if (!isKept(step->operand[i])) continue;
      // A carry is another one in every step.
      const Value& s = v[step->order[i]];
      out.push_back(step->operand[i] >= 0 ? t.op("clone", {s}) : s);
    }
    return out;
  };
  const FlatFunction backwardStep = [step, isKept, carried, walked, tensors = savedXs->size(), savedMore,
                                     more](Tracer& t, const Values& in) {
    // carry gradients, sums for the other inputs, output gradients, saved rows, saved values, saved inputs.
    size_t sums = 0;
    for (const Value& v : more) sums += tensorIn(v) != nullptr;
    auto at = in.begin();
    const auto take = [&](size_t count) {
      Values v(at, at + static_cast<std::ptrdiff_t>(count));
      at += static_cast<std::ptrdiff_t>(count);
      return v;
    };
    const Values carries = take(carried), sum = take(sums), ys = take(step->outputs - carried),
                 rows = take(tensors);
    const size_t kept =
        static_cast<size_t>(std::count_if(step->operand.begin(), step->operand.end(), isKept));
    const Values values = take(kept), inputs = take(savedMore->size());
    Values args;
    size_t row = 0, value = 0, input = 0;
    for (int o : step->operand)
      args.push_back(isKept(o)                                   ? values[value++]
                     : static_cast<size_t>(o) < carried + walked ? rows[row++]
                                                                 : inputs[input++]);
    append(args, carries);
    append(args, ys);
    Values grads = Program(step->cut->backward, step->cut->backward.root()).run(t, args);
    for (Value& g : grads)
      if (std::any_of(args.begin(), args.end(),
                      [&](const Value& v) { return tensorIn(g) && tensorIn(v) == tensorIn(g); }))
        g = t.op("clone", {g});
    Values out(grads.begin(), grads.begin() + static_cast<std::ptrdiff_t>(carried));
    size_t s = 0;
    for (size_t i = 0; i < more.size(); ++i)
      if (tensorIn(more[i])) {
        out.push_back(
            t.rules().binary(ir::rules::BinaryOp::Add, sum[s], grads.at(carried + walked + i), true));
        ++s;
      }
    for (size_t i = 0; i < walked; ++i) out.push_back(grads.at(carried + i));
    return out;
  };
  TapeFunction t;
  t.name = "ScanAutogradOp";
  t.forward = [&](Tracer& tr, const Values&) {
    const Values v = emitScan(tr, forwardStep, init, xs, more, OutputForm::Tuple, VKind::Tuple);
    stacks->assign(v.begin() + static_cast<std::ptrdiff_t>(step->outputs), v.end());
    return Values(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(step->outputs));
  };
  t.backward = [=](Tracer& tr, const Values& grads) {
    Values start(grads.begin(), grads.begin() + static_cast<std::ptrdiff_t>(carried));
    for (const Value& v : more)
      if (tensorIn(v)) start.push_back(tr.op("zeros_like", {v}, {{"pin_memory", Value::boolean(false)}}));
    Values rows(grads.begin() + static_cast<std::ptrdiff_t>(carried), grads.end());
    append(rows, *savedXs);
    append(rows, *stacks);
    const Values found =
        emitScan(tr, backwardStep, start, flippedRows(tr, rows), *savedMore, OutputForm::List, VKind::List);
    Values out(all.size());
    for (size_t i = 0; i < carried; ++i) out[i] = found.at(i);
    const Values back =
        flippedRows(tr, Values(found.begin() + static_cast<std::ptrdiff_t>(start.size()), found.end()));
    for (size_t i = 0; i < walked; ++i) out[carried + i] = back.at(i);
    size_t s = carried;
    for (size_t i = 0; i < more.size(); ++i)
      if (tensorIn(more[i])) out[carried + walked + i] = found.at(s++);
    return out;
  };
  return applyFunction(tracer, all, std::move(t));
}

/// The call below autograd.
Values emitMap(Tracer& tracer, const FlatFunction& f, const Values& xs, const Values& more,
               const SubgraphOptions& options = {}) {
  if (xs.empty()) throw EvalError("map-empty", "map needs something to walk along");
  Values operands = rowsOf(xs);
  append(operands, more);
  const Subgraph sub = traceSubgraph(tracer, f, operands, options);
  refuseAliases(sub, "map");
  const std::string name = freshQualifiedName(tracer, "body_graph_");
  installSubgraph(tracer, sub, name);
  Values outputs;
  for (const Value& v : sub.outputs)
    outputs.push_back(tensorIn(v) ? stacked(v, xs[0].meta().sizes.at(0)) : v);
  return emitHigherOrder(
      tracer, "torch.ops.higher_order.map_impl",
      {subgraphReference(tracer, name), Value(innerValues(tracer, xs)), Value(innerValues(tracer, more))}, {},
      outputs);
}

}  // namespace

Value runScan(const HopCall& call) {
  const Values init = itemsOf(call.at(1, "init")), xs = itemsOf(call.at(2, "xs")),
               more = itemsOf(call.at(3, "additional_inputs"));
  Values all = init;
  append(all, xs);
  append(all, more);
  const FlatFunction f = call.body(call.at(0, "combine_fn"));
  if (call.tracer.gradMode && anyRequiresGrad(call.tracer, all))
    return Value::tuple(scanWithGradients(call.tracer, f, init, xs, more));
  return Value::tuple(emitScan(call.tracer, f, init, xs, more, OutputForm::List, VKind::List));
}

Value runMap(const HopCall& call) {
  Tracer& tracer = call.tracer;
  const FlatFunction f = call.body(call.at(0, "f"));
  const Values xs = itemsOf(call.at(1, "xs")), more = itemsOf(call.at(2, "pos_args"));
  Values all = xs;
  append(all, more);
  if (!tracer.gradMode || !anyRequiresGrad(tracer, all)) return Value::tuple(emitMap(tracer, f, xs, more));
  TapeFunction t;
  const auto kept = std::make_shared<Kept>();
  t.name = "MapAutogradOp";
  t.forward = [&](Tracer& tr, const Values&) {
    Values out = emitMap(tr, f, xs, more);
    kept->keep(tr, all, false);
    return out;
  };
  t.backward = [f, kept, mapped = xs.size(), n = all.size()](Tracer& tr, const Values& grads) {
    const Values in = kept->give(tr, "MapAutogradOp");
    Values rows(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(mapped)),
        more(in.begin() + static_cast<std::ptrdiff_t>(mapped), in.end());
    append(rows, grads);
    SubgraphOptions options;
    options.output = OutputForm::List;
    Values order = rows;
    append(order, more);
    options.requiresGrad = requiringGrad(tr, order);
    // Each step gets (rows, gradients, others), and the joint function (rows, others, gradients).
    std::vector<size_t> tensors;
    for (size_t i = 0; i < n; ++i)
      if (tensorIn(in[i])) tensors.push_back(i);
    const FlatFunction joint = [f = jointFunction(f, n), mapped, count = grads.size(), tensors](
                                   Tracer& sub, const Values& v) {
      Values args(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(mapped));
      args.insert(args.end(), v.begin() + static_cast<std::ptrdiff_t>(mapped + count), v.end());
      args.insert(args.end(), v.begin() + static_cast<std::ptrdiff_t>(mapped),
                  v.begin() + static_cast<std::ptrdiff_t>(mapped + count));
      const Values found = f(sub, args);
      Values out;
      for (size_t i : tensors) out.push_back(found[i]);
      return out;
    };
    const Values found = emitMap(tr, joint, rows, more, options);
    Values out(n);
    for (size_t k = 0; k < tensors.size(); ++k) out[tensors[k]] = found.at(k);
    return out;
  };
  return Value::tuple(applyFunction(tracer, all, std::move(t)));
}

}  // namespace descry::passes
