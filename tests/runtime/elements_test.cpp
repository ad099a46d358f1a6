// Pointwise ops run as loop programs, against the single elements that PyTorch computed
// (tests/ir/ops/elements.txt).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "ir/ops/rules/op_rules.h"
#include "runtime/interpreter/machine.h"

namespace descry::runtime {
namespace {

Value number(const std::string& t) {
  if (t == "none") return {};
  if (t == "true" || t == "false") return Value::boolean(t == "true");
  if (t[0] == '"') return Value::str(t.substr(1, t.size() - 2));
  if (t.find_first_of(".enif") != std::string::npos) return Value::real(std::strtod(t.c_str(), nullptr));
  return Value(static_cast<int64_t>(std::strtoll(t.c_str(), nullptr, 10)));
}

/// How exact PyTorch's own approximations of special functions are.
double toleranceOf(std::string_view op) {
  if (op == "polygamma") return 1e-8;
  if (op == "special_airy_ai") return 2e-8;
  if (op.find("igamma") != op.npos || op.find("bessel") != op.npos) return 1e-9;
  return 1e-11;
}

bool agrees(const Value& got, const Value& want, double tolerance) {
  if (want.kind() != VKind::Float) return got.raw() == want.raw();
  const double g = got.toReal(), w = want.rawReal();
  if (std::isnan(w)) return std::isnan(g);
  if (std::isinf(w)) return g == w;
  return std::abs(g - w) <= tolerance * std::abs(w) + 1e-14;
}

/// One row: numbers become tensors of `size` equal elements where the schema has tensors.
struct Row {
  std::string line;
  Values args;
  Value want;
};

TensorRef filled(const Value& v, int64_t size) {
  const DType dtype = v.kind() == VKind::Bool ? DType::B8 : v.kind() == VKind::Int ? DType::I64 : DType::F64;
  TensorRef t = allocate(Dims{size}, dtype);
  fillElements(viewOf(*t), v);
  return t;
}

std::string run(const OpDef& op, const Row& row) {
  Values args = row.args;
  for (size_t i = 0; i < args.size(); ++i)
    if (op.schema().arguments[i].type.base == "Tensor" && args[i].isNumber())
      args[i] = Value(filled(args[i], 3));
  const DType out = row.want.kind() == VKind::Bool  ? DType::B8
                    : row.want.kind() == VKind::Int ? DType::I64
                                                    : DType::F64;
  const TensorRef result = allocate(Dims{3}, out);
  try {
    runPointwise(op, args, viewOf(*result));
  } catch (const EvalError& e) {
    return e.what();
  }
  const Value got = numberAt(out, result->storage->data() + itemBytes(out));
  return agrees(got, row.want, toleranceOf(op.name())) ? "" : got.describe();
}

TEST(PointwiseElements, AgreeWithPyTorch) {
  std::ifstream file(std::string(DESCRY_SOURCE_DIR) + "/tests/ir/ops/elements.txt");
  ASSERT_TRUE(file);
  const OpDef* op = nullptr;
  size_t rows = 0, wrong = 0;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string word;
    if (line.starts_with("torch.ops.")) {
      words >> word;
      op = ir::allOps().find(word);
      ASSERT_NE(op, nullptr) << word;
      continue;
    }
    Row row{line, {}, {}};
    const auto& defaults = op->rules().defaults;
    while (words >> word && word != "=")
      row.args.push_back(word == "-" ? defaults.at(row.args.size()).value_or(Value()) : number(word));
    words >> word;
    row.want = number(word);
    for (size_t i = row.args.size(); i < defaults.size(); ++i)
      row.args.push_back(defaults[i].value_or(Value()));
    ++rows;
    const std::string got = run(*op, row);
    if (!got.empty() && ++wrong < 60) ADD_FAILURE() << op->target() << " " << line << ", got " << got;
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(rows, 5000u);
}

}  // namespace
}  // namespace descry::runtime
