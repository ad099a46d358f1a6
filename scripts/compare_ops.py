#!/usr/bin/env python3
"""Compares the op table (ir/ops/table) with an installed PyTorch: schemas that are missing, gone or changed. Not needed to build.

    python scripts/compare_ops.py ir/ops/table [--add]

Needs torch 2.15 or newer. With --add, entries for missing schemas are printed in the form of the table, to be put where they belong.
"""
import argparse
import glob
import importlib
import os
import pkgutil
import re

import torch
import torch._dynamo
import torch._functorch.aot_autograd
import torch._higher_order_ops
import torch._inductor.compile_fx
import torch._inductor.inductor_prims
import torch._prims
import torch._prims.rng_prims
import torch.distributed._functional_collectives
from torch._library.utils import is_impure

NAMESPACES = """aten prims inductor inductor_prims rngprims _c10d_functional _c10d_functional_autograd c10d_functional c10d
quantized_decomposed profiler streams fsdp _dtensor export""".split()
SKIP = re.compile(r"^(aten::_test_|aten::.*(mkldnn|miopen|_mps_|metal|vulkan|xnnpack)|aten::_cslt|aten::_sobol|aten::_foobar$|aten::to_mkldnn)")
TAGS = {"core": "core", "pointwise": "pointwise", "reduction": "reduction", "nondeterministic_seeded": "random",
        "inplace_view": "inplace_view", "dynamic_output_shape": "dynamic_shape", "data_dependent_output": "data_dependent",
        "view_copy": "view_copy"}


def of_torch():
    """Schema head -> (schema, traits)."""
    for module in pkgutil.iter_modules(torch._higher_order_ops.__path__):
        try:
            importlib.import_module("torch._higher_order_ops." + module.name)
        except ImportError:
            pass
    dispatcher = set(torch._C._dispatch_get_all_op_names())
    out = {}
    for s in torch._C._jit_get_all_schemas():
        ns, name = s.name.split("::")
        key = s.name + ("." + s.overload_name if s.overload_name else "")
        if ns not in NAMESPACES or (key not in dispatcher and ns != "profiler") or SKIP.match(s.name):
            continue
        overload = getattr(getattr(getattr(torch.ops, ns), name), s.overload_name or "default")
        tags = {str(t).split(".")[-1] for t in overload.tags}
        traits = [trait for tag, trait in TAGS.items() if tag in tags]
        if is_impure(overload, impure_random=False) and not overload._schema.is_mutable:
            traits.append("effect")
        out[key] = (str(s), traits)
    return out


def of_table(folder):
    out = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.ops"))):
        for line in open(path, encoding="utf-8"):
            if line.startswith("op ") and not line.startswith("op higher_order::"):
                schema = line[3:].strip()
                out[schema.split("(")[0]] = (schema, os.path.basename(path))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--add", action="store_true")
    args = parser.parse_args()
    theirs, ours = of_torch(), of_table(args.table)
    for key in sorted(set(theirs) - set(ours)):
        schema, traits = theirs[key]
        if args.add:
            print(f"op {schema}" + ("\n  is: " + " ".join(traits) if traits else "") + "\n")
        else:
            print(f"missing: {schema}")
    for key in sorted(set(ours) - set(theirs)):
        print(f"gone: {ours[key][0]} ({ours[key][1]})")
    for key in sorted(set(ours) & set(theirs)):
        if ours[key][0].replace(" ", "") != theirs[key][0].replace(" ", ""):
            print(f"changed: {ours[key][0]}\n      to {theirs[key][0]}")


if __name__ == "__main__":
    main()
