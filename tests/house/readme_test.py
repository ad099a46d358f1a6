"""Runs the commands that README.md shows and compares what they print. A line `...` stands for any lines."""
import difflib
import os
import re
import subprocess
import sys

ROOT, DESCRY = sys.argv[1:3]


def matches(shown, printed):
    """Whether `printed` is `shown` with each `...` replaced by some lines."""
    pattern = "\n".join(r"(?:.*\n)*?.*" if line == "..." else re.escape(line) for line in shown)
    return re.fullmatch(pattern, "\n".join(printed)) is not None


def main():
    text = open(os.path.join(ROOT, "README.md"), encoding="utf-8").read()
    env = dict(os.environ, PATH=os.path.dirname(os.path.abspath(DESCRY)) + os.pathsep + os.environ["PATH"], LC_ALL="C.UTF-8")
    blocks = re.findall(r"```console\n\$ (.*)\n((?:.*\n)*?)```", text)
    wrong = 0
    for command, shown in blocks:
        p = subprocess.run(["bash", "-c", command], cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, timeout=60)
        want, got = shown.rstrip("\n").split("\n"), [l.rstrip() for l in p.stdout.rstrip("\n").split("\n")]
        if not matches(want, got):
            wrong += 1
            print(f"$ {command}", *difflib.unified_diff(want, got, "README.md", "printed", lineterm=""), sep="\n")
    print(f"{len(blocks)} commands, {wrong} differ")
    return 1 if wrong or len(blocks) < 5 else 0


if __name__ == "__main__":
    sys.exit(main())
