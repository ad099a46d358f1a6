import torch
from golden import T, case

f32, f64, f16, bf16, i64 = torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64
cl, cl3 = torch.channels_last, torch.channels_last_3d


def both(x, w, b, stride, padding, dilation, transposed, output_padding, groups, mask=(True, True, True), tolerance=None):
    op = torch.ops.aten.convolution
    case("aten.convolution.default", x, w, b, stride, padding, dilation, transposed, output_padding, groups, tolerance=tolerance)
    out = op(x, w, b, stride, padding, dilation, transposed, output_padding, groups)
    channels = out.shape[1]
    g = T(*out.shape, dtype=out.dtype)
    if x.dim() == 4 and x.is_contiguous(memory_format=cl) and not x.is_contiguous():
        g = g.contiguous(memory_format=cl)
    case("aten.convolution_backward.default", g, x, w, [channels], stride, padding, dilation, transposed, output_padding, groups,
         list(mask), tolerance=tolerance)


for dtype in [f32, f64, f16, bf16]:
    both(T(1, 2, 4, 5, dtype=dtype), T(2, 2, 3, 2, dtype=dtype), T(2, dtype=dtype), [1, 1], [1, 0], [1, 1], False, [0, 0], 1)
    both(T(1, 2, 3, 3, dtype=dtype), T(2, 2, 2, 3, dtype=dtype), T(2, dtype=dtype), [2, 1], [1, 0], [1, 2], True, [1, 0], 1)
both(T(2, 2, 5), T(3, 2, 3), T(3), [2], [1], [1], False, [0], 1)
both(T(2, 2, 5), T(3, 2, 2), None, [1], [0], [2], False, [0], 1, (True, True, False))
both(T(1, 2, 5), T(2, 3, 3), T(3), [2], [1], [1], True, [1], 1)
both(T(1, 4, 5), T(4, 1, 3), T(4), [1], [1], [1], False, [0], 4)
both(T(1, 2, 3, 4, 3), T(2, 2, 2, 2, 2), T(2), [1, 2, 1], [0, 1, 1], [1, 1, 2], False, [0, 0, 0], 1)
both(T(1, 2, 2, 2, 3), T(2, 1, 2, 1, 2), T(2), [2, 1, 2], [1, 0, 0], [1, 1, 1], True, [1, 0, 1], 2)
both(T(1, 4, 4, 4), T(6, 2, 3, 3), T(6), [2, 2], [1, 1], [1, 1], False, [0, 0], 2)
both(T(2, 3, 5, 5), T(3, 1, 3, 3), T(3), [1, 1], [1, 1], [1, 1], False, [0, 0], 3)
both(T(1, 2, 5, 6), T(4, 1, 3, 3), T(4), [2, 2], [2, 1], [2, 2], False, [0, 0], 2)
both(T(1, 2, 3, 3), T(2, 2, 3, 3), T(4), [2, 2], [1, 1], [1, 1], True, [1, 1], 2)
both(T(1, 2, 3, 3), T(2, 1, 3, 3), T(2), [1, 1], [1, 1], [1, 1], True, [0, 0], 2)
both(T(2, 3, 3, 3), T(4, 3, 1, 1), T(4), [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
both(T(1, 3, 3, 3), T(3, 4, 1, 1), T(4), [1, 1], [0, 0], [1, 1], True, [0, 0], 1)
both(T(2, 3, 4, 4).to(memory_format=cl), T(4, 3, 3, 3).to(memory_format=cl), T(4), [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
both(T(2, 3, 4, 4).to(memory_format=cl), T(2, 3, 2, 2), None, [2, 2], [0, 0], [1, 1], False, [0, 0], 1, (True, True, False))
both(T(1, 2, 3, 4, 3).to(memory_format=cl3), T(2, 2, 2, 2, 2).to(memory_format=cl3), T(2), [1, 1, 1], [0, 0, 0], [1, 1, 1], False, [0, 0, 0], 1)
both(T(4, 2, 5).transpose(1, 2)[:, :4], T(3, 4, 2), T(3), [1], [1], [1], False, [0], 1)
both(T(0, 2, 4, 4), T(3, 2, 3, 3), T(3), [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
both(T(1, 2, 4, 4), T(3, 2, 3, 3), T(3), [3, 3], [5, 4], [1, 1], False, [0, 0], 1)
both(T(1, 2, 4, 4), T(3, 2, 3, 3), T(3), [1, 1], [1, 1], [1, 1], False, [0, 0], 1, (False, True, False))
both(T(1, 2, 4, 4), T(3, 2, 3, 3), T(3), [1, 1], [1, 1], [1, 1], False, [0, 0], 1, (True, False, False))
case("aten.convolution.default", T(1, 2, 4, 4, dtype=i64), T(2, 2, 3, 3, dtype=i64), T(2, dtype=i64), [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
case("aten.convolution.default", T(1, 2, 4, 4, dtype=torch.int8), T(2, 2, 3, 3, dtype=torch.int8), None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
case("aten._convolution.default", T(1, 2, 4, 4), T(2, 2, 3, 3), T(2), [1, 1], [0, 0], [1, 1], False, [0, 0], 1, False, False, True, True)
case("aten.conv2d.default", T(2, 4, 4), T(2, 2, 3, 3), T(2))
case("aten.conv2d.padding", T(1, 2, 4, 4), T(2, 2, 3, 2), T(2), [1, 1], "same")
case("aten.conv1d.default", T(1, 2, 5, dtype=torch.complex64), T(2, 2, 3, dtype=torch.complex64), T(2, dtype=torch.complex64))
case("aten.conv_transpose2d.input", T(1, 2, 3, 3), T(2, 1, 3, 3), T(2), [2, 2], [1, 1], [1, 1], 2, [1, 1])
case("aten.conv_tbc.default", T(5, 2, 3), T(3, 3, 2), T(2), 1)
case("aten.conv_tbc.default", T(5, 2, 3, dtype=f64), T(2, 3, 4, dtype=f64), T(4, dtype=f64), 0)
case("aten.conv_tbc_backward.default", T(5, 2, 2), T(5, 2, 3), T(3, 3, 2), T(2), 1)
case("aten._slow_conv2d_forward.default", T(1, 2, 4, 4), T(2, 2, 3, 3), [3, 3], T(2), [1, 1], [1, 1])
case("aten._slow_conv2d_backward.output_mask", T(1, 2, 4, 4), T(1, 2, 4, 4), T(2, 2, 3, 3), [3, 3], [1, 1], [1, 1], [True, True, True])
case("aten._slow_conv2d_backward.grad_input", T(1, 2, 4, 4), T(1, 2, 4, 4), T(2, 2, 3, 3), [3, 3], [1, 1], [1, 1],
     grad_input=T(1, 2, 4, 4), grad_weight=T(2, 2, 3, 3), grad_bias=T(2))
case("aten.slow_conv3d_forward.default", T(1, 2, 3, 3, 3), T(2, 2, 2, 2, 2), [2, 2, 2], T(2), [1, 1, 1], [0, 0, 0])
case("aten.slow_conv_dilated2d.default", T(1, 2, 5, 5), T(2, 2, 2, 2), [2, 2], T(2), [1, 1], [0, 0], [2, 2])
case("aten.slow_conv_dilated3d.default", T(1, 2, 3, 4, 3), T(2, 2, 2, 2, 2), [2, 2, 2], T(2), [1, 1, 1], [0, 0, 0], [1, 2, 1])
case("aten.slow_conv_transpose2d.default", T(1, 2, 3, 3), T(2, 2, 2, 2), [2, 2], T(2), [2, 2], [0, 0], [1, 1], [1, 1])
case("aten.slow_conv_transpose3d.default", T(1, 2, 2, 2, 2), T(2, 2, 2, 2, 2), [2, 2, 2], T(2), [2, 2, 2])
case("aten._nnpack_spatial_convolution.default", T(1, 2, 4, 4), T(2, 2, 3, 3), T(2), [1, 1])
