#!/bin/bash
# Runs every fuzz target, one after the other. Any finding fails it: a crash, an oracle that does not hold, more than 5
# seconds for one input, more than 512 MiB of memory. Exit: 0 no finding, 1 a finding, 3 a target or its seeds are missing.
#   fuzz/run.sh [--seconds N] [TARGET...]      60 seconds a target unless told; all targets of fuzz_targets/ unless told
#   fuzz/run.sh --build                        builds only
# Needs cargo-fuzz (`cargo install cargo-fuzz --locked`) and a C++ compiler. Inputs that were found are in
# fuzz/artifacts/TARGET, what fuzzing learnt is in fuzz/corpus/TARGET; neither is committed.
set -euo pipefail
cd "$(dirname "$0")"

seconds=60
build_only=
while [[ ${1-} == --* ]]; do
    case $1 in
    --seconds) seconds=$2; shift 2 ;;
    --build) build_only=yes; shift ;;
    *) echo "usage: fuzz/run.sh [--seconds N] [--build] [TARGET...]" >&2; exit 2 ;;
    esac
done

# The engine's flags are not stable.
export RUSTC_BOOTSTRAP=1
# Safe Rust runs several times as fast without one: MLIRBC_SANITIZER=address looks at what is not ours as well.
sanitizer=${MLIRBC_SANITIZER:-none}
export ASAN_OPTIONS=${ASAN_OPTIONS:-quarantine_size_mb=16}
folder=$PWD/../target/fuzz
triple=$(rustc -vV | sed -n 's/^host: //p')

# The folder says which targets there are, so that none can be left out.
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
    for file in fuzz_targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi
[ ${#targets[@]} -gt 0 ] || { echo "no targets" >&2; exit 1; }

cargo fuzz build --features libfuzzer --sanitizer "$sanitizer" --target-dir "$folder"
[ -n "$build_only" ] && exit 0
cargo run --quiet --package mlirbc-fuzz --example seeds -- "$PWD/seeds"

failed=()
missing=()
for target in "${targets[@]}"; do
    program=$folder/$triple/release/$target
    [ -x "$program" ] || { echo "!! $target was not built" >&2; missing+=("$target"); continue; }
    seeds=("seeds/$target"/*)
    [ -e "${seeds[0]}" ] || { echo "!! $target has no seeds" >&2; missing+=("$target"); continue; }
    mkdir -p "corpus/$target" "artifacts/$target"
    options=(-rss_limit_mb=512 -timeout=5 -max_len=65536 -print_final_stats=1 -verbosity=0
        -artifact_prefix="artifacts/$target/" -max_total_time="$seconds")
    case $target in
    bytecode_r*) options+=(-dict=dictionaries/bytecode.dict) ;;
    spirv_raise | spirv_read) options+=(-dict=dictionaries/spirv.dict) ;;
    *text*) options+=(-dict=dictionaries/text.dict) ;;
    esac

    if "$program" "${options[@]}" "corpus/$target" "seeds/$target" >"artifacts/$target.log" 2>&1; then
        rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "artifacts/$target.log")
        peak=$(sed -n 's/^stat::peak_rss_mb: *//p' "artifacts/$target.log")
        echo "$target: $seconds s, ${rate:-?} executions a second, ${peak:-?} MiB, no finding"
    else
        tail -n 30 "artifacts/$target.log"
        echo "!! $target: a finding, see fuzz/artifacts/$target" >&2
        failed+=("$target")
    fi
done
[ ${#missing[@]} = 0 ] || { echo "MISSING: ${missing[*]}" >&2; exit 3; }
[ ${#failed[@]} = 0 ] || { echo "FAILED: ${failed[*]}" >&2; exit 1; }
echo "no finding in ${#targets[@]} targets"
