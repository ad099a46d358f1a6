// Convolutions, pooling, resampling, padding.
#include "ir/ops/tables.h"

namespace descry::ir {

// clang-format off
void registerConvPool(OpRegistry& ops) {
  ops.op("aten::_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", kOpCore)
      .spelled("torch._adaptive_avg_pool2d");
  ops.op("aten::_adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", kOpCore)
      .spelled("torch._adaptive_avg_pool3d");
  ops.op("aten::_adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::_conv_depthwise2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias, "
         "SymInt[2] stride, SymInt[2] padding, SymInt[2] dilation) -> Tensor")
      .spelled("torch._C._nn._conv_depthwise2d");
  ops.op("aten::_conv_depthwise2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias, "
         "SymInt[2] stride, SymInt[2] padding, SymInt[2] dilation, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, "
         "SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, "
         "SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> "
         "Tensor").spelled("torch._convolution");
  ops.op("aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, "
         "SymInt[] padding, SymInt[] dilation, bool transposed, int[] output_padding, SymInt groups, "
         "bool benchmark, bool deterministic, bool cudnn_enabled) -> Tensor");
  ops.op("aten::_convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, "
         "SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, "
         "SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, "
         "str padding, SymInt[] dilation, SymInt groups) -> Tensor").spelled("torch._convolution_mode");
  ops.op("aten::_grid_sampler_2d_cpu_fallback(Tensor input, Tensor grid, int interpolation_mode, "
         "int padding_mode, bool align_corners) -> Tensor").spelled("torch._grid_sampler_2d_cpu_fallback");
  ops.op("aten::_grid_sampler_2d_cpu_fallback.out(Tensor input, Tensor grid, int interpolation_mode, "
         "int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_nnpack_spatial_convolution(Tensor input, Tensor weight, Tensor? bias, "
         "SymInt[2] padding, SymInt[2] stride=[1, 1]) -> Tensor")
      .spelled("torch._nnpack_spatial_convolution");
  ops.op("aten::_nnpack_spatial_convolution.out(Tensor input, Tensor weight, Tensor? bias, "
         "SymInt[2] padding, SymInt[2] stride=[1, 1], *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)")
      .spelled("torch._pack_padded_sequence");
  ops.op("aten::_pack_padded_sequence.out(Tensor input, Tensor lengths, bool batch_first, *, "
         "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::_pad_circular(Tensor self, SymInt[] pad) -> Tensor").spelled("torch._C._nn._pad_circular");
  ops.op("aten::_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor")
      .spelled("torch._C._nn._pad_enum");
  ops.op("aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, "
         "Scalar padding_value, int total_length) -> (Tensor, Tensor)").spelled("torch._pad_packed_sequence");
  ops.op("aten::_slow_conv2d_forward(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias, "
         "SymInt[2] stride, SymInt[2] padding) -> Tensor");
  ops.op("aten::_slow_conv2d_forward.output(Tensor self, Tensor weight, SymInt[2] kernel_size, "
         "Tensor? bias, SymInt[2] stride, SymInt[2] padding, *, Tensor(a!) output) -> Tensor(a!)");
  ops.op("aten::_upsample_bicubic2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, "
         "float? scales_h=None, float? scales_w=None) -> Tensor")
      .spelled("torch._C._nn._upsample_bicubic2d_aa");
  ops.op("aten::_upsample_bicubic2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, "
         "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_upsample_bicubic2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
         "float[]? scale_factors) -> Tensor");
  ops.op("aten::_upsample_bilinear2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, "
         "float? scales_h=None, float? scales_w=None) -> Tensor")
      .spelled("torch._C._nn._upsample_bilinear2d_aa");
  ops.op("aten::_upsample_bilinear2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, "
         "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_upsample_bilinear2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
         "float[]? scale_factors) -> Tensor");
  ops.op("aten::_upsample_lanczos2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, "
         "float? scales_h=None, float? scales_w=None) -> Tensor")
      .spelled("torch._C._nn._upsample_lanczos2d_aa");
  ops.op("aten::_upsample_lanczos2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, "
         "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_upsample_lanczos2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
         "float[]? scale_factors) -> Tensor");
  ops.op("aten::_upsample_nearest_exact1d(Tensor self, SymInt[1] output_size, float? scales=None) -> "
         "Tensor").spelled("torch._C._nn._upsample_nearest_exact1d");
  ops.op("aten::_upsample_nearest_exact1d.out(Tensor self, SymInt[1] output_size, float? scales=None, "
         "*, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_upsample_nearest_exact1d.vec(Tensor input, SymInt[]? output_size, "
         "float[]? scale_factors) -> Tensor");
  ops.op("aten::_upsample_nearest_exact2d(Tensor self, SymInt[2] output_size, float? scales_h=None, "
         "float? scales_w=None) -> Tensor").spelled("torch._C._nn._upsample_nearest_exact2d");
  ops.op("aten::_upsample_nearest_exact2d.out(Tensor self, SymInt[2] output_size, float? scales_h=None, "
         "float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_upsample_nearest_exact2d.vec(Tensor input, SymInt[]? output_size, "
         "float[]? scale_factors) -> Tensor");
  ops.op("aten::_upsample_nearest_exact3d(Tensor self, SymInt[3] output_size, float? scales_d=None, "
         "float? scales_h=None, float? scales_w=None) -> Tensor")
      .spelled("torch._C._nn._upsample_nearest_exact3d");
  ops.op("aten::_upsample_nearest_exact3d.out(Tensor self, SymInt[3] output_size, float? scales_d=None, "
         "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::_upsample_nearest_exact3d.vec(Tensor input, SymInt[]? output_size, "
         "float[]? scale_factors) -> Tensor");
  ops.op("aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", kOpCore)
      .spelled("torch.adaptive_avg_pool1d torch.nn.functional.adaptive_avg_pool1d");
  ops.op("aten::adaptive_avg_pool1d.out(Tensor self, int[1] output_size, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor")
      .spelled("torch._C._nn.adaptive_avg_pool2d");
  ops.op("aten::adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor")
      .spelled("torch._C._nn.adaptive_avg_pool3d");
  ops.op("aten::adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)")
      .spelled("torch.adaptive_max_pool1d");
  ops.op("aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)")
      .spelled("torch._C._nn.adaptive_max_pool2d");
  ops.op("aten::adaptive_max_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out, "
         "Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)")
      .spelled("torch._C._nn.adaptive_max_pool3d");
  ops.op("aten::adaptive_max_pool3d.out(Tensor self, int[3] output_size, *, Tensor(a!) out, "
         "Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor")
      .spelled("torch.affine_grid_generator");
  ops.op("aten::affine_grid_generator.out(Tensor theta, SymInt[] size, bool align_corners, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], "
         "bool ceil_mode=False, bool count_include_pad=True) -> Tensor", kOpCore)
      .spelled("torch.avg_pool1d torch.nn.functional.avg_pool1d");
  ops.op("aten::avg_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], "
         "bool ceil_mode=False, bool count_include_pad=True, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, "
         "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", kOpCore)
      .spelled("torch._C._nn.avg_pool2d torch.nn.functional.avg_pool2d");
  ops.op("aten::avg_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, "
         "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, "
         "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", kOpCore)
      .spelled("torch._C._nn.avg_pool3d torch.nn.functional.avg_pool3d");
  ops.op("aten::avg_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, "
         "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor")
      .spelled("torch.channel_shuffle torch.nn.functional.channel_shuffle");
  ops.op("aten::channel_shuffle.out(Tensor self, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, "
         "int[2] padding, int[2] stride) -> Tensor", kOpCore).spelled("torch._C._nn.col2im");
  ops.op("aten::col2im.out(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, "
         "int[2] padding, int[2] stride, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor", kOpCore)
      .spelled("torch.constant_pad_nd");
  ops.op("aten::constant_pad_nd.out(Tensor self, SymInt[] pad, Scalar value=0, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], "
         "SymInt[1] padding=[0], SymInt[1] dilation=[1], SymInt groups=1) -> Tensor")
      .spelled("torch.conv1d torch.nn.functional.conv1d");
  ops.op("aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], "
         "str padding=\"valid\", SymInt[1] dilation=[1], SymInt groups=1) -> Tensor");
  ops.op("aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], "
         "SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor")
      .spelled("torch.conv2d torch.nn.functional.conv2d");
  ops.op("aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], "
         "str padding=\"valid\", SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor");
  ops.op("aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], "
         "SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor")
      .spelled("torch.conv3d torch.nn.functional.conv3d");
  ops.op("aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, "
         "1], str padding=\"valid\", SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor");
  ops.op("aten::conv_depthwise3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, "
         "SymInt[3] stride, SymInt[3] padding, SymInt[3] dilation) -> Tensor")
      .spelled("torch._C._nn.conv_depthwise3d");
  ops.op("aten::conv_depthwise3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, "
         "SymInt[3] stride, SymInt[3] padding, SymInt[3] dilation, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor")
      .spelled("torch.conv_tbc torch.nn.functional.conv_tbc");
  ops.op("aten::conv_tbc.out(Tensor self, Tensor weight, Tensor bias, int pad=0, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], "
         "SymInt[1] padding=[0], SymInt[1] output_padding=[0], SymInt groups=1, "
         "SymInt[1] dilation=[1]) -> Tensor")
      .spelled("torch.conv_transpose1d torch.nn.functional.conv_transpose1d");
  ops.op("aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, "
         "SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, 0], "
         "SymInt groups=1, SymInt[2] dilation=[1, 1]) -> Tensor")
      .spelled("torch.conv_transpose2d torch.nn.functional.conv_transpose2d");
  ops.op("aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, "
         "SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] output_padding=[0, 0, 0], "
         "SymInt groups=1, SymInt[3] dilation=[1, 1, 1]) -> Tensor")
      .spelled("torch.conv_transpose3d torch.nn.functional.conv_transpose3d");
  ops.op("aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, "
         "SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, "
         "SymInt groups) -> Tensor", kOpCore).spelled("torch.convolution");
  ops.op("aten::convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, "
         "SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, "
         "SymInt groups, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::convolution_overrideable(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, "
         "SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, "
         "SymInt groups) -> Tensor");
  ops.op("aten::convolution_overrideable.out(Tensor input, Tensor weight, Tensor? bias, "
         "SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, "
         "SymInt[] output_padding, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cudnn_affine_grid_generator(Tensor theta, int N, int C, int H, int W) -> Tensor grid")
      .spelled("torch.cudnn_affine_grid_generator");
  ops.op("aten::cudnn_affine_grid_generator.out(Tensor theta, int N, int C, int H, int W, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cudnn_convolution(Tensor self, Tensor weight, SymInt[] padding, SymInt[] stride, "
         "SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32) -> "
         "Tensor").spelled("torch.cudnn_convolution");
  ops.op("aten::cudnn_convolution.out(Tensor self, Tensor weight, SymInt[] padding, SymInt[] stride, "
         "SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cudnn_convolution_add_relu(Tensor self, Tensor weight, Tensor z, Scalar? alpha, "
         "Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor")
      .spelled("torch.cudnn_convolution_add_relu");
  ops.op("aten::cudnn_convolution_add_relu.out(Tensor self, Tensor weight, Tensor z, Scalar? alpha, "
         "Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cudnn_convolution_relu(Tensor self, Tensor weight, Tensor? bias, SymInt[] stride, "
         "SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor")
      .spelled("torch.cudnn_convolution_relu");
  ops.op("aten::cudnn_convolution_relu.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] stride, "
         "SymInt[] padding, SymInt[] dilation, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cudnn_convolution_transpose(Tensor self, Tensor weight, SymInt[] padding, "
         "SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, "
         "bool deterministic, bool allow_tf32) -> Tensor").spelled("torch.cudnn_convolution_transpose");
  ops.op("aten::cudnn_convolution_transpose.out(Tensor self, Tensor weight, SymInt[] padding, "
         "SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, "
         "bool deterministic, bool allow_tf32, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::cudnn_grid_sampler(Tensor self, Tensor grid) -> Tensor output")
      .spelled("torch.cudnn_grid_sampler");
  ops.op("aten::cudnn_grid_sampler.out(Tensor self, Tensor grid, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, "
         "Tensor random_samples) -> (Tensor, Tensor)").spelled("torch._C._nn.fractional_max_pool2d");
  ops.op("aten::fractional_max_pool2d.output(Tensor self, int[2] kernel_size, int[2] output_size, "
         "Tensor random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, "
         "Tensor random_samples) -> (Tensor, Tensor)").spelled("torch._C._nn.fractional_max_pool3d");
  ops.op("aten::fractional_max_pool3d.output(Tensor self, int[3] kernel_size, int[3] output_size, "
         "Tensor random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::glu_jvp(Tensor glu, Tensor x, Tensor dx, int dim) -> Tensor");
  ops.op("aten::glu_jvp.out(Tensor glu, Tensor x, Tensor dx, int dim, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
         "bool align_corners) -> Tensor").spelled("torch.grid_sampler");
  ops.op("aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
         "bool align_corners) -> Tensor", kOpCore).spelled("torch.grid_sampler_2d");
  ops.op("aten::grid_sampler_2d.out(Tensor input, Tensor grid, int interpolation_mode, "
         "int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
         "bool align_corners) -> Tensor").spelled("torch.grid_sampler_3d");
  ops.op("aten::grid_sampler_3d.out(Tensor input, Tensor grid, int interpolation_mode, "
         "int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, "
         "int[2] stride) -> Tensor").spelled("torch._C._nn.im2col");
  ops.op("aten::im2col.out(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, "
         "int[2] stride, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], "
         "int[1] dilation=[1], bool ceil_mode=False) -> Tensor").spelled("torch.max_pool1d");
  ops.op("aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], "
         "int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)")
      .spelled("torch.max_pool1d_with_indices");
  ops.op("aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, "
         "int[2] dilation=1, bool ceil_mode=False) -> Tensor").spelled("torch.max_pool2d");
  ops.op("aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], "
         "int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)", kOpCore)
      .spelled("torch._C._nn.max_pool2d_with_indices");
  ops.op("aten::max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[], "
         "int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, "
         "Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, "
         "int[3] dilation=1, bool ceil_mode=False) -> Tensor").spelled("torch.max_pool3d");
  ops.op("aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], "
         "int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)", kOpCore)
      .spelled("torch._C._nn.max_pool3d_with_indices");
  ops.op("aten::max_pool3d_with_indices.out(Tensor self, int[3] kernel_size, int[3] stride=[], "
         "int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, "
         "Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))");
  ops.op("aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor")
      .spelled("torch._C._nn.max_unpool2d");
  ops.op("aten::max_unpool2d.out(Tensor self, Tensor indices, SymInt[2] output_size, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, "
         "int[3] padding) -> Tensor").spelled("torch._C._nn.max_unpool3d");
  ops.op("aten::max_unpool3d.out(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, "
         "int[3] padding, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::native_channel_shuffle(Tensor self, SymInt groups) -> Tensor")
      .spelled("torch.native_channel_shuffle torch.nn.functional.native_channel_shuffle");
  ops.op("aten::pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor")
      .spelled("torch._C._nn.pad");
  ops.op("aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., "
         "str padding_side=\"right\") -> Tensor").spelled("torch._C._nn.pad_sequence");
  ops.op("aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor")
      .spelled("torch.nn.functional.pixel_shuffle torch.pixel_shuffle");
  ops.op("aten::pixel_shuffle.out(Tensor self, int upscale_factor, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor")
      .spelled("torch.nn.functional.pixel_unshuffle torch.pixel_unshuffle");
  ops.op("aten::pixel_unshuffle.out(Tensor self, int downscale_factor, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor", kOpCore)
      .spelled("torch._C._nn.reflection_pad1d");
  ops.op("aten::reflection_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor", kOpCore)
      .spelled("torch._C._nn.reflection_pad2d");
  ops.op("aten::reflection_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor", kOpCore)
      .spelled("torch._C._nn.reflection_pad3d");
  ops.op("aten::reflection_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor")
      .spelled("torch._C._nn.replication_pad1d");
  ops.op("aten::replication_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor", kOpCore)
      .spelled("torch._C._nn.replication_pad2d");
  ops.op("aten::replication_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor", kOpCore)
      .spelled("torch._C._nn.replication_pad3d");
  ops.op("aten::replication_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::slow_conv3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, "
         "SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0]) -> Tensor")
      .spelled("torch._C._nn.slow_conv3d");
  ops.op("aten::slow_conv3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, "
         "SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::slow_conv3d_forward(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, "
         "SymInt[3] stride, SymInt[3] padding) -> Tensor");
  ops.op("aten::slow_conv3d_forward.output(Tensor self, Tensor weight, SymInt[3] kernel_size, "
         "Tensor? bias, SymInt[3] stride, SymInt[3] padding, *, Tensor(a!) output) -> Tensor(a!)");
  ops.op("aten::slow_conv_dilated2d(Tensor self, Tensor weight, SymInt[2] kernel_size, "
         "Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, "
         "1]) -> Tensor").spelled("torch._C._nn.slow_conv_dilated2d");
  ops.op("aten::slow_conv_dilated2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, "
         "Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, "
         "1], *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::slow_conv_dilated3d(Tensor self, Tensor weight, SymInt[3] kernel_size, "
         "Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], "
         "SymInt[3] dilation=[1, 1, 1]) -> Tensor").spelled("torch._C._nn.slow_conv_dilated3d");
  ops.op("aten::slow_conv_dilated3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, "
         "Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], "
         "SymInt[3] dilation=[1, 1, 1], *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::slow_conv_transpose2d(Tensor self, Tensor weight, SymInt[2] kernel_size, "
         "Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], "
         "SymInt[2] output_padding=[0, 0], SymInt[2] dilation=[1, 1]) -> Tensor")
      .spelled("torch._C._nn.slow_conv_transpose2d");
  ops.op("aten::slow_conv_transpose2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, "
         "Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], "
         "SymInt[2] output_padding=[0, 0], SymInt[2] dilation=[1, 1], *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::slow_conv_transpose3d(Tensor self, Tensor weight, SymInt[3] kernel_size, "
         "Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], "
         "SymInt[3] output_padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1]) -> Tensor")
      .spelled("torch._C._nn.slow_conv_transpose3d");
  ops.op("aten::slow_conv_transpose3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, "
         "Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], "
         "SymInt[3] output_padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1], *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::thnn_conv2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, "
         "SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0]) -> Tensor").spelled("torch._C._nn.thnn_conv2d");
  ops.op("aten::thnn_conv2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, "
         "SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)").spelled(".unfold");
  ops.op("aten::upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool align_corners, "
         "float? scales_h=None, float? scales_w=None) -> Tensor").spelled("torch._C._nn.upsample_bicubic2d");
  ops.op("aten::upsample_bicubic2d.out(Tensor self, SymInt[2] output_size, bool align_corners, "
         "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
         "float[]? scale_factors) -> Tensor");
  ops.op("aten::upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, "
         "float? scales_h=None, float? scales_w=None) -> Tensor").spelled("torch._C._nn.upsample_bilinear2d");
  ops.op("aten::upsample_bilinear2d.out(Tensor self, SymInt[2] output_size, bool align_corners, "
         "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
         "float[]? scale_factors) -> Tensor", kOpCore);
  ops.op("aten::upsample_bilinear2d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, "
         "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, "
         "float? scales=None) -> Tensor").spelled("torch._C._nn.upsample_linear1d");
  ops.op("aten::upsample_linear1d.out(Tensor self, SymInt[1] output_size, bool align_corners, "
         "float? scales=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::upsample_linear1d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
         "float[]? scale_factors) -> Tensor");
  ops.op("aten::upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor")
      .spelled("torch._C._nn.upsample_nearest1d");
  ops.op("aten::upsample_nearest1d.out(Tensor self, SymInt[1] output_size, float? scales=None, *, "
         "Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> "
         "Tensor");
  ops.op("aten::upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, "
         "float? scales_w=None) -> Tensor").spelled("torch._C._nn.upsample_nearest2d");
  ops.op("aten::upsample_nearest2d.out(Tensor self, SymInt[2] output_size, float? scales_h=None, "
         "float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> "
         "Tensor", kOpCore);
  ops.op("aten::upsample_nearest2d.vec_out(Tensor input, SymInt[]? output_size, float[]? scale_factors, "
         "*, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, "
         "float? scales_h=None, float? scales_w=None) -> Tensor").spelled("torch._C._nn.upsample_nearest3d");
  ops.op("aten::upsample_nearest3d.out(Tensor self, SymInt[3] output_size, float? scales_d=None, "
         "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)");
  ops.op("aten::upsample_nearest3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> "
         "Tensor");
  ops.op("aten::upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, "
         "float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor")
      .spelled("torch._C._nn.upsample_trilinear3d");
  ops.op("aten::upsample_trilinear3d.out(Tensor self, SymInt[3] output_size, bool align_corners, "
         "float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> "
         "Tensor(a!)");
  ops.op("aten::upsample_trilinear3d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
         "float[]? scale_factors) -> Tensor");
}
// clang-format on

}  // namespace descry::ir
