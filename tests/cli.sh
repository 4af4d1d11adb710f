#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tool as a user meets it: commands, exit codes, messages. Environment: NONHOLO, the tool.
. "$(dirname "$0")/tool.bash"

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
for command in run ensemble describe check models methods converge compare export bench; do
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

# ---- options that all commands which simulate have in common
for command in "run --quiet" "converge --halvings 1" "compare --methods gauss(s=1)"; do
    read -ra words <<<"$command"
    expect 0 "${words[@]}" skate --steps 2 --threads 2 --seed 7 --dynamics nonholonomic --quiet
    silent out
    expect 2 "${words[@]}" skate --steps 2 --dynamics vakonomic
    says err "this version has nonholonomic dynamics alone"
done

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
expect 2 describe sleigh --json --latex
says err "--json and --latex cannot be given together"
silent out
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

# ---- run: the audit
expect 0 run particle --method "gauss(s=1)" --step 1/5 --steps 50
says out "energy error      0.006568"
says out "h = 0.2, to t = 10; 51 states looked at"
says out "y_energy"
says out "reversal"
silent err
expect 0 run particle --steps 10 --quiet
silent out
silent err
expect 0 run particle --steps 10 --backend tape
says out " ns for a step"
grep -q "native code" out && fail "the tape needs no native code: $(cat out)"
XDG_CACHE_HOME=$work/nothing expect 0 run particle --steps 10
grep -qE "ns for a step; [0-9.e-]+ s before it, to look for native code$" out || fail "what was it for? $(cat out)"
expect 0 run skate --steps 1003 --audit 1000 --json
says out '"audited": 2,'
says out '"drift": null,'
says out '"drift_error": null'
expect 0 run skate --steps 3 --json
grep -q '"drift.*null' out && fail "a drift of four states: $(cat out)"
expect 0 run driven-knife-edge
grep -q "^  reversal" out && fail "a system that cannot be reversed has no reversal"
expect 0 run skate --until "2*pi" --step "pi/100" --set beta=pi/4 --initial "theta'=2"
says out "200 "
expect 0 run skate --from-time 1 --until 2 --audit 0 --backend=tape
says out "10 "
expect 0 run sleigh --initial "y'=1" --project
says out "moved"
expect 0 run particle --steps 0
says out "steps             0"
"$NONHOLO" models particle | "$NONHOLO" run - --steps 5 >out 2>err || fail "run - failed: $(cat err)"

# ---- ensemble
expect 0 ensemble skate --list "m=1,2" --grid "theta'=1:2:3" --steps 30 --every 10 --output all.csv --motions motions.csv
says out "members           6             0 failed"
says all.csv "t,members,energy_error.mean,energy_error.variance,energy_error.mean_square,energy_error.min,energy_error.q05"
[ "$(wc -l <all.csv)" = 5 ] || fail "0, 10, 20 and 30 should be in all.csv: $(cat all.csv)"
says motions.csv "member,t,x,y,theta,x',y',theta',speed,energy_error,constraint"
[ "$(wc -l <motions.csv)" = 25 ] || fail "6 members at 4 times should be in motions.csv"
expect 0 run skate --set m=2 --initial "theta'=1.5" --steps 30 --every 10 --output one.csv
grep '^4,' motions.csv | cut -d, -f2- | cmp -s - <(tail -n +2 one.csv) || fail "member 4 is not what run gives"
cut -d, -f1,7,8 motions.csv | head -7 | sed '1s/.*/m,theta'"'"',x/; 2,$s/^[0-9]*/1/' >members.csv
expect 0 ensemble skate --members members.csv --steps 3 --output - --every 1
says err "members           6"
[ "$(wc -l <out)" = 5 ] || fail "standard output should have the statistics alone"
# What --set gives is the same for all members.
expect 0 ensemble skate --set m=3 --list x=2*m,6 --step m/30 --steps 3 --every 1 --motions motions.csv --quiet
[ "$(sed -n 's/^1,//p' motions.csv)" = "$(sed -n 's/^0,//p' motions.csv)" ] || fail "2 m is not 6: $(cat motions.csv)"
# A cell is what its text is in --initial: 25 digits in double and in quad; no -0.
for cell in -0.8414709848078965066525023 1.000000000000000055511151231 -0; do
    for precision in double quad; do
        printf 'y\n%s\n' "$cell" >cell.csv
        expect 0 ensemble skate --members cell.csv --steps 3 --every 1 --motions motions.csv --precision $precision --quiet
        expect 0 run skate --initial "y=$cell" --steps 3 --every 1 --output one.csv --precision $precision --quiet
        cut -d, -f2- motions.csv | cmp -s - one.csv || fail "a cell $cell is not what --initial makes of it, $precision"
    done
done
expect 0 ensemble skate --draw "x=normal(0,1)" --draw "energy(2)" --count 20 --seed 3 --steps 10 --json --threads 1
cp out first
expect 0 ensemble skate --draw "x=normal(0,1)" --draw "energy(2)" --count 20 --seed 3 --steps 10 --json --threads 2 --at-a-time 8
diff <(grep -vE 'threads|at_a_time|seconds' first) <(grep -vE 'threads|at_a_time|seconds' out) || fail "threads change results"
! command -v python3 >/dev/null || python3 -m json.tool <out >/dev/null || fail "an ensemble's report is no JSON"
# One lane has an angle that the C library is asked for, one comes to such angles on the way.
turned=(ensemble skate --method mp --list theta=1,524287.9,1e9,3 --steps 100 --quiet)
expect 0 "${turned[@]}" --backend tape --at-a-time 1 --motions one-by-one.csv
expect 0 "${turned[@]}" --backend native --at-a-time 4 --motions in-lanes.csv
cmp one-by-one.csv in-lanes.csv || fail "far angles depend on their neighbours"
expect 0 ensemble skate --list m=1,2 --steps 50 --plot ensemble.gp --quiet
silent out
says ensemble.gp "quantiles"
expect 1 ensemble spherical-pendulum --step 30 --list "g=1,0" --steps 5 --output failed.csv
says out "member 0: step 1, from t = 0, did not converge"
says err "members failed"
[ "$(wc -l <failed.csv)" = 7 ] || fail "statistics of what is left should be in failed.csv"
# A quantity that is no number for some members: the statistics tell how many they are of.
printf "coordinates x\nlagrangian x'^2/2\nobservable root = sqrt(x)\nstep 1\n" >root.nh
expect 0 ensemble root.nh --list x=-2,-1,0,1,4 --steps 2 --every 1 --output root.csv
grep -qE '^  root +1 .*  over 3 of 5 members; of the others it is no number$' out || fail "no count: $(cat out)"
grep -qE '^  energy_error.*over' out && fail "a count of all members: $(cat out)"
says root.csv "energy_error.max,energy_error.count,"
says root.csv ",root.q95,root.max,root.count"
[ "$(tail -n +2 root.csv | awk -F, '{print $2, $13, $NF}' | sort -u)" = "5 5 3" ] || fail "counts: $(cat root.csv)"
# One member has no variance; a file with such cells can be continued, and drawn.
single=(ensemble skate --list m=1 --every 10 --output single.csv)
expect 0 "${single[@]}" --steps 20 --checkpoint single.check --json
says out '"variance": null,'
[ "$(awk -F, 'NR == 2 {print $3, $4}' single.csv)" = "0 nan" ] || fail "a variance of one: $(cat single.csv)"
expect 0 "${single[@]}" --steps 40 --resume single.check --plot single.gp --quiet
[ "$(wc -l <single.csv)" = 6 ] || fail "0 to 40 should be in single.csv: $(cat single.csv)"
printf '\377\376\033[31mm\n1\n' >garbage.csv
printf '\377\376\033[31mm\nx\n' >words.csv
printf 'm\n1\ninf\n' >infinite.csv
printf 'm\n1\n1e400\n' >huge.csv
printf 'm\n1\n1e-400\n' >tiny.csv
printf "coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\nconstraint z'^2 = x'^2 + y'^2\nstep 1\n" >bent.nh
while IFS='|' read -r message arguments; do
    eval "expect 2 ensemble $arguments"
    says err "$message"
    silent out
done <<'CASES'
ensemble needs MODEL|
did you mean 'theta'?|skate --list "thta=1,2"
--list needs NAME=EXPR|skate --list m
--grid needs NAME=FIRST:LAST:COUNT|skate --grid m=0:1
--grid m=1:2:3000000000 has too many values: at most 100000000 are possible|skate --grid m=1:2:3000000000
a count of 2 or more|skate --grid m=1:2:1
--list: 'm' is a size, which all members have in common; use --set|mp-particles --list m=2,3
--members: there is no parameter, coordinate or velocity '?? [31mm'|skate --members garbage.csv
'x' in column ?? [31mm is no number|skate --members words.csv
--members: row 2 of 'm' is not a finite number|skate --members infinite.csv
--members: row 2 of 'm' is not a finite number|skate --members huge.csv
--members: row 2 of 'm' is too small to be represented|skate --members tiny.csv
the value of m is too large for a double|skate --list "m=1e308*10"
--draw:1:1|skate --draw "m=uniform(foo,1)"
NAME=uniform(LOW,HIGH)|skate --draw "m=cauchy(1,2)"
'm' is given twice|skate --list m=1,2 --grid m=1:2:2
--set and --list both give 'm': the value of --set would be lost|skate --list m=1,2 --set m=3
--set and --grid both give 'm': the value of --set would be lost|skate --grid m=1:2:2 --set I=2 --set m=3
--set and --members both give 'm': the value of --set would be lost|skate --members members.csv --set m=3
--initial and --draw both give 'q[1]': the value of --initial would be lost|mp-particles --draw "q[1] = uniform(0,1)" --initial "q[ 1 ]=3"
--initial and --list both give 'q[2]': the value of --initial would be lost|mp-particles --list "q[2]=2,3" --initial "q[1+1]=7"
--step: 'm/100' depends on m, of which each member has its own; give a number|skate --list m=3 --step m/100
--until: 'm/10' depends on m, of which each member has its own; give a number|skate --list m=3 --until m/10
--from-time: 'm' depends on m, of which each member has its own; give a number|skate --list m=3 --from-time m
--list: '2*m' depends on m, of which each member has its own; give a number|skate --list m=3 --list "x=2*m"
--list: '2*I' depends on m, of which each member has its own; give a number|skate --set I=m/3 --members members.csv --list "y=2*I"
--initial and --list both give 'x'': the value of --initial would be lost|skate --list "x'=1,2" --initial "x'=3" --initial "x=3"
--initial and --draw both give 'x'': the value of --initial would be lost|skate --draw "energy(5)" --count 2 --initial "x'=3"
--list: value 2 of '1,,2' is empty|skate --list m=1,,2
--list: value 3 of 'max(1,2), 2,' is empty|skate --list "m=max(1,2), 2,"
--grid: value 2 of '1: :3' is empty|skate --grid "m=1: :3"
--draw: value 1 of ',2' is empty|skate --draw "m=uniform(,2)"
need a kinetic energy that is quadratic, and constraints that are affine, in the velocities|bent.nh --draw "energy(5)" --count 3
need a kinetic energy that is quadratic, and constraints that are affine, in the velocities|appell --draw "energy(5)" --count 3
without --draw would give the same member|skate --count 5
7 members at a time are not possible|skate --at-a-time 7
16 members at a time are not possible|skate --at-a-time 16
--count needs a whole number, 1 or more|skate --draw "m=uniform(1,2)" --count 0
a file that ends in .csv is needed|skate --output a.h5
a file that ends in .csv is needed|skate --motions a.txt
cannot read no-such-file.csv|skate --members no-such-file.csv
there is no parameter, coordinate or velocity 't'|skate --members one.csv
--output - and --json would both|skate --output - --json
--plot with --resume needs --output|skate --plot a.svg --resume b
gauss is for Lagrangian systems|dae-srk
CASES

# ---- run: wrong usage
while IFS='|' read -r message arguments; do
    eval "expect 2 run $arguments"
    says err "$message"
    silent out
done <<'CASES'
the step is 0|skate --step 0
--step:1:2: division by zero|skate --step 1/0
--step needs a value: --step EXPR|skate --step
--steps needs a whole number, 0 or more, not 'x'|skate --steps x
--steps needs a whole number, 0 or more, not '-1'|skate --steps -1
--steps and --until cannot be given together|skate --steps 3 --until 2
this version does not write HDF5|skate --output a.h5
a file that ends in .csv or .json|skate --output a.txt
did you mean 'native'?|skate --backend nativ
did you mean 'quad'?|skate --precision qad
--every needs a whole number, 1 or more, not '0'|skate --every 0
a picture's name ends in|skate --plot a.bmp
there is nothing to plot with the name 'foo'|skate --plot a.svg --plot-x foo
--plot-x and --plot-y need --plot FILE|skate --plot-x x
there is no method 'gaus'; did you mean 'gauss'?|skate --method gaus
's' is between 1 and 64, not 99|skate --method "gauss(s=99)"
--output - and --json would both|skate --output - --json
violate the velocity constraints by 1; --project|skate --initial "y'=1"
do not lead to t = -1|skate --until -1
more than can be counted|skate --until 1e300
unknown name 'foo'|skate --from-time foo
--steps 99999999999999999999 is more than can be counted: at most 9000000000000000|skate --steps 99999999999999999999
--steps needs a whole number, 0 or more, not '-99999999999999999999'|skate --steps -99999999999999999999
--every needs a whole number, 1 or more, not 'abc'|skate --every abc
the step is too large for a double|skate --step "1e308*10"
the value of m is too large for a double; --precision quad can hold it|skate --set "m=1e308*10"
the value of x' is too large for a double|skate --initial "x'=1e308*10"
--steps 9000000000000001 is more than can be counted|skate --steps 9000000000000001 --output never.csv
gauss is for Lagrangian systems|dae-srk
gauss does not take holonomic constraints|spherical-pendulum --method gauss
run needs MODEL|
CASES
[ ! -e a.svg ] || fail "a picture of nothing"

# ---- run: squares of energy errors overflow long before energies do
expect 0 run skate --set m=1e200 --set I=1e200 --steps 20
grep -qE 'slope of E - E\(0\) per unit of time, \+- inf' out || fail "no drift: $(cat out)"
expect 0 run skate --set m=1e200 --set I=1e200 --steps 20 --json
! command -v python3 >/dev/null || python3 -m json.tool <out >/dev/null || fail "an infinite deviation is no JSON"
expect 0 ensemble skate --list m=1e200 --set I=1e200 --steps 20 --quiet
# Options of members that fail are told in full, however many numbers they have.
expect 1 ensemble mp-particles --set m=60 --draw "energy(1634.73)" --count 3 --step 0.3 --steps 60 --method "extrapolation(s=3)" --json
[ "$(grep -c '"options": ".*\\""$' out)" = "$(grep -c '"options"' out)" ] && says out '"options"' || fail "options are cut off"
expect 0 run skate --set "m=1e308*10" --set "I=1e308*10" --steps 3 --precision quad

# ---- run: a step that fails keeps what there is
expect 1 run spherical-pendulum --step 30 --steps 5 --output failed.csv
says err "step 1, from t = 0, did not converge"
says out "steps             0"
[ "$(wc -l <failed.csv)" = 2 ] || fail "the start should be in failed.csv"
# Steps so long that angles have no digits left are refused, whatever their equations look like beside their terms.
for step in 1e8 1e300; do
    expect 1 run sleigh --method "gauss(s=2)" --step $step --steps 3
    says err "did not converge"
done
expect 1 run disk --method "gauss(s=2)" --step 1e300 --steps 3
expect 0 run disk --method "gauss(s=2)" --step 1e4 --steps 3
printf '%s\n' 'coordinates x, y, z' "lagrangian (x'^2 + y'^2 + z'^2)/2 - x^2" "constraint x*x' + y*z' = 0" "initial x' = 1" \
    'step 1/10' 'until 1' >vanishing.nh
expect 1 check vanishing.nh
says out "rank 0 of 1"
expect 2 run vanishing.nh
says err "the constraints have rank 0 of 1 at the initial data"
silent out
expect 1 ensemble vanishing.nh --list x=0,1 --steps 3 --initial "x'=0"
says out "member 0: no start: the constraints have rank 0 of 1"
expect 1 run skate --output /no/such/directory/a.csv
says err "/no/such/directory/a.csv"

# ---- run: files
expect 0 run skate --steps 25 --every 10 --output motion.csv --quiet
says motion.csv "t,x,y,theta,x',y',theta',speed,energy_error,constraint"
[ "$(wc -l <motion.csv)" = 5 ] || fail "0, 10, 20 and 25 should be in motion.csv: $(cat motion.csv)"
expect 0 run skate --steps 25 --every 10 --output - --quiet
cmp -s out motion.csv || fail "--output - differs from --output motion.csv"
expect 0 run skate --steps 3 --output -
says err "energy error"
[ "$(wc -l <out)" = 5 ] || fail "standard output should have the motion alone"
expect 0 run skate --steps 3 --plot picture.gp --plot-x t --plot-y speed --quiet
says picture.gp "speed"
if command -v gnuplot >/dev/null; then
    expect 0 run skate --steps 300 --plot picture.svg
    says picture.svg "<svg"
fi

# ---- run: numbers that read back
if command -v python3 >/dev/null; then
    expect 0 run skate --steps 3 --output motion.json --json
    python3 - out motion.json <<'PY' || fail "the JSON of run lacks something"
import json, sys
audit, motion = (json.load(open(name)) for name in sys.argv[1:])
assert audit["model"] == "skate" and audit["method"] == "gauss(s=2)" and audit["precision"] == "double"
assert audit["backend"] in ("tape", "native") and audit["steps"] == 3 and audit["step"] == 0.1
assert motion["names"][:4] == ["t", "x", "y", "theta"] and len(motion["rows"]) == 4
assert motion["rows"][3][:7] == [audit["t"]] + audit["q"] + audit["v"]
assert len(audit["multipliers"]) == 1 and audit["reversal"] < 1e-13
assert set(audit["energy"]) == {"initial", "final", "max_error", "drift", "drift_error"}
assert set(audit["solver"]) == {"iterations_mean", "iterations_max", "newton_steps"}
assert audit["constraint"]["max"] < 1e-15 and audit["seconds"] >= 0 and audit["build_seconds"] >= 0
PY
    expect 0 run particle --method "gauss(s=1)" --step 0.2 --steps 50 --precision quad --backend native --json
    python3 - out <<'PY' || fail "the JSON of a run in quad precision is wrong"
import json, sys
from decimal import Decimal
audit = json.load(open(sys.argv[1]))
assert abs(Decimal(audit["q"][0]) - Decimal("0.99163329340335797988823695070071")) < Decimal("1e-31")
assert audit["note"] == "quad precision runs on the tape" and Decimal(audit["step"]) == Decimal("0.2")
assert audit["reversal"] < 1e-30
PY
fi

# ---- run: Ctrl-C (job control gives the run a terminal's signals)
set -m
"$NONHOLO" run skate --steps 2000000000 --every 100 --output long.csv --json >out 2>err &
sleep 1
kill -INT $!
wait $!
[ $? = 1 ] || fail "a stopped run should give 1"
set +m
says err "nonholo: stopped at t = "
says out '"steps": '
[ "$(wc -l <long.csv)" -gt 2 ] && [ "$(tail -c 1 long.csv | od -An -tx1)" = " 0a" ] || fail "long.csv is not whole"
[ "$(tail -n 1 long.csv | tr -cd , | wc -c)" = 9 ] || fail "long.csv ends within a row"

# A picture that has no place is told before the run.
expect 1 run skate --steps 2000000000 --plot nowhere/skate.svg
says err "cannot write nowhere/skate.svg: No such file or directory"

# Columns stay apart.
printf "coordinates x\nlagrangian x'^2/2\ninvariant a_name_that_is_long = x'\ninitial x' = 1e-150\nstep 1\n" >long.nh
expect 0 run long.nh --steps 3
grep -qE '^  a_name_that_is_long 0 +change' out && grep -qE '^  energy +5e-301 +at the end' out || fail "no columns: $(cat out)"

# What is no file is not replaced by one.
mkfifo pipe pipe.gp
expect 1 run skate --steps 3 --checkpoint pipe --quiet
says err "cannot write pipe: it is there, and is not a regular file"
expect 1 run skate --steps 3 --plot pipe.gp --quiet
[ -p pipe ] && [ -p pipe.gp ] || fail "a file took the place of a pipe"

# Ctrl-C while the compiler runs ends both, before the run and within it, and leaves nothing behind.
cat >slow-cc <<'SH'
#!/bin/sh
sleep 1000 &
echo $! >"$NONHOLO_TEST_PID"
wait
SH
chmod +x slow-cc
# interrupt CODE [argument...]
interrupt() {
    local code=$1 got child begin=$SECONDS
    shift
    rm -rf cache compiler.pid
    NONHOLO_CC=$work/slow-cc NONHOLO_TEST_PID=$work/compiler.pid XDG_CACHE_HOME=$work/cache "$NONHOLO" "$@" >out 2>err &
    for ((i = 0; i < 200; i++)); do
        [ ! -s compiler.pid ] || break
        sleep 0.05
    done
    kill -INT $!
    wait $!
    got=$?
    [ "$got" = "$code" ] || fail "exit code $got, not $code, of an interrupted nonholo $*: $(cat err)"
    [ $((SECONDS - begin)) -lt 30 ] || fail "an interrupted nonholo $* went on for $((SECONDS - begin)) s"
    child=$(cat compiler.pid)
    for ((i = 0; i < 200; i++)); do # it has been killed, but the system may be busy elsewhere
        if ! kill -0 "$child" 2>/dev/null || grep -qs '^State:.*zombie' "/proc/$child/status"; then break; fi
        sleep 0.05
    done
    [ "$i" -lt 200 ] || fail "the compiler of $* still runs"
    [ -z "$(ls cache/nonholo)" ] || fail "an interrupted build leaves $(ls cache/nonholo)"
}
set -m
interrupt 130 run skate --steps 1000 --backend native
interrupt 1 run skate --steps 2000000000
says err "nonholo: stopped at t = "
set +m

# ---- methods
expect 0 methods mp
says out "claims        order 2, symmetric"
expect 0 methods
says out "lobatto-ab"
says out "s = 1 to 64, usually 2: number of stages"
expect 0 methods gauss
says out "order 4 with s=2, symmetric"
expect 2 methods gaus
says err "did you mean 'gauss'?"

# ---- coefficients of a file that are no method: where they are wrong
trapezium=$'stages 2\nc 0 1\nb 1/2 1/2\nA 0 0\n  1/2 1/2\nAhat 1/2 0\n  1/2 0\nAtilde 1/2 0\n  1/2 0\n'
echo "${trapezium/b 1\/2 1\/2/b 1\/2 1\/3}" >wrong.txt
expect 2 run skate --steps 2 --method "spark(file=wrong.txt)"
says err "wrong.txt:3:3: the weights b must add up to 1"
echo "${trapezium/Atilde 1\/2 0$'\n'  1\/2 0/Atilde 0 0$'\n'  0 0}" >wrong.txt
expect 2 run skate --steps 2 --method "spark(file=wrong.txt)"
says err "wrong.txt:8:1: the matrix of the reactions is singular"
expect 2 methods "spark(file=wrong.txt)"
says err "wrong.txt:8:1: the matrix of the reactions is singular"
echo "$trapezium" >right.txt
expect 0 methods "spark(file=right.txt)"
says out "claims        symmetric, a discrete Lagrange-d'Alembert principle"
says out "hold up to order 2, which is the"
says out "(6.2b) holds, off by 0; (6.3) holds, off by 0"
says out "A has B(2), C(2), D(0); its rows add up to c, off by 0"
echo "${trapezium/A 0 0/A 7 7}" >right.txt # a method, and a bad one
expect 0 methods "spark(file=right.txt)"
says out "hold up to order 1, which is the"
says out "(6.2b) does not hold, off by 3.5; (6.3) does not hold, off by 7"
says out "its rows do not add up to c, off by 14"
expect 0 methods "spark(file=right.txt)" --json
says out '"row_sums": 14'
expect 0 methods "lobatto-ab(s=4)"
says out "order 6 with s=4"
expect 2 methods "gaus(s=4)"
says err "did you mean 'gauss'?"

# ---- converge, compare
expect 0 converge skate --until 2 --halvings 2
says out "against the exact solution"
[ "$(grep -cE ' 4\.00 .* 4\.00$' out)" = 2 ] || fail "no fourth order: $(cat out)"
expect 0 converge particle --steps 4 --step 1/2 --method "gauss(s=1)" --halvings 1 --precision quad
says out "gauss(s=6) in quad precision"
expect 0 compare skate --methods "gauss(s=1); lobatto-ab(s=3)" --until 1 --halvings 1
[ "$(grep -c '^gauss(s=1) ' out)$(grep -c '^lobatto-ab(s=3) ' out)" = 22 ] || fail "four rows: $(cat out)"
expect 2 compare skate
says err "compare needs --methods"
expect 2 compare skate --methods " ; "
says err "compare needs --methods"
expect 2 compare skate --methods "gauss; nosuch"
says err "nonholo: --methods:1:8: there is no method 'nosuch'"
[ "$(sed -n 2,3p err)" = "gauss; nosuch
       ^" ] || fail "no caret below the method: $(cat err)"
expect 2 compare skate --methods 'mp;spark(file="a;b.txt")' # a semicolon in a name
says err "cannot read a;b.txt"
printf -v many '%0600d' 0 # more than a message shows
expect 2 compare skate --methods "nosuch(x=$many); mp"
says err "nonholo: --methods:1:1: there is no method 'nosuch'"
expect 2 converge skate --steps 0
says err "errors are measured over 1 to"
expect 2 converge skate --steps 2 --until 1
says err "cannot be given together"
printf "coordinates x, y\nlagrangian (x'^2 + y'^2)/2 + x^8/8\nconstraint y' = x*x'\ninitial x = 1, x' = 1, y' = 1\n" >away.nh
expect 1 converge away.nh --step 1/50 --until 5 # no reference gets there
says err "did not converge"
expect 1 converge spherical-pendulum --step 2 --until 20 --halvings 1
says out "a step did not converge"

# ---- JSON is JSON
if command -v python3 >/dev/null; then
    for arguments in "models" "methods" "methods gauss" "converge skate --steps 3" "compare skate --methods gauss --steps 3" "describe sleigh" "describe dae-srk" "describe heisenberg-hamiltonian" "check disk"; do
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

# ---- bench: a program of its own, beside the tool
expect 0 bench --list
says out "energy"
silent err
expect 2 bench stpes
says err "nonholo: unknown benchmark 'stpes'; did you mean 'steps'?"
silent out
expect 2 bench steps frobnicate
says err "see 'nonholo bench --list'"
expect 2 bench --until 3
cp "$NONHOLO" alone
./alone bench --list >out 2>err
[ $? = 1 ] || fail "a tool without benchmarks should give 1"
says err "nonholo: the benchmarks are not installed beside this tool; 'make bench'"
[ "$(grep -c . err)" = 1 ] || fail "one line about missing benchmarks: $(cat err)"
expect 0 bench features --quick --json
if command -v python3 >/dev/null; then
    python3 - out <<'PY' || fail "the JSON of bench"
import json, sys
def unique(pairs):
    assert len(dict(pairs)) == len(pairs) and all(key for key, _ in pairs)
    return dict(pairs)
tables = json.load(open(sys.argv[1]), object_pairs_hook=unique)
assert [t["table"] for t in tables] == ["features", "features"] and tables[0]["notes"] == []
rows = tables[0]["rows"]
assert len(rows) == 7 and rows[0]["ratio"] == 1 and all(row["ns per step"] > 0 for row in rows)
PY
fi

# ---- output that cannot be written
if [ -w /dev/full ]; then
    "$NONHOLO" describe sleigh >/dev/full 2>err
    [ $? = 1 ] || fail "a full disk should give 1"
    says err "cannot write the output"
    "$NONHOLO" run skate --steps 5 --output - --quiet >/dev/full 2>err
    [ $? = 1 ] || fail "a motion on a full disk should give 1"
    [ "$(grep -c "No space left" err)$(grep -c . err)" = 11 ] || fail "one line about a full disk: $(cat err)"
fi
# a reader that has gone: a signal or an exit code, but not success
(trap '' PIPE; "$NONHOLO" describe mp-particles --json --set m=2000 2>err; echo $? >code) | head -c 1 >/dev/null
[ "$(cat code)" != 0 ] || fail "a closed pipe should not give 0"

[ "$failures" = 0 ] || { echo "cli: $failures failures" >&2; exit 1; }
