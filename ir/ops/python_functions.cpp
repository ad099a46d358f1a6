// Functions written in Python that captured graphs call by name and that no single op stands for.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerPythonFunctions(OpRegistry& ops) {
  ops.python(".backward", "(self, gradient=None, retain_graph=None, create_graph=False, inputs=None)");
  ops.python(".cholesky", "(self, upper=False)");
  ops.python(".dim_order", "(self, *, ambiguity_check=False)");
  ops.python(".eig", "(self, eigenvectors=False)");
  ops.python(".index", "(self, positions, dims)");
  ops.python(".is_shared", "(self)");
  ops.python(".lstsq", "(self, other)");
  ops.python(".lu", "(self, pivot=True, get_infos=False)");
  ops.python(".module_load", "(self, other, assign=False)");
  ops.python(".qr", "(self, some=True)");
  ops.python(".register_hook", "(self, hook)");
  ops.python(".register_post_accumulate_grad_hook", "(self, hook)");
  ops.python(".reinforce", "(self, reward)");
  ops.python(".resize", "(self, *sizes)");
  ops.python(".resize_as", "(self, tensor)");
  ops.python(".share_memory_", "(self)");
  ops.python(".solve", "(self, other)");
  ops.python(".storage", "(self)");
  ops.python(".storage_type", "(self)");
  ops.python(".symeig", "(self, eigenvectors=False)");
  ops.python(".to_sparse_coo", "(self)");
  ops.python(".unique", "(self, sorted=True, return_inverse=False, return_counts=False, dim=None)");
  ops.python("torch.atleast_1d", "(*tensors)");
  ops.python("torch.atleast_2d", "(*tensors)");
  ops.python("torch.atleast_3d", "(*tensors)");
  ops.python("torch.block_diag", "(*tensors)");
  ops.python("torch.broadcast_shapes", "(*shapes)");
  ops.python("torch.broadcast_tensors", "(*tensors)");
  ops.python("torch.cartesian_prod", "(*tensors)");
  ops.python("torch.cdist", "(x1, x2, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary')");
  ops.python("torch.chain_matmul", "(*matrices, out=None)");
  ops.python("torch.einsum", "(*args)");
  ops.python("torch.functional.atleast_1d", "(*tensors)");
  ops.python("torch.functional.atleast_2d", "(*tensors)");
  ops.python("torch.functional.atleast_3d", "(*tensors)");
  ops.python("torch.functional.block_diag", "(*tensors)");
  ops.python("torch.functional.broadcast_shapes", "(*shapes)");
  ops.python("torch.functional.broadcast_tensors", "(*tensors)");
  ops.python("torch.functional.cartesian_prod", "(*tensors)");
  ops.python("torch.functional.cdist", "(x1, x2, p=2.0, compute_mode='use_mm_for_euclid_dist_if_necessary')");
  ops.python("torch.functional.chain_matmul", "(*matrices, out=None)");
  ops.python("torch.functional.einsum", "(*args)");
  ops.python("torch.functional.lu", "(*args, **kwargs)");
  ops.python("torch.functional.meshgrid", "(*tensors, indexing=None)");
  ops.python("torch.functional.norm", "(input, p='fro', dim=None, keepdim=False, out=None, dtype=None)");
  ops.python("torch.functional.split", "(tensor, split_size_or_sections, dim=0)");
  ops.python("torch.functional.stft",
             "(input, n_fft, hop_length=None, win_length=None, window=None, center=True, "
             "pad_mode='reflect', normalized=False, onesided=None, return_complex=None, "
             "align_to_window=None)");
  ops.python("torch.functional.tensordot", "(a, b, dims=2, out=None)");
  ops.python("torch.functional.unique", "(*args, **kwargs)");
  ops.python("torch.functional.unique_consecutive", "(*args, **kwargs)");
  ops.python("torch.functional.unravel_index", "(indices, shape)");
  ops.python("torch.lu", "(*args, **kwargs)");
  ops.python("torch.meshgrid", "(*tensors, indexing=None)");
  ops.python("torch.nn.functional.adaptive_avg_pool2d", "(input, output_size)");
  ops.python("torch.nn.functional.adaptive_avg_pool3d", "(input, output_size)");
  ops.python("torch.nn.functional.adaptive_max_pool1d", "(*args, **kwargs)");
  ops.python("torch.nn.functional.adaptive_max_pool1d_with_indices",
             "(input, output_size, return_indices=False)");
  ops.python("torch.nn.functional.adaptive_max_pool2d", "(*args, **kwargs)");
  ops.python("torch.nn.functional.adaptive_max_pool2d_with_indices",
             "(input, output_size, return_indices=False)");
  ops.python("torch.nn.functional.adaptive_max_pool3d", "(*args, **kwargs)");
  ops.python("torch.nn.functional.adaptive_max_pool3d_with_indices",
             "(input, output_size, return_indices=False)");
  ops.python("torch.nn.functional.affine_grid", "(theta, size, align_corners=None)");
  ops.python("torch.nn.functional.alpha_dropout", "(input, p=0.5, training=False, inplace=False)");
  ops.python("torch.nn.functional.assert_int_or_pair", "(arg, arg_name, message)");
  ops.python("torch.nn.functional.batch_norm",
             "(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, "
             "eps=1e-05)");
  ops.python("torch.nn.functional.binary_cross_entropy",
             "(input, target, weight=None, size_average=None, reduce=None, reduction='mean')");
  ops.python("torch.nn.functional.binary_cross_entropy_with_logits",
             "(input, target, weight=None, size_average=None, reduce=None, reduction='mean', "
             "pos_weight=None)");
  ops.python("torch.nn.functional.boolean_dispatch",
             "(arg_name, arg_index, default, if_true, if_false, module_name, func_name)");
  ops.python("torch.nn.functional.celu", "(input, alpha=1.0, inplace=False)");
  ops.python("torch.nn.functional.cosine_embedding_loss",
             "(input1, input2, target, margin=0, size_average=None, reduce=None, reduction='mean')");
  ops.python("torch.nn.functional.cross_entropy",
             "(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, "
             "reduction='mean', label_smoothing=0.0)");
  ops.python("torch.nn.functional.ctc_loss",
             "(log_probs, targets, input_lengths, target_lengths, blank=0, reduction='mean', "
             "zero_infinity=False)");
  ops.python("torch.nn.functional.dropout", "(input, p=0.5, training=True, inplace=False)");
  ops.python("torch.nn.functional.dropout1d", "(input, p=0.5, training=True, inplace=False)");
  ops.python("torch.nn.functional.dropout2d", "(input, p=0.5, training=True, inplace=False)");
  ops.python("torch.nn.functional.dropout3d", "(input, p=0.5, training=True, inplace=False)");
  ops.python("torch.nn.functional.elu", "(input, alpha=1.0, inplace=False)");
  ops.python("torch.nn.functional.embedding",
             "(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, "
             "sparse=False)");
  ops.python("torch.nn.functional.embedding_bag",
             "(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, "
             "mode='mean', sparse=False, per_sample_weights=None, include_last_offset=False, "
             "padding_idx=None)");
  ops.python("torch.nn.functional.feature_alpha_dropout", "(input, p=0.5, training=False, inplace=False)");
  ops.python("torch.nn.functional.fold",
             "(input, output_size, kernel_size, dilation=1, padding=0, stride=1)");
  ops.python("torch.nn.functional.fractional_max_pool2d", "(*args, **kwargs)");
  ops.python("torch.nn.functional.fractional_max_pool2d_with_indices",
             "(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, "
             "_random_samples=None)");
  ops.python("torch.nn.functional.fractional_max_pool3d", "(*args, **kwargs)");
  ops.python("torch.nn.functional.fractional_max_pool3d_with_indices",
             "(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, "
             "_random_samples=None)");
  ops.python("torch.nn.functional.gaussian_nll_loss",
             "(input, target, var, full=False, eps=1e-06, reduction='mean')");
  ops.python("torch.nn.functional.glu", "(input, dim=-1)");
  ops.python("torch.nn.functional.grid_sample",
             "(input, grid, mode='bilinear', padding_mode='zeros', align_corners=None)");
  ops.python("torch.nn.functional.group_norm", "(input, num_groups, weight=None, bias=None, eps=1e-05)");
  ops.python("torch.nn.functional.grouped_mm", "(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None)");
  ops.python("torch.nn.functional.gumbel_softmax", "(logits, tau=1, hard=False, eps=1e-10, dim=-1)");
  ops.python("torch.nn.functional.hardsigmoid", "(input, inplace=False)");
  ops.python("torch.nn.functional.hardswish", "(input, inplace=False)");
  ops.python("torch.nn.functional.hardtanh", "(input, min_val=-1.0, max_val=1.0, inplace=False)");
  ops.python("torch.nn.functional.hinge_embedding_loss",
             "(input, target, margin=1.0, size_average=None, reduce=None, reduction='mean')");
  ops.python("torch.nn.functional.huber_loss", "(input, target, reduction='mean', delta=1.0, weight=None)");
  ops.python("torch.nn.functional.instance_norm",
             "(input, running_mean=None, running_var=None, weight=None, bias=None, "
             "use_input_stats=True, momentum=0.1, eps=1e-05)");
  ops.python("torch.nn.functional.interpolate",
             "(input, size=None, scale_factor=None, mode='nearest', align_corners=None, "
             "recompute_scale_factor=None, antialias=False)");
  ops.python("torch.nn.functional.kl_div",
             "(input, target, size_average=None, reduce=None, reduction='mean', log_target=False)");
  ops.python("torch.nn.functional.l1_loss",
             "(input, target, size_average=None, reduce=None, reduction='mean', weight=None)");
  ops.python("torch.nn.functional.layer_norm",
             "(input, normalized_shape, weight=None, bias=None, eps=1e-05)");
  ops.python("torch.nn.functional.leaky_relu", "(input, negative_slope=0.01, inplace=False)");
  ops.python("torch.nn.functional.linear_cross_entropy",
             "(input, linear_weight, target, *, linear_bias=None, weight=None, reduction='mean', "
             "ignore_index=None, label_smoothing=0.0, options=None)");
  ops.python("torch.nn.functional.local_response_norm", "(input, size, alpha=0.0001, beta=0.75, k=1.0)");
  ops.python("torch.nn.functional.log_softmax", "(input, dim=None, _stacklevel=3, dtype=None)");
  ops.python("torch.nn.functional.lp_pool1d",
             "(input, norm_type, kernel_size, stride=None, ceil_mode=False)");
  ops.python("torch.nn.functional.lp_pool2d",
             "(input, norm_type, kernel_size, stride=None, ceil_mode=False)");
  ops.python("torch.nn.functional.lp_pool3d",
             "(input, norm_type, kernel_size, stride=None, ceil_mode=False)");
  ops.python("torch.nn.functional.margin_ranking_loss",
             "(input1, input2, target, margin=0, size_average=None, reduce=None, reduction='mean')");
  ops.python("torch.nn.functional.max_pool1d", "(*args, **kwargs)");
  ops.python("torch.nn.functional.max_pool1d_with_indices",
             "(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, "
             "return_indices=False)");
  ops.python("torch.nn.functional.max_pool2d", "(*args, **kwargs)");
  ops.python("torch.nn.functional.max_pool2d_with_indices",
             "(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, "
             "return_indices=False)");
  ops.python("torch.nn.functional.max_pool3d", "(*args, **kwargs)");
  ops.python("torch.nn.functional.max_pool3d_with_indices",
             "(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, "
             "return_indices=False)");
  ops.python("torch.nn.functional.max_unpool1d",
             "(input, indices, kernel_size, stride=None, padding=0, output_size=None)");
  ops.python("torch.nn.functional.max_unpool2d",
             "(input, indices, kernel_size, stride=None, padding=0, output_size=None)");
  ops.python("torch.nn.functional.max_unpool3d",
             "(input, indices, kernel_size, stride=None, padding=0, output_size=None)");
  ops.python("torch.nn.functional.mish", "(input, inplace=False)");
  ops.python("torch.nn.functional.mse_loss",
             "(input, target, size_average=None, reduce=None, reduction='mean', weight=None)");
  ops.python("torch.nn.functional.multi_head_attention_forward",
             "(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, "
             "bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True, "
             "key_padding_mask=None, need_weights=True, attn_mask=None, use_separate_proj_weight=False, "
             "q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None, "
             "average_attn_weights=True, is_causal=False)");
  ops.python("torch.nn.functional.multi_margin_loss",
             "(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, "
             "reduction='mean')");
  ops.python("torch.nn.functional.multilabel_margin_loss",
             "(input, target, size_average=None, reduce=None, reduction='mean')");
  ops.python("torch.nn.functional.multilabel_soft_margin_loss",
             "(input, target, weight=None, size_average=None, reduce=None, reduction='mean')");
  ops.python("torch.nn.functional.nll_loss",
             "(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, "
             "reduction='mean')");
  ops.python("torch.nn.functional.normalize", "(input, p=2.0, dim=1, eps=1e-12, out=None)");
  ops.python("torch.nn.functional.pad", "(input, pad, mode='constant', value=None)");
  ops.python("torch.nn.functional.poisson_nll_loss",
             "(input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, "
             "reduction='mean')");
  ops.python("torch.nn.functional.relu", "(input, inplace=False)");
  ops.python("torch.nn.functional.relu6", "(input, inplace=False)");
  ops.python("torch.nn.functional.rms_norm", "(input, normalized_shape, weight=None, eps=None)");
  ops.python("torch.nn.functional.rrelu",
             "(input, lower=0.125, upper=0.3333333333333333, training=False, inplace=False)");
  ops.python("torch.nn.functional.scaled_addmm",
             "(input, mat1, mat2, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a=None, "
             "swizzle_b=None, contraction_dim=(), use_fast_accum=False, *, beta=1.0, alpha=1.0)");
  ops.python("torch.nn.functional.scaled_addmm_",
             "(input, mat1, mat2, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a=None, "
             "swizzle_b=None, contraction_dim=(), use_fast_accum=False, *, beta=1.0, alpha=1.0)");
  ops.python("torch.nn.functional.scaled_grouped_mm",
             "(mat_a, mat_b, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a=None, "
             "swizzle_b=None, bias=None, offs=None, output_dtype=torch.bfloat16, contraction_dim=(), "
             "use_fast_accum=False)");
  ops.python("torch.nn.functional.scaled_mm",
             "(mat_a, mat_b, scale_a, scale_recipe_a, scale_b, scale_recipe_b, swizzle_a=None, "
             "swizzle_b=None, bias=None, output_dtype=torch.bfloat16, contraction_dim=(), "
             "use_fast_accum=False)");
  ops.python("torch.nn.functional.selu", "(input, inplace=False)");
  ops.python("torch.nn.functional.sigmoid", "(input)");
  ops.python("torch.nn.functional.silu", "(input, inplace=False)");
  ops.python("torch.nn.functional.smooth_l1_loss",
             "(input, target, size_average=None, reduce=None, reduction='mean', beta=1.0)");
  ops.python("torch.nn.functional.soft_margin_loss",
             "(input, target, size_average=None, reduce=None, reduction='mean')");
  ops.python("torch.nn.functional.softmax", "(input, dim=None, _stacklevel=3, dtype=None)");
  ops.python("torch.nn.functional.softmin", "(input, dim=None, _stacklevel=3, dtype=None)");
  ops.python("torch.nn.functional.softsign", "(input)");
  ops.python("torch.nn.functional.tanh", "(input)");
  ops.python("torch.nn.functional.tanhshrink", "(input)");
  ops.python("torch.nn.functional.threshold", "(input, threshold, value, inplace=False)");
  ops.python("torch.nn.functional.triplet_margin_loss",
             "(anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, size_average=None, "
             "reduce=None, reduction='mean')");
  ops.python("torch.nn.functional.triplet_margin_with_distance_loss",
             "(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, "
             "reduction='mean')");
  ops.python("torch.nn.functional.unfold", "(input, kernel_size, dilation=1, padding=0, stride=1)");
  ops.python("torch.nn.functional.upsample",
             "(input, size=None, scale_factor=None, mode='nearest', align_corners=None)");
  ops.python("torch.nn.functional.upsample_bilinear", "(input, size=None, scale_factor=None)");
  ops.python("torch.nn.functional.upsample_nearest", "(input, size=None, scale_factor=None)");
  ops.python("torch.norm", "(input, p='fro', dim=None, keepdim=False, out=None, dtype=None)");
  ops.python("torch.split", "(tensor, split_size_or_sections, dim=0)");
  ops.python("torch.stft",
             "(input, n_fft, hop_length=None, win_length=None, window=None, center=True, "
             "pad_mode='reflect', normalized=False, onesided=None, return_complex=None, "
             "align_to_window=None)");
  ops.python("torch.sym_float", "(a)");
  ops.python("torch.sym_fresh_size", "(expr)");
  ops.python("torch.sym_int", "(a)");
  ops.python("torch.sym_ite", "(b, t, f)");
  ops.python("torch.sym_max", "(a, b)");
  ops.python("torch.sym_min", "(a, b)");
  ops.python("torch.sym_not", "(a)");
  ops.python("torch.sym_sqrt", "(a)");
  ops.python("torch.sym_sum", "(*args)");
  ops.python("torch.tensordot", "(a, b, dims=2, out=None)");
  ops.python("torch.unique", "(*args, **kwargs)");
  ops.python("torch.unique_consecutive", "(*args, **kwargs)");
  ops.python("torch.unravel_index", "(indices, shape)");
}
// clang-format on

}  // namespace descry::ir
