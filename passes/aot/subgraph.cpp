// Subgraphs of higher-order ops: traced by a tracer of their own, owned by the graph that calls them.
#include <algorithm>
#include <charconv>
#include <set>

#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"
#include "passes/aot/boundary.h"
#include "passes/aot/hop.h"
#include "passes/partition/extract.h"

namespace descry::passes {

namespace {

Int rebased(const Int& i) {
  if (!i.symbolic()) return i;
  auto s = make<ir::eval::Symbolic>(*i.sym);
  s->node = ir::NodeId::kNone;
  return Int(i.value, s);
}

Value rebasedNumber(const Value& v) {
  if (!v.symbolic()) return v;
  if (v.isInt()) return Value(rebased(v.toInt()));
  if (v.kind() != VKind::Float) return v;
  auto s = make<ir::eval::Symbolic>(*v.sym());
  s->node = ir::NodeId::kNone;
  return Value::symFloat(s);
}

}  // namespace

Meta rebased(const Meta& meta) {
  Meta m = meta;
  for (Int& i : m.sizes) i = rebased(i);
  for (Int& i : m.strides) i = rebased(i);
  m.offset = rebased(m.offset);
  return m;
}

Value metaValue(const Meta& meta) {
  auto t = make<Tensor>();
  t->meta = rebased(meta);
  return Value(TensorRef(t));
}

Value rowOf(const Value& tensor) {
  Meta m = tensor.meta();
  if (m.sizes.empty())
    throw EvalError("shape-mismatch", "a tensor without dimensions cannot be walked along its first one");
  m.sizes.erase(m.sizes.begin());
  m.strides = ir::eval::contiguousStrides(m.sizes);
  m.offset = 0;
  return metaValue(m);
}

Values rowsOf(const Values& tensors) {
  Values out;
  for (const Value& v : tensors) out.push_back(rowOf(v));
  return out;
}

void append(Values& to, const Values& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Value stacked(const Value& row, const Int& rows) {
  Meta m = row.meta();
  m.sizes.insert(m.sizes.begin(), rows);
  m.strides = ir::eval::contiguousStrides(m.sizes);
  m.offset = 0;
  return metaValue(m);
}

bool writesAny(const Subgraph& sub) {
  return std::any_of(sub.mutated.begin(), sub.mutated.end(), [](bool b) { return b; });
}

void refuseAliases(const Subgraph& sub, const std::string& name) {
  if (writesAny(sub)) throw EvalError("hop-mutation", name + " might be modifying the input!");
  if (sub.sharedOutputs || std::any_of(sub.aliases.begin(), sub.aliases.end(), [](int a) { return a >= 0; }))
    throw EvalError("hop-alias", name + " might be aliasing the input or the output!");
}

void refuseOtherMeta(const Values& handed, const Values& returned, const std::string& before,
                     const std::string& after, bool strides) {
  const auto list = [](const Ints& ints) {
    std::string out;
    for (const Int& i : ints) out += (out.empty() ? "" : ", ") + i.str();
    return "[" + out + "]";
  };
  std::string differ;
  for (size_t i = 0; i < handed.size() && i < returned.size(); ++i) {
    std::string how;
    const auto field = [&](const char* name, const std::string& a, const std::string& b) {
      how += (how.empty() ? "'" : ", '") + std::string(name) + ": " + a + " vs " + b + "'";
    };
    if (!tensorIn(handed[i]) || !tensorIn(returned[i])) {
      if (tensorIn(handed[i]) || tensorIn(returned[i]))
        field("type", handed[i].describe(), returned[i].describe());
    } else {
      const Meta &a = handed[i].meta(), &b = returned[i].meta();
      if (knownToDiffer(a.sizes, b.sizes)) field("shape", list(a.sizes), list(b.sizes));
      if (a.dtype != b.dtype)
        field("dtype", std::string(ir::dtypeInfo(a.dtype).torchName),
              std::string(ir::dtypeInfo(b.dtype).torchName));
      if (strides && how.empty() && knownToDiffer(a.strides, b.strides))
        field("stride", list(a.strides), list(b.strides));
    }
    if (!how.empty()) differ += "; pair[" + std::to_string(i) + "] differ in " + how;
  }
  if (!differ.empty())
    throw EvalError("loop-carry", "Expected " + before + " and " + after +
                                      " to have same metadata but found" + differ.replace(0, 1, ":"));
}

Value innerValue(Tracer& tracer, const Value& v) {
  if (Tensor* t = tensorIn(v)) return Value(tracer.innerOf(TensorRef(t)));
  if (v.isList()) return Value(innerValues(tracer, v.items()), v.kind());
  return v;
}

Values innerValues(Tracer& tracer, const Values& values) {
  Values out;
  for (const Value& v : values) out.push_back(innerValue(tracer, v));
  return out;
}

namespace {
/// What a checkpoint inside says of its nodes is written to their sources: the cut of a nested region reads
/// it there.
void noteCheckpoints(const Tracer& tracer, ir::Graph& graph) {
  for (const ir::NodeId id : graph.nodes()) {
    if (id.index >= tracer.facts.size() || !tracer.facts[id.index].recompute) continue;
    NodeRole role;
    role.recompute = static_cast<RecomputePolicy>(tracer.facts[id.index].recompute);
    role.region = static_cast<int32_t>(tracer.facts[id.index].region);
    const ir::Node& n = graph.node(id);
    graph.setSource(id, partition::rewrittenSource(graph.context(), n.source, role, false),
                    n.flags & ir::kNodeStartsSource);
  }
}
}  // namespace

Subgraph traceSubgraph(Tracer& parent, const FlatFunction& f, const Values& operands,
                       const SubgraphOptions& options) {
  Subgraph out;
  // A graph of its own costs about as much as some hundred calls, and branches in branches are many.
  parent.countCall(200);
  out.graph = std::make_shared<ir::Graph>(parent.graph().contextPtr(), "forward");
  ir::Graph& graph = *out.graph;
  Tracer tracer(parent.ops(), graph, parent.decompositions);
  tracer.lazyNumbers = false;
  tracer.recording = parent.recording && options.record;
  tracer.higherOrder = parent.higherOrder;
  tracer.calls = parent.calls;
  tracer.cancelled = parent.cancelled;
  tracer.ofSubgraph = true;
  if (parent.effects) orderEffects(tracer);
  tracer.backwardSource = parent.backwardSource;
  tracer.source = parent.source;
  tracer.phase = parent.phase;
  tracer.gradMode = options.gradMode;
  tracer.belowAutograd = !options.gradMode;
  tracer.copyViews = options.copyViews;
  tracer.unbacked = parent.unbacked;
  tracer.autocast = parent.autocast;
  tracer.functionalRandom = parent.functionalRandom;
  Values inputs;
  std::vector<Ref<FunctionalStorage>> storages;
  std::vector<TensorRef> originals;
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string name = "arg" + std::to_string(i) + "_1";
    const Value& v = operands[i];
    ir::NodeId node{0};
    const bool tensor = tensorIn(v) != nullptr;
    const Meta m = tensor ? rebased(v.meta()) : Meta{};
    if (tracer.recording)
      node = graph.addPlaceholder(graph.str(tracer.freshName(name)),
                                  tensor         ? tracer.typeOf(m)
                                  : v.symbolic() ? tracer.typeOf(v)
                                                 : ir::TypeId{},
                                  {});
    if (tensor) {
      const TensorRef t = tracer.input(node, m, i < options.requiresGrad.size() && options.requiresGrad[i]);
      storages.push_back(t->storage);
      originals.push_back(t->value);
      inputs.emplace_back(t);
      continue;
    }
    storages.emplace_back();
    originals.emplace_back();
    if (v.symbolic() && v.isInt()) {
      inputs.push_back(tracer.symbolInput(node, v.sym()->expr, v.raw(), v.sym()->hasHint));
    } else if (v.symbolic()) {
      Value number = rebasedNumber(v);
      number.sym()->node = node.index;
      inputs.push_back(number);
    } else {
      inputs.push_back(v);
    }
  }
  tracer.sourceFixed = parent.sourceFixed || options.sourceOfCall;
  Values results = f(tracer, inputs);
  parent.unbacked = tracer.unbacked;
  for (const Ref<FunctionalStorage>& s : storages) out.mutated.push_back(s && s->mutations > 0);
  if (options.writes == Writes::Returned)
    for (size_t i = 0; i < inputs.size(); ++i)
      if (out.mutated[i]) results.push_back(inputs[i]);
  std::set<const void*> returned;
  for (const Value& v : results) {
    Tensor* t = tensorIn(v);
    int alias = -1;
    if (t) {
      tracer.sync(*t);
      for (size_t i = 0; i < storages.size(); ++i)
        if (storages[i] && storages[i].get() == t->storage.get()) alias = static_cast<int>(i);
      for (const void* memory :
           {static_cast<const void*>(t->storage.get()), static_cast<const void*>(t->value.get())})
        out.sharedOutputs = !returned.insert(memory).second || out.sharedOutputs;
    }
    out.aliases.push_back(alias);
    out.requiresGrad.push_back(t && tracer.requiresGrad(*t));
    out.outputs.push_back(t ? metaValue(t->meta) : rebasedNumber(v));
  }
  if (!tracer.recording) return out;
  if (options.writes == Writes::CopiedBack)
    for (size_t i = 0; i < inputs.size(); ++i)
      if (out.mutated[i]) {
        const Meta& m = inputs[i].meta();
        tracer.emit("torch.ops.aten.copy_.default", {Value(originals[i]), innerValue(tracer, inputs[i])}, {},
                    tracer.typeOf(m));
      }
  std::vector<ir::Argument> items;
  tracer.source = {};
  for (const Value& v : results) items.push_back(argumentOf(tracer, v));
  if (options.output == OutputForm::Single && items.size() != 1)
    throw EvalError("subgraph-outputs", "a function of one result returns " + std::to_string(items.size()));
  graph.setOutput(options.output == OutputForm::Single ? items[0]
                  : options.output == OutputForm::List ? ir::Argument::list(std::move(items))
                                                       : ir::Argument::tuple(std::move(items)));
  noteCheckpoints(tracer, graph);
  if (!options.keepDead) dropDead(graph, parent.ops());
  dedupeNumbers(graph);
  return out;
}

void adoptSubgraphs(ir::Module& module, HigherOrderState& state) {
  for (const std::shared_ptr<ir::Graph>& g : state.graphs) module.graphs.push_back(std::move(*g));
  state.graphs.clear();
  state.positions.clear();
  // A region that several graphs call is one while they are traced. In a module each graph has its own, as it
  // is printed.
  std::vector<bool> held(module.graphs.size());
  std::vector<uint32_t> open = {0};
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    for (size_t k = 0; k < module.graphs[at].children.size(); ++k) {
      uint32_t child = module.graphs[at].children[k].graph;
      if (held[child]) {
        module.graphs.push_back(module.graphs[child]);
        held.push_back(false);
        child = static_cast<uint32_t>(module.graphs.size()) - 1;
        module.graphs[at].children[k].graph = child;
      }
      held[child] = true;
      module.graphs[child].parent = at;
      open.push_back(child);
    }
  }
}

namespace {
/// The first of `stem`0, `stem`1, ... from `from` on that names no subgraph yet.
size_t freshNumber(const ir::Graph& graph, const std::string& stem, size_t from) {
  // One look at the names that are taken: a program may have thousands of them.
  std::vector<bool> taken(graph.children.size() + 1);
  for (const ir::Graph::Child& c : graph.children) {
    const std::string_view name = graph.str(c.attribute);
    if (!name.starts_with(stem)) continue;
    size_t number = 0;
    const char* end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + stem.size(), end, number);
    if (read.ec == std::errc() && read.ptr == end && number < taken.size()) taken[number] = true;
  }
  if (from >= taken.size()) return from;
  return static_cast<size_t>(
      std::find(taken.begin() + static_cast<std::ptrdiff_t>(from), taken.end(), false) - taken.begin());
}
}  // namespace

std::string freshSubgraphName(Tracer& parent, const std::string& prefix) {
  return prefix + "_" + std::to_string(freshNumber(parent.graph(), prefix + "_", 0));
}

std::string freshQualifiedName(Tracer& parent, const std::string& stem) {
  size_t number = freshNumber(parent.graph(), stem, 0);
  if (parent.recording) {
    size_t& next = parent.higherOrder->nextNumbers[stem];
    if (number != 0) number = freshNumber(parent.graph(), stem, next);
    next = number == 0 ? 0 : number + 1;
  }
  return stem + std::to_string(number);
}

void installSubgraph(Tracer& parent, const Subgraph& sub, const std::string& name) {
  if (!parent.recording) return;
  auto& graphs = parent.higherOrder->graphs;
  const auto [known, fresh] =
      parent.higherOrder->positions.emplace(sub.graph.get(), static_cast<uint32_t>(graphs.size()));
  const uint32_t index = known->second + 1;
  if (fresh) {
    sub.graph->name = name;
    sub.graph->style.className = name;
    graphs.push_back(sub.graph);
  }
  parent.graph().children.push_back({parent.graph().context().intern(name), index});
}

Value subgraphReference(Tracer& tracer, const std::string& name) {
  auto holder = make<Tensor>();
  holder->node = {0};
  if (tracer.recording) holder->node = tracer.emitAttribute(name, {});
  return Value(TensorRef(holder));
}

Values emitHigherOrder(Tracer& tracer, std::string_view target, const Values& args,
                       const std::vector<std::pair<std::string, Value>>& keywords, const Values& outputs,
                       ir::NodeId* made) {
  const ir::NodeId node = tracer.emit(target, args, keywords, {});
  if (made) *made = node;
  const std::function<Value(const Value&)> fresh = [&](const Value& v) {
    if (tensorIn(v)) return metaValue(v.meta());
    if (!v.isList()) return rebasedNumber(v);
    Values items;
    for (const Value& i : v.items()) items.push_back(fresh(i));
    return Value(std::move(items), v.kind());
  };
  const std::function<Value(const Value&)> outer = [&](const Value& v) {
    if (tensorIn(v)) return Value(tracer.wrap(TensorRef(tensorIn(v))));
    if (!v.isList()) return v;
    Values items;
    for (const Value& i : v.items()) items.push_back(outer(i));
    return Value(std::move(items), v.kind());
  };
  return outer(tracer.track(node, fresh(Value::tuple(outputs)))).items();
}

Values emitWriting(Tracer& tracer, std::string_view target,
                   std::vector<std::pair<std::string, Value>> arguments, std::vector<std::string> written,
                   const Values& outputs) {
  MutableCall call;
  call.op = target;
  std::string description(target);
  for (const auto& [name, v] : arguments) description += " " + name + (tensorIn(v) ? ":t" : ":n");
  for (const std::string& w : written) description += " " + w;
  description += " " + std::to_string(outputs.size());
  call.arguments = std::move(arguments);
  call.written = std::move(written);
  for (const Value& v : outputs) call.results.push_back(tensorIn(v) ? metaValue(v.meta()) : rebasedNumber(v));
  auto& schemas = tracer.higherOrder->schemas;
  const ir::Graph* graph = &tracer.graph();
  std::string& schema = schemas[{graph, description}];
  if (schema.empty()) {
    const auto known =
        std::count_if(schemas.begin(), schemas.end(), [&](const auto& s) { return s.first.first == graph; });
    schema = "_tree_spec_constant" + std::to_string(known - 1);
  }
  call.schema = schema;
  return tracer.autoFunctionalized(call).items();
}

FlatFunction jointFunction(FlatFunction f, size_t operands, JointOptions options) {
  return [f = std::move(f), operands, options](Tracer& t, const Values& in) {
    const Values primals(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(operands));
    const Values tangents(in.begin() + static_cast<std::ptrdiff_t>(operands), in.end());
    const bool was = std::exchange(t.gradMode, true), wasBelow = std::exchange(t.belowAutograd, false);
    const Values outputs = f(t, primals);
    std::vector<TensorRef> from, wanted;
    Values incoming;
    std::vector<size_t> wantedAt;
    size_t next = 0;
    for (const Value& v : outputs) {
      Tensor* o = tensorIn(v);
      // PyTorch makes all floating-point outputs require a gradient, and takes a number for its own truth.
      if (options.allOutputs && v.isInt() && (v.symbolic() || v.raw() != 0)) ++next;
      if (!o || (!t.requiresGrad(*o) && (!options.allOutputs || !ir::eval::isFloating(o->meta.dtype))))
        continue;
      const Value g = next < tangents.size() ? tangents[next] : Value();
      ++next;
      if (!tensorIn(g) || !t.requiresGrad(*o)) continue;
      TensorRef from1(o);
      const Meta& m = g.meta();
      if (knownToDiffer(m.sizes, o->meta.sizes))
        from1 = TensorRef(tensorIn(t.op("view", {v, Value(m.sizes)})));
      from.push_back(from1);
      incoming.push_back(g);
    }
    if (options.allOutputs && next != tangents.size())
      throw EvalError("hop-tangents", "outs_to_grad length (" + std::to_string(next) +
                                          ") != tangents length (" + std::to_string(tangents.size()) +
                                          "): a function whose gradient is asked for returns something that "
                                          "has none");
    for (size_t i = 0; i < primals.size(); ++i)
      if (Tensor* p = tensorIn(primals[i]); p && t.requiresGrad(*p)) {
        wanted.emplace_back(p);
        wantedAt.push_back(i);
      }
    t.gradMode = false;
    Values grads(primals.size());
    if (!from.empty() && !wanted.empty()) {
      const Values found = t.backward(from, incoming, wanted);
      for (size_t k = 0; k < found.size(); ++k) grads[wantedAt[k]] = found[k];
    }
    if (options.zeros)
      for (size_t i = 0; i < primals.size(); ++i)
        if (tensorIn(primals[i]) && grads[i].isNone())
          grads[i] = t.op("zeros_like", {primals[i]}, {{"pin_memory", Value::boolean(false)}});
    Values out = grads;
    if (options.withOutputs) out.insert(out.end(), outputs.begin(), outputs.end());
    if (options.clone != CloneGradients::No) {
      const bool all = options.clone == CloneGradients::All;
      std::vector<const FunctionalStorage*> seen;
      for (const Value& v : in)
        if (Tensor* x = tensorIn(v)) seen.push_back(x->storage.get());
      for (size_t i = 0; i < (all ? primals.size() : out.size()); ++i) {
        Tensor* x = tensorIn(out[i]);
        if (!x) continue;
        if (std::find(seen.begin(), seen.end(), x->storage.get()) != seen.end())
          out[i] = t.op("clone", {out[i]});
        if (all) seen.push_back(tensorIn(out[i])->storage.get());
      }
    }
    t.gradMode = was;
    t.belowAutograd = wasBelow;
    return out;
  };
}

}  // namespace descry::passes
