# A certificate is accepted for its program, and refused for another program or property, or after a change of a claim or an obligation.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
check() { "$HEDDLE" --check-certificate "$dir/$1" "${@:2}" 2>&1 | sed -e "s|$dir/||" -e 's/  [0-9.]* s$//' | grep -v '^$' | grep -E 'CONFIRMED|REFUSED|\[H'; echo "exit ${PIPESTATUS[0]}"; }
change() { sed -E "$2" "$dir/c.smt2" > "$dir/$1"; cmp -s "$dir/c.smt2" "$dir/$1" && echo "no change: $1"; check "$1" "${@:3}"; }
for flags in "-p unreach-call -e redcomp" "-p no-data-race" "-p no-deadlock"; do
    echo "== $flags"
    "$HEDDLE" -q $flags --certificate "$dir/c.smt2" ../../examples/locked_counter.c | sed 's/  [0-9.]* s$//'
    check c.smt2 ../../examples/locked_counter.c
done
echo "== other properties and programs"
check c.smt2 -p unreach-call ../../examples/locked_counter.c
"$HEDDLE" -q -p unreach-call -e redcomp --certificate "$dir/c.smt2" ../../examples/locked_counter.c | sed 's/  [0-9.]* s$//'
check c.smt2 ../../examples/lost_update.c
echo "== changes"
change query '0,/^\(assert .*/s//(assert true)/' ../../examples/locked_counter.c
change proof 's/^(;. node 2 .*)\(= counter.*1\) \(= mutex/\1(= mutex/' ../../examples/locked_counter.c
change short '/^;. node 2 /d' ../../examples/locked_counter.c
change kind 's/^;! claim invariants/;! claim no-errors/' ../../examples/locked_counter.c
change order 's/^;! claim invariants/;! claim lock-order/' ../../examples/locked_counter.c
change key 's/interleavings$/robustness/' ../../examples/locked_counter.c
echo nothing > "$dir/none"; check none ../../examples/locked_counter.c
