// What a pass is: its name, what it needs, its options, and what it does to the state of a program.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/core/graph.h"
#include "ir/ops/registry.h"
#include "ir/support/diagnostic.h"
#include "ir/support/result.h"

namespace descry::passes {

struct PassContext {
  const ir::OpRegistry* ops = nullptr;  ///< never null when a pass runs
};

struct PassResult {
  uint32_t removed = 0;  ///< nodes that are gone
  bool changed() const { return removed != 0; }
};

/// A graph of a program between two passes. Modules are shared from state to state where nothing changed.
struct StateGraph {
  std::string name;  ///< captured, lowered, forward, joint, backward, inference
  std::shared_ptr<const ir::Module> module;
  /// By node id: the node of the first state that it was made for; invalid where there is none. Empty: nodes
  /// are those of the first state.
  std::vector<ir::NodeId> origins;
};

/// Where a program is in its way to a compiled one. A pass gives a stage; others need one.
enum class Stage : uint8_t {
  Any,
  Captured,
  Lowered,       ///< aten ops, writes are still writes
  Described,     ///< aliasing and mutation of inputs and outputs are known
  Deduplicated,  ///< no tensor is passed twice where that matters
  Unaliased,     ///< written inputs share no memory
  Functional,
  Traced,  ///< joint or inference graph
  Partitioned
};
std::string_view stageName(Stage stage);

/// What passes of one kind hand on to one another beside graphs.
struct PassData {
  virtual ~PassData() = default;
  /// Reports what does not hold between the graphs of this state and what is known beside them. The manager
  /// asks after passes that make new graphs, when it was asked to verify.
  virtual void verify(Stage, ir::DiagnosticSink&) const {}
};

struct ProgramState {
  Stage stage = Stage::Captured;
  std::vector<StateGraph> graphs;
  std::shared_ptr<PassData> data;  ///< of AOT passes (passes/aot/stage_passes.h)
};

/// Values of options by name. What is missing has its default.
using PassOptionValues = std::map<std::string, std::string, std::less<>>;

struct PassOption {
  const char* name;
  const char* values;  ///< alternatives, separated by |; or what is expected: N, NAMES
  const char* byDefault;
  const char* summary;
};

/// A line of what a pass found out: `output 0`, `alias of input 1`.
using PassFinding = std::pair<std::string, std::string>;

struct PassOutcome {
  bool changed = false;
  std::string summary;  ///< "3 nodes removed"
  std::vector<PassFinding> findings;
  std::shared_ptr<const PassData> result;  ///< what else the pass made, for who knows it
};

struct PassDef {
  const char* name;  ///< kebab case, equal to the file stem where a file holds one pass
  const char* summary;
  /// Of passes over one graph: run on every graph of the state.
  PassResult (*run)(ir::Graph& graph, const PassContext& context) = nullptr;
  /// Of passes that make new graphs.
  ir::Result<PassOutcome> (*apply)(ProgramState& state, const PassOptionValues& options,
                                   const PassContext& context) = nullptr;
  Stage needs = Stage::Any;  ///< at least this stage, and not yet beyond `until`
  Stage until = Stage::Partitioned;
  Stage gives = Stage::Any;  ///< where the program is afterwards; Any: where it was
  std::vector<PassOption> options = {};
  /// Whether options that are fine by themselves go together. Null: they all do.
  ir::Status (*fits)(const PassOptionValues& options) = nullptr;
};

}  // namespace descry::passes
