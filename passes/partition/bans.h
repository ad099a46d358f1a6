// Rules that forbid the backward graph to compute a value again.
#pragma once

#include <vector>

#include "passes/partition/classify.h"

namespace descry::passes::partition {

/// Which of the rules that can be switched off hold in one search for a cut.
struct BanRules {
  bool usedFarApart = true, longFusibleChains = true, materializedBackward = true, notInAllowlist = true,
       reductions = true;
};

/// Would a compiler compute `reader` in one go with `value`?
bool isFusible(const Joint& joint, uint32_t value, uint32_t reader);
/// Stands in memory anyway: an input, or read by something that does not fuse with it.
bool isMaterialized(const Joint& joint, uint32_t item);

/// The rule that forbids to recompute an item by itself; None for no rule.
BanRule banOf(const Joint& joint, const NodeSets& sets, const std::vector<int32_t>& distance,
              const BanRules& rules, uint32_t item);

/// The banned items, and how they came to be.
class Bans {
 public:
  /// `released`, by item: may be recomputed whatever the rules say, unless it is a collective; may be null.
  Bans(const Joint& joint, const std::vector<bool>* released)
      : joint_(joint), released_(released), rule_(joint.size(), BanRule::None) {}
  /// False for what is never banned: views, released items, what must be recomputed, symbolic floats.
  bool ban(uint32_t item, BanRule rule);
  bool isBanned(uint32_t item) const { return rule_[item] != BanRule::None; }
  BanRule rule(uint32_t item) const { return rule_[item]; }
  const std::vector<uint32_t>& inOrder() const { return order_; }

 private:
  const Joint& joint_;
  const std::vector<bool>* released_;
  std::vector<BanRule> rule_;
  std::vector<uint32_t> order_;
};

/// Bans readers of a value that come after an op that nothing fuses with, on the way from its first readers:
///
///   a = x.sin();  b = a @ w;  c = a + b       c would not fuse with a's other readers: c is banned
///
/// Cost: O(edges of the forward part).
void banUsedFarApart(const Joint& joint, const NodeSets& sets, Bans& bans);

/// Bans a value now and then in a chain of fusible ops that is longer than 100. Cost: O(e log e).
void banLongFusibleChains(const Joint& joint, const NodeSets& sets, Bans& bans);

}  // namespace descry::passes::partition
