#include "importers/descry_json/value_reader.h"

#include <limits>

namespace descry::importers {

using namespace ir;

namespace {

bool isDecimal(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

double parseDouble(std::string_view text) {
  double number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc::result_out_of_range) return number;
  // from_chars leaves the value alone: too big is infinite, too small is zero, as in Python.
  const size_t e = text.find_first_of("eE");
  const bool small = e != std::string_view::npos && e + 1 < text.size() && text[e + 1] == '-';
  number = small ? 0.0 : std::numeric_limits<double>::infinity();
  return text.front() == '-' ? -number : number;
}

}  // namespace

Cell ValueReader::sequence(JsonReader& r, int depth, ValueKind kind) {
  const size_t base = stack_.size();
  const size_t at = r.position();
  r.enter();
  for (bool first = true; r.nextItem(first);) {
    const Cell cell = value(r, depth + 1);
    stack_.push_back(cell);
  }
  if (kind == ValueKind::Slice && stack_.size() - base != 3 && r.ok()) {
    fields_.fault("json-bad-value", at, "a slice has three items: start, stop and step");
    stack_.resize(base + 3);
    graph_.partial = true;
  }
  const auto count = static_cast<uint32_t>(stack_.size() - base);
  const uint32_t firstCell = graph_.pushCells(stack_.data() + base, count);
  stack_.resize(base);
  return Cell::container(kind, count, firstCell);
}

Cell ValueReader::dict(JsonReader& r, int depth) {
  const size_t base = stack_.size();
  r.enter();
  for (bool first = true; r.nextItem(first);) {
    if (!fields_.expect(r, JsonKind::Array, "an entry of dict")) continue;
    const size_t at = r.position();
    const size_t pair = stack_.size();
    r.enter();
    for (bool firstItem = true; r.nextItem(firstItem);) {
      const Cell cell = value(r, depth + 1);
      stack_.push_back(cell);
    }
    if (stack_.size() - pair != 2 && r.ok()) {
      fields_.fault("json-bad-value", at, "an entry of dict has two items: key and value");
      graph_.partial = true;
    }
    stack_.resize(pair + 2);
  }
  const auto count = static_cast<uint32_t>(stack_.size() - base);
  const uint32_t firstCell = graph_.pushCells(stack_.data() + base, count);
  stack_.resize(base);
  return Cell::container(ValueKind::Dict, count, firstCell);
}

Cell ValueReader::floating(JsonReader& r) {
  const JsonKind kind = r.peek();
  const size_t at = r.position();
  if (kind == JsonKind::Number) {
    std::string_view digits;
    return r.readNumber(digits) ? Cell::real(parseDouble(digits)) : Cell::none();
  }
  std::string text;
  if (!fields_.string(r, "float", text)) return unreadable();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "inf") return Cell::real(kInfinity);
  if (text == "-inf") return Cell::real(-kInfinity);
  if (text == "nan") return Cell::real(std::numeric_limits<double>::quiet_NaN());
  fields_.fault("json-bad-value", at, "float must be a number, \"inf\", \"-inf\" or \"nan\"");
  return unreadable();
}

Cell ValueReader::value(JsonReader& r, int depth) {
  const JsonKind kind = r.peek();
  if (depth > kMaxDepth && (kind == JsonKind::Array || kind == JsonKind::Object)) {
    fields_.fault("json-too-deep", r.position(),
                  "argument values are nested deeper than " + std::to_string(kMaxDepth));
    r.skip();
    return unreadable();
  }
  switch (kind) {
    case JsonKind::Null:
      r.readNull();
      return Cell::none();
    case JsonKind::Bool: {
      bool flag = false;
      r.readBool(flag);
      return Cell::boolean(flag);
    }
    case JsonKind::String: {
      std::string text;
      r.readString(text);
      return Cell::text(ValueKind::Str, context_.intern(text));
    }
    case JsonKind::Number: {
      std::string_view text;
      if (!r.readNumber(text)) return Cell::none();
      int64_t number = 0;
      if (parseInt(text, number)) return Cell::integer(number);
      if (isDecimal(text)) return Cell::text(ValueKind::BigInt, context_.intern(text));
      return Cell::real(parseDouble(text));
    }
    case JsonKind::Array:
      return sequence(r, depth, ValueKind::List);
    case JsonKind::Object:
      return object(r, depth);
    case JsonKind::Bad:
      break;
  }
  return unreadable();
}

/// One member names the kind; others are ignored.
Cell ValueReader::object(JsonReader& r, int depth) {
  const size_t at = r.position();
  constexpr std::string_view kKinds[] = {"node",   "float",        "int",     "tuple", "slice",
                                         "dict",   "ellipsis",     "complex", "dtype", "device",
                                         "layout", "memoryFormat", "op",      "graph", "opaque"};
  Cell cell;
  bool found = false;
  std::string key;
  r.enter();
  for (bool first = true; r.nextKey(first, key);) {
    bool known = false;
    for (std::string_view kind : kKinds) known = known || kind == key;
    if (known && !found) {
      found = true;
      cell = member(r, depth, key, at);
    } else {
      r.skip();
    }
  }
  if (found || !r.ok()) return cell;
  fields_.fault("json-bad-value", at, "an object that names no kind of value");
  return unreadable();
}

Cell ValueReader::member(JsonReader& r, int depth, std::string_view key, size_t offset) {
  if (key == "node") {
    int64_t id = -1;
    if (!fields_.integer(r, key, id)) return unreadable();
    const auto it = ids_.find(id);
    if (it == ids_.end()) {
      fields_.fault("json-bad-reference", offset, "there is no node with id " + std::to_string(id));
      return unreadable();
    }
    return Cell::ref({it->second});
  }
  if (key == "float") return floating(r);
  if (key == "tuple" || key == "slice") {
    if (!fields_.expect(r, JsonKind::Array, key)) return unreadable();
    return sequence(r, depth, key == "tuple" ? ValueKind::Tuple : ValueKind::Slice);
  }
  if (key == "dict") {
    if (!fields_.expect(r, JsonKind::Array, key)) return unreadable();
    return dict(r, depth);
  }
  if (key == "ellipsis") {
    r.skip();
    return Cell::ellipsis();
  }
  std::string text;
  if (!fields_.string(r, key, text)) return unreadable();
  if (key == "int") {
    int64_t number = 0;
    if (parseInt(text, number)) return Cell::integer(number);
    return Cell::text(ValueKind::BigInt, context_.intern(text));
  }
  constexpr std::pair<std::string_view, ValueKind> kTexts[] = {
      {"complex", ValueKind::Complex}, {"dtype", ValueKind::Dtype},
      {"device", ValueKind::Device},   {"layout", ValueKind::Layout},
      {"op", ValueKind::OpRef},        {"memoryFormat", ValueKind::MemoryFormat},
      {"graph", ValueKind::GraphRef},  {"opaque", ValueKind::Opaque}};
  for (const auto& [name, kind] : kTexts)
    if (name == key) return Cell::text(kind, context_.intern(text));
  return unreadable();
}

}  // namespace descry::importers
