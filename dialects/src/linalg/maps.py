#!/usr/bin/env python3
"""Makes named.maps from what mlir-tblgen made of linalg's named operations, as LLVM 22 installs it.

    maps.py           writes named.maps
    maps.py --check   compares it with the committed one; exit 1 where they differ

A line is an operation's name, how many loops it has, and for each operand what its map gives; `sN` and `tN` are the N-th
stride and dilation. Operations whose maps depend on the ranks of their operands are not in it. Where the files are not
installed it says so, and does nothing.
"""
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).parent
try:
    include = subprocess.run(["llvm-config-22", "--includedir"], capture_output=True, text=True, check=True).stdout.strip()
    folder = pathlib.Path(include, "mlir/Dialect/Linalg/IR")
    definitions = (folder / "LinalgNamedStructuredOps.yamlgen.td").read_text()
    code = (folder / "LinalgNamedStructuredOps.yamlgen.cpp.inc").read_text()
except (OSError, subprocess.CalledProcessError) as error:
    sys.exit(print(f"SKIPPED: named.maps was not made again: {error}", file=sys.stderr))

names = dict(re.findall(r'def (\w+) : LinalgStructuredBase_Op<"(\w+)"', definitions))
bindings = {}
for owner, body in re.findall(r"getSymbolBindings\((\w+) self\) \{(.*?)return exprs;", code, re.S):
    bindings[owner] = {
        symbol: {"Strides": "s", "Dilations": "t"}[of] + place
        for symbol, of, place in re.findall(r"int64_t cst(\d+) = self\.get(\w+)\(\)\.getValues<int64_t>\(\)\[(\d+)\]", body)
    }
lines = []
for owner, body in re.findall(r"ArrayAttr (\w+)::getIndexingMaps\(\) \{(.*?)\n\}", code, re.S):
    maps = re.findall(r'"affine_map<\(([^)]*)\)(?:\[[^\]]*\])? -> \((.*?)\)>"', body)
    if owner not in names or not maps:
        continue
    symbol = lambda match: bindings.get(owner, {}).get(match[1], match[0])
    loops = len(maps[0][0].split(","))
    lines.append("|".join([names[owner], str(loops)] + [re.sub(r"\bs(\d+)\b", symbol, results) for _, results in maps]))
made = "".join(line + "\n" for line in sorted(lines))
path = here / "named.maps"
if "--check" not in sys.argv:
    path.write_text(made)
elif path.read_text() != made:
    sys.exit("named.maps is not what the files of LLVM 22 give")
else:
    print(f"named.maps is what the files of LLVM 22 give: {len(lines)} operations")
