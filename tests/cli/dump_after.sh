# Each pass can be looked at; those that are not run say when they are.
"$HEDDLE" --dump-after list | sed -n '/^[A-Z]/p; s/^  \([a-z-]*\) .*/\1/p'
echo "-- a program"
"$HEDDLE" --dump-after instantiate-threads ../ir/red_p1_1.hir | grep '^thread'
echo "-- blocks, as --dump-blocks"
[ "$("$HEDDLE" --dump-after blocks-with-loops ../ir/red_p1_1.hir)" = "$("$HEDDLE" --dump-blocks ../ir/red_p1_1.hir)" ] && echo the same
echo "-- every pass prints something, with the settings under which it is run"
for pass in $("$HEDDLE" --dump-after list | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
    file=../ir/red_p1_1.hir
    case $pass in
    front-end | promote | jump-threading | clean | count-threads | unspecified-values | clean-unspecified) flags= file=../../examples/locked_counter.c ;;
    known-errors) file=../pass/known.hir ;;
    forget-assertions) flags='--property no-data-race' ;;
    fence) flags='--memory-model tso' file=../pass/weak.hir ;;
    plain-atomics) flags='--memory-model c11' file=../pass/c11.hir ;;
    store-buffers | robustness-monitor | as-sc) flags='--memory-model tso' ;;
    instrument-races) flags='--property no-data-race' file=../../examples/locked_counter.c ;;
    instrument-faults) flags='--property no-overflow' ;;
    instrument-memory) flags='--property valid-memsafety' ;;
    instrument-waits) flags='--property no-deadlock' ;;
    unwind) flags='--unwind 2' ;;
    build-bits) flags='--arith bv' ;;
    merge-sections) flags='--reduction no' ;;
    find-wraps | loosen-wraps | orders-by-type | tidy-stutter | prophecy-indices | weaken-guards) flags='--engine weave' ;;
    blocks) flags='--engine impact' ;;
    *) flags= ;;
    esac
    "$HEDDLE" --dump-after $pass $flags $file | grep -q '^thread main' || echo "$pass prints nothing"
done
echo "-- not run"
"$HEDDLE" --dump-after weaken-guards ../ir/red_p1_1.hir
echo "exit $?"
"$HEDDLE" --dump-after promote ../ir/red_p1_1.hir
echo "exit $?"
"$HEDDLE" --dump-after merge-transitions --engine weave --property termination ../ir/red_p1_1.hir
echo "exit $?"
echo "-- races and faults are errors in what comes later, too"
for property in unreach-call no-data-race no-overflow; do
    "$HEDDLE" --dump-after merge-transitions --property $property ../../examples/lost_update.c | grep -c "^ *[^ ]* error"
done
echo "-- of several properties, the first"
"$HEDDLE" --dump-ir --property no-data-race,unreach-call ../ir/red_p1_1.hir | grep -c '^thread main'
echo "-- unknown"
"$HEDDLE" --dump-after nothing ../ir/red_p1_1.hir
echo "exit $?"
echo "-- a name of an earlier version"
"$HEDDLE" --dump-after covered ../ir/red_p1_1.hir | cmp - <("$HEDDLE" --dump-after drop-subsumed ../ir/red_p1_1.hir)
echo "exit $?"
