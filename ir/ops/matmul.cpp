// Matrix products.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerMatmul(OpRegistry& ops) {
  ops.op("aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, "
         "Scalar alpha=1, bool use_gelu=False) -> Tensor", kOpMatmul)
      .spelled("torch._addmm_activation ._addmm_activation");
  ops.op("aten::_addmm_activation.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, "
         "Scalar alpha=1, bool use_gelu=False, Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, "
         "ScalarType? out_dtype=None) -> Tensor", kOpMatmul).spelled("torch._grouped_mm");
  ops.op("aten::_int_mm(Tensor self, Tensor mat2) -> Tensor", kOpMatmul).spelled("torch._int_mm");
  ops.op("aten::_int_mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::_mixed_dtypes_linear(Tensor input, Tensor weight, Tensor scale, *, Tensor? bias=None, "
         "str? activation=None) -> Tensor").spelled("torch._mixed_dtypes_linear");
  ops.op("aten::_scaled_addmm(Tensor self, Tensor mat1, Tensor mat2, Tensor[] scale_a, int[] recipe_a, "
         "int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, "
         "int[] contraction_dim=[], *, Scalar beta=1, Scalar alpha=1, bool use_fast_accum=False) -> "
         "Tensor").spelled("torch._scaled_addmm");
  ops.op("aten::_scaled_addmm.out(Tensor self, Tensor mat1, Tensor mat2, Tensor[] scale_a, "
         "int[] recipe_a, int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, "
         "int[] contraction_dim=[], *, Scalar beta=1, Scalar alpha=1, bool use_fast_accum=False, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_scaled_addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, Tensor[] scale_a, "
         "int[] recipe_a, int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, "
         "int[] contraction_dim=[], *, Scalar beta=1, Scalar alpha=1, bool use_fast_accum=False) -> "
         "Tensor(a!)").spelled("torch._scaled_addmm_");
  ops.op("aten::_scaled_grouped_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, "
         "Tensor? offs=None, Tensor? bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, "
         "bool use_fast_accum=False) -> Tensor", kOpMatmul).spelled("torch._scaled_grouped_mm");
  ops.op("aten::_scaled_grouped_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, "
         "int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? offs=None, "
         "Tensor? bias=None, ScalarType? out_dtype=None, int[] contraction_dim=[], "
         "bool use_fast_accum=False) -> Tensor").spelled("torch._scaled_grouped_mm_v2");
  ops.op("aten::_scaled_grouped_mm_v2.out(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, "
         "int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? offs=None, "
         "Tensor? bias=None, ScalarType? out_dtype=None, int[] contraction_dim=[], "
         "bool use_fast_accum=False, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, "
         "Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor",
         kOpMatmul).spelled("torch._scaled_mm");
  ops.op("aten::_scaled_mm.out(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, "
         "Tensor? bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, "
         "bool use_fast_accum=False, *, Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::_scaled_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, "
         "int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? bias, "
         "ScalarType? out_dtype, int[] contraction_dim=[], bool use_fast_accum=False) -> Tensor")
      .spelled("torch._scaled_mm_v2");
  ops.op("aten::_scaled_mm_v2.out(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, "
         "int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? bias, "
         "ScalarType? out_dtype, int[] contraction_dim=[], bool use_fast_accum=False, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_wrapped_linear_prepack(Tensor weight, Tensor weight_scale, Tensor weight_zero_point, "
         "Tensor bias) -> Tensor").spelled("torch._wrapped_linear_prepack");
  ops.op("aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
         "Tensor", kOpMatmul).spelled("torch.addbmm .addbmm");
  ops.op("aten::addbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, "
         "Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, "
         "Scalar alpha=1) -> Tensor(a!)").spelled(".addbmm_");
  ops.op("aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
         kOpCore | kOpMatmul).spelled("torch.addmm .addmm");
  ops.op("aten::addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, "
         "Scalar beta=1, Scalar alpha=1) -> Tensor", kOpMatmul);
  ops.op("aten::addmm.dtype_out(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, "
         "Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
         "Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
         "Tensor(a!)").spelled(".addmm_");
  ops.op("aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
         kOpMatmul).spelled("torch.addmv .addmv");
  ops.op("aten::addmv.out(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, "
         "Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::addmv_(Tensor(a!) self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> "
         "Tensor(a!)").spelled("torch.addmv_ .addmv_");
  ops.op("aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
         "Tensor", kOpMatmul).spelled("torch.baddbmm .baddbmm");
  ops.op("aten::baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, "
         "Scalar beta=1, Scalar alpha=1) -> Tensor", kOpMatmul);
  ops.op("aten::baddbmm.dtype_out(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, "
         "Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::baddbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, "
         "Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::baddbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, "
         "Scalar alpha=1) -> Tensor(a!)").spelled(".baddbmm_");
  ops.op("aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor")
      .spelled("torch.bilinear torch.nn.functional.bilinear");
  ops.op("aten::bmm(Tensor self, Tensor mat2) -> Tensor", kOpCore | kOpMatmul).spelled("torch.bmm .bmm");
  ops.op("aten::bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", kOpMatmul);
  ops.op("aten::bmm.dtype_out(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpMatmul);
  ops.op("aten::bmm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::chain_matmul(Tensor[] matrices) -> Tensor");
  ops.op("aten::chain_matmul.out(Tensor[] matrices, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::dot(Tensor self, Tensor tensor) -> Tensor", kOpMatmul).spelled("torch.dot .dot");
  ops.op("aten::dot.out(Tensor self, Tensor tensor, *, Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor");
  ops.op("aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", kOpMatmul)
      .spelled("torch._C._nn.linear torch.nn.functional.linear");
  ops.op("aten::linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpMatmul);
  ops.op("aten::matmul(Tensor self, Tensor other) -> Tensor", kOpMatmul)
      .spelled("torch.matmul .matmul .__matmul__ operator.matmul");
  ops.op("aten::matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::mm(Tensor self, Tensor mat2) -> Tensor", kOpCore | kOpMatmul).spelled("torch.mm .mm");
  ops.op("aten::mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", kOpMatmul);
  ops.op("aten::mm.dtype_out(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpMatmul);
  ops.op("aten::mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::mv(Tensor self, Tensor vec) -> Tensor", kOpMatmul).spelled("torch.mv .mv");
  ops.op("aten::mv.out(Tensor self, Tensor vec, *, Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
  ops.op("aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor");
  ops.op("aten::tensordot.out(Tensor self, Tensor other, int[] dims_self, int[] dims_other, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::vdot(Tensor self, Tensor other) -> Tensor", kOpMatmul).spelled("torch.vdot .vdot");
  ops.op("aten::vdot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpMatmul);
}
// clang-format on

}  // namespace descry::ir
