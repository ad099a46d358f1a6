#include "passes/pipelines/pipelines.h"

#include <algorithm>

#include "passes/aot/stage_passes.h"
#include "passes/cleanup/cleanup.h"
#include "passes/partition/partition_pass.h"

namespace descry::passes {

const std::vector<const PassDef*>& allPasses() {
  static const std::vector<const PassDef*> kAll = [] {
    std::vector<const PassDef*> all = {&kCse,
                                       &kDce,
                                       &kLower,
                                       &kCollectMetadata,
                                       &kMergeDuplicates,
                                       &kSyntheticBases,
                                       &kFlattenSubclasses,
                                       &kFunctionalize,
                                       &kIntermediateBases,
                                       &kEffectTokens,
                                       &kFunctionalizeRng,
                                       &kTraceJoint,
                                       &kDecompose,
                                       &kUnflattenSubclasses,
                                       &kRuntimeEpilogue,
                                       &kPartition};
    std::sort(all.begin(), all.end(),
              [](const PassDef* a, const PassDef* b) { return std::string_view(a->name) < b->name; });
    return all;
  }();
  return kAll;
}

const std::vector<PipelineDef>& allPipelines() {
  const std::string kStages =
      ",collect-metadata,merge-duplicates,synthetic-bases,flatten-subclasses,functionalize,"
      "intermediate-bases,effect-tokens,trace-joint";
  const std::string kRuntime = ",unflatten-subclasses,runtime-epilogue";
  static const std::vector<PipelineDef> kAll = {
      {"aot", "what aot_eager does, cut by min-cut", "lower" + kStages + ",partition" + kRuntime},
      {"aot-default", "the same, cut by the default partitioner",
       "lower" + kStages + ",partition(method=default)" + kRuntime},
      {"aot-inductor", "with Inductor's decompositions, as its backend gets it",
       "lower" + kStages + ",decompose(set=inductor),partition" + kRuntime},
      {"cleanup", "merge equal calls, drop what nobody reads", "cse,dce"},
  };
  return kAll;
}

ir::Result<std::vector<PipelineStep>> parsePipeline(std::string_view text) {
  return parsePipeline(text, allPasses(), allPipelines());
}

}  // namespace descry::passes
