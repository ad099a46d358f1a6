import torch
from golden import T, case

F16, BF16, F64, I64, I32, B = torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32, torch.bool
C64, C128 = torch.complex64, torch.complex128
E4, E5, E4Z, E5Z = torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz

# Conversions. All values of the 8-bit floats, and floats around what they can hold.
for dtype in (E4, E5, E4Z, E5Z):
    case("aten._to_copy.default", torch.arange(256).to(torch.uint8).view(dtype), dtype=torch.float32)
    edges = []
    for bits in (0x00, 0x01, 0x02, 0x07, 0x08, 0x09, 0x37, 0x38, 0x3B, 0x3C, 0x77, 0x78, 0x79, 0x7A, 0x7B, 0x7D, 0x7E, 0x7F):
        v = torch.tensor([bits], dtype=torch.uint8).view(dtype).float().item()
        for w in (v, -v, v * 1.0625, v * 1.125, v * 1.1875, v * 0.9375, v * 1.03125, v * 1.0312500001):
            edges.append(w)
    edges += [0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1e-10, -1e-10, 447.9, 448, 464, 464.1, 463.9, 480, 479, 239.9, 240, 248, 247.9,
              57344, 61439, 61440, 61441, 65536, 1e10, 2**-9, 2**-10, 2**-10 * 1.0001, 3 * 2**-10, 2**-17, 2**-16, 2**-18, 1.5 * 2**-17, 2**-11, 2**-7]
    case("aten._to_copy.default", torch.tensor(edges), dtype=dtype)
    case("aten._to_copy.default", torch.tensor(edges[:40], dtype=F64), dtype=dtype)
    case("aten._to_copy.default", T(5, low=-300, high=300, dtype=I64), dtype=dtype)
    case("aten._to_copy.default", T(5, dtype=F16), dtype=dtype)
for dtype in (F16, BF16):
    bits = torch.arange(0, 65536, 331).to(torch.int32).to(torch.uint16)
    case("aten._to_copy.default", bits.view(torch.int16).view(dtype), dtype=torch.float32)
    case("aten._to_copy.default", torch.tensor([65504.0, 65519.99, 65520, -65520, 1e-8, 2.98e-8, 2.99e-8, 5.96e-8, 6.0e-8, 6.09e-5, 6.1e-5, 1.00048828125, 1.00146484375,
                                                3.4e38, float("inf"), float("nan"), 0.0, -0.0, 1 + 2**-8, 1 + 3 * 2**-8]), dtype=dtype)
FLOATS = torch.tensor([0.0, -1.5, 2.7, 127.9, 128.5, 255.5, 256.5, -129.0, 1e5, -1e5])
for dtype in (torch.int8, torch.uint8, torch.int16, I32, I64, B, C64, F64):
    case("aten._to_copy.default", FLOATS, dtype=dtype)
case("aten._to_copy.default", torch.tensor([float("nan"), float("inf"), float("-inf"), 1e30, -1e30]), dtype=I64)
case("aten._to_copy.default", T(2, 3, dtype=C64), dtype=C128)
case("aten._to_copy.default", T(2, 3, dtype=C64).real, dtype=C64)
case("aten._to_copy.default", T(2, 3).t(), dtype=F64)
case("aten._to_copy.default", T(2, 3, 2, 2), memory_format=torch.channels_last)
case("prims.convert_element_type.default", T(4), I32)
case("prims.convert_element_type.default", torch.tensor([300, -1, 70000]), torch.uint8)
case("aten.clone.default", T(3, 4).t())
case("aten.clone.default", T(3, 1).expand(3, 4))
case("aten.clone.default", T(3, 4).t(), memory_format=torch.contiguous_format)
case("aten.clone.default", T(3, dtype=C64).conj())
case("aten.copy.default", T(3, 4, dtype=F16), T(4))
case("aten.copy.default", T(4, 3).t(), T(3, 4, dtype=I64))
case("aten.copy_.default", T(3, 4), T(3, 1, dtype=BF16))
case("aten.copy_.default", T(3, dtype=C64).conj(), T(3, dtype=C64))
case("aten.copy_.default", T(6)[::2], T(3, dtype=I32))
case("aten.copy_.default", T(3, dtype=I32), torch.tensor(2.7))
case("aten.lift_fresh_copy.default", T(2, 3))
case("aten.lift.default", T(2, 3))
case("aten._lazy_clone.default", T(2, 3).t())

# Fills.
case("aten.empty.memory_format", [2, 3], shapes=True)
case("aten.empty.memory_format", [2, 3, 4, 5], memory_format=torch.channels_last, dtype=F16, shapes=True)
case("aten.empty_strided.default", [2, 3], [1, 4], dtype=I64, shapes=True)
case("aten.empty_like.default", T(3, 4).t(), shapes=True)
case("aten.empty_permuted.default", [2, 3, 4], [2, 0, 1], shapes=True)
case("aten.new_empty.default", T(2, dtype=F16), [3], shapes=True)
case("aten.new_empty_strided.default", T(2, dtype=F16), [3, 2], [1, 3], shapes=True)
case("prims.empty_permuted.default", [2, 3], [1, 0], dtype=F16, device=torch.device("cpu"), requires_grad=False, shapes=True)
case("prims.empty_strided.default", [2, 3], [1, 2], dtype=F16, device=torch.device("cpu"), requires_grad=False, shapes=True)
for value in (1, 2.5, True, float("nan"), float("-inf"), -3):
    case("aten.full.default", [2, 2], value)
    case("aten.scalar_tensor.default", value)
case("aten.full.default", [2], 2.7, dtype=I64)
case("aten.full.default", [2], 300, dtype=torch.uint8)
case("aten.full.default", [2], 1.5 + 2j)
case("aten.full.default", [2], 3, dtype=C128)
case("aten.full.default", [0, 2], 3)
case("aten.full_like.default", T(3, 2).t(), 4)
case("aten.full_like.default", T(3), 4.5, dtype=BF16)
case("aten.new_full.default", T(3, dtype=F16), [2], 1.1)
case("aten.zeros.default", [2, 3], dtype=I32)
case("aten.zeros_like.default", T(3, 2).t())
case("aten.new_zeros.default", T(3, dtype=C64), [2])
case("aten.zero.default", T(3, dtype=I64))
case("aten.zero_.default", T(3, dtype=F16))
case("aten.ones.default", [2], dtype=B)
case("aten.ones_like.default", T(2, dtype=BF16))
case("aten.new_ones.default", T(2, dtype=I64), [2, 1])
case("aten.fill.Scalar", T(2, 3), 3)
case("aten.fill.Tensor", T(2, 3), torch.tensor(4))
case("aten.fill_.Scalar", T(2, 3).t(), 3.5)
case("aten.fill_.Scalar", T(3, dtype=I64), 3.7)
case("aten.fill_.Tensor", T(2, 3, dtype=BF16), torch.tensor(4.1))
case("aten.fill_.Scalar", T(3, dtype=C64).conj(), 1 + 2j)
case("prims.fill.default", T(2, 3), 3.0)
case("prims.full.default", [2], 3, dtype=I32, device=torch.device("cpu"), requires_grad=False)
case("prims.full_like.default", T(2), 3, dtype=F64, device=torch.device("cpu"), requires_grad=False)
case("prims.scalar_tensor.default", 3.5, dtype=F16)
case("aten._efficientzerotensor.default", [2]) if False else None
case("aten._new_zeros_with_same_feature_meta.default", T(2), T(3))

# Ranges.
for args in ((5,), (2.5,), (0,)):
    case("aten.arange.default", *args)
case("aten.arange.default", 5, dtype=F16)
case("aten.arange.start", 2, 7)
case("aten.arange.start", 2, 7, dtype=BF16)
case("aten.arange.start_step", 0, 1, 0.1)
case("aten.arange.start_step", 10, 1, -3)
case("aten.arange.start_step", 1.5, 4, 0.25, dtype=F64)
case("aten.arange.start_step", -5, 5, 3, dtype=I32)
case("aten.arange.start_step", 1, 6, 2, dtype=F16)
case("aten.range.default", 1, 4)
case("aten.range.step", 0, 2, 0.5)
case("aten.range.step", 5, 1, -2, dtype=I64)
case("prims.iota.default", 5, start=3, step=-2, dtype=I64, device=torch.device("cpu"), requires_grad=False)
case("prims.iota.default", 4, start=1, step=2, dtype=F64, device=torch.device("cpu"), requires_grad=False)
for dtype in (torch.float32, F64, F16, BF16, I64, I32, torch.uint8):
    case("aten.linspace.default", 0, 10, 7, dtype=dtype)
    case("aten.linspace.default", 3, 9, 1, dtype=dtype)
    case("aten.linspace.default", 5, 1, 4, dtype=dtype)
    case("aten.logspace.default", 0, 2, 5, dtype=dtype)
case("aten.linspace.default", 0, 10, 0)
case("aten.linspace.default", 0, 1 + 2j, 4)
case("aten.linspace.default", -1.5, 2.5, 6)
case("aten.linspace.Tensor_Tensor", torch.tensor(1.0), torch.tensor(3), 5)
case("aten.linspace.Scalar_Tensor", 1, torch.tensor(3.0), 3)
case("aten.linspace.Tensor_Scalar", torch.tensor(1.0), 3, 3)
case("aten.logspace.default", 0, 1, 4, 2.0)
case("aten.logspace.default", 0, 1, 3, 2.0, dtype=C64)
case("aten.logspace.Tensor_Scalar", torch.tensor(1.0), 3, 3)
case("aten.eye.default", 3)
case("aten.eye.m", 2, 4, dtype=I64)
case("aten.eye.m", 3, 0)
case("aten.eye.default", 2, dtype=B)
for args in ((3, 4), (3, 4, 1), (4, 3, -1), (2, 2, 5), (3, 3, -4), (0, 3)):
    case("aten.tril_indices.default", *args)
    case("aten.triu_indices.default", *args)
case("aten.tril_indices.default", 3, 3, 0, dtype=I32)

# Windows.
for name in ("bartlett", "blackman", "hann", "hamming", "kaiser"):
    for n in (0, 1, 2, 5, 8):
        case(f"aten.{name}_window.default", n)
        case(f"aten.{name}_window.periodic", n, False)
    case(f"aten.{name}_window.periodic", 6, True, dtype=F64)
    case(f"aten.{name}_window.periodic", 6, True, dtype=BF16)
case("aten.hamming_window.periodic_alpha", 6, True, 0.6)
case("aten.hamming_window.periodic_alpha_beta", 6, False, 0.6, 0.3)
case("aten.kaiser_window.beta", 6, False, 8.5)
case("aten.kaiser_window.beta", 6, True, 0.0)
for n in (1, 4, 5, 8):
    case("aten.fft_fftfreq.default", n)
    case("aten.fft_rfftfreq.default", n, 0.5)
case("aten.fft_fftfreq.default", 5, 2.0, dtype=F64)
case("aten.complex.default", T(3), T(3))
case("aten.complex.default", T(2, 3, dtype=F64).t(), T(3, 1, dtype=F64))
case("aten.polar.default", T(3), T(3))
case("aten.polar.default", T(2, 1, dtype=F64), T(3, dtype=F64))
case("aten.range.out_", 1, 4, out=T(4))
