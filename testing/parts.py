#!/usr/bin/env python3
"""Takes modules apart and checks the parts with mlir-opt.

  testing/parts.py MLIRBC [--files N]

MLIRBC is the command, MLIRBC_SHARED the folder with the reference data. Of bytecode files spread over the corpora:
  extract   each symbol of 50 files, alone: mlir-opt-22 verifies the result, and each symbol that it names in it is there
  strip     100 files: the bytes of mlir-opt-22 --strip-debuginfo
  symbols   100 files: operations and bytes add up to what `inspect` says
Exit: 0 all well, 1 something is not, 3 what it needs is not there.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

REFERENCE = "mlir-opt-22"
# As text names it: @name or @"any".
REFERENCE_TO = re.compile(r'@("(?:[^"\\]|\\.)*"|[\w$.-]+)')
# What stands in quotes, and is no name of a symbol.
QUOTED = re.compile(r'(?<!@)"(?:[^"\\]|\\.)*"')


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, timeout=300)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def spread(files, count):
    files = sorted(files)
    step = max(1, len(files) // count)
    return files[::step][:count]


def named_in(text):
    return REFERENCE_TO.findall(QUOTED.sub("", text))


def is_well(path):
    return run(REFERENCE, path, "--allow-unregistered-dialect", "-o", "/dev/null")[0] == 0


def names_of(command, path):
    code, out, error = run(command, "symbols", "--json", path)
    if code:
        sys.exit(f"{path}: {error}")
    return json.loads(out)


def extract(command, path, folder):
    """Extracts each symbol; says what is wrong."""
    listed = names_of(command, path)
    known = {symbol["path"] for symbol in listed["symbols"]}
    last = collections.Counter(name.split("::")[-1] for name in known)
    tried, wrong = 0, []
    whole = run(command, "print", "--generic", path)[1].decode(errors="replace")
    dangling = set(named_in(whole)) - {name.split("::")[-1] for name in known}
    for symbol in listed["symbols"]:
        name = symbol["path"]
        # Of several of one name, in one table or one after the other, the path names the first.
        if last[name.split("::")[-1]] > 1 or symbol["depth"] > 8:
            continue
        tried += 1
        part = folder / "part.mlirbc"
        code, _, error = run(command, "extract", path, "--symbol", name, "-o", part)
        if code:
            wrong.append(f"{path.name} @{name}: {error.strip()}")
            continue
        code, _, error = run(REFERENCE, part, "--allow-unregistered-dialect", "-o", "/dev/null")
        if code:
            wrong.append(f"{path.name} @{name}: {REFERENCE}: {error.splitlines()[0] if error else code}")
            continue
        text = run(command, "print", "--generic", part)[1].decode(errors="replace")
        there = {found["path"].split("::")[-1] for found in names_of(command, part)["symbols"]}
        if name.split("::")[-1] not in there:
            wrong.append(f"{path.name} @{name}: it is not there itself")
        missing = set(named_in(text)) - there - dangling
        missing = {name for name in missing if name in {path.split("::")[-1] for path in known}}
        if missing:
            wrong.append(f"{path.name} @{name}: it names {sorted(missing)}, which is not there")
    return tried, wrong


def strip(command, path, folder):
    ours, theirs = folder / "ours.mlirbc", folder / "theirs.mlirbc"
    code, _, error = run(command, "strip", path, "-o", ours, "--producer", "MLIR22")
    if code:
        return f"{path.name}: {error.strip()}"
    words = ("--strip-debuginfo", "--emit-bytecode", "--emit-bytecode-producer=MLIR22", "--allow-unregistered-dialect")
    code, _, error = run(REFERENCE, path, *words, "-o", theirs)
    if code:
        return None
    return None if ours.read_bytes() == theirs.read_bytes() else f"{path.name}: other bytes than {REFERENCE}"


def add_up(command, path):
    listed = names_of(command, path)
    code, out, error = run(command, "inspect", "--json", path)
    if code:
        return f"{path.name}: {error.strip()}"
    inspected = json.loads(out)
    operations = sum(inspected["operations"].values())
    outermost = [symbol for symbol in listed["symbols"] if symbol["depth"] == 0]
    parts = sum(symbol["operations"] for symbol in outermost) + listed["outside"]["operations"]
    if not parts == listed["operations"] == operations:
        return f"{path.name}: {parts} operations, {listed['operations']} in all, {operations} by inspect"
    parts = sum(symbol["bytes"] for symbol in outermost) + listed["outside"]["bytes"]
    section = next(part["bytes"] for part in inspected["sections"] if part["name"] == "IR")
    # The number of outermost operations stands in the section before them.
    if parts != listed["bytes"] or not 0 < section - parts <= 9:
        return f"{path.name}: {parts} bytes, {listed['bytes']} in all, {section} in the section"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("--files", type=int, default=50)
    options = parser.parse_args()
    shared = os.environ.get("MLIRBC_SHARED")
    if not shared or run("sh", "-c", f"command -v {REFERENCE}")[0]:
        print(f"skipped: it needs {REFERENCE}, and MLIRBC_SHARED", file=sys.stderr)
        return 3
    command = options.command.resolve()
    corpora = [pathlib.Path(shared) / "corpus" / name for name in ("bytecode", "spirv_dialect")]
    files = [path for corpus in corpora for path in sorted(corpus.glob("*.mlirbc"))]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with_symbols = [path for path in spread(files, 6 * options.files) if len(names_of(command, path)["symbols"]) > 1]
        chosen, tried = spread([path for path in with_symbols if is_well(path)], options.files), 0
        for path in chosen:
            count, found = extract(command, path, folder)
            tried += count
            wrong += found
        print(f"extract: {tried} symbols of {len(chosen)} files, {len(wrong)} wrong")
        for name, check in [("strip", lambda path: strip(command, path, folder)), ("symbols", lambda path: add_up(command, path))]:
            chosen = spread(files, 2 * options.files)
            found = [text for text in map(check, chosen) if text]
            print(f"{name}: {len(chosen)} files, {len(found)} wrong")
            wrong += found
    for text in wrong:
        print(f"  {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
