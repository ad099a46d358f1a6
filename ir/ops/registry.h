// The op registry: all that Descry knows about each op, one registration per op.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/ops/schema.h"

namespace descry::ir {

class OpRegistry;

namespace rules {
struct Function;
struct OpRules;
}  // namespace rules

/// One property of an entry of the op table as written there; read when first asked for.
struct TableProperty {
  std::string_view key;   ///< "shape", "grad", "composite", ...
  std::string_view name;  ///< of grad: the inputs, `self, other`
  std::string_view text;
  uint32_t line = 0;  ///< of the text, in its file
  uint32_t column = 1;
};

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
  kOpOrdered =
      32768,  ///< its effect keeps its place among others of this kind: a token runs through the calls
};

/// One overload of one op: an entry of the op table (docs/op-table.md).
class OpDef {
 public:
  OpDef() = default;
  OpDef(const OpDef&) = delete;
  ~OpDef();

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
  /// First overload of the same op.
  const OpDef* head() const { return head_; }
  const OpRegistry& registry() const { return *registry_; }
  /// Told by the user (ir/ops/declarations.h), not an op of the table.
  bool declared() const;

  const std::vector<TableProperty>& properties() const { return properties_; }
  std::string_view file() const { return file_; }  ///< of the table
  bool hasProperty(std::string_view key) const;
  /// The properties, parsed on first use. Thread safe.
  const rules::OpRules& rules() const;

  /// Spellings, separated by spaces, that mean this op (any overload of it). The text must outlive the
  /// registry.
  OpDef& spelled(std::string_view spellings);
  /// Traits beyond those that the schema tells.
  void setTraits(uint32_t traits);

 private:
  friend class OpRegistry;
  std::string_view text_, ns_, name_, overload_;
  OpDef* head_ = this;  ///< first overload of the op; keeps the spellings
  OpDef* nextOverload_ = nullptr;
  OpDef* lastOverload_ = this;  ///< of the head
  std::vector<std::string_view> spellings_;
  class OpRegistry* registry_ = nullptr;
  std::vector<TableProperty> properties_;
  std::string_view file_;
  mutable std::atomic<const Schema*> schema_{nullptr};
  mutable std::atomic<const rules::OpRules*> rules_{nullptr};
};

/// A Python function that is no op itself but calls some: `torch.nn.functional.dropout`.
struct PythonFunction {
  std::string_view spelling;
  std::string_view signature;  ///< Python text: `(input, p=0.5, training=True, inplace=False)`
  bool sideEffect = false;
  std::string_view body;  ///< in the rule language; empty when only the call is known
  std::string_view file;
  uint32_t line = 0;
};

/// Filled once, then only read. Reading is thread safe.
class OpRegistry {
 public:
  /// What is not found here is looked up in `base`, which has to outlive the registry.
  explicit OpRegistry(const OpRegistry* base = nullptr);
  OpRegistry(const OpRegistry&) = delete;
  const OpRegistry* base() const { return base_; }

  /// Registers an op whose schema text outlives the registry (a literal) and is known to be right: it is
  /// parsed on first use. An op that is already there is returned unchanged.
  OpDef& op(std::string_view schema, uint32_t traits = 0);
  /// Registers an op of a text from outside; copies and parses it. Error `schema-syntax`, or `op-duplicate`.
  Status add(std::string_view schema, uint32_t traits, std::vector<std::string> spellings = {});
  /// Registers a Python function; texts must outlive the registry.
  void python(const PythonFunction& function);
  /// Reads entries of the op table (docs/op-table.md); the text must outlive the registry. Entries that
  /// cannot be read are skipped and reported: `table-syntax`, with file and line.
  void read(std::string_view text, std::string_view file, std::vector<Diagnostic>* problems = nullptr);
  /// The helper function of the table that is called `name`, parsed on first use, or null. Thread safe. A
  /// body that cannot be parsed gives null and `problem`.
  const rules::Function* function(std::string_view name, Diagnostic* problem = nullptr) const;
  /// The body of a Python function, parsed on first use, or null.
  const rules::Function* pythonBody(std::string_view spelling, Diagnostic* problem = nullptr) const;

  /// Keeps a text as long as the registry lives.
  std::string_view keep(std::string text) { return ownTexts_.emplace_back(std::move(text)); }

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

  const OpRegistry* base_ = nullptr;

  std::deque<OpDef> ops_;
  std::vector<OpDef*> slots_;  // heads by (ns, name), open addressing
  size_t heads_ = 0;
  std::unordered_map<std::string_view, SpellingEntry> bySpelling_;
  std::vector<PythonFunction> python_;
  std::unordered_map<std::string_view, uint32_t> pythonBySpelling_;
  struct Helper {
    PythonFunction source;
    bool python = false;
  };
  std::unordered_map<std::string_view, Helper> helpers_;
  mutable std::mutex parseMutex_;
  mutable std::unordered_map<const void*, std::shared_ptr<rules::Function>> parsed_;  // null: does not parse
  const rules::Function* parsed(const PythonFunction& source, bool python, Diagnostic* problem) const;
  std::deque<std::string> ownTexts_;
};

/// Splits `torch.ops.aten.add.Tensor` (or `aten.add.Tensor`, `aten::add.Tensor`) into its parts; `overload`
/// is empty when not written. False when it has not that form.
bool splitTarget(std::string_view target, std::string_view& ns, std::string_view& name,
                 std::string_view& overload);

/// Every op that Descry ships (ir/ops/table/*.ops, or the files of the folder DESCRY_OP_TABLE). Built on
/// first use, thread safe.
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
