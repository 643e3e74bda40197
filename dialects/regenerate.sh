#!/bin/sh
# Makes the tables of definitions, one a dialect, from the .td files of MLIR 22. With --check, compares with the committed tables
# instead.
# Exit: 0 made, equal or skipped; 1 different or failed.
set -eu
cd "$(dirname "$0")"
if ! command -v llvm-tblgen-22 >/dev/null || ! command -v llvm-config-22 >/dev/null; then
    echo "SKIPPED: llvm-tblgen-22 is not installed, so no table was compared with the .td files" >&2
    exit 0
fi
include=$(llvm-config-22 --includedir)
if ! [ -f "$include/mlir/IR/BuiltinOps.td" ]; then
    echo "SKIPPED: no .td files of MLIR under $include, so no table was compared with them" >&2
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
cargo run --quiet --release -p mlirbc -- ods import "$work"/json/*.json --of-mlir --members history/members.txt --out-dir "$work"
# A dialect's stands beside its code.
place() {
    case $1 in
    builtin) echo ../ir/src/ods ;;
    spirv) echo ../spirv/src/dialect ;;
    *) echo src ;;
    esac
}
different=0
for table in "$work"/*.table; do
    name=$(basename "$table" .table)
    committed=$(place "$name")/$name.table
    if [ "${1-}" != --check ]; then
        cp "$table" "$committed"
    elif ! cmp "$committed" "$table"; then
        different=1
    fi
done
made=$(ls "$work"/*.table | wc -l)
committed=$(ls src/*.table ../ir/src/ods/*.table ../spirv/src/dialect/*.table | wc -l)
if [ "$made" != "$committed" ]; then
    echo "$committed tables are committed, and the .td files give $made" >&2
    different=1
fi
[ "$different" = 0 ] && echo "$made tables are what the .td files give"
exit "$different"
