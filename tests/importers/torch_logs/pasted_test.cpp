#include <sstream>

#include "tests/importers/support.h"

namespace descry::importers::test {
namespace {

const std::string kModule =
    "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[2]\"):\n"
    "        mul: \"f32[2]\" = torch.ops.aten.mul.Tensor(x, 2);  x = None\n        return (mul,)\n";

std::string eachLine(const std::string& prefix, const std::string& text) {
  std::string out, line;
  std::istringstream in(text);
  while (std::getline(in, line)) out += prefix + line + "\n";
  return out;
}

void expectOneCleanGraph(const std::string& content, const char* what) {
  const Folder folder;
  const auto input = openText(folder, content, "paste.txt");
  ASSERT_TRUE(input) << what;
  ASSERT_EQ(input->graphs().size(), 1u) << what;
  const auto module = loadClean(*input, 0);
  ASSERT_TRUE(module) << what;
  EXPECT_EQ(module->root().size(), 3u) << what;
  EXPECT_EQ(module->root().type(module->root().find("mul")).text, "f32[2]") << what;
}

TEST(Pasted, Wrappers) {
  expectOneCleanGraph("Hi,\n\n```python\n" + kModule + "```\nwhy?\n", "Markdown fence");
  expectOneCleanGraph("Hi,\n\n```\n" + kModule, "fence without end");
  expectOneCleanGraph(eachLine("> ", "wrote:\n" + kModule), "quoted reply");
  expectOneCleanGraph(eachLine("> > ", "wrote:\n" + kModule), "quoted twice");
  expectOneCleanGraph(eachLine("[default0]:", kModule), "torchrun");
  expectOneCleanGraph(eachLine("(RayWorker pid=5, ip=10.0.0.1) ", kModule), "Ray");
  expectOneCleanGraph(eachLine("2024-05-01T12:00:00.123Z ", kModule), "CI time stamps");
  expectOneCleanGraph(eachLine("trainer-1  | ", kModule), "container logs");
  expectOneCleanGraph(eachLine("E   ", kModule), "pytest");
}

TEST(Pasted, HtmlEscapes) {
  std::string html = kModule;
  for (size_t at; (at = html.find('"')) != std::string::npos;) html.replace(at, 1, "&quot;");
  expectOneCleanGraph("<pre>\n" + html + "</pre>\n", "HTML");
}

TEST(Pasted, CurlyQuotesAndHardBlanks) {
  std::string text = "TRACED GRAPH\n" + kModule;
  text.replace(text.find("\"f32[2]\"):"), 8,
               "\xE2\x80\x9C"
               "f32[2]\xE2\x80\x9D");
  for (size_t at; (at = text.find("        mul")) != std::string::npos;)
    text.replace(at, 2, "\xC2\xA0\xC2\xA0");
  expectOneCleanGraph(text, "web page");
}

TEST(Pasted, ADiffGivesTheNewText) {
  const std::string diff =
      "diff --git a/g.py b/g.py\n--- a/g.py\n+++ b/g.py\n@@ -1,4 +1,4 @@\n class "
      "GraphModule(torch.nn.Module):\n"
      "     def forward(self, x: \"f32[2]\"):\n-        mul: \"f32[2]\" = torch.ops.aten.mul.Tensor(x, 3);  "
      "x = None\n"
      "+        mul: \"f32[2]\" = torch.ops.aten.mul.Tensor(x, 2);  x = None\n         return (mul,)\n";
  expectOneCleanGraph(diff, "diff");
}

TEST(Pasted, ColoursThatLostTheirEscape) {
  std::string text = "TRACED GRAPH\n" + kModule;
  for (size_t at = 0; (at = text.find("\"f32[2]\"", at)) != std::string::npos; at += 20)
    text.replace(at, 8, "\"[31mf32[0m[34m[2][0m\"");
  expectOneCleanGraph(text, "bare colour codes");
}

}  // namespace
}  // namespace descry::importers::test
