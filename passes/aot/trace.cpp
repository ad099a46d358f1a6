// Tracing: the forward, then the tape backwards, in one graph; or the forward alone.
#include <algorithm>

#include "passes/aot/hop.h"

namespace descry::passes {

namespace {

using ir::DescKind;
using ir::Descriptor;

/// Placeholders of a graph in the order of the inputs.
class Inputs {
 public:
  Inputs(Tracer& tracer, ir::Graph& graph, const CapturedFacts& facts)
      : tracer_(tracer), graph_(graph), facts_(facts) {}

  Value add(const AotInput& i, const std::string& name, bool requiresGrad) {
    ir::TypeId type;
    if (i.meta)
      type = tracer_.typeOf(*i.meta);
    else if (!i.symbol.empty())
      type = graph_.context().type("Sym(" + i.symbol + ")");
    const ir::NodeId node =
        graph_.addPlaceholder(tracer_.freshName(name), type, graph_.context().descriptor(i.descriptor));
    if (tracer_.facts.size() <= node.index) tracer_.facts.resize(node.index + 1);
    if (!i.meta) return i.symbol.empty() ? i.number : symbol(node, i.symbol);
    TensorRef t = tracer_.input(node, *i.meta, requiresGrad);
    return Value(t);
  }

 private:
  Value symbol(ir::NodeId node, const std::string& text) {
    const Int i = intOfText(text, facts_.hints);
    if (!i.symbolic()) return Value(i);
    return tracer_.symbolInput(node, i.sym->expr, i.value, i.sym->hasHint);
  }
  Tracer& tracer_;
  ir::Graph& graph_;
  const CapturedFacts& facts_;
};

std::function<ir::SourceId(ir::SourceId)> backwardSources(const ir::ContextPtr& context) {
  return [context, seen = std::unordered_map<uint32_t, ir::SourceId>()](ir::SourceId forward) mutable {
    if (!forward) return forward;
    const auto [it, fresh] = seen.try_emplace(forward.index);
    if (fresh) {
      const std::string comment(context->str(context->source(forward).comment));
      // `# File: f.py:1 in f, code: x` becomes `# Backward of forward node: File: f.py:1 in f, code: x`.
      std::string text = comment;
      const size_t at = text.rfind("# ");
      if (at != std::string::npos && text.find("Backward of forward node") == std::string::npos)
        text.insert(at + 2, "Backward of forward node: ");
      it->second = context->source(text);
    }
    return it->second;
  };
}

/// Gives an input the history of a tensor that was computed.
void notALeaf(Tracer& tracer, Tensor& t) {
  t.requiresGrad = false;
  const Ref<AutogradNode> history = inputHistory(t.meta);
  tracer.record(history);
  tracer.setGradientEdge(t, {history, 0});
}

TensorRef tokenInput(Tracer& tracer, ir::Graph& graph, const std::string& name, DescKind kind) {
  const ir::NodeId node = graph.addPlaceholder(tracer.freshName(name), tracer.typeOf(tokenMeta()),
                                               graph.context().descriptor(Descriptor::make(kind)));
  if (tracer.facts.size() <= node.index) tracer.facts.resize(node.index + 1);
  return tracer.inner(node, tokenMeta());
}

/// Values that mutated inputs, the program and its bases return, and who of them gets a gradient.
struct Prepared {
  std::vector<Value> outputs;
  std::vector<Descriptor> descs;
  std::vector<bool> tangentMask;
  Values passed;  ///< what the program got as inputs
};

Prepared prepare(const FlatFunction& f, Tracer& tracer, const Values& primals,
                 const std::vector<AotInput>& inputs, const ViewAndMutationMeta& meta, bool training) {
  Prepared p;
  p.passed = primals;
  if (training)
    for (size_t i : meta.mutatedRuntimeIndices()) {
      const InputAliasInfo& info = meta.inputInfo[i];
      if (info.mutatesData && info.requiresGrad)
        p.passed[i] = tracer.op("clone", {primals[i]});
      else if (info.mutatesMetadata)
        p.passed[i] = tracer.op("view", {primals[i], Value(primals[i].meta().sizes)});
    }
  const Values outputs = f(tracer, p.passed);
  if (outputs.size() != meta.outputInfo.size())
    throw EvalError("internal", "the function returns another number of values in its second run");
  for (size_t i : meta.mutatedRuntimeIndices()) {
    const InputAliasInfo& info = meta.inputInfo[i];
    p.outputs.push_back(p.passed[i]);
    p.descs.push_back(*Descriptor::wrap(DescKind::InputMutationOutput, inputs[i].descriptor));
    p.tangentMask.push_back(info.mutatesData && info.requiresGrad);
  }
  std::vector<TensorRef> bases;
  std::vector<int64_t> introducedBy;
  const size_t plain = outputs.size() - meta.numMetadataMutationOutputs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const OutputAliasInfo& info = meta.outputInfo[i];
    p.outputs.push_back(outputs[i]);
    p.descs.push_back(
        i < plain ? Descriptor::plainOutput(static_cast<int64_t>(i))
                  : Descriptor::make(DescKind::MetadataMutationOutput, static_cast<int64_t>(i - plain)));
    const bool own = info.type == OutputType::NonAlias || info.type == OutputType::UnsafeViewAlias ||
                     info.type == OutputType::CustomFunctionView;
    p.tangentMask.push_back(own && info.isTensor && info.requiresGradForBackward);
    if (info.type == OutputType::AliasOfIntermediateSaveAsOutput) {
      bases.push_back(tensorIn(outputs[i])->viewBase);
      introducedBy.push_back(static_cast<int64_t>(i));
    }
  }
  if (training)
    for (size_t b = 0; b < bases.size(); ++b) {
      p.outputs.emplace_back(bases[b]);
      p.descs.push_back(
          *Descriptor::wrap(DescKind::IntermediateBaseOutput, Descriptor::plainOutput(introducedBy[b])));
      p.tangentMask.push_back(true);
    }
  if (training)
    for (const Value& v : p.passed)
      if (Tensor* t = tensorIn(v)) tracer.sync(*t);
  return p;
}

/// What the inputs hold now, and how often they were written.
struct Contents {
  std::vector<TensorRef> values;
  std::vector<uint32_t> writes;
};

Contents contentsOf(Tracer& tracer, const Values& inputs) {
  Contents c;
  for (const Value& v : inputs) {
    Tensor* t = tensorIn(v);
    c.values.push_back(t ? tracer.innerOf(TensorRef(t)) : TensorRef());
    // The memory of a tensor that was given another one counts for that.
    c.writes.push_back(t && !t->storageChanged ? t->storage->mutations : 0);
  }
  return c;
}

void copyInto(Tracer& tracer, const TensorRef& input, const TensorRef& value, Phase phase) {
  tracer.phase = phase;
  tracer.emit("torch.ops.aten.copy_.default", {Value(input), Value(value)}, {}, tracer.typeOf(input->meta));
}

/// The write to an input that stays in the graph. Returns its copy node, where there is one. `at` is the input in the
/// captured graph.
ir::NodeId writeBack(Tracer& tracer, const TensorRef& now, const TensorRef& original, const InputAliasInfo& info,
                     uint32_t at) {
  if (info.mutationType() != MutationType::MutatedInGraph) return {};
  tracer.phase = Phase::MustBeForward;
  if (info.mutatesStorageMetadata)
    tracer.emit(info.mutationIsShallowCopyData ? "torch.ops.aten.shallow_copy_data_.default"
                                               : "torch.ops.aten.set_.source_Tensor",
                {Value(original), Value(now)}, {},
                tracer.typeOf(info.mutationIsShallowCopyData ? original->meta : now->meta));
  if (now == original || !info.mutatesData) return {};
  const Ints &from = now->meta.sizes, &to = original->meta.sizes;
  for (size_t d = 0; d < from.size(); ++d) {
    if (from.size() > to.size())
      throw NodeError(EvalError("shape-mismatch", "expand: the requested shape has too few dimensions!"), at);
    const Int& size = to[to.size() - from.size() + d];
    if (!(from[d] == size) && !(from[d] == Int(1)))
      throw NodeError(EvalError("shape-mismatch", "expand: attempting to expand a dimension of length " + from[d].str() +
                                                      " -> " + size.str() +
                                                      "! An input is written under no_grad and has other sizes then, "
                                                      "which PyTorch cannot copy back"),
                      at);
  }
  return tracer.emit("torch.ops.aten.copy_.default", {Value(original), Value(now)}, {}, tracer.typeOf(original->meta));
}

/// The input of which output `i` of the program is the very object, when that input is written in the graph.
std::optional<size_t> writtenInput(const ViewAndMutationMeta& meta, size_t position) {
  const size_t mutated = meta.mutatedRuntimeIndices().size();
  if (position < mutated || position - mutated >= meta.outputInfo.size()) return std::nullopt;
  const OutputAliasInfo& o = meta.outputInfo[position - mutated];
  if (o.type != OutputType::IsInput || !o.baseIdx ||
      meta.inputInfo[static_cast<size_t>(*o.baseIdx)].mutationType() != MutationType::MutatedInGraph)
    return std::nullopt;
  return static_cast<size_t>(*o.baseIdx);
}

ir::Argument outputArgument(Tracer& tracer, const Value& v) {
  if (Tensor* t = tensorIn(v)) return ir::Argument(tracer.innerOf(TensorRef(t))->node);
  if (v.symbolic()) return ir::Argument(tracer.nodeOfNumber(v));
  switch (v.kind()) {
    case VKind::Int:
      return ir::Argument(v.raw());
    case VKind::Bool:
      return ir::Argument::boolean(v.asBool());
    case VKind::Float:
      return ir::Argument(v.rawReal());
    default:
      return ir::Argument::none();
  }
}

}  // namespace

void dropDead(ir::Graph& graph, const ir::OpRegistry& ops) {
  graph.eliminateDeadCode([&](ir::NodeId id) {
    const ir::Node& n = graph.node(id);
    return n.op == ir::OpKind::CallFunction && ir::hasEffect(ops, graph.target(id), false);
  });
}

Traced traceJoint(const FlatFunction& f, const std::vector<AotInput>& inputs, const ViewAndMutationMeta& meta,
                  const CapturedFacts& facts, const ir::OpRegistry& ops, const AotOptions& options,
                  const ir::ContextPtr& context, JointExtent extent) {
  const bool whole = extent == JointExtent::Whole;
  Traced out;
  out.module = std::make_shared<ir::Module>(context);
  out.module->addGraph(whole ? "inner_f" : "forward");
  ir::Graph& graph = out.module->root();
  Tracer tracer(ops, graph, options.decompositions);
  // A token of the backward is an input of its own, found when the first effect is.
  startHigherOrder(
      tracer, [&] { return tokenInput(tracer, graph, "tangents_token", DescKind::BackwardTokenInput); },
      meta.keepInputMutations);
  tracer.backwardSource = backwardSources(context);
  tracer.unbacked = meta.unbacked;
  Inputs placeholders(tracer, graph, facts);
  Values primals;
  std::vector<TensorRef> originals, tangents, tangentNodes;
  const size_t tokens = meta.tokens.size();
  if (tokens) tracer.higherOrder->token = tokenInput(tracer, graph, "primals_1", DescKind::ForwardTokenInput);
  for (size_t i = 0; i < inputs.size(); ++i) {
    primals.push_back(
        placeholders.add(inputs[i], "primals_" + std::to_string(i + 1 + tokens), inputs[i].requiresGrad));
    Tensor* t = tensorIn(primals.back());
    if (t && inputs[i].requiresGrad && !inputs[i].isLeaf) notALeaf(tracer, *t);
    originals.push_back(t ? t->value : TensorRef());
  }
  for (size_t i = 0; whole && i < meta.tracedTangents.size(); ++i) {
    AotInput t;
    t.meta = meta.tracedTangents[i];
    t.descriptor = meta.tracedTangentsDescs[i];
    tangents.emplace_back(tensorIn(placeholders.add(t, "tangents_" + std::to_string(i + 1), false)));
    tangentNodes.push_back(tangents.back()->value);
  }
  tracer.source = context->source("# No stacktrace found for following nodes");
  tracer.gradMode = facts.gradMode;
  Prepared p = prepare(f, tracer, primals, inputs, meta, true);
  const TensorRef forwardToken = std::exchange(tracer.higherOrder->token, TensorRef());
  const Contents forward = contentsOf(tracer, primals);
  tracer.gradMode = true;

  const size_t wantTangents = static_cast<size_t>(std::count(p.tangentMask.begin(), p.tangentMask.end(), true));
  if (whole && wantTangents != tangents.size())
    // Merging inputs took tangents away by count.
    throw NodeError(EvalError("alias-tangents", "outs_to_grad length (" + std::to_string(wantTangents) +
                                                    ") != tangents length (" + std::to_string(tangents.size()) +
                                                    "): inputs that are one tensor or share memory are written in a "
                                                    "way that PyTorch's AOT autograd cannot follow"),
                    inputs.empty() ? ir::NodeId::kNone : inputs[0].programNode);
  std::vector<TensorRef> outs;
  Values incoming;
  size_t at = 0;
  for (size_t i = 0; whole && i < p.outputs.size(); ++i) {
    if (!p.tangentMask[i]) continue;
    TensorRef o(tensorIn(p.outputs[i]));
    Value g(tangents.at(at++));
    if (!o || !tracer.requiresGrad(*o)) continue;
    const Meta& tm = g.meta();
    if (knownToDiffer(tm.sizes, o->meta.sizes)) try {
        o = TensorRef(tensorIn(tracer.op("view", {Value(o), Value(tm.sizes)})));
      } catch (const EvalError& e) {
        throw NodeError(e, o->madeBy);
      }
    outs.push_back(o);
    incoming.push_back(g);
  }
  std::vector<TensorRef> wanted;
  std::vector<size_t> wantedAt;
  // Not those that the program detached.
  std::vector<bool> asks(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (Tensor* t = tensorIn(primals[i]); t && tracer.requiresGrad(*t)) {
      asks[i] = true;
      wanted.emplace_back(t);
      wantedAt.push_back(i);
    }
  Values grads(inputs.size());
  if (!wanted.empty() && !outs.empty()) {
    tracer.phase = Phase::Backward;
    tracer.gradMode = false;
    const Values found = tracer.backward(outs, incoming, wanted);
    tracer.gradMode = true;
    for (size_t k = 0; k < found.size(); ++k) grads[wantedAt[k]] = found[k];
  }
  tracer.source = {};
  // What is made after the backward belongs to neither part by its place.
  tracer.phase = Phase::Untold;
  // Writes of the backward to inputs that the forward leaves alone, then those of the forward, then those of
  // the backward to the same inputs: one copy cannot stand for both.
  const Contents all = contentsOf(tracer, primals);
  for (size_t i = 0; i < primals.size(); ++i) {
    const Tensor* t = tensorIn(primals[i]);
    const bool reshaped = t && ((t->storageChanged && t->value->memory != originals[i]->memory) ||
                                (t->metadataMutated && !sameLayout(t->value->meta, originals[i]->meta)));
    if (reshaped && !meta.inputInfo[i].mutatesMetadata)
      throw NodeError(EvalError("reshaped-in-backward",
                                "Found a graph input that had its metadata mutated in the backward. This is not supported"),
                      t->changedBy != ir::NodeId::kNone ? t->changedBy : inputs[i].programNode);
  }
  for (size_t i = 0; i < primals.size(); ++i)
    if (!meta.inputInfo[i].mutatesData && !meta.inputInfo[i].mutatesStorageMetadata && all.writes[i] > 0)
      copyInto(tracer, originals[i], all.values[i], Phase::MustBeBackward);
  for (size_t i = 0; i < tangents.size(); ++i)
    if (tangents[i]->storage->mutations > 0)
      // PyTorch tags this copy with neither side, so that it stands in the joint alone.
      copyInto(tracer, tangentNodes[i], tracer.innerOf(tangents[i]), Phase::Untold);
  for (size_t i = 0; i < primals.size(); ++i) 
    writeBack(tracer, forward.values[i], originals[i], meta.inputInfo[i], inputs[i].programNode);
  for (size_t i = 0; i < primals.size(); ++i)
    if (meta.inputInfo[i].mutationType() == MutationType::MutatedInGraph && all.writes[i] > forward.writes[i])
      copyInto(tracer, originals[i], all.values[i], Phase::MustBeBackward);
  // Only then are outputs brought up to date that the last writes left behind.
  tracer.phase = Phase::Untold;
  std::vector<ir::Argument> results;
  std::vector<ir::DescId> descs;
  if (tokens) {
    results.emplace_back(forwardToken->node);
    descs.push_back(context->descriptor(Descriptor::make(DescKind::ForwardTokenOutput)));
  }
  for (size_t i = 0; i < p.outputs.size(); ++i) {
    // A returned input that is written in the graph is the input itself.
    const std::optional<size_t> written = writtenInput(meta, i);
    results.push_back(written ? ir::Argument(originals[*written]->node)
                              : outputArgument(tracer, p.outputs[i]));
    descs.push_back(context->descriptor(p.descs[i]));
  }
  out.numForward = results.size();
  for (size_t i = 0; whole && i < inputs.size(); ++i) {
    results.push_back(outputArgument(tracer, grads[i]));
    if (asks[i])
      descs.push_back(context->descriptor(*Descriptor::wrap(DescKind::GradOutput, inputs[i].descriptor)));
    else
      descs.push_back(context->descriptor("None"));
  }
  if (tracer.higherOrder->token) {
    results.emplace_back(tracer.higherOrder->token->node);
    descs.push_back(context->descriptor(Descriptor::make(DescKind::BackwardTokenOutput)));
  }
  graph.setOutput(ir::Argument::list(std::move(results)), std::move(descs));
  dropDead(graph, ops);
  graph.style.className = whole ? "inner_f" : "forward";
  graph.style.returnForm = ir::ReturnForm::OnePerLine;
  graph.style.signature = whole ? ir::SignatureForm::PytreeExpanded : ir::SignatureForm::Expanded;
  if (whole) {
    graph.style.signatureNames = {"primals", "tangents"};
    graph.style.flattenSource = "[primals, tangents], self._in_spec";
    graph.style.outSpec = "self._out_spec";
  }
  out.facts = std::move(tracer.facts);
  adoptSubgraphs(*out.module, *tracer.higherOrder);
  return out;
}

Traced traceInference(const FlatFunction& f, const std::vector<AotInput>& inputs,
                      const ViewAndMutationMeta& meta, const CapturedFacts& facts, const ir::OpRegistry& ops,
                      const AotOptions& options, const ir::ContextPtr& context) {
  Traced out;
  out.module = std::make_shared<ir::Module>(context);
  out.module->addGraph("<lambda>");
  ir::Graph& graph = out.module->root();
  Tracer tracer(ops, graph, options.decompositions);
  startHigherOrder(tracer, {}, meta.keepInputMutations);
  tracer.backwardSource = backwardSources(context);
  tracer.unbacked = meta.unbacked;
  Inputs placeholders(tracer, graph, facts);
  Values args;
  std::vector<TensorRef> originals;
  const size_t tokens = meta.tokens.size();
  if (tokens) tracer.higherOrder->token = tokenInput(tracer, graph, "arg0_1", DescKind::ForwardTokenInput);
  for (size_t i = 0; i < inputs.size(); ++i) {
    args.push_back(
        placeholders.add(inputs[i], "arg" + std::to_string(i + tokens) + "_1", inputs[i].requiresGrad));
    Tensor* t = tensorIn(args.back());
    if (t && inputs[i].requiresGrad && !inputs[i].isLeaf) notALeaf(tracer, *t);
    originals.push_back(t ? t->value : TensorRef());
  }
  tracer.source = context->source("# No stacktrace found for following nodes");
  // Nothing is differentiated, but where inputs ask for gradients PyTorch records the calls all the same.
  if (std::any_of(inputs.begin(), inputs.end(), [](const AotInput& i) { return i.requiresGrad; })) {
    tracer.gradMode = facts.gradMode;
  } else {
    tracer.gradMode = false;
    tracer.gradModeFixed = true;
  }
  const Prepared p = prepare(f, tracer, args, inputs, meta, false);
  std::vector<ir::Argument> results;
  std::vector<ir::DescId> descs;
  tracer.source = {};
  std::vector<ir::NodeId> copies(args.size());
  for (size_t i = 0; i < args.size(); ++i)
    if (Tensor* t = tensorIn(args[i]))
      copies[i] = writeBack(tracer, tracer.innerOf(TensorRef(t)), originals[i], meta.inputInfo[i], inputs[i].programNode);
  if (tokens) {
    results.emplace_back(tracer.higherOrder->token->node);
    descs.push_back(context->descriptor(Descriptor::make(DescKind::ForwardTokenOutput)));
  }
  for (size_t i = 0; i < p.outputs.size(); ++i) {
    const std::optional<size_t> written = writtenInput(meta, i);
    results.push_back(written && copies[*written].valid() ? ir::Argument(copies[*written])
                                                          : outputArgument(tracer, p.outputs[i]));
    descs.push_back(context->descriptor(p.descs[i]));
  }
  out.numForward = results.size();
  graph.setOutput(ir::Argument::tuple(std::move(results)), std::move(descs));
  dropDead(graph, ops);
  graph.style.className = "<lambda>";
  graph.style.signature = ir::SignatureForm::Expanded;
  graph.style.returnForm = ir::ReturnForm::OnePerLine;
  out.facts = std::move(tracer.facts);
  adoptSubgraphs(*out.module, *tracer.higherOrder);
  return out;
}

Traced traceLowered(const FlatFunction& f, const std::vector<AotInput>& inputs, const CapturedFacts& facts,
                    const ir::OpRegistry& ops, const ir::ContextPtr& context) {
  Traced out;
  out.module = std::make_shared<ir::Module>(context);
  out.module->addGraph("lowered");
  ir::Graph& graph = out.module->root();
  Tracer tracer(ops, graph, Decompositions::None);
  startHigherOrder(
      tracer,
      [&] {
        return tracer.inner(
            tracer.emit("torch.ops.prims._make_token.default", {}, {}, tracer.typeOf(tokenMeta())),
            tokenMeta());
      },
      true);
  tracer.effects = {};  // ops with effects stand without tokens
  tracer.keepWrites = true;
  tracer.unbacked = facts.unbacked;
  tracer.gradMode = false;
  tracer.gradModeFixed = true;
  Inputs placeholders(tracer, graph, facts);
  Values args;
  for (size_t i = 0; i < inputs.size(); ++i)
    args.push_back(placeholders.add(inputs[i], "arg" + std::to_string(i) + "_1", inputs[i].requiresGrad));
  const Values outputs = f(tracer, args);
  std::vector<ir::Argument> results;
  for (const Value& v : outputs) results.push_back(outputArgument(tracer, v));
  out.numForward = results.size();
  graph.setOutput(ir::Argument::tuple(std::move(results)));
  // The calling convention of AOT graphs, which descriptors tell of, is still to come.
  for (const ir::NodeId p : graph.placeholders()) graph.setDesc(p, {});
  graph.style.className = "lowered";
  graph.style.signature = ir::SignatureForm::Expanded;
  graph.style.returnForm = ir::ReturnForm::OnePerLine;
  out.facts = std::move(tracer.facts);
  adoptSubgraphs(*out.module, *tracer.higherOrder);
  return out;
}

}  // namespace descry::passes
