#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every block of a document that begins with "$ nonholo …" is what that command prints, one that begins with
# "$ ./NAME" is what the example NAME prints, and a block of C that begins with "/* examples/NAME.c" is that file.
# What a run took and what is round-off (below 1e-12) may differ. With the argument --update the blocks are written anew.
set -u
cd "${SOURCE_DIR:-.}" || exit 1
tool=${NONHOLO:-build/release/nonholo}
examples=${BUILD_DIR:-$(dirname "$tool")}/examples
passed=0 failed=0

# print LINE: what belongs below the first line of a block, on standard output; fails if that is no line to follow
print() {
    case $1 in
    '$ nonholo '*) (eval "\"$tool\" ${1#'$ nonholo '}" 2>&1) </dev/null || true ;;
    '$ ./'*) "$examples/${1#'$ ./'}" 2>&1 </dev/null || true ;;
    '/* examples/'*) tail -n +3 "$(expr "$1" : '/\* \(examples/[a-z_]*\.c\)')" ;;
    *) return 1 ;;
    esac
}

# rewrite FILE: the document with the output of its commands, on standard output
rewrite() {
    local line inside=no
    while IFS= read -r line; do
        if [ "$inside" = no ]; then
            printf '%s\n' "$line"
            case $line in '```' | '```c') inside=maybe ;; esac
        elif [ "$line" = '```' ]; then
            printf '%s\n' "$line"
            inside=no
        elif [ "$inside" = maybe ]; then
            printf '%s\n' "$line"
            inside=text
            ! print "$line" || inside=skip
        elif [ "$inside" != skip ]; then
            printf '%s\n' "$line"
        fi
    done <"$1"
}

# Without what is different every time, or on another machine.
steady() {
    sed -E -e '/^  time taken /d' -e 's/-?[0-9.]+e-(1[3-9]|[2-9][0-9]) */round-off /g' \
        -e '/residual of a constraint|change of the|distance from the start/s/ 0  +/ round-off /'
}

for document in README.md docs/*.md models/README.md; do
    grep -q -e '^\$ nonholo ' -e '^\$ \./' "$document" || continue
    if [ "${1:-}" = --update ]; then
        rewrite "$document" >"$document.new"; mv "$document.new" "$document"
    elif diff -u <(steady <"$document") <(rewrite "$document" | steady); then
        passed=$((passed + 1))
    else
        echo "$document is not what is printed: run tests/documents.sh --update"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "${1:-}" = --update ] || { [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]; }
