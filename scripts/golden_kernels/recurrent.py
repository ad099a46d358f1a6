import json

import torch
from golden import LINES, T, case, flat, plain

f32, f64, bf16 = torch.float32, torch.float64, torch.bfloat16
aten = torch.ops.aten


def told(op, args, out):
    """A call of an op that has no kernel on the CPU: `out` comes from autograd of its formula."""
    LINES.append(json.dumps({"op": op, "args": [plain(a) for a in args], "kwargs": {}, "out": [plain(v) for v in flat(out)]},
                            separators=(",", ":")))


def lstm_cell(a, b, cx, one, two):
    gates = a + b
    if one is not None:
        gates = gates + one + two
    i, f, g, o = gates.chunk(4, 1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    cy = f * cx + i * g
    return o * cy.tanh(), cy, torch.cat([i, f, g, o], 1)


def gru_cell(a, b, hx, one, two):
    if one is not None:
        a, b = a + one, b + two
    ar, ai, an = a.chunk(3, 1)
    br, bi, bn = b.chunk(3, 1)
    r, i = (ar + br).sigmoid(), (ai + bi).sigmoid()
    n = (an + r * bn).tanh()
    return n + i * (hx - n), torch.cat([r, i, n, hx, bn], 1)


for dtype in [f32, f64]:
    for biased in [True, False]:
        a, b, cx = T(2, 12, dtype=dtype), T(2, 12, dtype=dtype), T(2, 3, dtype=dtype)
        one, two = (T(12, dtype=dtype), T(12, dtype=dtype)) if biased else (None, None)
        leaf = [x.requires_grad_() for x in (a, cx)]
        hy, cy, ws = lstm_cell(a, b, cx, one, two)
        told("aten._thnn_fused_lstm_cell.default", [a, b, cx, one, two], [hy, cy, ws])
        gh, gc = T(2, 3, dtype=dtype), T(2, 3, dtype=dtype)
        ga, gcx = torch.autograd.grad([hy, cy], leaf, [gh, gc])
        told("aten._thnn_fused_lstm_cell_backward_impl.default", [gh, gc, cx, cy, ws, biased], [ga, gcx, ga.sum(0) if biased else None])
        a, b, hx = T(2, 9, dtype=dtype), T(2, 9, dtype=dtype), T(2, 3, dtype=dtype)
        one, two = (T(9, dtype=dtype), T(9, dtype=dtype)) if biased else (None, None)
        leaf = [x.requires_grad_() for x in (a, b, hx)]
        hy, ws = gru_cell(a, b, hx, one, two)
        told("aten._thnn_fused_gru_cell.default", [a, b, hx, one, two], [hy, ws])
        gh = T(2, 3, dtype=dtype)
        ga, gb, ghx = torch.autograd.grad(hy, leaf, gh)
        told("aten._thnn_fused_gru_cell_backward.default", [gh, ws, biased], [ga, gb, ghx, ga.sum(0), gb.sum(0)] if biased else [ga, gb, ghx])
x, w = T(4, 2, 3), (T(8, 3), T(8, 2), T(8), T(8))
hx, cx = T(1, 2, 2), T(1, 2, 2)
for reverse in [False, True]:
    args = (reverse, [], 2, 2, 1, True, False, False)
    # The workspace is undefined without training: the first three results count.
    told("aten.mkldnn_rnn_layer.default", (x, *w, hx, cx, *args, False), aten.mkldnn_rnn_layer(x, *w, hx, cx, *args, False)[:3])
    leaf = [t.clone().requires_grad_() for t in (x, w[0], w[1], w[2], w[3], hx, cx)]
    xs = leaf[0].flip(0) if reverse else leaf[0]
    out, hy, cy = aten.lstm.input(xs, leaf[5:7], leaf[1:5], True, 1, 0.0, True, False, False)
    y = out.flip(0) if reverse else out
    gy, gh, gc = T(4, 2, 2), T(1, 2, 2), T(1, 2, 2)
    grads = torch.autograd.grad([y, hy, cy], leaf, [gy, gh, gc])
    told("aten.mkldnn_rnn_layer_backward.default", [x, *w, hx, cx, y, hy, cy, gy, gh, gc, reverse, 2, 2, 1, True, True, False, [], False,
                                                    torch.zeros(0, dtype=torch.uint8)], list(grads))
for name, hidden, gates in [("rnn_tanh", hx, 1), ("rnn_relu", hx, 1), ("gru", hx, 3), ("lstm", [hx, cx], 4)]:
    params = [T(2 * gates, 3), T(2 * gates, 2), T(2 * gates), T(2 * gates)]
    case(f"aten.{name}.input", x, hidden, params, True, 1, 0.0, False, False, False, tolerance=1e-4)
    case(f"aten.{name}_cell.default", x[0], [hx[0], cx[0]] if name == "lstm" else hx[0], *params, tolerance=1e-4)
params = [p for _ in range(2) for p in (T(8, 3, dtype=f64), T(8, 2, dtype=f64), T(8, dtype=f64), T(8, dtype=f64))]
case("aten.lstm.input", T(2, 4, 3, dtype=f64), [T(2, 2, 2, dtype=f64), T(2, 2, 2, dtype=f64)], params, True, 1, 0.0, False, True, True)
for first in [False, True]:
    t = T(4, 3, 2) if not first else T(3, 4, 2)
    case("aten._pack_padded_sequence.default", t, torch.tensor([4, 2, 1]), first)
    case("aten._pack_padded_sequence_backward.default", T(7, 2), list(t.shape), torch.tensor([3, 2, 1, 1]), first)
