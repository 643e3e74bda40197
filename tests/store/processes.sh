#!/bin/bash
# Ten thousand `mlirbc store put` processes, one module each: how many files are left, and how fast the store opens.
#   tests/store/processes.sh MLIRBC [PROCESSES [AT_ONCE]]
# Exit: 0 at most 64 files are left, every module is there and the store opens in less than 5 ms, 1 not.
set -euo pipefail
mlirbc=$(realpath "$1") processes=${2:-10000} at_once=${3:-8}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir in
for number in $(seq "$processes"); do
    # 5,000 bytes that differ from file to file.
    printf '%05000d' "$number" > "in/$number"
done
started=$SECONDS
ls in | xargs -P "$at_once" -I NAME "$mlirbc" store put --store "$folder/store" "in/NAME" > keys
files=$(ls store | wc -l)
entries=$("$mlirbc" store ls --store store | wc -l)
echo "$processes processes, $at_once at once, in $((SECONDS - started)) s: $files files, $entries entries"
"$mlirbc" store verify --store store
opened=$(for _ in $(seq 21); do "$mlirbc" store stats --store store --json | sed 's/.*"opened_us":\([0-9]*\).*/\1/'; done |
    sort -n | sed -n 11p)
echo "the store then opens in $opened us (median of 21 processes)"
[ "$opened" -lt 5000 ] && [ "$files" -le 64 ] && [ "$entries" = "$processes" ] && [ "$(sort -u keys | wc -l)" = "$processes" ]
