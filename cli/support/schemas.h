// The JSON Schemas of docs/schema, built into the program.
#pragma once

#include <string_view>
#include <vector>

namespace descry::cli {

struct SchemaText {
  std::string_view name;  ///< "descry.io/1"
  std::string_view text;
};
/// Sorted by name.
const std::vector<SchemaText>& schemaTexts();

}  // namespace descry::cli
