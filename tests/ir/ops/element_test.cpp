// Scalar expressions of the op table against single elements that PyTorch computed (elements.txt).
#include "ir/ops/eval/element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "ir/ops/registry.h"
#include "ir/ops/rules/op_rules.h"

namespace descry::ir {
namespace {

using eval::Value;
using eval::VKind;

Value number(const std::string& t) {
  if (t == "none") return {};
  if (t == "true" || t == "false") return Value::boolean(t == "true");
  if (t[0] == '"') return Value::str(t.substr(1, t.size() - 2));
  if (t.find_first_of(".enif") != std::string::npos) return Value::real(std::strtod(t.c_str(), nullptr));
  return Value(static_cast<int64_t>(std::strtoll(t.c_str(), nullptr, 10)));
}

/// How exact PyTorch's own approximations of special functions are.
double toleranceOf(std::string_view op) {
  if (op == "polygamma") return 1e-8;  // trigamma: three terms of a series
  if (op == "special_airy_ai") return 2e-8;
  if (op.find("igamma") != op.npos) return 1e-9;
  if (op.find("bessel") != op.npos) return 1e-9;
  return 1e-11;
}

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
  std::ifstream file(ELEMENTS);
  ASSERT_TRUE(file);
  const OpRegistry& ops = allOps();
  const OpDef* op = nullptr;
  std::set<const OpDef*> tested;
  size_t rows = 0, wrong = 0;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string word;
    if (line.starts_with("torch.ops.")) {
      words >> word;
      op = ops.find(word);
      ASSERT_NE(op, nullptr) << word;
      tested.insert(op);
      continue;
    }
    eval::Values args;
    const auto& defaults = op->rules().defaults;
    while (words >> word && word != "=")
      args.push_back(word == "-" ? defaults.at(args.size()).value_or(Value()) : number(word));
    words >> word;
    const Value want = number(word);
    ++rows;
    std::string got;
    try {
      const Value v = eval::elementOf(*op, args);
      if (agrees(v, want, toleranceOf(op->name()))) continue;
      got = v.describe();
    } catch (const eval::EvalError& e) {
      got = e.what();
    }
    if (++wrong < 60) ADD_FAILURE() << op->target() << " " << line << ", got " << got;
  }
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
