// Escapes in JSON strings (RFC 8259, section 7).
#pragma once

#include <string>
#include <string_view>

namespace descry::importers {

enum class JsonEscape { Read, Unknown, BadHex, CutOff };

/// Reads the escape whose backslash stands at `at`, appends what it means and moves `at` behind it. Half a
/// surrogate pair stands for no character and becomes U+FFFD. Anything but Read leaves `out` and `at` alone.
JsonEscape readJsonEscape(std::string_view text, size_t& at, std::string& out);

/// The inside of a string literal, without its quotes. What is no escape stays as it is written.
std::string unescapeJson(std::string_view body);

}  // namespace descry::importers
