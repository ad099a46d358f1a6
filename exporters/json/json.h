// Writes a graph as Descry JSON (docs/schema/descry.graph.1.schema.json), which loses nothing.
#pragma once

#include "exporters/common/exporter.h"

namespace descry::exporters {

/// Schema name and version that the exporter writes.
inline constexpr const char* kGraphSchema = "descry.graph/1";

/// The graph with the subgraphs below it; a root graph brings all graphs of its module. Equal graphs give
/// equal bytes. Cost: linear in the output. Errors: `export-failed` (argument values nested deeper than 250).
ir::Result<std::string> exportJson(const ExportInput& input, const ExportOptions& options);

}  // namespace descry::exporters
