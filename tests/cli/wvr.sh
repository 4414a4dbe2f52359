# A .wvr program: what a trace says of arrays, contents given by hand.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >copy.wvr <<'W'
; copies an element
(var A B (Array Int Int))
(var M (Array Int (Array Bool Int)))
(var next (Int) Int)
(var i Int)
(assume (= (next i) (- 4)))
(store! B (next i) (select A (next i)))
(atomic
  (assume (= (select (select M i) true) 1))
  (set! M (store M 0 (select M i)))
  (set! A B))
(assume (> (select B (- 4)) 9))
W
"$HEDDLE" -q -e redcomp --trace trace copy.wvr; echo "exit $?"
minus4=fffffffffffffffffffffffffffffffc
# A, B, M, next, i
sed -i "s/^initial.*/initial 5 1 $minus4 a  0 0  3 0 1 2 7 1 1 1  2 2 2 $minus4 9 1  2/" trace
"$HEDDLE" --replay trace copy.wvr; echo "exit $?"
sed -i "s/^initial.*/initial 5 7 $minus4 a/" trace
"$HEDDLE" --replay trace copy.wvr; echo "exit $?"
sed -i "s/^initial.*/initial 5 ffffffffffffffff/" trace
"$HEDDLE" --replay trace copy.wvr; echo "exit $?"
"$HEDDLE" -q copy.wvr copy.wvr; echo "exit $?"
