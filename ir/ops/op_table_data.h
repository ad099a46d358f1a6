// The text of the op table, compiled in. The definition is generated from ir/ops/table/*.ops
// (cmake/EmbedOpTable.cmake).
#pragma once

#include <string_view>
#include <vector>

namespace descry::ir {

struct OpTableFile {
  std::string_view name, text;
};
const std::vector<OpTableFile>& opTableFiles();

}  // namespace descry::ir
