// Nested and sparse tensors.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerNestedSparse(OpRegistry& ops) {
  ops.op("aten::_coalesce(Tensor self) -> Tensor").spelled("torch._coalesce");
  ops.op("aten::_coalesce.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_coalesced(Tensor self, bool coalesced) -> Tensor");
  ops.op("aten::_coalesced.out(Tensor self, bool coalesced, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_coalesced_(Tensor(a!) self, bool coalesced) -> Tensor(a!)").spelled("._coalesced_");
  ops.op("aten::_convert_indices_from_coo_to_csr(Tensor self, int size, *, bool out_int32=False) -> Tensor")
      .spelled("torch._convert_indices_from_coo_to_csr");
  ops.op("aten::_convert_indices_from_coo_to_csr.out(Tensor self, int size, *, bool out_int32=False, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_convert_indices_from_csr_to_coo(Tensor crow_indices, Tensor col_indices, *, "
         "bool out_int32=False, bool transpose=False) -> Tensor")
      .spelled("torch._convert_indices_from_csr_to_coo");
  ops.op("aten::_convert_indices_from_csr_to_coo.out(Tensor crow_indices, Tensor col_indices, *, "
         "bool out_int32=False, bool transpose=False, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_dimI(Tensor self) -> int").spelled("._dimI");
  ops.op("aten::_dimV(Tensor self) -> int").spelled("._dimV");
  ops.op("aten::_embedding_bag_sparse_backward(Tensor grad, Tensor indices, Tensor offsets, "
         "Tensor offset2bag, Tensor bag_size, SymInt num_weights, bool scale_grad_by_freq, int mode, "
         "Tensor? per_sample_weights, int padding_idx=-1) -> Tensor");
  ops.op("aten::_gather_sparse_backward(Tensor self, int dim, Tensor index, Tensor grad) -> Tensor");
  ops.op("aten::_indices(Tensor(a) self) -> Tensor(a)").spelled("._indices");
  ops.op("aten::_indices_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch._indices_copy");
  ops.op("aten::_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::_jagged_to_padded_dense_forward(Tensor values, Tensor[] offsets, SymInt[] max_lengths, "
         "float padding_value=0.) -> Tensor");
  ops.op("aten::_nested_compute_contiguous_strides_offsets(Tensor nested_size) -> (Tensor, Tensor)")
      .spelled("torch._nested_compute_contiguous_strides_offsets");
  ops.op("aten::_nested_from_padded(Tensor padded, Tensor cpu_nested_shape_example, "
         "bool fuse_transform_0213=False) -> Tensor").spelled("torch._nested_from_padded");
  ops.op("aten::_nested_from_padded.out(Tensor padded, Tensor cpu_nested_shape_example, "
         "bool fuse_transform_0213=False, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_nested_from_padded_and_nested_example(Tensor padded, Tensor nt_example) -> Tensor")
      .spelled("torch._nested_from_padded_and_nested_example");
  ops.op("aten::_nested_from_padded_and_nested_example.out(Tensor padded, Tensor nt_example, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_nested_from_padded_tensor(Tensor padded, Tensor offsets, Tensor dummy, "
         "int ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None, SymInt? sum_S=None) -> "
         "Tensor").spelled("torch._nested_from_padded_tensor");
  ops.op("aten::_nested_get_jagged_dummy(Tensor any) -> Tensor").spelled("torch._nested_get_jagged_dummy");
  ops.op("aten::_nested_get_lengths(Tensor self) -> Tensor").spelled("torch._nested_get_lengths");
  ops.op("aten::_nested_get_max_seqlen(Tensor self) -> Tensor").spelled("torch._nested_get_max_seqlen");
  ops.op("aten::_nested_get_min_seqlen(Tensor self) -> Tensor").spelled("torch._nested_get_min_seqlen");
  ops.op("aten::_nested_get_offsets(Tensor self) -> Tensor").spelled("torch._nested_get_offsets");
  ops.op("aten::_nested_get_ragged_idx(Tensor self) -> int").spelled("torch._nested_get_ragged_idx");
  ops.op("aten::_nested_get_values(Tensor(a) self) -> Tensor(a)").spelled("torch._nested_get_values");
  ops.op("aten::_nested_get_values_copy(Tensor self) -> Tensor", kOpViewCopy)
      .spelled("torch._nested_get_values_copy");
  ops.op("aten::_nested_get_values_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::_nested_select_backward(Tensor grad_output, Tensor self, int dim, SymInt index) -> Tensor");
  ops.op("aten::_nested_sum_backward(Tensor grad, Tensor self, int[1]? dim, bool keepdim=False) -> Tensor");
  ops.op("aten::_nested_tensor_from_mask(Tensor t, Tensor mask, bool mask_check=True) -> Tensor")
      .spelled("torch._nested_tensor_from_mask");
  ops.op("aten::_nested_tensor_from_mask.out(Tensor t, Tensor mask, bool mask_check=True, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_nested_tensor_from_mask_left_aligned(Tensor t, Tensor mask) -> bool")
      .spelled("torch._nested_tensor_from_mask_left_aligned");
  ops.op("aten::_nested_tensor_from_tensor_list(Tensor[] list, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
      .spelled("torch._nested_tensor_from_tensor_list");
  ops.op("aten::_nested_tensor_from_tensor_list.out(Tensor[] list, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_nested_tensor_size(Tensor self) -> Tensor").spelled("._nested_tensor_size");
  ops.op("aten::_nested_tensor_size.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_nested_tensor_softmax_with_shape(Tensor self, Tensor query) -> Tensor", kOpRandom)
      .spelled("torch._nested_tensor_softmax_with_shape");
  ops.op("aten::_nested_tensor_storage_offsets(Tensor self) -> Tensor")
      .spelled("._nested_tensor_storage_offsets");
  ops.op("aten::_nested_tensor_storage_offsets.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_nested_tensor_strides(Tensor self) -> Tensor").spelled("._nested_tensor_strides");
  ops.op("aten::_nested_tensor_strides.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_nested_view_from_buffer(Tensor(a) self, Tensor nested_size, Tensor nested_strides, "
         "Tensor offsets) -> Tensor(a)").spelled("torch._nested_view_from_buffer");
  ops.op("aten::_nested_view_from_buffer_copy(Tensor self, Tensor nested_size, Tensor nested_strides, "
         "Tensor offsets) -> Tensor", kOpViewCopy).spelled("torch._nested_view_from_buffer_copy");
  ops.op("aten::_nested_view_from_buffer_copy.out(Tensor self, Tensor nested_size, "
         "Tensor nested_strides, Tensor offsets, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::_nested_view_from_jagged(Tensor(a) self, Tensor offsets, Tensor dummy, "
         "Tensor? lengths=None, int ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None) -> "
         "Tensor(a)").spelled("torch._nested_view_from_jagged");
  ops.op("aten::_nested_view_from_jagged_copy(Tensor self, Tensor offsets, Tensor dummy, "
         "Tensor? lengths=None, int ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None) -> "
         "Tensor", kOpViewCopy).spelled("torch._nested_view_from_jagged_copy");
  ops.op("aten::_nested_view_from_jagged_copy.out(Tensor self, Tensor offsets, Tensor dummy, "
         "Tensor? lengths=None, int ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::_nnz(Tensor self) -> int").spelled("._nnz");
  ops.op("aten::_padded_dense_to_jagged_forward(Tensor dense, Tensor[] offsets, "
         "SymInt? total_L=None) -> Tensor");
  ops.op("aten::_sparse_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, "
         "Scalar alpha=1) -> Tensor").spelled("torch._C._sparse._sparse_addmm torch.sparse.addmm");
  ops.op("aten::_sparse_addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, "
         "Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_sparse_broadcast_to(Tensor(a) self, int[] size) -> Tensor(a)")
      .spelled("torch._sparse_broadcast_to");
  ops.op("aten::_sparse_broadcast_to_copy(Tensor self, int[] size) -> Tensor", kOpViewCopy)
      .spelled("torch._sparse_broadcast_to_copy");
  ops.op("aten::_sparse_broadcast_to_copy.out(Tensor self, int[] size, *, Tensor(a!) out) -> Tensor(a!)",
         kOpViewCopy);
  ops.op("aten::_sparse_bsc_tensor_unsafe(Tensor ccol_indices, Tensor row_indices, Tensor values, "
         "int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=None) -> Tensor");
  ops.op("aten::_sparse_bsr_tensor_unsafe(Tensor crow_indices, Tensor col_indices, Tensor values, "
         "int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=None) -> Tensor");
  ops.op("aten::_sparse_compressed_tensor_unsafe(Tensor compressed_indices, Tensor plain_indices, "
         "Tensor values, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor");
  ops.op("aten::_sparse_compressed_tensor_with_dims(int nnz, int dense_dim, int[] size, "
         "int[] blocksize, ScalarType index_dtype, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=False) -> Tensor");
  ops.op("aten::_sparse_coo_tensor_unsafe(Tensor indices, Tensor values, SymInt[] size, *, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
         "bool? is_coalesced=None) -> Tensor");
  ops.op("aten::_sparse_coo_tensor_with_dims(int sparse_dim, int dense_dim, int[] size, *, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> "
         "Tensor");
  ops.op("aten::_sparse_coo_tensor_with_dims.out(int sparse_dim, int dense_dim, int[] size, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_sparse_coo_tensor_with_dims_and_tensors(int sparse_dim, int dense_dim, SymInt[] size, "
         "Tensor indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=False, bool? is_coalesced=None) -> Tensor");
  ops.op("aten::_sparse_coo_tensor_with_dims_and_tensors.out(int sparse_dim, int dense_dim, "
         "SymInt[] size, Tensor indices, Tensor values, *, bool? is_coalesced=None, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_sparse_csc_tensor_unsafe(Tensor ccol_indices, Tensor row_indices, Tensor values, "
         "int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=None) -> Tensor");
  ops.op("aten::_sparse_csr_prod.dim_dtype(Tensor self, int[1] dim, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor").spelled("torch._sparse_csr_prod");
  ops.op("aten::_sparse_csr_prod.dim_dtype_out(Tensor self, int[1] dim, bool keepdim=False, *, "
         "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_sparse_csr_sum.dim_dtype(Tensor self, int[1] dim, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor").spelled("torch._sparse_csr_sum");
  ops.op("aten::_sparse_csr_sum.dim_dtype_out(Tensor self, int[1] dim, bool keepdim=False, *, "
         "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_sparse_csr_tensor_unsafe(Tensor crow_indices, Tensor col_indices, Tensor values, "
         "int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=None) -> Tensor");
  ops.op("aten::_sparse_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor")
      .spelled("torch._C._sparse._sparse_log_softmax torch.sparse.log_softmax");
  ops.op("aten::_sparse_log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor");
  ops.op("aten::_sparse_log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_sparse_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, "
         "Tensor self) -> Tensor").spelled("torch._sparse_log_softmax_backward_data");
  ops.op("aten::_sparse_log_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, "
         "Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_sparse_mask_projection(Tensor self, Tensor mask, bool accumulate_matches=False) -> Tensor")
      .spelled("._sparse_mask_projection");
  ops.op("aten::_sparse_mask_projection.out(Tensor self, Tensor mask, bool accumulate_matches=False, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_sparse_mm(Tensor sparse, Tensor dense) -> Tensor")
      .spelled("torch._C._sparse._sparse_mm torch.sparse.mm");
  ops.op("aten::_sparse_mm.reduce(Tensor sparse, Tensor dense, str reduce) -> Tensor");
  ops.op("aten::_sparse_mm_reduce_impl(Tensor self, Tensor other, str reduce) -> (Tensor, Tensor)")
      .spelled("torch._C._sparse._sparse_mm_reduce_impl");
  ops.op("aten::_sparse_mm_reduce_impl_backward(Tensor self, Tensor grad_out, Tensor weight, "
         "str reduce, Tensor arg_out, bool[2] output_mask) -> (Tensor, Tensor)");
  ops.op("aten::_sparse_semi_structured_addmm(Tensor input, Tensor mat1, Tensor mat1_meta, Tensor mat2, "
         "*, Scalar alpha=1, Scalar beta=1, ScalarType? out_dtype=None) -> Tensor")
      .spelled("torch._sparse_semi_structured_addmm");
  ops.op("aten::_sparse_semi_structured_apply(Tensor input, Tensor thread_masks) -> (Tensor, Tensor)")
      .spelled("torch._sparse_semi_structured_apply");
  ops.op("aten::_sparse_semi_structured_apply_dense(Tensor input, Tensor thread_masks) -> Tensor")
      .spelled("torch._sparse_semi_structured_apply_dense");
  ops.op("aten::_sparse_semi_structured_linear(Tensor input, Tensor weight, Tensor meta, *, "
         "Tensor? bias=None, str? activation=None, ScalarType? out_dtype=None) -> Tensor")
      .spelled("torch._sparse_semi_structured_linear");
  ops.op("aten::_sparse_semi_structured_mm(Tensor mat1, Tensor mat1_meta, Tensor mat2, *, "
         "ScalarType? out_dtype=None) -> Tensor").spelled("torch._sparse_semi_structured_mm");
  ops.op("aten::_sparse_semi_structured_tile(Tensor input, str algorithm=\"\", bool use_cutlass=True) -> "
         "(Tensor, Tensor, Tensor, Tensor, Tensor)").spelled("torch._sparse_semi_structured_tile");
  ops.op("aten::_sparse_softmax(Tensor self, int dim, bool half_to_float) -> Tensor")
      .spelled("torch._C._sparse._sparse_softmax torch.sparse.softmax");
  ops.op("aten::_sparse_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor");
  ops.op("aten::_sparse_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_sparse_softmax_backward_data(Tensor grad_output, Tensor output, int dim, "
         "Tensor self) -> Tensor").spelled("torch._sparse_softmax_backward_data");
  ops.op("aten::_sparse_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, "
         "Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_sparse_sparse_matmul(Tensor self, Tensor other) -> Tensor")
      .spelled("torch._sparse_sparse_matmul");
  ops.op("aten::_sparse_sparse_matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_sparse_sum(Tensor self) -> Tensor").spelled("torch._sparse_sum");
  ops.op("aten::_sparse_sum.dim(Tensor self, int[1] dim) -> Tensor");
  ops.op("aten::_sparse_sum.dim_dtype(Tensor self, int[1] dim, *, ScalarType dtype) -> Tensor");
  ops.op("aten::_sparse_sum.dim_out(Tensor self, int[1] dim, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_sparse_sum.dtype(Tensor self, *, ScalarType dtype) -> Tensor");
  ops.op("aten::_sparse_sum_backward(Tensor grad, Tensor self, int[] dim) -> Tensor");
  ops.op("aten::_sparse_sum_backward.out(Tensor grad, Tensor self, int[] dim, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_to_dense(Tensor self, ScalarType? dtype=None, bool? masked_grad=None) -> Tensor")
      .spelled("._to_dense");
  ops.op("aten::_to_dense.out(Tensor self, ScalarType? dtype=None, bool? masked_grad=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, "
         "int? dense_dim=None) -> Tensor").spelled("._to_sparse");
  ops.op("aten::_to_sparse.out(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, "
         "int? dense_dim=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor");
  ops.op("aten::_to_sparse.sparse_dim_out(Tensor self, int sparse_dim, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_to_sparse_bsc(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor")
      .spelled("._to_sparse_bsc");
  ops.op("aten::_to_sparse_bsc.out(Tensor self, int[2] blocksize, int? dense_dim=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_to_sparse_bsr(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor")
      .spelled("._to_sparse_bsr");
  ops.op("aten::_to_sparse_bsr.out(Tensor self, int[2] blocksize, int? dense_dim=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_to_sparse_csc(Tensor self, int? dense_dim=None) -> Tensor").spelled("._to_sparse_csc");
  ops.op("aten::_to_sparse_csc.out(Tensor self, int? dense_dim=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_to_sparse_csr(Tensor self, int? dense_dim=None) -> Tensor").spelled("._to_sparse_csr");
  ops.op("aten::_to_sparse_csr.out(Tensor self, int? dense_dim=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_to_sparse_semi_structured(Tensor dense) -> (Tensor, Tensor)")
      .spelled("torch._to_sparse_semi_structured");
  ops.op("aten::_validate_compressed_sparse_indices(bool is_crow, Tensor compressed_idx, "
         "Tensor plain_idx, int cdim, int dim, int nnz) -> ()")
      .spelled("torch._validate_compressed_sparse_indices");
  ops.op("aten::_validate_sparse_bsc_tensor_args(Tensor ccol_indices, Tensor row_indices, "
         "Tensor values, int[] size, bool? check_pinning=None) -> ()")
      .spelled("torch._validate_sparse_bsc_tensor_args");
  ops.op("aten::_validate_sparse_bsr_tensor_args(Tensor crow_indices, Tensor col_indices, "
         "Tensor values, int[] size, bool? check_pinning=None) -> ()")
      .spelled("torch._validate_sparse_bsr_tensor_args");
  ops.op("aten::_validate_sparse_compressed_tensor_args(Tensor compressed_indices, "
         "Tensor plain_indices, Tensor values, int[] size, Layout layout, bool? check_pinning=None) -> ()")
      .spelled("torch._validate_sparse_compressed_tensor_args");
  ops.op("aten::_validate_sparse_coo_tensor_args(Tensor indices, Tensor values, int[] size, "
         "bool? is_coalesced=None, bool? check_pinning=None) -> ()")
      .spelled("torch._validate_sparse_coo_tensor_args");
  ops.op("aten::_validate_sparse_csc_tensor_args(Tensor ccol_indices, Tensor row_indices, "
         "Tensor values, int[] size, bool? check_pinning=None) -> ()")
      .spelled("torch._validate_sparse_csc_tensor_args");
  ops.op("aten::_validate_sparse_csr_tensor_args(Tensor crow_indices, Tensor col_indices, "
         "Tensor values, int[] size, bool? check_pinning=None) -> ()")
      .spelled("torch._validate_sparse_csr_tensor_args");
  ops.op("aten::_values(Tensor(a) self) -> Tensor(a)").spelled("._values");
  ops.op("aten::_values_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch._values_copy");
  ops.op("aten::_values_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::ccol_indices(Tensor(a) self) -> Tensor(a)").spelled(".ccol_indices");
  ops.op("aten::ccol_indices_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch.ccol_indices_copy");
  ops.op("aten::ccol_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::coalesce(Tensor(a) self) -> Tensor(a)").spelled(".coalesce");
  ops.op("aten::col_indices(Tensor(a) self) -> Tensor(a)").spelled(".col_indices");
  ops.op("aten::col_indices_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch.col_indices_copy");
  ops.op("aten::col_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::copy_sparse_to_sparse(Tensor self, Tensor src, bool non_blocking=False) -> Tensor");
  ops.op("aten::copy_sparse_to_sparse.out(Tensor self, Tensor src, bool non_blocking=False, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::copy_sparse_to_sparse_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)");
  ops.op("aten::crow_indices(Tensor(a) self) -> Tensor(a)").spelled(".crow_indices");
  ops.op("aten::crow_indices_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch.crow_indices_copy");
  ops.op("aten::crow_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::embedding_sparse_backward(Tensor grad, Tensor indices, int num_weights, "
         "int padding_idx, bool scale_grad_by_freq) -> Tensor");
  ops.op("aten::hspmm(Tensor mat1, Tensor mat2) -> Tensor").spelled("torch.hspmm");
  ops.op("aten::hspmm.out(Tensor mat1, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::indices(Tensor(a) self) -> Tensor(a)").spelled(".indices");
  ops.op("aten::indices_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch.indices_copy");
  ops.op("aten::indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::is_coalesced(Tensor self) -> bool").spelled(".is_coalesced");
  ops.op("aten::nested_to_padded_tensor(Tensor self, float padding, int[]? output_size=None) -> Tensor")
      .spelled("torch._C._nested.nested_to_padded_tensor");
  ops.op("aten::resize_as_sparse(Tensor self, Tensor the_template) -> Tensor");
  ops.op("aten::resize_as_sparse.out(Tensor self, Tensor the_template, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::resize_as_sparse_(Tensor(a!) self, Tensor the_template) -> Tensor(a!)")
      .spelled("torch.resize_as_sparse_ .resize_as_sparse_");
  ops.op("aten::row_indices(Tensor(a) self) -> Tensor(a)").spelled(".row_indices");
  ops.op("aten::row_indices_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch.row_indices_copy");
  ops.op("aten::row_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::smm(Tensor self, Tensor mat2) -> Tensor").spelled("torch.smm .smm");
  ops.op("aten::sparse_bsc_tensor.ccol_row_value(Tensor ccol_indices, Tensor row_indices, "
         "Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=False) -> Tensor").spelled("torch.sparse_bsc_tensor");
  ops.op("aten::sparse_bsc_tensor.ccol_row_value_size(Tensor ccol_indices, Tensor row_indices, "
         "Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=False) -> Tensor");
  ops.op("aten::sparse_bsr_tensor.crow_col_value(Tensor crow_indices, Tensor col_indices, "
         "Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=False) -> Tensor").spelled("torch.sparse_bsr_tensor");
  ops.op("aten::sparse_bsr_tensor.crow_col_value_size(Tensor crow_indices, Tensor col_indices, "
         "Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=False) -> Tensor");
  ops.op("aten::sparse_compressed_tensor.comp_plain_value(Tensor compressed_indices, "
         "Tensor plain_indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=False) -> Tensor").spelled("torch.sparse_compressed_tensor");
  ops.op("aten::sparse_compressed_tensor.comp_plain_value_size(Tensor compressed_indices, "
         "Tensor plain_indices, Tensor values, SymInt[] size, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor");
  ops.op("aten::sparse_coo_tensor.indices(Tensor indices, Tensor values, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? is_coalesced=None) -> "
         "Tensor").spelled("torch.sparse_coo_tensor");
  ops.op("aten::sparse_coo_tensor.indices_size(Tensor indices, Tensor values, int[] size, *, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
         "bool? is_coalesced=None) -> Tensor");
  ops.op("aten::sparse_coo_tensor.size(int[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=False) -> Tensor");
  ops.op("aten::sparse_coo_tensor.size_out(int[] size, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::sparse_csc_tensor.ccol_row_value(Tensor ccol_indices, Tensor row_indices, "
         "Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=False) -> Tensor").spelled("torch.sparse_csc_tensor");
  ops.op("aten::sparse_csc_tensor.ccol_row_value_size(Tensor ccol_indices, Tensor row_indices, "
         "Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=False) -> Tensor");
  ops.op("aten::sparse_csr_tensor.crow_col_value(Tensor crow_indices, Tensor col_indices, "
         "Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=False) -> Tensor").spelled("torch.sparse_csr_tensor");
  ops.op("aten::sparse_csr_tensor.crow_col_value_size(Tensor crow_indices, Tensor col_indices, "
         "Tensor values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=False) -> Tensor");
  ops.op("aten::sparse_dim(Tensor self) -> int").spelled(".sparse_dim");
  ops.op("aten::sparse_mask(Tensor self, Tensor mask) -> Tensor").spelled(".sparse_mask");
  ops.op("aten::sparse_mask.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::sparse_resize(Tensor self, int[] size, int sparse_dim, int dense_dim) -> Tensor");
  ops.op("aten::sparse_resize.out(Tensor self, int[] size, int sparse_dim, int dense_dim, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::sparse_resize_(Tensor(a!) self, int[] size, int sparse_dim, int dense_dim) -> Tensor(a!)")
      .spelled(".sparse_resize_");
  ops.op("aten::sparse_resize_and_clear(Tensor self, int[] size, int sparse_dim, int dense_dim) -> Tensor");
  ops.op("aten::sparse_resize_and_clear.out(Tensor self, int[] size, int sparse_dim, int dense_dim, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::sparse_resize_and_clear_(Tensor(a!) self, int[] size, int sparse_dim, int dense_dim) -> "
         "Tensor(a!)").spelled(".sparse_resize_and_clear_");
  ops.op("aten::sparse_sampled_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, "
         "Scalar alpha=1) -> Tensor")
      .spelled("torch._C._sparse.sparse_sampled_addmm torch.sparse.sampled_addmm");
  ops.op("aten::sparse_sampled_addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, "
         "Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::sspaddmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
         "Tensor").spelled("torch.sspaddmm .sspaddmm");
  ops.op("aten::sspaddmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor")
      .spelled(".to_dense");
  ops.op("aten::to_dense_backward(Tensor grad, Tensor input, bool? masked_grad=None) -> Tensor");
  ops.op("aten::to_padded_tensor(Tensor self, float padding, SymInt[]? output_size=None) -> Tensor")
      .spelled(".to_padded_tensor");
  ops.op("aten::to_padded_tensor.out(Tensor self, float padding, SymInt[]? output_size=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, "
         "int? dense_dim=None) -> Tensor").spelled(".to_sparse");
  ops.op("aten::to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor");
  ops.op("aten::to_sparse_bsc(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor")
      .spelled(".to_sparse_bsc");
  ops.op("aten::to_sparse_bsr(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor")
      .spelled(".to_sparse_bsr");
  ops.op("aten::to_sparse_csc(Tensor self, int? dense_dim=None) -> Tensor").spelled(".to_sparse_csc");
  ops.op("aten::to_sparse_csr(Tensor self, int? dense_dim=None) -> Tensor").spelled(".to_sparse_csr");
  ops.op("aten::values(Tensor(a) self) -> Tensor(a)").spelled(".values");
  ops.op("aten::values_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch.values_copy");
  ops.op("aten::values_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
}
// clang-format on

}  // namespace descry::ir
