#include "importers/fx_percent/fx_percent.h"

#include "tests/importers/support.h"

namespace descry::importers::test {
namespace {

// Printed by graph.print_tabular() of PyTorch 1.13 and 2.15.
const char* const kTable =
    "opcode         name     target                                                  args               "
    "kwargs\n"
    "-------------  -------  ------------------------------------------------------  -----------------  "
    "--------------\n"
    "placeholder    x        x                                                       ()                 {}\n"
    "get_attr       weight   fc.weight                                               ()                 {}\n"
    "call_function  add      <built-in function add>                                 (x, 1)             {}\n"
    "call_function  sin      <built-in method sin of type object at 0x7f10>          (add,)             {}\n"
    "call_function  conv     aten.conv2d.default                                     (sin, None, [1, 1])  "
    "{'dim': -1}\n"
    "call_method    relu     relu                                                    (conv,)            {}\n"
    "output         output   output                                                  ((relu, add),)     {}\n";

TEST(Tabular, RowsAndTargets) {
  ir::DiagnosticSink sink;
  const auto module = parseTabularText(kTable, {}, sink);
  EXPECT_TRUE(sink.all().empty());
  const ir::Graph& g = module->root();
  EXPECT_EQ(g.size(), 7u);
  EXPECT_EQ(g.target(g.find("add")), "operator.add");
  EXPECT_EQ(g.target(g.find("sin")), "torch.sin");
  EXPECT_EQ(g.target(g.find("conv")), "torch.ops.aten.conv2d.default");
  EXPECT_EQ(g.arg(g.find("add"), 0).node(), g.find("x"));
  EXPECT_EQ(g.arg(g.find("conv"), 2).size(), 2u);
  ASSERT_TRUE(g.kwargIf(g.find("conv"), "dim"));
  EXPECT_EQ(g.kwargIf(g.find("conv"), "dim")->integer(), -1);
  EXPECT_EQ(g.outputs().size(), 2u);
}

TEST(Tabular, FoundInAFile) {
  const Folder folder;
  const auto input = openText(folder, std::string("before\n") + kTable + "\nafter\n", "t.txt");
  ASSERT_EQ(input->graphs().size(), 1u);
  EXPECT_EQ(input->format(), "fx-tabular");
  const auto module = loadClean(*input, 0);
  EXPECT_EQ(module->root().node(module->root().find("add")).line, 6u);
}

TEST(Tabular, DevicesAreOneWord) {
  ir::DiagnosticSink sink;
  const auto module = parseTabularText(
      "opcode         name    target              args    kwargs\n"
      "-------------  ------  ------------------  ------  "
      "---------------------------------------------------\n"
      "call_function  zeros   aten.zeros.default  ([2],)  {'device': device(type='cuda', index=1), "
      "'pin_memory': "
      "False}\n"
      "output         output  output              (zeros,)  {}\n",
      {}, sink);
  const ir::Graph& g = module->root();
  const ir::NodeId zeros = g.find("zeros");
  ASSERT_TRUE(g.kwargIf(zeros, "device"));
  EXPECT_EQ(g.kwargIf(zeros, "device")->kind(), ir::ValueKind::Device);
  EXPECT_EQ(g.kwargIf(zeros, "device")->text(), "cuda:1");
  EXPECT_EQ(g.node(zeros).kwargCount, 2u);
}

}  // namespace
}  // namespace descry::importers::test
