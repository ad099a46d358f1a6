// All passes and pipelines by name.
#pragma once

#include "passes/core/manager.h"

namespace descry::passes {

/// Sorted by name.
const std::vector<const PassDef*>& allPasses();
const std::vector<PipelineDef>& allPipelines();
/// parsePipeline over both lists.
ir::Result<std::vector<PipelineStep>> parsePipeline(std::string_view text);

}  // namespace descry::passes
