#!/usr/bin/env python3
"""Writes the joint graph of a deep residual network as FX readable text, for benchmarks and pictures.

    make_graph.py NODES [--twice] [-o FILE]     about NODES nodes, forward and backward

With --twice every second call stands there twice, and nobody reads the second: work for passes that merge or remove.

The graph is what AOT autograd makes of LAYERS blocks `x = x + relu(x @ w.t() + b)` without decompositions, with types,
descriptors, source comments and deletions. It is made by rule here, not traced, so any size is at hand.
"""
import argparse
import re
import sys

B, D = 32, 64
FORWARD, BACKWARD = 4, 8  # nodes that a block adds to each half


def joint(layers, twice=False):
    out = ["class inner_f(torch.nn.Module):", "    def forward(", "        self,", "        primals,", "        tangents,", "    ):"]
    add = out.append
    names, w, b, bd = [], f"f32[{D}, {D}][{D}, 1]cpu", f"f32[{D}][1]cpu", f"f32[{B}, {D}][{D}, 1]cpu"
    wt = f"f32[{D}, {D}][1, {D}]cpu"

    def declare(name, kind, descriptor):
        names.append(name)
        add(f'        {name}: "{kind}"  # {descriptor}')

    def source(text):
        add(f"        {text}")

    for i in range(layers):
        declare(f"primals_{2 * i + 1}", w, f"ParamAOTInput(target='blocks.{i}.weight')")
        declare(f"primals_{2 * i + 2}", b, f"ParamAOTInput(target='blocks.{i}.bias')")
    x = f"primals_{2 * layers + 1}"
    declare(x, bd, "PlainAOTInput(idx=0)")
    declare("tangents_1", bd, "TangentAOTInput(output=PlainAOTOutput(idx=0))")
    add(f"        {', '.join(names)}, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)")

    def number(stem, i):
        return stem if i == 0 else f"{stem}_{i}"

    # A statement's place in `out`, the statement that reads a value last.
    lines, last_use, kept, unread = [], {}, set(), set()

    def line(name, kind, call):
        for value in re.findall(r"\b[a-z]\w*\b", call.split("(", 1)[1]):
            last_use[value] = len(out)
        lines.append(len(out))
        add(f'        {name}: "{kind}" = torch.ops.aten.{call}')
        if twice and len(lines) % 3 == 1 and not name.endswith("_twin"):
            line(f"{name}_twin", kind, call)
            unread.add(lines[-1])

    inputs, h = [], x
    for i in range(layers):
        source(f"# File: model.py:{20 + i} in forward, code: x = x + torch.relu(F.linear(x, self.blocks[{i}].weight, "
               f"self.blocks[{i}].bias))")
        inputs.append(h)
        t, addmm, relu, s = number("t", 3 * i), number("addmm", i), number("relu", i), number("add", i)
        line(t, wt, f"t.default(primals_{2 * i + 1})")
        line(addmm, bd, f"addmm.default(primals_{2 * i + 2}, {h}, {t})")
        line(relu, bd, f"relu.default({addmm})")
        line(s, bd, f"add.Tensor({h}, {relu})")
        add("")
        h = s
    last, g, grads, adds = h, "tangents_1", {}, layers
    for k, i in enumerate(reversed(range(layers))):
        source(f"# Backward of forward node: File: model.py:{20 + i} in forward, code: x = x + torch.relu(F.linear(x, "
               f"self.blocks[{i}].weight, self.blocks[{i}].bias))")
        t, relu = number("t", 3 * i), number("relu", i)
        tb, mm, tg, mmg, sm, view, total = (
            number("t", 3 * i + 1), number("mm", 2 * k), number("t", 3 * i + 2), number("mm", 2 * k + 1),
            number("sum", k + 1), number("view", k), number("add", adds))
        adds += 1
        th = number("threshold_backward", k)
        line(th, bd, f"threshold_backward.default({g}, {relu}, 0)")
        line(tb, w, f"t.default({t})")
        line(mm, bd, f"mm.default({th}, {tb})")
        line(tg, f"f32[{D}, {B}][1, {D}]cpu", f"t.default({th})")
        line(mmg, w, f"mm.default({tg}, {inputs[i]})")
        line(sm, f"f32[1, {D}][{D}, 1]cpu", f"sum.dim_IntList({th}, [0], True)")
        line(view, b, f"view.default({sm}, [{D}])")
        line(total, bd, f"add.Tensor({g}, {mm})")
        add("")
        grads[i] = (mmg, view)
        g = total
    kept.update([last, g], *grads.values())
    for at in lines:
        dead = [v for v in dict.fromkeys(re.findall(r"\b[a-z]\w*\b", out[at].split("(", 1)[1]))
                if last_use.get(v) == at and v not in kept]
        if at in unread:
            dead.append(out[at].split(":", 1)[0].strip())
        if dead:
            out[at] += f";  {' = '.join(dead)} = None"
    add("        return pytree.tree_unflatten([")
    add(f"            {last},  # PlainAOTOutput(idx=0)")
    for i in range(layers):
        add(f"            {grads[i][0]},  # GradAOTOutput(grad_of=ParamAOTInput(target='blocks.{i}.weight'))")
        add(f"            {grads[i][1]},  # GradAOTOutput(grad_of=ParamAOTInput(target='blocks.{i}.bias'))")
    add(f"            {g},  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))")
    add("        ], self._out_spec)")
    return "\n".join(out) + "\n"


def make(nodes, twice=False):
    # Two parameters a block, and one input, one tangent, one output for all.
    calls = FORWARD + BACKWARD
    return joint(max(1, (nodes - 3) // (calls + calls // 2 * twice + 2)), twice)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("nodes", type=int)
    ap.add_argument("--twice", action="store_true", help="make every second call stand twice")
    ap.add_argument("-o", "--output")
    a = ap.parse_args()
    text = make(a.nodes, a.twice)
    if a.output:
        with open(a.output, "w", encoding="utf-8") as f:
            f.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
