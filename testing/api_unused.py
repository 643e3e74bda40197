#!/usr/bin/env python3
"""Public items that nothing outside of their crate uses: no other crate of the workspace, no test, example, benchmark or fuzz target, and no
example in documentation. Names are compared, not what they mean: an item that is called as another one is taken for used.

    testing/api_unused.py            compares them with `docs/api/unused.txt`, which says of each why it is public
    testing/api_unused.py --list     names them

Looked at are the listings of `testing/api.py`. What the signature of another item names is used. Cases of enums and fields of cases stand or
fall with their enum, and enums that are made of MLIR's definitions are there whole. Exit: 0 each unused item stands in the file, and all
else in it is there and unused, 1 not.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTINGS = ROOT / "docs" / "api"
REASONS = LISTINGS / "unused.txt"
ITEM = re.compile(r"(?:#\[non_exhaustive\] )?(?:pub (?:const |unsafe |async )*(mod|struct|enum|trait|fn|const|static|type|use)? ?|(macro) )((?:\w+::)*\w+)")
WORD = re.compile(r"(::|\.|)\s*\b([A-Za-z_]\w*)")
CODE = re.compile(r"^\s*//[/!] ?```(?:rust|no_run|should_panic|compile_fail|,)*\n(.*?)^\s*//[/!] ?```", re.M | re.S)
FENCE = re.compile(r"^```rust\n(.*?)^```", re.M | re.S)


def words(text):
    """Every word of a program but for its comments, with what stands before it if that is a dot or a path."""
    text = re.sub(r"//.*", "", text)
    return set(WORD.findall(text))


def examples(text):
    """The examples in the documentation of a source."""
    found = ("\n".join(re.sub(r"^\s*//[/!] ?(# )?", "", line) for line in code.splitlines()) for code in CODE.findall(text))
    return "\n".join(found)


def used_outside(folder):
    """The words that are used outside of the sources of a crate."""
    own = ROOT / folder / "src"
    found = set()
    for path in ROOT.rglob("*.rs"):
        if "target" in path.relative_to(ROOT).parts:
            continue
        text = path.read_text()
        # The command is written against the public API, as a program of another crate is.
        if path.is_relative_to(own) and "commands" not in path.parts:
            _, _, tests = text.partition("#[cfg(test)]\nmod ")
            text = text if "tests" in path.relative_to(own).with_suffix("").parts else examples(text) + tests
        found |= words(text)
        found |= words(examples(text))
    for path in ROOT.rglob("*.md"):
        found |= words("\n".join(FENCE.findall(path.read_text())))
    return found


class Listing:
    """What a crate has: each line that has an item, with its kind and its path."""

    def __init__(self, path):
        self.lines = path.read_text().splitlines()
        found = [(match[1] or match[2] or "field", match[3], line) for line in self.lines if (match := ITEM.match(line))]
        self.kinds = {path: kind for kind, path, _ in found if kind in ("struct", "enum", "trait")}
        made = {line.split()[1].rstrip(":") for line in self.lines if line.startswith("impl ") and "Enumeration" in line}
        self.items = [
            (kind, path)
            for kind, path, _ in found
            if kind not in ("mod", "use") and not made & {path, parent(path)} and not self.is_of_case(kind, path)
        ]
        # What signatures name, each behind the path of its own item.
        self.named = {word for _, path, line in found for word in re.findall(r"\b[A-Z]\w*", line.partition(path)[2])}

    def is_of_case(self, kind, path):
        return kind == "field" and "enum" in (self.kinds.get(parent(path)), self.kinds.get(parent(parent(path))))

    def unused(self, found):
        for kind, path in self.items:
            name = path.rpartition("::")[2]
            # A method or a field is called by what it is of; those of traits, and what is in a module, stand alone as well.
            alone = kind == "field" or self.kinds.get(parent(path)) not in ("struct", "enum")
            called = [(before, name) in found for before in (".", "::", *([""] if alone else []))]
            if not any(called) and name not in self.named:
                yield path


def parent(path):
    return path.rpartition("::")[0]


def unused():
    for path in sorted(LISTINGS.glob("mlirbc*.txt")):
        folder = path.stem.removeprefix("mlirbc-") if path.stem != "mlirbc" else "."
        yield from Listing(path).unused(used_outside(folder))


def main():
    if sys.argv[1:] not in ([], ["--list"]):
        sys.exit(__doc__)
    now = sorted(set(unused()))
    if sys.argv[1:]:
        print(*now, sep="\n")
        return
    reasons = dict(line.split(": ", 1) for line in REASONS.read_text().splitlines() if line and not line.startswith("#"))
    missing, gone = sorted(set(now) - set(reasons)), sorted(set(reasons) - set(now))
    for path in missing:
        print(f"{path} is public, and nothing outside of its crate uses it: hide it, or say in docs/api/unused.txt what it is for")
    for path in gone:
        print(f"{path} stands in docs/api/unused.txt, and is used or is not there")
    if missing or gone:
        sys.exit(1)
    print(f"{len(now)} public items that nothing here uses, each with a reason")


if __name__ == "__main__":
    main()
