// Custom ops that the user declares: lines of the command line and files of such lines.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/ops/declarations.h"

namespace descry::session {

/// The op table and what `lines` and `files` declare (ir/ops/declarations.h); null when both are empty.
/// Errors: `file-unreadable`, and those of ir::declareOps.
ir::Result<std::shared_ptr<const ir::OpRegistry>> readOpDeclarations(const std::vector<std::string>& lines,
                                                                     const std::vector<std::string>& files);

}  // namespace descry::session
