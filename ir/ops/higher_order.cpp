// Higher order ops: they take subgraphs or ops as arguments. PyTorch gives them no schema; the ones here
// follow the Python signatures. `...` stands for `*args` and `**kwargs`.
#include "ir/ops/tables.h"

namespace descry::ir {

namespace {
constexpr uint32_t kHop = kOpComposite;
constexpr uint32_t kHopEffect = kOpComposite | kOpSideEffect;
}  // namespace

// clang-format off
void registerHigherOrder(OpRegistry& ops) {
  ops.op("higher_order::_export_tracepoint(...) -> ...", kHop);
  ops.op("higher_order::aoti_call_delegate(Any lowered_module, Any original_gm, Any weight_args, "
         "Any input_args) -> ...", kHop);
  ops.op("higher_order::associative_scan(Any combine_fn, Any xs, Any additional_inputs) -> ...", kHop);
  ops.op("higher_order::auto_functionalized(Any _mutable_op, ...) -> ...", kHop);
  ops.op("higher_order::auto_functionalized_v2(Any _mutable_op, ...) -> ...", kHop);
  ops.op("higher_order::autograd_function_apply(Any fwd, Any bwd, ...) -> ...", kHop);
  ops.op("higher_order::call_torchbind(Any obj, Any method, ...) -> ...", kHopEffect);
  ops.op("higher_order::cond(Any pred, Any true_fn, Any false_fn, Any operands=()) -> ...", kHop)
      .spelled("torch.cond torch._higher_order_ops.cond");
  ops.op("higher_order::control_deps(Any additional_deps, Any subgraph, ...) -> ...", kHopEffect);
  ops.op("higher_order::custom_function_call(Any autograd_function, ...) -> ...", kHop);
  ops.op("higher_order::dynamo_bypassing_wrapper(Any wrapper_fn_or_key, Any inner_fn, ...) -> ...", kHop);
  ops.op("higher_order::executorch_call_delegate(Any lowered_module, ...) -> ...", kHop);
  ops.op("higher_order::flat_apply(Any func, Any in_spec, ...) -> ...", kHop);
  ops.op("higher_order::flex_attention(Tensor query, Tensor key, Tensor value, Any score_mod, "
         "Any block_mask, float scale, Any kernel_options, Any score_mod_other_buffers=(), "
         "Any mask_mod_other_buffers=()) -> (Tensor, Tensor, Tensor)", kHop);
  ops.op("higher_order::flex_attention_backward(Tensor query, Tensor key, Tensor value, Tensor out, "
         "Tensor logsumexp, Tensor? grad_out, Tensor? grad_logsumexp, Any fw_graph, Any joint_graph, "
         "Any block_mask, float scale, Any kernel_options, Any score_mod_other_buffers=(), "
         "Any mask_mod_other_buffers=()) -> (Tensor, Tensor, Tensor, Any)", kHop);
  ops.op("higher_order::flex_gemm(Any gemm_op, Any body_fn, Any gemm_args, Any gemm_kwargs, "
         "Any kernel_options) -> ...", kHop);
  ops.op("higher_order::foreach_map(Any fn, ...) -> ...", kHop);
  ops.op("higher_order::graphsafe_run_with_rng_state(Any op, ...) -> ...", kHop | kOpRandom);
  ops.op("higher_order::hints_wrapper(Any body_fn, Any args, Any kwargs, Any hints) -> ...", kHop);
  ops.op("higher_order::inductor_compiled_code(Any func, Any inputs, *, str? name=None) -> ...", kHop);
  ops.op("higher_order::inline_asm_elementwise(...) -> ...", kHop);
  ops.op("higher_order::invoke_leaf_function(Any real_fn_callable, Any fake_fn_callable, Any input_spec, "
         "Any mutated_arg_indices, ...) -> ...", kHopEffect);
  ops.op("higher_order::invoke_quant(Any subgraph, ...) -> ...", kHop);
  ops.op("higher_order::invoke_quant_packed(Any subgraph, ...) -> ...", kHop);
  ops.op("higher_order::invoke_subgraph(Any subgraph, str? identifier, ...) -> ...", kHop);
  ops.op("higher_order::local_map_hop(Any gm, ...) -> ...", kHop);
  ops.op("higher_order::map_impl(Any f, Any xs, Any pos_args) -> ...", kHop);
  ops.op("higher_order::out_dtype(Any op, ScalarType output_dtype, ...) -> ...", kHop);
  ops.op("higher_order::print(str format_str, ...) -> ...", kHopEffect);
  ops.op("higher_order::register_hook(Tensor tensor, Any hook_body, ...) -> Tensor", kHop);
  ops.op("higher_order::run_and_save_rng_state(Any op, ...) -> ...", kHop | kOpRandom);
  ops.op("higher_order::run_const_graph(Any graph, Any args) -> ...", kHop);
  ops.op("higher_order::run_dtensor_rng_op(Any start_offset_incr, Any end_offset_incr, Any op, ...) -> ...",
         kHop | kOpRandom);
  ops.op("higher_order::run_with_rng_state(Any rng_state, Any op, ...) -> ...", kHop | kOpRandom);
  ops.op("higher_order::scan(Any combine_fn, Any init, Any xs, Any additional_inputs=(), *, "
         "str mutated_arg_indices=\"\") -> ...", kHop);
  ops.op("higher_order::strict_mode(Any callable, Any operands) -> ...", kHop);
  ops.op("higher_order::switch(Any index, Any branches, Any operands) -> ...", kHop);
  ops.op("higher_order::tag_activation_checkpoint(Any gmod, ...) -> ...", kHop);
  ops.op("higher_order::trace_wrapped(...) -> ...", kHop);
  ops.op("higher_order::triton_kernel_wrapper_functional(*, int kernel_idx, int constant_args_idx, Any grid, "
         "Any tma_descriptor_metadata, Any kwargs, Any tensors_to_clone, ...) -> ...", kHop);
  ops.op("higher_order::triton_kernel_wrapper_mutation(*, int kernel_idx, int constant_args_idx, Any grid, "
         "Any tma_descriptor_metadata, Any kwargs, ...) -> ...", kHopEffect);
  ops.op("higher_order::while_loop(Any cond_fn, Any body_fn, Any carried_inputs, Any additional_inputs=(), "
         "*, str mutated_arg_indices=\"\") -> ...", kHop);
  ops.op("higher_order::while_loop_stack_output(Any cond_fn, Any body_fn, Any carried_inputs, "
         "Any additional_inputs=()) -> ...", kHop);
  ops.op("higher_order::with_effects(Any token, Any op, ...) -> ...", kHopEffect);
  ops.op("higher_order::wrap(Any func, ...) -> ...", kHop);
  ops.op("higher_order::wrap_activation_checkpoint(Any function, ...) -> ...", kHop);
  ops.op("higher_order::wrap_with_autocast(str device_type, ScalarType? dtype, bool enabled, "
         "bool? cache_enabled, Any wrapped_func, ...) -> ...", kHop);
  ops.op("higher_order::wrap_with_set_grad_enabled(bool enable_grad, Any wrapped_func, ...) -> ...", kHop);
}
// clang-format on

}  // namespace descry::ir
