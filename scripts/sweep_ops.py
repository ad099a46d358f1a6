#!/usr/bin/env python3
"""Makes reference cases of single ops from PyTorch's own test inputs: of every op (OpInfo) and of every module of torch.nn.

    DESCRY_TORCH_PYTHON=/path/to/python scripts/sweep_ops.py OUT_DIR [--only REGEX] [--modules] [--samples 5] [--backends default,decomp]
        [--dtype bfloat16] [--layout channels_last|noncontiguous] [--dynamic] [--no-grad] [--shard 0/2] [--resume]
    python3 ../shared/tools/fidelity.py --descry BUILD/descry OUT_DIR --logs default,decomp --list

Needs PyTorch 2.15 with expecttest and safetensors; the harness of the reference cases (../shared/tools/reference, or what DESCRY_SHARED
names) gives the backends and the form of the logs. A case is one op; each sample input is a compile id of its logs. Samples that
PyTorch itself refuses are left out and counted. All ops take about an hour of one core.
"""
import argparse
import inspect
import io
import itertools
import json
import logging
import math
import os
import re
import signal
import sys
import warnings

python = os.environ.get("DESCRY_TORCH_PYTHON")
if python and os.path.abspath(python) != os.path.abspath(sys.executable):
    os.execv(python, [python] + sys.argv)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.environ.get("DESCRY_SHARED", os.path.join(ROOT, "..", "shared")), "tools", "reference"))

import torch  # noqa: E402
import torch._dynamo.backends.registry  # noqa: E402
import torch._logging._internal as logs  # noqa: E402
import torch._logging.structured as structured  # noqa: E402
import torch.utils._pytree as pytree  # noqa: E402

import harness  # noqa: E402

LEFT_OUT = re.compile("sparse|nested|jiterator")  # ops that AOT autograd does not trace
SECONDS = 20  # for one compile


class TooLong(Exception):
    pass


def alarm(*_):
    raise TooLong


def form(x):
    """What makes two samples alike: kinds of arguments, not sizes."""
    if isinstance(x, torch.Tensor):
        return ("tensor", x.dim(), 0 in x.shape, x.is_contiguous(), str(x.dtype), x.requires_grad)
    if isinstance(x, (list, tuple)):
        return tuple(form(y) for y in x)
    if isinstance(x, dict):
        return tuple((k, form(v)) for k, v in sorted(x.items(), key=str))
    return x if isinstance(x, (str, bool, torch.dtype, type(None))) else type(x).__name__


def chosen(samples, count):
    seen, out = set(), []
    for args, kwargs in itertools.islice(samples, 200):
        key = form((args, kwargs))
        if key in seen or any(t.numel() > 300000 for t in pytree.tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)):
            continue
        seen.add(key)
        out.append((args, kwargs))
    return [out[i * len(out) // count] for i in range(count)] if len(out) > count else out


def laid_out(sample, layout):
    """The sample with its tensors in another layout; None where that changes nothing."""
    changed = []

    def convert(t):
        if not isinstance(t, torch.Tensor) or t.layout != torch.strided:
            return t
        u, n = t.detach(), t.dim()
        if layout == "noncontiguous" and n:
            u = torch.empty([2 * u.shape[-1], *u.shape[:-1]], dtype=u.dtype)[::2].movedim(0, -1).copy_(u)
        elif layout == "channels_last" and n in (4, 5):
            u = u.contiguous(memory_format=torch.channels_last if n == 4 else torch.channels_last_3d)
        elif layout == "channels_last" and n in (2, 3):
            u = u.transpose(-1, -2).contiguous().transpose(-1, -2)
        if u.stride() != t.stride():
            changed.append(t)
        return u.requires_grad_(t.requires_grad)
    out = pytree.tree_map(convert, sample)
    return out if changed else None


def program(call, args, kwargs, in_place=False):
    """A function of the tensors alone, with every other argument written into its text."""
    names, env, tensors = [], {"call": call, "torch": torch}, []

    def text(x):
        if isinstance(x, torch.Tensor):
            names.append(f"t{len(names)}")
            tensors.append(x)
            return names[-1]
        if isinstance(x, (tuple, torch.Size)):
            return "(" + "".join(text(y) + ", " for y in x) + ")"
        if type(x) is list:
            return "[" + "".join(text(y) + ", " for y in x) + "]"
        if type(x) is slice:
            return f"slice({x.start!r}, {x.stop!r}, {x.step!r})"
        if type(x) is float and not math.isfinite(x):
            return f"float('{x}')"
        if x is Ellipsis or type(x) in (int, float, bool, str, complex, type(None)):
            return "..." if x is Ellipsis else repr(x)
        if isinstance(x, (torch.dtype, torch.memory_format, torch.layout)):
            return str(x)
        env[f"c{len(env)}"] = x
        return f"c{len(env) - 1}"
    first = text(args[0]) if args else ""
    written = list(names)
    given = ", ".join(([first] if args else []) + [text(a) for a in args[1:]] + [f"{k}={text(v)}" for k, v in kwargs.items()])
    lines = [f"def f({', '.join(names)}):"] + ([f"  {n} = {n}.clone()" for n in written] if in_place else [])
    lines.append(f"  {'' if in_place else 'return '}call({given})")
    if in_place:
        lines.append(f"  return {', '.join(written)}")
    source = "\n".join(lines) + "\n"
    exec(source, env)
    return env["f"], tensors, source


def programs_of_ops(options):
    from torch.testing._internal.common_methods_invocations import op_db
    for op in op_db:
        name = op.formatted_name.replace(".", "_")
        dtype = getattr(torch, options.dtype)
        if dtype not in op.dtypes:
            others = [d for d in (torch.float32, torch.int64, torch.bool, torch.complex64) if d in op.dtypes]
            if options.dtype != "float32" or not others:
                continue
            dtype = others[0]
        grad = not options.no_grad and op.supports_autograd and (dtype.is_floating_point or dtype.is_complex)

        def make(op=op, dtype=dtype, grad=grad):
            kinds = {"function": op.op, "method": op.method_variant, "in place": op.inplace_variant, "operator": op.operator_variant}
            for kind, call in kinds.items():
                if call is None:
                    continue
                torch.manual_seed(0)
                samples = (((s.input, *s.args), s.kwargs) for s in op.sample_inputs("cpu", dtype, requires_grad=grad))
                for s in chosen(samples, options.samples if kind == "function" else 1):
                    s = laid_out(s, options.layout) if options.layout else s
                    if s is not None:
                        yield program(call, *s, in_place=kind == "in place")
        yield name, make


def programs_of_modules(options):
    from torch.testing._internal.common_modules import module_db
    for info in module_db:
        def make(info=info):
            for training in (True, False):
                torch.manual_seed(0)
                inputs = info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=not options.no_grad, training=training)
                for i in itertools.islice((i for i in inputs if i.forward_input is not None), options.samples):
                    module = info.module_cls(*i.constructor_input.args, **i.constructor_input.kwargs).train(training)
                    s = (i.forward_input.args, i.forward_input.kwargs)
                    s = laid_out(s, options.layout) if options.layout else s
                    if s is not None:
                        yield program(module, *s)
        yield info.module_cls.__name__, make


def traced(programs, backend, options):
    """-> the log of all programs, and for each whether PyTorch took it."""
    torch._dynamo.reset()
    structured.INTERN_TABLE.clear()
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(logs.TorchLogsFormatter(trace=True))
    log = logging.getLogger("torch.__trace")
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    taken = []
    try:
        for f, tensors, _ in programs:
            try:
                signal.alarm(SECONDS)
                torch.manual_seed(0)
                args = [t.detach().requires_grad_(t.requires_grad) for t in tensors]
                with torch.set_grad_enabled(not options.no_grad):
                    torch.compile(f, backend=harness.BACKENDS[backend], fullgraph=True, dynamic=options.dynamic)(*args)
                taken.append(True)
            except Exception:
                taken.append(False)
            finally:
                signal.alarm(0)
    finally:
        log.removeHandler(handler)
    return harness.clean(text.getvalue(), inspect.getsourcefile(harness)), taken


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--only", metavar="REGEX")
    p.add_argument("--modules", action="store_true", help="the modules of torch.nn instead of the ops")
    p.add_argument("--samples", type=int, default=5)
    p.add_argument("--backends", default="default,decomp")
    p.add_argument("--dtype", default="float32")
    p.add_argument("--layout", choices=["channels_last", "noncontiguous"])
    p.add_argument("--dynamic", action="store_true")
    p.add_argument("--no-grad", action="store_true")
    p.add_argument("--shard", default="0/1", metavar="I/N")
    p.add_argument("--resume", action="store_true", help="leave out cases that are there")
    options = p.parse_args()
    warnings.filterwarnings("ignore")
    logging.getLogger("torch._dynamo").setLevel(logging.CRITICAL)
    signal.signal(signal.SIGALRM, alarm)
    torch._dynamo.config.cache_size_limit = torch._dynamo.config.accumulated_cache_size_limit = 100000
    shard, of = map(int, options.shard.split("/"))
    for k, (name, make) in enumerate(programs_of_modules(options) if options.modules else programs_of_ops(options)):
        where = os.path.join(options.out, name)
        if k % of != shard or LEFT_OUT.search(name) or (options.only and not re.search(options.only, name)):
            continue
        if options.resume and os.path.exists(os.path.join(where, "case.json")):
            continue
        programs = []
        try:
            for made in make():
                programs.append(made)
        except Exception as e:
            print(f"{name}: inputs: {type(e).__name__}: {str(e)[:120]}", flush=True)
        if not programs:
            continue
        os.makedirs(where, exist_ok=True)
        total = len(programs)
        for i, backend in enumerate(options.backends.split(",")):
            text, taken = traced(programs, backend, options)
            if i == 0 and not all(taken):
                programs = [q for q, ok in zip(programs, taken) if ok]
                text, taken = traced(programs, backend, options)
            with open(os.path.join(where, backend + ".log"), "w") as f:
                f.write(text)
        with open(os.path.join(where, "case.json"), "w") as f:
            json.dump({"name": name, "torch": torch.__version__, "sources": [source for _, _, source in programs], "errors": {}}, f, indent=1)
        print(f"{name}: {len(programs)} of {total}", flush=True)


if __name__ == "__main__":
    main()
