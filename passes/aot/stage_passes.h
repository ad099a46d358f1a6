// The stages of AOT autograd as passes.
#pragma once

#include "passes/aot/aot.h"
#include "passes/core/pass.h"
#include "passes/partition/partition.h"

namespace descry::passes {

/// What the AOT passes hand on to one another.
struct AotData : PassData {
  std::shared_ptr<const ir::Module> captured;
  CapturedFacts facts;
  std::shared_ptr<const ir::OpRegistry> ops;  ///< null: the op table
  std::function<bool()> cancelled;
  std::unique_ptr<AotStages> stages;  ///< from `lower` on
  size_t mergedDuplicates = 0;        ///< inputs
  /// What the last stage left; another one stands there when a pass has cleaned it up since.
  std::shared_ptr<const ir::Module> left;
  std::shared_ptr<const Partition> cut;  ///< null before, and where nothing is trained

  /// Also whether metadata that was worked out for merged inputs is what another look finds.
  void verify(Stage stage, ir::DiagnosticSink& sink) const override;
};

/// Takes composite ops apart and gives torch-level calls their aten ops; writes stay writes.
///
///   add_ = x.add_(1)      =>      add_ = torch.ops.aten.add_.Tensor(x, 1)
extern const PassDef kLower;
/// Finds out which inputs are written and which outputs are views of what. Changes no graph.
extern const PassDef kCollectMetadata;
/// One input for a tensor that is passed twice, when it is written.
extern const PassDef kMergeDuplicates;
/// One base for inputs that share memory, when one of them is written; they become views of it.
extern const PassDef kSyntheticBases;
/// Tensors of wrapper subclasses become the plain tensors that they hold, and their symbolic sizes.
extern const PassDef kFlattenSubclasses;
/// Writes become new values that are returned; views are replayed on them.
extern const PassDef kFunctionalize;
/// Tensors made inside of which several outputs are views are returned too: those are made again from them.
extern const PassDef kIntermediateBases;
/// A token without contents runs through the ops that have effects, so that they stay in order.
///
///   f(x)      =>      token_1, _ = with_effects(token, f, x)
extern const PassDef kEffectTokens;
/// Random ops draw from a seed and an offset that are inputs; the offset moves on and is returned.
extern const PassDef kFunctionalizeRng;
/// The forward, then its gradients. An inference graph when nothing is trained.
extern const PassDef kTraceJoint;
/// Traces again with ops taken apart as a table of decompositions says.
extern const PassDef kDecompose;
/// How the runtime puts tensors of wrapper subclasses together from what the graphs return. Changes no graph.
extern const PassDef kUnflattenSubclasses;
/// What the runtime does around the compiled graphs. Changes no graph.
extern const PassDef kRuntimeEpilogue;

}  // namespace descry::passes
