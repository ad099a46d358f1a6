#include <algorithm>
#include <sstream>

#include "importers/common/clean_line.h"
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

/// `text` with every blank as a non-breaking one.
std::string hardBlanks(std::string text) {
  for (size_t at = 0; (at = text.find(' ', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\xC2\xA0");
  return text;
}

std::string curly(std::string text) {
  bool open = true;
  for (size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 3, open = !open)
    text.replace(at, 1, open ? "\xE2\x80\x9C" : "\xE2\x80\x9D");
  return text;
}

TEST(Pasted, NothingButHardBlanks) {
  expectOneCleanGraph(hardBlanks(kModule), "hard blanks");
}
TEST(Pasted, NothingButCurlyQuotes) {
  expectOneCleanGraph(curly(kModule), "curly quotes");
}
TEST(Pasted, HardBlanksAndCurlyQuotes) {
  expectOneCleanGraph(curly(hardBlanks(kModule)), "both");
}

// A curly quote inside a plain string is text, and text that needs no cleaning is FX text.
TEST(Pasted, CurlyQuotesInsideStringsStay) {
  std::string line;
  appendCleanLine(line, "x = f('it\xE2\x80\x99s', a)", false);
  EXPECT_EQ(line, "x = f('it\xE2\x80\x99s', a)");
  const Folder folder;
  const auto input =
      openText(folder,
               "class A(torch.nn.Module):\n    def forward(self, x):\n"
               "        # File: m.py:3 in f, code: say(\xE2\x80\x9Chi\xE2\x80\x9D)\n        return (x,)\n");
  EXPECT_EQ(input->format(), "fx-text");
}

TEST(Pasted, BrokenLinesAreJoined) {
  const std::string broken =
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, primals_1: \"f32[2]\", y:\n\"f32[2]\"):\n"
      "        # File: m.py:3 in f, code: return torch.add(primals_1,\ny)\n"
      "        addition_of = torch.ops.aten.add.Tensor(primals_1, y); \nprimals_1 = None\n"
      "        b = torch.ops.aten.add.Tensor(addit\nion_of, y)\n"
      "        c = b +\ny\n"
      "        return (c,\nb)\n\nThat is all I have.\n";
  const Folder folder;
  const auto input = openText(folder, broken, "mail.txt");
  ASSERT_EQ(input->graphs().size(), 1u);
  const auto module = loadClean(*input, 0);
  const ir::Graph& g = module->root();
  EXPECT_EQ(g.size(), 6u);
  EXPECT_TRUE(g.find("addition_of").valid());
  EXPECT_EQ(g.node(g.find("b")).line, 8u);
  EXPECT_EQ(g.outputs().size(), 2u);
}

// Columns and bytes of diagnostics are those of the file, whatever was left out before them.
TEST(Pasted, PlacesSurviveTheCleaning) {
  /// Bytes from `nowhere` to the place that is reported.
  const auto distance = [](const std::string& text) -> int64_t {
    const Folder folder;
    const auto input = openText(folder, text, "x.txt");
    ir::DiagnosticSink sink;
    EXPECT_TRUE(input->load(0, sink).ok());
    EXPECT_EQ(sink.all().size(), 1u) << text;
    if (sink.all().empty()) return -1;
    const ir::Diagnostic& d = sink.all()[0];
    const size_t wanted = text.find("nowhere"), lineStart = text.rfind('\n', wanted) + 1;
    EXPECT_EQ(d.loc.line, std::count(text.begin(), text.begin() + static_cast<int64_t>(wanted), '\n') + 1);
    EXPECT_EQ(d.loc.column, static_cast<size_t>(d.loc.byte) - lineStart + 1) << d.text();
    return d.loc.byte - static_cast<int64_t>(wanted);
  };
  const std::string head = "TRACED GRAPH\nclass A(torch.nn.Module):\n    def forward(self, x):\n";
  const std::string tail = "\n        return (y,)\n";
  const int64_t plain = distance(head + "        y = torch.ops.aten.add.Tensor(x, nowhere)" + tail);
  EXPECT_TRUE(plain >= 0 && plain <= 7) << plain;
  EXPECT_EQ(
      distance(head + "        y: \"\x1b[31mf32\x1b[0m[2]\" = torch.ops.aten.add.Tensor(x, nowhere)" + tail),
      plain);
  EXPECT_EQ(distance(head + "        y: &quot;f32[2]&quot; = torch.ops.aten.add.Tensor(x, nowhere)" + tail),
            plain);
  EXPECT_EQ(distance(head + "        y\xC2\xA0= torch.ops.aten.add.Tensor(x,\xC2\xA0nowhere)" + tail), plain);
  EXPECT_EQ(distance(head + "        y = torch.ops.aten.add.Tensor(x,\nnowhere)" + tail), plain);
}

TEST(CleanLine, OneLineOfMillionsIsLinear) {
  std::string raw = "\xE2\x80\x9Cx\xE2\x80\x9D", out;
  while (raw.size() < (16u << 20)) raw += "\x1b[31mf32\x1b[0m\xC2\xA0&lt;";
  const auto begin = std::chrono::steady_clock::now();
  appendCleanLine(out, raw, true);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(out.substr(0, 13), "\"x\"f32 <f32 <");
}

}  // namespace
}  // namespace descry::importers::test
