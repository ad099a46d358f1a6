#include "exporters/html/page.h"

namespace descry::exporters {

using namespace ir;

std::string pageStyle(Theme theme) {
  const Palette& p = palette(theme);
  std::string out = ":root{";
  const auto variable = [&](const char* name, Rgb color) {
    out += "--";
    out += name;
    out += ':';
    out += hexColor(color);
    out += ';';
  };
  variable("canvas", p.canvas);
  variable("ink", p.ink);
  variable("muted", p.mutedInk);
  variable("panel", p.groupFill);
  variable("line", p.groupLine);
  variable("accent", theme == Theme::Contrast ? p.highlight : p.forwardLine);
  variable("hit", p.warning);
  variable("highlight", p.highlight);
  out += theme == Theme::Dark || theme == Theme::Contrast ? "color-scheme:dark" : "color-scheme:light";
  out += "}\n";
  out += R"css(*{box-sizing:border-box}
html,body{height:100%;margin:0}
body{display:flex;flex-direction:column;background:var(--canvas);color:var(--ink);
font:14px/1.45 Inter,'Segoe UI','Helvetica Neue',Arial,sans-serif}
header{display:flex;gap:12px;align-items:center;padding:8px 14px;
border-bottom:1px solid var(--line);background:var(--panel)}
h1{font-size:16px;margin:0 auto 0 0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
h2{font-size:15px;margin:0 0 8px;overflow-wrap:anywhere}
input,button{font:inherit;color:inherit;background:var(--canvas);
border:1px solid var(--line);border-radius:6px;padding:4px 10px}
button{cursor:pointer}
button[aria-selected=true]{border-color:var(--accent);box-shadow:inset 0 -2px var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
#q{width:18em}
#count{min-width:7em;color:var(--muted)}
main{flex:1;min-height:0;display:flex}
section{flex:1;min-width:0;overflow:auto;padding:14px}
section[hidden],aside[hidden]{display:none}
#view-graph{padding:0;overflow:hidden;position:relative}
#graph{width:100%;height:100%;display:block;cursor:grab;touch-action:none}
#graph.drag{cursor:grabbing}
.nodes>g{cursor:pointer}
.nodes>g.hit>path:first-child{stroke:var(--hit);stroke-width:3}
.nodes>g.sel>path:first-child{stroke:var(--ink);stroke-width:3.5}
.edges path.lit{stroke:var(--ink);stroke-width:3}
#zoom{position:absolute;right:12px;bottom:12px;display:flex;gap:6px}
aside{width:340px;border-left:1px solid var(--line);background:var(--panel);padding:14px;overflow:auto}
dl{margin:0;display:grid;grid-template-columns:auto 1fr;gap:4px 12px}
dt{color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}
a{color:var(--accent);cursor:pointer}
table{border-collapse:collapse;font-size:13px}
th,td{text-align:left;padding:4px 10px;border-bottom:1px solid var(--line);vertical-align:top;max-width:34em;
overflow-wrap:anywhere}
th{position:sticky;top:-14px;background:var(--canvas)}
tbody tr:hover{background:var(--panel)}
pre,code,.mono{font:12px/1.5 'JetBrains Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace}
pre{margin:0;white-space:pre}
footer{padding:5px 14px;border-top:1px solid var(--line);color:var(--muted);font-size:12px;
overflow-wrap:anywhere}
)css";
  return out;
}

const char* const kPageScript = R"js('use strict';
(() => {
const $ = id => document.getElementById(id);
const data = JSON.parse($('data').textContent);
const OPS = ['placeholder', 'get_attr', 'call_function', 'call_method', 'call_module', 'output'];
const PHASES = ['', 'forward', 'backward', 'either'];
// A node row: name, op, target, type, descriptor, source, phase, inputs. Numbers point into the
// tables; -1: none. Inputs count backwards from the node: 1 is the node before.
const nodes = data.nodes.map((r, i) => ({name: r[0], op: OPS[r[1]], target: data.targets[r[2]] || '',
  type: data.types[r[3]] || '',
  desc: data.descriptors[r[4]] || null, source: data.sources[r[5]] || null, phase: PHASES[r[6]],
  inputs: r[7].map(d => i - d), users: []}));
nodes.forEach((n, i) => n.inputs.forEach(k => nodes[k].users.push(i)));
const svg = $('graph');
const boxOf = new Map();
data.boxes.forEach((b, k) => { if (b >= 0) boxOf.set(b, k); });
const paths = svg.querySelectorAll('.edges path');
// Edges: for each path the step from the reader of the path before, and how far back its producer is.
const ends = [];
for (let i = 0, to = 0; i < data.edges.length; i += 2) {
  to += data.edges[i];
  ends.push([to - data.edges[i + 1], to]);
}

// The view box is the camera.
const full = svg.viewBox.baseVal;
const home = {x: full.x, y: full.y, w: full.width, h: full.height};
let view = {...home};
const show = () => svg.setAttribute('viewBox', view.x + ' ' + view.y + ' ' + view.w + ' ' + view.h);
const scale = () => Math.max(view.w / svg.clientWidth, view.h / svg.clientHeight) || 1;
function zoom(f, cx, cy) {
  const w = Math.min(Math.max(view.w * f, 60), home.w * 8);
  f = w / view.w;
  view = {x: cx - (cx - view.x) * f, y: cy - (cy - view.y) * f, w, h: view.h * f};
  show();
}
function at(e) {
  const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [p.x, p.y];
}
svg.addEventListener('wheel', e => {
  e.preventDefault();
  if (e.ctrlKey || e.metaKey) return zoom(e.deltaY > 0 ? 1.15 : 1 / 1.15, ...at(e));
  const s = scale();
  view.x += e.deltaX * s;
  view.y += e.deltaY * s;
  show();
}, {passive: false});
let drag = null;
svg.addEventListener('pointerdown', e => { drag = {x: e.clientX, y: e.clientY, moved: false}; });
svg.addEventListener('pointermove', e => {
  if (!drag) return;
  const dx = e.clientX - drag.x, dy = e.clientY - drag.y;
  if (!drag.moved && Math.hypot(dx, dy) < 4) return;
  if (!drag.moved) { svg.setPointerCapture(e.pointerId); svg.classList.add('drag'); }
  const s = scale();
  view.x -= dx * s;
  view.y -= dy * s;
  drag = {x: e.clientX, y: e.clientY, moved: true};
  show();
});
svg.addEventListener('pointerup', e => {
  const moved = drag && drag.moved;
  drag = null;
  svg.classList.remove('drag');
  if (moved) return;
  const g = e.target.closest('.nodes>g');
  select(g ? +g.id.slice(1) : -1, false);
});
svg.addEventListener('pointercancel', () => { drag = null; });
const middle = () => [view.x + view.w / 2, view.y + view.h / 2];
$('in').onclick = () => zoom(1 / 1.4, ...middle());
$('out').onclick = () => zoom(1.4, ...middle());
$('fit').onclick = () => { view = {...home}; show(); };
function center(k) {
  const g = $('n' + k);
  if (!g) return;
  const b = g.getBBox(), h = Math.min(view.h, Math.max(b.height * 14, 300)), w = view.w * h / view.h;
  view = {x: b.x + b.width / 2 - w / 2, y: b.y + b.height / 2 - h / 2, w, h};
  show();
}

// Selection: a box of the picture.
let selected = -1;
function mark(k, on) {
  const g = $('n' + k);
  if (g) g.classList.toggle('sel', on);
}
function select(k, move) {
  mark(selected, false);
  paths.forEach((p, i) => p.classList.toggle('lit', k >= 0 && ends[i].includes(k)));
  selected = k;
  mark(k, true);
  if (move) { tab('graph'); center(k); }
  facts(k);
}
function selectNode(i) {
  if (boxOf.has(i)) return select(boxOf.get(i), true);
  tab('graph');
  facts(-1, i);
}
function element(tag, text, parent) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (parent) parent.append(e);
  return e;
}
function fact(dl, label, value) {
  if (!value) return;
  element('dt', label, dl);
  element('dd', value, dl);
}
function links(dl, label, list) {
  if (!list.length) return;
  element('dt', label, dl);
  const dd = element('dd', undefined, dl);
  list.slice(0, 200).forEach((i, n) => {
    if (n) dd.append(', ');
    element('a', nodes[i].name, dd).onclick = () => selectNode(i);
  });
  if (list.length > 200) dd.append(' and ' + (list.length - 200) + ' more');
}
function facts(k, node) {
  const panel = $('facts');
  panel.textContent = '';
  const index = k >= 0 ? data.boxes[k] : node === undefined ? -1 : node;
  panel.hidden = k < 0 && index < 0;
  if (panel.hidden) return;
  const dl = document.createElement('dl');
  if (index < 0) {
    const out = data.outputs[-2 - index];
    element('h2', out ? 'output ' + (-2 - index) : 'group', panel);
    if (out) {
      fact(dl, 'value', out[0]);
      const d = data.descriptors[out[2]];
      if (d) { fact(dl, 'meaning', d[1]); fact(dl, 'descriptor', d[0]); }
      links(dl, 'from', out[1] >= 0 ? [out[1]] : []);
    }
  } else {
    const n = nodes[index];
    element('h2', n.name, panel);
    fact(dl, 'op', n.op);
    fact(dl, 'target', n.target);
    fact(dl, 'type', n.type);
    fact(dl, 'phase', n.phase);
    if (n.desc) { fact(dl, 'meaning', n.desc[1]); fact(dl, 'descriptor', n.desc[0]); }
    if (n.source) { fact(dl, 'source', n.source[0]); fact(dl, 'code', n.source[1]); }
    links(dl, 'reads', n.inputs);
    links(dl, 'read by', n.users);
  }
  panel.append(dl);
}

// Tabs.
const tabs = [...document.querySelectorAll('[data-tab]')];
function tab(name) {
  tabs.forEach(b => b.setAttribute('aria-selected', b.dataset.tab === name));
  document.querySelectorAll('main>section').forEach(s => { s.hidden = s.id !== 'view-' + name; });
  if (name === 'nodes') rows();
}
tabs.forEach(b => { b.onclick = () => tab(b.dataset.tab); });

// Search: every word must occur in name, target, type, phase or descriptor.
let hits = [], hit = -1, words = [];
function search() {
  words = $('q').value.toLowerCase().split(/\s+/).filter(Boolean);
  svg.querySelectorAll('.hit').forEach(g => g.classList.remove('hit'));
  hits = [];
  hit = -1;
  if (words.length) nodes.forEach((n, i) => {
    const text = [n.name, n.target, n.type, n.phase, n.desc ? n.desc[0] : ''].join(' ').toLowerCase();
    if (words.every(w => text.includes(w))) hits.push(i);
  });
  hits.forEach(i => { const g = boxOf.has(i) && $('n' + boxOf.get(i)); if (g) g.classList.add('hit'); });
  $('count').textContent = words.length ? hits.length + ' of ' + nodes.length : '';
  if (!$('view-nodes').hidden) rows();
}
let timer = 0;
$('q').oninput = () => { clearTimeout(timer); timer = setTimeout(search, 120); };
$('q').onkeydown = e => {
  if (e.key !== 'Enter') return;
  clearTimeout(timer);
  const before = words.join(' ');
  if ($('q').value.toLowerCase().trim() !== before) search();
  if (!hits.length) return;
  hit = (hit + (e.shiftKey ? hits.length - 1 : 1)) % hits.length;
  selectNode(hits[hit]);
  $('count').textContent = (hit + 1) + ' of ' + hits.length;
};
document.addEventListener('keydown', e => {
  if (e.key === '/' && e.target !== $('q')) { e.preventDefault(); $('q').focus(); }
  if (e.key === 'Escape') { $('q').blur(); select(-1, false); }
});

// Table: a thousand rows at most, the search narrows them.
function rows() {
  const list = words.length ? hits : nodes.map((n, i) => i), body = $('rows');
  body.textContent = '';
  list.slice(0, 1000).forEach(i => {
    const n = nodes[i], tr = element('tr', undefined, body);
    element('td', String(i), tr);
    element('a', n.name, element('td', undefined, tr)).onclick = () => selectNode(i);
    for (const t of [n.op, n.target, n.type, n.phase, n.desc ? n.desc[0] : '', n.source ? n.source[0] : '',
      n.inputs.length, n.users.length]) element('td', String(t), tr);
  });
  const more = 'The first 1000 of ' + list.length + ' nodes. Search to narrow them.';
  $('more').textContent = list.length > 1000 ? more : '';
}
document.querySelectorAll('[data-node]').forEach(a => { a.onclick = () => selectNode(+a.dataset.node); });
tab('graph');
})();
)js";

const char* const kPageScriptHash = "5daPeDBF9hrc+dcBP2Ut7NISEYp/VMYr6nsObGKr2WI=";

}  // namespace descry::exporters
