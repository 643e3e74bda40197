#!/usr/bin/env python3
"""Compares layouts of random blocks with those of glslangValidator: offsets, strides and how matrices stand.

    layout.py MLIRBC [--count N] [--seed N] [--keep DIR]

Blocks of GLSL under std140, std430 and scalar, as many of each, become a SPIR-V binary, and that becomes text. Taken out of the text,
offsets and strides have to come back as they were by `decorate-spirv-composite-type-layout{rule=...}`. What a member takes shows where
the next one stands. Exit: 0 all are equal, 1 some are not, 2 a tool failed.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

RULES = ["std140", "std430", "scalar"]
# So many blocks of one rule are in one shader.
AT_ONCE = 25
HEAD = """#version 460
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
"""
# Numbers, and what vectors and matrices of them are called.
NUMBERS = [
    ("float", "vec", "mat"),
    ("double", "dvec", "dmat"),
    ("float16_t", "f16vec", "f16mat"),
    ("int", "ivec", None),
    ("uint", "uvec", None),
    ("int8_t", "i8vec", None),
    ("uint16_t", "u16vec", None),
    ("int64_t", "i64vec", None),
]


class Shader:
    """Blocks of one rule, and the structs in them."""

    def __init__(self, chance, rule):
        self.chance, self.rule = chance, rule
        self.structs, self.blocks = [], []

    def members(self, depth, least):
        return [self.member(number, depth) for number in range(self.chance.randint(least, 5))]

    def member(self, number, depth):
        kind = self.chance.choice(["number", "number", "vector", "vector", "matrix", "struct"])
        majors = ["", "", "layout(row_major) ", "layout(column_major) "]
        major = self.chance.choice(majors) if depth == 0 else ""
        if kind == "struct" and depth < 3:
            inside = self.members(depth + 1, 1)
            name = f"S{len(self.structs)}"
            self.structs.append(f"struct {name} {{ {' '.join(inside)} }};")
        else:
            number_type, vector, matrix = self.chance.choice(NUMBERS)
            columns, rows = self.chance.randint(2, 4), self.chance.randint(2, 4)
            name = number_type
            if kind == "vector":
                name = f"{vector}{rows}"
            elif matrix and kind == "matrix":
                name = f"{matrix}{columns}x{rows}"
        sizes = "".join(f"[{self.chance.randint(1, 3)}]" for _ in range(self.chance.choice([0, 0, 0, 1, 1, 2])))
        return f"{major}{name} m{number}{sizes};"

    def block(self):
        number = len(self.blocks)
        members = self.members(0, 1)
        is_uniform = self.rule == "std140" and self.chance.random() < 0.5
        if not is_uniform and self.chance.random() < 0.3:
            members.append(f"{self.chance.choice(['float', 'vec3', 'dmat2x3', 'i8vec3'])} last[];")
        major = self.chance.choice(["", "", ", row_major"])
        kind = "uniform" if is_uniform else "buffer"
        self.blocks.append(f"layout(set = 0, binding = {number}, {self.rule}{major}) {kind} B{number} {{ {' '.join(members)} }} b{number};")

    def text(self):
        return "\n".join([HEAD, *self.structs, *self.blocks, "void main() {}", ""])


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        print(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}", file=sys.stderr)
        sys.exit(2)
    return done.stdout


def bare(line):
    """A line without offsets, strides and what is said of matrices that stand column by column."""
    line = re.sub(r" \[\d+(?:, ColMajor, MatrixStride=\d+)?\]", "", line)
    line = re.sub(r" \[\d+, RowMajor, MatrixStride=\d+\]", " [RowMajor]", line)
    return re.sub(r", stride=\d+", "", line)


def variables(text):
    """The lines of variables, by binding."""
    found = re.finditer(r"^ *spirv\.GlobalVariable @\S+ bind\(0, (\d+)\).*? : (.*)$", text, re.M)
    return {int(line[1]): line[2] for line in found}


def compare(command, shader, rule, folder):
    """How many blocks are not as glslangValidator has them."""
    source, binary, given = folder / "shader.comp", folder / "shader.spv", folder / "bare.mlir"
    source.write_text(shader.text())
    run("glslangValidator", "-V", "--target-env", "vulkan1.3", "-g0", source, "-o", binary)
    wanted = variables(run(command, "print", "--spirv-form", "dialect", binary))
    lines = [f"  spirv.GlobalVariable @b{number} bind(0, {number}) : {bare(line)}" for number, line in wanted.items()]
    given.write_text("\n".join(["spirv.module Logical GLSL450 {", *lines, "}", ""]))
    found = variables(run(command, "opt", given, f"--decorate-spirv-composite-type-layout=rule={rule}"))
    if len(wanted) != len(shader.blocks):
        sys.exit(f"{len(wanted)} of {len(shader.blocks)} blocks are in the binary")
    wrong = [number for number, line in wanted.items() if found.get(number) != line]
    for number in wrong:
        print(f"{rule}: {shader.blocks[number]}\n  glslang: {wanted[number]}\n  mlirbc:  {found.get(number)}")
    return len(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mlirbc")
    parser.add_argument("--count", type=int, default=500, help="how many blocks of each rule")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="leave the last shader here")
    arguments = parser.parse_args()
    command, wrong = os.path.abspath(arguments.mlirbc), 0
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(arguments.keep or work)
        folder.mkdir(parents=True, exist_ok=True)
        for rule in RULES:
            for first in range(0, arguments.count, AT_ONCE):
                shader = Shader(random.Random(f"{arguments.seed} {rule} {first}"), rule)
                for _ in range(min(AT_ONCE, arguments.count - first)):
                    shader.block()
                wrong += compare(command, shader, rule, folder)
    print(f"{3 * arguments.count} blocks, {wrong} other than glslang's")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
