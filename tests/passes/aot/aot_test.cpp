// AOT autograd against PyTorch: the captured graph of each log in cases/ has to become the joint or inference
// graph that the same log holds. The logs are parts of corpus/reference, recorded with
// PyTorch 2.15.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "ir/text/printer.h"
#include "session/aot_run.h"

namespace descry::session {
namespace {

/// The text of a graph with its values numbered in order, without deletions and comments on lines of their
/// own: PyTorch's own numbers have gaps where it dropped nodes.
std::string plain(const ir::Module& module) {
  std::map<std::string, std::string, std::less<>> numbers;
  for (const ir::NodeId id : module.root().nodes())
    numbers.emplace(module.root().nodeName(id), "v" + std::to_string(numbers.size()));
  std::istringstream in(ir::printModule(module));
  std::string out, line;
  while (std::getline(in, line)) {
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos || line[first] == '#') continue;
    if (const size_t deletion = line.find(";  "); deletion != std::string::npos) line.resize(deletion);
    const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (size_t at = 0; at < line.size();) {
      size_t end = at;
      while (end < line.size() && word(line[end])) ++end;
      const auto found = numbers.find(std::string_view(line).substr(at, end - at));
      const bool free = at == 0 || line[at - 1] != '.';
      out += end > at && found != numbers.end() && free ? found->second
                                                        : line.substr(at, std::max<size_t>(end - at, 1));
      at = std::max(end, at + 1);
    }
    out += '\n';
  }
  return out;
}

std::vector<std::string> logs() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(AOT_CASES))
    if (entry.path().extension() == ".log") out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

/// The captured graph of a log in cases/, with what the log tells of its inputs.
struct Captured {
  std::shared_ptr<Document> document;
  LoadedGraphPtr graph;
  passes::CapturedFacts facts;

  explicit Captured(const std::string& name) {
    auto opened = Document::open(std::string(AOT_CASES) + "/" + name + ".log");
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().text());
    if (!opened) return;
    document = *opened;
    const auto found = document->graph("0/0:dynamo");
    EXPECT_TRUE(found) << (found ? "" : found.error().text());
    if (!found) return;
    graph = *found;
    facts = capturedFacts(*document, *graph);
  }
  ir::Result<passes::AotResult> run(const AotRequest& request = {}) const {
    ir::Result<passes::AotResult> result = runAot(*document, *graph, facts, request);
    if (!result) return result;
    for (const ir::Diagnostic& d : verifyAot(*result, facts, nullptr))
      EXPECT_NE(d.severity, ir::Severity::Error) << d.text();
    return result;
  }
};

class AotCase : public testing::TestWithParam<std::string> {};

TEST_P(AotCase, MakesTheGraphThatPyTorchMade) {
  const Captured captured(GetParam());
  ASSERT_TRUE(captured.graph);
  const auto result = captured.run();
  const auto joint = captured.document->graph("0/0:joint"),
             inference = captured.document->graph("0/0:inference");
  if (!joint && !inference) {
    EXPECT_FALSE(result) << "PyTorch refuses this graph";
    if (!result) {
      EXPECT_FALSE(result.error().node.empty()) << "the node at fault is not named";
    }
    return;
  }
  ASSERT_TRUE(result) << result.error().text();
  ASSERT_EQ(static_cast<bool>(result->joint), static_cast<bool>(joint));
  const ir::Module& ours = result->joint ? *result->joint : *result->inference;
  const LoadedGraph& theirs = joint ? **joint : **inference;
  EXPECT_EQ(plain(ours), plain(*theirs.module));
}

INSTANTIATE_TEST_SUITE_P(Logs, AotCase, testing::ValuesIn(logs()),
                         [](const auto& info) { return info.param; });

/// What PyTorch computes with sizes while it writes a graph and then drops leaves gaps in its numbering.
class NamesCase : public testing::TestWithParam<std::string> {};

TEST_P(NamesCase, TakesTheNamesThatPyTorchTakes) {
  const Captured captured(GetParam());
  ASSERT_TRUE(captured.graph);
  AotRequest request;
  if (GetParam().starts_with("inductor/")) request.decompositions = passes::Decompositions::Inductor;
  const auto result = captured.run(request);
  const auto joint = captured.document->graph("0/0:joint");
  ASSERT_TRUE(result) << result.error().text();
  ASSERT_TRUE(joint && result->joint);
  const auto names = [](const ir::Graph& graph) {
    std::vector<std::string> out;
    for (const ir::NodeId id : graph.nodes()) out.emplace_back(graph.nodeName(id));
    return out;
  };
  EXPECT_EQ(names(result->joint->root()), names((*joint)->module->root()));
  EXPECT_EQ(plain(*result->joint), plain(*(*joint)->module));
}

INSTANTIATE_TEST_SUITE_P(Logs, NamesCase,
                         testing::Values("dynamic_writes_and_names", "dynamic_folded_matmul",
                                         "inductor/dynamic_mean_of_squares", "inductor/complex_sum_by_parts"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

/// Floats that come from sizes are tensors after the cut; sizes that depend on data are guessed within their
/// bounds.
class CutCase : public testing::TestWithParam<std::string> {};

TEST_P(CutCase, MakesTheForwardAndBackwardThatPyTorchMade) {
  const Captured captured(GetParam());
  ASSERT_TRUE(captured.graph);
  const auto result = captured.run();
  ASSERT_TRUE(result) << result.error().text();
  const auto cut = cutJoint(*result, captured.facts, {{"method", "min-cut"}});
  ASSERT_TRUE(cut) << cut.error().text();
  const auto forward = captured.document->graph("0/0:forward"),
             backward = captured.document->graph("0/0:backward");
  ASSERT_TRUE(forward && backward);
  EXPECT_EQ(plain(cut->forward), plain(*(*forward)->module));
  EXPECT_EQ(plain(cut->backward), plain(*(*backward)->module));
}

INSTANTIATE_TEST_SUITE_P(Logs, CutCase,
                         testing::Values("checkpoint_in_a_region", "dynamic_sqrt",
                                         "random_numbers_in_checkpoint", "unbacked_bool_index"),
                         [](const auto& info) { return info.param; });

/// What the cut names goes on behind the names of nodes that died while the joint graph was traced.
TEST(Aot, RegionsAreNamedBehindWhatIsGone) {
  const Captured captured("region_applied_twice");
  ASSERT_TRUE(captured.graph);
  const auto result = captured.run();
  ASSERT_TRUE(result) << result.error().text();
  const auto cut = cutJoint(*result, captured.facts, {{"method", "min-cut"}});
  ASSERT_TRUE(cut) << cut.error().text();
  const auto forward = captured.document->graph("0/0:forward");
  ASSERT_TRUE(forward);
  const auto names = [](const ir::Graph& g) {
    std::vector<std::string> out;
    for (const ir::NodeId id : g.nodes()) out.emplace_back(g.nodeName(id));
    return out;
  };
  EXPECT_EQ(names(cut->forward.root()), names((*forward)->module->root()));
}

/// Numbers that only a decomposition looks at are nodes nevertheless, where the program is at that time.
TEST(Aot, InductorsDecompositionsAskForSizes) {
  const Captured captured("inductor/product_asks_for_sizes");
  ASSERT_TRUE(captured.graph);
  AotRequest request;
  request.decompositions = passes::Decompositions::Inductor;
  const auto result = captured.run(request);
  ASSERT_TRUE(result) << result.error().text();
  const auto joint = captured.document->graph("0/0:joint");
  ASSERT_TRUE(joint);
  EXPECT_EQ(plain(*result->joint), plain(*(*joint)->module));
}

TEST(Aot, SaysWhyAGraphIsRefused) {
  const Captured captured("refused_floor_divide_grad");
  ASSERT_TRUE(captured.graph);
  const auto result = captured.run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "not-differentiable");
  EXPECT_NE(result.error().message.find("derivative for aten::floor_divide is not implemented"),
            std::string::npos);
  EXPECT_GT(result.error().loc.line, 0u);
}

TEST(Aot, MetadataByPyTorchsNames) {
  const Captured captured("alias_view_and_base_mutated");
  ASSERT_TRUE(captured.graph);
  const auto result = captured.run();
  ASSERT_TRUE(result);
  const std::string json = aotMetaJson(*result);
  EXPECT_NE(json.find("\"TangentAOTInput(output=InputMutationAOTOutput(mutated_input=ViewBaseAOTInput(base_"
                      "of=PlainAOTInput(idx=0))))\""),
            std::string::npos);
  ASSERT_EQ(result->meta.inputInfo.size(), 1u);
  EXPECT_TRUE(result->meta.inputInfo[0].mutatesData);
  EXPECT_EQ(result->meta.inputInfo[0].mutationType(), passes::MutationType::MutatedOutGraph);
  EXPECT_NE(json.find("\"mutation_type\": \"MUTATED_OUT_GRAPH\""), std::string::npos);
  EXPECT_NE(json.find("\"num_symints_saved_for_bw\": null"), std::string::npos) << "nothing was cut";
}

/// The wrapper stays whole until the step that takes it apart.
TEST(Aot, TakesSubclassesApartInAStepOfItsOwn) {
  const Captured captured("sub_linear");
  ASSERT_TRUE(captured.graph);
  passes::AotStages stages(*captured.graph->module, captured.facts, {});
  ASSERT_TRUE(stages.readInputs());
  ASSERT_TRUE(stages.collectMetadata());
  const auto whole = stages.lowered();
  ASSERT_TRUE(whole) << whole.error().text();
  EXPECT_TRUE(stages.flattenSubclasses());
  const auto flat = stages.lowered();
  ASSERT_TRUE(flat) << flat.error().text();
  const auto count = [](const ir::Module& m, std::string_view what) {
    const std::string text = ir::printModule(m);
    size_t n = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(whole->module->root().placeholders().size(), 3u);
  EXPECT_EQ(flat->module->root().placeholders().size(), 5u);
  EXPECT_GT(count(*whole->module, "TwoTensor("), 3u);
  EXPECT_EQ(count(*flat->module, "TwoTensor("), 0u);
  EXPECT_EQ(2 * count(*whole->module, "aten.relu.default"), count(*flat->module, "aten.relu.default"));
}

/// A wrapper that the program makes stays a call until then. Whether its tensors require gradients is no
/// question there.
TEST(Aot, ShowsWrappersThatTheProgramMakes) {
  const Captured captured("sub_construct");
  ASSERT_TRUE(captured.graph);
  passes::AotStages stages(*captured.graph->module, captured.facts, {});
  ASSERT_TRUE(stages.readInputs());
  const auto whole = stages.lowered();
  ASSERT_TRUE(whole) << whole.error().text();
  const std::string text = ir::printModule(*whole->module);
  EXPECT_NE(text.find("\"TwoTensor(f32[3, 3][3, 1]cpu)\" = torch.testing._internal.two_tensor.TwoTensor("),
            std::string::npos)
      << text;
}

/// SubclassCreationMeta as the log of the same run prints it.
TEST(Aot, MetadataOfSubclasses) {
  const Captured captured("sub_linear");
  ASSERT_TRUE(captured.graph);
  const auto result = captured.run();
  ASSERT_TRUE(result);
  const passes::ViewAndMutationMeta& m = result->meta;
  ASSERT_EQ(m.subclassInpMeta.size(), 3u);
  EXPECT_EQ(m.subclassInpMeta[0].name, "");
  EXPECT_EQ(m.subclassInpMeta[0].index, 0);
  EXPECT_EQ(m.subclassInpMeta[1].name, "TwoTensor");
  EXPECT_EQ(m.subclassInpMeta[1].index, 1);
  EXPECT_EQ(m.subclassInpMeta[1].argCount, 2);
  ASSERT_EQ(m.subclassInpMeta[1].attrs.size(), 2u);
  EXPECT_EQ(m.subclassInpMeta[1].inner[1].index, 3);
  EXPECT_EQ(m.subclassInpMeta[1].outerSize, (std::vector<std::string>{"5", "4"}));
  EXPECT_EQ(m.subclassInpMeta[1].outerStrideFromAttr, "a");
  ASSERT_EQ(m.subclassTangentMeta.size(), 1u);
  ASSERT_TRUE(m.subclassTangentMeta[0].memoryFormat);
  EXPECT_EQ(m.subclassTangentMeta[0].memoryFormat->memoryFormat, "torch.contiguous_format");
  ASSERT_TRUE(m.subclassTangentMeta[0].inner[0].memoryFormat);
  EXPECT_EQ(m.subclassTangentMeta[0].inner[0].memoryFormat->stride, (std::vector<int64_t>{15, 5, 1}));
  const std::string json = aotMetaJson(*result);
  EXPECT_NE(json.find("\"SubclassCreationMeta\""), std::string::npos);
  EXPECT_NE(json.find("\"subclass_fw_graph_out_meta\""), std::string::npos);
}

}  // namespace
}  // namespace descry::session
