#!/usr/bin/env python3
"""Checks over a corpus what must hold for every graph of it.

    corpus_check.py --descry PATH FOLDER... [--every N] [--jobs N] [--schema docs/schema]

For each graph of each file that opens:
- `descry show A | descry show -` prints what `descry show A` printed;
- its JSON export is valid against the published schema, and printed again gives the same text;
- its DOT export is accepted by `dot -Tcanon` (left out, and said so, when dot is not there);
- `descry verify` finds no error in it.

Prints one line for each fault and a summary; exit 1 when there is one, 2 when nothing was checked.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys


def run(command, text=None, limit=120):
    try:
        p = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, b"", f"did not end in {limit} s"
    return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace").strip()


class Checker:
    def __init__(self, descry, schema):
        self.descry, self.dot, self.unfinished = descry, shutil.which("dot"), []
        with open(os.path.join(schema, "descry.graph.1.schema.json"), encoding="utf-8") as f:
            text = json.load(f)
        try:
            import jsonschema
            self.validator = jsonschema.validators.validator_for(text)(text)
        except ImportError:
            self.validator = None

    def graph(self, address):
        """Faults of one graph."""
        code, shown, error = run([self.descry, "show", "-q", address])
        if code not in (0, 4) or not shown:
            return [f"show: exit code {code}: {error[:200]}"]
        faults = []
        code, again, error = run([self.descry, "show", "-q", "-"], shown)
        if again != shown:
            faults.append(f"show | show - differs (exit code {code}) {error[:200]}")
        code, exported, error = run([self.descry, "export", "-q", address, "-f", "json"])
        if code not in (0, 4):
            faults.append(f"export json: exit code {code}: {error[:200]}")
        else:
            if self.validator:
                for e in list(self.validator.iter_errors(json.loads(exported)))[:1]:
                    faults.append(f"JSON schema: {'/'.join(map(str, e.path))}: {e.message[:200]}")
            code, again, error = run([self.descry, "show", "-q", "-"], exported)
            if again != shown:
                faults.append(f"export json | show - differs (exit code {code}) {error[:200]}")
        if self.dot:
            code, dot, error = run([self.descry, "export", "-q", address, "-f", "dot"])
            if code not in (0, 4):
                faults.append(f"export dot: exit code {code}: {error[:200]}")
            else:
                code, _, error = run([self.dot, "-Tcanon"], dot)
                if code is None:
                    # Graphviz 2.43 lays the graph out before it prints it. `nop` reads with the same parser and
                    # only prints.
                    code, _, error = run(["nop"], dot)
                    self.unfinished.append(address)
                    if code or error:
                        faults.append(f"nop: {error[:200]}")
                elif code or error:
                    faults.append(f"dot -Tcanon: {error[:200]}")
        return faults

    def file(self, path):
        """Number of graphs, or None for a file that holds none, and (graph, fault) pairs."""
        code, out, error = run([self.descry, "info", "-q", "--json", path])
        if code not in (0, 4):
            return None, ([] if any(c in error for c in ("[not-recognised]", "[no-graph]", "[is-empty]")) else [("", f"info: {error[:200]}")])
        ids = [g["id"] for g in json.loads(out)["graphs"]]
        found = [(i, fault) for i in ids for fault in self.graph(f"{path}::{i}")]
        if ids:
            code, out, error = run([self.descry, "verify", "-q", path])
            if code not in (0, 4):
                found.append(("", f"verify: exit code {code}: {(out.decode('utf-8', 'replace') + error)[:300]}"))
        return len(ids), found


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--descry", required=True)
    ap.add_argument("folders", nargs="+")
    ap.add_argument("--every", type=int, default=1, help="check every Nth file only")
    ap.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    ap.add_argument("--schema", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../docs/schema"))
    a = ap.parse_args()
    checker = Checker(os.path.abspath(a.descry), a.schema)
    if not checker.dot:
        print("dot is not there: DOT is not checked")
    if not checker.validator:
        print("jsonschema is not there: JSON is not validated")
    files = sorted(os.path.join(base, name) for folder in a.folders for base, _, names in os.walk(folder)
                   for name in names if not name.endswith((".md", ".tsv", ".safetensors")))[::a.every]
    graphs = opened = bad = 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for path, (count, faults) in zip(files, pool.map(checker.file, files)):
            opened += count is not None
            graphs += count or 0
            bad += len(faults)
            for graph, fault in faults:
                print(f"{path}{'::' + graph if graph else ''}: {fault}", flush=True)
    for address in checker.unfinished:
        print(f"{address}: dot -Tcanon did not end in 120 s; nop, which has the same parser, was asked instead")
    print(f"{graphs} graphs of {opened} files (of {len(files)} looked at): {bad} faults")
    return 2 if not graphs else 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
