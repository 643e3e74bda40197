#!/usr/bin/env python3
"""Makes members.txt: which members the properties of operations have in other releases of MLIR than that of the tables of definitions, and
which those have that these lack.

    make.py [--check] [--fixtures] [--work DIR]

With --check, compares with the committed file instead. With --fixtures, also makes fixtures/operations/*.mlirbc: every
operation that a release was asked about, with all its members and with as few as it can be written with.
Exit: 0 made, equal or skipped; 1 different or failed. DIR keeps what is downloaded, some GB (~/.cache/mlirbc-history).

What is known of a release comes from one of these, below in SOURCES:
 - its .td files, from a package of Debian or PyPI, read as those of the tables are;
 - a package of PyPI with Python bindings of it, which ask.py asks.
What is not known of a release, since no source has the operation, is taken to be as in the next release on the way to that of
the tables.

Operations that the tables lack came later or went earlier, or no .td file has them: of a package with bindings, ask.py finds
those of the dialects of these, but for what other projects add to these (FOREIGN there). One of which not all
members are known is left out and named on standard error.

When a newer MLIR comes: add it to SOURCES (a package of PyPI with bindings, or .td files), raise Release::NEWEST in
ir/src/ods/release.rs, run this with --fixtures, read the diff, and run `cargo test -p mlirbc-testing --test all releases::`. An
attribute of a class that no text of VALUES in ask.py stands for is named on standard error: add one. When the tables themselves are made
from a newer release, raise HERE and Release::DEFAULT with it.
"""
import argparse
import glob
import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = 22
# Release, how it is known, package, version. The first that has an operation counts.
SOURCES = [
    (19, "debian", "libmlir-19-dev", None),
    # From the week in which LLVM 20 was branched.
    (20, "bindings", "iree-base-compiler", "3.2.0"),
    (21, "wheel", "xtc-mlir-dev", "21.1.2.8"),
    (23, "bindings", "jaxlib", "0.10.2"),
    # Older than the one before, which has fewer dialects.
    (23, "bindings", "iree-base-compiler", "3.11.0"),
    (24, "bindings", "iree-base-compiler", "3.13.0"),
]
BINDINGS = {"iree-base-compiler": "iree.compiler", "jaxlib": "jaxlib.mlir"}
# Where .td files stood before they stood where upstream.roots says.
MOVED = {
    "Dialect/NVGPU/IR/NVGPUOps.td": "Dialect/NVGPU/IR/NVGPU.td",
    "Dialect/Quant/IR/QuantOps.td": "Dialect/Quant/QuantOps.td",
    "Dialect/Linalg/IR/LinalgRelayoutOps.td": None,
}
PLACE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(PLACE, "../..")
RELEASES = sorted({HERE} | {source[0] for source in SOURCES})
HEADER = """\
# Members of operations that are not the same in every release of MLIR: operation, member, kind, releases. Made by make.py; do not edit.
# A member that is named here is there in the releases of its lines alone; any other is in all, as the table of its dialect has it.
# `24-` is from 24 on, `-21` up to 21, `20-21` both of them.
# An operation without a definition has a line of its own, operation and releases, and all its members behind it.
"""


class Missing(Exception):
    """Something that this machine lacks."""


def run(command, **options):
    return subprocess.run(command, check=True, **options)


def fetched(work, name, fetch):
    """A folder that `fetch` fills once."""
    folder = os.path.join(work, name)
    if not os.path.isdir(folder):
        partial = folder + ".partial"
        shutil.rmtree(partial, ignore_errors=True)
        os.makedirs(partial)
        try:
            fetch(partial)
        except (OSError, subprocess.CalledProcessError) as error:
            raise Missing(f"{name} could not be had: {error}") from error
        os.rename(partial, folder)
    return folder


def debian(work, package):
    def fetch(folder):
        run(["apt-get", "download", package], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run(["dpkg", "-x", *glob.glob(folder + "/*.deb"), folder])
    return glob.glob(fetched(work, package, fetch) + "/usr/lib/llvm-*/include")[0]


def wheel(work, package, version):
    def fetch(folder):
        run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, f"{package}=={version}"])
        run([sys.executable, "-m", "zipfile", "-e", *glob.glob(folder + "/*.whl"), folder])
    return glob.glob(fetched(work, f"{package}-{version}", fetch) + "/mlir/include")[0]


def bindings(work, package, version):
    def fetch(folder):
        run([sys.executable, "-m", "venv", folder])
        run([folder + "/bin/python", "-m", "pip", "install", "-q", f"{package}=={version}"])
    return fetched(work, f"{package}-{version}", fetch) + "/bin/python"


def op_layouts(arguments):
    command = ["cargo", "run", "--quiet", "-p", "mlirbc", "--example", "op_layouts", "--"]
    return run(command + arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout


def parsed(text):
    """Operations with their members, in order, of what `op_layouts` prints."""
    operations = {}
    for line in text.splitlines():
        what, _, rest = line.partition(" ")
        if what == "operation":
            operations[rest] = members = []
        elif what == "member":
            members.append(tuple(rest.split(" ")))
    return operations


def without(text, operations):
    """What `op_layouts` prints, but for these operations, of which it only says that they are known."""
    out, keeps = [], True
    for line in text.splitlines(keepends=True):
        what, _, rest = line.strip().partition(" ")
        keeps = rest not in operations if what == "operation" else keeps or what == "value"
        out += [line] * keeps
    return "".join(out + [f"known {name}\n" for name in sorted(operations)])


def of_td_files(include):
    """What the .td files say, found as ../regenerate.sh finds those of the table."""
    with open(os.path.join(PLACE, "../upstream.roots")) as file:
        roots = [line.split() for line in file if line.strip() and not line.startswith("#")]
    with tempfile.TemporaryDirectory() as folder:
        for number, (root, *extra) in enumerate(roots):
            path = f"{include}/mlir/{root}"
            if not os.path.exists(path):
                path = f"{include}/mlir/{MOVED.get(root) or root}"
            if not os.path.exists(path):
                continue
            includes = [include, os.path.dirname(path), *(f"{include}/mlir/{place}" for place in extra)]
            flags = [flag for place in includes for flag in ("-I", place)]
            run(["llvm-tblgen-22", "--dump-json", *flags, path, "-o", f"{folder}/{number:03}.json"])
        return parsed(op_layouts(sorted(glob.glob(folder + "/*.json"))))


def of_bindings(work, python, package, known, texts, fixture):
    """What ask.py finds out. Answers are kept in `work` until ask.py or what it is asked changes."""
    with open(PLACE + "/ask.py", "rb") as file:
        asked = hashlib.sha256(file.read() + python.encode() + texts.encode()).hexdigest()[:16]
    out, module = f"{work}/{asked}.json", f"{work}/{asked}.mlirbc"
    if not os.path.exists(out):
        run([python, PLACE + "/ask.py", BINDINGS[package], out + ".partial", module], input=texts, text=True, stdout=sys.stderr)
        os.rename(out + ".partial", out)
    if fixture:
        shutil.copy(module, fixture)
    with open(out) as file:
        answers = json.load(file)["operations"]
    operations = {}
    for name, answer in answers.items():
        layout = [tuple(member) for member in answer["layout"]]
        unknown = [member for member, kind in layout if kind == "unknown"]
        if unknown:
            named = ", ".join(member or "other members" for member in unknown)
            print(f"{package}: nothing is known of {named} of {name}, which is left out", file=sys.stderr)
            continue
        if answer["unset"]:
            print(f"{package}: no value for {', '.join(answer['unset'])} of {name}", file=sys.stderr)
        # Natives are shown by name; those that are known are laid out as they were.
        order = {member: at for at, (member, _) in enumerate(known.get(name, []))}
        attributes = sorted(member for member in layout if not member[1].startswith("native:"))
        natives = sorted((member for member in layout if member[1].startswith("native:")),
                         key=lambda member: order.get(member[0], len(order)))
        segments = []
        for side in ("operand", "result"):
            sizes = answer["default"].get(f"{side}SegmentSizes")
            if sizes is not None:
                segments.append((f"{side}SegmentSizes", f"{side}s:{len(re.findall(r'[0-9]+', sizes.partition(':')[2]))}"))
        operations[name] = attributes + natives + segments
    return operations


def in_order(members):
    def rank(kind):
        return ["native", "operands", "results"].index(kind.partition(":")[0]) + 1 if ":" in kind else 0
    return sorted(members, key=lambda member: (rank(member[1]), member[0] if rank(member[1]) == 0 else ""))


def lines_of(layouts, here):
    """The lines of one operation, of its layouts by release."""
    def make(named):
        lines = []
        for name in named:
            kinds = dict.fromkeys(kind for release in RELEASES for member, kind in layouts[release] if member == name)
            for kind in kinds:
                there = [(name, kind) in layouts[release] for release in RELEASES]
                for is_there, group in itertools.groupby(zip(RELEASES, there), key=lambda pair: pair[1]):
                    releases = [release for release, _ in group]
                    if is_there:
                        since = "" if releases[0] == RELEASES[0] else releases[0]
                        until = "" if releases[-1] == RELEASES[-1] else releases[-1]
                        lines.append((name, kind, releases, f"{since}-{until}"))
        return lines

    def rebuilt(lines, release):
        named = {line[0] for line in lines}
        members = [member for member in here if member[0] not in named]
        return in_order(members + [line[:2] for line in lines if release in line[2]])

    everything = dict.fromkeys(member for release in RELEASES for member in layouts[release])
    named = sorted({name for name, kind in everything if any((name, kind) not in layouts[release] for release in RELEASES)})
    natives = list(dict.fromkeys(name for name, kind in everything if kind.startswith("native:")))
    for names in [named, [name for name in named if name not in natives] + natives]:
        lines = make(names)
        if all(rebuilt(lines, release) == layouts[release] for release in RELEASES):
            return lines
    raise Missing(f"natives in another order: {layouts}")


def lines_of_undefined(name, known):
    """The lines of an operation that the tables lack, of what is known by release."""
    has = [release for release in RELEASES if name in known[release]]
    layouts, last = {}, []
    for release in RELEASES:
        last = known[release].get(name, last if release < has[-1] else [])
        layouts[release] = last
    span = f"{'' if has[0] == RELEASES[0] else has[0]}-{'' if has[-1] == RELEASES[-1] else has[-1]}"
    return [f"{name} {span}\n"] + [f"{name} {member} {kind} {span}\n" for member, kind, _, span in lines_of(layouts, [])]


def made(work, fixtures):
    texts = op_layouts([])
    here = parsed(texts)
    known = {release: {} for release in RELEASES}
    known[HERE] = here
    for release, how, package, version in SOURCES:
        if how == "debian":
            found = of_td_files(debian(work, package))
        elif how == "wheel":
            found = of_td_files(wheel(work, package, version))
        else:
            fixture = f"{fixtures}/mlir{release}.{package}.mlirbc" if fixtures else None
            python = bindings(work, package, version)
            found = of_bindings(work, python, package, here, without(texts, known[release]), fixture)
        common = sum(name in here for name in found)
        print(f"{release}: {package} has {common} of {len(here)} operations, {len(found) - common} others", file=sys.stderr)
        known[release].update((name, layout) for name, layout in found.items() if name not in known[release])
    out = []
    undefined = {name for release in RELEASES for name in known[release]} - set(here)
    for name in sorted(set(here) | undefined):
        if name in undefined:
            out += lines_of_undefined(name, known)
            continue
        layouts = {HERE: here[name]}
        for release in [release for release in reversed(RELEASES) if release < HERE]:
            layouts[release] = known[release].get(name, layouts[min(layouts)])
        for release in [release for release in RELEASES if release > HERE]:
            layouts[release] = known[release].get(name, layouts[max(layouts)])
        out += [f"{name} {member} {kind} {span}\n" for member, kind, _, span in lines_of(layouts, here[name])]
    return HEADER + "".join(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--fixtures", action="store_true")
    parser.add_argument("--work", default=os.path.expanduser("~/.cache/mlirbc-history"))
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    target = PLACE + "/members.txt"
    fixtures = os.path.join(ROOT, "fixtures/operations") if arguments.fixtures else None
    if fixtures:
        os.makedirs(fixtures, exist_ok=True)
    if not shutil.which("llvm-tblgen-22"):
        print("SKIPPED: llvm-tblgen-22 is not installed, so members.txt was not made", file=sys.stderr)
        return 0
    try:
        text = made(arguments.work, fixtures)
    except Missing as missing:
        print(f"SKIPPED: {missing}", file=sys.stderr)
        return 0
    if not arguments.check:
        with open(target, "w") as file:
            file.write(text)
        return 0
    with open(target) as file:
        if file.read() != text:
            print("members.txt is not what the releases say", file=sys.stderr)
            return 1
    print("members.txt is what the releases say")
    return 0


if __name__ == "__main__":
    sys.exit(main())
