#include "exporters/json/json.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "importers/descry_json/descry_json.h"
#include "importers/fx_text/fx_text.h"
#include "ir/text/printer.h"
#include "tests/exporters/fixtures.h"

namespace descry::tests {
namespace {

using namespace ir;
namespace fs = std::filesystem;

std::string readFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string codes(const DiagnosticSink& sink) {
  std::string out;
  for (const Diagnostic& d : sink.all()) out += d.text() + "\n";
  return out;
}

/// Export, import, export again: equal bytes, equal print, no complaints.
void expectRoundTrip(const Module& module, const std::string& what) {
  const std::string json = exported("json", module);
  DiagnosticSink sink;
  const auto back = importers::parseDescryJson(json, sink);
  ASSERT_TRUE(back) << what << "\n" << codes(sink);
  EXPECT_EQ(sink.all().size(), 0u) << what << "\n" << codes(sink);
  EXPECT_TRUE(exported("json", *back) == json) << what;
  EXPECT_TRUE(printModule(*back) == printModule(module)) << what;
}

TEST(Json, EveryValueKindComesBackExactly) {
  const auto module = everyValueKind();
  DiagnosticSink sink;
  const auto back = importers::parseDescryJson(exported("json", *module), sink);
  ASSERT_TRUE(back);
  EXPECT_EQ(sink.all().size(), 0u) << codes(sink);
  const Graph& a = module->root();
  const Graph& b = back->root();
  const NodeId ca = a.find("call"), cb = b.find("call");
  ASSERT_TRUE(cb);
  ASSERT_EQ(a.argCount(ca), b.argCount(cb));
  for (uint32_t i = 0; i < a.argCount(ca); ++i) {
    const Argument x = a.toArgument(a.arg(ca, i)), y = b.toArgument(b.arg(cb, i));
    EXPECT_EQ(x.kind, y.kind) << i;
    if (x.kind == ValueKind::Float && std::isnan(x.d)) {
      EXPECT_TRUE(std::isnan(y.d));
    } else {
      EXPECT_EQ(x, y) << i;
      EXPECT_EQ(std::signbit(x.d), std::signbit(y.d)) << i;
    }
  }
  ASSERT_EQ(b.kwargCount(cb), 3u);
  EXPECT_EQ(b.kwargKey(cb, 1), "eps");
  EXPECT_EQ(b.kwarg(cb, 1).real(), 1e-16);
  EXPECT_EQ(a.node(ca).flags, b.node(cb).flags);
  ASSERT_TRUE(b.meta(cb));
  ASSERT_EQ(b.meta(cb)->size(), 3u);
  EXPECT_EQ((*b.meta(cb))[1].value, "twice");
  EXPECT_TRUE(b.source(cb).noStackTrace);
  EXPECT_EQ(b.users(b.find("x")), std::vector<NodeId>{cb});
  EXPECT_EQ(b.useCount(b.find("x")), a.useCount(a.find("x")));
  ASSERT_EQ(b.outputDescs.size(), 2u);
  EXPECT_FALSE(b.outputDescs[0]);
  EXPECT_EQ(b.graphId, "7");
  EXPECT_TRUE(b.partial);
  ASSERT_EQ(b.children.size(), 1u);
  EXPECT_EQ(back->graphs[b.children[0].graph].parent, 0u);
  expectRoundTrip(*module, "every kind");
}

TEST(Json, EveryStyleFieldComesBack) {
  const auto module = smallJoint();
  // Fails to compile when PrintStyle gets a field: write it in exporters/json, read it in
  // importers/descry_json.
  auto& [className, classBase, origin, functionName, signature, returnForm, signatureNames, signatureTail,
         shuffleLeaves, flattenSource, outSpec, returnAnnotation, quotedTypes, deletions, hasClass, pass,
         hasReturn, beforeReturn, trailing] = module->root().style;
  int n = 0;
  for (std::string* text : {&className, &classBase, &origin, &functionName, &signatureTail, &shuffleLeaves,
                            &flattenSource, &outSpec, &returnAnnotation})
    *text = "text " + std::to_string(n++);
  signature = SignatureForm::Shuffle;
  returnForm = ReturnForm::OnePerLine;
  signatureNames = {"a", "b"};
  beforeReturn = {"# b"};
  trailing = {"# c"};
  for (bool* flag : {&quotedTypes, &deletions, &hasClass, &pass, &hasReturn}) *flag = !*flag;
  module->root().subgraphsLeftOut = true;
  DiagnosticSink sink;
  const auto back = importers::parseDescryJson(exported("json", *module), sink);
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->root().subgraphsLeftOut);
  const PrintStyle &a = module->root().style, &b = back->root().style;
  EXPECT_EQ(std::tie(a.className, a.classBase, a.origin, a.functionName, a.signature, a.returnForm,
                     a.signatureNames),
            std::tie(b.className, b.classBase, b.origin, b.functionName, b.signature, b.returnForm,
                     b.signatureNames));
  EXPECT_EQ(std::tie(a.signatureTail, a.shuffleLeaves, a.flattenSource, a.outSpec, a.returnAnnotation,
                     a.beforeReturn, a.trailing),
            std::tie(b.signatureTail, b.shuffleLeaves, b.flattenSource, b.outSpec, b.returnAnnotation,
                     b.beforeReturn, b.trailing));
  EXPECT_EQ(std::tie(a.quotedTypes, a.deletions, a.hasClass, a.pass, a.hasReturn),
            std::tie(b.quotedTypes, b.deletions, b.hasClass, b.pass, b.hasReturn));
}

TEST(Json, SmallJointAndHostileNamesRoundTrip) {
  expectRoundTrip(*smallJoint(), "small joint");
  // Bad UTF-8 is replaced on the way out; from then on nothing changes.
  DiagnosticSink sink;
  const std::string json = exported("json", *hostileNames());
  const auto back = importers::parseDescryJson(json, sink);
  ASSERT_TRUE(back);
  EXPECT_EQ(sink.all().size(), 0u) << codes(sink);
  EXPECT_TRUE(exported("json", *back) == json);
  uint32_t same = 0;
  for (const std::string& text : hostileTexts()) same += back->root().find(text).valid();
  EXPECT_EQ(same, hostileTexts().size() - 1);  // all but the one that is no UTF-8
}

TEST(Json, SubgraphAloneBringsWhatIsBelowIt) {
  const auto module = everyValueKind();
  exporters::ExportInput input;
  input.module = module.get();
  input.graph = &module->graphs[1];
  const auto json = exporters::exportJson(input, {});
  ASSERT_TRUE(json.ok());
  DiagnosticSink sink;
  const auto back = importers::parseDescryJson(*json, sink);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->graphs.size(), 1u);
  EXPECT_EQ(back->root().name, "true_graph_0");
}

TEST(Json, HeadIsKept) {
  exporters::ExportInput input;
  const auto module = smallJoint();
  input.module = module.get();
  input.kind = "aot_joint_graph";
  input.compileId = "0/0_1";
  input.title = "a title";
  const auto json = exporters::exportJson(input, {});
  ASSERT_TRUE(json.ok());
  auto opened = importers::kDescryJsonImporter.open("g.json", *json, {});
  ASSERT_TRUE(opened.ok());
  const importers::GraphEntry& entry = (*opened)->graphs().at(0);
  EXPECT_EQ(entry.id, "graph");
  EXPECT_EQ(entry.kind, "aot_joint_graph");
  EXPECT_EQ(entry.compileId, "0/0_1");
  EXPECT_EQ(entry.title, "a title");
  std::string reason;
  EXPECT_EQ(importers::kDescryJsonImporter.sniff(*json, reason), 100);
  EXPECT_EQ(importers::kDescryJsonImporter.sniff("{\"schema\": \"descry.info/1\"}", reason), 0);
  EXPECT_EQ(importers::kDescryJsonImporter.sniff("class A:", reason), 0);
  DiagnosticSink sink;
  const auto loaded = (*opened)->load(0, sink);
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ((*loaded)->root().size(), module->root().size());
}

TEST(Json, ExcerptsOfRealGraphsRoundTrip) {
  size_t seen = 0;
  for (const auto& file : fs::directory_iterator(fs::path(DESCRY_SOURCE_DIR) / "tests/exporters/data")) {
    DiagnosticSink sink;
    const std::string text = readFile(file.path());
    const auto module = importers::parseFxText(text, {}, sink);
    ASSERT_GT(module->root().size(), 3u) << file.path();
    expectRoundTrip(*module, file.path());
    ++seen;
  }
  EXPECT_GE(seen, 3u);
  // All graphs of the reference logs, where they are at hand.
  const char* shared = std::getenv("DESCRY_SHARED");
  if (!shared) return;
  for (const auto& entry : fs::directory_iterator(fs::path(shared) / "corpus/reference")) {
    std::ifstream log(entry.path() / "default.log");
    std::string line, text;
    while (true) {
      const bool more = static_cast<bool>(std::getline(log, line));
      if (more && line.starts_with('\t')) {
        text += line.substr(1);
        text += '\n';
        continue;
      }
      if (text.find("def forward(") != std::string::npos) {
        DiagnosticSink sink;
        expectRoundTrip(*importers::parseFxText(text, {}, sink), entry.path());
      }
      text.clear();
      if (!more) break;
    }
  }
}

// What was read in part is written whole: no count in it may still be that of the lost text.
TEST(Json, ExportsOfCutDocumentsAreSound) {
  DiagnosticSink none;
  const auto module = importers::parseFxText(
      "class M(torch.nn.Module):\n    def forward(self, x):\n        x: \"f32[2]\"  # PlainAOTInput(idx=0)\n"
      "        a = torch.sin(x)\n        return [a,  # PlainAOTOutput(idx=0)\n]\n",
      {}, none);
  module->root().outputDescs.assign(module->root().outputs().size(), {});
  std::string json = exported("json", *module);
  const size_t descriptors = json.find("\"outputDescriptors\"");
  if (descriptors == std::string::npos)
    json.insert(json.find("\"nodes\""), "\"outputDescriptors\": [null],\n");
  for (size_t at = json.find("\"nodes\""); at < json.size(); at += 7) {
    DiagnosticSink cut, again;
    const auto part = importers::parseDescryJson(std::string_view(json).substr(0, at), cut);
    ASSERT_TRUE(part) << at;
    for (const Graph& g : part->graphs)
      EXPECT_TRUE(g.outputDescs.empty() || g.outputDescs.size() == g.outputs().size()) << at;
    ASSERT_TRUE(importers::parseDescryJson(exported("json", *part), again));
    EXPECT_EQ(again.errors(), 0u) << at << "\n" << codes(again);
  }
}

struct Bad {
  const char* code;
  const char* json;
};

// Documents around one fault each: "H" stands for a sound head, "N" for a sound node.
TEST(Json, FaultsAreNamedWithTheirPlace) {
  const Bad cases[] = {
      {"json-syntax", "{"},
      {"json-syntax", ""},
      {"json-not-descry", "[]"},
      {"json-not-descry", "{\"schema\": \"other/1\"}"},
      {"json-not-descry", "{\"schema\": 3}"},
      {"json-not-descry", "{\"schema\": \"descry.graph/x\"}"},
      {"json-newer-schema", "{\"schema\": \"descry.graph/2\"}"},
      {"json-newer-minor", "{\"schema\": \"descry.graph/1.3\", \"graphs\": [{\"nodes\": []}]}"},
      {"json-missing-field", "{H}"},
      {"json-wrong-type", "{H, \"graphs\": 3}"},
      {"json-wrong-type", "{H, \"graphs\": [3]}"},
      {"json-missing-field", "{H, \"graphs\": [{}]}"},
      {"json-wrong-type", "{H, \"graphs\": [{\"nodes\": {}}]}"},
      {"json-wrong-type", "{H, \"graphs\": [{\"nodes\": [7]}]}"},
      {"json-missing-field", "{H, \"graphs\": [{\"nodes\": [{\"id\": 0}]}]}"},
      {"json-bad-value", "{H, \"graphs\": [{\"nodes\": [{\"id\": 0, \"name\": \"a\", \"op\": \"boom\"}]}]}"},
      {"json-duplicate-id", "{H, \"graphs\": [{\"nodes\": [N, N]}]}"},
      {"json-two-outputs",
       "{H, \"graphs\": [{\"nodes\": [{\"id\": 1, \"name\": \"o\", \"op\": \"output\"},"
       "{\"id\": 2, \"name\": \"o\", \"op\": \"output\"}]}]}"},
      {"json-bad-reference", "{H, \"graphs\": [{\"nodes\": [V{\"node\": 99}W]}]}"},
      {"json-bad-reference", "{H, \"graphs\": [{\"nodes\": [V{\"node\": -1}W]}]}"},
      {"json-wrong-type", "{H, \"graphs\": [{\"nodes\": [V{\"node\": 1e400}W]}]}"},
      {"json-wrong-type", "{H, \"graphs\": [{\"nodes\": [V{\"node\": \"x\"}W]}]}"},
      {"json-bad-value", "{H, \"graphs\": [{\"nodes\": [V{}W]}]}"},
      {"json-bad-value", "{H, \"graphs\": [{\"nodes\": [V{\"float\": \"three\"}W]}]}"},
      {"json-bad-value", "{H, \"graphs\": [{\"nodes\": [V{\"slice\": [1]}W]}]}"},
      {"json-bad-value", "{H, \"graphs\": [{\"nodes\": [V{\"dict\": [[1, 2, 3]]}W]}]}"},
      {"json-wrong-type", "{H, \"graphs\": [{\"nodes\": [V{\"dict\": [1]}W]}]}"},
      {"json-wrong-type", "{H, \"graphs\": [{\"nodes\": [V{\"tuple\": 1}W]}]}"},
      {"json-bad-reference",
       "{H, \"graphs\": [{\"nodes\": [{\"id\": 0, \"name\": \"a\", \"op\": \"output\", \"type\": 5}]}]}"},
      {"json-bad-reference",
       "{H, \"types\": [], \"graphs\": [{\"nodes\": [{\"id\": 0, \"name\": \"a\", \"op\": \"output\", "
       "\"type\": 0}]}]}"},
      {"json-missing-field", "{H, \"types\": [{}], \"graphs\": [{\"nodes\": [N]}]}"},
      {"json-bad-count", "{H, \"graphs\": [{\"outputDescriptors\": [null, null], \"nodes\": [N]}]}"},
      {"json-bad-reference",
       "{H, \"graphs\": [{\"children\": [{\"attribute\": \"a\", \"graph\": 0}], \"nodes\": [N]}]}"},
      {"json-bad-reference",
       "{H, \"graphs\": [{\"children\": [{\"attribute\": \"a\", \"graph\": 9}], \"nodes\": [N]}]}"},
      {"json-child-shared",
       "{H, \"graphs\": [{\"children\": [{\"attribute\": \"a\", \"graph\": 1},"
       "{\"attribute\": \"b\", \"graph\": 1}], \"nodes\": [N]}, {\"nodes\": [N]}]}"},
      {"json-child-cycle",
       "{H, \"graphs\": [{\"nodes\": [N]},"
       "{\"children\": [{\"attribute\": \"a\", \"graph\": 2}], \"nodes\": [N]},"
       "{\"children\": [{\"attribute\": \"b\", \"graph\": 1}], \"nodes\": [N]}]}"},
      {"json-bad-value", "{H, \"graphs\": [{\"style\": {\"signature\": \"round\"}, \"nodes\": [N]}]}"},
      {"json-wrong-type", "{H, \"graphs\": [{\"style\": {\"trailing\": [1]}, \"nodes\": [N]}]}"},
      {"json-syntax", "{H, \"graphs\": [{\"nodes\": [N,]}]}"},
      {"json-syntax", "{H, \"graphs\": [{\"nodes\": [N]}]} tail"},
      {"json-syntax", "{H, \"graphs\": [{\"nodes\": [N"},
      {"json-syntax", "{H, \"title\": \"a\nb\"}"},
      {"json-syntax", "{H, \"title\": \"\\u12g4\"}"},
      {"json-syntax", "{H, \"title\": \"\\q\"}"},
      {"json-syntax", "{H, \"x\": 01}"},
      {"json-syntax", "{H, \"x\": -}"},
      {"json-syntax", "{H, \"x\": nul}"},
      {"json-bad-utf8", "{H, \"title\": \"\xFF\", \"graphs\": [{\"nodes\": [N]}]}"},
  };
  const auto replaceAll = [](std::string text, const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    return text;
  };
  for (const Bad& bad : cases) {
    std::string json = replaceAll(bad.json, "{H", "{\"schema\": \"descry.graph/1\"");
    json = replaceAll(json, "N]", "N ]");
    json =
        replaceAll(json, "[N", "[{\"id\": 0, \"name\": \"a\", \"op\": \"placeholder\", \"target\": \"a\"}");
    json =
        replaceAll(json, ", N", ", {\"id\": 0, \"name\": \"a\", \"op\": \"placeholder\", \"target\": \"a\"}");
    json = replaceAll(
        json, "[V", "[{\"id\": 0, \"name\": \"a\", \"op\": \"output\", \"target\": \"output\", \"args\": [");
    json = replaceAll(json, "W]", "]}]");
    DiagnosticSink sink;
    const auto module = importers::parseDescryJson(json, sink);
    bool found = false;
    for (const Diagnostic& d : sink.all())
      found = found || (d.code == bad.code && d.loc.line >= 1 && d.loc.column >= 1);
    EXPECT_TRUE(found) << json << "\nexpected " << bad.code << ", found:\n" << codes(sink);
    if (module) {
      for (const Graph& g : module->graphs) printGraph(*module, g);  // must hold together
      exported("json", *module);
    }
  }
}

TEST(Json, UnknownMembersAreIgnoredAndOrderIsFree) {
  const std::string json = R"({"zebra": [1, {"deep": [true]}],
    "graphs": [{"future": 1, "nodes": [
      {"op": "placeholder", "new": {}, "name": "x", "target": "x", "type": 0, "id": 40},
      {"id": 7, "args": [{"note": "ignored", "node": 40}, 1.5, 99999999999999999999], "kwargs": [],
       "name": "neg",
       "op": "call_function", "target": "torch.ops.aten.neg.default", "flags": ["unheard-of"]},
      {"id": 9, "name": "output", "op": "output", "target": "output", "args": [{"tuple": [{"node": 7}]}]}]}],
    "schema": "descry.graph/1", "types": [{"text": "f32[2]", "kind": "tensor"}]})";
  DiagnosticSink sink;
  const auto module = importers::parseDescryJson(json, sink);
  ASSERT_TRUE(module);
  EXPECT_EQ(sink.all().size(), 0u) << codes(sink);
  const Graph& g = module->root();
  ASSERT_EQ(g.size(), 3u);
  const NodeId neg = g.find("neg");
  EXPECT_EQ(g.arg(neg, 0).node(), g.find("x"));
  EXPECT_EQ(g.arg(neg, 1).real(), 1.5);
  EXPECT_EQ(g.arg(neg, 2).kind(), ValueKind::BigInt);
  EXPECT_EQ(g.type(g.find("x")).text, "f32[2]");
  EXPECT_EQ(g.node(neg).line, 4u);
  EXPECT_EQ(g.node(neg).column, 7u);
}

TEST(Json, DeepNestingIsRefusedWithoutHarm) {
  const auto wrap = [](const std::string& value) {
    return "{\"schema\": \"descry.graph/1\", \"graphs\": [{\"nodes\": [{\"id\": 0, \"name\": \"o\", \"op\": "
           "\"output\", "
           "\"target\": \"output\", \"args\": [" +
           value + "]}]}]}";
  };
  for (const size_t depth : {size_t{251}, size_t{252}, size_t{400}, size_t{1000000}}) {
    DiagnosticSink sink;
    std::string lists(depth, '[');
    lists.append(depth, ']');
    const auto module = importers::parseDescryJson(wrap(lists), sink);
    ASSERT_TRUE(module);
    EXPECT_EQ(sink.errors() == 0, depth < 252) << depth << codes(sink);
    std::string dicts, ends;
    for (size_t i = 0; i < std::min<size_t>(depth, 100000); ++i) {
      dicts += "{\"dict\":[[1,";
      ends += "]]}";
    }
    DiagnosticSink again;
    EXPECT_TRUE(importers::parseDescryJson(wrap(dicts + "1" + ends), again));
    EXPECT_EQ(again.errors() == 0, depth < 252) << depth << codes(again);
  }
}

TEST(Json, CutAnywhereNeverHarms) {
  const std::string json = exported("json", *everyValueKind());
  for (size_t n = 0; n < json.size(); n += 3) {
    DiagnosticSink sink;
    const auto module = importers::parseDescryJson(std::string_view(json).substr(0, n), sink);
    EXPECT_GE(sink.errors(), 1u) << n;
    if (module) {
      EXPECT_TRUE(module->graphs.back().truncated);
      printModule(*module);
    }
  }
}

TEST(Json, FlippedBytesNeverHarm) {
  const std::string json = exported("json", *everyValueKind());
  uint32_t seed = 12345;
  for (int round = 0; round < 3000; ++round) {
    std::string bad = json;
    for (int k = 0; k < 3; ++k) {
      seed = seed * 1664525 + 1013904223;
      const size_t at = (seed >> 8) % bad.size();
      seed = seed * 1664525 + 1013904223;
      constexpr std::string_view kAlphabet = "{}[]\",:0129-+.eE\\untf \n\x00\xff";
      bad[at] = kAlphabet[(seed >> 8) % kAlphabet.size()];
    }
    DiagnosticSink sink;
    const auto module = importers::parseDescryJson(bad, sink);
    if (!module) {
      EXPECT_GE(sink.errors(), 1u);
      continue;
    }
    printModule(*module);
    exported("json", *module);
    exported("csv", *module);
  }
}

TEST(Json, ManyNodesAreFast) {
  const auto module = bigGraph(100000);
  const auto start = std::chrono::steady_clock::now();
  const std::string json = exported("json", *module);
  DiagnosticSink sink;
  const auto back = importers::parseDescryJson(json, sink);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ASSERT_TRUE(back);
  EXPECT_EQ(back->root().size(), module->root().size());
  EXPECT_LT(seconds, 30);  // 0.2 s on a free core; the limit only catches quadratic work
}

}  // namespace
}  // namespace descry::tests
