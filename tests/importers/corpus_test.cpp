// Real logs, when DESCRY_SHARED names the folder that holds them. Counts come from reading the headers with
// Python's json module.
#include <map>

#include "tests/importers/support.h"

namespace descry::importers::test {
namespace {

std::string shared() {
  const char* folder = std::getenv("DESCRY_SHARED");
  return folder ? folder : "";
}

std::map<std::string, int> kindsOf(const Input& input) {
  std::map<std::string, int> out;
  for (const GraphEntry& g : input.graphs()) ++out[g.kind];
  return out;
}

void expectKinds(const std::string& file, const std::map<std::string, int>& kinds) {
  if (shared().empty()) return;
  const auto input = openInput(shared() + "/corpus/" + file);
  ASSERT_TRUE(input.ok()) << input.error().text();
  EXPECT_EQ(kindsOf(**input), kinds) << file;
  for (size_t i = 0; i < (*input)->graphs().size(); ++i) loadClean(**input, i);
}

TEST(Corpus, TraceLogs) {
  expectKinds("torch_trace/inductor_provenance_jit_debug_handle_log.txt", {{"dynamo_output_graph", 1},
                                                                           {"aot_joint_graph", 1},
                                                                           {"aot_forward_graph", 1},
                                                                           {"aot_backward_graph", 1},
                                                                           {"before_pre_grad_graph", 1},
                                                                           {"after_pre_grad_graph", 1},
                                                                           {"fx_graph_runnable", 1},
                                                                           {"before_post_grad_graph", 1},
                                                                           {"after_post_grad_graph", 1}});
  expectKinds("torch_trace/export.log", {{"exported_program", 1}});
  expectKinds("torch_trace/artifacts.log", {{"dynamo_output_graph", 1}, {"aot_forward_graph", 1}});
  expectKinds("torch_trace/comp_metrics.log", {{"dynamo_output_graph", 3}});
}

TEST(Corpus, SeveralRanks) {
  if (shared().empty()) return;
  const auto input = openInput(shared() + "/corpus/torch_trace/multi_rank");
  ASSERT_TRUE(input.ok());
  EXPECT_EQ((*input)->graphs().size(), 28u);
  const FactTable* ranks = tableOf(**input, "ranks");
  ASSERT_TRUE(ranks);
  bool orderDiffers = false;
  for (const auto& row : ranks->rows) orderDiffers |= row[0] == "execution order" && row[3] == "no";
  EXPECT_TRUE(orderDiffers);
  int edited = 0;
  for (const RecordEntry& r : (*input)->records()) edited += r.state == "payload-hash";
  EXPECT_EQ(edited, 2);
}

TEST(Corpus, DamagedEvent) {
  if (shared().empty()) return;
  const auto input = openInput(shared() + "/corpus/torch_trace/simple_corrupted_json.log");
  ASSERT_TRUE(input.ok());
  int bad = 0;
  for (const RecordEntry& r : (*input)->records()) bad += r.state == "bad-payload";
  EXPECT_EQ(bad, 1);
}

TEST(Corpus, TextLogs) {
  expectKinds("logs/aot_graphs.recompiles.log", {{"aot_inference_graph", 6},
                                                 {"aot_joint_graph", 1},
                                                 {"aot_forward_graph", 1},
                                                 {"aot_backward_graph", 1}});
  expectKinds("logs/format_short.train_mutation.log",
              {{"dynamo_output_graph", 1}, {"aot_forward_graph", 1}, {"aot_backward_graph", 1}});
  expectKinds("logs/compiled_autograd.plain.log", {{"compiled_autograd_graph", 2}});
  expectKinds("logs/ir_fusion_schedule.train_mutation.log", {});
}

}  // namespace
}  // namespace descry::importers::test
