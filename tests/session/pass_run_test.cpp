#include "session/pass_run.h"

#include <cstdio>
#include <fstream>

#include "ir/text/printer.h"
#include "session/aot_run.h"
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

}  // namespace
}  // namespace descry::session
