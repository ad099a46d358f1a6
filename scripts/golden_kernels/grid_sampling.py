import torch
from golden import T, case

F64 = torch.float64
G = T(1, 3, 2, 2, low=-1.6, high=1.6)
G3 = T(1, 2, 2, 2, 3, low=-1.6, high=1.6)
for mode in (0, 1, 2):
    for border in (0, 1, 2):
        for align in (False, True):
            case("aten.grid_sampler_2d.default", T(1, 2, 3, 4), G, mode, border, align)
            case("aten.grid_sampler_2d_backward.default", T(1, 2, 3, 2, dtype=F64), T(1, 2, 3, 4, dtype=F64), G.to(F64), mode, border, align, [True, True])
            if mode < 2:
                case("aten.grid_sampler_3d.default", T(1, 1, 2, 3, 4), G3, mode, border, align)
                case("aten.grid_sampler_3d_backward.default", T(1, 1, 2, 2, 2, dtype=F64), T(1, 1, 2, 3, 4, dtype=F64), G3.to(F64), mode, border, align, [True, True])
NAN, INF = float("nan"), float("inf")
ODD = torch.tensor([[[[NAN, 0.0], [0.3, INF], [0.2, -INF], [57.25, 0.1]]]])
for mode in (0, 1, 2):
    for border in (0, 1, 2):
        case("aten.grid_sampler_2d.default", T(1, 1, 3, 3), ODD, mode, border, False)
case("aten.grid_sampler_2d_backward.default", T(1, 2, 3, 2), T(1, 2, 3, 4), G, 0, 0, False, [False, True])
case("aten._grid_sampler_2d_cpu_fallback.default", T(1, 2, 3, 4), G, 0, 1, False)
case("aten._grid_sampler_2d_cpu_fallback_backward.default", T(1, 2, 3, 2), T(1, 2, 3, 4), G, 0, 1, False)
