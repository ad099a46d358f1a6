#!/usr/bin/env python3
"""Rebuilds the AOT graphs of every log that holds a captured graph and what PyTorch made of it, and compares.

    compare_logs.py --descry PATH --shared DIR [--list]

Looks through DIR/corpus without corpus/reference, which tools/fidelity.py judges. Such a log does not say which
partitioner and which decompositions its backend used: each is tried, and the one that agrees counts, else the one with the
fewest differences. A text log does not say either which inputs require gradients: none is tried too. Graphs that differ for a known cause are named in KNOWN; docs/fidelity.md has the
same list in words. Exit 1 when another graph differs, or when a known one agrees.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

BACKENDS = [["--partition", "default"], ["--partition", "min-cut"],
            ["--partition", "min-cut", "--decompositions", "inductor"],
            ["--partition", "min-cut", "--decompositions", "inductor", "--keep-input-mutations", "on"]]
MADE = {"aot_joint_graph", "aot_forward_graph", "aot_inference_graph"}
OLD = "an older PyTorch decomposes it another way"
SIZES = "two sizes have other names and one slice stands elsewhere; not traced to its cause"
GRADIENTS = "a log of 2024 does not say that no input requires a gradient, and calls the inference graph forward"
LIST = "compiled autograd hands over a list of tensors, whose types the captured graph does not write"
# Part of the path, and why the graphs of that log cannot agree.
KNOWN = {
    "logs/torch_compile_debug.dynamic_shapes/": SIZES,
    "logs/torch_trace.compiled_autograd/dedicated_log_torch_trace_orzpokh5.log::!": LIST,
    "torch_trace/artifacts.log": GRADIENTS,
    "torch_trace/inductor_provenance_jit_debug_handle_log.txt": OLD,
    "torch_trace/simple_corrupted_json.log": OLD,
    "rank_0_a74od7a1.log::0/0:": OLD,
    "rank_1_fglwclht.log::0/0:": OLD,
}


def logs(corpus):
    for root, _, names in sorted(os.walk(corpus)):
        if os.path.join(corpus, "reference") in root:
            continue
        for name in sorted(names):
            if name.endswith((".log", ".txt", ".gz")):
                yield os.path.join(root, name)


def captured(descry, path):
    """Ids of the captured graphs with a graph that AOT autograd made of them."""
    p = subprocess.run([descry, "info", path, "--json"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    try:
        graphs = json.loads(p.stdout)["graphs"]
    except (ValueError, KeyError):
        return []
    compiles = collections.defaultdict(list)
    for g in graphs:
        compiles[g.get("compile_id"), g.get("rank")].append(g)
    return [g["id"] for group in compiles.values() if MADE & {g["kind"] for g in group}
            for g in group if g["kind"] == "dynamo_output_graph"]


def compare(descry, path, graph):
    """-> (differences, text) of the best backend; 0 differences: equal."""
    best = None
    for backend in BACKENDS + [[*b, "--requires-grad", "none"] for b in BACKENDS]:
        p = subprocess.run([descry, "aot", f"{path}::{graph}", "--compare", *backend], stdin=subprocess.DEVNULL,
                           capture_output=True, text=True)
        if p.returncode == 0:
            return 0, ""
        text = (p.stdout + p.stderr).strip()
        size = sum(map(int, re.findall(r"(\d+) (?:added|removed|changed|moved|renamed)", text))) or 10**6
        if best is None or size < best[0]:
            best = size, " ".join(backend) + "\n" + text
    return best


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--descry", required=True)
    ap.add_argument("--shared", required=True)
    ap.add_argument("--list", action="store_true", help="print the differences")
    a = ap.parse_args()
    corpus = os.path.join(a.shared, "corpus")
    work = [(path, graph) for path in logs(corpus) for graph in captured(a.descry, path)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda w: compare(a.descry, *w), work))
    wrong = equal = 0
    for (path, graph), (size, text) in zip(work, results):
        name = f"{os.path.relpath(path, corpus)}::{graph}"
        cause = next((c for part, c in KNOWN.items() if part in name), None)
        equal += size == 0
        if (size == 0) != (cause is None):
            wrong += 1
            print(f"{name}: " + ("agrees now: take it out of KNOWN" if cause else "differs"))
        elif cause:
            print(f"{name}: differs, {cause}")
        if a.list and size:
            print("    " + text.replace("\n", "\n    "))
    print(f"{equal} of {len(work)} captured graphs become the graphs that PyTorch made of them")
    return 1 if wrong or not work else 0


if __name__ == "__main__":
    sys.exit(main())
