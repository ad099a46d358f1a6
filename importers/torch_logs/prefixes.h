// What stands in front of the text in a line of a log: PyTorch's own prefixes, and those of launchers, mail
// and diffs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace descry::importers {

/// A line split into prefix and text. Views point into the line.
struct LogLine {
  enum class Form : uint8_t {
    None,   ///< no prefix of PyTorch's: a continuation, or other text
    Short,  ///< V1129 14:07:36.811000 10379 torch/x.py:1844] [0/0] [__aot_graphs] text
    Long,   ///< [2024-01-02 03:04:05,678] [0/0] torch._dynamo.output_graph.__graph_code: [DEBUG] text
    Basic,  ///< DEBUG:torch._dynamo.output_graph.__graph_code:text
  };
  Form form = Form::None;
  std::string_view key;        ///< all before the text: equal for the lines of one message
  std::string_view compileId;  ///< with brackets
  std::string_view artifact;   ///< `graph_code`, without the two underscores; the logger's last part else
  char level = 0;              ///< V I W E C
  std::optional<int> rank;
  uint32_t textAt = 0;  ///< byte offset of the text in the line
};

/// Reads PyTorch's prefix at offset `from` of a line that holds no terminal colours there.
LogLine splitLogLine(std::string_view line, uint32_t from = 0);

/// Length of what launchers, containers, CI and mail put in front of a line: `[default0]:`,
/// `(EngineCore_DP0 pid=31) `, `[2025-12-15T20:35:11Z] `, `2024-05-01T12:00:00.123Z `, `E   `, `> `.
/// 0 when there is none. `[rank0]:` is left to splitLogLine unless another prefix stands behind it.
uint32_t launcherPrefix(std::string_view line);

}  // namespace descry::importers
