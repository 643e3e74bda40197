#!/usr/bin/env python3
"""Runs two builds of `mlirbc` over real and broken files and names every difference in what they say and do.

    testing/same.sh OLD NEW [--only TEXT] [--mutated N] [--seed N] [--every N] [--jobs N] [--listed FILE]

Each file of fixtures/ and, where MLIRBC_SHARED names the folder with reference data, of its corpora, goes through: print,
print --generic, print --locations, convert to text, to every version of bytecode, to .spv in each form, inspect --json, verify,
and diff with the file after it. So do N of them (5,000 unless told), changed at random but alike in every run; these are compared
with what they were. Standard output, standard error and the exit code are compared.

    --only TEXT     files with TEXT in their path alone
    --every N       one file in N
    --listed FILE   differences that are wanted (same.txt beside this): a line has a pattern for the command, one for the file,
                    one for what differs, and the reason, with ` | ` between them

Exit: 0 no difference but those listed, 1 a difference, 2 wrong usage.
"""
import argparse
import concurrent.futures
import fnmatch
import os
import random
import subprocess
import sys
import tempfile

# What the fuzzer found has names without an ending.
ENDINGS = ("mlirbc", "mlir", "spv", "")
COMMANDS = [
    ["print"],
    ["print", "--generic"],
    ["print", "--locations"],
    ["print", "--generic", "--locations"],
    ["verify"],
    ["inspect", "--json"],
    ["inspect", "--bytes"],
    ["convert", "--to", "mlir"],
    ["convert", "--to", "mlirbc", "--encoding", "custom"],
    *[["convert", "--to", "mlirbc", "--lossy", "--bytecode-version", str(version)] for version in range(7)],
]
SPIRV = [
    *[[*command, "--spirv-form", form] for form in ("binary", "dialect", "auto")
      for command in (["convert", "--to", "spv"], ["convert", "--to", "mlirbc"], ["convert", "--to", "mlir"])],
    ["convert", "--to", "spv", "--strip-locations"],
]


def files(repository):
    """Every input, sorted: those of the repository, then those of the reference data."""
    roots = [os.path.join(repository, "fixtures")]
    shared = os.environ.get("MLIRBC_SHARED")
    if shared:
        roots.append(os.path.join(shared, "corpus"))
    else:
        print("SKIPPED: the corpora: MLIRBC_SHARED does not name the folder with reference data", file=sys.stderr)
    found = []
    for root in roots:
        for folder, folders, names in os.walk(root):
            folders.sort()
            found += [os.path.join(folder, name) for name in sorted(names) if name.partition(".")[2].rpartition(".")[2] in ENDINGS]
    return found


def commands(path, other):
    """What is run on a file; `other` is what it is compared with."""
    with open(path, "rb") as file:
        data = file.read()
    spirv = b"spirv" in data or data[:4] in (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")
    return [[*command, path] for command in COMMANDS + (SPIRV if spirv else [])] + [["diff", path, other]]


def mutated(data, chance):
    """The bytes with a few changes, of a kind that text and bytecode both have."""
    data = bytearray(data)
    for _ in range(1 + chance.randrange(4)):
        if not data:
            break
        at = chance.randrange(len(data))
        kind = chance.randrange(6)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 2:
            del data[at:at + 1 + chance.randrange(8)]
        elif kind == 3:
            start = chance.randrange(len(data))
            data[at:at] = data[start:start + 1 + chance.randrange(16)]
        elif kind == 4:
            del data[at:]
        else:
            data[at:at] = bytes([chance.randrange(256)])
    return bytes(data)


def run(program, arguments):
    try:
        result = subprocess.run([program, *arguments], capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return ("timeout", b"", b"")
    return (result.returncode, result.stdout, result.stderr)


def first_difference(path, old, new):
    """Where two runs on a file differ first; FILE stands for the file."""
    old, new = ((code, *(text.replace(path.encode(), b"FILE") for text in texts)) for code, *texts in (old, new))
    for name, ours, theirs in zip(("exit code", "standard output", "standard error"), old, new):
        if ours == theirs:
            continue
        if name == "exit code":
            detail = b" / ".join(text[2].strip().splitlines()[0][:200] if text[2].strip() else b"" for text in (old, new))
            return f"{name}: {ours} and {theirs}: {detail.decode(errors='replace')}"
        ours, theirs = ours.splitlines(), theirs.splitlines()
        for at, (a, b) in enumerate(zip(ours, theirs)):
            if a != b:
                return f"{name}, line {at + 1}: {a[:160].decode(errors='replace')!r} and {b[:160].decode(errors='replace')!r}"
        return f"{name}: {len(ours)} and {len(theirs)} lines"
    return None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", default="")
    parser.add_argument("--mutated", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--listed")
    args = parser.parse_args()
    programs = [os.path.abspath(args.old), os.path.abspath(args.new)]
    repository = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    listed = []
    if args.listed:
        with open(args.listed, encoding="utf-8") as lines:
            listed = [[part.strip() for part in line.split(" | ")] for line in lines if line.strip() and not line.startswith("#")]
        if any(len(line) != 4 or not all(line) for line in listed):
            parser.error(f"{args.listed}: a line has four parts")
    unused = {tuple(line) for line in listed}

    inputs = [path for path in files(repository) if args.only in path][::args.every]
    if not inputs:
        parser.error("no file to compare with")
    work = []
    for path, neighbour in zip(inputs, inputs[1:] + inputs[:1]):
        work += [(path, command) for command in commands(path, neighbour)]

    with tempfile.TemporaryDirectory() as folder:
        chance = random.Random(args.seed)
        small = [path for path in inputs if os.path.getsize(path) < 1 << 17]
        for number in range(args.mutated if small else 0):
            path = chance.choice(small)
            with open(path, "rb") as original:
                data = mutated(original.read(), chance)
            name = os.path.join(folder, f"{number}-{os.path.basename(path)[-80:]}")
            with open(name, "wb") as copy:
                copy.write(data)
            work += [(f"mutated {number} of {path}", command) for command in commands(name, path)]

        def compare(item):
            path, arguments = item
            given = arguments[1 if arguments[0] == "diff" else -1]
            return path, arguments, first_difference(given, *(run(program, arguments) for program in programs))

        counts = {"differ": 0, "listed": 0}
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for done, (path, arguments, difference) in enumerate(pool.map(compare, work, chunksize=64)):
                if sys.stderr.isatty() and done % 500 == 0:
                    print(f"\r{done} of {len(work)}", end="", file=sys.stderr, flush=True)
                if difference is None:
                    continue
                command = " ".join(arguments[:-1]) if arguments[0] != "diff" else "diff"
                what = (command, path, difference)
                known = [line for line in listed if all(map(fnmatch.fnmatchcase, what, line))]
                unused.difference_update(map(tuple, known))
                counts["listed" if known else "differ"] += 1
                if not known:
                    print(f"{path}: {command}: {difference}", flush=True)
    for line in sorted(unused) if not args.only and args.every == 1 else ():
        print(f"listed, and no such difference was seen: {' | '.join(line)}")
    print(f"same: {len(work)} runs over {len(inputs)} files and {args.mutated} changed ones, "
          f"{counts['differ']} differ, {counts['listed']} listed")
    return 1 if counts["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
