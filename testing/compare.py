#!/usr/bin/env python3
"""Compares the command with the reference tools over the reference corpora.

  testing/compare.py MLIRBC [--all] [--row TEXT] [--minutes N]

MLIRBC is the command that `cargo build --release` makes, MLIRBC_SHARED the folder with the reference data. Each row below is
one check over one folder of files, or over one in so many of them; --all takes all of them, --row only the rows that hold
the text; rows that have not begun after so many --minutes are skipped, and named. testing/known_failures.txt names the files that fail a check, with the reason: a file that fails and is not named
there fails the run, and so does one that is named and passes. Exit: 0 as expected, 1 not.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

# The check, the folder, one in how many of its files, and how many files the reference tool itself cannot do its part on.
# A check is `verify` (the command takes every file), `strip` (bytecode without debug information is that of mlir-opt), `count`
# (print-op-stats says what mlir-opt says), `stablehlo` (stablehlo_corpus.py), `spirv-` and an encoding
# (spirv_corpus.py: through bytecode and back, the same bytes), `pass-` and a pass with its options (pass_corpus.py: the same text as
# mlir-opt's) or else a mode of bytecode_corpus.py.
ROWS = [
    ("verify", "stablehlo", 1, 0),
    ("verify", "bytecode", 1, 0),
    ("verify", "spirv_dialect", 1, 0),
    ("verify", "codes", 1, 0),
    ("stablehlo", "stablehlo", 1, 0),
    ("print", "bytecode", 1, 0),
    ("print", "spirv_dialect", 1, 0),
    ("print", "codes", 1, 0),
    ("rewrite", "bytecode", 1, 0),
    ("rewrite", "spirv_dialect", 1, 0),
    ("rewrite", "codes", 1, 0),
    ("parse", "bytecode", 1, 0),
    ("parse", "spirv_dialect", 1, 0),
    ("parse", "codes", 1, 0),
    ("pretty-print", "bytecode", 1, 0),
    ("pretty-print", "spirv_dialect", 1, 0),
    ("pretty-parse", "bytecode", 1, 0),
    ("pretty-parse", "spirv_dialect", 1, 0),
    ("spirv-binary", "spirv", 4, 0),
    ("spirv-upstream", "spirv", 4, 0),
    ("strip", "bytecode", 1, 0),
    ("count", "bytecode", 1, 0),
    ("versions", "bytecode", 4, 0),
    ("versions", "spirv_dialect", 4, 0),
    ("versions", "codes", 1, 0),
    ("pass-canonicalize", "passes/canonicalize", 1, 0),
    ("pass-canonicalize", "bytecode", 4, 1),
    ("pass-canonicalize{top-down=false}", "passes/canonicalize", 1, 0),
    ("pass-canonicalize{region-simplify=aggressive}", "passes/canonicalize", 1, 0),
    ("pass-canonicalize{region-simplify=disabled}", "passes/canonicalize", 1, 0),
    ("pass-canonicalize{max-iterations=1}", "passes/canonicalize", 1, 0),
    ("pass-canonicalize{max-num-rewrites=3}", "passes/canonicalize", 1, 0),
    ("pass-canonicalize{test-convergence=true}", "passes/canonicalize", 1, 0),
    ("pass-spirv-update-vce", "passes/spirv-update-vce", 4, 0),
    ("pass-cse", "passes/cse", 1, 0),
    ("pass-cse", "passes/canonicalize", 4, 0),
    ("pass-symbol-dce", "passes/symbol-dce", 1, 0),
    ("pass-inline", "passes/canonicalize", 1, 0),
    ("pass-inline", "passes/cse", 1, 0),
    ("pass-inline", "passes/symbol-dce", 1, 0),
    ("pass-sccp", "passes/canonicalize", 1, 0),
    ("pass-sccp", "passes/cse", 1, 0),
    ("pass-sccp", "passes/symbol-dce", 1, 0),
    ("pass-symbol-privatize", "passes/canonicalize", 1, 0),
    ("pass-symbol-privatize", "passes/cse", 1, 0),
    ("pass-symbol-privatize", "passes/symbol-dce", 1, 0),
    ("pass-convert-spirv-to-llvm", "passes/convert-spirv-to-llvm", 1, 12),
    ("pass-convert-arith-to-spirv", "passes/convert-arith-to-spirv", 2, 0),
    ("pass-convert-cf-to-spirv", "passes/convert-cf-to-spirv", 2, 0),
    ("pass-convert-complex-to-spirv", "passes/convert-complex-to-spirv", 1, 0),
    ("pass-convert-func-to-spirv", "passes/convert-func-to-spirv", 2, 0),
    ("pass-convert-gpu-to-spirv", "passes/convert-gpu-to-spirv", 2, 0),
    ("pass-convert-index-to-spirv", "passes/convert-index-to-spirv", 1, 4),
    ("pass-convert-math-to-spirv", "passes/convert-math-to-spirv", 1, 0),
    ("pass-convert-memref-to-spirv", "passes/convert-memref-to-spirv", 2, 0),
    ("pass-convert-scf-to-spirv", "passes/convert-scf-to-spirv", 2, 0),
    ("pass-convert-tensor-to-spirv", "passes/convert-tensor-to-spirv", 2, 0),
    ("pass-convert-ub-to-spirv", "passes/convert-ub-to-spirv", 1, 0),
    ("pass-convert-vector-to-spirv", "passes/convert-vector-to-spirv", 2, 0),
    ("pass-test-convert-to-spirv{run-signature-conversion=false run-vector-unrolling=false}", "passes/test-convert-to-spirv", 1, 0),
    ("pass-decorate-spirv-composite-type-layout", "passes/decorate-spirv-composite-type-layout", 1, 2),
    ("pass-spirv-canonicalize-gl", "passes/spirv-canonicalize-gl", 1, 0),
    ("pass-spirv-promote-to-replicated-constants", "passes/spirv-promote-to-replicated-constants", 1, 0),
    ("pass-spirv-rewrite-inserts", "passes/spirv-rewrite-inserts", 1, 0),
    ("pass-spirv-unify-aliased-resource", "passes/spirv-unify-aliased-resource", 1, 0),
    ("pass-spirv-webgpu-prepare", "passes/spirv-canonicalize-gl", 1, 0),
    ("pass-spirv-webgpu-prepare", "passes/canonicalize", 4, 0),
]
# Passes that do more than mlir-opt: what it refuses and they do has to be sound, and is counted as skipped. There may be more of it than
# the row says.
MORE = ["convert-spirv-to-llvm"]
# What the scripts of the reference data say of a file on which a command took more than a minute.
TIMEOUT = "timeout"
# Files on which mlir-opt itself is wrong.
WRONG = str(pathlib.Path(__file__).parent.parent / "tests" / "upstream_wrong.txt")
KNOWN = pathlib.Path(__file__).with_name("known_failures.txt")


def known_failures():
    """The names of files that fail, by check and folder."""
    known = {}
    for number, line in enumerate(KNOWN.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split(None, 3)
        if len(words) < 4:
            sys.exit(f"{KNOWN}:{number}: expected a check, a folder, a file and a reason")
        if not any((words[0], words[1]) == row[:2] for row in ROWS):
            sys.exit(f"{KNOWN}:{number}: no row checks `{words[0]}` over `{words[1]}`")
        known.setdefault((words[0], words[1]), set()).add(words[2])
    return known


class Skip(Exception):
    """mlir-opt cannot do its part."""


def run(command):
    return subprocess.run(command, capture_output=True, timeout=60)


def says(result):
    return result.stderr.decode(errors="replace").strip().split("\n")[0] if result.returncode else None


def mlir_opt(path, run_pass, target):
    """What mlir-opt makes of it, and says."""
    call = ["mlir-opt-22", "--allow-unregistered-dialect", "--mlir-disable-threading", "--emit-bytecode", "-o", target]
    result = run([*call, f"--pass-pipeline=builtin.module({run_pass})", path])
    if result.returncode:
        raise Skip(says(result))
    return pathlib.Path(target).read_bytes(), result.stderr.decode(errors="replace")


def verify(command, path, work):
    return says(run([command, "verify", path]))


def strip(command, path, work):
    theirs, _ = mlir_opt(path, "strip-debuginfo", os.path.join(work, "theirs"))
    # Behind the magic number and the version, one byte.
    producer = theirs[5:theirs.index(0, 5)].decode()
    ours = os.path.join(work, "ours.mlirbc")
    wrong = says(run([command, "opt", path, "--strip-debuginfo", "--producer", producer, "-o", ours]))
    return wrong or (None if pathlib.Path(ours).read_bytes() == theirs else "bytes differ")


def count(command, path, work):
    _, theirs = mlir_opt(path, "print-op-stats{json}", os.path.join(work, "theirs"))
    ours = run([command, "opt", path, "--print-op-stats=json", "-o", os.path.join(work, "ours.mlirbc")])
    # Its warnings stand before.
    theirs = theirs[theirs.index("{\n"):]
    return says(ours) or (None if ours.stderr.decode(errors="replace") == theirs else "other numbers")


# The checks that look at one file at a time: what they say of others must not matter.
EACH = {"verify": verify, "strip": strip, "count": count}


def each(check, command, folder):
    failures, skipped = {}, 0
    with tempfile.TemporaryDirectory() as work:
        for file in sorted(os.listdir(folder)):
            try:
                wrong = EACH[check](command, os.path.join(folder, file), work)
            except subprocess.TimeoutExpired:
                wrong = TIMEOUT
            except Skip:
                skipped += 1
                continue
            if wrong is not None:
                failures[file] = wrong
    return failures, skipped


def script(check, command, shared, folder):
    """What a script of the reference data says: the files that fail, and how many were skipped."""
    tools = os.path.join(shared, "check")
    if check == "stablehlo":
        call = [os.path.join(tools, "stablehlo_corpus.py"), command, folder]
    elif check.startswith("spirv-"):
        call = [os.path.join(tools, "spirv_corpus.py"), command, folder, "--level", "0", "--form", "binary"]
        if check == "spirv-upstream":
            call += ["--encoding", "upstream", "--through-mlir-opt"]
    elif check.startswith("pass-"):
        name, _, options = check.removeprefix("pass-").rstrip("}").partition("{")
        call = [os.path.join(tools, "pass_corpus.py"), command, folder, "--pass", name, "--options", options, "--right", WRONG]
        call += ["--more"] if name in MORE else []
        call += ["--pipeline", f"builtin.module(spirv.module({name}))"] if name == "spirv-webgpu-prepare" else []
    else:
        call = [os.path.join(tools, "bytecode_corpus.py"), command, folder, "--mode", check]
    done = subprocess.run([sys.executable, *call, "--list"], capture_output=True, timeout=3000)
    output = done.stdout.decode(errors="replace").splitlines()
    figures = re.search(r"(\d+) of (\d+), (\d+) skipped$", output[-1]) if output else None
    if not figures:
        sys.exit(f"{' '.join(call)} gave no figure: {done.stderr.decode(errors='replace')[-2000:]}")
    failures = {}
    for line in output[:-1]:
        path, _, what = line.partition(": ")
        if path.startswith(folder):
            failures[os.path.basename(path)] = what
    if len(failures) != int(figures[2]) - int(figures[1]):
        sys.exit(f"{' '.join(call)} names {len(failures)} failures, of {figures[0]}")
    return failures, int(figures[3])


def compare(row, command, shared, known):
    """Runs one row. Says what is not as expected."""
    check, name, one_in, most_skipped = row
    corpus = os.path.join(shared, "corpus", name)
    files = sorted(file for file in os.listdir(corpus) if file.endswith((".mlirbc", ".spv")))[::one_in]
    if not files:
        return [f"no file in {corpus}"]
    with tempfile.TemporaryDirectory() as sample:
        for file in files:
            os.symlink(os.path.join(corpus, file), os.path.join(sample, file))
        compared = (lambda: each(check, command, sample)) if check in EACH else (lambda: script(check, command, shared, sample))
        failures, skipped = compared()
        if TIMEOUT in failures.values():
            # The machine may have been busy with something else.
            failures, skipped = compared()
    expected = known & set(files)
    said = [f"{file} fails: {failures[file]}" for file in sorted(set(failures) - expected)]
    said += [f"{file} passes now: take it off {KNOWN.name}" for file in sorted(expected - set(failures))]
    said += [f"{file} is on {KNOWN.name}, and is no file of the folder" for file in sorted(known - set(os.listdir(corpus)))]
    if check.removeprefix("pass-") in MORE:
        wrong = skipped < most_skipped
    else:
        wrong = skipped != most_skipped if one_in == 1 else skipped > most_skipped
    if wrong:
        said.append(f"{skipped} files are skipped, and not {most_skipped}")
    print(f"{check} over {name}: {len(files)} files, {len(failures)} fail, {skipped} skipped", flush=True)
    return said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mlirbc")
    parser.add_argument("--all", action="store_true", help="every file, in rows that take one in several")
    parser.add_argument("--row", default="", help="only rows that hold this text, such as `versions codes`")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="skip rows that have not begun by then")
    arguments = parser.parse_args()
    shared = os.environ.get("MLIRBC_SHARED") or sys.exit("MLIRBC_SHARED names no folder with reference data")
    known, wrong, started = known_failures(), 0, time.monotonic()
    for row in ROWS:
        if arguments.row not in f"{row[0]} {row[1]}":
            continue
        if time.monotonic() - started > 60 * arguments.minutes:
            print(f"!! SKIPPED: {row[0]} over {row[1]}: {arguments.minutes:.0f} minutes have gone by", flush=True)
            continue
        if arguments.all:
            row = (row[0], row[1], 1, row[3])
        said = compare(row, os.path.abspath(arguments.mlirbc), shared, known.get(row[:2], set()))
        for what in said:
            print(f"  !! {what}")
        wrong += len(said)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
