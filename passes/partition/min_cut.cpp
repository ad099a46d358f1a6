#include "passes/partition/min_cut.h"

#include <algorithm>
#include <cmath>

#include "passes/partition/max_flow.h"

namespace descry::passes::partition {

using ir::OpKind;

namespace {

constexpr int64_t kInfinite = FlowNetwork::kInfinite;
constexpr uint32_t kSource = 0, kSink = 1;

uint32_t inOf(uint32_t item) {
  return 2 + 2 * item;
}
uint32_t outOf(uint32_t item) {
  return 3 + 2 * item;
}

ir::Diagnostic infinitePath(const Joint& joint, const NodeSets& sets, const SavedChoice& choice,
                            const std::vector<uint32_t>& path) {
  ir::Diagnostic d;
  d.code = "partition-infinite-path";
  d.message =
      "the backward graph needs a value that can neither be saved nor recomputed; this is the path from what "
      "cannot be recomputed to what the backward graph needs";
  uint32_t last = kNoItem;
  for (uint32_t vertex : path) {
    if (vertex < 2) continue;
    const uint32_t item = (vertex - 2) / 2;
    if (item == last) continue;
    const auto edge = std::find(path.begin(), path.end(), outOf(item));
    std::string why = "'" + std::string(joint.name(item)) + "'";
    if (last != kNoItem) why += " depends on '" + std::string(joint.name(last)) + "'";
    if (last == kNoItem) why += " cannot be recomputed: " + std::string(banRuleText(choice.ban[item]));
    if (edge != path.end() && edge != path.begin() && *(edge - 1) == inOf(item)) {
      std::string_view cause = unsaveable(joint, item);
      if (cause.empty()) cause = "views are not saved";
      why += ", cannot be saved: " + std::string(cause);
    }
    if (sets.tangentClosure[item])
      why += ", must be computed in the backward graph";
    else if (joint.mustRecompute(item))
      why += ", must be recomputed";
    else if (sets.backward[item])
      why += ", must be available in the backward graph";
    const ir::Node& n = joint.graph.node(joint.ids[item]);
    d.notes.push_back({{n.line, n.column}, std::move(why)});
    if (last == kNoItem) {
      d.node = joint.name(item);
      d.loc = {n.line, n.column};
    }
    last = item;
  }
  return d;
}

}  // namespace

int64_t weightOf(const Joint& joint, const NodeSets& sets, const std::vector<int32_t>& distance,
                 uint32_t item) {
  switch (joint.value[item]) {
    case ValueClass::Int:
    case ValueClass::Bool:
      return 1;
    case ValueClass::Float:
      return 4;
    case ValueClass::None:
      return -1;
    case ValueClass::Opaque:
    case ValueClass::BackwardState:
      return 0;
    case ValueClass::Tensor:
      break;
  }
  if (joint.role[item].writtenAfterwards) return -1;
  if (joint.options.parametersAreFree && sets.isStatic[item]) return 0;
  if (joint.options.recomputeViews && joint.facts[item]->has(kViewOp)) return -1;
  const double bytes =
      static_cast<double>(joint.bytesOf(item)) * std::pow(1.1, std::max(std::min(distance[item], 100), 1));
  const auto weight = static_cast<int64_t>(std::min(bytes, 1e18));
  return isMaterialized(joint, item) ? weight : 2 * weight;
}

std::string_view unsaveable(const Joint& joint, uint32_t item) {
  if (joint.isSymbolic(item)) return {};
  switch (joint.value[item]) {
    case ValueClass::None:
      return "it is no tensor";
    case ValueClass::Tensor:
      break;
    default:
      return {};
  }
  if (joint.role[item].writtenAfterwards) return "the input is overwritten when the forward graph is done";
  return {};
}

ir::Result<SavedChoice> solveMinCut(const Joint& joint, const NodeSets& sets,
                                    const std::vector<int32_t>& distance, const BanRules& rules,
                                    const std::vector<bool>* released) {
  const uint32_t n = joint.size();
  FlowNetwork network(2 + 2 * n);
  Bans bans(joint, released);
  SavedChoice out;
  out.weight.assign(n, -1);
  std::vector<bool> cuttable(n, false);
  const auto ban = [&](uint32_t item, BanRule rule) {
    if (bans.ban(item, rule)) network.addEdge(kSource, inOf(item), kInfinite);
  };
  for (uint32_t i = 0; i < n; ++i) {
    if (joint.kind[i] == OpKind::Output) continue;
    if (sets.tangentClosure[i]) {
      network.addEdge(inOf(i), kSink, kInfinite);
      continue;
    }
    if (sets.backward[i]) network.addEdge(outOf(i), kSink, kInfinite);
    if (joint.mustRecompute(i)) {
      network.addEdge(inOf(i), kSink, kInfinite);
      continue;
    }
    if (joint.inputRole[i] == InputRole::Primal)
      ban(i, BanRule::Input);
    else if (joint.inputRole[i] == InputRole::ForwardSeed)
      ban(i, BanRule::RandomSeed);
    if (sets.forward[i])
      if (const BanRule rule = banOf(joint, sets, distance, rules, i); rule != BanRule::None) ban(i, rule);
    if (joint.forcedSave[i]) {
      network.addEdge(kSource, inOf(i), kInfinite);
      network.addEdge(outOf(i), kSink, kInfinite);
    }
    out.weight[i] = weightOf(joint, sets, distance, i);
    cuttable[i] = true;
    network.addEdge(inOf(i), outOf(i), out.weight[i] < 0 ? kInfinite : out.weight[i]);
    for (uint32_t user : joint.users[i]) network.addEdge(outOf(i), inOf(user), kInfinite);
  }
  const size_t known = bans.inOrder().size();
  if (rules.usedFarApart) banUsedFarApart(joint, sets, bans);
  if (rules.longFusibleChains) banLongFusibleChains(joint, sets, bans);
  for (size_t k = known; k < bans.inOrder().size(); ++k)
    network.addEdge(kSource, inOf(bans.inOrder()[k]), kInfinite);

  out.banned = bans.inOrder();
  out.ban.resize(n);
  for (uint32_t i = 0; i < n; ++i) out.ban[i] = bans.rule(i);
  const FlowNetwork::Cut cut = network.minimumCut(kSource, kSink);
  if (!cut.infinitePath.empty()) return infinitePath(joint, sets, out, cut.infinitePath);
  out.value = cut.value;
  for (uint32_t i = 0; i < n; ++i)
    if (cuttable[i] && !cut.sinkSide[inOf(i)] && cut.sinkSide[outOf(i)]) out.saved.push_back(i);
  return out;
}

}  // namespace descry::passes::partition
