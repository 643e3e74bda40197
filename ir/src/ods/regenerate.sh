#!/bin/sh
# Makes upstream.table from the .td files of MLIR 22. With --check, compares with the committed table instead.
# Exit: 0 made, equal or skipped; 1 different or failed.
set -eu
cd "$(dirname "$0")"
if ! command -v llvm-tblgen-22 >/dev/null || ! command -v llvm-config-22 >/dev/null; then
    echo "SKIPPED: llvm-tblgen-22 is not installed, so upstream.table was not compared with the .td files" >&2
    exit 0
fi
include=$(llvm-config-22 --includedir)
if ! [ -f "$include/mlir/IR/BuiltinOps.td" ]; then
    echo "SKIPPED: no .td files of MLIR under $include, so upstream.table was not compared with them" >&2
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/json"
number=100
while read -r file extra; do
    case $file in '' | '#'*) continue ;; esac
    number=$((number + 1))
    llvm-tblgen-22 --dump-json -I "$include" ${extra:+-I "$include/mlir/$extra"} "$include/mlir/$file" \
        -o "$work/json/$number.json"
done <upstream.roots
cargo run --quiet --release -p mlirbc -- ods import "$work"/json/*.json -o "$work/upstream.table"
if [ "${1-}" = --check ]; then
    cmp upstream.table "$work/upstream.table" && echo "upstream.table is what the .td files give"
else
    cp "$work/upstream.table" upstream.table
fi
