// A folder as one input: trace logs of several ranks, TORCH_COMPILE_DEBUG output, or a set of graph files.
#pragma once

#include "importers/common/importer.h"

namespace descry::importers {

/// Files that hold no graph and no log are listed as records with state "ignored".
/// Errors: `is-empty`, `not-recognised` (nothing in it is read by Descry), `no-permission`, `cancelled`.
ir::Result<std::unique_ptr<Input>> openFolder(const std::string& path, const OpenOptions& options);

}  // namespace descry::importers
