import torch
from golden import T, case

f32, f64, f16, bf16, i64 = torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64
aten = torch.ops.aten
inf = float("inf")

for dtype in [f32, f64, f16, bf16]:
    for reduction in [0, 1, 2]:
        x, t, w = T(4, 3, dtype=dtype).log_softmax(1), torch.tensor([0, 2, -100, 1]), T(3, dtype=dtype, low=0.5, high=2)
        for weight in [None, w]:
            case("aten.nll_loss_forward.default", x, t, weight, reduction, -100)
            out, total = aten.nll_loss_forward(x, t, weight, reduction, -100)
            case("aten.nll_loss_backward.default", T(*out.shape, dtype=dtype), x, t, weight, reduction, -100, total)
x, t = T(3), torch.tensor(1)
for reduction in [0, 1, 2]:
    case("aten.nll_loss_forward.default", x, t, None, reduction, -100)
    out, total = aten.nll_loss_forward(x, t, None, reduction, -100)
    case("aten.nll_loss_backward.default", T(*out.shape), x, t, None, reduction, -100, total)
    x2, t2 = T(2, 3, 2, 2), torch.randint(0, 3, (2, 2, 2))
    t2[0, 0, 0] = 1
    w = T(3, low=0.5, high=2)
    case("aten.nll_loss2d_forward.default", x2, t2, w, reduction, 1)
    out, total = aten.nll_loss2d_forward(x2, t2, w, reduction, 1)
    case("aten.nll_loss2d_backward.default", T(*out.shape), x2, t2, w, reduction, 1, total)
case("aten.nll_loss_forward.default", T(2, 3), torch.tensor([1, 1]), None, 1, 1)
case("aten.nll_loss_forward.default", T(0, 3), torch.zeros(0, dtype=i64), None, 1, -100)
case("aten.nll_loss_forward.default", T(0, 3), torch.zeros(0, dtype=i64), None, 2, -100)
case("aten.cross_entropy_loss.default", T(4, 3), torch.tensor([0, 2, -100, 1]), None, 1, -100, 0.1)
case("aten.cross_entropy_loss.default", T(4, 3), T(4, 3).softmax(1), T(3, low=0.5, high=2))
case("aten.cross_entropy_loss.default", T(2, 3, 2, dtype=f64), torch.randint(0, 3, (2, 2)))
for dtype in [f32, f64]:
    for reduction in [0, 1, 2]:
        for p in [1, 2]:
            x, t, w = T(3, 4, dtype=dtype), torch.tensor([0, 3, 1]), T(4, dtype=dtype, low=0.5, high=2)
            case("aten.multi_margin_loss_backward.default", T(3, dtype=dtype) if reduction == 0 else torch.tensor(0.7, dtype=dtype),
                 x, t, p, 0.8, w if p == 2 else None, reduction)
        t = torch.tensor([[3, 0, -1, 1], [1, -1, 0, 0], [-1, 0, 0, 0]])
        case("aten.multilabel_margin_loss_forward.default", x, t, reduction)
        out, marked = aten.multilabel_margin_loss_forward(x, t, reduction)
        case("aten.multilabel_margin_loss_backward.default", T(*out.shape, dtype=dtype), x, t, reduction, marked)
case("aten.multi_margin_loss.default", T(3, 4), torch.tensor([0, 3, 1]))
case("aten.multi_margin_loss.default", T(4), torch.tensor(2), 2, 0.5, T(4, low=0.5, high=2), 2)
for dtype in [f32, f64]:
    lp = T(6, 2, 4, dtype=dtype).log_softmax(2)
    targets = torch.tensor([[1, 2, 2], [3, 1, 2]])
    case("aten._ctc_loss.default", lp, targets, [6, 6], [3, 3], 0, False)
    nll, alpha = aten._ctc_loss(lp, targets, [6, 6], [3, 3], 0, False)
    case("aten._ctc_loss_backward.default", T(2, dtype=dtype), lp, targets, [6, 6], [3, 3], nll, alpha, 0, False)
    nll, alpha = aten._ctc_loss(lp, targets, [5, 4], [2, 3], 0, False)
    alpha = torch.nan_to_num(alpha, nan=0.0)
    case("aten._ctc_loss_backward.default", T(2, dtype=dtype), lp, targets, [5, 4], [2, 3], nll, alpha, 0, False)
case("aten.ctc_loss.IntList", lp, torch.tensor([1, 2, 3, 1, 2]), [6, 5], [2, 3], 0, 0, False)
case("aten.ctc_loss.Tensor", lp, targets, torch.tensor([6, 5]), torch.tensor([2, 0]), 0, 1, False)
case("aten.ctc_loss.Tensor", lp, targets, torch.tensor([2, 5]), torch.tensor([3, 2]), 0, 2, True)
nll, alpha = aten._ctc_loss(lp, targets, [2, 6], [3, 3], 0, True)
case("aten._ctc_loss_backward.Tensor", T(2, dtype=f64), lp, targets, torch.tensor([2, 6]), torch.tensor([3, 3]), nll, torch.nan_to_num(alpha, nan=0.0), 0, True)
x1, x2 = T(3, 4), T(2, 4)
x2[0] = x1[1]
for p in [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, inf]:
    case("aten._cdist_forward.default", x1, x2, p, 2)
    d = aten._cdist_forward(x1, x2, p, 2)
    case("aten._cdist_backward.default", T(3, 2), x1, x2, p, d)
    case("aten._pdist_forward.default", x1, p)
    case("aten._pdist_backward.default", T(3), x1, p, aten._pdist_forward(x1, p))
case("aten._cdist_forward.default", T(2, 1, 3, 2, dtype=f64), T(2, 2, 2, dtype=f64), 2.0, None)
case("aten._cdist_forward.default", T(3, 0), T(2, 0), 2.0, None)
case("aten._cdist_forward.default", T(0, 3), T(2, 3), 2.0, None)
case("aten.cdist.default", T(2, 3, 4), T(2, 2, 4))
case("aten.pdist.default", T(4, 3, dtype=f64))
case("aten.mse_loss.default", T(3, 4), T(3, 4))
case("aten.huber_loss.default", T(3, 4), T(3, 4), 2, 0.5)
case("aten.binary_cross_entropy.default", T(3, 4, low=0, high=1), T(3, 4, low=0, high=1))
