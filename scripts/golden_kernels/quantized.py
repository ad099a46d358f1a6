import torch
import torch._inductor.inductor_prims  # registers ops
import torch.ao.quantization.fx._decomposed  # noqa: F401
from golden import T, case

F16, BF16, F64, I64, I32, I8, U8 = torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32, torch.int8, torch.uint8
INF = float("inf")
W = torch.tensor([-10.0, -1.05, -0.15, -0.05, 0.05, 0.15, 0.25, 3.0, 12.9, 0.0, 20.0, -20.0])

for dtype in (torch.float32, F64, F16, BF16):
    case("aten.fake_quantize_per_tensor_affine_cachemask.default", W.to(dtype), 0.1, 3, -128, 127)
    case("aten.fake_quantize_per_tensor_affine_cachemask.default", T(3, 4, dtype=dtype).t(), 0.05, 0, 0, 15)
    case("aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default", T(3, 4, dtype=dtype), torch.tensor(0.07), torch.tensor(2, dtype=I32), torch.tensor(1), 0, 15)
    case("aten.fake_quantize_per_channel_affine_cachemask.default", T(3, 4, dtype=dtype), torch.tensor([0.1, 0.2, 0.05]), torch.tensor([1, 2, 3], dtype=I32), 0, 0, 15)
case("aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default", T(3), torch.tensor([0.07]), torch.tensor([2]), torch.tensor([0]), 0, 15)
case("aten.fake_quantize_per_channel_affine_cachemask.default", T(2, 3, 2), torch.tensor([0.1, 0.2, 0.05]), torch.tensor([1.4, 2.5, 3.6]), 1, 0, 15)
case("aten.fake_quantize_per_channel_affine_cachemask.default", T(3, 4).t(), torch.tensor([0.1, 0.2, 0.05]), torch.tensor([1, 2, 3]), 1, -8, 7)
for z in (torch.tensor([1.0]), torch.tensor([2.6]), torch.tensor([40.0])):
    case("aten._fake_quantize_learnable_per_tensor_affine.default", W, torch.tensor([0.1]), z, 0, 31)
    case("aten._fake_quantize_learnable_per_tensor_affine_backward.default", T(12), W, torch.tensor([0.1]), z, 0, 31, 0.5)
Z3, S3 = torch.tensor([1.0, 2.6, -40.0]), torch.tensor([0.1, 0.2, 0.05])
case("aten._fake_quantize_learnable_per_channel_affine.default", T(2, 3, 2), S3, Z3, 1, -8, 7)
case("aten._fake_quantize_learnable_per_channel_affine_backward.default", T(2, 3, 2), T(2, 3, 2), S3, Z3, 1, -8, 7, 0.5)
case("aten._fake_quantize_learnable_per_channel_affine_backward.default", T(4, 3).t(), T(4, 3).t(), S3, Z3, 0, -8, 7)

ON, OFF = torch.tensor([1]), torch.tensor([0])
for op in ("aten._fused_moving_avg_obs_fq_helper.default", "aten._fused_moving_avg_obs_fq_helper_functional.default"):
    for symmetric in (False, True):
        for observe, quantize in ((ON, ON), (ON, OFF), (OFF, ON)):
            case(op, T(3, 4), observe, quantize, torch.tensor([-0.5]), torch.tensor([0.7]), torch.tensor([0.1]), torch.tensor([0], dtype=I32), 0.1, -128, 127, -1, False, symmetric)
            case(op, T(3, 4), observe, quantize, torch.full((3,), -0.3), torch.full((3,), 0.9), torch.full((3,), 0.1), torch.zeros(3, dtype=I32), 0.1, 0, 255, 0, True, symmetric)
        case(op, T(5, low=0, high=1), ON, ON, torch.tensor([INF]), torch.tensor([-INF]), torch.tensor([1.0]), torch.tensor([0], dtype=I32), 0.01, 0, 255, 0, False, symmetric)
        case(op, torch.full((3,), 1e-6), ON, ON, torch.tensor([INF]), torch.tensor([-INF]), torch.tensor([1.0]), torch.tensor([0], dtype=I32), 0.01, 0, 255, 0, False, symmetric)
        case(op, torch.tensor([-1e-6, 1e-6]), ON, ON, torch.tensor([INF]), torch.tensor([-INF]), torch.tensor([1.0]), torch.tensor([0], dtype=I32), 0.01, -128, 127, 0, False, symmetric)
case("aten._fused_moving_avg_obs_fq_helper.default", T(3, 4), ON, ON, torch.zeros(0), torch.zeros(0), torch.zeros(0), torch.zeros(0, dtype=I32), 0.1, 0, 255, 0, True, False)

Q = "quantized_decomposed."
for dtype, low, high in ((I8, -128, 127), (U8, 0, 255), (torch.int16, -1000, 1000)):
    zero = 3 if low < 0 else 100
    q = T(3, 4, dtype=dtype, low=max(low, -100), high=min(high, 100))
    case(Q + "quantize_per_tensor.default", W, 0.1, zero, low, high, dtype)
    case(Q + "quantize_per_tensor.tensor", T(3, 4, dtype=F16), torch.tensor(0.1), torch.tensor(zero), low, high, dtype)
    case(Q + "quantize_per_tensor.tensor2", T(3, 4), torch.tensor(0.1, dtype=F64), torch.tensor(zero), torch.tensor(low), torch.tensor(high), dtype)
    case(Q + "dequantize_per_tensor.default", q, 0.1, zero, low, high, dtype)
    case(Q + "dequantize_per_tensor.default", q.t(), 0.1, zero, low, high, dtype, out_dtype=F16)
    case(Q + "dequantize_per_tensor.tensor", q, torch.tensor(0.1), torch.tensor(zero), low, high, dtype)
    case(Q + "dequantize_per_tensor.tensor2", q, torch.tensor(0.1), torch.tensor(zero), torch.tensor(low), torch.tensor(high), dtype, out_dtype=BF16)
    zeros = torch.tensor([zero, zero + 1, zero - 1])
    case(Q + "quantize_per_channel.default", T(3, 4), S3, zeros, 0, low, high, dtype)
    case(Q + "quantize_per_channel.default", T(2, 3, 2, dtype=BF16), S3.double(), zeros.to(I32), 1, low, high, dtype)
    case(Q + "dequantize_per_channel.default", q, S3, zeros, 0, low, high, dtype)
    case(Q + "dequantize_per_channel.default", q.t().contiguous(), S3, zeros.to(I32), 1, low, high, dtype, out_dtype=F16)
    case(Q + "dequantize_per_channel.default", q, S3.double(), None, 0, low, high, dtype)
    case(Q + "quantize_per_token.default", T(3, 4), S3.view(3, 1), zeros.view(3, 1), low, high, dtype)
    case(Q + "quantize_per_token.default", T(3, 4), S3.view(3, 1).double(), zeros.view(3, 1), low, high, dtype)
    case(Q + "dequantize_per_token.default", q, S3.view(3, 1), zeros.view(3, 1), low, high, dtype, torch.float32)
    case(Q + "dequantize_per_token.default", q, S3.view(3, 1).double(), zeros.view(3, 1), low, high, dtype, F16)
S6, Z6 = torch.tensor([[0.1, 0.2], [0.05, 0.1], [0.3, 0.01]]), torch.tensor([[0, 1], [2, 3], [-1, -2]])
case(Q + "quantize_per_channel_group.default", T(3, 4), S6, Z6, -8, 7, I8, 2)
case(Q + "dequantize_per_channel_group.default", T(3, 4, dtype=I8), S6, Z6, -8, 7, I8, 2, torch.float32)
case(Q + "dequantize_per_channel_group.default", T(3, 4, dtype=I8), S6, None, -8, 7, I8, 2, BF16)
case(Q + "fake_quant_per_channel.default", T(3, 4), S3, torch.tensor([1, 2, 3]), 0, 0, 15)
case("prims.inductor_cvt_e8m0_rceil.default", torch.tensor([0.0, 1.0, 1.5, 2.0, 3e38, INF, 1e-40, -4.0, 0.3]))
case("prims.inductor_cvt_e8m0_rceil.default", T(4, dtype=BF16))
