"""Installs a build into an empty folder, checks that its headers stand alone, and builds and runs a consumer."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

EXPECTED = """\
primals_1 -> ParamAOTInput(target='l1.weight') f32[2, 3][3, 1]cpu
primals_2 -> ParamAOTInput(target='l1.bias') f32[2][1]cpu
primals_3 -> ParamAOTInput(target='l2.weight') f32[4, 3][3, 1]cpu
primals_4 -> ParamAOTInput(target='l2.bias') f32[4][1]cpu
primals_5 -> PlainAOTInput(idx=0) f32[4, 3][3, 1]cpu
tangents_1 -> TangentAOTInput(output=PlainAOTOutput(idx=0)) f32[4, 2][2, 1]cpu
tangents_2 -> TangentAOTInput(output=PlainAOTOutput(idx=1)) f32[4, 4][4, 1]cpu
24 nodes
"""


def run(*command, cwd=None):
    p = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if p.returncode:
        print(" ".join(command))
        print(p.stdout)
        sys.exit(f"failed with {p.returncode}")
    return p.stdout


def check_headers(include):
    """Every header that an installed header names with quotes is installed too."""
    count = 0
    for folder, _, names in os.walk(include):
        for name in names:
            count += 1
            path = os.path.join(folder, name)
            for line in open(path, encoding="utf-8"):
                m = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
                if m and not os.path.exists(os.path.join(include, m[1])):
                    sys.exit(f"{os.path.relpath(path, include)} includes {m[1]}, which is not installed")
    if count < 20:
        sys.exit(f"only {count} headers are installed")
    return count


def main():
    ap = argparse.ArgumentParser()
    for name in ("cmake", "build", "compiler", "consumer", "graph"):
        ap.add_argument("--" + name, required=True)
    a = ap.parse_args()
    with tempfile.TemporaryDirectory(prefix="descry-install.") as tmp:
        prefix, work = os.path.join(tmp, "prefix"), os.path.join(tmp, "work")
        run(a.cmake, "--install", a.build, "--prefix", prefix)
        headers = check_headers(os.path.join(prefix, "include/descry"))
        descry = os.path.join(prefix, "bin/descry")
        shown = run(descry, "show", a.graph)
        if "torch.ops.aten.addmm.default(primals_2, primals_5, t)" not in shown:
            sys.exit("the installed program does not show the sample:\n" + shown)
        # Also after the tree was moved: nothing may point into the folder where it was installed.
        moved = os.path.join(tmp, "elsewhere")
        os.rename(prefix, moved)
        run(a.cmake, "-S", a.consumer, "-B", work, "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER={a.compiler}",
            f"-DCMAKE_PREFIX_PATH={moved}")
        run(a.cmake, "--build", work, "--parallel", "2")
        got = run(os.path.join(work, "consumer"), a.graph)
        if got != EXPECTED:
            sys.exit(f"the consumer printed:\n{got}expected:\n{EXPECTED}")
        for folder, _, names in os.walk(os.path.join(moved, "lib")):
            for name in names:
                if name.endswith(".cmake") and (a.build in open(os.path.join(folder, name)).read()):
                    sys.exit(f"{name} names the build folder")
    print(f"{headers} headers, consumer built and run")


if __name__ == "__main__":
    main()
