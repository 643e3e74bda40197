#!/usr/bin/env python3
"""Runs spirv-update-vce over binaries, for a target that has everything, beside spirv-val.

    update_vce.py MLIRBC DIR [--limit N] [--keep DIR]

  DIR      a folder of .spv files: each is raised to the dialect, the pass runs, and what comes out is lowered
  --limit  only so many files
  --keep   leave the binaries there

What spirv-val takes it has to take thereafter, and no module may declare a capability that it did not, with those that capabilities
imply. Prints counts, and names what is worse. Exit: 0 nothing is, 1 something is.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", **options)


def valid(path):
    return run("spirv-val", path).returncode == 0


class Update:
    def __init__(self, command, folder, paths):
        self.command, self.folder, self.extensions = command, folder, "[]"
        said = {name for path in paths for name in self.declared("Extension", r"\"(\w+)\"", path)}
        # What needs no extension that one of these declares would not be taken before either.
        self.extensions = f"[{', '.join(sorted(said))}]"
        said = run(command, "opt", "--target-env", "spv1.6", input="").stdout
        self.everything = re.search(r"#spirv\.target_env.*>", said).group().replace("[]", self.extensions)

    def declared(self, kind, what, path):
        return re.findall(rf'"spirv_binary.{kind}".*literals<{what}>', run(self.command, "print", path).stdout)

    def counted(self, path):
        """What the pass made of one: a kind to count, and what is worse of it where something is."""
        out = self.folder / path.name
        if run(self.command, "opt", "--spirv-form", "dialect", path, "-o", self.folder / "raised.mlirbc").returncode:
            return "not raised", None
        done = run(self.command, "opt", "--spirv-form", "dialect", "--target-env", self.everything, "--spirv-update-vce", path, "-o", out)
        if done.returncode:
            return "refused", done.stderr.strip()
        before = ", ".join(self.declared("Capability", r"Capability\.(\w+)", path))
        target = f"#spirv.target_env<#spirv.vce<v1.6, [{before}], {self.extensions}>, #spirv.resource_limits<>>"
        more = re.findall(r"the target has no capability (\w+)", run(self.command, "verify", "--target-env", target, out).stderr)
        if more:
            return "more capabilities", ", ".join(more)
        if not valid(path):
            return "not valid before", None
        said = run("spirv-val", out)
        return ("no longer valid", said.stderr.strip()[:300]) if said.returncode else ("valid", None)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mlirbc")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    paths = sorted(options.folder.glob("*.spv"))[:options.limit]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
        update = Update(options.mlirbc, options.keep or pathlib.Path(folder), paths)
        found = list(pool.map(update.counted, paths))
    for path, (kind, worse) in zip(paths, found):
        if worse:
            print(f"{path.name}: {kind}: {worse}")
    counts = collections.Counter(kind for kind, _ in found)
    print(f"{len(paths)} modules: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return any(worse for _, worse in found)


sys.exit(main())
