#!/bin/bash
# Makes the archive of a release: the command, completions of three shells, manual pages, licences.
#   packaging/archive.sh [--profile PROFILE] [--out DIR]
# The profile is `dist` by default, the folder target/archives. The archive is unpacked elsewhere in the end, and what is in it is run.
# Exit: 0 made and tried, 1 not.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=dist
out=target/archives
while [ $# -gt 0 ]; do
    case $1 in
    --profile) profile=$2 ;;
    --out) out=$2 ;;
    *)
        echo "packaging/archive.sh [--profile PROFILE] [--out DIR]" >&2
        exit 1
        ;;
    esac
    shift 2
done

cargo build --locked --profile "$profile" -p mlirbc
built=${CARGO_TARGET_DIR:-target}/$profile/mlirbc
version=$("$built" --version | cut -d' ' -f2)
host=$(rustc -vV | sed -n 's/^host: //p')
name=mlirbc-$version-$host
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

folder=$work/$name
mkdir -p "$folder/bin" "$folder/completions" "$folder/man/man1" "$out"
install -m 755 "$built" "$folder/bin/mlirbc"
strip --strip-debug "$folder/bin/mlirbc" 2>/dev/null || echo "no strip: the command keeps its tables of lines" >&2
"$built" completions bash >"$folder/completions/mlirbc.bash"
"$built" completions zsh >"$folder/completions/_mlirbc"
"$built" completions fish >"$folder/completions/mlirbc.fish"
"$built" man --out-dir "$folder/man/man1"
cp LICENSE-APACHE LICENSE-MIT README.md CHANGELOG.md "$folder"
# In one order, by nobody, of the time of the commit: the same each time it is made.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" -C "$work" -czf "$out/$name.tar.gz" "$name"

mkdir "$work/elsewhere"
tar -C "$work/elsewhere" -xzf "$out/$name.tar.gz"
there=$work/elsewhere/$name
cp fixtures/arith.mlirbc "$work/elsewhere"
(cd "$work/elsewhere" && "$there/bin/mlirbc" verify arith.mlirbc && "$there/bin/mlirbc" print arith.mlirbc | grep -q 'module @arith')
for file in completions/mlirbc.bash completions/_mlirbc completions/mlirbc.fish man/man1/mlirbc.1 man/man1/mlirbc-store-put.1 LICENSE-MIT; do
    [ -s "$there/$file" ] || { echo "$file is not in the archive" >&2; exit 1; }
done
bash -n "$there/completions/mlirbc.bash"
(cd "$out" && sha256sum "$name.tar.gz")
