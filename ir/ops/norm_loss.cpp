// Normalization, attention, recurrent cells, losses, embedding.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerNormLoss(OpRegistry& ops) {
  ops.op("aten::_batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, "
         "Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, "
         "bool cudnn_enabled) -> (Tensor, Tensor, Tensor, Tensor, int)")
      .spelled("torch._batch_norm_impl_index");
  ops.op("aten::_batch_norm_no_update(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
         "Tensor? running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)");
  ops.op("aten::_batch_norm_no_update.out(Tensor input, Tensor? weight, Tensor? bias, "
         "Tensor? running_mean, Tensor? running_var, float momentum, float eps, *, Tensor(a!) out0, "
         "Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), "
         "Tensor(d!))");
  ops.op("aten::_batch_norm_with_update(Tensor input, Tensor? weight, Tensor? bias, "
         "Tensor(a!) running_mean, Tensor(b!) running_var, float momentum, float eps) -> (Tensor, "
         "Tensor, Tensor, Tensor)");
  ops.op("aten::_batch_norm_with_update.out(Tensor input, Tensor? weight, Tensor? bias, "
         "Tensor(a!) running_mean, Tensor(b!) running_var, float momentum, float eps, *, "
         "Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd, Tensor(g!) reserve) -> "
         "(Tensor(d!), Tensor(e!), Tensor(f!), Tensor(g!))");
  ops.op("aten::_batch_norm_with_update_functional(Tensor input, Tensor? weight, Tensor? bias, "
         "Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, "
         "Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)");
  ops.op("aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor", kOpCore);
  ops.op("aten::_cdist_forward.out(Tensor x1, Tensor x2, float p, int? compute_mode, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, "
         "int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)", kOpDynamicShape)
      .spelled("torch._ctc_loss");
  ops.op("aten::_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, "
         "Tensor target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)",
         kOpDynamicShape);
  ops.op("aten::_ctc_loss.Tensor_out(Tensor log_probs, Tensor targets, Tensor input_lengths, "
         "Tensor target_lengths, int blank=0, bool zero_infinity=False, *, Tensor(a!) out0, "
         "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::_ctc_loss.out(Tensor log_probs, Tensor targets, int[] input_lengths, "
         "int[] target_lengths, int blank=0, bool zero_infinity=False, *, Tensor(a!) out0, "
         "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::_cudnn_attention_forward(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, "
         "Tensor? cum_seq_q, Tensor? cum_seq_k, SymInt max_q, SymInt max_k, bool compute_log_sumexp, "
         "float dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, "
         "float? scale=None, Tensor? seqused_k=None, Tensor? block_table=None) -> (Tensor output, "
         "Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, "
         "Tensor philox_seed, Tensor philox_offset, Tensor debug_attn_mask)", kOpRandom);
  ops.op("aten::_cudnn_attention_forward_no_dropout_inplace(Tensor(a!) out, Tensor query, Tensor key, "
         "Tensor value, Tensor cum_seq_q, Tensor? cum_seq_k, SymInt max_q, SymInt max_k, "
         "bool is_causal=False, *, float? scale=None, Tensor? seqused_k=None, "
         "Tensor? block_table=None) -> Tensor logsumexp", kOpRandom)
      .spelled("torch._cudnn_attention_forward_no_dropout_inplace");
  ops.op("aten::_cudnn_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, "
         "int[] target_lengths, int blank, bool deterministic, bool zero_infinity) -> (Tensor, Tensor)")
      .spelled("torch._cudnn_ctc_loss");
  ops.op("aten::_cudnn_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, "
         "Tensor target_lengths, int blank, bool deterministic, bool zero_infinity) -> (Tensor, Tensor)");
  ops.op("aten::_cudnn_ctc_loss.out(Tensor log_probs, Tensor targets, int[] input_lengths, "
         "int[] target_lengths, int blank, bool deterministic, bool zero_infinity, *, Tensor(a!) out0, "
         "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::_cudnn_init_dropout_state(float dropout, bool train, int dropout_seed, *, "
         "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> "
         "Tensor", kOpRandom).spelled("torch._cudnn_init_dropout_state");
  ops.op("aten::_cudnn_init_dropout_state.out(float dropout, bool train, int dropout_seed, *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::_cudnn_rnn(Tensor input, Tensor[] weight, int weight_stride0, Tensor? weight_buf, "
         "Tensor hx, Tensor? cx, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, "
         "bool batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, "
         "Tensor? dropout_state) -> (Tensor, Tensor, Tensor, Tensor, Tensor)", kOpRandom)
      .spelled("torch._cudnn_rnn");
  ops.op("aten::_cudnn_rnn.out(Tensor input, Tensor[] weight, int weight_stride0, Tensor? weight_buf, "
         "Tensor hx, Tensor? cx, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, "
         "bool batch_first, float dropout, bool train, bool bidirectional, SymInt[] batch_sizes, "
         "Tensor? dropout_state, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, "
         "Tensor(d!) out3, Tensor(e!) out4) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!), "
         "Tensor(e!))", kOpRandom);
  ops.op("aten::_cudnn_rnn_flatten_weight(Tensor[] weight_arr, int weight_stride0, SymInt input_size, "
         "int mode, SymInt hidden_size, SymInt proj_size, int num_layers, bool batch_first, "
         "bool bidirectional) -> Tensor").spelled("torch._cudnn_rnn_flatten_weight");
  ops.op("aten::_cudnn_rnn_flatten_weight.out(Tensor[] weight_arr, int weight_stride0, "
         "SymInt input_size, int mode, SymInt hidden_size, SymInt proj_size, int num_layers, "
         "bool batch_first, bool bidirectional, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_efficient_attention_forward(Tensor query, Tensor key, Tensor value, Tensor? bias, "
         "Tensor? cu_seqlens_q, Tensor? cu_seqlens_k, SymInt? max_seqlen_q, SymInt? max_seqlen_k, "
         "float dropout_p, int custom_mask_type, bool compute_log_sumexp=False, *, float? scale=None, "
         "Tensor? seqlen_k=None, int? window_size=None) -> (Tensor output, Tensor logsumexp, "
         "Tensor philox_seed, Tensor philox_offset, SymInt max_seqlen_batch_q, SymInt max_seqlen_batch_k)",
         kOpRandom);
  ops.op("aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, "
         "bool scale_grad_by_freq=False, int mode=0, bool sparse=False, "
         "Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> "
         "(Tensor, Tensor, Tensor, Tensor)", kOpCore).spelled("torch._embedding_bag");
  ops.op("aten::_embedding_bag.out(Tensor weight, Tensor indices, Tensor offsets, "
         "bool scale_grad_by_freq=False, int mode=0, bool sparse=False, "
         "Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1, *, "
         "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), "
         "Tensor(b!), Tensor(c!), Tensor(d!))");
  ops.op("aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, "
         "bool scale_grad_by_freq=False, int mode=0, bool sparse=False, "
         "Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> "
         "(Tensor, Tensor, Tensor, Tensor)").spelled("torch._embedding_bag_forward_only");
  ops.op("aten::_embedding_bag_forward_only.out(Tensor weight, Tensor indices, Tensor offsets, "
         "bool scale_grad_by_freq=False, int mode=0, bool sparse=False, "
         "Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1, *, "
         "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), "
         "Tensor(b!), Tensor(c!), Tensor(d!))");
  ops.op("aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor").spelled("torch._euclidean_dist");
  ops.op("aten::_euclidean_dist.out(Tensor x1, Tensor x2, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_flash_attention_forward(Tensor query, Tensor key, Tensor value, Tensor? cum_seq_q, "
         "Tensor? cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, "
         "bool return_debug_mask, *, float? scale=None, SymInt? window_size_left=None, "
         "SymInt? window_size_right=None, Tensor? seqused_k=None, Tensor? alibi_slopes=None, "
         "Tensor? block_table=None, int? num_splits=None) -> (Tensor output, Tensor softmax_logsumexp, "
         "Tensor rng_state, Tensor unused, Tensor debug_attn_mask)", kOpRandom);
  ops.op("aten::_flash_attention_forward.quantized(Tensor query, Tensor key, Tensor value, "
         "Tensor? cum_seq_q, Tensor? cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, "
         "bool is_causal, bool return_debug_mask, Tensor? q_descale, Tensor? k_descale, "
         "Tensor? v_descale, *, float? scale=None, SymInt? window_size_left=None, "
         "SymInt? window_size_right=None, Tensor? seqused_k=None, Tensor? alibi_slopes=None) -> "
         "(Tensor output, Tensor softmax_logsumexp, Tensor rng_state, Tensor unused, "
         "Tensor debug_attn_mask)", kOpRandom);
  ops.op("aten::_flash_attention_forward_no_dropout_inplace(Tensor(a!) out, Tensor query, Tensor key, "
         "Tensor value, Tensor? cum_seq_q, Tensor? cum_seq_k, SymInt max_q, SymInt max_k, "
         "float dropout_p, bool is_causal, bool return_debug_mask, *, float? scale=None, "
         "SymInt? window_size_left=None, SymInt? window_size_right=None, Tensor? seqused_k=None, "
         "Tensor? alibi_slopes=None, Tensor? block_table=None, int? num_splits=None) -> "
         "Tensor softmax_logsumexp", kOpRandom).spelled("torch._flash_attention_forward_no_dropout_inplace");
  ops.op("aten::_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps) -> "
         "(Tensor, Tensor)").spelled("torch._fused_rms_norm");
  ops.op("aten::_fused_sdp_choice(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
         "float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> int",
         kOpRandom).spelled("torch._fused_sdp_choice");
  ops.op("aten::_fw_primal(Tensor(a) self, int level) -> Tensor(a)");
  ops.op("aten::_fw_primal_copy(Tensor self, int level) -> Tensor", kOpViewCopy)
      .spelled("torch._fw_primal_copy");
  ops.op("aten::_fw_primal_copy.out(Tensor self, int level, *, Tensor(a!) out) -> Tensor(a!)", kOpViewCopy);
  ops.op("aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", kOpCore)
      .spelled("torch._log_softmax");
  ops.op("aten::_log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_lstm_mps(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, "
         "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor, "
         "Tensor, Tensor, Tensor)", kOpRandom).spelled("torch._lstm_mps");
  ops.op("aten::_lstm_mps.out(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, "
         "int num_layers, float dropout, bool train, bool bidirectional, bool batch_first, *, "
         "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3, Tensor(e!) out4, "
         "Tensor(f!) out5) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!), Tensor(e!), Tensor(f!))",
         kOpRandom);
  ops.op("aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor")
      .spelled("torch._masked_softmax");
  ops.op("aten::_masked_softmax.out(Tensor self, Tensor mask, int? dim=None, int? mask_type=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, "
         "Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float momentum, "
         "float eps) -> (Tensor, Tensor, Tensor)", kOpCore).spelled("torch._native_batch_norm_legit");
  ops.op("aten::_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, "
         "bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)", kOpCore);
  ops.op("aten::_native_batch_norm_legit.no_stats_out(Tensor input, Tensor? weight, Tensor? bias, "
         "bool training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, "
         "Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::_native_batch_norm_legit.out(Tensor input, Tensor? weight, Tensor? bias, "
         "Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float momentum, float eps, "
         "*, Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd) -> (Tensor(d!), Tensor(e!), "
         "Tensor(f!))");
  ops.op("aten::_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, "
         "Tensor running_mean, Tensor running_var, bool training, float momentum, float eps) -> "
         "(Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)");
  ops.op("aten::_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, "
         "Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
         kOpCore).spelled("torch._native_batch_norm_legit_no_training");
  ops.op("aten::_native_batch_norm_legit_no_training.out(Tensor input, Tensor? weight, Tensor? bias, "
         "Tensor running_mean, Tensor running_var, float momentum, float eps, *, Tensor(a!) out0, "
         "Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, "
         "int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, "
         "Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, "
         "int? mask_type=None) -> (Tensor, Tensor)").spelled("torch._native_multi_head_attention");
  ops.op("aten::_native_multi_head_attention.out(Tensor query, Tensor key, Tensor value, int embed_dim, "
         "int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, "
         "Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, "
         "int? mask_type=None, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::_pdist_forward(Tensor self, float p=2.) -> Tensor", kOpCore);
  ops.op("aten::_pdist_forward.out(Tensor self, float p=2., *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor")
      .spelled("torch._safe_softmax");
  ops.op("aten::_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, "
         "Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, Tensor? dropout_mask=None, "
         "*, float? scale=None, bool enable_gqa=False) -> (Tensor, Tensor)", kOpRandom)
      .spelled("torch._scaled_dot_product_attention_math");
  ops.op("aten::_scaled_dot_product_attention_math_for_mps(Tensor query, Tensor key, Tensor value, "
         "Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, Tensor? dropout_mask=None, "
         "*, float? scale=None, bool enable_gqa=False) -> (Tensor, Tensor)", kOpRandom)
      .spelled("torch._scaled_dot_product_attention_math_for_mps");
  ops.op("aten::_scaled_dot_product_cudnn_attention(Tensor query, Tensor key, Tensor value, "
         "Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0., bool is_causal=False, "
         "bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, "
         "Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor philox_seed, "
         "Tensor philox_offset, Tensor debug_attn_mask)", kOpRandom)
      .spelled("torch._scaled_dot_product_cudnn_attention");
  ops.op("aten::_scaled_dot_product_efficient_attention(Tensor query, Tensor key, Tensor value, "
         "Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0., bool is_causal=False, *, "
         "float? scale=None) -> (Tensor output, Tensor log_sumexp, Tensor philox_seed, "
         "Tensor philox_offset)", kOpRandom).spelled("torch._scaled_dot_product_efficient_attention");
  ops.op("aten::_scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, "
         "float dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, "
         "float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, "
         "SymInt max_q, SymInt max_k, Tensor rng_state, Tensor unused, Tensor debug_attn_mask)", kOpRandom)
      .spelled("torch._scaled_dot_product_flash_attention");
  ops.op("aten::_scaled_dot_product_flash_attention.quantized(Tensor query, Tensor key, Tensor value, "
         "Tensor? q_descale, Tensor? k_descale, Tensor? v_descale, float dropout_p=0., "
         "bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, "
         "Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, "
         "Tensor rng_state, Tensor unused, Tensor debug_attn_mask)", kOpRandom);
  ops.op("aten::_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, "
         "float dropout_p=0., bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> "
         "(Tensor output, Tensor logsumexp)", kOpRandom)
      .spelled("torch._scaled_dot_product_flash_attention_for_cpu");
  ops.op("aten::_scaled_dot_product_fused_attention_overrideable(Tensor query, Tensor key, "
         "Tensor value, Tensor? attn_bias=None, float dropout_p=0., bool is_causal=False, "
         "bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, "
         "Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor philox_seed, "
         "Tensor philox_offset, Tensor debug_attn_mask)", kOpRandom);
  ops.op("aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", kOpCore)
      .spelled("torch._softmax");
  ops.op("aten::_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_thnn_fused_gru_cell(Tensor input_gates, Tensor hidden_gates, Tensor hx, "
         "Tensor? input_bias=None, Tensor? hidden_bias=None) -> (Tensor, Tensor)");
  ops.op("aten::_thnn_fused_gru_cell.out(Tensor input_gates, Tensor hidden_gates, Tensor hx, "
         "Tensor? input_bias=None, Tensor? hidden_bias=None, *, Tensor(a!) out0, Tensor(b!) out1) -> "
         "(Tensor(a!), Tensor(b!))");
  ops.op("aten::_thnn_fused_lstm_cell(Tensor input_gates, Tensor hidden_gates, Tensor cx, "
         "Tensor? input_bias=None, Tensor? hidden_bias=None) -> (Tensor, Tensor, Tensor)");
  ops.op("aten::_thnn_fused_lstm_cell.out(Tensor input_gates, Tensor hidden_gates, Tensor cx, "
         "Tensor? input_bias=None, Tensor? hidden_bias=None, *, Tensor(a!) out0, Tensor(b!) out1, "
         "Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, "
         "Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, "
         "bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, "
         "Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, "
         "Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor")
      .spelled("torch._transformer_encoder_layer_fwd");
  ops.op("aten::_transformer_encoder_layer_fwd.out(Tensor src, int embed_dim, int num_heads, "
         "Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, "
         "bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, "
         "Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, "
         "Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_triton_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, "
         "int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, "
         "Tensor? mask=None) -> Tensor").spelled("torch._triton_multi_head_attention");
  ops.op("aten::_triton_multi_head_attention.out(Tensor query, Tensor key, Tensor value, int embed_dim, "
         "int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, "
         "Tensor? mask=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_triton_scaled_dot_attention(Tensor q, Tensor k, Tensor v, float dropout_p=0.) -> Tensor",
         kOpRandom).spelled("torch._triton_scaled_dot_attention");
  ops.op("aten::_triton_scaled_dot_attention.out(Tensor q, Tensor k, Tensor v, float dropout_p=0., *, "
         "Tensor(a!) out) -> Tensor(a!)", kOpRandom);
  ops.op("aten::_use_cudnn_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, "
         "int[] target_lengths, int blank) -> bool").spelled("torch._use_cudnn_ctc_loss");
  ops.op("aten::_use_cudnn_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, "
         "Tensor target_lengths, int blank) -> bool");
  ops.op("aten::_use_cudnn_rnn_flatten_weight() -> bool").spelled("torch._use_cudnn_rnn_flatten_weight");
  ops.op("aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor").spelled("torch._weight_norm");
  ops.op("aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)")
      .spelled("torch._weight_norm_interface");
  ops.op("aten::_weight_norm_interface.out(Tensor v, Tensor g, int dim=0, *, Tensor(a!) out0, "
         "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
         "Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor")
      .spelled("torch.batch_norm");
  ops.op("aten::batch_norm_elemt(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, "
         "Tensor invstd, float eps) -> Tensor").spelled("torch.batch_norm_elemt");
  ops.op("aten::batch_norm_elemt.out(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, "
         "Tensor invstd, float eps, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::batch_norm_gather_stats(Tensor input, Tensor mean, Tensor invstd, Tensor? running_mean, "
         "Tensor? running_var, float momentum, float eps, int count) -> (Tensor, Tensor)")
      .spelled("torch.batch_norm_gather_stats");
  ops.op("aten::batch_norm_gather_stats.out(Tensor input, Tensor mean, Tensor invstd, "
         "Tensor? running_mean, Tensor? running_var, float momentum, float eps, int count, *, "
         "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::batch_norm_gather_stats_with_counts(Tensor input, Tensor mean, Tensor invstd, "
         "Tensor? running_mean, Tensor? running_var, float momentum, float eps, Tensor counts) -> "
         "(Tensor, Tensor)").spelled("torch.batch_norm_gather_stats_with_counts");
  ops.op("aten::batch_norm_gather_stats_with_counts.out(Tensor input, Tensor mean, Tensor invstd, "
         "Tensor? running_mean, Tensor? running_var, float momentum, float eps, Tensor counts, *, "
         "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::batch_norm_stats(Tensor input, float eps) -> (Tensor, Tensor)")
      .spelled("torch.batch_norm_stats");
  ops.op("aten::batch_norm_stats.out(Tensor input, float eps, *, Tensor(a!) out0, Tensor(b!) out1) -> "
         "(Tensor(a!), Tensor(b!))");
  ops.op("aten::batch_norm_update_stats(Tensor input, Tensor? running_mean, Tensor? running_var, "
         "float momentum) -> (Tensor, Tensor)").spelled("torch.batch_norm_update_stats");
  ops.op("aten::batch_norm_update_stats.out(Tensor input, Tensor? running_mean, Tensor? running_var, "
         "float momentum, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, "
         "int reduction=1) -> Tensor").spelled("torch._C._nn.binary_cross_entropy");
  ops.op("aten::binary_cross_entropy.out(Tensor self, Tensor target, Tensor? weight=None, "
         "int reduction=1, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, "
         "Tensor? pos_weight=None, int reduction=1) -> Tensor")
      .spelled("torch.binary_cross_entropy_with_logits");
  ops.op("aten::binary_cross_entropy_with_logits.out(Tensor self, Tensor target, Tensor? weight=None, "
         "Tensor? pos_weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor");
  ops.op("aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., "
         "int reduction=1) -> Tensor").spelled("torch.cosine_embedding_loss");
  ops.op("aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor")
      .spelled("torch.cosine_similarity torch.nn.functional.cosine_similarity");
  ops.op("aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, "
         "int[] target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor")
      .spelled("torch.ctc_loss");
  ops.op("aten::ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, "
         "Tensor target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor");
  ops.op("aten::cudnn_batch_norm(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean, "
         "Tensor? running_var, bool training, float exponential_average_factor, float epsilon) -> "
         "(Tensor, Tensor, Tensor, Tensor)").spelled("torch.cudnn_batch_norm");
  ops.op("aten::cudnn_batch_norm.out(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean, "
         "Tensor? running_var, bool training, float exponential_average_factor, float epsilon, *, "
         "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), "
         "Tensor(b!), Tensor(c!), Tensor(d!))");
  ops.op("aten::cudnn_is_acceptable(Tensor self) -> bool").spelled("torch.cudnn_is_acceptable");
  ops.op("aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, "
         "bool scale_grad_by_freq=False, bool sparse=False) -> Tensor", kOpCore).spelled("torch.embedding");
  ops.op("aten::embedding.out(Tensor weight, Tensor indices, SymInt padding_idx=-1, "
         "bool scale_grad_by_freq=False, bool sparse=False, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, "
         "bool scale_grad_by_freq=False, int mode=0, bool sparse=False, "
         "Tensor? per_sample_weights=None, bool include_last_offset=False) -> (Tensor, Tensor, Tensor, "
         "Tensor)").spelled("torch.embedding_bag");
  ops.op("aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, "
         "bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, "
         "bool include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)");
  ops.op("aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor");
  ops.op("aten::embedding_renorm.out(Tensor self, Tensor indices, float max_norm, float norm_type, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> "
         "Tensor(a!)").spelled("torch.embedding_renorm_");
  ops.op("aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor")
      .spelled("torch.frobenius_norm");
  ops.op("aten::frobenius_norm.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, "
         "float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor").spelled("torch.group_norm");
  ops.op("aten::gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, "
         "int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)", kOpRandom)
      .spelled("torch.gru");
  ops.op("aten::gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, "
         "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)", kOpRandom);
  ops.op("aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
         "Tensor? b_hh=None) -> Tensor").spelled("torch.gru_cell");
  ops.op("aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1) -> "
         "Tensor").spelled("torch.hinge_embedding_loss");
  ops.op("aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor")
      .spelled("torch._C._nn.huber_loss");
  ops.op("aten::huber_loss.out(Tensor self, Tensor target, int reduction=1, float delta=1., *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
         "Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> "
         "Tensor").spelled("torch.instance_norm");
  ops.op("aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor")
      .spelled("torch.kl_div");
  ops.op("aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor")
      .spelled("torch._C._nn.l1_loss");
  ops.op("aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, "
         "Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor")
      .spelled("torch.layer_norm");
  ops.op("aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor")
      .spelled("torch.log_softmax .log_softmax");
  ops.op("aten::log_softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::logcumsumexp(Tensor self, int dim) -> Tensor").spelled("torch.logcumsumexp .logcumsumexp");
  ops.op("aten::logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", kOpReduction)
      .spelled("torch.logsumexp .logsumexp");
  ops.op("aten::logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> "
         "Tensor(a!)", kOpReduction);
  ops.op("aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, "
         "bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, "
         "Tensor, Tensor)", kOpRandom).spelled("torch.lstm");
  ops.op("aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, "
         "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)",
         kOpRandom);
  ops.op("aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
         "Tensor? b_hh=None) -> (Tensor, Tensor)").spelled("torch.lstm_cell");
  ops.op("aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., "
         "int reduction=1) -> Tensor").spelled("torch.margin_ranking_loss");
  ops.op("aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor")
      .spelled("torch._C._nn.mse_loss");
  ops.op("aten::mse_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, "
         "Tensor? weight=None, int reduction=1) -> Tensor").spelled("torch._C._nn.multi_margin_loss");
  ops.op("aten::multi_margin_loss.out(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, "
         "Tensor? weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor")
      .spelled("torch._C._nn.multilabel_margin_loss");
  ops.op("aten::multilabel_margin_loss.out(Tensor self, Tensor target, int reduction=1, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> "
         "(Tensor output, Tensor is_target)");
  ops.op("aten::multilabel_margin_loss_forward.output(Tensor self, Tensor target, int reduction, *, "
         "Tensor(a!) output, Tensor(b!) is_target) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
         "Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)")
      .spelled("torch.native_batch_norm");
  ops.op("aten::native_batch_norm.out(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
         "Tensor? running_var, bool training, float momentum, float eps, *, Tensor(a!) out, "
         "Tensor(b!) save_mean, Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, "
         "SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)", kOpCore)
      .spelled("torch.native_group_norm");
  ops.op("aten::native_group_norm.out(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, "
         "SymInt HxW, int group, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> "
         "(Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, "
         "Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)", kOpCore).spelled("torch.native_layer_norm");
  ops.op("aten::native_layer_norm.out(Tensor input, SymInt[] normalized_shape, Tensor? weight, "
         "Tensor? bias, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> "
         "(Tensor(a!), Tensor(b!), Tensor(c!))");
  ops.op("aten::native_norm(Tensor self, Scalar p=2) -> Tensor").spelled("torch.native_norm");
  ops.op("aten::native_norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, "
         "ScalarType? dtype) -> Tensor");
  ops.op("aten::native_norm.ScalarOpt_dim_dtype_out(Tensor self, Scalar? p, int[1] dim, bool keepdim, "
         "ScalarType? dtype, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::native_norm.out(Tensor self, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
         "SymInt ignore_index=-100) -> Tensor").spelled("torch._C._nn.nll_loss");
  ops.op("aten::nll_loss.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
         "SymInt ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
         "SymInt ignore_index=-100) -> Tensor").spelled("torch._C._nn.nll_loss2d");
  ops.op("aten::nll_loss2d.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
         "SymInt ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
         "SymInt ignore_index) -> (Tensor output, Tensor total_weight)");
  ops.op("aten::nll_loss2d_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, "
         "SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
         "SymInt ignore_index) -> (Tensor output, Tensor total_weight)");
  ops.op("aten::nll_loss_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, "
         "SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
         "SymInt ignore_index=-100) -> Tensor").spelled("torch._C._nn.nll_loss_nd");
  ops.op("aten::one_hot(Tensor self, int num_classes=-1) -> Tensor", kOpDynamicShape)
      .spelled("torch._C._nn.one_hot torch.nn.functional.one_hot");
  ops.op("aten::pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, "
         "bool keepdim=False) -> Tensor")
      .spelled("torch.nn.functional.pairwise_distance torch.pairwise_distance");
  ops.op("aten::pdist(Tensor self, float p=2.) -> Tensor").spelled("torch.nn.functional.pdist torch.pdist");
  ops.op("aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, "
         "int reduction) -> Tensor").spelled("torch.poisson_nll_loss");
  ops.op("aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor")
      .spelled("torch.renorm .renorm");
  ops.op("aten::renorm.out(Tensor self, Scalar p, int dim, Scalar maxnorm, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::renorm_(Tensor(a!) self, Scalar p, int dim, Scalar maxnorm) -> Tensor(a!)")
      .spelled(".renorm_");
  ops.op("aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, "
         "float? eps=None) -> Tensor").spelled("torch.rms_norm");
  ops.op("aten::rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, "
         "bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, "
         "Tensor)", kOpRandom).spelled("torch.rnn_relu");
  ops.op("aten::rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, "
         "int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, "
         "Tensor)", kOpRandom);
  ops.op("aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
         "Tensor? b_hh=None) -> Tensor").spelled("torch.rnn_relu_cell");
  ops.op("aten::rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, "
         "bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, "
         "Tensor)", kOpRandom).spelled("torch.rnn_tanh");
  ops.op("aten::rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, "
         "int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, "
         "Tensor)", kOpRandom);
  ops.op("aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
         "Tensor? b_hh=None) -> Tensor").spelled("torch.rnn_tanh_cell");
  ops.op("aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, "
         "Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None, "
         "bool enable_gqa=False) -> Tensor", kOpRandom)
      .spelled("torch._C._nn.scaled_dot_product_attention "
               "torch.nn.functional.scaled_dot_product_attention");
  ops.op("aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor")
      .spelled("torch._C._nn.smooth_l1_loss");
  ops.op("aten::smooth_l1_loss.out(Tensor self, Tensor target, int reduction=1, float beta=1., *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor")
      .spelled("torch._C._nn.soft_margin_loss");
  ops.op("aten::soft_margin_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor")
      .spelled("torch.softmax .softmax");
  ops.op("aten::softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., "
         "float p=2., float eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor")
      .spelled("torch.triplet_margin_loss");
}
// clang-format on

}  // namespace descry::ir
