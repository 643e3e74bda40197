#!/usr/bin/env python3
"""Bytecode as iree-compile writes it at each of its phases: checked, printed, written back, and read by iree-opt again.

    iree_programs.py MLIRBC [--iree DIR] [--keep DIR]

DIR holds iree-compile and iree-opt (~/.iree/bin, where `pip install iree-base-compiler` in a virtual environment of that
name puts them). Of each program below and each phase:
  verify   ends with 0
  print    ends with 0
  convert  gives the same bytes, and iree-opt reads these
A phase that iree-compile itself does not reach is skipped and counted apart. Last line: iree: OK of TOTAL, SKIPPED skipped.
Exit: 0 all well or no IREE (said loudly), 1 something failed.
"""
import argparse
import os
import subprocess
import sys
import tempfile

PHASES = (
    "input", "abi", "preprocessing", "global-optimization", "dispatch-creation", "flow", "stream", "executable-sources",
    "executable-configurations", "executable-targets", "hal", "vm",
)

PROGRAMS = {
    # A product of matrices with a bias: named linalg operations and a generic one.
    "matmul": """
func.func @matmul(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %bias: tensor<4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  %product = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%filled : tensor<8x4xf32>) -> tensor<8x4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
      affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%product, %bias : tensor<8x4xf32>, tensor<4xf32>) outs(%empty : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<8x4xf32>
  return %sum : tensor<8x4xf32>
}
""",
    # Shapes that are not known, and a branch.
    "choose": """
func.func @choose(%which: i1, %a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  cf.cond_br %which, ^bb1(%a : tensor<?xi32>), ^bb1(%b : tensor<?xi32>)
^bb1(%chosen: tensor<?xi32>):
  %zero = arith.constant 0 : index
  %size = tensor.dim %chosen, %zero : tensor<?xi32>
  %empty = tensor.empty(%size) : tensor<?xi32>
  %squares = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%chosen : tensor<?xi32>) outs(%empty : tensor<?xi32>) {
  ^bb0(%x: i32, %out: i32):
    %y = arith.muli %x, %x : i32
    linalg.yield %y : i32
  } -> tensor<?xi32>
  return %squares : tensor<?xi32>
}
""",
    # A loop that carries a value.
    "count": """
func.func @count(%limit: index, %step: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : f32
  %sum = scf.for %i = %zero to %limit step %one iter_args(%last = %start) -> (f32) {
    %next = arith.addf %last, %step : f32
    scf.yield %next : f32
  }
  return %sum : f32
}
""",
    # Constants that are large enough to be kept as such, and a reduction.
    "reduce": """
func.func @reduce(%a: tensor<4x32xf32>) -> tensor<4xf32> {
  %weights = arith.constant dense<[[0.5], [1.5], [-2.0], [4.0]]> : tensor<4x1xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>,
      affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %weights : tensor<4x32xf32>, tensor<4x1xf32>) outs(%zero : tensor<4xf32>) {
  ^bb0(%x: f32, %w: f32, %last: f32):
    %y = arith.mulf %x, %w : f32
    %z = arith.addf %last, %y : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  return %sum : tensor<4xf32>
}
""",
    # State between calls, and a call.
    "state": """
util.global private mutable @total = dense<0> : tensor<2xi64>
func.func private @add(%a: tensor<2xi64>, %b: tensor<2xi64>) -> tensor<2xi64> {
  %sum = arith.addi %a, %b : tensor<2xi64>
  return %sum : tensor<2xi64>
}
func.func @accumulate(%more: tensor<2xi64>) -> tensor<2xi64> {
  %total = util.global.load @total : tensor<2xi64>
  %sum = call @add(%total, %more) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  util.global.store %sum, @total : tensor<2xi64>
  return %sum : tensor<2xi64>
}
""",
}


def run(command, **more):
    return subprocess.run(command, capture_output=True, timeout=300, **more)


def first_line(result):
    lines = result.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[0][:300] if lines else f"exit code {result.returncode}"


def check(mlirbc, opt, path):
    """What is wrong with a file; None where nothing is."""
    for command in ("verify", "print"):
        result = run([mlirbc, command, path])
        if result.returncode:
            return f"{command}: {first_line(result)}"
    back = path + ".back"
    result = run([mlirbc, "convert", path, "--to", "mlirbc", "-o", back])
    if result.returncode:
        return f"convert: {first_line(result)}"
    with open(path, "rb") as before, open(back, "rb") as after:
        if before.read() != after.read():
            return "other bytes when written back"
    result = run([opt, back, "-o", os.devnull])
    return f"iree-opt: {first_line(result)}" if result.returncode else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mlirbc")
    parser.add_argument("--iree", default=os.path.expanduser("~/.iree/bin"))
    parser.add_argument("--keep")
    args = parser.parse_args()
    compiler, opt = (os.path.join(args.iree, name) for name in ("iree-compile", "iree-opt"))
    if not os.path.exists(compiler):
        print(f"SKIPPED: no iree-compile in {args.iree}: pip install iree-base-compiler", file=sys.stderr)
        return 0
    ok, failed, skipped = 0, 0, 0
    with tempfile.TemporaryDirectory() as temporary:
        work = args.keep or temporary
        os.makedirs(work, exist_ok=True)
        for name, text in PROGRAMS.items():
            source = os.path.join(work, name + ".mlir")
            with open(source, "w") as file:
                file.write(text)
            for phase in PHASES:
                path = os.path.join(work, f"{name}.{phase}.mlirbc")
                made = run([
                    compiler, source, f"--compile-to={phase}", "--emit-mlir-bytecode", "--iree-hal-target-device=local",
                    "--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=generic", "-o", path,
                ])
                if made.returncode:
                    skipped += 1
                    print(f"SKIPPED: {name} to {phase}: {first_line(made)}", file=sys.stderr)
                    continue
                wrong = check(args.mlirbc, opt, path)
                ok, failed = ok + (wrong is None), failed + (wrong is not None)
                if wrong:
                    print(f"{name} to {phase}: {wrong}")
    print(f"iree: {ok} of {ok + failed}, {skipped} skipped")
    return 1 if failed or not ok else 0


if __name__ == "__main__":
    sys.exit(main())
