// Backward formulas that are ops of their own.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerBackward(OpRegistry& ops) {
  ops.op("aten::_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor", kOpCore);
  ops.op("aten::_adaptive_avg_pool2d_backward.out(Tensor grad_output, Tensor self, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor");
  ops.op("aten::_adaptive_avg_pool3d_backward.out(Tensor grad_output, Tensor self, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_backward(Tensor self, Tensor[] inputs, Tensor? gradient=None, bool? retain_graph=None, "
         "bool create_graph=False) -> ()");
  ops.op("aten::_batch_norm_impl_index_backward(int impl_index, Tensor input, Tensor grad_output, "
         "Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, "
         "Tensor? save_var_transform, bool train, float eps, bool[3] output_mask, "
         "Tensor reservedSpace) -> (Tensor, Tensor, Tensor)");
  ops.op("aten::_cdist_backward(Tensor grad_output, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor");
  ops.op("aten::_cdist_backward.out(Tensor grad_output, Tensor x1, Tensor x2, float p, Tensor cdist, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_convolution_double_backward(Tensor? ggI, Tensor? ggW, Tensor? ggb, Tensor gO, "
         "Tensor weight, Tensor self, SymInt[] stride, SymInt[] padding, SymInt[] dilation, "
         "bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, "
         "Tensor, Tensor)");
  ops.op("aten::_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, "
         "int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, "
         "bool zero_infinity=False) -> Tensor");
  ops.op("aten::_ctc_loss_backward.Tensor(Tensor grad, Tensor log_probs, Tensor targets, "
         "Tensor input_lengths, Tensor target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, "
         "int blank, bool zero_infinity=False) -> Tensor");
  ops.op("aten::_ctc_loss_backward.out(Tensor grad, Tensor log_probs, Tensor targets, "
         "int[] input_lengths, int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, "
         "int blank, bool zero_infinity=False, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_cudnn_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, "
         "Tensor out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, Tensor attn_bias, "
         "Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, "
         "bool is_causal, *, float? scale=None) -> (Tensor, Tensor, Tensor)", kOpRandom);
  ops.op("aten::_cudnn_rnn_backward(Tensor input, Tensor[] weight, int weight_stride0, "
         "Tensor weight_buf, Tensor hx, Tensor? cx, Tensor output, Tensor? grad_output, "
         "Tensor? grad_hy, Tensor? grad_cy, int mode, SymInt hidden_size, SymInt proj_size, "
         "int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, "
         "SymInt[] batch_sizes, Tensor? dropout_state, Tensor reserve, bool[4] output_mask) -> "
         "(Tensor, Tensor, Tensor, Tensor[])");
  ops.op("aten::_cudnn_rnn_backward.out(Tensor input, Tensor[] weight, int weight_stride0, "
         "Tensor weight_buf, Tensor hx, Tensor? cx, Tensor output, Tensor? grad_output, "
         "Tensor? grad_hy, Tensor? grad_cy, int mode, SymInt hidden_size, SymInt proj_size, "
         "int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, "
         "SymInt[] batch_sizes, Tensor? dropout_state, Tensor reserve, bool[4] output_mask, *, "
         "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!)[] out3) -> ()");
  ops.op("aten::_efficient_attention_backward(Tensor grad_out_, Tensor query, Tensor key, Tensor value, "
         "Tensor? bias, Tensor out, Tensor? cu_seqlens_q, Tensor? cu_seqlens_k, SymInt max_seqlen_q, "
         "SymInt max_seqlen_k, Tensor logsumexp, float dropout_p, Tensor philox_seed, "
         "Tensor philox_offset, int custom_mask_type, bool bias_requires_grad, *, float? scale=None, "
         "int? num_splits_key=None, int? window_size=None, bool shared_storage_dqdkdv=False) -> "
         "(Tensor, Tensor, Tensor, Tensor)");
  ops.op("aten::_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, "
         "Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, "
         "int mode, bool sparse, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor");
  ops.op("aten::_embedding_bag_dense_backward(Tensor grad, Tensor indices, Tensor offset2bag, "
         "Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, "
         "int mode, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor");
  ops.op("aten::_embedding_bag_dense_backward.out(Tensor grad, Tensor indices, Tensor offset2bag, "
         "Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, "
         "int mode, Tensor? per_sample_weights, int padding_idx=-1, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, "
         "Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor");
  ops.op("aten::_embedding_bag_per_sample_weights_backward.out(Tensor grad, Tensor weight, "
         "Tensor indices, Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_flash_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, "
         "Tensor out, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, "
         "SymInt max_k, float dropout_p, bool is_causal, Tensor rng_state, Tensor unused, *, "
         "float? scale=None, SymInt? window_size_left=None, SymInt? window_size_right=None) -> "
         "(Tensor, Tensor, Tensor)");
  ops.op("aten::_fused_rms_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, "
         "Tensor rstd, Tensor? weight, bool[2] output_mask) -> (Tensor, Tensor)");
  ops.op("aten::_grid_sampler_2d_cpu_fallback_backward(Tensor grad_output, Tensor input, Tensor grid, "
         "int interpolation_mode, int padding_mode, bool align_corners) -> (Tensor, Tensor)");
  ops.op("aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, "
         "ScalarType input_dtype) -> Tensor").spelled("torch._log_softmax_backward_data");
  ops.op("aten::_log_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, "
         "ScalarType input_dtype, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_masked_softmax_backward(Tensor grad_output, Tensor output, Tensor mask, "
         "int? dim=None) -> Tensor");
  ops.op("aten::_masked_softmax_backward.out(Tensor grad_output, Tensor output, Tensor mask, "
         "int? dim=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_pack_padded_sequence_backward(Tensor grad, SymInt[] input_size, Tensor batch_sizes, "
         "bool batch_first) -> Tensor");
  ops.op("aten::_pdist_backward(Tensor grad_output, Tensor self, float p, Tensor pdist) -> Tensor");
  ops.op("aten::_pdist_backward.out(Tensor grad_output, Tensor self, float p, Tensor pdist, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)");
  ops.op("aten::_scaled_dot_product_cudnn_attention_backward(Tensor grad_out, Tensor query, Tensor key, "
         "Tensor value, Tensor out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, "
         "Tensor attn_bias, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, "
         "float dropout_p, bool is_causal, *, float? scale=None) -> (Tensor, Tensor, Tensor)", kOpRandom);
  ops.op("aten::_scaled_dot_product_efficient_attention_backward(Tensor grad_out_, Tensor query, "
         "Tensor key, Tensor value, Tensor attn_bias, Tensor out, Tensor logsumexp, "
         "Tensor philox_seed, Tensor philox_offset, float dropout_p, bool[4] grad_input_mask, "
         "bool is_causal=False, *, float? scale=None) -> (Tensor, Tensor, Tensor, Tensor)", kOpRandom);
  ops.op("aten::_scaled_dot_product_flash_attention_backward(Tensor grad_out, Tensor query, Tensor key, "
         "Tensor value, Tensor out, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, "
         "SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, Tensor philox_seed, "
         "Tensor philox_offset, *, float? scale=None) -> (Tensor grad_query, Tensor grad_key, "
         "Tensor grad_value)");
  ops.op("aten::_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, "
         "Tensor key, Tensor value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, *, "
         "Tensor? attn_mask=None, float? scale=None) -> (Tensor grad_query, Tensor grad_key, "
         "Tensor grad_value)");
  ops.op("aten::_scaled_dot_product_fused_attention_overrideable_backward(Tensor grad_out, "
         "Tensor query, Tensor key, Tensor value, Tensor attn_bias, bool[4] grad_input_mask, "
         "Tensor out, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, "
         "SymInt max_k, float dropout_p, bool is_causal, Tensor philox_seed, Tensor philox_offset, *, "
         "float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value, "
         "Tensor grad_attn_bias)");
  ops.op("aten::_segment_reduce_backward(Tensor grad, Tensor output, Tensor data, str reduce, *, "
         "Tensor? lengths=None, Tensor? offsets=None, int axis=0, Scalar? initial=None) -> Tensor");
  ops.op("aten::_segment_reduce_backward.out(Tensor grad, Tensor output, Tensor data, str reduce, *, "
         "Tensor? lengths=None, Tensor? offsets=None, int axis=0, Scalar? initial=None, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_slow_conv2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor weight, "
         "SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, *, Tensor(a!) grad_input, "
         "Tensor(b!) grad_weight, Tensor(c!) grad_bias) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::_slow_conv2d_backward.output_mask(Tensor grad_output, Tensor self, Tensor weight, "
         "SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, bool[3] output_mask) -> "
         "(Tensor grad_input, Tensor grad_weight, Tensor grad_bias)");
  ops.op("aten::_slow_conv2d_backward.output_mask_out(Tensor grad_output, Tensor self, Tensor weight, "
         "SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, bool[3] output_mask, *, "
         "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, "
         "ScalarType input_dtype) -> Tensor").spelled("torch._softmax_backward_data");
  ops.op("aten::_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, "
         "ScalarType input_dtype, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::_thnn_differentiable_gru_cell_backward(Tensor grad_hy, Tensor input_gates, "
         "Tensor hidden_gates, Tensor hx, Tensor? input_bias, Tensor? hidden_bias) -> (Tensor, Tensor, "
         "Tensor, Tensor, Tensor)");
  ops.op("aten::_thnn_differentiable_lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, "
         "Tensor input_gates, Tensor hidden_gates, Tensor? input_bias, Tensor? hidden_bias, Tensor cx, "
         "Tensor cy) -> (Tensor, Tensor, Tensor, Tensor, Tensor)");
  ops.op("aten::_thnn_fused_gru_cell_backward(Tensor grad_hy, Tensor workspace, bool has_bias) -> "
         "(Tensor, Tensor, Tensor, Tensor, Tensor)");
  ops.op("aten::_thnn_fused_gru_cell_backward.out(Tensor grad_hy, Tensor workspace, bool has_bias, *, "
         "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3, Tensor(e!) out4) -> "
         "(Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!), Tensor(e!))");
  ops.op("aten::_thnn_fused_lstm_cell_backward(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, Tensor cy, "
         "Tensor workspace, bool has_bias) -> (Tensor, Tensor, Tensor, Tensor, Tensor)");
  ops.op("aten::_thnn_fused_lstm_cell_backward_impl(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, "
         "Tensor cy, Tensor workspace, bool has_bias) -> (Tensor, Tensor, Tensor)");
  ops.op("aten::_thnn_fused_lstm_cell_backward_impl.out(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, "
         "Tensor cy, Tensor workspace, bool has_bias, *, Tensor(a!) out0, Tensor(b!) out1, "
         "Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::_upsample_bicubic2d_aa_backward(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor");
  ops.op("aten::_upsample_bicubic2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::_upsample_bilinear2d_aa_backward(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor");
  ops.op("aten::_upsample_bilinear2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::_upsample_lanczos2d_aa_backward(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor");
  ops.op("aten::_upsample_lanczos2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::_upsample_nearest_exact1d_backward(Tensor grad_output, SymInt[1] output_size, "
         "SymInt[3] input_size, float? scales=None) -> Tensor");
  ops.op("aten::_upsample_nearest_exact1d_backward.grad_input(Tensor grad_output, "
         "SymInt[1] output_size, SymInt[3] input_size, float? scales=None, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::_upsample_nearest_exact2d_backward(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, float? scales_h=None, float? scales_w=None) -> Tensor");
  ops.op("aten::_upsample_nearest_exact2d_backward.grad_input(Tensor grad_output, "
         "SymInt[2] output_size, SymInt[4] input_size, float? scales_h=None, float? scales_w=None, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::_upsample_nearest_exact3d_backward(Tensor grad_output, SymInt[3] output_size, "
         "SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> "
         "Tensor");
  ops.op("aten::_upsample_nearest_exact3d_backward.grad_input(Tensor grad_output, "
         "SymInt[3] output_size, SymInt[5] input_size, float? scales_d=None, float? scales_h=None, "
         "float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::_weight_norm_differentiable_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, "
         "Tensor saved_norms, int dim) -> (Tensor, Tensor)");
  ops.op("aten::_weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, "
         "Tensor saved_norms, int dim) -> (Tensor, Tensor)");
  ops.op("aten::_weight_norm_interface_backward.out(Tensor grad_w, Tensor saved_v, Tensor saved_g, "
         "Tensor saved_norms, int dim, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::adaptive_avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::adaptive_max_pool2d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor");
  ops.op("aten::adaptive_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, "
         "Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::adaptive_max_pool3d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor");
  ops.op("aten::adaptive_max_pool3d_backward.grad_input(Tensor grad_output, Tensor self, "
         "Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::affine_grid_generator_backward(Tensor grad, SymInt[] size, bool align_corners) -> Tensor");
  ops.op("aten::avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, "
         "int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor", kOpCore);
  ops.op("aten::avg_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, "
         "int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, "
         "int? divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, "
         "int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor");
  ops.op("aten::avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, int[3] kernel_size, "
         "int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, "
         "int? divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::batch_norm_backward(Tensor grad_out, Tensor input, Tensor weight, Tensor? running_mean, "
         "Tensor? running_var, Tensor? save_mean, Tensor? save_var, bool update, float eps, "
         "bool[3] output_mask, Tensor reserve) -> (Tensor, Tensor, Tensor)");
  ops.op("aten::batch_norm_backward_elemt(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, "
         "Tensor? weight, Tensor sum_dy, Tensor sum_dy_xmu, Tensor count) -> Tensor")
      .spelled("torch.batch_norm_backward_elemt");
  ops.op("aten::batch_norm_backward_elemt.out(Tensor grad_out, Tensor input, Tensor mean, "
         "Tensor invstd, Tensor? weight, Tensor sum_dy, Tensor sum_dy_xmu, Tensor count, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::batch_norm_backward_reduce(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, "
         "Tensor? weight, bool input_g, bool weight_g, bool bias_g) -> (Tensor, Tensor, Tensor, Tensor)")
      .spelled("torch.batch_norm_backward_reduce");
  ops.op("aten::batch_norm_backward_reduce.out(Tensor grad_out, Tensor input, Tensor mean, "
         "Tensor invstd, Tensor? weight, bool input_g, bool weight_g, bool bias_g, *, Tensor(a!) out0, "
         "Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), "
         "Tensor(d!))");
  ops.op("aten::binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, "
         "Tensor? weight=None, int reduction=1) -> Tensor");
  ops.op("aten::binary_cross_entropy_backward.grad_input(Tensor grad_output, Tensor self, "
         "Tensor target, Tensor? weight=None, int reduction=1, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::conv_tbc_backward(Tensor self, Tensor input, Tensor weight, Tensor bias, int pad) -> "
         "(Tensor, Tensor, Tensor)");
  ops.op("aten::convolution_backward(Tensor grad_output, Tensor input, Tensor weight, "
         "SymInt[]? bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, "
         "SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)", kOpCore);
  ops.op("aten::convolution_backward.out(Tensor grad_output, Tensor input, Tensor weight, "
         "SymInt[]? bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, "
         "SymInt[] output_padding, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0, "
         "Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::convolution_backward_overrideable(Tensor grad_output, Tensor input, Tensor weight, "
         "SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, "
         "SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor grad_input, "
         "Tensor grad_weight, Tensor grad_bias)");
  ops.op("aten::convolution_backward_overrideable.out(Tensor grad_output, Tensor input, Tensor weight, "
         "SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, "
         "SymInt[] output_padding, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0, "
         "Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::cudnn_affine_grid_generator_backward(Tensor grad, int N, int C, int H, int W) -> "
         "Tensor grad_theta");
  ops.op("aten::cudnn_affine_grid_generator_backward.out(Tensor grad, int N, int C, int H, int W, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cudnn_batch_norm_backward(Tensor input, Tensor grad_output, Tensor weight, "
         "Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, "
         "float epsilon, Tensor reserveSpace) -> (Tensor, Tensor, Tensor)");
  ops.op("aten::cudnn_batch_norm_backward.out(Tensor input, Tensor grad_output, Tensor weight, "
         "Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, "
         "float epsilon, Tensor reserveSpace, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> "
         "(Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::cudnn_grid_sampler_backward(Tensor self, Tensor grid, Tensor grad_output) -> "
         "(Tensor grad_self, Tensor grad_grid)");
  ops.op("aten::cudnn_grid_sampler_backward.out(Tensor self, Tensor grid, Tensor grad_output, *, "
         "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::cummaxmin_backward(Tensor grad, Tensor input, Tensor indices, int dim) -> Tensor");
  ops.op("aten::cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor");
  ops.op("aten::diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, "
         "int dim2) -> Tensor");
  ops.op("aten::diagonal_backward.out(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, "
         "int dim2, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, "
         "bool is_result, Tensor self_or_result) -> Tensor");
  ops.op("aten::elu_backward.grad_input(Tensor grad_output, Scalar alpha, Scalar scale, "
         "Scalar input_scale, bool is_result, Tensor self_or_result, *, Tensor(a!) grad_input) -> "
         "Tensor(a!)");
  ops.op("aten::embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt padding_idx, "
         "bool scale_grad_by_freq, bool sparse) -> Tensor");
  ops.op("aten::embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, "
         "SymInt padding_idx, bool scale_grad_by_freq) -> Tensor", kOpCore);
  ops.op("aten::embedding_dense_backward.out(Tensor grad_output, Tensor indices, SymInt num_weights, "
         "SymInt padding_idx, bool scale_grad_by_freq, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fractional_max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, "
         "int[2] output_size, Tensor indices) -> Tensor");
  ops.op("aten::fractional_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, "
         "int[2] kernel_size, int[2] output_size, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::fractional_max_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, "
         "int[3] output_size, Tensor indices) -> Tensor");
  ops.op("aten::fractional_max_pool3d_backward.grad_input(Tensor grad_output, Tensor self, "
         "int[3] kernel_size, int[3] output_size, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) -> "
         "Tensor");
  ops.op("aten::gelu_backward(Tensor grad_output, Tensor self, *, str approximate=\"none\") -> Tensor",
         kOpPointwise);
  ops.op("aten::gelu_backward.grad_input(Tensor grad_output, Tensor self, *, str approximate=\"none\", "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor");
  ops.op("aten::glu_backward.grad_input(Tensor grad_output, Tensor self, int dim, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::glu_backward_jvp(Tensor grad_x, Tensor grad_glu, Tensor x, Tensor dgrad_glu, Tensor dx, "
         "int dim) -> Tensor");
  ops.op("aten::glu_backward_jvp.out(Tensor grad_x, Tensor grad_glu, Tensor x, Tensor dgrad_glu, "
         "Tensor dx, int dim, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::grid_sampler_2d_backward(Tensor grad_output, Tensor input, Tensor grid, "
         "int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> "
         "(Tensor, Tensor)");
  ops.op("aten::grid_sampler_2d_backward.out(Tensor grad_output, Tensor input, Tensor grid, "
         "int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask, *, "
         "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::grid_sampler_3d_backward(Tensor grad_output, Tensor input, Tensor grid, "
         "int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> "
         "(Tensor, Tensor)");
  ops.op("aten::grid_sampler_3d_backward.out(Tensor grad_output, Tensor input, Tensor grid, "
         "int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask, *, "
         "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor");
  ops.op("aten::hardshrink_backward.grad_input(Tensor grad_out, Tensor self, Scalar lambd, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor");
  ops.op("aten::hardsigmoid_backward.grad_input(Tensor grad_output, Tensor self, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::hardswish_backward(Tensor grad_output, Tensor self) -> Tensor");
  ops.op("aten::hardswish_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> "
         "Tensor");
  ops.op("aten::hardtanh_backward.grad_input(Tensor grad_output, Tensor self, Scalar min_val, "
         "Scalar max_val, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, "
         "float delta) -> Tensor");
  ops.op("aten::huber_loss_backward.out(Tensor grad_output, Tensor self, Tensor target, int reduction, "
         "float delta, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor");
  ops.op("aten::infinitely_differentiable_gelu_backward(Tensor grad, Tensor self) -> Tensor");
  ops.op("aten::leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, "
         "bool self_is_result) -> Tensor");
  ops.op("aten::leaky_relu_backward.grad_input(Tensor grad_output, Tensor self, Scalar negative_slope, "
         "bool self_is_result, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::linear_backward(Tensor self, Tensor grad_output, Tensor weight, bool[3] output_mask) -> "
         "(Tensor, Tensor, Tensor)");
  ops.op("aten::linear_backward.out(Tensor self, Tensor grad_output, Tensor weight, "
         "bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
         "Tensor(b!), Tensor(c!))");
  ops.op("aten::log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor");
  ops.op("aten::log_sigmoid_backward.grad_input(Tensor grad_output, Tensor self, Tensor buffer, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor");
  ops.op("aten::masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor");
  ops.op("aten::matmul_backward(Tensor grad, Tensor self, Tensor other, bool[2] mask) -> (Tensor, Tensor)");
  ops.op("aten::matmul_backward.out(Tensor grad, Tensor self, Tensor other, bool[2] mask, *, "
         "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, "
         "int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor");
  ops.op("aten::max_pool2d_backward.out(Tensor grad_output, Tensor self, int[2] kernel_size, "
         "int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, "
         "int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor",
         kOpCore);
  ops.op("aten::max_pool2d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, "
         "int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, "
         "Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, "
         "int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor");
  ops.op("aten::max_pool3d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, "
         "int[3] kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, "
         "Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::mish_backward(Tensor grad_output, Tensor self) -> Tensor");
  ops.op("aten::mps_convolution_backward(Tensor self, Tensor grad_output, Tensor weight, "
         "SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool[3] output_mask) -> "
         "(Tensor, Tensor, Tensor)");
  ops.op("aten::mps_convolution_backward.out(Tensor self, Tensor grad_output, Tensor weight, "
         "SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool[3] output_mask, *, "
         "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::mps_convolution_transpose_backward(Tensor self, Tensor grad_output, Tensor weight, "
         "SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, "
         "SymInt groups, bool[2] output_mask) -> (Tensor, Tensor)");
  ops.op("aten::mps_convolution_transpose_backward.out(Tensor self, Tensor grad_output, Tensor weight, "
         "SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, "
         "SymInt groups, bool[2] output_mask, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), "
         "Tensor(b!))");
  ops.op("aten::mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor");
  ops.op("aten::mse_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, "
         "int reduction, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, "
         "Scalar margin, Tensor? weight=None, int reduction=1) -> Tensor");
  ops.op("aten::multi_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, "
         "Scalar p, Scalar margin, Tensor? weight=None, int reduction=1, *, Tensor(a!) grad_input) -> "
         "Tensor(a!)");
  ops.op("aten::multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, "
         "int reduction, Tensor is_target) -> Tensor");
  ops.op("aten::multilabel_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, "
         "Tensor target, int reduction, Tensor is_target, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, "
         "Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, "
         "bool train, float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)");
  ops.op("aten::native_batch_norm_backward.out(Tensor grad_out, Tensor input, Tensor? weight, "
         "Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, "
         "bool train, float eps, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, "
         "Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, "
         "Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask) -> (Tensor, "
         "Tensor, Tensor)", kOpCore);
  ops.op("aten::native_group_norm_backward.out(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, "
         "Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask, *, "
         "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, "
         "Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, "
         "Tensor, Tensor)", kOpCore);
  ops.op("aten::native_layer_norm_backward.out(Tensor grad_out, Tensor input, "
         "SymInt[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, "
         "bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
         "Tensor(b!), Tensor(c!))");
  ops.op("aten::nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, "
         "int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor");
  ops.op("aten::nll_loss2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, "
         "Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, "
         "int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor");
  ops.op("aten::nll_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, "
         "Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::reflection_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor");
  ops.op("aten::reflection_pad1d_backward.grad_input(Tensor grad_output, Tensor self, "
         "SymInt[2] padding, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::reflection_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor");
  ops.op("aten::reflection_pad2d_backward.grad_input(Tensor grad_output, Tensor self, "
         "SymInt[4] padding, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::reflection_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor");
  ops.op("aten::reflection_pad3d_backward.grad_input(Tensor grad_output, Tensor self, "
         "SymInt[6] padding, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::replication_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor");
  ops.op("aten::replication_pad1d_backward.grad_input(Tensor grad_output, Tensor self, "
         "SymInt[2] padding, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::replication_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor");
  ops.op("aten::replication_pad2d_backward.grad_input(Tensor grad_output, Tensor self, "
         "SymInt[4] padding, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::replication_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor");
  ops.op("aten::replication_pad3d_backward.grad_input(Tensor grad_output, Tensor self, "
         "SymInt[6] padding, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor");
  ops.op("aten::select_backward.out(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor", kOpPointwise);
  ops.op("aten::sigmoid_backward.grad_input(Tensor grad_output, Tensor output, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::silu_backward(Tensor grad_output, Tensor self) -> Tensor", kOpPointwise);
  ops.op("aten::silu_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> "
         "Tensor(a!)", kOpPointwise);
  ops.op("aten::slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, "
         "SymInt end, SymInt step) -> Tensor");
  ops.op("aten::slice_backward.out(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, "
         "SymInt end, SymInt step, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, "
         "float beta) -> Tensor");
  ops.op("aten::smooth_l1_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, "
         "int reduction, float beta, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, "
         "int reduction) -> Tensor");
  ops.op("aten::soft_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, "
         "int reduction, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> "
         "Tensor");
  ops.op("aten::softplus_backward.grad_input(Tensor grad_output, Tensor self, Scalar beta, "
         "Scalar threshold, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor");
  ops.op("aten::softshrink_backward.grad_input(Tensor grad_output, Tensor self, Scalar lambd, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor", kOpPointwise);
  ops.op("aten::tanh_backward.grad_input(Tensor grad_output, Tensor output, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)", kOpPointwise);
  ops.op("aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
         kOpPointwise);
  ops.op("aten::threshold_backward.grad_input(Tensor grad_output, Tensor self, Scalar threshold, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> "
         "Tensor");
  ops.op("aten::unfold_backward.out(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step, "
         "*, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::upsample_bicubic2d_backward(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor");
  ops.op("aten::upsample_bicubic2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::upsample_bilinear2d_backward(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor");
  ops.op("aten::upsample_bilinear2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::upsample_linear1d_backward(Tensor grad_output, SymInt[1] output_size, "
         "SymInt[3] input_size, bool align_corners, float? scales=None) -> Tensor");
  ops.op("aten::upsample_linear1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, "
         "SymInt[3] input_size, bool align_corners, float? scales=None, *, Tensor(a!) grad_input) -> "
         "Tensor(a!)");
  ops.op("aten::upsample_nearest1d_backward(Tensor grad_output, SymInt[1] output_size, "
         "SymInt[3] input_size, float? scales=None) -> Tensor");
  ops.op("aten::upsample_nearest1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, "
         "SymInt[3] input_size, float? scales=None, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::upsample_nearest2d_backward(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, float? scales_h=None, float? scales_w=None) -> Tensor");
  ops.op("aten::upsample_nearest2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
         "SymInt[4] input_size, float? scales_h=None, float? scales_w=None, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::upsample_nearest3d_backward(Tensor grad_output, SymInt[3] output_size, "
         "SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> "
         "Tensor");
  ops.op("aten::upsample_nearest3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, "
         "SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, "
         "Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::upsample_trilinear3d_backward(Tensor grad_output, SymInt[3] output_size, "
         "SymInt[5] input_size, bool align_corners, float? scales_d=None, float? scales_h=None, "
         "float? scales_w=None) -> Tensor");
  ops.op("aten::upsample_trilinear3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, "
         "SymInt[5] input_size, bool align_corners, float? scales_d=None, float? scales_h=None, "
         "float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)");
  ops.op("aten::value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, "
         "SymInt[] sizes, bool keepdim) -> Tensor");
}
// clang-format on

}  // namespace descry::ir
