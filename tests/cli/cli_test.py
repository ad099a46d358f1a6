#!/usr/bin/env python3
"""Drives the `descry` program: outputs, exit codes, JSON Schemas, standard input, help, completion, manual.

    cli_test.py --descry PATH --source DIR [NAME...]
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

DESCRY = SOURCE = None

JOINT = '''class joint_helper(torch.nn.Module):
    def forward(
        self,
        primals,
        tangents,
    ):
        primals_1: "f32[8, 16][16, 1]cpu"  # ParamAOTInput(target='fc.weight')
        primals_2: "f32[4, 8][8, 1]cpu"  # PlainAOTInput(idx=0)
        tangents_1: "f32[4, 16][16, 1]cpu"  # TangentAOTInput(output=PlainAOTOutput(idx=0))
        primals_1, primals_2, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
        # File: /src/model.py:7 in forward, code: h = x @ self.fc.weight
        mm: "f32[4, 16][16, 1]cpu" = torch.ops.aten.mm.default(primals_2, primals_1)
        t: "f32[8, 4][1, 8]cpu" = torch.ops.aten.t.default(primals_2);  primals_2 = None
        mm_1: "f32[8, 16][16, 1]cpu" = torch.ops.aten.mm.default(t, tangents_1);  t = None
        t_1: "f32[16, 8][1, 16]cpu" = torch.ops.aten.t.default(primals_1);  primals_1 = None
        mm_2: "f32[4, 8][8, 1]cpu" = torch.ops.aten.mm.default(tangents_1, t_1);  tangents_1 = t_1 = None
        return pytree.tree_unflatten([
            mm,  # PlainAOTOutput(idx=0)
            mm_1,  # GradAOTOutput(grad_of=ParamAOTInput(target='fc.weight'))
            mm_2,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))
        ], self._out_spec)
'''
NESTED = '''\
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4]"):
        body_0 = self.body_0
        out = torch.ops.higher_order.invoke_subgraph(body_0, 'body_0', x);  body_0 = x = None
        return (out,)

    class body_0(torch.nn.Module):
        def forward(self, x: "f32[4]"):
            sin: "f32[4]" = torch.ops.aten.sin.default(x);  x = None
            return (sin,)
'''

PLAIN = '''class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4]", y: "f32[4]"):
        sin: "f32[4]" = torch.ops.aten.sin.default(x);  x = None
        add: "f32[4]" = torch.ops.aten.add.Tensor(sin, y);  sin = y = None
        return (add,)
'''


def run(*args, stdin=None, env=None, timeout=60):
    p = subprocess.run([DESCRY, *args], input=stdin, capture_output=True, text=True, timeout=timeout,
                       env={**os.environ, **(env or {})})
    return p.returncode, p.stdout, p.stderr


class Case(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.joint = cls.write('joint.txt', JOINT)
        cls.plain = cls.write('plain.txt', PLAIN)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def write(cls, name, text):
        path = os.path.join(cls.folder.name, name)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        return path

    def fine(self, *args, **kw):
        code, out, err = run(*args, **kw)
        self.assertEqual(code, 0, err)
        return out

    def valid(self, text, name):
        """Checks a JSON text against docs/schema with an independent validator."""
        import jsonschema
        value = json.loads(text)
        self.assertEqual(value['schema'], name)
        command, version = name.split('/')
        with open(os.path.join(SOURCE, 'docs/schema', f'{command}.{version}.schema.json'), encoding='utf-8') as f:
            jsonschema.validate(value, json.load(f))
        return value


class Outputs(Case):
    def test_show_prints_what_was_read(self):
        self.assertEqual(self.fine('show', self.joint), JOINT)

    def test_show_is_a_fixed_point_through_standard_input(self):
        out = self.fine('show', self.plain)
        self.assertEqual(self.fine('show', '-', stdin=out), out)

    def test_graph_addresses(self):
        two = self.write('two.txt', PLAIN + '\n' + JOINT)
        ids = [g['id'] for g in json.loads(self.fine('info', two, '--json'))['graphs']]
        self.assertEqual(len(ids), 2)
        self.assertEqual(self.fine('show', f'{two}::{ids[1]}'), JOINT)
        self.assertEqual(self.fine('show', f'-::{ids[1]}', stdin=PLAIN + '\n' + JOINT), JOINT)
        code, _, err = run('show', f'{two}::nothing')
        self.assertEqual(code, 2)
        self.assertIn(ids[0], err)
        self.assertIn('[graph-not-found]', err)

    def test_show_all_and_node(self):
        out = self.fine('show', '--all', self.joint)
        self.assertEqual(out.split('\n', 1)[1], JOINT)
        out = self.fine('show', self.joint + '#mm')
        self.assertIn('torch.ops.aten.mm.default', out)
        self.assertIn('/src/model.py:7', out)
        self.assertEqual(run('show', self.joint + '#nothing')[0], 2)

    def test_show_without_parts(self):
        out = self.fine('show', self.plain, '--no-types', '--no-deletions')
        self.assertIn('sin = torch.ops.aten.sin.default(x)\n', out)

    def test_io_pairs(self):
        rows = json.loads(self.fine('io', self.joint, '--json'))
        self.assertEqual([(r['name'], r['grad']) for r in rows['inputs']],
                         [('primals_1', 'mm_1'), ('primals_2', 'mm_2'), ('tangents_1', None)])
        self.assertEqual([(r['name'], r['tangent']) for r in rows['outputs']],
                         [('mm', 'tangents_1'), ('mm_1', None), ('mm_2', None)])
        text = self.fine('io', self.joint)
        self.assertIn('gradient arriving for output 0', text)
        self.assertNotIn('inferred', text)
        self.assertIn('inferred', self.fine('io', self.plain))

    def test_find_and_partner(self):
        self.assertEqual(self.fine('find', self.joint, 'op=mm phase=backward', '--names'), 'mm_1\nmm_2\n')
        code, out, err = run('find', self.joint, 'op=mm dtype=f64')
        self.assertEqual((code, out), (0, ''))
        self.assertIn('dtype=f64 leaves 0 of 3', err)
        code, _, err = run('find', self.joint, 'relu oops=1')
        self.assertEqual(code, 2)
        self.assertIn("no field 'oops'", err)
        self.assertTrue(self.fine('partner', self.joint + '#primals_1').startswith('mm_1:'))

    def test_find_in_all_graphs_and_below(self):
        two = self.write('two.txt', NESTED + '\n' + PLAIN)
        self.assertEqual(self.fine('find', '--all', two, 'op=sin', '--names'),
                         'graph/body_0#sin\ngraph#2#sin\n')
        self.assertIn('2 nodes in 2 of 3 graphs', self.fine('find', '--all', two, 'op=sin'))
        found = json.loads(self.fine('find', '--all', two, 'op=sin', '--json'))
        self.assertEqual([(g['graph'], [n['name'] for n in g['nodes']]) for g in found['graphs']],
                         [('graph/body_0', ['sin']), ('graph#2', ['sin'])])
        self.assertEqual(found['searched'], 3)
        self.assertEqual(self.fine('find', '--all', two, 'op=nothing', '--names'), '')
        self.assertEqual(run('find', '--all', two, 'sin oops=1')[0], 2)
        self.assertEqual(run('find', '--all', two + '::graph', 'sin')[0], 2)

    def test_find_takes_any_query_for_a_query(self):
        # Longer than a path can be, and a word that is also the name of a file.
        code, _, err = run('find', self.joint + '::graph', 'op=mm or ' * 600 + 'op=mm')
        self.assertEqual(code, 0, err)
        self.assertEqual(run('find', '/no/such/file', 'op=mm or ' * 600 + 'op=mm')[0], 3)
        self.assertNotIn('the file comes first', run('find', self.joint + '::graph', self.folder.name)[2])

    def test_find_in_all_says_what_was_lost(self):
        damaged = self.write('damaged.txt', PLAIN.replace('torch.ops.aten.add.Tensor(sin, y)', 'f(((('))
        self.assertEqual(run('find', damaged, 'op=sin')[0], 4)
        code, _, err = run('find', '--all', damaged, 'op=sin')
        self.assertEqual(code, 4)
        self.assertIn('error:', err)
        # Two parts of one name: each is searched once.
        twice = self.write('twice.txt', NESTED + NESTED.split('\n\n')[1].replace('sin', 'cos').join(['\n', '']))
        names = self.fine('find', '--all', twice, 'op=sin or op=cos', '--names').split()
        self.assertEqual(sorted(n.rsplit('#', 1)[1] for n in names), ['cos', 'sin'])

    def test_ops_lists_python_functions(self):
        out = self.fine('ops', 'torch.nn.functional.dropout')
        self.assertIn('torch.nn.functional.dropout(input, p=0.5, training=True, inplace=False)\n    Python function', out)
        self.assertEqual(run('ops', 'no_such_thing')[0], 1)
        self.assertEqual(self.fine('ops', 'aten::mm'), self.fine('ops', 'aten.mm'))

    def test_formats_follow_the_name_of_the_output(self):
        page = os.path.join(self.folder.name, 'd.html')
        self.assertEqual(run('diff', self.joint, self.joint, '-o', page)[0], 0)
        with open(page, encoding='utf-8') as f:
            self.assertTrue(f.read().lower().startswith('<!doctype html>'))
        for args in (['-f', 'png'], ['-o', 'a.pdf']):
            code, _, err = run('export', self.joint, *args)
            self.assertEqual(code, 2)
            self.assertIn('descry render', err)

    def test_mistakes_that_newcomers_make(self):
        for args, part in ((['find', 'op=mm', self.joint], 'the file comes first'),
                           (['find', self.joint, 'op=mm', 'dtype=f32'], 'quote what holds blanks'),
                           (['verify', self.joint, self.joint], 'takes FILE[::GRAPH], and'),
                           (['-q', 'info', self.joint], 'options follow the command'),
                           (['layout', self.joint, '--stats'], 'belongs to --json'),
                           (['open', self.joint, '--offscreen'], 'add --shot'),
                           (['find', self.joint, 'phase=bakward'], "no phase 'bakward'")):
            code, _, err = run(*args)
            self.assertEqual(code, 2, args)
            self.assertIn(part, err)
        self.assertEqual(run('partner', self.plain + '#sin')[0], 1)

    def test_diff(self):
        changed = self.write('changed.txt', PLAIN.replace('aten.sin', 'aten.cos'))
        self.assertEqual(run('diff', self.plain, self.plain)[0], 0)
        code, out, _ = run('diff', self.plain, changed)
        self.assertEqual(code, 1)
        self.assertIn('op: torch.ops.aten.sin.default => torch.ops.aten.cos.default', out)
        for fmt in ('svg', 'html'):
            code, out, _ = run('diff', self.plain, changed, '--format', fmt)
            self.assertEqual(code, 1)
            self.assertIn('cos', out)
        code, out, _ = run('diff', self.plain, changed, '--unified')
        self.assertIn('\n+        sin: "f32[4]" = torch.ops.aten.cos.default(x);  x = None\n', out)

    def test_verify(self):
        self.assertIn('all rules hold', self.fine('verify', self.joint))
        broken = self.write('broken.txt', JOINT.replace("PlainAOTOutput(idx=0)\n            mm_1",
                                                        "PlainAOTInput(idx=0)\n            mm_1"))
        code, out, _ = run('verify', broken)
        self.assertEqual(code, 1)
        self.assertIn('descriptor', out)
        self.assertGreater(len(json.loads(self.fine('verify', '--rules', '--json'))['rules']), 10)

    def test_exports(self):
        target = os.path.join(self.folder.name, 'out.json')
        self.fine('export', self.joint, '-o', target)
        self.assertEqual(self.fine('show', target), JOINT)
        for fmt in ('svg', 'html', 'csv', 'fx', 'json'):
            self.assertTrue(self.fine('export', self.joint, '--format', fmt), fmt)
        svg = os.path.join(self.folder.name, 'out.svg')
        self.fine('render', self.joint, '-o', svg, '--theme', 'dark', '--group', 'phase')
        import xml.etree.ElementTree as tree
        self.assertTrue(tree.parse(svg).getroot().tag.endswith('svg'))
        self.assertEqual(run('export', self.joint, '-f', 'svg', '-o', '/nonexistent-folder/x.svg')[0], 5)

    def test_layout_and_report(self):
        self.assertIn('layers', self.fine('layout', self.joint))
        html = self.fine('report', self.joint)
        self.assertIn('gradient arriving for output 0', html)
        self.assertNotIn('<script', html)

    def test_ops(self):
        self.assertIn('aten::add.Tensor(', self.fine('ops', 'aten.add.Tensor'))
        self.assertEqual(run('ops', 'no.such.op.at.all')[0], 1)
        loops = self.fine('ops', 'while_loop')
        self.assertIn('gradient: traced from its body', loops)
        for op in json.loads(self.fine('ops', 'higher_order', '--json'))['ops']:
            if op['target'].split('.')[3] in ('cond', 'scan', 'map_impl', 'invoke_subgraph', 'tag_activation_checkpoint'):
                self.assertIn('traced', op['gradient'], op['target'])
            self.assertNotIn('no tensor', op['gradient'] or '' if 'print' not in op['target'] else '', op['target'])
        # Bodies stand as far in as one another.
        body = self.fine('ops', 'aten.linalg_cond.default').split('composite:\n')[1].split('\n')
        self.assertEqual([len(l) - len(l.lstrip()) for l in body[:4]], [8, 10, 8, 8])
        self.assertIn('autocast: cuda fp32_set_opt_dtype', self.fine('ops', 'aten.softmax.int'))
        ops = {op['target']: op['autocast'] for op in self.valid(self.fine('ops', '--json'), 'descry.ops/1')['ops']}
        # As many as PyTorch 2.15 registers for the two dispatch keys; _cudnn_rnn has a kernel of its own.
        self.assertEqual(sum(bool(p) and ('cuda' not in p or 'cpu' in p) for p in ops.values()), 126)
        self.assertEqual(sum(bool(p) and ('cpu' not in p or 'cuda' in p) for p in ops.values()), 120)
        self.assertEqual(ops['torch.ops.aten.linear.default'], 'lower_precision_fp')
        self.assertIsNone(ops['torch.ops.aten.add.Tensor'])

    def test_hostile_names_are_data(self):
        text = PLAIN.replace('"f32[4]" = torch.ops.aten.sin.default(x)', '"f32[4]" = torch.ops.aten.sin.default(x, "</script><b>\\"]; }")')
        hostile = self.write('hostile.txt', text)
        for command in (['report'], ['export', '--format', 'html'], ['export', '--format', 'svg']):
            _, out, _ = run(command[0], hostile, *command[1:])
            self.assertNotIn('</script><b>', out)

    def test_terminal_escapes_do_not_reach_the_terminal(self):
        log = self.write('esc.txt', PLAIN + '# graph id: \x1b[31mx\n')
        for command in ('info', 'io'):
            _, out, err = run(command, log)
            self.assertNotIn('\x1b', out + err)


class Schemas(Case):
    def test_every_json_output_is_valid(self):
        changed = self.write('c.txt', PLAIN.replace('aten.sin', 'aten.cos'))
        for name, args in {
                'info': [['info', self.joint], ['info', self.joint + '::graph'], ['info', self.joint, '--index-only', '--timings']],
                'show': [['show', self.joint], ['show', self.joint, '--all'], ['show', self.joint + '#mm']],
                'io': [['io', self.joint], ['io', self.plain]],
                'verify': [['verify', self.joint], ['verify', '--rules']],
                'find': [['find', self.joint, 'mm'], ['find', '--all', self.joint, 'mm'], ['find', '--fields']],
                'partner': [['partner', self.joint + '#mm'], ['partner', self.plain + '#sin']],
                'diff': [['diff', self.plain, changed], ['diff', self.plain, self.joint]],
                'layout': [['layout', self.joint], ['layout', self.joint, '--stats', '--timings', '--group', 'phase']],
                'passes': [['passes', '--list']],
                'ops': [['ops', 'aten.mm'], ['ops', 'dropout']]}.items():
            for a in args:
                _, out, err = run(*a, '--json')
                with self.subTest(a=a):
                    self.valid(out, f'descry.{name}/1')

    def test_schema_command_prints_the_files(self):
        for name in self.fine('schema').split():
            command, version = name.split('/')
            with open(os.path.join(SOURCE, 'docs/schema', f'{command}.{version}.schema.json'), encoding='utf-8') as f:
                self.assertEqual(self.fine('schema', name), f.read())

    def test_outputs_are_the_same_each_time(self):
        for args in (['info', self.joint, '--json'], ['layout', self.joint, '--json'], ['report', self.joint]):
            self.assertEqual(run(*args), run(*args))


class ExitCodes(Case):
    def test_wrong_usage(self):
        for args, part in ((['shwo'], 'did you mean `descry show`'), (['show'], 'needs FILE'),
                           (['show', self.plain, '--jsno'], 'did you mean --json'),
                           (['show', self.plain, 'b'], 'one more'), (['export', self.plain], '--format'),
                           (['export', self.plain, '--format', 'dto'], 'did you mean dot'),
                           (['render', self.plain], '-o'), (['render', self.plain, '-o', 'x.gif'], 'svg'),
                           (['show', self.plain, '--timeout', 'soon'], 'seconds'), (['partner', self.plain], 'node')):
            code, _, err = run(*args)
            self.assertEqual(code, 2, args)
            self.assertIn(part, err)
        self.assertEqual(run()[0], 2)

    def test_cannot_read(self):
        empty = self.write('empty.txt', '')
        binary = os.path.join(self.folder.name, 'binary')
        with open(binary, 'wb') as f:
            f.write(bytes(range(256)) * 50)
        for path in ('/nonexistent/file', empty, binary):
            for command in ('info', 'show', 'io', 'verify'):
                code, out, err = run(command, path)
                self.assertEqual((code, out), (3, ''), (command, path))
                self.assertRegex(err, r'error: .+ \[[a-z-]+\]')
        self.assertEqual(run('show', '-', stdin='')[0], 3)

    def test_read_in_part(self):
        cut = self.write('cut.txt', PLAIN[:PLAIN.index('        return')] + '        bad: "f32[4]" = torch.ops.aten.add.Tensor(sin,,\n')
        for command in ('show', 'io', 'info'):
            code, out, err = run(command, cut)
            self.assertEqual(code, 4, (command, err))
            self.assertTrue(out)
            self.assertRegex(err, r'cut\.txt:\d+:\d+: (error|warning|note): ')

    def test_lost_records_are_read_in_part(self):
        header = 'V0822 14:00:48.902000 2354971 torch/_dynamo/x.py:247] '
        graph = header + '{"aot_joint_graph": {}, "frame_id": 0, "frame_compile_id": 0, "has_payload": "%s"}\n' + \
            ''.join('\t' + line + '\n' for line in PLAIN.splitlines())
        edited = self.write('edited.log', graph % ('0' * 32))
        lost = self.write('lost.log', graph % ('0' * 32) + header + '{"aot_forward_graph": {}, "frame_id" 0}\n\tx\n')
        for command in (['info'], ['show', '--all'], ['verify'], ['report', '-o', os.devnull]):
            # A hash that differs is only a warning.
            self.assertEqual(run(*command, edited)[0], 0, command)
            code, _, err = run(*command, lost)
            self.assertEqual(code, 4, (command, err))
        # The other graphs are whole, but the one that is meant may be the one that was lost.
        code, out, err = run('show', lost)
        self.assertEqual(code, 4, err)
        self.assertIn('[read-in-part]', err)
        self.assertIn('sin', out)

    def test_info_counts_inputs_behind_calls(self):
        late = self.write('late.txt', 'graph():\n    %x : [num_users=1] = placeholder[target=x]\n'
                          '    %r : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})\n'
                          '    %late : [num_users=1] = placeholder[target=late]\n    return {"a": r, "b": [late]}\n')
        g = json.loads(self.fine('info', late, '--json'))['graphs'][0]
        self.assertEqual((g['inputs'], g['outputs']), (2, 2))

    def test_timeout(self):
        big = self.write('big.txt', 'class G(torch.nn.Module):\n    def forward(self, x: "f32[4]"):\n        n0: "f32[4]" = torch.ops.aten.sin.default(x)\n' +
                         ''.join(f'        n{i}: "f32[4]" = torch.ops.aten.add.Tensor(n{i-1}, n{i*7//8})\n' for i in range(1, 200000)) + '        return (n5,)\n')
        code, _, _ = run('layout', big, '--timeout', '0.05')  # it takes some ten times as long
        self.assertEqual(code, 6)
        for wrong in ('0', '-1', 'soon', 'nan'):
            self.assertEqual(run('layout', self.plain, '--timeout', wrong)[0], 2, wrong)

    def test_later_commands_say_so(self):
        for command in ('alias', 'fusion', 'memory'):
            code, out, err = run(command, self.plain, '--whatever', 'x')
            self.assertEqual((code, out), (2, ''))
            self.assertIn('not supported yet', err)

    def test_closed_pipe_is_quiet(self):
        p = subprocess.Popen([DESCRY, 'ops', '--json'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        p.stdout.read(10)
        p.stdout.close()
        self.assertEqual(p.stderr.read(), b'')
        p.stderr.close()
        self.assertEqual(p.wait(timeout=30), 0)

    def test_full_disk(self):
        with open('/dev/full', 'w') as full:
            p = subprocess.run([DESCRY, 'show', self.plain], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(p.returncode, 5)
        self.assertIn('No space left', p.stderr)

    def test_open_without_display_writes_pictures(self):
        env = {k: v for k, v in os.environ.items() if k not in ('DISPLAY', 'WAYLAND_DISPLAY', 'QT_QPA_PLATFORM')}
        p = subprocess.run([DESCRY, 'open', self.plain], capture_output=True, text=True, env=env, timeout=120)
        self.assertEqual(p.returncode, 0, p.stderr)
        self.assertIn('no display', p.stderr)
        for ending in ('.svg', '.html'):
            self.assertTrue(os.path.getsize(self.plain + '.descry' + ending))


CAPTURED = '''class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4, 3][3, 1]cpu", L_w_: "f32[3, 2][2, 1]cpu", L_n_: "i64[1][1]cpu"):
        l_x_ = L_x_
        l_w_ = L_w_
        l_n_ = L_n_
        h: "f32[4, 2][2, 1]cpu" = l_x_ @ l_w_;  l_x_ = l_w_ = None
        r: "f32[4, 2][2, 1]cpu" = torch.exp(h);  h = None
        s: "f32[4, 2][2, 1]cpu" = torch.cos(r);  r = None
        add_: "i64[1][1]cpu" = l_n_.add_(1);  l_n_ = add_ = None
        return (s,)
'''

CUSTOM = '''class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "i64[4][1]cpu", L_y_: "i64[4][1]cpu"):
        l_x_ = L_x_
        l_y_ = L_y_
        bump = torch.ops.mylib.bump(l_x_, l_y_)
        add: "i64[4][1]cpu" = l_x_ + l_y_
        return (add,)
'''


class Passes(Case):
    def setUp(self):
        super().setUp()
        self.captured = self.write('captured.txt', CAPTURED)

    def test_steps_are_recorded(self):
        d = self.valid(self.fine('opt', self.captured, '--passes', 'aot', '--verify-each', '--json'), 'descry.opt/1')
        self.assertEqual([p['pass'] for p in d['passes']],
                         ['lower', 'collect-metadata', 'merge-duplicates', 'synthetic-bases', 'flatten-subclasses',
                          'functionalize', 'intermediate-bases', 'effect-tokens', 'trace-joint', 'partition',
                          'unflatten-subclasses', 'runtime-epilogue'])
        self.assertEqual([g['name'] for g in d['passes'][-1]['graphs']], ['forward', 'backward'])
        found = {f['what']: f['finding'] for f in d['passes'][1]['findings']}
        self.assertIn('data written', found['PlainAOTInput(idx=2)'])
        table = self.fine('opt', self.captured, '--passes', 'aot', '--summary')
        self.assertIn('1 written input, 0 aliased of 1 output, training', table)

    def test_copying_twins_are_told_by_their_views(self):
        ops = json.loads(self.fine('ops', 'aten::view_copy', '--json'))['ops']
        twin = next(o for o in ops if o['target'] == 'torch.ops.aten.view_copy.default')
        self.assertEqual(twin['shape'], 'as torch.ops.aten.view.default, in memory of its own')
        self.assertEqual(twin['gradient'], 'as torch.ops.aten.view.default')

    def test_ops_are_found_by_how_programs_call_them(self):
        for called, op in (('torch.addmm', 'aten::addmm('), ('.addmm', 'aten::addmm('), ('operator.add', 'aten::add.Tensor('),
                           ('__add__', 'aten::add.Tensor('), ('ADDMM', 'aten::addmm('), ('torch.nn.functional.gelu', 'aten::gelu('),
                           ('torch.nn.functional.linear', 'aten::linear(')):
            self.assertIn(op, self.fine('ops', called), called)

    def test_scalar_expressions_are_told(self):
        ops = {o['target']: o['scalar'] for o in json.loads(self.fine('ops', '--json'))['ops']}
        self.assertEqual(ops['torch.ops.aten.remainder.Tensor'], 'self % other')
        self.assertEqual(ops['torch.ops.aten.remainder_.Tensor'], 'as torch.ops.aten.remainder.Tensor')
        self.assertIsNone(ops['torch.ops.aten.mm.default'])
        self.assertIn('scalar: self % other', self.fine('ops', 'aten::remainder.Tensor'))
        self.assertNotIn('scalar', self.fine('ops', 'aten::mm'))

    def test_a_stage_says_what_it_does_not_keep(self):
        graph = self.write('equal.txt', '''class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4][1]cpu"):
        a: "f32[4][1]cpu" = x.sin()
        b: "f32[4][1]cpu" = x.sin()
        c: "f32[4][1]cpu" = a + b
        return (c,)
''')
        stages = 'lower,collect-metadata,merge-duplicates,synthetic-bases,functionalize'
        lost = 'what other passes changed since the stage before is not kept'
        self.assertIn(lost, self.fine('opt', graph, '--passes', stages + ',cse,trace-joint', '--summary'))
        self.assertNotIn(lost, self.fine('opt', graph, '--passes', stages + ',dce,trace-joint,decompose', '--summary'))
        self.assertIn(lost, self.fine('opt', graph, '--passes', stages + ',trace-joint,cse,decompose', '--summary'))

    def states(self, text, passes, *options):
        folder = os.path.join(os.path.dirname(self.write('program.txt', text)), 'program')
        self.fine('opt', os.path.join(os.path.dirname(folder), 'program.txt'), '--passes', passes, '--verify-each', '--dump-after-all', folder, *options)
        out = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name)) as f:
                out['_'.join(name.split('_')[1:]).removesuffix('.txt')] = f.read()
        return out

    def test_each_stage_adds_its_part(self):
        states = self.states('''class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4][1]cpu"):
        a: "f32[4][1]cpu" = torch.ops.mylib.log(x)
        b: "f32[4][1]cpu" = torch.rand_like(a)
        c: "f32[4][1]cpu" = a * b
        d: "f32[4][1]cpu" = torch.ops.mylib.log(c)
        v: "f32[2, 2][2, 1]cpu" = d.view(2, 2)
        w: "f32[4][1]cpu" = d.view(4)
        return (v, w)
''', 'lower,collect-metadata,merge-duplicates,synthetic-bases,functionalize,intermediate-bases,effect-tokens,'
             'functionalize-rng(of=any-device),trace-joint,partition',
                             '--op', 'mylib::log(Tensor x) -> Tensor; is: effect; grad x: grad * 2')
        parts = {'IntermediateBaseAOTOutput(base_of=PlainAOTOutput(idx=0))': 'intermediate-bases',
                 'ForwardTokenAOTInput(idx=0)': 'effect-tokens', 'ForwardTokenAOTOutput(idx=0)': 'effect-tokens',
                 'with_effects': 'effect-tokens', 'PhiloxForwardSeedAOTInput()': 'functionalize-rng',
                 'PhiloxUpdatedForwardOffsetAOTOutput()': 'functionalize-rng', 'philox_rand': 'functionalize-rng'}
        order = ['functionalize_forward', 'intermediate-bases_forward', 'effect-tokens_forward', 'functionalize-rng_forward',
                 'trace-joint_joint', 'partition_forward']
        for part, since in parts.items():
            first = [i for i, state in enumerate(order) if state.startswith(since)][0]
            for i, state in enumerate(order):
                self.assertEqual(part in states[state], i >= first, (part, state))
        # One token for both calls, in their order (spec 3.9); none of the backward yet.
        calls = [line for line in states['effect-tokens_forward'].splitlines() if 'with_effects(' in line]
        self.assertEqual(len(calls), 2)
        self.assertIn('with_effects(primals_1', calls[0])
        self.assertIn('with_effects(getitem', calls[1])
        self.assertNotIn('Backward', states['functionalize-rng_forward'])
        self.assertIn('PhiloxBackwardSeedAOTInput()', states['trace-joint_joint'])

    def test_what_subclasses_are_put_together_from(self):
        graph = self.write('two.txt', '''class GraphModule(torch.nn.Module):
    def forward(self, x: "TwoTensor(f32[4][1]cpu)", w: "f32[4][1]cpu"):
        y: "TwoTensor(f32[4][1]cpu)" = x.sin()
        z: "TwoTensor(f32[4][1]cpu)" = y * w
        return (z, w)
''')
        d = json.loads(self.fine('opt', graph, '--passes', 'aot', '--json'))
        step = next(p for p in d['passes'] if p['pass'] == 'unflatten-subclasses')
        # The gradient of a plain input may be a subclass (spec 3.8.5).
        self.assertEqual([(f['what'], f['finding']) for f in step['findings']],
                         [('PlainAOTOutput(idx=0)', 'a from forward output 0, b from forward output 1'),
                          ('GradAOTOutput(grad_of=PlainAOTInput(idx=0))', 'a from backward output 0, b from backward output 1'),
                          ('GradAOTOutput(grad_of=PlainAOTInput(idx=1))', 'a from backward output 2, b from backward output 3')])

    def test_what_the_runtime_does(self):
        graph = self.write('runtime.txt', '''class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4][1]cpu", y: "f32[4][1]cpu", i: "i64[4][1]cpu"):
        mul_ = x.mul_(y)
        add_ = i.add_(1)
        v: "f32[2, 2][2, 1]cpu" = x.view(2, 2)
        s: "f32[4][1]cpu" = x.sin()
        w: "f32[2, 2][2, 1]cpu" = s.view(2, 2)
        u: "f32[4][1]cpu" = s.view(4)
        return (v, w, u, i)
''')
        d = json.loads(self.fine('opt', graph, '--passes', 'aot', '--json'))
        said = [(f['what'], f['finding']) for f in d['passes'][-1]['findings']]
        # By PyTorch's runtime_wrappers.py: versions, copies, aliases, bases, then the gradients that arrive.
        self.assertEqual(said[:7], [
            ('PlainAOTInput(idx=2)', 'its version is counted up: the graph writes it'),
            ('PlainAOTInput(idx=0)', 'gets the data of the returned value (copy_)'),
            ('output 0', 'is made again as a view of input 0'),
            ('output 1', 'is made again as a view of returned base 0'),
            ('output 2', 'is made again as a view of returned base 0'),
            ('output 3', 'is input 2 itself'),
            ('intermediate bases', '1 dropped from the results')])
        self.assertEqual([w for w, _ in said[7:]],
                         ['saved tensors', 'donated buffers',
                          'TangentAOTInput(output=InputMutationAOTOutput(mutated_input=PlainAOTInput(idx=0)))',
                          'TangentAOTInput(output=IntermediateBaseAOTOutput(base_of=PlainAOTOutput(idx=1)))'])

    def test_every_state_is_written(self):
        folder = os.path.join(os.path.dirname(self.captured), 'states')
        self.fine('opt', self.captured, '--passes', 'aot', '--dump-after-all', folder, '-o', os.path.join(os.path.dirname(self.captured), 'last.txt'))
        names = sorted(os.listdir(folder))
        self.assertEqual(names[0], '00_start_captured.txt')
        self.assertEqual(names[-1], '12_runtime-epilogue_forward.txt')
        with open(os.path.join(folder, '01_lower_lowered.txt')) as f:
            self.assertIn('torch.ops.aten.add_.Tensor', f.read())
        with open(os.path.join(folder, '06_functionalize_forward.txt')) as f:
            self.assertNotIn('add_.Tensor', f.read())
        for name in names:
            self.assertEqual(run('verify', os.path.join(folder, name))[0], 0, name)
        self.fine('io', os.path.join(folder, '09_trace-joint_joint.txt'))

    def test_wrong_passes_are_explained(self):
        for passes, code, words in (('nope', 2, 'there is no pass `nope`'), ('dce,,cse', 2, 'name of a pass is missing'),
                                    ('partition(method=best)', 2, 'default|min-cut'), ('partition(x=1)', 2, 'no option `x`'),
                                    ('aot(x=1)', 2, 'no pass of aot has an option `x`'), ('partition(method=default', 2, 'not closed'),
                                    ('trace-joint', 1, 'needs a program at stage `functional`'),
                                    ('lower,lower', 1, 'works up to stage `captured`')):
            got, _, err = run('opt', self.captured, '--passes', passes)
            self.assertEqual(got, code, passes + err)
            self.assertIn(words, err)
        self.assertEqual(run('opt', self.captured)[0], 2)

    def test_cut_and_what_if(self):
        cut = self.valid(self.fine('aot', self.captured, '--cut', '--json'), 'descry.cut/1')
        fates = {v['node']: v['fate'] for v in cut['values']}
        self.assertEqual(fates['exp'], 'saved')
        other = self.valid(self.fine('aot', self.captured, '--cut', '--json', '--recompute', 'exp'), 'descry.cut/1')
        self.assertEqual({v['node']: v['fate'] for v in other['values']}['exp'], 'recomputed')
        self.assertGreaterEqual(other['cut_value'], cut['cut_value'])
        code, _, err = run('aot', self.captured, '--cut', '--save', 'nobody')
        self.assertEqual(code, 2)
        self.assertIn('no node `nobody`', err)
        self.assertEqual(other['plain_saved_bytes'], cut['saved_bytes'])
        text = self.fine('aot', self.captured, '--cut', '--save', 'exp')
        self.assertIn('than the plain cut' if 'as many' not in text else 'as many as the plain cut', text)
        self.assertIn('it is asked for by hand (', text)
        self.assertNotIn('MUST_SAVE', text)
        self.assertNotIn('saved: ', text.split('\n', 1)[1])
        for wishes, why in ((['--save', 'exp', '--recompute', 'exp'], '`exp` is asked to be saved and to be recomputed'),
                            (['--recompute', 'primals_1'], '`primals_1` cannot be recomputed'),
                            (['--save', 'tangents_1'], '`tangents_1` cannot be saved')):
            code, out, err = run('aot', self.captured, '--cut', *wishes)
            self.assertEqual((code, out), (2, ''), wishes)
            self.assertIn(why, err)
        for budget in ('abc', '', '2', '-1', 'nan', '0.5x'):
            self.assertEqual(run('aot', self.captured, '--cut', '--memory-budget', budget)[0], 2, budget)
        self.valid(self.fine('aot', self.captured, '--emit', 'meta'), 'descry.aot.meta/1')

    def test_what_steers_the_minimum_cut_goes_with_it(self):
        code, out, err = run('aot', self.captured, '--cut', '--partition', 'default', '--memory-budget', '0.5')
        self.assertEqual((code, out), (2, ''))
        self.assertIn('memory-budget steers the minimum cut', err)
        self.fine('aot', self.captured, '--cut', '--partition', 'default', '--save', 'exp')
        self.assertEqual(run('opt', self.captured, '--passes', 'aot-default(memory-budget=0.5)')[0], 2)

    def test_opt_knows_what_aot_asks_about_inputs_and_ops(self):
        for grad, kind in (('none', 'inference'), ('all', 'forward'), ('l_x_,l_w_', 'forward'), ('l_w_', 'backward')):
            aot = self.fine('aot', self.captured, '--requires-grad', grad, '--emit', kind)
            opt = self.fine('opt', self.captured, '--passes', 'aot', '--requires-grad', grad)
            self.assertIn(aot.strip(), opt)
        self.assertEqual(run('opt', self.captured, '--passes', 'aot', '--requires-grad', 'nobody')[0], 1)
        for option, value in (('--requires-grad', 'all'), ('--unknown-ops', 'refuse'), ('--unlift-tokens', 'on')):
            code, _, err = run('opt', self.captured, '--passes', 'cse', option, value)
            self.assertEqual(code, 2)
            self.assertIn('no pass of `cse` has an option', err)
        custom = self.write('custom.txt', '''class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4][1]cpu"):
        y: "f32[4][1]cpu" = torch.ops.mylib.act(x)
        return (y,)
''')
        self.fine('opt', custom, '--passes', 'aot', '--requires-grad', 'none')
        code, _, err = run('opt', custom, '--passes', 'aot', '--requires-grad', 'none', '--unknown-ops', 'refuse')
        self.assertEqual(code, 1)
        self.assertIn('mylib.act', err)
        effect = self.write('effect.txt', '''class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4][1]cpu"):
        _print = torch.ops.aten._print.default('moo')
        y: "f32[4][1]cpu" = torch.sin(x)
        return (y,)
''')
        for grad, kind in (('none', 'inference'), ('all', 'forward')):
            for unlift in ('on', 'off'):
                aot = self.fine('aot', effect, '--requires-grad', grad, '--unlift-tokens', unlift, '--emit', kind)
                opt = self.fine('opt', effect, '--passes', 'aot', '--requires-grad', grad, '--unlift-tokens', unlift)
                self.assertEqual('_make_token' in aot, unlift == 'on')
                self.assertIn(aot.strip(), opt)
        inductor = self.fine('opt', effect, '--passes', 'aot-inductor', '--requires-grad', 'none')
        self.assertIn('_make_token', inductor)

    def test_pictures_of_states_and_of_the_cut(self):
        svg = self.fine('render', self.captured, '--passes', 'aot(recompute=exp)', '--state', 'joint', '--colours', 'cut',
                        '-o', '-')
        self.assertIn('class="kept', svg)
        self.assertIn('class="again"', svg)
        self.assertIn('recomputed: it is asked for by hand', svg)
        self.assertIn('recomputed: 1 value, 32 B', svg)
        for fmt in ('svg', 'html', 'dot'):
            got = self.fine('export', self.captured, '--format', fmt, '--passes', 'aot', '--state', 'forward',
                            '--colours', 'cut')
            self.assertIn('#aa3377', got)
        for mode in ('phase', 'role', 'op', 'dtype', 'plain'):
            self.fine('render', self.captured, '--colours', mode, '-o', '-')
        self.assertEqual(json.loads(self.fine('layout', self.captured, '--passes', 'lower', '--json'))['graph'],
                         'graph@1:lowered')
        for words, why in ((('--colours', 'cut'), 'no partition of this graph is known'),
                           (('--state', 'joint'), '--state goes with --passes'),
                           (('--passes', 'aot', '--state', 'sideways'), 'leave no graph `sideways`'),
                           (('--passes', 'nope'), 'there is no pass `nope`')):
            code, out, err = run('render', self.captured, *words, '-o', '-')
            self.assertEqual((code, out), (2, ''), words)
            self.assertIn(why, err)
        self.assertEqual(run('render', self.captured, '--passes', 'lower,lower', '-o', '-')[0], 1)

    def test_results_are_told_apart(self):
        out = self.fine('aot', self.captured)
        self.assertTrue(out.endswith('}\n'))
        self.assertEqual([l for l in out.split('\n') if l.startswith('# graph: ') or l == '# meta'],
                         ['# graph: joint', '# graph: forward', '# graph: backward', '# meta'])
        joint = self.fine('aot', self.captured, '--emit', 'joint')
        self.assertFalse(joint.startswith('#'))
        self.assertEqual(json.loads(self.fine('info', '-', '--json', stdin=out.split('\n# meta')[0]))['graphs'].__len__(), 3)
        path = os.path.join(self.folder.name, 'joint_of.txt')
        self.assertEqual(self.fine('aot', self.captured, '--emit', 'joint', '-o', path), '')
        with open(path, encoding='utf-8') as f:
            self.assertEqual(f.read(), joint)
        self.assertEqual(run('aot', self.captured, '--emit', 'joint', '-o', self.captured)[0], 2)
        folder = os.path.join(self.folder.name, 'all_of')
        self.fine('aot', self.captured, '-o', folder)
        self.assertEqual(sorted(os.listdir(folder)), ['backward.txt', 'forward.txt', 'joint.txt', 'meta.json'])

    def test_the_graph_that_the_first_pass_takes(self):
        log = os.path.join(SOURCE, 'samples/traces/transformer_block.log')
        self.assertIn('runtime-epilogue', self.fine('opt', log, '--passes', 'aot', '--summary'))
        self.assertIn('joint', self.fine('opt', log, '--passes', 'dce', '--summary'))
        self.assertEqual(json.loads(self.fine('opt', log, '--passes', 'partition', '--json'))['graph'].split(':')[-1], 'joint')
        code, _, err = run('opt', log + '::0/0:joint', '--passes', 'aot')
        self.assertEqual(code, 1)
        self.assertIn('the graph `0/0:dynamo` of this file is one that it takes', err)
        code, _, err = run('opt', log + '::0/0:dynamo', '--passes', 'lower,partition')
        self.assertIn('stage `traced`, which `trace-joint` gives', err)

    def test_the_other_partitioner_is_recognised(self):
        log = os.path.join(SOURCE, 'samples/traces/transformer_block.log')
        code, out, _ = run('aot', log, '--compare')
        self.assertEqual(code, 1)
        self.assertIn('made otherwise: with --decompositions none --partition default', out)
        self.assertNotIn('otherwise', self.fine('aot', log, '--compare', '--partition', 'default'))
        code, out, _ = run('aot', log, '--compare', '--decompositions', 'inductor')
        self.assertEqual(code, 1)
        self.assertIn('made otherwise: with --decompositions none --partition default', out)

    def test_wishes_that_cannot_be_or_change_nothing(self):
        log = os.path.join(SOURCE, 'samples/traces/transformer_block.log')
        code, _, err = run('aot', log, '--cut', '--save', 'native_layer_norm')
        self.assertEqual(code, 2)
        self.assertIn('it is no tensor; its results are `getitem`, `getitem_1`, `getitem_2` [partition-wish]', err)
        code, _, err = run('aot', log, '--cut', '--recompute', 'addmm')
        self.assertEqual(code, 0)
        self.assertIn('the wish for `addmm` changes nothing that is saved', err)
        out = self.fine('aot', log, '--cut', '--memory-budget', '0')
        self.assertIn('fewer than the plain cut (3936)', out)
        self.assertIn('the memory budget does not let it be saved', out)

    def test_aot_takes_captured_graphs_only(self):
        joint = self.fine('aot', self.captured, '--emit', 'joint')
        code, _, err = run('aot', '-', stdin=joint)
        self.assertEqual(code, 2)
        self.assertIn('AOT autograd starts from a captured graph', err)
        both = self.fine('opt', '-', '--passes', 'partition', stdin=joint)
        self.assertIn('class forward' if 'class forward' in both else 'def forward', both)


    def test_random_state_is_functionalized(self):
        text = ('def forward(self, x: "f32[4, 4][4, 1]cpu"):\n    rand_like = torch.rand_like(x)\n'
                '    mul = rand_like * x\n    return (mul,)\n')
        graph = self.write('random.txt', text)
        any_device = ('--functionalize-rng', 'any-device')
        joint = self.fine('aot', graph, '--emit', 'joint', *any_device)
        self.assertIn('rngprims.philox_rand', joint)
        self.assertIn('PhiloxUpdatedBackwardOffsetAOTOutput()', joint)
        meta = self.valid(self.fine('aot', graph, '--emit', 'meta', *any_device), 'descry.aot.meta/1')
        self.assertEqual((meta['is_rng_op_functionalized'], meta['num_outputs_rng_offset']), (True, 1))
        self.assertNotIn('philox', self.fine('aot', graph, '--emit', 'joint'))
        code, _, err = run('aot', graph, '--functionalize-rng', 'cuda')
        self.assertEqual(code, 1)
        self.assertIn('You are trying to functionalize a cpu RNG operator', err)
        stages = 'lower,collect-metadata,merge-duplicates,synthetic-bases,functionalize,functionalize-rng(of=any-device),trace-joint'
        self.assertIn('rngprims.philox_rand', self.fine('opt', graph, '--passes', stages))

    def test_nothing_that_was_asked_for_is_left_out(self):
        for two in (('--cut', '--compare'), ('--verify', '--cut'), ('--compare', '--verify'), ('--cut', '--emit', 'joint'),
                    ('--verify', '-o', 'somewhere'), ('--compare', '--emit', 'meta')):
            code, out, err = run('aot', self.captured, *two)
            self.assertEqual((code, out), (2, ''), two)
            self.assertIn('it does not go with', err)
        self.assertIn('primals_1', self.fine('aot', self.captured, '--emit', 'joint', '-o', '-'))

    def test_custom_ops_are_declared(self):
        graph = self.write('custom.txt', CUSTOM)
        for command in (['aot', graph, '--emit', 'inference'], ['opt', graph, '--passes', 'aot']):
            code, out, err = run(*command)
            self.assertEqual((code, out), (1, ''), err)
            self.assertIn('--op "mylib::bump(Tensor x0, Tensor x1) -> ()"', err)
            out = self.fine(*command, '--op', 'mylib::bump(Tensor(a!) x, Tensor y) -> ()')
            self.assertIn('auto_functionalized_v2(torch.ops.mylib.bump.default', out)
        declared = self.write('my.ops', '# what the program registers\nmylib::bump(Tensor(a!) x, Tensor y) -> ()\n\n'
                                        'mylib::other(Tensor x) -> Tensor\n  is: effect\n  grad x: grad * 2  # python\n')
        self.assertIn('auto_functionalized_v2', self.fine('aot', graph, '--ops', declared))
        self.assertIn('auto_functionalized_v2', self.fine('opt', graph, '--passes', 'aot', '--ops', declared, '--verify-each'))

    def test_wrong_declarations_have_a_place(self):
        graph = self.write('custom.txt', CUSTOM)
        for text, place in (('mylib::bump(Tensor(a!) x, Tensor y -> ()', '1:36'), ('bump(Tensor x) -> ()', '1:1'),
                            ('aten::add.Tensor(Tensor x) -> Tensor', '1:1'),
                            ('a::b(Tensor x) -> Tensor; is: sideways', '1:27'),
                            ('a::b(Tensor x) -> Tensor; grad y: grad', '1:27'),
                            ('a::b(Tensor x) -> Tensor; color: red', '1:27')):
            code, _, err = run('aot', graph, '--op', text)
            self.assertEqual(code, 2, text)
            self.assertIn('--op:' + place + ': error:', err)
        wrong = self.write('wrong.ops', 'a::b(Tensor x) -> Tensor\n\n  grad x: grad *\na::c() -> Tensor\n')
        code, _, err = run('opt', graph, '--passes', 'aot', '--ops', wrong)
        self.assertEqual(code, 2)
        self.assertIn(wrong + ':3:', err)
        twice = self.write('twice.ops', 'a::b(Tensor x) -> Tensor\na::b(Tensor y) -> Tensor\n')
        self.assertIn(twice + ':2:1: error: the op torch.ops.a.b.default is declared twice [op-duplicate]', run('aot', graph, '--ops', twice)[2])
        self.assertEqual(run('aot', graph, '--ops', os.path.join(self.folder.name, 'none.ops'))[0], 3)
        code, _, err = run('aot', graph, '--ops', self.folder.name)
        self.assertEqual(code, 3)
        self.assertIn('this is a folder', err)
        fine = 'a::b(Tensor x) -> Tensor'
        self.assertIn('--op 2:1:1: error: ', run('aot', graph, '--op', fine, '--op', 'bump(Tensor x) -> ()')[2])
        code, _, err = run('aot', graph, '--op', 'mylib::bump(Tensor x, Tensor y) -> Tensor; composite: x + nothing')
        self.assertEqual(code, 1)
        self.assertIn("--op:1:59: error: unknown name 'nothing' [rule-error]", err)
        self.assertIn(graph + ':', err.split('error: ')[1])
        self.assertIn('note: called by bump', err)

    def test_what_is_assumed_of_an_op_is_said(self):
        graph = self.write('pure.txt', CUSTOM.replace('bump = torch.ops.mylib.bump(l_x_, l_y_)', 'bump: "i64[4][1]cpu" = torch.ops.mylib.bump(l_x_, l_y_)')
                           .replace('l_x_ + l_y_', 'bump + l_y_'))
        code, out, err = run('aot', graph, '--emit', 'inference')
        self.assertEqual(code, 0)
        self.assertIn('warning: nothing is known of torch.ops.mylib.bump', err)
        self.assertIn('torch.ops.mylib.bump.default(arg0_1, arg1_1)', out)
        code, out, err = run('aot', graph, '--unknown-ops', 'refuse')
        self.assertEqual((code, out), (1, ''))
        self.assertIn('--op "mylib::bump(Tensor x0, Tensor x1) -> Tensor"', err)
        code, out, err = run('aot', graph, '--op', 'mylib::bump(Tensor a, Tensor b) -> Tensor')
        self.assertEqual((code, err), (0, ''))
        declared = self.write('always.ops', 'mylib::bump(Tensor a, Tensor b) -> Tensor\n')
        code, out, err = run('aot', graph, env={'DESCRY_OPS': declared})
        self.assertEqual((code, err), (0, ''))
        code, out, err = run('aot', graph, env={'DESCRY_OPS': ':' + self.folder.name + '/none.ops'})
        self.assertEqual(code, 3)
        self.assertIn('none.ops', err)

    def test_a_project_declares_its_ops_in_a_file_of_its_own(self):
        text = CUSTOM.replace('bump = torch.ops.mylib.bump(l_x_, l_y_)', 'bump: "i64[4][1]cpu" = torch.ops.mylib.bump(l_x_, l_y_)') \
                     .replace('l_x_ + l_y_', 'bump + l_y_')
        os.makedirs(os.path.join(self.folder.name, 'project', 'traces'))
        graph = self.write('project/traces/pure.txt', text)
        self.assertIn('nothing is known of torch.ops.mylib.bump', run('aot', graph)[2])
        ops = self.write('project/descry.ops', 'mylib::bump(Tensor a, Tensor b) -> Tensor\n')
        self.assertEqual(run('aot', graph)[::2], (0, ''))
        self.assertEqual(run('opt', graph, '--passes', 'aot', '--summary')[::2], (0, ''))
        # The nearest one counts; a variable of the environment, also an empty one, names others instead.
        self.assertIn('nothing is known of', run('aot', graph, env={'DESCRY_OPS': ''})[2])
        near = self.write('project/traces/descry.ops', 'mylib::bump(Tensor a -> Tensor\n')
        code, out, err = run('aot', graph)
        self.assertEqual((code, out), (2, ''))
        self.assertIn(os.path.realpath(near) + ':1:', err)
        os.remove(near)
        # Of a graph that lies elsewhere it is that of the working folder.
        elsewhere = self.write('pure.txt', text)
        self.assertIn('nothing is known of', run('aot', elsewhere)[2])
        p = subprocess.run([DESCRY, 'aot', elsewhere], capture_output=True, text=True, cwd=os.path.dirname(graph), timeout=60)
        self.assertEqual((p.returncode, p.stderr), (0, ''), ops)

    def test_attention_on_cuda_hands_undefined_tensors_to_its_backward(self):
        text = '''class GraphModule(torch.nn.Module):
    def forward(self, q: "DT[2, 4, 8, 16][512, 128, 16, 1]cuda:0", k: "DT[2, 4, 8, 16][512, 128, 16, 1]cuda:0", v: "DT[2, 4, 8, 16][512, 128, 16, 1]cuda:0"):
        s: "DT[2, 4, 8, 16][512, 128, 16, 1]cuda:0" = torch._C._nn.scaled_dot_product_attention(q, k, v)
        return (s,)
'''
        code, out, err = run('aot', self.write('efficient.txt', text.replace('DT', 'f32')), '--requires-grad', 'all', '--emit', 'joint')
        self.assertEqual((code, err), (0, ''))
        self.assertRegex(out, r'_efficient_attention_backward.default\(tangents_1, primals_1, primals_2, primals_3, None, ')
        self.assertIn('0.0, [True, True, True, False])', out)
        code, out, err = run('aot', self.write('flash.txt', text.replace('DT', 'bf16')), '--requires-grad', 'all', '--emit', 'joint')
        self.assertEqual((code, err), (0, ''))
        self.assertRegex(out, r'_flash_attention_backward.default\(tangents_1, .*, None, None, 8, 8, 0.0, False, getitem_6, getitem_7')

    def test_a_size_without_a_recorded_value_can_be_split(self):
        graph = self.write('split.txt', '''class GraphModule(torch.nn.Module):
    def forward(self, s0: "Sym(s0)", x: "f32[s0, 4][4, 1]cpu"):
        v: "f32[2, (s0//2), 4]cpu" = x.view(2, -1, 4)
        return (v,)
''')
        code, out, err = run('aot', graph, '--requires-grad', 'none', '--emit', 'inference')
        self.assertEqual((code, err), (0, ''))
        self.assertIn('"f32[2, (s0//2), 4][4*((s0//2)), 4, 1]cpu" = torch.ops.aten.view.default(arg1_1, [2, -1, 4])', out)

    def test_who_requires_a_gradient_can_be_said(self):
        code, out, err = run('aot', self.captured, '--emit', 'joint')
        self.assertEqual(code, 0)
        self.assertIn('[assumed-gradients]', err)
        code, out, err = run('aot', self.captured, '--emit', 'inference', '--requires-grad', 'none')
        self.assertEqual((code, err), (0, ''))
        name = re.search(r'(\w+) = L_', CAPTURED).group(1)
        code, out, err = run('aot', self.captured, '--emit', 'joint', '--requires-grad', name)
        self.assertEqual((code, err), (0, ''))
        self.assertEqual(out.count('GradAOTOutput'), 1)
        code, out, err = run('aot', self.captured, '--requires-grad', 'nobody')
        self.assertEqual((code, out), (2, ''))
        self.assertIn("no input named 'nobody' [unknown-node]", err)


class Help(Case):
    def commands(self):
        out = self.fine('help')
        return [line.split()[0] for line in out.splitlines() if line.startswith('  ') and not line.startswith('   ')]

    def test_every_command_explains_itself(self):
        for command in self.commands():
            out = self.fine(command, '--help')
            self.assertEqual(out, self.fine('help', command))
            self.assertIn('usage: descry ' + command, out)
            self.assertIn('examples:', out)
            self.assertLess(max(map(len, out.splitlines())), 125, command)

    def test_version(self):
        self.assertRegex(self.fine('--version'), r'^descry \d+\.\d+\.\d+\n$')

    def test_completion_files_and_manual_are_those_of_the_table(self):
        for args, path in ((['completion', 'bash'], 'cli/completion/descry.bash'), (['completion', 'zsh'], 'cli/completion/_descry'),
                           (['help', '--man'], 'cli/man/descry.1')):
            with open(os.path.join(SOURCE, path), encoding='utf-8') as f:
                self.assertEqual(f.read(), self.fine(*args), path + ' is old: write it anew with descry ' + ' '.join(args))

    def test_bash_completion_works(self):
        script = self.fine('completion', 'bash') + 'COMP_WORDS=(descry sh); COMP_CWORD=1; _descry; echo "${COMPREPLY[@]}"\n' \
            'COMP_WORDS=(descry export --format d); COMP_CWORD=3; _descry; echo "${COMPREPLY[@]}"\n'
        p = subprocess.run(['bash', '--norc'], input=script, capture_output=True, text=True)
        self.assertEqual(p.stdout, 'show\ndot\n', p.stderr)


class Corpus(Case):
    """Real traces, where they are (environment variable DESCRY_SHARED)."""

    def test_logs_list_their_graphs_and_stay_valid(self):
        shared = os.environ.get('DESCRY_SHARED')
        if not shared:
            return  # nothing to compare with: the corpus is not part of this repository
        logs = os.path.join(shared, 'corpus/torch_trace')
        for name in sorted(os.listdir(logs)):
            if not name.endswith('.log') and name != 'multi_rank':
                continue
            code, out, err = run('info', os.path.join(logs, name), '--json')
            self.assertIn(code, (0, 4), name + err[:300])
            for g in self.valid(out, 'descry.info/1')['graphs'][:3]:
                code, text, err = run('show', os.path.join(logs, name) + '::' + g['id'])
                self.assertEqual(code, 0, g['id'] + err[:300])
                self.assertEqual(self.fine('show', '-', stdin=text), text)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--descry', required=True)
    parser.add_argument('--source', required=True)
    known, rest = parser.parse_known_args()
    DESCRY, SOURCE = known.descry, known.source
    unittest.main(argv=[sys.argv[0], *rest])
