import torch
from golden import T, case

F16, BF16, F64, I64, I32 = torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32
IX = torch.tensor([[1, 0, 3], [3, 3, 2]])
for dtype in (torch.float32, F16, BF16, F64, I64):
    case("aten.embedding.default", T(4, 3, dtype=dtype), IX)
case("aten.embedding.default", T(3, 4).t(), IX.to(I32), 1)
case("aten.embedding.default", T(4, 3), torch.tensor(2))
case("aten.embedding.default", T(4, 3), torch.zeros(0, 2, dtype=I64))
case("aten.embedding.default", T(4, 6)[:, ::2], IX.t())
for dtype in (torch.float32, F16, F64):
    for padding in (-1, 3):
        for scale in (False, True):
            case("aten.embedding_dense_backward.default", T(2, 3, 2, dtype=dtype), IX, 5, padding, scale)
case("aten.embedding_dense_backward.default", T(3, 2, 2).transpose(0, 1), IX.to(I32), 4, -1, False)
case("aten.embedding_dense_backward.default", T(0, 2), torch.zeros(0, dtype=I64), 4, -1, False)
case("aten.embedding_dense_backward.default", T(2), torch.tensor(1), 4, -1, False)
for p in (2.0, 1.0, 3.0, float("inf")):
    case("aten.embedding_renorm.default", T(4, 3), IX, 1.0, p)
    case("aten.embedding_renorm_.default", T(3, 4).t(), torch.tensor([1, 1, 2]), 0.5, p)
case("aten.embedding_renorm_.default", T(4, 3, dtype=F64), IX, 1.0, 2.0)

I = torch.tensor([1, 0, 3, 3, 2, 1, 0])
for dtype in (torch.float32, F16, F64, BF16):
    for mode in (0, 1, 2):
        for padding in (-1, 3):
            if dtype == BF16 and mode == 0 and padding < 0:
                continue  # fake tensors and kernels differ: the former give the bags
            case("aten._embedding_bag.default", T(4, 3, dtype=dtype), I, torch.tensor([0, 2, 2, 5]), False, mode, False, None, False, padding)
for op in ("aten._embedding_bag.default",):
    case(op, T(4, 3), I, torch.tensor([0, 2, 5, 7]), False, 1, False, None, True)
    case(op, T(4, 3), I, torch.tensor([0, 2, 5, 7]), False, 0, False, T(7), True)
    case(op, T(4, 3, dtype=F64), I, torch.tensor([0, 2, 5]), False, 0, False, T(7, dtype=F64), False, 1)
    case(op, T(3, 4).t(), I.to(I32), torch.tensor([0, 2, 5], dtype=I32), False, 2)
    case(op, T(4, 3), I, torch.tensor([0, 2, 7]), False, 2, False, None, True)
    case(op, T(4, 3), torch.zeros(0, dtype=I64), torch.tensor([0, 0]), False, 1)
for mode in (1, 2):
    case("aten._embedding_bag_forward_only.default", T(4, 3), I, torch.tensor([0, 2, 2, 5]), False, mode)
case("aten._embedding_bag_forward_only.default", T(4, 3), I, torch.tensor([0, 2, 2, 5]), shapes=True)
for mode in (0, 1, 2):
    for padding in (-1, 3):
        for scale in (False, True):
            if mode == 2 and scale:
                continue
            weight = T(4, 3)
            offsets = torch.tensor([0, 2, 2, 5])
            psw = T(7) if mode == 0 and padding < 0 else None
            _, of, size, largest = torch.ops.aten._embedding_bag(weight, I, offsets, scale, mode, False, psw, False, padding)
            case("aten._embedding_bag_backward.default", T(4, 3), I, offsets, of, size, largest, 5, scale, mode, False, psw, padding)
            if of.numel():
                case("aten._embedding_bag_dense_backward.default", T(4, 3), I, of, size, largest, 5, scale, mode, psw, padding)
for padding in (-1, 3):
    case("aten._embedding_bag_per_sample_weights_backward.default", T(4, 3), T(4, 3), I, torch.tensor([0, 2, 2, 5]), torch.tensor([0, 0, 2, 2, 2, 3, 3]), 0, padding)
    case("aten._embedding_bag_per_sample_weights_backward.default", T(4, 3), T(4, 3), I, torch.tensor([0, 2, 2, 5]), torch.zeros(0, dtype=I64), 0, padding)
