#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs and ensembles that are killed at any moment go on from their checkpoints to the same files, bit for bit.
# Environment: NONHOLO, the tool.
. "$(dirname "$0")/tool.bash"

# What a run took may differ.
steady() {
    grep -vE '"(seconds|build_seconds|threads|at_a_time|backend)"' "$1"
}
# kill_some NAME COMMAND...: starts the command with a checkpoint and kills it, later each time, until it has ended by
# itself; each time it goes on from the checkpoint, if there is one by then. Returns its exit code.
kill_some() {
    local name=$1 wait=0.05 killed=0 running resume code
    shift
    for _ in $(seq 60); do
        resume=()
        [ ! -e "$name.check" ] || resume=(--resume "$name.check")
        "$NONHOLO" "$@" --checkpoint "$name.check" --checkpoint-every 0 "${resume[@]}" >"$name.out" 2>"$name.err" &
        running=$!
        (sleep "$wait"; kill -9 "$running") 2>/dev/null &
        wait "$running" 2>/dev/null
        code=$?
        wait
        if [ "$code" != 137 ]; then # 128 + SIGKILL
            [ "$killed" -gt 1 ] || fail "$name was killed $killed times only"
            return "$code"
        fi
        [ ! -s "$name.err" ] || fail "$name: $(cat "$name.err")"
        killed=$((killed + 1))
        wait=$(awk "BEGIN { print 1.25 * $wait }")
    done
    fail "$name never ended"
}

# await FILE: until it is there
await() {
    for _ in $(seq 1000); do
        [ ! -e "$1" ] || return
        sleep 0.01
    done
    fail "no $1 in 10 s"
}

# ---- one run; the steps do not fit the rows, nor the audit
run=(run mp-particles --method "gauss(s=2)" --steps 400007 --every 300 --audit 7 --backend tape --json)
"$NONHOLO" "${run[@]}" --output whole.csv >whole.out || fail "the run failed"
kill_some part "${run[@]}" --output part.csv || fail "part: $(cat part.err)"
cmp whole.csv part.csv || fail "a run that was killed has other rows"
diff <(steady whole.out) <(steady part.out) || fail "a run that was killed has another audit"

# ---- an ensemble; threads, members at a time and backend change on the way
ensemble=(ensemble mp-particles --method mp --draw "q[1]=uniform(-1,1)" --draw "energy(3)" --count 30 --steps 300001
    --every 3000 --json)
"$NONHOLO" "${ensemble[@]}" --backend tape --threads 1 --at-a-time 1 --output all.csv --motions all-motions.csv >all.out ||
    fail "the ensemble failed"
kill_some some "${ensemble[@]}" --backend tape --output some.csv --motions some-motions.csv || fail "some: $(cat some.err)"
cmp all.csv some.csv || fail "an ensemble that was killed has other statistics"
cmp all-motions.csv some-motions.csv || fail "an ensemble that was killed has other motions"
diff <(steady all.out) <(steady some.out) || fail "an ensemble that was killed ends differently"

# ---- what killed writers leave, of checkpoints or pictures, is cleared away; nothing else is
! ls ./*.tmp 2>/dev/null || fail "something is left of those that were killed"
sleep 0 &
gone=$!
wait "$gone"
mkdir beside
left=(beside/a.check."$gone"-0.tmp beside/a.check."$gone"-12.tmp beside/a.gp."$gone"-0.tmp)
kept=(beside/a.check."$$"-0.tmp beside/b.check."$gone"-0.tmp beside/a.check."$gone".tmp beside/a.check."$gone"-0.tmp.csv
    beside/a.checks."$gone"-0.tmp beside/a.check.-"$gone"-0.tmp beside/a.check.99999999999999999999-0.tmp)
touch "${left[@]}" "${kept[@]}"
"$NONHOLO" run skate --steps 5 --checkpoint beside/a.check --plot beside/a.gp --quiet || fail "no checkpoint beside left-overs"
for file in "${left[@]}"; do
    [ ! -e "$file" ] || fail "$file is still there"
done
for file in "${kept[@]}"; do
    [ -e "$file" ] || fail "$file is gone"
done
touch a.check."$gone"-0.tmp
"$NONHOLO" run skate --steps 5 --checkpoint a.check --quiet || fail "no checkpoint here"
! ls ./*.tmp 2>/dev/null || fail "something is left here"

# ---- members that fail on the way leave their last good state, whoever computes them beside whom
cat >grow.nh <<'END'
parameters k = 1
coordinates x
lagrangian (x'^2 + k*x^2)/2
initial x = 1
step 1/100
END
grow=(ensemble grow.nh --list k=1,-1,0.5,0.25,2,-2,0.1,0.3,0.15 --steps 120001 --every 3000 --audit 0 --json)
"$NONHOLO" "${grow[@]}" --backend tape --threads 1 --at-a-time 1 --output grow.csv --motions grow-motions.csv >grow.out 2>err
[ $? = 1 ] || fail "nothing has grown too large: $(cat err)"
for options in "1 4" "1 8" "2 1" "2 4"; do
    read -r threads at_a_time <<<"$options"
    "$NONHOLO" "${grow[@]}" --threads "$threads" --at-a-time "$at_a_time" --motions one-motions.csv >one.out 2>err
    cmp grow-motions.csv one-motions.csv || fail "$threads threads and $at_a_time at a time have other motions"
    diff <(steady grow.out) <(steady one.out) || fail "$threads threads and $at_a_time at a time end differently"
done
kill_some grown "${grow[@]}" --backend tape --output some.csv --motions some-motions.csv
[ $? = 1 ] || fail "an ensemble that was killed has no failures"
cmp grow.csv some.csv || fail "an ensemble that was killed has other statistics"
cmp grow-motions.csv some-motions.csv || fail "an ensemble that was killed has other failures"
diff <(steady grow.out) <(steady grown.out) || fail "an ensemble that was killed ends differently"
member=0
for k in 1 -1 0.5 0.25 2 -2 0.1 0.3 0.15; do
    "$NONHOLO" run grow.nh --set k=$k --steps 120001 --every 3000 --audit 0 --output one.csv >out 2>err
    grep "^$member," grow-motions.csv | cut -d, -f2- | cmp - <(tail -n +2 one.csv) || fail "k = $k is not what run gives"
    member=$((member + 1))
done

# ---- Ctrl-C, or SIGTERM, leaves a checkpoint; a run that has ended can be made longer
"$NONHOLO" "${run[@]}" --output part.csv --checkpoint stop.check --checkpoint-every 0 >/dev/null 2>err &
running=$!
await stop.check
kill -TERM "$running"
wait "$running"
[ $? = 1 ] || fail "a run that was stopped does not say so"
"$NONHOLO" "${run[@]}" --output part.csv --resume stop.check >part.out || fail "no resume after SIGTERM"
cmp whole.csv part.csv || fail "a run that was stopped has other rows"
rm -f stop.check
"$NONHOLO" "${ensemble[@]}" --backend tape --output some.csv --checkpoint stop.check --checkpoint-every 0 >stop.out \
    2>err &
running=$!
await stop.check
kill -TERM "$running"
wait "$running"
[ $? = 1 ] || fail "an ensemble that was stopped does not say so"
# told NAME: a number of the report
told() {
    sed -n "s/^  \"$1\": \(.*\),/\1/p" stop.out
}
awk "BEGIN { exit !($(told steps) > 0 && $(told t) > 0 && ($(told steps) * $(told step) - $(told t))^2 < 1e-12) }" ||
    fail "an ensemble that was stopped tells a wrong time: $(head -30 stop.out)"
[ "$(told quantities_t)" = "$(told t)" ] || fail "statistics of another time than that of the stop: $(cat stop.out)"
grep -qF "stopped at t = " err || fail "no time of the stop: $(cat err)"
"$NONHOLO" "${ensemble[@]}" --output some.csv --resume stop.check >/dev/null || fail "no resume of a stopped ensemble"
cmp all.csv some.csv || fail "an ensemble that was stopped has other statistics"
short=("${run[@]}")
short[5]=1234
"$NONHOLO" "${short[@]}" --output part.csv --checkpoint short.check >/dev/null || fail "the short run failed"
"$NONHOLO" "${run[@]}" --output part.csv --resume short.check >part.out || fail "a run cannot be made longer"
cmp whole.csv part.csv || fail "a run that was made longer has other rows"
diff <(steady whole.out) <(steady part.out) || fail "a run that was made longer has another audit"

# Where it has no --every, an ensemble that is made longer goes on as it was, and says so.
few=(ensemble skate --list m=1,2)
"$NONHOLO" "${few[@]}" --steps 300 --output few.csv --checkpoint few.check --quiet || fail "the few failed"
cp few.csv fewer.csv
"$NONHOLO" "${few[@]}" --steps 300 --output fewer.csv --resume few.check >out 2>err || fail "an ensemble cannot be resumed at its end"
[ ! -s err ] || fail "the same end, and: $(cat err)"
"$NONHOLO" "${few[@]}" --steps 600 --resume few.check >out 2>err || fail "an ensemble cannot be made longer without a file"
[ ! -s err ] || fail "no rows, and: $(cat err)"
"$NONHOLO" "${few[@]}" --steps 600 --every 3 --output fewer.csv --resume few.check >out 2>err ||
    fail "an ensemble cannot be made longer with --every"
[ ! -s err ] || fail "--every is given, and: $(cat err)"
"$NONHOLO" "${few[@]}" --steps 600 --output few.csv --resume few.check >out 2>err || fail "an ensemble cannot be made longer"
[ "$(cat err)" = "nonholo: rows stay 3 steps apart, as before few.check; without --resume and --every they would be 6 apart" ] ||
    fail "what is told of rows: $(cat err)"
"$NONHOLO" "${few[@]}" --steps 600 --every 3 --output few-whole.csv --quiet || fail "the few failed"
cmp few-whole.csv few.csv || fail "an ensemble that was made longer has other rows"

# ---- what does not fit is refused, and nothing is touched
# refused TEXT [argument...]
refused() {
    local text=$1
    shift
    "$NONHOLO" "$@" >out 2>err </dev/null
    [ $? = 2 ] || fail "not refused: nonholo $*"
    grep -qF -- "$text" err || fail "no '$text' in: $(cat err)"
    [ "$(wc -l <err)" = 1 ] || fail "more than a line: $(cat err)"
    cmp whole.csv part.csv || fail "refused, but part.csv has changed: nonholo $*"
}
refused "of another method" run mp-particles --method mp --output part.csv --resume short.check
refused "other initial data" run mp-particles --method "gauss(s=2)" --step 0.1 --output part.csv --resume short.check
refused "of another model" run particle --method "gauss(s=2)" --output part.csv --resume short.check
refused "of another command" ensemble mp-particles --method "gauss(s=2)" --output part.csv --resume short.check
refused "rows are 300 steps apart, not 200; use --every 300" "${run[@]}" --output part.csv --resume short.check --every 200
refused "rows are 300 steps apart, not 1; use --every 300" run mp-particles --method "gauss(s=2)" --audit 7 --steps 5000 \
    --output part.csv --resume short.check
refused "rows are 3000 steps apart, not 1000; use --every 3000" "${ensemble[@]}" --every 1000 --output some.csv \
    --resume stop.check
# Nor of rows that are not those that the file had, or that nobody has written.
"$NONHOLO" "${few[@]}" --steps 300 --every 3 --output few.csv --motions few-motions.csv --checkpoint few.check --quiet ||
    fail "the few failed"
cp few.csv few-kept.csv
cp few-motions.csv few-motions-kept.csv
refused "is at step 300, behind the end of this run, step 60" "${few[@]}" --steps 60 --every 3 --output few.csv \
    --motions few-motions.csv --resume few.check
"$NONHOLO" "${few[@]}" --steps 600 --every 3 --output few.csv --motions no-such.csv --resume few.check 2>err &&
    fail "motions that are not there were continued"
"$NONHOLO" "${few[@]}" --steps 600 --every 3 --output no-such.csv --motions few-motions.csv --resume few.check 2>err &&
    fail "statistics that are not there were continued"
cmp few.csv few-kept.csv && cmp few-motions.csv few-motions-kept.csv || fail "refused, but rows are lost"
sed 's/^\([0-9]\)/-\1/' few.csv >other.csv
"$NONHOLO" "${few[@]}" --steps 600 --every 3 --output other.csv --resume few.check 2>err && fail "other rows were continued"
grep -qF "other.csv has other rows than it had: it cannot be continued" err || fail "what is told of other rows: $(cat err)"
"$NONHOLO" "${few[@]}" --steps 600 --every 3 --resume few.check --checkpoint bare.check --quiet || fail "no resume without files"
refused "bare.check cannot be resumed with --output: it was saved by a command without" "${few[@]}" --steps 900 --every 3 \
    --output few.csv --resume bare.check
refused "bare.check cannot be resumed with --motions" "${few[@]}" --steps 900 --every 3 --motions few-motions.csv \
    --resume bare.check
cmp few.csv few-kept.csv && cmp few-motions.csv few-motions-kept.csv || fail "refused, but rows are lost"
refused "behind the end" run mp-particles --method "gauss(s=2)" --audit 7 --steps 5 --resume short.check
refused "not a checkpoint" run mp-particles --resume whole.csv
refused "cannot read" run mp-particles --resume no-such-file
refused "which can be continued" run mp-particles --checkpoint a --output part.json
refused "--plot cannot be given with --resume" run mp-particles --resume a --plot a.svg
refused "needs --checkpoint" run mp-particles --checkpoint-every 3
for command in run ensemble; do
    for seconds in -1 1.5 "" 1e3; do
        refused "--checkpoint-every needs a whole number, 0 or more, not '$seconds'" \
            "$command" skate --checkpoint a --checkpoint-every "$seconds"
    done
    refused "--checkpoint-every 99999999999999999999 is more than can be counted" \
        "$command" skate --checkpoint a --checkpoint-every 99999999999999999999
    expect 0 "$command" --help
    says out "whole seconds between two"
done

[ "$failures" -eq 0 ] && echo "resume: all passed"
[ "$failures" -eq 0 ]
