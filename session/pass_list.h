// The passes that this version holds, for lists.
#pragma once

#include <string_view>
#include <vector>

namespace descry::session {

struct PassInfo {
  std::string_view name, summary;
};
/// Sorted by name.
std::vector<PassInfo> passList();

}  // namespace descry::session
