"""Checks of the files themselves: every source is built, links lead somewhere, no machine's paths, sizes stay readable."""
import json
import os
import re
import subprocess
import sys

ROOT = sys.argv[1]
SKIP = {"build", "out", ".git", ".cache", "__pycache__"}
# Data stays as it was traced.
DATA = re.compile(r"^(samples/(traces|graphs)|tests/.*(corpus|data|golden)|LICENSE)")


def files():
    for folder, dirs, names in os.walk(ROOT):
        dirs[:] = sorted(d for d in dirs if d not in SKIP and not d.startswith("build"))
        for name in sorted(names):
            yield os.path.relpath(os.path.join(folder, name), ROOT)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as f:
        return f.read()


def main():
    faults, paths = [], list(files())
    lists = {os.path.dirname(p): read(p) for p in paths if os.path.basename(p) == "CMakeLists.txt"}
    lists["cmake"] = "".join(read(p) for p in paths if p.startswith("cmake/") and p.endswith(".cmake"))
    for path in paths:
        folder, name = os.path.split(path)
        if DATA.match(path):
            continue
        if name.endswith((".png", ".gz", ".ico")):
            continue
        text = read(path)
        if path != "tests/house/tree_test.py":
            for line, content in enumerate(text.split("\n"), 1):
                if re.search(r"(?<![\w.])/(work|root)/\w", content):
                    faults.append(f"{path}:{line}: names a folder of one machine")
        if name.endswith((".cpp", ".h")) and "consumer" not in path:
            if not path.startswith("tests/") and text.count("\n") > 1200:
                faults.append(f"{path}: {text.count(chr(10))} lines; split it")
            if name.endswith(".h") and not text.startswith("//"):
                faults.append(f"{path}:1: does not open with a line that says why it exists")
        if name.endswith(".h") and "#pragma once" not in text:
            faults.append(f"{path}:1: has no #pragma once")
        if name.endswith(".cpp") and not path.startswith("tests/install/consumer"):
            above, listed = folder, False
            while not listed:
                if above in lists:
                    relative = os.path.relpath(path, above or ".")
                    listed = relative in lists[above] or name[:-4].removeprefix("fuzz_") in lists[above]
                if not above:
                    break
                above = os.path.dirname(above)
            if not listed:
                faults.append(f"{path}:1: is in no CMakeLists.txt")
        if name.endswith(".md"):
            prose = re.sub(r"```.*?```", "", text, flags=re.S)
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
                if "://" not in target and not os.path.exists(os.path.join(ROOT, folder, target)):
                    faults.append(f"{path}: links to {target}, which is not there")
        if name.endswith(".json"):
            try:
                json.loads(text)
            except ValueError as e:
                faults.append(f"{path}: {e}")
    for script in ("dev", ".ci/run"):
        if not os.access(os.path.join(ROOT, script), os.X_OK):
            faults.append(f"{script}: is not executable")
        if subprocess.run(["bash", "-n", os.path.join(ROOT, script)]).returncode:
            faults.append(f"{script}: bash cannot read it")
    print("\n".join(faults))
    print(f"{len(paths)} files, {len(faults)} faults")
    return 1 if faults or len(paths) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
