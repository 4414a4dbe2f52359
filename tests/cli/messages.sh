# SPDX-License-Identifier: Apache-2.0
# Messages that no other test produces: of options and engines that do not fit a program, and of files with faults.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
examples=../../examples ir=../ir c=../c
try() { echo "\$ heddle $*" | sed "s:$dir:DIR:g"; "$HEDDLE" "$@" 2>&1 | grep '\[H[0-9]*\]' | grep -v ' to try: ' | sed 's/with [0-9]* round/with N round/' | sed "s:$dir:DIR:g"; }
echo '# options'
try -q1 x.c
try -e redcomp --context-bound 3 $examples/lost_update.c
try -e rc11 -p unreach-call $examples/lost_update.c
try -e order -p no-deadlock --memory-model c11 $examples/opposite_locks.c
try -e weave --weave-order banana -p unreach-call $examples/locked_counter.c
try -e redcomp --rule product -p unreach-call $ir/red_workers.hir
try -e impact -p unreach-call $ir/red_workers.hir
try -e weave -p unreach-call $ir/red_workers.hir
echo '# files'
mkdir "$dir/empty"; try --suite "$dir/empty"
printf 'target datalayout = "e-m:e-p:32:32"\ndefine i32 @main() { ret i32 0 }\n' >"$dir/narrow.ll"; try "$dir/narrow.ll"
printf 'junk\n' >"$dir/junk.ll"; try "$dir/junk.ll"
"$HEDDLE" -q -p unreach-call --trace "$dir/trace" $examples/lost_update.c >/dev/null
sed 3s/.*/banana/ "$dir/trace" >"$dir/odd"; try -p unreach-call --replay "$dir/odd" $examples/lost_update.c
sed '5,$d' "$dir/trace" >"$dir/short"; try -p unreach-call --replay "$dir/short" $examples/lost_update.c
