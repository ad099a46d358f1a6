// Takes the part of a joint graph out that computes given outputs from given inputs.
#pragma once

#include <span>
#include <vector>

#include "ir/support/result.h"
#include "passes/partition/fx_names.h"
#include "passes/partition/joint.h"

namespace descry::passes::partition {

enum class Side : uint8_t { Forward, Backward };

/// What one of the two graphs consists of, before it is built.
struct Extract {
  std::vector<uint32_t> inputs;      ///< items that become placeholders, in this order
  std::vector<uint32_t> body;        ///< items that are computed, in program order
  std::vector<JointOutput> outputs;  ///< items may differ from those asked for: see extract
  std::vector<uint32_t> readers;     ///< by item: how many distinct nodes of the extract read it
  std::vector<bool> computed;        ///< by item: in body
  std::vector<bool> computable;      ///< by item: depends on the inputs alone, needed or not
};

/// Everything that `outputs` need and that depends on `inputs` alone, and effects that do. An output that
/// only the other side may compute is replaced by the input that it writes, when there is one. Errors:
/// `partition-invalid-output`. Cost: O(joint graph).
ir::Result<Extract> extract(const Joint& joint, std::span<const uint32_t> inputs,
                            std::span<const JointOutput> outputs, Side side);

/// A graph made from an extract, alone in its module but for the subgraphs that it names.
struct BuiltGraph {
  ir::Module module;
  std::vector<uint32_t> nodeOf;  ///< by item: node index in the root, kNoItem when it is not there
  explicit BuiltGraph(ir::ContextPtr context) : module(std::move(context)) {}
  ir::Graph& graph() { return module.root(); }
  ir::NodeId node(uint32_t item) const { return {nodeOf[item]}; }
};

/// Nodes keep names, types and sources; comments of the backward side say so, and changed policies are shown.
BuiltGraph build(const Joint& joint, const Extract& extract, Side side);

/// Names for new nodes of the graph built from `extract`: those of everything that could be computed are
/// used.
FxNames namesOf(const Joint& joint, const Extract& extract);

/// The source that a node shows after a change of its policy, or in a backward graph.
ir::SourceId rewrittenSource(ir::Context& context, ir::SourceId source, const NodeRole& role, bool backward);

/// Fills in the subgraphs that the root names, in order of first mention.
void adoptSubgraphs(ir::Module& module, const ir::Module& from, const ir::Graph& parent);

}  // namespace descry::passes::partition
