#!/usr/bin/env python3
"""Writes tests/ir/ops/flops.txt: what PyTorch's flop counter says of calls. Needs torch.

    golden_flops.py > tests/ir/ops/flops.txt

A line is `target | arguments | results | operations`; tensors are their sizes (`2x3`; `s` without dimensions), `-` is None.
"""
import random

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry


def text(v):
    if isinstance(v, torch.Tensor):
        return 'x'.join(map(str, v.shape)) or 's'
    if v is None:
        return '-'
    if isinstance(v, (list, tuple)):
        return '[' + ','.join(text(i) for i in v) + ']'
    return str(v)


class Recorder(TorchDispatchMode):
    """Every op that has a formula, with its default arguments filled in."""

    lines = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        if func._overloadpacket in flop_registry:
            full = []
            for i, a in enumerate(func._schema.arguments):
                full.append(args[i] if i < len(args) else kwargs.get(a.name, a.default_value))
            flops = flop_registry[func._overloadpacket](*args, **kwargs, out_val=out)
            results = out if isinstance(out, (tuple, list)) else [out]
            self.lines.append(f'{func} | {" ".join(map(text, full))} | {" ".join(map(text, results))} | {flops}')
        return out


def main():
    r = random.Random(5)
    t = torch.randn
    with Recorder():
        for _ in range(4):
            m, k, n, b = (r.randint(1, 40) for _ in range(4))
            torch.mm(t(m, k), t(k, n))
            torch.addmm(t(n), t(m, k), t(k, n))
            torch.bmm(t(b, m, k), t(b, k, n))
            torch.baddbmm(t(b, m, n), t(b, m, k), t(b, k, n))
        for transposed in (False, True):
            for dims in (1, 2, 3):
                for groups in (1, 2):
                    c, o, size = 4, 6, [9, 8, 7][:dims]
                    x = t(3, c, *size, requires_grad=True)
                    kernel = [3, 2, 1][:dims]
                    w = t(*((c, o // groups) if transposed else (o, c // groups)), *kernel, requires_grad=True)
                    bias = t(o, requires_grad=True)
                    y = torch.convolution(x, w, bias, [2] * dims, [1] * dims, [1] * dims, transposed, [0] * dims, groups)
                    y.sum().backward()
        x = t(2, 4, 8, 8)
        torch.convolution(x, t(6, 4, 3, 3, requires_grad=True), None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1).sum().backward()
        for hk, causal in ((4, False), (4, True)):
            q = t(2, 4, 10, 16, requires_grad=True)
            k, v = (t(2, hk, 12, 16, requires_grad=True) for _ in range(2))
            torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal).sum().backward()
    print('# Written by scripts/golden_flops.py: operations of calls as torch.utils.flop_counter has them.')
    print('\n'.join(Recorder.lines))


if __name__ == '__main__':
    main()
