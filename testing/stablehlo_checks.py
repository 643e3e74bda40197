#!/usr/bin/env python3
"""Wrong modules of StableHLO: whether `mlirbc verify` refuses what libStablehlo refuses, and takes what that takes.

    testing/stablehlo_checks.py MLIRBC FOLDER [--each N] [--seed N] [--only OP] [--examples N] [--list]

The oracle is jaxlib, in a Python from $JAX_PYTHON or ~/.stablehlo/bin/python. It makes text of the portable artifacts in FOLDER. Of each operation of
`stablehlo`, `chlo` and `sdy` in these one thing at a time is changed: a number or a list of an attribute, a type of an operand, a result, an argument of a
region or of what a region gives (casts keep the rest as it was), how many there are of these, a case of an enum. Both sides say whether that verifies. An
operation gives up to N changes of each kind, the same ones for the same seed.

By operation: refused by both, refused by libStablehlo alone, taken by both, refused by mlirbc alone. Last line: stablehlo_checks: BOTH of REFUSED refused,
ALONE refused by mlirbc alone. Exit: 0 where mlirbc refuses nothing alone, 1 where it does.
"""

import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

PYTHON = os.environ.get("JAX_PYTHON", os.path.expanduser("~/.stablehlo/bin/python"))
HEAD = re.compile(r'^(\s*)(?:(%[\w$.-]+)(?::(\d+))? = )?"((?:stablehlo|chlo|sdy)\.[\w-]+)"\(([^)]*)\)')
TENSOR = re.compile(r"^tensor<((?:(?:\d+|\?)x)*)(.+)>$")
NUMBER = re.compile(r'(?<![\w.#%@"+-])-?\d+(?![\w.])')
ELEMENTS = ("f32", "f64", "i32", "i64", "i1", "ui32", "complex<f32>", "bf16", "i8")
CASES = {
    "comparison_direction": "EQ NE GE GT LE LT", "comparison_type": "NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED", "fft_type": "FFT IFFT RFFT IRFFT",
    "transpose": "TRANSPOSE_INVALID NO_TRANSPOSE TRANSPOSE ADJOINT", "rng_distribution": "UNIFORM NORMAL", "precision": "DEFAULT HIGH HIGHEST",
    "rng_algorithm": "DEFAULT THREE_FRY PHILOX",
}

# What mlirbc refuses alone: operands that groups of one size do not share out, of which a libStablehlo without assertions drops the last.
KNOWN = "groups of one size"

# --- the oracle's process ------------------------------------------------------------------------------------------


def serve():
    """Answers each line, a JSON string: of a file's name with the text of the artifact, of text with what is wrong with it, or null."""
    from jaxlib.mlir import ir
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, sdy, stablehlo

    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)

    def fresh():
        context = ir.Context()
        context.append_dialect_registry(registry)
        for dialect in (stablehlo, chlo, sdy):
            dialect.register_dialect(context)
        context.load_all_available_dialects()
        context.allow_unregistered_dialects = True
        return context

    answers, asked = os.fdopen(os.dup(1), "w"), 0
    os.dup2(2, 1)
    for line in sys.stdin:
        question = json.loads(line)
        if asked % 200 == 0:
            context = fresh()
        asked += 1
        try:
            if question.startswith("/"):
                with open(question, "rb") as file:
                    module = stablehlo.deserialize_portable_artifact(context, file.read())
                answer = module.operation.get_asm(print_generic_op_form=True)
            else:
                ir.Module.parse(question, context).operation.verify()
                answer = None
        except Exception as error:  # all that the bindings raise
            answer = "error: " + str(error)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


class Oracle:
    """Started again when it dies, as it does on some inputs."""

    process = None

    def ask(self, question):
        """The answer, or False where it dies."""
        if self.process is None:
            self.process = subprocess.Popen([PYTHON, os.path.abspath(__file__), "--oracle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True)
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.process.wait()
            self.process = None
            return False
        return json.loads(line)


# --- what is changed -----------------------------------------------------------------------------------------------


def marks(text, at=0):
    """The characters from a place on, but for strings and arrows: where each is, what it is, how deep in brackets it leaves one."""
    depth, quoted = 0, False
    while at < len(text):
        mark = text[at]
        if quoted:
            at += mark == "\\"
            quoted = mark != '"'
        elif mark == '"':
            quoted = True
        elif text.startswith("->", at):
            at += 1
        else:
            depth += (mark in "([{<") - (mark in ")]}>")
            yield at, mark, depth
        at += 1


def pieces(text):
    """A list at its commas, those inside of brackets and strings apart."""
    found, start = [], 0
    for at, mark, depth in marks(text):
        if mark == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return found + [last] if last else found


def closing(text, at):
    """Behind the bracket that closes the one at that place."""
    return next((end + 1 for end, mark, depth in marks(text, at) if mark in ")]}>" and depth == 0), len(text))


class Op:
    """An operation in generic text: its first and last line (the same one without regions), and what these say."""

    def __init__(self, lines, first):
        head = HEAD.match(lines[first])
        self.lines, self.first, self.last = lines, first, first
        self.indent, self.result, count, self.name, operands = head.groups()
        self.operands = pieces(operands)
        rest = lines[first][head.end():]
        self.properties = ""
        if rest.startswith(" <{"):
            end = closing(rest, 1)
            self.properties, rest = rest[3:end - 2], rest[end:]
        self.has_regions = rest.startswith(" ({")
        if self.has_regions:
            self.last = next(at for at in range(first + 1, len(lines)) if lines[at].startswith(self.indent + "})"))
            rest = lines[self.last][len(self.indent) + 2:]
        self.middle, _, types = rest.partition(" : (") if not rest.startswith(" {") else self.split_dictionary(rest)
        types = "(" + types
        end = closing(types, 0)
        self.types, results = pieces(types[1:end - 1]), types[end:].removeprefix(" -> ")
        self.results = pieces(results[1:-1]) if results.startswith("(") else [results]
        assert len(self.types) == len(self.operands) and len(self.results) == (int(count or 1) if self.result else 0), lines[first]

    @staticmethod
    def split_dictionary(rest):
        end = closing(rest, 1)
        return rest[:end], "", rest[end:].removeprefix(" : (")

    def inside(self):
        return self.lines[self.first + 1:self.last]

    def text(self, properties=None, operands=None, types=None, results=None, inside=None, before=(), after=(), result=None):
        """The module with this operation so."""
        def pick(given, own):
            return own if given is None else given

        operands, types, results = pick(operands, self.operands), pick(types, self.types), pick(results, self.results)
        properties, name = pick(properties, self.properties), pick(result, self.result)
        head = self.indent
        if name and results:
            head += name + (f":{len(results)}" if len(results) != 1 else "") + " = "
        head += f'"{self.name}"({", ".join(operands)})' + (f" <{{{properties}}}>" if properties else "")
        given = results[0] if len(results) == 1 and not results[0].startswith("(") else f'({", ".join(results)})'
        tail = f'{self.middle} : ({", ".join(types)}) -> {given}'
        own = [head + " ({", *pick(inside, self.inside()), self.indent + "})" + tail] if self.has_regions else [head + tail]
        return "\n".join([*self.lines[:self.first], *before, *own, *after, *self.lines[self.last + 1:]])


def cast(indent, to, value, old, new):
    """Values of some types as values of others."""
    to = f"{to} = " if to else ""
    return f'{indent}{to}"builtin.unrealized_conversion_cast"({", ".join(value)}) : ({", ".join(old)}) -> ' + (new[0] if len(new) == 1 else f'({", ".join(new)})')


def other_types(ty, draw):
    """Some types that are not much unlike that one."""
    tensor = TENSOR.match(ty)
    if not tensor:
        return ["tensor<f32>", "!stablehlo.token"]
    element, _, encoding = tensor[2].partition(", #")
    sizes, encoding = tensor[1].split("x")[:-1], ", #" + encoding if encoding else ""

    def tensor_of(sizes, element=element):
        return f"tensor<{''.join(size + 'x' for size in sizes)}{element}{encoding}>"

    found = [tensor_of(sizes, draw.choice([other for other in ELEMENTS if other != element])) for _ in range(2)]
    found.append(tensor_of([*sizes, "2"]))
    if sizes:
        at = draw.randrange(len(sizes))
        known = int(sizes[at]) if sizes[at] != "?" else 3
        for size in (str(known + 1), str(max(known - 1, 0)), "?", str(2 * known), "0"):
            found.append(tensor_of([*sizes[:at], size, *sizes[at + 1:]]))
        found.append(tensor_of([*sizes[:at], *sizes[at + 1:]]))
        found.append(tensor_of([*sizes, sizes[at]]))
        found.append(tensor_of([*sizes[1:], sizes[0]]))
    return [other for other in found if other != ty]


def numbers(op, draw):
    text = op.properties
    for found in NUMBER.finditer(text):
        old = int(found[0])
        for new in {old + 1, old - 1, -1, 0, 2 * old + 1, 7, 1 << 40} - {old}:
            yield op.text(properties=text[:found.start()] + str(new) + text[found.end():])
    for found in re.finditer(r"\b(true|false)\b", text):
        yield op.text(properties=text[:found.start()] + ("false" if found[0] == "true" else "true") + text[found.end():])


def lists(op, draw):
    text = op.properties
    for found in re.finditer(r"(array<i\d+: |\[)(-?\d+(?:, -?\d+)*)(?=[>\]])", text):
        items = found[2].split(", ")
        for new in (items[:-1], [*items, items[-1]], [*items, str(len(items))], items[1:], items[::-1]):
            if new and new != items:
                yield op.text(properties=text[:found.start(2)] + ", ".join(new) + text[found.end():])
            elif new != items:
                yield op.text(properties=text[:found.start(1)] + found[1].rstrip(": ") + text[found.end():])
    for found in re.finditer(r"dense<([^>]*)> : tensor<((?:\d+x)+)(i64|i1)>", text):
        sizes = [int(size) for size in found[2].split("x")[:-1]]
        for at in range(len(sizes)):
            for size in (sizes[at] + 1, max(sizes[at] - 1, 0)):
                shape = "".join(f"{size if at == other else old}x" for other, old in enumerate(sizes))
                value = ("true" if found[3] == "i1" else "1") if "0x" not in f"x{shape}".replace("x", "x", 1) and "0x" not in shape else ""
                yield op.text(properties=f"{text[:found.start()]}dense<{value}> : tensor<{shape}{found[3]}>{text[found.end():]}")
        shape = "".join(f"{size}x" for size in [*sizes, 1])
        if 0 not in sizes:
            yield op.text(properties=f"{text[:found.start()]}dense<{'true' if found[3] == 'i1' else 0}> : tensor<{shape}{found[3]}>{text[found.end():]}")
        count = 1
        for size in sizes:
            count *= size
        if 0 < count < 64 and found[3] == "i64" and len(sizes) == 2:
            values = list(range(count))
            draw.shuffle(values)
            rows = [values[at:at + sizes[1]] for at in range(0, count, sizes[1])]
            yield op.text(properties=f"{text[:found.start()]}dense<{rows}> : tensor<{found[2]}i64>{text[found.end():]}")


def attributes(op, draw):
    entries = pieces(op.properties)
    for at in range(len(entries)):
        yield op.text(properties=", ".join(entries[:at] + entries[at + 1:]))
    for found in re.finditer(r"#stablehlo<(\w+) (\w+)>", op.properties):
        for case in CASES.get(found[1], "").split():
            if case != found[2]:
                yield op.text(properties=op.properties[:found.start(2)] + case + op.properties[found.end(2):])


def operand_types(op, draw):
    for at, (value, ty) in enumerate(zip(op.operands, op.types)):
        for new in other_types(ty, draw):
            yield op.text(operands=[*op.operands[:at], "%changed", *op.operands[at + 1:]], types=[*op.types[:at], new, *op.types[at + 1:]],
                          before=[cast(op.indent, "%changed", [value], [ty], [new])])


def result_types(op, draw):
    for at, ty in enumerate(op.results if op.result else ()):
        for new in other_types(ty, draw):
            results = [*op.results[:at], new, *op.results[at + 1:]]
            many = len(results) > 1
            values = [f"%changed#{number}" for number in range(len(results))] if many else ["%changed"]
            back = cast(op.indent, op.result + (f":{len(results)}" if many else ""), values, results, op.results)
            yield op.text(results=results, result="%changed", after=[back])


def counts(op, draw):
    if op.operands:
        yield op.text(operands=op.operands[:-1], types=op.types[:-1])
        yield op.text(operands=[*op.operands, op.operands[-1]], types=[*op.types, op.types[-1]])
        yield op.text(operands=op.operands[1:], types=op.types[1:])
    if op.result:
        yield op.text(results=[*op.results, op.results[-1]], result="%changed",
                      after=[cast(op.indent, op.result + (f":{len(op.results)}" if len(op.results) > 1 else ""),
                                  [f"%changed#{at}" for at in range(len(op.results))], op.results, op.results)])


def blocks(op):
    """The first lines of the operation's own blocks and what ends these, by line of what is inside."""
    inside, deeper = op.inside(), op.indent + "  "
    for at, line in enumerate(inside):
        if line.startswith(op.indent + "^"):
            yield at, "head"
        elif re.match(re.escape(deeper) + r'"(stablehlo|sdy)\.return"\(', line):
            yield at, "end"


def region_arguments(op, draw):
    inside = op.inside()
    for at, what in blocks(op):
        line = inside[at]
        if what == "head" and "(" in line:
            label, arguments = line[:line.index("(")], pieces(line[line.index("(") + 1:-2])
            for number, argument in enumerate(arguments):
                name, ty = argument.split(": ", 1)
                for new in other_types(ty, draw):
                    changed = [*arguments[:number], f"%changed: {new}", *arguments[number + 1:]]
                    yield op.text(inside=[*inside[:at], f"{label}({', '.join(changed)}):", cast(op.indent + "  ", name, ["%changed"], [new], [ty]),
                                          *inside[at + 1:]])
            yield op.text(inside=[*inside[:at], f"{label}({', '.join([*arguments, '%changed: tensor<f32>'])}):", *inside[at + 1:]])


def region_results(op, draw):
    inside = op.inside()
    for at, what in blocks(op):
        if what != "end":
            continue
        line = inside[at]
        name, rest = line[:line.index("(")], line[line.index("("):]
        end = closing(rest, 0)
        values, types = pieces(rest[1:end - 1]), rest[end:].removeprefix(" : ")
        types = pieces(types[1:closing(types, 0) - 1])

        def ending(values, types):
            return f'{name}({", ".join(values)}) : ({", ".join(types)}) -> ()'

        for number, (value, ty) in enumerate(zip(values, types)):
            for new in other_types(ty, draw):
                yield op.text(inside=[*inside[:at], cast(op.indent + "  ", "%changed", [value], [ty], [new]),
                                      ending([*values[:number], "%changed", *values[number + 1:]], [*types[:number], new, *types[number + 1:]]),
                                      *inside[at + 1:]])
        if values:
            yield op.text(inside=[*inside[:at], ending(values[:-1], types[:-1]), *inside[at + 1:]])
            yield op.text(inside=[*inside[:at], ending([*values, values[0]], [*types, types[0]]), *inside[at + 1:]])


KINDS = (numbers, lists, attributes, operand_types, result_types, counts, region_arguments, region_results)

# --- both sides ----------------------------------------------------------------------------------------------------


def verified(mlirbc, texts):
    """Of each text what `mlirbc verify` says is wrong, or None."""
    with tempfile.TemporaryDirectory() as work:
        paths = [os.path.join(work, f"{at}.mlir") for at in range(len(texts))]
        for path, text in zip(paths, texts):
            with open(path, "w") as file:
                file.write(text)
        answers = []
        for at in range(0, len(paths), 500):
            done = subprocess.run([mlirbc, "verify", "--json", *paths[at:at + 500]], capture_output=True, text=True)
            answers += [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(texts), "mlirbc verify gives a line a file"
    return [None if answer["ok"] else str(answer["errors"]) for answer in answers]


def main():
    if sys.argv[1:] == ["--oracle"]:
        return serve()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mlirbc")
    parser.add_argument("folder")
    parser.add_argument("--each", type=int, default=12, help="how many changes of a kind an operation gives at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="operations whose name has this in it")
    parser.add_argument("--examples", type=int, default=2, help="how many of what one side alone refuses are shown, an operation")
    parser.add_argument("--list", action="store_true", help="show the text of these, too")
    args = parser.parse_args()
    oracle, sites = Oracle(), collections.defaultdict(list)
    modules = {}
    for name in sorted(os.listdir(args.folder)):
        text = oracle.ask(os.path.abspath(os.path.join(args.folder, name)))
        if text and not text.startswith("error: ") and oracle.ask(text) is None:
            modules.setdefault(text, name)
    for (text, name), wrong in zip(modules.items(), verified(args.mlirbc, list(modules))):
        if wrong:
            print(f"!! {name} as it is: {wrong}")
            continue
        lines = text.splitlines()
        for at, line in enumerate(lines):
            if HEAD.match(line):
                op = Op(lines, at)
                if not args.only or args.only in op.name:
                    sites[op.name].append(op)
    changed, dead = [], 0
    for name, ops in sorted(sites.items()):
        draw = random.Random(f"{args.seed} {name}")
        for kind in KINDS:
            # Of each operation as many as there is room for, of all of them in turn.
            chosen = draw.sample(ops, min(len(ops), args.each))
            of_each = [draw.sample(all_of, len(all_of)) for all_of in (list(kind(op, draw)) for op in chosen)]
            some = [text for turn in range(args.each) for texts in of_each if turn < len(texts) for text in [texts[turn]]]
            changed += [(name, kind.__name__, text) for text in some[:args.each]]
    theirs = []
    for _, _, text in changed:
        theirs.append(oracle.ask(text))
        dead += theirs[-1] is False
    ours = verified(args.mlirbc, [text for _, _, text in changed])
    counted, shown = collections.defaultdict(collections.Counter), collections.defaultdict(list)
    for (name, kind, text), their, our in zip(changed, theirs, ours):
        if their is False or their is None and our and KNOWN in our:
            continue
        what = (their is not None, our is not None)
        counted[name][what] += 1
        if what[0] != what[1]:
            shown[name, what].append((kind, their or our, text))
    print(f"{'operation':36}{'both':>6}{'theirs':>8}{'taken':>7}{'OURS':>6}   refused by both, by libStablehlo alone, taken by both, refused by mlirbc alone")
    total = collections.Counter()
    for name in sorted(counted):
        of = counted[name]
        total.update(of)
        print(f"{name:36}{of[True, True]:6}{of[True, False]:8}{of[False, False]:7}{of[False, True]:6}")
        for what, who in (((False, True), "mlirbc"), ((True, False), "libStablehlo")):
            reasons = {}
            for kind, reason, text in shown[name, what]:
                reason = re.sub(r"^error: (?:Unable to parse module assembly:|Verification failed:)?\s*|error: ", "", reason).strip().split("\n")[0]
                reasons.setdefault(re.sub(r'\S*/\S+|"-":|\b\d+\b', "_", reason), (kind, reason, text))
            for kind, reason, text in list(reasons.values())[:args.examples]:
                print(f"    {who} alone, {kind}: {reason[:220]}")
                if args.list:
                    print("      | " + "\n      | ".join(text.splitlines()))
    refused = total[True, True] + total[True, False]
    print(f"{len(changed)} modules of {len(modules)}; libStablehlo died of {dead}")
    print(f"stablehlo_checks: {total[True, True]} of {refused} refused, {total[False, True]} refused by mlirbc alone")
    return int(total[False, True] > 0)


if __name__ == "__main__":
    sys.exit(main())
