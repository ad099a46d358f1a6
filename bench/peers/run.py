#!/usr/bin/env python3
"""Times running graphs: PyTorch eager, torch.compile (Inductor) and Descry's plan, by turns in one run.

    run.py --plan-bench PATH [--python PYTHON] [--threads 1,2] [--heap huge,system] [--rounds N]
           [--json FILE] [--markdown FILE] [CASE...]

--python names a Python that has torch; without it one is made in a virtual environment (--venv FOLDER, by default
build/peers-venv) with pip. CASE: only cases whose name contains one of these.

Each case is captured once: dynamo takes the model, AOT autograd makes it a graph of aten ops (with the backward: its
joint graph), and that graph runs in plan_bench, a program that stays open. Before anything is timed its results and
gradients are compared with eager's; where they differ nothing is timed and the run ends with 1.

Every round calls eager, Inductor and Descry one after the other with the same number of threads, each once untimed first. Ratios are medians
over rounds of the other's time by Descry's in one round: above 1 Descry is faster. "best" is the faster of both in
the median. Heaps: `huge` keeps memory of both sides and puts it in huge pages (GLIBC_TUNABLES), `system` is what glibc
does by itself. GB/s counts each input read once and each output written once.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

TUNABLES = ("glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4294967296:"
            "glibc.malloc.trim_threshold=8589934592")
N16 = 16 << 20
HERE = os.path.dirname(os.path.abspath(__file__))


# ---- cases

class Case:
    """`make()` gives a function or module and its arguments. `train`: with the gradients of all that require them."""

    def __init__(self, name, make, train=False, bytes=None, flops=None, per=None, goal=1.0, memory=False):
        self.name, self.make, self.train, self.bytes, self.flops = name, make, train, bytes, flops
        self.per, self.goal, self.memory = per, goal, memory


def all_cases(torch):
    nn, fn, aten = torch.nn, torch.nn.functional, torch.ops.aten
    r = torch.randn

    def memory_chain(x, y):
        v = torch.relu((x + 0.5) * 1.25) - y
        v = (torch.abs(v) * y).clamp_min(0.1)
        v = (y - v) * 0.75
        return v * v + 0.25

    def chain(x):
        y = torch.tanh(x * 1.5 + 0.25)
        y = torch.relu(y * x - 0.5) + x
        y = torch.sigmoid(y) * 2.0
        return torch.sqrt(torch.abs(y)) + 1.0

    class Block(nn.Module):
        def __init__(self, d=768, h=12):
            super().__init__()
            self.h = h
            self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
            self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
            self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

        def forward(self, x):
            b, t, d = x.shape
            q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4).unbind(0)
            a = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(d // self.h), -1) @ v
            x = x + self.out(a.transpose(1, 2).reshape(b, t, d))
            return x + self.down(fn.gelu(self.up(self.n2(x))))

    class Fused(Block):
        def forward(self, x):
            b, t, d = x.shape
            q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4).unbind(0)
            a = fn.scaled_dot_product_attention(q, k, v)
            x = x + self.out(a.transpose(1, 2).reshape(b, t, d))
            return x + self.down(fn.gelu(self.up(self.n2(x))))

    class Conv(nn.Module):
        def __init__(self, c=64):
            super().__init__()
            self.c1, self.c2 = (nn.Conv2d(c, c, 3, padding=1, bias=False) for _ in range(2))
            self.b1, self.b2 = nn.BatchNorm2d(c), nn.BatchNorm2d(c)

        def forward(self, x):
            return torch.relu(x + self.b2(self.c2(torch.relu(self.b1(self.c1(x))))))

    class Embed(nn.Module):
        def __init__(self):
            super().__init__()
            self.e, self.n = nn.Embedding(30522, 768), nn.LayerNorm(768)

        def forward(self, i):
            return self.n(self.e(i))

    def small(x, w, b):
        for _ in range(50):
            x = torch.relu(torch.mm(x, w) + b).view(8, 8)
        return x

    def small_pointwise(x, y):
        for _ in range(100):
            x = (x + y) * 0.5
        return x

    t, d = 512, 768
    block = 2 * t * d * 12 * d + 4 * t * t * d
    conv = 2 * 2 * 8 * 56 * 56 * 64 * 64 * 9
    tokens = lambda: torch.randint(0, 30522, (8, 512))
    x = lambda: r(1, t, d).requires_grad_()
    image = lambda: r(8, 64, 56, 56)
    mlp = lambda: nn.Sequential(nn.Linear(768, 3072), nn.GELU(), nn.Linear(3072, 768))
    yield Case("chain of 12, memory-bound, 16M", lambda: (memory_chain, (r(N16), r(N16))), bytes=12 * N16)
    yield Case("chain of 12 with tanh and sigmoid, 16M", lambda: (chain, (r(N16),)), bytes=8 * N16)
    yield Case("gelu(x*a+b)*c, 16M", lambda: (lambda x, a, b, c: fn.gelu(x * a + b) * c, tuple(r(N16) for _ in range(4))),
               bytes=20 * N16)
    yield Case("layer_norm [4096,4096]", lambda: (lambda x, w, b: fn.layer_norm(x, (4096,), w, b),
                                                 (r(4096, 4096), r(4096), r(4096))), bytes=8 * N16)
    yield Case("softmax [4096,4096]", lambda: (lambda x: torch.softmax(x, -1), (r(4096, 4096),)), bytes=8 * N16)
    yield Case("sum over 0 of [4096,4096]", lambda: (lambda x: x.sum(0), (r(4096, 4096),)), bytes=4 * N16)
    yield Case("sum over 1 of [4096,4096]", lambda: (lambda x: x.sum(1), (r(4096, 4096),)), bytes=4 * N16)
    for n in (1024, 2048):
        yield Case(f"matmul {n}", lambda n=n: (lambda a, b: a @ b, (r(n, n), r(n, n))), flops=2 * n ** 3, goal=0.95)
    yield Case("linear+gelu+linear 512x768x3072", lambda: (mlp(), (r(512, 768),)), flops=4 * 512 * 768 * 3072, goal=0.95)
    yield Case("residual conv block, forward", lambda: (Conv().eval(), (image(),)), flops=conv, goal=0.95)
    yield Case("residual conv block, training step", lambda: (Conv(), (image().requires_grad_(),)), train=True,
               flops=3 * conv, goal=0.95, memory=True)
    yield Case("transformer block, forward", lambda: (Block(), (r(1, t, d),)), flops=block, goal=0.95)
    yield Case("transformer block, training step", lambda: (Block(), (x(),)), train=True, flops=3 * block, goal=0.95,
               memory=True)
    yield Case("transformer block with SDPA, training step", lambda: (Fused(), (x(),)), train=True, flops=3 * block,
               goal=0.95, memory=True)
    yield Case("linear+gelu+linear, training step", lambda: (mlp(), (r(512, 768).requires_grad_(),)), train=True,
               flops=12 * 512 * 768 * 3072, goal=0.95, memory=True)
    yield Case("embedding+layer_norm 8x512x768", lambda: (Embed(), (tokens(),)), bytes=8 * 8 * 512 * 768)
    yield Case("embedding+layer_norm, training step", lambda: (Embed(), (tokens(),)), train=True, memory=True)
    yield Case("200 nodes of 8x8: mm, add, relu, view", lambda: (small, (r(8, 8), r(8, 8) * 0.3, r(8, 8))), per=200)
    yield Case("200 nodes of 8x8: pointwise", lambda: (small_pointwise, (r(8, 8), r(8, 8))), per=200)


# ---- capturing

def capture(torch, model, args, train):
    """The graph of aten ops that AOT autograd makes, and the tensors that it takes, by placeholder."""
    from torch._dynamo.backends.common import aot_autograd
    from torch._functorch.partitioners import default_partition
    found = {}

    def backend(captured, example, **_):
        def keep(graph, inputs):
            found.setdefault("graph", graph)
            return graph

        def cut(joint, inputs, **kwargs):
            import copy
            found["graph"] = copy.deepcopy(joint)
            return default_partition(joint, inputs, **kwargs)
        inner = aot_autograd(fw_compiler=keep, bw_compiler=lambda g, i: g, inference_compiler=keep,
                             partition_fn=cut)(captured, example)

        def run(*given):
            # Copies: what is written is compared from the same start.
            found["given"] = [v.detach().clone() for v in given]
            return inner(*given)
        return run

    torch._dynamo.reset()
    with torch._functorch.config.patch(enable_autograd_cache=False), torch.set_grad_enabled(train):
        out = torch.compile(model, backend=backend, fullgraph=True)(*args)
    graph, tensors = found["graph"], list(found["given"])
    placeholders = [n for n in graph.graph.nodes if n.op == "placeholder"]
    flat = [out] if isinstance(out, torch.Tensor) else list(out)
    if train:  # the gradients of the outputs follow the inputs
        tensors += [torch.ones_like(o) for o in flat if o.requires_grad]
    if len(placeholders) != len(tensors):
        sys.exit(f"error: the graph takes {len(placeholders)} inputs, captured are {len(tensors)}")
    text = graph.print_readable(print_output=False, include_stride=True, include_device=True)
    return text, {p.name: t.contiguous() if t.layout == torch.strided else t for p, t in zip(placeholders, tensors)}


def step_of(torch, model, args, train, compiled=False):
    """A call as users make it: forward, or a training step that gives the gradients back."""
    call = torch.compile(model) if compiled else model
    leaves = [v for v in args if isinstance(v, torch.Tensor) and v.requires_grad]
    if isinstance(model, torch.nn.Module):
        leaves += [p for p in model.parameters() if p.requires_grad]
    if not train:
        def forward():
            with torch.no_grad():
                return [call(*args)]
        return forward

    def step():
        out = call(*args)
        out.backward(torch.ones_like(out))
        made = [out.detach()] + [v.grad for v in leaves]
        for v in leaves:
            v.grad = None
        return made
    return step


def agreement(torch, want, have):
    """Each tensor of `want` stands among those of `have`; the largest difference, as a share of what is allowed."""
    have, worst = list(have), 0.0
    for w in want:
        errors = []
        for i, h in enumerate(have):
            if h.shape != w.shape or h.dtype != w.dtype:
                continue
            scale = max(1.0, float(w.abs().max())) if w.numel() else 1.0
            errors.append((float((w - h).abs().max()) / (scale * 2e-4) if w.numel() else 0.0, i))
        if not errors:
            return math.inf
        error, at = min(errors)
        if not error <= 1:
            return error if error == error else math.inf
        worst = max(worst, error)
        have.pop(at)
    return worst


def peak_of_eager(torch, step):
    """Bytes of tensors that one step holds at most, by PyTorch's own record of allocations."""
    from torch.profiler import ProfilerActivity, profile
    step()
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as p:
        step()
    held = peak = 0
    events = [e for e in p.profiler.kineto_results.events() if e.name() == "[memory]"]
    for e in sorted(events, key=lambda e: e.start_ns()):
        held += e.nbytes()
        peak = max(peak, held)
    return peak


# ---- Descry

class Descry:
    def __init__(self, program, threads):
        env = dict(os.environ, DESCRY_THREADS=str(threads))
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)

    def ask(self, *words):
        self.process.stdin.write(" ".join(str(w) for w in words) + "\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline().strip()
        if not said.startswith("ok"):
            raise RuntimeError(f"plan_bench: {words[0]}: {said or 'it ended'}")
        return said[3:]

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)


def child(o):
    import torch
    from safetensors.torch import load_file, save_file
    threads = int(o.threads)
    torch.set_num_threads(threads)
    descry = Descry(o.plan_bench, threads)
    copies = [float(descry.ask("copy", 4 * N16, 1)) for _ in range(9)]
    roof = 8 * N16 / min(copies[2:]) * 1e-9
    descry.ask("drop", "copy")
    rows = []
    for case in all_cases(torch):
        if o.case and not any(c.lower() in case.name.lower() for c in o.case):
            continue
        torch.manual_seed(0)
        model, args = case.make()
        text, tensors = capture(torch, model, args, case.train)
        eager = step_of(torch, model, args, case.train)
        with tempfile.TemporaryDirectory() as folder:
            graph, inputs, out = (os.path.join(folder, n) for n in ("graph.txt", "in.safetensors", "out.safetensors"))
            with open(graph, "w") as f:
                f.write(text)
            if o.keep:
                os.makedirs(o.keep, exist_ok=True)
                stem = os.path.join(o.keep, "".join(c if c.isalnum() else "_" for c in case.name))
                with open(stem + ".txt", "w") as f:
                    f.write(text)
                save_file(tensors, stem + ".safetensors")
            save_file(tensors, inputs)
            started = time.perf_counter()
            about = descry.ask("load", "g", graph, inputs)
            planned = time.perf_counter() - started
            want = [t.detach().clone() for t in eager()]
            worst = 0.0
            for what in ("plan", "interpret"):
                descry.ask("save", "g", what, out)
                worst = max(worst, agreement(torch, want, load_file(out).values()))
        row = {"case": case.name, "threads": threads, "heap": o.heap, "goal": case.goal, "plan": about,
               "difference": worst, "roof_gbs": roof, "descry_plan_s": planned}
        rows.append(row)
        if worst > 1:
            row["void"] = True
            print(f"{case.name}: results differ, {worst:.3g} times what is allowed", file=sys.stderr, flush=True)
            descry.ask("drop", "g")
            continue
        if case.memory:
            row["peak_eager"] = peak_of_eager(torch, eager)
            row["peak_plan"] = int(descry.ask("peak", "g", "plan"))
            row["peak_interpret"] = int(descry.ask("peak", "g", "interpret"))
        started = time.perf_counter()
        torch._dynamo.reset()
        inductor = step_of(torch, model, args, case.train, compiled=True)
        inductor()
        row["inductor_compile_s"] = time.perf_counter() - started
        if case.train is False and agreement(torch, want, inductor()) > 1:
            print(f"{case.name}: note: Inductor differs from eager", file=sys.stderr)

        def torch_side(f):
            def timed(calls):
                started = time.perf_counter()
                for _ in range(calls):
                    f()
                return (time.perf_counter() - started) / calls
            return timed
        jobs = {"eager": torch_side(eager), "inductor": torch_side(inductor),
                "descry": lambda calls: float(descry.ask("run", "g", calls))}
        if case.per:
            jobs["interpret"] = lambda calls: float(descry.ask("interpret", "g", calls))
        calls = {}
        for k, job in jobs.items():
            job(1)
            calls[k] = max(1, min(1000, int(0.02 / max(job(1), 1e-7))))
            job(calls[k])
        times = {k: [] for k in jobs}
        end = time.perf_counter() + o.seconds
        for number in range(o.rounds):
            if number >= 5 and time.perf_counter() > end:
                break
            for k, job in jobs.items():
                # Threads of the side before go to sleep.
                time.sleep(0.004)
                # The side before has filled the caches: eager and Inductor share inputs, Descry has its own.
                job(1)
                times[k].append(job(calls[k]))
        for k, v in times.items():
            row[k + "_s"], row[k + "_min_s"] = statistics.median(v), min(v)
        for other in ("eager", "inductor"):
            row["vs_" + other] = statistics.median(a / b for a, b in zip(times[other], times["descry"]))
        row["vs_best"] = min(row["vs_eager"], row["vs_inductor"])
        row["rounds"] = len(times["eager"])
        if case.bytes:
            row["gbs"] = case.bytes / row["descry_s"] * 1e-9
        if case.flops:
            row["gflops"] = case.flops / row["descry_s"] * 1e-9
        if case.per:
            row["per"] = case.per
        descry.ask("drop", "g")
        print(f"{case.name}: {row['vs_best']:.2f} (eager {row['vs_eager']:.2f}, inductor {row['vs_inductor']:.2f}), "
              f"{row['eager_s'] * 1e3:.3f} / {row['inductor_s'] * 1e3:.3f} / {row['descry_s'] * 1e3:.3f} ms",
              file=sys.stderr, flush=True)
    descry.close()
    with open(o.child, "w") as f:
        json.dump({"torch": torch.__version__, "rows": rows}, f)


# ---- the run

def python_with_torch(o):
    if o.python:
        return o.python
    has = subprocess.run([sys.executable, "-c", "import torch, safetensors"], capture_output=True).returncode == 0
    if has:
        return sys.executable
    python = os.path.join(o.venv, "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", o.venv], check=True)
    if subprocess.run([python, "-c", "import torch, safetensors"], capture_output=True).returncode:
        subprocess.run([python, "-m", "pip", "install", "--quiet", "torch", "numpy", "safetensors",
                        "--extra-index-url", "https://download.pytorch.org/whl/cpu"], check=True)
    return python


def environment(heap):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("OPENBLAS_", "OMP_", "MKL_", "GLIBC_TUNABLES", "MALLOC_", "DESCRY_"))}
    env["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
    env["PYTHONWARNINGS"] = "ignore"
    if heap == "huge":
        env["GLIBC_TUNABLES"] = TUNABLES
    return env


def milliseconds(row, key):
    if row.get("per"):
        return f"{row[key + '_s'] / row['per'] * 1e6:.2f} us"
    return f"{row[key + '_s'] * 1e3:.2f}"


def markdown(results):
    lines = []
    for heap, threads in sorted({(r["heap"], r["threads"]) for r in results["rows"]}):
        rows = [r for r in results["rows"] if r["heap"] == heap and r["threads"] == threads]
        lines += [f"{threads} thread{'s' if threads > 1 else ''}, heap `{heap}`; copy {rows[0]['roof_gbs']:.1f} GB/s; "
                  "ms a call (`us`: a node):", "",
                  "| case | eager | Inductor | Descry | rate | by eager | by Inductor | by the better | goal | |",
                  "|---|---|---|---|---|---|---|---|---|---|"]
        for r in rows:
            if r.get("void"):
                lines.append(f"| {r['case']} | | | | | | | | {r['goal']} | results differ |")
                continue
            rate = ""
            if "gbs" in r:
                rate = f"{r['gbs']:.1f} GB/s ({r['gbs'] / r['roof_gbs']:.0%})"
            elif "gflops" in r:
                rate = f"{r['gflops']:.0f} GFLOP/s"
            elif "interpret_s" in r:
                rate = f"interpreted {milliseconds(r, 'interpret')}"
            lines.append(f"| {r['case']} | {milliseconds(r, 'eager')} | {milliseconds(r, 'inductor')} | "
                         f"{milliseconds(r, 'descry')} | {rate} | {r['vs_eager']:.2f} | {r['vs_inductor']:.2f} | "
                         f"{r['vs_best']:.2f} | {r['goal']} | {'ok' if r['vs_best'] >= r['goal'] else 'MISSED'} |")
        lines.append("")
        memory = [r for r in rows if "peak_eager" in r]
        if memory:
            lines += ["| most memory of tensors in one step, MB | eager | interpreter | plan | |", "|---|---|---|---|---|"]
            for r in memory:
                ok = r["peak_interpret"] <= r["peak_eager"] and r["peak_plan"] < r["peak_eager"]
                lines.append(f"| {r['case']} | {r['peak_eager'] / 1e6:.1f} | {r['peak_interpret'] / 1e6:.1f} | "
                             f"{r['peak_plan'] / 1e6:.1f} | {'ok' if ok else 'MISSED'} |")
            lines.append("")
    return "\n".join(lines)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--plan-bench", required=True)
    ap.add_argument("--python")
    ap.add_argument("--venv", default=os.path.join(HERE, "..", "..", "build", "peers-venv"))
    ap.add_argument("--threads", default="1,2")
    ap.add_argument("--heap", default="huge")
    ap.add_argument("--rounds", type=int, default=31)
    ap.add_argument("--seconds", type=float, default=8, help="of one case, after five rounds")
    ap.add_argument("--json")
    ap.add_argument("--markdown")
    ap.add_argument("--keep", help="folder for the captured graphs and their inputs")
    ap.add_argument("--child", help=argparse.SUPPRESS)
    ap.add_argument("case", nargs="*")
    o = ap.parse_args()
    if o.child:
        return child(o)
    python = python_with_torch(o)
    results = {"rows": []}
    for heap in o.heap.split(","):
        for threads in o.threads.split(","):
            with tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "rows.json")
                command = [python, os.path.abspath(__file__), "--plan-bench", os.path.abspath(o.plan_bench),
                           "--threads", threads, "--heap", heap, "--rounds", str(o.rounds), "--seconds",
                           str(o.seconds), "--child", out] + (["--keep", o.keep] if o.keep else []) + o.case
                subprocess.run(command, check=True, env=environment(heap))
                with open(out) as f:
                    part = json.load(f)
                results["torch"] = part["torch"]
                results["rows"] += part["rows"]
    text = markdown(results)
    print(f"torch {results['torch']}; medians of rounds in which each side runs once; a ratio above 1: Descry is faster\n")
    print(text)
    for path, content in ((o.json, json.dumps(results, indent=1)), (o.markdown, text)):
        if path:
            with open(path, "w") as f:
                f.write(content + "\n")
    missed = [r for r in results["rows"] if r.get("void") or r["vs_best"] < r["goal"]]
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
