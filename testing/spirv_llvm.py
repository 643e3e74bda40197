"""Modules of SPIR-V as LLVM IR and object files, by way of the dialect `llvm`: what shaders.py and spirv_programs.py share."""
import os
import re
import subprocess

PIPELINE = "builtin.module(convert-spirv-to-llvm)"


class Failure(Exception):
    """Why a module does not get there."""


def run(command, given=None):
    """What it prints; else a failure that names its first line."""
    try:
        result = subprocess.run(command, input=given, capture_output=True, timeout=300)
    except subprocess.TimeoutExpired:
        raise Failure(f"{os.path.basename(command[0])}: no end") from None
    if result.returncode:
        lines = result.stderr.decode(errors="replace").strip().splitlines()
        lines = [line for line in lines if "error:" in line] or lines
        said = re.sub(r"^\S*?: (?=\S*error:)|\S*/", "", lines[0])[:200] if lines else f"exit code {result.returncode}"
        raise Failure(f"{os.path.basename(command[0])}: {said}")
    return result.stdout


def llvm_ir(mlirbc, path, work):
    """The LLVM IR of a binary module, whose bytecode is kept in the folder `work`."""
    bytecode = os.path.join(work, os.path.basename(path) + ".mlirbc")
    run([mlirbc, "opt", path, "--spirv-form", "dialect", "--pass-pipeline", PIPELINE, "-o", bytecode])
    text = run(["mlir-opt-22", bytecode]).decode(errors="surrogateescape")
    left = re.search(r"\bspirv\.\w[\w.]*|unrealized_conversion_cast", re.sub(r'"[^"]*"|\{[^{}]*\}', "", text))
    if left:
        raise Failure(f"not converted: {left[0]}")
    # mlir-translate-22 leaves out a module inside of a module: what it holds goes into the outer one.
    text = re.sub(r"^  module[^\n]*\{\n(.*?)^  \}\n", r"\1", text, flags=re.M | re.S)
    return run(["mlir-translate-22", "--mlir-to-llvmir"], text.encode(errors="surrogateescape"))


def compile_llvm(llvm, target):
    """An object file."""
    run(["llc-22", "-O1", "-relocation-model=pic", "-filetype=obj", "-o", target], llvm)
