// Programs that PyTorch refuses, and calls that no capture writes: each is an error with its code at its
// node.
#include <gtest/gtest.h>

#include <chrono>

#include "ir/text/printer.h"
#include "tests/passes/aot/run_text.h"

namespace descry::passes {
namespace {

/// The code of the error of `c = CALL`, which has to stand at its line.
std::string codeOf(const std::string& call, const std::string& before = "") {
  const std::string head =
      "def forward(self, x: \"f32[4, 8][8, 1]cpu\", y: \"f32[4, 8][8, 1]cuda:0\", i: "
      "\"i64[4][1]cpu\", s: \"f32[][]cpu\"):\n";
  const auto made = aotOf(head + before + "    c = " + call + "\n    return (x,)\n", false);
  if (made) return "";
  EXPECT_EQ(made.error().loc.line, before.empty() ? 2u : 3u) << call << made.error().text();
  return made.error().code;
}

std::string codeOfType(const std::string& type) {
  const auto made =
      aotOf("def forward(self, x: \"" + type + "\"):\n    u = x.sin()\n    return (u,)\n", false);
  if (made) return "";
  EXPECT_EQ(made.error().loc.line, 1u) << type;
  EXPECT_GT(made.error().loc.column, 0u) << type;
  return made.error().code;
}

TEST(BadPrograms, ArgumentsOfCallsWithoutSchema) {
  for (const char* call :
       {"operator.setitem(None, 0, x)", "operator.setitem(3, 0, x)", "operator.neg()", "operator.not_()",
        "torch._C._set_grad_enabled()", "torch.amp.autocast_mode._enter_autocast()",
        "torch.amp.autocast_mode._enter_autocast(3)", "torch.amp.autocast_mode._exit_autocast()",
        "torch._C._functorch._wrap_for_grad()", "torch._C._functorch._wrap_for_grad(x, 7)",
        "torch._C._functorch._vmap_decrement_nesting()", "torch._C._functorch._add_batch_dim(x, 0, 1)",
        "torch._C._functorch._remove_batch_dim(None, 1, 2, 0)", "x.is_same_size(3)", "x.is_same_size()",
        "torch._C._functorch._vmap_increment_nesting(3, 'error')"})
    EXPECT_EQ(codeOf(call), "bad-call") << call;
  EXPECT_EQ(codeOf("x[..., ..., 0]"), "index-error");
  EXPECT_EQ(codeOf("torch.ops.aten.copy_.default(3, x)"), "type-error");
}

TEST(BadPrograms, TypesOfInputs) {
  for (const char* type :
       {"f32[4, 8][8]cpu", "f32[-4, 8][8, 1]cpu", "f32[4, 8][-8, 1]cpu",
        "f32[4, 8][9223372036854775807, 9223372036854775807]cpu", "f32[9223372036854775807, 2][2, 1]cpu",
        "f32[1.5][1]cpu", "f32[s0*0.5][1]cpu", "f32[oo][1]cpu"})
    EXPECT_EQ(codeOfType(type), "bad-type") << type;
  EXPECT_EQ(codeOfType("f32[99999999999999999999999][1]cpu"), "type-error");
  EXPECT_EQ(codeOfType("f32[s0*s1//0][1]cpu"), "type-error");
  EXPECT_EQ(codeOfType("f32[0, 9223372036854775807][9223372036854775807, 1]cpu"), "");
}

TEST(BadPrograms, IntegersAreExact) {
  for (const char* call :
       {"operator.pow(10, 100)", "operator.mul(9223372036854775807, 2)", "operator.lshift(1, 200)",
        "operator.floordiv(-9223372036854775808, -1)", "operator.neg(-9223372036854775808)",
        "operator.sub(-9223372036854775807, 2)", "math.floor(1e300)", "math.ceil(inf)", "torch.sym_int(nan)",
        "x.repeat(4611686018427387904, 2, 2)"})
    EXPECT_EQ(codeOf(call), "integer-overflow") << call;
  for (const char* call : {"operator.mod(1.5, 0)", "operator.mod(3, 0)", "operator.floordiv(3, 0)",
                           "operator.pow(0, -1)", "operator.truediv(1, 0)"})
    EXPECT_EQ(codeOf(call), "zero-division") << call;
  EXPECT_EQ(codeOf("operator.lshift(1, -1)"), "value-error");
  EXPECT_EQ(codeOf("math.log(0)"), "value-error");
  for (const char* call : {"operator.pow(2, 62)", "operator.lshift(1, 62)", "operator.pow(-2, 63)",
                           "operator.rshift(-5, 200)", "operator.mul(-4611686018427387904, 2)"})
    EXPECT_EQ(codeOf(call), "") << call;
}

TEST(BadPrograms, ResultsThatNoTensorIs) {
  EXPECT_EQ(codeOf("torch.ops.aten.as_strided.default(x, [4611686018427387904, 4], [1, 1], 0)"),
            "shape-error");
  EXPECT_EQ(codeOf("torch.ops.aten.as_strided.default(x, [4, 4], [1, 1], -5)"), "shape-error");
  EXPECT_EQ(codeOf("torch.empty(-3, 4)"), "shape-error");
  EXPECT_EQ(codeOf("torch.ops.aten.slice.Tensor(x, 0, 0, 9223372036854775807)"), "");
}

TEST(BadPrograms, DevicesAndDtypes) {
  EXPECT_EQ(codeOf("torch.ops.aten.add.Tensor(x, y)"), "device-mismatch");
  EXPECT_EQ(codeOf("torch.ops.aten.mm.default(x, y)"), "device-mismatch");
  EXPECT_EQ(codeOf("torch.ops.aten.cat.default([x, y])"), "shape-error");
  EXPECT_EQ(codeOf("torch.ops.aten.add.Tensor(s, y)"), "");  // one number from the CPU
  EXPECT_EQ(codeOf("torch.ops.aten.add.Tensor(y, s)"), "");
  EXPECT_EQ(codeOf("torch.ops.aten.index.Tensor(y, [i])"), "");
  EXPECT_EQ(codeOf("torch.ops.aten.copy.default(y, x)"), "");
  for (const char* call :
       {"torch.ops.aten.embedding.default(x, x)", "torch.ops.aten.embedding.default(y, i)",
        "torch.ops.aten.index.Tensor(x, [x])", "torch.ops.aten.where.self(x, x, x)",
        "torch.ops.aten.nll_loss_forward.default(x, x, None, 1, -100)", "torch.nn.functional.one_hot(x, 5)"})
    EXPECT_EQ(codeOf(call), "shape-error") << call;
}

/// A graph that calls its classes t and f.
std::string calling(const std::string& call, const std::string& classes) {
  return "class GraphModule(torch.nn.Module):\n"
         "    def forward(self, x: \"f32[3][1]cpu\"):\n"
         "        p = x.sum() > 0\n"
         "        t = self.t\n"
         "        f = self.f\n"
         "        c = torch.ops.higher_order." +
         call +
         "\n"
         "        g = c[0]\n"
         "        return (g,)\n" +
         classes;
}
std::string nested(const std::string& name, const std::string& inputs, const std::string& body) {
  return "\n    class " + name + "(torch.nn.Module):\n        def forward(self, " + inputs + "):\n" + body;
}
const std::string kNeg = "            b = a.neg()\n            return (b,)\n";
const std::string kOne = "a: \"f32[3][1]cpu\"";

TEST(BadPrograms, SubgraphsThatDoNotFitTheirCalls) {
  const auto code = [](const std::string& call, const std::string& classes) {
    const auto made = aotOf(calling(call, classes), true);
    return made ? "" : made.error().code;
  };
  const std::string both = nested("t", kOne, kNeg) + nested("f", kOne, kNeg);
  EXPECT_EQ(code("cond(p, t, f, (x,))", both), "");
  EXPECT_EQ(code("cond.default(p, t, f, (x,))", both), "");
  EXPECT_EQ(code("cond(x, t, f, (x,))", both), "bad-call");
  EXPECT_EQ(code("cond(p, t, f, (x, x))", both), "subgraph-inputs");
  EXPECT_EQ(code("cond(p, t, f, ())", both), "subgraph-inputs");
  EXPECT_EQ(code("cond(p, t, f, (x,))", both + nested("t", kOne, kNeg)), "ambiguous-subgraph");
  EXPECT_EQ(code("invoke_subgraph(t, 't', x, x, None)", both), "subgraph-inputs");
  EXPECT_EQ(code("invoke_subgraph(t, 5, x)", both), "bad-call");
  EXPECT_EQ(
      code("cond(p, t, f, (x,))", nested("t", kOne, kNeg) + nested("f", kOne, "            b = a.neg()\n")),
      "truncated-graph");
  EXPECT_EQ(code("while_loop(t, f, (x,), ())", both), "loop-condition");
}

TEST(BadPrograms, RegionsOfRegionsEnd) {
  std::string classes, indent = "    ";
  for (int depth = 0; depth < 25; ++depth) {
    const std::string in = indent + "    ";
    classes +=
        "\n" + indent + "class t(torch.nn.Module):\n" + in + "def forward(self, a: \"f32[3][1]cpu\"):\n";
    if (depth < 24)
      classes += in + "    t = self.t\n" + in + "    c = torch.ops.higher_order.wrap(t, a)\n" + in +
                 "    b = c[0]\n" + in + "    d = torch.ops.higher_order.wrap(t, b)\n" + in +
                 "    e = d[0]\n" + in + "    return (e,)\n";
    else
      classes += in + "    return (a,)\n";
    indent = in;
  }
  const auto made = aotOf(calling("wrap(t, x)", classes + nested("f", kOne, kNeg)), false);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, "graph-too-large");
}

TEST(BadPrograms, WhatLoopsHandOnKeepsItsType) {
  const auto fault = [](const std::string& call, const std::string& inputs, const std::string& bodies) {
    const auto r = aotOf(
        "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[3][1]cpu\", xs: \"f32[5, 3][3, "
        "1]cpu\"" +
            inputs + "):\n        f = self.f\n        g = self.g\n        c = " + call +
            "\n        y = c[0]\n        return (y,)\n" + bodies,
        false);
    return r ? std::string("accepted") : r.error().code + ": " + r.error().message;
  };
  const std::string test =
      "\n    class g(torch.nn.Module):\n        def forward(self, p: \"f32[3][1]cpu\"):\n            s = "
      "p.sum()\n"
      "            z = s < 3\n            return z\n";
  const auto body = [&](const std::string& parameters, const std::string& line, const std::string& result) {
    return "\n    class f(torch.nn.Module):\n        def forward(self, p: \"f32[3][1]cpu\"" + parameters +
           "):\n            z = " + line + "\n            return " + result + "\n" + test;
  };
  const std::string scan = "torch.ops.higher_order.scan(f, [x], [xs], [])";
  const std::string loop = "torch.ops.higher_order.while_loop(g, f, (x,), ())";
  const std::string row = ", q: \"f32[3][1]cpu\"";
  // The words are PyTorch's (check_meta_consistency).
  EXPECT_EQ(fault(scan, "", body(row, "p.sum(0, keepdim=True)", "[z]")),
            "loop-carry: Expected init and carry to have same metadata but found: pair[0] differ in 'shape: "
            "[3] vs [1]'");
  EXPECT_EQ(fault(loop, "", body("", "p.double()", "(z,)")),
            "loop-carry: Expected carried_inputs and body_output to have same metadata but found: pair[0] "
            "differ in "
            "'dtype: float32 vs float64'");
  EXPECT_EQ(fault(loop, "", body("", "p + 1", "(z,)")), "accepted");
  EXPECT_EQ(fault(scan, "", body(row, "p + q", "[z]")), "accepted");
  EXPECT_EQ(fault(scan, "", body(row, "p + q", "[]")).substr(0, 11), "scan-output");
  EXPECT_EQ(fault("torch.ops.higher_order.scan(f, [x], [xs, e], [])", ", e: \"f32[4, 3][3, 1]cpu\"",
                  body(row + ", r: \"f32[3][1]cpu\"", "p + q", "[z]"))
                .substr(0, 12),
            "scan-lengths");
}

TEST(BadPrograms, SubgraphsAreNoResults) {
  const auto r = aotOf(
      "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[3][1]cpu\"):\n        f = self.f\n"
      "        s = x.sin()\n        return (s, f)\n\n    class f(torch.nn.Module):\n"
      "        def forward(self, p: \"f32[3][1]cpu\"):\n            return (p,)\n",
      false);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, "bad-output");
}

TEST(BadPrograms, CallsOfRegionsAreCountedOnce) {
  // Regions that are called often are counted once.
  std::string text =
      "class GraphModule(torch.nn.Module):\n    def forward(self, b: \"b8[][]cpu\", x: \"f32[3][1]cpu\"):\n  "
      "      f = self.f\n";
  std::string last = "x";
  for (int i = 0; i < 1500; ++i) {
    const std::string n = std::to_string(i);
    text += "        c" + n + " = torch.ops.higher_order.invoke_subgraph(f, \"f\", " + last + ")\n        y" +
            n + ": \"f32[3][1]cpu\" = c" + n + "[0]\n";
    last = "y" + n;
  }
  text += "        return (" + last +
          ",)\n\n    class f(torch.nn.Module):\n        def forward(self, p: \"f32[3][1]cpu\"):\n"
          "            z = p.sin()\n            return (z,)\n";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(aotOf(text, true));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(BadPrograms, LoopsAreTrained) {
  const auto made = aotOf(calling("while_loop(t, f, (x,), ())",
                                  nested("t", kOne, "            b = a.sum() > 0\n            return b\n") +
                                      nested("f", kOne, kNeg)),
                          true);
  ASSERT_TRUE(made) << made.error().text();
  const std::string text = ir::printModule(*made->joint);
  // The gradient of a round, and what all rounds started from: one more than all but the last.
  EXPECT_NE(text.find("torch.ops.aten.neg.default(arg1_1)"), std::string::npos) << text;
  EXPECT_EQ(text.find("Max("), std::string::npos) << text;
}

}  // namespace
}  // namespace descry::passes
