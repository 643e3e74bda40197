#!/usr/bin/env python3
"""Links pairs of SPIR-V modules of the reference data, beside the combiner of mlir-opt-22.

    link.py MLIRBC [--count N] [--seed N]

Of so many pairs whose modules need the same, since the combiner takes no others, `mlirbc link --rename` makes text, which has to be that of
`--test-spirv-module-combiner`. Pairs are left out that mlir-opt refuses, since structs of one name differ, and those where a module has
variables that are the same and that nothing binds: it makes one of these. So many pairs of any binaries that spirv-val takes have to become
one that it takes, where no error says why not. MLIRBC_SHARED names the folder with the reference data. Exit: 0 as expected, 1 not.
"""
import argparse
import collections
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

WRONG = ("other text", "refused by mlirbc alone", "not valid:")


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120)


def has_twins(text):
    """Whether a module has variables without a binding that differ in their names alone."""
    found = re.findall(r"^ *spirv\.GlobalVariable @\S+ (?!bind)(.*)$", text, re.M)
    return any(count > 1 for count in collections.Counter(found).values())


def generic(path):
    done = run("mlir-opt-22", path, "--mlir-print-op-generic", "--allow-unregistered-dialect")
    return done.stdout if done.returncode == 0 else None


def raised(command, files, folder):
    """The files as text of the dialect, where mlir-opt takes it, by what their modules say of themselves: models and needs."""
    groups = collections.defaultdict(list)
    for file in files:
        text = folder / f"{file.stem}.mlir"
        if run(command, "convert", "--spirv-form", "dialect", file, "-o", text).returncode or not generic(text):
            continue
        heads = re.findall(r"^ *spirv\.module (?:@\S+ )?(\w+ \w+(?: requires #spirv\.vce<.*?\]>)?)", text.read_text(), re.M)
        if len(heads) == 1:
            groups[heads[0]].append(text)
    return groups


class Pair:
    def __init__(self, command, folder, files):
        self.command, self.folder, self.files = command, folder, files

    def text(self):
        """`equal`, `refused by mlir-opt`, `twins`, or what is wrong."""
        texts = [file.read_text() for file in self.files]
        both, linked = self.folder / "both.mlir", self.folder / "linked.mlir"
        inner = [re.sub(r"\A.*?^module \{$|^\}$", "", text, flags=re.M | re.S) for text in texts]
        both.write_text("module {" + "".join(inner) + "}\n")
        theirs = run("mlir-opt-22", both, "--test-spirv-module-combiner", "--mlir-print-op-generic")
        if theirs.returncode or "spirv.module" not in theirs.stdout:
            return "refused by mlir-opt"
        if any(map(has_twins, texts)):
            return "twins"
        ours = run(self.command, "link", "--rename", *self.files, "-o", linked)
        if ours.returncode:
            return f"refused by mlirbc alone: {ours.stderr.strip()}"
        wanted = re.sub(r"\A\[.*?(?=^\"builtin)", "", theirs.stdout, flags=re.M | re.S)
        # What binaries say beside stays with the module here.
        found = re.sub(r"^(  \}\)) \{spirv_binary\..*\}(?= : \(\) -> \(\)$)", r"\1", generic(linked) or "", flags=re.M)
        # Names that --rename gives are ours alone.
        named = re.compile(r"^( *\"spirv\.EntryPoint\".*>) \{spirv_binary\.name = \"[^\"]*\"\}", re.M)
        return "equal" if named.sub(r"\1", found) == named.sub(r"\1", wanted) else "other text"

    def binary(self):
        """`valid`, `not valid before`, `not linked`, or what is wrong."""
        linked = self.folder / "linked.spv"
        if any(run("spirv-val", file).returncode for file in self.files):
            return "not valid before"
        done = run(self.command, "link", "--rename", *self.files, "-o", linked)
        if done.returncode:
            return f"not linked: {done.stderr.strip().splitlines()[-1][:150]}"
        said = run("spirv-val", linked)
        return "valid" if said.returncode == 0 else f"not valid: {said.stderr.strip()[:200]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mlirbc")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    shared = os.environ.get("MLIRBC_SHARED") or sys.exit("MLIRBC_SHARED names no folder with reference data")
    files = sorted(pathlib.Path(shared, "corpus", "spirv").glob("*.spv"))
    chance, command, wrong = random.Random(arguments.seed), os.path.abspath(arguments.mlirbc), 0
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        texts = raised(command, files, folder)
        alike = [pair for group in texts.values() for pair in itertools.permutations(group, 2)]
        chance.shuffle(alike)
        binaries = [chance.sample(files, 2) for _ in range(arguments.count)]
        for compare, pair in [(Pair.text, pair) for pair in alike] + [(Pair.binary, pair) for pair in binaries]:
            if compare == Pair.text and counts["equal"] + wrong >= arguments.count:
                continue
            what = compare(Pair(command, folder, pair))
            counts[what.split(":")[0]] += 1
            if what.startswith(WRONG):
                print(f"{pair[0].name} and {pair[1].name}: {what}")
                wrong += 1
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
