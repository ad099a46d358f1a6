// Sizes, properties, constraints and other effects.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerSymbolic(OpRegistry& ops) {
  ops.op("aten::_add_batch_dim(Tensor self, int batch_dim, int level) -> Tensor")
      .spelled("torch._add_batch_dim");
  ops.op("aten::_assert_async(Tensor self) -> ()").spelled("torch._assert_async");
  ops.op("aten::_assert_async.msg(Tensor self, str assert_msg) -> ()", kOpSideEffect);
  ops.op("aten::_assert_scalar(Scalar self, str assert_msg) -> ()", kOpSideEffect)
      .spelled("torch._assert_scalar");
  ops.op("aten::_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, "
         "ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()", kOpSideEffect)
      .spelled("torch._assert_tensor_metadata");
  ops.op("aten::_autocast_to_full_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled) -> "
         "Tensor(a)").spelled("._autocast_to_full_precision");
  ops.op("aten::_autocast_to_reduced_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled, "
         "ScalarType cuda_dtype, ScalarType cpu_dtype) -> Tensor(a)")
      .spelled("._autocast_to_reduced_precision");
  ops.op("aten::_cufft_clear_plan_cache(int device_index) -> ()").spelled("torch._cufft_clear_plan_cache");
  ops.op("aten::_cufft_get_plan_cache_max_size(int device_index) -> int")
      .spelled("torch._cufft_get_plan_cache_max_size");
  ops.op("aten::_cufft_get_plan_cache_size(int device_index) -> int")
      .spelled("torch._cufft_get_plan_cache_size");
  ops.op("aten::_cufft_set_plan_cache_max_size(int device_index, int max_size) -> ()")
      .spelled("torch._cufft_set_plan_cache_max_size");
  ops.op("aten::_debug_has_internal_overlap(Tensor self) -> int")
      .spelled("torch._debug_has_internal_overlap");
  ops.op("aten::_dim_arange(Tensor like, int dim) -> Tensor").spelled("torch._dim_arange");
  ops.op("aten::_functional_assert_async.msg(Tensor self, str assert_msg, Tensor dep_token) -> Tensor")
      .spelled("torch._functional_assert_async");
  ops.op("aten::_functional_assert_scalar(Scalar self, str assert_msg, Tensor dep_token) -> Tensor")
      .spelled("torch._functional_assert_scalar");
  ops.op("aten::_functional_sym_constrain_range(Scalar size, int? min, int? max, Tensor dep_token) -> "
         "Tensor").spelled("torch._functional_sym_constrain_range");
  ops.op("aten::_functional_sym_constrain_range_for_size(Scalar size, int? min, int? max, "
         "Tensor dep_token) -> Tensor").spelled("torch._functional_sym_constrain_range_for_size");
  ops.op("aten::_has_compatible_shallow_copy_type(Tensor self, Tensor from) -> bool")
      .spelled("torch._has_compatible_shallow_copy_type");
  ops.op("aten::_has_same_storage_numel(Tensor self, Tensor other) -> bool");
  ops.op("aten::_is_zerotensor(Tensor self) -> bool").spelled("torch._is_zerotensor ._is_zerotensor");
  ops.op("aten::_lazy_clone(Tensor self) -> Tensor").spelled("torch._lazy_clone ._lazy_clone");
  ops.op("aten::_make_dep_token(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
      .spelled("torch._make_dep_token");
  ops.op("aten::_make_dual(Tensor(a) primal, Tensor tangent, int level) -> Tensor(a)")
      .spelled("torch._make_dual");
  ops.op("aten::_make_dual_copy(Tensor primal, Tensor tangent, int level) -> Tensor", kOpViewCopy)
      .spelled("torch._make_dual_copy");
  ops.op("aten::_make_dual_copy.out(Tensor primal, Tensor tangent, int level, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpViewCopy);
  ops.op("aten::_nnpack_available() -> bool").spelled("torch._nnpack_available");
  ops.op("aten::_print(str s) -> ()", kOpSideEffect).spelled("torch._print");
  ops.op("aten::_propagate_xla_data(Tensor input, Tensor output) -> ()").spelled("torch._propagate_xla_data");
  ops.op("aten::_remove_batch_dim(Tensor self, int level, SymInt batch_size, int out_dim) -> Tensor")
      .spelled("torch._remove_batch_dim");
  ops.op("aten::_shape_as_tensor(Tensor self) -> Tensor").spelled("torch._shape_as_tensor");
  ops.op("aten::_unpack_dual(Tensor(a) dual, int level) -> (Tensor(a) primal, Tensor tangent)")
      .spelled("torch._unpack_dual");
  ops.op("aten::_version(Tensor self) -> int").spelled("._version");
  ops.op("aten::data(Tensor self) -> Tensor").spelled(".data");
  ops.op("aten::dense_dim(Tensor self) -> int").spelled(".dense_dim");
  ops.op("aten::dim(Tensor self) -> int").spelled(".dim");
  ops.op("aten::get_device(Tensor self) -> int").spelled("torch.get_device .get_device");
  ops.op("aten::get_gradients(int context_id) -> Dict(Tensor, Tensor)");
  ops.op("aten::is_complex(Tensor self) -> bool").spelled("torch.is_complex .is_complex");
  ops.op("aten::is_conj(Tensor self) -> bool").spelled("torch.is_conj .is_conj");
  ops.op("aten::is_contiguous(Tensor self) -> bool").spelled(".is_contiguous");
  ops.op("aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool");
  ops.op("aten::is_distributed(Tensor self) -> bool").spelled("torch.is_distributed .is_distributed");
  ops.op("aten::is_floating_point(Tensor self) -> bool")
      .spelled("torch.is_floating_point .is_floating_point");
  ops.op("aten::is_inference(Tensor self) -> bool").spelled("torch.is_inference .is_inference");
  ops.op("aten::is_leaf(Tensor self) -> bool").spelled(".is_leaf");
  ops.op("aten::is_neg(Tensor self) -> bool").spelled("torch.is_neg .is_neg");
  ops.op("aten::is_nonzero(Tensor self) -> bool").spelled("torch.is_nonzero .is_nonzero");
  ops.op("aten::is_same_size(Tensor self, Tensor other) -> bool").spelled("torch.is_same_size .is_same_size");
  ops.op("aten::is_set_to(Tensor self, Tensor tensor) -> bool").spelled(".is_set_to");
  ops.op("aten::is_signed(Tensor self) -> bool").spelled("torch.is_signed .is_signed");
  ops.op("aten::numel(Tensor self) -> int").spelled("torch.numel .numel");
  ops.op("aten::output_nr(Tensor self) -> int").spelled(".output_nr");
  ops.op("aten::record_stream(Tensor(a!) self, Stream s) -> ()").spelled(".record_stream");
  ops.op("aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)")
      .spelled(".requires_grad_");
  ops.op("aten::retain_grad(Tensor(a!) self) -> ()").spelled(".retain_grad");
  ops.op("aten::retains_grad(Tensor self) -> bool").spelled(".retains_grad");
  ops.op("aten::shallow_copy_data_(Tensor(a!) self, Tensor source) -> Tensor(a!)");
  ops.op("aten::size.int(Tensor self, int dim) -> int").spelled(".size");
  ops.op("aten::storage_offset(Tensor self) -> int").spelled(".storage_offset");
  ops.op("aten::stride.int(Tensor self, int dim) -> int").spelled(".stride");
  ops.op("aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()", kOpSideEffect)
      .spelled("torch.sym_constrain_range");
  ops.op("aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()",
         kOpSideEffect).spelled("torch.sym_constrain_range_for_size");
  ops.op("aten::sym_is_contiguous(Tensor self, MemoryFormat memory_format=0) -> SymBool", kOpCore);
  ops.op("aten::sym_numel(Tensor self) -> SymInt", kOpCore);
  ops.op("aten::sym_size.int(Tensor self, int dim) -> SymInt", kOpCore);
  ops.op("aten::sym_storage_offset(Tensor self) -> SymInt", kOpCore);
  ops.op("aten::sym_stride.int(Tensor self, int dim) -> SymInt", kOpCore);
}
// clang-format on

}  // namespace descry::ir
