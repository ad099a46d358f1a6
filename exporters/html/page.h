// The fixed parts of the HTML page: its style sheet and its script.
#pragma once

#include <string>
#include <string_view>

#include "ir/annotations/palette.h"

namespace descry::exporters {

std::string pageStyle(ir::Theme theme);
extern const char* const kPageScript;
/// SHA-256 of kPageScript in base64. A test compares them; after a change of the script it prints the new
/// value.
extern const char* const kPageScriptHash;

}  // namespace descry::exporters
