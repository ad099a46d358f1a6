#!/usr/bin/env python3
"""Runs libFuzzer targets for a fixed time each, some at once.

    run_fuzzers.py --build BUILD --seconds N [--jobs N] [--only NAME] [--seed N]

With --seed every run tries the same inputs in the same order, which is what a test wants; a hunt leaves it out.

Targets and their limits stand in tests/fuzz/targets.txt, seeds in tests/fuzz/corpus/NAME, words in tests/fuzz/dict.
What a run finds interesting is kept in BUILD/fuzz-corpus/NAME and used by the next run. Exit 1 when a target
crashed, leaked, hung or ran out of memory; the input that did it is named with the command that repeats it.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def targets():
    with open(os.path.join(ROOT, "tests/fuzz/targets.txt"), encoding="utf-8") as f:
        for line in f:
            line = line.split("#")[0].split()
            if line:
                name, max_len, timeout, dictionary = line
                yield name, int(max_len), int(timeout), dictionary


def run(build, name, max_len, timeout, dictionary, seconds, seed):
    program = os.path.join(build, "tests/fuzz", "fuzz_" + name)
    corpus, found = os.path.join(build, "fuzz-corpus", name), os.path.join(build, "fuzz-found")
    seeds = os.path.join(ROOT, "tests/fuzz/corpus", name)
    os.makedirs(corpus, exist_ok=True)
    os.makedirs(found, exist_ok=True)
    command = [program, corpus, seeds, f"-max_total_time={seconds}", f"-max_len={max_len}", f"-timeout={timeout}",
               "-rss_limit_mb=2048", "-malloc_limit_mb=1024", "-print_final_stats=1", "-verbosity=1",
               f"-artifact_prefix={found}/{name}-", f"-dict={os.path.join(ROOT, 'tests/fuzz/dict', dictionary)}"]
    if seed:
        command.append(f"-seed={seed}")
    env = dict(os.environ, UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1")
    try:
        p = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env,
                           timeout=seconds + 120 + timeout)
        text, code = p.stderr.decode("utf-8", "replace"), p.returncode
    except subprocess.TimeoutExpired as e:
        text, code = (e.stderr or b"").decode("utf-8", "replace") + "\ndid not end in time\n", 1
    except OSError as e:
        text, code = str(e), 1
    executions = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
    rate = re.search(r"stat::average_exec_per_sec:\s*(\d+)", text)
    artifact = re.search(r"Test unit written to (\S+)", text)
    return code, text, executions and executions[1], rate and rate[1], artifact and artifact[1], program


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--build", required=True)
    ap.add_argument("--seconds", type=int, required=True)
    ap.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    ap.add_argument("--only")
    ap.add_argument("--seed", type=int, default=0)
    a = ap.parse_args()
    todo = [t for t in targets() if not a.only or t[0] == a.only]
    if not todo:
        print(f"error: no target named {a.only}; there are: {', '.join(t[0] for t in targets())}", file=sys.stderr)
        return 2
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(1, a.jobs)) as pool:
        runs = {pool.submit(run, a.build, *t, a.seconds, a.seed): t[0] for t in todo}
        for done in concurrent.futures.as_completed(runs):
            code, text, executions, rate, artifact, program = done.result()
            name = runs[done]
            # Zero executions would mean that nothing was checked.
            if code == 0 and executions and int(executions) > 0:
                print(f"{name:16} ok      {executions} inputs, {rate}/s", flush=True)
                continue
            bad += 1
            print(f"{name:16} FAILED")
            print("\n".join(text.splitlines()[-60:]))
            if artifact:
                print(f"repeat with: {program} {artifact}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
