#!/usr/bin/env python3
"""Times other programs on the same work as Descry in one run, and prints the ratios beside their goals.

    bench_peers.py --descry PATH --graph-bench PATH [--nodes N]

CPython's ast.parse reads the same FX text. When PyTorch can be imported (by this Python, or by the one that
DESCRY_TORCH_PYTHON names), torch.fx does the same work on the same graph: building it, printing, copying, merging
common nodes, removing dead ones. Descry's side is graph_bench on the same file. Last comes the whole program, from the
start of the process: on a text of 1,000,000 nodes, and printing what it has read.

Times are the least of some runs, in processor seconds where nothing else is said; neither side collects garbage in
them. Exit code 1 when a goal that was measured is missed.
"""
import argparse
import ast
import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make_graph  # noqa: E402

SMALL, OPEN = 10_000, 1_000_000  # nodes; of the text that the program opens
missed = False


def timed(work, runs, prepare=lambda: None):
    """Least seconds of work(prepare()); preparing and the end of the results are not counted."""
    best, kept = None, []
    for _ in range(runs):
        what = prepare()
        start = time.process_time()
        kept.append(work(what))
        spent = time.process_time() - start
        best = spent if best is None else min(best, spent)
    return best


def wall(command, runs):
    """Least seconds between the start and the end of a program, or None when it failed."""
    best = None
    for _ in range(runs):
        start = time.perf_counter()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        spent = time.perf_counter() - start
        if done.returncode:
            return None
        best = spent if best is None else min(best, spent)
    return best


def verdict(ok):
    global missed
    missed = missed or not ok
    return "ok" if ok else "MISSED"


def ratio(what, theirs, ours, nodes, goal=None):
    """One row: microseconds a node of both sides, and how many times as fast Descry is."""
    us = lambda s: f"{s / nodes * 1e6:9.3f}"
    judged = f"  goal: at least {goal}  {verdict(theirs / ours >= goal)}" if goal else ""
    print(f"{what:46} {us(theirs)} {us(ours)} {theirs / ours:8.1f}x{judged}", flush=True)


def most(what, value, unit, goal, digits=2):
    print(f"{what:46} {value:9.{digits}f} {unit}  goal: at most {goal}  {verdict(value <= goal)}", flush=True)


def torch_side(path, wanted):
    """Runs inside a Python that has torch: prints the seconds of each piece of wanted work as JSON."""
    import copy
    import re
    import tracemalloc
    import torch
    from torch._functorch.compile_utils import fx_graph_cse

    text = open(path, encoding="utf-8").read()
    inputs = re.findall(r"^        (\w+): \"[^\"]*\"  # ", text, re.M)
    calls = re.findall(r"^        (\w+): \"[^\"]*\" = torch\.ops\.aten\.(\w+)\.(\w+)\((.*?)\)(?:;.*)?$", text, re.M)
    returned = re.findall(r"^            (\w+),  # ", text, re.M)
    values = set(inputs) | {c[0] for c in calls}
    parsed = []
    for name, op, overload, arguments in calls:
        parts = re.findall(r"\[[^\]]*\]|[\w.]+", arguments)
        parsed.append((name, getattr(getattr(torch.ops.aten, op), overload),
                       [(a, None) if a in values else (None, ast.literal_eval(a)) for a in parts]))

    def build(_=None):
        # Only torch.fx works here: the text was taken apart above.
        g = torch.fx.Graph()
        env = {n: g.placeholder(n) for n in inputs}
        for name, target, arguments in parsed:
            env[name] = g.call_function(target, tuple(env[a] if a else constant for a, constant in arguments))
        g.output(tuple(env[n] for n in returned))
        return g

    gc.disable()
    out, g = {"version": torch.__version__}, build()
    out["nodes"] = len(g.nodes)
    if "construct" in wanted:
        out["construct"] = timed(build, 3)
    if "print" in wanted:
        gm = torch.fx.GraphModule({}, g)
        out["print"] = timed(lambda _: gm.print_readable(print_output=False), 2)
    if "copy" in wanted:
        out["copy"] = timed(lambda _: copy.deepcopy(g), 5)
    if "cse" in wanted:
        out["cse"] = timed(lambda _: fx_graph_cse(g), 5)
        out["merged"] = len(g.nodes) - len(fx_graph_cse(g).nodes)
    if "dce" in wanted:
        out["dce"] = timed(lambda own: own.eliminate_dead_code(), 5, build)
        own = build()
        own.eliminate_dead_code()
        out["dead"] = len(g.nodes) - len(own.nodes)
    if "bytes" in wanted:
        tracemalloc.start()
        kept = build()
        out["bytes"] = tracemalloc.get_traced_memory()[0] / len(kept.nodes)
    print(json.dumps(out))


def torch_python():
    for p in (os.environ.get("DESCRY_TORCH_PYTHON"), sys.executable):
        if p and shutil.which(p) and subprocess.run([p, "-c", "import torch"], stdout=subprocess.DEVNULL,
                                                    stderr=subprocess.DEVNULL).returncode == 0:
            return p
    return None


def answer(command):
    p = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if p.returncode:
        sys.exit(f"error: {' '.join(command)} failed")
    return json.loads(p.stdout.splitlines()[-1])


def main():
    if sys.argv[1:2] == ["--torch-side"]:
        return torch_side(sys.argv[2], sys.argv[3].split(","))
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--descry", required=True)
    ap.add_argument("--graph-bench", required=True)
    ap.add_argument("--nodes", type=int, default=100_000, help="of the graph that is read and printed")
    a = ap.parse_args()
    sys.setrecursionlimit(100_000)
    gc.disable()
    python = torch_python()
    with tempfile.TemporaryDirectory() as tmp:
        def made(name, nodes, twice=False):
            path = os.path.join(tmp, name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(make_graph.make(nodes, twice))
            return path

        def both(path, wanted):
            # Descry's side before and after the other, so that a busy moment does not fall on one side alone.
            before = answer([a.graph_bench, "--json", path])
            theirs = python and answer([python, os.path.abspath(__file__), "--torch-side", path, wanted])
            after = answer([a.graph_bench, "--json", path])
            ours = {k: min(before[k], after[k]) for k in before}
            if theirs and theirs["nodes"] != ours["nodes"]:
                sys.exit(f"error: torch.fx has {theirs['nodes']} nodes, Descry {ours['nodes']}")
            return ours, theirs, ours["nodes"]

        path = made("large.txt", a.nodes)
        ours, theirs, n = both(path, "construct,print,bytes")
        print(f"Joint graph of {n} nodes, {ours['megabytes']:.1f} MB of text")
        header = f"{'us a node':46} {'other':>9} {'descry':>9} {'ratio':>9}"
        print(header)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        ratio("ast.parse / import", timed(lambda _: ast.parse(text) and None, 2), ours["import"], n, 20)
        if theirs:
            print(f"torch {theirs['version']}")
            ratio("torch.fx building the graph / import", theirs["construct"], ours["import"], n, 20)
            ratio("torch.fx print_readable / print", theirs["print"], ours["print"], n, 50)
            print(f"{'torch.fx memory of a node':46} {theirs['bytes']:9.0f} bytes")
        else:
            print("torch.fx: left out, PyTorch cannot be imported (DESCRY_TORCH_PYTHON names a Python that can)")
        most("Descry's memory of a node", ours["bytes_per_node"], "bytes", 500, 0)

        if theirs:
            for twice, wanted in ((False, "copy,cse,dce"), (True, "cse,dce")):
                ours, theirs, n = both(made("small.txt", SMALL, twice), wanted)
                kind = ", every second call twice" if twice else ""
                print(f"Joint graph of {n} nodes{kind}")
                print(header)
                if "copy" in theirs:
                    ratio("torch.fx deepcopy / copy that shares nothing", theirs["copy"], ours["copy"], n, 50)
                merged, dead = (f"{theirs[k]} / {ours[k]}" for k in ("merged", "dead"))
                ratio(f"torch.fx cse / cse ({merged} merged)", theirs["cse"], ours["cse"], n, 50)
                ratio(f"torch.fx dce / dce ({dead} removed)", theirs["dce"], ours["dce"], n, 50)

        print("The whole program, wall seconds from the start of the process")
        small, open_path = wall([a.descry, "--version"], 3), made("open.txt", OPEN)
        whole = {"show": wall([a.descry, "show", path], 3), "info": wall([a.descry, "info", open_path], 3)}
        if None in whole.values():
            sys.exit(f"error: {a.descry} failed")
        print(f"{'start (descry --version)':46} {small:9.2f} s")
        print(f"{f'read and print {a.nodes} nodes (descry show)':46} {whole['show']:9.2f} s")
        most(f"open {OPEN} nodes (descry info)", whole["info"], "s", 5)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
