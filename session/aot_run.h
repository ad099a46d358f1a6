// AOT autograd on a loaded graph: what the file tells of its inputs, the stages, and their results as graphs
// and JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "passes/aot/aot.h"
#include "passes/partition/partition_pass.h"
#include "session/session.h"

namespace descry::session {

struct AotRequest {
  passes::Decompositions decompositions = passes::Decompositions::None;
  std::optional<bool> keepInputMutations;     ///< absent: as recorded in the log, else as aot_eager does
  std::optional<bool> unliftTokens;           ///< absent: as PyTorch's backends of the same decompositions do
  std::shared_ptr<const ir::OpRegistry> ops;  ///< of readOpDeclarations; null: the op table
  passes::UnknownOps unknownOps = passes::UnknownOps::Assume;
  passes::FunctionalizeRng functionalizeRng = passes::FunctionalizeRng::Off;
  std::function<bool()> cancelled;  ///< error `cancelled`
};

/// Inputs' gradients, leaves, storages and views as the log describes them, and the hints of size symbols.
/// What is not in the file is assumed, and said in `assumed`.
passes::CapturedFacts capturedFacts(const Document& document, const LoadedGraph& graph);

/// `facts` are those of `capturedFacts`.
ir::Result<passes::AotResult> runAot(const Document& document, const LoadedGraph& graph,
                                     const passes::CapturedFacts& facts, const AotRequest& request);

/// Cuts the joint graph of a training result. `facts` are those of the captured graph, for the hints of
/// sizes; `options` those of the pass `partition`. Errors: those of checkOptions and partitionJoint.
ir::Result<passes::Partition> cutJoint(const passes::AotResult& result, const passes::CapturedFacts& facts,
                                       const passes::PassOptionValues& options);

/// Every rule of the verifier that graphs made here break: each graph alone, the graphs against one another,
/// against the metadata and against what was asked of the cut.
std::vector<ir::Diagnostic> verifyAot(const passes::AotResult& result, const passes::CapturedFacts& facts,
                                      const passes::Partition* cut);

/// ViewAndMutationMeta by PyTorch's field names, with what it derives from them (schema descry.aot.meta/1).
/// Fields that the partitioner fills are null without `cut`.
std::string aotMetaJson(const passes::AotResult& result, const passes::Partition* cut = nullptr);

}  // namespace descry::session
