"""Builds the Debian packages of a build folder and checks what is in them."""
import argparse
import glob
import os
import subprocess
import sys
import tempfile


def run(*command, cwd=None):
    p = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if p.returncode:
        sys.exit(f"{' '.join(command)}: failed with {p.returncode}\n{p.stdout}")
    return p.stdout


def main():
    ap = argparse.ArgumentParser()
    for name in ("cpack", "dpkg-deb", "build", "gui"):
        ap.add_argument("--" + name, required=True)
    a = ap.parse_args()
    with tempfile.TemporaryDirectory(prefix="descry-package.") as tmp:
        run(a.cpack, "-G", "DEB", "--config", os.path.join(a.build, "CPackConfig.cmake"), "-B", tmp)
        packages = {os.path.basename(p).split("_")[0]: p for p in glob.glob(os.path.join(tmp, "*.deb"))}
        if sorted(packages) != ["descry", "descry-dev"]:
            sys.exit(f"packages: {sorted(packages)}")
        content = {name: run(a.dpkg_deb, "--contents", p) for name, p in packages.items()}
        expected = {
            "descry": ["/usr/bin/descry", "/usr/share/man/man1/descry.1", "bash-completion/completions/descry",
                       "zsh/vendor-completions/_descry", "descry/samples/traces/transformer_block.log", "LICENSE"],
            "descry-dev": ["descryConfig.cmake", "/usr/include/descry/ir/core/graph.h", "libdescry_ir.a"],
        }
        if a.gui == "1":
            expected["descry"] += ["/usr/bin/descry-inspector", "applications/descry.desktop", "apps/descry.svg"]
        missing = [f"{name}: {path}" for name, paths in expected.items() for path in paths if path not in content[name]]
        if missing:
            sys.exit("not in the packages:\n  " + "\n  ".join(missing) + "\n" + content["descry"])
        depends = run(a.dpkg_deb, "--field", packages["descry"], "Depends")
        wanted = ["libc6", "libstdc++6"] + (["libqt6widgets6"] if a.gui == "1" else [])
        absent = [d for d in wanted if d not in depends]
        if absent:
            sys.exit(f"Depends lacks {absent}: {depends}")
        for name, path in packages.items():
            print(f"{name}: {os.path.getsize(path) / 1e6:.1f} MB, {len(content[name].splitlines())} entries")


if __name__ == "__main__":
    main()
