#!/usr/bin/env python3
"""Checks the include lines of the tree against its layers. Needs Python 3.9+ only.

    check_layers.py [ROOT]        exit 0 when every include is allowed, 1 with one line per breach otherwise
    check_layers.py --self-test   plants one breach of every rule in a copy of a tiny tree and checks that each is found
    check_layers.py --rules       prints the rules

What is checked:
- a folder includes only the folders that its layer may know (table LAYERS);
- inside `ir`, lower parts do not include higher ones (table IR_RANK);
- outside libraries stay where they belong (table OUTSIDE): Qt in gui, Qt Widgets not in models, cgraph in exporters/dot;
- whole-module Qt headers are not included, and headers with nlohmann/json stay in their folder: they slow builds down;
- project includes are written from the root and name files that exist;
- no file includes itself through others.
"""
import os
import re
import sys
import tempfile

# Longest prefix wins. A layer may always include itself.
LAYERS = {
    "ir": [],
    "importers": ["ir"],
    "passes": ["ir"],
    "runtime": ["ir"],
    "layout": ["ir"],
    "exporters": ["ir"],
    "session": ["ir", "importers", "passes", "runtime", "layout", "exporters"],
    "cli": ["session", "ir"],
    "gui/document": ["session", "ir"],
    "gui/theme": ["ir"],
    "gui/models": ["gui/document", "session", "ir"],
    "gui/canvas": ["gui", "ir", "layout/grid_index.h"],  # geometry that hit tests and culling share with layout
    "gui/panels": ["gui", "ir"],
    "gui/app": ["gui", "ir"],
}
# Model files may know the row types of session wherever they stand, and may not know widgets.
MODEL_FILE = re.compile(r"gui/.*_model\.(h|cpp)$")
MODEL_MAY = ["gui/document", "gui/models", "session", "ir"]

IR_RANK = {"support": 0, "types": 1, "descriptors": 1, "core": 2, "ops": 3, "annotations": 3, "match": 3,
           "text": 4, "verify": 4, "analysis": 4}

QT_WIDGETS = re.compile(
    r"Q(Widget|MainWindow|Dialog|DialogButtonBox|MessageBox|FileDialog|ColorDialog|InputDialog|Application|Action|"
    r"AbstractItemView|TreeView|TableView|ListView|HeaderView|DockWidget|Menu|MenuBar|ToolBar|ToolButton|StatusBar|"
    r"PushButton|AbstractButton|Label|LineEdit|TextEdit|PlainTextEdit|TextBrowser|ComboBox|CheckBox|RadioButton|SpinBox|"
    r"DoubleSpinBox|Slider|ProgressBar|TabWidget|TabBar|StackedWidget|Splitter|ScrollArea|ScrollBar|AbstractScrollArea|"
    r"BoxLayout|HBoxLayout|VBoxLayout|GridLayout|FormLayout|Layout|GroupBox|Frame|Completer|Shortcut|Style|StyleOption|"
    r"StyledItemDelegate|ItemDelegate|ProxyStyle|GraphicsView|GraphicsScene|GraphicsItem|SystemTrayIcon|ToolTip|"
    r"WhatsThis|RubberBand|SizePolicy|KeySequenceEdit|Tree(Widget|WidgetItem)|Table(Widget|WidgetItem)|"
    r"List(Widget|WidgetItem))$")
QT_ALLOWED_IN_MODELS = {"QAction", "QShortcut"}  # these moved to Qt Gui in Qt 6
QT_MODULES = re.compile(r"Qt(Core|Gui|Widgets|Svg|Network|Concurrent|Test|OpenGL|PrintSupport)(/Qt\w+)?$")

SOURCE = (".h", ".hpp", ".cpp", ".cc", ".cu", ".cuh")
CHECKED = ("ir", "importers", "passes", "runtime", "layout", "exporters", "session", "cli", "gui")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(path):
    best = ""
    for name in LAYERS:
        if (path == name or path.startswith(name + "/")) and len(name) > len(best):
            best = name
    return best


def inside(path, folders):
    return any(path == f or path.startswith(f + "/") for f in folders)


def is_qt(name):
    base = name.split("/")[-1]
    return re.match(r"Q[A-Z]\w*$", base) is not None or name.startswith("Qt") or name in ("qnamespace.h", "qglobal.h")


def includes(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
        for number, line in enumerate(f, 1):
            m = INCLUDE.match(line)
            if m:
                yield number, m[1] == '"', m[2]


def check_project_include(root, path, target):
    layer, target_layer = layer_of(path), layer_of(target)
    if not os.path.exists(os.path.join(root, target)):
        if os.path.exists(os.path.join(root, os.path.dirname(path), target)):
            return "written relative to the file; write it from the root"
        return "names no file of the tree"
    if not target_layer:
        return f"{target} belongs to no layer"
    if layer == "ir" and target_layer == "ir":
        a, b = path.split("/")[1], target.split("/")[1]
        if a not in IR_RANK or b not in IR_RANK:
            return f"ir/{a if a not in IR_RANK else b} has no rank; add it to IR_RANK"
        if IR_RANK[b] > IR_RANK[a] or (IR_RANK[a] == IR_RANK[b] == 3 and a != b):
            return f"ir/{a} may not include ir/{b}"
        return None
    if target_layer == layer:
        return None
    may = MODEL_MAY if MODEL_FILE.match(path) else LAYERS[layer]
    if inside(target, may):
        # Rows of session reach models; the other parts of gui get them from models and document.
        return None
    return f"{layer} may not include {target_layer}"


def check_outside_include(path, target):
    layer = layer_of(path)
    gui = layer.startswith("gui")
    model = layer == "gui/models" or MODEL_FILE.match(path)
    base = target.split("/")[-1]
    if is_qt(target):
        if not gui:
            return f"{layer} may not include Qt"
        if QT_MODULES.match(target):
            return "includes a whole Qt module; include the classes"
        if (model or layer == "gui/document") and QT_WIDGETS.match(base) and base not in QT_ALLOWED_IN_MODELS:
            return f"{layer} may not include Qt Widgets"
    if re.match(r"(graphviz/)?(cgraph|gvc)\.h$", target) and not inside(path, ["exporters/dot"]):
        return "only exporters/dot may include Graphviz"
    if re.match(r"(cuda|nvrtc|cublas|cudnn)\w*\.h$", base) and not inside(path, ["runtime/cuda"]):
        return "only runtime/cuda may include CUDA"
    return None


def source_files(root):
    for top in CHECKED:
        for folder, dirs, names in os.walk(os.path.join(root, top)):
            dirs.sort()
            for name in sorted(names):
                if name.endswith(SOURCE):
                    yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def find_cycles(graph):
    """Yields one path for each file that includes itself through others."""
    state = {}
    for start in sorted(graph):
        if start in state:
            continue
        stack = [(start, iter(graph[start]))]
        state[start] = 1
        while stack:
            node, edges = stack[-1]
            for nxt in edges:
                if nxt not in graph:
                    continue
                if state.get(nxt) == 1:
                    names = [n for n, _ in stack]
                    yield names[names.index(nxt):] + [nxt]
                elif nxt not in state:
                    state[nxt] = 1
                    stack.append((nxt, iter(graph[nxt])))
                    break
            else:
                state[node] = 2
                stack.pop()


def check(root):
    breaches, graph, slow = [], {}, {}
    for path in source_files(root):
        if not layer_of(path):
            breaches.append(f"{path}: error: belongs to no layer; add its folder to LAYERS [layer-unknown]")
            continue
        graph[path] = []
        for number, quoted, target in includes(root, path):
            top = target.split("/")[0]
            if quoted and top not in ("descry",) and not is_qt(target):
                # Moc's generated files belong to the file that includes them.
                if target.endswith(".moc") or target.startswith(("moc_", "ui_")):
                    continue
                graph[path].append(target)
                why = check_project_include(root, path, target)
            else:
                why = check_outside_include(path, target)
            if target.startswith("nlohmann/") and path.endswith(".h") and not target.endswith("json_fwd.hpp"):
                slow[path] = number
            if why:
                breaches.append(f'{path}:{number}: error: includes "{target}": {why} [layer]')
    for path, targets in graph.items():
        for target in targets:
            if target in slow and os.path.dirname(target) != os.path.dirname(path):
                breaches.append(f"{target}:{slow[target]}: error: includes nlohmann/json and is included by {path}: keep it "
                                "in its folder [layer]")
    for cycle in find_cycles(graph):
        breaches.append(f"{cycle[0]}: error: includes itself: {' -> '.join(cycle)} [include-cycle]")
    return breaches, len(graph)


CLEAN = {
    "ir/core/graph.h": '#include <vector>\n#include "ir/support/result.h"\n',
    "ir/support/result.h": "#include <string>\n",
    "ir/text/printer.h": '#include "ir/core/graph.h"\n',
    "importers/fx/reader.cpp": '#include "importers/fx/reader.h"\n#include <nlohmann/json.hpp>\n',
    "importers/fx/reader.h": '#include "ir/core/graph.h"\n',
    "exporters/dot/dot.cpp": '#include "exporters/dot/dot.h"\n#include <cgraph.h>\n',
    "exporters/dot/dot.h": '#include "ir/core/graph.h"\n',
    "session/session.h": '#include "importers/fx/reader.h"\n#include "exporters/dot/dot.h"\n',
    "cli/main.cpp": '#include "session/session.h"\n',
    "gui/document/document.h": '#include "session/session.h"\n#include <QObject>\n',
    "gui/models/table_model.h": '#include "gui/document/document.h"\n#include <QAbstractTableModel>\n',
    "gui/panels/table.cpp": '#include "gui/models/table_model.h"\n#include <QTableView>\n',
}
# (file, line that is added, word of the complaint)
PLANTED = [
    ("ir/core/graph.h", '#include "importers/fx/reader.h"', "ir may not include importers"),
    ("ir/core/graph.h", '#include "ir/text/printer.h"', "ir/core may not include ir/text"),
    ("ir/core/graph.h", "#include <QString>", "may not include Qt"),
    ("importers/fx/reader.h", '#include "exporters/dot/dot.h"', "importers may not include exporters"),
    ("importers/fx/reader.h", "#include <nlohmann/json.hpp>", "included by session/session.h"),
    ("importers/fx/reader.cpp", "#include <cgraph.h>", "only exporters/dot"),
    ("importers/fx/reader.cpp", '#include "reader.h"', "write it from the root"),
    ("importers/fx/reader.cpp", '#include "importers/fx/absent.h"', "names no file"),
    ("exporters/dot/dot.h", '#include "session/session.h"', "exporters may not include session"),
    ("session/session.h", '#include "gui/document/document.h"', "session may not include gui/document"),
    ("cli/main.cpp", '#include "importers/fx/reader.h"', "cli may not include importers"),
    ("cli/main.cpp", "#include <QCoreApplication>", "may not include Qt"),
    ("gui/document/document.h", '#include "gui/models/table_model.h"', "gui/document may not include gui/models"),
    ("gui/models/table_model.h", "#include <QTableView>", "may not include Qt Widgets"),
    ("gui/models/table_model.h", '#include "importers/fx/reader.h"', "gui/models may not include importers"),
    ("gui/panels/table.cpp", '#include "exporters/dot/dot.h"', "gui/panels may not include exporters"),
    ("gui/panels/table.cpp", '#include "session/session.h"', "gui/panels may not include session"),
    ("gui/panels/table.cpp", "#include <QtWidgets>", "whole Qt module"),
    ("ir/support/result.h", '#include "ir/support/result.h"', "includes itself"),
]


def write_tree(root, files):
    for path, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as f:
            f.write(text)


def self_test():
    failures = 0
    with tempfile.TemporaryDirectory() as root:
        write_tree(root, CLEAN)
        breaches, _ = check(root)
        if breaches:
            print("the clean tree is refused:", *breaches, sep="\n  ")
            failures += 1
    for path, line, word in PLANTED:
        with tempfile.TemporaryDirectory() as root:
            write_tree(root, {**CLEAN, path: CLEAN[path] + line + "\n"})
            breaches, _ = check(root)
            if not any(word in b and b.startswith(path) for b in breaches):
                print(f"not found: {path}: {line} (expected: {word}; got {breaches})")
                failures += 1
    print(f"{len(PLANTED)} planted breaches, {failures} failures")
    return 1 if failures else 0


def main():
    args = sys.argv[1:]
    if "--help" in args or "-h" in args:
        print(__doc__)
        return 0
    if "--self-test" in args:
        return self_test()
    if "--rules" in args:
        for name, may in LAYERS.items():
            print(f"{name:14} {', '.join(may) or '(nothing else of the tree)'}")
        return 0
    root = args[0] if args else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    breaches, count = check(root)
    for b in breaches:
        print(b)
    print(f"{count} files, {len(breaches)} breaches")
    if not count:
        print("error: nothing to check below", root, file=sys.stderr)
        return 1
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
