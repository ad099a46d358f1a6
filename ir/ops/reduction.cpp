// Reductions and scans.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerReduction(OpRegistry& ops) {
  ops.op("aten::_aminmax(Tensor self) -> (Tensor, Tensor)").spelled("torch._aminmax");
  ops.op("aten::_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)");
  ops.op("aten::_aminmax.dim_out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out0, "
         "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::_aminmax.out(Tensor self, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::_cummax_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()")
      .spelled("torch._cummax_helper");
  ops.op("aten::_cummin_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()")
      .spelled("torch._cummin_helper");
  ops.op("aten::_is_all_true(Tensor self) -> Tensor").spelled("torch._is_all_true ._is_all_true");
  ops.op("aten::_is_any_true(Tensor self) -> Tensor").spelled("torch._is_any_true ._is_any_true");
  ops.op("aten::all(Tensor self) -> Tensor", kOpReduction).spelled("torch.all .all");
  ops.op("aten::all.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", kOpReduction);
  ops.op("aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", kOpReduction);
  ops.op("aten::all.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpReduction);
  ops.op("aten::all.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
         kOpReduction);
  ops.op("aten::allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, "
         "float atol=1e-08, bool equal_nan=False) -> bool", kOpDataDependent)
      .spelled("torch.allclose .allclose");
  ops.op("aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", kOpCore | kOpReduction)
      .spelled("torch.amax .amax");
  ops.op("aten::amax.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
         kOpReduction);
  ops.op("aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", kOpCore | kOpReduction)
      .spelled("torch.amin .amin");
  ops.op("aten::amin.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
         kOpReduction);
  ops.op("aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
         kOpReduction).spelled("torch.aminmax .aminmax");
  ops.op("aten::aminmax.out(Tensor self, *, int? dim=None, bool keepdim=False, Tensor(a!) min, "
         "Tensor(b!) max) -> (Tensor(a!) min, Tensor(b!) max)", kOpReduction);
  ops.op("aten::any(Tensor self) -> Tensor", kOpCore | kOpReduction).spelled("torch.any .any");
  ops.op("aten::any.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", kOpCore | kOpReduction);
  ops.op("aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
         kOpCore | kOpReduction);
  ops.op("aten::any.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpReduction);
  ops.op("aten::any.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
         kOpReduction);
  ops.op("aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", kOpCore | kOpReduction)
      .spelled("torch.argmax .argmax");
  ops.op("aten::argmax.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpReduction);
  ops.op("aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", kOpCore | kOpReduction)
      .spelled("torch.argmin .argmin");
  ops.op("aten::argmin.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpReduction);
  ops.op("aten::count_nonzero(Tensor self, int? dim=None) -> Tensor", kOpReduction)
      .spelled("torch.count_nonzero .count_nonzero");
  ops.op("aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", kOpReduction);
  ops.op("aten::count_nonzero.dim_IntList_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::count_nonzero.out(Tensor self, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)")
      .spelled("torch.cummax .cummax");
  ops.op("aten::cummax.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> "
         "(Tensor(a!) values, Tensor(b!) indices)");
  ops.op("aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)")
      .spelled("torch.cummin .cummin");
  ops.op("aten::cummin.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> "
         "(Tensor(a!) values, Tensor(b!) indices)");
  ops.op("aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor")
      .spelled("torch.cumprod .cumprod");
  ops.op("aten::cumprod.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cumprod_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)")
      .spelled(".cumprod_");
  ops.op("aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", kOpCore)
      .spelled("torch.cumsum .cumsum");
  ops.op("aten::cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)")
      .spelled(".cumsum_");
  ops.op("aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor")
      .spelled("torch.cumulative_trapezoid");
  ops.op("aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor");
  ops.op("aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> "
         "Tensor").spelled("torch.diff .diff");
  ops.op("aten::diff.out(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None, "
         "*, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor").spelled("torch.dist .dist");
  ops.op("aten::dist.out(Tensor self, Tensor other, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::equal(Tensor self, Tensor other) -> bool", kOpPointwise | kOpDataDependent)
      .spelled("torch.equal .equal");
  ops.op("aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]")
      .spelled("torch.gradient");
  ops.op("aten::gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> "
         "Tensor[]");
  ops.op("aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, "
         "int edge_order=1) -> Tensor[]");
  ops.op("aten::gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, "
         "int edge_order=1) -> Tensor[]");
  ops.op("aten::gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, "
         "int edge_order=1) -> Tensor[]");
  ops.op("aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1) -> "
         "Tensor[]");
  ops.op("aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, "
         "int edge_order=1) -> Tensor[]");
  ops.op("aten::max(Tensor self) -> Tensor", kOpReduction).spelled("torch.max .max");
  ops.op("aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
         kOpCore | kOpReduction);
  ops.op("aten::max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, "
         "Tensor(b!) max_values) -> (Tensor(a!) values, Tensor(b!) indices)", kOpReduction);
  ops.op("aten::max.other(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::max.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::max.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", kOpCore | kOpReduction)
      .spelled("torch.mean .mean");
  ops.op("aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
         "Tensor", kOpCore | kOpReduction);
  ops.op("aten::mean.dtype_out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)",
         kOpReduction);
  ops.op("aten::mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::median(Tensor self) -> Tensor").spelled("torch.median .median");
  ops.op("aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)");
  ops.op("aten::median.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, "
         "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
  ops.op("aten::median.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::min(Tensor self) -> Tensor", kOpReduction).spelled("torch.min .min");
  ops.op("aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
         kOpCore | kOpReduction);
  ops.op("aten::min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, "
         "Tensor(b!) min_indices) -> (Tensor(a!) values, Tensor(b!) indices)", kOpReduction);
  ops.op("aten::min.other(Tensor self, Tensor other) -> Tensor", kOpPointwise);
  ops.op("aten::min.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::min.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)")
      .spelled("torch.mode .mode");
  ops.op("aten::mode.values(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values, "
         "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
  ops.op("aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor").spelled("torch.nanmean .nanmean");
  ops.op("aten::nanmean.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, "
         "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::nanmedian(Tensor self) -> Tensor").spelled("torch.nanmedian .nanmedian");
  ops.op("aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)");
  ops.op("aten::nanmedian.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, "
         "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
  ops.op("aten::nanmedian.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, "
         "str interpolation=\"linear\") -> Tensor").spelled("torch.nanquantile .nanquantile");
  ops.op("aten::nanquantile.out(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, "
         "str interpolation=\"linear\", Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, "
         "str interpolation=\"linear\") -> Tensor");
  ops.op("aten::nanquantile.scalar_out(Tensor self, float q, int? dim=None, bool keepdim=False, *, "
         "str interpolation=\"linear\", Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> "
         "Tensor", kOpReduction).spelled("torch.nansum .nansum");
  ops.op("aten::nansum.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, "
         "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor", kOpReduction).spelled(".norm");
  ops.op("aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
         kOpReduction);
  ops.op("aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, "
         "ScalarType dtype) -> Tensor", kOpReduction);
  ops.op("aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor", kOpReduction);
  ops.op("aten::norm.ScalarOpt_dtype_out(Tensor self, Scalar? p, *, ScalarType dtype, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::norm.Scalar_out(Tensor self, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::norm.dtype_out(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype, "
         "Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::norm.out(Tensor self, Scalar? p, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpReduction);
  ops.op("aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor").spelled("torch.norm_except_dim");
  ops.op("aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", kOpCore | kOpReduction)
      .spelled("torch.prod .prod");
  ops.op("aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
         "Tensor", kOpCore | kOpReduction);
  ops.op("aten::prod.int_out(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None, "
         "Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::prod.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, "
         "str interpolation=\"linear\") -> Tensor").spelled("torch.quantile .quantile");
  ops.op("aten::quantile.out(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, "
         "str interpolation=\"linear\", Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, "
         "str interpolation=\"linear\") -> Tensor");
  ops.op("aten::quantile.scalar_out(Tensor self, float q, int? dim=None, bool keepdim=False, *, "
         "str interpolation=\"linear\", Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::std(Tensor self, bool unbiased=True) -> Tensor", kOpReduction).spelled("torch.std .std");
  ops.op("aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
         "bool keepdim=False) -> Tensor", kOpReduction);
  ops.op("aten::std.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
         "bool keepdim=False, Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
         kOpReduction);
  ops.op("aten::std.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", kOpReduction)
      .spelled("torch.std_mean");
  ops.op("aten::std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
         "bool keepdim=False) -> (Tensor, Tensor)", kOpReduction);
  ops.op("aten::std_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
         "bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> "
         "(Tensor, Tensor)", kOpReduction);
  ops.op("aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", kOpReduction)
      .spelled("torch.sum .sum");
  ops.op("aten::sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, "
         "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor", kOpCore | kOpReduction);
  ops.op("aten::sum.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor").spelled(".sum_to_size");
  ops.op("aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor").spelled("torch.trapezoid");
  ops.op("aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor");
  ops.op("aten::var(Tensor self, bool unbiased=True) -> Tensor", kOpReduction).spelled("torch.var .var");
  ops.op("aten::var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
         "bool keepdim=False) -> Tensor", kOpCore | kOpReduction);
  ops.op("aten::var.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
         "bool keepdim=False, Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
         kOpCore | kOpReduction);
  ops.op("aten::var.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpReduction);
  ops.op("aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", kOpReduction)
      .spelled("torch.var_mean");
  ops.op("aten::var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
         "bool keepdim=False) -> (Tensor, Tensor)", kOpReduction);
  ops.op("aten::var_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
         "bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> "
         "(Tensor, Tensor)", kOpReduction);
}
// clang-format on

}  // namespace descry::ir
