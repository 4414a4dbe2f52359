# Output that cannot be written: the verdict first, then what failed, and exit code 4. Files are written whole or not at all.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../ir/lock.hir "$dir/safe.hir"
cp ../ir/counter.hir "$dir/unsafe.hir"
cd "$dir"
show() { echo "\$ heddle $*"; }
try() { show "$@"; "$HEDDLE" -q "$@" 2>&1; echo "exit $?"; }

echo '# stdout'
for command in --help --version 'unsafe.hir' 'safe.hir' '--dump-ir safe.hir' '--json - safe.hir' '--json file safe.hir'; do
    show "$command >/dev/full"
    "$HEDDLE" $command >/dev/full; echo "exit $?"
    show "$command >&-"
    "$HEDDLE" $command >&-; echo "exit $?"
done 2>&1
head -2 file # what can be written is
mkfifo pipe
exec 3<>pipe 4>pipe 3<&- # a pipe that nobody reads
show 'safe.hir | true'; "$HEDDLE" safe.hir >&4 2>message; echo "exit $?"; cat message
exec 4>&-
show '--dump-ir unsafe.hir | head -1'; "$HEDDLE" --dump-ir unsafe.hir | head -1 | cut -d' ' -f1

echo '# other streams that are closed'
"$HEDDLE" -q safe.hir <&-; echo "exit $?"
"$HEDDLE" -q safe.hir 2>&-; echo "exit $?"
"$HEDDLE" -q safe.hir <&- >&- 2>&-; echo "exit $?"
"$HEDDLE" -q nowhere.c 2>&-; echo "exit $?"
"$HEDDLE" -q --json file safe.hir 2>&- >&-; echo "exit $?, $(grep -c verdict file)"

echo '# files'
mkdir folder
for place in nowhere/file folder /dev/full ''; do
    try -e redcomp --json "$place" safe.hir
    try -e redcomp --certificate "$place" safe.hir
    try --json "$place" unsafe.hir
    try --trace "$place" unsafe.hir
done
try --timeout 0 --json nowhere/file safe.hir
(ulimit -f 0; "$HEDDLE" -q safe.hir >text; echo "exit $?, $(wc -c <text) bytes") 2>&1 | cat
(ulimit -f 0; try nowhere.c; try -e redcomp safe.hir) | cat

echo '# whole or not at all'
echo old | tee kept new >/dev/null
chmod 640 kept
(ulimit -f 1; try --json kept unsafe.hir; try --json fresh unsafe.hir) | cat
cat kept
rm -f fresh
ln -s kept link; ln new other; ln -s missing dangling
for place in kept link new dangling fresh; do try --trace $place unsafe.hir; done
for place in kept link new other dangling missing fresh; do head -c 14 $place; echo " $place $(stat -c %F,%h $place)"; done
stat -c %a kept
ls -A

echo '# files that are streams'
try --trace - unsafe.hir | sed -n 's/^heddle-trace.*/trace/;p' | head -3
"$HEDDLE" -q --trace /dev/stdout unsafe.hir >both; echo "exit $?"; head -3 both | sed 's/^heddle-trace.*/trace/'
try --trace /dev/null unsafe.hir
mkfifo reader; cat reader >got & "$HEDDLE" -q --trace reader unsafe.hir; echo "exit $?"; wait; head -c 14 got; echo
