#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Exported code: compiles without a warning as C99, is the library to the bit where it can be, allocates nothing, does not
# recurse, keeps nothing, and runs on a Cortex-M as far as the tools for that are here. Environment: NONHOLO, the tool.
. "$(dirname "$0")/tool.bash"
checks=0

have() { command -v "$1" >/dev/null; }
left_out() { echo "export: $1 is not here: $2 left out"; }

strict=(-std=c99 -pedantic -Wall -Wextra -Werror -Wconversion -Wshadow -Wdouble-promotion -O2 -ffp-contract=off)
levels=(-O2 -O3) # by turns
compilers=()
for compiler in gcc clang; do
    if have $compiler; then compilers+=($compiler); else left_out $compiler "its warnings are"; fi
done

# ---- the command of the report can be pasted
for directory in plain "with spaces" "a 'quoted' \$(name); *"; do
    expect 0 export skate -o "$directory"
    command=$(sed -n 's/^  cc /cc /p' out)
    [ "$directory" != plain ] || [[ $command == *" plain/skate.c "* ]] || fail "quotes where there is no need: $command"
    ! have cc || sh -c "$command" >out 2>err || fail "cannot be pasted: $command: $(cat out err)"
done

# ---- programs around the code

# The self-test; with an argument, so many steps, and t, q, v compared to the bit with a line of CSV on standard input.
cat >driver.c <<'END'
#include "code.h"
#include <stdio.h>
#include <stdlib.h>

int self_test(void);

static int differs(double value)
{
    double expected;
    return scanf("%lf%*c", &expected) != 1 || value != expected;
}

int main(int argc, char **argv)
{
    code_state state;
    int wrong = 0;
    if (argc < 2)
        return self_test();
    code_init(&state);
    for (int i = 0; i < atoi(argv[1]); i++)
        if (code_step(&state) != code_good)
            return 2;
    wrong += differs(state.t);
    for (int i = 0; i < code_coordinates; i++)
        wrong += differs(state.q[i]);
    for (int i = 0; i < code_coordinates; i++)
        wrong += differs(state.v[i]);
    return wrong > 0;
}
END

# export_code DIRECTORY MODEL METHOD [option...]
export_code() {
    local directory=$1 model=$2 method=$3
    "$NONHOLO" export "$model" --method "$method" --name code -o "$directory" "${@:4}" >"$directory.out" 2>&1 ||
        fail "$model by $method is not exported: $(cat "$directory.out")"
}

# Calls elementary functions alone (and what compilers make of loops that copy), and has no writable data.
check_symbols() {
    local object=$1 what=$2
    ! nm -u "$object" | awk '{ print $2 }' |
        grep -vxE '(fabs|sqrt|exp|log|a?(sin|cos|tan)h?|atan2|pow)f?|mem(set|cpy|move)|sincosf?|_GLOBAL_OFFSET_TABLE_' ||
        fail "$what calls these"
    ! nm "$object" | grep -E ' [bBdDC] ' || fail "$what has writable data"
}

# Edges of the graph of calls can be sorted: nothing calls itself, directly or not. Frames have a fixed size.
check_shape() {
    local directory=$1 what=$2
    gcc -std=c99 -O0 -fcallgraph-info=su -fstack-usage -c "$directory/code.c" -o "$directory/shape.o" || fail "$what: gcc"
    sed -n 's/^edge: { sourcename: "\([^"]*\)" targetname: "\([^"]*\)".*/\1 \2/p' "$directory"/shape*.ci |
        tr ' ' '\n' | sed 's/.*://' | paste - - >"$directory/edges"
    [ -s "$directory/edges" ] || fail "$what: no graph of calls"
    tsort "$directory/edges" >/dev/null 2>"$directory/loops" || fail "$what: recursion: $(cat "$directory/loops")"
    check_symbols "$directory/shape.o" "$what"
    ! grep -hP '\tdynamic$' "$directory"/shape*.su || fail "$what: a frame whose size is not known"
}

# check MODEL METHOD bits|close [option...]
check() {
    local model=$1 method=$2 agreement=$3 directory=code$checks what="$1 by $2 ${*:4}" compiler turn=$checks level
    checks=$((checks + 1))
    export_code "$directory" "$model" "$method" "${@:4}"
    [ -f "$directory/code.c" ] || return
    ! have gcc || check_shape "$directory" "$what"
    grep -qE "^self-test: [0-9]+ steps, to the last bit$" "$directory.out"
    [ $? -eq $([ "$agreement" = bits ] && echo 0 || echo 1) ] || fail "$what: not $agreement: $(cat "$directory.out")"
    [ "$agreement" != bits ] || "$NONHOLO" run "$model" --method "$method" "${@:4}" --backend tape --steps 1000 \
        --every 1000 --output - --quiet 2>log | tail -n 1 >expected
    for compiler in "${compilers[@]}"; do
        level=${levels[turn++ % 2]}
        if ! "$compiler" "${strict[@]}" $level -DNONHOLO_SELF_TEST -Dmain=self_test -c "$directory/code.c" -o code.o 2>log ||
            ! "$compiler" -std=c99 -O1 -I"$directory" driver.c code.o -lm -o driver 2>log; then
            fail "$what does not compile: $compiler $level: $(head -n 5 log)"
            continue
        fi
        ./driver >log || fail "$what, $compiler $level: $(cat log)"
        [ "$agreement" != bits ] || ./driver 1000 <expected ||
            fail "$what, $compiler $level, differs from nonholo run after 1000 steps"
    done
}

# ---- models and methods

for s in 1 2 3 4; do check particle "gauss(s=$s)" bits; done
check particle "gauss(s=9)" bits
check particle "lobatto-ab(s=2)" bits
check particle lobatto-ab-modified bits
check particle "radau-ia(s=2)" bits
check particle euler-1 bits
check particle euler-2 bits
check particle "gauss-standard(s=2)" bits
check particle "lobatto-abd(s=3)" bits
check particle mp bits
check mp-particles mp bits
check particle "extrapolation(s=1)" bits
check particle "extrapolation(s=5)" bits
check mp-particles "extrapolation(s=7, tol=1e-9)" bits
check mp-particles "extrapolation(s=6, rule=mp)" bits
check appell "extrapolation(s=3)" bits
check sleigh "extrapolation(s=6, tol=1e-8)" bits
check free-particle "gauss(s=2)" bits
check free-particle mp bits
check contact-oscillator mp bits --set epsilon=1/10 --initial "x=1/2" --project --step 1/100
check spherical-pendulum "lobatto-ab(s=3)" bits
check isokinetic "gauss(s=2)" bits # a nonideal reaction
check appell "gauss(s=2)" bits     # a constraint that is not linear
check sleigh "gauss(s=3)" bits     # a mass matrix that depends on q
check skate-in-bowl "lobatto-ab(s=3)" bits
check veselova "gauss(s=2)" bits
check skate-chain mp bits # loops
# No constraint and a varying mass: what is left of the loops over constraints are variables without a use.
printf "coordinates x\nlagrangian (1 + x^2)*x'^2/2 - x^4\ninitial x = 1/2, x' = 1\nstep 1/20\n" >free.nh
check free.nh "gauss(s=2)" bits
check free.nh lobatto-ab-modified bits
check free.nh euler-1 close --float
# Sine and cosine are the library's own; others are those of the machine.
printf "coordinates x\nlagrangian x'^2/2 - exp(x^2)*cos(x)\ninitial x = 1/2, x' = 1\nstep 1/20\n" >exp.nh
check exp.nh "gauss(s=2)" close
expect 0 export exp.nh -o exp
! grep -qF "to the last bit" out || fail "exp is not the library's own: $(cat out)"
expect 0 export skate -o exp
says out "self-test: 100 steps, to the last bit"
check particle "gauss(s=2)" close --float
check sleigh "lobatto-ab(s=2)" close --float --step 1/100
check mp-particles mp close --float
check sleigh "extrapolation(s=3)" close --float --step 1/100
check rotating-rod "lobatto-ab(s=2)" close --float

# ---- the self-test can fail

export_code wrong particle "gauss(s=2)"
sed -i '0,/0x1\.13cd3a2c8198ep-1/s//0x1.13cd3a2c8198dp-1/' wrong/code.c
"${compilers[0]}" -std=c99 -O1 -DNONHOLO_SELF_TEST wrong/code.c -lm -o self && ! ./self >log || fail "a wrong digit is not seen"
grep -q BAD log || fail "not BAD: $(cat log)"

# Small numbers beside large ones are seen as well: x in nanometres, an angle of some turns.
cat >small.nh <<'END'
coordinates x, y, theta
lagrangian (x'^2 + y'^2)*1e-9/2 + theta'^2*1e-27/2 - x^2*1e-9/2
constraint x'*sin(theta) - y'*cos(theta) = 0
initial x' = 1e-9, theta' = 2
step 1/20
END
export_code small small.nh "gauss(s=2)" --float
"${compilers[0]}" -std=c99 -O1 -ffp-contract=off -DNONHOLO_SELF_TEST small/code.c -lm -o self && ./self >log ||
    fail "small numbers: $(cat log)"
sed -i 's/1e-09f/1.01e-09f/' small/code.c
"${compilers[0]}" -std=c99 -O1 -ffp-contract=off -DNONHOLO_SELF_TEST small/code.c -lm -o self && ! ./self >log ||
    fail "a wrong small number is not seen"

# ---- two in one program; a step that fails

"$NONHOLO" export particle --method mp -o two --quiet || fail "particle"
"$NONHOLO" export particle --method "gauss(s=2)" --float --name other -o two --quiet || fail "other"
cat >two.c <<'END'
#include "two/other.h"
#include "two/particle.h"

int main(void)
{
    particle_state state, before;
    other_state small;
    particle_init(&state);
    other_init(&small);
    if (particle_step(&state) != particle_good || other_step(&small) != other_good)
        return 1;
    state.h = 1e200;
    particle_restart(&state);
    before = state;
    if (particle_step(&state) != particle_not_converged)
        return 2;
    for (int i = 0; i < particle_coordinates; i++)
        if (state.q[i] != before.q[i] || state.v[i] != before.v[i] || state.t != before.t)
            return 3;
    state.h = 0.1;
    particle_restart(&state);
    double residual;
    if (particle_step(&state) != particle_good || particle_energy(&state) < 1)
        return 4;
    particle_constraint(&state, &residual);
    return residual > 1e-15 || residual < -1e-15 ? 5 : 0;
}
END
"${compilers[0]}" "${strict[@]}" two.c two/particle.c two/other.c -lm -o two.exe && ./two.exe || fail "two exports: $?"
! have g++ || g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -x c++ two/particle.h || fail "the header is not C++"

# A title is a comment, whatever is in it.
cat >title.nh <<'END'
name        ends */ begins /* and goes on ??/ or \
coordinates x
lagrangian  x'^2/2 - x^2/2
initial     x = 1
step        0.1
until       1
END
"$NONHOLO" export title.nh --method mp --name title -o title >/dev/null || fail "a title with signs: $?"
"${compilers[0]}" "${strict[@]}" -c title/title.c -o title.o || fail "a title with signs does not compile"

# ---- names that its own functions might have; headers side by side
"$NONHOLO" export skate --name model -o names >/dev/null && "$NONHOLO" export skate --name Model -o names >/dev/null ||
    fail "an export called model"
printf '#include "model.h"\n#include "Model.h"\nint both(model_state *a, Model_state *b);\n' >names/both.c
for file in model Model both; do
    "${compilers[0]}" "${strict[@]}" -c "names/$file.c" -o name.o || fail "$file.c does not compile"
done

# ---- what is held: floats have rounding errors where doubles have nothing
cat >held.nh <<'END'
coordinates x, y, theta, u
parameters  a = 1/3
lagrangian  (x'^2 + y'^2 + theta'^2 + u'^2)/2 + 0.1*theta'*u' + sin(a)*x - cos(a)*y + cos(u)
constraint  x'*sin(theta) - y'*cos(theta) = 0
constraint  theta' = 0
initial     theta = a, u = 1
step        1/20
END
check held.nh "gauss(s=2)" close --float
check held.nh "lobatto-ab(s=3)" bits

# ---- machines without a system, and ARM with one

# Some of the exports above: the others say the same.
some=(code1 code5 code12 code13 code17 code24 code25 code27)

cortex() { # NAME flag...
    local name=$1 directory
    for directory in "${some[@]}"; do
        arm-none-eabi-gcc "${strict[@]}" "${@:2}" -c "$directory/code.c" -o arm.o || fail "$directory for $name"
    done
    arm-none-eabi-size arm.o | awk -v name="$name" 'END { print "export: the last one for " name ": " $1 " bytes" }'
}
if have arm-none-eabi-gcc && echo '#include <math.h>' | arm-none-eabi-gcc -x c -fsyntax-only - 2>/dev/null; then
    cortex cortex-m4 -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16
    cortex cortex-m7 -mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16
else
    left_out "arm-none-eabi-gcc with newlib" "Cortex-M is"
fi
if have arm-linux-gnueabihf-gcc && have qemu-arm; then
    for directory in "${some[@]}"; do
        arm-linux-gnueabihf-gcc "${strict[@]}" -static -DNONHOLO_SELF_TEST "$directory/code.c" -lm -o arm 2>log &&
            qemu-arm ./arm >>log 2>&1 || fail "$directory on ARM: $(cat log)"
    done
else
    left_out "arm-linux-gnueabihf-gcc or qemu-arm" "running on ARM is"
fi

# ---- what cannot be exported says so

# refuse CODE TEXT argument...
refuse() {
    "$NONHOLO" export "${@:3}" -o refused >out 2>err
    [ $? -eq "$1" ] || fail "exit code, not $1: export ${*:3}"
    grep -qF -- "$2" err || fail "no '$2' in: $(cat err)"
    [ ! -e refused ] || fail "files of what is refused: export ${*:3}"
}
refuse 2 "index-2 DAE" dae-spark
refuse 2 "--float and --double" particle --float --double
refuse 2 "no name that C code can have" particle --name 3d
refuse 2 "no name that C code can have" particle --name double
refuse 2 "second gear" spherical-pendulum --method "gauss-stabilised(s=2)"
refuse 2 "digits of a float" isokinetic --method "extrapolation(s=9)" --float
refuse 2 "no digits for tol = 1e-09" particle --method "extrapolation(s=8, tol=1e-9)" --float
refuse 1 "smaller --step" particle --step 1e5
refuse 2 "violate the velocity constraints" particle --initial "z'=1"
refuse 2 "a float does not hold energy" particle --float --initial x=1e30
refuse 2 "a float does not hold parameter" skate --float --set m=1e-60
refuse 2 "lost in rounding to a float" particle --float --from-time 1e7

echo "export: $checks exports, $failures failures"
[ $failures -eq 0 ]
