"""Made graphs (scripts/make_graph.py) are sound and already in canonical form."""
import os
import subprocess
import sys
import tempfile

ROOT, DESCRY = sys.argv[1:3]
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import make_graph  # noqa: E402


def run(*args):
    return subprocess.run([DESCRY, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        for nodes in (17, 1000):
            text, path = make_graph.make(nodes), os.path.join(tmp, "made.txt")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            verified = run("verify", path)
            if verified.returncode:
                sys.exit(f"{nodes} nodes: verify ends with {verified.returncode}\n{verified.stdout[:2000]}")
            shown = run("show", path).stdout
            if [l for l in shown.split("\n") if l.strip()] != [l for l in text.split("\n") if l.strip()]:
                sys.exit(f"{nodes} nodes: show prints another text")
    print("ok")


if __name__ == "__main__":
    main()
