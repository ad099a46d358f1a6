// Marks that people and tools leave where they cut lines out of a text.
#pragma once

#include <string_view>

namespace descry::importers {

/// `...`, `[truncated]`, `<snip>`, `... (1234 more lines)` and the like, alone on a line.
bool isCutMark(std::string_view line);

}  // namespace descry::importers
