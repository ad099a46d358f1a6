import torch
from golden import T, case

NAN = float("nan")
L, O = torch.tensor([2, 0, 3]), torch.tensor([0, 2, 2, 5])
for r in ("sum", "mean", "max", "min", "prod"):
    for dtype in (torch.float32, torch.float16, torch.float64):
        case("aten.segment_reduce.default", T(5, dtype=dtype), r, lengths=L)
    case("aten.segment_reduce.default", T(5, 2), r, offsets=O, initial=1.5)
    case("aten.segment_reduce.default", T(2, 3, 2), r, lengths=torch.tensor([[1, 2], [0, 3]]), axis=1)
    case("aten.segment_reduce.default", torch.tensor([1.0, NAN, 2.0]), r, lengths=torch.tensor([2, 1]))
    case("aten.segment_reduce.default", T(5), r, lengths=torch.tensor([2, 1]), unsafe=True)
    for x in (T(5, 2), torch.tensor([[1.0, 0.0], [1.0, 2.0], [0.0, 3.0], [0.0, 3.0], [2.0, 1.0]])):
        y = torch.ops.aten.segment_reduce(x, r, lengths=L)
        case("aten._segment_reduce_backward.default", T(3, 2), y, x, r, lengths=L)
        case("aten._segment_reduce_backward.default", T(3, 2), y, x, r, offsets=O)
