// Reads the header lines of trace logs without building a JSON tree: the hot path of indexing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace descry::importers {

/// `V0822 14:00:48.899000 2354971 torch/_dynamo/utils.py:1946] {...}`. Sets `jsonAt` to the offset of the
/// brace.
bool scanHeaderPrefix(std::string_view line, size_t& jsonAt);

/// What stands at the top level of a header's JSON object. Views point into the line.
struct HeaderFields {
  std::string_view kind;   ///< first key that is no context key; raw, escapes are not resolved
  std::string_view value;  ///< JSON text of its value
  std::optional<int64_t> rank, compiledAutograd, frame, frameCompile, attempt;
  std::string_view hash;  ///< has_payload
  bool hasPayload = false;
};

/// False when the object is damaged; `errorAt` is then the offset of the first byte that does not fit.
/// Brackets and strings are checked, details inside nested values are not.
bool scanHeaderJson(std::string_view json, HeaderFields& out, size_t& errorAt);

/// The string value of `key` at the top level of a JSON object, or nothing. Escapes are resolved.
std::optional<std::string> jsonStringField(std::string_view object, std::string_view key);
std::optional<int64_t> jsonIntField(std::string_view object, std::string_view key);

/// True when brackets nest at most `limit` deep outside strings. Cost: linear.
bool jsonDepthBelow(std::string_view text, int limit);

}  // namespace descry::importers
