# What --dump-ir prints of a C program is itself an input, with the same verdict.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
for f in lost_update locked_counter; do
    "$HEDDLE" --dump-ir ../../examples/$f.c >"$dir/$f.hir"; echo "exit $?"
    "$HEDDLE" -q "$dir/$f.hir"; echo "exit $?"
done
