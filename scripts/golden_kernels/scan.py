"""Scans."""
import math

import torch
from golden import T, case

F32, F64, F16, BF16, C64 = torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64
for dt in (F32, F64, F16, BF16, C64, torch.int64, torch.int32, torch.int8, torch.uint8, torch.bool):
    x = T(3, 4, dtype=dt)
    for op in ("cumsum", "cumprod"):
        case(f"aten.{op}.default", x, 1)
        case(f"aten.{op}.default", x, -2)
        case(f"aten.{op}.default", x.t(), 0)
        case(f"aten.{op}.default", x[:, 1:], 0, dtype=F32 if not dt.is_complex else dt)
    if not dt.is_complex:
        for op in ("cummax", "cummin"):
            case(f"aten.{op}.default", x, 1)
            case(f"aten.{op}.default", x, 0)
    if dt.is_floating_point or dt.is_complex:
        case("aten.logcumsumexp.default", x, 1)
        case("aten.logcumsumexp.default", x.t(), 1)
for op in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"):
    case(f"aten.{op}.default", T(), 0)
    case(f"aten.{op}.default", T(0, 3), 0)
    case(f"aten.{op}.default", T(2, 0), 1)
    case(f"aten.{op}.default", torch.tensor([1.0, math.nan, 2.0, math.inf]), 0)
    case(f"aten.{op}.default", torch.tensor([-math.inf, -math.inf, 1.0, 1.0]), 0)
    case(f"aten.{op}.default", T(2, 3, 2), 1)
case("aten.logcumsumexp.default", torch.tensor([math.inf, math.inf, 1.0]), 0)
case("aten.cummax.default", torch.tensor([2, 2, 1, 2]), 0)
case("aten.cumsum.default", torch.tensor([120, 120], dtype=torch.int8), 0, dtype=torch.int8)
case("aten.cumsum.default", T(2, 70), 0)
case("aten.cumsum_.default", T(3), 0)
case("aten._logcumsumexp.default", T(3), 0)
case("aten._cummax_helper.default", T(2, 3), torch.zeros(2, 3), torch.zeros(2, 3, dtype=torch.int64), 1)
case("aten._cummin_helper.default", T(2, 3), torch.zeros(2, 3), torch.zeros(2, 3, dtype=torch.int64), 0)
