#!/usr/bin/env python3
"""Checks that every call target of a list has a shape function and, where PyTorch differentiates, a gradient.

    check_targets.py --descry PATH TARGETS.tsv --differentiated LIST [--core LIST] [--blanks]

TARGETS.tsv has a target in its first column: `torch.relu`, `.view`, `torch.ops.aten.index`, `operator Add`, `inplace Mult`.
--differentiated names a file with the ops that PyTorch has a gradient formula for (derivatives.yaml), one a line.
--core names a file with one op a line (`aten::add.Tensor`) that has to be covered too. --blanks prints how many ops of the
whole table lack what. Exit code 1 when a target is not covered.
"""
import argparse
import collections
import json
import subprocess
import sys

AST = {"Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "FloorDiv": "floordiv", "Mod": "mod", "Pow": "pow",
       "MatMult": "matmul", "BitAnd": "and_", "BitOr": "or_", "BitXor": "xor", "LShift": "lshift", "RShift": "rshift",
       "USub": "neg", "Invert": "invert"}
# Written in graphs, but values of Python and no calls of tensors.
# Carried out by the tracer itself, as they are more than calls of ops (passes/aot/program.cpp, functorch.cpp, autodiff/indexing.cpp).
TRACED = {"operator.getitem", "operator.setitem", "torch.tensor", "torch.as_tensor", "torch._C._set_grad_enabled",
          "torch.amp.autocast_mode._enter_autocast", "torch.amp.autocast_mode._exit_autocast"} | {
    f"torch._{where}._{what}" for where in ("functorch.predispatch", "C._functorch")
    for what in ("vmap_increment_nesting", "add_batch_dim", "remove_batch_dim", "vmap_decrement_nesting")}
PYTHON_VALUES = {"slice", "device", "torch.Size", "torch.autograd.function.FunctionCtx"}


def spelled(target):
    kind, _, name = target.partition(" ")
    if kind == "operator" and name:
        return "operator." + AST[name]
    if kind == "inplace":
        return "operator.i" + AST[name].rstrip("_")
    return {"getitem": "operator.getitem", "setitem": "operator.setitem"}.get(target, target)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("targets")
    ap.add_argument("--descry", required=True)
    ap.add_argument("--differentiated", required=True)
    ap.add_argument("--core")
    ap.add_argument("--allow", action="append", default=[], help="an op that may be blank; docs/status.md names it")
    ap.add_argument("--blanks", action="store_true")
    a = ap.parse_args()
    table = json.loads(subprocess.run([a.descry, "ops", "--json"], capture_output=True, text=True, check=True).stdout)
    by_spelling, by_name = collections.defaultdict(list), collections.defaultdict(list)
    for op in table["ops"]:
        family = op["schema"].split("(")[0].split(".")[0]
        by_name[family].append(op)
        by_name[op["schema"].split("(")[0]].append(op)
        for s in op["spellings"]:
            by_spelling[s].append(op)
    with open(a.differentiated, encoding="utf-8") as f:
        differentiated = {line.strip() for line in f} - {""}
    functions = {f["target"]: f for f in table["functions"]}

    def lacks(ops):
        """What is missing among the overloads that graphs of tensors call."""
        out = []
        for op in ops:
            overload = op["schema"].split("(")[0].partition(".")[2]
            if "out" in overload or "ame" in overload or "Dimname" in op["schema"]:
                continue
            name = op["schema"].split("(")[0]
            pure = (op["target"].split(".")[-2].rstrip("_") if "mutates" in op["traits"] else None)
            wanted = name in differentiated or (pure and f"aten::{pure}" in differentiated and name.endswith("_"))
            missing = [k for k in ("shape", "gradient") if op[k] is None and (k == "shape" or wanted)]
            if missing and name not in a.allow:
                out.append(op["schema"].split("(")[0] + " has no " + " and no ".join(missing))
        return out

    bad = []
    targets = [line.split("\t")[0].rstrip("\n") for line in open(a.targets, encoding="utf-8")][1:]
    for target in targets:
        name = spelled(target)
        if name in PYTHON_VALUES:
            continue
        ops = by_spelling.get(name, [])
        if name.startswith("torch.ops."):
            parts = name.split(".")[2:]
            ops = by_name["::".join(parts[:2]) if len(parts) == 2 else f"{parts[0]}::{parts[1]}.{parts[2]}"] or \
                by_name["::".join(parts[:2])]
        if ops:
            bad += [f"{target}: {what}" for what in lacks(ops)]
        elif name not in functions:
            bad.append(f"{target}: not in the table")
        elif not functions[name]["rule"] and name not in TRACED:
            bad.append(f"{target}: a function without a rule")
    core = [line.strip() for line in open(a.core, encoding="utf-8")] if a.core else []
    for name in filter(None, core):
        ops = by_name.get(name)
        bad += [f"core {name}: {what}" for what in lacks(ops)] if ops else [f"core {name}: not in the table"]
    for line in bad:
        print(line)
    print(f"{len(targets)} targets and {len(core)} core ops, {len(bad)} blanks")
    if a.blanks:
        ops = table["ops"]
        print(f"of {len(ops)} ops {sum(op['shape'] is None for op in ops)} have no shape function")
        without = [op["schema"].split("(")[0] for op in ops if op["gradient"] is None]
        owed = sorted(set(without) & differentiated)
        print(f"of {len(differentiated)} ops that PyTorch differentiates {len(owed)} have no gradient: {', '.join(owed)}")
        print(f"of {len(functions)} Python functions {sum(not f['rule'] for f in functions.values())} have no rule")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
