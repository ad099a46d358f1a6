// The op table is text: every entry has to be read, and every rule in it.
#include <gtest/gtest.h>

#include "ir/ops/eval/builtins.h"
#include "ir/ops/op_table_data.h"
#include "ir/ops/registry.h"
#include "ir/ops/rules/op_rules.h"

namespace descry::ir {
namespace {

TEST(OpTable, EveryEntryIsRead) {
  OpRegistry ops;
  std::vector<Diagnostic> problems;
  for (const OpTableFile& f : opTableFiles()) ops.read(f.text, f.name, &problems);
  for (const Diagnostic& d : problems) ADD_FAILURE() << d.text();
  EXPECT_GT(ops.all().size(), 3000u);
}

TEST(OpTable, EveryRuleParses) {
  for (const OpDef& op : allOps().all())
    for (const Diagnostic& d : op.rules().problems) ADD_FAILURE() << op.target() << ": " << d.text();
  for (const PythonFunction& f : allOps().pythonFunctions()) {
    Diagnostic problem;
    allOps().pythonBody(f.spelling, &problem);
    EXPECT_TRUE(problem.message.empty()) << problem.text();
  }
}

TEST(OpTable, FaultsAreNamedWithFileAndLine) {
  OpRegistry ops;
  std::vector<Diagnostic> problems;
  ops.read(
      "op aten::f(Tensor self) -> Tensor\n  is: pointwise bogus\n  shape unary\n\nnonsense\nop "
      "aten::f(Tensor self) -> Tensor\n",
      "x.ops", &problems);
  ASSERT_EQ(problems.size(), 4u);
  EXPECT_EQ(problems[0].text(), "x.ops:2: error: unknown trait 'bogus' [table-syntax]");
  EXPECT_EQ(problems[1].loc.line, 3u);
  EXPECT_EQ(problems[2].loc.line, 5u);
  EXPECT_EQ(problems[3].message, "the op stands in the table twice");
}

TEST(OpTable, RulesGiveGradientsInAlphabeticalOrder) {
  OpRegistry ops;
  ops.read(
      "op aten::f(Tensor self, Tensor other) -> Tensor\n  shape: binary\n  grad self: grad * other\n  grad "
      "other: grad * self\n",
      "x.ops");
  const rules::OpRules& r = ops.find("aten.f")->rules();
  ASSERT_EQ(r.grads.size(), 2u);
  EXPECT_EQ(r.grads[0].inputs, std::vector<uint32_t>{1});
  EXPECT_EQ(r.grads[1].inputs, std::vector<uint32_t>{0});
  EXPECT_TRUE(r.grads[0].savesInput[0]);
  EXPECT_FALSE(r.grads[0].savesInput[1]);
}

/// A host that knows no op.
struct NoOps : eval::Host {
  eval::Value call(const OpDef&, eval::Values) override { throw eval::EvalError("internal", "no ops here"); }
  eval::Value index(const eval::Value&, const eval::Value&, bool) override {
    throw eval::EvalError("internal", "no ops here");
  }
  void setIndex(const eval::Value&, const eval::Value&, const eval::Value&) override {}
};

eval::Value evaluate(const std::string& body) {
  OpRegistry ops;
  NoOps host;
  eval::Interpreter in(ops, host);
  auto f = rules::parseBody(body, 1, {}, "test", "test", true);
  if (!f) throw eval::EvalError("syntax", f.error().text());
  return in.run(**f, {});
}

TEST(RuleLanguage, IsASubsetOfPython) {
  EXPECT_EQ(evaluate("[2 * x for x in range(5) if x % 2 == 1]").describe(), "[2, 6]");
  EXPECT_EQ(evaluate("a, *b = (1, 2, 3)\nreturn b + [a]\n").describe(), "[2, 3, 1]");
  EXPECT_EQ(evaluate("-7 // 2, -7 % 3, 2 ** 3").describe(), "(-4, 2, 8)");
  EXPECT_EQ(evaluate("[0, 1, 2, 3][-1:0:-2]").describe(), "[3, 1]");
  EXPECT_EQ(evaluate("x = 0\nfor i in range(10):\n  if i == 3:\n    continue\n  if i > 5:\n    break\n  x += "
                     "i\nreturn x\n")
                .describe(),
            "12");
  EXPECT_EQ(evaluate("1 < 2 <= 2 and not 3 in [1, 2]").describe(), "True");
  EXPECT_EQ(eval::textOf(evaluate("f'got {1 + 1} of {[1, 2]}'")), "got 2 of [1, 2]");
  EXPECT_EQ(evaluate("sorted([3, 1, 2], key=lambda x: -x)").describe(), "[3, 2, 1]");
  EXPECT_EQ(evaluate("promote(torch.int64, torch.float16)").describe(), "torch.float16");
}

TEST(RuleLanguage, ErrorsEndTheEvaluationAndNothingElse) {
  EXPECT_THROW(evaluate("1 // 0"), eval::EvalError);
  EXPECT_THROW(evaluate("[1][3]"), eval::EvalError);
  EXPECT_THROW(evaluate("unknown_name"), eval::EvalError);
  EXPECT_THROW(evaluate("x = (1"), eval::EvalError);
  EXPECT_THROW(evaluate("while True:\n  pass\n"), eval::EvalError);
  EXPECT_THROW(evaluate("raise 'shapes do not fit'"), eval::EvalError);
}

}  // namespace
}  // namespace descry::ir
