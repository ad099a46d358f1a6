// TORCH_LOGS text and what people paste of it: prefixes, interleaved ranks, quotes, fences, diffs.
#pragma once

#include "importers/common/importer.h"

namespace descry::importers {

extern const Importer kTorchLogsImporter;

}  // namespace descry::importers
