// Tracing: the forward, then the tape backwards, in one graph; or the forward alone.
#include <algorithm>

#include "passes/aot/boundary.h"
#include "passes/aot/hop.h"
#include "passes/aot/random_state.h"

namespace descry::passes {

namespace {

using ir::DescKind;
using ir::Descriptor;

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

/// What was learnt of numbers that depend on data while metadata was collected holds in the trace too.
void adoptNumbers(Tracer& tracer, Meta& meta) {
  for (Ints* list : {&meta.sizes, &meta.strides})
    for (Int& i : *list) {
      if (!i.symbolic() || i.sym->hasHint) continue;
      if (i.sym->facts)
        for (const auto& [symbol, range] : i.sym->facts->ranges)
          tracer.numberFacts->ranges.try_emplace(symbol, range);
      i = ir::eval::symbolicInt(i.sym->expr, i.value, false, tracer.numberFacts);
    }
}

/// Gives an input the history of a tensor that was computed.
void notALeaf(Tracer& tracer, Tensor& t) {
  t.requiresGrad = false;
  const Ref<AutogradNode> history = inputHistory(t.meta);
  tracer.record(history);
  tracer.setGradientEdge(t, {history, 0});
}

TensorRef tokenInput(Tracer& tracer, ir::Graph& graph, const std::string& name, DescKind kind) {
  const ir::NodeId node = graph.addPlaceholder(graph.str(tracer.freshName(name)), tracer.typeOf(tokenMeta()),
                                               graph.context().descriptor(Descriptor::make(kind)));
  if (tracer.facts.size() <= node.index) tracer.facts.resize(node.index + 1);
  return tracer.inner(node, tokenMeta());
}

/// Ops with effects stand as they are called. Where the call itself is one of tokens, they are made on the
/// spot.
void withoutTokens(Tracer& tracer) {
  tracer.effects = {};
  tracer.higherOrder->firstToken = [&tracer] {
    return tracer.inner(
        tracer.emit("torch.ops.prims._make_token.default", {}, {}, tracer.typeOf(tokenMeta())), tokenMeta());
  };
}

/// Values that mutated inputs, the program and its bases return, and who of them gets a gradient.
struct Prepared {
  Values outputs;
  std::vector<Descriptor> descs;
  std::vector<bool> tangentMask;
  Values passed;  ///< what the program got as inputs
};

Prepared prepare(const FlatFunction& f, Tracer& tracer, const Values& primals,
                 const std::vector<AotInput>& inputs, const ViewAndMutationMeta& meta, bool training,
                 bool withBases) {
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
    p.tangentMask.push_back(isOwnOutput(info.type) && info.isTensor && info.requiresGradForBackward);
    if (info.type == OutputType::AliasOfIntermediateSaveAsOutput) {
      bases.push_back(tensorIn(outputs[i])->view->base);
      introducedBy.push_back(static_cast<int64_t>(i));
    }
  }
  if (training && withBases)
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

/// What the plain tensors of the inputs hold now, and how often each input was written.
struct Contents {
  std::vector<std::vector<TensorRef>> values;
  std::vector<uint32_t> writes;
};

Contents contentsOf(Tracer& tracer, const Values& inputs) {
  Contents c;
  for (const Value& v : inputs) {
    std::vector<TensorRef> values;
    uint32_t writes = 0;
    if (Tensor* t = tensorIn(v))
      forEachPlain(*t, [&](Tensor& p) {
        values.push_back(tracer.innerOf(TensorRef(&p)));
        // The memory of a tensor that was given another one counts for that.
        if (!p.storageChanged) writes += p.storage->mutations;
      });
    c.values.push_back(std::move(values));
    c.writes.push_back(writes);
  }
  return c;
}

/// The values in the graph of the plain tensors that a placeholder stands for.
std::vector<TensorRef> plainValues(const Value& v) {
  std::vector<TensorRef> out;
  if (Tensor* t = tensorIn(v)) forEachPlain(*t, [&](Tensor& p) { out.push_back(p.value); });
  return out;
}

std::vector<ir::NodeId> nodesOf(const std::vector<TensorRef>& values) {
  std::vector<ir::NodeId> out;
  for (const TensorRef& t : values) out.push_back(t->node);
  return out;
}

void copyInto(Tracer& tracer, const std::vector<TensorRef>& inputs, const std::vector<TensorRef>& values,
              Phase phase) {
  tracer.phase = phase;
  for (size_t k = 0; k < inputs.size(); ++k)
    tracer.emit("torch.ops.aten.copy_.default", {Value(inputs[k]), Value(values[k])}, {},
                tracer.typeOf(inputs[k]->meta));
}

/// A copy has to fit what it is copied to.
void refuseMisfit(const Ints& from, const Ints& to, uint32_t at) {
  if (from.size() > to.size())
    throw NodeError(EvalError("shape-mismatch", "expand: the requested shape has too few dimensions!"), at);
  for (size_t d = 0; d < from.size(); ++d) {
    const Int& size = to[to.size() - from.size() + d];
    if (!(from[d] == size) && !(from[d] == Int(1)))
      throw NodeError(
          EvalError("shape-mismatch", "expand: attempting to expand a dimension of length " + from[d].str() +
                                          " -> " + size.str() +
                                          "! An input is written under no_grad and has other sizes then, "
                                          "which PyTorch cannot copy back"),
          at);
  }
}

/// The writes to an input that stay in the graph. Returns the copy nodes; none where nothing is copied. `at`
/// is the input in the captured graph.
std::vector<ir::NodeId> writeBack(Tracer& tracer, const std::vector<TensorRef>& values,
                                  const std::vector<TensorRef>& originals, const InputAliasInfo& info,
                                  uint32_t at) {
  std::vector<ir::NodeId> copies;
  if (info.mutationType() != MutationType::MutatedInGraph) return copies;
  tracer.phase = Phase::MustBeForward;
  for (size_t k = 0; k < values.size(); ++k) {
    const TensorRef &now = values[k], &original = originals[k];
    if (info.mutatesStorageMetadata)
      tracer.emit(info.mutationIsShallowCopyData ? "torch.ops.aten.shallow_copy_data_.default"
                                                 : "torch.ops.aten.set_.source_Tensor",
                  {Value(original), Value(now)}, {},
                  tracer.typeOf(info.mutationIsShallowCopyData ? original->meta : now->meta));
    // PyTorch compares wrappers, which are made anew: what they hold is copied even where only some of it is
    // new.
    if (!info.mutatesData || (now == original && values.size() == 1)) continue;
    refuseMisfit(now->meta.sizes, original->meta.sizes, at);
    copies.push_back(tracer.emit("torch.ops.aten.copy_.default", {Value(original), Value(now)}, {},
                                 tracer.typeOf(original->meta)));
  }
  return copies;
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

}  // namespace

void dropDead(ir::Graph& graph, const ir::OpRegistry& ops) {
  graph.eliminateDeadCode([&](ir::NodeId id) {
    const ir::Node& n = graph.node(id);
    return n.op == ir::OpKind::CallFunction && ir::hasEffect(ops, graph.target(id), false);
  });
}

Traced traceJoint(const FlatFunction& f, const std::vector<AotInput>& inputs, const ViewAndMutationMeta& meta,
                  const CapturedFacts& facts, const ir::OpRegistry& ops, const AotOptions& options,
                  const ir::ContextPtr& context, const std::optional<ForwardPicture>& picture) {
  const bool whole = !picture;
  Traced out;
  out.module = std::make_shared<ir::Module>(context);
  out.module->addGraph(whole ? "inner_f" : "forward");
  ir::Graph& graph = out.module->root();
  Tracer tracer(ops, graph, options.decompositions);
  tracer.cancelled = options.cancelled;
  // A token of the backward is an input of its own, found when the first effect is.
  startHigherOrder(
      tracer, [&] { return tokenInput(tracer, graph, "tangents_token", DescKind::BackwardTokenInput); },
      meta.keepInputMutations, facts, options.unknownOps);
  tracer.backwardSource = backwardSources(context);
  tracer.unbacked = meta.unbacked;
  tracer.apartSubclasses = needsSubclassDispatch(meta, inputs);
  tracer.namesAtCapture = facts.equalAtCapture;
  tracer.autocast = facts.autocast;
  Values primals;
  std::vector<std::vector<TensorRef>> originals, tangentNodes;
  std::vector<TensorRef> tangents;
  const size_t tokens = whole || picture->tokens ? meta.tokens.size() : 0;
  if (!tokens && !whole) withoutTokens(tracer);
  Placeholders placeholders(tracer, graph, facts, "primals_", 1 + tokens);
  if (tokens) tracer.higherOrder->token = tokenInput(tracer, graph, "primals_1", DescKind::ForwardTokenInput);
  for (size_t i = 0; i < inputs.size(); ++i) {
    primals.push_back(placeholders.add(inputs[i], inputs[i].requiresGrad));
    out.placeholders.push_back(placeholders.added());
    Tensor* t = tensorIn(primals.back());
    if (t && inputs[i].requiresGrad && !inputs[i].isLeaf) notALeaf(tracer, *t);
    originals.push_back(plainValues(primals.back()));
  }
  joinPieces(primals, inputs);
  Placeholders tangentPlaceholders(tracer, graph, facts, "tangents_", 1);
  for (size_t i = 0; whole && i < meta.tracedTangents.size(); ++i) {
    AotInput t;
    t.meta = meta.tracedTangents[i];
    if (t.meta) adoptNumbers(tracer, *t.meta);
    t.layout = meta.tangentLayouts[i];
    t.descriptor = meta.tracedTangentsDescs[i];
    const Value v = tangentPlaceholders.add(t, false, false);
    tangents.emplace_back(tensorIn(v));
    tangentNodes.push_back(plainValues(v));
  }
  RandomState random(tracer, options, tracer.apartSubclasses);
  random.addForward(graph, "fwd_seed_1", "fwd_base_offset_1");
  if (whole) random.addBackward(graph);
  tracer.source = context->source("# No stacktrace found for following nodes");
  tracer.gradMode = facts.gradMode;
  Prepared p = prepare(f, tracer, primals, inputs, meta, true, whole || picture->bases);
  const TensorRef forwardToken = std::exchange(tracer.higherOrder->token, TensorRef());
  const Contents forward = contentsOf(tracer, primals);
  tracer.gradMode = true;
  random.beginBackward();

  const size_t wantTangents =
      static_cast<size_t>(std::count(p.tangentMask.begin(), p.tangentMask.end(), true));
  if (whole && wantTangents != tangents.size())
    // Merging inputs took tangents away by count.
    throw NodeError(
        EvalError("alias-tangents", "outs_to_grad length (" + std::to_string(wantTangents) +
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
    // Numbers that depend on data are new in each run; those of a tangent are those of its output.
    for (size_t d = 0; d < tm.sizes.size() && d < o->meta.sizes.size(); ++d)
      if (const Int& a = tm.sizes[d], &b = o->meta.sizes[d]; a.symbolic() && !a.sym->hasHint)
        tracer.numberFacts->assume(ir::symRelation(ir::SymRel::Eq, a.expr(), b.expr()));
    if (knownToDiffer(tm.sizes, o->meta.sizes)) try {
        o = TensorRef(tensorIn(tracer.op("view", {Value(o), Value(tm.sizes)})));
      } catch (const EvalError& e) {
        throw NodeError(e, o->view->madeBy);
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
    if (!t || t->isWrapper() || meta.inputInfo[i].mutatesMetadata) continue;
    if ((t->storageChanged && t->value->memory != originals[i][0]->memory) ||
        (t->metadataMutated && !sameLayout(t->value->meta, originals[i][0]->meta)))
      throw NodeError(
          EvalError(
              "reshaped-in-backward",
              "Found a graph input that had its metadata mutated in the backward. This is not supported"),
          t->extras->changedBy != ir::NodeId::kNone ? t->extras->changedBy : inputs[i].programNode);
  }
  for (size_t i = 0; i < primals.size(); ++i)
    if (!meta.inputInfo[i].mutatesData && !meta.inputInfo[i].mutatesStorageMetadata && all.writes[i] > 0) {
      copyInto(tracer, originals[i], all.values[i], Phase::MustBeBackward);
      out.writtenInBackward.push_back(i);
    }
  Values tangentValues;
  for (const TensorRef& t : tangents) tangentValues.emplace_back(t);
  const Contents ofTangents = contentsOf(tracer, tangentValues);
  for (size_t i = 0; i < tangents.size(); ++i)
    // PyTorch tags this copy with neither side, so that it stands in the joint alone.
    if (ofTangents.writes[i] > 0) copyInto(tracer, tangentNodes[i], ofTangents.values[i], Phase::Untold);
  for (size_t i = 0; i < primals.size(); ++i)
    writeBack(tracer, forward.values[i], originals[i], meta.inputInfo[i], inputs[i].programNode);
  for (size_t i = 0; i < primals.size(); ++i)
    if (meta.inputInfo[i].mutationType() == MutationType::MutatedInGraph && all.writes[i] > forward.writes[i])
      copyInto(tracer, originals[i], all.values[i], Phase::MustBeBackward);
  // Only then are outputs brought up to date that the last writes left behind.
  tracer.phase = Phase::Untold;
  Results results, backwardResults;
  if (tokens)
    results.add(ir::Argument(forwardToken->node),
                context->descriptor(Descriptor::make(DescKind::ForwardTokenOutput)));
  for (size_t i = 0; i < p.outputs.size(); ++i) {
    // A returned input that is written in the graph is the input itself.
    std::vector<ir::NodeId> nodes;
    const std::optional<size_t> written = writtenInput(meta, i);
    if (written) nodes = nodesOf(originals[*written]);
    results.add(tracer, p.outputs[i], p.descs[i], written ? &nodes : nullptr);
  }
  for (size_t i = 0; whole && i < inputs.size(); ++i)
    backwardResults.add(tracer, grads[i],
                        asks[i] ? std::optional(*Descriptor::wrap(DescKind::GradOutput, inputs[i].descriptor))
                                : std::nullopt);
  random.finish();
  random.addForwardOffset(results);
  out.numForward = results.arguments.size();
  if (whole) random.addBackwardOffset(backwardResults);
  if (whole && tracer.higherOrder->token)
    backwardResults.add(ir::Argument(tracer.higherOrder->token->node),
                        context->descriptor(Descriptor::make(DescKind::BackwardTokenOutput)));
  results.append(std::move(backwardResults));
  graph.setOutput(ir::Argument::list(std::move(results.arguments)), std::move(results.descs));
  dropDead(graph, ops);
  dedupeNumbers(graph);
  dropDead(graph, ops);
  graph.style.className = whole ? "inner_f" : "forward";
  graph.style.returnForm = ir::ReturnForm::OnePerLine;
  graph.style.signature = whole ? ir::SignatureForm::PytreeExpanded : ir::SignatureForm::Expanded;
  if (whole) {
    graph.style.signatureNames = {"primals", "tangents"};
    if (random.on())
      graph.style.signatureNames.insert(graph.style.signatureNames.end(),
                                        {"fwd_seed", "fwd_base_offset", "bwd_seed", "bwd_base_offset"});
    std::string names;
    for (const std::string& n : graph.style.signatureNames) names += (names.empty() ? "" : ", ") + n;
    graph.style.flattenSource = "[" + names + "], self._in_spec";
    graph.style.outSpec = "self._out_spec";
  }
  out.facts = std::move(tracer.facts);
  out.originalTypes = std::move(tracer.originalTypes);
  for (const auto& [op, what] : tracer.higherOrder->assumed) out.assumed.push_back(what);
  if (whole && !graph.children.empty()) out.goneNames = tracer.goneNames();
  adoptSubgraphs(*out.module, *tracer.higherOrder);
  return out;
}

Traced traceInference(const FlatFunction& f, const std::vector<AotInput>& inputs,
                      const ViewAndMutationMeta& meta, const CapturedFacts& facts, const ir::OpRegistry& ops,
                      const AotOptions& options, const ir::ContextPtr& context,
                      const ForwardPicture& picture) {
  Traced out;
  out.module = std::make_shared<ir::Module>(context);
  out.module->addGraph("<lambda>");
  ir::Graph& graph = out.module->root();
  Tracer tracer(ops, graph, options.decompositions);
  tracer.cancelled = options.cancelled;
  startHigherOrder(tracer, {}, meta.keepInputMutations, facts, options.unknownOps);
  tracer.backwardSource = backwardSources(context);
  tracer.unbacked = meta.unbacked;
  tracer.apartSubclasses = needsSubclassDispatch(meta, inputs);
  tracer.namesAtCapture = facts.equalAtCapture;
  tracer.autocast = facts.autocast;
  Values args;
  std::vector<std::vector<TensorRef>> originals;
  const size_t tokens = picture.tokens ? meta.tokens.size() : 0;
  if (!picture.tokens) withoutTokens(tracer);
  if (tokens) tracer.higherOrder->token = tokenInput(tracer, graph, "arg0_1", DescKind::ForwardTokenInput);
  Placeholders placeholders(tracer, graph, facts, "arg", tokens, "_1");
  for (size_t i = 0; i < inputs.size(); ++i) {
    args.push_back(placeholders.add(inputs[i], inputs[i].requiresGrad));
    out.placeholders.push_back(placeholders.added());
    Tensor* t = tensorIn(args.back());
    if (t && inputs[i].requiresGrad && !inputs[i].isLeaf) notALeaf(tracer, *t);
    originals.push_back(plainValues(args.back()));
  }
  joinPieces(args, inputs);
  RandomState random(tracer, options, tracer.apartSubclasses);
  const size_t behind = graph.placeholders().size();
  random.addForward(graph, "arg" + std::to_string(behind) + "_1", "arg" + std::to_string(behind + 1) + "_1");
  tracer.source = context->source("# No stacktrace found for following nodes");
  // Nothing is differentiated, but where inputs ask for gradients PyTorch records the calls all the same.
  if (std::any_of(inputs.begin(), inputs.end(), [](const AotInput& i) { return i.requiresGrad; })) {
    tracer.gradMode = facts.gradMode;
  } else {
    tracer.gradMode = false;
    tracer.gradModeFixed = true;
  }
  const Prepared p = prepare(f, tracer, args, inputs, meta, false, false);
  Results results;
  tracer.source = {};
  std::vector<std::vector<ir::NodeId>> copies;
  for (size_t i = 0; i < args.size(); ++i)
    copies.push_back(writeBack(tracer, contentsOf(tracer, {args[i]}).values[0], originals[i],
                               meta.inputInfo[i], inputs[i].programNode));
  if (tokens)
    results.add(ir::Argument(tracer.higherOrder->token->node),
                context->descriptor(Descriptor::make(DescKind::ForwardTokenOutput)));
  for (size_t i = 0; i < p.outputs.size(); ++i) {
    const std::optional<size_t> written = writtenInput(meta, i);
    results.add(tracer, p.outputs[i], p.descs[i],
                written && !copies[*written].empty() ? &copies[*written] : nullptr);
  }
  random.finish();
  random.addForwardOffset(results);
  out.numForward = results.arguments.size();
  graph.setOutput(ir::Argument::tuple(std::move(results.arguments)), std::move(results.descs));
  dropDead(graph, ops);
  dedupeNumbers(graph);
  dropDead(graph, ops);
  graph.style.className = "<lambda>";
  graph.style.signature = ir::SignatureForm::Expanded;
  graph.style.returnForm = ir::ReturnForm::OnePerLine;
  out.facts = std::move(tracer.facts);
  for (const auto& [op, what] : tracer.higherOrder->assumed) out.assumed.push_back(what);
  adoptSubgraphs(*out.module, *tracer.higherOrder);
  return out;
}

namespace {
/// Writes the types of tensors of wrapper subclasses: `TwoTensor(f32[3])`. What is computed from one is one.
void nameWrappers(ir::Graph& graph, const std::vector<std::string>& ofPlaceholders) {
  std::vector<std::string> names(graph.idBound());
  size_t placeholder = 0;
  for (const ir::NodeId id : graph.nodes()) {
    std::string& name = names[id.index];
    if (graph.node(id).op == ir::OpKind::Placeholder) {
      if (placeholder < ofPlaceholders.size()) name = ofPlaceholders[placeholder];
      ++placeholder;
    } else if (const SubclassClass* made = findSubclass(graph.target(id))) {
      name = made->name;
    } else if (graph.target(id) != "builtins.getattr") {
      graph.forEachInput(id, [&](ir::NodeId from) {
        if (name.empty()) name = names[from.index];
      });
    }
    const ir::Type& type = graph.type(id);
    if (!name.empty() && type.kind == ir::TypeKind::Tensor)
      graph.setType(id, graph.context().type(name + "(" + type.text + ")"));
  }
}
}  // namespace

Traced traceLowered(const FlatFunction& f, const std::vector<AotInput>& inputs, const CapturedFacts& facts,
                    const ir::OpRegistry& ops, const ir::ContextPtr& context, bool flat) {
  Traced out;
  out.module = std::make_shared<ir::Module>(context);
  out.module->addGraph("lowered");
  ir::Graph& graph = out.module->root();
  Tracer tracer(ops, graph, Decompositions::None);
  startHigherOrder(tracer, {}, true, facts);
  withoutTokens(tracer);
  tracer.keepWrites = true;
  tracer.unbacked = facts.unbacked;
  tracer.autocast = facts.autocast;
  tracer.gradMode = false;
  tracer.gradModeFixed = true;
  Values args;
  Placeholders placeholders(tracer, graph, facts, "arg", 0, "_1");
  tracer.wholeSubclasses = !flat;
  std::vector<std::string> wrappers;  // by placeholder
  for (AotInput i : inputs) {
    if (!flat) {
      wrappers.push_back(i.layout.name);
      i.layout = {};
    }
    args.push_back(placeholders.add(i, i.requiresGrad));
  }
  const Values outputs = f(tracer, args);
  Results results;
  for (size_t i = 0; i < outputs.size(); ++i)
    results.add(tracer, outputs[i], Descriptor::plainOutput(static_cast<int64_t>(i)));
  out.numForward = results.arguments.size();
  graph.setOutput(ir::Argument::tuple(std::move(results.arguments)));
  // The calling convention of AOT graphs, which descriptors tell of, is still to come.
  for (const ir::NodeId p : graph.placeholders()) graph.setDesc(p, {});
  if (!flat) nameWrappers(graph, wrappers);
  graph.style.className = "lowered";
  graph.style.signature = ir::SignatureForm::Expanded;
  graph.style.returnForm = ir::ReturnForm::OnePerLine;
  out.facts = std::move(tracer.facts);
  for (const auto& [op, what] : tracer.higherOrder->assumed) out.assumed.push_back(what);
  adoptSubgraphs(*out.module, *tracer.higherOrder);
  return out;
}

}  // namespace descry::passes
