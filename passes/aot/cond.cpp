// cond: two subgraphs of which one runs, and the same again for their gradients.
#include <algorithm>
#include <map>

#include "passes/aot/hop.h"

namespace descry::passes {

namespace {

bool unbacked(const Int& i) {
  if (!i.symbolic()) return false;
  for (const std::string& s : i.sym->expr.symbols())
    if (s.starts_with("u")) return true;
  return false;
}

bool sameExpression(const Int& a, const Int& b) {
  return a.str() == b.str();
}

/// Dimensions by ascending stride; among equal strides later dimensions first.
std::vector<size_t> strideOrder(const Meta& m) {
  std::vector<size_t> order(m.sizes.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return m.strides[a].value < m.strides[b].value; });
  return order;
}

std::string listed(const Ints& ints) {
  std::string s = "(";
  for (size_t i = 0; i < ints.size(); ++i) s += (i ? ", " : "") + ints[i].str();
  return s + (ints.size() == 1 ? ",)" : ")");
}

/// Strides of a result of either branch: they grow with the sizes along the dimensions in `order`, as in a
/// dense tensor. Refuses what is not dense, or lies otherwise in one branch.
Ints mergedStrides(const Meta& a, const Meta& b, const Ints& sizes, const std::vector<size_t>& order) {
  const auto refuse = [](const std::string& why) -> EvalError { return EvalError("cond-strides", why); };
  const auto zero = [](const Int& i) { return !i.symbolic() && i.value == 0; };
  const auto one = [](const Int& i) { return !i.symbolic() && i.value == 1; };
  std::map<std::string, Int> ofA, ofB;  // by stride of the branch
  Ints out(order.size());
  for (size_t d : order) {
    const Int &s = a.strides[d], &t = b.strides[d];
    if (zero(s)) {
      if (!zero(t))
        throw refuse("expected b_val == 0 when a_val == 0, got a_val=" + s.str() + ", b_val=" + t.str());
      out[d] = Int(0);
      continue;
    }
    if (const auto known = ofA.find(s.str()); known != ofA.end()) {
      const auto other = ofB.find(t.str());
      if (other == ofB.end() || !sameExpression(other->second, known->second))
        throw refuse("the strides " + listed(a.strides) + " and " + listed(b.strides) +
                     " of the two branches' output do not grow alike");
      out[d] = known->second;
    } else if (one(s)) {
      if (!one(t)) throw refuse("expected b_val == 1 when a_val == 1, got b_val=" + t.str());
      ofA[s.str()] = ofB[t.str()] = out[d] = Int(1);
    } else {
      throw refuse(
          "It seems one of cond's output stride is not a simple accumulative multiplication of sizes. This "
          "could be because cond "
          "returns a slice of a tensor, which is not dense in memory. True branch has size " +
          listed(a.sizes) + ", stride " + listed(a.strides) + " and false branch has size " +
          listed(b.sizes) + " stride " + listed(b.strides) + ". Hint: can call t.contiguous(). ");
    }
    const Int next = out[d] * sizes[d];
    ofA[(s * a.sizes[d]).str()] = ofB[(t * b.sizes[d]).str()] = next;
    if (zero(a.sizes[d])) ofA.emplace(s.str(), next);
    if (zero(b.sizes[d])) ofB.emplace(t.str(), next);
  }
  return out;
}

/// What a result is when it comes from either branch: sizes that differ become unknown numbers.
Value merged(Tracer& tracer, const Value& a, const Value& b) {
  if (a.isNone() && b.isNone()) return {};
  const auto unknown = [&] {
    Values none;
    Value v;
    tracer.special("fresh_size", none, v);
    return v;
  };
  if (a.isInt() && b.isInt()) return a.raw() == b.raw() ? a : unknown();
  if (!tensorIn(a) || !tensorIn(b))
    throw EvalError("cond-branches", "the branches of torch.cond return values of different kinds");
  const Meta &x = a.meta(), &y = b.meta();
  const auto differ = [](const std::string& what, const std::string& p, const std::string& q) {
    throw EvalError("cond-branches",
                    "When merging two branches' output in torch.cond, expected both tensors to have same " +
                        what + " but got " + p + " and " + q + ".");
  };
  if (x.dtype != y.dtype)
    differ("dtype", std::string(ir::dtypeInfo(x.dtype).torchName),
           std::string(ir::dtypeInfo(y.dtype).torchName));
  if (x.device != y.device) differ("device", ir::eval::deviceText(x.device), ir::eval::deviceText(y.device));
  if (x.dim() != y.dim()) differ("dim", std::to_string(x.dim()), std::to_string(y.dim()));
  Meta m = x;
  m.offset = 0;
  for (size_t i = 0; i < x.dim(); ++i) {
    if (!unbacked(x.sizes[i]) && !unbacked(y.sizes[i]) && sameExpression(x.sizes[i], y.sizes[i])) continue;
    m.sizes[i] = unknown().toInt();
  }
  const std::vector<size_t> order = strideOrder(x);
  if (order != strideOrder(y)) {
    throw EvalError(
        "cond-strides",
        "The sorted order of strides of the two branches' output doesn't match.this indicates the "
        "contiguousness of the two branches are "
        "different. True branch has stride " +
            listed(x.strides) + " but false branch has stride " + listed(y.strides) +
            ".Consider using contiguous() to make the two branches have the same contiguousness.");
  }
  m.strides = mergedStrides(x, y, m.sizes, order);
  return metaValue(m);
}

/// The call below autograd: both branches traced, one node.
Values emitCond(Tracer& tracer, const Value& predicate, const FlatFunction& onTrue,
                const FlatFunction& onFalse, const Values& operands, const SubgraphOptions& options = {},
                bool mayWrite = false) {
  const HigherOrderState before = *tracer.higherOrder;
  const Subgraph a = traceSubgraph(tracer, onTrue, operands, options),
                 b = traceSubgraph(tracer, onFalse, operands, options);
  if (a.outputs.size() != b.outputs.size())
    throw EvalError("cond-branches",
                    "Expected to return same number of outputs but got: true branch returns " +
                        std::to_string(a.outputs.size()) + " item(s), false branch returns " +
                        std::to_string(b.outputs.size()) + " item(s)");
  if ((writesAny(a) || writesAny(b)) && options.writes == Writes::Ignored && mayWrite) {
    *tracer.higherOrder = before;
    SubgraphOptions again = options;
    again.writes = Writes::CopiedBack;
    again.sourceOfCall = true;
    return emitCond(tracer, predicate, onTrue, onFalse, operands, again);
  }
  const bool writes = options.writes == Writes::CopiedBack;
  if (!writes) {
    refuseAliases(a, "cond_true");
    refuseAliases(b, "cond_false");
  }
  const std::string name = freshSubgraphName(tracer, writes ? "auto_functionalized_subgraph" : "true_graph");
  installSubgraph(tracer, a, name);
  const std::string other =
      writes ? freshSubgraphName(tracer, "auto_functionalized_subgraph") : "false" + name.substr(4);
  installSubgraph(tracer, b, other);
  Values outputs;
  for (size_t i = 0; i < a.outputs.size(); ++i) outputs.push_back(merged(tracer, a.outputs[i], b.outputs[i]));
  const Value p = innerValue(tracer, predicate);
  const Value first = subgraphReference(tracer, name), second = subgraphReference(tracer, other);
  if (writes) {
    std::vector<std::pair<std::string, Value>> arguments = {
        {"pred", predicate}, {"true_fn", first}, {"false_fn", second}};
    std::vector<std::string> written;
    for (size_t i = 0; i < operands.size(); ++i) {
      arguments.emplace_back("operand" + std::to_string(i), operands[i]);
      if (a.mutated[i] || b.mutated[i]) written.push_back(arguments.back().first);
    }
    return emitWriting(tracer, "torch.ops.higher_order.cond", std::move(arguments), std::move(written),
                       outputs);
  }
  return emitHigherOrder(tracer, "torch.ops.higher_order.cond",
                         {p, first, second, Value::tuple(innerValues(tracer, operands))}, {}, outputs);
}

Values cond(Tracer& tracer, const Value& predicate, const FlatFunction& onTrue, const FlatFunction& onFalse,
            const Values& operands) {
  Values all = operands;
  all.push_back(predicate);
  if (!tracer.gradMode || !anyRequiresGrad(tracer, all))
    return emitCond(tracer, predicate, onTrue, onFalse, operands, {}, true);
  TapeFunction f;
  const auto kept = std::make_shared<Kept>();
  f.name = "CondAutogradOp";
  f.forward = [&](Tracer& t, const Values&) {
    Values out = emitCond(t, predicate, onTrue, onFalse, operands);
    kept->keep(t, operands, false);
    return out;
  };
  f.backward = [predicate, onTrue, onFalse, kept, n = operands.size()](Tracer& t, const Values& grads) {
    Values in = kept->give(t, "CondAutogradOp");
    in.insert(in.end(), grads.begin(), grads.end());
    SubgraphOptions options;
    options.output = OutputForm::List;
    options.requiresGrad = requiringGrad(t, in);
    // Only tensors are returned: numbers among the operands get no gradient.
    std::vector<size_t> tensors;
    for (size_t i = 0; i < n; ++i)
      if (tensorIn(in[i])) tensors.push_back(i);
    const auto joint = [&](const FlatFunction& branch) -> FlatFunction {
      return [f = jointFunction(branch, n), tensors](Tracer& sub, const Values& inputs) {
        const Values all = f(sub, inputs);
        Values out;
        for (size_t i : tensors) out.push_back(all[i]);
        return out;
      };
    };
    const Values found = emitCond(t, predicate, joint(onTrue), joint(onFalse), in, options);
    Values out(n);
    for (size_t k = 0; k < tensors.size(); ++k) out[tensors[k]] = found.at(k);
    return out;
  };
  return applyFunction(tracer, operands, std::move(f));
}

}  // namespace

Value runCond(const HopCall& call) {
  const Value predicate = call.at(0, "pred"), operands = call.at(3, "operands");
  if (!tensorIn(predicate) && predicate.kind() != VKind::Bool)
    throw EvalError("bad-call", "Expected pred to be bool or tensor, but got " + predicate.describe() + ".");
  if (tensorIn(predicate) && !(predicate.meta().numel() == Int(1)))
    throw EvalError("bad-call", "Expected pred to be bool or single-element tensor, but got " +
                                    predicate.describe() + ".");
  return Value::tuple(cond(call.tracer, predicate, call.body(call.at(1, "true_fn")),
                           call.body(call.at(2, "false_fn")),
                           operands.isList() ? operands.items() : Values{}));
}

}  // namespace descry::passes
