"""Lists of tensors: _foreach ops and steps of optimizers."""
import math

import torch
from golden import T, case

F16, BF16, F64 = torch.float16, torch.bfloat16, torch.float64


def lists(*, low=None, high=None, dtype=torch.float32):
    return [T(2, dtype=dtype, low=low, high=high), T(dtype=dtype, low=low, high=high), T(2, 2, dtype=dtype, low=low, high=high).t()]


def fresh(some):
    return [t.clone() for t in some]


for name in ("abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "erfc", "exp", "expm1", "floor", "frac", "lgamma", "log", "log10",
             "log1p", "log2", "neg", "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"):
    x = lists(low=0.1, high=0.9)
    case(f"aten._foreach_{name}.default", x)
    case(f"aten._foreach_{name}_.default", fresh(x))
for name in ("add", "sub", "mul", "div", "maximum", "minimum", "clamp_max", "clamp_min", "pow"):
    x, y = lists(low=0.5, high=2), lists(low=0.5, high=2)
    for suffix in ("", "_"):
        case(f"aten._foreach_{name}{suffix}.List", fresh(x), y)
        case(f"aten._foreach_{name}{suffix}.Scalar", fresh(x), 1.5)
        case(f"aten._foreach_{name}{suffix}.ScalarList", fresh(x), [1.5, 2.0, 0.5])
for name in ("mul", "div", "add"):
    case(f"aten._foreach_{name}.Tensor", lists(), torch.tensor(2.0))
    case(f"aten._foreach_{name}_.Tensor", lists(), torch.tensor(2.0))
case("aten._foreach_add.List", lists(), lists(), alpha=2)
case("aten._foreach_sub.List", lists(), lists(), alpha=2)
case("aten._foreach_add_.List", lists(), lists(), alpha=0.5)
case("aten._foreach_pow.ScalarAndTensor", 2, lists()[:2])
for name in ("addcmul", "addcdiv"):
    for suffix in ("", "_"):
        x, y, z = lists(), lists(), lists(low=1, high=2)
        case(f"aten._foreach_{name}{suffix}.Scalar", fresh(x), y, z, 2)
        case(f"aten._foreach_{name}{suffix}.ScalarList", fresh(x), y, z, [1.0, 2.0, 3.0])
        case(f"aten._foreach_{name}{suffix}.Tensor", fresh(x), y, z, torch.tensor([1.0, 2.0, 3.0]))
for suffix in ("", "_"):
    case(f"aten._foreach_lerp{suffix}.List", lists(), lists(), lists())
    case(f"aten._foreach_lerp{suffix}.Scalar", lists(), lists(), 0.3)
    case(f"aten._foreach_lerp{suffix}.ScalarList", lists(), lists(), [0.3, 0.5, 0.7])
case("aten._foreach_norm.Scalar", lists())
case("aten._foreach_norm.Scalar", lists(), 1, F64)
case("aten._foreach_norm.Scalar", lists(), math.inf)
case("aten._foreach_powsum.Scalar", lists(), 2)
case("aten._foreach_max.default", lists())
case("aten._foreach_zero_.default", lists())
case("aten._foreach_copy_.default", lists(), lists())
case("aten._foreach_clone.default", lists())
case("aten._foreach_zero.default", lists())
case("aten._foreach_copy.default", lists(), lists())

step = lambda: [torch.tensor(3.0), torch.tensor(3.0)]
two = lambda dtype=torch.float32, **k: [T(2, dtype=dtype, **k), T(1, 2, dtype=dtype, **k)]
for dt in (torch.float32, F64, F16, BF16):
    for name in ("_fused_adam", "_fused_adamw"):
        p, g, m, s, k = two(dt), two(dt), two(dt), two(dt, low=0, high=1), two(dt, low=0, high=1)
        common = dict(lr=0.1, beta1=0.9, beta2=0.99, weight_decay=0.1, eps=1e-3, amsgrad=False, maximize=False)
        case(f"aten.{name}_.default", fresh(p), fresh(g), fresh(m), fresh(s), [], step(), **common)
        case(f"aten.{name}_.default", fresh(p), fresh(g), fresh(m), fresh(s), fresh(k), step(),
             **{**common, "amsgrad": True, "maximize": True, "beta1": 0.3, "weight_decay": 0.0})
        case(f"aten.{name}.default", p, g, m, s, [], step(), **common)
    sgd = dict(weight_decay=0.1, momentum=0.9, lr=0.1, dampening=0.2, nesterov=False, maximize=False, is_first_step=False)
    case("aten._fused_sgd_.default", two(dt), two(dt), two(dt), **sgd)
    case("aten._fused_sgd_.default", two(dt), two(dt), two(dt), **{**sgd, "nesterov": True, "is_first_step": True, "maximize": True})
    case("aten._fused_sgd_.default", two(dt), two(dt), [], **{**sgd, "momentum": 0.0})
    case("aten._fused_sgd.default", two(dt), two(dt), two(dt), **sgd)
    case("aten._fused_adagrad_.default", two(dt), two(dt), two(dt, low=0, high=1), step(), lr=0.1, lr_decay=0.01, weight_decay=0.1, eps=1e-3, maximize=False)
adam = dict(beta1=0.9, beta2=0.99, weight_decay=0.1, eps=1e-3, amsgrad=False, maximize=False)
case("aten._fused_adam_.tensor_lr", two(), two(), two(), two(low=0, high=1), [], step(), lr=torch.tensor(0.1), **adam)
case("aten._fused_adam_.default", two(), two(), two(), two(low=0, high=1), [], step(), lr=0.1, grad_scale=torch.tensor(4.0), found_inf=torch.tensor(0.0), **adam)
case("aten._fused_adam_.default", two(), two(), two(), two(low=0, high=1), [], step(), lr=0.1, grad_scale=torch.tensor(4.0), found_inf=torch.tensor(1.0), **adam)
case("aten._fused_sgd_.tensor_lr", two(), two(), two(), weight_decay=0.1, momentum=0.9, lr=torch.tensor(0.1), dampening=0.2, nesterov=False, maximize=False, is_first_step=False)
case("aten._amp_foreach_non_finite_check_and_unscale_.default", two(), torch.tensor(0.0), torch.tensor(0.5))
case("aten._amp_foreach_non_finite_check_and_unscale_.default", [torch.tensor([1.0, math.inf])], torch.tensor(0.0), torch.tensor(0.5))
