// Finds the lines of a graph that a mail program or a terminal broke into several.
#pragma once

#include <string_view>
#include <vector>

#include "importers/common/region_input.h"

namespace descry::importers {

/// For each line of a text: whether it goes on with the line before it. Only lines at the left margin inside
/// a function that is itself indented are looked at: Python code has none there, and a broken line starts
/// there. The line before must be unfinished: an open bracket or string, a comma, an operator, a `;`. Empty
/// when nothing was broken. Cost: linear.
std::vector<LineJoin> findBrokenLines(const std::vector<std::string_view>& lines);

}  // namespace descry::importers
