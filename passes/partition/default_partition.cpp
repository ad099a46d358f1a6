#include <algorithm>

#include "passes/partition/partitioners.h"
#include "passes/partition/recompute_tags.h"

namespace descry::passes::partition {

using ir::OpKind;

namespace {

/// Items up to the last one that the forward trace made, tangents and seeds of the backward left out.
std::vector<bool> forwardRegion(const Joint& joint) {
  uint32_t end = 0;
  for (uint32_t i = 0; i < joint.size(); ++i)
    if (joint.role[i].tag == PartitionTag::Forward || joint.inputRole[i] == InputRole::Primal ||
        joint.inputRole[i] == InputRole::ForwardSeed)
      end = i + 1;
  std::vector<bool> out(joint.size(), false);
  for (uint32_t i = 0; i < end; ++i)
    out[i] = joint.inputRole[i] != InputRole::Tangent && joint.inputRole[i] != InputRole::BackwardSeed &&
             joint.kind[i] != OpKind::Output;
  return out;
}

bool isTaken(const Joint& joint, uint32_t item) {
  for (uint32_t user : joint.users[item])
    if (joint.facts[user]->name != OpName::Getitem) return false;
  return !joint.users[item].empty();
}

bool namesSubgraph(const Joint& joint, uint32_t item) {
  if (joint.kind[item] != OpKind::GetAttr) return false;
  for (const ir::Graph::Child& child : joint.graph.children)
    if (joint.graph.str(child.attribute) == joint.name(item)) return true;
  return false;
}

/// A comparison that nothing but an assert reads.
bool isForAssert(const Joint& joint, uint32_t item) {
  if (joint.value[item] != ValueClass::Bool || joint.users[item].empty()) return false;
  for (uint32_t user : joint.users[item])
    if (joint.facts[user]->name != OpName::AssertScalar) return false;
  return true;
}

ir::Diagnostic about(const Joint& joint, uint32_t item, std::string code, std::string message) {
  ir::Diagnostic d;
  d.code = std::move(code);
  d.message = "'" + std::string(joint.name(item)) + "' " + message;
  d.node = joint.name(item);
  const ir::Node& n = joint.graph.node(joint.ids[item]);
  d.loc = {n.line, n.column};
  return d;
}

/// Adds to a list what is not in it yet.
class UniqueList {
 public:
  explicit UniqueList(uint32_t items) : known_(items, false) {}
  void add(uint32_t item) {
    if (!known_[item]) list.push_back(item);
    known_[item] = true;
  }
  std::vector<uint32_t> list;

 private:
  std::vector<bool> known_;
};

}  // namespace

std::optional<uint32_t> firstForeignWrite(const Joint& joint) {
  for (uint32_t i = 0; i < joint.size(); ++i) {
    if (!joint.facts[i]->has(kMutable)) continue;
    if (!joint.facts[i]->has(kAllowedMutation)) return i;
    const uint32_t written = joint.argumentItem(i, 0);
    if (written != kNoItem && joint.kind[written] != OpKind::Placeholder) return i;
  }
  return std::nullopt;
}

ir::Result<Choice> chooseByDefault(Joint& joint) {
  Choice out;
  const std::vector<bool> forward = forwardRegion(joint);
  out.recomputes = hasRecomputable(joint);
  out.recomputesRandom = hasRecomputableRandom(joint);
  if (out.recomputes) cleanupRecomputeTags(joint, true);
  if (ir::Status s = forceSaves(joint); !s) return s.error();
  auto sets = classify(joint);
  if (!sets) return sets.error();
  out.sets = std::move(*sets);

  const uint32_t n = joint.size();
  UniqueList tensors(n), symbols(n), opaque(n);
  std::vector<bool> sizesOnly(n, false);
  for (uint32_t i = 0; i < n; ++i) {
    if (!forward[i] || namesSubgraph(joint, i) || joint.facts[i]->has(kSkipped)) continue;
    if (joint.isSymbolic(i)) {
      symbols.add(i);
      continue;
    }
    if (isTaken(joint, i)) continue;  // of a tuple, the elements are saved
    const bool impure = joint.isCall(i) && joint.facts[i]->has(kImpure) && !joint.facts[i]->has(kWait);
    const bool mustSave = joint.role[i].recompute == RecomputePolicy::MustSave;
    if (impure && !mustSave && out.recomputes)
      return about(joint, i, "partition-effect",
                   "has an effect, and the graph has checkpoints that would have to repeat it");
    if (mustSave || impure) {
      (joint.isOpaque(i) ? opaque : tensors).add(i);
      continue;
    }
    if (joint.isOpaque(i)) {
      opaque.add(i);
      continue;
    }
    if (joint.isCall(i) && joint.value[i] != ValueClass::Tensor)
      return about(joint, i, "partition-not-a-tensor", "has no tensor value, and nothing takes it apart");
    bool onlySizes = true, any = false;
    for (uint32_t user : joint.users[i]) {
      if (forward[user]) continue;
      any = true;
      onlySizes = onlySizes && joint.isSymbolic(user);
    }
    if (onlySizes) {
      for (uint32_t user : joint.users[i])
        if (!forward[user]) symbols.add(user);
      if (any) out.sizesOnly.push_back(i);
    } else if (!joint.mustRecompute(i)) {
      tensors.add(i);
    }
  }
  std::erase_if(symbols.list, [&](uint32_t i) { return isForAssert(joint, i); });
  out.cut.saved = tensors.list;
  out.cut.saved.insert(out.cut.saved.end(), symbols.list.begin(), symbols.list.end());
  out.cut.saved.insert(out.cut.saved.end(), opaque.list.begin(), opaque.list.end());
  auto done =
      split(joint, out.sets, {std::move(tensors.list), std::move(symbols.list), std::move(opaque.list)});
  if (!done) return done.error();
  out.split = std::move(*done);
  return out;
}

ir::Result<Choice> chooseByMinCut(Joint& joint, NodeSets sets) {
  Choice out;
  out.sets = std::move(sets);
  out.distance = distancesFromBackward(joint, out.sets);
  auto cut = chooseSaved(joint, out.sets, out.distance);
  if (!cut) return cut.error();
  out.cut = std::move(*cut);
  SavedLists lists;
  for (uint32_t i : out.cut.saved) {
    if (joint.isSymbolic(i)) {
      if (!isForAssert(joint, i)) lists.symbols.push_back(i);
    } else {
      (joint.isOpaque(i) ? lists.opaque : lists.tensors).push_back(i);
    }
  }
  auto done = split(joint, out.sets, std::move(lists));
  if (!done) return done.error();
  out.split = std::move(*done);
  return out;
}

}  // namespace descry::passes::partition
