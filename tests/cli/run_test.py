#!/usr/bin/env python3
"""Drives `descry run`: values, gradients, writes, inputs from files, and every way in which a run fails.

    run_test.py --descry PATH --source DIR [NAME...]
"""
import argparse
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest

DESCRY = SOURCE = None
CODES = {'F32': 'f', 'F64': 'd', 'I64': 'q'}

MODEL = '''class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[2, 3]", L_w_: "f32[3]"):
        l_x_ = L_x_
        l_w_ = L_w_
        mul: "f32[2, 3]" = l_x_ * l_w_;  l_x_ = l_w_ = None
        sin: "f32[2, 3]" = mul.sin();  mul = None
        out: "f32[2]" = sin.sum(1);  sin = None
        return (out,)
'''
WRITES = '''class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4]", i: "i64[2]"):
        view: "f32[2]" = torch.ops.aten.slice.Tensor(x, 0, 0, 2)
        add_: "f32[2]" = torch.ops.aten.add_.Tensor(view, 10);  view = add_ = None
        index: "f32[2]" = torch.ops.aten.index.Tensor(x, [i]);  x = i = None
        return (index,)
'''


def save(path, tensors, metadata=None):
    head, data = {}, b''
    if metadata:
        head['__metadata__'] = metadata
    for name, (dtype, shape, values) in tensors.items():
        raw = struct.pack(f'<{len(values)}{CODES[dtype]}', *values)
        head[name] = {'dtype': dtype, 'shape': shape, 'data_offsets': [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(head).encode()
    with open(path, 'wb') as f:
        f.write(struct.pack('<Q', len(text)) + text + data)


def load(path):
    with open(path, 'rb') as f:
        b = f.read()
    n = struct.unpack('<Q', b[:8])[0]
    head = json.loads(b[8:8 + n])
    head.pop('__metadata__', None)
    out = {}
    for k, v in head.items():
        i, j = v['data_offsets']
        raw = b[8 + n + i:8 + n + j]
        out[k] = (v['shape'], list(struct.unpack(f'<{len(raw) // struct.calcsize(CODES[v["dtype"]])}{CODES[v["dtype"]]}', raw)))
    return out


def run(*args, env=None):
    p = subprocess.run([DESCRY, 'run', *args], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                       env={**os.environ, **(env or {})})
    return p.returncode, p.stdout, p.stderr


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.model = self.write('model.txt', MODEL)
        self.writes = self.write('writes.txt', WRITES)
        self.out = os.path.join(self.folder.name, 'out.safetensors')

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, 'w') as f:
            f.write(text)
        return path

    def tensors(self, **tensors):
        path = os.path.join(self.folder.name, 'in.safetensors')
        save(path, tensors)
        return path

    def results(self, *args):
        code, _, err = run(*args, '--save', self.out)
        self.assertEqual(code, 0, err)
        return load(self.out)

    def close(self, got, want):
        self.assertEqual(len(got), len(want))
        for a, b in zip(got, want):
            self.assertAlmostEqual(a, b, delta=1e-5 * (1 + abs(b)))

    def test_forward_and_backward(self):
        x, w, t = [0.1, -0.2, 0.3, 1.5, 2.5, -3.5], [2.0, -1.0, 0.5], [1.0, -2.0]
        given = self.tensors(L_x_=('F32', [2, 3], x), L_w_=('F32', [3], w), **{'tangent.0': ('F32', [2], t)})
        out = self.results(self.model, '--inputs', given, '--backward')
        p = [x[3 * r + c] * w[c] for r in range(2) for c in range(3)]
        self.close(out['out.0'][1], [sum(math.sin(v) for v in p[:3]), sum(math.sin(v) for v in p[3:])])
        g = [t[i // 3] * math.cos(p[i]) for i in range(6)]
        self.assertEqual(out['grad.0'][0], [2, 3])
        self.close(out['grad.0'][1], [g[i] * w[i % 3] for i in range(6)])
        self.close(out['grad.1'][1], [g[c] * x[c] + g[3 + c] * x[3 + c] for c in range(3)])

    def test_writes_reach_the_memory_of_inputs(self):
        given = self.tensors(x=('F32', [4], [1, 2, 3, 4]), i=('I64', [2], [1, -1]))
        out = self.results(self.writes, '--inputs', given)
        self.assertEqual(out['out.0'], ([2], [12.0, 4.0]))
        self.assertEqual(out['after.0'], ([4], [11.0, 12.0, 3.0, 4.0]))
        self.assertNotIn('after.1', out)
        self.assertEqual(load(given)['x'][1], [1, 2, 3, 4])

    def test_inputs_that_share_memory(self):
        path = os.path.join(self.folder.name, 'shared.safetensors')
        save(path, {'storage.0': ('F32', [4], [1, 2, 3, 4]), 'storage.1': ('I64', [2], [0, 1])},
             {'inputs': json.dumps([{'storage': 0, 'offset': 0, 'size': [4], 'stride': [1], 'dtype': 'float32'},
                                    {'storage': 1, 'offset': 0, 'size': [2], 'stride': [1], 'dtype': 'int64'}])})
        self.assertEqual(self.results(self.writes, '--inputs', path)['after.0'][1], [11.0, 12.0, 3.0, 4.0])

    def test_made_inputs(self):
        for how in ('random:7', 'zeros', 'ones'):
            self.assertEqual(self.results(self.model, '--inputs', how)['out.0'][0], [2])
        self.close(self.results(self.model, '--inputs', 'ones')['out.0'][1], [3 * math.sin(1)] * 2)
        a, b, c = (self.results(self.model, '--inputs', s) for s in ('random:1', 'random:1', 'random:2'))
        self.assertEqual(a, b)
        self.assertNotEqual(a, c)

    def test_json_and_up_to(self):
        code, out, _ = run(self.model, '--inputs', 'ones', '--json')
        self.assertEqual(code, 0)
        result = json.loads(out)
        self.assertEqual((result['schema'], result['finished'], len(result['results'])), ('descry.run/1', True, 1))
        self.assertEqual((result['results'][0]['type'], result['results'][0]['count']), ('f32[2]', 2))
        code, out, _ = run(self.model, '--json', '--up-to', 'sin')
        self.assertEqual((code, json.loads(out)['finished'], json.loads(out)['results']), (0, False, []))

    def test_compiled(self):
        code, out, _ = run(self.model, '--executor', 'compiled', '--json', '--up-to', 'sin')
        self.assertEqual((code, json.loads(out)['finished'], json.loads(out)['nodes']), (0, False, 2))
        given = self.tensors(L_x_=('F32', [2, 3], [0.1, -0.2, 0.3, 1.5, 2.5, -3.5]), L_w_=('F32', [3], [2.0, -1.0, 0.5]))
        want = self.results(self.model, '--inputs', given, '--backward')
        self.assertEqual(self.results(self.model, '--inputs', given, '--backward', '--executor', 'compiled'), want)
        # Writes are results of the graph without writes, or stay in a graph that is run as it stands.
        given = self.tensors(x=('F32', [4], [1, 2, 3, 4]), i=('I64', [2], [1, -1]))
        out = self.results(self.writes, '--inputs', given, '--executor', 'compiled')
        self.assertEqual((out['out.0'][1], out['after.0'][1]), ([12.0, 4.0], [11.0, 12.0, 3.0, 4.0]))
        code, out, _ = run(self.model, '--inputs', 'ones', '--json', '--executor', 'compiled')
        plan = json.loads(out)['plan']
        self.assertEqual((code, plan['steps'], plan['loops'], plan['fallbacks']), (0, 2, 1, 0))
        self.assertEqual((plan['inside_bytes'], plan['bytes_without_reuse'], plan['result_bytes']), (64, 64, 8))
        self.assertIn('0: loop over f32[2, 3]', plan['text'])
        self.assertIn('aten.sum.dim_IntList', plan['text'])

    def test_nodes_and_the_first_bad_one(self):
        graph = self.write('bad.txt', '''class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4]"):
        sub: "f32[4]" = torch.ops.aten.sub.Tensor(x, 1)
        log: "f32[4]" = torch.ops.aten.log.default(sub);  sub = None
        mul: "f32[4]" = torch.ops.aten.mul.Tensor(log, 0);  log = None
        return (mul,)
''')
        code, out, _ = run(graph, '--inputs', 'ones', '--nodes')
        self.assertEqual(code, 0)
        self.assertIn('first bad node: log (aten.log.default)', out)
        code, out, _ = run(self.model, '--inputs', 'ones', '--nodes')
        self.assertIn('no node makes NaN', out)
        # Of inputs that are bad already nobody is to blame.
        given = self.tensors(x=('F32', [4], [math.nan] * 4))
        self.assertIn('no node makes NaN', run(graph, '--inputs', given, '--nodes')[1])

    def test_profile(self):
        code, out, _ = run(self.model, '--profile', '--runs', '3')
        self.assertEqual(code, 0)
        self.assertIn('(3 runs, medians', out)
        self.assertEqual(run(self.model, '--profile', '--runs', '0')[0], 2)

    def test_compare(self):
        reference = os.path.join(self.folder.name, 'reference.safetensors')
        self.assertEqual(run(self.model, '--inputs', 'ones', '--save', reference)[0], 0)
        code, out, _ = run(self.model, '--inputs', 'ones', '--compare', reference)
        self.assertEqual(code, 0)
        self.assertIn('bit-equal', out)
        code, out, _ = run(self.model, '--inputs', 'zeros', '--compare', reference)
        self.assertEqual(code, 1)
        self.assertIn('outside', out)
        self.assertEqual(run(self.model, '--inputs', 'zeros', '--compare', reference, '--tolerance', '9')[0], 0)
        save(reference, {'out.0': ('F32', [1], [0]), 'out.7': ('F32', [1], [0])})
        code, out, _ = run(self.model, '--inputs', 'zeros', '--compare', reference)
        self.assertEqual(code, 1)
        self.assertIn('shape differs', out)
        self.assertIn('no partner', out)

    def test_compiled_says_the_same(self):
        for graph in (self.model, self.writes):
            values = self.tensors(x=('F32', [4], [1, 2, 3, 4]), i=('I64', [2], [1, -1])) if graph == self.writes else 'random:3'
            self.assertEqual(self.results(graph, '--inputs', values), self.results(graph, '--inputs', values, '--executor', 'compiled'))
        tables = [run(self.model, '--nodes', '--executor', e)[1] for e in ('interpret', 'compiled')]
        self.assertEqual(tables[0], tables[1])

    def aten(self, inputs, lines, result, name='g.txt'):
        signature = ', '.join(f'{n}: "{t}"' for n, t in inputs)
        body = ''.join(f'        {l}\n' for l in lines)
        return self.write(name, f'class GraphModule(torch.nn.Module):\n    def forward(self, {signature}):\n{body}        return ({result},)\n')

    def test_writes_that_overlap_what_they_read(self):
        # As PyTorch: a write through a view with gaps reads what it has just written, element by element.
        x = self.tensors(x=('F32', [4, 4], list(range(16))))
        column = self.aten([('x', 'f32[4, 4]')], ['a: "f32[4]" = torch.ops.aten.select.int(x, 1, 2)', 'b: "f32[4]" = torch.ops.aten.select.int(x, 0, 1)',
                                                 'c: "f32[4]" = torch.ops.aten.add_.Tensor(a, b)'], 'x')
        shifted = self.aten([('x', 'f32[4, 4]')], ['a: "f32[4, 3]" = torch.ops.aten.slice.Tensor(x, 1, 1)', 'b: "f32[4, 3]" = torch.ops.aten.slice.Tensor(x, 1, 0, 3)',
                                                  'c: "f32[4, 3]" = torch.ops.aten.copy_.default(a, b)'], 'x', 'h.txt')
        halves = self.aten([('x', 'f32[4, 4]')], ['a: "f32[4, 2]" = torch.ops.aten.slice.Tensor(x, 1, 0, 2)', 'b: "f32[4, 2]" = torch.ops.aten.slice.Tensor(x, 1, 2, 4)',
                                                 'c: "f32[4, 2]" = torch.ops.aten.copy_.default(a, b)'], 'x', 'i.txt')
        for executor in ('interpret', 'compiled'):
            out = self.results(column, '--inputs', x, '--executor', executor)['out.0'][1]
            self.assertEqual(out, [0, 1, 6, 3, 4, 5, 11, 7, 8, 9, 21, 11, 12, 13, 21, 15])
            out = self.results(shifted, '--inputs', x, '--executor', executor)['out.0'][1]
            self.assertEqual(out, [0] * 4 + [4] * 4 + [8] * 4 + [12] * 4)
            out = self.results(halves, '--inputs', x, '--executor', executor)['out.0'][1]
            self.assertEqual(out, [2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15])

    def test_writes_to_dense_memory_that_is_read_are_refused(self):
        for op in ('copy_.default(a, b)', 'add_.Tensor(a, b)'):
            dense = self.aten([('x', 'f32[8]')], ['a: "f32[7]" = torch.ops.aten.slice.Tensor(x, 0, 1)', 'b: "f32[7]" = torch.ops.aten.slice.Tensor(x, 0, 0, 7)',
                                                 'c: "f32[7]" = torch.ops.aten.' + op], 'x')
            for executor in ('interpret', 'compiled'):
                self.fails(5, ['overlapping-write', 'single memory location', 'c ('], dense, '--executor', executor)

    def test_what_pytorch_refuses(self):
        for name in ('masked_fill.Scalar', 'masked_fill_.Scalar'):
            model = self.aten([('x', 'f32[4]'), ('m', 'i64[4]')], [f'r: "f32[4]" = torch.ops.aten.{name}(x, m, 2.0)'], 'r')
            for executor in ('interpret', 'compiled'):
                self.fails(5, ['only supports boolean masks', 'torch.int64'], model, '--executor', executor)
        # Terms beyond what can be computed are refused at once.
        for p in (2147483647, 0, 20000000):
            model = self.aten([('x', 'f32[4]')], [f'r: "f32[4]" = torch.ops.aten.mvlgamma.default(x, {p})'], 'r')
            self.fails(5, [f'p = {p}' if p else 'p has to be'], model)

    def test_wrapper_subclasses_are_refused(self):
        model = self.aten([('x', 'TwoTensor(f32[4][1]cpu)')], ['r: "TwoTensor(f32[4][1]cpu)" = torch.ops.aten.sin.default(x)'], 'r')
        self.fails(5, ['unsupported-input', 'x', 'TwoTensor'], model)

    def test_joint_graphs_have_their_gradients(self):
        joint = os.path.join(SOURCE, 'samples', 'graphs', 'two_linears_joint.txt')
        code, _, err = run(joint, '--backward')
        self.assertEqual(code, 2, err)
        self.assertIn('computes gradients already', err)

    def fails(self, code, words, *args):
        got, _, err = run(*args, '--save', self.out)
        self.assertEqual(got, code, err)
        for word in words:
            self.assertIn(word, err)
        self.assertFalse(os.path.exists(self.out), 'something was written')

    def test_wrong_inputs(self):
        x, w = ('F32', [2, 3], [0] * 6), ('F32', [3], [0] * 3)
        self.fails(5, ['missing-input', 'l_w_'], self.model, '--inputs', self.tensors(L_x_=x))
        self.fails(5, ['input-mismatch', 'l_w_', 'f32[3]', 'f32[2]'], self.model, '--inputs',
                   self.tensors(L_x_=x, L_w_=('F32', [2], [0, 0])))
        self.fails(5, ['input-mismatch', 'f64[3]'], self.model, '--inputs', self.tensors(L_x_=x, L_w_=('F64', [3], [0] * 3)))
        self.fails(3, ['cannot-read'], self.model, '--inputs', 'nobody.safetensors')
        self.fails(2, ['seed'], self.model, '--inputs', 'random:x')
        bad = self.write('bad.safetensors', 'x' * 40)
        self.fails(3, ['bad-safetensors'], self.model, '--inputs', bad)

    def test_failing_nodes(self):
        self.fails(5, ['index', 'out of bounds', 'f32[4]'], self.writes, '--inputs',
                   self.tensors(x=('F32', [4], [0] * 4), i=('I64', [2], [0, 9])))
        big = MODEL.replace('[2, 3]', '[2000, 3000]').replace('[3]', '[3000]').replace('[2]', '[2000]')
        self.fails(5, ['out-of-memory', 'mul'], self.write('big.txt', big), '--memory', '60M')
        div = '''def forward(self, x: "i64[3]"):
    d: "i64[3]" = torch.ops.aten.div.Tensor_mode(x, 0, rounding_mode = 'floor')
    return (d,)
'''
        self.fails(5, ['ZeroDivisionError', 'd'], self.write('div.txt', div))
        unknown = WRITES.replace('aten.slice.Tensor', 'mylib.part.default')
        self.fails(5, ['mylib.part'], self.write('unknown.txt', unknown))

    def graph(self, lines, arguments='x: "f32[4]"', result='(y,)'):
        body = ''.join(f'        {line}\n' for line in lines)
        return self.write('graph.txt', 'class GraphModule(torch.nn.Module):\n'
                          f'    def forward(self, {arguments}):\n{body}        return {result}\n')

    def test_a_node_to_end_at_that_is_not_there(self):
        self.fails(5, ['unknown-node', 'no node `sinn`', '`sin`'], self.model, '--up-to', 'sinn')
        self.fails(5, ['unknown-node', 'no node `elsewhere`'], self.model, '--up-to', 'elsewhere')
        code, out, err = run(self.model, '--json', '--up-to', 'l_x_')
        self.assertEqual((code, json.loads(out)['finished'], json.loads(out)['nodes']), (0, False, 0), err)
        # A node that becomes several runs to its last.
        two = self.graph(['t: "f32[4]" = torch.nn.functional.gelu(x)', 'y: "f32[4]" = t + 1'])
        code, out, err = run(two, '--json', '--up-to', 't')
        self.assertEqual((code, json.loads(out)['finished']), (0, False), err)

    def test_nothing_is_read_or_written_outside_of_a_memory(self):
        for view in ('as_strided.default(x, [4, 1000], [1, 1000])', 'as_strided.default(x, [4], [1], 1)',
                     'as_strided_.default(x, [400], [1])', 'as_strided_copy.default(x, [5], [1])'):
            self.fails(5, ['out of bounds for storage of size 16'],
                       self.graph([f'v = torch.ops.aten.{view}', 'y = torch.ops.aten.sum.default(v)']))
        self.fails(5, ['out of bounds'], self.graph(['v: "f32[9]" = torch.ops.aten.as_strided.default(x, [9], [1])',
                                                     'y: "f32[9]" = torch.ops.aten.fill_.Scalar(v, 1)']))
        for size in (1 << 40, 1 << 62):
            for call in (f'full.default([{size}], 1)', f'resize_.default(x, [{size}])', f'randn.default([{size}])'):
                self.fails(5, ['out-of-memory' if size == 1 << 40 else 'error:'], self.graph([f'y = torch.ops.aten.{call}']))
        self.fails(5, ['out-of-memory'], self.graph(['y = torch.ops.aten.sin.default(x)'], f'x: "f32[{1 << 40}]"'))
        self.fails(5, ['single memory location'], self.graph(['e = torch.ops.aten.expand.default(x, [3, 4])',
                                                             'y = torch.ops.aten.add_.Tensor(e, 1)']))

    def test_layouts_that_no_tensor_has(self):
        plain = {'storage': 0, 'dtype': 'torch.float32', 'size': [4], 'stride': [1], 'offset': 0}
        sin = self.graph(['y: "f32[4]" = torch.ops.aten.sin.default(x)'])
        for wrong in ({'storage': -1}, {'storage': 1e300}, {'offset': -1}, {'offset': 1}, {'offset': (1 << 63) - 1},
                      {'stride': [-1]}, {'stride': [1 << 62]}, {'stride': [1, 1]}, {'size': [4.5]}, {'size': {'a': 4}},
                      {'size': None}, {'size': [1 << 40, 1 << 40], 'stride': [0, 0]}, {'dtype': 'torch.float64'}):
            path = os.path.join(self.folder.name, 'in.safetensors')
            save(path, {'storage.0': ('F32', [4], [1, 2, 3, 4])}, {'inputs': json.dumps([{**plain, **wrong}])})
            self.fails(2, ['bad-inputs', 'x'], sin, '--inputs', path)
        for number in (1, None, 'text', []):
            path = os.path.join(self.folder.name, 'in.safetensors')
            save(path, {'storage.0': ('F32', [4], [1, 2, 3, 4])}, {'inputs': json.dumps([number])})
            self.fails(5, ['input-mismatch', 'f32[4]'], sin, '--inputs', path)

    def test_a_loop_without_end_is_stopped(self):
        loop = self.write('loop.txt', '''class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4]"):
        cond = self.cond
        body = self.body
        w = torch.ops.higher_order.while_loop(cond, body, (x,), ());  cond = body = x = None
        y: "f32[4]" = w[0];  w = None
        return (y,)

    class cond(torch.nn.Module):
        def forward(self, x: "f32[4]"):
            s: "f32[]" = torch.ops.aten.sum.default(x);  x = None
            t: "b8[]" = torch.ops.aten.eq.Tensor(s, s);  s = None
            return t

    class body(torch.nn.Module):
        def forward(self, x: "f32[4]"):
            y: "f32[4]" = torch.ops.aten.sin.default(x);  x = None
            return (y,)
''')
        self.fails(6, ['cancelled'], loop, '--timeout', '0.5')
        self.fails(6, ['cancelled'], loop, '--timeout', '0.5', '--executor', 'compiled')


def main():
    global DESCRY, SOURCE
    ap = argparse.ArgumentParser()
    ap.add_argument('--descry', required=True)
    ap.add_argument('--source', required=True)
    a, rest = ap.parse_known_args()
    DESCRY, SOURCE = os.path.abspath(a.descry), a.source
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == '__main__':
    main()
