// cond and switch: subgraphs of which one runs, and the same again for their gradients.
#include <algorithm>
#include <map>
#include <utility>

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

/// cond or switch: which branch runs is found out while the program runs.
struct Choice {
  bool isCond = true;
  Value by;
  std::vector<FlatFunction> branches;

  std::string name(size_t i) const {
    return !isCond ? "branch" + std::to_string(i) : i == 0 ? "true" : "false";
  }
  std::string op() const { return isCond ? "cond" : "switch"; }
};

Value mergedOfAll(Tracer& tracer, const Values& of) {
  // Numbers that differ become one unknown number, however many branches there are.
  if (std::all_of(of.begin(), of.end(), [](const Value& v) { return v.isInt() && !v.symbolic(); })) {
    const auto other =
        std::find_if(of.begin(), of.end(), [&](const Value& v) { return v.raw() != of[0].raw(); });
    return other == of.end() ? of[0] : merged(tracer, of[0], *other);
  }
  Value out = of[0];
  for (size_t i = 1; i < of.size(); ++i) out = merged(tracer, out, of[i]);
  return out;
}

/// The call below autograd: all branches traced, one node.
Values emitChoice(Tracer& tracer, const Choice& choice, const Values& operands,
                  const SubgraphOptions& options = {}, bool mayWrite = false) {
  const HigherOrderUndo before(*tracer.higherOrder);
  // What the program calls symbols are those of the results.
  std::vector<std::string> unknown = std::exchange(tracer.unbackedNames, {});
  std::vector<Subgraph> subs;
  for (const FlatFunction& f : choice.branches) subs.push_back(traceSubgraph(tracer, f, operands, options));
  for (size_t i = 1; i < subs.size(); ++i)
    if (subs[i].outputs.size() != subs[0].outputs.size())
      throw EvalError("cond-branches",
                      "Expected to return same number of outputs but got: " + choice.name(0) +
                          " branch returns " + std::to_string(subs[0].outputs.size()) + " item(s), " +
                          choice.name(i) + " branch returns " + std::to_string(subs[i].outputs.size()) +
                          " item(s)");
  if (std::any_of(subs.begin(), subs.end(), writesAny) && options.writes == Writes::Ignored && mayWrite) {
    before.undo(*tracer.higherOrder);
    tracer.unbackedNames = std::move(unknown);
    SubgraphOptions again = options;
    again.writes = Writes::CopiedBack;
    again.sourceOfCall = true;
    return emitChoice(tracer, choice, operands, again);
  }
  const bool writes = options.writes == Writes::CopiedBack;
  const std::string numbered = freshSubgraphName(tracer, choice.name(0) + "_graph");
  const std::string number = numbered.substr(numbered.rfind('_'));
  Values graphs;
  std::vector<std::string> names;
  for (size_t i = 0; i < subs.size(); ++i) {
    if (!writes)
      refuseAliases(subs[i], choice.isCond ? "cond_" + choice.name(i) : "switch_" + choice.name(i));
    names.push_back(writes ? freshSubgraphName(tracer, "auto_functionalized_subgraph")
                           : choice.name(i) + "_graph" + number);
    installSubgraph(tracer, subs[i], names[i]);
  }
  Values outputs;
  tracer.unbackedNames = std::move(unknown);
  for (size_t k = 0; k < subs[0].outputs.size(); ++k) {
    Values of;
    for (const Subgraph& sub : subs) of.push_back(sub.outputs[k]);
    outputs.push_back(mergedOfAll(tracer, of));
  }
  const Value by = innerValue(tracer, choice.by);
  for (const std::string& name : names) graphs.push_back(subgraphReference(tracer, name));
  const std::string target = "torch.ops.higher_order." + choice.op();
  if (writes) {
    std::vector<std::pair<std::string, Value>> arguments = {{choice.isCond ? "pred" : "index", choice.by}};
    for (size_t i = 0; i < graphs.size(); ++i) arguments.emplace_back(choice.name(i) + "_fn", graphs[i]);
    std::vector<std::string> written;
    for (size_t i = 0; i < operands.size(); ++i) {
      arguments.emplace_back("operand" + std::to_string(i), operands[i]);
      if (std::any_of(subs.begin(), subs.end(), [&](const Subgraph& sub) { return sub.mutated[i]; }))
        written.push_back(arguments.back().first);
    }
    return emitWriting(tracer, target, std::move(arguments), std::move(written), outputs);
  }
  const Value in = Value::tuple(innerValues(tracer, operands));
  const Values args = choice.isCond ? Values{by, graphs[0], graphs[1], in} : Values{by, Value(graphs), in};
  return emitHigherOrder(tracer, target, args, {}, outputs);
}

Values choose(Tracer& tracer, const Choice& choice, const Values& operands) {
  Values all = operands;
  all.push_back(choice.by);
  if (!tracer.gradMode || !anyRequiresGrad(tracer, all))
    return emitChoice(tracer, choice, operands, {}, true);
  TapeFunction f;
  const auto kept = std::make_shared<Kept>();
  f.name = choice.isCond ? "CondAutogradOp" : "SwitchAutogradOp";
  f.forward = [&](Tracer& t, const Values&) {
    Values out = emitChoice(t, choice, operands);
    kept->keep(t, operands, false);
    return out;
  };
  f.backward = [choice, kept, name = f.name, n = operands.size()](Tracer& t, const Values& grads) {
    Values in = kept->give(t, name);
    for (const Value& g : grads)
      if (choice.isCond || tensorIn(g)) in.push_back(g);
    SubgraphOptions options;
    options.output = OutputForm::List;
    options.requiresGrad = requiringGrad(t, in);
    // Only tensors are returned: numbers among the operands get no gradient.
    std::vector<size_t> tensors;
    for (size_t i = 0; i < n; ++i)
      if (tensorIn(in[i])) tensors.push_back(i);
    Choice backward = choice;
    for (FlatFunction& branch : backward.branches) {
      // Of what a branch of switch returns only tensors are looked at; cond stumbles over numbers.
      const FlatFunction forward = [branch, all = choice.isCond](Tracer& sub, const Values& inputs) {
        Values out = branch(sub, inputs);
        if (!all) std::erase_if(out, [](const Value& v) { return !tensorIn(v); });
        return out;
      };
      branch = [f = jointFunction(forward, n), tensors](Tracer& sub, const Values& inputs) {
        const Values gradients = f(sub, inputs);
        Values out;
        for (size_t i : tensors) out.push_back(gradients[i]);
        return out;
      };
    }
    const Values found = emitChoice(t, backward, in, options);
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
  const Choice choice{true, predicate, {call.body(call.at(1, "true_fn")), call.body(call.at(2, "false_fn"))}};
  return Value::tuple(choose(call.tracer, choice, operands.isList() ? operands.items() : Values{}));
}

Value runSwitch(const HopCall& call) {
  const Value branches = call.at(1, "branches"), operands = call.at(2, "operands");
  Choice choice{false, call.at(0, "index"), {}};
  if (!tensorIn(choice.by) && !choice.by.isInt())
    throw EvalError("bad-call", "Expected index to be int or single-element tensor, but got " +
                                    choice.by.describe() + ".");
  if (branches.isList())
    for (const Value& b : branches.items()) choice.branches.push_back(call.body(b));
  if (choice.branches.empty())
    throw EvalError("bad-call", "Switch branches must be a non-empty list or tuple of callables");
  return Value::tuple(choose(call.tracer, choice, operands.isList() ? operands.items() : Values{}));
}

}  // namespace descry::passes
