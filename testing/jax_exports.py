#!/usr/bin/env python3
"""Twenty programs of JAX through the command, as `jax.export` saves them.

    testing/jax_exports.py MLIRBC     with a Python that has JAX: $JAX_PYTHON, or ~/.stablehlo/bin/python

Of each: every command opens what `Exported.serialize()` gives; an artifact of an older version, without locations, is put in its place, and
JAX computes the same numbers of it; one that differs in a shape, a constant or an operation differs so by `mlirbc diff`.
Last line: jax_exports: OK of TOTAL. Exit: 0 all, 1 some are not.
"""

import os
import subprocess
import sys
import tempfile

PYTHON = os.environ.get("JAX_PYTHON", os.path.expanduser("~/.stablehlo/bin/python"))


def programs():
    """Of each: its name, the function, its arguments, the function that differs, its arguments, what the difference shows."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax

    def numbers(*shape):
        return np.linspace(0.1, 1.7, num=int(np.prod(shape)), dtype=np.float32).reshape(shape)

    a, b, v = numbers(4, 3), numbers(3, 5), numbers(6)
    ints = np.arange(6, dtype=np.int32)
    image = numbers(1, 8, 8, 2)
    kernel = numbers(3, 3, 2, 4)

    def convolve(x, k):
        return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def scan(x, step):
        return lax.scan(lambda c, y: (c * step + y, c), 0.0, x)

    return [
        ("add", lambda x: x + 1.0, (v,), lambda x: x + 2.0, (v,), "2.0"),
        ("matmul", lambda x, y: x @ y, (a, b), lambda x, y: x @ y, (a, numbers(3, 7)), "3x7"),
        ("sine", lambda x: jnp.sin(x), (v,), lambda x: jnp.cos(x), (v,), "cosine"),
        ("softmax", lambda x: jax.nn.softmax(x), (a,), lambda x: jax.nn.softmax(x, axis=0), (a,), "dim"),
        ("where", lambda x: jnp.where(x > 0.5, x, 0.0), (v,), lambda x: jnp.where(x < 0.5, x, 0.0), (v,), "LT"),
        ("sum", lambda x: x.sum(axis=0), (a,), lambda x: x.sum(axis=1), (a,), "array<i64: 1>"),
        ("transpose", lambda x: x.T, (a,), lambda x: x.T, (numbers(2, 3),), "3x2"),
        ("reshape", lambda x: x.reshape(2, 6), (a,), lambda x: x.reshape(6, 2), (a,), "6x2"),
        ("concatenate", lambda x: jnp.concatenate([x, x]), (v,), lambda x: jnp.concatenate([x, x, x]), (v,), "18x"),
        ("slice", lambda x: x[1:4], (v,), lambda x: x[2:4], (v,), "array<i64: 2>"),
        ("gather", lambda x, i: x[i], (v, ints), lambda x, i: x[i + 1], (v, ints), "add"),
        ("sort", lambda x: jnp.sort(x), (v,), lambda x: -jnp.sort(x), (v,), "negate"),
        ("convolution", convolve, (image, kernel), convolve, (image, numbers(3, 3, 2, 8)), "3x3x2x8"),
        ("scan", lambda x: scan(x, 0.5), (v,), lambda x: scan(x, 0.25), (v,), "2.5"),
        ("while", lambda x: lax.fori_loop(0, 5, lambda i, c: c * 1.5, x), (v,),
         lambda x: lax.fori_loop(0, 7, lambda i, c: c * 1.5, x), (v,), "7"),
        ("cond", lambda x: lax.cond(x[0] > 0, jnp.sin, jnp.cos, x), (v,),
         lambda x: lax.cond(x[0] > 0, jnp.tanh, jnp.cos, x), (v,), "tanh"),
        ("integers", lambda x: x * 3 // 2, (ints,), lambda x: x * 5 // 2, (ints,), "5"),
        ("grad", jax.grad(lambda x: jnp.sum(x ** 3)), (v,), jax.grad(lambda x: jnp.sum(x ** 4)), (v,), "4.0"),
        ("vmap", jax.vmap(lambda x: x / jnp.sum(x)), (a,), jax.vmap(lambda x: x / jnp.max(x)), (a,), "max"),
        ("cumulate", lambda x: jnp.cumsum(x), (v,), lambda x: jnp.cumprod(x), (v,), "multiply"),
    ]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import export

    mlirbc = os.path.abspath(sys.argv[1])

    def saved(path, function, arguments):
        exported = export.export(jax.jit(function), platforms=["cpu"])(*arguments)
        with open(path, "wb") as file:
            file.write(exported.serialize())

    def call(path, arguments):
        with open(path, "rb") as file:
            results = export.deserialize(bytearray(file.read())).call(*map(jnp.asarray, arguments))
        return [np.asarray(result) for result in jax.tree.leaves(results)]

    def run(*words):
        done = subprocess.run([mlirbc, *words], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    right, all_programs = 0, programs()
    with tempfile.TemporaryDirectory() as folder:
        for name, function, arguments, other, other_arguments, shown in all_programs:
            path, changed, differing, store = (os.path.join(folder, f"{name}{end}") for end in (".jax", ".new", ".other", ".store"))
            saved(path, function, arguments)
            saved(differing, other, other_arguments)
            wrong = []
            for words in (["print", path], ["inspect", path], ["inspect", "--bytes", path], ["verify", path], ["index", path],
                          ["bench", path, "--reps", "1"], ["diff", path, path], ["opt", path, "--cse"],
                          ["resources", "list", path], ["store", "put", "--store", store, path],
                          ["convert", path, "--to", "mlir", "--dialect", "stablehlo"]):
                code, _, error = run(*words)
                if code:
                    wrong.append(f"{words[0]}: {error.strip()}")
            code, _, error = run("convert", path, "--to", "mlirbc", "--stablehlo-version", "1.5.0", "--strip-locations",
                                 "--keep-export", "-o", changed)
            if code:
                wrong.append(f"another artifact: {error.strip()}")
            elif not all(np.array_equal(*pair) for pair in zip(call(path, arguments), call(changed, arguments), strict=True)):
                wrong.append("other numbers")
            code, text, error = run("diff", path, differing)
            if code != 1 or shown not in text:
                wrong.append(f"diff ({code}) does not show {shown!r}:\n{text}{error}")
            right += not wrong
            for line in wrong:
                print(f"{name}: {line}")
    print(f"jax_exports: {right} of {len(all_programs)}")
    return right != len(all_programs)


if __name__ == "__main__":
    if not sys.executable.startswith(os.path.dirname(PYTHON)) and os.path.exists(PYTHON):
        os.execv(PYTHON, [PYTHON, *sys.argv])
    sys.exit(main())
