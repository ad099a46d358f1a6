// Scalar expressions of the op table against single elements that PyTorch computed (elements.txt).
#include "ir/ops/eval/element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "ir/ops/registry.h"
#include "ir/ops/rules/op_rules.h"
#include "tests/support/element_rows.h"

namespace descry::ir {
namespace {

using eval::Value;
using eval::VKind;

/// As the op's result dtype: that of what PyTorch returned.
bool agrees(const Value& got, const Value& want, double tolerance) {
  if (!got.isNumber()) return false;
  const double g = got.kind() == VKind::Float ? got.rawReal() : static_cast<double>(got.raw());
  if (want.kind() == VKind::Bool) return (g != 0) == want.asBool();
  if (want.kind() == VKind::Int)
    return got.kind() == VKind::Float ? g == static_cast<double>(want.raw()) : got.raw() == want.raw();
  const double w = want.rawReal();
  if (std::isnan(w)) return std::isnan(g);
  if (std::isinf(w)) return g == w;
  return std::abs(g - w) <= tolerance * std::abs(w) + 1e-14;
}

TEST(Elements, AgreeWithPyTorch) {
  const OpRegistry& ops = allOps();
  std::set<const OpDef*> tested;
  size_t wrong = 0;
  const size_t rows = forEachElementRow(ELEMENTS, [&](const ElementRow& row) {
    if (!row.op) {
      ADD_FAILURE() << row.line;
      return;
    }
    tested.insert(row.op);
    std::string got;
    try {
      const Value v = eval::elementOf(*row.op, row.args);
      if (agrees(v, row.want, elementTolerance(row.op->name()))) return;
      got = v.describe();
    } catch (const eval::EvalError& e) {
      got = e.what();
    }
    if (++wrong < 60) ADD_FAILURE() << row.op->target() << " " << row.line << ", got " << got;
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(rows, 5000u);
  // An expression without a row would be untested: these PyTorch cannot run on the CPU by themselves.
  const std::set<std::string> untold = {"torch.ops.prims.conj_physical.default",
                                        "torch.ops.prims.convert_element_type.default",
                                        "torch.ops.prims.fma.default"};
  for (const OpDef& o : ops.all())
    if (o.hasProperty("scalar") && !tested.contains(&o)) {
      EXPECT_TRUE(untold.contains(o.target())) << o.target();
    }
}

TEST(Elements, OfWritingOpsAreThoseOfTheOpWithoutWrites) {
  const OpRegistry& ops = allOps();
  const OpDef* inPlace = ops.find("torch.ops.aten.mul_.Tensor");
  ASSERT_NE(eval::elementRule(*inPlace), nullptr);
  EXPECT_EQ(eval::elementRule(*inPlace)->target(), "torch.ops.aten.mul.Tensor");
  EXPECT_EQ(eval::elementOf(*inPlace, {Value(3), Value(4)}).raw(), 12);
  EXPECT_EQ(eval::elementRule(*ops.find("torch.ops.aten.mm.default")), nullptr);
  EXPECT_THROW(eval::elementOf(*ops.find("torch.ops.aten.mm.default"), {}), eval::EvalError);
}

TEST(Elements, SayWhatIsWrongWithAnExpression) {
  OpRegistry own;
  std::vector<Diagnostic> problems;
  own.read(
      "op a::loop(Tensor x) -> Tensor\n  scalar:\n    while x < 1:\n      x += 0\n    return x\n"
      "op a::name(Tensor x) -> Tensor\n  scalar: y + x\n"
      "op a::call(Tensor x) -> Tensor\n  scalar: sin(x, x)\n"
      "op a::kind(Tensor x) -> Tensor\n  scalar: x & 1\n"
      "op a::again(Tensor x) -> Tensor\n  scalar: forever(x)\n"
      "def python forever(x)\n  return forever(x)\n",
      "own.ops", &problems);
  ASSERT_TRUE(problems.empty()) << problems[0].message;
  const auto fault = [&](const char* op) -> std::string {
    try {
      eval::elementOf(*own.find(std::string("torch.ops.a.") + op + ".default"), {Value::real(0.5)});
    } catch (const eval::EvalError& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_NE(fault("loop").find("does not end"), std::string::npos) << fault("loop");
  EXPECT_NE(fault("name").find("unknown name `y`"), std::string::npos) << fault("name");
  EXPECT_NE(fault("call").find("sin() takes 1"), std::string::npos) << fault("call");
  EXPECT_NE(fault("kind").find("expected an integer"), std::string::npos) << fault("kind");
  EXPECT_NE(fault("again").find("without an end"), std::string::npos) << fault("again");
}

TEST(Elements, IntegersWrapAndDivideAsInPyTorch) {
  const OpRegistry& ops = allOps();
  const auto of = [&](const char* op, int64_t a, int64_t b) {
    return eval::elementOf(*ops.find(std::string("torch.ops.aten.") + op), {Value(a), Value(b)}).raw();
  };
  EXPECT_EQ(of("mul.Tensor", INT64_MAX, 2), -2);
  EXPECT_EQ(of("floor_divide.default", -7, 2), -4);
  EXPECT_EQ(of("floor_divide.default", INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(of("remainder.Tensor", -7, 3), 2);
  EXPECT_EQ(of("remainder.Tensor", INT64_MIN, -1), 0);
  EXPECT_EQ(of("fmod.Tensor", -7, 3), -1);
  EXPECT_THROW(of("floor_divide.default", 1, 0), eval::EvalError);
  EXPECT_THROW(of("fmod.Tensor", 1, 0), eval::EvalError);
}

}  // namespace
}  // namespace descry::ir
