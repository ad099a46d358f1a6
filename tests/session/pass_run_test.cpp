#include "session/pass_run.h"

#include <cstdio>
#include <fstream>

#include "ir/text/printer.h"
#include "session/aot_run.h"
#include "session/scene_builder.h"
#include "tests/session/graphs.h"

namespace descry::session {
namespace {

constexpr const char* kCaptured = R"(class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4, 3][3, 1]cpu", L_w_: "f32[3, 2][2, 1]cpu", L_n_: "i64[1][1]cpu"):
        l_x_ = L_x_
        l_w_ = L_w_
        l_n_ = L_n_
        h: "f32[4, 2][2, 1]cpu" = l_x_ @ l_w_;  l_x_ = l_w_ = None
        r: "f32[4, 2][2, 1]cpu" = torch.exp(h);  h = None
        add_: "i64[1][1]cpu" = l_n_.add_(1);  l_n_ = add_ = None
        return (r,)
)";

struct PassRunTest : ::testing::Test {
  std::string path = ::testing::TempDir() + "pass_run_" + std::to_string(getpid()) + ".txt";
  DocumentPtr document;
  LoadedGraphPtr graph;
  void open(const char* text) {
    std::ofstream(path) << text;
    document = *Document::open(path);
    graph = *document->graph("");
  }
  PassRunPtr run(const char* passes) { return *runPasses(*document, graph, passes); }
  ~PassRunTest() override { std::remove(path.c_str()); }
};

TEST_F(PassRunTest, EveryPositionHasItsGraphs) {
  open(kCaptured);
  const auto made = runPasses(*document, graph, "aot", {true, {}});
  ASSERT_TRUE(made) << made.error().message;
  const PassRun& r = **made;
  ASSERT_FALSE(r.recording().failure) << r.recording().failure->message;
  EXPECT_EQ(r.positions(), 13u);
  EXPECT_EQ(r.graph(0, 0), graph);
  EXPECT_EQ(r.graph(r.positionOf("collect-metadata"), 0), r.graph(r.positionOf("lower"), 0))
      << "unchanged: shared";
  const size_t joint = r.positionOf("trace-joint"), cut = r.positionOf("partition");
  EXPECT_EQ(r.graphName(joint, 0), "joint");
  ASSERT_EQ(r.graphCount(cut), 2u);
  EXPECT_EQ(r.graphName(cut, 1), "backward");
  EXPECT_TRUE(r.graph(cut, 1)->graph->find("tangents_1"));
  EXPECT_EQ(r.positionOf("dce"), 0u);
}

TEST_F(PassRunTest, NodesKnowWhatTheyWereMadeFor) {
  open(kCaptured);
  const PassRunPtr kept = run("aot");
  const PassRun& r = *kept;
  const auto from = [&](const char* pass, size_t which, const char* node) {
    const size_t at = r.positionOf(pass);
    const ir::NodeId id = r.graph(at, which)->graph->find(node);
    const ir::NodeId origin = id ? r.origin(at, which, id) : ir::NodeId{};
    return origin ? std::string(graph->graph->nodeName(origin)) : std::string("none");
  };
  EXPECT_EQ(from("lower", 0, "mm"), "h");
  EXPECT_EQ(from("lower", 0, "add_"), "add_");
  EXPECT_EQ(from("trace-joint", 0, "exp"), "r");
  EXPECT_EQ(from("trace-joint", 0, "mul"), "r") << "the gradient of exp";
  EXPECT_EQ(from("trace-joint", 0, "mm_1"), "h") << "a gradient of the product";
  EXPECT_EQ(from("partition", 1, "mm_1"), "h") << "kept by name through the cut";
  EXPECT_EQ(from("trace-joint", 0, "tangents_1"), "none");
}

TEST_F(PassRunTest, TheCutIsExplained) {
  open(kCaptured);
  const std::optional<CutReport> cut = cutReport(*run("aot"));
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->method, "min-cut");
  uint32_t saved = 0;
  int64_t bytes = 0;
  for (const DecisionRow& d : cut->rows)
    if (d.savedIndex >= 0) {
      ++saved;
      bytes += d.bytes;
      EXPECT_NE(d.reason, "");
    }
  EXPECT_EQ(saved, cut->saved);
  EXPECT_EQ(bytes, cut->savedBytes);
  EXPECT_FALSE(cutReport(*run("lower")));
}

/// `descry aot` goes the short way, without a picture of every stage.
TEST_F(PassRunTest, StagesLeadToWhatOneRunMakes) {
  open(kCaptured);
  const passes::CapturedFacts facts = capturedFacts(*document, *graph);
  const auto whole = runAot(*document, *graph, facts, {});
  ASSERT_TRUE(whole) << whole.error().message;
  const auto cut = cutJoint(*whole, facts, {});
  ASSERT_TRUE(cut);
  const PassRunPtr r = run("aot");
  const size_t joint = r->positionOf("trace-joint"), parts = r->positionOf("partition");
  EXPECT_EQ(ir::printModule(*whole->joint), ir::printModule(*r->graph(joint, 0)->module));
  EXPECT_EQ(ir::printModule(cut->forward), ir::printModule(*r->graph(parts, 0)->module));
  EXPECT_EQ(ir::printModule(cut->backward), ir::printModule(*r->graph(parts, 1)->module));
}

TEST_F(PassRunTest, PipelinesAreWrittenAsTheyAreRead) {
  for (const char* text :
       {"dce,cse", "partition(method=default, save=a+b)", "lower(keep-input-mutations=off),dce"})
    EXPECT_EQ(pipelineText(*readPipeline(text)), text);
  EXPECT_EQ(pipelineText(*readPipeline(" cleanup ")), "cse,dce");
}

TEST_F(PassRunTest, AFailureKeepsWhatWasDoneBefore) {
  open(kCaptured);
  const PassRunPtr r = run("lower,partition");
  EXPECT_EQ(r->positions(), 2u);
  EXPECT_EQ(r->recording().failure->code, "pass-order");
  EXPECT_EQ(r->recording().failed, "partition");
  EXPECT_EQ(runPasses(*document, graph, "lower,no").error().code, "unknown-pass");
  EXPECT_EQ((*runPasses(*document, graph, "aot", {false, [] { return true; }}))->recording().failure->code,
            "cancelled");
}

TEST_F(PassRunTest, AJointGraphOfAFileCanBeCut) {
  open(kJoint);
  const PassRunPtr kept = run("cse,dce,partition(method=default)");
  const PassRun& r = *kept;
  ASSERT_FALSE(r.recording().failure) << r.recording().failure->message;
  EXPECT_EQ(r.graphCount(3), 2u);
  EXPECT_EQ(cutReport(r)->method, "default");
  // Passes work on copies: the graph of the file is as it was.
  EXPECT_EQ(ir::printModule(*graph->module),
            ir::printModule(*(*Document::open(path))->graph("").value()->module));
}

TEST(Pipelines, TakeOptionsOfTheirPasses) {
  const auto steps = readPipeline("aot(memory-budget=0.5, requires-grad=x+y)");
  ASSERT_TRUE(steps) << steps.error().message;
  std::string made = pipelineText(*steps);
  EXPECT_EQ(made,
            "lower(requires-grad=x+y),collect-metadata,merge-duplicates,synthetic-bases,flatten-subclasses,"
            "functionalize,intermediate-bases,effect-tokens,trace-joint,partition(memory-budget=0.5),"
            "unflatten-subclasses,runtime-epilogue");
  EXPECT_EQ(steps->front().text, "lower(requires-grad=x+y)");
  EXPECT_EQ(readPipeline("aot(speed=9)").error().code, "unknown-option");
  EXPECT_EQ(readPipeline("aot(memory-budget=low)").error().code, "bad-option");
  EXPECT_EQ(readPipeline("cleanup(method=default)").error().code, "unknown-option");
}

TEST(Pipelines, OptionsAreSetInTheText) {
  const auto with = [](const char* text, const char* option, const char* value) {
    const auto made = withOption(text, option, value);
    return made ? *made : "error " + made.error().code;
  };
  EXPECT_EQ(with("aot", "memory-budget", "0.5"), "aot(memory-budget=0.5)");
  EXPECT_EQ(with("aot(memory-budget=0.5)", "memory-budget", "1"), "aot") << "the default is left out";
  EXPECT_EQ(with("aot-default", "method", "min-cut"), "aot-default(method=min-cut)")
      << "of this pipeline it is not the default";
  EXPECT_EQ(with("aot-default(method=min-cut)", "method", "default"), "aot-default");
  EXPECT_EQ(with("lower, trace-joint,partition( save=a+b , cse=off )", "cse", "on"),
            "lower,trace-joint,partition(save=a+b)");
  EXPECT_EQ(with("cse,dce", "method", "default"), "error unknown-option");
  EXPECT_EQ(with("aot", "method", "luck"), "error bad-option");
  EXPECT_EQ(with("nope", "method", "default"), "error unknown-pass");
}

TEST(Pipelines, WhatSteersTheMinimumCutIsRefusedWithoutOne) {
  size_t refused = 0;
  for (const passes::PassDef* pass : passList()) {
    if (std::string_view(pass->name) != "partition") continue;
    for (const passes::PassOption& o : pass->options) {
      const std::string name = o.name, value = *o.byDefault ? o.byDefault : "x";
      if (name == "method") continue;
      const auto read = readPipeline("partition(method=default, " + name + "=" + value + ")");
      // Wishes and tokens are of both partitioners.
      const bool both = name == "save" || name == "recompute" || name == "unlift-tokens";
      EXPECT_EQ(read.ok(), both) << name;
      if (!read) {
        EXPECT_EQ(read.error().code, "bad-option");
        EXPECT_NE(read.error().message.find(name), std::string::npos);
      }
      refused += !read;
      EXPECT_TRUE(readPipeline("partition(" + name + "=" + value + ")")) << name;
      if (!both) {
        EXPECT_FALSE(withOption("aot-default", name, name == "cse" ? "off" : "0")) << name;
      }
    }
  }
  EXPECT_GT(refused, 8u);
  const auto rows = pipelineOptions("aot-default");
  ASSERT_TRUE(rows);
  for (const PipelineOption& row : *rows)
    EXPECT_EQ(row.useless.empty(), row.pass != "partition" || row.name == "method" || row.name == "save" ||
                                       row.name == "recompute" || row.name == "unlift-tokens")
        << row.name;
}

TEST_F(PassRunTest, InputsRequireGradientsAsAskedFor) {
  open(kCaptured);
  const auto lastName = [](const PassRun& r) { return r.graphName(r.positions() - 1, 0); };
  EXPECT_EQ(lastName(*run("aot")), "forward");
  EXPECT_EQ(lastName(*run("aot(requires-grad=none)")), "inference");
  const PassRunPtr one = run("aot(requires-grad=l_w_)");
  const ir::Graph& joint = *one->graph(one->positionOf("trace-joint"), 0)->graph;
  size_t gradients = 0;
  for (const ir::ArgView value : joint.outputs()) gradients += value.kind() == ir::ValueKind::NodeRef;
  EXPECT_EQ(gradients, 2u) << "r and the gradient of w; the counter is copied inside";
  const PassRunPtr bad = run("aot(requires-grad=l_q_)");
  ASSERT_TRUE(bad->recording().failure);
  EXPECT_EQ(bad->recording().failure->code, "unknown-node");
  // What is assumed is found where it is decided.
  const PassRunPtr lowered = run("lower");
  ASSERT_EQ(lowered->recording().passes[0].outcome.findings.size(), 1u);
  EXPECT_EQ(lowered->recording().passes[0].outcome.findings[0].first, "assumed");
  EXPECT_TRUE(run("lower(requires-grad=all)")->recording().passes[0].outcome.findings.empty());
}

TEST_F(PassRunTest, StatesKnowWhatThePartitionMadeOfTheirValues) {
  open(kCaptured);
  const PassRunPtr r = run("aot(recompute=exp)");
  ASSERT_TRUE(r->cut());
  const auto fate = [&](size_t at, size_t which, const char* node) {
    const LoadedGraphPtr g = r->graph(at, which);
    const ir::NodeId id = g->graph->find(node);
    return g->cut && id ? (*g->cut)[id.index].fate : ir::CutFate::None;
  };
  const size_t traced = r->positionOf("trace-joint"), parted = r->positionOf("partition");
  EXPECT_FALSE(r->graph(traced - 1, 0)->cut) << "nothing is cut before the trace";
  for (const size_t at : {traced, parted})
    for (const DecisionRow& row : r->cut()->rows)
      EXPECT_EQ(fate(at, 0, row.node.c_str()) == ir::CutFate::Saved, row.savedIndex >= 0) << row.node;
  EXPECT_EQ(fate(traced, 0, "exp"), fate(parted, 0, "exp"));
  EXPECT_EQ(fate(traced, 0, "tangents_1"), ir::CutFate::None);
  // All lines between the halves are those of saved values.
  SceneOptions options;
  options.jointU = true;
  const LoadedGraphPtr joint = r->graph(traced, 0);
  const ir::Scene scene = buildScene(*joint, options);
  ASSERT_EQ(scene.cuts.size(), scene.nodes.size());
  size_t crossing = 0;
  for (const ir::SceneEdge& e : scene.edges) {
    const ir::CutFate from = scene.cuts[e.from].fate, to = scene.cuts[e.to].fate;
    const bool saved = e.kind == ir::EdgeKind::Saved;
    EXPECT_FALSE(saved && from != ir::CutFate::Saved) << scene.nodes[e.from].label;
    const bool backward = scene.nodes[e.to].phase == ir::Phase::Backward && to == ir::CutFate::None &&
                          scene.nodes[e.to].outputSlot < 0;
    if (backward && from == ir::CutFate::Saved) {
      EXPECT_TRUE(saved) << scene.nodes[e.from].label;
    }
    crossing += saved;
  }
  EXPECT_GT(crossing, 0u);
}

TEST_F(PassRunTest, WhatLeadsToASavedValueOnlyStandsOnTheForwardSide) {
  open(R"(class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4, 3][3, 1]cpu", L_w_: "f32[3, 2][2, 1]cpu"):
        h: "f32[4, 2][2, 1]cpu" = L_x_ @ L_w_;  L_x_ = L_w_ = None
        r: "f32[4, 2][2, 1]cpu" = torch.softmax(h, dim = -1);  h = None
        s: "f32[4, 2][2, 1]cpu" = torch.sin(r);  r = None
        return (s,)
)");
  // No output of the forward needs `detach`; `detach_1`, which does, is the saved one.
  const PassRunPtr r = run("aot(save=detach_1)");
  ASSERT_FALSE(r->recording().failure) << r->recording().failure->message;
  const LoadedGraphPtr joint = r->graph(r->positionOf("trace-joint"), 0);
  const LoadedGraphPtr forward = r->graph(r->positionOf("partition"), 0);
  ASSERT_TRUE(forward->graph->find("detach"));
  for (const LoadedGraphPtr& g : {joint, forward}) {
    ASSERT_TRUE(g->cut);
    EXPECT_EQ((*g->cut)[g->graph->find("detach").index].fate, ir::CutFate::ForwardOnly);
  }
  SceneOptions options;
  options.jointU = true;
  const ir::Scene scene = buildScene(*joint, options);
  const auto box = [&](std::string_view name) {
    for (const ir::SceneNode& n : scene.nodes)
      if (n.label == name) return n.rect;
    return ir::SceneRect{};
  };
  EXPECT_GT(box("detach").y, box("_softmax").y) << "the left side flows down";
  EXPECT_GT(box("detach_1").y, box("detach").y);
  EXPECT_LT(box("detach").x, box("mul").x) << "`mul` is computed from a tangent";
}

TEST_F(PassRunTest, GraphsAfterPassesAreFoundByName) {
  open(kCaptured);
  const auto joint = graphAfter(*document, graph, "aot", "joint");
  ASSERT_TRUE(joint) << joint.error().message;
  EXPECT_TRUE((*joint)->phases.joint);
  EXPECT_TRUE((*joint)->cut);
  EXPECT_EQ((*graphAfter(*document, graph, "aot", ""))->entry.kind, "forward");
  EXPECT_EQ(graphAfter(*document, graph, "lower", "joint").error().code, "state-unknown");
  EXPECT_EQ(graphAfter(*document, graph, "lower,lower", "").error().code, "pass-order");
  EXPECT_EQ(graphAfter(*document, graph, "nope", "").error().code, "unknown-pass");
}

}  // namespace
}  // namespace descry::session
