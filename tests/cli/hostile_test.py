#!/usr/bin/env python3
"""What hostile files and odd command lines must not do: steer the terminal, overwrite an input, be ignored, end the
program without a word.

    hostile_test.py --descry PATH --source DIR [NAME...]
"""
import argparse
import gzip
import hashlib
import json
import os
import pty
import re
import resource
import subprocess
import sys
import unittest

import cli_test
from cli_test import JOINT, PLAIN, run

# C0 but for what ends and indents lines, DEL, C1 of one byte or two, signs that turn the direction of writing.
STEERS = re.compile(rb'[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]')
EVIL = 'evil\x1b]0;x\x07\x08\x7f\x9b\u202e\u2066'


def on_terminal(*args):
    """Both outputs of the program as a terminal gets them, and its exit code."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(cli_test.DESCRY, [cli_test.DESCRY, *args])
    out = b''
    while True:
        try:
            part = os.read(fd, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not part:
            break
        out += part
    os.close(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), out.replace(b'\r\n', b'\n')


def in_bytes(*args, stdin=None):
    p = subprocess.run([cli_test.DESCRY, *args], input=stdin, capture_output=True, timeout=60)
    return p.returncode, p.stdout, p.stderr


class Terminal(cli_test.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        document = json.loads(run('export', cls.plain, '-f', 'json')[1])
        for node in document['graphs'][0]['nodes']:
            if node['op'] == 'call_function':
                node['name'] += EVIL
        document['title'] = EVIL
        cls.names = cls.write('names.json', json.dumps(document))
        cls.comments = cls.write('comments.txt', PLAIN.replace(
            '        sin', f'        # File: a.py:1 in f, code: {EVIL}\n        sin'))

    def commands(self):
        for path in (self.names, self.comments):
            yield from (['show', path], ['show', '-a', path], ['show', path, '--json'], ['info', path],
                        ['info', path + '::graph'], ['io', path], ['find', path, 'sin'],
                        ['find', path, 'sin', '--names'], ['verify', path], ['layout', path], ['diff', path, self.plain],
                        ['diff', '-u', path, self.plain], ['export', path, '-f', 'fx'], ['export', path, '-f', 'csv'],
                        ['export', path, '-f', 'json'], ['export', path, '-f', 'svg'], ['report', path],
                        ['show', path + '::' + EVIL], ['show', path + '#' + EVIL], ['find', path, EVIL + '=1'],
                        ['partner', path + '#x' + EVIL])
        node = json.loads(run('find', self.names, 'sin', '--json')[1])['nodes'][0]['name']
        yield ['show', self.names + '#' + node]
        yield from ([EVIL], ['show', EVIL], ['show', '--' + EVIL], ['show', self.plain, EVIL], ['schema', EVIL],
                    ['export', self.plain, '-f', EVIL], ['render', self.plain, '-o', EVIL], ['ops', EVIL])

    def test_nothing_steers_a_terminal(self):
        shown = 0
        for args in self.commands():
            with self.subTest(args=args):
                _, out = on_terminal(*args)
                self.assertEqual(STEERS.findall(out), [])
                self.assertTrue(out)
                shown += b'\\x1b' in out
        self.assertGreater(shown, 20)  # it is shown, not dropped

    def test_graph_text_stays_as_it_is_elsewhere(self):
        for path in (self.names, self.comments):
            code, text, _ = in_bytes('show', path)
            self.assertEqual(code, 0)
            self.assertIn(EVIL.encode(), text)
        self.assertEqual(in_bytes('show', '-', stdin=text)[1], text)
        target = os.path.join(self.folder.name, 'same.txt')
        for args in (['export', self.comments, '-f', 'fx'], ['show', '-a', self.comments]):
            self.assertTrue(in_bytes(*args)[1].endswith(text))
        self.assertEqual(run('export', self.comments, '-o', target)[0], 0)
        with open(target, 'rb') as f:
            self.assertEqual(f.read(), text)

    def test_the_programs_own_words_are_safe_everywhere(self):
        for args in (['info', self.names], ['io', self.names], ['find', self.names, 'sin'],
                     ['find', self.names, 'sin', '--names'], ['verify', self.names], ['show', self.plain + '::' + EVIL],
                     ['diff', self.names, self.plain], ['show', EVIL], [EVIL]):
            _, out, err = in_bytes(*args)
            self.assertEqual(STEERS.findall(out + err), [], args)

    def test_long_arguments_are_not_echoed_whole(self):
        for args in (['find', self.plain, 'a ' * 15000], ['find', self.plain, 'x' * 19000 + '=1'], ['x' * 100000],
                     ['show', self.plain + '::' + 'x' * 100000]):
            code, out, err = run(*args)
            self.assertEqual((code, out), (2, ''))
            self.assertLess(len(err), 5000)
            self.assertIn('...', err)

    def test_the_mark_stands_below_the_fault(self):
        for query in ('relu oops=1', 'relu \x1b[31m oops=1', 'relu ' * 2000 + 'oops=1 ' + 'relu ' * 100):
            code, _, err = run('find', self.plain, query)
            self.assertEqual(code, 2)
            line, marks = err.splitlines()[1:]
            self.assertEqual(line[marks.index('^'):marks.rindex('^') + 1], 'oops', err)


class Files(cli_test.Case):
    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_no_output_overwrites_its_input(self):
        source = self.write('in.txt', PLAIN)
        os.link(source, self.path('hard.json'))
        os.symlink('in.txt', self.path('soft.json'))
        folder = self.path('traces')
        os.mkdir(folder)
        for name in ('a.txt', 'b.txt'):
            self.write('traces/' + name, PLAIN)
        for output in (source, self.path('hard.json'), self.path('soft.json'), self.path('traces/../in.txt')):
            for args in (['export', source, '-f', 'json'], ['diff', self.plain, source], ['report', source]):
                code, out, err = run(*args, '-o', output)
                self.assertEqual((code, out), (2, ''), (args, output))
                self.assertIn('[output-is-input]', err)
        os.symlink('in.txt', self.path('soft.png'))
        os.symlink('in.txt', self.path('soft.svg'))
        for output in ('soft.svg', 'soft.png'):
            self.assertIn(run('render', source, '-o', self.path(output))[0], (2, 7))  # 7: built without the inspector
        self.assertEqual(run('report', folder, '-o', self.path('traces/b.txt'))[0], 2)
        with open(source) as f:
            self.assertEqual(subprocess.run([cli_test.DESCRY, 'export', '-', '-f', 'json', '-o', source], stdin=f,
                                            stderr=subprocess.DEVNULL).returncode, 2)
        for name in (source, self.path('traces/b.txt')):
            with open(name) as f:
                self.assertEqual(f.read(), PLAIN)
        # What is no input may be overwritten, also beside one.
        for _ in range(2):
            self.fine('report', folder, '-o', self.path('traces/report.html'))

    def test_a_link_is_written_through(self):
        os.symlink('real.json', self.path('link.json'))
        for _ in range(2):
            self.fine('export', self.plain, '-o', self.path('link.json'))
            self.assertTrue(os.path.islink(self.path('link.json')))
            self.assertEqual(self.fine('show', self.path('real.json')), PLAIN)

    def test_a_closed_pipe_keeps_the_exit_code(self):
        unread = self.write('unread.txt', PLAIN.replace('sin, y', 'y, y'))
        broken = self.write('broken.txt', JOINT.replace("PlainAOTOutput(idx=0)\n            mm_1",
                                                        "PlainAOTInput(idx=0)\n            mm_1"))
        for args, code in ((['verify', broken], 1), (['diff', self.plain, unread], 1), (['show', self.plain], 0)):
            reader, writer = os.pipe()
            os.close(reader)
            p = subprocess.run([cli_test.DESCRY, *args], stdout=writer, stderr=subprocess.PIPE, timeout=60)
            os.close(writer)
            self.assertEqual((p.returncode, p.stderr), (code, b''), args)

    # What is said of a file that could be read only in part.
    HEADER = 'V0822 14:00:48.902000 2354971 torch/_x.py:1] '

    def record(self, fields, payload):
        digest = hashlib.md5(payload.encode()).hexdigest()
        body = payload.replace('\n', '\n\t')
        return f'{self.HEADER}{{{fields}, "frame_id": 0, "frame_compile_id": 0, "has_payload": "{digest}"}}\n\t{body}\n'

    def damage(self):
        log = self.record('"aot_joint_graph": {}', JOINT) + self.record('"aot_inference_graph": {}', PLAIN)
        self.sound = self.write('sound.log', log)
        self.header = self.write('header.log', log.replace('"aot_joint_graph": {}', '"aot_joint_graph": {', 1))
        self.packed = os.path.join(self.folder.name, 'packed.log.gz')
        with open(self.packed, 'wb') as f:
            f.write(gzip.compress(log.encode()) + b'garbage\n')

    def reading(self, path):
        yield from (['io', path], ['show', path], ['show', '-a', path], ['verify', path], ['verify', path + '::0/0:inference'],
                    ['find', path, 'op=placeholder'], ['export', path, '-f', 'json'], ['layout', path],
                    ['render', path, '-o', '-'], ['report', path], ['info', path], ['diff', path, path])

    def test_every_command_says_what_was_lost(self):
        self.damage()
        for path, code in ((self.header, 'bad-header'), (self.packed, 'gzip-damaged')):
            for args in self.reading(path):
                got, out, err = run(*args)
                self.assertEqual(got, 4, (args, err))
                self.assertTrue(out, args)
                self.assertIn(code, err + (out if args[0] in ('info', 'report') else ''), args)
        for args in self.reading(self.sound):
            self.assertEqual(run(*args)[0], 0, args)

    def test_another_graph_by_default_is_told(self):
        self.damage()
        code, _, err = run('io', self.header)
        self.assertEqual(code, 4)
        self.assertIn("graph '0/0:inference'", err)
        self.assertIn('[graph-by-default]', err)
        self.assertNotIn('graph-by-default', run('io', self.header + '::0/0:inference')[2])

    def test_tabs_that_were_lost_are_restored(self):
        self.damage()
        with open(self.sound) as f:
            log = f.read()
        for instead in ('        ', '    ', ''):
            path = self.write('blanks.log', re.sub('(?m)^\t', instead, log))
            code, out, err = run('show', path)
            self.assertEqual((code, out), (0, JOINT), err)
        self.assertEqual(run('show', self.write('blanks.log', re.sub(r'(?m)^\s+', '', log)))[0], 4)

    def test_a_percent_print_needs_no_subgraphs(self):
        text = ('graph():\n    %x : [num_users=1] = placeholder[target=x]\n'
                '    %cond : [num_users=1] = get_attr[target=cond_0]\n    %body : [num_users=1] = get_attr[target=body_0]\n'
                '    %loop : [num_users=1] = call_function[target=torch.ops.higher_order.while_loop](args = (%cond, %body, '
                '(%x,), ()), kwargs = {})\n    return loop\n')
        code, out, _ = run('verify', self.write('percent.txt', text))
        self.assertEqual(code, 0, out)
        self.assertIn('note', out)


class Refusals(cli_test.Case):
    def test_what_would_be_ignored_is_refused(self):
        p, node = self.plain, self.plain + '#sin'
        for args in (['diff', p, p, '-u', '--json'], ['diff', p, p, '-u', '--format', 'svg'],
                     ['diff', p, p, '--json', '--format', 'svg'], ['show', '-a', node], ['show', '-a', p + '::graph'],
                     ['show', node, '--no-types'], ['info', node], ['io', node], ['find', node, 'sin'], ['verify', node],
                     ['report', node], ['layout', node], ['diff', p, node], ['export', node, '-f', 'dot'],
                     ['export', p, '-f', 'csv', '--theme', 'dark'], ['export', p, '-f', 'json', '--fold', 'x'],
                     ['render', p, '-o', '/dev/null.svg', '--scale', '2'], ['find', p, 'sin', '--names', '--json'],
                     ['find', p, 'sin', '--fields'], ['verify', p, '--rules'], ['info', p + '::graph', '--index-only'],
                     ['layout', p, '--json', '--timings']):
            code, out, err = run(*args)
            self.assertEqual((code, out), (2, ''), args)
            self.assertTrue(err.startswith('descry: '), err)

    def test_a_fold_without_a_group_is_told(self):
        for args in (['layout', self.plain], ['export', self.plain, '-f', 'svg'], ['render', self.plain, '-o', '-']):
            code, out, err = run(*args, '--fold', 'nope')
            self.assertEqual(code, 0)
            self.assertTrue(out)
            self.assertIn("warning: no group 'nope'", err)

    def test_empty_words(self):
        for args in (['info', ''], ['show', '::graph'], ['diff', self.plain, ''], ['export', self.plain, '-f', 'fx', '-o', '']):
            code, out, _ = run(*args)
            self.assertEqual((code, out), (2, ''), args)

    def test_ranges_are_named(self):
        for wrong in ('inf', '1e300', '-1', 'nan', '0'):
            code, _, err = run('info', self.plain, '--timeout', wrong)
            self.assertEqual(code, 2)
            self.assertIn('from 0.001 to 1000000', err)

    def test_exports_of_cut_graphs_can_be_read(self):
        whole = self.fine('export', self.joint, '-f', 'json')
        self.assertIn('outputDescriptors', whole)
        for at in range(whole.index('"nodes"'), len(whole), 97):
            code, out, _ = run('export', self.write('cut.json', whole[:at]), '-f', 'json')
            self.assertEqual(code, 4)
            _, _, err = run('info', self.write('again.json', out))
            self.assertNotIn('error', err)


class Memory(cli_test.Case):
    def limited(self, *args, **kw):
        limit = 256 << 20
        return subprocess.run([cli_test.DESCRY, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)), **kw)

    def test_no_memory_is_an_error_with_a_name(self):
        if self.limited('--version').returncode:
            return  # sanitizers need more address space than any limit leaves
        big = os.path.join(self.folder.name, 'big.txt')
        with open(big, 'w') as f:
            f.write('class G(torch.nn.Module):\n    def forward(self, x: "f32[4]"):\n')
            f.write(''.join(f'        n{i}: "f32[4]" = torch.ops.aten.sin.default(x, "{i}")\n' for i in range(400000)))
            f.write('        return (n5,)\n')
        for args in (['layout', big], ['show', big, '--json']):
            p = self.limited(*args)
            self.assertEqual((p.returncode, p.stdout), (3, b''), args)
            self.assertTrue(p.stderr.endswith(b'descry: error: not enough memory [out-of-memory]\n'), p.stderr[-500:])


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--descry', required=True)
    parser.add_argument('--source', required=True)
    known, rest = parser.parse_known_args()
    cli_test.DESCRY, cli_test.SOURCE = known.descry, known.source
    unittest.main(argv=[sys.argv[0], *rest])
