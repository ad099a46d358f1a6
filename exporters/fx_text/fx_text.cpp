#include "exporters/fx_text/fx_text.h"

#include "ir/text/printer.h"

namespace descry::exporters {

ir::Result<std::string> exportFxText(const ExportInput& input, const ExportOptions&) {
  if (!input.graph || input.graph == &input.module->root()) return ir::printModule(*input.module);
  return ir::printGraph(*input.module, *input.graph);
}

}  // namespace descry::exporters
