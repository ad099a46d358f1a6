// Milliseconds and bytes of each export format for a chain of 10,000 nodes that are already placed.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "exporters/common/exporter.h"
#include "ir/text/printer.h"

using namespace descry;

namespace {

std::shared_ptr<ir::Module> chain(uint32_t nodes) {
  auto module = std::make_shared<ir::Module>();
  module->addGraph("");
  ir::Graph& g = module->root();
  ir::Context& c = module->context();
  const ir::TypeId type = c.type("f32[64, 128][128, 1]cuda:0");
  std::vector<ir::NodeId> made;
  for (uint32_t i = 0; i < nodes; ++i) {
    ir::Node n;
    const bool input = i < nodes / 20 + 1;
    char text[120];
    std::snprintf(text, sizeof text, input ? "primals_%u" : "mul_%u", i + 1);
    n.name = c.intern(text);
    n.op = input ? ir::OpKind::Placeholder : ir::OpKind::CallFunction;
    n.target = input ? n.name : c.intern("torch.ops.aten.mul.Tensor");
    n.type = type;
    if (!input) {
      std::snprintf(text, sizeof text, "# File: /model/layers.py:%u in forward, code: x = x * self.scale",
                    i / 4 + 1);
      n.source = c.source(text);
      const ir::Cell cells[] = {ir::Cell::ref(made.back()), ir::Cell::ref(made[made.size() / 2])};
      n.args = g.pushCells(cells, 2);
      n.argCount = 2;
    }
    const ir::NodeId id = g.append(n);
    g.linkUses(id);
    made.push_back(id);
  }
  g.setOutput(ir::Argument::tuple({made.back()}));
  return module;
}

/// Rows of eight; the exporters do not care how good the picture is.
ir::Scene placed(const ir::Graph& g) {
  ir::Scene scene;
  std::vector<uint32_t> at(g.idBound(), 0);
  for (ir::NodeId id : g.nodes()) {
    if (g.node(id).op == ir::OpKind::Output) continue;
    const auto i = static_cast<uint32_t>(scene.nodes.size());
    ir::SceneNode node;
    node.node = id;
    node.rect = {static_cast<float>(i % 8) * 180, static_cast<float>(i / 8) * 90, 140, 44};
    node.label = g.nodeName(id);
    node.type = "f32[64, 128]";
    node.phase = i % 2 ? ir::Phase::Forward : ir::Phase::Backward;
    at[id.index] = i;
    scene.nodes.push_back(node);
    g.forEachInput(id, [&](ir::NodeId in) {
      const ir::SceneRect a = scene.nodes[at[in.index]].rect, b = node.rect;
      scene.edges.push_back(
          {at[in.index], i, static_cast<uint32_t>(scene.points.size()), 4, ir::EdgeKind::Data, 2});
      for (ir::ScenePoint p : {ir::ScenePoint{a.x + 70, a.y + 44}, ir::ScenePoint{a.x + 70, a.y + 60},
                               ir::ScenePoint{b.x + 70, a.y + 60}, ir::ScenePoint{b.x + 70, b.y}})
        scene.points.push_back(p);
    });
  }
  scene.bounds = {0, 0, 1440, static_cast<float>(scene.nodes.size() / 8 + 1) * 90};
  return scene;
}

}  // namespace

int main(int argc, char** argv) {
  const uint32_t nodes = argc > 1 ? static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 10000;
  const auto module = chain(nodes);
  const ir::Scene scene = placed(module->root());
  exporters::ExportInput input;
  input.module = module.get();
  input.scene = &scene;
  input.title = "bench";
  std::printf("%-8s %10s %12s   (%u nodes, best of 5)\n", "format", "ms", "bytes", nodes);
  for (const exporters::ExporterDef& def : exporters::allExporters()) {
    if (!def.available) continue;
    double best = 1e9;
    size_t bytes = 0;
    for (int round = 0; round < 5; ++round) {
      const auto start = std::chrono::steady_clock::now();
      const auto result = def.run(input, {});
      best = std::min(
          best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
      if (!result.ok()) return 1;
      bytes = result->size();
    }
    std::printf("%-8s %10.1f %12zu\n", def.name, best, bytes);
  }
  return 0;
}
