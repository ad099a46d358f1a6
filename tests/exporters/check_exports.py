#!/usr/bin/env python3
"""Reads exports back with independent parsers: every text of the graph must come back as data, none as markup.

usage: check_exports.py EXPORT_SAMPLES SCHEMA [FX-TEXT...]
"""
import base64
import csv
import hashlib
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import jsonschema

SVG = '{http://www.w3.org/2000/svg}'
failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print('FAILED:', what)


def squeeze(text):
    """Decoders differ in how many U+FFFD they write for one bad sequence."""
    return re.sub('\ufffd+', '\ufffd', text)


def visible(raw):
    """What formats without control characters show for raw bytes."""
    out = []
    for c in raw.decode('utf-8', 'replace'):
        n = ord(c)
        if n < 32 and c not in '\n\t':
            c = chr(0x2400 + n)
        elif n == 127:
            c = '\u2421'
        out.append(c)
    return squeeze(''.join(out))


def plain(raw):
    return squeeze(raw.decode('utf-8', 'replace'))


def check_json(path, schema, hostile):
    data = json.loads(path.read_text('utf-8'))
    for error in list(schema.iter_errors(data))[:3]:
        check(False, f'{path.name}: schema: {error.json_path}: {error.message[:200]}')
    if hostile:
        names = [squeeze(n['name']) for n in data['graphs'][0]['nodes'] if n['op'] == 'placeholder']
        check(names == [plain(t) for t in hostile], f'{path.name}: names')
        for n in data['graphs'][0]['nodes']:
            if n['op'] == 'call_function':
                check(squeeze(n['args'][1]) == squeeze(n['name']), f'{path.name}: argument of a node')
    return data


def check_svg(path, data, hostile):
    root = ET.parse(path).getroot()
    check(root.tag == SVG + 'svg', f'{path.name}: root element')
    allowed = {'svg', 'title', 'style', 'defs', 'marker', 'pattern', 'linearGradient', 'stop', 'path', 'rect', 'g', 'text', 'tspan',
               'use', 'circle'}
    for e in root.iter():
        check(e.tag.replace(SVG, '') in allowed, f'{path.name}: element {e.tag}')
        for name, value in e.attrib.items():
            check(not name.lower().startswith('on'), f'{path.name}: attribute {name}')
            check(name != 'href' or value.startswith(('#saved-', '#badge-')), f'{path.name}: link {value[:40]}')
    titles = [g.find(SVG + 'title').text for g in root.iter(SVG + 'g') if (g.get('id') or '').startswith('node-')]
    nodes = [n for n in data['graphs'][0]['nodes'] if n['op'] != 'output']
    check(len(titles) == len(nodes), f'{path.name}: {len(titles)} boxes for {len(nodes)} nodes')
    if hostile:
        for text, title in zip([t for t in hostile for _ in range(2)], titles):
            want = visible(text).strip()
            check((squeeze(title or '')).strip().startswith(want), f'{path.name}: tooltip of {text[:40]!r}')


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.stack, self.text, self.scripts, self.attributes = [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag == 'script':
            self.scripts.append(['', dict(attrs)])
        self.stack.append(tag)

    def handle_endtag(self, tag):
        while self.stack and self.stack.pop() != tag:
            pass

    def handle_data(self, data):
        if 'script' in self.stack[-1:]:
            self.scripts[-1][0] += data
        elif 'style' not in self.stack[-1:]:
            self.text.append(data)


def node_references(value):
    if isinstance(value, list):
        for item in value:
            yield from node_references(item)
    elif isinstance(value, dict):
        if 'node' in value:
            yield value['node']
        for item in value.values():
            yield from node_references(item)


def check_html(path, data, hostile, script, digest):
    page = Page()
    page.feed(path.read_text('utf-8'))
    page.close()
    check(len(page.scripts) == 2, f'{path.name}: {len(page.scripts)} script elements')
    embedded, code = page.scripts
    check(embedded[1].get('type') == 'application/json', f'{path.name}: data script')
    check(code[0] == script, f'{path.name}: script text')
    policy = dict(page.attributes).get('content', '')
    policies = [v for k, v in page.attributes if k == 'content' and "script-src 'sha256-" in (v or '')]
    check(len(policies) == 1 and f"script-src 'sha256-{digest}'" in policies[0], f'{path.name}: policy {policy}')
    for name, value in page.attributes:
        check(not name.startswith('on') and name != 'src', f'{path.name}: attribute {name}')
        check(name != 'href' or value.startswith(('#saved-', '#badge-')), f'{path.name}: link {value}')
    rows = json.loads(embedded[0])
    nodes = [n for n in data['graphs'][0]['nodes'] if n['op'] != 'output']
    check([squeeze(r[0]) for r in rows['nodes']] == [squeeze(n['name']) for n in nodes], f'{path.name}: names')
    check(len(rows['boxes']) >= len(nodes), f'{path.name}: boxes')
    if len(nodes) == len(data['graphs'][0]['nodes']) - 1:
        for i, (row, node) in enumerate(zip(rows['nodes'], nodes)):
            got = [i - back for back in row[7]]
            want = list(dict.fromkeys(node_references([node.get('args', []), [k['value'] for k in node.get('kwargs', [])]])))
            check(got == want, f'{path.name}: inputs of {node["name"][:40]}: {got}, expected {want}')
    drawn = sum(1 for k, v in page.attributes if k == 'id' and re.fullmatch(r'n\d+', v or ''))
    check(drawn == len(rows['boxes']), f'{path.name}: {drawn} of {len(rows["boxes"])} boxes drawn')
    if hostile:
        text = squeeze(''.join(page.text))
        for t in hostile:
            check(visible(t) in text, f'{path.name}: text of {t[:40]!r}')


def check_csv(path, data, hostile):
    rows = list(csv.reader(io.StringIO(path.read_text('utf-8'), newline='')))
    nodes = data['graphs'][0]['nodes']
    check(len(rows) == len(nodes) + 1, f'{path.name}: {len(rows)} rows')
    check(all(len(r) == len(rows[0]) for r in rows), f'{path.name}: ragged rows')
    raw = path.read_bytes()
    check(raw.endswith(b'\r\n'), f'{path.name}: last line break')
    for row in rows[1:]:
        for cell in row:
            check(not re.match(r'[=@\t\r]', cell), f'{path.name}: formula {cell[:30]!r}')
            check(not re.match(r'[+-]', cell) or re.fullmatch(r'[+-][\d.]+([eE][+-]?\d+)?', cell),
                  f'{path.name}: formula {cell[:30]!r}')
    if hostile:
        names = [squeeze(r[1]) for r in rows[1:] if r[2] == 'placeholder']
        want = [visible(t) for t in hostile]
        check([n[1:] if n.startswith("'") else n for n in names] ==
              want, f'{path.name}: names')


def check_dot(path, data, hostile):
    if not shutil.which('dot'):
        return 0
    canon = subprocess.run(['dot', '-Tcanon', str(path)], capture_output=True)
    check(canon.returncode == 0 and not canon.stderr, f'{path.name}: dot -Tcanon: {canon.stderr[:200]}')
    # gvpr evaluates on the parsed graph: one line per node with the name attribute.
    if shutil.which('gvpr'):
        out = subprocess.run(['gvpr', 'N{printf("%s\\x1e", hasAttr($, "name") ? aget($, "name") : "")}', str(path)],
                             capture_output=True)
        got = out.stdout.decode('utf-8').split('\x1e')[:-1]
        got = sorted(squeeze(g.replace('\\\\', '\\')) for g in got if not re.fullmatch(r'output\[\d+\]', g))
        want = sorted(visible(t) for t in hostile for _ in range(4)) if hostile else sorted(
            n['name'] for g in data['graphs'] for n in g['nodes'] if n['op'] != 'output')
        check(got == want, f'{path.name}: names read by gvpr ({len(got)} of {len(want)})')
    return 1


def main():
    tool, schema_path, *files = sys.argv[1:]
    schema_json = json.loads(pathlib.Path(schema_path).read_text('utf-8'))
    jsonschema.Draft202012Validator.check_schema(schema_json)
    schema = jsonschema.Draft202012Validator(schema_json)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([tool, folder, *files], check=True)
        base = pathlib.Path(folder)
        hostile = [bytes.fromhex(line) for line in (base / 'hostile.hex').read_text().split('\n')[:-1]]
        script = (base / 'script.js').read_text('utf-8')
        digest = (base / 'script.hash').read_text()
        actual = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        check(digest == actual, f'kPageScriptHash must be {actual}')
        stems = sorted(p.stem for p in base.glob('*.json'))
        check(len(stems) == 3 + len(files), f'samples written: {stems}')
        dots = 0
        for stem in stems:
            texts = hostile if stem == 'hostile' else None
            data = check_json(base / f'{stem}.json', schema, texts)
            check_svg(base / f'{stem}.svg', data, texts)
            check_html(base / f'{stem}.html', data, texts, script, digest)
            check_csv(base / f'{stem}.csv', data, texts)
            if (base / f'{stem}.dot').exists():
                dots += check_dot(base / f'{stem}.dot', data, texts)
        # The validator must be able to say no.
        broken = json.loads((base / 'small.json').read_text('utf-8'))
        broken['graphs'][0]['nodes'][0]['op'] = 'call_nothing'
        check(not schema.is_valid(broken), 'the schema accepts an unknown op')
        print(f'{len(stems)} graphs checked, {dots} through Graphviz, {len(failures)} failures')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
