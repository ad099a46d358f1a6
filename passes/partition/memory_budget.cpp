// Chooses what to save when the memory for it is limited.
#include <algorithm>

#include "passes/partition/flops.h"
#include "passes/partition/knapsack.h"
#include "passes/partition/min_cut.h"

namespace descry::passes::partition {

namespace {

/// Sizes on a scale where the forward inputs are 0 and the fastest choice is 1.
class BudgetScale {
 public:
  BudgetScale(const Joint& joint, const std::vector<uint32_t>& inputs, const std::vector<uint32_t>& fastest)
      : joint_(joint), least_(size(inputs)), most_(size(fastest)) {}
  bool empty() const { return most_ <= least_; }
  double ratio(const std::vector<uint32_t>& items) const { return (size(items) - least_) / (most_ - least_); }
  double share(uint32_t item) const {
    return static_cast<double>(joint_.bytesOf(item)) / 1e9 / (most_ - least_);
  }

 private:
  double size(const std::vector<uint32_t>& items) const {
    int64_t sum = 0;
    for (uint32_t i : items) sum += joint_.bytesOf(i);
    return static_cast<double>(sum) / 1e9;
  }
  const Joint& joint_;
  double least_, most_;
};

/// Banned values that could be recomputed after all: the backward graph needs them, and they are neither
/// views of inputs nor bound to be saved. Greatest first.
std::vector<uint32_t> candidates(const Joint& joint, const NodeSets& sets,
                                 const std::vector<int32_t>& distance, const std::vector<uint32_t>& banned) {
  OpFactTable table(joint.graph);
  const std::vector<uint32_t> storage = findStorages(joint, joint.ids, table);
  std::vector<bool> ofInput(joint.graph.idBound(), false);
  bool someInputWithout = false;  // then what has no memory of its own counts as a view of it
  for (uint32_t i : sets.forwardInputs()) {
    if (joint.value[i] == ValueClass::Tensor)
      ofInput[storage[joint.ids[i].index]] = true;
    else
      someInputWithout = true;
  }
  std::vector<uint32_t> out;
  for (uint32_t i : banned) {
    if (distance[i] >= kNeverInBackward || joint.role[i].recompute == RecomputePolicy::MustSave) continue;
    const bool sharesInput =
        joint.value[i] == ValueClass::Tensor ? ofInput[storage[joint.ids[i].index]] : someInputWithout;
    const bool custom = joint.options.customOpsAreExpensive &&
                        (joint.facts[i]->has(kCustom) || joint.facts[i]->name == OpName::TritonFunctional);
    if (!sharesInput || custom) out.push_back(i);
  }
  std::stable_sort(out.begin(), out.end(),
                   [&](uint32_t a, uint32_t b) { return joint.bytesOf(a) > joint.bytesOf(b); });
  return out;
}

}  // namespace

namespace {
ir::Result<SavedChoice> withinBudget(const Joint& joint, const NodeSets& sets,
                                     const std::vector<int32_t>& distance, std::vector<uint32_t>& unlimited) {
  const PartitionOptions& o = joint.options;
  const double budget = o.memoryBudget;
  if (!(budget >= 0 && budget <= 1))
    return ir::failure("partition-budget",
                       "the memory budget must lie between 0 and 1, not at " + std::to_string(budget));
  const bool heuristics = !o.aggressive;
  const BanRules rules{o.banUsedFarApart && heuristics, o.banLongFusibleChains && heuristics,
                       o.banMaterializedBackward && heuristics, o.banNotInAllowlist && heuristics,
                       o.banReductions};
  const std::vector<uint32_t> inputs = sets.forwardInputs();
  const bool overwritten =
      std::any_of(inputs.begin(), inputs.end(), [&](uint32_t i) { return joint.role[i].writtenAfterwards; });
  if (budget == 0 && !overwritten) {
    if (const auto plain = solveMinCut(joint, sets, distance, rules)) unlimited = plain->saved;
    SavedChoice out;
    out.saved = inputs;
    out.ban.assign(joint.size(), BanRule::None);
    out.weight.assign(joint.size(), -1);
    return out;
  }
  auto fastest = solveMinCut(joint, sets, distance, rules);
  if (!fastest || budget == 1) return fastest;
  unlimited = fastest->saved;
  const BudgetScale scale(joint, inputs, fastest->saved);
  if (scale.empty()) return fastest;

  BanRules fewer = rules;
  fewer.usedFarApart = fewer.longFusibleChains = fewer.materializedBackward = false;
  auto smaller = solveMinCut(joint, sets, distance, fewer);
  if (!smaller || scale.ratio(smaller->saved) < budget) return smaller;
  BanRules fewest = fewer;
  fewest.notInAllowlist = false;
  auto smallest = solveMinCut(joint, sets, distance, fewest);
  if (!smallest || scale.ratio(smallest->saved) < budget) return smallest;

  const std::vector<uint32_t> items = candidates(joint, sets, distance, smallest->banned);
  if (items.empty()) return smallest;
  std::vector<double> memory, runtime;
  for (uint32_t i : items) {
    memory.push_back(scale.share(i));
    if (joint.input.runtime)
      runtime.push_back(joint.input.runtime(joint.ids[i]));
    else
      runtime.push_back(o.estimator == RuntimeEstimator::Constant ? 1 : std::max(flopsOf(joint, i), 1.0));
  }
  const KnapsackResult choice = o.solver == BudgetSolver::Greedy ? greedyKnapsack(memory, runtime, budget)
                                                                 : dynamicKnapsack(memory, runtime, budget);
  std::vector<bool> released(joint.size(), false);
  for (uint32_t k : choice.recomputable) released[items[k]] = true;
  return solveMinCut(joint, sets, distance, fewest, &released);
}
}  // namespace

ir::Result<SavedChoice> chooseSaved(const Joint& joint, const NodeSets& sets,
                                    const std::vector<int32_t>& distance) {
  std::vector<uint32_t> unlimited;
  ir::Result<SavedChoice> out = withinBudget(joint, sets, distance, unlimited);
  if (!out || unlimited.empty()) return out;
  out->overBudget.assign(joint.size(), false);
  for (uint32_t i : unlimited) out->overBudget[i] = true;
  for (uint32_t i : out->saved) out->overBudget[i] = false;
  return out;
}

}  // namespace descry::passes::partition
