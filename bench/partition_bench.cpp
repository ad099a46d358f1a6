// Times both partitioners on made joint graphs, in processor seconds (least of some rounds).
//
//   partition_bench [NODES...]        joint nodes (default 1000 10000 100000)
//
// Shapes of graphs: `residual`, layers with a matrix product and a residual sum; `chain`, pointwise ops that
// all keep their input, so that much could be recomputed. Exit 1 if a goal is missed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/clock.h"
#include "ir/core/graph.h"
#include "passes/partition/partition.h"

namespace {

using namespace descry;
using bench::cpuNow;
using ir::Argument;
using ir::NodeId;

/// A joint graph under construction, with the roles that a tracer would give.
class JointBuilder {
 public:
  JointBuilder() : module_(std::make_shared<ir::Module>()) { module_->addGraph("joint"); }
  ir::Graph& graph() { return module_->root(); }
  const ir::Module& module() const { return *module_; }

  NodeId input(const std::string& name, const char* type, const std::string& desc) {
    const NodeId id =
        graph().addPlaceholder(name, graph().context().type(type), graph().context().descriptor(desc));
    tag(id);
    return id;
  }
  NodeId call(const char* op, const char* type, std::vector<Argument> args) {
    ir::Graph::NodeSpec spec;
    const std::string target = std::string("torch.ops.") + op;
    spec.target = target;
    spec.args = std::move(args);
    spec.type = graph().context().type(type);
    const NodeId id = graph().add(spec);
    tag(id);
    return id;
  }
  void startBackward() { tag_ = passes::PartitionTag::Backward; }
  std::vector<passes::NodeRole> roles() const { return roles_; }

 private:
  void tag(NodeId id) {
    if (id.index >= roles_.size()) roles_.resize(id.index + 1);
    roles_[id.index].tag = tag_;
  }
  std::shared_ptr<ir::Module> module_;
  std::vector<passes::NodeRole> roles_;
  passes::PartitionTag tag_ = passes::PartitionTag::Forward;
};

constexpr const char* kActivation = "f32[64, 256][256, 1]cpu";
constexpr const char* kWeight = "f32[256, 256][256, 1]cpu";

/// x = x + tanh(sin(x) @ w), layer by layer.
void residual(JointBuilder& b, int nodes) {
  const int layers = std::max(1, nodes / 15);
  std::vector<NodeId> w, x, t, v;
  x.push_back(b.input("primals_1", kActivation, "PlainAOTInput(idx=0)"));
  for (int i = 0; i < layers; ++i)
    w.push_back(b.input("primals_" + std::to_string(i + 2), kWeight,
                        "PlainAOTInput(idx=" + std::to_string(i + 1) + ")"));
  const NodeId tangent = b.input("tangents_1", kActivation, "TangentAOTInput(output=PlainAOTOutput(idx=0))");
  for (int i = 0; i < layers; ++i) {
    t.push_back(b.call("aten.sin.default", kActivation, {x.back()}));
    const NodeId u = b.call("aten.mm.default", kActivation, {t.back(), w[static_cast<size_t>(i)]});
    v.push_back(b.call("aten.tanh.default", kActivation, {u}));
    x.push_back(b.call("aten.add.Tensor", kActivation, {x.back(), v.back()}));
  }
  b.startBackward();
  std::vector<NodeId> grads(w.size());
  NodeId g = tangent;
  for (size_t i = w.size(); i-- > 0;) {
    const NodeId square = b.call("aten.mul.Tensor", kActivation, {v[i], v[i]});
    const NodeId slope = b.call("aten.sub.Tensor", kActivation, {1, square});
    const NodeId gu = b.call("aten.mul.Tensor", kActivation, {g, slope});
    const NodeId tt =
        b.call("aten.permute.default", "f32[256, 64][1, 256]cpu", {t[i], Argument::ints({1, 0})});
    grads[i] = b.call("aten.mm.default", kWeight, {tt, gu});
    const NodeId wt = b.call("aten.permute.default", kWeight, {w[i], Argument::ints({1, 0})});
    const NodeId gt = b.call("aten.mm.default", kActivation, {gu, wt});
    const NodeId cos = b.call("aten.cos.default", kActivation, {x[i]});
    const NodeId gx = b.call("aten.mul.Tensor", kActivation, {gt, cos});
    g = b.call("aten.add.Tensor", kActivation, {g, gx});
  }
  std::vector<Argument> outputs{x.back(), g};
  for (NodeId id : grads) outputs.push_back(id);
  b.graph().setOutput(Argument::tuple(std::move(outputs)));
}

/// x = sin(x) * y, link by link: everything fuses, and everything is read again by the backward pass.
void chain(JointBuilder& b, int nodes) {
  const int links = std::max(1, nodes / 7);
  std::vector<NodeId> x, s;
  x.push_back(b.input("primals_1", kActivation, "PlainAOTInput(idx=0)"));
  const NodeId y = b.input("primals_2", kActivation, "PlainAOTInput(idx=1)");
  const NodeId tangent = b.input("tangents_1", kActivation, "TangentAOTInput(output=PlainAOTOutput(idx=0))");
  for (int i = 0; i < links; ++i) {
    s.push_back(b.call("aten.sin.default", kActivation, {x.back()}));
    x.push_back(b.call("aten.mul.Tensor", kActivation, {s.back(), y}));
  }
  b.startBackward();
  NodeId g = tangent, gy;
  for (size_t i = s.size(); i-- > 0;) {
    const NodeId term = b.call("aten.mul.Tensor", kActivation, {g, s[i]});
    gy = gy ? b.call("aten.add.Tensor", kActivation, {gy, term}) : term;
    const NodeId gs = b.call("aten.mul.Tensor", kActivation, {g, y});
    const NodeId cos = b.call("aten.cos.default", kActivation, {x[i]});
    g = b.call("aten.mul.Tensor", kActivation, {gs, cos});
  }
  b.graph().setOutput(Argument::tuple({x.back(), g, gy}));
}

bool missed = false;

void run(const char* shape, void (*make)(JointBuilder&, int), int nodes) {
  JointBuilder b;
  make(b, nodes);
  passes::PartitionInput input;
  input.module = &b.module();
  input.joint = &b.graph();
  input.forwardOutputs = 1;
  input.roles = b.roles();
  std::printf("%s, %u joint nodes\n", shape, b.graph().size());
  for (const auto method :
       {passes::PartitionOptions::Method::Default, passes::PartitionOptions::Method::MinCut}) {
    passes::PartitionOptions options;
    options.method = method;
    const bool minCut = method == passes::PartitionOptions::Method::MinCut;
    double least = 1e9;
    size_t saved = 0;
    const int rounds = nodes <= 20000 ? 10 : 3;
    for (int k = 0; k < rounds; ++k) {
      const double from = cpuNow();
      const auto out = passes::partitionJoint(input, options);
      least = std::min(least, cpuNow() - from);
      if (!out) {
        std::fprintf(stderr, "partition_bench: %s\n", out.error().text().c_str());
        std::exit(2);
      }
      saved = out->saved.size();
    }
    const double goal = 5e-6 * std::max(nodes, 1000);
    const bool ok = least <= goal;
    missed = missed || !ok;
    std::printf("  %-8s %10.4f s  %8.3f us/node  %7zu saved   goal: at most %g s  %s\n",
                minCut ? "min-cut" : "default", least, least / b.graph().size() * 1e6, saved, goal,
                ok ? "ok" : "MISSED");
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::max(8, std::atoi(argv[i])));
  if (sizes.empty()) sizes = {1000, 10000, 100000};
  for (int n : sizes) {
    run("residual", residual, n);
    run("chain", chain, n);
  }
  return missed ? 1 : 0;
}
