// Float numbers that tensors are computed with become tensors themselves.
#pragma once

#include <memory>

#include "ir/ops/registry.h"
#include "passes/partition/partition.h"

namespace descry::passes {

/// Points `input` to a copy of its joint graph in which ops take 0-d tensors where they took symbolic floats.
/// Returns the copy, which has to outlive the input; null when nothing changes.
///
///   sym_float: "Sym(ToFloat(s77))" = torch.sym_float(primals_1)
///   mul: "f32[s77]" = aten.mul.Tensor(x, sym_float)
///   =>
///   scalar_tensor_default: "f32[]" = aten.scalar_tensor.default(primals_1)
///   convert_element_type_default: "f64[]" = ...convert_element_type.default(scalar_tensor_default,
///   torch.float64) convert_element_type_default_1: "f32[]" = ...(convert_element_type_default,
///   torch.float32) mul_tensor: "f32[s77]" = aten.mul.Tensor(x, convert_element_type_default_1)
std::shared_ptr<ir::Module> tensorifyNumbers(PartitionInput& input, const ir::OpRegistry& ops);

}  // namespace descry::passes
