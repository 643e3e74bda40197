"""SPIR-V assembly of one module: types and constants once each, decorations, functions as lines.

A type is a name or a tuple: "bool", "u8" to "i64", "f16" to "f64"; ("vec", scalar, lanes), ("mat", column, columns), ("arr", type,
length), ("struct", type...), ("ptr", class, type), ("fn", result, parameter...). Arrays and structs of a buffer have a layout, and so are
other types than those of variables: ("laid", type), ("run", type), ("block", type...), which have to be laid out when made.
"""
import struct

CAPABILITIES = {"u8": "Int8", "i8": "Int8", "u16": "Int16", "i16": "Int16", "u64": "Int64", "i64": "Int64", "f16": "Float16", "f64": "Float64"}


def width(scalar):
    return int(scalar[1:])


def is_vector(ty):
    return ty[0] == "vec"


def element(ty):
    return ty[1] if is_vector(ty) else ty


def lanes(ty):
    return ty[2] if is_vector(ty) else 1


def vector(scalar, count):
    return scalar if count == 1 else ("vec", scalar, count)


def is_int(ty):
    return element(ty)[0] in "ui" and isinstance(element(ty), str)


def is_float(ty):
    return element(ty)[0] == "f" and isinstance(element(ty), str) and element(ty) != "fn"


def is_bool(ty):
    return element(ty) == "bool"


def is_plain(ty):
    """A number, a truth value, or a vector of them."""
    return isinstance(ty, str) or is_vector(ty)


def layout(ty):
    """Size and alignment in a buffer, as std430 has them."""
    if isinstance(ty, str):
        return width(ty) // 8, width(ty) // 8
    if is_vector(ty):
        size, _ = layout(ty[1])
        return size * ty[2], size * (4 if ty[2] == 3 else ty[2])
    if ty[0] == "arr":
        size, alignment = layout(ty[1])
        return (size + alignment - 1) // alignment * alignment * ty[2], alignment
    offsets, size, alignment = offsets_of(ty)
    return size, alignment


def offsets_of(ty):
    """Where the members of a struct are, its size and its alignment."""
    at, most, offsets = 0, 1, []
    for member in ty[1:]:
        size, alignment = layout(member)
        at = (at + alignment - 1) // alignment * alignment
        offsets.append(at)
        at, most = at + size, max(most, alignment)
    return offsets, (at + most - 1) // most * most, most


class Module:
    """What is collected of a module, in the order that a module has."""

    def __init__(self, alone):
        # Whether each workgroup is of one invocation.
        self.alone = alone
        self.capabilities = ["Shader"]
        self.decorations, self.names, self.globals = [], [], []
        self.functions = []
        self.interface = []
        self.modes = []
        self.known = {}
        self.count = 0

    def fresh(self):
        self.count += 1
        return f"%{self.count}"

    def need(self, capability):
        if capability not in self.capabilities:
            self.capabilities.append(capability)

    def once(self, key, line):
        """The id of something that is defined once; `line` makes its definition behind `=`."""
        if key not in self.known:
            text = line()
            self.known[key] = self.fresh()
            self.globals.append(f"{self.known[key]} = {text}")
        return self.known[key]

    def type(self, ty):
        if isinstance(ty, str):
            if ty in CAPABILITIES:
                self.need(CAPABILITIES[ty])
            if ty[0] in "ui":
                return self.once(ty, lambda: f"OpTypeInt {width(ty)} {int(ty[0] == 'i')}")
            if ty[0] == "f":
                return self.once(ty, lambda: f"OpTypeFloat {width(ty)}")
            return self.once(ty, lambda: {"bool": "OpTypeBool", "void": "OpTypeVoid"}[ty])
        kind = ty[0]
        if kind == "vec":
            return self.once(ty, lambda: f"OpTypeVector {self.type(ty[1])} {ty[2]}")
        if kind == "mat":
            self.need("Matrix")
            return self.once(ty, lambda: f"OpTypeMatrix {self.type(ty[1])} {ty[2]}")
        if kind == "arr":
            return self.once(ty, lambda: f"OpTypeArray {self.type(ty[1])} {self.constant('u32', ty[2])}")
        if kind == "struct":
            return self.once(ty, lambda: " ".join(["OpTypeStruct", *map(self.type, ty[1:])]))
        if kind == "ptr":
            return self.once(ty, lambda: f"OpTypePointer {ty[1]} {self.type(ty[2])}")
        if kind == "fn":
            return self.once(ty, lambda: " ".join(["OpTypeFunction", *map(self.type, ty[1:])]))
        if kind in ("laid", "run"):
            return self.laid(ty)
        if kind == "block":
            return self.block(ty)
        raise AssertionError(ty)

    def laid(self, ty):
        """An array with a stride: of a length, or as long as its buffer is."""
        known = ty in self.known
        inner = ty[1]
        if ty[0] == "laid":
            made = self.once(ty, lambda: f"OpTypeArray {self.type(inner)} {self.constant('u32', ty[2])}")
        else:
            made = self.once(ty, lambda: f"OpTypeRuntimeArray {self.type(inner)}")
        if not known:
            size, alignment = layout(("struct", *inner[1:]) if inner[0] == "block" else inner)
            self.decorations.append(f"OpDecorate {made} ArrayStride {(size + alignment - 1) // alignment * alignment}")
        return made

    def block(self, ty):
        """A struct with offsets. Its last member may be an array as long as the buffer is."""
        if ty in self.known:
            return self.known[ty]
        made = self.once(ty, lambda: " ".join(["OpTypeStruct", *map(self.type, ty[1:])]))
        at = 0
        for number, member in enumerate(ty[1:]):
            inner = member[1] if member[0] in ("laid", "run") else member
            size, alignment = layout(("struct", *inner[1:]) if inner[0] == "block" else inner)
            at = (at + alignment - 1) // alignment * alignment
            self.decorations.append(f"OpMemberDecorate {made} {number} Offset {at}")
            at += size * (member[2] if member[0] == "laid" else 1)
        return made

    def constant(self, ty, value):
        """A number, a truth value, or a composite of constants that are given as values."""
        key = ("constant", ty, value if not isinstance(value, float) else value.hex())
        if ty == "bool":
            return self.once(key, lambda: f"Op{'ConstantTrue' if value else 'ConstantFalse'} {self.type(ty)}")
        if isinstance(ty, str):
            return self.once(key, lambda: f"OpConstant {self.type(ty)} {literal(ty, value)}")
        parts = [self.constant(part, given) for part, given in zip(parts_of(ty), value)]
        return self.once(key, lambda: " ".join([f"OpConstantComposite {self.type(ty)}", *parts]))

    def splat(self, ty, value):
        return self.constant(ty, (value,) * ty[2] if is_vector(ty) else value)

    def variable(self, ty, storage, name=None, initial=None):
        """A variable of the module."""
        pointer = self.type(("ptr", storage, ty))
        made = self.fresh()
        self.globals.append(f"{made} = OpVariable {pointer} {storage}" + (f" {initial}" if initial else ""))
        if name:
            self.names.append(f'OpName {made} "{name}"')
        self.interface.append((storage, made))
        return made

    def text(self, main, version, extensions):
        """The assembly, with the entry point `main`."""
        interface = [made for storage, made in self.interface if version >= (1, 4) or storage in ("Input", "Output")]
        lines = [f"OpCapability {name}" for name in self.capabilities]
        lines += [f'OpExtension "{name}"' for name in extensions]
        lines += ['%glsl = OpExtInstImport "GLSL.std.450"', "OpMemoryModel Logical GLSL450"]
        lines.append(" ".join([f'OpEntryPoint GLCompute {main} "main"', *interface]))
        lines += [f"OpExecutionMode {main} {mode}" for mode in self.modes]
        lines += self.names + self.decorations + self.globals
        for function in self.functions:
            lines += function
        return "\n".join(lines) + "\n"


def parts_of(ty):
    """The types of the parts of a composite."""
    if ty[0] in ("vec", "mat", "arr"):
        return (ty[1],) * ty[2]
    return ty[1:]


def literal(ty, value):
    """A number, as the assembler reads it to the bit."""
    if ty[0] != "f":
        return str(value)
    value = float(value)
    if value == 0 or value == int(value) and abs(value) < 2**20:
        return repr(value)
    return value.hex()


def rounded(ty, value):
    """The number of that type that is nearest."""
    letter = {"f16": "e", "f32": "f", "f64": "d"}[ty]
    return struct.unpack("<" + letter, struct.pack("<" + letter, value))[0]
