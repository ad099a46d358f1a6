// flex_attention: attention whose scores and mask are functions of the user, one value at a time.
#include <algorithm>
#include <utility>

#include "ir/ops/eval/strides.h"
#include "passes/aot/higher_order.h"
#include "passes/aot/hop.h"

namespace descry::passes {

namespace {

constexpr std::string_view kForward = "torch.ops.higher_order.flex_attention";
constexpr std::string_view kBackward = "torch.ops.higher_order.flex_attention_backward";

/// The arguments of a call, with functions for subgraphs.
struct Flex {
  Value query, key, value, scale, options;
  FlatFunction score, mask;
  Values blocks;  ///< without the mask function
  Values scoreBuffers, maskBuffers;
};

Values itemsOf(const Value& v) {
  return v.isList() ? v.items() : Values{};
}

/// Dense strides that grow in the order of those given, the last dimension innermost.
Meta laidOutLike(const Value& x, Ints sizes, const Ints& strides) {
  std::vector<size_t> order(sizes.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return strides[a].value < strides[b].value; });
  const auto fill = [&] {
    Ints out(sizes.size(), Int(0));
    Int next = 1;
    for (size_t d : order) {
      out[d] = next;
      next = next * sizes[d];
    }
    return out;
  };
  Meta m = x.meta();
  m.offset = 0;
  m.strides = fill();
  if (!(m.strides.back() == Int(1))) {
    const size_t last = sizes.size() - 1;
    order.erase(std::find(order.begin(), order.end(), last));
    order.insert(order.begin(), last);
    m.strides = fill();
  }
  m.sizes = std::move(sizes);
  return m;
}

Value single(const Value& like, ir::DType dtype) {
  Meta m;
  m.dtype = dtype;
  m.device = like.meta().device;
  return metaValue(m);
}

/// What score functions take: a score, four positions, buffers.
Values scoreOperands(const Flex& x) {
  Values v = {single(x.query, x.query.meta().dtype)};
  v.resize(5, single(x.query, ir::DType::I32));
  v.insert(v.end(), x.scoreBuffers.begin(), x.scoreBuffers.end());
  return v;
}

Values maskOperands(const Flex& x) {
  Values v(4, single(x.query, ir::DType::I32));
  v.insert(v.end(), x.maskBuffers.begin(), x.maskBuffers.end());
  return v;
}

Subgraph traceScalar(Tracer& tracer, const FlatFunction& f, const Values& operands, SubgraphOptions options) {
  struct Restore {
    HigherOrderState& s;
    bool was;
    ~Restore() { s.scalarIndices = was; }
  } restore{*tracer.higherOrder, std::exchange(tracer.higherOrder->scalarIndices, true)};
  return traceSubgraph(tracer, f, operands, options);
}

Value reference(Tracer& tracer, const Subgraph& sub, const std::string& name) {
  installSubgraph(tracer, sub, name);
  return subgraphReference(tracer, name);
}

Value blockMask(Tracer& tracer, const Values& blocks, const Value& mask) {
  Values v = innerValues(tracer, blocks);
  v.push_back(mask);
  return Value::tuple(std::move(v));
}

/// The call below autograd.
Values emitForward(Tracer& tracer, const Flex& x) {
  SubgraphOptions options;
  options.output = OutputForm::Single;
  const Subgraph score = traceScalar(tracer, x.score, scoreOperands(x), options);
  if (writesAny(score)) throw EvalError("hop-mutation", "Mutations detected in score_mod");
  const Subgraph mask = traceScalar(tracer, x.mask, maskOperands(x), options);
  const std::string scoreName = freshQualifiedName(tracer, "sdpa_score"),
                    maskName = freshQualifiedName(tracer, "sdpa_mask");
  const Value scoreGraph = reference(tracer, score, scoreName), maskGraph = reference(tracer, mask, maskName);

  Ints sizes = x.query.meta().sizes;
  Meta rows;
  rows.dtype = ir::DType::F32;
  rows.device = x.query.meta().device;
  rows.sizes.assign(sizes.begin(), sizes.end() - 1);
  rows.strides = ir::eval::contiguousStrides(rows.sizes);
  sizes.back() = x.value.meta().sizes.back();
  const Values outputs = {metaValue(laidOutLike(x.query, std::move(sizes), x.query.meta().strides)),
                          metaValue(rows), metaValue(rows)};
  return emitHigherOrder(
      tracer, kForward,
      {innerValue(tracer, x.query), innerValue(tracer, x.key), innerValue(tracer, x.value), scoreGraph,
       blockMask(tracer, x.blocks, maskGraph), x.scale, x.options,
       Value::tuple(innerValues(tracer, x.scoreBuffers)), Value::tuple(innerValues(tracer, x.maskBuffers))},
      {}, outputs);
}

/// From (score, positions, gradient, buffers) to the gradients of score, positions and buffers.
FlatFunction scoreGradient(const FlatFunction& score) {
  return [score](Tracer& t, const Values& in) {
    constexpr std::ptrdiff_t kOperands = 5;
    Values args(in.begin(), in.begin() + kOperands);
    args.insert(args.end(), in.begin() + kOperands + 1, in.end());
    const size_t n = args.size();
    args.push_back(in[kOperands]);
    JointOptions options;
    options.allOutputs = false;
    options.zeros = false;
    options.clone = CloneGradients::No;
    // A buffer that is one number is read like any other, so that its gradient is a sum over all places.
    const FlatFunction f = [score](Tracer& sub, const Values& operands) {
      Values v = operands;
      for (size_t i = kOperands; i < v.size(); ++i)
        if (Tensor* b = tensorIn(v[i]); b && sub.requiresGrad(*b) && b->meta.sizes.empty()) {
          Values args{v[i], Value(Values{}, VKind::Tuple)};
          runScalarIndex(sub, args, v[i]);
        }
      return score(sub, v);
    };
    const Values grads = jointFunction(f, n, options)(t, args);
    if (grads.at(0).isNone())
      throw EvalError("flex-score-gradient",
                      "flex_attention backward requires the output of score_mod to depend on score. Got a "
                      "score_mod whose output "
                      "does not require gradients with respect to score.");
    return grads;
  };
}

/// The gradients of query, key, value and of the score function's buffers.
Values emitBackward(Tracer& tracer, const Flex& x, const Value& out, const Value& logsumexp,
                    const Values& grads) {
  SubgraphOptions options;
  options.output = OutputForm::Single;
  const Subgraph score = traceScalar(tracer, x.score, scoreOperands(x), options);
  Values operands = scoreOperands(x);
  options.output = OutputForm::List;
  options.requiresGrad = requiringGrad(tracer, operands);
  options.requiresGrad[0] = true;
  operands.insert(operands.begin() + 5, operands[0]);
  options.requiresGrad.insert(options.requiresGrad.begin() + 5, false);
  Subgraph joint = traceScalar(tracer, scoreGradient(x.score), operands, options);
  if (tracer.recording) {
    // PyTorch has this graph before the call is traced, and traces it once more.
    const auto module = std::make_shared<ir::Module>(tracer.graph().contextPtr());
    module->graphs.push_back(*joint.graph);
    options.requiresGrad.clear();
    joint = traceScalar(
        tracer, [module](Tracer& t, const Values& in) { return Program(*module, module->root()).run(t, in); },
        operands, options);
  }
  options = {};
  options.output = OutputForm::Single;
  const Subgraph mask = traceScalar(tracer, x.mask, maskOperands(x), options);
  const std::string names[] = {freshQualifiedName(tracer, "fw_graph"),
                               freshQualifiedName(tracer, "joint_graph"),
                               freshQualifiedName(tracer, "mask_graph")};
  const Value scoreGraph = reference(tracer, score, names[0]),
              jointGraph = reference(tracer, joint, names[1]), maskGraph = reference(tracer, mask, names[2]);

  const Meta &q = x.query.meta(), &k = x.key.meta(), &v = x.value.meta();
  const bool broadcast = k.sizes[0] == Int(1) && !(q.sizes[0] == Int(1));
  const auto gradient = [&](const Value& of, const Int& width) {
    Meta m = laidOutLike(of, {q.sizes[0], v.sizes[1], v.sizes[2], width}, of.meta().strides);
    if (broadcast) {
      // Summed over the batch.
      m.sizes[0] = 1;
      m.strides = ir::eval::stridesLike(m.sizes, m.strides);
    }
    return metaValue(m);
  };
  Values buffers;
  for (size_t i = 0; i < x.scoreBuffers.size(); ++i) {
    Value g;
    if (tensorIn(x.scoreBuffers[i]) && !joint.outputs.at(5 + i).isNone()) {
      Meta m = x.scoreBuffers[i].meta();
      m.strides = ir::eval::contiguousStrides(m.sizes);
      m.offset = 0;
      g = metaValue(m);
    }
    buffers.push_back(g);
  }
  const Values results = {metaValue(laidOutLike(x.query, q.sizes, q.strides)), gradient(x.key, q.sizes[3]),
                          gradient(x.value, v.sizes[3]), Value::tuple(buffers)};
  return emitHigherOrder(
      tracer, kBackward,
      {innerValue(tracer, x.query), innerValue(tracer, x.key), innerValue(tracer, x.value),
       innerValue(tracer, out), innerValue(tracer, logsumexp), innerValue(tracer, grads.at(0)),
       innerValue(tracer, grads.at(1)), scoreGraph, jointGraph, blockMask(tracer, x.blocks, maskGraph),
       x.scale, x.options, Value::tuple(innerValues(tracer, x.scoreBuffers)),
       Value::tuple(innerValues(tracer, x.maskBuffers))},
      {}, results);
}

}  // namespace

Value runFlexAttention(const HopCall& call) {
  Tracer& tracer = call.tracer;
  Flex x;
  x.query = call.at(0, "query");
  x.key = call.at(1, "key");
  x.value = call.at(2, "value");
  x.score = call.body(call.at(3, "score_mod"));
  x.blocks = itemsOf(call.at(4, "block_mask"));
  if (x.blocks.empty())
    throw EvalError("type-error", "flex_attention needs a block mask that ends with the mask function");
  x.mask = call.body(x.blocks.back());
  x.blocks.pop_back();
  x.scale = call.at(5, "scale");
  x.options = call.at(6, "kernel_options");
  x.scoreBuffers = itemsOf(call.at(7, "score_mod_other_buffers"));
  x.maskBuffers = itemsOf(call.at(8, "mask_mod_other_buffers"));
  for (const Value* v : {&x.query, &x.key, &x.value})
    if (!tensorIn(*v) || v->meta().dim() != 4)
      throw EvalError("shape-mismatch", "flex_attention takes query, key and value of four dimensions");

  Values args = {x.query, x.key, x.value};
  args.resize(9);
  args.insert(args.end(), x.scoreBuffers.begin(), x.scoreBuffers.end());
  if (!tracer.gradMode || !anyRequiresGrad(tracer, args)) return Value::tuple(emitForward(tracer, x));
  constexpr size_t kQueryIndices = 7;
  if (x.blocks.size() > kQueryIndices && x.blocks[kQueryIndices].isNone())
    throw EvalError("flex-query-indices",
                    "BlockMask q_indices is None. Backward pass requires q_indices to be computed. Please "
                    "create the BlockMask with "
                    "compute_q_blocks=True");
  if (anyRequiresGrad(tracer, x.maskBuffers))
    throw EvalError("flex-mask-gradient",
                    "Captured buffers from mask mod that require grad are not supported.");
  TapeFunction t;
  t.name = "FlexAttentionAutogradOp";
  t.zeros = false;
  t.nonDifferentiable = {2};
  t.forward = [&](Tracer& tr, const Values&) { return emitForward(tr, x); };
  struct Saved {
    Kept inputs, outputs, blocks, scoreBuffers, maskBuffers;
  };
  const auto saved = std::make_shared<Saved>();
  t.keep = [&x, saved](Tracer& tr, const Values& outputs) {
    saved->inputs.keep(tr, {x.query, x.key, x.value}, false);
    saved->outputs.keep(tr, outputs, true);
    saved->blocks.keep(tr, x.blocks, false);
    saved->scoreBuffers.keep(tr, x.scoreBuffers, false);
    saved->maskBuffers.keep(tr, x.maskBuffers, false);
  };
  Flex later = x;
  t.backward = [later, saved](Tracer& tr, const Values& grads) {
    const std::string name = "FlexAttentionAutogradOp";
    Flex y = later;
    const Values in = saved->inputs.give(tr, name), out = saved->outputs.give(tr, name);
    y.query = in[0];
    y.key = in[1];
    y.value = in[2];
    y.blocks = saved->blocks.give(tr, name);
    y.scoreBuffers = saved->scoreBuffers.give(tr, name);
    y.maskBuffers = saved->maskBuffers.give(tr, name);
    const Values found = emitBackward(tr, y, out.at(0), out.at(1), grads);
    Values result(found.begin(), found.begin() + 3);
    result.resize(9);
    for (const Value& g : found.at(3).items()) result.push_back(g);
    return result;
  };
  return Value::tuple(applyFunction(tracer, args, std::move(t)));
}

bool runScalarIndex(Tracer& tracer, const Values& args, Value& out) {
  if (!tracer.higherOrder || !tracer.higherOrder->scalarIndices || !tensorIn(args.at(0))) return false;
  Values indices = args.at(1).isList() ? args[1].items() : Values{args[1]};
  if (!std::all_of(indices.begin(), indices.end(), [](const Value& v) { return tensorIn(v) || v.isInt(); }))
    return false;
  for (Value& v : indices)
    if (v.isInt()) v = tracer.literal(v, Value::dtype(ir::DType::I64), Value::device(args[0].meta().device));
  TapeFunction f;
  f.name = "ModIndex";
  const auto kept = std::make_shared<Kept>();
  f.forward = [&](Tracer& t, const Values&) {
    return Values{indices.empty() ? args[0] : t.exact("aten.index.Tensor", {args[0], Value(indices)})};
  };
  f.keep = [&](Tracer& t, const Values&) { kept->keep(t, indices, false); };
  f.backward = [kept, sizes = args[0].meta().sizes](Tracer& t, const Values& grads) {
    const Values at = kept->give(t, "ModIndex");
    Meta m = grads.at(0).meta();
    m.sizes = sizes;
    m.strides = ir::eval::contiguousStrides(sizes);
    m.offset = 0;
    const ir::NodeId node =
        t.emit("torch.ops.flex_lib.zeros_and_scatter.default",
               {Value(sizes), Value(innerValues(t, at)), innerValue(t, grads[0])}, {}, t.typeOf(m));
    return Values{Value(t.wrap(t.inner(node, m))), Value()};
  };
  out = applyFunction(tracer, {args[0], Value()}, std::move(f)).at(0);
  return true;
}

}  // namespace descry::passes
