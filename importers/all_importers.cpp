#include "importers/common/importer.h"
#include "importers/descry_json/descry_json.h"
#include "importers/fx_percent/fx_percent.h"
#include "importers/fx_text/fx_text.h"
#include "importers/torch_logs/torch_logs.h"
#include "importers/torch_trace/trace_input.h"

namespace descry::importers {

const std::vector<Importer>& allImporters() {
  static const std::vector<Importer> all{kDescryJsonImporter, kTorchTraceImporter, kTorchLogsImporter,
                                         kFxTextImporter,     kFxPercentImporter,  kFxTabularImporter};
  return all;
}

}  // namespace descry::importers
