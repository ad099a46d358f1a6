// What the partitioners ask of an op: the lists of PyTorch's partitioners, and facts from its schema.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/core/graph.h"
#include "ir/ops/registry.h"

namespace descry::passes::partition {

enum OpFact : uint32_t {
  kRecomputable = 1,  ///< cheap enough to compute again
  kFusible = 2,       ///< fuses with its neighbours: recomputable and random ops
  kViewOp = 4,        ///< in the list of views, which are never banned
  kRandomOp = 8,      ///< in the list of random ops
  kComputeIntensive = 16,
  kOverload = 32,        ///< an op with a schema, not a Python function or a higher order op
  kMutable = 64,         ///< an overload that writes an argument
  kImpure = 128,         ///< has an effect: is never dead
  kSeeded = 256,         ///< an overload whose result depends on a random state
  kNeverMerged = 512,    ///< equal calls stay apart: random ops, empty
  kMutationMark = 1024,  ///< a value before it may differ from the same expression behind it
  kCollective = 2048,
  kWait = 4096,              ///< wait_tensor, wait_tensors
  kSkipped = 8192,           ///< asserts and profiler ranges: no value to save
  kCustom = 16384,           ///< an overload outside aten, prim and prims
  kBindsSymbol = 32768,      ///< its symbolic result is a new symbol
  kAllowedMutation = 65536,  ///< writes an input at the end of a functional graph
};

/// Ops that are treated by name in some rule.
enum class OpName : uint8_t {
  Other,
  Getitem,
  Copy,
  Cat,
  LiftFresh,
  ViewOrReshape,
  AssertScalar,
  WithEffects,
  InvokeSubgraph,
  AutoFunctionalized,
  AutoFunctionalizedV2,
  TritonFunctional,
};

struct OpFacts {
  uint32_t facts = 0;
  OpName name = OpName::Other;
  int16_t aliasArgument = -1;    ///< position of the tensor whose memory the first result shares
  int16_t dropoutArgument = -1;  ///< position of `dropout_p`
  const ir::OpDef* def = nullptr;
  bool has(uint32_t f) const { return (facts & f) != 0; }
};

/// Facts by target, looked up once each.
class OpFactTable {
 public:
  explicit OpFactTable(const ir::Graph& graph, const ir::OpRegistry& ops = ir::allOps())
      : graph_(graph), ops_(ops) {}
  /// Of a call; every other node has the facts of no op.
  const OpFacts& of(ir::NodeId id);

 private:
  const ir::Graph& graph_;
  const ir::OpRegistry& ops_;
  std::vector<std::unique_ptr<OpFacts>> byTarget_;
};

OpFacts factsOf(std::string_view target, const ir::OpRegistry& ops);

}  // namespace descry::passes::partition
