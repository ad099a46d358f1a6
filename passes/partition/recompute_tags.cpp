#include "passes/partition/recompute_tags.h"

namespace descry::passes::partition {

using ir::OpKind;

namespace {

void saveLeaves(Joint& joint, uint32_t item) {
  bool taken = false;
  for (uint32_t user : joint.users[item]) {
    if (joint.facts[user]->name != OpName::Getitem) continue;
    taken = true;
    saveLeaves(joint, user);
  }
  if (!taken && joint.value[item] != ValueClass::None) joint.role[item].recompute = RecomputePolicy::MustSave;
}

/// True for a value that is a tuple, as far as it can be told: nothing but elements is taken out of it.
bool isTuple(const Joint& joint, uint32_t item) {
  if (joint.value[item] != ValueClass::None) return false;
  for (uint32_t user : joint.users[item])
    if (joint.facts[user]->name != OpName::Getitem) return false;
  return !joint.users[item].empty();
}

void saveElements(Joint& joint, uint32_t item) {
  for (uint32_t user : joint.users[item]) {
    if (joint.facts[user]->name != OpName::Getitem) continue;
    saveElements(joint, user);
    if (!isTuple(joint, user)) joint.role[user].recompute = RecomputePolicy::MustSave;
  }
}

bool subgraphHasEffects(const Joint& joint, uint32_t item) {
  const ir::NodeId id = joint.ids[item];
  if (!joint.input.module || joint.graph.argCount(id) == 0) return false;
  const ir::ArgView sub = joint.graph.arg(id, 0);
  std::string_view attribute;
  if (sub.kind() == ir::ValueKind::NodeRef)
    attribute = joint.graph.target(sub.node());
  else if (sub.kind() == ir::ValueKind::GraphRef)
    attribute = sub.text();
  const ir::Graph* g = joint.input.module->child(joint.graph, attribute);
  if (!g) return false;
  for (ir::NodeId n : g->nodes())
    if (g->target(n) == "torch.ops.higher_order.with_effects") return true;
  return false;
}

}  // namespace

bool hasRecomputable(const Joint& joint) {
  for (uint32_t i = 0; i < joint.size(); ++i)
    if (joint.mustRecompute(i)) return true;
  return false;
}

bool hasRecomputableRandom(const Joint& joint) {
  for (uint32_t i = 0; i < joint.size(); ++i)
    if (joint.mustRecompute(i) && joint.isRandom(i)) return true;
  return false;
}

void cleanupRecomputeTags(Joint& joint, bool saveRegionInputs) {
  for (uint32_t i = 0; i < joint.size(); ++i) {
    NodeRole& role = joint.role[i];
    bool userRecomputed = false;
    for (uint32_t user : joint.users[i]) userRecomputed = userRecomputed || joint.mustRecompute(user);
    if (joint.mustRecompute(i)) {
      for (uint32_t user : joint.users[i])
        if (joint.mustRecompute(user) && role.region >= 0 && joint.role[user].region > role.region)
          role.recompute = RecomputePolicy::MustSave;
      if (role.hasBackwardHook && !userRecomputed) role.recompute = RecomputePolicy::MustSave;
    } else if (saveRegionInputs && role.region < 0 && userRecomputed) {
      const uint32_t producer = joint.facts[i]->name == OpName::Getitem ? joint.argumentItem(i, 0) : kNoItem;
      // An element of a tuple that a region computes carries no region itself.
      const bool ofRegion = producer != kNoItem && joint.value[producer] == ValueClass::None &&
                            joint.role[producer].region >= 0;
      if (!ofRegion) role.recompute = RecomputePolicy::MustSave;
    }
  }
}

ir::Status forceSaves(Joint& joint) {
  if (!joint.options.moveCollectives)
    for (uint32_t i = 0; i < joint.size(); ++i)
      if (joint.facts[i]->has(kCollective) && !joint.mustRecompute(i)) saveLeaves(joint, i);

  for (uint32_t i = 0; i < joint.size(); ++i) {
    const OpName name = joint.facts[i]->name;
    const bool effect =
        name == OpName::WithEffects || (name == OpName::InvokeSubgraph && subgraphHasEffects(joint, i));
    if (!effect || joint.role[i].tag == PartitionTag::Backward) continue;
    if (joint.role[i].recompute == RecomputePolicy::MustRecompute) {
      const ir::Node& n = joint.graph.node(joint.ids[i]);
      ir::Diagnostic d;
      d.code = "partition-effect";
      d.message = "'" + std::string(joint.name(i)) +
                  "' has an effect and must not be recomputed, but its checkpoint policy asks for it";
      d.node = joint.name(i);
      d.loc = {n.line, n.column};
      return d;
    }
    saveElements(joint, i);
  }

  // Writes to inputs stand at the end of a functional graph.
  std::vector<bool> writtenInBackward(joint.size(), false);
  for (uint32_t i = joint.outputItem(); i-- > 0 && joint.facts[i]->name == OpName::Copy;) {
    const uint32_t target = joint.argumentItem(i, 0), source = joint.argumentItem(i, 1);
    if (target == kNoItem) continue;
    if (joint.role[i].tag == PartitionTag::MustBeInBackward) writtenInBackward[target] = true;
    if (joint.role[i].tag == PartitionTag::MustBeInForward && source != kNoItem && writtenInBackward[target])
      joint.role[source].recompute = RecomputePolicy::MustSave;
  }
  return {};
}

}  // namespace descry::passes::partition
