#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every block of a document that begins with "$ nonholo …" is what that command prints.
# With the argument --update the blocks are written anew.
set -u
cd "${SOURCE_DIR:-.}" || exit 1
tool=${NONHOLO:-build/release/nonholo}
prompt='$ nonholo '
passed=0 failed=0

# rewrite FILE: the document with the output of its commands, on standard output
rewrite() {
    local line inside=no
    while IFS= read -r line; do
        if [ "$inside" = no ]; then
            printf '%s\n' "$line"
            [ "$line" = '```' ] && inside=maybe
        elif [ "$inside" = maybe ] && [[ $line == "$prompt"* ]]; then
            printf '%s\n' "$line"
            (eval "\"$tool\" ${line#"$prompt"}" 2>&1) </dev/null
            inside=skip
        elif [ "$line" = '```' ]; then
            printf '%s\n' "$line"
            inside=no
        elif [ "$inside" != skip ]; then
            printf '%s\n' "$line"
            inside=text
        fi
    done <"$1"
}

for document in README.md docs/*.md models/README.md; do
    grep -q '^\$ nonholo ' "$document" || continue
    if [ "${1:-}" = --update ]; then
        rewrite "$document" >"$document.new"; mv "$document.new" "$document"
    elif diff -u "$document" <(rewrite "$document"); then
        passed=$((passed + 1))
    else
        echo "$document is not what the tool prints: run tests/documents.sh --update"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "${1:-}" = --update ] || { [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]; }
