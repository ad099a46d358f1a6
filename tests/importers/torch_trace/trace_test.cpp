#include "tests/importers/support.h"

namespace descry::importers::test {
namespace {

TEST(Trace, GraphsHaveIdsKindsAndPlaces) {
  const Folder folder;
  const auto input = openText(
      folder,
      record("\"dynamo_start\": {\"stack\": []}, " + kId) +
          record("\"aot_joint_graph\": {}, " + kId, kGraph) +
          record(R"("artifact": {"name": "before_pre_grad_graph", "encoding": "string"}, )" + kId, kGraph) +
          record("\"aot_joint_graph\": {}, " + kId, kGraph) +
          record(R"("aot_joint_graph": {}, "frame_id": 0, "frame_compile_id": 0, "attempt": 1)", kGraph));
  EXPECT_EQ(graphIds(*input),
            (std::vector<std::string>{"0/0:joint", "0/0:before_pre_grad", "0/0:joint#2", "0/0_1:joint"}));
  EXPECT_EQ(input->graphs()[1].kind, "before_pre_grad_graph");
  EXPECT_EQ(input->graphs()[3].compileId, "0/0_1");
  EXPECT_EQ(input->graphs()[3].attempt, 1);
  EXPECT_EQ(input->graphs()[0].begin.line, 3u);
  EXPECT_EQ(input->graphs()[0].begin.column, 2u);
  EXPECT_EQ(input->graphs()[0].hashState, "ok");
  EXPECT_EQ(*input->text(0), kGraph);
  const auto module = loadClean(*input, 0);
  const ir::NodeId sin = module->root().find("sin");
  ASSERT_TRUE(sin.valid());
  // Line 2 is the header; the statement is the fourth line of the payload.
  EXPECT_EQ(module->root().node(sin).line, 6u);
}

// Frame ids count per process, so a compiled autograd id is part of the key only when there is no frame.
TEST(Trace, CompileIds) {
  const Folder folder;
  const auto input = openText(
      folder, record(R"("compiled_autograd_graph": {}, "compiled_autograd_id": 1, "attempt": 0)", kGraph) +
                  record(R"("dynamo_output_graph": {}, "compiled_autograd_id": 1, )"
                         R"("frame_id": 4, "frame_compile_id": 0, "attempt": 0)",
                         kGraph) +
                  record(R"("aot_joint_graph": {}, "compiled_autograd_id": null, )"
                         R"("frame_id": 2, "frame_compile_id": 1, "attempt": 0)",
                         kGraph) +
                  record(R"("aot_joint_graph": {}, "stack": [])", kGraph));
  std::vector<std::string> keys, shown;
  for (const GraphEntry& g : input->graphs()) {
    keys.push_back(g.compileId);
    shown.push_back(g.shownCompileId);
  }
  EXPECT_EQ(keys, (std::vector<std::string>{"!1", "4/0", "2/1", "None/None"}));
  EXPECT_EQ(shown, (std::vector<std::string>{"!1", "!1/4/0", "2/1", ""}));
  EXPECT_EQ(graphIds(*input),
            (std::vector<std::string>{"!1:compiled_autograd", "!1/4/0:dynamo", "2/1:joint", "joint"}));
}

TEST(Trace, TheSameIdCompiledThreeTimes) {
  const Folder folder;
  std::string log;
  for (int i = 0; i < 3; ++i)
    log += record("\"dynamo_start\": {\"stack\": []}, " + kId) +
           record("\"dynamo_output_graph\": {}, " + kId, kGraph) +
           record("\"compilation_metrics\": {\"co_name\": \"f\"}, " + kId);
  const auto input = openText(folder, log);
  EXPECT_EQ(graphIds(*input), (std::vector<std::string>{"0/0:dynamo", "0/0:dynamo#2", "0/0:dynamo#3"}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(input->graphs()[i].instance, i);
}

TEST(Trace, HashStates) {
  const Folder folder;
  const std::string log = record("\"aot_joint_graph\": {}, " + kId, kGraph);
  const auto crlf = openText(folder, record("\"aot_joint_graph\": {}, " + kId, kGraph, "\r\n"), "crlf.log");
  EXPECT_EQ(crlf->graphs()[0].hashState, "ok-without-cr");
  EXPECT_EQ(*crlf->text(0), kGraph);
  loadClean(*crlf, 0);

  std::string edited = log;
  edited.replace(edited.find("x.sin()"), 7, "y.cos()");
  const auto changed = openText(folder, edited, "edited.log");
  EXPECT_EQ(changed->graphs()[0].hashState, "mismatch");
  EXPECT_TRUE(hasCode(changed->diagnostics(), "payload-hash"));
  EXPECT_EQ(changed->records()[0].state, "payload-hash");
  loadClean(*changed, 0);
}

// An editor that strips blanks turns a lone TAB into an empty line.
TEST(Trace, EmptiedPayloadLinesStayInThePayload) {
  const Folder folder;
  const std::string payload = "class A(torch.nn.Module):\n    def forward(self, x):\n\n\n        return x\n";
  std::string log = record("\"aot_joint_graph\": {}, " + kId, payload);
  for (size_t at; (at = log.find("\n\t\n")) != std::string::npos;) log.erase(at + 1, 1);
  log += record("\"dynamo_output_graph\": {}, " + kId, kGraph);
  const auto input = openText(folder, log);
  ASSERT_EQ(input->graphs().size(), 2u);
  EXPECT_EQ(*input->text(0), payload.substr(0, payload.size() - 1));
  EXPECT_EQ(input->diagnostics().warnings(), 1u);  // the last, emptied line is gone
  loadClean(*input, 0);
  loadClean(*input, 1);
}

TEST(Trace, ADamagedRecordLosesOnlyItself) {
  const Folder folder;
  const std::string good = record("\"aot_forward_graph\": {}, " + kId, kGraph);
  const std::string badHeader =
      kHeader + "{\"aot_joint_graph\": {}, \"frame_id\" 0}\n\tclass X(torch.nn.Module):\n\t    pass\n";
  const std::string badPayload =
      kHeader + "{\"chromium_event\": {}, \"has_payload\": \"00\"}\n\t{\"name\": \"x\", \n";
  const std::string log = good + badHeader + "a line of stderr\nanother\n" + good + badPayload +
                          "\torphan? no: same payload\n" + record("\"new_kind\": {\"a\": 1}, " + kId) +
                          "\tnobody announced this\n" + good;
  const auto input = openText(folder, log);
  EXPECT_EQ(graphIds(*input), (std::vector<std::string>{"0/0:forward", "0/0:forward#2", "0/0:forward#3"}));
  for (size_t i = 0; i < 3; ++i) loadClean(*input, i);
  std::vector<std::string> states;
  for (const RecordEntry& r : input->records()) states.push_back(r.state);
  EXPECT_EQ(states, (std::vector<std::string>{"", "bad-header", "junk", "", "bad-payload", "orphan", ""}));
  EXPECT_FALSE(input->records()[5].known);
  EXPECT_EQ(input->records()[5].kind, "new_kind");
  EXPECT_EQ(*input->payload(5), "nobody announced this");
  EXPECT_EQ(*input->payload(2), "a line of stderr\nanother");
  for (const ir::Diagnostic& d : input->diagnostics().all()) {
    if (d.code != "bad-header") continue;
    EXPECT_EQ(d.loc.line, 8u);
    EXPECT_EQ(log.substr(static_cast<size_t>(d.loc.byte), 3), "0}\n");
  }
  for (const char* code : {"bad-header", "junk-lines", "bad-payload", "unknown-record", "orphan-payload"})
    EXPECT_TRUE(hasCode(input->diagnostics(), code)) << code;
}

TEST(Trace, CutInTheLastRecord) {
  const Folder folder;
  const std::string log = record("\"dynamo_output_graph\": {}, " + kId, kGraph) +
                          record("\"aot_joint_graph\": {}, " + kId, kGraph);
  const std::string cut = log.substr(0, log.rfind("aten.sin"));
  const auto input = openText(folder, cut);
  ASSERT_EQ(input->graphs().size(), 2u);
  EXPECT_EQ(input->records()[1].state, "truncated");
  EXPECT_TRUE(hasCode(input->diagnostics(), "truncated"));
  ir::DiagnosticSink sink;
  const auto module = input->load(1, sink);
  ASSERT_TRUE(module.ok());
  EXPECT_TRUE((*module)->root().truncated);
  loadClean(*input, 0);
  // Without a final line end, but whole.
  const auto whole = openText(folder, log.substr(0, log.size() - 1), "whole.log");
  EXPECT_EQ(whole->records()[1].state, "");
}

TEST(Trace, UnknownRecordsThatHoldAGraphAreGraphs) {
  const Folder folder;
  const auto input = openText(
      folder, record(R"("artifact": {"name": "my_pass_output", "encoding": "string"}, )" + kId, kGraph) +
                  record("\"brand_new_graph\": {}, " + kId, kGraph) +
                  record(R"("artifact": {"name": "other", "encoding": "string"}, )" + kId, "no graph") +
                  record(R"("dump_file": {"name": "<eval_with_key>.4"})",
                         "def forward(self, x):\n    y = x + 1\n    return y\n"));
  EXPECT_EQ(graphIds(*input), (std::vector<std::string>{"0/0:my_pass_output", "0/0:brand_new", "dump_file"}));
  EXPECT_EQ(input->graphs()[2].title, "<eval_with_key>.4");
  EXPECT_EQ(loadClean(*input, 2)->root().size(), 3u);
}

TEST(Trace, ARunnableScriptGivesItsModule) {
  const Folder folder;
  const std::string script =
      "import torch\nfrom torch import device\n\nclass Repro(torch.nn.Module):\n    def __init__(self) -> "
      "None:\n"
      "        super().__init__()\n\n    def forward(self, arg0_1):\n"
      "        mul = torch.ops.aten.mul.Tensor(arg0_1, 2);  arg0_1 = None\n        return (mul,)\n\n"
      "def load_args(reader):\n    buf0 = reader.storage(None, 8)\n";
  const auto input = openText(
      folder, record(R"("artifact": {"name": "fx_graph_runnable", "encoding": "string"}, )" + kId, script));
  const auto module = loadClean(*input, 0);
  EXPECT_EQ(module->root().size(), 3u);
  EXPECT_EQ(module->root().node(module->root().find("mul")).line, 10u);
}

TEST(Trace, NothingButAFewRecords) {
  const Folder folder;
  const auto input = openText(folder, record(R"("str": ["/x.py", 0])"));
  EXPECT_EQ(input->graphs().size(), 0u);
  ASSERT_EQ(input->records().size(), 1u);
  EXPECT_EQ(*input->payload(0), R"(["/x.py", 0])");
  ir::DiagnosticSink sink;
  EXPECT_FALSE(input->load(0, sink).ok());
  EXPECT_FALSE(input->payload(1).ok());
}

// A hash that fits says that nobody touched the payload, not that it is JSON.
TEST(Trace, DamagedJsonIsToldEvenWhenItsHashFits) {
  const Folder folder;
  const auto input = openText(
      folder,
      record(R"("artifact": {"name": "fx_graph_cache_miss", "encoding": "json"}, )" + kId, "{\"a\": 1,") +
          record("\"chromium_event\": {}, " + kId, "{\"name\": \"a\"") +
          record("\"aot_joint_graph\": {}, " + kId, kGraph));
  EXPECT_EQ(input->records()[0].state, "bad-payload");
  EXPECT_EQ(input->records()[1].state, "bad-payload");
  EXPECT_EQ(input->diagnostics().warnings(), 2u);
  EXPECT_EQ(input->diagnostics().all()[0].loc.line, 1u);
  EXPECT_EQ(*input->payload(0), "{\"a\": 1,");
  loadClean(*input, 0);
}

// PyTorch calls the text of recompile_reasons JSON; text is no damaged JSON.
TEST(Trace, TextInAJsonArtifactIsNoDamage) {
  const Folder folder;
  const auto input =
      openText(folder, record(R"("artifact": {"name": "recompile_reasons", "encoding": "json"}, )" + kId,
                              "!0/0/0: inputs[3].size()[2] == 3  # duck sizing"));
  EXPECT_EQ(input->diagnostics().warnings(), 0u);
  EXPECT_EQ(input->records()[0].state, "");
}

// A record that cannot be read is a loss; a hash that differs, damaged JSON that is kept as text, stray lines
// and payloads nobody announced are not.
TEST(Trace, WhatCountsAsReadInPart) {
  const Folder folder;
  const std::string good = record("\"aot_forward_graph\": {}, " + kId, kGraph);
  std::string edited = good;
  edited.replace(edited.find("x.sin()"), 7, "y.cos()");
  const std::string harmless =
      edited + "a line of stderr\n" + record("\"new_kind\": {}, " + kId) + "\tnobody announced this\n";
  const std::string event = record("\"chromium_event\": {}, " + kId, "{\"name\": \"a\"");
  EXPECT_FALSE(openText(folder, harmless + event)->readInPart());
  for (const std::string& bad : {good + kHeader + "{\"aot_joint_graph\": {}, \"frame_id\" 0}\n",
                                 good + good.substr(0, good.find("aten.sin")), "\tno header at all\n" + good})
    EXPECT_TRUE(openText(folder, bad)->readInPart()) << bad;
}

}  // namespace
}  // namespace descry::importers::test
