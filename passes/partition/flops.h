// Floating-point operations of an op, as PyTorch's flop counter counts them.
#pragma once

#include "passes/partition/joint.h"

namespace descry::passes::partition {

/// Of matrix products, convolutions and attention; 0 for everything else. Symbolic sizes count by their
/// hints.
double flopsOf(const Joint& joint, uint32_t item);

}  // namespace descry::passes::partition
