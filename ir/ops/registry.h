// The op registry: all that Descry knows about each op, one registration per op.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/ops/schema.h"

namespace descry::ir {

/// What is known of an op beyond its schema. kOpPure, kOpView and kOpMutates follow from the schema and the
/// others and are never written in a registration.
enum OpTrait : uint32_t {
  kOpPure = 1,  ///< no write, no randomness, no other effect: may be removed when unused, merged when equal
  kOpView = 2,  ///< some result shares memory with an argument without writing it
  kOpMutates = 4,  ///< writes an argument
  kOpRandom = 8,   ///< nondeterministic_seeded
  kOpPointwise = 16,
  kOpReduction = 32,
  kOpCommunicates = 64,  ///< collective
  kOpCore = 128,         ///< in the Core ATen set
  kOpSideEffect = 256,   ///< asserts, printing, grad mode: never removed
  kOpMatmul = 512,
  kOpInplaceView = 1024,    ///< changes sizes or strides of its argument in place
  kOpDynamicShape = 2048,   ///< result sizes depend on values
  kOpDataDependent = 4096,  ///< returns a value read from a tensor
  kOpViewCopy = 8192,       ///< the copying twin of a view op
  kOpComposite = 16384,     ///< takes subgraphs or ops as arguments (higher order)
};

/// One overload of one op. Made by OpRegistry::op; the registration may go on behind it:
///   ops.op("aten::abs(Tensor self) -> Tensor", kOpCore | kOpPointwise).spelled("torch.abs .abs");
class OpDef {
 public:
  OpDef() = default;
  OpDef(const OpDef&) = delete;
  ~OpDef() { delete schema_.load(std::memory_order_relaxed); }

  uint32_t traits = 0;

  /// Parsed on first use. Thread safe.
  const Schema& schema() const;
  /// The schema text as registered.
  std::string_view text() const { return text_; }
  std::string_view ns() const { return ns_; }
  std::string_view name() const { return name_; }
  std::string_view overload() const { return overload_; }
  /// "torch.ops.aten.add.Tensor".
  std::string target() const;
  /// Torch-level spellings of the op, for all its overloads: `torch.relu`, `.relu` for the method,
  /// `operator.add`.
  const std::vector<std::string_view>& spellings() const { return head_->spellings_; }
  /// Next overload of the same op in order of registration, or null.
  const OpDef* nextOverload() const { return nextOverload_; }
  bool has(uint32_t trait) const { return (traits & trait) != 0; }

  /// Spellings, separated by spaces, that mean this op (any overload of it). The text must outlive the
  /// registry.
  OpDef& spelled(std::string_view spellings);

 private:
  friend class OpRegistry;
  std::string_view text_, ns_, name_, overload_;
  OpDef* head_ = this;  ///< first overload of the op; keeps the spellings
  OpDef* nextOverload_ = nullptr;
  OpDef* lastOverload_ = this;  ///< of the head
  std::vector<std::string_view> spellings_;
  class OpRegistry* registry_ = nullptr;
  mutable std::atomic<const Schema*> schema_{nullptr};
};

/// A Python function that is no op itself but calls some: `torch.nn.functional.dropout`.
struct PythonFunction {
  std::string_view spelling;
  std::string_view signature;  ///< Python text: `(input, p=0.5, training=True, inplace=False)`
  bool sideEffect = false;
};

/// Filled once, then only read. Reading is thread safe.
class OpRegistry {
 public:
  OpRegistry();
  OpRegistry(const OpRegistry&) = delete;

  /// Registers an op whose schema text outlives the registry (a literal) and is known to be right: it is
  /// parsed on first use. An op that is already there is returned unchanged.
  OpDef& op(std::string_view schema, uint32_t traits = 0);
  /// Registers an op of a text from outside; copies and parses it. Error `schema-syntax`, or `op-duplicate`.
  Status add(std::string_view schema, uint32_t traits, std::vector<std::string> spellings = {});
  /// Registers a Python function; texts must outlive the registry.
  void python(std::string_view spelling, std::string_view signature, bool sideEffect = false);

  /// By target: `torch.ops.aten.add.Tensor`, or without `torch.ops.`; a missing overload means `default`, and
  /// when there is no such overload, the first one.
  const OpDef* find(std::string_view target) const;
  /// The first overload of `ns::name`, or null; the others follow by nextOverload.
  const OpDef* findName(std::string_view ns, std::string_view name) const;
  /// All overloads that a torch-level spelling may mean; empty when not known.
  std::vector<const OpDef*> findSpelling(std::string_view spelling) const;
  const PythonFunction* findPython(std::string_view spelling) const;
  /// Known as an op, an op without overload, a spelling, or a Python function.
  bool knows(std::string_view target) const;

  /// In order of registration.
  const std::deque<OpDef>& all() const { return ops_; }
  const std::vector<PythonFunction>& pythonFunctions() const { return python_; }
  size_t spellingCount() const { return bySpelling_.size(); }

 private:
  friend class OpDef;
  struct SpellingEntry {
    OpDef* first = nullptr;
    std::vector<OpDef*> more;
  };
  OpDef*& slot(std::string_view ns, std::string_view name);
  void growSlots();

  std::deque<OpDef> ops_;
  std::vector<OpDef*> slots_;  // heads by (ns, name), open addressing
  size_t heads_ = 0;
  std::unordered_map<std::string_view, SpellingEntry> bySpelling_;
  std::vector<PythonFunction> python_;
  std::unordered_map<std::string_view, uint32_t> pythonBySpelling_;
  std::deque<std::string> ownTexts_;
};

/// Splits `torch.ops.aten.add.Tensor` (or `aten.add.Tensor`, `aten::add.Tensor`) into its parts; `overload`
/// is empty when not written. False when it has not that form.
bool splitTarget(std::string_view target, std::string_view& ns, std::string_view& name,
                 std::string_view& overload);

/// Every op that Descry ships (ir/ops/*.cpp). Built on first use, thread safe.
const OpRegistry& allOps();

/// True when a call of `target` must stay although nobody reads it, as torch.fx decides: ops that write an
/// argument, ops marked as effects (asserts, constraints, prints, waits, grad mode, autocast),
/// `operator.setitem`, and random ops unless `randomIsEffect` is false (AOT drops dead random ops). Kept
/// beyond torch.fx, because dropping them would lose what they do: with_effects, mutating Triton kernels,
/// in-place methods and operators.
/// What is not known counts as effectful if its name ends in `_` (but not in `__`) or it is an in-place
/// operator.
bool hasEffect(const OpRegistry& ops, std::string_view target, bool randomIsEffect = true);

}  // namespace descry::ir
