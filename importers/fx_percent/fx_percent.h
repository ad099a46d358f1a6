// Reads the percent form (`print(graph)`), the tabular form (`graph.print_tabular()`), and the graph
// fragments in the comments of generated code.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "importers/common/importer.h"
#include "importers/fx_text/fx_text.h"

namespace descry::importers {

/// One graph: an optional `graph():` line, node lines, an optional `return`. As parseFxText in all else.
std::shared_ptr<ir::Module> parsePercentText(std::string_view text, const LineMap& map,
                                             ir::DiagnosticSink& sink);

/// One table with its header line.
std::shared_ptr<ir::Module> parseTabularText(std::string_view text, const LineMap& map,
                                             ir::DiagnosticSink& sink);

enum class PercentForm : uint8_t { Graph, Fragment, Tabular };

struct PercentRegion {
  size_t begin = 0, end = 0;  ///< byte offsets at line starts
  uint32_t line = 0;          ///< of `begin`, from 0
  uint32_t indent = 0;        ///< characters to cut from each line: `#   ` of a fragment
  PercentForm form = PercentForm::Graph;
  std::string title;  ///< kernel name of a fragment, banner of a graph
};

std::vector<PercentRegion> findPercentRegions(std::string_view text);

extern const Importer kFxPercentImporter;
extern const Importer kFxTabularImporter;

}  // namespace descry::importers
