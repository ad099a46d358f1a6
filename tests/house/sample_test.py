"""Runs a sample program and compares what it prints with the text that stands beside its source."""
import difflib
import subprocess
import sys

expected = open(sys.argv[1], encoding="utf-8").read()
p = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
if p.returncode or p.stdout != expected:
    print("".join(difflib.unified_diff(expected.splitlines(True), p.stdout.splitlines(True), "expected", "printed")))
    sys.exit(f"exit {p.returncode}")
print("ok")
