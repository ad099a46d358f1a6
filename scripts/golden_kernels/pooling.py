import torch
import torch._inductor.inductor_prims  # registers ops
from golden import T, case

F16, BF16, F64, I64, I32 = torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32
CL, CL3 = torch.channels_last, torch.channels_last_3d
NAN, INF = float("nan"), float("inf")
A = torch.ops.aten

for dtype in (torch.float32, F16, BF16, F64, I64):
    case("aten.max_pool2d_with_indices.default", T(2, 4, 5, dtype=dtype), [2, 2])
case("aten.max_pool2d_with_indices.default", T(1, 2, 5, 5), [3], [2], [1])
case("aten.max_pool2d_with_indices.default", T(1, 2, 5, 5), [2, 3], [2, 1], [1, 1], [2, 1], True)
case("aten.max_pool2d_with_indices.default", T(1, 2, 4, 5).to(memory_format=CL), [2, 2], [1, 2], [0, 1], [1, 1], True)
case("aten.max_pool2d_with_indices.default", T(2, 5, 4).transpose(1, 2), [2, 2])
case("aten.max_pool2d_with_indices.default", torch.tensor([[[1.0, NAN, 2.0], [NAN, -INF, 3.0]]]), [2, 2], [1, 1])
case("aten.max_pool2d_with_indices.default", torch.full((1, 2, 2), -INF), [2, 2])
case("aten.max_pool2d_with_indices.default", torch.zeros(1, 4, 4), [2, 2])
case("aten.max_pool2d_with_indices.default", T(0, 2, 4, 4), [2, 2])
case("aten.max_pool3d_with_indices.default", T(1, 2, 3, 4, 3), [2, 2, 2], [1, 2, 1], [1, 0, 1])
case("aten.max_pool3d_with_indices.default", T(2, 3, 4, 3), [2], [1], [0], [1, 2, 1], True)
case("aten.max_pool3d_with_indices.default", T(1, 2, 2, 3, 3).to(memory_format=CL3), [2], [1])
case("aten.max_pool1d_with_indices.default", T(2, 6), [3], [2], [1])
for x, args in ((T(2, 4, 5), ([2, 2], [2, 2], [0, 0], [1, 1], False)), (T(1, 2, 5, 5, dtype=F16), ([3, 3], [1, 1], [1, 1], [1, 1], False)),
                (T(1, 2, 4, 4).to(memory_format=CL), ([2, 2], [1, 1], [0, 0], [1, 1], False)), (T(1, 2, 5, 5, dtype=F64), ([2], [2], [1], [2], True))):
    v, i = A.max_pool2d_with_indices(x, *args)
    g = torch.arange(v.numel(), dtype=torch.float32).view(v.shape).to(x.dtype).contiguous(memory_format=CL if x.dim() == 4 and x.is_contiguous(memory_format=CL) else torch.contiguous_format)
    case("aten.max_pool2d_with_indices_backward.default", g, x, *args, i)
x = T(1, 2, 3, 4, 3)
v, i = A.max_pool3d_with_indices(x, [2], [1], [0], [1], False)
case("aten.max_pool3d_with_indices_backward.default", T(*v.shape), x, [2], [1], [0], [1], False, i)
case("prims._low_memory_max_pool_with_offsets.default", T(1, 2, 5, 5), [3, 3], [2, 2], [1, 1], [1, 1], False)
case("prims._low_memory_max_pool_with_offsets.default", T(1, 2, 5, 5), [2, 2], [2, 1], [0, 1], [2, 1], True)
case("prims._low_memory_max_pool_with_offsets.default", T(1, 1, 3, 4, 3), [2, 2, 2], [1, 2, 1], [1, 0, 1], [1, 1, 1], False)
o = torch.ops.prims._low_memory_max_pool_with_offsets(x := T(1, 2, 5, 5), [3, 3], [2, 2], [1, 1], [1, 1], False)[1]
case("prims._low_memory_max_pool_offsets_to_indices.default", o, [3, 3], [5, 5], [2, 2], [1, 1], [1, 1])
v, i = A.max_pool2d_with_indices(T(1, 2, 4, 4), [2, 2])
case("aten.max_unpool2d.default", v, i, [4, 4])
case("aten.max_unpool2d.default", v[0], i[0], [5, 4])
v, i = A.max_pool3d_with_indices(T(1, 2, 2, 4, 4), [2])
case("aten.max_unpool3d.default", v, i, [2, 4, 4], [2, 2, 2], [0, 0, 0])

for dtype in (torch.float32, F16, BF16, F64, I64):
    case("aten.avg_pool2d.default", T(2, 4, 5, dtype=dtype), [2, 2])
for include in (True, False):
    for ceil in (True, False):
        case("aten.avg_pool2d.default", T(1, 2, 5, 5), [3, 2], [2, 2], [1, 1], ceil, include)
        case("aten.avg_pool3d.default", T(1, 2, 3, 4, 5), [2, 2, 3], [2, 1, 2], [1, 0, 1], ceil, include)
        case("aten.avg_pool2d_backward.default", T(*A.avg_pool2d(T(1, 2, 5, 5), [3, 2], [2, 2], [1, 1], ceil).shape), T(1, 2, 5, 5), [3, 2], [2, 2], [1, 1], ceil, include, None)
        case("aten.avg_pool3d_backward.default", T(*A.avg_pool3d(T(1, 1, 3, 4, 3), [2], [2], [1], ceil).shape), T(1, 1, 3, 4, 3), [2], [2], [1], ceil, include, None)
case("aten.avg_pool2d.default", T(1, 2, 4, 4).to(memory_format=CL), [2], [1], [0], False, True, 3)
case("aten.avg_pool2d.default", T(0, 2, 4, 4), [2])
case("aten.avg_pool3d.default", T(1, 2, 2, 2, dtype=F16), [2], [], [0], False, True, 5)
case("aten.avg_pool2d_backward.default", T(1, 2, 3, 3).to(memory_format=CL), T(1, 2, 4, 4).to(memory_format=CL), [2], [1], [0], False, True, 3)
case("aten.avg_pool2d_backward.default", T(2, 2, 2, dtype=F16), T(2, 4, 4, dtype=F16), [2], [], [0], False, True, None)
case("aten.avg_pool1d.default", T(2, 6), [3], [2], [1], True, False)

for dtype in (torch.float32, F16, BF16, F64):
    case("aten._adaptive_avg_pool2d.default", T(2, 4, 5, dtype=dtype), [2, 3])
    case("aten.adaptive_max_pool2d.default", T(2, 4, 5, dtype=dtype), [2, 3])
    case("aten._adaptive_avg_pool2d_backward.default", T(2, 2, 3, dtype=dtype), T(2, 4, 5, dtype=dtype))
case("aten._adaptive_avg_pool2d.default", T(1, 2, 3, 3).to(memory_format=CL), [5, 2])
case("aten._adaptive_avg_pool2d.default", T(1, 2, 3, 3), [0, 2])
case("aten._adaptive_avg_pool2d_backward.default", T(1, 2, 5, 2).to(memory_format=CL), T(1, 2, 3, 3).to(memory_format=CL))
case("aten._adaptive_avg_pool3d.default", T(1, 2, 3, 4, 5), [2, 2, 3])
case("aten._adaptive_avg_pool3d_backward.default", T(1, 2, 2, 2, 3), T(1, 2, 3, 4, 5))
case("aten.adaptive_avg_pool1d.default", T(2, 7), [3])
case("aten.adaptive_max_pool2d.default", T(1, 2, 3, 3).to(memory_format=CL), [2, 5])
case("aten.adaptive_max_pool2d.default", torch.tensor([[[1.0, NAN, 2.0], [NAN, -INF, 3.0]]]), [1, 2])
case("aten.adaptive_max_pool3d.default", T(1, 2, 3, 4, 5), [2, 2, 3])
for dims, x, o in ((2, T(1, 2, 4, 5), [2, 3]), (3, T(1, 2, 4, 5, 4), [2, 2, 2])):
    v, i = getattr(A, f"adaptive_max_pool{dims}d")(x, o)
    case(f"aten.adaptive_max_pool{dims}d_backward.default", T(*v.shape), x, i)
    v, i = getattr(A, f"fractional_max_pool{dims}d")(x, [2] * dims, [2] * dims, r := torch.rand(1, 2, dims))
    case(f"aten.fractional_max_pool{dims}d.default", x, [2] * dims, [2] * dims, r)
    case(f"aten.fractional_max_pool{dims}d.default", x[0].double(), [2] * dims, [1] * dims, r.double())
    case(f"aten.fractional_max_pool{dims}d_backward.default", T(*v.shape), x, [2] * dims, [2] * dims, i)
case("aten.fractional_max_pool2d.default", T(1, 2, 7, 6), [2, 3], [4, 3], torch.rand(1, 2, 2))
case("aten.fractional_max_pool3d.default", T(1, 2, 5, 7, 6), [2, 2, 3], [3, 4, 3], torch.rand(1, 2, 3))
case("aten.adaptive_avg_pool3d_backward.grad_input", T(1, 2, 2, 2, 3), T(1, 2, 3, 4, 5), grad_input=T(1, 2, 3, 4, 5))
