#!/usr/bin/env python3
"""Compares the dialect form of SPIR-V modules with what MLIR's own tools make of them.

    spirv_upstream.py MLIRBC DIR [--list]

Of each `.spv` file of DIR, the dialect form is written in the upstream encoding with the attributes `spirv_binary.*` taken
out, and read by mlir-opt-22 with its verifier on. Counted over the modules all of whose operations and types MLIR knows.
Of those files that `mlir-translate-22 --deserialize-spirv` takes, both results are printed by mlir-opt-22 in generic form, so
that values are numbered alike, and compared line by line. Each kind of difference is named.
"""
import collections
import difflib
import os
import re
import subprocess
import sys
import tempfile

OPT = ["mlir-opt-22", "--mlir-print-op-generic"]


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60, **options)


def without_extras(text):
    """The text without entries `spirv_binary.name = value` of dictionaries."""
    out, at = [], 0
    for match in re.finditer(r"spirv_binary\.[a-z_]+( = )?", text):
        if match.start() < at:
            continue
        end = match.end()
        if match.group(1):
            end = value_end(text, end)
        start = match.start()
        if text.startswith(", ", end):
            end += 2
        elif text.endswith(", ", at, start):
            start -= 2
        out.append(text[at:start])
        at = end
    out.append(text[at:])
    text = "".join(out).replace(", }", "}")
    return re.sub(r" \{\}(?= :|$)", "", text, flags=re.M)


def value_end(text, at):
    """Where the attribute that begins there ends."""
    depth = 0
    while True:
        c = text[at]
        if c == '"':
            at = re.compile(r'"(?:[^"\\]|\\.)*"').match(text, at).end()
            continue
        if depth == 0 and (c in "}])" or c == ","):
            return at
        if c in "<{[(":
            depth += 1
        if c in "}])" or c == ">" and text[at - 1] != "-":
            depth -= 1
        at += 1


def lines(text):
    """The lines of a module, without what its way through text has changed."""
    # MLIR's importer takes the decorations of a member from a hash table; here they are in order.
    text = re.sub(r"\[((?:\d+|[A-Z]\w+(?:=\d+)?)(?:, [A-Z]\w+(?:=(?:\d+|\"\w*\"))?)+)\]",
                  lambda match: "[" + ", ".join(sorted(match.group(1).split(", "))) + "]", text)
    # The importer gives it 32 bits, the parser of text 64.
    text = re.sub(r"spec_id = (\d+) : i64", r"spec_id = \1 : i32", text)
    return [line.strip() for line in text.strip().split("\n")]


def kind(before, after):
    """A name for the first difference of two texts."""
    name = lambda line: (re.findall(r'"(spirv\.[^"]*)"', line) or ["^block" if line.startswith("^") else line[:40]])[0]
    for tag, a1, a2, b1, b2 in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        one = name(before[a1]) if a1 < a2 else "nothing"
        two = name(after[b1]) if b1 < b2 else "nothing"
        return f"{one} against {two}" if one != two else f"parts of {one}"
    return "nothing"


def main():
    mlirbc, folder = sys.argv[1:3]
    show = "--list" in sys.argv
    paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".spv"))
    count = collections.Counter()
    refused, differences = collections.Counter(), collections.Counter()
    unlike = []
    with tempfile.TemporaryDirectory() as work:
        for path in paths:
            upstream = run(["mlir-translate-22", "--no-implicit-module", "--deserialize-spirv", path])
            theirs = None
            if upstream.returncode == 0:
                theirs = run(OPT, input=upstream.stdout)
                theirs = theirs.stdout if theirs.returncode == 0 else None
            count["deserialized"] += theirs is not None
            file = os.path.join(work, "module")
            made = run([mlirbc, "convert", path, "--spirv-form", "dialect", "--generic", "-o", file + ".mlir"])
            if made.returncode:
                count["not raised"] += 1
                if theirs is not None:
                    differences["not raised"] += 1
                continue
            with open(file + ".mlir", encoding="utf-8", errors="replace") as f:
                text = without_extras(f.read())
            with open(file + ".stripped.mlir", "w", encoding="utf-8") as f:
                f.write(text)
            made = run([mlirbc, "convert", file + ".stripped.mlir", "--encoding", "upstream", "-o", file + ".mlirbc"])
            if made.returncode:
                refused["our own: " + made.stderr.split("error: ")[-1].split("\n")[0][:100]] += 1
                print(path, made.stderr) if show else None
                continue
            ours = run([*OPT, file + ".mlirbc"])
            lenient = ours if ours.returncode == 0 else None
            foreign = foreign_parts(text)
            if not foreign:
                count["known"] += 1
                count["accepted"] += ours.returncode == 0
                if ours.returncode:
                    reason = re.sub(r"\d+", "_", ours.stderr.split("error: ")[-1].split("\n")[0])[:110]
                    refused[reason] += 1
                    print("refused", path, ours.stderr[:400]) if show else None
            if theirs is None:
                continue
            if lenient is None:
                differences["refused by mlir-opt-22"] += 1
                continue
            before, after = lines(theirs), lines(lenient.stdout)
            if before == after:
                count["equal"] += 1
            else:
                name = kind(before, after)
                differences[name] += 1
                unlike.append((name, path))
    for title, kinds in (("refused by mlir-opt-22:", refused), ("different from mlir-translate-22:", differences)):
        print(title)
        for name, times in kinds.most_common():
            print(f"{times:6}  {name}")
    if show:
        for name, path in unlike:
            print(f"{name}: {path}")
    print(f"accepted by mlir-opt-22: {count['accepted']} of {count['known']} whose operations and types it knows")
    print(f"equal to mlir-translate-22: {count['equal']} of {count['deserialized']}")
    return 0 if count["accepted"] >= 0.95 * count["known"] and count["equal"] >= 0.9 * count["deserialized"] else 1


# What MLIR 22 has no operation or type for.
OPERATIONS = set()


def foreign_parts(text):
    """Operations and types of the text that MLIR does not know."""
    if not OPERATIONS:
        table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "spirv_operations.txt")
        with open(table, encoding="utf-8") as f:
            OPERATIONS.update(f.read().split())
    used = set(re.findall(r'"(spirv\.[^"]*)"[(]', text)) - OPERATIONS
    types = set(re.findall(r"!spirv\.([a-z_.]+)", text)) - {
        "array", "rtarray", "ptr", "image", "sampled_image", "struct", "matrix", "coopmatrix", "arm.tensor"}
    return used | types | set(re.findall(r"!spirv\.array<@", text))


if __name__ == "__main__":
    sys.exit(main())
