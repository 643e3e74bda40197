#!/bin/sh
# Makes the tables of definitions from the .td files of openxla/stablehlo and openxla/shardy, whose roots the environment variables
# STABLEHLO and SHARDY name. With --check, compares with the committed tables instead. A table whose files are not there is skipped.
# Exit: 0 made, equal or skipped; 1 different or failed.
set -eu
cd "$(dirname "$0")"
if ! command -v llvm-tblgen-22 >/dev/null || ! command -v llvm-config-22 >/dev/null; then
    echo "SKIPPED: llvm-tblgen-22 is not installed, so no table was compared with the .td files" >&2
    exit 0
fi
include=$(llvm-config-22 --includedir)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
different=0
# table DIALECT ROOT FILE: the definitions of that dialect alone, whatever the file includes.
table() {
    if [ -z "$2" ] || ! [ -f "$2/$3" ]; then
        echo "SKIPPED: no $3 under \"$2\", so the table of $1 was not compared with it" >&2
        return
    fi
    llvm-tblgen-22 --dump-json -I "$include" -I "$2" "$2/$3" -o "$work/$1.json"
    cargo run --quiet --release -p mlirbc -- ods import "$work/$1.json" --out-dir "$work/$1"
    if [ "${check-}" = 1 ]; then
        cmp "src/$1/$1.table" "$work/$1/$1.table" || different=1
    else
        cp "$work/$1/$1.table" "src/$1/$1.table"
    fi
}
[ "${1-}" != --check ] || check=1
table vhlo "${STABLEHLO-}" stablehlo/dialect/VhloOps.td
table stablehlo "${STABLEHLO-}" stablehlo/dialect/StablehloOps.td
table chlo "${STABLEHLO-}" stablehlo/dialect/ChloOps.td
table sdy "${SHARDY-}" shardy/dialect/sdy/ir/ops.td
exit "$different"
