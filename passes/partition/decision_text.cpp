// Decisions in words.
#include "passes/partition/partition.h"

namespace descry::passes {

std::string_view recomputePolicyName(RecomputePolicy policy) {
  switch (policy) {
    case RecomputePolicy::None:
      return "";
    case RecomputePolicy::MustSave:
      return "MUST_SAVE";
    case RecomputePolicy::PreferSave:
      return "PREFER_SAVE";
    case RecomputePolicy::MustRecompute:
      return "MUST_RECOMPUTE";
    case RecomputePolicy::PreferRecompute:
      return "PREFER_RECOMPUTE";
  }
  return "";
}

std::string_view banRuleText(BanRule rule) {
  switch (rule) {
    case BanRule::None:
      return "";
    case BanRule::Input:
      return "it is an input";
    case BanRule::RandomSeed:
      return "it is a random seed";
    case BanRule::MustSave:
      return "it is marked MUST_SAVE";
    case BanRule::NotInAllowlist:
      return "the op is not in the list of ops that are cheap to recompute";
    case BanRule::Random:
      return "the op is random";
    case BanRule::ComputeIntensive:
      return "the op is compute intensive";
    case BanRule::CustomOp:
      return "the op is a custom one";
    case BanRule::MaterializedBackward:
      return "the backward graph would have to store it anyway";
    case BanRule::TooFar:
      return "it is too far from the backward graph";
    case BanRule::Reduction:
      return "it is a reduction, much smaller than what it is computed from";
    case BanRule::UsedFarApart:
      return "it reads a value that is used near and far away, with an op between that does not fuse";
    case BanRule::LongFusibleChain:
      return "it stands in a long chain of ops that fuse";
  }
  return "";
}

namespace {

std::string cost(const ValueDecision& d) {
  std::string out = std::to_string(d.bytes) + " bytes";
  if (d.distance >= 0) out += ", distance " + std::to_string(d.distance);
  if (d.weight >= 0) out += ", weight " + std::to_string(d.weight);
  if (d.free)
    out += ", a parameter: free";
  else if (!d.materialized)
    out += ", counted twice because nothing else needs it in memory";
  return out;
}

}  // namespace

std::string decisionText(const ValueDecision& d) {
  const std::string ban = d.ban == BanRule::None ? std::string() : std::string(banRuleText(d.ban));
  switch (d.fate) {
    case ValueFate::ForwardOnly:
      return "the backward graph does not need it";
    case ValueFate::Saved:
      if (!ban.empty()) return "saved, not recomputed: " + ban + " (" + cost(d) + ")";
      return (d.weight >= 0 ? "saved: cheapest on the minimum cut ("
                            : "saved: the backward graph reads it (") +
             cost(d) + ")";
    case ValueFate::Recomputed:
      if (d.mustRecompute) return "recomputed: it is asked for, by a checkpoint policy or by hand";
      return "recomputed: saving what it is computed from is cheaper (" + cost(d) + ")";
    case ValueFate::Pruned:
      return "not saved: it was chosen, but nothing in the backward graph reads it";
    case ValueFate::SizeSaved:
      return "not saved: the backward graph needs only its sizes, which are saved";
    case ValueFate::BoundForSize:
      return "passed on: types of the backward graph mention this size";
  }
  return "";
}

}  // namespace descry::passes
