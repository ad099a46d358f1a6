// Views and shape changes, their copying twins, joins and splits.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerView(OpRegistry& ops) {
  ops.op("aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor").spelled("torch._chunk_cat");
  ops.op("aten::_chunk_cat.out(Tensor[] tensors, int dim, int num_chunks, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_conj(Tensor(a) self) -> Tensor(a)").spelled("torch._conj ._conj");
  ops.op("aten::_conj_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch._conj_copy");
  ops.op("aten::_conj_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::_conj_physical(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch._conj_physical ._conj_physical");
  ops.op("aten::_conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_neg_view(Tensor(a) self) -> Tensor(a)").spelled("torch._neg_view ._neg_view");
  ops.op("aten::_neg_view_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch._neg_view_copy");
  ops.op("aten::_neg_view_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)");
  ops.op("aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor", kOpViewCopy)
      .spelled("torch._reshape_alias_copy");
  ops.op("aten::_reshape_alias_copy.out(Tensor self, SymInt[] size, SymInt[] stride, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor");
  ops.op("aten::_reshape_from_tensor(Tensor self, Tensor shape) -> Tensor")
      .spelled("torch._reshape_from_tensor");
  ops.op("aten::_resize_output(Tensor self, SymInt[] size, Device device) -> Tensor");
  ops.op("aten::_resize_output.out(Tensor self, SymInt[] size, Device device, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_resize_output_(Tensor(a!) self, SymInt[] size, Device device) -> Tensor(a!)")
      .spelled("torch._resize_output_");
  ops.op("aten::_spdiags(Tensor diagonals, Tensor offsets, int[] shape, Layout? layout=None) -> Tensor")
      .spelled("torch._C._sparse._spdiags torch.sparse.spdiags");
  ops.op("aten::_spdiags.out(Tensor diagonals, Tensor offsets, int[] shape, Layout? layout=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_stack(Tensor[] tensors, int dim=0) -> Tensor").spelled("torch._stack");
  ops.op("aten::_stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor");
  ops.op("aten::_unsafe_view.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::adjoint(Tensor(a) self) -> Tensor(a)").spelled("torch.adjoint .adjoint");
  ops.op("aten::alias(Tensor(a) self) -> Tensor(a)", kOpCore);
  ops.op("aten::alias_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch.alias_copy");
  ops.op("aten::alias_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, "
         "SymInt? storage_offset=None) -> Tensor(a)", kOpCore).spelled("torch.as_strided .as_strided");
  ops.op("aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, "
         "SymInt? storage_offset=None) -> Tensor(a!)", kOpInplaceView)
      .spelled("torch.as_strided_ .as_strided_");
  ops.op("aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, "
         "SymInt? storage_offset=None) -> Tensor", kOpViewCopy).spelled("torch.as_strided_copy");
  ops.op("aten::as_strided_copy.out(Tensor self, SymInt[] size, SymInt[] stride, "
         "SymInt? storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, "
         "SymInt? storage_offset=None) -> Tensor").spelled("torch.as_strided_scatter .as_strided_scatter");
  ops.op("aten::as_strided_scatter.out(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, "
         "SymInt? storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::atleast_1d(Tensor self) -> Tensor");
  ops.op("aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]");
  ops.op("aten::atleast_2d(Tensor self) -> Tensor");
  ops.op("aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]");
  ops.op("aten::atleast_3d(Tensor self) -> Tensor");
  ops.op("aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]");
  ops.op("aten::block_diag(Tensor[] tensors) -> Tensor");
  ops.op("aten::block_diag.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]");
  ops.op("aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)")
      .spelled("torch.broadcast_to .broadcast_to");
  ops.op("aten::cartesian_prod(Tensor[] tensors) -> Tensor");
  ops.op("aten::cat(Tensor[] tensors, int dim=0) -> Tensor", kOpCore).spelled("torch.cat");
  ops.op("aten::cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]")
      .spelled("torch.chunk .chunk");
  ops.op("aten::column_stack(Tensor[] tensors) -> Tensor").spelled("torch.column_stack");
  ops.op("aten::column_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor")
      .spelled("torch.combinations");
  ops.op("aten::concat(Tensor[] tensors, int dim=0) -> Tensor").spelled("torch.concat");
  ops.op("aten::concat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor").spelled("torch.concatenate");
  ops.op("aten::concatenate.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::conj(Tensor(a) self) -> Tensor(a)").spelled("torch.conj .conj");
  ops.op("aten::conj_physical(Tensor self) -> Tensor", kOpPointwise)
      .spelled("torch.conj_physical .conj_physical");
  ops.op("aten::conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::conj_physical_(Tensor(a!) self) -> Tensor(a!)", kOpPointwise)
      .spelled("torch.conj_physical_ .conj_physical_");
  ops.op("aten::diag(Tensor self, int diagonal=0) -> Tensor").spelled("torch.diag .diag");
  ops.op("aten::diag.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor")
      .spelled("torch.diag_embed .diag_embed");
  ops.op("aten::diag_embed.out(Tensor self, int offset=0, int dim1=-2, int dim2=-1, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::diagflat(Tensor self, int offset=0) -> Tensor").spelled("torch.diagflat .diagflat");
  ops.op("aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)", kOpCore)
      .spelled("torch.diagonal .diagonal");
  ops.op("aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor", kOpViewCopy)
      .spelled("torch.diagonal_copy");
  ops.op("aten::diagonal_copy.out(Tensor self, int offset=0, int dim1=0, int dim2=1, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor")
      .spelled("torch.diagonal_scatter .diagonal_scatter");
  ops.op("aten::diagonal_scatter.out(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]")
      .spelled("torch.dsplit .dsplit");
  ops.op("aten::dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]");
  ops.op("aten::dstack(Tensor[] tensors) -> Tensor").spelled("torch.dstack");
  ops.op("aten::dstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)", kOpCore)
      .spelled(".expand");
  ops.op("aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)").spelled(".expand_as");
  ops.op("aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor", kOpViewCopy)
      .spelled("torch.expand_copy");
  ops.op("aten::expand_copy.out(Tensor self, SymInt[] size, *, bool implicit=False, Tensor(a!) out) -> "
         "Tensor(a!)", kOpViewCopy);
  ops.op("aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)")
      .spelled("torch.flatten .flatten");
  ops.op("aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor")
      .spelled("torch._C._nn.flatten_dense_tensors");
  ops.op("aten::flip(Tensor self, int[] dims) -> Tensor", kOpCore).spelled("torch.flip .flip");
  ops.op("aten::flip.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fliplr(Tensor self) -> Tensor").spelled("torch.fliplr .fliplr");
  ops.op("aten::flipud(Tensor self) -> Tensor").spelled("torch.flipud .flipud");
  ops.op("aten::hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]")
      .spelled("torch.hsplit .hsplit");
  ops.op("aten::hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]");
  ops.op("aten::hstack(Tensor[] tensors) -> Tensor").spelled("torch.hstack");
  ops.op("aten::hstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::imag(Tensor(a) self) -> Tensor(a)").spelled("torch.imag .imag");
  ops.op("aten::lift(Tensor self) -> Tensor");
  ops.op("aten::lift.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::lift_fresh(Tensor(a) self) -> Tensor(a)");
  ops.op("aten::lift_fresh_copy(Tensor self) -> Tensor", kOpViewCopy);
  ops.op("aten::lift_fresh_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::mH(Tensor(a) self) -> Tensor(a)").spelled(".mH");
  ops.op("aten::mT(Tensor(a) self) -> Tensor(a)").spelled(".mT");
  ops.op("aten::meshgrid(Tensor[] tensors) -> Tensor[]");
  ops.op("aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]");
  ops.op("aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)")
      .spelled("torch.moveaxis .moveaxis");
  ops.op("aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)");
  ops.op("aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)")
      .spelled("torch.movedim .movedim");
  ops.op("aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)");
  ops.op("aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)")
      .spelled("torch.narrow .narrow");
  ops.op("aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)");
  ops.op("aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor", kOpViewCopy)
      .spelled("torch.narrow_copy .narrow_copy");
  ops.op("aten::narrow_copy.out(Tensor self, int dim, SymInt start, SymInt length, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::numpy_T(Tensor(a) self) -> Tensor(a)");
  ops.op("aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)", kOpCore).spelled("torch.permute .permute");
  ops.op("aten::permute_copy(Tensor self, int[] dims) -> Tensor", kOpViewCopy).spelled("torch.permute_copy");
  ops.op("aten::permute_copy.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::ravel(Tensor(a) self) -> Tensor(a)").spelled("torch.ravel .ravel");
  ops.op("aten::real(Tensor(a) self) -> Tensor(a)").spelled("torch.real .real");
  ops.op("aten::repeat(Tensor self, SymInt[] repeats) -> Tensor", kOpCore).spelled(".repeat");
  ops.op("aten::repeat.out(Tensor self, SymInt[] repeats, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor",
         kOpDynamicShape).spelled("torch.repeat_interleave .repeat_interleave");
  ops.op("aten::repeat_interleave.Tensor_out(Tensor repeats, *, SymInt? output_size=None, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, "
         "SymInt? output_size=None) -> Tensor");
  ops.op("aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, "
         "SymInt? output_size=None) -> Tensor");
  ops.op("aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)").spelled("torch.reshape .reshape");
  ops.op("aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)").spelled(".reshape_as");
  ops.op("aten::resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor");
  ops.op("aten::resize.out(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)",
         kOpCore | kOpInplaceView).spelled(".resize_");
  ops.op("aten::resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor");
  ops.op("aten::resize_as.out(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::resize_as_(Tensor(a!) self, Tensor the_template, *, "
         "MemoryFormat? memory_format=None) -> Tensor(a!)", kOpInplaceView)
      .spelled("torch.resize_as_ .resize_as_");
  ops.op("aten::resolve_conj(Tensor(a) self) -> Tensor(a)").spelled("torch.resolve_conj .resolve_conj");
  ops.op("aten::resolve_neg(Tensor(a) self) -> Tensor(a)").spelled("torch.resolve_neg .resolve_neg");
  ops.op("aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor").spelled("torch.roll .roll");
  ops.op("aten::roll.out(Tensor self, SymInt[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor").spelled("torch.rot90 .rot90");
  ops.op("aten::rot90.out(Tensor self, int k=1, int[] dims=[0, 1], *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::row_stack(Tensor[] tensors) -> Tensor").spelled("torch.row_stack");
  ops.op("aten::row_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)", kOpCore)
      .spelled("torch.select .select");
  ops.op("aten::select_copy.int(Tensor self, int dim, SymInt index) -> Tensor", kOpViewCopy)
      .spelled("torch.select_copy");
  ops.op("aten::select_copy.int_out(Tensor self, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!)",
         kOpViewCopy);
  ops.op("aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor", kOpCore)
      .spelled("torch.select_scatter .select_scatter");
  ops.op("aten::select_scatter.out(Tensor self, Tensor src, int dim, SymInt index, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::set(Tensor self) -> Tensor");
  ops.op("aten::set.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::set.source_Storage(Tensor self, Storage source) -> Tensor");
  ops.op("aten::set.source_Storage_out(Tensor self, Storage source, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::set.source_Storage_storage_offset(Tensor self, Storage source, SymInt storage_offset, "
         "SymInt[] size, SymInt[] stride=[]) -> Tensor");
  ops.op("aten::set.source_Storage_storage_offset_out(Tensor self, Storage source, "
         "SymInt storage_offset, SymInt[] size, SymInt[] stride=[], *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::set.source_Tensor(Tensor self, Tensor source) -> Tensor");
  ops.op("aten::set.source_Tensor_out(Tensor self, Tensor source, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::set_(Tensor(a!) self) -> Tensor(a!)", kOpInplaceView).spelled(".set_");
  ops.op("aten::set_.source_Storage(Tensor(a!) self, Storage source) -> Tensor(a!)", kOpInplaceView);
  ops.op("aten::set_.source_Storage_storage_offset(Tensor(a!) self, Storage source, "
         "SymInt storage_offset, SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)", kOpInplaceView);
  ops.op("aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)", kOpInplaceView);
  ops.op("aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, "
         "SymInt storage_offset, SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)", kOpInplaceView);
  ops.op("aten::set_data(Tensor(a!) self, Tensor new_data) -> ()");
  ops.op("aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, "
         "SymInt step=1) -> Tensor(a)", kOpCore);
  ops.op("aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, "
         "SymInt step=1) -> Tensor", kOpViewCopy).spelled("torch.slice_copy");
  ops.op("aten::slice_copy.Tensor_out(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, "
         "SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::slice_inverse(Tensor(a) self, Tensor src, int dim=0, SymInt? start=None, "
         "SymInt? end=None, SymInt step=1) -> Tensor(a)").spelled("torch.slice_inverse .slice_inverse");
  ops.op("aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, "
         "SymInt step=1) -> Tensor", kOpCore | kOpViewCopy).spelled("torch.slice_scatter .slice_scatter");
  ops.op("aten::slice_scatter.out(Tensor self, Tensor src, int dim=0, SymInt? start=None, "
         "SymInt? end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]")
      .spelled(".split");
  ops.op("aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]");
  ops.op("aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", kOpViewCopy)
      .spelled("torch.split_copy");
  ops.op("aten::split_copy.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, "
         "Tensor(a!)[] out) -> ()");
  ops.op("aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
         kOpCore).spelled("torch.split_with_sizes .split_with_sizes");
  ops.op("aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
         kOpViewCopy).spelled("torch.split_with_sizes_copy");
  ops.op("aten::split_with_sizes_copy.out(Tensor self, SymInt[] split_sizes, int dim=0, *, "
         "Tensor(a!)[] out) -> ()");
  ops.op("aten::squeeze(Tensor(a) self) -> Tensor(a)").spelled("torch.squeeze .squeeze");
  ops.op("aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", kOpCore);
  ops.op("aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", kOpCore);
  ops.op("aten::squeeze_(Tensor(a!) self) -> Tensor(a!)", kOpInplaceView).spelled(".squeeze_");
  ops.op("aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)", kOpInplaceView);
  ops.op("aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)", kOpInplaceView);
  ops.op("aten::squeeze_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch.squeeze_copy");
  ops.op("aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor", kOpViewCopy);
  ops.op("aten::squeeze_copy.dim_out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor", kOpViewCopy);
  ops.op("aten::squeeze_copy.dims_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::squeeze_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::stack(Tensor[] tensors, int dim=0) -> Tensor").spelled("torch.stack");
  ops.op("aten::stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)")
      .spelled("torch.swapaxes .swapaxes");
  ops.op("aten::swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)", kOpInplaceView)
      .spelled(".swapaxes_");
  ops.op("aten::swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)")
      .spelled("torch.swapdims .swapdims");
  ops.op("aten::swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", kOpInplaceView)
      .spelled(".swapdims_");
  ops.op("aten::t(Tensor(a) self) -> Tensor(a)").spelled("torch.t .t");
  ops.op("aten::t_(Tensor(a!) self) -> Tensor(a!)", kOpInplaceView).spelled(".t_");
  ops.op("aten::t_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch.t_copy");
  ops.op("aten::t_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]")
      .spelled("torch.tensor_split .tensor_split");
  ops.op("aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]");
  ops.op("aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, "
         "Tensor tensor_indices_or_sections, int dim=0) -> Tensor(a)[]");
  ops.op("aten::tile(Tensor self, SymInt[] dims) -> Tensor").spelled("torch.tile .tile");
  ops.op("aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)")
      .spelled("torch.transpose .transpose");
  ops.op("aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", kOpInplaceView)
      .spelled(".transpose_");
  ops.op("aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor", kOpViewCopy)
      .spelled("torch.transpose_copy");
  ops.op("aten::transpose_copy.int_out(Tensor self, int dim0, int dim1, *, Tensor(a!) out) -> Tensor(a!)",
         kOpViewCopy);
  ops.op("aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor").spelled("torch.trapz");
  ops.op("aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor");
  ops.op("aten::tril(Tensor self, SymInt diagonal=0) -> Tensor").spelled("torch.tril .tril");
  ops.op("aten::tril.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::tril_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)").spelled(".tril_");
  ops.op("aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
      .spelled("torch.tril_indices");
  ops.op("aten::tril_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::triu(Tensor self, SymInt diagonal=0) -> Tensor").spelled("torch.triu .triu");
  ops.op("aten::triu.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::triu_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)").spelled(".triu_");
  ops.op("aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
      .spelled("torch.triu_indices");
  ops.op("aten::triu_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]").spelled("torch.unbind .unbind");
  ops.op("aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]", kOpViewCopy)
      .spelled("torch.unbind_copy");
  ops.op("aten::unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> ()");
  ops.op("aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)")
      .spelled("torch.unflatten .unflatten");
  ops.op("aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]")
      .spelled("torch._C._nn.unflatten_dense_tensors");
  ops.op("aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor", kOpViewCopy)
      .spelled("torch.unfold_copy");
  ops.op("aten::unfold_copy.out(Tensor self, int dimension, int size, int step, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpViewCopy);
  ops.op("aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]")
      .spelled("torch.unsafe_chunk .unsafe_chunk");
  ops.op("aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]")
      .spelled("torch.unsafe_split .unsafe_split");
  ops.op("aten::unsafe_split.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, "
         "Tensor(a!)[] out) -> ()");
  ops.op("aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]")
      .spelled("torch.unsafe_split_with_sizes .unsafe_split_with_sizes");
  ops.op("aten::unsafe_split_with_sizes.out(Tensor self, SymInt[] split_sizes, int dim=0, *, "
         "Tensor(a!)[] out) -> ()");
  ops.op("aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", kOpCore)
      .spelled("torch.unsqueeze .unsqueeze");
  ops.op("aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", kOpInplaceView).spelled(".unsqueeze_");
  ops.op("aten::unsqueeze_copy(Tensor self, int dim) -> Tensor", kOpViewCopy).spelled("torch.unsqueeze_copy");
  ops.op("aten::unsqueeze_copy.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)", kOpCore).spelled(".view");
  ops.op("aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)");
  ops.op("aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)").spelled(".view_as");
  ops.op("aten::view_as_complex(Tensor(a) self) -> Tensor(a)").spelled("torch.view_as_complex");
  ops.op("aten::view_as_complex_copy(Tensor self) -> Tensor", kOpViewCopy)
      .spelled("torch.view_as_complex_copy");
  ops.op("aten::view_as_complex_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::view_as_real(Tensor(a) self) -> Tensor(a)").spelled("torch.view_as_real");
  ops.op("aten::view_as_real_copy(Tensor self) -> Tensor", kOpViewCopy).spelled("torch.view_as_real_copy");
  ops.op("aten::view_as_real_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::view_copy(Tensor self, SymInt[] size) -> Tensor", kOpViewCopy).spelled("torch.view_copy");
  ops.op("aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor", kOpViewCopy);
  ops.op("aten::view_copy.dtype_out(Tensor self, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)",
         kOpViewCopy);
  ops.op("aten::view_copy.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]")
      .spelled("torch.vsplit .vsplit");
  ops.op("aten::vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]");
  ops.op("aten::vstack(Tensor[] tensors) -> Tensor").spelled("torch.vstack");
  ops.op("aten::vstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)");
}
// clang-format on

}  // namespace descry::ir
