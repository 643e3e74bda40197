#!/bin/bash
# How much of the readers the fuzz corpus reaches: runs seeds, findings and what fuzzing has learnt (fuzz/corpus) through the
# targets that read bytecode and SPIR-V, and prints the lines of each folder that were run. Exit: 1 where a folder has
# less than 90 % of its lines run.
#   fuzz/coverage.sh [--files]               with --files also each file
# Needs llvm-profdata and llvm-cov of the LLVM that rustc is built on, or newer (`rustup component add llvm-tools`).
set -euo pipefail
cd "$(dirname "$0")/.."

targets=(bytecode_read bytecode_roundtrip bytecode_structured spirv_read spirv_structured spirv_raise)
folders=(bytecode/src/read spirv/src/binary/read)

tool() {
    local bundled version
    bundled=$(rustc --print target-libdir)/../bin/$1
    version=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    for program in "$bundled" "$1-$version" "$1"; do
        if command -v "$program" >/dev/null; then
            echo "$program"
            return
        fi
    done
    echo "no $1: rustup component add llvm-tools" >&2
    exit 2
}
profdata=$(tool llvm-profdata)
cov=$(tool llvm-cov)

build=$PWD/target/coverage
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Without inlining each line keeps a count of its own.
RUSTFLAGS="-C instrument-coverage" CARGO_INCREMENTAL=0 \
    cargo build --quiet --package mlirbc-fuzz --example seeds --target-dir "$build"
program=$build/debug/examples/seeds
LLVM_PROFILE_FILE=$work/seeds.profraw "$program" "$work/seeds" >/dev/null
rm -f "$work"/*.profraw
for target in "${targets[@]}"; do
    inputs=("$work/seeds/$target")
    if [ -d "fuzz/corpus/$target" ]; then inputs+=("fuzz/corpus/$target"); fi
    find "${inputs[@]}" -type f -print0 |
        LLVM_PROFILE_FILE="$work/$target-%p.profraw" xargs -0 -n 2000 "$program" --run "$target" >"$work/$target.txt"
    echo "$target: $(wc -l <"$work/$target.txt") inputs"
done
"$profdata" merge --sparse "$work"/*.profraw -o "$work/all.profdata"
"$cov" export --summary-only --instr-profile "$work/all.profdata" "$program" >"$work/summary.json"
python3 - "$work/summary.json" "$PWD" "${1-}" "${folders[@]}" <<'PYTHON'
import json
import sys

summary, here, files, *folders = sys.argv[1:]
rows = json.load(open(summary))["data"][0]["files"]
failed = False
for folder in folders:
    inside = [row for row in rows if row["filename"].startswith(f"{here}/{folder}/")
              or row["filename"] == f"{here}/{folder}.rs"]
    lines = sum(row["summary"]["lines"]["count"] for row in inside)
    run = sum(row["summary"]["lines"]["covered"] for row in inside)
    if not lines:
        sys.exit(f"no lines of {folder}")
    if files:
        for row in inside:
            one = row["summary"]["lines"]
            print(f"  {row['filename'][len(here) + 1:]:50} {one['covered']:5} of {one['count']:5}")
    print(f"{folder}: {run} of {lines} lines, {100 * run / lines:.1f} %")
    failed |= run < 0.9 * lines
sys.exit(failed)
PYTHON
