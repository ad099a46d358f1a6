#include "passes/partition/partition.h"

#include <algorithm>
#include <unordered_map>

#include "passes/partition/nested_regions.h"
#include "passes/partition/partitioners.h"
#include "passes/partition/recompute_tags.h"
#include "passes/partition/reorder.h"
#include "passes/partition/rng_pairing.h"

namespace descry::passes {

namespace {

using namespace partition;  // NOLINT: the parts of this pass

std::vector<SavedValue> savedValues(const Joint& joint, const Split& split) {
  std::vector<SavedValue> out;
  const SavedLists& s = split.saved;
  for (uint32_t k = 0; k < s.tensors.size(); ++k)
    out.push_back({joint.ids[s.tensors[k]],
                   k < split.checkedTensors ? SavedKind::Tensor : SavedKind::TensorNoVersionCheck,
                   joint.bytesOf(s.tensors[k])});
  for (uint32_t i : s.opaque) out.push_back({joint.ids[i], SavedKind::Opaque, 0});
  for (uint32_t i : s.symbols) out.push_back({joint.ids[i], SavedKind::Symbol, 0});
  return out;
}

/// What became of every value of the forward graph.
std::vector<ValueDecision> decisions(const Joint& joint, const Choice& choice) {
  const uint32_t n = joint.size();
  std::vector<ValueFate> fate(n, ValueFate::ForwardOnly);
  std::vector<int32_t> savedIndex(n, -1);
  std::vector<bool> onCut(n, false);
  for (uint32_t i : choice.cut.saved) onCut[i] = true;
  for (uint32_t i : choice.split.backward.body) fate[i] = ValueFate::Recomputed;
  for (uint32_t i : choice.sizesOnly) fate[i] = ValueFate::SizeSaved;
  for (uint32_t i : choice.split.pruned) fate[i] = ValueFate::Pruned;
  int32_t index = 0;
  const SavedLists& s = choice.split.saved;
  for (const std::vector<uint32_t>* list : {&s.tensors, &s.opaque, &s.symbols})
    for (uint32_t i : *list) {
      fate[i] = ValueFate::Saved;
      savedIndex[i] = index++;
    }
  for (uint32_t i : choice.split.boundForSize) fate[i] = ValueFate::BoundForSize;

  std::vector<bool> asked(n, false);
  for (const PartitionOverride& o : joint.input.overrides)
    if (o.node.index < joint.itemOf.size() && joint.itemOf[o.node.index] != kNoItem)
      asked[joint.itemOf[o.node.index]] = true;

  std::vector<ValueDecision> out;
  for (uint32_t i = 0; i < n; ++i) {
    const bool crosses = savedIndex[i] >= 0 || fate[i] == ValueFate::Pruned;
    // No forward output needs what leads to a saved value only: the forward graph computes it all the same.
    if (!choice.sets.forward[i] && !choice.split.forward.computed[i] && !crosses) continue;
    ValueDecision d;
    d.node = joint.ids[i];
    d.fate = fate[i];
    d.mustRecompute = joint.mustRecompute(i);
    d.asked = asked[i];
    d.overBudget = i < choice.cut.overBudget.size() && choice.cut.overBudget[i];
    d.onCut = onCut[i];
    d.free = joint.options.parametersAreFree && choice.sets.isStatic[i];
    d.savedIndex = savedIndex[i];
    d.bytes = joint.bytesOf(i);
    if (joint.role[i].recompute == RecomputePolicy::MustSave) d.ban = BanRule::MustSave;
    if (!choice.distance.empty()) {
      d.distance = choice.distance[i] >= kNeverInBackward ? -1 : choice.distance[i];
      d.materialized = isMaterialized(joint, i);
      if (i < choice.cut.ban.size()) d.ban = choice.cut.ban[i];
      if (i < choice.cut.weight.size()) d.weight = choice.cut.weight[i];
    }
    out.push_back(d);
  }
  return out;
}

/// A memory budget may repeat random ops that no checkpoint marks. PyTorch gives only those of checkpoints
/// their states again: the others draw other numbers in the backward graph.
void warnOfRepeatedRandom(const Joint& joint, const Choice& choice, std::vector<ir::Diagnostic>& warnings) {
  for (uint32_t i = 0; i < joint.size(); ++i) {
    if (!choice.split.forward.computed[i] || !choice.split.backward.computed[i] || !joint.isRandom(i))
      continue;
    if (choice.recomputesRandom && joint.mustRecompute(i)) continue;
    ir::Diagnostic d = ir::failure(
        "partition-random-repeated",
        "'" + std::string(joint.name(i)) +
            "' is random and computed in both graphs: the backward graph draws other numbers, as in PyTorch");
    d.severity = ir::Severity::Warning;
    d.node = joint.name(i);
    warnings.push_back(std::move(d));
  }
}

/// A wish for what the backward graph does not need changes nothing that is saved.
void warnOfIdleWishes(const Joint& joint, const std::vector<ValueDecision>& decisions,
                      std::vector<ir::Diagnostic>& warnings) {
  for (const ValueDecision& v : decisions) {
    if (!v.asked || v.fate != ValueFate::ForwardOnly) continue;
    const std::string name(joint.graph.nodeName(v.node));
    ir::Diagnostic d = ir::failure("partition-idle-wish", "the wish for `" + name +
                                                              "` changes nothing that is saved: the backward "
                                                              "graph does not need it");
    d.severity = ir::Severity::Warning;
    d.node = name;
    warnings.push_back(std::move(d));
  }
}

ir::Result<Partition> finish(Joint& joint, const Choice& choice, PartitionOptions::Method method) {
  const Split& split = choice.split;
  BuiltGraph forward = build(joint, split.forward, Side::Forward);
  BuiltGraph backward = build(joint, split.backward, Side::Backward);
  const bool minCut = method == PartitionOptions::Method::MinCut;
  if (!minCut) {
    dropDeadCollectives(forward.graph());
    dropDeadCollectives(backward.graph());
  }
  RandomPairing random;
  if (choice.recomputesRandom) {
    auto paired = pairRandomOps(joint, split, forward, backward);
    if (!paired) return paired.error();
    random = *paired;
  }
  if (minCut || choice.recomputes) {
    std::vector<ir::NodeId> tangents;
    for (uint32_t i : choice.sets.tangents) tangents.push_back(backward.node(i));
    reorderLikeAutograd(backward.graph(), tangents);
  }
  raiseGetitems(forward.graph());
  raiseGetitems(backward.graph());
  if (joint.input.module)
    for (BuiltGraph* g : {&forward, &backward}) adoptSubgraphs(g->module, *joint.input.module, joint.graph);
  random.generators += threadGenerators(forward.module, Side::Forward);
  if (minCut || choice.sets.anyBackward) threadGenerators(backward.module, Side::Backward);

  Partition out(std::move(forward.module), std::move(backward.module));
  out.saved = savedValues(joint, split);
  out.decisions = decisions(joint, choice);
  out.cutValue = choice.cut.value;
  for (const SavedValue& s : out.saved)
    if (s.kind != SavedKind::Symbol) out.savedBytes += s.bytes;
  out.randomStates = random.states;
  out.graphsafeStates = random.generators;
  out.method = method;
  warnOfRepeatedRandom(joint, choice, out.warnings);
  warnOfIdleWishes(joint, out.decisions, out.warnings);
  return out;
}

ir::Result<Partition> minCutPartition(const PartitionInput& input, const PartitionOptions& options);

ir::Result<Partition> defaultPartition(const PartitionInput& input, const PartitionOptions& options) {
  Joint joint(input, options, {});
  std::optional<uint32_t> write;
  if (hasRecomputable(joint)) write = firstForeignWrite(joint);
  if (write) {
    auto out = minCutPartition(input, options);
    if (out) {
      ir::Diagnostic d = ir::failure(
          "partition-not-functional",
          "'" + std::string(joint.name(*write)) +
              "' writes something else than an input, so the checkpoints are cut by the minimum cut");
      d.severity = ir::Severity::Warning;
      d.node = joint.name(*write);
      out->warnings.push_back(std::move(d));
    }
    return out;
  }
  auto choice = chooseByDefault(joint);
  if (!choice) return choice.error();
  return finish(joint, *choice, PartitionOptions::Method::Default);
}

ir::Result<Partition> minCutPartition(const PartitionInput& input, const PartitionOptions& options) {
  Joint joint(input, options, {true, options.mergeEqual});
  const bool recomputes = hasRecomputable(joint), recomputesRandom = hasRecomputableRandom(joint);
  if (recomputes) cleanupRecomputeTags(joint, false);
  if (ir::Status s = forceSaves(joint); !s) return s.error();
  auto sets = classify(joint);
  if (!sets) return sets.error();
  if (!sets->anyBackward) {
    auto choice = chooseByDefault(joint);
    if (!choice) return choice.error();
    return finish(joint, *choice, PartitionOptions::Method::Default);
  }
  auto choice = chooseByMinCut(joint, std::move(*sets));
  if (!choice) return choice.error();
  choice->recomputes = recomputes;
  choice->recomputesRandom = recomputes && recomputesRandom;
  return finish(joint, *choice, PartitionOptions::Method::MinCut);
}

/// The first node that reads a value defined behind it; damaged logs hold some.
ir::NodeId firstOutOfOrder(const ir::Graph& g) {
  std::vector<bool> defined(g.idBound(), false);
  for (ir::NodeId id : g.nodes()) {
    bool early = false;
    g.forEachInput(id, [&](ir::NodeId in) { early = early || !defined[in.index]; });
    if (early) return id;
    defined[id.index] = true;
  }
  return {};
}

ir::Status checkJoint(const PartitionInput& input) {
  const ir::Graph& g = *input.joint;
  if (!g.output() || g.outputs().size() < input.forwardOutputs)
    return ir::failure("partition-no-output",
                       "the joint graph returns " + std::to_string(g.outputs().size()) + " values, " +
                           std::to_string(input.forwardOutputs) + " of the forward graph were expected");
  const ir::NodeId id = firstOutOfOrder(g);
  if (!id) return {};
  ir::Diagnostic d;
  d.code = "partition-order";
  d.node = g.nodeName(id);
  d.message = "'" + d.node + "' reads a value that is defined behind it";
  d.loc = {g.node(id).line, g.node(id).column};
  return d;
}

/// Wishes that cannot be: for a value that only the backward graph has, or that nobody computes.
ir::Status checkWishes(const PartitionInput& input, const PartitionOptions& options) {
  PartitionInput plain = input;
  plain.overrides.clear();
  const Joint joint(plain, options, {});
  const auto sets = classify(joint);
  if (!sets) return {};  // the cut itself says why
  using Wish = PartitionOverride::Wish;
  std::unordered_map<uint32_t, Wish> wishes;
  for (const PartitionOverride& o : input.overrides) {
    const ir::Graph& g = *input.joint;
    const std::string name = "`" + std::string(g.nodeName(o.node)) + "`";
    const bool save = o.wish == Wish::Save;
    const auto refuse = [&](const std::string& why) {
      ir::Diagnostic d = ir::failure(
          "partition-wish", name + (save ? " cannot be saved" : " cannot be recomputed") + ": " + why);
      d.node = g.nodeName(o.node);
      return d;
    };
    const auto [known, fresh] = wishes.emplace(o.node.index, o.wish);
    if (!fresh && known->second != o.wish) {
      ir::Diagnostic d = ir::failure("partition-wish", name + " is asked to be saved and to be recomputed");
      d.node = g.nodeName(o.node);
      return d;
    }
    const uint32_t i = o.node.index < joint.itemOf.size() ? joint.itemOf[o.node.index] : kNoItem;
    if (i == kNoItem || joint.kind[i] == ir::OpKind::Output) return refuse("it is no value");
    if (joint.kind[i] == ir::OpKind::Placeholder && sets->tangentClosure[i])
      return refuse("it is an input of the backward graph");
    if (joint.kind[i] == ir::OpKind::Placeholder && !save)
      return refuse("it is an input, which nothing computes");
    if (sets->tangentClosure[i]) return refuse("it is computed in the backward graph, from its gradients");
    if (const std::string_view why = unsaveable(joint, i); save && !why.empty()) {
      // The results of a call with several are values of their own.
      std::string results;
      for (const ir::NodeId user : g.users(o.node))
        if (g.target(user) == "operator.getitem")
          results += (results.empty() ? "`" : ", `") + std::string(g.nodeName(user)) + "`";
      return refuse(std::string(why) + (results.empty() ? "" : "; its results are " + results));
    }
  }
  return {};
}

}  // namespace

ir::Result<Partition> partition::cutOne(const PartitionInput& input, const PartitionOptions& options) {
  if (ir::Status s = checkJoint(input); !s) return s.error();
  if (!input.overrides.empty())
    if (ir::Status s = checkWishes(input, options); !s) return s.error();
  return options.method == PartitionOptions::Method::Default ? defaultPartition(input, options)
                                                             : minCutPartition(input, options);
}

ir::Result<Partition> partitionJoint(const PartitionInput& input, const PartitionOptions& options) {
  if (ir::Status s = checkJoint(input); !s) return s.error();
  auto regions = cutNestedRegions(input, options);
  if (!regions) return regions.error();
  if (!*regions) return cutOne(input, options);
  PartitionInput stitched = input;
  stitched.module = (*regions)->module.get();
  stitched.joint = &stitched.module->graphs[(*regions)->joint];
  stitched.roles = std::move((*regions)->roles);
  auto out = cutOne(stitched, options);
  if (out) out->stitched = std::move((*regions)->module);
  return out;
}

}  // namespace descry::passes
