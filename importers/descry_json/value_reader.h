// Reads argument values: the typed trees that nodes hold.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "importers/descry_json/field_reader.h"
#include "ir/core/graph.h"

namespace descry::importers {

/// Values of the nodes of one graph. What cannot be read becomes None, with a fault, and marks the graph
/// partial.
class ValueReader {
 public:
  /// Containers nested deeper are refused; reading recurses, printing too.
  static constexpr int kMaxDepth = 250;

  /// `ids` gives the node index of each JSON id; nodes may be referred to before they exist.
  ValueReader(FieldReader& fields, ir::Graph& graph, const std::unordered_map<int64_t, uint32_t>& ids)
      : fields_(fields), graph_(graph), context_(graph.context()), ids_(ids) {}

  ir::Cell value(JsonReader& r) { return value(r, 0); }

 private:
  ir::Cell value(JsonReader& r, int depth);
  ir::Cell object(JsonReader& r, int depth);
  ir::Cell member(JsonReader& r, int depth, std::string_view key, size_t offset);
  ir::Cell sequence(JsonReader& r, int depth, ir::ValueKind kind);
  ir::Cell dict(JsonReader& r, int depth);
  ir::Cell floating(JsonReader& r);
  ir::Cell unreadable() {
    graph_.partial = true;
    return ir::Cell::none();
  }

  FieldReader& fields_;
  ir::Graph& graph_;
  ir::Context& context_;
  const std::unordered_map<int64_t, uint32_t>& ids_;
  std::vector<ir::Cell> stack_;  // items of the containers that are being read
};

}  // namespace descry::importers
