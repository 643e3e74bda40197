#!/usr/bin/env python3
"""The public API of every crate that is published, an item a line, as `docs/api/CRATE.txt` has it.

    testing/api.py            writes the listings anew
    testing/api.py --check    says what differs from those that are there

A line is an item with its full path and its signature: modules, types, fields, variants, functions, methods of types and of traits,
constants, macros; what else an item is called, as `pub use`; and of a type, which traits it has; `;` ends methods that a trait does not
give. Features are those that are on by default. Not there: what is hidden from
documentation, and what every type has without anyone having written it (`Send`, and what is there for all types).

It is made from rustdoc's JSON, which no release of Rust promises: this reads the format of Rust 1.95. Exit: 0 all is as it was, 1 something
differs or does not build, 3 this toolchain has another format, or none.
"""

import difflib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTINGS = ROOT / "docs" / "api"
FORMAT = 57
JSON = ["-Z", "unstable-options", "--output-format", "json"]
# Set where this script stands in for rustdoc: cargo itself is not to hear of RUSTC_BOOTSTRAP, for which it would build much anew.
STANDS_IN = "MLIRBC_API_RUSTDOC"
# Every type that is compared by `match` has the first; the second says nothing that a use of it would.
UNSAID = {"StructuralPartialEq", "Eq"}


class Crate:
    """One crate's items, and what each is called."""

    def __init__(self, document):
        self.index = document["index"]
        self.paths = document["paths"]
        # Every name under which an item can be reached, by its number.
        self.names = {}
        self.lines = set()
        self.look_at(document["root"], self.index[str(document["root"])]["name"], ())
        self.called = {number: min(names, key=lambda name: (name.count("::"), name)) for number, names in self.names.items()}
        for number in self.called:
            self.list(number)
        self.list_traits()

    def item(self, number):
        return self.index.get(str(number))

    def look_at(self, number, name, within):
        """Notes that an item is called so, and what it holds or leads to."""
        item = self.item(number)
        if item is None or number in within:
            return
        kind, inner = next(iter(item["inner"].items()))
        if kind == "use":
            prefix = name.rpartition("::")[0]
            self.follow(inner, prefix, within)
            return
        self.names.setdefault(number, set()).add(name)
        if kind == "module":
            self.look_into(inner["items"], name, (*within, number))

    def look_into(self, numbers, name, within):
        for number in numbers:
            if item := self.item(number):
                self.look_at(number, f"{name}::{item['name']}", within)

    def follow(self, use, prefix, within):
        item = self.item(use["id"])
        name = f"{prefix}::{use['name']}"
        if item is None:
            self.lines.add((name, f"pub use {name} = {use['source']}{'::*' if use['is_glob'] else ''}"))
        elif use["is_glob"]:
            kind, inner = next(iter(item["inner"].items()))
            self.look_into(inner["items" if kind == "module" else "variants"], prefix, (*within, use["id"]))
        else:
            self.look_at(use["id"], name, within)

    def list(self, number):
        """Adds the lines of an item, under the shortest of its names."""
        item, name = self.item(number), self.called[number]
        kind, inner = next(iter(item["inner"].items()))
        for other in self.names[number] - {name}:
            self.add(other, f"pub use {other} = {name}")
        getattr(self, f"list_{kind}")(name, item, inner)

    def add(self, name, line):
        self.lines.add((name, line))

    def list_module(self, name, _item, _inner):
        self.add(name, f"pub mod {name}")

    def list_struct(self, name, item, inner):
        kind = inner["kind"]
        fields, tail = [], ""
        if isinstance(kind, dict):
            if "plain" in kind:
                fields = kind["plain"]["fields"]
                tail = " { .. }" if kind["plain"]["has_stripped_fields"] else ""
            else:
                tail = f"({', '.join(self.place(field) for field in kind['tuple'])})"
        self.add(name, f"{marks(item)}pub struct {name}{self.generics(inner['generics'])}{tail}{self.where(inner['generics'])}")
        self.list_fields(name, fields)
        self.list_methods(name, inner["impls"])

    def list_fields(self, name, numbers):
        for field in filter(None, map(self.item, numbers)):
            whole = f"{name}::{field['name']}"
            self.add(whole, f"pub {whole}: {self.type(field['inner']['struct_field'])}")

    def place(self, number):
        field = self.item(number) if number is not None else None
        return self.type(field["inner"]["struct_field"]) if field else "_"

    def list_enum(self, name, item, inner):
        self.add(name, f"{marks(item)}pub enum {name}{self.generics(inner['generics'])}{self.where(inner['generics'])}")
        for number in inner["variants"]:
            if variant := self.item(number):
                self.list_variant(f"{name}::{variant['name']}", variant, variant["inner"]["variant"])
        self.list_methods(name, inner["impls"])

    def list_variant(self, name, item, inner):
        kind, fields, tail = inner["kind"], [], ""
        if isinstance(kind, dict) and "tuple" in kind:
            tail = f"({', '.join(self.place(field) for field in kind['tuple'])})"
        elif isinstance(kind, dict):
            fields, tail = kind["struct"]["fields"], " { .. }"
        self.add(name, f"{marks(item)}pub {name}{tail}")
        self.list_fields(name, fields)

    def list_methods(self, name, impls):
        """What a type has of its own."""
        for impl in filter(None, map(self.item, impls)):
            if impl["inner"]["impl"]["trait"] is None:
                self.list_members(name, impl["inner"]["impl"]["items"])

    def list_members(self, name, numbers):
        for member in filter(None, map(self.item, numbers)):
            kind, inner = next(iter(member["inner"].items()))
            getattr(self, f"list_{kind}")(f"{name}::{member['name']}", member, inner)

    def list_trait(self, name, _item, inner):
        bounds = self.bounds(inner["bounds"])
        generics = inner["generics"]
        self.add(name, f"pub trait {name}{self.generics(generics)}{': ' if bounds else ''}{bounds}{self.where(generics)}")
        self.list_members(name, inner["items"])

    def list_function(self, name, _item, inner):
        header = inner["header"]
        words = "".join(f"{word} " for word in ("const", "async", "unsafe") if header[f"is_{word}"])
        generics = inner["generics"]
        given = "" if inner["has_body"] else ";"
        signature = f"{self.signature(inner['sig'])}{self.where(generics)}{given}"
        self.add(name, f"pub {words}fn {name}{self.generics(generics)}{signature}")

    def list_assoc_const(self, name, _item, inner):
        self.add(name, f"pub const {name}: {self.type(inner['type'])}")

    def list_constant(self, name, _item, inner):
        self.add(name, f"pub const {name}: {self.type(inner['type'])}")

    def list_static(self, name, _item, inner):
        self.add(name, f"pub static {name}: {self.type(inner['type'])}")

    def list_assoc_type(self, name, _item, inner):
        bounds = self.bounds(inner["bounds"])
        given = f" = {self.type(inner['type'])}" if inner["type"] else ""
        self.add(name, f"pub type {name}{self.generics(inner['generics'])}{': ' if bounds else ''}{bounds}{given}")

    def list_type_alias(self, name, _item, inner):
        self.add(name, f"pub type {name}{self.generics(inner['generics'])} = {self.type(inner['type'])}")

    def list_macro(self, name, _item, inner):
        # The patterns alone: `inner` has them, a line each.
        rules = " ".join(line.strip() for line in inner.splitlines()[1:-1])
        self.add(name, f"macro {name}! {{ {rules} }}")

    def list_traits(self):
        """Which traits types have, a line a type."""
        traits = {}
        for item in self.index.values():
            impl = item["inner"].get("impl")
            if not impl or impl["trait"] is None or impl["is_synthetic"] or impl["blanket_impl"] or self.is_private(impl):
                continue
            shown = self.path(impl["trait"], self.associated(impl))
            if last(impl["trait"]["path"]) not in UNSAID:
                traits.setdefault(self.type(impl["for"], whole=True), set()).add(("!" if impl["is_negative"] else "") + shown)
        for name, shown in traits.items():
            self.add(name.lstrip("&").partition("<")[0], f"impl {name}: {' + '.join(sorted(shown))}")

    def is_private(self, impl):
        """Whether the trait or the type of an `impl` is one of this crate's that no name leads to."""
        numbers = [impl["trait"]["id"], *([impl["for"]["resolved_path"]["id"]] if "resolved_path" in impl["for"] else [])]
        return any(self.is_own(number) and number not in self.called for number in numbers)

    def is_own(self, number):
        path = self.paths.get(str(number))
        return path is None or path["crate_id"] == 0

    def associated(self, impl):
        """The types that an `impl` gives."""
        items = filter(None, map(self.item, impl["items"]))
        given = [(item["name"], item["inner"]["assoc_type"]) for item in items if "assoc_type" in item["inner"]]
        return [f"{name}{self.generics(inner['generics'])} = {self.type(inner['type'])}" for name, inner in given]

    def generics(self, generics):
        shown = [self.parameter(parameter) for parameter in generics["params"] if not is_made(parameter)]
        return f"<{', '.join(shown)}>" if shown else ""

    def parameter(self, parameter):
        kind, inner = next(iter(parameter["kind"].items()))
        if kind == "lifetime":
            return ": ".join([parameter["name"], *([" + ".join(inner["outlives"])] if inner["outlives"] else [])])
        if kind == "const":
            return f"const {parameter['name']}: {self.type(inner['type'])}"
        bounds = self.bounds(inner["bounds"])
        default = f" = {self.type(inner['default'])}" if inner["default"] else ""
        return f"{parameter['name']}{': ' if bounds else ''}{bounds}{default}"

    def where(self, generics):
        shown = []
        for predicate in generics["where_predicates"]:
            kind, inner = next(iter(predicate.items()))
            if kind == "bound_predicate":
                shown.append(f"{self.type(inner['type'])}: {self.bounds(inner['bounds'])}")
            elif kind == "lifetime_predicate":
                shown.append(f"{inner['lifetime']}: {' + '.join(inner['outlives'])}")
            else:
                shown.append(f"{self.type(inner['lhs'])} == {self.term(inner['rhs'])}")
        return f" where {', '.join(shown)}" if shown else ""

    def bounds(self, bounds):
        return " + ".join(map(self.bound, bounds))

    def bound(self, bound):
        kind, inner = next(iter(bound.items()))
        if kind == "outlives":
            return inner
        if kind == "use":
            return f"use<{', '.join(next(iter(argument.values())) for argument in inner)}>"
        return ("?" if inner["modifier"] == "maybe" else "") + self.for_all(inner["generic_params"]) + self.path(inner["trait"])

    def for_all(self, parameters):
        return f"for<{', '.join(map(self.parameter, parameters))}> " if parameters else ""

    def term(self, term):
        return self.type(term["type"]) if "type" in term else term["constant"]["expr"]

    def signature(self, signature):
        inputs = [receiver(type_) or self.type(type_) if name == "self" else f"{name}: {self.type(type_)}" for name, type_ in signature["inputs"]]
        output = f" -> {self.type(signature['output'])}" if signature["output"] else ""
        return f"({', '.join(inputs)}){output}"

    def path(self, path, more=(), whole=False):
        """A path as it is called: of this crate's items the last word, or all of it; of what has a common name, where it is from."""
        called = self.called.get(path["id"])
        name = called if whole and called else last(called or path["path"])
        if name in ("Error", "Result") and not called and (from_ := self.paths.get(str(path["id"]))):
            name = f"{from_['path'][1]}::{name}" if from_["path"][0] in ("std", "core") else name
        arguments = path["args"] or {}
        if "parenthesized" in arguments:
            inner = arguments["parenthesized"]
            output = f" -> {self.type(inner['output'])}" if inner["output"] else ""
            return f"{name}({', '.join(map(self.type, inner['inputs']))}){output}"
        return name + self.arguments(arguments, more)

    def arguments(self, arguments, more=()):
        inner = (arguments or {}).get("angle_bracketed", {"args": [], "constraints": []})
        shown = [*map(self.argument, inner["args"]), *map(self.constraint, inner["constraints"]), *more]
        return f"<{', '.join(shown)}>" if shown else ""

    def argument(self, argument):
        if argument == "infer":
            return "_"
        kind, inner = next(iter(argument.items()))
        return inner if kind == "lifetime" else self.type(inner) if kind == "type" else inner["expr"]

    def constraint(self, constraint):
        kind, inner = next(iter(constraint["binding"].items()))
        name = constraint["name"] + self.arguments(constraint["args"])
        return f"{name} = {self.term(inner)}" if kind == "equality" else f"{name}: {self.bounds(inner)}"

    def type(self, type_, whole=False):
        if type_ == "infer":
            return "_"
        kind, inner = next(iter(type_.items()))
        if kind == "resolved_path":
            return self.path(inner, whole=whole)
        if kind in ("generic", "primitive"):
            return inner
        if kind == "dyn_trait":
            shown = [self.for_all(each["generic_params"]) + self.path(each["trait"]) for each in inner["traits"]]
            return "dyn " + " + ".join([*shown, *([inner["lifetime"]] if inner["lifetime"] else [])])
        if kind == "function_pointer":
            return f"{self.for_all(inner['generic_params'])}fn{self.signature(inner['sig']).replace('_: ', '')}"
        if kind == "tuple":
            return f"({', '.join(map(self.type, inner))}{',' if len(inner) == 1 else ''})"
        if kind == "slice":
            return f"[{self.type(inner)}]"
        if kind == "array":
            return f"[{self.type(inner['type'])}; {inner['len']}]"
        if kind == "impl_trait":
            return f"impl {self.bounds(inner)}"
        if kind == "raw_pointer":
            return f"*{'mut' if inner['is_mutable'] else 'const'} {self.type(inner['type'])}"
        if kind == "borrowed_ref":
            lifetime = f"{inner['lifetime']} " if inner["lifetime"] else ""
            target = self.type(inner["type"], whole)
            return f"&{lifetime}{'mut ' if inner['is_mutable'] else ''}{f'({target})' if ' + ' in target else target}"
        if kind == "qualified_path":
            trait = inner["trait"]
            of = self.type(inner["self_type"])
            of = f"<{of} as {self.path(trait)}>" if trait and trait["path"] and of != "Self" else of
            return f"{of}::{inner['name']}{self.arguments(inner['args'])}"
        sys.exit(f"a type of a kind that is not known: {kind}")


def last(path):
    return path.rpartition("::")[2]


def is_made(parameter):
    """Whether a parameter is not written, but made by the compiler: a lifetime that is left out, or an `impl Trait`."""
    inner = next(iter(parameter["kind"].values()))
    return bool(inner.get("is_synthetic"))


def receiver(type_):
    if type_ == {"generic": "Self"}:
        return "self"
    borrowed = type_.get("borrowed_ref")
    if borrowed and borrowed["type"] == {"generic": "Self"}:
        lifetime = f"{borrowed['lifetime']} " if borrowed["lifetime"] else ""
        return f"&{lifetime}{'mut ' if borrowed['is_mutable'] else ''}self"
    return None


def marks(item):
    return "#[non_exhaustive] " if "non_exhaustive" in item["attrs"] else ""


def formats_that_rustdoc_has():
    """The format of rustdoc's JSON, if it makes any."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "lib.rs")
        source.touch()
        command = [os.environ.get("RUSTDOC", "rustdoc"), str(source), "--crate-name", "empty", "-o", folder, *JSON]
        run = subprocess.run(command, env={**os.environ, "RUSTC_BOOTSTRAP": "1"}, capture_output=True)
        made = Path(folder, "empty.json")
        return json.loads(made.read_text())["format_version"] if run.returncode == 0 and made.exists() else None


def metadata():
    command = ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def listings():
    """The listing of each crate, by its name."""
    workspace = metadata()
    crates = [package["name"] for package in workspace["packages"] if package["publish"] is None]
    environment = {**os.environ, "RUSTDOC": __file__, STANDS_IN: "1", "RUSTDOCFLAGS": " ".join(JSON)}
    command = ["cargo", "doc", "--quiet", "--locked", "--no-deps", *(word for crate in crates for word in ("-p", crate))]
    if subprocess.run(command, cwd=ROOT, env=environment).returncode != 0:
        sys.exit("the documentation does not build")
    for crate in crates:
        made = Path(workspace["target_directory"], "doc", crate.replace("-", "_") + ".json")
        lines = Crate(json.loads(made.read_text())).lines
        yield crate, "".join(f"{line}\n" for _, line in sorted(lines))


def main():
    if STANDS_IN in os.environ:
        os.environ["RUSTC_BOOTSTRAP"] = "1"
        os.execvp("rustdoc", ["rustdoc", *sys.argv[1:]])
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    if (found := formats_that_rustdoc_has()) != FORMAT:
        print(f"the JSON of this rustdoc has the format {found}; this reads {FORMAT}", file=sys.stderr)
        sys.exit(3)
    made = {LISTINGS / f"{crate}.txt": text for crate, text in listings()}
    differs = False
    for path, text in made.items():
        old = path.read_text() if path.exists() else ""
        if sys.argv[1:] == ["--check"] and text != old:
            differs = True
            shown = str(path.relative_to(ROOT))
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), shown, "the API now", n=0))
        elif not sys.argv[1:]:
            path.write_text(text)
    if differs:
        sys.exit("the public API is not as docs/api has it: `testing/api.py` writes the listings anew, to be looked at and committed")
    print(f"{len(made)} crates, {sum(text.count(chr(10)) for text in made.values())} public items")


if __name__ == "__main__":
    main()
