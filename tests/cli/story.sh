# A counterexample as lines, as columns, in a trace file and replayed.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../../examples/lost_update.c ../../examples/locked_counter.c "$dir" && cd "$dir"
"$HEDDLE" lost_update.c --trace t; echo "exit $?"
"$HEDDLE" --layout columns lost_update.c; echo "exit $?"
COLUMNS=60 "$HEDDLE" --layout columns lost_update.c | head -3
"$HEDDLE" -q lost_update.c
"$HEDDLE" --replay t lost_update.c | head -1
head -1 t >cut; "$HEDDLE" -q --replay cut lost_update.c; echo "exit $?"
"$HEDDLE" --replay t locked_counter.c; echo "exit $?"
echo nonsense >n; "$HEDDLE" --replay n lost_update.c; echo "exit $?"
"$HEDDLE" --color always -q lost_update.c | od -c | head -2
"$HEDDLE" -q --json /nowhere/x lost_update.c; echo "exit $?"
