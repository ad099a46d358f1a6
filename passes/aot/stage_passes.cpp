#include "passes/aot/stage_passes.h"

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
  aot.keepInputMutations = optionOf(options, kLower, "keep-input-mutations") == "on";
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
  ir::Result<PassOutcome> out =
      show(state, stages.training() ? "forward" : "inference", stages.functional(),
           "no writes but the last copies; " +
               count(static_cast<size_t>(stages.result().meta.numIntermediateBases), "intermediate base") +
               " returned",
           true);
  if (out)
    for (PassFinding& f : findingsOf(stages.result())) out->findings.push_back(std::move(f));
  return out;
}

/// The traced graph as the state's only one.
void showTraced(ProgramState& state, PassOutcome& out) {
  const AotResult& r = stagesOf(state).result();
  StateGraph g{r.joint ? "joint" : "inference", r.joint ? r.joint : r.inference, {}};
  for (const NodeFacts& f : r.facts) g.origins.push_back({f.origin});
  put(state, std::move(g), out);
}

ir::Result<PassOutcome> trace(ProgramState& state, const PassOptionValues& options, const PassContext&) {
  AotStages& stages = stagesOf(state);
  stages.options().functionalizeRng = functionalizeRngOf(optionOf(options, kTraceJoint, "functionalize-rng"));
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

ir::Result<PassOutcome> epilogue(ProgramState& state, const PassOptionValues&, const PassContext&) {
  if (!state.data)
    return ir::failure("no-program",
                       "runtime-epilogue tells of a graph that was traced here, and this one was not");
  const AotResult& r = stagesOf(state).result();
  PassOutcome out;
  if (const size_t merged = static_cast<const AotData&>(*state.data).mergedDuplicates)
    out.findings.emplace_back("duplicates", count(merged, "input") + " passed twice are handed in once");
  for (PassFinding& f : runtimeFacts(r)) out.findings.push_back(std::move(f));
  out.summary = out.findings.empty() ? "nothing to do at run time"
                                     : count(out.findings.size(), "thing") + " to do at run time";
  return out;
}

}  // namespace

const PassDef kLower = {
    "lower",
    "torch-level calls become aten ops; writes stay",
    nullptr,
    lower,
    Stage::Captured,
    Stage::Captured,
    Stage::Lowered,
    {{"keep-input-mutations", "on|off", "on", "writes to inputs stay in the graph"},
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
const PassDef kTraceJoint = {"trace-joint",
                             "the forward and its gradients in one graph",
                             nullptr,
                             trace,
                             Stage::Functional,
                             Stage::Functional,
                             Stage::Traced,
                             {{"functionalize-rng", "off|cuda|any-device", "off",
                               "random ops draw from a seed and an offset that are inputs"}}};
const PassDef kDecompose = {"decompose",   "take ops apart by a table of decompositions",
                            nullptr,       decompose,
                            Stage::Traced, Stage::Traced,
                            Stage::Any,    {{"set", "none|core|inductor", "inductor", "which table"}}};
const PassDef kRuntimeEpilogue = {
    "runtime-epilogue", "what the runtime does around the compiled graphs", nullptr, epilogue, Stage::Traced,
    Stage::Partitioned};

}  // namespace descry::passes
