// Collectives.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerCollectives(OpRegistry& ops) {
  ops.op("_c10d_functional::_wrap_tensor_autograd(Tensor input) -> Tensor", kOpCommunicates);
  ops.op("_c10d_functional::all_gather_into_tensor(Tensor input, int group_size, Any group_name) -> Tensor",
         kOpCommunicates);
  ops.op("_c10d_functional::all_gather_into_tensor_coalesced(Tensor[] inputs, int group_size, "
         "Any group_name) -> Tensor[]", kOpCommunicates);
  ops.op("_c10d_functional::all_gather_into_tensor_out(Tensor input, int group_size, Any group_name, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpCommunicates);
  ops.op("_c10d_functional::all_reduce(Tensor input, Any reduce_op, Any group_name) -> Tensor",
         kOpCommunicates);
  ops.op("_c10d_functional::all_reduce_(Tensor(a!) input, Any reduce_op, Any group_name) -> Tensor(a!)",
         kOpCommunicates);
  ops.op("_c10d_functional::all_reduce_coalesced(Tensor[] inputs, Any reduce_op, Any group_name) -> "
         "Tensor[]", kOpCommunicates);
  ops.op("_c10d_functional::all_reduce_coalesced_(Tensor[](a!) inputs, Any reduce_op, "
         "Any group_name) -> Tensor[](a!)", kOpCommunicates);
  ops.op("_c10d_functional::all_to_all_single(Tensor input, SymInt[] output_split_sizes, "
         "SymInt[] input_split_sizes, Any group_name) -> Tensor", kOpCommunicates);
  ops.op("_c10d_functional::batch_p2p_ops(str[] op_list, int[] peer_list, int[] tag_list, "
         "Tensor[] tensors, str group_name) -> Tensor[]", kOpCommunicates | kOpSideEffect);
  ops.op("_c10d_functional::broadcast(Tensor input, int src, Any group_name) -> Tensor", kOpCommunicates);
  ops.op("_c10d_functional::broadcast_(Tensor(a!) input, int src, Any group_name) -> Tensor(a!)",
         kOpCommunicates);
  ops.op("_c10d_functional::irecv(Tensor tensor, int src, int tag, str group_name) -> Tensor",
         kOpCommunicates | kOpSideEffect);
  ops.op("_c10d_functional::isend(Tensor tensor, int dst, int tag, str group_name) -> Tensor",
         kOpCommunicates | kOpSideEffect);
  ops.op("_c10d_functional::reduce_scatter_tensor(Tensor input, str reduce_op, int group_size, "
         "Any group_name) -> Tensor", kOpCommunicates);
  ops.op("_c10d_functional::reduce_scatter_tensor_coalesced(Tensor[] inputs, str reduce_op, "
         "int group_size, Any group_name) -> Tensor[]", kOpCommunicates);
  ops.op("_c10d_functional::reduce_scatter_tensor_out(Tensor input, str reduce_op, int group_size, "
         "Any group_name, *, Tensor(a!) out) -> Tensor(a!)", kOpCommunicates);
  ops.op("_c10d_functional::wait_tensor(Tensor tensor) -> Tensor", kOpCommunicates | kOpSideEffect);
  ops.op("_c10d_functional::wait_tensors(Tensor[] tensors) -> Tensor[]", kOpCommunicates | kOpSideEffect);
  ops.op("_c10d_functional_autograd::all_gather_into_tensor(Tensor input, int group_size, "
         "Any group_name) -> Tensor", kOpCommunicates);
  ops.op("_c10d_functional_autograd::all_to_all_single(Tensor input, SymInt[] output_split_sizes, "
         "SymInt[] input_split_sizes, Any group_name) -> Tensor", kOpCommunicates);
  ops.op("_c10d_functional_autograd::reduce_scatter_tensor(Tensor input, str reduce_op, int group_size, "
         "Any group_name) -> Tensor", kOpCommunicates);
  ops.op("_dtensor::mesh_get_process_group(PyObject mesh, int dim) -> PyObject");
  ops.op("_dtensor::shard_dim_alltoall(Tensor input, int gather_dim, int shard_dim, Any group_name) -> "
         "Tensor");
  ops.op("c10d::_allgather_base_(Tensor output_tensor, Tensor input_tensor, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, bool async_op=True, "
         "int timeout=-1) -> (Tensor, __torch__.torch.classes.c10d.Work)", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::_reduce_scatter_base_(Tensor output_tensor, Tensor input_tensor, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, "
         "__torch__.torch.classes.c10d.ReduceOp reduce_op, bool async_op=True, int timeout=-1) -> "
         "(Tensor, __torch__.torch.classes.c10d.Work)", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::allgather_(Tensor[][] output_tensors, Tensor[] input_tensors, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, bool async_op=True, "
         "int timeout=-1) -> (Tensor[][], __torch__.torch.classes.c10d.Work)",
         kOpCommunicates | kOpSideEffect);
  ops.op("c10d::allgather_coalesced_(Tensor[][] output_lists, Tensor[] input_list, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, bool async_op=True) -> "
         "__torch__.torch.classes.c10d.Work", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::allgather_into_tensor_coalesced_(Tensor[] outputs, Tensor[] inputs, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, bool async_op=True) -> "
         "__torch__.torch.classes.c10d.Work", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::allreduce_(Tensor[] tensors, __torch__.torch.classes.c10d.ProcessGroup process_group, "
         "__torch__.torch.classes.c10d.ReduceOp reduce_op, Tensor? sparse_indices, bool async_op=True, "
         "int timeout=-1) -> (Tensor[], __torch__.torch.classes.c10d.Work)", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::allreduce_coalesced_(Tensor[] tensors, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, "
         "__torch__.torch.classes.c10d.ReduceOp reduce_op, bool async_op=True, int timeout=-1) -> "
         "__torch__.torch.classes.c10d.Work", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::alltoall_(Tensor[] output_tensors, Tensor[] input_tensors, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, bool async_op=True, "
         "int timeout=-1) -> (Tensor[], __torch__.torch.classes.c10d.Work)", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::alltoall_base_(Tensor output, Tensor input, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, int[] output_split_sizes, "
         "int[] input_split_sizes, bool async_op=True, int timeout=-1) -> "
         "__torch__.torch.classes.c10d.Work", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::barrier(Tensor tensor, __torch__.torch.classes.c10d.ProcessGroup process_group, "
         "int[] device_ids, bool async_op=True, int timeout=-1) -> __torch__.torch.classes.c10d.Work",
         kOpCommunicates | kOpSideEffect);
  ops.op("c10d::broadcast_(Tensor[] tensors, __torch__.torch.classes.c10d.ProcessGroup process_group, "
         "int root_rank, int root_tensor, bool async_op=True, int timeout=-1) -> (Tensor[], "
         "__torch__.torch.classes.c10d.Work)", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::check_for_nan(Tensor tensor) -> ()", kOpCommunicates);
  ops.op("c10d::gather_(Tensor[][] output_tensors, Tensor[] input_tensors, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, int root_rank, bool async_op=True, "
         "int timeout=-1) -> __torch__.torch.classes.c10d.Work", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::gather_into_tensor_(Tensor output_tensor, Tensor input_tensor, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, int root_rank, bool async_op=True, "
         "int timeout=-1) -> (Tensor, __torch__.torch.classes.c10d.Work)", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::monitored_barrier_(Tensor tensor, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, int[] device_ids, int timeout, "
         "bool wait_all_ranks) -> ()", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::recv_(Tensor[] tensors, __torch__.torch.classes.c10d.ProcessGroup process_group, "
         "int src, int tag) -> __torch__.torch.classes.c10d.Work", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::recv_any_source_(Tensor[] tensors, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, int tag) -> "
         "__torch__.torch.classes.c10d.Work", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::reduce_(Tensor[] tensors, __torch__.torch.classes.c10d.ProcessGroup process_group, "
         "__torch__.torch.classes.c10d.ReduceOp reduce_op, int root_rank, int root_tensor, "
         "bool async_op=True, int timeout=-1) -> __torch__.torch.classes.c10d.Work",
         kOpCommunicates | kOpSideEffect);
  ops.op("c10d::reduce_scatter_(Tensor[] output_tensors, Tensor[][] input_tensors, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, "
         "__torch__.torch.classes.c10d.ReduceOp reduce_op, bool async_op=True, int timeout=-1) -> "
         "(Tensor[], __torch__.torch.classes.c10d.Work)", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::reduce_scatter_tensor_coalesced_(Tensor[] outputs, Tensor[] inputs, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, "
         "__torch__.torch.classes.c10d.ReduceOp reduce_op, bool async_op=True, int timeout=-1) -> "
         "__torch__.torch.classes.c10d.Work", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::scatter_(Tensor[] output_tensors, Tensor[][] input_tensors, "
         "__torch__.torch.classes.c10d.ProcessGroup process_group, int root_rank, bool async_op=True, "
         "int timeout=-1) -> (Tensor[], __torch__.torch.classes.c10d.Work)", kOpCommunicates | kOpSideEffect);
  ops.op("c10d::send(Tensor[] tensors, __torch__.torch.classes.c10d.ProcessGroup process_group, "
         "int dst, int tag) -> __torch__.torch.classes.c10d.Work", kOpCommunicates | kOpSideEffect);
  ops.op("c10d_functional::all_gather_into_tensor(Tensor shard, str tag, int[] ranks, "
         "int group_size) -> Tensor", kOpCommunicates);
  ops.op("c10d_functional::all_gather_into_tensor_coalesced(Tensor[] input, str tag, int[] ranks, "
         "int group_size) -> Tensor[]", kOpCommunicates);
  ops.op("c10d_functional::all_reduce(Tensor self, str reduceOp, str tag, int[] ranks, "
         "int group_size) -> Tensor", kOpCommunicates);
  ops.op("c10d_functional::all_reduce_coalesced(Tensor[] self, str reduceOp, str tag, int[] ranks, "
         "int group_size) -> Tensor[]", kOpCommunicates);
  ops.op("c10d_functional::all_to_all_single(Tensor input, SymInt[]? output_split_sizes, "
         "SymInt[]? input_split_sizes, str tag, int[] ranks, int group_size) -> Tensor", kOpCommunicates);
  ops.op("c10d_functional::batch_p2p_ops(str[] op_list, int[] peer_list, int[] tag_list, "
         "Tensor[] tensors, str group_name) -> Tensor[]", kOpCommunicates);
  ops.op("c10d_functional::broadcast(Tensor self, int src, str tag, int[] ranks, int group_size) -> Tensor",
         kOpCommunicates);
  ops.op("c10d_functional::irecv(Tensor self, int src, int tag, str group_name) -> Tensor", kOpCommunicates);
  ops.op("c10d_functional::isend(Tensor self, int dst, int tag, str group_name) -> Tensor", kOpCommunicates);
  ops.op("c10d_functional::reduce_scatter_tensor(Tensor input, str reduceOp, str tag, int[] ranks, "
         "int group_size) -> Tensor", kOpCommunicates);
  ops.op("c10d_functional::reduce_scatter_tensor_coalesced(Tensor[] inputs, str reduceOp, str tag, "
         "int[] ranks, int group_size) -> Tensor[]", kOpCommunicates);
  ops.op("c10d_functional::wait_tensor(Tensor self) -> Tensor", kOpCommunicates);
  ops.op("fsdp::all_gather_copy_in(Tensor[] all_gather_inputs, Tensor all_gather_output, "
         "SymInt[] inp_split_sizes, SymInt all_gather_input_numel, SymInt rank) -> (Tensor, Tensor)");
  ops.op("fsdp::chunk_cat(Tensor[] tensors, int dim, int num_chunks, *, Tensor(a!) out) -> ()");
  ops.op("fsdp::chunk_cat_mixed_dtype(Tensor[] tensors, int dim, int num_chunks, *, Tensor(a!) out) -> ()");
  ops.op("fsdp::copy_(Tensor(a!) tensor, Tensor data) -> ()");
  ops.op("fsdp::record_grad_output_stream(Tensor buffer, int stream_id, int device_index, "
         "int device_type) -> ()");
  ops.op("fsdp::split_with_sizes_copy(Tensor all_gather_output, SymInt[] all_gather_input_split_sizes, "
         "int dim=0, *, Tensor(a!)[] out) -> ()");
}
// clang-format on

}  // namespace descry::ir
