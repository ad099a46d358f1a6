// Metadata collection: runs the function once without writing a graph, and looks at its inputs and outputs
// afterwards.
#include <algorithm>
#include <unordered_map>

#include "ir/ops/eval/strides.h"
#include "passes/aot/hop.h"

namespace descry::passes {

namespace {

struct InputHistoryNode : AutogradNode {
  std::string name() const override { return "input"; }
  Values apply(Tracer&, Values, const std::vector<bool>&) override { return {}; }
};

}  // namespace

bool sameLayout(const Meta& a, const Meta& b) {
  return a.sizes.size() == b.sizes.size() && std::equal(a.sizes.begin(), a.sizes.end(), b.sizes.begin()) &&
         a.strides.size() == b.strides.size() &&
         std::equal(a.strides.begin(), a.strides.end(), b.strides.begin()) && a.offset == b.offset;
}

Ref<AutogradNode> inputHistory(const Meta& meta) {
  auto n = make<InputHistoryNode>();
  n->inputs = {Tracer::gradMeta(meta)};
  return n;
}

Meta tangentMeta(const Meta& value) {
  Meta t = value;
  t.offset = 0;
  const auto known = [](const Ints& list) {
    return std::none_of(list.begin(), list.end(), [](const Int& i) { return i.symbolic(); });
  };
  bool overlaps = false;
  for (size_t d = 0; d < value.sizes.size(); ++d)
    overlaps = overlaps || (value.strides[d] == Int(0) && Int(1) < value.sizes[d]);
  if (!known(value.sizes) || !known(value.strides) || overlaps || value.numel() == Int(0))
    t.strides = ir::eval::stridesFor(value.sizes, ir::eval::suggestFormat(value));
  return t;
}

ViewAndMutationMeta collectMetadata(const FlatFunction& f, const std::vector<AotInput>& inputs,
                                    const CapturedFacts& facts, const ir::OpRegistry& ops,
                                    const AotOptions& options, const ir::ContextPtr& context) {
  ir::Graph scratch(context, "metadata");
  Tracer tracer(ops, scratch, Decompositions::None);
  tracer.recording = false;
  tracer.gradMode = facts.gradMode;
  tracer.unbacked = facts.unbacked;
  startHigherOrder(tracer, [&] { return tracer.inner({}, tokenMeta()); }, options.keepInputMutations);
  Values args;
  std::vector<uint64_t> memories;  ///< of the inputs before the run
  std::unordered_map<std::string, uint64_t> known;
  for (const AotInput& i : inputs) {
    if (!i.meta) {
      args.push_back(i.symbol.empty() ? i.number : Value(intOfText(i.symbol, facts.hints)));
      memories.push_back(0);
      continue;
    }
    if (i.sameAs) {
      args.push_back(args[*i.sameAs]);
      memories.push_back(memories[*i.sameAs]);
      continue;
    }
    TensorRef t = tracer.input({}, *i.meta, i.requiresGrad && i.isLeaf);
    if (i.requiresGrad && !i.isLeaf) {
      const Ref<AutogradNode> history = inputHistory(*i.meta);
      tracer.record(history);
      tracer.setGradientEdge(*t, {history, 0});
    }
    const size_t at = memories.size();
    if (at < facts.inputs.size() && !facts.inputs[at].storage.empty())
      t->value->memory = known.try_emplace(facts.inputs[at].storage, t->value->memory).first->second;
    memories.push_back(t->value->memory);
    args.emplace_back(t);
  }
  const Values outputs = f(tracer, args);

  ViewAndMutationMeta meta;
  meta.keepInputMutations = options.keepInputMutations;
  meta.unbacked = tracer.unbacked;
  if (tracer.higherOrder->token) meta.tokens = {"ORDERED"};
  if (tracer.gradMode != facts.gradMode) {
    meta.gradEnabledMutation = tracer.gradMode;
    tracer.gradMode = facts.gradMode;
  }
  std::unordered_map<uint64_t, int64_t> inputOfGroup;
  std::unordered_map<Tensor*, size_t> inputObjects;
  for (size_t i = 0; i < inputs.size(); ++i) {
    InputAliasInfo info;
    info.keepInputMutations = options.keepInputMutations;
    info.isLeaf = inputs[i].meta && inputs[i].isLeaf;
    if (Tensor* t = tensorIn(args[i])) {
      // Of the memory that it has in the end, which may be that of another input.
      const FunctionalStorage& s = *t->storage;
      info.mutatesData = s.generation > 0;
      info.mutationIsShallowCopyData = t->dataReplaced;
      // By the memory of the value: that of an input that was also written is another one.
      info.mutatesStorageMetadata = t->storageChanged && t->value->memory != memories[i];
      info.mutatesMetadata =
          info.mutatesStorageMetadata || (t->metadataMutated && !sameLayout(t->value->meta, *inputs[i].meta));
      info.mutationsUnderNoGradOrInferenceMode =
          info.mutatesData && s.mutations <= s.mutationsNoGrad + s.mutationsHidden;
      // True of an input that is not written at all, as in PyTorch.
      info.mutationsHiddenFromAutograd = s.mutations <= s.mutationsHidden;
      info.mutationInductorStorageResize = s.resizes > 0;
      if (info.mutatesStorageMetadata) info.mutatesData = false;
      info.requiresGrad = tracer.requiresGrad(*t);
      inputOfGroup[t->group] = static_cast<int64_t>(i);
      inputObjects[t] = i;
    }
    meta.inputInfo.push_back(std::move(info));
  }

  std::unordered_map<uint64_t, int> aliases, multi;
  std::unordered_map<Tensor*, size_t> outputObjects;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (Tensor* t = tensorIn(outputs[i])) {
      ++aliases[t->group];
      if (t->multiOutputView) ++multi[t->group];
      outputObjects[t] = i;
    }
  std::vector<Tensor*> bases;
  std::vector<Tensor*> introducers;
  std::vector<size_t> introducedBy;
  for (size_t i = 0; i < outputs.size(); ++i) {
    OutputAliasInfo info;
    Tensor* o = tensorIn(outputs[i]);
    if (!o) {
      info.isTensor = false;
      info.rawType = outputs[i].isInt() ? "int" : outputs[i].isNone() ? "NoneType" : "object";
      if (outputs[i].symbolic()) info.rawType = "torch.SymInt";
      meta.outputInfo.push_back(std::move(info));
      continue;
    }
    const uint64_t group = o->group;
    info.rawType = "torch._subclasses.functional_tensor.FunctionalTensor";
    info.requiresGrad = tracer.requiresGrad(*o);
    bool hasFn = false;
    try {
      hasFn = static_cast<bool>(tracer.gradFn(*o));
    } catch (const EvalError& e) {
      throw NodeError(e, o->madeBy);
    }
    info.requiresGradForBackward = info.requiresGrad && (!o->viewBase || hasFn);
    for (size_t d = 0; d < o->meta.sizes.size(); ++d)
      if (o->meta.sizes[d].symbolic()) info.dynamicDims.push_back(static_cast<int64_t>(d));
    const int single = aliases[group] - multi[group];
    const auto input = inputOfGroup.find(group);
    const auto asInput = inputObjects.find(o);
    const bool customFunction = hasFn && dynamic_cast<const CustomFunctionMark*>(o->gradFn.get());
    if (input != inputOfGroup.end() && customFunction) {
      info.type = OutputType::CustomFunctionView;
    } else if (input != inputOfGroup.end() && !o->storageChanged) {
      info.baseIdx = input->second;
      if (hasFn && single == 0) {
        info.type = OutputType::NonAlias;
      } else {
        info.type = asInput != inputObjects.end() ? OutputType::IsInput : OutputType::AliasOfInput;
      }
    } else if (o->storageChanged && asInput != inputObjects.end() && input != inputOfGroup.end()) {
      info.type = OutputType::IsInput;
      info.baseIdx = input->second;
    } else if (o->viewBase && info.requiresGrad && tracer.requiresGrad(*o->viewBase)) {
      Tensor* base = o->viewBase.get();
      if (aliases[group] == 1 || single <= 1) {
        info.type = OutputType::UnsafeViewAlias;
      } else if (const auto out = outputObjects.find(base); out != outputObjects.end()) {
        info.type = OutputType::AliasOfIntermediateBaseIsUserOutput;
        info.baseIdx = static_cast<int64_t>(out->second);
      } else {
        const auto known = std::find(bases.begin(), bases.end(), base);
        info.baseIdx = known - bases.begin();
        info.type = known != bases.end() ? OutputType::AliasOfIntermediate
                                         : OutputType::AliasOfIntermediateSaveAsOutput;
        if (known == bases.end()) {
          bases.push_back(base);
          introducedBy.push_back(i);
        }
      }
    } else if (aliases[group] > 1 && !info.requiresGrad) {
      for (size_t k = 0; k < outputs.size(); ++k) {
        Tensor* other = tensorIn(outputs[k]);
        if (!other || other == o || other->group != group || !tracer.requiresGrad(*other) ||
            !sameLayout(other->meta, o->meta))
          continue;
        info.type = OutputType::AliasOfIntermediateBaseIsUserOutput;
        info.baseIdx = static_cast<int64_t>(k);
      }
    }
    if (Tensor* base = o->viewBase.get();
        base && info.type == OutputType::NonAlias && !info.baseIdx && sameLayout(o->meta, base->meta))
      // Nothing but another object for the same value: PyTorch makes it anew of the other output, so that the caller
      // still gets two.
      if (const auto out = outputObjects.find(base); out != outputObjects.end()) {
        info.type = OutputType::AliasOfIntermediateBaseIsUserOutput;
        info.baseIdx = static_cast<int64_t>(out->second);
      }
    meta.outputInfo.push_back(std::move(info));
  }
  meta.numIntermediateBases = static_cast<int64_t>(bases.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputAliasInfo& info = meta.inputInfo[i];
    if ((info.mutatesStorageMetadata || info.mutationInductorStorageResize) &&
        info.mutationType() != MutationType::MutatedInGraph)
      throw NodeError(
          EvalError("set-not-in-graph",
                    std::string("Encountered a ") + (info.mutationInductorStorageResize ? "resize_" : "set_") +
                        " on a graph input, but the input has other mutations that we cannot keep in the graph. This "
                        "is not supported today."),
          tensorIn(args[i])->changedBy);
  }

  const auto tangent = [&](const Meta& m, const ir::Descriptor& of) {
    meta.tracedTangents.push_back(tangentMeta(m));
    ir::Result<ir::Descriptor> d = ir::Descriptor::wrap(ir::DescKind::TangentInput, of);
    if (!d) throw EvalError("internal", d.error().message);
    meta.tracedTangentsDescs.push_back(*d);
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputAliasInfo& info = meta.inputInfo[i];
    if (info.mutationType() == MutationType::MutatedOutGraph && info.mutatesData && info.requiresGrad)
      tangent(tracer.innerOf(TensorRef(tensorIn(args[i])))->meta,
              *ir::Descriptor::wrap(ir::DescKind::InputMutationOutput, inputs[i].descriptor));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const OutputAliasInfo& info = meta.outputInfo[i];
    const bool own = info.type == OutputType::NonAlias || info.type == OutputType::UnsafeViewAlias ||
                     info.type == OutputType::CustomFunctionView;
    if (own && info.isTensor && info.requiresGradForBackward)
      tangent(tracer.innerOf(TensorRef(tensorIn(outputs[i])))->meta,
              ir::Descriptor::plainOutput(static_cast<int64_t>(i)));
  }
  for (size_t b = 0; b < bases.size(); ++b)
    tangent(tracer.innerOf(TensorRef(bases[b]))->meta,
            *ir::Descriptor::wrap(ir::DescKind::IntermediateBaseOutput,
                                  ir::Descriptor::plainOutput(static_cast<int64_t>(introducedBy[b]))));
  return meta;
}

bool needsAutograd(const ViewAndMutationMeta& meta, const std::vector<AotInput>& inputs) {
  bool any = false;
  for (const AotInput& i : inputs) any = any || i.requiresGrad;
  if (!any) return false;
  for (const OutputAliasInfo& o : meta.outputInfo) {
    if (!o.requiresGrad) continue;
    const bool regenerated = (o.type == OutputType::AliasOfInput || o.type == OutputType::IsInput) &&
                             o.baseIdx && meta.inputInfo[static_cast<size_t>(*o.baseIdx)].requiresGrad;
    if (!regenerated) return true;
  }
  for (const InputAliasInfo& i : meta.inputInfo)
    if (i.requiresGrad && i.mutatesData && !i.mutationsUnderNoGradOrInferenceMode &&
        !i.mutationsHiddenFromAutograd)
      return true;
  return false;
}

}  // namespace descry::passes
