#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: bench/instructions.sh [--update] [PROGRAM]      (PROGRAM: build/release/bench/nonholo-bench)
#
# Instructions per step of twelve cases (bench/count.c), counted by valgrind, against bench/instructions.txt: no clock,
# so that a busy machine does not matter. What has changed by more than 5 %, up or down, fails; --update writes the file
# anew. Counts belong to a compiler and a target: with others there is nothing to compare, and that is said.
set -euo pipefail
folder=$(cd "$(dirname "$0")" && pwd)
file=$folder/instructions.txt
update=no
if [ "${1:-}" = --update ]; then
    update=yes
    shift
fi
program=${1:-$folder/../build/release/bench/nonholo-bench}
[ -x "$program" ] || {
    echo "instructions: there is no $program; 'make build' makes it" >&2
    exit 2
}
command -v valgrind >/dev/null || {
    echo "instructions: skipped, valgrind was not found (Debian: valgrind)"
    exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# An account ends at every mark: what is before the first mark of a run, where native code is built, and between two runs,
# is of no interest. Valgrind has no AVX-512, and says so to the program.
valgrind --tool=callgrind --callgrind-out-file="$work/out" --combine-dumps=yes --dump-before=count_mark \
    "$program" --count >"$work/cases" 2>"$work/log" || {
    cat "$work/log" >&2
    exit 1
}
# Accounts in order of time: before, few steps, between, many steps; the next case begins with the next "before".
grep -hE '^totals: ' "$work/out" | awk '{ print $2 }' >"$work/totals"
{
    grep '^#' "$work/cases"
    grep -v '^#' "$work/cases" | awk -v totals="$work/totals" '{
        getline before <totals; getline few <totals; getline between <totals; getline many <totals
        steps = $1; sub(/^[0-9]+ /, ""); printf "%-36s %10.1f\n", $0, (many - few) / steps
    }'
} >"$work/counted"

if [ "$update" = yes ]; then
    cp "$work/counted" "$file"
    cat "$file"
    exit 0
fi
if [ "$(grep '^#' "$file")" != "$(grep '^#' "$work/counted")" ]; then
    echo "instructions: not compared, the counts in bench/instructions.txt belong to another compiler:"
    diff <(grep '^#' "$file") <(grep '^#' "$work/counted") || true
    exit 0
fi
awk '
    /^#/ { next }
    { count = $NF; name = $0; sub(/ +[0-9.]+$/, "", name) }
    NR == FNR { was[name] = count; next }
    FNR == 1 { printf "%-36s %10s %10s %8s\n", "instructions per step", "recorded", "now", "change" }
    !(name in was) { printf "%-36s %10s %10.1f  not recorded\n", name, "-", count; bad++; next }
    {
        change = 100 * (count / was[name] - 1); off = change > 5 || change < -5
        printf "%-36s %10.1f %10.1f %+7.1f %%%s\n", name, was[name], count, change, off ? "  <--" : ""
        bad += off; delete was[name]
    }
    END {
        for (name in was) { printf "%-36s %10.1f          -  not counted\n", name, was[name]; bad++ }
        if (bad) print bad " differ by more than 5 %; if that is meant: bench/instructions.sh --update"
        exit bad > 0
    }' "$file" <(grep -v '^#' "$work/counted")
