// Custom ops of which nothing is known, and effects where PyTorch loses them: what is refused, and what is
// said. What is made of ops that are declared is in the worked cases.
#include <gtest/gtest.h>

#include <sstream>

#include "ir/ops/declarations.h"
#include "ir/text/printer.h"
#include "tests/passes/aot/run_text.h"

namespace descry::passes {
namespace {

struct Made {
  ir::Result<AotResult> result;
  std::string text() const {
    const ir::Module* m = result ? (result->joint ? result->joint.get() : result->inference.get()) : nullptr;
    return m ? ir::printModule(*m) : "";
  }
  std::string code() const { return result ? "" : result.error().code; }
};

Made aot(const std::string& body, bool grad = false, const std::string& ops = {},
         UnknownOps unknown = UnknownOps::Assume) {
  AotOptions options;
  options.unknownOps = unknown;
  if (!ops.empty()) {
    const auto declared = ir::declareOps({{"ops", ops}});
    EXPECT_TRUE(declared) << declared.error().text();
    options.ops = *declared;
  }
  return {aotOf("def forward(self, x: \"f32[2, 3][3, 1]cpu\"):\n" + body, grad, options)};
}

constexpr const char* kPure = "    y: \"f32[2, 3][3, 1]cpu\" = torch.ops.lib.f(x, 2.0)\n    return (y,)\n";

TEST(CustomOps, WhatIsAssumedIsSaid) {
  const Made made = aot(kPure);
  ASSERT_TRUE(made.result) << made.result.error().text();
  EXPECT_NE(made.text().find("torch.ops.lib.f.default(arg0_1, 2.0)"), std::string::npos);
  ASSERT_EQ(made.result->assumed.size(), 1u);
  EXPECT_NE(made.result->assumed[0].find("--op \"lib::f(Tensor x0, float x1) -> Tensor\""),
            std::string::npos);
  const Made declared = aot(kPure, false, "lib::f(Tensor x, float by=2.0) -> Tensor");
  ASSERT_TRUE(declared.result);
  EXPECT_TRUE(declared.result->assumed.empty());
  // Only the schema tells that the argument is a default, which the dispatcher drops.
  EXPECT_NE(declared.text().find("torch.ops.lib.f.default(arg0_1)"), std::string::npos);
}

TEST(CustomOps, AreRefusedWhereSomethingSpeaksAgainstIt) {
  EXPECT_EQ(aot(kPure, false, {}, UnknownOps::Refuse).code(), "unknown-op");
  EXPECT_EQ(aot(kPure, true).code(), "unknown-op");
  // Nobody reads the result, there is none, its name or the places of arguments tell.
  EXPECT_EQ(aot("    y: \"f32[2, 3][3, 1]cpu\" = torch.ops.lib.f(x)\n    return (x,)\n").code(),
            "unknown-op");
  EXPECT_EQ(aot("    y = torch.ops.lib.f(x)\n    return (x,)\n").code(), "unknown-op");
  EXPECT_EQ(aot("    y: \"f32[2, 3][3, 1]cpu\" = torch.ops.lib.f_(x)\n    return (y,)\n").code(),
            "unknown-op");
  EXPECT_EQ(aot("    y: \"f32[2, 3][3, 1]cpu\" = torch.ops.lib.f(x = x)\n    return (y,)\n").code(),
            "unknown-op");
}

TEST(CustomOps, DeclarationsThatSayTooLittle) {
  const std::string several =
      "    f = torch.ops.lib.f(x)\n    a: \"f32[2, 3][3, 1]cpu\" = f[0]\n    return (a,)\n";
  EXPECT_EQ(aot(kPure, true, "lib::f(Tensor x, float by) -> Tensor").code(), "unknown-gradient");
  // A result that is used nowhere gets a gradient of zeros, whose shape nothing tells.
  EXPECT_EQ(aot(several, true, "lib::f(Tensor x) -> (Tensor, Tensor); grad x: grads[0]").code(), "no-shape");
  EXPECT_TRUE(
      aot(several, true, "lib::f(Tensor x) -> (Tensor, Tensor); shape: (like(x), like(x)); grad x: grads[0]")
          .result);
  // The gradient calls an op that the captured graph does not type.
  EXPECT_EQ(aot(kPure, true,
                "lib::f(Tensor x, float by) -> Tensor\n  grad x: lib.g(grad)\nlib::g(Tensor x) -> Tensor")
                .code(),
            "no-shape");
  EXPECT_EQ(aot("    y: \"f32[1][1]cpu\" = torch.ops.lib.f(x)\n    return (y,)\n", false,
                "lib::f(Tensor x) -> Tensor[]")
                .code(),
            "no-shape");
}

/// Where and what a rule is refused for: `2:14 rule-limit`.
std::string faultOf(const std::string& ops, bool grad = false) {
  const Made made = aot("    y = torch.ops.my.f.default(x)\n    return (y,)\n", grad, ops);
  if (made.result) return "";
  const ir::Diagnostic& d = made.result.error();
  EXPECT_EQ(d.file, "ops") << d.text();
  EXPECT_EQ(d.notes.size(), 1u);
  EXPECT_EQ(d.notes.empty() ? "" : d.notes[0].message, "called by y");
  return std::to_string(d.loc.line) + ":" + std::to_string(d.loc.column) + " " + d.code;
}

TEST(CustomOps, RulesOfDeclarationsEnd) {
  const std::string head = "my::f(Tensor x) -> Tensor\n  composite:\n";
  // By calls of themselves, of one another, by loops, and by what they make.
  EXPECT_TRUE(faultOf(head + "    f = lambda g: g(g)\n    return f(f)\n").ends_with(" rule-limit"));
  EXPECT_TRUE(faultOf("my::f(Tensor x) -> Tensor\n  composite: my.f(x)\n").ends_with(" rule-limit"));
  for (const char* body :
       {"    while True:\n      x = x.sin()\n    return x\n", "    while True:\n      pass\n",
        "    a = [x]\n    while True:\n      a = a + a\n", "    a = 'x'\n    while True:\n      a = a + a\n",
        "    a = [x]\n    while True:\n      a += a\n", "    a = []\n    while True:\n      a = [a]\n",
        "    f = 0\n    while True:\n      f = lambda: f\n",
        "    a = 'x'\n    while True:\n      a = f'{a}{a}'\n"})
    EXPECT_TRUE(faultOf(head + body).ends_with(" rule-limit")) << body;
  std::string twice;
  for (int i = 0; i < 40; ++i) {
    const std::string next = "my.f" + std::to_string(i + 1) + "(x)";
    twice += "my::f" + (i ? std::to_string(i) : "") + "(Tensor x) -> Tensor\n  composite: " + next + " + " +
             next + "\n";
  }
  EXPECT_TRUE(faultOf(twice + "my::f40(Tensor x) -> Tensor\n  composite: x\n").ends_with(" rule-limit"));
}

TEST(CustomOps, RulesOfDeclarationsReturnWhatTheirSchemaSays) {
  const std::string head = "my::f(Tensor x) -> Tensor\n  shape: ", same = head + "same(x)\n  grad x: ";
  EXPECT_EQ(faultOf("my::f(Tensor x) -> Tensor\n  composite: 5\n"), "2:14 rule-result");
  EXPECT_EQ(faultOf("my::f(Tensor x) -> Tensor\n  composite: x, x\n"), "2:14 rule-result");
  EXPECT_EQ(faultOf("my::f(Tensor x) -> Tensor\n  composite:\n    pass\n").substr(3), " rule-result");
  EXPECT_EQ(faultOf(head + "5\n"), "2:10 rule-result");
  EXPECT_EQ(
      faultOf("my::f(Tensor x) -> (Tensor, Tensor)\n  shape: same(x)\n  grad x: grad\n", true).substr(4),
      " rule-result");
  EXPECT_EQ(faultOf(same + "5\n", true), "3:11 rule-result");
  EXPECT_EQ(faultOf(same + "grad + nothing\n", true), "3:18 rule-error");
  EXPECT_EQ(faultOf(same + "grad\n", true), "");
}

TEST(CustomOps, AProposedDeclarationReturnsWhatIsUsed) {
  const auto proposed = [](const std::string& body) {
    const Made made = aot(body);
    const std::string text = made.result ? "" : made.result.error().message;
    const size_t at = text.find(" -> ");
    return at == std::string::npos ? text : text.substr(at + 4, text.find('"', at) - at - 4);
  };
  EXPECT_EQ(proposed("    y = torch.ops.lib.f(x)\n    return (y,)\n"), "Tensor");
  EXPECT_EQ(proposed("    y = torch.ops.lib.f(x)\n    z = y[1]\n    return (z,)\n"), "(Tensor, Tensor)");
  EXPECT_EQ(proposed("    y = torch.ops.lib.f(x)\n    return (x,)\n"), "()");
}

TEST(CustomOps, TracingStopsWhenItIsAskedTo) {
  ir::DiagnosticSink sink;
  const auto module = importers::parseFxText(
      "def forward(self, x: \"f32[2, 3][3, 1]cpu\"):\n    y = x.sin()\n    return (y,)\n", {}, sink);
  CapturedFacts facts;
  facts.inputs.resize(1);
  facts.inputs[0].name = "x";
  AotOptions options;
  options.cancelled = [] { return true; };
  const auto result = runAot(*module, facts, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "cancelled");
}

TEST(Effects, AreRefusedWherePyTorchLosesThem) {
  const std::string cond =
      "    p: \"b8[][]cpu\" = torch.any(x)\n    t = self.t\n    f = self.f\n"
      "    c = torch.ops.higher_order.cond(p, t, f, (x,))\n    y: \"f32[2, 3][3, 1]cpu\" = c[0]\n    return "
      "(y,)\n";
  const auto branch = [](const char* name, const char* first) {
    return std::string("class ") + name +
           "(torch.nn.Module):\n    def forward(self, x: \"f32[2, 3][3, 1]cpu\"):\n" + first +
           "        s: \"f32[2, 3][3, 1]cpu\" = x.sin()\n        return (s,)\n";
  };
  const auto whole = [&](const char* first) {
    ir::DiagnosticSink sink;
    std::string text =
        "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[2, 3][3, 1]cpu\"):\n";
    std::istringstream lines(cond);
    for (std::string l; std::getline(lines, l);) text += "    " + l + "\n";
    for (const std::string& b : {branch("t", first), branch("f", "")}) {
      std::istringstream in(b);
      for (std::string l; std::getline(in, l);) text += "    " + l + "\n";
    }
    const auto module = importers::parseFxText(text, {}, sink);
    EXPECT_EQ(sink.errors(), 0u);
    CapturedFacts facts;
    facts.inputs.resize(1);
    facts.inputs[0].name = "x";
    const auto result = runAot(*module, facts, {});
    return result ? std::string() : result.error().code;
  };
  EXPECT_EQ(whole(""), "");
  EXPECT_EQ(whole("        p = torch.ops.aten._print('in a branch')\n"), "effect-in-subgraph");
  EXPECT_EQ(whole("        p = torch.ops.higher_order.print('in a branch')\n"), "effect-in-subgraph");
}

TEST(Autocast, ARegionHasToBeLeft) {
  const std::string enter =
      "    e = torch.amp.autocast_mode._enter_autocast('cpu', torch.bfloat16, True, None)\n";
  const std::string product = "    y: \"bf16[2, 2][2, 1]cpu\" = x @ x.t()\n";
  EXPECT_EQ(aot(enter + product + "    return (y,)\n").code(), "autocast-mutation");
  EXPECT_TRUE(
      aot(enter + product + "    q = torch.amp.autocast_mode._exit_autocast(e)\n    return (y,)\n").result);
  EXPECT_EQ(aot("    e = torch.amp.autocast_mode._enter_autocast('mps', torch.bfloat16, True, None)\n" +
                product + "    q = torch.amp.autocast_mode._exit_autocast(e)\n    return (y,)\n")
                .code(),
            "unsupported-call");
}

TEST(Autocast, AGraphThatWasCapturedInsideARegion) {
  ir::DiagnosticSink sink;
  const auto module = importers::parseFxText(
      "def forward(self, x: \"f32[2, 2][2, 1]cpu\"):\n    y: \"bf16[2, 2][2, 1]cpu\" = x @ x\n    return "
      "(y,)\n",
      {}, sink);
  CapturedFacts facts;
  facts.inputs.resize(1);
  facts.inputs[0].name = "x";
  facts.inputs[0].requiresGrad = true;
  *facts.autocast.of("cpu") = {true, ir::DType::BF16};
  const auto result = runAot(*module, facts, {});
  ASSERT_TRUE(result) << result.error().text();
  const std::string text = ir::printModule(*result->joint);
  EXPECT_NE(text.find("mm: \"bf16[2, 2][2, 1]cpu\""), std::string::npos);
  // The backward runs inside the region too, where nothing is left to cast.
  EXPECT_NE(text.find("mm_1: \"bf16[2, 2][2, 1]cpu\""), std::string::npos);
}

}  // namespace
}  // namespace descry::passes
