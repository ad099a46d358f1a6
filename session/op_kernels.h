// How an op is run on a device.
#pragma once

#include <string>

#include "ir/ops/registry.h"

namespace descry::session {

/// In words, on the CPU: `kernel`, `scalar expression`, `view`, `decomposition`, `composite`, ... Empty when
/// nothing can run it.
std::string kernelOf(const ir::OpDef& op);

}  // namespace descry::session
