#include "importers/fx_percent/fx_percent.h"

#include "ir/text/printer.h"
#include "tests/importers/support.h"

namespace descry::importers::test {
namespace {

using ir::ValueKind;

struct Parsed {
  std::shared_ptr<ir::Module> module;
  ir::DiagnosticSink sink;
};

Parsed parse(const std::string& text) {
  Parsed p;
  p.module = parsePercentText(text, {}, p.sink);
  return p;
}

TEST(Percent, GraphOfSplitDdp) {
  const Parsed p = parse(
      "graph():\n    %l_x_ : torch.Tensor [num_users=2] = placeholder[target=L_x_]\n"
      "    %y : [num_users=0] = placeholder[target=y](default=3)\n"
      "    %w : [num_users=1] = get_attr[target=fc.weight]\n"
      "    %linear : [num_users=1] = call_function[target=torch._C._nn.linear](args = (%l_x_, %w), kwargs = "
      "{})\n"
      "    %relu : [num_users=1] = call_method[target=relu](args = (%linear,), kwargs = {inplace: True, dim: "
      "-1})\n"
      "    %sub : [num_users=1] = call_module[target=submod_0](args = (%relu, [%l_x_, 1.5, None]), kwargs = "
      "{})\n"
      "    return (sub,)\n");
  EXPECT_TRUE(p.sink.all().empty());
  const ir::Graph& g = p.module->root();
  EXPECT_EQ(g.size(), 7u);
  EXPECT_EQ(g.type(g.find("l_x_")).text, "torch.Tensor");
  EXPECT_EQ(g.target(g.find("l_x_")), "L_x_");
  EXPECT_EQ(g.arg(g.find("y"), 0).integer(), 3);
  EXPECT_EQ(g.node(g.find("w")).op, ir::OpKind::GetAttr);
  const ir::NodeId relu = g.find("relu");
  EXPECT_EQ(g.node(relu).op, ir::OpKind::CallMethod);
  EXPECT_EQ(g.kwargIf(relu, "dim")->integer(), -1);
  EXPECT_TRUE(g.kwargIf(relu, "inplace")->boolean());
  const ir::ArgView list = g.arg(g.find("sub"), 1);
  ASSERT_EQ(list.kind(), ValueKind::List);
  EXPECT_EQ(list[0].node(), g.find("l_x_"));
  EXPECT_EQ(list[1].real(), 1.5);
  EXPECT_EQ(list[2].kind(), ValueKind::None);
  EXPECT_EQ(g.outputs().size(), 1u);
}

TEST(Percent, BareWords) {
  const Parsed p = parse(
      "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
      "    %f : [num_users=1] = call_function[target=foo.bar](args = (%x, avg, cuda:0, torch.float32, "
      "torch.strided, torch.channels_last, "
      "inf, -inf, slice(None, x, 2), (1,), (), Ellipsis, torch.ops.aten.add.Tensor, bhwc,hkc->bhwk, "
      "12345678901234567890), kwargs = {})\n"
      "    return f\n");
  const ir::Graph& g = p.module->root();
  const ir::NodeId f = g.find("f");
  const std::vector<ValueKind> kinds{
      ValueKind::NodeRef,      ValueKind::Str,      ValueKind::Device, ValueKind::Dtype, ValueKind::Layout,
      ValueKind::MemoryFormat, ValueKind::Float,    ValueKind::Float,  ValueKind::Slice, ValueKind::Tuple,
      ValueKind::Tuple,        ValueKind::Ellipsis, ValueKind::OpRef,  ValueKind::Str,   ValueKind::BigInt};
  ASSERT_EQ(g.argCount(f), kinds.size());
  for (uint32_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(g.arg(f, i).kind(), kinds[i]) << i;
  EXPECT_EQ(g.arg(f, 8)[1].node(), g.find("x"));
  EXPECT_EQ(g.arg(f, 9).size(), 1u);
}

TEST(Percent, FragmentOfGeneratedCode) {
  const std::string code =
      "# Topologically Sorted Source Nodes: [mul], Original ATen: [aten.mul]\n# Graph fragment:\n"
      "#   %mm : Tensor \"f16[1024, 1024][1024, 1]cuda:0\" = PlaceHolder[target=mm]\n"
      "#   %buf14 : Tensor  = PlaceHolder[target=buf14]\n"
      "#   %mul : Tensor \"f32[8, 16][16, 1]cuda:0\"[num_users=1] = "
      "call_function[target=torch.ops.aten.mul.Tensor](args = (%mm, %elsewhere), kwargs = {})\n"
      "#   return %mul,%mm\n"
      "triton_poi_fused_mul_0 = async_compile.triton('triton_poi_fused_mul_0', '''\n";
  const std::vector<PercentRegion> regions = findPercentRegions(code);
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].title, "triton_poi_fused_mul_0");
  const Folder folder;
  const auto input = openText(folder, code, "output_code.py");
  EXPECT_EQ(input->format(), "fx-percent");
  ir::DiagnosticSink sink;
  const auto module = *input->load(0, sink);
  EXPECT_TRUE(sink.all().empty());
  const ir::Graph& g = module->root();
  EXPECT_EQ(g.type(g.find("mul")).text, "f32[8, 16][16, 1]cuda:0");
  EXPECT_EQ(g.type(g.find("mm")).text, "f16[1024, 1024][1024, 1]cuda:0");
  EXPECT_EQ(g.type(g.find("buf14")).text, "");
  EXPECT_TRUE(g.node(g.find("elsewhere")).flags & ir::kNodeExternal);
  EXPECT_EQ(g.outputs().size(), 2u);
  EXPECT_EQ(g.node(g.find("mul")).line, 5u);
}

TEST(Percent, OldForms) {
  const Parsed p = parse(
      "graph(x, y):\n    %add_1 : [#users=1] = call_function[target=<built-in function add>](args = (%x, "
      "%y), kwargs = {})\n    return add_1\n");
  const ir::Graph& g = p.module->root();
  EXPECT_TRUE(p.sink.all().empty());
  EXPECT_EQ(g.placeholders().size(), 2u);
  EXPECT_EQ(g.target(g.find("add_1")), "operator.add");
}

TEST(Percent, StringsWithCommasAndListsThatWereCut) {
  ir::DiagnosticSink sink;
  const auto module = parsePercentText(
      "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
      "    %e : [num_users=1] = call_function[target=torch.functional.einsum](args = (bhwc,hkc->bhwk, %x, "
      "%x), "
      "kwargs = {})\n"
      "    %s : [num_users=1] = call_function[target=torch.stack](args = ([%e, %e, ...[total_len=37]],), "
      "kwargs = "
      "{})\n"
      "    %r : [num_users=1] = call_function[target=torch.ops.aten.sum.default](args = (%s, a, b), kwargs = "
      "{})\n"
      "    return (r,)\n",
      {}, sink);
  EXPECT_TRUE(sink.all().empty()) << sink.all()[0].text();
  const ir::Graph& g = module->root();
  EXPECT_EQ(ir::printExpression(g, g.find("e")), "torch.functional.einsum('bhwc,hkc->bhwk', x, x)");
  // A count that the op does not take: the text is kept.
  ASSERT_TRUE(g.meta(g.find("r")));
  EXPECT_EQ(g.meta(g.find("r"))->front().value, "(args = (%s, a, b), kwargs = {})");
  EXPECT_FALSE(g.meta(g.find("e")));
  // What is printed reads back.
  const std::string printed = ir::printModule(*module);
  ir::DiagnosticSink again;
  EXPECT_EQ(ir::printModule(*parseFxText(printed, {}, again)), printed);
  EXPECT_TRUE(again.all().empty());
}

TEST(Percent, DamageIsReportedAndTheRestKept) {
  const Parsed p = parse(
      "graph():\n    %x : [num_users=5] = placeholder[target=x]\n    %bad line\n    %y : [num_users=1] = "
      "call_function[target=f](args = (%nope, ((%x, kwargs = {})\n"
      "    %z : [num_users=1] = call_method[target=sin](args = (%y,), kwargs = {})\n    return (z, never)\n");
  const ir::Graph& g = p.module->root();
  EXPECT_TRUE(g.find("z").valid());
  EXPECT_TRUE(g.node(g.find("nope")).flags & ir::kNodeExternal);
  EXPECT_TRUE(g.node(g.find("never")).flags & ir::kNodeExternal);
  EXPECT_TRUE(hasCode(p.sink, "syntax"));
  EXPECT_TRUE(hasCode(p.sink, "use-before-definition"));
  EXPECT_TRUE(hasCode(p.sink, "user-count"));
  EXPECT_TRUE(g.partial);
}

TEST(Percent, DeepNestingEnds) {
  const std::string deep(100000, '(');
  const Parsed p = parse("graph():\n    %y : [num_users=0] = call_function[target=f](args = (" + deep +
                         ", kwargs = {})\n    return y\n");
  EXPECT_TRUE(p.module->root().find("y").valid());
  const Parsed square =
      parse("graph():\n    %y : [num_users=0] = call_function[target=" + std::string(100000, '[') +
            "\n    return {" + deep + "\n");
  EXPECT_TRUE(square.module->root().find("y").valid());
}

TEST(Percent, SubgraphsStandElsewhere) {
  const Parsed p = parse(
      "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
      "    %submod_1 : [num_users=1] = get_attr[target=submod_1]\n"
      "    %matmul : [num_users=1] = call_function[target=torch.ops.higher_order.wrap_with_autocast](args = "
      "(cpu, "
      "torch.bfloat16, True, False, %submod_1, %x), kwargs = {})\n    return matmul\n");
  const ir::Graph& g = p.module->root();
  EXPECT_TRUE(hasCode(p.sink, "subgraphs-not-printed"));
  EXPECT_TRUE(g.subgraphsLeftOut);
  // A string by the schema, although it reads like a device.
  EXPECT_EQ(g.arg(g.find("matmul"), 0).kind(), ir::ValueKind::Str);
}

TEST(Percent, LinesThatCannotBeReadKeepTheirEdges) {
  const Parsed p = parse(
      "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
      "    %y : [num_users=1] = call_function[target=f](args = (%x,), kwargs = {})\n"
      "    %w : [num_users=1] = call_funct[target=g](args = (%y,), kwargs = {})\n    return (y,)\n");
  const ir::Graph& g = p.module->root();
  EXPECT_EQ(g.inputs(g.find("w")), std::vector<ir::NodeId>{g.find("y")});
}

TEST(Percent, WordsOfPythonAreNoNames) {
  const Parsed p = parse(
      "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
      "    %def : [num_users=1] = call_function[target=f](args = (%x,), kwargs = {})\n    return (def,)\n");
  EXPECT_TRUE(hasCode(p.sink, "reserved-name"));
  EXPECT_FALSE(p.module->root().find("def").valid());
  EXPECT_TRUE(p.module->root().find("def_1").valid());
}

TEST(Percent, LinesInsideAModuleAreNoGraph) {
  const std::string text =
      "class G(torch.nn.Module):\n    def forward(self, x):\n        z = f(x)\n"
      "        %w : [num_users=1] = call_function[target=g](args = (%z,), kwargs = {})\n        return "
      "(z,)\n";
  const Folder folder;
  const auto input = openText(folder, text, "g.txt");
  ASSERT_TRUE(input);
  EXPECT_EQ(input->format(), "fx-text");
}

}  // namespace
}  // namespace descry::importers::test
