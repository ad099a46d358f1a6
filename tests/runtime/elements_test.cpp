// Pointwise ops run as loop programs, against the single elements that PyTorch computed
// (tests/ir/ops/elements.txt).
#include <gtest/gtest.h>

#include <cmath>

#include "ir/ops/rules/op_rules.h"
#include "runtime/interpreter/machine.h"
#include "tests/support/element_rows.h"

namespace descry::runtime {
namespace {

bool agrees(const Value& got, const Value& want, double tolerance) {
  if (want.kind() != VKind::Float) return got.raw() == want.raw();
  const double g = got.toReal(), w = want.rawReal();
  if (std::isnan(w)) return std::isnan(g);
  if (std::isinf(w)) return g == w;
  return std::abs(g - w) <= tolerance * std::abs(w) + 1e-14;
}

TensorRef filled(const Value& v, int64_t size) {
  const DType dtype = v.kind() == VKind::Bool ? DType::B8 : v.kind() == VKind::Int ? DType::I64 : DType::F64;
  TensorRef t = allocate(Dims{size}, dtype);
  fillElements(viewOf(*t), v);
  return t;
}

/// Numbers become tensors of equal elements where the schema has tensors.
std::string run(const OpDef& op, const ir::ElementRow& row) {
  Values args = row.args;
  const auto& defaults = op.rules().defaults;
  for (size_t i = args.size(); i < defaults.size(); ++i) args.push_back(defaults[i].value_or(Value()));
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
  return agrees(got, row.want, ir::elementTolerance(op.name())) ? "" : got.describe();
}

TEST(PointwiseElements, AgreeWithPyTorch) {
  size_t wrong = 0;
  const size_t rows = ir::forEachElementRow(
      std::string(DESCRY_SOURCE_DIR) + "/tests/ir/ops/elements.txt", [&](const ir::ElementRow& row) {
        if (!row.op) {
          ADD_FAILURE() << row.line;
          return;
        }
        const std::string got = run(*row.op, row);
        if (!got.empty() && ++wrong < 60)
          ADD_FAILURE() << row.op->target() << " " << row.line << ", got " << got;
      });
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(rows, 5000u);
}

}  // namespace
}  // namespace descry::runtime
