#include "ir/ops/declarations.h"
#include "ir/ops/variants.h"

#include <gtest/gtest.h>

#include <chrono>

#include "ir/ops/rules/op_rules.h"

namespace descry::ir {
namespace {

std::string faultOf(const std::string& text) {
  const auto ops = declareOps({{"my.ops", text}});
  if (ops) return "";
  const Diagnostic& d = ops.error();
  return d.file + ":" + std::to_string(d.loc.line) + ":" + std::to_string(d.loc.column) + " " + d.code;
}

TEST(Declarations, StandBesideTheTable) {
  const auto ops = declareOps({{"my.ops",
                                "# comment\n"
                                "lib::bump(Tensor(a!) x, Tensor y) -> ()\n"
                                "op lib::scale.by(Tensor x, float by=2.0) -> Tensor\n"
                                "  # of the property\n"
                                "  is: effect\n"
                                "  grad x: grad * by\n"},
                               {"--op", "lib::view(Tensor(a) x) -> Tensor(a); composite: x[1:]"}});
  ASSERT_TRUE(ops) << ops.error().text();
  const OpDef* bump = (*ops)->find("torch.ops.lib.bump.default");
  ASSERT_TRUE(bump);
  EXPECT_TRUE(bump->declared());
  EXPECT_TRUE(bump->has(kOpMutates));
  EXPECT_FALSE(bump->has(kOpOrdered));
  const OpDef* scale = (*ops)->find("lib::scale.by");
  ASSERT_TRUE(scale);
  // An effect that a user registers keeps its order, which most effects of the table do not.
  EXPECT_TRUE(scale->has(kOpOrdered));
  ASSERT_EQ(scale->rules().grads.size(), 1u);
  EXPECT_TRUE(scale->rules().grads[0].body->python);
  const OpDef* view = (*ops)->findName("lib", "view");
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->has(kOpView));
  EXPECT_TRUE(view->rules().composite);
  // The table is still there, and does not know of them.
  const OpDef* add = (*ops)->find("torch.ops.aten.add.Tensor");
  ASSERT_TRUE(add);
  EXPECT_FALSE(add->declared());
  EXPECT_EQ(add, allOps().find("torch.ops.aten.add.Tensor"));
  EXPECT_TRUE((*ops)->findPython("torch.nn.functional.dropout"));
  EXPECT_FALSE((*ops)->findSpelling("torch.sin").empty());
  EXPECT_FALSE(allOps().findName("lib", "bump"));
  EXPECT_TRUE(hasEffect(**ops, "torch.ops.lib.bump.default"));
  EXPECT_FALSE(hasEffect(allOps(), "torch.ops.lib.bump.default"));
}

TEST(Declarations, GradientsThatAreNoFormulas) {
  const auto ops = declareOps(
      {{"my.ops", "a::b(Tensor x) -> Tensor\n  grad none\na::c(Tensor x) -> Tensor\n  grad undefined\n"}});
  ASSERT_TRUE(ops) << ops.error().text();
  EXPECT_TRUE((*ops)->find("a::b")->rules().notDifferentiable);
  EXPECT_TRUE((*ops)->find("a::c")->rules().undefinedGradient);
}

TEST(Declarations, FaultsHaveAPlace) {
  EXPECT_EQ(faultOf("# fine\n\nlib::f(Tensor x -> Tensor\n"), "my.ops:3:17 schema-syntax");
  EXPECT_EQ(faultOf("op lib::f(Tensor x -> Tensor\n"), "my.ops:1:20 schema-syntax");
  EXPECT_EQ(faultOf("f(Tensor x) -> Tensor"), "my.ops:1:1 op-namespace");
  EXPECT_EQ(faultOf("aten::sin(Tensor x) -> Tensor"), "my.ops:1:1 op-duplicate");
  EXPECT_EQ(faultOf("a::b() -> Tensor\na::b(int x) -> Tensor"), "my.ops:2:1 op-duplicate");
  EXPECT_EQ(faultOf("  is: effect\n"), "my.ops:1:3 table-syntax");
  EXPECT_EQ(faultOf("a::b() -> Tensor\n  is: loud\n"), "my.ops:2:3 table-syntax");
  EXPECT_EQ(faultOf("a::b() -> Tensor\n  tint: blue\n"), "my.ops:2:3 table-syntax");
  EXPECT_EQ(faultOf("a::b(Tensor x) -> Tensor; grad x: grad +"), "my.ops:1:41 rule-syntax");
  EXPECT_EQ(faultOf("a::b(Tensor x) -> Tensor\n  autocast: cpu fp33\n"), "my.ops:2:3 table-syntax");
  // Where in the line, also behind `;` and in a body below.
  EXPECT_EQ(faultOf("a::b(Tensor x) -> Tensor; is: effect; grad x: grad * (2 +)"), "my.ops:1:58 rule-syntax");
  EXPECT_EQ(faultOf("a::b(Tensor x) -> Tensor\n  composite:\n    y = x\n    return y ? 1\n"),
            "my.ops:4:14 rule-syntax");
  // Each part once.
  EXPECT_EQ(faultOf("a::b(Tensor x) -> Tensor; shape: same(x); shape: same(x)"), "my.ops:1:43 table-syntax");
  EXPECT_EQ(faultOf("a::b(Tensor x) -> Tensor\n  grad x: grad\n  grad x: grad\n"), "my.ops:3:3 table-syntax");
  EXPECT_EQ(faultOf("a::b(Tensor x, Tensor y) -> Tensor\n  grad x: grad\n  grad x, y: grad, grad\n"),
            "my.ops:3:3 table-syntax");
  EXPECT_EQ(faultOf(""), "");
  EXPECT_EQ(faultOf("a::b.c(Tensor x) -> Tensor\r\na::b.d(Tensor x) -> Tensor\r\n"), "");
}

std::string repeated(const char* text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Declarations, WhatNestsTooDeeplyIsAFault) {
  const std::string head = "a::b(Tensor x) -> Tensor\n  composite: ";
  for (const std::string& body :
       {repeated("-", 100000) + "x", "x" + repeated(".sin()", 100000), "x" + repeated(" + x", 100000),
        "x" + repeated(" ** x", 100000), repeated("not ", 100000) + "x", repeated("(", 100000) + "x",
        "x" + repeated("[0]", 100000), "x" + repeated(" and x", 100000), repeated("lambda: ", 100000) + "x",
        repeated("[", 100000), "x" + repeated(" if x else x", 100000)}) {
    const std::string fault = faultOf(head + body + "\n");
    EXPECT_TRUE(fault.starts_with("my.ops:2:") && fault.ends_with(" rule-syntax")) << body.substr(0, 20);
  }
  std::string ifs = "    if x:\n      pass\n";
  for (int i = 0; i < 100000; ++i) ifs += "    elif x:\n      pass\n";
  EXPECT_TRUE(faultOf("a::b(Tensor x) -> Tensor\n  composite:\n" + ifs).ends_with(" rule-syntax"));
  EXPECT_TRUE(faultOf(head + "\n    " + repeated("(", 100000) + "a = x\n").ends_with(" rule-syntax"));
  EXPECT_EQ(faultOf(head + "x" + repeated(".sin()", 100)), "");
}

TEST(Declarations, ManyAreReadInOneGo) {
  std::string text;
  for (int i = 0; i < 50000; ++i)
    text += "a::f" + std::to_string(i) + "(Tensor x) -> Tensor\n  composite: x.sin()\n";
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(faultOf(text), "");
  // Each looked up among all before took minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

/// Tables of declared ops come and go with the runs that they are read for.
TEST(Declarations, VariantsAreThoseOfTheTableThatIsThere) {
  for (int round = 0; round < 4; ++round) {
    const std::string pure = round % 2 ? "lib::g" : "lib::f";
    const auto ops =
        declareOps({{"ops", pure + "(Tensor x) -> Tensor\nlib::f_(Tensor(a!) x) -> Tensor(a!)\n"}});
    ASSERT_TRUE(ops);
    const OpDef* variant = functionalVariant(*(*ops)->find("lib.f_.default"));
    ASSERT_EQ(variant, round % 2 ? nullptr : (*ops)->find("lib.f.default")) << round;
  }
}

}  // namespace
}  // namespace descry::ir
