// Writes a file so that readers see the old content or the new one, never half of it.
#pragma once

#include <string>
#include <string_view>

#include "ir/support/result.h"

namespace descry::session {

/// Temporary file beside `path`, then rename. An existing file keeps its permissions. A link stays: the file
/// that it leads to is written. Devices and pipes are written directly. Error: `cannot-write` with the
/// system's reason.
ir::Status writeFileAtomically(const std::string& path, std::string_view content);

/// True when both names lead to one existing file, through links of either kind. Devices and folders are
/// none.
bool sameFile(const std::string& a, const std::string& b);

}  // namespace descry::session
