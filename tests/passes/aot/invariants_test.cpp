// Results of AOT autograd that are broken on purpose: each is named with the rule that it breaks. What can be
// broken by editing a log is in tests/session/compiles_test.cpp.
#include "passes/aot/invariants.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "passes/core/manager.h"
#include "passes/pipelines/pipelines.h"
#include "tests/passes/aot/run_text.h"

namespace descry::passes {
namespace {

std::vector<std::string> codes(const ir::DiagnosticSink& sink) {
  std::vector<std::string> out;
  for (const ir::Diagnostic& d : sink.all()) out.push_back(d.code);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}
using Codes = std::vector<std::string>;

Codes codesAfter(const AotResult& result, Stage stage) {
  ir::DiagnosticSink sink;
  verifyStage(result, stage, sink);
  return codes(sink);
}

/// x is written and returned; y shares memory with it where `overlapping`.
struct Example {
  std::shared_ptr<ir::Module> module;
  CapturedFacts facts;

  explicit Example(const char* text) {
    ir::DiagnosticSink sink;
    module = importers::parseFxText(text, {}, sink);
    EXPECT_EQ(sink.errors(), 0u);
    for (const ir::NodeId id : module->root().placeholders()) {
      CapturedInput in;
      in.name = in.source = std::string(module->root().nodeName(id));
      facts.inputs.push_back(in);
    }
  }
  AotResult run() const {
    const ir::Result<AotResult> r = runAot(*module, facts, {});
    EXPECT_TRUE(r) << (r ? "" : r.error().text());
    return r ? *r : AotResult();
  }
};

const char* const kWrites = R"(
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4][1]cpu", y: "f32[4][1]cpu"):
        mul_ = x.mul_(2)
        add = mul_ + y
        return (add,)
)";

Example overlapping() {
  Example e(kWrites);
  for (CapturedInput& i : e.facts.inputs) {
    i.storage = "s";
    i.storageBytes = 16;
  }
  return e;
}

Example passedTwice() {
  Example e(kWrites);
  e.facts.inputs[1].sameAs = 0;
  return e;
}

TEST(Stages, SharedMemory) {
  Example apart(kWrites);
  AotResult r = apart.run();
  EXPECT_EQ(codesAfter(r, Stage::Unaliased), Codes());
  for (AotInput& i : r.inputs) i.storage = "s";
  EXPECT_EQ(codesAfter(r, Stage::Unaliased), Codes{"shared-memory"});
  EXPECT_EQ(codesAfter(r, Stage::Deduplicated), Codes());  // nothing was merged yet
  // Windows that do not touch.
  r.inputs[1].meta->offset = 4;
  EXPECT_EQ(codesAfter(r, Stage::Unaliased), Codes());
}

TEST(Stages, DuplicateInput) {
  AotResult r = Example(kWrites).run();
  r.inputs[0].sameAs = 1;
  EXPECT_EQ(codesAfter(r, Stage::Deduplicated), Codes{"duplicate-input"});
  EXPECT_EQ(codesAfter(r, Stage::Described), Codes());
}

TEST(Stages, MergedDuplicates) {
  const AotResult sound = passedTwice().run();
  ASSERT_TRUE(sound.duplicates);
  EXPECT_EQ(codesAfter(sound, Stage::Traced), Codes());
  AotResult r = sound;
  auto merge = std::make_shared<InputMerge>(*sound.duplicates);
  merge->places[1].at = 1;  // the copy is kept, and then it is none
  r.duplicates = merge;
  EXPECT_EQ(codesAfter(r, Stage::Deduplicated), Codes{"merged-inputs"});
  merge->places[1].at = 0;
  EXPECT_EQ(codesAfter(r, Stage::Deduplicated), Codes());
  merge->places[0].at = 1;  // the first input does not stay the first
  EXPECT_EQ(codesAfter(r, Stage::Deduplicated), Codes{"merged-inputs"});
}

TEST(Stages, MergingLeavesOtherBasesAlone) {
  AotResult r = passedTwice().run();
  auto merge = std::make_shared<InputMerge>(*r.duplicates);
  merge->meta.outputInfo[0].type = OutputType::UnsafeViewAlias;
  r.duplicates = merge;
  EXPECT_EQ(codesAfter(r, Stage::Deduplicated), Codes{"meta-base-index"});
}

TEST(Stages, MergedViews) {
  const AotResult sound = overlapping().run();
  ASSERT_TRUE(sound.overlaps);
  EXPECT_EQ(codesAfter(sound, Stage::Traced), Codes());
  const auto broken = [&](auto&& change) {
    AotResult r = sound;
    auto merge = std::make_shared<InputMerge>(*sound.overlaps);
    change(*merge);
    r.overlaps = merge;
    return codesAfter(r, Stage::Unaliased);
  };
  EXPECT_EQ(broken([](InputMerge& m) { m.places[1].at = 7; }), Codes{"merged-inputs"});
  EXPECT_EQ(broken([](InputMerge& m) { m.places[1].view = false; }), Codes{"merged-inputs"});
  EXPECT_EQ(broken([](InputMerge& m) { m.meta.inputInfo[1].isLeaf = !m.meta.inputInfo[1].isLeaf; }),
            Codes{"merged-inputs"});
  AotResult r = sound;
  r.inputs[0].descriptor = ir::Descriptor::plainInput(0);  // views of what is no base
  const Codes found = codesAfter(r, Stage::Unaliased);
  EXPECT_EQ(found, Codes{"merged-inputs"});
}

TEST(Stages, MetadataThatAnotherLookContradicts) {
  const Example e = overlapping();
  AotStages stages(*e.module, e.facts, {});
  ASSERT_TRUE(stages.readInputs() && stages.collectMetadata() && stages.mergeDuplicates() &&
              stages.mergeOverlapping());
  const ir::Result<ViewAndMutationMeta> again = stages.recollected();
  ASSERT_TRUE(again);
  ViewAndMutationMeta meta = stages.result().meta;
  const auto compare = [&] {
    ir::DiagnosticSink sink;
    verifySameMetadata(meta, *again, sink);
    return codes(sink);
  };
  EXPECT_EQ(compare(), Codes());
  meta.inputInfo[0].mutatesData = false;
  EXPECT_EQ(compare(), Codes{"meta-recollected"});
  meta = stages.result().meta;
  meta.outputInfo[0].type = OutputType::UnsafeViewAlias;
  EXPECT_EQ(compare(), Codes{"meta-recollected"});
  meta.inputInfo.pop_back();
  EXPECT_EQ(compare(), Codes{"meta-recollected"});
}

TEST(Stages, WritesAreTaggedWithTheirPass) {
  Example e(kWrites);
  e.facts.inputs[1].requiresGrad = true;
  AotResult r = e.run();
  ASSERT_TRUE(r.joint);
  EXPECT_EQ(codesAfter(r, Stage::Traced), Codes());
  for (const ir::NodeId id : r.joint->root().nodes())
    if (r.joint->root().target(id) == "torch.ops.aten.copy_.default") r.facts[id.index].phase = Phase::Untold;
  EXPECT_EQ(codesAfter(r, Stage::Traced), Codes{"untagged-write"});
}

TEST(Stages, ForwardOutputsAreCounted) {
  Example e(kWrites);
  e.facts.inputs[1].requiresGrad = true;
  AotResult r = e.run();
  ++r.numForward;
  const Codes found = codesAfter(r, Stage::Traced);
  EXPECT_TRUE(std::count(found.begin(), found.end(), "forward-outputs"));
}

// ---- cuts

const char* const kTrained = R"(
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4][1]cpu", y: "f32[4][1]cpu"):
        sin = x.sin()
        mul = sin.cos()
        out = mul * y
        return (out,)
)";

struct Cut {
  AotResult result;
  PartitionInput input;
  std::optional<Partition> parts;
  CapturedFacts facts;

  explicit Cut(const char* text, bool secondOnly = false) {
    Example e(text);
    e.facts.inputs[1].requiresGrad = true;
    e.facts.inputs[0].requiresGrad = !secondOnly;
    facts = e.facts;
    result = e.run();
    input = partitionInputOf(result, facts);
    PartitionOptions options;
    options.method = PartitionOptions::Method::Default;
    ir::Result<Partition> cut = partitionJoint(input, options);
    EXPECT_TRUE(cut) << (cut ? "" : cut.error().text());
    if (cut) parts = std::move(*cut);
  }
  Codes found() const {
    ir::DiagnosticSink sink;
    verifyPartition(input, *parts, sink);
    return codes(sink);
  }
};

TEST(Cut, MustSave) {
  Cut cut(kTrained);
  ASSERT_TRUE(cut.parts);
  EXPECT_EQ(cut.found(), Codes());
  // The backward computes cos of what is saved; a value that has to be saved must not be computed there.
  const ir::Graph& joint = cut.result.joint->root();
  ValueDecision again;
  for (const ir::NodeId id : cut.parts->backward.root().nodes())
    if (cut.parts->backward.root().node(id).op == ir::OpKind::CallFunction)
      again.node = joint.find(cut.parts->backward.root().nodeName(id));
  again.ban = BanRule::MustSave;
  cut.parts->decisions.push_back(again);
  EXPECT_EQ(cut.found(), Codes{"must-save"});
}

TEST(Cut, MustRecompute) {
  Cut cut(kTrained);
  ASSERT_TRUE(cut.parts);
  bool any = false;
  for (ValueDecision& d : cut.parts->decisions)
    if (d.fate == ValueFate::Saved && cut.result.joint->root().node(d.node).op == ir::OpKind::CallFunction)
      any = d.mustRecompute = true;
  ASSERT_TRUE(any);
  EXPECT_EQ(cut.found(), Codes{"must-recompute"});
}

TEST(Cut, WrongSide) {
  Cut cut(kWrites, true);
  ASSERT_TRUE(cut.parts);
  EXPECT_EQ(cut.found(), Codes());
  for (NodeRole& role : cut.input.roles)
    if (role.tag == PartitionTag::MustBeInForward) role.tag = PartitionTag::MustBeInBackward;
  EXPECT_EQ(cut.found(), Codes{"wrong-side"});
}

TEST(Cut, SavedListsThatDiffer) {
  Cut cut(kTrained);
  ASSERT_TRUE(cut.parts);
  ir::Graph& forward = cut.parts->forward.root();
  std::vector<ir::Argument> values;
  for (const ir::ArgView v : forward.outputs()) values.push_back(forward.toArgument(v));
  ASSERT_GE(values.size(), 3u);
  std::swap(values[values.size() - 1], values[values.size() - 2]);
  forward.setOutput(ir::Argument::tuple(values), forward.outputDescs);
  EXPECT_EQ(cut.found(), Codes{"saved-crossing"});
}

// ---- the manager

struct BrokenData : PassData {
  void verify(Stage, ir::DiagnosticSink& sink) const override { sink.error("meta-inputs", {}, "on purpose"); }
};

const PassDef kNothing = {"nothing", "does nothing", nullptr,
                          [](ProgramState&, const PassOptionValues&,
                             const PassContext&) -> ir::Result<PassOutcome> { return PassOutcome{}; }};

TEST(Manager, AsksWhatIsKnownBesideTheGraphs) {
  Example e(kTrained);
  ProgramState state;
  state.graphs.push_back({"captured", e.module, {}});
  state.data = std::make_shared<BrokenData>();
  const std::vector<PipelineStep> steps = {{&kNothing, {}, "nothing"}};
  const Recording asked = runPipeline(state, steps, {true, {}});
  ASSERT_TRUE(asked.failure);
  EXPECT_EQ(asked.failure->code, "verify-failed");
  EXPECT_EQ(asked.passes.at(0).problems.at(0).code, "meta-inputs");
  EXPECT_FALSE(runPipeline(state, steps, {false, {}}).failure);
}

}  // namespace
}  // namespace descry::passes
