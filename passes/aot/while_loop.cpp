// while_loop: a condition and a body. Trained, every round is kept, and a second loop walks back through the
// rounds.
#include <algorithm>
#include <utility>

#include "passes/aot/hop.h"

namespace descry::passes {

namespace {

bool carriesGradient(const Value& v) {
  const Tensor* t = tensorIn(v);
  return t && ir::dtypeInfo(t->meta.dtype).floating;
}

Value unknownNumber(Tracer& tracer) {
  Values none;
  Value v;
  tracer.special("fresh_size", none, v);
  return v;
}

/// The call below autograd. `stack`: every round's result is returned, one upon another.
Values emitLoop(Tracer& tracer, const FlatFunction& condition, const FlatFunction& body,
                const Values& carried, const Values& more, const std::vector<bool>& requires_, bool stack) {
  // Numbers change from round to round: inside, they are unknown to what is written down. What the program
  // calls symbols are those of the results.
  std::vector<std::string> names = std::exchange(tracer.unbackedNames, {});
  Values inside;
  for (const Value& v : carried) inside.push_back(v.isInt() && tracer.recording ? unknownNumber(tracer) : v);
  inside.insert(inside.end(), more.begin(), more.end());
  SubgraphOptions options;
  options.requiresGrad = requires_;
  options.output = OutputForm::Single;
  const Subgraph test = traceSubgraph(tracer, condition, inside, options);
  const Value answer = test.outputs.size() == 1 ? test.outputs[0] : Value::tuple(test.outputs);
  const bool truth = tensorIn(answer) ? answer.meta().sizes.empty() && answer.meta().dtype == ir::DType::B8
                                      : answer.kind() == VKind::Bool;
  if (!truth)
    throw EvalError("loop-condition",
                    "cond_fn must return a boolean scalar tensor or a boolean but got " + answer.describe());
  options.output = OutputForm::Tuple;
  const Subgraph round = traceSubgraph(tracer, body, inside, options);
  refuseAliases(test, "cond_fn");
  refuseAliases(round, "body_fn");
  if (round.outputs.size() != carried.size())
    throw EvalError("loop-carry",
                    "body_fn should return the same number of elements as carried_inputs, got " +
                        std::to_string(round.outputs.size()) + " vs " + std::to_string(carried.size()));
  refuseOtherMeta(carried, round.outputs, "carried_inputs", "body_output", true);
  const std::string name = freshSubgraphName(tracer, "while_loop_cond_graph");
  const std::string other = "while_loop_body_graph" + name.substr(name.rfind('_'));
  installSubgraph(tracer, test, name);
  installSubgraph(tracer, round, other);
  const Value a = subgraphReference(tracer, name), b = subgraphReference(tracer, other);
  Values outputs;
  tracer.unbackedNames = std::move(names);
  const Int rounds = stack ? unknownNumber(tracer).toInt() : Int(0);
  // Where no round runs, the inputs are returned as if one had.
  if (stack) tracer.numberFacts->assume(ir::symRelation(ir::SymRel::Ge, rounds.expr(), 1));
  for (const Value& v : round.outputs)
    outputs.push_back(!tensorIn(v) ? unknownNumber(tracer) : stack ? stacked(v, rounds) : v);
  return emitHigherOrder(
      tracer, stack ? "torch.ops.higher_order.while_loop_stack_output" : "torch.ops.higher_order.while_loop",
      {a, b, Value::tuple(innerValues(tracer, carried)), Value::tuple(innerValues(tracer, more))}, {},
      outputs);
}

struct Loop {
  FlatFunction condition, body;
  Values carried, more, stacks;
};

/// Gradients of the carried values and of the others: the rounds once more, from the last to the first.
Values backwardLoop(Tracer& tracer, const Loop& loop, const Values& grads) {
  Values carry = {tracer.op("zeros", {Value(Ints{})},
                            {{"dtype", Value::dtype(ir::DType::I64)},
                             {"device", Value::device(0)},
                             {"pin_memory", Value::boolean(false)}})};
  std::vector<size_t> carriedAt, moreAt;
  for (size_t i = 0; i < loop.carried.size(); ++i)
    if (carriesGradient(loop.carried[i])) {
      carriedAt.push_back(i);
      carry.push_back(
          tracer.op("clone", {grads.at(i)},
                    {{"memory_format", Value::memoryFormat(ir::eval::MemoryFormat::Contiguous)}}));
    }
  for (size_t i = 0; i < loop.more.size(); ++i)
    if (carriesGradient(loop.more[i])) {
      moreAt.push_back(i);
      carry.push_back(tracer.op("zeros_like", {loop.more[i]}, {{"pin_memory", Value::boolean(false)}}));
    }
  // What each round started from: the first input, then the results of all rounds but the last.
  Values rest;
  std::vector<bool> requires_(carry.size(), false);
  for (size_t i = 0; i < loop.carried.size(); ++i) {
    const Value first = tracer.op("unsqueeze", {loop.carried[i], 0});
    const Value others = tracer.exact("aten.slice.Tensor", {loop.stacks[i], 0, 0, -1});
    rest.push_back(tracer.op("cat", {Value(Values{first, others})}));
    const Tensor* t = tensorIn(loop.carried[i]);
    requires_.push_back(t && tracer.requiresGrad(*t));
  }
  for (const Value& v : loop.more) {
    const Tensor* t = tensorIn(v);
    requires_.push_back(t && tracer.requiresGrad(*t));
    rest.push_back(v);
  }
  const size_t n = carry.size(), rounds = loop.carried.size();
  const FlatFunction condition = [n](Tracer& t, const Values& v) {
    return Values{t.rules().compare(ir::rules::CompareOp::Lt, v[0], Value(v[n].meta().sizes.at(0)), true)};
  };
  const FlatFunction joint = jointFunction(loop.body, rounds + loop.more.size());
  const FlatFunction body = [=](Tracer& t, const Values& v) {
    ir::eval::Interpreter& rules = t.rules();
    using ir::rules::BinaryOp;
    const Value back =
        rules.binary(BinaryOp::Sub, rules.binary(BinaryOp::Sub, Value(v[n].meta().sizes.at(0)), v[0], true),
                     Value(1), true);
    Values primals;
    // What a round started from is differentiated with respect to.
    const bool was = std::exchange(t.gradMode, true);
    for (size_t i = 0; i < rounds; ++i)
      primals.push_back(t.exact("aten.select.int", {v[n + i], 0, t.op("item", {back})}));
    t.gradMode = was;
    primals.insert(primals.end(), v.begin() + static_cast<std::ptrdiff_t>(n + rounds), v.end());
    primals.insert(primals.end(), v.begin() + 1,
                   v.begin() + 1 + static_cast<std::ptrdiff_t>(carriedAt.size()));
    const Values found = joint(t, primals);
    Values out = {rules.binary(BinaryOp::Add, v[0], Value(1), true)};
    for (size_t i : carriedAt) out.push_back(found.at(i));
    for (size_t k = 0; k < moreAt.size(); ++k)
      out.push_back(
          rules.binary(BinaryOp::Add, found.at(rounds + moreAt[k]), v[1 + carriedAt.size() + k], true));
    return out;
  };
  const Values found = emitLoop(tracer, condition, body, carry, rest, requires_, false);
  Values out(loop.carried.size() + loop.more.size());
  for (size_t k = 0; k < carriedAt.size(); ++k) out[carriedAt[k]] = found.at(1 + k);
  for (size_t k = 0; k < moreAt.size(); ++k) out[rounds + moreAt[k]] = found.at(1 + carriedAt.size() + k);
  return out;
}

}  // namespace

Value runWhileLoop(const HopCall& call) {
  Tracer& tracer = call.tracer;
  const auto loop = std::make_shared<Loop>();
  loop->condition = call.body(call.at(0, "cond_fn"));
  loop->body = call.body(call.at(1, "body_fn"));
  const Value carried = call.at(2, "carried_inputs"), more = call.at(3, "additional_inputs");
  if (carried.isList()) loop->carried = carried.items();
  if (more.isList()) loop->more = more.items();
  Values all = loop->carried;
  all.insert(all.end(), loop->more.begin(), loop->more.end());
  if (!tracer.gradMode || !anyRequiresGrad(tracer, all))
    return Value::tuple(emitLoop(tracer, loop->condition, loop->body, loop->carried, loop->more, {}, false));
  TapeFunction f;
  f.name = "WhileLoopAutogradOp";
  f.forward = [loop](Tracer& t, const Values&) {
    loop->stacks = emitLoop(t, loop->condition, loop->body, loop->carried, loop->more, {}, true);
    Values last;
    for (const Value& v : loop->stacks) last.push_back(t.index(v, Value(-1), true));
    return last;
  };
  f.backward = [loop](Tracer& t, const Values& grads) { return backwardLoop(t, *loop, grads); };
  return Value::tuple(applyFunction(tracer, all, std::move(f)));
}

}  // namespace descry::passes
