// Fields of ViewAndMutationMeta, against what PyTorch wrote into the same logs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "session/aot_run.h"

namespace descry::session {
namespace {

nlohmann::json metaOf(const std::string& name) {
  const auto document = Document::open(std::string(METADATA) + "/" + name + ".log");
  EXPECT_TRUE(document) << (document ? "" : document.error().text());
  if (!document) return {};
  const auto graph = (*document)->graph("");
  EXPECT_TRUE(graph);
  if (!graph) return {};
  const passes::CapturedFacts facts = capturedFacts(**document, **graph);
  const auto result = runAot(**document, **graph, facts, {});
  EXPECT_TRUE(result) << (result ? "" : result.error().text());
  if (!result) return {};
  const auto cut = cutJoint(*result, facts, {{"method", "default"}});
  EXPECT_TRUE(cut) << (cut ? "" : cut.error().text());
  return cut ? nlohmann::json::parse(aotMetaJson(*result, &*cut)) : nlohmann::json();
}

TEST(AotMeta, ViewsThatMakeOutputsOfTheirBase) {
  const nlohmann::json meta = metaOf("complex_basic");
  std::vector<std::string> views;
  for (const nlohmann::json& o : meta["output_info"]) views.push_back(o["view_meta_sequence"].dump());
  EXPECT_EQ(views, (std::vector<std::string>{R"(["view_as_real"])", R"(["view_as_real","select_int"])",
                                             R"(["view_as_real","select_int"])", "null", "null"}));
  EXPECT_EQ(meta["traced_tangents"].dump(),
            R"(["f32[3, 4][4, 1]cpu","f32[3, 4][4, 1]cpu","c64[3, 4][4, 1]cpu"])");
  EXPECT_EQ(meta["deterministic"], false);
}

TEST(AotMeta, InputsThatOnlyTheBackwardWrites) {
  const nlohmann::json meta = metaOf("backward_mutates_a_saved_input");
  EXPECT_EQ(meta["indices_of_inputs_that_requires_grad_with_mutations_in_bw"].dump(), "[1]");
  EXPECT_EQ(meta["bw_donated_idxs"].dump(), "[]");  // the only saved tensor is an input
}

// Weights of a region are inputs; what goes from call to call is not.
TEST(AotMeta, MemoryOfNestedRegionsIsThatOfTheLastCall) {
  EXPECT_EQ(metaOf("region_used_three_times")["bw_donated_idxs"].dump(), "[0,2,3,5,6,8]");
}

}  // namespace
}  // namespace descry::session
