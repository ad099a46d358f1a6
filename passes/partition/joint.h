// Joint: the joint graph as the partitioners work on it, dense and in program order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "passes/partition/op_facts.h"
#include "passes/partition/partition.h"

namespace descry::passes::partition {

inline constexpr uint32_t kNoItem = 0xFFFFFFFF;

/// Lists of item numbers, one a item, stored end to end.
class ItemLists {
 public:
  std::span<const uint32_t> operator[](uint32_t i) const {
    return {items_.data() + begin_[i], items_.data() + begin_[i + 1]};
  }
  void begin(uint32_t lists) { begin_.assign(1, 0), begin_.reserve(lists + 1); }
  void push(uint32_t item) { items_.push_back(item); }
  void endList() { begin_.push_back(static_cast<uint32_t>(items_.size())); }
  /// For every list of `from` that holds j: j's list gets its number, in order.
  static ItemLists transposed(const ItemLists& from, uint32_t lists);

 private:
  std::vector<uint32_t> begin_{0}, items_;
};

/// What a node's value is.
enum class ValueClass : uint8_t { None, Tensor, Int, Float, Bool, Opaque, BackwardState };

/// A returned value of the joint graph.
struct JointOutput {
  uint32_t item = kNoItem;  ///< kNoItem for None and other constants
  uint32_t cell = 0;        ///< of the value in the joint graph
  ir::DescId desc;
};

struct JointOptions {
  bool removeDead = false;
  bool mergeEqual = false;
};

/// The joint graph without dead and merged nodes. An item is a node; numbers follow program order; the last
/// item is the output.
struct Joint {
  const PartitionInput& input;
  const PartitionOptions& options;
  const ir::Graph& graph;

  std::vector<ir::NodeId> ids;        ///< of each item
  std::vector<uint32_t> itemOf;       ///< by node id: its item, or that of the node it was merged into
  std::vector<const OpFacts*> facts;  ///< by item; never null
  std::vector<ir::OpKind> kind;
  std::vector<ValueClass> value;
  std::vector<InputRole> inputRole;  ///< of placeholders; Auto for everything else
  std::vector<NodeRole> role;
  std::vector<bool> forcedSave;  ///< by wish of the caller
  ItemLists inputs;              ///< distinct, in argument order
  ItemLists users;               ///< distinct, in program order
  std::vector<JointOutput> forwardOutputs, backwardOutputs;

  uint32_t size() const { return static_cast<uint32_t>(ids.size()); }
  uint32_t outputItem() const { return size() - 1; }
  bool isCall(uint32_t i) const { return kind[i] == ir::OpKind::CallFunction; }
  bool isSymbolic(uint32_t i) const {
    return value[i] == ValueClass::Int || value[i] == ValueClass::Float || value[i] == ValueClass::Bool;
  }
  bool isOpaque(uint32_t i) const { return value[i] == ValueClass::Opaque; }
  bool mustRecompute(uint32_t i) const {
    return role[i].recompute == RecomputePolicy::MustRecompute ||
           role[i].recompute == RecomputePolicy::PreferRecompute;
  }
  bool mustBeInForward(uint32_t i) const;
  bool mustBeInBackward(uint32_t i) const;
  /// Stays although nobody reads it.
  bool isImpure(uint32_t i) const {
    return facts[i]->has(kImpure) || (options.fallbackRandom && facts[i]->has(kSeeded));
  }
  std::string_view name(uint32_t i) const { return graph.nodeName(ids[i]); }
  /// The item that argument `index` of a call reads, or kNoItem.
  uint32_t argumentItem(uint32_t i, uint32_t index) const;
  uint32_t itemOfCell(const ir::ArgView& value) const;
  /// A sampling op whose seed matters: not attention without dropout.
  bool isRandom(uint32_t i) const;

  /// Bytes of the value: elements times element size for tensors, 1 for symbols, the sum for tuples.
  int64_t bytesOf(uint32_t i) const;
  /// Names of the size symbols that its type mentions, before and after replacements, sorted.
  std::vector<std::string> symbolsOf(uint32_t i) const;
  /// The single symbol that the value is, if it is new there; "" otherwise.
  std::string bindsSymbol(uint32_t i) const;
  int64_t sizeHint(const ir::Dim& dim) const;

  Joint(const PartitionInput& in, const PartitionOptions& opts, const JointOptions& what);
  Joint(const Joint&) = delete;

 private:
  void readRoles(const std::vector<ir::NodeId>& order);
  void link();

  mutable OpFactTable table_;
  mutable std::vector<int64_t> bytesByType_;  // by TypeId; -1 not yet asked
  const std::vector<std::string>& symbolsOf(ir::TypeId type) const;
  ir::TypeId originalType(uint32_t i) const;
  mutable std::vector<std::unique_ptr<std::vector<std::string>>> symbolsByType_;
};

/// Calls f for what a functional wrapper writes: the arguments that its op's schema writes, or the tensors
/// that a Triton kernel clones first.
void forEachMutableArgument(const ir::Graph& graph, ir::NodeId id,
                            const std::function<void(const ir::ArgView&)>& f);
void forEachClonedTensor(const ir::Graph& graph, ir::NodeId id,
                         const std::function<void(const ir::ArgView&)>& f);

/// Numbers in which equal values share memory, by position in `order`: of roles, else by the ops' schemas.
std::vector<uint32_t> findStorages(const Joint& joint, const std::vector<ir::NodeId>& order,
                                   OpFactTable& table);

/// Which of the nodes in `order` compute what an earlier one computes: by position, the position of the
/// earlier node, or its own. Calls that the backward outputs need and others are never merged.
std::vector<uint32_t> findEqual(const Joint& joint, const std::vector<ir::NodeId>& order, OpFactTable& table);

}  // namespace descry::passes::partition
