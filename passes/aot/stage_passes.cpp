#include "passes/aot/stage_passes.h"

#include "passes/aot/invariants.h"
#include "passes/aot/runtime_facts.h"

namespace descry::passes {

namespace {

std::string optionOf(const PassOptionValues& options, const PassDef& pass, std::string_view name) {
  const auto found = options.find(name);
  if (found != options.end()) return found->second;
  for (const PassOption& o : pass.options)
    if (o.name == name) return o.byDefault;
  return {};
}

/// The stages that were made by an earlier pass.
AotStages& stagesOf(ProgramState& state) {
  return *static_cast<AotData&>(*state.data).stages;
}

std::string count(size_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string writtenHow(const InputAliasInfo& i) {
  std::string out;
  const auto say = [&](bool yes, const char* what) {
    if (yes) out += (out.empty() ? "" : ", ") + std::string(what);
  };
  say(i.mutatesData, "data written");
  say(i.mutatesMetadata, "sizes or strides changed");
  say(i.mutatesStorageMetadata, "given another storage");
  say(i.mutationInductorStorageResize, "storage resized");
  say(i.mutationsHiddenFromAutograd && i.mutatesData, "hidden from autograd");
  say(i.mutationsUnderNoGradOrInferenceMode && i.mutatesData, "under no_grad");
  if (i.mutationType() == MutationType::MutatedInGraph) out += "; copied back inside the graph";
  if (i.mutationType() == MutationType::MutatedOutGraph) out += "; copied back by the runtime";
  return out;
}

std::vector<PassFinding> findingsOf(const AotResult& r) {
  std::vector<PassFinding> out;
  for (size_t i = 0; i < r.meta.inputInfo.size() && i < r.inputs.size(); ++i)
    if (const std::string how = writtenHow(r.meta.inputInfo[i]); !how.empty())
      out.emplace_back(r.inputs[i].descriptor.repr(), how);
  for (size_t i = 0; i < r.meta.outputInfo.size(); ++i) {
    const OutputAliasInfo& o = r.meta.outputInfo[i];
    if (o.type == OutputType::NonAlias) continue;
    out.emplace_back(
        "output " + std::to_string(i),
        std::string(outputTypeName(o.type)) + (o.baseIdx ? " " + std::to_string(*o.baseIdx) : std::string()));
  }
  for (size_t i = 0; i < r.meta.tracedTangentsDescs.size(); ++i)
    out.emplace_back("tangent " + std::to_string(i), r.meta.tracedTangentsDescs[i].repr());
  return out;
}

/// `made` becomes the state's only graph. Every stage traces the captured graph again, with what the stages
/// before have found: what other passes made of their graphs is not in it, which has to be said.
void put(ProgramState& state, StateGraph made, PassOutcome& out) {
  AotData& data = static_cast<AotData&>(*state.data);
  if (data.left && data.left != state.graphs.front().module) {
    const char* lost =
        "what other passes changed since the stage before is not kept: this traces the program again";
    out.findings.emplace_back("note", lost);
    out.summary += std::string("; ") + lost;
  }
  data.left = made.module;
  state.graphs = {std::move(made)};
}

ir::Result<PassOutcome> show(ProgramState& state, const char* name, ir::Result<StageGraph> graph,
                             std::string summary, bool changed) {
  if (!graph) return graph.error();
  PassOutcome out;
  out.changed = changed;
  out.summary = std::move(summary);
  if (changed) put(state, {name, std::move(graph->module), std::move(graph->origins)}, out);
  return out;
}

ir::Result<PassOutcome> lower(ProgramState& state, const PassOptionValues& options, const PassContext&) {
  AotData& data = static_cast<AotData&>(*state.data);
  AotOptions aot;
  aot.ops = data.ops;
  aot.cancelled = data.cancelled;
  const std::string keep = optionOf(options, kLower, "keep-input-mutations");
  aot.keepInputMutations = keep == "auto" ? data.facts.keptInputMutations.value_or(true) : keep == "on";
  aot.unknownOps =
      optionOf(options, kLower, "unknown-ops") == "refuse" ? UnknownOps::Refuse : UnknownOps::Assume;
  if (const std::string names = optionOf(options, kLower, "requires-grad"); !names.empty())
    if (const ir::Status s = setRequiresGrad(data.facts, data.captured->root(), names); !s) return s.error();
  data.stages = std::make_unique<AotStages>(*data.captured, data.facts, aot);
  if (const ir::Status s = data.stages->readInputs(); !s) return s.error();
  state.stage = Stage::Lowered;
  ir::Result<PassOutcome> out =
      show(state, "lowered", data.stages->lowered(), "torch-level calls are aten ops", true);
  if (!out) return out;
  if (data.facts.requiresGradAssumed)
    out->findings.emplace_back("assumed",
                               std::string(kGradientsAssumed) + "; the option requires-grad says otherwise");
  for (const std::string& what : data.facts.assumed) out->findings.emplace_back("assumed", what);
  if (const size_t n = out->findings.size()) out->summary += "; " + count(n, "thing") + " assumed";
  return out;
}

ir::Result<PassOutcome> collect(ProgramState& state, const PassOptionValues&, const PassContext&) {
  AotStages& stages = stagesOf(state);
  if (const ir::Status s = stages.collectMetadata(); !s) return s.error();
  state.stage = Stage::Described;
  PassOutcome out;
  const AotResult& r = stages.result();
  out.findings = findingsOf(r);
  size_t aliases = 0, written = 0;
  for (const InputAliasInfo& i : r.meta.inputInfo) written += i.mutatesData || i.mutatesMetadata;
  for (const OutputAliasInfo& o : r.meta.outputInfo) aliases += o.type != OutputType::NonAlias;
  out.summary = count(written, "written input") + ", " + std::to_string(aliases) + " aliased of " +
                count(r.meta.outputInfo.size(), "output") + ", " +
                (stages.training() ? "training" : "inference");
  return out;
}

ir::Result<PassOutcome> duplicates(ProgramState& state, const PassOptionValues&, const PassContext&) {
  AotStages& stages = stagesOf(state);
  const size_t before = stages.result().inputs.size();
  const ir::Result<bool> merged = stages.mergeDuplicates();
  if (!merged) return merged.error();
  state.stage = Stage::Deduplicated;
  if (!*merged) return PassOutcome{false, "no written input is passed twice", {}, {}};
  static_cast<AotData&>(*state.data).mergedDuplicates = before - stages.result().inputs.size();
  return show(state, "lowered", stages.lowered(),
              count(before - stages.result().inputs.size(), "input") + " merged", true);
}

ir::Result<PassOutcome> bases(ProgramState& state, const PassOptionValues&, const PassContext&) {
  AotStages& stages = stagesOf(state);
  const size_t before = stages.result().inputs.size();
  const ir::Result<bool> merged = stages.mergeOverlapping();
  if (!merged) return merged.error();
  state.stage = Stage::Unaliased;
  if (!*merged) return PassOutcome{false, "no written input shares memory with another", {}, {}};
  ir::Result<PassOutcome> out =
      show(state, "lowered", stages.lowered(),
           count(before, "input") + " became " + std::to_string(stages.result().inputs.size()), true);
  if (out)
    for (const AotInput& i : stages.result().inputs) {
      const ir::DescKind kind = i.descriptor.kind();
      if (kind == ir::DescKind::SyntheticBaseInput || kind == ir::DescKind::ViewBaseInput)
        out->findings.emplace_back("base", i.descriptor.repr());
    }
  return out;
}

ir::Result<PassOutcome> flatten(ProgramState& state, const PassOptionValues&, const PassContext&) {
  AotStages& stages = stagesOf(state);
  if (!stages.flattenSubclasses())
    return PassOutcome{false, "no input and no output is a wrapper subclass", {}, {}};
  size_t wrappers = 0;
  for (const AotInput& i : stages.result().inputs) wrappers += !i.layout.plain();
  ir::Result<PassOutcome> out =
      show(state, "lowered", stages.lowered(), count(wrappers, "input") + " taken apart", true);
  if (out)
    for (const AotInput& i : stages.result().inputs)
      if (!i.layout.plain()) out->findings.emplace_back(i.descriptor.repr(), heldBy(i.layout));
  return out;
}

ir::Result<PassOutcome> functionalize(ProgramState& state, const PassOptionValues&, const PassContext&) {
  AotStages& stages = stagesOf(state);
  state.stage = Stage::Functional;
  ir::Result<PassOutcome> out = show(state, stages.training() ? "forward" : "inference", stages.functional(),
                                     "no writes but the last copies", true);
  if (out)
    for (PassFinding& f : findingsOf(stages.result())) out->findings.push_back(std::move(f));
  return out;
}

const char* functionalName(const AotStages& stages) {
  return stages.training() ? "forward" : "inference";
}

ir::Result<PassOutcome> intermediateBases(ProgramState& state, const PassOptionValues&, const PassContext&) {
  AotStages& stages = stagesOf(state);
  if (!stages.returnIntermediateBases())
    return PassOutcome{false,
                       stages.training() ? "no two outputs are views of a tensor made inside"
                                         : "an inference graph returns no intermediate bases",
                       {},
                       {}};
  const ViewAndMutationMeta& meta = stages.result().meta;
  ir::Result<PassOutcome> out =
      show(state, functionalName(stages), stages.functional(),
           count(static_cast<size_t>(meta.numIntermediateBases), "intermediate base") + " returned", true);
  if (out)
    for (size_t i = 0; i < meta.outputInfo.size(); ++i) {
      const OutputAliasInfo& o = meta.outputInfo[i];
      if (o.type == OutputType::AliasOfIntermediateSaveAsOutput || o.type == OutputType::AliasOfIntermediate)
        out->findings.emplace_back("output " + std::to_string(i),
                                   "a view of base " + (o.baseIdx ? std::to_string(*o.baseIdx) : "?"));
    }
  return out;
}

ir::Result<PassOutcome> effectTokens(ProgramState& state, const PassOptionValues&, const PassContext&) {
  AotStages& stages = stagesOf(state);
  if (!stages.threadTokens()) return PassOutcome{false, "no op of the forward has an effect", {}, {}};
  const std::vector<std::string>& tokens = stages.result().meta.tokens;
  ir::Result<PassOutcome> out = show(state, functionalName(stages), stages.functional(),
                                     count(tokens.size(), "token") + (tokens.size() == 1 ? " runs" : " run") +
                                         " through the ops that have effects",
                                     true);
  if (out)
    for (const std::string& effect : tokens) out->findings.emplace_back("effect", effect);
  return out;
}

ir::Result<PassOutcome> functionalizeRng(ProgramState& state, const PassOptionValues& options,
                                         const PassContext&) {
  AotStages& stages = stagesOf(state);
  stages.options().functionalizeRng = functionalizeRngOf(optionOf(options, kFunctionalizeRng, "of"));
  return show(state, functionalName(stages), stages.functional(),
              "random ops draw from a seed and an offset that are inputs", true);
}

/// The traced graph as the state's only one.
void showTraced(ProgramState& state, PassOutcome& out) {
  const AotResult& r = stagesOf(state).result();
  StateGraph g{r.joint ? "joint" : "inference", r.joint ? r.joint : r.inference, {}};
  for (const NodeFacts& f : r.facts) g.origins.push_back({f.origin});
  put(state, std::move(g), out);
}

ir::Result<PassOutcome> trace(ProgramState& state, const PassOptionValues&, const PassContext&) {
  AotStages& stages = stagesOf(state);
  stages.options().decompositions = Decompositions::None;
  if (const ir::Status s = stages.trace(); !s) return s.error();
  state.stage = Stage::Traced;
  const AotResult& r = stages.result();
  PassOutcome out;
  out.changed = true;
  if (r.joint) {
    size_t backward = 0;
    for (const ir::NodeId id : r.joint->root().nodes())
      backward += id.index < r.facts.size() && r.facts[id.index].phase == Phase::Backward &&
                  r.joint->root().node(id).op == ir::OpKind::CallFunction;
    out.summary = count(backward, "node") + " of backward behind the forward";
  } else {
    out.summary = "nothing is trained: an inference graph";
  }
  for (const std::string& what : r.assumed) out.findings.emplace_back("assumed", what);
  showTraced(state, out);
  return out;
}

ir::Result<PassOutcome> decompose(ProgramState& state, const PassOptionValues& options, const PassContext&) {
  if (!state.data)
    return ir::failure(
        "no-program", "decompose traces the captured graph again, and this graph was not made from one here");
  AotStages& stages = stagesOf(state);
  const std::string set = optionOf(options, kDecompose, "set");
  if (set == "none") return PassOutcome{false, "no table chosen", {}, {}};
  stages.options().decompositions = set == "core" ? Decompositions::Core : Decompositions::Inductor;
  const size_t before = state.graphs.front().module->root().size();
  if (const ir::Status s = stages.trace(); !s) return s.error();
  PassOutcome out{true, std::to_string(before) + " nodes became ", {}, {}};
  out.summary += std::to_string(stages.result().joint ? stages.result().joint->root().size()
                                                      : stages.result().inference->root().size());
  showTraced(state, out);
  return out;
}

/// Where a piece of a tensor of a subclass lies in it: `b.a`, `size(0)`.
std::string pieceName(const ir::Descriptor& d) {
  const ir::Descriptor* base = d.base();
  const bool deeper = base && base->kind() == ir::DescKind::SubclassGetAttrOutput;
  const std::string before = deeper ? pieceName(*base) + "." : std::string();
  switch (d.kind()) {
    case ir::DescKind::SubclassGetAttrOutput:
      return before + d.text();
    case ir::DescKind::SubclassSizeOutput:
      return before + "size(" + std::to_string(d.idx()) + ")";
    case ir::DescKind::SubclassStrideOutput:
      return before + "stride(" + std::to_string(d.idx()) + ")";
    default:
      return {};
  }
}

ir::Result<PassOutcome> unflatten(ProgramState& state, const PassOptionValues&, const PassContext&) {
  PassOutcome out;
  for (const StateGraph& g : state.graphs) {
    const ir::Graph& graph = g.module->root();
    std::string last;
    for (size_t i = 0; i < graph.outputDescs.size(); ++i) {
      if (!graph.outputDescs[i]) continue;
      const std::optional<ir::Descriptor>& desc = graph.context().descriptor(graph.outputDescs[i]).descriptor;
      const std::string piece = desc ? pieceName(*desc) : std::string();
      if (piece.empty()) continue;
      // The pieces of a tensor lie side by side.
      const ir::Descriptor* tensor = &*desc;
      while (!pieceName(*tensor).empty()) tensor = tensor->base();
      const std::string whole = tensor->repr();
      const std::string from = piece + " from " + g.name + " output " + std::to_string(i);
      if (whole == last)
        out.findings.back().second += ", " + from;
      else
        out.findings.emplace_back(whole, from);
      last = whole;
    }
  }
  out.summary = out.findings.empty() ? "no result is a wrapper subclass"
                                     : count(out.findings.size(), "result") + " put together";
  return out;
}

ir::Result<PassOutcome> epilogue(ProgramState& state, const PassOptionValues&, const PassContext&) {
  if (!state.data)
    return ir::failure("no-program",
                       "runtime-epilogue tells of a graph that was traced here, and this one was not");
  const AotResult& r = stagesOf(state).result();
  PassOutcome out;
  if (const size_t merged = static_cast<const AotData&>(*state.data).mergedDuplicates)
    out.findings.emplace_back("duplicates", count(merged, "input") + " passed twice are handed in once");
  for (PassFinding& f : runtimeFacts(r, static_cast<const AotData&>(*state.data).cut.get()))
    out.findings.push_back(std::move(f));
  out.summary = out.findings.empty() ? "nothing to do at run time"
                                     : count(out.findings.size(), "thing") + " to do at run time";
  return out;
}

}  // namespace

void AotData::verify(Stage stage, ir::DiagnosticSink& sink) const {
  // What a cut is made of is verified with the cut.
  if (!stages || stage < Stage::Described || stage > Stage::Traced) return;
  verifyStage(stages->result(), stage, sink);
  if (stage == Stage::Unaliased && (stages->result().duplicates || stages->result().overlaps))
    if (const ir::Result<ViewAndMutationMeta> again = stages->recollected())
      verifySameMetadata(stages->result().meta, *again, sink);
}

const PassDef kLower = {
    "lower",
    "torch-level calls become aten ops; writes stay",
    nullptr,
    lower,
    Stage::Captured,
    Stage::Captured,
    Stage::Lowered,
    {{"keep-input-mutations", "auto|on|off", "auto",
      "writes to inputs stay in the graph; auto: as recorded in the log, else on"},
     {"requires-grad", "NAMES", "", "inputs that require gradients, joined by +; or all, or none"},
     {"unknown-ops", "assume|refuse", "assume", "custom ops that are not declared"}}};
const PassDef kCollectMetadata = {"collect-metadata",
                                  "find written inputs and aliased outputs (ViewAndMutationMeta)",
                                  nullptr,
                                  collect,
                                  Stage::Lowered,
                                  Stage::Lowered,
                                  Stage::Described};
const PassDef kMergeDuplicates = {"merge-duplicates",
                                  "one input for a tensor that is passed twice and written",
                                  nullptr,
                                  duplicates,
                                  Stage::Described,
                                  Stage::Described,
                                  Stage::Deduplicated};
const PassDef kSyntheticBases = {"synthetic-bases",
                                 "one base for written inputs that share memory",
                                 nullptr,
                                 bases,
                                 Stage::Deduplicated,
                                 Stage::Deduplicated,
                                 Stage::Unaliased};
const PassDef kFlattenSubclasses = {"flatten-subclasses",
                                    "tensors of wrapper subclasses become what they hold",
                                    nullptr,
                                    flatten,
                                    Stage::Unaliased,
                                    Stage::Unaliased};
const PassDef kFunctionalize = {"functionalize",  "writes become new values, views are replayed",
                                nullptr,          functionalize,
                                Stage::Unaliased, Stage::Unaliased,
                                Stage::Functional};
const PassDef kIntermediateBases = {"intermediate-bases",
                                    "tensors made inside of which outputs are views are returned too",
                                    nullptr,
                                    intermediateBases,
                                    Stage::Functional,
                                    Stage::Functional};
const PassDef kEffectTokens = {
    "effect-tokens",   "a token runs through the ops that have effects, to keep their order",
    nullptr,           effectTokens,
    Stage::Functional, Stage::Functional};
const PassDef kFunctionalizeRng = {
    "functionalize-rng",
    "random ops draw from a seed and an offset that are inputs",
    nullptr,
    functionalizeRng,
    Stage::Functional,
    Stage::Functional,
    Stage::Any,
    {{"of", "cuda|any-device", "cuda", "whose ops; PyTorch refuses those of other devices than CUDA"}}};
const PassDef kTraceJoint = {"trace-joint",     "the forward and its gradients in one graph",
                             nullptr,           trace,
                             Stage::Functional, Stage::Functional,
                             Stage::Traced};
const PassDef kDecompose = {"decompose",   "take ops apart by a table of decompositions",
                            nullptr,       decompose,
                            Stage::Traced, Stage::Traced,
                            Stage::Any,    {{"set", "none|core|inductor", "inductor", "which table"}}};
const PassDef kUnflattenSubclasses = {"unflatten-subclasses",
                                      "how tensors of wrapper subclasses are put together from results",
                                      nullptr,
                                      unflatten,
                                      Stage::Traced,
                                      Stage::Partitioned};
const PassDef kRuntimeEpilogue = {
    "runtime-epilogue", "what the runtime does around the compiled graphs", nullptr, epilogue, Stage::Traced,
    Stage::Partitioned};

}  // namespace descry::passes
