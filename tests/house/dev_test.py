"""Checks `./dev` and `.ci/run` themselves: usage, exit codes, any folder, and what they say when tools are missing."""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = sys.argv[1]
faults = []


def dev(*args, cwd=ROOT, env=None):
    return subprocess.run([os.path.join(ROOT, "dev"), *args], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env=env, timeout=60)


def expect(condition, what):
    if not condition:
        faults.append(what)


def without_tools(tmp):
    """An environment in which only a shell and text tools exist."""
    tools = os.path.join(tmp, "bin")
    os.makedirs(tools)
    for name in ("bash", "env", "readlink", "dirname", "basename", "awk", "sort", "grep", "cat", "uname", "id", "mkdir",
                 "nproc", "sed"):
        found = shutil.which(name)
        if found:
            os.symlink(found, os.path.join(tools, name))
    return {"PATH": tools, "HOME": tmp, "DESCRY_NO_SETUP": "1"}


def main():
    p = dev("help")
    expect(p.returncode == 0 and "run [FILE]" in p.stdout and "test" in p.stdout, "help prints the usage")
    expect(dev().returncode == 0, "no argument prints the usage")
    p = dev("nonsense")
    expect(p.returncode == 2 and "no such command: nonsense" in p.stderr, f"unknown command: {p.returncode}")
    p = dev("fuzz")
    expect(p.returncode == 2 and "seconds" in p.stderr, f"fuzz without seconds: {p.returncode} {p.stderr}")
    p = dev("build", "nonsense")
    expect(p.returncode == 2 and "no such preset" in p.stderr, f"unknown preset: {p.returncode}")
    p = dev("run", "a", "b")
    expect(p.returncode == 2, f"run with two files: {p.returncode}")
    with tempfile.TemporaryDirectory() as tmp:
        p = dev("run", "absent.log", cwd=tmp)
        expect(p.returncode == 3 and "no such file: absent.log" in p.stderr, f"run with an absent file: {p.returncode} {p.stderr}")
        expect(dev("help", cwd=tmp).returncode == 0, "works from another folder")
        link = os.path.join(tmp, "descry-dev")
        os.symlink(os.path.join(ROOT, "dev"), link)
        expect(subprocess.run([link, "help"], cwd=tmp, stdout=subprocess.DEVNULL).returncode == 0, "works through a link")
        p = dev("build", "core", env=without_tools(tmp))
        expect(p.returncode == 3, f"build without tools ends with 3, not {p.returncode}")
        for word in ("cmake", "ninja", "g++"):
            expect(word in p.stderr, f"build without tools names {word}: {p.stderr}")
        expect(os.listdir(tmp) and not os.path.exists(os.path.join(tmp, "build")), "nothing is built elsewhere")
    text = open(os.path.join(ROOT, "README.md"), encoding="utf-8").read()
    ci = open(os.path.join(ROOT, ".ci/run"), encoding="utf-8").read()
    expect("./dev test" in text and "./dev run" in text, "README names the two commands")
    expect("./dev test" in ci, ".ci/run calls the README's test command")
    print("\n".join(faults) or "ok")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
