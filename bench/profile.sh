#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: bench/profile.sh MODEL [option of nonholo run...]      (NONHOLO: the tool, else build/release/nonholo)
#
# Which functions of a kernel's text the instructions of compiled steps belong to: valgrind counts them by address,
# addr2line tells what was inlined there. Products with the tableau are one row, wherever they are made; the rest
# belongs to what nh_go_on, nh_arrive, nh_try, nh_take, nh_iterate, nh_correct and nh_close call, and in an extrapolation
# nh_run, nh_go_by_pairs, nh_hop, nh_leap, nh_land and nh_land_at_once.
set -euo pipefail
tool=$(realpath "${NONHOLO:-build/release/nonholo}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '#!/bin/sh\nexec %s -g "$@"\n' "${NONHOLO_CC:-cc}" >"$work/cc"
chmod +x "$work/cc"
export NONHOLO_CC=$work/cc XDG_CACHE_HOME=$work
run=("$tool" run "$@" --backend native --audit 0 --quiet)

# Native code is made under valgrind, which has no AVX-512 and says so.
valgrind --tool=callgrind --dump-instr=yes --compress-pos=no --compress-strings=no \
    --callgrind-out-file="$work/counts" "${run[@]}" 2>/dev/null
native=$(find "$work/nonholo" -name '*.so')
# "address count" of nh_advance, into which all is inlined; what follows "calls=" belongs to what was called.
awk '/^fn=/ { ours = $0 == "fn=nh_advance" }
     /^calls=/ { skip = 1; next }
     /^0x/ { if (skip) skip = 0; else if (ours) print $1, $NF }' "$work/counts" | sort >"$work/own"
start=$((0x$(nm "$native" | awk '/ nh_advance$/ { print $1 }')))
first=$(($(head -1 "$work/own" | cut -d' ' -f1)))
while read -r address count; do
    printf '0x%016x %s\n' $((address - first + start)) "$count"
done <"$work/own" >"$work/placed"
# addr2line: an address, then pairs of lines, function and place, from the innermost function out.
cut -d' ' -f1 "$work/placed" | addr2line -e "$native" -f -i -a |
    awk 'function whose(   i, name) {
             for (i = 1; i <= depth; i++)
                 if (chain[i] == "nh_stage_map_all")
                     return "products with the tableau"
             for (i = depth; i > 1 && chain[i] ~ /^nh_(advance|go_on|arrive|try|take|iterate|correct|close|run|go_by_pairs|hop|leap|(stage_)?land(_at_once)?)$/; i--) {}
             return chain[i]
         }
         /^0x/ { if (address) print address, whose(); address = $1; depth = 0; line = 0; next }
         ++line % 2 { chain[++depth] = $1 }
         END { print address, whose() }' >"$work/owners"
awk 'NR == FNR { owner[$1] = substr($0, length($1) + 2); next }
     { sum[owner[$1]] += $2; total += $2 }
     END { for (name in sum) printf "%5.1f %%  %s\n", 100 * sum[name] / total, name }' "$work/owners" "$work/placed" |
    sort -rn | head -16
