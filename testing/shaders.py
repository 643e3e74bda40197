#!/usr/bin/env python3
"""Compute modules to object files, by way of the dialect `llvm`: which do not get there, and why?

    testing/shaders.py MLIRBC [FILE...] [--list] [--needed N]

FILE: a binary module of SPIR-V; without any, those of MLIRBC_SHARED/corpus/spirv that have a GLCompute or Kernel entry point and neither
OpTypeImage nor OpTypeSampledImage nor OpTypeSampler. Each is raised and converted by `convert-spirv-to-llvm`; the module inside is put
in the place of the outer one; mlir-opt-22 reads it, mlir-translate-22 writes LLVM IR, and llc-22 an object file, which has to define
(llvm-nm-22) every function with a body that the binary holds. Every reason is counted, and with --list each file is named with its own.

Exit: 0 all, or N of them where --needed says so; 1 fewer; 2 wrong usage. Last line: shaders: OK of TOTAL.
"""
import argparse
import collections
import glob
import os
import re
import struct
import sys
import tempfile

from spirv_llvm import Failure, compile_llvm, llvm_ir, run

ENTRY_POINT, NAME, FUNCTION, LABEL = 15, 5, 54, 248
IMAGES = (25, 26, 27)
GL_COMPUTE, KERNEL = 5, 6


def instructions(path):
    """The operation code and the words of each instruction."""
    with open(path, "rb") as file:
        data = file.read()
    order = "<" if data[:4] == b"\x03\x02\x23\x07" else ">"
    words = struct.unpack(f"{order}{len(data) // 4}I", data[: len(data) // 4 * 4])
    at = 5
    while at < len(words):
        length = words[at] >> 16
        if length == 0:
            return
        yield words[at] & 0xFFFF, words[at + 1 : at + length]
        at += length


def is_compute(path):
    """Whether it is for a processor, and samples no image."""
    entries, images = False, False
    for code, words in instructions(path):
        entries |= code == ENTRY_POINT and words[0] in (GL_COMPUTE, KERNEL)
        images |= code in IMAGES
    return entries and not images


def defined(path):
    """How many functions of the binary have a body."""
    count, open_function = 0, False
    for code, _ in instructions(path):
        if code == FUNCTION:
            open_function = True
        elif code == LABEL and open_function:
            count, open_function = count + 1, False
    return count


def check(mlirbc, path, work):
    """An object file that defines the functions of the module."""
    compiled = os.path.join(work, "module.o")
    compile_llvm(llvm_ir(mlirbc, path, work), compiled)
    symbols = run(["llvm-nm-22", compiled]).decode(errors="replace")
    functions = len(re.findall(r"^[0-9a-f]+ [Tt] ", symbols, re.M))
    if functions != defined(path):
        raise Failure(f"{functions} functions in the object file of {defined(path)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mlirbc")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--needed", type=int)
    args = parser.parse_args()
    files = args.files
    if not files:
        shared = os.environ.get("MLIRBC_SHARED")
        if not shared:
            print("SKIPPED: MLIRBC_SHARED does not name the folder with reference data", file=sys.stderr)
            return 0
        files = [path for path in sorted(glob.glob(os.path.join(shared, "corpus/spirv/*.spv"))) if is_compute(path)]
    reasons = collections.Counter()
    with tempfile.TemporaryDirectory() as work:
        for path in files:
            try:
                check(args.mlirbc, path, work)
            except Failure as failure:
                # The place is left out where the operation is said.
                reasons[re.sub(r"(marked illegal|reading `[^`]*`).*", r"\1", str(failure))] += 1
                if args.list:
                    print(f"{path}: {failure}")
    for reason, count in reasons.most_common():
        print(f"{count:6}  {reason}")
    good = len(files) - sum(reasons.values())
    print(f"shaders: {good} of {len(files)}")
    needed = len(files) if args.needed is None else args.needed
    return 0 if good >= needed else 1


if __name__ == "__main__":
    sys.exit(main())
