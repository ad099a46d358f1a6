#include "passes/partition/split.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace descry::passes::partition {

namespace {

template <class... Lists>
std::vector<uint32_t> joined(const Lists&... lists) {
  std::vector<uint32_t> out;
  (out.insert(out.end(), lists.begin(), lists.end()), ...);
  return out;
}

/// Read by nothing but waits for a collective that nobody reads.
bool readByDeadWaits(const Joint& joint, const Extract& e, uint32_t item) {
  uint32_t waits = 0;
  for (uint32_t user : joint.users[item]) {
    if (!e.computed[user]) continue;
    if (!joint.facts[user]->has(kWait) || e.readers[user] != 0) return false;
    ++waits;
  }
  return e.readers[item] == waits;  // else it is returned
}

void prune(const Joint& joint, const Extract& backward, SavedLists& saved, std::vector<uint32_t>& pruned) {
  for (std::vector<uint32_t>* list : {&saved.tensors, &saved.symbols, &saved.opaque}) {
    std::vector<uint32_t> kept;
    for (uint32_t item : *list) {
      const bool unread = backward.readers[item] == 0 || readByDeadWaits(joint, backward, item);
      if (unread)
        pruned.push_back(item);
      else if (list != &saved.tensors || joint.value[item] != ValueClass::BackwardState)
        kept.push_back(item);
    }
    *list = std::move(kept);
  }
}

/// Symbols that are values of their own first, then those that types of what crosses mention, then derived
/// ones.
void bindSymbols(const Joint& joint, const NodeSets& sets, Split& out) {
  std::vector<uint32_t> binding, derived;
  std::unordered_set<std::string> bound;
  for (uint32_t item : out.saved.symbols) {
    if (std::string symbol = joint.bindsSymbol(item); !symbol.empty()) {
      bound.insert(std::move(symbol));
      binding.push_back(item);
    } else {
      derived.push_back(item);
    }
  }
  std::unordered_map<std::string, uint32_t> binderOf;
  for (uint32_t i = 0; i < joint.size(); ++i)
    if (std::string symbol = joint.bindsSymbol(i); !symbol.empty()) binderOf.emplace(std::move(symbol), i);
  for (uint32_t item : joined(derived, out.saved.tensors, sets.tangents)) {
    for (const std::string& symbol : joint.symbolsOf(item)) {
      if (!bound.insert(symbol).second) continue;
      const auto it = binderOf.find(symbol);
      if (it == binderOf.end()) continue;
      binding.push_back(it->second);
      out.boundForSize.push_back(it->second);
    }
  }
  out.saved.symbols = joined(binding, derived);
}

ir::DescId savedDescriptor(const Joint& joint, uint32_t index, bool checked) {
  return joint.graph.context().descriptor(ir::Descriptor::make(
      checked ? ir::DescKind::SavedForBackwardsOutput : ir::DescKind::SavedForBackwardsNoVcCheckOutput,
      index));
}

}  // namespace

ir::Result<Split> split(const Joint& joint, const NodeSets& sets, SavedLists chosen) {
  Split out;
  out.saved = std::move(chosen);
  SavedLists& saved = out.saved;
  auto backward =
      extract(joint, joined(saved.symbols, saved.opaque, saved.tensors, sets.tangents, sets.backwardSeeds),
              joint.backwardOutputs, Side::Backward);
  if (!backward) return backward.error();
  prune(joint, *backward, saved, out.pruned);
  bindSymbols(joint, sets, out);

  const auto checkedEnd = std::stable_partition(saved.tensors.begin(), saved.tensors.end(),
                                                [&](uint32_t i) { return !joint.role[i].noVersionCheck; });
  out.checkedTensors = static_cast<uint32_t>(checkedEnd - saved.tensors.begin());

  std::vector<JointOutput> outputs = joint.forwardOutputs;
  uint32_t index = 0;
  for (uint32_t item : joined(saved.tensors, saved.opaque, saved.symbols)) {
    const bool checked = index < out.checkedTensors || index >= saved.tensors.size();
    outputs.push_back({item, 0, savedDescriptor(joint, index, checked)});
    ++index;
  }
  auto forward = extract(joint, sets.forwardInputs(), outputs, Side::Forward);
  if (!forward) return forward.error();
  backward = extract(joint,
                     joined(saved.symbols, saved.tensors, saved.opaque, sets.tangents, sets.backwardSeeds,
                            sets.backwardStates),
                     joint.backwardOutputs, Side::Backward);
  if (!backward) return backward.error();
  out.forward = std::move(*forward);
  out.backward = std::move(*backward);
  return out;
}

}  // namespace descry::passes::partition
