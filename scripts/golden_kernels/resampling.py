import torch
from golden import T, case

F16, BF16, F64, I64, U8 = torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.uint8
CL = torch.channels_last

for name in ("upsample_nearest", "_upsample_nearest_exact"):
    for dtype in (torch.float32, F16, U8, F64):
        case(f"aten.{name}2d.default", T(1, 2, 3, 4, dtype=dtype), [5, 3])
    case(f"aten.{name}1d.default", T(1, 2, 5), [7])
    case(f"aten.{name}1d.default", T(1, 2, 5), [12], 2.5)
    case(f"aten.{name}3d.default", T(1, 1, 2, 3, 2), [4, 2, 3])
    case(f"aten.{name}2d.default", T(1, 2, 3, 3).to(memory_format=CL), [6, 6], 2.0, 2.0)
    case(f"aten.{name}1d_backward.default", T(1, 2, 7), [7], [1, 2, 5])
    case(f"aten.{name}2d_backward.default", T(1, 2, 5, 3), [5, 3], [1, 2, 3, 4])
    case(f"aten.{name}2d_backward.default", T(1, 2, 6, 6, dtype=F16), [6, 6], [1, 2, 3, 3], 2.0, 2.0)
    case(f"aten.{name}3d_backward.default", T(1, 1, 4, 2, 3), [4, 2, 3], [1, 1, 2, 3, 2])
for align in (False, True):
    for dtype in (torch.float32, F16, BF16, F64):
        case("aten.upsample_bilinear2d.default", T(1, 2, 3, 4, dtype=dtype), [5, 3], align)
        case("aten.upsample_bicubic2d.default", T(1, 2, 3, 4, dtype=dtype), [5, 3], align)
    case("aten.upsample_bilinear2d.default", T(1, 2, 3, 3), [3, 3], align)
    case("aten.upsample_bilinear2d.default", T(1, 2, 3, 3).to(memory_format=CL), [6, 7], align, 2.0, 2.5)
    case("aten.upsample_linear1d.default", T(1, 2, 5), [8], align)
    case("aten.upsample_linear1d.default", T(1, 2, 5), [1], align)
    case("aten.upsample_trilinear3d.default", T(1, 1, 2, 3, 2), [4, 2, 3], align)
    case("aten.upsample_linear1d_backward.default", T(1, 2, 8), [8], [1, 2, 5], align)
    case("aten.upsample_bilinear2d_backward.default", T(1, 2, 5, 3), [5, 3], [1, 2, 3, 4], align)
    case("aten.upsample_bilinear2d_backward.default", T(1, 2, 5, 3, dtype=F16), [5, 3], [1, 2, 3, 4], align)
    case("aten.upsample_bicubic2d_backward.default", T(1, 2, 5, 3), [5, 3], [1, 2, 3, 4], align)
    case("aten.upsample_trilinear3d_backward.default", T(1, 1, 4, 2, 3), [4, 2, 3], [1, 1, 2, 3, 2], align)
    for name in ("bilinear", "bicubic", "lanczos"):
        case(f"aten._upsample_{name}2d_aa.default", T(1, 1, 6, 7), [3, 4], align)
        case(f"aten._upsample_{name}2d_aa.default", T(1, 2, 3, 4, dtype=F64), [5, 3], align)
        case(f"aten._upsample_{name}2d_aa.default", T(1, 1, 6, 7), [3, 4], align, 0.5, 0.6)
        case(f"aten._upsample_{name}2d_aa_backward.default", T(1, 1, 3, 4), [3, 4], [1, 1, 6, 7], align)
        case(f"aten._upsample_{name}2d_aa_backward.default", T(1, 1, 5, 4, dtype=F64), [5, 4], [1, 1, 3, 7], align)
        case(f"aten._upsample_{name}2d_aa.default", T(1, 1, 6, 7, dtype=U8, low=0, high=255), [3, 4], align)
    case("aten.upsample_bilinear2d.default", T(1, 2, 5, 4, dtype=U8, low=0, high=255), [7, 3], align)
    case("aten.upsample_bicubic2d.default", T(1, 2, 5, 4, dtype=U8, low=0, high=255), [7, 3], align)
for args in (([2, 2], [1, 1], [0, 0], [1, 1]), ([2, 3], [2, 1], [1, 1], [1, 2])):
    x = T(1, 2, 5, 4)
    y = torch.ops.aten.im2col(x, *args)
    case("aten.im2col.default", x, *args)
    case("aten.im2col.default", x[0].to(F16), *args)
    case("aten.col2im.default", y, [5, 4], *args)
    case("aten.col2im.default", y[0].to(F64), [5, 4], *args)
case("aten.pixel_shuffle.default", T(1, 8, 2, 3), 2)
case("aten.pixel_shuffle.default", T(4, 2, 1, dtype=I64), 2)
case("aten.pixel_unshuffle.default", T(1, 2, 4, 6), 2)
case("aten.affine_grid_generator.default", T(1, 2, 3), [1, 2, 3, 2], True) if False else None
