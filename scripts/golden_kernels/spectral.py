import torch
from golden import T, case

f32, f64, c64, c128 = torch.float32, torch.float64, torch.complex64, torch.complex128

for real, dtype in [(f32, c64), (f64, c128)]:
    for n in [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 30, 37, 43, 49]:
        case("aten._fft_c2c.default", T(n, dtype=dtype), [0], 0, True)
        case("aten._fft_c2c.default", T(n, dtype=dtype), [0], 2, False)
        case("aten._fft_r2c.default", T(n, dtype=real), [0], n % 3, True)
        case("aten._fft_c2r.default", T(n // 2 + 1, dtype=dtype), [0], n % 3, n)
    case("aten._fft_r2c.default", T(2, 5, dtype=real), [1], 1, False)
    case("aten._fft_c2c.default", T(2, 3, 4, dtype=dtype), [0, 2], 1, True)
    case("aten._fft_c2c.default", T(4, 3, dtype=dtype).t(), [0, 1], 2, False)
    case("aten._fft_r2c.default", T(2, 3, 4, dtype=real), [0, 1, 2], 2, True)
    case("aten._fft_r2c.default", T(2, 3, 4, dtype=real).transpose(0, 2), [2, 0], 0, True)
    case("aten._fft_c2r.default", T(2, 3, 4, dtype=dtype), [0, 2], 2, 6)
    case("aten._fft_c2r.default", T(4, 3, dtype=dtype).t(), [1, 0], 1, 5)
case("aten._fft_c2c.default", T(2, 3, dtype=c64), [], 0, True)
case("aten._fft_c2c.default", T(0, 3, dtype=c64), [1], 0, True)
case("aten._fft_c2c.default", T(2, 3, dtype=c64).conj(), [1], 0, True)
case("aten.fft_fft.default", T(5))
case("aten.fft_rfft.default", T(2, 6), 8)
case("aten.fft_irfft2.default", T(2, 3, 4, dtype=c64))
case("aten.fft_hfft.default", T(4, dtype=c64))
case("aten.fft_fftn.default", T(2, 3, 2, dtype=c64), None, None, "ortho")
case("prims.fft_c2c.default", T(2, 3, dtype=c64), dim=[1], forward=False)
case("prims.fft_r2c.default", T(2, 4), dim=[0, 1], onesided=True)
case("prims.fft_c2r.default", T(2, 3, dtype=c64), dim=[1], last_dim_size=4)
case("aten.stft.default", T(2, 20), 8, 4, 8, torch.hann_window(8), False, True, True)
case("aten.istft.default", T(2, 5, 6, dtype=c64), 8, 4, 8, torch.hann_window(8), True)
