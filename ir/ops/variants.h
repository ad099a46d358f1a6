// Which op does without writes what another does in place, and which is a view where another copies.
#pragma once

#include "ir/ops/registry.h"

namespace descry::ir {

/// The variant of a writing op that returns new values instead: add_ -> add, add.out -> add.Tensor; null when
/// none. Thread safe.
const OpDef* functionalVariant(const OpDef& op);

/// The view op of which `op` is the copying twin (`view_copy`: view), or null.
const OpDef* viewOfCopy(const OpDef& op);

}  // namespace descry::ir
