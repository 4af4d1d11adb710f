# SPDX-License-Identifier: MIT
# What tests of the tool begin with: an empty folder, and how they fail. Environment: NONHOLO, the tool.
set -uo pipefail
: "${NONHOLO:?}"
test_name=$(basename "$0" .sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "$test_name: $*" >&2
    failures=$((failures + 1))
}
# says FILE TEXT: the text is in the file.
says() {
    grep -qF -- "$2" "$1" || fail "no '$2' in: $(head -c 400 "$1")"
}
# expect CODE [argument...]: runs the tool; output in out and err.
expect() {
    local code=$1 got
    shift
    "$NONHOLO" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$code" ] || fail "exit code $got, not $code: nonholo $*: $(cat err)"
}
silent() {
    [ ! -s "$1" ] || fail "$1 should be empty: $(head -c 400 "$1")"
}
