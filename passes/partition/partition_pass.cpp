#include "passes/partition/partition_pass.h"

#include <algorithm>
#include <cstdlib>

#include "passes/aot/partition_input.h"
#include "passes/aot/stage_passes.h"
#include "passes/aot/tensorify.h"
#include "passes/partition/verify_partition.h"

namespace descry::passes {

namespace {

struct Switch {
  const char* name;
  bool PartitionOptions::*field;
};
constexpr Switch kSwitches[] = {
    {"cse", &PartitionOptions::mergeEqual},
    {"parameters-are-free", &PartitionOptions::parametersAreFree},
    {"ban-used-far-apart", &PartitionOptions::banUsedFarApart},
    {"ban-long-fusible-chains", &PartitionOptions::banLongFusibleChains},
    {"ban-materialized-backward", &PartitionOptions::banMaterializedBackward},
    {"ban-not-in-allowlist", &PartitionOptions::banNotInAllowlist},
    {"ban-reductions", &PartitionOptions::banReductions},
    {"recompute-views", &PartitionOptions::recomputeViews},
    {"aggressive", &PartitionOptions::aggressive},
    {"custom-ops-are-expensive", &PartitionOptions::customOpsAreExpensive},
};

ir::Status readNames(std::string_view text, PartitionOverride::Wish wish, PartitionInput& input) {
  while (!text.empty()) {
    const size_t plus = std::min(text.find('+'), text.size());
    const std::string_view name = text.substr(0, plus);
    text.remove_prefix(std::min(plus + 1, text.size()));
    if (name.empty()) continue;
    const ir::NodeId node = input.joint->find(name);
    if (!node.valid())
      return ir::failure("unknown-node", "the joint graph has no node `" + std::string(name) + "`");
    input.overrides.push_back({node, wish});
  }
  return {};
}

/// Nodes of both parts are named as those of the joint they were copied from.
std::vector<ir::NodeId> originsByName(const ir::Graph& part, const ir::Graph& joint,
                                      const std::vector<ir::NodeId>& jointOrigins) {
  std::vector<ir::NodeId> out(part.idBound());
  for (const ir::NodeId id : part.nodes()) {
    const ir::NodeId from = joint.find(part.nodeName(id));
    if (!from.valid()) continue;
    out[id.index] = jointOrigins.empty()               ? from
                    : from.index < jointOrigins.size() ? jointOrigins[from.index]
                                                       : ir::NodeId{};
  }
  return out;
}

/// Whether tokens leave the compiled graphs. Of a graph that was traced here, the runtime has to know.
bool unlifts(AotData* data, const PassOptionValues& values) {
  const auto given = values.find("unlift-tokens");
  std::optional<bool> said;
  if (given != values.end() && given->second != "auto") said = given->second == "on";
  if (!data || !data->stages) return said.value_or(false);
  const bool on = unliftsTokens(said, data->stages->options().decompositions);
  data->stages->setUnliftTokens(on);
  return on;
}

/// An inference graph has no cut; what else happens where one is cut happens to it, too.
PassOutcome finishInference(ProgramState& state, bool unlift) {
  PassOutcome out{false, "nothing to cut: there is no joint graph", {}, {}};
  StateGraph& whole = state.graphs.front();
  if (!unlift || whole.name != "inference") return out;
  auto module = std::make_shared<ir::Module>(*whole.module);
  const uint32_t before = module->root().size();
  passes::unliftTokens(*module);
  if (module->root().size() == before) return out;
  out.changed = true;
  out.summary += "; tokens are made and sunk inside";
  whole.module = std::move(module);
  return out;
}

ir::Result<PassOutcome> apply(ProgramState& state, const PassOptionValues& values,
                              const PassContext& context) {
  const StateGraph& whole = state.graphs.front();
  AotData* data = dynamic_cast<AotData*>(state.data.get());
  const bool unlift = unlifts(data, values);
  if (whole.name != "joint") return finishInference(state, unlift);
  PartitionInput input;
  if (data && data->stages && data->stages->result().joint) {
    input = partitionInputOf(data->stages->result(), data->facts);
  } else {
    input.forwardOutputs = countForwardOutputs(whole.module->root());
    input.roles = deriveRoles(whole.module->root(), input.forwardOutputs);
  }
  input.ops = context.ops;
  input.module = whole.module.get();  // passes since the trace may have cleaned it
  input.joint = &whole.module->root();
  const std::shared_ptr<ir::Module> tensorified = tensorifyNumbers(input, ir::allOps());
  PartitionOptions options;
  if (const ir::Status s = readPartitionOptions(values, input, options); !s) return s.error();
  ir::Result<Partition> cut = partitionJoint(input, options);
  if (!cut) return cut.error();
  if (tensorified && !cut->stitched) cut->stitched = tensorified;
  if (unlift) {
    unliftTokens(cut->forward);
    unliftTokens(cut->backward);
  }
  const auto partition = std::make_shared<Partition>(std::move(*cut));
  if (data) data->cut = partition;
  PassOutcome out;
  out.changed = true;
  out.summary = std::to_string(partition->saved.size()) +
                (partition->saved.size() == 1 ? " value saved, " : " values saved, ") +
                std::to_string(partition->savedBytes) + " bytes";
  if (partition->method == PartitionOptions::Method::MinCut)
    out.summary += "; the cut costs " + std::to_string(partition->cutValue);
  const ir::Graph& joint = partition->stitched ? partition->stitched->root() : whole.module->root();
  for (const ir::Diagnostic& warning : partition->warnings)
    out.findings.emplace_back(warning.node, warning.message);
  for (const ValueDecision& d : partition->decisions)
    if (d.fate != ValueFate::ForwardOnly)
      out.findings.emplace_back(std::string(joint.nodeName(d.node)), decisionText(d));
  std::vector<StateGraph> parts;
  for (const auto& [name, module] :
       {std::pair{"forward", &partition->forward}, {"backward", &partition->backward}})
    parts.push_back({name, std::shared_ptr<const ir::Module>(partition, module),
                     originsByName(module->root(), joint, whole.origins)});
  auto result = std::make_shared<PartitionOutcome>();
  result->partition = partition;
  result->joint = whole.module;
  result->roles = std::move(input.roles);
  result->forwardOutputs = input.forwardOutputs;
  result->ops = context.ops;
  out.result = std::move(result);
  state.graphs = std::move(parts);
  state.stage = Stage::Partitioned;
  return out;
}

/// The default partitioner saves what the backward reads: nothing that steers the minimum cut changes it.
ir::Status fits(const PassOptionValues& values) {
  const auto method = values.find("method");
  if (method == values.end() || method->second != "default") return {};
  for (const auto& [name, value] : values)
    if (name != "method" && name != "save" && name != "recompute" && name != "unlift-tokens")
      return ir::failure("bad-option",
                         name + " steers the minimum cut, and with method=default none is made");
  return {};
}

}  // namespace

void PartitionOutcome::verify(Stage, ir::DiagnosticSink& sink) const {
  PartitionInput input;
  input.module = joint.get();
  input.joint = &joint->root();
  input.ops = ops;
  input.forwardOutputs = forwardOutputs;
  input.roles = roles;
  verifyPartition(input, *partition, sink);
}

ir::Status readPartitionOptions(const PassOptionValues& values, PartitionInput& input,
                                PartitionOptions& options) {
  options.method = PartitionOptions::Method::MinCut;
  for (const auto& [name, value] : values) {
    if (name == "method") {
      if (value == "default") options.method = PartitionOptions::Method::Default;
    } else if (name == "memory-budget") {
      options.memoryBudget = std::strtod(value.c_str(), nullptr);
    } else if (name == "max-distance") {
      options.maxDistance = static_cast<int32_t>(std::min(std::strtod(value.c_str(), nullptr), 1e9));
    } else if (name == "save" || name == "recompute") {
      const ir::Status s = readNames(
          value, name == "save" ? PartitionOverride::Wish::Save : PartitionOverride::Wish::Recompute, input);
      if (!s) return s;
    }
    for (const Switch& s : kSwitches)
      if (name == s.name) options.*s.field = value == "on";
  }
  return {};
}

const PassDef kPartition = {
    "partition",
    "cut the joint graph into forward and backward",
    nullptr,
    apply,
    Stage::Traced,
    Stage::Traced,
    Stage::Partitioned,
    {{"method", "default|min-cut", "min-cut", "save what the backward reads, or recompute what is cheap"},
     {"save", "NAMES", "", "nodes to save whatever it costs, joined by +"},
     {"recompute", "NAMES", "", "nodes to compute again, joined by +"},
     {"memory-budget", "N", "1", "from 0 (keep the inputs only) to 1 (fastest)"},
     {"max-distance", "N", "1000", "values further than this from the backward graph are saved"},
     {"cse", "on|off", "on", "merge equal calls first"},
     {"parameters-are-free", "on|off", "on", "saving a parameter costs nothing"},
     {"ban-used-far-apart", "on|off", "on", "do not recompute what is used near and far away"},
     {"ban-long-fusible-chains", "on|off", "on", "do not recompute along long chains"},
     {"ban-materialized-backward", "on|off", "on", "do not recompute what the backward graph would store"},
     {"ban-not-in-allowlist", "on|off", "on", "recompute only ops known to be cheap"},
     {"ban-reductions", "on|off", "on", "do not recompute reductions"},
     {"recompute-views", "on|off", "off", "views are never saved"},
     {"aggressive", "on|off", "off", "recompute everything but compute intensive ops"},
     {"custom-ops-are-expensive", "on|off", "off", "save results of custom ops"},
     {"unlift-tokens", "auto|on|off", "auto", "tokens of effects leave the compiled graphs"}},
    fits};

}  // namespace descry::passes
