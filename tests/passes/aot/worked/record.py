"""Records what PyTorch makes of the functions in functions.py: one case file each, which worked_test.cpp reads.

    python record.py [ID...]          # needs torch 2.15; writes ID.case beside this file

A case file has sections, each a line `NAME:` with indented lines below:
    says        what the case is about, and where PyTorch differs from what one might expect
    captured    the captured graph; it is the very text that was run, or what torch.compile captured
    ops         custom ops that the graph calls, as `descry aot --ops` reads them
    inputs      per placeholder what is known beside its type: grad, nonleaf, storage, offset, base, descriptor, same
    options     words that worked_test.cpp explains
    refused     part of PyTorch's message
    metadata    fields of ViewAndMutationMeta that hold
    joint, inference, forward, backward    graphs as PyTorch prints them
"""
import contextlib, linecache, os, re, sys, textwrap
import torch, torch._dynamo
import torch._functorch.aot_autograd as A
import torch._functorch._aot_autograd.graph_compile as G
from torch._functorch._aot_autograd.descriptors import PlainAOTInput
from torch._functorch._aot_autograd.schemas import AOTConfig
from torch._functorch.partitioners import default_partition, min_cut_rematerialization_partition
from torch.fx.experimental.proxy_tensor import make_fx
import functions

HERE = os.path.dirname(os.path.abspath(__file__))


def text_of(gm):
    s = gm.print_readable(print_output=False, include_stride=True, include_device=True, expanded_def=True)
    # Places in files say nothing here.
    lines = [l for l in s.splitlines() if l.strip() and not l.strip().startswith("#")]
    return "\n".join(re.sub(r";  [\w, =]*= None$", "", l.rstrip()) for l in lines)


def type_of(t):
    if isinstance(t, torch.SymInt):
        return f"Sym({t})"
    if not isinstance(t, torch.Tensor):
        return None
    names = torch.fx.graph.dtype_abbrs
    inner = f"{names[t.dtype]}{list(t.shape)}{list(t.stride())}{t.device}"
    if type(t) not in (torch.Tensor, torch.nn.Parameter) and "Fake" not in type(t).__name__:
        inner = f"{type(t).__name__}({inner})"
    return inner


def facts_of(names, args, descs):
    """Lines of the section `inputs`, for real tensors."""
    storages, bases, seen, lines, base_lines = {}, {}, {}, [], []
    for i, (n, a, d) in enumerate(zip(names, args, descs)):
        if not isinstance(a, torch.Tensor):
            lines.append(f"{n}: {a}" if isinstance(a, (int, float, bool)) else f"{n}: number")
            continue
        words = ["grad" if a.requires_grad else "no-grad", "leaf" if a.is_leaf else "nonleaf"]
        if id(a) in seen:
            words.append(f"same={seen[id(a)]}")
        seen.setdefault(id(a), n)
        if type(a) in (torch.Tensor, torch.nn.Parameter):
            key = a.untyped_storage()._cdata
            words.append(f"storage={storages.setdefault(key, len(storages))}")
            words.append(f"bytes={a.untyped_storage().nbytes()}")
            if a.storage_offset():
                words.append(f"offset={a.storage_offset()}")
            if a._base is not None:
                b = a._base
                name = next((m for m, x in zip(names, args) if x is b), None)
                if name is None:
                    name = bases.setdefault(id(b), f"base{len(bases)}")
                words.append(f"base={name}")
                line = f"{name}: \"{type_of(b)}\" {'grad' if b.requires_grad else 'no-grad'} {'leaf' if b.is_leaf else 'nonleaf'}"
                if name.startswith("base") and line not in base_lines:
                    base_lines.append(line)
        if hasattr(a, "__tensor_flatten__"):
            held = {attr: type(getattr(a, attr)).__name__ for attr in a.__tensor_flatten__()[0]}
            if set(held.values()) != {"Tensor"}:
                words.append("inner=" + ",".join(f"{k}:{v}" for k, v in held.items()))
        if d != PlainAOTInput(i):
            words.append(f"descriptor={d!r}")
        lines.append(f"{n}: " + " ".join(words))
    return lines + base_lines


def metadata_of(m):
    out = []
    flags = ["is_leaf", "mutates_data", "mutates_metadata", "mutations_hidden_from_autograd", "mutations_under_no_grad_or_inference_mode",
             "mutation_inductor_storage_resize", "mutates_storage_metadata", "mutation_is_shallow_copy_data", "requires_grad",
             "keep_input_mutations"]
    for i, x in enumerate(m.input_info):
        out.append(f"input_info[{i}]: " + " ".join([f for f in flags if getattr(x, f)] + [x.mutation_type.name]))
    for i, x in enumerate(m.output_info):
        base = "" if x.base_idx is None else f" base_idx={x.base_idx}"
        dims = f" dynamic_dims={sorted(x.dynamic_dims)}" if x.dynamic_dims else ""
        out.append(f"output_info[{i}]: {x.output_type.name}{base}{dims}" + (" requires_grad" if x.requires_grad else "") +
                   (" requires_grad_for_backward" if x.requires_grad_for_backward else ""))
    out.append(f"num_intermediate_bases: {m.num_intermediate_bases}")
    out += [f"traced_tangents_descs[{i}]: {d!r}" for i, d in enumerate(m.traced_tangents_descs)]
    out.append(f"grad_enabled_mutation: {m.grad_enabled_mutation}")
    out.append(f"tokens: {len(m.tokens)}")
    return out


class Recorder:
    """What passes through AOT autograd while it is installed."""

    def __init__(self, c):
        self.c, self.sections = c, {}

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        from unittest.mock import patch
        capture, graphs = A.aot_stage1_graph_capture, G._log_fw_bw_graphs
        rec = self

        def stage1(state, *a, **k):
            rec.sections.pop("joint", None), rec.sections.pop("inference", None)
            out = capture(state, *a, **k)
            rec.meta = state.fw_metadata
            rec.sections["metadata"] = "\n".join(metadata_of(state.fw_metadata))
            rec.sections["joint" if state.needs_autograd else "inference"] = text_of(out.graph_module)
            return out

        def fwbw(fw, bw, *a, **k):
            rec.sections["forward"], rec.sections["backward"] = text_of(fw), text_of(bw)
            return graphs(fw, bw, *a, **k)
        self.stack.enter_context(patch.object(A, "aot_stage1_graph_capture", stage1))
        self.stack.enter_context(patch.object(G, "_log_fw_bw_graphs", fwbw))
        for k, v in self.c["config"].items():
            where = {"functorch": torch._functorch.config, "dynamo": torch._dynamo.config}[k.split(".")[0]]
            self.stack.enter_context(where.patch({k.split(".")[1]: v}))
        return self

    def __exit__(self, *e):
        self.stack.close()


def config_of(c):
    nop = lambda gm, args: gm
    return AOTConfig(fw_compiler=nop, bw_compiler=nop, inference_compiler=nop, partition_fn=partition_of(c),
                     decompositions=c["decompositions"], num_params_buffers=0, aot_id=0, keep_inference_input_mutations=c["keep"],
                     dynamic_shapes=c["dynamic"], no_tangents=False, disable_functionalization=c["disable_functionalization"])


def partition_of(c):
    def cut(gm, inputs, *, num_fwd_outputs, **k):
        f = default_partition if c["partition"] == "default" else min_cut_rematerialization_partition
        return f(gm, inputs, num_fwd_outputs=num_fwd_outputs, **k)
    return cut


def direct(c, rec):
    """The captured graph is Python text that AOT autograd gets as it is."""
    args = c["inputs"]()
    names, values = list(args), list(args.values())
    descs = [c["descriptors"].get(n) or PlainAOTInput(sum(m not in c["descriptors"] for m in names[:i])) for i, n in enumerate(names)]
    body = textwrap.dedent(c["code"]).strip()
    header = "def forward(self, " + ", ".join(f'{n}: "{type_of(v)}"' for n, v in args.items()) + "):"
    rec.sections["captured"] = header + "\n" + textwrap.indent(body, "    ")
    rec.sections["inputs"] = "\n".join(facts_of(names, values, descs))
    code = "def forward(self, " + ", ".join(names) + "):\n" + textwrap.indent(re.sub(r'(\w+): "[^"]*" =', r"\1 =", body), "    ")
    space = {"torch": torch}
    exec(compile(code, c["id"], "exec"), space)
    flat = lambda *a: list(space["forward"](None, *a))
    config = config_of(c)
    fake_mode, shape_env = A.construct_fake_mode(values, config)
    fakes, paths = A.process_inputs(values, config, fake_mode, shape_env)
    with contextlib.ExitStack() as stack, torch.set_grad_enabled(c["grad_mode"]):
        state = A.create_aot_state(stack, flat, fakes, descs, config, fake_mode, shape_env)
        state.fw_metadata.act_input_paths = paths
        captured = A.aot_stage1_graph_capture(state, flat)
        A.aot_stage2_compile(state, captured, config.partition_fn, config.fw_compiler, config.bw_compiler, config.inference_compiler)


def dynamo(c, rec):
    """torch.compile captures the function."""
    torch._dynamo.reset()

    def backend(gm, inputs):
        # The last graph that is captured counts.
        lines = gm.print_readable(print_output=False, include_stride=True, include_device=True).splitlines()
        rec.sections["captured"] = "\n".join(re.sub(r";  [\w, =]*= None$", "", l) for l in lines if l.strip() and not l.strip().startswith("#"))
        nop = lambda g, a: g
        placeholders = [n.name for n in gm.graph.nodes if n.op == "placeholder"]
        named = {f"l_{k}_": v for k, v in args.items()}
        if all(n in named for n in placeholders):  # what a refused graph is known by
            rec.sections["inputs"] = "\n".join(facts_of(placeholders, [named[n] for n in placeholders], [PlainAOTInput(i) for i in range(len(named))]))
        compiled = A.aot_module_simplified(gm, inputs, nop, bw_compiler=nop, inference_compiler=nop, partition_fn=partition_of(c),
                                           decompositions=c["decompositions"], keep_inference_input_mutations=c["keep"])
        names = [n.name for n in gm.graph.nodes if n.op == "placeholder"]

        def call(*flat):
            if "inputs" not in rec.sections or c["id"] not in done:
                done.add(c["id"])
                rec.sections["inputs"] = "\n".join(facts_of(names, flat, [PlainAOTInput(i) for i in range(len(names))]))
            return compiled(*flat)
        return call
    done = set()
    made = c["inputs"]()
    args = {k: v for k, v in made.items() if k != "fn"}
    with torch.set_grad_enabled(c["grad_mode"]):
        torch.compile(made["fn"], backend=backend, dynamic=c["dynamic"] or None, fullgraph=c["fullgraph"])(*args.values())


def write(c, rec, error):
    path = f"{HERE}/{c['id']}.case"
    s = rec.sections
    out = [f"{c['id']}", "", "says:", textwrap.indent(textwrap.fill(" ".join(c["says"].split()), 150), "  ")]
    options = [f"keep-input-mutations={'on' if c['keep'] else 'off'}", f"partition={c['partition']}"]
    if c["decompositions_name"]:
        options.append(f"decompositions={c['decompositions_name']}")
    if not c["grad_mode"]:
        options.append("grad-mode=off")
    options += c["options"]
    for name, text in [("captured", s.get("captured")), ("ops", c["ops"]), ("inputs", s.get("inputs")), ("options", " ".join(options)),
                       ("refused", error)] + [(k, s.get(k)) for k in ("metadata", "joint", "inference", "forward", "backward")]:
        if text:
            out += ["", name + ":", textwrap.indent(text, "  ")]
    open(path, "w").write("\n".join(out) + "\n")


def main():
    only = sys.argv[1:]
    for c in functions.CASES:
        if only and c["id"] not in only:
            continue
        rec, error = Recorder(c), None
        torch.manual_seed(0)
        try:
            with rec:
                (dynamo if "fn" in (c["inputs"]() if c["code"] is None else {}) else direct)(c, rec)
        except Exception as e:
            error = re.sub(r"\s+", " ", str(e)).strip()[:300]
            if not c["refused"]:
                print(c["id"], "REFUSED", type(e).__name__, error[:300])
                if only:
                    raise
            for k in ("metadata", "joint", "inference", "forward", "backward"):
                rec.sections.pop(k, None)
            backend = re.match(r"backend='\w+' raised: (?=\w+: )", error)
            error = error[backend.end():] if backend else f"{type(e).__name__}: {error}"
        else:
            if c["refused"]:
                print(c["id"], "is not refused")
        write(c, rec, error)
        print(c["id"], "done", *[k for k in rec.sections if k not in ("captured", "inputs")])


if __name__ == "__main__":
    main()
