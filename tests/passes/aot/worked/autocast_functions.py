"""Cases of autocast on CUDA, for record.py: no device is needed, as fake tensors are traced and nothing is differentiated."""
import textwrap
import torch
import torch.cuda.amp.common
from torch._subclasses.fake_tensor import FakeTensorMode
from functions import case

# What PyTorch asks the machine for; a log that has CUDA tensors comes from one that answers so.
torch.cuda.amp.common.amp_definitely_not_available = lambda: False
torch.cuda.is_bf16_supported = lambda *a, **k: True


def cuda(id, says, code, refused=False, **inputs):
    def fakes():
        with FakeTensorMode(allow_non_fake_inputs=True):
            return {k: torch.empty(v[0], dtype=v[1], device=v[2] if len(v) > 2 else "cuda") for k, v in inputs.items()}
    body = ("enter = torch.amp.autocast_mode._enter_autocast('cuda', torch.float16, True, None)\n" + textwrap.dedent(code).strip() +
            "\nexit = torch.amp.autocast_mode._exit_autocast(enter)\nreturn (" + ", ".join(l.split()[0].rstrip(":") for l in
            textwrap.dedent(code).strip().splitlines() if l.startswith("out")) + ",)")
    case("autocast_" + id, says, fakes, code=body, refused=refused)


F32, F16, BF, F64 = torch.float32, torch.float16, torch.bfloat16, torch.float64
cuda("lower", "Products and convolutions run in the dtype of the region.", """
    out_a = torch._C._nn.linear(x, w, b)
    out_b = x @ w.t()
    out_c = torch.bmm(p, q)
    out_d = torch.conv2d(i, k, None, (1, 1), (1, 1), (1, 1), 1)
    out_e = torch.addmm(b, x, w.t())
    out_f = torch.mv(x, x[0])
    out_g = torch.einsum('ij,kj->ik', x, w)
    out_h = torch.nn.functional.prelu(x, x[0])
""", x=((3, 4), F32), w=((5, 4), F32), b=((5,), F32), p=((2, 3, 4), F32), q=((2, 4, 3), F32), i=((1, 2, 5, 5), F32), k=((3, 2, 3, 3), F32))
cuda("fp32", "What loses precision runs in float32.", """
    out_a = x.exp()
    out_b = x.log()
    out_c = x.pow(2)
    out_d = x.rsqrt()
    out_e = torch.nn.functional.layer_norm(x, (4,), n, n)
    out_f = torch.nn.functional.mse_loss(x, y)
    out_g = x.reciprocal()
    out_h = torch.nn.functional.softplus(x)
    out_i = torch.logsumexp(x, 1)
    out_j = torch.nn.functional.group_norm(x, 2)
    out_k = torch.tan(x)
    out_l = 2 ** x
    out_m = torch.nn.functional.binary_cross_entropy_with_logits(x, y)
    out_n = x.sin()
    out_o = x.sqrt()
""", x=((3, 4), F16), y=((3, 4), F16), n=((4,), F16))
cuda("set_dtype", "An optional dtype that is not given becomes float32.", """
    out_a = torch.nn.functional.softmax(x, 1)
    out_b = torch.nn.functional.log_softmax(x, 1)
    out_c = x.sum()
    out_d = x.sum(0)
    out_e = x.cumsum(0)
    out_f = x.prod()
    out_g = x.prod(1)
    out_h = torch.linalg.vector_norm(x)
    out_i = x.sum(0, dtype=torch.float16)
    out_j = d.sum()
    out_k = torch.nn.functional.softmax(f, 1)
    out_l = x.mean()
    out_m = x.norm()
    out_n = x.norm(2, 1)
    out_o = d.norm()
""", x=((3, 4), F16), d=((3, 4), F64), f=((3, 4), F32))
cuda("promote", "The widest dtype of the arguments.", """
    out_a = torch.addcmul(x, y, y)
    out_b = torch.addcmul(y, y, y)
    out_c = torch.atan2(x, y)
    out_d = torch.dot(x[0], y[0])
    out_e = torch.cat([x, y])
    out_f = torch.stack([x, y])
    out_g = torch.cross(x[:, :3], y[:, :3], 1)
    out_h = torch.index_put(x, (i,), y[:1])
    out_i = torch.addcdiv(x, x, y)
    out_j = x + y
    out_k = torch.tensordot(x, y, 2)
""", x=((3, 4), F32), y=((3, 4), F16), i=((1,), torch.int64))
cuda("cpu_tensors", "Tensors on the CPU are left alone.", """
    out_a = x @ x.t()
    out_b = x.exp()
    out_c = y @ y.t()
""", x=((3, 4), F32, "cpu"), y=((3, 4), F32))
cuda("bce_refused", "binary_cross_entropy is refused.", "out_a = torch.nn.functional.binary_cross_entropy(x, y)", refused=True, x=((3, 4), F32), y=((3, 4), F32))
cuda("mixed_refused", "Half and bfloat16 cannot be promoted.", "out_a = torch.addcmul(x, y, y)", refused=True, x=((3, 4), F16), y=((3, 4), BF))
