#include "importers/common/importer.h"

#include <algorithm>

#include "tests/importers/support.h"

namespace descry::importers::test {
namespace {

std::string codeOf(const std::string& path, const OpenOptions& options = {}) {
  const auto input = openInput(path, options);
  return input.ok() ? "ok" : input.error().code;
}

TEST(OpenInput, EachWayToFailHasItsCode) {
  const Folder folder;
  EXPECT_EQ(codeOf(folder.path() + "/missing.log"), "not-found");
  EXPECT_EQ(codeOf(folder.path() + "/missing/deeper.log"), "not-found");
  EXPECT_EQ(codeOf(folder.path()), "is-empty");
  EXPECT_EQ(codeOf(folder.write("empty.log", "")), "is-empty");
  EXPECT_EQ(codeOf(folder.write("blank.log", "\n \n\t\r\n")), "is-empty");
  EXPECT_EQ(codeOf(folder.write("prose.txt", "Dear reader,\nnothing here.\n")), "not-recognised");
  EXPECT_EQ(codeOf(folder.write("model.pt2", std::string("PK\x03\x04\x14\0\0\0", 8))), "not-recognised");
  EXPECT_EQ(codeOf(folder.write("binary", std::string(4096, '\0') + "abc")), "not-recognised");
  EXPECT_EQ(codeOf("/dev/null"), "not-recognised");
  OpenOptions options;
  options.format = "no-such-format";
  EXPECT_EQ(codeOf(folder.write("g.log", record("\"aot_joint_graph\": {}, " + kId, kGraph)), options),
            "unknown-format");
}

TEST(OpenInput, SaysWhatAnArchiveIs) {
  const Folder folder;
  const auto input = openInput(folder.write("model.pt2", std::string("PK\x03\x04\x14\0\0\0", 8)));
  ASSERT_FALSE(input.ok());
  EXPECT_NE(input.error().message.find("zip archive"), std::string::npos);
}

TEST(OpenInput, StatesWhyItChoseTheFormat) {
  const Folder folder;
  const auto input = openText(folder, record("\"aot_joint_graph\": {}, " + kId, kGraph), "renamed.txt");
  EXPECT_EQ(input->format(), "torch-trace");
  EXPECT_EQ(input->formatReason(), "line 1 is the header of a 'aot_joint_graph' trace record");
}

TEST(OpenInput, ForcedFormatWins) {
  const Folder folder;
  OpenOptions options;
  options.format = "torch-logs";
  const auto input =
      openInput(folder.write("g.log", record("\"aot_joint_graph\": {}, " + kId, kGraph)), options);
  ASSERT_TRUE(input.ok());
  EXPECT_EQ((*input)->format(), "torch-logs");
}

TEST(OpenInput, LineEndsAndByteOrderMarks) {
  const Folder folder;
  const std::string log = record("\"aot_joint_graph\": {}, " + kId, kGraph);
  const auto plain = openText(folder, log, "plain.log");
  const std::string expected = *plain->text(0);

  const auto bom = openText(folder, "\xEF\xBB\xBF" + log, "bom.log");
  ASSERT_EQ(bom->graphs().size(), 1u);
  EXPECT_EQ(*bom->text(0), expected);

  std::string cr = log;
  std::replace(cr.begin(), cr.end(), '\n', '\r');
  const auto lone = openText(folder, cr, "cr.log");
  ASSERT_EQ(lone->graphs().size(), 1u);
  EXPECT_EQ(*lone->text(0), expected);

  for (const bool big : {false, true}) {
    std::string wide = big ? std::string("\xFE\xFF") : std::string("\xFF\xFE");
    for (const char c : log) {
      if (big) wide += '\0';
      wide += c;
      if (!big) wide += '\0';
    }
    const auto utf16 = openText(folder, wide, "utf16.log");
    ASSERT_EQ(utf16->graphs().size(), 1u);
    EXPECT_EQ(*utf16->text(0), expected);
    EXPECT_EQ(utf16->graphs()[0].hashState, "ok");
  }
}

TEST(OpenInput, CancelledWhileOpening) {
  const Folder folder;
  std::atomic<bool> cancel{true};
  OpenOptions options;
  options.progress.cancel = &cancel;
  EXPECT_EQ(codeOf(folder.write("g.log", record("\"aot_joint_graph\": {}, " + kId, kGraph)), options),
            "cancelled");
}

TEST(OpenFolder, RankFilesAreOneRun) {
  const Folder folder;
  for (const int rank : {0, 1, 10})
    folder.write(
        "dedicated_log_torch_trace_rank_" + std::to_string(rank) + "_abc.log",
        record("\"dynamo_start\": {\"stack\": []}, \"rank\": " + std::to_string(rank) + ", " + kId) +
            record("\"aot_joint_graph\": {}, \"rank\": " + std::to_string(rank) + ", " + kId, kGraph));
  folder.write("note.txt", "nothing\n");
  folder.write("empty.log", "");
  const auto input = openInput(folder.path());
  ASSERT_TRUE(input.ok()) << input.error().text();
  EXPECT_EQ(graphIds(**input),
            (std::vector<std::string>{"rank0:0/0:joint", "rank1:0/0:joint", "rank10:0/0:joint"}));
  EXPECT_EQ((*input)->graphs()[2].rank, 10);
  int ignored = 0;
  for (const RecordEntry& r : (*input)->records()) ignored += r.state == "ignored";
  EXPECT_EQ(ignored, 2);
  EXPECT_TRUE(hasCode((*input)->diagnostics(), "files-ignored"));
  loadClean(**input, 1);
}

TEST(OpenFolder, RankOfTheNameIsBelieved) {
  const Folder folder;
  folder.write("dedicated_log_torch_trace_rank_5_a.log",
               record("\"aot_joint_graph\": {}, \"rank\": 1, " + kId, kGraph));
  folder.write("dedicated_log_torch_trace_rank_6_a.log",
               record("\"aot_joint_graph\": {}, \"rank\": 1, " + kId, kGraph));
  const auto input = openInput(folder.path());
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(graphIds(**input), (std::vector<std::string>{"rank5:0/0:joint", "rank6:0/0:joint"}));
  EXPECT_TRUE(hasCode((*input)->diagnostics(), "rank-mismatch"));
}

TEST(OpenFolder, GraphFilesAreNamedByTheirPath) {
  const Folder folder;
  folder.write("a/joint.txt", kGraph);
  folder.write("b/forward.txt", kGraph);
  const auto input = openInput(folder.path());
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(graphIds(**input), (std::vector<std::string>{"a/joint.txt", "b/forward.txt"}));
  EXPECT_EQ((*input)->graphs()[1].kind, "forward");
  EXPECT_EQ(loadClean(**input, 1)->root().size(), 3u);
}

TEST(OpenFolder, NothingToRead) {
  const Folder folder;
  folder.write("a.txt", "nothing\n");
  EXPECT_EQ(codeOf(folder.path()), "not-recognised");
}

TEST(OpenInput, AGraphBehindMuchOtherText) {
  const Folder folder;
  std::string other;
  while (other.size() < (700u << 10)) other += "epoch 3: the loss is 0.25\n";
  const std::string percent =
      "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
      "    %sin : [num_users=1] = call_function[target=torch.sin](args = (%x,), kwargs = {})\n    return "
      "sin\n";
  const auto graph = openText(folder, other + kGraph);
  EXPECT_EQ(graph->graphs().size(), 1u);
  EXPECT_NE(graph->formatReason().find("lines of other text"), std::string::npos);
  EXPECT_EQ(openText(folder, other + percent)->graphs().size(), 1u);
  const auto trace = openText(folder, other + record("\"aot_joint_graph\": {}, " + kId, kGraph));
  EXPECT_EQ(trace->format(), "torch-trace");
  EXPECT_EQ(graphIds(*trace), (std::vector<std::string>{"0/0:joint"}));
  EXPECT_EQ(openText(folder, std::string(600u << 10, '\n') + kGraph)->graphs().size(), 1u);
  // Lines longer than a window, and nothing at all.
  EXPECT_EQ(codeOf(folder.write("x.txt", std::string(2u << 20, 'x') + "\n" + other)), "not-recognised");
}

}  // namespace
}  // namespace descry::importers::test
