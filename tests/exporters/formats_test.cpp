// Structure of the exports that people look at. What other programs read back is checked by check_exports.py.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "exporters/dot/dot.h"
#include "tests/exporters/fixtures.h"

namespace descry::tests {
namespace {

using namespace ir;

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

std::string golden(const std::string& name) {
  std::ifstream file(std::string(DESCRY_SOURCE_DIR "/tests/exporters/golden/") + name, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Exporters, TableIsComplete) {
  for (const char* name : {"svg", "html", "dot", "json", "csv", "csv-io", "fx"}) {
    const exporters::ExporterDef* def = exporters::findExporter(name);
    ASSERT_TRUE(def) << name;
    EXPECT_GT(std::string(def->summary).size(), 5u);
    EXPECT_GT(std::string(def->fidelity).size(), 5u);
  }
  EXPECT_EQ(exporters::findExporter("bmp"), nullptr);
  EXPECT_STREQ(exporters::exporterForFile("a.b.gv")->name, "dot");
  EXPECT_STREQ(exporters::exporterForFile("x.txt")->name, "fx");
  EXPECT_EQ(exporters::exporterForFile("x"), nullptr);
  const auto module = smallJoint();
  EXPECT_NE(exported("svg", *module).find("scene-missing"), std::string::npos);
  EXPECT_NE(exported("html", *module).find("scene-missing"), std::string::npos);
}

TEST(Exporters, CsvGolden) {
  const auto module = smallJoint();
  EXPECT_EQ(exported("csv", *module), golden("small_joint.csv"));
  EXPECT_EQ(exported("csv-io", *module), golden("small_joint_io.csv"));
}

TEST(Exporters, JsonGolden) {
  EXPECT_EQ(exported("json", *smallJoint()), golden("small_joint.json"));
}

TEST(Exporters, DotAvailabilityIsToldTruthfully) {
  const std::string dot = exported("dot", *smallJoint());
  EXPECT_EQ(exporters::findExporter("dot")->available, exporters::dotAvailable());
  if (exporters::dotAvailable()) {
    EXPECT_EQ(dot.rfind("digraph", 0), 0u);
  } else {
    EXPECT_NE(dot.find("[format-missing]"), std::string::npos);
  }
}

TEST(Svg, NodesEdgesGroupsAndLegend) {
  const auto module = smallJoint();
  const Scene scene = gridScene(module->root());
  const std::string svg = exported("svg", *module, &scene);
  EXPECT_EQ(count(svg, "<g id=\"node-"), 8u);
  EXPECT_EQ(count(svg, "<g id=\"output-"), 3u);
  EXPECT_EQ(count(svg, "<g id=\"group-"), 1u);
  EXPECT_EQ(count(svg, "<g class=\"edge saved"), 1u);  // tanh, read by tanh_backward
  EXPECT_EQ(count(svg, "<g class=\"edge alias"), 1u);  // t is a view of primals_2
  for (const char* text :
       {">forward<", ">backward<", ">tangent<", ">parameter<", ">gradient<", ">saved for backward<",
        "Groups: from module stack.", "descriptor: TangentAOTInput(output=PlainAOTOutput(idx=0))",
        "source: /model.py:12"})
    EXPECT_GE(count(svg, text), 1u) << text;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  exporters::ExportInput input;
  input.module = module.get();
  input.scene = &scene;
  exporters::ExportOptions options;
  options.legend = false;
  const auto bare = exporters::findExporter("svg")->run(input, options);
  ASSERT_TRUE(bare.ok());
  EXPECT_EQ(count(*bare, "class=\"legend\""), 0u);
}

TEST(Svg, EveryShapeHasItsOwnOutline) {
  const auto module = smallJoint();
  const Scene scene = everyShape();
  const std::string svg = exported("svg", *module, &scene);
  // Outlines of the second row (forward), moved to one place: what is left differs by role alone.
  std::set<std::string> outlines;
  for (size_t i = 12; i < 24; ++i) {
    Scene one = scene;
    one.edges.clear();
    one.groups.clear();
    one.nodes = {scene.nodes[i]};
    one.nodes[0].rect = {0, 0, 96, 44};
    exporters::ExportInput input;
    input.module = module.get();
    input.scene = &one;
    exporters::ExportOptions options;
    options.legend = false;
    const auto drawn = exporters::findExporter("svg")->run(input, options);
    ASSERT_TRUE(drawn.ok());
    const size_t begin = drawn->find("<path d=\"", drawn->find("class=\"nodes\""));
    outlines.insert(drawn->substr(begin, drawn->find("<text", begin) - begin));
  }
  EXPECT_EQ(outlines.size(), 12u);
  for (const char* kind : {"data", "saved", "alias", "mutation", "control", "symbolic"})
    EXPECT_EQ(count(svg, std::string("<g class=\"edge ") + kind), 1u) << kind;
  EXPECT_EQ(count(svg, "class=\"group folded\""), 1u);
  EXPECT_EQ(count(svg, ">32 nodes<"), 1u);
}

TEST(Svg, EqualInputEqualBytesAndThemesDiffer) {
  const auto module = smallJoint();
  const Scene scene = gridScene(module->root());
  EXPECT_EQ(exported("svg", *module, &scene), exported("svg", *module, &scene));
  EXPECT_NE(exported("svg", *module, &scene, Theme::Light), exported("svg", *module, &scene, Theme::Dark));
}

TEST(Svg, HostileScenesAreDrawnWithoutHarm) {
  const auto module = smallJoint();
  Scene scene = gridScene(module->root());
  const float bad[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                       -1e38f, 0, -5};
  size_t k = 0;
  for (SceneNode& n : scene.nodes) {
    n.rect.w = bad[k++ % 5];
    n.rect.x = bad[k++ % 5];
    n.group = 99;
    n.node.index += 3;
  }
  for (ScenePoint& p : scene.points) p.x = bad[k++ % 5];
  scene.edges.push_back({77, 88, 4000000000u, 4000000000u, EdgeKind::Data, 200});
  scene.edges[0].pointCount = 1;
  scene.groups[0].parent = 5;
  const std::string svg = exported("svg", *module, &scene);
  EXPECT_EQ(svg.find("FAILED"), std::string::npos);
  EXPECT_EQ(svg.find("\"nan"), std::string::npos);
  for (const char* text : {"inf ", "inf\"", "\"inf", "nan "})
    EXPECT_EQ(svg.find(text), std::string::npos) << text;
  exported("html", *module, &scene);
  EXPECT_EQ(exported("dot", *module, &scene).find("export-failed"), std::string::npos);
}

TEST(Html, HoldsItsPartsAndItsPolicy) {
  const auto module = smallJoint();
  const Scene scene = gridScene(module->root());
  const std::string html = exported("html", *module, &scene);
  EXPECT_EQ(count(html, "<script"), 2u);
  EXPECT_EQ(count(html, "default-src 'none'; script-src 'sha256-"), 1u);
  EXPECT_EQ(count(html, "<a data-node="), 5u);  // three inputs, two outputs that are nodes
  EXPECT_EQ(count(html, "class joint_helper(torch.nn.Module):"), 1u);
  EXPECT_EQ(count(html, "http://www.w3.org/2000/svg"), 1u);
  EXPECT_EQ(count(html, "http"), 2u);  // that name, and `http-equiv`
}

TEST(Html, TenThousandNodesStayUnderFiveMegabytes) {
  const auto module = bigGraph(10000);
  const Scene scene = gridScene(module->root());
  const std::string html = exported("html", *module, &scene);
  EXPECT_GT(html.size(), 1000000u);
  EXPECT_LT(html.size(), 5000000u);
}

}  // namespace
}  // namespace descry::tests
