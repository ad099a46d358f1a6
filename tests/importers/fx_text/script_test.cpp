// What stands around the classes of a script, and the files beside it.
#include "tests/importers/support.h"

#include "importers/fx_text/script.h"

namespace descry::importers::test {
namespace {

const std::string kSubgraph =
    "class Branch(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "    def forward(self, a):\n        return (torch.ops.aten.sin.default(a),)\n\n";
const std::string kRepro =
    "class Repro(torch.nn.Module):\n    def __init__(self) -> None:\n        super().__init__()\n"
    "        self.score = <lambda>()\n        self.true_graph_0 = Branch()\n"
    "        self.lin = Linear(in_features=2, out_features=2, bias=True).cuda()\n\n"
    "    def forward(self, arg0_1, arg1_1 : torch.Tensor, arg2_1):\n"
    "        true_graph_0 = self.true_graph_0\n"
    "        c = torch.ops.higher_order.cond(arg1_1, true_graph_0, self.score, (arg0_1,))\n"
    "        return (c,)\n\n";

std::string typeOf(const ir::Module& module, std::string_view name) {
  const ir::Graph& g = module.root();
  const ir::NodeId id = g.find(name);
  return id.valid() ? std::string(g.type(id).text) : "no such node";
}

TEST(Script, LoadArgsGiveTheTypes) {
  const Folder folder;
  const auto input = openText(
      folder,
      "import torch\n" + kSubgraph + kRepro +
          "def load_args(reader):\n"
          "    buf0 = reader.storage(None, 4194304, device=device(type='cuda', index=0), "
          "dtype_hint=torch.float16)\n"
          "    reader.tensor(buf0, (4, 3), is_leaf=True)  # arg0_1\n    buf1 = reader.storage('abc', 4)\n"
          "    reader.symint(4)  # arg2_1\n"
          "    reader.tensor(buf1, (2, 2), (1, 2), dtype=torch.int64, requires_grad=True)  # arg1_1\n"
          "load_args._version = 0\n",
      "repro.py");
  ASSERT_TRUE(input);
  ASSERT_EQ(input->graphs().size(), 1u);  // the subgraph is part of it
  ir::DiagnosticSink sink;
  const auto module = *input->load(0, sink);
  EXPECT_EQ(module->root().style.className, "Repro");
  EXPECT_EQ(typeOf(*module, "arg0_1"), "f16[4, 3][3, 1]cuda:0");
  EXPECT_EQ(typeOf(*module, "arg1_1"), "i64[2, 2][1, 2]cpu");
  EXPECT_EQ(typeOf(*module, "arg2_1"), "Sym(4)");
  const ir::Graph* branch = module->child(module->root(), "true_graph_0");
  ASSERT_TRUE(branch);
  EXPECT_TRUE(branch->find("sin").valid());
  EXPECT_TRUE(hasCode(sink, "missing-subgraph"));
}

TEST(Script, ArgsInOrderGiveTheTypes) {
  const Folder folder;
  const auto input = openText(folder,
                              "class Repro(torch.nn.Module):\n    def forward(self, a, b):\n"
                              "        return (a, b)\n"
                              "args = [((256, 2), (2, 1), torch.float32, 'cuda'),\n"
                              "        ((3,), (1,), torch.bool, 'cpu')]\n"
                              "args = [rand_strided(sh, st, dt, dev) for (sh, st, dt, dev) in args]\n",
                              "repro.py");
  ASSERT_TRUE(input);
  const auto module = loadClean(*input, 0);
  EXPECT_EQ(typeOf(*module, "a"), "f32[256, 2][2, 1]cuda");
  EXPECT_EQ(typeOf(*module, "b"), "b8[3][1]cpu");
}

TEST(Script, TheTreeOfPrintLabelsModules) {
  const Folder folder;
  const auto input = openText(
      folder,
      "GraphModule(\n  (lin): Linear(in_features=4, out_features=5, bias=True)\n  (seq): Sequential(\n"
      "    (0-1): 2 x ReLU()\n  )\n)\n\n\n\ndef forward(self, x):\n    lin = self.lin(x);  x = None\n"
      "    seq_1 = getattr(self.seq, \"1\")(lin);  lin = None\n    return seq_1\n    \n",
      "gm.txt");
  ASSERT_TRUE(input);
  const auto module = loadClean(*input, 0);
  const ir::Graph& g = module->root();
  ASSERT_TRUE(g.meta(g.find("lin")));
  EXPECT_EQ(g.meta(g.find("lin"))->front().value, "Linear(in_features=4, out_features=5, bias=True)");
  ASSERT_TRUE(g.meta(g.find("seq_1")));
  EXPECT_EQ(g.meta(g.find("seq_1"))->front().value, "ReLU()");
}

TEST(Script, GraphNetMetadataGivesTheTypes) {
  const Folder folder;
  folder.write("m/model.py",
               "import torch\n\nclass GraphModule(torch.nn.Module):\n    def forward(\n        self,\n"
               "        L_w_: torch.nn.parameter.Parameter,\n        s0: torch.SymInt,\n"
               "        L_x_: torch.Tensor,\n    ):\n        y = L_x_ @ L_w_\n        return (y,)\n");
  folder.write(
      "m/weight_meta.py",
      "class Program_weight_tensor_meta_L_w_:\n    name = \"L_w_\"\n    shape = [\n        2,\n        3,\n"
      "    ]\n    dtype = \"torch.bfloat16\"\n    device = \"cuda:0\"\n    mean = 0.0\n    data = None\n");
  folder.write("m/input_meta.py",
               "class Program_weight_tensor_meta_s0:\n    name = \"s0\"\n    shape = []\n"
               "    dtype = \"torch.int64\"\n    device = \"cpu\"\n    data = [4]\n"
               "class Program_weight_tensor_meta_L_x_:\n    name = \"L_x_\"\n    shape = [4, 2]\n"
               "    dtype = \"torch.float32\"\n    device = \"cpu\"\n    data = None\n");
  folder.write("m/graph_net.json", "{\"framework\": \"torch\"}\n");
  const auto input = openInput(folder.path());
  ASSERT_TRUE(input.ok());
  EXPECT_FALSE(hasCode((*input)->diagnostics(), "files-ignored"));
  const auto module = loadClean(**input, 0);
  EXPECT_EQ(typeOf(*module, "L_w_"), "bf16[2, 3]cuda:0");
  EXPECT_EQ(typeOf(*module, "L_x_"), "f32[4, 2]cpu");
  EXPECT_EQ(typeOf(*module, "s0"), "torch.SymInt");
}

TEST(Script, OtherFrameworksAreNamed) {
  const Folder folder;
  const auto input = openInput(folder.write(
      "model.py",
      "import paddle\nclass GraphModule(paddle.nn.Layer):\n    def forward(self, x):\n        return x\n"));
  ASSERT_FALSE(input.ok());
  EXPECT_EQ(input.error().code, "not-recognised");
  EXPECT_NE(input.error().message.find("Paddle"), std::string::npos);
}

TEST(Script, TextWithoutGraphsIsNotRecognised) {
  const Folder folder;
  for (const char* text : {"# Notes\n\n```python\nclass A(torch.nn.Module):\n    pass\n```\n",
                           "<p>&quot;def forward(x)&quot; is a function of class &lt;A&gt;</p>\n"}) {
    const auto input = openInput(folder.write("notes.txt", text));
    ASSERT_FALSE(input.ok()) << text;
    EXPECT_EQ(input.error().code, "not-recognised") << text;
  }
}

TEST(Script, KindOfAFileIsTheSameAloneAndInAFolder) {
  const Folder folder;
  const std::string alone = folder.write("a/joint.txt", kGraph);
  folder.write("a/other.txt", kGraph);
  const auto file = openInput(alone), both = openInput(folder.path());
  ASSERT_TRUE(file.ok() && both.ok());
  EXPECT_EQ((*file)->graphs()[0].kind, "joint");
  EXPECT_EQ((*both)->graphs()[0].kind, "joint");
  EXPECT_EQ((*both)->graphs()[1].kind, "graph");
  EXPECT_EQ((*both)->graphs()[1].title, "a/other.txt");
}

}  // namespace
}  // namespace descry::importers::test
