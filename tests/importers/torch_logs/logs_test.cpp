#include <sstream>

#include "tests/importers/support.h"

namespace descry::importers::test {
namespace {

/// The message as PyTorch prints it: the prefix in front of every line.
std::string prefixed(const std::string& prefix, const std::string& text) {
  std::string out, line;
  std::istringstream in(text);
  while (std::getline(in, line)) out += prefix + line + "\n";
  return out;
}

std::string message(const std::string& title, const std::string& className = "GraphModule") {
  return "TRACED GRAPH\n ===== " + title + " =====\n torch/fx/_lazy_graph_module.py class " + className +
         "(torch.nn.Module):\n    def forward(self, primals_1: \"f32[2][1]cpu\"):\n"
         "        # File: m.py:3 in f, code: return x.sin()\n"
         "        sin: \"f32[2][1]cpu\" = torch.ops.aten.sin.default(primals_1);  primals_1 = None\n        "
         "return (sin,)\n\n\n";
}

std::string shortPrefix(const std::string& id, const std::string& artifact, int line = 1844,
                        int pid = 10379) {
  return "I1129 14:07:36.811000 " + std::to_string(pid) + " torch/_functorch/x.py:" + std::to_string(line) +
         "] [" + id + "] [__" + artifact + "] ";
}

TEST(TorchLogs, KindsAndIds) {
  const Folder folder;
  const auto input = openText(
      folder, prefixed(shortPrefix("0/0", "graph_code", 1), message("__compiled_fn_1_76f2b245")) +
                  prefixed(shortPrefix("0/0_1", "aot_joint_graph", 2), message("Joint graph 0", "inner_f")) +
                  prefixed(shortPrefix("0/0_1", "aot_graphs", 3), message("Forward graph 0")) +
                  prefixed(shortPrefix("0/0_1", "aot_graphs", 4), message("Backward graph 0")) +
                  prefixed(shortPrefix("1/0", "aot_graphs", 3), message("Forward graph 1")) +
                  prefixed(shortPrefix("!0", "compiled_autograd", 5), message("Compiled autograd graph")) +
                  prefixed(shortPrefix("1/0", "post_grad_graphs", 6), message("AFTER POST GRAD")) +
                  prefixed(shortPrefix("1/0", "recompiles", 7),
                           "Recompiling function f in m.py:3\n    triggered by the following guard "
                           "failure(s):\n    - 0/0: x"));
  EXPECT_EQ(input->format(), "torch-logs");
  EXPECT_EQ(graphIds(*input),
            (std::vector<std::string>{"0/0:dynamo", "0/0_1:joint", "0/0_1:forward", "0/0_1:backward",
                                      "1/0:inference", "!0:compiled_autograd", "1/0:after_post_grad"}));
  EXPECT_EQ(input->graphs()[4].kind, "aot_inference_graph");
  EXPECT_EQ(input->graphs()[4].title, "Forward graph 1");
  EXPECT_EQ(input->graphs()[1].attempt, 1);
  for (size_t i = 0; i < input->graphs().size(); ++i) EXPECT_EQ(loadClean(*input, i)->root().size(), 3u);
  ASSERT_TRUE(tableOf(*input, "recompiles"));
  EXPECT_EQ(input->records().back().kind, "recompiles");
}

TEST(TorchLogs, PlacesAreThoseOfTheFile) {
  const Folder folder;
  const std::string log =
      "some stderr\n" + prefixed(shortPrefix("0/0", "aot_graphs"), message("Forward graph 0"));
  const auto input = openText(folder, log);
  const auto module = loadClean(*input, 0);
  const ir::Node& sin = module->root().node(module->root().find("sin"));
  EXPECT_EQ(sin.line, 7u);
  EXPECT_EQ(sin.column, shortPrefix("0/0", "aot_graphs").size() + 9);
}

TEST(TorchLogs, InterleavedRanks) {
  const Folder folder;
  std::string log;
  std::istringstream a(
      prefixed("[rank0]:" + shortPrefix("0/0", "aot_graphs", 3, 1), message("Forward graph 0"))),
      b(prefixed("[rank1]:" + shortPrefix("0/0", "aot_graphs", 3, 2), message("Forward graph 0")));
  std::string x, y;
  while (std::getline(a, x) && std::getline(b, y)) log += x + "\n" + y + "\n";
  const auto input = openText(folder, log);
  EXPECT_EQ(graphIds(*input), (std::vector<std::string>{"rank0:0/0:inference", "rank1:0/0:inference"}));
  loadClean(*input, 0);
  EXPECT_EQ(loadClean(*input, 1)->root().size(), 3u);
}

TEST(TorchLogs, LongPrefixOnEachLineAndOnFirstLinesOnly) {
  const Folder folder;
  const std::string prefix =
      "[2023-10-11 12:13:14,567] [0/0] torch._functorch.aot_autograd.__aot_graphs: [INFO] ";
  const auto each = openText(folder, prefixed(prefix, message("Forward graph 0")), "each.log");
  EXPECT_EQ(graphIds(*each), (std::vector<std::string>{"0/0:inference"}));
  loadClean(*each, 0);
  const auto first = openText(
      folder, prefix + message("Forward graph 0") + prefix + message("Backward graph 0"), "first.log");
  EXPECT_EQ(graphIds(*first), (std::vector<std::string>{"0/0:forward", "0/0:backward"}));
  loadClean(*first, 1);
}

TEST(TorchLogs, BasicPrefix) {
  const Folder folder;
  const auto input =
      openText(folder, "DEBUG:torch._dynamo.output_graph.__graph_code:" + message("__compiled_fn_1_ab") +
                           "INFO:torch._functorch.aot_autograd.__aot_graphs:" + message("Forward graph 0"));
  EXPECT_EQ(graphIds(*input), (std::vector<std::string>{"dynamo", "inference"}));
  loadClean(*input, 0);
  loadClean(*input, 1);
}

TEST(TorchLogs, NoPrefixAtAll) {
  const Folder folder;
  const auto input =
      openText(folder, "hello\n" + message("Joint graph 3") + "between\n" + message("Forward graph 3"));
  EXPECT_EQ(graphIds(*input), (std::vector<std::string>{"joint", "forward"}));
}

TEST(TorchLogs, ColoursAndCrLf) {
  const Folder folder;
  std::string text = message("Forward graph 0");
  const std::string plain = "\"f32[2][1]cpu\"";
  for (size_t at; (at = text.find(plain)) != std::string::npos;)
    text.replace(
        at, plain.size(),
        "\"\x1b[31mf32\x1b[0m\x1b[34m[2]\x1b[0m\x1b[2m\x1b[34m[1]\x1b[0m\x1b[2m\x1b[32mcpu\x1b[0m\"");
  std::string log = prefixed(shortPrefix("0/0", "aot_graphs"), text);
  for (size_t at = 0; (at = log.find('\n', at)) != std::string::npos; at += 2) log.replace(at, 1, "\r\n");
  const auto input = openText(folder, log);
  const auto module = loadClean(*input, 0);
  EXPECT_EQ(module->root().type(module->root().find("sin")).text, "f32[2][1]cpu");
}

TEST(TorchLogs, DdpSplitGraphsInPercentForm) {
  const Folder folder;
  const auto input = openText(
      folder,
      prefixed(
          "[rank0]:" + shortPrefix("4/0", "ddp_graphs"),
          "\n---orig graph---\ngraph():\n    %l_x_ : torch.Tensor [num_users=1] = placeholder[target=L_x_]\n"
          "    %relu : [num_users=1] = call_method[target=relu](args = (%l_x_,), kwargs = {})\n    return "
          "(relu,)\n\n"
          "---submod_0 graph---\ngraph():\n    %l_x_ : torch.Tensor [num_users=1] = "
          "placeholder[target=l_x_]\n    return l_x_\n\n---------------\n"));
  EXPECT_EQ(graphIds(*input), (std::vector<std::string>{"4/0:ddp_graphs", "4/0:optimize_ddp_split_child"}));
  EXPECT_EQ(loadClean(*input, 0)->root().size(), 3u);
  EXPECT_EQ(input->graphs()[0].title, "orig graph");
}

TEST(TorchLogs, LoopBodiesOfIrDumpsAreNoGraphs) {
  const Folder folder;
  const auto input =
      openText(folder, prefixed(shortPrefix("0/0", "ir_pre_fusion"),
                                "op0: SchedulerNode(ComputedBuffer)\nclass op0_loop_body:\n    var_ranges = "
                                "{p0: 8}\n    def body(self, ops):\n        return ops\n"));
  EXPECT_TRUE(input->graphs().empty());
  EXPECT_EQ(input->records().size(), 1u);
}

TEST(TorchLogs, OneBrokenGraphOfForty) {
  const Folder folder;
  std::string log;
  for (int i = 0; i < 40; ++i) {
    std::string text = message("Forward graph " + std::to_string(i));
    if (i == 2) text.replace(text.find("aten.sin.default("), 17, "aten.sin.default((((");
    log += prefixed(shortPrefix("0/" + std::to_string(i), "aot_graphs"), text);
  }
  const auto input = openText(folder, log);
  ASSERT_EQ(input->graphs().size(), 40u);
  for (size_t i = 0; i < 40; ++i) {
    ir::DiagnosticSink sink;
    const auto module = input->load(i, sink);
    ASSERT_TRUE(module.ok());
    EXPECT_EQ(sink.errors() + sink.warnings() > 0, i == 2) << i;
  }
}

// PyTorch 2.0 to 2.2 print the header of the table right behind the path of the code.
TEST(TorchLogs, TableBehindThePathOfTheCode) {
  const Folder folder;
  const auto input = openText(
      folder,
      prefixed(shortPrefix("0/0", "graph"),
               "TRACED GRAPH\n ===== __compiled_fn_1 =====\n"
               " <eval_with_key>.0 opcode         name    target                   args       kwargs\n"
               "-------------  ------  -----------------------  ---------  --------\n"
               "placeholder    l_x_    L_x_                     ()         {}\n"
               "call_function  add     <built-in function add>  (l_x_, 1)  {}\n"
               "output         output  output                   ((add,),)  {}\n"));
  EXPECT_EQ(graphIds(*input), (std::vector<std::string>{"0/0:dynamo"}));
  EXPECT_EQ(input->graphs()[0].title, "__compiled_fn_1");
  const auto module = loadClean(*input, 0);
  EXPECT_EQ(module->root().size(), 3u);
  EXPECT_EQ(module->root().target(module->root().find("add")), "operator.add");
  const auto named = openText(
      folder,
      prefixed(
          shortPrefix("0/0", "graph"),
          "TRACED GRAPH\n __compiled_fn_7 <eval_with_key>.0 opcode         name    target  args  kwargs\n"
          "-----------  ------  ------  -------  ------\n"
          "placeholder  x       x       ()       {}\n"
          "output       output  output  ((x,),)  {}\n"),
      "named.log");
  ASSERT_EQ(named->graphs().size(), 1u);
  EXPECT_EQ(named->graphs()[0].title, "__compiled_fn_7");
}

}  // namespace
}  // namespace descry::importers::test
