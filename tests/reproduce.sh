#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# nonholo reproduce: what there is, files, verdicts, exit codes, messages. Environment: NONHOLO, the tool.
. "$(dirname "$0")/tool.bash"

# expect CODE [argument...]: runs the tool; output in out and err.
expect() {
    local code=$1 got
    shift
    "$NONHOLO" reproduce "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$code" ] || fail "exit code $got, not $code: nonholo reproduce $*: $(cat out err)"
}
# there FILE...: they are files, and not empty.
there() {
    local file
    for file in "$@"; do
        [ -s "$file" ] || fail "no file $file"
    done
}
pictures=no
! command -v gnuplot >/dev/null || pictures=yes

# ---- what there is
expect 0 --help
says out "examples:"
expect 0
for figure in 8.1 8.2 8.3 8.4 round-off; do
    says out "jay2009/$figure "
done
expect 0 --json
says out '"figure": "8.4"'
! command -v python3 >/dev/null || python3 -m json.tool <out >/dev/null || fail "the list is no JSON"

# ---- wrong usage
expect 2 jay2008
says err "nonholo: unknown paper 'jay2008'; did you mean 'jay2009'?"
expect 2 frobnicate/8.1
says err "unknown paper 'frobnicate'; see 'nonholo reproduce'"
expect 2 jay2009/8.5
says err "unknown figure of jay2009: '8.5'; did you mean"
expect 2 jay2009/frobnicate
says err "see 'nonholo reproduce'"
expect 2 jay2009/
expect 2 jay2009 --quick --thorough
says err "cannot be given together"
expect 2 jay2009 skate
expect 2 jay2009 --method mp
[ -z "$(ls -d reproduce 2>/dev/null)" ] || fail "wrong usage has made files"

# ---- one figure
expect 0 jay2009/8.2 --threads 1
grep -qE '^[0-9]+ agree, 0 differ, [0-9]+ measured$' out || fail "no verdicts: $(cat out)"
grep -qE '^8\.2 .* 6\.955e-07 .* agrees$' out || fail "no row of lobatto-ab(s=3)"
there reproduce/jay2009/8.2.csv reproduce/jay2009/8.2.md
[ "$(wc -l <reproduce/jay2009/8.2.csv)" = 1002 ] || fail "8.2.csv should have a line of names and 1001 states"
[ $pictures = no ] || there reproduce/jay2009/8.2.svg reproduce/jay2009/8.2.png
says reproduce/jay2009/8.2.md "8.2.csv"

# ---- all figures, in a folder that has to be made; the results do not depend on the number of threads
expect 0 jay2009 --quick --output deep/folder --json --threads 2
! command -v python3 >/dev/null || python3 - out <<'END' || fail "the verdicts are not as they should be"
import json, sys
report = json.load(open(sys.argv[1]))
assert {c["figure"] for c in report["claims"]} == {"8.1", "8.2", "8.3", "8.4", "round-off"}
assert all(c["verdict"] in ("agrees", "measured") for c in report["claims"])
assert report["differ"] == 0 and report["agree"] >= 30
END
for figure in 8.1 8.2 8.3 8.4 round-off; do
    there "deep/folder/$figure.csv"
    [ $pictures = no ] || there "deep/folder/$figure.svg" "deep/folder/$figure.png"
done
there deep/folder/summary.md
cmp -s deep/folder/8.2.csv reproduce/jay2009/8.2.csv || fail "8.2.csv depends on the number of threads"

# ---- without gnuplot: one line, and all the rest
mkdir empty
PATH=$work/empty "$NONHOLO" reproduce jay2009/8.1 --output bare >out 2>err || fail "it needs gnuplot: $(cat err)"
says err "no pictures: "
[ "$(wc -l <err)" = 1 ] || fail "more than a line: $(cat err)"
there bare/8.1.csv bare/8.1.md
[ ! -e bare/8.1.svg ] || fail "a picture without gnuplot"

# ---- what cannot be written
: >file
expect 1 jay2009/8.1 --output file/below
says err "cannot make the folder file/below"

# ---- stopped: by SIGTERM, as a shell's background jobs ignore SIGINT
"$NONHOLO" reproduce jay2009/8.4 --output stopped >out 2>err &
job=$!
sleep 0.7
kill -TERM $job
wait $job
code=$?
[ $code = 1 ] || fail "exit code $code, not 1, after SIGTERM"
says err "nonholo: stopped; the figures that were finished are kept"

# ---- quiet
expect 0 jay2009/8.1 --quiet
[ ! -s out ] && [ ! -s err ] || fail "not quiet: $(cat out err)"

[ "$failures" = 0 ] || exit 1
echo "reproduce: passed"
