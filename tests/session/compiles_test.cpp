// What holds between the graphs of a compile and its metadata: logs of PyTorch keep every rule, and logs that
// are edited break the one that the edit is for.
#include "session/compiles.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "session/recorded_meta.h"

namespace descry::session {
namespace {

std::string readLog(const std::string& name) {
  std::ifstream in(std::string(COMPILES) + "/" + name + ".log");
  EXPECT_TRUE(in) << name;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<CompileReport> verified(const std::string& text) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("descry-compiles-" + std::to_string(getpid()) + ".log");
  std::ofstream(path) << text;
  const auto document = Document::open(path.string());
  std::vector<CompileReport> out;
  EXPECT_TRUE(document) << (document ? "" : document.error().text());
  if (document) out = verifyCompiles(**document);
  std::filesystem::remove(path);
  return out;
}

std::string told(const std::vector<CompileReport>& reports) {
  std::string out;
  for (const CompileReport& r : reports)
    for (const ir::Diagnostic& d : r.found)
      out += d.graph + ": " + d.node + ": " + d.message + " [" + d.code + "]\n";
  return out;
}

/// Replaces `from` where it first stands in the record of this kind.
struct Edit {
  const char* record;  ///< "joint", "forward", "backward", "inference", "metadata"
  const char* from;
  const char* to;
};

void apply(std::string& text, const Edit& e) {
  const std::string key =
      std::string(e.record) == "metadata" ? "fw_metadata\"" : "\"aot_" + std::string(e.record) + "_graph\"";
  const size_t header = text.find(key);
  ASSERT_NE(header, std::string::npos) << e.record;
  const size_t end = std::min(text.find("\nV0", header), text.size());
  const size_t at = text.find(e.from, header);
  ASSERT_LT(at, end) << e.from;
  text.replace(at, std::string(e.from).size(), e.to);
}

struct Broken {
  const char* code;
  const char* log;
  const char* node;  ///< "" where the fault belongs to no node
  std::vector<Edit> edits;
};

const std::vector<Broken>& brokenLogs() {
  static const std::vector<Broken> kBroken = {
      {"gradient-slot",
       "stashes_tensor_and_list_dynamic",
       "output",
       {{"joint", "\t            None,  # None\n", ""}}},
      {"gradient-slot",
       "inter_two_views",
       "primals_1",
       {{"joint", "GradAOTOutput(grad_of=PlainAOTInput(idx=0))",
         "GradAOTOutput(grad_of=PlainAOTInput(idx=1))"}}},
      {"forward-inputs",
       "dyn_sizes_saved_instead_of_input",
       "primals_2",
       {{"forward", "\t        primals_2: \"Sym(s27)\",  # PlainAOTInput(idx=1)\n", ""}}},
      {"forward-inputs",
       "inter_two_views",
       "primals_1",
       {{"forward", "PlainAOTInput(idx=0)", "PlainAOTInput(idx=1)"}}},
      {"forward-outputs",
       "inter_two_views",
       "view_1",
       {{"forward", "view,  # PlainAOTOutput(idx=0)", "view_1,  # PlainAOTOutput(idx=0)"}}},
      {"forward-outputs",
       "inter_two_views",
       "output",
       {{"forward", "# PlainAOTOutput(idx=1)", "# PlainAOTOutput(idx=2)"}}},
      {"backward-outputs",
       "dyn_sizes_saved_instead_of_input",
       "output",
       {{"backward", "\t            None,  # None\n", ""}}},
      {"backward-outputs",
       "stashes_tensor_and_list_dynamic",
       "add_1",
       {{"backward", "add_2,  # Grad", "add_1,  # Grad"}}},
      {"foreign-call", "inter_two_views", "mul_1", {{"backward", "aten.mul.Tensor", "aten.add.Tensor"}}},
      {"write-lost",
       "inplace_leaf_under_no_grad",
       "primals_1",
       {{"forward", "torch.ops.aten.copy_.default(primals_1, mul)", "torch.ops.aten.sin.default(mul)"}}},
      {"saved-crossing",
       "effect_print_hop",
       "primals_2",
       {{"forward", "\t            primals_2,  # Saved", "\t            sum_1,  # Saved"}}},
      {"saved-crossing",
       "effect_print_hop",
       "primals_2",
       {{"forward", "\t            primals_2,  # SavedForBackwardsAOTOutput(idx=0)\n", ""}}},
      {"saved-symints",
       "dyn_sizes_saved_instead_of_input",
       "primals_2",
       {{"backward", "primals_1: \"Sym(s77)\",  # PlainAOTInput(idx=0)\n", "primals_2: \"Sym(s27)\",\n"},
        {"backward", "primals_2: \"Sym(s27)\",  # PlainAOTInput(idx=1)\n", "primals_1: \"Sym(s77)\",\n"}}},
      {"saved-symints",
       "stashes_tensor_and_list_dynamic",
       "primals_1",
       {{"forward", "primals_2,  # SavedForBackwardsNoVcCheckAOTOutput(idx=0)",
         "primals_1,  # SavedForBackwardsAOTOutput(idx=0)"},
        {"forward", "primals_1,  # SavedForBackwardsAOTOutput(idx=1)",
         "primals_2,  # SavedForBackwardsAOTOutput(idx=1)"}}},
      {"saved-unchecked",
       "stashes_tensor_and_list_dynamic",
       "mul",
       {{"forward", "\t            primals_1,  # Saved",
         "\t            mul,  # SavedForBackwardsAOTOutput(idx=1)\n\t            primals_1,  # Saved"}}},
      {"saved-unread",
       "effect_print_hop",
       "primals_2",
       {{"backward", "torch.ops.aten.cos.default(primals_2)", "torch.ops.aten.cos.default(tangents_1)"}}},
      {"saved-tuple",
       "effect_print_hop",
       "with_effects",
       {{"forward", "\t            primals_2,  # Saved", "\t            with_effects,  # Saved"},
        {"backward", "primals_2: \"f32[3, 4][4, 1]cpu\",  # PlainAOTInput(idx=0)", "with_effects,"},
        {"backward", "cos.default(primals_2)", "cos.default(with_effects)"}}},
      {"unbound-symbol",
       "stashes_tensor_and_list_dynamic",
       "primals_2",
       {{"forward", "\t            primals_1,  # SavedForBackwardsAOTOutput(idx=1)\n", ""},
        {"backward", "\t        primals_1: \"Sym(s77)\",  # PlainAOTInput(idx=0)\n", ""}}},
      {"must-save",
       "effect_print_hop",
       "sin",
       {{"joint", "# File: aliasing.py:1159", "# ac_graph_id: 1 - MUST_SAVE File: aliasing.py:1159"},
        {"backward", "\t        cos: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.cos.default(primals_2)",
         "\t        sin: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.sin.default(primals_2)\n"
         "\t        cos: \"f32[3, 4][4, 1]cpu\" = torch.ops.aten.cos.default(sin)"}}},

      {"metadata-unread", "inter_two_views", "", {{"metadata", "ViewAndMutationMeta(", "Meta("}}},
      {"metadata-unread",
       "inter_two_views",
       "",
       {{"metadata", "num_symints_saved_for_bw=0", "num_symints_saved_for_bw=1e999"}}},
      {"metadata-unread",
       "inter_two_views",
       "",
       {{"metadata", "<OutputType.alias_of_intermediate:", "<OutputType.alias_of_nothing:"}}},
      {"meta-storage",
       "inplace_nonleaf",
       "",
       {{"metadata", "mutates_storage_metadata=False", "mutates_storage_metadata=True"}}},
      {"meta-base-index",
       "inter_two_views",
       "",
       {{"metadata", "alias_of_intermediate: 5>", "alias_of_intermediate_base_is_user_output: 6>"},
        {"metadata", "output_info=[",
         "output_info=[OutputAliasInfo(output_type=<OutputType.alias_of_input: 2>, base_idx=7),"}}},
      {"meta-base",
       "inter_two_views",
       "",
       {{"metadata", "num_intermediate_bases=1", "num_intermediate_bases=2"}}},
      {"meta-tangents",
       "inplace_nonleaf",
       "",
       {{"metadata", "requires_grad_for_backward=True", "requires_grad_for_backward=False"}}},
      {"meta-inputs",
       "inter_two_views",
       "",
       {{"metadata", "input_info=[", "input_info=[InputAliasInfo(is_leaf=True),"}}},
      {"meta-outputs",
       "inplace_nonleaf",
       "output",
       {{"metadata", "output_info=[",
         "output_info=[OutputAliasInfo(output_type=<OutputType.non_alias: 1>, base_idx=None),"}}},
      {"mutated-input", "inplace_nonleaf", "mul", {{"metadata", "mutates_data=True", "mutates_data=False"}}},
      {"mutated-input",
       "inter_two_views",
       "primals_1",
       {{"metadata", "mutates_data=False", "mutates_data=True"},
        {"metadata", "mutations_hidden_from_autograd=True", "mutations_hidden_from_autograd=False"}}},
      {"intermediate-base",
       "inter_two_views",
       "mul",
       {{"joint", "mul,  # IntermediateBaseAOTOutput(base_of=PlainAOTOutput(idx=0))",
         "mul,  # IntermediateBaseAOTOutput(base_of=PlainAOTOutput(idx=1))"}}},
      {"returned-input",
       "inplace_out_variant",
       "sin",
       {{"inference", "\t            copy_,  # Plain", "\t            sin,  # Plain"}}},
      {"meta-gradient",
       "inter_two_views",
       "primals_1",
       {{"metadata", "requires_grad=True", "requires_grad=False"}}},
      {"tangent-order",
       "inplace_nonleaf",
       "tangents_2",
       {{"metadata", "TangentAOTInput(output=PlainAOTOutput(idx=0))]",
         "TangentAOTInput(output=PlainAOTOutput(idx=1))]"}}},
      {"meta-tokens", "effect_print_hop", "", {{"metadata", "tokens={<", "tokens={'again': None, <"}}},
      {"meta-tokens",
       "effect_print_hop",
       "",
       {{"metadata", "num_backward_tokens=0", "num_backward_tokens=1"}}},
      {"subclass-count",
       "sub_output_only",
       "primals_1",
       {{"metadata", "subclass_inp_meta=[PlainTensorMeta(",
         "subclass_inp_meta=[SubclassCreationMeta(arg_count=2, "}}},
      {"subclass-count", "sub_output_only", "sin", {{"metadata", "arg_count=2", "arg_count=3"}}},
      {"meta-saved",
       "dyn_sizes_saved_instead_of_input",
       "output",
       {{"metadata", "num_symints_saved_for_bw=2", "num_symints_saved_for_bw=1"}}},
      {"meta-saved",
       "stashes_tensor_and_list_dynamic",
       "output",
       {{"metadata", "num_tensors_saved_with_no_vc_check=1", "num_tensors_saved_with_no_vc_check=0"}}},
      {"meta-saved",
       "effect_print_hop",
       "primals_2",
       {{"metadata", "saved_tensor_is_graph_input=[True]", "saved_tensor_is_graph_input=[False]"}}},
      {"donated-buffer",
       "stashes_tensor_and_list_dynamic",
       "primals_2",
       {{"metadata", "bw_donated_idxs=[]", "bw_donated_idxs=[1]"}}},
  };
  return kBroken;
}

TEST(Compiles, LogsOfPyTorchKeepEveryRule) {
  size_t logs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(COMPILES)) {
    const std::vector<CompileReport> reports = verified(readLog(entry.path().stem().string()));
    EXPECT_EQ(reports.size(), 1u) << entry.path();
    EXPECT_EQ(told(reports), "") << entry.path();
    ++logs;
  }
  EXPECT_GE(logs, 8u);
}

TEST(Compiles, EachEditIsNamedWithTheRuleThatItBreaks) {
  for (const Broken& b : brokenLogs()) {
    std::string text = readLog(b.log);
    for (const Edit& e : b.edits) apply(text, e);
    const std::vector<CompileReport> reports = verified(text);
    bool found = false;
    for (const CompileReport& r : reports)
      for (const ir::Diagnostic& d : r.found) {
        if (d.code != b.code || (d.node != b.node && !(d.node.empty() && !*b.node))) continue;
        found = true;
        EXPECT_GT(d.loc.line, 0u) << d.text();
        EXPECT_FALSE(d.graph.empty()) << d.text();
      }
    EXPECT_TRUE(found) << b.code << " at '" << b.node << "' in " << b.log << ", found\n" << told(reports);
  }
}

/// A rule that fires where the edit is not meant for it fires too often.
TEST(Compiles, EditsOfTheGraphsBreakFewOtherRules) {
  for (const Broken& b : brokenLogs()) {
    std::string text = readLog(b.log);
    for (const Edit& e : b.edits) apply(text, e);
    std::set<std::string> codes;
    for (const CompileReport& r : verified(text))
      for (const ir::Diagnostic& d : r.found) codes.insert(d.code);
    EXPECT_LE(codes.size(), 4u) << b.code << " in " << b.log;
  }
}

TEST(Compiles, PartialLogsAreCheckedAsFarAsTheyGo) {
  // Without the joint the forward still has to hand on what the backward takes.
  std::string text = readLog("effect_print_hop");
  const size_t joint = text.find("V0101"), metadata = text.find("V0101", joint + 1);
  text.erase(joint, metadata - joint);
  EXPECT_EQ(told(verified(text)), "");
  apply(text, {"forward", "\t            primals_2,  # Saved", "\t            sum_1,  # Saved"});
  EXPECT_NE(told(verified(text)).find("[saved-crossing]"), std::string::npos);
  // A graph alone has nothing to be held against.
  std::string alone = readLog("inplace_out_variant");
  alone.erase(0, alone.find("V0101", 1));
  EXPECT_TRUE(verified(alone).empty());
}

TEST(Compiles, GraphsOfOneCompileIdAreKeptApartByTheirOrder) {
  const std::string one = readLog("inter_two_views"), other = readLog("inplace_nonleaf");
  const std::vector<CompileReport> reports = verified(one + other);
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(told(reports), "");
  EXPECT_EQ(reports[0].graphs.size(), 3u);
}

TEST(RecordedMeta, IsReadFromItsRepr) {
  const auto r = readRecordedMeta(
      "ViewAndMutationMeta(input_info=[InputAliasInfo(is_leaf=False, mutates_data=True, "
      "requires_grad=True)],\n"
      "    output_info=[OutputAliasInfo(output_type=<OutputType.alias_of_intermediate: 5>, raw_type=<class "
      "'a.B'>,\n"
      "        base_idx=0, dynamic_dims={0, 1}, requires_grad=True, requires_grad_for_backward=False,\n"
      "        view_meta_sequence=ViewMetaSequence(view, slice_Tensor))], num_intermediate_bases=1,\n"
      "    traced_tangents=[FakeTensor(..., size=(2*s0 + 1, 3)), FakeTensor(..., size=())],\n"
      "    traced_tangents_descs=[TangentAOTInput(output=PlainAOTOutput(idx=0)), "
      "TangentAOTInput(output=PlainAOTOutput(idx=1))],\n"
      "    num_symints_saved_for_bw=None, saved_tensor_is_graph_input=[True, False], tokens={<E.ORDERED: "
      "'O'>: T(size=(0,))},\n"
      "    bw_donated_idxs=[2, 3], stack=['a \\'quoted\\' ' \"text, (\"])");
  ASSERT_TRUE(r);
  ASSERT_EQ(r->meta.inputInfo.size(), 1u);
  EXPECT_TRUE(r->meta.inputInfo[0].mutatesData && r->meta.inputInfo[0].requiresGrad &&
              !r->meta.inputInfo[0].isLeaf);
  ASSERT_EQ(r->meta.outputInfo.size(), 1u);
  EXPECT_EQ(r->meta.outputInfo[0].type, passes::OutputType::AliasOfIntermediate);
  EXPECT_EQ(r->meta.outputInfo[0].baseIdx, 0);
  EXPECT_FALSE(r->meta.outputInfo[0].requiresGradForBackward);
  EXPECT_EQ(r->meta.numIntermediateBases, 1);
  ASSERT_EQ(r->meta.tracedTangentsDescs.size(), 2u);
  EXPECT_EQ(r->meta.tracedTangentsDescs[1].repr(), "TangentAOTInput(output=PlainAOTOutput(idx=1))");
  EXPECT_EQ(r->meta.tokens.size(), 1u);
  EXPECT_FALSE(r->cut.symints);
  EXPECT_EQ(r->cut.savedIsInput, (std::vector<bool>{true, false}));
  EXPECT_EQ(r->cut.donated, (std::vector<int64_t>{2, 3}));
}

TEST(RecordedMeta, DamagedTextIsRefused) {
  const std::string deep(100000, '[');
  for (const std::string& bad :
       {std::string(), std::string("ViewAndMutationMeta("), std::string("Other()"),
        std::string("ViewAndMutationMeta(a=<"), std::string("ViewAndMutationMeta(a='"),
        "ViewAndMutationMeta(a=" + deep, std::string("ViewAndMutationMeta(a=])")})
    EXPECT_FALSE(readRecordedMeta(bad)) << bad.substr(0, 40);
}

}  // namespace
}  // namespace descry::session
