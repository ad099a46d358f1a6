#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "session/views.h"
#include "tests/session/graphs.h"

namespace descry::session {
namespace {

const IoRow& row(const std::vector<IoRow>& rows, bool input, int position) {
  for (const IoRow& r : rows)
    if (r.input == input && r.position == position) return r;
  ADD_FAILURE() << "no row";
  return rows.front();
}

TEST(IoRows, PairsByDescriptor) {
  const auto g = load(kJoint);
  const std::vector<IoRow> rows = ioRows(*g);
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(row(rows, true, 0).gradOrTangent, "mm_1");
  EXPECT_EQ(row(rows, true, 0).path, "fc.weight");
  EXPECT_EQ(row(rows, true, 0).kind, "parameter");
  EXPECT_EQ(row(rows, true, 1).gradOrTangent, "mm_2");
  EXPECT_EQ(row(rows, true, 2).kind, "tangent");
  EXPECT_EQ(row(rows, true, 2).gradOrTangent, "");
  EXPECT_EQ(row(rows, false, 0).gradOrTangent, "tangents_1");
  EXPECT_EQ(row(rows, false, 1).gradOrTangent, "");
  EXPECT_EQ(row(rows, false, 1).partner, at(*g, "primals_1"));
  EXPECT_EQ(row(rows, true, 0).origin, Origin::Recorded);
  EXPECT_EQ(row(rows, true, 0).bytes, 8 * 16 * 4);
}

std::string without(std::string text, const std::string& comment) {
  for (size_t at = text.find(comment); at != std::string::npos; at = text.find(comment)) {
    const size_t end = text.find('\n', at);
    text.erase(at, end - at);
  }
  return text;
}

TEST(IoRows, InfersFromNamesAndSaysSo) {
  std::string text = kJoint;
  for (const char* c : {"  # ParamAOT", "  # PlainAOT", "  # TangentAOT", "  # GradAOT"})
    text = without(text, c);
  const auto g = load(text);
  const std::vector<IoRow> rows = ioRows(*g);
  EXPECT_EQ(row(rows, true, 2).kind, "tangent");
  EXPECT_EQ(row(rows, true, 2).origin, Origin::Inferred);
  EXPECT_NE(row(rows, true, 2).originRule, "");
  // Same pairs as with descriptors.
  EXPECT_EQ(row(rows, true, 0).gradOrTangent, "mm_1");
  EXPECT_EQ(row(rows, true, 1).gradOrTangent, "mm_2");
  EXPECT_EQ(row(rows, false, 0).gradOrTangent, "tangents_1");
  EXPECT_TRUE(g->phases.joint);
}

// PyTorch prints no descriptor for a joint input without a type; its forward graph has it (form as in
// PyTorch 2.15).
TEST(IoRows, TakesDescriptorsThatOnlyTheForwardPrints) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("descry_companion_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "joint.txt")
      << "class inner_f(torch.nn.Module):\n    def forward(\n        self,\n        primals,\n        "
         "tangents,\n    ):\n"
         "        primals_1: \"f32[3][1]cpu\"  # PlainAOTInput(idx=0)\n"
         "        tangents_1: \"f32[3][1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n"
         "        primals_1, primals_2  , tangents_1, = "
         "fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)\n"
         "        mul: \"f32[3][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, 2);  tangents_1 = None\n"
         "        return pytree.tree_unflatten([\n            primals_1,  # PlainAOTOutput(idx=0)\n"
         "            mul,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\n            None,  # None\n"
         "        ], self._out_spec)\n";
  const auto descriptorOfSecond = [&] {
    auto document = Document::open((folder / "joint.txt").string());
    EXPECT_TRUE(document.ok());
    const auto graph = (*document)->graph("");
    EXPECT_TRUE(graph.ok());
    const IoRow r = row(ioRows(**graph), true, 1);
    EXPECT_EQ(r.name, "primals_2");
    EXPECT_EQ(r.origin, Origin::Inferred);
    return r.descriptor;
  };
  EXPECT_EQ(descriptorOfSecond(), "");
  const auto writeForward = [&](const char* first) {
    std::ofstream(folder / "forward.txt")
        << "class GraphModule(torch.nn.Module):\n    def forward(\n        self,\n        primals_1: "
           "\"f32[3][1]cpu\",  # "
        << first
        << "\n        primals_2,  # PlainAOTInput(idx=4)\n    ):\n        return (\n            primals_1,  "
        << "# PlainAOTOutput(idx=0)\n        )\n";
  };
  writeForward("PlainAOTInput(idx=0)");
  EXPECT_EQ(descriptorOfSecond(), "PlainAOTInput(idx=4)");
  writeForward("PlainAOTInput(idx=7)");  // another graph: what both name must agree
  EXPECT_EQ(descriptorOfSecond(), "");
  fs::remove_all(folder);
}

TEST(IoRows, ReadsDynamoNames) {
  const auto g = load(
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, L_self_modules_layer1_modules_0_modules_bn1_buffers_running_mean_: \"f32[4]\", "
      "L_self_parameters_w_: \"f32[4]\", L_x_: \"f32[4]\", s0: \"Sym(s0)\"):\n"
      "        add: \"f32[4]\" = L_x_ + L_self_parameters_w_\n"
      "        return (add,)\n");
  const std::vector<IoRow> rows = ioRows(*g);
  EXPECT_EQ(row(rows, true, 0).kind, "buffer");
  EXPECT_EQ(row(rows, true, 0).path, "layer1.0.bn1.running_mean");
  EXPECT_EQ(row(rows, true, 1).kind, "parameter");
  EXPECT_EQ(row(rows, true, 1).path, "w");
  EXPECT_EQ(row(rows, true, 2).path, "x");
  EXPECT_EQ(row(rows, true, 3).kind, "size");
}

TEST(IoRows, BackwardGraphWithoutDescriptors) {
  const auto g = load(
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, primals_2: \"f32[2]\", relu: \"f32[2]\", tangents_1: \"f32[2]\"):\n"
      "        mul: \"f32[2]\" = torch.ops.aten.mul.Tensor(tangents_1, primals_2)\n"
      "        mul_1: \"f32[2]\" = torch.ops.aten.mul.Tensor(tangents_1, relu)\n"
      "        return (mul, mul_1, None)\n");
  const std::vector<IoRow> rows = ioRows(*g);
  EXPECT_EQ(row(rows, true, 1).kind, "saved value");
  EXPECT_EQ(row(rows, false, 1).kind, "gradient");
  EXPECT_EQ(row(rows, false, 1).partner, at(*g, "primals_2"));
  EXPECT_EQ(row(rows, false, 2).kind, "no gradient");
  EXPECT_EQ(g->phases[at(*g, "mul")], ir::Phase::Backward);
}

TEST(Phases, FollowTheMembershipRule) {
  const auto g = load(kJoint);
  EXPECT_EQ(g->phases[at(*g, "mm")], ir::Phase::Forward);
  EXPECT_EQ(g->phases[at(*g, "relu")], ir::Phase::Forward);
  EXPECT_EQ(g->phases[at(*g, "le")], ir::Phase::Either);
  EXPECT_EQ(g->phases[at(*g, "full")], ir::Phase::Either);
  EXPECT_EQ(g->phases[at(*g, "where")], ir::Phase::Backward);
  EXPECT_EQ(g->phases[at(*g, "mm_2")], ir::Phase::Backward);
  EXPECT_EQ(g->phases[at(*g, "tangents_1")], ir::Phase::Backward);
  EXPECT_EQ(g->phases[at(*g, "primals_1")], ir::Phase::Forward);
}

TEST(Partner, GradientTangentAndTwin) {
  const auto g = load(kJoint);
  EXPECT_EQ(partnerOf(*g, at(*g, "primals_1")).node, at(*g, "mm_1"));
  EXPECT_EQ(partnerOf(*g, at(*g, "mm_1")).node, at(*g, "primals_1"));
  EXPECT_EQ(partnerOf(*g, at(*g, "tangents_1")).node, at(*g, "relu"));
  EXPECT_EQ(partnerOf(*g, at(*g, "relu")).node, at(*g, "tangents_1"));
  EXPECT_EQ(partnerOf(*g, at(*g, "where")).node, at(*g, "relu"));  // same source line
  const Partner none = partnerOf(*g, ir::NodeId{});
  EXPECT_FALSE(none.node);
  EXPECT_NE(none.why, "");
}

/// Every case of the reference data against the answers of PyTorch's own queries, kept beside each case.
TEST(IoRows, AgreeWithPyTorchsQueries) {
  const char* shared = std::getenv("DESCRY_SHARED");
  if (!shared) return;  // the reference data lies outside of this repository
  namespace fs = std::filesystem;
  int cases = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(shared) / "corpus/reference")) {
    std::ifstream queries(entry.path() / "queries.txt");
    if (!queries || !fs::exists(entry.path() / "joint.txt")) continue;
    std::vector<std::string> want[2];
    int section = -1;
    for (std::string line; std::getline(queries, line);) {
      if (line.empty() || line[0] != ' ') {
        section = line.rfind("get_all_input_and_grad_nodes: ", 0) == 0       ? 0
                  : line.rfind("get_all_output_and_tangent_nodes: ", 0) == 0 ? 1
                                                                             : -1;
        if (line.find("Error") != std::string::npos) section = -1;
      } else if (section >= 0) {
        want[section].push_back(line.substr(4));
      }
    }
    if (want[0].empty()) continue;
    ++cases;
    auto document = Document::open((entry.path() / "joint.txt").string());
    ASSERT_TRUE(document.ok()) << entry.path();
    auto graph = (*document)->graph("");
    ASSERT_TRUE(graph.ok()) << entry.path();
    std::vector<std::string> got[2];
    for (const IoRow& r : ioRows(**graph)) {
      // PyTorch prints no declaration for inputs that are Python numbers: their descriptors are not in the
      // text.
      if (r.input && r.descriptor.empty())
        std::erase_if(want[0], [&](const std::string& w) {
          return w.find("-> (" + r.name + ",") != std::string::npos;
        });
      auto d = ir::Descriptor::parse(r.descriptor);
      if (!d.ok() || !d->isDifferentiable()) continue;
      got[r.input ? 0 : 1].push_back(r.descriptor + " -> (" + r.name + ", " +
                                     (r.gradOrTangent.empty() ? "None" : r.gradOrTangent) + ")");
    }
    for (int side : {0, 1}) {
      std::sort(want[side].begin(), want[side].end());
      std::sort(got[side].begin(), got[side].end());
      EXPECT_EQ(got[side], want[side]) << entry.path();
    }
  }
  EXPECT_GE(cases, 30);
}

std::string rowText(const IoRow& r) {
  return r.name + " | " + r.kind + " | " + r.words + (r.origin == Origin::Recorded ? "" : " (inferred)");
}

TEST(IoRows, OneRowForEachReturnedValue) {
  const auto dict = load(
      "class A(torch.nn.Module):\n    def forward(self, x):\n        a = torch.relu(x)\n"
      "        return {'o': a, 'p': [a, x], 'n': None}\n");
  std::vector<IoRow> rows = ioRows(*dict);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rowText(rows[1]), "a | output | output 0: ['o'] of what is returned (inferred)");
  EXPECT_EQ(rowText(rows[3]), "x | output | output 2: ['p'][1] of what is returned (inferred)");
  EXPECT_EQ(rows[3].node, at(*dict, "x"));
  EXPECT_EQ(rowText(rows[4]), "None | constant | a constant: ['n'] of what is returned (inferred)");
  EXPECT_EQ(outputCount(*dict->graph), 4u);

  const auto nested = load(
      "class A(torch.nn.Module):\n    def forward(self, x, y):\n        a = x + y\n        b = x * y\n"
      "        return ((a,), (b, [x, None]))\n");
  rows = ioRows(*nested);
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rowText(rows[2]), "a | output | output 0: [0][0] of what is returned (inferred)");
  EXPECT_EQ(row(rows, false, 2).name, "x");
  EXPECT_EQ(outputCount(*nested->graph), 4u);
  // A node that is returned deep inside knows it.
  bool told = false;
  for (const FactRow& f : nodeFacts(*nested, at(*nested, "b"))) told = told || f.label == "output 1";
  EXPECT_TRUE(told);
}

TEST(IoRows, ADescriptorOfAnUnknownClassIsShownAsItIs) {
  const auto g = load(
      "class joint_helper(torch.nn.Module):\n    def forward(\n        self,\n"
      "        primals_1: \"f32[2]\",  # PlainAOTInput(idx=0)\n"
      "        w: \"f32[2]\",  # NewThingAOTInput(idx=0, q=[1])\n"
      "        tangents_1: \"f32[2]\",  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n    ):\n"
      "        mul: \"f32[2]\" = torch.ops.aten.mul.Tensor(primals_1, w)\n        return (\n"
      "            mul,  # PlainAOTOutput(idx=0)\n            tangents_1,  # NewThingAOTOutput(z=2)\n        "
      ")\n");
  const std::vector<IoRow> rows = ioRows(*g);
  EXPECT_EQ(rowText(row(rows, true, 1)), "w | unknown | NewThingAOTInput(idx=0, q=[1])");
  EXPECT_EQ(rowText(row(rows, false, 1)), "tangents_1 | unknown | NewThingAOTOutput(z=2)");
}

TEST(IoRows, ExportedProgramsSayWhatTheirInputsAre) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("descry_ep_" + std::to_string(getpid()) + ".txt");
  std::ofstream(path) << R"(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_lin_weight: "f32[2]", b_bn_mean: "f32[2]", x: "f32[s0, 2]"):
            add: "f32[2]" = torch.ops.aten.add.Tensor(x, p_lin_weight);  x = p_lin_weight = None
            mul: "f32[2]" = torch.ops.aten.mul.Tensor(b_bn_mean, 2);  b_bn_mean = None
            return (mul, add, None)

Graph signature:
    # inputs
    p_lin_weight: PARAMETER target='lin.weight'
    b_bn_mean: BUFFER target='bn.mean' persistent=False
    input: USER_INPUT

    # outputs
    mul: BUFFER_MUTATION target='bn.mean'
    add: USER_OUTPUT
    : USER_OUTPUT

Range constraints: {s0: VR[2, int_oo]}
)";
  auto document = Document::open(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(document.ok());
  auto graph = (*document)->graph("");
  ASSERT_TRUE(graph.ok());
  const std::vector<IoRow> rows = ioRows(**graph);
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rowText(rows[0]), "p_lin_weight | parameter | parameter lin.weight");
  EXPECT_EQ(rows[0].path, "lin.weight");
  EXPECT_EQ(rows[0].descriptor, "PARAMETER target='lin.weight'");
  EXPECT_EQ(rowText(rows[1]), "b_bn_mean | buffer | buffer bn.mean, not in the state dict");
  EXPECT_EQ(rowText(rows[2]), "x | argument | argument 0");
  EXPECT_EQ(rowText(rows[3]),
            "mul | input mutation | new value of buffer bn.mean, written back after the call");
  EXPECT_EQ(rowText(rows[4]), "add | output | output 0");
  EXPECT_EQ(rowText(rows[5]), "None | output | output 1");
}

TEST(IoRows, TheSignatureOfPyTorch21) {
  const auto signature = importers::findExportSignature(
      "Graph signature: ExportGraphSignature(parameters=['a.w'], buffers=['b'], user_inputs=['arg2_1'], "
      "user_outputs=['add'], inputs_to_parameters={'arg0_1': 'a.w'}, inputs_to_buffers={'arg1_1': 'b'}, "
      "buffers_to_mutate={'mul': 'b'}, backward_signature=None, assertion_dep_token=None)\n"
      "Range constraints: {s0: RangeConstraint(min_val=2, max_val=9223372036854775806)}\n");
  ASSERT_TRUE(signature);
  ASSERT_EQ(signature->inputs.size(), 3u);
  EXPECT_EQ(signature->inputs[1].name + " " + signature->inputs[1].text, "arg1_1 BUFFER target='b'");
  ASSERT_EQ(signature->outputs.size(), 2u);
  EXPECT_EQ(signature->outputs[0].text, "BUFFER_MUTATION target='b'");
  ASSERT_EQ(signature->ranges.size(), 1u);
  EXPECT_EQ(signature->ranges[0].second, "RangeConstraint(min_val=2, max_val=9223372036854775806)");
  EXPECT_FALSE(importers::findExportSignature("nothing of that kind\n"));
}

}  // namespace
}  // namespace descry::session
