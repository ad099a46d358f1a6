// What has to hold between ViewAndMutationMeta, the graphs that follow from it, and the states between the
// stages of AOT autograd. Codes are rules of the verifier (docs/verifier.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/verify/compile.h"
#include "passes/aot/aot.h"
#include "passes/core/pass.h"

namespace descry::passes {

/// What the cut adds to ViewAndMutationMeta; what is absent is not known.
struct CutMeta {
  std::optional<int64_t> symints, uncheckedTensors, backwardTokens;
  std::optional<std::vector<bool>> savedIsInput;
  std::optional<std::vector<int64_t>> donated;  ///< bw_donated_idxs: inputs of the backward
};

/// Metadata of one compile, and what diagnostics call it.
struct MetadataCheck {
  const ViewAndMutationMeta& meta;
  const CutMeta* cut = nullptr;
  bool training = true;
  std::string name = "metadata", file;
  ir::SourceLoc loc;
};

/// Whether the metadata agrees with itself: storages, bases, tangents.
void verifyMetadata(const MetadataCheck& check, ir::DiagnosticSink& sink);

/// Whether the graphs are what the metadata says: inputs, outputs, written inputs, bases, tangents,
/// gradients, tokens, and what crosses to the backward. Looks at what is there.
void verifyAgainstMetadata(const MetadataCheck& check, const ir::CompileGraphs& graphs,
                           ir::DiagnosticSink& sink);

/// Whether a result is as it has to be after `stage`: Described, Deduplicated, Unaliased, Functional or
/// Traced (passes/core/pass.h). Cost: linear, but for inputs that share a storage and are written.
void verifyStage(const AotResult& result, Stage stage, ir::DiagnosticSink& sink);

/// Whether metadata that was worked out says of inputs and outputs what a look at the function finds.
void verifySameMetadata(const ViewAndMutationMeta& meta, const ViewAndMutationMeta& found,
                        ir::DiagnosticSink& sink);

}  // namespace descry::passes
