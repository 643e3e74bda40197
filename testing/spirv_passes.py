#!/usr/bin/env python3
"""Runs each pass of the dialect `spirv` from binary to binary.

    spirv_passes.py MLIRBC DIR [--limit N] [--pass NAME]... [--keep DIR]

  DIR      a folder of .spv files
  --limit  only so many files
  --pass   only these passes
  --keep   leave what comes out there

What spirv-val takes it has to take thereafter. What is said for debuggers is there as it is without a pass: sources, strings and processes
whole; names and lines of all that is left, which are all where a module has as many instructions as before. Prints a line of counts for each
pass, and names what is wrong. Exit: 0 nothing is, 1 something is.
"""
import argparse
import collections
import concurrent.futures
import functools
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

WHOLE = {2: "SourceContinued", 3: "Source", 4: "SourceExtension", 7: "String", 330: "ModuleProcessed"}
NAMES = {5: "Name", 6: "MemberName", 8: "Line", 317: "NoLine"}


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", **options)


def instructions(path):
    data = path.read_bytes()
    words = struct.unpack("<%dI" % (len(data) // 4), data)
    at = 5
    while at < len(words):
        length = words[at] >> 16 or 1
        yield words[at] & 0xFFFF, words[at + 1:at + length]
        at += length


def said(path):
    """What a module says for debuggers, with ids by what they are: whole, by names, and how many instructions say neither."""
    strings, whole, names, rest = {}, collections.Counter(), collections.Counter(), 0
    for op, words in instructions(path):
        if op == 7:
            strings[words[0]] = words[1:]
        if op in WHOLE:
            # Files are ids.
            file = strings.get(words[2]) if op == 3 and len(words) > 2 else None
            whole[op, words[1:] if op == 7 else words if file is None else (*words[:2], file, *words[3:])] += 1
        elif op in NAMES:
            names[op, words[1:] if op in (5, 6) else (strings.get(words[0]), *words[1:]) if op == 8 else ()] += 1
        else:
            rest += 1
    return whole, names, rest


class Passes:
    def __init__(self, command, folder):
        self.command, self.folder = command, folder
        text = run(command, "opt", "--target-env", "spv1.6", input="").stdout
        self.everything = re.search(r"#spirv\.target_env.*>", text).group()
        listed = re.findall(r"^(\S*spirv\S*)", run(command, "opt", "--list").stdout, re.M)
        self.names = [name for name in listed if not name.startswith(("convert-", "test-"))]

    def opt(self, path, out, *options):
        return run(self.command, "opt", path, "--spirv-form", "dialect", *options, "-o", out)

    @functools.cache
    def plain(self, path):
        """The module raised and lowered, whether spirv-val takes it, and what it says; `None` where it is not raised."""
        out = self.folder / f"plain-{path.name}"
        if self.opt(path, out).returncode:
            return None
        return run("spirv-val", path).returncode == 0 and run("spirv-val", out).returncode == 0, said(out), out.read_bytes()

    def of(self, name, path):
        """What a pass made of one: a kind to count, and what is wrong where something is."""
        plain = self.plain(path)
        if plain is None:
            return "not raised", None
        out = self.folder / f"{name}-{path.name}"
        names = set(re.findall(r'"spirv_binary.Extension".*literals<"(\w+)">', run(self.command, "print", path).stdout))
        target = self.everything.replace("[]", f"[{', '.join(sorted(names))}]")
        done = self.opt(path, out, "--target-env", target, *([] if name == "target-env" else [f"--{name}"]))
        if done.returncode:
            return "refused", done.stderr.strip()[:300]
        (valid, (whole, names, rest), bytes), (new_whole, new_names, new_rest) = plain, said(out)
        if new_whole != whole:
            return "lost", f"{(whole - new_whole) or (new_whole - whole)}"[:300]
        if new_rest == rest and new_names != names:
            return "lost", f"{(names - new_names) or (new_names - names)}"[:300]
        if new_names - names:
            return "named anew", f"{new_names - names}"[:300]
        result = run("spirv-val", out)
        # Constants of `SPV_EXT_replicated_composites` are newer than some releases of spirv-val.
        if "Invalid opcode: 446" in result.stderr:
            return "unknown to spirv-val", None
        if valid and result.returncode:
            return "no longer valid", result.stderr.strip()[:300]
        return "the same" if out.read_bytes() == bytes else "changed", None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mlirbc")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--pass", dest="passes", action="append")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    paths = sorted(options.folder.glob("*.spv"))[:options.limit]
    wrong = False
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
        passes = Passes(options.mlirbc, options.keep or pathlib.Path(folder))
        for name in options.passes or ["target-env", *passes.names]:
            counts = collections.Counter()
            for path, (kind, what) in zip(paths, pool.map(functools.partial(passes.of, name), paths)):
                counts[kind] += 1
                if what:
                    print(f"{path.name}: {kind}: {what}")
                    wrong = True
            print(f"{name}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())), flush=True)
    return wrong


sys.exit(main())
