"""Records what PyTorch computes for calls of single ops, for tests/runtime/ops/FAMILY.jsonl.

Each family is a module beside this one: it imports `case` and calls it.

    case("aten.sum.dim_IntList", T(3, 4), [1], False)        # arguments as the schema has them
    case("aten.native_dropout.default", T(5), 0.5, True, shapes=True)   # random: only dtypes, sizes and strides
    python scripts/golden_kernels/golden.py FAMILY...         # writes the files (needs torch)

A line: {"op", "args", "kwargs", "out": flat list of results, "written": {position: tensor after the call},
"shapes": true}. A tensor: {"dtype", "size", "stride", "offset", "data": elements of its storage}; complex numbers are
pairs; nan and infinities are texts.
"""
import importlib
import json
import math
import os
import sys

import torch

LINES = []
GENERATOR = torch.Generator()


def T(*size, dtype=torch.float32, low=None, high=None, stride=None):
    """A random tensor: normal, or uniform in [low, high) (integers: in [low, high), default 0 to 10)."""
    if dtype == torch.bool:
        t = torch.rand(size, generator=GENERATOR) > 0.5
    elif dtype.is_complex:
        t = torch.randn(size, generator=GENERATOR, dtype=torch.complex64).to(dtype)
    elif dtype.is_floating_point:
        t = torch.randn(size, generator=GENERATOR)
        if low is not None:
            t = torch.rand(size, generator=GENERATOR) * (high - low) + low
        t = t.to(dtype)
    else:
        t = torch.randint(0 if low is None else low, 10 if high is None else high, size, generator=GENERATOR).to(dtype)
    if stride is not None:
        s = torch.empty_strided(size, stride, dtype=dtype)
        s.copy_(t)
        t = s
    return t


def number(x, digits=17):
    if isinstance(x, complex):
        return [number(x.real, digits), number(x.imag, digits)]
    if isinstance(x, float) and not math.isfinite(x):
        return str(x)
    return float(f"%.{digits}g" % x) if isinstance(x, float) else x


def tensor(t):
    if t.layout != torch.strided:
        raise TypeError("only strided tensors")
    if t.is_conj() or t.is_neg():
        t = t.resolve_conj().resolve_neg()
    flat = torch.empty(0, dtype=t.dtype).set_(t.detach().untyped_storage())
    values = (flat.to(torch.float32) if t.dtype.is_floating_point and t.dtype.itemsize < 4 else flat).tolist()
    digits = 17 if t.dtype in (torch.float64, torch.complex128) else 9  # as many as tell all numbers apart
    return {"dtype": str(t.dtype).replace("torch.", ""), "size": list(t.shape), "stride": list(t.stride()),
            "offset": t.storage_offset(), "data": [number(x, digits) for x in values]}


def plain(v):
    if isinstance(v, torch.Tensor):
        return {"tensor": tensor(v)}
    if isinstance(v, torch.dtype):
        return {"dtype": str(v).replace("torch.", "")}
    if isinstance(v, torch.device):
        return {"device": str(v)}
    if isinstance(v, torch.layout):
        return None
    if isinstance(v, torch.memory_format):
        return {"memory_format": str(v).replace("torch.", "")}
    if isinstance(v, complex):
        return {"complex": number(v)}
    if isinstance(v, (list, tuple)):
        return [plain(x) for x in v]
    if isinstance(v, float) and not math.isfinite(v):
        return {"float": str(v)}
    return v


def flat(v):
    if isinstance(v, (list, tuple)):
        return [y for x in v for y in flat(x)]
    return [v]


def case(op, *args, shapes=False, tolerance=None, seed=0, **kwargs):
    overload = torch.ops
    for part in op.split("."):
        overload = getattr(overload, part)
    line = {"op": op, "args": [plain(a) for a in args], "kwargs": {k: plain(v) for k, v in kwargs.items()}}
    torch.manual_seed(seed)
    try:
        with torch.no_grad():
            out = overload(*args, **kwargs)
    except Exception as e:  # what PyTorch refuses is told by who wrote the case
        print(f"refused: {op}: {e}", file=sys.stderr)
        return
    line["out"] = [plain(v) for v in flat(out)]
    written = {}
    for i, a in enumerate(overload._schema.arguments):
        if a.alias_info is None or not a.alias_info.is_write:
            continue
        v = kwargs.get(a.name) if i >= len(args) else args[i]
        written[a.name] = [plain(t) for t in flat(v)]
    if written:
        line["written"] = written
    if shapes:
        line["shapes"] = True
    if tolerance:
        line["tolerance"] = tolerance
    if seed:
        line["seed"] = seed
    LINES.append(json.dumps(line, separators=(",", ":")))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, here)
    sys.modules["golden"] = sys.modules["__main__"]
    for family in sys.argv[1:]:
        LINES.clear()
        GENERATOR.manual_seed(7)
        importlib.import_module(family)
        path = os.path.join(here, "..", "..", "tests", "runtime", "ops", family + ".jsonl")
        with open(path, "w", encoding="utf-8") as f:
            f.write("".join(line + "\n" for line in LINES))
        print(f"{family}: {len(LINES)} calls, {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main()
