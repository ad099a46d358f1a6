// Quantized tensors.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerQuantized(OpRegistry& ops) {
  ops.op("aten::_choose_qparams_per_tensor(Tensor self, bool reduce_range=False) -> (float, int)")
      .spelled("torch._choose_qparams_per_tensor");
  ops.op("aten::_convert_weight_to_int4pack(Tensor self, int innerKTiles) -> Tensor")
      .spelled("torch._convert_weight_to_int4pack");
  ops.op("aten::_convert_weight_to_int4pack_for_cpu(Tensor self, int innerKTiles) -> Tensor")
      .spelled("torch._convert_weight_to_int4pack_for_cpu");
  ops.op("aten::_dyn_quant_matmul_4bit(Tensor inp, Tensor packed_weights, int block_size, "
         "int in_features, int out_features) -> Tensor").spelled("torch._dyn_quant_matmul_4bit");
  ops.op("aten::_dyn_quant_pack_4bit_weight(Tensor weights, Tensor scales_zeros, Tensor? bias, "
         "int block_size, int in_features, int out_features) -> Tensor")
      .spelled("torch._dyn_quant_pack_4bit_weight");
  ops.op("aten::_empty_affine_quantized(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None, float scale=1., int zero_point=0, "
         "MemoryFormat? memory_format=0) -> Tensor").spelled("torch._empty_affine_quantized");
  ops.op("aten::_empty_affine_quantized.out(SymInt[] size, *, float scale=1., int zero_point=0, "
         "MemoryFormat? memory_format=0, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_empty_per_channel_affine_quantized(SymInt[] size, *, Tensor scales, "
         "Tensor zero_points, int axis, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=0) -> Tensor")
      .spelled("torch._empty_per_channel_affine_quantized");
  ops.op("aten::_empty_per_channel_affine_quantized.out(SymInt[] size, *, Tensor scales, "
         "Tensor zero_points, int axis, MemoryFormat? memory_format=0, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_fake_quantize_learnable_per_channel_affine(Tensor self, Tensor scale, "
         "Tensor zero_point, int axis, int quant_min, int quant_max, float grad_factor=1.) -> Tensor")
      .spelled("torch._fake_quantize_learnable_per_channel_affine");
  ops.op("aten::_fake_quantize_learnable_per_channel_affine.out(Tensor self, Tensor scale, "
         "Tensor zero_point, int axis, int quant_min, int quant_max, float grad_factor=1., *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_fake_quantize_learnable_per_channel_affine_backward(Tensor grad, Tensor self, "
         "Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max, "
         "float grad_factor=1.) -> (Tensor, Tensor, Tensor)");
  ops.op("aten::_fake_quantize_learnable_per_tensor_affine(Tensor self, Tensor scale, "
         "Tensor zero_point, int quant_min, int quant_max, float grad_factor=1.) -> Tensor")
      .spelled("torch._fake_quantize_learnable_per_tensor_affine");
  ops.op("aten::_fake_quantize_learnable_per_tensor_affine.out(Tensor self, Tensor scale, "
         "Tensor zero_point, int quant_min, int quant_max, float grad_factor=1., *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_fake_quantize_learnable_per_tensor_affine_backward(Tensor grad, Tensor self, "
         "Tensor scale, Tensor zero_point, int quant_min, int quant_max, float grad_factor=1.) -> "
         "(Tensor, Tensor, Tensor)");
  ops.op("aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor scale, "
         "Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max) -> "
         "(Tensor output, Tensor mask)")
      .spelled("torch._fake_quantize_per_tensor_affine_cachemask_tensor_qparams");
  ops.op("aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.out(Tensor self, "
         "Tensor scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max, *, "
         "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::_make_per_channel_quantized_tensor(Tensor self, Tensor scale, Tensor zero_point, "
         "int axis) -> Tensor").spelled("torch._make_per_channel_quantized_tensor");
  ops.op("aten::_make_per_channel_quantized_tensor.out(Tensor self, Tensor scale, Tensor zero_point, "
         "int axis, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_make_per_tensor_quantized_tensor(Tensor self, float scale, int zero_point) -> Tensor")
      .spelled("torch._make_per_tensor_quantized_tensor");
  ops.op("aten::_make_per_tensor_quantized_tensor.out(Tensor self, float scale, int zero_point, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_saturate_weight_to_fp16(Tensor weight) -> Tensor").spelled("torch._saturate_weight_to_fp16");
  ops.op("aten::_weight_int4pack_mm(Tensor self, Tensor mat2, int qGroupSize, Tensor qScaleAndZeros) -> "
         "Tensor").spelled("torch._weight_int4pack_mm");
  ops.op("aten::_weight_int4pack_mm_for_cpu(Tensor self, Tensor mat2, int qGroupSize, "
         "Tensor qScaleAndZeros) -> Tensor").spelled("torch._weight_int4pack_mm_for_cpu");
  ops.op("aten::_weight_int4pack_mm_with_scales_and_zeros(Tensor self, Tensor mat2, int qGroupSize, "
         "Tensor qScale, Tensor qZeros) -> Tensor")
      .spelled("torch._weight_int4pack_mm_with_scales_and_zeros");
  ops.op("aten::_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor")
      .spelled("torch._weight_int8pack_mm");
  ops.op("aten::_wrapped_quantized_linear_prepacked(Tensor input, Tensor input_scale, "
         "Tensor input_zero_point, Tensor packed_weight, Tensor output_scale, "
         "Tensor output_zero_point, int out_channel) -> Tensor")
      .spelled("torch._wrapped_quantized_linear_prepacked");
  ops.op("aten::choose_qparams_optimized(Tensor input, int numel, int n_bins, float ratio, "
         "int bit_width) -> (Tensor, Tensor)").spelled("torch.choose_qparams_optimized");
  ops.op("aten::dequantize.self(Tensor self) -> Tensor").spelled("torch.dequantize .dequantize");
  ops.op("aten::dequantize.self_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::dequantize.tensors(Tensor[] tensors) -> Tensor[]");
  ops.op("aten::dequantize.tensors_out(Tensor[] tensors, *, Tensor(a!)[] out) -> ()");
  ops.op("aten::empty_quantized(int[] size, Tensor qtensor, *, ScalarType? dtype=None, "
         "Layout? layout=None, Device? device=None, bool? pin_memory=None, "
         "MemoryFormat? memory_format=None) -> Tensor").spelled("torch.empty_quantized");
  ops.op("aten::empty_quantized.out(int[] size, Tensor qtensor, *, MemoryFormat? memory_format=None, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, "
         "int axis, int quant_min, int quant_max) -> Tensor")
      .spelled("torch.fake_quantize_per_channel_affine");
  ops.op("aten::fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, "
         "Tensor zero_point, int axis, int quant_min, int quant_max) -> (Tensor output, Tensor mask)");
  ops.op("aten::fake_quantize_per_channel_affine_cachemask.out(Tensor self, Tensor scale, "
         "Tensor zero_point, int axis, int quant_min, int quant_max, *, Tensor(a!) out0, "
         "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::fake_quantize_per_channel_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor");
  ops.op("aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, "
         "int quant_min, int quant_max) -> Tensor").spelled("torch.fake_quantize_per_tensor_affine");
  ops.op("aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, "
         "Tensor zero_point, int quant_min, int quant_max) -> Tensor");
  ops.op("aten::fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, "
         "int quant_min, int quant_max) -> (Tensor output, Tensor mask)");
  ops.op("aten::fake_quantize_per_tensor_affine_cachemask.out(Tensor self, float scale, int zero_point, "
         "int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::fake_quantize_per_tensor_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor");
  ops.op("aten::fbgemm_linear_fp16_weight(Tensor input, Tensor packed_weight, Tensor bias) -> Tensor")
      .spelled("torch.fbgemm_linear_fp16_weight");
  ops.op("aten::fbgemm_linear_fp16_weight.out(Tensor input, Tensor packed_weight, Tensor bias, "
         "Tensor(a!) output) -> Tensor");
  ops.op("aten::fbgemm_linear_fp16_weight_fp32_activation(Tensor input, Tensor packed_weight, "
         "Tensor? bias) -> Tensor").spelled("torch.fbgemm_linear_fp16_weight_fp32_activation");
  ops.op("aten::fbgemm_linear_fp16_weight_fp32_activation.out(Tensor input, Tensor packed_weight, "
         "Tensor? bias, Tensor(a!) output) -> Tensor");
  ops.op("aten::fbgemm_linear_int8_weight(Tensor input, Tensor weight, Tensor packed, "
         "Tensor col_offsets, Scalar weight_scale, Scalar weight_zero_point, Tensor bias) -> Tensor")
      .spelled("torch.fbgemm_linear_int8_weight");
  ops.op("aten::fbgemm_linear_int8_weight_fp32_activation(Tensor input, Tensor weight, Tensor packed, "
         "Tensor col_offsets, Scalar weight_scale, Scalar weight_zero_point, Tensor bias) -> Tensor")
      .spelled("torch.fbgemm_linear_int8_weight_fp32_activation");
  ops.op("aten::fbgemm_linear_quantize_weight(Tensor input) -> (Tensor, Tensor, float, int)")
      .spelled("torch.fbgemm_linear_quantize_weight");
  ops.op("aten::fbgemm_pack_gemm_matrix_fp16(Tensor input) -> Tensor")
      .spelled("torch.fbgemm_pack_gemm_matrix_fp16");
  ops.op("aten::fbgemm_pack_quantized_matrix(Tensor input) -> Tensor")
      .spelled("torch.fbgemm_pack_quantized_matrix");
  ops.op("aten::fbgemm_pack_quantized_matrix.KN(Tensor input, int K, int N) -> Tensor");
  ops.op("aten::fused_moving_avg_obs_fake_quant(Tensor self, Tensor observer_on, Tensor fake_quant_on, "
         "Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, "
         "float averaging_const, int quant_min, int quant_max, int ch_axis, "
         "bool per_row_fake_quant=False, bool symmetric_quant=False) -> Tensor")
      .spelled("torch.fused_moving_avg_obs_fake_quant");
  ops.op("aten::int_repr(Tensor self) -> Tensor").spelled("torch.int_repr .int_repr");
  ops.op("aten::int_repr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::q_per_channel_axis(Tensor self) -> int")
      .spelled("torch.q_per_channel_axis .q_per_channel_axis");
  ops.op("aten::q_per_channel_scales(Tensor self) -> Tensor")
      .spelled("torch.q_per_channel_scales .q_per_channel_scales");
  ops.op("aten::q_per_channel_scales.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::q_per_channel_zero_points(Tensor self) -> Tensor")
      .spelled("torch.q_per_channel_zero_points .q_per_channel_zero_points");
  ops.op("aten::q_per_channel_zero_points.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::q_scale(Tensor self) -> float").spelled("torch.q_scale .q_scale");
  ops.op("aten::q_zero_point(Tensor self) -> int").spelled("torch.q_zero_point .q_zero_point");
  ops.op("aten::qscheme(Tensor self) -> QScheme").spelled(".qscheme");
  ops.op("aten::quantize_per_channel(Tensor self, Tensor scales, Tensor zero_points, int axis, "
         "ScalarType dtype) -> Tensor").spelled("torch.quantize_per_channel");
  ops.op("aten::quantize_per_channel.out(Tensor self, Tensor scales, Tensor zero_points, int axis, "
         "ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::quantize_per_tensor(Tensor self, float scale, int zero_point, ScalarType dtype) -> Tensor")
      .spelled("torch.quantize_per_tensor");
  ops.op("aten::quantize_per_tensor.out(Tensor self, float scale, int zero_point, ScalarType dtype, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::quantize_per_tensor.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, "
         "ScalarType dtype) -> Tensor");
  ops.op("aten::quantize_per_tensor.tensor_qparams_out(Tensor self, Tensor scale, Tensor zero_point, "
         "ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::quantize_per_tensor.tensors(Tensor[] tensors, Tensor scales, Tensor zero_points, "
         "ScalarType dtype) -> Tensor[]");
  ops.op("aten::quantize_per_tensor.tensors_out(Tensor[] tensors, Tensor scales, Tensor zero_points, "
         "ScalarType dtype, *, Tensor(a!)[] out) -> ()");
  ops.op("aten::quantize_per_tensor_dynamic(Tensor self, ScalarType dtype, bool reduce_range) -> Tensor")
      .spelled("torch.quantize_per_tensor_dynamic");
  ops.op("aten::quantize_per_tensor_dynamic.out(Tensor self, ScalarType dtype, bool reduce_range, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::quantized_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, "
         "Tensor var, float eps, float output_scale, int output_zero_point) -> Tensor")
      .spelled("torch.quantized_batch_norm");
  ops.op("aten::quantized_batch_norm.out(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, "
         "Tensor var, float eps, float output_scale, int output_zero_point, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::quantized_gru.data(Tensor data, Tensor batch_sizes, Tensor hx, "
         "__torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, "
         "float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)");
  ops.op("aten::quantized_gru.data_legacy(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, "
         "bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, "
         "Tensor)");
  ops.op("aten::quantized_gru.input(Tensor input, Tensor hx, "
         "__torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, "
         "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)");
  ops.op("aten::quantized_gru.input_legacy(Tensor input, Tensor hx, Tensor[] params, bool has_biases, "
         "int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, "
         "Tensor)");
  ops.op("aten::quantized_gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor b_ih, "
         "Tensor b_hh, Tensor packed_ih, Tensor packed_hh, Tensor col_offsets_ih, "
         "Tensor col_offsets_hh, Scalar scale_ih, Scalar scale_hh, Scalar zero_point_ih, "
         "Scalar zero_point_hh) -> Tensor").spelled("torch.quantized_gru_cell");
  ops.op("aten::quantized_lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, "
         "__torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, "
         "float dropout, bool train, bool bidirectional, *, ScalarType? dtype=None, "
         "bool use_dynamic=False) -> (Tensor, Tensor, Tensor)");
  ops.op("aten::quantized_lstm.data_legacy(Tensor data, Tensor batch_sizes, Tensor[] hx, "
         "Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, "
         "bool bidirectional, *, ScalarType? dtype=None, bool use_dynamic=False) -> (Tensor, Tensor, "
         "Tensor)");
  ops.op("aten::quantized_lstm.input(Tensor input, Tensor[] hx, "
         "__torch__.torch.classes.rnn.CellParamsBase[] params, bool has_biases, int num_layers, "
         "float dropout, bool train, bool bidirectional, bool batch_first, *, ScalarType? dtype=None, "
         "bool use_dynamic=False) -> (Tensor, Tensor, Tensor)");
  ops.op("aten::quantized_lstm.input_legacy(Tensor input, Tensor[] hx, Tensor[] params, "
         "bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, "
         "bool batch_first, *, ScalarType? dtype=None, bool use_dynamic=False) -> (Tensor, Tensor, "
         "Tensor)");
  ops.op("aten::quantized_lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor b_ih, "
         "Tensor b_hh, Tensor packed_ih, Tensor packed_hh, Tensor col_offsets_ih, "
         "Tensor col_offsets_hh, Scalar scale_ih, Scalar scale_hh, Scalar zero_point_ih, "
         "Scalar zero_point_hh) -> (Tensor, Tensor)").spelled("torch.quantized_lstm_cell");
  ops.op("aten::quantized_max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], "
         "int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> Tensor")
      .spelled("torch.quantized_max_pool1d");
  ops.op("aten::quantized_max_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], "
         "int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::quantized_max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], "
         "int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor")
      .spelled("torch.quantized_max_pool2d");
  ops.op("aten::quantized_max_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], "
         "int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::quantized_max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], "
         "int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor")
      .spelled("torch.quantized_max_pool3d");
  ops.op("aten::quantized_max_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], "
         "int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::quantized_rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor b_ih, "
         "Tensor b_hh, Tensor packed_ih, Tensor packed_hh, Tensor col_offsets_ih, "
         "Tensor col_offsets_hh, Scalar scale_ih, Scalar scale_hh, Scalar zero_point_ih, "
         "Scalar zero_point_hh) -> Tensor").spelled("torch.quantized_rnn_relu_cell");
  ops.op("aten::quantized_rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor b_ih, "
         "Tensor b_hh, Tensor packed_ih, Tensor packed_hh, Tensor col_offsets_ih, "
         "Tensor col_offsets_hh, Scalar scale_ih, Scalar scale_hh, Scalar zero_point_ih, "
         "Scalar zero_point_hh) -> Tensor").spelled("torch.quantized_rnn_tanh_cell");
  ops.op("quantized_decomposed::_choose_qparams_per_token_asymmetric_impl(Tensor input, "
         "ScalarType dtype) -> (Tensor, Tensor)");
  ops.op("quantized_decomposed::choose_qparams.tensor(Tensor input, int quant_min, int quant_max, "
         "float eps, ScalarType dtype) -> (Tensor, Tensor)");
  ops.op("quantized_decomposed::choose_qparams_per_token(Tensor input, ScalarType dtype) -> (Tensor, "
         "Tensor)");
  ops.op("quantized_decomposed::choose_qparams_per_token_asymmetric(Tensor input, ScalarType dtype) -> "
         "(Tensor, Tensor)");
  ops.op("quantized_decomposed::choose_qparams_symmetric.tensor(Tensor input, int quant_min, "
         "int quant_max, float eps, ScalarType dtype) -> (Tensor, Tensor)");
  ops.op("quantized_decomposed::convert_element_type.no_fuse(Tensor input, ScalarType dtype) -> Tensor");
  ops.op("quantized_decomposed::dequantize_per_channel(Tensor input, Tensor scales, "
         "Tensor? zero_points, int axis, int quant_min, int quant_max, ScalarType dtype, *, "
         "ScalarType? out_dtype=None) -> Tensor");
  ops.op("quantized_decomposed::dequantize_per_channel_group(Tensor input, Tensor scales, "
         "Tensor? zero_points, int quant_min, int quant_max, ScalarType dtype, int group_size, "
         "ScalarType output_dtype) -> Tensor");
  ops.op("quantized_decomposed::dequantize_per_tensor(Tensor input, float scale, int zero_point, "
         "int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor");
  ops.op("quantized_decomposed::dequantize_per_tensor.tensor(Tensor input, Tensor scale, "
         "Tensor zero_point, int quant_min, int quant_max, ScalarType dtype, *, "
         "ScalarType? out_dtype=None) -> Tensor");
  ops.op("quantized_decomposed::dequantize_per_tensor.tensor2(Tensor input, Tensor scale, "
         "Tensor zero_point, Tensor quant_min, Tensor quant_max, ScalarType dtype, *, "
         "ScalarType? out_dtype=None) -> Tensor");
  ops.op("quantized_decomposed::dequantize_per_token(Tensor input, Tensor scales, Tensor zero_points, "
         "int quant_min, int quant_max, ScalarType dtype, ScalarType output_dtype) -> Tensor");
  ops.op("quantized_decomposed::fake_quant_per_channel(Tensor input, Tensor scales, Tensor zero_points, "
         "int axis, int quant_min, int quant_max) -> Tensor");
  ops.op("quantized_decomposed::quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, "
         "int axis, int quant_min, int quant_max, ScalarType dtype) -> Tensor");
  ops.op("quantized_decomposed::quantize_per_channel_group(Tensor input, Tensor scales, "
         "Tensor zero_points, int quant_min, int quant_max, ScalarType dtype, int group_size) -> Tensor");
  ops.op("quantized_decomposed::quantize_per_tensor(Tensor input, float scale, int zero_point, "
         "int quant_min, int quant_max, ScalarType dtype) -> Tensor");
  ops.op("quantized_decomposed::quantize_per_tensor.tensor(Tensor input, Tensor scale, "
         "Tensor zero_point, int quant_min, int quant_max, ScalarType dtype) -> Tensor");
  ops.op("quantized_decomposed::quantize_per_tensor.tensor2(Tensor input, Tensor scale, "
         "Tensor zero_point, Tensor quant_min, Tensor quant_max, ScalarType dtype) -> Tensor");
  ops.op("quantized_decomposed::quantize_per_token(Tensor input, Tensor scales, Tensor zero_points, "
         "int quant_min, int quant_max, ScalarType dtype) -> Tensor");
}
// clang-format on

}  // namespace descry::ir
