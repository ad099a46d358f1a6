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
                                       &kTraceJoint,
                                       &kDecompose,
                                       &kRuntimeEpilogue,
                                       &kPartition};
    std::sort(all.begin(), all.end(),
              [](const PassDef* a, const PassDef* b) { return std::string_view(a->name) < b->name; });
    return all;
  }();
  return kAll;
}

const std::vector<PipelineDef>& allPipelines() {
  static const std::vector<PipelineDef> kAll = {
      {"aot", "what aot_eager does, cut by min-cut",
       "lower,collect-metadata,merge-duplicates,synthetic-bases,functionalize,trace-joint,partition,"
       "runtime-epilogue"},
      {"aot-default", "the same, cut by the default partitioner",
       "lower,collect-metadata,merge-duplicates,synthetic-bases,functionalize,trace-joint,partition(method="
       "default),runtime-epilogue"},
      {"aot-inductor", "with Inductor's decompositions, as its backend gets it",
       "lower(keep-input-mutations=off),collect-metadata,merge-duplicates,synthetic-bases,functionalize,"
       "trace-"
       "joint,decompose(set=inductor),partition,runtime-epilogue"},
      {"aot-subclasses", "as aot, with a step that takes wrapper subclasses apart",
       "lower,collect-metadata,merge-duplicates,synthetic-bases,flatten-subclasses,functionalize,trace-joint,"
       "partition,runtime-epilogue"},
      {"cleanup", "merge equal calls, drop what nobody reads", "cse,dce"},
  };
  return kAll;
}

ir::Result<std::vector<PipelineStep>> parsePipeline(std::string_view text) {
  return parsePipeline(text, allPasses(), allPipelines());
}

}  // namespace descry::passes
