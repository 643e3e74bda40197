"""Random functions: statements and the control flow around them, all of which ends."""
from .assembly import is_float, is_plain, is_vector, parts_of, width
from .values import Values

MIX = 0x9E3779B1


class Function(Values):
    """A function that is being written. What it computes is mixed into one word, `sum`, which points to a variable."""

    def __init__(self, module, random, kinds, helpers, depth):
        super().__init__(module, random, kinds)
        self.helpers, self.depth = helpers, depth
        # Whether an invocation may leave a loop after any round, which others of its workgroup leave after another one: there are none then.
        # llvmpipe 22.3.6 computes what the first ones leave with from values of the next round.
        self.alone = module.alone
        self.label = None
        self.locals = []
        self.inputs = []
        self.loop = None
        self.result = None

    # Blocks.

    def block(self, label):
        self.lines.append(f"{label} = OpLabel")
        self.label = label

    def branch(self, label):
        self.effect("Branch", label)

    def phi(self, ty, *sources):
        """A value by where control comes from: pairs of values and labels."""
        return self.op("Phi", ty, *(part for source in sources for part in source))

    def inner(self, statements):
        """Statements in a scope of their own."""
        self.env.append([])
        self.variables.append([])
        for _ in range(statements):
            self.statement()

    def leave(self):
        self.env.pop()
        self.variables.pop()

    # Memory.

    def local(self, ty, initial=None):
        """A variable of the function, declared in its first block."""
        made = self.module.fresh()
        pointer = self.module.type(("ptr", "Function", ty))
        self.locals.append(f"{made} = OpVariable {pointer} Function" + (f" {initial}" if initial else ""))
        return made

    def load(self, ty, pointer):
        return self.keep(self.op("Load", ty, pointer), ty)

    def inside(self, pointer, ty, storage):
        """A pointer to a part of a variable, or a part of that."""
        indices = []
        while not is_plain(ty) or (is_vector(ty) and self.chance(0.5)):
            parts = parts_of(ty)
            if ty[0] == "struct":
                at = self.random.randrange(len(parts))
                indices.append(self.module.constant(self.random.choice(("u32", "i32")), at))
            else:
                at = 0
                if self.chance(0.4):
                    indices.append(self.module.constant("u32", self.random.randrange(len(parts))))
                else:
                    indices.append(self.index(len(parts), 1))
            ty = parts[at]
        if not indices:
            return pointer, ty
        return self.op("AccessChain", ("ptr", storage, ty), pointer, *indices), ty

    # What is computed goes into one word.

    def words(self, made, ty):
        """The words of a value."""
        if not is_plain(ty):
            for at, part in enumerate(parts_of(ty)):
                yield from self.words(self.op("CompositeExtract", part, made, at), part)
        elif is_vector(ty):
            for at in range(ty[2]):
                yield from self.words(self.op("CompositeExtract", ty[1], made, at), ty[1])
        elif ty == "bool":
            yield self.op("Select", "u32", made, self.module.constant("u32", 1), self.module.constant("u32", 0))
        elif is_float(ty):
            whole = "u" + ty[1:]
            yield from self.words(self.op("Bitcast", whole, made), whole)
        elif width(ty) == 64:
            halves = ("vec", "u32", 2)
            yield from self.words(self.op("Bitcast", halves, made), halves)
        elif width(ty) == 32:
            yield made if ty == "u32" else self.op("Bitcast", "u32", made)
        elif ty[0] == "i":
            yield self.op("Bitcast", "u32", self.op("SConvert", "i32", made))
        else:
            yield self.op("UConvert", "u32", made)

    def mix(self, made, ty):
        """Each word turns the sum, adds to it and multiplies it."""
        total = self.op("Load", "u32", self.sum)
        for word in list(self.words(made, ty)):
            total = self.op("BitwiseXor", "u32", total, word)
            total = self.op("IMul", "u32", total, self.module.constant("u32", MIX))
            high = self.op("ShiftRightLogical", "u32", total, self.module.constant("u32", 15))
            total = self.op("BitwiseXor", "u32", total, high)
        self.effect("Store", self.sum, total)

    # Statements.

    def statement(self):
        if self.budget <= 0:
            return
        ways = [self.compute] * 4 + [self.declare] * 2 + [self.assign] * 3 + [self.read] * 2
        if self.depth > 0:
            ways += [self.selection] * 3 + [self.switch] + [self.repeat] * 2
        if self.helpers:
            ways += [self.call] * 2
        if self.loop:
            ways += [self.jump]
        elif self.result and len(self.env) > 2:
            ways += [self.finish]
        self.random.choice(ways)()

    def compute(self):
        ty = self.any_type() if self.chance(0.8) else self.aggregate()
        self.mix(self.value(ty, 4), ty)

    def declare(self):
        ty = self.any_type() if self.chance(0.6) else self.aggregate()
        known = [of for scope in self.variables for _, of, _ in scope]
        if known and self.chance(0.3):
            ty = self.random.choice(known)
        if self.chance(0.3):
            made = self.local(ty, self.constant(ty))
        else:
            made = self.local(ty)
        # In a loop, an initial value is there once alone.
        self.effect("Store", made, self.value(ty, 3))
        self.variables[-1].append((made, ty, "Function"))

    def assign(self):
        known = [variable for scope in self.variables for variable in scope]
        if not known:
            return self.declare()
        made, of, storage = self.random.choice(known)
        pointer, ty = self.inside(made, of, storage)
        if self.chance(0.5):
            self.effect("Store", pointer, self.value(ty, 4))
        elif self.chance(0.3):
            others = [other for other, which, _ in known if which == of and other != made]
            if others:
                self.effect("CopyMemory", made, self.random.choice(others))
        else:
            self.mix(self.load(ty, pointer), ty)

    def read(self):
        """An element of a buffer."""
        if not self.inputs:
            return self.compute()
        self.random.choice(self.inputs)(self)

    def call(self):
        helper, result, parameters = self.random.choice(self.helpers)
        given = [self.sum]
        for ty in parameters:
            if ty[0] == "ptr":
                known = [made for scope in self.variables for made, *of in scope if of == [ty[2], "Function"]]
                if known and self.chance(0.8):
                    given.append(self.random.choice(known))
                else:
                    given.append(self.local(ty[2]))
                    self.effect("Store", given[-1], self.value(ty[2], 2))
            else:
                given.append(self.value(ty, 3))
        made = self.op("FunctionCall", result, helper, *given)
        if result != "void":
            self.keep(made, result)
            self.mix(made, result)

    def leaves(self):
        """Whether a loop, or the function, is left early. llvmpipe 22.3.6 has the number of a round, 0 too, above 0x7fffffff where nothing
        but that decides: what nobody knows has a say in it."""
        unknown = self.op("INotEqual", "bool", self.opaque("u32"), self.module.constant("u32", MIX))
        return self.op("LogicalAnd", "bool", self.value("bool", 3), unknown)

    def finish(self):
        """A return, where the rest goes on without it."""
        condition = self.leaves()
        leave, rest = self.module.fresh(), self.module.fresh()
        self.effect("SelectionMerge", rest, "None")
        self.effect("BranchConditional", condition, leave, rest)
        self.block(leave)
        self.inner(0)
        self.give_back()
        self.leave()
        self.block(rest)

    def give_back(self):
        if self.result == "void":
            self.effect("Return")
        else:
            self.effect("ReturnValue", self.value(self.result, 3))

    def jump(self):
        """Out of a loop, or on with its next round."""
        condition = self.leaves()
        leave, rest = self.module.fresh(), self.module.fresh()
        self.effect("SelectionMerge", rest, "None")
        self.effect("BranchConditional", condition, leave, rest)
        self.block(leave)
        if self.chance(0.5):
            self.inner(0)
            self.mix(self.value("u32", 2), "u32")
            self.leave()
        self.branch(self.random.choice(self.loop))
        self.block(rest)

    def selection(self):
        """One way or the other, or one way alone; a value of the way taken goes on."""
        self.depth -= 1
        condition = self.value("bool", 3)
        ty = self.any_type()
        before = self.label
        without = self.value(ty, 1)
        yes, no, merge = (self.module.fresh() for _ in range(3))
        both = self.chance(0.6)
        self.effect("SelectionMerge", merge, self.random.choice(("None", "None", "Flatten", "DontFlatten")))
        weights = ("3", "1") if self.chance(0.1) else ()
        self.effect("BranchConditional", condition, yes, no if both else merge, *weights)
        sources = [] if both else [(without, before)]
        for label in (yes, no)[: 1 + both]:
            self.block(label)
            self.inner(self.random.randrange(1, 4))
            sources.append((self.value(ty, 2), self.label))
            self.branch(merge)
            self.leave()
        self.block(merge)
        if self.chance(0.6):
            self.mix(self.keep(self.phi(ty, *sources), ty), ty)
        self.depth += 1

    def switch(self):
        """By cases, some of which go on with the next one."""
        self.depth -= 1
        kind = self.random.choice([kind for kind in self.kinds if kind in ("u32", "i32")])
        count = self.random.randrange(1, 6)
        selector = self.op("UMod", "u32", self.value("u32", 3), self.module.constant("u32", count + 2))
        if kind == "i32":
            selector = self.op("Bitcast", "i32", selector)
        ty = self.any_type()
        before = self.label
        without = self.value(ty, 1)
        numbers = self.random.sample(range(count + 2), count)
        labels = [self.module.fresh() for _ in range(count)]
        merge = self.module.fresh()
        has_default = self.chance(0.6)
        default = self.module.fresh() if has_default else merge
        targets = " ".join(f"{number} {label}" for number, label in zip(numbers, labels))
        if count > 1 and self.chance(0.3):
            # Two numbers, one block.
            rest = [number for number in range(count + 2) if number not in numbers]
            targets += f" {rest[0]} {labels[-1]}"
        self.effect("SelectionMerge", merge, "None")
        self.effect("Switch", selector, default, targets)
        sources = [] if has_default else [(without, before)]
        for at, label in enumerate([*labels, *([default] if has_default else [])]):
            self.block(label)
            self.inner(self.random.randrange(1, 3))
            if at + 1 < count and self.chance(0.25):
                self.branch(labels[at + 1])
            else:
                sources.append((self.value(ty, 2), self.label))
                self.branch(merge)
            self.leave()
        self.block(merge)
        if self.chance(0.6):
            self.mix(self.keep(self.phi(ty, *sources), ty), ty)
        self.depth += 1

    def repeat(self):
        """A loop of a few rounds, whose test is at its beginning or at its end, with a value that goes round."""
        self.depth -= 1
        few = self.module.constant("u32", self.random.choice((1, 3, 3, 7)))
        if self.alone and self.chance(0.7):
            few = self.op("BitwiseAnd", "u32", self.value("u32", 2), few)
        ty = self.any_type()
        first = self.value(ty, 2)
        before = self.label
        header, body, proceed, merge = (self.module.fresh() for _ in range(4))
        counter, carried, following, next_counter = (self.module.fresh() for _ in range(4))
        self.branch(header)
        self.block(header)
        at = len(self.lines)
        self.env.append([(counter, "u32"), (carried, ty)])
        self.variables.append([])
        control = self.random.choice(("None", "None", "Unroll", "DontUnroll"))
        at_beginning = self.chance(0.6)
        if at_beginning:
            goes_on = self.op("ULessThan", "bool", counter, few)
            self.effect("LoopMerge", merge, proceed, control)
            self.effect("BranchConditional", goes_on, body, merge)
        else:
            self.effect("LoopMerge", merge, proceed, control)
            self.branch(body)
        outer, result = self.loop, self.result
        self.loop = (merge, proceed) if self.alone else None
        self.result = result if self.alone else None
        self.block(body)
        self.inner(self.random.randrange(1, 4))
        self.branch(proceed)
        self.leave()
        self.loop, self.result = outer, result
        self.block(proceed)
        if self.chance(0.5):
            self.mix(carried, ty)
        one = self.module.constant("u32", 1)
        value = self.made(ty, 2) if self.budget > 0 else carried
        self.lines.append(f"{following} = OpCopyObject {self.module.type(ty)} {value}")
        self.lines.append(f"{next_counter} = OpIAdd {self.module.type('u32')} {counter} {one}")
        if at_beginning:
            self.branch(header)
        else:
            goes_on = self.op("ULessThan", "bool", next_counter, few)
            self.effect("BranchConditional", goes_on, header, merge)
        end = self.label
        self.leave()
        zero = self.module.constant("u32", 0)
        self.lines[at:at] = [
            f"{counter} = OpPhi {self.module.type('u32')} {zero} {before} {next_counter} {end}",
            f"{carried} = OpPhi {self.module.type(ty)} {first} {before} {following} {end}",
        ]
        self.block(merge)
        self.mix(self.keep(carried, ty), ty)
        self.depth += 1

    # The whole.

    def text(self, made, result, parameters, first):
        """The lines of the function: `parameters` are ids with their types."""
        kind = self.module.type(("fn", result, *(ty for _, ty in parameters)))
        control = "None" if not parameters else self.random.choice(("None", "Inline", "DontInline", "None"))
        lines = [f"{made} = OpFunction {self.module.type(result)} {control} {kind}"]
        lines += [f"{name} = OpFunctionParameter {self.module.type(ty)}" for name, ty in parameters]
        return [*lines, f"{first} = OpLabel", *self.locals, *self.lines, "OpFunctionEnd"]
