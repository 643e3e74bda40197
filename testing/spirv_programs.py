#!/usr/bin/env python3
"""Random compute shaders, run on the processor by way of the dialect `llvm` and on a Vulkan driver: the same buffers, to the bit?

    testing/spirv_programs.py MLIRBC [--first SEED] [--count N] [--jobs N] [--keep DIR]
    testing/spirv_programs.py --make DIR [--first SEED] [--count N]            writes DIR/SEED.spv, and runs nothing

`programs/` makes the program of a seed, which is the same on every machine. Each is raised and converted by `convert-spirv-to-llvm`, becomes
LLVM IR by mlir-opt-22 and mlir-translate-22 and an object file by llc-22, and is linked with programs/processor.c; programs/vulkan.c runs the
same binary on the first Vulkan device. What differs is named by its seed, with the first word that does.

Needs spirv-as, mlir-opt-22, mlir-translate-22, llc-22, a C compiler, the headers and the loader of Vulkan and a driver (Debian: spirv-tools mlir-22-tools
llvm-22 gcc libvulkan-dev mesa-vulkan-drivers). Without them it says SKIPPED. Exit: 0 all are equal or it was skipped, 1 some are not, 2 wrong
usage. Last line: spirv_programs: EQUAL of TOTAL.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import struct
import sys
import tempfile

from programs import program
from spirv_llvm import Failure, compile_llvm, llvm_ir, run

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
TOOLS = ("spirv-as", "mlir-opt-22", "mlir-translate-22", "llc-22", "cc")
# How many shaders one process takes to the driver: what stops it is looked for among them.
BATCH = 20


def assemble(seed, target):
    text, version = program(seed)
    run(["spirv-as", "--target-env", f"spv{version[0]}.{version[1]}", "-", "-o", target], text.encode())
    return re.search(r"LocalSize (\d+) (\d+) (\d+)", text).groups()


def on_processor(mlirbc, host, work, seed, local):
    """Converts and runs a program; what its buffers hold is in a file."""
    path = os.path.join(work, f"{seed}")
    llvm = llvm_ir(mlirbc, f"{path}.spv", work).decode()
    llvm = re.sub(r"@main\b", "@shader_main", llvm)
    compile_llvm(llvm.encode(), f"{path}.o")
    run(["cc", host, f"{path}.o", "-o", path, "-lm"])
    run([path, *local, f"{path}.processor"])


def on_device(vulkan, paths):
    """Runs shaders; those that did not get to their end are run alone, and named with the reason."""
    pairs = [part for path in paths for part in (f"{path}.spv", f"{path}.device")]
    try:
        run([vulkan, *pairs])
    except Failure as failure:
        if len(paths) == 1:
            return {paths[0]: failure}
        return {path: reason for one in paths for path, reason in on_device(vulkan, [one]).items()}
    return {}


def difference(path):
    """Where the buffers differ first, in words; empty where they do not."""
    buffers = []
    for side in ("processor", "device"):
        with open(f"{path}.{side}", "rb") as file:
            buffers.append(file.read())
    ours, theirs = ([word for word, in struct.iter_unpack("<I", side)] for side in buffers)
    different = [at for at, (left, right) in enumerate(zip(ours, theirs)) if left != right]
    if not different and len(ours) == len(theirs):
        return ""
    at = different[0] if different else 0
    return f"{len(different)} words differ, the first is word {at % 1024} of buffer {at // 1024}: {ours[at]:#x}, on the device {theirs[at]:#x}"


def check(args, seeds, work):
    """The reasons of the programs that are not equal."""
    vulkan, host = os.path.join(work, "vulkan"), os.path.join(work, "host.o")
    run(["cc", "-O1", os.path.join(HERE, "processor.c"), "-c", "-o", host])
    reasons = {}

    def batch(some):
        paths, found = [], {}
        for seed in some:
            try:
                path = os.path.join(work, str(seed))
                local = assemble(seed, f"{path}.spv")
                on_processor(args.mlirbc, host, work, seed, local)
                paths.append(path)
            except Failure as failure:
                found[seed] = failure
        refused = on_device(vulkan, paths)
        for path in paths:
            reason = refused.get(path) or difference(path)
            if reason:
                found[int(os.path.basename(path))] = reason
        return found

    batches = [seeds[at : at + BATCH] for at in range(0, len(seeds), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as threads:
        for found in threads.map(batch, batches):
            for seed, reason in found.items():
                print(f"seed {seed}: {reason}", flush=True)
            reasons.update(found)
    return reasons


def device_or_skip(work):
    """Builds the host of the driver: false, with a line that says why, where there is none."""
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    reason = f"{', '.join(missing)} not installed" if missing else ""
    if not reason:
        try:
            vulkan = os.path.join(work, "vulkan")
            run(["cc", "-O1", os.path.join(HERE, "vulkan.c"), "-o", vulkan, "-lvulkan"])
            print(f"device: {run([vulkan]).decode().strip()}")
        except Failure as failure:
            reason = f"no Vulkan: {failure}"
    if reason:
        print(f"!! SKIPPED: random programs beside a Vulkan driver: {reason}")
    return not reason


def main():
    parser = argparse.ArgumentParser(usage="%(prog)s MLIRBC [--first SEED] [--count N] [--jobs N] [--keep DIR] | --make DIR [--first SEED] [--count N]")
    parser.add_argument("mlirbc", nargs="?")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    parser.add_argument("--make")
    args = parser.parse_args()
    seeds = list(range(args.first, args.first + args.count))
    if args.make:
        os.makedirs(args.make, exist_ok=True)
        for seed in seeds:
            assemble(seed, os.path.join(args.make, f"{seed}.spv"))
        return 0
    if not args.mlirbc:
        parser.error("where is mlirbc?")
    with tempfile.TemporaryDirectory() as scratch:
        work = args.keep or scratch
        os.makedirs(work, exist_ok=True)
        if not device_or_skip(work):
            return 0
        reasons = check(args, seeds, work)
    for reason, count in collections.Counter(re.sub(r"\b\d+\b|0x\w+", "N", str(reason)) for reason in reasons.values()).most_common():
        print(f"{count:6}  {reason}")
    print(f"spirv_programs: {len(seeds) - len(reasons)} of {len(seeds)}")
    return 1 if reasons else 0


if __name__ == "__main__":
    sys.exit(main())
