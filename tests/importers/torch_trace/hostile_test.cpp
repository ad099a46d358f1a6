#include "tests/importers/support.h"

namespace descry::importers::test {
namespace {

/// Everything that can be asked of an input, to see that it comes back.
void exercise(const Input& input) {
  for (size_t i = 0; i < input.graphs().size(); ++i) {
    ir::DiagnosticSink sink;
    EXPECT_TRUE(input.load(i, sink).ok());
    EXPECT_TRUE(input.text(i).ok());
    input.inputFacts(i);
    input.hashState(i);
  }
  for (size_t i = 0; i < std::min<size_t>(input.records().size(), 1000); ++i)
    EXPECT_TRUE(input.payload(i).ok());
  input.tables();
}

TEST(HostileTrace, LinesOfAMillionCharacters) {
  const Folder folder;
  const std::string longText(1000000, 'x');
  const auto input = openText(
      folder, record(R"("artifact": {"name": ")" + longText + R"(", "encoding": "json"}, )" + kId, longText) +
                  longText + "\n" + record("\"" + longText + "\": {}, " + kId, kGraph) +
                  record("\"aot_joint_graph\": {}, " + kId, kGraph + longText));
  EXPECT_EQ(input->graphs().size(), 2u);
  exercise(*input);
}

TEST(HostileTrace, DeepJson) {
  const Folder folder;
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  const auto input = openText(
      folder, record("\"dynamo_start\": {\"stack\": " + deep + "}, " + kId) +
                  record("\"chromium_event\": {}, " + kId, deep) +
                  record("\"dynamo_guards\": {}, " + kId, std::string(500000, '[')) +
                  record(R"("describe_tensor": {"id": 0, "describer_id": 0, "size": )" + deep + "}, " + kId));
  exercise(*input);
  EXPECT_EQ(tableOf(*input, "frames"), nullptr);
}

TEST(HostileTrace, ZerosAndBytesThatAreNoUtf8) {
  const Folder folder;
  std::string graph = kGraph;
  graph.insert(graph.find("sin:"), std::string("\xFF\xFE\0", 3));
  const auto input = openText(folder, record("\"aot_joint_graph\": {}, " + kId, graph) +
                                          record("\"create_symbol\": {\"symbol\": \"\xC3(\"}, " + kId) +
                                          record("\"str\": [\"\xFF\", 0]"));
  exercise(*input);
  ir::DiagnosticSink sink;
  EXPECT_TRUE(input->load(0, sink).ok());
  EXPECT_TRUE(hasCode(sink, "invalid-utf8"));
}

TEST(HostileTrace, InternedStringsThatNameEachOther) {
  const Folder folder;
  const auto input = openText(
      folder, record(R"("str": [1, 0])") + record(R"("str": [0, 1])") +
                  record(R"("str": ["a", 99999999999999999999])") + record(R"("str": {"x": 1})") +
                  record(R"("dynamo_start": {"stack": [{"filename": 0}, {"filename": "q"}, 3]}, )" + kId));
  exercise(*input);
  EXPECT_EQ(tableOf(*input, "frames")->rows[0][2], "(unknown)");
}

TEST(HostileTrace, NumbersOutOfRange) {
  const Folder folder;
  const auto input = openText(
      folder,
      record(R"("aot_joint_graph": {}, "frame_id": 99999999999999999999999, "frame_compile_id": -5, )"
             R"("attempt": 9223372036854775807, "rank": 1.5)",
             kGraph) +
          record(R"("describe_tensor": {"id": "x", "describer_id": null, "size": 3, "dtype": 7}, )" + kId) +
          record(R"("compilation_metrics": [1, 2], )" + kId));
  exercise(*input);
}

TEST(HostileTrace, EveryTruncationOfALogOpens) {
  const Folder folder;
  const std::string log =
      record("\"dynamo_start\": {\"stack\": []}, " + kId) +
      record("\"aot_joint_graph\": {}, " + kId, kGraph) +
      record(R"("artifact": {"name": "recompile_reasons", "encoding": "json"}, )" + kId, "[\"a\"]");
  for (size_t length = 130; length < log.size(); length += 3) {
    const auto input = openInput(folder.write("cut.log", log.substr(0, length)));
    ASSERT_TRUE(input.ok()) << length << input.error().text();
    exercise(**input);
  }
}

TEST(HostileTrace, ManyDamagedHeadersAreCountedNotKept) {
  const Folder folder;
  std::string log = record("\"aot_joint_graph\": {}, " + kId, kGraph);
  for (int i = 0; i < 5000; ++i) log += kHeader + "{\"a\": \n";
  const auto input = openText(folder, log);
  EXPECT_EQ(input->diagnostics().all().size(), 1000u);
  EXPECT_GE(input->diagnostics().dropped(), 4000u);
  exercise(*input);
}

/// `log` with every leading TAB replaced.
std::string withoutTabs(const std::string& log, const std::string& instead) {
  std::string out;
  for (size_t at = 0; at < log.size();) {
    const size_t end = std::min(log.find('\n', at), log.size());
    out += log[at] == '\t' ? instead + log.substr(at + 1, end - at - 1) : log.substr(at, end - at);
    out += '\n';
    at = end + 1;
  }
  return out;
}

size_t countOf(const ir::DiagnosticSink& sink, const std::string& code) {
  size_t n = 0;
  for (const ir::Diagnostic& d : sink.all()) n += d.code == code;
  return n;
}

TEST(HostileTrace, TabsThatBecameBlanksOrNothing) {
  const Folder folder;
  const std::string log =
      record("\"dynamo_start\": {\"stack\": []}, " + kId) +
      record("\"aot_joint_graph\": {}, " + kId, kGraph) +
      record("\"aot_forward_graph\": {}, " + kId, kGraph + "\n") +
      record(R"("artifact": {"name": "recompile_reasons", "encoding": "json"}, )" + kId, "[\n  \"a\"\n]");
  for (const std::string& instead :
       {std::string(), std::string(" "), std::string(4, ' '), std::string(8, ' ')}) {
    const auto input = openText(folder, withoutTabs(log, instead));
    EXPECT_EQ(graphIds(*input), (std::vector<std::string>{"0/0:joint", "0/0:forward"})) << instead.size();
    EXPECT_EQ(countOf(input->diagnostics(), "payload-indent"), 1u);
    EXPECT_FALSE(input->readInPart());
    EXPECT_EQ(input->hashState(0), "ok");
    EXPECT_EQ(input->hashState(1), "ok");
    const auto text = input->text(0);
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(*text, kGraph);
    const auto module = loadClean(*input, 0);
    const ir::Node& sin = module->root().node(module->root().find("sin"));
    EXPECT_EQ(sin.line, 6u);
    EXPECT_EQ(sin.column, 9u + instead.size());
  }
}

TEST(HostileTrace, IndentationThatCannotBeRestoredIsALoss) {
  const Folder folder;
  std::string log = record("\"aot_joint_graph\": {}, " + kId, kGraph);
  log.replace(log.find("sin.default"), 11, "cos.default");
  const auto input = openText(folder, withoutTabs(log, "  "));
  ASSERT_EQ(input->graphs().size(), 1u);
  EXPECT_TRUE(input->readInPart());
  EXPECT_EQ(input->records()[0].state, "payload-indent");
  EXPECT_FALSE(hasCode(input->diagnostics(), "payload-hash"));
}

TEST(HostileTrace, TabLinesFurtherOnAreNoStrippedPayload) {
  const Folder folder;
  const std::string whole = record("\"aot_joint_graph\": {}, " + kId, kGraph);
  const size_t payload = whole.find("\n\t") + 1;
  const auto input = openText(folder, whole.substr(0, payload) + "another process\n" + whole.substr(payload));
  EXPECT_FALSE(hasCode(input->diagnostics(), "payload-indent"));
  EXPECT_TRUE(hasCode(input->diagnostics(), "junk-lines"));
}

}  // namespace
}  // namespace descry::importers::test
