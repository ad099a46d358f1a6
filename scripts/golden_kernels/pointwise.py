"""Pointwise ops: dtypes, promotion, broadcasting and layouts. Values of all ops are in tests/ir/ops/elements.txt."""
import math

import torch
from golden import T, case

F32, F64, F16, BF16, C64, C128 = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64,
                                  torch.complex128)
I64, I32, I16, I8, U8, B8 = torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool
ALL = [F32, F64, F16, BF16, C64, C128, I64, I32, I16, I8, U8, B8]
SPECIAL = [0.0, -0.0, 1.0, -1.5, 0.3, 4.0, math.inf, -math.inf, math.nan]

# Every dtype through arithmetic of two tensors and a tensor and a number.
for dt in ALL:
    a, b = T(1, 3, dtype=dt), T(1, 3, dtype=dt)
    for name in ("add", "mul", "sub"):
        if name == "sub" and dt == B8:
            continue
        case(f"aten.{name}.Tensor", a, b)
    case("aten.eq.Tensor", a, b)
    case("aten.ne.Scalar", a, 1)
    case("aten.add.Tensor", a, b, alpha=2) if dt != B8 else None
    case("aten.div.Tensor", a, b if dt.is_floating_point or dt.is_complex else torch.ones_like(b))
    case("aten.where.self", T(1, 3, dtype=B8), a, b)
    case("aten.clone.default", a.t())
    if not dt.is_complex:
        case("aten.maximum.default", a, b)
        case("aten.gt.Scalar", a, 2)
        case("aten.lt.Tensor", a, b)
    if dt != B8:
        case("aten.neg.default", a)
        case("aten.abs.default", a)
        case("aten.mul.Scalar", a, 2.5)
        case("aten.sgn.default", a)
        case("aten.pow.Tensor_Scalar", a, 3)
    if dt in (F32, F16, C64, I8, B8):
        case("aten.isnan.default", a)
        case("aten.logical_not.default", a)
        case("aten.logical_and.default", a, b)
# Promotion: dtypes against one another, tensors without dimensions, numbers.
for d1, d2 in ((F32, F64), (F16, F32), (BF16, F16), (I32, F16), (U8, I8), (I64, F32), (B8, I16), (F32, C64), (F64, C64), (I64, BF16)):
    case("aten.add.Tensor", T(3, dtype=d1), T(3, dtype=d2))
    case("aten.mul.Tensor", T(3, dtype=d1), T(dtype=d2))
    case("aten.mul.Tensor", T(dtype=d1), T(2, dtype=d2))
    if not d2.is_complex:
        case("aten.lt.Tensor", T(3, dtype=d1), T(3, dtype=d2))
case("aten.add.Tensor", torch.tensor([70000, 3]), torch.tensor([0.5, 1.5], dtype=F16))
case("aten.eq.Scalar", torch.tensor([0.1, 0.2], dtype=F16), 0.1)
case("aten.eq.Scalar", torch.tensor([0.1, 0.2]), 0.1)
case("aten.eq.Scalar", torch.tensor([44, 3], dtype=U8), 300)
case("aten.add.Scalar", torch.tensor([1, 250], dtype=U8), 300)
case("aten.mul.Tensor", torch.tensor([100, -100], dtype=I8), torch.tensor([3, 3], dtype=I8))
case("aten.add.Scalar", torch.tensor([1, 2]), 1.5)
case("aten.gt.Scalar", torch.tensor([1, 2]), 1.5)
case("aten.clamp.default", torch.tensor([1, 2, 5]), 1.5, 3)
case("aten.clamp.default", T(5), None, 0.5)
case("aten.clamp.default", T(5, dtype=F16), -0.1, 0.1)
case("aten.clamp.Tensor", T(2, 3), T(3), T(2, 1))
case("aten.pow.Tensor_Tensor", T(4, low=0, high=2), T(4))
case("aten.pow.Scalar", 2, T(4))
case("aten.pow.Tensor_Scalar", torch.tensor([1.0, 4.0, -2.0, 0.0]), 0.5)
case("aten.pow.Tensor_Scalar", torch.tensor([1.0, 4.0, -2.0, 0.0]), -1)
case("aten.pow.Tensor_Scalar", T(4, dtype=C64), 2.5)
case("aten.pow.Tensor_Scalar", T(4, dtype=I32), 2)
# Functions of real numbers.
for name in ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
             "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "sqrt", "rsqrt", "reciprocal", "sigmoid", "silu", "mish", "gelu", "softplus",
             "relu", "elu", "selu", "leaky_relu", "hardtanh", "hardswish", "hardsigmoid", "floor", "ceil", "trunc", "round", "frac", "sign",
             "lgamma", "digamma", "erfinv", "isinf", "isfinite", "signbit", "nan_to_num", "logit", "sinc", "square"):
    op = f"aten.{name}.default"
    # PyTorch's vectorized gelu makes NaN of infinity.
    case(op, torch.tensor([v for v in SPECIAL if name != "gelu" or math.isfinite(v)]))
    for dt in (F64, F16, BF16):
        case(op, torch.tensor([0.5, -0.25], dtype=dt))
    if name not in ("silu", "mish", "gelu", "softplus", "elu", "selu", "leaky_relu", "hardswish", "hardsigmoid", "hardtanh", "frac"):
        case(op, torch.tensor([1, 0, 5], dtype=I32))
    if name in ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
                "asinh", "acosh", "atanh", "sqrt", "rsqrt", "reciprocal", "sigmoid", "silu", "isinf", "isfinite", "square"):
        case(op, T(2, dtype=C64))
        case(op, T(1, dtype=C128))
for dt in (C64, C128):
    z = torch.tensor([1 + 2j, -0.5 + 0j, 0j, complex(math.inf, 1), complex(0, math.nan)], dtype=dt)
    for name in ("angle", "abs", "sgn", "isinf", "isnan", "isfinite", "conj_physical", "neg", "reciprocal"):
        case(f"aten.{name}.default", z[:3] if name in ("sgn", "reciprocal") else z)
    w = T(3, dtype=dt)
    case("aten.tanh_backward.default", w, T(3, dtype=dt))
    case("aten.sigmoid_backward.default", w, T(3, dtype=dt))
    case("aten.addcmul.default", w, T(3, dtype=dt), T(3, dtype=dt), value=2)
    case("aten.addcdiv.default", w, T(3, dtype=dt), T(3, dtype=dt))
    case("aten.lerp.Scalar", w, T(3, dtype=dt), 0.3)
    case("aten.masked_fill.Scalar", w, T(3, dtype=B8), 2.0)
    case("aten._to_copy.default", w, dtype=F32)
case("aten.angle.default", torch.tensor(SPECIAL))
case("aten.angle.default", torch.tensor([1, -2]))
# Layouts: broadcasting, permuted, sliced, expanded, without dimensions, empty.
x = T(2, 3, 4)
case("aten.add.Tensor", x, T(4))
case("aten.add.Tensor", x.permute(2, 0, 1), T(4, 2, 3))
case("aten.mul.Tensor", x[:, ::2, 1:], T(2, 1, 3))
case("aten.mul.Tensor", T(3, 1).expand(3, 5), T(1, 5).expand(3, 5))
case("aten.add.Tensor", T(), T())
case("aten.add.Tensor", T(0, 3), T(3))
case("aten.sub.Tensor", T(1, 4, 2, 3).to(memory_format=torch.channels_last), T(4, 1, 1))
case("aten.add.Tensor", torch.arange(600) - 300, T(1, dtype=I64))
case("aten.mul.Tensor", torch.arange(600).reshape(5, 120), T(5, 1, dtype=I64))
case("aten.add_.Tensor", T(2, 3), T(3))
case("aten.mul_.Scalar", T(2, 3, stride=(1, 2)), 3)
case("aten.add.out", T(2, 3), T(3), out=torch.empty(2, 3))
case("aten.where.self", T(3, 1, dtype=B8), T(4), T(3, 4, dtype=F64))
case("aten.where.self", T(2, 2, dtype=B8), T(2, 2), torch.tensor(1.0, dtype=F64))
# Conversions and fills.
for dt in ALL:
    case("aten._to_copy.default", torch.tensor([0.0, 1.5, -2.5, 100.0]), dtype=dt)
    case("aten._to_copy.default", T(2, 3, dtype=dt).t(), dtype=F32)
    case("prims.convert_element_type.default", T(3, dtype=dt), F64)
    case("aten.fill.Scalar", T(2, 2, dtype=dt), 1)
    case("aten.copy_.default", T(2, 3, dtype=dt), T(3, dtype=I32))
case("aten._to_copy.default", torch.tensor([1e30, -1e30, math.nan, math.inf, 300.0]), dtype=I64)
case("aten._to_copy.default", torch.tensor([1e30, 300.7, -1.0]), dtype=F16)
case("aten.fill_.Scalar", T(2, 3, stride=(1, 2)), 2.5)
case("aten.fill_.Tensor", T(2, 3), torch.tensor(2.5))
case("aten.fill.Tensor", T(2, 3, dtype=I32), torch.tensor(2))
case("aten.zero_.default", T(2, 3))
case("aten.zero.default", T(2, 3))
case("aten.copy.default", T(2, 3), T(3, dtype=F64))
case("aten.copy_.default", T(4, 4)[1:3, ::2], T(2, 2))
case("aten.lift_fresh_copy.default", T(2, 3).t())
case("aten.detach_copy.default", T(2, 3).t())
case("aten.complex.default", T(3), T(3))
case("aten.polar.default", T(3), T(3))
case("aten._add_relu.Tensor", T(4), T(4), alpha=2)
case("aten._add_relu.Scalar", T(4), 0.5)
case("aten.glu_jvp.default", T(2, 3), T(2, 6), T(2, 6), 1)
case("prims.frexp.default", T(4))
case("prims.fill.default", T(2, 3), 1.5)
case("prims.copy_to.default", T(2, 3), T(2, 3))
