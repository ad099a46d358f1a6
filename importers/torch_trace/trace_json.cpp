#include "importers/torch_trace/trace_json.h"

#include "importers/torch_trace/header_scan.h"
#include "importers/torch_trace/trace_input.h"
#include "ir/support/python_text.h"

namespace descry::importers {

nlohmann::json parseJson(std::string_view text) {
  if (!jsonDepthBelow(text, 100)) return nlohmann::json(nlohmann::json::value_t::discarded);
  nlohmann::json out = nlohmann::json::parse(text, nullptr, false);
  if (!out.is_discarded()) return out;
  size_t bad = 0;
  const std::string clean = ir::cleanUtf8(text, bad);
  return bad ? nlohmann::json::parse(clean, nullptr, false) : out;
}

std::string cellText(const nlohmann::json& value) {
  if (value.is_null() || value.is_discarded()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string member(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  return found == object.end() ? "" : cellText(*found);
}

bool acceptableJson(std::string_view text) {
  if (!jsonDepthBelow(text, 100)) return false;
  // Only when that fails: a tree of the cleaned text, for payloads with bytes that are no UTF-8.
  return nlohmann::json::accept(text) || !parseJson(text).is_discarded();
}

}  // namespace descry::importers
