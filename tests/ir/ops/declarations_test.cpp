#include "ir/ops/declarations.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(faultOf("a::b(Tensor x) -> Tensor; grad x: grad +"), "my.ops:1:27 rule-syntax");
  EXPECT_EQ(faultOf("a::b(Tensor x) -> Tensor\n  autocast: cpu fp33\n"), "my.ops:2:3 table-syntax");
  EXPECT_EQ(faultOf(""), "");
  EXPECT_EQ(faultOf("a::b.c(Tensor x) -> Tensor\r\na::b.d(Tensor x) -> Tensor\r\n"), "");
}

}  // namespace
}  // namespace descry::ir
