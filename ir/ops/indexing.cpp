// Gather, scatter, index, sort and search.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerIndexing(OpRegistry& ops) {
  ops.op("aten::_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, "
         "Tensor? weight=None, bool density=False) -> Tensor[]").spelled("torch._histogramdd_bin_edges");
  ops.op("aten::_histogramdd_bin_edges.out(Tensor self, int[] bins, *, float[]? range=None, "
         "Tensor? weight=None, bool density=False, Tensor(a!)[] out) -> ()");
  ops.op("aten::_histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, "
         "Tensor? weight=None, bool density=False) -> Tensor").spelled("torch._histogramdd_from_bin_cts");
  ops.op("aten::_histogramdd_from_bin_cts.out(Tensor self, int[] bins, *, float[]? range=None, "
         "Tensor? weight=None, bool density=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, "
         "bool density=False) -> Tensor").spelled("torch._histogramdd_from_bin_tensors");
  ops.op("aten::_histogramdd_from_bin_tensors.out(Tensor self, Tensor[] bins, *, Tensor? weight=None, "
         "bool density=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, "
         "bool unsafe=False) -> Tensor");
  ops.op("aten::_index_put_impl.out(Tensor self, Tensor?[] indices, Tensor values, "
         "bool accumulate=False, bool unsafe=False, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, "
         "bool accumulate=False, bool unsafe=False) -> Tensor(a!)").spelled("torch._index_put_impl_");
  ops.op("aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)",
         kOpDynamicShape).spelled("torch._unique");
  ops.op("aten::_unique.out(Tensor self, bool sorted=True, bool return_inverse=False, *, "
         "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, "
         "bool return_counts=False) -> (Tensor, Tensor, Tensor)", kOpDynamicShape).spelled("torch._unique2");
  ops.op("aten::_unique2.out(Tensor self, bool sorted=True, bool return_inverse=False, "
         "bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> "
         "(Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor")
      .spelled("torch._unsafe_index");
  ops.op("aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, "
         "bool accumulate=False) -> Tensor").spelled("torch._unsafe_index_put");
  ops.op("aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor")
      .spelled("torch._unsafe_masked_index");
  ops.op("aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, "
         "Tensor values) -> Tensor").spelled("torch._unsafe_masked_index_put_accumulate");
  ops.op("aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor")
      .spelled("torch.argsort .argsort");
  ops.op("aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor");
  ops.op("aten::argsort.stable_out(Tensor self, *, bool stable, int dim=-1, bool descending=False, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::argwhere(Tensor self) -> Tensor", kOpDynamicShape).spelled("torch.argwhere .argwhere");
  ops.op("aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor", kOpDynamicShape)
      .spelled("torch.bincount .bincount");
  ops.op("aten::bincount.out(Tensor self, Tensor? weights=None, SymInt minlength=0, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, "
         "bool right=False) -> Tensor").spelled("torch.bucketize");
  ops.op("aten::bucketize.Scalar_out(Scalar self, Tensor boundaries, *, bool out_int32=False, "
         "bool right=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, "
         "bool right=False) -> Tensor");
  ops.op("aten::bucketize.Tensor_out(Tensor self, Tensor boundaries, *, bool out_int32=False, "
         "bool right=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor", kOpCore)
      .spelled("torch.gather .gather");
  ops.op("aten::gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor")
      .spelled("torch.histc .histc");
  ops.op("aten::histc.out(Tensor self, int bins=100, Scalar min=0, Scalar max=0, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, "
         "Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)")
      .spelled("torch.histogram .histogram");
  ops.op("aten::histogram.bin_ct_out(Tensor self, int bins=100, *, float[]? range=None, "
         "Tensor? weight=None, bool density=False, Tensor(a!) hist, Tensor(b!) bin_edges) -> "
         "(Tensor(a!) hist, Tensor(b!) bin_edges)");
  ops.op("aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, "
         "bool density=False) -> (Tensor hist, Tensor bin_edges)");
  ops.op("aten::histogram.bins_tensor_out(Tensor self, Tensor bins, *, Tensor? weight=None, "
         "bool density=False, Tensor(a!) hist, Tensor(b!) bin_edges) -> (Tensor(a!) hist, "
         "Tensor(b!) bin_edges)");
  ops.op("aten::histogramdd(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None, "
         "bool density=False) -> (Tensor hist, Tensor[] bin_edges)").spelled("torch.histogramdd");
  ops.op("aten::histogramdd.TensorList_bins(Tensor self, Tensor[] bins, float[]? range=None, "
         "Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)");
  ops.op("aten::histogramdd.int_bins(Tensor self, int bins, float[]? range=None, Tensor? weight=None, "
         "bool density=False) -> (Tensor hist, Tensor[] bin_edges)");
  ops.op("aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", kOpCore | kOpDynamicShape);
  ops.op("aten::index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor")
      .spelled("torch.index_add .index_add");
  ops.op("aten::index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> "
         "Tensor(a!)").spelled(".index_add_");
  ops.op("aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor")
      .spelled("torch.index_copy .index_copy");
  ops.op("aten::index_copy.out(Tensor self, int dim, Tensor index, Tensor source, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)")
      .spelled(".index_copy_");
  ops.op("aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor")
      .spelled("torch.index_fill .index_fill");
  ops.op("aten::index_fill.int_Scalar_out(Tensor self, int dim, Tensor index, Scalar value, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor");
  ops.op("aten::index_fill.int_Tensor_out(Tensor self, int dim, Tensor index, Tensor value, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)")
      .spelled(".index_fill_");
  ops.op("aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> Tensor(a!)");
  ops.op("aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
         kOpCore).spelled("torch.index_put .index_put");
  ops.op("aten::index_put.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> "
         "Tensor(a!)").spelled("torch.index_put_ .index_put_");
  ops.op("aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, "
         "bool include_self=True) -> Tensor").spelled("torch.index_reduce .index_reduce");
  ops.op("aten::index_reduce.out(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, "
         "bool include_self=True, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::index_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor source, str reduce, *, "
         "bool include_self=True) -> Tensor(a!)").spelled(".index_reduce_");
  ops.op("aten::index_select(Tensor self, int dim, Tensor index) -> Tensor", kOpCore)
      .spelled("torch.index_select .index_select");
  ops.op("aten::index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, "
         "bool invert=False) -> Tensor").spelled("torch.isin");
  ops.op("aten::isin.Scalar_Tensor_out(Scalar element, Tensor test_elements, *, "
         "bool assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, "
         "bool invert=False) -> Tensor");
  ops.op("aten::isin.Tensor_Scalar_out(Tensor elements, Scalar test_element, *, "
         "bool assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, "
         "bool invert=False) -> Tensor");
  ops.op("aten::isin.Tensor_Tensor_out(Tensor elements, Tensor test_elements, *, "
         "bool assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, "
         "Tensor indices)").spelled("torch.kthvalue .kthvalue");
  ops.op("aten::kthvalue.values(Tensor self, SymInt k, int dim=-1, bool keepdim=False, *, "
         "Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
  ops.op("aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor", kOpPointwise)
      .spelled("torch.masked_fill .masked_fill");
  ops.op("aten::masked_fill.Scalar_out(Tensor self, Tensor mask, Scalar value, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor");
  ops.op("aten::masked_fill.Tensor_out(Tensor self, Tensor mask, Tensor value, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)")
      .spelled(".masked_fill_");
  ops.op("aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)");
  ops.op("aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", kOpCore)
      .spelled("torch.masked_scatter .masked_scatter");
  ops.op("aten::masked_scatter.out(Tensor self, Tensor mask, Tensor source, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)")
      .spelled(".masked_scatter_");
  ops.op("aten::masked_select(Tensor self, Tensor mask) -> Tensor", kOpDynamicShape)
      .spelled("torch.masked_select .masked_select");
  ops.op("aten::masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)",
         kOpDynamicShape);
  ops.op("aten::msort(Tensor self) -> Tensor").spelled("torch.msort .msort");
  ops.op("aten::msort.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::nonzero(Tensor self) -> Tensor", kOpCore | kOpDynamicShape).spelled("torch.nonzero .nonzero");
  ops.op("aten::nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpDynamicShape);
  ops.op("aten::nonzero_numpy(Tensor self) -> Tensor[]");
  ops.op("aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor")
      .spelled("torch.nonzero_static .nonzero_static");
  ops.op("aten::nonzero_static.out(Tensor self, *, SymInt size, int fill_value=-1, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor")
      .spelled("torch.put .put");
  ops.op("aten::put.out(Tensor self, Tensor index, Tensor source, bool accumulate=False, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> Tensor(a!)")
      .spelled(".put_");
  ops.op("aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor")
      .spelled("torch.scatter .scatter");
  ops.op("aten::scatter.reduce_out(Tensor self, int dim, Tensor index, Tensor src, *, str reduce, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", kOpCore);
  ops.op("aten::scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", kOpCore);
  ops.op("aten::scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, "
         "str reduce) -> Tensor");
  ops.op("aten::scatter.value_reduce_out(Tensor self, int dim, Tensor index, Scalar value, *, "
         "str reduce, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce) -> "
         "Tensor(a!)").spelled(".scatter_");
  ops.op("aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)");
  ops.op("aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)");
  ops.op("aten::scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *, "
         "str reduce) -> Tensor(a!)");
  ops.op("aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", kOpCore)
      .spelled("torch.scatter_add .scatter_add");
  ops.op("aten::scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)")
      .spelled(".scatter_add_");
  ops.op("aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, "
         "bool include_self=True) -> Tensor", kOpCore).spelled("torch.scatter_reduce .scatter_reduce");
  ops.op("aten::scatter_reduce.two_out(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, "
         "bool include_self=True, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::scatter_reduce_.two(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *, "
         "bool include_self=True) -> Tensor(a!)").spelled(".scatter_reduce_");
  ops.op("aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, "
         "bool right=False, str? side=None, Tensor? sorter=None) -> Tensor").spelled("torch.searchsorted");
  ops.op("aten::searchsorted.Scalar_out(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, "
         "bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, "
         "bool right=False, str? side=None, Tensor? sorter=None) -> Tensor");
  ops.op("aten::searchsorted.Tensor_out(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, "
         "bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, "
         "Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor")
      .spelled("torch._segment_reduce torch.segment_reduce");
  ops.op("aten::segment_reduce.out(Tensor data, str reduce, *, Tensor? lengths=None, "
         "Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, "
         "Scalar? initial=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
         kOpCore).spelled("torch.sort .sort");
  ops.op("aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> "
         "(Tensor values, Tensor indices)");
  ops.op("aten::sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values, "
         "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
  ops.op("aten::sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False, "
         "Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
  ops.op("aten::take(Tensor self, Tensor index) -> Tensor").spelled("torch.take .take");
  ops.op("aten::take.out(Tensor self, Tensor index, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor")
      .spelled("torch.take_along_dim .take_along_dim");
  ops.op("aten::take_along_dim.out(Tensor self, Tensor indices, int? dim=None, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> "
         "(Tensor values, Tensor indices)", kOpCore).spelled("torch.topk .topk");
  ops.op("aten::topk.values(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True, *, "
         "Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
  ops.op("aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, "
         "int? dim=None) -> (Tensor, Tensor, Tensor)", kOpDynamicShape).spelled(".unique_consecutive");
  ops.op("aten::unique_consecutive.out(Tensor self, bool return_inverse=False, "
         "bool return_counts=False, int? dim=None, *, Tensor(a!) out0, Tensor(b!) out1, "
         "Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, "
         "bool return_counts=False) -> (Tensor, Tensor, Tensor)", kOpDynamicShape);
  ops.op("aten::unique_dim.out(Tensor self, int dim, bool sorted=True, bool return_inverse=False, "
         "bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> "
         "(Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, "
         "bool return_counts=False) -> (Tensor, Tensor, Tensor)", kOpDynamicShape);
  ops.op("aten::unique_dim_consecutive.out(Tensor self, int dim, bool return_inverse=False, "
         "bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> "
         "(Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::where(Tensor condition) -> Tensor[]").spelled("torch.where .where");
  ops.op("aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor");
  ops.op("aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor");
  ops.op("aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor");
  ops.op("aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor", kOpCore | kOpPointwise);
  ops.op("aten::where.self_out(Tensor condition, Tensor self, Tensor other, *, Tensor(a!) out) -> "
         "Tensor(a!)");
}
// clang-format on

}  // namespace descry::ir
