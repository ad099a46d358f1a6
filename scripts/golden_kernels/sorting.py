import torch
from golden import T, case

F16, BF16, F64, I64, I32, B = torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32, torch.bool
NAN, INF = float("nan"), float("inf")
N = torch.tensor([2.0, NAN, -1.0, INF, NAN, 0.0, -0.0, -INF, 2.0])
TIES = T(3, 20, low=0, high=5, dtype=I64)

for d in (False, True):
    for dtype in (torch.float32, F16, BF16, F64, I64, torch.uint8):
        case("aten.sort.default", T(2, 6, dtype=dtype), -1, d)
    case("aten.sort.default", T(5, dtype=B), 0, d)
    case("aten.sort.default", N, 0, d)
    case("aten.sort.stable", TIES, stable=True, dim=1, descending=d)  # others are not stable where vectorized
    case("aten.sort.stable", TIES.t(), stable=True, dim=0, descending=d)
    case("aten.sort.default", T(3, 4).t(), 1, d)
case("aten.sort.default", torch.tensor(3.0))
case("aten.sort.default", T(0, 3), 0)
case("aten.sort.default", T(1, 3, 2, 2).to(memory_format=torch.channels_last), 1)
case("aten.msort.default", T(4, 2))
case("aten.argsort.stable", TIES, stable=True, descending=True)
for largest in (True, False):
    for k in (1, 3, 8, 9):
        case("aten.topk.default", N, k, 0, largest)
    case("aten.topk.default", TIES, 5, 1, largest)
    case("aten.topk.default", TIES, 5, -1, largest, False)
    case("aten.topk.default", T(4, 3, dtype=F16), 2, 0, largest)
    case("aten.topk.default", T(5, 70, low=0, high=9, dtype=I64), 1, 1, largest)
    case("aten.topk.default", T(70, low=0, high=9, dtype=I64), 20, 0, largest)
    case("aten.topk.default", T(200, low=0, high=9, dtype=I64), 3, 0, largest)
    case("aten.topk.default", T(3, 4, dtype=BF16).t(), 2, 1, largest)
case("aten.topk.default", torch.tensor(3.0), 1)
case("aten.topk.default", T(3, 4), 0)
for k in (1, 4, 9):
    case("aten.kthvalue.default", N, k)
for k in (1, 7, 20):
    case("aten.kthvalue.default", TIES, k, 1)
case("aten.kthvalue.default", T(4, 3, dtype=F16), 2, 0, True)
case("aten.kthvalue.default", T(3, 4, 2), 2, 1)
case("aten.kthvalue.default", torch.tensor(3.0), 1)
for name in ("median", "nanmedian"):
    for t in (T(5), T(6), N, N[torch.isfinite(N)], TIES, T(4, dtype=F16), torch.tensor(2.0), torch.tensor([NAN, NAN]), T(3, 4).t(), T(0)):
        case(f"aten.{name}.default", t)
    case(f"aten.{name}.dim", N, 0)
    case(f"aten.{name}.dim", TIES, 1)
    case(f"aten.{name}.dim", TIES, 0, True)
    case(f"aten.{name}.dim", T(3, 4, dtype=BF16).t(), -1)
    case(f"aten.{name}.dim", torch.tensor([[NAN, 1.0, 2.0], [NAN, NAN, NAN]]), 1)
    case(f"aten.{name}.dim", torch.tensor(1.0), 0)
case("aten.mode.default", TIES)
case("aten.mode.default", TIES, 0, True)
case("aten.mode.default", T(4, 3, dtype=F16), 0)
case("aten.mode.default", N)
case("aten.mode.default", T(40, low=0, high=4, dtype=I64))
case("aten.mode.default", T(5, dtype=B))
case("aten.mode.default", torch.tensor(1))
