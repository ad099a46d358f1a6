// Cuts a joint graph into a forward and a backward graph, as PyTorch's two partitioners do.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/core/graph.h"
#include "ir/support/result.h"

namespace descry::ir {
class OpRegistry;
}

namespace descry::passes {

/// Where the trace made a node, and where its effect has to happen.
enum class PartitionTag : uint8_t { None, Forward, Backward, MustBeInForward, MustBeInBackward };

/// What a checkpoint policy says about a node. Prefer-save changes nothing; prefer-recompute recomputes.
enum class RecomputePolicy : uint8_t { None, MustSave, PreferSave, MustRecompute, PreferRecompute };
/// "MUST_SAVE", as graphs print it; "" for None.
std::string_view recomputePolicyName(RecomputePolicy policy);

/// What a placeholder is. Auto: as its descriptor says, and a primal when there is none.
enum class InputRole : uint8_t { Auto, Primal, Tangent, ForwardSeed, BackwardSeed };

/// Values that a type does not tell. Auto: as the type says; a value without a type is no tensor.
enum class ValueRole : uint8_t { Auto, Tensor, Int, Float, Bool, Opaque, BackwardState };

/// What the partitioners ask of a node beside what stands in the graph. The tracer fills this.
struct NodeRole {
  PartitionTag tag = PartitionTag::None;
  RecomputePolicy recompute = RecomputePolicy::None;
  InputRole input = InputRole::Auto;
  ValueRole value = ValueRole::Auto;
  bool hasBackwardHook = false;    ///< a hook waits for the gradient of this value
  bool noVersionCheck = false;     ///< a custom function kept the value without save_for_backward
  bool writtenAfterwards = false;  ///< an input that the runtime overwrites when the forward graph is done
  int32_t region = -1;             ///< checkpoint region, growing in program order; -1: in none
  int32_t call = -1;               ///< of a nested region: its forward and its backward call share a number
  int32_t storage = -1;            ///< equal numbers share memory; -1: as the schemas of the ops say
  uint32_t context = 0;            ///< stream and memory pool: equal calls of two contexts stay apart
  int64_t bytes = -1;              ///< of a tuple or list, all elements; -1: of those that are read
};

enum class RuntimeEstimator : uint8_t { Flops, Constant };
enum class BudgetSolver : uint8_t { Dynamic, Greedy };

/// PyTorch's options under other names; defaults are PyTorch's.
struct PartitionOptions {
  enum class Method : uint8_t { Default, MinCut };
  Method method = Method::Default;

  bool mergeEqual = true;               ///< cse; min-cut only
  bool parametersAreFree = true;        ///< treat_parameters_as_free_to_save
  int32_t maxDistance = 1000;           ///< max_dist_from_bw; works below 1000
  bool banUsedFarApart = true;          ///< ban_recompute_used_far_apart
  bool banLongFusibleChains = true;     ///< ban_recompute_long_fusible_chains
  bool banMaterializedBackward = true;  ///< ban_recompute_materialized_backward
  bool banNotInAllowlist = true;        ///< ban_recompute_not_in_allowlist
  bool banReductions = true;            ///< ban_recompute_reductions
  bool recomputeViews = false;          ///< recompute_views
  bool aggressive = false;              ///< aggressive_recomputation
  bool customOpsAreExpensive = false;   ///< is_non_builtin_to_include
  bool moveCollectives = false;         ///< unsafe_allow_optimization_of_collectives

  double memoryBudget = 1.0;  ///< activation_memory_budget, from 0 (keep the inputs) to 1 (fastest)
  RuntimeEstimator estimator = RuntimeEstimator::Flops;
  BudgetSolver solver = BudgetSolver::Dynamic;

  bool graphsafeRandom = true;  ///< graphsafe_rng_functionalization
  bool fallbackRandom = false;  ///< random ops run as eager ones: dead ones stay, states are saved as tensors
  /// PyTorch loses the output descriptors of a forward graph that returns random states. True: they are kept.
  bool describeRandomStates = false;
};

/// A wish for one value, to try out what a partition would cost.
struct PartitionOverride {
  enum class Wish : uint8_t { Save, Recompute };
  ir::NodeId node;
  Wish wish = Wish::Save;
};

struct PartitionInput {
  const ir::Module* module = nullptr;  ///< that `joint` is a graph of; null: without subgraphs
  const ir::Graph* joint = nullptr;
  const ir::OpRegistry* ops = nullptr;  ///< null: the op table
  uint32_t forwardOutputs = 0;          ///< how many of the joint outputs belong to the forward graph
  std::vector<NodeRole> roles;          ///< by node id; nodes beyond the end have the default role
  std::vector<uint32_t> staticInputs;   ///< positions among the primals: parameters, kept alive anyway
  std::vector<PartitionOverride> overrides;
  /// Run time of a node, in any unit; when given, the budget goes by it and not by options.estimator.
  std::function<double(ir::NodeId)> runtime;
  /// Names of nodes that were in the joint graph and are gone, in order: torch.fx does not give them again.
  /// Only calls of nested regions are named by it.
  std::vector<std::string> goneNames;
  /// Size of a random state of the CPU. PyTorch takes it for a symbol, `s26`, whose number depends on how
  /// many tensors it has faked before.
  std::string randomStateSize = "5056";
  /// Roles of a subgraph that a backward call of a nested region names: it is the joint graph of that region.
  /// Empty: deriveRoles.
  std::function<std::vector<NodeRole>(const ir::Graph& subgraph, uint32_t forwardOutputs)> subgraphRoles;
  /// The type of a node as it was before symbols were found equal and replaced, `Sym(s80)` for what is
  /// printed as `Sym(s17)`; empty when it is the same. Both symbols have to reach the backward graph.
  std::function<std::string(ir::NodeId)> originalType;
  /// The value of a symbolic size for estimates. Asked for whole expressions first, then for their symbols;
  /// nothing means 4096. PyTorch takes 4096, or the nearest value in the symbol's range, for a symbol without
  /// a hint.
  std::function<std::optional<int64_t>(std::string_view)> hint;
};

/// Why the backward graph may not compute a value again.
enum class BanRule : uint8_t {
  None,
  Input,  ///< an input of the forward graph
  RandomSeed,
  MustSave,  ///< a checkpoint policy says so
  NotInAllowlist,
  Random,
  ComputeIntensive,
  CustomOp,
  MaterializedBackward,
  TooFar,
  Reduction,
  UsedFarApart,
  LongFusibleChain,
};
/// "not in the list of ops that are cheap to recompute"
std::string_view banRuleText(BanRule rule);

/// What became of a value that the forward graph computes or takes.
enum class ValueFate : uint8_t {
  ForwardOnly,  ///< the backward graph does not need it
  Saved,
  Recomputed,    ///< the backward graph computes it again
  Pruned,        ///< chosen to be saved, but nothing in the backward graph reads it
  SizeSaved,     ///< only its sizes are needed: they are saved in its stead
  BoundForSize,  ///< a size symbol that is passed because types in the backward graph mention it
};

struct ValueDecision {
  ir::NodeId node;  ///< of the joint graph
  ValueFate fate = ValueFate::ForwardOnly;
  BanRule ban = BanRule::None;
  bool mustRecompute = false;  ///< a checkpoint policy or an override asks for it
  bool asked = false;          ///< an override asks for what became of it
  bool overBudget = false;     ///< would be saved if the memory budget were not
  bool onCut = false;          ///< the minimum cut, or the default rule, chose it
  bool materialized = true;  ///< stands in memory anyway: an input, or read by an op that it cannot fuse with
  bool free = false;         ///< costs nothing: a parameter
  int32_t distance = -1;     ///< ops between it and the first reader in the backward graph; -1: unknown
  int64_t bytes = 0;
  int64_t weight = -1;      ///< capacity of its edge; -1: cannot be saved, or no min-cut was made
  int32_t savedIndex = -1;  ///< position among the saved values
};
/// One sentence: `saved, not recomputed: it is a reduction, ... (128 bytes, distance 1, weight 140)`.
std::string decisionText(const ValueDecision& decision);
/// The same without what became of the value: `it is a reduction, ... (128 bytes, distance 1, weight 140)`.
std::string decisionReason(const ValueDecision& decision);

enum class SavedKind : uint8_t { Tensor, TensorNoVersionCheck, Opaque, Symbol };

struct SavedValue {
  ir::NodeId node;  ///< of the joint graph
  SavedKind kind = SavedKind::Tensor;
  int64_t bytes = 0;
};

struct Partition {
  /// The joint graph that was cut when that is not the given one but one with its nested regions cut: node
  /// ids below belong to it. Nodes that were there before keep their ids.
  std::shared_ptr<const ir::Module> stitched;
  ir::Module forward, backward;          ///< roots named as PyTorch names them, with the subgraphs they call
  std::vector<SavedValue> saved;         ///< in the order in which the forward graph returns them
  std::vector<ValueDecision> decisions;  ///< one a value of the forward graph, in program order
  int64_t cutValue = 0;                  ///< sum of the weights on the cut; 0 for the default partition
  int64_t savedBytes = 0;                ///< of the saved tensors
  uint32_t randomStates = 0;     ///< state tensors that the forward graph returns for the backward graph
  uint32_t graphsafeStates = 0;  ///< generator inputs that both graphs got
  /// What was done: a graph without backward part falls back to Default, one that writes other things than
  /// inputs and has checkpoints falls back to MinCut.
  PartitionOptions::Method method = PartitionOptions::Method::Default;
  std::vector<ir::Diagnostic> warnings;

  Partition(ir::Module f, ir::Module b) : forward(std::move(f)), backward(std::move(b)) {}
};

/// Cuts `input.joint`. The joint graph is not changed; both results share its context. Nested regions (calls
/// of invoke_subgraph with a forward and a backward half) are cut first, each by itself.
///
/// Cost: about linear; the minimum cut is found in the parts that lie between values that must be saved and
/// ops that must be in the backward graph, which are small.
/// Errors, each naming the node:
///   partition-wish            an override asks for what cannot be, or for the opposite of another
///   partition-infinite-path   the backward graph needs a value that is neither saved nor recomputed
///   partition-invalid-output  an output depends on what its graph may not compute
///   partition-not-a-tensor    the forward part computes a value without type that nobody takes apart
///   partition-effect          a checkpoint asks to repeat an op that has an effect
///   partition-no-tangent      random ops are recomputed, but the backward graph takes no gradient
///   partition-order           a node reads a value that is defined behind it
///   partition-region          the halves of a nested region do not fit together
/// and of the whole graph:
///   partition-budget          the memory budget is not between 0 and 1
///   partition-no-output       the joint graph returns fewer than `forwardOutputs` values
/// Warnings in the result: `partition-not-functional` when checkpoints made min-cut of the default;
/// `partition-random-repeated` for a random op that both graphs compute with different numbers.
ir::Result<Partition> partitionJoint(const PartitionInput& input, const PartitionOptions& options = {});

/// Takes effect tokens out of inputs and outputs of both graphs: made by `_make_token`, taken by
/// `_sink_tokens`. Output descriptors stay where they are, as in PyTorch, and name the wrong outputs from
/// then on.
void unliftTokens(Partition& partition);

/// How many outputs of a joint graph come before its gradients, by descriptor. Without descriptors: all but
/// one for each primal.
uint32_t countForwardOutputs(const ir::Graph& joint);

/// Roles of a joint graph that was read from a log: what depends on a tangent, what a comment calls backward,
/// and what follows the first of these, is backward; checkpoint policies and regions stand in comments;
/// inputs that are written afterwards have a tangent of their mutation. A guess for what logs do not tell:
/// nodes without dependence and comment between the two parts.
std::vector<NodeRole> deriveRoles(const ir::Graph& joint, uint32_t forwardOutputs);

}  // namespace descry::passes
