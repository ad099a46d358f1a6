// Statements that are damaged, reformatted, or hold what graphs rarely hold. Each text is printed and read
// again, which must change nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/importers/fx_text/read.h"

namespace {

using namespace descry;

Read readOnce(const std::string& text) {
  Read r;
  const auto regions = importers::findFxRegions(text);
  EXPECT_EQ(regions.size(), 1u) << text;
  const size_t end = regions.empty() ? text.size() : regions[0].end;
  r.module = importers::parseFxText(std::string_view(text).substr(0, end), {}, r.sink);
  return r;
}

Read read(const std::string& text) {
  Read r = readOnce(text);
  EXPECT_EQ(readOnce(r.print()).print(), r.print());
  return r;
}

/// A body in which `lines` stand as they are, below the usual signature.
Read body(const std::string& lines) {
  return read("class GraphModule(torch.nn.Module):\n    def forward(self, x, y):\n" + lines);
}

TEST(FxStatement, TextBehindItKeepsTheWholeText) {
  const Read r = body(
      "        c = torch.add(x, 2) garbage here;  x = None\n        v = 0b101 + 0o17\n"
      "        d = torch.relu(c);  c = None\n        return (d,)\n");
  EXPECT_EQ(r.target("c"), "<unparsed>");
  EXPECT_EQ(r.expression("c"), "c = torch.add(x, 2) garbage here");
  EXPECT_EQ(r.expression("v"), "v = 0b101 + 0o17");
  EXPECT_EQ(r.graph().inputs(r.graph().find("d"))[0], r.graph().find("c"));
  EXPECT_EQ(r.sink.errors(), 2u);
  EXPECT_EQ(r.sink.all()[0].loc.line, 3u);
  EXPECT_EQ(r.sink.all()[0].loc.column, 29u);
}

TEST(FxStatement, EachFormFailsAsAWhole) {
  for (const char* line : {"x += y z", "x[0] = y z", "torch.f(x) z", "a, b = torch.f(x) z", "a: \"f32[2]\" z",
                           "a = b = torch.f(x) z", "a = y z", "return (x,) z"}) {
    const Read r = body("        " + std::string(line) + "\n        return (x,)\n");
    EXPECT_TRUE(r.has("syntax")) << line;
    EXPECT_NE(r.print().find("        " + std::string(line) + "\n"), std::string::npos) << r.print();
    EXPECT_EQ(r.graph().outputs().size(), 1u) << line;
  }
}

TEST(FxStatement, AFailedOneLeavesNothingBehind) {
  const Read r = body("        a = torch.f(torch.g(x), nowhere, ]\n        return (x,)\n");
  EXPECT_EQ(r.graph().size(), 4u);  // two inputs, the text, the output
  EXPECT_FALSE(r.has("undefined-name"));
}

TEST(FxStatement, AnOpenBracketLosesOneLine) {
  const Read r = body("        a = torch.f(x, [\n        b = torch.g(y)\n        return (b,)\n");
  EXPECT_EQ(r.expression("a"), "a = torch.f(x, [");
  EXPECT_EQ(r.target("b"), "torch.g");
}

TEST(FxStatement, SeveralLinesAreKeptOnOne) {
  const Read r = body(
      "        a = torch.f(x,  # first (of two\n            'a # b', ])\n        b = torch.g(a)\n"
      "        return (b,)\n");
  EXPECT_EQ(r.expression("a"), "a = torch.f(x, 'a # b', ])  # first (of two");
  EXPECT_EQ(r.target("b"), "torch.g");
}

TEST(FxStatement, TensorConstants) {
  const Read r = body(
      "        p = Parameter containing:\ntensor([1., 2.], requires_grad=True)\n"
      "        t = torch.Tensor(size=[2, 3], dtype=float32)\n        s = tensor(1., dtype=torch.float64)\n"
      "        q = foo.bar(Parameter containing: tensor([[1.],\n            [2.]]), x)\n"
      "        u = foo.bar(torch.Tensor([x]))\n        return (p, t, q, s, u)\n");
  EXPECT_EQ(r.sink.errors() + r.sink.warnings(), 0u) << r.sink.all()[0].text();
  EXPECT_EQ(r.graph().placeholders().size(), 2u);
  EXPECT_EQ(r.expression("p"), "Parameter containing: tensor([1., 2.], requires_grad=True)");
  EXPECT_EQ(r.expression("t"), "torch.Tensor(size=[2, 3], dtype=float32)");
  EXPECT_EQ(r.expression("s"), "tensor(1., dtype=torch.float64)");
  EXPECT_EQ(r.expression("q"), "foo.bar(Parameter containing: tensor([[1.], [2.]]), x)");
  EXPECT_EQ(r.target("Tensor"), "torch.Tensor");  // of a value of the graph: a call, with its edge
}

TEST(FxStatement, ParenthesisedTargetsAndDeletions) {
  const Read r = body(
      "        (c) = torch.relu(x)\n        (\n            d\n        ) = y.view(\n            2,\n        "
      ")\n"
      "        y = (None)\n        x = (\n            None\n        )\n        e = c + d\n"
      "        c = (d) = (\n            None\n        )\n        return (e,)\n");
  EXPECT_TRUE(r.sink.all().empty()) << r.sink.all()[0].text();
  EXPECT_EQ(r.graph().size(), 6u);
  EXPECT_EQ(r.target("c"), "torch.relu");
  EXPECT_EQ(r.target("d"), "view");
  EXPECT_TRUE(r.graph().style.deletions);
}

TEST(FxStatement, SeveralTargetsMeanOneValue) {
  const Read r = body(
      "        a = b = torch.f(x)\n        c = d = a\n        e = torch.add(b, d)\n        return (e,)\n");
  EXPECT_EQ(r.sink.errors() + r.sink.warnings(), 0u);
  EXPECT_EQ(r.expression("e"), "torch.add(a, a)");
}

TEST(FxStatement, AParameterInUseIsNotRenamed) {
  const Read r = body("        a = torch.f(x)\n        b = x\n        return (a, b)\n");
  EXPECT_EQ(r.expression("a"), "torch.f(x)");
  EXPECT_TRUE(r.has("alias"));
}

TEST(FxStatement, StringsInTripleQuotes) {
  const Read r = body(
      "        d = foo.bar(x, \"\"\"two\nquoted # no ) comment\"\"\", 1)\n        e = torch.relu(d)\n"
      "        return (e,)\n");
  EXPECT_TRUE(r.sink.all().empty());
  EXPECT_EQ(r.expression("d"), "foo.bar(x, 'two\\nquoted # no ) comment', 1)");
  const Read open =
      body("        d = foo.bar(x, \"\"\"two\n        e = torch.relu(y)\n        return (e,)\n");
  EXPECT_TRUE(open.has("unterminated-string"));
}

TEST(FxStatement, QuotesAroundTheGraphAreNoMetadata) {
  const Read r = body(
      "        \"\"\"What it does.\"\"\"\n        a = torch.relu(x)\n        return (a,)\n        \"\"\",\n");
  EXPECT_EQ(r.target("a"), "torch.relu");
  EXPECT_EQ(r.graph().outputs().size(), 1u);
}

TEST(FxStatement, DeepNestingIsKeptAsText) {
  const std::string deep = std::string(300, '[') + "x" + std::string(300, ']');
  const Read r = body("        a = f.g(" + deep + ")\n        return (a,)\n");
  EXPECT_EQ(r.sink.errors(), 0u);
  EXPECT_TRUE(r.has("nested-too-deep"));
  EXPECT_EQ(r.expression("a"), "a = f.g(" + deep + ")");
  EXPECT_FALSE(r.graph().partial);
}

TEST(FxStatement, ProfilerScopesStay) {
  const Read r = body(
      "        _rf_a = torch._C._profiler._RecordFunctionFast('## 1 ##'); _rf_a.__enter__()\n"
      "        a = torch.relu(x)\n        _rf_a.__exit__(None, None, None)\n        return (a,)\n");
  EXPECT_TRUE(r.sink.all().empty());
  const std::string printed = r.print();
  for (const char* part :
       {"_RecordFunctionFast('## 1 ##')", "_rf_a.__enter__()", "_rf_a.__exit__(None, None, None)"})
    EXPECT_NE(printed.find(part), std::string::npos) << part;
}

TEST(FxStatement, ListsThatWereCutOff) {
  const Read r = body("        a = torch.stack([x, y, ...[total_len=37]])\n        return (a,)\n");
  EXPECT_TRUE(r.sink.all().empty());
  EXPECT_EQ(r.graph().placeholders().size(), 2u);
}

// ---- texts that lost something

TEST(FxCut, MarksAreSteppedOver) {
  const Read r = readOnce(
      "class G(torch.nn.Module):\n    def forward(self, x):\n        a = torch.relu(x)\n...\n        "
      "[truncated]\n"
      "        <snip>\n        ... (1234 more lines)\n        b = torch.add(a, lost)\n        return (b,)\n");
  EXPECT_EQ(r.sink.errors() + r.sink.warnings(), 0u) << r.sink.all()[0].text();
  EXPECT_TRUE(r.has("text-left-out"));
  EXPECT_EQ(r.sink.all()[0].loc.line, 4u);
  EXPECT_EQ(r.graph().placeholders().size(), 2u);  // x and lost
  EXPECT_TRUE(r.graph().partial);
}

TEST(FxCut, AMarkEndsADamagedStatement) {
  const Read r = readOnce(
      "class G(torch.nn.Module):\n    def forward(self, x):\n        a = torch.add(x,\n        ...\n"
      "        b = torch.relu(x)\n        return (b,)\n");
  EXPECT_EQ(r.target("b"), "torch.relu");
  EXPECT_EQ(r.target("a"), "<unparsed>");
}

const std::string kUnindented =
    "class GraphModule(torch.nn.Module):\ndef forward(self, p, x):\ntrue_graph_0 = self.true_graph_0\n"
    "false_graph_0 = self.false_graph_0\n"
    "cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [x])\nreturn cond\n\n"
    "class true_graph_0(torch.nn.Module):\ndef forward(self, a):\ninner = self.inner\n"
    "r = torch.ops.higher_order.wrap(inner, a)\nreturn (r,)\n\n"
    "class inner(torch.nn.Module):\ndef forward(self, z):\nreturn z\n\n"
    "class false_graph_0(torch.nn.Module):\ndef forward(self, a):\nreturn (a,)\n";

TEST(FxCut, SubgraphsWithoutIndentation) {
  const Read r = read(kUnindented);
  ASSERT_EQ(r.module->graphs.size(), 4u);
  EXPECT_EQ(r.graph().children.size(), 2u);
  const ir::Graph* branch = r.module->child(r.graph(), "true_graph_0");
  ASSERT_TRUE(branch);
  EXPECT_TRUE(r.module->child(*branch, "inner"));
  EXPECT_TRUE(r.module->child(r.graph(), "false_graph_0"));
}

TEST(FxCut, OtherClassesWithoutIndentationStandAlone) {
  EXPECT_EQ(importers::findFxRegions(kUnindented +
                                     "\nclass Next(torch.nn.Module):\ndef forward(self, z):\nreturn z\n")
                .size(),
            2u);
}

// ---- subgraphs that are all called GraphModule

Read sameNames(const std::string& lines) {
  const std::string nested =
      "    class GraphModule(torch.nn.Module):\n        def forward(self, a):\n            return a\n";
  return read("class GraphModule(torch.nn.Module):\n    def forward(self, x):\n" + lines + nested + nested);
}

TEST(FxSubgraphs, AnyUserOfTheAttributeLinks) {
  const Read r = sameNames(
      "        weight = self.weight\n        wrap_body_0 = self.wrap_body_0\n"
      "        w = torch._higher_order_ops.wrap.wrap(wrap_body_0, x)\n        b = self.wrap_body_1\n"
      "        v = some_library.run(b, torch.ops.aten.mul.Tensor(w, weight))\n        return (v,)\n");
  EXPECT_TRUE(r.module->child(r.graph(), "wrap_body_0"));
  EXPECT_TRUE(r.module->child(r.graph(), "wrap_body_1"));
  const Read called = sameNames(
      "        body = self.body\n        w = torch.ops.higher_order.wrap(body, x)\n        v = self.sub(w)\n"
      "        return (v,)\n");
  EXPECT_TRUE(called.module->child(called.graph(), "body"));
  EXPECT_TRUE(called.module->child(called.graph(), "sub"));
}

TEST(FxSubgraphs, CountsThatDifferAreAmbiguous) {
  EXPECT_TRUE(
      sameNames("        v = self.a(x)\n        w = self.b(v)\n        z = self.c(w)\n        return (z,)\n")
          .has("ambiguous-subgraphs"));
}

TEST(FxStatement, UnpackedArgumentsKeepTheirTextAndTheirEdges) {
  for (const char* line : {"z = f(x, a=1, **y)", "z = f(*y)", "z = f(x=y, *x)", "z = f(*[g(x), y])",
                           "z = f(*g(h(y)))", "z = x < y < x"}) {
    const Read r = body("        " + std::string(line) + ";  y = None\n        return (z,)\n");
    EXPECT_EQ(r.target("z"), "<unparsed>") << line;
    EXPECT_EQ(r.expression("z"), line);
    EXPECT_EQ(r.graph().size(), 4u) << line << "\n" << r.print();
    const std::vector<ir::NodeId> read = r.graph().inputs(r.graph().find("z"));
    EXPECT_NE(std::find(read.begin(), read.end(), r.graph().find("y")), read.end()) << line;
    EXPECT_EQ(r.sink.errors(), 0u) << line;
    EXPECT_TRUE(r.has("python-only")) << line;
  }
  // The node that a failed statement made must not be taken for a name either.
  const Read r = body("        a = b(x, k=x, **y)\n        c = b(x, k=x, **y)\n        return (a, c)\n");
  EXPECT_EQ(r.graph().size(), 5u);
}

TEST(FxStatement, MadeUpNamesHideNoFunction) {
  for (const char* lines :
       {"z = f(f(x))\nw = f(y)", "z = h(float(x), float(y))", "z = h(getattr(x, 'b'), getattr(y, 'b'))",
        "z = len(x.len())\nw = len(y)", "z = h(device(x), y)"}) {
    std::string text;
    for (size_t from = 0; from < std::string(lines).size();) {
      const size_t end = std::min(std::string(lines).find('\n', from), std::string(lines).size());
      text += "        " + std::string(lines).substr(from, end - from) + "\n";
      from = end + 1;
    }
    const Read r = body(text + "        return (z,)\n");  // printed and read again, which must change nothing
    for (ir::NodeId id : r.graph().nodes()) EXPECT_NE(r.graph().target(id), "__call__") << lines << r.print();
  }
}

TEST(FxStatement, CommentsAboveTheReturnAndAtACutStay) {
  const std::string comment = "# File: a.py:3 in g, code: y = z\n";
  const Read above = body("        z = f(x)\n        " + comment + "        return (z,)\n");
  EXPECT_NE(above.print().find("        " + comment + "        return (z,)"), std::string::npos)
      << above.print();
  const Read cut = body("        z = f(x)\n        " + comment);
  EXPECT_NE(cut.print().find("        " + comment), std::string::npos) << cut.print();
  const std::string nested =
      "class G(torch.nn.Module):\n    def forward(self, x):\n        s = self.sub(x)\n        t = "
      "self.sub2(s)\n"
      "        return (t,)\n\n    class sub(torch.nn.Module):\n        def forward(self, q):\n            " +
      comment +
      "            return (q,)\n            # behind\n\n    class sub2(torch.nn.Module):\n"
      "        def forward(self, q):\n            return (q,)\n";
  EXPECT_EQ(read(nested).print(), nested);
}

}  // namespace
