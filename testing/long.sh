#!/bin/bash
# What takes too long for `.ci/run`: fuzzing, tests at their full length, and every file of the reference corpora.
#   testing/long.sh [ROW...]            all rows, or those named; `testing/long.sh --list` names them
# Needs what `.ci/run` needs, and MLIRBC_SHARED for the rows that compare with reference data (else these are skipped, with a
# line that says so). MLIRBC_LONG divides every length: `MLIRBC_LONG=100 testing/long.sh` is a try. Some hours on two cores.
# Exit: 0 all passed or was skipped with a reason, 1 something failed.
set -uo pipefail
cd "$(dirname "$0")/.."
part=${MLIRBC_LONG:-1}
of() { echo $(($1 / part > 0 ? $1 / part : 1)); }
# test_of CRATE MODULE [THREADS]: the tests of one file; program_of: those of a file that is a program of its own.
program_of() { cargo test --locked --release -p "$1" --test "$2" -- --nocapture --test-threads "${3:-$(nproc)}"; }
test_of() { cargo test --locked --release -p "$1" --test all "$2::" -- --nocapture --test-threads "${3:-$(nproc)}"; }
shared_or_skip() {
    [ -n "${MLIRBC_SHARED-}" ] && return
    echo "!! SKIPPED: MLIRBC_SHARED names no folder with reference data"
    return 1
}

fuzz() { fuzz/run.sh --seconds "$(of 600)" --jobs "$(nproc)"; }
cases() { MLIRBC_CASES=$(of 100000) test_of mlirbc-fuzz targets; }
mutations() { MLIRBC_MUTATIONS=$(of 1000000) program_of mlirbc-fuzz mutations; }
differential() {
    shared_or_skip || return 0
    cargo build --locked --release -p mlirbc && fuzz/differential.py --count "$(of 20000)"
}
comparisons() {
    shared_or_skip || return 0
    cargo build --locked --release -p mlirbc && testing/compare.py target/release/mlirbc --all
}
programs() { cargo build --locked --release -p mlirbc && testing/spirv_programs.py target/release/mlirbc --count "$(of 1000)"; }
shaders() {
    shared_or_skip || return 0
    local tool
    for tool in mlir-opt-22 mlir-translate-22 llc-22 llvm-nm-22; do
        command -v "$tool" >/dev/null || { echo "!! SKIPPED: $tool is not installed"; return; }
    done
    cargo build --locked --release -p mlirbc && testing/shaders.py target/release/mlirbc --list --needed 90
}
random_kernels() {
    command -v spirv-val >/dev/null || { echo "!! SKIPPED: spirv-val is not installed"; return; }
    cargo build --locked --release -p mlirbc-fuzz --example into_spirv &&
        testing/into_spirv.py target/release/examples/into_spirv --count "$(of 10000)"
}
targets() {
    shared_or_skip || return 0
    command -v spirv-val >/dev/null || { echo "!! SKIPPED: spirv-val is not installed"; return; }
    cargo build --locked --release -p mlirbc && testing/target_env.py target/release/mlirbc "$MLIRBC_SHARED/corpus/spirv" --count "$(of 2000)"
}
updates() {
    shared_or_skip || return 0
    command -v spirv-val >/dev/null || { echo "!! SKIPPED: spirv-val is not installed"; return; }
    cargo build --locked --release -p mlirbc && testing/update_vce.py target/release/mlirbc "$MLIRBC_SHARED/corpus/spirv" &&
        testing/spirv_passes.py target/release/mlirbc "$MLIRBC_SHARED/corpus/spirv"
}
kernels() {
    shared_or_skip || return 0
    local tool
    for tool in mlir-opt-22 mlir-translate-22 spirv-val gcc; do
        command -v "$tool" >/dev/null || { echo "!! SKIPPED: $tool is not installed"; return; }
    done
    cargo build --locked --release -p mlirbc && cargo build --locked --release -p mlirbc-testing --example kernels &&
        testing/kernels.py target/release/mlirbc --loops target/release/examples/kernels
}
hosts() {
    command -v mlir-opt-22 >/dev/null || { echo "!! SKIPPED: mlir-opt-22 is not installed"; return; }
    cargo build --locked --release -p mlirbc && testing/host.py target/release/mlirbc
}
layouts() {
    command -v glslangValidator >/dev/null || { echo "!! SKIPPED: glslangValidator is not installed"; return; }
    cargo build --locked --release -p mlirbc && testing/layout.py target/release/mlirbc --count "$(of 500)"
}
links() {
    shared_or_skip || return 0
    local tool
    for tool in mlir-opt-22 spirv-val; do
        command -v "$tool" >/dev/null || { echo "!! SKIPPED: $tool is not installed"; return; }
    done
    cargo build --locked --release -p mlirbc && testing/link.py target/release/mlirbc --count "$(of 200)"
}
parts() {
    shared_or_skip || return 0
    command -v mlir-opt-22 >/dev/null || { echo "!! SKIPPED: mlir-opt-22 is not installed"; return; }
    cargo build --locked --release -p mlirbc && testing/parts.py target/release/mlirbc && testing/shells.sh target/release/mlirbc
}
stablehlo() {
    shared_or_skip || return 0
    "${JAX_PYTHON:-$HOME/.stablehlo/bin/python}" -c "import jaxlib.mlir.dialects.stablehlo" 2>/dev/null || { echo "!! SKIPPED: there is no Python with jaxlib"; return; }
    cargo build --locked --release -p mlirbc &&
        testing/stablehlo_checks.py target/release/mlirbc "$MLIRBC_SHARED/corpus/stablehlo_artifacts" --each "$(of 100)"
}
archive() { packaging/archive.sh; }
forms() { MLIRBC_CASES=$(of 1000000) test_of mlirbc-testing text_forms; }
editing() { MLIRBC_EDITS=$(of 1000000) test_of mlirbc-testing editing; }
threads() { MLIRBC_ROUNDS=$(of 1000) test_of mlirbc-testing threads; }
numbers() { MLIRBC_NUMBERS=$(of 20000) test_of mlirbc-testing numbers; }
dominance() { MLIRBC_DOMINANCE_MUTANTS=$(of 2000) test_of mlirbc-testing dominance_mutants; }
decodable() { MLIRBC_DECODABLE_MUTANTS=$(of 200000) test_of mlirbc decodable; }
interrupt() { MLIRBC_INTERRUPT_SIZE=20M test_of mlirbc interrupt 1; }
million() { test_of mlirbc-testing million 1; }
model() { MLIRBC_STORE_OPERATIONS=$(of 100000) test_of mlirbc-store model; }
power() { MLIRBC_STORE_CUTS=$(of 50) test_of mlirbc-store power; }
processes() { MLIRBC_STORE_SECONDS=$(of 60) test_of mlirbc-store processes; }
flips() { test_of mlirbc-store flips; }
large() { MLIRBC_STORE_LARGE=$(of 200) test_of mlirbc-store large; }
commands() { cargo build --locked --release -p mlirbc && tests/store/processes.sh target/release/mlirbc; }
features() { testing/features.py --test; }
remote() { cargo test --locked --release -p mlirbc-store --features remote --test all remote; }

rows=(fuzz cases mutations differential comparisons programs shaders random_kernels targets updates kernels hosts layouts links parts stablehlo archive forms editing threads numbers dominance decodable interrupt million model power processes flips large commands features remote)
if [ "${1-}" = --list ]; then
    printf '%s\n' "${rows[@]}"
    exit
fi
for row in "$@"; do
    [[ " ${rows[*]} " == *" $row "* ]] || { echo "no row is called $row; testing/long.sh --list names them" >&2; exit 2; }
done
[ $# = 0 ] && set -- "${rows[@]}"

failed=()
for row in "$@"; do
    printf '\n== %s (%d s)\n' "$row" "$SECONDS"
    "$row" || { echo "!! FAILED: $row"; failed+=("$row"); }
done
[ ${#failed[@]} = 0 ] || { echo "FAILED: ${failed[*]}"; exit 1; }
echo "all passed in $SECONDS s"
