// Type promotion, as torch.promote_types and torch.result_type.
#pragma once

#include "ir/ops/eval/value.h"

namespace descry::ir::eval {

bool isFloating(DType t);
bool isComplex(DType t);
bool isIntegral(DType t);  ///< bool not included
DType toComplex(DType t);  ///< f32 -> c64
DType toReal(DType t);     ///< c64 -> f32
int64_t itemSize(DType t);
/// Throws `type-error` for pairs that PyTorch does not promote (8-bit floats).
DType promote(DType a, DType b);

/// Gathers operands: tensors with dimensions outrank 0-d tensors, which outrank Python numbers, within one
/// category of dtypes.
class ResultType {
 public:
  void add(const Value& v);  ///< a tensor or a number; None is skipped
  DType get() const;

 private:
  DType dim_ = DType::Unknown, zero_ = DType::Unknown, wrapped_ = DType::Unknown;
};
/// dtype of a Python number: bool, int64, float32 (the default), complex64.
DType dtypeOfNumber(const Value& v);

}  // namespace descry::ir::eval
