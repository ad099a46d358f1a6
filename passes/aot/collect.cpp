// Metadata collection: runs the function once without writing a graph, and looks at its inputs and outputs
// afterwards.
#include <algorithm>
#include <unordered_map>

#include "ir/ops/eval/strides.h"
#include "passes/aot/boundary.h"
#include "passes/aot/hop.h"

namespace descry::passes {

namespace {

struct InputHistoryNode : AutogradNode {
  std::string name() const override { return "input"; }
  Values apply(Tracer&, Values, const std::vector<bool>&) override { return {}; }
};

/// A plain tensor of an input: the input itself, or one that it holds.
struct PlainInput {
  TensorRef tensor;
  uint64_t memory = 0;  ///< of its value, as it was before the run
  Meta meta;
};

/// The steps of a way as PyTorch calls them: `view`, `slice_Tensor`.
std::vector<std::string> viewNames(const ViewPathRef& way) {
  std::vector<std::string> out;
  for (const ViewStep* s : stepsOf(way)) {
    std::string name(s->op->name());
    if (const std::string_view overload = s->op->overload(); !overload.empty() && overload != "default")
      name += "_" + std::string(overload);
    out.push_back(std::move(name));
  }
  return out;
}

void makeContiguous(Meta& m, SubclassLayout& layout, ir::eval::MemoryFormat format) {
  m.strides = ir::eval::stridesFor(m.sizes, format);
  for (SubclassLayout::Inner& i : layout.inner) makeContiguous(i.meta, i.layout, format);
}

/// Tangents have the layout of the value itself where it is fixed and no element lies upon another; else the
/// nearest memory format, as wrappers have always.
void coerceTangent(Meta& m, SubclassLayout& layout) {
  m.offset = 0;
  const auto fixed = [](const Ints& ints) {
    return std::none_of(ints.begin(), ints.end(), [](const Int& i) { return i.symbolic(); });
  };
  bool overlaps = false;
  for (size_t d = 0; d < m.sizes.size(); ++d)
    overlaps = overlaps || (m.strides[d] == Int(0) && Int(1) < m.sizes[d]);
  const ir::eval::MemoryFormat format = ir::eval::suggestFormat(m);
  if (layout.plain()) {
    const bool byFormat = !fixed(m.sizes) || !fixed(m.strides) || overlaps || m.numel() == Int(0);
    if (byFormat && !ir::eval::isContiguous(m, format)) m.strides = ir::eval::stridesFor(m.sizes, format);
    return;
  }
  if (!ir::eval::isContiguous(m, format)) makeContiguous(m, layout, format);
  for (SubclassLayout::Inner& i : layout.inner) coerceTangent(i.meta, i.layout);
}

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

Meta tangentMeta(Meta value) {
  SubclassLayout plain;
  coerceTangent(value, plain);
  return value;
}

ViewAndMutationMeta collectMetadata(const FlatFunction& f, const std::vector<AotInput>& inputs,
                                    const CapturedFacts& facts, const ir::OpRegistry& ops,
                                    const AotOptions& options, const ir::ContextPtr& context) {
  ir::Graph scratch(context, "metadata");
  Tracer tracer(ops, scratch, Decompositions::None);
  tracer.cancelled = options.cancelled;
  tracer.recording = false;
  tracer.gradMode = facts.gradMode;
  tracer.unbacked = facts.unbacked;
  tracer.autocast = facts.autocast;
  startHigherOrder(
      tracer, [&] { return tracer.inner({}, tokenMeta()); }, options.keepInputMutations, facts,
      options.unknownOps);
  Values args;
  std::unordered_map<std::string, uint64_t> known;  ///< memory of the inputs by storage
  std::vector<std::vector<PlainInput>> plain(inputs.size());
  for (const AotInput& i : inputs) {
    if (!i.meta) {
      args.push_back(i.symbol.empty() ? i.number : Value(intOfText(i.symbol, facts.hints)));
      continue;
    }
    if (i.sameAs) {
      args.push_back(args[*i.sameAs]);
      plain[args.size() - 1] = plain[*i.sameAs];
      continue;
    }
    const size_t at = args.size();
    const std::string memory = at < facts.inputs.size() && i.layout.plain() ? facts.inputs[at].storage : "";
    TensorRef t = layOut(tracer, *i.meta, i.layout, [&](const Meta& m) {
      TensorRef p = tracer.input({}, m, false);
      if (!memory.empty()) p->value->memory = known.try_emplace(memory, p->value->memory).first->second;
      plain[at].push_back({p, p->value->memory, m});
      return p;
    });
    t->requiresGrad = i.requiresGrad && i.isLeaf;
    if (i.requiresGrad && !i.isLeaf) {
      const Ref<AutogradNode> history = inputHistory(*i.meta);
      tracer.record(history);
      tracer.setGradientEdge(*t, {history, 0});
    }
    args.emplace_back(t);
  }
  const Values outputs = f(tracer, args);
  if (!(tracer.autocast == facts.autocast))
    throw EvalError("autocast-mutation",
                    "AOTAutograd does not support tracing graphs that mutate the autocast state: a region is "
                    "entered and not left");

  ViewAndMutationMeta meta;
  meta.keepInputMutations = options.keepInputMutations;
  meta.deterministic = facts.deterministic;
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
      // A wrapper is written when any tensor inside is, and unseen when all writes inside are.
      info.mutationsUnderNoGradOrInferenceMode = info.mutationsHiddenFromAutograd = true;
      for (const PlainInput& p : plain[i]) {
        // Of the memory that it has in the end, which may be that of another input.
        const FunctionalStorage& s = *p.tensor->storage;
        // By the memory of the value: that of an input that was also written is another one.
        const bool moved = p.tensor->storageChanged && p.tensor->value->memory != p.memory;
        info.mutatesData = info.mutatesData || s.generation > 0;
        info.mutationIsShallowCopyData =
            info.mutationIsShallowCopyData || (p.tensor->dataReplaced && !t->isWrapper());
        info.mutatesStorageMetadata = info.mutatesStorageMetadata || moved;
        info.mutatesMetadata = info.mutatesMetadata || moved ||
                               (p.tensor->metadataMutated && !sameLayout(p.tensor->value->meta, p.meta));
        info.mutationsUnderNoGradOrInferenceMode =
            info.mutationsUnderNoGradOrInferenceMode && s.mutations <= s.mutationsNoGrad + s.mutationsHidden;
        // True of an input that is not written at all, as in PyTorch.
        info.mutationsHiddenFromAutograd =
            info.mutationsHiddenFromAutograd && s.mutations <= s.mutationsHidden;
        info.mutationInductorStorageResize = info.mutationInductorStorageResize || s.resizes > 0;
      }
      info.mutationsUnderNoGradOrInferenceMode = info.mutationsUnderNoGradOrInferenceMode && info.mutatesData;
      if (info.mutationInductorStorageResize && t->isWrapper())
        throw EvalError("subclass-resize",
                        "storage resizing is not supported on tensor subclass: " + t->extras->subclass);
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
    info.rawType =
        o->isWrapper() ? o->extras->subclass : "torch._subclasses.functional_tensor.FunctionalTensor";
    info.requiresGrad = tracer.requiresGrad(*o);
    bool hasFn = false;
    try {
      hasFn = static_cast<bool>(tracer.gradFn(*o));
    } catch (const EvalError& e) {
      throw NodeError(e, o->view->madeBy);
    }
    info.requiresGradForBackward = info.requiresGrad && (!o->isView() || hasFn);
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
    } else if (o->isView() && info.requiresGrad && tracer.requiresGrad(*o->view->base)) {
      Tensor* base = o->view->base.get();
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
    if (Tensor* base = o->view->base.get();
        base && info.type == OutputType::NonAlias && !info.baseIdx && sameLayout(o->meta, base->meta))
      // Nothing but another object for the same value: PyTorch makes it anew of the other output, so that the
      // caller still gets two.
      if (const auto out = outputObjects.find(base); out != outputObjects.end()) {
        info.type = OutputType::AliasOfIntermediateBaseIsUserOutput;
        info.baseIdx = static_cast<int64_t>(out->second);
      }
    const bool ofIntermediate = info.type == OutputType::AliasOfIntermediate ||
                                info.type == OutputType::AliasOfIntermediateSaveAsOutput ||
                                info.type == OutputType::AliasOfIntermediateBaseIsUserOutput;
    // An input that was reshaped is no longer what the views were taken of.
    const bool ofInput = info.type == OutputType::AliasOfInput && info.baseIdx &&
                         !meta.inputInfo[static_cast<size_t>(*info.baseIdx)].mutatesMetadata;
    if ((ofIntermediate || ofInput) && !o->isWrapper()) info.viewMetaSequence = viewNames(o->steps);
    meta.outputInfo.push_back(std::move(info));
  }
  meta.numIntermediateBases = static_cast<int64_t>(bases.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputAliasInfo& info = meta.inputInfo[i];
    if ((info.mutatesStorageMetadata || info.mutationInductorStorageResize) &&
        info.mutationType() != MutationType::MutatedInGraph)
      throw NodeError(
          EvalError("set-not-in-graph", std::string("Encountered a ") +
                                            (info.mutationInductorStorageResize ? "resize_" : "set_") +
                                            " on a graph input, but the input has other mutations that we "
                                            "cannot keep in the graph. This "
                                            "is not supported today."),
          tensorIn(args[i])->extras->changedBy);
  }

  const auto tangent = [&](Meta m, SubclassLayout layout, const ir::Descriptor& of) {
    coerceTangent(m, layout);
    meta.tracedTangents.push_back(std::move(m));
    meta.tangentLayouts.push_back(std::move(layout));
    ir::Result<ir::Descriptor> d = ir::Descriptor::wrap(ir::DescKind::TangentInput, of);
    if (!d) throw EvalError("internal", d.error().message);
    meta.tracedTangentsDescs.push_back(*d);
  };
  const auto tangentOf = [&](const TensorRef& t, const ir::Descriptor& of) {
    tracer.sync(*t);
    tangent(t->isWrapper() ? t->meta : tracer.innerOf(t)->meta, layoutOf(*t), of);
  };
  Values returned;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputAliasInfo& info = meta.inputInfo[i];
    if (info.mutationType() != MutationType::MutatedOutGraph) continue;
    returned.push_back(args[i]);
    if (!info.mutatesData || !info.requiresGrad) continue;
    const ir::Descriptor of = *ir::Descriptor::wrap(ir::DescKind::InputMutationOutput, inputs[i].descriptor);
    const TensorRef t(tensorIn(args[i]));
    if (t->isWrapper()) {
      // Most often nobody differentiates through the written input, and autograd passes plain zeros.
      Meta m = t->meta;
      m.strides = ir::eval::contiguousStrides(m.sizes);
      tangent(std::move(m), {}, of);
    } else {
      tangentOf(t, of);
    }
  }
  returned.insert(returned.end(), outputs.begin(), outputs.end());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const OutputAliasInfo& info = meta.outputInfo[i];
    if (isOwnOutput(info.type) && info.isTensor && info.requiresGradForBackward)
      tangentOf(TensorRef(tensorIn(outputs[i])), ir::Descriptor::plainOutput(static_cast<int64_t>(i)));
  }
  for (size_t b = 0; b < bases.size(); ++b) {
    tangentOf(TensorRef(bases[b]),
              *ir::Descriptor::wrap(ir::DescKind::IntermediateBaseOutput,
                                    ir::Descriptor::plainOutput(static_cast<int64_t>(introducedBy[b]))));
    returned.emplace_back(TensorRef(bases[b]));
  }
  fillSubclassMetas(meta, inputs, tracer, returned, facts);
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
