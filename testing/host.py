#!/usr/bin/env python3
"""Runs the pipeline by which a host and its kernels run on a processor over fixtures/host, beside mlir-opt-22.

    host.py MLIRBC [--show]

  --show   print the first lines that differ

The whole of `--test-spirv-cpu-runner-pipeline`, and each pass of it and of the conversions to llvm that it brings: the same text, or a failure
of both. Prints counts. Exit: 0 as many as expected, 1 not.
"""
import argparse
import difflib
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "fixtures" / "host"

# The passes: how many modules come out the same, and how many mlir-opt-22 takes. Launches alone are no pipeline: their kernels say nothing of
# their workgroups. A host whose kernels are no modules of SPIR-V yet cannot be lowered, and calls of functions that cannot take pointers
# are no calls of `llvm`, which mlir-opt-22 finds out when it verifies the result.
PASSES = {
    "test-spirv-cpu-runner-pipeline": (18, 16),
    "gpu-kernel-outlining": (18, 18),
    "gpu-launch-sink-index-computations": (18, 18),
    "lower-host-to-llvm": (18, 8),
    "convert-func-to-llvm": (18, 18),
    "convert-arith-to-llvm": (18, 18),
    "convert-cf-to-llvm": (18, 18),
    "finalize-memref-to-llvm": (18, 18),
    "finalize-memref-to-llvm=use-aligned-alloc": (18, 18),
    "finalize-memref-to-llvm=use-generic-functions": (18, 18),
    "convert-func-to-llvm=use-bare-ptr-memref-call-conv": (16, 16),
    "convert-func-to-llvm=index-bitwidth=32": (18, 18),
}


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mlirbc")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    paths, right = sorted(FOLDER.glob("*.mlir")), True
    for name, expected in PASSES.items():
        taken, same = 0, 0
        for path in paths:
            theirs = run("mlir-opt-22", path, f"--{name}")
            ours = run(options.mlirbc, "opt", path, f"--{name}")
            taken += theirs.returncode == 0
            if theirs.returncode and ours.returncode:
                same += 1
            elif not theirs.returncode and not ours.returncode and theirs.stdout.strip() == ours.stdout.strip():
                same += 1
            else:
                print(f"{path.name}: {name}: {(ours.stderr or theirs.stderr or 'other text').strip()[:300]}")
                if options.show and ours.stdout:
                    diff = difflib.unified_diff(theirs.stdout.splitlines(), ours.stdout.splitlines(), lineterm="", n=0)
                    print("\n".join(list(diff)[2:22]))
        print(f"{name}: {same} of {len(paths)} the same, {taken} taken by mlir-opt-22")
        right &= (same, taken) == expected
    return 0 if right else 1


sys.exit(main())
