#!/usr/bin/env python3
"""Writes what PyTorch computes for single elements, for the ops whose entries have a scalar expression.

    golden_elements.py --descry PATH > tests/ir/ops/elements.txt

Needs torch. A line `TARGET DTYPE` starts the rows of an op; a row has its arguments in the order of the schema and the
result behind `=`: numbers as Python prints them, `none`, `true`, `false`, texts in quotes, `-` for a default. Floats are float64.
"""
import argparse
import itertools
import json
import math
import random
import re
import subprocess

import torch

FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 0.1, -0.3, 3.7, -7.25, 0.9, 1e-8, -1e-8, 30.0, -20.5, 1e10,
          math.inf, -math.inf, math.nan, 5.0, 12.5, 1e-3]
INTEGERS = [0, 1, -1, 2, -3, 5, 7, 12, -8, 63, 64, 100, 2**40 + 1, -2**62, 9223372036854775807, -9223372036854775808]
BOOLS = [True, False]
NUMBERS = {torch.float64: [0.5, 2.0, -1.5, 3.0, 0.25], torch.int64: [2, 3, -4, 1], torch.bool: [True, False]}
TEXTS = {'rounding_mode': [None, 'floor', 'trunc'], 'approximate': ['none', 'tanh']}
ROWS = {torch.float64: 10, torch.int64: 6, torch.bool: 3}


def choices(argument, dtype):
    """What an argument may be; None: its default only."""
    kind = str(argument.type)
    optional = kind.startswith('Optional')
    inner = re.sub(r'Optional\[(.*)\]', r'\1', kind)
    values = {torch.float64: FLOATS, torch.int64: INTEGERS, torch.bool: BOOLS}[dtype]
    if argument.name == 'n':  # an order
        some = [0, 1, 2, 3, 7, 12]
        return [torch.tensor(v, dtype=dtype) for v in some] if inner == 'Tensor' else some
    if inner == 'Tensor':
        if argument.name in ('mask', 'pred', 'condition'):
            values = BOOLS
        return [torch.tensor(v, dtype=torch.bool if values is BOOLS else dtype) for v in values] + ([None] if optional else [])
    if argument.name in TEXTS:
        return TEXTS[argument.name]
    if inner == 'bool':
        return BOOLS
    if inner == 'float' or inner in ('number', 'Scalar'):
        some = NUMBERS[torch.float64 if inner == 'float' else dtype]
        if argument.name == 'eps':
            some = [0.1]
        return some + ([None] if optional else [])
    if inner == 'int' and not optional:
        return [0, 1, 2, 3]
    return None


def text(v):
    if isinstance(v, torch.Tensor):
        v = v.item()
    if v is None:
        return 'none'
    if isinstance(v, bool):
        return str(v).lower()
    if isinstance(v, str):
        return json.dumps(v)
    return repr(v)


def rows(op, dtype, seed):
    arguments = op._schema.arguments
    lists = [choices(a, dtype) for a in arguments]
    if any(c is None and not a.has_default_value() for c, a in zip(lists, arguments)):
        return
    known = [i for i, c in enumerate(lists) if c is not None]
    wanted = ROWS[dtype] if len(known) == 1 else 2 * ROWS[dtype]
    total = math.prod(len(lists[i]) for i in known)
    if total <= wanted * 2:
        picks = list(itertools.product(*(lists[i] for i in known)))
    else:
        # Each value of the first argument that can be, then whatever comes.
        rng = random.Random(seed)
        picks = [[c[k % len(c)] if j == 0 else rng.choice(c) for j, c in enumerate(lists[i] for i in known)] for k in range(2 * wanted)]
    made = 0
    for pick in picks:
        given = dict(zip(known, pick))
        for i, a in enumerate(arguments):
            if a.name == 'buffer' and dtype == torch.float64:  # of log_sigmoid_forward
                given[i] = torch.exp(-given[1].abs())
        positional = [given[i] for i, a in enumerate(arguments) if not a.kwarg_only and i in given]
        keywords = {a.name: given[i] for i, a in enumerate(arguments) if a.kwarg_only and i in given}
        if [i for i in given if not arguments[i].kwarg_only] != list(range(len(positional))):
            return
        try:
            out = op(*positional, **keywords)
        except (RuntimeError, ValueError, ZeroDivisionError, NotImplementedError, TypeError):
            continue
        if not isinstance(out, torch.Tensor) or out.numel() != 1 or out.dtype not in (torch.float64, torch.int64, torch.bool):
            continue
        if out.dtype == torch.float64 and dtype != torch.float64:
            continue  # PyTorch promotes first, to float32 at times
        if made == 0:
            yield None
        made += 1
        yield ' '.join(text(given[i]) if i in given else '-' for i in range(len(arguments))) + ' = ' + text(out)
        if made >= wanted:
            return


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--descry', required=True)
    args = ap.parse_args()
    listed = json.loads(subprocess.run([args.descry, 'ops', '--json'], check=True, capture_output=True, text=True).stdout)['ops']
    torch.set_default_dtype(torch.float64)
    print('# What PyTorch ' + torch.__version__.split('+')[0] + ' computes for single elements: written by scripts/golden_elements.py')
    for o in listed:
        if not o['scalar'] or '!' in o['schema']:
            continue
        space, name, overload = o['target'].split('.')[2:]
        try:
            op = getattr(getattr(getattr(torch.ops, space), name), overload)
        except AttributeError:
            continue
        for dtype in ROWS:
            for row in rows(op, dtype, o['target']):
                print(row if row is not None else f'{o["target"]} {str(dtype)[6:]}')


if __name__ == '__main__':
    main()
