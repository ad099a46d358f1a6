// Operations of single calls against PyTorch's flop counter (flops.txt).
#include "ir/ops/eval/flops.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "ir/ops/eval/strides.h"

namespace descry::ir {
namespace {

using eval::Value;
using eval::Values;

/// Rules of operations call no ops.
struct NoHost : eval::Host {
  Value call(const OpDef& op, Values) override { throw eval::EvalError("call", op.target()); }
  Value index(const Value&, const Value&, bool) override { return {}; }
  void setIndex(const Value&, const Value&, const Value&) override {}
};

Value tensor(eval::Ints sizes, DType dtype = DType::F32) {
  auto t = eval::make<eval::TensorBase>();
  t->meta.dtype = dtype;
  t->meta.strides = eval::contiguousStrides(sizes);
  t->meta.sizes = std::move(sizes);
  return Value(t);
}

Value valueOf(const std::string& text) {
  if (text == "-") return {};
  if (text == "s") return tensor({});
  if (text == "True" || text == "False") return Value::boolean(text == "True");
  if (text.starts_with('[')) {
    Values items;
    std::istringstream in(text.substr(1, text.size() - 2));
    for (std::string part; std::getline(in, part, ',');) items.push_back(valueOf(part));
    return Value(std::move(items));
  }
  if (text.find('.') != std::string::npos) return Value::real(std::stod(text));
  eval::Ints sizes;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, 'x');) sizes.emplace_back(std::stoll(part));
  return tensor(std::move(sizes));
}

Values valuesOf(const std::string& text) {
  Values out;
  std::istringstream in(text);
  for (std::string part; in >> part;) out.push_back(valueOf(part));
  return out;
}

class Flops : public ::testing::Test {
 protected:
  std::optional<int64_t> of(std::string_view target, const Values& args, const Value& result) {
    const OpDef* op = allOps().find(target);
    if (!op) return std::nullopt;
    return eval::flopsOf(rules_, *op, args, result);
  }
  NoHost host_;
  eval::Interpreter rules_{allOps(), host_};
};

TEST_F(Flops, AgreeWithPyTorch) {
  std::ifstream file(FLOPS);
  size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> parts;
    std::istringstream in(line);
    for (std::string part; std::getline(in, part, '|');) parts.push_back(part);
    ASSERT_EQ(parts.size(), 4u) << line;
    std::string target;
    std::istringstream(parts[0]) >> target;
    Values args = valuesOf(parts[1]), results = valuesOf(parts[2]);
    // Numbers are read as tensors of one size where a number stands; of these ops only sizes count.
    const Value result = results.size() == 1 ? results[0] : Value(results);
    EXPECT_EQ(of(target, args, result).value_or(-1), std::stoll(parts[3])) << line;
    ++rows;
  }
  EXPECT_GE(rows, 46u);
}

TEST_F(Flops, OfElementsAndReductions) {
  const Value x = tensor({10, 20});
  EXPECT_EQ(of("aten.add.Tensor", {x, x, Value(1)}, x), 400);  // self + alpha * other
  EXPECT_EQ(of("aten.mul.Tensor", {x, x}, x), 200);
  EXPECT_EQ(of("aten.mul_.Tensor", {x, x}, x), 200);
  EXPECT_EQ(of("aten.sum.dim_IntList", {x, Value(Values{Value(1)}), Value::boolean(false), {}}, tensor({10})),
            200);
  EXPECT_EQ(of("aten.view.default", {x, Value(Values{Value(200)})}, tensor({200})), 0);
  EXPECT_EQ(of("aten.sort.default", {x, Value(-1), Value::boolean(false)}, Value(Values{x, x})),
            std::nullopt);
}

TEST_F(Flops, SizesThatDoNotFitAreNotKnown) {
  const Value huge = tensor({int64_t{1} << 40, int64_t{1} << 20});
  EXPECT_EQ(of("aten.mm.default", {huge, huge}, huge), std::nullopt);
  EXPECT_EQ(of("aten.mm.default", {tensor({}), tensor({})}, tensor({})), std::nullopt);
}

}  // namespace
}  // namespace descry::ir
