// Which module of the model each node came from, for grouping: from the recorded module stack, else from the
// paths of the parameters a node reads, else from source functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/core/graph.h"

namespace descry::ir {

struct ModuleMap {
  static constexpr uint32_t kNone = 0xFFFFFFFF;
  std::vector<uint32_t> of;        ///< by node id: index into paths, or kNone
  std::vector<std::string> paths;  ///< parts joined by '.', in order of first appearance
  std::string source;              ///< "module stack", "parameter names", "source lines", or empty
  bool inferred = false;           ///< not from a recorded module stack

  std::string_view path(NodeId id) const {
    return id.index < of.size() && of[id.index] != kNone ? std::string_view(paths[of[id.index]])
                                                         : std::string_view();
  }
};

/// Cost: linear.
ModuleMap findModules(const Graph& graph);

/// The innermost module of a recorded stack, in any of the forms that logs hold: `key,path,class;...` of
/// exported programs, or the printed dictionary `{'k': ('L['self'].layer', <class ...>)}`. Empty when there
/// is none.
std::string innermostModule(std::string_view stack);

}  // namespace descry::ir
