// Policies of checkpoints, made consistent before a partition.
#pragma once

#include "ir/support/result.h"
#include "passes/partition/joint.h"

namespace descry::passes::partition {

bool hasRecomputable(const Joint& joint);
bool hasRecomputableRandom(const Joint& joint);

/// Saves what stands between two checkpointed regions: a value to be recomputed that a later region
/// recomputes from, and one with a backward hook at the end of its region; with `saveRegionInputs` also what
/// enters a region from outside.
void cleanupRecomputeTags(Joint& joint, bool saveRegionInputs);

/// Saves what must not happen twice: results of collectives (unless they may move), of ops with effects, and
/// the source of a write to an input that both graphs write. Errors: `partition-effect` when an op with an
/// effect is to be recomputed.
ir::Status forceSaves(Joint& joint);

}  // namespace descry::passes::partition
