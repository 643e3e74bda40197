#!/bin/bash
# Runs fuzz targets. Any finding fails it: a crash, an oracle that does not hold, more than 5 seconds for one input, more than
# 512 MiB of memory; and so does a target that takes less than a tenth of the inputs that were changed, since its oracle has
# nothing to say then. Exit: 0 no finding, 1 a finding, 3 a target or its seeds are missing.
#   fuzz/run.sh [--seconds N] [--jobs N] [TARGET...]     60 seconds a target unless told, one at a time; all targets unless told
#   fuzz/run.sh --build DIR                     builds only: programs, seeds, dictionaries and this script, in one folder
#   fuzz/run.sh --programs DIR [...]            runs what such a folder holds: DIR/run.sh --programs DIR works where there is no Rust
# Needs cargo-fuzz (`cargo install cargo-fuzz --locked`) and a C++ compiler, but for --programs. Inputs that were found are in
# artifacts/TARGET, what fuzzing learnt is in corpus/TARGET, beside this script or in DIR; neither is committed.
set -euo pipefail

seconds=60
jobs=1
build=
programs=
usage() {
    echo "usage: fuzz/run.sh [--seconds N] [--jobs N] [--build DIR | --programs DIR] [TARGET...]" >&2
    exit 2
}
while [[ ${1-} == --* ]]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --seconds) seconds=$2 ;;
    --jobs) jobs=$2 ;;
    --build) build=$(mkdir -p "$2" && cd "$2" && pwd) ;;
    --programs) programs=$(cd "$2" && pwd) ;;
    *) usage ;;
    esac
    shift 2
done
targets=("$@")

# Builds the programs of all targets and what they begin with, into a folder.
build_into() {
    # The engine's flags are not stable.
    export RUSTC_BOOTSTRAP=1
    # Safe Rust runs several times as fast without one: MLIRBC_SANITIZER=address looks at what is not ours as well.
    local folder=$PWD/../target/fuzz triple
    triple=$(rustc -vV | sed -n 's/^host: //p')
    cargo fuzz build --features libfuzzer --sanitizer "${MLIRBC_SANITIZER:-none}" --target-dir "$folder"
    rm -rf "$1/seeds"
    cargo run --quiet --package mlirbc-fuzz --example seeds -- "$1/seeds"
    # The folder says which targets there are, so that none can be left out.
    local file
    for file in fuzz_targets/*.rs; do
        file=$folder/$triple/release/$(basename "$file" .rs)
        [ -x "$file" ] && strip -o "$1/$(basename "$file")" "$file"
    done
    cp -r dictionaries run.sh "$1"
    printf '%s\n' fuzz_targets/*.rs | sed 's|.*/||; s|\.rs$||' >"$1/targets.txt"
}

if [ -n "$build" ] || [ -z "$programs" ]; then
    cd "$(dirname "$0")"
    build_into "${build:-$(mkdir -p programs && cd programs && pwd)}"
    [ -n "$build" ] && exit 0
    programs=$PWD/programs
else
    cd "$programs"
fi
export ASAN_OPTIONS=${ASAN_OPTIONS:-quarantine_size_mb=16}

if [ ${#targets[@]} = 0 ]; then
    mapfile -t targets <"$programs/targets.txt"
fi
[ ${#targets[@]} -gt 0 ] || { echo "no targets" >&2; exit 1; }

# One target, with a line of what came of it: 0 no finding, 1 a finding, 3 it is missing.
run_one() {
    local target=$1 program=$programs/$1 seeds=$programs/seeds/$1 log=artifacts/$1.log
    [ -x "$program" ] || { echo "!! $target was not built" >&2; return 3; }
    [ -n "$(ls "$seeds" 2>/dev/null)" ] || { echo "!! $target has no seeds" >&2; return 3; }
    mkdir -p "corpus/$target" "artifacts/$target"
    # One change an input: of many changes on top of each other, little is left that is taken.
    local options=(-rss_limit_mb=512 -timeout=5 -max_len=65536 -mutate_depth=1 -print_final_stats=1 -verbosity=0
        -artifact_prefix="artifacts/$target/" -max_total_time="$seconds")
    case $target in
    bytecode_[pr]*) options+=(-dict="$programs/dictionaries/bytecode.dict") ;;
    spirv_raise | spirv_read | spirv_to_llvm) options+=(-dict="$programs/dictionaries/spirv.dict") ;;
    *text* | rewrite | spirv_passes | spirv_link | into_spirv) options+=(-dict="$programs/dictionaries/text.dict") ;;
    esac
    if ! "$program" "${options[@]}" "corpus/$target" "$seeds" >"$log" 2>&1; then
        tail -n 30 "$log"
        echo "!! $target: a finding, see $PWD/artifacts/$target" >&2
        return 1
    fi
    local rate peak accepted changed
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    peak=$(sed -n 's/^stat::peak_rss_mb: *//p' "$log")
    read -r accepted changed < <(sed -n 's/^share: \([0-9]*\) of \([0-9]*\)$/\1 \2/p' "$log" | tail -n 1) || true
    awk -v target="$target" -v seconds="$seconds" -v rate="${rate:-?}" -v peak="${peak:-?}" -v accepted="${accepted:-0}" \
        -v changed="${changed:-0}" 'BEGIN {
        share = changed > 0 ? 100 * accepted / changed : 0
        few = share < 10
        printf "%s: %s s, %s executions a second, %s MiB, %d of %d changed inputs accepted (%.1f %%), %s\n", target, seconds,
            rate, peak, accepted, changed, share, few ? "!! less than a tenth" : "no finding"
        exit few
    }'
}

outcomes=$(mktemp -d)
trap 'rm -rf "$outcomes"' EXIT
running=0
for target in "${targets[@]}"; do
    if [ "$running" -ge "$jobs" ]; then
        wait -n || true
        running=$((running - 1))
    fi
    (
        status=0
        run_one "$target" || status=$?
        echo "$status" >"$outcomes/$target"
    ) &
    running=$((running + 1))
done
wait

failed=()
missing=()
for target in "${targets[@]}"; do
    case $(cat "$outcomes/$target") in
    0) ;;
    3) missing+=("$target") ;;
    *) failed+=("$target") ;;
    esac
done
[ ${#missing[@]} = 0 ] || { echo "MISSING: ${missing[*]}" >&2; exit 3; }
[ ${#failed[@]} = 0 ] || { echo "FAILED: ${failed[*]}" >&2; exit 1; }
echo "no finding in ${#targets[@]} targets"
