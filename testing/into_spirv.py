#!/usr/bin/env python3
"""Random kernels, compiled to SPIR-V: is each binary one that spirv-val takes?

    testing/into_spirv.py MAKER [--first SEED] [--count N] [--tries N] [--forms] [--jobs N] [--keep DIR] [--all]

MAKER is the example `into_spirv` of mlirbc-fuzz (`cargo build --release -p mlirbc-fuzz --example into_spirv`): the same kernels on every
machine, of operations in any forms that their definitions allow, each for one of ten targets. What is refused is counted by what is said;
what spirv-val does not take is a failure, and named, but for what stands in KNOWN. With --forms each form of each operation is a kernel
of its own, for all targets. Exit: 0 as expected or skipped, 1 not. Last line: into_spirv: VALID of COMPILED, of TOTAL kernels.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

# At least so many of a hundred kernels are compiled.
SHARE = 50

# What spirv-val says of binaries that are right, and why.
KNOWN = {}


def environment(target):
    """What spirv-val calls a target."""
    version = re.search(r"vce<v(1\.\d)", target)
    return "spv" + version.group(1) if version else target


def validate(folder, name, target):
    path = os.path.join(folder, name + ".spv")
    done = subprocess.run(["spirv-val", "--target-env", environment(target), path], capture_output=True, text=True)
    said = (done.stdout + done.stderr).strip().split("\n")
    return "" if done.returncode == 0 else re.sub(r"^error: line \d+: ", "", said[0])


def shortened(said):
    """A message without what differs from kernel to kernel."""
    said = re.sub(r", at .*", "", said)
    said = re.sub(r"'\d+\[%\w+\]'", "ID", said)
    return re.sub(r"\b\d+\b|%\w+", "N", said)[:150]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("maker")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--tries", type=int, default=150)
    parser.add_argument("--forms", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    parser.add_argument("--all", action="store_true", help="all reasons, and not the most frequent alone")
    args = parser.parse_args()
    if not shutil.which("spirv-val"):
        print("into_spirv: SKIPPED: spirv-val is not installed")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        folder = args.keep or folder
        os.makedirs(folder, exist_ok=True)
        command = [args.maker, folder, "--first", str(args.first), "--count", str(args.count), "--tries", str(args.tries), "--text"]
        made = subprocess.run(command + ["--forms"] * args.forms, stdout=subprocess.PIPE, text=True)
        if made.returncode:
            print(f"into_spirv: the maker ends with {made.returncode}")
            return 1
        rows = [line.split("\t") for line in made.stdout.splitlines()]
        compiled = [row for row in rows if row[4] == "ok"]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            said = list(pool.map(lambda row: validate(folder, row[0], row[2]), compiled))
    refused = collections.Counter(shortened(row[4]) for row in rows if row[4] != "ok")
    for reason, count in refused.most_common(None if args.all else 20):
        print(f"{count:6} refused: {reason}")
    known = collections.Counter()
    failures = collections.defaultdict(list)
    for row, what in zip(compiled, said):
        reason = next((reason for part, reason in KNOWN.items() if part in what), None) if what else None
        if reason:
            known[reason] += 1
        elif what:
            failures[shortened(what)].append((row, what))
    for reason, count in known.most_common():
        print(f"{count:6} known: {reason}")
    for reason, of in sorted(failures.items(), key=lambda item: -len(item[1])):
        print(f"{len(of):6} !! {reason}")
        for row, what in of[:None if args.all else 3]:
            print(f"         {row[0]} for {row[2]}: {row[3]} {what[:300]}")
    share = 100 * len(compiled) // max(1, len(rows))
    enough = args.forms or share >= SHARE
    if not enough:
        print(f"!! {share} of 100 kernels are compiled, and {SHARE} are expected")
    wrong = sum(map(len, failures.values()))
    print(f"into_spirv: {len(compiled) - wrong} of {len(compiled)}, of {len(rows)} kernels")
    return 0 if enough and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
