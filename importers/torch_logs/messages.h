// Groups the lines of a log into messages. Private to importers/torch_logs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "importers/common/region_input.h"
#include "importers/torch_logs/prefixes.h"

namespace descry::importers {

struct LogMessage {
  LogLine::Form form = LogLine::Form::None;
  std::string compileId;  ///< with brackets
  std::string artifact;
  char level = 0;
  std::optional<int> rank;
  std::vector<LinePiece> lines;
};

/// What stands around a text that was pasted somewhere.
struct Wrapping {
  bool launcher = false;  ///< some lines have a launcher prefix
  bool fences = false;
  bool diff = false;
  bool html = false;
  bool colours = false;
  std::string shared;  ///< `web-1  | `: in front of nearly every line
};

Wrapping detectWrapping(std::string_view head);

/// Lines of several processes may interleave: a message stays open until its prefix was not seen for 10,000
/// lines.
std::vector<LogMessage> splitMessages(std::string_view text, const Wrapping& wrapping);

}  // namespace descry::importers
