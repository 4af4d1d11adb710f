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
