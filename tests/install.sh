#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs into a temporary tree, moves it, and builds a program against it in the four ways a user would:
# pkg-config and CMake, shared and static. Environment: BUILD_DIR, SOURCE_DIR; CC if not cc.
set -euo pipefail
unset DESTDIR MAKEFLAGS MFLAGS LD_LIBRARY_PATH

: "${BUILD_DIR:?}" "${SOURCE_DIR:?}"
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "install: $*" >&2
    exit 1
}

cmake --install "$BUILD_DIR" --prefix "$work/first" >"$work/install.log" || {
    cat "$work/install.log"
    fail "cmake --install failed"
}
mv "$work/first" "$work/moved"
prefix=$work/moved

pc=$(find "$prefix" -name nonholo.pc)
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH=$libdir/pkgconfig
version=$(pkg-config --modversion nonholo)

# What must be there.
for file in include/nonholo/status.h include/nonholo/version.h bin/nonholo; do
    [ -f "$prefix/$file" ] || fail "$file is missing"
done
[ "$(readlink "$libdir/libnonholo.so")" = "libnonholo.so.${version%%.*}" ] || fail "libnonholo.so is not versioned"
(cd "$SOURCE_DIR" && find include -name '*.h') | while read -r header; do
    [ -f "$prefix/$header" ] || fail "$header is missing"
done
models() { (cd "$1" && find . -name '*.nh' | sort); }
[ "$(models "$SOURCE_DIR/models")" = "$(models "$prefix/share/nonholo/models")" ] || fail "the catalogue differs"
! grep -rIl -e "$work/first" -e "$BUILD_DIR" -e "$SOURCE_DIR" "$libdir" "$prefix/include" ||
    fail "these files hold a path of the build or of the first prefix"

# The tool finds the benchmarks, and they the code by hand, wherever the tree is.
grep -q '^steps ' <<<"$("$prefix/bin/nonholo" bench --list)" || fail "nonholo bench does not run"
[ -f "$prefix/libexec/nonholo/hand/limits.c" ] || fail "the code by hand is missing"

mkdir "$work/user"
cd "$work/user"
cat >main.c <<'END'
#include <nonholo/status.h>
#include <nonholo/version.h>
#include <stdio.h>

int main(void)
{
    return printf("%s %s\n", nh_status_text(NH_OK), NH_VERSION_STRING) < 0;
}
END

# expect PROGRAM shared|static
expect() {
    local output needs=static
    output=$(LD_LIBRARY_PATH=$libdir "$1") || fail "$1 does not run"
    [ "$output" = "success $version" ] || fail "$1 prints '$output'"
    ! grep -q 'NEEDED.*libnonholo' <<<"$(readelf -d "$1")" || needs=shared
    [ "$needs" = "$2" ] || fail "$1 is linked $needs, not $2"
    echo "install: $1 ok"
}

# shellcheck disable=SC2046
"$cc" main.c -o pc-shared $(pkg-config --cflags --libs nonholo)
expect ./pc-shared shared
# The whole archive, to see that every library it needs is named.
whole=-Wl,--whole-archive,-l:libnonholo.a,--no-whole-archive
# shellcheck disable=SC2046
"$cc" main.c -o pc-static $(pkg-config --static --cflags --libs nonholo | sed "s/-lnonholo/$whole/")
expect ./pc-static static

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(user LANGUAGES C)
find_package(nonholo ${WANTED} EXACT REQUIRED CONFIG)
add_executable(cmake-shared main.c)
target_link_libraries(cmake-shared nonholo::nonholo)
add_executable(cmake-static main.c)
target_link_libraries(cmake-static nonholo::static)
END
{
    cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" -DWANTED="$version" &&
        cmake --build build
} >cmake.log 2>&1 || {
    cat cmake.log
    fail "the CMake project does not build"
}
expect build/cmake-shared shared
expect build/cmake-static static

# The examples, as a user would build them; what README.md prints of them is in documents.sh.
for example in "$SOURCE_DIR"/examples/*.c; do
    name=$(basename "$example" .c)
    # shellcheck disable=SC2046
    "$cc" "$example" -o "$name" $(pkg-config --cflags --libs nonholo) -lm
    LD_LIBRARY_PATH=$libdir "./$name" >/dev/null || fail "examples/$name.c does not run against the installed library"
    echo "install: examples/$name.c ok"
done
