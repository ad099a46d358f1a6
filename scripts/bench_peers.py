#!/usr/bin/env python3
"""Times other programs on the same work as Descry in one run, and prints the ratios.

    bench_peers.py --descry PATH [--nodes N] [--dot SECONDS]

Always: CPython's ast.parse on the same FX text. When Graphviz is there: `dot` on a small joint graph. When PyTorch can
be imported (by this Python, or by the one that DESCRY_TORCH_PYTHON names): torch.fx building, printing and copying the
same graph, merging common nodes in it and removing dead ones.

Descry's side is the whole program (start, reading, parsing, printing); the figures of its parts come from the
benchmarks in build/release/bench. Times are the smallest of some runs, in processor seconds.
"""
import argparse
import ast
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make_graph  # noqa: E402


def child_seconds(command, runs=3, limit=None):
    """Smallest user + system seconds of a child process, or None when it failed or ran past `limit`."""
    best = None
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           timeout=limit, check=True)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError, OSError):
            return None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = spent if best is None else min(best, spent)
    return best


def timed(f, runs=3):
    best = None
    for _ in range(runs):
        start = time.process_time()
        f()
        spent = time.process_time() - start
        best = spent if best is None else min(best, spent)
    return best


def row(what, theirs, ours, note=""):
    ratio = f"{theirs / ours:8.1f}x" if theirs and ours else "       -"
    fmt = lambda s: f"{s:9.3f} s" if s is not None else "        -  "
    print(f"{what:44} {fmt(theirs)} {fmt(ours)} {ratio}  {note}".rstrip(), flush=True)


def torch_side(path):
    """Runs inside a Python that has torch: prints the seconds of each piece of work as JSON."""
    import copy
    import gc
    import re
    import tracemalloc
    import torch
    from torch._functorch.compile_utils import fx_graph_cse

    text = open(path, encoding="utf-8").read()
    inputs = re.findall(r"^        (\w+): \"[^\"]*\"  # ", text, re.M)
    calls = re.findall(r"^        (\w+): \"[^\"]*\" = torch\.ops\.aten\.(\w+)\.(\w+)\((.*?)\)(?:;.*)?$", text, re.M)
    returned = re.findall(r"^            (\w+),  # ", text, re.M)
    parsed = []
    for name, op, overload, arguments in calls:
        target = getattr(getattr(torch.ops.aten, op), overload)
        parsed.append((name, target, re.findall(r"\[[^\]]*\]|[\w.]+", arguments)))

    def build():
        g = torch.fx.Graph()
        env = {n: g.placeholder(n) for n in inputs}
        for name, target, arguments in parsed:
            env[name] = g.call_function(target, tuple(env[a] if a in env else ast.literal_eval(a) for a in arguments))
        g.output(tuple(env[n] for n in returned))
        return g

    gc.disable()
    out = {"construct": timed(build)}
    gm = torch.fx.GraphModule({}, build())
    out["print"] = timed(lambda: gm.print_readable(print_output=False), 2)
    out["copy"] = timed(lambda: copy.deepcopy(gm.graph))
    out["cse"] = timed(lambda: fx_graph_cse(gm.graph))
    out["dce"] = timed(lambda: gm.graph.eliminate_dead_code())
    del gm
    gc.collect()
    tracemalloc.start()
    g = build()
    out["bytes"] = tracemalloc.get_traced_memory()[0]
    out["nodes"] = len(g.nodes)
    out["version"] = torch.__version__
    print(json.dumps(out))


def torch_python():
    for p in (os.environ.get("DESCRY_TORCH_PYTHON"), sys.executable):
        if p and shutil.which(p) and subprocess.run([p, "-c", "import torch"], stdout=subprocess.DEVNULL,
                                                    stderr=subprocess.DEVNULL).returncode == 0:
            return p
    return None


def main():
    if sys.argv[1:2] == ["--torch-side"]:
        return torch_side(sys.argv[2])
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--descry", required=True)
    ap.add_argument("--nodes", type=int, default=100_000)
    ap.add_argument("--dot", type=int, default=60, metavar="SECONDS", help="limit for each run of dot; 0 leaves it out")
    a = ap.parse_args()
    sys.setrecursionlimit(100_000)
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "joint.txt")
        text = make_graph.make(a.nodes)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        print(f"Joint graph of {a.nodes} nodes, {len(text) / 1e6:.1f} MB of text")
        print(f"{'':44} {'other':>11} {'descry':>11} {'ratio':>9}")
        start = child_seconds([a.descry, "--version"])
        show = child_seconds([a.descry, "show", path])
        if show is None:
            print(f"error: {a.descry} show failed", file=sys.stderr)
            return 1
        row("ast.parse / descry show (parse and print)", timed(lambda: ast.parse(text), 2), show)
        row("starting descry", None, start)

        python = torch_python()
        if python:
            p = subprocess.run([python, os.path.abspath(__file__), "--torch-side", path], stdout=subprocess.PIPE, text=True)
            if p.returncode == 0:
                t = json.loads(p.stdout.splitlines()[-1])
                n = t["nodes"]
                print(f"torch {t['version']}, {n} nodes, {t['bytes'] / n:.0f} bytes a node")
                for key, what in (("construct", "torch.fx: build the graph"), ("print", "torch.fx: print_readable"),
                                  ("copy", "torch.fx: copy"), ("cse", "torch.fx: merge common nodes"),
                                  ("dce", "torch.fx: remove dead nodes")):
                    row(what, t[key], show if key in ("construct", "print") else None, f"{t[key] / n * 1e6:.2f} us a node")
        else:
            print("torch.fx: left out, PyTorch cannot be imported (DESCRY_TORCH_PYTHON names a Python that can)")

        if a.dot and shutil.which("dot"):
            small, dot = os.path.join(tmp, "small.txt"), os.path.join(tmp, "small.dot")
            for nodes in (100, 300):
                with open(small, "w", encoding="utf-8") as f:
                    f.write(make_graph.make(nodes))
                if child_seconds([a.descry, "export", small, "--format", "dot", "-o", dot], 1) is None:
                    print("dot: left out, this descry is built without Graphviz")
                    break
                theirs = child_seconds(["dot", "-Tsvg", dot, "-o", os.devnull], 1, a.dot)
                ours = child_seconds([a.descry, "export", small, "--format", "svg", "-o", os.path.join(tmp, "small.svg")])
                row(f"dot -Tsvg / descry export svg, {nodes} nodes", theirs, ours,
                    "" if theirs else f"dot did not end in {a.dot} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
