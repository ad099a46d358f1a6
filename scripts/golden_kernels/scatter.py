import torch
from golden import T, case

F16, BF16, F64, I64, I32, B, C64 = torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32, torch.bool, torch.complex64
NAN, INF = float("nan"), float("inf")
IX = torch.tensor([[0, 1, 2], [2, 0, 0]])

case("aten.gather.default", T(4, 3), 0, IX)
case("aten.gather.default", T(2, 4), 1, torch.tensor([[3, 0], [1, 1]]))
case("aten.gather.default", T(4, 3, dtype=F16).t(), -1, IX)
case("aten.gather.default", T(2, 3, 2, dtype=I64), 1, torch.tensor([[[0, 2]], [[1, 1]]]))
case("aten.gather.default", torch.tensor(3.0), 0, torch.tensor(0))
case("aten.gather.default", torch.tensor(3.0), 0, torch.tensor([0]))
case("aten.gather.default", T(3), 0, torch.tensor(1))
case("aten.gather.default", T(3, 2), 0, torch.zeros(0, 2, dtype=I64))
case("aten.gather.default", T(3, dtype=C64).conj(), 0, torch.tensor([2, 0]))
case("aten.gather.default", T(3, 3), 0, torch.tensor([[1], [2]]).expand(2, 3))
case("aten.gather.default", T(3, 3), 0, IX.to(I32))

for dtype in (torch.float32, F16, BF16, F64, I64, I32, torch.uint8, torch.int8, C64, B):
    case("aten.scatter.src", T(4, 3, dtype=dtype), 0, IX, T(2, 3, dtype=dtype))
    case("aten.scatter_add.default", T(4, 3, dtype=dtype), 0, IX, T(3, 3, dtype=dtype))
case("aten.scatter.src", T(3, 4).t(), 1, torch.tensor([[0, 2], [1, 0]]), T(3, 2).t())
case("aten.scatter.src", T(3), 0, torch.tensor([1, 1, 1]), T(3))
case("aten.scatter.src", T(3), 0, torch.zeros(0, dtype=I64), T(3))
case("aten.scatter.src", torch.tensor(1.0), 0, torch.tensor(0), torch.tensor(2.0))
case("aten.scatter.src", T(4, 3), 0, IX.to(I32), T(2, 3))
case("aten.scatter.value", T(4, 3), 0, IX, 2.5)
case("aten.scatter.value", T(4, 3, dtype=I64), -2, IX, 3)
case("aten.scatter.value", T(4, 3, dtype=B), 0, IX, True)
case("aten.scatter_.src", T(4, 3), 0, IX, T(2, 3))
case("aten.scatter_.value", T(3, 4, dtype=F16).t(), 0, IX, 1)
case("aten.scatter_add_.default", T(4, 3), 0, IX, T(2, 3))
case("aten.scatter_add.default", T(5), 0, torch.tensor([1, 1, 1, 0]), T(4))
case("aten.scatter_add.default", T(2, 3, 2), 1, torch.tensor([[[0, 2]], [[1, 1]]]), T(2, 2, 2))
case("aten.scatter_add.default", T(4, 3), 0, torch.tensor([[1], [1], [0]]).expand(3, 3), T(3, 3))
for r in ("add", "multiply"):
    case("aten.scatter.reduce", T(4, 3), 0, IX, T(2, 3), reduce=r)
    case("aten.scatter.reduce", T(4, 3, dtype=I64), 0, IX, T(2, 3, dtype=I64), reduce=r)
    case("aten.scatter.value_reduce", T(4, 3), 0, IX, 2, reduce=r)
    case("aten.scatter.value_reduce", T(4, 3, dtype=F16), 0, IX, 2.5, reduce=r)
    case("aten.scatter_.value_reduce", T(4, 3), 0, IX, 2, reduce=r)
    case("aten.scatter_.reduce", T(4, 3), 0, IX, T(2, 3), reduce=r)
for r in ("sum", "prod", "mean", "amax", "amin"):
    for include in (True, False):
        case("aten.scatter_reduce.two", T(4, 3), 0, IX, T(2, 3), r, include_self=include)
        case("aten.scatter_reduce.two", T(4, 3, dtype=F16), 0, IX, T(2, 3, dtype=F16), r, include_self=include)
        case("aten.scatter_reduce.two", T(4, 3, dtype=I64, low=-9, high=9), 0, IX, T(2, 3, dtype=I64, low=-9, high=9), r, include_self=include)
        case("aten.scatter_reduce.two", T(5), 0, torch.tensor([1, 1, 1, 0]), torch.tensor([1.0, NAN, 2.0, -INF]), r, include_self=include)
        case("aten.scatter_reduce_.two", T(5, dtype=torch.uint8), 0, torch.tensor([1, 1, 3, 0]), T(4, dtype=torch.uint8), r, include_self=include)
        case("aten.scatter_reduce.two", T(3, 4).t(), 1, torch.tensor([[0, 2], [1, 0]]), T(2, 2), r, include_self=include)
    case("aten.scatter_reduce.two", T(5, dtype=B), 0, torch.tensor([1, 1, 3, 0]), T(4, dtype=B), r) if r in ("amax", "amin", "sum", "prod") else None
    case("aten.scatter_reduce.two", torch.tensor([NAN, 1.0]), 0, torch.tensor([0, 1]), torch.tensor([2.0, 3.0]), r)

L = torch.tensor([2, 0])
for dtype in (torch.float32, BF16, I64, C64, B):
    case("aten.index_add.default", T(3, 4, dtype=dtype), 0, L, T(2, 4, dtype=dtype))
    case("aten.index_copy.default", T(3, 4, dtype=dtype), 0, L, T(2, 4, dtype=dtype))
case("aten.index_add.default", T(4, 3, dtype=F16).t(), 1, torch.tensor([1, 1, 3]), T(3, 3, dtype=F16), alpha=2.5)
case("aten.index_add.default", T(5), 0, torch.tensor([1, 1, 3], dtype=I32), T(3), alpha=-1)
case("aten.index_add.default", T(5, dtype=I64), 0, torch.tensor([1, 1, 3]), T(3, dtype=I64), alpha=3)
case("aten.index_add.default", torch.tensor(1.0), 0, torch.tensor(0), torch.tensor(2.0))
case("aten.index_add.default", T(5), 0, torch.tensor([1]), torch.tensor(2.0))
case("aten.index_add_.default", T(3, 4), -1, L, T(3, 2))
case("aten.index_copy.default", T(4, 3).t(), -1, L, T(3, 2))
case("aten.index_copy.default", T(4), 0, torch.tensor([1]), torch.tensor(2.0))
case("aten.index_copy_.default", T(3, 4), 1, L, T(3, 2))
case("aten.index_fill.int_Scalar", T(3, 4), 0, torch.tensor([-1, 0]), 2.5)
case("aten.index_fill.int_Scalar", T(4, 3, dtype=I64).t(), 1, L, 3)
case("aten.index_fill.int_Tensor", T(3, 4, dtype=F16), 1, L, torch.tensor(2.5))
case("aten.index_fill_.int_Scalar", torch.tensor(1.0), 0, torch.tensor(0), 3)
for r in ("prod", "mean", "amax", "amin"):
    for include in (True, False):
        case("aten.index_reduce.default", T(3, 4), 0, torch.tensor([2, 0, 2]), T(3, 4), r, include_self=include)
        case("aten.index_reduce.default", T(4, 3, dtype=F16).t(), 1, torch.tensor([2, 0, 2]), T(3, 3, dtype=F16), r, include_self=include)
        case("aten.index_reduce.default", T(4, dtype=I64), 0, torch.tensor([1, 1, 3]), T(3, dtype=I64), r, include_self=include)
    case("aten.index_reduce_.default", torch.tensor([NAN, 1.0]), 0, torch.tensor([0, 1, 1]), torch.tensor([2.0, 3.0, NAN]), r)
