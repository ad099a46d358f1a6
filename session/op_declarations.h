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

/// The name of a project's own declarations.
inline constexpr const char* kProjectOps = "descry.ops";

/// Files of declarations that are read without being asked for. The environment variable DESCRY_OPS names
/// them (`:` between; empty: none). Without it: `descry.ops` in the folder of the opened file or the nearest
/// one above it, else in the working folder or the nearest one above that.
std::vector<std::string> standingDeclarations(const std::string& opened);

}  // namespace descry::session
