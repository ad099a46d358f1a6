// Writes a graph as Graphviz DOT through the cgraph library, which knows DOT's quoting better than we do.
#pragma once

#include "exporters/common/exporter.h"

namespace descry::exporters {

/// True when built with cgraph (DESCRY_HAVE_CGRAPH).
bool dotAvailable();

/// One DOT node per graph node and per returned value. Nodes carry op, target, dtype, shape, type,
/// descriptor, phase, role and source as attributes; scene groups and subgraphs are clusters. In all
/// attributes a backslash is written twice (see dotValue). Calls are serialised: cgraph keeps global state.
/// Errors: `format-missing`, `export-failed`.
ir::Result<std::string> exportDot(const ExportInput& input, const ExportOptions& options);

}  // namespace descry::exporters
