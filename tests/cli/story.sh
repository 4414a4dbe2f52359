# A counterexample as lines, as columns, in a trace file and replayed.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../../examples/lost_update.c ../../examples/locked_counter.c "$dir" && cd "$dir"
"$HEDDLE" -p unreach-call lost_update.c --trace t; echo "exit $?"
"$HEDDLE" -p unreach-call --layout columns lost_update.c; echo "exit $?"
COLUMNS=60 "$HEDDLE" -p unreach-call --layout columns lost_update.c | head -3
"$HEDDLE" -p unreach-call -q lost_update.c
"$HEDDLE" -p unreach-call --replay t lost_update.c | head -1
head -1 t >cut; "$HEDDLE" -p unreach-call -q --replay cut lost_update.c; echo "exit $?"
"$HEDDLE" -p unreach-call --replay t locked_counter.c; echo "exit $?"
echo nonsense >n; "$HEDDLE" -p unreach-call --replay n lost_update.c; echo "exit $?"
"$HEDDLE" -p unreach-call --color always -q lost_update.c | od -c | head -2
"$HEDDLE" -p unreach-call -q --json /nowhere/x lost_update.c; echo "exit $?"
