// Writes a graph as FX readable text.
#pragma once

#include "exporters/common/exporter.h"

namespace descry::exporters {

/// A root graph brings its nested classes; any other graph is printed with the subgraphs below it.
ir::Result<std::string> exportFxText(const ExportInput& input, const ExportOptions& options);

}  // namespace descry::exporters
