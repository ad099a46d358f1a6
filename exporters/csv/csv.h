// Writes nodes, or inputs and outputs, as CSV tables (RFC 4180: CRLF, a header line).
#pragma once

#include "exporters/common/exporter.h"

namespace descry::exporters {

/// One row per node in program order. Subgraphs are not listed. See appendCsvField for how formulas are
/// disarmed.
ir::Result<std::string> exportNodeCsv(const ExportInput& input, const ExportOptions& options);
/// One row per input, then one per output, in call order.
ir::Result<std::string> exportIoCsv(const ExportInput& input, const ExportOptions& options);

}  // namespace descry::exporters
