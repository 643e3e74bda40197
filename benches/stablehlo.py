#!/usr/bin/env python3
"""libStablehlo, as jaxlib has it, for `benches/stablehlo.rs`: does once what each line of standard input says, and answers with a line.

    stablehlo.py TEXT    a Python that has jaxlib; TEXT: a module of StableHLO

Answers first with the version of StableHLO that it writes. Lines: parse, print, deserialise, serialise (answered with seconds);
`write FOLDER` (puts its own text and artifact there), `text ARTIFACT FILE` (writes the text of an artifact).
One thread; contexts are made before the time begins.
"""

import sys
import time

from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, sdy, stablehlo

VERSION = stablehlo.get_current_version()


def context():
    made, registry = ir.Context(), ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    made.append_dialect_registry(registry)
    for dialect in (stablehlo, chlo, sdy):
        dialect.register_dialect(made)
    made.load_all_available_dialects()
    made.enable_multithreading(False)
    return made


def text_of(module):
    """Without the verification that printing begins with by default."""
    return module.operation.get_asm(binary=True, enable_debug_info=True, assume_verified=True)


def artifact_of(module):
    return stablehlo.serialize_portable_artifact(module, VERSION)


def timed(run, *arguments):
    start = time.perf_counter()
    result = run(*arguments)
    return time.perf_counter() - start, result


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def main():
    module = ir.Module.parse(read(sys.argv[1]), context())
    text, artifact = text_of(module), artifact_of(module)
    print(VERSION, flush=True)
    for line in sys.stdin:
        what, *paths = line.split()
        seconds = 0.0
        if what == "parse":
            seconds, _ = timed(ir.Module.parse, text, context())
        elif what == "print":
            seconds, _ = timed(text_of, module)
        elif what == "deserialise":
            seconds, _ = timed(stablehlo.deserialize_portable_artifact, context(), artifact)
        elif what == "serialise":
            seconds, _ = timed(artifact_of, module)
        elif what == "write":
            write(f"{paths[0]}/text", text)
            write(f"{paths[0]}/artifact", artifact)
        elif what == "text":
            write(paths[1], text_of(stablehlo.deserialize_portable_artifact(context(), read(paths[0]))))
        print(seconds, flush=True)


if __name__ == "__main__":
    main()
