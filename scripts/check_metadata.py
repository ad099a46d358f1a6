#!/usr/bin/env python3
"""Compares what `descry aot --emit meta` says of the cut with the ViewAndMutationMeta that PyTorch wrote into the same log.

    check_metadata.py --descry PATH CASES_DIR [--every N]

CASES_DIR holds folders as made by tools/reference/harness.py; every N-th is looked at. These are the fields that the
judge of fidelity does not ask for: how many symbols, unchecked tensors and tokens cross, which saved tensors are inputs, which are
given away, the sizes of tangents, and the views that outputs are made of.
Exit code 1 when one differs, or when there was nothing to compare.
"""
import argparse
import json
import os
import re
import subprocess
import sys

LISTS = ("bw_donated_idxs", "indices_of_inputs_that_requires_grad_with_mutations_in_bw")
NUMBERS = ("num_symints_saved_for_bw", "num_tensors_saved_with_no_vc_check", "num_backward_tokens", "num_graphsafe_rng_states")


def recorded(text):
    """The fields of the only ViewAndMutationMeta of a log that was printed behind the cut, or None."""
    metas = re.split(r"^\tViewAndMutationMeta\(", text, flags=re.M)[1:]
    if len(metas) != 1:
        return None
    meta, fields = metas[0].split("\nV")[0], {}
    for name in NUMBERS:
        found = re.findall(rf"^\t\s+{name}=(\w+),?$", meta, flags=re.M)
        if found:
            fields[name] = None if found[-1] == "None" else int(found[-1])
    for name in LISTS:
        found = re.search(rf"^\t\s+{name}=\[([^\]]*)\]", meta, re.M)
        if found:
            fields[name] = [int(w) for w in found.group(1).split(",") if w.strip()]
    deterministic = re.search(r"^\t\s+deterministic=(True|False)", meta, re.M)
    if deterministic:
        fields["deterministic"] = deterministic.group(1) == "True"
    # ViewMetaSequence(view, slice_Tensor)
    fields["view_meta_sequence"] = [None if not views else [w.strip() for w in names.split(",") if w.strip()]
                                    for views, names in re.findall(r"view_meta_sequence=(?:None|(ViewMetaSequence)\(([^)]*)\))", meta)]
    tangents = re.search(r"traced_tangents=\[(.*?)\],\n\t\s+traced_tangents_descs=", meta, re.S)
    # Of wrappers the sizes of what they hold are printed.
    if tangents and not re.search(r"(?<!Fake)Tensor\(", tangents.group(1)):
        fields["traced_tangents"] = [re.sub(r"\s", "", size).rstrip(",")
                                     for size in re.findall(r"FakeTensor\(\.\.\., size=\((.*?)\)(?:, dtype=[\w.]+)?\)(?=,\s*Fake|$)", tangents.group(1), re.S)]
    saved = re.search(r"saved_tensor_is_graph_input=\[(.*?)\]", meta, re.S)
    if saved:
        fields["saved_tensor_is_graph_input"] = [w.strip() == "True" for w in saved.group(1).split(",") if w.strip()]
    return fields


def options(case):
    """What the log does not say of the configuration it was made under."""
    with open(os.path.join(case, "case.json")) as f:
        config = json.load(f).get("config") or {}
    return ["--unlift-tokens", "on"] if config.get("functorch.unlift_effect_tokens") else []


def ours(descry, log, partition):
    info = json.loads(subprocess.run([descry, "info", log, "--json"], capture_output=True, text=True).stdout)
    captured = [g["id"] for g in info["graphs"] if g["kind"] == "dynamo_output_graph"]
    if len(captured) != 1:
        return None
    done = subprocess.run([descry, "aot", f"{log}::{captured[0]}", "--partition", partition, "--emit", "meta",
                           *options(os.path.dirname(log))],
                          capture_output=True, text=True)
    # What is refused is the business of the judge of fidelity.
    return json.loads(done.stdout) if done.returncode == 0 else None


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--descry", required=True)
    ap.add_argument("--every", type=int, default=1)
    ap.add_argument("cases")
    a = ap.parse_args()
    compared = differing = 0
    for case in sorted(os.listdir(a.cases))[:: a.every]:
        for log, partition in (("default.log", "default"), ("mincut.log", "min-cut")):
            path = os.path.join(a.cases, case, log)
            if not os.path.exists(path):
                continue
            with open(path, errors="replace") as f:
                want = recorded(f.read())
            have = ours(a.descry, path, partition) if want else None
            if not have:
                continue
            compared += 1
            have["view_meta_sequence"] = [o["view_meta_sequence"] for o in have["output_info"]]
            have["traced_tangents"] = [re.sub(r"\s", "", t[t.index("[") + 1:t.index("]")]) for t in have["traced_tangents"]]
            for name, value in want.items():
                if have[name] != value:
                    differing += 1
                    print(f"{path}: {name} is {have[name]}, PyTorch has {value}")
    print(f"{compared} logs, {differing} fields differ")
    return 1 if differing or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
