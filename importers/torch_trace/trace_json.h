// JSON trees for the records of trace logs that are looked at: bounded in depth, never throwing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace descry::importers {

/// Discarded (is_discarded()) for damaged text and for nesting deeper than 100.
nlohmann::json parseJson(std::string_view text);
/// Text of a value for a table cell: strings as they are, null as nothing, the rest as JSON.
std::string cellText(const nlohmann::json& value);
/// cellText of a member, empty when there is none.
std::string member(const nlohmann::json& object, const char* key);

}  // namespace descry::importers
