// The forms of FX text, one case each. Expected texts are what PyTorch prints, or Python's meaning of the
// input.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>

#include "tests/importers/fx_text/read.h"

namespace {

using namespace descry;

Read read(std::string_view text) {
  Read r;
  r.module = importers::parseFxText(text, {}, r.sink);
  return r;
}

/// A function body below a usual signature.
Read body(std::string_view lines, std::string_view parameters = "x, y") {
  std::string text =
      "class GraphModule(torch.nn.Module):\n    def forward(self, " + std::string(parameters) + "):\n";
  for (size_t from = 0; from < lines.size();) {
    const size_t end = std::min(lines.find('\n', from), lines.size());
    text += "        " + std::string(lines.substr(from, end - from)) + "\n";
    from = end + 1;
  }
  return read(text);
}

/// Canonical text must come back unchanged.
void expectFixed(const std::string& text) {
  const Read r = read(text);
  EXPECT_EQ(r.sink.errors() + r.sink.warnings(), 0u) << (r.sink.all().empty() ? "" : r.sink.all()[0].text());
  EXPECT_EQ(r.print(), text);
}

TEST(FxText, LambdaClassAndOriginInFront) {
  const Read r = read(
      "/x/torch/fx/_lazy_graph_module.py class <lambda>(torch.nn.Module):\n"
      "    def forward(self, arg0_1: \"f32[2]\"):\n        return (arg0_1,)\n");
  EXPECT_EQ(r.graph().style.className, "<lambda>");
  EXPECT_EQ(r.graph().style.origin, "/x/torch/fx/_lazy_graph_module.py");
  EXPECT_EQ(r.graph().placeholders().size(), 1u);
}

TEST(FxText, ExpandedSignatureWithDescriptors) {
  expectFixed(
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(\n"
      "        self,\n"
      "        primals_1: \"f32[16, 10][10, 1]cuda:0\",  # ParamAOTInput(target='lin.weight')\n"
      "        primals_2,  # PlainAOTInput(idx=1)\n"
      "    ):\n"
      "        # File: a.py:3 in f, code: y = w.t()\n"
      "        t: \"f32[10, 16][1, 10]cuda:0\" = torch.ops.aten.t.default(primals_1);  primals_1 = None\n"
      "        return (\n"
      "            t,  # PlainAOTOutput(idx=0)\n"
      "            None,  # None\n"
      "        )\n");
}

TEST(FxText, ExpandedJointForm) {
  const std::string text =
      "class inner_f(torch.nn.Module):\n"
      "    def forward(\n"
      "        self,\n"
      "        primals,\n"
      "        tangents,\n"
      "    ):\n"
      "        primals_1: \"f32[3][1]cpu\"  # PlainAOTInput(idx=0)\n"
      "        tangents_1: \"f32[3][1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n"
      "        primals_1, primals_2  , tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], "
      "self._in_spec)\n"
      "        # No stacktrace found for following nodes\n"
      "        sin: \"f32[3][1]cpu\" = torch.ops.aten.sin.default(primals_1)\n"
      "        cos: \"f32[3][1]cpu\" = torch.ops.aten.cos.default(primals_1);  primals_1 = None\n"
      "        mul: \"f32[3][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, cos);  tangents_1 = cos = None\n"
      "        return pytree.tree_unflatten([\n"
      "            sin,  # PlainAOTOutput(idx=0)\n"
      "            mul,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\n"
      "            None,  # None\n"
      "        ], self._out_spec)\n";
  expectFixed(text);
  const Read r = read(text);
  ASSERT_EQ(r.graph().placeholders().size(), 3u);
  EXPECT_EQ(r.graph().style.signatureNames, (std::vector<std::string>{"primals", "tangents"}));
  ASSERT_EQ(r.graph().outputDescs.size(), 3u);
  EXPECT_TRUE(r.graph().descriptor(r.graph().outputDescs[1])->isGrad());
}

TEST(FxText, CompactJointFormWithEmptyUserSignature) {
  const Read r = read(
      "class inner_f(torch.nn.Module):\n    def forward(self):\n"
      "        arg0_1: \"f32[2]\"; arg1_1: \"f32[3]\";\n        \n"
      "        arg0_1, arg1_1, = fx_pytree.tree_flatten_spec([], self._in_spec)\n"
      "        return pytree.tree_unflatten([arg0_1, arg1_1], self._out_spec)\n");
  EXPECT_EQ(r.graph().placeholders().size(), 2u);
  EXPECT_EQ(r.graph().type(r.graph().placeholders()[1]).text, "f32[3]");
  EXPECT_EQ(r.graph().outputs().size(), 2u);
  EXPECT_EQ(read(r.print()).print(), r.print());
}

TEST(FxText, PlaceholderRename) {
  const Read r = body("l_x_ = L_x_\nneg = -l_x_;  l_x_ = None\nreturn (neg,)", "L_x_ : torch.Tensor");
  ASSERT_EQ(r.graph().placeholders().size(), 1u);
  EXPECT_EQ(r.target("l_x_"), "L_x_");
  EXPECT_EQ(r.target("neg"), "operator.neg");
  EXPECT_NE(r.print().find("L_x_ : torch.Tensor"), std::string::npos);
}

TEST(FxText, LateRenameKeepsItsPlace) {
  const std::string text =
      "class GraphModule(torch.nn.Module):\n    def forward(self, input):\n"
      "        weight = self.weight\n        input_1 = input\n"
      "        linear = torch.ops.aten.linear.default(input_1, weight);  input_1 = weight = None\n"
      "        return (linear,)\n";
  expectFixed(text);
}

TEST(FxText, DeletionsAreNoNodes) {
  const Read r = body("a = torch.relu(x);  x = None\nb = torch.add(a, y);  a = y = None\nreturn (b,)");
  EXPECT_EQ(r.graph().size(), 5u);
  EXPECT_EQ(r.sink.warnings(), 0u);
}

TEST(FxText, DeletionOfTheOwnResult) {
  expectFixed(
      "class GraphModule(torch.nn.Module):\n    def forward(self, x):\n"
      "        _set_grad_enabled = torch._C._set_grad_enabled(False);  _set_grad_enabled = None\n"
      "        return (x,)\n");
}

TEST(FxText, UseAfterDeletionIsReported) {
  const Read r = body("a = torch.relu(x);  x = None\nb = torch.add(a, x)\nreturn (b,)");
  EXPECT_TRUE(r.has("deletion-mismatch"));
}

TEST(FxText, InPlaceOperatorOnOneLine) {
  expectFixed(
      "class GraphModule(torch.nn.Module):\n    def forward(self, x, y):\n"
      "        x += y;  iadd = x;  x = y = None\n        return (iadd,)\n");
}

TEST(FxText, InPlaceOperatorOnThreeLines) {
  const Read r = body("x += y\nout_54 = x\nx = y = None\nreturn (out_54,)");
  EXPECT_EQ(r.target("out_54"), "operator.iadd");
  EXPECT_EQ(r.graph().argCount(r.graph().find("out_54")), 2u);
}

TEST(FxText, InPlaceOperatorWhoseNameCarriesAType) {
  const Read r = body("x += y;  x_1: \"f32[4, 4]\" = x;  x = y = None\nreturn (x_1,)");
  EXPECT_EQ(r.graph().type(r.graph().find("x_1")).text, "f32[4, 4]");
}

TEST(FxText, InPlaceOperatorWithoutNameGetsOne) {
  const Read r = body("x += y\nreturn (x,)");
  EXPECT_EQ(r.target("iadd"), "operator.iadd");
}

TEST(FxText, SetItemKeepsBaseIndexAndValue) {
  const Read r =
      body("x[(slice(0, -8, None), slice(0, -8, None))] = 0;  setitem = x;  setitem = None\nreturn (x,)");
  const ir::NodeId id = r.graph().find("setitem");
  ASSERT_TRUE(id.valid());
  EXPECT_EQ(r.graph().target(id), "operator.setitem");
  ASSERT_EQ(r.graph().argCount(id), 3u);
  const ir::ArgView index = r.graph().arg(id, 1);
  ASSERT_EQ(index.kind(), ir::ValueKind::Tuple);
  EXPECT_EQ(index[0].kind(), ir::ValueKind::Slice);
  EXPECT_EQ(index[0][1].integer(), -8);
}

TEST(FxText, GetattrPathsWithAndWithoutCall) {
  const Read r = body(
      "a = getattr(getattr(self.a, \"0\").b, \"1\")(x)\nw = getattr(self.blocks, \"0\").attn.weight\n"
      "v = getattr(self, \"0\").weight\nreturn (a, w, v)");
  EXPECT_EQ(r.target("v"), "0.weight");
  EXPECT_NE(r.print().find("v = getattr(self, \"0\").weight"), std::string::npos);
  EXPECT_EQ(r.target("a"), "a.0.b.1");
  EXPECT_EQ(r.node("a").op, ir::OpKind::CallModule);
  EXPECT_EQ(r.target("w"), "blocks.0.attn.weight");
  EXPECT_EQ(r.node("w").op, ir::OpKind::GetAttr);
  EXPECT_NE(r.print().find("getattr(getattr(self.a, \"0\").b, \"1\")(x)"), std::string::npos);
}

TEST(FxText, ReformattedDeletionsOverSeveralLines) {
  const Read r = body(
      "l_x_ = (\n    x\n)\nz = torch.relu(l_x_)\nl_x_ = (\n    y\n) = None\nz2 = (z) = (None)\nreturn (z,)");
  EXPECT_EQ(r.sink.errors(), 0u) << r.sink.all()[0].text();
  EXPECT_EQ(r.target("l_x_"), "x");
}

TEST(FxText, StringsThatHoldPunctuation) {
  const Read r = body(
      "e = torch.functional.einsum('...qhd,...khd->...hqk', x, y)\n"
      "p = foo(\"it's # not; a (comment)\", x)\nreturn (e, p)");
  EXPECT_EQ(r.graph().arg(r.graph().find("e"), 0).text(), "...qhd,...khd->...hqk");
  EXPECT_EQ(r.graph().arg(r.graph().find("p"), 0).text(), "it's # not; a (comment)");
}

TEST(FxText, ProvenanceWithHardPathsAndUnbalancedCode) {
  const Read r = body(
      "# File: /x/aot#link-tree/a b/x.py:12 in fn, code: out, lse = f(\"(\n"
      "a = torch.relu(x)\n"
      "# File: <eval_with_key>.7:11, code: y = (\n"
      "b = torch.relu(a)\n"
      "# Backward of forward node: File: m.py:5 in g, code: z\n"
      "c = torch.relu(b)\nreturn (c,)");
  const auto source = [&](const char* n) { return r.graph().source(r.graph().find(n)); };
  const auto text = [&](ir::StrId id) { return std::string(r.graph().str(id)); };
  EXPECT_EQ(text(source("a").file), "/x/aot#link-tree/a b/x.py");
  EXPECT_EQ(source("a").line, 12u);
  EXPECT_EQ(text(source("a").function), "fn");
  EXPECT_EQ(text(source("b").file), "<eval_with_key>.7");
  EXPECT_EQ(source("b").line, 11u);
  EXPECT_TRUE(source("c").backward);
  EXPECT_EQ(source("c").line, 5u);
}

TEST(FxText, RecomputeTagsBeforeThePlace) {
  const Read r = body(
      "# ac_graph_id: 15 - PREFER_RECOMPUTE File: ops.py:1915 in block, code: h\na = torch.relu(x)\n"
      "# partitioner_tag: is_forward, seq_nr: 358 # No stacktrace found for following nodes\n"
      "b = torch.relu(a)\nreturn (b,)");
  EXPECT_EQ(r.graph().str(r.graph().source(r.graph().find("a")).tags), "ac_graph_id: 15 - PREFER_RECOMPUTE");
  EXPECT_TRUE(r.graph().source(r.graph().find("b")).noStackTrace);
  EXPECT_EQ(r.graph().str(r.graph().source(r.graph().find("b")).tags),
            "partitioner_tag: is_forward, seq_nr: 358");
}

TEST(FxText, TypesOfAllForms) {
  const Read r = read(
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, a: \"f32[Max(1, s20 + 5), 2][Max(1, s20 + 5), 1]cpu\", b: \"Sym((((-u1)//3)) + "
      "5)\", "
      "c: \"f32[][]cuda:0\", d: f32[3], e : torch.Tensor, f: \"f32[2]\" = None):\n        return (a,)\n");
  const auto in = r.graph().placeholders();
  ASSERT_EQ(in.size(), 6u);
  const ir::Type& a = r.graph().type(in[0]);
  ASSERT_EQ(a.tensor.shape.size(), 2u);
  EXPECT_EQ(a.tensor.shape[0].text, "Max(1, s20 + 5)");
  EXPECT_EQ(a.tensor.device, "cpu");
  EXPECT_EQ(r.graph().type(in[1]).sym, "(((-u1)//3)) + 5");
  EXPECT_EQ(r.graph().type(in[2]).tensor.device, "cuda:0");
  EXPECT_EQ(r.graph().type(in[3]).kind, ir::TypeKind::Tensor);
  EXPECT_EQ(r.graph().type(in[4]).kind, ir::TypeKind::Python);
  EXPECT_EQ(r.graph().arg(in[5], 0).kind(), ir::ValueKind::None);
}

TEST(FxText, OperatorsAndNumbers) {
  const Read r = body(
      "a = -x\nb = a ** -1\nc = 1.702 * b\nd = c // 3\ne = foo(-1e-05, 1e-05, inf, -inf, nan, 0x10)\n"
      "f = d @ y\ng = x < y\nreturn (a, b, c, d, e, f, g)");
  EXPECT_EQ(r.target("a"), "operator.neg");
  EXPECT_EQ(r.target("b"), "operator.pow");
  EXPECT_EQ(r.graph().arg(r.graph().find("b"), 1).integer(), -1);
  EXPECT_EQ(r.graph().arg(r.graph().find("c"), 0).real(), 1.702);
  EXPECT_EQ(r.target("d"), "operator.floordiv");
  const ir::NodeId e = r.graph().find("e");
  EXPECT_EQ(r.graph().arg(e, 0).real(), -1e-05);
  EXPECT_EQ(r.graph().arg(e, 3).real(), -HUGE_VAL);
  EXPECT_EQ(r.graph().arg(e, 5).integer(), 16);
  EXPECT_EQ(r.target("f"), "operator.matmul");
  EXPECT_EQ(r.target("g"), "operator.lt");
  EXPECT_NE(r.print().find("e = foo(-1e-05, 1e-05, inf, -inf, nan, 16)"), std::string::npos);
}

TEST(FxText, NestedExpressionsFollowPrecedence) {
  const Read r = body("a = x + y * 2 ** 3\nreturn (a,)");
  const ir::NodeId a = r.graph().find("a");
  EXPECT_EQ(r.graph().target(a), "operator.add");
  const ir::NodeId mul = r.graph().arg(a, 1).node();
  EXPECT_EQ(r.graph().target(mul), "operator.mul");
  EXPECT_EQ(r.graph().target(r.graph().arg(mul, 1).node()), "operator.pow");
}

TEST(FxText, NestedClassesAreSubgraphs) {
  const std::string text =
      "class GraphModule(torch.nn.Module):\n    def forward(self, x):\n"
      "        true_graph_0 = self.true_graph_0\n"
      "        cond = torch.ops.higher_order.cond(True, true_graph_0, true_graph_0, (x,));  "
      "true_graph_0 = x = None\n        return (cond,)\n\n"
      "    class true_graph_0(torch.nn.Module):\n        def forward(self, arg0_1: \"f32[2]\"):\n"
      "            sin: \"f32[2]\" = torch.ops.aten.sin.default(arg0_1);  arg0_1 = None\n            return "
      "(sin,)\n";
  expectFixed(text);
  const Read r = read(text);
  ASSERT_EQ(r.module->graphs.size(), 2u);
  ASSERT_NE(r.module->child(r.graph(), "true_graph_0"), nullptr);
}

TEST(FxText, TwoNestedClassesOfOneNameFollowTheOrderOfUse) {
  const Read r = read(
      "class GraphModule(torch.nn.Module):\n    def forward(self, x):\n"
      "        cond_true_0 = self.cond_true_0\n        cond_false_0 = self.cond_false_0\n"
      "        cond = torch.ops.higher_order.cond(True, cond_true_0, cond_false_0, [x])\n        return "
      "(cond,)\n"
      "    class GraphModule(torch.nn.Module):\n        def forward(self, a):\n            return (a,)\n"
      "    class GraphModule(torch.nn.Module):\n        def forward(self, b):\n            return (b,)\n");
  const ir::Graph* second = r.module->child(r.graph(), "cond_false_0");
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->nodeName(second->placeholders()[0]), "b");
}

TEST(FxText, DictArgumentsMakeEdges) {
  const Read r = body("k = wrapper(kernel_idx = 0, kwargs = {'in_ptr0': x, 'n': 5})\nreturn (k,)");
  EXPECT_EQ(r.graph().inputs(r.graph().find("k")).size(), 1u);
}

TEST(FxText, MethodsAttributesAndItems) {
  const Read r = body(
      "v = x.view(2, -1)\ns = x.shape\ni = x[(None, Ellipsis, 0)]\nj = x[1:2, ...]\nreturn (v, s, i, j)");
  EXPECT_EQ(r.node("v").op, ir::OpKind::CallMethod);
  EXPECT_EQ(r.target("v"), "view");
  EXPECT_EQ(r.target("s"), "builtins.getattr");
  EXPECT_NE(r.print().find("s = x.shape"), std::string::npos);
  EXPECT_NE(r.print().find("i = x[(None, Ellipsis, 0)]"), std::string::npos);
  EXPECT_NE(r.print().find("j = x[(slice(1, 2, None), Ellipsis)]"), std::string::npos);
}

TEST(FxText, DevicesDtypesAndFormatsAreValues) {
  const Read r = body(
      "a = x.to(device(type='cuda', index=0), torch.float16, memory_format = torch.channels_last)\n"
      "b = torch.zeros([2], device = torch.device('cpu'), layout = torch.strided)\nreturn (a, b)");
  const ir::NodeId a = r.graph().find("a");
  EXPECT_EQ(r.graph().arg(a, 1).kind(), ir::ValueKind::Device);
  EXPECT_EQ(r.graph().arg(a, 1).text(), "cuda:0");
  EXPECT_EQ(r.graph().arg(a, 2).kind(), ir::ValueKind::Dtype);
  EXPECT_EQ(r.graph().kwarg(a, 0).kind(), ir::ValueKind::MemoryFormat);
  EXPECT_NE(r.print().find("device(type='cuda', index=0)"), std::string::npos);
}

TEST(FxText, GeneratedOperatorNames) {
  const Read r = body("a = _operator_not_(x)\nb = math_sqrt(y)\nreturn (a, b)");
  EXPECT_EQ(r.target("a"), "operator.not_");
  EXPECT_EQ(r.target("b"), "math.sqrt");
  EXPECT_NE(r.print().find("a = _operator_not_(x)"), std::string::npos);
  EXPECT_NE(r.print().find("b = math_sqrt(y)"), std::string::npos);
}

TEST(FxText, BoxedSignature) {
  expectFixed(
      "class GraphModule(torch.nn.Module):\n    def forward(self, args_list):\n"
      "        args_iter = iter(args_list)\n        a = next(args_iter)\n        b = next(args_iter)\n"
      "        args_list.clear()\n        add = a + b;  a = b = None\n        return (add,)\n");
}

TEST(FxText, BoxedArgumentsOfACall) {
  expectFixed(
      "class GraphModule(torch.nn.Module):\n    def forward(self, a):\n"
      "        n_boxed_arg_0 = [a];  a = None\n"
      "        n = torch.ops.higher_order.f(n_boxed_arg_0);  n_boxed_arg_0 = None\n        return (n,)\n");
}

TEST(FxText, ExportShuffleForm) {
  const std::string text =
      "class GraphModule(torch.nn.Module):\n    def forward(self, x, y):\n"
      "        x, y, = pytree.tree_leaves((self, x, y,))\n"
      "        p_w, x, = self._in_shuffle_graph(x, y)\n"
      "        mul = torch.ops.aten.mul.Tensor(x, p_w);  x = p_w = None\n"
      "        return pytree.tree_unflatten(self._out_shuffle_graph(x, y, mul), self._out_spec)\n";
  const Read r = read(text);
  EXPECT_EQ(r.sink.errors(), 0u) << r.sink.all()[0].text();
  ASSERT_EQ(r.graph().placeholders().size(), 2u);
  ASSERT_EQ(r.graph().outputs().size(), 1u);
  EXPECT_EQ(r.print(), text);
}

TEST(FxText, ReturnForms) {
  EXPECT_EQ(body("return x").graph().outputs().size(), 1u);
  EXPECT_EQ(body("return (x,)").graph().outputs().size(), 1u);
  EXPECT_EQ(body("return ()").graph().outputs().size(), 0u);
  EXPECT_EQ(body("return [x, y]").graph().outputs().size(), 2u);
  EXPECT_EQ(body("return None").graph().outputs()[0].kind(), ir::ValueKind::None);
  EXPECT_EQ(
      body("return {'a': x, 'b': [y, None]}").graph().inputs(body("return (x, y)").graph().output()).size(),
      2u);
  const Read nested = body("return ((x,), (x, y))");
  EXPECT_EQ(nested.graph().outputs().size(), 2u);
  EXPECT_EQ(nested.graph().outputs()[1].size(), 2u);
}

TEST(FxText, BareForwardOfPrintGm) {
  const Read r = read("def forward(self, x):\n    add = x + 1;  x = None\n    return add\n");
  EXPECT_FALSE(r.graph().style.hasClass);
  EXPECT_EQ(r.print(), "def forward(self, x):\n    add = x + 1;  x = None\n    return add\n");
}

TEST(FxText, LostIndentation) {
  const Read r = read(
      "class GraphModule(torch.nn.Module):\ndef forward(self, x):\nrelu = torch.relu(x)\nreturn (relu,)\n");
  EXPECT_EQ(r.sink.errors(), 0u);
  EXPECT_EQ(r.graph().size(), 3u);
}

TEST(FxText, MetaBlocksBelongToNodesInOrder) {
  const Read r = body(
      "\"\"\"\nval: 'a'\n\"\"\"\n\"\"\"\nval: ('b'\n 'c')\nstack: ''\n\"\"\"\nz = torch.relu(x)\nreturn (z,)",
      "x");
  const auto* meta = r.graph().meta(r.graph().find("z"));
  ASSERT_NE(meta, nullptr);
  ASSERT_EQ(meta->size(), 2u);
  EXPECT_EQ((*meta)[0].key, "val");
  EXPECT_EQ((*meta)[0].value, "('b'\n'c')");
}

// ---- damage

TEST(FxTextDamage, ABadStatementLosesOnlyItself) {
  const Read r = body("a = torch.relu(x)\nb = torch.add(a, ]\nc = torch.mul(a, b)\nreturn (c,)");
  EXPECT_EQ(r.sink.errors(), 1u);
  EXPECT_EQ(r.sink.all()[0].loc.line, 4u);
  EXPECT_EQ(r.sink.all()[0].loc.column, 26u);
  EXPECT_EQ(r.target("b"), "<unparsed>");
  EXPECT_EQ(r.graph().inputs(r.graph().find("c")).size(), 2u);
}

TEST(FxTextDamage, WhatIsNoTypeIsNoAnnotation) {
  // Unquoted texts of this kind once swallowed the rest of the line and printed as something else.
  for (const char* type :
       {"f32[3,def forward(self 4][1, 3]cpu", "f32[getattr(3, 4][4, 1]cpu", "a b", "\xC2\xA0 f32[2]"}) {
    const Read r = body(std::string("z : ") + type + " = torch.relu(x)\nreturn (z,)");
    EXPECT_TRUE(r.has("annotation-syntax")) << type;
    EXPECT_EQ(read(r.print()).print(), r.print()) << type;
  }
  for (const char* type : {"torch.Tensor", "list[torch.Tensor]", "int | None", "dict[str, list[int]]"}) {
    const Read r = body(std::string("z : ") + type + " = torch.relu(x)\nreturn (z,)");
    EXPECT_EQ(r.sink.errors(), 0u) << type;
    EXPECT_EQ(r.graph().type(r.graph().find("z")).text, type);
  }
}

TEST(FxTextDamage, UndefinedNamesBecomeInputs) {
  const Read r = body("a = torch.relu(nowhere)\nreturn (a,)");
  EXPECT_TRUE(r.has("undefined-name"));
  EXPECT_EQ(r.node("nowhere").op, ir::OpKind::Placeholder);
  EXPECT_TRUE(r.node("nowhere").flags & ir::kNodeExternal);
}

TEST(FxTextDamage, UseBeforeDefinitionKeepsTheEdge) {
  const Read r = body("a = torch.relu(b)\nb = torch.relu(x)\nreturn (a,)");
  EXPECT_TRUE(r.has("use-before-definition"));
  EXPECT_EQ(r.graph().inputs(r.graph().find("a"))[0], r.graph().find("b"));
}

TEST(FxTextDamage, RedefinitionKeepsBoth) {
  const Read r = body("a = torch.relu(x)\na = torch.sin(a)\nreturn (a,)");
  EXPECT_TRUE(r.has("duplicate-name"));
  EXPECT_EQ(r.graph().size(), 5u);
  EXPECT_EQ(r.graph().target(r.graph().outputs()[0].node()), "torch.sin");
}

TEST(FxTextDamage, TextCutInTheMiddleOfACall) {
  const Read r = read(
      "class G(torch.nn.Module):\n    def forward(self, x):\n        a = torch.relu(x)\n        b = "
      "torch.add(a,");
  EXPECT_EQ(r.target("a"), "torch.relu");
  EXPECT_TRUE(r.graph().truncated);
  EXPECT_GE(r.sink.errors(), 1u);
}

TEST(FxTextDamage, HostileInputEnds) {
  for (const std::string& text :
       {"class G(torch.nn.Module):\n def forward(self, x):\n  a = " + std::string(100000, '('),
        "class G(torch.nn.Module):\n def forward(self, x):\n  a = " + std::string(100000, '-') +
            "x\n  return a\n",
        "class G(torch.nn.Module):\n def forward(self, x):\n  a = f(" + std::string(1000000, 'y') +
            ")\n  return a\n",
        std::string("class G(torch.nn.Module):\n def forward(self, x):\n  a = 99999999999999999999999999\n  "
                    "return (a,)\n"),
        std::string("class G(torch.nn.Module):\n def forward(self"), std::string("class G(torch.nn.Module):"),
        std::string("def forward(self, x"), std::string(), [] {
          std::string s;
          for (int i = 0; i < 500; ++i)
            s += std::string(static_cast<size_t>(i), ' ') + "class C(torch.nn.Module):\n";
          return s;
        }()}) {
    const Read r = read(text);
    ASSERT_FALSE(r.module->graphs.empty());
    const std::string printed = r.print();
    EXPECT_EQ(read(printed).print(), printed);
  }
}

TEST(FxTextDamage, BigIntegersKeepTheirDigits) {
  const Read r = body("a = f(9223372036854775807, -9223372036854775808, 9223372036854775808)\nreturn (a,)");
  const ir::NodeId a = r.graph().find("a");
  EXPECT_EQ(r.graph().arg(a, 0).integer(), INT64_MAX);
  EXPECT_EQ(r.graph().arg(a, 1).integer(), INT64_MIN);
  EXPECT_EQ(r.graph().arg(a, 2).kind(), ir::ValueKind::BigInt);
  EXPECT_EQ(r.graph().arg(a, 2).text(), "9223372036854775808");
}

TEST(FxRegions, FindsModulesAmongOtherText) {
  std::string text = "some log line\n";
  for (int i = 0; i < 40; ++i)
    text += "class GraphModule(torch.nn.Module):\n    def forward(self, x):\n" +
            std::string(i == 2 ? "        a = broken(\n" : "        a = torch.relu(x);  x = None\n") +
            "        return (a,)\nother text " + std::to_string(i) + "\n";
  const auto regions = importers::findFxRegions(text);
  ASSERT_EQ(regions.size(), 40u);
  int clean = 0;
  for (const auto& region : regions) {
    ir::DiagnosticSink sink;
    importers::parseFxText(std::string_view(text).substr(region.begin, region.end - region.begin), {}, sink);
    clean += sink.errors() == 0 && sink.warnings() == 0;
  }
  EXPECT_EQ(clean, 39);
}

TEST(FxText, PlacesFollowTheLineMap) {
  ir::DiagnosticSink sink;
  importers::LineMap map;
  map.lines = {{10, 5, 100}, {12, 7, 200}, {15, 9, 300}, {16, 9, 400}};
  importers::parseFxText("class G(torch.nn.Module):\n def forward(self, x):\n  a = f(]\n  return a\n", map,
                         sink);
  ASSERT_FALSE(sink.all().empty());
  EXPECT_EQ(sink.all()[0].loc.line, 15u);
  EXPECT_EQ(sink.all()[0].loc.column, 17u);
}

TEST(FxTextHostile, ALongSignatureIsPlacedInLinearTime) {
  constexpr int kCount = 60000;
  std::string compact = "class M(torch.nn.Module):\n    def forward(self", expanded = compact + "\n";
  expanded = "class M(torch.nn.Module):\n    def forward(\n        self,\n";
  for (int i = 0; i < kCount; ++i) {
    compact += ", p" + std::to_string(i) + ": \"f32[2]\"";
    expanded += "        p" + std::to_string(i) + ": \"f32[2]\",\n";
  }
  compact += "):\n        return (p0,)\n";
  expanded += "    ):\n        return (p0,)\n";
  const auto begin = std::chrono::steady_clock::now();
  const Read one = read(compact), many = read(expanded);
  // Quadratic time took minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(one.node("p59999").line, 2u);
  EXPECT_EQ(many.node("p59999").line, 4u + kCount - 1);
  EXPECT_EQ(many.node("p59999").column, 9u);
}

TEST(FxTextHostile, CommentsBehindTheReturnStay) {
  const std::string text =
      "class M(torch.nn.Module):\n    def forward(self, a):\n        b = a.sin()\n"
      "        return (b,)\n        # Annotation: x\n";
  const std::string printed = read(text).print();
  EXPECT_NE(printed.find("\n# Annotation: x\n"), std::string::npos) << printed;
  EXPECT_EQ(read(printed).print(), printed);
  const auto regions = importers::findFxRegions(printed + "\nother\n");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].end, printed.size());
  // A comment that belongs to what follows is no part of the graph.
  const std::string script = "class M(torch.nn.Module):\n    def forward(self, a):\n        return (a,)\n";
  EXPECT_EQ(importers::findFxRegions(script + "# runs it\nrun()\n")[0].end, script.size());
}

}  // namespace
