// ViewAndMutationMeta as PyTorch prints it into a log.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "passes/aot/invariants.h"

namespace descry::session {

/// The name of the record that holds it.
inline constexpr std::string_view kMetadataRecord = "aot_forward_graph_fw_metadata";

struct RecordedMeta {
  passes::ViewAndMutationMeta meta;  ///< of tangents only the number and the descriptors are read
  passes::CutMeta cut;
  std::vector<std::string> unread;  ///< `field=value` where no count, index or kind of output stands
};

/// Reads `ViewAndMutationMeta(input_info=[...], ...)`, the repr of the dataclass, on one line or laid out
/// over many. Fields that are missing keep their defaults; nothing when the text is no such repr.
std::optional<RecordedMeta> readRecordedMeta(std::string_view text);

}  // namespace descry::session
