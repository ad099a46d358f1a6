#include "session/views.h"

#include <filesystem>
#include <fstream>
#include <map>

#include "session/atomic_file.h"
#include "session/exports.h"
#include "session/report.h"
#include "session/scene_builder.h"
#include "tests/session/graphs.h"

namespace descry::session {
namespace {

namespace fs = std::filesystem;

std::string fact(const std::vector<FactRow>& rows, std::string_view label) {
  for (const FactRow& r : rows)
    if (r.label == label) return r.value;
  return "(none)";
}

TEST(NodeFacts, NameTypeSourceAndLinks) {
  const auto g = load(kJoint);
  const std::vector<FactRow> rows = nodeFacts(*g, at(*g, "mm"));
  EXPECT_EQ(fact(rows, "target"), "torch.ops.aten.mm.default");
  EXPECT_EQ(fact(rows, "shape"), "[4, 16]");
  EXPECT_EQ(fact(rows, "strides"), "[16, 1]");
  EXPECT_EQ(fact(rows, "dtype"), "f32 (torch.float32)");
  EXPECT_EQ(fact(rows, "place"), "/src/model.py:7");
  EXPECT_EQ(fact(rows, "code"), "h = x @ self.fc.weight");
  bool link = false;
  for (const FactRow& r : rows) link = link || (r.section == "outputs" && r.link == at(*g, "relu"));
  EXPECT_TRUE(link);
  EXPECT_TRUE(nodeFacts(*g, ir::NodeId{}).empty());
}

TEST(NodeFacts, AbsentFactsSayHowToGetThem) {
  const auto g = load(
      "class M(torch.nn.Module):\n    def forward(self, x):\n        a = torch.sin(x)\n        return "
      "(a,)\n");
  for (const FactRow& r : nodeFacts(*g, at(*g, "a"))) {
    if (r.origin == Origin::Absent) {
      EXPECT_NE(r.hint, "") << r.label;
    }
  }
  bool absent = false;
  for (const FactRow& r : nodeFacts(*g, at(*g, "a")))
    absent = absent || (r.label == "type" && r.origin == Origin::Absent);
  EXPECT_TRUE(absent);
}

TEST(NodeRows, OneRowPerNodeInProgramOrder) {
  const auto g = load(kJoint);
  const std::vector<NodeRow> rows = nodeRows(*g);
  ASSERT_EQ(rows.size(), g->graph->size());
  EXPECT_EQ(rows[3].name, "mm");
  EXPECT_EQ(rows[3].op, "mm");
  EXPECT_EQ(rows[3].inputs, 2u);
  EXPECT_EQ(rows[3].users, 1u);
  EXPECT_EQ(rows[3].bytes, 4 * 16 * 4);
  EXPECT_EQ(rows[3].line, 7u);
  for (size_t c = 0; c < nodeRowColumns().size(); ++c) nodeRowCell(rows[0], c);
  EXPECT_EQ(nodeRowCell(rows[3], 3), "f32[4, 16][16, 1]cpu");
}

TEST(Outline, SumsGoUp) {
  const auto g = load(kJoint);
  const std::vector<OutlineItem> items = outline(*g);
  uint32_t leaves = 0, top = 0;
  for (const OutlineItem& i : items) {
    leaves += i.node.valid();
    if (i.parent < 0) top += i.nodes;
  }
  EXPECT_EQ(leaves, g->graph->size() - 1);  // the output node is no item
  EXPECT_EQ(top, leaves);
  for (size_t i = 0; i < items.size(); ++i) EXPECT_LT(items[i].parent, static_cast<int>(i));
}

TEST(TextView, LinesBelongToTheirNodes) {
  const auto g = load(kJoint);
  const TextView v = textView(*g);
  EXPECT_EQ(v.text, kJoint);
  std::vector<std::string> lines;
  std::string_view rest = v.text;
  while (!rest.empty()) {
    lines.emplace_back(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.size(), rest.find('\n') + 1));
  }
  for (const auto& [node, line] : v.lines) {
    ASSERT_LT(line, lines.size());
    if (g->graph->node(node).op == ir::OpKind::CallFunction) {
      EXPECT_NE(lines[line].find(std::string(g->graph->nodeName(node)) + ":"), std::string::npos)
          << lines[line];
    }
  }
}

TEST(Addresses, FileGraphAndNode) {
  auto text = [](std::string_view s) {
    const Address a = parseAddress(s);
    return a.file + "|" + a.graph + "|" + a.node;
  };
  EXPECT_EQ(text("no/such.log"), "no/such.log||");
  EXPECT_EQ(text("no/such.log::0/0:joint"), "no/such.log|0/0:joint|");
  EXPECT_EQ(text("no/such.log::0/0:joint#mm_1"), "no/such.log|0/0:joint|mm_1");
  EXPECT_EQ(text("no/such.log::0/0:joint#2"), "no/such.log|0/0:joint#2|");
  EXPECT_EQ(text("no/such.log::0/0:joint#2#mm"), "no/such.log|0/0:joint#2|mm");
  EXPECT_EQ(text("no/such.log#mm"), "no/such.log||mm");
  EXPECT_EQ(text("-::g"), "-|g|");
  EXPECT_EQ(text("-"), "-||");
  EXPECT_EQ(text(""), "||");
  const fs::path folder = fs::temp_directory_path() / "descry_address_test";
  fs::create_directories(folder);
  const fs::path odd = folder / "a::b#c.txt";
  std::ofstream(odd) << "x";
  EXPECT_EQ(text(odd.string()), odd.string() + "||");  // a file that exists wins
  EXPECT_EQ(text(odd.string() + "::g"), odd.string() + "|g|");
  fs::remove_all(folder);
}

TEST(Documents, PrefixesAndWrongNames) {
  const fs::path file = fs::temp_directory_path() / "descry_document_test.txt";
  std::ofstream(file) << kJoint << "\n" << kJoint;
  auto document = Document::open(file.string());
  ASSERT_TRUE(document.ok());
  ASSERT_EQ((*document)->input().graphs().size(), 2u);
  EXPECT_TRUE((*document)->graph("").ok());
  EXPECT_TRUE((*document)->graph((*document)->input().graphs()[1].id).ok());
  EXPECT_EQ((*document)->graph("nothing").error().code, "graph-not-found");
  // The same object each time: it is parsed once.
  EXPECT_EQ(*(*document)->graphAt(0), *(*document)->graphAt(0));
  EXPECT_FALSE((*document)->changedOnDisk());
  std::ofstream(file, std::ios::app) << "\n";
  EXPECT_TRUE((*document)->changedOnDisk());
  fs::remove(file);
  EXPECT_FALSE(Document::open(file.string()).ok());
}

TEST(Scenes, BoxesForNodesAndOutputsAndNoOverlap) {
  const auto g = load(kJoint);
  LayoutStats stats;
  const ir::Scene s = buildScene(*g, {}, &stats);
  EXPECT_EQ(s.nodes.size(), g->graph->size() - 1 + 3);
  EXPECT_TRUE(s.hasBackward);
  EXPECT_GT(stats.layers, 1u);
  for (size_t i = 0; i < s.nodes.size(); ++i) {
    for (size_t k = i + 1; k < s.nodes.size(); ++k) {
      const ir::SceneRect &a = s.nodes[i].rect, &b = s.nodes[k].rect;
      EXPECT_FALSE(a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
          << s.nodes[i].label << " " << s.nodes[k].label;
    }
  }
  int outputs = 0, tangents = 0, views = 0;
  for (const ir::SceneNode& n : s.nodes) {
    outputs += n.outputSlot >= 0;
    tangents += n.role == ir::NodeRole::Tangent;
    views += n.role == ir::NodeRole::View;
  }
  EXPECT_EQ(outputs, 3);
  EXPECT_EQ(tangents, 1);
  EXPECT_EQ(views, 2);
  for (const ir::SceneEdge& e : s.edges) EXPECT_LE(e.firstPoint + e.pointCount, s.points.size());
}

TEST(Scenes, HalvesOfAModuleFaceEachOtherInTheJointDrawing) {
  const auto g = load(R"(class inner_f(torch.nn.Module):
    def forward(
        self,
        primals,
        tangents,
    ):
        primals_1: "f32[4, 4][4, 1]cpu"  # ParamAOTInput(target='net.a.weight')
        primals_2: "f32[4, 4][4, 1]cpu"  # ParamAOTInput(target='net.b.weight')
        primals_3: "f32[4, 4][4, 1]cpu"  # PlainAOTInput(idx=0)
        tangents_1: "f32[4, 4][4, 1]cpu"  # TangentAOTInput(output=PlainAOTOutput(idx=0))
        primals_1, primals_2, primals_3, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
        mm: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(primals_3, primals_1)
        mm_1: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(mm, primals_2)
        t: "f32[4, 4][1, 4]cpu" = torch.ops.aten.t.default(mm)
        mm_2: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(t, tangents_1)
        t_1: "f32[4, 4][1, 4]cpu" = torch.ops.aten.t.default(primals_2)
        mm_3: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(tangents_1, t_1)
        t_2: "f32[4, 4][1, 4]cpu" = torch.ops.aten.t.default(primals_3)
        mm_4: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(t_2, mm_3)
        return pytree.tree_unflatten([
            mm_1,  # PlainAOTOutput(idx=0)
            mm_4,  # GradAOTOutput(grad_of=ParamAOTInput(target='net.a.weight'))
            mm_2,  # GradAOTOutput(grad_of=ParamAOTInput(target='net.b.weight'))
            None,  # None
        ], self._out_spec)
)");
  SceneOptions options;
  options.jointU = true;
  const ir::Scene s = buildScene(*g, options, nullptr);
  std::map<std::string, ir::SceneRect> rects;
  for (const ir::SceneGroup& group : s.groups) rects[group.path] = group.rect;
  for (const char* module : {"net.a", "net.b"}) {
    const ir::SceneRect forward = rects[module], backward = rects[std::string("backward: ") + module];
    ASSERT_GT(forward.w, 0) << module;
    ASSERT_GT(backward.w, 0) << module;
    EXPECT_FLOAT_EQ(forward.y, backward.y) << module;
    EXPECT_GT(backward.x, forward.x + forward.w) << module;
  }
  EXPECT_LT(rects["net.a"].y, rects["net.b"].y);
  // A gradient stands where it is made.
  for (const ir::SceneNode& n : s.nodes) {
    if (n.label != "grad of primals_1") continue;
    EXPECT_EQ(s.groups[static_cast<size_t>(n.group)].path, "backward: net.a");
  }
}

TEST(Scenes, HiddenViewsAreBridged) {
  const auto g = load(kJoint);
  SceneOptions o;
  o.hideViews = true;
  const ir::Scene s = buildScene(*g, o);
  bool bridged = false;
  for (const ir::SceneNode& n : s.nodes) EXPECT_NE(n.label, "t");
  for (const ir::SceneEdge& e : s.edges)
    bridged = bridged || (s.nodes[e.from].label == "primals_2" && s.nodes[e.to].label == "mm_1");
  EXPECT_TRUE(bridged);
}

TEST(Scenes, SameInputSamePictureAndGroupsFold) {
  const auto g = load(kJoint);
  SceneOptions o;
  o.groupBy = GroupBy::Phase;
  const ir::Scene a = buildScene(*g, o), b = buildScene(*g, o);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (size_t i = 0; i < a.nodes.size(); ++i) EXPECT_EQ(a.nodes[i].rect.x, b.nodes[i].rect.x);
  ASSERT_EQ(a.groups.size(), 3u);
  o.folded.insert("backward");
  const ir::Scene folded = buildScene(*g, o);
  for (const ir::SceneNode& n : folded.nodes) {
    if (n.phase == ir::Phase::Backward) {
      EXPECT_EQ(n.rect.w, 0) << n.label;
    }
  }
}

TEST(Exports, EveryFormatAndItsCommandLine) {
  const auto g = load(kJoint);
  for (const ExportFormat& f : exportFormats()) {
    if (!f.available) continue;
    ExportRequest r;
    r.format = f.name;
    const auto text = exportGraph(*g, r);
    ASSERT_TRUE(text.ok()) << f.name << ": " << text.error().message;
    EXPECT_FALSE(text->empty());
  }
  ExportRequest bad;
  bad.format = "gif";
  EXPECT_EQ(exportGraph(*g, bad).error().code, "format-unknown");
  bad.format = "svg";
  bad.path = "/nonexistent-folder/x.svg";
  EXPECT_EQ(exportGraph(*g, bad).error().code, "cannot-write");
  bad.path = "my picture.svg";
  bad.theme = "dark";
  EXPECT_EQ(exportCommandLine(*g, bad),
            "descry export test.txt::graph --format svg --theme dark -o 'my picture.svg'");
}

TEST(AtomicWrite, ReplacesKeepsModeAndLeavesNothingBehind) {
  const fs::path folder = fs::temp_directory_path() / "descry_atomic_test";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::string path = (folder / "x").string();
  EXPECT_TRUE(writeFileAtomically(path, "one").ok());
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(writeFileAtomically(path, "two").ok());
  std::string text;
  std::ifstream(path) >> text;
  EXPECT_EQ(text, "two");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_FALSE(writeFileAtomically(folder.string(), "x").ok());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace descry::session
