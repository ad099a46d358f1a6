#include "passes/partition/bans.h"

#include <algorithm>
#include <queue>
#include <unordered_set>

namespace descry::passes::partition {

using ir::ArgView;
using ir::OpKind;
using ir::ValueKind;

namespace {

bool holds(const Joint& joint, const ArgView& v, uint32_t item) {
  if (joint.itemOfCell(v) == item) return true;
  if (v.kind() != ValueKind::List) return false;
  for (uint32_t i = 0; i < v.size(); ++i)
    if (joint.itemOfCell(v[i]) == item) return true;
  return false;
}

/// Is `value` copied by a wrapper that then writes the copy? Then the copy needs no memory of its own.
bool fusesIntoWrapper(const Joint& joint, uint32_t value, uint32_t wrapper) {
  bool found = false;
  const auto look = [&](const ArgView& v) { found = found || holds(joint, v, value); };
  if (joint.facts[wrapper]->name == OpName::AutoFunctionalized)
    forEachMutableArgument(joint.graph, joint.ids[wrapper], look);
  else if (joint.facts[wrapper]->name == OpName::TritonFunctional)
    forEachClonedTensor(joint.graph, joint.ids[wrapper],
                        [&](const ArgView& v) { found = found || joint.itemOfCell(v) == value; });
  return found;
}

/// Some reader in the backward graph, of the value or of a view of it, needs it in memory.
bool isMaterializedBackward(const Joint& joint, const NodeSets& sets, uint32_t item) {
  if (joint.facts[item]->has(kViewOp)) return false;
  std::vector<uint32_t> stack{item};
  std::unordered_set<uint32_t> seen;
  while (!stack.empty()) {
    const uint32_t value = stack.back();
    stack.pop_back();
    for (uint32_t user : joint.users[value]) {
      if (!sets.forward[user] && !isFusible(joint, value, user)) return true;
      if (joint.facts[user]->has(kViewOp) && seen.insert(user).second) stack.push_back(user);
    }
  }
  return false;
}

/// Much smaller than what it is computed from.
bool isReduction(const Joint& joint, uint32_t item) {
  int64_t in = 0;
  for (uint32_t k = 0; k < joint.graph.argCount(joint.ids[item]); ++k)
    if (const uint32_t arg = joint.argumentItem(item, k); arg != kNoItem) in += joint.bytesOf(arg);
  return joint.bytesOf(item) * 4 < in;
}

}  // namespace

bool isFusible(const Joint& joint, uint32_t value, uint32_t reader) {
  const OpFacts& r = *joint.facts[reader];
  if (r.name == OpName::Cat) return true;
  if ((r.name == OpName::AutoFunctionalized || r.name == OpName::TritonFunctional) &&
      fusesIntoWrapper(joint, value, reader))
    return true;
  const OpFacts& v = *joint.facts[value];
  if (v.name == OpName::Getitem) {
    const uint32_t producer = joint.argumentItem(value, 0);
    if (producer != kNoItem && joint.facts[producer]->name == OpName::TritonFunctional) return false;
  }
  return v.has(kFusible) && r.has(kFusible);
}

bool isMaterialized(const Joint& joint, uint32_t item) {
  if (joint.kind[item] == OpKind::Placeholder) return true;
  for (uint32_t user : joint.users[item])
    if (!isFusible(joint, item, user)) return true;
  return false;
}

BanRule banOf(const Joint& joint, const NodeSets& sets, const std::vector<int32_t>& distance,
              const BanRules& rules, uint32_t item) {
  const OpFacts& f = *joint.facts[item];
  if (!joint.isCall(item) || f.name == OpName::Getitem) return BanRule::None;
  if (joint.role[item].recompute == RecomputePolicy::MustSave) return BanRule::MustSave;
  if (joint.options.recomputeViews && f.has(kViewOp)) return BanRule::None;
  if (f.name == OpName::LiftFresh) return BanRule::None;
  if (rules.notInAllowlist) {
    if (!f.has(kRecomputable)) return BanRule::NotInAllowlist;
  } else {
    if (f.has(kRandomOp)) return BanRule::Random;
    if (f.has(kComputeIntensive)) return BanRule::ComputeIntensive;
    if (joint.options.customOpsAreExpensive && (f.has(kCustom) || f.name == OpName::TritonFunctional))
      return BanRule::CustomOp;
  }
  if (rules.materializedBackward && isMaterializedBackward(joint, sets, item))
    return BanRule::MaterializedBackward;
  if (distance[item] < 1000 && distance[item] > joint.options.maxDistance) return BanRule::TooFar;
  if (rules.reductions && isReduction(joint, item)) return BanRule::Reduction;
  return BanRule::None;
}

bool Bans::ban(uint32_t item, BanRule rule) {
  if (joint_.facts[item]->has(kViewOp)) return false;
  if (released_ && (*released_)[item] &&
      (joint_.options.moveCollectives || !joint_.facts[item]->has(kCollective)))
    return false;
  if (joint_.mustRecompute(item) || joint_.value[item] == ValueClass::Float) return false;
  if (rule_[item] == BanRule::None) {
    rule_[item] = rule;
    order_.push_back(item);
  }
  return true;
}

void banUsedFarApart(const Joint& joint, const NodeSets& sets, Bans& bans) {
  // firstUnfusible[v]: position of the earliest op that is reached from v over fusible steps and one that is
  // not.
  const uint32_t n = joint.size();
  std::vector<uint32_t> firstUnfusible(n, kNoItem);
  for (uint32_t v = n; v-- > 0;) {
    if (!sets.forward[v]) continue;
    for (uint32_t user : joint.users[v]) {
      if (!sets.forward[user]) continue;
      const uint32_t at = isFusible(joint, v, user) ? firstUnfusible[user] : sets.forwardOrder[user];
      firstUnfusible[v] = std::min(firstUnfusible[v], at);
    }
  }
  for (uint32_t v = 0; v < n; ++v) {
    if (!sets.forward[v]) continue;
    uint32_t last = 0, first = kNoItem;
    for (uint32_t user : joint.users[v]) {
      if (!sets.forward[user]) continue;
      last = std::max(last, sets.forwardOrder[user]);
      first = std::min(first, firstUnfusible[user]);
    }
    if (first >= last) continue;  // nothing unfusible before the last reader
    for (uint32_t user : joint.users[v])
      if (sets.forward[user] && sets.forwardOrder[user] > first && !bans.isBanned(user) &&
          isFusible(joint, v, user))
        bans.ban(user, BanRule::UsedFarApart);
  }
}

void banLongFusibleChains(const Joint& joint, const NodeSets& sets, Bans& bans) {
  constexpr uint32_t kLong = 100;
  std::vector<bool> visited(joint.size(), false);
  for (uint32_t start = 0; start < joint.size(); ++start) {
    if (!sets.forward[start]) continue;
    const uint32_t startOrder = sets.forwardOrder[start];
    // Items are numbered in program order, so the least number is the next in forward order.
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> front;
    front.push(start);
    while (!front.empty()) {
      const uint32_t v = front.top();
      front.pop();
      if (visited[v]) continue;
      visited[v] = true;
      if (sets.forwardOrder[v] > startOrder + kLong && front.empty()) {
        bans.ban(v, BanRule::LongFusibleChain);
        break;
      }
      for (uint32_t user : joint.users[v])
        if (sets.forward[user] && isFusible(joint, v, user) && !bans.isBanned(user)) front.push(user);
    }
  }
}

}  // namespace descry::passes::partition
