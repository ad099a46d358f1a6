"""Cases of custom ops and of effects, for record.py. The section `ops` tells Descry what PyTorch knows of each op."""
import torch
from torch._higher_order_ops.effects import _EffectType, _register_effectful_op
from functions import case, const, leaf

LIB = torch.library.Library("custom", "FRAGMENT")
DECLARED = {}


def define(schema, eager, fake=None, effect=False, properties="", composite=False):
    """An op, and the text that declares it to Descry."""
    name = schema.split("(")[0]
    LIB.define(schema)
    LIB.impl(name, eager, "CompositeImplicitAutograd" if composite else "CompositeExplicitAutograd")
    if not composite:
        torch.library.register_fake(f"custom::{name}", fake or eager, lib=LIB)
    if effect:
        _register_effectful_op(getattr(torch.ops.custom, name).default, _EffectType.ORDERED)
    lines = (["is: effect"] if effect else []) + [p for p in properties.split("\n") if p]
    DECLARED[name] = "\n  ".join([f"custom::{schema}"] + lines)


nothing = lambda *a, **k: None
like = lambda x, *a, **k: torch.empty_like(x)
two = lambda x, *a, **k: (torch.empty_like(x), x.new_empty(x.shape[0]))
define("bump(Tensor(a!) x, Tensor y) -> ()", lambda x, y: (x.add_(y), None)[1], nothing)
define("bump_and_sum(Tensor(a!) x, Tensor y, float by=1.0) -> (Tensor, Tensor)", lambda x, y, by=1.0: (x.add_(y, alpha=by).clone(), x.sum(1)), two)
define("bump_all(Tensor(a!)[] xs, Tensor? y=None, *, int times=1) -> Tensor", lambda xs, y=None, *, times=1: xs[0].clone(), lambda xs, y=None, *, times=1: torch.empty_like(xs[0]))
define("bump_maybe(Tensor x, Tensor(a!)? y) -> Tensor", lambda x, y: x.clone(), like)
define("scale(Tensor x, float by=2.0, *, int[] dims=[0, 1]) -> Tensor", lambda x, by=2.0, *, dims=(0, 1): x * by, like)
define("split(Tensor x, int at) -> (Tensor, Tensor)", lambda x, at: (x + at, x.sum(1)), two,
       properties="shape: (like(x), new([x.size(0)], like=x))\ngrad x: custom.split_backward(grads[0], grads[1], at)")
define("split_backward(Tensor a, Tensor b, int at) -> Tensor", lambda a, b, at: a.clone(), like, properties="shape: same(a)")
define("times(Tensor x, Tensor y) -> Tensor", lambda x, y: x * y, like, properties="grad x: grad * y * 2\ngrad y: grad * x / 2")
define("rows(Tensor x) -> Tensor[]", lambda x: [x[0].clone(), x[1].clone()], lambda x: [x.new_empty(x.shape[1]), x.new_empty(x.shape[1])])
define("head(Tensor(a) x) -> Tensor(a)", lambda x: x[:1], composite=True, properties="composite: x[:1]")
define("window(Tensor(a) x) -> Tensor(a)", lambda x: x[:1])
define("double_(Tensor(a!) x) -> Tensor(a!)", lambda x: x.mul_(2), lambda x: x)
define("record(Tensor x, str tag) -> Tensor", lambda x, tag: x.clone(), like, effect=True, properties="grad x: custom.record_backward(grad, tag)")
define("record_backward(Tensor g, str tag) -> Tensor", lambda g, tag: g.clone(), like, effect=True, properties="shape: same(g)")
define("measure(Tensor x) -> (Tensor, Tensor)", lambda x: (x.sin(), x.sum(1)), two, effect=True)
define("log(Tensor x, str tag=\"\") -> ()", nothing, nothing, effect=True)

torch.library.register_autograd("custom::times", lambda ctx, g: (g * ctx.saved_tensors[1] * 2, g * ctx.saved_tensors[0] / 2),
                                setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs), lib=LIB)


def keep_at(ctx, inputs, output):
    ctx.at = inputs[1]


def keep_tag(ctx, inputs, output):
    ctx.tag = inputs[1]


torch.library.register_autograd("custom::split", lambda ctx, a, b: (torch.ops.custom.split_backward(a, b, ctx.at), None), setup_context=keep_at, lib=LIB)
torch.library.register_autograd("custom::record", lambda ctx, g: (torch.ops.custom.record_backward(g, ctx.tag), None), setup_context=keep_tag, lib=LIB)


def custom(id, says, ops, fn, **inputs):
    options = {k: inputs.pop(k) for k in ("keep", "partition", "refused", "grad_mode", "dynamic") if k in inputs}
    case("custom_" + id, says, lambda: dict(fn=fn, **{k: f() for k, f in inputs.items()}), ops="\n".join(DECLARED[o] for o in ops.split()), **options)


O = torch.ops.custom
plain = lambda *s: lambda: const(*s)
grad = lambda *s: lambda: leaf(*s)


def written_views(x, y):
    O.bump(x[1:3], y)
    O.bump(x.t()[0:2].t()[0:2], y[:, :2])
    O.bump(x, y[:1])
    return x * 2


custom("written", "An op that writes an input and returns nothing.", "bump", lambda x, y: (O.bump(x, y), x + 1)[1], x=plain(2, 3), y=plain(2, 3), keep=True)
custom("written_returned", "The same; the new contents are returned.", "bump", lambda x, y: (O.bump(x, y), x + 1)[1], x=plain(2, 3), y=plain(2, 3))
custom("written_views", "It writes views of an input: slices, and what can be told by strides only.", "bump", written_views, x=plain(4, 4), y=plain(2, 4), keep=True)
custom("written_intermediate", "It writes a value of the graph, in training.", "bump",
       lambda x, y: (lambda t: (O.bump(t, y), t * x)[1])(y + 1), x=grad(2, 3), y=plain(2, 3))
custom("written_and_results", "It returns two tensors besides.", "bump_and_sum", lambda x, y: O.bump_and_sum(x, y)[1] + x[:, 0], x=plain(2, 3), y=plain(2, 3))
custom("written_and_argument", "The same with an argument that is not its default.", "bump_and_sum", lambda x, y: O.bump_and_sum(x, y, 3.0)[0], x=plain(2, 3), y=plain(2, 3), keep=True)
custom("written_list", "It writes a list of tensors, one of them a view.", "bump_all", lambda x, y: O.bump_all([x, y[1:]], x), x=plain(2, 3), y=plain(4, 3), keep=True)
custom("written_list_defaults", "The same with an optional argument left out, and a keyword.", "bump_all", lambda x: O.bump_all([x], times=2), x=plain(2, 3))
custom("written_none", "What it would write is None.", "bump_maybe", lambda x: O.bump_maybe(x, None), x=plain(2, 3))
custom("written_result_refused", "An op that returns what it writes.", "double_", lambda x: O.double_(x) + 1, x=plain(2, 3), refused=True)
custom("defaults", "Arguments that equal their defaults are not passed on.", "scale", lambda x: O.scale(x, 2.0) + O.scale(x, 3, dims=[1]) + O.scale(x, by=4.0, dims=[0, 1]), x=plain(2, 3))
custom("results", "Several results and a list of results.", "split rows", lambda x: (O.split(x, 1)[0], *O.rows(x)), x=plain(2, 3))
custom("gradient", "A gradient that was registered reads the inputs.", "times", lambda x, y: O.times(x, y).sin(), x=grad(2, 3), y=grad(2, 3))
custom("gradient_of_one", "Only one input requires a gradient.", "times", lambda x, y: O.times(x, y), x=grad(2, 3), y=plain(2, 3), partition="min-cut")
custom("gradient_of_results", "A result that is not used gets zeros as its gradient.", "split split_backward", lambda x: O.split(x, 1)[0], x=grad(2, 3))
custom("gradient_dynamic", "Sizes are symbols.", "split split_backward", lambda x: O.split(x, 1)[1] * 2, x=grad(2, 3), dynamic=True)
custom("composite", "A composite op that makes a view.", "head", lambda x: (O.head(x), x.sin()), x=grad(2, 3))
custom("view_refused", "A view op that is not composite cannot be made functional.", "window", lambda x: O.window(x) + 1, x=plain(2, 3), refused=True)


def ordered(x):
    O.log(x)
    y = O.record(x, "a")
    torch.ops.aten._print("between")
    z = O.record(y.sin(), "b")
    O.log(z, "end")
    return z * y


custom("order", "Effects keep their order, forward and backward.", "log record record_backward", ordered, x=grad(2, 3))
custom("order_cut", "The same with the other partitioner.", "log record record_backward", ordered, x=grad(2, 3), partition="min-cut")
custom("order_inference", "The same without gradients.", "log record", ordered, x=plain(2, 3))
custom("effect_results", "An op with an effect and two results.", "measure", lambda x: O.measure(x)[1].cos(), x=plain(2, 3))
custom("effect_saved", "Its result is saved, not computed again.", "log record record_backward", lambda x: O.record(x, "a").cos().sin(), x=grad(2, 3), partition="min-cut")
custom("effect_in_gradient_only", "The op has an effect in its gradient alone.", "times record_backward", lambda x: Quiet.apply(x) + 1, x=grad(2, 3), partition="min-cut")


class Quiet(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        g = O.record_backward(g, "first")
        return O.record_backward(g * 2, "second")
