"""Asks an MLIR that is installed with Python bindings how the properties of its operations are laid out.

    python ask.py PACKAGE OUT.json [OUT.mlirbc] <LAYOUTS        PACKAGE such as iree.compiler or jaxlib.mlir

LAYOUTS is what `op_layouts` prints: operations, what their members are where that is known, and attributes to try. A line
`known NAME` is of an operation that need not be asked about.
OUT.json: {"producer": ..., "operations": {NAME: [[MEMBER, KIND], ...]}} of every operation of LAYOUTS that is registered there,
and of those that are registered there and not in LAYOUTS, though others of their dialect are.
OUT.mlirbc: a module of each of them twice, with every member set and with none that may be absent.

Nothing is known of that MLIR but what it answers:
 - names of operations are found among the strings of its library, each tried;
 - names of attributes are found in the constant data of its library, as pairs of a pointer and a length;
 - an attribute that an operation is given and that is gone afterwards is one of its members, and was of the wrong class;
 - a member without which writing ends in a crash is required, any other optional;
 - members that are no attributes are shown with their values by an operation that was given none.
What an operation does when it is made or written without its rules may end the process, so each is asked in a child.
"""
import bisect
import importlib
import io
import json
import os
import re
import sys

# Attributes of every class that members of upstream have. The first that a member takes stands for it.
VALUES = """
unit|true|0 : i64|1 : i32|4 : i8|2 : index|1.0 : f32|"text"|@symbol|@a::@b|i32|!llvm.ptr|array<i32>|array<i64>|array<i16>|array<i1>
array<i8>|[]|[0 : i64]|["text"]|{}|affine_map<() -> ()>|affine_set<() : (0 == 0)>|dense<0> : tensor<1xi32>|dense<0> : tensor<1xi64>
dense<0> : vector<1xi32>|dense<0> : vector<1xi64>|dense<0.0> : tensor<1xf32>|strided<[]>
#llvm.linkage<external>|#llvm.cconv<ccc>|#llvm.tailcallkind<none>|#llvm.framePointerKind<none>|#llvm.uwtableKind<none>
#llvm.di_label<scope = #llvm.di_file<"a" in "b">>|#llvm.di_local_variable<scope = #llvm.di_file<"a" in "b">>|#llvm.di_expression<>
#llvm.blocktag<id = 0>|#llvm.blockaddress<function = @f, tag = <id = 0>>|#llvm.vec_type_hint<hint = i32>|#llvm.target_features<["+a"]>
#llvm.alias_scope<id = distinct[0]<>, domain = <id = distinct[1]<>>>|#llvm.constant_range<i32, 0, 1>|#llvm.dereferenceable<bytes = 1>
#llvm.loop_annotation<disableNonforced = true>|#llvm.vscale_range<minRange = 1 : i32, maxRange = 2 : i32>
#llvm.function_entry_count<entry_count = 1>|#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>
#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>
#llvm.denormal_fpenv<default_output_mode = ieee, default_input_mode = ieee, float_output_mode = ieee, float_input_mode = ieee>
#nvvm.shape<m = 1, n = 1, k = 1>|#nvvm.ld_st_matrix_shape<m = 8, n = 8>|#nvvm.reduction_kind<add>|#nvvm<redux_kind add>|#nvvm<reduction_kind add>|#gpu.barrier_scope<workgroup>
#rocdl.mfma_perm_b<none>|#rocdl.sched_group_mask<none>|#rocdl.mfma_neg_modifier<none>|#rocdl.wmma_c_modifier<none>
#rocdl.wmma_matrix_scale_format<e8>|#rocdl.wmma_matrix_scale<row0>|#rocdl.matrix_format<fp8_e4m3>
#spirv.vce<v1.0, [], []>|#spirv.linkage_attributes<linkage_name = "a", linkage_type = <Export>>|#spirv.quad_swap_direction<Horizontal>
#tosa.conv_quant<input_zp = 0, weight_zp = 0>|#tosa.unary_quant<input_zp = 0, output_zp = 0>|#tosa.matmul_quant<a_zp = 0, b_zp = 0>
#tosa.pad_quant<input_zp = 0>|#smt.bv<0> : !smt.bv<1>|#irdl<variadicity_array[single]>|#ub.poison
#spirv.tosa_ext_nan_propagation_mode_type<Propagate>|#spirv.tosa_ext_acc_type<INT32>|#spirv.tosa_ext_rounding_mode_type<SingleRound>
#spirv.tosa_ext_resize_mode_type<NearestNeighbor>|#nvvm.tensormap_field<rank>|#amdgpu.load_temporal_hint<RT>|#amdgpu.cache_scope<WGP>
"""
# Parts of the names of operations that a package adds to dialects of upstream.
FOREIGN = {"iree", "util"}
WRONG = ["\"text\"", "unit"]
CHUNK = 60
# What is known of an operation that is not in LAYOUTS.
NEW = {}


def constants(library):
    """Identifiers that the data of a loaded library points at, with their length behind the pointer."""
    with open("/proc/self/maps") as file:
        maps = [line.split() for line in file if line.rstrip().endswith(library)]
    spans, data = [], []
    with open("/proc/self/mem", "rb") as memory:
        for fields in maps:
            start, end = (int(number, 16) for number in fields[0].split("-"))
            memory.seek(start)
            spans.append((start, end, "x" in fields[1]))
            data.append(memory.read(end - start))
    starts = [span[0] for span in spans]
    low, high = spans[0][0], spans[-1][1]
    found = set()
    for (start, end, code), content in zip(spans, data):
        if code:
            continue
        words = memoryview(content)[: len(content) // 8 * 8].cast("Q")
        for pointer, length in zip(words[:-1], words[1:]):
            if low <= pointer < high and 0 < length <= 64:
                at = bisect.bisect_right(starts, pointer) - 1
                text = data[at][pointer - starts[at]:pointer - starts[at] + length]
                if len(text) == length and re.fullmatch(rb"[A-Za-z_][A-Za-z0-9_]*", text):
                    found.add(text.decode())
    return found


def operation_names(library, dialects):
    """Strings of a library that may be names of operations of these dialects."""
    with open(library, "rb") as file:
        strings = re.findall(rb"[A-Za-z_][A-Za-z0-9_$]*(?:\.[A-Za-z0-9_$]+)+(?=\0)", file.read())
    found = set()
    for text in {string.decode() for string in strings}:
        parts = text.split(".")
        # One string may end in another.
        found.update(".".join(parts[at:]) for at in range(len(parts) - 1) if parts[at] in dialects)
    return {name for name in found if not FOREIGN.intersection(name.split("."))}


def varint(data, at):
    """A number of the bytecode format, and what stands behind it."""
    length = 8 if data[at] == 0 else (data[at] & -data[at]).bit_length() - 1
    if length == 8:
        return int.from_bytes(data[at + 1:at + 9], "little"), at + 9
    return int.from_bytes(data[at:at + length + 1], "little") >> (length + 1), at + length + 1


def property_blob(data):
    """The numbers in the one blob of properties of a file; `None` where there is none."""
    at = data.index(b"\0", varint(data, 4)[1]) + 1
    while at < len(data):
        section, (length, at) = data[at], varint(data, at + 1)
        if section & 0x80:
            alignment, at = varint(data, at)
            at += -at % alignment
        if section & 0x7f == 8:
            count, start = varint(data, at)
            size, start = varint(data, start)
            numbers, end = [], start + size
            while start < end:
                number, start = varint(data, start)
                numbers.append(number)
            return numbers if (count, start, end) == (1, end, at + length) else []
        at += length
    return None


def in_child(work):
    """What `work` gives, from a child; None where the child did not live to say."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receive)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(send, "w") as out:
            json.dump(work(), out)
        os._exit(0)
    os.close(send)
    with os.fdopen(receive) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    try:
        return json.loads(text)
    except ValueError:
        return None


class Asker:
    def __init__(self, package):
        self.ir = importlib.import_module(package + ".ir")
        self.context = self.ir.Context()
        # A child has one thread.
        self.context.enable_multithreading(False)
        try:
            registry = self.ir.DialectRegistry()
            importlib.import_module(package + "._mlir_libs._jax_mlir_ext").register_dialects(registry)
            self.context.append_dialect_registry(registry)
        except ImportError:
            pass
        self.context.load_all_available_dialects()
        self.location = self.ir.Location.unknown(self.context)
        with open("/proc/self/maps") as file:
            libraries = {line.split()[-1] for line in file if ".so" in line}
        self.library = max(libraries, key=os.path.getsize)

    def parse(self, text):
        try:
            return self.ir.Attribute.parse(text, self.context)
        except Exception:  # noqa: BLE001 - every binding has its own
            return None

    def make(self, name, attributes):
        return self.ir.Operation.create(name, attributes=attributes, loc=self.location)

    def shown(self, operation):
        return operation.get_asm(print_generic_op_form=True, assume_verified=True)

    def inherent(self, name, candidates):
        """Which of the candidates are members that are attributes."""
        members = set()
        for wrong in (self.parse(text) for text in WRONG):
            for start in range(0, len(candidates), CHUNK):
                chunk = candidates[start:start + CHUNK]
                operation = self.make(name, {candidate: wrong for candidate in chunk})
                # One that has a default has that.
                left = operation.attributes
                members.update(name for name in chunk if name not in left or left[name] != wrong)
        return members

    def normalized(self, name, attributes):
        """Which of the members take what they are given: it is shown between `<{` and `}>`."""
        shown = dict(shown_members(self.shown(self.make(name, attributes))))
        def same(given, found):
            # Some are shown by another name of theirs.
            return found in (str(given), "" if str(given) == "unit" else None) or re.fullmatch(r"#[a-z0-9_]+", found)
        return {member for member, value in attributes.items() if member in shown and same(value, shown[member])}

    def written(self, name, attributes):
        """The bytes of an operation with these attributes; an exception, or the end of the process, where there are none."""
        out = io.BytesIO()
        self.make(name, attributes).write_bytecode(out)
        return out.getvalue()

    def blob(self, name, attributes):
        """The numbers in the blob of the properties of an operation with these attributes."""
        return property_blob(self.written(name, attributes))


def shown_members(text):
    """Names and values between `<{` and `}>`."""
    head = re.search(r'^"[^"]*"\(\) <\{(.*)\}>( \{.*\})? : \(\) -> \(\)$', text, re.MULTILINE)
    if not head:
        return []
    members, depth, start = [], 0, 0
    content = head.group(1)
    for at, letter in enumerate(content + ","):
        depth += (letter in "<([{") - (letter in ">)]}" and content[at - 1] != "-")
        if letter == "," and depth == 0:
            name, _, value = content[start:at].strip().partition(" = ")
            members.append((name, value))
            start = at + 1
    return members


def native(value):
    """The kind of a member that is no attribute, from how its default is shown; None where that is not known."""
    if value in ("", "unit", "false"):
        return "native:bool"
    integer = re.fullmatch(r"-?\d+ : i(\d+)", value)
    return f"native:i{integer.group(1)}" if integer else None


def ask(asker, name, known, candidates, values, likely_values):
    """The members of an operation with their kinds, and the attributes to set for the most and the fewest of them."""
    def members():
        found = asker.inherent(name, candidates)
        plain = {member for member, kind in known.items() if not kind.startswith("native:")}
        # What takes any attribute is never gone.
        # Of an operation that is not listed, all names are tried.
        plain = plain if known is not NEW else set(candidates)
        found |= asker.normalized(name, {member: asker.parse("unit") for member in plain - found})
        default = dict(shown_members(asker.shown(asker.make(name, {}))))
        found |= asker.normalized(name, {member: asker.parse(WRONG[0]) for member in set(default) - found})
        open_members = {member for member in found if "egmentSizes" not in member and "egment_sizes" not in member}
        likely = {member: likely_values[member] for member in open_members if member in likely_values}
        taken = {member: likely[member] for member in asker.normalized(name, {m: values[t] for m, t in likely.items()})}
        for text, value in values.items():
            left = {member: value for member in open_members - set(taken)}
            if not left:
                break
            taken.update((member, text) for member in asker.normalized(name, left))
        taken.update((member, None) for member in open_members - set(taken))
        return sorted(found), default, taken

    answer = in_child(members)
    if answer is None:
        return None
    found, default, taken = answer
    likely_values.update((member, text) for member, text in taken.items() if text)
    layout, required = [], {}
    for member in found:
        kind = known.get(member, "")
        if re.sub("_(.)", lambda match: match.group(1).upper(), member) in ("operandSegmentSizes", "resultSegmentSizes"):
            continue
        layout.append([member, kind])
    natives = [member for member in default if member not in found and "egmentSizes" not in member]
    parsed = {member: values[text] for member, text in taken.items() if text}

    def writes(attributes):
        return in_child(lambda: len(asker.written(name, attributes))) is not None

    everything = writes(parsed)
    nothing = writes({})
    for entry in layout:
        member = entry[0]
        if member in default and member not in parsed and everything:
            # A default is there before anybody sets it.
            entry[1] = "optional" if entry[1] == "" else entry[1]
            continue
        if nothing:
            entry[1] = "optional"
        elif not everything:
            entry[1] = "unknown"
        elif writes({other: value for other, value in parsed.items() if other != member}):
            entry[1] = "optional"
        else:
            entry[1] = "required"
            required[member] = taken[member]
    for member in natives:
        layout.append([member, known.get(member) or native(default[member]) or "unknown"])
    segments = [member for member in found if "egment" in member]
    if known is NEW and not is_whole(asker, name, layout, default, [parsed] * everything + [{}] * nothing):
        layout.append(["", "unknown"])
    return {
        "layout": layout, "segments": segments, "default": default, "writes": [everything, nothing or everything],
        "most": {member: text for member, text in taken.items() if text}, "fewest": required,
        "unset": [member for member, text in taken.items() if not text],
    }


def is_whole(asker, name, layout, default, given):
    """Whether these members, and sizes of segments, are all that bytecode holds of an operation with these attributes, one
    number each. More than one native member could be in any order."""
    count = len(layout) + sum(f"{side}SegmentSizes" in default for side in ("operand", "result"))
    if sum(kind.startswith("native:") for _, kind in layout) > 1:
        return False
    # Attributes come first, by name; one that may be absent has a flag.
    attributes = [member for member in sorted(layout) if not member[1].startswith("native:")]
    for values in given:
        numbers = in_child(lambda: asker.blob(name, values)) or []
        flags = [kind != "optional" or number & 1 == (member in values or member in default)
                 for (member, kind), number in zip(attributes, numbers)]
        if len(numbers) != count or not all(flags):
            return False
    return True


def main():
    package, out = sys.argv[1:3]
    asker = Asker(package)
    operations, skipped, texts = {}, set(), [text for line in VALUES.strip().splitlines() for text in line.split("|")]
    for line in sys.stdin:
        what, _, rest = line.strip().partition(" ")
        if what == "operation":
            operations[rest] = current = {}
        elif what == "known":
            skipped.add(rest)
        elif what == "member":
            current[rest.split(" ")[0]] = rest.split(" ")[1]
        elif what == "value":
            texts.append(rest)
    values = {text: value for text in texts if (value := asker.parse(text)) is not None}
    candidates = sorted(constants(asker.library) | {name for members in operations.values() for name in members})
    dialects = {name.partition(".")[0] for name in set(operations) | skipped}
    for name in sorted(operation_names(asker.library, dialects) - set(operations) - skipped):
        operations[name] = NEW
    with asker.context, asker.location:
        answers, likely_values = {}, {}
        for name, known in operations.items():
            if asker.context.is_registered_operation(name):
                answer = ask(asker, name, known, candidates, values, likely_values)
                if answer:
                    answers[name] = answer
        module = asker.ir.Module.create(asker.location)
        # From the last to the first, since nothing goes behind a terminator.
        for name, answer in reversed(answers.items()):
            for set_members in [answer["most"]] * answer["writes"][0] + [answer["fewest"]] * answer["writes"][1]:
                operation = asker.make(name, {member: values[text] for member, text in set_members.items()})
                asker.ir.InsertionPoint.at_block_begin(module.body).insert(operation)
        data = io.BytesIO()
        module.operation.write_bytecode(data)
    if len(sys.argv) > 3:
        with open(sys.argv[3], "wb") as file:
            file.write(data.getvalue())
    producer = data.getvalue()[5:].split(b"\0")[0].decode()
    with open(out, "w") as file:
        json.dump({"producer": producer, "operations": answers}, file, indent=0)
    print(f"{producer}: {len(answers)} operations of {len(operations)}; {len(candidates)} names, {len(values)} values")


if __name__ == "__main__":
    main()
