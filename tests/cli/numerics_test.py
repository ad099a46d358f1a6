#!/usr/bin/env python3
"""Drives what says whether numbers are right and fast: `descry run` with values, references and profiles, `descry compare`,
`descry bisect`, `descry bench`.

    numerics_test.py --descry PATH --source DIR [NAME...]
"""
import argparse
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import jsonschema

from run_test import load, save

DESCRY = SOURCE = None


def graph(inputs, lines, result):
    """A captured graph: lines of its body, and what it returns."""
    signature = ', '.join(f'L_{n}_: "{t}"' for n, t in inputs)
    body = ''.join(f'        l_{n}_ = L_{n}_\n' for n, _ in inputs) + ''.join(f'        {l}\n' for l in lines)
    return f'class GraphModule(torch.nn.Module):\n    def forward(self, {signature}):\n{body}        return ({result},)\n'


def aten(inputs, lines, result):
    """The same of aten ops, which is run as it stands."""
    signature = ', '.join(f'{n}: "{t}"' for n, t in inputs)
    return f'class GraphModule(torch.nn.Module):\n    def forward(self, {signature}):\n' + ''.join(f'        {l}\n' for l in lines) + \
        f'        return ({result},)\n'


CHAIN = [('x', 'f32[4, 8]'), ('w', 'f32[8, 8]')]
# The names are those that tracing gives.
CHAIN_LINES = ['mm: "f32[4, 8]" = torch.ops.aten.mm.default(x, w)', 'sin: "f32[4, 8]" = torch.ops.aten.sin.default(mm)',
               'mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(sin, 2)', 'add: "f32[4, 8]" = torch.ops.aten.add.Tensor(mul, x)',
               'cos: "f32[4, 8]" = torch.ops.aten.cos.default(add)', 'sum_1: "f32[4]" = torch.ops.aten.sum.dim_IntList(cos, [1])']
CHAIN_NAMES = ['mm', 'sin', 'mul', 'add', 'cos', 'sum_1']


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), 'w') as f:
            f.write(text)
        return self.path(name)

    def tensors(self, name='in.safetensors', **tensors):
        save(self.path(name), tensors)
        return self.path(name)

    def run_(self, *args, env=None):
        p = subprocess.run([DESCRY, *args], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
                           env={**os.environ, **(env or {})})
        return p.returncode, p.stdout, p.stderr

    def ended(self, code, *args, env=None):
        got, out, err = self.run_(*args, env=env)
        self.assertEqual(got, code, out + err)
        return out

    def json(self, code, *args, env=None):
        """The JSON output, held against its schema."""
        value = json.loads(self.ended(code, *args, '--json', env=env))
        command, version = value['schema'].split('/')
        with open(os.path.join(SOURCE, 'docs/schema', f'{command}.{version}.schema.json'), encoding='utf-8') as f:
            jsonschema.validate(value, json.load(f))
        return value

    def fails(self, code, words, *args):
        got, out, err = self.run_(*args)
        self.assertEqual(got, code, out + err)
        for w in words:
            self.assertIn(w, err)

    def chain(self, name='chain.txt', **edits):
        """The chain with lines replaced by name."""
        lines = [edits.get(n, l) for n, l in zip(CHAIN_NAMES, CHAIN_LINES)]
        return self.write(name, aten(CHAIN, lines, 'sum_1'))


class Values(Case):
    def test_nan_is_found_with_its_way_to_the_result(self):
        text = graph([('x', 'f32[3]'), ('y', 'f32[3]')],
                     ['neg: "f32[3]" = -l_x_', 'log: "f32[3]" = neg.log()', 'fine: "f32[3]" = l_y_ * 2',
                      'both: "f32[3]" = log + fine', 'total: "f32[]" = both.sum()'], 'total, fine')
        model = self.write('nan.txt', text)
        given = self.tensors(L_x_=('F32', [3], [-1.0, 1.0, -2.0]), L_y_=('F32', [3], [1.0, 2.0, 3.0]))
        for executor in ('interpret', 'compiled'):
            r = self.json(0, 'run', model, '--inputs', given, '--nodes', '--executor', executor)
            self.assertEqual(r['first_bad_node'], 'log')
            self.assertEqual([(p['result'], p['nodes'], p['from_input']) for p in r['bad_paths']],
                             [('out.0', ['log', 'add', 'sum_1'], False)])
            self.assertEqual({v['node']: v['nan'] for v in r['values'] if v['nan']}, {'log': 1, 'add': 1, 'sum_1': 1})
        out = self.ended(0, 'run', model, '--inputs', given, '--nodes')
        self.assertIn('first bad node: log', out)
        self.assertIn('out.0 is bad by log > add > sum_1\n', out)

    def test_a_bad_input_is_blamed_and_no_node(self):
        model = self.write('g.txt', aten([('x', 'f32[2]')], ['sin: "f32[2]" = torch.ops.aten.sin.default(x)'], 'sin'))
        r = self.json(0, 'run', model, '--inputs', self.tensors(x=('F32', [2], [1.0, math.inf])), '--nodes')
        self.assertIsNone(r['first_bad_node'])
        self.assertEqual(r['bad_paths'], [{'result': 'out.0', 'from_input': True, 'nodes': ['x', 'sin']}])

    def test_nan_that_is_written_through_a_view(self):
        lines = ['select: "f32[2]" = torch.ops.aten.select.int(x, 0, 0)', 'sqrt: "f32[2]" = torch.ops.aten.sqrt.default(y)',
                 'copy_: "f32[2]" = torch.ops.aten.copy_.default(select, sqrt)', 'mul: "f32[2, 2]" = torch.ops.aten.mul.Tensor(x, 2)']
        model = self.write('g.txt', aten([('x', 'f32[2, 2]'), ('y', 'f32[2]')], lines, 'mul'))
        given = self.tensors(x=('F32', [2, 2], [1, 2, 3, 4]), y=('F32', [2], [4.0, -1.0]))
        r = self.json(0, 'run', model, '--inputs', given, '--nodes')
        self.assertEqual(r['first_bad_node'], 'sqrt')
        self.assertEqual(r['bad_paths'][0]['nodes'], ['sqrt', 'copy_', 'x', 'mul'])

    def test_histogram(self):
        model = self.write('g.txt', aten([('x', 'f32[130]')], ['a: "f32[130]" = torch.ops.aten.mul.Tensor(x, 1)'], 'a'))
        numbers = [float(i) for i in range(128)] + [math.nan, math.inf]
        given = self.tensors(x=('F32', [130], numbers))
        h = self.json(0, 'run', model, '--inputs', given, '--histogram', 'a')['histograms'][0]
        self.assertEqual((h['counts'][0], h['counts'][-1], sum(h['counts']), h['not_finite']), (2, 2, 128, 2))
        h = self.json(0, 'run', model, '--inputs', given, '--histogram', 'a', '--bins', 'log')['histograms'][0]
        self.assertEqual((sum(h['counts']), h['zeros'], h['edges'][0], h['edges'][-1]), (127, 1, 1, 127))
        h = self.json(0, 'run', model, '--inputs', given, '--histogram', 'a', '--clip', '0.25')['histograms'][0]
        self.assertEqual((h['below'], h['above'], sum(h['counts'])), (32, 32, 64))
        self.assertIn('2 NaN or infinite', self.ended(0, 'run', model, '--inputs', given, '--histogram', 'a'))

    def test_elements(self):
        model = self.write('g.txt', aten([('x', 'f32[2, 3, 4]')], ['a: "f32[2, 3, 4]" = torch.ops.aten.neg.default(x)'], 'a'))
        numbers = [i / 10 for i in range(24)]
        numbers[17] = math.nan
        given = self.tensors(x=('F32', [2, 3, 4], numbers))
        out = self.ended(0, 'run', model, '--inputs', given, '--show-value', 'a[1, :2, -1]', '--number-format', 'exact')
        self.assertEqual(out, 'a[1, :2, -1]  f32[2]\n-1.5  -1.9\n')
        s = self.json(0, 'run', model, '--inputs', given, '--show-value', 'a[1]')['shown'][0]
        self.assertEqual((s['type'], s['first_bad']), ('f32[3, 4]', [1, 1]))
        out = self.ended(0, 'run', model, '--inputs', given, '--show-value', 'x[0, 0, 1:3]', '--number-format', 'hex')
        self.assertEqual(out.splitlines()[1], '0x3dcccccd  0x3e4ccccd')
        self.fails(2, ['bad-slice', 'f32[2, 3, 4]'], 'run', model, '--inputs', given, '--show-value', 'a[0, 0, 0, 0]')
        self.fails(2, ['index-out-of-range'], 'run', model, '--inputs', given, '--show-value', 'a[7]')
        self.fails(5, ['unknown-value', 'nothing'], 'run', model, '--inputs', given, '--show-value', 'nothing')

    def test_kept_values_have_a_cap(self):
        saved = self.path('v.safetensors')
        self.ended(0, 'run', self.chain(), '--save-values', saved, '--keep-memory', '200')
        with open(saved, 'rb') as f:
            head = json.loads(f.read(struct.unpack('<Q', f.read(8))[0]))
        self.assertEqual([k for k in head if k.startswith('node.') and k[5:] in CHAIN_NAMES], ['node.cos', 'node.sum_1'])
        rows = json.loads(head['__metadata__']['descry.values'])['values']
        self.assertEqual([r['name'] for r in rows if 'statistics' in r], ['x', 'w', *CHAIN_NAMES])


class Reference(Case):
    def kinds(self, code, text, **tensors):
        r = self.json(code, 'run', self.write('g.txt', text), '--inputs', self.tensors(**tensors), '--reference', 'f64')
        return {n['name']: n for n in r['reference']['nodes']}, r['reference']

    def test_cancellation_of_a_sum(self):
        text = aten([('x', 'f32[256]')], ['sum_1: "f32[]" = torch.ops.aten.sum.default(x)', 'mul: "f32[]" = torch.ops.aten.mul.Tensor(sum_1, 3)'], 'mul')
        # 1e8 + 1.25 is 1e8 in float32: in lanes, in halves or one by one, what is left has lost digits.
        nodes, r = self.kinds(0, text, x=('F32', [256], [1e8] * 64 + [1.25] * 64 + [-1e8] * 64 + [0.5] * 64))
        self.assertEqual(nodes['sum_1']['kind'], 'cancellation')
        self.assertEqual(nodes['mul']['kind'], 'carried')
        self.assertGreaterEqual(nodes['sum_1']['own']['max_abs'], 0.25)
        self.assertEqual(nodes['mul']['own']['verdict'], 'bit-equal')
        self.assertEqual(r['results'][0]['kind'], 'carried')

    def test_rounding_is_told_from_what_is_exact(self):
        text = aten([('x', 'f32[3]')], ['mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, 2)', 'exp: "f32[3]" = torch.ops.aten.exp.default(mul)',
                                       'half: "f16[3]" = torch.ops.prims.convert_element_type.default(exp, torch.float16)',
                                       'back: "f32[3]" = torch.ops.prims.convert_element_type.default(half, torch.float32)'], 'back')
        nodes, _ = self.kinds(0, text, x=('F32', [3], [0.1, 0.2, 0.3]))
        self.assertEqual(nodes['mul']['error']['verdict'], 'bit-equal')
        self.assertLess(nodes['exp']['error']['max_ulp'], 2)
        self.assertGreater(nodes['exp']['error']['max_abs'], 0)
        # The conversion itself rounds: half an ULP of float16, far more of float32.
        self.assertLess(nodes['convert_element_type']['error']['max_ulp'], 1)
        self.assertGreater(nodes['convert_element_type_1']['error']['max_ulp'], 100)

    def test_dtype_arguments_are_raised_and_bits_are_not(self):
        text = aten([('x', 'f32[4]')], ['i: "i32[4]" = torch.ops.aten.view.dtype(x, torch.int32)',
                                       'h: "i32[4]" = torch.ops.aten.bitwise_and.Scalar(i, 2147483647)',
                                       'y: "f32[4]" = torch.ops.aten.view.dtype(h, torch.float32)',
                                       'o: "f32[4]" = torch.ops.aten.full.default([4], 0.1, dtype = torch.float32)',
                                       'z: "f32[4]" = torch.ops.aten.add.Tensor(y, o)'], 'z')
        nodes, r = self.kinds(0, text, x=('F32', [4], [-1.5, 2.0, -3.0, 4.0]))
        self.assertEqual([n['name'] for n in nodes.values() if n['kind'] == 'not raised'], ['view', 'view_1'])
        self.assertEqual(len(r['not_raised']), 2)
        self.assertIn('bits', r['not_raised'][0])
        self.assertGreater(nodes['full']['error']['max_abs'], 0)  # 0.1 is another number in float64

    def test_backward_and_compiled(self):
        text = graph([('x', 'f32[4, 4]'), ('w', 'f32[4, 4]')], ['y: "f32[4, 4]" = l_x_ @ l_w_', 'z: "f32[4, 4]" = torch.softmax(y, dim = -1)'], 'z')
        model = self.write('g.txt', text)
        r = self.json(0, 'run', model, '--backward', '--reference', 'f64')['reference']
        self.assertEqual({n['name'] for n in r['results']}, {'out.0', 'grad.0', 'grad.1'})
        self.assertLessEqual({n['kind'] for n in r['nodes']}, {'exact', 'rounding', 'cancellation', 'carried'})
        r = self.json(0, 'run', model, '--backward', '--reference', 'f64', '--executor', 'compiled')['reference']
        self.assertEqual((r['nodes'], len(r['results'])), ([], 3))
        self.fails(2, ['a run of its own'], 'run', model, '--reference', 'f64', '--nodes')


class Compare(Case):
    def test_verdicts_and_exit_codes(self):
        a, same = self.chain('a.txt'), self.chain('same.txt')
        r = self.json(0, 'compare', a, same)
        self.assertEqual((r['agree'], r['counts']['bit_equal'], r['first_different']), (True, 8, None))
        other = self.chain('b.txt', mul='mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(sin, 2.5)')
        r = self.json(1, 'compare', a, other)
        self.assertEqual((r['agree'], r['first_different']), (False, 'mul'))
        self.assertIn('the first that differs: mul and mul', self.ended(1, 'compare', a, other))

    def test_graphs_of_different_length_align(self):
        longer = self.write('longer.txt', aten(CHAIN, CHAIN_LINES[:2] + ['neg: "f32[4, 8]" = torch.ops.aten.neg.default(sin)',
                                                                      'neg_1: "f32[4, 8]" = torch.ops.aten.neg.default(neg)'] +
                                               [l.replace('(sin, 2)', '(neg_1, 2)') for l in CHAIN_LINES[2:]], 'sum_1'))
        r = self.json(0, 'compare', longer, self.chain())
        self.assertEqual((r['counts']['no_partner'], r['counts']['bit_equal']), (2, 8))

    def test_tolerance_by_dtype_and_length(self):
        a, b = self.chain('a.txt'), self.chain('b.txt', mul='mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(sin, 2.0005)')
        self.ended(1, 'compare', a, b)
        self.ended(0, 'compare', a, b, '--tolerance', '1e-2')
        self.ended(0, 'compare', a, b, '--tolerance', 'f32=1e-2')
        self.ended(1, 'compare', a, b, '--tolerance', 'bf16=1e-2')
        r = self.json(1, 'compare', a, b, '--tolerance', 'f32=1e-6:1e-9,length=on')
        row = next(v for v in r['values'] if v['b'] == 'mm')
        self.assertEqual((row['length'], row['tolerance_absolute']), (8, round(1e-9 * math.sqrt(8), 14)))
        self.fails(2, ['bf17=1'], 'compare', a, b, '--tolerance', 'bf17=1')
        self.fails(2, ['--tolerance'], 'compare', a, b, '--tolerance', '')

    def test_saved_values_statistics_and_hashes(self):
        a, b = self.chain('a.txt'), self.chain('b.txt', mul='mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(sin, 2.5)')
        for keep, basis in (('all', 'values'), ('statistics', 'statistics'), ('hash', 'hash'), ('sin,mul', 'values')):
            saved = self.path(keep + '.safetensors')
            self.ended(0, 'run', a, '--save-values', saved, '--keep', keep)
            r = self.json(0, 'compare', a, saved)
            self.assertEqual({v['basis'] for v in r['values'] if v['basis']}, {basis})
            r = self.json(1, 'compare', b, saved)
            self.assertEqual(r['first_different'], 'mul', keep)
        self.assertLess(os.path.getsize(self.path('hash.safetensors')), os.path.getsize(self.path('all.safetensors')))

    def test_tensors_of_another_program(self):
        # Only names say what is what; the values are those of the definition.
        given = self.tensors(x=('F32', [2], [0.5, 2.0]))
        model = self.write('g.txt', aten([('x', 'f32[2]')], ['a: "f32[2]" = torch.ops.aten.mul.Tensor(x, 4)', 'b: "f32[2]" = torch.ops.aten.add.Tensor(a, 1)'], 'b'))
        mine = self.tensors('mine.safetensors', a=('F32', [2], [2.0, 8.0]), **{'out.0': ('F32', [2], [3.0, 9.0])})
        r = self.json(0, 'compare', model, mine, '--inputs', given)
        self.assertEqual([(v['a'], v['b'], v['verdict']) for v in r['values'] if v['b']], [('mul', 'a', 'bit-equal')])
        wrong = self.tensors('wrong.safetensors', a=('F32', [3], [2.0, 8.0, 1.0]), **{'out.0': ('F64', [2], [3.0, 9.0])})
        r = self.json(1, 'compare', model, wrong, '--inputs', given)
        self.assertEqual(r['first_different'], 'a')
        self.assertEqual(next(v['verdict'] for v in r['values'] if v['b'] == 'a'), 'shape differs')
        nothing = self.tensors('nothing.safetensors', q=('F32', [2], [2.0, 8.0]))
        self.fails(1, ['nothing to compare'], 'compare', model, nothing, '--inputs', given)

    def test_executors(self):
        model = self.chain()
        r = self.json(0, 'compare', model, '--executors', 'compiled,interpret')
        self.assertTrue(r['agree'])
        self.assertEqual(r['counts']['no_partner'], 0)
        self.fails(2, ['same on both sides'], 'compare', model)
        self.fails(2, ['two of interpret and compiled'], 'compare', model, '--executors', 'compiled')
        self.fails(2, ['standard input'], 'compare', '-', '-')

    def test_damaged_files_of_values(self):
        a = self.chain()
        saved = self.path('v.safetensors')
        self.ended(0, 'run', a, '--save-values', saved)
        with open(saved, 'rb') as f:
            raw = f.read()
        for name, data in (('cut.safetensors', raw[:-5]), ('head.safetensors', raw[:6]),
                           ('schema.safetensors', raw.replace(b'descry.values/1', b'descry.values/7'))):
            with open(self.path(name), 'wb') as f:
                f.write(data)
            self.fails(3, [name], 'compare', a, self.path(name))


class Bisect(Case):
    SILU = graph([('x', 'f32[8]')], ['y: "f32[8]" = torch.nn.functional.silu(l_x_)', 'z: "f32[8]" = y * 2'], 'z')

    def broken_table(self):
        """The op table with a decomposition of silu that is wrong."""
        folder = self.path('table')
        shutil.copytree(os.path.join(SOURCE, 'ir/ops/table'), folder)
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            with open(path, encoding='utf-8') as f:
                lines = f.read().split('\n')
            for i, line in enumerate(lines):
                if line.startswith('op aten::silu(Tensor self)'):
                    end = next(k for k in range(i + 1, len(lines)) if lines[k].startswith('op ') or not lines[k])
                    kept, skip = [], False
                    for l in lines[i + 1:end]:
                        if not l.startswith('    '):
                            skip = l.startswith('  core:') or l.startswith('  inductor:')
                        if not skip:
                            kept.append(l)
                    lines[i + 1:end] = kept + ['  core:', '    return self * self.sigmoid() + 0.25']
                    with open(path, 'w', encoding='utf-8') as f:
                        f.write('\n'.join(lines))
                    return folder
        self.fail('no silu in the table')

    def test_a_broken_pass_is_found(self):
        model = self.write('g.txt', self.SILU)
        passes = 'aot-inductor'
        self.assertIsNone(self.json(0, 'bisect', model, '--passes', passes)['bad'])
        r = self.json(1, 'bisect', model, '--passes', passes, env={'DESCRY_OP_TABLE': self.broken_table()})
        self.assertTrue(r['bad']['name'].startswith('decompose'), r['bad'])
        self.assertEqual(r['bad']['at'], r['good']['at'] + 1)
        self.assertIn('out.0: outside', r['detail'])
        self.assertLess(len(r['probes']), r['places'])

    def test_the_node_that_was_edited_is_found(self):
        good = self.chain('good.txt')
        r = self.json(1, 'bisect', self.chain('bad.txt', mul='mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(sin, 2.5)'), good)
        self.assertEqual((r['bad']['name'], r['good']['name']), ('mul', 'sin'))
        bad = self.chain('bad.txt', add='sub: "f32[4, 8]" = torch.ops.aten.sub.Tensor(mul, x)',
                         cos='cos: "f32[4, 8]" = torch.ops.aten.cos.default(sub)')
        r = self.json(1, 'bisect', bad, good)
        self.assertEqual(r['bad']['name'], 'cos')  # sub stands for no add: the first pair behind it
        saved = self.path('v.safetensors')
        self.ended(0, 'run', good, '--save-values', saved)
        bad = self.chain('bad.txt', cos='cos: "f32[4, 8]" = torch.ops.aten.cos.default(mul)')
        r = self.json(1, 'bisect', bad, saved)
        self.assertEqual((r['bad']['name'], r['good']['name']), ('cos', 'mul'))  # nobody reads add any more
        self.assertIsNone(self.json(0, 'bisect', good, saved)['bad'])

    def test_executors_agree(self):
        self.assertIsNone(self.json(0, 'bisect', self.chain(), '--executors', 'interpret,compiled')['bad'])

    def test_a_search_goes_on(self):
        good, bad = self.chain('good.txt'), self.chain('bad.txt', mul='mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(sin, 2.5)')
        state = self.path('search.json')
        first = self.json(1, 'bisect', bad, good, '--resume', state)
        again = self.json(1, 'bisect', bad, good, '--resume', state)
        self.assertEqual(again['bad'], first['bad'])
        self.assertTrue(all(p['resumed'] for p in again['probes']))
        # A search that was cut off knows a part: only the rest is looked at.
        with open(state) as f:
            known = json.load(f)
        known['probes'] = [p for p in known['probes'] if p['at'] == first['places']]
        with open(state, 'w') as f:
            json.dump(known, f)
        r = self.json(1, 'bisect', bad, good, '--resume', state)
        self.assertEqual((r['bad'], [p['resumed'] for p in r['probes']][:2]), (first['bad'], [True, False]))
        self.fails(2, ['bad-resume', 'another search'], 'bisect', bad, good, '--inputs', 'ones', '--resume', state)
        with open(state, 'w') as f:
            f.write('{"schema": ')
        self.fails(2, ['bad-resume'], 'bisect', bad, good, '--resume', state)

    def test_it_can_be_stopped(self):
        lines = ['a0: "f32[600, 600]" = torch.ops.aten.mm.default(x, x)'] + \
            [f'a{i}: "f32[600, 600]" = torch.ops.aten.mm.default(a{i - 1}, x)' for i in range(1, 400)]
        model = self.write('long.txt', aten([('x', 'f32[600, 600]')], lines, 'a399'))
        state = self.path('search.json')
        code, out, err = self.run_('bisect', model, '--executors', 'interpret,compiled', '--timeout', '0.3', '--resume', state)
        self.assertEqual(code, 6, out + err)

    def test_wrong_use(self):
        model = self.chain()
        self.fails(2, ['unknown-pass'], 'bisect', model, '--passes', 'nonsense')
        self.fails(2, ['one graph'], 'bisect', model, model, '--passes', 'cse')
        self.fails(2, ['--executors'], 'bisect', model, model, '--executor', 'compiled')
        other = self.write('o.txt', aten([('q', 'i64[2]')], ['r: "i64[2]" = torch.ops.aten.bitwise_not.default(q)'], 'r'))
        self.fails(5, ['nothing-to-compare'], 'bisect', model, other)


class Times(Case):
    def test_profile(self):
        model = self.chain()
        for executor in ('interpret', 'compiled'):
            p = self.json(0, 'run', model, '--profile', '--runs', '3', '--executor', executor)['profile']
            self.assertGreater(p['roof']['copy_bytes_per_second'], 0)
            self.assertGreater(p['roof']['flops_f32'], 0)
            mm = next(r for r in p['rows'] if r['name'] == 'mm' or r['op'].split()[0] == 'mm')
            self.assertEqual(mm['flops'], 2 * 4 * 8 * 8)
            self.assertEqual(mm['bytes'], 4 * (4 * 8 + 8 * 8 + 4 * 8))
            self.assertEqual(mm['seconds']['runs'], 3)
            self.assertAlmostEqual(p['sum'], sum(r['seconds']['median'] for r in p['rows']), delta=1e-5 * p['sum'] + 1e-9)
            self.assertIn('roof, measured here', self.ended(0, 'run', model, '--profile', '--executor', executor))

    def test_bench(self):
        b = self.json(0, 'bench', self.chain(), '--runs', '7')
        self.assertEqual([e['executor'] for e in b['executors']], ['interpret', 'compiled'])
        for e in b['executors']:
            self.assertEqual(e['seconds']['runs'], 7)
            self.assertLessEqual(e['seconds']['low'], e['seconds']['median'])
            # mm, sin, mul, add (other times alpha too), cos, sum
            self.assertEqual(e['flops'], 512 + 32 + 32 + 64 + 32 + 32)
        self.assertEqual(b['executors'][0]['parts'], 6)
        self.assertLess(b['executors'][1]['parts'], 6)
        one = self.json(0, 'bench', self.chain(), '--seconds', '0.05', '--executor', 'compiled')
        self.assertGreaterEqual(one['executors'][0]['seconds']['runs'], 5)
        self.fails(2, ['--runs'], 'bench', self.chain(), '--runs', '0')


class BadInput(Case):
    """What fails is named, with shapes and reason; exit code 5; no file is half written."""

    def commands(self, model, *rest):
        saved = self.path('other.safetensors')
        for executor in ('interpret', 'compiled'):
            yield ['run', model, *rest, '--executor', executor, '--save', self.path('out.safetensors')]
            yield ['run', model, *rest, '--executor', executor, '--save-values', self.path('out.safetensors')]
            yield ['run', model, *rest, '--executor', executor, '--reference', 'f64']
            yield ['compare', model, self.chain('other.txt'), *rest, '--executors', executor + ',' + executor]
            yield ['bench', model, *rest, '--runs', '1', '--executor', executor]
        yield ['bisect', model, '--passes', 'dce', *rest]

    def refused(self, words, text, *rest, code=5):
        model = self.write('g.txt', text)
        for command in self.commands(model, *rest):
            with self.subTest(' '.join(command)):
                self.fails(code, words, *command)
                self.assertFalse(os.path.exists(self.path('out.safetensors')))

    def test_inputs(self):
        text = aten([('x', 'f32[2, 3]')], ['a: "f32[2, 3]" = torch.ops.aten.sin.default(x)'], 'a')
        self.refused(['input-mismatch', 'x', 'f32[2, 3]', 'f32[3, 2]'], text, '--inputs', self.tensors(x=('F32', [3, 2], [0] * 6)))
        self.refused(['input-mismatch', 'x', 'f64[2, 3]'], text, '--inputs', self.tensors(x=('F64', [2, 3], [0] * 6)))
        self.refused(['missing-input', 'x'], text, '--inputs', self.tensors(y=('F64', [2, 3], [0] * 6)))
        self.refused(['cannot-read'], text, '--inputs', self.path('none.safetensors'), code=3)
        self.refused(['bad-inputs'], text, '--inputs', 'random:x', code=2)

    def test_memory(self):
        text = aten([('x', 'f32[1000, 1000]')], ['a: "f32[1000, 1000]" = torch.ops.aten.sin.default(x)',
                                                'b: "f32[1000, 1000]" = torch.ops.aten.mm.default(a, a)',
                                                'c: "f32[1000, 1000, 1000]" = torch.ops.aten.mul.Tensor(a, torch)'][:2] +
                    ['e: "f32[400, 1000, 1000]" = torch.ops.aten.repeat.default(b, [400, 1, 1])'], 'e')
        self.refused(['out-of-memory'], text, '--memory', '60M')

    def test_numbers(self):
        divide = aten([('x', 'i64[2]'), ('y', 'i64[2]')], ['div: "i64[2]" = torch.ops.aten.div.Tensor_mode(x, y, rounding_mode = "trunc")'], 'div')
        self.refused(['div', 'zero'], divide, '--inputs', 'zeros')
        index = aten([('x', 'f32[4]'), ('i', 'i64[2]')], ['index: "f32[2]" = torch.ops.aten.index.Tensor(x, [i])'], 'index')
        self.refused(['index', 'f32[4]'], index, '--inputs', self.tensors(x=('F32', [4], [0] * 4), i=('I64', [2], [0, 9])))

    def test_ops(self):
        unknown = aten([('x', 'f32[4]')], ['r: "f32[4]" = torch.ops.nowhere.thing.default(x)'], 'r')
        self.refused(['r', 'unsupported-op', 'nowhere.thing'], unknown)
        shapes = aten([('x', 'f32[2, 3]'), ('y', 'f32[4, 5]')], ['r: "f32[2, 5]" = torch.ops.aten.mm.default(x, y)'], 'r')
        self.refused(['r: ', '[2, 3]', '[4, 5]'], shapes)


if __name__ == '__main__':
    p = argparse.ArgumentParser()
    p.add_argument('--descry', required=True)
    p.add_argument('--source', required=True)
    a, rest = p.parse_known_args()
    DESCRY, SOURCE = a.descry, a.source
    unittest.main(argv=[sys.argv[0], *rest])
