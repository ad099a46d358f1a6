"""Cases of functionalized random state, for record.py. CUDA tensors are fake, so that no device is needed; on the CPU all devices
count as CUDA where the case says so, as in PyTorch's own tests."""
import contextlib
import torch
import torch._decomp.decompositions_for_rng as rng
from torch._prims_common import CUDARngStateHelper
from torch._subclasses.fake_tensor import FakeTensorMode
from functions import case, const, leaf


def state(fake_mode=None):
    with fake_mode or contextlib.nullcontext():
        return torch.tensor(1), torch.tensor(0)


# What PyTorch asks the device for.
CUDARngStateHelper.get_torch_state_as_tuple = staticmethod(state)
refusal = rng.throw_on_non_cuda
ON = {"functorch.functionalize_rng_ops": True}


def on_cpu(allowed, inputs):
    def make():
        rng.throw_on_non_cuda = (lambda device: None) if allowed else refusal
        return inputs()
    return make


def rng_case(id, says, inputs, code=None, allowed=True, **k):
    case(id if id.startswith("C1") else "rng_" + id, says, on_cpu(allowed, inputs), code=code, config=ON,
         options=["functionalize-rng=" + ("any-device" if allowed else "cuda")], **k)


class InBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * torch.rand_like(x) * torch.rand_like(x) * x.cos()


def on_cuda(*shapes):
    def fakes():
        with FakeTensorMode(allow_non_fake_inputs=True):
            return {"xyz"[i]: torch.empty(s, device="cuda") for i, s in enumerate(shapes)}
    return fakes


TWICE = "rand_like = torch.rand_like(x)\nmul = rand_like * x\nrand_like_1 = torch.rand_like(x)\nmul_1 = rand_like_1 * mul\nreturn (mul_1,)"
x44 = lambda: dict(x=leaf(4, 4))
rng_case("C130_functional", "Random numbers as functions of a seed and an offset.", x44, TWICE, partition="min-cut")
rng_case("C131_functional", "The same on the CPU, without saying that this device counts too.", x44, TWICE, allowed=False, refused=True)
rng_case("C132_functional", "dropout is taken apart, down to one random op.", x44,
         "dropout = torch.nn.functional.dropout(x, 0.5, True, False)\nreturn (dropout,)")
rng_case("default_partition", "Seeds and offsets belong to one side, whatever is saved.", x44, TWICE)
rng_case("inference", "An inference graph has the state of the forward only.", lambda: dict(x=const(4, 4)), TWICE)
rng_case("cuda", "Samples of a CUDA device; seed and offset are on the CPU.", on_cuda((4, 4)), allowed=False,
         code=TWICE.replace("return (mul_1,)", "dropout = torch.nn.functional.dropout(mul_1, 0.5, True, False)\n"
                            "bernoulli = torch.bernoulli(x, 0.25)\nmul_2 = dropout * bernoulli\nreturn (mul_2,)"))
rng_case("backward", "Random ops of the backward draw from a state of their own.", lambda: dict(fn=lambda x: InBackward.apply(x), x=leaf(4, 4)),
         partition="min-cut")
rng_case("none", "Without random ops the offsets go out as they came in.", x44, "sin = x.sin()\nreturn (sin,)")
rng_case("unused", "Samples that nobody reads still move the offset.", x44, "rand = torch.rand_like(x)\nsin = x.sin()\nreturn (sin,)")
rng_case("mutation", "The offset comes behind the written input and the intermediate base.", lambda: dict(x=const(4, 4), y=leaf(4, 4)), keep=True,
         code="r = torch.rand(4, 4)\nmul_ = x.mul_(r)\ns = torch.rand_like(y)\nmul = y * s\nview = mul.view(16)\nt = mul.t()\nreturn (view, t, x)")
rng_case("distributions", "Which ops come down to philox_rand, and which do not.", x44,
         """e = torch.empty_like(x)
exponential_ = e.exponential_()
c = torch.empty_like(x)
cauchy_ = c.cauchy_()
g = torch.empty_like(x)
geometric_ = g.geometric_(0.25)
l = torch.empty_like(x)
log_normal_ = l.log_normal_()
n = torch.empty_like(x)
normal_ = n.normal_()
u = torch.empty_like(x)
uniform_ = u.uniform_()
randn = torch.randn(4, 4)
randint = torch.randint(0, 5, (4, 4))
normal = torch.normal(x, 2.0)
return (exponential_, cauchy_, geometric_, log_normal_, normal_, uniform_, randn, randint, normal)""")
rng_case("generator", "A generator is refused by the decomposition.", x44, "rand = torch.rand(4, 4, generator=None)\nmul = x * rand\nreturn (mul,)",
         refused=True)
