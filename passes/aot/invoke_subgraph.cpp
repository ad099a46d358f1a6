// invoke_subgraph: a region of the program that is compiled once and called by its identifier.
#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "passes/aot/hop.h"

namespace descry::passes {

namespace {

constexpr std::string_view kTarget = "torch.ops.higher_order.invoke_subgraph";
constexpr std::string_view kNamed = "torch.ops.higher_order.invoke_subgraph.default";

/// How often the module calls each region. A region that several graphs hold is printed with each of them,
/// and is one module: the calls in it count once.
class CallCounter {
 public:
  explicit CallCounter(const ir::Module& module) : module_(module) {}

  HigherOrderState::RegionCounts count() {
    in(module_.root());
    return {&module_, std::move(counts_)};
  }

 private:
  void in(const ir::Graph& g) {
    std::map<std::string_view, std::string_view> regions;  // identifiers by attribute
    for (const ir::NodeId id : g.nodes()) {
      if (g.node(id).op != ir::OpKind::CallFunction || (g.target(id) != kTarget && g.target(id) != kNamed) ||
          g.argCount(id) < 2 || g.arg(id, 1).kind() != ir::ValueKind::Str)
        continue;
      const std::string_view identifier = g.arg(id, 1).text();
      ++counts_[std::string(identifier)];
      if (g.arg(id, 0).kind() == ir::ValueKind::NodeRef)
        regions.emplace(g.target(g.arg(id, 0).node()), identifier);
    }
    for (const ir::Graph::Child& c : g.children) {
      const std::string_view name = g.str(c.attribute);
      const auto region = regions.find(name);
      if (region != regions.end() && !seen_.insert(region->second).second) continue;
      if (const ir::Graph* child = module_.child(g, name)) in(*child);
    }
  }

  const ir::Module& module_;
  std::map<std::string, size_t, std::less<>> counts_;
  std::set<std::string_view> seen_;
};

/// Where a graph that was made before lies in the attributes of another one, `a.b` for an attribute of an
/// attribute. PyTorch walks from each attribute into its own, and into no graph twice.
std::string pathTo(const ir::Graph* wanted, const ir::Graph& in, const HigherOrderState& state,
                   std::set<const ir::Graph*>& seen) {
  for (const ir::Graph::Child& c : in.children) {
    const ir::Graph* child = c.graph > 0 ? state.graphs[c.graph - 1].get() : nullptr;
    if (!child || !seen.insert(child).second) continue;
    const std::string name(in.str(c.attribute));
    if (child == wanted) return name;
    if (const std::string rest = pathTo(wanted, *child, state, seen); !rest.empty()) return name + "." + rest;
  }
  return {};
}

/// The name under which the graph that is being written knows the subgraph; it is made an attribute at first
/// use.
std::string registered(Tracer& tracer, const Subgraph& sub, const std::string& prefix = "repeated_subgraph") {
  std::set<const ir::Graph*> seen;
  const std::string known = pathTo(sub.graph.get(), tracer.graph(), *tracer.higherOrder, seen);
  if (known.find('.') != std::string::npos)
    throw EvalError("nested-region", "'Module' object has no attribute '" + known +
                                         "': PyTorch takes a region that another region or branch has called "
                                         "before from there, which is no attribute of the graph itself");
  if (!known.empty()) return known;
  const std::string name = freshQualifiedName(tracer, prefix);
  installSubgraph(tracer, sub, name);
  return name;
}

/// PyTorch looks at the region again, and gives names to the regions in it, before it finds that it has it.
void noteNumbers(Tracer& tracer, const Subgraph& sub) {
  const std::string stem = "repeated_subgraph";
  for (const ir::Graph::Child& c : sub.graph->children) {
    const std::string_view name = sub.graph->str(c.attribute);
    if (!name.starts_with(stem)) continue;
    size_t number = 0;
    std::from_chars(name.data() + stem.size(), name.data() + name.size(), number);
    tracer.higherOrder->nextNumbers[stem] = number == 0 ? 0 : number + 1;
  }
}

/// A region that writes operands.
Values emitWritingInvoke(Tracer& tracer, const FlatFunction& f, const std::string& identifier,
                         const Values& operands, const std::vector<bool>& mutated);

Values emitInvoke(Tracer& tracer, const FlatFunction& f, const std::string& identifier,
                  const Values& operands, int32_t call = -1, const SubgraphOptions& options = {}) {
  std::shared_ptr<Subgraph> sub;
  if (tracer.recording) sub = tracer.higherOrder->regions[identifier];
  const bool known = sub != nullptr;
  if (!sub) {
    const HigherOrderUndo before(*tracer.higherOrder);
    sub = std::make_shared<Subgraph>(traceSubgraph(tracer, f, operands, options));
    if (writesAny(*sub) && options.writes == Writes::Ignored) {
      before.undo(*tracer.higherOrder);
      return emitWritingInvoke(tracer, f, identifier, operands, sub->mutated);
    }
    if (tracer.recording) tracer.higherOrder->regions[identifier] = sub;
  }
  if (!tracer.recording) return emitHigherOrder(tracer, kTarget, {}, {}, sub->outputs);
  if (known) noteNumbers(tracer, *sub);
  Values args = {subgraphReference(tracer, registered(tracer, *sub)), Value::str(identifier)};
  for (const Value& v : operands) args.push_back(innerValue(tracer, v));
  ir::NodeId made;
  Values out = emitHigherOrder(tracer, kTarget, args, {}, sub->outputs, &made);
  tracer.facts[made.index].call = call;
  return out;
}

Values emitWritingInvoke(Tracer& tracer, const FlatFunction& f, const std::string& identifier,
                         const Values& operands, const std::vector<bool>& mutated) {
  SubgraphOptions options;
  if (!tracer.higherOrder->keepsWrites) {
    options.writes = Writes::Returned;
    Values out = emitInvoke(tracer, f, "functionalized_" + identifier, operands, -1, options);
    size_t at = out.size();
    for (size_t i = operands.size(); i-- > 0;)
      if (mutated[i])
        tracer.replaceContents(TensorRef(tensorIn(operands[i])),
                               tracer.innerOf(TensorRef(tensorIn(out[--at]))));
    out.resize(at);
    return out;
  }
  options.writes = Writes::CopiedBack;
  options.sourceOfCall = true;
  const std::string name = "auto_functionalized_" + identifier;
  std::shared_ptr<Subgraph> sub;
  if (tracer.recording) sub = tracer.higherOrder->regions[name];
  if (!sub) sub = std::make_shared<Subgraph>(traceSubgraph(tracer, f, operands, options));
  if (tracer.recording) tracer.higherOrder->regions[name] = sub;
  const Value graph = subgraphReference(
      tracer, tracer.recording ? registered(tracer, *sub, "auto_functionalized_subgraph_") : std::string());
  std::vector<std::pair<std::string, Value>> arguments = {{"subgraph", graph},
                                                          {"identifier", Value::str(name)}};
  std::vector<std::string> written;
  for (size_t i = 0; i < operands.size(); ++i) {
    arguments.emplace_back("arg" + std::to_string(i), operands[i]);
    if (mutated[i]) written.push_back(arguments.back().first);
  }
  return emitWriting(tracer, kTarget, std::move(arguments), std::move(written), sub->outputs);
}

/// The layout of gradients: a region has one backward per layout.
std::string layoutOf(const Tracer& tracer, const Values& grads) {
  std::string text;
  for (size_t i = 0; i < grads.size(); ++i) {
    const Meta& m = grads[i].meta();
    text += std::string(ir::dtypeInfo(m.dtype).shortName);
    for (const Ints* list : {&m.sizes, &m.strides}) {
      text += '[';
      for (const Int& n : *list) text += n.str() + ",";
      text += ']';
    }
    text += ir::eval::deviceText(m.device);
    for (size_t k = 0; k < i; ++k)
      if (tensorIn(grads[k]) == tensorIn(grads[i])) text += "=" + std::to_string(k);
    text += ';';
  }
  (void)tracer;
  return text;
}

}  // namespace

Value runInvokeSubgraph(const HopCall& call) {
  Tracer& tracer = call.tracer;
  const FlatFunction f = call.body(call.at(0, "subgraph"));
  const Value named = call.at(1, "identifier");
  if (!named.isNone() && named.kind() != VKind::Str)
    throw EvalError("bad-call",
                    "the identifier of invoke_subgraph must be a text, found " + named.describe());
  const std::string identifier = named.isNone() ? "subgraph" : named.text();
  const Values operands = call.rest(2);
  // PyTorch writes a region that is called once in place before AOT autograd sees it.
  const ir::Module& module = call.program.module();
  std::shared_ptr<const HigherOrderState::RegionCounts>& counts = tracer.higherOrder->regionCounts;
  if (!counts || counts->module != &module)
    counts = std::make_shared<const HigherOrderState::RegionCounts>(CallCounter(module).count());
  const auto found = counts->calls.find(identifier);
  if (found != counts->calls.end() && found->second == 1) return Value::tuple(f(tracer, operands));
  const bool any = anyRequiresGrad(tracer, operands);
  const bool differentiable =
      !any || tracer.ofSubgraph ||
      tracer.higherOrder->regionsDifferentiable.try_emplace(identifier, tracer.gradMode).first->second;
  if (!tracer.gradMode || !any) return Value::tuple(emitInvoke(tracer, f, identifier, operands));

  const std::vector<bool> requires_ = requiringGrad(tracer, operands);
  SubgraphOptions look;
  look.record = false;
  look.gradMode = true;
  look.requiresGrad = requires_;
  const Subgraph seen = traceSubgraph(tracer, f, operands, look);
  if (writesAny(seen))
    throw EvalError("hop-mutation",
                    "The invoke_subgraph HigherOrderOperator does not currently support training with "
                    "in-place input or buffer mutations");
  TapeFunction t;
  t.name = "InvokeSubgraphAutogradOp";
  for (size_t i = 0; i < seen.requiresGrad.size(); ++i)
    if (!seen.requiresGrad[i] || !differentiable) t.nonDifferentiable.push_back(i);
  const auto kept = std::make_shared<Kept>();
  const int32_t number = tracer.recording ? tracer.higherOrder->regionCalls++ : 0;
  t.forward = [&](Tracer& tr, const Values&) {
    Values out = emitInvoke(tr, f, "fw_" + identifier, operands, number);
    kept->keep(tr, operands, false);
    return out;
  };
  t.backward = [f, identifier, kept, number, gradients = seen.requiresGrad, n = operands.size()](
                   Tracer& tr, const Values& grads) {
    Values in = kept->give(tr, "InvokeSubgraphAutogradOp"), arriving;
    for (size_t i = 0; i < grads.size(); ++i)
      if (gradients[i] && tensorIn(grads[i])) arriving.push_back(grads[i]);
    std::string suffix = "0";
    if (tr.recording) {
      std::vector<std::string>& known = tr.higherOrder->regionGradients[identifier];
      const std::string layout = layoutOf(tr, arriving);
      const auto found = std::find(known.begin(), known.end(), layout);
      suffix = std::to_string(found - known.begin());
      if (found == known.end()) known.push_back(layout);
    }
    SubgraphOptions options;
    options.requiresGrad = requiringGrad(tr, in);
    in.insert(in.end(), arriving.begin(), arriving.end());
    JointOptions joint;
    joint.allOutputs = false;
    joint.zeros = false;
    joint.clone = CloneGradients::OfInputs;
    joint.withOutputs = true;
    Values out =
        emitInvoke(tr, jointFunction(f, n, joint), "bw_" + identifier + "_" + suffix, in, number, options);
    out.resize(n);
    return out;
  };
  return Value::tuple(applyFunction(tracer, operands, std::move(t)));
}

Value runForeachMap(const HopCall& call) {
  Tracer& tracer = call.tracer;
  const FlatFunction f = call.body(call.at(0, "subgraph"));
  const Values operands = call.rest(1);
  const std::string target(call.target);
  const auto emit = [target](Tracer& t, const FlatFunction& body, const Values& in,
                             const SubgraphOptions& options) {
    const Subgraph sub = traceSubgraph(t, body, in, options);
    const std::string name = freshQualifiedName(t, "subgraph");
    installSubgraph(t, sub, name);
    Values args = {subgraphReference(t, name)};
    for (const Value& v : in) args.push_back(innerValue(t, v));
    return emitHigherOrder(t, target, args, {}, sub.outputs);
  };
  if (!tracer.gradMode || !anyRequiresGrad(tracer, operands))
    return Value::tuple(emit(tracer, f, operands, {}));
  TapeFunction t;
  t.name = "BaseHOPFunction";
  t.forward = [&](Tracer& tr, const Values&) { return emit(tr, f, operands, {}); };
  // Operands are held as they are, not as saved tensors.
  t.backward = [f, emit, operands](Tracer& tr, const Values& grads) {
    Values in = operands;
    SubgraphOptions options;
    options.requiresGrad = requiringGrad(tr, in);
    in.insert(in.end(), grads.begin(), grads.end());
    JointOptions joint;
    joint.zeros = false;
    joint.clone = CloneGradients::OfInputs;
    return emit(tr, jointFunction(f, operands.size(), joint), in, options);
  };
  return Value::tuple(applyFunction(tracer, operands, std::move(t)));
}

}  // namespace descry::passes
