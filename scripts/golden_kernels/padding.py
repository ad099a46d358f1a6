import torch
from golden import T, case

F16, BF16, F64, I64, B, C64 = torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.bool, torch.complex64
CL = torch.channels_last

for dtype in (torch.float32, F16, I64, B, C64):
    case("aten.constant_pad_nd.default", T(2, 3, dtype=dtype), [1, 2])
case("aten.constant_pad_nd.default", T(2, 3), [1, 0, 0, 2], 2.5)
case("aten.constant_pad_nd.default", T(2, 3, 2), [1, -1, -1, 2], float("-inf"))
case("aten.constant_pad_nd.default", T(4, 3).t(), [-1, -1])
case("aten.constant_pad_nd.default", T(4, 3).t(), [1, -1, 0, 1], 7)
case("aten.constant_pad_nd.default", T(1, 2, 2, 2).to(memory_format=CL), [1, 1, 0, 1])
case("aten.constant_pad_nd.default", T(0, 2), [1, 1], 3)
case("aten.constant_pad_nd.default", T(2, 2), [-1, -1], 3)
case("aten.constant_pad_nd.default", T(2), [], 3)
for kind in ("reflection", "replication"):
    for dtype in (torch.float32, F64, F16, C64):
        case(f"aten.{kind}_pad1d.default", T(2, 4, dtype=dtype), [2, 1])
        case(f"aten.{kind}_pad2d.default", T(2, 3, 3, dtype=dtype), [1, 2, 0, 1])
        case(f"aten.{kind}_pad1d_backward.default", T(2, 7, dtype=dtype), T(2, 4, dtype=dtype), [2, 1])
    case(f"aten.{kind}_pad1d.default", T(1, 4, 2).transpose(1, 2), [3, 3])
    case(f"aten.{kind}_pad1d.default", T(1, 2, 5), [-1, 2])
    case(f"aten.{kind}_pad2d.default", T(1, 2, 3, 2).to(memory_format=CL), [1, 1, 1, 1])
    case(f"aten.{kind}_pad2d.default", T(1, 2, 3, 4), [-1, 1, 1, -1])
    case(f"aten.{kind}_pad3d.default", T(1, 2, 2, 3, 2), [1, 0, 2, 1, 0, 1])
    case(f"aten.{kind}_pad3d.default", T(2, 2, 3, 2), [1, 0, 2, 1, 0, 1])
    case(f"aten.{kind}_pad2d_backward.default", T(2, 4, 6), T(2, 3, 3), [1, 2, 0, 1])
    case(f"aten.{kind}_pad3d_backward.default", T(1, 1, 3, 6, 3), T(1, 1, 2, 3, 2), [1, 0, 2, 1, 0, 1])
    case(f"aten.{kind}_pad2d_backward.default", T(1, 1, 3, 4), T(1, 1, 3, 4), [-1, 1, 1, -1])
    case(f"aten.{kind}_pad1d.default", T(0, 2, 4), [1, 1])
case("aten.replication_pad1d.default", T(1, 2, 2), [5, 4])
