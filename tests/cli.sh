#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tool as a user meets it: commands, exit codes, messages. Environment: NONHOLO, the tool.
set -uo pipefail
: "${NONHOLO:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "cli: $*" >&2
    failures=$((failures + 1))
}

# expect CODE [argument...]: runs the tool; output in out and err.
expect() {
    local code=$1 got
    shift
    "$NONHOLO" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$code" ] || fail "exit code $got, not $code: nonholo $*: $(cat err)"
}
# says FILE TEXT: the text is in the file.
says() {
    grep -qF -- "$2" "$1" || fail "no '$2' in: $(head -c 400 "$1")"
}
silent() {
    [ ! -s "$1" ] || fail "$1 should be empty: $(head -c 400 "$1")"
}

# ---- help
expect 2
says err "usage: nonholo COMMAND"
silent out
expect 0 --help
says out "usage: nonholo COMMAND"
silent err
expect 0 help
expect 0 --version
grep -qE '^nonholo [0-9]+\.[0-9]+\.[0-9]+$' out || fail "no version: $(cat out)"
for command in describe check models; do
    expect 0 help "$command"
    says out "examples:"
    cp out first
    expect 0 "$command" --help
    cmp -s first out || fail "help $command and $command --help differ"
    expect 0 help
    says out "$command"
done

# ---- wrong usage
expect 2 descirbe sleigh
says err "nonholo: unknown command 'descirbe'; did you mean 'describe'?"
expect 2 frobnicate
says err "see 'nonholo help'"
expect 2 help frobnicate
expect 2 describe
says err "describe needs MODEL"
expect 2 describe sleigh disk
says err "unexpected 'disk'"
expect 2 describe sleigh --jsn
says err "did you mean '--json'?"
expect 2 models --set m=1
says err "unknown option '--set'"
expect 2 describe sleigh --set
says err "--set needs a value"
expect 2 describe sleigh --set m
says err "--set needs NAME=EXPR"
expect 2 describe sleigh --json=1
says err "takes no value"
expect 2 describe sleihg
says err "did you mean 'sleigh'?"
expect 2 models sleihg
says err "did you mean 'sleigh'?"
expect 2 describe no/such/file.nh
says err "no/such/file.nh"
expect 2 describe sleigh --set nosuch=1
says err "nosuch"
expect 2 describe sleigh --set "m=1+"
silent out

# ---- places of mistakes in a file
printf 'coordinates x\nlagrangian x'\''^2/2 + yy\n' >wrong.nh
expect 2 describe wrong.nh
says err "nonholo: wrong.nh:2:21: unknown name 'yy'"
says err "lagrangian x'^2/2 + yy"
grep -qE '^ +\^$' err || fail "no caret: $(cat err)"
silent out

# ---- describe
expect 0 describe sleigh
says out "nonholonomic: the constraints cannot be integrated"
silent err
expect 0 describe sleigh --set m=2 --set=g=0
says out "m = 2"
says out "g = 0"
expect 0 describe sleigh --initial "theta=pi/2" --initial "x'=0"
says out "theta = 1.570796327"
expect 0 describe mp-particles --set m=50
says out "q[1..101]"
expect 0 describe sleigh --latex
says out "\\begin{align*}"
"$NONHOLO" models sleigh | "$NONHOLO" describe - >out 2>err || fail "describe - failed: $(cat err)"
says out "standard input"
echo 'coordinates' | "$NONHOLO" describe - >out 2>err
[ $? = 2 ] || fail "a wrong text on standard input should give 2"
says err "standard input:1"

# ---- check
expect 0 check sleigh
says out "well posed"
expect 0 check sleigh --quiet
silent out
expect 1 check sleigh --initial "y'=1"
says out "FAILED  consistent"
says out "consistent data near them"
expect 1 check sleigh --initial "y'=1" --quiet
silent out

# ---- models: the file that is written is the model
expect 0 models
says out "Chaplygin sleigh"
expect 0 models sleigh
cp out copy.nh
expect 0 check copy.nh

# ---- JSON is JSON
if command -v python3 >/dev/null; then
    for arguments in "models" "describe sleigh" "describe dae-srk" "describe heisenberg-hamiltonian" "check disk"; do
        # shellcheck disable=SC2086
        expect 0 $arguments --json
        python3 -m json.tool out >/dev/null 2>json || fail "no JSON: $arguments: $(cat json)"
    done
    expect 0 describe disk --json --set R=2
    python3 - out <<'PY' || fail "the JSON of describe lacks something"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["coordinates"] == ["x", "y", "phi", "theta"]
assert d["parameters"]["R"] == 2
assert [c["class"] for c in d["constraints"]] == ["linear", "linear"]
assert d["growth_vector"] == [2, 3, 4] and d["integrable"] is False
assert d["regular"] is True and d["index"] == 2
PY
fi

# ---- output that cannot be written
if [ -w /dev/full ]; then
    "$NONHOLO" describe sleigh >/dev/full 2>err
    [ $? = 1 ] || fail "a full disk should give 1"
    says err "cannot write the output"
fi
# a reader that has gone: a signal or an exit code, but not success
(trap '' PIPE; "$NONHOLO" describe mp-particles --json --set m=2000 2>err; echo $? >code) | head -c 1 >/dev/null
[ "$(cat code)" != 0 ] || fail "a closed pipe should not give 0"

[ "$failures" = 0 ] || { echo "cli: $failures failures" >&2; exit 1; }
