"""The functions of the worked cases, for record.py. Texts are captured graphs; functions are captured by torch.compile."""
import torch
from torch._functorch._aot_autograd.descriptors import BufferAOTInput, ParamAOTInput
from torch.utils.checkpoint import checkpoint

CASES = []
DEFAULTS = dict(code=None, keep=False, partition="default", grad_mode=True, dynamic=False, fullgraph=True, config={}, descriptors={},
                decompositions=None, decompositions_name=None, disable_functionalization=False, refused=False, options=[], ops=None)


def case(id, says, inputs, **k):
    CASES.append({**DEFAULTS, "id": id, "says": says, "inputs": inputs, **k})


def leaf(*s):
    return torch.randn(s, requires_grad=True)


def made(*s):
    return leaf(*s).clone()


def const(*s):
    return torch.randn(s)


def buffer(name, t):
    return t


P = lambda **k: {n: ParamAOTInput(v) for n, v in k.items()}
B = lambda **k: {n: BufferAOTInput(v) for n, v in k.items()}
NO_GRAD = "_off = torch._C._set_grad_enabled(False)\n"
GRAD = "_on = torch._C._set_grad_enabled(True)\n"

# ---- modules and descriptors

linear = lambda: dict(weight=leaf(2, 3), bias=leaf(2), x=const(4, 3))
case("C01", "A linear layer: gradients of weight and bias, none for x.", linear, descriptors=P(weight="linear.weight", bias="linear.bias"),
     code="linear = torch._C._nn.linear(x, weight, bias)\nreturn (linear,)")
case("C02", "The same with core decompositions. The tests of PyTorch take it apart further, into prims.", linear,
     descriptors=P(weight="linear.weight", bias="linear.bias"), decompositions=torch._decomp.core_aten_decompositions(),
     decompositions_name="core", code="linear = torch._C._nn.linear(x, weight, bias)\nreturn (linear,)")
conv_bn = lambda: dict(conv_w=leaf(3, 1, 3, 3), conv_b=leaf(3), bn_w=leaf(3), bn_b=leaf(3), mean=torch.zeros(3), var=torch.ones(3),
                       count=torch.tensor(0), x=const(2, 1, 4, 4))
CONV_BN = """
conv = torch.conv2d(x, conv_w, conv_b, (1, 1), (1, 1), (1, 1), 1)
add_ = count.add_(1)
bn = torch.nn.functional.batch_norm(conv, mean, var, bn_w, bn_b, True, 0.1, 1e-05)
relu = torch.nn.functional.relu(bn, inplace = False)
"""
case("C03", "Convolution, batch norm that trains, relu: three buffers are updated and get no tangents.", conv_bn,
     descriptors=P(conv_w="conv.weight", conv_b="conv.bias", bn_w="bn.weight", bn_b="bn.bias") |
     B(mean="bn.running_mean", var="bn.running_var", count="bn.num_batches_tracked"), code=CONV_BN + "return (relu,)")
case("C04", "A linear layer times a keyword argument, which comes after the positional ones.", lambda: dict(**linear(), scale=torch.tensor(2.0)),
     descriptors=P(weight="linear.weight", bias="linear.bias"), code="linear = torch._C._nn.linear(x, weight, bias)\nmul = linear * scale\nreturn (mul,)")
case("C05", "Two linear layers on one input: the gradient of the second is computed first, the outputs keep the order of the inputs.",
     lambda: dict(w1=leaf(2, 3), b1=leaf(2), w2=leaf(2, 3), b2=leaf(2), x=const(4, 3)),
     descriptors=P(w1="l1.weight", b1="l1.bias", w2="l2.weight", b2="l2.bias"),
     code="linear = torch._C._nn.linear(x, w1, b1)\nlinear_1 = torch._C._nn.linear(x, w2, b2)\nreturn (linear, linear_1)")
case("C06", "The net of C07 without gradients: the updated buffers come first.", conv_bn, grad_mode=False,
     code=CONV_BN + "sum_1 = relu.sum()\ndetach = relu.detach()\nreturn (sum_1, detach)")
case("C07", "The same net with gradients. PyTorch's export of a joint graph with a loss seeds the gradient with ones; that export is no part of "
     "this pipeline, so the loss has a tangent here.", conv_bn, code=CONV_BN + "sum_1 = relu.sum()\ndetach = relu.detach()\nreturn (sum_1, detach)")

# ---- mutated inputs

case("C10", "a.mul_(2); return a * 3", lambda: dict(a=made(3, 3)), code="mul_ = a.mul_(2)\nmul = a * 3\nreturn (mul,)")
for keep in (False, True):
    case("C11" + ("_kept" if keep else ""), "The same without gradients, " + ("written back in the graph." if keep else "the new value returned."),
         lambda: dict(a=const(3, 3)), keep=keep, code="mul_ = a.mul_(2)\nmul = a * 3\nreturn (mul,)")
case("C12", "a.mul_(2); return a: the output is the input; one tangent.", lambda: dict(a=made(3, 3)), code="mul_ = a.mul_(2)\nreturn (a,)")
case("C13", "Two of three inputs are mutated: both clones come first.", lambda: dict(a=made(3, 3), b=made(3, 3), c=made(3, 3)),
     code="mul_ = a.mul_(2)\nmul__1 = c.mul_(2)\nadd = a + b\nadd_1 = add + c\nreturn (add_1,)")
case("C14", "sin(a, out=b): what is returned is the input that the graph writes.", lambda: dict(a=const(3, 3), b=const(3, 3)), keep=True,
     code="sin = torch.sin(a, out = b)\nreturn (sin,)")
case("C15", "A write under no_grad stays in a training graph.", lambda: dict(a=leaf(3, 3)), keep=True,
     code=NO_GRAD + "mul_ = a.mul_(2)\n" + GRAD + "add = a + 3\nreturn (add,)")
case("C16", "All of it under no_grad.", lambda: dict(a=leaf(3, 3)), keep=True,
     code=NO_GRAD + "mul_ = a.mul_(2)\nadd = a + 3\n" + GRAD + "return (add,)")
case("C17", "A write through a view under no_grad.", lambda: dict(a=leaf(4)), keep=True,
     code="view = a.view(-1)\n" + NO_GRAD + "mul_ = view.mul_(2)\n" + GRAD + "add = a + 1\nreturn (add,)")
case("C18", "a.detach().mul_(2): neither hidden nor under no_grad.", lambda: dict(a=leaf(3, 3)), keep=True,
     code="detach = a.detach()\nmul_ = detach.mul_(2)\nadd = a + 3\nreturn (add,)")
case("C19", "A detached, an ordinary, and a no_grad write: returned, since not all are hidden.", lambda: dict(a=made(3, 3)), keep=True,
     code="detach = a.detach()\nmul_ = detach.mul_(2)\nmul__1 = a.mul_(3)\n" + NO_GRAD + "mul__2 = a.mul_(4)\n" + GRAD + "add = a + 5\nreturn (add,)")
case("C20", "x.add_(y) where only y requires grad: x requires grad afterwards.", lambda: dict(x=const(20, 100), y=leaf(20, 100)), keep=True,
     code="add_ = x.add_(y)\nreturn (add_,)")
case("C21", "a.transpose_(1, 0): only the metadata changes.", lambda: dict(a=made(3, 3), b=made(3, 3)),
     code="transpose_ = a.transpose_(1, 0)\nadd = a + b\nreturn (add,)")
case("C22", "Metadata and data of an input change.", lambda: dict(a=made(3, 3)),
     code="t_ = a.t_()\ngetitem = a[0]\nmul_ = getitem.mul_(2)\nview = a.view((3, 3))\nreturn (view,)")
case("C23", "Under no_grad a.set_(b).", lambda: dict(a=made(3, 3), b=made(3, 3)), keep=True,
     code=NO_GRAD + "set_ = a.set_(b)\nmul_ = b.mul_(2)\n" + GRAD + "add = a + b\nreturn (add,)")
case("C24", "Under no_grad a.set_(b), then a write with gradients.", lambda: dict(a=made(3, 3), b=made(3, 3)), keep=True, refused=True,
     code=NO_GRAD + "set_ = a.set_(b)\n" + GRAD + "mul_ = a.mul_(2)\nadd = a + b\nreturn (add,)")
case("C25", "A view of a, a.set_(other), then a write to the view.", lambda: dict(a=const(3, 3)), keep=True, refused=True,
     code="view = a.view(-1)\nones = torch.ones(3, 3)\nset_ = a.set_(ones)\nmul_ = view.mul_(2)\nreturn (view,)")
case("C26", "a.set_(b), a.set_(an alias of a): nothing is mutated.", lambda: dict(a=made(3, 3)), keep=True,
     code="arange = torch.arange(9, dtype = torch.float32)\nview = arange.view(3, 3)\n" + NO_GRAD +
     "detach = a.detach()\nset_ = a.set_(view)\nset__1 = a.set_(detach)\n" + GRAD + "add = a + view\nreturn (add,)")


def empty_storage():
    a = torch.zeros(8)
    a.untyped_storage().resize_(0)
    return dict(a=a)


case("C27", "The storage of an input grows before it is written.", empty_storage, keep=True,
     code="resize = torch.ops.inductor.resize_storage_bytes_.default(a, 32)\n" + NO_GRAD + "ones = torch.ones(8)\ncopy_ = a.copy_(ones)\n" + GRAD +
     "add = a + 1\nreturn (add,)")
case("C28", "The storage of an input shrinks.", lambda: dict(a=leaf(8)), keep=True,
     code="sin = a.sin()\nresize = torch.ops.inductor.resize_storage_bytes_.default(a, 0)\nreturn (sin,)")
case("C29", "A module that updates a buffer.", lambda: dict(w1=leaf(4), w2=leaf(4), buf=torch.ones(4), x=made(4)), keep=True,
     descriptors=P(w1="w1", w2="w2") | B(buf="buf"),
     code="add_ = buf.add_(1)\nmul = w1 * x\nmul_1 = mul * w2\nsum_1 = mul_1.sum()\nsum_2 = buf.sum()\nadd = sum_1 + sum_2\nreturn (add,)")
case("C30", "BatchNorm1d that trains: the new statistics are saved, never the inputs that are overwritten.",
     lambda: dict(weight=leaf(100), bias=leaf(100), mean=torch.zeros(100), var=torch.ones(100), count=torch.tensor(0), x=leaf(20, 100)), keep=True,
     descriptors=P(weight="weight", bias="bias") | B(mean="running_mean", var="running_var", count="num_batches_tracked"),
     code="add_ = count.add_(1)\nbn = torch.nn.functional.batch_norm(x, mean, var, weight, bias, True, 0.1, 1e-05)\nreturn (bn,)")
case("C31", "The copy of a buffer comes after the backward nodes.", lambda: dict(x=leaf(4), buf=torch.ones(4)), keep=True,
     code="add_ = buf.add_(1)\nmul = buf * x\nreturn (mul,)")


class SavesB(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(b)
        return a * 1

    @staticmethod
    def backward(ctx, g):
        b, = ctx.saved_tensors
        b.mul_(2)
        return g.clone(), None


case("C32", "The backward of a function writes an input. It has to happen in the backward graph.",
     lambda: dict(fn=lambda a, b: a * SavesB.apply(a, b), a=leaf(4), b=const(4)), keep=True)


class ZeroesX1(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, x1, x2):
        ctx.save_for_backward(x1)
        x2.mul_(5)
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        x1, = ctx.saved_tensors
        x1.zero_()
        return g.clone(), None, None


case("C33", "The forward writes one input, the backward another.",
     lambda: dict(fn=lambda x, x1, x2: ZeroesX1.apply(x, x1, x2), x=leaf(4), x1=const(4), x2=const(4)), keep=True)


class WritesGrad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        g.mul_(2)
        return g.clone()


case("C34", "The backward writes the gradient it is given. The copy into the tangent stands in the joint only: both partitioners drop it.",
     lambda: dict(fn=lambda x: WritesGrad.apply(x), x=leaf(4)), keep=True)
case("C35", "A strided input is written and nothing is returned.", lambda: dict(a=torch.randn(6, 4, requires_grad=True).clone().t()),
     code="add_ = a.add_(1)\nreturn ()")

# ---- outputs that alias

case("C40", "a.view(-1) alone needs no training graph.", lambda: dict(a=made(2, 2)), code="view = a.view(-1)\nreturn (view,)")
case("C41", "Views of inputs, one of them mutated.", lambda: dict(a=made(4), b=made(4), c=made(4)),
     code="mul_ = a.mul_(2)\nmul__1 = c.mul_(3)\nview = b.view(2, 2)\nview_1 = c.view(2, 2)\nreturn (view, view_1)")
case("C42", "Views of an input as it is, of a mutated one, and of one with new metadata.", lambda: dict(a=made(2, 2), b=made(2, 2), c=made(2, 2)),
     code="mul_ = b.mul_(3)\nt_ = c.t_()\nview = a.view(2, 2)\nview_1 = b.view(2, 2)\nview_2 = c.view(2, 2)\nreturn (view, view_1, view_2)")
case("C43", "a.add_(1); return a.view(-1)", lambda: dict(a=made(2, 2)), code="add_ = a.add_(1)\nview = a.view(-1)\nreturn (view,)")
case("C44", "Metadata of b, data of c; a view of b and sums.", lambda: dict(a=made(2, 2), b=made(2, 2), c=made(2, 2), d=made(2, 2)),
     code="transpose_ = b.transpose_(1, 0)\nadd_ = c.add_(1)\nadd = d + 1\ndiagonal = b.diagonal()\nadd_1 = a + c\nreturn (add, diagonal, add_1)")
OUT = "out = a * 3\n"
A22 = lambda: dict(a=leaf(2, 2))
case("C45", "One view of an intermediate.", A22, code=OUT + "view = out.view(-1)\nreturn (view,)")
case("C46", "a.unbind(0): no output is regenerated.", lambda: dict(a=leaf(3, 2)), code="unbind = a.unbind(0)\nx = unbind[0]\ny = unbind[1]\nz = unbind[2]\nreturn (x, y, z)")
case("C47", "a.unbind(0) and a view of a.", lambda: dict(a=leaf(3, 2)),
     code="unbind = a.unbind(0)\nx = unbind[0]\ny = unbind[1]\nz = unbind[2]\nview = a.view((3, 2))\nreturn (x, y, z, view)")
UNBIND = OUT + "unbind = out.unbind(0)\nx = unbind[0]\ny = unbind[1]\n"
case("C48", "unbind of an intermediate.", A22, code=UNBIND + "return (x, y)")
case("C49", "unbind of an intermediate, and the intermediate.", A22, code=UNBIND + "return (x, y, out)")
case("C50", "unbind of an intermediate, the intermediate, and a view of it.", A22, code=UNBIND + "view = out.view(-1)\nreturn (x, y, view, out)")
case("C51", "A view of an intermediate that requires no grad.", lambda: dict(a=const(2, 2), b=leaf(2, 2)),
     code=OUT + "view = out.view(-1)\nadd = b + 1\nreturn (view, add)")
case("C52", "A view taken under no_grad of an intermediate that requires grad.", A22,
     code=OUT + NO_GRAD + "view = out.view(-1)\n" + GRAD + "sum_1 = out.sum()\nreturn (sum_1, view)")
case("C53", "out, a view of it, out again.", A22, code=OUT + "view = out.view(-1)\nreturn (out, view, out)")
case("C54", "Two views of an intermediate.", A22, code=OUT + "view = out.view(-1)\nview_1 = out.view(-1)\nreturn (view, view_1)")
case("C55", "A view of an intermediate, then the intermediate.", A22, code=OUT + "view = out.view(-1)\nreturn (view, out)")
case("C56", "The intermediate, then a view of it.", A22, code=OUT + "view = out.view(-1)\nreturn (out, view)")
case("C57", "A view, the intermediate, and a detached row of it.", A22,
     code=OUT + "view = out.view(-1)\ngetitem = out[0]\ndetach = getitem.detach()\nreturn (view, out, detach)")
case("C58", "y and y.detach().", A22, code="y = a + 1\ndetach = y.detach()\nreturn (y, detach)")
case("C58_transposed", "a transposed intermediate, detached and as it is. (PyTorch's runtime then fails to replay the views.)", lambda: dict(x=leaf(2, 3)),
     code="y = x + 1\na = y.transpose(0, 1)\ndetach = a.detach()\nreturn (detach, a)")
case("C59", "An intermediate is transposed and detached in place.", A22,
     code=OUT + "t_ = out.t_()\ndetach_ = out.detach_()\nadd = a + 1\nreturn (out, add)")
case("C60", "Views of two intermediates.", A22,
     code="out1 = a * 3\nout2 = a * 4\nview = out1.view(-1)\ntranspose = out2.transpose(1, 0)\ntranspose_1 = out1.transpose(1, 0)\nreturn (view, transpose, transpose_1)")
case("C61", "New metadata of an input, two views of an intermediate, a view of the input.", lambda: dict(a=made(1, 2, 4)),
     code="transpose_ = a.transpose_(1, 0)\ntmp = a * 2\nsqueeze = tmp.squeeze()\ntranspose = tmp.transpose(1, 0)\nunsqueeze = a.unsqueeze(0)\nreturn (squeeze, transpose, unsqueeze)")
case("C62", "Only aliases of inputs come back: no training graph.", lambda: dict(a=made(2, 4), b=made(2, 4)),
     code="t_ = a.t_()\nview = b.view(2, 4)\nview_1 = a.view(4, 2)\nreturn (view, view_1)")


class ReturnsInput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 0.5


case("C63", "A custom function that returns its input.", lambda: dict(fn=lambda x: ReturnsInput.apply(x), x=leaf(4)))
case("C64", "A view and a sine under no_grad.", lambda: dict(x=leaf(2, 2)), code=NO_GRAD + "view = x.view(-1)\nsin = x.sin()\n" + GRAD + "return (view, sin)")
case("C65", "A sine under no_grad, a cosine with gradients.", lambda: dict(x=leaf(2, 2)),
     code=NO_GRAD + "sin = x.sin()\n" + GRAD + "cos = x.cos()\n" + NO_GRAD.replace("_off", "_off_1") + GRAD.replace("_on", "_on_1") + "return (sin, cos)")
case("C66", "a.detach() and b itself.", lambda: dict(a=leaf(2), b=leaf(2)), code="detach = a.detach()\nreturn (detach, b)")

# ---- duplicates and inputs that share memory


def twice(*s, f=made):
    x = f(*s)
    return dict(x=x, y=x)


case("C70", "One tensor passed twice and not written: two inputs, two gradients.", lambda: twice(3, 3), code="add = x + y\nreturn (add,)")
case("C71", "One tensor passed twice with new metadata: one input.", lambda: twice(3), code="unsqueeze_ = y.unsqueeze_(0)\nadd = x + y\nreturn (add,)")


def a_b_a():
    a = made(2, 2)
    return dict(a=a, b=made(2, 2), a_=a)


case("C72", "One tensor passed twice and written: one input; the output is that input.", a_b_a,
     code="getitem = a[0]\nadd_ = getitem.add_(1)\nreturn (a_,)")
case("C73", "The same as C71 with data written. What is compiled for (x, x) may not be run for (x, y): the runtime has to check.", lambda: twice(3),
     code="mul_ = x.mul_(2)\nadd = x + y\nreturn (add,)")


def halves():
    x = const(4)
    return dict(a=x[0:2], b=x[2:4])


case("C74", "Two halves of one tensor do not overlap: two inputs.", halves, code="mul_ = a.mul_(3)\nmul__1 = b.mul_(2)\nadd = a + b\nreturn (add,)")


def windows(size, stride, first, second):
    x = const(64)
    return lambda: (lambda t: dict(a=t.as_strided(size, stride, first), b=t.as_strided(size, stride, second)))(x)


for offset, overlap in ((22, False), (23, False), (24, True), (25, True)):
    case(f"C74_offset{offset}", "Windows (4, 4) with strides (9, 1) " + ("overlap." if overlap else "do not overlap."), windows((4, 4), (9, 1), 0, offset),
         code="mul_ = a.mul_(3)\nadd = a + b\nreturn (add,)")


def rows():
    x = made(4, 2)
    return dict(a=x[0], b=x[0])


case("C75", "a = x[0], b = x[0], a is written: their base is the input.", rows, code="add_ = a.add_(1)\nadd = a + b\nreturn (add,)")


def row_and_base():
    x = made(2, 2)
    return dict(a=x[0], b=x)


case("C76", "b is the base itself.", row_and_base, code="add_ = a.add_(1)\nadd = a + b\nreturn (add,)")


def flat_views():
    x = made(2, 2)
    return dict(a=x.view(-1), b=x.view(-1))


case("C77", "Two flat views; a view of the second is returned.", flat_views, code="add_ = a.add_(1)\nview = b.view((4,))\nreturn (view,)")


def a_c_alias():
    x = made(2, 2)
    return dict(a=x.view(-1), b=made(4), c=x.view(-1))


case("C78", "a and c share memory, c is written; a view of c is returned.", a_c_alias,
     code="mul_ = c.mul_(2)\nadd = b + 1\nview = c.view(-1)\nreturn (add, view)")
case("C79", "No data is written: no base.", lambda: (lambda x: dict(a=x.view(-1), b=x.view(-1)))(made(2, 2)), code="t_ = a.t_()\nadd = a + b\nreturn (add,)")


def no_base():
    x = const(4)
    return dict(a=x.detach(), b=x.detach(), c=leaf(4))


case("C80", "a and b share memory and autograd knows of no base. (Their `_base` is missing, so a training graph is refused.)", no_base, refused=True,
     code="mul_ = a.mul_(2)\nadd = b + 1\nadd_1 = c + 1\nreturn (add, add_1)")
case("C80_inference", "The same without c: the base is made of the storage.", lambda: {k: v for k, v in no_base().items() if k != "c"},
     code="mul_ = a.mul_(2)\nadd = b + 1\nreturn (add,)")


def views_of_constant():
    x = const(4)
    return dict(a=x.view(-1), b=x.view(-1), c=leaf(4))


case("C80_views", "Views of a tensor without grad have a base that autograd knows.", views_of_constant,
     code="mul_ = a.mul_(2)\nadd = b + 1\nadd_1 = c + 1\nreturn (add, add_1)")


def two_pairs():
    x, y = made(2, 2), made(2, 2)
    return dict(a=x.view(-1), b=y.view(-1), c=x.view(-1), d=y.view(-1))


case("C81", "a and c share memory, b and d too; b is written, d gets new metadata.", two_pairs,
     code="add_ = b.add_(1)\nunsqueeze_ = d.unsqueeze_(0)\nadd = a + c\nadd_1 = add + d\nview = b.view(-1)\nreturn (add_1, view)")


def c82():
    x = made(2, 2)
    return dict(a=x.view(-1), b=made(2, 2), c=x.view(-1))


case("C82", "Shared memory, new metadata, and views of an intermediate.", c82,
     code="mul_ = c.mul_(2)\nt_ = b.t_()\ntmp = a + c\nview = tmp.view(-1)\nt = b.t()\nunsqueeze = view.unsqueeze(0)\nreturn (view, t, unsqueeze)")
case("C83", "Shared memory and no write: no base.", flat_views, code="view = a.view((4,))\nview_1 = b.view((4,))\nreturn (view, view_1)")

# ---- writes, views and aliases: one rule each, numbered by the case above that is nearest

views = lambda f: lambda: f(made(4, 3))
case("C17_copy_first", "Outputs that the last writes left behind are brought up to date after the copies.", lambda: dict(a=const(4, 3), b=leaf(3)), keep=True,
     code="view = a.view(-1)\nadd_ = a.add_(1)\nmul = b * 2\nreturn (view, mul)")
case("C17_copies_interleaved", "Without gradients each input is brought up to date and copied before the next.", lambda: dict(a=const(4, 3), b=const(4, 3)), keep=True,
     code="view = a.view(-1)\nadd_ = view.add_(1)\nt = b.t()\nmul_ = t.mul_(2)\nreturn (view, t)")
case("C18_foreach", "A write to a list is one write for each element to autograd. PyTorch does not count it while it traces, so that views keep their history.",
     lambda: dict(a=made(4), b=made(4)), code="view = a.view(2, 2)\n_foreach_mul_ = torch._foreach_mul_([a, b], 2)\ncos = view.cos()\nsin = b.sin()\nreturn (cos, sin)")
case("C18_foreach_saved", "What the gradient of an element reads is copied before the write.", lambda: dict(a=made(4), b=const(4)),
     code="_foreach_sin_ = torch._foreach_sin_([a, b])\nmul = a * b\nreturn (mul,)")
case("C19_reshaped_copy", "A reshape that copies is a view to functionalization: a write goes through it and back.", lambda: dict(a=leaf(4, 3)),
     code="t = a.t()\nreshape = t.reshape(6, 2)\nzero_ = reshape.zero_()\nadd_ = reshape.add_(1)\nmul = reshape * 2\nreturn (mul,)")
case("C19_last_piece", "One piece of a split is replayed as a slice of whole length, beyond the end for the last one.", lambda: dict(a=const(2, 3)), keep=True,
     code="chunk = a.chunk(2, 1)\ngetitem = chunk[1]\nadd_ = a.add_(1)\nreturn (getitem,)")
case("C19_out_of_other_sizes", "An out argument takes the sizes of the result.", lambda: dict(a=const(2, 3)), keep=True,
     code="cos = a.cos()\nunsqueeze = a.unsqueeze(0)\nadd = torch.add(unsqueeze, 1, out = cos)\nmul = unsqueeze * 2\nreturn (mul,)")
case("C20_resized", "resize_ within its memory is a window that changes sizes in place.", lambda: dict(a=const(4, 3)), keep=True,
     code="resize_ = a.resize_((2, 3))\nmul = a * 2\nreturn (mul,)")
case("C20_strided_in_place", "as_strided_ after a view in place, then a write. (The op that is no write in place is refused there.)", lambda: dict(a=const(3, 1)), keep=True,
     code="squeeze_ = a.squeeze_()\nas_strided_ = a.as_strided_((3, 1), (1, 1), 0)\nmul_ = a.mul_(2)\nreturn (a,)")
case("C20_strided_view", "A write to as_strided of a view.", lambda: dict(a=const(4, 3)), keep=True, refused=True,
     code="view = a.view(-1)\nas_strided = view.as_strided((2,), (1,))\nmul_ = as_strided.mul_(2)\nreturn (a,)")
case("C22_other_sizes", "An input that is written without gradients and has other sizes then cannot be copied back.", views(lambda a: dict(a=a, b=made(3))), keep=True, refused=True,
     code=NO_GRAD + "t_ = a.t_()\nmul_ = a.mul_(2)\n" + GRAD + "mul = b * 2\nreturn (mul,)")
case("C22_other_sizes_read", "The same where a gradient passes through the input.", views(lambda a: dict(a=a)), keep=True, refused=True,
     code=NO_GRAD + "t_ = a.t_()\nmul_ = a.mul_(2)\n" + GRAD + "mul = a * 2\nreturn (mul,)")
case("C23_stale_view", "a.set_(a view of a): PyTorch looks at the memory of the view as it was before the write, and sees no change.", lambda: dict(a=const(6)),
     code="getitem = a[:]\nmul_ = a.mul_(2)\n" + NO_GRAD + "set_ = a.set_(getitem)\n" + GRAD + "return (getitem,)")
case("C25_set_after_error", "What is wrong with outputs is found before a set_ that cannot stay in the graph.", views(lambda a: dict(a=a, b=made(4, 3))), keep=True, refused=True,
     code="unbind = a.unbind(1)\ngetitem = unbind[0]\nmul_ = a.mul_(2)\nset_ = a.set_(b)\nreturn (getitem,)")
case("C40_same_object", "A view that changes nothing, of another output, without gradients: it is made anew, so that there are two objects.", lambda: dict(a=const(1, 3)),
     code="relu = a.relu()\nchunk = relu.chunk(1, 0)\ngetitem = chunk[0]\nreturn (getitem, relu)")
case("C41_detached", "An input that the program detaches has no gradient.", lambda: dict(a=made(3), b=made(3)), code="detach_ = a.detach_()\nmul = a * b\nreturn (mul,)")
case("C41_piece_written", "A piece of several is written where autograd would have to follow.", views(lambda a: dict(a=a)), refused=True,
     code="unbind = a.unbind(0)\ngetitem = unbind[1]\nadd_ = getitem.add_(1)\nreturn (a,)")
case("C41_piece_left_behind", "The base of a piece is written and the piece is returned.", views(lambda a: dict(a=a)), refused=True,
     code="split = a.split(2, 0)\ngetitem = split[0]\nadd_ = a.add_(1)\nreturn (getitem,)")
case("C41_view_without_gradients", "A view that was taken without gradients; its base is written with them.", views(lambda a: dict(a=a)), refused=True,
     code=NO_GRAD + "view = a.view(-1)\n" + GRAD + "add_ = a.add_(1)\nmul = view * 2\nreturn (mul,)")
case("C41_detached_view", "A view is detached in place.", views(lambda a: dict(a=a)), refused=True, code="view = a.view(-1)\ndetach_ = view.detach_()\nreturn (view,)")
case("C43_first_written", "A read of the sizes alone saves nothing: the input of split may be written later.", lambda: dict(a=made(3)), keep=True,
     code="split = a.split(1, 0)\ngetitem = split[0]\nmul = getitem * 2\n" + NO_GRAD + "zero_ = a.zero_()\n" + GRAD + "return (mul,)")
case("C72_twice_and_kept", "A tensor is passed twice and written without gradients: PyTorch mistakes the tangents.",
     lambda: (lambda a: dict(a=a, b=a, c=leaf(2, 3)))(const(2, 3)), keep=True, refused=True, code="mul_ = a.mul_(2)\nmul = b * c\nreturn (mul,)")
case("C80_leaf", "A leaf and a view of it are written without gradients: PyTorch wants all leaves or none.",
     lambda: (lambda a: dict(a=a, b=a.view(-1), c=leaf(2)))(leaf(4, 3)), keep=True, refused=True,
     code=NO_GRAD + "mul_ = a.mul_(2)\n" + GRAD + "mul = c * 2\nsum_1 = b.sum()\nreturn (mul, sum_1)")
case("C81_interleaved", "Columns that interleave count as overlapping.", lambda: (lambda a: dict(a=a[:, ::2], b=a[:, 1::2]))(made(2, 4)),
     code="mul_ = a.mul_(2)\nadd = a + b\nreturn (add,)")
case("C81_rows", "Parts of the rows of one matrix do not.", lambda: (lambda a: dict(a=a[:, :2], b=a[:, 2:]))(made(2, 4)),
     code="mul_ = a.mul_(2)\nadd = a + b\nreturn (add,)")
case("C82_pieces", "Types of outputs are those from before inputs were merged: pieces of one input beside a view of the other.",
     lambda: (lambda a: dict(a=a, b=a.view(-1)))(made(2, 3)), code="mul_ = a.mul_(2)\nunbind = a.unbind(0)\ngetitem = unbind[0]\nview = b.view(3, 2)\nreturn (getitem, view)")
case("C98_mask_and_index", "A mask stands for as many dimensions as it has, also before another index.", lambda: dict(a=const(2, 3, 4), m=torch.ones(2, 3, dtype=torch.bool), b=leaf(3)), keep=True,
     code="tensor = torch.tensor([1])\na[m, tensor] = 2.0\nmul = b * 2\nreturn (mul,)")

# ---- partition

cosines = lambda n: "\n".join(f"cos_{i} = {'x' if i == 0 else f'cos_{i - 1}'}.cos()" for i in range(n)) + f"\nreturn (cos_{n - 1},)"
case("C90", "cos twice: the first is recomputed.", lambda: dict(x=leaf(4)), partition="min-cut", code=cosines(2))
case("C91", "cos three times.", lambda: dict(x=leaf(4)), partition="min-cut", code=cosines(3))
case("C92", "One sum is saved instead of four inputs.", lambda: dict(a=leaf(4), b=leaf(4), c=leaf(4), d=leaf(4)), partition="min-cut",
     code="x = a + b\ny = x + c\nz = y + d\ncos = z.cos()\ncos_1 = cos.cos()\nreturn (cos_1,)")
case("C93", "The sizes are saved, not x.", lambda: dict(fn=lambda x: x.sum(1), x=leaf(10, 10)), partition="min-cut", dynamic=True)


def size_arithmetic(a, b):
    return torch.cat([a, b]).reshape(a.shape[0] * 2, a.shape[1]).sum(1) * (a.shape[0] + b.shape[0])


case("C94", "Arithmetic on sizes: only symbols are saved.", lambda: dict(fn=size_arithmetic, a=leaf(4, 6), b=leaf(4, 6)), partition="min-cut", dynamic=True)


def c95(a, b, c, d):
    e = torch.cat((a, b))
    f = torch.cat((c, d))
    return torch.mm(e, f), e.shape[0], f.shape[1], a, torch.mm(e, f).sin()


c95_inputs = lambda: dict(fn=c95, a=leaf(2, 5), b=leaf(3, 5), c=leaf(2, 7), d=leaf(3, 7))
case("C95", "Products and joins that return tensors, two symbols and an input.", c95_inputs, dynamic=True)
case("C95_cut", "The same with the minimum cut.", c95_inputs, partition="min-cut", dynamic=True)
case("C96", "layer_norm: of an op with several results only those are saved.", lambda: dict(x=leaf(4, 6), w=leaf(6), b=leaf(6)),
     code="layer_norm = torch.nn.functional.layer_norm(x, (6,), w, b, 1e-05)\nreturn (layer_norm,)")
case("C97", "split, sin and cos: items are moved behind the split.", lambda: dict(x=leaf(4, 2)), partition="min-cut",
     code="split = torch.split(x, 2)\na = split[0]\nb = split[1]\nsin = a.sin()\ncos = b.cos()\nreturn (sin, cos)")


def masked_row(x, m):
    x[0].masked_fill_(m, 0.0)
    return x.sum(1)


case("C98", "A write to a row: the sizes of the input are saved, not the input.",
     lambda: dict(fn=masked_row, x=made(4, 6), m=torch.tensor([True, False, True, False, True, False])), dynamic=True, keep=True)
case("C99", "A linear layer: the transposed weight and the input are saved.", lambda: dict(weight=leaf(2, 3), bias=leaf(2), x=leaf(4, 3)),
     code="linear = torch._C._nn.linear(x, weight, bias)\nreturn (linear,)")
case("C100", "A size is returned and takes no tangent.", lambda: dict(fn=lambda x: (x + 1, x.shape[0]), x=leaf(4, 5)), dynamic=True)
region = lambda f: lambda *a: checkpoint(f, *a, use_reentrant=False)
block = lambda x, y: torch.sigmoid(torch.matmul(torch.sin(x), y))
for cut in ("default", "min-cut"):
    tail = "" if cut == "default" else "_cut"
    case("C101" + tail, "A checkpointed product is computed again in the backward graph.",
         lambda: dict(fn=region(block), x=leaf(4, 4), y=leaf(4, 4)), partition=cut)
    case("C102" + tail, "Two checkpoints.", lambda: dict(fn=lambda x, y: region(block)(region(block)(x, y), y), x=leaf(4, 4), y=leaf(4, 4)), partition=cut)


def cos_and_products(x):
    x = torch.cos(x)
    for _ in range(3):
        x = torch.mm(x, x)
    return torch.cos(x)


case("C103", "Two checkpoints of cos, three products, cos: only the leading cosines are computed again.",
     lambda: dict(fn=lambda x: region(cos_and_products)(region(cos_and_products)(x)), x=leaf(4, 4)))
case("C104", "sigmoid(linear) in a checkpoint.", lambda: dict(fn=region(lambda x, w, b: torch.sigmoid(torch.nn.functional.linear(x, w, b))),
     x=leaf(4, 3), w=leaf(2, 3), b=leaf(2)))
case("C105", "An input that requires grad and is not used: a descriptor, and None for its gradient.", lambda: dict(x=leaf(3), y=leaf(3)),
     code="mul = x * 2\nreturn (mul,)")
case("C106", "Indexing by integers, which take no gradient.", lambda: dict(a=leaf(5, 2), i=torch.tensor([0, 2])), code="getitem = a[i]\nreturn (getitem,)")


class WritesB(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        b.mul_(2)
        ctx.save_for_backward(a + 1)
        return a.sin()

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        x.mul_(3)
        return g * x, None


case("C107", "Functionalization can be switched off in PyTorch; that is not offered here. With it on the writes become values.",
     lambda: dict(fn=lambda a, b: WritesB.apply(a, b), a=leaf(4), b=const(4)), keep=True)
case("C108", "Vectors of symbolic length: b * -1 is computed again right before it is used, the size is passed for types only.",
     lambda: dict(fn=lambda b, x: x * (b * -1), b=leaf(7), x=leaf(7)), partition="min-cut", dynamic=True)

# ---- subclasses, tokens, random numbers


def two(*s, grad=True):
    from torch.testing._internal.two_tensor import TwoTensor
    return TwoTensor(torch.randn(s), torch.randn(s)).requires_grad_(grad)


case("C110", "A subclass and a plain input: the plain one gets a gradient that is a subclass.",
     lambda: dict(fn=lambda a, b: a.mul(6) + b.div(2), a=two(3, 3), b=leaf(3, 3)), partition="min-cut")
case("C111", "A subclass with symbolic sizes.", lambda: dict(fn=lambda tt: tt * tt.size(0), tt=two(3, 4)), dynamic=True)
case("C112", "A view of a clone of a subclass with symbolic sizes.", lambda: dict(fn=lambda tt: tt.clone().view(tt.shape[1], tt.shape[0]), tt=two(3, 4)), dynamic=True)
case("C113", "New metadata of a subclass input. PyTorch allows it.", lambda: dict(tt=two(3, 4, grad=False)), code="t_ = tt.t_()\nadd = tt + 1\nreturn (add,)")
case("C114", "An output that is a subclass has a tangent that is one; a plain one would be refused at run time.",
     lambda: dict(fn=lambda a, b: (a * 2, b * 3), a=two(3), b=leaf(3)))


def nested():
    from torch.testing._internal.two_tensor import TwoTensor
    return TwoTensor(two(3, grad=False), two(3, grad=False)).requires_grad_(True)


case("C115", "A subclass of subclasses: its pieces in order.", lambda: dict(fn=lambda x: x * 2, x=nested()))
for keep in (True, False):
    case("C116" + ("" if keep else "_returned"), "A subclass is written without gradients.",
         lambda: dict(fn=lambda x: (x.add_(1), torch.sin(x))[1], x=two(3, 4, grad=False)), keep=keep)
PRINT = '_print = torch.ops.aten._print.default("moo")\n'
case("C120", "Prints around a sum.", lambda: dict(x=const(3)), code=PRINT + "add = x + x\n" + PRINT.replace("_print =", "_print_1 =") + "return (add,)")
case("C121", "The same with a buffer that is written: tokens come first.", lambda: dict(buf=const(3), x=const(3)), descriptors=B(buf="buf"),
     code=PRINT + "add = x + x\nadd_ = buf.add_(1)\nadd_1 = add + buf\n" + PRINT.replace("_print =", "_print_1 =") + "return (add_1,)")


def effects():
    """Ops with effects: foo (its gradient has one too), sin_ (only the gradient has one), cos (the value is needed)."""
    from torch._higher_order_ops.effects import _EffectType, _register_effectful_op
    if hasattr(torch.ops.worked, "foo"):
        return
    lib = torch.library.Library("worked", "FRAGMENT")
    effects.lib = lib
    for name in ("foo", "foo_backward", "cosine"):
        lib.define(f"{name}(Tensor x) -> Tensor")
        f = torch.cos if name == "cosine" else torch.clone
        lib.impl(name, f, "CompositeExplicitAutograd")
        lib.impl(name, torch.empty_like, "Meta")
        _register_effectful_op(getattr(torch.ops.worked, name).default, _EffectType.ORDERED)
    torch.library.register_autograd("worked::foo", lambda ctx, g: torch.ops.worked.foo_backward(g), lib=lib)
    torch.library.register_autograd("worked::cosine", lambda ctx, g: g * ctx.saved_tensors[0].neg(),
                                    setup_context=lambda ctx, inputs, output: ctx.save_for_backward(output), lib=lib)


class SineWithEffect(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * torch.ops.worked.cosine(x)


def with_effects(f):
    def inputs():
        effects()
        return f()
    return inputs


FOO = "worked::foo(Tensor x) -> Tensor\n  is: effect\n  grad x: worked.foo_backward(grad)\nworked::foo_backward(Tensor x) -> Tensor\n  is: effect\n  shape: same(x)"
case("C122", "A custom op with an effect, and its gradient with one.", with_effects(lambda: dict(fn=lambda x, y: torch.ops.worked.foo(x) + y, x=leaf(3), y=leaf(3))),
     partition="min-cut", ops=FOO)
case("C123", "An effect in the backward only.", with_effects(lambda: dict(fn=lambda x: SineWithEffect.apply(x), x=leaf(3))), partition="min-cut",
     ops="worked::cosine(Tensor x) -> Tensor\n  is: effect")
case("C124", "The result of an op with an effect is saved, not computed again.", with_effects(lambda: dict(fn=lambda x: torch.ops.worked.cosine(x).sin(), x=leaf(3))),
     partition="min-cut", ops="worked::cosine(Tensor x) -> Tensor\n  is: effect\n  grad x: grad * result.neg()")
case("C125", "A print, then sin(a, out=b).", lambda: dict(a=const(3), b=const(3)), code=PRINT + "sin = torch.sin(a, out = b)\nreturn (sin,)")
RANDOM = "rand_like = torch.rand_like(x)\nmul = rand_like * x\nrand_like_1 = torch.rand_like(x)\nmul_1 = rand_like_1 * mul\nreturn (mul_1,)"
case("C130", "Random numbers stay ops of their own, where they are not made functions of a seed.",
     lambda: dict(x=leaf(4, 4)), code=RANDOM, partition="min-cut")
case("C131", "Random numbers that stay ops of their own: the default partitioner saves them.",
     lambda: dict(x=leaf(4, 4)), code=RANDOM)
case("C132", "dropout keeps its mask for the backward.", lambda: dict(x=leaf(4, 4)), code="dropout = torch.nn.functional.dropout(x, 0.5, True, False)\nreturn (dropout,)")

import custom_functions  # noqa: E402,F401  (adds its cases)
import autocast_functions  # noqa: E402,F401
import rng_functions  # noqa: E402,F401
