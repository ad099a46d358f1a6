// Writes a file so that readers see the old content or the new one, never half of it.
#pragma once

#include <string>
#include <string_view>

#include "ir/support/result.h"

namespace descry::session {

/// Temporary file beside `path`, then rename. An existing file keeps its permissions. Devices and pipes are
/// written directly. Error: `cannot-write` with the system's reason.
ir::Status writeFileAtomically(const std::string& path, std::string_view content);

}  // namespace descry::session
