#!/usr/bin/env python3
"""Joins the functions of the reference modules to one large one, and runs passes on it with the command and with mlir-opt-22.

  testing/joined.py make OUT.mlirbc [--mib N] [--pipeline TEXT] [--folder GLOB]...
  testing/joined.py compare MLIRBC FILE.mlirbc [--pipeline TEXT] [--show]

make: takes the modules that hold nothing but symbols at their outermost and that mlir-opt-22 takes, alone, through the pipeline
(canonicalize and cse), from folders of MLIRBC_SHARED/corpus (bytecode and passes/*), which is the reference data; takes minutes. All names
get a suffix: the number of the file, and of the copy, since all files together are less than N MiB (20) of bytecode. OUT.mlirbc.txt says
which file has which number. `--folder passes/convert-spirv-to-llvm --pipeline 'builtin.module(convert-spirv-to-llvm)'` joins the modules
of SPIR-V that mlir-opt-22 converts.

compare: both tools from the file to bytecode. Prints how long both take, and how many times as long mlir-opt-22 does: as they come, on as
many threads as they like, by the clock; on one thread, the processor time; and the passes alone, on one thread, by the clock of each tool in
a run of its own. Then in which files, and operations of which dialects, its generic texts of the two results differ. Exit: 0 where there are
none.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

OPT = ["mlir-opt-22", "--allow-unregistered-dialect"]
GENERIC = ["--mlir-print-op-generic"]
PIPELINE = "builtin.module(canonicalize,cse)"
FOLDERS = ("bytecode", "passes/*")
# What stands for the suffix, in what is kept of a file.
MARK = "\0"
TOKEN = re.compile(r'(sym_name = )?(@?)"((?:[^"\\]|\\.)*)"|@([\w$.-]+)|([#!])([A-Za-z_]\w*)')


def run(command, **kwargs):
    return subprocess.run(command, capture_output=True, timeout=120, **kwargs)


def template(path, pipeline):
    """The text of a file's aliases, and of what its module holds, with marks in all names; None where it cannot be joined."""
    result = run([*OPT, *GENERIC, path])
    if result.returncode:
        return None
    lines = result.stdout.decode(errors="replace").split("\n")
    aliases = [line for line in lines if re.match(r"[#!]\w+ = ", line)]
    rest = [line for line in lines[len(aliases):] if line]
    if not rest or not re.fullmatch(r'"builtin.module"\(\) .*\(\{', rest[0]) or not rest[-1].startswith("})"):
        return None
    inside = rest[1:-1]
    # Neither values nor blocks of the module itself.
    if not all(line.startswith(('  "', "  }", "   ", "  ^")) for line in inside):
        return None
    named = {alias[0] + re.match(r"[#!](\w+)", alias).group(1) for alias in aliases}

    def rename(token):
        defined, at, quoted, bare, sigil, alias = token.groups()
        if sigil:
            return token.group() + MARK if sigil + alias in named else token.group()
        if bare is not None:
            return "@" + bare + MARK
        return f'{defined or ""}{at}"{quoted}{MARK if defined or at else ""}"'

    renamed = [TOKEN.sub(rename, "\n".join(of)) for of in (aliases, inside)]
    whole = joined([renamed], 1).encode()
    taken = run([*OPT, "-", f"--pass-pipeline={pipeline}", "-o", "/dev/null"], input=whole)
    return renamed if taken.returncode == 0 else None


def joined(templates, copies):
    """The text of a module of all of them."""
    parts = [[], []]
    for copy in range(copies):
        for number, template in enumerate(templates):
            for part, text in zip(parts, template):
                part.append(text.replace(MARK, f"__{number}_{copy}"))
    return "\n".join([*filter(None, parts[0]), "module {", *filter(None, parts[1]), "}", ""])


def make(out, mib, pipeline, folders):
    corpus = pathlib.Path(os.environ["MLIRBC_SHARED"]) / "corpus"
    files = [str(path) for folder in folders for path in sorted(corpus.glob(f"{folder}/*.mlirbc"))]

    def attempt(path):
        try:
            return template(path, pipeline)
        except subprocess.TimeoutExpired:
            return None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [(path, text) for path, text in zip(files, pool.map(attempt, files)) if text]
    templates = [text for _, text in found]

    def write(copies):
        result = subprocess.run([*OPT, "-", "--emit-bytecode", "-o", out], input=joined(templates, copies).encode())
        if result.returncode:
            sys.exit("mlir-opt-22 refuses the joined module")
        return os.path.getsize(out)

    copies = 1
    # What all copies share makes the first guess too small.
    for _ in range(2):
        copies = max(1, round(copies * mib * (1 << 20) / write(copies)))
    size = write(copies)
    with open(out + ".txt", "w") as names:
        names.writelines(f"{number} {path}\n" for number, (path, _) in enumerate(found))
    print(f"{len(found)} of {len(files)} files, {copies} times: {size} bytes")


def timed(command):
    """Seconds of processor time, and by the clock."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    result = subprocess.run(command, capture_output=True)
    elapsed = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode:
        sys.exit(f"{command[0]}: {result.stderr.decode(errors='replace')[:2000]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, elapsed


def passes_alone(command, line, others):
    """Seconds that the passes of a run take by its own clock: all of its outermost lines but some. `line` has a time and a name."""
    result = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if result.returncode:
        sys.exit(f"{command[0]}: {result.stderr[:2000]}")
    return sum(float(time) for time, name in re.findall(line, result.stderr, re.M) if name not in others)


def renumbered(lines):
    """With values and blocks numbered as they come: elsewhere in the module there may be more."""
    numbers = {}
    return [re.sub(r"[%^]\w+", lambda of: of.group()[0] + str(numbers.setdefault(of.group(), len(numbers))), line) for line in lines]


def symbols(path):
    """The lines of what stands in the module, by the number of its file. Aliases stand for what they are defined as."""
    text = run([*OPT, *GENERIC, path]).stdout.decode(errors="replace").split("\n")
    aliases, found, held = {}, collections.defaultdict(list), []
    name = re.compile(r"[#!][A-Za-z_]\w*")

    def spelled(line):
        return name.sub(lambda alias: aliases.get(alias.group(), alias.group()), line)

    for line in text:
        defined = re.match(r"([#!]\w+) = (.*)", line)
        if defined:
            aliases[defined.group(1)] = spelled(defined.group(2))
        elif line.startswith("  "):
            held.append(spelled(line))
            # What closes an operation of the module: one without regions, or the end of those with them.
            if re.match(r'  (?:"|\}\)).* : ', line) and not line.endswith("({"):
                number = re.search(r'sym_name = "[^"]*__(\d+)_\d+"', "\n".join(held))
                found[int(number.group(1)) if number else -1].append(renumbered(held))
                held = []
    return found


def compare(mlirbc, path, pipeline, show):
    with tempfile.TemporaryDirectory() as work:
        theirs, ours = os.path.join(work, "theirs.mlirbc"), os.path.join(work, "ours.mlirbc")
        passes = ["--pass-pipeline=" + pipeline]
        their_command = [*OPT, path, *passes, "--emit-bytecode", "-o", theirs]
        our_command = [mlirbc, "opt", path, *passes, "-o", ours]
        (_, their_time), (_, our_time) = timed(their_command), timed(our_command)
        print(f"as they come: mlir-opt-22 {their_time:.2f} s, mlirbc {our_time:.2f} s: {their_time / our_time:.2f} times")
        their_command.append("--mlir-disable-threading")
        our_command += ["--threads", "1"]
        (their_time, _), (our_time, _) = timed(their_command), timed(our_command)
        print(f"one thread: mlir-opt-22 {their_time:.2f} s, mlirbc {our_time:.2f} s: {their_time / our_time:.2f} times")
        with_clock = ["--mlir-timing", "--mlir-timing-display=tree"]
        their_time = passes_alone([*their_command, *with_clock], r"^ +([\d.]+) \([ \d.]+%\)  (\S.*)$", ("Parser", "Output", "Rest", "Total", "root"))
        our_time = passes_alone([*our_command, "--timing"], r"^ *([\d.]+) ms  (\S.*)$", ("verification",)) / 1000
        print(f"passes alone: mlir-opt-22 {their_time:.2f} s, mlirbc {our_time:.2f} s: {their_time / our_time:.2f} times")
        theirs, ours = symbols(theirs), symbols(ours)
    names = {}
    if os.path.exists(path + ".txt"):
        with open(path + ".txt") as file:
            names = dict(line.rstrip("\n").split(" ", 1) for line in file)
    dialects, different = collections.Counter(), 0
    for number in sorted(theirs.keys() | ours.keys()):
        if theirs[number] == ours[number]:
            continue
        different += 1
        pair = [[line for held in side[number] for line in held] for side in (theirs, ours)]
        other = [lines for lines in zip(*pair) if lines[0] != lines[1]] or [(pair[0][-1:], pair[1][-1:])]
        of = sorted({found for line in other[0] for found in re.findall(r'"(\w+)\.[\w.]+"\(', str(line))})
        dialects.update(of)
        print(f"  {names.get(str(number), number)}: {', '.join(of)}")
        if show:
            print(f"    mlir-opt-22: {str(other[0][0]).strip()[:300]}\n    mlirbc:      {str(other[0][1]).strip()[:300]}")
    total = len(theirs.keys() | ours.keys())
    print(f"{different} of {total} files differ" + "".join(f", {name} {count}" for name, count in dialects.most_common()))
    return 1 if different else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("out")
    making.add_argument("--mib", type=float, default=20)
    making.add_argument("--pipeline", default=PIPELINE)
    making.add_argument("--folder", action="append")
    comparing = commands.add_parser("compare")
    comparing.add_argument("mlirbc")
    comparing.add_argument("file")
    comparing.add_argument("--pipeline", default=PIPELINE)
    comparing.add_argument("--show", action="store_true")
    args = parser.parse_args()
    if args.command == "make":
        return make(args.out, args.mib, args.pipeline, args.folder or FOLDERS)
    return compare(args.mlirbc, args.file, args.pipeline, args.show)


if __name__ == "__main__":
    sys.exit(main())
