#!/bin/sh
# Makes the tables of definitions, one a dialect, from the .td files of StableHLO and Shardy: a checkout of each, in this order.
# Those of `builtin` are read for the names of its operations. With --check behind them, compares with the committed tables instead.
# Exit: 0 made, equal or skipped; 1 different or failed.
set -eu
stablehlo=$(cd "${1:?a checkout of openxla/stablehlo}" && pwd)
shardy=$(cd "${2:?a checkout of openxla/shardy}" && pwd)
cd "$(dirname "$0")"
if ! command -v llvm-tblgen-22 >/dev/null || ! command -v llvm-config-22 >/dev/null; then
    echo "SKIPPED: llvm-tblgen-22 is not installed, so no table was compared with the .td files" >&2
    exit 0
fi
include=$(llvm-config-22 --includedir)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in "$stablehlo"/stablehlo/dialect/VhloOps.td "$stablehlo"/stablehlo/dialect/StablehloOps.td \
    "$stablehlo"/stablehlo/dialect/ChloOps.td "$shardy"/shardy/dialect/sdy/ir/ops.td "$include/mlir/IR/BuiltinOps.td"; do
    llvm-tblgen-22 --dump-json -I "$include" -I "$stablehlo" -I "$shardy" "$file" \
        -o "$work/$(basename "$(dirname "$file")").$(basename "$file").json"
done
cargo run --quiet --release -p mlirbc -- ods import "$work"/*.json --members members.txt --out-dir "$work"
different=0
for name in vhlo stablehlo chlo sdy; do
    if [ "${3-}" != --check ]; then
        cp "$work/$name.table" "src/$name/$name.table"
    elif ! cmp "src/$name/$name.table" "$work/$name.table"; then
        different=1
    fi
done
exit "$different"
