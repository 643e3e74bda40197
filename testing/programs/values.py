"""Random values: expressions of every type that have one meaning, whoever computes them.

Every float in reach is a number between bounds (`BOUNDS`) within which sums and products are neither denormal nor infinite: what an operation
gives is put back between them, which also leaves no zeros, whose sign could differ. Floats whose operations may be done in any order
(products of matrices) are small whole numbers.
"""
from .assembly import element, is_float, is_int, is_plain, is_vector, lanes, parts_of, rounded, vector, width

INTEGERS = ("u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64")
FLOATS = ("f16", "f32", "f64")
BOUNDS = {"f16": (2.0**-4, 2.0**7), "f32": (2.0**-20, 2.0**20), "f64": (2.0**-20, 2.0**20)}
LARGEST = {"f16": 2.0**7, "f32": 2.0**20, "f64": 2.0**20}
COMPARED = ("Equal", "NotEqual", "LessThan", "GreaterThan", "LessThanEqual", "GreaterThanEqual")


def turned(scalar):
    """The integer of the same width and the other sign."""
    return ("i" if scalar[0] == "u" else "u") + scalar[1:]


class Values:
    """Operations of one function, in the block at hand. `env` lists the values in reach, the innermost block's last."""

    def __init__(self, module, random, kinds):
        # A pointer to the word that all goes into.
        self.sum = None
        self.module, self.random, self.kinds = module, random, kinds
        self.lines, self.env, self.variables = [], [[]], [[]]
        self.budget = 0

    # What is made.

    def op(self, name, ty, *operands, exact=False):
        """An operation with a result, which is in reach from then on where `keep` says so."""
        made = self.module.fresh()
        self.lines.append(f"{made} = Op{name} {self.module.type(ty)} {' '.join(map(str, operands))}".rstrip())
        if exact:
            self.module.decorations.append(f"OpDecorate {made} NoContraction")
        self.budget -= 1
        return made

    def glsl(self, name, ty, *operands):
        return self.op("ExtInst", ty, "%glsl", name, *operands)

    def effect(self, name, *operands):
        self.lines.append(f"Op{name} {' '.join(map(str, operands))}".rstrip())

    def keep(self, made, ty):
        self.env[-1].append((made, ty))
        return made

    def chance(self, share):
        return self.random.random() < share

    # Constants.

    def number(self, scalar):
        """A constant of a number: often one at the edge."""
        random = self.random
        if scalar == "bool":
            return random.random() < 0.5
        if scalar[0] == "f":
            low, high = BOUNDS[scalar]
            sign = random.choice((-1.0, 1.0))
            if random.random() < 0.5:
                return sign * random.choice((0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, 10.0))
            value = rounded(scalar, random.uniform(0.5, 1.0) * 2.0 ** random.randrange(-3 if scalar == "f16" else -18, 7 if scalar == "f16" else 20))
            return sign * min(max(value, low), high)
        bits = width(scalar)
        low, high = (0, 2**bits - 1) if scalar[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        if random.random() < 0.5:
            return random.choice((low, high, 1, 0, 2, 3, high // 2, low + 1, 5, 10))
        return random.randint(low, high)

    def constant(self, ty):
        if isinstance(ty, str):
            return self.module.constant(ty, self.number(ty))
        return self.module.constant(ty, self.given(ty))

    def given(self, ty):
        """A constant's value of any type."""
        return self.number(ty) if isinstance(ty, str) else tuple(self.given(part) for part in parts_of(ty))

    def splat(self, ty, value):
        return self.module.splat(ty, value)

    # Choosing.

    def scalar(self):
        return self.random.choice(self.kinds)

    def lanes(self):
        return self.random.choice((1, 1, 1, 2, 3, 4))

    def any_type(self):
        return vector(self.scalar(), self.lanes())

    def integer(self):
        return self.random.choice([kind for kind in self.kinds if kind[0] in "ui"])

    def aggregate(self):
        """A struct or an array."""
        if self.chance(0.5):
            return ("arr", self.any_type(), self.random.choice((2, 3, 4, 5)))
        return ("struct", *(self.any_type() for _ in range(self.random.choice((1, 2, 3, 4)))))

    def value(self, ty, depth=3):
        """A value of a type: one that is in reach, a constant or a new one."""
        known = [made for scope in self.env for made, of in scope if of == ty]
        if depth <= 0 or self.budget <= 0:
            if known and self.chance(0.8):
                return self.random.choice(known[-8:])
            return self.constant(ty)
        if known and self.chance(0.35):
            return self.random.choice(known[-12:])
        if self.chance(0.08):
            return self.constant(ty)
        variables = [made for scope in self.variables for made, of, _ in scope if of == ty]
        if variables and self.chance(0.3):
            return self.keep(self.op("Load", ty, self.random.choice(variables)), ty)
        return self.keep(self.made(ty, depth - 1), ty)

    def made(self, ty, depth):
        """A new value."""
        if not is_plain(ty):
            return self.composite(ty, depth)
        ways = [self.selected, self.taken_out]
        if is_vector(ty):
            ways += [self.composite, self.shuffled, self.inserted, self.inserted_dynamically, self.by_lanes]
        else:
            ways += [self.taken_out, self.taken_out_dynamically]
        if is_int(ty):
            ways += [self.integer_binary] * 6 + [self.integer_unary, self.shift, self.shift, self.quotient, self.integer_glsl, self.integer_glsl]
            ways += [self.converted_to_integer] * 3 + [self.extended]
            if width(element(ty)) == 32:
                ways += [self.bits, self.bits, self.highest]
            if ty == "u32" and "f32" in self.kinds:
                ways += [self.packed]
            if self.cast_from(ty):
                ways += [self.cast]
        elif is_float(ty):
            ways += [self.float_binary] * 5 + [self.float_glsl] * 3 + [self.converted_to_float] * 3
            ways += [self.whole, self.parted, self.rounded, self.blended]
            if element(ty) == "f32":
                ways += [self.quantized]
                if lanes(ty) < 3:
                    ways += [self.unpacked]
            if self.cast_from(ty):
                ways += [self.cast]
        else:
            ways = [self.compared] * 4 + [self.logical] * 2 + [self.selected]
            if not is_vector(ty):
                ways += [self.reduced]
        return self.random.choice(ways)(ty, depth)

    # Of every type.

    def selected(self, ty, depth):
        condition = self.value(vector("bool", lanes(ty)), depth)
        return self.op("Select", ty, condition, self.value(ty, depth), self.value(ty, depth))

    def composite(self, ty, depth):
        """Of its parts; a vector of shorter vectors, too."""
        if is_vector(ty) and ty[2] > 2 and self.chance(0.5):
            first = self.random.randrange(1, ty[2])
            parts = [vector(ty[1], first), vector(ty[1], ty[2] - first)]
        else:
            parts = parts_of(ty)
        if not is_plain(ty) and self.chance(0.3):
            at = self.random.randrange(len(parts))
            return self.op("CompositeInsert", ty, self.value(parts[at], depth), self.value(ty, depth - 1), at)
        if not is_plain(ty) and self.chance(0.2):
            return self.op("CopyObject", ty, self.value(ty, depth - 1))
        return self.op("CompositeConstruct", ty, *(self.value(part, depth - 1) for part in parts))

    def taken_out(self, ty, depth):
        """A part of a composite."""
        around = []
        if not is_vector(ty):
            around += [("vec", ty, self.random.choice((2, 3, 4)))] * 3
        if self.chance(0.7):
            around += [("arr", ty, self.random.choice((2, 3))), ("struct", self.scalar(), ty, self.any_type())]
        known = [(made, of) for scope in self.env for made, of in scope if not is_plain(of) and ty in parts_of(of)]
        if known and self.chance(0.7):
            made, of = self.random.choice(known)
            at = self.random.choice([at for at, part in enumerate(parts_of(of)) if part == ty])
            return self.op("CompositeExtract", ty, made, at)
        if not around:
            return self.selected(ty, depth)
        of = self.random.choice(around)
        at = self.random.choice([at for at, part in enumerate(parts_of(of)) if part == ty])
        return self.op("CompositeExtract", ty, self.value(of, depth), at)

    def index(self, count, depth):
        """A number below a count, of any type. Where that has no sign, it is read as if it had one."""
        ty = self.random.choice([kind for kind in self.kinds if kind[0] == "u" and count < 2 ** (width(kind) - 1)])
        given = self.value(ty, depth)
        if count & (count - 1) == 0 and self.chance(0.5):
            made = self.op("BitwiseAnd", ty, given, self.module.constant(ty, count - 1))
        else:
            made = self.op("UMod", ty, given, self.module.constant(ty, count))
        return self.either(made, ty)

    def taken_out_dynamically(self, ty, depth):
        of = ("vec", ty, self.random.choice((2, 3, 4)))
        return self.op("VectorExtractDynamic", ty, self.value(of, depth), self.index(of[2], depth - 1))

    def inserted_dynamically(self, ty, depth):
        return self.op("VectorInsertDynamic", ty, self.value(ty, depth), self.value(ty[1], depth - 1), self.index(ty[2], depth - 1))

    def inserted(self, ty, depth):
        return self.op("CompositeInsert", ty, self.value(ty[1], depth), self.value(ty, depth), self.random.randrange(ty[2]))

    def shuffled(self, ty, depth):
        first, second = (("vec", ty[1], self.random.choice((2, 3, 4))) for _ in range(2))
        if self.chance(0.5):
            second = first
        chosen = [self.random.randrange(first[2] + second[2]) for _ in range(ty[2])]
        return self.op("VectorShuffle", ty, self.value(first, depth), self.value(second, depth), *chosen)

    def by_lanes(self, ty, depth):
        """An operation on the lanes of a longer vector, of which some are taken."""
        longer = ("vec", ty[1], 4)
        made = self.value(longer, depth)
        return self.op("VectorShuffle", ty, made, made, *self.random.sample(range(4), ty[2]))

    def cast_from(self, ty):
        """Types of as many bits. Of one number as a vector of four, llvmpipe 22.3.6 loses the highest 16 bits."""
        total = width(element(ty)) * lanes(ty)
        types = [vector(kind, count) for kind in self.kinds for count in (1, 2, 3, 4) if kind != "bool" and width(kind) * count == total]
        return [of for of in types if of != ty and {lanes(of), lanes(ty)} != {1, 4} and not (lanes(of) == 3 and lanes(ty) != 3) and not (lanes(ty) == 3 and lanes(of) != 3)]

    def cast(self, ty, depth):
        of = self.random.choice(self.cast_from(ty))
        given = self.value(of, depth)
        if not is_float(ty):
            return self.op("Bitcast", ty, given)
        # Without the highest bit of the exponent, it is a number. llvmpipe 22.3.6 takes all of a constant vector for none where its first
        # element is none.
        whole = vector("u" + element(ty)[1:], lanes(ty))
        given = self.op("Bitcast", whole, given) if of != whole else given
        bits = self.op("BitwiseAnd", whole, given, self.splat(whole, 2 ** width(element(ty)) - 1 - 2 ** (width(element(ty)) - 2)))
        return self.tamed(self.op("Bitcast", ty, bits), ty)

    # Truth values.

    def compared(self, ty, depth):
        count = lanes(ty)
        kind = self.random.choice([kind for kind in self.kinds if kind != "bool"])
        of = vector(kind, count)
        name = self.random.choice(COMPARED)
        if kind[0] == "f":
            left, right = (self.special(of, depth) for _ in range(2))
            if self.chance(0.15):
                return self.op(self.random.choice(("IsNan", "IsInf")), ty, left)
            return self.op(self.random.choice(("FOrd", "FUnord")) + name, ty, left, right)
        sign = "I" if name in ("Equal", "NotEqual") else self.random.choice("US")
        return self.op(sign + name, ty, self.whole_operand(of, depth), self.whole_operand(of, depth))

    def special(self, ty, depth):
        """A float that may be infinite or no number; nothing but comparisons looks at it."""
        made = self.value(ty, depth)
        if self.chance(0.7):
            return made
        bits = {"f16": (0x7C00, 0xFC00, 0x7E00), "f32": (0x7F800000, 0xFF800000, 0x7FC00000), "f64": (0x7FF << 52, 0xFFF << 52, 0x7FF8 << 48)}
        whole = "u" + element(ty)[1:]
        other = self.op("Bitcast", ty, self.splat(vector(whole, lanes(ty)), self.random.choice(bits[element(ty)])))
        return self.op("Select", ty, self.value(vector("bool", lanes(ty)), depth - 1), other, made)

    def logical(self, ty, depth):
        name = self.random.choice(("And", "Or", "Equal", "NotEqual", "Not"))
        operands = [self.value(ty, depth) for _ in range(1 if name == "Not" else 2)]
        return self.op("Logical" + name, ty, *operands)

    def reduced(self, ty, depth):
        return self.op(self.random.choice(("Any", "All")), ty, self.value(("vec", "bool", self.random.choice((2, 3, 4))), depth))

    # Integers.

    def either(self, made, ty):
        """The same bits, often of the other sign: most operations on integers ask for widths alone."""
        return self.op("Bitcast", vector(turned(element(ty)), lanes(ty)), made) if self.chance(0.15) else made

    def whole_operand(self, ty, depth):
        """An integer of that width, of either sign."""
        other = vector(turned(element(ty)), lanes(ty))
        if self.chance(0.25) and element(other) in self.kinds:
            return self.value(other, depth)
        return self.either(self.value(ty, depth), ty)

    def integer_binary(self, ty, depth):
        name = self.random.choice(("IAdd", "ISub", "IMul", "BitwiseAnd", "BitwiseOr", "BitwiseXor"))
        return self.op(name, ty, self.whole_operand(ty, depth), self.whole_operand(ty, depth))

    def integer_unary(self, ty, depth):
        return self.op(self.random.choice(("SNegate", "Not")), ty, self.whole_operand(ty, depth))

    def shift(self, ty, depth):
        """By less than the width; the amount may be of another one."""
        kinds = [kind for kind in self.kinds if kind[0] in "ui" and (width(kind) <= 32 or width(element(ty)) == 64)]
        amount = vector(self.random.choice(kinds), lanes(ty))
        mask = self.splat(amount, width(element(ty)) - 1)
        by = self.op("BitwiseAnd", amount, self.value(amount, depth - 1), mask)
        name = self.random.choice(("ShiftLeftLogical", "ShiftRightLogical", "ShiftRightArithmetic"))
        return self.op(name, ty, self.whole_operand(ty, depth), by)

    def quotient(self, ty, depth):
        """Not by zero, and never the lowest number by -1. What is left of signed numbers, of those that have no sign."""
        scalar = element(ty)
        if scalar[0] == "u":
            divisor = self.op("BitwiseOr", ty, self.value(ty, depth), self.splat(ty, 1))
            return self.op(self.random.choice(("UDiv", "UMod")), ty, self.value(ty, depth), divisor)
        small = self.op("BitwiseAnd", ty, self.value(ty, depth), self.splat(ty, self.random.choice((7, 63, 2 ** (width(scalar) - 1) - 3))))
        divisor = self.op("IAdd", ty, small, self.splat(ty, 2))
        name = self.random.choice(("SDiv", "SDiv", "SRem", "SMod"))
        if name == "SDiv":
            if self.chance(0.5):
                divisor = self.op("SNegate", ty, divisor)
            return self.op(name, ty, self.whole_operand(ty, depth), self.either(divisor, ty))
        left = self.op("BitwiseAnd", ty, self.value(ty, depth), self.splat(ty, 2 ** (width(scalar) - 1) - 1))
        return self.op(name, ty, self.either(left, ty), self.either(divisor, ty))

    def integer_glsl(self, ty, depth):
        sign = "U" if element(ty)[0] == "u" else "S"
        name = self.random.choice(("Min", "Max", "Clamp", "Abs", "Sign"))
        if name in ("Abs", "Sign") and sign == "S":
            return self.glsl("S" + name, ty, self.whole_operand(ty, depth))
        if name == "Clamp":
            low, high = sorted((self.number(element(ty)), self.number(element(ty))))
            return self.glsl(sign + name, ty, self.whole_operand(ty, depth), self.splat(ty, low), self.splat(ty, high))
        sign = self.random.choice("US")
        return self.glsl(sign + self.random.choice(("Min", "Max")), ty, self.whole_operand(ty, depth), self.whole_operand(ty, depth))

    def bits(self, ty, depth):
        """What 32 bits alone have: fields, counts and reversals."""
        name = self.random.choice(("BitCount", "BitReverse", "BitFieldInsert", "BitFieldSExtract", "BitFieldUExtract"))
        if name == "BitReverse":
            return self.op(name, ty, self.value(ty, depth))
        if name == "BitCount":
            return self.op(name, ty, self.whole_operand(ty, depth))
        kind = self.random.choice(("u32", "i32"))
        offset = self.op("BitwiseAnd", kind, self.value(kind, depth), self.module.constant(kind, self.random.choice((0, 31, 31))))
        room = self.op("ISub", kind, self.module.constant(kind, 32), offset)
        some = self.op("BitwiseAnd", kind, self.value(kind, depth), self.module.constant(kind, 63))
        count = self.glsl("UMin" if kind == "u32" else "SMin", kind, some, room)
        values = [self.value(ty, depth) for _ in range(2 if name == "BitFieldInsert" else 1)]
        return self.op(name, ty, *values, offset, count)

    def highest(self, ty, depth):
        return self.glsl(self.random.choice(("FindILsb", "FindUMsb", "FindSMsb")), ty, self.whole_operand(ty, depth))

    def extended(self, ty, depth):
        """One half of what a product, or a sum with its carry, gives."""
        names = ("UMulExtended", "IAddCarry", "ISubBorrow") if element(ty)[0] == "u" else ("SMulExtended",)
        both = self.op(self.random.choice(names), ("struct", ty, ty), self.value(ty, depth), self.value(ty, depth))
        return self.op("CompositeExtract", ty, both, self.random.randrange(2))

    def opaque(self, ty):
        """An integer that nobody knows before the program runs."""
        total = self.op("Load", "u32", self.sum)
        made = self.op("UConvert", "u" + element(ty)[1:], total) if width(element(ty)) != 32 else total
        made = self.op("Bitcast", element(ty), made) if element(ty)[0] == "i" else made
        return self.op("CompositeConstruct", ty, *[made] * lanes(ty)) if is_vector(ty) else made

    def converted_to_integer(self, ty, depth):
        to = element(ty)
        kinds = [kind for kind in self.kinds if kind != "bool" and (kind[0] == "f" or width(kind) != width(to))]
        if not kinds:
            return self.integer_binary(ty, depth)
        kind = self.random.choice(kinds)
        of = vector(kind, lanes(ty))
        given = self.value(of, depth)
        if kind[0] != "f":
            name = "SConvert" if to[0] == "i" or self.chance(0.2) else "UConvert"
            made = self.op(name, ty, self.either(given, of))
            if name == "SConvert" and width(kind) == 32 and width(to) == 64:
                # llvmpipe 22.3.6 turns each comparison of such a number, as a signed one, with a constant around: 1 <= 0 is true there.
                made = self.op("IAdd", ty, made, self.opaque(ty))
            return made
        most = min(2.0 ** (width(to) - (to[0] == "i")) - 1, LARGEST[kind])
        low = -most if to[0] == "i" else 0.25
        given = self.glsl("FClamp", of, given, self.splat(of, low), self.splat(of, most))
        if to[0] == "u" and self.chance(0.3):
            small = self.glsl("FMin", of, given, self.splat(of, min(most, 2.0 ** (width(to) - 1) - 1)))
            return self.op("ConvertFToS", ty, small)
        return self.op("ConvertFToS" if to[0] == "i" else "ConvertFToU", ty, given)

    # Floats.

    def tamed(self, made, ty, bounds=None):
        """What was computed where it is between the bounds, of its type or of another one, else a constant."""
        low, high = BOUNDS[bounds or element(ty)]
        truth = vector("bool", lanes(ty))
        size = self.glsl("FAbs", ty, made)
        above = self.op("FOrdGreaterThanEqual", truth, size, self.splat(ty, low))
        below = self.op("FOrdLessThanEqual", truth, size, self.splat(ty, high))
        both = self.op("LogicalAnd", truth, above, below)
        return self.op("Select", ty, both, made, self.splat(ty, 1.5) if bounds else self.constant(ty))

    def float_binary(self, ty, depth):
        name = self.random.choice(("FAdd", "FAdd", "FSub", "FMul", "FMul", "FNegate", "VectorTimesScalar"))
        if name == "FNegate":
            return self.op(name, ty, self.value(ty, depth), exact=True)
        if name == "VectorTimesScalar":
            if not is_vector(ty):
                return self.op("FMul", ty, self.value(ty, depth), self.splat(ty, 0.5), exact=True)
            made = self.op(name, ty, self.value(ty, depth), self.value(ty[1], depth), exact=True)
        else:
            made = self.op(name, ty, self.value(ty, depth), self.value(ty, depth), exact=True)
        return self.tamed(made, ty)

    def float_glsl(self, ty, depth):
        name = self.random.choice(
            ("FAbs", "FSign", "Floor", "Ceil", "Trunc", "RoundEven", "Fract", "FMin", "FMax", "NMin", "NMax", "FClamp", "NClamp", "Step", "Ldexp"))
        if name in ("FAbs", "FSign"):
            return self.glsl(name, ty, self.value(ty, depth))
        if name in ("Floor", "Ceil", "Trunc", "RoundEven", "Fract"):
            return self.tamed(self.glsl(name, ty, self.value(ty, depth)), ty)
        if name in ("FClamp", "NClamp"):
            low, high = sorted((self.number(element(ty)), self.number(element(ty))))
            return self.glsl(name, ty, self.value(ty, depth), self.splat(ty, low), self.splat(ty, high))
        if name == "Ldexp" and element(ty) == "f32":
            powers = vector("i32", lanes(ty))
            power = self.op("BitwiseAnd", powers, self.value(powers, depth - 1), self.splat(powers, 7))
            power = self.op("ISub", powers, power, self.splat(powers, 4))
            return self.tamed(self.glsl(name, ty, self.value(ty, depth), power), ty)
        if name in ("Ldexp", "Step"):
            return self.tamed(self.glsl("Step", ty, self.value(ty, depth), self.value(ty, depth)), ty)
        return self.glsl(name, ty, self.value(ty, depth), self.value(ty, depth))

    def converted_to_float(self, ty, depth):
        to = element(ty)
        kind = self.random.choice([kind for kind in self.kinds if kind not in ("bool", to)])
        of = vector(kind, lanes(ty))
        given = self.value(of, depth)
        if kind[0] == "f":
            if to == "f16":
                given = self.glsl("FClamp", of, given, self.splat(of, -128.0), self.splat(of, 128.0))
            return self.tamed(self.op("FConvert", ty, given), ty)
        if to == "f16" and width(kind) > 8:
            given = self.op("BitwiseAnd", of, given, self.splat(of, 127))
        return self.tamed(self.op("ConvertUToF" if kind[0] == "u" else "ConvertSToF", ty, self.either(given, of)), ty)

    def parted(self, ty, depth):
        """Of the whole and the rest, or of the significand and the exponent."""
        if element(ty) == "f32" and self.chance(0.5):
            powers = vector("i32", lanes(ty))
            both = self.glsl("FrexpStruct", ("struct", ty, powers), self.value(ty, depth))
            self.keep(self.op("CompositeExtract", powers, both, 1), powers)
        else:
            both = self.glsl("ModfStruct", ("struct", ty, ty), self.value(ty, depth))
            if self.chance(0.5):
                return self.tamed(self.op("CompositeExtract", ty, both, 1), ty)
        return self.tamed(self.op("CompositeExtract", ty, both, 0), ty)

    def halves(self, ty, depth):
        """Floats that 16 bits hold, too: which of these is near to another one is left open."""
        given = self.op("FMul", ty, self.tamed(self.value(ty, depth), ty, "f16"), self.splat(ty, 8.0), exact=True)
        return self.op("FMul", ty, self.glsl("Floor", ty, given), self.splat(ty, 0.125), exact=True)

    def quantized(self, ty, depth):
        return self.tamed(self.op("QuantizeToF16", ty, self.halves(ty, depth)), ty)

    def packed(self, ty, depth):
        return self.glsl("PackHalf2x16", ty, self.halves(("vec", "f32", 2), depth))

    def unpacked(self, ty, depth):
        """Of any bits that are numbers, where denormal ones are put back. Both go into the sum, since llvmpipe 22.3.6 gives 0 as the
        second one where nothing uses the first, and of bits that are known before: 0xbfff0000 is 0 and -2, and 0 and 0 there."""
        both = ("vec", "f32", 2)
        given = self.op("BitwiseXor", "u32", self.value("u32", depth), self.opaque("u32"))
        given = self.op("BitwiseAnd", "u32", given, self.module.constant("u32", 0xBFFFBFFF))
        made = self.tamed(self.glsl("UnpackHalf2x16", both, given), both, "f16")
        self.mix(made, both)
        return made if ty == both else self.op("CompositeExtract", ty, made, self.random.randrange(2))

    def small(self, ty, depth):
        """Floats that are small whole numbers: their products and sums have no other digits."""
        scalar = element(ty)
        whole = vector(self.random.choice([kind for kind in self.kinds if kind[0] in "ui"]), lanes(ty))
        masked = self.op("BitwiseAnd", whole, self.value(whole, depth), self.splat(whole, 7))
        made = self.op("ConvertUToF" if element(whole)[0] == "u" else "ConvertSToF", ty, masked)
        return self.op("FSub", ty, made, self.splat(ty, 3.0), exact=True) if scalar != "f16" and self.chance(0.5) else made

    def counted(self, ty, depth, first):
        """Floats that are whole numbers, eight of them."""
        whole = vector(self.random.choice([kind for kind in self.kinds if kind[0] in "ui"]), lanes(ty))
        masked = self.op("BitwiseAnd", whole, self.value(whole, depth), self.splat(whole, 7))
        masked = self.op("IAdd", whole, masked, self.splat(whole, first))
        return self.op("ConvertUToF" if element(whole)[0] == "u" else "ConvertSToF", ty, masked)

    def rounded(self, ty, depth):
        """What needs no rounding, and is rounded all the same: quotients, remainders and roots may be a little off."""
        name = self.random.choice(("FDiv", "FRem", "FMod", "Sqrt"))
        if name == "Sqrt":
            root = self.small(ty, depth)
            made = self.glsl(name, ty, self.op("FMul", ty, root, root))
        elif name == "FDiv":
            divisor = self.counted(ty, depth, 1)
            made = self.op(name, ty, self.op("FMul", ty, self.small(ty, depth), divisor), divisor)
        else:
            divisor = self.counted(ty, depth, 8)
            whole = self.op("FMul", ty, self.counted(ty, depth, 0), divisor)
            # Not near to the next multiple.
            given = self.op("FAdd", ty, whole, self.splat(ty, float(self.random.randrange(1, 8))))
            given, divisor = (self.op("FNegate", ty, made) if self.chance(0.4) else made for made in (given, divisor))
            made = self.op(name, ty, given, divisor)
        return self.tamed(self.glsl("RoundEven", ty, made), ty)

    def blended(self, ty, depth):
        name = self.random.choice(("Fma", "FMix", "FMix", "Reflect", "FaceForward"))
        if name in ("Reflect", "FaceForward") and is_vector(ty):
            return self.tamed(self.glsl(name, ty, *(self.small(ty, depth) for _ in range(2 if name == "Reflect" else 3))), ty)
        if name == "Fma":
            return self.tamed(self.glsl(name, ty, *(self.small(ty, depth) for _ in range(3))), ty)
        share = self.op("FMul", ty, self.counted(ty, depth, 0), self.splat(ty, 0.25))
        return self.tamed(self.glsl("FMix", ty, self.small(ty, depth), self.small(ty, depth), share), ty)

    def whole(self, ty, depth):
        """Of vectors and matrices of small whole numbers."""
        scalar, count = element(ty), lanes(ty)
        inner = self.random.choice((2, 3, 4))
        if count == 1:
            of = ("vec", scalar, inner)
            if scalar != "f16" and self.chance(0.3):
                return self.tamed(self.glsl("Determinant", ty, self.matrix(of, inner, depth)), ty)
            return self.tamed(self.op("Dot", ty, self.small(of, depth), self.small(of, depth)), ty)
        name = self.random.choice(("MatrixTimesVector", "VectorTimesMatrix", "MatrixTimesMatrix", "OuterProduct", "Transpose", "MatrixTimesScalar", "Cross"))
        if name == "Cross":
            if count != 3 or scalar == "f16":
                return self.tamed(self.small(ty, depth), ty)
            return self.tamed(self.glsl(name, ty, self.small(ty, depth), self.small(ty, depth)), ty)
        if name == "MatrixTimesVector":
            made = self.op(name, ty, self.matrix(ty, inner, depth), self.small(("vec", scalar, inner), depth))
        elif name == "VectorTimesMatrix":
            column = ("vec", scalar, inner)
            made = self.op(name, ty, self.small(column, depth), self.matrix(column, count, depth))
        else:
            of = ("mat", ty, inner)
            if name == "MatrixTimesMatrix":
                middle = self.random.choice((2, 3, 4))
                right = self.matrix(("vec", scalar, middle), inner, depth)
                both = self.op(name, of, self.matrix(ty, middle, depth), right)
            elif name == "OuterProduct":
                both = self.op(name, of, self.small(ty, depth), self.small(("vec", scalar, inner), depth))
            elif name == "Transpose":
                both = self.op(name, of, self.matrix(("vec", scalar, inner), count, depth))
            else:
                both = self.op(name, of, self.matrix(ty, inner, depth), self.small(scalar, depth))
            made = self.op("CompositeExtract", ty, both, self.random.randrange(inner))
        return self.tamed(made, ty)

    def matrix(self, column, columns, depth):
        parts = [self.small(column, depth - 1) for _ in range(columns)]
        return self.op("CompositeConstruct", ("mat", column, columns), *parts)
