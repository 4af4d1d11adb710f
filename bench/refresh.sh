#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: bench/refresh.sh [NAME...]      (NONHOLO: the tool, else build/release/nonholo)
#
# Runs the benchmarks of these names, or all, and writes their tables into docs/performance.md, each between the lines
# <!-- bench NAME --> and <!-- end -->. All of them take minutes, on a machine that has nothing else to do.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"${NONHOLO:-build/release/nonholo}" bench "$@" | tee "$work/tables"
# A table begins with "NAME: title" and goes on to the next; the last line, of aims met, belongs to none.
awk '
    NR == FNR && /^[a-z]+: / { name = $1; sub(/:$/, "", name); sub(/^[a-z]+: /, "") }
    NR == FNR && /^[0-9]+ of [0-9]+ aims met$/ { next }
    NR == FNR { text[name] = text[name] $0 "\n"; next }
    /^<!-- end -->/ { inside = 0 }
    !inside { print }
    /^<!-- bench / && ($3 in text) { printf "\n%s", text[$3]; inside = 1; delete text[$3] }
    END { for (name in text) print "refresh: no place for " name >"/dev/stderr" }
' "$work/tables" docs/performance.md >"$work/document"
cp "$work/document" docs/performance.md
