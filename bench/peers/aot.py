#!/usr/bin/env python3
"""Times PyTorch's AOT autograd and Descry's on the same models in one run, and prints the ratio beside its goal.

    aot.py --aot-bench PATH [--nodes N...]        run by a Python that has torch; joint nodes (default 1000 5000)

Each model is captured once by dynamo. PyTorch's side is its own joint trace and min-cut partition of that capture, in
processor seconds by its own timers (metadata collection is counted on Descry's side and left out on PyTorch's). Descry's
side is aot_bench on the printed capture, before and after. Least of some rounds. Exit code 1 when a goal is missed.
"""
import argparse
import gc
import json
import math
import os
import subprocess
import sys
import tempfile
import time

import torch
import torch._dynamo
import torch._dynamo.backends.debugging as debugging
import torch._dynamo.utils as dynamo_utils

GOAL = 100


class Linears(torch.nn.Module):
    def __init__(self, count):
        super().__init__()
        self.parts = torch.nn.ModuleList(torch.nn.Linear(16, 16) for _ in range(count))

    def forward(self, x):
        for part in self.parts:
            x = part(x).relu()
        return x


class Attention(torch.nn.Module):
    WIDTH, HEADS = 32, 4

    def __init__(self):
        super().__init__()
        w = self.WIDTH
        self.first, self.second = torch.nn.LayerNorm(w), torch.nn.LayerNorm(w)
        self.project, self.join = torch.nn.Linear(w, 3 * w), torch.nn.Linear(w, w)
        self.widen, self.narrow = torch.nn.Linear(w, 4 * w), torch.nn.Linear(4 * w, w)

    def forward(self, x):
        n, length, w = x.shape
        head = w // self.HEADS
        q, k, v = self.project(self.first(x)).view(n, length, 3, self.HEADS, head).permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax((q @ k.transpose(-1, -2)) / math.sqrt(head), -1)
        x = x + self.join((weights @ v).transpose(1, 2).reshape(n, length, w))
        return x + self.narrow(torch.nn.functional.gelu(self.widen(self.second(x))))


def stack(count):
    return torch.nn.Sequential(*(Attention() for _ in range(count)))


class Captured(Exception):
    pass


class ProcessorClock:
    """Stands in for `time` where PyTorch times itself."""
    time_ns = staticmethod(time.process_time_ns)

    def __getattr__(self, name):
        return getattr(time, name)


def compile_once(model, x):
    """Seconds of joint trace and partition, joint nodes, and the capture as text."""
    found = {}
    partition = debugging.min_cut_rematerialization_partition

    def timed_partition(joint, *args, **kwargs):
        found["nodes"] = len(joint.graph.nodes)
        start = time.process_time()
        parts = partition(joint, *args, **kwargs)
        found["partition"] = time.process_time() - start
        return parts

    def backend(captured, inputs, **kwargs):
        found["text"] = captured.print_readable(print_output=False, include_stride=True, include_device=True)
        torch._dynamo.backends.registry.lookup_backend("aot_eager")(captured, inputs, **kwargs)

        def stop(*_):
            raise Captured
        return stop

    torch._dynamo.reset()
    dynamo_utils.compilation_time_metrics.clear()
    gc.collect()
    clock, dynamo_utils.time = dynamo_utils.time, ProcessorClock()
    debugging.min_cut_rematerialization_partition = timed_partition
    try:
        with torch._functorch.config.patch(enable_autograd_cache=False):
            torch.compile(model, backend=backend)(x)
    except Captured:
        pass
    finally:
        dynamo_utils.time, debugging.min_cut_rematerialization_partition = clock, partition
    found["joint"] = sum(dynamo_utils.compilation_time_metrics["aot_trace_joint_graph"])
    return found


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--aot-bench", required=True)
    ap.add_argument("--nodes", type=int, nargs="*", default=[1000, 5000])
    a = ap.parse_args()
    torch.set_num_threads(1)
    missed = False
    print(f"torch {torch.__version__}; microseconds a joint node")
    print(f"{'model':12} {'joint nodes':>11} {'torch joint':>12} {'torch cut':>10} {'descry joint':>13} {'descry cut':>11} {'ratio':>7}")
    for name, make, x in (("mlp", Linears, torch.randn(8, 16)), ("transformer", stack, torch.randn(2, 8, 32))):
        few, more = (compile_once(make(n), x)["nodes"] for n in (2, 4))
        for want in a.nodes:
            model = make(max(1, round((want - few) / ((more - few) / 2)) + 2))

            def ours(text):
                with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as f:
                    f.write(text)
                done = subprocess.run([a.aot_bench, "--json", f.name], capture_output=True, text=True)
                os.unlink(f.name)
                if done.returncode:
                    sys.exit(f"error: aot_bench failed: {done.stderr.strip()}")
                return json.loads(done.stdout)

            first = compile_once(model, x)
            before = ours(first["text"])
            runs = [first] + [compile_once(model, x) for _ in range(2)]
            after = ours(first["text"])
            theirs = {k: min(r[k] for r in runs) for k in ("joint", "partition")}
            mine = {k: min(before[k], after[k]) for k in ("joint", "partition")}
            n = first["nodes"]
            if abs(before["nodes"] - n) > 1:  # PyTorch counts the same nodes
                sys.exit(f"error: PyTorch's joint graph has {n} nodes, Descry's {before['nodes']}")
            ratio = (theirs["joint"] + theirs["partition"]) / (mine["joint"] + mine["partition"])
            ok = ratio >= GOAL
            missed = missed or not ok
            print(f"{name:12} {n:11} {theirs['joint'] / n * 1e6:12.0f} {theirs['partition'] / n * 1e6:10.0f} "
                  f"{mine['joint'] / n * 1e6:13.2f} {mine['partition'] / n * 1e6:11.2f} {ratio:7.0f}   "
                  f"goal: {GOAL}  {'ok' if ok else 'MISSED'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
