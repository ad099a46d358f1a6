// The verifier against graphs broken on purpose: each is named with the rule that it breaks.
#include "ir/verify/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "importers/fx_text/fx_text.h"

namespace descry::ir {
namespace {

namespace fs = std::filesystem;

std::string readFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> brokenFiles() {
  std::vector<fs::path> out;
  for (const auto& e : fs::directory_iterator(DESCRY_SOURCE_DIR "/tests/ir/verify/broken"))
    if (e.path().extension() == ".txt") out.push_back(e.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::string describe(const std::vector<Diagnostic>& all) {
  std::string out;
  for (const Diagnostic& d : all) out += "  " + d.text() + " node=" + d.node + "\n";
  return out;
}

bool has(const DiagnosticSink& sink, const std::string& code, const std::string& node = "") {
  return std::any_of(sink.all().begin(), sink.all().end(),
                     [&](const Diagnostic& d) { return d.code == code && (node.empty() || d.node == node); });
}

class BrokenGraph : public ::testing::TestWithParam<fs::path> {};

TEST_P(BrokenGraph, IsNamedWithItsRule) {
  const std::string text = readFile(GetParam());
  std::istringstream first(text.substr(0, text.find('\n')));
  std::string hash, expect, code, node;
  first >> hash >> expect >> code >> node;
  ASSERT_EQ(expect, "expect:");

  const std::string body = text.substr(text.find('\n') + 1);
  importers::LineMap map;
  map.first.line = 2;
  DiagnosticSink sink;
  const auto module = importers::parseFxText(body, map, sink);
  verifyModule(*module, &allOps(), sink);

  bool found = false;
  for (const Diagnostic& d : sink.all()) {
    if (d.code != code) continue;
    if (node == "-" || d.node == node ||
        (d.node.empty() && d.message.find("'" + node + "'") != std::string::npos)) {
      found = true;
      EXPECT_GT(d.loc.line, 1u) << d.text();
      if (node != "-" && node != "output") {
        EXPECT_NE(d.message.find(node), std::string::npos) << d.text();
      }
    }
  }
  EXPECT_TRUE(found) << "wanted " << code << " at " << node << ", found\n" << describe(sink.all());
  EXPECT_GT(sink.errors() + sink.warnings(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Files, BrokenGraph, ::testing::ValuesIn(brokenFiles()),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(Verifier, EveryErrorOfTheTextFilesIsTheirOnly) {
  // Apart from what it is broken for, each file is fine: a rule that fires too often would show here.
  const std::set<std::string> alsoAllowed = {"use-before-definition", "undefined-name", "duplicate-name"};
  ASSERT_GE(brokenFiles().size(), 30u);
  for (const fs::path& path : brokenFiles()) {
    const std::string text = readFile(path);
    std::istringstream first(text);
    std::string hash, expect, code;
    first >> hash >> expect >> code;
    DiagnosticSink parse, sink;
    const auto module = importers::parseFxText(text.substr(text.find('\n') + 1), {}, parse);
    verifyModule(*module, &allOps(), sink);
    for (const Diagnostic& d : sink.all()) {
      if (d.severity != Severity::Error) continue;
      const bool follows = (code == "descriptor-illegal" || code == "descriptor-side" ||
                            code == "descriptor-duplicate" || code == "dummy-descriptor") &&
                           (d.code == "grad-of-nothing" || d.code == "tangent-of-nothing" || d.code == code);
      EXPECT_TRUE(d.code == code || follows || alsoAllowed.count(d.code)) << path << ": " << d.text();
    }
  }
}

/// x -> relu -> output, with everything in order.
Module soundModule() {
  Module m;
  m.addGraph("g");
  Graph& g = m.root();
  const NodeId x = g.addPlaceholder("x", g.context().type("f32[2][1]cpu"));
  const NodeId relu = g.add({.name = "relu", .target = "torch.ops.aten.relu.default", .args = {x}});
  g.setOutput(Argument::of(ValueKind::Tuple, {relu}));
  return m;
}

TEST(Verifier, SoundGraphHasNoFaults) {
  DiagnosticSink sink;
  verifyModule(soundModule(), &allOps(), sink);
  EXPECT_TRUE(sink.all().empty()) << describe(sink.all());
}

// What PyTorch's argument parser takes beyond the schema is no fault, and neither is what nobody knows.
TEST(Verifier, TorchLevelCallsThatSomeOverloadTakes) {
  DiagnosticSink sink;
  const auto module = importers::parseFxText(R"(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", y: "f32[2, 3]"):
        a = torch.add(x, 2, y)
        b = torch.sum(input = a, axis = 1, keepdims = True)
        c = x.view(3, 2)
        d = x.permute(1, 0)
        e = torch.zeros(2, 3, dtype = torch.float32, device = device(type='cpu'))
        f = torch.nn.functional.dropout(x, p = 0.5, training = True)
        g = torch.nn.functional.relu(x, inplace = True)
        h = torch.cat([x, y], axis = 1)
        i = x.to(torch.float16)
        j = torch.ops.aten.sum(x)
        k = torch.ops.aten.add(x, y, alpha = 2)
        l = torch.nobody.knows(1, 2, 3, what = 4)
        m = x.nobody_knows()
        return (a, b, c, d, e, f, g, h, i, j, k, l, m)
)",
                                             {}, sink);
  verifyModule(*module, &allOps(), sink);
  EXPECT_EQ(sink.errors(), 0u) << describe(sink.all());
}

TEST(Verifier, DuplicateName) {
  Module m = soundModule();
  Graph& g = m.root();
  const NodeId relu = g.find("relu");
  const NodeId neg = g.add({.name = "neg", .target = "torch.ops.aten.neg.default", .args = {relu}});
  g.edit(neg).name = g.node(relu).name;
  DiagnosticSink sink;
  verifyModule(m, &allOps(), sink);
  EXPECT_TRUE(has(sink, "duplicate-name", "relu")) << describe(sink.all());
}

TEST(Verifier, NameNotIdentifier) {
  Module m = soundModule();
  m.root().rename(m.root().find("relu"), "\"><script>");
  DiagnosticSink sink;
  verifyModule(m, &allOps(), sink);
  EXPECT_TRUE(has(sink, "name-not-identifier", "\"><script>")) << describe(sink.all());
}

TEST(Verifier, DanglingNode) {
  Module m = soundModule();
  Graph& g = m.root();
  Node bad;
  bad.name = g.context().intern("bad");
  bad.target = g.context().intern("torch.ops.aten.neg.default");
  const Cell cell = Cell::ref(NodeId{77});
  bad.args = g.pushCells(&cell, 1);
  bad.argCount = 1;
  g.append(bad);
  DiagnosticSink sink;
  verifyModule(m, &allOps(), sink);
  EXPECT_TRUE(has(sink, "dangling-node", "bad")) << describe(sink.all());
}

TEST(Verifier, MissingOutput) {
  Module m;
  m.addGraph("g");
  m.root().addPlaceholder("x");
  DiagnosticSink sink;
  verifyModule(m, &allOps(), sink);
  EXPECT_TRUE(has(sink, "missing-output"));
}

TEST(Verifier, SeveralOutputsAndOutputOrder) {
  Module m = soundModule();
  Graph& g = m.root();
  Node second;
  second.op = OpKind::Output;
  second.name = g.context().intern("output_1");
  g.append(second);
  DiagnosticSink sink;
  verifyModule(m, &allOps(), sink);
  EXPECT_TRUE(has(sink, "several-outputs", "output_1")) << describe(sink.all());
  EXPECT_TRUE(has(sink, "output-order", "output")) << describe(sink.all());
}

TEST(Verifier, PlaceholderOrder) {
  Module m = soundModule();
  Graph& g = m.root();
  const NodeId late = g.addPlaceholder("late", {}, g.context().descriptor("PlainAOTInput(idx=0)"));
  g.moveBefore(late, g.output());
  DiagnosticSink sink;
  verifyModule(m, &allOps(), sink);
  EXPECT_TRUE(has(sink, "placeholder-order", "late")) << describe(sink.all());
}

TEST(Verifier, LatePlaceholderWithoutDescriptorsIsANote) {
  Module m = soundModule();
  Graph& g = m.root();
  g.moveBefore(g.addPlaceholder("late"), g.output());
  DiagnosticSink sink;
  verifyModule(m, &allOps(), sink);
  EXPECT_TRUE(has(sink, "late-placeholder", "late"));
  EXPECT_EQ(sink.errors(), 0u);
}

TEST(Verifier, DescriptorCount) {
  Module m = soundModule();
  Graph& g = m.root();
  const DescId d = g.context().descriptor("PlainAOTOutput(idx=0)"),
               e = g.context().descriptor("PlainAOTOutput(idx=1)");
  g.outputDescs = {d, e};
  DiagnosticSink sink;
  verifyModule(m, &allOps(), sink);
  EXPECT_TRUE(has(sink, "descriptor-count", "output")) << describe(sink.all());
}

TEST(Verifier, GraphRefWithoutGraph) {
  Module m = soundModule();
  Graph& g = m.root();
  g.add({.name = "call",
         .target = "torch.ops.higher_order.invoke_subgraph",
         .args = {Argument::texted(ValueKind::GraphRef, "nowhere"), Argument::none()}});
  DiagnosticSink sink;
  verifyModule(m, &allOps(), sink);
  EXPECT_TRUE(has(sink, "dangling-subgraph", "call")) << describe(sink.all());
  EXPECT_EQ(sink.errors(), 1u) << describe(sink.all());

  // Percent form prints one graph: what its ops call stands elsewhere, and its absence is worth a note only.
  g.subgraphsLeftOut = true;
  DiagnosticSink lenient;
  verifyModule(m, &allOps(), lenient);
  EXPECT_TRUE(has(lenient, "dangling-subgraph", "call")) << describe(lenient.all());
  EXPECT_EQ(lenient.errors(), 0u) << describe(lenient.all());
}

TEST(Verifier, SubgraphInsideItself) {
  Module m = soundModule();
  m.addGraph("inner");
  const StrId name = m.context().intern("inner");
  m.graphs[1].children.push_back({name, 1});
  DiagnosticSink sink;
  verifyModule(m, &allOps(), sink);
  EXPECT_TRUE(has(sink, "subgraph-cycle")) << describe(sink.all());
}

TEST(Verifier, SubgraphOutOfRange) {
  Module m = soundModule();
  m.root().children.push_back({m.context().intern("inner"), 9});
  DiagnosticSink sink;
  verifyModule(m, &allOps(), sink);
  EXPECT_TRUE(has(sink, "subgraph-cycle")) << describe(sink.all());
}

TEST(Verifier, UnknownOpIsANoteAndToldOnce) {
  Module m = soundModule();
  Graph& g = m.root();
  for (int i = 0; i < 3; ++i) g.add({.target = "torch.ops.mylib.thing.default", .args = {g.find("x")}});
  DiagnosticSink sink;
  verifyModule(m, &allOps(), sink);
  EXPECT_EQ(sink.errors(), 0u);
  EXPECT_EQ(sink.notes(), 1u) << describe(sink.all());
}

TEST(Verifier, WithoutOpTableSchemaRulesAreSkipped) {
  Module m = soundModule();
  m.root().add({.name = "bad", .target = "torch.ops.aten.relu.default"});
  DiagnosticSink without, with;
  verifyModule(m, nullptr, without);
  verifyModule(m, &allOps(), with);
  EXPECT_EQ(without.errors(), 0u);
  EXPECT_TRUE(has(with, "missing-argument", "bad"));
}

TEST(Verifier, EveryRuleIsDocumented) {
  const std::string page = readFile(DESCRY_SOURCE_DIR "/docs/verifier.md");
  std::set<std::string> codes;
  for (const VerifyRule& rule : verifyRules()) {
    EXPECT_TRUE(codes.insert(rule.code).second) << rule.code;
    EXPECT_NE(page.find("`" + std::string(rule.code) + "`"), std::string::npos) << rule.code;
    EXPECT_NE(page.find(rule.meaning), std::string::npos) << rule.code;
  }
}

}  // namespace
}  // namespace descry::ir
