// Names for new nodes, counted as torch.fx counts them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace descry::passes::partition {

/// torch.fx remembers for every base the number that it last saw behind it, and goes on from there: a graph
/// with `getitem_3` as its last getitem calls the next one `getitem_4`, or `getitem` if that name was never
/// used. Names of nodes that are gone stay used.
class FxNames {
 public:
  /// The name that a node made now gets when it asks for `wanted`.
  std::string create(std::string_view wanted);

 private:
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, uint64_t> lastNumber_;
};

}  // namespace descry::passes::partition
