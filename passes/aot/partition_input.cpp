#include "passes/aot/partition_input.h"

namespace descry::passes {

PartitionInput partitionInputOf(const AotResult& result, const CapturedFacts& facts) {
  PartitionInput input;
  input.module = result.joint.get();
  input.joint = &result.joint->root();
  input.forwardOutputs = static_cast<uint32_t>(result.numForward);
  input.roles.resize(result.joint->root().idBound());
  for (size_t i = 0; i < input.roles.size() && i < result.facts.size(); ++i) {
    const NodeFacts& f = result.facts[i];
    NodeRole& role = input.roles[i];
    switch (f.phase) {
      case Phase::Forward:
        role.tag = PartitionTag::Forward;
        break;
      case Phase::Backward:
        role.tag = PartitionTag::Backward;
        break;
      case Phase::MustBeForward:
        role.tag = PartitionTag::MustBeInForward;
        break;
      case Phase::MustBeBackward:
        role.tag = PartitionTag::MustBeInBackward;
        break;
      case Phase::Untold:
        break;
    }
    role.recompute = static_cast<RecomputePolicy>(f.recompute);
    if (f.region) role.region = static_cast<int32_t>(f.region);
    role.noVersionCheck = f.noVersionCheck;
    role.call = f.call;
  }
  const std::vector<ir::NodeId> placeholders = result.joint->root().placeholders();
  const size_t tokens = result.meta.tokens.size();
  for (const size_t i : result.meta.mutatedRuntimeIndices())
    if (i + tokens < placeholders.size() && result.meta.inputInfo[i].requiresGrad &&
        result.meta.inputInfo[i].mutatesData)
      input.roles[placeholders[i + tokens].index].writtenAfterwards = true;
  // Parameters live on whether they are saved or not.
  for (size_t i = 0; i < result.inputs.size(); ++i)
    if (result.inputs[i].isParameter) input.staticInputs.push_back(static_cast<uint32_t>(i + tokens));
  input.hint = [&facts](std::string_view text) -> std::optional<int64_t> {
    const ir::Result<ir::SymExpr> e = ir::SymExpr::parse(text);
    if (!e) return std::nullopt;
    const ir::Result<int64_t> v =
        e->evaluate(ir::SymExpr::Bindings(facts.hints.begin(), facts.hints.end()));
    return v ? std::optional(*v) : std::nullopt;
  };
  return input;
}

}  // namespace descry::passes
