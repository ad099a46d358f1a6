#include "tests/gui/canvas/sample_scenes.h"

#include <algorithm>
#include <string>

#include "layout/layout.h"

namespace descry::testing {

namespace {

using ir::EdgeKind;
using ir::NodeRole;
using ir::Phase;

class Builder {
 public:
  uint32_t add(const std::string& label, const std::string& op, const std::string& type, NodeRole role,
               Phase phase, int group) {
    ir::SceneNode n;
    n.node = ir::NodeId{uint32_t(scene.nodes.size())};
    n.label = label;
    n.op = op;
    n.type = type;
    n.role = role;
    n.phase = phase;
    n.group = group;
    n.rect.w = float(std::max(label.size() * 7.6, type.size() * 6.2) + 26);
    n.rect.h = 38;
    scene.nodes.push_back(n);
    return uint32_t(scene.nodes.size() - 1);
  }
  uint32_t op(const std::string& name, const std::string& type, Phase phase, int group,
              std::vector<uint32_t> inputs, NodeRole role = NodeRole::Compute) {
    const int number = counts_++;
    const uint32_t node = add(name + "_" + std::to_string(number), name, type, role, phase, group);
    for (uint32_t from : inputs) edge(from, node);
    return node;
  }
  void edge(uint32_t from, uint32_t to) {
    ir::SceneEdge e;
    e.from = from;
    e.to = to;
    const ir::SceneNode &a = scene.nodes[from], &b = scene.nodes[to];
    const bool input = a.role <= NodeRole::Tangent;
    if (!input && a.phase == Phase::Forward && b.phase == Phase::Backward) {
      e.kind = EdgeKind::Saved;
      scene.nodes[from].badges |= ir::kBadgeSaved;
    } else if (b.role == NodeRole::View) {
      e.kind = EdgeKind::Alias;
    }
    e.width = uint8_t(1 + std::min<size_t>(a.type.size() / 7, 3));
    scene.edges.push_back(e);
  }
  int group(const std::string& path, int parent, bool folded = false) {
    ir::SceneGroup g;
    g.path = path;
    g.label = path.substr(path.rfind('.') == std::string::npos ? 0 : path.rfind('.') + 1);
    g.parent = parent;
    g.folded = folded;
    scene.groups.push_back(g);
    return int(scene.groups.size() - 1);
  }
  void place(bool jointU) {
    layout::Input in;
    for (const ir::SceneNode& n : scene.nodes) {
      layout::InputNode node;
      node.size = {n.rect.w, n.rect.h};
      node.group = n.group;
      node.phase = layout::Phase(n.phase);
      in.nodes.push_back(node);
      for (int g = n.group; g >= 0; g = scene.groups[size_t(g)].parent) ++scene.groups[size_t(g)].nodeCount;
    }
    for (const ir::SceneEdge& e : scene.edges) in.edges.push_back({e.from, e.to, e.kind == EdgeKind::Saved});
    for (const ir::SceneGroup& g : scene.groups) in.groups.push_back({g.parent, g.folded, {160, 48}});
    layout::Options options;
    options.jointU = jointU;
    const layout::Output out = layout::layoutGraph(in, options);
    auto convert = [](const layout::Rect& r) {
      return ir::SceneRect{float(r.x), float(r.y), float(r.w), float(r.h)};
    };
    for (size_t i = 0; i < scene.nodes.size(); ++i) scene.nodes[i].rect = convert(out.nodes[i]);
    for (size_t i = 0; i < scene.groups.size(); ++i) scene.groups[i].rect = convert(out.groups[i]);
    for (size_t i = 0; i < scene.edges.size(); ++i) {
      scene.edges[i].firstPoint = out.edges[i].firstPoint;
      scene.edges[i].pointCount = out.edges[i].pointCount;
    }
    for (const layout::Point& p : out.points) scene.points.push_back({float(p.x), float(p.y)});
    scene.bounds = convert(out.bounds);
  }

  ir::Scene scene;

 private:
  int counts_ = 0;
};

}  // namespace

ir::Scene sampleScene(const SampleOptions& o) {
  Builder b;
  const std::string act = "bf16[4, 128, 768]", wide = "bf16[4, 128, 3072]", flat = "bf16[512, 768]";
  int next = 1;
  auto primal = [&](const std::string& type, NodeRole role) {
    return b.add("primals_" + std::to_string(next++), "placeholder", type, role, Phase::Forward, -1);
  };
  uint32_t x = primal(act, NodeRole::Input);
  struct Layer {
    int group, attn, mlp;
    uint32_t input, norm, mm1, gelu, w1, w2;
  };
  std::vector<Layer> layers;
  const int all = o.groups ? b.group("layers", -1) : -1;
  for (int i = 0; i < o.layers; ++i) {
    Layer l{};
    const std::string path = "layers." + std::to_string(i);
    l.group = o.groups ? b.group(path, all, o.foldEvery > 0 && i % o.foldEvery == o.foldEvery - 1) : -1;
    l.attn = o.groups ? b.group(path + ".attn", l.group) : -1;
    l.mlp = o.groups ? b.group(path + ".mlp", l.group) : -1;
    const uint32_t weight = primal("bf16[768]", NodeRole::Parameter),
                   wq = primal("bf16[768, 768]", NodeRole::Parameter);
    l.w1 = primal("bf16[768, 3072]", NodeRole::Parameter);
    l.w2 = primal("bf16[3072, 768]", NodeRole::Parameter);
    l.input = x;
    l.norm = b.op("native_layer_norm", act, Phase::Forward, l.group, {x, weight});
    const uint32_t view = b.op("view", flat, Phase::Forward, l.attn, {l.norm}, NodeRole::View);
    const uint32_t t = b.op("t", "bf16[768, 768]", Phase::Forward, l.attn, {wq}, NodeRole::View);
    l.mm1 = b.op("mm", flat, Phase::Forward, l.attn, {view, t});
    const uint32_t soft = b.op("_softmax", flat, Phase::Forward, l.attn, {l.mm1});
    const uint32_t drop = b.op("native_dropout", flat, Phase::Forward, l.attn, {soft}, NodeRole::Random);
    const uint32_t back = b.op("view", act, Phase::Forward, l.attn, {drop}, NodeRole::View);
    const uint32_t add = b.op("add", act, Phase::Forward, l.group, {x, back});
    const uint32_t up = b.op("mm", wide, Phase::Forward, l.mlp, {add, l.w1});
    l.gelu = b.op("gelu", wide, Phase::Forward, l.mlp, {up});
    const uint32_t down = b.op("mm", act, Phase::Forward, l.mlp, {l.gelu, l.w2});
    x = b.op("add", act, Phase::Forward, l.group, {add, down});
    layers.push_back(l);
  }
  const uint32_t out = b.add("output 0", "output", act, NodeRole::Output, Phase::Forward, -1);
  b.scene.nodes[out].outputSlot = 0;
  b.scene.nodes[out].node = {};
  b.edge(x, out);
  if (o.backward) {
    b.scene.hasBackward = true;
    uint32_t g = b.add("tangents_1", "placeholder", act, NodeRole::Tangent, Phase::Backward, -1);
    int slot = 1;
    for (int i = o.layers; i-- > 0;) {
      const Layer& l = layers[size_t(i)];
      const uint32_t t2 = b.op("t", "bf16[768, 3072]", Phase::Either, l.mlp, {l.w2}, NodeRole::View);
      const uint32_t gd = b.op("mm", wide, Phase::Backward, l.mlp, {g, t2});
      const uint32_t gw2 = b.op("mm", "bf16[3072, 768]", Phase::Backward, l.mlp, {l.gelu, g});
      const uint32_t gg = b.op("gelu_backward", wide, Phase::Backward, l.mlp, {gd, l.gelu});
      const uint32_t t1 = b.op("t", "bf16[3072, 768]", Phase::Either, l.mlp, {l.w1}, NodeRole::View);
      const uint32_t gu = b.op("mm", act, Phase::Backward, l.mlp, {gg, t1});
      const uint32_t ga = b.op("add", act, Phase::Backward, l.group, {g, gu});
      const uint32_t gs = b.op("_softmax_backward_data", flat, Phase::Backward, l.attn, {ga, l.mm1});
      const uint32_t gn = b.op("native_layer_norm_backward", act, Phase::Backward, l.group, {gs, l.norm});
      g = b.op("add", act, Phase::Backward, l.group, {ga, gn});
      const uint32_t grad = b.add("grad " + std::to_string(slot), "output", "bf16[3072, 768]",
                                  NodeRole::GradOutput, Phase::Backward, -1);
      b.scene.nodes[grad].outputSlot = slot++;
      b.scene.nodes[grad].node = {};
      b.edge(gw2, grad);
    }
    const uint32_t grad =
        b.add("grad " + std::to_string(slot), "output", act, NodeRole::GradOutput, Phase::Backward, -1);
    b.scene.nodes[grad].outputSlot = slot;
    b.scene.nodes[grad].node = {};
    b.edge(g, grad);
  }
  b.scene.title = "transformer, " + std::to_string(o.layers) + " layers";
  b.scene.groupSource = o.groups ? "module stack" : "";
  b.place(o.jointU);
  return std::move(b.scene);
}

ir::Scene gridScene(uint32_t count, uint32_t columns) {
  ir::Scene scene;
  for (uint32_t i = 0; i < count; ++i) {
    ir::SceneNode n;
    n.node = ir::NodeId{i};
    n.label = "n" + std::to_string(i);
    n.op = i % 3 ? "mul" : "add";
    n.type = "f32[8]";
    n.phase = i % 2 ? Phase::Forward : Phase::Backward;
    n.rect = {float(i % columns) * 120, float(i / columns) * 70, 90, 34};
    scene.nodes.push_back(n);
    auto feed = [&](uint32_t from) {
      ir::SceneEdge e;
      e.from = from;
      e.to = i;
      e.firstPoint = uint32_t(scene.points.size());
      const ir::SceneRect &a = scene.nodes[from].rect, &b = scene.nodes[i].rect;
      const float ax = a.x + a.w / 2, bx = b.x + b.w / 2, mid = (a.y + a.h + b.y) / 2;
      if (ax == bx) {
        scene.points.insert(scene.points.end(), {{ax, a.y + a.h}, {bx, b.y}});
      } else {
        scene.points.insert(scene.points.end(), {{ax, a.y + a.h}, {ax, mid}, {bx, mid}, {bx, b.y}});
      }
      e.pointCount = uint32_t(scene.points.size()) - e.firstPoint;
      scene.edges.push_back(e);
    };
    if (i >= columns) feed(i - columns);
    if (i >= columns && i % columns) feed(i - columns - 1);
  }
  const float rows = float((count + columns - 1) / columns);
  scene.bounds = {0, 0, float(columns) * 120 - 30, rows * 70 - 36};
  return scene;
}

ir::Scene everyShapeScene() {
  Builder b;
  const int shapes = b.group("shapes", -1), folded = b.group("folded", -1, true);
  const std::string t = "f32[8, 16]";
  const uint32_t in = b.add("x", "placeholder", t, NodeRole::Input, Phase::Forward, -1);
  const uint32_t par = b.add("weight", "placeholder", t, NodeRole::Parameter, Phase::Forward, -1);
  const uint32_t buf = b.add("running_mean", "placeholder", "f32[16]", NodeRole::Buffer, Phase::Forward, -1);
  const uint32_t tan = b.add("tangents_1", "placeholder", t, NodeRole::Tangent, Phase::Backward, -1);
  const uint32_t con = b.add("1.0", "constant", "", NodeRole::Constant, Phase::Forward, -1);
  const uint32_t mm = b.op("mm", t, Phase::Forward, shapes, {in, par});
  const uint32_t view = b.op("view", t, Phase::Forward, shapes, {mm}, NodeRole::View);
  const uint32_t mut = b.op("add_", "f32[16]", Phase::Forward, shapes, {buf, con}, NodeRole::Mutation);
  const uint32_t cond = b.op("cond", t, Phase::Forward, shapes, {view}, NodeRole::Control);
  const uint32_t rnd = b.op("bernoulli", t, Phase::Forward, shapes, {cond}, NodeRole::Random);
  const uint32_t either = b.op("t", t, Phase::Either, shapes, {par});
  const uint32_t bwd = b.op("mm", t, Phase::Backward, shapes, {tan, either});
  const uint32_t hidden = b.op("mul", t, Phase::Backward, folded, {bwd, mm});
  const uint32_t out = b.add("output 0", "output", t, NodeRole::Output, Phase::Forward, -1);
  const uint32_t grad = b.add("grad x", "output", t, NodeRole::GradOutput, Phase::Backward, -1);
  b.edge(rnd, out);
  b.edge(hidden, grad);
  b.edge(rnd, bwd);
  b.edge(mut, cond);
  b.scene.edges.back().kind = EdgeKind::Mutation;
  b.edge(cond, either);
  b.scene.edges.back().kind = EdgeKind::Control;
  b.edge(con, bwd);
  b.scene.edges.back().kind = EdgeKind::SymbolicSize;
  b.scene.nodes[out].outputSlot = 0;
  b.scene.nodes[grad].outputSlot = 1;
  b.scene.nodes[out].node = b.scene.nodes[grad].node = {};
  b.scene.nodes[bwd].badges = ir::kBadgeProblem | ir::kBadgeInferred | ir::kBadgeRecomputed;
  b.scene.title = "every shape";
  b.scene.groupSource = "module stack";
  b.scene.hasBackward = true;
  b.place(false);
  return std::move(b.scene);
}

}  // namespace descry::testing
