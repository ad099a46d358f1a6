// Writes one HTML file that works offline: picture with pan, zoom, search and selection, tables, text.
#pragma once

#include <string_view>

#include "exporters/common/exporter.h"

namespace descry::exporters {

/// A content security policy forbids the page every network access and every script but its own, by hash. All
/// text of the graph is escaped. Without scripts the page still shows picture, inputs and outputs, and text.
/// Cost: linear. Error: `scene-missing`.
ir::Result<std::string> exportHtml(const ExportInput& input, const ExportOptions& options);

/// The page's script, and `sha256-...` of it as the policy names it.
std::string_view htmlScript();
std::string_view htmlScriptHash();

}  // namespace descry::exporters
