#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files that the tool reads and writes: none is lost, none is left in part. Environment: NONHOLO, the tool.
. "$(dirname "$0")/tool.bash"

# ---- one file for two results would lose one of them, and what is read is not written over: a file is what it is, whatever
# its name.
mkdir folder
"$NONHOLO" models sleigh >copy.nh
printf 'm\n1\n' >one.csv
cp copy.nh copy.csv
cp copy.nh copy.gp
ln -s one.csv link.csv
ln one.csv hard.csv
ln -s folder/later.csv later.csv
sha256sum one.csv copy.nh copy.csv copy.gp >before
while IFS='|' read -r message arguments; do
    eval "expect 2 $arguments"
    says err "$message"
    says err "are one file: one would write over the other"
    [ "$(grep -c . err)" = 1 ] || fail "one line about one file: $(cat err)"
done <<'CASES'
--output one.csv and --checkpoint one.csv|run skate --steps 3 --output one.csv --checkpoint one.csv
--output one.csv and --motions one.csv|ensemble skate --steps 3 --list m=1 --output one.csv --motions one.csv
--members one.csv and --output one.csv|ensemble skate --steps 3 --members one.csv --output one.csv
--output new.csv and --checkpoint ./new.csv|run skate --steps 3 --output new.csv --checkpoint ./new.csv
--output ./new.csv and --motions new.csv|ensemble skate --steps 3 --list m=1 --motions new.csv --output ./new.csv
--output folder/later.csv and --motions later.csv|ensemble skate --steps 3 --list m=1 --motions later.csv --output folder/later.csv
--members link.csv and --motions hard.csv|ensemble skate --steps 3 --members link.csv --motions hard.csv
MODEL copy.nh and --checkpoint copy.nh|run copy.nh --steps 3 --checkpoint copy.nh
MODEL copy.csv and --output folder/../copy.csv|run copy.csv --steps 3 --output folder/../copy.csv
MODEL ./copy.gp and --plot copy.gp|run ./copy.gp --steps 3 --plot copy.gp
--method my.txt and --checkpoint ./my.txt|run skate --steps 3 --method "spark(file=\"my.txt\")" --checkpoint ./my.txt
--resume one.csv and --output one.csv|run skate --steps 3 --resume one.csv --output one.csv
CASES
sha256sum --quiet -c before || fail "a file is lost"
[ ! -e new.csv ] && [ ! -e folder/later.csv ] || fail "what was refused has written a file"
cp copy.nh rover.c
expect 2 export rover.c --name rover
says err "rover.c would be written over the model"
cmp -s copy.nh rover.c && [ ! -e rover.h ] || fail "an export took the place of its model"
# Two files of one name in two folders, a model of the catalogue beside a file of its name, and a checkpoint that goes on
# are no mistakes.
expect 0 run skate --steps 3 --output new.csv --checkpoint folder/new.csv
expect 0 run skate --steps 3 --checkpoint skate
expect 0 run skate --steps 5 --checkpoint skate --resume ./skate
rm skate

# ---- a checkpoint or a picture that cannot be made is told before the run, and nothing else is touched
mkdir picture.svg
long=$(printf '%0260d' 0)
echo precious >precious.check
while IFS='|' read -r message file; do
    for command in run "ensemble --list m=1,2"; do
        # shellcheck disable=SC2086
        expect 1 $command skate --steps 3 $file --output untouched.csv
        says err "$message"
        silent out
        [ "$(grep -c . err)" = 1 ] || fail "one line about a file that cannot be made: $(cat err)"
    done
done <<CASES
cannot write no/such/check: No such file or directory|--checkpoint no/such/check
cannot write folder: it is there, and is not a regular file|--checkpoint folder
cannot write $long: File name too long|--checkpoint $long
cannot write no/such/a.svg: No such file or directory|--plot no/such/a.svg
cannot write picture.svg: it is there, and is not a regular file|--plot picture.svg
CASES
expect 2 run skate --steps 3 --checkpoint refused.check --resume no-such-file
expect 2 run skate --steps 3 --plot refused.gp --plot-x nothing
expect 2 run skate --steps 3 --checkpoint precious.check --resume precious.check
[ "$(ls untouched.csv refused.* 2>/dev/null)" = "" ] || fail "what was refused has left $(ls)"
[ "$(cat precious.check)" = precious ] || fail "what was refused has written over a file"

# ---- no room: told, and no file in part
# limited KIBIBYTES [argument...]: no file may become larger; output in limited.csv and err.
limited() {
    (ulimit -f "$1"; exec "$NONHOLO" "${@:2}") >limited.csv 2>err </dev/null
    [ $? = 1 ] || fail "nonholo ${*:2} should give 1 where there is no room"
    says err "File too large"
    [ "$(grep -c . err)" = 1 ] || fail "one line about a file that is too large: $(cat err)"
}
limited 8 run skate --steps 5000 --output whole.csv --quiet
limited 8 ensemble skate --steps 500 --list m=1,2 --every 1 --motions motions.csv --quiet
cp limited.csv out
silent out
limited 8 run skate --steps 5000 --output - --quiet
for file in whole.csv motions.csv limited.csv; do
    [ "$(wc -l <"$file")" -gt 20 ] && [ "$(awk -F, '{print NF}' "$file" | sort -u | wc -l)" = 1 ] &&
        [ "$(tail -c 1 "$file" | od -An -tx1)" = " 0a" ] || fail "$file ends within a row: $(tail -n 1 "$file")"
done
mkdir generated
echo before >generated/sleigh.c
limited 2 export sleigh -o generated --quiet
[ "$(ls generated)$(cat generated/sleigh.c)" = "sleigh.cbefore" ] || fail "an export in part: $(ls -l generated)"
limited 2 run mp-particles --set m=200 --steps 3 --checkpoint no-room --quiet
[ "$(ls no-room* 2>/dev/null)" = "" ] || fail "a checkpoint in part: $(ls no-room*)"
expect 0 export sleigh -o generated --quiet
[ "$(ls generated)" = "sleigh.c
sleigh.h" ] || fail "an export leaves $(ls generated)"

# ---- what has no end is not read to its end
most=4000000
(ulimit -v "$most"; exec "$NONHOLO" --version) >/dev/null 2>&1 || most=unlimited # sanitizers want more
# endless MESSAGE [argument...]: refused, within a minute and with little memory.
endless() {
    (ulimit -v "$most"; exec timeout 60 "$NONHOLO" "${@:2}") >out 2>err </dev/zero
    [ $? = 2 ] || fail "nonholo ${*:2} should give 2: $(head -c 200 err)"
    says err "$1"
}
endless "/dev/zero is not a checkpoint of this version" run skate --steps 3 --resume /dev/zero
endless "/dev/zero is not a checkpoint of this version" ensemble skate --list m=1,2 --steps 3 --resume /dev/zero
endless "standard input is too long: at most 67108864 bytes are read" run - --steps 3
endless "/dev/zero is too long: at most 536870912 bytes are read" ensemble skate --members /dev/zero --steps 3
expect 0 ensemble skate --draw "x=uniform(0,1)" --count 3000 --steps 1 --checkpoint many --quiet
expect 2 ensemble skate --draw "x=uniform(0,1)" --count 3 --steps 1 --resume many
says err "many cannot be resumed here: it is of another number of members"
expect 0 run skate --steps 3 --checkpoint longer --quiet
head -c 100000 /dev/zero >>longer
expect 2 run skate --steps 3 --resume longer
says err "the checkpoint longer has something behind its end"
# Pipes have one.
expect 0 run skate --steps 3 --checkpoint short --quiet
expect 0 run skate --steps 5 --resume <(cat short) --quiet
expect 0 ensemble skate --members <(printf 'm\n1\n2\n') --steps 3
says out "members           2"

[ "$failures" = 0 ] || { echo "files: $failures failures" >&2; exit 1; }
