// What the partitioners ask about a joint graph, from what the trace knows of it.
#pragma once

#include "passes/aot/aot.h"
#include "passes/partition/partition.h"

namespace descry::passes {

/// Of the joint graph of a training result. `result` and `facts` have to outlive what is returned.
PartitionInput partitionInputOf(const AotResult& result, const CapturedFacts& facts);

}  // namespace descry::passes
