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

std::string decisionReason(const ValueDecision& d) {
  const std::string ban = d.ban == BanRule::None ? std::string() : std::string(banRuleText(d.ban));
  switch (d.fate) {
    case ValueFate::ForwardOnly:
      return "the backward graph does not need it";
    case ValueFate::Saved:
      if (d.asked) return "it is asked for by hand (" + cost(d) + ")";
      if (!ban.empty()) return ban + " (" + cost(d) + ")";
      return (d.weight >= 0 ? "cheapest on the minimum cut (" : "the backward graph needs it (") + cost(d) +
             ")";
    case ValueFate::Recomputed:
      if (d.asked) return "it is asked for by hand";
      if (d.mustRecompute) return "a checkpoint policy asks for it";
      if (d.overBudget) return "the memory budget does not let it be saved (" + cost(d) + ")";
      return "saving what it is computed from is cheaper (" + cost(d) + ")";
    case ValueFate::Pruned:
      return "it was chosen, but nothing in the backward graph reads it";
    case ValueFate::SizeSaved:
      return "the backward graph needs only its sizes, which are saved";
    case ValueFate::BoundForSize:
      return "types of the backward graph mention this size";
  }
  return "";
}

std::string decisionText(const ValueDecision& d) {
  const std::string why = decisionReason(d);
  switch (d.fate) {
    case ValueFate::ForwardOnly:
      return why;
    case ValueFate::Saved:
      return (d.ban == BanRule::None || d.asked ? "saved: " : "saved, not recomputed: ") + why;
    case ValueFate::Recomputed:
      return "recomputed: " + why;
    case ValueFate::Pruned:
    case ValueFate::SizeSaved:
      return "not saved: " + why;
    case ValueFate::BoundForSize:
      return "passed on: " + why;
  }
  return why;
}

}  // namespace descry::passes
