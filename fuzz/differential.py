#!/usr/bin/env python3
"""Compares what mlirbc and mlir-opt 22 take, over files of the reference corpus that were changed at random.

  fuzz/differential.py [--count N] [--first N] [--seed N] [--command PATH] [--keep FOLDER]

Needs MLIRBC_SHARED (the folder with the reference data), mlir-opt-22, and the command built with `cargo build --release`.
Prints how often each rule explained a disagreement. Exit 1 where no rule explains one, or mlirbc did not end properly.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

# Why mlirbc refuses what mlir-opt takes: what mlirbc says, and the reason. The first that fits counts.
REFUSED_HERE = [
    (r"a string has no terminating zero", "a string does not end in a zero: mlir-opt drops its last byte, whatever it is"),
    (r"\d+ bytes (after the last operation|left)", "bytes that no reader looks at: what they are for cannot be told"),
    (r"is marked as absent", "an optional attribute is absent, and yet has a number: mlir-opt drops the number"),
    (r"a dense array of \d+ elements in \d+ bytes|dense elements hold \d+ bytes",
     "dense elements of another size than they take: mlir-opt checks it in builds with assertions alone"),
    (r"an integer that does not fit", "an integer with bits beyond its width: mlir-opt drops them"),
    (r"no integer type has the signedness", "a signedness that no integer type has: mlir-opt goes on with it"),
    (r"comes twice", "one thing is said twice: mlir-opt takes one of the two"),
    (r"invalid (tensor dimension|memref) size|invalid \w+ element type|vector types must have|illegal storage (type )?(minimum|maximum|min)",
     "a type that breaks a rule of its own: mlir-opt checks it in builds with assertions alone"),
    (r"illegal flags of a quantized type|illegal sign of a storage type",
     "flags and sign of a quantized type that text cannot say: mlir-opt prints the type without them"),
    (r"means nothing in this version", "a bit of an operation's mask that the version does not have: mlir-opt ignores it"),
    (r"a use-list order of value \d+ of \d+", "an order of uses of a value that is not there: mlir-opt drops it"),
    (r"values announced that nothing defines", "a region announces more values than it defines: mlir-opt makes room for them"),
    (r"reading properties \d+ of",
     "properties of an operation marked as unregistered, which mlir-opt knows: one attribute here, its own layout there"),
]
# The same, where the module can be printed all the same.
UNREACHED = "an entry of a table that nothing in the module refers to: mlir-opt does not look at it"
# Why mlirbc takes what mlir-opt refuses, by what mlir-opt says.
REFUSED_THERE = [
    (r"error: expected mlir::[\w:<>, ]+, but got",
     "a property is another attribute than its operation asks for: that is checked by `verify` without --structure"),
    (r"is not aligned|failed to align section",
     "a section asks for more alignment than mlir-opt gives the bytes of a file: here blobs are aligned when asked for"),
    (r"does not implement the bytecode interface",
     "an entry in the encoding of a dialect that has none: kept as bytes, since an unknown dialect may have one"),
    (r"has properties but missing BytecodeOpInterface",
     "properties of an operation whose definition has none: kept, as an unknown operation would keep them"),
    (r"dialect version is [\d.]+, can't parse version",
     "a version that a dialect itself refuses: that dialect's versions are not known here"),
    (r"^[#!][\w.]+[^\n]*:\d+:\d+: error",
     "the text of an attribute or type of a dialect: kept as it is, since the dialect's syntax is not known here"),
]
# The same, where the file holds properties of operations that this build does not know, which it keeps as bytes.
REFUSED_THERE_OPAQUE = [
    (r"invalid Attribute index|unexpected trailing bytes|attempting to (parse|skip)|empty section"
     r"|has properties but missing BytecodeOpInterface",
     "properties of an unknown operation, marked as registered: kept as bytes, and read as an attribute there"),
]

# Where mlir-opt crashes, naming the functions takes longer than everything else.
ENVIRONMENT = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"}


def mutate(rng, data, other):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 5])):
        if not data:
            break
        at = rng.randrange(len(data))
        kind = rng.randrange(12)
        if kind < 3:
            data[at] ^= 1 << rng.randrange(8)
        elif kind < 6:
            data[at] = (data[at] + 2) % 256
        elif kind < 8:
            data[at] = (data[at] - 2) % 256
        elif kind == 8:
            data[at] = rng.randrange(256)
        elif kind == 9:
            start, length = rng.randrange(len(other)), 1 + rng.randrange(16)
            data[at:at + length] = other[start:start + length][:len(data) - at]
        elif kind == 10:
            to = rng.randrange(len(data))
            data[at], data[to] = data[to], data[at]
        else:
            data[at] = rng.choice([0, 1, 3, 0x7F, 0x80, 0xFF])
    return bytes(data)


def run(command, limit):
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=limit, env=ENVIRONMENT)
        return done.returncode, done.stderr.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return None, "no end within the time"


def ours(command, paths):
    """For each path: None where it is taken, else what was said."""
    code, errors = run([command, "verify", "--structure", *map(str, paths)], 120)
    if code not in (0, 1):
        sys.exit(f"mlirbc ended with {code}: {errors[-2000:]}")
    said = {}
    for line in errors.splitlines():
        for path in paths:
            if str(path) in line and path not in said:
                said[path] = line.replace(str(path), "FILE")
    if (code == 1) != bool(said):
        sys.exit(f"mlirbc ended with {code} and said: {errors[-2000:]}")
    return said


def explained(rules, text):
    return next((reason for pattern, reason in rules if re.search(pattern, text, re.S)), None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", default="target/release/mlirbc")
    parser.add_argument("--keep", help="a folder for files that no rule explains")
    arguments = parser.parse_args()
    documented = pathlib.Path(__file__).with_name("README.md").read_text()
    for _, reason in [*REFUSED_HERE, *REFUSED_THERE, *REFUSED_THERE_OPAQUE, (None, UNREACHED)]:
        if f"| {reason} |" not in documented:
            sys.exit(f"a rule is not in the table of fuzz/README.md: {reason}")
    shared = os.environ.get("MLIRBC_SHARED") or sys.exit("MLIRBC_SHARED names no folder with reference data")
    files = sorted(pathlib.Path(shared, "corpus", "bytecode").glob("*.mlirbc"))
    files = [file.read_bytes() for file in files if file.stat().st_size < 20000]
    tally, open_cases = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        done, end = arguments.first, arguments.first + arguments.count
        while done < end:
            paths = []
            for number in range(done, min(done + 50, end)):
                rng = random.Random(f"{arguments.seed}.{number}")
                path = pathlib.Path(folder, f"{number}.mlirbc")
                path.write_bytes(mutate(rng, rng.choice(files), rng.choice(files)))
                paths.append(path)
            done += len(paths)
            refused = ours(arguments.command, paths)
            for path in paths:
                code, there = run(
                    ["mlir-opt-22", "--allow-unregistered-dialect", "--mlir-very-unsafe-disable-verifier-on-parsing",
                     "--verify-each=false", "--emit-bytecode", str(path), "-o", "/dev/null"], 20)
                here = refused.get(path)
                if code == 0 and re.search(r"^\S*:\d+:\d+: error:", there, re.M):
                    code = 1  # It says what is wrong, and goes on without the attribute.
                if code is None or code < 0 or code > 100:
                    tally["mlir-opt crashed or hung; mlirbc " + ("refused" if here else "read")] += 1
                elif (code == 0) == (here is None):
                    tally["both take it" if code == 0 else "both refuse it"] += 1
                else:
                    rules, text = (REFUSED_HERE, here) if here else (REFUSED_THERE, there)
                    reason = explained(rules, text)
                    if not reason and not here:
                        shown = subprocess.run([arguments.command, "print", str(path)], capture_output=True, timeout=60)
                        reason = b".encoded<" in shown.stdout and explained(REFUSED_THERE_OPAQUE, text)
                    if not reason and here:
                        shown = subprocess.run([arguments.command, "print", str(path)], capture_output=True, timeout=60)
                        reason = shown.returncode == 0 and UNREACHED
                    side = "refused here" if here else "refused there"
                    if reason:
                        tally[f"{side}: {reason}"] += 1
                    else:
                        open_cases += 1
                        print(f"NO RULE, {side}, {path.name}: {text.strip()[:600]}")
                        if arguments.keep:
                            pathlib.Path(arguments.keep).mkdir(parents=True, exist_ok=True)
                            pathlib.Path(arguments.keep, path.name).write_bytes(path.read_bytes())
                path.unlink()
    for what, count in sorted(tally.items(), key=lambda item: -item[1]):
        print(f"{count:6} {what}")
    print(f"{arguments.count} files, {open_cases} disagreements without a rule")
    sys.exit(1 if open_cases else 0)


main()
