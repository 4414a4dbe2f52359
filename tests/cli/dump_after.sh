# Each pass can be looked at; those that are not run say when they are.
"$HEDDLE" --dump-after list | sed -n '/^[A-Z]/p; s/^  \([a-z-]*\) .*/\1/p'
echo "-- a program"
"$HEDDLE" --dump-after instances ../ir/red_p1_1.hir | grep '^thread'
echo "-- blocks, as --dump-blocks"
[ "$("$HEDDLE" --dump-after blocks-with-loops ../ir/red_p1_1.hir)" = "$("$HEDDLE" --dump-blocks ../ir/red_p1_1.hir)" ] && echo the same
echo "-- every pass prints something, with the settings under which it is run"
for pass in $("$HEDDLE" --dump-after list | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
    file=../ir/red_p1_1.hir
    case $pass in
    promote | jump-ahead | clean | count-threads | opaque | clean-opaque) flags= file=../../examples/locked_counter.c ;;
    forget-assertions) flags='--property no-data-race' ;;
    unwind) flags='--unwind 2' ;;
    build-bits) flags='--arith bv' ;;
    fuse-sections) flags='--reduction no' ;;
    find-wraps | loosen-wraps | orders-by-type | tidy-stutter | foresee-indices | weaken-guards) flags='--engine weave' ;;
    blocks) flags='--rule redsafety' ;;
    *) flags= ;;
    esac
    "$HEDDLE" --dump-after $pass $flags $file | grep -q '^thread main' || echo "$pass prints nothing"
done
echo "-- not run"
"$HEDDLE" --dump-after weaken-guards ../ir/red_p1_1.hir
echo "exit $?"
"$HEDDLE" --dump-after promote ../ir/red_p1_1.hir
echo "exit $?"
echo "-- unknown"
"$HEDDLE" --dump-after nothing ../ir/red_p1_1.hir
echo "exit $?"
