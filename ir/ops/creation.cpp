// New tensors, copies, conversions.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerCreation(OpRegistry& ops) {
  ops.op("aten::_cast_Byte(Tensor self, bool non_blocking=False) -> Tensor").spelled("torch._cast_Byte");
  ops.op("aten::_cast_Char(Tensor self, bool non_blocking=False) -> Tensor").spelled("torch._cast_Char");
  ops.op("aten::_cast_Double(Tensor self, bool non_blocking=False) -> Tensor").spelled("torch._cast_Double");
  ops.op("aten::_cast_Float(Tensor self, bool non_blocking=False) -> Tensor").spelled("torch._cast_Float");
  ops.op("aten::_cast_Half(Tensor self, bool non_blocking=False) -> Tensor").spelled("torch._cast_Half");
  ops.op("aten::_cast_Int(Tensor self, bool non_blocking=False) -> Tensor").spelled("torch._cast_Int");
  ops.op("aten::_cast_Long(Tensor self, bool non_blocking=False) -> Tensor").spelled("torch._cast_Long");
  ops.op("aten::_cast_Short(Tensor self, bool non_blocking=False) -> Tensor").spelled("torch._cast_Short");
  ops.op("aten::_copy_from(Tensor self, Tensor dst, bool non_blocking=False) -> Tensor")
      .spelled("torch._copy_from");
  ops.op("aten::_copy_from.out(Tensor self, Tensor dst, bool non_blocking=False, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_copy_from_and_resize(Tensor self, Tensor dst) -> Tensor")
      .spelled("torch._copy_from_and_resize");
  ops.op("aten::_copy_from_and_resize.out(Tensor self, Tensor dst, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_efficientzerotensor(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor").spelled("torch._efficientzerotensor");
  ops.op("aten::_efficientzerotensor.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_fill_mem_eff_dropout_mask_(Tensor(a!) self, float dropout_p, int seed, int offset) -> "
         "Tensor(a!)", kOpRandom).spelled("torch._fill_mem_eff_dropout_mask_");
  ops.op("aten::_local_scalar_dense(Tensor self) -> Scalar", kOpCore | kOpDataDependent);
  ops.op("aten::_new_zeros_with_same_feature_meta(Tensor self, Tensor other, *, "
         "int self_num_batch_dims=0) -> Tensor");
  ops.op("aten::_new_zeros_with_same_feature_meta.out(Tensor self, Tensor other, *, "
         "int self_num_batch_dims=0, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_pin_memory(Tensor self, Device? device=None) -> Tensor").spelled("torch._pin_memory");
  ops.op("aten::_pin_memory.out(Tensor self, Device? device=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None, bool non_blocking=False, "
         "MemoryFormat? memory_format=None) -> Tensor", kOpCore);
  ops.op("aten::_to_copy.out(Tensor self, *, bool non_blocking=False, MemoryFormat? memory_format=None, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_to_cpu(Tensor[] tensors) -> Tensor[]").spelled("torch._to_cpu");
  ops.op("aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=None) -> Tensor").spelled("torch.arange");
  ops.op("aten::arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor");
  ops.op("aten::arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", kOpCore);
  ops.op("aten::can_cast(ScalarType from_, ScalarType to) -> bool").spelled("torch.can_cast");
  ops.op("aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", kOpCore | kOpPointwise)
      .spelled("torch.clone .clone");
  ops.op("aten::clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::complex(Tensor real, Tensor imag) -> Tensor").spelled("torch.complex");
  ops.op("aten::complex.out(Tensor real, Tensor imag, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)")
      .spelled(".contiguous");
  ops.op("aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor", kOpCore);
  ops.op("aten::copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)").spelled(".copy_");
  ops.op("aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", kOpCore)
      .spelled("torch.empty");
  ops.op("aten::empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
      .spelled("torch.empty_like");
  ops.op("aten::empty_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
      .spelled("torch.empty_permuted");
  ops.op("aten::empty_permuted.out(SymInt[] size, int[] physical_layout, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", kOpCore)
      .spelled("torch.empty_strided");
  ops.op("aten::empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
         "bool? pin_memory=None) -> Tensor").spelled("torch.eye");
  ops.op("aten::eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor");
  ops.op("aten::eye.m_out(SymInt n, SymInt m, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::eye.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fill.Scalar(Tensor self, Scalar value) -> Tensor", kOpCore).spelled("torch.fill");
  ops.op("aten::fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fill.Tensor(Tensor self, Tensor value) -> Tensor");
  ops.op("aten::fill.Tensor_out(Tensor self, Tensor value, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)").spelled("torch.fill_ .fill_");
  ops.op("aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)");
  ops.op("aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)")
      .spelled(".fill_diagonal_");
  ops.op("aten::from_file(str filename, bool? shared=None, int? size=0, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
      .spelled("torch.from_file");
  ops.op("aten::from_file.out(str filename, bool? shared=None, int? size=0, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor", kOpCore).spelled("torch.full");
  ops.op("aten::full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None, "
         "MemoryFormat? memory_format=None) -> Tensor", kOpCore).spelled("torch.full_like");
  ops.op("aten::full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::is_pinned(Tensor self, Device? device=None) -> bool").spelled(".is_pinned");
  ops.op("aten::item(Tensor self) -> Scalar", kOpDataDependent).spelled(".item");
  ops.op("aten::linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
      .spelled("torch.linspace");
  ops.op("aten::linspace.Scalar_Tensor(Scalar start, Tensor end, int steps, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
  ops.op("aten::linspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::linspace.Tensor_Scalar(Tensor start, Scalar end, int steps, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
  ops.op("aten::linspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
  ops.op("aten::linspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::linspace.out(Scalar start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::logspace(Scalar start, Scalar end, int steps, float base=10., *, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
         "Tensor").spelled("torch.logspace");
  ops.op("aten::logspace.Scalar_Tensor(Scalar start, Tensor end, int steps, float base=10., *, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
         "Tensor");
  ops.op("aten::logspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, float base=10., *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::logspace.Tensor_Scalar(Tensor start, Scalar end, int steps, float base=10., *, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
         "Tensor");
  ops.op("aten::logspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, float base=10., *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10., *, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
         "Tensor");
  ops.op("aten::logspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, float base=10., *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::logspace.out(Scalar start, Scalar end, int steps, float base=10., *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor").spelled(".new_empty");
  ops.op("aten::new_empty.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
         "Tensor").spelled(".new_empty_strided");
  ops.op("aten::new_empty_strided.out(Tensor self, SymInt[] size, SymInt[] stride, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor").spelled(".new_full");
  ops.op("aten::new_full.out(Tensor self, SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor").spelled(".new_ones");
  ops.op("aten::new_ones.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor").spelled(".new_zeros");
  ops.op("aten::new_zeros.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor").spelled("torch.ones");
  ops.op("aten::ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
      .spelled("torch.ones_like");
  ops.op("aten::ones_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)").spelled(".pin_memory");
  ops.op("aten::polar(Tensor abs, Tensor angle) -> Tensor").spelled("torch.polar");
  ops.op("aten::polar.out(Tensor abs, Tensor angle, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType")
      .spelled("torch.promote_types");
  ops.op("aten::range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor").spelled("torch.range");
  ops.op("aten::range.out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::range.out_(Scalar start, Scalar end, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor");
  ops.op("aten::result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType").spelled("torch.result_type");
  ops.op("aten::result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType");
  ops.op("aten::result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType");
  ops.op("aten::result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType");
  ops.op("aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor", kOpCore).spelled("torch.scalar_tensor");
  ops.op("aten::scalar_tensor.out(Scalar s, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, "
         "bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)").spelled(".to");
  ops.op("aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, "
         "MemoryFormat? memory_format=None) -> Tensor(a)");
  ops.op("aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, "
         "MemoryFormat? memory_format=None) -> Tensor(a)");
  ops.op("aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, "
         "MemoryFormat? memory_format=None) -> Tensor(a)");
  ops.op("aten::type_as(Tensor self, Tensor other) -> Tensor").spelled(".type_as");
  ops.op("aten::zero(Tensor self) -> Tensor");
  ops.op("aten::zero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::zero_(Tensor(a!) self) -> Tensor(a!)").spelled("torch.zero_ .zero_");
  ops.op("aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor").spelled("torch.zeros");
  ops.op("aten::zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
      .spelled("torch.zeros_like");
  ops.op("aten::zeros_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
         "Tensor(a!)");
}
// clang-format on

}  // namespace descry::ir
