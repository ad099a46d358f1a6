"""Pointwise ops: activations and their gradients, functions of two arguments, whole numbers, loops."""
import math

import torch
from golden import T, case

F32, F64, F16, BF16 = torch.float32, torch.float64, torch.float16, torch.bfloat16
I64, I32, I8, U8, B8 = torch.int64, torch.int32, torch.int8, torch.uint8, torch.bool

# Activations and their gradients.
for dt in (F32, BF16, F64):
    g, v = T(3, dtype=dt), T(3, dtype=dt)
    for name in ("silu_backward", "mish_backward", "tanh_backward", "sigmoid_backward", "hardswish_backward", "gelu_backward"):
        case(f"aten.{name}.default", g, v)
    case("aten.gelu_backward.default", g, v, approximate="tanh")
    case("aten.gelu.default", v, approximate="tanh")
    case("aten.elu_backward.default", g, 1.5, 2.0, 0.5, False, v)
    case("aten.leaky_relu_backward.default", g, v, 0.1, False)
    case("aten.softplus_backward.default", g, v, 2.0, 1.0)
    case("aten.threshold_backward.default", g, v, 0)
    case("aten.hardtanh_backward.default", g, v, -0.5, 0.5)
    case("aten.logit_backward.default", g, T(3, dtype=dt, low=0, high=1), 0.1)
    case("aten.native_dropout_backward.default", g, T(3, dtype=B8), 2.0)
    case("aten.rsub.Scalar", v, 2, 3)
    case("aten.lerp.Tensor", g, v, T(3, dtype=dt, low=0, high=1))
    case("aten.addcmul.default", g, v, T(3, dtype=dt), value=0.7)
    case("aten.fmod.Tensor", g, v)
    case("aten.remainder.Tensor", g, v)
    case("aten.floor_divide.default", g, v)
    case("aten.div.Tensor_mode", g, v, rounding_mode="trunc")
    case("aten.copysign.Tensor", g, v)
    case("aten.atan2.default", g, v)
    case("aten.hypot.default", g, v)
    case("aten.nextafter.default", g, v)
    case("aten.logaddexp.default", g, v)
    case("aten.xlogy.Tensor", T(3, dtype=dt, low=0, high=2), T(3, dtype=dt, low=0, high=2))
    case("aten.heaviside.default", g, v)
    case("aten.frexp.Tensor", torch.tensor([0.0, 1.0, -3.3, 1e-3, math.inf], dtype=dt))
    case("aten.masked_fill.Scalar", v, T(3, dtype=B8), -math.inf)
    case("aten.masked_fill.Tensor", v, T(3, dtype=B8), torch.tensor(2.0))
case("aten.frexp.Tensor", T(3, 2).t())
# Whole numbers.
for dt in (I64, I8, U8):
    a, b = torch.tensor([7, 100, 3, 0, 120], dtype=dt), torch.tensor([2, 3, 7, 5, 1], dtype=dt)
    for name in ("bitwise_and.Tensor", "bitwise_or.Tensor", "bitwise_xor.Tensor", "bitwise_left_shift.Tensor", "bitwise_right_shift.Tensor",
                 "remainder.Tensor", "fmod.Tensor", "floor_divide.default", "gcd.default", "lcm.default"):
        case(f"aten.{name}", a, b)
    case("aten.bitwise_not.default", a)
    case("aten.div.Tensor_mode", a, b, rounding_mode="floor")
    case("aten.bitwise_left_shift.Tensor_Scalar", a, 9)
    case("aten.pow.Tensor_Tensor", a, b)
    case("aten.nan_to_num.default", a)
case("aten.floor_divide.default", torch.tensor([-7, 7, -1]), torch.tensor([2, -2, 5]))
case("aten.remainder.Scalar", torch.tensor([-7, 7, -1]), 3)
case("aten.bitwise_and.Tensor", T(4, dtype=B8), T(4, dtype=B8))
case("aten.bitwise_not.default", T(4, dtype=B8))
case("aten.nan_to_num.default", torch.tensor([2**40 + 1]))
case("aten.isfinite.default", torch.tensor([2**40 + 1]))
# Loops and choices that differ by element.
case("aten.special_chebyshev_polynomial_t.default", T(6, low=-1, high=1), torch.tensor([0.0, 1.0, 2.0, 5.0, 9.0, -1.0]))
case("aten.special_hermite_polynomial_h.n_scalar", T(5), 6)
case("aten.special_legendre_polynomial_p.n_scalar", T(5, dtype=F64), 2)
case("aten.polygamma.default", 1, torch.tensor([0.2, -0.7, 3.0, 9.0]))
case("aten.polygamma.default", 2, torch.tensor([0.2, 3.0, 9.0]))
case("aten.mvlgamma.default", T(4, low=3, high=6), 3)
case("aten.mvlgamma.default", T(4, low=8, high=9), 7)
case("aten.round.decimals", T(4), decimals=2)
case("aten.ldexp.Tensor", T(3), torch.tensor([1, -2, 3]))
case("aten.special_zeta.self_scalar", 3, T(3, low=1, high=4))
case("aten.igamma.default", T(4, low=0.5, high=3), T(4, low=0.5, high=3))
