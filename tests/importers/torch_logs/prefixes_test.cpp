#include "importers/torch_logs/prefixes.h"

#include <gtest/gtest.h>

namespace descry::importers {
namespace {

std::string textOf(std::string_view line) {
  return std::string(line.substr(splitLogLine(line).textAt));
}

TEST(LogPrefix, Short) {
  const std::string_view line =
      "[rank1]:I1129 14:07:36.811000 10379 torch/_functorch/_aot_autograd/graph_compile.py:1844] [!0/3/0_1] "
      "[__aot_joint_graph]  x = [1]";
  const LogLine l = splitLogLine(line);
  EXPECT_EQ(l.form, LogLine::Form::Short);
  EXPECT_EQ(l.rank, 1);
  EXPECT_EQ(l.compileId, "[!0/3/0_1]");
  EXPECT_EQ(l.artifact, "aot_joint_graph");
  EXPECT_EQ(l.level, 'I');
  EXPECT_EQ(textOf(line), " x = [1]");
}

TEST(LogPrefix, ShortWithoutIdOrArtifactOrText) {
  EXPECT_EQ(textOf("W0407 10:01:02.000000 140144363024384 torch/_logging/_internal.py:1] warning text"),
            "warning text");
  EXPECT_EQ(textOf("V0407 10:01:02.000000 1 torch/x.py:2] [0/0] [__graph_code] "), "");
  EXPECT_EQ(textOf("V0407 10:01:02.000000 1 torch/x.py:2] [0/0] [__graph_code]"), "");
  EXPECT_EQ(textOf("V0407 10:01:02.000000 1 torch/x.py:2] [not/an id] x"), "[not/an id] x");
  EXPECT_EQ(splitLogLine("V0407 10:01:02.000000 1 torch/x.py] x").form, LogLine::Form::None);
}

TEST(LogPrefix, Long) {
  const std::string_view line =
      "[2023-10-11 12:13:14,567] [8/1_1] torch._dynamo.output_graph.__graph_code: [DEBUG]  class X";
  const LogLine l = splitLogLine(line);
  EXPECT_EQ(l.form, LogLine::Form::Long);
  EXPECT_EQ(l.compileId, "[8/1_1]");
  EXPECT_EQ(l.artifact, "graph_code");
  EXPECT_EQ(l.level, 'V');
  EXPECT_EQ(textOf(line), " class X");
  EXPECT_EQ(textOf("[2023-10-11 12:13:14,567] torch._inductor.graph: [WARNING] y"), "y");
}

TEST(LogPrefix, Basic) {
  const std::string_view line = "INFO:torch._functorch.aot_autograd.__aot_graphs:TRACED GRAPH";
  const LogLine l = splitLogLine(line);
  EXPECT_EQ(l.form, LogLine::Form::Basic);
  EXPECT_EQ(l.artifact, "aot_graphs");
  EXPECT_EQ(textOf(line), "TRACED GRAPH");
  EXPECT_EQ(splitLogLine("NOTE:torch.x:y").form, LogLine::Form::None);
}

TEST(LauncherPrefix, Forms) {
  const auto rest = [](std::string_view line) { return std::string(line.substr(launcherPrefix(line))); };
  EXPECT_EQ(rest("[default0]:text"), "text");
  EXPECT_EQ(rest("[default0]:[rank0]:V1129"), "[rank0]:V1129");
  EXPECT_EQ(rest("(EngineCore_DP0 pid=3112) text"), "text");
  EXPECT_EQ(rest("(RayWorker pid=5, ip=10.0.0.1) text"), "text");
  EXPECT_EQ(rest("[2025-12-15T20:35:11Z] text"), "text");
  EXPECT_EQ(rest("2024-05-01T12:00:00.123Z text"), "text");
  EXPECT_EQ(rest("> > text"), "text");
  EXPECT_EQ(rest("E   text"), "text");
  EXPECT_EQ(rest("[rank0]:V1129"), "[rank0]:V1129");
  EXPECT_EQ(rest("    x = y"), "    x = y");
  EXPECT_EQ(rest("(a, b) = f(x)"), "(a, b) = f(x)");
}

}  // namespace
}  // namespace descry::importers
