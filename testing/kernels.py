#!/usr/bin/env python3
"""Compiles the kernels of fixtures/kernels, and runs them on a Vulkan driver, beside loops in Rust.

    kernels.py MLIRBC [--kernels FOLDER] [--loops PROGRAM] [--target-env ENV] [--keep FOLDER] [--ran FOLDER]

Each becomes a binary that spirv-val takes; the same file through mlir-opt-22 and mlir-translate-22, where these manage, becomes one that is
the same but for ids and names. Run on the first driver, its four buffers are those that the loop of its name makes (the example
`kernels` of mlirbc-testing, built before: target/debug/examples/kernels): integers to the bit, floats within one part in 10^5.
With --ran it is not run, but what another driver left in NAME.out counts: run there the binaries and the program that --keep leaves.
MLIRBC_SHARED names the folder with the reference data, and with a program that runs a shader; it is built with gcc and libvulkan.
Exit: 0 as expected, 1 not.
"""
import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)


def must(what, *command):
    done = run(*command)
    if done.returncode:
        raise SystemExit(f"{what}: {(done.stderr or done.stdout).strip()[:300]}")
    return done.stdout


def differing(ours, wanted):
    """The first word that is not as it should be."""
    if len(ours) != len(wanted):
        return f"{len(ours)} bytes for {len(wanted)}"
    for at in range(0, len(wanted), 4):
        a, b = ours[at:at + 4], wanted[at:at + 4]
        if a == b:
            continue
        x, y = struct.unpack("<f", a)[0], struct.unpack("<f", b)[0]
        if (at // 4096) % 2 == 1 or not abs(x - y) <= 1e-5 * max(abs(x), abs(y)):
            return f"buffer {at // 4096}, word {at % 4096 // 4}: {x} {a.hex()} for {y} {b.hex()}"
    return None


def upstream(kernel, text, folder, target):
    """The same by MLIR: None where it fails."""
    text = re.sub(r"known_block_size = array<i32: (\d+), (\d+), (\d+)>",
                  r"spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [\1, \2, \3]>", text)
    text = text.replace("{gpu.container_module}", "{gpu.container_module, spirv.target_env = " + target + "}", 1)
    source, lowered, binary = (folder / f"{kernel}.{end}" for end in ("up.mlir", "low.mlir", "up.spv"))
    source.write_text(text)
    done = run("mlir-opt-22", source, "--pass-pipeline=builtin.module(convert-gpu-to-spirv,"
               "spirv.module(spirv-lower-abi-attrs,spirv-update-vce))", "-o", lowered)
    if done.returncode:
        return None
    inner = re.search(r"^  spirv\.module.*?^  }$", lowered.read_text(), re.S | re.M)
    lowered.write_text(inner.group(0))
    done = run("mlir-translate-22", "--no-implicit-module", "--serialize-spirv", lowered, "-o", binary)
    return None if done.returncode else binary


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mlirbc")
    parser.add_argument("--kernels", default=ROOT / "fixtures/kernels", type=pathlib.Path)
    parser.add_argument("--loops", default=ROOT / "target/debug/examples/kernels")
    parser.add_argument("--target-env", default="vulkan1.1")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--ran", type=pathlib.Path)
    args = parser.parse_args()
    shared = os.environ.get("MLIRBC_SHARED")
    if not shared:
        print("kernels.py: skipped, MLIRBC_SHARED is not set")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        folder = args.keep or pathlib.Path(folder)
        folder.mkdir(exist_ok=True)
        runner = folder / "vk_compute"
        must("gcc", "gcc", "-O1", pathlib.Path(shared) / "check/cpu/vk_compute.c", "-o", runner, "-lvulkan")
        names = must("loops", args.loops).split()
        files = sorted(args.kernels.glob("*.mlir"))
        assert len(files) == len(names) >= 10, (len(files), names)
        failed, same, compared = [], 0, 0
        for file in files:
            kernel, binary = file.stem, folder / f"{file.stem}.spv"
            done = run(args.mlirbc, "compile", file, "--target-env", args.target_env, "-o", binary)
            if done.returncode:
                failed.append(f"{kernel}: {done.stderr.strip()[:300]}")
                continue
            valid = run("spirv-val", "--target-env", args.target_env, binary)
            if valid.returncode:
                failed.append(f"{kernel}: spirv-val: {valid.stderr.strip()[:300]}")
                continue
            output = (args.ran or folder) / f"{kernel}.out"
            if not args.ran:
                ran = run(runner, binary, "main", output)
                if ran.returncode:
                    failed.append(f"{kernel}: the driver: {ran.stderr.strip()[:300]}")
                    continue
            must("loop", args.loops, kernel, folder / f"{kernel}.want")
            wrong = differing(output.read_bytes(), (folder / f"{kernel}.want").read_bytes())
            if wrong:
                failed.append(f"{kernel}: {wrong}")
            shown = must("print", args.mlirbc, "opt", file, "--target-env", args.target_env)
            target = re.search(r"#spirv\.target_env<.*?#spirv\.resource_limits<.*?>>", shown).group(0)
            other = upstream(kernel, file.read_text(), folder, target)
            if other is not None:
                compared += 1
                equal = run(sys.executable, pathlib.Path(shared) / "check/spirv_canon.py", binary, other, "--level", "1")
                same += equal.returncode == 0
                if equal.returncode:
                    failed.append(f"{kernel}: not what mlir-opt-22 makes: {equal.stdout.strip()[:300]}")
        for line in failed:
            print(line)
        print(f"kernels: {len(files) - len(failed)} of {len(files)}; {same} of {compared} that MLIR compiles are the same")
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
