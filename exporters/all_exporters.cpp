#include "exporters/common/exporter.h"
#include "exporters/csv/csv.h"
#include "exporters/dot/dot.h"
#include "exporters/fx_text/fx_text.h"
#include "exporters/html/html.h"
#include "exporters/json/json.h"
#include "exporters/svg/svg.h"

namespace descry::exporters {

const std::vector<ExporterDef>& allExporters() {
  static const std::vector<ExporterDef> kAll = {
      {"svg",
       {"svg"},
       "picture as SVG, text as text",
       "what the scene shows, with facts as tooltips",
       true,
       true,
       exportSvg},
      {"html",
       {"html", "htm"},
       "one offline page: picture, search, tables, text",
       "picture, all nodes, inputs and outputs, and the printed text",
       true,
       true,
       exportHtml},
      {"dot",
       {"dot", "gv"},
       "Graphviz DOT with typed attributes and clusters",
       "nodes, edges, types, descriptors, phases, sources; argument values only as edges",
       false,
       dotAvailable(),
       exportDot},
      {"json",
       {"json"},
       "Descry JSON, schema descry.graph/1",
       "everything; can be opened again",
       false,
       true,
       exportJson},
      {"csv",
       {"csv"},
       "table of nodes",
       "one row per node without its arguments",
       false,
       true,
       exportNodeCsv},
      {"csv-io",
       {},
       "table of inputs and outputs as CSV",
       "one row per input and output",
       false,
       true,
       exportIoCsv},
      {"fx",
       {"txt", "py"},
       "FX readable text, as PyTorch prints it",
       "the text; can be opened again",
       false,
       true,
       exportFxText},
  };
  return kAll;
}

const ExporterDef* findExporter(std::string_view name) {
  for (const ExporterDef& def : allExporters())
    if (def.name == name) return &def;
  return nullptr;
}

const ExporterDef* exporterForFile(std::string_view fileName) {
  const size_t dot = fileName.rfind('.');
  if (dot == std::string_view::npos) return nullptr;
  const std::string_view extension = fileName.substr(dot + 1);
  for (const ExporterDef& def : allExporters())
    for (const std::string& known : def.extensions)
      if (known == extension) return &def;
  return nullptr;
}

}  // namespace descry::exporters
