"""One random compute shader, as SPIR-V assembly.

It has four buffers of 1,024 words, at bindings 0 to 3 of set 0: the first two are read, the others written. 16 workgroups run, none of which
looks at what another one does. Every invocation writes 16 bytes of each of the two: what it computed.
"""
import random

from .assembly import Module, element, is_float, is_plain, is_vector, lanes, layout, parts_of, vector, width
from .flow import Function
from .values import FLOATS, INTEGERS

WORDS = 1024
SIZES = ((1, 1, 1), (4, 1, 1), (8, 1, 1), (15, 1, 1), (4, 2, 1), (5, 3, 1), (2, 2, 2), (2, 1, 7))
SLOT = 16


class Buffer:
    """A storage buffer: some words, then elements up to its end."""

    def __init__(self, module, random, name, binding, elements, writable):
        self.module, self.element = module, random.choice(elements)
        size, alignment = layout(self.element)
        self.stride = (size + alignment - 1) // alignment * alignment
        header = random.choice((0, 0, 1)) if writable else random.choice((0, 0, 4))
        self.header = ("u32",) * (header and 4)
        self.count = (WORDS * 4 - 4 * len(self.header)) // self.stride
        inner = ("block", *self.element[1:]) if self.element[0] == "struct" else self.element
        run = ("run", inner) if random.random() < 0.7 else ("laid", inner, self.count)
        self.block = ("block", *self.header, run)
        made = module.type(self.block)
        module.decorations.append(f"OpDecorate {made} Block")
        self.variable = module.variable(self.block, "StorageBuffer", name)
        module.decorations += [f"OpDecorate {self.variable} DescriptorSet 0", f"OpDecorate {self.variable} Binding {binding}"]
        if not writable and random.random() < 0.5:
            module.decorations.append(f"OpDecorate {self.variable} NonWritable")

    def at(self, function, index):
        """A pointer to an element, or to a member of it, and the type of that."""
        ty, indices = self.element, [function.module.constant("u32", len(self.header)), index]
        while not is_plain(ty) or (is_vector(ty) and function.chance(0.3)):
            at = function.random.randrange(len(parts_of(ty)))
            indices.append(function.module.constant("u32", at))
            ty = parts_of(ty)[at]
        return function.op("AccessChain", ("ptr", "StorageBuffer", ty), self.variable, *indices), ty

    def read(self, function):
        index = function.index(self.count, 2)
        pointer, ty = self.at(function, index)
        made = function.op("Load", ty, pointer, *(("Volatile",) if function.chance(0.05) else ()))
        if is_float(ty):
            made = function.tamed(made, ty)
        function.mix(function.keep(made, ty), ty)


def parts(random, kinds):
    """Types of elements of up to 16 bytes."""
    types = [vector(kind, count) for kind in kinds for count in (1, 2, 3, 4) if kind != "bool"]
    types = [ty for ty in types if layout(ty)[0] <= SLOT and SLOT % layout(ty)[1] == 0]
    structs = [("struct", *random.sample(types, random.choice((1, 2, 3)))) for _ in range(12)]
    strides = [(ty, (layout(ty)[0] + layout(ty)[1] - 1) // layout(ty)[1] * layout(ty)[1]) for ty in types + structs]
    return [ty for ty, stride in strides if stride <= SLOT and SLOT % stride == 0]


def need_storage(module, ty, extensions):
    """What a buffer with numbers of few bits needs."""
    for scalar in flat(ty):
        if width(scalar) == 16:
            module.need("StorageBuffer16BitAccess")
        if width(scalar) == 8:
            module.need("StorageBuffer8BitAccess")
            extensions.add("SPV_KHR_8bit_storage")


def flat(ty):
    return [ty] if isinstance(ty, str) else [scalar for part in parts_of(ty) for scalar in flat(part)]


def helper(module, random, kinds, helpers, inputs, budget):
    """A function that others call: its name, its result and its parameters behind the first, which points to the sum."""
    function = Function(module, random, kinds, list(helpers), 2)
    function.budget = budget
    name, first = module.fresh(), module.fresh()
    function.label, function.sum, function.inputs = first, module.fresh(), inputs
    result = "void" if random.random() < 0.2 else function.any_type() if random.random() < 0.7 else function.aggregate()
    function.result = result
    parameters = []
    for _ in range(random.randrange(4)):
        ty = function.any_type() if random.random() < 0.7 else function.aggregate()
        if random.random() < 0.3:
            parameters.append((module.fresh(), ("ptr", "Function", ty)))
            function.variables[-1].append((parameters[-1][0], ty, "Function"))
        else:
            parameters.append((module.fresh(), ty))
            function.keep(*parameters[-1])
    for _ in range(random.randrange(2, 6)):
        function.statement()
    function.give_back()
    whole = [(function.sum, ("ptr", "Function", "u32")), *parameters]
    module.functions.append(function.text(name, result, whole, first))
    return name, result, [ty for _, ty in parameters]


def program(seed, size=150):
    """The assembly of the program of a seed, with the SPIR-V version it is for. `size` is about how many operations each function has."""
    chance = random.Random(seed)
    version = chance.choice(((1, 3), (1, 5)))
    local = chance.choice(SIZES) if chance.random() < 0.5 else (1, 1, 1)
    module, extensions = Module(local == (1, 1, 1)), set()
    kinds = ["u32", "i32", "bool", *chance.sample([kind for kind in INTEGERS if kind[1:] != "32"], chance.randrange(4))]
    kinds += chance.sample(FLOATS, chance.randrange(1, 3))
    module.modes.append(f"LocalSize {local[0]} {local[1]} {local[2]}")
    builtins = {}
    for name, kind, ty in (
        ("gl_WorkGroupID", "WorkgroupId", ("vec", "u32", 3)),
        ("gl_LocalInvocationIndex", "LocalInvocationIndex", "u32"),
        ("gl_GlobalInvocationID", "GlobalInvocationId", ("vec", "u32", 3)),
        ("gl_LocalInvocationID", "LocalInvocationId", ("vec", "u32", 3)),
        ("gl_NumWorkGroups", "NumWorkgroups", ("vec", "u32", 3)),
    ):
        builtins[kind] = module.variable(ty, "Input", name), ty
        module.decorations.append(f"OpDecorate {builtins[kind][0]} BuiltIn {kind}")
    floats = [ty for ty in parts(chance, kinds) if set(flat(ty)) <= {"f32", "u32", "i32"}]
    wholes = [ty for ty in parts(chance, kinds) if not any(kind[0] == "f" for kind in flat(ty))]
    every = parts(chance, kinds)
    buffers = [Buffer(module, chance, "abcd"[at], at, types, at > 1) for at, types in enumerate((floats, wholes, every, every))]
    for buffer in buffers:
        need_storage(module, buffer.element, extensions)
    inputs = [buffer.read for buffer in buffers[:2]]
    helpers = []
    for _ in range(chance.randrange(4)):
        helpers.append(helper(module, chance, kinds, helpers, inputs, size))
    main = entry(module, chance, kinds, helpers, inputs, buffers, builtins, local, size)
    return module.text(main, version, sorted(extensions)), version


def entry(module, chance, kinds, helpers, inputs, buffers, builtins, local, size):
    """The entry point."""
    function = Function(module, chance, kinds, helpers, 3)
    function.budget, function.inputs = 2 * size, inputs
    name, first = module.fresh(), module.fresh()
    function.label = first
    function.sum = function.local("u32")
    # Eight invocations are computed at once, and what those that are none leave a loop with gets mixed up with the one that there is, too:
    # they know nothing that it does not.
    known = {kind: of for kind, of in builtins.items() if not module.alone or kind in ("WorkgroupId", "NumWorkgroups")}
    given = {kind: function.keep(function.op("Load", ty, made), ty) for kind, (made, ty) in known.items()}
    number = function.op("CompositeExtract", "u32", given["WorkgroupId"], 0)
    index = given.get("LocalInvocationIndex")
    if index:
        number = function.op("IMul", "u32", number, module.constant("u32", local[0] * local[1] * local[2]))
        number = function.op("IAdd", "u32", number, index)
    function.keep(number, "u32")
    start = function.op("IMul", "u32", number, module.constant("u32", 0x85EBCA6B))
    function.effect("Store", function.sum, start)
    function.keep(start, "u32")
    for made, ty in specialised(module, chance):
        function.keep(made, ty)
    if chance.random() < 0.4:
        exchange(function, module, index or module.constant("u32", 0), local)
    for private in range(chance.randrange(3)):
        ty = function.any_type() if chance.random() < 0.5 else function.aggregate()
        initial = function.constant(ty) if chance.random() < 0.5 else None
        made = module.variable(ty, "Private", f"p{private}", initial)
        function.effect("Store", made, function.value(ty, 2))
        function.variables[-1].append((made, ty, "Private"))
    function.read()
    for _ in range(chance.randrange(3, 8)):
        function.statement()
    for buffer in buffers[2:]:
        write(function, buffer, number)
        if buffer.header:
            count_up(function, module, buffer)
    function.effect("Return")
    module.functions.append(function.text(name, "void", [], first))
    return name


def specialised(module, chance):
    """Specialisation constants, which have their defaults, and what is worked out of them."""
    made = []
    for at in range(chance.randrange(3)):
        ty = chance.choice(("u32", "i32"))
        constant = module.fresh()
        module.globals.append(f"{constant} = OpSpecConstant {module.type(ty)} {chance.randrange(1, 100)}")
        module.decorations.append(f"OpDecorate {constant} SpecId {at}")
        worked_out = module.fresh()
        name = chance.choice(("IAdd", "ISub", "IMul", "BitwiseXor", "ShiftLeftLogical", "UMod" if ty == "u32" else "SDiv"))
        module.globals.append(f"{worked_out} = OpSpecConstantOp {module.type(ty)} {name} {constant} {module.constant(ty, chance.randrange(1, 20))}")
        both = module.fresh()
        module.globals.append(f"{both} = OpSpecConstantComposite {module.type(('vec', ty, 2))} {constant} {worked_out}")
        made += [(constant, ty), (worked_out, ty), (both, ("vec", ty, 2))]
    return made


def exchange(function, module, index, local):
    """Memory of the workgroup: each invocation writes a word, and reads that of another one."""
    size = local[0] * local[1] * local[2]
    shared = module.variable(("arr", "u32", size), "Workgroup", "shared")
    scope, semantics = module.constant("u32", 2), module.constant("u32", 0x108)
    mine = function.op("AccessChain", ("ptr", "Workgroup", "u32"), shared, index)
    function.effect("Store", mine, function.value("u32", 3))
    function.effect("ControlBarrier", scope, scope, semantics)
    other = function.op("IAdd", "u32", index, module.constant("u32", function.random.randrange(size)))
    other = function.op("UMod", "u32", other, module.constant("u32", size))
    theirs = function.load("u32", function.op("AccessChain", ("ptr", "Workgroup", "u32"), shared, other))
    function.effect("ControlBarrier", scope, scope, semantics)
    function.mix(theirs, "u32")


def count_up(function, module, buffer):
    """What all invocations add to the words before the elements, whichever comes first."""
    for at, name in enumerate(("IAdd", "UMax", "Xor", "Or")):
        if function.chance(0.5):
            pointer = function.op("AccessChain", ("ptr", "StorageBuffer", "u32"), buffer.variable, module.constant("u32", at))
            device, relaxed = module.constant("u32", 1), module.constant("u32", 0)
            function.op("Atomic" + name, "u32", pointer, device, relaxed, function.value("u32", 2))


def write(function, buffer, number):
    """The 16 bytes of this invocation."""
    ty = buffer.element
    each = SLOT // buffer.stride
    begin = function.op("IMul", "u32", number, function.module.constant("u32", each)) if each > 1 else number
    for at in range(each):
        index = function.op("IAdd", "u32", begin, function.module.constant("u32", at)) if at else begin
        for member, of in enumerate(parts_of(ty)) if ty[0] == "struct" else ((None, ty),):
            indices = [function.module.constant("u32", len(buffer.header)), index]
            indices += [] if member is None else [function.module.constant("u32", member)]
            pointer = function.op("AccessChain", ("ptr", "StorageBuffer", of), buffer.variable, *indices)
            value = function.value(of, 3)
            if at == 0 and not member:
                value = mixed(function, of)
            function.effect("Store", pointer, value)


def mixed(function, ty):
    """The sum, as a value of any type."""
    total = function.op("Load", "u32", function.sum)
    scalar = element(ty)
    whole = "u" + scalar[1:]
    given = total if width(whole) == 32 else function.op("UConvert", whole, total)
    if is_float(ty):
        given = function.tamed(function.op("Bitcast", scalar, given), scalar)
    elif scalar != whole:
        given = function.op("Bitcast", scalar, given)
    return given if not is_vector(ty) else function.op("CompositeConstruct", ty, *([given] * lanes(ty)))
