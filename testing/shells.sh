#!/bin/bash
# Loads the completions in each shell that is installed, and shows every manual page.
#   testing/shells.sh MLIRBC
# Exit: 0 all that could be tried is well, 1 something is not. What is not installed is named.
set -uo pipefail
command=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "!! $*"
    failed=1
}

PATH=$(dirname "$command"):$PATH
for shell in bash zsh fish; do
    "$command" completions "$shell" >"$work/$shell" || fail "no completions of $shell"
done
# What a shell offers behind `mlirbc re`.
offered=$(bash -c '. "$0"; COMP_WORDS=(mlirbc re); COMP_CWORD=1; _mlirbc mlirbc re mlirbc; echo "${COMPREPLY[@]}"' "$work/bash" 2>&1)
[ "$offered" = "report resources" ] || fail "bash offers: $offered"
if command -v zsh >/dev/null; then
    zsh -f -c "autoload -Uz compinit && compinit -u -d $work/dump && source $work/zsh && whence -w _mlirbc" | grep -q function || fail "zsh does not load them"
else
    echo "zsh is not installed"
fi
if command -v fish >/dev/null; then
    offered=$(fish --no-config -c "source $work/fish; complete -C 'mlirbc re'" 2>&1 | cut -f1 | sort | xargs)
    [ "$offered" = "report resources" ] || fail "fish offers: $offered"
else
    echo "fish is not installed"
fi
"$command" man --out-dir "$work/man" || fail "no manual pages"
pages=("$work"/man/*.1)
[ "${#pages[@]}" -gt 30 ] || fail "${#pages[@]} manual pages"
if command -v man >/dev/null; then
    for page in "${pages[@]}"; do
        said=$(man --warnings -l "$page" 2>&1 >/dev/null)
        [ -z "$said" ] || fail "$(basename "$page"): $said"
    done
else
    echo "man is not installed"
fi
[ "$failed" = 0 ] && echo "completions load, ${#pages[@]} manual pages show"
exit "$failed"
