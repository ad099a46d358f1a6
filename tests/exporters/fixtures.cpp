#include "tests/exporters/fixtures.h"

#include <cmath>
#include <limits>

#include "exporters/common/facts.h"
#include "ir/text/printer.h"

namespace descry::tests {

using namespace ir;

std::shared_ptr<Module> smallJoint() {
  auto module = std::make_shared<Module>();
  module->addGraph("");
  Graph& g = module->root();
  Context& c = module->context();
  g.style.className = "joint_helper";
  const NodeId x =
      g.addPlaceholder("primals_1", c.type("f32[2, 3][3, 1]cpu"), c.descriptor("PlainAOTInput(idx=0)"));
  const NodeId w = g.addPlaceholder("primals_2", c.type("f32[3, 4][4, 1]cpu"),
                                    c.descriptor("ParamAOTInput(target='layer.weight')"));
  const NodeId t = g.addPlaceholder("tangents_1", c.type("f32[2, 4][4, 1]cpu"),
                                    c.descriptor("TangentAOTInput(output=PlainAOTOutput(idx=0))"));
  const SourceId line = c.source("# File: /model.py:12 in forward, code: y = x.tanh() @ w");
  const auto call = [&](const char* name, const char* target, const char* type, std::vector<Argument> args) {
    Graph::NodeSpec spec;
    spec.name = name;
    spec.target = target;
    spec.type = c.type(type);
    spec.args = std::move(args);
    spec.source = line;
    return g.add(spec);
  };
  const NodeId tanh = call("tanh", "torch.ops.aten.tanh.default", "f32[2, 3][3, 1]cpu", {x});
  const NodeId mm = call("mm", "torch.ops.aten.mm.default", "f32[2, 4][4, 1]cpu", {tanh, w});
  const NodeId wt = call("t", "torch.ops.aten.t.default", "f32[4, 3][1, 4]cpu", {w});
  const NodeId mm1 = call("mm_1", "torch.ops.aten.mm.default", "f32[2, 3][3, 1]cpu", {t, wt});
  const NodeId back =
      call("tanh_backward", "torch.ops.aten.tanh_backward.default", "f32[2, 3][3, 1]cpu", {mm1, tanh});
  g.setSource(tanh, line, true);
  g.setOutput(Argument::tuple({mm, back, Argument::none()}),
              {c.descriptor("PlainAOTOutput(idx=0)"),
               c.descriptor("GradAOTOutput(grad_of=PlainAOTInput(idx=0))"), c.descriptor("None")});
  return module;
}

std::shared_ptr<Module> everyValueKind() {
  auto module = std::make_shared<Module>();
  module->addGraph("");
  const uint32_t inner = module->addGraph("true_graph_0");
  Context& c = module->context();
  {
    Graph& sub = module->graphs[inner];
    sub.parent = 0;
    sub.style.className = "true_graph_0";
    const NodeId a = sub.addPlaceholder("arg0_1", c.type("f32[s0, 2*s1 + 1]"));
    sub.setOutput(Argument::tuple({a}));
  }
  Graph& g = module->root();
  g.children.push_back({c.intern("true_graph_0"), inner});
  g.style.trailing = {"# graph id: 7"};
  g.graphId = "7";
  const NodeId x = g.addPlaceholder("x", c.type("TwoTensor(f32[2])"));
  const NodeId s = g.addPlaceholder("s77", c.type("Sym(s77)"), c.descriptor("SomethingNewAOTInput(idx=3)"));
  Graph::NodeSpec spec;
  spec.name = "call";
  spec.target = "torch.ops.higher_order.cond";
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  spec.args = {
      x,
      s,
      Argument::none(),
      Argument::boolean(true),
      Argument::boolean(false),
      Argument(int64_t{9007199254740993}),
      Argument(std::numeric_limits<int64_t>::min()),
      Argument(std::numeric_limits<int64_t>::max()),
      Argument(-1),
      Argument::texted(ValueKind::BigInt, "123456789012345678901234567890"),
      Argument(0.1),
      Argument(2.0),
      Argument(-0.0),
      Argument(1e-5),
      Argument(5e-324),
      Argument(1.7976931348623157e308),
      Argument(kInfinity),
      Argument(-kInfinity),
      Argument(std::nan("")),
      Argument::str("it's \"quoted\"\n\ttab \\ \xC3\xA9 \xF0\x9F\x98\x80"),
      Argument::str(""),
      Argument::texted(ValueKind::Complex, "(2+3j)"),
      Argument::tuple({}),
      Argument::tuple({Argument(1)}),
      Argument::list({}),
      Argument::list({Argument::tuple({x, Argument::list({x, Argument::none()})}), Argument(3)}),
      Argument::of(ValueKind::Dict, {Argument::str("k"), Argument(1), Argument(2), Argument::list({x})}),
      Argument::of(ValueKind::Slice, {Argument::none(), Argument(9223372036854775807), Argument(s)}),
      Argument::texted(ValueKind::Dtype, "torch.float32"),
      Argument::texted(ValueKind::Device, "cuda:0"),
      Argument::texted(ValueKind::Layout, "torch.strided"),
      Argument::texted(ValueKind::MemoryFormat, "torch.contiguous_format"),
      Argument::texted(ValueKind::OpRef, "torch.ops.aten.add.Tensor"),
      Argument::texted(ValueKind::GraphRef, "true_graph_0"),
      Argument::texted(ValueKind::Opaque, "<object at 0x7f>")};
  Argument ellipsis;
  ellipsis.kind = ValueKind::Ellipsis;
  spec.args.push_back(ellipsis);
  spec.kwargs = {
      {"dtype", Argument::texted(ValueKind::Dtype, "torch.int64")}, {"eps", Argument(1e-16)}, {"x", x}};
  const NodeId call = g.add(spec);
  g.setMeta(call, {{"nn_module_stack", "a.b"}, {"nn_module_stack", "twice"}, {"empty", ""}});
  g.edit(call).flags |=
      kNodeStartsSource | kNodeUnparsed | kNodeExternal | kNodeNameMadeUp | kNodeBareCall | kNodeKeepsResult;
  g.edit(call).source = c.source("# No stacktrace found for following nodes");
  g.setOutput(Argument::list({call, Argument(1.5)}), {DescId{}, c.descriptor("PlainAOTOutput(idx=1)")});
  g.partial = true;
  return module;
}

const std::vector<std::string>& hostileTexts() {
  static const std::vector<std::string> kTexts = [] {
    std::vector<std::string> t = {
        "\"><script>alert(1)</script>",
        "\"]; }",
        "</title><script>alert(2)</script>",
        "]]></style><script>alert(3)</script>",
        "<!--<script>",
        "line\nbreak\r\nand\ttab",
        std::string("nul\0byte", 8),
        "bad utf8 \xFF\xC0\x80 \xED\xA0\x80 end\xE2\x82",
        "\x1B[31mred\x1B[0m",
        "\\N \\G \\l \\L \\\\",
        "ends with backslash\\",
        "ends with two\\\\",
        "quote after backslash\\\"",
        "<b>html label</b>",
        "=cmd|'/c calc'!A0",
        "+1+1",
        "-2+3",
        "@SUM(A1)",
        "'quoted",
        "a,b;c",
        "&amp; &#60; %3C",
        "\xE2\x80\xAE right to left",
        "\xE2\x80\xA8 line separator",
        "node",
        "graph",
        "strict",
        "javascript:alert(1)",
        "{a|b}",
        " spaces ",
        "",
    };
    std::string longName;
    while (longName.size() < 100 * 1024) longName += "long\\name\"<&";
    t.push_back(std::move(longName));
    return t;
  }();
  return kTexts;
}

std::shared_ptr<Module> hostileNames() {
  auto module = std::make_shared<Module>();
  module->addGraph(hostileTexts()[0]);
  const uint32_t inner = module->addGraph(hostileTexts()[1]);
  Context& c = module->context();
  const auto fillGraph = [&](Graph& g) {
    g.style.className = hostileTexts()[2];
    std::vector<Argument> results;
    for (const std::string& text : hostileTexts()) {
      Node n;
      n.name = c.intern(text);
      n.target = c.intern(text);
      n.type = c.type(text);
      n.desc = c.descriptor(text);
      n.source = c.source("# File: " + text + ":3 in f, code: " + text);
      n.op = OpKind::Placeholder;
      g.append(n);
      // Low level on purpose: add() would make names unique.
      n.op = OpKind::CallFunction;
      const Cell cells[] = {Cell::ref({g.idBound() - 1}), Cell::text(ValueKind::Str, n.name),
                            Cell::text(ValueKind::Str, n.name), Cell::text(ValueKind::Opaque, n.name)};
      n.args = g.pushCells(cells, 4);
      n.argCount = 2;
      n.kwargCount = 1;
      const NodeId id = g.append(n);
      g.linkUses(id);
      g.setMeta(id, {{text, text}});
      results.emplace_back(id);
    }
    g.setOutput(Argument::tuple(results),
                std::vector<DescId>(results.size(), c.descriptor(hostileTexts()[3])));
  };
  fillGraph(module->graphs[inner]);
  fillGraph(module->graphs[0]);
  module->graphs[inner].parent = 0;
  module->graphs[0].children.push_back({c.intern(hostileTexts()[0]), inner});
  return module;
}

std::shared_ptr<Module> bigGraph(uint32_t nodes) {
  auto module = std::make_shared<Module>();
  module->addGraph("");
  Graph& g = module->root();
  Context& c = module->context();
  const TypeId type = c.type("f32[64, 128][128, 1]cuda:0");
  std::vector<NodeId> made;
  for (uint32_t i = 0; i < nodes; ++i) {
    Node n;
    const bool input = i < nodes / 20 + 1;
    std::string name(input ? "primals_" : "mul_");
    name += std::to_string(i);
    n.name = c.intern(name);
    n.op = input ? OpKind::Placeholder : OpKind::CallFunction;
    n.target = input ? n.name : c.intern("torch.ops.aten.mul.Tensor");
    n.type = type;
    std::string source = "# File: /src/model/layers.py:";
    source += std::to_string(i / 4 + 1) + " in forward, code: x = x * self.scale + self.bias";
    if (!input) n.source = c.source(source);
    if (!input) {
      const Cell cells[] = {Cell::ref(made.back()), Cell::ref(made[made.size() / 2])};
      n.args = g.pushCells(cells, 2);
      n.argCount = 2;
    }
    const NodeId id = g.append(n);
    g.linkUses(id);
    made.push_back(id);
  }
  g.setOutput(Argument::tuple({made.back()}));
  return module;
}

Scene gridScene(const Graph& graph) {
  Scene scene;
  scene.title = "grid";
  scene.groupSource = "module stack";
  const PhaseMap phases = computePhases(graph);
  const std::vector<NodeRole> roles = nodeRoles(graph);
  std::vector<uint32_t> at(graph.idBound(), NodeId::kNone);
  const auto place = [&](SceneNode node) {
    const auto i = static_cast<float>(scene.nodes.size());
    const float row = std::floor(i / 8);
    node.rect = {(i - row * 8) * 180, row * 90, 140, 44};
    scene.nodes.push_back(std::move(node));
  };
  const auto edge = [&](uint32_t from, uint32_t to, EdgeKind kind) {
    SceneEdge e{from, to,   static_cast<uint32_t>(scene.points.size()),
                4,    kind, static_cast<uint8_t>(1 + to % 4)};
    const SceneRect a = scene.nodes[from].rect, b = scene.nodes[to].rect;
    const float lane = a.y + a.h + 10 + static_cast<float>(to % 5) * 4;
    scene.points.push_back({a.x + a.w / 2, a.y + a.h});
    scene.points.push_back({a.x + a.w / 2, lane});
    scene.points.push_back({b.x + b.w / 2, lane});
    scene.points.push_back({b.x + b.w / 2, b.y});
    scene.edges.push_back(e);
  };
  scene.groups.push_back({"layers", "layers", {-12, -24, 1440, 400}, -1, graph.size(), false});
  for (NodeId id : graph.nodes()) {
    if (graph.node(id).op == OpKind::Output) continue;
    SceneNode node;
    node.node = id;
    node.label = graph.nodeName(id);
    node.op = exporters::nodeOp(graph, id);
    node.type = exporters::dtypeOf(graph.type(id)) + exporters::shapeOf(graph.type(id));
    node.role = roles[id.index];
    node.phase = phases[id];
    node.badges = static_cast<uint16_t>(scene.nodes.size() < 16 ? scene.nodes.size() : 0);
    node.group = 0;
    at[id.index] = static_cast<uint32_t>(scene.nodes.size());
    place(std::move(node));
    graph.forEachInput(id, [&](NodeId in) {
      if (at[in.index] != NodeId::kNone)
        edge(at[in.index], at[id.index], exporters::edgeKind(graph, phases, in, id, roles[id.index]));
    });
  }
  int32_t slot = 0;
  for (const exporters::OutputSlot& out : exporters::outputSlots(graph)) {
    SceneNode node;
    node.outputSlot = slot++;
    node.label = "output " + std::to_string(node.outputSlot);
    node.op = out.value;
    node.role = out.parsed && out.parsed->isGrad() ? NodeRole::GradOutput : NodeRole::Output;
    place(std::move(node));
    if (out.node) edge(at[out.node.index], static_cast<uint32_t>(scene.nodes.size() - 1), EdgeKind::Data);
  }
  float bottom = 0;
  for (const SceneNode& n : scene.nodes) bottom = std::max(bottom, n.rect.y + n.rect.h);
  scene.bounds = {-12, -24, 1440, bottom + 30};
  return scene;
}

Scene everyShape() {
  constexpr const char* kNames[] = {"input",   "parameter", "buffer",   "tangent",  "output",  "gradient",
                                    "compute", "view",      "mutation", "constant", "control", "random"};
  Scene scene;
  scene.title = "shapes";
  for (int row = 0; row < 4; ++row) {
    for (int role = 0; role < 12; ++role) {
      SceneNode node;
      node.label = kNames[role];
      node.type = "f32[8, 16]";
      node.role = static_cast<NodeRole>(role);
      node.phase = static_cast<Phase>(row);
      node.rect = {static_cast<float>(role) * 120, static_cast<float>(row) * 90, 96, row == 3 ? 28.f : 44.f};
      scene.nodes.push_back(node);
    }
  }
  for (uint32_t kind = 0; kind < 6; ++kind) {
    const auto x = static_cast<float>(kind) * 240 + 48;
    scene.edges.push_back({kind * 2, 12 + kind * 2, static_cast<uint32_t>(scene.points.size()), 2,
                           static_cast<EdgeKind>(kind), static_cast<uint8_t>(kind % 4 + 1)});
    scene.points.push_back({x, 44});
    scene.points.push_back({x, 90});
  }
  scene.groups.push_back({"layers.0", "0", {0, 360, 160, 44}, -1, 32, true});
  scene.bounds = {0, 0, 1416, 404};
  return scene;
}

std::string exported(const std::string& name, const Module& module, const Scene* scene, Theme theme,
                     const std::string& title) {
  const exporters::ExporterDef* def = exporters::findExporter(name);
  if (!def) return "FAILED: no exporter " + name;
  exporters::ExportInput input;
  input.module = &module;
  input.scene = scene;
  input.title = title;
  exporters::ExportOptions options;
  options.theme = theme;
  auto result = def->run(input, options);
  return result.ok() ? std::move(result.value()) : "FAILED: " + result.error().text();
}

}  // namespace descry::tests
