// Which op does without writes what another does in place.
#pragma once

#include "ir/ops/registry.h"

namespace descry::ir {

/// The variant of a writing op that returns new values instead: add_ -> add, add.out -> add.Tensor; null when
/// none. Thread safe.
const OpDef* functionalVariant(const OpRegistry& ops, const OpDef& op);

}  // namespace descry::ir
