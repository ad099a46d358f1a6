#!/usr/bin/env python3
"""Takes the screenshots of docs/: every docs/shots/NAME.json becomes docs/images/NAME.png.

    take_shots.py --descry PATH [--only NAME] [-- COMMAND...]     COMMAND is put before each run (xvfb-run, env)

The files that scripts open are the bundled samples and graphs made by make_graph.py. docs/shots/files.txt names, line
by line, the shot and the file that it opens; `made:N` is a made graph of N nodes.
"""
import argparse
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import make_graph  # noqa: E402


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--descry", required=True)
    ap.add_argument("--only", default="")
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    a, prefix = ap.parse_args(sys.argv[1:split]), sys.argv[split + 1:]
    shots = os.path.join(ROOT, "docs/shots")
    with open(os.path.join(shots, "files.txt"), encoding="utf-8") as f:
        rows = [line.split() for line in f if line.strip() and not line.startswith("#")]
    rows = [r for r in rows if a.only in r[0]]
    if not rows:
        print(f"error: no shot's name contains '{a.only}'", file=sys.stderr)
        return 2
    bad = 0
    with tempfile.TemporaryDirectory() as tmp:
        for name, source in rows:
            if source.startswith("made:"):
                path = os.path.join(tmp, f"joint_{source[5:]}_nodes.txt")
                with open(path, "w", encoding="utf-8") as f:
                    f.write(make_graph.make(int(source[5:])))
            else:
                path = source
            out = os.path.join("docs/images", name + ".png")
            command = [*prefix, a.descry, "open", path, "--script", os.path.join("docs/shots", name + ".json"),
                       "--shot", out]
            p = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, timeout=180)
            # 4: the file of that picture is damaged on purpose.
            ok = p.returncode in (0, 4) and os.path.exists(os.path.join(ROOT, out))
            print(f"{out}: {'ok' if ok else 'FAILED'}", flush=True)
            if not ok:
                bad += 1
                print(p.stdout)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
