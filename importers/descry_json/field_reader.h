// Typed members of JSON objects, each fault reported with its place.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "importers/descry_json/json_reader.h"
#include "ir/support/diagnostic.h"

namespace descry::importers {

/// False when `text` is no decimal integer, or does not fit.
inline bool parseInt(std::string_view text, int64_t& out) {
  if (text.starts_with('+')) return false;
  const auto r = std::from_chars(text.data(), text.data() + text.size(), out);
  return r.ec == std::errc() && r.ptr == text.data() + text.size();
}

/// What is the same for every reader: typed fields, each fault with its place.
class FieldReader {
 public:
  FieldReader(std::string_view text, ir::DiagnosticSink& sink) : lines_(text), sink_(sink) {}

  void fault(std::string code, size_t offset, std::string message) {
    sink_.error(std::move(code), lines_.at(offset), std::move(message));
  }
  bool expect(JsonReader& r, JsonKind kind, std::string_view what) {
    const JsonKind found = r.peek();
    if (found == kind) return true;
    if (found == JsonKind::Bad) return false;
    constexpr std::string_view kNames[] = {"null",     "true or false", "a number",
                                           "a string", "an array",      "an object"};
    fault("json-wrong-type", r.position(),
          std::string(what) + " must be " + std::string(kNames[static_cast<size_t>(kind)]) + ", found " +
              std::string(kNames[static_cast<size_t>(found)]));
    r.skip();
    return false;
  }
  bool string(JsonReader& r, std::string_view what, std::string& out) {
    return expect(r, JsonKind::String, what) && r.readString(out);
  }
  bool boolean(JsonReader& r, std::string_view what, bool& out) {
    return expect(r, JsonKind::Bool, what) && r.readBool(out);
  }
  bool integer(JsonReader& r, std::string_view what, int64_t& out) {
    if (!expect(r, JsonKind::Number, what)) return false;
    const size_t at = r.position();
    std::string_view text;
    if (!r.readNumber(text)) return false;
    if (parseInt(text, out)) return true;
    fault("json-wrong-type", at, std::string(what) + " must be an integer of 64 bits");
    return false;
  }
  void strings(JsonReader& r, std::string_view what, std::vector<std::string>& out) {
    if (!expect(r, JsonKind::Array, what)) return;
    out.clear();
    r.enter();
    for (bool first = true; r.nextItem(first);) {
      std::string text;
      if (string(r, what, text)) out.push_back(std::move(text));
    }
  }
  ir::SourceLoc place(size_t offset) { return lines_.at(offset); }

 private:
  LineFinder lines_;
  ir::DiagnosticSink& sink_;
};

}  // namespace descry::importers
