"""Random numbers: equal to those of PyTorch's CPU generator for the same seed."""
import torch
import torch._inductor.inductor_prims  # registers prims
from golden import T, case

F32, F64, F16, BF16, C64 = torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64
INTS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool)

for dt in (F32, F64, F16, BF16, C64):
    case("aten.rand.default", [5], seed=3, dtype=dt)
    for n in (5, 16, 20, 40):
        case("aten.randn.default", [n], seed=4, dtype=dt)
    case("aten.rand_like.default", T(2, 3, dtype=dt).t(), seed=5)
    case("aten.randn_like.default", T(4, 5, dtype=dt).t(), seed=6)
    case("aten.uniform_.default", T(2, 3, dtype=dt), -1.0, 3.0, seed=7)
    case("aten.normal_.default", T(3, dtype=dt), 1.0, 2.0, seed=8)
    case("aten.normal_.default", T(4, 8, dtype=dt)[:, ::2], 1.0, 2.0, seed=9)
    if dt.is_complex:
        continue
    case("aten.exponential_.default", T(4, dtype=dt), 2.0, seed=10)
    case("aten.geometric_.default", T(4, dtype=dt), 0.3, seed=11)
    case("aten.cauchy_.default", T(4, dtype=dt), 1.0, 0.5, seed=12, tolerance=2e-2 if dt in (F16, BF16) else None)
    case("aten.log_normal_.default", T(4, dtype=dt), 0.5, 0.3, seed=13)
    case("aten.random_.default", T(4, dtype=dt), seed=14)
    case("aten.random_.from", T(4, dtype=dt), -3, 9, seed=15)
    case("aten.random_.to", T(4, dtype=dt), 100, seed=16)
    case("aten.bernoulli_.float", T(9, dtype=dt), 0.3, seed=17)
    case("aten.bernoulli.default", T(3, 3, dtype=dt, low=0, high=1), seed=18)
    case("aten.bernoulli.p", T(9, dtype=dt), 0.6, seed=19)
    case("aten.native_dropout.default", T(3, 4, dtype=dt), 0.4, True, seed=20)
    case("aten.poisson.default", torch.tensor([0.0, 0.5, 3.0, 12.0, 40.0, 100.0], dtype=dt), seed=21)
    case("aten.binomial.default", torch.tensor([5.0, 30.0, 100.0, 7.0, 60.0, 3.0], dtype=dt),
         torch.tensor([0.5, 0.9, 0.3, 0.01, 0.5, 1.0], dtype=dt), seed=22)
    case("aten._standard_gamma.default", torch.tensor([0.5, 3.0, 12.0, 0.1], dtype=dt), seed=23)
    case("aten._sample_dirichlet.default", T(2, 3, dtype=dt, low=0.5, high=3), seed=24)
    case("aten.multinomial.default", torch.tensor([[0.1, 0.2, 0.3, 0.4], [1.0, 0.0, 2.0, 0.5]], dtype=dt), 3, seed=25)
    case("aten.multinomial.default", torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=dt), 1, seed=26)
    case("aten.multinomial.default", torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=dt), 9, True, seed=27)
    case("aten.rrelu_with_noise.default", T(6, dtype=dt), torch.zeros(6, dtype=dt), 0.1, 0.4, True, seed=28)
    case("aten.rrelu_with_noise.default", T(6, dtype=dt), torch.zeros(6, dtype=dt), 0.1, 0.4, False, seed=28)
    case("aten.rrelu_with_noise_functional.default", T(6, dtype=dt), torch.zeros(6, dtype=dt), 0.1, 0.4, True, seed=29)
for dt in INTS:
    case("aten.random_.default", T(5, dtype=dt), seed=30)
    case("aten.random_.from", T(5, dtype=dt), 0, None, seed=31)
    case("aten.bernoulli_.float", T(9, dtype=dt), 0.3, seed=32)
    if dt != torch.bool:
        case("aten.randint.default", 100, [5], seed=33, dtype=dt)
        case("aten.geometric_.default", T(4, dtype=dt), 0.3, seed=34)
case("aten.randint.low", -5, 5, [2, 3], seed=35)
case("aten.randint.low", 0, 2**28, [3], seed=36)
case("aten.randint.low", 0, 2**28 - 1, [3], seed=36)
case("aten.randint.low", -2**62, 2**62, [3], seed=36)
case("aten.randint.default", 10, [3], seed=37, dtype=F32)
case("aten.randint_like.default", T(2, 3), 10, seed=38)
case("aten.randint_like.low_dtype", T(2, 3), 3, 10, seed=39, dtype=torch.int64)
case("aten.random_.from", T(3, dtype=torch.int64), -2**63, None, seed=40)
case("aten.random.default", T(3), seed=40)
case("aten.uniform.default", T(2, 3), 0.0, 1.0, seed=40)
case("aten.randperm.default", 9, seed=41)
case("aten.randperm.default", 1, seed=41)
case("aten.randperm.default", 0, seed=41)
case("aten.randperm.default", 5, seed=41, dtype=torch.int32)
case("aten.normal.float_float", 1.0, 2.0, [3], seed=42)
case("aten.normal.Tensor_float", T(2, 3), 2.0, seed=43)
case("aten.normal.float_Tensor", 1.0, T(2, 3, low=0.5, high=2), seed=44)
case("aten.normal.Tensor_Tensor", T(2, 3), T(3, low=0.5, high=2), seed=45)
case("aten.normal.Tensor_Tensor", T(20), T(20, low=0.5, high=2), seed=45)
case("aten.bernoulli.Tensor", T(2, 3), T(2, 3, low=0, high=1), seed=46)
case("aten.bernoulli_.Tensor", T(2, 3), T(3, low=0, high=1, dtype=F64), seed=46)
case("aten.native_dropout.default", T(5), 0.5, False, seed=47)
case("aten.native_dropout.default", T(5), 0.5, None, seed=47)
case("aten.native_dropout.default", T(5), 1.0, True, seed=47)
case("aten.dropout.default", T(7), 0.5, True, seed=48)
case("aten.rand.default", [0], seed=49)
# Eager prims of Inductor draw twice.
case("prims.inductor_lookup_seed.default", torch.tensor([3, 5, 7]), 1)
case("prims.inductor_seed.default", torch.device("cpu"), shapes=True)
case("prims.inductor_seeds.default", 3, torch.device("cpu"), shapes=True)
case("prims.inductor_random.default", [2, 3], torch.tensor(5), "rand", shapes=True)
case("prims.inductor_random.default", [2, 3], torch.tensor(5), "randn", shapes=True)
case("prims.inductor_randint.default", 2, 9, [4], torch.tensor(5), shapes=True)
# Gradients of samples; PyTorch approximates them.
for dt in (F32, F64):
    case("aten._standard_gamma_grad.default", torch.tensor([0.05, 0.5, 3.0, 12.0, 0.1, 60.0, 2.0, 900.0], dtype=dt),
         torch.tensor([0.01, 0.7, 2.0, 15.0, 2.0, 50.0, 9.0, 910.0], dtype=dt), tolerance=1e-3)
    case("aten._dirichlet_grad.default", torch.tensor([0.1, 0.5, 0.9, 0.3, 0.02, 0.6], dtype=dt), torch.tensor([0.5, 2.0, 3.0, 0.7, 9.0, 30.0], dtype=dt),
         torch.tensor([1.5, 5.0, 4.0, 8.0, 300.0, 52.0], dtype=dt), tolerance=2e-3)
